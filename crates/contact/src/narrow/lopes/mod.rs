//! The common normal of two implicit surfaces.
//!
//! Lopes et al., "A mathematical framework for rigid contact detection between quadric and superquadric surfaces",
//! Multibody System Dynamics 24 (2010), section 3. The unknowns are the two points in the surfaces' own frames.
//!
//! | file | what |
//! |---|---|
//! | `frame` | tangents from a normal: Householder (15–17), auxiliary vectors (18–20, Table 1) |
//! | `system` | the six equations (9) and their Jacobian (12) |
//! | `newton` | Newton–Raphson (8) as printed |
//! | `mirror` | the mirror solutions (21–24) and the contact states of Table 2 |
//! | `globalised` | the same conditions in lengths, damped and from many starts |
//!
//! [`solve`] finds *a* common normal, which need not be the one of least distance. Where both bodies have a support
//! view another solver serves better; [`globalised`] is for surfaces that have none.

mod frame;
pub mod globalised;
mod mirror;
mod newton;
mod scaled;
mod system;

pub use frame::{TangentFrame, Tangents};
pub use mirror::{ContactState, Mirrors, mirrors};
pub use newton::{CommonNormal, Settings, Start, solve};
pub use system::{System, Unknowns};

use rattleback_geom::surface::Implicit;
use rattleback_geom::{Mat3, Pose, Vec3};

/// An implicit surface and where it is.
#[derive(Clone, Copy)]
pub struct ImplicitBody<'a> {
    /// The surface in its own frame.
    pub surface: &'a dyn Implicit,
    /// Where that frame is.
    pub pose: Pose,
}

impl<'a> ImplicitBody<'a> {
    /// A surface placed in the world.
    pub fn new(surface: &'a dyn Implicit, pose: Pose) -> Self {
        Self { surface, pose }
    }

    /// Outer unit normal in world axes at a point of the own frame; NaN where the gradient vanishes.
    fn normal_w(&self, s: &Vec3) -> Vec3 {
        self.pose.vector_to_world(&self.surface.gradient(s).normalize())
    }

    /// The distance from the surface to first order, F/∣∇F∣ in m.
    fn offset(&self, s: &Vec3) -> f64 {
        self.surface.value(s) / self.surface.gradient(s).norm()
    }

    /// The shape operator P ∇²F P/∣∇F∣ in world axes.
    fn shape_w(&self, s: &Vec3) -> Mat3 {
        let g = self.surface.gradient(s);
        let n = g.normalize();
        let project = Mat3::identity() - n * n.transpose();
        let rotation = self.pose.rotation();
        rotation * (project * self.surface.hessian(s) * project / g.norm()) * rotation.transpose()
    }
}
