//! Whether a common normal is a least distance, or a least depth, among its neighbours.
//!
//! About the common normal n the surfaces are p = s − ½ s·S_A s n and q = (g + ½ t·S_B t) n + t, with tangent
//! displacements s, t in m, shape operators S (1/m, positive where convex) and the signed gap g. To second order
//!
//!   gap(s, t) = g + ½ (s·S_A s + t·S_B t) + ∣t − s∣²/(2g)
//!
//! With u = t − s fixed, the least over s needs S_A + S_B > 0 (the surfaces part on either side) and leaves ½ u·(T +
//! 1/g) u with T = S_A (S_A + S_B)⁻¹ S_B. For g > 0 the distance is least where this is positive; for g < 0 the
//! depth is the least translation that parts the bodies where it is negative. Both say 1 + g T > 0, which goes
//! through g = 0. For convex bodies it is R_A + R_B + g > 0 in the radii of curvature R.
//!
//! Source: derived here.

use rattleback_geom::curvature::{tangent_block, tangents};
use rattleback_geom::nalgebra::Matrix2;
use rattleback_geom::{Mat3, Vec3};

/// A relative curvature above minus this share of the larger curvature counts as not negative: flat faces against
/// flat faces, and concentric tubes, are solutions too.
const SLACK: f64 = 1e-9;

/// `shape_a` and `shape_b` are the shape operators in the axes of the unit normal `n`.
pub(crate) fn is_least(shape_a: &Mat3, shape_b: &Mat3, n: &Vec3, gap: f64) -> bool {
    let (t, b) = tangents(n);
    let block = |m: &Mat3| {
        let [tt, tb, bb] = tangent_block(m, &t, &b);
        Matrix2::new(tt, tb, tb, bb)
    };
    let (sa, sb) = (block(shape_a), block(shape_b));
    let size = sa.amax().max(sb.amax());
    if !(size > 0.0) {
        return size == 0.0;
    }
    // The slack keeps the inverse finite; it changes T by that share at most where the sum is definite.
    let sum = sa + sb + Matrix2::identity() * (SLACK * size);
    if !(sum.trace() >= 0.0 && sum.determinant() >= 0.0) {
        return false;
    }
    let Some(inverse) = sum.try_inverse() else { return true };
    let m = Matrix2::identity() * (1.0 + SLACK) + sa * inverse * sb * gap;
    m.trace() > 0.0 && m.determinant() >= 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sphere(radius: f64) -> Mat3 {
        Mat3::from_diagonal(&Vec3::new(1.0, 1.0, 0.0)) / radius
    }

    #[test]
    fn spheres_have_a_least_gap_down_to_the_depth_of_both_radii() {
        let (a, b) = (sphere(2.0), sphere(0.5));
        for gap in [1.0, 1e-9, 0.0, -1e-9, -2.49] {
            assert!(is_least(&a, &b, &Vec3::z(), gap), "{gap}");
        }
        assert!(!is_least(&a, &b, &Vec3::z(), -2.51));
    }

    #[test]
    fn a_large_ball_in_a_narrow_bowl_is_no_contact_and_a_small_one_is() {
        assert!(is_least(&-sphere(2.0), &sphere(1.0), &Vec3::z(), 0.1));
        assert!(!is_least(&-sphere(1.0), &sphere(2.0), &Vec3::z(), 0.1));
    }
}
