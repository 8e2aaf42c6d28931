//! Random points, well-known patches and the comparison of jets with differences.
#![allow(dead_code, reason = "two test programs share it, and each uses its part")]

pub use crate::conformance::sample::Random;
use rattleback_geom::Vec3;
use rattleback_geom::patch::{BezierPatch, NurbsSurface};
use rattleback_geom::surface::ParametricJet;

pub fn binomial(n: usize, k: usize) -> f64 {
    (0..k).map(|i| (n - i) as f64 / (i + 1) as f64).product()
}

/// A patch over the unit square with random heights and sideways shifts.
pub fn random_patch(degree: [usize; 2], rational: bool, random: &mut Random) -> BezierPatch {
    let [p, q] = degree;
    let mut control = Vec::new();
    for i in 0..=p {
        for j in 0..=q {
            let place = Vec3::new(i as f64 / p as f64, j as f64 / q as f64, 0.0);
            control.push(place + random.point() * 0.3);
        }
    }
    if rational {
        let weights = control.iter().map(|_| random.within(0.5, 2.0)).collect();
        BezierPatch::rational(degree, control, weights).unwrap()
    } else {
        BezierPatch::new(degree, control).unwrap()
    }
}

/// The derivatives in the order du, dv, duu, duv, dvv, duuu, duuv, duvv, dvvv.
pub fn parts(x: &ParametricJet) -> [Vec3; 9] {
    [x.du, x.dv, x.duu, x.duv, x.dvv, x.duuu, x.duuv, x.duvv, x.dvvv]
}

/// The central difference of sixth order: its error is h⁶f⁽⁷⁾/140.
fn difference(h: f64, f: impl Fn(f64) -> Vec3) -> Vec3 {
    let pair = |k: f64| f(k * h) - f(-k * h);
    (pair(1.0) * 45.0 - pair(2.0) * 9.0 + pair(3.0)) / (60.0 * h)
}

/// Every derivative against differences of the one below it.
pub fn assert_derivatives(x: impl Fn(f64, f64) -> ParametricJet, u: f64, v: f64) {
    let jet = x(u, v);
    let along_u = |part: fn(&ParametricJet) -> Vec3| difference(1e-3, |h| part(&x(u + h, v)));
    let along_v = |part: fn(&ParametricJet) -> Vec3| difference(1e-3, |h| part(&x(u, v + h)));
    let found = [
        along_u(|j| j.p),
        along_v(|j| j.p),
        along_u(|j| j.du),
        along_u(|j| j.dv),
        along_v(|j| j.dv),
        along_u(|j| j.duu),
        along_u(|j| j.duv),
        along_u(|j| j.dvv),
        along_v(|j| j.dvv),
    ];
    for (k, (found, exact)) in found.into_iter().zip(parts(&jet)).enumerate() {
        assert!(
            (found - exact).norm() < 1e-8 * (1.0 + exact.norm()),
            "derivative {k} at ({u}, {v}): {found} {exact}"
        );
    }
}

/// A quarter of the unit circle: points (cos, sin) and weights of the quadratic.
const QUARTER: [([f64; 2], f64); 3] =
    [([1.0, 0.0], 1.0), ([1.0, 1.0], std::f64::consts::FRAC_1_SQRT_2), ([0.0, 1.0], 1.0)];

/// The octant of a sphere about the origin, turned by quarter turns about z and mirrored in z; the pole is at v = 1, or
/// at v = 0 in the mirrored one, so that normals point outwards.
pub fn octant(radius: f64, quarter_turns: usize, below: bool) -> BezierPatch {
    let (mut control, mut weights) = (Vec::new(), Vec::new());
    for ([c, s], wu) in QUARTER {
        let (c, s) = (0..quarter_turns).fold((c, s), |(c, s), _| (0.0 - s, c));
        let mut row: Vec<_> =
            QUARTER.iter().map(|&([r, z], wv)| (Vec3::new(r * c, r * s, z) * radius, wu * wv)).collect();
        if below {
            row.iter_mut().for_each(|(p, _)| p.z = -p.z);
            row.reverse();
        }
        control.extend(row.iter().map(|(p, _)| *p));
        weights.extend(row.iter().map(|(_, w)| *w));
    }
    BezierPatch::rational([2, 2], control, weights).unwrap()
}

/// A torus about z as a NURBS surface of nine by nine points: u about the axis, v about the tube.
pub fn torus(major: f64, minor: f64) -> NurbsSurface {
    let circle: [[f64; 2]; 9] = [
        [1.0, 0.0],
        [1.0, 1.0],
        [0.0, 1.0],
        [-1.0, 1.0],
        [-1.0, 0.0],
        [-1.0, -1.0],
        [0.0, -1.0],
        [1.0, -1.0],
        [1.0, 0.0],
    ];
    let weight = |k: usize| if k.is_multiple_of(2) { 1.0 } else { std::f64::consts::FRAC_1_SQRT_2 };
    let (mut control, mut weights) = (Vec::new(), Vec::new());
    for (i, [c, s]) in circle.into_iter().enumerate() {
        for (j, [r, z]) in circle.into_iter().enumerate() {
            let rho = major + minor * r;
            control.push(Vec3::new(rho * c, rho * s, minor * z));
            weights.push(weight(i) * weight(j));
        }
    }
    let knots = vec![0.0, 0.0, 0.0, 1.0, 1.0, 2.0, 2.0, 3.0, 3.0, 4.0, 4.0, 4.0];
    NurbsSurface::new([2, 2], [knots.clone(), knots], &control, Some(&weights)).unwrap()
}
