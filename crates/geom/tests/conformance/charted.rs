use super::catalog::{Entry, all};
use super::sample::Random;
use rattleback_geom::chart::{Atlas, Place};
use rattleback_geom::surface::ParametricJet;

/// A place of a random cell.
fn place(atlas: &dyn Atlas, random: &mut Random) -> Place {
    let cells = atlas.cells();
    let cell = cells[(random.unit() * cells.len() as f64) as usize];
    let (mut a, mut b) = (random.unit(), random.unit());
    if a + b > 1.0 {
        (a, b) = (1.0 - a, 1.0 - b);
    }
    let [o, p, q] = cell.corners;
    let at = o + (p - o) * a + (q - o) * b;
    Place { chart: cell.chart, u: at.x, v: at.y }
}

/// Jets at random places of every bounded surface that has charts.
fn visit(count: usize, mut check: impl FnMut(&Entry, &ParametricJet)) {
    for entry in all() {
        let Some(atlas) = entry.surface.as_atlas() else { continue };
        if !entry.surface.bounds().is_bounded() {
            continue;
        }
        let mut random = Random(21);
        for _ in 0..count {
            check(&entry, &atlas.jet(&place(atlas, &mut random)).unwrap());
        }
    }
}

#[test]
fn places_lie_within_the_bounds() {
    visit(500, |entry, jet| {
        let bounds = entry.surface.bounds();
        assert!(bounds.fattened(1e-12 * bounds.diagonal()).contains(&jet.p), "{}: {}", entry.name, jet.p);
    });
}

#[test]
fn curvature_at_a_point_is_that_of_its_place() {
    visit(100, |entry, jet| {
        if !entry.is_regular(&jet.p) {
            return;
        }
        let (found, expected) = (entry.surface.curvature_at(&jet.p).unwrap().kappa, jet.curvature().kappa);
        let scale = expected[0].abs() + expected[1].abs();
        let error = (found[0] - expected[0]).abs() + (found[1] - expected[1]).abs();
        assert!(error < 1e-8 * scale, "{}: {found:?} {expected:?}", entry.name);
    });
}

#[test]
fn curvatures_lie_within_their_range() {
    for entry in all() {
        let Some(atlas) = entry.surface.as_atlas() else { continue };
        let Ok([least, greatest]) = entry.surface.curvature_range() else { continue };
        if !entry.surface.bounds().is_bounded() {
            continue;
        }
        let mut random = Random(22);
        for _ in 0..500 {
            let kappa = atlas.jet(&place(atlas, &mut random)).unwrap().curvature().kappa;
            let slack = 1e-6 * (kappa[0].abs() + kappa[1].abs());
            for k in kappa {
                assert!(k > least - slack && k < greatest + slack, "{}: {k} {least} {greatest}", entry.name);
            }
        }
    }
}
