//! Looking around the sphere of normals for the least translation of overlapping bodies.
//!
//! Local maxima of f are few and broad: one per pair of opposite faces, at most. A fixed set of directions is tried in
//! the frame of each body, its axes and the diagonals between them, and the best few that are not neighbours of each
//! other are climbed from.

use rattleback_geom::{Mat3, Vec3};

/// How many starts are climbed from.
pub(crate) const STARTS: usize = 6;

/// The 26 directions to the faces, edges and corners of a cube are these 13 and their opposites.
const CUBE: [Vec3; 13] = {
    /// √½ and √⅓.
    const E: f64 = std::f64::consts::FRAC_1_SQRT_2;
    const C: f64 = 0.577_350_269_189_625_8;
    [
        Vec3::new(1.0, 0.0, 0.0),
        Vec3::new(0.0, 1.0, 0.0),
        Vec3::new(0.0, 0.0, 1.0),
        Vec3::new(0.0, E, E),
        Vec3::new(0.0, E, -E),
        Vec3::new(E, 0.0, E),
        Vec3::new(-E, 0.0, E),
        Vec3::new(E, E, 0.0),
        Vec3::new(E, -E, 0.0),
        Vec3::new(C, C, C),
        Vec3::new(-C, C, C),
        Vec3::new(C, -C, C),
        Vec3::new(C, C, -C),
    ]
};

/// Both cubes and the cross products of their edges, in both senses.
const MAX_DIRECTIONS: usize = 2 * (2 * CUBE.len() + 9);

/// The best starts by `heights`, asked two directions at once, in falling order; at most [`STARTS`] of them. Beside the
/// directions of both cubes the cross products of their edges are tried: where boxes part edge against edge.
///
/// For bodies that are their own mirror images, placed `apart`, the half of the sphere towards `apart` is enough.
pub(crate) fn starts(
    rotation: &Mat3,
    apart: Option<&Vec3>,
    heights: impl Fn([&Vec3; 2]) -> [f64; 2],
) -> ([Vec3; STARTS], usize) {
    let mut all = [Vec3::z(); MAX_DIRECTIONS];
    let mut tried = 0;
    let mut try_out = |d: Vec3| match apart {
        Some(r) => {
            all[tried] = if d.dot(r) >= 0.0 { d } else { -d };
            tried += 1;
        }
        None => {
            (all[tried], all[tried + 1]) = (d, -d);
            tried += 2;
        }
    };
    for d in &CUBE {
        try_out(*d);
        try_out(rotation * d);
    }
    for k in 0..9 {
        let edge = Vec3::ith(k / 3, 1.0).cross(&rotation.column(k % 3));
        let length = edge.norm();
        if length > 1e-6 {
            try_out(edge / length);
        }
    }
    let mut height = [f64::NEG_INFINITY; MAX_DIRECTIONS];
    for k in (0..tried).step_by(2) {
        // One beyond the last is a direction like any other, and not looked at.
        let both = heights([&all[k], &all[k + 1]]);
        height[k..k + 2].copy_from_slice(&both);
    }
    choose(&all[..tried], &mut height[..tried])
}

/// The highest, then the highest that is not beside it, and so on.
fn choose(all: &[Vec3], height: &mut [f64]) -> ([Vec3; STARTS], usize) {
    let mut chosen = [Vec3::z(); STARTS];
    for count in 0..STARTS {
        let mut best = (f64::NEG_INFINITY, 0);
        for (k, &f) in height.iter().enumerate() {
            best = if f > best.0 { (f, k) } else { best };
        }
        if best.0 == f64::NEG_INFINITY {
            return (chosen, count);
        }
        let top = all[best.1];
        chosen[count] = top;
        // Closer than 30° to a better start is the same hill.
        for (f, d) in height.iter_mut().zip(all) {
            *f = if d.dot(&top) >= 0.866 { f64::NEG_INFINITY } else { *f };
        }
    }
    (chosen, STARTS)
}
