//! How a model is put together, and what is checked: every error names the body, the joint or the surface at fault.

use super::excluded_pairs::ExcludedPairs;
use super::{BodyId, BodyModel, Model, SurfaceId, first_motions};
use crate::body::Motion;
use crate::error::{DynamicsError, Result, finite};
use crate::force::Force;
use crate::joint::{Joint, JointAction, JointId};
use rattleback_contact::law::ContactLaw;
use rattleback_contact::proximity::Proximity;
use rattleback_geom::surface::Plane;
use rattleback_geom::{Pose, Vec3};
use std::collections::{BTreeMap, BTreeSet};

/// A model in the making.
#[derive(Debug, Clone, Default)]
pub struct ModelBuilder {
    gravity: Vec3,
    bodies: Vec<BodyModel>,
    joints: Vec<Joint>,
    actions: Vec<JointAction>,
    forces: Vec<Force>,
    surfaces: Vec<String>,
    laws: BTreeMap<(SurfaceId, SurfaceId), ContactLaw>,
    excluded_pairs: ExcludedPairs,
    proximity: Proximity,
}

impl ModelBuilder {
    /// Sets the acceleration of gravity in world axes, in m/s²; none by default.
    pub fn gravity(&mut self, gravity: impl Into<Vec3>) -> &mut Self {
        self.gravity = gravity.into();
        self
    }

    /// Declares a kind of surface.
    pub fn surface(&mut self, name: impl Into<String>) -> SurfaceId {
        self.surfaces.push(name.into());
        SurfaceId(self.surfaces.len() - 1)
    }

    /// Declares a kind of surface with the law between two of its kind.
    pub fn surface_with(&mut self, name: impl Into<String>, law: ContactLaw) -> SurfaceId {
        let surface = self.surface(name);
        self.law(surface, surface, law);
        surface
    }

    /// Sets the law between two kinds of surface. The law's A is the surface of the body declared first.
    pub fn law(&mut self, one: SurfaceId, other: SurfaceId, law: ContactLaw) -> &mut Self {
        self.laws.insert((one.min(other), one.max(other)), law);
        self
    }

    /// Adds the ground z ≤ 0 as a fixed body called "floor".
    pub fn floor(&mut self, surface: SurfaceId) -> BodyId {
        self.body(BodyModel::fixed("floor").with_part(Plane::ground(), Pose::identity(), surface))
    }

    /// Adds a body.
    pub fn body(&mut self, body: BodyModel) -> BodyId {
        self.bodies.push(body);
        BodyId(self.bodies.len() - 1)
    }

    /// The first motions of the bodies so far, at time zero.
    pub fn motions(&self) -> Vec<Motion> {
        first_motions(&self.bodies)
    }

    /// Adds a joint.
    pub fn joint(&mut self, joint: Joint) -> JointId {
        self.joints.push(joint);
        JointId(self.joints.len() - 1)
    }

    /// Adds an action on a joint: a motor, a spring, friction, limits.
    pub fn action(&mut self, action: JointAction) -> &mut Self {
        self.actions.push(action);
        self
    }

    /// Adds an applied force.
    pub fn force(&mut self, force: Force) -> &mut Self {
        self.forces.push(force);
        self
    }

    /// Two bodies that never touch each other, whatever their surfaces.
    pub fn exclude_contact(&mut self, one: BodyId, other: BodyId) -> &mut Self {
        self.excluded_pairs.insert(one, other);
        self
    }

    /// Bodies none of which ever touches another one of them, whatever their surfaces: links of a chain.
    pub fn exclude_contacts_among(&mut self, bodies: &[BodyId]) -> &mut Self {
        self.excluded_pairs.insert_all(bodies);
        self
    }

    /// What is asked of pairs whose boxes share points before their normal is sought; nothing more by default.
    pub fn proximity(&mut self, proximity: Proximity) -> &mut Self {
        self.proximity = proximity;
        self
    }

    /// The model, checked.
    pub fn build(&self) -> Result<Model> {
        for k in 0..3 {
            finite(&format!("gravity[{k}]"), self.gravity[k])?;
        }
        let mut names = BTreeSet::new();
        for body in &self.bodies {
            if !names.insert(&body.name) {
                return Err(DynamicsError::Invalid {
                    what: format!("body {}", body.name),
                    reason: "the name is taken already".to_owned(),
                });
            }
            self.check_body(body)?;
        }
        if let Some(unknown) = self.excluded_pairs.bodies().find(|body| body.0 >= self.bodies.len()) {
            return Err(DynamicsError::Invalid {
                what: "bodies kept apart".to_owned(),
                reason: format!("body number {} does not exist", unknown.0),
            });
        }
        for joint in &self.joints {
            joint.check(&self.bodies)?;
        }
        for action in &self.actions {
            action.check(&self.joints)?;
        }
        for force in &self.forces {
            force.check(&self.bodies)?;
        }
        Ok(Model {
            gravity: self.gravity,
            bodies: self.bodies.clone(),
            joints: self.joints.clone(),
            actions: self.actions.clone(),
            forces: self.forces.clone(),
            laws: self.laws.clone(),
            excluded_pairs: self.excluded_pairs.clone(),
            proximity: self.proximity,
        })
    }

    fn check_body(&self, body: &BodyModel) -> Result<()> {
        let named = |field: &str| format!("{field} of body {}", body.name);
        for part in &body.parts {
            if part.surface.0 >= self.surfaces.len() {
                return Err(DynamicsError::Invalid {
                    what: format!("body {}", body.name),
                    reason: format!("its surface number {} is not declared", part.surface.0),
                });
            }
        }
        if !body.is_free() {
            return Ok(());
        }
        let mass = body.body.mass;
        if !(mass > 0.0 && mass.is_finite()) {
            return Err(DynamicsError::OutOfRange {
                field: named("mass"),
                value: mass,
                allowed: "above zero and finite",
            });
        }
        let inertia = body.body.inertia;
        let skew = (inertia - inertia.transpose()).amax();
        if !(skew <= 1e-12 * inertia.amax()) {
            return Err(DynamicsError::Invalid {
                what: named("inertia"),
                reason: "the matrix is not symmetric, or not of numbers".to_owned(),
            });
        }
        let mut moments: Vec<f64> = inertia.symmetric_eigenvalues().iter().copied().collect();
        moments.sort_by(f64::total_cmp);
        // A plate has I₃ = I₁ + I₂; rounding may put it just beyond.
        if !(moments[0] > 0.0 && moments[2] <= (moments[0] + moments[1]) * (1.0 + 1e-9)) {
            return Err(DynamicsError::Invalid {
                what: named("inertia"),
                reason: format!(
                    "principal moments {:e}, {:e}, {:e} belong to no body: each must be above zero and none above the sum of the others",
                    moments[0], moments[1], moments[2]
                ),
            });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Body;
    use crate::model::{PairId, PartId};
    use rattleback_contact::law::normal::{Hysteresis, Rule};
    use rattleback_contact::material::Stiffness;
    use rattleback_geom::Mat3;
    use rattleback_geom::surface::Sphere;

    fn body(mass: f64, moments: [f64; 3]) -> Body {
        Body { mass, inertia: Mat3::from_diagonal(&moments.into()) }
    }

    #[test]
    fn pairs_have_a_law_one_free_body_and_the_order_of_declaration() {
        let mut builder = Model::builder();
        let (steel, wood) = (builder.surface("steel"), builder.surface("wood"));
        let normal = Hysteresis::new(Rule::Exact, 0.5, 1.5).unwrap();
        builder.law(wood, steel, ContactLaw::new(Stiffness::given(1e5).unwrap(), normal).unwrap());
        let ball = || Sphere::new(0.1).unwrap();
        let floor = builder.body(BodyModel::fixed("floor").with_part(ball(), Pose::identity(), wood));
        let wall = builder.body(BodyModel::fixed("wall").with_part(ball(), Pose::identity(), steel));
        let first = builder.body(
            BodyModel::free("first", body(1.0, [1.0; 3]))
                .with_part(ball(), Pose::identity(), steel)
                .with_part(ball(), Pose::identity(), wood),
        );
        let second = builder.body(BodyModel::free("second", body(1.0, [1.0; 3])).with_part(
            ball(),
            Pose::identity(),
            steel,
        ));
        builder.exclude_contact(second, floor);
        let model = builder.build().unwrap();
        let found: Vec<_> =
            model.all_pairs().iter().map(|p| [p.a, p.b].map(|part| (part.body, part.index))).collect();
        assert_eq!(found, [[(floor, 0), (first, 0)], [(wall, 0), (first, 1)], [(first, 1), (second, 0)]]);
        assert_eq!(model.find("second"), Some(second));
    }

    #[test]
    fn bodies_that_cannot_be_are_refused_by_name() {
        for (bad, said) in [
            (body(0.0, [1.0; 3]), "mass of body top = 0"),
            (body(f64::NAN, [1.0; 3]), "mass of body top = NaN"),
            (body(1.0, [1.0, 1.0, 3.0]), "inertia of body top"),
            (body(1.0, [-1.0, 1.0, 1.0]), "inertia of body top"),
            (body(1.0, [f64::NAN, 1.0, 1.0]), "inertia of body top"),
        ] {
            let mut builder = Model::builder();
            builder.body(BodyModel::free("top", bad));
            let message = builder.build().unwrap_err().to_string();
            assert!(message.starts_with(said), "{message}");
        }
        let mut builder = Model::builder();
        builder.body(BodyModel::fixed("twin"));
        builder.body(BodyModel::fixed("twin"));
        assert!(builder.build().unwrap_err().to_string().contains("taken already"));
    }

    #[test]
    fn bodies_and_parts_that_there_are_not_are_refused_or_no_pair() {
        let mut builder = Model::builder();
        let law = rattleback_contact::law::stiffness(1e5).unwrap();
        let surface = builder.surface_with("wood", law);
        let floor = builder.floor(surface);
        let ball = BodyModel::solid("ball", Sphere::new(0.1).unwrap(), 1.0, surface).unwrap();
        let ball = builder.body(ball);
        let model = builder.build().unwrap();
        let pair = |a: BodyId, i: usize, b: BodyId, k: usize| {
            model.pair(PairId::new(PartId::new(a, i), PartId::new(b, k), 0))
        };
        assert!(pair(floor, 0, ball, 0).is_some());
        assert!(pair(floor, 0, BodyId(2), 0).is_none() && pair(floor, 1, ball, 0).is_none());
        assert_eq!(model.get(ball).map(|body| body.name.as_str()), Some("ball"));
        assert!(model.get(BodyId(2)).is_none());
        for wrong in [&[ball, BodyId(7)][..], &[BodyId(7), BodyId(8), floor][..]] {
            let mut builder = builder.clone();
            if wrong.len() == 2 {
                builder.exclude_contact(wrong[0], wrong[1]);
            } else {
                builder.exclude_contacts_among(wrong);
            }
            let message = builder.build().unwrap_err().to_string();
            assert_eq!(message, "bodies kept apart: body number 7 does not exist");
        }
    }

    #[test]
    fn the_first_state_has_the_motions_that_bodies_were_declared_with() {
        use crate::model::{Freedom, Harmonic, PrescribedMotion};
        let mut builder = Model::builder();
        let surface = builder.surface("wood");
        let ball = BodyModel::solid("ball", Sphere::new(0.1).unwrap(), 1.0, surface).unwrap();
        let high = Pose::from_position(0.0, 0.0, 3.0);
        builder.floor(surface);
        let ball = builder.body(ball.at(high).with_velocity([1.0, 2.0, 3.0]));
        let term = Harmonic { freedom: Freedom::Heave, amplitude: 0.05, frequency: 5.0, phase: 0.0 };
        let prescribed = PrescribedMotion::harmonic(Pose::identity(), &[term]).unwrap();
        let expected = prescribed.at(0.0).motion;
        let plate = builder.body(BodyModel::prescribed("plate", prescribed).at(high));
        let state = builder.build().unwrap().initial_state();
        assert_eq!((state.time, state.motions.len()), (0.0, 3));
        assert_eq!(state.motions[ball.0].pose, high);
        assert_eq!(state.motions[ball.0].velocity, Vec3::new(1.0, 2.0, 3.0));
        assert_eq!(state.motions[plate.0], expected);
    }
}
