//! A spring and a damper between points of two bodies.
//!
//!   d = p_B − p_A,  l = ∣d∣,  u = d/l,  T = k (l − l₀) + c l̇;   F = T u on A, −F on B
//!   dF = u (k u·dd + c dl̇) + T (1 − u uᵀ) dd/l,   dl̇ = u·dw + w·(1 − u uᵀ) dd/l
//!
//! With D = (−1, [s_A]×, 1, −[s_B]×) both dd = D (poses) and the part of dw by the twists; the wrench is −DᵀF.
//!
//! | symbol | here | unit |
//! |---|---|---|
//! | s_A, s_B | the points from the mass centres, world axes | m |
//! | w | velocity of p_B against p_A | m/s |
//! | k, c, l₀ | `stiffness`, `damping`, `length` | N/m, N s/m, m |

use crate::body::Motion;
use crate::error::{DynamicsError, Result};
use crate::load::{Load, LoadTangent};
use crate::model::{BodyId, BodyModel};
use rattleback_geom::nalgebra::SMatrix;
use rattleback_geom::{Mat3, Vec3};

/// A spring and a damper between two points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spring {
    /// The first body and the point in its frame.
    pub a: (BodyId, Vec3),
    /// The second body and the point in its frame.
    pub b: (BodyId, Vec3),
    /// The stiffness in N/m.
    pub stiffness: f64,
    /// The damping in N s/m.
    pub damping: f64,
    /// The length without force in m.
    pub length: f64,
}

impl Spring {
    pub(super) fn load(&self, time: f64, motions: &[Motion], tangent: bool) -> Result<Load> {
        let (a, b) = (&motions[self.a.0.0], &motions[self.b.0.0]);
        let arms = [a.pose.vector_to_world(&self.a.1), b.pose.vector_to_world(&self.b.1)];
        let twists = [a.twist(), b.twist()];
        let d = b.pose.position + arms[1] - a.pose.position - arms[0];
        let w = twists[1].at(&arms[1]) - twists[0].at(&arms[0]);
        let l = d.norm();
        if !(l > 0.0) {
            return Err(DynamicsError::NotFinite { time, what: "the direction of a spring of no length" });
        }
        let u = d / l;
        let rate = u.dot(&w);
        let tension = self.stiffness * (l - self.length) + self.damping * rate;
        let force = tension * u;
        let mut reach = SMatrix::<f64, 3, 12>::zeros();
        for (k, blocks) in
            [-Mat3::identity(), arms[0].cross_matrix(), Mat3::identity(), -arms[1].cross_matrix()]
                .iter()
                .enumerate()
        {
            reach.fixed_view_mut::<3, 3>(0, 3 * k).copy_from(blocks);
        }
        let tangent = tangent.then(|| {
            let across = (Mat3::identity() - u * u.transpose()) / l;
            let by_d = u * (self.stiffness * u + self.damping * (across * w)).transpose() + tension * across;
            let by_w = self.damping * u * u.transpose();
            let mut whirl = SMatrix::<f64, 3, 12>::zeros();
            let mut geometric = SMatrix::<f64, 12, 12>::zeros();
            for (side, sign) in [(0, 1.0), (1, -1.0)] {
                let arm = arms[side].cross_matrix();
                let at = 6 * side + 3;
                whirl
                    .fixed_view_mut::<3, 3>(0, at)
                    .copy_from(&(sign * twists[side].spin.cross_matrix() * arm));
                geometric.fixed_view_mut::<3, 3>(at, at).copy_from(&(sign * force.cross_matrix() * arm));
            }
            let by_pose = -reach.tr_mul(&(by_d * reach + by_w * whirl)) + geometric;
            Box::new(LoadTangent { by_pose, by_twist: -reach.tr_mul(&(by_w * reach)) })
        });
        Ok(Load {
            bodies: [Some(self.a.0), Some(self.b.0)],
            wrench: -reach.tr_mul(&force),
            tangent,
            stored: 0.5 * self.stiffness * (l - self.length) * (l - self.length),
            dissipated: self.damping * rate * rate,
        })
    }

    pub(super) fn check(&self, bodies: &[BodyModel]) -> Result<()> {
        for (body, point) in [self.a, self.b] {
            let Some(found) = bodies.get(body.0) else {
                return Err(DynamicsError::Invalid {
                    what: "a spring".to_owned(),
                    reason: format!("body number {} does not exist", body.0),
                });
            };
            if let Some(&value) = point.iter().find(|x| !x.is_finite()) {
                let field = format!("point of a spring on body {}", found.name);
                return Err(DynamicsError::OutOfRange { field, value, allowed: "finite" });
            }
        }
        if self.a.0 == self.b.0 {
            return Err(DynamicsError::Invalid {
                what: "a spring".to_owned(),
                reason: "both ends are on the same body".to_owned(),
            });
        }
        for (field, value) in
            [("stiffness", self.stiffness), ("damping", self.damping), ("length", self.length)]
        {
            if !(value >= 0.0 && value.is_finite()) {
                let field = format!("{field} of a spring");
                return Err(DynamicsError::OutOfRange { field, value, allowed: "not negative and finite" });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rattleback_geom::Pose;
    use rattleback_geom::nalgebra::UnitQuaternion;

    #[test]
    fn tangents_agree_with_differences() {
        let motion = |p, q, velocity: [f64; 3], spin: [f64; 3]| Motion {
            pose: Pose::from_parts(p, q).unwrap(),
            velocity: velocity.into(),
            spin: spin.into(),
        };
        let start = [
            motion([0.1, 0.2, -0.3], [0.5, 0.5, -0.5, 0.5], [0.3, -0.1, 0.8], [1.0, 0.4, -0.6]),
            motion([0.9, -0.4, 0.5], [0.1, -0.7, 0.5, 0.5], [-0.5, 0.2, 0.1], [-0.7, 1.3, 0.2]),
        ];
        let spring = Spring {
            a: (BodyId(0), Vec3::new(0.1, 0.3, -0.2)),
            b: (BodyId(1), Vec3::new(-0.2, 0.1, 0.4)),
            stiffness: 12.0,
            damping: 0.8,
            length: 0.4,
        };
        let tangent = spring.load(0.0, &start, true).unwrap().tangent.unwrap();
        let h = 1e-6;
        for c in 0..12 {
            let moved = |by_pose: bool, by: f64| {
                let mut motions = start;
                let m = &mut motions[c / 6];
                let mut step = Vec3::zeros();
                step[c % 3] = by;
                let spin = m.twist().spin;
                match (by_pose, c % 6 < 3) {
                    (true, true) => m.pose.position += step,
                    (true, false) => {
                        m.pose.orientation = UnitQuaternion::from_scaled_axis(step) * m.pose.orientation;
                        // The spin in world axes stays.
                        m.spin = m.pose.vector_to_local(&spin);
                    }
                    (false, true) => m.velocity += step,
                    (false, false) => m.spin += m.pose.vector_to_local(&step),
                }
                spring.load(0.0, &motions, false).unwrap().wrench
            };
            for (by_pose, exact) in [(true, &tangent.by_pose), (false, &tangent.by_twist)] {
                let difference = (moved(by_pose, h) - moved(by_pose, -h)) / (2.0 * h);
                assert!((difference - exact.column(c)).amax() < 1e-8, "{by_pose} {c}");
            }
        }
    }
}
