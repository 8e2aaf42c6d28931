//! A bowl thrown on a table (Kry and Pai 2002, section 4.2, Table II, Figs 6 to 9), both of them Loop surfaces.
//!
//! The paper gives the sizes (`kry_pai_meshes.rs`), a duration of 3 s and the limits on the steps; how the bowl is thrown is
//! chosen here: from 12 cm above the table's middle, leaning, towards a corner and turning, so that it bounces a few times, slides
//! and comes to roll.

use super::kry_pai_meshes::{BOWL_DENSITY, bowl, table};
use crate::body::{Body, Motion};
use crate::energy::Energy;
use crate::error::Result;
use crate::model::{BodyModel, Model};
use crate::observer::Happening;
use crate::rolling::{Mode, Rolling, Settings};
use crate::simulation::Accuracy;
use crate::state::State;
use rattleback_contact::law::normal::{Hysteresis, Rule};
use rattleback_contact::law::{ContactLaw, friction::Coulomb};
use rattleback_contact::material::Stiffness;
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::subdivision::LoopSurface;
use rattleback_geom::surface::Surface;
use rattleback_geom::{Pose, Vec3};
use std::time::Instant;

/// How long the motion is followed, in s.
pub const DURATION: f64 = 3.0;
/// The limits on the steps of Table II, in s, and the paper's computing times on a 1.8 GHz Xeon, in s.
pub const STEPS: [(f64, f64); 7] = [
    (1e-3, 6.542),
    (2e-3, 3.328),
    (4e-3, 1.766),
    (8e-3, 0.974),
    (16e-3, 0.521),
    (32e-3, 0.370),
    (64e-3, 0.286),
];
/// Friction between bowl and table.
pub const FRICTION: f64 = 0.3;
/// Restitution between bowl and table.
pub const RESTITUTION: f64 = 0.4;
/// Gravity, in m/s².
pub const GRAVITY: f64 = 9.81;

/// What happens on the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// The bowl bounces.
    Bounce,
    /// It stays on the table from here on.
    Settle,
    /// It leaves the table.
    LiftOff,
    /// The contact point goes over to another patch of the bowl or of the table.
    Patch,
    /// It begins to slide.
    Slide,
    /// It begins to roll.
    Roll,
}

/// An instant of the motion.
#[derive(Debug, Clone, Copy)]
pub struct Point {
    /// In s.
    pub time: f64,
    /// The mass centre, in m.
    pub position: Vec3,
    /// The length of the step that led here, where it was made in contact, in s.
    pub step: Option<f64>,
}

/// A motion under a limit on the steps.
#[derive(Debug, Clone)]
pub struct Throw {
    /// All steps.
    pub points: Vec<Point>,
    /// What happened, when and where.
    pub marks: Vec<(Mark, f64, Vec3)>,
    /// Computing time, in s.
    pub seconds: f64,
    /// The energies at the start and at the end.
    pub energies: [Energy; 2],
    /// How far the sum of all energies strays, in J.
    pub lost: f64,
}

/// The table, fixed, and the bowl.
pub fn model() -> Result<Model> {
    let normal = Hysteresis::new(Rule::Exact, RESTITUTION, 1.5)?;
    let law = ContactLaw::new(Stiffness::given(1e6)?, normal)?.with_friction(Coulomb::new(FRICTION, 1e-3)?);
    let mut builder = Model::builder();
    builder.gravity(Vec3::new(0.0, 0.0, -GRAVITY));
    let surface = builder.surface("earthenware");
    builder.law(surface, surface, law);
    let (table, bowl) = (LoopSurface::new(&table()?)?, LoopSurface::new(&bowl()?)?);
    builder.body(BodyModel::fixed("table").with_part(table, Pose::identity(), surface));
    let mass = bowl.moments()?.with_density(BOWL_DENSITY)?;
    let shape = Pose::new(-mass.centroid, UnitQuaternion::identity());
    builder.body(BodyModel::free("bowl", Body::from(&mass)).with_part(bowl, shape, surface));
    builder.build()
}

/// The bowl as it is thrown.
pub fn start() -> State {
    let pose = Pose::new(Vec3::new(-0.08, -0.03, 0.2), UnitQuaternion::from_euler_angles(0.25, -0.3, 0.4));
    let bowl = Motion { pose, velocity: Vec3::new(0.25, 0.1, 0.0), spin: Vec3::new(1.0, 2.0, 1.5) };
    State::new(vec![Motion::at_rest(Pose::identity()), bowl])
}

/// Settings under which the step is limited by `longest` rather than by the accuracy.
pub fn settings(longest: f64) -> Settings {
    Settings {
        accuracy: Accuracy { relative: 1e-4, absolute: 1e-5 },
        longest_step: longest,
        stick: 5e-3,
        settle: 2e-2,
        ..Settings::default()
    }
}

/// The motion under a limit on the steps, in s.
pub fn throw(model: &Model, settings: Settings) -> Result<Throw> {
    let clock = Instant::now();
    let mut run = Rolling::new(model, start(), settings)?;
    let before = Energy::of(model, run.state())?;
    let (mut points, mut marks) = (Vec::new(), Vec::new());
    let mut last: Option<([usize; 2], Mode)> = None;
    let mut time = 0.0;
    let mut shown = (0.0, run.state().motions[1].pose.position);
    run.advance(DURATION, &mut |now| {
        let (state, position) = (now.state, now.state.motions[1].pose.position);
        let mut mark = |what, (time, position)| marks.push((what, time, position));
        let here = (state.time, position);
        let seat = state.seats.as_ref().and_then(|seats| seats[1]);
        match now.happening {
            Happening::Begin(_) if seat.is_none() => mark(Mark::Bounce, here),
            Happening::Begin(_) => mark(Mark::Settle, here),
            Happening::End(_) if last.is_some() => mark(Mark::LiftOff, here),
            _ => {}
        }
        let present = seat.map(|seat| (seat.places.map(|place| place.chart), seat.mode));
        // What is not told took effect where the last instant was shown: there a segment ended.
        if let (Some((charts, mode)), Some((old_charts, old_mode))) = (present, last) {
            if charts != old_charts {
                mark(Mark::Patch, shown);
            }
            if mode != old_mode {
                mark(if mode == Mode::Sliding { Mark::Slide } else { Mark::Roll }, shown);
            }
        }
        (last, shown) = (present, here);
        if now.happening == Happening::Step {
            let step = seat.is_some().then_some(state.time - time);
            time = state.time;
            points.push(Point { time, position, step });
        }
        Ok(())
    })?;
    let seconds = clock.elapsed().as_secs_f64();
    let after = Energy::of(model, run.state())?;
    let lost = after.total() - before.total();
    Ok(Throw { points, marks, seconds, energies: [before, after], lost })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bowl_bounces_settles_and_rolls_alike_whatever_the_steps() {
        let model = model().unwrap();
        let accurate = Settings { accuracy: Accuracy { relative: 1e-8, absolute: 1e-10 }, ..settings(1e-2) };
        let exact = throw(&model, accurate).unwrap();
        let count = |throw: &Throw, mark| throw.marks.iter().filter(|(what, ..)| *what == mark).count();
        for longest in [1e-3, 16e-3, 64e-3] {
            let found = throw(&model, settings(longest)).unwrap();
            for mark in [Mark::Bounce, Mark::Settle, Mark::LiftOff, Mark::Slide, Mark::Roll] {
                assert_eq!(count(&found, mark), count(&exact, mark), "{longest}: {mark:?}");
            }
            // Close to a border the point may go to and fro.
            let patches = count(&found, Mark::Patch).abs_diff(count(&exact, Mark::Patch));
            assert!(count(&found, Mark::Bounce) > 1 && count(&found, Mark::Patch) > 10 && patches < 5);
            let end = |throw: &Throw| throw.points.last().unwrap().position;
            let apart = (end(&found) - end(&exact)).norm();
            assert!(apart < 5e-3 && found.lost.abs() < 1e-4, "{longest}: {apart} {}", found.lost);
            let longest_step = found.points.iter().filter_map(|point| point.step).fold(0.0, f64::max);
            assert!(longest_step <= longest * (1.0 + 1e-9));
        }
        assert!(exact.lost.abs() < 1e-8, "{:e}", exact.lost);
    }
}
