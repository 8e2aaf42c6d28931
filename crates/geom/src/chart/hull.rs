//! The boundary of a convex body over a cell of directions, between a triangle and a plane that it does not reach.
//!
//! K is convex and has the origin inside. Over the cell lie the boundary points x of the cone that the corners' rays
//! span: x = Σ λ_k x_k, λ_k ≥ 0, with the boundary points x_k on those rays. Since K holds the triangle of the x_k, and
//! all of it that is nearer to the origin is inside, Σ λ_k ≥ 1. Since n·x ≤ h(n) for whatever n, with the support
//! function h, and n·x_k > 0 for a suitable one, Σ λ_k/s_k ≤ 1 with s_k = h(n)/n·x_k ≥ 1. What is between both planes
//! in the cone is the hull of the six points x_k and s_k x_k: no derivative is needed, and none need exist.
//!
//! The normals are gradients. Each component of one is monotone, or bounded between values, over the box of the six
//! points; so the gradients lie in a box of their own, whose corners' cone holds it.

use super::{Cell, Enclosure, Hull, Place, cube};
use crate::surface::Implicit;
use crate::{Vec2, Vec3};

/// Roundings of a boundary point, in units of 2⁻⁵² of its distance from the origin.
const ROUNDINGS: f64 = 64.0;

/// The enclosure of the boundary over the cone of the boundary points `corners`. `h` is the support value of `n`, and
/// `gradients` gives the least and greatest components of gradients over a box.
pub(super) fn enclosure(
    corners: [Vec3; 3],
    n: &Vec3,
    h: f64,
    gradients: impl Fn(&Vec3, &Vec3) -> [Vec3; 2],
) -> Option<Enclosure> {
    let mut control = [Vec3::zeros(); 6];
    for (k, x) in corners.iter().enumerate() {
        let along = n.dot(x);
        if !(along > 0.0) {
            return None;
        }
        (control[k], control[3 + k]) = (*x, x * (h / along).max(1.0));
    }
    let farthest = control.iter().map(|x| x.norm()).fold(0.0, f64::max);
    let slack = ROUNDINGS * f64::EPSILON * farthest;
    let (mut low, mut high) = (control[0], control[0]);
    for x in &control {
        (low, high) = (low.inf(x), high.sup(x));
    }
    let [low, high] = gradients(&low.add_scalar(-slack), &high.add_scalar(slack));
    let (axis, angle) = cone_of_box(&low, &high)?;
    Some(Enclosure { hull: Hull::Points { control, slack }, axis, angle })
}

/// The cone about the middle of a box of vectors that holds them all; none from a right angle on, within which a cone
/// is convex.
fn cone_of_box(low: &Vec3, high: &Vec3) -> Option<(Vec3, f64)> {
    let axis = (low + high).try_normalize(0.0)?;
    let mut angle: f64 = 0.0;
    for k in 0..8usize {
        let corner = Vec3::from_fn(|i, _| if k >> i & 1 == 0 { low[i] } else { high[i] });
        // A vector of no length has every direction.
        if !(corner.norm() > 0.0) {
            return None;
        }
        angle = angle.max(axis.angle(&corner));
    }
    // The rounding of powers and of an angle from its cosine and sine, many times over.
    (angle < 1.5).then_some((axis, angle + 1e-7))
}

/// Least and greatest values of sign(t)·∣t∣^e over an interval, e ≥ 0.
pub(super) fn odd_power([low, high]: [f64; 2], e: f64) -> [f64; 2] {
    [low, high].map(|t| t.abs().powf(e).copysign(t))
}

/// The boundary points over the corners of a cell, from those `along` directions, and the normal over its centroid.
pub(super) fn over_cell(
    cell: &Cell,
    along: impl Fn(&Vec3) -> Vec3,
    body: &dyn Implicit,
) -> ([Vec3; 3], Vec3) {
    let at = |w: &Vec2| along(&cube::direction(&Place { chart: cell.chart, u: w.x, v: w.y }));
    let [a, b, c] = &cell.corners;
    let normal = body.gradient(&at(&((a + b + c) / 3.0)));
    ([at(a), at(b), at(c)], normal / normal.norm())
}

/// An interval of x as one of x/a, which is within ±1 for points of a body with the semi-axis a.
pub(super) fn shares(x: [f64; 2], a: f64) -> [f64; 2] {
    x.map(|x| (x / a).clamp(-1.0, 1.0))
}

/// Three intervals as the ends of a box.
pub(super) fn columns(x: [[f64; 2]; 3]) -> [Vec3; 2] {
    [0, 1].map(|k| Vec3::new(x[0][k], x[1][k], x[2][k]))
}

/// The gradients of the nested norm's ε-th power over a box, but for the factor ε. With X = x/a, Y = y/b, ρ^δ = ∣X∣^δ +
/// ∣Y∣^δ:
///
///   ∂x: ρ^(ε−1)(∣X∣/ρ)^(δ−1) sign(X)/a, and so for y;   ∂z: ∣z/c∣^(ε−1) sign(z)/c.
///
/// ρ grows with ∣X∣ and ∣Y∣, ∣X∣/ρ with ∣X∣ and falls with ∣Y∣; it is between zero and one where both vanish.
pub(super) fn nested_gradients(a: &Vec3, [delta, epsilon]: [f64; 2], low: &Vec3, high: &Vec3) -> [Vec3; 2] {
    let [x, y, z] = [0, 1, 2].map(|i| shares([low[i], high[i]], a[i]));
    let norm = |x: f64, y: f64| {
        let most = x.max(y);
        if most > 0.0 {
            most * ((x / most).powf(delta) + (y / most).powf(delta)).powf(1.0 / delta)
        } else {
            0.0
        }
    };
    // The least and the greatest modulus in an interval.
    let moduli = |[low, high]: [f64; 2]| [low.max(-high).max(0.0), low.abs().max(high.abs())];
    let planar = |[low, high]: [f64; 2], other: [f64; 2], a: f64| {
        let [near, far] = moduli(other);
        // The greatest value at a modulus, and the least one.
        let most = |x: f64| {
            let share = if x > 0.0 { x / norm(x, near) } else { 0.0 };
            norm(x, far).powf(epsilon - 1.0) * share.min(1.0).powf(delta - 1.0) / a
        };
        let least = |x: f64| {
            let share = if x > 0.0 { x / norm(x, far) } else { 0.0 };
            norm(x, near).powf(epsilon - 1.0) * share.powf(delta - 1.0) / a
        };
        [
            if low > 0.0 { least(low) } else { -most(-low) },
            if high < 0.0 { -least(-high) } else { most(high) },
        ]
    };
    let upright = odd_power(z, epsilon - 1.0).map(|x| x / a.z);
    columns([planar(x, y, a.x), planar(y, x, a.y), upright])
}

#[cfg(test)]
mod tests {
    use crate::Vec2;
    use crate::chart::{Atlas, Cell, Hull, Place};
    use crate::surface::{Superellipsoid, Superquadric};

    /// Cells of all sizes, down to the third halving, of bodies of all exponents.
    fn bodies() -> Vec<Box<dyn Atlas>> {
        let mut out: Vec<Box<dyn Atlas>> = Vec::new();
        for exponents in [[2.0, 2.0], [2.5, 4.0], [8.0, 3.0], [1.5, 3.0], [20.0, 50.0]] {
            out.push(Box::new(Superellipsoid::new([0.5, 1.0, 0.2], exponents).unwrap()));
        }
        for exponents in [[2.0, 2.0, 2.0], [2.0, 3.0, 7.0], [30.0, 2.5, 4.0], [1.3, 6.0, 2.0]] {
            out.push(Box::new(Superquadric::new([0.5, 1.0, 0.2], exponents).unwrap()));
        }
        out
    }

    #[test]
    fn hulls_hold_the_points_and_cones_the_normals_over_their_cells() {
        let mut proved = 0;
        for atlas in bodies() {
            for (k, cell) in atlas.cells().into_iter().enumerate() {
                let [a, b, c] = cell.corners;
                let shrink = 0.5f64.powi((k % 4) as i32);
                let cell = Cell { corners: [a, a + (b - a) * shrink, a + (c - a) * shrink], ..cell };
                let Some(known) = atlas.enclosure(&cell) else { continue };
                let Hull::Points { control, slack } = known.hull else { panic!("{known:?}") };
                proved += 1;
                for (i, j) in (1..12).flat_map(|i| (1..12 - i).map(move |j| (i, j))) {
                    let (s, t) = (f64::from(i) / 12.0, f64::from(j) / 12.0);
                    let w: Vec2 = cell.corners[0] * (1.0 - s - t) + cell.corners[1] * s + cell.corners[2] * t;
                    let Ok(jet) = atlas.jet(&Place { chart: cell.chart, u: w.x, v: w.y }) else { continue };
                    let n = jet.normal().normalize();
                    assert!(n.angle(&known.axis) <= known.angle, "{atlas:?} {cell:?}");
                    for e in [n, -n, known.axis, -known.axis, jet.du.normalize(), -jet.dv.normalize()] {
                        let most = control.iter().map(|x| e.dot(x)).fold(f64::NEG_INFINITY, f64::max);
                        assert!(e.dot(&jet.p) <= most + slack, "{atlas:?} {cell:?} {}", e.dot(&jet.p) - most);
                    }
                }
            }
        }
        assert!(proved > 1500, "{proved}");
    }
}
