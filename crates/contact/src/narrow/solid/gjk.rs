//! The distance of two convex sets by their farthest points: Gilbert, Johnson and Keerthi (1988).
//!
//! w = p − q with p of A and q of B lies in the difference A ⊖ B; v is the point nearest to zero of the simplex of up to four
//! such w. The unit vector n = −v/∣v∣ points from A to B, and the farthest points p along n, q along −n give the bound
//!
//! f(n) = n·(q − p) ≤ distance ≤ ∣v∣,
//!
//! which holds for every n, however n was found: the lower bound is proved, whatever the iteration does.

use rattleback_geom::Vec3;

/// Iterations after which the bounds are taken as they are.
const MOST: usize = 40;

/// A corner of the simplex.
#[derive(Debug, Clone, Copy)]
struct Corner {
    w: Vec3,
    p: Vec3,
    q: Vec3,
}

/// What is known of the distance of two convex sets.
#[derive(Debug, Clone, Copy)]
pub(super) struct Gap {
    /// The greatest f(n) seen; not above the distance.
    pub lower: f64,
    /// Its n, from A to B.
    pub n: Vec3,
    /// Points of both sets that are ∣v∣ apart.
    pub p: Vec3,
    pub q: Vec3,
    /// Whether the sets have a point in common, to rounding: p = q is one.
    pub crossing: bool,
    pub iterations: u32,
}

/// When to stop.
#[derive(Debug, Clone, Copy)]
pub(super) struct Enough {
    /// Lower bounds from here on are as good as infinite.
    pub lower: f64,
    /// So close may the bounds stay to each other, in m.
    pub slack: f64,
    /// Below this length v is zero, in m.
    pub zero: f64,
}

/// The distance of two sets, of which `farthest` gives the points p along n and q along −n.
pub(super) fn gjk(farthest: impl Fn(&Vec3) -> [Vec3; 2], first: &Vec3, enough: &Enough) -> Gap {
    let mut n = *first;
    let [p, q] = farthest(&n);
    let mut simplex = [Corner { w: p - q, p, q }; 4];
    let mut count = 1;
    let mut weights = [1.0, 0.0, 0.0, 0.0];
    let mut v = p - q;
    let mut out = Gap { lower: -n.dot(&v), n, p, q, crossing: false, iterations: 1 };
    while out.iterations < MOST as u32 {
        let length = v.norm();
        if out.lower >= enough.lower || length - out.lower <= enough.slack {
            break;
        }
        if length <= enough.zero {
            out.crossing = true;
            break;
        }
        n = v / -length;
        let [p, q] = farthest(&n);
        let w = p - q;
        out.iterations += 1;
        let f = -n.dot(&w);
        if f > out.lower {
            (out.lower, out.n) = (f, n);
        }
        if simplex[..count].iter().any(|c| c.w == w) {
            break;
        }
        simplex[count] = Corner { w, p, q };
        count += 1;
        let before = length;
        match nearest(&mut simplex, count) {
            None => {
                (count, weights) = (4, inside_weights(&simplex));
                out.crossing = true;
                break;
            }
            Some((kept, at)) => {
                (count, weights) = (kept, at);
                v = (0..count).map(|i| simplex[i].w * weights[i]).sum();
            }
        }
        if !(v.norm() < before) {
            break;
        }
    }
    out.p = (0..count).map(|i| simplex[i].p * weights[i]).sum();
    out.q = (0..count).map(|i| simplex[i].q * weights[i]).sum();
    out
}

/// Keeps the corners of the face nearest to zero, in front, with their weights; none where zero is inside four.
fn nearest(simplex: &mut [Corner; 4], count: usize) -> Option<(usize, [f64; 4])> {
    let w = simplex.map(|c| c.w);
    let (indices, kept, weights) = match count {
        2 => segment(&w, [0, 1]),
        3 => triangle(&w, [0, 1, 2]),
        _ => tetrahedron(&w)?,
    };
    let old = *simplex;
    for k in 0..kept {
        simplex[k] = old[indices[k]];
    }
    Some((kept, weights))
}

type Face = ([usize; 4], usize, [f64; 4]);

fn segment(w: &[Vec3; 4], [a, b]: [usize; 2]) -> Face {
    let ab = w[b] - w[a];
    let (along, square) = (-w[a].dot(&ab), ab.norm_squared());
    if !(along > 0.0) {
        return ([a, 0, 0, 0], 1, [1.0, 0.0, 0.0, 0.0]);
    }
    if along >= square {
        return ([b, 0, 0, 0], 1, [1.0, 0.0, 0.0, 0.0]);
    }
    let t = along / square;
    ([a, b, 0, 0], 2, [1.0 - t, t, 0.0, 0.0])
}

fn triangle(w: &[Vec3; 4], [a, b, c]: [usize; 3]) -> Face {
    let (ab, ac) = (w[b] - w[a], w[c] - w[a]);
    let normal = ab.cross(&ac);
    let square = normal.norm_squared();
    // Barycentric coordinates of the foot of zero.
    let area = |p: &Vec3, q: &Vec3| normal.dot(&p.cross(q)) / square;
    let (x, y, z) = (area(&w[b], &w[c]), area(&w[c], &w[a]), area(&w[a], &w[b]));
    if square > 0.0 && x > 0.0 && y > 0.0 && z > 0.0 {
        let sum = x + y + z;
        return ([a, b, c, 0], 3, [x / sum, y / sum, z / sum, 0.0]);
    }
    best(w, [segment(w, [a, b]), segment(w, [b, c]), segment(w, [c, a])])
}

fn best<const N: usize>(w: &[Vec3; 4], faces: [Face; N]) -> Face {
    let distance = |(indices, kept, weights): &Face| {
        (0..*kept).map(|k| w[indices[k]] * weights[k]).sum::<Vec3>().norm_squared()
    };
    let mut least = (f64::INFINITY, faces[0]);
    for face in faces {
        let d = distance(&face);
        if d < least.0 {
            least = (d, face);
        }
    }
    least.1
}

fn tetrahedron(w: &[Vec3; 4]) -> Option<Face> {
    let volume = (w[1] - w[0]).cross(&(w[2] - w[0])).dot(&(w[3] - w[0]));
    let mut faces = [([0; 4], 0, [0.0; 4]); 4];
    let mut outside = 0;
    for [a, b, c] in [[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]] {
        let normal = (w[b] - w[a]).cross(&(w[c] - w[a]));
        let opposite = 6 - a - b - c;
        let (zero, there) = (-normal.dot(&w[a]), normal.dot(&(w[opposite] - w[a])));
        if volume == 0.0 || !(zero * there > 0.0) {
            faces[outside] = triangle(w, [a, b, c]);
            outside += 1;
        }
    }
    match outside {
        0 => None,
        1 => Some(faces[0]),
        2 => Some(best(w, [faces[0], faces[1]])),
        3 => Some(best(w, [faces[0], faces[1], faces[2]])),
        _ => Some(best(w, faces)),
    }
}

/// The weights of zero in four corners that hold it.
fn inside_weights(simplex: &[Corner; 4]) -> [f64; 4] {
    let w = simplex.map(|c| c.w);
    let volume = |a: &Vec3, b: &Vec3, c: &Vec3| a.cross(b).dot(c);
    let parts = [
        volume(&w[1], &w[3], &w[2]).abs(),
        volume(&w[0], &w[2], &w[3]).abs(),
        volume(&w[0], &w[3], &w[1]).abs(),
        volume(&w[0], &w[1], &w[2]).abs(),
    ];
    let sum: f64 = parts.iter().sum();
    if sum > 0.0 { parts.map(|x| x / sum) } else { [0.25; 4] }
}
