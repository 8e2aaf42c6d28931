//! The walk of `walk` where the other body is a tube about a closed curve too, with steps that know slopes and
//! curvatures.
//!
//! With φ(s) = min ½∣c(s) − c₂(t)∣² over t, t the foot of c(s) on c₂ and E, D as in `walk`, over ∣ds∣ ≤ w, ∣dt∣ ≤ b:
//! where E_tt b > ∣E_st∣ w the foot stays within b, and
//!
//!   φ′ = d·c′,   φ″ = E_ss − E_st²/E_tt ≥ L
//!
//! with the least E_ss, E_tt and the greatest ∣E_st∣ there. Ahead φ ≥ φ(s) + φ′ds + ½L ds², which for L < 0 is least at
//! an end; where φ′ ≥ 0 and L ≥ 0 it is least at s. Steps grow with the slope, where those by distance alone shrink
//! with the square of the way from the minimum.

use super::neighbourhood::along;
use super::tube::{CurvePoint, Tube};

/// Steps of a walk, widths that are tried for each, and the first one of them in radii of the curve.
const STEPS: usize = 150;
const TRIES: usize = 6;
const FIRST: f64 = 0.02;

/// Steps below this share of the length lead nowhere.
const LEAST: f64 = 1e-7;

/// How much farther the foot may go than the place.
const FOOT: f64 = 2.0;

/// Whether no place of the first curve is closer to the second one than `least`; s is the place of a common normal.
pub(super) fn is_clear(tubes: [&Tube<'_, '_>; 2], s: f64, least: f64) -> bool {
    let (length, closed) = tubes[0].length();
    let ends = if closed { [0.5 * length; 2] } else { [length - s, s] };
    [1.0, -1.0].into_iter().zip(ends).all(|(sign, end)| walk(tubes, s, sign, end, least))
}

fn walk(tubes: [&Tube<'_, '_>; 2], s: f64, sign: f64, end: f64, least: f64) -> bool {
    let length = tubes[0].length().0;
    let mut width = FIRST * tubes[0].bend().0.min(length);
    let mut way = 0.0;
    for _ in 0..STEPS {
        if way >= end {
            return true;
        }
        let here = tubes[0].at(s + sign * way);
        let (t, distance) = tubes[1].nearest(&here.c);
        let room = distance - least;
        if !(room >= 0.0) {
            return false;
        }
        let widths = (0..TRIES).map(|k| 2.0 * width * 0.5f64.powi(k as i32)).take_while(|&w| w > room);
        let wide = widths.into_iter().find(|&w| may_step(tubes, &here, sign, t, w, least));
        let step = wide.unwrap_or(room);
        if !(step > LEAST * length) {
            return false;
        }
        width = if wide.is_some() { step } else { width.min(step.max(0.1 * width)) };
        way += step;
    }
    false
}

/// Whether nothing within w ahead is closer than `least`.
fn may_step(tubes: [&Tube<'_, '_>; 2], here: &CurvePoint, sign: f64, t: f64, w: f64, least: f64) -> bool {
    let there = tubes[1].at(t);
    let d = here.c - there.c;
    let b = FOOT * w;
    let [from, to] = tubes[1].piece(t);
    if !(t - from >= b && to - t >= b) {
        return false;
    }
    let (ss, tt) = (along(tubes[0], here, &d, [w, b]), along(tubes[1], &there, &-d, [b, w]));
    let st = here.tangent.dot(&there.tangent).abs() + w / tubes[0].bend().0 + b / tubes[1].bend().0;
    if !(tt > 0.0 && tt * b > st * w) {
        return false;
    }
    let bend = ss - st * st / tt;
    let slope = sign * d.dot(&here.tangent);
    let above = 0.5 * (d.norm() - least) * (d.norm() + least);
    // The least of a parabola over the step, from below.
    let lowest = above + slope.min(0.0) * w + (slope.max(0.0) * w + 0.5 * bend * w * w).min(0.0);
    if !(lowest >= 0.0) {
        return false;
    }
    tubes[1].elsewhere(&here.c, t) >= least + w
}
