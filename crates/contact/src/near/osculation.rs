//! A surface at a place to second order, and how a place moves.
//!
//! x(a) = p + T a − ½ (aᵀ S a) n with orthonormal tangents T = (t₁, t₂), t₁ along ∂x/∂u, the outer unit normal n and
//! the shape operator S = (s₁₁, s₁₂, s₂₂) in 1/m. With ∂x/∂u = j₁ t₁ and ∂x/∂v = j₂ t₁ + j₃ t₂ a tangent vector T a is
//! δv = a₂/j₃, δu = (a₁ − j₂ δv)/j₁ in parameters.

use super::frame::Frame;
use crate::error::{ContactError, Result};
use rattleback_geom::chart::{Atlas, Place};
use rattleback_geom::surface::ParametricJet;
use rattleback_geom::{Mat3, Vec2, Vec3};

/// Charts that one step may cross: a step is shorter than a body is wide, and a corner has few of them.
const MAX_CROSSINGS: usize = 12;

/// Halvings after which a border is known to the last digit of the step.
const MAX_HALVINGS: usize = 60;

/// A border is met where `inside` is this close to zero: charts take a place as on the border from farther away.
const ON_BORDER: f64 = 1e-14;

/// The second-order picture of a surface.
#[derive(Debug, Clone, Copy)]
pub(super) struct Osculation {
    pub p: Vec3,
    pub n: Vec3,
    pub t: [Vec3; 2],
    pub s: [f64; 3],
    j: [f64; 3],
}

impl Osculation {
    /// At a place of a surface; an error where the parametrisation is singular.
    pub fn at(atlas: &dyn Atlas, place: &Place) -> Result<Self> {
        Self::of(&atlas.jet(place)?)
    }

    pub fn of(jet: &ParametricJet) -> Result<Self> {
        let normal = jet.normal();
        let (length, j1) = (normal.norm(), jet.du.norm());
        if !(length > 0.0 && length.is_finite()) {
            let field = "normal of a chart".to_owned();
            return Err(ContactError::OutOfRange { field, value: length, allowed: "of a length above zero" });
        }
        let (n, t1) = (normal / length, jet.du / j1);
        let t2 = n.cross(&t1);
        let (j2, j3) = (t1.dot(&jet.dv), length / j1);
        // S = −J⁻ᵀ II J⁻¹ with the upper triangular J.
        let [uu, uv, vv] = [jet.duu, jet.duv, jet.dvv].map(|d| -n.dot(&d));
        let s11 = uu / (j1 * j1);
        let s12 = (uv / j1 - s11 * j2) / j3;
        let s22 = (vv - j2 * (s11 * j2 + 2.0 * s12 * j3)) / (j3 * j3);
        Ok(Self { p: jet.p, n, t: [t1, t2], s: [s11, s12, s22], j: [j1, j2, j3] })
    }

    /// A plane at a point.
    pub fn flat(p: Vec3, n: Vec3) -> Self {
        let (t, b) = rattleback_geom::curvature::tangents(&n);
        Self { p, n, t: [t, b], s: [0.0; 3], j: [1.0, 0.0, 1.0] }
    }

    /// The same in the axes in which `frame` is given.
    #[inline]
    pub fn seen(&self, frame: &Frame) -> Self {
        let t = [frame.vector(&self.t[0]), frame.vector(&self.t[1])];
        Self { p: frame.point(&self.p), n: t[0].cross(&t[1]), t, ..*self }
    }

    /// The tangents back in the axes of `frame`, as a walk needs them.
    #[inline]
    pub fn turned_back(&self, frame: &Frame) -> Self {
        Self { t: [frame.vector_back(&self.t[0]), frame.vector_back(&self.t[1])], ..*self }
    }

    /// The point of the tangent plane at T a.
    #[inline]
    pub fn ahead(&self, a: &Vec2) -> Vec3 {
        self.p + self.t[0] * a.x + self.t[1] * a.y
    }

    /// A bound of both principal curvatures.
    #[inline]
    pub fn sharpness(&self) -> f64 {
        let [a, b, c] = self.s;
        (a * a + 2.0 * b * b + c * c).sqrt()
    }

    /// How far a step T a turns the normal to first order, in rad.
    #[inline]
    pub fn turn(&self, a: &Vec2) -> f64 {
        let [s, t, u] = self.s;
        (s * a.x + t * a.y).hypot(t * a.x + u * a.y)
    }

    /// The shape operator as a matrix in space.
    pub fn shape(&self) -> Mat3 {
        let [t, b] = &self.t;
        let mixed = t * b.transpose();
        t * t.transpose() * self.s[0]
            + (mixed + mixed.transpose()) * self.s[1]
            + b * b.transpose() * self.s[2]
    }

    /// A tangent vector T a as rates of u and v.
    #[inline]
    fn rates(&self, a: &Vec2) -> Vec2 {
        let dv = a.y / self.j[2];
        Vec2::new((a.x - self.j[1] * dv) / self.j[0], dv)
    }
}

/// The place to which the tangent vector T a leads from a place and its picture, over borders where need be; on the
/// border where the surface ends there.
pub(super) fn walk(atlas: &dyn Atlas, from: &Place, at: &Osculation, a: &Vec2) -> Result<Place> {
    let (mut place, mut rates) = (*from, at.rates(a));
    let mut way = at.t[0] * a.x + at.t[1] * a.y;
    let mut stuck = false;
    for _ in 0..MAX_CROSSINGS {
        let target = moved(&place, &rates, 1.0);
        if atlas.inside(&target) >= 0.0 {
            return Ok(target);
        }
        let share = border(atlas, &place, &rates);
        let edge = moved(&place, &rates, share);
        let Some(next) = atlas.onward(&edge, &rates)? else { return Ok(edge) };
        // Two borders in the same point: the way runs along them, and ends here.
        if share == 0.0 && stuck {
            return Ok(next);
        }
        stuck = share == 0.0;
        way *= 1.0 - share;
        let there = Osculation::at(atlas, &next)?;
        rates = there.rates(&Vec2::new(there.t[0].dot(&way), there.t[1].dot(&way)));
        place = next;
    }
    Ok(place)
}

fn moved(place: &Place, rates: &Vec2, share: f64) -> Place {
    Place { chart: place.chart, u: place.u + share * rates.x, v: place.v + share * rates.y }
}

/// The share of a way at whose end a chart has been left, up to its border: the last one within, by secants (`inside`
/// is mostly linear) and halves in turn.
fn border(atlas: &dyn Atlas, place: &Place, rates: &Vec2) -> f64 {
    let inside = |share: f64| atlas.inside(&moved(place, rates, share));
    let (mut low, mut high) = (0.0, 1.0);
    let (mut within, mut beyond) = (inside(low), inside(high));
    for k in 0..MAX_HALVINGS {
        if !(within > ON_BORDER) {
            break;
        }
        let secant = low + (high - low) * within / (within - beyond);
        let middle = if k % 2 == 0 { secant } else { 0.5 * (low + high) };
        let value = inside(middle);
        if value.abs() <= ON_BORDER {
            return middle;
        }
        if value >= 0.0 {
            (low, within) = (middle, value);
        } else {
            (high, beyond) = (middle, value);
        }
    }
    low
}
