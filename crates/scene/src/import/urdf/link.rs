//! Links: their masses and shapes.

use super::super::package;
use super::super::part_shape::PartShape;
use super::super::robot::{Inertial, RobotBody, RobotPart};
use super::super::xml::Element;
use super::Reading;
use rattleback_geom::{Mat3, Pose, Vec3};

impl Reading<'_> {
    pub(super) fn body(&mut self, name: &str, link: &Element) -> RobotBody {
        let inertial = link.child("inertial").and_then(|inertial| self.inertial(inertial));
        let mut parts: Vec<RobotPart> = Vec::new();
        for collision in link.all("collision") {
            parts.extend(self.part(collision, Some(0), link));
        }
        // What has nothing to touch is drawn as it is seen.
        if link.child("collision").is_none() {
            for visual in link.all("visual") {
                parts.extend(self.part(visual, None, link));
            }
        }
        for child in &link.children {
            if !["inertial", "collision", "visual"].contains(&child.tag.as_str()) {
                self.log.lose(&child.spot, format!("{} of link \"{name}\": not taken over", child.title()));
            }
        }
        let materials = link.all("visual").filter_map(|visual| visual.child("material"));
        let colour = materials.into_iter().find_map(|material| {
            self.colour(material).or_else(|| self.colours.get(material.value("name")?).copied())
        });
        RobotBody {
            name: name.to_owned(),
            spot: link.spot.clone(),
            parent: None,
            pose: Pose::identity(),
            joints: Vec::new(),
            inertial,
            parts,
            colour,
            merged: Vec::new(),
            remarks: Vec::new(),
        }
    }

    fn inertial(&mut self, element: &Element) -> Option<Inertial> {
        let pose = self.origin(element);
        let mass = element.child("mass").and_then(|mass| mass.needed("value", self.log)?.number(self.log));
        let mut moments = [0.0; 6];
        if let Some(inertia) = element.child("inertia") {
            for (k, name) in ["ixx", "ixy", "ixz", "iyy", "iyz", "izz"].into_iter().enumerate() {
                moments[k] = inertia.get(name).and_then(|moment| moment.number(self.log)).unwrap_or_default();
            }
        }
        let [xx, xy, xz, yy, yz, zz] = moments;
        let inertia = Mat3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
        let mass = mass?;
        if mass < 0.0 {
            self.log
                .refuse(&element.spot, format!("found the mass {mass}; expected one that is not negative"));
            return None;
        }
        (mass > 0.0).then(|| Inertial { mass, centre: Vec3::zeros(), inertia }.moved(&pose))
    }

    /// The shape of a `collision` or `visual` element.
    fn part(&mut self, of: &Element, surface: Option<usize>, link: &Element) -> Option<RobotPart> {
        let pose = self.origin(of);
        let shapes = of.child("geometry").map(|geometry| geometry.children.as_slice()).unwrap_or_default();
        let Some(shape) = shapes.first() else {
            self.log.refuse(&of.spot, format!("found no geometry in a {} of {}", of.tag, link.title()));
            return None;
        };
        let spot = shape.spot.clone();
        let mut size = |name: &str| {
            let found = shape.needed(name, self.log)?;
            let number = found.number(self.log)?;
            if !(number > 0.0) {
                self.log
                    .refuse(&found.spot, format!("`{name}`: found {number}; expected a number above zero"));
                return None;
            }
            Some(number)
        };
        let shape = match shape.tag.as_str() {
            "sphere" => PartShape::Sphere { radius: size("radius")? },
            "cylinder" => {
                let (radius, length) = (size("radius"), size("length"));
                PartShape::Cylinder { radius: radius?, half_length: length? / 2.0 }
            }
            "capsule" => {
                let (radius, length) = (size("radius"), size("length"));
                PartShape::Capsule { radius: radius?, half_length: length? / 2.0 }
            }
            "box" => {
                let attribute = shape.needed("size", self.log)?;
                let size = attribute.triple(self.log)?;
                if size.iter().any(|length| !(*length > 0.0)) {
                    self.log.refuse(&attribute.spot, "`size`: expected three lengths above zero");
                    return None;
                }
                PartShape::Box(size)
            }
            "mesh" => return self.mesh(shape, of, link).map(|shape| RobotPart { shape, pose, surface }),
            _ => {
                let message = format!(
                    "the {} of {}, a {}, is left out: no such shape is known",
                    of.tag,
                    link.title(),
                    shape.tag
                );
                self.log.lose(&shape.spot, message);
                return None;
            }
        };
        if let Err(error) = shape.moments() {
            self.log.refuse(&spot, error.to_string());
            return None;
        }
        Some(RobotPart { shape, pose, surface })
    }

    fn mesh(&mut self, shape: &Element, of: &Element, link: &Element) -> Option<PartShape> {
        let name = shape.needed("filename", self.log)?;
        let scale = shape.get("scale").map_or(Some([1.0; 3]), |scale| scale.triple(self.log))?;
        let path = package::find(&name.value, self.log.path(name.spot.file), &self.options.packages);
        match path.and_then(|path| self.meshes.find(&path, scale)) {
            Ok(usable) => Some(usable.shape),
            Err(reason) => {
                let message =
                    format!("the {} of {} is left out: {} {reason}", of.tag, link.title(), name.value);
                self.log.lose(&name.spot, message);
                None
            }
        }
    }
}
