use super::atlases::{all, place};
use crate::conformance::sample::Random;
use rattleback_geom::chart::{Atlas, Cell, Place};
use rattleback_geom::patch::BezierPatch;
use rattleback_geom::{Vec2, Vec3};

#[test]
fn random_places_are_found_again_from_their_points() {
    for entry in all() {
        let atlas = entry.atlas.as_ref();
        let mut random = Random(41);
        for _ in 0..100 {
            let at = place(atlas, &mut random);
            let jet = atlas.jet(&at).unwrap();
            let found = atlas.locate(&jet.p).unwrap_or_else(|e| panic!("{} {at:?}: {e}", entry.name));
            let error = (atlas.jet(&found).unwrap().p - jet.p).norm();
            assert!(error < 1e-12, "{}: {at:?} {found:?} {error:e}", entry.name);
        }
    }
}

#[test]
fn the_place_nearest_to_a_point_off_the_surface_lies_along_the_normal() {
    for entry in all() {
        let atlas = entry.atlas.as_ref();
        let mut random = Random(42);
        for _ in 0..50 {
            let at = place(atlas, &mut random);
            let jet = atlas.jet(&at).unwrap();
            let n = jet.normal().normalize();
            let kappa = jet.curvature().kappa.map(f64::abs);
            let height = random.within(-1.0, 1.0) * (0.02 / (1.0 + kappa[0].max(kappa[1]))).min(0.005);
            let found = atlas.locate(&(jet.p + n * height)).unwrap();
            let error = (atlas.jet(&found).unwrap().p - jet.p).norm();
            // The point along the normal is nearest unless another part of the surface is.
            let distance = (atlas.jet(&found).unwrap().p - jet.p - n * height).norm();
            assert!(error < 1e-9 || distance < height.abs(), "{}: {at:?} {found:?} {error:e}", entry.name);
        }
    }
}

#[test]
fn cells_cover_every_face_up_to_its_cuts_and_lie_within_it() {
    for entry in all() {
        let atlas = entry.atlas.as_ref();
        let mut area = vec![0.0; atlas.chart_count()];
        for cell in atlas.cells() {
            let [a, b, c] = cell.corners;
            area[cell.chart] += 0.5 * (b - a).perp(&(c - a));
            for p in cell.corners {
                let inside = atlas.inside(&Place { chart: cell.chart, u: p.x, v: p.y });
                assert!(inside >= -1e-15, "{}: {cell:?}", entry.name);
            }
        }
        let whole = match entry.name.as_str() {
            "plane" => 0.0,
            "torus" => std::f64::consts::TAU.powi(2),
            name if name.starts_with("Loop") => 0.5,
            name if name.starts_with("S-patch") => {
                let n: f64 = name[8..].parse().unwrap();
                0.5 * n * (std::f64::consts::TAU / n).sin()
            }
            _ if atlas.is_convex() => 4.0,
            _ => 1.0,
        };
        for found in area {
            // The greatest cuts are 1e-4 wide, at vertices of three faces.
            assert!((found - whole).abs() < 2e-8, "{}: {found} instead of {whole}", entry.name);
        }
    }
}

#[test]
fn points_of_round_bodies_in_any_direction_lie_in_a_cell() {
    for entry in all().iter().filter(|e| e.atlas.is_convex() && e.name != "plane") {
        let atlas = entry.atlas.as_ref();
        let cells = atlas.cells();
        let mut random = Random(43);
        for _ in 0..200 {
            let d = random.direction();
            let at = atlas.locate(&(d * 0.3)).or_else(|_| atlas.locate(&(d * 2.0))).unwrap();
            let p = Vec2::new(at.u, at.v);
            let holds = |cell: &Cell| {
                let side = |k: usize| {
                    let (a, b) = (cell.corners[k], cell.corners[(k + 1) % 3]);
                    (b - a).perp(&(p - a)) >= -1e-12
                };
                cell.chart == at.chart && (0..3).all(side)
            };
            // Newton's method may have ended a little beyond the face, still within its chart.
            assert!(cells.iter().any(holds) || at.u.abs().max(at.v.abs()) > 1.0, "{}: {at:?}", entry.name);
        }
    }
}

#[test]
fn points_beyond_the_end_of_a_patch_are_located_on_its_border() {
    let patch = BezierPatch::new([1, 1], vec![Vec3::zeros(), Vec3::y(), Vec3::x(), Vec3::new(1.0, 1.0, 0.0)])
        .unwrap();
    for (p, u, v) in [
        (Vec3::new(0.4, -0.05, 0.01), 0.4, 0.0),
        (Vec3::new(1.02, 0.7, 0.0), 1.0, 0.7),
        (Vec3::new(-0.1, -0.03, 0.02), 0.0, 0.0),
        (Vec3::new(1.1, 1.2, 0.02), 1.0, 1.0),
    ] {
        let found = patch.locate(&p).unwrap();
        assert!((found.u - u).hypot(found.v - v) < 1e-9, "{p} {found:?}");
    }
}
