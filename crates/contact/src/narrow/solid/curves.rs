//! A guess of the common normal of two tubes (`tube`), from their curves: of a few places of A's the one that is
//! nearest to B's, and from there the nearest place of either curve in turns, which comes closer with each. Of a ball
//! the nearest place of the other curve is the answer.
//!
//! What Newton's method finds from there is a pair of points, no proof: that is for `walk`, or for the search, which
//! begins with them.

use super::descent::Descent;
use super::outcome::SolidOutcome;
use super::polish::{Common, polish};
use super::tube::Tube;

/// Places of A's curve.
const PLACES: usize = 16;

/// Turns from curve to curve.
const TURNS: usize = 3;

/// Constraints with no more than this to spare at the guess count as active, in sizes.
const ROOM: f64 = 1e-6;

impl Descent<'_, '_> {
    /// Begins with the common normal next to where the curves of two tubes come nearest; the end where it is proved.
    pub fn along_curves(&mut self) -> Option<SolidOutcome> {
        let [a, b] = self.bodies;
        let (first, second) = (Tube::of(a)?, Tube::of(b)?);
        let mut s = if second.length().0 == 0.0 {
            first.nearest(&second.at(0.0).c).0
        } else {
            let step = first.length().0 / PLACES as f64;
            let places = (0..PLACES).map(|k| (k as f64 + 0.5) * step);
            let far = |s: f64| second.nearest(&first.at(s).c).1;
            places.map(|s| (far(s), s)).min_by(|x, y| x.0.total_cmp(&y.0))?.1
        };
        let mut t = second.nearest(&first.at(s).c).0;
        for _ in 0..TURNS {
            s = first.nearest(&second.at(t).c).0;
            t = second.nearest(&first.at(s).c).0;
        }
        let (c, d) = (first.at(s).c, second.at(t).c);
        let n = (d - c).try_normalize(0.0)?;
        let (p, q) = (c + n * first.radius, d - n * second.radius);
        let gap = n.dot(&(q - p));
        if !(gap > 0.0) {
            return None;
        }
        let found =
            polish(self.bodies, &Common { p, q, n, gap, iterations: 0 }, self.size, ROOM * self.size)?;
        if found.gap > 0.0 { self.take(found) } else { None }
    }
}
