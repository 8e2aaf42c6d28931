//! Logarithm and exponential, inlined, for the powers in hot loops: a call to the library's `pow` costs more than all
//! the rest of a superellipsoid, and keeps the processor from working on two bodies at once.
//!
//! ln x = k ln 2 + ln m with √½ ≤ m < √2 and ln m = 2 artanh s, s = (m − 1)/(m + 1), ∣s∣ ≤ 0.172: ten terms of
//! artanh s = s + s³/3 + s⁵/5 + … leave less than 1e-17. eʸ = 2ᵏ eʳ with ∣r∣ ≤ ½ ln 2: Taylor to r¹³ leaves less than
//! 1e-17. Both err by a unit or two in the last place (tested against the library). There are no branches, only
//! choices, and no conversions but those by bits, so that the lanes of a vector unit can do several at once.

use std::f64::consts::{LOG2_E, SQRT_2};

/// ln 2 in two parts: the first has its last 21 bits zero, so that k times it is exact.
const LN2_HIGH: f64 = f64::from_bits(0x3fe6_2e42_fee0_0000);
const LN2_LOW: f64 = 1.908_214_929_270_587_7e-10;

/// Bits of 1, of the last number below 2, and of 2⁵².
const ONE: u64 = 0x3ff0_0000_0000_0000;
const ONE_ULP_BELOW_TWO: u64 = 0x3fff_ffff_ffff_ffff;
const TWO_52: u64 = 0x4330_0000_0000_0000;

/// a·b + c, fused where the target has an instruction for it; elsewhere that would be a slow call.
#[inline(always)]
pub fn fma(a: f64, b: f64, c: f64) -> f64 {
    if cfg!(target_feature = "fma") { a.mul_add(b, c) } else { a * b + c }
}

/// 2 artanh s for ∣s∣ ≤ 0.172. The polynomial is summed in pairs of pairs (Estrin): a chain of four products, not ten.
#[inline(always)]
fn twice_artanh(s: f64) -> f64 {
    let z = s * s;
    let z2 = z * z;
    let z4 = z2 * z2;
    let first = fma(fma(2.0 / 9.0, z, 2.0 / 7.0), z2, fma(2.0 / 5.0, z, 2.0 / 3.0));
    let second = fma(fma(2.0 / 17.0, z, 2.0 / 15.0), z2, fma(2.0 / 13.0, z, 2.0 / 11.0));
    let third = fma(2.0 / 21.0, z, 2.0 / 19.0);
    let p = fma(fma(third, z4, second), z4, first);
    fma(s * z, p, 2.0 * s)
}

/// √½ as bits.
const ROOT_HALF: u64 = 0x3fe6_a09e_667f_3bcd;

/// ln x for a normal positive x.
#[inline(always)]
pub fn ln(x: f64) -> f64 {
    // Moved so that the exponent steps at √2 times a power of two, not at the power itself.
    let bits = x.to_bits().wrapping_add(ONE - ROOT_HALF);
    // The biased exponent as the last bits of 2⁵²: a conversion that vector units have.
    let k = f64::from_bits((bits >> 52) | TWO_52) - (4_503_599_627_370_496.0 + 1023.0);
    let m = f64::from_bits((bits & (ONE_ULP_BELOW_TWO - ONE)) + ROOT_HALF);
    fma(k, LN2_HIGH, fma(k, LN2_LOW, twice_artanh((m - 1.0) / (m + 1.0))))
}

/// ln(1 + t) for 0 ≤ t ≤ 1.
#[inline(always)]
pub fn ln_1p_unit(t: f64) -> f64 {
    // 1 + t = 2ᵏ m as in `ln`, with k zero or one: s = (t − k)/(t + 2 + k).
    let k = if t < SQRT_2 - 1.0 { 0.0 } else { 1.0 };
    fma(k, LN2_HIGH, fma(k, LN2_LOW, twice_artanh((t - k) / (t + (2.0 + k)))))
}

/// eʸ for y ≤ 1; below −708, where the normal numbers end, as at −708: a number that stands for nothing.
#[inline(always)]
pub fn exp(y: f64) -> f64 {
    // Adding and taking away 1.5·2⁵² rounds to the nearest integer, which is then in the last bits of the sum.
    const ROUND: f64 = 6_755_399_441_055_744.0;
    let y = if y < -708.0 { -708.0 } else { y };
    let shifted = fma(y, LOG2_E, ROUND);
    let k = shifted - ROUND;
    let r = fma(-k, LN2_LOW, fma(-k, LN2_HIGH, y));
    // Σ rᵏ/k! to k = 13, less the leading one, in pairs of pairs.
    let (r2, r4) = (r * r, r * r * (r * r));
    let first = fma(fma(1.0 / 24.0, r, 1.0 / 6.0), r2, fma(0.5, r, 1.0));
    let second = fma(fma(1.0 / 40_320.0, r, 1.0 / 5_040.0), r2, fma(1.0 / 720.0, r, 1.0 / 120.0));
    let third =
        fma(fma(1.0 / 479_001_600.0, r, 1.0 / 39_916_800.0), r2, fma(1.0 / 3_628_800.0, r, 1.0 / 362_880.0));
    let p = fma(fma(1.0 / 6_227_020_800.0, r4, third), r4 * r4, fma(second, r4, first));
    // A power of two: the product with it is exact, and need not be the last.
    let scale = f64::from_bits((shifted.to_bits() << 52).wrapping_add(ONE));
    fma(p, r * scale, scale)
}

/// The same functions of several numbers at once, in the lanes of a vector unit. Written out as loops, because the
/// compiler puts these side by side.
pub mod lanes {
    macro_rules! lanes {
        ($name:ident, $doc:literal) => {
            #[doc = $doc]
            #[inline(always)]
            pub fn $name<const N: usize>(x: [f64; N]) -> [f64; N] {
                let mut out = [0.0; N];
                for k in 0..N {
                    out[k] = super::$name(x[k]);
                }
                out
            }
        };
    }
    lanes!(ln, "[`super::ln`] of each number.");
    lanes!(ln_1p_unit, "[`super::ln_1p_unit`] of each number.");
    lanes!(exp, "[`super::exp`] of each number.");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithm_and_exponential_agree_with_the_library() {
        let mut x: f64 = 1e-300;
        while x < 1e3 {
            let (a, b) = (ln(x), x.ln());
            assert!((a - b).abs() <= 4e-16 * b.abs().max(1e-3), "ln {x}: {a} {b}");
            x *= 1.000_37;
        }
        for k in 0..200_000 {
            let t = k as f64 / 199_999.0;
            assert!((ln_1p_unit(t) - t.ln_1p()).abs() <= 2.3e-16, "ln_1p {t}");
            assert!((ln_1p_unit(t * 1e-9) / (t * 1e-9).ln_1p() - 1.0).abs() <= 4e-16 || t == 0.0);
            let y = 1.0 - 708.9 * t;
            assert!((exp(y) - y.exp()).abs() <= 4.5e-16 * y.exp(), "exp {y}: {} {}", exp(y), y.exp());
        }
        assert!(exp(-1e300) < 4e-308);
        assert!(exp(f64::NEG_INFINITY) < 4e-308);
        assert_eq!(exp(0.0), 1.0);
        assert_eq!(ln(1.0), 0.0);
        assert!(exp(f64::NAN).is_nan());
    }
}
