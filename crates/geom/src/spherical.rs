//! The normal parameterisation in spherical angles, as the paper has it.
//!
//! Römer, section 3: φ is the polar angle of the normal from +z, θ its azimuth, s = sin φ, c = cos φ, and (14)
//!
//! - e_φ = (c cos θ, c sin θ, −s), e_θ = (−sin θ, cos θ, 0), e_n = (s cos θ, s sin θ, c).
//!
//! With g_B(φ, θ) = h(e_n), ∂_φ e_n = e_φ and ∂_θ e_n = s e_θ, the quantities (21), in m, are
//!
//! - e = g_B + ∂²_φ g_B = e_φ·∇²h e_φ,
//! - f = ∂_φ∂_θ g_B − (c/s) ∂_θ g_B = s e_φ·∇²h e_θ,
//! - g = s² g_B + cs ∂_φ g_B + ∂²_θ g_B = s² e_θ·∇²h e_θ.
//!
//! The radii of curvature r solve s²r² − (s²e + g) r + (eg − f²) = 0, from which (26) and (50).
//!
//! Departures from the paper:
//! - (26, 27): an umbilic is f = 0 and g = s²e, with κ = 1/e. The paper's g = s²e = ±sf makes eg − f² vanish, which
//!   (19) forbids.
//! - (26, 27): κ₁ ≥ κ₂ always; for f = 0 the paper leaves their order open. The smaller one is s²/((eg − f²)κ₁), and
//!   of the two directions the one whose second component does not cancel is evaluated, so that f = 0 needs no case.
//! - (27, 44): at a pole e₀(θ) = e_φ·∇²h e_φ is least, κ₁,₀⁻¹, at θ = −θ₀ by (18). The first direction is e_φ there:
//!   cos θ₀ b_x − sin θ₀ b_y, up to sign at either pole.
//! - (50): the discriminant is (s²e + g)² − 4s²(eg − f²) = (s²e − g)² + 4s²f².
//!
//! No algorithm uses these: [`crate::surface::Support`] has neither poles nor third derivatives.

use crate::curvature::tangents;
use crate::error::{GeomError, Result, direction, finite, within};
use crate::{Curvature, Mat3, Vec3};
use std::f64::consts::PI;

/// The direction of a normal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Angles {
    polar: f64,
    azimuth: f64,
}

impl Angles {
    /// From φ within [0, π] and any finite θ, in radians.
    pub fn new(polar: f64, azimuth: f64) -> Result<Self> {
        let polar = within("polar", polar, 0.0, PI, "from 0 to π")?;
        Ok(Self { polar, azimuth: finite("azimuth", azimuth)? })
    }

    /// The angles of a normal of any length but zero, θ within [−π, π]; at the poles, where every θ would do, θ = 0.
    pub fn from_normal(n: &Vec3) -> Result<Self> {
        let n = direction("normal", n)?;
        // atan2 keeps its digits near the poles, where the arc cosine of (79a) has none left.
        let s = n.x.hypot(n.y);
        let azimuth = if s == 0.0 { 0.0 } else { n.y.atan2(n.x) };
        Ok(Self { polar: s.atan2(n.z), azimuth })
    }

    /// φ in radians.
    pub fn polar(&self) -> f64 {
        self.polar
    }

    /// θ in radians.
    pub fn azimuth(&self) -> f64 {
        self.azimuth
    }

    /// e_φ, e_θ, e_n (14): a right-handed frame, at the poles too.
    pub fn frame(&self) -> [Vec3; 3] {
        let (s, c) = self.sin_cos_polar();
        let (st, ct) = self.azimuth.sin_cos();
        [Vec3::new(c * ct, c * st, -s), Vec3::new(-st, ct, 0.0), Vec3::new(s * ct, s * st, c)]
    }

    /// sin φ and cos φ; sin π is zero, not the rounding error of π.
    fn sin_cos_polar(&self) -> (f64, f64) {
        if self.polar == PI { (0.0, -1.0) } else { self.polar.sin_cos() }
    }
}

/// g_B and its partial derivatives at some angles, in metres.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(missing_docs, reason = "the names are the derivatives")]
pub struct PotentialJet {
    pub value: f64,
    pub d_polar: f64,
    pub d_azimuth: f64,
    pub d_polar_polar: f64,
    pub d_polar_azimuth: f64,
    pub d_azimuth_azimuth: f64,
}

/// The quantities e, f and g of (21) at some angles, in metres.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(missing_docs, reason = "the names are the paper's")]
pub struct Fundamental {
    angles: Angles,
    pub e: f64,
    pub f: f64,
    pub g: f64,
}

impl Fundamental {
    /// From the Hessian of the support function at the unit normal of these angles.
    pub fn from_hessian(angles: Angles, hessian: &Mat3) -> Result<Self> {
        let [e_phi, e_theta, _] = angles.frame();
        let s = angles.sin_cos_polar().0;
        let (along, across) = (hessian * e_phi, hessian * e_theta);
        Self { angles, e: e_phi.dot(&along), f: s * e_phi.dot(&across), g: s * s * e_theta.dot(&across) }
            .checked()
    }

    /// From the derivatives of the potential in the angles, by (21); refused at the poles, where f divides by s.
    pub fn from_potential(angles: Angles, jet: &PotentialJet) -> Result<Self> {
        let (s, c) = angles.sin_cos_polar();
        let e = jet.value + jet.d_polar_polar;
        let f = jet.d_polar_azimuth - c / regular(s, &angles)? * jet.d_azimuth;
        let g = s * s * jet.value + c * s * jet.d_polar + jet.d_azimuth_azimuth;
        Self { angles, e, f, g }.checked()
    }

    fn checked(self) -> Result<Self> {
        finite("e", self.e)?;
        finite("f", self.f)?;
        finite("g", self.g)?;
        Ok(self)
    }

    /// s²e + g and the root of the discriminant, (s²e − g)² + 4s²f².
    fn sum_and_root(&self, s: f64) -> (f64, f64) {
        let se = s * s * self.e;
        (se + self.g, (se - self.g).hypot(2.0 * s * self.f))
    }

    /// The lower limit of the offset distance at this normal, the regular case of (50): minus the smaller radius.
    pub fn offset_limit(&self) -> Result<f64> {
        let s = regular(self.angles.sin_cos_polar().0, &self.angles)?;
        let (sum, root) = self.sum_and_root(s);
        // (root − sum)/(2s²) without its cancellation.
        Ok(-2.0 * (self.e * self.g - self.f * self.f) / (sum + root))
    }

    /// Principal curvatures and directions, the regular cases of (26) and (27); at a pole ask [`Pole`].
    pub fn curvature(&self) -> Result<Curvature> {
        let s = regular(self.angles.sin_cos_polar().0, &self.angles)?;
        let [e_phi, e_theta, e_n] = self.angles.frame();
        let (sum, root) = self.sum_and_root(s);
        let determinant = self.e * self.g - self.f * self.f;
        if !(determinant > 0.0 && sum > 0.0) {
            let radius = if sum > 0.0 { -self.offset_limit()? } else { 0.5 * (sum - root) / (s * s) };
            return Err(GeomError::NotConvex { radius, normal: e_n.into(), required: 0.0 });
        }
        let kappa = [(sum + root) / (2.0 * determinant), 2.0 * s * s / (sum + root)];
        if root == 0.0 {
            return Ok(Curvature::umbilic(&e_n, 1.0 / self.e));
        }
        // g − (eg − f²)κ is half of (g − s²e) ∓ root.
        let (sf, difference) = (s * self.f, self.g - s * s * self.e);
        let first = if difference <= 0.0 {
            e_phi * sf + e_theta * (0.5 * (difference - root))
        } else {
            (e_phi * sf + e_theta * (0.5 * (difference + root))).cross(&e_n)
        }
        .normalize();
        Ok(Curvature { kappa, direction: [first, e_n.cross(&first)] })
    }
}

/// Refuses s = 0.
fn regular(s: f64, angles: &Angles) -> Result<f64> {
    if s > 0.0 {
        return Ok(s);
    }
    Err(GeomError::OutOfRange {
        field: "polar".to_owned(),
        value: angles.polar,
        allowed: "between the poles, which have formulas of their own".to_owned(),
    })
}

/// The constants of (18) at a pole: e₀(θ) = κ₁⁻¹ cos²(θ + θ₀) + κ₂⁻¹ sin²(θ + θ₀).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pole {
    south: bool,
    kappa: [f64; 2],
    shift: f64,
}

impl Pole {
    /// From e = g_B + ∂²_φ g_B in metres at the azimuths 0, π/4 and π/2 of one pole, `south` being φ = π.
    ///
    /// e₀ = m + D cos 2θ + B sin 2θ with m ± D its values at 0 and π/2, m + B that at π/4; (18) is
    /// m − √(D² + B²) cos 2(θ + θ₀).
    pub fn new(south: bool, [e_0, e_quarter, e_half]: [f64; 3]) -> Result<Self> {
        let mean = 0.5 * (finite("e(0)", e_0)? + finite("e(π/2)", e_half)?);
        let (d, b) = (0.5 * (e_0 - e_half), finite("e(π/4)", e_quarter)? - mean);
        let amplitude = d.hypot(b);
        if !(mean - amplitude > 0.0) {
            let normal = [0.0, 0.0, if south { -1.0 } else { 1.0 }];
            return Err(GeomError::NotConvex { radius: mean - amplitude, normal, required: 0.0 });
        }
        let shift = if amplitude == 0.0 { 0.0 } else { 0.5 * b.atan2(-d) };
        Ok(Self { south, kappa: [1.0 / (mean - amplitude), 1.0 / (mean + amplitude)], shift })
    }

    /// From the Hessian of the support function at the pole.
    pub fn from_hessian(south: bool, hessian: &Mat3) -> Result<Self> {
        let (a, b, c) = (hessian[(0, 0)], 0.5 * (hessian[(0, 1)] + hessian[(1, 0)]), hessian[(1, 1)]);
        Self::new(south, [a, 0.5 * (a + c) + b, c])
    }

    /// κ₁ ≥ κ₂ in 1/m.
    pub fn kappa(&self) -> [f64; 2] {
        self.kappa
    }

    /// θ₀ in radians; zero at an umbilic, where every angle would do.
    pub fn shift(&self) -> f64 {
        self.shift
    }

    /// The lower limit of the offset distance at the pole (50): −1/κ₁.
    pub fn offset_limit(&self) -> f64 {
        -1.0 / self.kappa[0]
    }

    /// Principal curvatures and directions (26, 27), the latter as corrected above.
    pub fn curvature(&self) -> Curvature {
        let n = if self.south { -Vec3::z() } else { Vec3::z() };
        if self.kappa[0] == self.kappa[1] {
            let (t, b) = tangents(&n);
            return Curvature { kappa: self.kappa, direction: [t, b] };
        }
        let (sin, cos) = self.shift.sin_cos();
        let first = Vec3::new(cos, -sin, 0.0);
        Curvature { kappa: self.kappa, direction: [first, n.cross(&first)] }
    }
}
