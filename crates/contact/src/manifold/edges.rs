//! An edge of one core against an edge of the other.
//!
//! With p = x + s e and q = y + t h the nearest points of the edges, of unit directions e and h and of lengths ℓ and k,
//! ψ the angle between them, c = e·h = cos ψ and r = q − p,
//!
//!   gap = ∣r∣ − R,   n = r/∣r∣
//!
//! Where they cross, r·e = r·h = 0 and r = γ u with u = e × h/sin ψ. Where the cores overlap there, so that p is inside
//! the other core and q inside this one, each nearest to a face that looks as its edge does, the normal is −r/∣r∣ and
//! the gap −∣γ∣ − R, as long as ∣γ∣ < R.
//!
//! Weight. An end of an edge that crosses the other one is y = s sin ψ beside it, (ℓ − s) sin ψ at the other end, and
//! its gap is greater by y²/2R. With m = √(2 SINK) R the weight is
//!
//!   w = S(s sin ψ/m) S((ℓ − s) sin ψ/m) S(t sin ψ/m) S((k − t) sin ψ/m),   S(x) = x²(3 − 2x) within 0…1
//!
//! zero where edges are parallel or do not cross, one where all four ends are so far off that they do not bear.
//!
//! Rates where they cross, with ė = ω_A × e, ḣ = ω_B × h and ρ = v_B(q) − v_A(p):
//!
//!   ṡ − c ṫ = ρ·e + r·ė,   c ṡ − ṫ = ρ·h + r·ḣ,   ṅ·e = −n·ė,   ṅ·h = −n·ḣ,   ċ = ė·h + e·ḣ
//!
//! Elsewhere the weight is zero and nothing is borne: the points are then taken as fixed in their bodies.

use super::core::nearest;
use super::{SINK, core};
use crate::contact::{Collider, ContactCurvature, relative};
use crate::derivative::{Rates, Regularity};
use crate::kinematics::Twist;
use crate::narrow::{Certificate, Touch};
use rattleback_geom::curvature::tangents;
use rattleback_geom::surface::CoreEdge;
use rattleback_geom::{Curvature, Vec3};

/// Edges whose directions differ by less than this sine are parallel: their crossing is known to no digit.
const PARALLEL: f64 = 1e-9;

/// The least cosine between the outward direction of an edge and the normal of a contact that it takes part in: edges
/// of boxes have 1/√2 where faces lie on each other.
const FACING: f64 = 0.5;

/// Two edges in the world.
pub(super) struct EdgeContact<'a> {
    bodies: [&'a Collider; 2],
    radii: [f64; 2],
    /// The edges from the origin of A.
    edges: [CoreEdge; 2],
    /// s and t.
    places: [f64; 2],
    /// sin ψ and cos ψ.
    angle: [f64; 2],
    /// Whether both nearest points are within the edges, which are not parallel.
    cross: bool,
    normal: Vec3,
    gap: f64,
}

impl<'a> EdgeContact<'a> {
    pub fn new(a: &'a Collider, b: &'a Collider, places: [usize; 2]) -> Option<Self> {
        let placed = |body: &Collider, place: usize| {
            let CoreEdge { start, along, length, outward, faces } = core::edge(&body.shape, place)?;
            let world = |v: &Vec3| body.pose.vector_to_world(v);
            let start = body.pose.position - a.pose.position + world(&start);
            let faces = faces.map(|normal| world(&normal));
            Some(CoreEdge { start, along: world(&along), length, outward: world(&outward), faces })
        };
        let edges = [placed(a, places[0])?, placed(b, places[1])?];
        let radii = [a, b].map(|body| core::rounding(&body.shape));
        let (cos, sin) = (edges[0].along.dot(&edges[1].along), edges[0].along.cross(&edges[1].along).norm());
        let (places, cross) = nearest_places(&edges, [sin, cos]);
        let mut found = Self {
            bodies: [a, b],
            radii,
            edges,
            places,
            angle: [sin, cos],
            cross,
            normal: Vec3::zeros(),
            gap: 0.0,
        };
        found.look();
        Some(found)
    }

    /// r.
    fn apart(&self) -> Vec3 {
        self.point(1) - self.point(0)
    }

    fn point(&self, side: usize) -> Vec3 {
        self.edges[side].start + self.edges[side].along * self.places[side]
    }

    /// Sets normal and gap.
    fn look(&mut self) {
        let ([one, other], r) = (self.edges, self.apart());
        let radius = self.radii[0] + self.radii[1];
        let far = r.norm();
        if self.cross {
            let u = one.along.cross(&other.along) / self.angle[0];
            let height = u.dot(&r);
            let n = if height < 0.0 { -u } else { u };
            let is_inside = height.abs() < radius && self.is_inside(&n);
            (self.normal, self.gap) =
                if is_inside { (-n, -height.abs() - radius) } else { (n, height.abs() - radius) };
            return;
        }
        self.gap = far - radius;
        self.normal = match far > f64::MIN_POSITIVE {
            true => r / far,
            // They meet: any normal across one of them will do, for nothing is borne.
            false => tangents(&one.along).0,
        };
    }

    /// Whether the cores overlap where the edges cross, B's edge being along n from A's.
    fn is_inside(&self, n: &Vec3) -> bool {
        let has_inside = |side: usize| self.edges[side].outward != Vec3::zeros();
        let is_in = |side: usize, own: &Vec3| {
            // The point of the other edge, seen from this body.
            let body = self.bodies[side];
            let from = self.bodies[0].pose.position - body.pose.position;
            let seen = body.pose.vector_to_local(&(from + self.point(1 - side)));
            self.edges[side].outward.dot(own) > FACING
                && nearest(&body.shape, &seen).ok().flatten().is_some_and(|found| {
                    found.height < 0.0 && found.n.dot(&body.pose.vector_to_local(own)) > FACING
                })
        };
        let in_a = !has_inside(0) || is_in(0, &-n);
        (has_inside(0) || has_inside(1)) && in_a && (!has_inside(1) || is_in(1, n))
    }

    pub fn touch(&self) -> Touch {
        let on_a = self.bodies[0].pose.position + self.point(0) + self.normal * self.radii[0];
        Touch {
            gap: self.gap,
            normal: self.normal,
            point_a: on_a,
            point_b: on_a + self.normal * self.gap,
            iterations: 1,
            residual: 0.0,
            certificate: Certificate::Stationary { residual: 0.0 },
            certified: false,
        }
    }

    /// How far each end is beside the other edge, over m.
    fn beside(&self) -> [[f64; 2]; 2] {
        let width = (2.0 * SINK).sqrt() * (self.radii[0] + self.radii[1]);
        let per = self.angle[0] / width;
        [0, 1].map(|k| [self.places[k] * per, (self.edges[k].length - self.places[k]) * per])
    }

    /// w.
    pub fn weight(&self) -> f64 {
        if !self.cross {
            return 0.0;
        }
        self.beside().iter().flatten().map(|x| ramp(*x)[0]).product()
    }

    pub fn curvature(&self) -> ContactCurvature {
        let n = &self.normal;
        let of = |side: usize| {
            let along = self.edges[side].along;
            Curvature { kappa: [1.0 / self.radii[side], 0.0], direction: [along.cross(n), along] }
        };
        let (a, b) = (of(0), of(1));
        let at_right_angle = Curvature { direction: [a.direction[1], a.direction[0]], ..b };
        ContactCurvature { a, b, relative: relative(n, &a, &at_right_angle) }
    }

    pub fn rates(&self, motion: [&Twist; 2]) -> Rates {
        let [one, other] = &self.edges;
        let (p, q, n) = (self.point(0), self.point(1), &self.normal);
        let origin_b = self.bodies[1].pose.position - self.bodies[0].pose.position;
        let velocity = [motion[0].at(&p), motion[1].at(&(q - origin_b))];
        let (rho, r) = (velocity[1] - velocity[0], q - p);
        let gap = n.dot(&rho);
        if !self.cross {
            let far = r.norm();
            let turning = if far > f64::MIN_POSITIVE { (rho - n * gap) / far } else { Vec3::zeros() };
            return self.along(velocity, turning, gap, 0.0, Regularity::Seam);
        }
        let [sin, c] = self.angle;
        let directions = [0, 1].map(|k| motion[k].angular_velocity.cross(&self.edges[k].along));
        let [de, dh] = &directions;
        let (x, y) = (rho.dot(&one.along) + r.dot(de), rho.dot(&other.along) + r.dot(dh));
        // ṡ − cṫ = x, cṡ − ṫ = y.
        let det = sin * sin;
        let slides = [(x - c * y) / det, (c * x - y) / det];
        // ṅ in the basis dual to e and h.
        let (x, y) = (-n.dot(de), -n.dot(dh));
        let turning = one.along * ((x - c * y) / det) + other.along * ((y - c * x) / det);
        let moved = [velocity[0] + one.along * slides[0], velocity[1] + other.along * slides[1]];
        let sin_rate = -c * (de.dot(&other.along) + one.along.dot(dh)) / sin;
        self.along(moved, turning, gap, self.weight_rate(slides, sin_rate), Regularity::Smooth)
    }

    /// The rates, with those of the points on the edges, of normal, gap and weight.
    fn along(&self, moved: [Vec3; 2], turning: Vec3, gap: f64, weight: f64, regularity: Regularity) -> Rates {
        // Where the cores overlap the points change sides.
        let point_a = moved[0] + turning * self.radii[0];
        let point_b = moved[1] - turning * self.radii[1];
        Rates { normal: turning, point_a, point_b, weight, regularity, ..Rates::of_gap(gap) }
    }

    fn weight_rate(&self, slides: [f64; 2], sin_rate: f64) -> f64 {
        let beside = self.beside();
        let width = (2.0 * SINK).sqrt() * (self.radii[0] + self.radii[1]);
        let sin = self.angle[0];
        let mut rate = 0.0;
        for k in 0..2 {
            for end in 0..2 {
                let slide = if end == 0 { slides[k] } else { -slides[k] };
                let change = slide * sin / width + beside[k][end] * sin_rate / sin;
                let others: f64 =
                    (0..4).filter(|i| *i != 2 * k + end).map(|i| ramp(beside[i / 2][i % 2])[0]).product();
                rate += ramp(beside[k][end])[1] * change * others;
            }
        }
        rate
    }
}

/// S and its derivative.
fn ramp(x: f64) -> [f64; 2] {
    let x = x.clamp(0.0, 1.0);
    [x * x * (3.0 - 2.0 * x), 6.0 * x * (1.0 - x)]
}

/// s and t of the nearest points of two edges, and whether they cross: both points are within, and the directions
/// differ.
fn nearest_places(edges: &[CoreEdge; 2], [sin, c]: [f64; 2]) -> ([f64; 2], bool) {
    let [one, other] = edges;
    let r = other.start - one.start;
    let (x, y) = (r.dot(&one.along), r.dot(&other.along));
    let within = |t: f64, edge: &CoreEdge| t.clamp(0.0, edge.length);
    let s = match sin > PARALLEL {
        true => (x - c * y) / (sin * sin),
        // Any will do: the middle of the first, so that neither end is preferred.
        false => 0.5 * one.length,
    };
    let t = c * s - y;
    let is_within = |t: f64, edge: &CoreEdge| t > 0.0 && t < edge.length;
    if sin > PARALLEL && is_within(s, one) && is_within(t, other) {
        return ([s, t], true);
    }
    // Nearest point of the other edge, then of this one to that: the distance is convex in both.
    let t = within(c * within(s, one) - y, other);
    let s = within(x + c * t, one);
    ([s, within(c * s - y, other)], false)
}
