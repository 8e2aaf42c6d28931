//! The meridian of a layered solid: ρ, the scale of the section, and w = z/c as functions of one parameter v.
//!
//! With g(v) = (1 + ∣v∣^γ)^(1/γ), γ = γ₁ of Lopes (33):
//!
//! | profile | equation | ρ(v) | w(v) | v |
//! |---|---|---|---|---|
//! | waist, one sheet | ρ^γ − ∣w∣^γ = 1 | g(v) | v | any |
//! | upper bowl, two sheets | w^γ − ρ^γ = 1 | v | g(v) | ≥ 0 |
//! | lower bowl, two sheets | ∣w∣^γ − ρ^γ = 1 | −v | −g(v) | ≤ 0 |
//! | parabola | ρ² = w + 1 | v | v² − 1 | ≥ 0 |
//!
//! w never falls with v, so that (angle, v) is a right-handed chart of the outer side. Unlike the angle-centre radius
//! (30, 36), which is infinite on the asymptotic cone, these are as smooth as ∣v∣^γ is. g is evaluated as
//! ∣v∣(1 + ∣v∣^−γ)^(1/γ) beyond one, so that nothing overflows.

use super::plane::unfit;
use crate::error::Result;
use crate::taylor::Taylor;

/// One of the two bowls of a surface of two sheets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sheet {
    /// The bowl that opens along +z.
    Upper,
    /// The bowl that opens along −z.
    Lower,
}

impl Sheet {
    /// The sheet that planes at the heights `low` and `high` leave of ∣z∣ ≥ c.
    pub(crate) fn within([low, high]: [f64; 2], c: f64) -> Result<Self> {
        match (low < -c, high > c) {
            (false, true) => Ok(Self::Upper),
            (true, false) => Ok(Self::Lower),
            _ => Err(unfit(
                format!("{low} <= z <= {high} with c = {c}"),
                "such that a part of one sheet is left and nothing of the other",
            )),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Profile {
    Waist { exponent: f64 },
    Bowl { exponent: f64, sheet: Sheet },
    Parabola,
}

/// Below this the square of a number is far from overflow.
const SQUARED: f64 = 1e100;

/// g(v) = (1 + ∣v∣^γ)^(1/γ).
fn lift(v: f64, exponent: f64) -> f64 {
    let a = v.abs();
    if exponent == 2.0 && a < SQUARED {
        (1.0 + a * a).sqrt()
    } else if a <= 1.0 {
        (1.0 + a.powf(exponent)).powf(1.0 / exponent)
    } else {
        a * (1.0 + a.powf(-exponent)).powf(1.0 / exponent)
    }
}

/// g′(v) = ±(∣v∣/g)^(γ−1).
fn lift_slope(v: f64, exponent: f64) -> f64 {
    let slope = v.abs() / lift(v, exponent);
    if exponent == 2.0 { slope } else { slope.powf(exponent - 1.0) }.copysign(v)
}

fn lift_series(v: Taylor, exponent: f64) -> Taylor {
    if v.value().abs() <= 1.0 {
        (v.abs_powf(exponent) + 1.0).powf(1.0 / exponent)
    } else {
        let a = if v.value() < 0.0 { -v } else { v };
        a * (a.powf(-exponent) + 1.0).powf(1.0 / exponent)
    }
}

impl Profile {
    /// [ρ, w] at v.
    pub(crate) fn at(&self, v: f64) -> [f64; 2] {
        match *self {
            Self::Waist { exponent } => [lift(v, exponent), v],
            Self::Bowl { exponent, sheet: Sheet::Upper } => [v, lift(v, exponent)],
            Self::Bowl { exponent, sheet: Sheet::Lower } => [-v, -lift(v, exponent)],
            Self::Parabola => [v, (v - 1.0) * (v + 1.0)],
        }
    }

    /// [ρ′, w′] at v.
    pub(crate) fn slopes(&self, v: f64) -> [f64; 2] {
        match *self {
            Self::Waist { exponent } => [lift_slope(v, exponent), 1.0],
            Self::Bowl { exponent, sheet: Sheet::Upper } => [1.0, lift_slope(v, exponent)],
            Self::Bowl { exponent, sheet: Sheet::Lower } => [-1.0, -lift_slope(v, exponent)],
            Self::Parabola => [1.0, 2.0 * v],
        }
    }

    /// ρ and w as series.
    pub(crate) fn series(&self, v: Taylor) -> [Taylor; 2] {
        match *self {
            Self::Waist { exponent } => [lift_series(v, exponent), v],
            Self::Bowl { exponent, sheet: Sheet::Upper } => [v, lift_series(v, exponent)],
            Self::Bowl { exponent, sheet: Sheet::Lower } => [-v, -lift_series(v, exponent)],
            Self::Parabola => [v, v * v + -1.0],
        }
    }

    /// The parameter at the height w; that of the vertex where w lies beyond it.
    pub(crate) fn parameter(&self, w: f64) -> f64 {
        // ρ = ∣w∣(1 − ∣w∣^−γ)^(1/γ), through expm1 so that shallow bowls keep their digits.
        let radius = |w: f64, exponent: f64| {
            if w <= 1.0 {
                0.0
            } else if exponent == 2.0 && w < SQUARED {
                ((w - 1.0) * (w + 1.0)).sqrt()
            } else {
                w * (-(-exponent * w.ln()).exp_m1()).powf(1.0 / exponent)
            }
        };
        match *self {
            Self::Waist { .. } => w,
            Self::Bowl { exponent, sheet: Sheet::Upper } => radius(w, exponent),
            Self::Bowl { exponent, sheet: Sheet::Lower } => -radius(-w, exponent),
            Self::Parabola => (w + 1.0).max(0.0).sqrt(),
        }
    }

    /// ρ² as a polynomial of w, where it is one (of second degree at most).
    pub(crate) fn polynomial(&self) -> Option<fn(f64) -> f64> {
        match *self {
            Self::Waist { exponent: 2.0 } => Some(|w| 1.0 + w * w),
            Self::Bowl { exponent: 2.0, .. } => Some(|w| (w - 1.0) * (w + 1.0)),
            Self::Parabola => Some(|w| w + 1.0),
            _ => None,
        }
    }

    /// The power of ∣v∣ that limits the smoothness at v = 0.
    pub(crate) fn exponent(&self) -> f64 {
        match *self {
            Self::Waist { exponent } | Self::Bowl { exponent, .. } => exponent,
            Self::Parabola => 2.0,
        }
    }

    /// ρ at which dw/dρ = q ≥ 0 on a bowl that opens upwards; none on a waist or where the slope stays below q.
    pub(crate) fn radius_of_slope(&self, q: f64) -> Option<f64> {
        match *self {
            Self::Waist { .. } => None,
            Self::Parabola => Some(0.5 * q),
            Self::Bowl { exponent: 2.0, .. } => (q < 1.0).then(|| q / ((1.0 - q) * (1.0 + q)).sqrt()),
            Self::Bowl { exponent, .. } => {
                // (ρ/g)^(γ−1) = q, hence ρ^γ = r^γ/(1 − r^γ) with r = q^(1/(γ−1)).
                let r = q.powf(1.0 / (exponent - 1.0));
                (q < 1.0 && r < 1.0).then(|| r / (-(exponent * r.ln()).exp_m1()).powf(1.0 / exponent))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameter_inverts_height_and_slopes_match_the_series() {
        let profiles = [
            Profile::Waist { exponent: 2.0 },
            Profile::Waist { exponent: 1.3 },
            Profile::Bowl { exponent: 7.0, sheet: Sheet::Upper },
            Profile::Bowl { exponent: 2.0, sheet: Sheet::Lower },
            Profile::Parabola,
        ];
        for profile in profiles {
            for x in [0.31, 0.9, 1.0, 2.6] {
                let v = if matches!(profile, Profile::Bowl { sheet: Sheet::Lower, .. }) { -x } else { x };
                let [rho, w] = profile.at(v);
                // A flat bottom hides the radius: dρ = dw/w′.
                let room = 1e-14 / profile.slopes(v)[1].abs().min(1.0);
                assert!((profile.parameter(w) - v).abs() < room, "{profile:?} {v}");
                let [r, h] = profile.series(Taylor::v(v));
                assert!((r.value() - rho).abs() < 1e-14 && (h.value() - w).abs() < 1e-14);
                let [dr, dw] = profile.slopes(v);
                assert!((r.derivative(0, 1) - dr).abs() < 1e-13 && (h.derivative(0, 1) - dw).abs() < 1e-13);
                if let Some(square) = profile.polynomial() {
                    assert!((square(w) - rho * rho).abs() < 1e-13);
                }
            }
        }
    }

    #[test]
    fn huge_parameters_neither_overflow_nor_lose_the_asymptote() {
        let profile = Profile::Waist { exponent: 50.0 };
        assert_eq!(profile.at(1e12), [1e12, 1e12]);
        assert_eq!(Profile::Waist { exponent: 2.0 }.slopes(-1e12), [-1.0, 1.0]);
    }
}
