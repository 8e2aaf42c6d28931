//! What every generated solid must stand: closed, turned outwards, not cutting itself.

use rattleback_geom::mesh::Tree;
use rattleback_geom::surface::Mesh;
use rattleback_geom::{Aabb, TriMesh, Vec3};

/// Where the segment from p to q goes through the triangle, borders included.
fn pierces(p: &Vec3, q: &Vec3, [a, b, c]: &[Vec3; 3]) -> bool {
    let n = (b - a).cross(&(c - a));
    let (dp, dq) = (n.dot(&(p - a)), n.dot(&(q - a)));
    if dp * dq > 0.0 || dp == dq {
        return false;
    }
    let x = p + (q - p) * (dp / (dp - dq));
    [(a, b), (b, c), (c, a)].iter().all(|(u, v)| n.dot(&(*v - *u).cross(&(x - *u))) >= 0.0)
}

/// The first two triangles of a mesh, and of another where it is given, that cut each other.
pub(crate) fn cut(mesh: &TriMesh, other: Option<&TriMesh>) -> Option<(usize, usize)> {
    let second = other.unwrap_or(mesh);
    let tree = Tree::new(second);
    for t in 0..mesh.triangles().len() {
        let (mine, corners) = (mesh.triangles()[t], mesh.corners(t));
        let mut found = None;
        tree.overlapping(second, &Aabb::of_points(&corners), |o| {
            if other.is_none() && o <= t {
                return;
            }
            let (theirs, others) = (second.triangles()[o], second.corners(o));
            let shares = |v: &u32, list: &[u32; 3]| other.is_none() && list.contains(v);
            // Sides that end in a corner of the other triangle touch it there and say nothing.
            let mut hits = false;
            for k in 0..3 {
                let l = (k + 1) % 3;
                if !shares(&mine[k], &theirs) && !shares(&mine[l], &theirs) {
                    hits |= pierces(&corners[k], &corners[l], &others);
                }
                if !shares(&theirs[k], &mine) && !shares(&theirs[l], &mine) {
                    hits |= pierces(&others[k], &others[l], &corners);
                }
            }
            let common = mine.iter().filter(|v| shares(v, &theirs)).count();
            // Folded back upon its neighbour.
            hits |= common == 2 && mesh.normal(t).dot(&mesh.normal(o)) < -0.9999;
            if hits {
                found = Some((t, o));
            }
        })
        .unwrap();
        if found.is_some() {
            return found;
        }
    }
    None
}

/// The solid of a mesh that is closed, in one piece and cuts itself nowhere.
pub(crate) fn sound(mesh: &TriMesh, genus: usize) -> Mesh {
    let solid = Mesh::new(mesh.clone()).unwrap();
    assert_eq!((solid.topology().component_count(), solid.topology().genus()), (1, Some(genus)));
    if let Some((t, o)) = cut(mesh, None) {
        panic!("triangles {t} and {o} cut each other: {:?} {:?}", mesh.corners(t), mesh.corners(o));
    }
    solid
}
