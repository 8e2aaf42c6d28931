//! What is made of a run: a number of it by name.
//!
//! | expression | value |
//! |---|---|
//! | `CURVE` | at the end of the run |
//! | `max CURVE`, `min CURVE` | the largest and the smallest of the records |
//!
//! Curves are those of [`Curve`], such as `ball.z_m`, `energy.damped_J`, `floor|ball.normal_force_N`.

use crate::error::Result;
use rattleback_dynamics::Model;
use rattleback_record::report::{Curve, Sheets};

/// An output of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct RunOutput {
    expression: String,
    reduction: Reduction,
    curve: Curve,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reduction {
    Last,
    Max,
    Min,
}

impl RunOutput {
    /// The output of an expression in records of a model.
    pub fn parse(expression: &str, model: &Model) -> Result<Self> {
        let (reduction, curve) = match expression.split_once(' ') {
            Some(("max", curve)) => (Reduction::Max, curve),
            Some(("min", curve)) => (Reduction::Min, curve),
            _ => (Reduction::Last, expression),
        };
        let curve = Curve::parse(curve, model)?;
        Ok(Self { expression: expression.to_owned(), reduction, curve })
    }

    /// The expression as it was given.
    pub fn expression(&self) -> &str {
        &self.expression
    }

    /// The unit of the value; empty where it has none.
    pub fn unit(&self) -> &'static str {
        self.curve.unit()
    }

    /// Its value; NaN where there are no records, or where the last one has none.
    pub fn value(&self, sheets: &Sheets) -> Result<f64> {
        let points = self.curve.points(sheets)?;
        let values = points.iter().map(|point| point[1]);
        let reduced = match self.reduction {
            Reduction::Last => points.last().map(|point| point[1]),
            // Records without a value, as of bodies that do not touch, count for nothing.
            Reduction::Max => values.reduce(f64::max),
            Reduction::Min => values.reduce(f64::min),
        };
        Ok(reduced.unwrap_or(f64::NAN))
    }
}
