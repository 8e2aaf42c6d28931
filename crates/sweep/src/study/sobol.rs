//! Sobol's sequence, in the Gray-code order of Antonov and Saleev, with the direction numbers of S. Joe and F. Y. Kuo
//! (SIAM J. Sci. Comput. 30 (2008) 2635–2654, the table `new-joe-kuo-6`).
//!
//! For a dimension with the primitive polynomial x^s + a₁x^(s−1) + … + a_(s−1)x + 1 and the odd numbers m₁ … m_s,
//!
//! > m_k = 2a₁m_(k−1) ⊕ 2²a₂m_(k−2) ⊕ … ⊕ 2^s m_(k−s) ⊕ m_(k−s),      v_k = m_k / 2^k
//!
//! and point i is the exclusive or of the v_k over the bits k of the Gray code i ⊕ (i >> 1). Coordinates are the 32
//! bits of it over 2³². The first dimension has m_k = 1, which is van der Corput's sequence.

/// Bits of a coordinate: as many points has the sequence.
const BITS: usize = 32;

/// s, the bits a₁ … a_(s−1), and m₁ … m_s, from the second dimension on.
const TABLE: [(usize, u32, &[u32]); 20] = [
    (1, 0, &[1]),
    (2, 1, &[1, 3]),
    (3, 1, &[1, 3, 1]),
    (3, 2, &[1, 1, 1]),
    (4, 1, &[1, 1, 3, 3]),
    (4, 4, &[1, 3, 5, 13]),
    (5, 2, &[1, 1, 5, 5, 17]),
    (5, 4, &[1, 1, 5, 5, 5]),
    (5, 7, &[1, 1, 7, 11, 19]),
    (5, 11, &[1, 1, 5, 1, 1]),
    (5, 13, &[1, 1, 1, 3, 11]),
    (5, 14, &[1, 3, 5, 5, 31]),
    (6, 1, &[1, 3, 3, 9, 7, 49]),
    (6, 13, &[1, 1, 1, 15, 21, 21]),
    (6, 16, &[1, 3, 1, 13, 27, 49]),
    (6, 19, &[1, 1, 1, 15, 7, 5]),
    (6, 22, &[1, 3, 1, 15, 13, 25]),
    (6, 25, &[1, 1, 5, 5, 19, 61]),
    (7, 1, &[1, 3, 7, 11, 23, 15, 103]),
    (7, 4, &[1, 3, 7, 13, 13, 15, 69]),
];

/// The most dimensions.
pub(super) const DIMENSIONS: usize = TABLE.len() + 1;

/// The direction numbers of a dimension below [`DIMENSIONS`], as the leading bits of 32.
fn directions(dimension: usize) -> [u32; BITS] {
    let mut v = [0; BITS];
    let Some((s, a, m)) = dimension.checked_sub(1).and_then(|k| TABLE.get(k)) else {
        return std::array::from_fn(|k| 1 << (BITS - 1 - k));
    };
    for k in 0..BITS {
        v[k] = if k < *s {
            m[k] << (BITS - 1 - k)
        } else {
            let mut next = v[k - s] ^ (v[k - s] >> s);
            for j in 1..*s {
                if (a >> (s - 1 - j)) & 1 == 1 {
                    next ^= v[k - j];
                }
            }
            next
        };
    }
    v
}

/// A coordinate of a point, within [0, 1), shifted by the bits of `shift`.
pub(super) fn coordinate(dimension: usize, point: u32, shift: u32) -> f64 {
    let gray = point ^ (point >> 1);
    let v = directions(dimension);
    let bits = (0..BITS).filter(|k| (gray >> k) & 1 == 1).fold(shift, |bits, k| bits ^ v[k]);
    f64::from(bits) / 4_294_967_296.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_points_are_those_of_another_hand() {
        // scipy.stats.qmc.Sobol(3, scramble=False).random(6)
        let expected = [
            [0.0, 0.0, 0.0],
            [0.5, 0.5, 0.5],
            [0.75, 0.25, 0.25],
            [0.25, 0.75, 0.75],
            [0.375, 0.375, 0.625],
            [0.875, 0.875, 0.125],
        ];
        for (point, expected) in expected.iter().enumerate() {
            let found: [f64; 3] = std::array::from_fn(|d| coordinate(d, point as u32, 0));
            assert_eq!(found, *expected, "point {point}");
        }
    }

    #[test]
    fn a_late_point_of_all_dimensions_is_that_of_another_hand() {
        // scipy.stats.qmc.Sobol(21, scramble=False).random(1024)[1000] * 1024
        let expected = [
            225, 99, 531, 693, 287, 929, 47, 921, 513, 71, 87, 261, 165, 393, 147, 379, 737, 353, 1015, 743,
            535,
        ];
        let found: [f64; DIMENSIONS] = std::array::from_fn(|d| coordinate(d, 1000, 0) * 1024.0);
        assert_eq!(found, expected.map(f64::from));
    }

    #[test]
    fn every_dimension_puts_one_of_a_power_of_two_of_points_into_each_interval() {
        for dimension in 0..DIMENSIONS {
            for shift in [0, 0x9e37_79b9] {
                let mut seen = [0; 256];
                for point in 0..256 {
                    seen[(coordinate(dimension, point, shift) * 256.0) as usize] += 1;
                }
                assert!(seen.iter().all(|&n| n == 1), "dimension {dimension}");
            }
        }
    }

    #[test]
    fn any_two_dimensions_are_different_sequences() {
        let points = |d: usize| -> Vec<u64> {
            (0..64).map(|k| (coordinate(d, k, 0) * 4_294_967_296.0) as u64).collect()
        };
        for a in 0..DIMENSIONS {
            for b in 0..a {
                assert_ne!(points(a), points(b), "{a} {b}");
            }
        }
    }
}
