//! Fingerprints of bytes, by which files are known again: FNV-1a with 64 bits (G. Fowler, L. C. Noll, K.-P. Vo),
//!
//!   h₀ = 14695981039346656037,   h ← (h ⊕ byte) · 1099511628211 mod 2⁶⁴.
//!
//! A step is one to one in h for a given byte and in the byte for a given h: bytes of the same number that differ in
//! one place only never share a fingerprint, others do with a chance of 2⁻⁶⁴. It proves nothing against malice.

use std::fmt;

/// A fingerprint of the bytes seen so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fingerprint(u64);

impl Default for Fingerprint {
    /// That of no bytes.
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fingerprint {
    /// The fingerprint of some bytes.
    pub fn of(bytes: &[u8]) -> Self {
        let mut fingerprint = Self::default();
        fingerprint.add(bytes);
        fingerprint
    }

    /// Sees more bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        self.0 = bytes.iter().fold(self.0, step);
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprints_have_their_published_values_however_the_bytes_come() {
        // Test vectors of draft-eastlake-fnv.
        for (text, expected) in
            [("", "cbf29ce484222325"), ("a", "af63dc4c8601ec8c"), ("foobar", "85944171f73967e8")]
        {
            assert_eq!(Fingerprint::of(text.as_bytes()).to_string(), expected);
        }
        let mut parts = Fingerprint::of(b"foo");
        parts.add(b"bar");
        assert_eq!(parts, Fingerprint::of(b"foobar"));
    }
}
