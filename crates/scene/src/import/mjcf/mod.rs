//! MJCF, the models of MuJoCo: bodies in each other, joints and geoms in bodies, values from nested classes of
//! defaults.
//!
//! | what | file |
//! |---|---|
//! | files that include others | `include.rs` |
//! | angles, folders, how masses come about | `compiler.rs` |
//! | classes of defaults | `defaults.rs` |
//! | the tree of bodies, their joints | `body.rs`, `joint.rs` |
//! | geoms: shapes, masses, what they touch | `geom.rs` |
//! | actuators, equalities, excluded contacts | `actuator.rs`, `relation.rs` |
//!
//! Source: MuJoCo's documentation, "XML reference".

mod actuator;
mod body;
mod compiler;
mod defaults;
mod geom;
mod include;
mod joint;
mod relation;

use super::log::Log;
use super::mesh::Meshes;
use super::robot::{Robot, SurfaceKind};
use super::xml::Element;
use compiler::Compiler;
use defaults::Defaults;
use rattleback_geom::Vec3;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A file under way.
struct Reading<'r> {
    log: &'r mut Log,
    meshes: &'r mut Meshes,
    compiler: Compiler,
    defaults: Defaults,
    assets: Assets,
    robot: Robot,
    /// Attributes and elements that are not taken over and would be told too often: how many, and the first of them.
    unused: BTreeMap<String, (usize, super::log::Spot)>,
    /// Bodies of which a geom could not be weighed, and that geom.
    unweighed: Vec<(usize, super::log::Spot)>,
    /// Whether anything touches at all.
    touches: bool,
}

/// Meshes and colours by name.
#[derive(Default)]
struct Assets {
    meshes: BTreeMap<String, (PathBuf, [f64; 3], super::log::Spot)>,
    colours: BTreeMap<String, [u8; 3]>,
}

/// Sections that have a reader.
const READ: [&str; 8] =
    ["compiler", "option", "default", "asset", "worldbody", "actuator", "equality", "contact"];

/// The robot of an MJCF file.
pub(super) fn read(root: Element, path: &Path, meshes: &mut Meshes, log: &mut Log) -> Robot {
    let root = include::expand(root, path, log);
    let mut reading = Reading {
        compiler: Compiler::read(&root, log),
        defaults: Defaults::read(&root, log),
        log,
        meshes,
        assets: Assets::default(),
        robot: Robot {
            name: root.value("model").unwrap_or("MuJoCo Model").to_owned(),
            gravity: Vec3::new(0.0, 0.0, -9.81),
            bodies: Vec::new(),
            couplings: Vec::new(),
            closures: Vec::new(),
            surfaces: Vec::new(),
            excluded: Vec::new(),
            world_touches: true,
        },
        unused: BTreeMap::new(),
        unweighed: Vec::new(),
        touches: true,
    };
    reading.options(&root);
    for asset in root.all("asset") {
        reading.assets(asset, path);
    }
    reading.world(&root);
    for section in root.all("actuator") {
        reading.actuators(section);
    }
    reading.relations(&root);
    for section in root.children.iter().filter(|child| !READ.contains(&child.tag.as_str())) {
        match section.tag.as_str() {
            "sensor" | "tendon" | "keyframe" | "deformable" | "extension" => {
                for child in &section.children {
                    reading
                        .log
                        .lose(&child.spot, format!("{} {}: not taken over", section.tag, child.title()));
                }
            }
            _ => reading.log.lose(&section.spot, format!("section {}: not taken over", section.tag)),
        }
    }
    for (what, (count, spot)) in std::mem::take(&mut reading.unused) {
        let times = if count == 1 { String::new() } else { format!(", {count} times, the first here") };
        reading.log.lose(&spot, format!("{what}{times}"));
    }
    reading.robot
}

impl Reading<'_> {
    /// Counts what is not taken over, of which there may be much.
    fn unused(&mut self, what: &str, spot: &super::log::Spot) {
        self.unused.entry(what.to_owned()).or_insert_with(|| (0, spot.clone())).0 += 1;
    }

    fn options(&mut self, root: &Element) {
        for option in root.all("option") {
            if let Some(gravity) = option.get("gravity").and_then(|gravity| gravity.triple(self.log)) {
                self.robot.gravity = Vec3::from(gravity);
            }
            self.flags(option);
            for name in ["wind", "density", "viscosity", "magnetic"] {
                let Some(found) = option.get(name) else { continue };
                if found.value.split_whitespace().any(|word| word.parse() != Ok(0.0)) {
                    self.log.lose(&found.spot, format!("option {name}: no medium acts on the bodies"));
                }
            }
            for name in ["timestep", "integrator", "solver", "cone", "impratio", "o_solref"] {
                if let Some(found) = option.get(name) {
                    self.log.lose(&found.spot, format!("option {name}: the scene's solver has its own"));
                }
            }
        }
    }

    /// What `flag` switches off.
    fn flags(&mut self, option: &Element) {
        for flag in
            option.all("flag").flat_map(|flag| &flag.attributes).filter(|flag| flag.value == "disable")
        {
            match flag.name.as_str() {
                "contact" => self.touches = false,
                "gravity" => self.robot.gravity = Vec3::zeros(),
                // They switch between ways of computing the same.
                "warmstart" | "filterparent" | "eulerdamp" | "nativeccd" | "island" | "autoreset"
                | "multiccd" => {}
                other => {
                    self.log.lose(&flag.spot, format!("flag {other}=\"disable\": it is not switched off"))
                }
            }
        }
    }

    fn assets(&mut self, section: &Element, main: &Path) {
        for asset in &section.children {
            match asset.tag.as_str() {
                "mesh" => self.mesh_asset(asset, main),
                "material" => {
                    let rgba = self.defaults.view(asset, "material", None).get("rgba");
                    let rgba = rgba.and_then(|rgba| rgba.numbers(4, 4, self.log));
                    if let (Some(name), Some(rgba)) = (asset.value("name"), rgba) {
                        self.assets.colours.insert(name.to_owned(), colour(&rgba));
                    }
                }
                "texture" => {}
                _ => self.log.lose(&asset.spot, format!("asset {}: not taken over", asset.title())),
            }
        }
    }

    fn mesh_asset(&mut self, asset: &Element, main: &Path) {
        let Some(file) = asset.get("file") else {
            self.log.lose(&asset.spot, format!("{}: only meshes in files are read", asset.title()));
            return;
        };
        let scale = self.defaults.view(asset, "mesh", None).get("scale");
        let scale = scale.map_or(Some([1.0; 3]), |scale| scale.triple(self.log));
        for name in ["refpos", "refquat"] {
            if let Some(found) = asset.get(name) {
                self.log.refuse(
                    &found.spot,
                    format!("found `{name}` of a mesh; expected coordinates as the file has them"),
                );
            }
        }
        let stem = Path::new(&file.value).file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let name = asset.value("name").map(str::to_owned).or(stem).unwrap_or_default();
        let path = main.parent().unwrap_or(Path::new("")).join(&self.compiler.meshes).join(&file.value);
        if let Some(scale) = scale {
            let path = std::path::absolute(&path).unwrap_or(path);
            self.assets.meshes.insert(name, (path, scale, file.spot.clone()));
        }
    }

    /// The number of a kind of surface.
    fn surface(&mut self, kind: u32, touches: u32, friction: f64) -> usize {
        let surfaces = &mut self.robot.surfaces;
        let same =
            |other: &SurfaceKind| (other.kind, other.touches, other.friction) == (kind, touches, friction);
        surfaces.iter().position(same).unwrap_or_else(|| {
            let number = surfaces.len();
            let name = if number == 0 { "surface".to_owned() } else { format!("surface_{}", number + 1) };
            surfaces.push(SurfaceKind { name, kind, touches, friction });
            number
        })
    }
}

/// A colour of red, green and blue from 0 to 1.
fn colour(rgba: &[f64]) -> [u8; 3] {
    [0, 1, 2].map(|k| (rgba[k].clamp(0.0, 1.0) * 255.0).round() as u8)
}
