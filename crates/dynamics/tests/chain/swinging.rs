//! Chains in motion.

use super::{built, chain, held};
use rattleback_dynamics::chain::{Chain, ChainFriction, EndJoint, LinkKind, LinkRun};
use rattleback_dynamics::mechanism::Settings;
use rattleback_dynamics::{Mechanism, Model, State};
use rattleback_geom::Vec3;

/// Twenty links, drawn aside by 40° and let go.
fn pendulum(friction: Option<ChainFriction>) -> (Model, State) {
    let (s, c) = 40.0_f64.to_radians().sin_cos();
    let path = vec![Vec3::zeros(), Vec3::new(4.0 * s, 0.0, -4.0 * c)];
    let chain = Chain { from: held(EndJoint::Universal), friction, ..chain(20, path) };
    let (model, state, _) = built(&chain, |_, _| ());
    (model, state)
}

/// The largest change of the total energy on the way, and the state at the end.
fn swing((model, state): &(Model, State), h: f64, end: f64) -> (f64, State) {
    let mut state = state.clone();
    let mut mechanism = Mechanism::new(model, Settings::default().with_step(h)).unwrap();
    mechanism.assemble(&mut state).unwrap();
    let before = mechanism.energy(&state).unwrap().total();
    let mut worst = 0.0_f64;
    mechanism
        .advance(&mut state, end, &mut |mechanism, state| {
            worst = worst.max((mechanism.energy(state)?.total() - before).abs());
            Ok(())
        })
        .unwrap();
    (worst, state)
}

#[test]
fn a_pendulum_of_links_keeps_its_energy() {
    let pendulum = pendulum(None);
    let fall = pendulum.0.bodies()[1].body.mass * 9.81 * (1.0 - 40.0_f64.to_radians().cos()) * 0.2 * 200.0;
    let [coarse, fine] = [4e-3, 2e-3].map(|h| swing(&pendulum, h, 10.0).0 / fall);
    let order = (coarse / fine).log2();
    assert!(fine < 5e-5 && order > 1.8, "{coarse:e} {fine:e}");
}

#[test]
fn friction_between_links_takes_energy_and_the_books_close() {
    let pendulum = pendulum(Some(ChainFriction { coefficient: 0.3, rate: 0.1 }));
    let fall = pendulum.0.bodies()[1].body.mass * 9.81 * (1.0 - 40.0_f64.to_radians().cos()) * 0.2 * 200.0;
    let (lost, end) = swing(&pendulum, 4e-3, 4.0);
    assert!(end.dissipated > 0.02 * fall && end.dissipated < fall, "{}", end.dissipated / fall);
    assert!(lost < 1e-4 * fall, "{:e}", lost / fall);
}

#[test]
fn a_swivel_lets_the_chain_twist_and_other_links_do_not() {
    let run = |kind, count| LinkRun { kind, stud: false, count };
    for (middle, free) in [(LinkKind::Swivel, true), (LinkKind::Enlarged, false)] {
        let links = vec![run(LinkKind::Common, 2), run(middle, 1), run(LinkKind::Common, 2)];
        let length = Chain { links: links.clone(), ..chain(0, Vec::new()) }.length().unwrap();
        let path = vec![Vec3::zeros(), Vec3::new(0.0, 0.0, -length)];
        let chain = Chain { links, from: held(EndJoint::Universal), ..chain(0, path) };
        let (model, mut state, ids) = built(&chain, |_, _| ());
        // The z axis of a link points down.
        state.motions[ids.links[3].0].angular_velocity_body.z = 2.0;
        state.motions[ids.links[4].0].angular_velocity_body.z = 2.0;
        let mut mechanism = Mechanism::new(&model, Settings::default().with_step(1e-2)).unwrap();
        mechanism.advance(&mut state, 1.0, &mut |_, _| Ok(())).unwrap();
        let spins: Vec<f64> =
            ids.links.iter().map(|link| state.motions[link.0].angular_velocity_body.z).collect();
        let expected = if free { [0.0, 0.0, 0.0, 2.0, 2.0] } else { [0.0; 5] };
        for (angular_velocity, expected) in spins.iter().zip(expected) {
            assert!((angular_velocity - expected).abs() < 1e-9, "{middle:?}: {spins:?}");
        }
    }
}
