//! The equations of both bodies, brought to two unknowns.
//!
//! Of a first body with outer normal m, numbers a and length L, and a second one with outer normal −m and numbers b (C,
//! Σ the diagonals of cᵢ and sᵢ in each body's own directions, `side.rs`), with v the velocities of the material at the
//! touching points and f = φL the gap: the normals stay opposite, and q − p = f m stays true across m,
//!
//!   Σ₁a + Σ₂b = (ω₂ − ω₁) × m                              = r
//!   (C₁ + φΣ₁)a − C₂b = [v₂ − v₁ − f ω₁ × m]/L across m     = t
//!
//! Because C₂² + Σ₂² = 1, the orthogonal matrix [C₂ Σ₂; Σ₂ −C₂] takes b out of one equation and solves the other for
//! it:
//!
//!   G a = C₂r + Σ₂t,   Gᵢⱼ = (dᵢ²·dⱼ¹)(c²ᵢs¹ⱼ + s²ᵢc¹ⱼ + φ s²ᵢs¹ⱼ)
//!   b = Σ₂(r − Σ₁a) − C₂(t − (C₁ + φΣ₁)a)
//!
//! G is singular where flats or generators are parallel (no curvature in a common direction: a moves points and no
//! normal), and where normals are not unique (f = −ρ₁ − ρ₂ with radii that are negative in a hollow, so that at f = 0 a
//! body fills the hollow of the other; or edges that meet along each other: a moves the normal).

use super::Regularity;
use super::side::Side;
use crate::kinematics::Twist;
use rattleback_geom::Vec3;

/// The least singular value of G that counts: below it a turn of 1e-10 rad moves the points by the size of a body, and
/// rounding leaves fewer than six digits of their derivatives.
const PARALLEL: f64 = 1e-10;

/// The equations solved for the body `first`.
pub(super) struct Order {
    pub first: usize,
    /// 1 where A is the first, −1 where B is: m = sign·n.
    sign: f64,
    /// dᵢ²·dⱼ¹.
    mixed: [[f64; 2]; 2],
    /// f/L.
    phi: f64,
    /// G⁻¹; of a singular G the pseudo-inverse, which leaves out what is not determined.
    inverse: [[f64; 2]; 2],
}

impl Order {
    pub fn new(first: usize, sides: &[Side<'_>; 2], phi: f64) -> (Self, Regularity) {
        let (one, two) = (&sides[first], &sides[1 - first]);
        let mixed: [[f64; 2]; 2] = std::array::from_fn(|i| {
            std::array::from_fn(|j| two.curvature.direction[i].dot(&one.curvature.direction[j]))
        });
        let g: [[f64; 2]; 2] = std::array::from_fn(|i| {
            std::array::from_fn(|j| {
                let (c1, s1, c2, s2) = (one.cos[j], one.sin[j], two.cos[i], two.sin[i]);
                mixed[i][j] * (c2 * s1 + s2 * c1 + phi * s2 * s1)
            })
        });
        let (inverse, regularity) = invert(&g, &one.sin);
        let sign = if first == 0 { 1.0 } else { -1.0 };
        (Self { first, sign, mixed, phi, inverse }, regularity)
    }

    /// a and b of A and B, and how the normal n changes, along a motion in which the material at the points moves by
    /// `moves`.
    pub fn solve(
        &self,
        sides: &[Side<'_>; 2],
        n: &Vec3,
        size: f64,
        motion: [&Twist; 2],
        moves: [&Vec3; 2],
    ) -> ([[f64; 2]; 2], Vec3) {
        let (i, j) = (self.first, 1 - self.first);
        let (one, two) = (&sides[i], &sides[j]);
        let m = n * self.sign;
        let carried = motion[i].angular_velocity.cross(&m);
        let turn = motion[j].angular_velocity.cross(&m) - carried;
        let shift = (moves[j] - moves[i]) / size - carried * self.phi;
        let d = &two.curvature.direction;
        let (r, t) = ([d[0].dot(&turn), d[1].dot(&turn)], [d[0].dot(&shift), d[1].dot(&shift)]);
        let right: [f64; 2] = std::array::from_fn(|k| two.cos[k] * r[k] + two.sin[k] * t[k]);
        let a = times(&self.inverse, &right);
        let turned = times(&self.mixed, &[one.sin[0] * a[0], one.sin[1] * a[1]]);
        let moved = times(&self.mixed, &[one.cos[0] * a[0], one.cos[1] * a[1]]);
        let b = std::array::from_fn(|k| {
            two.sin[k] * (r[k] - turned[k]) - two.cos[k] * (t[k] - moved[k] - self.phi * turned[k])
        });
        let dn = (carried + one.along(&one.sin, a)) * self.sign;
        (if i == 0 { [a, b] } else { [b, a] }, dn)
    }
}

fn times(m: &[[f64; 2]; 2], v: &[f64; 2]) -> [f64; 2] {
    [m[0][0] * v[0] + m[0][1] * v[1], m[1][0] * v[0] + m[1][1] * v[1]]
}

/// G⁻¹ and what a singular G means; `sin` says how a turns the normal.
fn invert(g: &[[f64; 2]; 2], sin: &[f64; 2]) -> ([[f64; 2]; 2], Regularity) {
    let [[a, b], [c, d]] = *g;
    let norm = a.hypot(b).hypot(c.hypot(d));
    let det = a * d - b * c;
    // The larger singular value is the norm to within a factor of √2, and the determinant their product.
    if det.abs() > PARALLEL * norm {
        return ([[d / det, -b / det], [-c / det, a / det]], Regularity::Smooth);
    }
    if norm <= PARALLEL {
        let focal = sin[0].abs().max(sin[1].abs()) > PARALLEL.sqrt();
        return ([[0.0; 2]; 2], if focal { Regularity::Focal } else { Regularity::Parallel });
    }
    // Of rank one: what is left undetermined is across the longer row.
    let (x, y) = if a.hypot(b) >= c.hypot(d) { (-b, a) } else { (-d, c) };
    let turn = (sin[0] * x).hypot(sin[1] * y) / x.hypot(y);
    let regularity = if turn > PARALLEL.sqrt() { Regularity::Focal } else { Regularity::Parallel };
    let square = norm * norm;
    ([[a / square, c / square], [b / square, d / square]], regularity)
}
