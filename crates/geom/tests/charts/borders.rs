use super::atlases::{all, along, bipyramid, place, rates, ring_mesh, way};
use super::walk::Walker;
use crate::conformance::sample::Random;
use rattleback_geom::Vec2;
use rattleback_geom::chart::{Atlas, Place};
use rattleback_geom::subdivision::LoopSurface;

#[test]
fn the_way_over_a_border_keeps_point_normal_direction_and_curvature() {
    for entry in all() {
        let atlas = entry.atlas.as_ref();
        let mut random = Random(31);
        let mut crossed = 0;
        for _ in 0..400 {
            let heading = way(&mut random);
            let Some(border) = along(atlas, &place(atlas, &mut random), &heading, 0.0) else { continue };
            let Some(next) = atlas.onward(&border, &heading).unwrap() else { continue };
            let (a, b) = (atlas.jet(&border).unwrap(), atlas.jet(&next).unwrap());
            let jump = (a.p - b.p).norm();
            if entry.name == "octants" && border.v.min(1.0 - border.v) < 2e-8 {
                // Over a pole, from cut to cut.
                assert!(jump < 5e-8, "{border:?} {next:?} {jump:e}");
                continue;
            }
            assert!(jump < 1e-14 * (1.0 + a.p.norm()), "{}: {border:?} {next:?} {jump:e}", entry.name);
            let (m, n) = (a.normal().normalize(), b.normal().normalize());
            // At corners that are not at the origin parameters keep 16 digits of one.
            assert!((m - n).norm() < 1e-10, "{}: {border:?} {next:?} {:e}", entry.name, (m - n).norm());
            assert!(atlas.inside(&next) >= -1e-15, "{}", entry.name);
            // The same velocity leads into the new chart.
            let w = a.du * heading.x + a.dv * heading.y;
            let r = rates(&b, &w);
            assert!((b.du * r.x + b.dv * r.y - w).norm() < 1e-9 * w.norm(), "{}", entry.name);
            let ahead = Place { u: next.u + 1e-7 * r.x, v: next.v + 1e-7 * r.y, ..next };
            assert!(atlas.inside(&ahead) > atlas.inside(&next).min(0.0), "{}: {border:?}", entry.name);
            if entry.curved && entry.is_regular(&a.p) {
                let (k, l) = (a.curvature().kappa, b.curvature().kappa);
                let scale = k[0].abs() + k[1].abs();
                let error = (k[0] - l[0]).abs() + (k[1] - l[1]).abs();
                assert!(error < 1e-6 * scale + 1e-12, "{}: {border:?} {k:?} {l:?}", entry.name);
            }
            crossed += 1;
        }
        let endless = atlas.inside(&place(atlas, &mut random)).is_infinite();
        assert!(crossed > 100 || endless || !entry.closed, "{}: {crossed}", entry.name);
    }
}

#[test]
fn a_walk_of_ten_thousand_steps_crosses_borders_and_never_gets_stuck() {
    for entry in all().into_iter().filter(|e| e.closed) {
        let atlas = entry.atlas.as_ref();
        let mut random = Random(32);
        let mut walker = Walker::new(atlas, place(atlas, &mut random), &random.direction());
        for k in 0..10_000 {
            // Now and then in another direction, so that the walk is no closed orbit.
            if k % 500 == 499 {
                walker.turn(&random.direction());
            }
            walker.step(0.01).unwrap_or_else(|e| panic!("{} after {k} steps: {e}", entry.name));
        }
        let endless = atlas.inside(&walker.place).is_infinite();
        assert!(walker.crossings > 20 || endless, "{}: {}", entry.name, walker.crossings);
        assert!(walker.longest_jump < 1e-7, "{}: {:e}", entry.name, walker.longest_jump);
    }
}

#[test]
fn tangent_planes_and_curvatures_go_on_across_every_side_of_a_loop_surface() {
    let corners = [Vec2::new(0.0, 0.0), Vec2::new(1.0, 0.0), Vec2::new(0.0, 1.0)];
    for mesh in [ring_mesh(true), bipyramid(3, 0.2), bipyramid(5, 0.2), bipyramid(12, 0.2)] {
        let surface = LoopSurface::new(&mesh).unwrap();
        for chart in 0..surface.face_count() {
            for side in 0..3 {
                let (a, b) = (corners[side], corners[(side + 1) % 3]);
                let out = Vec2::new((b - a).y, -(b - a).x);
                for share in [1e-3, 0.1, 0.37, 0.5, 0.92, 0.999] {
                    let p = a + (b - a) * share;
                    let border = Place { chart, u: p.x, v: p.y };
                    let next = surface.onward(&border, &out).unwrap().unwrap();
                    assert!(next.chart != chart);
                    let here = Atlas::jet(&surface, &border).unwrap();
                    let there = Atlas::jet(&surface, &next).unwrap();
                    assert!((here.p - there.p).norm() < 1e-14);
                    let turn = (here.normal().normalize() - there.normal().normalize()).norm();
                    assert!(turn < 1e-11, "{border:?}: {turn:e}");
                    let (k, l) = (here.curvature().kappa, there.curvature().kappa);
                    let scale = k[0].abs() + k[1].abs();
                    assert!(
                        (k[0] - l[0]).abs() + (k[1] - l[1]).abs() < 1e-6 * scale,
                        "{border:?} {k:?} {l:?}"
                    );
                }
            }
        }
    }
}
