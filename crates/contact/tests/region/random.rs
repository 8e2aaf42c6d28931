//! Random bodies against brute force, and warm answers against cold ones.

use super::samples::{Random, body, bumpy, cuboid, torus};
use rattleback_contact::geom::surface::Mesh;
use rattleback_contact::geom::{Pose, Vec3};
use rattleback_contact::region::{MeshMesh, MeshRegion};
use std::sync::Arc;

fn bodies() -> Vec<Arc<Mesh>> {
    vec![
        body(bumpy(3)),
        body(torus(0.8, 0.25, 24, 12)),
        body(cuboid([0.7, 0.5, 0.3], [3, 2, 2])),
        body(cuboid([1.2, 0.02, 0.4], [1; 3])),
    ]
}

/// Whether the segment from `p` to `q` meets a triangle, by Cramer's rule (Möller, Trumbore).
fn meets(p: &Vec3, q: &Vec3, [a, b, c]: &[Vec3; 3]) -> bool {
    let (along, ab, ac, from) = (q - p, b - a, c - a, p - a);
    let h = along.cross(&ac);
    let det = ab.dot(&h);
    let u = from.dot(&h) / det;
    let k = from.cross(&ab);
    let (v, t) = (along.dot(&k) / det, ac.dot(&k) / det);
    u >= 0.0 && v >= 0.0 && u + v <= 1.0 && (0.0..=1.0).contains(&t)
}

fn triangles(mesh: &Mesh, pose: &Pose) -> Vec<[Vec3; 3]> {
    (0..mesh.mesh().triangles().len())
        .map(|t| mesh.mesh().corners(t).map(|v| pose.point_to_world(&v)))
        .collect()
}

#[test]
fn the_pairs_of_triangles_are_those_of_brute_force() {
    let mut random = Random(31);
    let bodies = bodies();
    let mut finder = MeshMesh::new();
    let mut count = 0;
    for round in 0..60 {
        let (a, b) = (&bodies[round % 4], &bodies[(round / 4) % 4]);
        let (pose_a, pose_b) = (random.pose(0.7), random.pose(0.7));
        finder.find(a, &pose_a, b, &pose_b).unwrap();
        let (ta, tb) = (triangles(a, &pose_a), triangles(b, &pose_b));
        let mut brute = Vec::new();
        for (i, s) in ta.iter().enumerate() {
            for (j, t) in tb.iter().enumerate() {
                let hits = |s: &[Vec3; 3], t| (0..3).any(|k| meets(&s[k], &s[(k + 1) % 3], t));
                if hits(s, t) || hits(t, s) {
                    brute.push([i as u32, j as u32]);
                }
            }
        }
        count += brute.len();
        assert_eq!(finder.pairs().collect::<Vec<_>>(), brute, "round {round}");
    }
    assert!(count > 1000, "{count}");
}

#[test]
fn what_is_enclosed_is_what_lies_inside() {
    let mut random = Random(37);
    let bodies = bodies();
    let mut finder = MeshMesh::new();
    let mut count = 0;
    for round in 0..60 {
        let (a, b) = (&bodies[round % 4], &bodies[(round / 4) % 4]);
        let poses = [random.pose(0.7), random.pose(0.7)];
        let found = finder.find(a, &poses[0], b, &poses[1]).unwrap().to_vec();
        if found.iter().any(|r| r.is_nested) {
            continue;
        }
        for (body, own, other) in [(0, a, b), (1, b, a)] {
            let cut: Vec<u32> = finder.pairs().map(|p| p[body]).collect();
            let inside = |t: &u32| {
                !cut.contains(t)
                    && own.mesh().corners(*t as usize).iter().all(|v| {
                        let p = poses[1 - body].point_to_local(&poses[body].point_to_world(v));
                        other.signed_distance(&p).unwrap() < 0.0
                    })
            };
            let want: Vec<u32> = (0..own.mesh().triangles().len() as u32).filter(inside).collect();
            let mut all: Vec<u32> = found.iter().flat_map(|r| finder.enclosed(r, body)).copied().collect();
            all.sort_unstable();
            assert_eq!(all, want, "round {round}");
            count += want.len();
        }
    }
    assert!(count > 1000, "{count}");
}

#[test]
fn the_area_vector_of_a_region_is_that_of_what_it_encloses() {
    // By Stokes' theorem the loops bound the part of A inside B: here its area is summed by fine sampling.
    let (a, b) = (body(bumpy(3)), body(bumpy(3)));
    let mut random = Random(41);
    let (pose_a, pose_b) = (random.pose(0.1), Pose::new(Vec3::new(1.4, 0.3, 0.2), random.turn()));
    let mut finder = MeshMesh::new();
    let found = finder.find(&a, &pose_a, &b, &pose_b).unwrap().to_vec();
    let mut from_loops = Vec3::zeros();
    for region in &found {
        for contour in finder.contours(region) {
            let origin = contour[0].point;
            for k in 0..contour.len() {
                let next = contour[(k + 1) % contour.len()].point;
                from_loops += (contour[k].point - origin).cross(&(next - origin)) * 0.5;
            }
        }
    }
    let mut sampled = Vec3::zeros();
    const PARTS: usize = 24;
    for [p, q, r] in triangles(&a, &pose_a) {
        let part = (q - p).cross(&(r - p)) * (0.5 / (PARTS * PARTS) as f64);
        for i in 0..PARTS {
            for j in 0..PARTS {
                // Squares of the parameter square are folded into the triangle.
                let (mut u, mut v) = ((i as f64 + 0.5) / PARTS as f64, (j as f64 + 0.5) / PARTS as f64);
                if u + v > 1.0 {
                    (u, v) = (1.0 - u, 1.0 - v);
                }
                let x = p + (q - p) * u + (r - p) * v;
                if b.tree().contains(b.mesh(), &pose_b.point_to_local(&x)).unwrap() {
                    sampled += part;
                }
            }
        }
    }
    assert!(!found.is_empty() && from_loops.norm() > 0.1);
    assert!((from_loops - sampled).norm() < 2e-3 * from_loops.norm(), "{from_loops:?} {sampled:?}");
}

#[test]
fn warm_answers_have_the_same_bits_as_cold_ones() {
    let mut random = Random(53);
    let bodies = bodies();
    let mut met = 0;
    for (i, j) in [(0, 0), (0, 1), (1, 1), (2, 3), (1, 3)] {
        let (a, b) = (&bodies[i], &bodies[j]);
        let mut warm = MeshMesh::new();
        let mut pose = random.pose(0.8);
        for step in 0..120 {
            // Small steps, with a leap now and then.
            let stride = if step % 40 == 39 { 1.0 } else { 0.02 };
            pose = Pose::new(
                (pose.position + random.point(stride)).map(|x| x.clamp(-1.5, 1.5)),
                random.turn().powf(stride) * pose.orientation,
            );
            let mut cold = MeshMesh::new();
            let found: Vec<MeshRegion> = warm.find(a, &pose, b, &Pose::identity()).unwrap().to_vec();
            let again = cold.find(a, &pose, b, &Pose::identity()).unwrap();
            assert_eq!(found, again);
            for region in &found {
                assert!(warm.contours(region).eq(cold.contours(region)));
                assert!((0..2).all(|k| warm.enclosed(region, k) == cold.enclosed(region, k)));
            }
            assert!(warm.pairs().eq(cold.pairs()));
            met += found.len();
        }
    }
    assert!(met > 200, "{met}");
}
