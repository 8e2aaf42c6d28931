//! The Jacobian from forward differences: ∂f/∂yⱼ ≈ (f(t, y + δⱼ eⱼ) − f(t, y))/δⱼ.
//!
//! δⱼ is chosen as [`Equations::jacobian`] says and then rounded so that yⱼ + δⱼ is a machine number (Dennis, Schnabel,
//! Numerical Methods for Unconstrained Optimization and Nonlinear Equations, section 5.4 and algorithm A5.4.1).

use rattleback_geom::nalgebra::DMatrix;

use super::Equations;
use crate::Result;

/// √ε = 2⁻²⁶.
const RELATIVE: f64 = 1.490_116_119_384_765_6e-8;

pub(crate) fn jacobian<E: Equations + ?Sized>(
    equations: &mut E,
    t: f64,
    y: &[f64],
    out: &mut DMatrix<f64>,
) -> Result<()> {
    let n = y.len();
    let mut moved = y.to_vec();
    let mut rate = vec![0.0; n];
    equations.rate(t, y, &mut rate)?;
    for j in 0..n {
        let wanted = (RELATIVE * y[j].abs().max(equations.magnitude(j))).copysign(rate[j]);
        moved[j] = y[j] + wanted;
        let delta = moved[j] - y[j];
        let mut column = out.column_mut(j);
        equations.rate(t, &moved, column.as_mut_slice())?;
        for i in 0..n {
            column[i] = (column[i] - rate[i]) / delta;
        }
        moved[j] = y[j];
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// f₀ = y₀ √y₁, f₁ = −y₁³ sin t, on components a million times apart; f is NaN for y₁ < 0.
    struct Mixed;

    impl Equations for Mixed {
        fn dimension(&self) -> usize {
            2
        }
        fn rate(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<()> {
            dy[0] = y[0] * y[1].sqrt();
            dy[1] = -y[1].powi(3) * t.sin() + 1.0;
            Ok(())
        }
    }

    #[test]
    fn differences_have_half_of_the_digits() {
        let (t, y) = (0.7_f64, [2e3, 3e-3]);
        let mut found = DMatrix::zeros(2, 2);
        Mixed.jacobian(t, &y, &mut found).unwrap();
        let exact = [[y[1].sqrt(), 0.5 * y[0] / y[1].sqrt()], [0.0, -3.0 * y[1] * y[1] * t.sin()]];
        for i in 0..2 {
            for j in 0..2 {
                // Truncation ½ ∣f''∣ δ and rounding ε ∣f∣/δ, both at most 1e-7 of what the row is made of; f₁ ≈ 1.
                let allowed = 1e-6 * exact[i][j].abs() + 1e-5 * i as f64;
                assert!((found[(i, j)] - exact[i][j]).abs() <= allowed, "{i} {j}: {}", found[(i, j)]);
            }
        }
    }

    #[test]
    fn differences_stay_on_the_side_to_which_the_solution_goes() {
        let mut found = DMatrix::zeros(2, 2);
        Mixed.jacobian(0.0, &[1.0, 0.0], &mut found).unwrap();
        assert!(found.iter().all(|entry| entry.is_finite()));
    }
}
