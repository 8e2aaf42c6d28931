//! Equal steps from one time to another: n = ⌈(t₁ − t₀ − s)/h (1 − 16 ε)⌉ of them, at least one, which end at
//! t₀ + (t₁ − t₀) k/n and the last one on t₁, bit for bit. s = 4ε max(∣t₀∣, ∣t₁∣) is the rounding of both times, which
//! a short interval late in a run does not see in proportion to itself.

use crate::error::{DynamicsError, Result, demand};

/// A step that rounding of the time does not resolve, as a share of the time.
pub(crate) const FINEST: f64 = 16.0 * f64::EPSILON;

/// Refuses an end that is not a time or lies in the past.
pub(crate) fn check_end(begin: f64, end: f64) -> Result<()> {
    demand(end >= begin, "end", end, "finite and not before the state")
}

/// Steps of equal length.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EqualSteps {
    begin: f64,
    end: f64,
    count: u64,
}

impl EqualSteps {
    /// From `begin` to `end` in as few steps as are no longer than `longest` seconds, but for rounding; an error where
    /// rounding of the time does not resolve them.
    pub(crate) fn new(begin: f64, end: f64, longest: f64) -> Result<Self> {
        check_end(begin, end)?;
        // Rounding must not add a step.
        let rounding = 4.0 * f64::EPSILON * begin.abs().max(end.abs());
        let count = ((end - begin - rounding) / longest * (1.0 - FINEST)).ceil();
        let count = count.max(if end > begin { 1.0 } else { 0.0 }) as u64;
        let equal_steps = Self { begin, end, count };
        if count > 0 && equal_steps.step() < FINEST * begin.abs().max(end.abs()) {
            return Err(DynamicsError::StepTooSmall { time: begin, step: longest });
        }
        Ok(equal_steps)
    }

    /// The length of a step in s.
    pub(crate) fn step(&self) -> f64 {
        (self.end - self.begin) / self.count as f64
    }

    /// The times at which the steps end.
    pub(crate) fn ends(self) -> impl Iterator<Item = f64> {
        (1..=self.count).map(move |k| {
            if k == self.count {
                // t₀ + (t₁ − t₀) need not be t₁.
                self.end
            } else {
                self.begin + (self.end - self.begin) * (k as f64 / self.count as f64)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_step_ends_on_the_end_and_none_is_longer_than_allowed() {
        // 0.7 + (0.8 − 0.7) is not 0.8, and 0.3 is not three times 0.1.
        for (begin, end, longest, count) in [
            (0.7, 0.8, 0.01, 10),
            (0.0, 0.3, 0.1, 3),
            (0.0, 0.3, 0.29, 2),
            (1.0, 1.0, 0.1, 0),
            (0.0, 1e-9, 1.0, 1),
        ] {
            let equal_steps = EqualSteps::new(begin, end, longest).unwrap();
            let ends: Vec<f64> = equal_steps.ends().collect();
            assert_eq!(ends.len(), count, "{begin} to {end} by {longest}");
            assert!(ends.last().is_none_or(|last| *last == end), "{begin} to {end}: {ends:?}");
            assert!(ends.is_sorted() && (count == 0 || equal_steps.step() <= longest * (1.0 + 2.0 * FINEST)));
        }
    }

    #[test]
    fn outputs_at_equal_intervals_have_equal_numbers_of_steps_however_late() {
        for (interval, longest, count) in
            [(0.02, 1e-4, 200), (0.1, 1e-4, 1000), (0.01, 3e-4, 34), (1e-3, 1e-3, 1)]
        {
            for k in 0..20_000 {
                let (begin, end) = (f64::from(k) * interval, f64::from(k + 1) * interval);
                assert_eq!(
                    EqualSteps::new(begin, end, longest).unwrap().count,
                    count,
                    "{begin} to {end} by {longest}"
                );
            }
        }
    }

    #[test]
    fn steps_that_the_time_does_not_resolve_are_refused() {
        for (begin, end, longest) in [(0.0, 1.0, 1e-300), (0.0, 1.0, 1e-15), (1e9, 1e9 + 1.0, 1e-7)] {
            let message = EqualSteps::new(begin, end, longest).unwrap_err().to_string();
            assert!(message.contains("which rounding does not allow"), "{message}");
        }
        assert_eq!(EqualSteps::new(1e9, 1e9 + 1.0, 1e-5).unwrap().count, 100_000);
    }

    #[test]
    fn an_end_in_the_past_or_without_a_place_in_time_is_refused() {
        for end in [0.5, f64::NAN, f64::INFINITY] {
            let message = EqualSteps::new(1.0, end, 0.1).unwrap_err().to_string();
            assert!(message.contains("finite and not before the state"), "{message}");
        }
    }
}
