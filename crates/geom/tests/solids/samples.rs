//! The bodies under test, and points and directions that cover them evenly.

use rattleback_geom::Vec3;
use rattleback_geom::surface::{Capsule, Cylinder, HalfTorus, Parametric, Plane, Surface, Torus};

/// Bodies of ordinary, flat, slender and tiny proportions.
pub fn bounded() -> Vec<Box<dyn Surface>> {
    vec![
        Box::new(Cylinder::new(0.7, 1.1).unwrap()),
        Box::new(Cylinder::new(2.0, 0.1).unwrap()),
        Box::new(Capsule::new(0.6, 0.9).unwrap()),
        Box::new(Capsule::new(3e-3, 5e-2).unwrap()),
        Box::new(Torus::new(1.3, 0.4).unwrap()),
        Box::new(Torus::new(1.0, 0.95).unwrap()),
        Box::new(HalfTorus::new(1.2, 0.5).unwrap()),
        Box::new(HalfTorus::new(20e-3, 3e-3).unwrap()),
    ]
}

pub fn all() -> Vec<Box<dyn Surface>> {
    let mut list = bounded();
    list.push(Box::new(Plane::new([1.0, -2.0, 0.5], 0.3).unwrap()));
    list
}

/// The fractional part of n/φ₃^k, the three-dimensional sequence of Roberts: even and never periodic.
pub fn cube(n: usize) -> [f64; 3] {
    const PLASTIC: f64 = 1.220_744_084_605_759_5;
    [1, 2, 3].map(|k| (0.5 + n as f64 / PLASTIC.powi(k)).fract())
}

pub fn directions(count: usize) -> Vec<Vec3> {
    (0..count)
        .map(|n| {
            let [a, b, _] = cube(n);
            let (z, angle) = (2.0 * a - 1.0, std::f64::consts::TAU * b);
            let s = (1.0 - z * z).sqrt();
            Vec3::new(s * angle.cos(), s * angle.sin(), z)
        })
        .collect()
}

/// Parameters within the domain; planes, whose domain is huge, near their middle.
pub fn parameters(view: &dyn Parametric, count: usize) -> Vec<[f64; 2]> {
    let domain = view.domain();
    let place = |[low, high]: [f64; 2], s: f64| {
        let (low, high) = (low.max(-10.0), high.min(10.0));
        low + s * (high - low)
    };
    (0..count).map(cube).map(|[a, b, _]| [place(domain.u, a), place(domain.v, b)]).collect()
}

/// The central difference of sixth order: its error is h⁶f⁽⁷⁾/140.
pub fn difference<T>(h: f64, f: impl Fn(f64) -> T) -> T
where
    T: std::ops::Sub<Output = T> + std::ops::Add<Output = T> + std::ops::Mul<f64, Output = T>,
{
    let pair = |k: f64| f(k * h) - f(-k * h);
    (pair(1.0) * 45.0 - pair(2.0) * 9.0 + pair(3.0)) * (1.0 / (60.0 * h))
}
