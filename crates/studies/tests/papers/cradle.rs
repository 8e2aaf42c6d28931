//! Newton's cradle: jointed pendulums in contact.

use rattleback_dynamics::Mechanism;
use rattleback_dynamics::mechanism::{Settings, Step};
use rattleback_scene::Scene;
use rattleback_studies::marques::{GRAVITY, Law, cradle};

/// Length of the rods to the balls' centres, in m.
const LENGTH: f64 = 0.5;
/// Mass of a ball, in kg.
const MASS: f64 = 0.1;
/// How far the first ball is raised, in rad.
const RAISED: f64 = 0.5;

/// Heights of all balls over time, and the energies at every step against that of the raised ball.
struct Swing {
    times: Vec<f64>,
    heights: Vec<Vec<f64>>,
    lost: f64,
    mechanical: f64,
    speeds: Vec<f64>,
}

fn swing(count: usize, restitution: f64, duration: f64, tolerance: f64) -> Swing {
    let Scene { model, mut state, .. } = cradle(count, restitution, Law::Exact).unwrap();
    let step = Step::Adaptive { tolerance, first: 1e-4, longest: 2e-3 };
    let mut mechanism = Mechanism::new(&model, Settings { step, ..Settings::default() }).unwrap();
    mechanism.assemble(&mut state).unwrap();
    let whole = MASS * GRAVITY * LENGTH * (1.0 - RAISED.cos());
    let start = mechanism.energy(&state).unwrap().total();
    let mut swing = Swing { times: vec![], heights: vec![], lost: 0.0, mechanical: 0.0, speeds: vec![] };
    mechanism
        .advance(&mut state, duration, &mut |mechanism, state| {
            let energy = mechanism.energy(state)?;
            swing.lost = swing.lost.max((energy.total() - start).abs() / whole);
            swing.mechanical = (energy.mechanical() - start) / whole + 1.0;
            swing.times.push(state.time);
            swing.heights.push(state.motions[1..].iter().map(|motion| motion.pose.position.z).collect());
            Ok(())
        })
        .unwrap();
    swing.speeds = state.motions[1..].iter().map(|motion| motion.velocity.x).collect();
    swing
}

/// Half a period: one way down, the impact, one way up.
const HALF: f64 = 0.75;

#[test]
fn the_struck_ball_of_two_rises_as_high_as_the_first_one_was() {
    let found = swing(2, 1.0, HALF, 1e-12);
    let raised = LENGTH * (1.0 - RAISED.cos());
    let top = found.heights.iter().map(|h| h[1]).fold(0.0, f64::max);
    assert!((top / raised - 1.0).abs() < 5e-4, "{top} of {raised}");
    assert!(found.lost < 1e-6, "the energy strays by {:e}", found.lost);
    // The first one stays below: nearly all of its energy has gone.
    let rest = found.heights.last().unwrap()[0];
    assert!(rest < 2e-3 * raised, "{rest} of {raised}");
}

#[test]
fn the_last_of_five_balls_rises_while_the_others_stay() {
    let found = swing(5, 1.0, HALF, 5e-13);
    let raised = LENGTH * (1.0 - RAISED.cos());
    let top = found.heights.iter().map(|h| h[4]).fold(0.0, f64::max);
    // Each is struck a little before its lowest point, which costs GAP²/2L of height: 1.5e-4 of it.
    assert!((top / raised - 1.0).abs() < 2e-3, "{top} of {raised}");
    assert!(found.lost < 1e-6, "the energy strays by {:e}", found.lost);
}

#[test]
fn two_balls_with_restitution_one_half_end_up_swinging_together() {
    let found = swing(2, 0.5, 8.0, 1e-8);
    // After the first impact (1 ± e)/2 of the speed: a quarter and three quarters.
    let raised = LENGTH * (1.0 - RAISED.cos());
    let first = found.times.iter().position(|t| *t > HALF).unwrap();
    let tops: Vec<f64> = (0..2)
        .map(|k| found.heights[..first].iter().skip(first / 2).map(|h| h[k]).fold(0.0, f64::max))
        .collect();
    assert!((tops[1] / raised - 0.5625).abs() < 0.01, "{tops:?} of {raised}");
    // At the end both move as one, with half of the speed and a quarter of the energy each.
    let last = &found.heights[found.heights.len() - 1];
    assert!((last[0] - last[1]).abs() < 0.02 * raised, "{last:?} of {raised}");
    assert!((found.mechanical - 0.5).abs() < 0.02, "{} of the energy is left", found.mechanical);
    assert!((found.speeds[0] - found.speeds[1]).abs() < 0.02, "{:?}", found.speeds);
    assert!(found.lost < 1e-3, "the ledger misses {:e}", found.lost);
}

#[test]
fn five_balls_with_restitution_one_half_end_up_swinging_together() {
    let found = swing(5, 0.5, 12.0, 1e-7);
    // Momentum is shared by five: a fifth of the speed each and a fifth of the energy in all.
    assert!((found.mechanical - 0.2).abs() < 0.02, "{} of the energy is left", found.mechanical);
    let (least, most) =
        found.speeds.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, m), v| (l.min(*v), m.max(*v)));
    assert!(most - least < 0.03, "{:?}", found.speeds);
    let last = &found.heights[found.heights.len() - 1];
    let raised = LENGTH * (1.0 - RAISED.cos());
    assert!(last.iter().all(|h| (h - last[0]).abs() < 0.02 * raised), "{last:?} of {raised}");
}
