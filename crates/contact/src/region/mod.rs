//! Contact regions: all the places where two bodies press on each other, for pairs that touch in more than one.
//!
//! A narrow-phase query (`crate::narrow`) has one answer, the least translation. A mesh or a chain link that lies on
//! another body does so in several places; each of them is a [`Region`] with a force of its own.
//!
//! | pair | regions |
//! |---|---|
//! | mesh, mesh; boxes and hulls with true edges | every connected overlap ([`MeshMesh`]); the nearest points within reach where there is none |
//! | mesh, half-space | every connected part below the plane; the lowest vertex within reach where there is none |
//! | mesh, convex body | the deepest place of every connected patch of the surface within reach |
//!
//! Overlaps of meshes and of meshes with half-spaces have a depth that is a function of the poses alone, with its
//! derivative (`potential`), where they have a normal.
//!
//! The signs are those of the queries: normals point from A to B. Regions depend on shapes and poses alone; what a
//! [`RegionFinder`] remembers from one question to the next makes it faster and changes no answer.

pub mod contour;
mod frozen;
mod half_space;
pub mod link;
mod measure;
mod mesh_convex;
mod mesh_mesh;
mod mesh_plane;
mod points;
mod potential;

pub use contour::contours;
pub use frozen::FrozenRegion;
pub use mesh_mesh::{ContactPlane, ContourPoint, MeshGap, MeshMesh, MeshRegion};
pub use points::{RegionPoint, region_points, spread_points};
pub use potential::RegionPotential;

use crate::error::{ContactError, Result, not_negative};
use crate::narrow::{Certificate, TOLERANCE, Touch};
use mesh_convex::MeshConvex;
use mesh_plane::MeshPlane;
use rattleback_geom::surface::{Mesh, Shape};
use rattleback_geom::{Mat3, Pose, Vec3};
use std::sync::Arc;

/// One place where two bodies press on each other, in world axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Region {
    /// Where the force acts: between the surfaces of both bodies.
    pub point: Vec3,
    /// Unit normal from A to B.
    pub normal: Vec3,
    /// How deep the bodies overlap along the normal, in m; negative where a gap is left.
    pub depth: f64,
    /// The area over which they overlap, in m²; zero where they touch in a point.
    pub area: f64,
    /// The second moments of that area about its centroid, per area, in m²: ∫(x − c)(x − c)ᵀ dA/A.
    pub spread: Mat3,
    /// The depth that is a function of the poses alone, with its derivative; none where the region has none.
    pub potential: Option<RegionPotential>,
}

impl Region {
    /// A place where bodies touch in a point.
    pub fn at_point(point: Vec3, normal: Vec3, depth: f64) -> Self {
        Self { point, normal, depth, area: 0.0, spread: Mat3::zeros(), potential: None }
    }

    /// Moves the point from half the depth to the face of a half-space as B, which is the contact plane of what is
    /// below it.
    fn move_to_face(&mut self) {
        if self.depth > 0.0 {
            self.point -= self.normal * (0.5 * self.depth);
            self.potential = None;
        }
    }

    /// The same with A and B exchanged.
    #[must_use]
    pub fn swapped(self) -> Self {
        Self { normal: -self.normal, potential: self.potential.map(RegionPotential::swapped), ..self }
    }
}

/// Whether the regions of two shapes have contours: of meshes, of boxes with true edges, and of meshes and half-spaces.
pub fn has_contours(a: &Shape, b: &Shape) -> bool {
    match (a, b) {
        (Shape::Plane(_), other) | (other, Shape::Plane(_)) => matches!(other, Shape::Mesh(_)),
        _ => a.mesh().is_some() && b.mesh().is_some(),
    }
}

/// Whether regions are found between two shapes.
pub fn has_regions(a: &Shape, b: &Shape) -> bool {
    let with_mesh = |shape: &Shape| {
        matches!(shape, Shape::Mesh(_) | Shape::Plane(_) | Shape::Link(_)) || mesh_convex::is_convex(shape)
    };
    match (a, b) {
        // Boxes and hulls with true edges lie on each other with their faces, as meshes do.
        (Shape::Cuboid(_) | Shape::ConvexHull(_), Shape::Cuboid(_) | Shape::ConvexHull(_)) => {
            a.mesh().is_some() && b.mesh().is_some()
        }
        (Shape::Mesh(_), other) | (other, Shape::Mesh(_)) => with_mesh(other),
        (Shape::Link(_), Shape::Plane(_)) | (Shape::Plane(_), Shape::Link(_)) => true,
        _ => false,
    }
}

/// The nearest points of two meshes, certified where the bounds of their distance close; where they overlap the deepest
/// region's.
pub(crate) fn touch_of_meshes(a: &Arc<Mesh>, pose_a: &Pose, b: &Arc<Mesh>, pose_b: &Pose) -> Result<Touch> {
    let mut finder = MeshMesh::new();
    let deepest = finder.find(a, pose_a, b, pose_b)?.iter().map(MeshRegion::region);
    if let Some(region) = deepest.max_by(|a, b| a.depth.total_cmp(&b.depth)) {
        let half = region.normal * (0.5 * region.depth);
        return Ok(Touch {
            gap: -region.depth,
            normal: region.normal,
            point_a: region.point + half,
            point_b: region.point - half,
            iterations: 1,
            residual: 0.0,
            certificate: Certificate::Stationary { residual: 0.0 },
            certified: false,
        });
    }
    let Some(gap) = finder.gap(a, pose_a, b, pose_b, f64::INFINITY)? else {
        return Err(ContactError::NotConverged {
            solver: "mesh distance",
            iterations: 1,
            residual: f64::NAN,
        });
    };
    let (upper, lower) = (gap.distance, gap.lower);
    let size = [a, b].map(|mesh| mesh.tree().bounds().diagonal()).iter().sum::<f64>();
    let size = size + (pose_b.position - pose_a.position).norm();
    let apart = gap.point_b - gap.point_a;
    Ok(Touch {
        gap: upper,
        normal: gap.normal,
        point_a: gap.point_a,
        point_b: gap.point_b,
        iterations: 1,
        residual: (apart - gap.normal * gap.normal.dot(&apart)).norm(),
        certificate: Certificate::Separate { lower, upper },
        certified: upper - lower <= TOLERANCE * size,
    })
}

/// Refuses a pose with a NaN or an infinity in it.
fn finite_pose(field: &str, pose: &Pose) -> Result<()> {
    let numbers = pose.position.iter().chain(pose.orientation.coords.iter());
    match numbers.copied().find(|x| !x.is_finite()) {
        None => Ok(()),
        Some(value) => Err(ContactError::OutOfRange {
            field: field.to_owned(),
            value,
            allowed: "made of finite numbers",
        }),
    }
}

/// Finds the regions of one pair, again and again as its bodies move.
#[derive(Debug, Clone, Default)]
pub struct RegionFinder {
    meshes: Option<Box<MeshMesh>>,
    plane: Option<Box<MeshPlane>>,
    convex: Option<Box<MeshConvex>>,
    link: link::LinkFinder,
    /// Whether regions with contours are told by their contact planes.
    on_contact_planes: bool,
}

impl RegionFinder {
    /// Nothing known of the pair yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Nothing known of the pair yet; regions with contours are told by their contact plane, centroid and indentation
    /// as Dopico et al. have them, and have no potentials.
    pub fn on_contact_planes() -> Self {
        let meshes = Some(Box::new(MeshMesh::on_contact_planes()));
        Self { meshes, on_contact_planes: true, ..Self::default() }
    }

    /// All regions of two bodies, in an order that does not depend on earlier questions; takes the place of what is in
    /// `out`. Where the solver can, places with a gap of up to `reach` metres are told too.
    pub fn find(
        &mut self,
        a: &Shape,
        pose_a: &Pose,
        b: &Shape,
        pose_b: &Pose,
        reach: f64,
        out: &mut Vec<Region>,
    ) -> Result<()> {
        out.clear();
        finite_pose("pose_a", pose_a)?;
        finite_pose("pose_b", pose_b)?;
        not_negative("reach", reach)?;
        if let (Some(a), Some(b)) = (a.mesh(), b.mesh()) {
            let finder = self.meshes.get_or_insert_default();
            out.extend(finder.find(a, pose_a, b, pose_b)?.iter().map(MeshRegion::region));
            if out.is_empty()
                && reach > 0.0
                && let Some(gap) = finder.gap(a, pose_a, b, pose_b, reach)?
            {
                let middle = (gap.point_a + gap.point_b) * 0.5;
                out.push(Region::at_point(middle, gap.normal, -gap.distance));
            }
            return Ok(());
        }
        match (a, b) {
            (Shape::Link(x), Shape::Mesh(y)) => return self.link.mesh(x, pose_a, y, pose_b, reach, out),
            (Shape::Link(x), Shape::Plane(y)) => return self.link.plane(x, pose_a, y, pose_b, reach, out),
            (Shape::Mesh(_) | Shape::Plane(_), Shape::Link(_)) => {
                self.find(b, pose_b, a, pose_a, reach, out)?;
                out.iter_mut().for_each(|region| *region = region.swapped());
                return Ok(());
            }
            (Shape::Mesh(mesh), other) if has_regions(a, b) => {
                return self.against_mesh(mesh, pose_a, other, pose_b, reach, out);
            }
            (other, Shape::Mesh(mesh)) if has_regions(a, b) => {
                self.against_mesh(mesh, pose_b, other, pose_a, reach, out)?;
                out.iter_mut().for_each(|region| *region = region.swapped());
                return Ok(());
            }
            _ => {}
        }
        let reason = "regions are found between meshes, chain links, half-spaces and convex bodies, a mesh or a link among them";
        Err(ContactError::Unsupported { a: a.surface().kind(), b: b.surface().kind(), reason })
    }

    /// A mesh as A against a half-space or a convex body as B.
    fn against_mesh(
        &mut self,
        mesh: &Mesh,
        pose: &Pose,
        other: &Shape,
        pose_other: &Pose,
        reach: f64,
        out: &mut Vec<Region>,
    ) -> Result<()> {
        match other {
            Shape::Plane(plane) => {
                self.plane.get_or_insert_default().find(mesh, pose, plane, pose_other, reach, out)?;
                if self.on_contact_planes {
                    out.iter_mut().for_each(Region::move_to_face);
                }
                Ok(())
            }
            _ => self.convex.get_or_insert_default().find(mesh, pose, other, pose_other, reach, out),
        }
    }
}
