//! Random solids of every kind, each with patches and a level of its own, written apart from the engine.

use super::brute::{Patch, Solid};
use super::convex::{capsule, cylinder, ellipsoid, sphere, superellipsoid, superquadric};
use super::random::Random;
use rattleback_contact::geom::Vec3;
use rattleback_contact::geom::surface::{HalfTorus, Link, Quadric, Shape, Sheet, Superhyperboloid, Torus};
use std::f64::consts::{PI, TAU};

/// How many kinds have no support function; they come first.
pub const STACKS: usize = 10;
pub const KINDS: usize = 16;

pub fn random(kind: usize, r: &mut Random) -> Solid {
    match kind {
        0 => torus(r.scaled(0.3, 1.0), r.scaled(0.003, 0.9)),
        1 => half_torus(r.scaled(0.3, 1.0), r.scaled(0.02, 0.9)),
        2 => link(r.scaled(0.05, 0.2), r.scaled(0.25, 0.6), r.scaled(0.01, 1.0)),
        3 => waist("one sheet", axes(r), [2.0, 2.0], r.scaled(0.2, 1.5)),
        4 => bowl("two sheets", axes(r), [2.0, 2.0], r.scaled(1.05, 3.0), r.pick(2) == 0),
        5 => paraboloid(axes(r), r.between(-0.3, 1.0)),
        6 => saddle(axes(r), [r.scaled(0.2, 1.0), r.scaled(0.2, 1.0)], r.scaled(0.05, 0.8)),
        7 => {
            waist("super one sheet", axes(r), [r.between(1.3, 6.0), r.between(1.3, 6.0)], r.scaled(0.2, 1.5))
        }
        8 => bowl(
            "super two sheets",
            axes(r),
            [r.between(1.3, 6.0), r.between(1.3, 6.0)],
            r.scaled(1.05, 3.0),
            r.pick(2) == 0,
        ),
        9 => waist("wide one sheet", [0.3, 0.4, r.scaled(0.05, 0.3)], [2.0, 2.0], r.scaled(0.2, 1.0)),
        10 => sphere(r.scaled(0.05, 0.8)),
        11 => ellipsoid(axes(r)),
        12 => superellipsoid(axes(r), [r.between(1.4, 8.0), r.between(1.4, 8.0)]),
        13 => cylinder(r.scaled(0.1, 0.8), r.scaled(0.1, 0.8)),
        14 => capsule(r.scaled(0.05, 0.5), r.scaled(0.05, 0.8)),
        _ => superquadric(axes(r), [r.between(2.0, 6.0), r.between(2.0, 6.0), r.between(2.0, 6.0)]),
    }
}

fn axes(r: &mut Random) -> [f64; 3] {
    [r.scaled(0.2, 0.9), r.scaled(0.2, 0.9), r.scaled(0.2, 0.9)]
}

fn ring(u: f64, v: f64, major: f64, minor: f64) -> Vec3 {
    let rho = major + minor * v.cos();
    Vec3::new(rho * u.cos(), rho * u.sin(), minor * v.sin())
}

fn torus(major: f64, share: f64) -> Solid {
    let minor = major * share.min(0.95);
    Solid {
        name: "torus",
        shape: Torus::new(major, minor).expect("measures in range").into(),
        patches: vec![Box::new(move |u, v| ring(TAU * u, TAU * v, major, minor))],
        level: Box::new(move |p| (p.x.hypot(p.y) - major).hypot(p.z) - minor),
        half: Vec3::new(major + minor, major + minor, minor),
        centre: Vec3::zeros(),
    }
}

fn half_torus(major: f64, share: f64) -> Solid {
    let minor = major * share.min(0.95);
    let disc = move |side: f64| -> Patch {
        Box::new(move |u, v| {
            let (s, c) = (TAU * u).sin_cos();
            Vec3::new(side * major + minor * v * c, 0.0, minor * v * s)
        })
    };
    Solid {
        name: "half torus",
        shape: HalfTorus::new(major, minor).expect("measures in range").into(),
        patches: vec![Box::new(move |u, v| ring(PI * u, TAU * v, major, minor)), disc(1.0), disc(-1.0)],
        level: Box::new(move |p| ((p.x.hypot(p.y) - major).hypot(p.z) - minor).max(-p.y)),
        half: Vec3::new(major + minor, 0.5 * (major + minor), minor),
        centre: Vec3::new(0.0, 0.5 * (major + minor), 0.0),
    }
}

fn link(bar: f64, bend: f64, h: f64) -> Solid {
    let end = move |side: f64| -> Patch {
        Box::new(move |u, v| {
            let p = ring(PI * u, TAU * v, bend, bar);
            Vec3::new(p.z, side * p.x, side * (p.y + h))
        })
    };
    let side = move |side: f64| -> Patch {
        Box::new(move |u, v| {
            let (s, c) = (TAU * v).sin_cos();
            Vec3::new(bar * s, side * bend + bar * c, h * (2.0 * u - 1.0))
        })
    };
    Solid {
        name: "link",
        shape: Link::new(bar, bend, h).expect("measures in range").into(),
        patches: vec![end(1.0), end(-1.0), side(1.0), side(-1.0)],
        level: Box::new(move |p| {
            let zeta = (p.z.abs() - h).max(0.0);
            (p.y.hypot(zeta) - bend).hypot(p.x) - bar
        }),
        half: Vec3::new(bar, bend + bar, h + bend + bar),
        centre: Vec3::zeros(),
    }
}

fn section(u: f64, g: f64) -> [f64; 2] {
    let (s, c) = (TAU * u).sin_cos();
    let n = (c.abs().powf(g) + s.abs().powf(g)).powf(-1.0 / g);
    [c * n, s * n]
}

fn gauge(p: &Vec3, [a, b, _]: [f64; 3], g: f64) -> f64 {
    ((p.x / a).abs().powf(g) + (p.y / b).abs().powf(g)).powf(1.0 / g)
}

/// A solid in layers from ρ(z) between two heights.
fn layers(
    name: &'static str,
    shape: Shape,
    axes: [f64; 3],
    g: f64,
    [low, high]: [f64; 2],
    rho: impl Fn(f64) -> f64 + Copy + 'static,
    below: impl Fn(&Vec3, f64) -> f64 + 'static,
) -> Solid {
    let [a, b, _] = axes;
    // Heights close to a vertex are taken more densely.
    let height = move |v: f64| {
        if rho(low) == 0.0 {
            low + (high - low) * v * v
        } else if rho(high) == 0.0 {
            high - (high - low) * v * v
        } else {
            low + (high - low) * v
        }
    };
    let cap = move |z: f64| -> Patch {
        Box::new(move |u, v| {
            let [x, y] = section(u, g);
            Vec3::new(a * rho(z) * v * x, b * rho(z) * v * y, z)
        })
    };
    let most = rho(low).max(rho(high));
    Solid {
        name,
        shape,
        patches: vec![
            Box::new(move |u, v| {
                let ([x, y], z) = (section(u, g), height(v));
                Vec3::new(a * rho(z) * x, b * rho(z) * y, z)
            }),
            cap(low),
            cap(high),
        ],
        level: Box::new(move |p| {
            let off = (p.z - high).max(low - p.z);
            // By the height, where the meridian is flat: at a vertex the radius has no slope.
            let wide = gauge(p, axes, g);
            off.max(wide - rho(p.z.clamp(low, high))).min(off.max(below(p, wide)))
        }),
        half: Vec3::new(a * most, b * most, 0.5 * (high - low)),
        centre: Vec3::new(0.0, 0.0, 0.5 * (low + high)),
    }
}

fn waist(name: &'static str, axes: [f64; 3], [g1, g2]: [f64; 2], h: f64) -> Solid {
    let c = axes[2];
    let shape = if name.starts_with("super") {
        Superhyperboloid::one_sheet(axes, [g1, g2], h).expect("measures in range").into()
    } else {
        Quadric::hyperboloid_one_sheet(axes, h).expect("measures in range").into()
    };
    layers(
        name,
        shape,
        axes,
        g2,
        [-h, h],
        move |z: f64| (1.0 + (z / c).abs().powf(g1)).powf(1.0 / g1),
        |_, _| f64::INFINITY,
    )
}

fn bowl(name: &'static str, axes: [f64; 3], [g1, g2]: [f64; 2], h: f64, upper: bool) -> Solid {
    let (c, top) = (axes[2], h * axes[2]);
    let sheet = if upper { Sheet::Upper } else { Sheet::Lower };
    let shape = if name.starts_with("super") {
        Superhyperboloid::two_sheets(axes, [g1, g2], sheet, top).expect("measures in range").into()
    } else {
        Quadric::hyperboloid_two_sheets(axes, sheet, top).expect("measures in range").into()
    };
    let z = if upper { [c, top] } else { [-top, -c] };
    layers(
        name,
        shape,
        axes,
        g2,
        z,
        move |z: f64| ((z / c).abs().powf(g1) - 1.0).max(0.0).powf(1.0 / g1),
        move |p, wide| c * (1.0 + wide.powf(g1)).powf(1.0 / g1) - p.z.abs(),
    )
}

fn paraboloid(axes: [f64; 3], share: f64) -> Solid {
    let c = axes[2];
    let top = share * c;
    let shape = Quadric::elliptic_paraboloid(axes, top).expect("measures in range").into();
    layers(
        "elliptic paraboloid",
        shape,
        axes,
        2.0,
        [-c, top],
        move |z: f64| (z / c + 1.0).max(0.0).sqrt(),
        move |p, wide| c * (wide * wide - 1.0) - p.z,
    )
}

fn saddle([a, b, c]: [f64; 3], [x, y]: [f64; 2], above: f64) -> Solid {
    let height = move |x: f64, y: f64| c * ((x / a).powi(2) - (y / b).powi(2) - 1.0);
    let ceiling = height(x, 0.0) + above;
    let at = move |u: f64, v: f64| (x * (2.0 * u - 1.0), y * (2.0 * v - 1.0));
    let wall = move |side: f64, across_x: bool| -> Patch {
        Box::new(move |u, v| {
            let (p, q) = if across_x { (side * x, at(0.0, u).1) } else { (at(u, 0.0).0, side * y) };
            let floor = height(p, q);
            Vec3::new(p, q, floor + (ceiling - floor) * v)
        })
    };
    let low = height(0.0, y);
    Solid {
        name: "saddle",
        shape: Quadric::hyperbolic_paraboloid([a, b, c], [x, y], ceiling).expect("measures in range").into(),
        patches: vec![
            Box::new(move |u, v| {
                let (x, y) = at(u, v);
                Vec3::new(x, y, height(x, y))
            }),
            Box::new(move |u, v| {
                let (x, y) = at(u, v);
                Vec3::new(x, y, ceiling)
            }),
            wall(1.0, true),
            wall(-1.0, true),
            wall(1.0, false),
            wall(-1.0, false),
        ],
        level: Box::new(move |p| {
            (p.x.abs() - x).max(p.y.abs() - y).max(p.z - ceiling).max(height(p.x, p.y) - p.z)
        }),
        half: Vec3::new(x, y, 0.5 * (ceiling - low)),
        centre: Vec3::new(0.0, 0.0, 0.5 * (ceiling + low)),
    }
}
