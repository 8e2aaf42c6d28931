//! The closed forms against each other and against the equations of a ball.

use super::*;
use crate::rolling::reference::ball::{Ball, Ground};
use crate::rolling::reference::hull::Hull;
use crate::rolling::reference::on_plane::{Sliding, Solid};
use crate::rolling::reference::{GRAVITY, state_at, states_at, stepper, times};
use rattleback_dynamics::integrator::{AdvanceOutcome, Direction, Event, Stepper, advance};
use rattleback_geom::Mat3;
use rattleback_geom::nalgebra::UnitQuaternion;
use std::f64::consts::{FRAC_PI_2, TAU};

const UNIFORM: f64 = 0.4;

fn ball(ground: Ground) -> Ball {
    Ball { ground, radius: 0.03, share: UNIFORM, gravity: Vec3::new(0.0, 0.0, -GRAVITY) }
}

const BOWL: Bowl = Bowl { reach: 0.4, share: UNIFORM, gravity: GRAVITY };

#[test]
fn uniform_balls_give_the_fractions_of_the_textbooks() {
    assert!((incline(GRAVITY, 0.3, UNIFORM) - 5.0 / 7.0 * GRAVITY * 0.3_f64.sin()).abs() < 1e-14);
    assert!((incline_friction(0.3, UNIFORM) - 2.0 / 7.0 * 0.3_f64.tan()).abs() < 1e-15);
    let braking = 0.2 * GRAVITY;
    let (velocity, angular_velocity) = (Vec2::new(2.0, 0.0), Vec3::zeros());
    let slip = Slip { velocity, angular_velocity, radius: 0.03, share: UNIFORM, braking };
    assert!((slip.end() - 2.0 * 2.0 / (7.0 * braking)).abs() < 1e-15);
    assert!((slip.velocity_at(9.0) - Vec2::new(5.0 / 7.0 * 2.0, 0.0)).norm() < 1e-15);
    assert!((turntable_rate(7.0, UNIFORM) - 2.0).abs() < 1e-15);
}

#[test]
fn a_billiard_ball_with_side_spin_slides_along_a_parabola_and_rolls_on_straight() {
    let slip = Slip {
        velocity: Vec2::new(1.5, 0.2),
        angular_velocity: Vec3::new(-60.0, 25.0, 40.0),
        radius: 0.03,
        share: UNIFORM,
        braking: 0.2 * GRAVITY,
    };
    let inertia = Mat3::identity() * (UNIFORM * 0.03 * 0.03);
    let hull = Hull::Ellipsoid(Vec3::repeat(0.03));
    let gravity = Vec3::new(0.0, 0.0, -GRAVITY);
    let solid = Solid { hull, centre: Vec3::zeros(), mass: 1.0, inertia, gravity };
    let y = solid.sliding(&UnitQuaternion::identity(), &slip.angular_velocity, slip.velocity.into());
    let mut sliding = Sliding(solid, 0.2);
    for part in [0.3, 0.999] {
        let state = state_at(&mut sliding, &y, part * slip.end());
        let path = slip.path(part * slip.end());
        assert!((path - Vec2::new(state[7], state[8])).norm() < 1e-12);
        assert!((state[11] - (solid.energy(&y) - solid.energy(&state))).abs() < 1e-12);
    }
    // Beyond the end friction would turn round: the slip along its first direction passes zero.
    let first = slip.slip();
    let mut events = [Event::new(Direction::Falling, |_, y: &[f64]| Ok(solid.slip(y).xy().dot(&first)))];
    let mut stepper = stepper(&y);
    let outcome = advance(&mut stepper, &mut sliding, &mut events, 1.0, &mut |_| Ok(())).unwrap();
    let AdvanceOutcome::Event { time, .. } = outcome else { panic!("slip does not end") };
    assert!((time - slip.end()).abs() < 1e-9, "{time} {}", slip.end());
    let rolled = slip.path(slip.end() + 1.0) - slip.path(slip.end());
    assert!((rolled - Vec2::new(stepper.state()[9], stepper.state()[10])).norm() < 1e-8);
}

#[test]
fn a_ball_on_a_turntable_circles_at_two_sevenths_of_its_rate() {
    let rate = 3.0;
    let mut ball = ball(Ground::Plane { rate, shake: [0.0; 2] });
    let (x, v) = (Vec2::new(0.2, 0.1), Vec2::new(-0.3, 0.5));
    let y = ball.start(&Vec3::new(x.x, x.y, 0.03), &Vec3::new(v.x, v.y, 0.0), 1.0);
    let period = TAU / turntable_rate(rate, UNIFORM);
    assert!((Ball::centre(&state_at(&mut ball, &y, period)).xy() - x).norm() < 1e-11);
    for slope in [0.0, 0.05] {
        ball.gravity = Vec3::new(GRAVITY * slope, -0.2 * slope, -GRAVITY);
        let list = states_at(&mut ball, &y, &times(5, 4.0));
        for (state, t) in list.iter().zip(times(5, 4.0)) {
            let exact = turntable(rate, UNIFORM, &ball.gravity.xy(), [x, v], t);
            assert!((Ball::centre(state).xy() - exact).norm() < 1e-11);
        }
    }
}

#[test]
fn a_ball_on_a_shaken_table_takes_two_sevenths_of_its_motion_along() {
    let mut ball = ball(Ground::Plane { rate: 0.0, shake: [0.02, 9.0] });
    let y = ball.start(&Vec3::new(0.0, 0.0, 0.03), &Vec3::zeros(), 0.0);
    let x = Ball::centre(&state_at(&mut ball, &y, 1.3)).x;
    assert!((x - shaken(0.02, 9.0, UNIFORM, 1.3)).abs() < 1e-13);
    let after = |dt: f64| shaken(0.02, 9.0, UNIFORM, 1.3 + dt);
    let acceleration = (after(1e-4) - 2.0 * after(0.0) + after(-1e-4)) / 1e-8;
    assert!((acceleration + 2.0 / 7.0 * 0.02 * 81.0 * (9.0_f64 * 1.3).sin()).abs() < 1e-6);
}

#[test]
fn a_ball_swings_in_a_bowl_as_the_elliptic_integral_says() {
    let mut ball = ball(Ground::Sphere(-1.0));
    let greatest = 1.2_f64;
    let at = |angle: f64| Vec3::new(angle.sin(), 0.0, -angle.cos()) * BOWL.reach;
    let y = ball.start(&at(greatest), &Vec3::zeros(), 0.0);
    for angle in [0.9, 0.3] {
        let time = BOWL.fall(greatest, angle);
        let state = state_at(&mut ball, &y, time);
        assert!((Ball::centre(&state) - at(angle)).norm() < 1e-12);
        let speed = ball.velocity(time, &state).norm();
        assert!((speed - BOWL.reach * BOWL.rate(greatest, angle)).abs() < 1e-11);
        assert!((ball.pressure(time, &state) - BOWL.pressure(greatest, angle)).abs() < 1e-10);
    }
    let home = state_at(&mut ball, &y, BOWL.period(greatest));
    assert!((Ball::centre(&home) - at(greatest)).norm() < 1e-12);
    let small = TAU * ((7.0 / 5.0) * BOWL.reach / GRAVITY).sqrt();
    assert!((BOWL.period(1e-4) / small - 1.0).abs() < 1e-9);
}

#[test]
fn a_ball_with_the_right_spin_keeps_its_level_circle_in_a_bowl() {
    let mut ball = ball(Ground::Sphere(-1.0));
    for (angle, rate) in [(0.7_f64, 5.0), (1.3, 12.0), (FRAC_PI_2, 8.0)] {
        let x = Vec3::new(angle.sin(), 0.0, -angle.cos()) * BOWL.reach;
        let v = Vec3::new(0.0, rate * x.x, 0.0);
        // The equations of the ball have their normal towards its centre, the closed form towards the bowl.
        let twist = -BOWL.circle_spin(angle, rate) / ball.radius;
        let y = ball.start(&x, &v, twist);
        for state in states_at(&mut ball, &y, &times(4, 0.3)) {
            assert!((Ball::centre(&state).z - x.z).abs() < 1e-9, "{angle} {}", Ball::centre(&state).z - x.z);
        }
    }
    let free = (GRAVITY / (1.4 * BOWL.reach * 0.7_f64.cos())).sqrt();
    assert!(BOWL.circle_spin(0.7, free).abs() < 1e-14);
}

#[test]
fn a_ball_thrown_along_a_pipe_comes_up_again() {
    let mut ball = ball(Ground::Cylinder(-1.0));
    let (reach, rate, climb, twist) = (0.25, 11.0, 0.3, 6.0);
    let y = ball.start(&Vec3::new(reach, 0.0, 0.0), &Vec3::new(0.0, reach * rate, climb), -twist);
    let list = states_at(&mut ball, &y, &times(6, 3.0));
    for (state, t) in list.iter().zip(times(6, 3.0)) {
        let exact = in_cylinder(rate, UNIFORM, GRAVITY, [climb, twist * ball.radius], t);
        assert!((Ball::centre(state).z - exact).abs() < 1e-11, "{exact}");
    }
    let period = TAU / (rate * (2.0_f64 / 7.0).sqrt());
    assert!(in_cylinder(rate, UNIFORM, GRAVITY, [climb, 0.1], period).abs() < 1e-13);
}
