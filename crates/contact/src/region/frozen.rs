//! A frozen region: for the time of a step its normal n stands still and its two surfaces are points p of A and q
//! of B that move with their bodies.
//!
//!   g = n·(q − p),   ġ = n·(v_B + ω_B × (q − x_B)) − n·(v_A + ω_A × (p − x_A)),   ṅ = 0
//!
//! Where the region has a potential of depth s with ∂s/∂x = γ m and the moment M about its point, as A moves against
//! B, it is n = m and g has the couple c = M/γ as well: with θ the turns of the bodies since then
//!
//!   g = n·(q − p) + c·(θ_B − θ_A),   ġ = … + c·(ω_B − ω_A),   −g = s/γ
//!
//! Several such at a region's point share its force; each has a lever l as well, Σ l = 0, with which its gap, but not
//! the force of all together at the start, knows of the turns: c + l takes the place of c.
//!
//! A force of N along the gap's gradient is N n at the point and the free torque N c on B; with N = γ K sⁿ it is the
//! gradient of K sⁿ⁺¹/(n + 1).
//!
//! At the start p and q lie half the depth to either side of the region's point, so that g is minus the depth. As long
//! as neither body turns or slides far that gap is the one of the bodies to first order.

use super::Region;
use crate::narrow::{Certificate, Touch};
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::{Pose, Vec3};

/// A region on points of two bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrozenRegion {
    /// From A to B, in world axes.
    normal: Vec3,
    /// p in A's frame and q in B's.
    local: [Vec3; 2],
    /// c and l in world axes, in m.
    couple: Vec3,
    lever: Vec3,
    /// How the bodies were turned.
    turns: [UnitQuaternion<f64>; 2],
}

impl FrozenRegion {
    /// Holds a region of two bodies where they are.
    pub fn new(region: &Region, poses: [&Pose; 2]) -> Self {
        Self::with_couple(region, [Vec3::zeros(); 2], poses)
    }

    /// The same with a couple and a lever: by how much the gap grows as B turns against A about the region's point.
    pub fn with_couple(region: &Region, [couple, lever]: [Vec3; 2], poses: [&Pose; 2]) -> Self {
        let half = region.normal * (0.5 * region.depth);
        let points = [region.point + half, region.point - half];
        Self {
            normal: region.normal,
            local: [poses[0].point_to_local(&points[0]), poses[1].point_to_local(&points[1])],
            couple,
            lever,
            turns: poses.map(|pose| pose.orientation),
        }
    }

    /// By how much the gap grows as B turns against A about the region's point, in m: c + l.
    pub fn couple(&self) -> Vec3 {
        self.couple + self.lever
    }

    /// l: the part of it that is not the region's as a whole.
    pub fn lever(&self) -> &Vec3 {
        &self.lever
    }

    /// Where it is with the bodies elsewhere.
    pub fn touch(&self, poses: [&Pose; 2]) -> Touch {
        let [p, q] = self.points(poses);
        let n = self.normal;
        let apart = q - p;
        let along = n.dot(&apart);
        let residual = (apart - n * along).norm();
        let gap = along + self.turned(poses);
        let certificate = Certificate::Stationary { residual };
        Touch {
            gap,
            normal: n,
            point_a: p,
            point_b: q,
            iterations: 0,
            residual,
            certificate,
            certified: false,
        }
    }

    /// What the turns of the bodies add to the gap.
    fn turned(&self, poses: [&Pose; 2]) -> f64 {
        let couple = self.couple();
        if couple == Vec3::zeros() {
            return 0.0;
        }
        let turn = |side: usize| (poses[side].orientation * self.turns[side].inverse()).scaled_axis();
        couple.dot(&(turn(1) - turn(0)))
    }

    fn points(&self, poses: [&Pose; 2]) -> [Vec3; 2] {
        [poses[0].point_to_world(&self.local[0]), poses[1].point_to_world(&self.local[1])]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_gap_is_minus_the_depth_and_moves_with_both_bodies_along_the_normal() {
        let turned = |turn: [f64; 3]| UnitQuaternion::from_scaled_axis(turn.into());
        let a = Pose::new(Vec3::new(0.1, -0.2, 0.3), turned([0.9, 0.1, -0.3]));
        let b = Pose::new(Vec3::new(0.4, 0.5, -0.1), turned([0.2, -0.7, 1.1]));
        let normal = Vec3::new(0.3, -0.5, 0.8).normalize();
        let region = Region::at_point(Vec3::new(0.2, 0.1, 0.0), normal, 0.07);
        let frozen = FrozenRegion::new(&region, [&a, &b]);
        let first = frozen.touch([&a, &b]);
        assert!((first.gap + 0.07).abs() < 1e-15 && first.residual < 1e-15);
        assert!(((first.point_a + first.point_b) * 0.5 - region.point).norm() < 1e-15);
        let step = Vec3::new(1e-3, 2e-3, -3e-3);
        let gap = |a: &Pose, b: &Pose| frozen.touch([a, b]).gap;
        let moved = |pose: &Pose| Pose::new(pose.position + step, pose.orientation);
        assert!((gap(&a, &moved(&b)) + 0.07 - normal.dot(&step)).abs() < 1e-15);
        assert!((gap(&moved(&a), &b) + 0.07 + normal.dot(&step)).abs() < 1e-15);
        // Turning B about the point of the region leaves the gap to second order.
        let turn = turned([1e-5, -2e-5, 1e-5]);
        let arm = b.position - first.point_b;
        let rolled = Pose::new(first.point_b + turn * arm, turn * b.orientation);
        assert!((gap(&a, &rolled) + 0.07).abs() < 1e-15);
    }
}
