//! The convexity conditions, Römer Propositions 1 and 13, over the whole sphere.
//!
//! A potential bounds a strictly convex body where both radii of curvature, the eigenvalues of ∇²h on n⊥, are above
//! zero (19); its inner parallel body at −d where they are above d (50). Samples can refute that and never prove it, so
//! the sphere is covered by patches that are split until the bound of each one is above what is required. With the
//! patch inside the cap of angle ρ about n, the eigenvectors eᵢ and radii λᵢ at n, aᵢⱼ the length of
//! u ↦ ∇³h[u, eᵢ, eⱼ] on n⊥, and `bend` of `bound.rs`, every radius in the cap is at least
//!
//! > λ_min([λ₁ − ρa₁₁, −ρa₁₂; −ρa₁₂, λ₂ − ρa₂₂]) − ½ bend ρ²
//!
//! (Taylor with remainder along the great circle from n, the tangent carried along). The error falls with ρ² at a
//! minimum, so that a few dozen splits resolve an isolated one to rounding. The bounds hold in exact arithmetic;
//! rounding is of the order of 1e-15 of the greatest radius.

use super::bound::Least;
use super::expression::Expression;
use super::patch::Patch;
use super::{Potential, extreme, radii};
use crate::curvature::{eigen2, tangent_block, tangents};
use crate::error::{GeomError, Result, finite, positive};
use crate::surface::{Support, SupportJet};
use crate::{Mat3, Vec3};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// How much is done before giving up, about a second: a patch counts [`PATCH`] and one for every coefficient of a
/// series, some 70 ns each. A series of degree 3 has a quarter of a million patches, one of degree 32 fifteen thousand.
/// An isolated minimum takes some hundreds; one along a whole curve that no axis of revolution explains is resolved by
/// a quarter of a million to about 1e-6 of the greatest radius.
const MAX_WORK: usize = 1 << 24;
const PATCH: usize = 50;

/// What is known of the smallest radius of curvature.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Convexity {
    /// No radius of curvature is below this, in metres.
    pub lower_bound: f64,
    /// The smallest radius that was met, in metres.
    pub upper_bound: f64,
    /// The normal at which it was met.
    pub normal: Vec3,
    /// Patches of the sphere that the proof needed; zero where composition alone proves it.
    pub cells: usize,
}

/// A patch of the sphere and the lower bound on the radii over it.
pub(super) struct Cell {
    pub bound: f64,
    patch: Patch,
}

impl PartialEq for Cell {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Cell {}

impl PartialOrd for Cell {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Cell {
    /// The greatest cell of a heap is the one with the lowest bound.
    fn cmp(&self, other: &Self) -> Ordering {
        other.bound.total_cmp(&self.bound)
    }
}

impl Potential {
    /// Proves that both radii of curvature are above zero at every normal.
    ///
    /// [`GeomError::NotConvex`] where a radius at or below zero is met; [`GeomError::NotConverged`] where neither a
    /// proof nor a counterexample is found.
    pub fn convexity(&self) -> Result<Convexity> {
        self.convexity_above(0.0)
    }

    /// Proves that both radii of curvature are above `required` metres at every normal.
    pub fn convexity_above(&self, required: f64) -> Result<Convexity> {
        finite("required", required)?;
        self.refine(required, f64::INFINITY, self.most_cells())
    }

    /// Encloses the smallest radius of curvature between two bounds that differ by at most `tolerance` times the
    /// greatest radius met.
    ///
    /// Where opaque support functions take part, their promised radius is all the lower bound has to go by.
    pub fn least_radius(&self, tolerance: f64) -> Result<Convexity> {
        positive("tolerance", tolerance)?;
        self.refine(f64::NEG_INFINITY, tolerance, self.most_cells())
    }

    /// How many patches are looked at before giving up.
    fn most_cells(&self) -> usize {
        MAX_WORK / (PATCH + self.coefficient_count())
    }

    fn coefficient_count(&self) -> usize {
        match &*self.0 {
            Expression::Harmonics(series) => series.coefficients().len(),
            Expression::Spline(spline) => spline.count(),
            Expression::Sum(a, b) => a.coefficient_count() + b.coefficient_count(),
            Expression::Linear(linear) => linear.inner.coefficient_count(),
            Expression::Ball { .. }
            | Expression::Point(_)
            | Expression::Ellipsoid(_)
            | Expression::Opaque(_) => 1,
        }
    }

    /// Splits until every bound is above `required` and the two bounds are within `tolerance` of each other.
    pub(super) fn refine(&self, required: f64, tolerance: f64, budget: usize) -> Result<Convexity> {
        let model = self.lower_model()?;
        let Least { bound, witness, .. } = model.least();
        let exact = witness.filter(|_| !self.has_opaque());
        if let Some(normal) = exact {
            if bound > required {
                return Ok(Convexity { lower_bound: bound, upper_bound: bound, normal, cells: 0 });
            }
            return Err(not_convex(bound, &normal, required));
        }
        // A promised bound is believed before a rounded eigenvalue.
        let sample = |n: &Vec3| radii(self, n)[1].max(radii(&model, n)[1]);
        let (mut upper, mut normal) = extreme(sample);
        finite("radius of curvature", upper)?;
        if upper <= required {
            return Err(not_convex(upper, &normal, required));
        }
        let close = match tolerance.is_finite() {
            true => tolerance * -extreme(|n| -radii(self, n)[0]).0,
            false => f64::INFINITY,
        };
        let done = |lower: f64, upper: f64| lower > required && upper - lower <= close;
        if done(bound, upper) {
            return Ok(Convexity { lower_bound: bound, upper_bound: upper, normal, cells: 0 });
        }
        let mut heap: BinaryHeap<Cell> = Patch::cover(&model).into_iter().map(|p| model.cell(p).0).collect();
        let mut cells = heap.len();
        while let Some(worst) = heap.peek() {
            let lower = worst.bound.max(bound);
            if done(lower, upper) {
                return Ok(Convexity { lower_bound: lower, upper_bound: upper, normal, cells });
            }
            if cells >= budget || !lower.is_finite() {
                return Err(unproved(lower, required, upper - close, cells));
            }
            let Some(Cell { patch, .. }) = heap.pop() else { break };
            for part in patch.split() {
                let (cell, n, radius) = model.cell(part);
                if radius < upper {
                    let met = sample(&n);
                    if met < upper {
                        (upper, normal) = (met, n);
                    }
                    if met <= required {
                        return Err(not_convex(met, &n, required));
                    }
                    // The promise itself is too low here: no splitting will raise it.
                    if radius <= required {
                        return Err(unproved(radius, required, upper - close, cells));
                    }
                }
                heap.push(cell);
                cells += 1;
            }
        }
        Err(unproved(f64::NAN, required, upper - close, cells))
    }

    /// The jet at n and ∇³h along two directions.
    fn jet_and_thirds(&self, n: &Vec3, directions: [&Vec3; 2]) -> (SupportJet, [Mat3; 2]) {
        match &*self.0 {
            Expression::Harmonics(series) => series.jet_and_thirds(n, directions),
            _ => (self.support_jet(n), directions.map(|d| self.support_third(n, d))),
        }
    }

    /// The bound over a patch, its middle, and the smaller radius there.
    pub(super) fn cell(&self, patch: Patch) -> (Cell, Vec3, f64) {
        let n = patch.middle();
        let rho = patch.angle(&n);
        let (t, b) = tangents(&n);
        let (jet, [along_t, along_b]) = self.jet_and_thirds(&n, [&t, &b]);
        let [l1, l2, cos, sin] = eigen2(tangent_block(&jet.hessian, &t, &b), None);
        let (e1, e2) = (t * cos + b * sin, b * cos - t * sin);
        // ∇³h is linear in its direction.
        let along = [along_t * cos + along_b * sin, along_b * cos - along_t * sin];
        let along = along.map(|third| tangent_block(&third, &e1, &e2));
        let [a11, a12, a22]: [f64; 3] = std::array::from_fn(|k| along[0][k].hypot(along[1][k]));
        let [_, low, ..] = eigen2([l1 - rho * a11, -rho * a12, l2 - rho * a22], None);
        let bound = low - 0.5 * self.growth(&n, rho).bend * rho * rho;
        (Cell { bound, patch }, n, l2)
    }
}

fn not_convex(radius: f64, normal: &Vec3, required: f64) -> GeomError {
    GeomError::NotConvex { radius, normal: (*normal).into(), required }
}

fn unproved(lower: f64, required: f64, wanted: f64, cells: usize) -> GeomError {
    GeomError::NotConverged {
        procedure: "lower bound on the radii of curvature",
        reached: lower,
        wanted: required.max(wanted),
        iterations: cells,
    }
}
