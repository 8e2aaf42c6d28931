//! Bodies by their support functions, h(n) = max n·x, with mathematics of their own.
//!
//! | body | h(n) |
//! |---|---|
//! | half-space n₀·x ≤ d | d at n = n₀, infinite elsewhere |
//! | sphere, ellipsoid | r∣n∣, ∣(a nₓ, b n_y, c n_z)∣ |
//! | superellipsoid | ‖(‖(a nₓ, b n_y)‖_q, c n_z)‖_p with 1/q + 1/δ = 1, 1/p + 1/ε = 1, each norm from its greater term |
//! | superquadric | min over λ > 0 of λ + λ Σ (γᵢ−1)(mᵢ/λγᵢ)^{qᵢ}, mᵢ = aᵢ∣nᵢ∣, 1/qᵢ + 1/γᵢ = 1 |
//! | rounded hull | max n·v over its points + r∣n∣ |
//! | cylinder, capsule | r hypot(nₓ, n_y) + l∣n_z∣, r∣n∣ + l∣n_z∣ |
//! | cone | max over both ends of rᵢ hypot(nₓ, n_y) ± l n_z |
//! | sum | Σ [hᵢ(SᵢRᵢᵀn) + xᵢ·n] + d∣n∣ |
//! | harmonics | see `harmonics.rs` |
//!
//! The superquadric's is the dual of max Σ mᵢξᵢ under Σ ξᵢ^γᵢ ≤ 1. Every λ gives an upper bound on h, and near the
//! minimum its error is that of λ squared. An h that is too great makes f too small: what is shown by f stays shown.

use crate::harmonics::Harmonics;
use crate::vector::{Quaternion, Rotation, Vector, along, cross, dot, length, minus, times, unit};

/// A convex body in its own frame, lengths in units of the scene.
#[derive(Debug, Clone)]
pub enum Body {
    /// The half-space normal·x ≤ offset, the normal of any length.
    Plane { normal: Vector, offset: f64 },
    /// A ball.
    Sphere { radius: f64 },
    /// An ellipsoid.
    Ellipsoid { axes: Vector },
    /// Barr's superellipsoid with the exponents [δ, ε].
    Superellipsoid { axes: Vector, exponents: [f64; 2] },
    /// A superquadric with three exponents.
    Superquadric { axes: Vector, exponents: Vector },
    /// A box of the given half lengths whose edges a ball rounds.
    Cuboid { half: Vector, rounding: f64 },
    /// The hull of balls about points.
    Hull { points: Vec<Vector>, rounding: f64 },
    /// A cylinder about z.
    Cylinder { radius: f64, half_length: f64 },
    /// A frustum about z from the radius at −half_height to that at half_height; a cone where one is zero.
    Frustum { radii: [f64; 2], half_height: f64 },
    /// A capsule about z.
    Capsule { radius: f64, half_length: f64 },
    /// A Minkowski sum.
    Sum { parts: Vec<Part>, offset: f64 },
    /// A series of spherical harmonics.
    Harmonics(Harmonics),
}

/// A summand: stretched along its own axes, turned, moved.
#[derive(Debug, Clone)]
pub struct Part {
    /// The body.
    pub body: Body,
    /// Where it is.
    pub position: Vector,
    /// How it is turned.
    pub quaternion: Quaternion,
    /// The same as a matrix.
    pub rotation: Rotation,
    /// Stretches.
    pub scale: Vector,
}

/// (∣x∣^q + ∣y∣^q)^(1/q).
#[inline]
pub fn norm2(x: f64, y: f64, q: f64) -> f64 {
    let (x, y) = (x.abs(), y.abs());
    let (greater, lesser) = if x > y { (x, y) } else { (y, x) };
    if lesser == 0.0 {
        return greater;
    }
    greater * (1.0 + (lesser / greater).powf(q)).powf(1.0 / q)
}

/// The conjugate exponent.
#[inline]
fn conjugate(exponent: f64) -> f64 {
    exponent / (exponent - 1.0)
}

fn signed(value: f64, like: f64) -> f64 {
    if like == 0.0 { 0.0 } else { value.copysign(like) }
}

/// ∣share∣^power with the share's sign, zero for zero.
fn signed_power(share: f64, power: f64) -> f64 {
    signed(share.abs().powf(power), share)
}

impl Body {
    /// h(n) for n of any length but zero.
    pub fn support(&self, n: &Vector) -> f64 {
        match self {
            Self::Plane { normal, offset } => match unit(normal) {
                Some(own) if length(&minus(n, &own)) < 1e-9 => *offset,
                _ => f64::INFINITY,
            },
            Self::Sphere { radius } => radius * length(n),
            Self::Ellipsoid { axes: [a, b, c] } => length(&[a * n[0], b * n[1], c * n[2]]),
            Self::Superellipsoid { axes: [a, b, c], exponents: [delta, epsilon] } => {
                let ring = norm2(a * n[0], b * n[1], conjugate(*delta));
                norm2(ring, c * n[2], conjugate(*epsilon))
            }
            Self::Superquadric { axes, exponents } => superquadric(axes, exponents, n).0,
            Self::Cuboid { half, rounding } => {
                (0..3).map(|i| (half[i] - rounding) * n[i].abs()).sum::<f64>() + rounding * length(n)
            }
            Self::Hull { points, rounding } => {
                points.iter().map(|v| dot(n, v)).fold(f64::NEG_INFINITY, f64::max) + rounding * length(n)
            }
            Self::Cylinder { radius, half_length } => radius * n[0].hypot(n[1]) + half_length * n[2].abs(),
            Self::Frustum { radii: [lower, upper], half_height } => {
                let ring = n[0].hypot(n[1]);
                (lower * ring - half_height * n[2]).max(upper * ring + half_height * n[2])
            }
            Self::Capsule { radius, half_length } => radius * length(n) + half_length * n[2].abs(),
            Self::Sum { parts, offset } => {
                parts.iter().map(|part| part.support(n)).sum::<f64>() + offset * length(n)
            }
            Self::Harmonics(series) => series.support(n),
        }
    }

    /// A point of the body with n·x = h(n), the middle of a face that has many.
    pub fn point(&self, n: &Vector) -> Vector {
        match self {
            Self::Plane { normal, offset } => unit(normal).map_or([0.0; 3], |own| times(*offset, &own)),
            Self::Sphere { radius } => times(radius / length(n), n),
            Self::Ellipsoid { axes } => {
                let m = [0, 1, 2].map(|i| axes[i] * n[i]);
                let h = length(&m);
                [0, 1, 2].map(|i| axes[i] * m[i] / h)
            }
            Self::Superellipsoid { axes: [a, b, c], exponents: [delta, epsilon] } => {
                let (q, p) = (conjugate(*delta), conjugate(*epsilon));
                let (x, y, z) = (a * n[0], b * n[1], c * n[2]);
                let ring = norm2(x, y, q);
                let h = norm2(ring, z, p);
                let out = signed_power(ring / h, p - 1.0);
                let in_ring = |t: f64| if ring > 0.0 { signed_power(t / ring, q - 1.0) } else { 0.0 };
                [a * out * in_ring(x), b * out * in_ring(y), c * signed_power(z / h, p - 1.0)]
            }
            Self::Superquadric { axes, exponents } => {
                let shares = superquadric(axes, exponents, n).1;
                [0, 1, 2].map(|i| signed(axes[i] * shares[i], n[i]))
            }
            Self::Cuboid { half, rounding } => {
                [0, 1, 2].map(|i| signed(half[i] - rounding, n[i]) + rounding * n[i] / length(n))
            }
            Self::Hull { points, rounding } => {
                let first = points.first().copied().unwrap_or_default();
                let farthest =
                    points.iter().fold(first, |far, v| if dot(n, v) > dot(n, &far) { *v } else { far });
                along(&farthest, rounding / length(n), n)
            }
            Self::Cylinder { radius, half_length } => {
                let ring = n[0].hypot(n[1]);
                let out = if ring > 0.0 { radius / ring } else { 0.0 };
                [out * n[0], out * n[1], signed(*half_length, n[2])]
            }
            Self::Frustum { radii: [lower, upper], half_height } => {
                let ring = n[0].hypot(n[1]);
                let heights = [lower * ring - half_height * n[2], upper * ring + half_height * n[2]];
                let (radius, z) = match heights[0].total_cmp(&heights[1]) {
                    std::cmp::Ordering::Greater => (*lower, -half_height),
                    std::cmp::Ordering::Less => (*upper, *half_height),
                    std::cmp::Ordering::Equal => (0.5 * (lower + upper), 0.0),
                };
                let out = if ring > 0.0 { radius / ring } else { 0.0 };
                [out * n[0], out * n[1], z]
            }
            Self::Capsule { radius, half_length } => {
                let out = radius / length(n);
                [out * n[0], out * n[1], out * n[2] + signed(*half_length, n[2])]
            }
            Self::Sum { parts, offset } => {
                let ball = times(offset / length(n), n);
                parts.iter().fold(ball, |sum, part| along(&sum, 1.0, &part.point(n)))
            }
            Self::Harmonics(series) => series.point(n),
        }
    }

    /// A radius about the origin that holds the body; for a half-space the distance of its plane.
    pub fn reach(&self) -> f64 {
        match self {
            Self::Plane { offset, .. } => offset.abs(),
            Self::Sphere { radius } => *radius,
            Self::Ellipsoid { axes } => axes.iter().fold(0.0, |m, a| a.max(m)),
            Self::Superellipsoid { axes, .. } | Self::Superquadric { axes, .. } => length(axes),
            Self::Cuboid { half, .. } => length(half),
            Self::Hull { points, rounding } => points.iter().map(length).fold(0.0, f64::max) + rounding,
            Self::Cylinder { radius, half_length } => radius.hypot(*half_length),
            Self::Frustum { radii: [lower, upper], half_height } => lower.max(*upper).hypot(*half_height),
            Self::Capsule { radius, half_length } => radius + half_length,
            Self::Sum { parts, offset } => parts.iter().map(|p| p.reach()).sum::<f64>() + offset.max(0.0),
            Self::Harmonics(series) => series.reach(),
        }
    }

    /// Axes of symmetry, of faces and of straight generators, in the body's frame.
    pub fn axes(&self) -> Vec<Vector> {
        match self {
            Self::Plane { .. } | Self::Sphere { .. } => Vec::new(),
            Self::Sum { parts, .. } => parts
                .iter()
                .flat_map(|part| part.body.axes().into_iter().map(|axis| part.rotation.out(&axis)))
                .collect(),
            Self::Hull { points, .. } => {
                let faces = supporting(points).into_iter();
                faces.chain(points.windows(2).filter_map(|w| unit(&minus(&w[1], &w[0])))).take(12).collect()
            }
            _ => vec![[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        }
    }

    /// Directions in which a point x, were it outside, would be seen to be: the gradient of an implicit function there,
    /// and x itself.
    pub fn outward(&self, x: &Vector) -> Vec<Vector> {
        let mut list = vec![*x];
        let greatest = |axes: &Vector| (0..3).map(|i| (x[i] / axes[i]).abs()).fold(0.0, f64::max);
        match self {
            Self::Plane { normal, .. } => list = vec![*normal],
            Self::Ellipsoid { axes } => list.push([0, 1, 2].map(|i| x[i] / axes[i] / axes[i])),
            Self::Superellipsoid { axes, exponents: [delta, epsilon] } => {
                let u = [0, 1, 2].map(|i| x[i] / axes[i]);
                let ring = norm2(u[0], u[1], *delta);
                let gauge = norm2(ring, u[2], *epsilon);
                let out = signed_power(ring / gauge, epsilon - 1.0);
                let d =
                    [u[0], u[1]].map(|t| if ring > 0.0 { signed_power(t / ring, delta - 1.0) } else { 0.0 });
                let along = signed_power(u[2] / gauge, epsilon - 1.0);
                list.push([out * d[0] / axes[0], out * d[1] / axes[1], along / axes[2]]);
            }
            Self::Superquadric { axes, exponents } => {
                let scale = greatest(axes).max(1.0);
                list.push([0, 1, 2].map(|i| {
                    exponents[i] * signed_power(x[i] / axes[i] / scale, exponents[i] - 1.0) / axes[i]
                }));
            }
            Self::Cuboid { half, rounding } => {
                (0..3).for_each(|i| list.push([0, 1, 2].map(|k| if k == i { x[i] } else { 0.0 })));
                list.push([0, 1, 2].map(|i| x[i] - x[i].clamp(rounding - half[i], half[i] - rounding)));
            }
            Self::Hull { points, .. } => {
                list.extend(supporting(points));
                for (k, a) in points.iter().enumerate() {
                    let arm = minus(x, a);
                    list.push(arm);
                    for b in &points[k + 1..] {
                        if let Some(e) = unit(&minus(b, a)) {
                            list.push(along(&arm, -dot(&e, &arm), &e));
                        }
                    }
                }
            }
            Self::Cylinder { radius, half_length } => {
                let (ring, over) = (x[0].hypot(x[1]), x[2].abs() - half_length);
                let out = (ring - radius).max(0.0) / ring.max(f64::MIN_POSITIVE);
                list.push([x[0], x[1], 0.0]);
                list.push([0.0, 0.0, x[2]]);
                list.push([out * x[0], out * x[1], signed(over.max(0.0), x[2])]);
            }
            Self::Frustum { radii: [lower, upper], half_height } => {
                let ring = x[0].hypot(x[1]).max(f64::MIN_POSITIVE);
                let out = |share: f64| [share * x[0] / ring, share * x[1] / ring];
                let ([a, b], slope) = (out(2.0 * half_height), lower - upper);
                list.push([a, b, slope]);
                list.push([0.0, 0.0, x[2]]);
                for (radius, z) in [(lower, -half_height), (upper, *half_height)] {
                    let [a, b] = out(ring - radius);
                    list.push([a, b, x[2] - z]);
                }
            }
            Self::Capsule { half_length, .. } => {
                list.push([x[0], x[1], x[2] - x[2].clamp(-half_length, *half_length)]);
            }
            Self::Sphere { .. } | Self::Sum { .. } | Self::Harmonics(_) => {}
        }
        list
    }
}

/// The outer normals of all planes through three points that have the others on one side.
fn supporting(points: &[Vector]) -> Vec<Vector> {
    let mut found = Vec::new();
    for (i, a) in points.iter().enumerate() {
        for (j, b) in points.iter().enumerate().skip(i + 1) {
            for c in &points[j + 1..] {
                let (u, v) = (minus(b, a), minus(c, a));
                let Some(n) = unit(&cross(&u, &v)) else { continue };
                let heights = points.iter().map(|p| dot(&n, &minus(p, a)));
                let (low, high) = heights.fold((0.0, 0.0), |(l, h): (f64, f64), z| (l.min(z), h.max(z)));
                let small = 1e-9 * (high - low);
                found.extend((high <= small).then_some(n));
                found.extend((low >= -small).then(|| times(-1.0, &n)));
            }
        }
    }
    found
}

impl Part {
    fn inner(&self, n: &Vector) -> Vector {
        let m = self.rotation.back(n);
        [0, 1, 2].map(|i| self.scale[i] * m[i])
    }

    fn support(&self, n: &Vector) -> f64 {
        self.body.support(&self.inner(n)) + dot(&self.position, n)
    }

    fn point(&self, n: &Vector) -> Vector {
        let x = self.body.point(&self.inner(n));
        along(&self.position, 1.0, &self.rotation.out(&[0, 1, 2].map(|i| self.scale[i] * x[i])))
    }

    fn reach(&self) -> f64 {
        length(&self.position) + self.body.reach() * self.scale.iter().fold(0.0, |m, s| s.abs().max(m))
    }
}

/// h(n) and the shares ξ of the semi-axes at its point.
///
/// In t = ln λ the logarithm of Σ (mᵢ/λγᵢ)^{qᵢ} falls and is convex; its root is kept between two ends, which Newton's
/// steps and bisections draw together.
fn superquadric(axes: &Vector, exponents: &Vector, n: &Vector) -> (f64, Vector) {
    let m = [0, 1, 2].map(|i| axes[i] * n[i].abs() / exponents[i]);
    let scale = m[0].max(m[1]).max(m[2]);
    let b = m.map(|x| (x / scale).ln());
    let q = exponents.map(conjugate);
    let (mut low, mut high) = (0.0, 3_f64.ln() / q[0].min(q[1]).min(q[2]));
    let mut t: f64 = 0.0;
    let terms = |t: f64| [0, 1, 2].map(|i| (q[i] * (b[i] - t)).exp());
    let mut at = terms(t);
    // Newton's steps double the digits: six are the usual, fifty a bound.
    for _ in 0..50 {
        let sum: f64 = at.iter().sum();
        let value = sum.ln();
        if value > 0.0 {
            low = t
        } else {
            high = t
        }
        let step = value * sum / (q[0] * at[0] + q[1] * at[1] + q[2] * at[2]);
        let next = if t + step >= low && t + step <= high { t + step } else { 0.5 * (low + high) };
        let still = (next - t).abs() <= 1e-15;
        t = next;
        at = terms(t);
        if still {
            break;
        }
    }
    let lambda = scale * t.exp();
    let dual = lambda * (1.0 + (0..3).map(|i| (exponents[i] - 1.0) * at[i]).sum::<f64>());
    (dual, [0, 1, 2].map(|i| at[i].powf(1.0 / exponents[i])))
}
