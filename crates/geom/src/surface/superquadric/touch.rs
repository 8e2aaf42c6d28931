//! Curvature of a superquadric where it touches another body, by point and normal; see [`super::super_touch`].
//!
//! ∇²F is the diagonal of dᵢ = γᵢ(γᵢ−1) ξᵢ^{γᵢ−2}/aᵢ², ∇³F along dp that of dᵢ (γᵢ−2) dpᵢ/xᵢ.

use super::super::super_touch::{self, Power};
use super::Superquadric;
use crate::curvature::BendingRate;
use crate::error::{Result, direction, finite3};
use crate::surface::{Implicit, Surface, TouchPoint};
use crate::{Curvature, Mat3, Vec3};

impl Superquadric {
    /// The point of the surface that both `p` and `n` mean, every coordinate from the one that knows it better.
    fn place(&self, p: &Vec3, n: &Vec3) -> Vec3 {
        if self.exponents.min() >= 2.0 {
            return *p;
        }
        let xi = self.touch(n).xi;
        Vec3::from_fn(|i, _| {
            let by_normal = (self.semi_axes[i] * xi[i]).copysign(n[i]);
            if self.exponents[i] >= 2.0 { p[i] } else { by_normal }
        })
    }

    fn share(&self, place: &Vec3, i: usize) -> f64 {
        place[i].abs() / self.semi_axes[i]
    }

    pub(super) fn curvature_by_both(&self, p: &Vec3, n: &Vec3) -> Result<Curvature> {
        let (p, n) = (finite3("point", p)?, direction("normal", n)?);
        let place = self.place(&p, &n);
        let power: [Power; 3] = std::array::from_fn(|i| Power::of(self.share(&place, i), self.exponents[i]));
        let infinite = |i: &usize| power[*i] == Power::Infinite;
        let mut edges = (0..3).filter(infinite);
        match (edges.next(), edges.next()) {
            (None, _) if power == [Power::Finite; 3] => self.curvature_at(&place),
            (None, _) => Ok(self.flat_curvature(&place, power)),
            (Some(i), None) => {
                let d = self.entries(&place, power);
                let (across, norm) = (Vec3::ith(i, 1.0), self.gradient(&place).norm());
                let d1 = (across - n * n[i]).normalize();
                let d2 = n.cross(&d1);
                let along = (0..3).filter(|&j| j != i).map(|j| d[j] * d2[j] * d2[j]).sum::<f64>() / norm;
                Ok(Curvature { kappa: [f64::INFINITY, along], direction: [d1, d2] })
            }
            _ => Ok(Curvature::umbilic(&n, f64::INFINITY)),
        }
    }

    /// The diagonal of ∇²F with zeros for vanishing powers.
    fn entries(&self, place: &Vec3, power: [Power; 3]) -> Vec3 {
        let d = self.hessian(place).diagonal();
        Vec3::from_fn(|i, _| if power[i] == Power::Zero { 0.0 } else { d[i] })
    }

    fn flat_curvature(&self, place: &Vec3, power: [Power; 3]) -> Curvature {
        let d = self.entries(place, power);
        Curvature::from_implicit(&self.gradient(place), &Mat3::from_diagonal(&d))
    }

    pub(super) fn rate_by_both(&self, at: &TouchPoint, dp: &Vec3, dn: &Vec3) -> Option<BendingRate> {
        super_touch::rate(self, at, dn, self.semi_axes.amax(), || {
            let place = self.place(&at.point, &at.normal);
            if (0..3).any(|i| Power::has_kink(self.share(&place, i), self.exponents[i])) {
                return None;
            }
            let hessian = self.hessian(&place);
            let along = Mat3::from_diagonal(&Vec3::from_fn(|i, _| {
                let e = self.exponents[i] - 2.0;
                let moves = Power::of(self.share(&place, i), self.exponents[i]) == Power::Finite && e != 0.0;
                if moves { hessian[(i, i)] * e * dp[i] / place[i] } else { 0.0 }
            }));
            Some(at.curvature.implicit_rate([&self.gradient(&place), dp, dn], [&hessian, &along]))
        })
    }
}
