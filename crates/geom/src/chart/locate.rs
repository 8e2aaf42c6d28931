//! The place of an atlas nearest to a point: samples of the cells, then Newton's method over the charts.
//!
//! f(u, v) = ½∣x − p∣² has the gradient (x_u·r, x_v·r) with r = x − p and the Hessian G + (r·x_uu, r·x_uv, r·x_vv), G
//! the metric. Where the Hessian is not positive definite the metric takes its place. A step that leaves the chart ends
//! at the border, and the search goes on in the chart that takes over; where the surface ends, along the border.

use super::{Atlas, MARGIN, Place};
use crate::error::{GeomError, Result, finite3};
use crate::surface::ParametricJet;
use crate::{Vec2, Vec3};

/// The most steps of a search. Newton's method takes five or six; the others are for borders on the way.
const STEPS: usize = 100;

/// The longest step in parameters: within the margin beyond any border.
const LONGEST: f64 = 0.8 * MARGIN;

/// Predicted moves below this share of the size of the numbers are rounding.
const SETTLED: f64 = 4.0 * f64::EPSILON;

/// The predicted move, in the same measure, at which a search that can get no closer still counts as having arrived:
/// the square root of the rounding of f.
const ARRIVED: f64 = 1e-9;

/// How many samples a search starts from, the nearest ones first.
const STARTS: usize = 6;

/// A border closer than this, as `inside` measures it, is where the place is.
const BORDER: f64 = 1e-12;

/// Where a search is.
struct Here {
    place: Place,
    jet: ParametricJet,
    /// Twice f.
    square: f64,
    gradient: Vec2,
    /// The step that Newton's method proposes.
    step: Vec2,
    hessian: [f64; 3],
}

impl Here {
    fn new<A: Atlas + ?Sized>(atlas: &A, place: Place, point: &Vec3) -> Result<Self> {
        let jet = atlas.jet(&place)?;
        let r = jet.p - point;
        let gradient = Vec2::new(jet.du.dot(&r), jet.dv.dot(&r));
        let metric = [jet.du.norm_squared(), jet.du.dot(&jet.dv), jet.dv.norm_squared()];
        let full = [metric[0] + r.dot(&jet.duu), metric[1] + r.dot(&jet.duv), metric[2] + r.dot(&jet.dvv)];
        // Half the metric's determinant: far from a centre of curvature, where Newton's step would be too long.
        let hessian =
            if full[0] > 0.0 && determinant(&full) > 0.5 * determinant(&metric) { full } else { metric };
        let step = -solve(&hessian, &gradient);
        Ok(Self { place, jet, square: r.norm_squared(), gradient, step, hessian })
    }

    /// How far a step moves the point.
    fn moved(&self, step: &Vec2) -> f64 {
        (self.jet.du * step.x + self.jet.dv * step.y).norm()
    }
}

fn determinant([a, b, c]: &[f64; 3]) -> f64 {
    a * c - b * b
}

fn solve(m: &[f64; 3], x: &Vec2) -> Vec2 {
    Vec2::new(m[2] * x.x - m[1] * x.y, m[0] * x.y - m[1] * x.x) / determinant(m)
}

/// The nearest place that a search from `start` leads to.
pub(crate) fn descend<A: Atlas + ?Sized>(atlas: &A, start: Place, point: &Vec3) -> Result<Place> {
    let mut here = Here::new(atlas, start, point)?;
    let size = |here: &Here| here.jet.p.norm().max(point.norm()).max(f64::MIN_POSITIVE);
    let mut step = here.step;
    for _ in 0..STEPS {
        if let Some(along) = slide(atlas, &here)? {
            step = along;
        }
        if here.moved(&step) <= SETTLED * size(&here) {
            return Ok(here.place);
        }
        step *= (LONGEST / step.norm()).min(1.0);
        let Some(next) = closer(atlas, &here, &step, point)? else { break };
        (here, step) = (next.0, next.1);
    }
    // On a border, or on the cut about a vertex without derivatives, f need not be stationary.
    if here.moved(&step) <= ARRIVED * size(&here) || atlas.inside(&here.place) <= BORDER {
        return Ok(here.place);
    }
    Err(GeomError::NotConverged {
        procedure: "search for the place nearest to a point",
        reached: here.moved(&step) / size(&here),
        wanted: ARRIVED,
        iterations: STEPS,
    })
}

/// The first of ever shorter steps that brings the place closer, or its gradient down where f is flat to rounding.
fn closer<A: Atlas + ?Sized>(
    atlas: &A,
    here: &Here,
    step: &Vec2,
    point: &Vec3,
) -> Result<Option<(Here, Vec2)>> {
    let mut share = 1.0;
    for _ in 0..30 {
        let place = advance(atlas, &here.place, &(step * share))?;
        let next = Here::new(atlas, place, point)?;
        let steeper = next.moved(&next.step) >= 0.5 * here.moved(step);
        let rounding = 1e-12 * (here.square + here.square.sqrt() * here.jet.p.norm() * f64::EPSILON);
        if next.square < here.square || (!steeper && next.square <= here.square + rounding) {
            let step = next.step;
            return Ok(Some((next, step)));
        }
        share *= 0.5;
    }
    Ok(None)
}

/// A place moved by a step, as far as its chart reaches, then put into the chart that takes over.
fn advance<A: Atlas + ?Sized>(atlas: &A, from: &Place, step: &Vec2) -> Result<Place> {
    let at = |share: f64| Place { u: from.u + share * step.x, v: from.v + share * step.y, ..*from };
    if atlas.inside(&at(1.0)) >= 0.0 {
        return Ok(at(1.0));
    }
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if atlas.inside(&at(middle)) >= 0.0 { low = middle } else { high = middle }
    }
    Ok(atlas.onward(&at(low), step)?.unwrap_or_else(|| at(low)))
}

/// The step along the border at which a place lies, where the surface ends there and Newton's step would leave it.
fn slide<A: Atlas + ?Sized>(atlas: &A, here: &Here) -> Result<Option<Vec2>> {
    let place = &here.place;
    if atlas.inside(place) > BORDER || atlas.onward(place, &here.step)?.is_some() {
        return Ok(None);
    }
    // `inside` is linear up to the next corner: its differences are exact.
    let h = 1e-7;
    let inside = |u: f64, v: f64| atlas.inside(&Place { u: place.u + u, v: place.v + v, ..*place });
    let inwards = Vec2::new(inside(h, 0.0) - inside(-h, 0.0), inside(0.0, h) - inside(0.0, -h));
    let along = Vec2::new(-inwards.y, inwards.x);
    let [a, b, c] = here.hessian;
    let bend = a * along.x * along.x + 2.0 * b * along.x * along.y + c * along.y * along.y;
    let step = along * (-here.gradient.dot(&along) / bend);
    // In a corner the way along the border may be closed as well.
    let end = Place { u: place.u + 1e-9 * step.x, v: place.v + 1e-9 * step.y, ..*place };
    let closed = step.norm() == 0.0 || !step.x.is_finite() || atlas.inside(&end) < -BORDER;
    Ok(Some(if closed { Vec2::zeros() } else { step }))
}

/// The place nearest to a point, by searches from the nearest samples of the cells.
pub(crate) fn search<A: Atlas + ?Sized>(atlas: &A, point: &Vec3) -> Result<Place> {
    finite3("point", point)?;
    let mut samples = Vec::new();
    for cell in atlas.cells() {
        let middle = (cell.corners[0] + cell.corners[1] + cell.corners[2]) / 3.0;
        let place = Place { chart: cell.chart, u: middle.x, v: middle.y };
        samples.push(((atlas.jet(&place)?.p - point).norm_squared(), place));
    }
    samples.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut best: Option<(f64, Place)> = None;
    let mut failure = GeomError::NotConverged {
        procedure: "search for the place nearest to a point: no cells",
        reached: f64::NAN,
        wanted: ARRIVED,
        iterations: 0,
    };
    for (_, start) in samples.iter().take(STARTS) {
        let place = match descend(atlas, *start, point) {
            Ok(place) => place,
            Err(error) => {
                failure = error;
                continue;
            }
        };
        let distance = (atlas.jet(&place)?.p - point).norm();
        if best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, place));
        }
        // On the surface to rounding: nothing is nearer.
        if distance <= 16.0 * f64::EPSILON * point.norm() {
            break;
        }
    }
    best.map(|(_, place)| place).ok_or(failure)
}
