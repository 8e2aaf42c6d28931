//! Applied forces: tangents against differences of poses and twists in every regime, energy accounted for, bad input
//! refused by name.

mod bad_input;
mod regimes;
mod windlass;

use rattleback_dynamics::force::{End, Force, SpringDamper, TorsionSpring, Winch};
use rattleback_dynamics::joint::JointFrame;
use rattleback_dynamics::{BodyId, Load, Motion};
use rattleback_geom::nalgebra::{SVector, UnitQuaternion};
use rattleback_geom::{Pose, Vec3};

const A: BodyId = BodyId(0);
const B: BodyId = BodyId(1);

/// A derivative at zero by differences of sixth order.
fn slope<const N: usize>(h: f64, f: impl Fn(f64) -> SVector<f64, N>) -> SVector<f64, N> {
    let delta = |k: f64| f(k * h) - f(-k * h);
    (delta(1.0) * 45.0 - delta(2.0) * 9.0 + delta(3.0)) / (60.0 * h)
}

/// Moved by a small displacement and a small rotation in world axes, with the twist in world axes kept.
fn moved(motion: &Motion, shift: Vec3, turn: Vec3) -> Motion {
    let angular_velocity = motion.twist().angular_velocity;
    let pose = Pose {
        position: motion.pose.position + shift,
        orientation: UnitQuaternion::from_scaled_axis(turn) * motion.pose.orientation,
    };
    Motion { pose, angular_velocity_body: pose.vector_to_local(&angular_velocity), ..*motion }
}

/// With a change of the twist in world axes.
fn pushed(motion: &Motion, velocity: Vec3, angular_velocity: Vec3) -> Motion {
    let angular_velocity = motion.angular_velocity_body + motion.pose.vector_to_local(&angular_velocity);
    Motion { velocity: motion.velocity + velocity, angular_velocity_body: angular_velocity, ..*motion }
}

/// Two bodies in general position and motion, their ends apart by a line of length `length` that grows by `rate`.
fn motions(ends: [&End; 2], length: f64, rate: f64) -> Vec<Motion> {
    let a = Motion {
        pose: Pose::from_position(0.3, -0.2, 0.5).rotated(Vec3::new(1.0, 2.0, -0.5), 0.8).unwrap(),
        velocity: Vec3::new(0.4, -0.3, 0.2),
        angular_velocity_body: Vec3::new(0.7, -1.1, 0.4),
    };
    let mut b = Motion {
        pose: Pose::identity().rotated(Vec3::new(-1.0, 0.5, 2.0), 2.1).unwrap(),
        velocity: Vec3::zeros(),
        angular_velocity_body: Vec3::new(-0.2, 0.9, 0.5),
    };
    let direction = Vec3::new(2.0, -1.0, 2.0) / 3.0;
    let far = a.pose.point_to_world(&ends[0].point) + direction * length;
    b.pose.position = far - b.pose.vector_to_world(&ends[1].point);
    let from = a.twist().at(&a.pose.vector_to_world(&ends[0].point));
    let turning = b.twist().at(&b.pose.vector_to_world(&ends[1].point));
    let across = Vec3::new(1.0, 2.0, 0.0) * 0.2;
    b.velocity = from + direction * rate + across - turning;
    vec![a, b]
}

/// A load at a time, with its derivatives or without.
type Loading<'a> = &'a dyn Fn(f64, &[Motion], bool) -> Load;

fn check_tangents(name: &str, force: &Force, time: f64, motions: &[Motion]) {
    check_tangents_of(
        name,
        &|time, motions, tangent| force.load(time, motions, tangent).unwrap(),
        time,
        motions,
    );
}

fn check_power(name: &str, force: &Force, time: f64, motions: &[Motion]) {
    check_power_of(
        name,
        &|time, motions, tangent| force.load(time, motions, tangent).unwrap(),
        time,
        motions,
    );
}

/// Both tangents against differences.
fn check_tangents_of(name: &str, loading: Loading<'_>, time: f64, motions: &[Motion]) {
    let load = loading(time, motions, true);
    let tangent = load.tangent.unwrap();
    assert!(tangent.by_pose.iter().chain(tangent.by_twist.iter()).all(|x| x.is_finite()), "{name}");
    let bodies = load.bodies;
    let scale = tangent.by_pose.amax().max(tangent.by_twist.amax()).max(1e-3);
    for column in 0..12 {
        let Some(body) = bodies[column / 6] else {
            assert!(tangent.by_pose.column(column).amax() == 0.0);
            continue;
        };
        let mut unit = Vec3::zeros();
        unit[column % 3] = 1.0;
        let (linear, angular) = if column % 6 < 3 { (unit, Vec3::zeros()) } else { (Vec3::zeros(), unit) };
        let by = |change: fn(&Motion, Vec3, Vec3) -> Motion| {
            slope(1e-3, |s| {
                let mut there = motions.to_vec();
                there[body.0] = change(&motions[body.0], linear * s, angular * s);
                loading(time, &there, false).wrench
            })
        };
        // h⁶ of seventh derivatives is below 1e-13 where lengths are of order one; rounding leaves 1e-16/1e-3.
        let (pose, twist) = (by(moved), by(pushed));
        let error = (pose - tangent.by_pose.column(column)).amax();
        assert!(error < 1e-9 * scale, "{name}, pose {column}: {error:e} of {scale}");
        let error = (twist - tangent.by_twist.column(column)).amax();
        assert!(error < 1e-9 * scale, "{name}, twist {column}: {error:e} of {scale}");
    }
}

/// Power = −U̇ − dissipated, with U̇ along a motion of constant twists.
fn check_power_of(name: &str, loading: Loading<'_>, time: f64, motions: &[Motion]) {
    let load = loading(time, motions, false);
    let mut power = 0.0;
    for (side, body) in load.bodies.iter().enumerate() {
        let Some(body) = body else { continue };
        let (twist, [f, t]) = (motions[body.0].twist(), load.on(side));
        power += f.dot(&twist.velocity) + t.dot(&twist.angular_velocity);
    }
    let stored = slope(1e-3, |s| {
        let go = |motion: &Motion| moved(motion, motion.velocity * s, motion.twist().angular_velocity * s);
        let there: Vec<Motion> = motions.iter().map(go).collect();
        SVector::<f64, 1>::new(loading(time + s, &there, false).stored)
    })[0];
    let scale = power.abs() + stored.abs() + load.stored.abs() + 1e-3;
    assert!((power + stored + load.dissipated).abs() < 1e-9 * scale, "{name}: {power} {stored} {load:?}");
}

fn ends() -> [End; 2] {
    [End { body: A, point: Vec3::new(0.1, 0.3, -0.2) }, End { body: B, point: Vec3::new(-0.2, 0.15, 0.25) }]
}

fn spring(never_pushes: bool) -> SpringDamper {
    let [a, b] = ends();
    SpringDamper { a, b, length: 0.8, stiffness: 30.0, damping: 4.0, never_pushes }
}

fn torsion() -> TorsionSpring {
    let pose = Pose::from_position(0.1, 0.0, 0.2);
    TorsionSpring {
        a: JointFrame { body: A, pose: pose.rotated(Vec3::new(1.0, 0.2, 0.3), 0.7).unwrap() },
        b: JointFrame { body: B, pose: pose.rotated(Vec3::new(-0.3, 1.0, 0.0), 1.9).unwrap() },
        angle: 0.3,
        stiffness: 5.0,
        damping: 0.8,
    }
}

fn winch() -> Winch {
    let [a, b] = ends();
    Winch {
        a,
        b,
        length: 1.5,
        speed: Winch::ramp(1.0, 2.0, 0.2).unwrap(),
        shortest: 0.4,
        rigidity: 100.0,
        damping: 3.0,
        limit: 20.0,
        shoulder: 0.25,
    }
}
