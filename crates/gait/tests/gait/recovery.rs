//! The engine's own walk: what is known exactly comes back.

use crate::gait::scratch;
use rattleback_gait::body::MassTable;
use rattleback_gait::file::{Trc, write_storage, write_trc};
use rattleback_gait::fit::{ForceSample, IdentifySettings, StanceData, identify};
use rattleback_gait::foot::{FootModel, FootTrack, TrackSettings};
use rattleback_gait::predict::{CalibrationSettings, Walk, calibrate, feet_only, score};
use rattleback_gait::synthetic::SyntheticWalk;
use rattleback_gait::trial::Side;
use rattleback_gait::{Trial, TrialFiles};
use rattleback_geom::Vec3;

/// The trial of a walk with given markers.
pub fn trial_with(walk: &SyntheticWalk, markers: &Trc) -> Trial {
    let folder = scratch("synthetic");
    write_trc(markers, &folder.join("walk.trc")).unwrap();
    write_trc(&walk.standing(), &folder.join("static.trc")).unwrap();
    write_storage(&walk.forces().unwrap(), &folder.join("walk_grf.mot")).unwrap();
    let trial = Trial::read(&TrialFiles::find(&folder.join("walk.trc")).unwrap()).unwrap();
    std::fs::remove_dir_all(folder).unwrap();
    trial
}

/// The trial of a walk without noise.
pub fn trial_of(walk: &SyntheticWalk) -> Trial {
    trial_with(walk, &walk.markers(&mut silence()).unwrap())
}

fn noise(deviation: f64) -> impl FnMut() -> f64 {
    noise_of(deviation, 18)
}

/// Normal noise of a deviation in m, from a seed.
pub fn noise_of(deviation: f64, seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed;
    move || {
        let [a, b] = [0, 1].map(|_| rattleback_random::unit(&mut state).max(1e-300));
        deviation * (-2.0 * a.ln()).sqrt() * (std::f64::consts::TAU * b).cos()
    }
}

fn silence() -> impl FnMut() -> f64 {
    || 0.0
}

#[test]
fn without_noise_the_poses_and_the_forces_come_back_to_rounding() {
    let walk = SyntheticWalk::default();
    let trial = trial_with(&walk, &walk.markers(&mut silence()).unwrap());
    for side in [Side::Right, Side::Left] {
        let truth = walk.track(side).unwrap();
        let track = FootTrack::of(&trial, side, &TrackSettings { cutoff_hz: None, floor: 0.0 }).unwrap();
        for (a, b) in track.poses.iter().zip(&truth.poses) {
            assert!(
                (a.position - b.position).norm() < 1e-11 && a.orientation.angle_to(&b.orientation) < 1e-10
            );
        }
        let ground = Vec3::new(walk.belt, 0.0, 0.0);
        let (mine, known) = (walk.foot.load(&track, &ground).unwrap(), walk.load(side).unwrap());
        for (a, b) in mine.force.iter().zip(&known.force) {
            assert!((a.y - b.y).abs() < 1e-9 * walk.weight, "{} {}", a.y, b.y);
        }
    }
}

#[test]
fn without_noise_the_parameters_come_back() {
    let walk = SyntheticWalk::default();
    let track = walk.track(Side::Right).unwrap();
    let load = walk.load(Side::Right).unwrap();
    let [begin, end] = [0.1, 0.9];
    let window = track.window(begin, end, 0.1);
    let first = track.times.partition_point(|t| *t < window.times[0] - 1e-9);
    let measured: Vec<ForceSample> = (0..window.times.len())
        .map(|i| {
            let (force, middle) = (load.force[first + i], load.middle[first + i]);
            let [a, b] = load.moments[first + i];
            ForceSample { force, moments: [a + middle.x * force.y, b + middle.z * force.y] }
        })
        .collect();
    let counted = vec![true; measured.len()];
    let stance = StanceData { track: window, measured, counted };
    let settings = IdentifySettings {
        pose_deviation: [0.0; 3],
        force_cutoff_hz: None,
        weight: walk.weight,
        ground_velocity: [walk.belt, 0.0, 0.0],
        prior: 0.0,
    };
    let found = identify(&FootModel::scaled(track.length), &stance, &settings).unwrap();
    println!("error {:e} after {} evaluations", found.fit_errors[1], found.evaluations);
    for (k, (a, b)) in found.model.values().iter().zip(walk.foot.values()).enumerate() {
        println!("{} {a} {b} {:e}", found.parameters[k].name, a - b);
    }
    for (k, (a, b)) in found.model.values().iter().zip(walk.foot.values()).enumerate() {
        assert!((a - b).abs() < 1e-6 * b.abs().max(1.0), "{}: {a} {b}", found.parameters[k].name);
    }
}

#[test]
fn a_third_of_a_millimetre_of_noise_leaves_the_force_within_three_per_cent() {
    let walk = SyntheticWalk::default();
    let trial = trial_with(&walk, &walk.markers(&mut noise(0.3e-3)).unwrap());
    let settings = CalibrationSettings { mass: Some(walk.weight / 9.806_65), ..Default::default() };
    let seen = Walk::of(&trial, settings.pose_cutoff_hz, None, MassTable::default()).unwrap();
    let foot = calibrate(&seen, &settings).unwrap().foot;
    let prediction = feet_only(&seen, &foot).unwrap();
    for (k, interval) in [(0, [1.32, 2.06]), (1, [0.6, 1.34])] {
        let s = score(&prediction.feet[k], &trial.plates[k], interval, walk.weight).unwrap();
        println!("{:?} {s:?}", foot.settings.force_cutoff_hz);
        assert!(s.force[1] < 0.03, "{s:?}");
    }
}

#[test]
fn a_marker_that_dips_by_fifteen_millimetres_is_rejected() {
    let walk = SyntheticWalk::default();
    let whole = walk.markers(&mut silence()).unwrap();
    let mut dipped = whole.clone();
    let marker = dipped.markers.iter().position(|name| name == "R.Midfoot.Lat").unwrap();
    for i in 140..170 {
        let count = dipped.markers.len();
        dipped.positions[i * count + marker][1] -= 15.0;
    }
    let settings = TrackSettings { cutoff_hz: Some(10.0), floor: 0.0 };
    let ground = Vec3::new(walk.belt, 0.0, 0.0);
    let [a, b] = [&whole, &dipped].map(|markers| {
        let track = FootTrack::of(&trial_with(&walk, markers), Side::Right, &settings).unwrap();
        walk.foot.load(&track, &ground).unwrap()
    });
    let worst = a.force.iter().zip(&b.force).map(|(a, b)| (a.y - b.y).abs()).fold(0.0, f64::max);
    println!("worst {}", worst / walk.weight);
    assert!(worst < 0.02 * walk.weight, "{}", worst / walk.weight);
}

#[test]
fn times_rounded_to_a_millisecond_change_nothing() {
    let walk = SyntheticWalk { rate_hz: 120.0, ..Default::default() };
    let exact = walk.markers(&mut silence()).unwrap();
    let mut rounded = exact.clone();
    for t in &mut rounded.times {
        *t = (*t * 1e3).round() / 1e3;
    }
    let settings = CalibrationSettings { mass: Some(walk.weight / 9.806_65), ..Default::default() };
    let [a, b] = [&exact, &rounded].map(|markers| {
        let trial = trial_with(&walk, markers);
        let seen = Walk::of(&trial, settings.pose_cutoff_hz, None, MassTable::default()).unwrap();
        feet_only(&seen, &calibrate(&seen, &settings).unwrap().foot).unwrap()
    });
    for k in 0..2 {
        for (a, b) in a.feet[k].force.iter().zip(&b.feet[k].force) {
            assert!((a.y - b.y).abs() < 1e-3 * walk.weight, "{} {}", a.y, b.y);
        }
    }
}
