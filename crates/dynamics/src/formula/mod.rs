//! Formulas of time, with their first and second derivatives.
//!
//! A formula is a list of operations in postfix order: operands before what takes them. It is evaluated on a stack of
//! jets x = (x, ẋ, ẍ), which every operation carries on exactly by the chain rule (`function.rs`):
//!
//!   f(x):    f,   f′ẋ,   f″ẋ² + f′ẍ
//!
//! so that rates and accelerations are those of the formula and no differences. What is not a number stays one and is
//! for the caller to see.

mod function;

pub use function::Function;

use crate::error::{DynamicsError, Result};

/// An operation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Operation {
    /// A number.
    Number(f64),
    /// The time in s.
    Time,
    /// Takes as many of the last results as the function has arguments, and leaves its value.
    Call(Function),
}

/// A value with its first and second derivatives by time.
pub type Jet = [f64; 3];

/// A formula of time.
#[derive(Debug, Clone, PartialEq)]
pub struct Formula {
    operations: Vec<Operation>,
    /// The most results that wait at a time.
    depth: usize,
}

/// Formulas with no more results that wait are evaluated without memory from the heap.
const ROOM: usize = 24;

impl Formula {
    /// From operations in postfix order, which must leave one result.
    pub fn new(operations: Vec<Operation>) -> Result<Self> {
        let (mut results, mut depth) = (0_usize, 0);
        for operation in &operations {
            let taken = match operation {
                Operation::Call(function) => function.arguments(),
                Operation::Number(_) | Operation::Time => 0,
            };
            let left = results.checked_sub(taken);
            results = left.ok_or_else(|| invalid("an operation lacks an operand"))? + 1;
            depth = depth.max(results);
        }
        if results == 1 {
            Ok(Self { operations, depth })
        } else {
            Err(invalid(&format!("it leaves {results} results, not one")))
        }
    }

    /// Value, rate and acceleration at a time in s.
    pub fn at(&self, time: f64) -> Jet {
        if self.depth > ROOM {
            return self.evaluate(time, &mut vec![[0.0; 3]; self.depth]);
        }
        self.evaluate(time, &mut [[0.0; 3]; ROOM])
    }

    /// The same, with room for all results that wait.
    fn evaluate(&self, time: f64, stack: &mut [Jet]) -> Jet {
        let mut waiting = 0;
        for operation in &self.operations {
            let result = match operation {
                Operation::Number(value) => [*value, 0.0, 0.0],
                Operation::Time => [time, 1.0, 0.0],
                Operation::Call(function) => {
                    let first = waiting - function.arguments();
                    let result = function.jet(&stack[first..waiting]);
                    waiting = first;
                    result
                }
            };
            stack[waiting] = result;
            waiting += 1;
        }
        stack[0]
    }

    /// The first of evenly spaced times from zero to `end` at which value, rate or acceleration is not finite.
    pub fn first_not_finite(&self, end: f64) -> Option<f64> {
        /// Enough to find poles of what swings some hundred times; a narrower one shows in the run.
        const LOOKS: u32 = 10_000;
        (0..=LOOKS)
            .map(|k| end * f64::from(k) / f64::from(LOOKS))
            .find(|time| self.at(*time).iter().any(|x| !x.is_finite()))
    }
}

fn invalid(reason: &str) -> DynamicsError {
    DynamicsError::Invalid { what: "formula".to_owned(), reason: reason.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Operation::{Call, Number, Time};

    /// Formulas that are smooth near t = 0.7.
    fn formulas() -> Vec<Vec<Operation>> {
        let mut found = Vec::new();
        for function in Function::ALL {
            // Arguments that move, in the domain of every function.
            let argument = |scale: f64, shift: f64| {
                vec![
                    Time,
                    Number(scale),
                    Call(Function::Multiply),
                    Call(Function::Sine),
                    Number(shift),
                    Call(Function::Add),
                    Number(0.45),
                    Call(Function::Multiply),
                ]
            };
            let mut list = Vec::new();
            for k in 0..function.arguments() {
                list.extend(argument(0.9 - 0.3 * k as f64, 1.1 + 0.13 * k as f64));
            }
            list.push(Call(function));
            found.push(list);
        }
        found
    }

    #[test]
    fn rates_and_accelerations_of_every_function_agree_with_differences() {
        for list in formulas() {
            let formula = Formula::new(list.clone()).unwrap();
            let (t, h) = (0.7, 1e-5);
            let [before, here, after] = [t - h, t, t + h].map(|t| formula.at(t));
            assert!(here.iter().all(|x| x.is_finite()), "{list:?}: {here:?}");
            for d in 0..2 {
                let difference = (after[d] - before[d]) / (2.0 * h);
                let scale = 1.0 + here[d + 1].abs();
                assert!((difference - here[d + 1]).abs() < 1e-7 * scale, "{list:?}: {here:?}, {difference}");
            }
        }
    }

    #[test]
    fn a_smooth_step_leads_from_none_to_one_and_its_acceleration_does_not_jump() {
        let list = vec![Number(1.0), Number(3.0), Time, Call(Function::SmoothStep)];
        let step = Formula::new(list).unwrap();
        assert_eq!((step.at(0.5), step.at(4.0)), ([0.0; 3], [1.0, 0.0, 0.0]));
        assert!((step.at(2.0)[0] - 0.5).abs() < 1e-15);
        for t in [1.0, 1.3, 2.2, 3.0] {
            let h = 1e-5;
            let [before, here, after] = [t - h, t, t + h].map(|t| step.at(t));
            for d in 0..2 {
                let difference = (after[d] - before[d]) / (2.0 * h);
                assert!((difference - here[d + 1]).abs() < 1e-4, "{t}: {difference}, {here:?}");
            }
        }
    }

    #[test]
    fn powers_have_derivatives_at_zero_where_the_power_has() {
        let power = |n: f64| {
            let list = vec![Time, Number(n), Call(Function::Power)];
            Formula::new(list).unwrap().at(0.0)
        };
        assert_eq!(power(0.0), [1.0, 0.0, 0.0]);
        assert_eq!(power(1.0), [0.0, 1.0, 0.0]);
        assert_eq!(power(2.0), [0.0, 0.0, 2.0]);
        assert_eq!(power(3.0), [0.0, 0.0, 0.0]);
        assert!(!power(0.5)[1].is_finite() && !power(1.5)[2].is_finite());
    }

    #[test]
    fn a_pole_within_the_run_is_found() {
        let list = vec![Number(1.0), Time, Number(0.5), Call(Function::Subtract), Call(Function::Divide)];
        let formula = Formula::new(list).unwrap();
        assert_eq!(formula.first_not_finite(1.0), Some(0.5));
        assert_eq!(formula.first_not_finite(0.4), None);
    }

    #[test]
    fn many_results_may_wait() {
        let mut list = vec![Time; 100];
        list.extend(vec![Call(Function::Add); 99]);
        assert_eq!(Formula::new(list).unwrap().at(0.5), [50.0, 100.0, 0.0]);
    }

    #[test]
    fn operations_that_do_not_fit_are_refused() {
        for list in [vec![], vec![Call(Function::Add)], vec![Time, Time], vec![Time, Call(Function::Add)]] {
            assert!(Formula::new(list.clone()).is_err(), "{list:?}");
        }
    }
}
