//! Whole meshes and every fault.

use super::*;
use crate::Vec3;
use crate::mesh::samples::{cube, grid, torus};

fn with_triangles(mesh: &TriMesh, change: impl FnOnce(&mut Vec<[u32; 3]>)) -> TriMesh {
    let mut triangles = mesh.triangles().to_vec();
    change(&mut triangles);
    TriMesh::new(mesh.vertices().to_vec(), triangles).unwrap()
}

fn side_by_side(mesh: &TriMesh, offset: Vec3) -> TriMesh {
    let n = mesh.vertices().len() as u32;
    let vertices = mesh.vertices().iter().copied().chain(mesh.vertices().iter().map(|v| v + offset));
    let triangles = mesh.triangles().iter().copied();
    let triangles = triangles.clone().chain(triangles.map(|t| t.map(|v| v + n)));
    TriMesh::new(vertices.collect(), triangles.collect()).unwrap()
}

#[test]
fn a_cube_is_a_sphere_and_a_torus_has_one_handle() {
    let sphere = Topology::closed(&cube(1.0)).unwrap();
    assert_eq!((sphere.euler_characteristic(), sphere.genus()), (2, Some(0)));
    assert_eq!((sphere.edges().len(), sphere.component_count()), (18, 1));
    let ring = Topology::closed(&torus(2.0, 0.5, 9, 7)).unwrap();
    assert_eq!((ring.euler_characteristic(), ring.genus()), (0, Some(1)));
    let both = Topology::closed(&side_by_side(&torus(2.0, 0.5, 9, 7), Vec3::z() * 5.0)).unwrap();
    assert_eq!((both.component_count(), both.genus()), (2, Some(2)));
    assert_eq!(both.components()[0], 0);
    assert_eq!(both.components()[126], 1);
}

#[test]
fn neighbours_share_the_side_and_run_against_it() {
    let mesh = torus(2.0, 0.5, 8, 6);
    let topology = Topology::closed(&mesh).unwrap();
    for (t, corners) in mesh.triangles().iter().enumerate() {
        for (k, other) in topology.neighbours(t).into_iter().enumerate() {
            let other = mesh.triangles()[other.unwrap()];
            let (a, b) = (corners[k], corners[(k + 1) % 3]);
            assert!((0..3).any(|j| (other[j], other[(j + 1) % 3]) == (b, a)));
        }
    }
}

#[test]
fn a_missing_triangle_leaves_a_border_that_is_named() {
    let mesh = with_triangles(&cube(1.0), |t| {
        t.remove(0);
    });
    let topology = Topology::new(&mesh);
    assert_eq!(topology.faults(), &Faults { border_edges: 3, ..Faults::default() });
    assert_eq!(topology.genus(), None);
    let error = Topology::closed(&mesh).unwrap_err();
    let found = "a border: one triangle".to_owned();
    assert_eq!(error, GeomError::NonManifoldEdge { edge: [0, 2], found });
}

#[test]
fn a_flipped_triangle_is_found_though_the_mesh_is_closed() {
    let mesh = with_triangles(&cube(1.0), |t| t[3].swap(0, 1));
    assert_eq!(Topology::new(&mesh).faults(), &Faults { flipped_edges: 3, ..Faults::default() });
    let error = Topology::closed(&mesh).unwrap_err().to_string();
    assert!(error.contains("in the same direction"), "{error}");
}

#[test]
fn an_edge_of_three_triangles_is_refused_with_their_number() {
    let mesh = with_triangles(&cube(1.0), |t| t.push([0, 3, 7]));
    let topology = Topology::new(&mesh);
    assert_eq!(topology.faults().non_manifold_edges, 2);
    assert_eq!(topology.faults().bow_tie_vertices, 0);
    let error = Topology::closed(&mesh).unwrap_err().to_string();
    assert!(error.starts_with("edge [0, 3] is shared by 3 triangles"), "{error}");
}

#[test]
fn two_cubes_that_touch_in_one_vertex_are_refused() {
    let pair = side_by_side(&cube(1.0), Vec3::repeat(2.0));
    // Vertex 7 of the first is vertex 0 of the second, which was 8.
    let mesh = with_triangles(&pair, |t| {
        t.iter_mut().flatten().filter(|v| **v == 8).for_each(|v| *v = 7);
    });
    let topology = Topology::new(&mesh);
    let faults = Faults { bow_tie_vertices: 1, unused_vertices: 1, ..Faults::default() };
    assert_eq!((topology.faults(), topology.bow_ties()), (&faults, &[7][..]));
    assert_eq!(topology.component_count(), 2);
    let error = Topology::closed(&mesh).unwrap_err().to_string();
    assert!(error.starts_with("vertices[7]"), "{error}");
}

#[test]
fn an_open_grid_has_its_rim_as_border_and_no_bow_ties() {
    let mesh = grid(4, 3, [false, false], |u, v| Vec3::new(u, v, 0.0));
    let topology = Topology::new(&mesh);
    assert_eq!(topology.faults(), &Faults { border_edges: 14, ..Faults::default() });
    assert_eq!(topology.euler_characteristic(), 1);
}
