//! Bow and anchor as the manoeuvre needs them: solids, and where the chain goes.

use crate::solid::{Anchor, Hull};
use rattleback_dynamics::{Body, Result};
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::surface::Mesh;
use rattleback_geom::{Pose, TriMesh, Vec3};
use std::sync::Arc;

/// A bow with a hawse pipe, in its own frame.
#[derive(Debug, Clone)]
pub struct Bow {
    /// Plating and pipe.
    pub solid: Arc<Mesh>,
    /// Where the pipe's axis meets the outer face of the plating.
    pub mouth: Vec3,
    /// Unit vector along the pipe's axis, inboard and up.
    pub axis: Vec3,
    /// Outer unit normal of the plating at the mouth.
    pub outward: Vec3,
    /// From the mouth to the pipe's inboard end.
    pub pipe_length: f64,
    /// Inner diameter of the pipe.
    pub pipe_diameter: f64,
    /// Radius of the lip.
    pub lip_radius: f64,
}

impl Bow {
    /// A bow made from measures.
    pub fn from_hull(hull: &Hull) -> Result<Self> {
        Self::from_mesh(hull.mesh()?, hull)
    }

    /// A bow from a mesh; of the measures those of the pipe, of its lip and of the plating's inclination count, and
    /// the mesh must stand as that of the measures would.
    pub fn from_mesh(mesh: TriMesh, measures: &Hull) -> Result<Self> {
        Ok(Self {
            solid: Arc::new(Mesh::new(mesh)?),
            mouth: measures.mouth(),
            axis: measures.pipe_axis(),
            outward: measures.outward(),
            pipe_length: measures.pipe_length,
            pipe_diameter: measures.pipe_diameter,
            lip_radius: measures.lip_radius,
        })
    }
}

/// Head and shank of an anchor, each in a frame with its origin on the pin, the pin along x, the shackle on z.
#[derive(Debug, Clone)]
pub struct AnchorParts {
    /// Crown and flukes.
    pub head: Arc<Mesh>,
    /// The shank.
    pub shank: Arc<Mesh>,
    /// From pin to shackle, in m.
    pub shank_length: f64,
    /// How far the head turns to either side, in rad.
    pub tripping_angle: f64,
    /// In kg/m³.
    pub density: f64,
}

impl AnchorParts {
    /// An anchor made from measures.
    pub fn from_anchor(anchor: &Anchor) -> Result<Self> {
        Self::from_meshes(anchor.head()?, anchor.shank()?, anchor)
    }

    /// An anchor from meshes that stand as those of the measures would; of these the length of the shank, the
    /// tripping angle and the density count.
    pub fn from_meshes(head: TriMesh, shank: TriMesh, measures: &Anchor) -> Result<Self> {
        Ok(Self {
            head: Arc::new(Mesh::new(head)?),
            shank: Arc::new(Mesh::new(shank)?),
            shank_length: measures.shank_length(),
            tripping_angle: measures.tripping_angle(),
            density: measures.density(),
        })
    }

    /// The mass of both, in kg.
    pub fn mass(&self) -> f64 {
        [&self.head, &self.shank].map(|mesh| mesh.mesh().moments().volume).iter().sum::<f64>() * self.density
    }
}

/// A solid as a body: its inertia, and the pose of its mesh in the body's frame.
pub(super) fn weighed(mesh: &Mesh, density: f64) -> Result<(Body, Pose)> {
    let mass = mesh.mesh().moments().with_density(density)?;
    let body = Body { mass: mass.mass, inertia: mass.inertia };
    Ok((body, Pose::new(-mass.centroid, UnitQuaternion::identity())))
}
