//! Where the difference of two support functions has kinks, as places on the sphere of normals in A's frame.

use super::bodies::Bodies;
use super::relative::Relative;
use rattleback_geom::Vec3;
use rattleback_geom::surface::Kink;

/// The kinks of both bodies in A's frame.
#[derive(Debug, Clone)]
pub(crate) struct Kinks {
    pub(super) circles: Vec<Circle>,
    pub(super) normals: Vec<Vec3>,
}

/// The circle of unit normals n with n·axis = height, of the given radius, at which a body has generators.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Circle {
    pub(super) body: usize,
    axis: Vec3,
    pub(super) height: f64,
    radius: f64,
}

impl Circle {
    fn new(body: usize, axis: Vec3, height: f64) -> Self {
        Self { body, axis, height, radius: (1.0 - height * height).sqrt() }
    }

    /// How far above the circle a vector of any length is, times its length.
    pub(super) fn off(&self, v: &Vec3) -> f64 {
        self.axis.dot(v) - if self.height == 0.0 { 0.0 } else { self.height * v.norm() }
    }

    pub(super) fn holds(&self, n: &Vec3) -> bool {
        self.off(n).abs() <= ON_CIRCLE
    }

    /// The place on the circle, of any length, that is nearest to a vector.
    pub(super) fn onto(&self, v: &Vec3) -> Vec3 {
        let across = v - self.axis * self.axis.dot(v);
        if self.height == 0.0 {
            return across;
        }
        self.axis * self.height + across * (self.radius / across.norm())
    }

    /// The unit tangent at a normal of the circle that leads off it.
    pub(super) fn across(&self, n: &Vec3) -> Vec3 {
        if self.height == 0.0 { self.axis } else { (self.axis - n * self.height) / self.radius }
    }

    /// The unit tangent along the circle.
    pub(super) fn along(&self, n: &Vec3) -> Vec3 {
        let t = self.axis.cross(n);
        if self.height == 0.0 { t } else { t / self.radius }
    }

    /// Where two circles cross: with axes a, b, heights c, d and g = a·b, n = αa + βb ± γ a × b, α = (c − dg)/(1 − g²),
    /// β = (d − cg)/(1 − g²), γ from ∣n∣ = 1.
    pub(super) fn crossings(&self, other: &Self) -> impl Iterator<Item = Vec3> + use<> {
        let (a, b, c, d) = (self.axis, other.axis, self.height, other.height);
        let w = a.cross(&b);
        let (sine, g) = (w.norm(), a.dot(&b));
        let base = if c == 0.0 && d == 0.0 {
            Vec3::zeros()
        } else {
            (a * (c - d * g) + b * (d - c * g)) / (sine * sine)
        };
        let rest = 1.0 - base.norm_squared();
        let crosses = sine > 1e-9 && rest >= 0.0;
        let arm = w.normalize() * rest.max(0.0).sqrt();
        [base + arm, base - arm].into_iter().filter(move |_| crosses)
    }
}

impl Kinks {
    /// None where neither body has any.
    pub fn of<P: Bodies>(bodies: &P, rel: &Relative) -> Option<Self> {
        if bodies.kinks(0).is_empty() && bodies.kinks(1).is_empty() {
            return None;
        }
        let mut all = Self { circles: Vec::new(), normals: Vec::new() };
        for body in 0..2 {
            let turn = |v: &Vec3| if body == 0 { *v } else { rel.in_a(v) };
            for kink in bodies.kinks(body) {
                match kink {
                    // n is the inner normal of B.
                    Kink::Circle { axis, height } => {
                        let height = if body == 0 { *height } else { -height };
                        all.circles.push(Circle::new(body, turn(axis), height));
                    }
                    Kink::Normal(n) => all.normals.push(turn(n)),
                }
            }
        }
        Some(all)
    }

    /// Where a unit normal stands.
    pub(super) fn stand(&self, n: &Vec3) -> Stand {
        let at_normal = self.normals.iter().any(|c| c.cross(n).norm() <= ON_CIRCLE);
        let mut on = self.circles.iter().filter(|circle| circle.holds(n));
        match (at_normal, on.next(), on.next()) {
            (true, ..) | (_, Some(_), Some(_)) => Stand::Corner,
            (_, Some(circle), None) => Stand::Circle(*circle),
            _ => Stand::Smooth,
        }
    }

    /// The single normals in both senses, and where circles cross.
    pub fn corners(&self) -> impl Iterator<Item = Vec3> + '_ {
        let crossing = self
            .circles
            .iter()
            .enumerate()
            .flat_map(|(i, x)| self.circles[i + 1..].iter().flat_map(move |y| x.crossings(y)));
        self.normals.iter().flat_map(|n| [*n, -n]).chain(crossing)
    }
}

/// Where a normal stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Stand {
    /// Beside all kinks.
    Smooth,
    /// On this circle.
    Circle(Circle),
    /// Where f has kinks in every direction.
    Corner,
}

/// A component of a normal along an axis below this counts as none: the surfaces draw the same line.
const ON_CIRCLE: f64 = 16.0 * f64::EPSILON;
