//! Vectors, rotations and random numbers, written apart from those of the engine.

use std::f64::consts::TAU;

/// A vector or a point.
pub type Vector = [f64; 3];
/// A quaternion w, x, y, z.
pub type Quaternion = [f64; 4];

/// a·b.
#[inline]
pub fn dot(a: &Vector, b: &Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// a × b.
pub fn cross(a: &Vector, b: &Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// a + s b.
#[inline]
pub fn along(a: &Vector, s: f64, b: &Vector) -> Vector {
    [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]]
}

/// a − b.
#[inline]
pub fn minus(a: &Vector, b: &Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// s a.
#[inline]
pub fn times(s: f64, a: &Vector) -> Vector {
    [s * a[0], s * a[1], s * a[2]]
}

/// ∣a∣, for lengths near one.
#[inline]
pub fn length(a: &Vector) -> f64 {
    dot(a, a).sqrt()
}

/// a/∣a∣; none where a has no direction.
#[inline]
pub fn unit(a: &Vector) -> Option<Vector> {
    let greatest = a[0].abs().max(a[1].abs()).max(a[2].abs());
    if !(greatest > 0.0 && greatest.is_finite()) {
        return None;
    }
    let a = times(1.0 / greatest, a);
    Some(times(1.0 / length(&a), &a))
}

/// Two unit vectors across the unit vector n, the first one across `axis` too where that says anything.
pub fn tangents(n: &Vector, axis: &Vector) -> [Vector; 2] {
    let least = (0..3).min_by(|&i, &j| n[i].abs().total_cmp(&n[j].abs())).unwrap_or(0);
    let mut other = [0.0; 3];
    other[least] = 1.0;
    let c = cross(axis, n);
    let t = if dot(&c, &c) > 1e-12 { unit(&c) } else { unit(&cross(&other, n)) }.unwrap_or(other);
    [t, cross(n, &t)]
}

/// A rotation from a body's axes to those of the world, by rows.
#[derive(Debug, Clone, Copy)]
pub struct Rotation([Vector; 3]);

impl Rotation {
    /// The rotation of a quaternion of any length but zero.
    pub fn new(q: &Quaternion) -> Self {
        let [w, x, y, z] = *q;
        let s = 2.0 / (w * w + x * x + y * y + z * z);
        Self([
            [1.0 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)],
            [s * (x * y + w * z), 1.0 - s * (x * x + z * z), s * (y * z - w * x)],
            [s * (x * z - w * y), s * (y * z + w * x), 1.0 - s * (x * x + y * y)],
        ])
    }

    /// From the body to the world.
    #[inline]
    pub fn out(&self, v: &Vector) -> Vector {
        [dot(&self.0[0], v), dot(&self.0[1], v), dot(&self.0[2], v)]
    }

    /// From the world to the body.
    #[inline]
    pub fn back(&self, v: &Vector) -> Vector {
        let m = &self.0;
        [0, 1, 2].map(|j| m[0][j] * v[0] + m[1][j] * v[1] + m[2][j] * v[2])
    }

    /// The body's axis `i` in the world.
    pub fn axis(&self, i: usize) -> Vector {
        [self.0[0][i], self.0[1][i], self.0[2][i]]
    }
}

/// The turn p after the turn q.
pub fn after(p: &Quaternion, q: &Quaternion) -> Quaternion {
    let ([a, b, c, d], [w, x, y, z]) = (*p, *q);
    [
        a * w - b * x - c * y - d * z,
        a * x + b * w + c * z - d * y,
        a * y - b * z + c * w + d * x,
        a * z + b * y - c * x + d * w,
    ]
}

/// The turn by `angle` about a unit vector.
pub fn turn(axis: &Vector, angle: f64) -> Quaternion {
    let (s, c) = (0.5 * angle).sin_cos();
    [c, s * axis[0], s * axis[1], s * axis[2]]
}

/// SplitMix64 (Steele, Lea and Flood 2014).
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// The numbers of a seed and a stream.
    pub fn new(seed: u64, stream: u64) -> Self {
        let mut random = Self(seed ^ stream.wrapping_mul(0xd6e8_feb8_6659_fd93));
        random.0 = random.bits();
        random
    }

    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Between 0 and 1.
    pub fn share(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Between two numbers.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.share()
    }

    /// Between 10^low and 10^high, the logarithm uniform.
    pub fn power(&mut self, low: f64, high: f64) -> f64 {
        10_f64.powf(self.between(low, high))
    }

    /// Below `count`.
    pub fn below(&mut self, count: usize) -> usize {
        (self.bits() % count as u64) as usize
    }

    /// True in this share of the cases.
    pub fn chance(&mut self, share: f64) -> bool {
        self.share() < share
    }

    /// One of a list.
    pub fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    /// One or minus one.
    pub fn sign(&mut self) -> f64 {
        if self.chance(0.5) { 1.0 } else { -1.0 }
    }

    /// Uniform on the unit sphere.
    pub fn direction(&mut self) -> Vector {
        let (z, angle) = (self.between(-1.0, 1.0), self.between(0.0, TAU));
        let s = (1.0 - z * z).sqrt();
        [s * angle.cos(), s * angle.sin(), z]
    }

    /// Uniform among the rotations (Shoemake 1992).
    pub fn quaternion(&mut self) -> Quaternion {
        let (u, a, b) = (self.share(), self.between(0.0, TAU), self.between(0.0, TAU));
        let (s, c) = ((1.0 - u).sqrt(), u.sqrt());
        [s * a.sin(), s * a.cos(), c * b.sin(), c * b.cos()]
    }
}
