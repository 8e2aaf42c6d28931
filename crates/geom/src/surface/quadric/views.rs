//! The views of a quadric: F, ∇F = σ(2a₁₁x + a₁, …) (31), ∇²F = 2σ diag(a₁₁, a₂₂, a₃₃) (32); the rest is answered by
//! the form that the solid takes.

use super::{Form, Quadric, QuadricKind};
use crate::curvature::BendingRate;
use crate::error::{Result, direction, finite3};
use crate::surface::open::{edge, layers, plane};
use crate::surface::{
    BoundingPlane, Domain, Implicit, Parametric, ParametricJet, Sliced, Support, Surface, TouchPoint,
};
use crate::{Aabb, Curvature, Mat3, Moments, TriMesh, Vec3};

impl Surface for Quadric {
    fn kind(&self) -> &'static str {
        match self.kind {
            QuadricKind::Ellipsoid => "ellipsoid",
            QuadricKind::HyperboloidOneSheet => "hyperboloid_one_sheet",
            QuadricKind::HyperboloidTwoSheets => "hyperboloid_two_sheets",
            QuadricKind::EllipticParaboloid => "elliptic_paraboloid",
            QuadricKind::HyperbolicParaboloid => "hyperbolic_paraboloid",
        }
    }

    fn as_implicit(&self) -> Option<&dyn Implicit> {
        Some(self)
    }

    fn as_support(&self) -> Option<&dyn Support> {
        match &self.form {
            Form::Ellipsoid(e) => Some(e),
            _ => None,
        }
    }

    fn as_parametric(&self) -> Option<&dyn Parametric> {
        Some(self)
    }

    fn as_sliced(&self) -> Option<&dyn Sliced> {
        match &self.form {
            Form::Ellipsoid(_) => None,
            Form::Layers(l) => Some(l),
            Form::Saddle(s) => Some(s),
        }
    }

    fn bounds(&self) -> Aabb {
        match &self.form {
            Form::Ellipsoid(e) => e.bounds(),
            Form::Layers(l) => l.bounds(),
            Form::Saddle(s) => s.bounds(),
        }
    }

    fn curvature_at(&self, p: &Vec3) -> Result<Curvature> {
        let p = finite3("point", p)?;
        match &self.form {
            Form::Ellipsoid(e) => e.curvature_at(&p),
            _ => layers::curvature(self.kind(), &self.gradient(&p), &self.hessian(&p)),
        }
    }

    fn curvature_at_touch(&self, p: &Vec3, n: &Vec3) -> Result<Curvature> {
        let (p, n) = (finite3("point", p)?, direction("normal", n)?);
        edge::curvature(self, self.bounds().diagonal(), &p, &n, || self.curvature_at(&p))
    }

    fn has_seam_at(&self, p: &Vec3, n: &Vec3) -> bool {
        edge::is_seam(self, self.bounds().diagonal(), p, n)
    }

    fn bending_rate(&self, at: &TouchPoint, dp: &Vec3, dn: &Vec3) -> Option<BendingRate> {
        match &self.form {
            Form::Ellipsoid(e) => e.bending_rate(at, dp, dn),
            _ => edge::bending_rate(self, self.bounds().diagonal(), at, dp, dn),
        }
    }

    fn curvature_at_normal(&self, n: &Vec3) -> Result<Curvature> {
        match &self.form {
            Form::Ellipsoid(e) => e.curvature_at_normal(n),
            Form::Layers(l) => self.curvature_at(&l.farthest(self.kind(), n)?),
            Form::Saddle(_) => {
                direction("normal", n)?;
                Err(self.undefined("a saddle has no farthest point, the solid's lies on its rim or a wall"))
            }
        }
    }

    fn curvature_range(&self) -> Result<[f64; 2]> {
        match &self.form {
            Form::Ellipsoid(e) => e.curvature_range(),
            Form::Layers(l) => l.curvature_range(self.kind(), self),
            Form::Saddle(s) => s.curvature_range(self),
        }
    }

    fn tessellate(&self, chord: f64) -> Result<TriMesh> {
        match &self.form {
            Form::Ellipsoid(e) => e.tessellate(chord),
            Form::Layers(l) => l.tessellate(chord),
            Form::Saddle(s) => s.tessellate(chord),
        }
    }

    fn area(&self) -> Result<f64> {
        let flat = match &self.form {
            Form::Ellipsoid(_) => 0.0,
            Form::Layers(l) => l.cap_area(),
            Form::Saddle(s) => s.flat_area(),
        };
        Ok(self.curved_area()? + flat)
    }

    fn moments(&self) -> Result<Moments> {
        match &self.form {
            Form::Ellipsoid(e) => e.moments(),
            Form::Layers(l) => l.moments(),
            Form::Saddle(s) => Ok(s.moments()),
        }
    }
}

impl Implicit for Quadric {
    #[inline]
    fn value(&self, p: &Vec3) -> f64 {
        self.sign() * (p.component_mul(p).dot(&self.square) + self.linear * p.z - 1.0)
    }

    #[inline]
    fn gradient(&self, p: &Vec3) -> Vec3 {
        let mut g = 2.0 * p.component_mul(&self.square);
        g.z += self.linear;
        self.sign() * g
    }

    #[inline]
    fn hessian(&self, _p: &Vec3) -> Mat3 {
        Mat3::from_diagonal(&(self.square * (2.0 * self.sign())))
    }

    fn hessian_rate(&self, _p: &Vec3, _d: &Vec3) -> Option<Mat3> {
        Some(Mat3::zeros())
    }

    fn beyond_bounds(&self, p: &Vec3) -> f64 {
        plane::beyond(&self.planes, p)
    }

    fn bounding_planes(&self) -> &[BoundingPlane] {
        &self.planes
    }
}

impl Parametric for Quadric {
    fn domain(&self) -> Domain {
        match &self.form {
            Form::Ellipsoid(e) => e.domain(),
            Form::Layers(l) => l.domain(),
            Form::Saddle(s) => s.domain(),
        }
    }

    fn jet(&self, u: f64, v: f64) -> ParametricJet {
        match &self.form {
            Form::Ellipsoid(e) => e.jet(u, v),
            Form::Layers(l) => l.jet(u, v),
            Form::Saddle(s) => s.jet(u, v),
        }
    }
}
