//! Random numbers by which a round can be repeated.

pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(rattleback_random::stream(seed, 0))
    }

    /// From zero to below `n`, above zero; the bias of the remainder is of no account.
    pub fn below(&mut self, n: u64) -> u64 {
        rattleback_random::bits(&mut self.0) % n
    }

    /// From zero to one.
    pub fn share(&mut self) -> f64 {
        rattleback_random::unit(&mut self.0)
    }
}
