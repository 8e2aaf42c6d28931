//! Checks that every open surface must pass.

use crate::surface::{Implicit, Parametric, ParametricJet, Surface};
use crate::{TriMesh, Vec3};
use std::collections::HashMap;

/// The derivative of `f` at zero by central differences of sixth order.
fn difference(step: f64, f: impl Fn(f64) -> Vec3) -> Vec3 {
    let pair = |k: f64| f(k * step) - f(-k * step);
    (pair(1.0) * 45.0 - pair(2.0) * 9.0 + pair(3.0)) / (60.0 * step)
}

/// ∇F and ∇²F against differences of F and ∇F, relative to the largest entry.
pub(crate) fn derivatives_match(s: &dyn Implicit, points: &[Vec3], step: f64, tolerance: f64) {
    for p in points {
        let (g, h) = (s.gradient(p), s.hessian(p));
        for i in 0..3 {
            let e = Vec3::ith(i, 1.0);
            let slope = difference(step, |d| Vec3::repeat(s.value(&(p + e * d)))).x;
            assert!((slope - g[i]).abs() < tolerance * g.norm(), "∂F/∂x{i} at {p:?}: {slope} {}", g[i]);
            let column = difference(step, |d| s.gradient(&(p + e * d)));
            assert!((column - h.column(i)).norm() < tolerance * h.norm(), "{p:?}: {column:?} {h:?}");
        }
    }
}

/// Points of the chart: inside the domain, off its borders and off the planes of symmetry.
pub(crate) fn samples(s: &dyn Parametric) -> Vec<[f64; 2]> {
    let d = s.domain();
    let mut list = Vec::new();
    for i in 0..7 {
        for j in 0..6 {
            let (f, g) = ((f64::from(i) + 0.37) / 7.0, (f64::from(j) + 0.41) / 6.0);
            list.push([d.u[0] + f * (d.u[1] - d.u[0]), d.v[0] + g * (d.v[1] - d.v[0])]);
        }
    }
    list
}

/// F = 0 and within the bounds, jet against differences, normals and curvatures of both views alike.
pub(crate) fn chart_agrees(s: &dyn Surface, tolerance: f64) {
    let (f, x) = (s.as_implicit().unwrap(), s.as_parametric().unwrap());
    for [u, v] in samples(x) {
        let jet = x.jet(u, v);
        let g = f.gradient(&jet.p);
        assert!(f.value(&jet.p).abs() < 1e-12 * (1.0 + g.norm() * jet.p.norm()), "F at {u} {v}");
        assert!(f.beyond_bounds(&jet.p) < 1e-12);
        assert!(s.bounds().fattened(1e-12).contains(&jet.p));
        let n = jet.normal().normalize();
        assert!((n - g.normalize()).norm() < 1e-10, "normal at {u} {v}: {n:?} {:?}", g.normalize());
        jet_matches(x, u, v, &jet);
        let (a, b) = (jet.curvature(), s.curvature_at(&jet.p).unwrap());
        let scale = a.kappa[0].abs().max(a.kappa[1].abs()).max(1e-3);
        for k in 0..2 {
            let off = (a.kappa[k] - b.kappa[k]).abs();
            assert!(off < tolerance * scale, "κ at {u} {v}: {:?} {:?}", a.kappa, b.kappa);
        }
        let off = (a.shape_operator() - b.shape_operator()).norm();
        assert!(off < 10.0 * tolerance * scale, "shape operator at {u} {v}");
    }
}

fn jet_matches(s: &dyn Parametric, u: f64, v: f64, j: &ParametricJet) {
    let step = 1e-3;
    let along_u = |pick: fn(&ParametricJet) -> Vec3| difference(step, |d| pick(&s.jet(u + d, v)));
    let along_v = |pick: fn(&ParametricJet) -> Vec3| difference(step, |d| pick(&s.jet(u, v + d)));
    let pairs = [
        (j.du, along_u(|j| j.p)),
        (j.dv, along_v(|j| j.p)),
        (j.duu, along_u(|j| j.du)),
        (j.duv, along_u(|j| j.dv)),
        (j.dvv, along_v(|j| j.dv)),
        (j.duuu, along_u(|j| j.duu)),
        (j.duuv, along_v(|j| j.duu)),
        (j.duvv, along_u(|j| j.dvv)),
        (j.dvvv, along_v(|j| j.dvv)),
    ];
    for (k, (exact, rough)) in pairs.iter().enumerate() {
        assert!(
            (exact - rough).norm() < 1e-7 * (1.0 + exact.norm()),
            "entry {k} at {u} {v}: {exact} {rough}"
        );
    }
}

/// Every edge belongs to two triangles that run along it in opposite directions.
pub(crate) fn is_closed(mesh: &TriMesh) -> bool {
    let mut edges: HashMap<(u32, u32), u32> = HashMap::new();
    for t in mesh.triangles() {
        for k in 0..3 {
            *edges.entry((t[k], t[(k + 1) % 3])).or_default() += 1;
        }
    }
    edges.iter().all(|(&(a, b), &count)| count == 1 && edges.get(&(b, a)) == Some(&1))
}

/// The mesh is closed and outward, no point of it is farther than `chord` from the boundary, it fills the bounds.
pub(crate) fn mesh_obeys(s: &dyn Surface, chord: f64) {
    let mesh = s.tessellate(chord).unwrap();
    assert!(is_closed(&mesh), "{}", s.kind());
    let f = s.as_implicit().unwrap();
    for i in 0..mesh.triangles().len() {
        let [a, b, c] = mesh.corners(i);
        for [p, q] in
            [[0.0, 0.0], [0.5, 0.5], [0.5, 0.0], [0.15, 0.0], [0.1, 0.8], [1.0 / 3.0; 2], [0.2, 0.1]]
        {
            let point = a + (b - a) * p + (c - a) * q;
            let flat = f.beyond_bounds(&point).abs();
            let off = if flat < 1e-9 { flat } else { distance(f, &point).min(flat) };
            assert!(off <= chord, "{}: {off} > {chord} at {point:?}", s.kind());
        }
    }
    let (exact, found) = (s.bounds(), mesh.bounds());
    assert!(exact.fattened(1e-12).encloses(&found), "{exact:?} {found:?}");
    assert!(found.fattened(chord).encloses(&exact), "{exact:?} {found:?}");
}

/// An upper bound of the distance to the unbounded surface: Newton's path along the gradient.
fn distance(f: &dyn Implicit, p: &Vec3) -> f64 {
    let mut q = *p;
    for _ in 0..30 {
        let (value, g) = (f.value(&q), f.gradient(&q));
        if value.abs() < 1e-6 * g.norm() {
            return (q - p).norm();
        }
        q -= g * (value / g.norm_squared());
    }
    f64::INFINITY
}

/// Area and moments against two meshes: the finer errs by at most `share` of the scale, and errs less unless its error
/// has cancelled, as it does between the hollow and the round parts of a saddle.
pub(crate) fn measures_converge(s: &dyn Surface, chord: f64, share: f64) {
    let (area, m) = (s.area().unwrap(), s.moments().unwrap());
    let size = s.bounds().diagonal();
    let errors = [8.0 * chord, chord].map(|chord| {
        let mesh = s.tessellate(chord).unwrap();
        let found = mesh.moments();
        [
            (mesh.area() / area - 1.0).abs(),
            (found.volume / m.volume - 1.0).abs(),
            (found.first - m.first).norm() / (m.volume * size),
            (found.second - m.second).norm() / m.second.norm(),
        ]
    });
    for k in 0..4 {
        let [coarse, fine] = [errors[0][k], errors[1][k]];
        assert!(
            fine < share && (fine < 0.5 * coarse || fine < 0.1 * share),
            "{} {k}: {coarse} {fine}",
            s.kind()
        );
    }
}

/// The curvature range contains every sampled curvature and is reached by one within `reach` of its width.
pub(crate) fn range_holds(s: &dyn Surface, reach: f64) {
    let [low, high] = s.curvature_range().unwrap();
    let x = s.as_parametric().unwrap();
    let d = x.domain();
    let mut met = [f64::INFINITY, f64::NEG_INFINITY];
    for i in 0..=99 {
        for j in 0..=99 {
            let at = |[a, b]: [f64; 2], k: i32| a + (b - a) * f64::from(k) / 99.0;
            let k = s.curvature_at(&x.point(at(d.u, i), at(d.v, j))).unwrap().kappa;
            met = [met[0].min(k[1]), met[1].max(k[0])];
        }
    }
    let room = 1e-9 * low.abs().max(high.abs());
    assert!(low <= met[0] + room && met[1] <= high + room, "{} {met:?} {low} {high}", s.kind());
    let width = (high - low).max(room);
    assert!(met[0] - low < reach * width && high - met[1] < reach * width, "{met:?} {low} {high}");
}
