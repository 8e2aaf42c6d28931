//! What an evaluation costs: implicit value, gradient and Hessian, support function and jet, parametric jet, for
//! every surface. Each figure is the time per evaluation over a fixed set of points or normals; one bare
//! square root is the limit against which they are read.

use divan::{Bencher, black_box};
use rattleback_geom::Vec3;
use rattleback_geom::potential::{Harmonics, Potential};
use rattleback_geom::surface::{
    Capsule, Cylinder, Ellipsoid, HalfTorus, Plane, PotentialBody, Quadric, Sheet, Sphere, Superellipsoid,
    Superhyperboloid, Superquadric, Surface, Torus,
};

const COUNT: usize = 256;

const IMPLICIT: [&str; 13] = [
    "plane",
    "sphere",
    "ellipsoid",
    "superellipsoid",
    "superquadric",
    "cylinder",
    "capsule",
    "torus",
    "half_torus",
    "hyperboloid_one_sheet",
    "hyperboloid_two_sheets",
    "elliptic_paraboloid",
    "superhyperboloid",
];
const SUPPORT: [&str; 7] =
    ["sphere", "ellipsoid", "superellipsoid", "superquadric", "cylinder", "capsule", "harmonics"];
const PARAMETRIC: [&str; 8] = [
    "plane",
    "sphere",
    "ellipsoid",
    "superellipsoid",
    "superquadric",
    "torus",
    "hyperboloid_one_sheet",
    "harmonics",
];

fn surface(kind: &str) -> Option<Box<dyn Surface>> {
    let axes = [0.5, 0.7, 0.6];
    let mut coefficients = vec![0.0; 81];
    coefficients[0] = 2.0;
    coefficients[6] = 0.1;
    coefficients[20] = 0.01;
    Some(match kind {
        "plane" => Box::new(Plane::new([0.3, -0.5, 0.8], 0.2).ok()?),
        "sphere" => Box::new(Sphere::new(0.7).ok()?),
        "ellipsoid" => Box::new(Ellipsoid::new(axes).ok()?),
        "superellipsoid" => Box::new(Superellipsoid::new(axes, [3.0, 4.5]).ok()?),
        "superquadric" => Box::new(Superquadric::new(axes, [2.5, 3.0, 4.0]).ok()?),
        "cylinder" => Box::new(Cylinder::new(0.3, 0.5).ok()?),
        "capsule" => Box::new(Capsule::new(0.3, 0.5).ok()?),
        "torus" => Box::new(Torus::new(0.8, 0.3).ok()?),
        "half_torus" => Box::new(HalfTorus::new(0.8, 0.3).ok()?),
        "hyperboloid_one_sheet" => Box::new(Quadric::hyperboloid_one_sheet(axes, 0.9).ok()?),
        "hyperboloid_two_sheets" => Box::new(Quadric::hyperboloid_two_sheets(axes, Sheet::Upper, 1.4).ok()?),
        "elliptic_paraboloid" => Box::new(Quadric::elliptic_paraboloid(axes, 0.8).ok()?),
        "superhyperboloid" => Box::new(Superhyperboloid::one_sheet(axes, [3.0, 2.5], 0.9).ok()?),
        "harmonics" => {
            Box::new(PotentialBody::new(Potential::harmonics(Harmonics::new(8, &coefficients).ok()?)).ok()?)
        }
        _ => return None,
    })
}

/// Directions spread evenly by the golden angle.
fn directions() -> Vec<Vec3> {
    (0..COUNT)
        .map(|k| {
            let z = 1.0 - (2 * k + 1) as f64 / COUNT as f64;
            let (angle, ring) = (2.399_963 * k as f64, (1.0 - z * z).sqrt());
            Vec3::new(ring * angle.cos(), ring * angle.sin(), z)
        })
        .collect()
}

/// One evaluation per element of `directions`, cycling.
fn cycle(bencher: Bencher, mut evaluate: impl FnMut(&Vec3)) {
    let list = directions();
    let mut k = 0;
    bencher.bench_local(move || {
        evaluate(black_box(&list[k]));
        k = (k + 1) % COUNT;
    });
}

#[divan::bench(args = IMPLICIT)]
fn implicit_value_gradient_hessian(bencher: Bencher, kind: &str) {
    let Some(surface) = surface(kind) else { return };
    let Some(f) = surface.as_implicit() else { return };
    cycle(bencher, |p| {
        black_box((f.value(p), f.gradient(p), f.hessian(p)));
    });
}

#[divan::bench(args = SUPPORT)]
fn support_value(bencher: Bencher, kind: &str) {
    let Some(surface) = surface(kind) else { return };
    let Some(s) = surface.as_support() else { return };
    cycle(bencher, |n| {
        black_box(s.support(n));
    });
}

#[divan::bench(args = SUPPORT)]
fn support_jet(bencher: Bencher, kind: &str) {
    let Some(surface) = surface(kind) else { return };
    let Some(s) = surface.as_support() else { return };
    cycle(bencher, |n| {
        black_box(s.support_jet(n));
    });
}

#[divan::bench(args = PARAMETRIC)]
fn parametric_jet(bencher: Bencher, kind: &str) {
    let Some(surface) = surface(kind) else { return };
    let Some(x) = surface.as_parametric() else { return };
    let d = x.domain();
    cycle(bencher, |n| {
        let (u, v) = (0.5 * (1.0 + n.x), 0.5 * (1.0 + n.y));
        black_box(x.jet(d.u[0] + u * (d.u[1] - d.u[0]), d.v[0] + v * (d.v[1] - d.v[0])));
    });
}

#[divan::bench]
fn limit_of_one_square_root(bencher: Bencher) {
    cycle(bencher, |n| {
        black_box(n.x.abs().sqrt());
    });
}

fn main() {
    divan::main();
}
