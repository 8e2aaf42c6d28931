//! Curvature of a superellipsoid where it touches another body, by point and normal; see [`super::super_touch`].

use super::super::super_touch::{self, LEAST_SHARE, Power};
use super::Superellipsoid;
use crate::curvature::{BendingRate, tangents};
use crate::error::{Result, direction, finite3};
use crate::surface::{Surface, TouchPoint};
use crate::{Curvature, Vec3};

/// The shares of a point of the surface: of x and y in the ring, of the ring and z in the whole.
struct Shares {
    ring: [f64; 2],
    whole: [f64; 2],
}

impl Superellipsoid {
    /// The point of the surface that both `p` and `n` mean, every coordinate from the one that knows it better.
    fn place(&self, p: &Vec3, n: &Vec3) -> Vec3 {
        let [delta, epsilon] = self.exponents;
        if delta >= 2.0 && epsilon >= 2.0 {
            return *p;
        }
        let (y, m) = (p.component_div(&self.semi_axes).abs(), self.semi_axes.component_mul(n).abs());
        let largest = m.amax();
        let m = m / largest;
        let flat = |v: &Vec3| Vec3::new(v.x, v.y, 0.0);
        let ring = super_touch::shares([y.x, y.y], [m.x, m.y], delta);
        let [w, z] = super_touch::shares(
            [self.gauge.value(&flat(p)), y.z],
            [self.dual.value(&flat(n)) / largest, m.z],
            epsilon,
        );
        let round = self.semi_axes.component_mul(&Vec3::new(ring[0], ring[1], 0.0));
        let round = round / self.gauge.value(&round).max(f64::MIN_POSITIVE);
        let place = Vec3::new(round.x * w, round.y * w, self.semi_axes.z * z);
        let place = place / self.gauge.value(&place);
        // A coordinate that vanishes has the normal's sign as much as the point's.
        place.zip_map(n, f64::copysign)
    }

    fn shares(&self, place: &Vec3) -> Shares {
        let y = place.component_div(&self.semi_axes).abs();
        let w = self.gauge.value(&Vec3::new(place.x, place.y, 0.0));
        let ring = if w > 0.0 { [y.x / w, y.y / w] } else { [1.0; 2] };
        Shares { ring, whole: [w, y.z] }
    }

    pub(super) fn curvature_by_both(&self, p: &Vec3, n: &Vec3) -> Result<Curvature> {
        let (p, n) = (finite3("point", p)?, direction("normal", n)?);
        let place = self.place(&p, &n);
        let (Shares { ring, whole }, [q, e]) = (self.shares(&place), self.exponents);
        // At a pole the ring has no size: what the outer exponent makes of it holds in all directions.
        match Power::of(whole[0], e) {
            Power::Zero => return Ok(Curvature::flat(&n)),
            Power::Infinite => return Ok(Curvature::umbilic(&n, f64::INFINITY)),
            Power::Finite => {}
        }
        let power = [Power::of(whole[1], e), Power::of(ring[0], q).times(Power::of(ring[1], q))];
        if power == [Power::Finite; 2] {
            return self.curvature_at(&place);
        }
        let jet = self.gauge.jet(&place);
        let norm = jet.gradient.norm();
        let n = jet.gradient / norm;
        let (t, b) = tangents(&n);
        let tangent = |v: &Vec3| t * t.dot(v) + b * b.dot(v);
        let u = [tangent(&jet.v[0]), tangent(&jet.v[1])];
        Ok(super_touch::of_dyads(&n, jet.k.map(|k| k / norm), u, power))
    }

    /// At a pole of a body that is round along its meridians but not around them.
    pub(super) fn has_seam_by_both(&self, p: &Vec3, n: &Vec3) -> bool {
        self.exponents[1] == 2.0
            && self.exponents[0] != 2.0
            && self.shares(&self.place(p, n)).whole[0] <= super::super::ON_SEAM
    }

    pub(super) fn rate_by_both(&self, at: &TouchPoint, dp: &Vec3, dn: &Vec3) -> Option<BendingRate> {
        super_touch::rate(self, at, dn, self.semi_axes.amax(), || {
            let place = self.place(&at.point, &at.normal);
            let (Shares { ring, whole }, [q, e]) = (self.shares(&place), self.exponents);
            let kink = |shares: [f64; 2], e: f64| shares.iter().any(|&s| Power::has_kink(s, e));
            // Beside a pole, too, the ring's own shares count; at it only the outer exponent does.
            if kink(whole, e) || whole[0] > LEAST_SHARE && kink(ring, q) {
                return None;
            }
            let jet = self.gauge.jet(&place);
            let (hessian, along) = (jet.hessian(), self.gauge.third(&place, dp));
            Some(at.curvature.implicit_rate([&jet.gradient, dp, dn], [&hessian, &along]))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface::Implicit;

    /// All normals are the pole's to rounding there: what their last digits say of the ring is noise.
    #[test]
    fn beside_a_flat_pole_the_curvature_of_a_sharp_ring_comes_from_the_point() {
        let body = Superellipsoid::new([0.45, 0.95, 0.35], [1.8, 18.0]).unwrap();
        let point = Vec3::new(-0.03, 0.02, -0.35);
        let point = point / body.gauge.value(&point);
        let normal = body.gradient(&point).normalize();
        let expected = body.curvature_at(&point).unwrap().kappa;
        for noise in [Vec3::zeros(), Vec3::new(1e-16, -2e-16, 0.0), Vec3::new(-3e-17, 1e-17, 0.0)] {
            let found = body.curvature_at_touch(&point, &(normal + noise).normalize()).unwrap().kappa;
            for k in 0..2 {
                assert!(
                    (found[k] - expected[k]).abs() <= 1e-9 * expected[k],
                    "{noise:?}: {found:?} {expected:?}"
                );
            }
        }
    }
}
