//! Convex bodies over the six charts of their directions.
//!
//! | body | point x of the direction d |
//! |---|---|
//! | sphere, ellipsoid | A d/∣d∣, A = diag(a) |
//! | superellipsoid | A d/N(d), N the nested norm of the unit axes: along the ray through the body of unit axes |
//! | superquadric | A r d, on the same ray |
//! | potential body | ∇h(d), the point of the normal d |
//!
//! All are regular everywhere: none has a pole. Derivatives come from series, those of A d/∣d∣ are written out. Of a
//! superellipsoid or a superquadric with an exponent between two and three the third derivatives grow without bound
//! towards the planes through its axes, and a superellipsoid whose second exponent is two and whose first is not has no
//! curvature at its poles on the z axis.

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
    /// See [`Atlas::jet`].
    fn jet(&self, place: &Place) -> Result<ParametricJet>;

    /// The direction of the body's point nearest to `point`, or one close to it.
    fn towards(&self, point: &Vec3) -> Result<Vec3>;

    /// See [`Atlas::enclosure`].
    fn enclosure(&self, _cell: &Cell) -> Option<Enclosure> {
        None
    }
}

/// The bound for A d/∣d∣. With y = d/∣d∣ and a unit vector a = α y + β b, b ⊥ y, the direction of d + ta turns by θ =
/// atan(βt/(∣d∣ + αt)), and at t = 0 ∣d∣³y‴ = β(6α² − 3β²) b + 6αβ² y, of the square β²(36α⁴ + 9β⁴) ≤ 9. The greatest
/// value of a symmetric form is on its diagonal (Banach), so that no third derivative is longer than 3/∣d∣³; and ∣d∣
/// ≥ 1.
///
/// The outer normal is A⁻¹d, and d of a cell is a mean of its corners: so is the normal, but for its length.
pub(super) fn scaled_sphere_enclosure(a: &Vec3, cell: &Cell) -> Option<Enclosure> {
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
        Round::jet(self, place)
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

/// The jet of A d/∣d∣, d = ±e_k + u e_i + v e_j. With ρ = 1/∣d∣, ρ_u = −uρ³, ρ_uu = 3u²ρ⁵ − ρ³, ρ_uuu = 9uρ⁵ − 15u³ρ⁷
/// and so on, and the component along e_i is uρ, whose derivatives are those of ρ times u and, as often as by u, those
/// of one order less.
pub(super) fn scaled_sphere(place: &Place, a: &Vec3) -> Result<ParametricJet> {
    let (k, sign, i, j) = cube::frame(place)?;
    let (u, v) = (place.u, place.v);
    let square = 1.0 / (1.0 + u * u + v * v);
    let one = square.sqrt();
    let three = one * square;
    let five = 3.0 * three * square;
    let seven = 5.0 * five * square;
    let (uu, uv, vv) = (u * u, u * v, v * v);
    // In the order of the jet: ρ, u, v, uu, uv, vv, uuu, uuv, uvv, vvv.
    let r = [
        one,
        -u * three,
        -v * three,
        uu * five - three,
        uv * five,
        vv * five - three,
        u * (3.0 * five - uu * seven),
        v * (five - uu * seven),
        u * (five - vv * seven),
        v * (3.0 * five - vv * seven),
    ];
    let by_u = [0.0, r[0], 0.0, 2.0 * r[1], r[2], 0.0, 3.0 * r[3], 2.0 * r[4], r[5], 0.0];
    let by_v = [0.0, 0.0, r[0], 0.0, r[1], 2.0 * r[2], 0.0, r[3], 2.0 * r[4], 3.0 * r[5]];
    let at = |n: usize| {
        let mut x = Vec3::zeros();
        x[k] = a[k] * (sign * r[n]);
        x[i] = a[i] * (u * r[n] + by_u[n]);
        x[j] = a[j] * (v * r[n] + by_v[n]);
        x
    };
    Ok(ParametricJet {
        p: at(0),
        du: at(1),
        dv: at(2),
        duu: at(3),
        duv: at(4),
        dvv: at(5),
        duuu: at(6),
        duuv: at(7),
        duvv: at(8),
        dvvv: at(9),
    })
}

impl Round for Sphere {
    fn jet(&self, place: &Place) -> Result<ParametricJet> {
        scaled_sphere(place, &Vec3::repeat(self.radius()))
    }

    fn towards(&self, point: &Vec3) -> Result<Vec3> {
        direction("point", point)
    }

    fn enclosure(&self, cell: &Cell) -> Option<Enclosure> {
        scaled_sphere_enclosure(&Vec3::repeat(self.radius()), cell)
    }
}

impl Round for Ellipsoid {
    fn jet(&self, place: &Place) -> Result<ParametricJet> {
        scaled_sphere(place, self.semi_axes())
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

impl Round for Superellipsoid {
    fn jet(&self, place: &Place) -> Result<ParametricJet> {
        let d = &cube::series(place)?;
        let (a, [delta, epsilon]) = (self.semi_axes(), self.exponents());
        let norm = (ring(&d[0], &d[1], [delta, epsilon])? + d[2].abs_powf(epsilon)).powf(1.0 / epsilon);
        let inverse = norm.recip();
        Ok(jet(std::array::from_fn(|i| d[i] * inverse * a[i])))
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
        let (corners, n) = hull::over_cell(cell, along, self);
        hull::enclosure(corners, &n, self.support(&n), |low, high| {
            hull::nested_gradients(a, self.exponents(), low, high)
        })
    }
}

impl Round for Superquadric {
    fn jet(&self, place: &Place) -> Result<ParametricJet> {
        Ok(jet(self.point_along(&cube::series(place)?)))
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
        let (corners, n) = hull::over_cell(cell, along, self);
        hull::enclosure(corners, &n, self.support(&n), |low, high| {
            let component = |i: usize| {
                let range = hull::shares([low[i], high[i]], a[i]);
                hull::odd_power(range, exponents[i] - 1.0).map(|x| x * exponents[i] / a[i])
            };
            hull::columns([component(0), component(1), component(2)])
        })
    }
}

impl Round for PotentialBody {
    fn jet(&self, place: &Place) -> Result<ParametricJet> {
        let point = self.potential().gradient_taylor(&cube::series(place)?);
        point.map(jet).ok_or_else(|| GeomError::Undefined {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_jet_of_an_ellipsoid_is_that_of_its_series() {
        let a = Vec3::new(0.2, 1.5, 0.03);
        let ellipsoid = Ellipsoid::new(a.into()).unwrap();
        for chart in 0..cube::CHARTS {
            for (u, v) in [(0.0, 0.0), (0.3, -1.1), (-1.2, 1.2), (1e-9, 0.7)] {
                let place = Place { chart, u, v };
                let d = cube::series(&place).unwrap();
                let inverse = (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt().recip();
                let expected = jet(std::array::from_fn(|i| d[i] * inverse * a[i]));
                let found = Atlas::jet(&ellipsoid, &place).unwrap();
                let list = |j: &ParametricJet| {
                    [j.p, j.du, j.dv, j.duu, j.duv, j.dvv, j.duuu, j.duuv, j.duvv, j.dvvv]
                };
                for (x, y) in list(&found).iter().zip(list(&expected)) {
                    assert!((x - y).norm() < 2e-15 * (1.0 + y.norm()), "{place:?}: {x} {y}");
                }
            }
        }
    }
}
