//! Dopico's programs for a link and a triangle, as published: minimise the squared distance of a point p of the
//! triangle from the centre line of a cylinder or a half torus, p kept within the planes that bound it.
//!
//! They are here to be asked for by name and to be compared with; regions are found by `super::piece_triangle`, whose
//! points are those of these programs wherever the nearest point of the curve lies inside the cylinder or the half
//! torus. All is in the frame of the link: x across it, z along its bars, the bars at (0, ±R, z), ∣z∣ ≤ h, the bends
//! about (0, 0, ±h).
//!
//! | here | in the paper |
//! |---|---|
//! | corners a, a + e₁, a + e₂, unknowns μ from 0 to 1 | (35–37) p₀ + μ₁u + μ₂v with unit vectors, μ up to the lengths l |
//! | `bar`: active-set quadratic program | (29–47) |
//! | `bend`: augmented Lagrangian, Newton, active set | (48–64), with the centre of the upper half at +h and squares under both roots |

mod bar;
mod bend;

pub use bar::bar_triangle;
pub use bend::bend_triangle;

use rattleback_geom::Vec3;
use rattleback_geom::nalgebra::{Vector2, Vector3};

/// What a program found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Optimum {
    /// The point of the triangle, in the frame of the link.
    pub point: Vec3,
    /// Its distance from the centre line in m.
    pub distance: f64,
    /// How many systems of equations were solved.
    pub iterations: u32,
}

/// A triangle by a corner and the two sides from there.
#[derive(Debug, Clone, Copy)]
struct Triangle {
    origin: Vec3,
    sides: [Vec3; 2],
}

impl Triangle {
    fn new([a, b, c]: &[Vec3; 3]) -> Self {
        Self { origin: *a, sides: [b - a, c - a] }
    }

    fn point(&self, mu: &Vector2<f64>) -> Vec3 {
        self.origin + self.sides[0] * mu.x + self.sides[1] * mu.y
    }

    /// The derivative of a linear function of the point along the sides.
    fn along_sides(&self, gradient: &Vec3) -> Vector2<f64> {
        Vector2::new(self.sides[0].dot(gradient), self.sides[1].dot(gradient))
    }
}

/// φ(μ) = slope·μ + constant ≥ 0.
#[derive(Debug, Clone, Copy)]
struct Constraint {
    slope: Vector2<f64>,
    constant: f64,
}

impl Constraint {
    fn new(slope: [f64; 2], constant: f64) -> Self {
        Self { slope: Vector2::from(slope), constant }
    }

    fn value(&self, mu: &Vector2<f64>) -> f64 {
        self.slope.dot(mu) + self.constant
    }

    /// normal·p + constant ≥ 0 for the points of a triangle.
    fn on_points(triangle: &Triangle, normal: &Vec3, constant: f64) -> Self {
        let slope = triangle.along_sides(normal);
        Self { slope, constant: constant + normal.dot(&triangle.origin) }
    }
}

/// (30, 33, 34): the point lies in the triangle.
fn inside() -> [Constraint; 3] {
    [Constraint::new([-1.0, -1.0], 1.0), Constraint::new([1.0, 0.0], 0.0), Constraint::new([0.0, 1.0], 0.0)]
}

/// The corners of the part of the triangle that satisfies all of the constraints in `cuts`, which are linear in z; at
/// most five.
fn vertices(cuts: &[Constraint]) -> Vec<Vector2<f64>> {
    let mut polygon = vec![Vector2::zeros(), Vector2::new(1.0, 0.0), Vector2::new(0.0, 1.0)];
    for cut in cuts {
        let mut kept = Vec::with_capacity(polygon.len() + 1);
        for (i, p) in polygon.iter().enumerate() {
            let q = &polygon[(i + 1) % polygon.len()];
            let (fp, fq) = (cut.value(p), cut.value(q));
            if fp >= 0.0 {
                kept.push(*p);
            }
            if (fp >= 0.0) != (fq >= 0.0) {
                kept.push(p + (q - p) * (fp / (fp - fq)));
            }
        }
        polygon = kept;
    }
    polygon
}

/// The unit vector along z.
fn up() -> Vector3<f64> {
    Vector3::z()
}
