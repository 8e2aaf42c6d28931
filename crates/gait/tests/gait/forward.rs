//! Forward dynamics: a foot that is dropped, a leg that measured angles drive.

use super::{data, measured};
use rattleback_gait::body::MassTable;
use rattleback_gait::file::{Storage, read_storage};
use rattleback_gait::forward::{
    ANGLE_CUTOFF_HZ, Drive, JointAngles, JointName, Leg, Links, SceneRun, drive, foot_scene, leg_scene,
    run_scene,
};
use rattleback_gait::predict::{CalibrationSettings, Walk, calibrate, feet_only, whole_body};
use rattleback_gait::synthetic::SyntheticWalk;
use rattleback_gait::trial::Side;
use rattleback_geom::Vec3;
use rattleback_geom::nalgebra::UnitQuaternion;

/// When a body under the foot first carries a share of the greatest force of all, in s.
fn first(run: &SceneRun, name: &str, share: f64) -> Option<f64> {
    let greatest = run.bodies.iter().flat_map(|b| &b.force).copied().fold(0.0, f64::max);
    let body = run.bodies.iter().find(|b| b.name == name)?;
    body.force.iter().position(|f| *f > share * greatest).map(|i| run.times[i])
}

/// Loops of force over depth enclose what the ledger damped, and stores.
fn assert_loops(run: &SceneRun, share: f64) {
    let total: f64 = run.bodies.iter().map(|b| b.damped).sum();
    assert!(total > 0.0);
    for body in &run.bodies {
        println!(
            "{}: loop {:.5} J, damped {:.5}, stored {:.5}",
            body.name, body.work, body.damped, body.stored
        );
        assert!((body.work - body.damped - body.stored).abs() < share * total, "{body:?}");
    }
}

#[test]
fn a_dropped_foot_rolls_from_heel_to_ball_and_its_loops_enclose_what_is_damped() {
    let walk = super::recovery::trial_of(&SyntheticWalk::default());
    let settings = CalibrationSettings { mass: Some(700.0 / 9.806_65), ..Default::default() };
    let seen = Walk::of(&walk, settings.pose_cutoff_hz, None, MassTable::default()).unwrap();
    let foot = calibrate(&seen, &settings).unwrap().foot;
    let text = foot_scene("test", &foot).unwrap();
    let run = run_scene("foot", text, &foot.model, &mut |_, _| {}).unwrap();
    let heel = first(&run, "heel", 0.01).unwrap();
    let ball =
        ["ball_medial", "ball_lateral"].iter().filter_map(|n| first(&run, n, 0.01)).fold(9.0, f64::min);
    assert!(heel < ball && ball < 0.4, "{heel} {ball}");
    // It begins 20 mm above the ground, to the lowest point of the superellipsoids: free fall takes √(2h/g).
    let fall = (2.0 * 0.02 / 9.806_65_f64).sqrt();
    let touch = run.bodies[0].depth.iter().position(|d| *d > 0.0).map(|i| run.times[i]).unwrap();
    assert!((touch - fall).abs() < 2e-3, "{touch} {fall}");
    assert_loops(&run, 0.02);
    println!("drift {:e} of {:e} J", run.drift, run.kinetic);
    assert!(run.drift < 0.01 * run.kinetic, "{:e} of {:e}", run.drift, run.kinetic);
}

#[test]
fn the_law_of_the_scene_is_the_one_that_was_fitted() {
    let walk = super::recovery::trial_of(&SyntheticWalk::default());
    let settings = CalibrationSettings { mass: Some(700.0 / 9.806_65), ..Default::default() };
    let seen = Walk::of(&walk, settings.pose_cutoff_hz, None, MassTable::default()).unwrap();
    let foot = calibrate(&seen, &settings).unwrap().foot;
    let run = run_scene("foot", foot_scene("test", &foot).unwrap(), &foot.model, &mut |_, _| {}).unwrap();
    let heel = foot.model.elements.iter().find(|e| e.name == "heel").unwrap();
    let trace = run.bodies.iter().find(|b| b.name == "heel").unwrap();
    let mut compared = 0;
    for i in 1..run.times.len() - 1 {
        let depth = trace.depth[i];
        if trace.depth[i - 1] > 0.0 && depth > 1e-4 && trace.depth[i + 1] > 0.0 {
            let rate = (trace.depth[i + 1] - trace.depth[i - 1]) / (run.times[i + 1] - run.times[i - 1]);
            let n = heel.depth_exponent;
            let law = heel.force_at_5mm * (depth / 5e-3).powf(n) * (1.0 + heel.damping * rate);
            // Rates are by differences of outputs 1 ms apart.
            assert!((trace.force[i] - law).abs() < 0.01 * law + 0.05, "{} {law}", trace.force[i]);
            compared += 1;
        }
    }
    assert!(compared > 20, "{compared}");
}

/// A leg of plain numbers: the foot pitches from heel to toe while the hip passes over it.
fn plain_leg(side: Side) -> Drive {
    let times: Vec<f64> = (0..=42).map(|i| f64::from(i) / 60.0).collect();
    let degree = std::f64::consts::PI / 180.0;
    let last = times[times.len() - 1];
    let mut values: [Vec<f64>; 10] = std::array::from_fn(|_| vec![0.0; times.len()]);
    let (mut pelvis, mut other) = (Vec::new(), Vec::new());
    let (weight, thigh, shank) = (700.0, 0.42, 0.43);
    for (i, t) in times.iter().enumerate() {
        let s = t / last;
        let smooth = |x: f64| {
            let x = x.clamp(0.0, 1.0);
            x * x * (3.0 - 2.0 * x)
        };
        // The leg leans from 18° forwards to 18° backwards; the knee stays a little bent.
        let lean = (18.0 - 36.0 * s) * degree;
        let knee = -10.0 * degree;
        let pitch = (15.0 * (1.0 - smooth(s / 0.3)) - 25.0 * smooth((s - 0.55) / 0.45)) * degree;
        values[3][i] = lean;
        values[6][i] = knee;
        values[7][i] = pitch - lean - knee;
        let ankle = Vec3::new(
            thigh * lean.sin() + shank * (lean + knee).sin(),
            -thigh * lean.cos() - shank * (lean + knee).cos(),
            0.0,
        );
        pelvis.push(Vec3::new(0.05 - ankle.x, 0.06 - ankle.y, 0.0));
        other.push(weight * (1.0 - smooth((s - 0.1) / 0.2) + smooth((s - 0.8) / 0.2)));
    }
    // The axis of the ankle is inclined, so that the foot leaves the plane a little, as feet do.
    let angles = JointAngles { side, times: times.clone(), values, remarks: Vec::new() };
    let links = Links {
        hip: Vec3::new(-0.05, -0.08, 0.09),
        knee: Vec3::new(0.0, -thigh, 0.0),
        ankle: Vec3::new(0.0, -shank, 0.0),
        foot_turn: UnitQuaternion::identity(),
        ankle_in_foot: Vec3::new(0.05, 0.08, 0.0),
    };
    let rows = (0..times.len()).map(|i| std::array::from_fn(|k| angles.values[k][i])).collect();
    let mut drive = Drive {
        side,
        leg: Leg { angles, links, pelvis: pelvis.clone(), ankle_error: 0.0 },
        foot: SyntheticWalk::default().foot,
        length: 0.23,
        weight,
        start: 0.0,
        stance: [0.05, last - 0.05],
        times,
        angles: rows,
        pelvis,
        other,
    };
    drive.touch_at_strike().unwrap();
    drive
}

fn assert_follows(driven: &Drive, run: &SceneRun, tolerance: f64) {
    for (k, joint) in JointName::ALL.into_iter().enumerate() {
        if joint == JointName::Metatarsal {
            continue;
        }
        let (_, turns) = run.turns.iter().find(|(name, _)| name == joint.word()).unwrap();
        let mut worst: f64 = 0.0;
        for (row, time) in driven.times.iter().enumerate() {
            let j = run.times.partition_point(|t| *t < *time).clamp(1, run.times.len() - 1);
            let w = (time - run.times[j - 1]) / (run.times[j] - run.times[j - 1]);
            let there = turns[j - 1] * (1.0 - w) + turns[j] * w;
            worst = worst.max((there - driven.angles[row][k]).abs());
        }
        assert!(worst < tolerance, "{}: {worst}", joint.word());
    }
}

#[test]
fn a_leg_of_plain_numbers_rolls_over_its_foot() {
    for side in [Side::Right, Side::Left] {
        let driven = plain_leg(side);
        let text = leg_scene("test", &driven).unwrap();
        let run = run_scene("leg", text, &driven.foot, &mut |_, _| {}).unwrap();
        // Between outputs 2 ms apart the angles are taken as straight.
        assert_follows(&driven, &run, 1e-4);
        let heel = first(&run, "heel", 0.02).unwrap();
        let ball =
            ["ball_medial", "ball_lateral"].iter().filter_map(|n| first(&run, n, 0.02)).fold(9.0, f64::min);
        assert!(heel < ball, "{heel} {ball}");
        // In the middle the leg carries the weight: the mean over a third of the run, in which the other foot carries
        // nothing.
        let middle: Vec<f64> = run
            .times
            .iter()
            .zip(&run.force)
            .filter(|(t, _)| (0.25..0.5).contains(*t))
            .map(|(_, f)| f.y)
            .collect();
        let mean = middle.iter().sum::<f64>() / middle.len() as f64;
        println!("mean {mean} N, drift {:e} of {:e} J", run.drift, run.kinetic);
        assert!((mean / driven.weight - 1.0).abs() < 0.25, "{mean}");
        assert_loops(&run, 0.05);
    }
}

#[test]
fn the_measured_leg_follows_its_file_and_the_ground_carries_it() {
    let Some(trial) = measured() else { return };
    let settings = CalibrationSettings::default();
    let walk = Walk::of(&trial, settings.pose_cutoff_hz, None, MassTable::default()).unwrap();
    let foot = calibrate(&walk, &settings).unwrap().foot;
    let prediction = whole_body(&walk, &foot, &feet_only(&walk, &foot).unwrap());
    let table = read_storage(&data().unwrap().join("subject01_walk1_ik.mot")).unwrap();
    let angles = JointAngles::of(&table, Side::Right, Some(ANGLE_CUTOFF_HZ)).unwrap();
    let driven = drive(&walk, &foot, &prediction, angles, None).unwrap();
    println!("ankle {:.1} mm, links {:?}", 1e3 * driven.leg.ankle_error, driven.leg.links);
    let run = run_scene("leg", leg_scene("test", &driven).unwrap(), &driven.foot, &mut |_, _| {}).unwrap();
    assert_follows(&driven, &run, 2e-4);
    // What the filter took from the file's angles is small: the leg has the file's own to a degree.
    let column = table.find("knee_angle_r").unwrap();
    let (_, knee) = run.turns.iter().find(|(name, _)| name == "knee").unwrap();
    for (row, time) in table.times().iter().enumerate() {
        let at = time - driven.start;
        if (0.0..run.times[run.times.len() - 1]).contains(&at) {
            let i = run.times.partition_point(|t| *t < at).min(knee.len() - 1);
            let own = table.row(row)[column];
            assert!((knee[i].to_degrees() - own).abs() < 1.5, "{time}: {} {own}", knee[i].to_degrees());
        }
    }
    let (heel, ball) = (first(&run, "heel", 0.02).unwrap(), first(&run, "ball_medial", 0.02).unwrap());
    assert!(heel < ball, "{heel} {ball}");
    let (mut squares, mut count, mut impulse, mut known) = (0.0, 0.0, 0.0, 0.0);
    for (time, force) in run.times.iter().zip(&run.force) {
        let sample = trial.plates[0].sample_at(time + driven.start).unwrap();
        let plate = trial.plates[0].force[sample].y;
        squares += (force.y - plate).powi(2);
        (impulse, known) = (impulse + force.y, known + plate);
        count += 1.0;
    }
    let error = (squares / count).sqrt() / foot.weight;
    println!(
        "vertical error {:.1} % of body weight, impulse {:.3} of the plate's",
        100.0 * error,
        impulse / known
    );
    assert!((impulse / known - 1.0).abs() < 0.08, "{impulse} {known}");
    // A hinged leg hands the errors of its angles on to the ground; the page says by how much.
    assert!(error < 0.5, "{error}");
    assert!(run.drift < 1e-3 * run.kinetic, "{:e} of {:e}", run.drift, run.kinetic);
    assert_loops(&run, 0.05);
}

fn table(labels: &[&str], row: impl Fn(usize) -> Vec<f64>) -> Storage {
    let mut table = Storage::new("angles", labels.iter().map(|l| (*l).to_owned()).collect());
    table.in_degrees = Some(true);
    for i in 0..20 {
        table.values.extend(row(i));
    }
    table
}

#[test]
fn angles_are_read_by_name_sign_and_side() {
    let plain = table(&["time", "pelvis_list", "hip_flexion_l", "knee_angle_l", "ankle_angle_l"], |i| {
        vec![i as f64 / 60.0, 3.0, 20.0, -60.0 + i as f64, 5.0]
    });
    let left = JointAngles::of(&plain, Side::Left, None).unwrap();
    assert!((left.of_joint(JointName::Knee)[0] + 60f64.to_radians()).abs() < 1e-12);
    // A left leg is mirrored, and the pelvis with it.
    assert!((left.of_joint(JointName::PelvisList)[0] + 3f64.to_radians()).abs() < 1e-12);
    // Another model: knees bend forwards in its numbers, and labels are paths.
    let other = table(
        &[
            "time",
            "/jointset/hip_r/hip_flexion_r/value",
            "/jointset/walker_knee_r/knee_angle_r/value",
            "/jointset/ankle_r/ankle_angle_r/value",
        ],
        |i| vec![i as f64 / 60.0, 20.0, 60.0 - i as f64, 5.0],
    );
    let right = JointAngles::of(&other, Side::Right, None).unwrap();
    assert!((right.of_joint(JointName::Knee)[0] + 60f64.to_radians()).abs() < 1e-12);
    assert!(!right.toes_move());
    // What is not there, or no number, is said.
    let error = JointAngles::of(&plain, Side::Right, None).unwrap_err().to_string();
    assert!(error.contains("no column is named hip_flexion_r"), "{error}");
    let mut broken = plain.clone();
    broken.values[3 * 5 + 3] = f64::NAN;
    let error = JointAngles::of(&broken, Side::Left, None).unwrap_err().to_string();
    assert!(error.contains("knee_angle_l has no number at 0.050 s"), "{error}");
    let mut stiff = plain;
    for row in stiff.values.chunks_mut(5) {
        row[3] = 1.0;
    }
    assert!(JointAngles::of(&stiff, Side::Left, None).unwrap_err().to_string().contains("never bends"));
}
