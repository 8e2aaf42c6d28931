//! Kinds of bodies, and random bodies of each kind.

use crate::body::{Body, Part};
use crate::harmonics::{DEGREE, Harmonics};
use crate::vector::{Quaternion, Random, Rotation, Vector, length, times};
use std::f64::consts::PI;

/// A kind of body with a support function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Plane,
    Sphere,
    Ellipsoid,
    Superellipsoid,
    Superquadric,
    Cuboid,
    Hull,
    Cylinder,
    Frustum,
    Capsule,
    Sum,
    Harmonics,
}

/// All of them.
pub const KINDS: [Kind; 12] = [
    Kind::Plane,
    Kind::Sphere,
    Kind::Ellipsoid,
    Kind::Superellipsoid,
    Kind::Superquadric,
    Kind::Cuboid,
    Kind::Hull,
    Kind::Cylinder,
    Kind::Frustum,
    Kind::Capsule,
    Kind::Sum,
    Kind::Harmonics,
];

/// The exponents that people write, and the ends of what is accepted.
const EXPONENTS: [f64; 11] = [1.05, 1.1, 1.3, 1.5, 2.0, 2.5, 4.0, 8.0, 10.0, 20.0, 50.0];

impl Kind {
    /// As shape files name it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Plane => "plane",
            Self::Sphere => "sphere",
            Self::Ellipsoid => "ellipsoid",
            Self::Superellipsoid => "superellipsoid",
            Self::Superquadric => "superquadric",
            Self::Cuboid => "box",
            Self::Hull => "hull",
            Self::Cylinder => "cylinder",
            Self::Frustum => "cone",
            Self::Capsule => "capsule",
            Self::Sum => "sum",
            Self::Harmonics => "harmonics",
        }
    }

    /// Whether a body of it takes long to make, so that pairs share some.
    pub fn is_costly(self) -> bool {
        matches!(self, Self::Sum | Self::Harmonics)
    }

    /// A random body of about the given size.
    pub fn body(self, random: &mut Random, size: f64) -> Body {
        let axes = |random: &mut Random| axes(random, size);
        match self {
            Self::Plane => {
                let normal = if random.chance(0.4) {
                    random.of(&[[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.6, 0.0, 0.8]])
                } else {
                    times(random.power(-2.0, 2.0), &random.direction())
                };
                let offset = if random.chance(0.5) { 0.0 } else { random.between(-3.0, 3.0) * size };
                Body::Plane { normal, offset }
            }
            Self::Sphere => Body::Sphere { radius: size },
            Self::Ellipsoid => Body::Ellipsoid { axes: axes(random) },
            Self::Superellipsoid => {
                Body::Superellipsoid { axes: axes(random), exponents: [exponent(random), exponent(random)] }
            }
            Self::Superquadric => {
                let exponents = [exponent(random), exponent(random), exponent(random)];
                Body::Superquadric { axes: axes(random), exponents }
            }
            Self::Cuboid => {
                let half = axes(random);
                let least = half.iter().fold(f64::INFINITY, |least: f64, x| least.min(*x));
                let rounding = match random.below(4) {
                    0 | 1 => 0.0,
                    2 => least * random.of(&[0.1, 0.25, 0.5, 1.0]),
                    _ => least * random.power(-3.0, 0.0),
                };
                Body::Cuboid { half, rounding }
            }
            Self::Hull => hull(random, size),
            Self::Cylinder => {
                let [radius, half_length, _] = axes(random);
                Body::Cylinder { radius, half_length }
            }
            Self::Frustum => {
                let [radius, half_height, _] = axes(random);
                let share = match random.below(6) {
                    0..=2 => 0.0,
                    3 => random.of(&[0.25, 0.5, 1.0]),
                    4 => random.power(-3.0, 0.0),
                    // Nearly a cylinder.
                    _ => 1.0 - random.power(-12.0, -2.0),
                };
                let radii =
                    if random.chance(0.5) { [radius, share * radius] } else { [share * radius, radius] };
                Body::Frustum { radii, half_height }
            }
            Self::Capsule => {
                let [radius, half_length, _] = axes(random);
                Body::Capsule { radius, half_length }
            }
            Self::Sum => sum(random, size),
            Self::Harmonics => harmonics(random, size),
        }
    }
}

/// Points at random in a box, or of solids that people write; with true edges or rounded by little to much.
fn hull(random: &mut Random, size: f64) -> Body {
    let axes = axes(random, size);
    let shares: Vec<Vector> = match random.below(4) {
        0 => vec![[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]],
        1 => (0..6).map(|k| [0, 1, 2].map(|i| if i == k % 3 { [1.0, -1.0][k / 3] } else { 0.0 })).collect(),
        // A prism, and a wedge where it is not moved.
        2 => (0..6)
            .map(|k| {
                let phi = 2.0 * PI * (k % 3) as f64 / 3.0;
                [phi.cos(), phi.sin(), [1.0, -1.0][k / 3]]
            })
            .collect(),
        3 if random.chance(0.2) => (0..40).map(|_| random.direction()).collect(),
        _ => (0..5 + random.below(8)).map(|_| [0, 1, 2].map(|_| random.between(-1.0, 1.0))).collect(),
    };
    let shift = if random.chance(0.5) { [0.0; 3] } else { times(size, &random.direction()) };
    let points = shares.iter().map(|p| [0, 1, 2].map(|i| axes[i] * p[i] + shift[i])).collect();
    let least = axes.iter().fold(f64::INFINITY, |least: f64, x| least.min(*x));
    let rounding = match random.below(4) {
        0 => 0.0,
        1 => least * random.of(&[0.1, 0.25, 1.0]),
        _ => least * random.power(-3.0, 0.5),
    };
    Body::Hull { points, rounding }
}

/// Semi-axes of aspects to 1:1000, in any order.
fn axes(random: &mut Random, size: f64) -> Vector {
    let mut axes = match random.below(4) {
        0 => [1.0; 3],
        1 => [random.between(0.2, 1.0), 1.0, random.between(0.2, 1.0)],
        2 => [random.of(&[0.25, 0.5, 1.0]), 1.0, random.of(&[0.25, 0.5, 1.0])],
        _ => [random.power(-3.0, 0.0), 1.0, random.power(-3.0, 0.0)],
    };
    let (i, j) = (random.below(3), random.below(3));
    axes.swap(i, j);
    times(size, &axes)
}

fn exponent(random: &mut Random) -> f64 {
    if random.chance(0.5) {
        return random.of(&EXPONENTS);
    }
    random.power(1.05_f64.log10(), 50_f64.log10()).clamp(1.05, 50.0)
}

/// A turn: none, by right angles, by 3-4-5 triangles, any, or nearly one of these.
pub fn orientation(random: &mut Random) -> Quaternion {
    let half = 0.5_f64.sqrt();
    let plain: [Quaternion; 9] = [
        [1.0, 0.0, 0.0, 0.0],
        [half, half, 0.0, 0.0],
        [half, 0.0, half, 0.0],
        [half, 0.0, 0.0, half],
        [0.5, 0.5, 0.5, 0.5],
        [0.6, 0.0, 0.8, 0.0],
        [0.8, 0.6, 0.0, 0.0],
        [0.6, 0.0, 0.0, -0.8],
        [0.0, 1.0, 0.0, 0.0],
    ];
    match random.below(10) {
        0..=2 => random.of(&plain),
        3 => [1.0, 0.0, 0.0, 0.0],
        4 => {
            // Near a plain one, by an angle down to rounding.
            let (q, angle) = (random.of(&plain), random.power(-16.0, -1.0));
            crate::vector::after(&crate::vector::turn(&random.direction(), angle), &q)
        }
        _ => random.quaternion(),
    }
}

/// One to three parts, and something round: a sum of edges alone is not proved strictly convex.
fn sum(random: &mut Random, size: f64) -> Body {
    let parts: Vec<Part> = (0..1 + random.below(3)).map(|_| part(random, size)).collect();
    // A ball among the parts leaves room to shrink.
    let ball = parts.iter().find_map(|part| match part.body {
        Body::Sphere { radius } if part.scale == [1.0; 3] => Some(radius),
        _ => None,
    });
    let offset = match ball {
        Some(radius) if random.chance(0.5) => -radius * random.of(&[0.0, 0.25, 0.5]),
        _ => size * random.power(-3.0, -0.3),
    };
    Body::Sum { parts, offset }
}

fn part(random: &mut Random, size: f64) -> Part {
    let kinds = [
        Kind::Sphere,
        Kind::Sphere,
        Kind::Ellipsoid,
        Kind::Superellipsoid,
        Kind::Superquadric,
        Kind::Cuboid,
        Kind::Cylinder,
        Kind::Frustum,
        Kind::Capsule,
        Kind::Harmonics,
    ];
    let size = size * random.power(-1.0, 0.0);
    let body = random.of(&kinds).body(random, size);
    let position = match random.chance(0.6) {
        true => [0.0; 3],
        false => times(size * random.between(0.0, 2.0), &random.direction()),
    };
    let scale = match random.below(10) {
        0..=4 => [1.0; 3],
        // Mirrored, too.
        5 => [0, 1, 2].map(|_| random.sign() * random.between(0.3, 2.0)),
        _ => [0, 1, 2].map(|_| random.between(0.3, 2.0)),
    };
    let quaternion = orientation(random);
    Part { body, position, quaternion, rotation: Rotation::new(&quaternion), scale }
}

/// A ball with harmonics that keep it convex: the radii of curvature of f_l are within l² sup ∣f_l∣ of zero or so, and
/// what the proof finds is asked of the engine.
fn harmonics(random: &mut Random, size: f64) -> Body {
    let degree = 2 + random.below(DEGREE - 1);
    let mut c = vec![0.0; (degree + 1) * (degree + 1)];
    c[0] = size * (4.0 * PI).sqrt();
    let room = random.between(0.05, 0.6);
    for l in 1..=degree {
        let part: Vec<f64> = (0..=2 * l).map(|_| random.between(-1.0, 1.0)).collect();
        let norm = part.iter().map(|x| x * x).sum::<f64>().sqrt();
        let sup = if l == 1 {
            if random.chance(0.5) { 0.0 } else { random.between(0.0, 2.0) }
        } else {
            room / (degree * l * l) as f64
        };
        for (k, x) in part.iter().enumerate() {
            c[l * l + k] = size * sup * x / norm * (4.0 * PI / (2 * l + 1) as f64).sqrt();
        }
    }
    Body::Harmonics(Harmonics::new(degree, c))
}

/// The length of a vector that spans a body's box, for placing bodies inside each other.
pub fn extent(body: &Body, rotation: &Rotation) -> f64 {
    let widths = [0, 1, 2].map(|i| {
        let mut n = [0.0; 3];
        n[i] = 1.0;
        let n = rotation.back(&n);
        0.5 * (body.support(&n) + body.support(&times(-1.0, &n)))
    });
    length(&widths)
}
