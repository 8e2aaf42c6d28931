//! Springs, ropes, winches and torsion springs at recorded instants: how long they are and how hard they pull.
//!
//! No sheet has them. Their laws take time and motions alone, which the states have, so that what acted then is
//! computed anew by the same law: with the wrench (f_A, τ_A, f_B, τ_B) of `dynamics/force`,
//!
//!   T = f_A·e,   e = d/L,   L̇ = e·ḋ        a line between two points, d from A to B
//!   T = −z_B·τ_B,   u = 2 atan2(z, w) − φ₀   a torsion spring about z of a frame on each body, u in (−π, π]
//!
//! | name | columns |
//! |---|---|
//! | `spring NUMBER`, `rope NUMBER`, `winch NUMBER` | `length_m`, `rate_m_per_s`, `tension_N`, `stored_J` |
//! | `torsion_spring NUMBER` | `angle_rad`, `torque_N_m`, `stored_J` |
//!
//! Numbers count from 1 among the forces of the same kind, in the order of the model.

use crate::error::Result;
use crate::folder::{Column, Columns, Kind, TimedRows};
use rattleback_dynamics::force::{End, Force, TorsionSpring};
use rattleback_dynamics::{BodyId, DynamicsError, Model, Motion};
use rattleback_geom::{Pose, Vec3};
use std::f64::consts::{PI, TAU};

const fn float(name: &'static str, unit: &'static str, meaning: &'static str) -> Column {
    Column { name, unit, kind: Kind::Float, optional: false, meaning }
}

const STORED: Column = float("stored_J", "J", "The energy that it stores.");
const LINE: &[Column] = &[
    float("length_m", "m", "The distance between its ends."),
    float("rate_m_per_s", "m/s", "The rate of the length; positive while the ends part."),
    float("tension_N", "N", "The force with which it pulls its ends together; negative where it pushes."),
    STORED,
];
const TORSION: &[Column] = &[
    float("angle_rad", "rad", "How far B is turned against A from where the spring is at rest."),
    float("torque_N_m", "N m", "The torque with which it turns B back; negative for the other sense."),
    STORED,
];
/// Numbers of a body in the states, from the mass centre on.
const STATE: [&str; 13] = [
    "x_m",
    "y_m",
    "z_m",
    "qw",
    "qx",
    "qy",
    "qz",
    "vx_m_per_s",
    "vy_m_per_s",
    "vz_m_per_s",
    "wx_rad_per_s",
    "wy_rad_per_s",
    "wz_rad_per_s",
];

/// A spring, a rope, a winch or a torsion spring of a model.
#[derive(Debug, Clone, PartialEq)]
pub struct Spring {
    /// What it is called among curves, such as `spring 1`.
    pub name: String,
    /// The bodies that it is between.
    pub bodies: [BodyId; 2],
    /// Their names.
    pub between: [String; 2],
    /// Its law, between bodies 0 and 1.
    law: Force,
}

impl Spring {
    /// Those of a model, in the order of its forces.
    pub fn all(model: &Model) -> Vec<Self> {
        let mut counts: Vec<(&str, usize)> = Vec::new();
        let mut springs = Vec::new();
        for force in model.forces() {
            let Some((kind, bodies)) = kind_of(force) else { continue };
            let number = match counts.iter_mut().find(|(own, _)| *own == kind) {
                Some((_, count)) => {
                    *count += 1;
                    *count
                }
                None => {
                    counts.push((kind, 1));
                    1
                }
            };
            springs.push(Self {
                name: format!("{kind} {number}"),
                bodies,
                between: bodies.map(|body| model.bodies()[body.0].name.clone()),
                law: between_two(force),
            });
        }
        springs
    }

    /// Its columns.
    pub fn columns(&self) -> &'static [Column] {
        if matches!(self.law, Force::TorsionSpring(_)) { TORSION } else { LINE }
    }

    /// The values of its columns where its bodies move so.
    pub fn values(&self, time: f64, motions: [Motion; 2]) -> Result<Vec<f64>> {
        let load = self.law.load(time, &motions, false)?;
        if let Force::TorsionSpring(spring) = &self.law {
            let axis = frame(&motions[1], &spring.b.pose) * Vec3::z();
            let torque = -axis.dot(&load.on(1)[1]);
            return Ok(vec![angle(spring, &motions), torque, load.stored]);
        }
        let [a, b] = self.ends().map(|end| (motions[end.body.0], end.point));
        let arms = [a, b].map(|(motion, point)| motion.pose.vector_to_world(&point));
        let apart = (b.0.pose.position - a.0.pose.position) + (arms[1] - arms[0]);
        let length = apart.norm();
        // Without a direction no force acts.
        let direction = apart.try_normalize(0.0).unwrap_or_else(Vec3::zeros);
        let rate = direction.dot(&(b.0.twist().at(&arms[1]) - a.0.twist().at(&arms[0])));
        Ok(vec![length, rate, direction.dot(&load.on(0)[0]), load.stored])
    }

    /// The points between which it is a straight line.
    fn ends(&self) -> [End; 2] {
        match &self.law {
            Force::SpringDamper(spring) => [spring.a, spring.b],
            Force::Winch(winch) => [winch.a, winch.b],
            _ => [0, 1].map(|body| End { body: BodyId(body), point: Vec3::zeros() }),
        }
    }

    /// The values of a column over time, from the states of a run.
    pub(super) fn series(&self, column: usize, states: &Columns) -> Result<Vec<[f64; 2]>> {
        let of = |body: &str| STATE.map(|name| states.series("body", body, name));
        let [a, b] = self.between.each_ref().map(|body| of(body));
        let [a, b] = [whole(a)?, whole(b)?];
        let instants = a.first().map_or(0, Vec::len);
        let motion = |of: &[Vec<[f64; 2]>], k: usize| motion(std::array::from_fn(|i| of[i][k][1]));
        (0..instants)
            .map(|k| {
                let time = a[0][k][0];
                Ok([time, self.values(time, [motion(&a, k)?, motion(&b, k)?])?[column]])
            })
            .collect()
    }

    /// The value of a column at an instant, from rows of the states that have come no further; they go on to the next
    /// instant. NaN where the instant has not both bodies.
    pub(super) fn value_at(&self, column: usize, time: f64, rows: &mut TimedRows) -> Result<f64> {
        while rows.time().is_some_and(|own| own < time) {
            rows.skip_instant()?;
        }
        let mut found = [None, None];
        while rows.time() == Some(time) {
            for (found, name) in found.iter_mut().zip(&self.between) {
                if rows.cell(1) == name {
                    *found = Some(motion_of(rows)?);
                }
            }
            rows.advance()?;
        }
        let [Some(a), Some(b)] = found else { return Ok(f64::NAN) };
        Ok(self.values(time, [a, b])?[column])
    }
}

/// How a body moves by the row of the states that is read.
pub fn motion_of(rows: &TimedRows) -> Result<Motion> {
    let mut numbers = [0.0; 13];
    for (k, number) in numbers.iter_mut().enumerate() {
        *number = rows.number(2 + k)?;
    }
    motion(numbers)
}

fn motion(numbers: [f64; 13]) -> Result<Motion> {
    let [x, y, z, w, i, j, k, vx, vy, vz, wx, wy, wz] = numbers;
    let pose = Pose::from_parts([x, y, z], [w, i, j, k]).map_err(DynamicsError::from)?;
    Ok(Motion { pose, velocity: Vec3::new(vx, vy, vz), angular_velocity_body: Vec3::new(wx, wy, wz) })
}

/// All of the columns, or the first error.
fn whole(columns: [Result<Vec<[f64; 2]>>; 13]) -> Result<Vec<Vec<[f64; 2]>>> {
    columns.into_iter().collect()
}

/// What a force is called, and its bodies; none for those that are no springs.
fn kind_of(force: &Force) -> Option<(&'static str, [BodyId; 2])> {
    match force {
        Force::SpringDamper(spring) => {
            Some((if spring.never_pushes { "rope" } else { "spring" }, [spring.a.body, spring.b.body]))
        }
        Force::Winch(winch) => Some(("winch", [winch.a.body, winch.b.body])),
        Force::TorsionSpring(spring) => Some(("torsion_spring", [spring.a.body, spring.b.body])),
        Force::Constant(_) | Force::Table(_) | Force::Formula(_) | Force::Windlass(_) => None,
    }
}

/// The same force between bodies 0 and 1.
fn between_two(force: &Force) -> Force {
    let mut own = force.clone();
    match &mut own {
        Force::SpringDamper(spring) => [spring.a.body, spring.b.body] = [BodyId(0), BodyId(1)],
        Force::Winch(winch) => [winch.a.body, winch.b.body] = [BodyId(0), BodyId(1)],
        Force::TorsionSpring(spring) => [spring.a.body, spring.b.body] = [BodyId(0), BodyId(1)],
        Force::Constant(_) | Force::Table(_) | Force::Formula(_) | Force::Windlass(_) => {}
    }
    own
}

/// The axes of a frame on a body in the world's.
fn frame(motion: &Motion, pose: &Pose) -> rattleback_geom::nalgebra::UnitQuaternion<f64> {
    motion.pose.orientation * pose.orientation
}

/// How far a torsion spring is turned from where it is at rest, in (−π, π].
fn angle(spring: &TorsionSpring, motions: &[Motion; 2]) -> f64 {
    let relative = frame(&motions[0], &spring.a.pose).inverse() * frame(&motions[1], &spring.b.pose);
    let far = 2.0 * relative.k.atan2(relative.w) - spring.angle;
    let near = far - TAU * (far / TAU).round();
    if near <= -PI { near + TAU } else { near }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rattleback_dynamics::force::SpringDamper;

    fn line(law: SpringDamper) -> Spring {
        let name = "spring 1".to_owned();
        let between = ["a".to_owned(), "b".to_owned()];
        Spring { name, bodies: [BodyId(0), BodyId(1)], between, law: Force::SpringDamper(law) }
    }

    fn end(body: usize, point: [f64; 3]) -> End {
        End { body: BodyId(body), point: point.into() }
    }

    #[test]
    fn a_spring_with_a_damper_tells_its_length_rate_and_tension() {
        // Between the origin and the end of an arm of 3 m along x, which turns about z at 2 rad/s, 4 m above it: the
        // length is 5 m; its end moves along y, across the line, while the arm's mass centre moves along z at 1 m/s.
        let law = SpringDamper {
            a: end(0, [0.0; 3]),
            b: end(1, [3.0, 0.0, 0.0]),
            length: 4.0,
            stiffness: 10.0,
            damping: 5.0,
            never_pushes: false,
        };
        let at_rest = Motion::at_rest(Pose::default());
        let arm = Motion::at_rest(Pose::from_position(0.0, 0.0, 4.0))
            .with_velocity([0.0, 0.0, 1.0])
            .with_angular_velocity_body([0.0, 0.0, 2.0]);
        let told = line(law).values(0.0, [at_rest, arm]).unwrap();
        // L̇ = 4/5 · 1 m/s, T = 10 · 1 + 5 · 0.8.
        for (found, expected) in told.iter().zip([5.0, 0.8, 14.0, 5.0]) {
            assert!((found - expected).abs() < 1e-12, "{told:?}");
        }
        // A rope of 6 m is slack.
        let slack = SpringDamper { length: 6.0, never_pushes: true, ..law };
        assert_eq!(line(slack).values(0.0, [at_rest, arm]).unwrap()[2..], [0.0, 0.0]);
        // Where both ends coincide no force has a direction.
        let none =
            line(law).values(0.0, [at_rest, Motion::at_rest(Pose::from_position(-3.0, 0.0, 0.0))]).unwrap();
        assert_eq!(none[..3], [0.0; 3]);
    }

    #[test]
    fn a_torsion_spring_tells_its_angle_and_torque() {
        use rattleback_dynamics::joint::JointFrame;
        let frame = |body: usize| JointFrame { body: BodyId(body), pose: Pose::default() };
        let law = TorsionSpring { a: frame(0), b: frame(1), angle: 0.25, stiffness: 3.0, damping: 2.0 };
        let spring = Spring { law: Force::TorsionSpring(law), ..line_of_nothing() };
        for turn in [0.75f64, -0.6, 3.0, -3.0] {
            let pose =
                Pose::from_parts([0.0; 3], [(0.5 * turn).cos(), 0.0, 0.0, (0.5 * turn).sin()]).unwrap();
            let turning = Motion::at_rest(pose).with_angular_velocity_body([0.0, 0.0, 0.4]);
            let told = spring.values(0.0, [Motion::at_rest(Pose::default()), turning]).unwrap();
            let angle = if turn - 0.25 <= -PI { turn - 0.25 + TAU } else { turn - 0.25 };
            for (found, expected) in told.iter().zip([angle, 3.0 * angle + 0.8, 1.5 * angle * angle]) {
                assert!((found - expected).abs() < 1e-12, "{turn}: {told:?}");
            }
        }
    }

    fn line_of_nothing() -> Spring {
        line(SpringDamper {
            a: end(0, [0.0; 3]),
            b: end(1, [0.0; 3]),
            length: 0.0,
            stiffness: 0.0,
            damping: 0.0,
            never_pushes: false,
        })
    }
}
