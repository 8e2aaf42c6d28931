//! Closing the points of overlapping bodies without derivatives: the expanding polytope algorithm (van den Bergen),
//! beside one top.
//!
//! With D = { p − q } and H its support function, a triangle of points of D with outer unit normal n and n·x = d has d
//! ≤ H(n), and where the foot d n of the origin lies in the triangle, the mixture of its corners that makes it is a
//! pair of points without any part across n. So the bounds of the triangle's own normal close as it shrinks: where H(n)
//! − d is too much, the point of D farthest along n becomes a corner, and the faces that it sees are replaced. On a
//! face that is almost flat, where the points of support move by much with the last digits of n, the polytope has
//! corners all over it and needs no digits of n at all.

use super::blend::enclosing;
use super::bodies::Bodies;
use super::candidate::Candidate;
use super::relative::Relative;
use super::touch::CLOSED;
use rattleback_geom::Vec3;

/// How far from the candidate's normal the first corners are asked for: the least that encloses its line will do.
const TILTS: [f64; 6] = [1e-12, 1e-10, 1e-8, 1e-6, 1e-4, 1e-2];

/// Most corners that are asked for.
const MAX_CORNERS: u32 = 1_000;

/// Points of A and B.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Points {
    pub p: Vec3,
    pub q: Vec3,
}

impl Points {
    fn x(&self) -> Vec3 {
        self.p - self.q
    }
}

/// A triangle of corners with its outer normal.
#[derive(Debug, Clone, Copy)]
struct Face {
    corners: [usize; 3],
    n: Vec3,
    /// n·x.
    d: f64,
}

/// The candidate with its bounds closed as far as they will, and the evaluations that were spent.
pub(crate) fn close<P: Bodies>(bodies: &P, rel: &Relative, from: &Candidate) -> (Candidate, u32) {
    let mut spent = 0;
    for tilt in TILTS {
        let (first, more) = enclosing(bodies, rel, from, tilt);
        spent += more;
        let Some(first) = first else { continue };
        let (next, more) = expand(bodies, rel, from, first);
        spent += more;
        if next.is_closed() {
            return (next, spent);
        }
    }
    (*from, spent)
}

fn expand<P: Bodies>(bodies: &P, rel: &Relative, from: &Candidate, first: [Points; 3]) -> (Candidate, u32) {
    let small = 0.25 * CLOSED * from.size;
    let mut corners = first.to_vec();
    let either_way = [[0, 1, 2], [0, 2, 1]].into_iter();
    let mut faces: Vec<Face> = either_way.filter_map(|order| face(&corners, order, &from.n)).collect();
    let mut best = *from;
    for spent in 0..MAX_CORNERS {
        // Of the whole polytope the nearest face would hold its foot; of a part of it another one may be nearer.
        let with_foot = faces.iter().filter(|f| foot(&corners, f, &f.n).is_some());
        let nearest = with_foot.min_by(|a, b| a.d.total_cmp(&b.d));
        let ahead = || faces.iter().find(|f| foot(&corners, f, &from.n).is_some());
        let Some(nearest) = nearest.or_else(ahead).copied() else { return (best, spent) };
        let [p, q] = bodies.points([&nearest.n, &-rel.in_b(&nearest.n)]);
        let next = Points { p, q: rel.r + rel.in_a(&q) };
        let height = nearest.n.dot(&next.x());
        if let Some(Points { p, q }) = foot(&corners, &nearest, &nearest.n) {
            let found = Candidate { n: nearest.n, p, q, f: -height, ..*from };
            if found.is_closed() && (!best.is_closed() || found.f > best.f) {
                best = found;
            }
        }
        if height - nearest.d <= small {
            return (best, spent + 1);
        }
        let seen = |f: &Face| f.n.dot(&next.x()) > f.d;
        let (visible, hidden): (Vec<Face>, Vec<Face>) = faces.iter().partition(|f| seen(f));
        faces = hidden;
        let edges: Vec<[usize; 2]> =
            visible.iter().flat_map(|f| [0, 1, 2].map(|i| [f.corners[i], f.corners[(i + 1) % 3]])).collect();
        // By rounding faces can fold over each other; a polytope of that many corners has no more faces.
        if faces.len() > 2 * corners.len() + 2 {
            return (best, spent + 1);
        }
        corners.push(next);
        let new = corners.len() - 1;
        for &[i, j] in edges.iter().filter(|&&[i, j]| !edges.contains(&[j, i])) {
            faces.extend(face(&corners, [i, j, new], &from.n));
        }
    }
    (best, MAX_CORNERS)
}

/// The triangle of three corners; none where it has no area, or its normal is not on the side of `out`: it then lies
/// under others.
fn face(corners: &[Points], [i, j, k]: [usize; 3], out: &Vec3) -> Option<Face> {
    let [a, b, c] = [i, j, k].map(|i| corners[i].x());
    let n = (b - a).cross(&(c - a)).try_normalize(0.0)?;
    (n.dot(out) > 0.0).then(|| Face { corners: [i, j, k], n, d: n.dot(&a) })
}

/// The points whose difference lies on the line through the origin along `way`; none where it misses the triangle.
fn foot(corners: &[Points], face: &Face, way: &Vec3) -> Option<Points> {
    let [i, j, k] = face.corners;
    let [a, b, c] = face.corners.map(|i| corners[i].x());
    let (u, v) = (b - a, c - a);
    let area = u.cross(&v).dot(way);
    let (s, t) = (-a.cross(&v).dot(way) / area, a.cross(&u).dot(way) / area);
    let inside = s >= 0.0 && t >= 0.0 && s + t <= 1.0;
    let mix = |part: fn(&Points) -> Vec3| {
        let [a, b, c] = [i, j, k].map(|i| part(&corners[i]));
        a + (b - a) * s + (c - a) * t
    };
    inside.then(|| Points { p: mix(|c| c.p), q: mix(|c| c.q) })
}
