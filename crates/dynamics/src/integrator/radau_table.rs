//! Coefficients of Radau IIA with three and five stages, and the polynomial of a step.
//!
//! The nodes cᵢ are the zeros of dˢ⁻¹/dxˢ⁻¹ [xˢ⁻¹ (x − 1)ˢ]; aᵢⱼ = ∫₀^cᵢ ℓⱼ with the Lagrange polynomials over the
//! nodes. A⁻¹ has one real eigenvalue γ and pairs α ± iβ; with the eigenvectors T, whose last entries are one,
//! T⁻¹ A⁻¹ T = diag(γ, (α −β; β α), …). Computed with 50 digits and rounded to double.
//!
//! Source: Hairer, Wanner, Solving Ordinary Differential Equations II (2nd edition), section IV.5 and eqs. IV.8.6 to
//! 8.8; Stiff differential equations solved by Radau methods, J. Comput. Appl. Math. 111 (1999).

use rattleback_geom::nalgebra::Complex;

/// One method.
#[derive(Debug)]
pub(super) struct Table {
    /// cᵢ.
    pub nodes: &'static [f64],
    /// γ.
    pub gamma: f64,
    /// α + iβ.
    pub pairs: &'static [Complex<f64>],
    /// T, by rows.
    pub from_modes: &'static [&'static [f64]],
    /// T⁻¹, by rows.
    pub to_modes: &'static [&'static [f64]],
}

/// The most stages.
pub(super) const MAX_STAGES: usize = 5;

/// The methods by their order: 5, 9.
pub(super) static METHODS: [&Table; 2] = [&THREE, &FIVE];

impl Table {
    /// s.
    pub fn stages(&self) -> usize {
        self.nodes.len()
    }

    /// ℓᵢ(x) of the polynomial through 0 at zero and zᵢ at cᵢ; the first s are filled. At zero and at the nodes they
    /// are exact.
    pub fn weights(&self, x: f64) -> [f64; MAX_STAGES] {
        let mut weights = [0.0; MAX_STAGES];
        for (i, &own) in self.nodes.iter().enumerate() {
            let others = self.nodes.iter().enumerate().filter(|&(j, _)| j != i);
            weights[i] = others.fold(x / own, |product, (_, &c)| product * ((x - c) / (own - c)));
        }
        weights
    }

    /// ℓᵢ′(1): of those that vanish there all but one factor is left; the last one's is the sum over its factors.
    pub fn end_slopes(&self) -> [f64; MAX_STAGES] {
        let mut slopes = [0.0; MAX_STAGES];
        let last = self.nodes.len() - 1;
        for (i, &own) in self.nodes.iter().enumerate() {
            let others = self.nodes[..last].iter().enumerate().filter(|&(j, _)| j != i);
            slopes[i] = if i == last {
                others.fold(1.0, |sum, (_, &c)| sum + 1.0 / (1.0 - c))
            } else {
                others.fold(1.0 / own / (own - 1.0), |product, (_, &c)| product * ((1.0 - c) / (own - c)))
            };
        }
        slopes
    }

    /// ℓᵢ′(0).
    pub fn slopes(&self) -> [f64; MAX_STAGES] {
        let mut slopes = [0.0; MAX_STAGES];
        for (i, &own) in self.nodes.iter().enumerate() {
            let others = self.nodes.iter().enumerate().filter(|&(j, _)| j != i);
            slopes[i] = others.fold(1.0 / own, |product, (_, &c)| product * (c / (c - own)));
        }
        slopes
    }
}

/// u of a step: u(0) = 0, u(cᵢ) = zᵢ, for all components.
#[derive(Debug, Clone)]
pub(super) struct Polynomial {
    pub table: &'static Table,
    /// zᵢ; the first s are those of the table.
    pub z: Vec<Vec<f64>>,
}

impl Polynomial {
    pub fn new(n: usize, table: &'static Table) -> Self {
        Self { table, z: vec![vec![0.0; n]; MAX_STAGES] }
    }

    /// Adds u(x) to y.
    pub fn add_to(&self, x: f64, y: &mut [f64]) {
        self.add(&self.table.weights(x), y);
    }

    /// Writes u(1 + cᵢ ratio) − u(1) to zᵢ of a next step, `ratio` times as long, with the nodes of `next`.
    pub fn go_on(&self, ratio: f64, next: &Table, z: &mut [Vec<f64>]) {
        for (z, c) in z.iter_mut().zip(next.nodes) {
            let mut weights = self.table.weights(1.0 + c * ratio);
            weights[self.table.stages() - 1] -= 1.0;
            z.fill(0.0);
            self.add(&weights, z);
        }
    }

    fn add(&self, weights: &[f64; MAX_STAGES], y: &mut [f64]) {
        match self.table.stages() {
            3 => self.add_stages::<3>(weights, y),
            _ => self.add_stages::<MAX_STAGES>(weights, y),
        }
    }

    #[inline(always)]
    fn add_stages<const S: usize>(&self, weights: &[f64; MAX_STAGES], y: &mut [f64]) {
        let z: [&[f64]; S] = std::array::from_fn(|j| &self.z[j][..y.len()]);
        for (i, y) in y.iter_mut().enumerate() {
            *y = (0..S).fold(*y, |sum, j| sum + weights[j] * z[j][i]);
        }
    }
}

/// s = 3.
static THREE: Table = Table {
    nodes: &[0.155_051_025_721_682_2, 0.644_948_974_278_317_8, 1.0],
    gamma: 3.637_834_252_744_496,
    pairs: &[Complex::new(2.681_082_873_627_752, 3.050_430_199_247_410_5)],
    from_modes: &[
        &[0.094_438_762_488_975_24, -0.141_255_295_020_954_2, -0.030_029_194_105_147_424],
        &[0.250_213_122_965_333_3, 0.204_129_352_293_799_94, 0.382_942_112_757_261_9],
        &[1.0, 1.0, 0.0],
    ],
    to_modes: &[
        &[4.178_718_591_551_904, 0.327_682_820_761_062_37, 0.523_376_445_499_449_5],
        &[-4.178_718_591_551_904, -0.327_682_820_761_062_37, 0.476_623_554_500_550_44],
        &[-0.502_872_634_945_786_9, 2.571_926_949_855_605, -0.596_039_204_828_224_9],
    ],
};

/// s = 5.
static FIVE: Table = Table {
    nodes: &[
        0.057_104_196_114_517_68,
        0.276_843_013_638_123_8,
        0.583_590_432_368_916_8,
        0.860_240_135_656_219_5,
        1.0,
    ],
    gamma: 6.286_704_751_729_276_5,
    pairs: &[
        Complex::new(5.700_953_298_671_79, 3.210_265_600_308_549_7),
        Complex::new(3.655_694_325_463_572, 6.543_736_899_360_077),
    ],
    from_modes: &[
        &[
            0.013_576_867_344_947_943,
            -0.011_478_515_255_229_515,
            -0.014_019_858_892_875_41,
            -0.010_242_047_817_908_826,
            0.047_673_877_290_295_72,
        ],
        &[
            0.001_617_900_401_719_087_5,
            -0.007_668_830_749_180_163,
            0.024_708_578_426_518_527,
            0.050_172_864_517_371_06,
            -0.094_331_819_181_611_43,
        ],
        &[
            0.079_157_853_347_447_21,
            0.019_398_463_998_828_95,
            0.081_800_353_703_751_17,
            -0.230_539_534_043_417_95,
            0.102_703_045_380_125_9,
        ],
        &[
            0.412_256_082_680_461_43,
            0.407_601_171_280_199_07,
            0.199_682_427_886_802_54,
            0.377_893_902_248_861_27,
            0.466_744_130_332_494_34,
        ],
        &[1.0, 1.0, 0.0, 1.0, 0.0],
    ],
    to_modes: &[
        &[
            27.697_693_775_684_087,
            12.783_337_911_304_406,
            3.208_489_386_713_43,
            -0.951_490_412_248_916_2,
            0.741_550_496_025_989_5,
        ],
        &[
            -33.041_880_213_519,
            -17.376_953_479_063_566,
            -0.172_129_063_254_005_57,
            -0.099_169_777_982_542_65,
            0.531_228_115_838_306_6,
        ],
        &[
            -8.611_443_979_875_292,
            9.699_991_409_528_808,
            1.914_728_639_696_874_3,
            2.418_692_006_084_94,
            -1.047_463_487_935_337_5,
        ],
        &[
            5.344_186_437_834_912,
            4.593_615_567_759_161,
            -3.036_360_323_459_424_3,
            1.050_660_190_231_459,
            -0.272_778_611_864_296_25,
        ],
        &[
            3.748_059_807_439_805,
            -3.984_965_736_343_885,
            -1.044_415_641_608_018_8,
            1.184_098_568_137_948_6,
            -0.449_917_770_156_780_36,
        ],
    ],
};

#[cfg(test)]
mod tests {
    use super::*;
    use rattleback_geom::nalgebra::DMatrix;

    /// A from the conditions Σⱼ aᵢⱼ cⱼᵏ⁻¹ = cᵢᵏ/k, k = 1 … s.
    fn butcher(table: &Table) -> DMatrix<f64> {
        let s = table.stages();
        let powers = DMatrix::from_fn(s, s, |j, k| table.nodes[j].powi(k as i32));
        let right = DMatrix::from_fn(s, s, |i, k| table.nodes[i].powi(k as i32 + 1) / (k + 1) as f64);
        right * powers.try_inverse().unwrap()
    }

    #[test]
    fn the_last_stage_integrates_to_order_2s_minus_1() {
        for table in METHODS {
            let (a, s) = (butcher(table), table.stages());
            assert_eq!(table.nodes[s - 1], 1.0);
            for k in 1..2 * s {
                let sum: f64 = (0..s).map(|j| a[(s - 1, j)] * table.nodes[j].powi(k as i32 - 1)).sum();
                assert!((sum - 1.0 / k as f64).abs() < 1e-13, "{s} {k}");
            }
        }
    }

    #[test]
    fn slopes_at_both_ends_are_those_of_polynomials() {
        for table in METHODS {
            for k in 1..=table.stages() as i32 {
                let of = |slopes: [f64; MAX_STAGES]| -> f64 {
                    table.nodes.iter().zip(slopes).map(|(c, slope)| slope * c.powi(k)).sum()
                };
                let at_zero = if k == 1 { 1.0 } else { 0.0 };
                assert!((of(table.slopes()) - at_zero).abs() < 1e-12, "{k}");
                assert!((of(table.end_slopes()) - f64::from(k)).abs() < 1e-12, "{k}");
            }
        }
    }

    #[test]
    fn the_transformation_splits_the_inverse_into_its_real_and_complex_parts() {
        for table in METHODS {
            let s = table.stages();
            let rows = |m: &[&[f64]]| DMatrix::from_fn(s, s, |i, j| m[i][j]);
            let (from, to) = (rows(table.from_modes), rows(table.to_modes));
            assert!((&from * &to - DMatrix::identity(s, s)).norm() < 1e-13);
            let mut exact = DMatrix::zeros(s, s);
            exact[(0, 0)] = table.gamma;
            for (k, pair) in table.pairs.iter().enumerate() {
                let at = 2 * k + 1;
                (exact[(at, at)], exact[(at + 1, at + 1)]) = (pair.re, pair.re);
                (exact[(at, at + 1)], exact[(at + 1, at)]) = (-pair.im, pair.im);
            }
            let blocks = to * butcher(table).try_inverse().unwrap() * from;
            assert!((blocks - exact).norm() < 1e-10, "{s}");
        }
        let root = 3.0_f64.cbrt();
        assert!((THREE.gamma - (3.0 + root * root - root)).abs() < 1e-15);
    }

    #[test]
    fn weights_reproduce_polynomials_that_vanish_at_zero_and_their_slopes() {
        for table in METHODS {
            for k in 1..=table.stages() as i32 {
                let at = |weights: [f64; MAX_STAGES]| -> f64 {
                    table.nodes.iter().zip(weights).map(|(c, weight)| c.powi(k) * weight).sum()
                };
                assert!((at(table.weights(0.3)) - 0.3_f64.powi(k)).abs() < 1e-13);
                let slope = if k == 1 { 1.0 } else { 0.0 };
                assert!((at(table.slopes()) - slope).abs() < 1e-12);
            }
            let mut last = [0.0; MAX_STAGES];
            last[table.stages() - 1] = 1.0;
            assert_eq!((table.weights(0.0), table.weights(1.0)), ([0.0; MAX_STAGES], last));
        }
    }
}
