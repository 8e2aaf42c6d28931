//! The ledger: where the energy of a contact goes.
//!
//! The contact's forces do the work Ẇ = F·u + T·ω on the two bodies together. With S the energy stored in the
//! indentation and the bristle,
//!
//!   −Ẇ = Ṡ + damped + friction_loss − stiffness_change
//!
//! `damped` and `friction_loss` are never negative. `stiffness_change` is what a stiffness that follows the local
//! curvature brings along, ∂S/∂K K̇: the law knows the stiffness of the place, not of the path, so that energy enters
//! as the contact moves to a stiffer place and leaves again on the way back. It is zero for a given stiffness.
//!
//! At the end of a contact the indentation has given back what it stored, and what the bristle holds is lost to
//! friction. In an exact motion the indentation stores nothing then; after steps of fixed length it may still do so in
//! the books, and what the bodies have got for it is in their motion already.

use std::ops::AddAssign;

/// The energy stored at an instant, and the powers.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Powers {
    /// Energy stored in the indentation and the bristle, in J.
    pub stored: f64,
    /// The bristle's part of it, in J.
    pub bristle: f64,
    /// Power damped by the normal law, in W.
    pub damped: f64,
    /// Power lost to friction and to rolling and spinning resistance, in W.
    pub friction_loss: f64,
    /// Power that a change of stiffness brings along, in W.
    pub stiffness_change: f64,
}

/// The energies of one contact, in J.
#[derive(Debug, Clone, Copy, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct Ledger {
    /// Stored now, in the indentation and the bristle.
    pub stored: f64,
    /// The bristle's part of it.
    pub bristle: f64,
    /// Damped so far.
    pub damped: f64,
    /// Lost to friction so far.
    pub friction_loss: f64,
    /// Brought by changes of stiffness so far.
    pub stiffness_change: f64,
}

impl Ledger {
    /// What the contact has taken from the bodies' energy, all in all.
    pub fn taken(&self) -> f64 {
        self.stored + self.damped + self.friction_loss - self.stiffness_change
    }

    /// Books an interval of `time` seconds with mean powers; `stored` is the value at its end.
    pub fn book(&mut self, powers: &Powers, time: f64) {
        self.set_stored(powers);
        self.damped += powers.damped * time;
        self.friction_loss += powers.friction_loss * time;
        self.stiffness_change += powers.stiffness_change * time;
    }

    /// Books that the indentation stores another energy than before, in J, as brought by a change of stiffness: where
    /// what it stores is no potential of the force, ΔS − ∫F δ̇ dt is what is brought, and this is its first part.
    pub fn change_stored(&mut self, elastic: f64) {
        self.stiffness_change += elastic - (self.stored - self.bristle);
    }

    /// Takes what is stored now.
    pub fn set_stored(&mut self, powers: &Powers) {
        (self.stored, self.bristle) = (powers.stored, powers.bristle);
    }

    /// Closes the ledger when the contact ends: the energy still stored in the bristle is lost to friction.
    pub fn close(&mut self) {
        self.friction_loss += std::mem::take(&mut self.bristle);
        self.stored = 0.0;
    }
}

impl AddAssign for Ledger {
    fn add_assign(&mut self, other: Self) {
        self.stored += other.stored;
        self.bristle += other.bristle;
        self.damped += other.damped;
        self.friction_loss += other.friction_loss;
        self.stiffness_change += other.stiffness_change;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closing_turns_what_the_bristle_held_into_friction_and_keeps_the_sum() {
        let mut ledger = Ledger::default();
        ledger.book(
            &Powers { stored: 2.0, bristle: 2.0, damped: 3.0, friction_loss: 5.0, stiffness_change: 1.0 },
            0.5,
        );
        let taken = ledger.taken();
        ledger.close();
        assert_eq!((ledger.taken(), ledger.stored, ledger.friction_loss), (taken, 0.0, 4.5));
    }

    #[test]
    fn what_the_indentation_stored_has_gone_back_to_the_bodies() {
        let mut ledger = Ledger::default();
        ledger.book(&Powers { stored: 2.0, bristle: 0.5, ..Powers::default() }, 0.1);
        ledger.close();
        assert_eq!((ledger.stored, ledger.friction_loss, ledger.damped), (0.0, 0.5, 0.0));
    }
}
