//! Where the pressure of a region is borne: points that stand for its area, each with its own depth.
//!
//! A force at one point of a region leaves a body that lies flat free to rock. With Σ the second moments of the area
//! per area and (t₁, t₂) any directions in the plane, the four points c + Σ^½(±t₁ ± t₂) have the area's centroid and
//! its second moments, and move continuously with it. The depth at each is the length that the bodies share on the line
//! through it along the normal; points where they share nothing bear nothing.

use super::Region;
use crate::error::Result;
use rattleback_geom::nalgebra::SymmetricEigen;
use rattleback_geom::surface::Shape;
use rattleback_geom::{Mat3, Pose, Vec3};

/// A point that bears a share of a region.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RegionPoint {
    /// The middle of what both bodies share there.
    pub point: Vec3,
    /// How much that is along the normal, in m.
    pub depth: f64,
}

/// The points that bear a region of two meshes or of a mesh and a half-space, up to four; none where it has no area, or
/// where other bodies take part.
pub fn region_points(
    region: &Region,
    a: (&Shape, &Pose),
    b: (&Shape, &Pose),
) -> Result<([Option<RegionPoint>; 4], usize)> {
    let mut found = ([None; 4], 0);
    let flat = |shape: &Shape| shape.mesh().is_some() || matches!(shape, Shape::Plane(_));
    if !(region.area > 0.0 && region.depth > 0.0 && flat(a.0) && flat(b.0)) {
        return Ok(found);
    }
    let n = region.normal;
    for at in spread_points(region, a.1) {
        let (Some(top), Some(bottom)) =
            (surface(a, &at, &n, region.depth)?, surface(b, &at, &-n, region.depth)?)
        else {
            continue;
        };
        let depth = top + bottom;
        if depth > 0.0 {
            let point = at + n * (0.5 * (top - bottom));
            found.0[found.1] = Some(RegionPoint { point, depth });
            found.1 += 1;
        }
    }
    Ok(found)
}

/// The four points that stand for the area of a region, about its point; `pose` is that of A.
pub fn spread_points(region: &Region, pose: &Pose) -> [Vec3; 4] {
    let n = region.normal;
    let root = root(&region.spread);
    // Directions that turn with A; of its axes the one that lies best in the plane.
    let local = pose.vector_to_local(&n);
    let axis = pose.vector_to_world(&Vec3::from_fn(|i, _| if i == local.iamin() { 1.0 } else { 0.0 }));
    let t1 = (axis - n * n.dot(&axis)).normalize();
    let t2 = n.cross(&t1);
    [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)].map(|(u, v)| region.point + root * (t1 * u + t2 * v))
}

/// How far along `n` from `at` the body ends; negative where it ends before.
///
/// A mesh is met from beyond its end, `depth` after `at`, where the other body is: from before, a ray would begin
/// outside a body that is thinner than that. Where the mesh is there too, it is left from `depth` before `at`.
fn surface((shape, pose): (&Shape, &Pose), at: &Vec3, n: &Vec3, depth: f64) -> Result<Option<f64>> {
    if let Some(mesh) = shape.mesh() {
        let along = pose.vector_to_local(n);
        let origin = |off: f64| pose.point_to_local(&(at + n * off));
        let back = mesh.tree().ray(mesh.mesh(), &origin(depth), &-along)?;
        if let Some(met) = back.filter(|hit| hit.entering && hit.distance <= 2.0 * depth) {
            return Ok(Some(depth - met.distance));
        }
        let hit = mesh.tree().ray(mesh.mesh(), &origin(-depth), &along)?;
        return Ok(hit.filter(|hit| !hit.entering).map(|hit| hit.distance - depth));
    }
    match shape {
        Shape::Plane(plane) => {
            let normal = pose.vector_to_world(plane.normal());
            let height = plane.normal().dot(&pose.point_to_local(at)) - plane.offset();
            Ok(Some(-height / normal.dot(n)))
        }
        _ => Ok(None),
    }
}

/// The square root of a matrix without negative eigenvalues.
fn root(spread: &Mat3) -> Mat3 {
    let eigen = SymmetricEigen::new(*spread);
    let roots = Mat3::from_diagonal(&eigen.eigenvalues.map(|x| x.max(0.0).sqrt()));
    eigen.eigenvectors * roots * eigen.eigenvectors.transpose()
}
