//! Errata of Römer et al., appendices B and C: angles of rotations.

use super::{Defects, Erratum, slope, vectors_apart};
use crate::Result;
use crate::draw::Stream;
use crate::paper::Paper;
use rattleback_geom::nalgebra::{Rotation3, Unit};
use rattleback_geom::{Mat3, Vec3};
use std::f64::consts::{PI, TAU};

pub(super) const ALL: &[Erratum] = &[
    Erratum {
        paper: Paper::Roemer,
        equation: "(B.3), entry (1, 2)",
        printed: "c²_{α/2} s_γ − s²_{α/2} s_{2β+γ}",
        right: "−c²_{α/2} s_γ − s²_{α/2} s_{2β+γ}, as (66) has it",
        measured: "the matrix against the product of (63) to (65)",
        check: entry,
    },
    Erratum {
        paper: Paper::Roemer,
        equation: "(B.5c)",
        printed: "γ = arctan2(k₁k₃ − k₂k₄, −k₁k₄ − k₂k₃)",
        right: "γ = arctan2(−k₁k₃ − k₂k₄, k₁k₄ − k₂k₃)",
        measured: "(66) at α, β, γ of (B.5) against the turn by ψ about a",
        check: completeness,
    },
    Erratum {
        paper: Paper::Roemer,
        equation: "(C.2), second",
        printed: "α̇, β̇, γ̇",
        right: "the rates of ᾱ, β̄, γ̄",
        measured: "angular velocity against differences of (C.1)",
        check: angular_velocity,
    },
    Erratum {
        paper: Paper::Roemer,
        equation: "(C.3a, c)",
        printed: "arctan2(y, x), arctan2(x, y) by Appendix A",
        right: "the angle of the point (x, y)",
        measured: "(C.1) of either set of angles",
        check: from_second_set,
    },
    Erratum {
        paper: Paper::Roemer,
        equation: "(C.4a, c)",
        printed: "arctan2(y, x), arctan2(x, y) by Appendix A",
        right: "the angle of the point (x, y)",
        measured: "(C.1) of either set of angles",
        check: to_second_set,
    },
    Erratum {
        paper: Paper::Roemer,
        equation: "(C.4c)",
        printed: "arctan2(cos β sin γ, β̄)",
        right: "arctan2(cos β sin γ, sin β)",
        measured: "(C.1) of either set of angles, the order of arguments being right",
        check: third_angle,
    },
];

fn about(axis: Vec3, angle: f64) -> Mat3 {
    *Rotation3::from_axis_angle(&Unit::new_normalize(axis), angle).matrix()
}

/// (66), the product of (63) to (65).
fn turned([alpha, beta, gamma]: [f64; 3]) -> Mat3 {
    about(Vec3::z(), gamma + beta) * about(Vec3::y(), alpha) * about(Vec3::z(), -beta)
}

fn three(draw: &mut Stream) -> [f64; 3] {
    [draw.between(0.2, PI - 0.2), draw.between(0.0, TAU), draw.between(0.0, TAU)]
}

fn entry(draw: &mut Stream) -> Result<Defects> {
    let [alpha, beta, gamma] = three(draw);
    let (cos, sin) = ((0.5 * alpha).cos().powi(2), (0.5 * alpha).sin().powi(2));
    let second = sin * (2.0 * beta + gamma).sin();
    let truth = turned([alpha, beta, gamma])[(0, 1)];
    Ok([cos * gamma.sin() - second, -cos * gamma.sin() - second].map(|found| (found - truth).abs()))
}

fn completeness(draw: &mut Stream) -> Result<Defects> {
    let (a, psi) = (draw.direction(), draw.between(0.1, TAU - 0.1));
    let truth = about(a, psi);
    // k of (B.4): entries of the third row and the third column over s_θ.
    let s_theta = a.x.hypot(a.y);
    let k = [truth[(2, 1)], truth[(2, 0)], truth[(1, 2)], truth[(0, 2)]].map(|entry| entry / s_theta);
    // arctan2 of Appendix A has its x first.
    let arctan2 = |x: f64, y: f64| y.atan2(x);
    let (alpha, beta) = (truth[(2, 2)].clamp(-1.0, 1.0).acos(), arctan2(-k[1], -k[0]));
    let printed = arctan2(k[0] * k[2] - k[1] * k[3], -k[0] * k[3] - k[1] * k[2]);
    let right = arctan2(-k[0] * k[2] - k[1] * k[3], k[0] * k[3] - k[1] * k[2]);
    Ok([printed, right].map(|gamma| (turned([alpha, beta, gamma]) - truth).norm()))
}

/// The first line of (C.1).
fn first_set([alpha, beta, gamma]: [f64; 3]) -> Mat3 {
    about(Vec3::z(), alpha) * about(Vec3::y(), beta) * about(Vec3::x(), gamma)
}

/// The second line of (C.1).
fn second_set([alpha, beta, gamma]: [f64; 3]) -> Mat3 {
    let ((sa, ca), (sb, cb), (sg, cg)) = (alpha.sin_cos(), beta.sin_cos(), gamma.sin_cos());
    Mat3::new(
        -ca * sb * cg - sa * sg,
        ca * sb * sg - sa * cg,
        ca * cb,
        -sa * sb * cg + ca * sg,
        sa * sb * sg + ca * cg,
        sa * cb,
        -cb * cg,
        cb * sg,
        -sb,
    )
}

/// Angles of a set: β away from where the set is singular.
fn of_set(draw: &mut Stream) -> [f64; 3] {
    [draw.between(0.0, TAU), draw.between(-1.2, 1.2), draw.between(0.2, 1.3)]
}

fn angular_velocity(draw: &mut Stream) -> Result<Defects> {
    let (bars, rates) = (of_set(draw), draw.vector());
    let at = |s: f64| second_set([bars[0] + rates.x * s, bars[1] + rates.y * s, bars[2] + rates.z * s]);
    let q = at(0.0);
    let spin = |i: usize, j: usize| slope(|s| (q.transpose() * at(s))[(i, j)]);
    let truth = Vec3::new(spin(2, 1), spin(0, 2), spin(1, 0));
    let ((sb, cb), (sg, cg)) = (bars[1].sin_cos(), bars[2].sin_cos());
    let omega = |r: Vec3| Vec3::new(-r.x * cb * cg + r.y * sg, r.x * cb * sg + r.y * cg, -r.x * sb + r.z);
    // The rates of the first set, from (C.1): tan α = Q₂₁/Q₁₁, sin β = −Q₃₁, tan γ = Q₃₂/Q₃₃.
    let angle = |y: (usize, usize), x: (usize, usize)| {
        let length = q[x].powi(2) + q[y].powi(2);
        (q[x] * slope(|s| at(s)[y]) - q[y] * slope(|s| at(s)[x])) / length
    };
    let beta = -slope(|s| at(s)[(2, 0)]) / (1.0 - q[(2, 0)].powi(2)).sqrt();
    let first = Vec3::new(angle((1, 0), (0, 0)), beta, angle((2, 1), (2, 2)));
    Ok(vectors_apart(&truth, [omega(first), omega(rates)]))
}

fn from_second_set(draw: &mut Stream) -> Result<Defects> {
    let bars = of_set(draw);
    let truth = second_set(bars);
    let ((sa, ca), (sb, cb), (sg, cg)) = (bars[0].sin_cos(), bars[1].sin_cos(), bars[2].sin_cos());
    let beta = (cb * cg).asin();
    // The first and the second argument of (C.3a) and (C.3c).
    let alpha = (-sa * sb * cg + ca * sg, -ca * sb * cg - sa * sg);
    let gamma = (cb * sg, -sb);
    let printed = [alpha.1.atan2(alpha.0), beta, gamma.1.atan2(gamma.0)];
    let right = [alpha.0.atan2(alpha.1), beta, gamma.0.atan2(gamma.1)];
    Ok([printed, right].map(|angles| (first_set(angles) - truth).norm()))
}

/// The arguments of (C.4a) and (C.4c), the latter put right, and β̄.
fn arguments([alpha, beta, gamma]: [f64; 3]) -> ([f64; 2], [f64; 2], f64) {
    let ((sa, ca), (sb, cb), (sg, cg)) = (alpha.sin_cos(), beta.sin_cos(), gamma.sin_cos());
    ([sa * sb * cg - ca * sg, ca * sb * cg + sa * sg], [cb * sg, sb], -(cb * cg).asin())
}

fn to_second_set(draw: &mut Stream) -> Result<Defects> {
    let angles = of_set(draw);
    let truth = first_set(angles);
    let (alpha, gamma, beta) = arguments(angles);
    let printed = [alpha[1].atan2(alpha[0]), beta, gamma[1].atan2(gamma[0])];
    let right = [alpha[0].atan2(alpha[1]), beta, gamma[0].atan2(gamma[1])];
    Ok([printed, right].map(|bars| (second_set(bars) - truth).norm()))
}

fn third_angle(draw: &mut Stream) -> Result<Defects> {
    let angles = of_set(draw);
    let truth = first_set(angles);
    let (alpha, gamma, beta) = arguments(angles);
    let with = |x: f64| second_set([alpha[0].atan2(alpha[1]), beta, gamma[0].atan2(x)]);
    Ok([with(beta), with(gamma[1])].map(|found| (found - truth).norm()))
}
