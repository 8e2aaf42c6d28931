//! Random numbers by which a round can be repeated: SplitMix64 (Steele, Lea, Flood 2014).

pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        // Seeds in a row must not give numbers in a row.
        let mut random = Self(seed.wrapping_mul(0xd134_2543_de82_ef95));
        random.next();
        random
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// From zero to below `n`, above zero; the bias of the remainder is of no account.
    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    /// From zero to one.
    pub fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }
}
