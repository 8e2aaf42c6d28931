//! A solid for the brute force: patches of its boundary over the unit square, and whether a point is inside.

use super::random::Random;
use rattleback_contact::geom::surface::Shape;
use rattleback_contact::geom::{Pose, Vec3};

pub type Patch = Box<dyn Fn(f64, f64) -> Vec3>;

pub struct Solid {
    pub name: &'static str,
    pub shape: Shape,
    pub patches: Vec<Patch>,
    /// Negative inside, positive outside, continuous.
    pub level: Box<dyn Fn(&Vec3) -> f64>,
    /// The half-extents of a box about `centre` that holds it.
    pub half: Vec3,
    pub centre: Vec3,
}

/// A point of a solid's boundary.
#[derive(Clone, Copy)]
pub struct Spot {
    pub patch: usize,
    pub u: f64,
    pub v: f64,
    pub at: Vec3,
}

const GRID: usize = 22;

impl Solid {
    pub fn spots(&self, pose: &Pose) -> Vec<Spot> {
        let mut out = Vec::new();
        for patch in 0..self.patches.len() {
            for i in 0..=GRID {
                for j in 0..=GRID {
                    let (u, v) = (i as f64 / GRID as f64, j as f64 / GRID as f64);
                    out.push(Spot { patch, u, v, at: pose.point_to_world(&self.patches[patch](u, v)) });
                }
            }
        }
        out
    }

    pub fn radius(&self) -> f64 {
        self.half.norm() + self.centre.norm()
    }

    pub fn level_at(&self, pose: &Pose, x: &Vec3) -> f64 {
        (self.level)(&pose.point_to_local(x))
    }
}

/// What the brute force says of a pair.
pub struct Verdict {
    /// The least distance of two boundary points that it found, an upper bound of the distance of the boundaries.
    pub distance: f64,
    /// A point that both solids surely have.
    pub common: Option<Vec3>,
}

pub fn judge(a: &Solid, pose_a: &Pose, b: &Solid, pose_b: &Pose, random: &mut Random) -> Verdict {
    let (spots_a, spots_b) = (a.spots(pose_a), b.spots(pose_b));
    let mut common = None;
    let mut deepest = -1e-6;
    let mut consider = |x: &Vec3| {
        let level = a.level_at(pose_a, x).max(b.level_at(pose_b, x));
        if level < deepest {
            (deepest, common) = (level, Some(*x));
        }
    };
    for _ in 0..1500 {
        let cube = Vec3::from_fn(|_, _| random.between(-1.0, 1.0));
        consider(&pose_a.point_to_world(&(a.centre + a.half.component_mul(&cube))));
        consider(&pose_b.point_to_world(&(b.centre + b.half.component_mul(&cube))));
    }
    // Boundary points, drawn inwards a little by taking the mean with those of the other that are near.
    let mut best: Vec<(f64, Spot, Spot)> = Vec::new();
    for s in &spots_a {
        let mut nearest = (f64::INFINITY, spots_b[0]);
        for t in &spots_b {
            let d = (s.at - t.at).norm_squared();
            if d < nearest.0 {
                nearest = (d, *t);
            }
        }
        best.push((nearest.0, *s, nearest.1));
    }
    best.sort_by(|x, y| x.0.total_cmp(&y.0));
    let mut distance = f64::INFINITY;
    let mut tried: Vec<Vec3> = Vec::new();
    let spread = 0.15 * a.radius().min(b.radius());
    for (_, s, t) in &best {
        if tried.iter().any(|x| (x - s.at).norm() < spread) {
            continue;
        }
        tried.push(s.at);
        let (d, p, q) = descend([a, b], [pose_a, pose_b], [*s, *t]);
        distance = distance.min(d);
        for k in 0..=8 {
            consider(&(p + (q - p) * (f64::from(k) / 8.0)));
        }
        if tried.len() == 6 {
            break;
        }
    }
    for s in spots_a.iter().chain(&spots_b) {
        consider(&s.at);
    }
    Verdict { distance, common }
}

/// Shrinks the distance of two boundary points by steps along the parameters, halved where none helps.
fn descend(solids: [&Solid; 2], poses: [&Pose; 2], start: [Spot; 2]) -> (f64, Vec3, Vec3) {
    let at = |side: usize, patch: usize, u: f64, v: f64| {
        poses[side].point_to_world(&solids[side].patches[patch](u, v))
    };
    let mut x = [start[0].u, start[0].v, start[1].u, start[1].v];
    let points = |x: &[f64; 4]| [at(0, start[0].patch, x[0], x[1]), at(1, start[1].patch, x[2], x[3])];
    let value = |x: &[f64; 4]| {
        let [p, q] = points(x);
        (p - q).norm()
    };
    let mut best = value(&x);
    let mut step = 1.0 / GRID as f64;
    let mut last = [0.0; 4];
    while step > 1e-9 {
        let before = x;
        let mut better = false;
        // Along the way of the last round first, then along the axes and their diagonals.
        let mut ways: Vec<[f64; 4]> = vec![last];
        for i in 0..4 {
            for sign in [-1.0, 1.0] {
                let mut way = [0.0; 4];
                way[i] = sign * step;
                ways.push(way);
                for j in 0..i {
                    for other in [-1.0, 1.0] {
                        let mut way = way;
                        way[j] = other * step;
                        ways.push(way);
                    }
                }
            }
        }
        for way in ways {
            let moved: [f64; 4] = std::array::from_fn(|i| (x[i] + way[i]).clamp(0.0, 1.0));
            let d = value(&moved);
            if d < best {
                (x, best, better) = (moved, d, true);
            }
        }
        last = std::array::from_fn(|i| x[i] - before[i]);
        if !better {
            step *= 0.5;
        }
    }
    let [p, q] = points(&x);
    (best, p, q)
}

/// The least of the greater level of two solids that is found near x by steps of all lengths up to `step`: below zero
/// where they share a point.
pub fn sunk(solids: [&Solid; 2], poses: [&Pose; 2], x: &Vec3, mut step: f64) -> f64 {
    let level = |x: &Vec3| solids[0].level_at(poses[0], x).max(solids[1].level_at(poses[1], x));
    let ways: Vec<Vec3> =
        (0..27).map(|k| Vec3::from_fn(|i, _| f64::from(k / [1, 3, 9][i] % 3 - 1))).collect();
    let (mut x, mut best, least) = (*x, level(x), 1e-9 * step);
    for _ in 0..1000 {
        if best < 0.0 || step < least {
            break;
        }
        let moved = ways.iter().map(|way| x + way * step).map(|x| (level(&x), x));
        match moved.min_by(|a, b| a.0.total_cmp(&b.0)) {
            Some(next) if next.0 < best => (best, x) = next,
            _ => step *= 0.5,
        }
    }
    best
}
