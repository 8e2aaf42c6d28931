//! The report on the three tests.

use super::cradle::{self, figure};
use super::{GRAVITY, ball, candidate, rolling_sphere, tumbling_ellipsoid, viscous_ellipsoid};
use crate::Result;
use rattleback_contact::law::normal::{Rule, restitution_of_factor};
use rattleback_dynamics::{Run, RunEvent};
use rattleback_record::Document;
use rattleback_record::{Series, Table};
use rattleback_scene::Scene;

/// The restitution asked of the ball's laws.
const ASKED: f64 = 0.7;
/// Runs the three tests.
pub fn report() -> Result<Document> {
    let mut report = Document::new("Marques et al.: ball, cradle, incline");
    let mut balls = Vec::new();
    let mut table = Table::new(["law", "predicted", "first bounce", "second bounce"].map(str::to_owned));
    for rule in Rule::ALL {
        let (points, bounces) = bounces(rule)?;
        let predicted = restitution_of_factor(rule.factor(ASKED)?)?;
        let shown = |k: usize| bounces.get(k).map_or("-".to_owned(), |e| format!("{e:.5}"));
        table.push([rule.name().to_owned(), format!("{predicted:.5}"), shown(0), shown(1)]);
        balls.push(Series { name: rule.name().to_owned(), points, dashed: false });
    }
    report.table(
        format!("Ball on a floor, restitution {ASKED} asked for: speed after over speed before"),
        table,
    );
    report.figure("ball", figure("A ball falls 0.1 m", "height in m", 0.5, [0.0, 0.12], balls));
    cradle::add(&mut report)?;
    report.table("On an incline", incline()?);
    report.text(
        "Viscous friction is (44) with 2 N s/m, smooth about zero slip; the point of application is (46), shared by the \
         materials' Young's moduli: wood of 1 GPa on rubber of 5 MPa.",
    );
    candidate::add(&mut report)?;
    Ok(report)
}

/// Height over time, and the restitution of each bounce.
fn bounces(rule: Rule) -> Result<(Vec<[f64; 2]>, Vec<f64>)> {
    let scene = ball(rule, ASKED)?;
    let mut run = Run::new(&scene.model, scene.state.clone(), &scene.scheme)?;
    let (mut points, mut bounces, mut arrived) = (Vec::new(), Vec::new(), 0.0);
    for k in 0..=250 {
        run.advance(scene.duration * f64::from(k) / 250.0, &mut |now| {
            let speed = now.state.motions[1].velocity.z;
            match now.event {
                RunEvent::Begin(_) => arrived = -speed,
                RunEvent::End(_) => bounces.push(speed / arrived),
                RunEvent::Step => {}
            }
            Ok(())
        })?;
        let state = run.state();
        points.push([state.time, state.motions[1].pose.position.z]);
    }
    Ok((points, bounces))
}

/// What a sphere and an ellipsoid do on an incline.
fn incline() -> Result<Table> {
    let mut table = Table::new(["quantity", "found", "expected"].map(str::to_owned));
    for angle in [0.1f64, 0.3, 0.6] {
        let scene = rolling_sphere(angle)?;
        let mut run = Run::new(&scene.model, scene.state.clone(), &scene.scheme)?;
        let mut speeds = [0.0; 2];
        for (time, speed) in [0.5, 1.0].into_iter().zip(&mut speeds) {
            run.advance(time, &mut |_| Ok(()))?;
            *speed = run.state().motions[1].velocity.norm();
        }
        let expected = 5.0 / 7.0 * GRAVITY * angle.sin();
        table.push([
            format!("acceleration of a rolling sphere at {angle} rad, m/s^2"),
            format!("{:.4}", 2.0 * (speeds[1] - speeds[0])),
            format!("{expected:.4}"),
        ]);
    }
    for (name, scene) in [
        ("the ellipsoid", tumbling_ellipsoid()?),
        ("the ellipsoid with viscous friction, its force applied by stiffness,", viscous_ellipsoid()?),
    ] {
        let lifted = first_lift_off(&scene)?;
        let shown = lifted.map_or("never".to_owned(), |time| format!("{time:.3}"));
        table.push([format!("{name} lifts off at, s"), shown, "it does".to_owned()]);
    }
    Ok(table)
}

/// When a body first loses contact, in s.
fn first_lift_off(scene: &Scene) -> Result<Option<f64>> {
    let mut run = Run::new(&scene.model, scene.state.clone(), &scene.scheme)?;
    let mut lifted = None;
    run.advance(scene.duration, &mut |now| {
        if matches!(now.event, RunEvent::End(_)) {
            lifted = lifted.or(Some(now.state.time));
        }
        Ok(())
    })?;
    Ok(lifted)
}
