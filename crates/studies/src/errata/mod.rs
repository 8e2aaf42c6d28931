//! Where the five papers are wrong: what is printed, what is right, and a check that tells the two apart.
//!
//! A check draws a case, finds the truth in a way that needs neither formula (a closed form, differences of fourth
//! order, another equation of the same paper, an identity), and returns how far the printed formula and the right one
//! are from it, in parts of the truth's size. The right one is the engine's own wherever the engine has it. A formula
//! that gives no number is infinitely far.

mod dopico;
mod kry_pai;
mod lopes;
mod marques;
mod report;
mod roemer;
mod roemer_angles;
mod roemer_case;

pub use report::report;

use crate::Result;
use crate::draw::Stream;
use crate::paper::Paper;
use rattleback_geom::Vec3;

/// The cases that each check draws.
pub const CASES: u64 = 200;
/// A formula holds in a case where it is this near to the truth. Differences of fourth order have errors of 1e-9 and
/// less on the cases drawn; what is wrong is off by 1e-2 and more in most of them.
pub const TOLERANCE: f64 = 1e-7;
/// The seed of the cases.
const SEED: u64 = 19;

/// An error of a paper.
#[derive(Debug, Clone, Copy)]
pub struct Erratum {
    /// The paper.
    pub paper: Paper,
    /// The equation, table or sentence.
    pub equation: &'static str,
    /// What is printed.
    pub printed: &'static str,
    /// What is right.
    pub right: &'static str,
    /// What the check compares with what.
    pub measured: &'static str,
    check: fn(&mut Stream) -> Result<Defects>,
}

/// How far the printed and the right formula are from the truth in one case.
type Defects = [f64; 2];

/// What a check finds in all its cases.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measured {
    /// The cases in which the printed formula does not hold.
    pub wrong: u64,
    /// The median of its defect over the cases.
    pub printed: f64,
    /// The greatest defect of the right one.
    pub right: f64,
}

impl Measured {
    /// Whether the printed formula fails and the right one holds.
    pub fn holds(&self) -> bool {
        self.wrong > 0 && self.right < TOLERANCE
    }
}

impl Erratum {
    /// All of them, paper by paper.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        [
            lopes::ALL,
            roemer::ALL,
            roemer_case::ALL,
            roemer_angles::ALL,
            kry_pai::ALL,
            dopico::ALL,
            marques::ALL,
        ]
        .into_iter()
        .flatten()
    }

    /// Draws the cases and checks the formulas.
    pub fn measure(&self) -> Result<Measured> {
        let mut printed = Vec::new();
        let mut greatest = 0.0f64;
        for index in 0..CASES {
            let found = (self.check)(&mut Stream::new(SEED, index))?;
            let [wrong, right] = found.map(|defect| if defect.is_nan() { f64::INFINITY } else { defect });
            printed.push(wrong);
            greatest = greatest.max(right);
        }
        printed.sort_by(f64::total_cmp);
        let wrong = printed.iter().filter(|defect| **defect >= TOLERANCE).count();
        Ok(Measured { wrong: wrong as u64, printed: printed[printed.len() / 2], right: greatest })
    }
}

impl Stream {
    /// Uniform between two numbers.
    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// A vector of any direction, between 0.5 and 2 long.
    fn vector(&mut self) -> Vec3 {
        self.direction() * self.between(0.5, 2.0)
    }

    /// Semi-axes between 0.5 and 2 m.
    fn semi_axes(&mut self) -> [f64; 3] {
        std::array::from_fn(|_| self.between(0.5, 2.0))
    }

    /// One of two signs.
    fn sign(&mut self) -> f64 {
        if self.unit() < 0.5 { -1.0 } else { 1.0 }
    }
}

/// The derivative at zero, by differences of fourth order.
fn slope(f: impl Fn(f64) -> f64) -> f64 {
    slopes(|s| Vec3::new(f(s), 0.0, 0.0)).x
}

/// The same of a vector.
fn slopes(f: impl Fn(f64) -> Vec3) -> Vec3 {
    const STEP: f64 = 1e-3;
    ((f(STEP) - f(-STEP)) * 8.0 - (f(2.0 * STEP) - f(-2.0 * STEP))) / (12.0 * STEP)
}

/// How far two numbers are from a third, in parts of it.
fn apart(truth: f64, values: Defects) -> Defects {
    values.map(|value| (value - truth).abs() / truth.abs())
}

/// The same of vectors.
fn vectors_apart(truth: &Vec3, values: [Vec3; 2]) -> Defects {
    values.map(|value| (value - truth).norm() / truth.norm())
}

/// A unit vector of an axis.
fn axis(k: usize) -> Vec3 {
    let mut e = Vec3::zeros();
    e[k] = 1.0;
    e
}
