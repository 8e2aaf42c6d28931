//! The way out of a body: how far it reaches from one of its points along a line.
//!
//! A root of F along the line, by the chord's root with its slower end halved (the Illinois rule). No body reaches
//! beyond its box and its planes. A convex one has a single root up to there; of another the first one is sought by
//! steps that grow until a point is outside, and a gap that a step leaps over is not seen.

use super::body::Body;
use rattleback_geom::Vec3;

/// By how much the steps of a way out of a body grow, and how many end it.
const FASTER: f64 = 2.2;
const HALVINGS: usize = 120;

/// A root is not sought nearer to the ends of its bracket than by this share of it.
const EDGE: f64 = 0.01;

/// A point of a body from which ways lead out.
pub(super) struct Inside<'a, 'b> {
    body: &'a Body<'b>,
    /// In the body's frame.
    x: Vec3,
    /// F at x.
    level: f64,
}

impl<'a, 'b> Inside<'a, 'b> {
    /// The point x of the frame of the pair.
    pub fn new(body: &'a Body<'b>, x: &Vec3) -> Self {
        let x = body.point_in_body(x);
        Self { body, x, level: body.level(&x) }
    }

    pub fn body(&self) -> &Body<'b> {
        self.body
    }

    /// Whether the body has the point.
    pub fn is_inside(&self) -> bool {
        self.level <= 0.0 && self.body.is_within_bounds(&self.x)
    }

    /// How far the body reaches along the unit vector n, to `close` of its size or of the way to a point outside,
    /// whichever is shorter; the first step of a body that is not convex is `first`, in sizes.
    pub fn exit(&self, n: &Vec3, close: f64, first: f64) -> f64 {
        self.exit_within(n, f64::INFINITY, close, first)
    }

    /// The same, or `limit` where the body reaches farther.
    pub fn exit_within(&self, n: &Vec3, limit: f64, close: f64, first: f64) -> f64 {
        let n = self.body.rotation.tr_mul(n);
        let most = self.most(&n).min(limit);
        let level = |t: f64| self.body.level(&(self.x + n * t));
        let mut low = (0.0, self.level);
        let mut t = if self.body.is_convex() { most } else { most.min(first * self.body.size) };
        let high = loop {
            let high = (t, level(t));
            if high.1 > 0.0 {
                break high;
            }
            if t >= most {
                return most;
            }
            (low, t) = (high, (t * FASTER).min(most));
        };
        root(low, high, close * high.0.min(self.body.size), level)
    }

    /// How far it is to the box or to a plane, at least as far as the body reaches.
    fn most(&self, n: &Vec3) -> f64 {
        let wall = |room: f64, rate: f64| if rate > 0.0 { room.max(0.0) / rate } else { f64::INFINITY };
        let planes = self.body.planes().iter();
        let planes = planes.map(|plane| wall(-plane.beyond(&self.x), plane.normal().dot(n)));
        let bounds = &self.body.bounds;
        let side = |i: usize| {
            let room = if n[i] > 0.0 { bounds.max[i] - self.x[i] } else { self.x[i] - bounds.min[i] };
            wall(room, n[i].abs())
        };
        planes.chain((0..3).map(side)).fold(2.0 * self.body.size, f64::min)
    }
}

/// The place between `low`, where F ≤ 0, and `high`, where F > 0, up to which F ≤ 0, to `close`.
fn root(mut low: (f64, f64), mut high: (f64, f64), close: f64, level: impl Fn(f64) -> f64) -> f64 {
    let mut kept = 0;
    for _ in 0..HALVINGS {
        let width = high.0 - low.0;
        if width <= close {
            break;
        }
        let chord = low.0 - low.1 * width / (high.1 - low.1);
        let [first, last] = [low.0 + EDGE * width, high.0 - EDGE * width];
        let t = if chord.is_nan() { 0.5 * (low.0 + high.0) } else { chord.max(first).min(last) };
        if !(low.0 < t && t < high.0) {
            break;
        }
        let f = level(t);
        if f <= 0.0 {
            high.1 *= if kept == 1 { 0.5 } else { 1.0 };
            (low, kept) = ((t, f), 1);
        } else {
            low.1 *= if kept == 2 { 0.5 } else { 1.0 };
            (high, kept) = ((t, f), 2);
        }
    }
    low.0
}
