//! What is drawn of a body: its parts, the sticks to its anchors, its joints. Equal shapes share their triangles.

use super::links;
use super::soup::Soup;
use crate::error::{RecordError, Result};
use rattleback_dynamics::{BodyId, Model};
use rattleback_geom::surface::{Plane, Shape};
use rattleback_geom::{GeomError, Pose, Vec3};
use rayon::prelude::*;
use std::sync::Arc;

/// How much coarser the triangles are that dim the sky.
const COARSE: f64 = 12.0;

/// What a surface is painted with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Finish {
    /// The body's colour in two tones.
    Patterned,
    /// The same on the side of the room alone: the walls of a hollow carrier hide nothing that is inside.
    Wall,
    /// The body's colour.
    Plain,
    /// The colour of joints and lines.
    Dark,
}

/// A part of a body, or its sticks.
#[derive(Debug, Clone)]
pub(super) struct Fitting {
    pub(super) body: usize,
    pub(super) soup: Arc<Soup>,
    pub(super) coarse: Arc<Soup>,
    pub(super) pose: Pose,
    pub(super) hull: Arc<Vec<Vec3>>,
    pub(super) finish: Finish,
    /// What its triangles are taken from; none for sticks and joints.
    pub(super) shape: Option<Shape>,
}

impl Fitting {
    fn bare(body: usize, soup: Soup, finish: Finish) -> Self {
        let (hull, soup) = (Arc::new(soup.hull()), Arc::new(soup));
        Self { body, coarse: soup.clone(), soup, pose: Pose::identity(), hull, finish, shape: None }
    }
}

/// A half-space: its body, itself, its pose on the body.
pub(super) type Halfspace = (usize, Plane, Pose);

/// The bounded parts of a model, and its half-spaces.
pub(super) fn parts(model: &Model) -> Result<(Vec<Fitting>, Vec<Halfspace>)> {
    let mut planes = Vec::new();
    let mut shapes: Vec<(usize, &Shape)> = Vec::new();
    let mut placed = Vec::new();
    for (i, body) in model.bodies().iter().enumerate() {
        for part in &body.parts {
            if let Shape::Plane(plane) = &part.shape {
                planes.push((i, *plane, part.pose));
                continue;
            }
            let known = shapes.iter().position(|(_, shape)| is_same(shape, &part.shape));
            placed.push((i, known.unwrap_or(shapes.len()), part.pose));
            if known.is_none() {
                shapes.push((i, &part.shape));
            }
        }
    }
    let soup = |(body, shape): &(usize, &Shape)| {
        let named = |error: GeomError| RecordError::Picture {
            what: format!("body {}", model.bodies()[*body].name),
            reason: error.to_string(),
        };
        let fine = Soup::of_shape(shape, 1.0).map_err(named)?;
        let coarse = Soup::of_shape(shape, COARSE).map_err(named)?;
        Ok((Arc::new(fine.hull()), Arc::new(fine), Arc::new(coarse)))
    };
    let soups: Vec<_> = shapes.par_iter().map(soup).collect::<Result<_>>()?;
    let part = |(body, shape, pose): (usize, usize, Pose)| {
        let (hull, soup, coarse) = soups[shape].clone();
        let is_hollow = matches!(shapes[shape].1, Shape::Cavity(_));
        let finish = if is_hollow { Finish::Wall } else { Finish::Patterned };
        Fitting { body, soup, coarse, pose, hull, finish, shape: Some(shapes[shape].1.clone()) }
    };
    Ok((placed.into_iter().map(part).collect(), planes))
}

/// The sticks of bodies, those that have any.
pub(super) fn sticks(soups: Vec<Soup>) -> impl Iterator<Item = Fitting> {
    let some = soups.into_iter().enumerate().filter(|(_, soup)| !soup.is_empty());
    some.map(|(body, soup)| Fitting::bare(body, soup, Finish::Plain))
}

/// The joints between bodies without parts.
pub(super) fn knuckles(model: &Model, radius: f64) -> impl Iterator<Item = Fitting> {
    let soups = links::knuckles(model, radius).into_iter();
    soups.map(|(BodyId(body), soup)| Fitting::bare(body, soup, Finish::Dark))
}

/// Whether two shapes are the same without a look at what they are made of; others count as different.
fn is_same(a: &Shape, b: &Shape) -> bool {
    match (a, b) {
        (Shape::Sphere(a), Shape::Sphere(b)) => a == b,
        (Shape::Ellipsoid(a), Shape::Ellipsoid(b)) => a == b,
        (Shape::Superellipsoid(a), Shape::Superellipsoid(b)) => a == b,
        (Shape::Cuboid(a), Shape::Cuboid(b)) => a == b,
        (Shape::ConvexHull(a), Shape::ConvexHull(b)) => a == b,
        (Shape::Cylinder(a), Shape::Cylinder(b)) => a == b,
        (Shape::Frustum(a), Shape::Frustum(b)) => a == b,
        (Shape::Capsule(a), Shape::Capsule(b)) => a == b,
        (Shape::Cavity(a), Shape::Cavity(b)) => a == b,
        (Shape::Torus(a), Shape::Torus(b)) => a == b,
        (Shape::Link(a), Shape::Link(b)) => a == b,
        (Shape::Potential(a), Shape::Potential(b)) => Arc::ptr_eq(a, b),
        (Shape::Mesh(a), Shape::Mesh(b)) => Arc::ptr_eq(a, b),
        _ => false,
    }
}
