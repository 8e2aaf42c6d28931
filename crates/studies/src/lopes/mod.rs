//! Lopes et al. (2010): its tables and figures, first of all Tables 5 and 6, Newton–Raphson iterations over a
//! prescribed motion of 200 steps.
//!
//! Shapes, rotations and tolerance (∣Δq∣ ≤ 1e-6 m) are the paper's. Each solve starts from the last step's points in
//! the bodies' frames; the first one from half way between the centres.
//!
//! The paper gives no placements and no rates. Chosen here: the centre of (i) at the origin; (i) and (j) turn by
//! [`TURN_I`] and [`TURN_J`] rad per step about the axes that the paper names, from the world's axes at step 0; the
//! centre of (j) at the pair's `offset`. Where (j) orbits, `offset` turns about the world's z axis by [`TURN_J`] per
//! step. The bodies stay apart at every step. The offsets are among those from which the paper's cold start leads to
//! the facing sides with the Householder frame; from many others it leads to averted ones, as section 3.5 of the
//! paper warns.
//!
//! The totals depend on these choices. The rates were set with the paper's totals in view: at two and three turns
//! instead of five and seven, ellipsoids take 3.6 to 4.1 iterations per step. So a total near the paper's shows that
//! its figures are within reach, and no more.
//!
//! Table 6 has no figures for auxiliary vectors. With the offset of pair 3 no solve from half way converges with them
//! within the bound on iterations.

use rattleback_contact::narrow::Solution;
use rattleback_contact::narrow::lopes::{ContactState, ImplicitBody, Settings, Start, TangentFrame, solve};
use rattleback_contact::{ContactError, Result};
use rattleback_geom::surface::{Ellipsoid, Implicit, Superquadric};
use rattleback_geom::{Pose, Vec3};
use std::f64::consts::TAU;

mod auxiliary;
pub mod plate;
mod report;
mod snapshots;
mod solutions;

pub use report::report;

/// Steps of each analysis.
pub const STEPS: u32 = 200;
/// The paper's tolerance on the last Newton step, in m.
pub const TOLERANCE: f64 = 1e-6;
/// Turn of (i) per step, in rad: five full turns over the analysis.
pub const TURN_I: f64 = 5.0 * TAU / STEPS as f64;
/// Turn of (j) per step, in rad: seven full turns over the analysis.
pub const TURN_J: f64 = 7.0 * TAU / STEPS as f64;

/// A body of the tables.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shape {
    /// a, b, c in m.
    pub semi_axes: [f64; 3],
    /// The common exponent γ; 2 is an ellipsoid.
    pub exponent: f64,
}

impl Shape {
    fn surface(&self) -> Result<Box<dyn Implicit>> {
        Ok(if self.exponent == 2.0 {
            Box::new(Ellipsoid::new(self.semi_axes)?)
        } else {
            Box::new(Superquadric::new(self.semi_axes, [self.exponent; 3])?)
        })
    }
}

/// One column pair of a table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Case {
    /// The table, 5 or 6.
    pub table: u32,
    /// The contact pair, from one.
    pub pair: u32,
    /// Body (i), which turns about its x axis.
    pub i: Shape,
    /// Body (j).
    pub j: Shape,
    /// The local axis that (j) turns about.
    pub axis_j: [f64; 3],
    /// Whether (j) orbits around (i).
    pub orbits: bool,
    /// The centre of (j) at step 0, in m: chosen here.
    pub offset: [f64; 3],
    /// The paper's total of iterations with the Householder frame.
    pub paper_householder: u32,
    /// The paper's total with auxiliary vectors; Table 6 has none.
    pub paper_auxiliary: Option<u32>,
    /// The paper's total time with either frame, in s, on a laptop of 2010.
    pub paper_seconds: [Option<f64>; 2],
}

/// The name of the contact state of Table 2 for a signed distance, zero being known to ± `tolerance`, both in m.
pub fn state_name(distance: f64, tolerance: f64) -> Option<&'static str> {
    ContactState::of(distance, tolerance).map(|state| match state {
        ContactState::Apart => "apart",
        ContactState::Touching => "touching",
        ContactState::Overlapping => "overlapping",
    })
}

/// The seven cases of Tables 5 and 6.
pub fn cases() -> [Case; 7] {
    let ellipsoid = |semi_axes| Shape { semi_axes, exponent: 2.0 };
    let super_ = |semi_axes, exponent| Shape { semi_axes, exponent };
    let (diagonal, z) = ([1.0, 1.0, 1.0], [0.0, 0.0, 1.0]);
    let five = |pair, i, j, axis_j, offset, totals: [u32; 2], seconds: [f64; 2]| Case {
        table: 5,
        pair,
        i: ellipsoid(i),
        j: ellipsoid(j),
        axis_j,
        orbits: pair == 1,
        offset,
        paper_householder: totals[0],
        paper_auxiliary: Some(totals[1]),
        paper_seconds: seconds.map(Some),
    };
    let six = |pair, i, j, axis_j, offset, total, seconds| Case {
        table: 6,
        pair,
        i,
        j,
        axis_j,
        orbits: false,
        offset,
        paper_householder: total,
        paper_auxiliary: None,
        paper_seconds: [Some(seconds), None],
    };
    let (big, small, x) = ([3.0; 3], [0.5; 3], [1.0, 0.0, 0.0]);
    let disc = [5.0, 5.0, 2.0];
    [
        five(1, big, small, x, [4.0, 0.0, 1.0], [989, 983], [1.18, 1.24]),
        five(2, big, small, diagonal, [3.5, 2.0, 1.0], [853, 802], [1.23, 0.921]),
        five(3, disc, disc, diagonal, [-4.0, 8.0, 8.0], [977, 1005], [1.15, 1.22]),
        five(4, [1.0, 5.0, 5.0], [5.0, 1.0, 5.0], diagonal, [-3.6, 7.3, 7.3], [956, 1007], [1.20, 1.02]),
        six(1, super_([1.0; 3], 2.4), super_([1.5, 2.1, 1.9], 3.0), diagonal, [-1.5, 3.0, 3.0], 1085, 1.24),
        six(2, super_([0.4, 1.1, 1.1], 3.2), super_([1.0, 1.0, 0.4], 3.2), z, [0.7, 2.6, 0.85], 1632, 1.97),
        six(3, super_([4.1, 1.1, 1.1], 2.5), super_([1.0, 1.0, 4.0], 3.2), z, [4.0, 3.0, 3.5], 1074, 1.39),
    ]
}

impl Case {
    /// Where (i) and (j) are at a step.
    pub fn poses(&self, step: u32) -> Result<[Pose; 2]> {
        let (turn_i, turn_j) = (TURN_I * f64::from(step), TURN_J * f64::from(step));
        let pose_i = Pose::identity().rotated(Vec3::x(), turn_i)?;
        let mut centre = Vec3::from(self.offset);
        if self.orbits {
            centre = Pose::identity().rotated(Vec3::z(), turn_j)?.vector_to_world(&centre);
        }
        let rotation = Pose::identity().rotated(self.axis_j.into(), turn_j)?;
        Ok([pose_i, Pose::new(centre, rotation.orientation)])
    }

    /// What the paper reports as the total of iterations.
    pub fn paper_total(&self, frame: TangentFrame) -> Option<u32> {
        match frame {
            TangentFrame::Householder => Some(self.paper_householder),
            TangentFrame::Auxiliary => self.paper_auxiliary,
        }
    }
}

/// What [`run`] measures.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// Newton iterations of every step; those of a failed solve are counted too.
    pub iterations: Vec<u32>,
    /// The solution of every step; none where no start converged.
    pub solutions: Vec<Option<Solution>>,
    /// Steps at which the warm start did not converge and half way between the centres was tried.
    pub restarts: u32,
    /// Steps whose solution does not lie on facing sides.
    pub averted: u32,
}

impl Run {
    /// All iterations.
    pub fn total(&self) -> u32 {
        self.iterations.iter().sum()
    }

    /// Iterations per step.
    pub fn per_step(&self) -> f64 {
        f64::from(self.total()) / self.iterations.len().max(1) as f64
    }
}

/// Runs the 200 steps of a case.
pub fn run(case: &Case, frame: TangentFrame) -> Result<Run> {
    let (i, j) = (case.i.surface()?, case.j.surface()?);
    let settings = Settings { frame, tolerance: TOLERANCE, max_iterations: 100 };
    let mut run = Run { iterations: Vec::new(), solutions: Vec::new(), restarts: 0, averted: 0 };
    let mut start = Start::Centres;
    for step in 0..STEPS {
        let [pose_i, pose_j] = case.poses(step)?;
        let (a, b) = (ImplicitBody::new(i.as_ref(), pose_i), ImplicitBody::new(j.as_ref(), pose_j));
        let mut spent = 0;
        let mut found = None;
        for from in [start, Start::Centres] {
            match solve(&a, &b, from, &settings) {
                Ok(solved) => {
                    spent += solved.solution.iterations;
                    found = Some(solved);
                    break;
                }
                Err(ContactError::NotConverged { iterations, .. }) => spent += iterations,
                Err(other) => return Err(other),
            }
            if from == Start::Centres {
                break;
            }
            run.restarts += 1;
        }
        start = found.map_or(Start::Centres, |f| Start::Unknowns(f.unknowns));
        run.averted += u32::from(found.is_some_and(|f| !f.facing));
        run.iterations.push(spent);
        run.solutions.push(found.map(|f| f.solution));
    }
    Ok(run)
}
