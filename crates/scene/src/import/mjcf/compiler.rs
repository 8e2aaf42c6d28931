//! How the numbers of a file are meant: angles, orientations, folders, masses.

use super::super::log::Log;
use super::super::xml::{Attribute, Element};
use super::defaults::View;
use rattleback_geom::nalgebra::{Quaternion, Rotation3, Unit, UnitQuaternion};
use rattleback_geom::{Mat3, Pose, Vec3};
use std::path::PathBuf;

/// What the element `compiler` says.
#[derive(Debug, Clone)]
pub(super) struct Compiler {
    /// Radians per unit of angle.
    pub(super) angle: f64,
    sequence: [char; 3],
    pub(super) meshes: PathBuf,
    pub(super) autolimits: bool,
    /// Whether masses come from geoms even where they are given; none where they do only if not.
    pub(super) inertia_from_geoms: Option<bool>,
    pub(super) inertia_groups: [i64; 2],
    pub(super) total_mass: Option<f64>,
    pub(super) least_mass: f64,
    pub(super) least_inertia: f64,
}

impl Compiler {
    pub(super) fn read(root: &Element, log: &mut Log) -> Self {
        let mut compiler = Self {
            angle: 1f64.to_radians(),
            sequence: ['x', 'y', 'z'],
            meshes: PathBuf::new(),
            autolimits: true,
            inertia_from_geoms: None,
            inertia_groups: [0, 5],
            total_mass: None,
            least_mass: 0.0,
            least_inertia: 0.0,
        };
        for element in root.all("compiler") {
            for attribute in &element.attributes {
                compiler.set(attribute, log);
            }
            let assets = element.value("assetdir").map(PathBuf::from);
            if let Some(folder) = element.value("meshdir").map(PathBuf::from).or(assets) {
                compiler.meshes = folder;
            }
        }
        compiler
    }

    fn set(&mut self, attribute: &Attribute, log: &mut Log) {
        let value = attribute.value.as_str();
        let wrong = |expected: &str, log: &mut Log| {
            log.refuse(
                &attribute.spot,
                format!("`{}`: found \"{value}\"; expected {expected}", attribute.name),
            );
        };
        match attribute.name.as_str() {
            "angle" => match value {
                "degree" => self.angle = 1f64.to_radians(),
                "radian" => self.angle = 1.0,
                _ => wrong("degree or radian", log),
            },
            "coordinate" if value != "local" => wrong("local coordinates, as of MuJoCo 2.3.4 on", log),
            "eulerseq" => {
                let letters: Vec<char> = value.chars().collect();
                match <[char; 3]>::try_from(letters) {
                    Ok(sequence) if sequence.iter().all(|c| "xyzXYZ".contains(*c)) => {
                        self.sequence = sequence
                    }
                    _ => wrong("three of x, y, z, X, Y and Z", log),
                }
            }
            "autolimits" => self.autolimits = value != "false",
            "inertiafromgeom" => {
                self.inertia_from_geoms = match value {
                    "true" => Some(true),
                    "false" => Some(false),
                    _ => None,
                }
            }
            "inertiagrouprange" => {
                if let Some(groups) = attribute.numbers(2, 2, log) {
                    self.inertia_groups = [groups[0] as i64, groups[1] as i64];
                }
            }
            "settotalmass" => self.total_mass = attribute.number(log).filter(|mass| *mass > 0.0),
            "boundmass" => self.least_mass = attribute.number(log).unwrap_or_default(),
            "boundinertia" => self.least_inertia = attribute.number(log).unwrap_or_default(),
            _ => {}
        }
    }

    /// Position and orientation of an element.
    pub(super) fn pose(&self, view: &View<'_>, log: &mut Log) -> Pose {
        let position = view.get("pos").and_then(|pos| pos.triple(log)).unwrap_or_default();
        Pose::new(Vec3::from(position), self.orientation(view, log))
    }

    /// Its orientation, in the one of five ways that it says.
    pub(super) fn orientation(&self, view: &View<'_>, log: &mut Log) -> UnitQuaternion<f64> {
        let ways = ["quat", "axisangle", "euler", "xyaxes", "zaxis"];
        let own = ways.iter().find_map(|way| view.own(way));
        let Some(found) = own.or_else(|| ways.iter().find_map(|way| view.get(way))) else {
            return UnitQuaternion::identity();
        };
        let count = match found.name.as_str() {
            "quat" | "axisangle" => 4,
            "xyaxes" => 6,
            _ => 3,
        };
        let Some(n) = found.numbers(count, count, log) else { return UnitQuaternion::identity() };
        let turned = match found.name.as_str() {
            "quat" => {
                let q = Quaternion::new(n[0], n[1], n[2], n[3]);
                (q.norm() > 1e-9).then(|| UnitQuaternion::from_quaternion(q))
            }
            "axisangle" => Vec3::new(n[0], n[1], n[2])
                .try_normalize(1e-9)
                .map(|axis| UnitQuaternion::from_axis_angle(&Unit::new_unchecked(axis), n[3] * self.angle)),
            "euler" => Some(self.euler([n[0], n[1], n[2]])),
            "xyaxes" => from_axes(Vec3::new(n[0], n[1], n[2]), Vec3::new(n[3], n[4], n[5])),
            _ => along(&Vec3::new(n[0], n[1], n[2])),
        };
        turned.unwrap_or_else(|| {
            log.refuse(&found.spot, format!("`{}`: found no direction in it", found.name));
            UnitQuaternion::identity()
        })
    }

    /// Small letters turn about the axes that have turned already, capitals about those that have not.
    fn euler(&self, angles: [f64; 3]) -> UnitQuaternion<f64> {
        let mut turned = UnitQuaternion::identity();
        for (letter, angle) in self.sequence.into_iter().zip(angles) {
            let axis = match letter.to_ascii_lowercase() {
                'x' => Vec3::x_axis(),
                'y' => Vec3::y_axis(),
                _ => Vec3::z_axis(),
            };
            let turn = UnitQuaternion::from_axis_angle(&axis, angle * self.angle);
            turned = if letter.is_ascii_lowercase() { turned * turn } else { turn * turned };
        }
        turned
    }
}

/// Axes with x along one vector and y the part of the other across it.
fn from_axes(x: Vec3, y: Vec3) -> Option<UnitQuaternion<f64>> {
    let x = x.try_normalize(1e-9)?;
    let y = (y - x * x.dot(&y)).try_normalize(1e-9)?;
    let matrix = Mat3::from_columns(&[x, y, x.cross(&y)]);
    Some(UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(matrix)))
}

/// The least turn that brings z along a vector.
pub(super) fn along(v: &Vec3) -> Option<UnitQuaternion<f64>> {
    let v = v.try_normalize(1e-12)?;
    // Half a turn has many axes; x is one.
    Some(
        UnitQuaternion::rotation_between(&Vec3::z(), &v)
            .unwrap_or_else(|| UnitQuaternion::from_axis_angle(&Vec3::x_axis(), std::f64::consts::PI)),
    )
}
