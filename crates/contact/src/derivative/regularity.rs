//! What of a contact has derivatives.

/// What of a contact is differentiable, from all to nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Regularity {
    /// Everything.
    Smooth,
    /// Everything; the curvature across an edge is infinite and stays so, its rate is zero.
    Edge,
    /// Gap, normal and points; a curvature has no derivative (two of them are equal and part, or it is zero or infinite
    /// at this place alone). Its rates are zero.
    Kink,
    /// The gap. A point is where curvature jumps: the derivatives of normal and points are those on one side.
    Seam,
    /// The gap by translations. Flats or generators of both bodies are parallel and the points are not unique: from
    /// where they were found they go along with a half-space, where there is one, and otherwise midway between both
    /// bodies.
    Parallel,
    /// Nothing: the normal is not unique. The rates are those of the part of the motion that keeps it.
    Focal,
}

impl Regularity {
    /// Whether gap, normal and points are differentiable.
    pub fn has_points(self) -> bool {
        self < Self::Seam
    }

    /// Whether the gap is differentiable.
    pub fn has_gap(self) -> bool {
        self < Self::Parallel
    }

    /// Whether all curvatures are differentiable that are finite.
    pub fn has_curvatures(self) -> bool {
        self < Self::Kink
    }
}
