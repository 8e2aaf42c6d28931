//! Order of convergence on smooth bodies, and meshes too coarse for it.

use super::*;
use crate::mesh::samples::{Random, cube, grid, mapped, torus_point};
use crate::surface::{Ellipsoid, Sphere, Surface};
use std::cell::RefCell;
use std::f64::consts::TAU;

/// The largest error of either curvature over all vertices that have `exact` ones.
fn error(mesh: &TriMesh, exact: impl Fn(&Vec3) -> Option<[f64; 2]>) -> f64 {
    let estimate = VertexCurvature::new(mesh);
    let mut worst = 0f64;
    for (v, p) in mesh.vertices().iter().enumerate() {
        if let Some(exact) = exact(p) {
            let found = estimate.at_vertex(v).unwrap().kappa;
            worst = worst.max((found[0] - exact[0]).abs()).max((found[1] - exact[1]).abs());
        }
    }
    worst
}

#[test]
fn curvature_converges_with_second_order_on_a_sphere() {
    let sphere = Sphere::new(0.5).unwrap();
    // A quarter of the chord halves the edges.
    let errors = [4e-3, 1e-3, 2.5e-4].map(|c| error(&sphere.tessellate(c).unwrap(), |_| Some([2.0, 2.0])));
    assert!(errors[2] < 0.02, "{errors:?}");
    assert!(errors[0] > 3.0 * errors[1] && errors[1] > 3.0 * errors[2], "{errors:?}");
}

#[test]
fn curvature_converges_on_an_ellipsoid_with_triangles_of_all_shapes() {
    let body = Ellipsoid::new([1.0, 0.7, 0.4]).unwrap();
    let exact = |p: &Vec3| Some(body.curvature_at(p).unwrap().kappa);
    let errors = [1.6e-3, 4e-4, 1e-4].map(|c| error(&body.tessellate(c).unwrap(), exact));
    assert!(errors[2] < 0.05 * 6.25, "{errors:?}");
    assert!(errors[0] > 2.5 * errors[1] && errors[1] > 2.5 * errors[2], "{errors:?}");
}

#[test]
fn curvature_converges_on_a_torus_with_both_signs_and_a_ragged_grid() {
    let exact = |p: &Vec3| {
        let ring = p.x.hypot(p.y);
        Some([2.0, (ring - 2.0) / (0.5 * ring)])
    };
    let errors = [24, 48, 96].map(|n| {
        let random = RefCell::new(Random(7));
        let jitter =
            |x: f64, cells: usize| TAU * (x + 0.3 * (random.borrow_mut().unit() - 0.5) / cells as f64);
        let mesh = grid(3 * n, n, [true, true], |u, v| torus_point(2.0, 0.5, jitter(u, 3 * n), jitter(v, n)));
        error(&mesh, exact)
    });
    assert!(errors[2] < 0.02, "{errors:?}");
    assert!(errors[0] > 3.0 * errors[1] && errors[1] > 3.0 * errors[2], "{errors:?}");
}

#[test]
fn a_saddle_has_one_curvature_of_each_sign_and_its_directions() {
    let mesh = grid(40, 40, [false, false], |u, v| {
        let (x, y) = (0.5 * u - 0.25, 0.5 * v - 0.25);
        Vec3::new(x, y, x * x - 0.5 * y * y)
    });
    let middle = mesh.vertices().iter().position(|v| v.norm() < 1e-12).unwrap();
    let found = VertexCurvature::new(&mesh).at_vertex(middle).copied().unwrap();
    // The outer normal is +z, so that the surface is hollow along x.
    assert!((found.kappa[0] - 1.0).abs() < 1e-8 && (found.kappa[1] + 2.0).abs() < 1e-8, "{found:?}");
    assert!(found.direction[0].y.abs() > 1.0 - 1e-9, "{found:?}");
}

#[test]
fn curvature_is_one_over_length_and_does_not_care_where_the_mesh_is() {
    let mesh = Sphere::new(1.0).unwrap().tessellate(1e-3).unwrap();
    let small = mapped(&mesh, |v| v * 1e-3 + Vec3::new(5.0, -7.0, 2.0));
    let [a, b] = [VertexCurvature::new(&mesh).range(), VertexCurvature::new(&small).range()];
    assert!((a[0] - b[0] * 1e-3).abs() < 1e-6 && (a[1] - b[1] * 1e-3).abs() < 1e-6, "{a:?} {b:?}");
}

#[test]
fn the_eight_corners_of_a_cube_and_a_lone_triangle_get_finite_estimates() {
    let [low, high] = VertexCurvature::new(&cube(1.0)).range();
    assert!(low > 0.0 && high < 2.0, "{low} {high}");
    let lone = TriMesh::new(vec![Vec3::zeros(), Vec3::x(), Vec3::y()], vec![[0, 1, 2]]).unwrap();
    assert_eq!(VertexCurvature::new(&lone).range(), [0.0, 0.0]);
}

#[test]
fn the_pole_of_a_globe_with_many_meridians_is_no_exception() {
    let sphere = |u: f64, v: f64| {
        let (sin, cos) = (TAU * 0.5 * v).sin_cos();
        Vec3::new(sin * (TAU * u).cos(), sin * (TAU * u).sin(), -cos)
    };
    // The grid leaves out the poles; fans close it.
    let (meridians, rows) = (200u32, 40);
    let body = grid(meridians as usize, rows, [true, false], |u, v| sphere(u, (v * 38.0 + 1.0) / 40.0));
    let (mut vertices, mut triangles) = (body.vertices().to_vec(), body.triangles().to_vec());
    let last = vertices.len() as u32;
    vertices.extend([-Vec3::z(), Vec3::z()]);
    for i in 0..meridians {
        let next = (i + 1) % meridians;
        triangles.push([last, next, i]);
        triangles.push([last + 1, last - meridians + i, last - meridians + next]);
    }
    let mesh = TriMesh::new(vertices, triangles).unwrap();
    assert!(error(&mesh, |_| Some([1.0, 1.0])) < 0.02);
}
