//! A region that is held: for the time of a step its normal n stands still and its two surfaces are points p of A and q of B
//! that move with their bodies.
//!
//!   g = n·(q − p),   dg = n·(dx_B + θ_B × (q − x_B)) − n·(dx_A + θ_A × (p − x_A)),   dn = 0
//!
//! At the start p and q lie half the depth to either side of the region's point, so that g is minus the depth. As long as
//! neither body turns or slides far the gap is that of the bodies to first order, its rate n·(ṗ_B − ṗ_A) exactly.

use super::Region;
use crate::contact::Contact;
use crate::derivative::Derivatives;
use crate::narrow::{Certificate, Touch};
use rattleback_geom::nalgebra::{SMatrix, SVector};
use rattleback_geom::{Curvature, Mat3, Pose, Vec3};

/// A region on points of two bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HeldRegion {
    /// From A to B, in world axes.
    normal: Vec3,
    /// p in A's frame and q in B's.
    local: [Vec3; 2],
}

impl HeldRegion {
    /// Holds a region of two bodies where they are.
    pub fn new(region: &Region, poses: [&Pose; 2]) -> Self {
        let half = region.normal * (0.5 * region.depth);
        let points = [region.point + half, region.point - half];
        Self {
            normal: region.normal,
            local: [poses[0].point_to_local(&points[0]), poses[1].point_to_local(&points[1])],
        }
    }

    /// The contact with the bodies elsewhere. Its surfaces count as flat.
    pub fn contact(&self, poses: [&Pose; 2]) -> Contact {
        let [p, q] = self.points(poses);
        let n = self.normal;
        let apart = q - p;
        let gap = n.dot(&apart);
        let residual = (apart - n * gap).norm();
        let certificate = Certificate::Stationary { residual };
        let touch = Touch {
            gap,
            normal: n,
            point_a: p,
            point_b: q,
            iterations: 0,
            residual,
            certificate,
            certified: false,
        };
        let flat = Curvature::flat(&n);
        Contact { touch, curvature_a: flat, curvature_b: Curvature::flat(&-n), relative: flat }
    }

    /// How that contact changes with the poses.
    pub fn derivatives(&self, poses: [&Pose; 2]) -> Derivatives {
        let points = self.points(poses);
        let n = self.normal;
        let mut gap = SVector::<f64, 12>::zeros();
        let mut by = [SMatrix::<f64, 3, 12>::zeros(); 2];
        for (side, sign) in [(0, -1.0), (1, 1.0)] {
            let arm = points[side] - poses[side].position;
            let at = 6 * side;
            gap.fixed_rows_mut::<3>(at).copy_from(&(n * sign));
            gap.fixed_rows_mut::<3>(at + 3).copy_from(&(arm.cross(&n) * sign));
            by[side].fixed_columns_mut::<3>(at).copy_from(&Mat3::identity());
            by[side].fixed_columns_mut::<3>(at + 3).copy_from(&-arm.cross_matrix());
        }
        let none = SMatrix::zeros();
        Derivatives {
            gap,
            normal: SMatrix::zeros(),
            point_a: by[0],
            point_b: by[1],
            curvature_a: none,
            curvature_b: none,
            relative: none,
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
    fn derivatives_agree_with_differences_and_the_first_gap_is_minus_the_depth() {
        let turned = |turn: [f64; 3]| UnitQuaternion::from_scaled_axis(turn.into());
        let poses = [
            Pose::new(Vec3::new(0.1, -0.2, 0.3), turned([0.9, 0.1, -0.3])),
            Pose::new(Vec3::new(0.4, 0.5, -0.1), turned([0.2, -0.7, 1.1])),
        ];
        let normal = Vec3::new(0.3, -0.5, 0.8).normalize();
        let region = Region { point: Vec3::new(0.2, 0.1, 0.0), normal, depth: 0.07, area: 0.0 };
        let held = HeldRegion::new(&region, [&poses[0], &poses[1]]);
        let first = held.contact([&poses[0], &poses[1]]);
        assert!((first.touch.gap + 0.07).abs() < 1e-15);
        let exact = held.derivatives([&poses[0], &poses[1]]);
        let h = 1e-6;
        for column in 0..12 {
            let moved = |step: f64| {
                let mut poses = poses;
                let pose = &mut poses[column / 6];
                if column % 6 < 3 {
                    pose.position[column % 3] += step;
                } else {
                    let turn = Vec3::from_fn(|i, _| if i == column % 3 { step } else { 0.0 });
                    pose.orientation = UnitQuaternion::from_scaled_axis(turn) * pose.orientation;
                }
                held.contact([&poses[0], &poses[1]]).touch
            };
            let (up, down) = (moved(h), moved(-h));
            let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
            assert!(near((up.gap - down.gap) / (2.0 * h), exact.gap[column]), "gap by {column}");
            for k in 0..3 {
                let a = (up.point_a[k] - down.point_a[k]) / (2.0 * h);
                let b = (up.point_b[k] - down.point_b[k]) / (2.0 * h);
                assert!(near(a, exact.point_a[(k, column)]) && near(b, exact.point_b[(k, column)]));
            }
        }
    }
}
