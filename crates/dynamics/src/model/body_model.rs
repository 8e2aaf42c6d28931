//! A body of a model: its inertia, whether it moves, and its shapes.

use super::{PrescribedMotion, SurfaceId};
use crate::body::{Body, Motion};
use crate::error::Result;
use rattleback_geom::surface::Shape;
use rattleback_geom::{Pose, Vec3};

/// Whether and how a body moves.
#[derive(Debug, Clone, PartialEq)]
pub enum Mobility {
    /// By the forces on it.
    Free,
    /// Not at all.
    Fixed,
    /// As a function of time says, whatever the forces.
    Prescribed(PrescribedMotion),
}

/// A shape of a body.
#[derive(Debug, Clone)]
pub struct Part {
    /// The shape.
    pub shape: Shape,
    /// Its pose in the body's frame, whose origin is the mass centre.
    pub pose: Pose,
    /// What its surface is like.
    pub surface: SurfaceId,
}

/// A body of a model.
#[derive(Debug, Clone)]
pub struct BodyModel {
    /// Its name, unique in the model.
    pub name: String,
    /// Mass and inertia about the mass centre.
    pub body: Body,
    /// Whether it moves.
    pub mobility: Mobility,
    /// Its shapes.
    pub parts: Vec<Part>,
    /// How it moves at first, for [`Model::initial_state`](super::Model::initial_state); that of a prescribed body is
    /// prescribed.
    pub motion: Motion,
}

impl BodyModel {
    /// A free body without shapes.
    pub fn free(name: impl Into<String>, body: Body) -> Self {
        let motion = Motion::at_rest(Pose::identity());
        Self { name: name.into(), body, mobility: Mobility::Free, parts: Vec::new(), motion }
    }

    /// A free body of one shape of uniform density in kg/m³. Its axes are the shape's, its origin is the mass centre;
    /// `parts[0].pose` says where the shape's own origin is in that frame. At first it rests, the shape at the world's
    /// origin.
    pub fn solid(
        name: impl Into<String>,
        shape: impl Into<Shape>,
        density: f64,
        surface: SurfaceId,
    ) -> Result<Self> {
        let shape = shape.into();
        let found = shape.surface().moments()?.with_density(density)?;
        let body = Body { mass: found.mass, inertia: found.inertia };
        // A difference, so that a centred shape is at 0 and not at −0.
        let place = Pose { position: Vec3::zeros() - found.centroid, ..Pose::identity() };
        Ok(Self::free(name, body).with_part(shape, place, surface).at(Pose::identity()))
    }

    /// A body that does not move; it needs no mass.
    pub fn fixed(name: impl Into<String>) -> Self {
        let body = Body { mass: 0.0, inertia: rattleback_geom::Mat3::zeros() };
        Self { mobility: Mobility::Fixed, ..Self::free(name, body) }
    }

    /// A body that moves as prescribed; it needs no mass.
    pub fn prescribed(name: impl Into<String>, prescribed: PrescribedMotion) -> Self {
        Self { mobility: Mobility::Prescribed(prescribed), ..Self::fixed(name) }
    }

    /// The same with one more shape.
    #[must_use]
    pub fn with_part(mut self, shape: impl Into<Shape>, pose: Pose, surface: SurfaceId) -> Self {
        self.parts.push(Part { shape: shape.into(), pose, surface });
        self
    }

    /// The same, at first where its first shape has the given pose in the world; a body without shapes has it itself.
    #[must_use]
    pub fn at(mut self, pose: Pose) -> Self {
        let place = self.parts.first().map_or(Pose::identity(), |part| part.pose);
        self.motion.pose = pose.compose(&place.inverse());
        self
    }

    /// The same, at first with another velocity of its mass centre, in world axes, in m/s.
    #[must_use]
    pub fn with_velocity(self, velocity: impl Into<Vec3>) -> Self {
        Self { motion: self.motion.with_velocity(velocity), ..self }
    }

    /// The same, at first with another angular velocity, in body axes, in rad/s.
    #[must_use]
    pub fn with_angular_velocity_body(self, angular_velocity: impl Into<Vec3>) -> Self {
        Self { motion: self.motion.with_angular_velocity_body(angular_velocity), ..self }
    }

    /// The same, at first with the given motion of its own frame, that of the mass centre.
    #[must_use]
    pub fn with_motion(self, motion: Motion) -> Self {
        Self { motion, ..self }
    }

    /// The power that whatever prescribes its motion takes from a force and a torque on it, in W; none unless it is
    /// prescribed.
    pub(crate) fn taken(&self, motion: &Motion, wrench: [Vec3; 2]) -> f64 {
        if matches!(self.mobility, Mobility::Prescribed(_)) { motion.power(wrench) } else { 0.0 }
    }

    /// A radius about the mass centre that holds its parts, those that are bounded.
    pub(crate) fn radius(&self) -> f64 {
        let of = |part: &Part| {
            let bounds = part.shape.surface().bounds();
            part.pose.position.norm() + bounds.min.abs().sup(&bounds.max.abs()).norm()
        };
        self.parts.iter().map(of).filter(|radius| radius.is_finite()).fold(0.0, f64::max)
    }

    /// Whether forces move it.
    pub fn is_free(&self) -> bool {
        self.mobility == Mobility::Free
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::DynamicsError;
    use rattleback_geom::surface::{Ellipsoid, Mesh, Plane, Sphere, Surface};
    use rattleback_geom::{MassProperties, Mat3, TriMesh};

    #[test]
    fn a_solid_that_is_off_its_frames_origin_turns_about_its_mass_centre() {
        let ball = Ellipsoid::new([0.3, 0.2, 0.1]).unwrap();
        let far = Vec3::new(1.0, -2.0, 0.5);
        let mesh = ball.tessellate(0.01).unwrap();
        let centred = mesh.moments().with_density(700.0).unwrap();
        let vertices = mesh.vertices().iter().map(|vertex| vertex + far).collect();
        let mesh = TriMesh::new(vertices, mesh.triangles().to_vec()).unwrap();
        let off = mesh.moments().with_density(700.0).unwrap();
        let body = BodyModel::solid("egg", Mesh::new(mesh).unwrap(), 700.0, SurfaceId(0)).unwrap();
        assert!((body.body.mass / centred.mass - 1.0).abs() < 1e-12);
        assert!((body.body.inertia - centred.inertia).norm() < 1e-10 * centred.inertia.norm());
        assert!((body.parts[0].pose.position + off.centroid).norm() < 1e-15);
        // The shape is where it was asked to be, the mass centre where the shape has it.
        let pose = Pose::from_position(3.0, 4.0, 5.0).rotated(Vec3::new(1.0, 2.0, 3.0), 0.7).unwrap();
        let body = body.at(pose).with_velocity([1.0, 0.0, 0.0]).with_angular_velocity_body([0.0, 2.0, 0.0]);
        assert!((body.motion.pose.position - pose.point_to_world(&off.centroid)).norm() < 1e-14);
        let shown = body.motion.pose.compose(&body.parts[0].pose);
        assert!((shown.position - pose.position).norm() < 1e-14);
        assert!(shown.orientation.angle_to(&pose.orientation) < 1e-7);
        assert_eq!((body.motion.velocity.x, body.motion.angular_velocity_body.y), (1.0, 2.0));
        // The same properties make no body whose frame is the shape's.
        let message = Body::try_from(&off).unwrap_err().to_string();
        assert!(message.starts_with("mass centre (") && message.contains("BodyModel::solid"), "{message}");
    }

    #[test]
    fn mass_properties_make_a_body_only_if_they_are_centred_but_for_rounding() {
        let inertia = Mat3::from_diagonal_element(0.4);
        let at =
            |x: f64| MassProperties { mass: 1.0, volume: 1.0, centroid: Vec3::new(x, 0.0, 0.0), inertia };
        assert_eq!(Body::try_from(&at(1e-13)).unwrap(), Body { mass: 1.0, inertia });
        for wrong in [1e-6, -1.0, f64::NAN] {
            assert!(matches!(Body::try_from(&at(wrong)), Err(DynamicsError::Invalid { .. })), "{wrong}");
        }
    }

    #[test]
    fn what_has_no_volume_or_no_density_makes_no_solid() {
        let ball = Sphere::new(0.1).unwrap();
        for density in [0.0, -1.0, f64::NAN] {
            let message = BodyModel::solid("ball", ball, density, SurfaceId(0)).unwrap_err().to_string();
            assert!(message.starts_with("density = "), "{message}");
        }
        let message = BodyModel::solid("floor", Plane::ground(), 1.0, SurfaceId(0)).unwrap_err().to_string();
        assert!(message.contains("plane"), "{message}");
    }
}
