//! The unit ball in triangles, at several levels: an octahedron whose faces are divided f times along each side, with
//! all vertices on the ball. That has 8f² triangles, and sides along the planes between the octants.

use super::drawing::DrawnMesh;
use rattleback_geom::Vec3;
use std::collections::HashMap;

/// Divisions of a side, the finest level first: from 3200 to 32 triangles, about half as many each time.
const DIVISIONS: [i32; 7] = [20, 14, 10, 7, 5, 3, 2];

/// The levels, the finest one first. Their curvatures are not told: stretched, they follow from the semi-axes.
pub(super) fn levels() -> impl Iterator<Item = DrawnMesh> {
    DIVISIONS.into_iter().map(level)
}

fn level(divisions: i32) -> DrawnMesh {
    let mut mesh = DrawnMesh { is_ball: true, ..DrawnMesh::default() };
    let mut known: HashMap<[i32; 3], u32> = HashMap::new();
    // The least distance of a triangle's plane from the middle.
    let mut nearest = f64::INFINITY;
    for octant in 0..8 {
        let signs = [0, 1, 2].map(|k| if octant >> k & 1 == 0 { 1 } else { -1 });
        let is_mirrored = signs.iter().product::<i32>() < 0;
        let corner = |i: i32, j: i32| [i * signs[0], j * signs[1], (divisions - i - j) * signs[2]];
        for i in 0..divisions {
            for j in 0..divisions - i {
                let mut triangles = vec![[corner(i, j), corner(i + 1, j), corner(i, j + 1)]];
                if i + j + 1 < divisions {
                    triangles.push([corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)]);
                }
                for mut triangle in triangles {
                    if is_mirrored {
                        triangle.swap(1, 2);
                    }
                    let [a, b, c] = triangle.map(direction);
                    let across = (b - a).cross(&(c - a));
                    nearest = nearest.min(across.dot(&a) / across.norm());
                    mesh.triangles.push(triangle.map(|key| {
                        *known.entry(key).or_insert_with(|| {
                            let p = direction(key);
                            let p = [p.x as f32, p.y as f32, p.z as f32];
                            mesh.positions.push(p);
                            mesh.normals.push(p);
                            mesh.positions.len() as u32 - 1
                        })
                    }));
                }
            }
        }
    }
    mesh.chord = 1.0 - nearest;
    mesh
}

fn direction(key: [i32; 3]) -> Vec3 {
    Vec3::from(key.map(f64::from)).normalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_closed_balls_with_outer_sides_out_and_growing_errors() {
        let mut last = 0.0;
        for (mesh, divisions) in levels().zip(DIVISIONS) {
            let f = divisions as usize;
            assert_eq!((mesh.triangles.len(), mesh.positions.len()), (8 * f * f, 4 * f * f + 2));
            let point = |v: u32| Vec3::from(mesh.positions[v as usize].map(f64::from));
            let mut volume = 0.0;
            for triangle in &mesh.triangles {
                let [a, b, c] = triangle.map(point);
                let six = a.dot(&b.cross(&c));
                assert!(six > 0.0, "{triangle:?}");
                volume += six / 6.0;
            }
            let ball = 4.0 / 3.0 * std::f64::consts::PI;
            // Between the ball and the one that touches the nearest triangle from inside.
            assert!(volume < ball && volume > ball * (1.0 - mesh.chord).powi(3), "{volume} {}", mesh.chord);
            assert!(mesh.chord > last);
            last = mesh.chord;
        }
    }
}
