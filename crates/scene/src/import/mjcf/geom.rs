//! Geoms of a body: shapes, their masses, and what they touch.

use super::super::part_shape::PartShape;
use super::super::robot::{Inertial, RobotPart};
use super::super::xml::{Attribute, Element};
use super::compiler::along;
use super::{Reading, colour};
use rattleback_geom::{Moments, Pose, Vec3};

/// What MuJoCo's solver of constraints is told of contacts.
const SOFT: [&str; 6] = ["solref", "solimp", "solmix", "margin", "gap", "priority"];
/// MuJoCo's density of geoms that say neither mass nor density, in kg/m³.
const DENSITY: f64 = 1000.0;

impl Reading<'_> {
    /// Adds a geom to a body; `frame` is the pose of the frames around it in the body.
    pub(super) fn geom(&mut self, element: &Element, class: Option<&str>, body: usize, frame: &Pose) {
        let view = self.defaults.view(element, "geom", class);
        let title = element.title();
        let mut pose = self.compiler.pose(&view, self.log);
        let size = view.get("size").and_then(|size| size.numbers(1, 3, self.log)).unwrap_or_default();
        let ends = view.get("fromto").and_then(|ends| ends.numbers(6, 6, self.log));
        let mesh = view.get("mesh").cloned();
        let usual = if mesh.is_some() { "mesh" } else { "sphere" };
        let kind = view.value("type").unwrap_or(usual).to_owned();
        let masses = [view.get("mass"), view.get("density")].map(|x| x.and_then(|x| x.number(self.log)));
        let group = view.number("group", 0.0, self.log) as i64;
        let bits = [view.number("contype", 1.0, self.log), view.number("conaffinity", 1.0, self.log)];
        let friction =
            view.get("friction").and_then(|friction| friction.numbers(1, 3, self.log)).map_or(1.0, |f| f[0]);
        let rgba = view.own("rgba").or(view.get("rgba")).and_then(|rgba| rgba.numbers(4, 4, self.log));
        let painted = view.value("material").and_then(|name| self.assets.colours.get(name).copied());
        let soft: Vec<&str> = SOFT.into_iter().filter(|name| view.get(name).is_some()).collect();
        let is_shell = view.value("shellinertia") == Some("true");
        for name in soft {
            self.unused(&format!("geom {name}: contacts are those of the scene"), &element.spot);
        }
        if is_shell {
            self.log.lose(&element.spot, format!("shellinertia of {title}: it is weighed as a solid"));
        }
        let half = ends.as_ref().and_then(|ends| {
            let [from, to] = [0, 3].map(|k| Vec3::new(ends[k], ends[k + 1], ends[k + 2]));
            pose = Pose::new((from + to) / 2.0, along(&(from - to))?);
            Some((to - from).norm() / 2.0)
        });
        let in_groups = (self.compiler.inertia_groups[0]..=self.compiler.inertia_groups[1]).contains(&group);
        let weighs = in_groups && body != 0 && masses[0].or(masses[1]) != Some(0.0);
        let Some((shape, moments)) = self.shape(element, &kind, &size, half, mesh.as_ref()) else {
            if weighs && kind != "hfield" {
                self.unweighed.push((body, element.spot.clone()));
            }
            return;
        };
        let pose = frame.compose(&pose);
        if let Some(moments) = moments.filter(|_| weighs) {
            self.weigh(element, body, &moments.moved(&pose), masses);
        }
        let bits = bits.map(|bits| bits as i64 as u32);
        let touches = self.touches && bits != [0, 0];
        if !touches && matches!(shape, PartShape::Mesh { .. }) {
            self.unused("a mesh that nothing touches is not drawn", &element.spot);
            return;
        }
        if matches!(shape, PartShape::Plane) && body != 0 {
            self.log.lose(&element.spot, format!("{title}: a plane of a body that moves is left out"));
            return;
        }
        let surface = touches.then(|| self.surface(bits[0], bits[1], friction));
        let body = &mut self.robot.bodies[body];
        body.colour = body.colour.or(rgba.map(|rgba| colour(&rgba))).or(painted);
        body.parts.push(RobotPart { shape, pose, surface });
    }

    /// The shape of a geom and its moments, none of a plane; `half` is half the length between its given ends.
    fn shape(
        &mut self,
        element: &Element,
        kind: &str,
        size: &[f64],
        half: Option<f64>,
        mesh: Option<&Attribute>,
    ) -> Option<(PartShape, Option<Moments>)> {
        let title = element.title();
        if mesh.is_some() && kind != "mesh" {
            self.log.lose(&element.spot, format!("{title}: a {kind} fitted to a mesh is left out"));
            return None;
        }
        self.check_size(element, kind, size, half)?;
        let length = half.or(size.get(1).copied()).unwrap_or_default();
        // With ends given, the second number is the other half width, the first unless it is there.
        let widths = || match half {
            Some(half) => [size[0], size.get(1).copied().unwrap_or(size[0]), half],
            None => [size[0], size[1], size[2]],
        };
        let shape = match kind {
            "sphere" => PartShape::Sphere { radius: size[0] },
            "capsule" => PartShape::Capsule { radius: size[0], half_length: length },
            "cylinder" => PartShape::Cylinder { radius: size[0], half_length: length },
            "ellipsoid" => PartShape::Ellipsoid(widths()),
            "box" => PartShape::Box(widths().map(|half| 2.0 * half)),
            "plane" => return Some((PartShape::Plane, None)),
            "mesh" => return self.mesh(element, mesh),
            "hfield" | "sdf" => {
                self.log.lose(&element.spot, format!("{title}: a geom of type {kind} is left out"));
                return None;
            }
            other => {
                self.log.refuse(
                    &element.spot,
                    format!("found the type \"{other}\" of {title}; expected one of MuJoCo's geoms"),
                );
                return None;
            }
        };
        match shape.moments() {
            Ok(moments) => Some((shape, Some(moments))),
            Err(error) => {
                self.log.refuse(&element.spot, format!("{title}: {error}"));
                None
            }
        }
    }

    /// Complains of sizes that are too few or not above zero.
    fn check_size(&mut self, element: &Element, kind: &str, size: &[f64], half: Option<f64>) -> Option<()> {
        let needed = match (kind, half) {
            ("sphere", _) | ("capsule" | "cylinder", Some(_)) => 1,
            ("capsule" | "cylinder", None) => 2,
            ("box" | "ellipsoid", Some(_)) => 1,
            ("box" | "ellipsoid", None) => 3,
            _ => 0,
        };
        if size.len() < needed || size.iter().take(needed).any(|x| !(*x > 0.0)) {
            let title = element.title();
            let message = format!(
                "`size` of {title}: found {size:?}; expected {needed} numbers above zero for a {kind}"
            );
            self.log.refuse(&element.spot, message);
            return None;
        }
        Some(())
    }

    fn mesh(&mut self, element: &Element, mesh: Option<&Attribute>) -> Option<(PartShape, Option<Moments>)> {
        let Some(name) = mesh else {
            self.log.refuse(&element.spot, format!("missing attribute `mesh` of {}", element.title()));
            return None;
        };
        let Some((path, scale, _)) = self.assets.meshes.get(&name.value).cloned() else {
            self.log.lose(
                &element.spot,
                format!("{}: no mesh file is named \"{}\"; it is left out", element.title(), name.value),
            );
            return None;
        };
        match self.meshes.find(&path, scale) {
            Ok(usable) => Some((usable.shape, Some(usable.moments))),
            Err(reason) => {
                let message = format!("{} is left out: {} {reason}", element.title(), path.display());
                self.log.lose(&element.spot, message);
                None
            }
        }
    }

    /// Adds the mass of a geom to its body's.
    fn weigh(
        &mut self,
        element: &Element,
        body: usize,
        moments: &Moments,
        [mass, density]: [Option<f64>; 2],
    ) {
        let density = match mass {
            Some(mass) => mass / moments.volume,
            None => density.unwrap_or(DENSITY),
        };
        if density == 0.0 {
            return;
        }
        match moments.with_density(density) {
            Ok(found) => {
                let added = Inertial { mass: found.mass, centre: found.centroid, inertia: found.inertia };
                let whole = &mut self.robot.bodies[body].inertial;
                *whole = Some(whole.map_or(added, |whole| whole.plus(&added)));
            }
            Err(error) => self.log.refuse(&element.spot, format!("mass of {}: {error}", element.title())),
        }
    }
}
