//! Two placed bodies and f(n) = n·r − h_A(n) − h_B(−n), r from A's origin to B's: the signed gap is its maximum over
//! the unit sphere.

use crate::body::Body;
use crate::placement::Placed;
use crate::vector::{Vector, cross, dot, length, minus, times, unit};

/// Two placed bodies.
pub struct Couple<'a> {
    /// A.
    pub a: &'a Placed<'a>,
    /// B.
    pub b: &'a Placed<'a>,
    /// From A's origin to B's. The difference of two doubles is right to a rounding of itself, however far they are.
    pub r: Vector,
    /// What lengths are compared with: the reaches of both bodies and the distance of their origins.
    pub size: f64,
    /// How far from the world's origin they are.
    pub far: f64,
}

impl<'a> Couple<'a> {
    /// Two bodies as they are placed.
    pub fn new(a: &'a Placed<'a>, b: &'a Placed<'a>) -> Self {
        let r = minus(&b.position, &a.position);
        let size = a.body.reach() + b.body.reach() + length(&r);
        Self { a, b, r, size, far: length(&a.position) + length(&b.position) }
    }

    /// f(n) for a unit vector.
    #[inline]
    pub fn f(&self, n: &Vector) -> f64 {
        dot(n, &self.r) - self.a.support(n) - self.b.support(&times(-1.0, n))
    }

    /// From a point of A to one of B that n belongs to: n·g = f(n), and the rest of g is where f grows.
    pub fn across(&self, n: &Vector) -> Vector {
        let q = self.b.point(&times(-1.0, n));
        let p = self.a.point(n);
        [0, 1, 2].map(|i| self.r[i] + q[i] - p[i])
    }

    /// The one normal that a half-space leaves, from A to B.
    pub fn given_normal(&self) -> Option<Vector> {
        for (body, sign) in [(self.a, 1.0), (self.b, -1.0)] {
            if let Body::Plane { normal, .. } = body.body {
                return unit(&body.rotation.out(&unit(normal)?)).map(|n| times(sign, &n));
            }
        }
        None
    }

    /// Axes of both bodies in the world, A's first.
    pub fn axes(&self) -> Vec<Vector> {
        let of = |body: &Placed<'_>| {
            body.body.axes().into_iter().map(|axis| body.rotation.out(&axis)).collect::<Vec<_>>()
        };
        let mut axes = of(self.a);
        axes.extend(of(self.b));
        axes
    }

    /// Axes, cross products of axes, and r, all of both signs.
    pub fn special(&self) -> Vec<Vector> {
        let axes = self.axes();
        let mut list: Vec<Vector> = axes.clone();
        for (i, x) in axes.iter().enumerate() {
            for y in &axes[..i] {
                let c = cross(x, y);
                // Axes of one body are across each other already.
                if dot(&c, &c) > 1e-18 && dot(x, y).abs() > 1e-15 {
                    list.extend(unit(&c));
                }
            }
        }
        list.extend(unit(&self.r));
        let opposite: Vec<Vector> = list.iter().map(|n| times(-1.0, n)).collect();
        list.extend(opposite);
        list
    }
}
