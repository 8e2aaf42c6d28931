//! Two nested norms at once, one in each lane of a vector unit: what a query about two superellipsoids asks for.
//!
//! The same quantities as in [`NestedNorm::jet`], with the chain of dependent steps made shorter. With large ≥ small
//! the absolute values of X and Y, ρ = small/large and c = ln(1 + ρ^q)/q,
//!
//!   w = large eᶜ,   ln(w/∣Z∣) = ln(large/∣Z∣) + c
//!
//! so that the outer power need not wait for the inner root: six elementary functions follow each other, not eight.
//! The sum loses nothing: 0 ≤ c ≤ ln 2, so that where it cancels both parts are small.
//!
//! Loops over lanes are written as maps over arrays, each of the same operations without branches.

use super::nested_norm::{NestedNorm, NormJet};
use crate::Vec3;
use crate::elementary::lanes;

/// Ratios beyond this, and its inverse, are left to the norms themselves, which treat coordinates that vanish.
const LEAST_RATIO: f64 = 1e-40;

/// A number of each norm.
type Lanes<const N: usize> = [f64; N];
type Two = Lanes<2>;

#[inline(always)]
fn each<const N: usize>(f: impl Fn(usize) -> f64) -> Lanes<N> {
    let mut out = [0.0; N];
    for k in 0..N {
        out[k] = f(k);
    }
    out
}

#[inline(always)]
fn two(f: impl Fn(usize) -> f64) -> Two {
    [f(0), f(1)]
}

#[inline(always)]
fn choose<const N: usize>(first: [bool; N], a: Lanes<N>, b: Lanes<N>) -> Lanes<N> {
    each(|k| if first[k] { a[k] } else { b[k] })
}

/// The norm of the two larger and smaller numbers of each: the shares of [`NestedNorm`] before they are put in order.
struct Level<const N: usize> {
    /// Smaller over larger, its power with the exponent less one, one plus its power with the exponent, the root of
    /// that.
    ratio: Lanes<N>,
    power: Lanes<N>,
    sum: Lanes<N>,
    root: Lanes<N>,
}

struct Chain<const N: usize> {
    x_leads: [bool; N],
    w_leads: [bool; N],
    inner: Level<N>,
    outer: Level<N>,
    /// The larger number of the outer norm, and that norm.
    large: Lanes<N>,
    value: Lanes<N>,
}

/// The coordinates with the scales and without signs, by coordinates.
#[inline(always)]
fn coordinates<const N: usize>(norms: [&NestedNorm; N], x: [&Vec3; N]) -> [Lanes<N>; 3] {
    [
        each(|k| (norms[k].scale.x * x[k].x).abs()),
        each(|k| (norms[k].scale.y * x[k].y).abs()),
        each(|k| (norms[k].scale.z * x[k].z).abs()),
    ]
}

/// Whether no coordinate vanishes beside another.
#[inline(always)]
fn usual(m: &[Two; 3]) -> bool {
    let apart = |a: f64, b: f64| (a > LEAST_RATIO * b) & (b > LEAST_RATIO * a);
    let one = |k: usize| apart(m[0][k], m[1][k]) & apart(m[0][k], m[2][k]) & apart(m[1][k], m[2][k]);
    one(0) & one(1)
}

#[inline(always)]
fn chain<const N: usize>(norms: [&NestedNorm; N], m: &[Lanes<N>; 3]) -> Chain<N> {
    let (p, q): (Lanes<N>, Lanes<N>) = (each(|k| norms[k].p), each(|k| norms[k].q));
    // These do not wait for the rest.
    let (over_p, over_q): (Lanes<N>, Lanes<N>) = (each(|k| 1.0 / p[k]), each(|k| 1.0 / q[k]));
    let [x, y, z] = *m;
    let x_leads = std::array::from_fn(|k| x[k] >= y[k]);
    let (large, small) = (choose(x_leads, x, y), choose(x_leads, y, x));
    let ratio = each(|k| small[k] / large[k]);
    let above: Lanes<N> = each(|k| large[k] / z[k]);
    let (log, log_above) = (lanes::ln(ratio), lanes::ln(above));
    let power = lanes::exp(each(|k| (q[k] - 1.0) * log[k]));
    let part: Lanes<N> = each(|k| power[k] * ratio[k]);
    let log_sum = lanes::ln_1p_unit(part);
    let log_root = each(|k| log_sum[k] * over_q[k]);
    let root = lanes::exp(log_root);
    let inner = Level { ratio, power, sum: each(|k| 1.0 + part[k]), root };

    let log_over: Lanes<N> = each(|k| log_above[k] + log_root[k]);
    let power = lanes::exp(each(|k| (1.0 - p[k]) * log_over[k].abs()));
    let w = each(|k| large[k] * root[k]);
    let w_leads = std::array::from_fn(|k| log_over[k] >= 0.0);
    let (large, small) = (choose(w_leads, w, z), choose(w_leads, z, w));
    let ratio = each(|k| small[k] / large[k]);
    let part: Lanes<N> = each(|k| power[k] * ratio[k]);
    let log_sum = lanes::ln_1p_unit(part);
    let root = lanes::exp(each(|k| log_sum[k] * over_p[k]));
    let outer = Level { ratio, power, sum: each(|k| 1.0 + part[k]), root };
    Chain { x_leads, w_leads, inner, outer, large, value: each(|k| large[k] * root[k]) }
}

/// The values alone, of two norms at two points each: four lanes take as long as two. A coordinate that vanishes is
/// lifted to [`LEAST_RATIO`] of the largest, which leaves the value as it is: exponents are above one.
#[inline(never)]
pub(super) fn values(norms: [&NestedNorm; 2], x: [[&Vec3; 2]; 2]) -> [[f64; 2]; 2] {
    let [a, b] = norms;
    let [[xa, xb], [ya, yb]] = x;
    let norms = [a, b, a, b];
    let m = coordinates(norms, [xa, xb, ya, yb]);
    let least: Lanes<4> = each(|k| LEAST_RATIO * m[0][k].max(m[1][k]).max(m[2][k]) + f64::MIN_POSITIVE);
    let [a, b, c, d] = chain(norms, &m.map(|c| each(|k| c[k].max(least[k])))).value;
    [[a, b], [c, d]]
}

/// Values and derivatives.
#[inline]
pub(super) fn jets(norms: [&NestedNorm; 2], x: [&Vec3; 2]) -> [NormJet; 2] {
    let m = coordinates(norms, x);
    if !usual(&m) {
        return [norms[0].jet(x[0]), norms[1].jet(x[1])];
    }
    let lanes = jet_lanes(norms, x, &m);
    let three = |v: &[Two; 3], k: usize| Vec3::new(v[0][k], v[1][k], v[2][k]);
    let jet = |k: usize| NormJet {
        value: lanes.value[k],
        gradient: three(&lanes.gradient, k),
        k: [lanes.k[0][k], lanes.k[1][k]],
        v: [three(&lanes.v1, k), Vec3::new(lanes.v2[0][k], lanes.v2[1][k], 0.0)],
    };
    [jet(0), jet(1)]
}

/// The gradient of one norm: the shorter chain is worth a lane left over.
#[inline]
pub(super) fn gradient(norm: &NestedNorm, x: &Vec3) -> Vec3 {
    let m = coordinates([norm; 2], [x; 2]);
    if !usual(&m) {
        return norm.gradient(x).1;
    }
    let [x, y, z] = jet_lanes([norm; 2], [x; 2], &m).gradient;
    Vec3::new(x[0], y[0], z[0])
}

/// Two [`NormJet`]s by numbers.
struct JetLanes {
    value: Two,
    gradient: [Two; 3],
    k: [Two; 2],
    v1: [Two; 3],
    v2: [Two; 2],
}

/// Kept whole: its results are stored side by side, and from there the compiler finds the lanes.
#[inline(never)]
fn jet_lanes(norms: [&NestedNorm; 2], x: [&Vec3; 2], m: &[Two; 3]) -> JetLanes {
    let Chain { x_leads, w_leads, inner, outer, large, value } = chain(norms, m);
    // The gradient and the share of the leading coordinate; a share to the power e − 2 is the one over the other. The
    // outer root is known last, so that nothing but a share is divided by it.
    let lead = |l: &Level<2>| two(|k| l.root[k] * (1.0 / l.sum[k]));
    let share = |l: &Level<2>| two(|k| 1.0 / l.root[k]);
    let steep = |l: &Level<2>| two(|k| l.power[k] / l.ratio[k]);
    let times = |a: Two, b: Two| two(|k| a[k] * b[k]);
    let (lead_in, lead_out) = (lead(&inner), lead(&outer));
    let (share_in, share_out) = (share(&inner), share(&outer));
    let (steep_in, steep_out) = (steep(&inner), steep(&outer));
    let over_in = times(lead_in, inner.root);
    let (follow_in, follow_out) = (times(lead_in, inner.power), times(lead_out, outer.power));
    let (rest_in, rest_out) = (times(share_in, inner.ratio), times(share_out, outer.ratio));

    let (gx, gy) = (choose(x_leads, lead_in, follow_in), choose(x_leads, follow_in, lead_in));
    let (ix, iy) = (choose(x_leads, share_in, rest_in), choose(x_leads, rest_in, share_in));
    let (ring, gz) = (choose(w_leads, lead_out, follow_out), choose(w_leads, follow_out, lead_out));
    let (s, t) = (choose(w_leads, share_out, rest_out), choose(w_leads, rest_out, share_out));
    let k1 = two(|k| (norms[k].p - 1.0) * steep_out[k] / large[k]);
    let ring_steep = choose(w_leads, [1.0; 2], steep_out);
    let k2 =
        two(|k| (norms[k].q - 1.0) * (over_in[k] * over_in[k]) * (steep_in[k] * ring_steep[k]) / large[k]);

    // Signs go with the coordinates.
    let sx = two(|k| norms[k].scale.x.copysign(x[k].x));
    let sy = two(|k| norms[k].scale.y.copysign(x[k].y));
    let sz = two(|k| norms[k].scale.z.copysign(x[k].z));
    JetLanes {
        value,
        gradient: [
            two(|k| sx[k] * ring[k] * gx[k]),
            two(|k| sy[k] * ring[k] * gy[k]),
            two(|k| sz[k] * gz[k]),
        ],
        k: [two(|k| k1[k] * (lead_out[k] * lead_out[k]) * outer.root[k]), two(|k| k2[k] * lead_out[k])],
        v1: [two(|k| sx[k] * t[k] * gx[k]), two(|k| sy[k] * t[k] * gy[k]), two(|k| -sz[k] * s[k])],
        v2: [two(|k| sx[k] * iy[k]), two(|k| -sy[k] * ix[k])],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_norms_at_once_are_the_norms() {
        let mut state = 1u64;
        let mut unit = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1u64 << 53) as f64
        };
        for round in 0..20_000 {
            let mut norm = || NestedNorm {
                scale: Vec3::new(0.1 + unit(), 0.1 + unit(), 0.1 + unit()),
                q: 1.0 + 10f64.powf(3.0 * unit() - 1.7),
                p: 1.0 + 10f64.powf(3.0 * unit() - 1.7),
            };
            let norms = [norm(), norm()];
            // Now and then a coordinate that vanishes or is tiny.
            let mut coordinate = || match (unit() * 40.0) as u32 {
                0 => 0.0,
                1 => 1e-45,
                2 => 1e-6,
                _ => 2.0 * unit() - 1.0,
            };
            let mut point = || Vec3::new(coordinate(), coordinate(), coordinate() + 1e-3);
            let x = [point(), point()];
            let found = jets([&norms[0], &norms[1]], [&x[0], &x[1]]);
            let turned = -x[0].yzx();
            let both = values([&norms[0], &norms[1]], [[&x[0], &x[1]], [&x[1], &turned]]);
            let others = [norms[0].value(&x[1]), norms[1].value(&turned)];
            for k in 0..2 {
                let wanted = norms[k].jet(&x[k]);
                // Powers err by the rounding of a logarithm times the exponent.
                let near = |a: f64, b: f64, scale: f64| (a - b).abs() <= 1e-13 * scale;
                let close = |a: &Vec3, b: &Vec3| (a - b).norm() <= 1e-13 * b.norm();
                assert!(near(found[k].value, wanted.value, wanted.value), "{round}");
                assert!(near(both[0][k], wanted.value, wanted.value), "{round}");
                assert!(near(both[1][k], others[k], others[k]), "{round}");
                assert!(close(&found[k].gradient, &wanted.gradient), "{round}");
                for i in 0..2 {
                    assert!(near(found[k].k[i], wanted.k[i], wanted.k[i]), "{round}: {found:?} {wanted:?}");
                    assert!(close(&found[k].v[i], &wanted.v[i]), "{round}");
                }
            }
        }
    }
}
