//! Bytes as text: base64 (RFC 4648, section 4), for pictures inside pages.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The text of bytes, with padding.
pub(crate) fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let bits = (0..3).fold(0u32, |bits, k| bits << 8 | u32::from(group.get(k).copied().unwrap_or(0)));
        for k in 0..4 {
            let six = (bits >> (18 - 6 * k) & 63) as usize;
            // n bytes need n + 1 letters; the rest is padding.
            text.push(if k <= group.len() { char::from(ALPHABET[six]) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_vectors_of_the_standard_come_out() {
        let vectors = ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"];
        for (length, expected) in vectors.iter().enumerate() {
            assert_eq!(encode(&b"foobar"[..length]), *expected);
        }
        assert_eq!(encode(&[0xff, 0xef, 0xbe]), "/+++");
    }
}
