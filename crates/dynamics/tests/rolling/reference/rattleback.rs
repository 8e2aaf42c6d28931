//! The rattleback of the literature: an ellipsoid whose inertia is turned against its axes, spun about the vertical.
//!
//! | datum | value |
//! |---|---|
//! | semi-axes along x, y, z | 0.20, 0.03, 0.02 m |
//! | mass, mass centre | 1 kg, 0.01 m below the ellipsoid's centre |
//! | inertia about the mass centre | Ixx = 2e-4, Iyy = 16e-4, Izz = 17e-4 kg m² |
//! | its entry Ixy | −2e-5 kg m²: the entry of the tensor, which is −∫xy dm |
//! | start | turned by half a degree about the short axis y, one end of the long axis up; ω = 5 rad/s vertical |
//!
//! The numbers are those of T. R. Kane and D. A. Levinson, Realistic mathematical modeling of the rattleback, Int. J.
//! Non-Linear Mech. 17 (1982) 175–186, without their damping. What they leave open was tried:
//!
//! - The sign of Ixy says which way is the wrong one: with the entry −2e-5 it is clockwise from above, ω < 0; the other
//!   sign is the mirror image.
//! - The tilt says how soon it reverses. A stone that pitches about y at once, the motion that takes up the spin,
//!   reverses after 2.8 s, also if it is tilted about the long axis as well. Tilted about the long axis alone it takes
//!   twice as long.
//! - A spin about the body's z axis in place of the vertical moves the reversal by half a millisecond; by a tenth of a
//!   second if the stone is tilted about both axes.
//! - Without friction losses nothing is for ever: spun the right way it turns back as well, after 11.6 s.

use super::hull::Hull;
use super::on_plane::{Rolling, Solid, angular_velocity, orientation};
use super::{GRAVITY, states_at, stepper};
use rattleback_dynamics::integrator::{AdvanceOutcome, Direction, Event, Stepper, advance};
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::{Mat3, Vec3};

/// The tensor's entry Ixy, in kg m².
pub const PRODUCT: f64 = -2e-5;

/// Half a degree about y.
pub fn tilt() -> Vec3 {
    Vec3::new(0.0, 0.5_f64.to_radians(), 0.0)
}

/// The stone, with the entry Ixy of its inertia.
pub fn stone(product: f64) -> Rolling {
    let inertia = Mat3::new(2e-4, product, 0.0, product, 16e-4, 0.0, 0.0, 0.0, 17e-4);
    Rolling(Solid {
        hull: Hull::Ellipsoid(Vec3::new(0.2, 0.03, 0.02)),
        centre: Vec3::new(0.0, 0.0, 0.01),
        mass: 1.0,
        inertia,
        gravity: Vec3::new(0.0, 0.0, -GRAVITY),
    })
}

/// The start: turned by the vector `tilt`, with an angular velocity about the vertical in rad/s.
pub fn start(stone: &Rolling, tilt: &Vec3, rate: f64) -> Vec<f64> {
    let turn = UnitQuaternion::from_scaled_axis(*tilt);
    stone.0.rolling(&turn, &turn.inverse_transform_vector(&Vec3::new(0.0, 0.0, rate)))
}

/// ω about the vertical, in rad/s.
pub fn vertical_spin(y: &[f64]) -> f64 {
    (orientation(y) * angular_velocity(y)).z
}

/// The table of spin against time for a start at `rate`, at rising times in s.
pub fn spins(rate: f64, times: &[f64]) -> Vec<f64> {
    let mut stone = stone(PRODUCT);
    let y = start(&stone, &tilt(), rate);
    states_at(&mut stone, &y, times).iter().map(|y| vertical_spin(y)).collect()
}

/// When the spin about the vertical first changes its sign, if it does within `end` seconds.
pub fn reversal(stone: &mut Rolling, y: &[f64], end: f64) -> Option<f64> {
    let mut stepper = stepper(y);
    let mut events = [Event::new(Direction::Both, |_, y: &[f64]| Ok(vertical_spin(y)))];
    match advance(&mut stepper, stone, &mut events, end, &mut |_| Ok(())).unwrap() {
        AdvanceOutcome::Event { time, .. } => Some(time),
        AdvanceOutcome::Reached => None,
    }
}

/// The least normal force in N and the greatest share of friction in it along a motion of `end` seconds.
pub fn forces(stone: &mut Rolling, y: &[f64], end: f64) -> (f64, f64) {
    let (mut least, mut greatest) = (f64::INFINITY, 0.0_f64);
    let mut stepper = stepper(y);
    while stepper.time() != end {
        stepper.step(stone, end).unwrap();
        let force = stone.force(stepper.state());
        (least, greatest) = (least.min(force.z), greatest.max(force.xy().norm() / force.z));
    }
    (least, greatest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rolling::reference::times;

    #[test]
    fn spun_the_wrong_way_it_turns_back_within_three_seconds_and_the_other_way_it_goes_on() {
        let mut stone = stone(PRODUCT);
        let wrong = start(&stone, &tilt(), -5.0);
        let time = reversal(&mut stone, &wrong, 10.0).unwrap();
        assert!((time - 2.763).abs() < 1e-3, "{time}");
        let right = start(&stone, &tilt(), 5.0);
        let late = reversal(&mut stone, &right, 20.0).unwrap();
        assert!((late - 11.554).abs() < 1e-3, "{late}");
        let table = spins(-5.0, &times(24, 6.0));
        assert!(table[0] < -4.0 && *table.last().unwrap() > 5.0, "{table:?}");
        assert!(spins(5.0, &times(20, 5.0)).iter().all(|angular_velocity| *angular_velocity > 4.0));
    }

    #[test]
    fn the_other_sign_of_the_product_of_inertia_is_the_mirror_image() {
        let mut mirrored = stone(-PRODUCT);
        // A mirror turns vectors such as tilt and spin the other way, but for their component across it.
        let y = start(&mirrored, &tilt(), 5.0);
        let list = states_at(&mut mirrored, &y, &times(8, 2.0));
        for (found, expected) in list.iter().zip(spins(-5.0, &times(8, 2.0))) {
            assert!((vertical_spin(found) + expected).abs() < 1e-8);
        }
    }

    #[test]
    fn tilted_about_its_long_axis_alone_it_takes_more_than_five_seconds() {
        let mut stone = stone(PRODUCT);
        let along = Vec3::new(0.5_f64.to_radians(), 0.0, 0.0);
        let rolling = start(&stone, &along, -5.0);
        let late = reversal(&mut stone, &rolling, 10.0).unwrap();
        assert!(late > 5.0, "{late}");
        let both = start(&stone, &(along + tilt()), -5.0);
        let soon = reversal(&mut stone, &both, 10.0).unwrap();
        assert!(soon < 3.0, "{soon}");
    }

    #[test]
    fn it_keeps_its_energy_and_stays_on_the_table() {
        for rate in [-5.0, 5.0] {
            let mut stone = stone(PRODUCT);
            let y = start(&stone, &tilt(), rate);
            let energy = stone.0.energy(&y);
            for state in states_at(&mut stone, &y, &times(20, 10.0)) {
                assert!((stone.0.energy(&state) / energy - 1.0).abs() < 1e-11);
            }
            let (least, share) = forces(&mut stone, &y, 10.0);
            assert!(least > 0.5 && share < 1.2, "{least} {share}");
        }
    }
}
