//! What is drawn for an input: numbers that are the same in every run.

/// A stream of numbers.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// The stream of one input.
    pub fn new(seed: u64, number: u64) -> Self {
        Self(rattleback_random::stream(seed, number))
    }

    /// Any 64 bits.
    pub fn bits(&mut self) -> u64 {
        rattleback_random::bits(&mut self.0)
    }

    /// A number below `count`; zero where there is none.
    pub fn below(&mut self, count: usize) -> usize {
        rattleback_random::below(&mut self.0, count)
    }

    /// True once in `count` times.
    pub fn once_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    /// One of a list that is not empty.
    pub fn pick<'l, T>(&mut self, list: &'l [T]) -> &'l T {
        &list[self.below(list.len())]
    }

    /// Evenly from 0 to 1.
    pub fn real(&mut self) -> f64 {
        rattleback_random::unit(&mut self.0)
    }

    /// A range of places within a length, not longer than `most`.
    pub fn range(&mut self, length: usize, most: usize) -> std::ops::Range<usize> {
        let begin = self.below(length);
        let size = self.below(most.min(length - begin) + 1);
        begin..begin + size
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_is_the_same_whenever_it_is_made_and_another_for_another_number() {
        let take = |seed, number| -> Vec<u64> {
            let mut random = Random::new(seed, number);
            (0..8).map(|_| random.bits()).collect()
        };
        assert_eq!(take(1, 2), take(1, 2));
        assert_ne!(take(1, 2), take(1, 3));
        assert_ne!(take(1, 2), take(2, 2));
    }

    #[test]
    fn ranges_stay_within_their_length() {
        let mut random = Random::new(7, 7);
        for length in 0..50 {
            let range = random.range(length, 9);
            assert!(range.end <= length && range.len() <= 9, "{range:?} of {length}");
        }
    }
}
