//! All minima of the gap of two surfaces below a reach.
//!
//! Both trees are walked at once. Of two nodes with centres c apart, radii ρ, axes and half-angles α, there is no
//! common normal with |g| ≤ reach where
//!
//! - |c| > ρ_A + ρ_B + reach: too far apart;
//! - the axes are more than α_A + α_B from opposite: they face elsewhere;
//! - the part of c across an axis exceeds ρ_A + ρ_B + reach sin α: they lie beside each other, since d = g n.
//!
//! - d along an axis exceeds reach, by the spheres and the thickness that nodes have along their own axes.
//!
//! For two leaves Newton's first step (a, b) is known from what they keep. If a common normal lay in them, K would take
//! its place from the centroid to the residual, up to the variation δ of the shape operators over both leaves: they are
//! dropped where |a| or |b| exceeds (1 + δ/σ) times the leaf's extent, σ the least singular value of K, with a quarter
//! more for what is beyond second order, or four extents, or where W stays negative over both.
//!
//! The pairs that are left are refined, those with the shortest steps first, each no farther than its surroundings. A
//! pair is skipped where a minimum that was found is its own: W is positive all over the pair, because it exceeds δ or
//! because the least curvatures say so, and the minimum lies within two extents of it or one of where the first step
//! leads: the gap is convex there and has no second minimum. Where W is positive at the centroids only, the first step
//! must lead to within a quarter of an extent.

use super::frame::Frame;
use super::newton::{Step, step};
use super::osculation::Osculation;
use super::piece::Leaf;
use super::refine::{ChartPair, CommonNormalInA, Other};
use super::tree::{ChartNode, ChartTree};
use super::{Kind, Near, Side, Workspace};
use crate::error::{Result, not_negative};
use rattleback_geom::surface::Plane;
use rattleback_geom::{Pose, Vec3};
use std::cmp::Ordering;
use std::f64::consts::{FRAC_PI_2, PI};

/// What is beyond second order in a leaf.
const BEYOND: f64 = 1.25;

/// Extents beyond which a first step leads out of a leaf whatever the variation: other leaves are nearer to its end.
const FARTHEST: f64 = 4.0;

/// Extents beyond which a way that began in a leaf is given up, for the same reason.
const ROAM: f64 = 8.0;

/// Extents within which a minimum that was found counts as the leaf's own.
const BASIN: f64 = 2.0;

/// The same for a minimum to which the first step leads, where the gap is convex and where it may not be.
const AHEAD: [f64; 2] = [1.0, 0.25];

/// Two ends are the same where their points are closer than this share of the size. Ends agree to 1e-13, beside an
/// extraordinary vertex to 1e-7.
const SAME: f64 = 1e-6;

/// Lists that a search fills anew.
#[derive(Debug, Clone, Default)]
pub(super) struct Scratch {
    stack: Vec<[u32; 2]>,
    candidates: Vec<Candidate>,
    /// All ends, whatever their gap and kind, in the first surface's frame.
    ends: Vec<CommonNormalInA>,
    near: Vec<Near>,
}

/// Two leaves that may hold a common normal.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    leaves: [u32; 2],
    /// The first step in extents.
    way: f64,
    /// Whether the gap is convex over both leaves.
    convex: bool,
    /// Whether the first step is Newton's own.
    plain: bool,
    /// The points to which the first step leads, in the first surface's frame.
    ahead: [Vec3; 2],
}

/// All local minima of the gap, flat ones too, below `reach` (m) and not deeper than that below zero; against a plane
/// however deep. The least gap comes first.
pub fn near<'w>(
    a: &Side<'_>,
    pose_a: &Pose,
    b: &Side<'_>,
    pose_b: &Pose,
    reach: f64,
    work: &'w mut Workspace,
) -> Result<&'w [Near]> {
    let reach = not_negative("reach", reach)?;
    let pair = ChartPair::new(a, pose_a, b, pose_b)?;
    let scratch = &mut work.search;
    scratch.clear();
    let deepest = match &pair.other {
        Other::Charted { tree, frame, .. } => {
            scratch.walk_trees(pair.tree, tree, frame, reach);
            -reach
        }
        Other::Plane { plane, frame } => {
            scratch.walk_plane(pair.tree, plane, frame, reach);
            f64::NEG_INFINITY
        }
    };
    scratch.refine_all(&pair);
    let wanted = |end: &&CommonNormalInA| end.kind != Kind::Saddle && end.gap < reach && end.gap > deepest;
    scratch.near.extend(scratch.ends.iter().filter(wanted).map(|end| pair.in_world(end)));
    scratch.near.sort_by(|a, b| order(a).partial_cmp(&order(b)).unwrap_or(Ordering::Equal));
    Ok(&scratch.near)
}

fn order(near: &Near) -> [f64; 4] {
    let [p, _] = &near.points;
    [near.gap, p.x, p.y, p.z]
}

/// Whether two nodes may hold a common normal; `b` is in its own frame.
pub(super) fn may_meet(a: &ChartNode, b: &ChartNode, frame: &Frame, reach: f64) -> bool {
    let c = frame.point(&b.centre) - a.centre;
    let sum = a.radius + b.radius;
    let distance = c.norm_squared();
    if distance > (sum + reach).powi(2) {
        return false;
    }
    let axis = frame.vector(&b.axis);
    if a.angle + b.angle < PI && -a.axis.dot(&axis) < a.cos * b.cos - a.sin * b.sin {
        return false;
    }
    let beside = |axis: &Vec3, node: &ChartNode| {
        let across = distance - axis.dot(&c).powi(2);
        node.angle < FRAC_PI_2 && across > (sum + reach * node.sin).powi(2)
    };
    let above = |e: &Vec3| e.dot(&c).abs() - a.thickness(e, &a.axis) - b.thickness(e, &axis);
    !beside(&a.axis, a) && !beside(&axis, b) && above(&a.axis) <= reach && above(&axis) <= reach
}

/// The candidate of two leaves, if the first step stays close to them. The extents are those of A and, where it has
/// one, B.
fn candidate(
    leaves: [u32; 2],
    pictures: [&Osculation; 2],
    s: &Step,
    extents: [Option<f64>; 2],
    (variation, convex): (f64, bool),
) -> Option<Candidate> {
    let allowed = BEYOND * (1.0 + variation / s.firmness);
    let share = |way: f64, extent: Option<f64>| extent.map_or(0.0, |extent| way / extent);
    let way = share(s.a.norm(), extents[0]).max(share(s.b.norm(), extents[1]));
    // A step that leads away from a saddle says nothing of where the common normal is, but there is no minimum where W
    // stays negative all over the leaves.
    let possible = if s.plain {
        way <= allowed.min(FARTHEST)
    } else {
        !(s.margin < -variation) || s.margin.is_infinite()
    };
    possible.then(|| Candidate {
        leaves,
        way,
        convex: convex || s.margin > variation,
        plain: s.plain,
        ahead: [pictures[0].ahead(&s.a), pictures[1].ahead(&s.b)],
    })
}

impl Scratch {
    fn clear(&mut self) {
        self.stack.clear();
        self.candidates.clear();
        self.ends.clear();
        self.near.clear();
    }

    fn walk_trees(&mut self, a: &ChartTree, b: &ChartTree, frame: &Frame, reach: f64) {
        self.stack.push([0, 0]);
        while let Some([i, j]) = self.stack.pop() {
            let (x, y) = (&a.nodes[i as usize], &b.nodes[j as usize]);
            if !may_meet(x, y, frame, reach) {
                continue;
            }
            if x.is_leaf && y.is_leaf {
                let leaves = [x.next, y.next];
                let (p, q) = (&a.leaves[x.next as usize], &b.leaves[y.next as usize]);
                self.candidates.extend(pair_of_leaves(leaves, p, q, frame));
            } else if y.is_leaf || (!x.is_leaf && x.radius >= y.radius) {
                self.stack.extend([[x.next, j], [i + 1, j]]);
            } else {
                self.stack.extend([[i, y.next], [i, j + 1]]);
            }
        }
    }

    fn walk_plane(&mut self, tree: &ChartTree, plane: &Plane, frame: &Frame, reach: f64) {
        let n = frame.vector(plane.normal());
        let level = plane.offset() + n.dot(&frame.point(&Vec3::zeros()));
        self.stack.push([0, 0]);
        while let Some([i, _]) = self.stack.pop() {
            let node = &tree.nodes[i as usize];
            if n.dot(&node.centre) - level > node.radius + reach || -n.dot(&node.axis) < node.cos {
                continue;
            }
            if !node.is_leaf {
                self.stack.extend([[node.next, 0], [i + 1, 0]]);
                continue;
            }
            let leaf = &tree.leaves[node.next as usize];
            let flat = Osculation::flat(leaf.picture.p, n);
            if let Some(s) = step(&leaf.picture, &flat) {
                let extents = [Some(leaf.extent), None];
                self.candidates.extend(candidate(
                    [node.next, 0],
                    [&leaf.picture, &flat],
                    &s,
                    extents,
                    (leaf.variation, leaf.least > 0.0),
                ));
            }
        }
    }

    /// Refines the candidates, the nearest first. Two convex bodies apart have one minimum, as has one over a plane.
    fn refine_all(&mut self, pair: &ChartPair<'_>) {
        let (b, unique) = match &pair.other {
            Other::Charted { tree, .. } => (Some(*tree), pair.tree.is_convex && tree.is_convex),
            Other::Plane { .. } => (None, pair.tree.is_convex),
        };
        self.candidates.sort_by(|x, y| x.way.total_cmp(&y.way).then(x.leaves.cmp(&y.leaves)));
        for k in 0..self.candidates.len() {
            let Candidate { leaves: [i, j], convex, plain, ahead, .. } = self.candidates[k];
            let first = &pair.tree.leaves[i as usize];
            let second = b.map(|b| &b.leaves[j as usize]);
            let Some((places, pictures)) = pair.start(first, second) else { continue };
            let close = |end: &CommonNormalInA, from: [&Vec3; 2], extents: f64| {
                (end.points[0] - from[0]).norm() <= extents * first.extent
                    && second.is_none_or(|leaf| (end.points[1] - from[1]).norm() <= extents * leaf.extent)
            };
            let ahead_by = AHEAD[usize::from(!convex)];
            let known = |end: &CommonNormalInA| {
                end.kind == Kind::Minimum
                    && (convex && close(end, [&pictures[0].p, &pictures[1].p], BASIN)
                        || plain && close(end, [&ahead[0], &ahead[1]], ahead_by))
            };
            if self.ends.iter().any(known) {
                continue;
            }
            let roam = [ROAM * first.extent, second.map_or(f64::INFINITY, |leaf| ROAM * leaf.extent)];
            let Some(end) = pair.solve(places, pictures, roam) else { continue };
            let small = SAME * pair.size();
            let same =
                |other: &CommonNormalInA| (0..2).all(|k| (other.points[k] - end.points[k]).norm() <= small);
            if self.ends.iter().any(same) {
                continue;
            }
            self.ends.push(end);
            if unique && end.kind == Kind::Minimum && (b.is_none() || end.gap > 0.0) {
                return;
            }
        }
    }
}

fn pair_of_leaves(leaves: [u32; 2], p: &Leaf, q: &Leaf, frame: &Frame) -> Option<Candidate> {
    let seen = q.picture.seen(frame);
    let s = step(&p.picture, &seen)?;
    // K = −c S_A + S̃ (1 + h S_A).
    let (h, k_a, k_b) = (s.gap.abs(), p.picture.sharpness(), q.picture.sharpness());
    let variation = p.variation * (1.0 + h * k_b) + q.variation * (1.0 + h * k_a);
    // x/(1 + g x) grows with x: the least curvatures bound W from below.
    let moved = 1.0 + s.gap * p.least;
    let convex = moved > 0.0 && p.least / moved + q.least > 0.0 && s.margin > 0.0;
    candidate(leaves, [&p.picture, &seen], &s, [Some(p.extent), Some(q.extent)], (variation, convex))
}
