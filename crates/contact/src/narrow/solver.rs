//! The solvers by name, for studies and comparisons. [`super::touch`] chooses by itself.

use super::lopes::{self, ImplicitBody, TangentFrame, globalised};
use super::parametric::{self, ParametricBody};
use super::roemer::{self, Algorithm, AlgorithmOutcome, Scheme, SupportBody};
use super::{Solution, Start, gilbert, touch};
use crate::contact::Collider;
use crate::error::{ContactError, Result};
use std::fmt;
use std::str::FromStr;

/// A way to find a common normal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Solver {
    /// The engine's own choice for the pair, [`super::touch`].
    Own,
    /// Lopes' six equations, tangents by Householder.
    LopesHouseholder,
    /// Lopes' six equations, tangents by auxiliary vectors.
    LopesAuxiliary,
    /// Lopes' conditions, damped and from many starts.
    LopesGlobalised,
    /// Römer's algorithm.
    Roemer(Algorithm),
    /// One of the schemes of Römer's Fig. 7 that lead to algorithm III.
    RoemerScheme(Scheme),
    /// The algorithm of Gilbert, Johnson and Keerthi, for bodies that are apart.
    Gjk,
    /// Four parameters of two parametric surfaces.
    Parametric,
}

impl Solver {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::Own,
        Self::LopesHouseholder,
        Self::LopesAuxiliary,
        Self::LopesGlobalised,
        Self::Roemer(Algorithm::I),
        Self::Roemer(Algorithm::II),
        Self::Roemer(Algorithm::III),
        Self::Roemer(Algorithm::IV),
        Self::RoemerScheme(Scheme::Connection),
        Self::RoemerScheme(Scheme::Mean),
        Self::Gjk,
        Self::Parametric,
    ];

    /// The name by which it is asked for.
    pub fn name(self) -> &'static str {
        match self {
            Self::Own => "own",
            Self::LopesHouseholder => "lopes-householder",
            Self::LopesAuxiliary => "lopes-auxiliary",
            Self::LopesGlobalised => "lopes-globalised",
            Self::Roemer(Algorithm::I) => "roemer-1",
            Self::Roemer(Algorithm::II) => "roemer-2",
            Self::Roemer(Algorithm::III) => "roemer-3",
            Self::Roemer(Algorithm::IV) => "roemer-4",
            Self::RoemerScheme(Scheme::Connection) => "roemer-7a",
            Self::RoemerScheme(Scheme::Mean) => "roemer-7b",
            Self::Gjk => gilbert::NAME,
            Self::Parametric => "parametric",
        }
    }

    /// A common normal of two colliders by this solver, from its own cold start.
    ///
    /// Only [`Solver::Own`] is sure to find the one of least distance.
    pub fn solve(self, a: &Collider, b: &Collider) -> Result<Solution> {
        let missing = |view: &'static str| ContactError::Unsupported {
            a: a.shape.surface().kind(),
            b: b.shape.surface().kind(),
            reason: view,
        };
        match self {
            Self::Own => {
                let t = touch(&a.shape, &a.pose, &b.shape, &b.pose, Start::Cold)?;
                let (gap, normal, residual) = (t.gap, t.normal, t.residual);
                Ok(Solution {
                    gap,
                    normal,
                    point_a: t.point_a,
                    point_b: t.point_b,
                    iterations: t.iterations,
                    residual,
                })
            }
            Self::LopesHouseholder | Self::LopesAuxiliary | Self::LopesGlobalised => {
                let (Some(f), Some(g)) = (a.shape.surface().as_implicit(), b.shape.surface().as_implicit())
                else {
                    return Err(missing("both need an implicit view"));
                };
                self.implicit(&ImplicitBody::new(f, a.pose), &ImplicitBody::new(g, b.pose), [a, b])
            }
            Self::Roemer(_) | Self::RoemerScheme(_) | Self::Gjk => {
                let (Some(f), Some(g)) = (a.shape.surface().as_support(), b.shape.surface().as_support())
                else {
                    return Err(missing("both need a support function"));
                };
                let (x, y) =
                    (SupportBody { surface: f, pose: a.pose }, SupportBody { surface: g, pose: b.pose });
                self.support(&x, &y)
            }
            Self::Parametric => {
                let charts = (
                    ParametricBody::of(a.shape.surface(), a.pose),
                    ParametricBody::of(b.shape.surface(), b.pose),
                );
                let (Some(x), Some(y)) = charts else { return Err(missing("both need a parametric view")) };
                Ok(parametric::search(&x, &y, &Default::default())?.solution)
            }
        }
    }

    fn support(self, a: &SupportBody, b: &SupportBody) -> Result<Solution> {
        let start = || roemer::start_between_origins(a, b);
        let settings = roemer::Settings::default();
        let outcome = match self {
            Self::Roemer(algorithm) => roemer::solve(algorithm, a, b, &start()?, &settings)?,
            Self::RoemerScheme(scheme) => {
                roemer::solve_scheme(scheme, a, b, &start()?, &settings, &mut |_, _| {})?
            }
            _ => return gilbert::solve(a, b),
        };
        match outcome {
            AlgorithmOutcome::Converged(solution) => Ok(solution),
            AlgorithmOutcome::Failed { best, .. } => Err(ContactError::NotConverged {
                solver: self.name(),
                iterations: best.iterations,
                residual: best.residual,
            }),
        }
    }

    fn implicit(self, f: &ImplicitBody, g: &ImplicitBody, [a, b]: [&Collider; 2]) -> Result<Solution> {
        let frame = match self {
            Self::LopesHouseholder => TangentFrame::Householder,
            Self::LopesAuxiliary => TangentFrame::Auxiliary,
            _ => {
                let boxes = [&a.shape.surface().bounds(), &b.shape.surface().bounds()];
                return match globalised::search(f, g, boxes, &Default::default())? {
                    globalised::SearchOutcome::Found(solution) => Ok(solution),
                    globalised::SearchOutcome::NoneWithinBounds { .. } => {
                        let (a, b) = (a.shape.surface().kind(), b.shape.surface().kind());
                        Err(ContactError::BeyondBounds { a, b })
                    }
                };
            }
        };
        let settings = lopes::Settings { frame, tolerance: 1e-12, ..Default::default() };
        Ok(lopes::solve(f, g, lopes::Start::Centres, &settings)?.solution)
    }
}

impl fmt::Display for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Solver {
    type Err = ContactError;

    fn from_str(name: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|solver| solver.name() == name).ok_or_else(|| {
            ContactError::UnknownSolver { name: name.to_owned(), known: Self::ALL.map(Self::name).join(", ") }
        })
    }
}
