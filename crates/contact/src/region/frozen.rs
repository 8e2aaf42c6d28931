//! A frozen region: for the time of a step its normal n stands still and its two surfaces are points p of A and q
//! of B that move with their bodies.
//!
//!   g = n·(q − p),   ġ = n·(v_B + ω_B × (q − x_B)) − n·(v_A + ω_A × (p − x_A)),   ṅ = 0
//!
//! At the start p and q lie half the depth to either side of the region's point, so that g is minus the depth. As long
//! as neither body turns or slides far that gap is the one of the bodies to first order.

use super::Region;
use crate::narrow::{Certificate, Touch};
use rattleback_geom::{Pose, Vec3};

/// A region on points of two bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrozenRegion {
    /// From A to B, in world axes.
    normal: Vec3,
    /// p in A's frame and q in B's.
    local: [Vec3; 2],
}

impl FrozenRegion {
    /// Holds a region of two bodies where they are.
    pub fn new(region: &Region, poses: [&Pose; 2]) -> Self {
        let half = region.normal * (0.5 * region.depth);
        let points = [region.point + half, region.point - half];
        Self {
            normal: region.normal,
            local: [poses[0].point_to_local(&points[0]), poses[1].point_to_local(&points[1])],
        }
    }

    /// Where it is with the bodies elsewhere.
    pub fn touch(&self, poses: [&Pose; 2]) -> Touch {
        let [p, q] = self.points(poses);
        let n = self.normal;
        let apart = q - p;
        let gap = n.dot(&apart);
        let residual = (apart - n * gap).norm();
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

    fn points(&self, poses: [&Pose; 2]) -> [Vec3; 2] {
        [poses[0].point_to_world(&self.local[0]), poses[1].point_to_world(&self.local[1])]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rattleback_geom::nalgebra::UnitQuaternion;

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
