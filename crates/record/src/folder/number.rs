//! Numbers as text: the fewest digits that give the same bits back, plain or with an exponent, whichever is shorter.

/// Digits at most of the shortest text of a number.
const MOST: usize = 17;

/// Appends a number. A NaN is `NaN`, whatever its sign; infinities are `inf` and `-inf`, zero keeps its sign.
pub(super) fn push(out: &mut Vec<u8>, value: f64) {
    if value.is_nan() {
        return out.extend_from_slice(b"NaN");
    }
    if value.is_sign_negative() {
        out.push(b'-');
    }
    if value.is_infinite() {
        return out.extend_from_slice(b"inf");
    }
    if value == 0.0 {
        return out.push(b'0');
    }
    let mut buffer = zmij::Buffer::new();
    let (digits, count, exponent) = digits(buffer.format_finite(value.abs()).as_bytes());
    push_digits(out, &digits[..count], exponent);
}

/// The digits of a number that is written with a point, an exponent or both, from the first to the last that is not
/// zero, how many they are, and the exponent of ten of the first one.
fn digits(text: &[u8]) -> ([u8; MOST], usize, i32) {
    let (mut digits, mut count, mut kept) = ([0; MOST], 0, 0);
    // Places before the point, counted from the first digit that is not zero; below zero for zeros after the point.
    let (mut places, mut has_point, mut exponent) = (0, false, 0);
    for (at, &c) in text.iter().enumerate() {
        match c {
            b'.' => has_point = true,
            b'e' => {
                exponent =
                    std::str::from_utf8(&text[at + 1..]).ok().and_then(|e| e.parse().ok()).unwrap_or(0);
                break;
            }
            b'0' if count == 0 => places -= i32::from(has_point),
            _ => {
                if count < MOST {
                    digits[count] = c;
                    count += 1;
                    kept = if c == b'0' { kept } else { count };
                }
                places += i32::from(!has_point);
            }
        }
    }
    (digits, kept, places - 1 + exponent)
}

/// d.ddd times a power of ten, the shorter way.
fn push_digits(out: &mut Vec<u8>, digits: &[u8], exponent: i32) {
    let count = digits.len() as i32;
    // The lengths of both ways to write it.
    let plain = match exponent {
        e if e < 0 => 1 - e + count,
        e if e + 1 >= count => e + 1,
        _ => count + 1,
    };
    let width = |e: i32| 1 + i32::from(e >= 10) + i32::from(e >= 100);
    let mantissa = if count > 1 { count + 1 } else { 1 };
    let scientific = mantissa + 1 + i32::from(exponent < 0) + width(exponent.abs());
    if plain > scientific {
        out.push(digits[0]);
        if count > 1 {
            out.push(b'.');
            out.extend_from_slice(&digits[1..]);
        }
        push_exponent(out, exponent);
    } else if exponent < 0 {
        out.extend_from_slice(b"0.");
        out.extend(std::iter::repeat_n(b'0', (-exponent - 1) as usize));
        out.extend_from_slice(digits);
    } else {
        let whole = exponent as usize + 1;
        let (before, after) = digits.split_at(whole.min(digits.len()));
        out.extend_from_slice(before);
        out.extend(std::iter::repeat_n(b'0', whole - before.len()));
        if !after.is_empty() {
            out.push(b'.');
            out.extend_from_slice(after);
        }
    }
}

/// An exponent of at most three digits.
fn push_exponent(out: &mut Vec<u8>, exponent: i32) {
    out.push(b'e');
    if exponent < 0 {
        out.push(b'-');
    }
    let size = exponent.unsigned_abs();
    for unit in [100, 10, 1] {
        if size >= unit || unit == 1 {
            out.push(b'0' + (size / unit % 10) as u8);
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
