//! Errata of Römer et al., sections 2 to 4: the normal parameterisation.

use super::{Defects, Erratum, apart, slope, vectors_apart};
use crate::Result;
use crate::draw::Stream;
use crate::paper::Paper;
use rattleback_geom::nalgebra::Matrix2;
use rattleback_geom::spherical::{Angles, Fundamental, Pole};
use rattleback_geom::{Mat3, Pose, Vec3};
use std::f64::consts::{PI, TAU};

pub(super) const ALL: &[Erratum] = &[
    Erratum {
        paper: Paper::Roemer,
        equation: "(17), φ = π",
        printed: "∂_φ g = x cos θ − y sin θ",
        right: "∂_φ g = −x cos θ − y sin θ",
        measured: "∂_φ g of ellipsoids off their centre at φ = π, x and y as (46) has them, against differences",
        check: south_pole,
    },
    Erratum {
        paper: Paper::Roemer,
        equation: "(26), (32)",
        printed: "umbilic: g = s²e = ±sf, κ = 1/(2e)",
        right: "umbilic: f = 0, g = s²e, κ = 1/e",
        measured: "curvature of spheres off their centre; eg − f² = 0 as printed, which (19) forbids",
        check: umbilic,
    },
    Erratum {
        paper: Paper::Roemer,
        equation: "(27), (44)",
        printed: "c₁ = cos θ₀ b_x + sin θ₀ b_y",
        right: "c₁ = cos θ₀ b_x − sin θ₀ b_y",
        measured: "sine of the angle to the direction of greatest curvature at the pole of turned ellipsoids",
        check: pole_direction,
    },
    Erratum {
        paper: Paper::Roemer,
        equation: "(50)",
        printed: "√((s²e + g)² − 4s²f²)",
        right: "√((s²e + g)² − 4s²(eg − f²))",
        measured: "the least offset against the smaller radius of curvature",
        check: offset,
    },
    Erratum {
        paper: Paper::Roemer,
        equation: "(53)",
        printed: "r_B = x_B i_x + z_P i_z",
        right: "r_B = x_B i_x + z_B i_z",
        measured: "height of the centre of an ellipse that stands on a line, where z_P = 0",
        check: height,
    },
    Erratum {
        paper: Paper::Roemer,
        equation: "(62)",
        printed: "r_BP = g′ i_x + g i_z",
        right: "r_BP = g′ i_x − g i_z, as (57) and (77) have it",
        measured: "lowest point of a turned ellipse",
        check: lowest_point,
    },
    Erratum {
        paper: Paper::Roemer,
        equation: "below (77)",
        printed: "φ = −α, θ = β",
        right: "φ = π − α, θ = β",
        measured: "outer normal (14c) at the contact point, against −(i_z in the frame of the body) by (66)",
        check: angles_of_normal,
    },
];

/// An ellipsoid xᵀA⁻¹x = 1 that is turned and shifted: h(n) = √(nᵀAn) + n·c.
struct Turned {
    matrix: Mat3,
    shift: Vec3,
}

impl Turned {
    fn new(draw: &mut Stream) -> Self {
        let rotation = draw.rotation().to_rotation_matrix();
        let squares = Vec3::from(draw.semi_axes().map(|a| a * a));
        Self { matrix: rotation * Mat3::from_diagonal(&squares) * rotation.inverse(), shift: draw.vector() }
    }

    fn support(&self, n: &Vec3) -> f64 {
        n.dot(&(self.matrix * n)).sqrt() + n.dot(&self.shift)
    }

    fn point(&self, n: &Vec3) -> Vec3 {
        let image = self.matrix * n;
        image / n.dot(&image).sqrt() + self.shift
    }

    fn hessian(&self, n: &Vec3) -> Mat3 {
        let image = self.matrix * n;
        let square = n.dot(&image);
        (self.matrix - image * image.transpose() / square) / square.sqrt()
    }
}

fn south_pole(draw: &mut Stream) -> Result<Defects> {
    let (body, theta) = (Turned::new(draw), draw.between(0.0, TAU));
    let normal = |phi: f64| Vec3::new(phi.sin() * theta.cos(), phi.sin() * theta.sin(), phi.cos());
    let truth = slope(|s| body.support(&normal(PI + s)));
    let p = body.point(&-Vec3::z());
    Ok([p.x, -p.x].map(|x| (x * theta.cos() - p.y * theta.sin() - truth).abs() / p.norm()))
}

fn umbilic(draw: &mut Stream) -> Result<Defects> {
    let (radius, n) = (draw.between(0.2, 3.0), draw.direction());
    let hessian = (Mat3::identity() - n * n.transpose()) * radius;
    let at = Fundamental::from_hessian(Angles::from_normal(&n)?, &hessian)?;
    Ok(apart(1.0 / radius, [1.0 / (2.0 * at.e), at.curvature()?.kappa[0]]))
}

fn pole_direction(draw: &mut Stream) -> Result<Defects> {
    let hessian = Turned::new(draw).hessian(&Vec3::z());
    let block = Matrix2::new(hessian[(0, 0)], hessian[(0, 1)], hessian[(1, 0)], hessian[(1, 1)]);
    let radii = block.symmetric_eigen();
    let sharpest = radii.eigenvectors.column(radii.eigenvalues.imin());
    let truth = Vec3::new(sharpest[0], sharpest[1], 0.0);
    let pole = Pole::from_hessian(false, &hessian)?;
    let (sin, cos) = pole.shift().sin_cos();
    let printed = Vec3::new(cos, sin, 0.0);
    Ok([printed, pole.curvature().direction[0]].map(|found| found.cross(&truth).norm()))
}

fn offset(draw: &mut Stream) -> Result<Defects> {
    let (body, n) = (Turned::new(draw), draw.direction());
    let hessian = body.hessian(&n);
    let angles = Angles::from_normal(&n)?;
    let at = Fundamental::from_hessian(angles, &hessian)?;
    let square = angles.polar().sin().powi(2);
    let sum = square * at.e + at.g;
    let printed = ((sum * sum - 4.0 * square * at.f * at.f).sqrt() - sum) / (2.0 * square);
    // The eigenvalues of the Hessian are the radii and, along n, zero.
    let mut radii: [f64; 3] = hessian.symmetric_eigenvalues().into();
    radii.sort_by(f64::total_cmp);
    Ok(apart(-radii[1], [printed, at.offset_limit()?]))
}

/// An ellipse with its centre B that stands on z = 0, turned about y by α: g, g′ and the point of contact from B.
fn standing(draw: &mut Stream) -> (f64, f64, Vec3) {
    let [a, b, _] = draw.semi_axes();
    let alpha = draw.between(0.2, 1.3);
    let g = |alpha: f64| (a * alpha.sin()).hypot(b * alpha.cos());
    let turn =
        Mat3::from(*rattleback_geom::nalgebra::Rotation3::from_axis_angle(&Vec3::y_axis(), alpha).matrix());
    let down = turn.transpose() * -Vec3::z();
    let local = Vec3::new(a * a * down.x, 0.0, b * b * down.z) / (a * down.x).hypot(b * down.z);
    (g(alpha), slope(|s| g(alpha + s)), turn * local)
}

fn height(draw: &mut Stream) -> Result<Defects> {
    let (g, _, point) = standing(draw);
    Ok(apart(-point.z, [0.0, g]))
}

fn lowest_point(draw: &mut Stream) -> Result<Defects> {
    let (g, rate, point) = standing(draw);
    Ok(vectors_apart(&point, [Vec3::new(rate, 0.0, g), Vec3::new(rate, 0.0, -g)]))
}

fn angles_of_normal(draw: &mut Stream) -> Result<Defects> {
    let (alpha, beta) = (draw.between(0.1, PI - 0.1), draw.between(0.0, TAU));
    let turned = |angle: f64, axis: Vec3| Pose::identity().rotated(axis, angle).map(|pose| pose.rotation());
    let rotation = turned(beta, Vec3::z())? * turned(alpha, Vec3::y())? * turned(-beta, Vec3::z())?;
    let truth = -(rotation.transpose() * Vec3::z());
    let normal = |phi: f64| Vec3::new(phi.sin() * beta.cos(), phi.sin() * beta.sin(), phi.cos());
    Ok(vectors_apart(&truth, [normal(-alpha), normal(PI - alpha)]))
}
