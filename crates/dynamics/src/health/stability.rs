//! The step of explicit fixed steps against all contacts of a body at once.
//!
//! A body on several contacts is as stiff as all of them: with j = (n, r × n) the motion along the normal of a contact
//! and k = 2S/δ² its stiffness (`bodies.rs`), ω² is the greatest eigenvalue of M⁻¹ Σ k jjᵀ, the other bodies being
//! held. It is no more than that of the whole system, so that a step is never told longer against the longest stable
//! one than it is. With M⁻¹ = LLᵀ the eigenvalues are those of the symmetric Σ k (Lᵀj)(Lᵀj)ᵀ, whose trace Σ k j·M⁻¹j
//! bounds them: where that bound is below the worst that was seen, nothing else is asked.
//!
//! Damping d = ∂N/∂δ̇ is explicit too: with γ the greatest eigenvalue of M⁻¹ Σ d jjᵀ a step multiplies a velocity by
//! 1 − hγ + ½(hγ)² (`contact_set/stepped/damping.rs`), stable while ½ hγ < 1. That of the hysteresis laws is limited to
//! what the step resolves there; that of the others is watched here.

use super::bodies::Bodies;
use super::figures::Extreme;
use crate::contact_set::ActiveContact;
use crate::model::PairId;
use crate::state::State;
use rattleback_geom::nalgebra::{SMatrix, SVector};

/// Bounds on ω² and the number of contacts of each body.
#[derive(Debug, Clone, Default)]
pub(super) struct StepStability {
    bounds: Vec<(f64, usize)>,
}

/// k, in N/m.
fn stiffness(found: &ActiveContact) -> f64 {
    let depth = -found.touch.gap;
    if depth > 0.0 { 2.0 * found.force.elastic / (depth * depth) } else { 0.0 }
}

/// d, in N s/m, of a law whose damping nothing limits.
fn damping(found: &ActiveContact) -> f64 {
    if found.force.damping == 0.0 { found.force.by_rate } else { 0.0 }
}

impl StepStability {
    /// Keeps the step of `h` seconds over the longest that is stable for a body with several contacts, or with damped
    /// ones, if it is the worst one.
    pub(super) fn look(
        &mut self,
        bodies: &Bodies,
        state: &State,
        active_contacts: &[(PairId, ActiveContact)],
        h: f64,
        worst: &mut Option<Extreme>,
    ) {
        // One contact alone is looked at by itself (`bodies.rs`).
        let of_stiffness = |squared: f64| 0.5 * h * squared.sqrt();
        self.look_at((bodies, state, active_contacts), (stiffness, 2), of_stiffness, worst);
        if active_contacts.iter().any(|(_, found)| damping(found) > 0.0) {
            self.look_at((bodies, state, active_contacts), (damping, 1), |rate| 0.5 * h * rate, worst);
        }
    }

    /// The same of what a contact has of one kind, for bodies with `least` such contacts and more.
    fn look_at(
        &mut self,
        (bodies, state, active_contacts): (&Bodies, &State, &[(PairId, ActiveContact)]),
        (of, least): (fn(&ActiveContact) -> f64, usize),
        ratio: impl Fn(f64) -> f64,
        worst: &mut Option<Extreme>,
    ) {
        self.bounds.clear();
        self.bounds.resize(state.motions.len(), (0.0, 0));
        for (id, found) in active_contacts {
            let k = of(found);
            for body in [id.a.body.0, id.b.body.0] {
                if let Some(w) = bodies.inverse_mass_bound(body, found, state).filter(|_| k > 0.0) {
                    let (bound, count) = &mut self.bounds[body];
                    (*bound, *count) = (*bound + k * w, *count + 1);
                }
            }
        }
        for (body, (bound, count)) in self.bounds.iter().enumerate() {
            if *count >= least && ratio(*bound) > worst.map_or(0.0, |worst| worst.value) {
                let own = active_contacts.iter().filter(|(id, _)| id.a.body.0 == body || id.b.body.0 == body);
                if let Some((eigenvalue, stiffest)) = greatest(bodies, state, body, of, own) {
                    let others = [stiffest.a.body.0, stiffest.b.body.0];
                    let value = ratio(eigenvalue);
                    Extreme::keep(worst, Extreme { value, time: state.time, bodies: others });
                }
            }
        }
    }
}

/// ω² or γ of a body on its contacts, and which of them has most of it.
fn greatest<'a>(
    bodies: &Bodies,
    state: &State,
    body: usize,
    of: fn(&ActiveContact) -> f64,
    own: impl Iterator<Item = &'a (PairId, ActiveContact)>,
) -> Option<(f64, PairId)> {
    let (mass, root) = bodies.mass_and_root(body)?;
    let pose = &state.motions[body].pose;
    let mut sum = SMatrix::<f64, 6, 6>::zeros();
    let mut stiffest: Option<(f64, PairId)> = None;
    for (id, found) in own {
        let (k, n) = (of(found), &found.touch.normal);
        let turning = pose.vector_to_local(&(found.force.point - pose.position).cross(n));
        let mut scaled = SVector::<f64, 6>::zeros();
        scaled.fixed_rows_mut::<3>(0).copy_from(&(n / mass.sqrt()));
        scaled.fixed_rows_mut::<3>(3).copy_from(&(root.transpose() * turning));
        sum += scaled * scaled.transpose() * k;
        if stiffest.is_none_or(|(other, _)| k > other) {
            stiffest = Some((k, *id));
        }
    }
    let squared = sum.symmetric_eigenvalues().max();
    stiffest.map(|(_, id)| (squared, id)).filter(|_| squared.is_finite())
}
