//! The tree and its queries against brute force.

use crate::mesh::closest::on_triangle;
use crate::mesh::samples::{Random, cube, lumpy, mapped, soup, torus};
use crate::mesh::tree::MAX_DEPTH;
use crate::mesh::{Feature, Tree, TriMesh};
use crate::{Aabb, Vec3};

/// Meshes that are hard on a tree: random, flat, coincident, of sizes decades apart.
fn hard_meshes() -> Vec<TriMesh> {
    let random = &mut Random(5);
    let flat = mapped(&soup(200, 0.1, random), |v| Vec3::new(v.x, v.y, 3.0));
    let corner = [Vec3::zeros(), Vec3::x(), Vec3::y()];
    let same = TriMesh::new(corner.to_vec(), vec![[0, 1, 2]; 1000]).unwrap();
    // Each triangle ten times the size of the one before: bins separate one at a time.
    let vertices =
        (0..90).flat_map(|i| corner.map(|c| (c + Vec3::repeat(1.0)) * 10f64.powi(i - 50))).collect();
    let decades = TriMesh::new(vertices, (0..90).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect()).unwrap();
    vec![
        soup(1, 0.5, random),
        soup(5, 0.5, random),
        soup(500, 0.1, random),
        soup(300, 2.0, random),
        flat,
        same,
        decades,
        lumpy(4),
    ]
}

fn depth(tree: &Tree, node: usize) -> usize {
    tree.nodes()[node].children().map_or(1, |c| 1 + depth(tree, c[0]).max(depth(tree, c[1])))
}

#[test]
fn every_triangle_is_in_one_leaf_and_every_box_holds_its_own() {
    for mesh in hard_meshes() {
        let tree = Tree::new(&mesh);
        assert!(depth(&tree, 0) <= MAX_DEPTH + 1);
        let mut order = tree.order().to_vec();
        order.sort_unstable();
        assert!(order.iter().enumerate().all(|(i, &t)| i == t as usize));
        for node in tree.nodes() {
            let own = &tree.order()[node.range()];
            let bounds =
                own.iter().fold(Aabb::EMPTY, |b, &t| b.union(&Aabb::of_points(&mesh.corners(t as usize))));
            assert_eq!(&bounds, node.bounds());
            match node.children() {
                Some([a, b]) => {
                    let (a, b) = (tree.nodes()[a].range(), tree.nodes()[b].range());
                    assert_eq!((a.start, a.end, b.end), (node.range().start, b.start, node.range().end));
                    assert!(!a.is_empty() && !b.is_empty());
                }
                None => assert!(node.range().len() <= 4),
            }
        }
        assert_eq!(Tree::new(&mesh), tree);
    }
}

#[test]
fn the_closest_point_is_that_of_all_triangles() {
    let random = &mut Random(17);
    for mesh in hard_meshes() {
        let tree = Tree::new(&mesh);
        for _ in 0..200 {
            let p = random.point(2.0);
            let brute = (0..mesh.triangles().len())
                .map(|t| on_triangle(&p, &mesh.corners(t)).distance)
                .fold(f64::INFINITY, f64::min);
            let found = tree.closest_point(&mesh, &p).unwrap();
            assert_eq!(found.distance, brute);
            assert!(((p - found.point).norm() - brute).abs() <= 1e-15 * (1.0 + brute));
            let corners = mesh.corners(found.triangle);
            let combined: Vec3 = (0..3).map(|k| corners[k] * found.weights[k]).sum();
            assert!(
                (combined - found.point).norm() <= 1e-14 * (1.0 + mesh.corners(found.triangle)[1].norm())
            );
        }
    }
}

#[test]
fn the_closest_point_of_a_triangle_beats_every_sampled_one_even_on_slivers() {
    let random = &mut Random(23);
    for round in 0..300 {
        let mut corners = [random.point(1.0), random.point(1.0), random.point(1.0)];
        if round % 2 == 1 {
            corners[2] = corners[0] * 0.3 + corners[1] * 0.7 + random.point(1e-9);
        }
        let p = random.point(2.0);
        let found = on_triangle(&p, &corners);
        assert!(found.weights.iter().all(|w| *w >= 0.0));
        for i in 0..=20 {
            for j in 0..=20 - i {
                let (u, v) = (i as f64 / 20.0, j as f64 / 20.0);
                let q = corners[0] * (1.0 - u - v) + corners[1] * u + corners[2] * v;
                assert!(found.distance <= (p - q).norm() + 1e-14);
            }
        }
    }
}

#[test]
fn a_closest_point_knows_whether_it_lies_on_a_face_a_side_or_a_corner() {
    let corners = [Vec3::zeros(), Vec3::x(), Vec3::y()];
    for (p, feature) in [
        ([0.2, 0.2, 1.0], Feature::Face),
        ([0.5, -1.0, 1.0], Feature::Side(0)),
        ([1.0, 1.0, -1.0], Feature::Side(1)),
        ([-1.0, 0.5, 0.0], Feature::Side(2)),
        ([-1.0, -1.0, 0.0], Feature::Corner(0)),
        ([3.0, 0.0, 0.0], Feature::Corner(1)),
        ([0.0, 3.0, 2.0], Feature::Corner(2)),
    ] {
        assert_eq!(on_triangle(&p.into(), &corners).feature, feature, "{p:?}");
    }
}

#[test]
fn boxes_find_the_triangles_they_overlap() {
    let random = &mut Random(29);
    for mesh in hard_meshes() {
        let tree = Tree::new(&mesh);
        for _ in 0..50 {
            let (a, b) = (random.point(1.5), random.point(1.5));
            let aabb = Aabb { min: a.inf(&b), max: a.sup(&b) };
            let mut found = Vec::new();
            tree.overlapping(&mesh, &aabb, |t| found.push(t)).unwrap();
            found.sort_unstable();
            let overlaps = |t: &usize| Aabb::of_points(&mesh.corners(*t)).overlaps(&aabb);
            assert_eq!(found, (0..mesh.triangles().len()).filter(overlaps).collect::<Vec<_>>());
        }
        let mut count = 0;
        tree.overlapping(&mesh, &Aabb::ALL, |_| count += 1).unwrap();
        tree.overlapping(&mesh, &Aabb::EMPTY, |_| count += 1_000_000).unwrap();
        assert_eq!(count, mesh.triangles().len());
    }
}

#[test]
fn the_farthest_vertex_is_that_of_all_vertices() {
    let random = &mut Random(31);
    for mesh in hard_meshes() {
        let tree = Tree::new(&mesh);
        for _ in 0..50 {
            let n = random.point(1.0).normalize();
            let height = |v: &Vec3| n.dot(v);
            let brute = mesh.vertices().iter().map(height).fold(f64::NEG_INFINITY, f64::max);
            assert_eq!(height(&mesh.vertices()[tree.farthest(&mesh, &n).unwrap()]), brute);
        }
    }
}

/// The distance at which a ray meets a triangle, by Cramer's rule.
fn cramer(origin: &Vec3, along: &Vec3, [a, b, c]: [Vec3; 3]) -> Option<f64> {
    let (ab, ac, q) = (b - a, c - a, origin - a);
    let h = along.cross(&ac);
    let det = ab.dot(&h);
    let (u, v) = (q.dot(&h) / det, along.dot(&q.cross(&ab)) / det);
    let t = ac.dot(&q.cross(&ab)) / det;
    (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t >= 0.0).then_some(t)
}

#[test]
fn rays_hit_what_brute_force_hits() {
    let random = &mut Random(37);
    for mesh in [soup(500, 0.1, random), soup(300, 2.0, random), lumpy(4), torus(1.0, 0.3, 20, 10)] {
        let tree = Tree::new(&mesh);
        for _ in 0..300 {
            let (origin, along) = (random.point(1.5), random.point(1.0).normalize());
            let hits: Vec<f64> = (0..mesh.triangles().len())
                .filter_map(|t| cramer(&origin, &along, mesh.corners(t)))
                .collect();
            let mut count = 0;
            tree.crossings(&mesh, &origin, &(along * 7.0), |_| count += 1).unwrap();
            assert_eq!(count, hits.len());
            let first = hits.iter().copied().fold(f64::INFINITY, f64::min);
            match tree.ray(&mesh, &origin, &along).unwrap() {
                None => assert!(hits.is_empty()),
                Some(hit) => {
                    assert!((hit.distance - first).abs() < 1e-9, "{} {first}", hit.distance);
                    assert_eq!(hit.entering, mesh.normal(hit.triangle).dot(&along) < 0.0);
                    let (short, long) = (origin + along * (first * 0.99), origin + along * (first * 1.01));
                    assert_eq!(tree.segment(&mesh, &origin, &short).unwrap(), None);
                    let again = tree.segment(&mesh, &origin, &long).unwrap().unwrap();
                    assert_eq!(again.triangle, hit.triangle);
                }
            }
        }
    }
}

#[test]
fn rays_through_edges_and_vertices_cross_a_closed_mesh_evenly() {
    // Every vertex, middle of an edge and middle of a triangle is aimed at, from outside and from inside.
    let random = &mut Random(41);
    for mesh in [cube(1.0), torus(1.0, 0.3, 20, 10), lumpy(4), mapped(&cube(1.0), |v| v * 1e8)] {
        let tree = Tree::new(&mesh);
        let size = mesh.bounds().diagonal();
        let mut targets = mesh.vertices().to_vec();
        for t in 0..mesh.triangles().len() {
            let [a, b, c] = mesh.corners(t);
            targets.extend([(a + b) * 0.5, (b + c) * 0.5, (a + b + c) / 3.0]);
        }
        for target in targets {
            let axis = Vec3::ith((random.unit() * 3.0) as usize, 2.0 * size);
            for origin in [random.point(1.0).normalize() * size * 2.0, target + axis, target - axis] {
                let (mut count, mut balance) = (0, 0);
                tree.crossings(&mesh, &origin, &(target - origin), |hit| {
                    count += 1;
                    balance += if hit.entering { 1 } else { -1 };
                })
                .unwrap();
                assert_eq!((count % 2, balance), (0, 0), "{origin:?} → {target:?}");
            }
        }
    }
}

#[test]
fn meaningless_questions_are_refused() {
    let mesh = cube(1.0);
    let tree = Tree::new(&mesh);
    let (nan, zero) = (Vec3::new(f64::NAN, 0.0, 0.0), Vec3::zeros());
    assert!(tree.closest_point(&mesh, &nan).is_err());
    assert!(tree.closest_point(&mesh, &Vec3::repeat(1e200)).is_err());
    assert!(tree.ray(&mesh, &nan, &Vec3::x()).is_err() && tree.ray(&mesh, &zero, &zero).is_err());
    assert!(tree.segment(&mesh, &zero, &zero).is_err() && tree.segment(&mesh, &zero, &nan).is_err());
    assert!(tree.contains(&mesh, &nan).is_err() && tree.farthest(&mesh, &zero).is_err());
    assert!(tree.overlapping(&mesh, &Aabb { min: nan, max: zero }, |_| {}).is_err());
    let error = tree.closest_point(&torus(1.0, 0.3, 9, 9), &zero).unwrap_err().to_string();
    assert!(error.starts_with("mesh = a mesh of 162 triangles: must be the one of 12"), "{error}");
}

#[test]
fn coordinates_of_every_magnitude_are_answered() {
    for scale in [1e-70, 1e-20, 1e20, 1e70] {
        let mesh = mapped(&lumpy(3), |v| v * scale);
        let tree = Tree::new(&mesh);
        let p = Vec3::new(3.0, 0.0, 0.0) * scale;
        let found = tree.closest_point(&mesh, &p).unwrap();
        assert!(found.distance > 1.0 * scale && found.distance < 3.0 * scale);
        let hit = tree.ray(&mesh, &p, &-Vec3::x()).unwrap().unwrap();
        assert!(hit.distance >= found.distance && hit.entering);
        assert!(tree.contains(&mesh, &Vec3::zeros()).unwrap());
    }
}
