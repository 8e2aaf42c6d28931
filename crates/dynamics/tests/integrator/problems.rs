//! Initial value problems with known solutions.

use rattleback_dynamics::Result;
use rattleback_dynamics::integrator::Equations;

/// Equations from a function.
pub struct Problem<F: FnMut(f64, &[f64], &mut [f64])> {
    dimension: usize,
    rate: F,
}

impl<F: FnMut(f64, &[f64], &mut [f64])> Equations for Problem<F> {
    fn dimension(&self) -> usize {
        self.dimension
    }
    fn rate(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<()> {
        (self.rate)(t, y, dy);
        Ok(())
    }
}

/// ẏ = rate(t, y).
pub fn problem<F: FnMut(f64, &[f64], &mut [f64])>(dimension: usize, rate: F) -> Problem<F> {
    Problem { dimension, rate }
}

/// ẍ = −x.
pub fn oscillator() -> impl Equations {
    problem(2, |_, y, dy| (dy[0], dy[1]) = (y[1], -y[0]))
}

/// A body in the field of a unit mass in the plane: x, y, ẋ, ẏ.
pub fn kepler() -> impl Equations {
    problem(4, |_, y, dy| {
        let cube = (y[0] * y[0] + y[1] * y[1]).sqrt().powi(3);
        (dy[0], dy[1]) = (y[2], y[3]);
        (dy[2], dy[3]) = (-y[0] / cube, -y[1] / cube);
    })
}

/// The start of [`kepler`] at the pericentre of an orbit with unit semi-axis; its period is 2π.
pub fn pericentre(eccentricity: f64) -> [f64; 4] {
    [1.0 - eccentricity, 0.0, 0.0, ((1.0 + eccentricity) / (1.0 - eccentricity)).sqrt()]
}

/// Energy of [`kepler`].
pub fn kepler_energy(y: &[f64]) -> f64 {
    0.5 * (y[2] * y[2] + y[3] * y[3]) - 1.0 / (y[0] * y[0] + y[1] * y[1]).sqrt()
}

/// The largest difference between two states.
pub fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}
