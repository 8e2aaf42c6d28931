//! Sizes, masses, curvatures and moments of the bowl and the table.
//!
//! Moments are held to another quadrature: they are ∫ over the solid as integrals over its surface, with dA = ∂x/∂u ×
//! ∂x/∂v du dv: V = ⅓∫x·dA, ∫x dV = ¼∫x (x·dA), ∫x xᵀ dV = ⅕∫x xᵀ (x·dA). A face is cut towards its extraordinary
//! corners as in Loop's refinement; on every part x is a quartic polynomial, the integrands have degree 18 and less,
//! and Gauss's rule is exact.

use rattleback_geom::mesh::obj;
use rattleback_geom::quadrature::gauss_legendre;
use rattleback_geom::subdivision::LoopSurface;
use rattleback_geom::surface::Surface;
use rattleback_geom::{Aabb, Curvature, Moments, TriMesh, Vec2, Vec3};
use rattleback_studies::Case;

type Result<T> = std::result::Result<T, rattleback_geom::GeomError>;

/// Density of the table, in kg/m³: wood.
const TABLE_DENSITY: f64 = 700.0;
/// Height of the table's net, in m.
const THICKNESS: f64 = 0.04;
/// Density of the bowl in its scene, in kg/m³: earthenware.
const BOWL_DENSITY: f64 = 1850.0;

/// A control mesh beside the scene.
fn control(name: &str) -> Result<TriMesh> {
    let beside = Case::find("bowl").unwrap().file.beside;
    obj::read(beside.iter().find(|(file, _)| *file == name).unwrap().1)
}

fn bowl() -> Result<TriMesh> {
    control("bowl.obj")
}

fn table() -> Result<TriMesh> {
    control("table.obj")
}

/// Steps towards an extraordinary corner of a face. What is left out is below 0.3^12 = 5e-7 of the face's share.
const DEPTH: usize = 12;
/// Points of Gauss's rule: exact to degree 19, one of which the collapsed square takes.
const POINTS: usize = 10;

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
    let mass = bowl.moments().unwrap().with_density(BOWL_DENSITY).unwrap();
    assert!((0.9..1.0).contains(&mass.mass), "{}", mass.mass);
    assert!(mass.centroid.xy().norm() < 1e-9);
}

#[test]
fn the_bowl_stands_on_a_round_bottom_and_is_convex_outside() {
    let bowl = surface(&bowl().unwrap());
    let height = bowl.moments().unwrap().with_density(BOWL_DENSITY).unwrap().centroid.z;
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
    let mass = table.moments().unwrap().with_density(TABLE_DENSITY).unwrap();
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

/// Moments of the solid within a Loop surface, about the origin.
fn moments(surface: &LoopSurface) -> Result<Moments> {
    let rule = gauss_legendre(POINTS);
    let mut sum = Moments::zero();
    let whole = [Vec2::new(0.0, 0.0), Vec2::new(1.0, 0.0), Vec2::new(0.0, 1.0)];
    for face in 0..surface.face_count() {
        add(surface, face, &middle(&whole), &rule, &mut sum)?;
        for k in 0..3 {
            let mut corner = shrunk(&whole, k);
            if surface.limit(face, k)?.valence == 6 {
                add(surface, face, &corner, &rule, &mut sum)?;
                continue;
            }
            for _ in 1..DEPTH {
                add(surface, face, &middle(&corner), &rule, &mut sum)?;
                for j in (0..3).filter(|&j| j != k) {
                    add(surface, face, &shrunk(&corner, j), &rule, &mut sum)?;
                }
                corner = shrunk(&corner, k);
            }
        }
    }
    Ok(sum)
}

/// The triangle of the middles of the sides.
fn middle(corners: &[Vec2; 3]) -> [Vec2; 3] {
    [0, 1, 2].map(|k| 0.5 * (corners[k] + corners[(k + 1) % 3]))
}

/// The half of a triangle at its corner k.
fn shrunk(corners: &[Vec2; 3], k: usize) -> [Vec2; 3] {
    corners.map(|p| 0.5 * (p + corners[k]))
}

/// Adds what a triangle of parameters contributes.
fn add(
    surface: &LoopSurface,
    face: usize,
    [a, b, c]: &[Vec2; 3],
    rule: &[(f64, f64)],
    sum: &mut Moments,
) -> Result<()> {
    let twice = (b - a).perp(&(c - a));
    for (x, first) in rule {
        for (y, second) in rule {
            let (s, t) = (0.5 * (1.0 + x), 0.5 * (1.0 + y));
            let at = a + (b - a) * (s * (1.0 - t)) + (c - a) * (s * t);
            let jet = surface.jet(face, at.x, at.y)?;
            let flux = jet.p.dot(&jet.du.cross(&jet.dv)) * (0.25 * first * second * s * twice);
            sum.volume += flux / 3.0;
            sum.first += jet.p * (flux / 4.0);
            sum.second += jet.p * jet.p.transpose() * (flux / 5.0);
        }
    }
    Ok(())
}

#[test]
fn moments_agree_with_another_quadrature_and_with_a_fine_mesh() {
    let bowl = surface(&bowl().unwrap());
    let (found, exact) = (bowl.moments().unwrap(), moments(&bowl).unwrap());
    assert!((found.volume / exact.volume - 1.0).abs() < 1e-6, "{} {}", found.volume, exact.volume);
    assert!((found.second - exact.second).norm() < 1e-6 * exact.second.norm());
    // Triangles err by the square of their size: two meshes tell what finer ones tend to.
    let [coarse, fine] = [8, 16].map(|n| soup(&bowl, n).moments());
    let volume = (4.0 * fine.volume - coarse.volume) / 3.0;
    assert!((volume / exact.volume - 1.0).abs() < 1e-4, "{volume} {}", exact.volume);
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
