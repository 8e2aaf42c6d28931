//! Logarithm and exponential, inlined, for the powers in hot loops: a call to the library's `pow` costs more than all
//! the rest of a superellipsoid, and keeps the processor from working on two bodies at once.
//!
//! ln x = k ln 2 + ln m with √½ ≤ m < √2 and ln m = 2 artanh s, s = (m − 1)/(m + 1), ∣s∣ ≤ 0.172: ten terms of
//! artanh s = s + s³/3 + s⁵/5 + … leave less than 1e-17. eʸ = 2ᵏ eʳ with ∣r∣ ≤ ½ ln 2: Taylor to r¹³ leaves less than
//! 1e-17. Both err by a unit or two in the last place (tested against the library).

use std::f64::consts::{LOG2_E, SQRT_2};

/// ln 2 in two parts: the first has its last 21 bits zero, so that k times it is exact.
const LN2_HIGH: f64 = f64::from_bits(0x3fe6_2e42_fee0_0000);
const LN2_LOW: f64 = 1.908_214_929_270_587_7e-10;

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

/// ln x for a normal positive x.
#[inline(always)]
pub fn ln(x: f64) -> f64 {
    let bits = x.to_bits();
    let mut k = (bits >> 52) as i64 - 1023;
    let mut m = f64::from_bits((bits & 0x000f_ffff_ffff_ffff) | 0x3ff0_0000_0000_0000);
    if m > SQRT_2 {
        m *= 0.5;
        k += 1;
    }
    let k = k as f64;
    fma(k, LN2_HIGH, fma(k, LN2_LOW, twice_artanh((m - 1.0) / (m + 1.0))))
}

/// ln(1 + t) for 0 ≤ t ≤ 1.
#[inline(always)]
pub fn ln_1p_unit(t: f64) -> f64 {
    if t < SQRT_2 - 1.0 {
        twice_artanh(t / (2.0 + t))
    } else {
        LN2_HIGH + (LN2_LOW + twice_artanh((t - 1.0) / (t + 3.0)))
    }
}

/// eʸ for y ≤ 1; zero below the normal numbers.
#[inline(always)]
pub fn exp(y: f64) -> f64 {
    // Adding and taking away 1.5·2⁵² rounds to the nearest integer.
    const ROUND: f64 = 6_755_399_441_055_744.0;
    if y < -708.0 {
        return 0.0;
    }
    let shifted = fma(y, LOG2_E, ROUND);
    let k = shifted - ROUND;
    let r = fma(-k, LN2_LOW, fma(-k, LN2_HIGH, y));
    // Σ rᵏ/k! to k = 13, less the leading one, in pairs of pairs.
    let (r2, r4) = (r * r, r * r * (r * r));
    let first = fma(fma(1.0 / 24.0, r, 1.0 / 6.0), r2, fma(0.5, r, 1.0));
    let second = fma(fma(1.0 / 40_320.0, r, 1.0 / 5_040.0), r2, fma(1.0 / 720.0, r, 1.0 / 120.0));
    let third =
        fma(fma(1.0 / 479_001_600.0, r, 1.0 / 39_916_800.0), r2, fma(1.0 / 3_628_800.0, r, 1.0 / 362_880.0));
    let p = fma(fma(fma(1.0 / 6_227_020_800.0, r4, third), r4, second), r4, first);
    let scale = f64::from_bits(((k as i64 + 1023) as u64) << 52);
    fma(p, r, 1.0) * scale
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
            let y = 1.0 - 709.0 * t;
            assert!((exp(y) - y.exp()).abs() <= 4.5e-16 * y.exp(), "exp {y}: {} {}", exp(y), y.exp());
        }
        assert_eq!(exp(-1e300), 0.0);
        assert_eq!(exp(f64::NEG_INFINITY), 0.0);
        assert_eq!(exp(0.0), 1.0);
        assert_eq!(ln(1.0), 0.0);
        assert!(exp(f64::NAN).is_nan());
    }
}
