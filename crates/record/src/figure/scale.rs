//! Axes: their ranges, and which numbers stand at them.
//!
//! Ticks are at multiples of 1, 2 or 5 times a power of ten, on a logarithmic axis at powers of ten where there are
//! enough of them. Numbers that would be long share a factor 10³ᵏ, which the axis' label names.

use crate::lettering::width;
use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use std::ops::Range;

/// From which largest number on, and below which, a factor is named.
const LARGE: f64 = 1e5;
const SMALL: f64 = 1e-3;
/// The space on either side of the data, in lengths of their span.
const SPACE: f64 = 0.05;

/// An axis with its label, which names the unit.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// What it shows and in which unit.
    pub label: String,
    /// The ends, the lower one first.
    pub range: [f64; 2],
    /// Whether equal ratios, rather than equal differences, have equal lengths.
    pub logarithmic: bool,
}

impl Axis {
    /// A linear axis with room for all values and a little more; numbers that are not finite are left out. An axis of
    /// values above or at zero does not go below it.
    pub fn spanning(values: impl IntoIterator<Item = f64>, label: impl Into<String>) -> Self {
        // A quarter of the largest number, so that sums do not overflow.
        let most = 0.25 * f64::MAX;
        let finite = values.into_iter().filter(|x| x.is_finite()).map(|x| x.clamp(-most, most));
        let ends = finite.fold(None, |ends: Option<[f64; 2]>, x| {
            ends.map_or(Some([x, x]), |[low, high]| Some([low.min(x), high.max(x)]))
        });
        let [low, high] = ends.unwrap_or([0.0, 1.0]);
        let size = low.abs().max(high.abs());
        let least = if size > 0.0 { 1e-9 * size } else { 1.0 };
        // A constant has no span: it stands in the middle of a tenth of itself.
        let span = if high - low > least { SPACE * (high - low) } else { (0.1 * size).max(least) };
        let below = if low >= 0.0 { (low - span).max(0.0) } else { low - span };
        Self { label: label.into(), range: [below, high + span], logarithmic: false }
    }

    /// Whether it can be drawn.
    pub(super) fn is_sound(&self) -> bool {
        let [low, high] = self.range;
        let resolved = high - low > 1e-12 * low.abs().max(high.abs());
        resolved && (high - low).is_finite() && (!self.logarithmic || low > 0.0)
    }
}

/// An axis that knows its ticks.
#[derive(Debug, Clone)]
pub(super) struct Scale {
    range: [f64; 2],
    logarithmic: bool,
    ticks: Vec<f64>,
    step: f64,
    factor: i32,
}

impl Scale {
    /// The ticks of a sound axis of a length in pixels, with numbers of a size. Numbers stand across an axis that is
    /// not `upright`, and must not touch each other.
    pub(super) fn new(axis: &Axis, length: u32, size: u32, upright: bool) -> Self {
        let [low, high] = axis.range;
        // NaN on a linear axis that reaches below zero, where it is not used.
        let decades = high.log10() - low.log10();
        let mut scale = Self {
            range: axis.range,
            logarithmic: axis.logarithmic,
            ticks: Vec::new(),
            step: 0.0,
            factor: factor(low.abs().max(high.abs())),
        };
        if axis.logarithmic && decades > 0.8 {
            scale.factor = 0;
        }
        let room = |scale: &Self| {
            let taken = |v: &f64| if upright { 2 * size } else { width(&scale.number(*v), size) + size };
            scale.ticks.iter().map(taken).sum::<u32>() <= length
        };
        for count in (1..=9).rev() {
            if axis.logarithmic && decades > 0.8 {
                scale.step = 0.0;
                scale.ticks = powers(low, high, decades, count);
            } else {
                (scale.step, scale.ticks) = multiples(low, high, count);
            }
            if room(&scale) {
                break;
            }
        }
        scale
    }

    /// What a label has to add.
    pub(super) fn suffix(&self) -> String {
        if self.factor == 0 { String::new() } else { format!(" (×1e{})", self.factor) }
    }

    /// The width of the widest number.
    pub(super) fn widest(&self, size: u32) -> u32 {
        self.ticks.iter().map(|v| width(&self.number(*v), size)).max().unwrap_or(0)
    }

    /// Where a value is: zero at the lower end, one at the upper one. NaN where it has no place.
    pub(super) fn place(&self, value: f64) -> f64 {
        let [low, high] = self.range;
        if !self.logarithmic {
            return (value - low) / (high - low);
        }
        if value > 0.0 { (value.ln() - low.ln()) / (high.ln() - low.ln()) } else { f64::NAN }
    }

    /// The value at a place.
    pub(super) fn value(&self, place: f64) -> f64 {
        let [low, high] = self.range;
        if self.logarithmic {
            (low.ln() + place * (high.ln() - low.ln())).exp()
        } else {
            low + (high - low) * place
        }
    }

    /// The number at a tick.
    fn number(&self, value: f64) -> String {
        let value = value / 10f64.powi(self.factor);
        if self.step == 0.0 {
            return power(value);
        }
        let step = self.step / 10f64.powi(self.factor);
        let decimals = (-step.log10() - 1e-9).ceil().clamp(0.0, 15.0) as usize;
        short(&format!("{value:.decimals$}"))
    }
}

impl Ranged for Scale {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        let length = f64::from(limit.1) - f64::from(limit.0);
        (f64::from(limit.0) + self.place(*value) * length).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, _hint: Hint) -> Vec<f64> {
        self.ticks.clone()
    }

    fn range(&self) -> Range<f64> {
        self.range[0]..self.range[1]
    }
}

impl ValueFormatter<f64> for Scale {
    fn format(value: &f64) -> String {
        value.to_string()
    }

    fn format_ext(&self, value: &f64) -> String {
        self.number(*value)
    }
}

/// The power of ten, a multiple of three, by which long numbers are divided.
fn factor(most: f64) -> i32 {
    if (SMALL..LARGE).contains(&most) { 0 } else { 3 * (most.log10() / 3.0).floor() as i32 }
}

/// At most about `count` multiples of a round step from low to high, and the step.
fn multiples(low: f64, high: f64, count: usize) -> (f64, Vec<f64>) {
    let raw = (high - low) / count as f64;
    let power = 10f64.powf(raw.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|f| f * power).into_iter().find(|s| *s >= raw * (1.0 - 1e-9));
    let step = step.unwrap_or(10.0 * power);
    let (first, last) = ((low / step - 1e-6).ceil(), (high / step + 1e-6).floor());
    let mut ticks = Vec::new();
    let mut k = first;
    while k <= last && ticks.len() <= count + 1 {
        ticks.push((k * step).clamp(low, high));
        k += 1.0;
    }
    (step, ticks)
}

/// Powers of ten from low to high, not all of them if there are more than `count`, and twice and five times them if
/// there is room.
fn powers(low: f64, high: f64, decades: f64, count: usize) -> Vec<f64> {
    let strides = [1, 2, 3, 5, 10, 20, 50, 100];
    let stride = strides.into_iter().find(|s| decades / f64::from(*s) <= count as f64).unwrap_or(200);
    let factors: &[f64] = if 3.0 * decades <= count as f64 { &[1.0, 2.0, 5.0] } else { &[1.0] };
    let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
    let all = (first..=last)
        .filter(|e| e % stride == 0)
        .flat_map(|e| factors.iter().map(move |f| f * 10f64.powi(e)));
    all.filter(|v| *v >= low * (1.0 - 1e-9) && *v <= high * (1.0 + 1e-9))
        .map(|v| v.clamp(low, high))
        .collect()
}

/// A number on a logarithmic axis.
fn power(value: f64) -> String {
    if (SMALL..LARGE).contains(&value) { short(&format!("{value:.4}")) } else { format!("{value:.0e}") }
}

/// A number without trailing zeros, and zero without a sign.
fn short(text: &str) -> String {
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text };
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(range: [f64; 2], logarithmic: bool) -> (Vec<String>, String) {
        let scale = Scale::new(&Axis { label: String::new(), range, logarithmic }, 600, 13, false);
        (scale.ticks.iter().map(|v| scale.number(*v)).collect(), scale.suffix())
    }

    #[test]
    fn numbers_at_ticks_are_short_whatever_the_range() {
        for (range, logarithmic, expected, suffix) in [
            ([0.0, 2.0], false, "0 0.5 1 1.5 2", ""),
            ([-1.0, 1.0], false, "-1 -0.5 0 0.5 1", ""),
            ([1e-12, 3e-12], false, "1 1.5 2 2.5 3", " (×1e-12)"),
            ([1e9, 2e9], false, "1 1.2 1.4 1.6 1.8 2", " (×1e9)"),
            ([0.0, 20_000.0], false, "0 5000 10000 15000 20000", ""),
            ([1e-6, 1e2], true, "1e-6 1e-5 1e-4 0.001 0.01 0.1 1 10 100", ""),
            ([1.0, 100.0], true, "1 2 5 10 20 50 100", ""),
            ([1e-300, 1e300], true, "1e-300 1e-200 1e-100 1 1e100 1e200 1e300", ""),
            ([1.1, 1.9], true, "1.1 1.2 1.3 1.4 1.5 1.6 1.7 1.8 1.9", ""),
        ] {
            let (found, factor) = numbers(range, logarithmic);
            let wanted: Vec<&str> = expected.split(' ').collect();
            // Finer steps than those given are welcome.
            assert!(wanted.iter().all(|w| found.iter().any(|f| f == w)), "{range:?}: {found:?}");
            assert!(found.len() <= 11 && factor == suffix, "{range:?}: {found:?}{factor}");
        }
    }

    #[test]
    fn ticks_that_differ_have_numbers_that_differ() {
        for range in
            [[1.0, 1.0 + 1e-9], [1e9 + 1.0, 1e9 + 2.0], [-1e-30, 1e-30], [-3.7e17, 12.0], [99.5, 100.5]]
        {
            let (found, _) = numbers(range, false);
            let mut unique = found.clone();
            unique.dedup();
            assert!(found.len() >= 2 && unique == found, "{range:?}: {found:?}");
        }
    }

    #[test]
    fn an_axis_that_spans_values_has_room_for_them_and_is_never_empty() {
        let nothing: [f64; 0] = [];
        let lists: [&[f64]; 8] = [
            &[1.0, 3.0],
            &[5.0],
            &[0.0, 0.0],
            &[-2e-15, -2e-15],
            &nothing,
            &[f64::NAN, 7.0, f64::INFINITY],
            &[f64::MAX, f64::MIN],
            &[1.0, 1.0 + f64::EPSILON],
        ];
        for list in lists {
            let axis = Axis::spanning(list.iter().copied(), "x");
            assert!(axis.is_sound(), "{list:?}: {axis:?}");
            let inside = |x: &&f64| x.is_finite() && x.abs() < 1e300;
            assert!(
                list.iter().filter(inside).all(|x| (axis.range[0]..=axis.range[1]).contains(x)),
                "{axis:?}"
            );
        }
        assert_eq!(Axis::spanning([0.0, 10.0], "x").range, [0.0, 10.5]);
    }

    #[test]
    fn places_and_values_undo_each_other() {
        for logarithmic in [false, true] {
            let axis = Axis { label: String::new(), range: [0.01, 10.0], logarithmic };
            let scale = Scale::new(&axis, 600, 13, false);
            for value in [0.01, 0.3, 10.0] {
                assert!((scale.value(scale.place(value)) - value).abs() < 1e-12);
            }
        }
    }
}
