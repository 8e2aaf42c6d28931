//! Derivatives of surfaces without support functions where something is degenerate.

use rattleback_contact::geom::surface::{
    HalfTorus, Link, Mesh, Plane, Quadric, Sphere, Superhyperboloid, Surface, Torus,
};
use rattleback_contact::geom::{Pose, Vec3};
use rattleback_contact::{Certificate, Collider, Regularity, Touch, contact, contact_at, derivatives};

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_position(x, y, z)
}

/// A touch without a gap at a point with a normal, as if a query had found it.
fn touch(point: Vec3, normal: Vec3) -> Touch {
    Touch {
        gap: 0.0,
        normal,
        point_a: point,
        point_b: point,
        iterations: 0,
        residual: 0.0,
        certificate: Certificate::Stationary { residual: 0.0 },
        certified: false,
    }
}

fn regularity(a: &Collider, b: &Collider, touch: Touch) -> Regularity {
    let found = derivatives(a, b, &contact_at(a, b, touch).unwrap()).unwrap();
    assert!(found.point_a.iter().chain(&found.normal).chain(&found.relative).all(|x| x.is_finite()));
    found.regularity
}

#[test]
fn a_ring_that_lies_flat_on_the_floor_has_no_single_point() {
    let floor = Collider::new(Plane::new([0.0, 0.0, 1.0], 0.0).unwrap(), Pose::identity());
    for height in [0.1, 0.1001, 0.0999] {
        let ring = Collider::new(Torus::new(0.3, 0.1).unwrap(), at(0.0, 0.0, height));
        let found = contact(&floor, &ring).unwrap();
        assert_eq!(found.curvature.unwrap().b.kappa, [10.0, 0.0]);
        let d = derivatives(&floor, &ring, &found).unwrap();
        assert_eq!(d.regularity, Regularity::Parallel);
        // To lift the ring opens the gap, and nothing else happens.
        assert_eq!((d.gap[8], d.gap[2]), (1.0, -1.0));
    }
}

#[test]
fn a_ball_that_fills_the_hole_of_a_ring_is_focal_and_a_smaller_one_is_smooth() {
    let ring = Collider::new(Torus::new(0.3, 0.1).unwrap(), Pose::identity());
    let normal = -Vec3::x();
    for (radius, expected) in
        [(0.2, Regularity::Focal), (0.15, Regularity::Smooth), (0.199, Regularity::Smooth)]
    {
        let ball = Collider::new(Sphere::new(radius).unwrap(), at(0.2 - radius, 0.0, 0.0));
        assert_eq!(regularity(&ring, &ball, touch(Vec3::new(0.2, 0.0, 0.0), normal)), expected, "{radius}");
    }
}

/// A ball of radius r in a hollow of radius R − r about the axis: when the ball moves by dy across, its point moves
/// about the axis by the angle dφ = dy/(R − r − r_b), where nothing is left of the hollow's own curve.
#[test]
fn a_ball_in_the_hole_of_a_ring_rolls_as_in_a_trough() {
    let ring = Collider::new(Torus::new(0.3, 0.1).unwrap(), Pose::identity());
    let ball = Collider::new(Sphere::new(0.15).unwrap(), at(0.05, 0.0, 0.0));
    let found = contact(&ring, &ball).unwrap();
    assert!((found.touch.point_a - Vec3::new(0.2, 0.0, 0.0)).norm() < 1e-12);
    assert!((found.curvature.unwrap().relative.kappa[1] - (1.0 / 0.15 - 1.0 / 0.2)).abs() < 1e-9);
    let d = derivatives(&ring, &ball, &found).unwrap();
    // Column 7 moves B along y.
    assert!((d.point_a[(1, 7)] - 0.2 / 0.05).abs() < 1e-8, "{}", d.point_a[(1, 7)]);
    assert!((d.normal[(1, 7)] + 1.0 / 0.05).abs() < 1e-8, "{}", d.normal[(1, 7)]);
}

#[test]
fn seams_are_where_bends_begin_and_where_faces_end_at_rims() {
    let far = || Collider::new(Sphere::new(0.5).unwrap(), at(0.0, 0.0, 9.0));
    let link = Collider::new(Link::new(0.1, 0.3, 0.4).unwrap(), Pose::identity());
    for (z, expected) in [(0.4, Regularity::Seam), (0.39, Regularity::Smooth), (-0.4, Regularity::Seam)] {
        assert_eq!(regularity(&link, &far(), touch(Vec3::new(0.0, 0.4, z), Vec3::y())), expected, "{z}");
    }
    let half = Collider::new(HalfTorus::new(0.3, 0.1).unwrap(), Pose::identity());
    let (rim, out) = (Vec3::new(0.4, 0.0, 0.0), Vec3::x());
    assert_eq!(regularity(&half, &far(), touch(rim, out)), Regularity::Seam);
    assert_eq!(regularity(&half, &far(), touch(rim, -Vec3::y())), Regularity::Seam);
    let between = Vec3::new(0.6, -0.8, 0.0);
    assert_eq!(regularity(&half, &far(), touch(rim, between)), Regularity::Edge);
    let disc = Vec3::new(0.33, 0.0, 0.02);
    assert_eq!(regularity(&half, &far(), touch(disc, -Vec3::y())), Regularity::Smooth);
}

#[test]
fn edges_and_corners_of_a_saddle_are_told_apart() {
    let solid = Quadric::hyperbolic_paraboloid([0.5, 0.7, 0.6], [0.4, 0.3], 2.0).unwrap();
    let solid = Collider::new(solid, Pose::identity());
    let far = Collider::new(Sphere::new(0.5).unwrap(), at(0.0, 0.0, 9.0));
    let corner = Vec3::new(0.4, 0.3, 2.0);
    let n = Vec3::new(1.0, 2.0, 3.0).normalize();
    assert_eq!(regularity(&solid, &far, touch(corner, n)), Regularity::Edge);
    assert_eq!(regularity(&solid, &far, touch(corner, Vec3::new(0.6, 0.0, 0.8))), Regularity::Seam);
    let edge = Vec3::new(0.4, 0.1, 2.0);
    assert_eq!(regularity(&solid, &far, touch(edge, Vec3::new(0.6, 0.0, 0.8))), Regularity::Edge);
}

/// A corner that touches another body where a face of it ends at an edge can turn about the edge.
#[test]
fn a_corner_that_touches_the_end_of_a_face_is_focal_and_one_that_hangs_over_it_is_not() {
    let block = || Quadric::hyperbolic_paraboloid([0.5, 0.7, 0.6], [0.4, 0.3], 2.0).unwrap();
    let (corner, edge) = (Vec3::new(0.4, 0.3, 2.0), Vec3::new(0.4, 0.1, 2.0));
    let below = Collider::new(block(), Pose::identity());
    for (gap, expected) in [(0.0, Regularity::Focal), (1e-3, Regularity::Seam)] {
        let turned = Pose::identity().rotated(Vec3::new(1.0, 0.4, 0.0), 2.5).unwrap();
        let place = edge + Vec3::z() * gap - turned.vector_to_world(&corner);
        let above = Collider::new(block(), Pose { position: place, ..turned });
        let there = Touch { gap, point_b: edge + Vec3::z() * gap, ..touch(edge, Vec3::z()) };
        assert_eq!(regularity(&below, &above, there), expected, "{gap}");
    }
}

/// With an exponent below two the waist is a groove, infinitely curved inwards; above three its curvature has a rate.
#[test]
fn grooves_and_kinks_of_superhyperboloids_are_typed() {
    let ball = Collider::new(Sphere::new(0.01).unwrap(), at(0.51, 0.0, 0.0));
    let there = touch(Vec3::new(0.5, 0.0, 0.0), Vec3::x());
    for (exponent, expected) in
        [(4.0, Regularity::Smooth), (2.5, Regularity::Kink), (2.0, Regularity::Smooth)]
    {
        let waist = Superhyperboloid::one_sheet([0.5, 0.7, 0.6], [exponent, 2.0], 0.9).unwrap();
        assert_eq!(regularity(&Collider::new(waist, Pose::identity()), &ball, there), expected, "{exponent}");
    }
    let groove = Superhyperboloid::one_sheet([0.5, 0.7, 0.6], [1.5, 2.0], 0.9).unwrap();
    let groove = Collider::new(groove, Pose::identity());
    let found = contact_at(&groove, &ball, there).unwrap();
    assert_eq!(found.curvature.unwrap().a.kappa[1], f64::NEG_INFINITY);
    assert!(
        found.curvature.unwrap().relative.kappa[1] < -1e99
            && found.curvature.unwrap().relative.kappa[0].is_finite()
    );
    assert!(regularity(&groove, &ball, there) >= Regularity::Kink);
}

#[test]
fn meshes_are_refused_with_the_names_of_both_bodies() {
    let facets = Sphere::new(0.5).and_then(|s| s.tessellate(0.05)).and_then(Mesh::new).unwrap();
    let mesh = Collider::new(facets, Pose::identity());
    let ring = Collider::new(Torus::new(0.3, 0.1).unwrap(), at(-0.3, 0.0, 0.6));
    let found = contact_at(&mesh, &ring, touch(Vec3::new(0.0, 0.0, 0.5), Vec3::z())).unwrap();
    let said = derivatives(&mesh, &ring, &found).unwrap_err().to_string();
    assert!(said.contains("mesh against torus") && said.contains("triangles"), "{said}");
}
