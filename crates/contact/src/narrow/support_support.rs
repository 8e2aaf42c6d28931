//! Two bodies with support functions: start, climb, refine, look around, prove, judge.
//!
//! What an answer claims, and why it is true for every pair that is accepted.
//!
//! | answer | certified says | proof |
//! |---|---|---|
//! | separate | the gap is right to [`super::TOLERANCE`] of the size | f(n) ≤ gap ≤ ∣q − p∣, closed to it ([`super::candidate`]) |
//! | overlap, `Global` | no direction parts the bodies by less, to the same tolerance | balls inside the bodies ([`super::balls`]), every cone of normals ([`super::prove`]), every cell about an axis ([`super::axial`]), or a polytope ([`super::polytope`]) |
//! | overlap, `Followed` | the translation is a least one among its neighbours | the gradient vanishes, the Hessian is definite |
//!
//! f is made of support values, p and q are points of the bodies: of the solver that found them nothing is assumed.
//! Rounding is enclosed by [`super::touch::ROUNDING`] of the size, which is taken from what the bounds may leave open.
//! An answer that is not proved is not certified, and where any direction has f > 0 the bodies are separate, whatever
//! else was found.

use super::balls::{inner_ball, rolling_ball};
use super::bodies::{Any, Bodies, Superellipsoids};
use super::candidate::{Candidate, candidate};
use super::climb::{Climb, heights, read};
use super::faces::{ascend, points};
use super::kinks::Kinks;
use super::least_depth::{MAX_TOPS, Overlap, Rise, Tops};
use super::pair::ellipsoid_ellipsoid::EllipsoidPair;
use super::polytope::Found;
use super::prove::{Claim, NO_CAP};
use super::relative::Relative;
use super::touch::{Branch, ROUNDING, TOLERANCE, Touch};
use super::{Start, around, expand, gjk, polytope};
use rattleback_geom::curvature::eigen2;
use rattleback_geom::surface::{Shape, Superellipsoid, Support};
use rattleback_geom::{Pose, Vec3};

/// Added to the directions that are tried: in the planes of symmetry, where they lie, faces are flat and edges sharp,
/// and a reading there says nothing of the slopes beside it. Not for cylinders and capsules, whose faces are just
/// there.
const ASIDE: Vec3 = Vec3::new(0.0017, -0.0023, 0.0031);

/// Above this exponent a superellipsoid is a cylinder or a box to the starts: the inner half of a face has its normals
/// within [`ASIDE`] (0.55⁹ ≈ 0.0046), and a start aside leaves it. (Exponents from 1.05 to 50, 15 000 overlapping
/// pairs: 18 lesser branches instead of 33, 123 evaluations instead of 166.)
const BOXY: f64 = 10.0;

/// A body with a support function, where it is.
pub(crate) struct Placed<'a, S: Support + ?Sized> {
    pub support: &'a S,
    pub shape: &'a Shape,
    pub pose: &'a Pose,
}

/// The touch of two bodies with support functions.
pub(crate) fn solve<'a>(
    a: &Placed<'a, dyn Support + 'a>,
    b: &Placed<'a, dyn Support + 'a>,
    start: Start,
) -> Touch {
    let shapes = [a.shape, b.shape];
    solve_in_either(&Any::new([a.support, b.support], shapes), shapes, [a.pose, b.pose], start)
}

/// The same for superellipsoids.
pub(crate) fn superellipsoids(
    a: &Placed<'_, Superellipsoid>,
    b: &Placed<'_, Superellipsoid>,
    start: Start,
) -> Touch {
    solve_in_either(&Superellipsoids([a.support, b.support]), [a.shape, b.shape], [a.pose, b.pose], start)
}

/// The frame is A's: there a normal tells the points of a flat face apart. If B is the flatter body its own frame
/// serves better, and is taken where A's left the answer without evidence.
fn solve_in_either<P: Bodies>(bodies: &P, shapes: [&Shape; 2], poses: [&Pose; 2], start: Start) -> Touch {
    let touch = SupportPair::new(bodies, shapes, poses).solve(start);
    if touch.certified || start.is_content(&touch) {
        return touch;
    }
    let ([a, b], swapped) = (shapes, bodies.swapped());
    let other = SupportPair::new(&swapped, [b, a], [poses[1], poses[0]]).solve(start.swapped()).swapped();
    // Without evidence the greater gap is the nearer one to the truth, and of equal ones that with the better points.
    let slack = TOLERANCE * (touch.gap.abs() + other.gap.abs()).max(touch.residual.max(other.residual));
    let higher = other.gap > touch.gap + slack;
    let better =
        other.certified || higher || other.gap >= touch.gap - slack && other.residual < touch.residual;
    Touch { iterations: touch.iterations + other.iterations, ..if better { other } else { touch } }
}

/// Two bodies, seen from the first.
struct SupportPair<'a, P: Bodies> {
    bodies: &'a P,
    shapes: [&'a Shape; 2],
    pose: &'a Pose,
    rel: Relative,
    kinks: Option<Kinks>,
}

/// What is known of a top of f without a look at other directions.
struct Summit {
    /// Whether no direction at all parts the bodies by less.
    is_proved: bool,
    /// Whether none of its neighbours does.
    is_strict: bool,
}

/// The best that is known, and what it took.
struct BestCandidate {
    best: Candidate,
    /// Where the climb that led to it ended.
    top: Climb,
    iterations: u32,
}

impl<'a, P: Bodies> SupportPair<'a, P> {
    fn new(bodies: &'a P, shapes: [&'a Shape; 2], [pose_a, pose_b]: [&'a Pose; 2]) -> Self {
        let rel = Relative::new(pose_a, pose_b);
        Self { bodies, shapes, pose: pose_a, kinks: Kinks::of(bodies, &rel), rel }
    }

    fn solve(&self, start: Start) -> Touch {
        let first = match start {
            Start::Cold | Start::Search => direction(self.proxy().start()),
            Start::Warm(n) => self.pose.vector_to_local(&n),
        };
        let mut found = self.climb_from(&first);
        let measures = found.best.measures();
        let closed = measures.closed;
        if closed && found.best.f > 0.0 {
            return Touch::judged_by(self.pose, &found.best, &measures, found.iterations, Branch::Compared);
        }
        if closed {
            let summit = self.summit(&found.best, &found.top);
            if summit.is_proved {
                return self.judge(&found, Branch::Global);
            }
            if let Start::Warm(_) = start {
                let branch = if summit.is_strict { Branch::Followed } else { Branch::Compared };
                return self.judge(&found, branch);
            }
        }
        // The proof looks everywhere; a search before it is for answers that are none yet.
        if !closed || start == Start::Search {
            self.look_around(&mut found);
        }
        if found.best.f > 0.0 {
            self.close(&mut found);
            return self.judge(&found, Branch::Compared);
        }
        let mut branch = match start {
            Start::Search if self.summit(&found.best, &found.top).is_proved => Branch::Global,
            Start::Search => Branch::Compared,
            _ => self.prove(&mut found),
        };
        if found.best.f <= 0.0 && !found.best.is_closed() {
            let (other, spent) = expand::close(self.bodies, &self.rel, &found.best);
            found.iterations += spent;
            // What was proved is that nothing is less than this depth.
            if other.is_closed() && other.f >= found.best.f - 0.25 * TOLERANCE * other.size {
                found.best = other;
            } else {
                let (other, spent) = gjk::close_overlap(self.bodies, &self.rel, &found.best);
                found.iterations += spent;
                found.best = if other.is_closed() { other } else { found.best };
            }
            if start != Start::Search
                && !found.best.is_closed()
                && let Found::Least(_) = self.expand(&mut found)
            {
                branch = Branch::Global;
            }
        }
        self.judge(&found, branch)
    }

    /// The answer of what was found.
    fn judge(&self, found: &BestCandidate, branch: Branch) -> Touch {
        Touch::judged(self.pose, &found.best, found.iterations, branch)
    }

    /// What the slope at a candidate's normal proves under overlap. The slope e is that of the points of support
    /// themselves: points that were refined or blended say less, because a point may slide by the root of what bounds
    /// leave open.
    ///
    /// A ball of radius t inside D with its centre at c leaves no depth below t − ∣c∣, H(n) ≥ t + n·c. Among neighbours
    /// f can gain ½ e·(S + f·1)⁻¹e at most. On a flat face e is the rounding of n and says nothing; there points that
    /// leave o open between f and n·(q − p) can have slid by √(2Ro) along a radius R, and f gain oR/(R + f).
    fn summit(&self, best: &Candidate, top: &Climb) -> Summit {
        let at = if top.at.n == best.n { top.at } else { read(self.bodies, &self.rel, &best.n) };
        let (p, q) = points(self.bodies, &self.rel, &at);
        let g = q - p;
        let (x, y) = (at.basis.0.dot(&g), at.basis.1.dot(&g));
        let small = 0.5 * TOLERANCE * best.size;
        let rel = &self.rel;
        let (radius_a, centre_a) = inner_ball(self.shapes[0], &at.n, &p);
        let (radius_b, centre_b) = inner_ball(self.shapes[1], &-rel.in_b(&at.n), &rel.in_b(&(q - rel.r)));
        let least = radius_a + radius_b - (centre_a - rel.r - rel.in_a(&centre_b)).norm();
        let block: [f64; 3] = std::array::from_fn(|k| at.radii[0][k] + at.radii[1][k]);
        let [l1, l2, c, s] = eigen2(block, None);
        let (along, across) = (c * x + s * y, c * y - s * x);
        let gain = 0.5 * (along * along / (l1 + at.f) + across * across / (l2 + at.f));
        let slid = (best.open() + ROUNDING * best.size) * (l1 / (l1 + at.f)).max(l2 / (l2 + at.f));
        let is_strict = l2 + at.f > 0.0 && (gain <= small || slid <= small);
        // A depth that exceeds the balls by less than the tolerance is the least one to it.
        Summit { is_proved: least >= -at.f - small, is_strict }
    }

    fn climb_from(&self, start: &Vec3) -> BestCandidate {
        let top = ascend(self.bodies, &self.rel, start, self.kinks.as_ref(), None);
        let (best, spent) = candidate(self.bodies, &self.rel, &top.at);
        let iterations = top.iterations + spent;
        BestCandidate { best, top, iterations }
    }

    /// Takes up a climb where it led higher.
    fn consider(&self, found: &mut BestCandidate, other: Climb) -> bool {
        found.iterations += other.iterations;
        let higher = other.at.f > found.top.at.f + 1e-14 * found.top.at.size();
        if !higher && found.best.is_closed() {
            return false;
        }
        let (next, spent) = candidate(self.bodies, &self.rel, &other.at);
        found.iterations += spent;
        let better = next.beats(&found.best);
        if better {
            found.best = next;
            found.top = other;
        }
        better
    }

    /// Overlapping bodies may part more easily elsewhere; an answer without evidence may be none.
    fn look_around(&self, found: &mut BestCandidate) {
        let rel = &self.rel;
        let apart = self.has_centres().then_some(&rel.r);
        let (starts, count) = around::starts(&rel.rotation, apart, |n| heights(self.bodies, rel, n));
        let ellipsoids = self.proxy();
        let theirs = direction(ellipsoids.climb(&ellipsoids.start()).at.normal);
        let flat = self.shapes.iter().any(|s| has_flat_faces(s));
        let aside = if flat { Vec3::zeros() } else { ASIDE };
        for n in std::iter::once(&theirs).chain(&starts[..count]) {
            let known = found.best.is_closed().then_some(found.top.at);
            let other = ascend(self.bodies, rel, &(n + aside), self.kinks.as_ref(), known.as_ref());
            self.consider(found, other);
        }
        for n in self.kinks.iter().flat_map(Kinks::corners) {
            self.consider(found, Climb { at: read(self.bodies, rel, &n), iterations: 1 });
        }
    }

    /// Separate bodies whose bounds have not closed.
    fn close(&self, found: &mut BestCandidate) {
        if found.best.is_closed() {
            return;
        }
        let (other, spent) = gjk::close(self.bodies, &self.rel, &found.best);
        found.iterations += spent;
        if other.f > 0.0 && (other.is_closed() || other.open() < found.best.open()) {
            found.best = other;
        }
        if !found.best.is_closed() {
            let (other, spent) = expand::close(self.bodies, &self.rel, &found.best);
            found.iterations += spent;
            if other.f > 0.0 && other.is_closed() {
                found.best = other;
            }
        }
        self.sharpen(found);
    }

    /// Bounds that have closed leave the normal open to the root of what they leave open; a climb from beside it, if it
    /// closes them too, knows it to rounding.
    fn sharpen(&self, found: &mut BestCandidate) {
        if !found.best.is_closed() || found.best.across() <= ROUNDING * found.best.size {
            return;
        }
        let climbed = self.climb_from(&found.best.n);
        found.iterations += climbed.iterations;
        let Candidate { f, size, .. } = found.best;
        let as_high = climbed.best.is_closed() && climbed.best.f >= f - ROUNDING * size;
        if as_high && climbed.best.across() < found.best.across() {
            (found.best, found.top) = (climbed.best, climbed.top);
        }
    }

    /// Proves that no direction parts the bodies by less, or finds one that does and begins again with it.
    fn prove(&self, found: &mut BestCandidate) -> Branch {
        let balls = self.shapes.map(rolling_ball);
        let rel = &self.rel;
        let overlap = Overlap {
            rel,
            points: |n: [&Vec3; 2]| self.bodies.points(n),
            difference: |n: &Vec3| {
                let [p, q] = self.bodies.points([n, &-rel.in_b(n)]);
                p - rel.r - rel.in_a(&q)
            },
            of: self.shapes.map(|s| s.surface().as_support().and_then(Support::revolution)),
            balls,
            halves: self.shapes.map(|s| s.surface().bounds().extents() * 0.5),
            has_centres: self.has_centres(),
            size: found.best.size,
        };
        let mut tops = PairTops { pair: self, ball: balls[0] + balls[1], found };
        let (branch, spent) = overlap.prove(&mut tops);
        found.iterations += spent;
        branch
    }

    /// Takes up the least depth that a polytope finds, unless it only proves the one that is known.
    fn expand(&self, found: &mut BestCandidate) -> Found {
        let balls = self.shapes.map(rolling_ball);
        let (outcome, spent) = polytope::least_depth(self.bodies, &self.rel, balls, &found.best);
        found.iterations += spent;
        if let Found::Least(least) = outcome {
            let is_as_high = found.best.f >= least.f - polytope::OPEN * least.size;
            if !(found.best.is_closed() && is_as_high) {
                found.best = least;
                self.sharpen(found);
            }
        }
        outcome
    }

    fn has_centres(&self) -> bool {
        self.shapes.iter().all(|s| has_centre(s))
    }

    /// The ellipsoids that fill the bodies' boxes. Their start serves the bodies about as well as their answer (5.1
    /// evaluations against 5.0); under overlap their answer often is on the right branch.
    fn proxy(&self) -> EllipsoidPair {
        let rel = &self.rel;
        let [box_a, box_b] = self.shapes.map(|s| s.surface().bounds());
        let r = rel.r + rel.in_a(&box_b.centre()) - box_a.centre();
        let half = |e: Vec3| (e * 0.5).into();
        let rotation = rel.rotation.transpose();
        let mut rows = [0.0; 9];
        rows.copy_from_slice(rotation.as_slice());
        EllipsoidPair::new(&half(box_a.extents()), &half(box_b.extents()), &rows, &r.into())
    }
}

/// The tops of f, and the highest one that was found.
struct PairTops<'a, 'b, P: Bodies> {
    pair: &'a SupportPair<'b, P>,
    /// The radius of a ball that rolls inside the difference of the bodies.
    ball: f64,
    found: &'a mut BestCandidate,
}

impl<P: Bodies> Tops for PairTops<'_, '_, P> {
    fn claim(&self) -> Claim {
        let best = &self.found.best;
        Claim {
            depth: -best.f,
            tolerance: 0.5 * TOLERANCE * best.size,
            slack: ROUNDING * best.size,
            point: best.p - best.q,
            normal: best.n,
            ball: self.ball,
            cap: NO_CAP,
        }
    }

    fn rise(&mut self, n: &Vec3, claim: &Claim) -> Rise {
        let SupportPair { bodies, rel, kinks, .. } = self.pair;
        let found = &mut *self.found;
        let other = ascend(*bodies, rel, n, kinks.as_ref(), None);
        let (next, spent) = candidate(*bodies, rel, &other.at);
        found.iterations += other.iterations + spent;
        // Less deep by more than the claim left open: on a ridge that is less than what tells tops apart.
        let higher = next.f > -claim.depth + claim.tolerance - 2.0 * claim.slack;
        if !higher || found.best.is_closed() && !next.is_closed() && !next.beats(&found.best) {
            return Rise::Nowhere;
        }
        (found.best, found.top) = (next, other);
        if found.best.f > 0.0 {
            self.pair.close(found);
            return Rise::Apart;
        }
        Rise::Higher
    }

    fn expand(&mut self) -> Option<Branch> {
        for _ in 0..MAX_TOPS {
            let less = match self.pair.expand(self.found) {
                Found::Least(_) => return Some(Branch::Global),
                Found::Less(n) => n,
                Found::Open => return None,
            };
            match self.rise(&less, &self.claim()) {
                Rise::Higher => {}
                Rise::Apart => return Some(Branch::Compared),
                Rise::Nowhere => return None,
            }
        }
        None
    }
}

/// Whether the shape is its own mirror image in the origin of its frame.
fn has_centre(shape: &Shape) -> bool {
    matches!(
        shape,
        Shape::Sphere(_)
            | Shape::Ellipsoid(_)
            | Shape::Superellipsoid(_)
            | Shape::Superquadric(_)
            | Shape::Capsule(_)
            | Shape::Cuboid(_)
            | Shape::Cylinder(_)
    )
}

/// Whether the shape has faces, or all but has them.
fn has_flat_faces(shape: &Shape) -> bool {
    match shape {
        Shape::Superellipsoid(s) => s.exponents().iter().any(|&e| e > BOXY),
        _ => shape.surface().as_support().is_some_and(|s| !s.kinks().is_empty()),
    }
}

fn direction(n: [f64; 3]) -> Vec3 {
    let n = Vec3::from(n).normalize();
    if n.iter().all(|x| x.is_finite()) { n } else { Vec3::z() }
}
