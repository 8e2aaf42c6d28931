//! What the watch knows of the bodies: names, sizes, masses, half-spaces.
//!
//! Half width of a part along a direction n: Σ ½eᵢ∣nᵢ∣ over the edges e of its box, in its own axes; never less than
//! the true one, so that shares of it are never told greater than they are.
//!
//! Along the normal n of a contact at c a step of h s sees the inverse mass w = Σ 1/m + (r × n)·I⁻¹(r × n), r = c − x,
//! and the stiffness k = 2S/δ² of the linear spring that stores the same energy S at the same depth δ. The leapfrog is
//! stable while hω < 2, ω² = kw (E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration, section I.5.2).
//! Damping is left to the books: where it is too strong for the step, the force that must not pull is cut off and the
//! motion stays bounded.

use super::figures::Extreme;
use crate::body::Body;
use crate::contact_set::ActiveContact;
use crate::model::{BodyId, Model, PairId, PartId};
use crate::state::State;
use rattleback_geom::surface::Shape;
use rattleback_geom::{Mat3, Pose, Vec3};

/// A margin for the rounding of bounds and of what they bound.
const ROUNDING: f64 = 1.0 + 1e-12;

#[derive(Debug, Clone)]
struct Part {
    /// In the body's frame: the middle of its box, with its axes.
    pose: Pose,
    /// Half the edges of the box; infinite where it is unbounded.
    half: Vec3,
    /// The shortest of them: no half width is less.
    least: f64,
}

#[derive(Debug, Clone)]
struct Known {
    name: String,
    /// Mass and inverse inertia, of a free body.
    free: Option<(f64, Mat3)>,
    /// The norm of that inverse.
    stiffest: f64,
    parts: Vec<Part>,
}

/// A half-space and the parts that may touch it.
#[derive(Debug, Clone)]
struct HalfSpace {
    part: PartId,
    normal: Vec3,
    offset: f64,
    others: Vec<PartId>,
}

/// The bodies of a model, as far as the watch needs them.
#[derive(Debug, Clone)]
pub(super) struct Bodies {
    bodies: Vec<Known>,
    half_spaces: Vec<HalfSpace>,
    gravity: f64,
}

impl Bodies {
    pub(super) fn new(model: &Model) -> Self {
        let part = |part: &crate::model::Part| {
            let bounds = part.shape.surface().bounds();
            let bounded = bounds.extents().iter().all(|x| x.is_finite());
            let middle = if bounded { (bounds.min + bounds.max) * 0.5 } else { Vec3::zeros() };
            let half = if bounded { bounds.extents() * 0.5 } else { Vec3::repeat(f64::INFINITY) };
            let pose = part.pose.compose(&Pose::from_position(middle.x, middle.y, middle.z));
            Part { pose, half, least: half.min() }
        };
        let known = |body: &crate::model::BodyModel| {
            let Body { mass, inertia } = body.body;
            let inverse = inertia.try_inverse().unwrap_or_else(Mat3::zeros);
            Known {
                name: body.name.clone(),
                free: body.is_free().then_some((mass, inverse)),
                stiffest: inverse.norm(),
                parts: body.parts.iter().map(part).collect(),
            }
        };
        Self {
            bodies: model.bodies().iter().map(known).collect(),
            half_spaces: half_spaces(model),
            gravity: model.gravity().norm(),
        }
    }

    pub(super) fn name(&self, body: usize) -> &str {
        self.bodies.get(body).map_or("?", |known| &known.name)
    }

    pub(super) fn is_finite(&self, state: &State) -> bool {
        state.motions.iter().all(|motion| {
            let pose = motion.pose.position.sum() + motion.pose.orientation.coords.sum();
            (pose + motion.velocity.sum() + motion.angular_velocity_body.sum()).is_finite()
        })
    }

    /// The energy that lifts every free body by its own size, in J.
    pub(super) fn lift(&self) -> f64 {
        let of = |known: &Known| known.free.map_or(0.0, |(mass, _)| mass * self.gravity * known.size());
        self.bodies.iter().map(of).sum()
    }

    /// The energy of speeds at which no free body moves by a trillionth of its size in a second, in J.
    pub(super) fn stillness(&self) -> f64 {
        let of = |known: &Known| known.free.map_or(0.0, |(mass, _)| mass * (1e-12 * known.size()).powi(2));
        self.bodies.iter().map(of).sum()
    }

    /// The depth of a contact over the half width of the smaller part along its normal.
    pub(super) fn overlap(&self, id: PairId, found: &ActiveContact, state: &State) -> f64 {
        let depth = -found.touch.gap;
        let width = |part| self.half_width(part, &found.touch.normal, state);
        let width = width(id.a).min(width(id.b));
        if depth > 0.0 && width.is_finite() { depth / width } else { 0.0 }
    }

    /// Whether [`Bodies::overlap`] may be more than `least`: no half width is less than half the shortest edge.
    pub(super) fn may_overlap(&self, id: PairId, found: &ActiveContact, least: f64) -> bool {
        -found.touch.gap * ROUNDING > least * self.part(id.a).least.min(self.part(id.b).least)
    }

    /// Whether [`Bodies::step_ratio`] may be more than `least`: (r × n)·I⁻¹(r × n) ≤ ∣r × n∣² ‖I⁻¹‖, without rotation
    /// and root.
    pub(super) fn may_be_unstable(
        &self,
        id: PairId,
        found: &ActiveContact,
        state: &State,
        [h, least]: [f64; 2],
    ) -> bool {
        let of = |part: PartId| self.inverse_mass_bound(part.body.0, found, state).unwrap_or(0.0);
        let w = of(id.a) + of(id.b);
        ROUNDING * 0.5 * h * h * found.force.elastic * w > (least * found.touch.gap).powi(2)
    }

    /// No less than the inverse mass that a contact sees of a free body.
    pub(super) fn inverse_mass_bound(
        &self,
        body: usize,
        found: &ActiveContact,
        state: &State,
    ) -> Option<f64> {
        let Known { free, stiffest, .. } = &self.bodies[body];
        let arm = found.force.point - state.motions[body].pose.position;
        let turning = arm.cross(&found.touch.normal).norm_squared() * stiffest;
        free.map(|(mass, _)| 1.0 / mass + turning)
    }

    /// The mass of a free body, and L of its inverse inertia LLᵀ in its own axes.
    pub(super) fn mass_and_root(&self, body: usize) -> Option<(f64, Mat3)> {
        let (mass, inverse) = self.bodies[body].free?;
        Some((mass, inverse.cholesky().map_or_else(Mat3::zeros, |root| root.l())))
    }

    /// The step over the longest one that is stable in a contact.
    pub(super) fn step_ratio(&self, id: PairId, found: &ActiveContact, state: &State, h: f64) -> f64 {
        let n = &found.touch.normal;
        let inverse_mass = |PartId { body: BodyId(body), .. }: PartId| {
            let Some((mass, inverse)) = self.bodies[body].free else { return 0.0 };
            let pose = &state.motions[body].pose;
            let turning = pose.vector_to_local(&(found.force.point - pose.position).cross(n));
            1.0 / mass + turning.dot(&(inverse * turning))
        };
        let w = inverse_mass(id.a) + inverse_mass(id.b);
        let depth = -found.touch.gap;
        if !(depth > 0.0) {
            return 0.0;
        }
        0.5 * h * (2.0 * found.force.elastic * w).sqrt() / depth
    }

    /// The free body that is deepest inside a half-space.
    pub(super) fn sunk(&self, state: &State) -> Option<Extreme> {
        let mut worst = None;
        for space in &self.half_spaces {
            let pose = &state.motions[space.part.body.0].pose;
            let normal = pose.vector_to_world(&space.normal);
            let offset = space.offset + normal.dot(&pose.position);
            for &part in &space.others {
                let half = self.half_width(part, &normal, state);
                let middle = state.motions[part.body.0].pose.compose(&self.part(part).pose).position;
                let value = (offset - normal.dot(&middle)) / half;
                let bodies = [part.body.0, space.part.body.0];
                Extreme::keep(&mut worst, Extreme { value, time: state.time, bodies });
            }
        }
        worst
    }

    /// The free body whose position is rounded most, against its size.
    pub(super) fn farthest(&self, state: &State) -> Option<Extreme> {
        let mut worst = None;
        for (body, (known, motion)) in self.bodies.iter().zip(&state.motions).enumerate() {
            let size = known.size();
            if known.free.is_some() && size > 0.0 {
                let value = f64::EPSILON * motion.pose.position.amax() / size;
                Extreme::keep(&mut worst, Extreme { value, time: state.time, bodies: [body; 2] });
            }
        }
        worst
    }

    fn part(&self, PartId { body: BodyId(body), index: part }: PartId) -> &Part {
        &self.bodies[body].parts[part]
    }

    fn half_width(&self, id: PartId, n: &Vec3, state: &State) -> f64 {
        let part = self.part(id);
        if !part.half.x.is_finite() {
            return f64::INFINITY;
        }
        let own = state.motions[id.body.0].pose.compose(&part.pose).vector_to_local(n);
        part.half.dot(&own.abs())
    }
}

impl Known {
    /// The greatest half edge of its parts' boxes.
    fn size(&self) -> f64 {
        let sizes = self.parts.iter().map(|part| part.half.amax()).filter(|size| size.is_finite());
        sizes.fold(0.0, f64::max)
    }
}

/// The half-spaces of a model, in the axes of their bodies, with the bounded parts of free bodies that may touch them.
fn half_spaces(model: &Model) -> Vec<HalfSpace> {
    let parts: Vec<PartId> = (0..model.bodies().len())
        .flat_map(|body| {
            (0..model.bodies()[body].parts.len()).map(move |part| PartId::new(BodyId(body), part))
        })
        .collect();
    let mut found = Vec::new();
    for &id in &parts {
        let part = &model.body(id.body).parts[id.index];
        let Shape::Plane(plane) = &part.shape else { continue };
        let normal = part.pose.vector_to_world(plane.normal());
        let offset = plane.offset() + normal.dot(&part.pose.position);
        let may_sink = |other: &&PartId| {
            let bounds = model.body(other.body).parts[other.index].shape.surface().bounds();
            model.body(other.body).is_free()
                && bounds.extents().iter().all(|x| x.is_finite())
                && model.pair(PairId::new(id, **other, 0)).is_some()
        };
        let others = parts.iter().filter(may_sink).copied().collect();
        found.push(HalfSpace { part: id, normal, offset, others });
    }
    found
}
