//! Patches with their neighbours, and the way across a border.
//!
//! Two edges belong together where their control points are equal in one of the two directions, and their weights up to
//! a common factor: then both are the same curve with the same parameter s, or with 1 − s where one of them is reversed
//! (Kry and Pai, Continuous contact simulation for smooth surfaces, section 3.5, (41)). An edge whose control points
//! are all one point, a pole, has no neighbour. Edges of different degrees do not match.
//!
//! Edges are sorted by the least x of their two ends and compared only within the tolerance of it.

use super::bezier::BezierPatch;
use crate::chart::Place;
use crate::error::{GeomError, Result, places, within};
use crate::surface::{ParametricJet, faces};
use crate::{Aabb, Vec2, Vec3};

/// One of the four edges of the unit square; the free parameter runs from 0 to 1 along it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Edge {
    /// u = 0.
    U0,
    /// u = 1.
    U1,
    /// v = 0.
    V0,
    /// v = 1.
    V1,
}

impl Edge {
    /// All four.
    pub const ALL: [Self; 4] = [Self::U0, Self::U1, Self::V0, Self::V1];

    /// The point (u, v) at the free parameter `s`.
    pub fn at(self, s: f64) -> [f64; 2] {
        match self {
            Self::U0 => [0.0, s],
            Self::U1 => [1.0, s],
            Self::V0 => [s, 0.0],
            Self::V1 => [s, 1.0],
        }
    }

    /// Whether the free parameter runs counter-clockwise about the square.
    pub fn is_counter_clockwise(self) -> bool {
        matches!(self, Self::V0 | Self::U1)
    }
}

/// What lies across an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Neighbour {
    /// Index of the patch.
    pub patch: usize,
    /// Its edge.
    pub edge: Edge,
    /// Whether its free parameter is 1 − s where this one's is s.
    pub reversed: bool,
}

/// Bézier patches and which of their edges are the same.
#[derive(Debug, Clone, PartialEq)]
pub struct PatchNet {
    patches: Vec<BezierPatch>,
    neighbours: Vec<[Option<Neighbour>; 4]>,
    /// Whether an edge is a single point.
    poles: Vec<[bool; 4]>,
    tolerance: f64,
    bounds: Aabb,
}

impl PatchNet {
    /// Joins edges whose control points are equal to the last bit.
    pub fn new(patches: Vec<BezierPatch>) -> Result<Self> {
        Self::with_tolerance(patches, 0.0)
    }

    /// Joins edges whose control points are at most `tolerance` metres apart, and whose weights differ by as much of
    /// one as the tolerance is of the greatest coordinate. Places across such an edge are as far apart.
    pub fn with_tolerance(patches: Vec<BezierPatch>, tolerance: f64) -> Result<Self> {
        within("tolerance", tolerance, 0.0, f64::MAX, "a finite length of zero or more")?;
        let mut sides: Vec<Side> = Vec::new();
        for (patch, p) in patches.iter().enumerate() {
            places("control", p.control())?;
            sides.extend(Edge::ALL.into_iter().filter_map(|edge| Side::new(patch, edge, p, tolerance)));
        }
        sides.sort_by(|a, b| a.key.total_cmp(&b.key));
        let mut net = Self::apart(patches, tolerance);
        for (k, a) in sides.iter().enumerate() {
            for b in sides[k + 1..].iter().take_while(|b| b.key - a.key <= tolerance) {
                if let Some(reversed) = a.matches(b, tolerance) {
                    net.join(a, b, reversed)?;
                    net.join(b, a, reversed)?;
                }
            }
        }
        net.bounded()
    }

    /// The same with its box.
    fn bounded(mut self) -> Result<Self> {
        self.bounds = faces::bounds(&self)?;
        Ok(self)
    }

    /// The box around the patches.
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }

    /// Patches without neighbours.
    fn apart(patches: Vec<BezierPatch>, tolerance: f64) -> Self {
        let poles = patches.iter().map(|p| Edge::ALL.map(|e| is_pole(p, e, tolerance))).collect();
        Self { neighbours: vec![[None; 4]; patches.len()], patches, poles, tolerance, bounds: Aabb::EMPTY }
    }

    /// Patches of m rows in u by n in v, those along v together, that share the edges between them; the first and the
    /// last row or column are joined where all their edges match.
    pub(super) fn grid(patches: Vec<BezierPatch>, [m, n]: [usize; 2], tolerance: f64) -> Result<Self> {
        let mut net = Self::apart(patches, tolerance);
        let closed = |last: &dyn Fn(usize) -> [usize; 2], edges: [Edge; 2], count: usize| {
            (0..count).all(|k| {
                let [a, b] = last(k);
                let side = |patch: usize, edge| Side::new(patch, edge, &net.patches[patch], tolerance);
                match (side(a, edges[0]), side(b, edges[1])) {
                    (Some(a), Some(b)) => a.equals(&b, false, tolerance),
                    _ => false,
                }
            })
        };
        let wraps = [
            closed(&|j| [(m - 1) * n + j, j], [Edge::U1, Edge::U0], n),
            closed(&|i| [i * n + n - 1, i * n], [Edge::V1, Edge::V0], m),
        ];
        for i in 0..m {
            for j in 0..n {
                let mut pair = |to: usize, [here, there]: [Edge; 2]| {
                    let from = i * n + j;
                    if !net.poles[from][here as usize] {
                        let next = |patch, edge| Some(Neighbour { patch, edge, reversed: false });
                        net.neighbours[from][here as usize] = next(to, there);
                        net.neighbours[to][there as usize] = next(from, here);
                    }
                };
                if i + 1 < m || wraps[0] {
                    pair((i + 1) % m * n + j, [Edge::U1, Edge::U0]);
                }
                if j + 1 < n || wraps[1] {
                    pair(i * n + (j + 1) % n, [Edge::V1, Edge::V0]);
                }
            }
        }
        net.bounded()
    }

    /// Whether an edge is a single point.
    pub(crate) fn is_pole(&self, patch: usize, edge: Edge) -> bool {
        self.poles[patch][edge as usize]
    }

    fn join(&mut self, a: &Side, b: &Side, reversed: bool) -> Result<()> {
        let slot = &mut self.neighbours[a.patch][a.edge as usize];
        if let Some(other) = slot {
            return Err(GeomError::Inconsistent {
                field: format!("patches[{}], edge {:?}", a.patch, a.edge),
                found: format!(
                    "the edges {:?} of patch {} and {:?} of patch {}",
                    other.edge, other.patch, b.edge, b.patch
                ),
                allowed: "joined to one other edge at most".to_owned(),
            });
        }
        *slot = Some(Neighbour { patch: b.patch, edge: b.edge, reversed });
        Ok(())
    }

    /// The patches.
    pub fn patches(&self) -> &[BezierPatch] {
        &self.patches
    }

    /// What lies across an edge; none at a border, at a pole and for a patch that there is not.
    pub fn neighbour(&self, patch: usize, edge: Edge) -> Option<Neighbour> {
        self.neighbours.get(patch).and_then(|edges| edges[edge as usize])
    }

    /// The place across an edge, for the point of the edge at the free parameter `s`.
    pub fn across(&self, patch: usize, edge: Edge, s: f64) -> Option<Place> {
        let there = self.neighbour(patch, edge)?;
        let [u, v] = there.edge.at(if there.reversed { 1.0 - s } else { s });
        Some(Place { chart: there.patch, u, v })
    }

    /// Whether the normals ∂x/∂u × ∂x/∂v of all neighbours lie on the same side: shared edges are passed in opposite
    /// directions on the way about each square.
    pub fn is_oriented(&self) -> bool {
        self.edges().all(|(edge, there)| {
            let same_turn = edge.is_counter_clockwise() == there.edge.is_counter_clockwise();
            same_turn == there.reversed
        })
    }

    /// Whether no border is left but poles.
    pub fn is_closed(&self) -> bool {
        self.poles
            .iter()
            .zip(&self.neighbours)
            .all(|(poles, edges)| poles.iter().zip(edges).all(|(&pole, edge)| pole || edge.is_some()))
    }

    fn edges(&self) -> impl Iterator<Item = (Edge, Neighbour)> + '_ {
        self.neighbours
            .iter()
            .flat_map(|edges| Edge::ALL.into_iter().filter_map(|e| edges[e as usize].map(|there| (e, there))))
    }
}

/// The rates (u̇, v̇) at which the point with this jet moves along the surface with the tangential part of `velocity`:
/// how a motion goes on in the parameters of the patch across a border. None where the parametrisation is singular.
pub fn rates(jet: &ParametricJet, velocity: &Vec3) -> Option<Vec2> {
    // u̇ ∂x/∂u + v̇ ∂x/∂v = w, crossed with each derivative and projected on n = ∂x/∂u × ∂x/∂v.
    let n = jet.normal();
    let square = n.norm_squared();
    let rates = Vec2::new(n.dot(&velocity.cross(&jet.dv)), n.dot(&jet.du.cross(velocity))) / square;
    (square > 0.0 && rates.iter().all(|x| x.is_finite())).then_some(rates)
}

fn is_pole(patch: &BezierPatch, edge: Edge, tolerance: f64) -> bool {
    let mut points = patch.edge(edge).map(|(p, _)| p);
    points.next().is_none_or(|first| points.all(|p| (p - first).norm() <= tolerance))
}

/// An edge ready for comparison.
struct Side {
    patch: usize,
    edge: Edge,
    key: f64,
    points: Vec<(Vec3, f64)>,
}

impl Side {
    /// The edge; none for a pole.
    fn new(patch: usize, edge: Edge, p: &BezierPatch, tolerance: f64) -> Option<Self> {
        if is_pole(p, edge, tolerance) {
            return None;
        }
        let points: Vec<_> = p.edge(edge).collect();
        let key = points[0].0.x.min(points[points.len() - 1].0.x);
        Some(Self { patch, edge, key, points })
    }

    /// Whether the other edge is the same, and reversed or not.
    ///
    /// Where both hold, as for a closed edge that is its own mirror image, the direction that keeps the sides of
    /// the surface is taken.
    fn matches(&self, other: &Self, tolerance: f64) -> Option<bool> {
        if self.points.len() != other.points.len() {
            return None;
        }
        let oriented = self.edge.is_counter_clockwise() == other.edge.is_counter_clockwise();
        [oriented, !oriented].into_iter().find(|&reversed| self.equals(other, reversed, tolerance))
    }

    fn equals(&self, other: &Self, reversed: bool, tolerance: f64) -> bool {
        let last = self.points.len() - 1;
        let there = |k: usize| other.points[if reversed { last - k } else { k }];
        let (w0, v0) = (self.points[0].1, there(0).1);
        let size = self.points.iter().fold(f64::MIN_POSITIVE, |size, (p, _)| size.max(p.amax()));
        // Products of weights with one another: two roundings where the factor is not a power of two.
        let share = tolerance / size + if w0 == v0 { 0.0 } else { 4.0 * f64::EPSILON };
        self.points.iter().enumerate().all(|(k, (p, w))| {
            let (q, v) = there(k);
            (p - q).norm() <= tolerance && (w * v0 - v * w0).abs() <= share * (w * v0)
        })
    }
}
