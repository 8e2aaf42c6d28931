//! From smooth surfaces to triangles within a chord error.
//!
//! Edges are split where their middle or a quarter leaves the surface by more than the error. The middle alone would
//! keep an edge that bends to either side or at one end only, and go on for ever splitting the slivers beside it. The
//! decision belongs to the edge, so that both its triangles agree and the mesh stays closed; a triangle with one, two
//! or three split edges becomes two, three or four. A triangle whose interior errs though its edges do not has its
//! longest edge split.

pub(crate) mod sweep;

use crate::error::{GeomError, Result, positive};
use crate::{TriMesh, Vec3};
use std::collections::HashMap;

/// More triangles than this are refused: a chord error that asks for them is a slip of the decimal point, and they take
/// half a gigabyte while they are made.
pub(crate) const MAX_TRIANGLES: usize = 4_000_000;

/// The share of the chord error that the splitting test grants: it measures at few points of edges and faces
/// only, and the largest deviation may lie beside them.
pub(crate) const SAFETY: f64 = 0.5;

/// Refuses a chord error below the rounding of the points, under which no splitting ends.
pub(crate) fn above_rounding(chord: f64, points: &[Vec3]) -> Result<()> {
    let far = points.iter().fold(0.0f64, |far, p| far.max(p.amax()));
    let least = 8.0 * f64::EPSILON * far;
    if chord >= least {
        return Ok(());
    }
    Err(GeomError::OutOfRange {
        field: "chord".to_owned(),
        value: chord,
        allowed: format!("at least {least:e}, the rounding of points {far:e} m from the origin"),
    })
}

/// A closed mesh of the surface that `project` maps the unit sphere onto, one to one and keeping orientation.
pub fn star(chord: f64, project: impl Fn(&Vec3) -> Vec3) -> Result<TriMesh> {
    let chord = positive("chord", chord)?;
    let directions = vec![Vec3::x(), -Vec3::x(), Vec3::y(), -Vec3::y(), Vec3::z(), -Vec3::z()];
    let triangles =
        vec![[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
    // Two rounds of unconditional splitting: a symmetric body may meet the octahedron's edges at their middles.
    refine(directions, triangles, chord, 2, |a, b| (a + b).normalize(), project)
}

/// Refines a mesh of parameters until its image under `project` is within `chord` of the surface.
///
/// `middle` is the parameter half-way between two; the first `rounds` rounds split every edge.
pub fn refine<P: Copy>(
    mut parameters: Vec<P>,
    mut triangles: Vec<[u32; 3]>,
    chord: f64,
    rounds: usize,
    middle: impl Fn(&P, &P) -> P,
    project: impl Fn(&P) -> Vec3,
) -> Result<TriMesh> {
    let tolerance = SAFETY * chord;
    let mut points: Vec<Vec3> = parameters.iter().map(&project).collect();
    above_rounding(chord, &points)?;
    // The error halves at least with every round, and a double has 53 bits to halve.
    for round in 0..60 {
        // For every edge: the new vertex in its middle, or none.
        let mut splits: HashMap<(u32, u32), Option<u32>> = HashMap::new();
        let key = |a: u32, b: u32| (a.min(b), a.max(b));
        let mut any = false;
        let mut split = |a: u32, b: u32, force: bool, parameters: &mut Vec<P>, points: &mut Vec<Vec3>| {
            let known = splits.get(&key(a, b)).copied();
            if known.is_some_and(|k| k.is_some() || !force) {
                return known.flatten().is_some();
            }
            let (i, j) = key(a, b);
            let parameter = middle(&parameters[i as usize], &parameters[j as usize]);
            let p = project(&parameter);
            let (pa, pb) = (points[i as usize], points[j as usize]);
            let strays = |p: &Vec3| distance_to_segment(p, &pa, &pb) > tolerance;
            let quarter = |end: u32| project(&middle(&parameter, &parameters[end as usize]));
            let wanted = force || strays(&p) || strays(&quarter(i)) || strays(&quarter(j));
            if wanted {
                splits.insert((i, j), Some(points.len() as u32));
                parameters.push(parameter);
                points.push(p);
            } else {
                splits.insert((i, j), None);
            }
            wanted
        };
        for t in &triangles {
            let mut marked = false;
            for k in 0..3 {
                marked |= split(t[k], t[(k + 1) % 3], round < rounds, &mut parameters, &mut points);
            }
            if !marked {
                let [a, b, c] = t.map(|v| points[v as usize]);
                let [pa, pb, pc] = t.map(|v| parameters[v as usize]);
                let inner = project(&middle(&middle(&pa, &pb), &middle(&pc, &middle(&pa, &pb))));
                let normal = (b - a).cross(&(c - a));
                let off = (inner - a).dot(&normal).abs() / normal.norm();
                if off > tolerance {
                    let lengths = [(b - a).norm(), (c - b).norm(), (a - c).norm()];
                    let k = (0..3).fold(0, |m, i| if lengths[i] > lengths[m] { i } else { m });
                    marked = split(t[k], t[(k + 1) % 3], true, &mut parameters, &mut points);
                }
            }
            any |= marked;
        }
        if !any {
            return TriMesh::new(points, triangles);
        }
        triangles = triangles.iter().flat_map(|t| children(*t, &points, |a, b| splits[&key(a, b)])).collect();
        if triangles.len() > MAX_TRIANGLES {
            return Err(GeomError::OutOfRange {
                field: "chord".to_owned(),
                value: chord,
                allowed: format!("large enough for at most {MAX_TRIANGLES} triangles"),
            });
        }
    }
    Err(GeomError::NotConverged {
        procedure: "tessellation",
        reached: f64::NAN,
        wanted: chord,
        iterations: 60,
    })
}

/// The triangles that replace `t`, given the vertices in the middles of its split edges.
fn children(t: [u32; 3], points: &[Vec3], split: impl Fn(u32, u32) -> Option<u32>) -> Vec<[u32; 3]> {
    let middles = [split(t[0], t[1]), split(t[1], t[2]), split(t[2], t[0])];
    let count = middles.iter().flatten().count();
    // Turned so that the first edge is split (one), the last one is not (two).
    let turn = match count {
        1 => middles.iter().position(Option::is_some).unwrap_or(0),
        2 => (middles.iter().position(Option::is_none).unwrap_or(0) + 1) % 3,
        _ => 0,
    };
    let [a, b, c] = std::array::from_fn(|k| t[(k + turn) % 3]);
    match std::array::from_fn::<_, 3, _>(|k| middles[(k + turn) % 3]) {
        [Some(ab), None, None] => vec![[a, ab, c], [ab, b, c]],
        [Some(ab), Some(bc), None] => {
            // The remaining quadrilateral a, ab, bc, c is cut along its shorter diagonal.
            let length = |i: u32, j: u32| (points[i as usize] - points[j as usize]).norm_squared();
            let corner = [ab, b, bc];
            if length(a, bc) <= length(ab, c) {
                vec![corner, [a, ab, bc], [a, bc, c]]
            } else {
                vec![corner, [a, ab, c], [ab, bc, c]]
            }
        }
        [Some(ab), Some(bc), Some(ca)] => vec![[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]],
        _ => vec![t],
    }
}

pub(crate) fn distance_to_segment(p: &Vec3, a: &Vec3, b: &Vec3) -> f64 {
    let (ab, ap) = (b - a, p - a);
    let length = ab.norm_squared();
    let s = if length > 0.0 { (ap.dot(&ab) / length).clamp(0.0, 1.0) } else { 0.0 };
    (ap - ab * s).norm()
}
