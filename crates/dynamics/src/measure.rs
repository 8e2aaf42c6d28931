//! What a whole mechanism has: energy and momentum, summed over the bodies that forces move.
//!
//! T = Σ (½m v·v + ½ω·Iω),   V = −Σ m g·x,   p = Σ m v,   L = Σ (x × mv + R Iω)
//!
//! | symbol | function | unit |
//! |---|---|---|
//! | T | `kinetic_energy` | J |
//! | V | `gravitational_energy`, zero for a mass at the world's origin | J |
//! | p, L | `momentum`: linear, and angular about the world's origin | kg m/s, kg m²/s |
//! | – | `stored_energy`: potentials behind the applied forces | J |
//!
//! Fixed and prescribed bodies are left out: whatever holds or drives them supplies and takes what their motion asks
//! for, and they need no mass. Sums run in the order of declaration. All ask for one motion per body.

use crate::body::{Momentum, Motion};
use crate::error::{DynamicsError, Result};
use crate::force;
use crate::model::{BodyModel, Model};
use crate::state::State;
use rattleback_geom::Vec3;

/// Refuses all but one motion per body: sums over a part of a mechanism would look like sums over all of it.
fn check(model: &Model, motions: &[Motion]) -> Result<()> {
    let (found, expected) = (motions.len(), model.bodies().len());
    if found == expected {
        Ok(())
    } else {
        Err(DynamicsError::Dimension { field: "motions", found, expected })
    }
}

/// The free bodies with their motions.
fn free<'a>(
    model: &'a Model,
    motions: &'a [Motion],
) -> Result<impl Iterator<Item = (&'a BodyModel, &'a Motion)>> {
    check(model, motions)?;
    Ok(model.bodies().iter().zip(motions).filter(|(body, _)| body.is_free()))
}

/// Kinetic energy of the free bodies in J.
pub fn kinetic_energy(model: &Model, motions: &[Motion]) -> Result<f64> {
    Ok(free(model, motions)?.map(|(body, motion)| body.body.kinetic_energy(motion)).sum())
}

/// Potential energy of the free bodies under the model's gravity in J.
pub fn gravitational_energy(model: &Model, motions: &[Motion]) -> Result<f64> {
    let gravity = model.gravity();
    let of = |(body, motion): (&BodyModel, &Motion)| -body.body.mass * gravity.dot(&motion.pose.position);
    Ok(free(model, motions)?.map(of).sum())
}

/// The potential energy behind the model's applied forces in J.
pub fn stored_energy(model: &Model, state: &State) -> Result<f64> {
    check(model, &state.motions)?;
    let mut sum = 0.0;
    for load in force::loads(model.forces(), &state.windlasses, state.time, &state.motions, false) {
        sum += load?.stored;
    }
    Ok(sum)
}

/// Momentum of the free bodies: linear, and angular about the world's origin.
pub fn momentum(model: &Model, motions: &[Motion]) -> Result<Momentum> {
    let none = Momentum { linear: Vec3::zeros(), angular: Vec3::zeros() };
    Ok(free(model, motions)?.fold(none, |sum, (body, motion)| {
        let own = body.body.momentum(motion);
        Momentum { linear: sum.linear + own.linear, angular: sum.angular + own.angular }
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Body;
    use crate::force::{Axes, Constant, Force};
    use rattleback_geom::{Mat3, Pose};

    /// A ball and a box that move, and a floor whose motion does not count.
    fn mechanism() -> (Model, Vec<Motion>) {
        let mut builder = Model::builder();
        builder.gravity(Vec3::new(0.0, 0.0, -9.81));
        let ball = Body { mass: 2.0, inertia: Mat3::from_diagonal_element(0.5) };
        let board = Body { mass: 3.0, inertia: Mat3::from_diagonal(&Vec3::new(1.0, 2.0, 2.5)) };
        let ball = builder.body(BodyModel::free("ball", ball));
        builder.body(BodyModel::fixed("floor"));
        builder.body(BodyModel::free("board", board));
        builder.force(Force::Constant(Constant {
            body: ball,
            point: Vec3::zeros(),
            force: Vec3::new(0.0, 4.0, 0.0),
            torque: Vec3::zeros(),
            axes: Axes::World,
        }));
        // A third of a turn about (1, 1, 1): x to y to z to x.
        let turned = Pose::from_parts([-1.0, 2.0, 0.0], [0.5, 0.5, 0.5, 0.5]).unwrap();
        let still = Motion::at_rest(Pose::identity());
        let motions = vec![
            Motion {
                pose: Pose::from_position(0.0, 3.0, 1.0),
                velocity: Vec3::new(1.0, 0.0, 0.0),
                angular_velocity_body: Vec3::new(0.0, 0.0, 4.0),
            },
            Motion { velocity: Vec3::new(7.0, 7.0, 7.0), ..still },
            Motion {
                pose: turned,
                velocity: Vec3::new(0.0, 2.0, 0.0),
                angular_velocity_body: Vec3::new(0.0, 3.0, 0.0),
            },
        ];
        (builder.build().unwrap(), motions)
    }

    #[test]
    fn sums_over_the_free_bodies_take_their_closed_forms() {
        let (model, motions) = mechanism();
        // All numbers are small dyadic ones, but for g.
        assert_eq!(kinetic_energy(&model, &motions).unwrap(), (1.0 + 4.0) + (6.0 + 9.0));
        assert_eq!(gravitational_energy(&model, &motions).unwrap(), 2.0 * 9.81);
        assert_eq!(stored_energy(&model, &State::new(motions.clone())).unwrap(), -12.0);
        let found = momentum(&model, &motions).unwrap();
        assert_eq!(found.linear, Vec3::new(2.0, 6.0, 0.0));
        // (0, 3, 1) × (2, 0, 0) + (0, 0, 2), and (−1, 2, 0) × (0, 6, 0) + (0, 0, 6).
        assert_eq!(found.angular, Vec3::new(0.0, 2.0, -6.0 + 2.0 - 6.0 + 6.0));
    }

    #[test]
    fn angular_momentum_changes_with_the_origin_by_the_moment_of_the_linear_one() {
        let (model, mut motions) = mechanism();
        let before = momentum(&model, &motions).unwrap();
        let shift = Vec3::new(0.5, -2.0, 4.0);
        for motion in &mut motions {
            motion.pose.position += shift;
        }
        let after = momentum(&model, &motions).unwrap();
        assert_eq!(after.linear, before.linear);
        assert_eq!(after.angular, before.angular + shift.cross(&before.linear));
    }

    #[test]
    fn a_motion_too_few_or_too_many_is_refused() {
        let (model, mut motions) = mechanism();
        let refused = |found: usize| DynamicsError::Dimension { field: "motions", found, expected: 3 };
        assert_eq!(kinetic_energy(&model, &motions[..2]), Err(refused(2)));
        assert_eq!(gravitational_energy(&model, &[]), Err(refused(0)));
        motions.push(motions[0]);
        assert_eq!(momentum(&model, &motions), Err(refused(4)));
        assert_eq!(stored_energy(&model, &State::new(motions)), Err(refused(4)));
    }
}
