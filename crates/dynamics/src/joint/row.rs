//! A constraint equation Φ(q, t) = 0 and what the equations of motion need of it: Φ, Φ_q, Φ_t, Φ_qq, and the part of Φ̈
//! that does not contain accelerations,
//!
//!   Φ̇_q q̇ + Φ̇_t = q̇ᵀ Φ_qq q̇ + Φ_tt   (no equation here has a mixed derivative Φ_qt).
//!
//! | equation | file |
//! |---|---|
//! | quadratic in q | `form.rs` |
//! | an angle as a coordinate | `relative.rs` |
//! | a point on a surface | `surface.rs` |
//! | a coordinate as a function of time | `motor.rs` |

use super::form::Quadratic;
use super::motor::Driven;
use super::relative::Angle;
use super::surface::OnSurface;

/// A constraint equation.
#[derive(Debug, Clone)]
pub(crate) enum Row {
    Quadratic(Quadratic),
    Angle(Angle),
    Surface(Box<OnSurface>),
    Driven(Driven),
}

impl Row {
    /// The coordinates on which Φ depends.
    pub(crate) fn columns(&self) -> &[usize] {
        match self {
            Self::Quadratic(row) => row.columns(),
            Self::Angle(row) => row.columns(),
            Self::Surface(row) => row.columns(),
            Self::Driven(row) => row.columns(),
        }
    }

    /// Φ.
    pub(crate) fn value(&self, time: f64, q: &[f64]) -> f64 {
        match self {
            Self::Quadratic(row) => row.value(q),
            Self::Angle(row) => row.value(q),
            Self::Surface(row) => row.value(q),
            Self::Driven(row) => row.value(time, q),
        }
    }

    /// Writes Φ_q over the columns.
    pub(crate) fn gradient(&self, q: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        match self {
            Self::Quadratic(row) => row.add_gradient(q, 1.0, out),
            Self::Angle(row) => row.gradient(q, out),
            Self::Surface(row) => row.gradient(q, out),
            Self::Driven(row) => row.gradient(out),
        }
    }

    /// Hands out Φ_qq entry by entry over places in the list of columns, both triangles; places may repeat.
    pub(crate) fn hessian(&self, q: &[f64], add: &mut dyn FnMut(usize, usize, f64)) {
        match self {
            Self::Quadratic(row) => row.second().iter().for_each(|&(i, j, h)| add(i, j, h)),
            Self::Angle(row) => row.hessian(q, add),
            Self::Surface(row) => row.hessian(q, add),
            Self::Driven(_) => {}
        }
    }

    /// Φ_t.
    pub(crate) fn rate(&self, time: f64) -> f64 {
        match self {
            Self::Driven(row) => row.rate(time),
            _ => 0.0,
        }
    }

    /// Φ̇_q q̇ + Φ̇_t.
    pub(crate) fn convective(&self, time: f64, q: &[f64], v: &[f64]) -> f64 {
        let columns = self.columns();
        let mut sum = match self {
            Self::Driven(row) => row.second_rate(time),
            _ => 0.0,
        };
        self.hessian(q, &mut |i, j, h| sum += h * v[columns[i]] * v[columns[j]]);
        sum
    }
}
