//! Numbers of linear systems, real and complex, two at a time: as [`f64`] lie in a vector register of every processor.
//!
//! A pair of complex numbers is ((Re z₁, Re z₂), (Im z₁, Im z₂)). The products are those of the numbers one by one, to
//! the last bit.

use rattleback_geom::nalgebra::{Complex, ComplexField};

/// A number of a linear system.
pub(super) trait Number: ComplexField<RealField = f64> + Copy {
    /// Two of them.
    type Pair: Copy + std::fmt::Debug;

    /// Both zero.
    const ZEROS: Self::Pair;

    /// The first or the second one.
    fn get(pair: &Self::Pair, place: usize) -> Self;

    /// Puts one in the first or the second place.
    fn set(pair: &mut Self::Pair, place: usize, value: Self);

    /// Whether both are zero.
    fn are_zero(pair: &Self::Pair) -> bool;

    /// ∣Re∣ + ∣Im∣ of both.
    fn sizes(pair: &Self::Pair) -> [f64; 2];

    /// Two real numbers with the other sign.
    fn negative(pair: &[f64; 2]) -> Self::Pair;

    /// pair *= factor.
    fn scale_pair(pair: &mut Self::Pair, factor: Self);

    /// target −= factor × pair.
    fn subtract(target: &mut Self::Pair, pair: &Self::Pair, factor: Self);

    /// The same with a pair of real numbers.
    fn subtract_real(target: &mut Self::Pair, pair: &[f64; 2], factor: Self);

    /// The same for many pairs.
    #[inline(always)]
    fn subtract_all(targets: &mut [Self::Pair], pairs: &[Self::Pair], factor: Self) {
        targets.iter_mut().zip(pairs).for_each(|(target, pair)| Self::subtract(target, pair, factor));
    }

    /// The same for many pairs of real numbers.
    #[inline(always)]
    fn subtract_all_real(targets: &mut [Self::Pair], pairs: &[[f64; 2]], factor: Self) {
        targets.iter_mut().zip(pairs).for_each(|(target, pair)| Self::subtract_real(target, pair, factor));
    }
}

impl Number for f64 {
    type Pair = [f64; 2];

    const ZEROS: Self::Pair = [0.0; 2];

    #[inline(always)]
    fn get(pair: &[f64; 2], place: usize) -> f64 {
        pair[place]
    }

    #[inline(always)]
    fn set(pair: &mut [f64; 2], place: usize, value: f64) {
        pair[place] = value;
    }

    #[inline(always)]
    fn are_zero(pair: &[f64; 2]) -> bool {
        *pair == [0.0; 2]
    }

    #[inline(always)]
    fn sizes(pair: &[f64; 2]) -> [f64; 2] {
        pair.map(f64::abs)
    }

    #[inline(always)]
    fn negative(pair: &[f64; 2]) -> [f64; 2] {
        pair.map(|entry| -entry)
    }

    #[inline(always)]
    fn scale_pair(pair: &mut [f64; 2], factor: f64) {
        *pair = pair.map(|entry| entry * factor);
    }

    #[inline(always)]
    fn subtract(target: &mut [f64; 2], pair: &[f64; 2], factor: f64) {
        for (target, entry) in target.iter_mut().zip(pair) {
            *target -= entry * factor;
        }
    }

    #[inline(always)]
    fn subtract_real(target: &mut [f64; 2], pair: &[f64; 2], factor: f64) {
        Self::subtract(target, pair, factor);
    }
}

impl Number for Complex<f64> {
    type Pair = [[f64; 2]; 2];

    const ZEROS: Self::Pair = [[0.0; 2]; 2];

    #[inline(always)]
    fn get([re, im]: &Self::Pair, place: usize) -> Self {
        Complex::new(re[place], im[place])
    }

    #[inline(always)]
    fn set([re, im]: &mut Self::Pair, place: usize, value: Self) {
        (re[place], im[place]) = (value.re, value.im);
    }

    #[inline(always)]
    fn are_zero(pair: &Self::Pair) -> bool {
        *pair == Self::ZEROS
    }

    #[inline(always)]
    fn sizes([re, im]: &Self::Pair) -> [f64; 2] {
        [re[0].abs() + im[0].abs(), re[1].abs() + im[1].abs()]
    }

    #[inline(always)]
    fn negative(pair: &[f64; 2]) -> Self::Pair {
        [pair.map(|entry| -entry), [0.0; 2]]
    }

    #[inline(always)]
    fn scale_pair([re, im]: &mut Self::Pair, factor: Self) {
        for (re, im) in re.iter_mut().zip(im) {
            (*re, *im) = (*re * factor.re - *im * factor.im, *re * factor.im + *im * factor.re);
        }
    }

    #[inline(always)]
    fn subtract([target_re, target_im]: &mut Self::Pair, [re, im]: &Self::Pair, factor: Self) {
        for k in 0..2 {
            target_re[k] -= re[k] * factor.re - im[k] * factor.im;
            target_im[k] -= re[k] * factor.im + im[k] * factor.re;
        }
    }

    #[inline(always)]
    fn subtract_real([target_re, target_im]: &mut Self::Pair, pair: &[f64; 2], factor: Self) {
        for k in 0..2 {
            target_re[k] -= pair[k] * factor.re;
            target_im[k] -= pair[k] * factor.im;
        }
    }
}
