//! Polygons cut into triangles: fans where they are convex, ears otherwise.
//!
//! A polygon is seen along its Newell normal N = Σ pᵢ × pᵢ₊₁, on the plane of the two axes across N's longest
//! component, where it runs counter-clockwise. An ear is a convex corner whose triangle holds no other corner; every
//! simple polygon of more than three corners has two (G. H. Meisters, Amer. Math. Monthly 82 (1975) 648). A polygon
//! that crosses itself may run out of ears: what is left is a fan, and whoever looks at the mesh finds it.

use crate::Vec3;

/// A polygon that is not convex has at most so many corners: to find its ears takes their square, at worst their cube.
pub(super) const MOST: usize = 1024;

/// A corner within this share of the polygon's extent of a triangle's side is on it.
const NARROW: f64 = 1e-10;

/// Adds the triangles of a polygon; none, and `false`, where it is not convex and has more corners than [`MOST`].
pub(super) fn cut(vertices: &[Vec3], corners: &[u32], out: &mut Vec<[u32; 3]>) -> bool {
    let fan = |corners: &[u32], out: &mut Vec<[u32; 3]>| {
        out.extend(corners[1..].windows(2).map(|w| [corners[0], w[0], w[1]]));
    };
    if corners.len() <= 3 {
        fan(corners, out);
        return true;
    }
    let flat = flattened(vertices, corners);
    let mut left: Vec<usize> = (0..corners.len()).collect();
    let around = |left: &[usize], i: usize| {
        let n = left.len();
        [left[(i + n - 1) % n], left[i], left[(i + 1) % n]]
    };
    if (0..left.len()).all(|i| turn(&flat, around(&left, i)) >= 0.0) {
        fan(corners, out);
        return true;
    }
    if corners.len() > MOST {
        return false;
    }
    let extent = flat.iter().flatten().fold(0.0, |most: f64, x| most.max(x.abs()));
    let mut first = 0;
    while left.len() > 3 {
        let n = left.len();
        let is_ear = |i: &usize| is_ear(&flat, &left, around(&left, *i), NARROW * extent);
        let Some(ear) = (0..n).map(|i| (first + i) % n).find(is_ear) else { break };
        // The next one is looked for farther on, so that no corner ends up in a sliver of all triangles.
        first = ear + 1;
        out.push(around(&left, ear).map(|k| corners[k]));
        left.remove(ear);
    }
    let rest: Vec<u32> = left.iter().map(|&k| corners[k]).collect();
    fan(&rest, out);
    true
}

/// The corners on the plane of two axes, counter-clockwise.
fn flattened(vertices: &[Vec3], corners: &[u32]) -> Vec<[f64; 2]> {
    let at = |k: usize| vertices[corners[k] as usize];
    let (origin, n) = (at(0), corners.len());
    let normal: Vec3 = (0..n).map(|k| (at(k) - origin).cross(&(at((k + 1) % n) - origin))).sum();
    let axis = normal.iamax();
    let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
    let (i, j) = if normal[axis] < 0.0 { (j, i) } else { (i, j) };
    (0..n).map(|k| at(k) - origin).map(|p| [p[i], p[j]]).collect()
}

/// Twice the area of a triangle, positive where it runs counter-clockwise.
fn turn(flat: &[[f64; 2]], [a, b, c]: [usize; 3]) -> f64 {
    let ([ax, ay], [bx, by], [cx, cy]) = (flat[a], flat[b], flat[c]);
    (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
}

/// Whether the corner in the middle can be cut off.
fn is_ear(flat: &[[f64; 2]], left: &[usize], [a, b, c]: [usize; 3], narrow: f64) -> bool {
    let side = |i: usize, j: usize| (flat[j][0] - flat[i][0]).hypot(flat[j][1] - flat[i][1]);
    if !(turn(flat, [a, b, c]) > narrow * side(a, c)) {
        return false;
    }
    let holds = |k: usize| {
        ![flat[a], flat[b], flat[c]].contains(&flat[k])
            && turn(flat, [a, b, k]) >= -narrow * side(a, b)
            && turn(flat, [b, c, k]) >= -narrow * side(b, c)
            && turn(flat, [c, a, k]) >= -narrow * side(c, a)
    };
    !left.iter().any(|&k| holds(k))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(vertices: &[Vec3], triangles: &[[u32; 3]]) -> f64 {
        let of = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|k| vertices[k as usize]);
            0.5 * (b - a).cross(&(c - a)).dot(&Vec3::new(1.0, 2.0, -3.0).normalize())
        };
        triangles.iter().map(of).sum()
    }

    /// Points of a plane that no axis lies in.
    fn placed(points: &[[f64; 2]]) -> Vec<Vec3> {
        let normal = Vec3::new(1.0, 2.0, -3.0).normalize();
        let t = Vec3::new(2.0, -1.0, 0.0).normalize();
        let u = normal.cross(&t);
        points.iter().map(|[x, y]| t * *x + u * *y + normal * 5.0).collect()
    }

    #[test]
    fn polygons_keep_their_area_whichever_corner_comes_first_and_whichever_way_they_run() {
        let l = vec![[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
        let comb = vec![
            [0.0, 0.0],
            [5.0, 0.0],
            [5.0, 3.0],
            [4.0, 3.0],
            [4.0, 1.0],
            [3.0, 1.0],
            [3.0, 3.0],
            [2.0, 3.0],
            [2.0, 1.0],
            [1.0, 1.0],
            [1.0, 3.0],
            [0.0, 3.0],
        ];
        let star: Vec<[f64; 2]> = (0..14)
            .map(|k| {
                let (r, phi) =
                    (if k % 2 == 0 { 2.0 } else { 0.5 }, std::f64::consts::PI * f64::from(k) / 7.0);
                [r * phi.cos(), r * phi.sin()]
            })
            .collect();
        for (points, expected) in
            [(l, 3.0), (comb, 11.0), (star, 7.0 * 2.0 * 0.5 * (std::f64::consts::PI / 7.0).sin())]
        {
            let n = points.len();
            for first in 0..n {
                let turned: Vec<[f64; 2]> = (0..n).map(|k| points[(k + first) % n]).collect();
                let vertices = placed(&turned);
                for reversed in [false, true] {
                    let mut corners: Vec<u32> = (0..n as u32).collect();
                    if reversed {
                        corners.reverse();
                    }
                    let mut triangles = Vec::new();
                    assert!(cut(&vertices, &corners, &mut triangles));
                    let sign = if reversed { -1.0 } else { 1.0 };
                    assert_eq!(triangles.len(), n - 2);
                    let each = triangles.iter().map(|t| sign * area(&vertices, &[*t]));
                    assert!(each.clone().all(|area| area > 0.0), "from {first}: {triangles:?}");
                    assert!((each.sum::<f64>() - expected).abs() < 1e-12);
                }
            }
        }
    }

    #[test]
    fn convex_polygons_are_fans_and_crossed_ones_end() {
        let square = placed(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]);
        let mut triangles = Vec::new();
        assert!(cut(&square, &[0, 1, 2, 3], &mut triangles));
        assert_eq!(triangles, [[0, 1, 2], [0, 2, 3]]);
        triangles.clear();
        assert!(cut(&square, &[0, 2, 1, 3], &mut triangles));
        assert_eq!(triangles.len(), 2);
        triangles.clear();
        assert!(cut(&[Vec3::zeros(); 5], &[0, 1, 2, 3, 4], &mut triangles));
        assert_eq!(triangles.len(), 3);
        // A zigzag whose corners are too many to be tried.
        let zigzag: Vec<[f64; 2]> =
            (0..2000).map(|k| [f64::from(k), f64::from(k % 2)]).chain([[0.0, 9.0]]).collect();
        triangles.clear();
        assert!(
            !cut(&placed(&zigzag), &(0..2001).collect::<Vec<_>>(), &mut triangles) && triangles.is_empty()
        );
    }
}
