use super::atlases::bipyramid;
use super::walk::Walker;
use rattleback_geom::chart::{Atlas, Place};
use rattleback_geom::patch::{BezierPatch, PatchNet};
use rattleback_geom::subdivision::LoopSurface;

/// What a place may move by where it goes over an extraordinary vertex: a few times the cut of 1e-8 edges.
const JUMP: f64 = 5e-8;

#[test]
fn extraordinary_vertices_are_passed_straight_whether_hit_or_missed() {
    for n in [3, 4, 5, 7, 12] {
        let surface = LoopSurface::new(&bipyramid(n, 0.1)).unwrap();
        let vertex = surface.limit(0, 0).unwrap();
        for (s, t) in [(0.12, 0.05), (0.04, 0.14), (0.15, 0.0), (0.0, 0.15), (0.08, 0.08)] {
            for miss in [0.0, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-6, 1e-5, 1e-4, 1e-3] {
                let start = Place { chart: 0, u: s, v: t };
                // Straight towards the vertex in parameters, or beside it.
                let aside = if s >= t { miss } else { -miss };
                let aim = [-s - aside, -t + aside];
                let near = (0..60).map(|k| 0.5f64.powi(k)).map(|r| Place {
                    u: s + (1.0 - r) * aim[0],
                    v: t + (1.0 - r) * aim[1],
                    ..start
                });
                let last = near.take_while(|p| surface.inside(p) >= 0.0).last().unwrap();
                let jet = Atlas::jet(&surface, &last).unwrap();
                let heading = jet.du * aim[0] + jet.dv * aim[1];
                let mut walker = Walker::new(&surface, last, &heading);
                let into = walker.heading;
                for _ in 0..50 {
                    walker.step(0.0004).unwrap_or_else(|e| panic!("{n} {miss:e}: {e}"));
                }
                assert!(walker.longest_jump < JUMP, "{n} {miss:e}: {:e}", walker.longest_jump);
                let gone = Atlas::jet(&surface, &walker.place).unwrap().p - jet.p;
                let flat = gone - vertex.normal() * vertex.normal().dot(&gone);
                let straight = flat.normalize().dot(&into);
                assert!(straight > 0.98, "{n} ({s}, {t}) {miss:e}: {straight}");
            }
        }
    }
}

#[test]
fn regular_corners_are_passed_in_every_direction() {
    let surface = LoopSurface::new(&super::atlases::ring_mesh(false)).unwrap();
    for face in 0..surface.face_count() {
        for corner in 0..3 {
            let (u, v) = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)][corner];
            let place = Place { chart: face, u, v };
            let jet = Atlas::jet(&surface, &place).unwrap();
            for k in 0..24 {
                let (sin, cos) = (std::f64::consts::TAU * f64::from(k) / 24.0).sin_cos();
                let rates = rattleback_geom::Vec2::new(cos, sin);
                let next = surface.onward(&place, &rates).unwrap().unwrap();
                let there = Atlas::jet(&surface, &next).unwrap();
                assert!((jet.p - there.p).norm() < 1e-14);
                let r = super::atlases::rates(&there, &(jet.du * cos + jet.dv * sin));
                let ahead = Place { u: next.u + 1e-3 * r.x, v: next.v + 1e-3 * r.y, ..next };
                assert!(surface.inside(&ahead) >= -1e-12, "{place:?} {rates:?} {next:?}");
            }
        }
    }
}

#[test]
fn a_straight_line_over_planar_patches_stays_straight_at_corners_of_any_valence() {
    for n in [3, 4, 5, 7] {
        let net = super::atlases::fan(n);
        for k in 0..60 {
            let (sin, cos) = (std::f64::consts::TAU * f64::from(k) / 60.0).sin_cos();
            let w = rattleback_geom::Vec3::new(cos, sin, 0.0);
            for miss in [0.0, 1e-15, -1e-9, 1e-4] {
                let aside = rattleback_geom::Vec3::new(-sin, cos, 0.0) * miss;
                let mut walker = Walker::new(&net, net.locate(&(w * -0.3 + aside)).unwrap(), &w);
                for _ in 0..60 {
                    assert!(walker.step(0.01).unwrap_or_else(|e| panic!("{n} {k} {miss:e}: {e}")));
                }
                let end = net.jet(&walker.place).unwrap().p;
                // The walk follows the parameters of each step, which are not quite straight.
                assert!((end - w * 0.3 - aside).norm() < 3e-3, "{n} {k} {miss:e}: {end}");
            }
        }
    }
}

#[test]
fn poles_of_patches_are_passed_straight_whether_hit_or_missed() {
    let octants = [false, true]
        .into_iter()
        .flat_map(|below| (0..4).map(move |k| crate::patches::samples::octant(1.0, k, below)));
    let net = PatchNet::new(octants.collect()).unwrap();
    for u in [0.0, 0.2, 0.5, 0.9, 1.0] {
        for miss in [0.0, 1e-9, 1e-7, 1e-3] {
            let start = Place { chart: 1, u, v: 0.9 };
            let jet = net.jet(&start).unwrap();
            let north = rattleback_geom::Vec3::z();
            let aside = north.cross(&jet.p).normalize();
            let mut walker = Walker::new(&net, start, &(north + aside * miss));
            let from = jet.p;
            for _ in 0..60 {
                assert!(walker.step(0.005).unwrap_or_else(|e| panic!("{u} {miss:e}: {e}")));
            }
            assert!(walker.longest_jump < JUMP, "{:e}", walker.longest_jump);
            let end = net.jet(&walker.place).unwrap().p;
            // On the great circle, on the other side of the pole.
            assert!(end.xy().dot(&from.xy()) < 0.0, "{u} {miss:e}");
            assert!(aside.dot(&end).abs() < 0.01 + miss, "{u} {miss:e}: {}", aside.dot(&end));
        }
    }
}

#[test]
fn a_crease_is_an_error_and_a_border_the_end() {
    let square = |corners: [[f64; 3]; 4]| {
        BezierPatch::new([1, 1], corners.map(rattleback_geom::Vec3::from).to_vec()).unwrap()
    };
    let floor = square([[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0]]);
    let wall = square([[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [1.0, 0.0, 1.0], [1.0, 1.0, 1.0]]);
    let net = PatchNet::new(vec![floor, wall]).unwrap();
    let at = Place { chart: 0, u: 1.0, v: 0.5 };
    let way = rattleback_geom::Vec2::new(1.0, 0.2);
    let error = net.onward(&at, &way).unwrap_err().to_string();
    assert!(error.contains("normals of the patches 0 and 1 differ"), "{error}");
    assert_eq!(net.onward(&Place { u: 0.0, ..at }, &-way).unwrap(), None);
    assert_eq!(net.onward(&Place { u: 0.0, ..at }, &way).unwrap(), Some(Place { u: 0.0, ..at }));
}

#[test]
fn bodies_over_directions_have_derivatives_on_their_axes_and_go_on_at_the_corners_of_the_cube() {
    for entry in super::atlases::all().iter().filter(|e| e.atlas.chart_count() == 6 && e.atlas.is_convex()) {
        for chart in 0..6 {
            let at = |u: f64, v: f64| Place { chart, u, v };
            for tiny in [0.0, 1e-300, 1e-80, 1e-30, 1e-12] {
                let jet = entry.atlas.jet(&at(tiny, 0.3 * tiny));
                if entry.name == "superellipsoid 6, 2" && tiny < 1e-60 && chart >= 4 {
                    assert!(jet.unwrap_err().to_string().contains("no curvature at its pole"));
                    continue;
                }
                let jet = jet.unwrap();
                let second = [jet.p, jet.du, jet.dv, jet.duu, jet.duv, jet.dvv];
                assert!(
                    second.iter().all(|x| x.iter().all(|c| c.is_finite())),
                    "{} {chart} {tiny:e}",
                    entry.name
                );
                assert!(jet.normal().norm() > 0.0);
            }
            for (u, v) in [(1.2, 1.2), (-1.2, 1.2), (1.2, -1.0), (1.0, 1.2), (1.2, 0.0)] {
                let way = rattleback_geom::Vec2::new(u, v);
                let next = entry.atlas.onward(&at(u, v), &way).unwrap().unwrap();
                assert!(next.chart != chart && entry.atlas.inside(&next) > 0.08, "{} {next:?}", entry.name);
                let (a, b) = (entry.atlas.jet(&at(u, v)).unwrap(), entry.atlas.jet(&next).unwrap());
                assert!((a.p - b.p).norm() < 1e-15 && a.normal().dot(&b.normal()) > 0.0, "{}", entry.name);
            }
        }
    }
}

#[test]
fn a_vertex_without_derivatives_is_located_on_its_cut() {
    for n in [3, 4, 5, 7, 12] {
        let surface = LoopSurface::new(&bipyramid(n, 0.1)).unwrap();
        for (face, corner) in [(0, 0), (1, 0), (2, 1), (3, 2)] {
            let vertex = surface.limit(face, corner).unwrap().point;
            let found = surface.locate(&vertex).unwrap();
            let error = (Atlas::jet(&surface, &found).unwrap().p - vertex).norm();
            assert!(error < JUMP, "{n} {face} {corner}: {error:e}");
        }
    }
}

#[test]
fn a_place_near_a_vertex_but_not_at_its_cut_is_not_put_across() {
    let surface = LoopSurface::new(&bipyramid(12, 0.1)).unwrap();
    // On a side, along which it moves towards the vertex; the cut is 3e-11 from it.
    let place = Place { chart: 0, u: 5e-7, v: 1e-13 };
    let found = surface.onward(&place, &rattleback_geom::Vec2::new(-1.0, 0.0)).unwrap();
    assert_eq!(found, Some(place));
}
