//! Bodies that come to rest on others: weight, depth, energy, and the same bits after a halt.

use super::stage::{block, law, on_floor, placed, settings};
use rattleback_dynamics::{Mechanism, State};
use rattleback_geom::Pose;
use rattleback_geom::surface::{Link, Plane, Shape};

/// Falls, rests, and has its weight borne; the ledger closes. Returns the contacts in the end.
fn rests(floor: impl Into<Shape>, body: impl Into<Shape>, height: f64) -> usize {
    let (model, [floor, body], mass) = on_floor(floor, Pose::identity(), body, law(1e8, Some(0.4)));
    let mut state = State::new(vec![placed([0.0; 3], 0.0), placed([0.0, 0.0, height], 0.0)]);
    assert_eq!((floor.0, body.0), (0, 1));
    let mut mechanism = Mechanism::new(&model, settings(5e-4)).unwrap();
    mechanism.assemble(&mut state).unwrap();
    let before = mechanism.energy(&state).unwrap().total();
    mechanism.advance(&mut state, 1.5, &mut |_, _| Ok(())).unwrap();
    let weight: f64 = mechanism.active_contacts().iter().map(|(_, found)| found.force.force.z).sum();
    assert!((weight / (mass * 9.81) - 1.0).abs() < 1e-3, "{weight} of {}", mass * 9.81);
    assert!(state.motions[1].velocity.norm() < 1e-3, "{}", state.motions[1].velocity);
    let after = mechanism.energy(&state).unwrap();
    let lost = after.total() - before;
    let fell = mass * 9.81 * (height - state.motions[1].pose.position.z).abs();
    assert!(lost.abs() < 0.05 * fell.max(1.0), "lost {lost} of {fell}: {after:?}");
    mechanism.active_contacts().len()
}

#[test]
fn a_box_rests_on_a_half_space() {
    assert_eq!(rests(Plane::new([0.0, 0.0, 1.0], 0.0).unwrap(), block([0.1, 0.15, 0.05], 3), 0.06), 4);
}

#[test]
fn a_box_rests_on_a_box() {
    assert_eq!(rests(block([1.0, 1.0, 0.2], 5), block([0.1, 0.15, 0.05], 3), 0.26), 4);
}

#[test]
fn a_link_rests_flat_on_a_box_and_on_a_half_space() {
    // Flat in the y–z plane: turned by a quarter about y it lies on the floor.
    let link = || Link::new(0.02, 0.05, 0.06).unwrap();
    for floor in
        [Shape::from(block([1.0, 1.0, 0.2], 7)), Shape::from(Plane::new([0.0, 0.0, 1.0], 0.2).unwrap())]
    {
        let (model, _, mass) = on_floor(floor, Pose::identity(), link(), law(1e8, Some(0.4)));
        let quarter = std::f64::consts::FRAC_PI_2;
        let mut state = State::new(vec![placed([0.0; 3], 0.0), placed([0.0, 0.0, 0.222], quarter)]);
        let mut mechanism = Mechanism::new(&model, settings(5e-4)).unwrap();
        mechanism.advance(&mut state, 1.0, &mut |_, _| Ok(())).unwrap();
        let active_contacts = mechanism.active_contacts();
        let weight: f64 = active_contacts.iter().map(|(_, found)| found.force.force.z).sum();
        assert!((weight / (mass * 9.81) - 1.0).abs() < 1e-3, "{weight} of {}", mass * 9.81);
        assert!(active_contacts.len() >= 4, "{}", active_contacts.len());
        assert!(
            state.motions[1].angular_velocity_body.norm() < 1e-3 && state.motions[1].velocity.norm() < 1e-4
        );
    }
}

#[test]
fn a_box_that_falls_on_a_corner_goes_on_with_the_same_bits_after_a_halt() {
    let (model, _, _) = on_floor(
        block([1.0, 1.0, 0.2], 5),
        Pose::identity(),
        block([0.1, 0.15, 0.05], 3),
        law(1e7, Some(0.3)),
    );
    let mut straight = State::new(vec![placed([0.0; 3], 0.0), placed([0.03, 0.0, 0.4], 0.7)]);
    let mut mechanism = Mechanism::new(&model, settings(5e-4)).unwrap();
    mechanism.assemble(&mut straight).unwrap();
    let mut halted = straight.clone();
    mechanism.advance(&mut straight, 0.25, &mut |_, _| Ok(())).unwrap();
    mechanism.advance(&mut straight, 0.5, &mut |_, _| Ok(())).unwrap();
    Mechanism::new(&model, settings(5e-4)).unwrap().advance(&mut halted, 0.25, &mut |_, _| Ok(())).unwrap();
    Mechanism::new(&model, settings(5e-4)).unwrap().advance(&mut halted, 0.5, &mut |_, _| Ok(())).unwrap();
    assert_eq!(straight, halted);
    assert!(straight.pairs.values().any(|pair| pair.ledger.damped > 0.0));
}
