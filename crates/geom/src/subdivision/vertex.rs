//! What is proved about an extraordinary vertex, where pieces of polynomials crowd without end.
//!
//! With the points P relative to the vertex's limit point, one step of a scheme is P ← A P. Let v₁, v₂ be the right
//! eigenvectors of the double subdominant eigenvalue λ and t₁, t₂ what the left ones make of P. Then
//!
//!   Aʲ P = λʲ (t₁ v₁ + t₂ v₂) + Aʲ E,   E = P − t₁ v₁ − t₂ v₂,
//!
//! and E stays in the space of the other eigenvalues, where A is M = A − 1 l₀ᵀ − λ (v₁ l₁ᵀ + v₂ l₂ᵀ). Once a window m
//! with ∥Mᵐ∥∞ ≤ λᵐ is found, no λ⁻ʲ∣Aʲ E∣∞ from the level J on exceeds ε, the greatest of the levels J … J + m − 1.
//!
//! The ring of level j is made of polynomials, whose normals x_s × x_t are in the cone of their Bernstein coefficients:
//! so are those of the rings down to J. From there on x = λʲ(T χ + e), T = (t₁, t₂), with the characteristic map χ, the
//! polynomials of (v₁, v₂). Derivatives of a polynomial are at most κ times its greatest control point
//! ([`Scheme::SLOPE`]), and det χ′ ≥ d by its Bernstein coefficients, so that
//!
//!   x_s × x_t ∥ (t₁ × t₂) det χ′ + Tχ_s × e_t + e_s × Tχ_t + e_s × e_t
//!
//! is turned from t₁ × t₂ by no more than asin((2∣T∣κ²∣v∣ε + κ²ε²)/(∣t₁ × t₂∣ d)), ∣T∣ the root of the sum of squares.
//! The points within a level are in the hull of its control points: all weights are positive.

use crate::Vec3;
use std::f64::consts::{PI, TAU};

/// Levels in which a window is looked for: enough up to a valence of about forty.
const WIDEST_WINDOW: usize = 192;

/// What ∥Mᵐ∥∞/λᵐ must be below: rounding cannot lift it above one.
const CONTRACTION: f64 = 0.99;

/// Steps after which eigenvectors have come to rest: what is beside them falls to ¾ or less in each.
const SETTLED: usize = 200;

/// The sine of the half-angle of the cone of all levels from which on no ring is looked at.
const NARROW: f64 = 0.02;

/// Levels to which a vertex is looked at for that; a dozen do at usual valences, a hundred at valence twelve.
const DEEPEST: usize = 256;

/// Roundings of a control point, in units of 2⁻⁵².
const ROUNDINGS: f64 = 64.0;

/// A subdivision scheme about a vertex of valence n, the first corner of a face, and the points that govern that face:
/// the vertex, its ring, others.
pub(super) trait Scheme {
    /// κ: a first derivative of a regular patch is at most this many times its greatest control point.
    const SLOPE: f64;

    /// How many points govern the face, and how many there are after a step; the first of those govern the face at the
    /// vertex of half the size.
    fn counts(n: usize) -> [usize; 2];

    /// How many points the ring has.
    fn ring(n: usize) -> usize;

    /// One step.
    fn refine(n: usize, points: &[Vec3], out: &mut [Vec3]);

    /// Where the vertex goes.
    fn limit_point(p: &Vec3, ring: &[Vec3]) -> Vec3;

    /// What the left eigenvectors of λ make of the points, but for a factor.
    fn limit_tangents(p: &Vec3, ring: &[Vec3]) -> [Vec3; 2];

    /// λ.
    fn lambda(n: usize) -> f64;

    /// (v₁, v₂) on the ring, or what tends to it.
    fn harmonic(n: usize, k: usize) -> Vec3 {
        let turn = TAU * k as f64 / Self::ring(n) as f64;
        Vec3::new(turn.cos(), turn.sin(), 0.0)
    }

    /// Tells the Bernstein coefficients of x_s × x_t of the regular patches beside the face at the vertex, from the
    /// points after a step.
    fn normals(n: usize, refined: &[Vec3], tell: &mut dyn FnMut(&Vec3));
}

/// The constants of a valence.
#[derive(Debug, Clone)]
pub(super) struct Vertex {
    /// (v₁, v₂, 0) per control point.
    eigen: Vec<Vec3>,
    /// What the left eigenvectors make of the right ones.
    factor: f64,
    /// m.
    window: usize,
    /// d and ∣v∣.
    least: f64,
    longest: f64,
}

/// What is proved about one corner of a face.
#[derive(Debug, Clone)]
pub(super) struct Fan {
    /// The limit point and the normal there.
    pub centre: Vec3,
    pub axis: Vec3,
    /// Per level the radius about the limit point and the half-angle about the normal of all that is within it.
    levels: Vec<[f64; 2]>,
    /// What rounding adds to a radius.
    rounding: f64,
}

impl Fan {
    /// The radius of what is within a level.
    pub(super) fn radius(&self, level: usize) -> f64 {
        let last = self.levels.len() - 1;
        // What is within a level is within the one before.
        self.levels[level.min(last)][0] + self.rounding
    }

    /// The half-angle of the cone of what is within a level.
    pub(super) fn angle(&self, level: usize) -> f64 {
        self.levels[level.min(self.levels.len() - 1)][1]
    }
}

/// One step magnified by 1/λ, points relative to the limit point before and after.
fn step<S: Scheme>(n: usize, points: &mut [Vec3], scratch: &mut [Vec3]) {
    S::refine(n, points, scratch);
    let drift = S::limit_point(&scratch[0], &scratch[1..=S::ring(n)]);
    let lambda = S::lambda(n);
    for (p, q) in points.iter_mut().zip(scratch.iter()) {
        *p = (q - drift) / lambda;
    }
}

impl Vertex {
    /// None where no window is found or χ′ is not shown to be regular.
    pub(super) fn new<S: Scheme>(n: usize) -> Option<Self> {
        let [count, refined] = S::counts(n);
        let mut scratch = vec![Vec3::zeros(); refined];
        let mut eigen = vec![Vec3::zeros(); count];
        for k in 0..S::ring(n) {
            eigen[k + 1] = S::harmonic(n, k);
        }
        for _ in 0..SETTLED {
            step::<S>(n, &mut eigen, &mut scratch);
        }
        let factor = S::limit_tangents(&eigen[0], &eigen[1..=S::ring(n)])[0].x;
        S::refine(n, &eigen, &mut scratch);
        let mut least = f64::INFINITY;
        S::normals(n, &scratch, &mut |normal| least = least.min(normal.z));
        let longest = farthest(&eigen);
        let mut vertex = Self { eigen, factor, window: 0, least, longest };
        vertex.window = vertex.find_window::<S>(n)?;
        (least > 0.0).then_some(vertex)
    }

    /// Takes what belongs to the eigenvalues 1 and λ out of points; t₁ and t₂.
    fn deflate<S: Scheme>(&self, n: usize, points: &mut [Vec3]) -> [Vec3; 2] {
        let ring = S::ring(n);
        let limit = S::limit_point(&points[0], &points[1..=ring]);
        points.iter_mut().for_each(|p| *p -= limit);
        let t = S::limit_tangents(&points[0], &points[1..=ring]).map(|t| t / self.factor);
        for (p, v) in points.iter_mut().zip(&self.eigen) {
            *p -= t[0] * v.x + t[1] * v.y;
        }
        t
    }

    /// The sine of the angle by which normals are turned where nothing beside λ exceeds `epsilon`.
    fn sine<S: Scheme>(&self, tangents: [Vec3; 2], epsilon: f64) -> f64 {
        let [t1, t2] = tangents.map(|t| t / self.factor);
        let (size, epsilon) = (t1.norm().hypot(t2.norm()), S::SLOPE * epsilon);
        let turn = 2.0 * size * S::SLOPE * self.longest * epsilon + epsilon * epsilon;
        turn / (t1.cross(&t2).norm() * self.least)
    }

    fn find_window<S: Scheme>(&self, n: usize) -> Option<usize> {
        let [count, refined] = S::counts(n);
        let mut scratch = vec![Vec3::zeros(); refined];
        // Three columns of Mʲ/λʲ to a list.
        let mut columns = Vec::new();
        for k in (0..count).step_by(3) {
            let mut list = vec![Vec3::zeros(); count];
            (0..3.min(count - k)).for_each(|i| list[k + i][i] = 1.0);
            self.deflate::<S>(n, &mut list);
            columns.push(list);
        }
        (1..=WIDEST_WINDOW).find(|_| {
            for list in &mut columns {
                step::<S>(n, list, &mut scratch);
                self.deflate::<S>(n, list);
            }
            let row = |i: usize| columns.iter().map(|list| list[i].abs().sum()).sum::<f64>();
            (0..count).all(|i| row(i) <= CONTRACTION)
        })
    }
}

fn farthest(points: &[Vec3]) -> f64 {
    points.iter().map(|p| p.norm()).fold(0.0, f64::max)
}

/// What is proved about a corner, from the points that govern the face; none without a tangent plane, or where the cone
/// is not narrow at the last level.
pub(super) fn fan<S: Scheme>(n: usize, vertex: &Vertex, points: &[Vec3]) -> Option<Fan> {
    let mut scratch = vec![Vec3::zeros(); S::counts(n)[1]];
    let centre = S::limit_point(&points[0], &points[1..=S::ring(n)]);
    let mut points: Vec<Vec3> = points.iter().map(|p| p - centre).collect();
    let [t1, t2] = S::limit_tangents(&points[0], &points[1..=S::ring(n)]);
    let rounding = ROUNDINGS * f64::EPSILON * (centre.norm() + farthest(&points));
    let axis = t1.cross(&t2).try_normalize(0.0)?;
    let (mut levels, mut rests, mut shrink) = (Vec::new(), Vec::new(), 1.0);
    let mut end = None;
    while levels.len() < DEEPEST + vertex.window {
        let mut rest = points.clone();
        vertex.deflate::<S>(n, &mut rest);
        S::refine(n, &points, &mut scratch);
        let ring = ring_angle::<S>(n, &axis, &scratch);
        rests.push(farthest(&rest) + rounding);
        levels.push([farthest(&points) * shrink, ring]);
        if let Some(from) = rests.len().checked_sub(vertex.window) {
            let epsilon = rests[from..].iter().copied().fold(0.0, f64::max);
            let sine = vertex.sine::<S>([t1, t2], epsilon);
            if sine <= NARROW {
                end = Some((from, sine.asin() + 1e-7));
                break;
            }
        }
        step::<S>(n, &mut points, &mut scratch);
        shrink *= S::lambda(n);
    }
    let (last, mut angle) = end?;
    levels.truncate(last + 1);
    levels[last][1] = angle;
    for level in levels.iter_mut().rev().skip(1) {
        angle = angle.max(level[1]);
        level[1] = angle;
    }
    Some(Fan { centre, axis, levels, rounding })
}

/// The half-angle of the cone about an axis that holds the normals of a ring; all directions where there is none below
/// a right angle.
fn ring_angle<S: Scheme>(n: usize, axis: &Vec3, refined: &[Vec3]) -> f64 {
    let mut angle: f64 = 0.0;
    S::normals(n, refined, &mut |normal| {
        let turn = if normal.norm() > 0.0 { axis.angle(normal) } else { PI };
        angle = angle.max(turn);
    });
    if angle < 1.5 { angle + 1e-7 } else { PI }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subdivision::catmull_clark_bound::CatmullClark;
    use crate::subdivision::loop_bound::Loop;

    /// A window exists, the characteristic map is regular, and the eigenvectors are such.
    fn check<S: Scheme>(n: usize) {
        let vertex = Vertex::new::<S>(n).unwrap_or_else(|| panic!("valence {n}"));
        let [count, refined] = S::counts(n);
        let mut out = vec![Vec3::zeros(); refined];
        S::refine(n, &vertex.eigen, &mut out);
        for (v, next) in vertex.eigen.iter().zip(&out[..count]) {
            assert!((v * S::lambda(n) - next).norm() < 1e-13 * vertex.longest, "valence {n}: {v} {next}");
        }
    }

    #[test]
    fn valences_up_to_thirty_have_their_constants() {
        for n in (3..=30).filter(|n| *n != 6) {
            check::<Loop>(n);
        }
        for n in (3..=30).filter(|n| *n != 4) {
            check::<CatmullClark>(n);
        }
    }

    #[test]
    fn a_vertex_that_is_an_image_of_the_characteristic_map_is_flat_at_all_levels() {
        let vertex = Vertex::new::<Loop>(5).unwrap();
        let points: Vec<Vec3> = vertex.eigen.iter().map(|v| v + Vec3::new(3.0, 1.0, 2.0)).collect();
        let fan = fan::<Loop>(5, &vertex, &points).unwrap();
        assert!(
            (fan.centre - Vec3::new(3.0, 1.0, 2.0)).norm() < 1e-14 && (fan.axis - Vec3::z()).norm() < 1e-14
        );
        assert!((0..9).all(|level| fan.angle(level) < 1e-6), "{fan:?}");
        assert!(fan.radius(0) >= vertex.longest && fan.radius(0) < 1.001 * vertex.longest);
    }
}
