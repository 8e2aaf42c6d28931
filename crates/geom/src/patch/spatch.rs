//! S-patches: x(p) = Σ Vᵢ d!/(i₁!…iₙ!) l₁(p)^i₁ … lₙ(p)^iₙ over all i₁ + … + iₙ = d, p in the regular n-gon.
//!
//! C. Loop and T. DeRose, A multisided generalization of Bézier surfaces, ACM Trans. Graph. 8 (1989) 204–234: the
//! multivariate Bézier simplex of depth d after the embedding of the polygon by lₖ = πₖ/Σπⱼ, where πₖ is the product of
//! αⱼ over the edges j that do not touch the vertex k, and αⱼ(p) is the area of p with edge j. For a regular polygon
//! the distance from the edge serves as well: all αⱼ have the same factor, which cancels. Then lₖ ≥ 0, Σ lₖ = 1 and Σ
//! lₖ Pₖ = p, so that control points in affine position give the identity.
//!
//! Vertices Pₖ = (cos 2πk/n, sin 2πk/n), counter-clockwise; edge k goes from Pₖ to Pₖ₊₁, αₖ = cos(π/n) − mₖ·p with its
//! outer normal mₖ. On edge k only lₖ and lₖ₊₁ differ from zero, and they are linear: the border is the Bézier curve of
//! the points with iₖ + iₖ₊₁ = d. Three sides are the Bézier triangle; four sides the tensor product of degree d.
//!
//! Derivatives come from series: αⱼ are linear in p, the rest is products and one quotient. Nothing is allocated. Far
//! outside the polygon Σπⱼ can vanish; the patch is meant for points in it.

use super::bezier::{Threshold, flat};
use super::{MAX_DEGREE, MAX_SIDES};
use crate::error::{GeomError, Result, finite3};
use crate::surface::ParametricJet;
use crate::taylor::{Taylor, jet};
use crate::{Aabb, Vec2, Vec3};
use std::f64::consts::PI;
use std::ops::{Add, Mul};

/// An n-sided patch of depth d on the regular n-gon of circumradius one.
#[derive(Debug, Clone, PartialEq)]
pub struct SPatch {
    sides: usize,
    depth: usize,
    control: Vec<Vec3>,
    vertices: Vec<Vec2>,
    /// Outer unit normals of the edges.
    normals: Vec<Vec2>,
}

impl SPatch {
    /// A patch from its control points in metres, in the order of [`SPatch::indices`].
    pub fn new(sides: usize, depth: usize, control: Vec<Vec3>) -> Result<Self> {
        check(sides, depth)?;
        let count = (1..=depth).fold(1, |count, k| count * (sides + k - 1) / k);
        if control.len() != count {
            return Err(GeomError::Inconsistent {
                field: "control".to_owned(),
                found: format!("{} points", control.len()),
                allowed: format!("{count} points for {sides} sides and the depth {depth}"),
            });
        }
        for (k, p) in control.iter().enumerate() {
            finite3(&format!("control[{k}]"), p)?;
        }
        let turn =
            |k: f64| Vec2::new((2.0 * PI * k / sides as f64).cos(), (2.0 * PI * k / sides as f64).sin());
        let vertices = (0..sides).map(|k| turn(k as f64)).collect();
        let normals = (0..sides).map(|k| turn(k as f64 + 0.5)).collect();
        let patch = Self { sides, depth, control, vertices, normals };
        if patch.has_area() { Ok(patch) } else { Err(flat("control", count)) }
    }

    /// A patch whose control point of each index is given by a function.
    pub fn from_fn(sides: usize, depth: usize, point: impl Fn(&[usize]) -> Vec3) -> Result<Self> {
        let control = Self::indices(sides, depth)?.iter().map(|i| point(i)).collect();
        Self::new(sides, depth, control)
    }

    /// The indices (i₁, …, iₙ) in the order of the control points: i₁ falls from d, then i₂, and so on.
    pub fn indices(sides: usize, depth: usize) -> Result<Vec<Vec<usize>>> {
        check(sides, depth)?;
        let mut list = Vec::new();
        extend(&mut list, &mut Vec::new(), sides, depth);
        Ok(list)
    }

    /// The number of sides n.
    pub fn sides(&self) -> usize {
        self.sides
    }

    /// The depth d, the degree of the border curves.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// The control points in metres.
    pub fn control(&self) -> &[Vec3] {
        &self.control
    }

    /// The corners of the domain, counter-clockwise.
    pub fn polygon(&self) -> &[Vec2] {
        &self.vertices
    }

    /// The point of the domain at the share `s` of edge k (counted modulo n) from Pₖ to Pₖ₊₁.
    pub fn on_edge(&self, k: usize, s: f64) -> Vec2 {
        self.vertices[k % self.sides] * (1.0 - s) + self.vertices[(k + 1) % self.sides] * s
    }

    /// The d + 1 control points of the Bézier curve along edge k (counted modulo n), from Pₖ to Pₖ₊₁.
    pub fn edge(&self, k: usize) -> Result<Vec<Vec3>> {
        let (a, b) = (k % self.sides, (k + 1) % self.sides);
        let mut points = vec![Vec3::zeros(); self.depth + 1];
        for (i, p) in Self::indices(self.sides, self.depth)?.iter().zip(&self.control) {
            if i[a] + i[b] == self.depth {
                points[i[b]] = *p;
            }
        }
        Ok(points)
    }

    /// The box of the control points, which holds the image of the polygon.
    pub fn bounds(&self) -> Aabb {
        Aabb::of_points(&self.control)
    }

    /// The point at (u, v) of the polygon and its derivatives to third order.
    pub fn jet(&self, u: f64, v: f64) -> ParametricJet {
        jet(self.sum(self.alphas(&Vec2::new(u, v)).map(|(alpha, _)| alpha), &Vec3::zeros()))
    }

    /// αⱼ about a point as series, with the outer normal of its edge; zero beyond the last side.
    pub(super) fn alphas(&self, at: &Vec2) -> [(Taylor, Vec2); MAX_SIDES] {
        let (x, y) = (Taylor::u(at.x), Taylor::v(at.y));
        let apothem = (PI / self.sides as f64).cos();
        let mut alphas = [(Taylor::constant(0.0), Vec2::zeros()); MAX_SIDES];
        for (a, m) in alphas.iter_mut().zip(&self.normals) {
            *a = (-(x * m.x + y * m.y) + apothem, *m);
        }
        alphas
    }

    /// x − `origin` from αⱼ.
    pub(super) fn sum<S: Series>(&self, alpha: [S; MAX_SIDES], origin: &Vec3) -> [S; 3] {
        let mut sum = Sum {
            powers: self.powers(alpha),
            sides: self.sides,
            control: self.control.iter(),
            origin: *origin,
            total: [S::constant(0.0); 3],
        };
        sum.visit(0, self.depth, S::constant(1.0));
        let factorial: f64 = (1..=self.depth).map(|k| k as f64).product();
        sum.total.map(|x| x * factorial)
    }

    /// lₖᵐ/m! for all k and m ≤ d.
    fn powers<S: Series>(&self, alpha: [S; MAX_SIDES]) -> [[S; MAX_DEGREE + 1]; MAX_SIDES] {
        let n = self.sides;
        let mut pi = [S::constant(1.0); MAX_SIDES];
        let mut sum = S::constant(0.0);
        for k in 0..n {
            for j in (0..n).filter(|&j| j != k && (j + 1) % n != k) {
                pi[k] = pi[k] * alpha[j];
            }
            sum = sum + pi[k];
        }
        let scale = sum.recip();
        let mut powers = [[S::constant(1.0); MAX_DEGREE + 1]; MAX_SIDES];
        for k in 0..n {
            let l = pi[k] * scale;
            for m in 1..=self.depth {
                powers[k][m] = powers[k][m - 1] * l * (1.0 / m as f64);
            }
        }
        powers
    }

    /// Whether the normal is above rounding at one of many points of the polygon, on rings about its middle.
    fn has_area(&self) -> bool {
        let threshold = Threshold::of(&self.control);
        let rings = 2 * self.depth + 1;
        (0..rings * self.sides).any(|k| {
            let ring = (k / self.sides) as f64 / rings as f64;
            let p = self.on_edge(k % self.sides, ring) * ring;
            threshold.is_passed(&self.jet(p.x, p.y))
        })
    }
}

/// What the sum needs of series: those of a point ([`Taylor`]), and those that hold for a cell (`spatch_bound`).
pub(super) trait Series:
    Copy + Add<Output = Self> + Mul<Output = Self> + Mul<f64, Output = Self>
{
    /// A constant.
    fn constant(value: f64) -> Self;

    /// The reciprocal.
    fn recip(&self) -> Self;
}

impl Series for Taylor {
    fn constant(value: f64) -> Self {
        Taylor::constant(value)
    }

    fn recip(&self) -> Self {
        Taylor::recip(self)
    }
}

/// The walk over all indices with the product of the powers met so far.
struct Sum<'a, S> {
    powers: [[S; MAX_DEGREE + 1]; MAX_SIDES],
    sides: usize,
    control: std::slice::Iter<'a, Vec3>,
    origin: Vec3,
    total: [S; 3],
}

impl<S: Series> Sum<'_, S> {
    fn visit(&mut self, k: usize, left: usize, product: S) {
        if k + 1 < self.sides {
            for m in (0..=left).rev() {
                self.visit(k + 1, left - m, product * self.powers[k][m]);
            }
        } else if let Some(p) = self.control.next() {
            let (weight, p) = (product * self.powers[k][left], p - self.origin);
            for c in 0..3 {
                self.total[c] = self.total[c] + weight * p[c];
            }
        }
    }
}

fn extend(list: &mut Vec<Vec<usize>>, head: &mut Vec<usize>, sides: usize, left: usize) {
    if head.len() + 1 == sides {
        let mut index = head.clone();
        index.push(left);
        list.push(index);
        return;
    }
    for m in (0..=left).rev() {
        head.push(m);
        extend(list, head, sides, left - m);
        head.pop();
    }
}

fn check(sides: usize, depth: usize) -> Result<()> {
    for (field, value, low, high) in [("sides", sides, 3, MAX_SIDES), ("depth", depth, 1, MAX_DEGREE)] {
        if !(low..=high).contains(&value) {
            return Err(GeomError::OutOfRange {
                field: field.to_owned(),
                value: value as f64,
                allowed: format!("from {low} to {high}"),
            });
        }
    }
    Ok(())
}
