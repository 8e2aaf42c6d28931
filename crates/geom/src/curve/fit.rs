//! A spline potential fitted to points of a convex curve.
//!
//! Römer, Remark 11. The unknowns are the coefficients of a periodic cubic B-spline g on equal spacings. A point p lies
//! at the signed distance n(φ)·(p − c) − g(φ) from the curve, φ being the normal of its foot, where
//! g′(φ) = t(φ)·(p − c). The sum of the squared distances is lowered in turns: g with the feet held (linear least
//! squares), then each foot with g held (one Newton step, of derivative R + distance). As the distance is stationary
//! in φ, the turns converge like Gauss–Newton's.
//!
//! The feet start on the convex hull: a vertex between edges of lengths l₁, l₂ with normals φ₁, φ₂ at
//! φ₁ + (φ₂ − φ₁) l₁/(l₁ + l₂), the normal of the circle through the three points; any other point at the normal of
//! its nearest edge. The centre c is the mean of the points.

use super::periodic::PeriodicSpline;
use super::{Curve, SplinePotential, finite2, perpendicular, unit_normal};
use crate::Vec2;
use crate::error::{GeomError, Result, within};
use nalgebra::{DMatrix, DVector};
use std::f64::consts::{PI, TAU};

/// Weight of the squared third differences of the coefficients, per point: settles those that no foot is near. Against
/// feet spread evenly it damps coefficients that alternate by 64·1e-10·knots·315/17, 6e-5 at 512 knots, and smooth ones
/// by the sixth power of their wave number less.
const SMOOTHING: f64 = 1e-10;

/// Bound on the turns; those of exact points end after about five.
const TURNS: usize = 50;

/// Turns end when no foot moves by more than this angle, in radians.
const FOOT_TOLERANCE: f64 = 1e-10;

/// What [`SplinePotential::fit`] returns.
#[derive(Debug, Clone, PartialEq)]
pub struct SplineFit {
    /// The fitted curve.
    pub curve: SplinePotential,
    /// The greatest distance of a point from the curve, in metres.
    pub max_error: f64,
    /// The root of the mean squared distance, in metres.
    pub rms_error: f64,
    /// Turns spent.
    pub turns: usize,
    /// The last move of a foot, in radians; above 1e-10 where the bound on the turns ended the fit.
    pub foot_step: f64,
}

impl SplinePotential {
    /// The spline with `knots` equal spacings (4 to 512) that is nearest to `points` of a convex curve, in any order,
    /// as many as there are knots or more. Refused where the result is not strictly convex.
    pub fn fit(points: &[Vec2], knots: usize) -> Result<SplineFit> {
        within("knots", knots as f64, 4.0, 512.0, "from 4 to 512")?;
        if points.len() < knots {
            return Err(too_few("points", format!("{} points", points.len()), format!("{knots} or more")));
        }
        for (i, p) in points.iter().enumerate() {
            finite2(&format!("points[{i}]"), p)?;
        }
        let centre = points.iter().sum::<Vec2>() / points.len() as f64;
        let centred: Vec<Vec2> = points.iter().map(|p| p - centre).collect();
        let mut feet = start(&centred)?;
        let mut spline = least_squares(&centred, &feet, knots)?;
        let (mut turns, mut foot_step) = (0, f64::INFINITY);
        while turns < TURNS && foot_step > FOOT_TOLERANCE {
            foot_step = 0.0;
            for (p, phi) in centred.iter().zip(&mut feet) {
                let step = newton_step(&spline, p, *phi, TAU / knots as f64);
                *phi += step;
                foot_step = step.abs().max(foot_step);
            }
            spline = least_squares(&centred, &feet, knots)?;
            turns += 1;
        }
        let curve = Self::checked(spline, centre)?;
        let (mut max_error, mut squares) = (0.0f64, 0.0);
        for (p, phi) in points.iter().zip(&feet) {
            let distance = (p - curve.unit_jet(&unit_normal(*phi)).point).norm();
            max_error = max_error.max(distance);
            squares += distance * distance;
        }
        let rms_error = (squares / points.len() as f64).sqrt();
        Ok(SplineFit { curve, max_error, rms_error, turns, foot_step })
    }
}

fn too_few(field: &str, found: String, allowed: String) -> GeomError {
    GeomError::Inconsistent { field: field.to_owned(), found, allowed }
}

/// The Newton step of g′(φ) = t·p, no longer than one knot spacing.
fn newton_step(spline: &PeriodicSpline, p: &Vec2, phi: f64, longest: f64) -> f64 {
    let n = unit_normal(phi);
    let [_, slope, bend] = spline.at(phi);
    let step = (perpendicular(&n).dot(p) - slope) / (bend + n.dot(p));
    // Where the derivative is not positive the foot stays: the point lies beyond the centre of curvature.
    if bend + n.dot(p) > 0.0 { step.clamp(-longest, longest) } else { 0.0 }
}

/// The coefficients that minimise Σ (n·p − g)² with the feet held.
fn least_squares(points: &[Vec2], feet: &[f64], knots: usize) -> Result<PeriodicSpline> {
    let spacing = TAU / knots as f64;
    let mut matrix = DMatrix::<f64>::zeros(knots, knots);
    let mut right = DVector::<f64>::zeros(knots);
    for (p, phi) in points.iter().zip(feet) {
        let place = phi.rem_euclid(TAU) / spacing;
        let t = place.fract();
        let index = |k: usize| (place as usize + k + knots - 1) % knots;
        let weights = basis(t);
        let target = unit_normal(*phi).dot(p);
        for k in 0..4 {
            right[index(k)] += weights[k] * target;
            for l in 0..4 {
                matrix[(index(k), index(l))] += weights[k] * weights[l];
            }
        }
    }
    let difference = [-1.0, 3.0, -3.0, 1.0];
    for i in 0..knots {
        for k in 0..4 {
            for l in 0..4 {
                let entry = SMOOTHING * points.len() as f64 * difference[k] * difference[l];
                matrix[((i + k) % knots, (i + l) % knots)] += entry;
            }
        }
    }
    let solved = matrix.cholesky().map(|c| c.solve(&right)).ok_or_else(|| {
        too_few(
            "points",
            "normals that leave a part of the circle free".into(),
            "points all around the curve".into(),
        )
    })?;
    let at = |i: usize| solved[i % knots];
    let angles: Vec<f64> = (0..knots).map(|i| i as f64 * spacing).collect();
    let (mut values, mut second) = (Vec::with_capacity(knots), Vec::with_capacity(knots));
    for i in 0..knots {
        let (before, here, after) = (at(i + knots - 1), at(i), at(i + 1));
        values.push((before + 4.0 * here + after) / 6.0);
        second.push((before - 2.0 * here + after) / (spacing * spacing));
    }
    Ok(PeriodicSpline::from_second_derivatives(&angles, &values, &second))
}

/// The four cubic B-splines that do not vanish at t of a segment of width one.
fn basis(t: f64) -> [f64; 4] {
    let (s, t2, t3) = (1.0 - t, t * t, t * t * t);
    [
        s * s * s / 6.0,
        (3.0 * t3 - 6.0 * t2 + 4.0) / 6.0,
        (-3.0 * t3 + 3.0 * t2 + 3.0 * t + 1.0) / 6.0,
        t3 / 6.0,
    ]
}

/// The first guess of every foot, from the convex hull.
fn start(points: &[Vec2]) -> Result<Vec<f64>> {
    let hull = convex_hull(points);
    if hull.len() < 3 {
        let found = "points on one line".to_owned();
        return Err(too_few("points", found, "points of a closed convex curve".to_owned()));
    }
    let count = hull.len();
    let edge = |i: usize| points[hull[(i + 1) % count]] - points[hull[i % count]];
    // The outer normal of a counter-clockwise edge is the edge turned clockwise.
    let angle = |i: usize| (-edge(i).x).atan2(edge(i).y);
    let normals: Vec<(Vec2, f64, f64)> = (0..count)
        .map(|i| (unit_normal(angle(i)), unit_normal(angle(i)).dot(&points[hull[i]]), angle(i)))
        .collect();
    let mut feet: Vec<f64> = points
        .iter()
        .map(|p| {
            let excess = |e: &&(Vec2, f64, f64)| e.0.dot(p) - e.1;
            normals.iter().max_by(|a, b| excess(a).total_cmp(&excess(b))).map_or(0.0, |e| e.2)
        })
        .collect();
    for i in 0..count {
        let before = (i + count - 1) % count;
        let (l1, l2) = (edge(before).norm(), edge(i).norm());
        let turn = (angle(i) - angle(before) + PI).rem_euclid(TAU) - PI;
        feet[hull[i]] = angle(before) + turn * l1 / (l1 + l2);
    }
    Ok(feet)
}

/// Indices of the vertices of the convex hull, counter-clockwise (Andrew's monotone chain).
fn convex_hull(points: &[Vec2]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by(|&i, &j| points[i].x.total_cmp(&points[j].x).then(points[i].y.total_cmp(&points[j].y)));
    let half = |order: &mut dyn Iterator<Item = usize>| {
        let mut chain: Vec<usize> = Vec::new();
        for i in order {
            while let [.., a, b] = chain[..] {
                if (points[b] - points[a]).perp(&(points[i] - points[b])) > 0.0 {
                    break;
                }
                chain.pop();
            }
            chain.push(i);
        }
        chain.pop();
        chain
    };
    let mut hull = half(&mut order.iter().copied());
    hull.extend(half(&mut order.iter().rev().copied()));
    hull
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curve::{Ellipse, Offset, Superellipse};
    use std::sync::Arc;

    fn points(curve: &dyn Curve, count: usize, shift: Vec2) -> Vec<Vec2> {
        // In an order of no meaning: 37 is coprime to every count below.
        let angle = |i: usize| ((i * 37) % count) as f64 / count as f64 * TAU;
        (0..count).map(|i| curve.at_angle(angle(i)).unwrap().point + shift).collect()
    }

    #[test]
    fn an_ellipse_is_recovered_from_its_points_wherever_it_lies() {
        let ellipse = Ellipse::new([1.5, 1.0]).unwrap();
        for shift in [Vec2::zeros(), Vec2::new(40.0, -7.0)] {
            let fit = SplinePotential::fit(&points(&ellipse, 400, shift), 64).unwrap();
            assert!(fit.max_error < 2e-6 && fit.rms_error <= fit.max_error, "{}", fit.max_error);
            assert!(fit.foot_step <= FOOT_TOLERANCE, "{} {}", fit.foot_step, fit.turns);
            for i in 0..100 {
                let phi = f64::from(i) * 0.0628;
                let (a, b) = (fit.curve.at_angle(phi).unwrap(), ellipse.at_angle(phi).unwrap());
                assert!((a.point - shift - b.point).norm() < 1e-4);
                assert!((a.radius - b.radius).abs() < 2e-2, "{} {}", a.radius, b.radius);
            }
        }
    }

    #[test]
    fn more_knots_bring_the_curve_nearer_with_the_third_power_or_better() {
        let ellipse = Ellipse::new([1.5, 1.0]).unwrap();
        let error =
            |knots| SplinePotential::fit(&points(&ellipse, 900, Vec2::zeros()), knots).unwrap().rms_error;
        let (coarse, fine) = (error(24), error(48));
        assert!((coarse / fine).log2() > 3.0, "{coarse} {fine}");
    }

    #[test]
    fn the_reported_error_is_that_of_noisy_points() {
        let ellipse = Ellipse::new([1.5, 1.0]).unwrap();
        let mut noisy = points(&ellipse, 901, Vec2::zeros());
        for (i, p) in noisy.iter_mut().enumerate() {
            *p *= 1.0 + 1e-4 * (i as f64 * 1.7).sin();
        }
        let fit = SplinePotential::fit(&noisy, 24).unwrap();
        assert!(fit.rms_error > 3e-5 && fit.max_error < 3e-4, "{} {}", fit.rms_error, fit.max_error);
    }

    #[test]
    fn a_rounded_box_is_fitted_though_its_normals_crowd() {
        let square = Arc::new(Superellipse::new([1.0, 0.6], 2.5).unwrap());
        let rounded = Offset::new(square, 0.2).unwrap();
        let fit = SplinePotential::fit(&points(&rounded, 2003, Vec2::zeros()), 96).unwrap();
        assert!(fit.max_error < 2e-2, "{}", fit.max_error);
    }

    #[test]
    fn points_that_bound_nothing_are_refused() {
        let line: Vec<Vec2> = (0..20).map(|i| Vec2::new(f64::from(i), 0.0)).collect();
        assert!(SplinePotential::fit(&line, 8).unwrap_err().to_string().contains("points on one line"));
        assert!(SplinePotential::fit(&line[..5], 8).unwrap_err().to_string().contains("8 or more"));
        assert!(SplinePotential::fit(&line, 3).unwrap_err().to_string().starts_with("knots = 3"));
        let mut bad = points(&Ellipse::new([1.0, 1.0]).unwrap(), 20, Vec2::zeros());
        bad[4].y = f64::NAN;
        assert!(SplinePotential::fit(&bad, 8).unwrap_err().to_string().starts_with("points[4][1] = NaN"));
        // The corners of a square have no positive radius that a spline could take.
        let corners: Vec<Vec2> = (0..400)
            .map(|i| {
                let t = f64::from(i % 100) / 50.0 - 1.0;
                [Vec2::new(t, -1.0), Vec2::new(1.0, t), Vec2::new(-t, 1.0), Vec2::new(-1.0, -t)]
                    [i as usize / 100]
            })
            .collect();
        assert!(matches!(SplinePotential::fit(&corners, 64), Err(GeomError::NotConvex { .. })));
    }
}
