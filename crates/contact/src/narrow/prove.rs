//! Whether overlapping bodies can part by less than a known depth: branch and bound on the sphere of normals.
//!
//! With D = { p − q : p in A, q in B } and H its support function, H(n) = −f(n) is how far B must move along n to part
//! the bodies, and the least translation is the least H over all unit n. To prove that it is at least t:
//!
//!   a point x of D with x·vⱼ ≥ t∣vⱼ∣ at the corners of a cone of normals has H(n) ≥ x·n ≥ t∣n∣ in all of the cone,
//!
//! because n = Σ λⱼvⱼ with λⱼ ≥ 0, x·n is linear and ∣n∣ ≤ Σ λⱼ∣vⱼ∣. D is convex: x may be any mixture of the points xᵢ
//! = p − q of support at the corners. Three-sided cones that cover the sphere are tried with the mixture that makes all
//! x·vⱼ alike, or the best one of two, and divided where it does not do. Neither smoothness nor curvature is assumed,
//! only that p and q are points of the bodies: flat faces, edges and corners, across which the points of support jump
//! and are mixed, are proved like anything else.
//!
//! Cost. On a smooth part a cone of width θ at an angle φ from the top is done when φ is about θ(1 + √(1 + t/(R − t))),
//! R the radius of curvature of D; one about the top when ½tθ² is below the tolerance. So some ten cones are tried at
//! each of about forty sizes, unless the top is nearly a ridge, R → t. Cones are halved in the metric in which D is
//! about round: n = L⁻ᵀm with LLᵀ the sum of the bodies' boxes; thin bodies need no more cones than others.
//!
//! A ball of radius ρ that rolls inside D (Blaschke: ρ no more than the least radius of curvature) makes D = D′ + ball
//! and H = H′ + ρ, exactly. So it is enough to prove H′ ≥ t − ρ by the points xᵢ − ρvᵢ of D′: balls, capsules and
//! bodies that are almost round lose their ridges. What is left of t must not be negative, or ∣n∣ ≤ Σ λⱼ∣vⱼ∣ would
//! serve the other way.
//!
//! Rounding: points are points of D to `slack`, which is added to what x·v must reach.

use rattleback_geom::curvature::tangents;
use rattleback_geom::{Mat3, Vec3};

/// What became of a proof.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Proof {
    /// No direction parts the bodies by less.
    Holds,
    /// This direction does.
    Better(Vec3),
    /// Not decided within the budget.
    Open,
}

/// The depth to be proved.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Claim {
    /// The least H that is known, in m.
    pub depth: f64,
    /// What may be missing from it, in m.
    pub tolerance: f64,
    /// How far a point may be from D by rounding, in m.
    pub slack: f64,
    /// The point of D with H = depth, and its normal.
    pub point: Vec3,
    pub normal: Vec3,
    /// The radius of a ball that rolls inside D.
    pub ball: f64,
    /// A cap of normals in which no depth is less for another reason: its middle and the cosine of its angle; none
    /// where the cosine is above one.
    pub cap: (Vec3, f64),
}

#[cfg(test)]
impl Claim {
    /// A claim of a depth to 1e-12, with nothing known of balls and caps.
    pub fn of_depth(depth: f64, point: Vec3, normal: Vec3) -> Self {
        Self { depth, tolerance: 1e-12, slack: 1e-15, point, normal, ball: 0.0, cap: NO_CAP }
    }
}

/// No cap.
pub(crate) const NO_CAP: (Vec3, f64) = (Vec3::new(0.0, 0.0, 1.0), 2.0);

impl Claim {
    /// What x·v must reach along a unit v.
    pub fn threshold(&self) -> f64 {
        self.depth - self.tolerance + self.slack
    }

    /// How much of the rolling ball is peeled off: no more than leaves a threshold that is not negative.
    pub fn peel(&self) -> f64 {
        self.ball.min(self.threshold()).max(0.0)
    }
}

/// Where the side of a cone is divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Divided {
    /// In the middle.
    InHalves,
    /// By turns there and where the points of support of its ends reach equally far: on the kink of a side with a kink,
    /// which halves would only close in on; near the middle of a smooth one. A side on which the points of support are
    /// far from even is soon short.
    InTurn,
}

/// Supports that a proof may ask for: two hundred times what most take, and as many corners as their numbers tell
/// apart; then it ends undecided.
pub(crate) const BUDGET: u32 = 60_000;

/// Supports after which another proof is worth a try: ten times what most take.
pub(crate) const SHORT: u32 = 2_000;

/// Cones deeper than this many halvings are as narrow as normals are rounded. On a face that is almost flat they may
/// have to be.
const MAX_HALVINGS: u8 = 104;

/// The least part of a side that is cut off: a kink nearer to a corner is met by the next division.
const LEAST_SHARE: f64 = 0.1;

/// A corner of cones.
#[derive(Debug, Clone, Copy)]
struct Corner {
    /// In the round metric, of the length that makes v a unit normal.
    m: Vec3,
    /// As a unit normal.
    v: Vec3,
    /// The point of D farthest along v, and how far that is.
    x: Vec3,
    height: f64,
}

/// A cone of normals with three corners, by their numbers.
#[derive(Debug, Clone, Copy)]
struct Cone {
    corners: [u16; 3],
    halvings: u8,
}

/// The cones that are left.
pub(crate) struct Prover<F: Fn(&Vec3) -> Vec3> {
    /// L⁻ᵀ.
    metric: Mat3,
    /// p − q of support along a unit normal.
    support: F,
    corners: Vec<Corner>,
    cones: Vec<Cone>,
    /// How often the support may be asked for.
    pub budget: u32,
    /// Where cones are divided.
    pub divided: Divided,
    /// How often the support has been asked for.
    pub spent: u32,
}

impl<F: Fn(&Vec3) -> Vec3> Prover<F> {
    /// `metric` is LLᵀ, about the second moments of D. For bodies that are their own mirror images, `apart` by r, the
    /// half with n·r ≥ 0 is enough: H(−n) = H(n) + 2n·r.
    pub fn new(metric: &Mat3, apart: Option<&Vec3>, support: F) -> Self {
        let scale = metric.trace();
        let l = (metric / scale).cholesky().map_or_else(Mat3::identity, |c| c.l());
        let to_normal = l.transpose().try_inverse().unwrap_or_else(Mat3::identity);
        // The pole, in the round metric: n·r = m·L⁻¹r.
        let pole = apart.map_or(Vec3::zeros(), |r| to_normal.tr_mul(&(r / r.amax().max(f64::MIN_POSITIVE))));
        let pole = if pole.norm() > 0.0 { pole.normalize() } else { Vec3::z() };
        let (corners, cones) = (Vec::with_capacity(256), Vec::with_capacity(96));
        let mut prover = Self {
            metric: to_normal,
            support,
            corners,
            cones,
            budget: BUDGET,
            divided: Divided::InHalves,
            spent: 0,
        };
        let (t, u) = tangents(&pole);
        let ring = [t, u, -t, -u].map(|m| prover.corner(&m));
        let poles = [pole, -pole];
        for m in &poles[..if apart.is_some() { 1 } else { 2 }] {
            let top = prover.corner(m);
            for k in 0..4 {
                prover.cones.push(Cone { corners: [top, ring[k], ring[(k + 1) % 4]], halvings: 0 });
            }
        }
        prover
    }

    /// The number of a new corner; there are no more of them than the budget.
    fn corner(&mut self, m: &Vec3) -> u16 {
        self.spent += 1;
        // L⁻ᵀ is upper triangular.
        let t = &self.metric;
        let v = Vec3::new(t.m11 * m.x + t.m12 * m.y + t.m13 * m.z, t.m22 * m.y + t.m23 * m.z, t.m33 * m.z);
        let length = v.norm();
        let v = v / length;
        let x = (self.support)(&v);
        self.corners.push(Corner { m: m / length, v, x, height: x.dot(&v) });
        u16::try_from(self.corners.len() - 1).unwrap_or(u16::MAX)
    }

    fn corners_of(&self, cone: &Cone) -> [&Corner; 3] {
        let [i, j, k] = cone.corners;
        [&self.corners[usize::from(i)], &self.corners[usize::from(j)], &self.corners[usize::from(k)]]
    }

    /// Goes on with the proof of a claim, which may have been sharpened since: what is proved of a depth is true of a
    /// lesser one.
    pub fn advance(&mut self, claim: &Claim) -> Proof {
        let (threshold, ball) = (claim.threshold(), claim.peel());
        let top = claim.point - claim.normal * ball;
        let (middle, cosine) = &claim.cap;
        while let Some(cone) = self.cones.pop() {
            let c = self.corners_of(&cone);
            let lowest = threshold - 2.0 * claim.slack;
            if let Some(better) = c.iter().find(|c| c.height < lowest).map(|c| c.v) {
                self.cones.push(cone);
                return Proof::Better(better);
            }
            // A cap is convex: it holds a cone whose corners it holds.
            let in_cap = *cosine <= 1.0 && c.iter().all(|c| c.v.dot(middle) >= *cosine);
            if in_cap || is_covered(c, &top, threshold - ball, ball) {
                continue;
            }
            if self.spent >= self.budget || cone.halvings > MAX_HALVINGS {
                self.cones.push(cone);
                return Proof::Open;
            }
            self.halve(&cone);
        }
        Proof::Holds
    }

    /// Divides a cone at the side along which the points of support turn away most from each other's normals.
    fn halve(&mut self, cone: &Cone) {
        let c = self.corners_of(cone);
        let turn = |j: usize, k: usize| (c[j].x - c[k].x).dot(&(c[j].v - c[k].v));
        let turns = [turn(1, 2), turn(2, 0), turn(0, 1)];
        let i = (1..3).fold(0, |best, i| if turns[i] > turns[best] { i } else { best });
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        let in_middle = match self.divided {
            Divided::InHalves => true,
            Divided::InTurn => cone.halvings.is_multiple_of(2),
        };
        let middle = if in_middle {
            c[j].m.normalize() + c[k].m.normalize()
        } else {
            let between = c[j].x - c[k].x;
            let (ahead, behind) = (between.dot(&c[j].v), -between.dot(&c[k].v));
            let share = ahead / (ahead + behind);
            let share = if share.is_finite() { share.clamp(LEAST_SHARE, 1.0 - LEAST_SHARE) } else { 0.5 };
            c[j].m * (1.0 - share) + c[k].m * share
        };
        let middle = self.corner(&middle);
        let halvings = cone.halvings + 1;
        let (i, j, k) = (cone.corners[i], cone.corners[j], cone.corners[k]);
        self.cones.push(Cone { corners: [i, j, middle], halvings });
        self.cones.push(Cone { corners: [i, middle, k], halvings });
    }
}

/// Whether a point of D without its rolling ball reaches the threshold at all corners of a cone: `top`, or a mixture of
/// the corners' own.
fn is_covered(c: [&Corner; 3], top: &Vec3, threshold: f64, ball: f64) -> bool {
    if c.iter().all(|c| top.dot(&c.v) >= threshold) {
        return true;
    }
    // What each point reaches at each corner, above the threshold.
    let x = [c[0].x - c[0].v * ball, c[1].x - c[1].v * ball, c[2].x - c[2].v * ball];
    let row = |x: &Vec3| [x.dot(&c[0].v) - threshold, x.dot(&c[1].v) - threshold, x.dot(&c[2].v) - threshold];
    let reach = [row(&x[0]), row(&x[1]), row(&x[2])];
    if reach.iter().any(|r| r[0] >= 0.0 && r[1] >= 0.0 && r[2] >= 0.0) {
        return true;
    }
    // The mixture that reaches alike everywhere: across both rows of differences.
    let less =
        |j: usize| Vec3::new(reach[0][0] - reach[0][j], reach[1][0] - reach[1][j], reach[2][0] - reach[2][j]);
    let even = less(1).cross(&less(2));
    let sum = even.x + even.y + even.z;
    let even = if sum < 0.0 { -even } else { even };
    if even.x >= 0.0 && even.y >= 0.0 && even.z >= 0.0 && sum != 0.0 {
        let at = |j: usize| even.x * reach[0][j] + even.y * reach[1][j] + even.z * reach[2][j];
        return at(0) >= 0.0 && at(1) >= 0.0 && at(2) >= 0.0;
    }
    // Of two points: each does best where it stands itself; in between they reach alike at both.
    [[1, 2, 0], [2, 0, 1], [0, 1, 2]].iter().any(|&[i, j, k]| {
        let (at_i, at_j) = (reach[i][i] - reach[j][i], reach[j][j] - reach[i][j]);
        let share = (reach[j][j] - reach[j][i]) / (at_i + at_j);
        let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.5 };
        let at = |l: usize| share * reach[i][l] + (1.0 - share) * reach[j][l];
        at(i) >= 0.0 && at(j) >= 0.0 && at(k) >= 0.0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// D is an ellipsoid about the origin moved by −r.
    fn ellipsoid(axes: Vec3, r: Vec3) -> impl Fn(&Vec3) -> Vec3 {
        move |n| {
            let scaled = axes.component_mul(n);
            axes.component_mul(&scaled) / scaled.norm() - r
        }
    }

    fn metric(axes: &Vec3) -> Mat3 {
        Mat3::from_diagonal(&axes.component_mul(axes))
    }

    fn claim(depth: f64, n: &Vec3) -> Claim {
        Claim::of_depth(depth, n * depth, *n)
    }

    #[test]
    fn the_least_semi_axis_is_the_depth_of_a_centred_ellipsoid_however_thin() {
        for axes in [Vec3::new(1.0, 0.5, 0.3), Vec3::new(1.0, 1e-3, 2e-3), Vec3::new(1.0, 0.9, 1e-3)] {
            let k = axes.imin();
            let mut prover =
                Prover::new(&metric(&axes), Some(&Vec3::zeros()), ellipsoid(axes, Vec3::zeros()));
            assert_eq!(prover.advance(&claim(axes[k], &Vec3::ith(k, 1.0))), Proof::Holds, "{axes}");
            assert!(prover.spent < 4_000, "{axes}: {}", prover.spent);
        }
    }

    #[test]
    fn a_claim_above_the_truth_by_a_millionth_is_refuted_and_below_it_holds() {
        let (axes, r) = (Vec3::new(1.0, 0.6, 0.35), Vec3::new(0.1, 0.05, 0.02));
        let support = ellipsoid(axes, r);
        // By brute force over a spiral, polished by small steps.
        let mut least = (f64::INFINITY, Vec3::z());
        for k in 0..20_000 {
            let z = 1.0 - (2 * k + 1) as f64 / 20_000.0;
            let (s, c) = (2.399_963_229_728_653 * k as f64).sin_cos();
            let n = Vec3::new((1.0 - z * z).sqrt() * c, (1.0 - z * z).sqrt() * s, z);
            let h = n.dot(&support(&n));
            least = if h < least.0 { (h, n) } else { least };
        }
        let mut step = 0.01;
        while step > 1e-10 {
            let around = (0..6).map(|k| {
                let n = (least.1 + Vec3::ith(k / 2, if k % 2 == 0 { step } else { -step })).normalize();
                (n.dot(&support(&n)), n)
            });
            match around.min_by(|x, y| x.0.total_cmp(&y.0)) {
                Some(better) if better.0 < least.0 => least = better,
                _ => step *= 0.5,
            }
        }
        let ask = |depth: f64| {
            let claim = Claim::of_depth(depth, Vec3::zeros(), Vec3::z());
            Prover::new(&metric(&axes), None, &support).advance(&claim)
        };
        assert!(matches!(ask(least.0 + 1e-6), Proof::Better(n) if n.dot(&support(&n)) < least.0 + 1e-6));
        assert_eq!(ask(least.0 - 1e-6), Proof::Holds);
    }

    #[test]
    fn a_ridge_of_equal_depths_ends_with_the_budget() {
        let axes = Vec3::new(0.5, 0.5, 1.0);
        let mut prover = Prover::new(&metric(&axes), None, ellipsoid(axes, Vec3::zeros()));
        assert_eq!(prover.advance(&claim(0.5, &Vec3::x())), Proof::Open);
        assert_eq!(prover.spent, BUDGET);
    }
}
