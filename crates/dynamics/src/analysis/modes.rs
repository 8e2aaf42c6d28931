//! How a model moves about a state at rest: ÿ + C̃ẏ + K̃y = 0 (`mechanism/linear.rs`), y = Re(x e^{λt}),
//!
//!   (λ² + λC̃ + K̃) x = 0
//!
//! as the eigenvalues of (0 σ; −K̃/σ −C̃), σ² the size of K̃, so that both blocks count alike. Without damping, and
//! with a symmetric K̃, those of K̃ itself serve, which keep more digits. Shapes follow by inverse iteration.

use super::mechanism;
use crate::error::{DynamicsError, Result};
use crate::model::{BodyId, Model};
use crate::state::State;
use rattleback_geom::Vec3;
use rattleback_geom::nalgebra::{Complex, DMatrix, DVector, SymmetricEigen};
use std::f64::consts::TAU;

/// Singular values this share of the greatest are zero, and so are parts of an eigenvalue this share of it.
const ZERO: f64 = 1e-9;
/// What a shape may leave of the equations, as a share of the terms.
const SHAPED: f64 = 1e-6;

/// A motion x e^{λt}; of a pair of conjugates the one with a positive imaginary part.
#[derive(Debug, Clone)]
pub struct Mode {
    /// λ, in 1/s.
    pub eigenvalue: [f64; 2],
    /// How the free bodies move: the greatest displacement of a mass centre, or angle where none moves, is one.
    pub shapes: Vec<Shape>,
}

/// How a body moves in a mode, as complex amplitudes: real parts and imaginary parts.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    /// The body.
    pub body: BodyId,
    /// Of its mass centre, in m, in world axes.
    pub displacement: [Vec3; 2],
    /// Small rotation in rad, in world axes.
    pub rotation: [Vec3; 2],
}

/// All modes of a model about a state.
#[derive(Debug, Clone)]
pub struct Modes {
    /// The slowest first; those that do not move by themselves (λ = 0) before them.
    pub modes: Vec<Mode>,
    /// What is not balanced at the state, as a share of the forces that act.
    pub unbalanced: f64,
}

impl Mode {
    /// ∣λ∣ as a frequency, in Hz; for an undamped mode that of its oscillation.
    pub fn frequency(&self) -> f64 {
        let [re, im] = self.eigenvalue;
        re.hypot(im) / TAU
    }

    /// −Re λ/∣λ∣: one and more for a mode that does not swing, negative for one that grows; none for λ = 0.
    pub fn damping_ratio(&self) -> Option<f64> {
        let [re, im] = self.eigenvalue;
        let size = re.hypot(im);
        (size > 0.0).then(|| -re / size)
    }
}

impl Modes {
    /// Whether no mode grows.
    pub fn is_stable(&self) -> bool {
        self.modes.iter().all(|mode| mode.eigenvalue[0] <= 0.0)
    }
}

/// The modes of a model about a state, whose velocities do not count.
pub fn modes(model: &Model, state: &State) -> Result<Modes> {
    let mut mechanism = mechanism(model, state)?;
    let mut state = State { motions: state.motions.clone(), ..State::new(Vec::new()) };
    for motion in &mut state.motions {
        (motion.velocity, motion.angular_velocity_body) = (Vec3::zeros(), Vec3::zeros());
    }
    let linear = mechanism.linear(&mut state)?;
    let (c, k) = (&linear.damping, &linear.stiffness);
    let asymmetry = (k - k.transpose()).amax();
    let found = if c.amax() == 0.0 && asymmetry <= 1e-12 * k.amax() {
        undamped(k)
    } else {
        damped(c, k).ok_or_else(|| DynamicsError::Invalid {
            what: "modes".to_owned(),
            reason: "the eigenvalues of the linear equations were not found".to_owned(),
        })?
    };
    let mut modes = Vec::new();
    for (lambda, x) in found {
        let part = |take: fn(&Complex<f64>) -> f64| DVector::from_iterator(x.len(), x.iter().map(take));
        let parts = [part(|z| z.re), part(|z| z.im)];
        let shapes = linear.free.iter().enumerate().map(|(k, &body)| {
            let [real, imaginary] = [0, 1].map(|i| linear.displacement(k, &parts[i]));
            Shape {
                body: BodyId(body),
                displacement: [real[0], imaginary[0]],
                rotation: [real[1], imaginary[1]],
            }
        });
        let mut mode = Mode { eigenvalue: [lambda.re, lambda.im], shapes: shapes.collect() };
        scale(&mut mode.shapes);
        modes.push(mode);
    }
    modes.sort_by(|a, b| a.frequency().total_cmp(&b.frequency()));
    let unbalanced = linear.force.norm() / if linear.scale > 0.0 { linear.scale } else { 1.0 };
    Ok(Modes { modes, unbalanced })
}

type Eigen = (Complex<f64>, DVector<Complex<f64>>);

/// λ = ±√−κ for the eigenvalues κ of a symmetric K̃; both signs of a real one.
fn undamped(k: &DMatrix<f64>) -> Vec<Eigen> {
    if k.is_empty() {
        return Vec::new();
    }
    let eigen = SymmetricEigen::new((k + k.transpose()) * 0.5);
    let greatest = eigen.eigenvalues.amax();
    let mut found = Vec::new();
    for (i, &value) in eigen.eigenvalues.iter().enumerate() {
        let x = eigen.eigenvectors.column(i).map(|x| Complex::new(x, 0.0));
        if value.abs() <= ZERO * ZERO.sqrt() * greatest {
            found.push((Complex::new(0.0, 0.0), x));
        } else if value > 0.0 {
            found.push((Complex::new(0.0, value.sqrt()), x));
        } else {
            let rate = (-value).sqrt();
            found.push((Complex::new(rate, 0.0), x.clone()));
            found.push((Complex::new(-rate, 0.0), x));
        }
    }
    found
}

fn damped(c: &DMatrix<f64>, k: &DMatrix<f64>) -> Option<Vec<Eigen>> {
    let n = k.nrows();
    let sigma = k.amax().sqrt().max(c.amax()).max(f64::MIN_POSITIVE);
    let mut companion = DMatrix::zeros(2 * n, 2 * n);
    companion.view_mut((0, n), (n, n)).fill_with_identity();
    companion.view_mut((n, 0), (n, n)).copy_from(&(-k / (sigma * sigma)));
    companion.view_mut((n, n), (n, n)).copy_from(&(-c / sigma));
    let companion = faer::Mat::from_fn(2 * n, 2 * n, |i, j| companion[(i, j)]);
    let values = companion.eigenvalues().ok()?;
    let mut values: Vec<_> = values.iter().map(|z| Complex::new(z.re, z.im)).collect();
    values.sort_by(|a, b| a.norm().total_cmp(&b.norm()));
    // What K̃ leaves free moves at any place, λ = 0, and, where C̃ does not brake it either, at any speed: λ = 0 again.
    // Such a double zero is rounded as a root, so that zeros are counted, not measured.
    let greatest = values.last().map_or(0.0, |z| z.norm());
    let (free, both) = (null_space(&[k])?, null_space(&[k, c])?);
    let zeros = free.len() + both.len();
    let mut found: Vec<Eigen> =
        free.into_iter().map(|x| (Complex::new(0.0, 0.0), x.map(|x| Complex::new(x, 0.0)))).collect();
    for value in values.iter().skip(zeros).filter(|z| z.im >= 0.0) {
        let mut lambda = *value;
        // Eigenvalues are rounded as shares of the greatest.
        let rounding = (ZERO * value.norm()).max(1e-13 * n as f64 * greatest);
        if lambda.im <= rounding {
            lambda.im = 0.0;
        } else if lambda.re.abs() <= rounding {
            lambda.re = 0.0;
        }
        found.push((lambda * sigma, shape(c, k, *value * sigma)?));
    }
    Some(found)
}

/// The vectors that all matrices make vanish.
fn null_space(matrices: &[&DMatrix<f64>]) -> Option<Vec<DVector<f64>>> {
    let n = matrices.first()?.ncols();
    let mut all = DMatrix::zeros(n * matrices.len(), n);
    for (i, matrix) in matrices.iter().enumerate() {
        let greatest = matrix.amax().max(f64::MIN_POSITIVE);
        all.view_mut((i * n, 0), (n, n)).copy_from(&(*matrix / greatest));
    }
    let svd = all.svd(false, true);
    let (v, values) = (svd.v_t?, svd.singular_values);
    let is_zero = |&i: &usize| values[i] <= ZERO * values.amax().max(f64::MIN_POSITIVE);
    Some((0..n).filter(is_zero).map(|i| v.row(i).transpose()).collect())
}

/// The vector that the equations leave least of, by inverse iteration.
fn shape(c: &DMatrix<f64>, k: &DMatrix<f64>, lambda: Complex<f64>) -> Option<DVector<Complex<f64>>> {
    let n = k.nrows();
    let terms = lambda.norm_sqr() + lambda.norm() * c.amax() + k.amax();
    let matrix = DMatrix::from_fn(n, n, |i, j| {
        let diagonal = if i == j { lambda * lambda + 1e-14 * terms } else { Complex::new(0.0, 0.0) };
        diagonal + lambda * c[(i, j)] + k[(i, j)]
    });
    let factors = matrix.clone().lu();
    let mut x = DVector::from_fn(n, |i, _| Complex::new(1.0, 0.37 * (1.0 + i as f64).sin()));
    for _ in 0..6 {
        x = factors.solve(&x)?;
        let norm = x.norm();
        if !(norm.is_finite() && norm > 0.0) {
            return None;
        }
        x.unscale_mut(norm);
    }
    let left = (&matrix * &x).norm();
    (left <= SHAPED * terms).then_some(x)
}

/// Scales shapes so that the greatest displacement, or angle where nothing is displaced, is one and real.
fn scale(shapes: &mut [Shape]) {
    let mut worst = [Complex::new(0.0, 0.0); 2];
    for shape in &*shapes {
        for (worst, parts) in worst.iter_mut().zip([shape.displacement, shape.rotation]) {
            for i in 0..3 {
                let z = Complex::new(parts[0][i], parts[1][i]);
                *worst = if z.norm() > worst.norm() { z } else { *worst };
            }
        }
    }
    let by = if worst[0].norm() > 1e-9 * worst[1].norm() { worst[0] } else { worst[1] };
    if by.norm() == 0.0 {
        return;
    }
    for shape in shapes {
        for parts in [&mut shape.displacement, &mut shape.rotation] {
            for i in 0..3 {
                let z = Complex::new(parts[0][i], parts[1][i]) / by;
                (parts[0][i], parts[1][i]) = (z.re, z.im);
            }
        }
    }
}
