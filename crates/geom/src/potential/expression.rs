//! The tree behind a potential and its derivatives, exact from leaf to root.
//!
//! Through a linear image h(n) = h_K(Mᵀn) the chain rule is ∇h = M∇h_K, ∇²h = M∇²h_K Mᵀ,
//! ∇³h[d] = M ∇³h_K[Mᵀd] Mᵀ, all at Mᵀn; sums add.

use super::{Harmonics, Potential, SphericalSpline};
use crate::error::{GeomError, Result};
use crate::surface::{Ellipsoid, Face, Kink, Revolution, Sphere, Support, SupportJet};
use crate::taylor::Taylor;
use crate::{Mat3, Vec3};
use std::fmt;
use std::sync::Arc;

/// Below this ratio of its singular values a matrix is taken for singular: ∇²h would keep no digit.
const FLATTEST: f64 = 1e-8;

/// Generators at less than this angle in rad are along each other.
const ALONG: f64 = 1e-12;

/// One node of the tree.
#[derive(Debug)]
pub(super) enum Expression {
    /// `radius` |n|; the radius is negative for an inner parallel body.
    Ball {
        unit: Sphere,
        radius: f64,
    },
    /// v·n.
    Point(Vec3),
    Ellipsoid(Ellipsoid),
    Harmonics(Harmonics),
    Spline(SphericalSpline),
    Opaque(Opaque),
    Sum(Potential, Potential),
    Linear(Linear),
}

/// A support function of unknown kind.
pub(super) struct Opaque {
    pub support: Arc<dyn Support + Send + Sync>,
    /// What the caller promises of its radii of curvature, in metres.
    pub least_radius: f64,
}

impl fmt::Debug for Opaque {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Opaque").field("least_radius", &self.least_radius).finish_non_exhaustive()
    }
}

/// A linear image of another potential.
#[derive(Debug)]
pub(super) struct Linear {
    pub inner: Potential,
    pub m: Mat3,
    /// The factor, where M is a rotation times a factor.
    pub similarity: Option<f64>,
    /// Singular values, the greatest first, and the left singular vectors of the first and the last.
    pub sigma: [f64; 3],
    pub axes: [Vec3; 2],
}

impl Linear {
    pub fn new(inner: Potential, m: Mat3, similarity: Option<f64>) -> Result<Self> {
        // M Mᵀ would lose half the digits of the small values; the SVD does not.
        let svd = m.svd(true, false);
        let (s, u) = (svd.singular_values, svd.u.unwrap_or_else(Mat3::identity));
        let (first, last) = (s.imax(), s.imin());
        let sigma = [s[first], s.sum() - s[first] - s[last], s[last]];
        if !(sigma[2] > FLATTEST * sigma[0]) || !sigma[0].is_finite() {
            return Err(GeomError::OutOfRange {
                field: "linear: ratio of the smallest to the greatest singular value".to_owned(),
                value: sigma[2] / sigma[0],
                allowed: format!("above {FLATTEST:e}, so that the image has a volume"),
            });
        }
        let axes = [u.column(first).into_owned(), u.column(last).into_owned()];
        Ok(Self { inner, m, similarity, sigma, axes })
    }
}

impl Support for Potential {
    fn revolution(&self) -> Option<Revolution> {
        match &*self.0 {
            Expression::Ball { .. } => Some(Revolution::All),
            Expression::Point(v) => (*v == Vec3::zeros()).then_some(Revolution::All),
            Expression::Ellipsoid(e) => e.revolution(),
            Expression::Harmonics(_) | Expression::Spline(_) => None,
            Expression::Opaque(o) => o.support.revolution(),
            Expression::Sum(a, b) => Revolution::of_sum(a.revolution()?, b.revolution()?),
            Expression::Linear(l) => match (l.inner.revolution()?, l.similarity) {
                (Revolution::About(axis), Some(factor)) => Some(Revolution::About(l.m * axis / factor)),
                (Revolution::All, Some(_)) => Some(Revolution::All),
                _ => None,
            },
        }
    }

    fn support(&self, n: &Vec3) -> f64 {
        match &*self.0 {
            Expression::Ball { unit, radius } => radius * unit.support(n),
            Expression::Point(v) => v.dot(n),
            Expression::Ellipsoid(e) => e.support(n),
            Expression::Harmonics(s) => s.support(n),
            Expression::Spline(s) => s.support(n),
            Expression::Opaque(o) => o.support.support(n),
            Expression::Sum(a, b) => a.support(n) + b.support(n),
            Expression::Linear(l) => l.inner.support(&l.m.tr_mul(n)),
        }
    }

    fn support_point(&self, n: &Vec3) -> Vec3 {
        match &*self.0 {
            Expression::Ball { unit, radius } => unit.support_point(n) * *radius,
            Expression::Point(v) => *v,
            Expression::Ellipsoid(e) => e.support_point(n),
            Expression::Harmonics(s) => s.support_point(n),
            Expression::Spline(s) => s.support_point(n),
            Expression::Opaque(o) => o.support.support_point(n),
            Expression::Sum(a, b) => a.support_point(n) + b.support_point(n),
            Expression::Linear(l) => l.m * l.inner.support_point(&l.m.tr_mul(n)),
        }
    }

    fn support_jet(&self, n: &Vec3) -> SupportJet {
        match &*self.0 {
            Expression::Ball { unit, radius } => {
                let jet = unit.support_jet(n);
                SupportJet {
                    value: jet.value * radius,
                    point: jet.point * *radius,
                    hessian: jet.hessian * *radius,
                }
            }
            Expression::Point(v) => SupportJet { value: v.dot(n), point: *v, hessian: Mat3::zeros() },
            Expression::Ellipsoid(e) => e.support_jet(n),
            Expression::Harmonics(s) => s.support_jet(n),
            Expression::Spline(s) => s.support_jet(n),
            Expression::Opaque(o) => o.support.support_jet(n),
            Expression::Sum(a, b) => {
                let (a, b) = (a.support_jet(n), b.support_jet(n));
                SupportJet {
                    value: a.value + b.value,
                    point: a.point + b.point,
                    hessian: a.hessian + b.hessian,
                }
            }
            Expression::Linear(l) => {
                let jet = l.inner.support_jet(&l.m.tr_mul(n));
                SupportJet {
                    value: jet.value,
                    point: l.m * jet.point,
                    hessian: l.m * jet.hessian * l.m.transpose(),
                }
            }
        }
    }

    fn followed(&self, n: &Vec3, step: &Vec3, tell: &mut dyn FnMut(Vec3)) {
        match &*self.0 {
            Expression::Opaque(o) => o.support.followed(n, step, tell),
            Expression::Sum(a, b) => {
                a.followed(n, step, tell);
                b.followed(n, step, tell);
            }
            Expression::Linear(l) => {
                let Some(inverse) = l.m.transpose().try_inverse() else { return };
                l.inner.followed(&l.m.tr_mul(n), &l.m.tr_mul(step), &mut |v| tell((inverse * v).normalize()));
            }
            _ => {}
        }
    }

    /// Of sums in which several summands have a face at n, that of the first and the middles of the others, unless they
    /// are generators along each other.
    fn face(&self, n: &Vec3) -> Face {
        match &*self.0 {
            Expression::Opaque(o) => o.support.face(n),
            Expression::Sum(a, b) => match (a.face(n), b.face(n)) {
                (Face::Point(p), face) | (face, Face::Point(p)) => face.moved(&p),
                (Face::Segment { centre, half }, Face::Segment { centre: c, half: h })
                    if half.cross(&h).norm() <= ALONG * half.norm() * h.norm() =>
                {
                    Face::Segment { centre: centre + c, half: half + h * half.dot(&h).signum() }
                }
                (face, other) => face.moved(&other.middle()),
            },
            Expression::Linear(l) => match (l.inner.face(&l.m.tr_mul(n)), l.similarity) {
                (Face::Segment { centre, half }, _) => {
                    Face::Segment { centre: l.m * centre, half: l.m * half }
                }
                (Face::Disc { centre, radius, .. }, Some(factor)) => {
                    Face::Disc { centre: l.m * centre, axis: n.normalize(), radius: radius * factor.abs() }
                }
                (Face::Rectangle { centre, half }, Some(_)) => {
                    Face::Rectangle { centre: l.m * centre, half: half.map(|h| l.m * h) }
                }
                // An ellipse is left out: its middle stands for it.
                (other, _) => Face::Point(l.m * other.middle()),
            },
            _ => Face::Point(self.support_point(n)),
        }
    }

    fn support_third(&self, n: &Vec3, d: &Vec3) -> Mat3 {
        match &*self.0 {
            Expression::Ball { unit, radius } => unit.support_third(n, d) * *radius,
            Expression::Point(_) => Mat3::zeros(),
            Expression::Ellipsoid(e) => e.support_third(n, d),
            Expression::Harmonics(s) => s.support_third(n, d),
            Expression::Spline(s) => s.support_third(n, d),
            Expression::Opaque(o) => o.support.support_third(n, d),
            Expression::Sum(a, b) => a.support_third(n, d) + b.support_third(n, d),
            Expression::Linear(l) => {
                l.m * l.inner.support_third(&l.m.tr_mul(n), &l.m.tr_mul(d)) * l.m.transpose()
            }
        }
    }
}

impl Potential {
    /// ∇h of a normal given as series in two parameters; `None` where an opaque support function is among the leaves,
    /// whose fourth derivatives are not to be had.
    pub fn gradient_taylor(&self, n: &[Taylor; 3]) -> Option<[Taylor; 3]> {
        Some(match &*self.0 {
            Expression::Ball { radius, .. } => {
                let inverse = length(n).recip() * *radius;
                n.map(|x| x * inverse)
            }
            Expression::Point(v) => [0, 1, 2].map(|i| Taylor::constant(v[i])),
            Expression::Ellipsoid(e) => {
                let a = e.semi_axes();
                let scaled: [Taylor; 3] = std::array::from_fn(|i| n[i] * a[i]);
                let inverse = length(&scaled).recip();
                std::array::from_fn(|i| scaled[i] * inverse * a[i])
            }
            Expression::Harmonics(s) => s.gradient_taylor(n),
            Expression::Spline(s) => s.gradient_taylor(n),
            Expression::Opaque(_) => return None,
            Expression::Sum(a, b) => {
                let (a, b) = (a.gradient_taylor(n)?, b.gradient_taylor(n)?);
                std::array::from_fn(|i| a[i] + b[i])
            }
            Expression::Linear(l) => {
                let product = |m: &Mat3, x: &[Taylor; 3]| -> [Taylor; 3] {
                    std::array::from_fn(|i| x[0] * m[(i, 0)] + x[1] * m[(i, 1)] + x[2] * m[(i, 2)])
                };
                product(&l.m, &l.inner.gradient_taylor(&product(&l.m.transpose(), n))?)
            }
        })
    }

    /// The kinks of all leaves. Through a linear image, n has z·Mᵀn = 0 where it is across Mz, and Mᵀn along z where it
    /// is along M⁻ᵀz.
    pub(crate) fn collect_kinks(&self) -> Vec<Kink> {
        match &*self.0 {
            Expression::Opaque(o) => o.support.kinks().to_vec(),
            Expression::Sum(a, b) => [a.collect_kinks(), b.collect_kinks()].concat(),
            Expression::Linear(l) => {
                let inverse = l.m.transpose().try_inverse().unwrap_or_else(Mat3::identity);
                // The image of a small circle is one under similarities alone; elsewhere it is not known of.
                let image = |kink: &Kink| match kink {
                    Kink::Circle { height, .. } if *height != 0.0 && l.similarity.is_none() => None,
                    Kink::Circle { axis, height } => {
                        Some(Kink::Circle { axis: (l.m * axis).normalize(), height: *height })
                    }
                    Kink::Normal(n) => Some(Kink::Normal((inverse * n).normalize())),
                };
                l.inner.collect_kinks().iter().filter_map(image).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Whether a leaf is a support function of unknown kind.
    pub(super) fn has_opaque(&self) -> bool {
        match &*self.0 {
            Expression::Opaque(_) => true,
            Expression::Sum(a, b) => a.has_opaque() || b.has_opaque(),
            Expression::Linear(l) => l.inner.has_opaque(),
            _ => false,
        }
    }
}

/// |n| as a series.
pub(super) fn length(n: &[Taylor; 3]) -> Taylor {
    (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]).sqrt()
}
