//! How a contact begins: with the speed at which the bodies meet.
//!
//! Engines that find the instant of the touch take the gap rate there. In a step of fixed length the touch lies between
//! its ends: with gap and rate (g₀, ġ₀) before and (g₁, ġ₁) after it, the cubic through them
//!
//!   g(s) = g₀ + s(h ġ₀ + s(3Δ − 2h ġ₀ − h ġ₁ + s(h ġ₀ + h ġ₁ − 2Δ))),   Δ = g₁ − g₀,   s = (t − t₀)/h
//!
//! errs by h⁴ g⁗/384, its zero by as much over ġ, and its rate there by O(h³). A gap that falls by more than twice what
//! either rate says has jumped: a point got a weight among bodies that overlap already (`contact/src/flat`), and
//! begins with the rate that it has then. Gaps that are both zero, as rounding leaves those of bodies set down exactly
//! on each other, touch at the end.
//!
//! Bodies that are placed inside each other never met. With E the energy that their indentation δ stores, m their
//! effective mass and w the part of gravity that presses them together, they are driven apart with at most v² = ġ² +
//! 2(E − m w δ)/m, as if they had met at that speed: what damps a contact in relation to its approach speed then damps
//! them as it does others. A body at rest in the depth at which the contact carries it has E < m w δ, and the least
//! speed that the law knows.

use crate::model::{Model, PartPair};
use rattleback_geom::Vec3;

/// The touch between two instants `h` seconds apart, from gap and rate at both, of which the first gap is not negative
/// and the second one is: how long after the first it is, and the gap rate there.
pub(crate) fn touch_between([g0, v0]: [f64; 2], [g1, v1]: [f64; 2], h: f64) -> (f64, f64) {
    let (d, a, b) = (g1 - g0, h * v0, h * v1);
    if d >= 0.0 || d < 2.0 * a.min(b).min(0.0) {
        return (h, v1);
    }
    let [c1, c2, c3] = [a, 3.0 * d - 2.0 * a - b, a + b - 2.0 * d];
    let value = |s: f64| g0 + s * (c1 + s * (c2 + s * c3));
    let slope = |s: f64| c1 + s * (2.0 * c2 + 3.0 * s * c3);
    let (mut low, mut high) = (0.0_f64, 1.0_f64);
    let mut s = (g0 / (g0 - g1)).clamp(0.0, 1.0);
    // Newton's steps within a bracket that shrinks: the cubic is smooth, six or seven do.
    for _ in 0..60 {
        let g = value(s);
        if g > 0.0 {
            low = s
        } else {
            high = s
        }
        let next = s - g / slope(s);
        let next = if next > low && next < high { next } else { 0.5 * (low + high) };
        if (next - s).abs() <= f64::EPSILON {
            break;
        }
        s = next;
    }
    (s * h, slope(s) / h)
}

/// The speed, as a gap rate, with which bodies that are placed inside each other would have met: at most zero.
pub(crate) fn rate_from_inside(
    model: &Model,
    pair: &PartPair,
    normal: &Vec3,
    gap_rate: f64,
    [depth, stored]: [f64; 2],
) -> f64 {
    let bodies = [pair.a.body, pair.b.body].map(|id| &model.bodies()[id.0]);
    let per_mass = bodies.map(|body| if body.is_free() { 1.0 / body.body.mass } else { 0.0 });
    let mass = 1.0 / (per_mass[0] + per_mass[1]);
    // Gravity accelerates the free bodies alone; n points from A to B.
    let falls = bodies.map(|body| if body.is_free() { model.gravity().dot(normal) } else { 0.0 });
    let closing_acceleration = (falls[0] - falls[1]).max(0.0);
    let excess = (stored - mass * closing_acceleration * depth).max(0.0);
    -(gap_rate * gap_rate + 2.0 * excess / mass).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_at_the_touch_is_that_of_the_motion_to_third_order() {
        // A ball thrown at a wall that comes closer: g = cos t − 0.7, at zero when t = acos 0.7.
        let (gap, rate) = (|t: f64| t.cos() - 0.7, |t: f64| -t.sin());
        let exact = -(1.0_f64 - 0.49).sqrt();
        let error = |h: f64| {
            let begin = 0.7_f64.acos() - 0.37 * h;
            let end = begin + h;
            (touch_between([gap(begin), rate(begin)], [gap(end), rate(end)], h).1 - exact).abs()
        };
        let (coarse, fine) = (error(0.2), error(0.1));
        assert!(coarse < 1e-4 && coarse / fine > 6.0, "{coarse:e} {fine:e}");
        // Free fall is a parabola: exact.
        let (g, h) = (9.81, 0.3);
        let fall = |t: f64| [1.0 - 0.5 * g * t * t, -g * t];
        let begin = (2.0_f64 / g).sqrt() - 0.1;
        let (after, rate) = touch_between(fall(begin), fall(begin + h), h);
        assert!((rate + (2.0 * g).sqrt()).abs() < 1e-12 && (after - 0.1).abs() < 1e-12, "{after} {rate}");
    }

    #[test]
    fn gaps_that_are_both_zero_touch_at_the_end() {
        for rates in [[0.0, 0.0], [0.0, -1e-9], [-1e-9, 0.0], [1e-9, -1e-9]] {
            assert_eq!(touch_between([0.0, rates[0]], [0.0, rates[1]], 0.1), (0.1, rates[1]));
        }
    }

    #[test]
    fn a_touch_at_the_beginning_has_the_rate_of_the_beginning() {
        assert!((touch_between([0.0, -2.0], [-0.2, -2.0], 0.1).1 + 2.0).abs() < 1e-12);
        assert!((touch_between([0.0, 0.0], [-0.5 * 9.81 * 0.01, -0.981], 0.1).1).abs() < 1e-6);
    }
}
