//! Where two bodies are put.
//!
//! With p the point of A farthest along n and q that of B farthest along −n, the bodies placed so that q = p + g n have
//! f(n) = g: a gap of exactly g ≥ 0, a depth of at most −g below. Faces are then moved along themselves.

use crate::body::Body;
use crate::kind::{extent, orientation};
use crate::vector::{
    Quaternion, Random, Rotation, Vector, along, cross, length, minus, tangents, times, turn, unit,
};

/// How two bodies are put.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    Near,
    Far,
    TinyGap,
    RoundingGap,
    Touching,
    Shallow,
    Deep,
    Inside,
    Concentric,
    Coaxial,
    Anywhere,
    FaceOnFace,
}

impl Class {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Near => "near",
            Self::Far => "far",
            Self::TinyGap => "gap 1e-9",
            Self::RoundingGap => "gap 1e-14",
            Self::Touching => "touching",
            Self::Shallow => "shallow overlap",
            Self::Deep => "deep overlap",
            Self::Inside => "inside",
            Self::Concentric => "concentric",
            Self::Coaxial => "coaxial",
            Self::Anywhere => "anywhere",
            Self::FaceOnFace => "face on face",
        }
    }
}

/// All of them, the harder ones more often.
const CLASSES: [Class; 20] = [
    Class::Near,
    Class::Near,
    Class::Far,
    Class::TinyGap,
    Class::RoundingGap,
    Class::Touching,
    Class::Shallow,
    Class::Shallow,
    Class::Deep,
    Class::Deep,
    Class::Deep,
    Class::Inside,
    Class::Inside,
    Class::Concentric,
    Class::Coaxial,
    Class::Coaxial,
    Class::Anywhere,
    Class::Anywhere,
    Class::FaceOnFace,
    Class::FaceOnFace,
];

/// A body and where it is.
#[derive(Debug, Clone)]
pub struct Placed<'a> {
    /// The body.
    pub body: &'a Body,
    /// Where its origin is.
    pub position: Vector,
    /// How it is turned.
    pub quaternion: Quaternion,
    /// The same as a matrix.
    pub rotation: Rotation,
}

impl<'a> Placed<'a> {
    /// A body at a place.
    pub fn new(body: &'a Body, position: Vector, quaternion: Quaternion) -> Self {
        Self { body, position, quaternion, rotation: Rotation::new(&quaternion) }
    }

    /// h(n) about the body's origin, n in world axes.
    #[inline]
    pub fn support(&self, n: &Vector) -> f64 {
        self.body.support(&self.rotation.back(n))
    }

    /// The point of n from the body's origin, in world axes.
    pub fn point(&self, n: &Vector) -> Vector {
        self.rotation.out(&self.body.point(&self.rotation.back(n)))
    }
}

/// Two bodies put together at random, and how far from the world's origin in their sizes.
pub fn place<'a>(random: &mut Random, a: &'a Body, b: &'a Body) -> (Class, &'static str, [Placed<'a>; 2]) {
    let class = random.of(&CLASSES);
    let turn_a = orientation(random);
    let turn_b = match random.below(4) {
        0 => turn_a,
        1 => crate::vector::after(&turn_a, &orientation(random)),
        _ => orientation(random),
    };
    let first = Placed::new(a, [0.0; 3], turn_a);
    let second = Placed::new(b, [0.0; 3], turn_b);
    let r = offset(random, class, &first, &second);
    let size = a.reach() + b.reach();
    let (shift, far) = match random.below(12) {
        0 => (1e3, "shifted by 1e3"),
        1 => (1e6, "shifted by 1e6"),
        2 => (1e9, "shifted by 1e9"),
        3 => (1e12, "shifted by 1e12"),
        4..=6 => (1.0, "shifted by 1"),
        _ => (0.0, "not shifted"),
    };
    let origin = times(shift * size, &random.direction());
    let second = Placed { position: along(&origin, 1.0, &r), ..second };
    (class, far, [Placed { position: origin, ..first }, second])
}

/// From A's origin to B's.
fn offset(random: &mut Random, class: Class, a: &Placed<'_>, b: &Placed<'_>) -> Vector {
    let size = a.body.reach() + b.body.reach();
    let n = normal(random, class, a, b);
    let joined = minus(&a.point(&n), &b.point(&times(-1.0, &n)));
    let apart = |g: f64| along(&joined, g, &n);
    // A half-space has no width: what lies in it is as deep as the other body is wide.
    let width = |body: &Placed<'_>| match body.body {
        Body::Plane { .. } => f64::INFINITY,
        _ => body.support(&n) + body.support(&times(-1.0, &n)),
    };
    match class {
        Class::Near => apart(size * random.power(-3.0, 0.0)),
        Class::Far => apart(size * random.power(0.0, 6.0)),
        Class::TinyGap => apart(size * 1e-9),
        Class::RoundingGap => apart(size * 1e-14),
        Class::Touching => joined,
        Class::Shallow => apart(-size * random.power(-12.0, -2.0)),
        Class::Deep => apart(-random.share() * width(a).min(width(b))),
        Class::Inside => {
            let room = match a.body {
                Body::Plane { .. } => size,
                _ => extent(a.body, &a.rotation),
            };
            along(&joined_middle(a, b), room * random.share() * 0.5, &random.direction())
        }
        Class::Concentric => [0.0; 3],
        Class::Coaxial => {
            let axis = random.of(&[a, b]).rotation.axis(random.of(&[2, 2, 0, 1]));
            times(size * random.between(-1.2, 1.2), &axis)
        }
        Class::Anywhere => [0, 1, 2].map(|_| size * random.between(-1.0, 1.0)),
        Class::FaceOnFace => {
            let gap = match random.below(4) {
                0 => 0.0,
                1 => size * random.power(-14.0, 0.0),
                _ => -random.power(-9.0, 0.0) * width(a).min(width(b)),
            };
            let [t, u] = tangents(&n, &a.rotation.axis(0));
            let slide =
                |random: &mut Random| if random.chance(0.3) { 0.0 } else { size * random.between(-0.7, 0.7) };
            let (x, y) = (slide(random), slide(random));
            along(&along(&apart(gap), x, &t), y, &u)
        }
    }
}

/// The offset that puts the middles of two bodies together.
fn joined_middle(a: &Placed<'_>, b: &Placed<'_>) -> Vector {
    let middle = |body: &Placed<'_>| match body.body {
        Body::Plane { .. } => [0.0; 3],
        _ => [0, 1, 2].map(|i| {
            let mut n = [0.0; 3];
            n[i] = 1.0;
            0.5 * (body.support(&n) - body.support(&times(-1.0, &n)))
        }),
    };
    minus(&middle(a), &middle(b))
}

/// The normal that a placement is made from: any, an axis of a body, one across an axis, across two axes, or nearly so.
fn normal(random: &mut Random, class: Class, a: &Placed<'_>, b: &Placed<'_>) -> Vector {
    for (body, sign) in [(a, 1.0), (b, -1.0)] {
        if let Body::Plane { normal, .. } = body.body {
            return unit(&body.rotation.out(normal)).map_or([0.0, 0.0, 1.0], |n| times(sign, &n));
        }
    }
    let axis = |random: &mut Random| {
        let body = random.of(&[a, b]);
        let axes = body.body.axes();
        if axes.is_empty() { random.direction() } else { body.rotation.out(&random.of(&axes)) }
    };
    let kind = if class == Class::FaceOnFace { 1 + random.below(3) } else { random.below(8) };
    let found = match kind {
        1 => Some(times(random.sign(), &axis(random))),
        2 => unit(&cross(&axis(random), &random.direction())),
        3 => unit(&cross(&axis(random), &axis(random))),
        4 => {
            let (n, angle) = (axis(random), random.power(-16.0, -1.0));
            Some(Rotation::new(&turn(&random.direction(), angle)).out(&n))
        }
        _ => None,
    };
    match found {
        Some(n) if length(&n) > 0.5 => unit(&n).unwrap_or([0.0, 0.0, 1.0]),
        _ => random.direction(),
    }
}
