//! Special functions that closed forms need.
//!
//! - Beta function through the logarithm of the gamma function.
//! - Carlson's symmetric elliptic integrals R_F and R_D by duplication (Carlson, Numer. Algorithms 10, 1995),
//!   and R_G = [z R_F − ⅓(x−z)(y−z) R_D + √(xy/z)]/2 for x, y, z > 0 ordered so that nothing cancels.

/// Euler's beta function B(x, y) for x, y > 0.
pub fn beta(x: f64, y: f64) -> f64 {
    if x + y < 100.0 {
        libm::tgamma(x) * libm::tgamma(y) / libm::tgamma(x + y)
    } else {
        (libm::lgamma(x) + libm::lgamma(y) - libm::lgamma(x + y)).exp()
    }
}

/// Carlson's R_F(x, y, z) for non-negative arguments of which at most one is zero.
pub fn carlson_rf(x: f64, y: f64, z: f64) -> f64 {
    let (mut x, mut y, mut z) = (x, y, z);
    let a0 = (x + y + z) / 3.0;
    let (x0, y0) = (x, y);
    // The series below errs by at most the sixth power of the relative spread; (3ε)^(1/6) makes that rounding.
    let mut bound =
        (a0 - x).abs().max((a0 - y).abs()).max((a0 - z).abs()) * (3.0 * f64::EPSILON).powf(-1.0 / 6.0);
    let (mut a, mut scale) = (a0, 1.0);
    // The spread shrinks fourfold per step: sixty steps cover every pair of doubles.
    for _ in 0..60 {
        if bound < a.abs() {
            break;
        }
        let lambda = (x * y).sqrt() + (y * z).sqrt() + (z * x).sqrt();
        (x, y, z, a) = ((x + lambda) / 4.0, (y + lambda) / 4.0, (z + lambda) / 4.0, (a + lambda) / 4.0);
        bound /= 4.0;
        scale /= 4.0;
    }
    let (dx, dy) = ((a0 - x0) * scale / a, (a0 - y0) * scale / a);
    let dz = -dx - dy;
    let (e2, e3) = (dx * dy - dz * dz, dx * dy * dz);
    (1.0 - e2 / 10.0 + e3 / 14.0 + e2 * e2 / 24.0 - 3.0 * e2 * e3 / 44.0) / a.sqrt()
}

/// Carlson's R_D(x, y, z) for x, y ≥ 0 (not both zero) and z > 0.
pub fn carlson_rd(x: f64, y: f64, z: f64) -> f64 {
    let (mut x, mut y, mut z) = (x, y, z);
    let a0 = (x + y + 3.0 * z) / 5.0;
    let (x0, y0) = (x, y);
    let mut bound =
        (a0 - x).abs().max((a0 - y).abs()).max((a0 - z).abs()) * (0.25 * f64::EPSILON).powf(-1.0 / 6.0);
    let (mut a, mut scale, mut sum) = (a0, 1.0, 0.0);
    for _ in 0..60 {
        if bound < a.abs() {
            break;
        }
        let lambda = (x * y).sqrt() + (y * z).sqrt() + (z * x).sqrt();
        sum += scale / (z.sqrt() * (z + lambda));
        (x, y, z, a) = ((x + lambda) / 4.0, (y + lambda) / 4.0, (z + lambda) / 4.0, (a + lambda) / 4.0);
        bound /= 4.0;
        scale /= 4.0;
    }
    let (dx, dy) = ((a0 - x0) * scale / a, (a0 - y0) * scale / a);
    let dz = -(dx + dy) / 3.0;
    let (e2, e3) = (dx * dy - 6.0 * dz * dz, (3.0 * dx * dy - 8.0 * dz * dz) * dz);
    let (e4, e5) = (3.0 * (dx * dy - dz * dz) * dz * dz, dx * dy * dz * dz * dz);
    let series =
        1.0 - 3.0 * e2 / 14.0 + e3 / 6.0 + 9.0 * e2 * e2 / 88.0 - 3.0 * e4 / 22.0 - 9.0 * e2 * e3 / 52.0
            + 3.0 * e5 / 26.0;
    3.0 * sum + scale * series / (a * a.sqrt())
}

/// Carlson's R_G(x, y, z) for positive arguments; the area of an ellipsoid is 4π R_G(a²b², a²c², b²c²).
pub fn carlson_rg(x: f64, y: f64, z: f64) -> f64 {
    let mut v = [x, y, z];
    v.sort_by(f64::total_cmp);
    // With the middle value in the place of z both products are of one sign: −(x−z)(y−z) ≥ 0.
    let [x, z, y] = v;
    0.5 * (z * carlson_rf(x, y, z) - (x - z) * (y - z) * carlson_rd(x, y, z) / 3.0 + (x * y / z).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn carlson_integrals_take_their_published_values() {
        // Carlson 1995, section 3.
        assert!((carlson_rf(1.0, 2.0, 0.0) - 1.3110287771461).abs() < 1e-13);
        assert!((carlson_rf(2.0, 3.0, 4.0) - 0.58408284167715).abs() < 1e-13);
        assert!((carlson_rd(0.0, 2.0, 1.0) - 1.7972103521034).abs() < 1e-13);
        assert!((carlson_rd(2.0, 3.0, 4.0) - 0.16510527294261).abs() < 1e-13);
        assert!((carlson_rg(2.0, 3.0, 4.0) - 1.7255030280692).abs() < 1e-13);
        // Homogeneous of degree ½, and R_G(x, x, x) = √x.
        assert!((carlson_rg(9.0, 9.0, 9.0) - 3.0).abs() < 1e-14);
        assert!((carlson_rg(2e12, 3.0e12, 4.0e12) / 1.7255030280692e6 - 1.0).abs() < 1e-13);
    }

    #[test]
    fn beta_satisfies_its_identities() {
        assert!((beta(0.5, 0.5) - std::f64::consts::PI).abs() < 1e-14);
        assert!((beta(2.0, 3.0) - 1.0 / 12.0).abs() < 1e-16);
        for (x, y) in [(0.02, 1.04), (1.9, 0.03), (40.0, 70.0)] {
            assert!((beta(x + 1.0, y) / beta(x, y) / (x / (x + y)) - 1.0).abs() < 1e-12);
        }
    }
}
