//! The convex hull of points: quickhull (Barber, Dobkin, Huhdanpaa, ACM TOMS 22 (1996) 469) with exact decisions.
//!
//! A point sees a triangle where it lies strictly above its plane, which [`crate::exact::orientation`] decides without
//! error. What a point outside sees is a disc whose rim is one cycle of edges: it is replaced by triangles from the rim
//! to the point. None of them is degenerate, since a point on the line of a rim's edge would not see the triangle at
//! that edge. A point that saw a triangle which was replaced, and is outside still, sees a new one: about the edge of
//! the rim that its view crosses, the new plane lies between two that it is above of.
//!
//! Triangles of one plane are faces of one polygon, whose corners are the vertices at which three polygons or more
//! meet: points inside faces and on edges are none.

use crate::error::{GeomError, Result, places};
use crate::exact::{cross_sign, orientation};
use crate::{TriMesh, Vec3};
use std::collections::{HashMap, HashSet};

/// Coordinates below this, in metres, are zero: products of three of them leave the doubles.
const ZERO: f64 = 1e-70;

/// Most points.
const MOST: usize = 10_000_000;

/// The corners and the faces of a convex hull.
#[derive(Debug, Clone, PartialEq)]
pub struct Hull {
    vertices: Vec<Vec3>,
    faces: Vec<Vec<u32>>,
}

/// A triangle while the hull grows.
struct Facet {
    corners: [u32; 3],
    /// Across the side from corner k to corner k + 1.
    neighbours: [usize; 3],
    /// Points above it, each in the list of one facet.
    outside: Vec<u32>,
    is_gone: bool,
}

impl Hull {
    /// The hull of points that lie in no plane. Those that coincide count once.
    pub fn new(points: &[Vec3]) -> Result<Self> {
        Self::with_flat(points, 0.0)
    }

    /// The same, with triangles in one face whose corners lie within `flat` metres of one plane. A hull of which fewer
    /// than four faces are left is refused as too thin.
    pub fn with_flat(points: &[Vec3], flat: f64) -> Result<Self> {
        let points = distinct(points)?;
        let facets = grown(&points)?;
        let groups = faces(&points, &facets, flat);
        polygons(&points, &facets, &groups)
    }

    /// The corners, in metres.
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// The corners of each face, counter-clockwise seen from outside.
    pub fn faces(&self) -> &[Vec<u32>] {
        &self.faces
    }

    /// The faces as triangles, and of which face each triangle is.
    pub fn triangles(&self) -> Result<(TriMesh, Vec<u32>)> {
        let (mut triangles, mut of) = (Vec::new(), Vec::new());
        for (face, corners) in self.faces.iter().enumerate() {
            triangles.extend(corners[1..].windows(2).map(|w| [corners[0], w[0], w[1]]));
            of.resize(triangles.len(), face as u32);
        }
        Ok((TriMesh::new(self.vertices.clone(), triangles)?, of))
    }
}

fn refused(found: String) -> GeomError {
    let allowed = "four points or more that lie in no plane".to_owned();
    GeomError::Inconsistent { field: "points".to_owned(), found, allowed }
}

fn thin() -> GeomError {
    refused("points that lie in a plane but for rounding".to_owned())
}

/// The points without those that are there already.
fn distinct(points: &[Vec3]) -> Result<Vec<Vec3>> {
    places("points", points)?;
    if points.len() > MOST {
        let (field, value) = ("points".to_owned(), points.len() as f64);
        return Err(GeomError::OutOfRange { field, value, allowed: format!("at most {MOST} points") });
    }
    let mut seen = HashSet::with_capacity(points.len());
    // Adding zero makes one of both zeros.
    let snapped = points.iter().map(|p| p.map(|x| if x.abs() < ZERO { 0.0 } else { x + 0.0 }));
    Ok(snapped.filter(|p| seen.insert(p.data.0[0].map(f64::to_bits))).collect())
}

/// Four points that lie in no plane, in an order that turns their triangles outwards.
fn simplex(points: &[Vec3]) -> Result<[u32; 4]> {
    let count = points.len();
    let farthest = |measure: &dyn Fn(&Vec3) -> f64| {
        (0..count).max_by(|&i, &j| measure(&points[i]).total_cmp(&measure(&points[j]))).unwrap_or(0)
    };
    let found = match count {
        0 => "no point".to_owned(),
        1 => "one point, there once or several times".to_owned(),
        _ => format!("{count} points"),
    };
    if count < 4 {
        return Err(refused(found));
    }
    let a = farthest(&|p| -p.x);
    let b = farthest(&|p| (p - points[a]).norm_squared());
    let (pa, pb) = (points[a], points[b]);
    let is_aside = |c: usize| cross_sign(&pa, &pb, &pa, &points[c]) != 0;
    // The farthest one may be aside by rounding only.
    let c = Some(farthest(&|p| (p - pa).cross(&(pb - pa)).norm_squared())).filter(|&c| is_aside(c));
    let Some(c) = c.or_else(|| (0..count).find(|&c| is_aside(c))) else {
        return Err(refused(format!("{count} points in a line")));
    };
    let pc = points[c];
    let side = |d: usize| orientation(&pa, &pb, &pc, &points[d]);
    let normal = (pb - pa).cross(&(pc - pa));
    let d = Some(farthest(&|p| normal.dot(&(p - pa)).abs())).filter(|&d| side(d) != 0);
    let Some(d) = d.or_else(|| (0..count).find(|&d| side(d) != 0)) else {
        return Err(refused(format!("{count} points in a plane")));
    };
    let [b, c] = if side(d) < 0 { [b, c] } else { [c, b] };
    Ok([a, b, c, d].map(|i| i as u32))
}

/// The triangles of the hull, those that are gone among them.
fn grown(points: &[Vec3]) -> Result<Vec<Facet>> {
    let [a, b, c, d] = simplex(points)?;
    let corners = [[a, b, c], [a, d, b], [b, d, c], [c, d, a]];
    let neighbours = [[1, 2, 3], [3, 2, 0], [1, 3, 0], [2, 1, 0]];
    let mut facets: Vec<Facet> = (0..4)
        .map(|k| Facet {
            corners: corners[k],
            neighbours: neighbours[k],
            outside: Vec::new(),
            is_gone: false,
        })
        .collect();
    let rest = (0..points.len() as u32).filter(|i| ![a, b, c, d].contains(i));
    share_out(points, &mut facets, 0, rest);
    let mut next = 0;
    while next < facets.len() {
        if facets[next].is_gone || facets[next].outside.is_empty() {
            next += 1;
            continue;
        }
        let first = facets.len();
        let orphans = take_in(points, &mut facets, next);
        share_out(points, &mut facets, first, orphans.into_iter());
    }
    Ok(facets)
}

fn sees(points: &[Vec3], facet: &Facet, point: u32) -> bool {
    let [a, b, c] = facet.corners.map(|k| points[k as usize]);
    orientation(&a, &b, &c, &points[point as usize]) > 0
}

/// Gives every point to one of the facets from `first` on that it sees; those that see none are inside.
fn share_out(points: &[Vec3], facets: &mut [Facet], first: usize, some: impl Iterator<Item = u32>) {
    for point in some {
        if let Some(facet) = facets[first..].iter_mut().find(|facet| sees(points, facet, point)) {
            facet.outside.push(point);
        }
    }
}

/// Takes the farthest point above a facet into the hull; what was above the facets that are gone is returned.
fn take_in(points: &[Vec3], facets: &mut Vec<Facet>, from: usize) -> Vec<u32> {
    let [a, b, c] = facets[from].corners.map(|k| points[k as usize]);
    let normal = (b - a).cross(&(c - a));
    let height = |i: &u32| normal.dot(&(points[*i as usize] - a));
    let farthest = facets[from].outside.iter().copied().max_by(|i, j| height(i).total_cmp(&height(j)));
    let Some(apex) = farthest else { return Vec::new() };
    let (mut seen, mut rim) = (vec![from], Vec::new());
    facets[from].is_gone = true;
    let mut k = 0;
    while k < seen.len() {
        let at = seen[k];
        for side in 0..3 {
            let other = facets[at].neighbours[side];
            if facets[other].is_gone {
                continue;
            }
            if sees(points, &facets[other], apex) {
                facets[other].is_gone = true;
                seen.push(other);
            } else {
                rim.push((at, side));
            }
        }
        k += 1;
    }
    let first = facets.len();
    let start: HashMap<u32, usize> =
        rim.iter().enumerate().map(|(k, &(at, side))| (facets[at].corners[side], first + k)).collect();
    let end: HashMap<u32, usize> = rim
        .iter()
        .enumerate()
        .map(|(k, &(at, side))| (facets[at].corners[(side + 1) % 3], first + k))
        .collect();
    for (k, &(at, side)) in rim.iter().enumerate() {
        let (p, q) = (facets[at].corners[side], facets[at].corners[(side + 1) % 3]);
        let across = facets[at].neighbours[side];
        if let Some(back) = facets[across].neighbours.iter().position(|&n| n == at) {
            facets[across].neighbours[back] = first + k;
        }
        let neighbours = [across, start[&q], end[&p]];
        facets.push(Facet { corners: [p, q, apex], neighbours, outside: Vec::new(), is_gone: false });
    }
    let orphans = seen.iter().flat_map(|&at| std::mem::take(&mut facets[at].outside));
    orphans.filter(|&i| i != apex).collect()
}

/// Of which face every facet is; larger facets first, whose planes are the better known ones.
fn faces(points: &[Vec3], facets: &[Facet], flat: f64) -> Vec<u32> {
    let corners = |f: usize| facets[f].corners.map(|k| points[k as usize]);
    let area = |f: usize| {
        let [a, b, c] = corners(f);
        (b - a).cross(&(c - a))
    };
    let mut order: Vec<usize> = (0..facets.len()).filter(|&f| !facets[f].is_gone).collect();
    order.sort_by(|&f, &g| area(g).norm().total_cmp(&area(f).norm()));
    let mut group = vec![u32::MAX; facets.len()];
    let mut count = 0;
    for seed in order {
        if group[seed] != u32::MAX {
            continue;
        }
        let ([a, b, c], normal) = (corners(seed), area(seed).normalize());
        let lies_in = |k: u32| {
            let p = &points[k as usize];
            orientation(&a, &b, &c, p) == 0 || flat > 0.0 && normal.dot(&(p - a)).abs() <= flat
        };
        let mut front = vec![seed];
        group[seed] = count;
        while let Some(at) = front.pop() {
            for other in facets[at].neighbours {
                if group[other] == u32::MAX && facets[other].corners.into_iter().all(lies_in) {
                    group[other] = count;
                    front.push(other);
                }
            }
        }
        count += 1;
    }
    group
}

/// The faces as polygons of the vertices at which three of them or more meet.
fn polygons(points: &[Vec3], facets: &[Facet], group: &[u32]) -> Result<Hull> {
    let left = || (0..facets.len()).filter(|&f| !facets[f].is_gone);
    let mut at: HashMap<u32, Vec<u32>> = HashMap::new();
    let mut sides: Vec<HashMap<u32, u32>> = Vec::new();
    for f in left() {
        let face = group[f] as usize;
        sides.resize_with(sides.len().max(face + 1), HashMap::new);
        for k in 0..3 {
            let (p, q) = (facets[f].corners[k], facets[f].corners[(k + 1) % 3]);
            let list = at.entry(p).or_default();
            if !list.contains(&group[f]) {
                list.push(group[f]);
            }
            if group[facets[f].neighbours[k]] != group[f] && sides[face].insert(p, q).is_some() {
                return Err(thin());
            }
        }
    }
    let mut kept: Vec<u32> = at.iter().filter(|(_, faces)| faces.len() > 2).map(|(&v, _)| v).collect();
    kept.sort_unstable();
    let number: HashMap<u32, u32> = kept.iter().enumerate().map(|(k, &v)| (v, k as u32)).collect();
    let mut faces = Vec::with_capacity(sides.len());
    for ring in &sides {
        let Some(&first) = ring.keys().min() else { return Err(thin()) };
        let (mut corners, mut v) = (Vec::new(), first);
        for _ in 0..ring.len() {
            corners.extend(number.get(&v));
            v = *ring.get(&v).ok_or_else(thin)?;
        }
        if v != first || corners.len() < 3 {
            return Err(thin());
        }
        faces.push(corners);
    }
    if faces.len() < 4 {
        return Err(thin());
    }
    Ok(Hull { vertices: kept.iter().map(|&v| points[v as usize]).collect(), faces })
}

#[cfg(test)]
mod tests;
