//! Heights on a grid, closed by walls and a flat bottom: ground.
//!
//! The height of row i and column j stands at x = (j − (n − 1)/2) a, y = (i − (m − 1)/2) b for m rows of n heights and
//! the spacing (a, b): the grid has its middle at the origin. Cells are cut from their corner of least x and y to the
//! opposite one. The bottom lies `depth` below the least height.

use super::TriMesh;
use crate::Vec3;
use crate::error::{GeomError, LENGTHS, Result, coordinate, length, within};

/// Most heights.
const MOST: usize = 4_000_000;

/// Heights in rows, of increasing y, along x.
#[derive(Debug, Clone, PartialEq)]
pub struct HeightField {
    rows: usize,
    columns: usize,
    heights: Vec<f64>,
    spacing: [f64; 2],
}

impl HeightField {
    /// A field from its rows of equally many heights and its spacing along x and y, in metres.
    pub fn new(rows: &[Vec<f64>], spacing: [f64; 2]) -> Result<Self> {
        length("spacing[0]", spacing[0])?;
        length("spacing[1]", spacing[1])?;
        let columns = rows.first().map_or(0, Vec::len);
        within("rows of heights", rows.len() as f64, 2.0, MOST as f64, "two or more")?;
        within("heights of a row", columns as f64, 2.0, MOST as f64, "two or more")?;
        if let Some((i, row)) = rows.iter().enumerate().find(|(_, row)| row.len() != columns) {
            return Err(GeomError::Inconsistent {
                field: format!("heights[{i}]"),
                found: format!("{} heights", row.len()),
                allowed: format!("{columns} heights, as the first row has"),
            });
        }
        within("heights", (rows.len() * columns) as f64, 4.0, MOST as f64, "at most four million")?;
        for (i, row) in rows.iter().enumerate() {
            for (j, z) in row.iter().enumerate().filter(|(_, z)| !(z.abs() <= LENGTHS[1])) {
                coordinate(&format!("heights[{i}][{j}]"), *z)?;
            }
        }
        Ok(Self { rows: rows.len(), columns, heights: rows.concat(), spacing })
    }

    /// How many rows and columns there are.
    pub fn counts(&self) -> [usize; 2] {
        [self.rows, self.columns]
    }

    /// The solid from the bottom, `depth` below the least height, to the heights.
    pub fn solid(&self, depth: f64) -> Result<TriMesh> {
        let (m, n) = (self.rows, self.columns);
        let least = self.heights.iter().copied().fold(f64::INFINITY, f64::min);
        let bottom = least - length("depth", depth)?;
        if !(bottom < least) {
            return Err(GeomError::OutOfRange {
                field: "depth".to_owned(),
                value: depth,
                allowed: format!("a length that is no rounding beside the least height {least} m"),
            });
        }
        let place = |i: usize, j: usize, z: f64| {
            let [x, y] = [(j, n, self.spacing[0]), (i, m, self.spacing[1])]
                .map(|(k, count, step)| (k as f64 - 0.5 * (count - 1) as f64) * step);
            Vec3::new(x, y, z)
        };
        let top = |i: usize, j: usize| (i * n + j) as u32;
        let mut vertices: Vec<Vec3> = (0..m * n).map(|k| place(k / n, k % n, self.heights[k])).collect();
        let mut triangles = Vec::with_capacity(2 * m * n + 6 * (m + n));
        for i in 0..m - 1 {
            for j in 0..n - 1 {
                let [a, b, c, d] = [top(i, j), top(i, j + 1), top(i + 1, j + 1), top(i + 1, j)];
                triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
        // Once around, counter-clockwise seen from above.
        let south = (0..n - 1).map(|j| (0, j));
        let east = (0..m - 1).map(|i| (i, n - 1));
        let north = (1..n).rev().map(|j| (m - 1, j));
        let west = (1..m).rev().map(|i| (i, 0));
        let border: Vec<(usize, usize)> = south.chain(east).chain(north).chain(west).collect();
        let (first, count) = (vertices.len() as u32, border.len() as u32);
        vertices.extend(border.iter().map(|&(i, j)| place(i, j, bottom)));
        let middle = vertices.len() as u32;
        vertices.push(Vec3::new(0.0, 0.0, bottom));
        for (k, &(i, j)) in border.iter().enumerate() {
            let l = (k + 1) % border.len();
            let (above, next) = (top(i, j), top(border[l].0, border[l].1));
            let (below, under) = (first + k as u32, first + l as u32);
            triangles.extend([[below, under, next], [below, next, above], [middle, under, below]]);
        }
        debug_assert_eq!(middle, first + count);
        TriMesh::new(vertices, triangles)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface::{Mesh, Surface};

    #[test]
    fn a_field_is_the_prism_below_its_heights() {
        let rows: Vec<Vec<f64>> = (0..4).map(|i| (0..6).map(|j| 0.1 * f64::from(j - i)).collect()).collect();
        let field = HeightField::new(&rows, [0.5, 0.25]).unwrap();
        let solid = Mesh::new(field.solid(0.2).unwrap()).unwrap();
        // A plane over the grid: its mean height is that of the middle, the least one −0.3.
        let (area, middle) = (2.5 * 0.75, 0.1);
        assert!((solid.moments().unwrap().volume - area * (middle + 0.5)).abs() < 1e-14);
        assert_eq!(solid.bounds().min, Vec3::new(-1.25, -0.375, -0.5));
        assert_eq!((field.counts(), solid.euler_characteristic()), ([4, 6], 2));
        let above = solid.signed_distance(&Vec3::new(0.25, 0.125, 0.1 + 0.05 * 0.0)).unwrap();
        assert!(above.abs() < 1e-15, "{above}");
    }

    #[test]
    fn grids_that_are_none_are_refused_with_their_row() {
        let refusal = |rows: &[Vec<f64>]| HeightField::new(rows, [1.0; 2]).unwrap_err().to_string();
        assert_eq!(refusal(&[]), "rows of heights = 0: must be two or more");
        assert_eq!(refusal(&[vec![0.0], vec![0.0]]), "heights of a row = 1: must be two or more");
        let uneven = refusal(&[vec![0.0; 3], vec![0.0; 3], vec![0.0; 2]]);
        assert_eq!(uneven, "heights[2] = 2 heights: must be 3 heights, as the first row has");
        assert!(refusal(&[vec![0.0; 2], vec![0.0, f64::NAN]]).starts_with("heights[1][1] = NaN"));
        let field = HeightField::new(&[vec![1e9; 2], vec![1e9; 2]], [1.0; 2]).unwrap();
        assert!(field.solid(1e-9).unwrap_err().to_string().starts_with("depth = 1e-9: must be"));
        assert!(field.solid(0.0).is_err());
    }
}
