//! The linear equations of a mechanism about a state at rest, in the coordinates that its joints leave free.
//!
//! In natural coordinates, M δq̈ + C δq̇ + K δq + Φqᵀ δλ = 0 with Φq δq = 0 and K = −∂Q/∂q + Σ λ_k Φ_k,qq. Rigid bodies
//! move by u = (dr, dθ), deᵢ = dθ × eᵢ, so that δq = T u, and what is left of the constraints, Φq T u = 0, has the
//! solutions u = N y. With y such that NᵀTᵀMTN = 1
//!
//!   ÿ + C̃ ẏ + K̃ y = r,   C̃ = (TN)ᵀ C TN,  K̃ = (TN)ᵀ K TN,  r = (TN)ᵀ Q
//!
//! exactly, also for the second order of the constraints, because the rest of the equations vanishes on the
//! multipliers. Relative coordinates have no mass; they follow the bodies by the equations that define them.

use super::Mechanism;
use super::equations::{Equations, Weights};
use super::natural::BODY;
use super::system::Owner;
use crate::error::{DynamicsError, Result};
use crate::state::State;
use rattleback_geom::Vec3;
use rattleback_geom::nalgebra::{DMatrix, DVector};

/// Coordinates of a rigid body: (dr, dθ).
const RIGID: usize = 6;

/// Most of these coordinates that dense matrices are made for: a hundred bodies.
const MOST: usize = 600;

/// Singular values below this share of the greatest are zero: constraints that repeat others.
const RANK: f64 = 1e-10;

/// The equations of [`Mechanism::linear`].
#[derive(Debug, Clone)]
pub(crate) struct Linear {
    /// K̃.
    pub(crate) stiffness: DMatrix<f64>,
    /// C̃.
    pub(crate) damping: DMatrix<f64>,
    /// r, the forces that are not balanced, in N √(1/kg): zero in equilibrium.
    pub(crate) force: DVector<f64>,
    /// The same of gravity and of the other loads each, to compare with: none of it is balanced by another.
    pub(crate) scale: f64,
    /// N, and the bodies to which its rows belong, six each.
    pub(crate) basis: DMatrix<f64>,
    /// The free bodies.
    pub(crate) free: Vec<usize>,
}

impl Linear {
    /// (dr, dθ) of the free body number `k` among the free ones by y.
    pub(crate) fn displacement(&self, k: usize, y: &DVector<f64>) -> [Vec3; 2] {
        let rows = |first: usize| -> Vec3 {
            Vec3::from_fn(|i, _| (0..y.len()).map(|j| self.basis[(first + i, j)] * y[j]).sum())
        };
        [rows(RIGID * k), rows(RIGID * k + 3)]
    }
}

impl Mechanism {
    /// Assembles a state and makes the linear equations about it. Velocities do not count, but those of prescribed
    /// bodies.
    pub(crate) fn linear(&mut self, state: &mut State) -> Result<Linear> {
        let (bodies, relatives) = (self.equations.system.free.len(), self.equations.system.relatives.len());
        let size = RIGID * bodies + relatives;
        if size > MOST {
            return Err(DynamicsError::Invalid {
                what: "the linear equations".to_owned(),
                reason: format!("{size} coordinates are too many for dense matrices: at most {MOST}"),
            });
        }
        self.assemble(state)?;
        self.equations.couple(&self.model, state.time)?;
        let natural = self.natural_matrices()?;
        let e = &self.equations;
        let to_natural = rigid(e);
        let [mass, damping, stiffness] = natural.map(|m| to_natural.tr_mul(&(m * &to_natural)));
        let force = to_natural.tr_mul(&DVector::from_column_slice(&e.force));
        let basis = self.free_directions(&mass, &to_natural)?;
        let reduced = |m: &DMatrix<f64>| basis.tr_mul(&(m * &basis));
        Ok(Linear {
            stiffness: reduced(&stiffness),
            damping: reduced(&damping),
            force: basis.tr_mul(&force),
            scale: e.load_scale(&self.model),
            free: e.system.free.clone(),
            basis,
        })
    }

    /// M, C and K in natural coordinates: the matrix of the method without its penalties.
    fn natural_matrices(&mut self) -> Result<[DMatrix<f64>; 3]> {
        let e = &mut self.equations;
        e.penalty.fill(0.0);
        let with = |damping: f64, stiffness: f64, e: &mut Equations| -> Result<DMatrix<f64>> {
            e.fill(Weights { damping, stiffness }, Some(&self.model))?;
            Ok(e.matrix.dense())
        };
        let (mass, damped, stiff) = (with(0.0, 0.0, e)?, with(1.0, 0.0, e)?, with(0.0, 1.0, e)?);
        Ok([mass.clone(), damped - &mass, stiff - mass])
    }

    /// N.
    fn free_directions(&self, mass: &DMatrix<f64>, to_natural: &DMatrix<f64>) -> Result<DMatrix<f64>> {
        let e = &self.equations;
        let size = to_natural.ncols();
        let rows: Vec<usize> =
            (0..e.system.rows.len()).filter(|&k| matches!(e.system.owners[k], Owner::Joint(_))).collect();
        // Columns of the same weight, so that a rank can be told; as many rows as columns, so that all of V is made.
        let scale = DVector::from_fn(size, |i, _| {
            let m = mass[(i, i)];
            if m > 0.0 { 1.0 / m.sqrt() } else { 1.0 }
        });
        let mut jacobian = DMatrix::zeros(rows.len().max(size), size);
        for (i, &k) in rows.iter().enumerate() {
            let (g, columns) = e.gradient(k);
            for j in 0..size {
                let active = g.iter().zip(columns).filter(|&(_, &c)| c < e.system.active);
                let x: f64 = active.map(|(g, &c)| g * to_natural[(c, j)]).sum();
                jacobian[(i, j)] = x * scale[j];
            }
            let norm = jacobian.row(i).norm();
            if norm > 0.0 {
                jacobian.row_mut(i).scale_mut(1.0 / norm);
            }
        }
        let undecided = |reason: &str| DynamicsError::Invalid {
            what: "the linear equations".to_owned(),
            reason: reason.to_owned(),
        };
        let svd = jacobian.svd(false, true);
        let v = svd.v_t.ok_or_else(|| undecided("the constraints have no singular vectors"))?;
        let greatest = svd.singular_values.amax();
        let free: Vec<usize> =
            (0..size).filter(|&i| svd.singular_values[i] <= RANK * greatest.max(f64::MIN_POSITIVE)).collect();
        let basis = DMatrix::from_fn(size, free.len(), |i, j| scale[i] * v[(free[j], i)]);
        let factor = basis
            .tr_mul(&(mass * &basis))
            .cholesky()
            .ok_or_else(|| undecided("a coordinate that the joints leave free has no mass"))?;
        // N L⁻ᵀ by solving L Xᵀ = Nᵀ.
        let mut transposed = basis.transpose();
        factor.l().solve_lower_triangular_mut(&mut transposed);
        Ok(transposed.transpose())
    }
}

/// T at the present position.
fn rigid(e: &Equations) -> DMatrix<f64> {
    let (active, bodies) = (e.system.active, e.system.free.len());
    let mut t = DMatrix::zeros(active, active - BODY * bodies + RIGID * bodies);
    for (k, &b) in e.system.free.iter().enumerate() {
        let (at, to) = (e.system.at[b], RIGID * k);
        for i in 0..3 {
            t[(at + i, to + i)] = 1.0;
            let axis = Vec3::from_column_slice(&e.q[at + 3 * i + 3..at + 3 * i + 6]);
            // dθ × e = −[e]× dθ.
            t.view_mut((at + 3 * i + 3, to + 3), (3, 3)).copy_from(&-axis.cross_matrix());
        }
    }
    for k in BODY * bodies..active {
        t[(k, k - BODY * bodies + RIGID * bodies)] = 1.0;
    }
    t
}

impl Equations {
    /// √Σ f²/m over the free bodies, f the sum of the magnitudes of what acts on them.
    fn load_scale(&self, model: &crate::model::Model) -> f64 {
        let mut squared = 0.0;
        for &b in &self.system.free {
            let at = self.system.at[b];
            let gravity = Vec3::from_column_slice(&self.system.gravity[at..at + 3]).norm();
            let own = |load: &crate::load::Load| -> f64 {
                let sides = (0..2).filter(|&side| load.bodies[side].is_some_and(|body| body.0 == b));
                sides.map(|side| load.on(side)[0].norm()).sum()
            };
            let sum = gravity + self.loads().iter().map(own).sum::<f64>();
            squared += sum * sum / model.bodies()[b].body.mass;
        }
        squared.sqrt()
    }
}

impl super::matrix::Matrix {
    /// All of the matrix.
    fn dense(&mut self) -> DMatrix<f64> {
        let places: Vec<(usize, usize)> = self.places().collect();
        let n = self.size();
        let mut dense = DMatrix::zeros(n, n);
        for ((row, column), value) in places.into_iter().zip(self.values().iter()) {
            dense[(row, column)] = *value;
        }
        dense
    }
}
