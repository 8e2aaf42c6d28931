//! The pose of a rigid cluster of markers, robustly.
//!
//! Template points a_i (cluster's frame), measured points p_i = t + R a_i + e_i, e_i of standard deviation σ per axis.
//!
//! Weighted least squares: with weighted centroids ā, p̄ and S = Σ w_i (a_i − ā)(p_i − p̄)ᵀ, R is the rotation of the
//! unit quaternion that is the eigenvector of Horn's 4×4 matrix N(S) with the largest eigenvalue (Horn 1987, J. Opt.
//! Soc. Am. A 4, 629), t = p̄ − R ā. Horn's form cannot give a reflection, whatever the points.
//!
//! Robust: w_i = (μc²/(μc² + r_i²))², the weights of Geman and McClure with r_i = |p_i − t − R a_i| and c = [`CUT`]
//! σ, from a large μ (all weights one) down to μ = 1: graduated non-convexity (Yang et al. 2020, IEEE RA-L 5, 1127),
//! which does not depend on a start. Then markers with r_i > c are rejected, most distant first while three are left,
//! and the rest is fitted with equal weights. Fewer than four markers cannot outvote one: none is rejected, and the
//! residuals tell.
//!
//! Covariance of (δt, δθ), δp_i = δt + δθ × R a_i: with J_i = [1 | −(R a_i)×], C = σ² (Σ J_iᵀJ_i)⁻¹ over the markers
//! kept. Here σ is the larger of the template's noise and the residuals' own, √(Σ r²/(3m − 6)).

use crate::error::{GaitError, Result};
use rattleback_geom::nalgebra::{Matrix3x6, Matrix4, Matrix6, Quaternion, SymmetricEigen, UnitQuaternion};
use rattleback_geom::{Mat3, Pose, Vec3};

/// A marker whose residual is above so many standard deviations per axis is rejected: three coordinates of noise
/// exceed it in one of 600 cases.
pub const CUT: f64 = 3.9;
/// From one stage of graduated non-convexity to the next, by Yang et al.
const STAGE: f64 = 1.4;
/// Generalised Procrustes stops after so many rounds, or when the template moves less than [`SETTLED`], in m.
const ROUNDS: usize = 50;
const SETTLED: f64 = 1e-10;
/// The second principal extent of a template must be this share of the first; below, the markers are on a line.
const FLAT: f64 = 0.02;

/// No marker is farther from the origin, in m; squares of what is beyond may overflow.
const FAR: f64 = 1e6;

/// A cluster's points in its own frame.
#[derive(Debug, Clone, PartialEq)]
pub struct Template {
    /// The markers' names.
    pub names: Vec<String>,
    /// Their places in the cluster's frame, in m.
    pub points: Vec<Vec3>,
    /// The standard deviation of a marker about its place, per axis, in m.
    pub noise: f64,
}

/// A fitted pose.
#[derive(Debug, Clone, PartialEq)]
pub struct PoseFit {
    /// From the cluster's frame to the world.
    pub pose: Pose,
    /// The distance of each marker from its place, in m; none where it is missing.
    pub residuals: Vec<Option<f64>>,
    /// Which markers were rejected.
    pub rejected: Vec<bool>,
    /// The standard deviation of a coordinate of a marker that the covariance takes, in m.
    pub sigma: f64,
    /// The covariance of the position (m) and of a small rotation vector in world axes (rad).
    pub covariance: Matrix6<f64>,
}

impl Template {
    /// A template of points; `noise` is the standard deviation of a marker about its place, per axis, in m.
    pub fn new(names: Vec<String>, points: Vec<Vec3>, noise: f64) -> Result<Self> {
        if points.len() != names.len() || points.len() < 3 {
            let count = points.len() as f64;
            return Err(GaitError::out_of_range("template points", count, "three or more, a name for each"));
        }
        if let Some(bad) = points.iter().flat_map(|p| p.iter()).find(|v| !(v.abs() < FAR)) {
            return Err(GaitError::out_of_range("template points", *bad, "within 1e6 m"));
        }
        if !(noise > 0.0 && noise.is_finite()) {
            return Err(GaitError::out_of_range("noise", noise, "above zero"));
        }
        let template = Self { names, points, noise };
        let [first, second] = template.extents();
        if !(second > FLAT * first) {
            return Err(GaitError::unsupported(
                format!("a pose of the markers {}", template.names.join(", ")),
                "they lie on a line",
            ));
        }
        Ok(template)
    }

    /// A template from the clusters' own motion, without a static trial: the mean shape of all frames in which every
    /// marker is there, by generalised Procrustes analysis (Gower 1975). Its frame is that of the first such frame.
    pub fn from_motion(names: Vec<String>, frames: &[Vec<Option<Vec3>>], noise: f64) -> Result<Self> {
        let whole: Vec<Vec<Vec3>> = frames
            .iter()
            .filter_map(|f| f.iter().copied().collect::<Option<Vec<Vec3>>>())
            .filter(|f| f.iter().all(is_near))
            .filter(|f| f.len() == names.len())
            .collect();
        let Some(first) = whole.first() else {
            return Err(GaitError::unsupported(
                format!("a template of the markers {}", names.join(", ")),
                "there is no frame with all of them",
            ));
        };
        let mut template = Self::new(names, first.clone(), noise)?;
        let weights = vec![1.0; first.len()];
        for _ in 0..ROUNDS {
            let mut mean = vec![Vec3::zeros(); template.points.len()];
            for frame in &whole {
                let pose = fit_weighted(&template.points, frame, &weights);
                for (m, p) in mean.iter_mut().zip(frame) {
                    *m += pose.point_to_local(p) / whole.len() as f64;
                }
            }
            // The mean of turned copies drifts as a whole; the first frame pins it.
            let pin = fit_weighted(&mean, first, &weights);
            let mean: Vec<Vec3> = mean.iter().map(|m| pin.point_to_world(m)).collect();
            let moved = mean.iter().zip(&template.points).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
            template.points = mean;
            if moved < SETTLED {
                break;
            }
        }
        Ok(template)
    }

    /// The two largest principal extents (root mean squares), in m.
    fn extents(&self) -> [f64; 2] {
        let mean = self.points.iter().sum::<Vec3>() / self.points.len() as f64;
        let scatter = self.points.iter().map(|p| (p - mean) * (p - mean).transpose()).sum::<Mat3>();
        let mut values: Vec<f64> = SymmetricEigen::new(scatter).eigenvalues.iter().copied().collect();
        values.sort_by(|a, b| b.total_cmp(a));
        [values[0].max(0.0).sqrt(), values[1].max(0.0).sqrt()]
    }
}

/// Fits a pose to measured points in the template's order; points that are not finite or beyond 1e6 m count as
/// missing. None where fewer than three are there, or those that are there lie on a line.
pub fn fit_pose(template: &Template, measured: &[Option<Vec3>]) -> Option<PoseFit> {
    let present: Vec<usize> = (0..template.points.len().min(measured.len()))
        .filter(|i| measured[*i].as_ref().is_some_and(is_near))
        .collect();
    let points: Vec<Vec3> = present.iter().map(|i| template.points[*i]).collect();
    let seen: Vec<Vec3> = present.iter().filter_map(|i| measured[*i]).collect();
    if points.len() < 3 {
        return None;
    }
    let names = vec![String::new(); points.len()];
    Template::new(names, points.clone(), template.noise).ok()?;
    let cut = CUT * template.noise;
    let mut kept = vec![true; points.len()];
    if points.len() > 3 {
        let pose = anneal(&points, &seen, cut);
        reject(&points, &seen, &pose, cut, &mut kept);
    }
    let weights: Vec<f64> = kept.iter().map(|k| f64::from(u8::from(*k))).collect();
    let pose = fit_weighted(&points, &seen, &weights);
    let all = residuals(&points, &seen, &pose);
    let m = kept.iter().filter(|k| **k).count();
    let squares: f64 = all.iter().zip(&kept).filter(|(_, k)| **k).map(|(r, _)| r * r).sum();
    let own = (squares / (3 * m - 6) as f64).sqrt();
    let sigma = own.max(template.noise);
    let mut information = Matrix6::zeros();
    for (a, _) in points.iter().zip(&kept).filter(|(_, k)| **k) {
        let r = pose.vector_to_world(a);
        let mut jacobian = Matrix3x6::identity();
        jacobian.fixed_view_mut::<3, 3>(0, 3).copy_from(&-r.cross_matrix());
        information += jacobian.transpose() * jacobian;
    }
    let covariance = information.try_inverse()? * (sigma * sigma);
    let mut fit = PoseFit {
        pose,
        residuals: vec![None; measured.len()],
        rejected: vec![false; measured.len()],
        sigma,
        covariance,
    };
    for (k, i) in present.into_iter().enumerate() {
        fit.residuals[i] = Some(all[k]);
        fit.rejected[i] = !kept[k];
    }
    Some(fit)
}

/// Whether a point is finite and within [`FAR`].
fn is_near(point: &Vec3) -> bool {
    point.iter().all(|v| v.abs() < FAR)
}

/// Graduated non-convexity with the weights of Geman and McClure.
fn anneal(points: &[Vec3], seen: &[Vec3], cut: f64) -> Pose {
    let mut weights = vec![1.0; points.len()];
    let mut pose = fit_weighted(points, seen, &weights);
    let worst = residuals(points, seen, &pose).into_iter().fold(0.0, f64::max);
    let mut mu = (2.0 * worst * worst / (cut * cut)).max(1.0);
    loop {
        // Each stage begins close to its end: two steps settle it within a small share of the noise.
        for _ in 0..2 {
            for (w, r) in weights.iter_mut().zip(residuals(points, seen, &pose)) {
                let share = mu * cut * cut / (mu * cut * cut + r * r);
                *w = share * share;
            }
            pose = fit_weighted(points, seen, &weights);
        }
        if mu <= 1.0 {
            return pose;
        }
        mu = (mu / STAGE).max(1.0);
    }
}

/// Rejects what is beyond the cut, the most distant first, while three markers that are not on a line are left.
fn reject(points: &[Vec3], seen: &[Vec3], pose: &Pose, cut: f64, kept: &mut [bool]) {
    let away = residuals(points, seen, pose);
    let mut order: Vec<usize> = (0..points.len()).filter(|i| away[*i] > cut).collect();
    order.sort_by(|a, b| away[*b].total_cmp(&away[*a]));
    for i in order {
        kept[i] = false;
        let left: Vec<Vec3> = points.iter().zip(kept.iter()).filter(|(_, k)| **k).map(|(p, _)| *p).collect();
        if Template::new(vec![String::new(); left.len()], left, 1.0).is_err() {
            kept[i] = true;
        }
    }
}

fn residuals(points: &[Vec3], seen: &[Vec3], pose: &Pose) -> Vec<f64> {
    points.iter().zip(seen).map(|(a, p)| (p - pose.point_to_world(a)).norm()).collect()
}

/// The pose of least weighted squares, by Horn's quaternion; of points within [`FAR`], whose squares are finite.
pub(crate) fn fit_weighted(points: &[Vec3], seen: &[Vec3], weights: &[f64]) -> Pose {
    let total: f64 = weights.iter().sum();
    let mean = |all: &[Vec3]| all.iter().zip(weights).map(|(p, w)| p * *w).sum::<Vec3>() / total;
    let (a, p) = (mean(points), mean(seen));
    let mut s = Mat3::zeros();
    for ((x, y), w) in points.iter().zip(seen).zip(weights) {
        s += (x - a) * (y - p).transpose() * *w;
    }
    let (xx, xy, xz) = (s[(0, 0)], s[(0, 1)], s[(0, 2)]);
    let (yx, yy, yz) = (s[(1, 0)], s[(1, 1)], s[(1, 2)]);
    let (zx, zy, zz) = (s[(2, 0)], s[(2, 1)], s[(2, 2)]);
    let n = Matrix4::new(
        xx + yy + zz,
        yz - zy,
        zx - xz,
        xy - yx,
        yz - zy,
        xx - yy - zz,
        xy + yx,
        zx + xz,
        zx - xz,
        xy + yx,
        yy - xx - zz,
        yz + zy,
        xy - yx,
        zx + xz,
        yz + zy,
        zz - xx - yy,
    );
    let eigen = SymmetricEigen::new(n);
    let q = eigen.eigenvectors.column(eigen.eigenvalues.imax()).into_owned();
    let orientation = UnitQuaternion::from_quaternion(Quaternion::new(q[0], q[1], q[2], q[3]));
    Pose::new(p - orientation * a, orientation)
}
