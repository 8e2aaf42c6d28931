//! What an engine can move, told before the run.
//!
//! | | `explicit`, `stiff` | `many` | `mechanism` | `rolling` |
//! |---|---|---|---|---|
//! | joints, their actions, windlasses | – | – | yes | – |
//! | bodies with one point of contact: every pair that the narrow phase knows | yes | yes | yes | surfaces by charts |
//! | pairs that press in regions: meshes, links on planes and meshes | – | yes | yes | – |
//! | prescribed bodies, applied forces | yes | yes | yes | yes |
//!
//! Regions are found anew at every pose and come and go with them: what they exert is not smooth, which steps of high
//! order that adapt to their error need. Joints are constraints, which take equations of another kind. What a pair
//! needs is not written here a second time: one pair of each kind is asked, as the run would ask it.

use crate::error::{DynamicsError, Result};
use crate::force;
use crate::model::{BodyId, Model, PairId, PartId, PartPair, SurfaceId};
use crate::run::Scheme;
use crate::simulation::Method;
use rattleback_contact::law::RegionLaw;
use rattleback_contact::region::{has_contours, has_regions};
use rattleback_contact::{
    Collider, ContactError, Start, Twist, contact_at, derivatives, feature_count, narrow, rates,
};
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::surface::Shape;
use rattleback_geom::{Pose, Vec3};
use std::collections::BTreeMap;

/// Something in a model that an engine cannot move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unsupported {
    /// What it is.
    pub what: String,
    /// Why it cannot be moved.
    pub reason: String,
    /// The engines that can, by their names in scenes.
    pub engines: Vec<&'static str>,
}

impl std::fmt::Display for Unsupported {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.what, self.reason)?;
        match &self.engines[..] {
            [] => write!(f, "; no solver can"),
            [one] => write!(f, "; the solver \"{one}\" can"),
            several => write!(f, "; the solvers \"{}\" can", several.join("\", \"")),
        }
    }
}

/// The engines, by their names in scenes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Engine {
    Explicit,
    Stiff,
    Many,
    Mechanism,
    Rolling,
}

impl Engine {
    const ALL: [Self; 5] = [Self::Explicit, Self::Stiff, Self::Many, Self::Mechanism, Self::Rolling];

    fn name(self) -> &'static str {
        match self {
            Self::Explicit => "explicit",
            Self::Stiff => "stiff",
            Self::Many => "many",
            Self::Mechanism => "mechanism",
            Self::Rolling => "rolling",
        }
    }
}

impl Scheme {
    fn engine(&self) -> Engine {
        match self {
            Self::Free { method: Method::Explicit, .. } => Engine::Explicit,
            Self::Free { method: Method::Stiff, .. } => Engine::Stiff,
            Self::Many { .. } => Engine::Many,
            Self::Mechanism(_) => Engine::Mechanism,
            Self::Rolling(_) => Engine::Rolling,
        }
    }

    /// Its name in scenes.
    pub fn name(&self) -> &'static str {
        self.engine().name()
    }

    /// All that it cannot do of a model; nothing where it can do it all.
    pub fn unsupported(&self, model: &Model) -> Vec<Unsupported> {
        let engine = self.engine();
        let mut found = jointed(model, engine);
        for pair in model.pair_kinds() {
            if let Err(reason) = supports_pair(model, &pair, engine) {
                let can = |other: &Engine| supports_pair(model, &pair, *other).is_ok();
                let others =
                    Engine::ALL.into_iter().filter(can).filter(|other| jointed(model, *other).is_empty());
                let [a, b] = [pair.a, pair.b].map(|part| described(model, part));
                found.push(Unsupported {
                    what: format!("{a} against {b}"),
                    reason,
                    engines: others.map(Engine::name).collect(),
                });
            }
        }
        found
    }

    /// Refuses a model that it cannot move, with the first reason.
    pub fn supports(&self, model: &Model) -> Result<()> {
        match self.unsupported(model).into_iter().next() {
            Some(what) => Err(DynamicsError::Unsupported { scheme: self.name(), what }),
            None => Ok(()),
        }
    }
}

fn described(model: &Model, PartId { body, index: part }: PartId) -> String {
    let body = &model.bodies()[body.0];
    format!("the {} of body \"{}\"", body.parts[part].shape.surface().kind(), body.name)
}

/// What constraints and memory ask of an engine.
fn jointed(model: &Model, engine: Engine) -> Vec<Unsupported> {
    if engine == Engine::Mechanism {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut refuse = |what: String, reason: &str| {
        let engines = vec![Engine::Mechanism.name()];
        found.push(Unsupported { what, reason: reason.to_owned(), engines });
    };
    if let Some(joint) = model.joints().first() {
        refuse(format!("joint \"{}\"", joint.name), "this engine moves bodies without joints");
    }
    if force::count(model.forces()) > 0 {
        refuse("windlass".to_owned(), "this engine does not move what windlasses have veered");
    }
    found
}

/// Whether an engine knows the contact of a pair; the reason where it does not.
fn supports_pair(model: &Model, pair: &PartPair, engine: Engine) -> std::result::Result<(), String> {
    let parts = [pair.a, pair.b].map(|PartId { body, index: part }| &model.bodies()[body.0].parts[part]);
    let [a, b] = parts.map(|part| &part.shape);
    if engine == Engine::Rolling {
        if matches!((a, b), (Shape::Plane(_), Shape::Plane(_))) {
            return Err("half-spaces do not roll on each other".to_owned());
        }
        let is_flat = |shape: &Shape| greatest_exponent(shape).is_some() && feature_count(a, b, false) > 1;
        if is_flat(a) || is_flat(b) {
            return Err("its faces are all but flat, on which nothing rolls".to_owned());
        }
        return match parts.iter().find(|part| part.shape.surface().as_atlas().is_none()) {
            Some(part) => Err(format!("a {} has edges, on which nothing rolls", part.shape.surface().kind())),
            None => Ok(()),
        };
    }
    let asks_for_curvature = pair.law.asks_for_curvature();
    if asks_for_curvature && let Some(reason) = never_curved(a, b) {
        return Err(format!(
            "{reason}, and Hertz's theory asks for a curvature; give the contact a `stiffness`"
        ));
    }
    if pair.law.regions() != RegionLaw::Energy && !has_contours(a, b) {
        let reason = "`regions` is for overlaps with a contour, of meshes, boxes with true edges, and meshes on half-spaces; give \
                      other pairs an entry of `contacts` of their own";
        return Err(reason.to_owned());
    }
    if has_regions(a, b) {
        return match engine {
            Engine::Many | Engine::Mechanism => Ok(()),
            _ => {
                Err("they press in regions that come and go, which this engine's steps cannot resolve"
                    .to_owned())
            }
        };
    }
    if let ((Shape::Plane(_), body) | (body, Shape::Plane(_)), true) = ((a, b), asks_for_curvature)
        && greatest_exponent(body).is_some_and(|exponent| exponent > FLATTEST)
    {
        return Err(
            "its flat spots have no curvature, which Hertz's theory asks for; give the contact a `stiffness`"
                .to_owned(),
        );
    }
    let is_sharp = |shape: &Shape| !matches!(shape, Shape::Mesh(_)) && shape.mesh().is_some();
    if asks_for_curvature && (is_sharp(a) || is_sharp(b)) {
        return Err(
            "an edge has no curvature, which Hertz's theory asks for; give the contact a `stiffness` or \
                    the body a `rounding`"
                .to_owned(),
        );
    }
    match probe(pair, a, b, engine) {
        Err(ContactError::Unsupported { reason, .. }) => Err(reason.to_owned()),
        _ => Ok(()),
    }
}

/// Why two bodies touch nowhere in a point of both of whose sides curvatures are known.
fn never_curved(a: &Shape, b: &Shape) -> Option<&'static str> {
    match (a, b) {
        _ if has_regions(a, b) => Some("they press in regions, which have none"),
        (Shape::Plane(_), Shape::Cylinder(_) | Shape::Frustum(_))
        | (Shape::Cylinder(_) | Shape::Frustum(_), Shape::Plane(_)) => {
            Some("they touch in a face, along a line or with an edge")
        }
        _ => None,
    }
}

/// Whether two bodies may touch with an edge, in a face or along a line, where Hertz's theory has no stiffness.
fn may_lack_curvature(a: &Shape, b: &Shape) -> bool {
    let has_edges = |shape: &Shape| match shape {
        Shape::Cylinder(_) | Shape::Frustum(_) | Shape::HalfTorus(_) | Shape::Superhyperboloid(_) => true,
        Shape::Quadric(body) => body.cap_count() > 0,
        _ => false,
    };
    let lies = matches!((a, b), (Shape::Plane(_), Shape::Torus(_)) | (Shape::Torus(_), Shape::Plane(_)));
    has_edges(a) || has_edges(b) || lies
}

/// The exponent up to which Hertz's theory is asked at the flat spots of superellipsoids and superquadrics on a
/// half-space: the curvature there grows as ξⁿ⁻², and the stiffness as ξ^{−(n−2)/4}, without a bound that steps can
/// resolve beyond.
const FLATTEST: f64 = 3.0;

/// The greatest exponent of a superellipsoid or a superquadric.
fn greatest_exponent(shape: &Shape) -> Option<f64> {
    match shape {
        Shape::Superellipsoid(body) => Some(body.exponents().into_iter().fold(0.0, f64::max)),
        Shape::Superquadric(body) => Some(body.exponents().into_iter().fold(0.0, f64::max)),
        _ => None,
    }
}

/// Asks a pair somewhere what the run will ask it.
fn probe(pair: &PartPair, a: &Shape, b: &Shape, engine: Engine) -> rattleback_contact::Result<()> {
    let radius = |shape: &Shape| {
        let bounds = shape.surface().bounds();
        let radius = bounds.min.abs().sup(&bounds.max.abs()).norm();
        if radius.is_finite() { radius } else { 1.0 }
    };
    // Apart, in a direction and an attitude that no shape prefers.
    let far = Vec3::new(0.48, 0.36, 0.8) * (1.25 * (radius(a) + radius(b)));
    let turned = UnitQuaternion::from_scaled_axis(Vec3::new(0.31, -0.22, 0.17));
    let a = Collider::new(a.clone(), Pose::identity());
    let b = Collider::new(b.clone(), Pose::new(far, turned));
    let touch = narrow::touch(&a.shape, &a.pose, &b.shape, &b.pose, Start::Cold)?;
    let contact = contact_at(&a, &b, touch)?;
    if pair.law.asks_for_rates() {
        let still = Twist::zero();
        rates(&a, &b, &contact, [&still, &still])?;
    }
    if engine == Engine::Mechanism {
        derivatives(&a, &b, &contact)?;
    }
    Ok(())
}

impl Model {
    /// Kinds of parts whose law takes its stiffness from their curvatures, and that may touch where they have none,
    /// with an edge, in a face or along a line: runs end there. Each by its parts' shapes and bodies.
    pub fn pairs_with_edges(&self) -> Vec<[String; 2]> {
        let mut found = Vec::new();
        for pair in self.pair_kinds() {
            let part = |PartId { body, index }: PartId| &self.bodies()[body.0].parts[index].shape;
            if pair.law.asks_for_curvature() && may_lack_curvature(part(pair.a), part(pair.b)) {
                found.push([described(self, pair.a), described(self, pair.b)]);
            }
        }
        found
    }

    /// One pair of parts that may touch for every kind of surfaces and shapes that do.
    fn pair_kinds(&self) -> Vec<PartPair> {
        let mut kinds: BTreeMap<(SurfaceId, &'static str), Vec<PartId>> = BTreeMap::new();
        for (i, body) in self.bodies().iter().enumerate() {
            for (k, part) in body.parts.iter().enumerate() {
                let list = kinds.entry((part.surface, part.shape.surface().kind())).or_default();
                list.push(PartId::new(BodyId(i), k));
            }
        }
        // Bodies of one group, free or not, meet the same others: two of each such class stand for all of them.
        let lists: Vec<(SurfaceId, Vec<PartId>)> =
            kinds.iter().map(|((surface, _), parts)| (*surface, self.two_of_each_class(parts))).collect();
        let mut found = Vec::new();
        for (i, (surface, one)) in lists.iter().enumerate() {
            for (_, other) in lists[i..].iter().filter(|(other, _)| self.law(*surface, *other).is_some()) {
                let mut pairs = one.iter().flat_map(|&a| other.iter().map(move |&b| PairId::new(a, b, 0)));
                found.extend(pairs.find_map(|id| self.pair(id)));
            }
        }
        found
    }
}
