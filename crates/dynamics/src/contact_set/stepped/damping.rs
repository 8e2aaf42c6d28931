//! Damping that an explicit step does not resolve.
//!
//! The hysteresis laws have F = K δⁿ(1 + c δ̇/v₀): where bodies come to rest v₀ is small, and the damping d = ∂F/∂δ̇
//! great. A step of h takes it explicitly, with predicted velocities at its end (`integrator/splitting.rs`): it
//! multiplies a velocity by 1 − hλ + ½(hλ)², λ an eigenvalue of M⁻¹ Σ d JᵀJ over all contacts, and is stable while hλ
//! < 2. With w the inverse mass of a body along the normal of a contact,
//!
//!   λ ≤ max over bodies of Σ f d w,   f = 2 for two free bodies, else 1
//!
//! because (J_A v_A + J_B v_B)² ≤ 2 (J_A v_A)² + 2 (J_B v_B)². Where h times that exceeds [`LONGEST`], v₀ of the
//! contacts of the body is raised for as long as they last, so that the step resolves what is left. A contact that the
//! step resolves is as its law says. Where the step does not resolve the stiffness, h² Σ f k w above [`STIFFEST`] with
//! k = 2S/δ² of the stored energy S at the depth δ, nothing is raised: what explodes by its stiffness would only do so
//! sooner, and the verdict tells of the step.

use super::SteppedContacts;
use crate::body::{Body, Motion};
use crate::contact_set::memory::ContactMemory;
use crate::model::{BodyId, Model};
use rattleback_geom::{Mat3, Vec3};

/// The bound on hλ, beyond which velocities grow.
const LONGEST: f64 = 2.0;
/// To this share of it damping is brought back, so that it is not done at every step.
const BACK: f64 = 0.6;
/// The greatest h²ω² at which the stiffness counts as resolved: twenty steps in a period.
const STIFFEST: f64 = 0.1;

/// What is known of the bodies, and scratch.
#[derive(Debug)]
pub(super) struct Damping {
    /// Of the free ones: one over the mass, the inverse inertia and its norm.
    free: Vec<Option<(f64, Mat3, f64)>>,
    /// The sum over its contacts for each body, in 1/s.
    rates: Vec<f64>,
    /// The same of the stiffness, in 1/s².
    stiffness: Vec<f64>,
}

impl Damping {
    pub(super) fn new(model: &Model) -> Self {
        let free = |body: &crate::model::BodyModel| {
            let Body { mass, inertia } = body.body;
            let inverse = inertia.try_inverse().unwrap_or_else(Mat3::zeros);
            body.is_free().then(|| (1.0 / mass, inverse, inverse.norm()))
        };
        let zeros = vec![0.0; model.bodies().len()];
        Self { free: model.bodies().iter().map(free).collect(), rates: zeros.clone(), stiffness: zeros }
    }

    /// w of a body, or no less, for a lever r × n about its mass centre, with a region's couple.
    fn inverse_mass(&self, BodyId(body): BodyId, lever: &Vec3, motion: &Motion, exact: bool) -> f64 {
        let Some((inverse_mass, inverse, norm)) = &self.free[body] else { return 0.0 };
        if !exact {
            return inverse_mass + lever.norm_squared() * norm;
        }
        let lever = motion.pose.vector_to_local(lever);
        inverse_mass + lever.dot(&(inverse * lever))
    }
}

impl SteppedContacts<'_> {
    /// Raises v₀ of contacts whose damping a step of `h` seconds does not resolve; whether there were any.
    pub(super) fn limit_damping(&mut self, motions: &[Motion], memory: &mut ContactMemory, h: f64) -> bool {
        // The bound without rotations first: it is enough nearly always.
        if !(self.sum_rates(motions, h, false) && self.sum_rates(motions, h, true)) {
            return false;
        }
        let Damping { rates, stiffness, .. } = &self.damping;
        let mut is_limited = false;
        for (id, found) in &self.active_contacts {
            let bodies = [id.a.body.0, id.b.body.0];
            let [rate, stiff] = [rates, stiffness].map(|of| of[bodies[0]].max(of[bodies[1]]));
            if found.force.damping > 0.0
                && h * rate > LONGEST
                && h * h * stiff < STIFFEST
                && let Some(contact) = memory.get_mut(id).and_then(|own| own.contact.as_mut())
            {
                contact.approach_speed *= h * rate / (BACK * LONGEST);
                is_limited = true;
            }
        }
        is_limited
    }

    /// Sums up f d w, or no less, for each body; whether any is beyond the bound.
    fn sum_rates(&mut self, motions: &[Motion], h: f64, exact: bool) -> bool {
        let Self { damping, active_contacts, .. } = self;
        damping.rates.fill(0.0);
        damping.stiffness.fill(0.0);
        for (id, found) in active_contacts.iter() {
            let damped = found.force.damping;
            if damped == 0.0 {
                continue;
            }
            let bodies = [id.a.body, id.b.body];
            let are_free = bodies.iter().all(|body| damping.free[body.0].is_some());
            for body in bodies {
                let motion = &motions[body.0];
                let arm = found.force.point - motion.pose.position;
                let lever = arm.cross(&found.touch.normal) + found.couple;
                let w = damping.inverse_mass(body, &lever, motion, exact);
                let factor = if are_free { 2.0 * w } else { w };
                damping.rates[body.0] += factor * damped;
                damping.stiffness[body.0] += factor * 2.0 * found.force.elastic / found.touch.gap.powi(2);
            }
        }
        damping.rates.iter().any(|rate| h * rate > LONGEST)
    }
}
