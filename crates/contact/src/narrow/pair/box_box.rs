//! Two boxes whose cores overlap: the least depth in closed form.
//!
//! The difference of two boxes is a sum of six segments, a zonotope. Its facets are spanned by two segments each, so
//! their normals are the axes of A, those of B, and the products of one of A with one of B: fifteen, in both senses.
//! The origin lies within; what is nearest to it on the boundary is the foot on a facet, hence the least depth is the
//! least of fifteen. Balls about the cores move every facet outwards by the sum of their radii and change nothing else.
//!
//! A product of axes that are parallel to [`PARALLEL`] has facets no wider than that share of the size, and is left
//! out.

use crate::narrow::nearest::nearest;
use crate::narrow::relative::Relative;
use crate::narrow::touch::{Branch, Evidence, Touch};
use rattleback_geom::surface::{Cuboid, Support};
use rattleback_geom::{Pose, Vec3};

/// The sine of an angle below which axes are parallel.
const PARALLEL: f64 = 1e-12;

/// Cores this share of the size apart touch: their distance is at least the separation along a facet's normal and at
/// most that of the points found, which must close.
const TOUCHING: f64 = 1e-14;

/// The touch of two boxes; none where their cores are apart.
pub(crate) fn overlapping(a: &Cuboid, pose_a: &Pose, b: &Cuboid, pose_b: &Pose) -> Option<Touch> {
    let rel = Relative::new(pose_a, pose_b);
    let size = rel.r.norm() + a.size().norm() + b.size().norm();
    let axes: [Vec3; 3] = std::array::from_fn(|j| rel.rotation.column(j).into_owned());
    let separation = |n: &Vec3| {
        let own: f64 = (0..3).map(|i| a.core()[i] * n[i].abs()).sum();
        let its: f64 = (0..3).map(|j| b.core()[j] * axes[j].dot(n).abs()).sum();
        n.dot(&rel.r).abs() - own - its
    };
    let crosses = (0..9).filter_map(|k| {
        let cross = Vec3::ith(k / 3, 1.0).cross(&axes[k % 3]);
        let sine = cross.norm();
        (sine > PARALLEL).then(|| cross / sine)
    });
    let normals = (0..3).map(|i| Vec3::ith(i, 1.0)).chain(axes).chain(crosses);
    let mut best = (f64::NEG_INFINITY, Vec3::z());
    for n in normals {
        let f = separation(&n);
        if f > TOUCHING * size {
            return None;
        }
        if f > best.0 {
            best = (f, n);
        }
    }
    let n = if best.1.dot(&rel.r) < 0.0 { -best.1 } else { best.1 };
    let face_b = b.face(&-rel.in_b(&n)).turned(|v| rel.in_a(v)).moved(&rel.r);
    let (p, q) = nearest(&a.face(&n), &face_b, &n);
    let depth = a.rounding() + b.rounding() - best.0;
    let evidence = Evidence::Climbed { margin: depth.max(f64::MIN_POSITIVE), branch: Branch::Global };
    Some(Touch::new(pose_a, &n, &p, &q, 1, size, evidence))
}
