//! One of everything, and of the difficult ones several.

use rattleback_geom::Vec3;
use rattleback_geom::surface::{Ellipsoid, Sphere, Superellipsoid, Superquadric, Surface};

/// A surface with what the tests must know of it.
pub struct Entry {
    pub name: &'static str,
    pub surface: Box<dyn Surface>,
    /// Coordinates closer to zero than this times the size are left out where derivatives are compared: there the
    /// surface has fewer of them than are asked for.
    pub margin: f64,
    /// Euler characteristic, where the surface is closed and smooth enough for ∫K dA to be computed.
    pub euler: Option<f64>,
    /// Whether the parametric view covers the whole boundary, so that integrals over it are those of the solid.
    pub covers: bool,
}

impl Entry {
    fn new(name: &'static str, surface: impl Surface + 'static) -> Self {
        Self { name, surface: Box::new(surface), margin: 0.0, euler: None, covers: false }
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

    fn covered(mut self) -> Self {
        self.covers = true;
        self
    }

    /// Whether derivatives may be compared at the point.
    pub fn is_regular(&self, p: &Vec3) -> bool {
        p.iter().all(|x| x.abs() >= self.margin * p.amax())
    }
}

/// A name, the surface and how it is to be treated.
pub fn all() -> Vec<Entry> {
    let superellipsoid = |a, e| Superellipsoid::new(a, e).unwrap();
    let superquadric = |a, e| Superquadric::new(a, e).unwrap();
    vec![
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
    ]
}
