//! Straight on over a point about which the charts have no derivatives: an extraordinary vertex, the pole of a patch.
//!
//! Every chart about the point ends at a cut, a line of its parameters; together they are a closed curve about the
//! point. Where a motion meets it, it goes on along the straight line in the tangent plane of the point to where that
//! line meets the curve again.

use super::Place;
use crate::curvature::tangents;
use crate::error::Result;
use crate::{Vec2, Vec3};

/// The cut of one chart, from a parameter to another, counter-clockwise about the point.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Arc {
    pub(crate) chart: usize,
    pub(crate) from: Vec2,
    pub(crate) to: Vec2,
    /// The gradient of the distance from the point, in parameters.
    pub(crate) away: Vec2,
}

impl Arc {
    fn at(&self, share: f64) -> Vec2 {
        self.from + (self.to - self.from) * share
    }

    fn share(&self, at: &Vec2) -> f64 {
        let along = self.to - self.from;
        ((at - self.from).dot(&along) / along.norm_squared()).clamp(0.0, 1.0)
    }
}

/// The line along which a motion goes on, seen against the normal of the point.
struct Line<F> {
    tangent: Vec3,
    binormal: Vec3,
    start: Vec2,
    way: Vec2,
    near: F,
}

impl<F: Fn(usize, &Vec2) -> Result<[Vec3; 3]>> Line<F> {
    fn flat(&self, x: &Vec3) -> Vec2 {
        Vec2::new(self.tangent.dot(x), self.binormal.dot(x))
    }

    /// How far to the left of the line a point of an arc lies, and whether the motion leaves the cut-off point there.
    fn look(&self, arc: &Arc, share: f64) -> Result<(f64, bool)> {
        let [x, du, dv] = (self.near)(arc.chart, &arc.at(share))?;
        let (a, b) = (self.flat(&du), self.flat(&dv));
        let rates = Vec2::new(self.way.perp(&b), a.perp(&self.way)) / a.perp(&b);
        Ok((self.way.perp(&(self.flat(&x) - self.start)), arc.away.dot(&rates) > 0.0))
    }

    /// The share of an arc at which the line meets it, between one to the right of the line and one to its left.
    fn meet(&self, arc: &Arc, [mut low, mut high]: [f64; 2]) -> Result<f64> {
        for _ in 0..50 {
            let middle = 0.5 * (low + high);
            if self.look(arc, middle)?.0 > 0.0 { high = middle } else { low = middle }
        }
        Ok(0.5 * (low + high))
    }
}

/// The place at which a motion that meets the first of the arcs at `place` leaves the curve of arcs again.
///
/// `near` gives the point at parameters of a chart, relative to the point that is passed over, and its derivatives.
pub(crate) fn straight<F: Fn(usize, &Vec2) -> Result<[Vec3; 3]>>(
    arcs: &[Arc],
    normal: &Vec3,
    place: &Place,
    rates: &Vec2,
    near: F,
) -> Result<Place> {
    let (tangent, binormal) = tangents(normal);
    let at = Vec2::new(place.u, place.v);
    let [x, du, dv] = near(place.chart, &at)?;
    let mut line = Line { tangent, binormal, start: Vec2::zeros(), way: Vec2::zeros(), near };
    (line.start, line.way) = (line.flat(&x), line.flat(&(du * rates.x + dv * rates.y)));
    let own = arcs[0].share(&at);
    // Counter-clockwise from here the curve lies to the right of the line until the line meets it again.
    let mut piece = (&arcs[0], [0.0, own]);
    for (i, arc) in arcs.iter().enumerate() {
        if line.look(arc, 1.0)?.0 > 0.0 {
            piece = (arc, [if i == 0 { own } else { 0.0 }, 1.0]);
            break;
        }
    }
    let mut found = (piece.0, line.meet(piece.0, piece.1)?);
    if !line.look(found.0, found.1)?.1 {
        // The line grazes the curve: of the places where the motion leaves it the one nearest to the line.
        let mut least = f64::INFINITY;
        for arc in arcs {
            for k in 0..=8 {
                let share = f64::from(k) / 8.0;
                let (left, leaves) = line.look(arc, share)?;
                if leaves && left.abs() < least {
                    (least, found) = (left.abs(), (arc, share));
                }
            }
        }
    }
    let p = found.0.at(found.1);
    Ok(Place { chart: found.0.chart, u: p.x, v: p.y })
}
