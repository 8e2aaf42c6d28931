//! A parametric surface at its parameters, in world axes.
//!
//! With x_u, x_v and N = x_u × x_v: unit tangents a_j = x_j/∣x_j∣ and n = N/∣N∣, and their derivatives
//!
//!   ∂_k a_j = (1 − a_j a_jᵀ) x_jk/∣x_j∣,   ∂_k n = (1 − nnᵀ)(x_uk × x_v + x_u × x_vk)/∣N∣

use crate::Result;
use crate::narrow::argument;
use crate::narrow::starts::Sample;
use rattleback_geom::surface::{Implicit, Parametric, Surface};
use rattleback_geom::{Aabb, Mat3, Pose, Vec3};

/// Share of the domain that parameters keep from an end that does not close: see the family's header.
const MARGIN: f64 = 1e-12;

/// A parametric surface and where it is.
#[derive(Clone, Copy)]
pub struct ParametricBody<'a> {
    /// The surface in its own frame.
    pub surface: &'a dyn Parametric,
    /// What tells inside from outside, where the surface has it. Without it an overlap is taken only if no pair of
    /// separate points was found.
    pub inside: Option<&'a dyn Implicit>,
    /// Where the frame is.
    pub pose: Pose,
}

/// The surface at one pair of parameters.
#[derive(Debug, Clone, Copy)]
pub(super) struct Patch {
    pub(super) x: Vec3,
    /// x_u, x_v.
    pub(super) partial: [Vec3; 2],
    /// a_u, a_v.
    pub(super) tangent: [Vec3; 2],
    /// ∂_k a_j as `[j][k]`.
    pub(super) d_tangent: [[Vec3; 2]; 2],
    pub(super) n: Vec3,
    /// ∂_k n.
    pub(super) dn: [Vec3; 2],
}

/// Samples over a domain.
pub(super) struct Grid {
    pub(super) parameters: Vec<[f64; 2]>,
    pub(super) samples: Vec<Sample>,
    /// Half the diagonal of the samples' box.
    pub(super) size: f64,
}

impl Grid {
    pub(super) fn points(&self) -> impl Iterator<Item = Vec3> {
        self.samples.iter().map(|s| s.point)
    }
}

impl<'a> ParametricBody<'a> {
    /// A surface placed in the world; none if it has no parametric view.
    pub fn of(surface: &'a dyn Surface, pose: Pose) -> Option<Self> {
        Some(Self { surface: surface.as_parametric()?, inside: surface.as_implicit(), pose })
    }

    pub(super) fn checked(&self, field: &str) -> Result<&Self> {
        argument::pose(field, &self.pose)?;
        let domain = self.surface.domain();
        argument::positive("domain.u", domain.u[1] - domain.u[0])?;
        argument::positive("domain.v", domain.v[1] - domain.v[0])?;
        Ok(self)
    }

    /// Wrapped where the surface closes, clamped where it does not.
    pub(super) fn within(&self, parameters: [f64; 2]) -> [f64; 2] {
        let domain = self.surface.domain();
        let one = |x: f64, [low, high]: [f64; 2], periodic: bool| {
            let width = high - low;
            if periodic {
                low + (x - low).rem_euclid(width)
            } else {
                x.clamp(low + MARGIN * width, high - MARGIN * width)
            }
        };
        [one(parameters[0], domain.u, domain.periodic[0]), one(parameters[1], domain.v, domain.periodic[1])]
    }

    pub(super) fn at(&self, [u, v]: [f64; 2]) -> Patch {
        let jet = self.surface.jet(u, v);
        let turn = |x: &Vec3| self.pose.vector_to_world(x);
        let partial = [turn(&jet.du), turn(&jet.dv)];
        let second = [[turn(&jet.duu), turn(&jet.duv)], [turn(&jet.duv), turn(&jet.dvv)]];
        let across = |unit: &Vec3, x: Vec3| x - unit * unit.dot(&x);
        let tangent = partial.map(|x| x.normalize());
        let d_tangent =
            std::array::from_fn(|j| second[j].map(|x| across(&tangent[j], x / partial[j].norm())));
        let cross = partial[0].cross(&partial[1]);
        let (length, n) = (cross.norm(), cross.normalize());
        let dn = std::array::from_fn(|k| {
            let d = second[0][k].cross(&partial[1]) + partial[0].cross(&second[1][k]);
            across(&n, d / length)
        });
        Patch { x: self.pose.point_to_world(&jet.p), partial, tangent, d_tangent, n, dn }
    }

    /// The shape operator in world axes.
    pub(super) fn shape(&self, [u, v]: [f64; 2]) -> Mat3 {
        self.surface.jet(u, v).curvature().map(|x| self.pose.vector_to_world(x)).shape_operator()
    }

    /// Points and normals at the centres of a grid's cells.
    pub(super) fn grid(&self, cells: [usize; 2]) -> Grid {
        let domain = self.surface.domain();
        let [m, n] = cells.map(|c| c.max(2));
        let place = |i: usize, count: usize, [low, high]: [f64; 2]| {
            low + (high - low) * (i as f64 + 0.5) / count as f64
        };
        let parameters: Vec<_> =
            (0..m * n).map(|k| [place(k % m, m, domain.u), place(k / m, n, domain.v)]).collect();
        let samples: Vec<_> = parameters
            .iter()
            .map(|&[u, v]| {
                let jet = self.surface.jet(u, v);
                let normal = self.pose.vector_to_world(&jet.normal().normalize());
                Sample { point: self.pose.point_to_world(&jet.p), normal }
            })
            .collect();
        let aabb = Aabb::of_points(samples.iter().map(|s| &s.point));
        Grid { parameters, samples, size: 0.5 * (aabb.max - aabb.min).norm() }
    }

    /// Half the diagonal of a coarse grid's box.
    pub(super) fn size(&self) -> f64 {
        self.grid([4, 4]).size
    }
}
