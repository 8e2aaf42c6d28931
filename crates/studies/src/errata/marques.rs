//! Errata of Marques et al.

use super::{Defects, Erratum, apart, axis, slope, slopes, vectors_apart};
use crate::Result;
use crate::draw::Stream;
use crate::paper::Paper;
use rattleback_contact::law::Application;
use rattleback_contact::law::friction::{Coulomb, FrictionLaw, Slip};
use rattleback_contact::law::normal::{Hysteresis, Indentation, NormalLaw, Rule};
use rattleback_contact::narrow::lopes::TangentFrame;
use rattleback_geom::{Mat3, Vec3};

pub(super) const ALL: &[Erratum] = &[
    Erratum {
        paper: Paper::Marques,
        equation: "(23), (24)",
        printed: "∂‖n‖/∂x = (∂n_x/∂x) n_x/‖n‖",
        right: "∂‖n‖/∂x = Σ n_i (∂n_i/∂x)/‖n‖",
        measured: "gradient of ‖n‖ of a quadric out of its principal axes, against differences",
        check: length_of_normal,
    },
    Erratum {
        paper: Paper::Marques,
        equation: "(28)",
        printed: "… − n_q (ñũ − ũñ)",
        right: "… − (ñũ − ũñ) n_q",
        measured: "∂b/∂q against differences",
        check: binormal,
    },
    Erratum {
        paper: Paper::Marques,
        equation: "(39)",
        printed: "δ̇ = d·n_j",
        right: "δ̇ = ḋ·n_j",
        measured: "rate of the depth of two spheres, against differences",
        check: depth_rate,
    },
    Erratum {
        paper: Paper::Marques,
        equation: "(42)",
        printed: "denominator 5 c_r δ⁽⁻⁾",
        right: "5 c_r δ̇⁽⁻⁾, the speed of approach",
        measured: "force of Flores' law (41), the depth being zero as contact begins",
        check: flores,
    },
    Erratum {
        paper: Paper::Marques,
        equation: "(43)",
        printed: "v_t = ḋ − δ̇ n_i",
        right: "v_t = ḋ − δ̇ n_j",
        measured: "part of the slip along the normal",
        check: slip,
    },
    Erratum {
        paper: Paper::Marques,
        equation: "(44)",
        printed: "F = μ₁F_C + μ₂‖v‖ at any slip",
        right: "(μ₁F_C + μ₂‖v‖) tanh(‖v‖/v₁)",
        measured: "jump of the force between slips of ±1e-12 m/s, in parts of μ₁F_C",
        check: jump,
    },
    Erratum {
        paper: Paper::Marques,
        equation: "(45)",
        printed: "F = F_A v̂",
        right: "F = −F_A v̂",
        measured: "cosine between force and slip, plus one",
        check: direction,
    },
    Erratum {
        paper: Paper::Marques,
        equation: "(46)",
        printed: "r = s_j + δ E_i/(E_i + E_j) n_j",
        right: "r = s_j − δ E_i/(E_i + E_j) n_j",
        measured: "the point that divides s_j s_i as the words below (46) say, in parts of the depth",
        check: application,
    },
];

/// A symmetric, positive definite matrix with all its entries: n = Q x is the normal of a quadric.
fn quadric(draw: &mut Stream) -> Mat3 {
    let rotation = draw.rotation().to_rotation_matrix();
    rotation * Mat3::from_diagonal(&draw.semi_axes().into()) * rotation.inverse()
}

fn length_of_normal(draw: &mut Stream) -> Result<Defects> {
    let (q, x) = (quadric(draw), draw.vector());
    let n = q * x;
    let truth = Vec3::from_fn(|k, _| slope(|s| (q * (x + axis(k) * s)).norm()));
    let printed = Vec3::from_fn(|k, _| q[(k, k)] * n[k] / n.norm());
    Ok(vectors_apart(&truth, [printed, q * n / n.norm()]))
}

fn binormal(draw: &mut Stream) -> Result<Defects> {
    let (q, n) = (quadric(draw), Vec3::from_fn(|_, _| draw.sign() * draw.between(0.3, 1.0)));
    let frame = TangentFrame::Auxiliary;
    let truth: [Vec3; 3] = std::array::from_fn(|k| slopes(|s| frame.at(&(n + q * axis(k) * s)).b));
    let truth = Mat3::from_columns(&truth);
    let w = Vec3::new(if n.x * n.y >= 0.0 { -1.0 } else { 1.0 }, 1.0, 0.0);
    let u_q = q + w * (q * n).transpose() / n.norm();
    let (n_cross, u_cross) = (n.cross_matrix(), (n + w * n.norm()).cross_matrix());
    let both = n_cross * u_cross - u_cross * n_cross;
    let printed = n_cross * n_cross * u_q - n_cross * u_cross * q - q * both;
    Ok([printed, frame.at(&n).db * q].map(|found| (found - truth).norm() / truth.norm()))
}

/// Two spheres i and j that overlap and move.
struct Spheres {
    radii: [f64; 2],
    /// From the centre of i to that of j.
    between: Vec3,
    /// The velocity of j against i.
    velocity: Vec3,
}

impl Spheres {
    fn new(draw: &mut Stream) -> Self {
        let radii = [draw.between(0.5, 1.0), draw.between(0.5, 1.0)];
        let depth = draw.between(0.01, 0.1);
        Self { radii, between: draw.direction() * (radii[0] + radii[1] - depth), velocity: draw.vector() }
    }

    /// δ after a time.
    fn depth(&self, time: f64) -> f64 {
        self.radii[0] + self.radii[1] - (self.between + self.velocity * time).norm()
    }

    /// The outer normal of j where it touches i.
    fn normal(&self) -> Vec3 {
        -self.between.normalize()
    }

    /// s_i and s_j, the origin being the centre of i.
    fn points(&self) -> [Vec3; 2] {
        let n = self.normal();
        [-n * self.radii[0], self.between + n * self.radii[1]]
    }
}

fn depth_rate(draw: &mut Stream) -> Result<Defects> {
    let spheres = Spheres::new(draw);
    let [s_i, s_j] = spheres.points();
    let n = spheres.normal();
    let truth = slope(|time| spheres.depth(time));
    Ok(apart(truth, [(s_j - s_i).dot(&n), spheres.velocity.dot(&n)]))
}

fn flores(draw: &mut Stream) -> Result<Defects> {
    let (e, k) = (draw.between(0.2, 0.9), draw.between(1e5, 1e7));
    let (depth, rate, approach_speed) =
        (draw.between(1e-4, 1e-3), draw.between(0.0, 0.5), draw.between(0.5, 1.0));
    let law = NormalLaw::from(Hysteresis::new(Rule::Flores, e, 1.5)?);
    let found = law.force(&Indentation { depth, rate, approach_speed, stiffness: k }).force;
    let force = |denominator: f64| {
        let chi = 8.0 * k * (1.0 - e) / (5.0 * e * denominator);
        (k + chi * rate) * depth.powf(1.5)
    };
    // Dopico (1) has the speed there.
    Ok(apart(force(approach_speed), [force(0.0), found]))
}

fn slip(draw: &mut Stream) -> Result<Defects> {
    let spheres = Spheres::new(draw);
    let (d_rate, n_j) = (spheres.velocity, spheres.normal());
    let rate = d_rate.dot(&n_j);
    // At a common normal n_i = −n_j.
    Ok([-n_j, n_j].map(|n| (d_rate - n * rate).dot(&n_j).abs() / d_rate.norm()))
}

/// Coulomb's friction with a viscous term, (44).
fn friction(draw: &mut Stream) -> Result<(f64, f64, f64, FrictionLaw)> {
    let (mu, viscous, force) = (draw.between(0.1, 0.9), draw.between(0.0, 10.0), draw.between(1.0, 100.0));
    let law = Coulomb::with_viscous(mu, viscous, Coulomb::TRANSITION)?;
    Ok((mu, viscous, force, law.into()))
}

fn jump(draw: &mut Stream) -> Result<Defects> {
    let (mu, viscous, normal_force, law) = friction(draw)?;
    let v = draw.direction() * 1e-12;
    let printed = |v: Vec3| v.normalize() * (mu * normal_force + viscous * v.norm());
    let smooth =
        |velocity: Vec3| law.force(&Slip { velocity, spin: 0.0, normal_force, bristle: Vec3::zeros() }).force;
    let jumps = [printed(v) - printed(-v), smooth(v) - smooth(-v)];
    Ok(jumps.map(|jump| jump.norm() / (mu * normal_force)))
}

fn direction(draw: &mut Stream) -> Result<Defects> {
    let (mu, viscous, normal_force, law) = friction(draw)?;
    let velocity = draw.vector();
    let printed = velocity.normalize() * (mu * normal_force + viscous * velocity.norm());
    let found = law.force(&Slip { velocity, spin: 0.0, normal_force, bristle: Vec3::zeros() }).force;
    Ok([printed, found].map(|force| force.normalize().dot(&velocity.normalize()) + 1.0))
}

fn application(draw: &mut Stream) -> Result<Defects> {
    let spheres = Spheres::new(draw);
    let ([s_i, s_j], n, depth) = (spheres.points(), spheres.normal(), spheres.depth(0.0));
    let [e_i, e_j] = [draw.between(0.1, 10.0), draw.between(0.1, 10.0)];
    let share = e_i / (e_i + e_j);
    // At s_i where i is much the stiffer, at s_j where j is, half way between equals.
    let truth = s_j + (s_i - s_j) * share;
    let printed = s_j + n * (depth * share);
    let found = s_i + (s_j - s_i) * Application::ByStiffness([e_i, e_j]).share();
    Ok([printed, found].map(|point| (point - truth).norm() / depth))
}
