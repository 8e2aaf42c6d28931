//! Dopico et al., sections 4 and 5: contact of meshes, with its contours, plane, centroid and indentation against
//! closed forms, and the primitives of a chain link, Figs 1 to 5.
//!
//! A sphere of radius R pressed by δ into the flat face of a box has a circle of radius √(2Rδ − δ²) for its contour,
//! the face for its contact plane, the middle of the circle for its centroid, and the indentation δ. Meshes of both are
//! inside of the sphere by their chord c at most, so that all of it holds to O(c).

mod printed;

use crate::still::{BLUE, FIRST, GREEN, GREY, RED, SECOND, Stood, View, still, vector};
use crate::{Result, StudyError};
use rattleback_contact::region::MeshMesh;
use rattleback_geom::nalgebra::{Unit, UnitQuaternion};
use rattleback_geom::surface::{Cuboid, Cylinder, Ellipsoid, HalfTorus, Mesh, Sphere, Surface};
use rattleback_geom::{Pose, Vec3};
use rattleback_record::picture::Marks;
use rattleback_record::{Axis, Document, Figure, Series, Table};
use std::f64::consts::{PI, TAU};
use std::sync::Arc;

/// R and δ, in m.
const RADIUS: f64 = 0.5;
const DEPTH: f64 = 0.1;
/// The box, in m; its upper face is at z = 0.
const BOX: [f64; 3] = [1.6, 1.6, 0.4];
/// Chords of the sphere's meshes, in radii.
const CHORDS: [f64; 4] = [3e-2, 1e-2, 1e-3, 1e-4];
/// The one of the pictures.
const SHOWN: f64 = 2e-2;

const WIDE: View = View { width: 720, height: 480, from: None };

/// A sphere of triangles that is pressed into a box.
struct Pressed {
    meshes: [Arc<Mesh>; 2],
    poses: [Pose; 2],
}

impl Pressed {
    fn new(chord: f64) -> Result<Self> {
        let sphere = Mesh::new(Sphere::new(RADIUS)?.tessellate(chord * RADIUS)?)?;
        let slab = Mesh::new(Cuboid::new(BOX, 0.0)?.tessellate(1.0)?)?;
        // Turned, so that no edge of the sphere's mesh lies in the face, and beside the middle of the box.
        let turn = UnitQuaternion::from_axis_angle(&Unit::new_normalize(Vec3::new(0.3, 0.5, 0.2)), 0.4);
        let poses = [
            Pose::new(Vec3::new(0.13, -0.07, RADIUS - DEPTH), turn),
            Pose::from_position(0.0, 0.0, -0.5 * BOX[2]),
        ];
        Ok(Self { meshes: [Arc::new(sphere), Arc::new(slab)], poses })
    }

    fn stood(&self) -> Vec<Stood> {
        let colours = [FIRST, SECOND];
        (0..2).map(|k| Stood::new(Mesh::clone(&self.meshes[k]), self.poses[k], colours[k])).collect()
    }
}

/// What a mesh finds of the closed form.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Found {
    /// Triangles of the sphere, pairs of triangles that cut each other, points of the contour.
    pub counts: [usize; 3],
    /// The enclosed area over that of the circle.
    pub area: f64,
    /// The indentation over δ.
    pub depth: f64,
    /// How far the centroid is from the middle of the circle, in m.
    pub centroid: f64,
    /// The angle between the contact plane and the face, in rad.
    pub tilt: f64,
}

/// Presses a sphere whose mesh has a chord, in radii, into the box.
pub fn press(chord: f64) -> Result<Option<Found>> {
    let pressed = Pressed::new(chord)?;
    let mut meshes = MeshMesh::new();
    let [a, b] = &pressed.meshes;
    let regions = meshes.find(a, &pressed.poses[0], b, &pressed.poses[1])?.to_vec();
    let Some(region) = regions.first() else { return Ok(None) };
    let middle = Vec3::new(pressed.poses[0].position.x, pressed.poses[0].position.y, 0.0);
    let points = meshes.contours(region).map(<[_]>::len).sum();
    Ok(Some(Found {
        counts: [a.mesh().triangles().len(), meshes.pairs().count(), points],
        area: region.area / (PI * DEPTH * (2.0 * RADIUS - DEPTH)),
        depth: region.depth / DEPTH,
        centroid: (region.centroid - middle).norm(),
        tilt: region.normal.cross(&Vec3::z()).norm().asin(),
    }))
}

/// Presses meshes and draws the figures.
pub fn report() -> Result<Document> {
    let mut report = Document::new("Dopico et al.: contact of meshes, chain links");
    report.text(format!(
        "A sphere of {RADIUS} m pressed by {DEPTH} m into the face of a box, both as triangles: contour, contact plane, centroid \
         and indentation of section 4 beside their closed forms. The manoeuvre itself is `study anchor`."
    ));
    let columns = [
        "chord in radii",
        "triangles",
        "pairs that cut",
        "points of the contour",
        "area over that of the circle",
        "indentation over δ",
        "centroid off by, m",
        "plane tilted by, rad",
    ];
    let mut table = Table::new(columns);
    for chord in CHORDS {
        let Some(found) = press(chord)? else { continue };
        let mut row = vec![format!("{chord:.0e}")];
        row.extend(found.counts.map(|count| count.to_string()));
        row.extend([format!("{:.5}", found.area), format!("{:.5}", found.depth)]);
        row.extend([format!("{:.1e}", found.centroid), format!("{:.1e}", found.tilt)]);
        table.push(row);
    }
    report.table("A sphere of triangles in the face of a box", table);
    report
        .table("The contact plane, centroid and indentation as printed, beside ours", printed::table(1e-3)?);
    report.text(
        "The paper takes for the indentation the deepest vertex of one body below the contact plane; ours is how far both bodies \
         reach beyond it together. Scenes choose the paper's by `regions = \"contact_plane\"`. On the flat face of a box they are the same, between two equal spheres the paper's is half of \
         the overlap, and a force k δ^1.5 of it is 0.35 of that which the overlap asks for.",
    );
    add_mesh(&mut report)?;
    add_contour(&mut report)?;
    add_link(&mut report)?;
    Ok(report)
}

/// Fig. 1: a mesh with its vertices and one face.
fn add_mesh(report: &mut Document) -> Result<()> {
    let mesh = Mesh::new(Ellipsoid::new([0.6, 0.45, 0.35])?.tessellate(0.03)?)?;
    let triangles = mesh.mesh().triangles().len();
    // The face that is nearest to the camera, which stands above and before the body.
    let seen = |k: usize| {
        let [a, b, c] = mesh.mesh().corners(k);
        (a + b + c).dot(&Vec3::new(0.4, -0.8, 0.5))
    };
    let face = (0..triangles).max_by(|x, y| seen(*x).total_cmp(&seen(*y))).unwrap_or(0);
    let [a, b, c] = mesh.mesh().corners(face);
    let sides = [(a, b), (b, c), (c, a)].map(|(from, to)| vector(from, to - from, RED));
    let marks =
        Marks { points: mesh.mesh().vertices().to_vec(), vectors: sides.to_vec(), ..Marks::default() };
    let caption = format!(
        "Fig. 1: the mesh of a body, {} vertices (those behind shine through) and {triangles} faces, one of them in red.",
        mesh.mesh().vertices().len()
    );
    let image = still(vec![Stood::new(mesh, Pose::identity(), FIRST)], marks, "", WIDE)?;
    report.picture("fig-1", image.to_png()?, caption);
    Ok(())
}

/// Figs 2 to 4: the segments of a contour, two triangles that cut each other, the contact plane with its centroid.
fn add_contour(report: &mut Document) -> Result<()> {
    let pressed = Pressed::new(SHOWN)?;
    let mut meshes = MeshMesh::new();
    let [a, b] = &pressed.meshes;
    let regions = meshes.find(a, &pressed.poses[0], b, &pressed.poses[1])?.to_vec();
    let Some(region) = regions.first() else { return Ok(()) };
    let contour: Vec<_> = meshes.contours(region).next().unwrap_or_default().to_vec();
    let following = |k: usize| &contour[(k + 1) % contour.len()];
    let segments = contour.iter().enumerate();
    let segments: Vec<_> =
        segments.map(|(k, from)| vector(from.point, following(k).point - from.point, RED)).collect();
    let marks =
        Marks { points: contour.iter().map(|at| at.point).collect(), vectors: segments, ..Marks::default() };
    let image = still(pressed.stood(), marks.clone(), "", WIDE)?;
    let caption = format!(
        "Fig. 2: {} pairs of triangles cut each other in {} segments that close to a contour, (12, 13, 19).",
        meshes.pairs().count(),
        contour.len()
    );
    report.picture("fig-2", image.to_png()?, caption);
    report.figure("fig-3", cut(a, &pressed.poses[0])?);
    let mut plane = Marks { points: vec![region.centroid], ..marks };
    plane.vectors.push(vector(region.centroid, region.normal * -0.5, BLUE));
    // The border of the contact plane, around the contour.
    let reach = 1.3 * (region.area / PI).sqrt();
    let across = region.normal.cross(&Vec3::x()).normalize();
    let along = across.cross(&region.normal);
    let corner = |k: u32| {
        let (sin, cos) = (TAU * (f64::from(k) + 0.5) / 4.0).sin_cos();
        region.centroid + (along * cos + across * sin) * (reach * 2f64.sqrt())
    };
    plane.vectors.extend((0..4).map(|k| vector(corner(k), corner(k + 1) - corner(k), GREEN)));
    let image = still(pressed.stood(), plane, "", WIDE)?;
    let caption = format!(
        "Fig. 4: the contact plane (green), its normal against the sphere (blue) and the centroid; indentation {:.4} m of {DEPTH} m.",
        region.depth
    );
    report.picture("fig-4", image.to_png()?, caption);
    Ok(())
}

/// The first pair of triangles of a sphere's mesh and of the same mesh below it.
fn cut(sphere: &Arc<Mesh>, pose: &Pose) -> Result<Figure> {
    let below = Pose { position: Vec3::new(0.05, 0.02, DEPTH - RADIUS), ..Pose::identity() };
    let mut meshes = MeshMesh::new();
    let regions = meshes.find(sphere, pose, sphere, &below)?.to_vec();
    let contour = regions.first().and_then(|region| meshes.contours(region).next()).unwrap_or_default();
    let [from, to] = match contour {
        [from, to, ..] => [from, to],
        _ => return Err(StudyError::Unexpected { case: "dopico", expected: "spheres that cut each other" }),
    };
    let corners = [pose, &below];
    let corners = [0, 1].map(|k| {
        let triangle = sphere.mesh().corners(from.triangles[k] as usize);
        triangle.map(|p| corners[k].point_to_world(&p))
    });
    Ok(triangles(corners, [from.point, to.point]))
}

/// Fig. 3: two triangles that cut each other, seen along the normal of the second.
fn triangles([first, second]: [[Vec3; 3]; 2], segment: [Vec3; 2]) -> Figure {
    let normal = (second[1] - second[0]).cross(&(second[2] - second[0])).normalize();
    let x = (second[1] - second[0]).normalize();
    let y = normal.cross(&x);
    let plan = |p: &Vec3| [x.dot(&(p - segment[0])), y.dot(&(p - segment[0]))];
    let closed = |corners: &[Vec3; 3]| [0, 1, 2, 0].map(|k: usize| plan(&corners[k])).to_vec();
    let size = first.iter().chain(&second).map(|p| (p - segment[0]).norm()).fold(0.0, f64::max);
    let line = |name: &str, points| Series { name: name.to_owned(), points, dashed: false };
    let axis =
        |label: &str, half: f64| Axis { label: label.to_owned(), range: [-half, half], logarithmic: false };
    Figure {
        title: "Fig. 3: a triangle of either body and where they cut".to_owned(),
        x: axis("along a side of the second, in m", 1.75 * size),
        y: axis("across it, in m", size),
        series: vec![
            line("triangle of the first body", closed(&first)),
            line("triangle of the second", closed(&second)),
            line("segment", segment.iter().map(plan).collect()),
            Series::marks("its ends", segment.iter().map(plan)),
        ],
    }
}

/// Fig. 5: a link of two cylinders and two half tori.
fn add_link(report: &mut Document) -> Result<()> {
    let (bar, bend, half) = (0.1, 0.25, 0.35);
    // A half torus is the half y ≥ 0 of a ring about z: here the ring is about x and the half is beyond z = ±h.
    let upper = UnitQuaternion::from_axis_angle(&Unit::new_normalize(Vec3::new(1.0, 1.0, 1.0)), TAU / 3.0);
    let lower = UnitQuaternion::from_axis_angle(&Vec3::x_axis(), PI) * upper;
    let stood = vec![
        Stood::new(Cylinder::new(bar, half)?, Pose::from_position(0.0, bend, 0.0), FIRST),
        Stood::new(Cylinder::new(bar, half)?, Pose::from_position(0.0, -bend, 0.0), FIRST),
        Stood::new(HalfTorus::new(bend, bar)?, Pose::new(Vec3::z() * half, upper), SECOND),
        Stood::new(HalfTorus::new(bend, bar)?, Pose::new(Vec3::z() * -half, lower), SECOND),
    ];
    let mut marks = Marks::default();
    for (k, colour) in [RED, GREEN, BLUE].into_iter().enumerate() {
        let axis = Vec3::from_fn(|i, _| if i == k { 0.3 } else { 0.0 });
        marks.vectors.push(vector(Vec3::zeros(), axis, colour));
    }
    for (centre, to) in [(half, bend), (-half, -bend)] {
        marks.vectors.push(vector(Vec3::z() * centre, Vec3::z() * to, GREY));
    }
    let view = View { width: 720, height: 480, from: Some([1.0, -0.5, 0.3]) };
    let image = still(stood, marks, "", view)?;
    let caption = "Fig. 5: a link as two cylinders and two half tori; its frame in red, green, blue, the bends' radii from their centres \
                   at ±h in grey.";
    report.picture("fig-5", image.to_png()?, caption);
    Ok(())
}
