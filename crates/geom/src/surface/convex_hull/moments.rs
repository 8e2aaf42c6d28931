//! Volume and moments of a polyhedron swept by a ball, in closed form.
//!
//! The body is its core and, outside of it, for every face, edge and corner the points y + ξ with y on it and ξ among
//! its normals, ∣ξ∣ ≤ r. With μ₀, μ₁, μ₂ = ∫1, ∫y, ∫yyᵀ over the face, the edge or the corner, and s₀, s₁, s₂ the same
//! of ξ,
//!
//!   V = μ₀s₀,   ∫x = μ₁s₀ + μ₀s₁,   ∫xxᵀ = μ₂s₀ + μ₁s₁ᵀ + s₁μ₁ᵀ + μ₀s₂.
//!
//! | over | s₀ | s₁ | s₂ |
//! |---|---|---|---|
//! | face of normal n | r | ½r² n | ⅓r³ nnᵀ |
//! | edge with normals from a to b, at the angle θ | ½θr² | ⅓r³ tan(½θ)(a + b) | ¼r⁴ ∫nnᵀdφ |
//! | corner with the solid angle Ω of normals | ⅓Ωr³ | ¼r⁴ ∫n dΩ | ⅕r⁵ ∫nnᵀ dΩ |
//!
//! About the middle c of the arc, with e across it, ∫nnᵀdφ = ½(θ + sin θ) ccᵀ + ½(θ − sin θ) eeᵀ. The normals of a
//! corner are a spherical polygon of arcs with inner unit normals m. Gauss and Bonnet give Ω = 2π − Σ angles of the
//! faces there. n and nnᵀ − ⅓ are eigenfunctions of the sphere's Laplacian, of −2 and −6, so that by its divergence
//! theorem
//!
//!   ∫n dΩ = ½ Σ θ m,   ∫nnᵀ dΩ = ⅓Ω + ⅙ Σ (m Nᵀ + N mᵀ),   N = ∫n dφ over the arc.

use super::{ConvexHull, Edge};
use crate::{Mat3, Moments, Vec3};
use std::f64::consts::TAU;

/// ∫1, ∫x and ∫xxᵀ.
struct Sums(f64, Vec3, Mat3);

impl Sums {
    /// Of the sums y + ξ.
    fn with(&self, normals: &Self) -> Moments {
        let (Self(m0, m1, m2), Self(s0, s1, s2)) = (self, normals);
        let mixed = m1 * s1.transpose();
        Moments {
            volume: m0 * s0,
            first: m1 * *s0 + s1 * *m0,
            second: m2 * *s0 + mixed + mixed.transpose() + s2 * *m0,
        }
    }
}

impl ConvexHull {
    /// About the origin, summed about the middle of the core, where no digits cancel.
    pub(super) fn sum_of_parts(&self) -> Moments {
        let middle = self.core.mesh().bounds().centre();
        let r = self.rounding;
        let away = crate::Pose::new(-middle, crate::nalgebra::UnitQuaternion::identity());
        let mut sum = self.core.mesh().moments().moved(&away);
        for facet in &self.facets {
            let n = facet.normal;
            let normals = Sums(r, n * (0.5 * r * r), n * n.transpose() * (r.powi(3) / 3.0));
            for pair in facet.face[1..].windows(2) {
                let [a, b, c] = [facet.face[0], pair[0], pair[1]].map(|p| p - middle);
                let area = 0.5 * n.dot(&(b - a).cross(&(c - a)));
                let s = a + b + c;
                let squares = a * a.transpose() + b * b.transpose() + c * c.transpose() + s * s.transpose();
                sum = sum.plus(&Sums(area, s * (area / 3.0), squares * (area / 12.0)).with(&normals));
            }
        }
        for edge in &self.edges {
            let [a, b] = edge.ends.map(|k| self.corner(k) - middle);
            let (length, s) = ((b - a).norm(), a + b);
            let squares = a * a.transpose() + b * b.transpose() + s * s.transpose();
            sum = sum.plus(
                &Sums(length, s * (0.5 * length), squares * (length / 6.0)).with(&self.across_edge(edge)),
            );
        }
        for k in 0..self.at.len() {
            let v = self.vertices()[k] - middle;
            sum = sum.plus(&Sums(1.0, v, v * v.transpose()).with(&self.about_corner(k)));
        }
        sum.moved(&crate::Pose::new(middle, crate::nalgebra::UnitQuaternion::identity()))
    }

    /// ∫n dφ over the arc of an edge's normals.
    fn arc(&self, edge: &Edge) -> Vec3 {
        let [a, b] = edge.facets.map(|f| self.facets[f as usize].normal);
        (a + b) * (0.5 * self.angle(edge)).tan()
    }

    fn across_edge(&self, edge: &Edge) -> Sums {
        let (r, angle) = (self.rounding, self.angle(edge));
        let [a, b] = edge.facets.map(|f| self.facets[f as usize].normal);
        let c = (a + b).normalize();
        let e = edge.along.cross(&c);
        let (wide, narrow) = (0.5 * (angle + angle.sin()), 0.5 * (angle - angle.sin()));
        let squares = c * c.transpose() * wide + e * e.transpose() * narrow;
        Sums(0.5 * angle * r * r, self.arc(edge) * (r.powi(3) / 3.0), squares * (r.powi(4) / 4.0))
    }

    fn about_corner(&self, k: usize) -> Sums {
        let (r, v) = (self.rounding, self.vertices()[k]);
        let mut solid = TAU;
        for &f in &self.at[k].facets {
            let corners = &self.facets[f as usize].corners;
            let place = corners.iter().position(|&c| c as usize == k).unwrap_or(0);
            let count = corners.len();
            let [p, q] = [corners[(place + 1) % count], corners[(place + count - 1) % count]]
                .map(|end| self.corner(end) - v);
            solid -= p.cross(&q).norm().atan2(p.dot(&q));
        }
        let (mut first, mut second) = (Vec3::zeros(), Mat3::identity() * (solid / 3.0));
        for &e in &self.at[k].edges {
            let edge = &self.edges[e as usize];
            // The normals of a corner lie against the edges that leave it.
            let inner = if edge.ends[0] as usize == k { -edge.along } else { edge.along };
            let mixed = inner * self.arc(edge).transpose();
            first += inner * (0.5 * self.angle(edge));
            second += (mixed + mixed.transpose()) / 6.0;
        }
        Sums(solid * r.powi(3) / 3.0, first * (r.powi(4) / 4.0), second * (r.powi(5) / 5.0))
    }
}
