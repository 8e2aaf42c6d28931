//! Bodies of a scene: their shapes, masses and first motions, and their copies.

use super::super::body::{AngularVelocitySpec, BodySpec, CopiesSpec, PartSpec, ShapeName};
use super::super::mass::Weighed;
use super::{Look, Lowering, MAX_BODIES, Made};
use crate::orientation::Orientation;
use crate::read::{At, triple};
use crate::shape::placed;
use rattleback_dynamics::model::{BodyModel, Mobility};
use rattleback_dynamics::{Body, Model, Motion};
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::surface::Shape;
use rattleback_geom::{LENGTHS, Mat3, Pose, Vec3};

impl Lowering<'_, '_> {
    /// Takes in a body and its copies.
    pub(super) fn body(&mut self, spec: &BodySpec, shapes: &[(&str, Option<Shape>)]) {
        let pose = pose_of(spec.position.map(|x| x.0), &spec.orientation);
        let made = self.make(spec, pose, shapes);
        let centre = made.as_ref().map_or_else(Vec3::zeros, |(_, centre)| *centre);
        // A prescribed motion need not begin at rest where the file places the body.
        let pose = match made.as_ref().map(|(made, _)| &made.mobility) {
            Some(Mobility::Prescribed(prescribed)) => {
                let first = prescribed.at(0.0).motion.pose;
                Pose::new(first.point_to_world(&-centre), first.orientation)
            }
            _ => pose,
        };
        let Some(copies) = &spec.copies else {
            self.take(&spec.name, centre, pose, made.map(|(made, _)| made));
            return;
        };
        let Some(count) = self.count(copies) else { return };
        let long = |k: usize| copies.spacing[k].0.abs() * (copies.count[k] - 1) as f64;
        // f64::max would lose what is not a number.
        if let Some(far) = (0..3).map(long).find(|far| !(*far <= LENGTHS[1])) {
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
        let room = MAX_BODIES.saturating_sub(self.frames.names().len());
        let count = nx.checked_mul(ny).and_then(|plane| plane.checked_mul(nz));
        let message = match count {
            _ if copies.count.contains(&0) => {
                "found a zero; expected at least one copy along each axis".to_owned()
            }
            Some(count) if count <= room => return Some(count),
            _ => {
                let copies = nx as f64 * ny as f64 * nz as f64;
                format!(
                    "found {nx} × {ny} × {nz} = {copies} copies; a scene has at most {MAX_BODIES} bodies, which leaves {room}"
                )
            }
        };
        self.reader.wrong(&copies.place, "count", message);
        None
    }

    pub(in crate::scene) fn take(&mut self, name: &At<String>, centre: Vec3, pose: Pose, made: Option<Made>) {
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
            Some(prescribed) => Mobility::Prescribed(prescribed.lower(&pose, &centre, self.reader)?),
            None if spec.fixed => Mobility::Fixed,
            None => Mobility::Free,
        };
        let angular_velocity = match spec.angular_velocity {
            None => Vec3::zeros(),
            Some(AngularVelocitySpec::Body(angular_velocity)) => angular_velocity,
            Some(AngularVelocitySpec::World(angular_velocity)) => pose.vector_to_local(&angular_velocity),
        };
        let motion = Motion {
            pose,
            velocity: Vec3::from(spec.velocity.map(|v| v.0)),
            angular_velocity_body: angular_velocity,
        };
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
        let angular_velocity = match spec.angular_velocity {
            Some(
                AngularVelocitySpec::Body(angular_velocity) | AngularVelocitySpec::World(angular_velocity),
            ) => angular_velocity.into(),
            None => [0.0; 3],
        };
        for (field, numbers) in [
            ("position", spec.position.map(|x| x.0)),
            ("velocity", spec.velocity.map(|v| v.0)),
            ("angular_velocity", angular_velocity),
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
        let angular_velocity = match spec.angular_velocity {
            Some(
                AngularVelocitySpec::Body(angular_velocity) | AngularVelocitySpec::World(angular_velocity),
            ) => angular_velocity,
            None => Vec3::zeros(),
        };
        let Motion { pose, velocity, angular_velocity_body: turning } = &made.motion;
        for (field, written, vector) in [
            ("position", Vec3::from(spec.position.map(|x| x.0)), &pose.position),
            ("velocity", Vec3::from(spec.velocity.map(|v| v.0)), velocity),
            ("angular_velocity", angular_velocity, turning),
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
    let Motion { pose, velocity, angular_velocity_body: angular_velocity } = made.motion;
    let turn = UnitQuaternion::from_scaled_axis(t * copies.turn.0);
    let motion = Motion {
        pose: Pose::new(pose.position + at, turn * pose.orientation),
        velocity: velocity + t * copies.velocity.0,
        angular_velocity_body: angular_velocity + t * copies.angular_velocity.0,
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
