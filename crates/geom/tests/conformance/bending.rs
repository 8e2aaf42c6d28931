//! How curvature changes along a surface, against differences of the shape operator along its charts.

use super::catalog::{Entry, all};
use super::difference::difference;
use super::sample::Random;
use rattleback_geom::Mat3;
use rattleback_geom::chart::Place;
use rattleback_geom::curvature::BendingRate;
use rattleback_geom::surface::{ParametricJet, TouchPoint};

/// The jet at parameters moved from a random place by the share s of a random way; none where there is none.
type Way<'a> = Box<dyn Fn(f64) -> Option<ParametricJet> + 'a>;

fn way<'a>(entry: &'a Entry, random: &mut Random) -> Option<Way<'a>> {
    let (du, dv) = (random.within(-1.0, 1.0), random.within(-1.0, 1.0));
    if let Some(parametric) = entry.surface.as_parametric() {
        let d = parametric.domain();
        let (u, v) = (random.within(d.u[0], d.u[1]), random.within(d.v[0], d.v[1]));
        return Some(Box::new(move |s| Some(parametric.jet(u + s * du, v + s * dv))));
    }
    let atlas = entry.surface.as_atlas()?;
    let cells = atlas.cells();
    let cell = cells[(random.unit() * cells.len() as f64) as usize];
    let middle = (cell.corners[0] + cell.corners[1] + cell.corners[2]) / 3.0;
    let place = move |s: f64| Place { chart: cell.chart, u: middle.x + s * du, v: middle.y + s * dv };
    Some(Box::new(move |s| atlas.jet(&place(s)).ok()))
}

fn examine(entry: &Entry, way: &Way<'_>) -> bool {
    let Some(jet) = way(0.0).filter(|jet| entry.is_regular(&jet.p)) else { return false };
    let (point, normal) = (jet.p, jet.normal().normalize());
    let Ok(curvature) = entry.surface.curvature_at_touch(&point, &normal) else { return false };
    let h = 1e-3;
    let flow = |s: f64| way(s).map_or(Mat3::repeat(f64::NAN), |jet| jet.curvature().shape_operator());
    let dp = difference(h, |s| way(s).map_or(jet.p * f64::NAN, |jet| jet.p));
    let dn = curvature.shape_operator() * dp;
    let expected = curvature.entries(&difference(h, flow));
    if !expected.iter().all(|x| x.is_finite()) || entry.surface.has_seam_at(&point, &normal) {
        return false;
    }
    let [k1, k2] = curvature.kappa;
    let found = match entry.surface.bending_rate(&TouchPoint { point, normal, curvature }, &dp, &dn) {
        Some(BendingRate::Curvatures(m)) => m,
        Some(BendingRate::Radii([a, b, c])) => [-k1 * k1 * a, -k1 * k2 * b, -k2 * k2 * c],
        other => panic!("{}: {other:?} at {point:?}", entry.name),
    };
    let scale = (k1.abs() + k2.abs()) * (dn.norm() + dp.norm() / entry.surface.bounds().diagonal().min(1e3))
        + expected.iter().map(|x| x.abs()).sum::<f64>();
    for k in 0..3 {
        let error = (found[k] - expected[k]).abs();
        assert!(error <= 1e-6 * scale, "{}: {found:?} {expected:?} at {point:?}", entry.name);
    }
    true
}

#[test]
fn bending_rates_agree_with_differences_of_the_shape_operator() {
    for entry in all() {
        let mut random = Random(31);
        let mut done = 0;
        for _ in 0..120 {
            let Some(way) = way(&entry, &mut random) else { break };
            done += usize::from(examine(&entry, &way));
        }
        let charted = entry.surface.as_parametric().is_some() || entry.surface.as_atlas().is_some();
        assert!(!charted || done > 20, "{}: {done} places", entry.name);
    }
}
