//! What is refused with its places, what is closed on request, what only touches, and triangles without area in any
//! order.

use super::super::super::samples::mapped;
use super::*;
use crate::MeshFault;

const CLOSE: RepairSettings = RepairSettings { close_holes: true };

fn closed(facets: Facets) -> (Mesh, Vec<String>) {
    let Repaired { mesh, findings } = facets.repaired_with(&CLOSE).unwrap();
    (Mesh::new(mesh).unwrap(), findings.iter().map(ToString::to_string).collect())
}

#[test]
fn holes_are_refused_with_their_places_and_sizes() {
    let mut open = facets(&cube(0.5));
    // The upper face, z = 0.5.
    open.triangles.drain(2..4);
    let said = "the mesh bounds no solid; holes: 1, edges of more than two triangles: 0\n    \
                a hole of 4 edges, 1.4142e0 m across, about (0.0000e0, 0.0000e0, 5.0000e-1)";
    assert_eq!(refused(open), said);
    let mut many = facets(&lumpy(4));
    for t in (0..30).rev() {
        many.triangles.remove(20 * t);
    }
    let said = refused(many);
    assert!(said.starts_with("the mesh bounds no solid; holes: 30,"), "{said}");
    assert_eq!(said.matches("\n    a hole of 3 edges").count(), 20);
    assert!(said.ends_with("\n    and 10 more"), "{said}");
}

#[test]
fn edges_of_more_than_two_triangles_are_told_with_the_holes() {
    let mesh = cube(0.5);
    // A fin on an edge of the cube, large enough to be no loose piece: three triangles at one edge, and a rim.
    let mut fin = facets(&mesh);
    fin.vertices.push(Vec3::new(0.0, 0.0, 3.0));
    fin.triangles.push([4, 5, 8]);
    let error = fin.repaired_with(&CLOSE).unwrap_err();
    let GeomError::NotClosed { holes: 1, edges: 1, faults } = &error else { panic!("{error}") };
    assert!(matches!(faults[0], MeshFault::Hole { edges: 2, .. }), "{error}");
    let ends = [4, 5].map(|v: usize| mesh.vertices()[v].into());
    assert_eq!(faults[1], MeshFault::Edge { triangles: 3, ends });
    // Two cubes that share an edge.
    let shifted = mapped(&mesh, |v| v + Vec3::new(1.0, 1.0, 0.0));
    let mut pair = joined(facets(&mesh), &shifted);
    for v in pair.triangles.iter_mut().flatten() {
        *v = [(8, 3), (12, 7)].iter().find(|(from, _)| from == v).map_or(*v, |(_, to)| *to);
    }
    let said = refused(pair);
    assert!(said.contains("holes: 0, edges of more than two triangles: 1"), "{said}");
    assert!(said.contains("an edge of 4 triangles from (5.0000e-1, 5.0000e-1, -5.0000e-1) to "), "{said}");
}

#[test]
fn holes_are_closed_on_request_and_the_volume_is_that_of_the_whole() {
    let mut open = facets(&cube(0.5));
    open.triangles.drain(2..4);
    let (solid, said) = closed(open);
    assert!((volume(&solid) - 1.0).abs() < 1e-15);
    let expected = "holes: 1, the largest of 4 edges and 1.4142e0 m across, about (0.0000e0, 0.0000e0, 5.0000e-1); \
                    closed by triangles: 2";
    assert_eq!(said, [expected]);
    // A tube without its ends, whichever way its triangles are turned and whatever lies in a row on its rims.
    let tube = TriMesh::new(
        (0..16)
            .map(|k| {
                let along = f64::from(k % 8) / 2.0;
                let square = [[along, 0.0], [1.0, along - 1.0], [3.0 - along, 1.0], [0.0, 4.0 - along]];
                let [x, y] = square[(k % 8 / 2) as usize];
                Vec3::new(x, y, f64::from(k / 8))
            })
            .collect(),
        (0..8).flat_map(|k| [[k, (k + 1) % 8, k + 8], [(k + 1) % 8, (k + 1) % 8 + 8, k + 8]]).collect(),
    )
    .unwrap();
    for turned in [false, true] {
        let mut open = facets(&tube);
        if turned {
            open.triangles.iter_mut().for_each(|t| t.swap(0, 1));
        }
        let (solid, said) = closed(open);
        assert!((volume(&solid) - 1.0).abs() < 1e-14, "{}", volume(&solid));
        assert!(said[0].starts_with("holes: 2, the largest of 8 edges"), "{said:?}");
    }
}

#[test]
fn two_holes_that_touch_at_a_vertex_are_closed_as_two() {
    let mesh = lumpy(2);
    let mut open = facets(&mesh);
    let [a, ..] = open.triangles[0];
    let around: Vec<usize> = (0..open.triangles.len()).filter(|t| open.triangles[*t].contains(&a)).collect();
    let shares_edge = |s: usize, t: usize| {
        mesh.triangles()[s].iter().filter(|v| mesh.triangles()[t].contains(v)).count() == 2
    };
    let other = around.iter().copied().find(|t| *t != 0 && !shares_edge(0, *t)).unwrap();
    open.triangles.remove(other);
    open.triangles.remove(0);
    let (solid, said) = closed(open);
    assert!(said[0].starts_with("holes: 2, the largest of 3 edges"), "{said:?}");
    assert_eq!(said.len(), 1);
    assert!((volume(&solid) - mesh.moments().volume).abs() < 1e-14);
}

#[test]
fn a_patch_makes_no_edge_of_four_triangles() {
    // A tetrahedron without two sides: each of the rim's two diagonals is an edge already or the rim's own.
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(Vec3::from);
    let open = Facets { vertices: corners.to_vec(), triangles: vec![[0, 2, 1], [0, 1, 3]] };
    let (solid, said) = closed(open);
    assert!(said[0].starts_with("holes: 1, the largest of 4 edges"), "{said:?}");
    assert!(solid.topology().is_closed() && volume(&solid) > 0.0);
}

#[test]
fn parts_that_touch_at_a_vertex_are_divided_there() {
    let mesh = cube(0.5);
    let shifted = mapped(&mesh, |v| v + Vec3::new(1.0, 1.0, 1.0));
    let both = joined(facets(&mesh), &shifted);
    // As an STL file has them: every corner on its own.
    let soup = apart(&both.clone().into_mesh().unwrap());
    let (solid, said) = repaired(soup);
    assert_eq!(said.last().unwrap(), "vertices where parts only touch: 1; divided");
    assert!((volume(&solid) - 2.0).abs() < 1e-14);
    assert_eq!(solid.topology().component_count(), 2);
    assert_eq!(solid.mesh().vertices().len(), 16);
}

/// A cube whose upper edge from corner 4 to 5 has points in a row, known to flat triangles only: each order of these
/// and of all triangles, by turns.
#[test]
fn flat_triangles_are_dropped_whatever_their_order() {
    let mesh = cube(0.5);
    let [a, b, c] = mesh.triangles()[0];
    let at = |s: f64| mesh.vertices()[a as usize] * (1.0 - s) + mesh.vertices()[b as usize] * s;
    let mut row = facets(&mesh);
    let first = row.vertices.len() as u32;
    row.vertices.extend([at(0.25), at(0.5), at(0.75)]);
    let [p, q, r] = [first, first + 1, first + 2];
    // The near side knows all three; flat triangles lead from them to the whole edge.
    row.triangles.splice(0..1, [[a, p, c], [p, q, c], [q, r, c], [r, b, c]]);
    let flat = [[a, b, q], [a, q, p], [q, b, r]];
    row.triangles.extend(flat);
    let count = row.triangles.len();
    for turn in 0..count {
        for reversed in [false, true] {
            let mut other = row.clone();
            other.triangles.rotate_left(turn);
            if reversed {
                other.triangles.reverse();
            }
            other.triangles.iter_mut().for_each(|t| t.rotate_left(turn % 3));
            let (solid, said) = repaired(other);
            assert!((volume(&solid) - 1.0).abs() < 1e-15);
            assert_eq!(solid.mesh().triangles().len(), 18);
            assert!(said[0].starts_with("triangles without area: 3, "), "{said:?}");
        }
    }
    // A flat neighbour whose own corner between is another one.
    for order in [[0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2], [2, 0, 3, 1]] {
        let mut other = row.clone();
        other.triangles.truncate(count - 3);
        let flat = [[a, b, r], [a, r, p], [p, r, q], [r, b, r]];
        other.triangles.extend(order.map(|k| flat[k]));
        let (solid, _) = repaired(other);
        assert!((volume(&solid) - 1.0).abs() < 1e-15);
        assert_eq!(solid.mesh().triangles().len(), 18);
    }
}
