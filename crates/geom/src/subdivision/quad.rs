//! The unit square as the domain of a face of four corners: (0, 0), (1, 0), (1, 1), (0, 1); side k runs from corner k
//! to corner k + 1.
//!
//! Seen from side k a point has the coordinate x along the side and y into the face, both from its corner k.

/// The coordinates of (u, v) seen from side `k`.
#[inline]
pub(super) fn seen_from(k: usize, [u, v]: [f64; 2]) -> [f64; 2] {
    match k {
        0 => [u, v],
        1 => [v, 1.0 - u],
        2 => [1.0 - u, 1.0 - v],
        _ => [1.0 - v, u],
    }
}

/// The point (u, v) from its coordinates as seen from side `k`.
#[inline]
pub(super) fn from_side(k: usize, [x, y]: [f64; 2]) -> [f64; 2] {
    match k {
        0 => [x, y],
        1 => [1.0 - y, x],
        2 => [1.0 - x, 1.0 - y],
        _ => [y, 1.0 - x],
    }
}

/// The derivatives of x and of y, seen from side `k`, along u and v.
pub(super) const GRADIENTS: [[[f64; 2]; 2]; 4] = [
    [[1.0, 0.0], [0.0, 1.0]],
    [[0.0, 1.0], [-1.0, 0.0]],
    [[-1.0, 0.0], [0.0, -1.0]],
    [[0.0, -1.0], [1.0, 0.0]],
];

/// The way over a side of a quadrilateral face into its neighbour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuadCrossing {
    /// The side that is left.
    pub from: usize,
    /// The neighbour.
    pub face: usize,
    /// The neighbour's side that is entered; it runs against the side that is left.
    pub side: usize,
}

impl QuadCrossing {
    /// The neighbour's parameters of a point of the left face, or of its continuation beyond the side.
    pub fn map(&self, u: f64, v: f64) -> [f64; 2] {
        let [x, y] = seen_from(self.from, [u, v]);
        from_side(self.side, [1.0 - x, -y])
    }

    /// The constant derivative of [`Self::map`]: rows are the neighbour's u and v, columns the left face's.
    pub fn derivative(&self) -> [[f64; 2]; 2] {
        // Seen from the sides the map is a half turn; (x, y) turns back into (u, v) by the transposed rotation.
        let (here, there) = (GRADIENTS[self.from], GRADIENTS[self.side]);
        [0, 1].map(|i| [0, 1].map(|j| -(there[0][i] * here[0][j] + there[1][i] * here[1][j])))
    }
}
