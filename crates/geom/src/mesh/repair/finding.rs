//! What was found wrong with a mesh and set right.

use std::fmt;

/// A fault of a mesh that does not keep it from being used, and what is assumed of it.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Finding {
    /// Vertices that are one.
    Welded {
        /// How many have gone.
        vertices: usize,
        /// How far apart they could be, in metres; zero for the same place.
        tolerance: f64,
    },
    /// Triangles without area.
    Degenerate {
        /// How many.
        triangles: usize,
        /// The first of them, from zero.
        first: usize,
    },
    /// Triangles that are there already.
    Repeated {
        /// How many have gone.
        triangles: usize,
    },
    /// Loose pieces with a rim.
    Loose {
        /// How many pieces.
        pieces: usize,
        /// Their triangles.
        triangles: usize,
        /// Their area over that of the whole.
        share: f64,
    },
    /// Holes that were closed because that was asked for.
    Closed {
        /// How many.
        holes: usize,
        /// By so many triangles.
        triangles: usize,
        /// The edges of the largest.
        edges: usize,
        /// The diagonal of its box in metres.
        size: f64,
        /// The middle of its box.
        place: [f64; 3],
    },
    /// Vertices at which rings of triangles touch that share no edge.
    Divided {
        /// How many.
        vertices: usize,
    },
    /// Triangles turned against their neighbours.
    Flipped {
        /// How many were turned.
        triangles: usize,
    },
    /// Closed parts with their inner sides out.
    InsideOut {
        /// How many parts were turned.
        parts: usize,
        /// Their triangles.
        triangles: usize,
    },
    /// Closed parts that add nothing to the solid.
    Idle {
        /// How many have gone.
        parts: usize,
        /// Their triangles.
        triangles: usize,
    },
    /// Closed parts that reach into each other.
    Crossing {
        /// How many.
        parts: usize,
    },
    /// Small closed parts, which are kept.
    Small {
        /// How many.
        parts: usize,
        /// Their triangles.
        triangles: usize,
        /// The volume of the largest of them, in m³.
        volume: f64,
    },
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Welded { vertices, tolerance: 0.0 } => {
                write!(f, "vertices that lie where others do: {vertices}; taken for the same")
            }
            Self::Welded { vertices, tolerance } => {
                write!(f, "vertices within {tolerance:.1e} m of others: {vertices}; taken for the same")
            }
            Self::Degenerate { triangles, first } => {
                write!(f, "triangles without area: {triangles}, the first is number {first}; dropped")
            }
            Self::Repeated { triangles } => {
                write!(f, "triangles that are there twice: {triangles}; taken once")
            }
            Self::Loose { pieces, triangles, share } => write!(
                f,
                "loose pieces with rims: {pieces} (triangles: {triangles}, {:.2} % of the area); dropped",
                100.0 * share
            ),
            Self::Closed { holes, triangles, edges, size, place: [x, y, z] } => write!(
                f,
                "holes: {holes}, the largest of {edges} edges and {size:.4e} m across, about ({x:.4e}, {y:.4e}, {z:.4e}); \
                 closed by triangles: {triangles}"
            ),
            Self::Divided { vertices } => {
                write!(f, "vertices where parts only touch: {vertices}; divided")
            }
            Self::Flipped { triangles } => {
                write!(f, "triangles turned against their neighbours: {triangles}; turned like them")
            }
            Self::InsideOut { parts, triangles } => {
                write!(f, "parts inside out: {parts} (triangles: {triangles}); turned")
            }
            Self::Idle { parts, triangles } => write!(
                f,
                "parts without volume, or inside of others and turned as these: {parts} (triangles: {triangles}); dropped, since \
                 they add nothing (a cavity is turned against what surrounds it)"
            ),
            Self::Crossing { parts } => {
                write!(
                    f,
                    "parts that reach into each other: {parts}; what they share counts twice in the volume"
                )
            }
            Self::Small { parts, triangles, volume } => write!(
                f,
                "small parts: {parts} (triangles: {triangles}, the largest of {volume:.2e} m³); kept as parts of the body"
            ),
        }
    }
}
