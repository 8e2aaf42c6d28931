//! Where a piece of a centre curve and a side of a triangle come nearest to each other, both inside their ends.
//!
//! A bar from c along u and a side a + t v, n = u × v: s = ((a − c) × v)·n/n², t = ((a − c) × u)·n/n², whose
//! denominator keeps its digits for lines that are nearly parallel (n² would be ∣v∣² − (u·v)², which does not).
//!
//! A circle of radius R about the axis x and a line p(t) with the distance ρ(t) from the axis: half the slope of the
//! squared distance g = p_x² + (ρ − R)² is p_x v_x + (ρ − R)ρ′, and g″/2 = v² − R m²d²/ρ³ with m² = v² − v_x² and the
//! line's distance d from the axis. So g is convex where ρ³ ≥ R m²d²/v², which is everywhere but between two places as
//! far on either side of the line's point nearest to the axis: at most two minima, one in each convex part, found by a
//! bracketed Newton's method.

use super::piece::Piece;
use rattleback_geom::Vec3;
use std::f64::consts::{FRAC_PI_2, TAU};

/// Lines that differ in direction by less than this sine are parallel: their distance changes by less than rounding
/// over any triangle.
const PARALLEL: f64 = 1e-14;

/// How far from the axis slopes are taken at least, in radii: far above rounding, far below any minimum of interest.
const OFF_AXIS: f64 = 1e-12;

/// Bisection alone needs as many steps to exhaust the digits of t.
const STEPS: usize = 80;

/// A pair of nearest points: the parameter along the piece in m, and t along the side from 0 to 1.
pub(super) type NearestParameters = (f64, f64);

/// The local minima of the distance, both points strictly inside; a bar has one at most. Those with a distance of more
/// than `most` may be left out.
pub(super) fn minima(piece: &Piece, a: &Vec3, b: &Vec3, most: f64) -> [Option<NearestParameters>; 2] {
    match piece {
        Piece::Bar { start, along, length } => [bar(start, along, *length, a, b), None],
        Piece::Quarter { centre, from, to, radius } => {
            let line = Line::new(&(a - centre), &(b - a), from, to, *radius);
            if line.is_beyond(most) {
                return [None; 2];
            }
            line.convex_parts().map(|part| {
                let t = line.minimum(part?)?;
                let [x, y] = line.across(t);
                (x > 0.0 && y > 0.0).then(|| (radius * y.atan2(x), t))
            })
        }
    }
}

/// Parameters strictly inside a piece where it passes the plane through `a` with the normal `n`.
pub(super) fn crossings(piece: &Piece, a: &Vec3, n: &Vec3) -> [Option<f64>; 2] {
    match piece {
        Piece::Bar { start, along, length } => {
            let s = (a - start).dot(n) / along.dot(n);
            [(s > 0.0 && s < *length).then_some(s), None]
        }
        Piece::Quarter { centre, from, to, radius } => {
            let (x, y) = (n.dot(from), n.dot(to));
            let steepest = y.atan2(x);
            // Where the circle does not reach the plane the arc cosine is NaN and fails the comparison.
            let swing = ((a - centre).dot(n) / (radius * (x * x + y * y).sqrt())).acos();
            [steepest + swing, steepest - swing].map(|angle| {
                let angle = angle.rem_euclid(TAU);
                (angle > 0.0 && angle < FRAC_PI_2).then_some(radius * angle)
            })
        }
    }
}

fn bar(start: &Vec3, along: &Vec3, length: f64, a: &Vec3, b: &Vec3) -> Option<NearestParameters> {
    let (v, w) = (b - a, a - start);
    let n = along.cross(&v);
    let square = n.norm_squared();
    if !(square > PARALLEL * PARALLEL * v.norm_squared()) {
        return None;
    }
    let (s, t) = (w.cross(&v).dot(&n) / square, w.cross(along).dot(&n) / square);
    (s > 0.0 && s < length && t > 0.0 && t < 1.0).then_some((s, t))
}

/// A line in the axes of a quarter circle: p(t) = a + t v with two components across its axis and one along it.
struct Line {
    a: [f64; 3],
    v: [f64; 3],
    radius: f64,
    /// m², the part of v² across the axis.
    square_across: f64,
    /// v².
    square: f64,
    /// m²d².
    moment: f64,
}

impl Line {
    fn new(a: &Vec3, v: &Vec3, from: &Vec3, to: &Vec3, radius: f64) -> Self {
        let axis = from.cross(to);
        let [a, v] = [a, v].map(|x| [x.dot(from), x.dot(to), x.dot(&axis)]);
        let square_across = v[0] * v[0] + v[1] * v[1];
        let turn = a[0] * v[1] - a[1] * v[0];
        Self { a, v, radius, square_across, square: square_across + v[2] * v[2], moment: turn * turn }
    }

    /// The components across the axis at t.
    fn across(&self, t: f64) -> [f64; 2] {
        [self.a[0] + t * self.v[0], self.a[1] + t * self.v[1]]
    }

    /// Whether boxes and the hollow of the ring show that the side is farther than `most` from the quarter.
    fn is_beyond(&self, most: f64) -> bool {
        let ends = [self.a, [0, 1, 2].map(|k| self.a[k] + self.v[k])];
        let both = |holds: &dyn Fn(&[f64; 3]) -> bool| ends.iter().all(holds);
        let reach = self.radius + most;
        both(&|p| p[2] > most)
            || both(&|p| p[2] < -most)
            || (0..2).any(|k| both(&|p| p[k] < -most) || both(&|p| p[k] > reach))
            || both(&|p| (p[0] * p[0] + p[1] * p[1]).sqrt() < self.radius - most)
    }

    /// Half the slope of g, and half its second derivative.
    fn slopes(&self, t: f64) -> (f64, f64) {
        let [x, y] = self.across(t);
        let rho = (x * x + y * y).sqrt();
        let along = (self.a[2] + t * self.v[2]) * self.v[2];
        if rho == 0.0 {
            return (along, self.square);
        }
        let outwards = (x * self.v[0] + y * self.v[1]) / rho;
        (along + (rho - self.radius) * outwards, self.square - self.radius * self.moment / (rho * rho * rho))
    }

    /// How exactly t is known: coordinates are to rounding.
    fn rounding(&self) -> f64 {
        let size = self.radius + self.a.iter().fold(0.0, |sum, x| sum + x.abs());
        2.0 * f64::EPSILON * (1.0 + size / self.square.sqrt())
    }

    /// The parts of 0 ≤ t ≤ 1 in which g is convex.
    fn convex_parts(&self) -> [Option<[f64; 2]>; 2] {
        let (across, square) = (self.square_across, self.square);
        if !(across > PARALLEL * PARALLEL * square) {
            return [Some([0.0, 1.0]), None];
        }
        let middle = -(self.a[0] * self.v[0] + self.a[1] * self.v[1]) / across;
        // ρ² − d² = m²(t − middle)² where g turns from convex to concave.
        let rho = (self.radius * self.moment / square).cbrt();
        let width = (rho * rho - self.moment / across) / across;
        if width < 0.0 {
            return [Some([0.0, 1.0]), None];
        }
        // A line through the axis has a kink there, which is no minimum; the slope is asked for off it.
        let width = width.sqrt() + OFF_AXIS * self.radius / across.sqrt();
        let part = |low: f64, high: f64| (low < high).then_some([low, high]);
        [part(0.0, (middle - width).min(1.0)), part((middle + width).max(0.0), 1.0)]
    }

    /// The place inside a convex part where the slope changes its sign, if it does.
    fn minimum(&self, [mut low, mut high]: [f64; 2]) -> Option<f64> {
        if !(self.slopes(low).0 < 0.0 && self.slopes(high).0 > 0.0) {
            return None;
        }
        let mut t = 0.5 * (low + high);
        let exact = self.rounding();
        for _ in 0..STEPS {
            let (slope, bend) = self.slopes(t);
            if slope < 0.0 {
                low = t;
            } else {
                high = t;
            }
            let newton = t - slope / bend;
            let next = if newton >= low && newton <= high { newton } else { 0.5 * (low + high) };
            let step = (next - t).abs();
            t = next;
            if step <= exact || high - low <= exact {
                break;
            }
        }
        Some(t)
    }
}
