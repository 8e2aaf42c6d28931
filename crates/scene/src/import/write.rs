//! The scene of a robot, as a person reads and changes it.

use super::joints::{Holding, holding};
use super::log::{Log, Loss};
use super::robot::{PartShape, Robot, RobotBody, RobotPart};
use super::toml::{inertia, list, number, orientation, path, remark, text, vector};
use super::write_joint::{coupling, joint};
use super::{ImportOptions, package};
use rattleback_geom::{Pose, Vec3};
use std::fmt::Write;
use std::path::Path;

/// A robot whose every body has a joint of a scene, and where it stands.
pub(super) struct Scenery<'r> {
    pub(super) robot: &'r Robot,
    pub(super) options: &'r ImportOptions,
    /// Of each body, at the start.
    pub(super) poses: Vec<Pose>,
    pub(super) holdings: Vec<Holding>,
    /// The file that was read, and the folder of the scene, for the files that it names.
    pub(super) source: &'r Path,
    pub(super) folder: &'r Path,
}

/// What is known only once a first scene has been looked at.
#[derive(Debug, Clone, Default)]
pub(super) struct Found {
    /// Pairs of bodies that overlap at the start, with how deep.
    pub(super) overlaps: Vec<([String; 2], f64)>,
    /// The height of the ground.
    pub(super) ground: Option<f64>,
}

/// How deep the weight presses one contact in, in m: what the stiffness is chosen for.
const SAG: f64 = 1e-3;
/// The exponent of the contact law.
const EXPONENT: f64 = 1.5;
/// The friction of the ground.
const GROUND_FRICTION: f64 = 0.8;

impl<'r> Scenery<'r> {
    pub(super) fn new(
        robot: &'r Robot,
        options: &'r ImportOptions,
        source: &'r Path,
        folder: &'r Path,
    ) -> Self {
        let holdings =
            robot.bodies.iter().map(|body| holding(&body.joints).unwrap_or(Holding::Fixed)).collect();
        Self { robot, options, poses: robot.start(), holdings, source, folder }
    }

    pub(super) fn name(&self, body: usize) -> &str {
        &self.robot.bodies[body].name
    }

    /// Whether a body stands still.
    pub(super) fn stands(&self, body: usize) -> bool {
        self.robot.bodies[body].parent.is_none() && matches!(self.holdings[body], Holding::Fixed)
    }

    /// The text of the scene.
    pub(super) fn write(&self, losses: &[Loss], found: &Found, log: &mut Log) -> String {
        let mut out = String::new();
        let mut joints = String::new();
        for k in 0..self.robot.bodies.len() {
            joints += &joint(self, k, log);
        }
        for closure in &self.robot.closures {
            joints += &self.closure(closure);
        }
        for one in &self.robot.couplings {
            joints += &coupling(self, one, log);
        }
        self.head(losses, &mut out);
        self.exclusions(found, &mut out);
        for kind in &self.robot.surfaces {
            writeln!(out, "[materials.{}]\n", kind.name).ok();
        }
        if self.options.ground {
            writeln!(out, "[materials.ground]\n").ok();
        }
        for (k, body) in self.robot.bodies.iter().enumerate() {
            self.body(k, body, &mut out);
        }
        if self.options.ground {
            self.ground(found.ground.unwrap_or_default(), &mut out);
        }
        out += &joints;
        self.contacts(&mut out);
        out += "[solver]\ntype = \"mechanism\"\nstep = \"1 ms\"\n\n[run]\nduration = \"1 s\"\n";
        out
    }

    fn head(&self, losses: &[Loss], out: &mut String) {
        let file =
            self.source.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        writeln!(out, "# Imported from {}. Numbers are in SI units: m, kg, s, rad, N, N m.", remark(&file))
            .ok();
        writeln!(out, "# Frames of bodies are those of the source; joints are where they are at the start.")
            .ok();
        if !losses.is_empty() {
            writeln!(out, "#\n# Not in this scene, or otherwise than in its source:").ok();
            for loss in losses {
                writeln!(out, "#   {}", remark(&loss.to_string())).ok();
            }
        }
        writeln!(out, "\ntitle = {}", text(&self.robot.name)).ok();
        writeln!(out, "source = {}", text(&format!("imported from {file}"))).ok();
        writeln!(out, "gravity = {}\n", vector(&self.robot.gravity)).ok();
    }

    /// Pairs that never touch: joined bodies, those that the source names, those that overlap at the start.
    fn exclusions<'s>(&'s self, found: &Found, out: &mut String) {
        let mut lines: Vec<([&'s str; 2], String)> = Vec::new();
        let mut add = |pair: [&'s str; 2], reason: String| {
            if !lines.iter().any(|(other, _)| *other == pair || *other == [pair[1], pair[0]]) {
                lines.push((pair, reason));
            }
        };
        for (k, body) in self.robot.bodies.iter().enumerate() {
            // What is joined to the world touches the rest of it, as the tree's own root does its first link.
            let Some(parent) = body.parent else { continue };
            let is_world = self.stands(parent) && self.robot.world_touches;
            if !is_world && !matches!(self.holdings[k], Holding::Free) && self.may_touch(parent, k) {
                add([self.name(parent), self.name(k)], "joined".to_owned());
            }
        }
        for ([a, b], reason) in &self.robot.excluded {
            add([self.name(*a), self.name(*b)], reason.clone());
        }
        for ([a, b], depth) in &found.overlaps {
            let named = |name: &String| self.robot.bodies.iter().position(|body| body.name == *name);
            if let (Some(a), Some(b)) = (named(a), named(b)) {
                add([self.name(a), self.name(b)], format!("overlap at the start by {depth:.2e} m"));
            }
        }
        if lines.is_empty() {
            return;
        }
        writeln!(out, "# Pairs of bodies that never touch.\nexclude_contacts = [").ok();
        for ([a, b], reason) in lines {
            writeln!(out, "  [{}, {}],  # {}", text(a), text(b), remark(&reason)).ok();
        }
        writeln!(out, "]\n").ok();
    }

    /// Whether parts of two bodies may touch.
    pub(super) fn may_touch(&self, a: usize, b: usize) -> bool {
        let surfaces = |body: usize| self.robot.bodies[body].parts.iter().filter_map(|part| part.surface);
        surfaces(a).any(|one| surfaces(b).any(|other| self.robot.touch(one, other)))
    }

    fn body(&self, k: usize, body: &RobotBody, out: &mut String) {
        writeln!(out, "[[bodies]]\nname = {}", text(&body.name)).ok();
        if !body.merged.is_empty() {
            let names: Vec<String> = body.merged.iter().map(|name| remark(name)).collect();
            writeln!(out, "# with what is fixed to it: {}", names.join(", ")).ok();
        }
        if self.stands(k) {
            writeln!(out, "fixed = true").ok();
        }
        self.place(&self.poses[k], "\n", out);
        if let (Some(inertial), false) = (&body.inertial, self.stands(k)) {
            writeln!(out, "mass = {}", number(inertial.mass)).ok();
            if vector(&inertial.centre) != vector(&Vec3::zeros()) {
                writeln!(out, "mass_centre = {}", vector(&inertial.centre)).ok();
            }
            writeln!(out, "inertia = {}", inertia(&inertial.inertia)).ok();
        }
        for said in &body.remarks {
            writeln!(out, "# {}", remark(said)).ok();
        }
        match body.parts.as_slice() {
            [] => {}
            [part] if part.pose.is_identity() => {
                writeln!(out, "shape = {}", self.shape(&part.shape)).ok();
                if let Some(surface) = part.surface {
                    writeln!(out, "material = {}", text(&self.robot.surfaces[surface].name)).ok();
                }
            }
            parts => {
                writeln!(out, "parts = [").ok();
                parts.iter().for_each(|part| self.part(part, out));
                writeln!(out, "]").ok();
            }
        }
        if let Some([r, g, b]) = body.colour {
            writeln!(out, "colour = \"#{r:02x}{g:02x}{b:02x}\"").ok();
        }
        writeln!(out).ok();
    }

    /// Position and orientation, each followed by `end`.
    fn place(&self, pose: &Pose, end: &str, out: &mut String) {
        if vector(&pose.position) != vector(&Vec3::zeros()) {
            write!(out, "position = {}{end}", vector(&pose.position)).ok();
        }
        if let Some(turn) = orientation(&pose.orientation) {
            write!(out, "orientation = {turn}{end}").ok();
        }
    }

    fn part(&self, part: &RobotPart, out: &mut String) {
        let mut keys = format!("shape = {}, ", self.shape(&part.shape));
        if let Some(surface) = part.surface {
            write!(keys, "material = {}, ", text(&self.robot.surfaces[surface].name)).ok();
        }
        self.place(&part.pose, ", ", &mut keys);
        writeln!(out, "  {{ {} }},", keys.trim_end_matches([',', ' '])).ok();
    }

    fn shape(&self, shape: &PartShape) -> String {
        match shape {
            PartShape::Box(size) => format!("{{ type = \"box\", size = {} }}", list(size)),
            PartShape::Sphere { radius } => format!("{{ type = \"sphere\", radius = {} }}", number(*radius)),
            PartShape::Ellipsoid(axes) => format!("{{ type = \"ellipsoid\", semi_axes = {} }}", list(axes)),
            PartShape::Cylinder { radius, half_length } => {
                format!(
                    "{{ type = \"cylinder\", radius = {}, half_length = {} }}",
                    number(*radius),
                    number(*half_length)
                )
            }
            PartShape::Capsule { radius, half_length } => {
                format!(
                    "{{ type = \"capsule\", radius = {}, half_length = {} }}",
                    number(*radius),
                    number(*half_length)
                )
            }
            PartShape::Plane => "{ type = \"plane\", normal = [0, 0, 1] }".to_owned(),
            PartShape::Mesh { file, scale } => {
                let file =
                    if file.is_absolute() { package::relative(file, self.folder) } else { file.clone() };
                let scale =
                    if *scale == 1.0 { String::new() } else { format!(", scale = {}", number(*scale)) };
                format!("{{ type = \"mesh\", file = {}{scale} }}", path(&file))
            }
        }
    }

    fn ground(&self, height: f64, out: &mut String) {
        let shape = format!("{{ type = \"plane\", normal = [0, 0, 1], offset = {} }}", number(height));
        writeln!(
            out,
            "[[bodies]]\nname = \"ground\"\nfixed = true\nshape = {shape}\nmaterial = \"ground\"\n"
        )
        .ok();
    }

    /// The stiffness of all contacts in N/m^1.5: with the weight of all that moves on one contact, it is pressed in by
    /// [`SAG`].
    fn stiffness(&self) -> f64 {
        let moving = (0..self.robot.bodies.len()).filter(|k| !self.stands(*k));
        let mass: f64 =
            moving.filter_map(|k| self.robot.bodies[k].inertial).map(|inertial| inertial.mass).sum();
        let gravity = self.robot.gravity.norm();
        let weight = mass * if gravity > 0.0 { gravity } else { 9.81 };
        let stiffness = weight / SAG.powf(EXPONENT);
        // Two digits: it is a choice.
        if stiffness > 0.0 { format!("{stiffness:.1e}").parse().unwrap_or(stiffness) } else { 1e6 }
    }

    /// Whether two bodies, one of which moves, have these kinds of surface.
    fn meet(&self, a: usize, b: usize) -> bool {
        let with = |kind: usize| {
            let has = move |body: &RobotBody| body.parts.iter().any(|part| part.surface == Some(kind));
            (0..self.robot.bodies.len()).filter(move |k| has(&self.robot.bodies[*k]))
        };
        with(a).any(|one| with(b).any(|other| one != other && !(self.stands(one) && self.stands(other))))
    }

    fn contacts(&self, out: &mut String) {
        let (kinds, stiffness) = (&self.robot.surfaces, self.stiffness());
        let mut pairs: Vec<([&str; 2], f64)> = Vec::new();
        for a in 0..kinds.len() {
            for b in (a..kinds.len()).filter(|b| self.robot.touch(a, *b) && self.meet(a, *b)) {
                pairs.push(([&kinds[a].name, &kinds[b].name], kinds[a].friction.max(kinds[b].friction)));
            }
        }
        if self.options.ground {
            pairs.extend(
                kinds.iter().map(|kind| ([kind.name.as_str(), "ground"], kind.friction.max(GROUND_FRICTION))),
            );
        }
        if !pairs.is_empty() {
            writeln!(out, "# Chosen here: the whole weight on one contact presses it in by 1 mm. Change what you know better.").ok();
        }
        for ([a, b], friction) in pairs {
            writeln!(out, "[[contacts]]\nmaterials = [{}, {}]", text(a), text(b)).ok();
            writeln!(out, "stiffness = {}  # N/m^1.5", number(stiffness)).ok();
            writeln!(out, "normal = {{ law = \"exact\", restitution = 0.2 }}").ok();
            if friction > 0.0 {
                let coefficient = number(friction);
                writeln!(
                    out,
                    "friction = {{ law = \"coulomb\", coefficient = {coefficient}, transition = \"1 cm/s\" }}"
                )
                .ok();
            }
            writeln!(out).ok();
        }
    }

    fn closure(&self, closure: &super::robot::Closure) -> String {
        let [a, b] = closure.bodies;
        let mut out = format!("[[joints]]\nname = {}\n", text(&closure.name));
        match closure.point {
            Some(point) => {
                let point = self.poses[a].point_to_world(&point);
                writeln!(
                    out,
                    "type = \"spherical\"\nbodies = [{}, {}]",
                    text(self.name(a)),
                    text(self.name(b))
                )
                .ok();
                writeln!(out, "point = {}", vector(&point)).ok();
            }
            None => {
                writeln!(out, "type = \"fixed\"\nbodies = [{}, {}]", text(self.name(a)), text(self.name(b)))
                    .ok();
            }
        }
        out + "\n"
    }
}
