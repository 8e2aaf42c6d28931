//! What a query returns, and why it may be believed.

use super::Solution;
use super::candidate::{Candidate, Measures};
use super::relative::Frame;
use rattleback_geom::{Pose, Vec3};

/// The nearest points of two bodies, or the deepest ones where they overlap, in world axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Touch {
    /// Signed gap in m; negative where the bodies overlap.
    pub gap: f64,
    /// Unit normal from A to B.
    pub normal: Vec3,
    /// The point of A.
    pub point_a: Vec3,
    /// The point of B.
    pub point_b: Vec3,
    /// Evaluations of both surfaces.
    pub iterations: u32,
    /// The length of the part of `point_b − point_a` across the normal, in m.
    pub residual: f64,
    /// The evidence.
    pub certificate: Certificate,
    /// Whether the answer is proved to [`TOLERANCE`] of the size: for separate bodies the gap; under overlap that no
    /// direction parts the bodies by less, or, where a warm start followed its branch, that none of its neighbours
    /// does. Points in world axes are right to the same and to the rounding of their coordinates.
    pub certified: bool,
}

/// Bounds must close, and gradients vanish, to this share of the bodies' size and distance.
pub const TOLERANCE: f64 = 1e-12;

/// What the rounding of a support value, or of a point's place on its body, may come to as a share of the size: the
/// longest chain of operations, a power of a power in a turned frame, stays below 1e-14 in the tests of the surfaces.
pub(crate) const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// What bounds may leave open once rounding is enclosed.
pub(crate) const CLOSED: f64 = TOLERANCE - 4.0 * ROUNDING;

/// Evidence that an answer is right.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Certificate {
    /// Bounds on the distance of separate bodies: every normal gives a lower one, every pair of points an upper one.
    Separate {
        /// f(n) in m.
        lower: f64,
        /// ∣q − p∣ in m.
        upper: f64,
    },
    /// A least translation of overlapping bodies.
    Overlap {
        /// Length of the gradient of f on the sphere, in m: zero at a maximum.
        gradient: f64,
        /// The least eigenvalue of minus the Hessian, in m: positive at a strict maximum.
        margin: f64,
        /// What is known of other maxima.
        branch: Branch,
    },
    /// A common normal found by a method that offers no bound.
    Stationary {
        /// What the equations leave, in m.
        residual: f64,
    },
}

/// How a least translation stands among the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Branch {
    /// Proved to be the least of all.
    Global,
    /// The least of those that a search over the sphere found.
    Compared,
    /// Not compared: the branch that a warm start was on.
    Followed,
}

impl Branch {
    /// The word for it in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Global => "global",
            Self::Compared => "compared",
            Self::Followed => "followed",
        }
    }

    /// Whether what the branch claims is proved: by itself, or, among neighbours, by a margin μ above the slope e,
    /// because f can gain e²/2μ at most.
    fn is_proved(self, margin: f64, slope: f64) -> bool {
        match self {
            Self::Global => true,
            Self::Compared => false,
            Self::Followed => margin > slope,
        }
    }
}

impl Touch {
    /// From points in A's frame, `q` from A's origin; `size` is the length to which tolerances refer.
    #[inline]
    pub(crate) fn new(
        pose_a: &Pose,
        n: &Vec3,
        p: &Vec3,
        q: &Vec3,
        iterations: u32,
        size: f64,
        evidence: Evidence,
    ) -> Self {
        let g = q - p;
        let gap = n.dot(&g);
        let points = Points { n: *n, p: *p, q: *q, gap, residual: (g - n * gap).norm() };
        Self::of(&Frame::new(pose_a), &points, iterations, size, evidence)
    }

    /// From points in A's frame that are measured already.
    #[inline]
    pub(crate) fn of(
        frame: &Frame<'_>,
        points: &Points,
        iterations: u32,
        size: f64,
        evidence: Evidence,
    ) -> Self {
        let Points { n, p, q, gap, residual } = points;
        let (gap, residual) = (*gap, *residual);
        let small = CLOSED * size;
        let upper = || (gap * gap + residual * residual).sqrt();
        let (certificate, certified) = match evidence {
            Evidence::Climbed { margin, branch } => {
                if gap > 0.0 {
                    let upper = upper();
                    (Certificate::Separate { lower: gap, upper }, upper - gap <= small)
                } else {
                    let certificate = Certificate::Overlap { gradient: residual, margin, branch };
                    (certificate, residual <= small && branch.is_proved(margin, residual))
                }
            }
        };
        Self {
            gap,
            normal: frame.vector(n),
            point_a: frame.point(p),
            point_b: frame.point(q),
            iterations,
            residual,
            certificate,
            certified,
        }
    }

    /// The answer to which a candidate leads: for separate bodies the bounds must have closed, under overlap the points
    /// must belong to the normal, and the branch be proved or, after a warm start, followed.
    pub(crate) fn judged(pose_a: &Pose, found: &Candidate, iterations: u32, branch: Branch) -> Self {
        Self::judged_by(pose_a, found, &found.measures(), iterations, branch)
    }

    /// The same where the candidate's points are measured already.
    #[inline]
    pub(crate) fn judged_by(
        pose_a: &Pose,
        found: &Candidate,
        measures: &Measures,
        iterations: u32,
        branch: Branch,
    ) -> Self {
        let Candidate { n, p, q, f, margin, size } = *found;
        let Measures { gap, across: residual, distance, closed } = *measures;
        let frame = Frame::new(pose_a);
        let (certificate, certified) = if f > 0.0 {
            (Certificate::Separate { lower: f, upper: distance }, closed)
        } else if distance - f <= CLOSED * size {
            // At contact the bounds of separate bodies close as well, and leave no room for another depth.
            let branch = Branch::Global;
            (Certificate::Overlap { gradient: residual, margin, branch }, true)
        } else {
            (
                Certificate::Overlap { gradient: residual, margin, branch },
                closed && branch.is_proved(margin, residual),
            )
        };
        Self {
            gap,
            normal: frame.vector(&n),
            point_a: frame.point(&p),
            point_b: frame.point(&q),
            iterations,
            residual,
            certificate,
            certified,
        }
    }

    /// The answer of a solver that offers no bound.
    pub(crate) fn stationary(s: &Solution) -> Self {
        Self {
            gap: s.gap,
            normal: s.normal,
            point_a: s.point_a,
            point_b: s.point_b,
            iterations: s.iterations,
            residual: s.residual,
            certificate: Certificate::Stationary { residual: s.residual },
            certified: false,
        }
    }

    /// The same seen from B.
    pub(crate) fn swapped(self) -> Self {
        Self { normal: -self.normal, point_a: self.point_b, point_b: self.point_a, ..self }
    }
}

/// The points of a touch in A's frame and how they lie to each other.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Points {
    /// The unit normal from A to B.
    pub n: Vec3,
    /// The point of A.
    pub p: Vec3,
    /// The point of B, from A's origin.
    pub q: Vec3,
    /// (q − p)·n.
    pub gap: f64,
    /// The length of q − p across n.
    pub residual: f64,
}

/// What a solver knows beyond the points.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Evidence {
    /// The points are those of support in the directions ±n, so that the gap itself is a lower bound.
    Climbed { margin: f64, branch: Branch },
}
