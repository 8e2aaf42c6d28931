//! The box: half lengths a_i along the axes, its edges rounded by a ball of radius r (`rounding`, m), 0 for true edges.
//!
//! It is the core of half lengths c_i = a_i − r swept by the ball, hence h = Σ c_i∣n_i∣ + r∣n∣:
//!
//! | normal | farthest point ∇h | ∇²h for ∣n∣ = 1 |
//! |---|---|---|
//! | no n_i = 0 | corner c_i sign n_i, plus r n | r (1 − nnᵀ) |
//! | n_k = 0 | middle of the edge along k, plus r n | the same, plus ∞ along k |
//! | n = ± e_i | middle of the face | ∞ across n |
//!
//! A component counts as zero below [`super::ROUNDING`] of the length; [`super::FLAT`] Σ a_i stands for ∞.
//!
//! Volume and moments are sums over the core, six slabs of thickness r, twelve quarters of cylinders and eight octants
//! of a ball. With V_m the volume of all parts and their second moments about the middle planes,
//! ∫x_i² = Σ over parts; per part x_i ranges over [−c_i, c_i], or over c_i + ξ with ξ in the quarter disc or octant:
//!
//! | shape of the part across | ∫1 | ∫ξ | ∫ξ² |
//! |---|---|---|---|
//! | segment [0, r] | r | r²/2 | r³/3 |
//! | quarter disc | πr²/4 | r³/3 | πr⁴/16 |
//! | octant | πr³/6 | πr⁴/16 | πr⁵/30 |

use super::{
    FLAT, Face, Kink, Mesh, ON_SEAM, ROUNDING, Support, SupportBlock, SupportJet, Surface, TouchPoint,
};
use crate::curvature::{BendingRate, tangents};
use crate::error::{GeomError, Result, direction, finite3, length3, positive, within};
use crate::tessellate::sweep;
use crate::{Aabb, Curvature, Mat3, Moments, TriMesh, Vec3};
use std::collections::HashMap;
use std::f64::consts::{FRAC_PI_2, PI};
use std::sync::Arc;

/// A box about the origin, along the axes.
#[derive(Debug, Clone)]
pub struct Cuboid {
    core: Vec3,
    rounding: f64,
    /// Of a box with true edges.
    mesh: Option<Arc<Mesh>>,
}

impl PartialEq for Cuboid {
    fn eq(&self, other: &Self) -> bool {
        (self.core, self.rounding) == (other.core, other.rounding)
    }
}

impl Cuboid {
    /// A box from its lengths along the axes and the radius of its edges, in metres: zero for true edges, at most half
    /// of the shortest length.
    pub fn new(size: [f64; 3], rounding: f64) -> Result<Self> {
        let half = Vec3::from(length3("size", size)?) * 0.5;
        let most = half.min();
        within("rounding", rounding, 0.0, most, "between zero and half of the shortest length")?;
        let mut made = Self { core: half.map(|a| a - rounding), rounding, mesh: None };
        if rounding == 0.0 {
            made.mesh = Some(Arc::new(Mesh::new(made.tessellate(1.0)?)?));
        }
        Ok(made)
    }

    /// The lengths along the axes, in metres.
    pub fn size(&self) -> Vec3 {
        self.core.map(|c| 2.0 * (c + self.rounding))
    }

    /// The radius of the edges, in metres.
    pub fn rounding(&self) -> f64 {
        self.rounding
    }

    /// Half the lengths of the box that the rounding sweeps, in metres.
    pub fn core(&self) -> &Vec3 {
        &self.core
    }

    /// Its faces as a mesh, where its edges are true: the same body, not an approximation of it.
    pub fn mesh(&self) -> Option<&Arc<Mesh>> {
        self.mesh.as_ref()
    }

    /// The place of a corner of the core, counted by the signs of x, y and z in its lowest bits.
    pub fn corner(&self, place: usize) -> Vec3 {
        Vec3::from_fn(|i, _| if place >> i & 1 == 0 { self.core[i] } else { -self.core[i] })
    }

    fn extent(&self) -> f64 {
        self.core.sum() + 3.0 * self.rounding
    }

    /// Along which axes the normal has its whole face: those of its components that are zero.
    fn is_across(&self, n: &Vec3) -> [bool; 3] {
        let small = ROUNDING * n.norm();
        [0, 1, 2].map(|i| n[i].abs() <= small && self.core[i] > 0.0)
    }

    /// Along which axes a point of the surface may be moved on it: those along which it lies within the core.
    fn lies_within(&self, p: &Vec3) -> [bool; 3] {
        let seam = if self.rounding > 0.0 { 0.0 } else { ON_SEAM * self.extent() };
        [0, 1, 2].map(|i| p[i].abs() < self.core[i] - seam)
    }

    /// The curvature where the axes along which the surface is straight are known.
    fn curvature_along(&self, straight: [bool; 3], n: &Vec3) -> Curvature {
        let bend = 1.0 / self.rounding;
        match straight.iter().filter(|&&s| s).count() {
            0 => {
                let (t, u) = tangents(n);
                Curvature { kappa: [bend; 2], direction: [t, u] }
            }
            1 => {
                let axis = Vec3::ith(straight.iter().position(|&s| s).unwrap_or(2), 1.0);
                let out = (n - axis * axis.dot(n)).normalize();
                Curvature { kappa: [bend, 0.0], direction: [axis.cross(&out), axis] }
            }
            _ => {
                let i = n.iamax();
                Curvature::flat(&Vec3::ith(i, 1f64.copysign(n[i])))
            }
        }
    }

    /// ∫1, ∫ξ and ∫ξ² of what the ball adds across `count` axes at one corner of the core.
    fn rim(&self, count: usize) -> [f64; 3] {
        let r = self.rounding;
        match count {
            0 => [1.0, 0.0, 0.0],
            1 => [r, r * r / 2.0, r.powi(3) / 3.0],
            2 => [PI * r * r / 4.0, r.powi(3) / 3.0, PI * r.powi(4) / 16.0],
            _ => [PI * r.powi(3) / 6.0, PI * r.powi(4) / 16.0, PI * r.powi(5) / 30.0],
        }
    }
}

impl Surface for Cuboid {
    fn kind(&self) -> &'static str {
        if self.rounding > 0.0 { "rounded box" } else { "box" }
    }

    fn as_support(&self) -> Option<&dyn Support> {
        Some(self)
    }

    fn bounds(&self) -> Aabb {
        Aabb::centred(self.core.map(|c| c + self.rounding))
    }

    fn curvature_at(&self, p: &Vec3) -> Result<Curvature> {
        let p = finite3("point", p)?;
        let straight = self.lies_within(&p);
        if self.rounding == 0.0 && straight.iter().filter(|&&s| s).count() < 2 {
            return Err(GeomError::Undefined {
                surface: "box",
                quantity: "curvature at a point of its edges",
                reason: "an edge has many normals; ask at a normal".to_owned(),
            });
        }
        let arm = p - p.zip_map(&self.core, |x, c| x.clamp(-c, c));
        // A face of a box with true edges is at its core: the normal is along the axis that is not within.
        let out = Vec3::from_fn(|i, _| if straight[i] { 0.0 } else { p[i] });
        let n = if self.rounding > 0.0 { arm } else { out };
        Ok(self.curvature_along(straight, &direction("point", &n)?))
    }

    fn curvature_at_normal(&self, n: &Vec3) -> Result<Curvature> {
        let n = direction("normal", n)?;
        Ok(self.curvature_along(self.is_across(&n), &n))
    }

    /// By the point, but on true edges, whose points have many normals, by the normal.
    fn curvature_at_touch(&self, p: &Vec3, n: &Vec3) -> Result<Curvature> {
        let n = direction("normal", n)?;
        let straight = self.lies_within(p);
        let by_normal = self.is_across(&n);
        let on_face = straight.iter().filter(|&&s| s).count() == 2;
        Ok(self.curvature_along(if self.rounding > 0.0 || on_face { straight } else { by_normal }, &n))
    }

    /// Where faces, edges and corners meet.
    fn has_seam_at(&self, p: &Vec3, n: &Vec3) -> bool {
        let near = ON_SEAM * self.extent();
        let at_end = |i: usize| (p[i].abs() - self.core[i]).abs() <= near;
        (0..3).any(|i| at_end(i) && n[i].abs() <= ON_SEAM.sqrt())
    }

    fn bending_rate(&self, _at: &TouchPoint, _dp: &Vec3, _dn: &Vec3) -> Option<BendingRate> {
        Some(BendingRate::NONE)
    }

    fn curvature_range(&self) -> Result<[f64; 2]> {
        Ok([0.0, 1.0 / self.rounding])
    }

    /// The ball's grid of parallels and meridians, cut into octants that lie at the corners of the core.
    fn tessellate(&self, chord: f64) -> Result<TriMesh> {
        let chord = positive("chord", chord)?;
        let quarter = match self.rounding > 0.0 {
            true => sweep::divisions(chord, FRAC_PI_2, sweep::sphere_step(chord, self.rounding), 2)?,
            false => 1,
        };
        // (sin, cos) from the pole to the equator, and from an axis to the next one about z.
        let ring: Vec<[f64; 2]> = (0..=quarter)
            .map(|i| match i {
                0 => [0.0, 1.0],
                i if i == quarter => [1.0, 0.0],
                i => (FRAC_PI_2 * i as f64 / quarter as f64).sin_cos().into(),
            })
            .collect();
        let rows = ring.iter().map(|x| (1.0, *x)).chain(ring.iter().rev().map(|x| (-1.0, *x)));
        let columns: Vec<[[f64; 2]; 2]> = [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]]
            .into_iter()
            .enumerate()
            .flat_map(|(q, sign)| {
                let turned = ring.iter().map(move |&[s, c]| if q % 2 == 0 { [c, s] } else { [s, c] });
                turned.map(move |[x, y]| [sign, [sign[0] * x, sign[1] * y]])
            })
            .collect();
        let mut grid = Grid::default();
        let mut before: Option<Vec<u32>> = None;
        for (up, [sin, cos]) in rows {
            let row: Vec<u32> = columns
                .iter()
                .map(|[sign, [x, y]]| {
                    let corner = Vec3::new(sign[0], sign[1], up).component_mul(&self.core);
                    grid.vertex(corner + Vec3::new(sin * x, sin * y, up * cos) * self.rounding)
                })
                .collect();
            match before {
                None => grid.polygon(&row, false),
                Some(above) => (0..row.len()).for_each(|k| {
                    let l = (k + 1) % row.len();
                    grid.polygon(&[above[k], row[k], row[l], above[l]], false);
                }),
            }
            before = Some(row);
        }
        grid.polygon(&before.unwrap_or_default(), true);
        TriMesh::new(grid.points, grid.triangles)
    }

    fn area(&self) -> Result<f64> {
        let (c, r) = (&self.core, self.rounding);
        let faces = 8.0 * (c.x * c.y + c.y * c.z + c.z * c.x);
        Ok(faces + 4.0 * PI * r * c.sum() + 4.0 * PI * r * r)
    }

    fn moments(&self) -> Result<Moments> {
        let (mut volume, mut second) = (0.0, Vec3::zeros());
        for part in 0..8usize {
            // The axes across which the ball adds; the part lies 2^count times about the core.
            let beyond = [0, 1, 2].map(|i| part >> i & 1 == 1);
            let count = part.count_ones() as usize;
            let [one, first, square] = self.rim(count);
            let places = f64::from(1u32 << count);
            let across = |i: usize| if beyond[i] { 1.0 } else { 2.0 * self.core[i] };
            let base = places * across(0) * across(1) * across(2);
            volume += base * one;
            for i in 0..3 {
                let c = self.core[i];
                second[i] += base
                    * match beyond[i] {
                        true => c * c * one + 2.0 * c * first + square,
                        false => one * c * c / 3.0,
                    };
            }
        }
        Ok(Moments::symmetric(volume, second))
    }
}

/// Points by their places, and the triangles between them.
#[derive(Default)]
struct Grid {
    points: Vec<Vec3>,
    known: HashMap<[u64; 3], u32>,
    triangles: Vec<[u32; 3]>,
}

impl Grid {
    fn vertex(&mut self, p: Vec3) -> u32 {
        // Zero of either sign is one place.
        let key = [p.x + 0.0, p.y + 0.0, p.z + 0.0].map(f64::to_bits);
        let next = self.points.len() as u32;
        *self.known.entry(key).or_insert_with(|| {
            self.points.push(p);
            next
        })
    }

    /// A convex polygon, of whose corners some may be the same.
    fn polygon(&mut self, corners: &[u32], reversed: bool) {
        let mut ring: Vec<u32> = corners.to_vec();
        ring.dedup();
        while ring.len() > 1 && ring.first() == ring.last() {
            ring.pop();
        }
        for k in 1..ring.len().saturating_sub(1) {
            let [a, b, c] = [ring[0], ring[k], ring[k + 1]];
            self.triangles.push(if reversed { [a, c, b] } else { [a, b, c] });
        }
    }
}

impl Support for Cuboid {
    #[inline]
    fn support(&self, n: &Vec3) -> f64 {
        self.core.dot(&n.abs()) + self.rounding * n.norm()
    }

    #[inline]
    fn support_point(&self, n: &Vec3) -> Vec3 {
        let (length, across) = (n.norm(), self.is_across(n));
        let ball = if length > 0.0 { self.rounding / length } else { 0.0 };
        Vec3::from_fn(|i, _| n[i] * ball + if across[i] { 0.0 } else { self.core[i].copysign(n[i]) })
    }

    fn face(&self, n: &Vec3) -> Face {
        let centre = self.support_point(n);
        let mut along = (0..3).filter(|&i| self.is_across(n)[i]).map(|i| Vec3::ith(i, self.core[i]));
        match (along.next(), along.next()) {
            (Some(u), Some(v)) => Face::Rectangle { centre, half: [u, v] },
            (Some(half), None) => Face::Segment { centre, half },
            _ => Face::Point(centre),
        }
    }

    fn kinks(&self) -> &[Kink] {
        const X: Vec3 = Vec3::new(1.0, 0.0, 0.0);
        const Y: Vec3 = Vec3::new(0.0, 1.0, 0.0);
        const Z: Vec3 = Vec3::new(0.0, 0.0, 1.0);
        const {
            &[
                Kink::Normal(X),
                Kink::Normal(Y),
                Kink::Normal(Z),
                Kink::Circle { axis: X, height: 0.0 },
                Kink::Circle { axis: Y, height: 0.0 },
                Kink::Circle { axis: Z, height: 0.0 },
            ]
        }
    }

    fn support_jet(&self, n: &Vec3) -> SupportJet {
        let length = n.norm();
        let unit = n / length;
        let mut hessian = (Mat3::identity() - unit * unit.transpose()) * (self.rounding / length);
        let flat = FLAT * self.extent() / length;
        for (i, across) in self.is_across(n).into_iter().enumerate() {
            hessian[(i, i)] += if across { flat } else { 0.0 };
        }
        SupportJet { value: self.support(n), point: self.support_point(n), hessian }
    }

    /// The jet without its matrix, for tangents of length one across n and across each other.
    fn support_block(&self, n: &Vec3, t: &Vec3, u: &Vec3) -> SupportBlock {
        let length = n.norm();
        let round = self.rounding / length;
        let flat = FLAT * self.extent() / length;
        let mut radii = [round, 0.0, round];
        for i in (0..3).filter(|&i| self.is_across(n)[i]) {
            let along = [t[i] * t[i], t[i] * u[i], u[i] * u[i]];
            radii = std::array::from_fn(|k| radii[k] + flat * along[k]);
        }
        SupportBlock { value: self.support(n), point: self.support_point(n), radii, determinant: None }
    }

    /// The flat parts, at normals of faces and edges, are held constant.
    fn support_third(&self, n: &Vec3, d: &Vec3) -> Mat3 {
        // d/dn of r (1/∣n∣ − nnᵀ/∣n∣³) along d.
        let length = n.norm();
        let (u, along) = (n / length, n.dot(d) / length);
        let turn = u * d.transpose();
        (u * u.transpose() * (3.0 * along) - Mat3::identity() * along - turn - turn.transpose())
            * (self.rounding / (length * length))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Volume and moments against those of the mesh, which closes in on the body with its chord error.
    #[test]
    fn area_and_moments_are_those_of_the_mesh() {
        for (size, rounding) in [([1.0, 0.7, 0.4], 0.0), ([1.0, 0.7, 0.4], 0.1), ([1.0, 0.4, 0.4], 0.2)] {
            let body = Cuboid::new(size, rounding).unwrap();
            let mesh = body.tessellate(2e-6).unwrap();
            let (own, its) = (body.moments().unwrap(), mesh.moments());
            assert!((own.volume - its.volume).abs() < 2e-5 * own.volume, "{size:?} {rounding}");
            assert!((own.second - its.second).norm() < 3e-5 * own.second.norm(), "{size:?} {rounding}");
            let area: f64 = mesh.area();
            assert!((body.area().unwrap() - area).abs() < 2e-5 * area, "{size:?} {rounding}");
        }
        let ball = Cuboid::new([0.6; 3], 0.3).unwrap().moments().unwrap();
        assert!((ball.volume - 4.0 / 3.0 * PI * 0.027).abs() < 1e-15);
        assert!((ball.second[(0, 0)] - ball.volume * 0.09 / 5.0).abs() < 1e-16);
    }

    #[test]
    fn a_box_with_true_edges_has_eight_corners_and_twelve_triangles() {
        let body = Cuboid::new([1.0, 2.0, 3.0], 0.0).unwrap();
        let mesh = body.tessellate(0.1).unwrap();
        assert_eq!((mesh.vertices().len(), mesh.triangles().len()), (8, 12));
        assert!(body.mesh().is_some() && Cuboid::new([1.0, 2.0, 3.0], 0.1).unwrap().mesh().is_none());
    }

    #[test]
    fn faces_edges_and_corners_are_told_apart() {
        let body = Cuboid::new([1.0, 2.0, 3.0], 0.2).unwrap();
        let at = |n: Vec3| body.curvature_at_normal(&n).unwrap().kappa;
        assert_eq!(at(Vec3::z()), [0.0, 0.0]);
        assert_eq!(at(Vec3::new(0.6, 0.0, 0.8)), [5.0, 0.0]);
        assert_eq!(at(Vec3::new(0.6, 1e-9, 0.8)), [5.0, 5.0]);
        let kappa = |p: Vec3| body.curvature_at(&p).unwrap().kappa;
        assert_eq!(kappa(Vec3::new(0.1, 0.2, 1.5)), [0.0, 0.0]);
        assert_eq!(kappa(Vec3::new(0.3 + 0.12, 0.0, 1.3 + 0.16)), [5.0, 0.0]);
        let sharp = Cuboid::new([1.0, 2.0, 3.0], 0.0).unwrap();
        assert_eq!(sharp.curvature_at_normal(&Vec3::new(0.6, 0.0, 0.8)).unwrap().kappa, [f64::INFINITY, 0.0]);
        assert_eq!(sharp.curvature_at(&Vec3::new(0.1, 0.2, 1.5)).unwrap().kappa, [0.0, 0.0]);
        assert!(sharp.curvature_at(&Vec3::new(0.5, 0.2, 1.5)).is_err());
        let Face::Rectangle { centre, half } = sharp.face(&-Vec3::x()) else { panic!("no rectangle") };
        assert_eq!((centre, half), (Vec3::new(-0.5, 0.0, 0.0), [Vec3::y(), Vec3::z() * 1.5]));
    }

    #[test]
    fn sizes_that_are_none_are_refused_by_field_and_value() {
        let error = |size: [f64; 3], rounding: f64| Cuboid::new(size, rounding).unwrap_err().to_string();
        assert!(error([1.0, 0.0, 1.0], 0.0).starts_with("size[1] = 0"));
        assert!(error([1.0, 0.5, 1.0], 0.3).starts_with("rounding = 0.3: must be between zero and half"));
        assert!(error([1.0; 3], -0.1).starts_with("rounding = -0.1"));
    }
}
