//! Sizes, masses, curvatures and moments of the bowl and the table.

use super::*;
use rattleback_geom::{Aabb, Curvature, Pose};

fn surface(mesh: &TriMesh) -> LoopSurface {
    LoopSurface::new(mesh).unwrap()
}

/// Parameters spread over a face, its corners among them.
fn grid(n: usize) -> impl Iterator<Item = (f64, f64)> {
    let part = move |k: usize| k as f64 / n as f64;
    (0..=n).flat_map(move |i| (0..=n - i).map(move |j| (part(i), part(j))))
}

fn extent(surface: &LoopSurface) -> Aabb {
    let points: Vec<Vec3> = (0..surface.face_count())
        .flat_map(|face| grid(12).map(move |(u, v)| (face, u, v)))
        .map(|(face, u, v)| surface.point(face, u, v).unwrap())
        .collect();
    Aabb::of_points(&points)
}

/// Normal and curvatures, where there are any.
fn shape(surface: &LoopSurface, face: usize, u: f64, v: f64) -> Option<(Vec3, [f64; 2])> {
    let jet = surface.jet(face, u, v).ok()?;
    let n = jet.du.cross(&jet.dv).normalize();
    let second = [&jet.duu, &jet.duv, &jet.dvv];
    Some((n, Curvature::from_parametric([&jet.du, &jet.dv], second, &n).kappa))
}

fn valences(mesh: &TriMesh) -> Vec<usize> {
    let mut count = vec![0; mesh.vertices().len()];
    mesh.triangles().iter().flatten().for_each(|&v| count[v as usize] += 1);
    count
}

#[test]
fn the_bowl_has_the_size_and_the_mass_of_the_paper() {
    let mesh = bowl().unwrap();
    let bowl = surface(&mesh);
    assert_eq!(bowl.face_count(), 48);
    assert!(valences(&mesh).contains(&5) && valences(&mesh).contains(&6));
    let size = extent(&bowl);
    let lengths = size.max - size.min;
    assert!((lengths - Vec3::new(0.13, 0.13, 0.11)).amax() < 2e-3, "{lengths}");
    assert!(size.min.z.abs() < 1e-15);
    let mass = moments(&bowl).unwrap().with_density(BOWL_DENSITY).unwrap();
    assert!((0.9..1.0).contains(&mass.mass), "{}", mass.mass);
    assert!(mass.centroid.xy().norm() < 1e-9);
}

#[test]
fn the_bowl_stands_on_a_round_bottom_and_is_convex_outside() {
    let bowl = surface(&bowl().unwrap());
    let height = moments(&bowl).unwrap().with_density(BOWL_DENSITY).unwrap().centroid.z;
    let (normal, [greater, less]) = shape(&bowl, 0, 0.0, 0.0).unwrap();
    assert!((normal + Vec3::z()).norm() < 1e-12);
    // It rights itself: the mass centre lies below the centres of curvature.
    assert!(less > 0.0 && height < 1.0 / greater, "{greater} {height}");
    // Of each sector's eight faces the first three are outside, the last is the bottom of the hollow.
    for face in (0..48).filter(|face| face % 8 < 3) {
        assert!(grid(6).filter_map(|(u, v)| shape(&bowl, face, u, v)).all(|(_, [_, less])| less > 0.0));
    }
    let (inside, [greater, _]) = shape(&bowl, 7, 0.0, 0.0).unwrap();
    assert!(inside.z > 0.999 && greater < 0.0);
}

#[test]
fn the_table_is_flat_in_the_middle_and_round_at_its_edges() {
    let mesh = table().unwrap();
    let table = surface(&mesh);
    assert_eq!(table.face_count(), 60);
    assert!(valences(&mesh).iter().any(|&valence| valence != 6));
    let size = extent(&table);
    let lengths = size.max - size.min;
    assert!((lengths - Vec3::new(0.4, 0.4, THICKNESS)).amax() < 2e-3, "{lengths}");
    let middle: Vec<usize> = (0..60)
        .filter(|&face| mesh.corners(face).iter().all(|p| p.x.abs() < 0.15 && p.y.abs() < 0.15 && p.z == 0.0))
        .collect();
    assert_eq!(middle.len(), 2);
    for &face in &middle {
        for (u, v) in grid(6) {
            let (normal, curvature) = shape(&table, face, u, v).unwrap();
            assert!(table.point(face, u, v).unwrap().z == 0.0 && (normal - Vec3::z()).norm() < 1e-14);
            assert!(curvature.iter().all(|k| k.abs() < 1e-11));
        }
    }
    let mass = moments(&table).unwrap().with_density(TABLE_DENSITY).unwrap();
    assert!((mass.mass - 4.0).abs() < 0.2 && (mass.centroid.z + 0.5 * THICKNESS).abs() < 1e-8, "{mass:?}");
}

/// The limit as a fine mesh of triangles, not joined.
fn soup(surface: &LoopSurface, n: usize) -> TriMesh {
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    for face in 0..surface.face_count() {
        let start = points.len() as u32;
        points.extend(grid(n).map(|(u, v)| surface.point(face, u, v).unwrap()));
        let row = |i: usize| (0..i).map(|k| n + 1 - k).sum::<usize>();
        let at = |i: usize, j: usize| start + (row(i) + j) as u32;
        for i in 0..n {
            for j in 0..n - i {
                triangles.push([at(i, j), at(i + 1, j), at(i, j + 1)]);
                if j + 1 < n - i {
                    triangles.push([at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]);
                }
            }
        }
    }
    TriMesh::new(points, triangles).unwrap()
}

#[test]
fn moments_agree_with_those_of_a_fine_mesh() {
    let bowl = surface(&bowl().unwrap());
    let exact = moments(&bowl).unwrap();
    // Triangles err by the square of their size: two meshes tell what finer ones tend to.
    let [coarse, fine] = [8, 16].map(|n| soup(&bowl, n).moments());
    let volume = (4.0 * fine.volume - coarse.volume) / 3.0;
    assert!((volume / exact.volume - 1.0).abs() < 1e-4, "{volume} {}", exact.volume);
    let second = (fine.second * 4.0 - coarse.second) / 3.0;
    assert!((second - exact.second).norm() < 1e-3 * exact.second.norm());
    let moved = exact.moved(&Pose::from_position(0.0, 0.0, -exact.first.z / exact.volume));
    assert!(moved.first.norm() < 1e-9 * exact.volume);
}
#[test]
fn the_wall_of_the_bowl_is_more_than_a_centimetre_thick() {
    let bowl = surface(&bowl().unwrap());
    // The least radius outside and the greatest inside, for each centimetre of height.
    let (mut outside, mut inside) = ([f64::INFINITY; 12], [0.0_f64; 12]);
    for face in 0..8 {
        for (u, v) in grid(30) {
            let p = bowl.point(face, u, v).unwrap();
            let (level, radius) = ((p.z * 100.0) as usize, p.xy().norm());
            if face < 3 {
                outside[level] = outside[level].min(radius);
            } else if face > 4 {
                inside[level] = inside[level].max(radius);
            }
        }
    }
    for level in 2..9 {
        assert!(outside[level] > inside[level] + 0.01, "{level}: {} {}", outside[level], inside[level]);
    }
    let bottom = bowl.point(7, 0.0, 0.0).unwrap().z;
    assert!((0.015..0.02).contains(&bottom), "{bottom}");
}
