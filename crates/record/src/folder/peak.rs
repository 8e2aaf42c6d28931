//! The top of a quantity. Engines with dense output say its maxima inside their steps, and it is the greatest value. Of
//! the others it is seen at the ends of fixed steps of second order only: the vertex of the parabola through the
//! greatest value and its neighbours, whose times need not be even.
//!
//!   s₀ = (v₁ − v₀)/(t₁ − t₀),  s₁ = (v₂ − v₁)/(t₂ − t₁),  a = (s₁ − s₀)/(t₂ − t₀),  b = s₀ + a (t₁ − t₀)
//!   p(t) = v₁ + b (t − t₁) + a (t − t₁)²,     t* = t₁ − b/(2a),  v* = v₁ − b²/(4a)
//!
//! With v₁ the greatest, t* lies between the middles of both intervals.

use serde::{Deserialize, Serialize};

/// A time and a value.
type Sample = [f64; 2];

/// The greatest value so far, with its neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct Peak {
    last: Option<Sample>,
    before: Option<Sample>,
    top: Option<Sample>,
    after: Option<Sample>,
}

impl Peak {
    /// Takes a value; one at a time that has been seen already counts once.
    pub(super) fn see(&mut self, time: f64, value: f64) {
        if self.last.is_some_and(|[last, _]| time <= last) {
            return;
        }
        let now = Some([time, value]);
        if self.top.is_none_or(|[_, top]| value > top) {
            (self.before, self.top, self.after) = (self.last, now, None);
        } else if self.after.is_none() {
            self.after = now;
        }
        self.last = now;
    }

    /// Takes a value of a quantity whose maxima between the values are all taken too: the greatest of them is the top.
    pub(super) fn take(&mut self, time: f64, value: f64) {
        let now = Some([time, value]);
        if self.top.is_none_or(|[_, top]| value > top) {
            self.top = now;
        }
        (self.before, self.after) = (None, None);
        self.last = self.last.filter(|[last, _]| *last >= time).or(now);
    }

    /// Time and value of the top; without neighbours on both sides, those of the greatest step.
    pub(super) fn top(&self) -> Option<Sample> {
        let (Some([t0, v0]), Some([t2, v2])) = (self.before, self.after) else { return self.top };
        let [t1, v1] = self.top?;
        let (s0, s1) = ((v1 - v0) / (t1 - t0), (v2 - v1) / (t2 - t1));
        let a = (s1 - s0) / (t2 - t0);
        let b = s0 + a * (t1 - t0);
        let vertex = [t1 - b / (2.0 * a), v1 - b * b / (4.0 * a)];
        // A flat top has no vertex.
        if a < 0.0 && vertex.iter().all(|x| x.is_finite()) { Some(vertex) } else { self.top }
    }

    /// All numbers in it.
    pub(super) fn numbers(&self) -> impl Iterator<Item = f64> {
        [self.last, self.before, self.top, self.after].into_iter().flatten().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn peak(times: &[f64], value: impl Fn(f64) -> f64) -> Peak {
        let mut peak = Peak::default();
        times.iter().for_each(|&t| peak.see(t, value(t)));
        peak
    }

    #[test]
    fn a_parabola_is_found_exactly_from_uneven_times() {
        let found = peak(&[0.0, 0.1, 0.15, 0.4, 0.9], |t| 3.0 - 2.0 * (t - 0.3) * (t - 0.3)).top().unwrap();
        assert!((found[0] - 0.3).abs() < 1e-14 && (found[1] - 3.0).abs() < 1e-14, "{found:?}");
    }

    #[test]
    fn a_half_sine_is_found_far_better_than_by_its_greatest_step() {
        // The parabola's error at the vertex falls as h³ or better, that of the greatest step as h².
        let error = |count: u32| {
            let times: Vec<f64> =
                (0..=count).map(|k| std::f64::consts::PI * f64::from(k) / f64::from(count)).collect();
            (peak(&times, f64::sin).top().unwrap()[1] - 1.0).abs()
        };
        assert!(error(9) < 1e-3 && error(99) < 1e-3 * error(9), "{} {}", error(9), error(99));
    }

    #[test]
    fn where_all_maxima_are_said_the_greatest_value_is_the_top() {
        let mut peak = Peak::default();
        // The first output is seen before any step, and each output again after the step that leads to it.
        peak.see(0.0, 1.0);
        for (time, value) in [(1.0, 5.0), (1.3, 6.0), (2.0, 4.0)] {
            peak.take(time, value);
        }
        peak.see(2.0, 4.0);
        assert_eq!(peak.top(), Some([1.3, 6.0]));
    }

    #[test]
    fn ends_and_flat_tops_keep_the_greatest_step_and_a_time_counts_once() {
        assert_eq!(Peak::default().top(), None);
        assert_eq!(peak(&[0.0, 1.0], |t| t).top(), Some([1.0, 1.0]));
        assert_eq!(peak(&[0.0, 1.0], |t| -t).top(), Some([0.0, 0.0]));
        assert_eq!(peak(&[0.0, 1.0, 2.0], |_| 5.0).top(), Some([0.0, 5.0]));
        let mut twice = peak(&[0.0, 1.0], |t| t);
        twice.see(1.0, 7.0);
        assert_eq!(twice.top(), Some([1.0, 1.0]));
    }
}
