//! Touching, coplanar, identical: the positions in which nothing is in general position.

use super::samples::{Random, body, bumpy, cube, cuboid, mapped, torus};
use rattleback_contact::geom::surface::{Mesh, Shape};
use rattleback_contact::geom::{Pose, Vec3};
use rattleback_contact::region::{MeshMesh, RegionFinder};
use std::sync::Arc;

/// Finds the regions and holds them to what must be so in every position.
fn examine(finder: &mut MeshMesh, a: &Arc<Mesh>, pose_a: &Pose, b: &Arc<Mesh>, pose_b: &Pose) -> Vec<f64> {
    let found = finder.find(a, pose_a, b, pose_b).unwrap().to_vec();
    let mut in_contours = 0;
    for region in &found {
        for number in [region.area, region.depth].iter().chain(&region.centroid) {
            assert!(number.is_finite(), "{region:?}");
        }
        assert!((region.normal.norm() - 1.0).abs() < 1e-12 && region.depth >= 0.0 && region.area >= 0.0);
        for contour in finder.contours(region) {
            assert!(contour.len() >= 3);
            in_contours += contour.len();
            for (k, point) in contour.iter().enumerate() {
                // From one point to the next one triangle is left by an edge, the other stays.
                let next = contour[(k + 1) % contour.len()];
                let same = (0..2).filter(|&body| point.triangles[body] == next.triangles[body]).count();
                assert_eq!(same, 1, "{point:?} {next:?}");
            }
        }
    }
    assert_eq!(in_contours, finder.pairs().count());
    found.iter().map(|r| r.depth).collect()
}

#[test]
fn identical_bodies_at_the_same_pose_have_closed_contours() {
    let mut finder = MeshMesh::new();
    for mesh in
        [cuboid([0.5; 3], [1; 3]), cuboid([0.5, 0.3, 0.2], [3, 4, 5]), bumpy(2), torus(1.0, 0.3, 12, 8)]
    {
        let mesh = body(mesh);
        for pose in [Pose::identity(), Random(3).pose(2.0), Pose::from_position(1.0, 2.0, 3.0)] {
            examine(&mut finder, &mesh, &pose, &mesh, &pose);
        }
    }
}

#[test]
fn a_grid_shifted_by_its_own_cells_has_closed_contours() {
    let block = body(cuboid([1.0, 1.0, 1.0], [4; 3]));
    let mut finder = MeshMesh::new();
    for x in -4i32..=4 {
        for y in -2..=2 {
            for z in [-4i32, -1, 0, 2, 4] {
                let pose = Pose::from_position(0.5 * f64::from(x), 0.5 * f64::from(y), 0.5 * f64::from(z));
                let depths = examine(&mut finder, &block, &pose, &block, &Pose::identity());
                let depth = depths.iter().copied().fold(0.0, f64::max);
                let touching = x.abs() == 4 || z.abs() == 4;
                assert!(touching || depth > 0.4, "{x} {y} {z}: {depths:?}");
                // What only touches has no depth.
                assert!(!touching || depth < 1e-12, "{x} {y} {z}: {depths:?}");
            }
        }
    }
}

#[test]
fn boxes_that_touch_in_a_face_an_edge_or_a_corner_have_no_depth() {
    let block = cube(0.5);
    let mut finder = MeshMesh::new();
    for shift in
        [[1.0, 0.0, 0.0], [-1.0, 0.25, 0.5], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.3], [1.0, -1.0, 1.0], [-1.0; 3]]
    {
        let [x, y, z] = shift;
        let depths = examine(&mut finder, &block, &Pose::from_position(x, y, z), &block, &Pose::identity());
        assert!(depths.iter().all(|d| *d < 1e-12), "{shift:?} {depths:?}");
    }
}

#[test]
fn bodies_turned_by_right_angles_about_shared_faces_have_closed_contours() {
    let mut random = Random(8);
    let block = body(cuboid([1.0, 0.5, 0.5], [4, 2, 2]));
    let mut finder = MeshMesh::new();
    for _ in 0..300 {
        let quarter = std::f64::consts::FRAC_PI_2;
        let turns = [random.unit(), random.unit()].map(|u| (u * 4.0).floor() * quarter);
        let place = [(); 3].map(|()| (random.unit() * 8.0).floor() * 0.25 - 1.0);
        let pose = Pose::from_position(place[0], place[1], place[2])
            .rotated(Vec3::z(), turns[0])
            .unwrap()
            .rotated(Vec3::x(), turns[1])
            .unwrap();
        examine(&mut finder, &block, &pose, &block, &Pose::identity());
    }
}

#[test]
fn flat_and_stretched_bodies_on_a_coarse_grid_have_closed_contours() {
    // Vertices rounded to a coarse grid: many coincide with planes and edges of the other.
    let mut random = Random(15);
    let rounded = |m, cell: f64| body(mapped(&m, |v| v.map(|x| (x / cell).round() * cell)));
    let bodies = [
        rounded(bumpy(1), 0.125),
        rounded(torus(1.0, 0.5, 8, 6), 0.25),
        body(cuboid([1.0, 1.0, 1e-3], [2, 2, 1])),
        body(cuboid([1.0, 1.0, 1.0], [2; 3])),
    ];
    let mut met = 0;
    for round in 0..400 {
        let (a, b) = (&bodies[round % 4], &bodies[(round / 4) % 4]);
        let place = [(); 3].map(|()| (random.unit() * 16.0).floor() * 0.125 - 1.0);
        let pose = Pose::from_position(place[0], place[1], place[2]);
        met += examine(&mut MeshMesh::new(), a, &pose, b, &Pose::identity()).len();
    }
    assert!(met > 200);
}

#[test]
fn nearly_degenerate_positions_have_closed_contours_at_every_scale() {
    let mut random = Random(23);
    for scale in [1.0, 1e-6, 1e6] {
        let meshes = [cuboid([0.5; 3], [3; 3]), torus(0.5, 0.25, 8, 6), bumpy(1)]
            .map(|m| body(mapped(&m, |v| v * scale)));
        for round in 0..240 {
            let (a, b) = (&meshes[round % 3], &meshes[(round / 3) % 3]);
            let exponent = -6.0 - 11.0 * random.unit();
            let shift = [(); 3].map(|()| (random.unit() * 7.0).floor() / 3.0 - 1.0);
            let off = random.point(10f64.powf(exponent));
            let reach = 1e3 * scale * random.unit();
            let far = random.point(reach);
            let axis = random.point(1.0);
            let pose = Pose::new((Vec3::from(shift) + off) * scale + far, Default::default())
                .rotated(axis, 10f64.powf(exponent))
                .unwrap();
            examine(&mut MeshMesh::new(), a, &pose, b, &Pose::new(far, Default::default()));
        }
    }
}

#[test]
fn a_body_and_its_copy_at_the_same_pose_but_for_rounding_have_closed_contours() {
    // The same body twice: its own frame is the other's up to rounding, so that everything coincides but for that.
    let mut random = Random(29);
    let mesh = body(bumpy(2));
    for _ in 0..40 {
        let pose = random.pose(3.0);
        let turned = Pose::new(pose.position, random.turn());
        let back = turned.compose(&turned.inverse().compose(&pose));
        examine(&mut MeshMesh::new(), &mesh, &pose, &mesh, &back);
    }
}

#[test]
fn a_pose_of_no_number_is_refused() {
    let shape = Shape::Mesh(cube(0.5));
    let (mut finder, mut out) = (RegionFinder::new(), Vec::new());
    let bad = Pose::from_position(f64::NAN, 0.0, 0.0);
    let error = finder.find(&shape, &Pose::identity(), &shape, &bad, 0.0, &mut out).unwrap_err();
    assert!(error.to_string().starts_with("pose_b = NaN"), "{error}");
    let error = finder.find(&shape, &bad, &shape, &Pose::identity(), 0.0, &mut out).unwrap_err();
    assert!(error.to_string().starts_with("pose_a = NaN"), "{error}");
    finder
        .find(&shape, &Pose::from_position(0.9, 0.0, 0.0), &shape, &Pose::identity(), 0.0, &mut out)
        .unwrap();
    assert_eq!(out.len(), 1);
}
