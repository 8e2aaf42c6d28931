//! Motors: a relative coordinate as a given function of time.
//!
//!   Φ = φ − f(t),   Φ_t = −ḟ,   Φ_tt = −f̈
//!
//! | law | f(t) |
//! |---|---|
//! | rate | f₀ + ω t |
//! | harmonic | f₀ + A sin(ω t + β) |
//! | ramped rate | f₀ + ω ∫ p(t/T), then f₀ + ω (t − T/2): the rate grows from none in the time T |
//! | move | f₀ + (f₁ − f₀) p((t − t₀)/T), at rest before and after |
//! | table | a curve through (t_k, f_k), `track/mod.rs` |
//! | formula | an expression of t, `formula/mod.rs` |
//!
//! p is straight lines of the rate (`Ramp`: constant acceleration; a move has a third of its time each to speed up, to
//! go on and to slow down), or a polynomial whose acceleration is continuous (`SCurve`: s³(10 − 15s + 6s²) for a move,
//! s²(3 − 2s) for a rate).

use crate::error::{DynamicsError, Result};
use crate::formula::Formula;
use crate::track::{Beyond, Interpolation, Track};

/// f(t), in rad or m.
#[derive(Debug, Clone, PartialEq)]
pub enum MotionLaw {
    /// f₀ + ω t.
    Rate {
        /// f₀.
        start: f64,
        /// ω, per second.
        rate: f64,
    },
    /// f₀ + A sin(ω t + β).
    Harmonic {
        /// f₀.
        mean: f64,
        /// A.
        amplitude: f64,
        /// ω in rad/s.
        frequency: f64,
        /// β in rad.
        phase: f64,
    },
    /// A rate that grows from none at time zero.
    RampedRate {
        /// f₀.
        start: f64,
        /// ω, per second.
        rate: f64,
        /// T in s.
        ramp: f64,
        /// How it grows.
        profile: Profile,
    },
    /// From one value to another.
    Move {
        /// f₀ and f₁.
        ends: [f64; 2],
        /// t₀ in s.
        begin: f64,
        /// T in s.
        duration: f64,
        /// How.
        profile: Profile,
    },
    /// A curve through given values.
    Table(Table),
    /// A formula of time.
    Formula(Formula),
}

/// How a motion begins and ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// With constant acceleration.
    Ramp,
    /// With an acceleration that does not jump.
    SCurve,
}

/// A curve through given values, as its [`Track`] says.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    track: Track<1>,
    /// The times at which its second derivative jumps; none is told of a curve that repeats.
    corners: Vec<f64>,
}

impl Table {
    /// From times that increase and as many values, two at least. What jumps where it repeats is refused.
    pub fn new(times: &[f64], values: &[f64], interpolation: Interpolation, beyond: Beyond) -> Result<Self> {
        let lists: Vec<[f64; 1]> = values.iter().map(|value| [*value]).collect();
        if let (Beyond::Repeat, [first, .., last]) = (beyond, values)
            && first != last
        {
            let reason = format!("the last one, {last}, must be the first, {first}, where they repeat");
            return Err(DynamicsError::Invalid { what: "values".to_owned(), reason });
        }
        let is_smooth = matches!(interpolation, Interpolation::Spline(_)) || beyond == Beyond::Repeat;
        let corners = if is_smooth { Vec::new() } else { times.to_vec() };
        Ok(Self { track: Track::new(times, &lists, interpolation, beyond)?, corners })
    }

    /// Whether it says anything of a time.
    pub(super) fn is_within(&self, time: f64) -> bool {
        self.track.is_within(time)
    }

    /// f, ḟ, f̈.
    pub(super) fn at(&self, time: f64) -> [f64; 3] {
        let found = self.track.at(time);
        [found.value[0], found.rate[0], found.second[0]]
    }
}

impl Profile {
    /// Share of a move, with its first and second derivatives by s in [0, 1].
    fn of_move(self, s: f64) -> [f64; 3] {
        match self {
            Self::SCurve => {
                let r = 1.0 - s;
                [
                    s * s * s * (10.0 + s * (6.0 * s - 15.0)),
                    30.0 * s * s * r * r,
                    60.0 * s * r * (1.0 - 2.0 * s),
                ]
            }
            // A third each with the acceleration 9/2, none, and -9/2.
            Self::Ramp if s < 1.0 / 3.0 => [2.25 * s * s, 4.5 * s, 4.5],
            Self::Ramp if s < 2.0 / 3.0 => [1.5 * s - 0.25, 1.5, 0.0],
            Self::Ramp => [1.0 - 2.25 * (1.0 - s) * (1.0 - s), 4.5 * (1.0 - s), -4.5],
        }
    }

    /// Integral, share and derivative of a rate that grows from none to the whole, by s in [0, 1].
    fn of_rate(self, s: f64) -> [f64; 3] {
        match self {
            Self::SCurve => [s * s * s * (1.0 - 0.5 * s), s * s * (3.0 - 2.0 * s), 6.0 * s * (1.0 - s)],
            Self::Ramp => [0.5 * s * s, s, 1.0],
        }
    }
}

impl MotionLaw {
    /// The times at which f̈ jumps.
    pub(super) fn corners(&self) -> Vec<f64> {
        match self {
            Self::RampedRate { ramp, profile: Profile::Ramp, .. } => vec![0.0, *ramp],
            Self::Move { begin, duration, profile: Profile::Ramp, .. } => {
                [0.0, 1.0, 2.0, 3.0].map(|k| begin + duration * (k / 3.0)).to_vec()
            }
            Self::Table(table) => table.corners.clone(),
            Self::Rate { .. }
            | Self::Harmonic { .. }
            | Self::RampedRate { .. }
            | Self::Move { .. }
            | Self::Formula(_) => Vec::new(),
        }
    }

    /// f, ḟ, f̈; where one jumps, that to the right.
    pub fn at(&self, time: f64) -> [f64; 3] {
        match self {
            Self::Rate { start, rate } => [start + rate * time, *rate, 0.0],
            Self::Harmonic { mean, amplitude, frequency, phase } => {
                let (s, c) = libm::sincos(frequency * time + phase);
                let w = frequency;
                [mean + amplitude * s, amplitude * w * c, -amplitude * w * w * s]
            }
            Self::RampedRate { start, rate, ramp, profile } => {
                let s = time / ramp;
                if s >= 1.0 {
                    return [start + rate * (time - 0.5 * ramp), *rate, 0.0];
                }
                let [integral, share, slope] = if s >= 0.0 { profile.of_rate(s) } else { [0.0; 3] };
                [start + rate * ramp * integral, rate * share, rate * slope / ramp]
            }
            Self::Move { ends: [from, to], begin, duration, profile } => {
                let (s, way) = ((time - begin) / duration, to - from);
                if s >= 1.0 {
                    return [*to, 0.0, 0.0];
                }
                let [share, slope, bend] = if s >= 0.0 { profile.of_move(s) } else { [0.0; 3] };
                [from + way * share, way * slope / duration, way * bend / (duration * duration)]
            }
            Self::Table(table) => table.at(time),
            Self::Formula(formula) => formula.at(time),
        }
    }

    /// Whether it says anything of a time: a table that is not to be left says nothing beyond.
    pub(super) fn is_within(&self, time: f64) -> bool {
        match self {
            Self::Table(table) => table.is_within(time),
            _ => true,
        }
    }

    /// Whether its numbers are finite.
    pub(crate) fn check(&self, what: &str) -> Result<()> {
        let fields: &[(&str, f64)] = match self {
            Self::Rate { start, rate } => &[("start", *start), ("rate", *rate)],
            Self::Harmonic { mean, amplitude, frequency, phase } => {
                &[("mean", *mean), ("amplitude", *amplitude), ("frequency", *frequency), ("phase", *phase)]
            }
            Self::RampedRate { start, rate, ramp, .. } => {
                &[("start", *start), ("rate", *rate), ("ramp", *ramp)]
            }
            Self::Move { ends: [from, to], begin, duration, .. } => {
                &[("from", *from), ("to", *to), ("begin", *begin), ("duration", *duration)]
            }
            Self::Table(_) | Self::Formula(_) => &[],
        };
        if let Self::RampedRate { ramp: value, .. } | Self::Move { duration: value, .. } = self
            && !(*value > 0.0)
        {
            let field = format!("the time that {what} takes");
            return Err(DynamicsError::OutOfRange { field, value: *value, allowed: "above zero" });
        }
        for &(field, value) in fields {
            if !value.is_finite() {
                let field = format!("{field} of {what}");
                return Err(DynamicsError::OutOfRange { field, value, allowed: "finite" });
            }
        }
        Ok(())
    }
}

/// φ − f(t) = 0.
#[derive(Debug, Clone)]
pub(crate) struct Driven {
    column: [usize; 1],
    law: MotionLaw,
}

impl Driven {
    pub(crate) fn new(column: usize, law: MotionLaw) -> Self {
        Self { column: [column], law }
    }

    pub(super) fn columns(&self) -> &[usize] {
        &self.column
    }

    pub(super) fn value(&self, time: f64, q: &[f64]) -> f64 {
        q[self.column[0]] - self.law.at(time)[0]
    }

    pub(super) fn gradient(&self, out: &mut [f64]) {
        out[0] = 1.0;
    }

    pub(super) fn rate(&self, time: f64) -> f64 {
        -self.law.at(time)[1]
    }

    pub(super) fn second_rate(&self, time: f64) -> f64 {
        -self.law.at(time)[2]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::track::Ends;

    #[test]
    fn rates_of_every_law_agree_with_differences() {
        let table = |interpolation, beyond| {
            let table = Table::new(&[0.0, 0.4, 1.0, 1.5], &[0.0, 1.0, -0.5, 0.0], interpolation, beyond);
            MotionLaw::Table(table.unwrap())
        };
        let ramped = |profile| MotionLaw::RampedRate { start: 0.2, rate: 3.0, ramp: 1.5, profile };
        let moved = |profile| MotionLaw::Move { ends: [0.5, -1.0], begin: 0.05, duration: 1.6, profile };
        for law in [
            MotionLaw::Rate { start: 0.3, rate: -2.0 },
            MotionLaw::Harmonic { mean: 0.1, amplitude: 0.7, frequency: 3.0, phase: 0.2 },
            ramped(Profile::Ramp),
            ramped(Profile::SCurve),
            moved(Profile::Ramp),
            moved(Profile::SCurve),
            table(Interpolation::Linear, Beyond::Hold),
            table(Interpolation::Monotone(Ends::AtRest), Beyond::Hold),
            table(Interpolation::Monotone(Ends::Periodic), Beyond::Repeat),
            table(Interpolation::Spline(Ends::Natural), Beyond::Continue),
        ] {
            for t in [-0.3, 0.1, 0.65, 1.2, 1.8] {
                let h = 1e-5;
                let [before, here, after] = [t - h, t, t + h].map(|t| law.at(t));
                // Central differences of order h².
                for d in 0..2 {
                    let difference = (after[d] - before[d]) / (2.0 * h);
                    assert!((difference - here[d + 1]).abs() < 1e-7, "{law:?} at {t}");
                }
            }
        }
    }

    #[test]
    fn moves_arrive_and_rates_are_reached_without_jumps() {
        for profile in [Profile::Ramp, Profile::SCurve] {
            let moved = MotionLaw::Move { ends: [0.5, -1.0], begin: 1.0, duration: 2.0, profile };
            let ramped = MotionLaw::RampedRate { start: 0.2, rate: 3.0, ramp: 1.5, profile };
            assert_eq!(
                (moved.at(1.0), moved.at(3.0)[0], moved.at(9.0)),
                ([0.5, 0.0, moved.at(1.0)[2]], -1.0, [-1.0, 0.0, 0.0])
            );
            assert_eq!((ramped.at(-1.0)[..2].to_vec(), ramped.at(1.5)[1]), (vec![0.2, 0.0], 3.0));
            for (law, times) in [(&moved, vec![1.0, 5.0 / 3.0, 7.0 / 3.0, 3.0]), (&ramped, vec![0.0, 1.5])] {
                for t in times {
                    let [before, after] = [t - 1e-9, t + 1e-9].map(|t| law.at(t));
                    assert!(
                        (before[0] - after[0]).abs() < 1e-8 && (before[1] - after[1]).abs() < 1e-7,
                        "{law:?}"
                    );
                    let jump = (before[2] - after[2]).abs();
                    assert!(profile == Profile::Ramp || jump < 1e-6, "{law:?} at {t}: {jump}");
                }
            }
        }
    }

    #[test]
    fn a_table_passes_through_its_values_and_stays_between_them_and_at_its_last() {
        let (t, f) = ([0.0, 0.4, 1.0, 1.5], [0.0, 1.0, 1.0, 0.2]);
        let table = |beyond| Table::new(&t, &f, Interpolation::Monotone(Ends::AtRest), beyond);
        let held = table(Beyond::Hold).unwrap();
        for k in 0..4 {
            assert!((held.at(t[k])[0] - f[k]).abs() < 1e-15);
        }
        for k in 0..1000 {
            let value = held.at(0.003 * f64::from(k) - 0.5)[0];
            assert!((0.0..=1.0).contains(&value), "{value}");
        }
        assert_eq!((held.at(9.0), held.at(-9.0)), ([0.2, 0.0, 0.0], [0.0; 3]));
        // At rest at its ends: no jump of the rate where it is held.
        assert!(held.at(1.5 - 1e-9)[1].abs() < 1e-7 && held.at(1e-9)[1].abs() < 1e-7);
        let message = table(Beyond::Repeat).unwrap_err().to_string();
        assert!(message.contains("the last one, 0.2, must be the first, 0"), "{message}");
        assert!(Table::new(&[0.0, 0.0], &[1.0, 2.0], Interpolation::Linear, Beyond::Hold).is_err());
    }
}
