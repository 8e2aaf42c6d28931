//! A common normal of two implicit surfaces from many starts, within the bounds of open ones.
//!
//! The eight residuals in lengths of `scaled`, brought to zero by damped Gauss–Newton steps from pairs of surface
//! points that a lattice in each body's box leads to. Of the solutions those count that
//!
//! - lie within the bounds of both surfaces (end of Lopes 3.3: a point outside is no contact),
//! - are least among their neighbours (second-order conditions, `narrow::second_order`),
//! - if they overlap, have the point of A inside B and the point of B inside A.
//!
//! The one of least signed gap is the answer. Where bodies deep within each other are thinner than the depth, a
//! point at their true contact lies outside; if the other point, or a sample of one body inside the other, proves
//! the overlap and nothing else was found, within the bounds or beyond, the least depth of that kind is taken. For
//! two convex bodies deep within each other this is the deepest of the directions that are locally the shortest way
//! out; convex bodies have a better solver in their support functions. That no closer pair was missed is likely, not
//! certain: it depends on the starts.

use super::scaled;
use super::system::{halves, joined};
use super::{ImplicitBody, Unknowns};
use crate::narrow::damped::{Descent, Stop, descend};
use crate::narrow::starts::{self, Sample};
use crate::narrow::{Solution, argument, second_order};
use crate::{ContactError, Result};
use rattleback_geom::{Aabb, Vec3};

/// How [`search`] and [`refine`] work.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SearchSettings {
    /// Residual at which to stop, as a share of the smaller body's size.
    pub tolerance: f64,
    /// Most evaluations from one start.
    pub max_iterations: u32,
    /// Most starts by each of the two rankings, by distance and by facing normals.
    pub starts: usize,
    /// Lattice points along an edge of each body's box.
    pub lattice: usize,
}

impl Default for SearchSettings {
    fn default() -> Self {
        Self { tolerance: 1e-13, max_iterations: 120, starts: 8, lattice: 5 }
    }
}

/// What a search found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SearchOutcome {
    /// The common normal of least signed gap within the bounds.
    Found(Solution),
    /// There are common normals, all of them beyond the bounds of a surface.
    NoneWithinBounds {
        /// How many starts led to one.
        beyond: u32,
    },
}

/// A refused residual may exceed the wanted one by this factor where rounding stops the descent.
const ROUNDING: f64 = 1e3;

/// Searches from a lattice in each body's own box, which must be finite.
pub fn search(
    a: &ImplicitBody,
    b: &ImplicitBody,
    boxes: [&Aabb; 2],
    settings: &SearchSettings,
) -> Result<SearchOutcome> {
    let length = checked(a, b, boxes, settings)?;
    let samples = [samples(a, boxes[0], settings.lattice), samples(b, boxes[1], settings.lattice)];
    let [on_a, on_b] = &samples;
    let pairs = starts::pairs(on_a, on_b, length, settings.starts);
    let overlap_proved =
        on_a.iter().any(|s| encloses(b, &s.point)) || on_b.iter().any(|s| encloses(a, &s.point));
    let mut tally = Tally { overlap_proved, ..Tally::default() };
    for [i, j] in pairs {
        let s_a = a.pose.point_to_local(&on_a[i].point);
        let s_b = b.pose.point_to_local(&on_b[j].point);
        tally.take(a, b, length, &descent(a, b, length, settings, joined(&s_a, &s_b)), settings);
    }
    tally.outcome()
}

/// Follows one start, two points in world axes: the warm start of a motion.
pub fn refine(
    a: &ImplicitBody,
    b: &ImplicitBody,
    boxes: [&Aabb; 2],
    points: [&Vec3; 2],
    settings: &SearchSettings,
) -> Result<SearchOutcome> {
    let length = checked(a, b, boxes, settings)?;
    argument::finite("points[0]", points[0])?;
    argument::finite("points[1]", points[1])?;
    let start = joined(&a.pose.point_to_local(points[0]), &b.pose.point_to_local(points[1]));
    let mut tally = Tally::default();
    tally.take(a, b, length, &descent(a, b, length, settings, start), settings);
    tally.outcome()
}

/// Refuses what cannot be searched and returns L, half the diagonal of the smaller box.
fn checked(a: &ImplicitBody, b: &ImplicitBody, boxes: [&Aabb; 2], settings: &SearchSettings) -> Result<f64> {
    argument::pose("a.pose", &a.pose)?;
    argument::pose("b.pose", &b.pose)?;
    argument::positive("tolerance", settings.tolerance)?;
    let mut length = f64::INFINITY;
    for (field, body) in ["boxes[0]", "boxes[1]"].into_iter().zip(boxes) {
        let diagonal = argument::positive(&format!("{field}.diagonal"), (body.max - body.min).norm())?;
        length = length.min(0.5 * diagonal);
    }
    Ok(length)
}

fn descent(
    a: &ImplicitBody,
    b: &ImplicitBody,
    length: f64,
    settings: &SearchSettings,
    start: Unknowns,
) -> Descent<6> {
    let wanted = settings.tolerance * length;
    let stop = Stop { wanted, accepted: ROUNDING * wanted, max_iterations: settings.max_iterations };
    descend(start, &stop, |q| scaled::linearise(a, b, length, q), |q, delta| q + delta)
}

/// Lattice points of the box drawn onto the surface along the gradient, kept where that arrives within bounds.
fn samples(body: &ImplicitBody, aabb: &Aabb, lattice: usize) -> Vec<Sample> {
    let (size, count) = (aabb.max - aabb.min, lattice.max(2));
    let at = |i: usize, k: usize| aabb.min[k] + size[k] * (i as f64 + 0.5) / count as f64;
    let mut found = Vec::with_capacity(count.pow(3));
    for index in 0..count.pow(3) {
        let cell = [index % count, index / count % count, index / count.pow(2)];
        let mut s = Vec3::from_fn(|k, _| at(cell[k], k));
        // Off the centre of symmetry, where the gradient may vanish: by less than a cell.
        s += size * (0.01 / count as f64);
        // A sample need not be exact: it is the start of an iteration.
        for _ in 0..12 {
            let (f, g) = (body.surface.value(&s), body.surface.gradient(&s));
            let step = g * (f / g.norm_squared());
            let far = step.norm() / (0.25 * size.norm());
            s -= step / far.max(1.0);
        }
        let off = body.offset(&s).abs();
        if off < 0.05 * size.norm() && body.surface.beyond_bounds(&s) <= 0.0 {
            found.push(Sample { point: body.pose.point_to_world(&s), normal: body.normal_w(&s) });
        }
    }
    found
}

/// Whether a point in world axes lies in the solid, within the bounds of an open surface.
fn encloses(body: &ImplicitBody, x: &Vec3) -> bool {
    let s = body.pose.point_to_local(x);
    body.surface.value(&s) <= 0.0 && body.surface.beyond_bounds(&s) <= 0.0
}

/// The best solution so far, and why the others were not.
#[derive(Debug, Default)]
struct Tally {
    best: Option<Solution>,
    /// The least depth among overlaps with a point outside the other body.
    doubtful: Option<Solution>,
    /// Whether a sample of one body lies inside the other.
    overlap_proved: bool,
    beyond: u32,
    iterations: u32,
    /// The least residual of a start that did not arrive.
    missed: Option<f64>,
}

impl Tally {
    fn take(
        &mut self,
        a: &ImplicitBody,
        b: &ImplicitBody,
        length: f64,
        end: &Descent<6>,
        settings: &SearchSettings,
    ) {
        self.iterations += end.iterations;
        if !(end.norm <= ROUNDING * settings.tolerance * length) {
            self.missed = Some(self.missed.map_or(end.norm, |m| m.min(end.norm)));
            return;
        }
        let (s_a, s_b) = halves(&end.x);
        let normal = a.normal_w(&s_a);
        let (point_a, point_b) = (a.pose.point_to_world(&s_a), b.pose.point_to_world(&s_b));
        let gap = normal.dot(&(point_b - point_a));
        if !second_order::is_least(&a.shape_w(&s_a), &b.shape_w(&s_b), &normal, gap) {
            return;
        }
        let slack = settings.tolerance * length;
        if a.surface.beyond_bounds(&s_a) > slack || b.surface.beyond_bounds(&s_b) > slack {
            self.beyond += 1;
            return;
        }
        let found = Solution { gap, normal, point_a, point_b, iterations: 0, residual: end.norm };
        // An overlap of the size of the residual has no inside to speak of.
        let shallow = gap >= -1e3 * ROUNDING * settings.tolerance * length;
        let inside = [encloses(b, &point_a), encloses(a, &point_b)];
        if shallow || inside == [true; 2] {
            if self.best.is_none_or(|best| gap < best.gap) {
                self.best = Some(found);
            }
        } else if (self.overlap_proved || inside != [false; 2])
            && self.doubtful.is_none_or(|best| gap > best.gap)
        {
            self.doubtful = Some(found);
        }
    }

    fn outcome(self) -> Result<SearchOutcome> {
        let best = if self.beyond > 0 { self.best } else { self.best.or(self.doubtful) };
        match best {
            Some(best) => Ok(SearchOutcome::Found(Solution { iterations: self.iterations, ..best })),
            None if self.beyond > 0 => Ok(SearchOutcome::NoneWithinBounds { beyond: self.beyond }),
            None => Err(ContactError::NotConverged {
                solver: "the search for a common normal",
                iterations: self.iterations,
                residual: self.missed.unwrap_or(f64::INFINITY),
            }),
        }
    }
}
