//! Triangles with a normal at every corner: smooth where the surface is, with edges where it has them.
//!
//! The normal at a corner is the exact one where the surface has an implicit view and the triangle agrees with it, as
//! it does not on a cylinder's cap; otherwise the mean, weighted by angles, over those triangles at the vertex that lie
//! within the crease angle of the corner's own.

use rattleback_geom::curvature::tangents;
use rattleback_geom::surface::{Shape, Surface};
use rattleback_geom::{Aabb, Pose, Result, TriMesh, Vec3};
use std::f64::consts::TAU;

/// The chord error in diagonals of the bounds: half a pixel when the body fills a picture.
const CHORD: f64 = 1.0 / 1500.0;
/// The same in the shortest side of the bounds, so that thin bodies stay round, as long as that asks for no more than
/// so many diagonals.
const THIN_CHORD: f64 = 1.0 / 50.0;
const FINEST: f64 = 1.0 / 15_000.0;
/// The cosine of the angle beyond which two faces meet at an edge: 40 degrees.
const CREASE: f64 = 0.766;
/// Corners of a round stick.
const SIDES: usize = 20;

/// Triangles over points, with normals at their corners.
#[derive(Debug, Clone, Default)]
pub(super) struct Soup {
    /// How far the triangles may be from the surface, in m; zero where they are the surface themselves.
    pub(super) chord: f64,
    pub(super) points: Vec<Vec3>,
    pub(super) triangles: Vec<[u32; 3]>,
    pub(super) normals: Vec<[Vec3; 3]>,
}

impl Soup {
    /// The triangles of a bounded shape, `coarse` times as far from it as they could be.
    pub(super) fn of_shape(shape: &Shape, coarse: f64) -> Result<Self> {
        let surface = shape.surface();
        let bounds = surface.bounds();
        let diagonal = bounds.diagonal();
        let chord = (CHORD * diagonal).min(THIN_CHORD * bounds.extents().min()).max(FINEST * diagonal);
        let chord = if chord.is_finite() { coarse * chord } else { 1.0 };
        let mesh = surface.tessellate(chord)?;
        Ok(Self {
            chord: if matches!(shape, Shape::Mesh(_)) { 0.0 } else { chord },
            normals: normals(&mesh, surface),
            points: mesh.vertices().to_vec(),
            triangles: mesh.triangles().to_vec(),
        })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.triangles.is_empty()
    }

    /// Points that stand for all others in questions of extent.
    pub(super) fn hull(&self) -> Vec<Vec3> {
        let bounds = Aabb::of_points(&self.points);
        let mut hull = Vec::new();
        // A lattice of directions that covers the sphere evenly enough: 98 of them, opposite ones included.
        for k in 0..125 {
            let d = Vec3::new((k % 5) as f64, (k / 5 % 5) as f64, (k / 25) as f64).add_scalar(-2.0);
            if d.amax() < 2.0 {
                continue;
            }
            // In proportions of the box, so that a needle is not seen from its ends only.
            let d = d.component_div(&bounds.extents().map(|x| x.max(1e-9 * bounds.diagonal())));
            let farthest = |best: Option<(f64, Vec3)>, p: &Vec3| match best {
                Some((most, _)) if most >= p.dot(&d) => best,
                _ => Some((p.dot(&d), *p)),
            };
            hull.extend(self.points.iter().fold(None, farthest).map(|(_, p)| p));
        }
        hull
    }

    /// Adds a straight stick with round ends.
    pub(super) fn stick(&mut self, a: &Vec3, b: &Vec3, radius: f64) {
        self.ball(a, radius);
        self.ball(b, radius);
        if let Some(along) = (b - a).try_normalize(1e-12) {
            let (across, _) = tangents(&along);
            self.tube(&[(*a, along, across), (*b, along, across)], radius);
        }
    }

    /// Adds a coil about the line from a to b, of `turns` turns.
    pub(super) fn coil(&mut self, a: &Vec3, b: &Vec3, radius: f64, wire: f64, turns: usize) {
        let Some(axis) = (b - a).try_normalize(1e-12) else { return };
        let (x, y) = tangents(&axis);
        let steps = turns * SIDES;
        // Straight ends, so that the line is seen to end where it is held.
        let (start, end) = (a + (b - a) * 0.12, a + (b - a) * 0.88);
        self.stick(a, &start, wire);
        self.stick(&end, b, wire);
        let path: Vec<_> = (0..=steps)
            .map(|k| {
                let s = k as f64 / steps as f64;
                let (sin, cos) = (TAU * turns as f64 * s).sin_cos();
                let out = x * cos + y * sin;
                let around = (y * cos - x * sin) * (TAU * turns as f64 * radius);
                (start + (end - start) * s + out * radius, (around + (end - start)).normalize(), out)
            })
            .collect();
        self.tube(&path, wire);
        for (tip, (p, _, _)) in [(start, path[0]), (end, path[steps])] {
            self.stick(&tip, &p, wire);
        }
    }

    /// Adds a tube along points given with the tangent and a direction across it.
    fn tube(&mut self, path: &[(Vec3, Vec3, Vec3)], radius: f64) {
        let first = self.points.len() as u32;
        let around = |(along, across): (&Vec3, &Vec3), k: usize| {
            let (sin, cos) = (TAU * k as f64 / SIDES as f64).sin_cos();
            across * cos + along.cross(across) * sin
        };
        for (p, along, across) in path {
            self.points.extend((0..SIDES).map(|k| p + around((along, across), k) * radius));
        }
        let sides = SIDES as u32;
        for (i, pair) in path.windows(2).enumerate() {
            let normal = |j: usize, k: usize| around((&pair[j].1, &pair[j].2), k);
            for k in 0..SIDES {
                let n = (k + 1) % SIDES;
                let base = first + i as u32 * sides;
                let [a, b] = [base + k as u32, base + n as u32];
                self.push([a, b, b + sides], [normal(0, k), normal(0, n), normal(1, n)]);
                self.push([a, b + sides, a + sides], [normal(0, k), normal(1, n), normal(1, k)]);
            }
        }
    }

    /// Adds a ball.
    pub(super) fn ball(&mut self, centre: &Vec3, radius: f64) {
        let (rings, first) = (SIDES / 2, self.points.len() as u32);
        let direction = |i: usize, k: usize| {
            let (sin, cos) = (TAU * i as f64 / SIDES as f64).sin_cos();
            let (s, c) = (TAU * k as f64 / SIDES as f64).sin_cos();
            Vec3::new(sin * c, sin * s, cos)
        };
        for i in 0..=rings {
            self.points.extend((0..SIDES).map(|k| centre + direction(i, k) * radius));
        }
        for i in 0..rings {
            for k in 0..SIDES {
                let n = (k + 1) % SIDES;
                let at = |i: usize, k: usize| first + (i * SIDES + k) as u32;
                let corners = [(i, k), (i + 1, k), (i + 1, n), (i, n)];
                for [a, b, c] in [[0, 1, 2], [0, 2, 3]].map(|t| t.map(|j| corners[j])) {
                    let all = [a, b, c];
                    self.push(all.map(|(i, k)| at(i, k)), all.map(|(i, k)| direction(i, k)));
                }
            }
        }
    }

    fn push(&mut self, triangle: [u32; 3], normals: [Vec3; 3]) {
        self.triangles.push(triangle);
        self.normals.push(normals);
    }

    /// The normal of a triangle at a point of it, by the corners' normals; all in the soup's own frame.
    pub(super) fn normal_at(&self, triangle: usize, p: &Vec3) -> Vec3 {
        let [a, b, c] = self.triangles[triangle].map(|v| self.points[v as usize]);
        let across = (b - a).cross(&(c - a));
        let square = across.norm_squared();
        let [na, nb, nc] = &self.normals[triangle];
        let u = (p - a).cross(&(c - a)).dot(&across) / square;
        let v = (b - a).cross(&(p - a)).dot(&across) / square;
        let (u, v) = (u.clamp(0.0, 1.0), v.clamp(0.0, 1.0));
        let mean = na * (1.0 - u - v).max(0.0) + nb * u + nc * v;
        mean.try_normalize(0.0).unwrap_or(*na)
    }

    /// The points at a pose.
    pub(super) fn placed(&self, pose: &Pose) -> Vec<Vec3> {
        let rotation = pose.rotation();
        self.points.iter().map(|p| rotation * p + pose.position).collect()
    }
}

/// The normals at the corners of a mesh's triangles.
fn normals(mesh: &TriMesh, surface: &dyn Surface) -> Vec<[Vec3; 3]> {
    let faces: Vec<Vec3> = (0..mesh.triangles().len()).map(|t| mesh.normal(t)).collect();
    let mut around = vec![Vec::new(); mesh.vertices().len()];
    for (t, vertices) in mesh.triangles().iter().enumerate() {
        let corners = mesh.corners(t);
        for k in 0..3 {
            let angle = (corners[(k + 1) % 3] - corners[k]).angle(&(corners[(k + 2) % 3] - corners[k]));
            around[vertices[k] as usize].push((t, angle));
        }
    }
    let implicit = surface.as_implicit();
    let exact: Vec<Option<Vec3>> = mesh
        .vertices()
        .iter()
        .map(|p| implicit.and_then(|f| f.gradient(p).try_normalize(0.0)).filter(|n| n.norm() > 0.5))
        .collect();
    let corner = |t: usize, vertex: usize| {
        let own = faces[t];
        if let Some(n) = exact[vertex].filter(|n| n.dot(&own) > CREASE) {
            return n;
        }
        let near = around[vertex].iter().filter(|(other, _)| faces[*other].dot(&own) > CREASE);
        near.map(|(other, angle)| faces[*other] * *angle).sum::<Vec3>().try_normalize(0.0).unwrap_or(own)
    };
    mesh.triangles().iter().enumerate().map(|(t, v)| v.map(|v| corner(t, v as usize))).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use rattleback_geom::surface::{Cylinder, Ellipsoid, Torus};

    #[test]
    fn normals_of_smooth_bodies_are_exact_and_a_cylinder_keeps_its_edges() {
        let shape = Ellipsoid::new([0.3, 0.2, 0.1]).unwrap();
        let soup = Soup::of_shape(&shape.into(), 1.0).unwrap();
        for (t, normals) in soup.triangles.iter().zip(&soup.normals) {
            for (v, n) in t.iter().zip(normals) {
                let p = soup.points[*v as usize];
                let exact = Vec3::new(p.x / 0.09, p.y / 0.04, p.z / 0.01).normalize();
                assert!((n - exact).norm() < 1e-9);
            }
        }
        let soup = Soup::of_shape(&Cylinder::new(0.1, 0.2).unwrap().into(), 1.0).unwrap();
        for normals in &soup.normals {
            let caps = normals.iter().filter(|n| n.z.abs() > 0.99).count();
            let sides = normals.iter().filter(|n| n.z.abs() < 0.01).count();
            assert!(caps == 3 || sides == 3, "{normals:?}");
        }
    }

    #[test]
    fn the_hull_reaches_as_far_as_the_body() {
        let soup = Soup::of_shape(&Torus::new(1.0, 0.2).unwrap().into(), 1.0).unwrap();
        let all = Aabb::of_points(&soup.points);
        let few = Aabb::of_points(&soup.hull());
        assert!((all.max - few.max).amax() < 0.02 && (all.min - few.min).amax() < 0.02, "{few:?}");
    }

    #[test]
    fn sticks_and_coils_are_turned_outwards() {
        let mut soup = Soup::default();
        soup.stick(&Vec3::zeros(), &Vec3::new(0.0, 1.0, 1.0), 0.1);
        soup.coil(&Vec3::zeros(), &Vec3::new(3.0, 0.0, 0.0), 0.3, 0.05, 5);
        for (t, normals) in soup.triangles.iter().zip(&soup.normals) {
            let [a, b, c] = t.map(|v| soup.points[v as usize]);
            let face = (b - a).cross(&(c - a));
            // Poles of balls have triangles without area.
            assert!(
                face.norm() < 1e-12 || normals.iter().all(|n| n.dot(&face) > 0.0),
                "{face:?} {normals:?}"
            );
        }
    }
}
