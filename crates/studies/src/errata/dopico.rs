//! Errata of Dopico et al.

use super::{Defects, Erratum, apart, axis, slope, vectors_apart};
use crate::Result;
use crate::draw::Stream;
use crate::paper::Paper;
use rattleback_contact::law::normal::{Hysteresis, Indentation, NormalLaw, Rule};
use rattleback_contact::region::link::dopico::bend_triangle;
use rattleback_geom::surface::Link;
use rattleback_geom::{Mat3, Vec3};
use std::f64::consts::PI;

pub(super) const ALL: &[Erratum] = &[
    Erratum {
        paper: Paper::Dopico,
        equation: "below (20)",
        printed: "d = r·n",
        right: "d = −r·n, so that n·r + d = 0",
        measured: "n·r + d at a point of the plane, in parts of ∣d∣",
        check: plane,
    },
    Erratum {
        paper: Paper::Dopico,
        equation: "(26), point",
        printed: "r₀ by the greatest of n_x, n_y, n_z",
        right: "by the greatest of ∣n_x∣, ∣n_y∣, ∣n_z∣",
        measured: "n·r₀ + d where n has no positive component",
        check: point_of_plane,
    },
    Erratum {
        paper: Paper::Dopico,
        equation: "(26), vector",
        printed: "v₀ = (−n_y, n_x, 0) where n_x is the greatest",
        right: "a unit vector across n",
        measured: "M_rᵀM_r − 1 of (25)",
        check: vector_of_plane,
    },
    Erratum {
        paper: Paper::Dopico,
        equation: "(40)",
        printed: "∇_λ L ≥ 0",
        right: "∇_λ L = −φ ≤ 0",
        measured: "1 where a point of the triangle and the cylinder violates it",
        check: feasible,
    },
    Erratum {
        paper: Paper::Dopico,
        equation: "(47)",
        printed: "δ = r_p − d/2",
        right: "δ = d/2 − r_p in (1)",
        measured: "force (1) of a link pressed in to a given depth",
        check: depth,
    },
    Erratum {
        paper: Paper::Dopico,
        equation: "(48)",
        printed: "√(p_y² + (p_z + h)²) at the upper half torus",
        right: "√(p_y² + (p_z − h)²)",
        measured: "r_p against the distance from the centre line, searched along it",
        check: centre,
    },
    Erratum {
        paper: Paper::Dopico,
        equation: "(59), (63)",
        printed: "√(p_y² + (p_z ∓ h))",
        right: "√(p_y² + (p_z ∓ h)²)",
        measured: "gradient (58) of r_p² against differences",
        check: gradient,
    },
    Erratum {
        paper: Paper::Dopico,
        equation: "(64)",
        printed: "second row (u_z, v_z)",
        right: "±(u_z, v_z), as (50) has it",
        measured: "∂φ₂/∂μ of the lower half torus against differences",
        check: constraint,
    },
];

fn plane(draw: &mut Stream) -> Result<Defects> {
    let (n, r) = (draw.direction(), draw.vector());
    let truth = n.dot(&r);
    Ok([truth, -truth].map(|d| (n.dot(&r) + d).abs() / d.abs()))
}

/// Whichever component is the greatest by `weigh`, the point of the plane on that axis.
fn on_axis(n: &Vec3, d: f64, weigh: impl Fn(f64) -> f64) -> Vec3 {
    let greatest = (0..3).max_by(|x, y| weigh(n[*x]).total_cmp(&weigh(n[*y]))).unwrap_or(0);
    axis(greatest) * (-d / n[greatest])
}

fn point_of_plane(draw: &mut Stream) -> Result<Defects> {
    // One component is negative, the others are zero: as for the normal of a floor that is seen from above.
    let n = -axis((3.0 * draw.unit()) as usize);
    let d = draw.between(0.5, 2.0);
    Ok([on_axis(&n, d, |x| x), on_axis(&n, d, f64::abs)].map(|r| (n.dot(&r) + d).abs() / d))
}

fn vector_of_plane(draw: &mut Stream) -> Result<Defects> {
    let drawn = draw.direction();
    let n = Vec3::new(drawn.abs().max(), drawn.y, drawn.z).normalize();
    let v = Vec3::new(-n.y, n.x, 0.0);
    Ok([v, v.normalize()].map(|v| {
        let m = Mat3::from_columns(&[v, n.cross(&v), n]);
        (m.transpose() * m - Mat3::identity()).norm()
    }))
}

fn feasible(draw: &mut Stream) -> Result<Defects> {
    // A point inside a triangle whose sides are of length 1, below the ends of a cylinder: every φ is positive.
    let (first, second) = (draw.between(0.05, 0.45), draw.between(0.05, 0.45));
    let (h, p_z) = (1.0, draw.between(-0.9, 0.9));
    let phi = [1.0 - first - second, h - p_z, h + p_z, first, second];
    let by_multiplier = phi.map(|phi| -phi);
    let violates = |holds: bool| f64::from(u8::from(!holds));
    Ok([violates(by_multiplier.iter().all(|x| *x >= 0.0)), violates(by_multiplier.iter().all(|x| *x <= 0.0))])
}

fn depth(draw: &mut Stream) -> Result<Defects> {
    let (diameter, pressed) = (draw.between(0.02, 0.1), draw.between(1e-5, 1e-4));
    let (k, e, speed) = (1e8, draw.between(0.3, 0.9), draw.between(0.1, 1.0));
    let r_p = 0.5 * diameter - pressed;
    let force = |depth: f64| k * depth.powf(1.5) * (1.0 + 8.0 * (1.0 - e) / (5.0 * e));
    let law = NormalLaw::from(Hysteresis::new(Rule::Flores, e, 1.5)?);
    let at = Indentation { depth: pressed, rate: speed, approach_speed: speed, stiffness: k };
    Ok(apart(law.force(&at).force, [force(r_p - 0.5 * diameter), force(0.5 * diameter - r_p)]))
}

/// A link whose upper half torus has the centre (0, 0, h) and the radius R, and a point beyond z = h.
struct Bend {
    h: f64,
    radius: f64,
    p: Vec3,
}

impl Bend {
    fn new(draw: &mut Stream) -> Self {
        let (h, radius) = (draw.between(0.5, 1.5), draw.between(0.5, 1.5));
        // Above the plane z = h and away from the ring's axis, where the distance has no gradient.
        let p = Vec3::new(draw.between(-1.0, 1.0), draw.between(0.3, 1.5), h + draw.between(0.2, 1.5));
        Self { h, radius, p }
    }

    /// r_p² with p_z shifted.
    fn squared(&self, p: &Vec3, shift: f64) -> f64 {
        p.x.powi(2) + (p.y.hypot(p.z + shift) - self.radius).powi(2)
    }
}

fn centre(draw: &mut Stream) -> Result<Defects> {
    let bend = Bend::new(draw);
    // The engine's answer for a triangle with its corner at p whose other corners are farther away.
    let link = Link::new(0.1 * bend.radius, bend.radius, bend.h)?;
    let ring = Vec3::new(0.0, bend.p.y, bend.p.z - bend.h).normalize() * bend.radius;
    let away = (bend.p - ring - Vec3::z() * bend.h).normalize();
    let aside = away.cross(&Vec3::new(0.6, 0.8, 0.0)).normalize();
    let corners = [bend.p, bend.p + (away + aside) * 0.05, bend.p + (away - aside) * 0.05];
    let found = bend_triangle(&link, 1.0, &corners)?.map_or(f64::NAN, |at| at.distance);
    let truth = search(|angle| {
        (bend.p - Vec3::new(0.0, bend.radius * angle.cos(), bend.h + bend.radius * angle.sin())).norm()
    });
    Ok(apart(truth, [bend.squared(&bend.p, bend.h).sqrt(), found]))
}

/// The least value of a function with one minimum over a half turn, by thirds.
fn search(f: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (0.0, PI);
    for _ in 0..200 {
        let third = (high - low) / 3.0;
        if f(low + third) < f(high - third) { high -= third } else { low += third }
    }
    f(0.5 * (low + high))
}

fn gradient(draw: &mut Stream) -> Result<Defects> {
    let bend = Bend::new(draw);
    let zeta = bend.p.z - bend.h;
    let truth = Vec3::from_fn(|k, _| slope(|s| bend.squared(&(bend.p + axis(k) * s), -bend.h)));
    let by_factor = |k_1: f64| Vec3::new(bend.p.x, k_1 * bend.p.y, k_1 * zeta) * 2.0;
    let factor = |square: f64| 1.0 - bend.radius / (bend.p.y.powi(2) + square).sqrt();
    Ok(vectors_apart(&truth, [by_factor(factor(zeta)), by_factor(factor(zeta * zeta))]))
}

fn constraint(draw: &mut Stream) -> Result<Defects> {
    let (p, u, v, h) = (draw.vector(), draw.direction(), draw.direction(), draw.between(0.5, 1.5));
    // (50) with the lower signs.
    let phi = |first: f64, second: f64| -((p + u * first + v * second).z + h);
    let truth = Vec3::new(slope(|s| phi(s, 0.0)), slope(|s| phi(0.0, s)), 0.0);
    let row = Vec3::new(u.z, v.z, 0.0);
    Ok(vectors_apart(&truth, [row, -row]))
}
