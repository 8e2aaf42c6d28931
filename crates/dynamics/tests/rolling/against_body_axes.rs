//! Trajectories held to the formulation in body axes.

use super::engine::{ROUGH, apart, law, mode, of_solid, of_state, run};
use super::reference::disc::Revolution;
use super::reference::hull::Hull;
use super::reference::on_plane::{Rolling, Sliding, Solid, orientation};
use super::reference::{GRAVITY, bezier_rattleback, patch_stone, rattleback, states_at, times};
use rattleback_dynamics::integrator::Equations;
use rattleback_dynamics::rolling::Mode;
use rattleback_dynamics::{Energy, RunEvent};
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::{Mat3, Vec3};

/// Runs both and returns the greatest distance of their trajectories and the greatest loss of energy, relative.
fn follow(
    solid: &Solid,
    equations: &mut dyn Equations,
    friction: f64,
    y: &[f64],
    end: f64,
    kept: Mode,
) -> [f64; 2] {
    let model = of_solid(solid, law(friction, 0.5));
    let mut run = run(&model, of_state(solid, y));
    let before = Energy::of(&model, run.state()).unwrap().total();
    let list = times(20, end);
    let mut worst = [0.0f64; 2];
    for (t, expected) in list.iter().zip(states_at(equations, y, &list)) {
        run.advance(*t, &mut |_| Ok(())).unwrap();
        assert_eq!(mode(&run), Some(kept), "t = {t}");
        let found = &run.state().motions[1];
        worst[0] = worst[0].max(apart(found, &solid.mass_centre(&expected), &orientation(&expected)));
        let energy = Energy::of(&model, run.state()).unwrap().total();
        worst[1] = worst[1].max((energy / before - 1.0).abs());
    }
    worst
}

#[test]
fn the_rattleback_moves_as_it_does_in_body_axes_and_keeps_its_energy() {
    for rate in [-5.0, 5.0] {
        let mut stone = rattleback::stone(rattleback::PRODUCT);
        let y = rattleback::start(&stone, &rattleback::tilt(), rate);
        let solid = stone.0;
        let [distance, energy] = follow(&solid, &mut stone, ROUGH, &y, 6.0, Mode::Rolling);
        assert!(distance < 1e-8 && energy < 1e-10, "{rate}: {distance:e} {energy:e}");
    }
}

#[test]
fn the_rattleback_of_a_patch_moves_as_it_does_in_body_axes_and_keeps_its_energy() {
    for rate in [patch_stone::SPIN, -patch_stone::SPIN] {
        let mut stone = bezier_rattleback::rolling();
        let y = bezier_rattleback::state(&patch_stone::start(rate));
        let solid = stone.0;
        // It turns back after 8.6 s.
        let [distance, energy] = follow(&solid, &mut stone, ROUGH, &y, 12.0, Mode::Rolling);
        assert!(distance < 1e-8 && energy < 1e-10, "{rate}: {distance:e} {energy:e}");
    }
}

#[test]
fn spun_the_wrong_way_the_rattleback_turns_back_and_the_other_way_it_goes_on() {
    for (rate, expected) in [(-5.0, Some(())), (5.0, None)] {
        let mut stone = rattleback::stone(rattleback::PRODUCT);
        let y = rattleback::start(&stone, &rattleback::tilt(), rate);
        let model = of_solid(&stone.0, law(ROUGH, 0.5));
        let mut run = run(&model, of_state(&stone.0, &y));
        let (mut turned, mut last) = (None, (0.0, rate));
        run.advance(6.0, &mut |now| {
            let angular_velocity = now.state.motions[1].twist().angular_velocity.z;
            if angular_velocity * last.1 < 0.0 && turned.is_none() {
                turned = Some(last.0 + (now.state.time - last.0) * last.1 / (last.1 - angular_velocity));
            }
            last = (now.state.time, angular_velocity);
            Ok(())
        })
        .unwrap();
        assert_eq!(turned.map(|_| ()), expected, "{rate}");
        if let Some(time) = turned {
            let reference = rattleback::reversal(&mut stone, &y, 6.0).unwrap();
            assert!(time < 3.0 && (time - reference).abs() < 1e-3, "{time} {reference}");
        }
    }
}

#[test]
fn a_rolling_ring_precesses_steadily() {
    let ring = Revolution::torus(0.2, 0.03, 1.5, GRAVITY);
    for (tilt, rate) in [(1.2, 1.0), (1.3, -2.0), (0.6, 9.0)] {
        let steady = ring.steady(tilt, rate);
        let (turn, angular_velocity) = ring.start(&steady);
        let (solid, mut rolling) = (ring.solid(), Rolling(ring.solid()));
        let y = solid.rolling(&turn, &angular_velocity);
        let [distance, energy] = follow(&solid, &mut rolling, ROUGH, &y, steady.period(), Mode::Rolling);
        assert!(distance < 1e-8 && energy < 1e-10, "{tilt} {rate}: {distance:e} {energy:e}");
    }
}

fn pebble() -> Solid {
    let inertia = Mat3::new(3e-3, 2e-4, 0.0, 2e-4, 5e-3, 1e-4, 0.0, 1e-4, 6e-3);
    Solid {
        hull: Hull::Ellipsoid(Vec3::new(0.12, 0.09, 0.07)),
        centre: Vec3::new(0.003, -0.002, 0.01),
        mass: 1.3,
        inertia,
        gravity: Vec3::new(0.0, 0.0, -GRAVITY),
    }
}

#[test]
fn a_pebble_slides_as_it_does_in_body_axes() {
    for friction in [0.0, 0.1] {
        let solid = pebble();
        let turn = UnitQuaternion::from_euler_angles(0.1, -0.15, 0.7);
        let y = solid.sliding(&turn, &Vec3::new(0.5, -1.0, 3.0), [2.5, -0.8]);
        let end = if friction > 0.0 { 0.8 } else { 3.0 };
        let mut sliding = Sliding(solid, friction);
        let [distance, energy] = follow(&solid, &mut sliding, friction, &y, end, Mode::Sliding);
        assert!(distance < 1e-8 && energy < 1e-10, "{friction}: {distance:e} {energy:e}");
    }
}

#[test]
fn forces_are_those_in_body_axes() {
    let solid = pebble();
    let turn = UnitQuaternion::from_euler_angles(0.3, 0.2, 0.7);
    let angular_velocity = Vec3::new(1.5, -1.0, 3.0);
    let rolling = solid.rolling(&turn, &angular_velocity);
    let sliding = solid.sliding(&turn, &angular_velocity, [1.5, -0.8]);
    for (friction, y, expected) in [
        (ROUGH, &rolling, Rolling(solid).force(&rolling)),
        (0.2, &sliding, Sliding(solid, 0.2).force(&sliding)),
        (0.0, &sliding, Sliding(solid, 0.0).force(&sliding)),
    ] {
        let model = of_solid(&solid, law(friction, 0.5));
        let run = run(&model, of_state(&solid, y));
        let found = rattleback_dynamics::active_contacts(&model, run.state()).unwrap();
        // The floor is declared first: the force is that on the body.
        let force = found[0].1.force.force;
        assert!((force - expected).norm() < 1e-9 * expected.norm(), "{friction}: {force} {expected}");
    }
}

#[test]
fn a_pebble_that_rocks_hard_slips_and_sticks_and_its_books_stay_closed() {
    let solid = pebble();
    let turn = UnitQuaternion::from_euler_angles(0.6, -0.4, 0.2);
    let y = solid.sliding(&turn, &Vec3::new(4.0, -3.0, 2.0), [0.6, -0.8]);
    let model = of_solid(&solid, law(0.15, 0.5));
    let mut run = run(&model, of_state(&solid, &y));
    let before = Energy::of(&model, run.state()).unwrap().total();
    let mut modes = vec![mode(&run)];
    run.advance(3.0, &mut |now| {
        let mode = now.state.rigid_contacts.as_ref().unwrap()[1].map(|rigid_contact| rigid_contact.mode);
        if now.event == RunEvent::Step && modes.last() != Some(&mode) {
            modes.push(mode);
        }
        Ok(())
    })
    .unwrap();
    assert!(modes.len() > 3 && modes.contains(&Some(Mode::Rolling)) && modes.contains(&Some(Mode::Sliding)));
    let energy = Energy::of(&model, run.state()).unwrap();
    assert!((energy.total() / before - 1.0).abs() < 1e-9, "{:e}", energy.total() / before - 1.0);
    assert!(energy.contacts.friction_loss > 0.01);
}
