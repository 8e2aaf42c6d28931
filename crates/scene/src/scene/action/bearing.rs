//! Friction in a joint's bearing, which grows with the force that the joint carries.

use super::super::amount::{Amount, Aspect};
use super::{Acting, Coordinates, JointFreedomSpec};
use crate::read::{At, Length, Range, Reader, entry, number};
use rattleback_dynamics::joint::Action;

entry! {
    /// Coulomb friction in the bearing of a revolute or universal joint: coefficient times radius times the force that
    /// the joint carries, smooth about zero rate.
    pub struct JointBearingSpec {
        /// The coefficient of friction.
        coefficient: f64,
        /// The radius of the pin.
        radius: Length,
        /// The rate at which 76 % of it act.
        transition: At<Amount>,
        /// The coordinate.
        on: Option<JointFreedomSpec>,
    }
}

impl JointBearingSpec {
    pub(super) fn lower(&self, joint: &Coordinates<'_>, reader: &mut Reader) -> Acting {
        if !matches!(joint.kind, "revolute" | "universal") {
            let message =
                format!("found a bearing in a {} joint; expected a revolute or universal one", joint.kind);
            reader.wrong(&self.place, "", message);
            return None;
        }
        let coordinate = joint.find(self.on, &self.place, reader)?;
        let coefficient = number(&self.place, "coefficient", self.coefficient, Range::NotNegative, reader);
        let radius = number(&self.place, "radius", self.radius.0, Range::NotNegative, reader);
        let rate = self.transition.take(Aspect::Rate, coordinate.measure, Range::Positive, reader);
        let action = Action::Bearing { coefficient: coefficient?, radius: radius?, rate: rate? };
        Some((coordinate.freedom, action))
    }
}
