//! Central differences of sixth order: f′ ≈ (45Δ₁ − 9Δ₂ + Δ₃)/60h, Δₖ = f(kh) − f(−kh).

use std::ops::{Add, Mul, Sub};

pub fn difference<T>(h: f64, f: impl Fn(f64) -> T) -> T
where
    T: Add<Output = T> + Sub<Output = T> + Mul<f64, Output = T>,
{
    let delta = |k: f64| f(k * h) - f(-k * h);
    (delta(1.0) * 45.0 - delta(2.0) * 9.0 + delta(3.0)) * (1.0 / (60.0 * h))
}
