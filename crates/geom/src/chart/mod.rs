//! Surfaces as sets of charts: what a contact point that moves over a surface needs.
//!
//! A [`Place`] is a point of a surface by its chart and two parameters. An [`Atlas`] has charts that together cover a
//! surface: pieces that share borders (patches), or overlapping ones of a smooth body, none of which is used near the
//! points where it is singular. A caller that moves a place watches [`Atlas::inside`] and asks [`Atlas::onward`] where
//! it falls to zero.
//!
//! | file | holds |
//! |---|---|
//! | `cube` | directions by six charts over the faces of a cube |
//! | `round` | convex bodies over those: sphere, ellipsoid, superellipsoid, superquadric, potential body |
//! | `hull` | what holds convex bodies over cells of directions |
//! | `capsule` | the capsule, whose curvature jumps at its seams |
//! | `endless` | planes and tori, whose one chart has no border |
//! | `polygon` | faces that share their sides: over borders, round corners, over extraordinary vertices |
//! | `over` | straight on over a point without derivatives |
//! | `locate` | the place nearest to a point |

mod capsule;
pub(crate) mod cube;
mod endless;
mod hull;
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
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
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

/// What holds for all points of a surface over a cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Enclosure {
    /// What holds the points.
    pub hull: Hull,
    /// The axis of a cone that holds all outer normals, a unit vector.
    pub axis: Vec3,
    /// The half-angle of that cone, in rad.
    pub angle: f64,
}

/// What holds the points of a surface over a cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Hull {
    /// They are no farther than this, in m, from the surface's Taylor polynomial of second order about the cell's
    /// centroid.
    Taylor(f64),
    /// They are in the convex hull of some points, of which the first three make a triangle along the surface.
    Points {
        /// Those points.
        control: [Vec3; 6],
        /// How far beyond that hull rounding may put them, in m.
        slack: f64,
    },
}

/// The cone about the mean of three unit vectors that holds them: with an angle below π/2 all their sums with weights
/// that are not negative lie in it too.
pub(crate) fn cone(corners: [Vec3; 3]) -> Option<(Vec3, f64)> {
    let axis = (corners[0] + corners[1] + corners[2]).try_normalize(f64::EPSILON)?;
    let angle = corners.iter().map(|n| axis.angle(n)).fold(0.0, f64::max);
    // The rounding of an angle from its cosine and sine, many times over.
    (angle < 1.5).then_some((axis, angle + 1e-7))
}

/// The corners of a cell from its centroid.
pub(crate) fn arms(cell: &Cell) -> [Vec2; 3] {
    let [a, b, c] = &cell.corners;
    let middle = (a + b + c) / 3.0;
    cell.corners.map(|w| w - middle)
}

/// The rest of a Taylor polynomial of second order over a cell, ⅙ max |x‴(w, w, w)|, from bounds of the lengths of
/// ∂³x/∂u³, ∂³x/∂u²∂v, ∂³x/∂u∂v² and ∂³x/∂v³.
pub(crate) fn rest([uuu, uuv, uvv, vvv]: [f64; 4], cell: &Cell) -> f64 {
    // A mean of corners has no larger parameters than they have.
    let w = arms(cell);
    let reach = |f: fn(&Vec2) -> f64| w.iter().map(|w| f(w).abs()).fold(0.0, f64::max);
    let (u, v) = (reach(|w| w.x), reach(|w| w.y));
    (uuu * u * u * u + 3.0 * uuv * u * u * v + 3.0 * uvv * u * v * v + vvv * v * v * v) / 6.0
}

/// The enclosure over a cell that follows from its third derivatives alone; none where the normals are not within a
/// cone.
///
/// With the corners w_i from the centroid, ∂x/∂u lies within r_u of the hull of a_i = x_u + x_uu w_i + x_uv w_i, and
/// ∂x/∂v within r_v of that of b_i, where r is half of what the third derivatives bound. Their product, the normal,
/// lies in the hull of ½(a_i × b_j + a_j × b_i), but for a_max r_v + b_max r_u + r_u r_v.
pub(crate) fn enclosure_from(jet: &ParametricJet, cell: &Cell, third: [f64; 4]) -> Option<Enclosure> {
    let w = arms(cell);
    let a = w.map(|w| jet.du + jet.duu * w.x + jet.duv * w.y);
    let b = w.map(|w| jet.dv + jet.duv * w.x + jet.dvv * w.y);
    let reach = |f: fn(&Vec2) -> f64| w.iter().map(|w| f(w).abs()).fold(0.0, f64::max);
    let (u, v) = (reach(|w| w.x), reach(|w| w.y));
    let [uuu, uuv, uvv, vvv] = third;
    let off_a = 0.5 * (uuu * u * u + 2.0 * uuv * u * v + uvv * v * v);
    let off_b = 0.5 * (uuv * u * u + 2.0 * uvv * u * v + vvv * v * v);
    let longest = |list: &[Vec3; 3]| list.iter().map(|x| x.norm()).fold(0.0, f64::max);
    let off = longest(&a) * off_b + longest(&b) * off_a + off_a * off_b;
    let axis = jet.normal().try_normalize(0.0)?;
    let (mut angle, mut shortest): (f64, f64) = (0.0, f64::INFINITY);
    for i in 0..3 {
        for j in i..3 {
            let n = (a[i].cross(&b[j]) + a[j].cross(&b[i])) * 0.5;
            shortest = shortest.min(axis.dot(&n));
            angle = angle.max(axis.angle(&n));
        }
    }
    // sin of what the rest adds; sums of vectors in a cone below a right angle stay in it.
    let more = off / shortest;
    let angle = angle + if (0.0..1.0).contains(&more) { more.asin() } else { return None };
    (shortest > 0.0 && angle < 1.5).then(|| Enclosure {
        hull: Hull::Taylor(rest(third, cell)),
        axis,
        angle: angle + 1e-7,
    })
}

/// A surface by its charts.
pub trait Atlas: Debug + Send + Sync {
    /// How many charts there are.
    fn chart_count(&self) -> usize;

    /// The point at a place and its derivatives to third order; ∂x/∂u × ∂x/∂v points out of the solid.
    ///
    /// Up to [`MARGIN`] beyond the border of a chart it is the smooth continuation of the chart's own function, so that
    /// a motion can be followed over the border before the border is found on it. An error where there are no
    /// derivatives: at an extraordinary vertex, far beyond the border, for a chart that does not exist.
    fn jet(&self, place: &Place) -> Result<ParametricJet>;

    /// How far a place lies within its chart: positive inside, zero on the border, negative beyond, continuous, in
    /// units in which a chart is about one across. Infinite where a chart has no border.
    fn inside(&self, place: &Place) -> f64;

    /// The share of a chart over which the surface changes about a place: how far it is from the nearest point without
    /// derivatives, in units in which a chart is about one across, at most one, never zero within the chart.
    fn grain(&self, _place: &Place) -> f64 {
        1.0
    }

    /// A point on the border of its chart that moves on with the given rates of u and v, in the chart that takes over
    /// there: the same point, as exactly as numbers allow. None where the surface ends.
    fn onward(&self, place: &Place, rates: &Vec2) -> Result<Option<Place>>;

    /// The place of the surface's point nearest to `point`, which must lie close to the surface.
    fn locate(&self, point: &Vec3) -> Result<Place>;

    /// Triangles of parameters that cover the surface, each within its chart, without gaps; overlaps do no harm. Those
    /// of an infinite surface are none.
    fn cells(&self) -> Vec<Cell>;

    /// What is proved of the surface over a cell; none where no proof is at hand, or no bound exists.
    ///
    /// Of small cells it is known for all charts here, but beside poles of patches, in faces at vertices of valences
    /// above thirty or so, and of potentials with a support function of unknown kind.
    fn enclosure(&self, _cell: &Cell) -> Option<Enclosure> {
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
