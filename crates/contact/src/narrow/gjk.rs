//! Closing the bounds on the distance of separate bodies without derivatives: Gilbert, Johnson and Keerthi's algorithm.
//!
//! E = { q − p } is convex and does not hold the origin; the distance is that of its nearest point y. A simplex of at most
//! four of its points has a nearest point y to the origin, which is a point of E and an upper bound ∣y∣; the support of E
//! along −y is a lower bound f(y/∣y∣) and the next corner. On polytopes and kinks the simplex ends on the face that holds the
//! answer; on curved parts each step shrinks it. Where a climb ends beside a kink that it cannot see, this does not.
//!
//! p and q are the same convex combinations of support points of A and of B: points of the bodies.

use super::bodies::Bodies;
use super::candidate::Candidate;
use super::climb::heights;
use super::relative::Relative;
use rattleback_geom::Vec3;

/// Most supports that are asked for.
const MOST_ITERATIONS: u32 = 300;

/// A point of E and where it comes from.
#[derive(Debug, Clone, Copy)]
struct Corner {
    y: Vec3,
    p: Vec3,
    q: Vec3,
}

/// Closes the bounds as far as they will, beginning with the candidate's normal. Returns what it came to and the
/// evaluations that were spent.
pub(crate) fn close<P: Bodies>(bodies: &P, rel: &Relative, from: &Candidate) -> (Candidate, u32) {
    let corner = |n: &Vec3| {
        let [p, q] = bodies.points([n, &-rel.in_b(n)]);
        let q = rel.r + rel.in_a(&q);
        Corner { y: q - p, p, q }
    };
    let mut best = *from;
    let mut simplex = vec![Corner { y: from.q - from.p, p: from.p, q: from.q }];
    let mut n = from.n;
    for spent in 1..=MOST_ITERATIONS {
        let next = corner(&n);
        let f = n.dot(&next.y);
        if f > best.f {
            (best.n, best.f) = (n, f);
        }
        simplex.push(next);
        let y = nearest_of(&mut simplex);
        let (p, q) = y.points;
        if (q - p).norm() < (best.q - best.p).norm() {
            (best.p, best.q) = (p, q);
        }
        let still = y.y.try_normalize(0.0);
        match still {
            Some(next) if !best.is_closed() && next != n => n = next,
            _ => return (opposite(bodies, rel, best), spent + 1),
        }
    }
    (opposite(bodies, rel, best), MOST_ITERATIONS + 1)
}

/// The candidate with the normal along its own points where the bounds are as close for it: points that are right to the root of
/// rounding across one normal are opposite each other along another, and f does not tell the two apart.
fn opposite<P: Bodies>(bodies: &P, rel: &Relative, best: Candidate) -> Candidate {
    let Some(n) = (best.q - best.p).try_normalize(0.0).filter(|_| !best.is_closed()) else { return best };
    let [f, _] = heights(bodies, rel, [&n, &n]);
    let other = Candidate { n, f, ..best };
    if f > 0.0 && other.is_closed() { other } else { best }
}

/// The point of a simplex nearest to the origin, as weights of its corners.
struct Nearest {
    y: Vec3,
    points: (Vec3, Vec3),
}

/// Reduces the simplex to the corners that its nearest point is made of.
fn nearest_of(simplex: &mut Vec<Corner>) -> Nearest {
    let mut best: Option<(f64, u32, [f64; 5])> = None;
    let count = simplex.len();
    // Every face is tried: 31 at most. The weights of a face's nearest point solve a small system; it counts where all of
    // them are positive.
    for subset in 1u32..1 << count {
        if subset.count_ones() > 4 {
            continue;
        }
        let Some(weights) = weights_of(simplex, subset) else { continue };
        let y = combine(simplex, &weights, |c| c.y);
        let length = y.norm_squared();
        if best.is_none_or(|b| length < b.0) {
            best = Some((length, subset, weights));
        }
    }
    let Some((_, subset, weights)) = best else {
        let last = simplex[count - 1];
        *simplex = vec![last];
        return Nearest { y: last.y, points: (last.p, last.q) };
    };
    let y = combine(simplex, &weights, |c| c.y);
    let points = (combine(simplex, &weights, |c| c.p), combine(simplex, &weights, |c| c.q));
    let mut k = 0;
    simplex.retain(|_| {
        k += 1;
        subset >> (k - 1) & 1 == 1
    });
    Nearest { y, points }
}

fn combine(simplex: &[Corner], weights: &[f64; 5], part: impl Fn(&Corner) -> Vec3) -> Vec3 {
    simplex.iter().zip(weights).map(|(c, w)| part(c) * *w).sum()
}

/// The weights of the point of a face that is nearest to the origin; none where it lies outside the face.
fn weights_of(simplex: &[Corner], subset: u32) -> Option<[f64; 5]> {
    let mut index = [0; 4];
    let mut count = 0;
    for k in 0..simplex.len() {
        if subset >> k & 1 == 1 {
            index[count] = k;
            count += 1;
        }
    }
    let mut weights = [0.0; 5];
    let o = simplex[index[0]].y;
    let e = |i: usize| simplex[index[i]].y - o;
    match count {
        1 => weights[index[0]] = 1.0,
        2 => {
            let u = e(1);
            let s = -o.dot(&u) / u.norm_squared();
            (weights[index[0]], weights[index[1]]) = (1.0 - s, s);
        }
        3 => {
            let (u, v) = (e(1), e(2));
            let n = u.cross(&v);
            let nn = n.norm_squared();
            let s = -o.cross(&v).dot(&n) / nn;
            let t = o.cross(&u).dot(&n) / nn;
            (weights[index[0]], weights[index[1]], weights[index[2]]) = (1.0 - s - t, s, t);
        }
        _ => {
            let (u, v, w) = (e(1), e(2), e(3));
            let det = u.cross(&v).dot(&w);
            let s = -o.cross(&v).dot(&w) / det;
            let t = -u.cross(&o).dot(&w) / det;
            let r = -u.cross(&v).dot(&o) / det;
            (weights[index[0]], weights[index[1]]) = (1.0 - s - t - r, s);
            (weights[index[2]], weights[index[3]]) = (t, r);
        }
    }
    let inside = index[..count].iter().all(|&k| weights[k] >= 0.0 && weights[k].is_finite());
    inside.then_some(weights)
}
