//! Bodies that pass through each other within a step of fixed length, unseen by contacts that are asked at its ends.
//!
//! With w the least widths of two parts added up, parts that are apart at both ends of a step and pass through each
//! other in it have gone w against each other at least, and one of them at least its own least width: only steps in
//! which a body does so are looked at. The broad phase then gives the pairs that can meet on their ways, and for each
//! that did not press at the end
//!
//!   x(τ) = x₀ + (x₁ − x₀) τ/h,   R(τ) = exp(θ̃ τ/h) R₀,   θ = log(R₁R₀ᵀ)
//!
//! is the motion between the ends, a constant twist of each part, whose first contact is the proved one
//! (`rattleback_contact::first_contact`) where both have support functions, and the first overlap of places w/8 apart
//! elsewhere, at most [`PLACES`]. From there on the depth is looked at on the way w. The true motion strays from the
//! twist by
//!
//!   m = Σ ∣Δv∣h/8 + ∣x₁ − x₀ − v̄h∣ + ρ(∣Δω∣h/8 + ∣θ − ω̄h∣) + ∣s∣∣θ∣²/8
//!
//! at most to second order, ρ a part's radius and s its place in the body, v̄ and ω̄ the means of both ends: a depth
//! beyond m, and beyond
//! [`SHARE`] of the smaller least width, is told. Grazes are not, nor what turns by more than a radian in a step.

use super::figures::Extreme;
use crate::body::Motion;
use crate::contact_set::{ActiveContact, MotionBound, NearPairs, Parts};
use crate::model::{BodyId, Model, PairId, PartId};
use rattleback_contact::first_contact::{FirstContact, MovingCollider, Search, first_contact};
use rattleback_contact::region::{RegionFinder, has_regions};
use rattleback_contact::{Collider, Start, Twist, narrow};
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::surface::Shape;
use rattleback_geom::{Pose, Vec3};
use std::sync::Arc;

/// The least depth that is told, as a share of the least width of the smaller part: what slides past is no passage.
const SHARE: f64 = 0.1;
/// Places of a way that are looked at, at most.
const PLACES: usize = 64;
/// Queries for a first contact: advancement towards a body ahead takes some ten.
const QUERIES: u32 = 200;

/// Who watches for passages.
#[derive(Debug, Clone)]
pub(super) struct Passing {
    model: Arc<Model>,
    /// Per body: the least width of its parts and a radius that holds them, in m.
    sizes: Vec<[f64; 2]>,
    /// The motions at the end of the last step.
    before: Vec<Motion>,
    /// The broad phase, from the first fast body on.
    near: Option<Box<(Parts, NearPairs)>>,
}

/// How a body moves in a step.
struct Way {
    shift: Vec3,
    turn: Vec3,
}

impl Passing {
    pub(super) fn new(model: &Model) -> Self {
        let least = |body: &crate::model::BodyModel| {
            let width = |part: &crate::model::Part| least_width(&part.shape);
            [body.parts.iter().map(width).fold(f64::INFINITY, f64::min), body.radius()]
        };
        let sizes = model.bodies().iter().map(least).collect();
        Self { model: Arc::new(model.clone()), sizes, before: Vec::new(), near: None }
    }

    /// Takes the motions at the beginning of the first step.
    pub(super) fn begin(&mut self, motions: &[Motion]) {
        self.before.clear();
        self.before.extend_from_slice(motions);
    }

    /// Whether it knows where the next step begins.
    pub(super) fn has_begun(&self) -> bool {
        !self.before.is_empty()
    }

    /// Looks at a step of `h` seconds that ends at `time`: the farthest passage, in units of w.
    pub(super) fn look(
        &mut self,
        motions: &[Motion],
        active_contacts: &[(PairId, ActiveContact)],
        [time, h]: [f64; 2],
    ) -> Option<Extreme> {
        let mut worst = None;
        if self.before.len() == motions.len() && h > 0.0 && self.is_any_fast(motions, h) {
            self.search(motions, active_contacts, [time, h], &mut worst);
        }
        self.begin(motions);
        worst
    }

    /// Whether a body has gone farther than its least width.
    fn is_any_fast(&self, motions: &[Motion], h: f64) -> bool {
        let mut all = self.sizes.iter().zip(self.before.iter().zip(motions));
        all.any(|([least, radius], (from, to))| {
            let turned = to.angular_velocity_body.norm_squared().sqrt() * h * radius;
            (to.pose.position - from.pose.position).norm() + turned > *least
        })
    }

    fn search(
        &mut self,
        motions: &[Motion],
        active_contacts: &[(PairId, ActiveContact)],
        [time, h]: [f64; 2],
        worst: &mut Option<Extreme>,
    ) {
        let Self { model, sizes, before, near } = self;
        let known = match near.take() {
            Some(mut known) => {
                known.0.place_all(model, before);
                Some(known)
            }
            None => {
                let parts = Parts::new(model, before);
                NearPairs::new(model, &parts).ok().map(|near| Box::new((parts, near)))
            }
        };
        // What has no broad phase has no contacts either: the engine says why.
        let Some(known) = known else { return };
        let (parts, broad) = &mut **near.insert(known);
        let way = |body: BodyId| Way::between(&before[body.0], &motions[body.0]);
        let bound = |body: BodyId| {
            let Way { shift, turn } = way(body);
            MotionBound { way: shift.norm() + turn.norm() * sizes[body.0][1], turn: turn.norm() }
        };
        let Ok((pairs, _)) = broad.find(model, parts, bound) else { return };
        let mut last = None;
        for pair in pairs {
            if last.replace(pair.id().parts()) == Some(pair.id().parts()) {
                continue;
            }
            if active_contacts.iter().any(|(id, _)| id.parts() == pair.id().parts()) {
                continue;
            }
            let moving = [pair.a, pair.b].map(|part| {
                let body = part.body.0;
                PartWay::new(model, part, parts.collider(part), [&before[body], &motions[body]], h)
            });
            let [Some(a), Some(b)] = moving else { continue };
            if let Some((ratio, after)) = passage(&a, &b, h) {
                let bodies = [pair.a.body.0, pair.b.body.0];
                Extreme::keep(worst, Extreme { value: ratio, time: time - h + after, bodies });
            }
        }
    }
}

impl Way {
    fn between(from: &Motion, to: &Motion) -> Self {
        let turn = (to.pose.orientation * from.pose.orientation.inverse()).scaled_axis();
        Self { shift: to.pose.position - from.pose.position, turn }
    }
}

/// A part on its way through a step.
struct PartWay {
    moving: MovingCollider,
    width: f64,
    radius: f64,
    /// m of it.
    stray: f64,
}

impl PartWay {
    /// None where it turns too far.
    fn new(model: &Model, part: PartId, at: &Collider, [from, to]: [&Motion; 2], h: f64) -> Option<Self> {
        let Way { shift, turn } = Way::between(from, to);
        let place = model.body(part.body).parts[part.index].pose;
        let [omega0, omega1] =
            [from, to].map(|motion| motion.pose.vector_to_world(&motion.angular_velocity_body));
        let mean = (omega0 + omega1) * (0.5 * h);
        if !(turn.norm() <= 1.0 && mean.norm() <= 1.0) {
            return None;
        }
        let bounds = at.shape.surface().bounds();
        let radius = bounds.min.abs().sup(&bounds.max.abs()).norm();
        let middle = (from.velocity + to.velocity) * (0.5 * h);
        let stray = (to.velocity - from.velocity).norm() * h / 8.0
            + (shift - middle).norm()
            + radius * ((omega1 - omega0).norm() * h / 8.0 + (turn - mean).norm())
            + place.position.norm() * turn.norm_squared() / 8.0;
        let end = to.pose.compose(&place).position;
        let twist = Twist { velocity: (end - at.pose.position) / h, angular_velocity: turn / h };
        let moving = MovingCollider { collider: at.clone(), twist };
        Some(Self { moving, width: least_width(&at.shape), radius, stray })
    }

    fn pose(&self, after: f64) -> Pose {
        let MovingCollider { collider, twist } = &self.moving;
        let turn = UnitQuaternion::from_scaled_axis(twist.angular_velocity * after);
        Pose::new(collider.pose.position + twist.velocity * after, turn * collider.pose.orientation)
    }
}

/// How far two parts go in units of w, and after how many seconds they meet, where they pass through each other.
fn passage(a: &PartWay, b: &PartWay, h: f64) -> Option<(f64, f64)> {
    let [one, other] = [&a.moving.twist, &b.moving.twist];
    let turning = one.angular_velocity.norm() * a.radius + other.angular_velocity.norm() * b.radius;
    let speed = (one.velocity - other.velocity).norm() + turning;
    let width = a.width + b.width;
    if !(speed * h > width) {
        return None;
    }
    let least = (a.stray + b.stray).max(SHARE * a.width.min(b.width));
    let depth = |after: f64| depth([a, b], after).unwrap_or(f64::NEG_INFINITY);
    // The way w in eight.
    let fine = width / (8.0 * speed);
    let begin = match [a, b].map(|way| way.moving.collider.shape.surface().as_support().is_some()) {
        [true, true] => {
            let search = Search { accuracy: 1e-3 * width / speed, queries: QUERIES };
            match first_contact(&a.moving, &b.moving, h, &search).ok()? {
                FirstContact::Within { latest, .. } => latest,
                // What overlaps when a step begins is the engine's.
                FirstContact::AtStart | FirstContact::Never | FirstContact::Undecided { .. } => return None,
            }
        }
        _ if depth(0.0) > 0.0 => return None,
        _ => {
            let step = fine.max(h / PLACES as f64);
            (1..PLACES).map(|k| step * k as f64).take_while(|t| *t < h).find(|t| depth(*t) > 0.0)?
        }
    };
    let deepest =
        (0..=8).map(|k| begin + fine * f64::from(k)).filter(|t| *t < h).map(depth).fold(0.0, f64::max);
    (deepest > least).then_some((speed * h / width, begin))
}

/// How deep two parts overlap; none where nobody can say.
fn depth([a, b]: [&PartWay; 2], after: f64) -> Option<f64> {
    let [one, other] = [a, b].map(|way| &way.moving.collider.shape);
    let [at, beside] = [a, b].map(|way| way.pose(after));
    if has_regions(one, other) {
        let mut regions = Vec::new();
        RegionFinder::new().find(one, &at, other, &beside, 0.0, &mut regions).ok()?;
        return regions.iter().map(|region| region.depth).reduce(f64::max);
    }
    narrow::touch(one, &at, other, &beside, Start::Cold).ok().map(|touch| -touch.gap)
}

/// The shortest edge of a part's box; infinite where it is unbounded.
fn least_width(shape: &Shape) -> f64 {
    let extents = shape.surface().bounds().extents();
    if extents.iter().all(|x| x.is_finite()) { extents.min() } else { f64::INFINITY }
}
