//! Which bodies can meet at all, wherever they are.

/// Whether a body can move; two static bodies are never a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Never moves by itself.
    Static,
    /// Moves.
    Moving,
}

/// Which bodies a body can meet: a and b meet if a.group & b.mask and b.group & a.mask are both non-zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Filter {
    /// The groups that the body belongs to, one per bit.
    pub group: u32,
    /// The groups that it meets.
    pub mask: u32,
}

impl Default for Filter {
    /// In the first group, meeting all.
    fn default() -> Self {
        Self { group: 1, mask: u32::MAX }
    }
}

impl Filter {
    /// Whether bodies with these filters meet.
    #[inline]
    pub fn admits(&self, other: &Self) -> bool {
        self.group & other.mask != 0 && other.group & self.mask != 0
    }
}
