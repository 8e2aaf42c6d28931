//! Rays and segments against a mesh, without leaks between triangles.
//!
//! Woop, Benthin, Wald, "Watertight ray/triangle intersection", JCGT 2 (2013): vertices are sheared so that the ray
//! runs along the third axis; a triangle is hit when the three side functions E(a, b) = a_x b_y − a_y b_x have the same
//! sign; with w_a = E(b, c), … the distance is t = Σ w z/Σ w.
//!
//! Departure: the sign of E is exact. Rounding is monotone, so the rounded products differ in the right sense or are
//! equal, and when equal their rounding errors decide. A vanishing E is decided as if the ray were moved by (ε, ε²),
//! E → E + ε(a_y − b_y) + ε²(b_x − a_x), which turns its sign with the side's direction. A ray through an edge or a
//! vertex therefore crosses a closed mesh the right number of times, and every ray from outside an even number.
//! (A ray that runs along the rim of an open mesh may miss it.)

use super::tree::TreeNode;
use super::{Tree, TriMesh};
use crate::Vec3;
use crate::error::{GeomError, Result, direction, finite3};

/// Where a ray meets a triangle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// The triangle.
    pub triangle: usize,
    /// Distance from the origin of the ray, in metres.
    pub distance: f64,
    /// The point, in metres.
    pub point: Vec3,
    /// Whether the ray runs against the triangle's normal there, into the solid.
    pub entering: bool,
}

impl Tree {
    /// The first hit of the ray from `origin` along `along`.
    pub fn ray(&self, mesh: &TriMesh, origin: &Vec3, along: &Vec3) -> Result<Option<Hit>> {
        self.check(mesh)?;
        Ok(self.first(mesh, &Ray::new(origin, along)?, f64::INFINITY))
    }

    /// The first hit on the way from `from` to `to`.
    pub fn segment(&self, mesh: &TriMesh, from: &Vec3, to: &Vec3) -> Result<Option<Hit>> {
        self.check(mesh)?;
        let (from, to) = (finite3("from", from)?, finite3("to", to)?);
        let length = (to - from).norm();
        if !(length > 0.0 && length.is_finite()) {
            return Err(GeomError::OutOfRange {
                field: "to".to_owned(),
                value: length,
                allowed: "at a finite distance above zero from the other end".to_owned(),
            });
        }
        Ok(self.first(mesh, &Ray::new(&from, &(to - from))?, length))
    }

    /// Calls `visit` with every hit of the ray from `origin` along `along`, in no particular order.
    pub fn crossings(
        &self,
        mesh: &TriMesh,
        origin: &Vec3,
        along: &Vec3,
        mut visit: impl FnMut(Hit),
    ) -> Result<()> {
        self.check(mesh)?;
        let ray = Ray::new(origin, along)?;
        self.walk(
            |node| ray.enters(node),
            |t| {
                if let Some(hit) = ray.meet(mesh, t) {
                    visit(hit);
                }
                f64::INFINITY
            },
        );
        Ok(())
    }

    /// Whether `p` lies inside a closed mesh: the parity of a ray's crossings.
    pub fn contains(&self, mesh: &TriMesh, p: &Vec3) -> Result<bool> {
        let mut odd = false;
        self.crossings(mesh, p, &Vec3::z(), |_| odd = !odd)?;
        Ok(odd)
    }

    fn first(&self, mesh: &TriMesh, ray: &Ray, reach: f64) -> Option<Hit> {
        let mut best: Option<Hit> = None;
        let mut bound = reach;
        self.walk(
            |node| ray.enters(node).filter(|t| *t <= reach),
            |t| {
                if let Some(hit) = ray.meet(mesh, t)
                    && hit.distance <= bound
                    && best.is_none_or(|b| (hit.distance, hit.triangle) < (b.distance, b.triangle))
                {
                    bound = hit.distance;
                    best = Some(hit);
                }
                // Nodes at the very distance of the best hit are still of use: ties go to the lower triangle.
                bound.next_up()
            },
        );
        best
    }
}

struct Ray {
    origin: Vec3,
    direction: Vec3,
    inverse: Vec3,
    axes: [usize; 3],
    shear: [f64; 3],
}

impl Ray {
    fn new(origin: &Vec3, along: &Vec3) -> Result<Self> {
        let origin = finite3("origin", origin)?;
        let direction = direction("direction", along)?;
        let z = direction.iamax();
        let (mut x, mut y) = ((z + 1) % 3, (z + 2) % 3);
        // The axes stay right-handed about the ray, so that orientation is kept.
        if direction[z] < 0.0 {
            std::mem::swap(&mut x, &mut y);
        }
        let shear = [direction[x] / direction[z], direction[y] / direction[z], 1.0 / direction[z]];
        Ok(Self { origin, direction, inverse: direction.map(f64::recip), axes: [x, y, z], shear })
    }

    /// The distance at which the ray enters the node's box, or none where it misses it.
    ///
    /// Distances are widened by eight roundings: the slab makes three of them, the shear of the vertices four.
    #[inline]
    fn enters(&self, node: &TreeNode) -> Option<f64> {
        const SLACK: f64 = 8.0 * f64::EPSILON;
        let bounds = node.bounds();
        let (mut near, mut far) = (0.0f64, f64::INFINITY);
        for i in 0..3 {
            let (low, high) = (bounds.min[i] - self.origin[i], bounds.max[i] - self.origin[i]);
            if self.inverse[i].is_infinite() {
                if low > 0.0 || high < 0.0 {
                    return None;
                }
                continue;
            }
            let (a, b) = (low * self.inverse[i], high * self.inverse[i]);
            let (a, b) = (a.min(b), a.max(b));
            near = near.max(a - a.abs() * SLACK);
            far = far.min(b + b.abs() * SLACK);
        }
        (near <= far).then_some(near)
    }

    #[inline]
    fn sheared(&self, p: &Vec3) -> [f64; 3] {
        let q = p - self.origin;
        let [x, y, z] = self.axes;
        [q[x] - self.shear[0] * q[z], q[y] - self.shear[1] * q[z], q[z] * self.shear[2]]
    }

    fn meet(&self, mesh: &TriMesh, triangle: usize) -> Option<Hit> {
        let [a, b, c] = mesh.corners(triangle).map(|p| self.sheared(&p));
        let left = is_left(&a, &b);
        if is_left(&b, &c) != left || is_left(&c, &a) != left {
            return None;
        }
        let weights = [side(&b, &c), side(&c, &a), side(&a, &b)];
        let sum: f64 = weights.iter().sum();
        let distance = (weights[0] * a[2] + weights[1] * b[2] + weights[2] * c[2]) / sum;
        // A sum of zero, from products that all vanished, makes a NaN here.
        if !(distance >= 0.0 && distance.is_finite()) {
            return None;
        }
        let point = self.origin + self.direction * distance;
        Some(Hit { triangle, distance, point, entering: !left })
    }
}

#[inline]
fn side(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

/// Whether the ray, moved by (ε, ε²), passes on the left of the side from `a` to `b`.
#[inline]
fn is_left(a: &[f64; 3], b: &[f64; 3]) -> bool {
    let (p, q) = (a[0] * b[1], a[1] * b[0]);
    if p != q {
        return p > q;
    }
    let (ep, eq) = (a[0].mul_add(b[1], -p), a[1].mul_add(b[0], -q));
    if ep != eq {
        return ep > eq;
    }
    if a[1] != b[1] { a[1] > b[1] } else { b[0] > a[0] }
}
