//! A pair that was asked about a moment ago, whose normal n is known: the common normal next to it.
//!
//! A body has few points with the outer normal n. Of a stack they are where the height max n·x of a slice is stationary
//! along the stack: greatest on the outside, least in hollows, and at both ends, where rims are. Of a convex body it is
//! the farthest one along n. On a flat or along a straight edge n leaves the point open; then it is the one opposite
//! the other body's. Of both bodies' points those are taken that lie most nearly on one line along n, and Newton's
//! method goes on from there. What it finds is a pair of points, no proof: separate solids are proved as ever,
//! overlapping ones keep their branch.

use super::body::{Body, Kind};
use super::descent::Descent;
use super::exit::Inside;
use super::outcome::SolidOutcome;
use super::overlap::{common_point, is_same};
use super::polish::{Common, Limits, polish_within};
use rattleback_geom::Vec3;
use rattleback_geom::surface::Sliced;

/// Constraints with no more than this to spare at a guess count as active, in sizes: beside the first guess, and beside
/// those whose points are known to the width of a sample.
const ROOM: f64 = 1e-6;
const WIDE_ROOM: f64 = 1e-3;

/// Slices at which the height along n is looked at: bends, waists and hollows have a few extremes around.
const SAMPLES: usize = 25;

/// Guesses from which Newton's method is tried, and how far off they may be, in sizes: those farther off are not next
/// to the known normal, as where there was no common normal a moment ago.
const GUESSES: usize = 3;
const NEARBY: f64 = 0.1;

/// How closely the ends of lines through the bodies are found, and their first step, in sizes.
const CLOSE: f64 = 1e-6;
const FIRST: f64 = 1e-3;

/// Up to so many points of a body are kept.
const MAX_POINTS: usize = 8;

/// Steps of Newton's method, from all guesses together, and how far the normal may lean from the known one meanwhile,
/// by its cosine: from the first guess, and from others.
const STEPS: usize = 25;
const LEANING: [f64; 2] = [0.95, 0.8];

/// Normals with this cosine between them are on one branch; those with the second one are next to each other whatever
/// else there is.
const SAME_BRANCH: f64 = 0.9;
const NEXT: f64 = 0.99;

/// Overlaps up to this depth are slight, in sizes.
const SLIGHT: f64 = 0.02;

/// Points of a body with the outer normal n.
#[derive(Default)]
struct Points {
    list: [Vec3; MAX_POINTS],
    count: usize,
}

impl Points {
    fn push(&mut self, x: Vec3) {
        if self.count < MAX_POINTS {
            self.list[self.count] = x;
            self.count += 1;
        }
    }

    fn iter(&self) -> impl Iterator<Item = &Vec3> {
        self.list[..self.count].iter()
    }
}

/// The points that are known without a search: the farthest one, and of a ring that of the opposite slice.
fn outermost(body: &Body<'_>, n: &Vec3) -> Points {
    let mut out = Points::default();
    out.push(body.farthest(&body.whole(), n));
    if let Kind::Stack(slices) = body.kind
        && slices.is_ring()
    {
        let local = body.point_in_body(&out.list[0]);
        let opposite = slices.slice_at(&Vec3::new(-local.x, -local.y, local.z));
        out.push(body.farthest(&slices.part([opposite; 2]), n));
    }
    out
}

/// All points where the height of the slices is stationary, and those of both ends.
fn stationary(body: &Body<'_>, slices: &dyn Sliced, n: &Vec3) -> Points {
    let [low, high] = slices.range();
    let step = (high - low) / (SAMPLES - 1) as f64;
    let at = |s: f64| body.farthest(&slices.part([s; 2]), n);
    let heights: [f64; SAMPLES] = std::array::from_fn(|i| n.dot(&at((low + step * i as f64).min(high))));
    let mut out = Points::default();
    out.push(at(low));
    out.push(at(high));
    for i in 1..SAMPLES - 1 {
        let [before, here, after] = [heights[i - 1], heights[i], heights[i + 1]];
        if (here - before) * (after - here) <= 0.0 {
            // The top of the parabola through three heights.
            let bend = before - 2.0 * here + after;
            let off = if bend == 0.0 { 0.0 } else { (0.5 * (before - after) / bend).clamp(-0.5, 0.5) };
            out.push(at(low + step * (i as f64 + off)));
        }
    }
    out
}

/// The points of a body that may have the outer normal n.
fn candidates(body: &Body<'_>, n: &Vec3) -> Points {
    match body.kind {
        Kind::Stack(slices) if !slices.is_convex() => stationary(body, slices, n),
        _ => outermost(body, n),
    }
}

/// The point of a body opposite x: where a line along n leaves it, if x is inside, otherwise one near x.
fn opposite(body: &Body<'_>, x: &Vec3, n: &Vec3) -> Vec3 {
    match body.kind {
        _ if body.holds(x) => x + n * Inside::new(body, x).exit(n, CLOSE, FIRST),
        Kind::Convex(support) => {
            let (m, near) = (body.rotation.tr_mul(n), body.point_in_body(x));
            body.point_in_pair(&support.face_point(&m, &near))
        }
        Kind::Stack(_) => body.retract(x),
    }
}

/// A guess and how far its points are beside one line along n, in m.
type Guess = (f64, Common);

fn guess(p: Vec3, q: Vec3, n: &Vec3) -> Guess {
    let way = q - p;
    let gap = n.dot(&way);
    ((way - n * gap).norm(), Common { p, q, n: *n, gap, iterations: 0 })
}

/// The guesses that are nearest to a common normal, the likeliest first: how far their points are beside one line, and
/// how far the normals there are turned, in sizes.
fn likeliest(bodies: &[Body<'_>; 2], guesses: &mut [Guess], n: &Vec3, size: f64) -> [Option<Guess>; GUESSES] {
    let turn = |k: usize, x: &Vec3, m: &Vec3| (bodies[k].normal_near(x, m, WIDE_ROOM) - m).norm();
    let mut out = [None; GUESSES];
    guesses.sort_by(|x, y| x.0.total_cmp(&y.0));
    for &(beside, common) in guesses.iter() {
        let worst = out[GUESSES - 1].map_or(NEARBY * size, |(off, _): Guess| off);
        // What follows is farther off by its points alone.
        if beside >= worst {
            break;
        }
        let off = beside + size * (turn(0, &common.p, n) + turn(1, &common.q, &-n));
        if off < worst
            && let Some(place) = (0..GUESSES).find(|&k| out[k].is_none_or(|(other, _)| off < other))
        {
            out[place..].rotate_right(1);
            out[place] = Some((off, common));
        }
    }
    out
}

/// The common normal next to a known one at which the points that are known without a search lie, if there is any.
fn follow(bodies: &[Body<'_>; 2], n: &Vec3, size: f64, limits: &mut Limits) -> Option<Common> {
    let [a, b] = bodies;
    let (ps, qs) = (outermost(a, n), outermost(b, &-n));
    let pairs = ps.iter().flat_map(|p| qs.iter().map(move |q| (*p, *q)));
    let across = |(p, q): &(Vec3, Vec3)| (q - p - n * n.dot(&(q - p))).norm();
    let (p, q) = pairs.min_by(|x, y| across(x).total_cmp(&across(y)))?;
    let guess = Common { p, q, n: *n, gap: n.dot(&(q - p)), iterations: 0 };
    let mut first = Limits { cosine: LEANING[0], ..*limits };
    let found = polish_within(bodies, &guess, size, ROOM * size, &mut first);
    limits.steps = first.steps;
    found
}

/// Common normals next to a known one, from all points that may have it, the likeliest first, until one is `wanted`.
fn follow_anywhere(
    bodies: &[Body<'_>; 2],
    n: &Vec3,
    size: f64,
    limits: &mut Limits,
    wanted: impl Fn(&Common) -> bool,
) -> Option<Common> {
    let [a, b] = bodies;
    let (ps, qs) = (candidates(a, n), candidates(b, &-n));
    let mut guesses = Vec::with_capacity(MAX_POINTS * (MAX_POINTS + 2));
    guesses.extend(ps.iter().map(|p| guess(*p, opposite(b, p, &-n), n)));
    guesses.extend(qs.iter().map(|q| guess(opposite(a, q, n), *q, n)));
    for p in ps.iter() {
        guesses.extend(qs.iter().map(|q| guess(*p, *q, n)));
    }
    let best = likeliest(bodies, &mut guesses, n, size);
    let mut tried: [Option<Common>; GUESSES] = [None; GUESSES];
    for (k, (_, guess)) in best.into_iter().flatten().enumerate() {
        // A guess as good as one before leads where that one led.
        if tried.iter().flatten().any(|other| is_same(other, &guess, size)) {
            continue;
        }
        tried[k] = Some(guess);
        let found = polish_within(bodies, &guess, size, WIDE_ROOM * size, limits);
        if let Some(found) = found.filter(&wanted) {
            return Some(found);
        }
    }
    None
}

impl Descent<'_, '_> {
    /// Begins with the common normal next to the normal n of a moment ago; the end where the solids overlap there.
    pub fn follow(&mut self, n: &Vec3) -> Option<SolidOutcome> {
        let (bodies, size) = (self.bodies, self.size);
        let overlaps = |found: &Common| self.shows_overlap(found) || common_point(bodies, found).is_some();
        // An overlap on another branch is for the search to find.
        let near =
            |found: &Common, cosine: f64| found.n.dot(n) >= cosine && (found.gap > 0.0 || overlaps(found));
        let slight =
            |found: &Common| found.n.dot(n) >= NEXT && found.gap <= 0.0 && found.gap > -SLIGHT * size;
        let mut limits = Limits { cosine: LEANING[1], near: true, steps: STEPS, ..Limits::default() };
        let first = follow(bodies, n, size, &mut limits);
        let found = first
            .filter(|found| near(found, NEXT))
            .or_else(|| {
                follow_anywhere(bodies, n, size, &mut limits, |found| {
                    near(found, SAME_BRANCH) || slight(found)
                })
            })
            .or(first.filter(slight))?;
        if found.gap > 0.0 {
            return self.take(found);
        }
        if overlaps(&found) {
            let (x, n, iterations) = ((found.p + found.q) * 0.5, found.n, found.iterations);
            return Some(SolidOutcome::Overlap { x, n, common: Some(found), iterations });
        }
        self.unproved = Some(found);
        None
    }
}
