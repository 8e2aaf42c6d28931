//! What leaves and nodes promise, held against points all over the surfaces.

use super::newton::step;
use super::osculation::{Osculation, walk};
use super::piece::{Leaf, centroid};
use super::{ChartTree, Side, Workspace, distance_bound, near, refine};
use rattleback_geom::Result as GeomResult;
use rattleback_geom::chart::{Atlas, Cell, Place};
use rattleback_geom::mesh::PolygonMesh;
use rattleback_geom::patch::SPatch;
use rattleback_geom::potential::{Harmonics, Potential};
use rattleback_geom::subdivision::{CatmullClarkSurface, LoopSurface};
use rattleback_geom::surface::{Ellipsoid, ParametricJet, Plane, PotentialBody, Superellipsoid, Torus};
use rattleback_geom::{Pose, TriMesh, Vec2, Vec3};
use rattleback_random::unit;
use std::f64::consts::TAU;

/// Two apices of valence `n` over a wavy ring of vertices of valence four.
fn star(n: usize) -> LoopSurface {
    let mut points = vec![Vec3::z(), -Vec3::z()];
    for i in 0..n {
        let (rho, angle) = (1.0 + 0.4 * (i % 2) as f64, TAU * i as f64 / n as f64);
        points.push(Vec3::new(rho * angle.cos(), rho * angle.sin(), 0.1 * (i % 3) as f64));
    }
    let ring = |i: usize| (2 + i % n) as u32;
    let triangles = (0..n).flat_map(|i| [[0, ring(i), ring(i + 1)], [1, ring(i + 1), ring(i)]]).collect();
    LoopSurface::new(&TriMesh::new(points, triangles).unwrap()).unwrap()
}

/// A cube whose corners have three faces each, one of them drawn out.
fn cube() -> CatmullClarkSurface {
    let corner = |k: u32| Vec3::new(f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2));
    let points = (0..8).map(|k| corner(k) * if k == 7 { 1.6 } else { 1.0 }).collect();
    let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    CatmullClarkSurface::new(&PolygonMesh::new(points, &faces).unwrap()).unwrap()
}

/// Bodies by support functions: a series of harmonics, a thin ellipsoid with a rounding about it.
fn potentials() -> [PotentialBody; 2] {
    let series = [2.0, 0.05, 0.1, -0.1, 0.03, -0.02, 0.12, 0.02, 0.05];
    let pebble = Potential::harmonics(Harmonics::new(2, &series).unwrap());
    let thin = Potential::ellipsoid([1.0, 0.1, 0.05]).unwrap().offset(0.01).unwrap();
    [pebble, thin].map(|potential| PotentialBody::new(potential).unwrap())
}

/// A patch of five sides over the unit circle, bent by `height`.
fn five_sided(height: f64) -> SPatch {
    SPatch::from_fn(5, 3, |i| {
        let corner = |k: usize| Vec3::new((TAU * k as f64 / 5.0).cos(), (TAU * k as f64 / 5.0).sin(), 0.0);
        let p: Vec3 = (0..5).map(|k| corner(k) * (i[k] as f64 / 3.0)).sum();
        p + Vec3::z() * (height * (4.0 * p.x).sin() * (3.0 * p.y).cos())
    })
    .unwrap()
}

fn surfaces() -> Vec<Box<dyn Atlas>> {
    let [pebble, thin] = potentials();
    vec![
        Box::new(five_sided(0.3)),
        Box::new(cube()),
        Box::new(pebble),
        Box::new(thin),
        Box::new(Ellipsoid::new([1.0, 0.3, 0.1]).unwrap()),
        Box::new(Torus::new(1.0, 0.3).unwrap()),
        Box::new(Torus::new(1.0, 0.001).unwrap()),
        Box::new(Superellipsoid::new([0.5, 0.4, 0.3], [4.0, 4.0]).unwrap()),
        Box::new(star(3)),
        Box::new(star(5)),
        Box::new(star(12)),
    ]
}

/// Barycentric coordinates all over a triangle, close to its corners and on its sides too.
fn everywhere() -> Vec<[f64; 3]> {
    let mut all = Vec::new();
    for i in 0..=8 {
        for j in 0..=8 - i {
            let (x, y) = (f64::from(i) / 8.0, f64::from(j) / 8.0);
            all.push([1.0 - x - y, x, y]);
        }
    }
    for k in 0..3 {
        let mut corner = [1e-6; 3];
        corner[k] = 1.0 - 2e-6;
        all.push(corner);
    }
    all
}

#[test]
fn leaves_and_all_nodes_above_them_contain_their_points_and_normals() {
    for atlas in surfaces() {
        let atlas = atlas.as_ref();
        let tree = ChartTree::new(atlas).unwrap();
        assert!(tree.is_proved(), "{} leaves of {atlas:?}", tree.leaf_count());
        let mut spots = vec![Vec::new(); tree.leaf_count()];
        for (leaf, out) in tree.leaves.iter().zip(&mut spots) {
            let [a, b, c] = leaf.piece.cell.corners;
            for [x, y, z] in everywhere() {
                let w: Vec2 = a * x + b * y + c * z;
                // Corners may be extraordinary vertices, sides just beyond a chart.
                let Ok(jet) = atlas.jet(&Place { chart: leaf.piece.cell.chart, u: w.x, v: w.y }) else {
                    continue;
                };
                out.push((jet.p, jet.normal().normalize()));
            }
            for e in [Vec3::x(), Vec3::y(), -Vec3::z(), leaf.axis, -leaf.axis] {
                let most = out.iter().map(|(p, _)| e.dot(p)).fold(f64::NEG_INFINITY, f64::max);
                assert!(leaf.piece.farthest(&e) >= most - 1e-9, "{:?} {most}", leaf.piece);
            }
            assert!(out.iter().all(|(p, _)| (p - leaf.piece.p).norm() <= leaf.extent * (1.0 + 1e-9)));
        }
        check(&tree, 0, &spots);
    }
}

/// Checks a node and all below it; returns the leaves that it has.
fn check(tree: &ChartTree, index: usize, spots: &[Vec<(Vec3, Vec3)>]) -> Vec<usize> {
    let node = &tree.nodes[index];
    let leaves = if node.is_leaf {
        vec![node.next as usize]
    } else {
        [check(tree, index + 1, spots), check(tree, node.next as usize, spots)].concat()
    };
    for (p, n) in leaves.iter().flat_map(|&k| &spots[k]) {
        assert!((p - node.centre).norm() <= node.radius + 1e-9, "{node:?} {p:?}");
        assert!(node.axis.angle(n) <= node.angle + 1e-6, "{node:?} {n:?}");
        let e = (node.axis + Vec3::new(0.1, 0.2, -0.1)).normalize();
        assert!(e.dot(&(p - node.centre)).abs() <= node.thickness(&e, &node.axis) + 1e-9, "{node:?} {p:?}");
    }
    leaves
}

#[test]
fn quarters_of_a_piece_contain_their_points() {
    for atlas in surfaces() {
        let atlas = atlas.as_ref();
        let tree = ChartTree::new(atlas).unwrap();
        for leaf in tree.leaves.iter().step_by(7) {
            for quarter in leaf.piece.quarters(atlas).unwrap() {
                let (centre, radius) = quarter.sphere();
                let [a, b, c] = quarter.cell.corners;
                for [x, y, z] in everywhere() {
                    let w: Vec2 = a * x + b * y + c * z;
                    let Ok(jet) = atlas.jet(&Place { chart: quarter.cell.chart, u: w.x, v: w.y }) else {
                        continue;
                    };
                    assert!(
                        (jet.p - centre).norm() <= radius + 1e-9,
                        "{} {}",
                        quarter.rough,
                        (jet.p - centre).norm() / radius
                    );
                    let e = quarter.flat_normal();
                    assert!(e.dot(&jet.p) <= quarter.farthest(&e) + 1e-9);
                }
            }
        }
    }
}

#[test]
fn the_equations_change_as_their_derivatives_say() {
    let (torus, egg) = (Torus::new(1.0, 0.3).unwrap(), Ellipsoid::new([0.5, 0.4, 0.3]).unwrap());
    let at = [Place { chart: 0, u: 0.3, v: 2.8 }, Place { chart: 0, u: 0.1, v: -0.2 }];
    let h = 1e-5;
    let picture = |a: &Vec2, b: &Vec2| {
        let first = Osculation::at(&torus, &at[0]).unwrap();
        let second = Osculation::at(&egg, &at[1]).unwrap();
        let moved = [walk(&torus, &at[0], &first, a).unwrap(), walk(&egg, &at[1], &second, b).unwrap()];
        [Osculation::at(&torus, &moved[0]).unwrap(), Osculation::at(&egg, &moved[1]).unwrap()]
    };
    let still = Vec2::zeros();
    let [a, b] = picture(&still, &still);
    let first = step(&a, &b).unwrap();
    let residual = |share: f64| {
        let [x, y] = picture(&(first.a * share), &(first.b * share));
        let s = step(&x, &y).unwrap();
        (s.offset, s.turn)
    };
    // Along the step both residuals fall at the rate of one: d|r|/dτ = −|r|.
    let (low, high) = (residual(0.0), residual(h));
    assert!(first.plain);
    assert!(((high.0 - low.0) / h + low.0).abs() < 1e-3 * low.0, "{low:?} {high:?}");
    assert!(((high.1 - low.1) / h + low.1).abs() < 1e-3 * low.1, "{low:?} {high:?}");
}

#[test]
fn what_has_no_answer_is_refused_by_name() {
    let plane = Plane::new([0.0, 0.0, 1.0], 0.0).unwrap();
    let error = ChartTree::new(&plane).unwrap_err().to_string();
    assert!(error.starts_with("number of cells = 0"), "{error}");
    let (side, pose, work) = (Side::Plane(&plane), Pose::identity(), &mut Workspace::new());
    let error = near(&side, &pose, &side, &pose, 1.0, work).unwrap_err().to_string();
    assert!(error.contains("two planes"), "{error}");
    assert!(distance_bound(&side, &pose, &side, &pose, work).is_err());
    let torus = Torus::new(1.0, 0.3).unwrap();
    let tree = ChartTree::new(&torus).unwrap();
    let ring = Side::Charted { tree: &tree, atlas: &torus };
    let error = near(&ring, &pose, &side, &pose, f64::NAN, work).unwrap_err().to_string();
    assert!(error.starts_with("reach = NaN"), "{error}");
    let nowhere = Place { chart: 7, u: 0.0, v: 0.0 };
    assert!(refine(&ring, &pose, &side, &pose, [nowhere; 2]).is_err());
    let start = centroid(&tree.leaves[0].piece.cell);
    let found = refine(&ring, &pose, &side, &pose, [start; 2]).unwrap();
    assert!(found.is_none_or(|near| near.normal.z.abs() > 1.0 - 1e-9));
}

#[test]
fn trees_of_loop_surfaces_are_proved_up_to_valence_thirty_and_say_so_where_not() {
    for (n, proved) in [(3, true), (7, true), (30, true), (120, false)] {
        assert_eq!(ChartTree::new(&star(n)).unwrap().is_proved(), proved, "valence {n}");
    }
}

/// A surface that proves nothing: its bounds come from samples.
#[derive(Debug)]
struct Sampled<'a>(&'a dyn Atlas);

impl Atlas for Sampled<'_> {
    fn chart_count(&self) -> usize {
        self.0.chart_count()
    }
    fn jet(&self, place: &Place) -> GeomResult<ParametricJet> {
        self.0.jet(place)
    }
    fn inside(&self, place: &Place) -> f64 {
        self.0.inside(place)
    }
    fn onward(&self, place: &Place, rates: &Vec2) -> GeomResult<Option<Place>> {
        self.0.onward(place, rates)
    }
    fn locate(&self, point: &Vec3) -> GeomResult<Place> {
        self.0.locate(point)
    }
    fn cells(&self) -> Vec<Cell> {
        self.0.cells()
    }
    fn is_convex(&self) -> bool {
        self.0.is_convex()
    }
}

/// Thin surfaces that are strongly bent at their rims: one per kind of charts.
fn thin() -> Vec<(&'static str, Box<dyn Atlas>)> {
    let flat = |p: &Vec3| Vec3::new(p.x, p.y, 0.02 * p.z);
    let mut points = vec![Vec3::z(), -Vec3::z()];
    points.extend((0..7).map(|i| Vec3::new((TAU * i as f64 / 7.0).cos(), (TAU * i as f64 / 7.0).sin(), 0.0)));
    let ring = |i: usize| (2 + i % 7) as u32;
    let triangles = (0..7).flat_map(|i| [[0, ring(i), ring(i + 1)], [1, ring(i + 1), ring(i)]]).collect();
    let plate = TriMesh::new(points.iter().map(flat).collect(), triangles).unwrap();
    let corner = |k: u32| Vec3::new(f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2));
    let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let tile = PolygonMesh::new((0..8).map(|k| flat(&corner(k))).collect(), &faces).unwrap();
    let needle = Potential::ellipsoid([1.0, 0.02, 0.05]).unwrap().offset(0.001).unwrap();
    vec![
        ("Loop", Box::new(LoopSurface::new(&plate).unwrap())),
        ("Catmull–Clark", Box::new(CatmullClarkSurface::new(&tile).unwrap())),
        ("potential", Box::new(PotentialBody::new(needle).unwrap())),
        ("ellipsoid", Box::new(Ellipsoid::new([1.0, 0.02, 0.05]).unwrap())),
        ("superellipsoid", Box::new(Superellipsoid::new([1.0, 0.02, 0.5], [20.0, 8.0]).unwrap())),
    ]
}

/// Of ten thousand random points of the cells that `proof` encloses, those that the leaves made by `atlas` miss.
fn missed(proof: &dyn Atlas, atlas: &dyn Atlas) -> usize {
    let cells: Vec<Cell> = proof.cells().into_iter().filter(|cell| proof.enclosure(cell).is_some()).collect();
    let mut state = 5;
    let mut missed = 0;
    for k in 0..10_000 {
        // Every second one towards a corner, where vertices are.
        let cell = cells[k % cells.len()];
        let leaf = Leaf::survey(atlas, cell).unwrap();
        let [x, y] = [unit(&mut state), unit(&mut state)];
        let (x, y) = if x + y > 1.0 { (1.0 - x, 1.0 - y) } else { (x, y) };
        let shrink = if k % 2 == 0 { 1.0 } else { 1e-3 };
        let [a, b, c] = cell.corners;
        let w = a + (b - a) * (x * shrink) + (c - a) * (y * shrink);
        let Ok(jet) = proof.jet(&Place { chart: cell.chart, u: w.x, v: w.y }) else { continue };
        let n = jet.normal().normalize();
        let ways = [n, -n, jet.du.normalize(), jet.dv.normalize(), -jet.du.normalize(), -jet.dv.normalize()];
        let beyond = ways.iter().any(|e| e.dot(&jet.p) > leaf.piece.farthest(e) + 1e-13);
        missed += usize::from(beyond || leaf.axis.angle(&n) > leaf.angle + 1e-7);
    }
    missed
}

#[test]
fn thin_and_strongly_bent_cells_hold_ten_thousand_points_where_samples_miss_some() {
    for (name, atlas) in thin() {
        let atlas = atlas.as_ref();
        assert_eq!(missed(atlas, atlas), 0, "{name}");
        assert!(missed(atlas, &Sampled(atlas)) > 10, "{name}");
    }
}
