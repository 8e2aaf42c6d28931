//! Plane, centroid and area of closed contours.
//!
//! Of the directed segments from p to q of a region's contours, with L = Σ∣q − p∣,
//!
//!   c = Σ ∣q − p∣ (p + q)/2 / L                                    their mean
//!   C = Σ ∣q − p∣ ((m − c)(m − c)ᵀ + (q − p)(q − p)ᵀ/12)           their covariance, m = (p + q)/2
//!   S = ½ Σ (p − c) × (q − c)                                       their area vector
//!
//! are integrals along the contour and do not depend on how it is sampled (equations 20–23 of Dopico et al. weigh the
//! points instead). By Stokes' theorem S is also ∫n dA over the part of A inside B, and minus that over the part of B
//! inside A, however they are curved: it points from A to B, and n·S is the projected area on the plane of a unit
//! vector n, with the holes of a ring taken off (24, 25). The centroid is that of the projected area: the triangles
//! from c to each segment have the signed areas a = ½ n·(p − c) × (q − c) and the centroids (c + p + q)/3 (26–28).
//!
//! The normal is the eigenvector of C with the least eigenvalue λ₀, the plane of least squares, turned to S, as long as
//! it is well determined and agrees with S; otherwise the direction of S. Between the two it goes over smoothly
//! ([`ramp`]): with λ₀/λ₁ rising from 0.1 to 0.5 (a contour that is no longer flat), with λ₁/λ₂ falling from 1e-8 to
//! 1e-10 (a line) and with the cosine of n and S falling from 0.95 to 0.7 (a saddle). Where ∣S∣/L² falls below 1e-9, so
//! that S is rounding (a circle has 0.08), the direction asked for with `instead` takes its place. Likewise the
//! centroid goes over to c where the areas a cancel: with ∣Σa∣/Σ∣a∣ falling from 0.2 to 0.02.

use rattleback_geom::{Mat3, Pose, Vec3};

/// What is measured on the contours of one region.
#[derive(Debug, Clone, Copy)]
pub(super) struct Measure {
    /// A point of the plane.
    pub centre: Vec3,
    /// Unit normal, from A to B.
    pub normal: Vec3,
    /// S, in m².
    pub vector: Vec3,
    /// The projected area, in m².
    pub area: f64,
    /// From `centre` to the centroid of the projected area, in the plane.
    pub offset: Vec3,
    /// The second moments of the projected area about its centroid, per area, in m².
    pub spread: Mat3,
}

/// Measures contours given as directed segments; `instead` is asked for a direction from A to B where they have none.
pub(super) fn measure<I>(segments: I, instead: impl Fn() -> Vec3) -> Measure
where
    I: Iterator<Item = [Vec3; 2]> + Clone,
{
    let centre = mean(segments.clone());
    let (mut length, mut covariance, mut area) = (0.0, Mat3::zeros(), Vec3::zeros());
    for [p, q] in segments.clone() {
        let (along, middle) = (q - p, (p + q) * 0.5 - centre);
        let weight = along.norm();
        length += weight;
        covariance += (middle * middle.transpose() + along * along.transpose() / 12.0) * weight;
        area += (p - centre).cross(&(q - centre)) * 0.5;
    }
    let vector = area;
    let normal = normal(&covariance, &vector, length, instead);
    let (area, offset, spread) = projected(segments, &centre, &normal);
    Measure { centre, normal, vector, area, offset, spread }
}

/// The projected area, the way from `centre` to its centroid, and its second moments about that, per area: a triangle
/// from c to p and q has ∫xxᵀ = a (ppᵀ + qqᵀ + (p + q)(p + q)ᵀ)/12.
pub(super) fn projected(
    segments: impl Iterator<Item = [Vec3; 2]>,
    centre: &Vec3,
    normal: &Vec3,
) -> (f64, Vec3, Mat3) {
    let (mut sum, mut all, mut first, mut second) = (0.0, 0.0, Vec3::zeros(), Mat3::zeros());
    for [p, q] in segments {
        let (p, q) = (p - centre, q - centre);
        let a = 0.5 * normal.dot(&p.cross(&q));
        sum += a;
        all += a.abs();
        first += (p + q) * (a / 3.0);
        let (s, flat) = (p + q, |x: Vec3| x - normal * normal.dot(&x));
        let [p, q, s] = [p, q, s].map(flat);
        second += (p * p.transpose() + q * q.transpose() + s * s.transpose()) * (a / 12.0);
    }
    let share = ramp(if all > 0.0 { sum.abs() / all } else { 0.0 }, 0.02, 0.2);
    let offset = if share > 0.0 { first * (share / sum) } else { Vec3::zeros() };
    let offset = offset - normal * normal.dot(&offset);
    let spread =
        if share > 0.0 { (second / sum - offset * offset.transpose()) * share } else { Mat3::zeros() };
    (sum.max(0.0), offset, spread)
}

/// A matrix of second moments in the axes outside a pose.
pub(super) fn turned(spread: &Mat3, pose: &Pose) -> Mat3 {
    let r = pose.rotation();
    r * spread * r.transpose()
}

/// The mean of segments, weighted by their length; of their starts where they have none.
pub(super) fn mean(segments: impl Iterator<Item = [Vec3; 2]>) -> Vec3 {
    let (mut length, mut first, mut count, mut plain) = (0.0, Vec3::zeros(), 0.0, Vec3::zeros());
    let mut origin = None;
    for [p, q] in segments {
        let origin = *origin.get_or_insert(p);
        let weight = (q - p).norm();
        length += weight;
        first += ((p + q) * 0.5 - origin) * weight;
        plain += p - origin;
        count += 1.0;
    }
    let relative = if length > 0.0 { first / length } else { plain / f64::max(count, 1.0) };
    origin.unwrap_or_default() + relative
}

fn normal(covariance: &Mat3, area: &Vec3, length: f64, instead: impl Fn() -> Vec3) -> Vec3 {
    let strength = area.norm();
    let clear = ramp(strength / (length * length), 1e-10, 1e-9);
    let fitted = Fit::new(covariance);
    let mut facing = if strength > 0.0 { area / strength } else { Vec3::zeros() };
    if clear < 1.0 {
        let other = instead().try_normalize(f64::MIN_POSITIVE).unwrap_or(fitted.normal);
        facing = (facing * clear + other * (1.0 - clear)).try_normalize(1e-3).unwrap_or(other);
    }
    let cosine = fitted.normal.dot(&facing);
    let share = fitted.trust * ramp(cosine.abs(), 0.7, 0.95);
    (fitted.normal * (share * cosine.signum()) + facing * (1.0 - share)).normalize()
}

/// The plane of least squares.
struct Fit {
    normal: Vec3,
    /// From 0, not determined, to 1.
    trust: f64,
}

impl Fit {
    fn new(covariance: &Mat3) -> Self {
        let scale = covariance.trace();
        if !(scale > 0.0 && scale.is_finite()) {
            return Self { normal: Vec3::z(), trust: 0.0 };
        }
        let eigen = (covariance / scale).symmetric_eigen();
        let mut order = [0, 1, 2];
        order.sort_unstable_by(|&i, &j| eigen.eigenvalues[i].total_cmp(&eigen.eigenvalues[j]));
        let [l0, l1, l2] = order.map(|i| eigen.eigenvalues[i].max(0.0));
        let flat = if l1 > 0.0 { 1.0 - ramp(l0 / l1, 0.1, 0.5) } else { 0.0 };
        let normal = eigen.eigenvectors.column(order[0]).into_owned();
        Self { normal, trust: flat * ramp(l1 / l2, 1e-10, 1e-8) }
    }
}

/// From 0 at `low` to 1 at `high`, with continuous slope.
pub(super) fn ramp(x: f64, low: f64, high: f64) -> f64 {
    let s = ((x - low) / (high - low)).clamp(0.0, 1.0);
    // A NaN, from a length of zero, is no evidence.
    if s.is_nan() { 0.0 } else { s * s * (3.0 - 2.0 * s) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{PI, TAU};

    fn circle(centre: Vec3, t: Vec3, u: Vec3, n: usize) -> Vec<[Vec3; 2]> {
        let point = |k: usize| {
            let angle = TAU * k as f64 / n as f64;
            centre + t * angle.cos() + u * angle.sin()
        };
        (0..n).map(|k| [point(k), point((k + 1) % n)]).collect()
    }

    #[test]
    fn a_tilted_ellipse_has_its_plane_area_and_centre() {
        let centre = Vec3::new(3.0, -1.0, 2.0);
        let (t, u) = (Vec3::new(0.6, 0.8, 0.0), Vec3::new(-0.8, 0.6, 0.0) * 0.3 + Vec3::z() * 0.4);
        let found = measure(circle(centre, t, u, 4000).iter().copied(), Vec3::zeros);
        let want = t.cross(&u);
        assert!((found.normal - want.normalize()).norm() < 1e-12);
        assert!((found.area - PI * want.norm()).abs() < 1e-5);
        assert!((found.centre + found.offset - centre).norm() < 1e-12);
    }

    #[test]
    fn a_ring_is_the_outer_circle_less_the_inner() {
        let mut all = circle(Vec3::zeros(), Vec3::x() * 2.0, Vec3::y() * 2.0, 2000);
        all.extend(circle(Vec3::new(0.5, 0.0, 0.0), Vec3::x(), -Vec3::y(), 2000));
        let found = measure(all.iter().copied(), Vec3::zeros);
        assert!((found.area - 3.0 * PI).abs() < 1e-4);
        // (4π·0 − π·0.5)/(3π)
        assert!((found.centre + found.offset - Vec3::new(-1.0 / 6.0, 0.0, 0.0)).norm() < 1e-5);
    }

    #[test]
    fn the_fitted_plane_does_not_depend_on_where_the_points_are_dense() {
        // A saddle, once even and once with half its segments split into fifty.
        let point = |a: f64| Vec3::new(a.cos(), a.sin(), 0.2 * (2.0 * a).cos() + 0.1 * a.cos());
        let angles: Vec<f64> = (0..64).map(|k| TAU * k as f64 / 64.0).collect();
        let even: Vec<[Vec3; 2]> = (0..64).map(|k| [point(angles[k]), point(angles[(k + 1) % 64])]).collect();
        let split: Vec<[Vec3; 2]> = even
            .iter()
            .enumerate()
            .flat_map(|(k, &[p, q])| {
                let parts = if k % 64 < 32 { 50 } else { 1 };
                (0..parts).map(move |i| {
                    let at = |i: usize| p + (q - p) * (i as f64 / parts as f64);
                    [at(i), at(i + 1)]
                })
            })
            .collect();
        let [a, b] = [even, split].map(|s| measure(s.iter().copied(), Vec3::zeros));
        assert!((a.normal - b.normal).norm() < 1e-12 && (a.centre - b.centre).norm() < 1e-12);
        assert!((a.area - b.area).abs() < 1e-12 && (a.offset - b.offset).norm() < 1e-12);
    }

    #[test]
    fn a_steep_saddle_takes_the_direction_of_its_area() {
        // Four corners of a tetrahedron: the least eigenvector is not determined.
        let corners =
            [[1.0, 0.0, 2.0], [0.0, 1.0, -2.0], [-1.0, 0.0, 2.0], [0.0, -1.0, -2.0]].map(Vec3::from);
        let loop_: Vec<[Vec3; 2]> = (0..4).map(|k| [corners[k], corners[(k + 1) % 4]]).collect();
        let found = measure(loop_.iter().copied(), Vec3::zeros);
        assert!((found.normal - Vec3::z()).norm() < 1e-12);
        assert!((found.area - 2.0).abs() < 1e-12);
    }

    #[test]
    fn a_contour_without_extent_takes_the_direction_it_is_given() {
        let point = Vec3::new(1.0, 2.0, 3.0);
        let found = measure([[point, point]; 3].into_iter(), || Vec3::new(0.0, -2.0, 0.0));
        assert_eq!((found.normal, found.centre, found.area), (-Vec3::y(), point, 0.0));
    }
}
