//! How a cell of the search is split.
//!
//! Of both parts that one is cut whose hull stands out farther of its solid where the bound is met: the other one has
//! less to gain.
//!
//! Beside the points of a common normal at s = s*, with the distance ½κ(s − s*)² above that of the points, the hull of
//! a part from ε w to w stands out by (x − ε w)(w − x)/2R at x: its bound is above the distance of the points where
//! κ R > (x − ε w)(w − x)/x², for ε = 0.1 from 2.0 on, for ε = 0.3 from 0.4 on, for ε = 0.5 from 0.13 on, for ε = 0.8
//! from 0.013 on. A cut at
//! s* ± ε w leaves such a part, and one with the points inside that is ε times as wide: the widths shrink as a
//! geometric series, down to where the bound along the normal closes. All of it looks the same in every width, hence
//! what the last cut on that side has taught is used again: whether ε may be less, and how far the normal that shows
//! the bound is turned from that of the points, in proportion to w. Whatever it is, its bound f(n) holds. Cuts that
//! leave nothing follow each other, of that body and on that side where the bound of what is left gains most: what lies
//! beyond the normal's bound shrinks from o to ε² o.

use super::cell::{Cell, Cut, holds};
use super::descent::Descent;
use rattleback_geom::Vec3;

/// The share of a cell's width that a cut keeps from its ends, where the nearest points of the hulls, which may lie in
/// a hollow, only guide.
const AMID: f64 = 0.3;

/// ε: the first one, its range, and what it is multiplied by after a cut that leaves nothing beside the points, as long
/// as all did so and from then on, after one of which that was hard to show, because the bound is hardly above the
/// distance of the points, and after one that leaves something; 1 − ε shrinks by no more than the last factor. What is
/// left beside the points costs several times as much as a cut that leaves nothing.
const FIRST: f64 = 0.25;
const SHARES: [f64; 2] = [0.05, 0.9];
const BOLDER: f64 = 0.7;
const BOLDER_AGAIN: f64 = 0.93;
const HARD: f64 = 1.15;
const SHYER: f64 = 1.6;
const NARROWER: f64 = 0.55;

/// What the last cut beside the best points, on one side of one body, has taught.
#[derive(Debug, Clone, Copy)]
pub(super) struct Beside {
    /// ε of the next cut.
    share: f64,
    /// By how much the normal turned per w.
    turn: Option<Vec3>,
    /// Whether a cut has left something.
    left: bool,
}

impl Beside {
    /// ε after a cut that has left nothing beside the points, which was `easy` to show or not, or something.
    fn learn(&mut self, nothing: bool, easy: bool) {
        let next = match (nothing, easy, self.left) {
            (true, true, false) => BOLDER * self.share,
            (true, true, true) => BOLDER_AGAIN * self.share,
            (true, false, _) => (HARD * self.share).min(1.0 - NARROWER * (1.0 - self.share)),
            (false, ..) => (SHYER * self.share).min(1.0 - NARROWER * (1.0 - self.share)),
        };
        self.share = next.clamp(SHARES[0], SHARES[1]);
        self.left |= !(nothing && easy);
    }
}

impl Default for Beside {
    fn default() -> Self {
        Self { share: FIRST, turn: None, left: false }
    }
}

/// A cut beside the best points: of which body, above them or below, how far its part reaches there, and where.
struct Place {
    side: usize,
    up: usize,
    way: f64,
    at: f64,
}

impl Descent<'_, '_> {
    /// Splits a cell; false where neither part can be split any more.
    pub fn split(&mut self, cell: &Cell) -> bool {
        if self.polished && holds(self.bodies, &cell.parts, &self.best_slices) {
            return self.close_in(cell);
        }
        by_openness(&cell.open).into_iter().any(|side| self.cut_amid(cell, side))
    }

    /// Cuts a part where the hulls come nearest.
    fn cut_amid(&mut self, cell: &Cell, side: usize) -> bool {
        let body = &self.bodies[side];
        if body.is_convex() {
            return false;
        }
        let [low, high] = cell.parts[side].range;
        let keep = AMID * (high - low);
        let point = [cell.gap.p, cell.gap.q][side];
        let at = body.slice_at(&point).clamp(low + keep, high - keep);
        if !(low < at && at < high) {
            return false;
        }
        for part in body.cut(&cell.parts[side], at) {
            self.push(cell.cut_with(body, side, part), &cell.gap.n, cell.tried);
        }
        true
    }

    /// Cuts parts beside the best points, on the wider side of them, as long as nothing is left there, until the bound
    /// of what holds the points closes; false where nothing can be cut.
    fn close_in(&mut self, cell: &Cell) -> bool {
        let n = self.best.n;
        let mut rest = cell.cut();
        let mut open = [0, 1].map(|side| self.reach(&rest.parts, side));
        let mut is_cut = false;
        while let Some(place) = self.place_of_gain(&rest, &open) {
            is_cut = true;
            let Place { side, up, .. } = place;
            let body = &self.bodies[side];
            let pieces = body.cut(&rest.parts[side], place.at);
            let mut away = rest;
            (away.parts[side], rest.parts[side]) = (pieces[up], pieces[1 - up]);
            let nothing = self.is_cleared(&away, &place, cell.tried);
            open[side] = self.reach(&rest.parts, side);
            self.splits += 1;
            if !nothing || open[0] + open[1] <= self.closed || self.splits >= self.most {
                break;
            }
        }
        if is_cut {
            rest.sags = std::array::from_fn(|k| self.bodies[k].sag(&rest.parts[k]));
            self.push(rest, &n, cell.tried);
        }
        is_cut
    }

    /// Where the next cut gains most.
    fn place_of_gain(&self, rest: &Cut, open: &[f64; 2]) -> Option<Place> {
        let gain = |place: &Place| {
            let share = self.beside[place.side][place.up].share;
            open[place.side] * (1.0 - share * share)
        };
        let places = [0, 1].map(|side| self.place(rest, side));
        places.into_iter().flatten().max_by(|x, y| gain(x).total_cmp(&gain(y)))
    }

    /// Where a part is cut beside the best points.
    fn place(&self, rest: &Cut, side: usize) -> Option<Place> {
        if self.bodies[side].is_convex() {
            return None;
        }
        let [low, high] = rest.parts[side].range;
        let x = self.best_slices[side].clamp(low, high);
        let (up, way) = if high - x >= x - low { (1, high - x) } else { (0, x - low) };
        let share = self.beside[side][up].share;
        let at = if up == 1 { x + share * way } else { x - share * way };
        (low < at && at < high).then_some(Place { side, up, way, at })
    }

    /// Whether nothing of what a cut has left beside the best points is as near as they are; it is kept otherwise.
    fn is_cleared(&mut self, away: &Cut, &Place { side, up, way, .. }: &Place, tried: f64) -> bool {
        let n = self.best.n;
        let turn = self.beside[side][up].turn;
        let first = turn.map_or(n, |turn| (n + turn * way).normalize());
        let mut bound = if turn.is_some() { self.along(&away.parts, &first) } else { f64::NEG_INFINITY };
        let easy = turn.is_none() || bound >= self.best.gap;
        if bound < self.best.gap {
            let mut away = *away;
            away.sags[side] = self.bodies[side].sag(&away.parts[side]);
            let (lower, normal) = self.push(away, &first, tried);
            bound = lower;
            self.beside[side][up].turn = Some((normal - n) / way);
        }
        let nothing = bound >= self.best.gap;
        self.beside[side][up].learn(nothing, easy);
        nothing
    }
}

/// Both bodies, that one first whose part has more to gain.
fn by_openness(open: &[f64; 2]) -> [usize; 2] {
    if open[1] > open[0] { [1, 0] } else { [0, 1] }
}
