//! Area and moments against quadrature over the boundary and against fine meshes.
//!
//! By the divergence theorem V = ∮x·n/3, ∫xᵢ = ∮xᵢ(x·n)/4, ∫xᵢxⱼ = ∮xᵢxⱼ(x·n)/5.

use super::samples::bounded;
use rattleback_geom::quadrature::adaptive;
use rattleback_geom::surface::{Cylinder, HalfTorus, Parametric, Surface};
use rattleback_geom::{Mat3, Moments, Vec3};

/// Area and moments that a patch contributes, from its points and area vectors.
fn flux(u: [f64; 2], v: [f64; 2], patch: impl Fn(f64, f64) -> (Vec3, Vec3)) -> (f64, Moments) {
    let sums: [f64; 11] = adaptive(u, v, 1e-13, 4000, |u, v| {
        let (p, a) = patch(u, v);
        let s = p.dot(&a);
        let [x, y, z] = p.into();
        let products = [x * x, y * y, z * z, x * y, y * z, z * x];
        let mut out =
            [a.norm(), s / 3.0, x * s / 4.0, y * s / 4.0, z * s / 4.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        for (k, q) in products.into_iter().enumerate() {
            out[5 + k] = q * s / 5.0;
        }
        out
    })
    .unwrap();
    let [area, volume, x, y, z, xx, yy, zz, xy, yz, zx] = sums;
    let second = Mat3::new(xx, xy, zx, xy, yy, yz, zx, yz, zz);
    (area, Moments { volume, first: Vec3::new(x, y, z), second })
}

/// The whole boundary: the parametric view, cut where its derivatives jump, and the flat parts it lacks.
fn boundary(body: &dyn Surface) -> (f64, Moments) {
    let x = body.as_parametric().unwrap();
    let domain = x.domain();
    let b = body.bounds();
    let mut cuts = vec![domain.v[0]];
    if body.kind() == "capsule" {
        let l = b.max.z - b.max.x;
        cuts.extend([-l, l]);
    }
    cuts.push(domain.v[1]);
    let patch = |u: f64, v: f64| {
        let jet = x.jet(u, v);
        (jet.p, jet.normal())
    };
    let disc = |centre: Vec3, radius: f64, e: [Vec3; 2]| {
        flux([0.0, std::f64::consts::TAU], [0.0, radius], move |angle, rho| {
            (centre + (e[0] * angle.cos() + e[1] * angle.sin()) * rho, e[0].cross(&e[1]) * rho)
        })
    };
    let mut parts: Vec<(f64, Moments)> =
        cuts.windows(2).map(|c| flux(domain.u, [c[0], c[1]], patch)).collect();
    if body.kind() == "cylinder" {
        parts.push(disc(Vec3::z() * b.max.z, b.max.x, [Vec3::x(), Vec3::y()]));
        parts.push(disc(Vec3::z() * b.min.z, b.max.x, [Vec3::y(), Vec3::x()]));
    }
    if body.kind() == "half_torus" {
        for side in [1.0, -1.0] {
            parts.push(disc(Vec3::x() * (b.max.x - b.max.z) * side, b.max.z, [Vec3::x(), Vec3::z()]));
        }
    }
    parts.iter().fold((0.0, Moments::zero()), |(a, m), (b, n)| (a + b, m.plus(n)))
}

fn close(a: &Moments, b: &Moments, size: f64, tolerance: f64, context: &str) {
    let volume = a.volume.abs();
    assert!((a.volume - b.volume).abs() < tolerance * volume, "{context}: {a:?} {b:?}");
    assert!((a.first - b.first).norm() < tolerance * volume * size, "{context}: {a:?} {b:?}");
    assert!((a.second - b.second).norm() < tolerance * volume * size * size, "{context}: {a:?} {b:?}");
}

#[test]
fn area_and_moments_are_those_of_the_boundary_integral() {
    for body in bounded() {
        let size = body.bounds().diagonal();
        let (area, moments) = boundary(&*body);
        assert!((area / body.area().unwrap() - 1.0).abs() < 1e-11, "{body:?}");
        close(&body.moments().unwrap(), &moments, size, 1e-11, &format!("{body:?}"));
    }
}

#[test]
fn moments_of_the_mesh_converge_to_them_with_the_chord_error() {
    for body in bounded() {
        let size = body.bounds().diagonal();
        let exact = body.moments().unwrap();
        let miss = |chord: f64| {
            let mesh = body.tessellate(chord * size).unwrap();
            let found = mesh.moments();
            // Chords run inside a convex body and outside the inner half of a ring: at most area times error.
            let bound = 2.0 * chord * size * body.area().unwrap() / exact.volume;
            close(&exact, &found, size, bound, &format!("{body:?}"));
            assert!((mesh.area() / body.area().unwrap() - 1.0).abs() < 30.0 * chord, "{body:?}");
            (found.volume / exact.volume - 1.0).abs()
        };
        let (coarse, fine) = (miss(1e-3), miss(1e-4));
        // First order in the chord error; counts of steps are rounded up, hence the room.
        assert!(fine < 0.2 * coarse, "{body:?} {coarse} {fine}");
    }
}

#[test]
fn the_centre_of_half_a_thin_ring_is_that_of_a_half_circle() {
    let ring = HalfTorus::new(1.0, 1e-4).unwrap();
    let mass = ring.moments().unwrap().with_density(2.0).unwrap();
    assert!((mass.centroid - Vec3::new(0.0, 2.0 / std::f64::consts::PI, 0.0)).norm() < 1e-8);
    let curved = 0.5 * std::f64::consts::TAU.powi(2) * 1e-4;
    assert!((ring.area().unwrap() - curved - std::f64::consts::TAU * 1e-8).abs() < 1e-18);
}

#[test]
fn inertia_of_a_rod_and_a_disc_come_out_of_the_cylinder() {
    let rod = Cylinder::new(1e-5, 1.0).unwrap().moments().unwrap().with_density(1.0).unwrap();
    assert!((rod.inertia[(0, 0)] / rod.mass - 1.0 / 3.0).abs() < 1e-9);
    let disc = Cylinder::new(1.0, 1e-5).unwrap().moments().unwrap().with_density(1.0).unwrap();
    assert!((disc.inertia[(2, 2)] / disc.mass - 0.5).abs() < 1e-12);
    assert!((disc.inertia[(0, 0)] / disc.mass - 0.25).abs() < 1e-9);
}

#[test]
fn parametric_domains_cover_the_smooth_part_once() {
    let ring = HalfTorus::new(1.2, 0.5).unwrap();
    let domain = ring.domain();
    assert_eq!((domain.u, domain.periodic), ([0.0, std::f64::consts::PI], [false, true]));
    for v in [0.0, 1.0, 4.0] {
        assert!(ring.point(0.0, v).y == 0.0 && ring.point(std::f64::consts::PI, v).y.abs() < 1e-15);
    }
}
