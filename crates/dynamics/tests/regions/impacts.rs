//! Meshes that fall flat on others: the restitution that was asked for, the depth of the closed form, the ledger.
//!
//! F = K δⁿ (1 + c δ̇/v), n = 3/2, turns v into e v whatever K; the weight that acts meanwhile adds to δ and takes from
//! the rebound, the more the softer the contact: m δ̈ = m g − F is integrated for comparison.

use super::stage::{block, on_floor, placed};
use rattleback_contact::law::ContactLaw;
use rattleback_contact::law::normal::{Hysteresis, Rule};
use rattleback_contact::material::Stiffness;
use rattleback_dynamics::mechanism::{Settings, Step};
use rattleback_dynamics::{Run, Scheme, State};
use rattleback_geom::Pose;
use rattleback_geom::surface::{Plane, Shape};

fn law(stiffness: f64, restitution: f64) -> ContactLaw {
    let normal = Hysteresis::new(Rule::Exact, restitution, 1.5).unwrap();
    ContactLaw::new(Stiffness::given(stiffness).unwrap(), normal).unwrap()
}

/// Half the edges of a box of 6 kg.
const HALF: [f64; 3] = [0.1, 0.15, 0.05];

/// A fall of `fall` m onto a floor at height zero until the body rises again as high as it can.
struct Fall {
    deepest: f64,
    /// Rise over fall, of the mass centre at rest height.
    share: f64,
    /// What the ledger lacks, of the energy of the fall.
    lost: f64,
    /// The greatest angular velocity in rad/s.
    turning: f64,
}

fn falls(
    floor: &Shape,
    top: f64,
    half: [f64; 3],
    (stiffness, e, fall): (f64, f64, f64),
    scheme: &Scheme,
) -> Fall {
    let (model, _, mass) = on_floor(floor.clone(), Pose::identity(), block(half, 2), law(stiffness, e));
    let rest = top + half[2];
    let state = State::new(vec![placed([0.0; 3], 0.0), placed([0.0, 0.0, rest + fall], 0.0)]);
    let mut run = Run::new(&model, state, scheme).unwrap();
    let before = run.energy().unwrap().total();
    let time = (2.0 * fall / 9.81).sqrt();
    let (mut lowest, mut highest, mut turning) = (0.0_f64, 0.0_f64, 0.0_f64);
    let mut risen = false;
    run.advance(time * (1.0 + 1.3 * e) + 0.03, &mut |now| {
        let motion = &now.state.motions[1];
        let z = motion.pose.position.z - rest;
        lowest = lowest.min(z);
        risen |= now.state.time > time && z > 0.0 && motion.velocity.z > 0.0;
        if risen {
            highest = highest.max(z);
        }
        turning = turning.max(motion.angular_velocity_body.norm());
        Ok(())
    })
    .unwrap();
    let lost = (run.energy().unwrap().total() - before) / (mass * 9.81 * fall);
    Fall { deepest: -lowest, share: highest / fall, lost, turning }
}

/// The depth and the rise over the fall of a mass that falls on the same law.
fn expected(mass: f64, (stiffness, e, fall): (f64, f64, f64)) -> [f64; 2] {
    let speed = (2.0 * 9.81 * fall).sqrt();
    let c = Hysteresis::new(Rule::Exact, e, 1.5).unwrap().factor();
    let rate = |[d, v]: [f64; 2]| {
        let force = (stiffness * d.max(0.0).powf(1.5) * (1.0 + c * v / speed)).max(0.0);
        [v, 9.81 - force / mass]
    };
    let ([mut d, mut v], mut deepest, h) = ([0.0, speed], 0.0_f64, 1e-6);
    while d >= 0.0 {
        let k1 = rate([d, v]);
        let k2 = rate([d + 0.5 * h * k1[0], v + 0.5 * h * k1[1]]);
        (d, v) = (d + h * k2[0], v + h * k2[1]);
        deepest = deepest.max(d);
    }
    [deepest, v * v / (2.0 * 9.81 * fall)]
}

fn mechanism(h: f64) -> Scheme {
    Scheme::Mechanism(Settings { step: Step::Fixed(h), ..Settings::default() })
}

fn floors() -> [(&'static str, Shape, f64); 2] {
    let plane = Plane::new([0.0, 0.0, 1.0], 0.0).unwrap();
    [("half-space", plane.into(), 0.0), ("mesh", block([1.0, 1.0, 0.2], 3).into(), 0.2)]
}

#[test]
fn meshes_rebound_with_the_restitution_that_was_asked_for_at_the_default_step() {
    for (name, floor, top) in floors() {
        for e in [0.59, 0.9] {
            for h in [1e-3, 5e-4] {
                let fall = falls(&floor, top, HALF, (3e6, e, 0.05), &mechanism(h));
                let found = (fall.share / expected(6.0, (3e6, e, 0.05))[1]).sqrt();
                assert!((found - 1.0).abs() < 0.02, "{name}, step {h}: {found} of {e}");
                assert!(fall.lost.abs() < 0.01, "{name}, step {h}: {}", fall.lost);
                assert!(fall.turning < 1e-6, "{name}, step {h}: {}", fall.turning);
            }
        }
    }
}

#[test]
fn impacts_of_meshes_are_of_second_order_in_the_step() {
    for (name, floor, top) in floors() {
        let error = |h: f64| {
            let fall = falls(&floor, top, HALF, (3e6, 0.59, 0.05), &mechanism(h));
            ((fall.share / expected(6.0, (3e6, 0.59, 0.05))[1]).sqrt() - 1.0).abs()
        };
        let (coarse, fine) = (error(2e-3), error(2.5e-4));
        assert!(fine < 2e-3 && coarse < 0.05, "{name}: {coarse:e} {fine:e}");
    }
}

#[test]
fn adaptive_steps_see_the_impact_of_a_mesh() {
    let step = Step::Adaptive { tolerance: 1e-7, first: 1e-4, longest: 1e-2 };
    let scheme = Scheme::Mechanism(Settings { step, ..Settings::default() });
    for (name, floor, top) in floors() {
        let fall = falls(&floor, top, HALF, (3e6, 0.59, 0.05), &scheme);
        let found = (fall.share / expected(6.0, (3e6, 0.59, 0.05))[1]).sqrt();
        assert!((found - 1.0).abs() < 0.02, "{name}: {found}");
    }
}

/// A sheet of 1 mm that is pressed by almost all of its thickness, and by more.
#[test]
fn a_thin_plate_sinks_as_deep_as_its_energy_takes_it_and_comes_back() {
    let (half, fall, mass) = ([0.1, 0.1, 5e-4], 0.01, 0.04);
    for (depth, stiffness) in [(0.5e-3, 1.75e6), (0.9e-3, 4e5), (2.5e-3, 3.2e4)] {
        let (_, floor, top) = &floors()[0];
        let found = falls(floor, *top, half, (stiffness, 0.7, fall), &mechanism(1e-4));
        let [deepest, share] = expected(mass, (stiffness, 0.7, fall));
        assert!((found.deepest / deepest - 1.0).abs() < 0.02, "depth {depth}: {} {deepest}", found.deepest);
        let e = (found.share / share).sqrt();
        assert!((e - 1.0).abs() < 0.02, "depth {depth}: {e}");
        assert!(found.turning < 1e-6, "{}", found.turning);
    }
}
