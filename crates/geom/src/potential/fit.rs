//! Harmonics fitted to a cloud of points, Römer Remark 22.
//!
//! The support function of the cloud's convex hull is h(n) = max n·p, exact without building the hull. Among the series
//! f of degree L the fit minimises
//!
//! > ∫(f − h)² dω + σ ∫(s − s̄)² dω, s = r₁ + r₂ = Δf + 2f, s̄ its mean,
//!
//! so that σ evens out the sum of the radii of curvature. Δ has the eigenvalues −l(l + 1), hence in closed form
//!
//! > c_lm = ĥ_lm/(1 + σ(l − 1)²(l + 2)²) for l ≥ 1, c₀₀ = ĥ₀₀, ĥ_lm = ∫h Y_lm dω
//!
//! by the Gauss–Legendre × trapezoidal rule. A hull has corners and faces, radii that are zero or infinite, which a
//! truncated series overshoots. Where the convexity check fails, the degrees l ≥ 2 are damped by e^{−τl(l+1)}, the heat
//! kernel on the sphere: a positive kernel averages turned copies of the body and keeps it convex, so that some τ
//! passes; as τ → ∞ the fit is a ball. Between the corners of a polyhedron the radii of the fit are so close to zero
//! that τ is set by what the check can prove: a cube of side one keeps an error of 0.13 from degree 10 on.
//!
//! The error |f − h| is a distance between bodies: max over all n is the Hausdorff distance of fit and hull
//! (Schneider, 1.8). It is sampled on a rule twice as fine as that of the fit and approaches the maximum from below.

use super::harmonics::{Harmonics, MAX_DEGREE, basis, norms};
use super::{Convexity, Potential, gauss_sphere};
use crate::error::{GeomError, Result, finite3, within};
use crate::surface::Support;
use crate::{Aabb, Mat3, TriMesh, Vec3};
use std::f64::consts::PI;

/// A cloud whose least extent is below this share of its greatest is taken for flat.
const FLATTEST: f64 = 1e-9;

/// Patches granted to each convexity check while τ is sought.
const CELLS: usize = 1 << 16;

/// What a fit is asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FitSettings {
    /// Degree of the series, from 1 to [`MAX_DEGREE`].
    pub degree: usize,
    /// σ, without unit, zero or above.
    pub smoothing: f64,
    /// The radius in metres, zero or above, that every radius of curvature of the fit must exceed.
    pub least_radius: f64,
}

impl Default for FitSettings {
    fn default() -> Self {
        Self { degree: 8, smoothing: 0.0, least_radius: 0.0 }
    }
}

impl FitSettings {
    fn check(&self) -> Result<()> {
        within("degree", self.degree as f64, 1.0, MAX_DEGREE as f64, &format!("from 1 to {MAX_DEGREE}"))?;
        within("smoothing", self.smoothing, 0.0, f64::MAX, "a finite number, zero or above")?;
        within("least_radius", self.least_radius, 0.0, f64::MAX, "a finite number, zero or above")?;
        Ok(())
    }

    /// Of the rule. Beyond degree 4L the products h·Y_lm of a smooth hull have nothing left; a coarse fit still needs
    /// the corners.
    fn order(&self) -> usize {
        (4 * (self.degree + 1)).max(48)
    }

    fn check_mean(&self, projected: &[f64]) -> Result<()> {
        let mean = projected[0] / (4.0 * PI).sqrt();
        if mean > self.least_radius {
            return Ok(());
        }
        Err(GeomError::OutOfRange {
            field: "least_radius".to_owned(),
            value: self.least_radius,
            allowed: format!("below the mean radius {mean} of the cloud"),
        })
    }
}

/// A fitted series and how well it fits.
#[derive(Debug, Clone, PartialEq)]
pub struct Fit {
    /// The series.
    pub harmonics: Harmonics,
    /// max |f − h| in metres over the sampled normals: the Hausdorff distance between fit and hull, from below.
    pub max_error: f64,
    /// √(∫(f − h)² dω/4π) in metres.
    pub rms_error: f64,
    /// The τ that convexity asked for, without unit; zero where the series was convex as it came.
    pub damping: f64,
    /// The proof that the fit is strictly convex.
    pub convexity: Convexity,
}

impl Fit {
    /// Fits the convex hull of a mesh's vertices.
    pub fn to_mesh(mesh: &TriMesh, settings: &FitSettings) -> Result<Self> {
        Self::to_points(mesh.vertices(), settings)
    }

    /// Fits a convex body by its support function at unit normals, in metres.
    pub fn to_support(support: impl Fn(&Vec3) -> f64, settings: &FitSettings) -> Result<Self> {
        settings.check()?;
        let order = settings.order();
        let projected = project(&support, settings.degree, order);
        settings.check_mean(&projected)?;
        let (coefficients, damping, convexity) = convex(&projected, settings)?;
        let harmonics = Harmonics::new(settings.degree, &coefficients)?;
        let [max_error, rms_error] = error(&harmonics, &support, 2 * order);
        Ok(Self { harmonics, max_error, rms_error, damping, convexity })
    }

    /// Fits the convex hull of a cloud of points in metres.
    pub fn to_points(points: &[Vec3], settings: &FitSettings) -> Result<Self> {
        let degree = settings.degree;
        settings.check()?;
        let middle = solid_middle(points)?;
        let centred: Vec<Vec3> = points.iter().map(|p| p - middle).collect();
        let hull = |n: &Vec3| hull_support(&centred, n);
        let order = settings.order();
        let projected = project(hull, degree, order);
        settings.check_mean(&projected)?;
        let (coefficients, damping, convexity) = convex(&projected, settings)?;
        let harmonics = Harmonics::new(degree, &moved(&coefficients, &middle))?;
        let [max_error, rms_error] = error(&Harmonics::new(degree, &coefficients)?, hull, 2 * order);
        Ok(Self { harmonics, max_error, rms_error, damping, convexity })
    }
}

/// The middle of a cloud that has a volume.
fn solid_middle(points: &[Vec3]) -> Result<Vec3> {
    let refused = |found: String| GeomError::Inconsistent {
        field: "points".to_owned(),
        found,
        allowed: "at least four points that do not lie in one plane".to_owned(),
    };
    if points.len() < 4 {
        return Err(refused(format!("{} points", points.len())));
    }
    for (i, p) in points.iter().enumerate() {
        finite3(&format!("points[{i}]"), p)?;
    }
    let bounds = Aabb::of_points(points);
    let (middle, size) = (bounds.centre(), bounds.diagonal());
    let share = 1.0 / points.len() as f64;
    let mean = points.iter().fold(Vec3::zeros(), |sum, p| sum + (p - middle) * share);
    let scatter = points.iter().fold(Mat3::zeros(), |sum, p| {
        let d = (p - middle - mean) / size;
        sum + d * d.transpose() * share
    });
    // The singular vector of the least extent, then that extent itself, which the squares would have lost.
    let eigen = scatter.symmetric_eigen();
    let axis = eigen.eigenvectors.column(eigen.eigenvalues.imin()).into_owned();
    let spread = points.iter().fold(0.0f64, |s, p| s.max((p - middle - mean).dot(&axis).abs()));
    if !(spread > FLATTEST * size) {
        return Err(refused(format!("{} points within {spread:e} m of a plane", points.len())));
    }
    Ok(middle)
}

fn hull_support(points: &[Vec3], n: &Vec3) -> f64 {
    points.iter().fold(f64::NEG_INFINITY, |h, p| h.max(n.dot(p)))
}

/// ĥ_lm.
fn project(support: impl Fn(&Vec3) -> f64, degree: usize, order: usize) -> Vec<f64> {
    let norms = norms(degree);
    let mut sums = vec![0.0; norms.len()];
    let mut values = sums.clone();
    for (n, weight) in gauss_sphere(order) {
        basis(degree, &norms, &n, &mut values);
        let h = weight * support(&n);
        for (sum, value) in sums.iter_mut().zip(&values) {
            *sum += h * value;
        }
    }
    sums
}

/// The coefficients with σ and τ applied.
fn smoothed(projected: &[f64], degree: usize, sigma: f64, tau: f64) -> Vec<f64> {
    let mut out = projected.to_vec();
    for l in 2..=degree {
        let eigenvalue = ((l - 1) * (l + 2)) as f64;
        let factor = (-tau * (l * (l + 1)) as f64).exp() / (1.0 + sigma * eigenvalue * eigenvalue);
        for c in &mut out[l * l..(l + 1) * (l + 1)] {
            *c *= factor;
        }
    }
    out
}

/// The least damped coefficients that pass the convexity check, their τ and the proof.
fn convex(projected: &[f64], settings: &FitSettings) -> Result<(Vec<f64>, f64, Convexity)> {
    let FitSettings { degree, smoothing, least_radius } = *settings;
    let attempt = |tau: f64| -> Result<(Vec<f64>, f64, Convexity)> {
        let coefficients = smoothed(projected, degree, smoothing, tau);
        let potential = Potential::harmonics(Harmonics::new(degree, &coefficients)?);
        let convexity = potential.refine(least_radius, f64::INFINITY, CELLS)?;
        Ok((coefficients, tau, convexity))
    };
    let mut last = match attempt(0.0) {
        Ok(found) => return Ok(found),
        Err(error) => error,
    };
    // This takes one percent off the highest degree; 3³⁰ times that leaves nothing but the ball.
    let mut failed = 0.01 / ((degree * (degree + 1)) as f64);
    for _ in 0..30 {
        let tau = 3.0 * failed;
        match attempt(tau) {
            Ok(mut found) => {
                for _ in 0..4 {
                    let between = (failed * found.1).sqrt();
                    match attempt(between) {
                        Ok(better) => found = better,
                        Err(_) => failed = between,
                    }
                }
                return Ok(found);
            }
            Err(error) => (failed, last) = (tau, error),
        }
    }
    Err(last)
}

/// Coefficients of the body moved by `v`: degree one is v·n.
fn moved(coefficients: &[f64], v: &Vec3) -> Vec<f64> {
    let mut out = coefficients.to_vec();
    let unit = (4.0 * PI / 3.0).sqrt();
    for (m, value) in [(1, v.x), (-1, v.y), (0, v.z)] {
        out[Harmonics::index(1, m)] += unit * value;
    }
    out
}

fn error(fit: &Harmonics, support: impl Fn(&Vec3) -> f64, order: usize) -> [f64; 2] {
    let (mut most, mut squares) = (0.0f64, 0.0);
    for (n, weight) in gauss_sphere(order) {
        let e = (fit.support(&n) - support(&n)).abs();
        most = most.max(e);
        squares += weight * e * e;
    }
    [most, (squares / (4.0 * PI)).sqrt()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface::{Ellipsoid, PotentialBody, Surface};

    #[test]
    fn an_ellipsoid_is_recovered_from_its_points_within_the_reported_error() {
        let shape = Ellipsoid::new([1.0, 0.8, 0.6]).unwrap();
        let mesh = shape.tessellate(2e-3).unwrap();
        let away = Vec3::new(3.0, -2.0, 1.0);
        let points: Vec<Vec3> = mesh.vertices().iter().map(|p| p + away).collect();
        let fit = Fit::to_points(&points, &FitSettings { degree: 8, ..FitSettings::default() }).unwrap();
        assert_eq!(fit.damping, 0.0);
        assert!(fit.max_error < 3e-3 && fit.rms_error < fit.max_error, "{fit:?}");
        // The hull is inside the ellipsoid by at most the chord error, the fit within max_error of the hull.
        for n in super::super::tests::normals(200) {
            let n = n.normalize();
            let off = (fit.harmonics.support(&n) - n.dot(&away) - shape.support(&n)).abs();
            assert!(off < fit.max_error + 2e-3, "{off}");
        }
        let body = PotentialBody::new(fit.harmonics.into()).unwrap();
        let (fitted, hull) = (body.moments().unwrap(), mesh.moments());
        assert!((fitted.volume / hull.volume - 1.0).abs() < 5e-3);
        assert!((fitted.first / fitted.volume - away).norm() < 1e-3);
    }

    #[test]
    fn a_finer_cloud_and_a_higher_degree_fit_better() {
        let shape = Ellipsoid::new([1.0, 0.7, 0.5]).unwrap();
        let errors = [(2, 1e-1), (4, 1e-2), (8, 1e-3)].map(|(degree, chord)| {
            let mesh = shape.tessellate(chord).unwrap();
            Fit::to_mesh(&mesh, &FitSettings { degree, ..FitSettings::default() }).unwrap().rms_error
        });
        assert!(errors[0] > 4.0 * errors[1] && errors[1] > 4.0 * errors[2], "{errors:?}");
    }

    #[test]
    fn a_cube_is_smoothed_until_it_is_strictly_convex() {
        let corners: Vec<Vec3> = (0..8)
            .map(|k| Vec3::new(f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2 & 1)))
            .collect();
        let settings = FitSettings { degree: 6, least_radius: 0.05, ..FitSettings::default() };
        let fit = Fit::to_points(&corners, &settings).unwrap();
        assert!(fit.damping > 0.0 && fit.convexity.lower_bound > 0.05, "{fit:?}");
        assert!(fit.max_error > 0.02 && fit.max_error < 0.25 && fit.rms_error < 0.1, "{fit:?}");
        let proved = Potential::harmonics(fit.harmonics).convexity_above(0.05).unwrap();
        assert!(proved.upper_bound > 0.05);
    }

    #[test]
    fn clouds_that_enclose_nothing_are_refused_by_name() {
        let flat: Vec<Vec3> =
            (0..9).map(|k| Vec3::new(f64::from(k / 3), f64::from(k % 3), f64::from(k))).collect();
        let refuse = |points: &[Vec3], settings: FitSettings| {
            Fit::to_points(points, &settings).unwrap_err().to_string()
        };
        let plain = FitSettings::default();
        assert!(refuse(&flat[..3], plain).starts_with("points = 3 points: must be at least four"));
        let planar = refuse(&flat, plain);
        assert!(planar.contains("of a plane: must be at least four"), "{planar}");
        let mut bad = flat.clone();
        bad[4].y = f64::NAN;
        assert!(refuse(&bad, plain).starts_with("points[4][1] = NaN"));
        bad[4] = Vec3::new(0.0, 0.0, 5.0);
        assert!(refuse(&bad, FitSettings { degree: 0, ..plain }).starts_with("degree = 0"));
        assert!(refuse(&bad, FitSettings { smoothing: f64::NAN, ..plain }).starts_with("smoothing = NaN"));
        assert!(refuse(&bad, FitSettings { least_radius: 99.0, ..plain }).starts_with("least_radius = 99"));
    }
}
