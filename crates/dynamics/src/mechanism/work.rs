//! The power that leaves a mechanism beside that of its contacts: what forces and joints dissipate, what motors and
//! prescribed bodies take; negative where they feed it.
//!
//!   P = Σ P_force + Σ (−Q φ̇ − Ṡ) + Σ (f·v + τ·ω) − λ·(Φ_t + Φ_p q̇_p)
//!
//! over applied forces, over actions on relative coordinates φ with the energy S that they store, and over the loads on
//! prescribed bodies. The last term is the constraints': their force on the coordinates q that are free is −Φ_qᵀλ, and
//! with Φ_q q̇ + Φ_p q̇_p + Φ_t = 0, p for those that are prescribed, its power is λ·(Φ_t + Φ_p q̇_p). A motor has Φ_t
//! = −ḟ.
//!
//! The trapezoidal rule takes it from both ends of a step into the state, as the contacts' powers (`step_contacts.rs`);
//! λ are the multipliers that balance the accelerations of the state, not those of the discrete equations (`step.rs`).

use super::Mechanism;
use crate::error::Result;
use crate::force;
use crate::state::State;

impl Mechanism {
    /// P of a state, whose position and velocity the equations have, with the gradients there.
    pub(super) fn power(&self, state: &State, multipliers: &[f64]) -> Result<f64> {
        let mut power = 0.0;
        let motions = &state.motions;
        for load in force::loads(self.model.forces(), &state.windlasses, state.time, motions, false) {
            let load = load?;
            power += load.dissipated;
            for (side, body) in load.bodies.iter().enumerate() {
                if let Some(body) = *body {
                    power += self.model.body(body).taken(&motions[body.0], load.on(side));
                }
            }
        }
        let e = &self.equations;
        for (k, (acting, &column)) in self.model.actions().iter().zip(&e.system.acted).enumerate() {
            power += e.effort(k, &acting.action, column).dissipated;
        }
        for (k, row) in e.system.rows.iter().enumerate() {
            let (gradient, columns) = e.gradient(k);
            let known = gradient.iter().zip(columns).filter(|&(_, &c)| c >= e.system.active);
            let rate = row.rate(state.time) + known.map(|(g, &c)| g * e.v[c]).sum::<f64>();
            power -= multipliers[k] * rate;
        }
        Ok(power)
    }
}
