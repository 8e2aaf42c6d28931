//! Disjoint sets, and the same with a whole number per member that is known up to a constant per set.

/// Disjoint sets; the root of a set is its least member.
#[derive(Debug, Clone, Default)]
pub(crate) struct Classes(Vec<u32>);

impl Classes {
    /// Starts again with `count` sets of one member.
    pub fn reset(&mut self, count: usize) {
        self.0.clear();
        self.0.extend(0..count as u32);
    }

    /// Adds a set of one member, and tells it.
    pub fn push(&mut self) -> u32 {
        let member = self.0.len() as u32;
        self.0.push(member);
        member
    }

    pub fn root(&mut self, mut i: u32) -> u32 {
        while self.0[i as usize] != i {
            let up = self.0[self.0[i as usize] as usize];
            self.0[i as usize] = up;
            i = up;
        }
        i
    }

    pub fn unite(&mut self, i: u32, j: u32) {
        let (i, j) = (self.root(i), self.root(j));
        self.0[i.max(j) as usize] = i.min(j);
    }
}

/// Numbers w of which differences are known: w(i) = w(parent) + offset.
#[derive(Debug, Clone, Default)]
pub(super) struct Levels {
    parent: Vec<u32>,
    offset: Vec<i32>,
}

impl Levels {
    pub fn reset(&mut self, count: usize) {
        self.parent.clear();
        self.parent.extend(0..count as u32);
        self.offset.clear();
        self.offset.resize(count, 0);
    }

    /// The root of i's set, and w(i) − w(root).
    pub fn root(&mut self, mut i: usize) -> (usize, i32) {
        let mut sum = 0;
        while self.parent[i] as usize != i {
            let up = self.parent[i] as usize;
            self.offset[i] += if self.parent[up] as usize == up { 0 } else { self.offset[up] };
            self.parent[i] = self.parent[up];
            sum += self.offset[i];
            i = self.parent[i] as usize;
        }
        (i, sum)
    }

    /// Learns that w(j) − w(i) = `step`.
    pub fn relate(&mut self, i: usize, j: usize, step: i32) {
        let ((i, above_i), (j, above_j)) = (self.root(i), self.root(j));
        let step = above_i + step - above_j;
        if i < j {
            self.parent[j] = i as u32;
            self.offset[j] = step;
        } else if j < i {
            self.parent[i] = j as u32;
            self.offset[i] = -step;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_known_along_any_chain_of_differences() {
        let mut levels = Levels::default();
        levels.reset(6);
        let w = [3, 1, 4, 1, 5, 9];
        for (i, j) in [(5, 4), (3, 2), (4, 3), (0, 1), (1, 5)] {
            levels.relate(i, j, w[j] - w[i]);
        }
        for i in 0..6 {
            assert_eq!(levels.root(i), (0, w[i] - w[0]));
        }
    }
}
