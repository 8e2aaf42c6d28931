//! One of everything, and of the difficult ones several.

use super::faces;
use crate::patches::samples::torus;
use rattleback_geom::Vec3;
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::potential::{Harmonics, Potential};
use rattleback_geom::surface::{
    Capsule, ConvexHull, Cuboid, Cylinder, Ellipsoid, Frustum, HalfTorus, Link, Mesh, Plane, PotentialBody,
    Quadric, Sheet, Sphere, Superellipsoid, Superhyperboloid, Superquadric, Surface, Torus,
};
use std::f64::consts::FRAC_PI_2;

/// A surface with what the tests must know of it.
pub struct Entry {
    pub name: &'static str,
    pub surface: Box<dyn Surface>,
    /// Coordinates closer to zero than this times the size are left out where derivatives are compared: there the
    /// surface has fewer of them than are asked for.
    pub margin: f64,
    /// Euler characteristic, where the surface is closed; where it has a parametric view, ∫K dA is computed too.
    pub euler: Option<f64>,
    /// The height ±z of a seam between smooth pieces, across which nothing is compared.
    pub seam: Option<f64>,
    /// Whether the parametric view covers the whole boundary, so that integrals over it are those of the solid.
    pub covers: bool,
}

impl Entry {
    fn new(name: &'static str, surface: impl Surface + 'static) -> Self {
        Self { name, surface: Box::new(surface), margin: 0.0, euler: None, seam: None, covers: false }
    }

    fn margin(mut self, margin: f64) -> Self {
        self.margin = margin;
        self
    }

    fn closed(mut self, euler: f64) -> Self {
        self.euler = Some(euler);
        self.covers = true;
        self
    }

    /// Closed, of faces and without a parametric view.
    fn faces(mut self, euler: f64) -> Self {
        self.euler = Some(euler);
        self
    }

    fn seam(mut self, z: f64) -> Self {
        self.seam = Some(z);
        self
    }

    fn covered(mut self) -> Self {
        self.covers = true;
        self
    }

    /// Whether derivatives may be compared at the point.
    pub fn is_regular(&self, p: &Vec3) -> bool {
        let clear = |z: f64| (p.z.abs() - z).abs() > 0.05;
        p.iter().all(|x| x.abs() >= self.margin * p.amax()) && self.seam.is_none_or(clear)
    }
}

/// A smooth asymmetric convex body, to degree three.
const PEBBLE: [f64; 16] =
    [2.0, 0.05, 0.1, -0.1, 0.03, -0.02, 0.12, 0.02, 0.05, 0.01, -0.01, 0.004, 0.01, -0.006, 0.008, 0.002];

/// A wedge of six corners, whose edges all lie aslant.
fn hull(rounding: f64) -> ConvexHull {
    let corners = [
        [0.4, 0.3, 0.2],
        [-0.35, 0.25, 0.3],
        [0.1, -0.45, 0.25],
        [0.3, 0.2, -0.4],
        [-0.3, 0.1, -0.3],
        [0.05, -0.3, -0.35],
    ];
    ConvexHull::new(&corners.map(Vec3::from), rounding).unwrap()
}

/// A name, the surface and how it is to be treated.
pub fn all() -> Vec<Entry> {
    let superellipsoid = |a, e| Superellipsoid::new(a, e).unwrap();
    let superquadric = |a, e| Superquadric::new(a, e).unwrap();
    let harmonics = Harmonics::new(3, &PEBBLE).unwrap();
    let pebble = PotentialBody::new(Potential::harmonics(harmonics)).unwrap();
    let sum = Potential::ellipsoid([0.5, 0.3, 0.2])
        .and_then(|e| {
            e.sum(&Potential::ball(0.2)?).rotated(&UnitQuaternion::from_euler_angles(0.3, -0.5, 0.8))
        })
        .and_then(|e| e.translated(&Vec3::new(0.1, 0.05, -0.02)))
        .unwrap();
    let facets =
        Ellipsoid::new([0.5, 0.3, 0.4]).and_then(|e| e.tessellate(0.01)).and_then(Mesh::new).unwrap();
    vec![
        Entry::new("mesh", facets),
        Entry::new("pebble of harmonics", pebble).closed(2.0),
        Entry::new("sum of potentials", PotentialBody::new(sum).unwrap()).closed(2.0),
        Entry::new("sphere", Sphere::new(0.7).unwrap()).closed(2.0),
        Entry::new("ellipsoid", Ellipsoid::new([1.0, 0.6, 0.3]).unwrap()).closed(2.0),
        Entry::new("small ellipsoid", Ellipsoid::new([2e-6, 1e-6, 3e-6]).unwrap()).closed(2.0),
        Entry::new("needle", Ellipsoid::new([1.0, 0.1, 0.05]).unwrap()).closed(2.0),
        Entry::new("superellipsoid 3, 4", superellipsoid([0.8, 0.5, 0.6], [3.0, 4.0]))
            .margin(0.05)
            .closed(2.0),
        Entry::new("superellipsoid 2, 6", superellipsoid([0.8, 0.5, 0.6], [2.0, 6.0]))
            .margin(0.05)
            .closed(2.0),
        Entry::new("superellipsoid 2.5, 2.5", superellipsoid([1.0, 1.0, 2.0], [2.5, 2.5]))
            .margin(0.05)
            .closed(2.0),
        Entry::new("superellipsoid 1.3, 1.7", superellipsoid([0.8, 0.5, 0.6], [1.3, 1.7]))
            .margin(0.05)
            .covered(),
        Entry::new("superellipsoid 8, 2", superellipsoid([0.3, 0.5, 0.6], [8.0, 2.0]))
            .margin(0.1)
            .closed(2.0),
        Entry::new("superquadric 2, 3, 4", superquadric([0.4, 0.6, 0.5], [2.0, 3.0, 4.0]))
            .margin(0.05)
            .closed(2.0),
        Entry::new("superquadric 5, 2.5, 2", superquadric([0.4, 0.6, 0.5], [5.0, 2.5, 2.0]))
            .margin(0.1)
            .closed(2.0),
        Entry::new("superquadric 1.4, 2, 3", superquadric([0.4, 0.6, 0.5], [1.4, 2.0, 3.0]))
            .margin(0.05)
            .covered(),
        Entry::new("plane", Plane::new([0.3, -0.5, 0.8], 0.2).unwrap()),
        Entry::new("capsule", Capsule::new(0.3, 0.5).unwrap()).seam(0.5),
        Entry::new("box", Cuboid::new([0.6, 0.8, 1.0], 0.0).unwrap()).margin(0.1).seam(0.5),
        Entry::new("rounded box", Cuboid::new([0.6, 0.8, 1.0], 0.1).unwrap()).margin(0.1),
        Entry::new("hull", hull(0.0)),
        Entry::new("rounded hull", hull(0.15)),
        Entry::new("pill", Cuboid::new([0.4, 0.4, 1.0], 0.2).unwrap()).margin(0.1),
        Entry::new("cylinder", Cylinder::new(0.3, 0.5).unwrap()).seam(0.5),
        Entry::new("frustum", Frustum::new([0.4, 0.25], 1.0).unwrap()).seam(0.5),
        Entry::new("cone", Frustum::cone(0.3, 1.0).unwrap()).seam(0.5),
        Entry::new("torus", Torus::new(0.8, 0.3).unwrap()).closed(0.0),
        // Bends as long as straight parts: where the derivatives jump, a cell of the quadrature ends.
        Entry::new("link", Link::new(0.1, 0.3, 0.3 * FRAC_PI_2).unwrap()).seam(0.3 * FRAC_PI_2).closed(0.0),
        Entry::new("half torus", HalfTorus::new(0.8, 0.3).unwrap()),
        Entry::new("hyperboloid of one sheet", Quadric::hyperboloid_one_sheet([0.5, 0.7, 0.6], 0.9).unwrap()),
        Entry::new(
            "hyperboloid of two sheets",
            Quadric::hyperboloid_two_sheets([0.5, 0.7, 0.6], Sheet::Lower, 1.4).unwrap(),
        ),
        Entry::new("elliptic paraboloid", Quadric::elliptic_paraboloid([0.5, 0.7, 0.6], 0.8).unwrap()),
        Entry::new(
            "hyperbolic paraboloid",
            Quadric::hyperbolic_paraboloid([0.5, 0.7, 0.6], [0.4, 0.3], 2.0).unwrap(),
        ),
        Entry::new("quadric ellipsoid", Quadric::ellipsoid([0.5, 0.7, 0.6]).unwrap()).closed(2.0),
        Entry::new(
            "superhyperboloid of one sheet",
            Superhyperboloid::one_sheet([0.5, 0.7, 0.6], [3.0, 2.5], 0.9).unwrap(),
        )
        .margin(0.1),
        Entry::new(
            "superhyperboloid of two sheets",
            Superhyperboloid::two_sheets([0.5, 0.7, 0.6], [2.5, 4.0], Sheet::Upper, 1.4).unwrap(),
        )
        .margin(0.1),
        Entry::new("Loop", faces::stone()).faces(2.0),
        Entry::new("Catmull and Clark", faces::cushion()).faces(2.0),
        Entry::new("Catmull and Clark ring", faces::ring()).faces(0.0),
        Entry::new("Bézier globe", faces::globe()).faces(2.0),
        Entry::new("NURBS torus", torus(1.3, 0.4)).faces(0.0),
    ]
}
