//! Tessellations: closed, turned outwards, within their chord error, of the right genus.

use super::samples::{bounded, cube};
use rattleback_geom::surface::Surface;
use rattleback_geom::{TriMesh, Vec3};
use std::collections::HashMap;

/// Every directed edge once, its opposite once.
fn assert_closed(mesh: &TriMesh, context: &str) {
    let mut edges: HashMap<(u32, u32), usize> = HashMap::new();
    for t in mesh.triangles() {
        for k in 0..3 {
            *edges.entry((t[k], t[(k + 1) % 3])).or_default() += 1;
        }
    }
    for (&(a, b), &count) in &edges {
        assert_eq!((count, edges.get(&(b, a))), (1, Some(&1)), "{context}: edge {a} {b}");
    }
    let euler = mesh.vertices().len() as i64 - edges.len() as i64 / 2 + mesh.triangles().len() as i64;
    let expected = if context.starts_with("Torus") { 0 } else { 2 };
    assert_eq!(euler, expected, "{context}");
}

/// The distance of a point in or near the body from its surface.
fn distance(body: &dyn Surface, p: &Vec3) -> f64 {
    let b = body.bounds();
    let rho = p.x.hypot(p.y);
    match body.kind() {
        "cylinder" => (rho - b.max.x).abs().min((p.z.abs() - b.max.z).abs()),
        "capsule" => {
            let l = b.max.z - b.max.x;
            (Vec3::new(p.x, p.y, p.z - p.z.clamp(-l, l)).norm() - b.max.x).abs()
        }
        kind => {
            let tube = ((rho - (b.max.x - b.max.z)).hypot(p.z) - b.max.z).abs();
            if kind == "half_torus" { tube.min(p.y.abs()) } else { tube }
        }
    }
}

#[test]
fn meshes_are_closed_and_have_the_genus_of_their_body() {
    for body in bounded() {
        let size = body.bounds().diagonal();
        for chord in [1e-4, 1e-2, 10.0] {
            let mesh = body.tessellate(chord * size).unwrap();
            assert_closed(&mesh, &format!("{body:?} {chord}"));
            assert!(mesh.moments().volume > 0.0, "{body:?} {chord}");
        }
    }
}

#[test]
fn no_point_of_a_mesh_is_farther_from_the_surface_than_the_chord_error() {
    for body in bounded() {
        let size = body.bounds().diagonal();
        for chord in [3e-4, 1e-2, 5e-2] {
            let mesh = body.tessellate(chord * size).unwrap();
            let mut worst = 0f64;
            for i in 0..mesh.triangles().len() {
                let [a, b, c] = mesh.corners(i);
                for n in 0..20 {
                    let [s, t, _] = cube(n);
                    let (s, t) = if s + t > 1.0 { (1.0 - s, 1.0 - t) } else { (s, t) };
                    worst = worst.max(distance(&*body, &(a + (b - a) * s + (c - a) * t)));
                }
                for (p, q) in [(a, b), (b, c), (c, a)] {
                    worst = worst.max(distance(&*body, &((p + q) * 0.5)));
                }
            }
            assert!(worst <= chord * size, "{body:?} {chord} {worst}");
            // The error is used, not undercut by orders of magnitude, once the mesh is fine.
            assert!(chord > 1e-3 || worst > 0.2 * chord * size, "{body:?} {chord} {worst}");
        }
    }
}

#[test]
fn faces_turn_outwards() {
    for body in bounded() {
        let f = body.as_implicit().unwrap();
        let mesh = body.tessellate(1e-3 * body.bounds().diagonal()).unwrap();
        for i in 0..mesh.triangles().len() {
            let corners = mesh.corners(i);
            let n = mesh.area_vector(i);
            let middle = (corners[0] + corners[1] + corners[2]) / 3.0;
            let cap = body.kind() == "cylinder" && corners.iter().all(|p| p.z == corners[0].z);
            let disc = body.kind() == "half_torus" && corners.iter().all(|p| p.y == 0.0);
            let faces_out = match (cap, disc) {
                (true, _) => n.x == 0.0 && n.y == 0.0 && n.z * middle.z > 0.0,
                (_, true) => n.x == 0.0 && n.z == 0.0 && n.y < 0.0,
                _ => n.dot(&f.gradient(&middle)) > 0.0,
            };
            assert!(faces_out, "{body:?} {middle} {n}");
        }
    }
}

#[test]
fn a_chord_error_that_is_no_length_or_asks_for_too_much_is_refused() {
    for body in bounded() {
        for chord in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let error = body.tessellate(chord).unwrap_err().to_string();
            assert!(error.starts_with("chord = "), "{body:?} {error}");
        }
        let error = body.tessellate(1e-300).unwrap_err().to_string();
        assert!(error.contains("at most 4000000 triangles"), "{body:?} {error}");
    }
}
