//! Convex figures in a plane, their intersection, and the points that stand for it.
//!
//! Figures are discs, convex polygons and segments, in coordinates along two directions of the plane. Where they
//! overlap, c is the centroid of the intersection (of discs as polygons of [`SIDES`] sides; the middle of a segment's
//! part), and the points are where [`POINTS`] rays from c, of fixed directions, leave the intersection: continuous
//! while c is inside. Of a segment they are the two ends of its part.
//!
//! β says whose outline it is that the points are on, and with whom they move: with a and b the areas, or lengths, of
//! the figures and s that of the intersection, β = (a − s)/(a + b − 2s) is one where B lies within A, and zero where A
//! lies within B; of a segment on an area it is the share of the segment that is there, or the rest of it.

use super::dual::Dual;
use std::f64::consts::FRAC_1_SQRT_2;

/// The points that stand for an intersection of two areas.
pub(super) const POINTS: usize = 8;

/// Figures that differ by less than this share of their measures are the same.
const SAME: f64 = 1e-9;

/// The sides of a disc for its centroid.
const SIDES: usize = 16;

/// cos and sin of π/8.
const COS: f64 = 0.923_879_532_511_286_7;
const SIN: f64 = 0.382_683_432_365_089_8;

/// cos and sin of the multiples of π/8.
const TURNS: [[f64; 2]; SIDES] = {
    let quarter = [[1.0, 0.0], [COS, SIN], [FRAC_1_SQRT_2, FRAC_1_SQRT_2], [SIN, COS]];
    let mut all = [[0.0; 2]; SIDES];
    let mut k = 0;
    while k < SIDES {
        let [cos, sin] = quarter[k % 4];
        all[k] = match k / 4 {
            0 => [cos, sin],
            1 => [-sin, cos],
            2 => [-cos, -sin],
            _ => [sin, -cos],
        };
        k += 1;
    }
    all
};

/// A point.
pub(super) type Point<const N: usize> = [Dual<N>; 2];

/// A convex figure.
#[derive(Debug, Clone)]
pub(super) enum Figure<const N: usize> {
    Disc {
        centre: Point<N>,
        radius: f64,
    },
    /// Counter-clockwise.
    Polygon(Vec<Point<N>>),
    Segment([Point<N>; 2]),
}

/// What two figures share.
#[derive(Debug, Clone)]
pub(super) struct Overlap<const N: usize> {
    pub points: Vec<Point<N>>,
    /// c.
    pub centre: Point<N>,
    /// The least distance from c to the outline.
    pub least: Dual<N>,
    /// β.
    pub of_b: Dual<N>,
    /// How far the middle of one of two polygons is within the other, over the root of the smaller area; else one.
    pub held: Dual<N>,
}

/// β of the measures of two figures and of what they share.
fn of_second<const N: usize>(a: Dual<N>, b: Dual<N>, shared: Dual<N>) -> Dual<N> {
    let (rest, whole) = (a - shared, a + b - shared * 2.0);
    // Figures that are the same move with both.
    if whole.value > SAME * (a.value + b.value) { rest / whole } else { Dual::constant(0.5) }
}

fn minus<const N: usize>(a: &Point<N>, b: &Point<N>) -> Point<N> {
    [a[0] - b[0], a[1] - b[1]]
}

fn plus<const N: usize>(a: &Point<N>, d: &Point<N>, s: Dual<N>) -> Point<N> {
    [a[0] + d[0] * s, a[1] + d[1] * s]
}

fn dot<const N: usize>(a: &Point<N>, b: &Point<N>) -> Dual<N> {
    a[0] * b[0] + a[1] * b[1]
}

fn cross<const N: usize>(a: &Point<N>, b: &Point<N>) -> Dual<N> {
    a[0] * b[1] - a[1] * b[0]
}

/// Twice the area of a polygon.
fn area<const N: usize>(corners: &[Point<N>]) -> Dual<N> {
    let zero = Dual::constant(0.0);
    let Some(first) = corners.first() else { return zero };
    sides(corners).fold(zero, |sum, (p, q)| sum + cross(&minus(p, first), &minus(q, first)))
}

fn sides<const N: usize>(corners: &[Point<N>]) -> impl Iterator<Item = (&Point<N>, &Point<N>)> {
    corners.iter().zip(corners.iter().cycle().skip(1))
}

impl<const N: usize> Figure<N> {
    /// A polygon of corners in either order.
    pub fn polygon(mut corners: Vec<Point<N>>) -> Self {
        if area(&corners).value < 0.0 {
            corners.reverse();
        }
        Self::Polygon(corners)
    }

    fn corners(&self) -> Vec<Point<N>> {
        match self {
            Self::Disc { centre, radius } => TURNS
                .iter()
                .map(|turn| [0, 1].map(|i| centre[i] + Dual::constant(radius * turn[i])))
                .collect(),
            Self::Polygon(corners) => corners.clone(),
            Self::Segment(ends) => ends.to_vec(),
        }
    }

    /// Whether a disc is in it, so that its centroid is that of what they share.
    fn holds(&self, x: &Point<N>, radius: f64) -> bool {
        match self {
            Self::Disc { centre, radius: own } => {
                let arm = minus(x, centre).map(|x| x.value);
                arm[0].hypot(arm[1]) + radius <= *own
            }
            Self::Polygon(corners) => sides(corners).all(|(p, q)| {
                let [side, arm] = [minus(q, p), minus(x, p)].map(|v| v.map(|x| x.value));
                side[0] * arm[1] - side[1] * arm[0] >= radius * side[0].hypot(side[1])
            }),
            Self::Segment(_) => false,
        }
    }

    /// The s at which the line x + s d enters and leaves; none of a segment, and none where it passes by.
    fn crossing(&self, x: &Point<N>, d: &Point<N>) -> Option<[Dual<N>; 2]> {
        match self {
            Self::Disc { centre, radius } => {
                let arm = minus(x, centre);
                let (a, b) = (dot(d, d), dot(&arm, d));
                let c = dot(&arm, &arm) - Dual::constant(radius * radius);
                let inside = b * b - a * c;
                if !(inside.value > 0.0) {
                    return None;
                }
                let root = inside.sqrt();
                Some([(-b - root) / a, (-b + root) / a])
            }
            Self::Polygon(corners) => {
                let mut range = [f64::NEG_INFINITY, f64::INFINITY].map(Dual::constant);
                for (p, q) in sides(corners) {
                    let side = minus(q, p);
                    // Inside where height + s slope ≥ 0.
                    let (height, slope) = (cross(&side, &minus(x, p)), cross(&side, d));
                    if slope.value > 0.0 {
                        range[0] = range[0].max(-height / slope);
                    } else if slope.value < 0.0 {
                        range[1] = range[1].min(-height / slope);
                    } else if height.value < 0.0 {
                        return None;
                    }
                }
                (range[0].value < range[1].value).then_some(range)
            }
            Self::Segment(_) => None,
        }
    }
}

/// How far a point is inside of a side.
fn height<const N: usize>((p, q): (&Point<N>, &Point<N>), x: &Point<N>) -> Dual<N> {
    let side = minus(q, p);
    cross(&side, &minus(x, p)) / dot(&side, &side).sqrt()
}

/// What is left of a polygon within another one.
fn clipped<const N: usize>(mut corners: Vec<Point<N>>, by: &[Point<N>]) -> Vec<Point<N>> {
    for (p, q) in sides(by) {
        let side = minus(q, p);
        let height = |x: &Point<N>| cross(&side, &minus(x, p));
        let mut kept = Vec::with_capacity(corners.len() + 1);
        for (x, y) in sides(&corners) {
            let (from, to) = (height(x), height(y));
            if from.value >= 0.0 {
                kept.push(*x);
            }
            if (from.value >= 0.0) != (to.value >= 0.0) {
                kept.push(plus(x, &minus(y, x), from / (from - to)));
            }
        }
        corners = kept;
    }
    corners
}

/// The centroid of a polygon, none where it has no area.
fn centroid<const N: usize>(corners: &[Point<N>]) -> Option<Point<N>> {
    let first = corners.first()?;
    let zero = Dual::constant(0.0);
    let (mut sum, mut whole) = ([zero; 2], zero);
    for (p, q) in sides(corners) {
        let (p, q) = (minus(p, first), minus(q, first));
        let part = cross(&p, &q);
        whole = whole + part;
        sum = [0, 1].map(|i| sum[i] + (p[i] + q[i]) * part);
    }
    (whole.value > 0.0).then(|| [0, 1].map(|i| first[i] + sum[i] / (whole * 3.0)))
}

/// What two figures share, at least one of which has an area.
pub(super) fn overlap<const N: usize>(a: &Figure<N>, b: &Figure<N>) -> Option<Overlap<N>> {
    match (a, b) {
        (area, Figure::Segment(ends)) => part_of_segment(ends, area),
        (Figure::Segment(ends), area) => part_of_segment(ends, area)
            .map(|found| Overlap { of_b: Dual::constant(1.0) - found.of_b, ..found }),
        _ => part_of_area(a, b),
    }
}

fn part_of_segment<const N: usize>(ends: &[Point<N>; 2], area: &Figure<N>) -> Option<Overlap<N>> {
    let along = minus(&ends[1], &ends[0]);
    let [from, to] = area.crossing(&ends[0], &along)?;
    let (from, to) = (from.max(Dual::constant(0.0)), to.min(Dual::constant(1.0)));
    if !(from.value < to.value) {
        return None;
    }
    let points = [from, to].map(|s| plus(&ends[0], &along, s));
    let centre = plus(&ends[0], &along, (from + to) * 0.5);
    let length = dot(&along, &along).sqrt();
    let across = [-along[1] / length, along[0] / length];
    let [right, left] = area.crossing(&centre, &across)?;
    let least = ((to - from) * 0.5 * length).min(left).min(-right);
    Some(Overlap { points: points.to_vec(), centre, least, of_b: to - from, held: Dual::constant(1.0) })
}

fn part_of_area<const N: usize>(a: &Figure<N>, b: &Figure<N>) -> Option<Overlap<N>> {
    let one = Dual::constant(1.0);
    let (centre, of_b, held) = match (a, b) {
        (other, Figure::Disc { centre, radius }) if other.holds(centre, *radius) => (*centre, one, one),
        (Figure::Disc { centre, radius }, other) if other.holds(centre, *radius) => {
            (*centre, Dual::constant(0.0), one)
        }
        _ => {
            let corners = [a.corners(), b.corners()];
            let [of_a, of_b] = corners.each_ref().map(|corners| area(corners));
            let shared = clipped(corners[0].clone(), &corners[1]);
            let far = Dual::constant(f64::INFINITY);
            let within = |own: &[Point<N>], other: &[Point<N>]| {
                let least = |x| sides(other).fold(far, |least, side| least.min(height(side, &x)));
                centroid(own).map_or(-far, least)
            };
            let [one, other] = [&corners[0], &corners[1]];
            let held = within(one, other).max(within(other, one)) / (of_a.min(of_b) * 0.5).sqrt();
            (centroid(&shared)?, of_second(of_a, of_b, area(&shared)), held)
        }
    };
    let mut points = Vec::with_capacity(POINTS);
    let mut least = Dual::constant(f64::INFINITY);
    for turn in TURNS.iter().step_by(SIDES / POINTS) {
        let d = turn.map(Dual::constant);
        let far = a.crossing(&centre, &d)?[1].min(b.crossing(&centre, &d)?[1]);
        least = least.min(far);
        points.push(plus(&centre, &d, far));
    }
    (least.value > 0.0).then_some(Overlap { points, centre, least, of_b, held })
}

/// What two segments along the first direction share, seen along it.
pub(super) fn overlap_of_segments<const N: usize>(a: &Figure<N>, b: &Figure<N>) -> Option<Overlap<N>> {
    let (Figure::Segment(a), Figure::Segment(b)) = (a, b) else { return None };
    let [from, to] = [a, b]
        .into_iter()
        .fold([f64::NEG_INFINITY, f64::INFINITY].map(Dual::constant), |[from, to], [x, y]| {
            [from.max(x[0].min(y[0])), to.min(x[0].max(y[0]))]
        });
    if !(from.value < to.value) {
        return None;
    }
    // Midway between the two in the other direction, in which they differ where they are not parallel.
    let aside = |s: Dual<N>| {
        let of = |[x, y]: &[Point<N>; 2]| x[1] + (y[1] - x[1]) * ((s - x[0]) / (y[0] - x[0]));
        (of(a) + of(b)) * 0.5
    };
    let points = vec![[from, aside(from)], [to, aside(to)]];
    let [of_a, of_b] = [a, b].map(|[x, y]| x[0].max(y[0]) - x[0].min(y[0]));
    let (middle, least) = ((from + to) * 0.5, (to - from) * 0.5);
    let centre = [middle, aside(middle)];
    let (of_b, held) = (of_second(of_a, of_b, to - from), Dual::constant(1.0));
    Some(Overlap { points, centre, least, of_b, held })
}
