//! Whether what is given over time, by tables and by expressions, says something all the way through a run.

use rattleback_dynamics::Model;
use rattleback_dynamics::force::Force;
use rattleback_dynamics::model::Mobility;

/// Whether what is given over time covers a run of that many seconds; what was found and what is expected if not.
pub(super) fn check_duration(model: &Model, duration: f64) -> Result<(), String> {
    for acting in model.actions() {
        let within = |time: f64| acting.action.is_within(time);
        if !(within(0.0) && within(duration)) {
            let joint = &model.joints()[acting.joint.0].name;
            return Err(format!(
                "found {duration} s, which the table of the motor of joint \"{joint}\" does not cover; expected a run \
                 within its times, or another `beyond` than \"refuse\""
            ));
        }
    }
    let joints = model.actions().iter().filter_map(|acting| {
        let time = acting.action.formula()?.first_not_finite(duration)?;
        Some((format!("joint \"{}\"", model.joints()[acting.joint.0].name), time))
    });
    let bodies = model.bodies().iter().filter_map(|body| match &body.mobility {
        Mobility::Prescribed(prescribed) => {
            let time = prescribed.as_formulas()?.first_not_finite(duration)?;
            Some((format!("the motion of body \"{}\"", body.name), time))
        }
        _ => None,
    });
    let forces = model.forces().iter().filter_map(|force| match force {
        Force::Formula(force) => {
            let time = force.first_not_finite(duration)?;
            Some((format!("the force on body \"{}\"", model.bodies()[force.body.0].name), time))
        }
        _ => None,
    });
    match joints.chain(bodies).chain(forces).next() {
        None => Ok(()),
        Some((what, time)) => Err(format!(
            "found {duration} s, but the expression of {what} or a rate of it is not finite at t = {time} s; expected a \
             run over which it is"
        )),
    }
}
