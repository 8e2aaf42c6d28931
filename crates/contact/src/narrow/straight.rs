//! The last digits where a body touches along straight generators that its support function knows of, but not to
//! rounding: sums.
//!
//! A straight part has the normals m across its axis v. With w = v × m and the middle c(m) of the generator its points
//! are x = c(m) + s v, and x moves by R m's change across, R = w·∇²h w, and freely along v. The other body has the
//! point p and the outer normal N = −m there; e = x − p, f = N·e. Whatever else it is, s follows from v·e = 0. What is
//! left is
//!
//! | other body | unknowns | equations |
//! |---|---|---|
//! | straight as well | – | m ∥ v × v′, x and x′ opposite |
//! | by its point of support at −m | the angle δ of m about v | (R + R′ + f) δ = −w·e |
//! | by its implicit function, S its shape operator | the displacement y of p | (S y)_v = −N·v, y_w + (R + f)(S y)_w = w·e |
//!
//! The last one holds on flat faces, where a normal does not tell points apart.

use super::bodies::Bodies;
use super::climb::{Reading, read};
use super::refine::{Refined, is_on_body, project, shape_block};
use super::relative::Relative;
use rattleback_geom::Vec3;
use rattleback_geom::nalgebra::{Matrix2, Vector2};
use rattleback_geom::surface::{Face, Implicit, Kink};

/// A normal this close to those of a straight part, in rad, may be one of them: closed bounds leave it open by the root
/// of 1e-12.
const NEAR: f64 = 1e-6;

const MAX_ITERATIONS: u32 = 12;

/// The straight part of a body near a normal, in A's frame.
struct Straight<'a, P: Bodies> {
    bodies: &'a P,
    rel: &'a Relative,
    body: usize,
    axis: Vec3,
}

/// A generator: its middle and from there to its end.
struct Generator {
    middle: Vec3,
    half: Vec3,
}

impl Generator {
    /// The point opposite to `p` along the generator, none beyond its ends.
    fn opposite(&self, p: &Vec3) -> Option<Vec3> {
        let s = self.half.dot(&(p - self.middle)) / self.half.norm_squared();
        (s.abs() <= 1.0).then(|| self.middle + self.half * s)
    }
}

impl<'a, P: Bodies> Straight<'a, P> {
    /// Of `body` near the normal `n` from A to B.
    fn near(bodies: &'a P, rel: &'a Relative, body: usize, n: &Vec3) -> Option<Self> {
        let axis = bodies.kinks(body).iter().find_map(|kink| match kink {
            Kink::Circle { axis, height: 0.0 } => {
                Some(if body == 0 { *axis } else { rel.rotation * axis }).filter(|a| a.dot(n).abs() <= NEAR)
            }
            // Generators of cones are no straight lines along one axis: their faces are known to rounding.
            Kink::Circle { .. } | Kink::Normal(_) => None,
        })?;
        Some(Self { bodies, rel, body, axis })
    }

    /// The body's outer normal over the normal from A to B.
    fn sign(&self) -> f64 {
        if self.body == 0 { 1.0 } else { -1.0 }
    }

    fn snapped(&self, n: &Vec3) -> Vec3 {
        (n - self.axis * self.axis.dot(n)).normalize()
    }

    /// The generator at the normal `n` from A to B, which is across the axis.
    fn generator(&self, n: &Vec3) -> Option<Generator> {
        let rel = self.rel;
        let face = if self.body == 0 {
            self.bodies.face(0, n)
        } else {
            self.bodies.face(1, &-rel.rotation.tr_mul(n)).turned(|x| rel.rotation * x).moved(&rel.r)
        };
        match face {
            Face::Segment { centre, half } => Some(Generator { middle: centre, half }),
            _ => None,
        }
    }

    fn found(&self, n: Vec3, x: Vec3, other: Vec3, residual: f64, iterations: u32) -> Refined {
        let (p, q) = if self.body == 0 { (x, other) } else { (other, x) };
        Refined { n, p, q, residual, iterations }
    }
}

/// w·R w of a tangent block in the basis of a reading.
fn along([a, b, c]: &[f64; 3], at: &Reading, w: &Vec3) -> f64 {
    let (x, y) = (at.basis.0.dot(w), at.basis.1.dot(w));
    a * x * x + 2.0 * b * x * y + c * y * y
}

/// Refines the points of a pair of which a body touches along a generator; none where that is not so.
pub(crate) fn refine_straight<P: Bodies>(
    bodies: &P,
    rel: &Relative,
    at: &Reading,
    size: f64,
) -> Option<Refined> {
    let [first, second] = [0, 1].map(|body| Straight::near(bodies, rel, body, &at.n));
    if let (Some(a), Some(b)) = (&first, &second)
        && let Some(found) = crossed(a, b, at)
    {
        return Some(found);
    }
    let straight = first.or(second)?;
    let on_surface = bodies.implicit(1 - straight.body).and_then(|f| on_implicit(&straight, f, at, size));
    let by_support = || by_normal(&straight, at, size);
    match on_surface {
        Some(found) if found.residual <= 1e-13 * size => Some(found),
        other => [other, by_support()].into_iter().flatten().min_by(|a, b| a.residual.total_cmp(&b.residual)),
    }
}

/// Generators that cross.
fn crossed<P: Bodies>(a: &Straight<'_, P>, b: &Straight<'_, P>, at: &Reading) -> Option<Refined> {
    let n = a.axis.cross(&b.axis).try_normalize(NEAR)?;
    let n = n * n.dot(&at.n).signum();
    let (one, two) = (a.generator(&n)?, b.generator(&n)?);
    let apart = two.middle - one.middle;
    let (u, v) = (one.half, two.half);
    // u·(apart + t v − s u) = 0 and v·(apart + t v − s u) = 0.
    let matrix = Matrix2::new(u.dot(&u), -u.dot(&v), u.dot(&v), -v.dot(&v));
    let [s, t]: [f64; 2] = (matrix.try_inverse()? * Vector2::new(u.dot(&apart), v.dot(&apart))).into();
    let (p, q) = (one.middle + u * s, two.middle + v * t);
    let g = q - p;
    let residual = (g - n * n.dot(&g)).norm();
    (s.abs() <= 1.0 && t.abs() <= 1.0).then_some(Refined { n, p, q, residual, iterations: 1 })
}

/// The other body by its points of support.
fn by_normal<P: Bodies>(straight: &Straight<'_, P>, at: &Reading, size: f64) -> Option<Refined> {
    let mut n = straight.snapped(&at.n);
    let mut best: Option<Refined> = None;
    for iterations in 1..=MAX_ITERATIONS {
        let at = read(straight.bodies, straight.rel, &n);
        let other = if straight.body == 0 { at.q } else { at.p };
        let x = straight.generator(&n)?.opposite(&other)?;
        let w = straight.axis.cross(&n);
        // Towards the other body along m: −w·e of the head, both signs turned where the body is B.
        let e = w.dot(&(other - x)) * straight.sign();
        let better = best.is_none_or(|b| e.abs() < b.residual);
        if better {
            best = Some(straight.found(n, x, other, e.abs(), iterations));
        }
        if !better || e.abs() <= 1e-16 * size {
            break;
        }
        let radius = along(&at.radii[0], &at, &w) + along(&at.radii[1], &at, &w) + at.f;
        n = straight.snapped(&(n + w * (e / radius)));
    }
    best
}

/// The other body by its implicit function.
fn on_implicit<P: Bodies>(
    straight: &Straight<'_, P>,
    f: &dyn Implicit,
    at: &Reading,
    size: f64,
) -> Option<Refined> {
    let (rel, is_first) = (straight.rel, straight.body == 1);
    let to_own = |v: &Vec3| if is_first { *v } else { rel.rotation.tr_mul(v) };
    let from_own = |v: &Vec3| if is_first { *v } else { rel.rotation * v };
    let origin = if is_first { Vec3::zeros() } else { rel.r };
    let mut y = project(f, &to_own(&(if is_first { at.p } else { at.q } - origin)));
    let mut best: Option<Refined> = None;
    let mut since = 0;
    for iterations in 1..=MAX_ITERATIONS {
        let outer = from_own(&f.gradient(&y).normalize());
        let v = straight.axis;
        let (tilt, n) = (outer.dot(&v), straight.snapped(&(outer * -straight.sign())));
        let other = origin + from_own(&y);
        let x = straight.generator(&n)?.opposite(&other)?;
        let w = v.cross(&n);
        let e = w.dot(&(x - other));
        let residual = e.hypot(size * tilt);
        if !residual.is_finite() {
            break;
        }
        if is_on_body(f, &y) && best.is_none_or(|b| residual < b.residual) {
            best = Some(straight.found(n, x, other, residual, iterations));
            since = 0;
        } else {
            since += 1;
        }
        if residual <= 1e-16 * size || since > 2 {
            break;
        }
        let at = read(straight.bodies, rel, &n);
        let reach = along(&at.radii[straight.body], &at, &w) + outer.dot(&(x - other));
        let (v, w) = (to_own(&v), to_own(&w));
        let s = shape_block(f, &y, &v, &w);
        let matrix = Matrix2::new(s[(0, 0)], s[(0, 1)], reach * s[(1, 0)], 1.0 + reach * s[(1, 1)]);
        let step = matrix.try_inverse()? * Vector2::new(-tilt, e);
        // No farther than a fifth of the size in one go.
        let step = step * (0.2 * size / step.norm()).min(1.0);
        y = project(f, &(y + v * step[0] + w * step[1]));
    }
    best
}
