//! Errata of Lopes et al. 2010.

use super::{Defects, Erratum, apart, axis, slopes};
use crate::Result;
use crate::draw::Stream;
use crate::paper::Paper;
use rattleback_contact::narrow::lopes::{ImplicitBody, System, TangentFrame};
use rattleback_contact::{Collider, contact};
use rattleback_geom::surface::{Ellipsoid, Sphere, Superquadric};
use rattleback_geom::{Mat3, Pose, Vec3};
use std::f64::consts::{PI, TAU};

pub(super) const ALL: &[Erratum] = &[
    Erratum {
        paper: Paper::Lopes,
        equation: "(16)",
        printed: "h = n + ‖n‖e₁",
        right: "h = n + sign(n_x)‖n‖e₁",
        measured: "length and slope of the tangent where n = −‖n‖e₁",
        check: householder,
    },
    Erratum {
        paper: Paper::Lopes,
        equation: "(20), first",
        printed: "t_q = ñ v_q + ṽ n_q",
        right: "t_q = ñ v_q − ṽ n_q",
        measured: "∂t/∂n against differences",
        check: tangent_derivative,
    },
    Erratum {
        paper: Paper::Lopes,
        equation: "Table 1",
        printed: "n_x = 0 or n_y = 0 in two rows, n_x = n_y = 0 in none",
        right: "v₂ where n_x n_y ≥ 0, else v₁",
        measured: "rows that apply to a normal, less one; slope of the tangent",
        check: table_1,
    },
    Erratum {
        paper: Paper::Lopes,
        equation: "(22)",
        printed: "−q₁, −q₂ make further solutions of (9)",
        right: "only for spheres and aligned bodies; a solution has d ∥ n",
        measured: "sine of the angle between d and n at the best of the mirrored pairs of two ellipsoids",
        check: mirrors,
    },
    Erratum {
        paper: Paper::Lopes,
        equation: "(24)",
        printed: "the least signed distance of the four pairs",
        right: "gap = max over n of f(n)",
        measured: "distance of two separate spheres, the iteration having stopped on the far side of (i)",
        check: least_distance,
    },
    Erratum {
        paper: Paper::Lopes,
        equation: "(29)",
        printed: "third component cos φ",
        right: "cos θ, as in (35)",
        measured: "F of (25) at points of ellipsoids",
        check: angle_centre,
    },
    Erratum {
        paper: Paper::Lopes,
        equation: "(30b)",
        printed: "r₁ = a₁₁sθcφ + a₂₂sθsφ + a₃₃cθ",
        right: "r₁ = a₁sθcφ + a₂sθsφ + a₃cθ",
        measured: "F of (25) at points of elliptic paraboloids",
        check: linear_coefficients,
    },
    Erratum {
        paper: Paper::Lopes,
        equation: "(36)",
        printed: "s^γ₁θ (a₁₁c^γ₂φ + a₂₂s^γ₂φ)",
        right: "∣sθ∣^γ₁ (a₁₁∣cφ∣^γ₂ + a₂₂∣sφ∣^γ₂)^(γ₁/γ₂)",
        measured: "F of (33) at points of superellipsoids",
        check: barr_radius,
    },
    Erratum {
        paper: Paper::Lopes,
        equation: "(9, 12)",
        printed: "six independent equations",
        right: "not where two local coordinates vanish; the maximum of f(n) is found there too",
        measured: "1 where the Jacobian has lost its rank; gap of aligned superellipsoids against its closed form",
        check: rank,
    },
];

/// How far t is from a unit vector across n.
fn off_tangent(t: &Vec3, n: &Vec3) -> f64 {
    (t.norm() - 1.0).abs().max(t.dot(n).abs() / n.norm())
}

fn householder(draw: &mut Stream) -> Result<Defects> {
    let n = -Vec3::x() * draw.between(0.1, 3.0);
    let h = n + Vec3::x() * n.norm();
    let printed = Vec3::y() - h * (2.0 * h.y / h.norm_squared());
    Ok([off_tangent(&printed, &n), off_tangent(&TangentFrame::Householder.at(&n).t, &n)])
}

fn tangent_derivative(draw: &mut Stream) -> Result<Defects> {
    // Away from the planes where the auxiliary vector changes.
    let n = Vec3::from_fn(|_, _| draw.sign() * draw.between(0.2, 1.0));
    let w = Vec3::new(if n.x * n.y >= 0.0 { -1.0 } else { 1.0 }, 1.0, 0.0);
    let v = |n: &Vec3| n + w * n.norm();
    let truth: [Vec3; 3] = std::array::from_fn(|k| {
        slopes(|s| {
            let n = n + axis(k) * s;
            n.cross(&v(&n))
        })
    });
    let truth = Mat3::from_columns(&truth);
    let v_n = Mat3::identity() + w * n.transpose() / n.norm();
    let printed = n.cross_matrix() * v_n + v(&n).cross_matrix();
    Ok([printed, TangentFrame::Auxiliary.at(&n).dt].map(|found| (found - truth).norm() / truth.norm()))
}

fn table_1(draw: &mut Stream) -> Result<Defects> {
    let component = |u: f64| if u < 1.0 / 3.0 { 0.0 } else { (u - 2.0 / 3.0).signum() };
    let n = Vec3::new(component(draw.unit()), component(draw.unit()), draw.between(0.1, 1.0));
    // The signs of n_x and n_y in the rows of either half.
    let of_v2_or_v4 = [(1, 1), (0, 1), (1, 0), (-1, -1), (0, -1), (-1, 0)];
    let of_v1_or_v3 = [(-1, 1), (0, 1), (-1, 0), (1, -1), (0, -1), (1, 0)];
    let signs = (n.x as i32, n.y as i32);
    let rows = of_v2_or_v4.iter().chain(&of_v1_or_v3).filter(|row| **row == signs).count();
    let t = TangentFrame::Auxiliary.at(&n).t;
    Ok([(rows as f64 - 1.0).abs(), off_tangent(&t.normalize(), &n)])
}

fn mirrors(draw: &mut Stream) -> Result<Defects> {
    let far = draw.direction() * draw.between(4.5, 6.0);
    let poses = [Pose::new(Vec3::zeros(), draw.rotation()), Pose::new(far, draw.rotation())];
    let bodies = [Ellipsoid::new(draw.semi_axes())?, Ellipsoid::new(draw.semi_axes())?];
    let [a, b] = [0, 1].map(|k| Collider::new(bodies[k], poses[k]));
    let touch = contact(&a, &b)?.touch;
    let mirrored = |pose: &Pose, point: &Vec3| 2.0 * pose.position - point;
    let (p, q) = (touch.point_a, touch.point_b);
    let (far_p, far_q) = (mirrored(&poses[0], &p), mirrored(&poses[1], &q));
    let sine = |p: &Vec3, q: &Vec3| (q - p).normalize().cross(&touch.normal).norm();
    let printed = sine(&p, &far_q).min(sine(&far_p, &q)).min(sine(&far_p, &far_q));
    Ok([printed, sine(&p, &q)])
}

fn least_distance(draw: &mut Stream) -> Result<Defects> {
    let [r_a, r_b] = [draw.between(0.2, 1.0), draw.between(0.2, 1.0)];
    let (u, gap) = (draw.direction(), draw.between(0.1, 2.0));
    let centre = u * (r_a + r_b + gap);
    // The far point of (i) and its outer normal.
    let n = -u;
    let signed = |p: Vec3, q: Vec3| (q - p).norm().copysign(n.dot(&(q - p)));
    let (on_a, on_b) = ([u * -r_a, u * r_a], [centre - u * r_b, centre + u * r_b]);
    let pairs = on_a.iter().flat_map(|p| on_b.iter().map(|q| signed(*p, *q)));
    let printed = pairs.fold(f64::INFINITY, f64::min);
    let a = Collider::new(Sphere::new(r_a)?, Pose::identity());
    let b = Collider::new(Sphere::new(r_b)?, Pose::from_position(centre.x, centre.y, centre.z));
    Ok(apart(gap, [printed, contact(&a, &b)?.touch.gap]))
}

/// sin θ cos φ, sin θ sin φ, cos θ, and cos φ, θ away from the poles.
fn angles(draw: &mut Stream) -> (Vec3, f64) {
    let (theta, phi) = (draw.between(0.3, PI - 0.3), draw.between(0.0, TAU));
    let direction = Vec3::new(theta.sin() * phi.cos(), theta.sin() * phi.sin(), theta.cos());
    (direction, phi.cos())
}

/// (30a), the positive root of r₂r² + r₁r − 1.
fn radius(r_1: f64, r_2: f64) -> f64 {
    (-r_1 + (r_1 * r_1 + 4.0 * r_2).sqrt()) / (2.0 * r_2)
}

fn angle_centre(draw: &mut Stream) -> Result<Defects> {
    let squares = Vec3::from(draw.semi_axes().map(|a| 1.0 / (a * a)));
    let (direction, cos_phi) = angles(draw);
    let r_2 = squares.dot(&direction.component_mul(&direction));
    let value = |p: Vec3| (squares.dot(&p.component_mul(&p)) - 1.0).abs();
    let printed = Vec3::new(direction.x, direction.y, cos_phi);
    Ok([printed, direction].map(|u| value(u * radius(0.0, r_2))))
}

fn linear_coefficients(draw: &mut Stream) -> Result<Defects> {
    let (a_11, a_22, a_3) = (draw.between(0.3, 2.0), draw.between(0.3, 2.0), -1.0);
    let (u, _) = angles(draw);
    let r_2 = a_11 * u.x * u.x + a_22 * u.y * u.y;
    let value = |p: Vec3| (a_11 * p.x * p.x + a_22 * p.y * p.y + a_3 * p.z - 1.0).abs();
    Ok([a_11 * u.x + a_22 * u.y, a_3 * u.z].map(|r_1| value(u * radius(r_1, r_2))))
}

fn barr_radius(draw: &mut Stream) -> Result<Defects> {
    let [a, b, c] = draw.semi_axes().map(|a| 1.0 / a);
    let [g_1, g_2] = [draw.between(2.0, 6.0), draw.between(2.0, 6.0)];
    let (u, _) = angles(draw);
    let sin_theta = u.x.hypot(u.y);
    let flat = a * (u.x / sin_theta).abs().powf(g_2) + b * (u.y / sin_theta).abs().powf(g_2);
    let value = |p: Vec3| {
        let flat = a * p.x.abs().powf(g_2) + b * p.y.abs().powf(g_2);
        (flat.powf(g_1 / g_2) + c * p.z.abs().powf(g_1) - 1.0).abs()
    };
    Ok([flat, flat.powf(g_1 / g_2)].map(|bracket| {
        let sum = sin_theta.powf(g_1) * bracket + c * u.z.abs().powf(g_1);
        value(u * sum.powf(-1.0 / g_1))
    }))
}

fn rank(draw: &mut Stream) -> Result<Defects> {
    let semi_axes = [draw.semi_axes(), draw.semi_axes()];
    let [a, b] = [draw.between(2.5, 5.0), draw.between(2.5, 5.0)];
    let surfaces = [Superquadric::new(semi_axes[0], [a; 3])?, Superquadric::new(semi_axes[1], [b; 3])?];
    let gap = draw.between(0.1, 1.0);
    let (near, far) = (semi_axes[0][0], semi_axes[0][0] + gap);
    let poses = [Pose::identity(), Pose::from_position(far + semi_axes[1][0], 0.0, 0.0)];
    let [i, j] = [0, 1].map(|k| ImplicitBody::new(&surfaces[k], poses[k]));
    let system = System { a: i, b: j, frame: TangentFrame::Householder };
    let unknowns = system.unknowns(&(Vec3::x() * near), &(Vec3::x() * far));
    let values = system.linearise(&unknowns).1.singular_values();
    let lost = values.min() < 1e-12 * values.max();
    let [x, y] = [0, 1].map(|k| Collider::new(surfaces[k], poses[k]));
    Ok([f64::from(u8::from(lost)), apart(gap, [gap, contact(&x, &y)?.touch.gap])[1]])
}
