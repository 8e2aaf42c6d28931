//! The keys of a scene file.

use super::body::BodySpec;
use super::chain::ChainSpec;
use super::contact::ContactSpec;
use super::force::ForceSpec;
use super::joint::JointSpec;
use super::material::MaterialSpec;
use super::output::OutputSpec;
use super::parameter::ParameterSpec;
use super::repeat::RepeatSpec;
use super::solver::{RunSpec, SolverSpec};
use crate::read::{Acceleration, At, Named, entry, words};
use crate::shape::ShapeSpec;

words! {
    /// A proximity query.
    pub enum ProximitySpec {
        /// Nothing more.
        "boxes" => Boxes,
        /// Bounding spheres.
        "spheres" => Spheres,
        /// The characteristic quartic of ellipsoids, bounding spheres for other bodies.
        "quartic" => Quartic,
    }
}

entry! {
    /// A scene: what there is, how it moves, what is recorded.
    pub struct SceneSpec {
        /// What it is called.
        title: String,
        /// A few lines on what to see.
        description: String = String::new(),
        /// Where it comes from: a paper, a library of problems.
        source: String = String::new(),
        /// Files whose tables and lists are added to those of this one, relative to it.
        include: Vec<At<String>> = Vec::new(),
        /// Numbers by name, for the expressions of the scene.
        parameters: Named<ParameterSpec>,
        /// The acceleration of gravity in world axes, such as [0, 0, -9.81]; it must be given unless an application
        /// says all of the model.
        gravity: [Acceleration; 3] = [Acceleration(0.0); 3],
        /// Materials by name.
        materials: Named<MaterialSpec>,
        /// Shapes by name, for bodies that share them.
        shapes: Named<ShapeSpec>,
        /// The bodies, in the order of all results; one at least unless an application says all of the model.
        bodies: Vec<BodySpec> = Vec::new(),
        /// Chains, whose links are bodies after those of `bodies`.
        chains: Vec<ChainSpec> = Vec::new(),
        /// What holds bodies together.
        joints: Vec<JointSpec> = Vec::new(),
        /// What acts on bodies besides gravity, contact and joints.
        forces: Vec<ForceSpec> = Vec::new(),
        /// Bodies, joints, forces and contacts for every value of an index, after those above.
        repeat: Vec<RepeatSpec> = Vec::new(),
        /// Which pairs touch, and by which laws.
        contacts: Vec<ContactSpec> = Vec::new(),
        /// Pairs of bodies that never touch, whatever their materials.
        exclude_contacts: Vec<[At<String>; 2]> = Vec::new(),
        /// What is asked of two bodies whose boxes share points before their normal is sought.
        proximity: ProximitySpec = ProximitySpec::Boxes,
        /// How it is moved: explicit steps for free bodies, and a mechanism where there are joints, unless it is given.
        solver: Option<SolverSpec>,
        /// How long it runs.
        run: RunSpec,
        /// What is recorded and shown.
        output: Option<OutputSpec>,
    }
}
