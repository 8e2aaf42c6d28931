use super::catalog::all;
use super::sample::Random;
use rattleback_geom::Vec3;
use std::collections::HashMap;

#[test]
fn bounds_contain_the_surface_and_touch_it() {
    for entry in all() {
        let bounds = entry.surface.bounds();
        if !bounds.is_bounded() {
            continue;
        }
        let size = bounds.diagonal();
        let mesh = entry.surface.tessellate(1e-3 * size).unwrap();
        assert!(bounds.fattened(1e-12 * size).encloses(&mesh.bounds()), "{}", entry.name);
        let slack = (mesh.bounds().extents() - bounds.extents()).amax();
        assert!(slack < 2.1e-3 * size, "{}: bounds exceed the surface by {slack}", entry.name);
        if let Some(s) = entry.surface.as_support() {
            for k in 0..3 {
                let e = Vec3::ith(k, 1.0);
                assert!((s.support(&e) - bounds.max[k]).abs() < 1e-14 * size, "{}", entry.name);
                assert!((s.support(&-e) + bounds.min[k]).abs() < 1e-14 * size, "{}", entry.name);
            }
        }
    }
}

#[test]
fn tessellations_are_closed_and_turned_outwards() {
    for entry in all() {
        let bounds = entry.surface.bounds();
        if !bounds.is_bounded() {
            continue;
        }
        let mesh = entry.surface.tessellate(2e-3 * bounds.diagonal()).unwrap();
        let mut edges: HashMap<(u32, u32), i32> = HashMap::new();
        for t in mesh.triangles() {
            for k in 0..3 {
                *edges.entry((t[k], t[(k + 1) % 3])).or_default() += 1;
            }
        }
        for (&(a, b), &count) in &edges {
            assert_eq!(count, 1, "{}: edge ({a}, {b}) is used twice in one direction", entry.name);
            assert!(edges.contains_key(&(b, a)), "{}: edge ({a}, {b}) has one triangle only", entry.name);
        }
        let (exact, meshed) = (entry.surface.moments().unwrap().volume, mesh.moments().volume);
        assert!(meshed > 0.9 * exact && meshed < 1.1 * exact, "{}: volume {meshed} of {exact}", entry.name);
        // The Euler characteristic of the mesh is the surface's.
        if let Some(euler) = entry.euler {
            let chi = mesh.vertices().len() as i64 - edges.len() as i64 / 2 + mesh.triangles().len() as i64;
            assert_eq!(chi, euler as i64, "{}", entry.name);
        }
    }
}

#[test]
fn no_point_of_a_triangle_is_farther_from_the_surface_than_the_chord_error() {
    for entry in all() {
        let bounds = entry.surface.bounds();
        let Some(f) = entry.surface.as_implicit() else { continue };
        if !bounds.is_bounded() {
            continue;
        }
        let chord = 1e-3 * bounds.diagonal();
        let mesh = entry.surface.tessellate(chord).unwrap();
        let mut random = Random(10);
        for _ in 0..4000 {
            let t = (random.unit() * mesh.triangles().len() as f64) as usize;
            let [a, b, c] = mesh.corners(t);
            let (mut s, mut r) = (random.unit(), random.unit());
            if s + r > 1.0 {
                (s, r) = (1.0 - s, 1.0 - r);
            }
            let p = a + (b - a) * s + (c - a) * r;
            // Flat caps of a bounded solid lie on its bounding planes, inside the curved surface.
            if f.beyond_bounds(&p) > -1e-9 * bounds.diagonal() {
                continue;
            }
            // Walk along the gradient to the surface: the length of the way bounds the distance.
            let n = f.gradient(&p).normalize();
            let (inside, outside) = (f.value(&(p - n * chord)), f.value(&(p + n * chord)));
            assert!(inside < 0.0 && outside > 0.0, "{}: {p:?} is farther than the chord error", entry.name);
        }
    }
}

#[test]
fn no_point_of_a_triangle_of_a_surface_of_faces_is_farther_from_it_than_the_chord_error() {
    for entry in all().iter().filter(|entry| entry.surface.as_parametric().is_none()) {
        let Some(atlas) = entry.surface.as_atlas() else { continue };
        let chord = 2e-3 * entry.surface.bounds().diagonal();
        let mesh = entry.surface.tessellate(chord).unwrap();
        let mut random = Random(12);
        for _ in 0..300 {
            let [a, b, c] = mesh.corners((random.unit() * mesh.triangles().len() as f64) as usize);
            let (s, r) = (random.unit(), random.unit());
            let p = if s + r > 1.0 {
                b + c - a - (b - a) * s - (c - a) * r
            } else {
                a + (b - a) * s + (c - a) * r
            };
            let off = (atlas.jet(&atlas.locate(&p).unwrap()).unwrap().p - p).norm();
            assert!(off < chord, "{}: {off} of {chord}", entry.name);
        }
    }
}
