//! Distances, convexity, curvature, and what is refused.

use super::*;
use crate::mesh::samples::{Random, cube, lumpy, mapped, torus};
use crate::surface::Ellipsoid;

fn turned(mesh: &TriMesh) -> TriMesh {
    let triangles = mesh.triangles().iter().map(|&[a, b, c]| [a, c, b]).collect();
    TriMesh::new(mesh.vertices().to_vec(), triangles).unwrap()
}

#[test]
fn the_sign_of_the_distance_agrees_with_the_parity_of_crossings() {
    let mut random = Random(3);
    for mesh in [cube(1.0), lumpy(5), torus(1.0, 0.4, 24, 12)] {
        let body = Mesh::new(mesh).unwrap();
        let mut inside = 0;
        for _ in 0..2000 {
            let p = random.point(1.5);
            let distance = body.signed_distance(&p).unwrap();
            if distance.abs() > 1e-12 {
                assert_eq!(distance < 0.0, body.tree().contains(body.mesh(), &p).unwrap(), "{p:?}");
            }
            inside += usize::from(distance < 0.0);
        }
        assert!(inside > 100);
    }
}

#[test]
fn points_closest_to_edges_and_vertices_of_sharp_bodies_have_the_right_sign() {
    // A needle: at its tip the normal of a single face often points the wrong way.
    let needle =
        mapped(&cube(1.0), |v| if v.z > 0.0 { Vec3::new(v.x * 0.01 + 3.0, v.y * 0.01, 1.0) } else { *v });
    let body = Mesh::new(needle).unwrap();
    let mut random = Random(11);
    for _ in 0..2000 {
        let p = Vec3::new(3.0, 0.0, 1.0) + random.point(0.3);
        let distance = body.signed_distance(&p).unwrap();
        assert_eq!(distance < 0.0, body.tree().contains(body.mesh(), &p).unwrap(), "{p:?}");
    }
}

#[test]
fn distances_to_a_cube_are_exact() {
    let body = Mesh::new(cube(1.0)).unwrap();
    for (p, distance) in [
        ([0.0, 0.0, 0.5], -0.5),
        ([0.0, 0.0, 3.0], 2.0),
        ([4.0, 5.0, 0.0], 5.0),
        ([2.0, 3.0, 3.0], 3.0),
        ([1.0, 0.0, 0.0], 0.0),
    ] {
        assert_eq!(body.signed_distance(&Vec3::from(p)).unwrap(), distance);
    }
    let normal = body.project(&Vec3::new(2.0, 2.0, 0.3)).unwrap().normal;
    assert!((normal - Vec3::new(0.5f64.sqrt(), 0.5f64.sqrt(), 0.0)).norm() < 1e-15);
}

fn together(a: &TriMesh, b: &TriMesh) -> TriMesh {
    let count = a.vertices().len() as u32;
    let moved = b.triangles().iter().map(|t| t.map(|v| v + count));
    let triangles = a.triangles().iter().copied().chain(moved).collect();
    TriMesh::new([a.vertices(), b.vertices()].concat(), triangles).unwrap()
}

#[test]
fn components_turned_the_wrong_way_are_refused() {
    let away = |half: f64| mapped(&cube(half), |v| v + Vec3::new(0.0, 0.0, 9.0));
    assert_eq!(Mesh::new(together(&cube(2.0), &away(1.0))).unwrap().euler_characteristic(), 4);
    for (mesh, found) in [
        (together(&cube(2.0), &turned(&away(1.0))), "of volume -8.000e0 inside an even number of others"),
        (together(&cube(2.0), &cube(1.0)), "of volume 8.000e0 inside an odd number of others"),
    ] {
        let error = Mesh::new(mesh).unwrap_err().to_string();
        assert!(error.starts_with(&format!("component of triangles[12] = {found}")), "{error}");
    }
    // An island in the cavity of a hollow cube.
    let hollow = together(&cube(2.0), &turned(&cube(1.0)));
    let island = Mesh::new(together(&hollow, &cube(0.5))).unwrap();
    assert!((island.moments().unwrap().volume - 57.0).abs() < 1e-12);
}

#[test]
fn a_cavity_is_outside() {
    let body = Mesh::new(together(&cube(2.0), &turned(&cube(1.0)))).unwrap();
    assert_eq!(body.signed_distance(&Vec3::zeros()).unwrap(), 1.0);
    assert_eq!(body.signed_distance(&Vec3::new(1.5, 0.0, 0.0)).unwrap(), -0.5);
    assert!((body.moments().unwrap().volume - 56.0).abs() < 1e-12);
    assert_eq!((body.euler_characteristic(), body.is_convex(1e-9).unwrap()), (4, false));
}

#[test]
fn a_mesh_turned_inside_out_or_open_is_refused() {
    let error = Mesh::new(turned(&cube(1.0))).unwrap_err().to_string();
    assert!(error.starts_with("volume = -8"), "{error}");
    let open = TriMesh::new(cube(1.0).vertices().to_vec(), cube(1.0).triangles()[1..].to_vec()).unwrap();
    assert!(matches!(Mesh::new(open), Err(GeomError::NonManifoldEdge { edge: [0, 2], .. })));
}

#[test]
fn convexity_is_told_from_dents_and_handles() {
    let body = |mesh: TriMesh| Mesh::new(mesh).unwrap();
    assert!(body(cube(1.0)).is_convex(0.0).unwrap());
    let ellipsoid = Ellipsoid::new([1.0, 0.7, 0.4]).unwrap().tessellate(1e-3).unwrap();
    // Its vertices are in convex position, its triangles cut corners of their hull by a few chords.
    assert!(body(ellipsoid).is_convex(5e-3).unwrap());
    assert!(!body(lumpy(5)).is_convex(1e-3).unwrap());
    assert!(!body(torus(1.0, 0.4, 24, 12)).is_convex(1e-3).unwrap());
    let dented = mapped(&cube(1.0), |v| if *v == Vec3::repeat(1.0) { v * 0.9 } else { *v });
    assert!(!body(dented.clone()).is_convex(1e-3).unwrap());
    assert!(body(dented).is_convex(0.5).unwrap());
}

#[test]
fn an_ellipsoid_of_triangles_answers_like_the_ellipsoid() {
    let exact = Ellipsoid::new([1.0, 0.8, 0.6]).unwrap();
    let body = Mesh::new(exact.tessellate(1e-4).unwrap()).unwrap();
    assert!((body.area().unwrap() / exact.area().unwrap() - 1.0).abs() < 1e-3);
    assert!((body.moments().unwrap().volume / exact.moments().unwrap().volume - 1.0).abs() < 1e-3);
    assert!((body.bounds().extents() - exact.bounds().extents()).norm() < 1e-3);
    for n in [Vec3::new(0.3, -0.5, 0.8), Vec3::x(), Vec3::new(-1.0, 1.0, 1.0)] {
        use crate::surface::Support;
        let wanted = exact.curvature_at_normal(&n).unwrap().kappa;
        let at_normal = body.curvature_at_normal(&n).unwrap().kappa;
        let at_point = body.curvature_at(&exact.support_point(&n)).unwrap().kappa;
        for i in 0..2 {
            // The farthest vertex is up to half an edge, some 0.02, from the point with this normal.
            assert!((at_normal[i] - wanted[i]).abs() < 0.05 * wanted[i], "{at_normal:?} {wanted:?}");
            assert!((at_point[i] - wanted[i]).abs() < 0.01 * wanted[i], "{at_point:?} {wanted:?}");
        }
    }
    let ([low, high], [least, greatest]) =
        (body.curvature_range().unwrap(), exact.curvature_range().unwrap());
    assert!((low / least - 1.0).abs() < 0.01 && (high / greatest - 1.0).abs() < 0.01);
}

#[test]
fn nan_is_answered_with_an_error() {
    let body = Mesh::new(cube(1.0)).unwrap();
    let nan = Vec3::new(0.0, f64::NAN, 0.0);
    let point = "point[1] = NaN: must be a finite number";
    assert_eq!(body.signed_distance(&nan).unwrap_err().to_string(), point);
    assert_eq!(body.curvature_at(&nan).unwrap_err().to_string(), point);
    let normal = body.curvature_at_normal(&nan).unwrap_err().to_string();
    assert!(normal.starts_with("normal[1] = NaN"), "{normal}");
    assert!(body.curvature_at_normal(&Vec3::zeros()).is_err());
    assert!(body.is_convex(f64::NAN).is_err() && body.is_convex(-1.0).is_err());
    assert!(body.tessellate(f64::NAN).is_err());
    assert_eq!(body.tessellate(1e-3).unwrap(), *body.mesh());
}
