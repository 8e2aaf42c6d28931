//! All bodies under a foot: their parameters, and the force of the foot along a motion.
//!
//! The force of the foot is the sum over the bodies; its moments give the centre of pressure. With Nᵢ
//! the normal force and pᵢ the lowest point of body i, from the foot's middle: F_y = Σ Nᵢ, A = Σ Nᵢ x_i, B = Σ Nᵢ
//! z_i, the centre of pressure is (A/F_y, B/F_y) from the middle. Moments are taken about the foot, not about the
//! laboratory, so that a filter does the same to a foot on a belt and to one that stands. Friction is Coulomb's,
//! smooth about zero slip against the moving ground. All of it is linear in what is filtered at the end
//! ([`low_pass_loads`]): plates are filtered too, and what is above a few hertz is not in the markers.

use super::element::{Element, ElementLoad, Segment};
use super::track::FootTrack;
use crate::signal::low_pass;
use crate::{GaitError, Result};
use rattleback_contact::law::friction::{Coulomb, FrictionLaw, Slip};
use rattleback_geom::Vec3;

/// A foot of bodies.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct FootModel {
    /// The bodies.
    pub elements: Vec<Element>,
    /// The friction coefficient.
    pub friction: f64,
    /// The slip at which friction is nearly whole, in m/s.
    pub friction_transition: f64,
}

/// What a parameter is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Quantity {
    /// A coordinate of the centre.
    Centre,
    /// The logarithm of the force at 5 mm.
    Force,
    /// The damping.
    Damping,
    /// The logarithm of a semi-axis.
    SemiAxis,
    /// The logarithm of the exponent of the depth.
    Exponent,
}

/// A parameter as it is varied.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Parameter {
    /// Its name: body and quantity.
    pub name: String,
    /// What it is.
    pub quantity: Quantity,
    /// The value of the foot scaled to the subject.
    pub start: f64,
    /// Its bounds.
    pub bounds: [f64; 2],
    /// Its standard deviation among feet, which weighs what the data do not tell.
    pub spread: f64,
}

/// The force of a foot along a motion, per frame.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FootLoad {
    /// Fore-aft, vertical, lateral, in N.
    pub force: Vec<Vec3>,
    /// The foot's middle, in m.
    pub middle: Vec<Vec3>,
    /// Σ N x and Σ N z from the foot's middle, in N m.
    pub moments: Vec<[f64; 2]>,
    /// The moment about the vertical through the foot's middle, in N m.
    pub turning: Vec<f64>,
    /// Derivatives of F_y, Σ N x, Σ N z by the parameters: frame by frame, three rows each.
    pub by: Vec<[Vec<f64>; 3]>,
}

impl FootModel {
    /// A foot scaled to the distance from the heel marker to the metatarsal heads (0.23 m for the one that it was
    /// made for).
    pub fn scaled(length: f64) -> Self {
        let s = length / 0.23;
        let element = |name: &str, segment, centre: [f64; 3], axes: [f64; 3]| Element {
            name: name.to_owned(),
            segment,
            centre: centre.map(|v| v * s),
            semi_axes: axes.map(|v| v * s),
            exponents: [2.5, 2.5],
            force_at_5mm: 106.0,
            depth_exponent: 1.5,
            damping: 0.7,
        };
        let elements = vec![
            element("heel", Segment::Rear, [0.035, 0.030, 0.0], [0.038, 0.030, 0.030]),
            element("ball_medial", Segment::Rear, [0.205, 0.025, -0.035], [0.035, 0.025, 0.028]),
            element("ball_lateral", Segment::Rear, [0.195, 0.025, 0.032], [0.045, 0.025, 0.028]),
            element("hallux", Segment::Toes, [0.262, 0.020, -0.025], [0.025, 0.020, 0.025]),
        ];
        Self { elements, friction: 0.6, friction_transition: 0.3 }
    }

    /// The parameters with their bounds, the values as they are now as the start.
    pub fn parameters(&self) -> Vec<Parameter> {
        let names = ["x", "y", "z", "force", "damping", "semi_axis_x", "semi_axis_z", "exponent"];
        let mut all = Vec::new();
        for element in &self.elements {
            for (k, value) in element.parameters().into_iter().enumerate() {
                let half = std::f64::consts::LN_2;
                let (quantity, bounds, spread) = match k {
                    0 => (Quantity::Centre, [value - 0.025, value + 0.025], 0.010),
                    1 | 2 => (Quantity::Centre, [value - 0.020, value + 0.020], 0.010),
                    3 => (Quantity::Force, [value - 3.5, value + 4.2], 2.5),
                    4 => (Quantity::Damping, [0.0, 4.0], 1.0),
                    5 | 6 => (Quantity::SemiAxis, [value - half, value + half], 1.0),
                    _ => (Quantity::Exponent, [0.0, 3f64.ln()], 1.0),
                };
                all.push(Parameter {
                    name: format!("{}.{}", element.name, names[k]),
                    quantity,
                    start: value,
                    bounds,
                    spread,
                });
            }
        }
        all
    }

    /// The values of the parameters.
    pub fn values(&self) -> Vec<f64> {
        self.elements.iter().flat_map(Element::parameters).collect()
    }

    /// The same foot with other values.
    #[must_use]
    pub fn with_values(&self, values: &[f64]) -> Self {
        let mut model = self.clone();
        for (element, own) in model.elements.iter_mut().zip(values.chunks(Element::PARAMETERS)) {
            element.set_parameters(own);
        }
        model
    }

    /// The force along a motion; `ground` is the velocity of the ground. Left feet stay mirrored.
    pub fn load(&self, track: &FootTrack, ground: &Vec3) -> Result<FootLoad> {
        let frames = track.poses.len();
        let count = self.elements.len() * Element::PARAMETERS;
        let mut load = FootLoad {
            force: vec![Vec3::zeros(); frames],
            middle: track.poses.iter().map(|pose| pose.point_to_world(&track.middle())).collect(),
            moments: vec![[0.0; 2]; frames],
            turning: vec![0.0; frames],
            by: vec![[const { Vec::new() }; 3]; frames],
        };
        for rows in &mut load.by {
            for row in rows {
                row.resize(count, 0.0);
            }
        }
        let friction = Coulomb::new(self.friction, self.friction_transition)
            .map_err(|e| GaitError::unsupported("the friction of the foot", e.to_string()))?;
        for (j, element) in self.elements.iter().enumerate() {
            let own = element.load(track)?;
            let slips = slips(track, element, &own);
            for i in 0..frames {
                let (n, p) = (own.force[i], own.point[i] - load.middle[i]);
                if n > 0.0 {
                    let velocity = slips[i] - ground;
                    let slip = Slip {
                        velocity: Vec3::new(velocity.x, 0.0, velocity.z),
                        spin: 0.0,
                        normal_force: n,
                        bristle: Vec3::zeros(),
                    };
                    let force = FrictionLaw::Coulomb(friction).force(&slip).force + Vec3::y() * n;
                    load.force[i] += force;
                    load.moments[i][0] += n * p.x;
                    load.moments[i][1] += n * p.z;
                    load.turning[i] += p.z * force.x - p.x * force.z;
                }
                for k in 0..Element::PARAMETERS {
                    let (df, dp) = (own.force_by[i][k], own.point_by[i][k]);
                    let column = j * Element::PARAMETERS + k;
                    load.by[i][0][column] = df;
                    load.by[i][1][column] = df * p.x + n * dp.x;
                    load.by[i][2][column] = df * p.z + n * dp.z;
                }
            }
        }
        Ok(load)
    }
}

/// Velocities of the material at the lowest points, by central differences of the material's places one frame apart.
fn slips(track: &FootTrack, element: &Element, own: &ElementLoad) -> Vec<Vec3> {
    let frames = track.poses.len();
    let pose = |i: usize| match element.segment {
        Segment::Rear => track.poses[i],
        Segment::Toes => track.poses[i].compose(&track.toe_pose(i)),
    };
    (0..frames)
        .map(|i| {
            let (a, b) = (i.saturating_sub(1), (i + 1).min(frames - 1));
            if a == b || own.force[i] <= 0.0 {
                return Vec3::zeros();
            }
            let local = pose(i).point_to_local(&own.point[i]);
            (pose(b).point_to_world(&local) - pose(a).point_to_world(&local))
                * (track.rate_hz / (b - a) as f64)
        })
        .collect()
}

impl FootLoad {
    /// The free moment of the force at a centre of pressure, in N m.
    pub fn free_moment(&self, frame: usize, centre: &Vec3) -> f64 {
        let (arm, force) = (centre - self.middle[frame], self.force[frame]);
        self.turning[frame] - (arm.z * force.x - arm.x * force.z)
    }

    /// The centre of pressure where the vertical force is above `least`, in m.
    pub fn centre(&self, frame: usize, least: f64, floor: f64) -> Option<Vec3> {
        let f = self.force[frame].y;
        let ([a, b], middle) = (self.moments[frame], self.middle[frame]);
        (f > least).then(|| Vec3::new(middle.x + a / f, floor, middle.z + b / f))
    }
}

/// The same force filtered: a zero-lag low-pass of everything in it, derivatives included.
pub fn low_pass_loads(load: &FootLoad, rate_hz: f64, cutoff_hz: Option<f64>) -> Result<FootLoad> {
    let Some(cutoff) = cutoff_hz else { return Ok(load.clone()) };
    let mut out = load.clone();
    let frames = load.force.len();
    let mut series = vec![0.0; frames];
    let mut pass = |get: &dyn Fn(&FootLoad, usize) -> f64,
                    set: &mut dyn FnMut(&mut FootLoad, usize, f64)|
     -> Result<()> {
        for (i, slot) in series.iter_mut().enumerate() {
            *slot = get(load, i);
        }
        if series.iter().any(|v| *v != 0.0) {
            for (i, value) in low_pass(&series, rate_hz, cutoff)?.into_iter().enumerate() {
                set(&mut out, i, value);
            }
        }
        Ok(())
    };
    for axis in 0..3 {
        pass(&|l, i| l.force[i][axis], &mut |l, i, v| l.force[i][axis] = v)?;
    }
    for axis in 0..2 {
        pass(&|l, i| l.moments[i][axis], &mut |l, i, v| l.moments[i][axis] = v)?;
    }
    pass(&|l, i| l.turning[i], &mut |l, i, v| l.turning[i] = v)?;
    let columns = load.by.first().map_or(0, |rows| rows[0].len());
    for row in 0..3 {
        for k in 0..columns {
            pass(&|l, i| l.by[i][row][k], &mut |l, i, v| l.by[i][row][k] = v)?;
        }
    }
    Ok(out)
}
