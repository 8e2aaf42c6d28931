//! The scene of a robot, as a person reads and changes it.

use super::joints::{Holding, holding};
use super::log::{Log, Loss};
use super::part_shape::PartShape;
use super::robot::{Robot, RobotBody, RobotPart};
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
