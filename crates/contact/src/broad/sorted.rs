//! A list of pairs (i, j), i < j, sorted by counting.
//!
//! The pushed pairs are spread into one run per i, then each run, which is as long as a body has neighbours, is sorted
//! by j. That is linear in bodies and pairs, and the buffers are kept.

/// The list.
#[derive(Debug, Clone, Default)]
pub(super) struct SortedPairs {
    pushed: Vec<(u32, u32)>,
    sorted: Vec<(u32, u32)>,
    ends: Vec<u32>,
}

impl SortedPairs {
    /// Empties the list.
    pub fn clear(&mut self) {
        self.pushed.clear();
    }

    /// Adds a pair; the order of the two does not matter.
    #[inline]
    pub fn push(&mut self, i: u32, j: u32) {
        self.pushed.push((i.min(j), i.max(j)));
    }

    /// All pushed pairs in order; their ids are below `ids`.
    pub fn sort(&mut self, ids: usize) -> &[(u32, u32)] {
        self.ends.clear();
        self.ends.resize(ids, 0);
        for &(i, _) in &self.pushed {
            self.ends[i as usize] += 1;
        }
        let mut sum = 0;
        for end in &mut self.ends {
            let count = *end;
            *end = sum;
            sum += count;
        }
        // Each entry starts at the head of its run and has become the end of it when all pairs are placed.
        self.sorted.clear();
        self.sorted.resize(self.pushed.len(), (0, 0));
        for &(i, j) in &self.pushed {
            let end = &mut self.ends[i as usize];
            self.sorted[*end as usize] = (i, j);
            *end += 1;
        }
        let mut start = 0;
        for &end in &self.ends {
            self.sorted[start..end as usize].sort_unstable_by_key(|&(_, j)| j);
            start = end as usize;
        }
        &self.sorted
    }
}

#[cfg(test)]
mod tests {
    use super::SortedPairs;
    use crate::proximity::sample::Random;

    #[test]
    fn the_list_is_what_was_pushed_in_order() {
        let mut random = Random(21);
        let mut list = SortedPairs::default();
        for round in 0..200 {
            list.clear();
            let mut expected = Vec::new();
            for _ in 0..random.below(100) {
                let (i, j) = (random.below(30) as u32, 30 + random.below(30) as u32);
                expected.push((i, j));
                if random.below(2) == 0 { list.push(i, j) } else { list.push(j, i) }
            }
            expected.sort_unstable();
            assert_eq!(list.sort(60), expected, "round {round}");
        }
    }
}
