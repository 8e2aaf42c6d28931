//! How far the two parts of an overlap reach along the contact plane's normal and along the faces that bound it.
//!
//! Moving A against a unit vector n by w(n) = max n·x over A inside B − min n·x over B inside A parts the two. Along
//! the normal n of the contact plane that is the depth of the paper. But where a box lies on the rim of another the
//! contour climbs from the lower face to the upper one, the plane is tilted with it, and A and B are deepest at
//! opposite ends: w(n) is twice the overlap. So w is also taken along the face of each body, of those that the contours
//! pass, that looks most along n, and the least of the three is the depth. The normal goes over to that of the face as
//! w along it falls from 0.8 to 0.55 of w(n): a box on a rim is pushed straight up.

use super::boxes::Placement;
use super::enclosed::EnclosureQuery;
use crate::region::measure::ramp;
use rattleback_geom::Vec3;

/// The cosine above which a face looks along the normal: faces farther away bound the overlap sideways.
const ALONG: f64 = 0.9;

/// The shares of w(n) between which the normal goes over to that of a face. On a rim the share is a half.
const SIDEWAYS: [f64; 2] = [0.55, 0.8];

/// How far A (the greatest n·x) and B (the least) reach along one direction.
#[derive(Debug, Clone, Copy)]
struct Reach {
    n: Vec3,
    /// The direction in the frame of A, and n·x of A's origin: n·x = own·x_A + shift.
    own: Vec3,
    shift: f64,
    far: [f64; 2],
    /// The farthest points in B's frame.
    deepest: [Vec3; 2],
}

impl Reach {
    fn new(n: Vec3, placement: &Placement) -> Self {
        let own = placement.rotation.tr_mul(&n);
        let far = [f64::NEG_INFINITY, f64::INFINITY];
        Self { n, own, shift: n.dot(&placement.shift), far, deepest: [Vec3::zeros(); 2] }
    }

    /// Takes a point of B's frame as one of a body.
    fn include_point(&mut self, body: usize, p: &Vec3) {
        let height = self.n.dot(p);
        if if body == 0 { height > self.far[0] } else { height < self.far[1] } {
            (self.far[body], self.deepest[body]) = (height, *p);
        }
    }

    /// Takes a vertex of a body in its own frame.
    #[inline(always)]
    fn include_vertex(&mut self, body: usize, p: &Vec3, placement: &Placement) {
        if body == 0 {
            let height = self.own.dot(p) + self.shift;
            if height > self.far[0] {
                (self.far[0], self.deepest[0]) = (height, placement.point(p));
            }
        } else {
            let height = self.n.dot(p);
            if height < self.far[1] {
                (self.far[1], self.deepest[1]) = (height, *p);
            }
        }
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
    /// Along the normal of the contact plane as printed, where that is asked for, and the plane's n·x.
    plane: Option<(Reach, f64)>,
}

/// What an [`Extent`] ends in.
pub(super) struct Depth {
    /// The unit normal, from A to B.
    pub normal: Vec3,
    /// The least width, in m.
    pub depth: f64,
    /// The farthest points of A and B, in B's frame.
    pub deepest: [Vec3; 2],
}

impl Extent {
    pub fn new(normal: Vec3, placement: &Placement) -> Self {
        Self { normal: Reach::new(normal, placement), faces: [None; 2], plane: None }
    }

    /// Measures the indentation beyond a plane as well.
    pub fn measure_beyond(&mut self, normal: Vec3, point: &Vec3, placement: &Placement) {
        self.plane = Some((Reach::new(normal, placement), normal.dot(point)));
    }

    /// How far A reaches beyond the plane along its normal, or B against it, whichever is more.
    pub fn indentation(&self) -> Option<f64> {
        self.plane.as_ref().map(|(reach, height)| (reach.far[0] - height).max(height - reach.far[1]).max(0.0))
    }

    /// Looks whether a triangle is the face that looks most along the normal.
    pub fn face(&mut self, question: &EnclosureQuery<'_>, triangle: u32) {
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

    fn each(&mut self) -> impl Iterator<Item = &mut Reach> {
        let others = self.faces.iter_mut().flatten().chain(&mut self.plane);
        std::iter::once(&mut self.normal).chain(others.map(|(reach, _)| reach))
    }

    /// Takes a point of a contour, in B's frame: it belongs to both.
    pub fn include_point(&mut self, p: &Vec3) {
        self.each().for_each(|reach| (0..2).for_each(|body| reach.include_point(body, p)));
    }

    /// Takes a vertex of a body that lies inside the other, in its own frame.
    #[inline]
    pub fn include_vertex(&mut self, question: &EnclosureQuery<'_>, p: &Vec3) {
        let (body, placement) = (question.body, question.placement);
        self.normal.include_vertex(body, p, placement);
        for (reach, _) in self.faces.iter_mut().flatten().chain(&mut self.plane) {
            reach.include_vertex(body, p, placement);
        }
    }

    /// The depth, and the normal along which it is measured.
    pub fn depth(&self) -> Depth {
        let own = self.normal.width();
        let faces = self.faces.iter().flatten().map(|(reach, _)| reach);
        let least = faces.fold(&self.normal, |a, b| if b.width() < a.width() { b } else { a });
        let share = 1.0 - ramp(least.width() / own, SIDEWAYS[0], SIDEWAYS[1]);
        // Widths of zero have no ratio; there the normal stays.
        let share = if own > 0.0 { share } else { 0.0 };
        let normal = (self.normal.n * (1.0 - share) + least.n * share).normalize();
        let deepest = if share > 0.5 { least.deepest } else { self.normal.deepest };
        Depth { normal, depth: least.width().max(0.0), deepest }
    }
}
