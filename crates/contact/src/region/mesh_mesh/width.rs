//! How far the two parts of an overlap reach along the contact plane's normal and along the faces that bound it.
//!
//! Moving A against a unit vector n by w(n) = max n·x over A inside B − min n·x over B inside A parts the two. Along the
//! normal n of the contact plane that is the depth of the paper. But where a box lies on the rim of another the contour
//! climbs from the lower face to the upper one, the plane is tilted with it, and A and B are deepest at opposite ends: w(n) is twice
//! the overlap. So w is also taken along the face of each body, of those that the contours pass, that looks most along n, and
//! the least of the three is the depth.

use super::boxes::Placement;
use super::enclosed::Question;
use rattleback_geom::Vec3;

/// The cosine above which a face looks along the normal: faces farther away bound the overlap sideways.
const ALONG: f64 = 0.9;

/// How far A (the greatest n·x) and B (the least) reach along one direction.
#[derive(Debug, Clone, Copy)]
struct Reach {
    n: Vec3,
    /// The direction in the frame of A, and n·x of A's origin: n·x = own·x_A + shift.
    own: Vec3,
    shift: f64,
    far: [f64; 2],
}

impl Reach {
    fn new(n: Vec3, placement: &Placement) -> Self {
        let own = placement.rotation.tr_mul(&n);
        Self { n, own, shift: n.dot(&placement.shift), far: [f64::NEG_INFINITY, f64::INFINITY] }
    }

    /// Takes the height of a point of a body; says whether it is the farthest so far.
    #[inline(always)]
    fn take(&mut self, body: usize, height: f64) -> bool {
        let farther = if body == 0 { height > self.far[0] } else { height < self.far[1] };
        if farther {
            self.far[body] = height;
        }
        farther
    }

    #[inline(always)]
    fn height_of_vertex(&self, body: usize, p: &Vec3) -> f64 {
        if body == 0 { self.own.dot(p) + self.shift } else { self.n.dot(p) }
    }

    fn width(&self) -> f64 {
        self.far[0] - self.far[1]
    }
}

/// How far one region reaches.
#[derive(Debug, Clone)]
pub(super) struct Extent {
    normal: Reach,
    /// Along a face of A and one of B, with the cosine of the face and the normal.
    faces: [Option<(Reach, f64)>; 2],
    /// The farthest points along the normal, in B's frame.
    pub deepest: [Vec3; 2],
}

impl Extent {
    pub fn new(normal: Vec3, placement: &Placement) -> Self {
        Self { normal: Reach::new(normal, placement), faces: [None; 2], deepest: [Vec3::zeros(); 2] }
    }

    /// Looks whether a triangle is the face that looks most along the normal.
    pub fn face(&mut self, question: &Question<'_>, triangle: u32) {
        let body = question.body;
        let mesh = question.meshes[body].mesh();
        let [a, b, c] = mesh.triangles()[triangle as usize].map(|v| question.vertex(v));
        let area = (b - a).cross(&(c - a)) * if body == 0 { 1.0 } else { -1.0 };
        let Some(face) = area.try_normalize(f64::MIN_POSITIVE) else { return };
        let cosine = face.dot(&self.normal.n);
        let best = &mut self.faces[body];
        if cosine > best.map_or(ALONG, |(_, most)| most) {
            *best = Some((Reach::new(face, question.placement), cosine));
        }
    }

    /// Takes a point of a contour, in B's frame: it belongs to both.
    pub fn include_point(&mut self, p: &Vec3) {
        for body in 0..2 {
            let height = self.normal.n.dot(p);
            if self.normal.take(body, height) {
                self.deepest[body] = *p;
            }
            for (reach, _) in self.faces.iter_mut().flatten() {
                reach.take(body, reach.n.dot(p));
            }
        }
    }

    /// Takes a vertex of a body that lies inside the other, in its own frame.
    #[inline(always)]
    pub fn include_vertex(&mut self, question: &Question<'_>, p: &Vec3) {
        let body = question.body;
        if self.normal.take(body, self.normal.height_of_vertex(body, p)) {
            self.deepest[body] = if body == 0 { question.placement.point(p) } else { *p };
        }
        for (reach, _) in self.faces.iter_mut().flatten() {
            reach.take(body, reach.height_of_vertex(body, p));
        }
    }

    /// The least of the widths.
    pub fn depth(&self) -> f64 {
        let faces = self.faces.iter().flatten().map(|(reach, _)| reach.width());
        faces.fold(self.normal.width(), f64::min).max(0.0)
    }
}
