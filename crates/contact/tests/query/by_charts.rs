//! Derivatives at common normals of surfaces in patches and subdivision surfaces, against differences. The narrow phase
//! has no solver for them; `near` finds the common normals and follows them by its own Newton's method.

use super::random::Random;
use super::tally::{Tally, report};
use rattleback_contact::geom::chart::{Atlas, Place};
use rattleback_contact::geom::mesh::PolygonMesh;
use rattleback_contact::geom::patch::{BezierPatch, NurbsSurface, PatchNet};
use rattleback_contact::geom::subdivision::{CatmullClarkSurface, LoopSurface};
use rattleback_contact::geom::surface::{Ellipsoid, Plane, Shape, Sphere, Surface, Torus};
use rattleback_contact::geom::{Pose, TriMesh, Vec3};
use rattleback_contact::near::{ChartTree, Kind, Near, Side, Workspace, near, refine};
use rattleback_contact::{Certificate, Collider, Contact, Regularity, Touch, contact_at, derivatives};
use std::collections::BTreeMap;

/// Catmull and Clark's surface over a shaken cube.
fn cushion(r: &mut Random) -> Shape {
    let corner = |k: usize| Vec3::from_fn(|i, _| if k >> i & 1 == 0 { -1.0 } else { 1.0 });
    let points = (0..8).map(|k| corner(k) + r.vector() * 0.2).collect();
    let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    CatmullClarkSurface::new(&PolygonMesh::new(points, &faces).unwrap()).unwrap().into()
}

/// Loop's surface over a shaken octahedron.
fn stone(r: &mut Random) -> Shape {
    let mut points: Vec<Vec3> =
        [Vec3::x(), -Vec3::x(), Vec3::y(), -Vec3::y(), Vec3::z(), -Vec3::z()].to_vec();
    points.iter_mut().for_each(|p| *p += r.vector() * 0.1);
    let faces = [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
    LoopSurface::new(&TriMesh::new(points, faces.to_vec()).unwrap()).unwrap().into()
}

/// A hilly sheet, of 4 by 4 control points.
fn hills(r: &mut Random) -> (Vec<Vec3>, [usize; 2]) {
    let at = |k: usize| (k as f64 / 3.0 - 0.5) * 2.0;
    let points = (0..16).map(|k| Vec3::new(at(k / 4), at(k % 4), r.within(-0.4, 0.4))).collect();
    (points, [3, 3])
}

fn shape(kind: &str, r: &mut Random) -> Shape {
    match kind {
        "bezier" => {
            let (points, degree) = hills(r);
            PatchNet::new(vec![BezierPatch::new(degree, points).unwrap()]).unwrap().into()
        }
        "nurbs" => {
            let (points, _) = hills(r);
            let knots = vec![0.0, 0.0, 0.0, 0.4, 1.0, 1.0, 1.0];
            let weights: Vec<f64> = (0..16).map(|_| r.within(0.7, 1.4)).collect();
            NurbsSurface::new([2, 2], [knots.clone(), knots], &points, Some(&weights)).unwrap().into()
        }
        "catmull-clark" => cushion(r),
        "loop" => stone(r),
        "plane" => Plane::new([0.0, 0.0, 1.0], 0.0).unwrap().into(),
        "sphere" => Sphere::new(r.within(0.1, 0.4)).unwrap().into(),
        "ellipsoid" => Ellipsoid::new(r.axes(0.2).map(|a| 0.4 * a)).unwrap().into(),
        _ => Torus::new(0.3, r.within(0.05, 0.2)).unwrap().into(),
    }
}

const PATCHES: [&str; 4] = ["bezier", "nurbs", "catmull-clark", "loop"];
const OTHERS: [&str; 8] =
    ["bezier", "nurbs", "catmull-clark", "loop", "plane", "sphere", "ellipsoid", "torus"];

fn side<'a>(shape: &'a Shape, tree: &'a Option<ChartTree>) -> Side<'a> {
    match (shape, tree, shape.surface().as_atlas()) {
        (Shape::Plane(plane), ..) => Side::Plane(plane),
        (_, Some(tree), Some(atlas)) => Side::Charted { tree, atlas },
        _ => panic!("{} has no charts", shape.surface().kind()),
    }
}

/// The contact of a common normal.
fn contact_of(a: &Collider, b: &Collider, found: &Near) -> Option<Contact> {
    let [point_a, point_b] = found.points;
    let touch = Touch {
        gap: found.gap,
        normal: found.normal,
        point_a,
        point_b,
        iterations: 0,
        residual: found.residual,
        certificate: Certificate::Stationary { residual: found.residual },
        certified: false,
    };
    contact_at(a, b, touch).ok()
}

/// Whether no place is so near to the border of its chart that differences cross it.
fn is_inside(sides: [&Collider; 2], places: &[Place; 2]) -> bool {
    sides.iter().zip(places).all(|(side, place)| {
        let atlas: Option<&dyn Atlas> = side.shape.surface().as_atlas();
        matches!(side.shape, Shape::Plane(_)) || atlas.is_none_or(|atlas| atlas.inside(place) > 0.02)
    })
}

#[test]
fn derivatives_of_surfaces_by_charts_agree_with_differences() {
    let count: usize = std::env::var("RATTLEBACK_PAIRS").map_or(20, |n| n.parse().unwrap());
    let mut random = Random(std::env::var("RATTLEBACK_SEED").map_or(21, |n| n.parse().unwrap()));
    let mut tallies: BTreeMap<[&str; 2], Tally> = BTreeMap::new();
    let mut work = Workspace::new();
    let mut done = 0;
    while done < count {
        let mut kind = |of: &[&'static str]| of[(random.unit() * of.len() as f64) as usize];
        let mut kinds = [kind(&PATCHES), kind(&OTHERS)];
        if random.unit() < 0.5 {
            kinds.swap(0, 1);
        }
        let bodies = kinds.map(|kind| {
            Collider::new(shape(kind, &mut random), Pose::new(random.vector(), random.rotation()))
        });
        let trees = bodies.each_ref().map(|body| match body.shape {
            Shape::Plane(_) => None,
            _ => body.shape.surface().as_atlas().and_then(|atlas| ChartTree::new(atlas).ok()),
        });
        let ask = |a: &Collider, b: &Collider, places: &[Place; 2]| {
            refine(&side(&a.shape, &trees[0]), &a.pose, &side(&b.shape, &trees[1]), &b.pose, *places)
                .ok()
                .flatten()
        };
        let [a, mut b] = bodies.clone();
        let first = {
            let sides = [side(&a.shape, &trees[0]), side(&b.shape, &trees[1])];
            near(&sides[0], &a.pose, &sides[1], &b.pose, 0.6, &mut work).unwrap().first().copied()
        };
        let Some(first) = first.filter(|found| found.kind == Kind::Minimum) else { continue };
        let gap = [0.05, 1e-3, 0.0, -1e-3][(random.unit() * 4.0) as usize];
        b.pose.position += first.normal * (gap - first.gap);
        let Some(known) = ask(&a, &b, &first.places) else { continue };
        if known.residual > 1e-12 || known.kind != Kind::Minimum || !is_inside([&a, &b], &known.places) {
            continue;
        }
        kinds.sort_unstable();
        let found = contact_of(&a, &b, &known);
        let again = |a: &Collider, b: &Collider| contact_of(a, b, &ask(a, b, &known.places)?);
        tallies.entry(kinds).or_default().examine([&a, &b], found.as_ref(), &again);
        done += 1;
    }
    report(&tallies, 1e-3);
}

/// The ends of a sheet and borders at which second derivatives jump are seams; smooth borders have no rates of
/// curvature.
#[test]
fn borders_of_patches_are_seams_or_kinks() {
    let up = |x: f64, y: f64, z: f64| Vec3::new(x, y, z);
    // z = x² for x > 0 and −x² for x < 0, two patches that share a tangent plane along x = 0.
    let half = |sign: f64| {
        let xs = if sign > 0.0 { [0.0, 0.5, 1.0] } else { [-1.0, -0.5, 0.0] };
        let heights = if sign > 0.0 { [0.0, 0.0, 1.0] } else { [-1.0, 0.0, 0.0] };
        let points: Vec<Vec3> =
            (0..3).flat_map(|i| [-1.0, 0.0, 1.0].map(|y| up(xs[i], y, heights[i]))).collect();
        BezierPatch::new([2, 2], points).unwrap()
    };
    let net = PatchNet::new(vec![half(-1.0), half(1.0)]).unwrap();
    let n = Vec3::z();
    for (p, seam) in [(up(0.0, 0.3, 0.0), true), (up(0.5, 0.3, 0.25), false), (up(0.5, 1.0, 0.25), true)] {
        assert_eq!(net.has_seam_at(&p, &n), seam, "{p:?}");
    }
    let ball = Collider::new(Sphere::new(0.1).unwrap(), Pose::from_position(0.0, 0.3, 0.1));
    let sheet = Collider::new(net, Pose::identity());
    let found = Near {
        places: [Place { chart: 0, u: 0.0, v: 0.0 }; 2],
        points: [up(0.0, 0.3, 0.0); 2],
        normal: n,
        gap: 0.0,
        kind: Kind::Minimum,
        residual: 0.0,
    };
    let contact = contact_of(&sheet, &ball, &found).unwrap();
    assert_eq!(derivatives(&sheet, &ball, &contact).unwrap().regularity, Regularity::Seam);
}
