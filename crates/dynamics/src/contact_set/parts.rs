//! The parts of a model at an instant: placed in the world, queries between them, and the forces of their contacts.
//!
//! A workspace: it holds nothing that is not in the model or the state, only the parts at the poses last given.

use super::begin::rate_from_inside;
use super::face_cache::FaceCache;
use super::memory::ContactMemory;
use super::regions::RegionPair;
use crate::body::Motion;
use crate::error::Result;
use crate::load::LoadTangent;
use crate::model::{BodyId, Model, PairId, PartId, PartPair};
use rattleback_contact::law::ContactState;
use rattleback_contact::region::FrozenRegion;
use rattleback_contact::{
    Collider, Contact, ContactError, ContactForce, ContactQuery, ContactTangent, ForcePartials,
    IndentationPlace, Kinematics, Powers, Rates, Start, Touch, Twist, has_weights,
};
use rattleback_geom::nalgebra::SMatrix;
use rattleback_geom::surface::Shape;
use rattleback_geom::{Mat3, Vec3};

/// The parts of a model, placed.
#[derive(Debug, Clone)]
pub struct Parts {
    /// Per body, per part.
    parts: Vec<Vec<Placed>>,
    /// What the points of a pair share.
    face_cache: FaceCache,
}

#[derive(Debug, Clone)]
struct Placed {
    collider: Collider,
    twist: Twist,
}

/// A contact with its force.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ActiveContact {
    /// Where it is.
    pub touch: Touch,
    /// How the bodies move against each other.
    pub kinematics: Kinematics,
    /// The force.
    pub force: ContactForce,
    /// Where the energy goes.
    pub powers: Powers,
    /// The rate of the bristle's stretch in world axes, in m/s.
    pub bristle_rate: Vec3,
    /// The free torque on the second body per normal force, in m, of a region with a potential; zero for others.
    pub couple: Vec3,
}

impl ActiveContact {
    /// Force and torque about the point `origin` on A (side 0) or B (side 1), in world axes.
    pub fn wrench(&self, side: usize, origin: &Vec3) -> [Vec3; 2] {
        wrench(&self.force, side, origin)
    }

    /// The power that the elastic part F of the normal force gives back, −F δ̇, in W: the damping is the rest of it.
    pub(crate) fn given_back(&self) -> f64 {
        self.force.normal * self.kinematics.gap_rate + self.force.damped
    }

    /// Powers and the rate of the bristle, while the contact changes as `rates` says; without them nothing but its gap
    /// does.
    #[inline]
    fn take_rates(&mut self, pair: &PartPair, rates: Option<&Rates>, state: &ContactState) {
        let of_gap = || Rates::of_gap(self.kinematics.gap_rate);
        let rates = rates.map_or_else(of_gap, |rates| *rates);
        self.powers = self.force.powers(&rates);
        self.bristle_rate = match pair.law.has_bristle() {
            true => self.force.bristle_rate(&self.kinematics, &rates, state),
            false => Vec3::zeros(),
        };
    }
}

impl Parts {
    /// The parts of a model at the given motions.
    pub fn new(model: &Model, motions: &[Motion]) -> Self {
        let placed = |(body, motion): (&crate::model::BodyModel, &Motion)| {
            let part = |part: &crate::model::Part| {
                let (pose, twist) = motion.of_frame(&part.pose);
                Placed { collider: Collider { shape: part.shape.clone(), pose }, twist }
            };
            body.parts.iter().map(part).collect()
        };
        let parts = model.bodies().iter().zip(motions).map(placed).collect();
        Self { parts, face_cache: FaceCache::new() }
    }

    /// Moves the parts of all bodies.
    pub fn place_all(&mut self, model: &Model, motions: &[Motion]) {
        for (i, motion) in motions.iter().enumerate() {
            self.place(model, BodyId(i), motion);
        }
    }

    /// Moves the parts of a body.
    pub fn place(&mut self, model: &Model, body: BodyId, motion: &Motion) {
        for (placed, part) in self.parts[body.0].iter_mut().zip(&model.body(body).parts) {
            (placed.collider.pose, placed.twist) = motion.of_frame(&part.pose);
        }
    }

    /// Where the parts of a pair touch or come nearest.
    #[inline]
    pub fn touch(&self, pair: &PartPair, normal: Option<Vec3>) -> Result<Touch> {
        Ok(self.ask(pair, |query| query.touch(start(normal)))?)
    }

    /// How far the points of both bodies have to move at least, together, before the gap of a touch passes zero.
    pub(crate) fn least_way(&self, pair: &PartPair, touch: &Touch) -> f64 {
        self.ask(pair, |query| query.least_way(touch))
    }

    /// The contact that belongs to a touch of a pair at the present poses, with what the pair's law asks for.
    pub fn contact_at(&self, pair: &PartPair, touch: Touch) -> Result<Contact> {
        if !pair.law.asks_for_curvature() {
            return Ok(self.ask(pair, |query| query.contact_without_curvature(touch))?);
        }
        Ok(self.ask(pair, |query| query.contact(touch))?)
    }

    /// The contact of a pair, from a query that starts at a normal.
    pub fn contact(&self, pair: &PartPair, normal: Option<Vec3>) -> Result<Contact> {
        self.contact_at(pair, self.touch(pair, normal)?)
    }

    /// How the parts of a pair move against each other at a contact.
    #[inline]
    pub fn kinematics(&self, pair: &PartPair, touch: &Touch) -> Kinematics {
        let (a, b) = (self.part(pair.a), self.part(pair.b));
        Kinematics::new(&a.collider, &b.collider, touch, [&a.twist, &b.twist], pair.law.share())
    }

    /// The rate of the gap of a touch at the present poses, in m/s.
    pub(crate) fn gap_rate(&self, pair: &PartPair, touch: &Touch) -> f64 {
        let velocity = |part: &Placed, point: &Vec3| part.twist.at(&(point - part.collider.pose.position));
        let (a, b) = (self.part(pair.a), self.part(pair.b));
        touch.normal.dot(&(velocity(b, &touch.point_b) - velocity(a, &touch.point_a)))
    }

    /// The force of a contact at the present poses.
    pub fn apply_law_at(
        &self,
        pair: &PartPair,
        contact: &Contact,
        state: &ContactState,
    ) -> Result<ActiveContact> {
        let rates = self.rates(pair, contact)?;
        apply(pair, contact, self.kinematics(pair, &contact.touch), rates.as_ref(), state)
    }

    /// The same in the place of the force that a contact had.
    pub(crate) fn renew_force(
        &self,
        pair: &PartPair,
        contact: &Contact,
        state: &ContactState,
        found: &mut ActiveContact,
    ) -> Result<()> {
        let rates = self.rates(pair, contact)?;
        found.touch = contact.touch;
        found.kinematics = self.kinematics(pair, &contact.touch);
        found.force = pair.law.force(contact, &found.kinematics, state)?;
        found.take_rates(pair, rates.as_ref(), state);
        Ok(())
    }

    /// Whether the contact of a pair has weights that change as the bodies move.
    pub(crate) fn has_weights(&self, pair: &PartPair) -> bool {
        pair.feature.is_some() && has_weights(&self.collider(pair.a).shape, &self.collider(pair.b).shape)
    }

    /// How a contact changes, where its law asks for it.
    #[inline]
    fn rates(&self, pair: &PartPair, contact: &Contact) -> Result<Option<Rates>> {
        if !pair.law.asks_for_rates() {
            return Ok(None);
        }
        let motion = [&self.part(pair.a).twist, &self.part(pair.b).twist];
        Ok(Some(self.ask(pair, |query| query.rates(contact, motion))?))
    }

    /// What a contact remembers from the start of bodies that are placed inside each other.
    pub(crate) fn begin_inside(
        &self,
        model: &Model,
        pair: &PartPair,
        contact: &Contact,
    ) -> Result<ContactState> {
        let gap_rate = self.gap_rate(pair, &contact.touch);
        let begun = pair.law.begin(gap_rate)?;
        let stored = self.apply_law_at(pair, contact, &begun)?.force.elastic;
        let depth = -contact.touch.gap;
        let rate = rate_from_inside(model, pair, &contact.touch.normal, gap_rate, [depth, stored]);
        Ok(pair.law.begin(rate)?)
    }

    /// The contact of a pair with its force, from a query that starts at a normal.
    pub fn apply_law(
        &self,
        pair: &PartPair,
        state: &ContactState,
        normal: Option<Vec3>,
    ) -> Result<ActiveContact> {
        self.apply_law_at(pair, &self.contact(pair, normal)?, state)
    }

    /// The same without the rates of the contact: neither those of a bristle nor the power of a stiffness that changes.
    pub(crate) fn apply_law_without_rates(
        &self,
        pair: &PartPair,
        state: &ContactState,
        normal: Option<Vec3>,
    ) -> Result<ActiveContact> {
        let (touch, kinematics, force) = self.force_without_rates(pair, state, normal)?;
        let (powers, bristle_rate, couple) = (Powers::default(), Vec3::zeros(), Vec3::zeros());
        let mut found = ActiveContact { touch, kinematics, force, powers, bristle_rate, couple };
        found.take_rates(pair, None, state);
        Ok(found)
    }

    /// Where a pair touches, how it moves there, and its force, from a query that starts at a normal. Every evaluation
    /// of free bodies goes through here, and an answer is longer to copy than some of its parts to find.
    #[inline(always)]
    pub(crate) fn force_without_rates(
        &self,
        pair: &PartPair,
        state: &ContactState,
        normal: Option<Vec3>,
    ) -> Result<(Touch, Kinematics, ContactForce)> {
        let (touch, place) = self.ask(pair, |query| {
            let touch = query.touch(start(normal))?;
            let curvatures = match pair.law.asks_for_curvature() {
                true => query.relative_curvatures(&touch)?,
                false => None,
            };
            let place = IndentationPlace { gap: touch.gap, curvatures, weight: query.weight()? };
            Ok::<_, ContactError>((touch, place))
        })?;
        let kinematics = self.kinematics(pair, &touch);
        let force = pair.law.force_at(&place, &kinematics, state)?;
        Ok((touch, kinematics, force))
    }

    /// A region that is held, at the present poses, and how its parts move against each other.
    pub fn frozen_contact(&self, pair: &PartPair, frozen: &FrozenRegion) -> (Touch, Kinematics) {
        let touch = frozen.touch([&self.collider(pair.a).pose, &self.collider(pair.b).pose]);
        let mut kinematics = self.kinematics(pair, &touch);
        kinematics.gap_rate += frozen.couple().dot(&kinematics.angular_velocity);
        (touch, kinematics)
    }

    /// The gap of a region that is held and the rate at which it closes as a whole: how its parts meet.
    pub(crate) fn meeting(&self, pair: &PartPair, frozen: &FrozenRegion) -> [f64; 2] {
        let (touch, kinematics) = self.frozen_contact(pair, frozen);
        [touch.gap, kinematics.gap_rate - frozen.lever().dot(&kinematics.angular_velocity)]
    }

    /// A region that is held, with its force. Nothing but its gap changes.
    pub fn apply_law_frozen(
        &self,
        pair: &PartPair,
        frozen: &FrozenRegion,
        state: &ContactState,
    ) -> Result<ActiveContact> {
        let (touch, kinematics) = self.frozen_contact(pair, frozen);
        let mut found = apply(pair, &touch.into(), kinematics, None, state)?;
        found.couple = frozen.couple();
        found.force.torque += found.couple * found.force.normal;
        Ok(found)
    }

    /// All contacts that are remembered, with their forces, in declared order; takes the place of what is in `found`.
    pub fn apply_law_to_all(
        &self,
        model: &Model,
        pairs: &ContactMemory,
        found: &mut Vec<(PairId, ActiveContact)>,
    ) -> Result<()> {
        found.clear();
        let mut looked = None;
        for (&id, memory) in pairs.iter() {
            let (Some(contact), Some(pair)) = (&memory.contact, model.contact(id)) else { continue };
            if memory.region_point.is_none() {
                found.push((id, self.apply_law(&pair, contact, memory.normal)?));
            } else if looked.replace(id.parts()) != Some(id.parts()) {
                self.apply_law_to_regions(&pair, pairs, found)?;
            }
        }
        Ok(())
    }

    /// The regions of a pair that are remembered, with their forces.
    fn apply_law_to_regions(
        &self,
        pair: &PartPair,
        pairs: &ContactMemory,
        found: &mut Vec<(PairId, ActiveContact)>,
    ) -> Result<()> {
        let Some(mut region_pair) = RegionPair::new(pair, self) else { return Ok(()) };
        let poses = [pair.a, pair.b].map(|part| &self.part(part).collider.pose);
        let from = found.len();
        for (place, region_contact) in region_pair.look(self, pairs, 0.0)? {
            let pair = &PartPair { law: region_contact.law, ..*pair };
            let id = PairId::new(pair.a, pair.b, place);
            if let Some(contact) = pairs.get(&id).and_then(|memory| memory.contact) {
                found.push((id, self.apply_law_frozen(pair, &region_contact.freeze(poses), &contact)?));
            }
        }
        found[from..].sort_unstable_by_key(|(id, _)| *id);
        Ok(())
    }

    /// How the wrenches of a region that is held change, as far as that is symmetric: with J the motion of B's material
    /// against A's at the point where the force acts, JᵀDJ with the symmetric part of D = ∂f/∂u across the normal, and
    /// −N_δ rrᵀ with r = Jᵀn and the region's couple on the turns. Left out are the
    /// friction that follows the normal force, and the arms that turn. `follows` is by how much the bristle follows the
    /// slip, in s.
    pub fn symmetric_tangent(
        pair: &PartPair,
        found: &ActiveContact,
        state: &ContactState,
        origins: [&Vec3; 2],
        follows: f64,
    ) -> Result<LoadTangent> {
        let partials = pair.law.partials(&found.touch.into(), &found.kinematics, state)?;
        let ForcePartials { normal, friction, .. } = &partials;
        let (n, point) = (found.kinematics.normal, &found.force.point);
        let by_slip = friction.force.by_velocity + friction.force.by_bristle * follows;
        let plane = Mat3::identity() - n * n.transpose();
        let by_slip = plane * (by_slip + by_slip.transpose()) * plane * 0.5;
        let mut j = SMatrix::<f64, 3, 12>::zeros();
        for (side, sign) in [(0, -1.0), (1, 1.0)] {
            let arm = point - origins[side];
            j.fixed_columns_mut::<3>(6 * side).copy_from(&(Mat3::identity() * sign));
            j.fixed_columns_mut::<3>(6 * side + 3).copy_from(&(arm.cross_matrix() * -sign));
        }
        let mut gap = n.transpose() * j;
        for (column, sign) in [(3, -1.0), (9, 1.0)] {
            let mut turn = gap.fixed_columns_mut::<3>(column);
            turn += found.couple.transpose() * sign;
        }
        let pressed = gap.transpose() * gap;
        Ok(LoadTangent {
            by_pose: pressed * -normal.by_depth,
            by_twist: j.tr_mul(&(by_slip * j)) - pressed * normal.by_rate,
        })
    }

    /// How the wrenches of a contact about the points `origins` of A and B (their mass centres) change. With `moving`,
    /// the state from whose stretch a bristle moves on for a time h, it does so with the motion that changes. By poses
    /// of bodies that are not `asked` for nothing is said.
    pub fn tangent(
        &self,
        pair: &PartPair,
        found: &ActiveContact,
        state: &ContactState,
        (origins, asked): ([&Vec3; 2], [bool; 2]),
        moving: Option<(&ContactState, f64)>,
    ) -> Result<LoadTangent> {
        let (a, b) = (self.part(pair.a), self.part(pair.b));
        let (known, contact) = self.ask(pair, |query| {
            let known = query.contact(found.touch)?;
            Ok::<_, ContactError>((known, query.derivatives_by(&known, asked)?))
        })?;
        let twist = [&a.twist, &b.twist];
        let kinematics = found.kinematics.derivatives(&contact, twist, pair.law.share());
        let partials = |state: &ContactState| pair.law.partials(&known, &found.kinematics, state);
        let mut own = partials(state)?.tangent(&contact, &found.kinematics, &kinematics, state);
        if let Some((before, h)) = moving {
            let rate = partials(before)?.friction.bristle_rate;
            let by_slip = own.by_bristle * rate.by_velocity * h;
            let by_normal = own.by_bristle * rate.by_normal_force * h;
            own.by_pose += by_slip * kinematics.slip_by_pose + by_normal * own.normal_by_pose;
            own.by_twist += by_slip * kinematics.slip_by_twist + by_normal * own.normal_by_twist;
        }
        Ok(shifted(&own, [&a.collider, &b.collider], twist, &found.force.force, origins))
    }

    #[inline]
    fn query(&self, pair: &PartPair) -> ContactQuery<'_> {
        let (a, b) = (self.collider(pair.a), self.collider(pair.b));
        ContactQuery { a, b, feature: pair.feature, faces: None }
    }

    /// Asks a pair at the present poses; what its points share is found once.
    #[inline(always)]
    fn ask<T>(&self, pair: &PartPair, question: impl FnOnce(&ContactQuery<'_>) -> T) -> T {
        let query = self.query(pair);
        let is_plane = |collider: &Collider| matches!(collider.shape, Shape::Plane(_));
        // On half-spaces points share nothing.
        if pair.feature.is_none() || is_plane(query.a) || is_plane(query.b) {
            return question(&query);
        }
        let slot = self.face_cache.slot(pair, query.a, query.b);
        question(&ContactQuery { faces: slot.as_ref().and_then(|slot| slot.faces.as_ref()), ..query })
    }

    /// A part where it is.
    #[inline]
    pub fn collider(&self, part: PartId) -> &Collider {
        &self.part(part).collider
    }

    /// How a part's frame moves.
    pub fn twist(&self, part: PartId) -> &Twist {
        &self.part(part).twist
    }

    #[inline]
    fn part(&self, PartId { body, index: part }: PartId) -> &Placed {
        &self.parts[body.0][part]
    }
}

/// What a pair's law makes of a contact. Without `rates` nothing but its gap changes.
fn apply(
    pair: &PartPair,
    contact: &Contact,
    kinematics: Kinematics,
    rates: Option<&Rates>,
    state: &ContactState,
) -> Result<ActiveContact> {
    let force = pair.law.force(contact, &kinematics, state)?;
    let (touch, powers, bristle_rate, couple) =
        (contact.touch, Powers::default(), Vec3::zeros(), Vec3::zeros());
    let mut found = ActiveContact { touch, kinematics, force, powers, bristle_rate, couple };
    found.take_rates(pair, rates, state);
    Ok(found)
}

/// Force and torque about the point `origin` on A (side 0) or B (side 1), in world axes.
#[inline]
pub(crate) fn wrench(force: &ContactForce, side: usize, origin: &Vec3) -> [Vec3; 2] {
    let sign = if side == 0 { -1.0 } else { 1.0 };
    let arm = force.point - origin;
    [force.force * sign, (arm.cross(&force.force) + force.torque) * sign]
}

fn start(normal: Option<Vec3>) -> Start {
    normal.map_or(Start::Cold, Start::Warm)
}

/// The tangent of a contact, given for the frames of the parts, for frames of the bodies.
///
/// With o from a body's origin to its part's: dx_o = dx + θ × o, v_o = v + ω × o and τ = τ_o + o × f, hence with
/// T = [1, −[o]; 0, 1] and S = [1, 0; [o], 1] per body (square brackets for the cross product's matrix)
///
///   by_pose = S (by_pose_o T + by_twist_o D) + E,   by_twist = S by_twist_o T
///
/// where D = −[ω][o] in (v, θ) comes from the turning arm in v_o, and E = [f][o] in (τ, θ) from that in τ.
fn shifted(
    own: &ContactTangent,
    parts: [&Collider; 2],
    twist: [&Twist; 2],
    force: &Vec3,
    origins: [&Vec3; 2],
) -> LoadTangent {
    let offset = [0, 1].map(|side: usize| parts[side].pose.position - origins[side]);
    if offset == [Vec3::zeros(); 2] {
        return LoadTangent { by_pose: own.by_pose, by_twist: own.by_twist };
    }
    // Block by block: all but the angular columns and rows stay as they are.
    let (mut by_pose, mut by_twist) = (own.by_pose, own.by_twist);
    for side in 0..2 {
        let (o, x, w) = (offset[side].cross_matrix(), 6 * side, 6 * side + 3);
        let turning = twist[side].angular_velocity.cross_matrix() * o;
        let (linear_by_pose, linear_by_twist) =
            (own.by_pose.fixed_columns::<3>(x), own.by_twist.fixed_columns::<3>(x));
        let mut columns = by_pose.fixed_columns_mut::<3>(w);
        columns -= linear_by_pose * o + linear_by_twist * turning;
        let mut columns = by_twist.fixed_columns_mut::<3>(w);
        columns -= linear_by_twist * o;
    }
    for side in 0..2 {
        let (o, x, w) = (offset[side].cross_matrix(), 6 * side, 6 * side + 3);
        for tangent in [&mut by_pose, &mut by_twist] {
            let moved = o * tangent.fixed_rows::<3>(x);
            let mut rows = tangent.fixed_rows_mut::<3>(w);
            rows += moved;
        }
        let mut block = by_pose.fixed_view_mut::<3, 3>(w, w);
        block += force.cross_matrix() * o * if side == 0 { -1.0 } else { 1.0 };
    }
    LoadTangent { by_pose, by_twist }
}
