//! From the file to the model.
//!
//! The stages: bodies with their shapes, masses, first motions and copies; surfaces and laws; joints and forces; solver
//! and output; the model. Each goes on after mistakes, so that all of them are told.

use super::body::{BodySpec, CopiesSpec, PartSpec, ShapeName, Spin};
use super::chain::Placed;
use super::force::ForceSpec;
use super::frames::Frames;
use super::law::Surfaces;
use super::mass::Weighed;
use super::output::{Output, OutputSpec};
use super::solver;
use super::spec::SceneSpec;
use crate::application::ApplicationScene;
use crate::orientation::Orientation;
use crate::read::{At, Place, Range, Reader, number, triple};
use crate::shape::placed;
use rattleback_contact::ContactError;
use rattleback_dynamics::joint::JointAction;
use rattleback_dynamics::model::{BodyModel, Mobility, ModelBuilder, Part, SurfaceId};
use rattleback_dynamics::{Body, Model, Motion, Scheme, State};
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::surface::Shape;
use rattleback_geom::{LENGTHS, Mat3, Pose, Vec3};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The most bodies of a scene: at two kilobytes each, while it is read, two gigabytes.
const MOST_BODIES: usize = 1 << 20;

/// How a body looks in pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Look {
    /// Its colour, red, green and blue, if the scene chooses it.
    pub colour: Option<[u8; 3]>,
    /// Whether it is left out.
    pub hidden: bool,
}

/// A scene, ready to run.
#[derive(Debug, Clone)]
pub struct Scene {
    /// What it is called.
    pub title: String,
    /// What to see.
    pub description: String,
    /// Where it comes from.
    pub origin: String,
    /// What does not change.
    pub model: Model,
    /// Where it begins.
    pub state: State,
    /// How it is moved.
    pub scheme: Scheme,
    /// How long, in s.
    pub duration: f64,
    /// What is recorded and shown.
    pub output: Output,
    /// How its bodies look, in the order of the model.
    pub looks: Vec<Look>,
    /// The other files that it names.
    pub files: Vec<PathBuf>,
    /// The fingerprints of what was in them, by their names.
    pub inputs: BTreeMap<String, String>,
    /// What its author should know of the result.
    pub remarks: Vec<String>,
    /// What an application knows of it, if it is one's.
    pub application: Option<Arc<dyn ApplicationScene>>,
}

impl Scene {
    /// The same for another duration in s, above zero: pictures are taken evenly unless their instants still fit.
    #[must_use]
    pub fn with_duration(mut self, duration: f64) -> Self {
        if self.output.instants.iter().any(|instant| *instant > duration) {
            self.output.instants = Output::evenly(duration);
        }
        self.duration = duration;
        self
    }
}

/// Puts an error of the contact crate where its field stands in a table.
pub(crate) fn refuse(reader: &mut Reader, place: &Place, error: &ContactError) {
    let (field, message) = found(error);
    reader.wrong(place, field, message);
}

/// The field that an error of the contact crate is about, and what was found and expected there.
pub(crate) fn found(error: &ContactError) -> (&str, String) {
    match error {
        ContactError::OutOfRange { field, value, allowed } => {
            (field.as_str(), format!("found {value}; expected a number {allowed}"))
        }
        other => ("", other.to_string()),
    }
}

/// A body under way: its parts in its own frame.
pub(super) struct Made {
    pub(super) name: String,
    pub(super) parts: Vec<(Shape, Pose, Option<usize>)>,
    /// Where its parts stand in the file.
    pub(super) places: Arc<[Place]>,
    pub(super) body: Body,
    pub(super) mobility: Mobility,
    pub(super) motion: Motion,
    pub(super) look: Look,
}

/// A file under way.
pub(super) struct Lowering<'s, 'r> {
    pub(super) scene: &'s SceneSpec,
    folder: &'s Path,
    pub(super) reader: &'r mut Reader,
    pub(super) frames: Frames,
    bodies: Vec<Made>,
    pub(super) chains: Vec<Placed>,
    remarks: Vec<String>,
    files: Vec<PathBuf>,
}

impl SceneSpec {
    /// The scene; `folder` is where the file stands, for the files that it names.
    pub(crate) fn lower(&self, folder: &Path, reader: &mut Reader) -> Option<Scene> {
        let mut lowering = Lowering {
            scene: self,
            folder,
            reader,
            frames: Frames::default(),
            bodies: Vec::new(),
            chains: Vec::new(),
            remarks: Vec::new(),
            files: Vec::new(),
        };
        for (_, material) in &self.materials.0 {
            material.check(lowering.reader);
        }
        let shapes = lowering.shapes();
        for body in &self.bodies {
            lowering.body(body, &shapes);
        }
        for chain in &self.chains {
            lowering.chain(chain);
        }
        if self.bodies.is_empty() && self.chains.is_empty() {
            lowering.reader.wrong(&self.place, "bodies", "the list is empty; expected at least one body");
        }
        let mut builder = Model::builder();
        lowering.surfaces(&mut builder);
        lowering.connect(&mut builder);
        lowering.finish(builder)
    }
}

impl<'s> Lowering<'s, '_> {
    /// The scene's shapes by name; none for a wrong one.
    fn shapes(&mut self) -> Vec<(&'s str, Option<Shape>)> {
        let mut shapes = Vec::new();
        for (name, spec) in &self.scene.shapes.0 {
            self.files.extend(spec.files());
            shapes.push((name.as_str(), spec.lower(self.folder, &mut self.remarks, self.reader)));
        }
        shapes
    }

    /// Takes in a body and its copies.
    fn body(&mut self, spec: &BodySpec, shapes: &[(&str, Option<Shape>)]) {
        let pose = pose_of(spec.position.map(|x| x.0), &spec.orientation);
        let made = self.make(spec, pose, shapes);
        let centre = made.as_ref().map_or_else(Vec3::zeros, |(_, centre)| *centre);
        // A prescribed motion need not begin at rest where the file places the body.
        let pose = match made.as_ref().map(|(made, _)| &made.mobility) {
            Some(Mobility::Prescribed(course)) => {
                let first = course.at(0.0).motion.pose;
                Pose::new(first.point_to_world(&-centre), first.orientation)
            }
            _ => pose,
        };
        let Some(copies) = &spec.copies else {
            self.take(&spec.name, centre, pose, made.map(|(made, _)| made));
            return;
        };
        let Some(count) = self.count(copies) else { return };
        let far =
            (0..3).map(|k| copies.spacing[k].0.abs() * (copies.count[k] - 1) as f64).fold(0.0, f64::max);
        if !(far <= LENGTHS[1]) {
            let message = format!("found a lattice {far:e} m long; expected at most {:e} m", LENGTHS[1]);
            self.reader.wrong(&copies.place, "spacing", message);
            return;
        }
        let others = [
            ("turn", copies.turn.0),
            ("velocity", copies.velocity.0),
            ("angular_velocity", copies.angular_velocity.0),
        ];
        for (key, value) in others {
            if !(value.abs() <= LENGTHS[1]) {
                let message = format!("found {value:e}; expected at most {:e} in SI units", LENGTHS[1]);
                self.reader.wrong(&copies.place, key, message);
                return;
            }
        }
        for i in 0..count {
            let name = At { value: format!("{} {i}", spec.name.value), ..spec.name.clone() };
            let copy = made.as_ref().map(|(made, _)| copied(made, copies, i, &name.value));
            let pose = copy.as_ref().map_or(pose, |copy| {
                let turn = copy.motion.pose.orientation;
                Pose::new(copy.motion.pose.position - turn * centre, turn)
            });
            self.take(&name, centre, pose, copy);
        }
    }

    /// How many copies there are, if the scene has room for them.
    fn count(&mut self, copies: &CopiesSpec) -> Option<usize> {
        let [nx, ny, nz] = copies.count;
        let room = MOST_BODIES.saturating_sub(self.frames.names().len());
        let count = nx.checked_mul(ny).and_then(|plane| plane.checked_mul(nz));
        let message = match count {
            _ if copies.count.contains(&0) => {
                "found a zero; expected at least one copy along each axis".to_owned()
            }
            Some(count) if count <= room => return Some(count),
            _ => {
                let copies = nx as f64 * ny as f64 * nz as f64;
                format!(
                    "found {nx} × {ny} × {nz} = {copies} copies; a scene has at most {MOST_BODIES} bodies, which leaves {room}"
                )
            }
        };
        self.reader.wrong(&copies.place, "count", message);
        None
    }

    pub(super) fn take(&mut self, name: &At<String>, centre: Vec3, pose: Pose, made: Option<Made>) {
        if self.frames.has(&name.value) {
            self.reader.refuse_at(name, format!("the name \"{}\" is taken already", name.value));
        }
        self.frames.push(&name.value, centre, pose);
        if let Some(made) = made {
            self.bodies.push(made);
        }
    }

    /// A body, and its mass centre in its own frame.
    fn make(&mut self, spec: &BodySpec, own: Pose, shapes: &[(&str, Option<Shape>)]) -> Option<(Made, Vec3)> {
        let parts = self.parts(spec, shapes);
        self.check_numbers(spec);
        if spec.fixed && spec.motion.is_some() {
            self.reader.wrong(&spec.place, "motion", "found `motion` of a body that is `fixed`");
        }
        let free = !spec.fixed && spec.motion.is_none();
        for key in ["velocity", "angular_velocity"].into_iter().filter(|key| !free && spec.place.has(key)) {
            let reason = if spec.fixed { "stands still: it is `fixed`" } else { "moves as `motion` says" };
            self.reader.wrong(&spec.place, key, format!("found `{key}` of a body that {reason}"));
        }
        let parts = parts?;
        let (body, centre) = if free {
            let weighed: Vec<Weighed<'_>> = parts
                .iter()
                .map(|(shape, pose, material)| {
                    let density = material.and_then(|m| self.scene.materials.0[m].1.density);
                    Weighed { shape, pose: *pose, density: density.map(|density| density.0) }
                })
                .collect();
            spec.weigh(&weighed, self.reader)?
        } else {
            let centre = spec.mass_centre.map_or_else(Vec3::zeros, |centre| Vec3::from(centre.map(|x| x.0)));
            (Body { mass: 0.0, inertia: Mat3::zeros() }, centre)
        };
        let pose = Pose::new(own.point_to_world(&centre), own.orientation);
        let mobility = match &spec.motion {
            Some(course) => Mobility::Prescribed(course.lower(&pose, &centre, self.reader)?),
            None if spec.fixed => Mobility::Fixed,
            None => Mobility::Free,
        };
        let spin = match spec.angular_velocity {
            None => Vec3::zeros(),
            Some(Spin::Body(spin)) => spin,
            Some(Spin::World(spin)) => pose.vector_to_local(&spin),
        };
        let motion = Motion { pose, velocity: Vec3::from(spec.velocity.map(|v| v.0)), spin };
        let look = Look { colour: spec.colour.map(|colour| colour.0), hidden: spec.hidden };
        let parts = parts
            .into_iter()
            .map(|(shape, pose, material)| {
                (shape, Pose { position: pose.position - centre, ..pose }, material)
            })
            .collect();
        let places = match &spec.shape {
            Some(_) => [spec.place.clone()].into(),
            None => spec.parts.iter().map(|part| part.place.clone()).collect(),
        };
        let made = Made { name: spec.name.value.clone(), parts, places, body, mobility, motion, look };
        self.check_body(spec, &made)?;
        Some((made, centre))
    }

    /// Complains of numbers that are none.
    fn check_numbers(&mut self, spec: &BodySpec) {
        let spin = match spec.angular_velocity {
            Some(Spin::Body(spin) | Spin::World(spin)) => spin.into(),
            None => [0.0; 3],
        };
        for (field, numbers) in [
            ("position", spec.position.map(|x| x.0)),
            ("velocity", spec.velocity.map(|v| v.0)),
            ("angular_velocity", spin),
            ("mass_centre", spec.mass_centre.map_or([0.0; 3], |centre| centre.map(|x| x.0))),
        ] {
            triple(&spec.place, field, numbers, self.reader);
        }
    }

    /// What the model would refuse about a body, told where it stands.
    fn check_body(&mut self, spec: &BodySpec, made: &Made) -> Option<()> {
        let mut builder = Model::builder();
        builder.body(BodyModel {
            name: made.name.clone(),
            body: made.body,
            mobility: made.mobility.clone(),
            parts: Vec::new(),
            motion: made.motion,
        });
        if let Err(error) = builder.build() {
            let field = if made.body.mass > 0.0 && made.body.mass.is_finite() { "inertia" } else { "mass" };
            self.reader.wrong(&spec.place, field, error.to_string());
            return None;
        }
        // Numbers that are finite one by one may not be so in other axes; those that are not were told already.
        let spin = match spec.angular_velocity {
            Some(Spin::Body(spin) | Spin::World(spin)) => spin,
            None => Vec3::zeros(),
        };
        let Motion { pose, velocity, spin: turning } = &made.motion;
        for (field, written, vector) in [
            ("position", Vec3::from(spec.position.map(|x| x.0)), &pose.position),
            ("velocity", Vec3::from(spec.velocity.map(|v| v.0)), velocity),
            ("angular_velocity", spin, turning),
        ] {
            let is_finite = |vector: &Vec3| vector.iter().all(|x| x.is_finite());
            if is_finite(&written) && !is_finite(vector) {
                let message = "found numbers that are not finite in the axes in which the body is moved";
                self.reader.wrong(&spec.place, field, message);
                return None;
            }
        }
        Some(())
    }

    /// The parts of a body in its own frame, with the numbers of their materials.
    fn parts(
        &mut self,
        spec: &BodySpec,
        shapes: &[(&str, Option<Shape>)],
    ) -> Option<Vec<(Shape, Pose, Option<usize>)>> {
        if let (Some(_), [_, ..]) = (&spec.shape, spec.parts.as_slice()) {
            self.reader.wrong(&spec.place, "shape", "found `shape` and `parts`; expected one of them");
            return None;
        }
        if spec.shape.is_none()
            && let Some(material) = &spec.material
        {
            self.reader.refuse_at(
                material,
                "found `material` without `shape`; each of `parts` has its own".to_owned(),
            );
        }
        let single = spec.shape.as_ref().map(|shape| PartSpec {
            shape: shape.clone(),
            material: spec.material.clone(),
            position: Default::default(),
            orientation: Orientation::default(),
            place: spec.place.clone(),
        });
        let read: Vec<_> = single.iter().chain(&spec.parts).map(|part| self.part(part, shapes)).collect();
        read.into_iter().collect()
    }

    fn part(
        &mut self,
        part: &PartSpec,
        shapes: &[(&str, Option<Shape>)],
    ) -> Option<(Shape, Pose, Option<usize>)> {
        let shape = match &part.shape {
            ShapeName::Name(name) => {
                let known: Vec<&str> = shapes.iter().map(|(name, _)| *name).collect();
                self.reader.find(name, "shape", &known).and_then(|k| shapes[k].1.clone())
            }
            ShapeName::Own(spec) => {
                self.files.extend(spec.files());
                spec.lower(self.folder, &mut self.remarks, self.reader)
            }
        };
        let material = match &part.material {
            None => Some(None),
            Some(name) => {
                let known: Vec<&str> = self.scene.materials.0.iter().map(|(name, _)| name.as_str()).collect();
                self.reader.find(name, "material", &known).map(Some)
            }
        };
        let pose = placed(part.position, part.orientation, &part.place, self.reader);
        Some((shape?, pose?, material?))
    }

    /// Hands the bodies to the builder, with their surfaces and laws.
    fn surfaces(&mut self, builder: &mut ModelBuilder) {
        let names = self.frames.names().to_vec();
        let mut surfaces = Surfaces::new(self.scene, &names);
        for (i, made) in self.bodies.iter().enumerate() {
            let parts: Vec<(Part, SurfaceId)> = made
                .parts
                .iter()
                .map(|(shape, pose, material)| {
                    let surface = surfaces.of(i, *material, builder);
                    (Part { shape: shape.clone(), pose: *pose, surface }, surface)
                })
                .collect();
            builder.body(BodyModel {
                name: made.name.clone(),
                body: made.body,
                mobility: made.mobility.clone(),
                parts: parts.into_iter().map(|(part, _)| part).collect(),
                motion: made.motion,
            });
        }
        // With a body missing, numbers would not fit.
        if self.bodies.len() == names.len() {
            surfaces.set_laws(&names, builder, self.reader);
        }
        for pair in &self.scene.apart {
            let [a, b] = pair;
            if let (Some(a), Some(b)) = (self.frames.find(a, self.reader), self.frames.find(b, self.reader)) {
                builder.keep_apart(a, b);
            }
        }
    }

    /// Joints and forces.
    fn connect(&mut self, builder: &mut ModelBuilder) {
        for (k, spec) in self.scene.joints.iter().enumerate() {
            let name = spec.name();
            if self.scene.joints[..k].iter().any(|other| other.name().value == name.value) {
                self.reader.refuse_at(name, format!("the name \"{}\" is taken already", name.value));
            }
            if let Some((joint, actions)) = spec.lower(&self.frames, self.reader) {
                let joint = builder.joint(joint);
                for (freedom, action) in actions {
                    builder.action(JointAction { joint, freedom, action });
                }
            }
        }
        self.join_chains(builder);
        for spec in &self.scene.forces {
            if let Some(force) = spec.lower(&self.frames, self.reader) {
                builder.force(force);
            }
        }
    }

    /// Solver, output, and the model.
    fn finish(mut self, mut builder: ModelBuilder) -> Option<Scene> {
        let scene = self.scene;
        let gravity = scene.gravity.map(|g| g.0);
        triple(&scene.place, "gravity", gravity, self.reader);
        builder.gravity(gravity);
        let jointed = [
            (!scene.joints.is_empty(), "joints"),
            (!scene.chains.is_empty(), "chains"),
            (scene.forces.iter().any(ForceSpec::remembers), "windlasses"),
        ];
        let jointed = jointed.into_iter().find_map(|(has, what)| has.then_some(what));
        let scheme = match &scene.solver {
            Some(spec) => spec.lower(jointed, self.reader),
            None => Some(solver::default(jointed.is_some())),
        };
        let run = &scene.run;
        let duration = number(&run.place, "duration", run.duration.0, Range::Positive, self.reader);
        let output = duration.and_then(|d| OutputSpec::lower(scene.output.as_ref(), d, self.reader));
        if !self.reader.is_content() {
            return None;
        }
        let model = match builder.build() {
            Ok(model) => model,
            Err(error) => {
                self.reader.wrong(&scene.place, "", error.to_string());
                return None;
            }
        };
        if let Some(scheme) = &scheme {
            solver::refuse_pairs(&model, scheme, scene, self.reader)?;
            solver::refuse_bodies(&model, scheme, scene, self.reader)?;
        }
        if let Some(Scheme::Rolling(_)) = scheme {
            let places: Vec<&[Place]> = self.bodies.iter().map(|made| &*made.places).collect();
            solver::refuse_edges(&model, &places, self.reader)?;
        }
        if let Some(scheme) = &scheme {
            solver::refuse_unsupported(&model, scheme, scene, self.reader)?;
        }
        self.files.sort();
        self.files.dedup();
        Some(Scene {
            title: scene.title.clone(),
            description: scene.description.trim().to_owned(),
            origin: scene.source.clone(),
            model,
            state: State::new(self.bodies.iter().map(|made| made.motion).collect()),
            scheme: scheme?,
            duration: duration?,
            output: output?,
            looks: self.bodies.iter().map(|made| made.look).collect(),
            files: self.files,
            inputs: BTreeMap::new(),
            remarks: self.remarks,
            application: None,
        })
    }
}

fn pose_of(position: [f64; 3], orientation: &Orientation) -> Pose {
    Pose::new(position.into(), orientation.0)
}

/// Copy `i` of a body.
fn copied(made: &Made, copies: &CopiesSpec, i: usize, name: &str) -> Made {
    let [nx, ny, _] = copies.count;
    let cell = [i % nx, i / nx % ny, i / nx / ny];
    let at = Vec3::from_fn(|k, _| copies.spacing[k].0 * cell[k] as f64);
    let x = i as f64;
    let t = Vec3::new(x.sin(), (2.0 * x).cos(), (3.0 * x).sin());
    let Motion { pose, velocity, spin } = made.motion;
    let turn = UnitQuaternion::from_scaled_axis(t * copies.turn.0);
    let motion = Motion {
        pose: Pose::new(pose.position + at, turn * pose.orientation),
        velocity: velocity + t * copies.velocity.0,
        spin: spin + t * copies.angular_velocity.0,
    };
    Made {
        name: name.to_owned(),
        parts: made.parts.clone(),
        places: made.places.clone(),
        body: made.body,
        mobility: made.mobility.clone(),
        motion,
        look: made.look,
    }
}
