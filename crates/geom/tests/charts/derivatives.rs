use super::atlases::{Entry, all, along, place, way};
use crate::conformance::sample::Random;
use rattleback_geom::Vec3;
use rattleback_geom::chart::{MARGIN, Place};

/// Every derivative against central differences of the one below it.
fn check(entry: &Entry, at: &Place) {
    let jet = |u: f64, v: f64| {
        let place = Place { u: at.u + u, v: at.v + v, ..*at };
        let j = entry.atlas.jet(&place).unwrap();
        [j.p, j.du, j.dv, j.duu, j.duv, j.dvv, j.duuu, j.duuv, j.duvv, j.dvvv]
    };
    let h = 2e-6;
    let here = jet(0.0, 0.0);
    let scale = here.iter().map(Vec3::norm).sum::<f64>();
    let (right, left) = (jet(h, 0.0), jet(-h, 0.0));
    let (up, down) = (jet(0.0, h), jet(0.0, -h));
    for (low, along_u, along_v) in [(0, 1, 2), (1, 3, 4), (2, 4, 5), (3, 6, 7), (4, 7, 8), (5, 8, 9)] {
        let du = ((right[low] - left[low]) / (2.0 * h) - here[along_u]).norm();
        let dv = ((up[low] - down[low]) / (2.0 * h) - here[along_v]).norm();
        assert!(du < 1e-6 * scale, "{}: {along_u} at {at:?} errs by {du:e} of {scale:e}", entry.name);
        assert!(dv < 1e-6 * scale, "{}: {along_v} at {at:?} errs by {dv:e} of {scale:e}", entry.name);
    }
}

#[test]
fn derivatives_agree_with_differences_in_charts_and_beyond_their_borders() {
    for entry in all() {
        let atlas = entry.atlas.as_ref();
        let mut random = Random(21);
        let (mut within, mut beyond) = (0, 0);
        for _ in 0..300 {
            let at = place(atlas, &mut random);
            if atlas.inside(&at) > 1e-3 && entry.is_regular(&atlas.jet(&at).unwrap().p) {
                check(&entry, &at);
                within += 1;
            }
            let level = -random.within(0.0, MARGIN - 1e-4);
            let Some(out) = along(atlas, &at, &way(&mut random), level) else { continue };
            if entry.is_regular(&atlas.jet(&out).unwrap().p) {
                check(&entry, &out);
                beyond += 1;
            }
        }
        assert!(within > 100, "{}", entry.name);
        assert!(beyond > 100 || atlas.inside(&place(atlas, &mut random)).is_infinite(), "{}", entry.name);
    }
}

#[test]
fn normals_point_out_of_the_solid() {
    for entry in all() {
        let atlas = entry.atlas.as_ref();
        let mut random = Random(22);
        let cells = atlas.cells();
        // Volume and flux of the cells by the divergence theorem: positive where normals point outwards.
        let flux: f64 = cells
            .iter()
            .map(|cell| {
                let [a, b, c] = cell.corners;
                let middle = (a + b + c) / 3.0;
                let jet = atlas.jet(&Place { chart: cell.chart, u: middle.x, v: middle.y }).unwrap();
                let area = 0.5 * (b - a).perp(&(c - a));
                assert!(area > 0.0, "{}: {cell:?}", entry.name);
                jet.p.dot(&jet.normal()) * area
            })
            .sum();
        assert!(flux > 0.0 || cells.is_empty() || !entry.closed, "{}", entry.name);
        if atlas.is_convex() {
            for _ in 0..100 {
                let (here, there) = (place(atlas, &mut random), place(atlas, &mut random));
                let jet = atlas.jet(&here).unwrap();
                let other = atlas.jet(&there).unwrap().p;
                assert!(jet.normal().dot(&(other - jet.p)) <= 1e-12, "{}", entry.name);
            }
        }
    }
}

#[test]
fn places_that_are_none_are_refused() {
    for entry in all() {
        let atlas = entry.atlas.as_ref();
        let good = place(atlas, &mut Random(23));
        let nan = Place { u: f64::NAN, ..good };
        let rates = rattleback_geom::Vec2::new(1.0, 0.0);
        assert!(atlas.jet(&nan).unwrap_err().to_string().contains("NaN"), "{}", entry.name);
        assert!(atlas.inside(&nan).is_nan(), "{}", entry.name);
        assert!(atlas.onward(&nan, &rates).is_err(), "{}", entry.name);
        assert!(atlas.onward(&good, &rattleback_geom::Vec2::new(f64::NAN, 0.0)).is_err(), "{}", entry.name);
        assert!(atlas.locate(&Vec3::new(0.0, f64::NAN, 1.0)).is_err(), "{}", entry.name);
        let absent = Place { chart: atlas.chart_count(), ..good };
        assert!(atlas.jet(&absent).unwrap_err().to_string().starts_with("chart = "), "{}", entry.name);
        let far = Place { u: 7.0, ..good };
        assert!(atlas.jet(&far).is_err() || atlas.inside(&far).is_infinite(), "{}", entry.name);
    }
}
