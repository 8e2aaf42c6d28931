//! The box of a placed surface along the world's axes.
//!
//! With a support function h and the rotation R the box is tight: maxᵢ = tᵢ + h(Rᵀeᵢ), minᵢ = tᵢ − h(−Rᵀeᵢ).
//! Without one it is the box of the turned local box, centre c and half extents e: R c + t ± ∣R∣ e.

use super::{bounded, finite_pose};
use crate::Result;
use rattleback_geom::surface::Surface;
use rattleback_geom::{Aabb, Pose};

/// The box along the world's axes that contains `surface` at `pose`: tight for convex surfaces, up to √3 too wide in
/// each direction for others.
pub fn world_box(surface: &dyn Surface, pose: &Pose) -> Result<Aabb> {
    finite_pose("pose", pose)?;
    let local = bounded(surface)?;
    let rotation = pose.rotation();
    let Some(support) = surface.as_support() else {
        let centre = pose.point_to_world(&local.centre());
        let half = rotation.abs() * (local.extents() * 0.5);
        return Ok(Aabb { min: centre - half, max: centre + half });
    };
    let mut aabb = Aabb { min: pose.position, max: pose.position };
    for i in 0..3 {
        let n = rotation.row(i).transpose();
        aabb.max[i] += support.support(&n);
        aabb.min[i] -= support.support(&-n);
    }
    Ok(aabb)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proximity::sample::Random;
    use rattleback_geom::Vec3;
    use rattleback_geom::surface::{Ellipsoid, Implicit, Plane, Torus};

    #[test]
    fn the_box_of_a_turned_ellipsoid_has_half_extents_equal_to_the_roots_of_the_diagonal_of_its_matrix() {
        let mut random = Random(3);
        let axes = [0.2, 1.0, 3.0];
        for _ in 0..100 {
            let pose = random.pose(5.0);
            let aabb = world_box(&Ellipsoid::new(axes).unwrap(), &pose).unwrap();
            let r = pose.rotation();
            for i in 0..3 {
                let half = (0..3).map(|k| (r[(i, k)] * axes[k]).powi(2)).sum::<f64>().sqrt();
                assert!((aabb.max[i] - pose.position[i] - half).abs() < 1e-14);
                assert!((aabb.min[i] - pose.position[i] + half).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn the_box_of_a_turned_torus_contains_every_point_of_it() {
        let mut random = Random(4);
        let torus = Torus::new(1.0, 0.25).unwrap();
        for _ in 0..20 {
            let pose = random.pose(2.0);
            let aabb = world_box(&torus, &pose).unwrap();
            for _ in 0..2000 {
                let p = Vec3::from_fn(|_, _| random.within(-1.3, 1.3));
                assert!(torus.value(&p) > 0.0 || aabb.contains(&pose.point_to_world(&p)));
            }
        }
    }

    #[test]
    fn a_plane_and_a_pose_with_nan_are_refused() {
        let plane = Plane::new([0.0, 0.0, 1.0], 0.0).unwrap();
        let error = world_box(&plane, &Pose::identity()).unwrap_err();
        assert!(error.to_string().starts_with("plane: extent[0] of the bounds = inf"), "{error}");
        let pose = Pose::from_position(0.0, f64::NAN, 0.0);
        let error = world_box(&Ellipsoid::new([1.0; 3]).unwrap(), &pose).unwrap_err();
        assert!(error.to_string().starts_with("pose = NaN"), "{error}");
    }
}
