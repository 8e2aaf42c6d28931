//! What an answer is held to.
//!
//! Lengths are in units of the scene, L = reach of A + reach of B + ∣r∣, W = ∣x_A∣ + ∣x_B∣ the distances of the bodies
//! from the world's origin, ε = 2⁻⁵².
//!
//! - T = 1e-11 L bounds what concerns the gap. The positions are doubles, their difference r is right to ε∣r∣/2 however
//!   far away the bodies are, rotations and support functions are right to some ten ε of themselves: 1e-14 L is what
//!   rounding may cost, and 1e-12 L what the engine's certificate allows itself.
//! - T + 8εW bounds what concerns the points: each is a sum in world coordinates, rounded to ε/2 in each of three, a
//!   few times.
//! - T + 32ε(W + W′) bounds the change of the gap under a common motion, whose poses are rounded at W and W′.
//!
//! Rules 1 to 3 prove the gap of separate bodies: f(n) ≤ gap ≤ ∣q − p∣ for any n and any points of the bodies. Under
//! overlap 1 and 2 prove that the gap is not less than what is said, and rule 4 looks for a direction that refutes it.

use crate::couple::Couple;
use crate::engine::Answer;
use crate::search::{self, Budget, KNOWN};
use crate::vector::{Vector, along, dot, length, minus, times};
use rattleback_contact::narrow::{Branch, Certificate};

/// The share of L that T is.
pub const SHARE: f64 = 1e-11;

/// What an answer breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// The engine panicked.
    Panic,
    /// A number is not finite.
    NotFinite,
    /// The normal is not of length one.
    NormalLength,
    /// The gap is not normal·(point_b − point_a).
    GapOfPoints,
    /// The gap is not f(normal).
    GapOfSupports,
    /// point_a is outside A or not on its surface.
    PointA,
    /// point_b likewise.
    PointB,
    /// Separate bodies with points farther apart than the gap.
    PointsApart,
    /// The points are not opposite each other along the normal.
    Residual,
    /// Separate bodies are said to overlap.
    SaidToOverlap,
    /// The depth is not the least, though it is said to be.
    NotGlobal,
    /// The bounds of the certificate do not hold the gap.
    Bounds,
    /// A direction proves a greater gap of separate bodies.
    LessThanTheGap,
}

impl Fault {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Panic => "panic",
            Self::NotFinite => "a number is not finite",
            Self::NormalLength => "the normal is not of length one",
            Self::GapOfPoints => "gap is not normal·(point_b − point_a)",
            Self::GapOfSupports => "gap is not f(normal)",
            Self::PointA => "point_a is not on A's surface",
            Self::PointB => "point_b is not on B's surface",
            Self::PointsApart => "points are farther apart than the gap",
            Self::Residual => "points are not opposite each other",
            Self::SaidToOverlap => "separate bodies are said to overlap",
            Self::NotGlobal => "a lesser depth than the global one",
            Self::Bounds => "bounds do not hold the gap",
            Self::LessThanTheGap => "a direction proves a greater gap",
        }
    }
}

/// What was found of an answer.
#[derive(Debug, Clone, Copy)]
pub struct Verdict {
    /// The first rule that is broken.
    pub fault: Option<Fault>,
    /// By how much, in units of L.
    pub by: f64,
    /// Whether an overlap is not the least: a direction has a greater f, by more than T.
    pub not_least: bool,
    /// The greatest f that was found.
    pub greatest: f64,
}

/// Holds an answer to rules 1 to 4; `known` are normals worth looking at.
pub fn check(couple: &Couple<'_>, answer: &Answer, known: &[Vector], budget: Budget) -> Verdict {
    let tolerance = SHARE * couple.size;
    let mut verdict = Verdict { fault: None, by: 0.0, not_least: false, greatest: f64::NEG_INFINITY };
    let numbers = [answer.gap, answer.residual].into_iter();
    let vectors = [answer.normal, answer.point_a, answer.point_b];
    if !numbers.chain(vectors.into_iter().flatten()).all(f64::is_finite) {
        return Verdict { fault: Some(Fault::NotFinite), by: f64::INFINITY, ..verdict };
    }
    if let Some((fault, by)) = at_the_normal(couple, answer) {
        verdict = Verdict { fault: Some(fault), by, ..verdict };
    }
    let separate = answer.gap > 0.0;
    let mut known = known.to_vec();
    known.push(answer.normal);
    // A separate answer that keeps rules 1 to 3 is proved as far as its points are: most are looked at from what is
    // known.
    let proved = separate && verdict.fault.is_none() && !budget.is_deep();
    let (greatest, _) = search::greatest(couple, &known, if proved { KNOWN } else { budget });
    let excess = greatest - answer.gap;
    // Rounding may turn a touch into an overlap; more than that may not.
    let more = excess > tolerance;
    verdict.greatest = greatest;
    verdict.not_least = !separate && more;
    let fault = match separate {
        false if more && greatest > 0.0 => Some(Fault::SaidToOverlap),
        false if more && is_global(answer) => verdict.fault.or(Some(Fault::NotGlobal)),
        true if more => verdict.fault.or(Some(Fault::LessThanTheGap)),
        _ => verdict.fault,
    };
    if fault != verdict.fault {
        verdict = Verdict { fault, by: excess / couple.size, ..verdict };
    }
    verdict
}

/// Whether the engine says that no translation is less.
pub fn is_global(answer: &Answer) -> bool {
    matches!(answer.touch.certificate, Certificate::Overlap { branch: Branch::Global, .. })
}

/// Rules 1 to 3, cheapest first: the first that is broken, and by how much.
fn at_the_normal(couple: &Couple<'_>, answer: &Answer) -> Option<(Fault, f64)> {
    let Answer { gap, normal: n, point_a, point_b, .. } = answer;
    let (gap, size) = (*gap, couple.size);
    let (tolerance, rounding) = (SHARE * size, 8.0 * f64::EPSILON * couple.far);
    let broken = |fault: Fault, by: f64, allowed: f64| (!(by.abs() <= allowed)).then_some((fault, by / size));
    let g = minus(point_b, point_a);
    let sides = along(&g, -dot(&g, n), n);
    let f = match couple.given_normal() {
        Some(own) if length(&minus(&own, n)) > 1e-14 => {
            return Some((Fault::GapOfSupports, length(&minus(&own, n))));
        }
        Some(own) => couple.f(&own),
        None => couple.f(n),
    };
    broken(Fault::NormalLength, (length(n) - 1.0) * size, 1e-14 * size)
        .or_else(|| broken(Fault::GapOfSupports, gap - f, tolerance))
        .or_else(|| broken(Fault::GapOfPoints, gap - dot(&g, n), tolerance + rounding))
        .or_else(|| {
            on_surface(couple, answer, true, tolerance + rounding).map(|by| (Fault::PointA, by / size))
        })
        .or_else(|| {
            on_surface(couple, answer, false, tolerance + rounding).map(|by| (Fault::PointB, by / size))
        })
        .or_else(|| {
            let excess = (length(&g) - gap).max(0.0);
            if gap > 0.0 { broken(Fault::PointsApart, excess, tolerance + rounding) } else { None }
        })
        .or_else(|| broken(Fault::Residual, length(&sides) - answer.residual, tolerance + rounding))
        .or_else(|| {
            let left = if gap > 0.0 { 0.0 } else { length(&sides) };
            broken(Fault::Residual, left, tolerance + rounding)
        })
        .or_else(|| bounds(couple, answer).map(|by| (Fault::Bounds, by / size)))
}

/// By how much a point is off its body's surface, where that is more than is allowed: outside in some direction, or
/// behind the plane of support at the normal.
fn on_surface(couple: &Couple<'_>, answer: &Answer, is_a: bool, allowed: f64) -> Option<f64> {
    let (body, point, n) = if is_a {
        (couple.a, &answer.point_a, answer.normal)
    } else {
        (couple.b, &answer.point_b, times(-1.0, &answer.normal))
    };
    let x = minus(point, &body.position);
    let n = couple.given_normal().map_or(n, |own| if is_a { own } else { times(-1.0, &own) });
    let behind = body.support(&n) - dot(&n, &x);
    let out = search::outside(body, &x, &n, allowed);
    let by = behind.abs().max(out);
    (!(by <= allowed)).then_some(by)
}

/// The bounds of a separate pair hold what is claimed.
fn bounds(couple: &Couple<'_>, answer: &Answer) -> Option<f64> {
    let Certificate::Separate { lower, upper } = answer.touch.certificate else { return None };
    // In the metres of the answer.
    let unit = if answer.gap == 0.0 { return None } else { answer.touch.gap / answer.gap };
    let (lower, upper) = (lower / unit, upper / unit);
    let by = (lower - answer.gap).max(answer.gap - upper);
    (!(by <= SHARE * couple.size)).then_some(by)
}
