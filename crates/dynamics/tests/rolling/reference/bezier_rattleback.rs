//! The stone of one patch as a paraboloid whose axes are the body's, with its inertia turned the other way.

use super::hull::Hull;
use super::on_plane::{Rolling, Solid};
use super::patch_stone as stone;
use rattleback_dynamics::Motion;
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::{Mat3, Vec3};

/// From the axes of the paraboloid to those of inertia.
fn turn() -> UnitQuaternion<f64> {
    UnitQuaternion::from_axis_angle(&Vec3::z_axis(), stone::TURN.to_radians())
}

/// The stone.
pub fn rolling() -> Rolling {
    let axes = turn().inverse().to_rotation_matrix();
    Rolling(Solid {
        hull: Hull::Paraboloid(stone::radii()),
        centre: Vec3::new(0.0, 0.0, -stone::HEIGHT),
        mass: stone::MASS,
        inertia: axes * Mat3::from_diagonal(&stone::INERTIA.into()) * axes.inverse(),
        gravity: Vec3::new(0.0, 0.0, -stone::GRAVITY),
    })
}

/// The state of a motion of the stone as [`stone::start`] gives it.
pub fn state(motion: &Motion) -> Vec<f64> {
    let turn = turn();
    let angular_velocity = turn.inverse_transform_vector(&motion.angular_velocity_body);
    let mut y = rolling().0.rolling(&(motion.pose.orientation * turn), &angular_velocity);
    (y[7], y[8]) = (motion.pose.position.x, motion.pose.position.y);
    y
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rolling::reference::on_plane::orientation;
    use crate::rolling::reference::rattleback::{forces, reversal, vertical_spin};
    use crate::rolling::reference::{states_at, times};

    #[test]
    fn it_turns_back_after_eight_seconds_and_goes_on_the_other_way() {
        let mut stone = rolling();
        let time = reversal(&mut stone, &state(&stone::start(stone::SPIN)), 20.0).unwrap();
        assert!((time - 8.0).abs() < 1.0, "{time}");
        assert_eq!(reversal(&mut stone, &state(&stone::start(-stone::SPIN)), 20.0), None);
    }

    #[test]
    fn its_start_is_the_same_in_both_descriptions() {
        let motion = stone::start(stone::SPIN);
        let (stone, y) = (rolling().0, state(&motion));
        assert!((stone.mass_centre(&y) - motion.pose.position).norm() < 1e-15);
        assert!((stone.velocity(&y) - motion.velocity).norm() < 1e-15);
        assert!(stone.contact(&y).norm() < 1e-15);
        assert!((vertical_spin(&y) - stone::SPIN).abs() < 1e-15);
    }

    #[test]
    fn it_keeps_its_energy_and_stays_on_its_patch() {
        let (mut rolling, y) = (rolling(), state(&stone::start(stone::SPIN)));
        let energy = rolling.0.energy(&y);
        for state in states_at(&mut rolling, &y, &times(300, 15.0)) {
            assert!((rolling.0.energy(&state) - energy).abs() < 1e-11);
            let normal = orientation(&state).inverse_transform_vector(&Vec3::z());
            let place = rolling.0.hull.lowest(&normal, &Vec3::zeros()).0;
            assert!(place.x.abs() < 0.12 && place.y.abs() < 0.02, "{place}");
        }
        let (least, friction) = forces(&mut rolling, &y, 15.0);
        assert!(least > 5.0 && friction < 0.2, "{least} {friction}");
    }
}
