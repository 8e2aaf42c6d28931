//! Vertices that are one, and triangles that are none.

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

/// Drops triangles of two corners or lower than `lowest`, and says how many and which was the first. Where three
/// different corners lie in a row, the triangle beyond the longest side is split at the corner between, so that no
/// crack is left.
pub(super) fn drop_flat(vertices: &[Vec3], triangles: &mut Vec<[u32; 3]>, lowest: f64) -> (usize, usize) {
    let is_flat = |t: &[u32; 3]| height(vertices, t) <= lowest;
    let flat: Vec<usize> = (0..triangles.len()).filter(|t| is_flat(&triangles[*t])).collect();
    let Some(&first) = flat.first() else { return (0, 0) };
    let mut at_edge: HashMap<[u32; 2], Vec<usize>> = HashMap::new();
    for (t, corners) in triangles.iter().enumerate() {
        for side in sides(corners) {
            at_edge.entry(side).or_default().push(t);
        }
    }
    let mut gone = vec![false; triangles.len()];
    for t in flat.iter().copied() {
        gone[t] = true;
        let corners = triangles[t];
        let [a, b, c] = corners;
        if a == b || b == c || c == a {
            continue;
        }
        // The corner across the longest side lies between the others.
        let length = |k: usize| distance(vertices, corners[k], corners[(k + 1) % 3]);
        let long = (1..3).fold(0, |best, k| if length(k) > length(best) { k } else { best });
        let (edge, middle) = (sides(&corners)[long], corners[(long + 2) % 3]);
        let beyond = at_edge.get(&edge).and_then(|list| list.iter().copied().find(|o| !gone[*o]));
        let Some(other) = beyond else { continue };
        let whole = triangles[other];
        gone[other] = true;
        for piece in edge.map(|end| whole.map(|v| if v == end { middle } else { v })) {
            for side in sides(&piece) {
                at_edge.entry(side).or_default().push(triangles.len());
            }
            triangles.push(piece);
            gone.push(false);
        }
    }
    let mut keep = gone.iter().map(|gone| !gone);
    triangles.retain(|_| keep.next().unwrap_or(true));
    (flat.len(), first)
}

fn distance(vertices: &[Vec3], a: u32, b: u32) -> f64 {
    (vertices[a as usize] - vertices[b as usize]).norm()
}

/// The sides of a triangle, side k from corner k to corner k + 1, the lower index first.
fn sides(t: &[u32; 3]) -> [[u32; 2]; 3] {
    [0, 1, 2].map(|k| {
        let (a, b) = (t[k], t[(k + 1) % 3]);
        [a.min(b), a.max(b)]
    })
}

/// The height over the longest side.
fn height(vertices: &[Vec3], t: &[u32; 3]) -> f64 {
    let [a, b, c] = t.map(|v| vertices[v as usize]);
    let longest = (b - a).norm().max((c - b).norm()).max((a - c).norm());
    if longest > 0.0 { (b - a).cross(&(c - a)).norm() / longest } else { 0.0 }
}
