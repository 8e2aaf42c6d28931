//! What the tests move mechanisms with.

use rattleback_dynamics::mechanism::Settings;
use rattleback_dynamics::{Mechanism, Model, State};

/// Moves a state; returns it with the largest departure of the energy from its start and the largest violations.
pub fn run(model: &Model, state: &State, settings: Settings, end: f64) -> (State, [f64; 3]) {
    let mut mechanism = Mechanism::new(model, settings).unwrap();
    let mut state = state.clone();
    mechanism.assemble(&mut state).unwrap();
    let start = mechanism.energy(&state).unwrap().total();
    let mut worst = [0.0_f64; 3];
    mechanism
        .advance(&mut state, end, &mut |mechanism, state| {
            let violation = mechanism.violation(state)?;
            let energy = mechanism.energy(state)?.total();
            for (worst, x) in worst.iter_mut().zip([energy - start, violation.position, violation.velocity]) {
                *worst = worst.max(x.abs());
            }
            Ok(())
        })
        .unwrap();
    (state, worst)
}
