//! The least depth of overlapping bodies by an expanding polytope (van den Bergen) that is its own proof.
//!
//! D = { p − q } is convex, H its support function; the least translation that parts the bodies is the radius of the
//! greatest ball about the origin in D. A closed surface of triangles whose corners are points of D and which winds
//! about the origin once is met by every ray from it; so if no triangle comes nearer than d, D holds the ball of radius
//! d, and every H(n) ≥ d. The nearest triangle, at its point d n, is asked for the point x of D farthest along n: the
//! least depth lies between d and H(n) = n·x, and the corners' mixture at d n is a pair of points without any part
//! across n. Where H(n) − d is too much, x becomes a corner.
//!
//! Nothing is assumed of shapes, nor that the surface is convex or free of folds:
//!
//! - It stays closed. The triangles V that x sees are replaced by those of x and the border of V, ∂V with every pair of
//!   opposite edges struck out, whatever V is.
//! - It goes on to wind about the origin once. It changes by the tetrahedra of x and a triangle of V; a direction m
//!   with m·a, m·b, m·c, m·x > 0 at its corners shows that a tetrahedron does not hold the origin, and only triangles
//!   of which that is seen are replaced.
//! - A triangle is as far as min(m·a, m·b, m·c) for any unit m; m is the direction of its nearest point, and what
//!   rounding does to it makes the bound less, not wrong.
//!
//! The surface begins as an octahedron about the origin whose corners need not be points of D. Where the nearest
//! triangle is farther than they are, none of them is left.
//!
//! On flat faces, edges and corners of either body the polytope soon is D itself; on curved parts triangles shrink
//! about the top as the roots of what is left. Only near a ridge, where the depth is almost alike along an arc, is it
//! slow: the arc is as long as many triangles. A ball that rolls inside both bodies is taken off, as
//! in [`super::prove`].

use super::bodies::Bodies;
use super::candidate::Candidate;
use super::climb::read;
use super::relative::Relative;
use super::simplex::Mixture;
use super::touch::{ROUNDING, TOLERANCE};
use rattleback_geom::Vec3;

/// What the bounds on the least depth may leave open, as a share of the size.
pub(crate) const OPEN: f64 = 0.25 * TOLERANCE;

/// Most corners that are asked for.
const MAX_CORNERS: usize = 1_500;

/// The first octahedron's corners are as far from the origin as this share of the depth.
const FIRST: f64 = 0.1;

/// No more of the depth than this is taken off as a rolling ball.
const MOST_PEELED: f64 = 0.9;

/// What became of a search.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Found {
    /// The least depth with its points, proved.
    Least(Candidate),
    /// A direction that parts the bodies by less than the first octahedron allows.
    Less(Vec3),
    /// Not found with the corners there may be.
    Open,
}

/// A point of D, and the points of A and B whose difference it is.
#[derive(Debug, Clone, Copy)]
struct Corner {
    x: Vec3,
    p: Vec3,
    q: Vec3,
}

#[derive(Debug, Clone, Copy)]
struct Triangle {
    corners: [usize; 3],
    /// Its unit normal and its height along it; of no length and infinite where it has no area.
    across: Vec3,
    height: f64,
    /// The unit direction of its nearest point, and how far its corners are along it at least.
    n: Vec3,
    distance: f64,
}

struct Polytope {
    corners: Vec<Corner>,
    triangles: Vec<Triangle>,
    /// Lengths below this are rounding.
    slack: f64,
}

/// The least depth, from a candidate's: bodies that roll balls of the given radii lose them first. Returns what was
/// found and the points that were asked for.
pub(crate) fn least_depth<P: Bodies>(
    bodies: &P,
    rel: &Relative,
    balls: [f64; 2],
    from: &Candidate,
) -> (Found, u32) {
    let small = OPEN * from.size;
    let ball = balls[0] + balls[1];
    let share = if ball > 0.0 { (MOST_PEELED * -from.f / ball).min(1.0) } else { 0.0 };
    let [ball_a, ball_b] = balls.map(|radius| radius * share);
    let depth = -from.f - ball_a - ball_b;
    let first = FIRST * depth;
    let mut polytope = Polytope::octahedron(first, ROUNDING * from.size);
    for spent in 1..=MAX_CORNERS as u32 {
        let Some((index, nearest)) = polytope.nearest() else { return (Found::Open, spent - 1) };
        let n = nearest.n;
        let [p, q] = bodies.points([&n, &-rel.in_b(&n)]);
        let (p, q) = (p - n * ball_a, rel.r + rel.in_a(&q) + n * ball_b);
        let x = p - q;
        let height = n.dot(&x);
        if height - nearest.distance <= small {
            if nearest.distance <= first {
                return (Found::Less(n), spent);
            }
            let (p, q) = polytope.points_at_nearest(&nearest);
            let margin = read(bodies, rel, &n).margin();
            let f = -(height + ball_a + ball_b);
            let least = Candidate { n, p: p + n * ball_a, q: q - n * ball_b, f, margin, size: from.size };
            return (Found::Least(least), spent);
        }
        if !polytope.expand(index, Corner { x, p, q }) {
            return (Found::Open, spent);
        }
    }
    (Found::Open, MAX_CORNERS as u32)
}

impl Polytope {
    fn octahedron(radius: f64, slack: f64) -> Self {
        let axis = |k: usize| Vec3::ith(k % 3, if k < 3 { radius } else { -radius });
        let corners = (0..6).map(|k| Corner { x: axis(k), p: axis(k), q: Vec3::zeros() }).collect();
        let mut polytope = Self { corners, triangles: Vec::with_capacity(512), slack };
        for octant in 0..8 {
            let [i, j, k] = [0, 1, 2].map(|axis| axis + 3 * (octant >> axis & 1));
            let odd = (octant as u32).count_ones() % 2 == 1;
            polytope.add(if odd { [i, k, j] } else { [i, j, k] });
        }
        polytope
    }

    fn add(&mut self, corners: [usize; 3]) {
        let points = corners.map(|i| self.corners[i].x);
        let [a, b, c] = points;
        let across = (b - a).cross(&(c - a)).try_normalize(0.0);
        let (across, height) = across.map_or((Vec3::zeros(), f64::INFINITY), |n| (n, n.dot(&a)));
        let nearest = Mixture::nearest(&points, |x| *x, 3).of(&points, |x| *x).try_normalize(0.0);
        // Of a triangle much larger than it is far its own normal is known better than its nearest point.
        let reach = |n: &Vec3| n.dot(&a).min(n.dot(&b)).min(n.dot(&c));
        let (own, other) = (reach(&across), nearest.map_or(f64::NEG_INFINITY, |n| reach(&n)));
        let (n, distance) = nearest.filter(|_| other > own).map_or((across, own), |n| (n, other));
        self.triangles.push(Triangle { corners, across, height, n, distance });
    }

    /// None where the surface meets the origin.
    fn nearest(&self) -> Option<(usize, Triangle)> {
        let all = self.triangles.iter().copied().enumerate();
        all.min_by(|a, b| a.1.distance.total_cmp(&b.1.distance)).filter(|(_, t)| t.distance > self.slack)
    }

    /// The points of A and B at the nearest point of a triangle.
    fn points_at_nearest(&self, triangle: &Triangle) -> (Vec3, Vec3) {
        let corners = triangle.corners.map(|i| self.corners[i]);
        let mixture = Mixture::nearest(&corners, |c| c.x, 3);
        (mixture.of(&corners, |c| c.p), mixture.of(&corners, |c| c.q))
    }

    /// Whether x is above a triangle by more than rounding, and the tetrahedron of both is seen not to hold the origin.
    fn sees(&self, triangle: &Triangle, x: &Vec3) -> bool {
        let Triangle { across, n, distance, .. } = triangle;
        if across.dot(x) <= triangle.height + self.slack {
            return false;
        }
        let least =
            |m: &Vec3| triangle.corners.iter().map(|i| m.dot(&self.corners[*i].x)).fold(m.dot(x), f64::min);
        distance.min(n.dot(x)) > self.slack || least(across) > self.slack
    }

    /// Takes up a corner that is farther along the normal of the triangle `asked` than this is. Whether it could.
    fn expand(&mut self, asked: usize, corner: Corner) -> bool {
        let Triangle { n, distance, .. } = self.triangles[asked];
        let new = self.corners.len();
        // By rounding triangles can fold over each other; a polytope of that many corners has no more of them.
        if !(n.dot(&corner.x) > distance) || self.triangles.len() > 2 * new {
            return false;
        }
        let mut border: Vec<[usize; 2]> = Vec::new();
        let mut kept = 0;
        for k in 0..self.triangles.len() {
            let triangle = self.triangles[k];
            if k == asked || self.sees(&triangle, &corner.x) {
                let [i, j, k] = triangle.corners;
                [[i, j], [j, k], [k, i]].into_iter().for_each(|edge| strike_out(&mut border, edge));
            } else {
                self.triangles[kept] = triangle;
                kept += 1;
            }
        }
        self.triangles.truncate(kept);
        self.corners.push(corner);
        border.into_iter().for_each(|[i, j]| self.add([i, j, new]));
        true
    }
}

/// Adds an edge to a border, or strikes out the opposite one.
fn strike_out(border: &mut Vec<[usize; 2]>, [i, j]: [usize; 2]) {
    match border.iter().position(|edge| *edge == [j, i]) {
        Some(k) => {
            border.swap_remove(k);
        }
        None => border.push([i, j]),
    }
}

#[cfg(test)]
mod tests {
    use super::super::bodies::Any;
    use super::super::climb::read;
    use super::*;
    use rattleback_geom::Pose;
    use rattleback_geom::nalgebra::UnitQuaternion;
    use rattleback_geom::surface::{Cuboid, Cylinder, Frustum, Shape, Sphere, Support};
    use rattleback_random::unit;

    fn least(a: &Shape, b: &Shape, b_at: &Pose, from: &Vec3) -> Option<Candidate> {
        let supports: [&dyn Support; 2] = [a, b].map(|s| s.surface().as_support().expect("a convex body"));
        let (bodies, rel) = (Any::new(supports, [a, b]), Relative::new(&Pose::identity(), b_at));
        let at = read(&bodies, &rel, &from.normalize());
        let size = at.p.norm() + (at.q - rel.r).norm() + at.f.abs();
        let from = Candidate { n: at.n, p: at.p, q: at.q, f: at.f, margin: at.margin(), size };
        match least_depth(&bodies, &rel, [0.0; 2], &from).0 {
            Found::Least(least) => Some(least),
            Found::Less(_) | Found::Open => None,
        }
    }

    fn shapes() -> [Shape; 3] {
        let cuboid = Cuboid::new([1.0, 0.6, 0.8], 0.0).expect("a box");
        let cylinder = Cylinder::new(0.3, 0.5).expect("a cylinder");
        let frustum = Frustum::new([0.4, 0.1], 0.9).expect("a frustum");
        [Shape::Cuboid(cuboid), Shape::Cylinder(cylinder), Shape::Frustum(frustum)]
    }

    #[test]
    fn boxes_and_cylinders_in_line_part_along_the_nearest_face_wherever_the_search_begins() {
        let [cuboid, cylinder, _] = shapes();
        let mut state = 7;
        let mut number = || 2.0 * unit(&mut state) - 1.0;
        for _ in 0..200 {
            let from = Vec3::new(number(), number(), number());
            let at = Vec3::new(0.4 * number(), 0.3 * number(), 0.4 * number());
            let place = Pose::new(at, UnitQuaternion::identity());
            let found = least(&cuboid, &cuboid, &place, &from).expect("proved");
            let depths = Vec3::new(1.0, 0.6, 0.8) - at.abs();
            assert!((-found.f - depths.min()).abs() < 1e-12 && found.is_closed(), "{at} {found:?}");
            let found = least(&cuboid, &cylinder, &place, &from).expect("proved");
            let depths = Vec3::new(0.8, 0.6, 0.9) - at.abs();
            assert!((-found.f - depths.min()).abs() < 1e-12 && found.is_closed(), "{at} {found:?}");
        }
    }

    #[test]
    fn no_direction_parts_turned_bodies_with_edges_by_less() {
        let all = shapes();
        let mut state = 11;
        let mut number = || 2.0 * unit(&mut state) - 1.0;
        for round in 0..60 {
            let (a, b) = (&all[round % 3], &all[round / 3 % 3]);
            let turn = UnitQuaternion::from_scaled_axis(Vec3::new(number(), number(), number()) * 3.0);
            let place = Pose::new(Vec3::new(number(), number(), number()) * 0.2, turn);
            let from = Vec3::new(number(), number(), number());
            let Some(found) = least(a, b, &place, &from) else { panic!("{a:?} {b:?} {place:?}: not proved") };
            assert!(found.is_closed());
            let [sa, sb] = [a, b].map(|s| s.surface().as_support().expect("a convex body"));
            for _ in 0..4_000 {
                let n = Vec3::new(number(), number(), number()).normalize();
                let height =
                    sa.support(&n) + sb.support(&-place.vector_to_local(&n)) - n.dot(&place.position);
                assert!(height >= -found.f - 1e-12, "{a:?} {b:?} {place:?}: {height} below {}", -found.f);
            }
        }
    }

    #[test]
    fn a_depth_alike_in_all_directions_is_left_open() {
        let ball = Shape::Sphere(Sphere::new(1.0).expect("a ball"));
        assert!(least(&ball, &ball, &Pose::identity(), &Vec3::x()).is_none());
    }
}
