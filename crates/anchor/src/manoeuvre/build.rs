//! The model of a manoeuvre and its first state.

use super::lead::Lead;
use super::parts::weighed;
use super::{Bow, Manoeuvre};
use rattleback_contact::law::ContactLaw;
use rattleback_contact::law::friction::Bristle;
use rattleback_contact::law::normal::{Hysteresis, Rule as Restitution};
use rattleback_contact::material::Stiffness;
use rattleback_contact::region::MeshMesh;
use rattleback_dynamics::chain::{Chain, ChainEnd, ChainFriction, ChainIds, EndJoint, LinkKind, LinkRun};
use rattleback_dynamics::force::{End, Force, Windlass};
use rattleback_dynamics::joint::{Action, Freedom, Joint, JointAction, JointFrame, JointId, JointKind};
use rattleback_dynamics::mechanism::{Rule, Settings, Step};
use rattleback_dynamics::model::{BodyId, BodyModel, Model, ModelBuilder, SurfaceId};
use rattleback_dynamics::{DynamicsError, Motion, Result, State};
use rattleback_geom::nalgebra::{Matrix3, Rotation3, UnitQuaternion};
use rattleback_geom::surface::Mesh;
use rattleback_geom::{Pose, Vec3};

/// Standard gravity, in m/s².
const GRAVITY: f64 = 9.81;
/// Density of the chain's steel, in kg/m³.
const STEEL: f64 = 7850.0;
/// Pull per strain of a chain over the square of its diameter, in Pa: two bars of steel that also bend.
const CHAIN_MODULUS: f64 = 4e10;
/// The bristle that holds bodies which stick: its stiffness in N/m, at which a load of some tonnes slips by a
/// millimetre, and its damping in N s/m.
const BRISTLE: [f64; 2] = [2e7, 2e4];
/// The rate below which friction between links levels off, in rad/s.
const SLOW_TURN: f64 = 0.05;
/// The longest step, in s.
const STEP: f64 = 2e-3;

/// The steps in which the hanging chain is leant outboard until the anchor is clear of the hull, in rad, and how many.
const OUTWARD: (f64, u32) = (0.02, 40);

/// How all hangs at the start.
struct Start {
    lead: Lead,
    down: Vec3,
    chain: Chain,
    /// Where the chain begins and ends.
    ends: [Vec3; 2],
    /// The frames of shank and head.
    poses: [Pose; 2],
}

/// A manoeuvre as a model, and the ids of its parts.
#[derive(Debug, Clone)]
pub struct Rig {
    /// The model.
    pub model: Model,
    /// Its first state.
    pub state: State,
    /// The bow's body.
    pub hull: BodyId,
    /// The head of the anchor.
    pub head: BodyId,
    /// Its shank.
    pub shank: BodyId,
    /// The chain.
    pub chain: ChainIds,
    /// The pin.
    pub pin: JointId,
    /// The windlass.
    pub windlass: Windlass,
    /// The bow.
    pub bow: Bow,
    /// From pin to shackle, in m.
    pub shank_length: f64,
    /// The pin in the frames of head and shank.
    pub pins: [Vec3; 2],
}

impl Rig {
    /// How its motion is integrated: a rule that damps what is faster than the steps.
    pub fn settings() -> Settings {
        Settings {
            rule: Rule::GeneralizedAlpha { rho: 0.6 },
            step: Step::Fixed(STEP),
            tolerance: 1e-8,
            iterations: 40,
            halvings: 8,
            ..Settings::default()
        }
    }
}

impl Manoeuvre {
    /// The model and its first state.
    pub fn build(&self) -> Result<Rig> {
        self.check()?;
        let mut builder = Model::builder();
        builder.gravity(Vec3::new(0.0, 0.0, -GRAVITY));
        let [steel, cable, anchor] = ["hull", "chain", "anchor"].map(|name| builder.surface(name));
        let law = self.law()?;
        builder.law(steel, cable, law);
        builder.law(steel, anchor, law);
        if self.chain_on_anchor {
            builder.law(cable, anchor, law);
        }
        let Start { lead, down, mut chain, ends, poses } = self.start()?;
        let mut motions = Vec::new();
        let hull = self.add_hull(steel, &mut builder, &mut motions);
        let [shank, head] = self.add_anchor(anchor, poses, &mut builder, &mut motions)?;
        let shackle = motions[shank.0].pose.point_to_local(&ends[1]);
        chain.to = Some(ChainEnd { body: shank, point: Some(shackle), joint: EndJoint::Universal });
        if let Some(last) = chain.path.last_mut() {
            *last = ends[1];
        }
        let chain = chain.build(&mut builder, cable, &mut motions)?;
        let pins = [head, shank].map(|body| {
            let pose = motions[body.0].pose;
            pose.point_to_local(&(ends[1] + down * self.anchor.shank_length))
        });
        let pin = self.add_pin([shank, head], pins, &mut builder);
        let first = chain.links[0];
        let windlass = self.windlass(hull, first, &ends[0], &motions);
        builder.force(Force::Windlass(windlass));
        let model = builder.build()?;
        self.set_swinging(&mut motions, (&lead, &down), &chain, [shank, head]);
        Ok(Rig {
            model,
            state: State::new(motions),
            hull,
            head,
            shank,
            chain,
            pin,
            windlass,
            bow: self.bow.clone(),
            shank_length: self.anchor.shank_length,
            pins,
        })
    }

    fn law(&self) -> Result<ContactLaw> {
        let normal = Hysteresis::new(Restitution::Flores, self.restitution, 1.5)?;
        let law = ContactLaw::new(Stiffness::given(self.stiffness)?, normal)?.with_least_speed(0.05)?;
        let friction = Bristle::new(self.friction, self.stick_speed, BRISTLE[0], BRISTLE[1])?
            .with_static(self.static_friction.unwrap_or(self.friction))?
            .with_viscous(self.viscous_friction)?;
        Ok(law.with_friction(friction))
    }

    /// How all hangs at the start: straight down, or outboard by the least angle at which the anchor is clear of the
    /// hull.
    fn start(&self) -> Result<Start> {
        let mut finder = MeshMesh::new();
        for k in 0..=OUTWARD.1 {
            let lead = Lead::new(&self.bow, self.diameter, OUTWARD.0 * f64::from(k));
            let down = forward(&lead) * self.lean.sin() + lead.down * self.lean.cos();
            let chain = self.chain(&lead, &down)?;
            let ends = ends_of(&chain)?;
            let poses = self.poses(&ends[1], &down, &lead);
            let mut clear = true;
            for (solid, pose) in [&self.anchor.shank, &self.anchor.head].into_iter().zip(&poses) {
                clear &= finder.find(&self.bow.solid, &Pose::identity(), solid, pose)?.is_empty();
            }
            if clear {
                return Ok(Start { lead, down, chain, ends, poses });
            }
        }
        Err(DynamicsError::Invalid {
            what: "the anchor".to_owned(),
            reason: format!(
                "it reaches into the hull at the start, even if the chain leans outboard by {:.0}°",
                (OUTWARD.0 * f64::from(OUTWARD.1)).to_degrees()
            ),
        })
    }

    /// The frames of shank and head, on the pin, of an anchor that hangs from its shackle.
    fn poses(&self, shackle: &Vec3, down: &Vec3, lead: &Lead) -> [Pose; 2] {
        let z = -down;
        let y = (lead.outboard - z * z.dot(&lead.outboard)).normalize();
        let axes = Matrix3::from_columns(&[y.cross(&z), y, z]);
        let turn = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(axes));
        let turn = turn * UnitQuaternion::from_scaled_axis(Vec3::z() * self.heading);
        let pin = shackle + down * self.anchor.shank_length;
        // Flukes that lean towards −y, the hull, have turned about x.
        let tilted = turn * UnitQuaternion::from_scaled_axis(Vec3::x() * self.tilt);
        [Pose::new(pin, turn), Pose::new(pin, tilted)]
    }

    fn add_hull(&self, steel: SurfaceId, builder: &mut ModelBuilder, motions: &mut Vec<Motion>) -> BodyId {
        let body = match &self.motion {
            Some(prescribed) => BodyModel::prescribed("hull", prescribed.clone()),
            None => BodyModel::fixed("hull"),
        };
        motions.push(Motion::at_rest(Pose::identity()));
        builder.body(body.with_part(self.bow.solid.as_ref().clone(), Pose::identity(), steel))
    }

    /// The chain, its anchor not yet made: common links, then those of `links`.
    fn chain(&self, lead: &Lead, down: &Vec3) -> Result<Chain> {
        let one = |kind: LinkKind| LinkRun { kind, stud: kind.may_have_stud(), count: 1 };
        let pitch = |kind: LinkKind| Ok(kind.form(self.diameter, false)?.pitch());
        let tail: f64 = self.links.iter().map(|&kind| pitch(kind)).sum::<Result<f64>>()?;
        let mut path = lead.points.clone();
        path.push(lead.leaves() + down * (self.depth - tail));
        let count = Chain::count_along(LinkKind::Common, self.diameter, &path)?;
        if let Some(last) = path.last_mut() {
            *last += down * tail;
        }
        let mut links = vec![LinkRun { kind: LinkKind::Common, stud: true, count }];
        links.extend(self.links.iter().map(|&kind| one(kind)));
        Ok(Chain {
            name: "chain".to_owned(),
            diameter: self.diameter,
            density: STEEL,
            links,
            meshes: self.link_meshes.clone(),
            path,
            // Every second link stands on edge at 45° to the bottom of the pipe, so that all of them carry.
            across: Some(self.bow.axis.cross(&Vec3::z()) + Vec3::z()),
            friction: Some(ChainFriction { coefficient: self.link_friction, rate: SLOW_TURN }),
            from: None,
            to: None,
        })
    }

    /// Shank and head.
    fn add_anchor(
        &self,
        surface: SurfaceId,
        poses: [Pose; 2],
        builder: &mut ModelBuilder,
        motions: &mut Vec<Motion>,
    ) -> Result<[BodyId; 2]> {
        let mut add = |name: &str, mesh: &Mesh, frame: Pose| {
            let (body, part) = weighed(mesh, self.anchor.density)?;
            let body = BodyModel::free(name, body).with_part(mesh.clone(), part, surface);
            let motion = Motion::at_rest(Pose::new(
                frame.position - frame.orientation * part.position,
                frame.orientation,
            ));
            motions.push(motion);
            Ok::<_, DynamicsError>(builder.body(body.with_motion(motion)))
        };
        Ok([add("shank", &self.anchor.shank, poses[0])?, add("head", &self.anchor.head, poses[1])?])
    }

    /// The pin: turning about x within the tripping angle, with some friction.
    fn add_pin(&self, [shank, head]: [BodyId; 2], pins: [Vec3; 2], builder: &mut ModelBuilder) -> JointId {
        // A revolute joint turns about z of its frames.
        let about_x = |point: Vec3| {
            let axes = Matrix3::from_columns(&[Vec3::y(), Vec3::z(), Vec3::x()]);
            Pose::new(point, UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(axes)))
        };
        builder.exclude_contact(shank, head);
        let joint = builder.joint(Joint {
            name: "pin".to_owned(),
            kind: JointKind::Revolute,
            a: JointFrame { body: shank, pose: about_x(pins[1]) },
            b: JointFrame { body: head, pose: about_x(pins[0]) },
        });
        let weight = GRAVITY * self.anchor.mass();
        let size = self.anchor.shank_length;
        let angle = self.anchor.tripping_angle;
        // The stop gives way by a degree or so under the anchor's weight at the flukes' tips.
        let stiffness = 50.0 * weight * size;
        for action in [
            Action::Limit { lower: -angle, upper: angle, stiffness, damping: 1.0 },
            Action::Bearing { coefficient: 0.2, radius: 0.05 * size, rate: SLOW_TURN },
        ] {
            builder.action(JointAction { joint, freedom: Freedom::Turn, action });
        }
        joint
    }

    /// The windlass stands so far behind the pipe that all of the hanging chain can come in.
    fn windlass(&self, hull: BodyId, first: BodyId, begins: &Vec3, motions: &[Motion]) -> Windlass {
        let run = self.depth + 1.5 * self.anchor.shank_length + 2.0;
        let rigidity = CHAIN_MODULUS * self.diameter * self.diameter;
        Windlass {
            a: End { body: hull, point: begins + self.bow.axis * run },
            b: End { body: first, point: motions[first.0].pose.point_to_local(begins) },
            // The line carries from the start what hangs: it need not be stretched by a drop.
            length: run / (1.0 + self.hanging() / rigidity),
            speed: self.speed,
            start: 1.0,
            ramp: 0.5,
            shortest: 0.5,
            rigidity,
            // A tenth of the critical damping of the anchor on the line.
            damping: 0.2 * (rigidity / run * self.anchor.mass()).sqrt(),
            limit: self.limit,
            shoulder: 0.1,
            brake: 3.0 * self.limit,
            brake_at: self.brake_at,
            brake_after_stall: Some(1.0),
        }
    }

    /// The weight of the anchor and of the chain below the lip, in N.
    fn hanging(&self) -> f64 {
        let common = LinkKind::Common.form(self.diameter, true);
        let per_metre = common.map_or(0.0, |form| form.body(STEEL).mass / form.pitch());
        GRAVITY * (self.anchor.mass() + per_metre * self.depth)
    }

    /// The hanging chain turns about the lip like a rod, the anchor with it.
    fn set_swinging(
        &self,
        motions: &mut [Motion],
        (lead, down): (&Lead, &Vec3),
        chain: &ChainIds,
        anchor: [BodyId; 2],
    ) {
        let pivot = lead.leaves();
        let angular_velocity =
            down.cross(&forward(lead)) * (self.swing_speed / (self.depth + self.anchor.shank_length));
        for &body in chain.links.iter().chain(&anchor) {
            let motion = &mut motions[body.0];
            let arm = motion.pose.position - pivot;
            if arm.dot(down) > 0.0 && arm.dot(&lead.outboard) > -self.diameter {
                motion.velocity = angular_velocity.cross(&arm);
                motion.angular_velocity_body = motion.pose.vector_to_local(&angular_velocity);
            }
        }
    }
}

/// Forward along the plating, as far as the chain's lead allows: across the outboard direction.
fn forward(lead: &Lead) -> Vec3 {
    lead.outboard.cross(&Vec3::z()) * if lead.outboard.y > 0.0 { 1.0 } else { -1.0 }
}

/// Where the first link begins and the last one ends.
fn ends_of(chain: &Chain) -> Result<[Vec3; 2]> {
    let laid = chain.lay(&|_| Pose::identity())?;
    match (laid.first(), laid.last()) {
        (Some(first), Some(last)) => Ok([first.ends()[0], last.ends()[1]]),
        _ => {
            Err(DynamicsError::Invalid { what: "the chain".to_owned(), reason: "it has no links".to_owned() })
        }
    }
}
