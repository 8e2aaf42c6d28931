//! The signed distance of a pair, proved, in double doubles.
//!
//! With h the support functions, R the rotation of B and r its place, A at the origin, every unit n gives a lower bound
//!
//!   gap ≥ f(n) = n·r − h_A(n) − h_B(−Rᵀn)
//!
//! of the greatest f, which is the signed distance. For an upper one let P = ∇h_A(n), Q = r + R∇h_B(−Rᵀn), and let s be
//! less than the sum of the least radii of curvature of both bodies (or zero). Then A and B are the parallel bodies, at
//! distances that add up to s, of smaller convex bodies A′ and B′ (Römer (48) and (50)), whose f is by s greater, and
//! whose points with the normals n and −n are apart by d′ = Q − P + s n. No f of convex bodies is above a distance of
//! two of their points:
//!
//!   gap ≤ ∣Q − P + s n∣ − s
//!
//! At a common normal Q − P = gap n, and both bounds are the gap: with s > −gap also under overlap, where no direction
//! at all parts the bodies by less. An error δ of n changes either bound by δ² alone, so that the normal of a double
//! gives some thirty digits of the gap. The bounds are evaluated in double doubles, whose rounding, 1e-30 of the
//! sizes, is far below what is claimed, [`WIDTH`].
//!
//! Support functions. An ellipsoid has h = ∣(a_i n_i)∣ and the least radius c²/a, c its least and a its longest
//! semi-axis. A superellipsoid with the exponents δ in the section and ε along z has the dual exponents δ/(δ − 1),
//! ε/(ε − 1) in the nested norms of (a n_x, b n_y) and c n_z; for exponents 2, 3 and 4 these are square and cube
//! roots. For it s = 0.

use crate::{Result, StudyError};
use rattleback_geom::Vec3;
use rattleback_geom::double_double::{DoubleDouble as Twice, dot, vector};

/// The greatest distance of the bounds of a gap that counts as known, in m; bodies are about 1 m.
pub const WIDTH: f64 = 1e-14;

/// A body of the benchmark: semi-axes in m, and the exponents δ and ε, from 2 to 4.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Body {
    /// a, b, c in m.
    pub semi_axes: [f64; 3],
    /// δ joins x and y, ε joins z; both 2 for an ellipsoid.
    pub exponents: [u32; 2],
}

impl Body {
    /// Whether it is an ellipsoid.
    pub fn is_ellipsoid(&self) -> bool {
        self.exponents == [2, 2]
    }

    /// A lower bound of its radii of curvature in m.
    pub fn least_radius(&self) -> f64 {
        let [a, b, c] = self.semi_axes;
        let (least, most) = (a.min(b).min(c), a.max(b).max(c));
        if self.is_ellipsoid() { least * least / most } else { 0.0 }
    }
}

type Triple = [Twice; 3];

/// A pair: A at the origin along the axes, B turned by a quaternion (w, x, y, z) of about length one, and moved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pair {
    /// The bodies A and B.
    pub bodies: [Body; 2],
    /// Where B is, in m.
    pub position: Vec3,
    /// How B is turned; the rotation is that of the quaternion divided by its length.
    pub quaternion: [f64; 4],
}

/// The bounds of a gap and where they were taken.
#[derive(Debug, Clone, Copy)]
pub struct Truth {
    /// The gap in m, as a sum of two doubles that is right to [`Truth::width`].
    pub gap: [f64; 2],
    /// The upper bound less the lower one, in m.
    pub width: f64,
    /// The normal from A to B.
    pub normal: Vec3,
    /// The points of A and of B.
    pub points: [Vec3; 2],
}

impl Truth {
    /// How far a gap is from the truth, in m.
    pub fn error_of(&self, gap: f64) -> f64 {
        ((gap - self.gap[0]) - self.gap[1]).abs()
    }
}

impl Pair {
    /// The gap, from the normal at which both bodies have theirs, to rounding; refused where its bounds do not close.
    pub fn truth(&self, normal: &Vec3) -> Result<Truth> {
        let n = unit(&vector(normal));
        let rotation = rotation(&self.quaternion);
        let m = [0, 1, 2].map(|k| -dot(&column(&rotation, k), &n));
        let [a, b] = &self.bodies;
        let ((h_a, p), (h_b, local)) = (support(a, &n), support(b, &m));
        let position = vector(&self.position);
        let q = [0, 1, 2].map(|i| position[i] + dot(&rotation[i], &local));
        let low = dot(&n, &position) - h_a - h_b;
        // Nearly what the radii allow; bodies that are well apart need none of it.
        let rest = a.least_radius() + b.least_radius();
        let moved = if low.value() > 0.1 * rest { 0.0 } else { 0.99 * rest };
        let s = Twice::from(moved);
        let d = [0, 1, 2].map(|i| q[i] - p[i] + s * n[i]);
        let high = length(&d) - s;
        let width = (high - low).value();
        if !(width.abs() <= WIDTH) {
            let field = "distance of the bounds of a gap";
            return Err(StudyError::OutOfRange { field, value: width, allowed: "below 1e-14 m" });
        }
        Ok(Truth {
            gap: low.parts(),
            width,
            normal: n.map(Twice::value).into(),
            points: [p.map(Twice::value).into(), q.map(Twice::value).into()],
        })
    }
}

/// h and ∇h of a body at a normal.
fn support(body: &Body, n: &Triple) -> (Twice, Triple) {
    let scaled: Triple = std::array::from_fn(|i| Twice::from(body.semi_axes[i]) * n[i]);
    let [delta, epsilon] = body.exponents;
    let (s, [x, y]) = norm([scaled[0], scaled[1]], delta);
    let (h, [along, z]) = norm([s, scaled[2]], epsilon);
    let slopes = [along * x, along * y, z];
    (h, std::array::from_fn(|i| Twice::from(body.semi_axes[i]) * slopes[i]))
}

/// The norm of two numbers that is dual to the exponent k, and its slopes: with u = ∣x∣^{1/(k−1)} and the norm N,
/// N^{k/(k−1)} = Σ∣x∣u, and ∂N/∂x = ±u/N^{1/(k−1)}.
fn norm(x: [Twice; 2], k: u32) -> (Twice, [Twice; 2]) {
    let zero = Twice::from(0.0);
    let size = x.map(|x| if x.value() < 0.0 { -x } else { x });
    let root = |x: Twice| match k {
        _ if x.value() == 0.0 => zero,
        2 => x,
        3 => x.sqrt(),
        _ => x.cbrt(),
    };
    let u = size.map(root);
    let sum = size[0] * u[0] + size[1] * u[1];
    if sum.value() == 0.0 {
        return (zero, [zero; 2]);
    }
    let whole = match k {
        2 => sum.sqrt(),
        3 => (sum * sum).cbrt(),
        _ => (sum * sum * sum).sqrt().sqrt(),
    };
    let share = root(whole);
    let slope = |i: usize| {
        let slope = u[i].over(share);
        if x[i].value() < 0.0 { -slope } else { slope }
    };
    (whole, [slope(0), slope(1)])
}

fn length(v: &Triple) -> Twice {
    dot(v, v).sqrt()
}

fn unit(v: &Triple) -> Triple {
    let size = length(v);
    v.map(|x| x.over(size))
}

/// The rows of the rotation of a quaternion of any length.
fn rotation(q: &[f64; 4]) -> [Triple; 3] {
    let [w, x, y, z] = q.map(Twice::from);
    let square = w * w + x * x + y * y + z * z;
    let (one, two) = (Twice::from(1.0), Twice::from(2.0));
    let part = |sum: Twice| (two * sum).over(square);
    [
        [one - part(y * y + z * z), part(x * y - w * z), part(x * z + w * y)],
        [part(x * y + w * z), one - part(x * x + z * z), part(y * z - w * x)],
        [part(x * z - w * y), part(y * z + w * x), one - part(x * x + y * y)],
    ]
}

fn column(m: &[Triple; 3], k: usize) -> Triple {
    [m[0][k], m[1][k], m[2][k]]
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use rattleback_geom::surface::{Superellipsoid, Support};

    #[test]
    fn support_functions_are_those_of_the_engine_and_points_are_their_slopes() {
        let n = Vec3::new(0.3, -0.8, 0.52);
        for exponents in [[2, 2], [3, 4], [4, 3], [2, 4], [3, 2]] {
            let body = Body { semi_axes: [0.7, 0.4, 0.9], exponents };
            let engine = Superellipsoid::new(body.semi_axes, exponents.map(f64::from)).unwrap();
            let (h, p) = support(&body, &vector(&n));
            assert!((h.value() - engine.support(&n)).abs() < 1e-15, "{exponents:?}");
            let point: Vec3 = p.map(Twice::value).into();
            assert!((point - engine.support_point(&n)).norm() < 1e-14, "{exponents:?}");
            // Homogeneous of degree one: n·∇h = h, to the digits of double doubles.
            assert!((dot(&vector(&n), &p) - h).value().abs() < 1e-30, "{exponents:?}");
        }
    }

    #[test]
    fn balls_have_their_distance_and_their_depth_and_a_wrong_normal_is_refused() {
        let ball = |radius: f64| Body { semi_axes: [radius; 3], exponents: [2, 2] };
        for (radius, gap) in [(0.25, 0.25), (0.5, 0.0), (0.75, -0.25)] {
            let pair = Pair {
                bodies: [ball(0.5), ball(radius)],
                position: Vec3::new(0.0, 0.6, 0.8),
                quaternion: [0.5, -0.5, 0.5, 0.5],
            };
            let truth = pair.truth(&pair.position).unwrap();
            // (0.6, 0.8) as doubles are 1 long to rounding.
            assert!(truth.error_of(gap) < 2e-16 && truth.width.abs() < 1e-30, "{truth:?}");
            let wrong = pair.truth(&Vec3::new(0.0, 0.6, 0.9)).unwrap_err().to_string();
            assert!(wrong.starts_with("distance of the bounds of a gap"), "{wrong}");
        }
    }
}
