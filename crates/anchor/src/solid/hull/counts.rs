//! Into how many pieces the profile of a hull is cut.
//!
//! A piece of an arc of the radius R that turns by the angle a is R (1 − cos(a/2)) away from its chord at most.

/// How many pieces each part of the profile has.
pub(super) struct Counts {
    pub(super) bore: usize,
    pub(super) arc: usize,
    /// Zero for a sharp corner.
    pub(super) fillet: usize,
    pub(super) rings: usize,
    pub(super) end: usize,
}

impl Counts {
    /// The points of a profile: bore and pipe, lip, both faces of the plating with their borders, fillet, the inboard
    /// end.
    pub(super) fn points(&self) -> usize {
        2 * self.bore + self.arc + 2 * (self.rings + 1) + self.fillet + self.end - 1
    }
}

/// Into how many pieces an arc is cut so that no chord is farther from it than `chord`.
pub(super) fn pieces(angle: f64, radius: f64, chord: f64) -> usize {
    let most = 2.0 * (1.0 - (chord / radius).min(0.5)).acos();
    // A chord error that needs more than this many is refused where columns and triangles are counted.
    (angle / most).ceil().min(1e6) as usize
}
