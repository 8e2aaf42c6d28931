//! The least distance of two solids by branch and bound over the slices of both.
//!
//! A cell is a part of A and a part of B. The hulls of both are convex and hold the parts, so that the bound f(n) of
//! `gjk` holds for all their points; the cell with the least bound is split where its hulls come nearest, until that
//! bound, a bound for all, reaches the distance of two points that the solids have. Those come from the hulls' nearest
//! points, drawn back into the solids, and from Newton's method where a cell is small enough (`polish`). How cells are
//! split is in `split`.

use super::ROUNDINGS;
use super::body::Body;
use super::cell::{Cell, Cut, holds};
use super::gjk::{Enough, Gap, gjk};
use super::outcome::{Nearest, SolidOutcome};
use super::polish::{Common, Limits, polish, polish_within};
use super::split::Beside;
use super::walk::prove;
use crate::narrow::touch::TOLERANCE;
use rattleback_geom::Vec3;
use rattleback_geom::surface::Part;
use std::collections::BinaryHeap;

/// Splits after which bounds that must close are taken as they are.
const MAX_SPLITS: usize = 600;

/// How close the bounds come, as a share of what a certificate allows: roundings have the rest.
const SHARE: f64 = 0.8;

/// Newton's method is tried where the sags of a cell are below this share of the distance of its points.
const READY: f64 = 0.5;

/// Or, this often, where both points were drawn back by less than this share of their distance.
const EARLY: f64 = 0.1;
const MAX_EARLIES: usize = 2;

/// And again in a smaller cell, where it did not lead to a common normal in the cell, below this share of the sag
/// before.
const AGAIN: f64 = 0.1;

/// Before a common normal is known the bound of a cell may be off by this share of the distance; that of a cell which
/// is nearer than the points that are known by the second share of what it falls short of them.
const ROUGHLY: f64 = 0.02;
const SHORT: f64 = 0.25;

/// What the bound of a cell along the normal of its nearest points leaves open, in sags: an arc of the width w stands
/// out by w²/8R, and along the normal at its end by w²/2R; twice that, for what sags tell only about.
const EXPLAINED: f64 = 8.0;

/// Points count as near as those of a common normal that are farther by no more than this share of what the bound of
/// their cell leaves open.
const AS_NEAR: f64 = 0.02;

/// How often Newton's method is tried.
const MAX_POLISHES: usize = 16;

/// How often a common normal is tried to be proved at once.
const MAX_PROOFS: usize = 3;

/// Points that end Newton's method lie within this share of the size of their solids: a tenth of what a certificate
/// allows.
const ON: f64 = 1e-13;

/// Points of closed bounds are so near to those of a common normal, in sizes: the root of what a certificate allows.
const SHARP: f64 = 1e-6;

/// A search under way.
pub(super) struct Descent<'a, 'b> {
    pub bodies: &'a [Body<'b>; 2],
    pub size: f64,
    /// How close the bounds must come, in m.
    pub closed: f64,
    heap: BinaryHeap<Cell>,
    pub best: Common,
    /// The slices of the best points, where they are those of a common normal.
    pub best_slices: [f64; 2],
    /// A common normal of a slight overlap next to the known one, whose points do not show the overlap: of acute edges.
    pub unproved: Option<Common>,
    pub polished: bool,
    /// What cuts beside the best points have taught, for either body, below and above the points.
    pub beside: [[Beside; 2]; 2],
    polishes: usize,
    earlies: usize,
    /// The sag of the cell in which Newton's method, a body's own queries with it, did not lead to a common normal.
    asked: f64,
    proofs: usize,
    pub splits: usize,
    /// Splits after which the bounds are taken as they are.
    pub most: usize,
    iterations: u32,
    number: u32,
}

/// The sag of the narrower part: beside a common normal the other one may stand out far where no bound is met.
fn least_sag(sags: &[f64; 2]) -> f64 {
    if sags[0] > 0.0 && sags[1] > 0.0 { sags[0].min(sags[1]) } else { sags[0] + sags[1] }
}

impl<'a, 'b> Descent<'a, 'b> {
    pub fn new(bodies: &'a [Body<'b>; 2], size: f64) -> Self {
        Self::within(bodies, size, SHARE * TOLERANCE * size)
    }

    /// A search whose bounds need come no closer than `closed`, in m.
    pub fn within(bodies: &'a [Body<'b>; 2], size: f64, closed: f64) -> Self {
        let best =
            Common { p: Vec3::zeros(), q: Vec3::zeros(), n: Vec3::x(), gap: f64::INFINITY, iterations: 0 };
        Self {
            bodies,
            size,
            closed,
            heap: BinaryHeap::new(),
            best,
            best_slices: [0.0; 2],
            unproved: None,
            polished: false,
            beside: [[Beside::default(); 2]; 2],
            polishes: 0,
            earlies: 0,
            asked: f64::INFINITY,
            proofs: 0,
            splits: 0,
            most: MAX_SPLITS,
            iterations: 0,
            number: 0,
        }
    }

    /// The nearest points, or a common one, of two parts; `first` is a guess of the direction from A to B.
    pub fn run(&mut self, parts: [Part; 2], first: &Vec3) -> SolidOutcome {
        let [a, b] = self.bodies;
        let sags = [a.sag(&parts[0]), b.sag(&parts[1])];
        self.push(Cut { parts, sags }, first, f64::INFINITY);
        // Where no cell is left, none had a bound below the distance of the points.
        let mut lower = f64::INFINITY;
        while let Some(mut cell) = self.heap.pop() {
            let closed = cell.gap.lower >= self.best.gap - self.closed;
            if !closed && let Some(outcome) = self.look(&mut cell) {
                return outcome;
            }
            if closed || self.splits >= self.most {
                lower = cell.gap.lower;
                break;
            }
            self.splits += 1;
            let again = cell.rough && self.polished;
            if !again && self.split(&cell) {
                continue;
            }
            if cell.rough {
                self.push(cell.cut(), &cell.gap.n, cell.tried);
                continue;
            }
            // The other cells have greater bounds, but not than the one along the normal that is known by now.
            let next = self.heap.peek().map_or(f64::INFINITY, |cell| cell.gap.lower);
            lower = cell.gap.lower.max(self.along_best(&cell.parts)).min(next);
            break;
        }
        // Points that are as close as the bounds may stay to each other, and of no common normal, are those of an
        // overlap as likely.
        if !self.polished && self.best.gap <= self.closed {
            let Common { p, n, .. } = self.best;
            return SolidOutcome::Overlap { x: p, n, common: None, iterations: self.iterations };
        }
        self.sharpen();
        let nearest =
            Nearest { common: self.best, lower: lower.min(self.best.gap), iterations: self.iterations };
        SolidOutcome::Apart(nearest)
    }

    /// Bounds that close on points which are none of a common normal leave them open by the root of what is left
    /// between them: the common normal beside them is as near.
    fn sharpen(&mut self) {
        // Of a search that is cut short only a guess is wanted.
        if self.polished || self.most < MAX_SPLITS {
            return;
        }
        let ([a, b], size) = (self.bodies, self.size);
        let same = |found: &Common| {
            let close = (found.gap - self.best.gap).abs() <= self.closed;
            close && a.near(&found.p, ON * size) && b.near(&found.q, ON * size)
        };
        if let Some(found) = polish(self.bodies, &self.best, size, SHARP * size).filter(same) {
            self.iterations += found.iterations;
            self.best = found;
        }
    }

    /// How far a part of one body reaches beyond the best points along their normal: by what both do the bound of both
    /// parts falls short of their distance.
    pub fn reach(&self, parts: &[Part; 2], side: usize) -> f64 {
        let ([a, b], Common { p, q, n, .. }) = (self.bodies, self.best);
        if side == 0 {
            n.dot(&(a.farthest(&parts[0], &n) - p))
        } else {
            n.dot(&(q - b.farthest(&parts[1], &-n)))
        }
    }

    /// The bound of two parts along the normal of the best points.
    fn along_best(&self, parts: &[Part; 2]) -> f64 {
        self.best.n.dot(&(self.best.q - self.best.p)) - self.reach(parts, 0) - self.reach(parts, 1)
    }

    /// The bound of two parts along n.
    pub fn along(&self, parts: &[Part; 2], n: &Vec3) -> f64 {
        let [a, b] = self.bodies;
        n.dot(&(b.farthest(&parts[1], &-n) - a.farthest(&parts[0], n)))
    }

    /// Keeps two parts for later, unless they are no closer than what is known; their bound, and its normal.
    pub fn push(&mut self, Cut { parts, sags }: Cut, first: &Vec3, tried: f64) -> (f64, Vec3) {
        let [a, b] = self.bodies;
        // Faces that are parallel are as near all over: one normal has the bound of every cell, which no iteration
        // meets exactly. A cell with the best points is split beside them, unless more than its sag is left between.
        let sag = sags[0] + sags[1];
        if self.polished {
            let reach = [0, 1].map(|side| self.reach(&parts, side));
            let left = reach[0] + reach[1];
            if left <= self.closed
                || (left <= EXPLAINED * sag && holds(self.bodies, &parts, &self.best_slices))
            {
                let Common { p, q, n, .. } = self.best;
                let lower = n.dot(&(q - p)) - left;
                let gap = Gap { lower, n, p, q, crossing: false, iterations: 1 };
                self.number += 1;
                self.heap.push(Cell {
                    parts,
                    gap,
                    tried,
                    sags,
                    rough: false,
                    open: reach,
                    number: self.number,
                });
                return (lower, n);
            }
        }
        // Where Newton's method is not tried any more, bounds are all there is.
        let rough = tried.is_infinite() && !self.polished && self.polishes < MAX_POLISHES;
        let enough = Enough {
            lower: self.best.gap,
            slack: (0.1 * if self.polished { least_sag(&sags) } else { sag }).max(0.25 * self.closed),
            share: if rough { ROUGHLY } else { 0.0 },
            // The bound of a cell that is not split any more is that of the answer.
            short: if sag > 0.0 { SHORT } else { 0.0 },
            zero: 4.0 * f64::EPSILON * self.size,
        };
        let gap = gjk(|n| [a.farthest(&parts[0], n), b.farthest(&parts[1], &-n)], first, &enough);
        self.iterations += gap.iterations;
        if gap.lower < self.best.gap {
            self.number += 1;
            self.heap.push(Cell { parts, gap, tried, sags, rough, open: sags, number: self.number });
        }
        (gap.lower, gap.n)
    }

    /// Two points of the solids near those of the hulls, and Newton's method from there.
    fn look(&mut self, cell: &mut Cell) -> Option<SolidOutcome> {
        let [a, b] = self.bodies;
        let mut p = a.retract(&cell.gap.p);
        let mut q = b.retract(&cell.gap.q);
        let drawn = [(p - cell.gap.p).norm(), (q - cell.gap.q).norm()];
        if drawn[0].max(drawn[1]) > self.closed {
            cell.open = drawn;
        }
        // Hulls that cross about a hollow of one solid: the point drawn back into that one is in the other as likely.
        if cell.gap.crossing {
            if b.holds(&p) {
                q = p;
            } else if a.holds(&q) {
                p = q;
            }
        }
        let way = q - p;
        let apart = way.norm();
        if apart <= 4.0 * f64::EPSILON * self.size {
            let (n, iterations) = (cell.gap.n, self.iterations);
            return Some(SolidOutcome::Overlap { x: p, n, common: None, iterations });
        }
        let n = if cell.gap.crossing { way / apart } else { cell.gap.n };
        // What rounding gains is no reason to give up a common normal.
        let rounding = if self.polished { ROUNDINGS * f64::EPSILON * self.size } else { 0.0 };
        if apart < self.best.gap - rounding {
            self.best = Common { p, q, n: way / apart, gap: apart, iterations: 0 };
            self.polished = false;
        }
        let sag = cell.sags[0] + cell.sags[1];
        let ready = sag <= READY * apart.max(1e-3 * self.size) && sag <= AGAIN * cell.tried;
        // A part may stand out far where no bound is met: then the points tell more than its sag.
        let off = drawn[0] + drawn[1];
        let early = !ready && self.earlies < MAX_EARLIES && off <= EARLY * apart && self.best.gap == apart;
        // Beside a common normal that is nearer than the points of the cell Newton's method leads back to it, unless
        // they are about as near.
        let beaten = self.polished
            && (holds(self.bodies, &cell.parts, &self.best_slices)
                || apart - self.best.gap > AS_NEAR * (self.best.gap - cell.gap.lower));
        if !(ready || early) || self.polishes == MAX_POLISHES || beaten {
            return None;
        }
        if early {
            self.earlies += 1;
        } else {
            cell.tried = sag;
        }
        self.polishes += 1;
        let guess = Common { p, q, n, gap: apart, iterations: 0 };
        let room = (4.0 * if early { off } else { sag }).max(1e-6 * self.size);
        let ask = sag <= AGAIN * self.asked;
        let mut limits = Limits { ask, ..Limits::default() };
        let found = polish_within(self.bodies, &guess, self.size, room, &mut limits);
        if ask && found.is_none() {
            self.asked = sag;
        }
        self.take(found?)
    }

    /// Whether the points of a common normal lie in both solids: those of an overlap do but for acute edges, those of
    /// another common normal need not.
    pub fn shows_overlap(&self, found: &Common) -> bool {
        let ([a, b], room) = (self.bodies, 1e-11 * self.size);
        found.gap <= 0.0 && a.near(&found.q, room) && b.near(&found.p, room)
    }

    /// Keeps a common normal where it is nearer than what is known; the end where it shows an overlap or is proved.
    pub fn take(&mut self, found: Common) -> Option<SolidOutcome> {
        let [a, b] = self.bodies;
        self.iterations += found.iterations;
        if found.gap <= 0.0 {
            if self.shows_overlap(&found) {
                let (x, n, iterations) = ((found.p + found.q) * 0.5, found.n, self.iterations);
                return Some(SolidOutcome::Overlap { x, n, common: Some(found), iterations });
            }
        } else if found.gap < self.best.gap + 1e-13 * self.size
            && a.near(&found.p, ON * self.size)
            && b.near(&found.q, ON * self.size)
        {
            self.best = found;
            self.best_slices = [a.slice_at(&found.p), b.slice_at(&found.q)];
            self.polished = true;
            // Of tubes the whole distance may be known at once.
            self.proofs += 1;
            let lower = if self.proofs > MAX_PROOFS { None } else { prove(self.bodies, &found, self.size) }?;
            let nearest = Nearest { common: found, lower, iterations: self.iterations };
            return Some(SolidOutcome::Apart(nearest));
        }
        None
    }
}
