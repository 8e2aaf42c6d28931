//! Numbers as they are shown to people: in as many digits as tell them, with an exponent where they are large or small.

use std::fmt;

/// A number to be shown: the shortest digits that give it back, with an exponent from 1e16 on and below 1e-5, where
/// plain ones would be zeros.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Brief(pub f64);

impl fmt::Display for Brief {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.0.abs();
        if size == 0.0 || !size.is_finite() || (1e-5..1e16).contains(&size) {
            write!(f, "{}", self.0)
        } else {
            write!(f, "{:e}", self.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Brief;

    #[test]
    fn what_is_shown_is_short_and_gives_the_number_back() {
        let shown = [
            (1e300, "1e300"),
            (-1e300, "-1e300"),
            (5e-324, "5e-324"),
            (-1.0, "-1"),
            (0.1, "0.1"),
            (0.0, "0"),
            (1e20, "1e20"),
            (9.5e15, "9500000000000000"),
            (1e-5, "0.00001"),
            (f64::NAN, "NaN"),
            (f64::INFINITY, "inf"),
        ];
        for (number, text) in shown {
            assert_eq!(Brief(number).to_string(), text);
            let back: f64 = text.parse().unwrap();
            assert!(back == number || number.is_nan());
        }
        assert_eq!(Brief(f64::MAX).to_string().parse(), Ok(f64::MAX));
    }
}
