//! What files say of anchors: the key `manoeuvre`, a whole model from the measures of bow, anchor and chain.
//! `anchor.rs` reads the anchor, `model.rs` makes the model with colours and a camera, `shape.rs` has the shapes.

mod anchor;
mod model;
mod shape;
#[cfg(test)]
mod tests;

pub use model::scene_of;
pub(crate) use shape::SHAPES;

use crate::manoeuvre::{Bow, Manoeuvre};
use anchor::{ManoeuvreAnchorSpec, solid};
use rattleback_dynamics::DynamicsError;
use rattleback_dynamics::model::PrescribedMotion;
use rattleback_geom::{Pose, Vec3};
use rattleback_scene::read::{
    Angle, Definitions, Field, Force, Json, Length, Range, Reader, SourceValue, Velocity, entry, number,
};
use rattleback_scene::{
    ApplicationModel, Colour, LinkKindSpec, MeshSpec, PrescribedMotionSpec, StiffnessSpec, refuse,
};
use shape::HullSpec;
use std::path::{Path, PathBuf};

entry! {
    /// A windlass heaves an anchor up through the hawse pipe of a bow. The frame is that of the hull: x forward, y to
    /// port, z up, the origin at the mouth of the pipe. It says all of the model; its bodies are `hull`, `shank`,
    /// `head` and the links `chain 1`, `chain 2` and so on from the windlass on.
    pub struct ManoeuvreSpec {
        /// Measures of the bow and its pipe.
        hull: HullSpec,
        /// A mesh in place of the one made of the measures. It stands as that one would; of the measures those of the
        /// pipe, its lip and the plating's inclination still count.
        hull_mesh: Option<MeshSpec>,
        /// The anchor.
        anchor: ManoeuvreAnchorSpec,
        /// The diameter d of the bar of the chain's common links.
        diameter: Length,
        /// How far below the lip the shackle hangs at the start, 12 d at least.
        depth: Length = Length(3.0),
        /// How far the anchor is turned about the chain at the start; at zero its flukes lie side by side along the
        /// plating.
        heading: Angle = Angle(0.0),
        /// How far the hanging chain leans forward at the start.
        lean: Angle = Angle(0.0),
        /// The speed at which the anchor swings forward at the start.
        swing_speed: Velocity = Velocity(0.0),
        /// How far the head is turned about its pin at the start, the flukes towards the hull where above zero.
        tilt: Angle = Angle(0.0),
        /// The speed at which the windlass heaves.
        speed: Velocity = Velocity(0.2),
        /// The pull at which the windlass stalls; five times the weight of the anchor by default.
        limit: Option<Force>,
        /// Coefficient of friction of chain and anchor on the hull while they slide.
        friction: f64 = 0.3,
        /// The coefficient that holds them where they stick; that of sliding by default.
        static_friction: Option<f64>,
        /// The viscous term of friction, in N s/m.
        viscous_friction: f64 = 0.0,
        /// The slip speed about which sticking turns into sliding.
        stick_speed: Velocity = Velocity(0.01),
        /// By how much the penalty of the joints outweighs the inertia.
        penalty: f64 = 1e6,
        /// The links between the common ones and the anchor, the last one at the anchor.
        links: Vec<LinkKindSpec> = vec![LinkKindSpec::Enlarged, LinkKindSpec::Swivel, LinkKindSpec::End],
        /// Meshes that stand for links of special kinds among these, each in place of the kind's tube.
        link_meshes: Vec<LinkMeshSpec> = Vec::new(),
        /// Whether links touch the anchor, the one at its shackle apart.
        chain_on_anchor: bool = false,
        /// Coefficient of friction of links on each other.
        link_friction: f64 = 0.1,
        /// Contact stiffness of chain and anchor on the hull.
        stiffness: StiffnessSpec = StiffnessSpec::Given(2e9, None),
        /// Coefficient of restitution, from 0 to 1.
        restitution: f64 = 0.1,
        /// How the ship moves, the mouth of the pipe being at the origin at rest; it lies still by default.
        motion: Option<PrescribedMotionSpec>,
        /// The colour of the hull in pictures, as "#4477aa".
        colour: Option<Colour>,
    }
}

entry! {
    /// A mesh for the links of a kind. Its frame is that of the link: z from joint to joint, y along the bars of its
    /// crowns, the origin halfway between the points where its neighbours touch it, which are those of the kind. Its
    /// mass is that of its volume in steel, and it touches hull and anchor as a mesh.
    pub struct LinkMeshSpec {
        /// The kind, one of `links`.
        kind: LinkKindSpec,
        /// The mesh.
        mesh: MeshSpec,
    }
}

/// The JSON Schema of the key.
pub(crate) fn schema(definitions: &mut Definitions) -> Json {
    ManoeuvreSpec::schema(definitions)
}

/// Reads the key and makes its model.
pub(crate) fn read(node: &SourceValue, folder: &Path, reader: &mut Reader) -> Option<ApplicationModel> {
    let spec = ManoeuvreSpec::read(node, reader)?;
    let mut remarks = Vec::new();
    let manoeuvre = spec.lower(folder, &mut remarks, reader)?;
    let mut made = match model::model_of(manoeuvre) {
        Ok(made) => made,
        Err(error) => {
            spec.refuse(&error, reader);
            return None;
        }
    };
    if let Some(colour) = spec.colour {
        model::paint_hull(&mut made, colour.0);
    }
    remarks.append(&mut made.remarks);
    made.remarks = remarks;
    made.files = spec.files();
    Some(made)
}

impl ManoeuvreSpec {
    /// The files that it names.
    fn files(&self) -> Vec<PathBuf> {
        let meshes = [&self.hull_mesh, &self.anchor.head, &self.anchor.shank];
        let links = self.link_meshes.iter().map(|link| &link.mesh);
        let all = meshes.into_iter().flatten().chain(links);
        let mut files: Vec<PathBuf> = all.map(|mesh| mesh.file.clone()).collect();
        files.sort();
        files.dedup();
        files
    }

    fn lower(&self, folder: &Path, remarks: &mut Vec<String>, reader: &mut Reader) -> Option<Manoeuvre> {
        let bow = self.bow(folder, remarks, reader);
        let anchor = self.anchor.lower(folder, remarks, reader);
        let motion = self.motion.as_ref().map(|prescribed| {
            let prescribed: Option<PrescribedMotion> =
                prescribed.lower(&Pose::identity(), &Vec3::zeros(), reader);
            prescribed
        });
        let link_meshes: Vec<_> = self
            .link_meshes
            .iter()
            .map(|link| Some((link.kind.kind(), solid(link.mesh.lower(folder, remarks, reader)?)?)))
            .collect();
        self.check(reader)?;
        let (bow, anchor) = (bow?, anchor?);
        let link_meshes = link_meshes.into_iter().collect::<Option<Vec<_>>>()?;
        let motion = match motion {
            Some(prescribed) => Some(prescribed?),
            None => None,
        };
        let usual = Manoeuvre::new(bow, anchor, self.diameter.0);
        let stiffness = match self.stiffness {
            StiffnessSpec::Given(stiffness, _) => stiffness,
            StiffnessSpec::Hertz | StiffnessSpec::CircularHertz => return None,
        };
        Some(Manoeuvre {
            depth: self.depth.0,
            heading: self.heading.0,
            lean: self.lean.0,
            swing_speed: self.swing_speed.0,
            tilt: self.tilt.0,
            speed: self.speed.0,
            limit: self.limit.map_or(usual.limit, |limit| limit.0),
            friction: self.friction,
            static_friction: self.static_friction,
            viscous_friction: self.viscous_friction,
            stick_speed: self.stick_speed.0,
            penalty: self.penalty,
            links: self.links.iter().map(|kind| kind.kind()).collect(),
            link_meshes,
            chain_on_anchor: self.chain_on_anchor,
            link_friction: self.link_friction,
            stiffness,
            restitution: self.restitution,
            motion,
            ..usual
        })
    }

    /// Complains of numbers out of range.
    fn check(&self, reader: &mut Reader) -> Option<()> {
        let place = &self.place;
        let limit = self.limit.map_or(1.0, |limit| limit.0);
        let mut fine = true;
        for (field, value, range) in [
            ("diameter", self.diameter.0, Range::Positive),
            ("depth", self.depth.0, Range::Positive),
            ("heading", self.heading.0, Range::Finite),
            ("lean", self.lean.0, Range::Finite),
            ("swing_speed", self.swing_speed.0, Range::Finite),
            ("tilt", self.tilt.0, Range::Finite),
            ("speed", self.speed.0, Range::Positive),
            ("limit", limit, Range::Positive),
            ("friction", self.friction, Range::NotNegative),
            ("static_friction", self.static_friction.unwrap_or(0.0), Range::NotNegative),
            ("viscous_friction", self.viscous_friction, Range::NotNegative),
            ("stick_speed", self.stick_speed.0, Range::Positive),
            ("penalty", self.penalty, Range::Positive),
            ("link_friction", self.link_friction, Range::NotNegative),
        ] {
            fine &= number(place, field, value, range, reader).is_some();
        }
        if !(0.0..=1.0).contains(&self.restitution) {
            let message = format!("found {}; expected a number from 0 to 1", self.restitution);
            reader.wrong(place, "restitution", message);
            fine = false;
        }
        let stiff = match self.stiffness {
            StiffnessSpec::Given(k, None | Some(1.5)) => {
                number(place, "stiffness", k, Range::Positive, reader).is_some()
            }
            StiffnessSpec::Given(_, Some(power)) => {
                let message = format!("found a stiffness in N/m^{power}; expected one in N/m^1.5");
                reader.wrong(place, "stiffness", message);
                false
            }
            StiffnessSpec::Hertz | StiffnessSpec::CircularHertz => {
                let word = if self.stiffness == StiffnessSpec::Hertz { "hertz" } else { "hertz-circular" };
                let message = format!("found \"{word}\"; expected a stiffness such as \"2e9 N/m^1.5\"");
                reader.wrong(place, "stiffness", message);
                false
            }
        };
        (fine && stiff).then_some(())
    }

    fn bow(&self, folder: &Path, remarks: &mut Vec<String>, reader: &mut Reader) -> Option<Bow> {
        let measures = self.hull.hull();
        // The measures are checked whether the mesh is made of them or not.
        let made = measures.mesh().map_err(|error| refuse(&error, &self.hull.place, "", reader)).ok()?;
        let mesh = match &self.hull_mesh {
            Some(file) => solid(file.lower(folder, remarks, reader)?)?.mesh().clone(),
            None => made,
        };
        let bow = Bow::from_mesh(mesh, &measures);
        bow.map_err(|error| reader.wrong(&self.hull.place, "", error.to_string())).ok()
    }

    /// Tells an error of the engine where it belongs.
    fn refuse(&self, error: &DynamicsError, reader: &mut Reader) {
        match error {
            DynamicsError::OutOfRange { field, value, allowed } if self.place.has(field) => {
                reader.wrong(&self.place, field, format!("found {value}; expected a number {allowed}"));
            }
            DynamicsError::Invalid { what, reason } if what.starts_with("link_meshes") => {
                reader.wrong(&self.place, what, reason.clone());
            }
            DynamicsError::Invalid { what, .. } if what.contains("bow") => {
                reader.wrong(&self.hull.place, "pipe_angle", error.to_string());
            }
            _ => reader.wrong(&self.place, "", error.to_string()),
        }
    }
}
