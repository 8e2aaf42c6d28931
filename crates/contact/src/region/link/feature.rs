//! Which directions stand out of a mesh at its sides and corners.
//!
//! The distance from a point c to a mesh has a local minimum at a point p of a side or a corner where w = c − p leans
//! into none of the faces there: w·f ≤ 0 for the vectors f from p into these faces. On a side shared by two faces with
//! the vectors f₁, f₂ across it into them these w lie between the two normals; the side is convex where n₁·f₂ < 0, and
//! only then they are outside the solid. On a corner w·e ≤ 0 for all edges e of its ring.

use rattleback_geom::Vec3;
use rattleback_geom::surface::Mesh;

/// How far a direction may lean into a face and still count as upright, as a sine: above the rounding of normals of
/// needles.
const LEAN: f64 = 1e-9;

/// A side is flat, and a bar lies on its faces and not on the side, where they are inclined by less than this angle in
/// rad. It is the noise in normals of a mesh whose corners were rounded to single precision; over a length l its
/// neglect costs l/4 of it in depth.
const FLAT: f64 = 1e-5;

/// No ring of triangles about a corner is longer; a walk that does not come back ends here.
const LONGEST_RING: usize = 1 << 16;

/// The two faces of a side.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ridge {
    /// Unit vectors across the side into its faces.
    pub(super) into: [Vec3; 2],
    /// Their unit normals.
    pub(super) normals: [Vec3; 2],
    /// The sum of their normals, outwards.
    pub(super) outward: Vec3,
    convex: bool,
}

impl Ridge {
    /// Side k of a triangle; none where no other triangle shares it.
    pub(super) fn new(mesh: &Mesh, triangle: usize, k: usize) -> Option<Self> {
        let other = mesh.topology().neighbours(triangle)[k]?;
        let corners = mesh.mesh().corners(triangle);
        let along = (corners[(k + 1) % 3] - corners[k]).normalize();
        let normals = [mesh.mesh().normal(triangle), mesh.mesh().normal(other)];
        // Counter-clockwise about its normal a face lies on the left of its side.
        let into = [normals[0].cross(&along), along.cross(&normals[1])];
        let convex = normals[0].dot(&into[1]) < -FLAT;
        Some(Self { into, normals, outward: normals[0] + normals[1], convex })
    }

    /// Whether its faces fall away from each other by more than noise.
    pub(super) fn is_convex(&self) -> bool {
        self.convex
    }

    /// To which share a bar with the upright vector `w`, perpendicular to it and to the side, lies on face `m` up to
    /// the side: all of it where `w` is the face's normal, nothing where it leans into the face by the angle between
    /// the two faces. None where `w` stands.
    pub(super) fn carries(&self, m: usize, w: &Vec3) -> Option<f64> {
        let (lean, up) = (w.dot(&self.into[m]), w.dot(&self.normals[m]));
        if lean <= LEAN {
            return None;
        }
        let [a, b] = &self.normals;
        let angle = a.cross(b).norm().atan2(a.dot(b));
        Some(1.0 - lean.atan2(up) / angle).filter(|share| *share > 0.0)
    }

    /// Whether a vector leans into none of its faces.
    pub(super) fn stands(&self, w: &Vec3) -> bool {
        let most = LEAN * w.norm();
        self.into.iter().all(|f| w.dot(f) <= most)
    }
}

/// Calls `visit` with the far ends of the two edges of every triangle about corner k of `triangle`, one after the
/// other around, and the triangle's number.
fn around(mesh: &Mesh, triangle: usize, k: usize, mut visit: impl FnMut(usize, &Vec3, &Vec3)) {
    let (triangles, vertices) = (mesh.mesh().triangles(), mesh.mesh().vertices());
    let vertex = triangles[triangle][k];
    let topology = mesh.topology();
    let mut t = triangle;
    for _ in 0..LONGEST_RING {
        let Some(corner) = triangles[t].iter().position(|v| *v == vertex) else { return };
        let [b, c] = [1, 2].map(|i| &vertices[triangles[t][(corner + i) % 3] as usize]);
        visit(t, b, c);
        // The next one lies across the side that ends in the corner.
        match topology.neighbours(t)[(corner + 2) % 3] {
            Some(next) if next != triangle => t = next,
            _ => return,
        }
    }
}

/// What stands at a corner.
#[derive(Debug, Clone, Copy)]
pub(super) struct Peak<'a> {
    mesh: &'a Mesh,
    triangle: usize,
    k: usize,
}

impl<'a> Peak<'a> {
    /// Corner k of a triangle.
    pub(super) fn new(mesh: &'a Mesh, triangle: usize, k: usize) -> Self {
        Self { mesh, triangle, k }
    }

    fn point(&self) -> Vec3 {
        self.mesh.mesh().corners(self.triangle)[self.k]
    }

    /// Whether the triangle has the lowest number of all at the corner, and a vector `w` leans into none of them.
    pub(super) fn stands(&self, w: &Vec3) -> bool {
        let (p, most) = (self.point(), LEAN * w.norm());
        let mut holds = true;
        around(self.mesh, self.triangle, self.k, |t, b, _| {
            let edge = b - p;
            holds &= t >= self.triangle && w.dot(&edge) <= most * edge.norm();
        });
        holds
    }

    /// A vector out of the solid: the sum of the faces' normals weighted by their angles at the corner.
    pub(super) fn outward(&self) -> Vec3 {
        let p = self.point();
        let mut sum = Vec3::zeros();
        around(self.mesh, self.triangle, self.k, |_, b, c| {
            let [b, c] = [(b - p).normalize(), (c - p).normalize()];
            let area = b.cross(&c);
            sum += area.try_normalize(0.0).unwrap_or_default() * area.norm().atan2(b.dot(&c));
        });
        sum
    }

    /// Whether the surface falls from the corner, as seen along the unit vector `w`, in at least one of both
    /// directions of `tangent`, which is perpendicular to `w`. On a flat face and along the crest of a ridge it does
    /// not.
    pub(super) fn falls(&self, w: &Vec3, tangent: &Vec3) -> bool {
        let (p, across) = (self.point(), w.cross(tangent));
        let mut falls = false;
        around(self.mesh, self.triangle, self.k, |_, b, c| {
            let [b, c] = [b - p, c - p];
            let flat = |e: &Vec3| [e.dot(tangent), e.dot(&across)];
            let ([bx, by], [cx, cy]) = (flat(&b), flat(&c));
            let det = bx * cy - by * cx;
            for sign in [1.0, -1.0] {
                // ±tangent = β b + γ c in the plane across w.
                let (beta, gamma) = (sign * cy / det, -sign * by / det);
                if beta >= 0.0 && gamma >= 0.0 {
                    falls |= beta * b.dot(w) + gamma * c.dot(w) < -FLAT;
                }
            }
        });
        falls
    }
}

/// The height of a point over a face with the unit normal `n`, and its foot; none where the foot lies outside the face.
pub(super) fn foot(p: &Vec3, [a, b, c]: &[Vec3; 3], n: &Vec3) -> Option<(f64, Vec3)> {
    let height = (p - a).dot(n);
    let foot = p - n * height;
    // Twice the areas of the three parts, along the normal.
    let inside = [[a, b], [b, c], [c, a]].iter().all(|[p, q]| {
        let side = *q - *p;
        let off = foot - *p;
        side.cross(&off).dot(n) >= -LEAN * side.norm() * (side.norm() + off.norm())
    });
    inside.then_some((height, foot))
}
