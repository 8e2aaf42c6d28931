//! From the file to the model.
//!
//! The stages: bodies with their shapes, masses, first motions and copies; surfaces and laws; joints and forces; solver
//! and output; the model. Each goes on after mistakes, so that all of them are told.

mod bodies;
mod duration;

use super::chain::Placed;
use super::force::ForceSpec;
use super::frames::Frames;
use super::law::Surfaces;
use super::output::{Output, OutputSpec};
use super::solver::{self, SolverSpec};
use super::spec::{ProximitySpec, SceneSpec};
use super::{remark, solver_choice};
use crate::application::ApplicationScene;
use crate::read::{At, Place, Range, Reader, Source, number, triple};
use duration::check_duration;
use rattleback_contact::ContactError;
use rattleback_contact::proximity::Proximity;
use rattleback_dynamics::joint::JointAction;
use rattleback_dynamics::model::{BodyModel, Mobility, ModelBuilder, Part, SurfaceId};
use rattleback_dynamics::{Body, DynamicsError, Model, Motion, Scheme, State};
use rattleback_geom::surface::Shape;
use rattleback_geom::{Brief, LENGTHS, Pose};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The most bodies of a scene: at two kilobytes each, while it is read, two gigabytes.
const MAX_BODIES: usize = 1 << 20;

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
    /// Which solver it is and why, where the scene does not name one.
    pub choice: String,
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
    /// The file that it was read from and those beside it, for complaints of what turns out to be wrong later.
    pub source: Source,
    /// The text of all of it in one TOML file, with its parameters as they were set.
    pub text: String,
    /// Its parameters, in SI units, as text.
    pub parameters: BTreeMap<String, String>,
    /// The names of its joints where they stand in the file.
    pub joint_names: Vec<At<String>>,
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

    /// What is wrong with the start of its run, shown at the joint that it is about where there is one.
    pub fn describe(&self, error: &DynamicsError) -> String {
        let joint = match error {
            DynamicsError::JointOpen { joint, .. } | DynamicsError::CannotAssemble { joint, .. } => joint,
            _ => return error.to_string(),
        };
        match self.joint_names.iter().find(|name| name.value == *joint) {
            Some(name) => name.complaint(error.to_string()).excerpt_of(&self.source),
            None => error.to_string(),
        }
    }

    /// Whether what is given over time covers a run of that many seconds; what was found and what is expected if not.
    pub fn check_duration(&self, duration: f64) -> Result<(), String> {
        check_duration(&self.model, duration)
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
            (field.as_str(), format!("found {}; expected a number {allowed}", Brief(*value)))
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
        // What is called by another name is told already.
        if self.bodies.is_empty() && self.chains.is_empty() && lowering.reader.is_content() {
            lowering.reader.wrong(&self.place, "bodies", "the list is empty; expected at least one body");
        }
        let mut builder = Model::builder();
        builder.proximity(match self.proximity {
            ProximitySpec::Boxes => Proximity::Boxes,
            ProximitySpec::Spheres => Proximity::Spheres,
            ProximitySpec::Quartic => Proximity::Quartic,
        });
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
            let unused = surfaces.set_laws(&names, builder, self.reader);
            let entry = |k: usize| remark::unused(k, &self.scene.contacts[k]);
            self.remarks.extend(unused.into_iter().map(entry));
        }
        for pair in &self.scene.exclude_contacts {
            let [a, b] = pair;
            if let (Some(a), Some(b)) = (self.frames.find(a, self.reader), self.frames.find(b, self.reader)) {
                builder.exclude_contact(a, b);
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

    /// Adds what looks like a slip in a scene that runs.
    fn remark(&mut self, model: &Model, state: &State, scheme: &Scheme) {
        self.remarks.extend(remark::remarks(model, state, scheme));
        let made_of = |made: &Made| made.parts.iter().map(|(_, _, material)| material.is_some()).collect();
        let parts: Vec<Vec<bool>> = self.bodies.iter().map(made_of).collect();
        // Materials of a single body, or of one that joints hold, may be there for what it weighs alone.
        let several = parts.iter().filter(|parts| parts.contains(&true)).count() > 1;
        if !self.scene.contacts.is_empty() || several && self.scene.joints.is_empty() {
            self.remarks.extend(remark::untouched(model, &parts));
        }
    }

    /// Solver, output, and the model.
    fn finish(mut self, mut builder: ModelBuilder) -> Option<Scene> {
        let scene = self.scene;
        let gravity = scene.gravity.map(|g| g.0);
        let accepted = triple(&scene.place, "gravity", gravity, self.reader);
        let too_great = |g: [f64; 3]| g.into_iter().enumerate().find(|(_, g)| g.abs() > LENGTHS[1]);
        if let Some((k, g)) = accepted.and_then(too_great) {
            let message = format!("found {g:e} m/s²; expected at most {:e}", LENGTHS[1]);
            self.reader.wrong(&scene.place, &format!("gravity[{k}]"), message);
        }
        builder.gravity(gravity);
        let jointed = [
            (!scene.joints.is_empty(), "joints"),
            (!scene.chains.is_empty(), "chains"),
            (scene.forces.iter().any(ForceSpec::remembers), "windlasses"),
        ];
        let jointed = jointed.into_iter().find_map(|(has, what)| has.then_some(what));
        let named = scene.solver.as_ref().map(|spec| spec.lower(jointed, self.reader));
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
        if let Some(message) = duration.and_then(|duration| check_duration(&model, duration).err()) {
            self.reader.wrong(&run.place, "duration", message);
            return None;
        }
        let state = State::new(self.bodies.iter().map(|made| made.motion).collect());
        let leaves_step_open = scene.solver.as_ref().is_some_and(SolverSpec::leaves_step_open);
        let (scheme, choice) = match named {
            Some(scheme) if leaves_step_open => solver_choice::choose_step(scheme?, &model, &state),
            Some(scheme) => (scheme?, String::new()),
            None => solver_choice::choose(&model, &state, duration?, jointed),
        };
        solver::refuse_pairs(&model, &scheme, scene, self.reader)?;
        solver::refuse_bodies(&model, &scheme, scene, self.reader)?;
        if let Scheme::Rolling(_) = scheme {
            let places: Vec<&[Place]> = self.bodies.iter().map(|made| &*made.places).collect();
            solver::refuse_edges(&model, &places, self.reader)?;
        }
        solver::refuse_unsupported(&model, &scheme, scene, self.reader)?;
        self.remark(&model, &state, &scheme);
        if let Some(output) = &output
            && choice.is_empty()
        {
            self.remarks.extend(remark::divided(&scheme, output.every));
        }
        self.files.sort();
        self.files.dedup();
        Some(Scene {
            title: scene.title.clone(),
            description: scene.description.trim().to_owned(),
            origin: scene.source.clone(),
            model,
            state,
            scheme,
            choice,
            duration: duration?,
            output: output?,
            looks: self.bodies.iter().map(|made| made.look).collect(),
            files: self.files,
            inputs: BTreeMap::new(),
            source: Source::default(),
            text: String::new(),
            parameters: BTreeMap::new(),
            joint_names: scene.joints.iter().map(|joint| joint.name().clone()).collect(),
            remarks: self.remarks,
            application: None,
        })
    }
}
