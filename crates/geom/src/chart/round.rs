//! Convex bodies over the six charts of their directions.
//!
//! | body | point x of the direction d |
//! |---|---|
//! | sphere, ellipsoid | A d/∣d∣, A = diag(a) |
//! | superellipsoid | A d/N(d), N the nested norm of the unit axes: along the ray through the body of unit axes |
//! | superquadric | A r d, on the same ray |
//! | potential body | ∇h(d), the point of the normal d |
//!
//! All are regular everywhere: none has a pole. Derivatives come from series. Of a superellipsoid or a superquadric with
//! an exponent between two and three the third derivatives grow without bound towards the planes through its axes, and a superellipsoid whose
//! second exponent is two and whose first is not has no curvature at its poles on the z axis.

use super::{Atlas, Cell, Enclosure, Hull, Place, arms, cone, cube, hull, locate};
use crate::error::{GeomError, Result, direction, finite3};
use crate::surface::{
    Ellipsoid, Implicit, ParametricJet, PotentialBody, Sphere, Superellipsoid, Superquadric, Support,
};
use crate::taylor::{Taylor, jet};
use crate::{Vec2, Vec3};
use std::fmt::Debug;

/// Within this share of the height of a pole a direction counts as the pole: third powers of its inverse are still
/// numbers.
const POLE: f64 = 1e-60;

/// A convex body whose points are a function of directions.
pub(crate) trait Round: Debug + Send + Sync {
    /// The point of a direction, as series; it does not depend on the direction's length.
    fn point(&self, d: &[Taylor; 3]) -> Result<[Taylor; 3]>;

    /// The direction of the body's point nearest to `point`, or one close to it.
    fn towards(&self, point: &Vec3) -> Result<Vec3>;

    /// See [`Atlas::enclosure`].
    fn enclosure(&self, _cell: &Cell) -> Option<Enclosure> {
        None
    }
}

/// The bound for A d/∣d∣. With y = d/∣d∣ and a unit vector a = α y + β b, b ⊥ y, the direction of d + ta turns by
/// θ = atan(βt/(∣d∣ + αt)), and at t = 0 ∣d∣³y‴ = β(6α² − 3β²) b + 6αβ² y, of the square β²(36α⁴ + 9β⁴) ≤ 9. The greatest value
/// of a symmetric form is on its diagonal (Banach), so that no third derivative is longer than 3/∣d∣³; and ∣d∣ ≥ 1.
///
/// The outer normal is A⁻¹d, and d of a cell is a mean of its corners: so is the normal, but for its length.
fn scaled_sphere_enclosure(a: &Vec3, cell: &Cell) -> Option<Enclosure> {
    let normal = |w: &Vec2| {
        let d = cube::direction(&Place { chart: cell.chart, u: w.x, v: w.y });
        d.component_div(a).normalize()
    };
    let (axis, angle) = cone(cell.corners.each_ref().map(normal))?;
    let reach = arms(cell).iter().map(|w| w.norm()).fold(0.0, f64::max);
    Some(Enclosure { hull: Hull::Taylor(0.5 * a.max() * reach.powi(3)), axis, angle })
}

impl<T: Round> Atlas for T {
    fn chart_count(&self) -> usize {
        cube::CHARTS
    }

    fn jet(&self, place: &Place) -> Result<ParametricJet> {
        Ok(jet(self.point(&cube::series(place)?)?))
    }

    fn inside(&self, place: &Place) -> f64 {
        cube::inside(place)
    }

    fn onward(&self, place: &Place, rates: &Vec2) -> Result<Option<Place>> {
        cube::onward(place, rates)
    }

    fn locate(&self, point: &Vec3) -> Result<Place> {
        finite3("point", point)?;
        locate::descend(self, cube::place(&self.towards(point)?), point)
    }

    fn cells(&self) -> Vec<Cell> {
        cube::cells()
    }

    fn enclosure(&self, cell: &Cell) -> Option<Enclosure> {
        Round::enclosure(self, cell)
    }

    fn is_convex(&self) -> bool {
        true
    }
}

/// A d/∣d∣.
fn scaled_sphere(d: &[Taylor; 3], a: &Vec3) -> [Taylor; 3] {
    let inverse = (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt().recip();
    std::array::from_fn(|i| d[i] * inverse * a[i])
}

impl Round for Sphere {
    fn point(&self, d: &[Taylor; 3]) -> Result<[Taylor; 3]> {
        Ok(scaled_sphere(d, &Vec3::repeat(self.radius())))
    }

    fn towards(&self, point: &Vec3) -> Result<Vec3> {
        direction("point", point)
    }

    fn enclosure(&self, cell: &Cell) -> Option<Enclosure> {
        scaled_sphere_enclosure(&Vec3::repeat(self.radius()), cell)
    }
}

impl Round for Ellipsoid {
    fn point(&self, d: &[Taylor; 3]) -> Result<[Taylor; 3]> {
        Ok(scaled_sphere(d, self.semi_axes()))
    }

    fn towards(&self, point: &Vec3) -> Result<Vec3> {
        direction("point", &point.component_div(self.semi_axes()))
    }

    fn enclosure(&self, cell: &Cell) -> Option<Enclosure> {
        scaled_sphere_enclosure(self.semi_axes(), cell)
    }
}

/// (∣x∣^δ + ∣y∣^δ)^{ε/δ}, from coordinates of size one to those that vanish.
fn ring(x: &Taylor, y: &Taylor, [delta, epsilon]: [f64; 2]) -> Result<Taylor> {
    if delta == epsilon {
        return Ok(x.abs_powf(delta) + y.abs_powf(delta));
    }
    let size = x.value().abs().max(y.value().abs());
    if size > POLE {
        let (x, y) = (*x * (1.0 / size), *y * (1.0 / size));
        return Ok((x.abs_powf(delta) + y.abs_powf(delta)).powf(epsilon / delta) * size.powf(epsilon));
    }
    if epsilon > 2.0 {
        // Homogeneous of the degree ε: derivatives up to the second vanish. The third ones are opposite on opposite
        // sides where there are any; their mean is zero.
        return Ok(Taylor::constant(0.0));
    }
    Err(GeomError::Undefined {
        surface: "superellipsoid",
        quantity: "curvature at its pole",
        reason: format!("with the exponents {delta} and {epsilon} it depends on the direction of approach"),
    })
}

/// The boundary points over the corners of a cell, from those `along` directions, and the normal over its centroid.
fn over_cell(cell: &Cell, along: impl Fn(&Vec3) -> Vec3, body: &dyn Implicit) -> ([Vec3; 3], Vec3) {
    let at = |w: &Vec2| along(&cube::direction(&Place { chart: cell.chart, u: w.x, v: w.y }));
    let [a, b, c] = &cell.corners;
    let normal = body.gradient(&at(&((a + b + c) / 3.0)));
    ([at(a), at(b), at(c)], normal / normal.norm())
}

/// An interval of x as one of x/a, which is within ±1 for points of a body with the semi-axis a.
fn shares(x: [f64; 2], a: f64) -> [f64; 2] {
    x.map(|x| (x / a).clamp(-1.0, 1.0))
}

/// Three intervals as the ends of a box.
fn columns(x: [[f64; 2]; 3]) -> [Vec3; 2] {
    [0, 1].map(|k| Vec3::new(x[0][k], x[1][k], x[2][k]))
}

/// The gradients of the nested norm's ε-th power over a box, but for the factor ε. With X = x/a, Y = y/b, ρ^δ = ∣X∣^δ + ∣Y∣^δ:
///
///   ∂x: ρ^(ε−1)(∣X∣/ρ)^(δ−1) sign(X)/a, and so for y;   ∂z: ∣z/c∣^(ε−1) sign(z)/c.
///
/// ρ grows with ∣X∣ and ∣Y∣, ∣X∣/ρ with ∣X∣ and falls with ∣Y∣; it is between zero and one where both vanish.
fn nested_gradients(a: &Vec3, [delta, epsilon]: [f64; 2], low: &Vec3, high: &Vec3) -> [Vec3; 2] {
    let [x, y, z] = [0, 1, 2].map(|i| shares([low[i], high[i]], a[i]));
    let norm = |x: f64, y: f64| {
        let most = x.max(y);
        if most > 0.0 {
            most * ((x / most).powf(delta) + (y / most).powf(delta)).powf(1.0 / delta)
        } else {
            0.0
        }
    };
    // The least and the greatest modulus in an interval.
    let moduli = |[low, high]: [f64; 2]| [low.max(-high).max(0.0), low.abs().max(high.abs())];
    let planar = |[low, high]: [f64; 2], other: [f64; 2], a: f64| {
        let [near, far] = moduli(other);
        // The greatest value at a modulus, and the least one.
        let most = |x: f64| {
            let share = if x > 0.0 { x / norm(x, near) } else { 0.0 };
            norm(x, far).powf(epsilon - 1.0) * share.min(1.0).powf(delta - 1.0) / a
        };
        let least = |x: f64| {
            let share = if x > 0.0 { x / norm(x, far) } else { 0.0 };
            norm(x, near).powf(epsilon - 1.0) * share.powf(delta - 1.0) / a
        };
        [
            if low > 0.0 { least(low) } else { -most(-low) },
            if high < 0.0 { -least(-high) } else { most(high) },
        ]
    };
    let upright = hull::odd_power(z, epsilon - 1.0).map(|x| x / a.z);
    columns([planar(x, y, a.x), planar(y, x, a.y), upright])
}

impl Round for Superellipsoid {
    fn point(&self, d: &[Taylor; 3]) -> Result<[Taylor; 3]> {
        let (a, [delta, epsilon]) = (self.semi_axes(), self.exponents());
        let norm = (ring(&d[0], &d[1], [delta, epsilon])? + d[2].abs_powf(epsilon)).powf(1.0 / epsilon);
        let inverse = norm.recip();
        Ok(std::array::from_fn(|i| d[i] * inverse * a[i]))
    }

    fn towards(&self, point: &Vec3) -> Result<Vec3> {
        direction("point", &point.component_div(self.semi_axes()))
    }

    fn enclosure(&self, cell: &Cell) -> Option<Enclosure> {
        let a = self.semi_axes();
        // F + 1 is homogeneous of degree one.
        let along = |d: &Vec3| {
            let x = d.component_mul(a);
            x / (self.value(&x) + 1.0)
        };
        let (corners, n) = over_cell(cell, along, self);
        hull::enclosure(corners, &n, self.support(&n), |low, high| {
            nested_gradients(a, self.exponents(), low, high)
        })
    }
}

impl Round for Superquadric {
    fn point(&self, d: &[Taylor; 3]) -> Result<[Taylor; 3]> {
        Ok(self.point_along(d))
    }

    fn towards(&self, point: &Vec3) -> Result<Vec3> {
        direction("point", &point.component_div(self.semi_axes()))
    }

    /// ∂F/∂xᵢ = (γᵢ/aᵢ) sign(xᵢ)∣xᵢ/aᵢ∣^(γᵢ−1) grows with xᵢ.
    fn enclosure(&self, cell: &Cell) -> Option<Enclosure> {
        let (a, exponents) = (self.semi_axes(), self.exponents());
        let along = |d: &Vec3| {
            let x = self.point_along(&[Taylor::constant(d.x), Taylor::constant(d.y), Taylor::constant(d.z)]);
            Vec3::new(x[0].value(), x[1].value(), x[2].value())
        };
        let (corners, n) = over_cell(cell, along, self);
        hull::enclosure(corners, &n, self.support(&n), |low, high| {
            let component = |i: usize| {
                let range = shares([low[i], high[i]], a[i]);
                hull::odd_power(range, exponents[i] - 1.0).map(|x| x * exponents[i] / a[i])
            };
            columns([component(0), component(1), component(2)])
        })
    }
}

impl Round for PotentialBody {
    fn point(&self, d: &[Taylor; 3]) -> Result<[Taylor; 3]> {
        self.potential().gradient_taylor(d).ok_or_else(|| GeomError::Undefined {
            surface: "potential",
            quantity: "third derivative",
            reason: "a leaf of it is a support function whose fourth derivatives are unknown".to_owned(),
        })
    }

    fn towards(&self, point: &Vec3) -> Result<Vec3> {
        self.normal_at(point)
    }

    /// x = ∇h(d) and d is linear in the parameters: x‴(w, w, w) = ∇⁴h(d)[w, w, w]. The outer normal is d.
    fn enclosure(&self, cell: &Cell) -> Option<Enclosure> {
        let corners = cell.corners.map(|w| cube::direction(&Place { chart: cell.chart, u: w.x, v: w.y }));
        let (axis, angle) = cone(corners.map(|d| d.normalize()))?;
        let rest = self.potential().fourth_along(&corners)? / 6.0;
        Some(Enclosure { hull: Hull::Taylor(rest), axis, angle })
    }
}
