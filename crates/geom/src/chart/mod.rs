//! Surfaces as sets of charts: what a contact point that moves over a surface needs.
//!
//! A [`Place`] is a point of a surface by its chart and two parameters. An [`Atlas`] has charts that together cover a
//! surface: pieces that share borders (patches), or overlapping ones of a smooth body, none of which is used near the
//! points where it is singular. Whoever moves a place watches [`Atlas::inside`] and asks [`Atlas::onward`] where it falls
//! to zero.
//!
//! | file | holds |
//! |---|---|
//! | `cube` | directions by six charts over the faces of a cube |
//! | `round` | convex bodies over those: sphere, ellipsoid, superellipsoid, superquadric, potential body |
//! | `endless` | planes and tori, whose one chart has no border |
//! | `polygon` | faces that share their sides: over borders, round corners, over extraordinary vertices |
//! | `over` | straight on over a point without derivatives |
//! | `locate` | the place nearest to a point |

pub(crate) mod cube;
mod endless;
pub(crate) mod locate;
pub(crate) mod over;
pub(crate) mod polygon;
mod round;

use crate::error::{GeomError, Result, finite, within};
use crate::surface::ParametricJet;
use crate::{Vec2, Vec3};
use std::fmt::Debug;

/// How far beyond the border of its chart a place may be, as [`Atlas::inside`] measures it, and still have derivatives.
pub const MARGIN: f64 = 0.25;

/// A point of a surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    /// The chart.
    pub chart: usize,
    /// Its first parameter.
    pub u: f64,
    /// Its second parameter.
    pub v: f64,
}

/// A triangle of parameters of a chart, counter-clockwise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cell {
    /// The chart.
    pub chart: usize,
    /// The corners (u, v).
    pub corners: [Vec2; 3],
}

/// A surface by its charts.
pub trait Atlas: Debug + Send + Sync {
    /// How many charts there are.
    fn chart_count(&self) -> usize;

    /// The point at a place and its derivatives to third order; ∂x/∂u × ∂x/∂v points out of the solid.
    ///
    /// Up to [`MARGIN`] beyond the border of a chart it is the smooth continuation of the chart's own function, so that a
    /// motion can be followed over the border before the border is found on it. An error where there are no derivatives:
    /// at an extraordinary vertex, far beyond the border, for a chart that does not exist.
    fn jet(&self, place: &Place) -> Result<ParametricJet>;

    /// How far a place lies within its chart: positive inside, zero on the border, negative beyond, continuous, in units in
    /// which a chart is about one across. Infinite where a chart has no border.
    fn inside(&self, place: &Place) -> f64;

    /// A point on the border of its chart that moves on with the given rates of u and v, in the chart that takes over
    /// there: the same point, as exactly as numbers allow. None where the surface ends.
    fn onward(&self, place: &Place, rates: &Vec2) -> Result<Option<Place>>;

    /// The place of the surface's point nearest to `point`, which must lie close to the surface.
    fn locate(&self, point: &Vec3) -> Result<Place>;

    /// Triangles of parameters that cover the surface, each within its chart, without gaps; overlaps do no harm. Those of
    /// an infinite surface are none.
    fn cells(&self) -> Vec<Cell>;

    /// Bounds over a cell of the lengths of ∂³x/∂u³, ∂³x/∂u²∂v, ∂³x/∂u∂v² and ∂³x/∂v³, proved; none where no proof is at
    /// hand, or no bound exists.
    fn third_bound(&self, _cell: &Cell) -> Option<[f64; 4]> {
        None
    }

    /// Whether the solid is convex: two such solids touch in one place at most.
    fn is_convex(&self) -> bool;
}

/// Accepts a place of an existing chart with numbers for parameters.
pub(crate) fn check(place: &Place, charts: usize) -> Result<()> {
    if place.chart >= charts {
        let (value, allowed) = (place.chart as f64, format!("a whole number below {charts}"));
        return Err(GeomError::OutOfRange { field: "chart".to_owned(), value, allowed });
    }
    finite("u", place.u)?;
    finite("v", place.v)?;
    Ok(())
}

/// Accepts rates that are numbers.
pub(crate) fn check_rates(rates: &Vec2) -> Result<()> {
    finite("rates[0]", rates.x)?;
    finite("rates[1]", rates.y)?;
    Ok(())
}

/// Accepts a place that lies no farther than [`MARGIN`] beyond the border of its chart.
pub(crate) fn check_margin(inside: f64) -> Result<()> {
    // A few roundings of slack: the margin itself is meant to be usable.
    within("inside", inside, -MARGIN - 1e-12, f64::INFINITY, "at least −0.25, the margin of a chart")?;
    Ok(())
}
