//! Vertices that are one.

use crate::Vec3;
use std::collections::HashMap;

/// Joins every vertex with the first one within `tolerance` metres of it that was not joined itself, drops vertices of
/// no triangle, and says how many were joined.
pub(super) fn weld(vertices: &mut Vec<Vec3>, triangles: &mut [[u32; 3]], tolerance: f64) -> usize {
    let mut cells: HashMap<[i64; 3], Vec<u32>> = HashMap::with_capacity(vertices.len());
    let mut exact: HashMap<[u64; 3], u32> = HashMap::new();
    let mut used = vec![false; vertices.len()];
    for v in triangles.iter().flatten() {
        used[*v as usize] = true;
    }
    let (mut kept, mut numbers, mut gone): (Vec<Vec3>, Vec<u32>, usize) = (Vec::new(), Vec::new(), 0);
    for (vertex, used) in vertices.iter().zip(used) {
        if !used {
            numbers.push(u32::MAX);
            continue;
        }
        let next = kept.len() as u32;
        let number = if tolerance > 0.0 {
            let near = nearest(&cells, &kept, vertex, tolerance);
            near.unwrap_or_else(|| {
                cells.entry(cell(vertex, tolerance)).or_default().push(next);
                next
            })
        } else {
            // Adding zero turns −0 into 0 and changes nothing else.
            *exact.entry(vertex.add_scalar(0.0).data.0[0].map(f64::to_bits)).or_insert(next)
        };
        if number == next {
            kept.push(*vertex);
        } else {
            gone += 1;
        }
        numbers.push(number);
    }
    *vertices = kept;
    for v in triangles.iter_mut().flatten() {
        *v = numbers[*v as usize];
    }
    gone
}

fn cell(p: &Vec3, size: f64) -> [i64; 3] {
    [p.x, p.y, p.z].map(|x| (x / size).floor() as i64)
}

/// The lowest number of a kept vertex within the tolerance.
fn nearest(cells: &HashMap<[i64; 3], Vec<u32>>, kept: &[Vec3], p: &Vec3, tolerance: f64) -> Option<u32> {
    let [i, j, k] = cell(p, tolerance);
    let around = |c: i64| [c.saturating_sub(1), c, c.saturating_add(1)];
    let mut best = None;
    for x in around(i) {
        for y in around(j) {
            for z in around(k) {
                for &number in cells.get(&[x, y, z]).into_iter().flatten() {
                    let is_near = (kept[number as usize] - p).norm() <= tolerance;
                    if is_near && best.is_none_or(|other| number < other) {
                        best = Some(number);
                    }
                }
            }
        }
    }
    best
}
