//! The nested p-norm N(x) = ‖(‖(X, Y)‖_q, Z)‖_p with X = s₁x, Y = s₂y, Z = s₃z, and its derivatives.
//!
//! Both faces of a superellipsoid are such a norm: with s = a and the conjugate exponents it is the support
//! function, with s = 1/a and the exponents themselves it is the gauge whose unit ball is the body.
//!
//! With w = ‖(X, Y)‖_q and the shares x = ∣X∣/w, y = ∣Y∣/w, s = w/N, t = ∣Z∣/N (signs left out here):
//!
//!   ∇N = S (s^{p−1}x^{q−1}, s^{p−1}y^{q−1}, t^{p−1}),   S = diag(s₁, s₂, s₃)
//!   ∇²N = k₁v₁v₁ᵀ + k₂v₂v₂ᵀ
//!   k₁ = (p−1)(st)^{p−2}/N,           v₁ = S (t x^{q−1}, t y^{q−1}, −s)
//!   k₂ = (q−1)(xy)^{q−2}s^{p−2}/N,    v₂ = S (y, −x, 0)
//!
//! Two dyads: on the plane with unit normal n, the determinant is k₁k₂(n·v₁×v₂)², a product without cancellation.

use crate::elementary::{exp, ln, ln_1p_unit};
use crate::{Mat3, Vec3};

/// Shares below this are lifted to it where they stand in a denominator. A coefficient holds at most three such
/// factors and is then of order 1e150; the product of two stays finite.
const LEAST_SHARE: f64 = 1e-50;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct NestedNorm {
    pub scale: Vec3,
    pub q: f64,
    pub p: f64,
}

/// Value and derivatives; the Hessian is Σ kᵢ vᵢvᵢᵀ.
#[derive(Debug, Clone, Copy)]
pub(super) struct NormJet {
    pub value: f64,
    pub gradient: Vec3,
    pub k: [f64; 2],
    pub v: [Vec3; 2],
}

impl NormJet {
    pub fn hessian(&self) -> Mat3 {
        let [v1, v2] = &self.v;
        v1 * (v1.transpose() * self.k[0]) + v2 * (v2.transpose() * self.k[1])
    }

    /// The Hessian in the tangent basis (t, b) of a plane and its determinant there.
    #[inline]
    pub fn tangent_block(&self, t: &Vec3, b: &Vec3) -> ([f64; 3], f64) {
        let [a1, a2] = self.v.map(|v| [t.dot(&v), b.dot(&v)]);
        let [k1, k2] = self.k;
        let block = [
            k1 * a1[0] * a1[0] + k2 * a2[0] * a2[0],
            k1 * a1[0] * a1[1] + k2 * a2[0] * a2[1],
            k1 * a1[1] * a1[1] + k2 * a2[1] * a2[1],
        ];
        let cross = a1[0] * a2[1] - a1[1] * a2[0];
        (block, k1 * k2 * cross * cross)
    }
}

/// Below this the library's power takes over, subnormal numbers and zero included.
const LEAST_RATIO: f64 = 1e-300;

/// The shares of a two-dimensional p-norm.
struct PlaneNorm {
    value: f64,
    /// |a|/value and |b|/value.
    share: [f64; 2],
    /// The shares to the power p − 1: the gradient. (Σ shareᵖ = 1, so half of one over the share, when both are even.)
    gradient: [f64; 2],
}

/// (a^p + b^p)^(1/p) for a, b ≥ 0, with one power and one root.
#[inline]
fn pair(a: f64, b: f64, p: f64) -> PlaneNorm {
    let (large, small) = if a >= b { (a, b) } else { (b, a) };
    if large == 0.0 {
        // Any direction will do for the shares of nothing; the even one treats both coordinates alike.
        let share = 0.5f64.powf(1.0 / p);
        return PlaneNorm { value: 0.0, share: [share; 2], gradient: [0.5 / share; 2] };
    }
    let ratio = small / large;
    // ratio^{p−1}, from which ratio^p follows by a product: this way round nothing is divided by a small number. The
    // exponential of a product errs by the product's rounding, but it is small where that is large.
    let power = if ratio > LEAST_RATIO { exp((p - 1.0) * ln(ratio)) } else { ratio.powf(p - 1.0) };
    let part = power * ratio;
    // 1/p does not wait for the rest.
    let root = exp(ln_1p_unit(part) * (1.0 / p));
    let (lead, inverse) = (root / (1.0 + part), 1.0 / root);
    let (share, gradient) = ([inverse, ratio * inverse], [lead, power * lead]);
    let value = large * root;
    if a >= b {
        PlaneNorm { value, share, gradient }
    } else {
        PlaneNorm { value, share: [share[1], share[0]], gradient: [gradient[1], gradient[0]] }
    }
}

impl NestedNorm {
    #[inline]
    pub fn value(&self, x: &Vec3) -> f64 {
        let m = self.scale.component_mul(x).abs();
        pair(pair(m.x, m.y, self.q).value, m.z, self.p).value
    }

    /// Value and gradient; at the origin, where there is none, the gradient is zero.
    #[inline]
    pub fn gradient(&self, x: &Vec3) -> (f64, Vec3) {
        if x.amax() == 0.0 {
            return (0.0, Vec3::zeros());
        }
        let m = self.scale.component_mul(x).abs();
        let inner = pair(m.x, m.y, self.q);
        let outer = pair(inner.value, m.z, self.p);
        let ring = outer.gradient[0];
        let unsigned = Vec3::new(ring * inner.gradient[0], ring * inner.gradient[1], outer.gradient[1]);
        (outer.value, self.signed(&unsigned, x))
    }

    #[inline]
    pub fn jet(&self, x: &Vec3) -> NormJet {
        let m = self.scale.component_mul(x).abs();
        let inner = pair(m.x, m.y, self.q);
        let outer = pair(inner.value, m.z, self.p);
        let ([gx, gy], [s, t]) = (inner.gradient, outer.share);
        let [ix, iy] = inner.share;
        let ring = outer.gradient[0];
        // A share to the power e − 2 is its gradient over itself; only a share of nothing needs the power.
        let over = |gradient: f64, share: f64, e: f64| {
            if share > LEAST_SHARE { gradient / share } else { LEAST_SHARE.powf(e - 2.0) }
        };
        let ring_over = over(ring, s, self.p);
        let k1 = (self.p - 1.0) * ring_over * over(outer.gradient[1], t, self.p) / outer.value;
        let k2 = (self.q - 1.0) * over(gx, ix, self.q) * over(gy, iy, self.q) * ring_over / outer.value;
        NormJet {
            value: outer.value,
            gradient: self.signed(&Vec3::new(ring * gx, ring * gy, outer.gradient[1]), x),
            k: [k1, k2],
            // Signs go with the coordinates: v₁ and v₂ change as the gradient and the swapped coordinates do.
            v: [self.signed(&Vec3::new(t * gx, t * gy, -s), x), self.signed(&Vec3::new(iy, -ix, 0.0), x)],
        }
    }

    /// The derivative of the Hessian along `d`. A share that vanishes contributes nothing of its own: there the
    /// third derivative does not exist, unless the exponent is two, when the contribution is zero.
    pub fn third(&self, x: &Vec3, d: &Vec3) -> Mat3 {
        let jet = self.jet(x);
        let m = self.scale.component_mul(x).abs();
        // Rates of the absolute coordinates.
        let rate = self.scale.component_mul(d).zip_map(x, |r, x| r * 1f64.copysign(x));
        let inner = pair(m.x, m.y, self.q);
        let outer = pair(inner.value, m.z, self.p);
        let (w, value) = (inner.value, outer.value);
        let ([gx, gy], [ix, iy], [s, t]) = (inner.gradient, inner.share, outer.share);
        let dw = gx * rate.x + gy * rate.y;
        let dn = outer.gradient[0] * dw + outer.gradient[1] * rate.z;
        let over = |numerator: f64, base: f64| if base > LEAST_SHARE { numerator / base } else { 0.0 };
        let (ds, dt) = ((dw - s * dn) / value, (rate.z - t * dn) / value);
        let (dix, diy) = (over(rate.x - ix * dw, w), over(rate.y - iy * dw, w));
        // d(x^{q−1}) = (q−1) x^{q−1} dx/x.
        let dgx = (self.q - 1.0) * gx * over(dix, ix);
        let dgy = (self.q - 1.0) * gy * over(diy, iy);
        let log_k1 = (self.p - 2.0) * (over(ds, s) + over(dt, t)) - dn / value;
        let log_k2 =
            (self.q - 2.0) * (over(dix, ix) + over(diy, iy)) + (self.p - 2.0) * over(ds, s) - dn / value;
        let dv1 = self.signed(&Vec3::new(dt * gx + t * dgx, dt * gy + t * dgy, -ds), x);
        let dv2 = self.signed(&Vec3::new(diy, -dix, 0.0), x);
        let mut out = Mat3::zeros();
        for (k, log_k, v, dv) in [(jet.k[0], log_k1, jet.v[0], dv1), (jet.k[1], log_k2, jet.v[1], dv2)] {
            let moved = dv * v.transpose();
            out += (v * v.transpose() * log_k + moved + moved.transpose()) * k;
        }
        out
    }

    /// S times `v`, each component with the sign of the coordinate it belongs to.
    #[inline]
    pub fn signed(&self, v: &Vec3, x: &Vec3) -> Vec3 {
        Vec3::new(
            (self.scale.x * v.x) * 1f64.copysign(x.x),
            (self.scale.y * v.y) * 1f64.copysign(x.y),
            (self.scale.z * v.z) * 1f64.copysign(x.z),
        )
    }
}
