//! When two moving bodies first touch: a certified interval of time, by conservative advancement.
//!
//! The origin of each body moves at a constant velocity v while the body turns about it at a constant angular velocity
//! ω, both in world axes: x(t) = p + v t + exp(ω̃ t) R s for the point s of its own frame. With
//!
//! > f(n, t) = min over a ∈ A(t), b ∈ B(t) of n·(b − a)
//!
//! the gap of separate bodies is max over n of f, so that every n with f(n, t) > 0 proves them apart at t.
//!
//! **Proof of a step.** Keep n and let time go on by τ. A point of A moves along n at
//! n·(v_A + ω_A × (a − p_A)) ≤ n·v_A + ρ_A ∣n × ω_A∣, where ρ_A bounds the body's distance from its origin and neither
//! n nor ω_A changes in the world; a point of B at n·v_B − ρ_B ∣n × ω_B∣ at least. Hence, for every τ ≥ 0,
//!
//! > f(n, t + τ) ≥ f(n, t) − τ μ,   μ = n·(v_A − v_B) + ρ_A ∣n × ω_A∣ + ρ_B ∣n × ω_B∣,
//!
//! and the bodies are apart on [t, t + f(n, t)/μ), or for ever where μ ≤ 0. Any n will do; the query gives a good one,
//! and f = n·(p_B − p_A) − h_A(R_Aᵀn) − h_B(−R_Bᵀn) comes from the support functions themselves, whatever the query
//! claims. It is lowered by twice [`TOLERANCE`] of the bodies' size and distance, which covers the rounding of support
//! values (a hundred units in the last place of the same lengths: A's origin is kept at zero), and by eight units in
//! the last place of the way gone and turned since the start, which covers that of the poses. Quotients and sums of
//! times are rounded towards the past by more than their rounding. A half-space has one normal only, its own.
//!
//! **The other end** is a time at which the query proves an overlap deeper than the same slack: then max f < 0, and no
//! direction parts the bodies. Where it is looked for does not matter to the proof; here it is where the gap would
//! vanish at its present rate.
//!
//! Steps shrink with the gap by the factor 1 − (rate of the gap)/μ. Bodies that graze without overlapping by more than
//! the slack have no second end: the answer is then [`FirstContact::Undecided`], never a guess.

use crate::contact::Collider;
use crate::error::{ContactError, Result, positive};
use crate::kinematics::Twist;
use crate::narrow::{Start, TOLERANCE, Touch, touch};
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::surface::{Shape, Support};
use rattleback_geom::{Pose, Vec3};

/// What times are lowered by to enclose the rounding of a quotient, a product and a sum.
const EARLIER: f64 = 8.0 * f64::EPSILON;

/// What is said of a body that has no support function, the first or the second of a pair.
const NOT_CONVEX: [&str; 2] = [
    "when they first touch is proved for convex bodies and half-spaces alone, and the first has no support function",
    "when they first touch is proved for convex bodies and half-spaces alone, and the second has no support function",
];

/// A body and how it moves.
#[derive(Debug, Clone)]
pub struct MovingCollider {
    /// The body where it is at time zero.
    pub collider: Collider,
    /// The velocity of its origin and the angular velocity about it, constant in world axes.
    pub twist: Twist,
}

/// How hard first contact is looked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Search {
    /// The width of the interval that is enough, in s.
    pub accuracy: f64,
    /// Queries at most.
    pub queries: u32,
}

impl Default for Search {
    /// A nanosecond, and queries for grazing passes.
    fn default() -> Self {
        Self { accuracy: 1e-9, queries: 10_000 }
    }
}

/// When two bodies first touch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FirstContact {
    /// Proved: they overlap at the start.
    AtStart,
    /// Proved: they are apart before `earliest` and overlap at `latest`, both in s, so that they first touch between.
    Within {
        /// Apart until then.
        earliest: f64,
        /// Overlapping then.
        latest: f64,
        /// The unit normal from A to B at `earliest`.
        normal: Vec3,
    },
    /// Proved: they are apart all the time.
    Never,
    /// They are apart before `apart_until`, in s; beyond it neither contact nor its absence was proved.
    Undecided {
        /// Apart until then.
        apart_until: f64,
    },
}

/// When two bodies on constant twists first touch within `duration` s from now. They must have support functions, or
/// one of them be a half-space that does not turn.
pub fn first_contact(
    a: &MovingCollider,
    b: &MovingCollider,
    duration: f64,
    search: &Search,
) -> Result<FirstContact> {
    positive("duration", duration)?;
    positive("accuracy", search.accuracy)?;
    let pair = Pair::new(a, b)?;
    let mut now = pair.at(0.0, Start::Cold)?;
    if pair.overlaps(&now) {
        return Ok(FirstContact::AtStart);
    }
    let (mut time, mut latest) = (0.0, None::<f64>);
    for _ in 0..search.queries {
        let lower = pair.lower_bound(&now);
        if !(lower > 0.0) {
            break;
        }
        let speed = pair.closing_bound(&now.normal);
        if speed <= 0.0 {
            return Ok(FirstContact::Never);
        }
        let next = (time + lower / speed * (1.0 - EARLIER)) * (1.0 - EARLIER);
        if next >= duration {
            return Ok(FirstContact::Never);
        }
        if next <= time {
            break;
        }
        if let Some(wanted) = pair.expected_overlap(&now, search.accuracy)
            && wanted <= duration
            && latest.is_none_or(|latest| wanted < latest)
            && pair.overlaps(&pair.at(wanted, Start::Cold)?)
        {
            latest = Some(wanted);
        }
        time = next;
        if let Some(latest) = latest
            && latest - time <= search.accuracy
        {
            return Ok(FirstContact::Within { earliest: time, latest, normal: now.normal });
        }
        now = pair.at(time, Start::Warm(now.normal))?;
    }
    // As near as the slack, or out of queries.
    match latest.or(pair.overlap_after(time, duration, search.accuracy)?) {
        Some(latest) => Ok(FirstContact::Within { earliest: time, latest, normal: now.normal }),
        None => Ok(FirstContact::Undecided { apart_until: time }),
    }
}

/// A body as the proof sees it.
enum Side<'a> {
    Convex(&'a dyn Support),
    /// The outer normal in world axes, and how far along it the face is from the body's origin.
    HalfSpace(Vec3, f64),
}

/// Two moving bodies; A's origin stays at zero, which keeps the rounding of positions to that of their distance.
struct Pair<'a> {
    bodies: [&'a Collider; 2],
    sides: [Side<'a>; 2],
    /// From A's origin to B's at the start.
    between: Vec3,
    /// The velocity of B's origin against A's.
    velocity: Vec3,
    turns: [Vec3; 2],
    /// The bodies' distance from their origins at most; zero for half-spaces, which do not turn.
    radii: [f64; 2],
}

/// The pair at a time.
struct Instant {
    time: f64,
    poses: [Pose; 2],
    touch: Touch,
    /// The normal of the proof, from A to B.
    normal: Vec3,
}

impl<'a> Pair<'a> {
    fn new(a: &'a MovingCollider, b: &'a MovingCollider) -> Result<Self> {
        let bodies = [&a.collider, &b.collider];
        let turns = [a.twist.angular_velocity, b.twist.angular_velocity];
        let velocity = b.twist.velocity - a.twist.velocity;
        for (field, vector) in
            [("velocity", velocity), ("angular velocity of A", turns[0]), ("angular velocity of B", turns[1])]
        {
            if let Some(&value) = vector.iter().find(|x| !x.is_finite()) {
                return Err(ContactError::OutOfRange { field: field.to_owned(), value, allowed: "finite" });
            }
        }
        let refused = |reason| {
            let [a, b] = bodies.map(|body| body.shape.surface().kind());
            ContactError::Unsupported { a, b, reason }
        };
        let side = |k: usize| match &bodies[k].shape {
            Shape::Plane(_) if turns[k] != Vec3::zeros() => Err(refused("a half-space may not turn")),
            Shape::Plane(plane) => {
                let normal = bodies[k].pose.vector_to_world(plane.normal());
                Ok(Side::HalfSpace(normal, plane.offset()))
            }
            shape => shape.surface().as_support().map(Side::Convex).ok_or_else(|| refused(NOT_CONVEX[k])),
        };
        let sides = [side(0)?, side(1)?];
        if let [Side::HalfSpace(..), Side::HalfSpace(..)] = sides {
            return Err(refused("two half-spaces"));
        }
        let radii = [0, 1].map(|k| match sides[k] {
            Side::HalfSpace(..) => 0.0,
            Side::Convex(_) => {
                let bounds = bodies[k].shape.surface().bounds();
                bounds.min.abs().sup(&bounds.max.abs()).norm() * (1.0 + EARLIER)
            }
        });
        let between = bodies[1].pose.position - bodies[0].pose.position;
        Ok(Self { bodies, sides, between, velocity, turns, radii })
    }

    /// The query at a time; points are relative to A's origin.
    fn at(&self, time: f64, start: Start) -> Result<Instant> {
        let orientation = |k: usize| {
            UnitQuaternion::from_scaled_axis(self.turns[k] * time) * self.bodies[k].pose.orientation
        };
        let poses = [
            Pose::new(Vec3::zeros(), orientation(0)),
            Pose::new(self.between + self.velocity * time, orientation(1)),
        ];
        let touch = touch(&self.bodies[0].shape, &poses[0], &self.bodies[1].shape, &poses[1], start)?;
        let normal = match self.sides {
            [Side::HalfSpace(n, _), _] => n,
            [_, Side::HalfSpace(n, _)] => -n,
            _ => touch.normal,
        };
        Ok(Instant { time, poses, touch, normal })
    }

    /// Twice the tolerance of certificates, and what the way and the turns since the start are rounded by, in m.
    fn slack(&self, now: &Instant) -> f64 {
        let offset = |side: &Side<'_>| if let Side::HalfSpace(_, offset) = side { offset.abs() } else { 0.0 };
        let sizes = self.radii[0] + self.radii[1] + offset(&self.sides[0]) + offset(&self.sides[1]);
        let turned = self.radii[0] * self.turns[0].norm() + self.radii[1] * self.turns[1].norm();
        let way = self.between.norm() + now.time * (self.velocity.norm() + turned);
        2.0 * TOLERANCE * (sizes + now.poses[1].position.norm()) + EARLIER * way
    }

    /// A proved lower bound of f(n, t), in m; NaN where the support functions have no number.
    fn lower_bound(&self, now: &Instant) -> f64 {
        let support = |k: usize, n: &Vec3| match &self.sides[k] {
            Side::Convex(body) => body.support(&now.poses[k].vector_to_local(n)),
            Side::HalfSpace(_, offset) => *offset,
        };
        let n = &now.normal;
        n.dot(&now.poses[1].position) - support(0, n) - support(1, &-n) - self.slack(now)
    }

    /// Whether an overlap is proved.
    fn overlaps(&self, now: &Instant) -> bool {
        now.touch.certified && now.touch.gap < -self.slack(now)
    }

    /// μ, above its rounding.
    fn closing_bound(&self, n: &Vec3) -> f64 {
        let turning = |k: usize| self.radii[k] * n.cross(&self.turns[k]).norm();
        let terms = self.velocity.norm() + turning(0) + turning(1);
        turning(0) + turning(1) - n.dot(&self.velocity) + EARLIER * terms
    }

    /// When an overlap is to be expected: where the gap would vanish at its present rate, and a little later.
    fn expected_overlap(&self, now: &Instant, accuracy: f64) -> Option<f64> {
        // The points wander over the surfaces without changing the gap to first order.
        let touch = &now.touch;
        let of_a = self.turns[0].cross(&touch.point_a);
        let of_b = self.velocity + self.turns[1].cross(&(touch.point_b - now.poses[1].position));
        let rate = touch.normal.dot(&(of_a - of_b));
        let wait = (touch.gap.max(0.0) + 4.0 * self.slack(now)) / rate;
        (rate > 0.0).then_some(now.time + wait + 0.25 * accuracy)
    }

    /// Some time after `time` at which an overlap is proved, searched in steps that double.
    fn overlap_after(&self, time: f64, duration: f64, first: f64) -> Result<Option<f64>> {
        let mut step = first;
        while time + step <= duration {
            if self.overlaps(&self.at(time + step, Start::Cold)?) {
                return Ok(Some(time + step));
            }
            step *= 2.0;
        }
        Ok(None)
    }
}
