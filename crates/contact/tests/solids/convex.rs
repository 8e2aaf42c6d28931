//! Bodies with support functions for the brute force, written apart from the engine.

use super::brute::{Patch, Solid};
use rattleback_contact::geom::Vec3;
use rattleback_contact::geom::surface::{
    Capsule, Cylinder, Ellipsoid, Shape, Sphere, Superellipsoid, Superquadric,
};
use std::f64::consts::{PI, TAU};

fn globe(u: f64, v: f64) -> Vec3 {
    let ((sf, cf), (st, ct)) = ((TAU * u).sin_cos(), (PI * v).sin_cos());
    Vec3::new(st * cf, st * sf, ct)
}

/// A body that every ray from its middle leaves once, at 1 of a gauge of degree one.
fn star(
    name: &'static str,
    shape: Shape,
    half: [f64; 3],
    gauge: impl Fn(&Vec3) -> f64 + Copy + 'static,
) -> Solid {
    let half = Vec3::from(half);
    Solid {
        name,
        shape,
        patches: vec![Box::new(move |u, v| {
            let d = globe(u, v).component_mul(&half);
            d / gauge(&d)
        })],
        level: Box::new(move |p| gauge(p) - 1.0),
        half,
        centre: Vec3::zeros(),
    }
}

pub fn sphere(radius: f64) -> Solid {
    star("sphere", Sphere::new(radius).expect("measures in range").into(), [radius; 3], move |p| {
        p.norm() / radius
    })
}

pub fn ellipsoid([a, b, c]: [f64; 3]) -> Solid {
    let shape = Ellipsoid::new([a, b, c]).expect("measures in range").into();
    star("ellipsoid", shape, [a, b, c], move |p| (p.x / a).hypot(p.y / b).hypot(p.z / c))
}

pub fn superellipsoid([a, b, c]: [f64; 3], [delta, epsilon]: [f64; 2]) -> Solid {
    let shape = Superellipsoid::new([a, b, c], [delta, epsilon]).expect("measures in range").into();
    star("superellipsoid", shape, [a, b, c], move |p| {
        let flat = ((p.x / a).abs().powf(delta) + (p.y / b).abs().powf(delta)).powf(epsilon / delta);
        (flat + (p.z / c).abs().powf(epsilon)).powf(1.0 / epsilon)
    })
}

pub fn superquadric([a, b, c]: [f64; 3], [l, m, n]: [f64; 3]) -> Solid {
    let shape = Superquadric::new([a, b, c], [l, m, n]).expect("measures in range").into();
    let level =
        move |p: &Vec3| (p.x / a).abs().powf(l) + (p.y / b).abs().powf(m) + (p.z / c).abs().powf(n) - 1.0;
    let half = Vec3::new(a, b, c);
    Solid {
        name: "superquadric",
        shape,
        patches: vec![Box::new(move |u, v| {
            let d = globe(u, v).component_mul(&half);
            let (mut low, mut high) = (0.0, 2.0);
            for _ in 0..60 {
                let t = 0.5 * (low + high);
                if level(&(d * t)) < 0.0 { low = t } else { high = t }
            }
            d * low
        })],
        level: Box::new(level),
        half,
        centre: Vec3::zeros(),
    }
}

pub fn cylinder(radius: f64, h: f64) -> Solid {
    let cap = move |z: f64| -> Patch {
        Box::new(move |u, v| {
            let (s, c) = (TAU * u).sin_cos();
            Vec3::new(radius * v * c, radius * v * s, z)
        })
    };
    Solid {
        name: "cylinder",
        shape: Cylinder::new(radius, h).expect("measures in range").into(),
        patches: vec![
            Box::new(move |u, v| {
                let (s, c) = (TAU * u).sin_cos();
                Vec3::new(radius * c, radius * s, h * (2.0 * v - 1.0))
            }),
            cap(h),
            cap(-h),
        ],
        level: Box::new(move |p| (p.x.hypot(p.y) - radius).max(p.z.abs() - h)),
        half: Vec3::new(radius, radius, h),
        centre: Vec3::zeros(),
    }
}

pub fn capsule(radius: f64, h: f64) -> Solid {
    let end = move |side: f64| -> Patch {
        Box::new(move |u, v| {
            let p = globe(u, 0.5 * v) * radius;
            Vec3::new(p.x, p.y, side * (p.z + h))
        })
    };
    Solid {
        name: "capsule",
        shape: Capsule::new(radius, h).expect("measures in range").into(),
        patches: vec![
            Box::new(move |u, v| {
                let (s, c) = (TAU * u).sin_cos();
                Vec3::new(radius * c, radius * s, h * (2.0 * v - 1.0))
            }),
            end(1.0),
            end(-1.0),
        ],
        level: Box::new(move |p| Vec3::new(p.x, p.y, p.z - p.z.clamp(-h, h)).norm() - radius),
        half: Vec3::new(radius, radius, radius + h),
        centre: Vec3::zeros(),
    }
}
