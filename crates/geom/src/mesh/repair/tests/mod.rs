mod faults;

use super::super::samples::{cube, grid, lumpy, torus};
use super::*;
use crate::surface::Mesh;

fn facets(mesh: &TriMesh) -> Facets {
    Facets { vertices: mesh.vertices().to_vec(), triangles: mesh.triangles().to_vec() }
}

/// The solid that comes of it, and what was found, in words.
fn repaired(facets: Facets) -> (Mesh, Vec<String>) {
    let Repaired { mesh, findings } = facets.repaired().unwrap();
    (Mesh::new(mesh).unwrap(), findings.iter().map(ToString::to_string).collect())
}

fn refused(facets: Facets) -> String {
    facets.repaired().unwrap_err().to_string()
}

fn volume(solid: &Mesh) -> f64 {
    solid.mesh().moments().volume
}

/// Every triangle with three vertices of its own.
fn apart(mesh: &TriMesh) -> Facets {
    let vertices = (0..mesh.triangles().len()).flat_map(|t| mesh.corners(t)).collect();
    Facets {
        vertices,
        triangles: (0..mesh.triangles().len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect(),
    }
}

fn joined(a: Facets, b: &TriMesh) -> Facets {
    let offset = a.vertices.len() as u32;
    let triangles = b.triangles().iter().map(|t| t.map(|v| v + offset));
    Facets {
        vertices: a.vertices.iter().chain(b.vertices()).copied().collect(),
        triangles: a.triangles.into_iter().chain(triangles).collect(),
    }
}

#[test]
fn a_sound_mesh_comes_back_bit_by_bit() {
    for mesh in [cube(0.5), lumpy(3), torus(1.0, 0.3, 12, 8)] {
        let found = facets(&mesh).repaired().unwrap();
        assert_eq!(found, Repaired { mesh, findings: vec![] });
    }
}

#[test]
fn vertices_at_the_same_place_are_one() {
    let mesh = lumpy(2);
    let (solid, said) = repaired(apart(&mesh));
    let gone = 3 * mesh.triangles().len() - mesh.vertices().len();
    assert_eq!(said, [format!("vertices that lie where others do: {gone}; taken for the same")]);
    assert_eq!(
        (volume(&solid), solid.mesh().vertices().len()),
        (mesh.moments().volume, mesh.vertices().len())
    );
}

#[test]
fn vertices_that_nearly_meet_are_one_within_a_millionth_of_the_size() {
    let mesh = cube(0.5);
    let mut moved = apart(&mesh);
    for (i, v) in moved.vertices.iter_mut().enumerate() {
        v.x += 1e-7 * (i as f64).sin();
    }
    let (solid, said) = repaired(moved.clone());
    assert_eq!(said, ["vertices within 1.7e-6 m of others: 28; taken for the same"]);
    assert!((volume(&solid) - 1.0).abs() < 1e-6);
    // A hundred times farther apart they are not.
    for (i, v) in moved.vertices.iter_mut().enumerate() {
        v.y += 1e-5 * (i as f64).cos();
    }
    assert!(refused(moved).starts_with("the mesh bounds no solid; holes: "));
}

#[test]
fn triangles_without_area_are_dropped_and_leave_no_crack() {
    let mesh = cube(0.5);
    let mut double = facets(&mesh);
    double.triangles.insert(3, [1, 1, 4]);
    double.triangles.push([2, 2, 2]);
    let (solid, said) = repaired(double);
    assert_eq!(said, ["triangles without area: 2, the first is number 3; dropped"]);
    assert_eq!(solid.mesh().triangles(), mesh.triangles());
    // A vertex on the middle of an edge: known to the triangle on one side, and to one without area on the other.
    let [a, b, c] = mesh.triangles()[0];
    let mut row = facets(&mesh);
    let middle = row.vertices.len() as u32;
    row.vertices.push((mesh.vertices()[a as usize] + mesh.vertices()[b as usize]) / 2.0);
    row.triangles.splice(0..1, [[a, middle, c], [middle, b, c], [a, b, middle]]);
    assert!(
        Topology::new(&TriMesh::new(row.vertices.clone(), row.triangles[..2].to_vec()).unwrap())
            .edges()
            .len()
            == 5
    );
    let (solid, said) = repaired(row);
    assert_eq!(said, ["triangles without area: 1, the first is number 2; dropped"]);
    assert!((volume(&solid) - 1.0).abs() < 1e-15);
    assert_eq!(solid.mesh().triangles().len(), 14);
}

#[test]
fn triangles_that_are_there_twice_are_dropped() {
    let mesh = lumpy(1);
    let mut twice = facets(&mesh);
    let [a, b, c] = mesh.triangles()[5];
    twice.triangles.push([b, c, a]);
    let (solid, said) = repaired(twice);
    assert_eq!(said, ["triangles that are there twice: 1; taken once"]);
    assert_eq!(solid.mesh(), &mesh);
}

#[test]
fn triangles_turned_against_their_neighbours_are_turned_back() {
    let mesh = lumpy(2);
    let mut wrong = facets(&mesh);
    for t in [0, 3, 4, 17] {
        wrong.triangles[t].swap(0, 1);
    }
    let (solid, said) = repaired(wrong);
    assert_eq!(said, ["triangles turned against their neighbours: 4; turned like them"]);
    assert!((volume(&solid) - mesh.moments().volume).abs() < 1e-14);
}

#[test]
fn parts_inside_out_are_turned_and_cavities_are_not() {
    let mesh = cube(0.5);
    let inwards = |mesh: &TriMesh| {
        TriMesh::new(
            mesh.vertices().to_vec(),
            mesh.triangles().iter().map(|[a, b, c]| [*a, *c, *b]).collect(),
        )
        .unwrap()
    };
    let (solid, said) = repaired(facets(&inwards(&mesh)));
    assert_eq!(said, ["parts inside out: 1 (triangles: 12); turned"]);
    assert!((volume(&solid) - 1.0).abs() < 1e-15);
    // A hollow cube, whose inner wall is turned inwards as it should be, and one whose is not.
    let hollow = joined(facets(&mesh), &inwards(&cube(0.25)));
    let (solid, said) = repaired(hollow.clone());
    assert!(said.is_empty() && (volume(&solid) - 0.875).abs() < 1e-15, "{said:?}");
    // The same inside out as a whole.
    let over = Facets {
        triangles: hollow.triangles.iter().map(|[a, b, c]| [*a, *c, *b]).collect(),
        vertices: hollow.vertices.clone(),
    };
    let (other, said) = repaired(over);
    assert_eq!(said, ["parts inside out: 2 (triangles: 24); turned"]);
    assert_eq!(volume(&other), volume(&solid));
    // A block in the hollow cube, turned either way.
    for block in [cube(0.125), inwards(&cube(0.125))] {
        let (solid, _) = repaired(joined(hollow.clone(), &block));
        assert!((volume(&solid) - 0.890_625).abs() < 1e-15, "{}", volume(&solid));
    }
}

#[test]
fn parts_that_add_nothing_are_dropped_and_told() {
    let nothing = |parts: usize, triangles: usize| {
        vec![format!(
            "parts without volume, or inside of others and turned as these: {parts} (triangles: {triangles}); dropped, since \
             they add nothing (a cavity is turned against what surrounds it)"
        )]
    };
    let mesh = cube(0.5);
    // A block that is drawn inside another one; a hollow one there.
    let inner = joined(facets(&mesh), &cube(0.25));
    let hole = TriMesh::new(
        cube(0.125).vertices().to_vec(),
        cube(0.125).triangles().iter().map(|[a, b, c]| [*a, *c, *b]).collect(),
    )
    .unwrap();
    let (solid, said) = repaired(inner.clone());
    assert_eq!((said, volume(&solid)), (nothing(1, 12), 1.0));
    let (solid, said) = repaired(joined(inner, &hole));
    assert_eq!((said, volume(&solid)), (nothing(2, 24), 1.0));
    // A square of two sides, divided along one diagonal on the one and along the other on the other.
    for place in [Vec3::zeros(), Vec3::x() * 3.0] {
        let corners = [[0.0, 0.0, 0.0], [0.1, 0.0, 0.0], [0.0, 0.1, 0.0], [0.1, 0.1, 0.0]];
        let vertices = corners.map(|corner| Vec3::from(corner) + place).to_vec();
        let square = TriMesh::new(vertices, vec![[0, 1, 3], [0, 3, 2], [0, 2, 1], [1, 2, 3]]).unwrap();
        let (solid, said) = repaired(joined(facets(&mesh), &square));
        assert_eq!((said, volume(&solid)), (nothing(1, 4), 1.0));
    }
}

#[test]
fn parts_that_touch_are_no_cavities_whatever_the_order_of_their_triangles() {
    let (big, small) = (cube(0.5), cube(0.25));
    // On the upper face, its corner on a diagonal of it; inside, on the lower face, as a cavity and as a solid.
    let (above, within) = (Vec3::new(0.1, 0.05, 0.75), Vec3::new(0.0, 0.1, -0.25));
    for (place, inwards, expected) in [(above, false, 1.125), (within, true, 0.875), (within, false, 1.0)] {
        let other = super::super::samples::mapped(&small, |v| v + place);
        let turned = |[a, b, c]: &[u32; 3]| if inwards { [*a, *c, *b] } else { [*a, *b, *c] };
        let triangles = other.triangles().iter().map(turned).collect();
        let other = TriMesh::new(other.vertices().to_vec(), triangles).unwrap();
        for turn in 0..12 {
            for swapped in [false, true] {
                let (first, second) = if swapped { (&other, &big) } else { (&big, &other) };
                let mut both = joined(facets(first), second);
                both.triangles.rotate_left(turn);
                let (solid, _) = repaired(both);
                assert!((volume(&solid) - expected).abs() < 1e-14, "{place:?} {turn}: {}", volume(&solid));
            }
        }
    }
}

#[test]
fn parts_that_cross_are_no_cavities_whatever_the_order_of_their_triangles() {
    let block = |half: [f64; 3], at: [f64; 3], inwards: bool| {
        let mesh = cube(1.0);
        let place = |v: &Vec3| Vec3::from_fn(|i, _| v[i] * half[i] + at[i]);
        let turned = |t: &[u32; 3]| if inwards { [t[0], t[2], t[1]] } else { *t };
        let vertices = mesh.vertices().iter().map(place).collect();
        TriMesh::new(vertices, mesh.triangles().iter().map(turned).collect()).unwrap()
    };
    let one = block([0.5; 3], [0.0; 3], false);
    let crossing = "parts that reach into each other: 2; what they share counts twice in the volume";
    let turned = "parts inside out: 1 (triangles: 12); turned";
    for (other, expected, said) in [
        // Half of it outside, a bar through it, a peg in its top, the same inside out.
        (block([0.5; 3], [0.5, 0.3, 0.2], false), 2.0, vec![crossing]),
        (block([0.1, 0.1, 1.5], [0.1, 0.05, 0.0], false), 1.12, vec![crossing]),
        (block([0.1, 0.1, 0.4], [0.0, 0.0, 0.6], false), 1.032, vec![crossing]),
        (block([0.1, 0.1, 0.4], [0.0, 0.0, 0.6], true), 1.032, vec![turned, crossing]),
        // What is inside as a whole and turned inwards is a cavity.
        (block([0.1; 3], [0.0; 3], true), 0.992, vec![]),
    ] {
        let mut both = joined(facets(&one), &other);
        for shift in 0..24 {
            both.triangles.rotate_left(7);
            both.triangles[shift].rotate_left(1);
            let (solid, found) = repaired(both.clone());
            assert!((volume(&solid) - expected).abs() < 1e-12, "{} instead of {expected}", volume(&solid));
            assert_eq!(found, said);
        }
    }
}

#[test]
fn loose_pieces_with_rims_are_dropped_and_small_closed_ones_are_kept() {
    let mesh = cube(0.5);
    let chip = TriMesh::new(
        vec![Vec3::new(2.0, 0.0, 0.0), Vec3::new(2.1, 0.0, 0.0), Vec3::new(2.0, 0.1, 0.0)],
        vec![[0, 1, 2]],
    );
    let (solid, said) = repaired(joined(facets(&mesh), &chip.unwrap()));
    assert_eq!(said, ["loose pieces with rims: 1 (triangles: 1, 0.08 % of the area); dropped"]);
    assert_eq!(solid.mesh(), &mesh);
    let crumb = super::super::samples::mapped(&cube(0.01), |v| v + Vec3::x());
    let (solid, said) = repaired(joined(facets(&mesh), &crumb));
    assert_eq!(
        said,
        ["small parts: 1 (triangles: 12, the largest of 8.00e-6 m³); kept as parts of the body"]
    );
    assert_eq!(solid.topology().component_count(), 2);
}

#[test]
fn what_bounds_no_solid_is_refused_by_name() {
    // Klein's bottle, as far as its topology goes: a grid whose ends are joined the wrong way around.
    let (n, m) = (8, 6);
    let mut klein = facets(&grid(n, m, [true, true], |u, v| {
        super::super::samples::torus_point(1.0, 0.3, 6.2 * u, 6.2 * v)
    }));
    let mirror = |v: u32| (m as u32 - v / n as u32) % m as u32 * n as u32 + v % n as u32;
    for (t, triangle) in klein.triangles.iter_mut().enumerate() {
        if t / 2 % n == n - 1 {
            *triangle = triangle.map(|v| if (v as usize).is_multiple_of(n) { mirror(v) } else { v });
        }
    }
    let said = refused(klein);
    assert!(said.starts_with("mesh cannot be oriented"), "{said}");
    let nowhere = Facets { vertices: vec![Vec3::zeros(); 3], triangles: vec![[0, 0, 1], [0, 1, 3]] };
    assert_eq!(refused(nowhere), "triangle 1 uses vertex 3: the mesh has 3 vertices");
    assert!(
        refused(Facets { vertices: vec![Vec3::zeros(); 3], triangles: vec![[0, 1, 2]] })
            .starts_with("mesh is empty")
    );
}

proptest::proptest! {
    #[test]
    fn no_triangles_make_it_panic(
        points in proptest::collection::vec([-2i32..3, -2i32..3, -2i32..3], 1..12),
        triangles in proptest::collection::vec([0u32..12, 0u32..12, 0u32..12], 0..40),
    ) {
        let vertices = points.iter().map(|p| Vec3::from(p.map(f64::from))).collect();
        if let Ok(found) = (Facets { vertices, triangles }).repaired() {
            proptest::prop_assert!(Topology::new(&found.mesh).is_closed());
        }
    }
}
