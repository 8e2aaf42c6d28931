//! Numbers as text: the fewest digits that give the same bits back, plain or with an exponent, whichever is shorter.

use std::io::Write;

/// Appends a number. A NaN is `NaN`, whatever its sign; infinities are `inf` and `-inf`, zero keeps its sign.
pub(super) fn push(out: &mut Vec<u8>, value: f64) {
    if value.is_nan() {
        out.extend_from_slice(b"NaN");
        return;
    }
    if value.is_infinite() {
        out.extend_from_slice(if value > 0.0 { b"inf" } else { b"-inf" });
        return;
    }
    // The longest is -d.dddddddddddddddde-ddd.
    let mut room = [0; 32];
    let mut rest: &mut [u8] = &mut room;
    // 24 characters fit.
    let _ = write!(rest, "{value:e}");
    let length = 32 - rest.len();
    let text = &room[..length];
    let (text, negative) = match text.strip_prefix(b"-") {
        Some(text) => (text, true),
        None => (text, false),
    };
    if negative {
        out.push(b'-');
    }
    let at = text.iter().position(|&c| c == b'e').unwrap_or(text.len());
    let exponent =
        std::str::from_utf8(&text[(at + 1).min(text.len())..]).ok().and_then(|e| e.parse::<i32>().ok());
    match exponent {
        Some(exponent) => push_digits(out, text, at, exponent),
        None => out.extend_from_slice(text),
    }
}

/// `text` is d.ddd or d up to `at`, and the whole of it with its exponent.
fn push_digits(out: &mut Vec<u8>, text: &[u8], at: usize, exponent: i32) {
    let digits = || text[..at].iter().copied().filter(|&c| c != b'.');
    let count = if at > 1 { at as i32 - 1 } else { 1 };
    // The lengths of both ways to write it.
    let plain = match exponent {
        e if e < 0 => 1 - e + count,
        e if e + 1 >= count => e + 1,
        _ => count + 1,
    };
    if plain > text.len() as i32 {
        out.extend_from_slice(text);
    } else if exponent < 0 {
        out.extend_from_slice(b"0.");
        out.extend(std::iter::repeat_n(b'0', (-exponent - 1) as usize));
        out.extend(digits());
    } else {
        let whole = exponent as usize + 1;
        out.extend(digits().chain(std::iter::repeat(b'0')).take(whole));
        if count as usize > whole {
            out.push(b'.');
            out.extend(digits().skip(whole));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(value: f64) -> String {
        let mut out = Vec::new();
        push(&mut out, value);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn the_shorter_way_is_taken() {
        for (value, expected) in [
            (0.0, "0"),
            (-0.0, "-0"),
            (1.0, "1"),
            (-1.5, "-1.5"),
            (0.01, "0.01"),
            (1e-5, "1e-5"),
            (1.25e-5, "1.25e-5"),
            (0.00123456, "0.00123456"),
            (100.0, "100"),
            (1e5, "1e5"),
            (123456.0, "123456"),
            (123456.75, "123456.75"),
            (f64::MAX, "1.7976931348623157e308"),
            (f64::from_bits(1), "5e-324"),
            (f64::INFINITY, "inf"),
            (f64::NEG_INFINITY, "-inf"),
            (f64::NAN, "NaN"),
        ] {
            assert_eq!(text(value), expected);
        }
    }

    #[test]
    fn every_number_comes_back_with_its_bits_and_is_never_longer_than_either_way() {
        // Multiplicative hashing (Knuth) spreads the patterns over all exponents and mantissas.
        for k in 0..200_000u64 {
            let value = f64::from_bits(k.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left((k % 64) as u32));
            if value.is_nan() {
                continue;
            }
            let text = text(value);
            assert_eq!(text.parse::<f64>().unwrap().to_bits(), value.to_bits(), "{text}");
            assert_eq!(text.len(), format!("{value}").len().min(format!("{value:e}").len()), "{text}");
        }
        assert_eq!(text(f64::NAN).parse::<f64>().unwrap().to_bits(), f64::NAN.to_bits());
    }
}
