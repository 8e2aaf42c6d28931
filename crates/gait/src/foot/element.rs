//! One body under the foot: a superellipsoid that presses on level ground.
//!
//! With the centre c in its segment's frame, R the rotation of the segment, m = −Rᵀe_y the direction down in the body
//! and h its support function, the lowest point is p = R(c + x) + t, x = ∇h(m), and the depth δ = y₀ − p_y, y₀ the
//! ground: the closed form of a superellipsoid on a plane. Derivatives (a the semi-axes, log a the parameters):
//!
//!   ∂p/∂c = R,   a_j ∂h/∂a_j = m_j x_j,   a_j ∂x_i/∂a_j = δ_ij x_i + (∇²h)_ij m_j
//!
//! because h(m) = H(a∘m) with H the support function of unit semi-axes, whatever the exponents.
//!
//! The normal force is the engine's F = K δⁿ(1 + c δ̇), with K = F₅/δ₅ⁿ: F₅ is the force at rest at the depth δ₅ = 5
//! mm, so that the exponent and the stiffness are told apart by the data.

use super::track::FootTrack;
use crate::{GaitError, Result};
use rattleback_contact::law::normal::{Hysteresis, Indentation, NormalLaw};
use rattleback_geom::surface::{Superellipsoid, Support};
use rattleback_geom::{Mat3, Pose, Vec3};

/// The depth at which the force of a body is its parameter, in m.
pub(crate) const REFERENCE_DEPTH: f64 = 5e-3;

/// Which part of the foot a body belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Segment {
    /// The rear foot, up to the metatarsal hinge.
    Rear,
    /// The toes.
    Toes,
}

/// A body under the foot.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Element {
    /// Its name.
    pub name: String,
    /// What it belongs to.
    pub segment: Segment,
    /// Its centre in the foot's frame, toes unbent, in m.
    pub centre: [f64; 3],
    /// Its semi-axes, in m.
    pub semi_axes: [f64; 3],
    /// Its exponents.
    pub exponents: [f64; 2],
    /// The force at a depth of 5 mm at rest, in N.
    pub force_at_5mm: f64,
    /// The exponent n of the depth.
    pub depth_exponent: f64,
    /// The damping c, in s/m.
    pub damping: f64,
}

/// What a body does along a motion, and the derivatives by its parameters in the order centre (3), log F₅, c, log a_x,
/// log a_z, log n.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ElementLoad {
    /// δ, in m.
    pub depth: Vec<f64>,
    /// δ̇, in m/s.
    pub rate: Vec<f64>,
    /// The normal force, in N.
    pub force: Vec<f64>,
    /// The lowest point, in m.
    pub point: Vec<Vec3>,
    /// Derivatives of the force.
    pub force_by: Vec<[f64; Element::PARAMETERS]>,
    /// Derivatives of the lowest point.
    pub point_by: Vec<[Vec3; Element::PARAMETERS]>,
}

impl Element {
    /// How many parameters it has.
    pub const PARAMETERS: usize = 8;

    /// The bodies' parameters as they are varied.
    pub(crate) fn parameters(&self) -> [f64; Self::PARAMETERS] {
        let [x, y, z] = self.centre;
        let [a, _, b] = self.semi_axes;
        [x, y, z, self.force_at_5mm.ln(), self.damping, a.ln(), b.ln(), self.depth_exponent.ln()]
    }

    /// Sets them.
    pub(crate) fn set_parameters(&mut self, values: &[f64]) {
        self.centre = [values[0], values[1], values[2]];
        self.force_at_5mm = values[3].exp();
        self.damping = values[4];
        self.semi_axes[0] = values[5].exp();
        self.semi_axes[2] = values[6].exp();
        // exp(ln 1) may be below one by rounding.
        self.depth_exponent = values[7].exp().max(1.0);
    }

    fn surface(&self) -> Result<Superellipsoid> {
        Superellipsoid::new(self.semi_axes, self.exponents).map_err(|e| {
            GaitError::unsupported(format!("the body `{}` of the foot", self.name), e.to_string())
        })
    }

    fn law(&self) -> Result<NormalLaw> {
        let law = Hysteresis::with_factor(self.damping, self.depth_exponent).map_err(|e| {
            GaitError::unsupported(format!("the body `{}` of the foot", self.name), e.to_string())
        })?;
        Ok(law.into())
    }

    /// The height of its lowest point when its segment has a pose, in m.
    pub(crate) fn lowest(&self, pose: &Pose) -> Result<f64> {
        let down = -pose.rotation().row(1).transpose();
        let x = self.surface()?.support_jet(&down).point;
        Ok(pose.point_to_world(&(Vec3::from(self.centre) + x)).y)
    }

    /// What it does along a motion.
    pub fn load(&self, track: &FootTrack) -> Result<ElementLoad> {
        let surface = self.surface()?;
        let law = self.law()?;
        let n = track.poses.len();
        let mut load = ElementLoad::default();
        let mut depth_by = Vec::with_capacity(n);
        for i in 0..n {
            let pose = match self.segment {
                Segment::Rear => track.poses[i],
                Segment::Toes => track.poses[i].compose(&track.toe_pose(i)),
            };
            let r: Mat3 = pose.rotation();
            let m = -r.row(1).transpose();
            let jet = surface.support_jet(&m);
            let x = jet.point;
            let point = pose.point_to_world(&(Vec3::from(self.centre) + x));
            let mut by = [Vec3::zeros(); Self::PARAMETERS];
            for (k, column) in by.iter_mut().take(3).enumerate() {
                *column = r.column(k).into_owned();
            }
            for (slot, j) in [(5, 0), (6, 2)] {
                let mut dx = jet.hessian.column(j) * m[j];
                dx[j] += x[j];
                by[slot] = r * dx;
            }
            load.depth.push(track.floor - point.y);
            depth_by.push(by.map(|p| -p.y));
            load.point.push(point);
            load.point_by.push(by);
        }
        load.rate = rate(&load.depth, track.rate_hz);
        self.press(&law, track.rate_hz, &depth_by, &mut load);
        Ok(load)
    }

    /// Forces and their derivatives from depths and theirs.
    fn press(
        &self,
        law: &NormalLaw,
        rate_hz: f64,
        depth_by: &[[f64; Self::PARAMETERS]],
        load: &mut ElementLoad,
    ) {
        let n = self.depth_exponent;
        let stiffness = self.force_at_5mm / REFERENCE_DEPTH.powf(n);
        let rate_by = rates(depth_by, rate_hz);
        for i in 0..load.depth.len() {
            let (depth, speed) = (load.depth[i], load.rate[i]);
            let force = law.force(&Indentation { depth, rate: speed, approach_speed: 1.0, stiffness });
            let mut by = [0.0; Self::PARAMETERS];
            if force.force > 0.0 {
                for (k, slot) in by.iter_mut().enumerate() {
                    *slot = force.by_depth * depth_by[i][k] + force.by_rate * rate_by[i][k];
                }
                by[3] += force.force;
                by[4] += force.force / (1.0 + self.damping * speed) * speed;
                by[7] += n * (depth / REFERENCE_DEPTH).ln() * force.force;
            }
            load.force.push(force.force);
            load.force_by.push(by);
        }
    }
}

/// Rates by central differences of fourth order, of lower order at the ends.
fn rate(values: &[f64], rate_hz: f64) -> Vec<f64> {
    let n = values.len();
    (0..n)
        .map(|i| {
            if n < 2 {
                0.0
            } else if i >= 2 && i + 2 < n {
                (8.0 * (values[i + 1] - values[i - 1]) - (values[i + 2] - values[i - 2])) * rate_hz / 12.0
            } else {
                let (a, b) = (i.saturating_sub(1), (i + 1).min(n - 1));
                (values[b] - values[a]) * rate_hz / (b - a) as f64
            }
        })
        .collect()
}

fn rates<const N: usize>(values: &[[f64; N]], rate_hz: f64) -> Vec<[f64; N]> {
    let mut out = vec![[0.0; N]; values.len()];
    let mut column = vec![0.0; values.len()];
    for k in 0..N {
        for (slot, row) in column.iter_mut().zip(values) {
            *slot = row[k];
        }
        for (row, value) in out.iter_mut().zip(rate(&column, rate_hz)) {
            row[k] = value;
        }
    }
    out
}
