//! The force of a contact: what its laws make of the query's answer and the bodies' motion.
//!
//! Signs: the force and torque are those on B; A gets the opposite. With N the normal force, f the friction, T the
//! resistance's torques and c the point where they act, B gets N n + f at c and T. The generalised force is
//! Q = (f_A, τ_A, f_B, τ_B) with torques about the origins of the bodies' frames:
//!
//!   f_B = N n + f,   τ_B = (c − x_B) × f_B + T,   f_A = −f_B,   τ_A = −(c − x_A) × f_B − T
//!
//! The tangents are its exact derivatives, with δ = −g and δ̇ = −ġ in the normal law and dK = Σ ∂K/∂κ dκ:
//!
//! N and all that follows it count with the contact's weight w, N = w F:
//!
//!   dN = w (−F_δ dg − F_δ̇ dġ + F_K dK) + F dw,   df = f_s ds + f_N dN,   d(N n) = n dN + N dn
//!   dτ_B = (dc − dx_B) × f_B + (c − x_B) × df_B + dT,   T = T_r(ω − n n·ω) + T_s(n·ω) n

use crate::contact::Contact;
use crate::derivative::{Derivatives, Rates};
use crate::error::Result;
use crate::kinematics::{Kinematics, KinematicsDerivatives};
use crate::law::friction::{FrictionPartials, Slip};
use crate::law::normal::{Indentation, NormalForce, NormalLaw};
use crate::law::{ContactLaw, ContactState, ResistanceTorque};
use crate::ledger::Powers;
use crate::material::StiffnessValue;
use rattleback_geom::nalgebra::{RowSVector, SMatrix};
use rattleback_geom::{Mat3, Vec3};

/// The force of one contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactForce {
    /// Where it acts, in world axes.
    pub point: Vec3,
    /// The force on B, in N.
    pub force: Vec3,
    /// The free torque on B, in N m.
    pub torque: Vec3,
    /// The normal force, positive when it pushes, in N.
    pub normal: f64,
    /// The friction on B, in N.
    pub friction: Vec3,
    /// The energy that the bodies' deformation stores, without the bristle's, in J.
    pub elastic: f64,
    /// ∂(elastic)/∂κ for the two relative principal curvatures.
    pub elastic_by_curvature: [f64; 2],
    /// ∂(elastic)/∂w, in J.
    pub elastic_by_weight: f64,
    /// Semi-axes a ≥ b of Hertz's ellipse of contact, in m; zero where the stiffness is not Hertz's.
    pub patch: [f64; 2],
    /// The energy in the bristle, in J.
    pub bristle: f64,
    /// The rate of the bristle's stretch in the contact's own frame, in m/s.
    pub bristle_rate: Vec3,
    /// K δⁿ c/v₀ of a hysteresis law, in N s/m: how the normal force grows with the rate of the depth where it is not
    /// cut off; zero for other laws.
    pub damping: f64,
    /// ∂N/∂δ̇ of the normal force as it is now, in N s/m; zero where it is cut off.
    pub by_rate: f64,
    /// The power that the normal law damps away, in W.
    pub damped: f64,
    /// The power that friction and resistance dissipate, in W.
    pub friction_loss: f64,
}

/// The derivatives of the laws' forces by what the laws see.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ForcePartials {
    /// The force on B, in N.
    pub force: Vec3,
    /// The free torque on B, in N m.
    pub torque: Vec3,
    /// Stiffness and its dependence on the curvatures.
    pub stiffness: StiffnessValue,
    /// The normal law's part, with its weight.
    pub normal: NormalForce,
    /// ∂N/∂w: the normal force without the weight, in N.
    pub by_weight: f64,
    /// The friction law's part.
    pub friction: FrictionPartials,
    /// The resistance's part.
    pub resistance: ResistanceTorque,
}

/// Derivatives of the generalised force (f_A, τ_A, f_B, τ_B).
#[derive(Debug, Clone, PartialEq)]
pub struct ContactTangent {
    /// By both poses: dx and a small rotation in world axes, of A and of B.
    pub by_pose: SMatrix<f64, 12, 12>,
    /// By both twists.
    pub by_twist: SMatrix<f64, 12, 12>,
    /// By the bristle's stretch.
    pub by_bristle: SMatrix<f64, 12, 3>,
    /// Of the normal force, by both poses.
    pub normal_by_pose: RowSVector<f64, 12>,
    /// Of the normal force, by both twists.
    pub normal_by_twist: RowSVector<f64, 12>,
}

type Rows = SMatrix<f64, 3, 12>;

impl ContactLaw {
    /// The force of a contact in the given state.
    pub fn force(
        &self,
        contact: &Contact,
        kinematics: &Kinematics,
        state: &ContactState,
    ) -> Result<ContactForce> {
        self.force_at(&IndentationPlace::of(contact), kinematics, state)
    }

    /// The force of a contact of which no more is known than the law asks for.
    pub fn force_at(
        &self,
        place: &IndentationPlace,
        kinematics: &Kinematics,
        state: &ContactState,
    ) -> Result<ContactForce> {
        let gap = place.gap;
        let (stiffness, whole) = self.normal_force(place, kinematics, state)?;
        let normal = whole.weighted(place.weight);
        // No friction under tensile normal force.
        let compressive = normal.force.max(0.0);
        let n = kinematics.normal;
        let slip = slip(kinematics, compressive, &state.bristle);
        let friction = match is_compressed(gap, compressive) {
            true => self.friction.force(&slip),
            false => self.friction.at_rest(&slip.bristle),
        };
        let resistance = self.resistance.torque(&kinematics.rolling(), kinematics.spin(), compressive);
        Ok(ContactForce {
            point: kinematics.point,
            force: n * normal.force + friction.force,
            torque: resistance.rolling + n * (resistance.spinning + friction.torque),
            normal: normal.force,
            friction: friction.force,
            elastic: normal.stored,
            elastic_by_curvature: stiffness.by_curvature.map(|by| match by == 0.0 {
                true => 0.0,
                false => normal.stored_by_stiffness * by,
            }),
            elastic_by_weight: whole.stored,
            patch: stiffness.patch.map(|axis| axis * (-gap).max(0.0).sqrt()),
            bristle: friction.stored,
            bristle_rate: friction.bristle_rate,
            damping: match self.normal {
                NormalLaw::Hysteresis(law) if normal.stored > 0.0 => {
                    let elastic = normal.stored * (law.exponent() + 1.0) / -gap;
                    elastic * law.factor() / state.approach_speed
                }
                _ => 0.0,
            },
            by_rate: normal.by_rate,
            damped: normal.damped,
            friction_loss: friction.friction_loss + resistance.friction_loss,
        })
    }

    /// The derivatives of the forces that the laws give for a contact.
    pub fn partials(
        &self,
        contact: &Contact,
        kinematics: &Kinematics,
        state: &ContactState,
    ) -> Result<ForcePartials> {
        let place = IndentationPlace::of(contact);
        let (stiffness, whole) = self.normal_force(&place, kinematics, state)?;
        let (gap, normal) = (place.gap, whole.weighted(place.weight));
        let compressive = normal.force.max(0.0);
        let friction = match is_compressed(gap, compressive) {
            true => self.friction.partials(&slip(kinematics, compressive, &state.bristle)),
            false => FrictionPartials::zero(),
        };
        let resistance = self.resistance.torque(&kinematics.rolling(), kinematics.spin(), compressive);
        let n = kinematics.normal;
        Ok(ForcePartials {
            force: n * normal.force + friction.force.value,
            torque: resistance.rolling + n * (resistance.spinning + friction.torque),
            stiffness,
            normal,
            by_weight: whole.force,
            friction,
            resistance,
        })
    }

    #[inline]
    fn normal_force(
        &self,
        place: &IndentationPlace,
        kinematics: &Kinematics,
        state: &ContactState,
    ) -> Result<(StiffnessValue, NormalForce)> {
        let stiffness = self.stiffness.at(place.curvatures)?;
        let normal = self.normal.force(&Indentation {
            depth: -place.gap,
            rate: -kinematics.gap_rate,
            approach_speed: state.approach_speed,
            stiffness: stiffness.value,
        });
        Ok((stiffness, normal))
    }

    /// What a contact remembers after a step of `h` seconds in which its normal stood still, from what it did before
    /// and the force that it has at the end, and how far the bristle follows a change of the slip there, in s.
    pub fn stretched(
        &self,
        found: &ContactForce,
        kinematics: &Kinematics,
        state: &ContactState,
        h: f64,
    ) -> (ContactState, f64) {
        let n = kinematics.normal;
        let carried = (n * n.dot(&kinematics.mean_angular_velocity)).cross(&state.bristle) * h;
        let slip = slip(kinematics, found.normal.max(0.0), &(state.bristle + carried));
        let (bristle, follows) = self.friction.stretched(&slip, h);
        (ContactState { bristle, ..*state }, follows)
    }
}

/// Bodies that are apart or do not press have no friction, whatever its viscous term; a bristle stays as it is, whose
/// rate has no limit as the normal force vanishes.
fn is_compressed(gap: f64, compressive: f64) -> bool {
    gap < 0.0 && compressive > 0.0
}

/// What a normal law asks of the place where bodies touch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct IndentationPlace {
    /// Signed gap in m.
    pub gap: f64,
    /// The relative principal curvatures in 1/m, where [`ContactLaw::asks_for_curvature`].
    pub curvatures: Option<[f64; 2]>,
    /// The share of the law with which the contact counts.
    pub weight: f64,
}

impl IndentationPlace {
    /// That of a contact.
    pub fn of(contact: &Contact) -> Self {
        let curvatures = contact.curvature.as_ref().map(|curvature| curvature.relative.kappa);
        Self { gap: contact.touch.gap, curvatures, weight: contact.weight }
    }
}

/// What friction sees of a contact: the bristle through its projection on the tangent plane.
fn slip(kinematics: &Kinematics, normal_force: f64, bristle: &Vec3) -> Slip {
    let n = kinematics.normal;
    Slip {
        velocity: kinematics.slip,
        spin: kinematics.spin(),
        normal_force,
        bristle: bristle - n * n.dot(bristle),
    }
}

impl ContactForce {
    /// The greatest pressure in Hertz's ellipse of contact, p₀ = 3F/(2πab), in Pa; none where there is no ellipse.
    pub fn greatest_pressure(&self) -> Option<f64> {
        let [a, b] = self.patch;
        (b > 0.0).then(|| 1.5 * self.normal.max(0.0) / (std::f64::consts::PI * a * b))
    }

    /// Where the energy goes, while the contact changes as `rates` says.
    pub fn powers(&self, rates: &Rates) -> Powers {
        let by = &self.elastic_by_curvature;
        // A given stiffness does not depend on the curvature, which may be infinite.
        let stiffness_change = match *by == [0.0; 2] {
            true => 0.0,
            false => by[0] * rates.relative[0] + by[1] * rates.relative[1],
        };
        let stiffness_change = stiffness_change + self.elastic_by_weight * rates.weight;
        Powers {
            stored: self.elastic + self.bristle,
            bristle: self.bristle,
            damped: self.damped,
            friction_loss: self.friction_loss,
            stiffness_change,
        }
    }

    /// The rate of the bristle's stretch in world axes.
    pub fn bristle_rate(&self, kinematics: &Kinematics, rates: &Rates, state: &ContactState) -> Vec3 {
        self.bristle_rate + kinematics.frame_angular_velocity(rates).cross(&state.bristle)
    }

    /// Force and torque about the origins of A's and of B's frame: (f_A, τ_A), (f_B, τ_B).
    pub fn wrenches(&self, kinematics: &Kinematics) -> [[Vec3; 2]; 2] {
        let moment = |arm: &Vec3| arm.cross(&self.force) + self.torque;
        [[-self.force, -moment(&kinematics.arm[0])], [self.force, moment(&kinematics.arm[1])]]
    }
}

impl ForcePartials {
    /// The tangents of the generalised force.
    pub fn tangent(
        &self,
        contact: &Derivatives,
        kinematics: &Kinematics,
        derivatives: &KinematicsDerivatives,
        state: &ContactState,
    ) -> ContactTangent {
        let d = derivatives;
        let n = kinematics.normal;
        let law = &self.normal;
        let mut normal_by_pose =
            d.gap.transpose() * -law.by_depth - d.gap_rate_by_pose.transpose() * law.by_rate;
        for (k, &by) in self.stiffness.by_curvature.iter().enumerate() {
            // Where K is given, curvatures may be infinite and their derivatives not numbers.
            if by != 0.0 {
                normal_by_pose += contact.relative.row(k) * (law.by_stiffness * by);
            }
        }
        normal_by_pose += contact.weight.transpose() * self.by_weight;
        let normal_by_twist = d.gap_rate_by_twist.transpose() * -law.by_rate;
        // No friction under tensile normal force.
        let compressive = if law.force > 0.0 { 1.0 } else { 0.0 };
        let friction = &self.friction.force;
        let friction_by_normal = friction.by_normal_force * compressive;
        let angular_velocity = &kinematics.angular_velocity;
        let mut force_by_pose = n * normal_by_pose
            + d.normal * law.force
            + friction.by_velocity * d.slip_by_pose
            + friction_by_normal * normal_by_pose;
        let mut force_by_twist = n * normal_by_twist
            + friction.by_velocity * d.slip_by_twist
            + friction_by_normal * normal_by_twist;
        if self.friction.force_by_spin != Vec3::zeros() {
            // Where slip and spin share the friction: n·ω by the normal and by ω.
            force_by_pose += self.friction.force_by_spin * (angular_velocity.transpose() * d.normal);
            force_by_twist += self.friction.force_by_spin * (n.transpose() * d.angular_velocity_by_twist);
        }
        let mut by_bristle = SMatrix::<f64, 12, 3>::zeros();
        if friction.by_bristle != Mat3::zeros() {
            // The bristle is seen through the projection on the tangent plane, z − n n·z.
            let z = &state.bristle;
            let seen_by_pose = (Mat3::identity() * n.dot(z) + n * z.transpose()) * d.normal * -1.0;
            force_by_pose += friction.by_bristle * seen_by_pose;
            let force_by_bristle = friction.by_bristle * (Mat3::identity() - n * n.transpose());
            by_bristle = assemble(kinematics, &force_by_bristle, &Mat3::zeros());
        }

        let r = &self.resistance;
        let shared = n * self.friction.torque_by_velocity.transpose();
        let (spinning, by_spin) =
            (r.spinning + self.friction.torque, r.spinning_by_spin + self.friction.torque_by_spin);
        let roll_by_angular_velocity = r.rolling_by_angular_velocity * (Mat3::identity() - n * n.transpose());
        let torque_by_angular_velocity = roll_by_angular_velocity + n * n.transpose() * by_spin;
        let torque_by_normal = -r.rolling_by_angular_velocity
            * (Mat3::identity() * n.dot(angular_velocity) + n * angular_velocity.transpose())
            + Mat3::identity() * spinning
            + n * angular_velocity.transpose() * by_spin;
        // All torques are proportional to N.
        let per_force = if law.force > 0.0 { self.torque / law.force } else { Vec3::zeros() };
        let torque_by_pose =
            per_force * normal_by_pose + torque_by_normal * d.normal + shared * d.slip_by_pose;
        let torque_by_twist = per_force * normal_by_twist
            + torque_by_angular_velocity * d.angular_velocity_by_twist
            + shared * d.slip_by_twist;

        let mut out = ContactTangent {
            by_pose: assemble(kinematics, &force_by_pose, &torque_by_pose),
            by_twist: assemble(kinematics, &force_by_twist, &torque_by_twist),
            by_bristle,
            normal_by_pose,
            normal_by_twist,
        };
        // The arms change with the poses: d(c − x) × f = −f × d(c − x).
        let cross = self.force.cross_matrix();
        for (row, sign, own) in [(3, 1.0, 0), (9, -1.0, 6)] {
            let mut arm: Rows = d.point;
            let mut block = arm.fixed_columns_mut::<3>(own);
            block -= Mat3::identity();
            let mut rows = out.by_pose.fixed_rows_mut::<3>(row);
            rows += cross * arm * sign;
        }
        out
    }
}

/// Rows (f_A, τ_A, f_B, τ_B) from those of the force on B and the free torque on B, with fixed arms.
fn assemble<const C: usize>(
    kinematics: &Kinematics,
    force: &SMatrix<f64, 3, C>,
    torque: &SMatrix<f64, 3, C>,
) -> SMatrix<f64, 12, C> {
    let mut out = SMatrix::<f64, 12, C>::zeros();
    for (row, sign, arm) in [(0, -1.0, &kinematics.arm[0]), (6, 1.0, &kinematics.arm[1])] {
        out.fixed_rows_mut::<3>(row).copy_from(&(force * sign));
        out.fixed_rows_mut::<3>(row + 3).copy_from(&((arm.cross_matrix() * force + torque) * sign));
    }
    out
}
