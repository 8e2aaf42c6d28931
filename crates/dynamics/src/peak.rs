//! The greatest normal force and the deepest overlap of a contact within a step, from the step's dense output.
//!
//! A maximum lies inside a step where a quantity v rises at its begin and falls at its end. The slopes are differences
//! over η of the step: one evaluation of the contacts per step, since the slope at the end of a step is that at the
//! begin of the next. A maximum in the last η of a step counts as that step's end, which is short of it by
//! ½∣v̈∣(ηh)² at most: with η = 1e-5, 1e-10 of what the quantity bends in a step.
//!
//! The maximum is closed in on by golden sections and parabolas (R. P. Brent, Algorithms for Minimization without
//! Derivatives, 1973, chapter 5), each time with the contact evaluated anew at the interpolated motion, until it lies
//! in an interval of [`WIDTH`] of the step, which changes its value by [`WIDTH`]² of that bend. There the contact is
//! evaluated once more at a motion that is as exact as the end of a step: an interpolant can be worse.
//!
//! What counts is the greatest value of a contact since it began. A quantity that bends one way in a step lies below
//! the tangents at both ends, hence below the point where they meet. A maximum is looked for where that point is above
//! all values before, its height over the ends of the step doubled, since the bend may change: a contact that has been
//! pressed harder before costs no more than its slopes.
//!
//! | symbol | here | unit |
//! |---|---|---|
//! | v | normal force, overlap | N, m |
//! | h | length of the step | s |
//! | η | [`SHARE`] | – |

use crate::error::Result;
use crate::model::PairId;

/// η, the share of a step over which a slope is taken: far above rounding, far below the bend of a step.
const SHARE: f64 = 1e-5;
/// The share of a step within which a maximum is found.
const WIDTH: f64 = 1e-6;
/// Evaluations at most for one maximum: golden sections alone take 29 to [`WIDTH`].
const MOST: usize = 40;
/// 1 − 1/φ.
const GOLDEN: f64 = 0.381_966_011_250_105;

/// Normal force in N and overlap in m.
pub(crate) type Quantities = [f64; 2];

/// The maxima of a contact inside a step: their times in s and values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactPeak {
    /// Whose.
    pub pair: PairId,
    /// Time and normal force in N, where it is greater inside the step than ever before in the contact and at the
    /// step's end.
    pub force: Option<[f64; 2]>,
    /// Time and overlap in m likewise.
    pub overlap: Option<[f64; 2]>,
}

/// Contacts at times within a step.
pub(crate) trait WithinStep {
    /// All contacts on the interpolant, or the one that is named.
    fn interpolate(&mut self, time: f64, only: Option<usize>, out: &mut [Quantities]) -> Result<()>;

    /// A contact as exactly as at the end of a step.
    fn exactly(&mut self, time: f64, contact: usize) -> Result<Quantities>;
}

/// The greatest values that contacts have had since they began, as far as they were seen, in the order of the pairs.
#[derive(Debug, Default)]
pub(crate) struct GreatestValues(Vec<(PairId, Quantities)>);

impl GreatestValues {
    /// Forgets the contacts of a pair, before another one begins or when it has ended.
    pub(crate) fn forget(&mut self, pair: PairId) {
        self.0.retain(|(other, _)| *other != pair);
    }

    /// Those of a contact; of one that was not seen yet, below all values.
    fn of(&mut self, pair: PairId) -> &mut Quantities {
        let at = self.0.binary_search_by_key(&pair, |(other, _)| *other).unwrap_or_else(|at| {
            self.0.insert(at, (pair, [f64::NEG_INFINITY; 2]));
            at
        });
        &mut self.0[at].1
    }
}

/// The search from step to step, as long as the same contacts last.
#[derive(Debug, Default)]
pub(crate) struct PeakSearch {
    /// Per contact: values at the end of the last step and slopes in 1/s, none before the first.
    ends: Vec<(Quantities, Quantities)>,
    values: Vec<Quantities>,
    before: Vec<Quantities>,
    found: Vec<ContactPeak>,
}

impl PeakSearch {
    /// The maxima in a step, of the contacts whose values at its end are given, that exceed the greatest values.
    pub(crate) fn step(
        &mut self,
        [begin, end]: [f64; 2],
        at_end: impl ExactSizeIterator<Item = (PairId, Quantities)>,
        greatest: &mut GreatestValues,
        within: &mut dyn WithinStep,
    ) -> Result<&[ContactPeak]> {
        self.found.clear();
        let (count, length) = (at_end.len(), end - begin);
        let width = SHARE * length;
        if count == 0 {
            return Ok(&[]);
        }
        if !(begin + width > begin && end - width < end) {
            // An event cut the step down to the rounding of its times: it has values at its end, and no slopes.
            self.ends.clear();
            for (pair, last) in at_end {
                let greatest = greatest.of(pair);
                *greatest = [greatest[0].max(last[0]), greatest[1].max(last[1])];
            }
            return Ok(&[]);
        }
        self.values.resize(count, [0.0; 2]);
        self.before.resize(count, [0.0; 2]);
        if self.ends.len() != count {
            within.interpolate(begin, None, &mut self.before)?;
            within.interpolate(begin + width, None, &mut self.values)?;
            let slope = |(first, then): (&Quantities, &Quantities)| (*first, slopes(first, then, width));
            self.ends = self.before.iter().zip(&self.values).map(slope).collect();
        }
        within.interpolate(end - width, None, &mut self.before)?;
        for (k, (pair, last)) in at_end.enumerate() {
            let next = (last, slopes(&self.before[k], &last, width));
            let (first, rises) = std::mem::replace(&mut self.ends[k], next);
            let greatest = greatest.of(pair);
            let mut peak = ContactPeak { pair, force: None, overlap: None };
            for (q, place) in [&mut peak.force, &mut peak.overlap].into_iter().enumerate() {
                let seen = first[q].max(last[q]).max(greatest[q]);
                if rises[q] > 0.0
                    && next.1[q] < 0.0
                    && !is_below([first[q], last[q]], [rises[q], next.1[q]], length, seen)
                {
                    let mut value = |t: f64| {
                        within.interpolate(t, Some(k), &mut self.values)?;
                        Ok(self.values[k][q])
                    };
                    let [time, _] = maximum(&mut value, [begin, end])?;
                    let top = within.exactly(time, k)?[q];
                    *place = (top > seen).then_some([time, top]);
                }
                greatest[q] = place.map_or(seen, |[_, top]| top);
            }
            if peak.force.is_some() || peak.overlap.is_some() {
                self.found.push(peak);
            }
        }
        Ok(&self.found)
    }
}

/// By how much the values rise per second from one time to another `width` seconds later.
fn slopes(first: &Quantities, then: &Quantities, width: f64) -> Quantities {
    [(then[0] - first[0]) / width, (then[1] - first[1]) / width]
}

/// Whether a quantity with the given values and slopes at the ends of a step stays below the value `seen` in it: the
/// tangents meet at v₀ + ṡ₀ x, x = (v₁ − v₀ − ṡ₁ h)/(ṡ₀ − ṡ₁).
fn is_below([v0, v1]: [f64; 2], [s0, s1]: [f64; 2], length: f64, seen: f64) -> bool {
    let x = (v1 - v0 - s1 * length) / (s0 - s1);
    let (top, ends) = (v0 + s0 * x, v0.max(v1));
    (0.0..=length).contains(&x) && 2.0 * top - ends < seen
}

/// Time and value of a maximum between two times.
fn maximum(value: &mut dyn FnMut(f64) -> Result<f64>, [mut low, mut high]: [f64; 2]) -> Result<[f64; 2]> {
    let width = (WIDTH * (high - low)).max(4.0 * f64::EPSILON * low.abs().max(high.abs()));
    let t = low + GOLDEN * (high - low);
    // The best, the second best and the one that was that before.
    let mut best = [t, value(t)?];
    let (mut second, mut third) = (best, best);
    let (mut step, mut last_step) = (0.0_f64, 0.0_f64);
    for _ in 1..MOST {
        let middle = 0.5 * (low + high);
        if (best[0] - middle).abs() <= 2.0 * width - 0.5 * (high - low) {
            break;
        }
        let golden = GOLDEN * if best[0] >= middle { low - best[0] } else { high - best[0] };
        let before_last = std::mem::replace(&mut last_step, step);
        // A vertex counts where it lies inside and the steps shrink by half in two.
        step = match vertex(best, second, third) {
            Some(s) if s.abs() < 0.5 * before_last.abs() && (low..high).contains(&(best[0] + s)) => {
                let t = best[0] + s;
                if t - low < 2.0 * width || high - t < 2.0 * width {
                    width.copysign(middle - best[0])
                } else {
                    s
                }
            }
            _ => {
                last_step = if best[0] >= middle { low - best[0] } else { high - best[0] };
                golden
            }
        };
        let t = best[0] + if step.abs() >= width { step } else { width.copysign(step) };
        let now = [t, value(t)?];
        if now[1] >= best[1] {
            if t >= best[0] {
                low = best[0]
            } else {
                high = best[0]
            }
            (third, second, best) = (second, best, now);
        } else {
            if t < best[0] {
                low = t
            } else {
                high = t
            }
            if now[1] >= second[1] || second[0] == best[0] {
                (third, second) = (second, now);
            } else if now[1] >= third[1] || third[0] == best[0] || third[0] == second[0] {
                third = now;
            }
        }
    }
    Ok(best)
}

/// From the first sample to the vertex of the parabola through three.
fn vertex(best: [f64; 2], second: [f64; 2], third: [f64; 2]) -> Option<f64> {
    let ([d1, d2], [v1, v2]) =
        ([second, third].map(|s| s[0] - best[0]), [second, third].map(|s| s[1] - best[1]));
    let step = 0.5 * (d1 * d1 * v2 - d2 * d2 * v1) / (d1 * v2 - d2 * v1);
    step.is_finite().then_some(step)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{BodyId, PartId};

    fn pair() -> PairId {
        let part = |body| PartId { body: BodyId(body), index: 0 };
        PairId::new(part(0), part(1), 0)
    }

    /// A contact whose quantities are known everywhere, and how often they were asked for.
    struct Known<F>(F, usize);

    impl<F: Fn(f64) -> Quantities> WithinStep for Known<F> {
        fn interpolate(&mut self, time: f64, _: Option<usize>, out: &mut [Quantities]) -> Result<()> {
            self.1 += 1;
            out[0] = self.0(time);
            Ok(())
        }

        fn exactly(&mut self, time: f64, _: usize) -> Result<Quantities> {
            Ok(self.0(time))
        }
    }

    /// The maxima over steps.
    fn maxima(times: &[f64], v: impl Fn(f64) -> Quantities) -> (Vec<ContactPeak>, usize) {
        let (mut search, mut found, mut known) = (PeakSearch::default(), Vec::new(), Known(v, 0));
        let mut greatest = GreatestValues::default();
        for ends in times.windows(2) {
            let at_end = [(pair(), known.0(ends[1]))].into_iter();
            found.extend_from_slice(
                search.step([ends[0], ends[1]], at_end, &mut greatest, &mut known).unwrap(),
            );
        }
        (found, known.1)
    }

    #[test]
    fn maxima_inside_steps_are_found_to_rounding_from_few_values() {
        let v = |t: f64| [(3.0 * t).sin(), 2.0 - (t - 0.7).powi(2)];
        let (found, calls) = maxima(&[0.0, 0.3, 0.65, 0.9, 1.0], v);
        assert_eq!(found.len(), 2);
        let force = found[0].force.unwrap();
        assert!((force[0] - std::f64::consts::PI / 6.0).abs() < 1e-6 && (force[1] - 1.0).abs() < 1e-12);
        let overlap = found[1].overlap.unwrap();
        assert!((overlap[0] - 0.7).abs() < 1e-6 && (overlap[1] - 2.0).abs() < 1e-12);
        assert!(found[0].overlap.is_none() && found[1].force.is_none());
        assert!(calls < 6 + 2 * 12, "{calls}");
    }

    #[test]
    fn what_rises_falls_or_rests_has_no_maximum_inside_and_costs_one_value_per_step() {
        let (found, calls) = maxima(&[0.0, 1.0, 2.0, 3.0], |t| [t, -t]);
        assert!(found.is_empty() && calls == 2 + 3, "{calls}");
        let (found, _) = maxima(&[0.0, 1.0, 2.0], |_| [5.0, 0.0]);
        assert!(found.is_empty());
    }

    #[test]
    fn maxima_at_the_end_of_a_step_are_the_values_there() {
        // Whichever side of a step's end they lie, the greatest value seen is the maximum.
        for off in [-1e-6, -1e-9, 0.0, 1e-9, 1e-6] {
            let v = |t: f64| [1.0 - (t - 1.0 - off).powi(2), 0.0];
            let (found, _) = maxima(&[0.0, 1.0, 2.0], v);
            let inside = found.iter().filter_map(|peak| peak.force).map(|[_, value]| value);
            let greatest = inside.fold(v(1.0)[0], f64::max);
            assert!((greatest - 1.0).abs() < 1e-11, "{off}: {greatest}");
        }
    }

    #[test]
    fn steps_that_an_event_cut_down_to_nothing_are_no_obstacle() {
        // 0.5 twice, and once with one unit in its last place.
        let next = 0.5 + f64::EPSILON;
        let v = |t: f64| [(3.0 * t).sin(), -t];
        let (found, _) = maxima(&[0.0, 0.5, 0.5, next, 1.0], v);
        assert_eq!(found.len(), 1);
        assert!((found[0].force.unwrap()[1] - 1.0).abs() < 1e-12, "{found:?}");
        // Where the greatest value is one at such an end, nothing later is above it.
        let (found, _) = maxima(&[0.9, 0.9], v);
        assert!(found.is_empty());
    }

    #[test]
    fn maxima_below_earlier_values_cost_one_value_per_step() {
        // Falling peaks at 0.5, 2.5, 4.5, …: all but the first stay below it.
        let times: Vec<f64> = (0..=16).map(|k| 0.5 * f64::from(k) + 0.26).collect();
        let v = |t: f64| [(std::f64::consts::PI * t).sin() * (-0.3 * t).exp(), 0.0];
        let (found, calls) = maxima(&times, v);
        assert!(found.len() == 1 && calls <= 2 + 16 + 12, "{calls} {found:?}");
        // Growing ones are all found.
        let (found, _) = maxima(&times, |t| [(std::f64::consts::PI * t).sin() * (0.3 * t).exp(), 0.0]);
        assert_eq!(found.len(), 4);
    }

    #[test]
    fn uneven_and_pointed_maxima_are_found() {
        // As a bounce with damping: steep at first, flat later; and one with a corner.
        let (found, _) = maxima(&[0.0, 10.0], |t| [t * (-t).exp(), 1.0 - (t - 9.99).abs()]);
        let top = found[0];
        assert!((top.force.unwrap()[1] - (-1.0_f64).exp()).abs() < 1e-10, "{top:?}");
        assert!((top.overlap.unwrap()[1] - 1.0).abs() < 1e-4, "{top:?}");
    }
}
