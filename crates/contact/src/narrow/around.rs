//! Looking around the sphere of normals for the least translation of overlapping bodies.
//!
//! Local maxima of f are few and broad: one per pair of opposite faces, at most. A fixed set of directions is tried in
//! the frame of each body, its axes and the diagonals between them, and the best few that are not neighbours of each
//! other are climbed from.

use rattleback_geom::{Mat3, Vec3};

/// How many starts are climbed from.
pub(crate) const STARTS: usize = 6;

/// The 26 directions to the faces, edges and corners of a cube.
fn cube() -> [Vec3; 26] {
    let mut list = [Vec3::zeros(); 26];
    let mut k = 0;
    for code in 0..27 {
        let v = Vec3::new((code % 3) as f64 - 1.0, (code / 3 % 3) as f64 - 1.0, (code / 9) as f64 - 1.0);
        if v.norm_squared() > 0.0 {
            list[k] = v.normalize();
            k += 1;
        }
    }
    list
}

/// The best starts by `height`, in falling order; at most [`STARTS`] of them. Beside the directions of both cubes the
/// cross products of their edges are tried: where boxes part edge against edge.
///
/// For bodies that are their own mirror images, placed `apart`, the half of the sphere towards `apart` is enough.
pub(crate) fn starts(
    rotation: &Mat3,
    apart: Option<&Vec3>,
    height: impl Fn(&Vec3) -> f64,
) -> ([Vec3; STARTS], usize) {
    let mut all = [(f64::NEG_INFINITY, Vec3::z()); 70];
    let mut tried = 0;
    let mut try_out = |d: Vec3| {
        if apart.is_none_or(|r| d.dot(r) >= 0.0) {
            all[tried] = (height(&d), d);
            tried += 1;
        }
    };
    for d in cube() {
        try_out(d);
        try_out(rotation * d);
    }
    for k in 0..9 {
        let edge = Vec3::ith(k / 3, 1.0).cross(&rotation.column(k % 3));
        let length = edge.norm();
        if length > 1e-6 {
            try_out(edge / length);
            try_out(-edge / length);
        }
    }
    choose(&mut all[..tried])
}

/// The highest, then the highest that is not beside it, and so on.
fn choose(all: &mut [(f64, Vec3)]) -> ([Vec3; STARTS], usize) {
    let mut chosen = [Vec3::z(); STARTS];
    for count in 0..STARTS {
        let (f, best) =
            all.iter().fold((f64::NEG_INFINITY, Vec3::z()), |b, x| if x.0 > b.0 { *x } else { b });
        if f == f64::NEG_INFINITY {
            return (chosen, count);
        }
        chosen[count] = best;
        // Closer than 30° to a better start is the same hill.
        for (f, d) in all.iter_mut().filter(|(_, d)| d.dot(&best) >= 0.866) {
            (*f, *d) = (f64::NEG_INFINITY, best);
        }
    }
    (chosen, STARTS)
}
