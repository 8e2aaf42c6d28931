//! Bodies of revolution about one axis: the proof of [`super::prove`] on a half circle of normals.
//!
//! D = { p − q } is then a body of revolution itself, H depends on the angle between n and the axis z alone, and a least
//! translation across the axis is one of a whole circle: a ridge on which the proof by cones does not end. By symmetry it
//! is enough to prove it in one half-plane through the axis. A point of D, mirrored in that plane and mixed with its
//! image, gives its projection on the plane, which is a point of D too. So with v₁, v₂ the ends of an arc of normals and x a
//! mixture of the projected points of support there, x·v₁ ≥ t and x·v₂ ≥ t prove H ≥ t on the arc.
//!
//! Axes that differ, and centres that lie beside the axis, change H by that share of the size at most; up to a tenth of the
//! tolerance they count as one, and what they differ by is taken from what the claim leaves open.

use super::prove::{BUDGET, Claim, Proof};
use super::relative::Relative;
use super::touch::TOLERANCE;
use rattleback_geom::Vec3;
use rattleback_geom::curvature::tangents;
use rattleback_geom::surface::Shape;

/// What is parallel, or on an axis, to this share of the size counts as such.
const BESIDE: f64 = 0.1 * TOLERANCE;

/// About what a shape can be turned and stay as it is.
pub(crate) enum Revolution {
    /// Any axis through its centre.
    All,
    /// This one, through its centre.
    About(Vec3),
}

impl Revolution {
    /// Of an ellipsoid with these semi-axes.
    pub fn of_axes(a: &Vec3) -> Option<Self> {
        if a.x == a.y && a.y == a.z {
            return Some(Self::All);
        }
        let k = (0..3).find(|&k| a[(k + 1) % 3] == a[(k + 2) % 3])?;
        Some(Self::About(Vec3::ith(k, 1.0)))
    }

    /// Of any shape.
    pub fn of(shape: &Shape) -> Option<Self> {
        match shape {
            Shape::Sphere(_) => Some(Self::All),
            Shape::Ellipsoid(s) => Self::of_axes(s.semi_axes()),
            Shape::Cylinder(_) | Shape::Capsule(_) => Some(Self::About(Vec3::z())),
            Shape::Superellipsoid(s) if s.exponents()[0] == 2.0 && s.semi_axes().x == s.semi_axes().y => {
                Some(Self::About(Vec3::z()))
            }
            _ => None,
        }
    }
}

/// The axis about which both bodies can be turned, in A's frame; `size` is that of the bodies.
pub(crate) fn common_axis(of: [Option<Revolution>; 2], rel: &Relative, size: f64) -> Option<Vec3> {
    let [a, b] = of;
    let axis = match (a?, b?) {
        (Revolution::All, Revolution::All) => rel.r.try_normalize(0.0).unwrap_or_else(Vec3::z),
        (Revolution::About(axis), Revolution::All) => axis,
        (Revolution::All, Revolution::About(axis)) => rel.rotation * axis,
        (Revolution::About(axis), Revolution::About(other)) => {
            ((rel.rotation * other).cross(&axis).norm() <= BESIDE).then_some(axis)?
        }
    };
    (rel.r.cross(&axis).norm() <= BESIDE * size).then_some(axis)
}

/// The end of an arc: a unit normal and the point of D farthest along it, both in the half-plane.
#[derive(Debug, Clone, Copy)]
struct End {
    v: Vec3,
    x: Vec3,
}

/// The arcs that are left.
pub(crate) struct ArcProver<F: Fn(&Vec3) -> Vec3> {
    axis: Vec3,
    out: Vec3,
    support: F,
    arcs: Vec<[End; 2]>,
    /// How often the support has been asked for.
    pub spent: u32,
}

impl<F: Fn(&Vec3) -> Vec3> ArcProver<F> {
    /// `support` gives p − q along a unit normal.
    pub fn new(axis: Vec3, support: F) -> Self {
        let (out, _) = tangents(&axis);
        let mut prover = Self { axis, out, support, arcs: Vec::with_capacity(64), spent: 0 };
        let [up, side, down] = [axis, out, -axis].map(|v| prover.end(&v));
        prover.arcs.extend([[up, side], [side, down]]);
        prover
    }

    fn end(&mut self, v: &Vec3) -> End {
        self.spent += 1;
        let (z, e) = (self.axis, self.out);
        let v = v.normalize();
        let x = (self.support)(&v);
        End { v, x: z * z.dot(&x) + e * e.dot(&x) }
    }

    /// Goes on with the proof of a claim, as [`super::prove::Prover::advance`] does.
    pub fn advance(&mut self, claim: &Claim) -> Proof {
        let threshold = claim.threshold() + 2.0 * BESIDE * claim.size;
        while let Some([a, b]) = self.arcs.pop() {
            let low = [a, b].into_iter().find(|c| c.x.dot(&c.v) < claim.threshold() - 2.0 * claim.slack);
            if let Some(better) = low {
                self.arcs.push([a, b]);
                return Proof::Better(better.v);
            }
            // How far each point exceeds the threshold at each end; between them, where both are reached alike.
            let reach = |x: &Vec3| [x.dot(&a.v) - threshold, x.dot(&b.v) - threshold];
            let ([aa, ab], [ba, bb]) = (reach(&a.x), reach(&b.x));
            let share = (bb - ba) / ((aa - ab) + (bb - ba));
            let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.5 };
            let at = |x: f64, y: f64| share * x + (1.0 - share) * y >= 0.0;
            if at(aa, ba) && at(ab, bb) || aa.min(ab) >= 0.0 || ba.min(bb) >= 0.0 {
                continue;
            }
            if self.spent >= BUDGET || (a.v - b.v).norm() < 1e-9 {
                self.arcs.push([a, b]);
                return Proof::Open;
            }
            let middle = self.end(&(a.v + b.v));
            self.arcs.extend([[a, middle], [middle, b]]);
        }
        Proof::Holds
    }
}
