//! A point that active constraints hold, to second order: how it may move, and how the normal turns with it.
//!
//! With the gradients g_i of the active constraints, r_i with r_i·g_j = δ_ij within their span, and tangents t_j across
//! all g_i: the way back to the constraints is −Σ a_i r_i, the multipliers of m = Σ α_i g_i are α_i = m·r_i, and along
//! the tangents the equation t_j·m = 0 changes by t_j·(dm − H dx) with H = Σ α_i ∇²a_i.

use super::active::{ACTIVE, Active};
use super::body::Body;
use rattleback_geom::Vec3;
use rattleback_geom::curvature::tangents;

/// Gradients whose volume is below this share of their lengths are parallel.
const PARALLEL: f64 = 1e-12;

/// A vector leans no more than this along the tangents, and has no multipliers below minus the second number, that is
/// about a normal.
const LEANING: f64 = 0.4;
const NEGATIVE: f64 = 0.2;

#[derive(Debug, Clone, Copy)]
pub(super) struct ConstrainedPoint {
    /// Tangents along which the point may move, `free` of them.
    pub tangents: [Vec3; 2],
    pub free: usize,
    /// The shortest way back to the constraints, in m.
    pub back: Vec3,
    /// t_i·H t_j, in 1/m.
    pub shape: [[f64; 2]; 2],
    /// t_i·H applied to the way back.
    pub pull: [f64; 2],
    /// α_i∣g_i∣: the multipliers of unit gradients.
    pub multipliers: [f64; ACTIVE],
}

/// The vectors r_i of up to three gradients, and the tangents; none where the gradients are parallel.
fn reciprocals(g: &[Vec3]) -> Option<([Vec3; ACTIVE], [Vec3; 2])> {
    let zero = Vec3::zeros();
    match g {
        [a] => {
            let square = a.norm_squared();
            if !(square > 0.0 && square.is_finite()) {
                return None;
            }
            let (t, b) = tangents(&(a / square.sqrt()));
            Some(([a / square, zero, zero], [t, b]))
        }
        [a, b] => {
            let across = a.cross(b);
            let length = across.norm();
            if !(length > PARALLEL * a.norm() * b.norm()) {
                return None;
            }
            let t = across / length;
            Some(([b.cross(&t) / length, t.cross(a) / length, zero], [t, zero]))
        }
        [a, b, c] => {
            let (bc, ca, ab) = (b.cross(c), c.cross(a), a.cross(b));
            let volume = a.dot(&bc);
            if !(volume.abs() > PARALLEL * a.norm() * b.norm() * c.norm()) {
                return None;
            }
            Some(([bc / volume, ca / volume, ab / volume], [zero; 2]))
        }
        _ => None,
    }
}

impl ConstrainedPoint {
    /// The point x of a body with the outer normal m, both in the frame of the pair; none where the constraints do not
    /// determine it.
    pub fn at(body: &Body<'_>, set: &Active, x: &Vec3, m: &Vec3) -> Option<Self> {
        let (local, m) = (body.point_in_body(x), body.rotation.tr_mul(m));
        let (mut values, mut gradients) = ([0.0; ACTIVE], [Vec3::zeros(); ACTIVE]);
        let mut curved = None;
        for (i, k) in set.iter().enumerate() {
            let (value, gradient, hessian) = body.second_order(k, &local);
            (values[i], gradients[i]) = (value, gradient);
            if k == 0 {
                curved = Some((i, hessian));
            }
        }
        let (r, tangents) = reciprocals(&gradients[..set.count])?;
        let free = 3 - set.count;
        let back = -(r[0] * values[0] + r[1] * values[1] + r[2] * values[2]);
        let (mut shape, mut pull) = ([[0.0; 2]; 2], [0.0; 2]);
        if let Some((i, hessian)) = curved {
            let hessian = hessian * m.dot(&r[i]);
            for i in 0..free {
                let turn = hessian * tangents[i];
                for j in 0..free {
                    shape[i][j] = turn.dot(&tangents[j]);
                }
                pull[i] = turn.dot(&back);
            }
        }
        let multipliers = std::array::from_fn(|i| m.dot(&r[i]) * gradients[i].norm());
        let turned = tangents.map(|t| body.rotation * t);
        Some(Self { tangents: turned, free, back: body.rotation * back, shape, pull, multipliers })
    }

    /// Whether n is about a normal there.
    pub fn may_have(&self, n: &Vec3) -> bool {
        self.off(n) <= LEANING && self.multipliers.iter().all(|m| *m >= -NEGATIVE)
    }

    /// By how much n is no normal: the greatest part of it along a tangent.
    pub fn off(&self, n: &Vec3) -> f64 {
        self.tangents[..self.free].iter().map(|t| t.dot(n).abs()).fold(0.0, f64::max)
    }
}
