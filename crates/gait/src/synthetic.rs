//! A walk that the engine makes itself: both feet on a treadmill, every stance alike, the force known exactly.
//!
//! The pitch of the foot over the stride is given (heel strike toes up, flat, heel off, swing), the toes stay level
//! while the heel rises. In stance the foot moves with the belt, and its height is such that the bodies under it
//! carry a given share of the weight at rest: two humps. In swing it is lifted clear. The plates then have what the
//! foot makes along that motion, damping included; the markers are fixed in the foot, so that without noise
//! everything is known to rounding.

use crate::Result;
use crate::file::{Storage, Trc, load_labels};
use crate::foot::{FootLoad, FootModel, FootTrack, mirror};
use crate::trial::{Landmark, Side};
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::{Pose, Vec3};

/// The stride, in s, and the share of it that is stance.
const STRIDE: f64 = 1.2;
const STANCE: f64 = 0.62;
/// From the heel marker to the metatarsal heads, in m.
const LENGTH: f64 = 0.23;
/// Half the distance of the feet, in m.
const TRACK: f64 = 0.09;
/// How high the sole is lifted in swing, in m.
const CLEARANCE: f64 = 0.05;

/// A walk of the engine's own.
#[derive(Debug, Clone, PartialEq)]
pub struct SyntheticWalk {
    /// Frames per second.
    pub rate_hz: f64,
    /// How long it lasts, in s.
    pub duration: f64,
    /// The velocity of the belt, in m/s.
    pub belt: f64,
    /// The weight of the body, in N.
    pub weight: f64,
    /// The foot.
    pub foot: FootModel,
}

impl Default for SyntheticWalk {
    fn default() -> Self {
        let mut foot = FootModel::scaled(LENGTH);
        // A foot that is not the one from which an identification starts.
        let forces = [300.0, 140.0, 110.0, 120.0];
        for (k, (element, force)) in foot.elements.iter_mut().zip(forces).enumerate() {
            element.force_at_5mm = force;
            element.depth_exponent = 1.3 + 0.1 * k as f64;
            element.damping = 0.5 + 0.2 * k as f64;
            element.centre[0] += 0.004;
            element.centre[1] -= 0.002;
            element.semi_axes[0] *= 1.1;
            element.semi_axes[2] *= 0.9;
        }
        Self { rate_hz: 100.0, duration: 3.0, belt: -1.2, weight: 700.0, foot }
    }
}

/// Places of the markers in the foot's frame.
const MARKERS: [(&str, Landmark, [f64; 3]); 6] = [
    ("Heel", Landmark::Heel, [0.0, 0.075, 0.0]),
    ("Midfoot.Sup", Landmark::MidfootSuperior, [0.140, 0.088, -0.050]),
    ("Midfoot.Lat", Landmark::MidfootLateral, [0.146, 0.070, 0.054]),
    ("Toe.Lat", Landmark::MetatarsalFifth, [0.230, 0.047, 0.054]),
    ("Toe.Med", Landmark::MetatarsalFirst, [0.230, 0.056, -0.054]),
    ("Toe.Tip", Landmark::ToeTip, [0.289, 0.058, -0.030]),
];
/// Places of the other markers, which only say what is up, in m.
const BODY: [(&str, [f64; 3]); 4] = [
    ("R.ASIS", [0.10, 1.00, 0.13]),
    ("L.ASIS", [0.10, 1.00, -0.13]),
    ("V.Sacral", [-0.10, 1.02, 0.0]),
    ("Top.Head", [0.0, 1.75, 0.0]),
];

/// From 0 to 1 with two vanishing derivatives at either end.
fn smooth(x: f64) -> f64 {
    let x = x.clamp(0.0, 1.0);
    x * x * x * (10.0 + x * (6.0 * x - 15.0))
}

/// Through values at phases, smoothly.
fn through(keys: &[[f64; 2]], phase: f64) -> f64 {
    let mut value = keys[0][1];
    for pair in keys.windows(2) {
        let [[a, from], [b, to]] = [pair[0], pair[1]];
        if phase >= a {
            value = from + (to - from) * smooth((phase - a) / (b - a));
        }
    }
    value
}

impl SyntheticWalk {
    /// The motion of a foot, mirrored if it is a left one; the left foot is half a stride later.
    pub fn track(&self, side: Side) -> Result<FootTrack> {
        let frames = (self.duration * self.rate_hz).round() as usize + 1;
        let times: Vec<f64> = (0..frames).map(|i| i as f64 / self.rate_hz).collect();
        let mut track = FootTrack {
            side,
            rate_hz: self.rate_hz,
            times,
            floor: 0.0,
            poses: Vec::new(),
            toe_angles: Vec::new(),
            hinge: FootTrack::hinge_of(LENGTH),
            length: LENGTH,
            template: MARKERS.iter().take(5).map(|(_, l, p)| (*l, Vec3::from(*p))).collect(),
            toe: Some(Vec3::from(MARKERS[5].2)),
            noise: 0.0,
        };
        let late = if side == Side::Left { 0.5 } else { 0.1 };
        for time in track.times.clone() {
            let phase = (time / STRIDE - late).rem_euclid(1.0);
            let [pitch, roll, toes] = angles(phase);
            let orientation = UnitQuaternion::from_axis_angle(&Vec3::z_axis(), pitch)
                * UnitQuaternion::from_axis_angle(&Vec3::x_axis(), roll);
            track.toe_angles.push(toes);
            let carried = self.carried(phase);
            let height = self.height(&track, orientation, toes, carried)? + lift(phase);
            // The foot turns about the heel while the toes are up, and about the ball while the heel is: that point
            // does not slip on the belt.
            let pivot = Vec3::new(if pitch > 0.0 { 0.17 } else { 0.91 } * LENGTH, 0.0, 0.0);
            let forward = self.forward(phase) - (orientation * pivot - pivot).x;
            track.poses.push(Pose::new(Vec3::new(forward, height, TRACK), orientation));
        }
        Ok(track)
    }

    /// The share of the weight that the foot is to carry at rest, in N.
    fn carried(&self, phase: f64) -> f64 {
        // Over a stride either foot carries half of the weight.
        let mean: f64 = (0..1000).map(|k| humps((f64::from(k) + 0.5) / 1000.0)).sum::<f64>() / 1000.0;
        self.weight * 0.5 / (STANCE * mean) * humps(phase / STANCE)
    }

    /// Forwards in the laboratory: with the belt in stance, back in swing.
    fn forward(&self, phase: f64) -> f64 {
        let reach = -self.belt * STANCE * STRIDE;
        if phase < STANCE {
            0.5 * reach + self.belt * phase * STRIDE
        } else {
            let x = (phase - STANCE) / (1.0 - STANCE);
            // Through with the belt's speed at both ends.
            let drift = self.belt * STRIDE * (1.0 - STANCE);
            -0.5 * reach + drift * x + (reach - drift) * x * x * (3.0 - 2.0 * x)
        }
    }

    /// The height of the foot's origin at which the bodies carry a force at rest; at zero force the lowest one touches.
    fn height(
        &self,
        like: &FootTrack,
        orientation: UnitQuaternion<f64>,
        toes: f64,
        force: f64,
    ) -> Result<f64> {
        let at = |height: f64| -> Result<(f64, f64)> {
            let pose = Pose::new(Vec3::new(0.0, height, 0.0), orientation);
            let still = FootTrack {
                times: vec![0.0],
                poses: vec![pose],
                toe_angles: vec![toes],
                template: Vec::new(),
                ..*like
            };
            let mut deepest = f64::NEG_INFINITY;
            let mut sum = 0.0;
            for element in &self.foot.elements {
                let load = element.load(&still)?;
                deepest = deepest.max(load.depth[0]);
                sum += load.force[0];
            }
            Ok((sum, deepest))
        };
        let touch = at(0.0)?.1;
        if force <= 0.0 {
            return Ok(touch);
        }
        let (mut low, mut high) = (touch - 0.05, touch);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if at(middle)?.0 > force { low = middle } else { high = middle }
        }
        Ok(0.5 * (low + high))
    }

    /// The force of a foot.
    pub fn load(&self, side: Side) -> Result<FootLoad> {
        self.foot.load(&self.track(side)?, &Vec3::new(self.belt, 0.0, 0.0))
    }

    /// The markers as a file has them, in mm; `noise` in m is added to every coordinate.
    pub fn markers(&self, noise: &mut dyn FnMut() -> f64) -> Result<Trc> {
        let feet = [self.track(Side::Right)?, self.track(Side::Left)?];
        let frames = feet[0].poses.len();
        let mut trc = self.file(frames);
        for i in 0..frames {
            for track in &feet {
                for (_, landmark, place) in MARKERS {
                    let mut local = Vec3::from(place);
                    if landmark == Landmark::ToeTip {
                        local = track.toe_pose(i).point_to_world(&local);
                    }
                    let p = mirror(track.side, &track.poses[i].point_to_world(&local));
                    trc.positions.push(((p + Vec3::from_fn(|_, _| noise())) * 1e3).into());
                }
            }
            for (_, place) in BODY {
                trc.positions.push(((Vec3::from(place) + Vec3::from_fn(|_, _| noise())) * 1e3).into());
            }
        }
        Ok(trc)
    }

    /// The markers of the subject standing: feet flat on the ground, without load.
    pub fn standing(&self) -> Trc {
        let mut trc = self.file(10);
        for _ in 0..trc.times.len() {
            for side in [Side::Right, Side::Left] {
                for (_, _, place) in MARKERS {
                    let p = mirror(side, &(Vec3::from(place) + Vec3::new(0.0, 0.0, TRACK)));
                    trc.positions.push((p * 1e3).into());
                }
            }
            trc.positions.extend(BODY.iter().map(|(_, place)| place.map(|v| 1e3 * v)));
        }
        trc
    }

    /// A file without places.
    fn file(&self, frames: usize) -> Trc {
        let feet = ["R", "L"]
            .into_iter()
            .flat_map(|letter| MARKERS.iter().map(move |(name, ..)| format!("{letter}.{name}")));
        let count = frames as f64;
        Trc {
            data_rate: Some(self.rate_hz),
            camera_rate: Some(self.rate_hz),
            units: Some("mm".to_owned()),
            original: [Some(self.rate_hz), Some(1.0), Some(count)],
            markers: feet.chain(BODY.iter().map(|(name, _)| (*name).to_owned())).collect(),
            frames: (1..=frames).map(|i| i as f64).collect(),
            times: (0..frames).map(|i| i as f64 / self.rate_hz).collect(),
            ..Trc::default()
        }
    }

    /// What two plates would have, one under each foot.
    pub fn forces(&self) -> Result<Storage> {
        let mut table = Storage::new("synthetic_walk_grf.mot", load_labels());
        let loads = [(Side::Right, self.load(Side::Right)?), (Side::Left, self.load(Side::Left)?)];
        for i in 0..loads[0].1.force.len() {
            table.values.push(i as f64 / self.rate_hz);
            for (side, load) in &loads {
                let force = load.force[i];
                let centre = load.centre(i, 0.0, 0.0).unwrap_or_else(Vec3::zeros);
                for v in [force, centre] {
                    table.values.extend(mirror(*side, &v).iter());
                }
                let free = if force.y > 0.0 { load.free_moment(i, &centre) } else { 0.0 };
                table.values.extend([0.0, if *side == Side::Left { -free } else { free }, 0.0]);
            }
        }
        Ok(table)
    }
}

/// Two humps with a valley over a stance from 0 to 1, rising at once at both ends.
fn humps(x: f64) -> f64 {
    if !(0.0..1.0).contains(&x) {
        return 0.0;
    }
    let ramp = |x: f64| (std::f64::consts::FRAC_PI_2 * (x / 0.28).min(1.0)).sin();
    ramp(x) * ramp(1.0 - x) * (1.0 - 0.2 * (std::f64::consts::TAU * (x - 0.5)).cos())
}

/// Pitch and roll of the foot, and extension of the toes, at a phase of the stride, in rad.
fn angles(phase: f64) -> [f64; 3] {
    let degree = std::f64::consts::PI / 180.0;
    let pitch = through(
        &[[0.0, 18.0], [0.12, 0.0], [0.30, 0.0], [0.62, -42.0], [0.72, -55.0], [0.93, 18.0], [1.0, 18.0]],
        phase,
    );
    let level = (-pitch).clamp(0.0, 30.0);
    let toes = level * (1.0 - smooth((phase - 0.55) / 0.2));
    // Lateral side down at heel strike, medial side down at push-off.
    let roll = through(&[[0.0, 6.0], [0.15, 0.0], [0.35, 0.0], [0.6, -5.0], [0.8, 0.0], [1.0, 6.0]], phase);
    [pitch * degree, roll * degree, toes * degree]
}

/// How far the foot is lifted at a phase, in m.
fn lift(phase: f64) -> f64 {
    let x = ((phase - STANCE) / (1.0 - STANCE)).clamp(0.0, 1.0);
    CLEARANCE * (64.0 * (x * (1.0 - x)).powi(3)).min(1.0)
}
