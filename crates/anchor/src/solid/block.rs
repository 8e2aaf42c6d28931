//! The border of a block of cells, some of them left out, every corner of the grid put where it belongs.
//!
//! Cells that are filled must hang together by faces; then the border is closed. The grid's axes must be right-handed
//! where they are put, so that its faces are turned outwards. Quadrilaterals are cut along their shorter diagonals.

use super::range::Result;
use rattleback_geom::{TriMesh, Vec3};

/// The sides of a cell: the axis across, the end, and the corners counter-clockwise seen from outside.
const SIDES: [(usize, usize, [[usize; 3]; 4]); 6] = [
    (0, 0, [[0, 0, 0], [0, 0, 1], [0, 1, 1], [0, 1, 0]]),
    (0, 1, [[1, 0, 0], [1, 1, 0], [1, 1, 1], [1, 0, 1]]),
    (1, 0, [[0, 0, 0], [1, 0, 0], [1, 0, 1], [0, 0, 1]]),
    (1, 1, [[0, 1, 0], [0, 1, 1], [1, 1, 1], [1, 1, 0]]),
    (2, 0, [[0, 0, 0], [0, 1, 0], [1, 1, 0], [1, 0, 0]]),
    (2, 1, [[0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]]),
];

/// The border of the filled ones among `cells` cells along each axis; `at` puts the grid's corners in place.
pub(super) fn border(
    cells: [usize; 3],
    filled: impl Fn([usize; 3]) -> bool,
    at: impl Fn([usize; 3]) -> Vec3,
) -> Result<TriMesh> {
    let number = |c: [usize; 3]| (c[0] * (cells[1] + 1) + c[1]) * (cells[2] + 1) + c[2];
    let mut ids = vec![u32::MAX; number(cells) + 1];
    let (mut vertices, mut triangles): (Vec<Vec3>, Vec<[u32; 3]>) = (Vec::new(), Vec::new());
    let all =
        (0..cells[0]).flat_map(|i| (0..cells[1]).flat_map(move |j| (0..cells[2]).map(move |k| [i, j, k])));
    for cell in all.filter(|cell| filled(*cell)) {
        for (axis, end, corners) in SIDES {
            let mut beside = cell;
            beside[axis] = if end == 1 { cell[axis] + 1 } else { cell[axis].wrapping_sub(1) };
            if beside[axis] < cells[axis] && filled(beside) {
                continue;
            }
            let [a, b, c, d] = corners.map(|corner| {
                let corner = [cell[0] + corner[0], cell[1] + corner[1], cell[2] + corner[2]];
                let id = &mut ids[number(corner)];
                if *id == u32::MAX {
                    *id = vertices.len() as u32;
                    vertices.push(at(corner));
                }
                *id
            });
            let length = |p: u32, q: u32| (vertices[p as usize] - vertices[q as usize]).norm_squared();
            if length(a, c) <= length(b, d) {
                triangles.extend([[a, b, c], [a, c, d]]);
            } else {
                triangles.extend([[a, b, d], [b, c, d]]);
            }
        }
    }
    TriMesh::new(vertices, triangles)
}

#[cfg(test)]
mod tests {
    use super::super::testing::sound;
    use super::*;

    #[test]
    fn a_frame_of_cells_has_one_hole_and_the_volume_of_its_cells() {
        let place = |c: [usize; 3]| Vec3::new(c[0] as f64, 2.0 * c[1] as f64, 0.5 * c[2] as f64);
        let frame = border([3, 3, 1], |c| [c[0], c[1]] != [1, 1], place).unwrap();
        assert!((sound(&frame, 1).mesh().moments().volume - 8.0).abs() < 1e-12);
        let whole = border([3, 3, 1], |_| true, place).unwrap();
        assert!((sound(&whole, 0).mesh().moments().volume - 9.0).abs() < 1e-12);
    }
}
