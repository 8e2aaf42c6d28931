//! Other laboratories' trials give the same answer: the measured one in other axes, units, names, over the ground.

use super::laboratory::Laboratory;
use rattleback_gait::doctor::Findings;
use rattleback_gait::signal::Spline;
use rattleback_random::{stream, unit};

/// The same answer as that of the measured trial.
fn assert_same(found: &Findings, name: &str) {
    let plain = Laboratory::here().unwrap().examine("plain").unwrap();
    assert_eq!(found.stances.len(), plain.stances.len(), "{name}");
    for (a, b) in found.stances.iter().zip(&plain.stances) {
        assert_eq!((a.stance.side, &a.plate, a.beside), (b.stance.side, &b.plate, b.beside), "{name}");
        assert!((a.stance.begin - b.stance.begin).abs() < 4e-3, "{name}: {a:?} {b:?}");
        assert!((a.stance.end - b.stance.end).abs() < 4e-3, "{name}: {a:?} {b:?}");
    }
    let slips = |f: &Findings| f.slips.iter().map(|s| s.marker.clone()).collect::<Vec<_>>();
    assert_eq!(slips(found).len(), slips(&plain).len(), "{name}: {:?}", slips(found));
    let mass = |f: &Findings| f.mass.as_ref().unwrap().kg;
    assert!((mass(found) - mass(&plain)).abs() < 0.1, "{name}: {} {}", mass(found), mass(&plain));
    let [a, b] = [found, &plain].map(|f| f.whole_body.against_plates.unwrap());
    for i in 0..3 {
        assert!((a[i] - b[i]).abs() < 0.1, "{name}: {a:?} {b:?}");
    }
}

#[test]
fn other_axes_give_the_same_answer() {
    type Turn = fn([f64; 3]) -> [f64; 3];
    let turns: [(&str, Turn, &str); 4] = [
        ("z-up", |[x, y, z]| [x, -z, y], "z up, x forward"),
        ("back", |[x, y, z]| [-x, y, -z], "y up, −x forward"),
        ("y-forward", |[x, y, z]| [z, x, y], "z up, y forward"),
        ("z-up-back", |[x, y, z]| [-x, z, y], "z up, −x forward"),
    ];
    for (name, turn, words) in turns {
        let Some(mut lab) = Laboratory::here() else { return };
        lab.turn(turn);
        let found = lab.examine(name).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(found.axes, words);
        assert!((found.ground.forward + 1.16).abs() < 0.021, "{name}");
        assert_same(&found, name);
    }
}

#[test]
fn a_walkway_across_the_laboratory_gives_the_same_answer_but_for_the_small_angle() {
    let Some(mut lab) = Laboratory::here() else { return };
    let (sin, cos) = 0.7f64.sin_cos();
    lab.turn(|[x, y, z]| [cos * x - sin * z, y, sin * x + cos * z]);
    let found = lab.examine("across").unwrap();
    assert!((found.ground.forward + 1.16).abs() < 0.03, "{:?}", found.ground);
    assert_eq!(found.stances.len(), 6);
    assert!((found.mass.unwrap().kg - 72.9).abs() < 0.2);
}

#[test]
fn markers_and_forces_in_different_axes_are_one_clear_error() {
    let Some(mut lab) = Laboratory::here() else { return };
    lab.map_markers(|[x, y, z], _| [x, -z, y]);
    let error = lab.examine("mixed").unwrap_err().to_string();
    assert!(error.contains("different axes"), "{error}");
}

#[test]
fn other_units_give_the_same_answer_even_when_the_header_lies() {
    for (name, unit, factor, remark) in [
        ("metres", Some("m"), 1e-3, None),
        ("centimetres", Some("cm"), 0.1, None),
        ("lie", Some("m"), 1.0, Some("The header says m")),
        ("none", Some("furlong"), 1e-3, Some("not known")),
    ] {
        let Some(mut lab) = Laboratory::here() else { return };
        lab.map_markers(|p, _| p.map(|v| v * factor));
        lab.walk.units = unit.map(str::to_owned);
        lab.still.units = unit.map(str::to_owned);
        let found = lab.examine(name).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(
            found.remarks.iter().any(|r| r.contains(remark.unwrap_or("header says"))),
            remark.is_some(),
            "{name}"
        );
        assert_same(&found, name);
    }
}

#[test]
fn a_walk_over_the_ground_gives_the_same_forces_on_a_ground_at_rest() {
    let Some(mut lab) = Laboratory::here() else { return };
    let belt = lab.examine("belt").unwrap().ground.forward;
    let count = lab.walk.markers.len();
    for (i, p) in lab.walk.positions.iter_mut().enumerate() {
        p[0] -= 1e3 * belt * (i / count) as f64 / 60.0;
    }
    let width = lab.forces.labels.len();
    for row in lab.forces.values.chunks_exact_mut(width) {
        row[4] -= belt * row[0];
        row[10] -= belt * row[0];
    }
    let found = lab.examine("overground").unwrap();
    assert!(!found.ground.is_treadmill() && found.ground.forward.abs() < 1e-6, "{:?}", found.ground);
    assert!((found.walking_speed - 1.14).abs() < 0.02);
    assert_same(&found, "overground");
}

#[test]
fn exact_times_give_the_same_answer_as_rounded_ones() {
    let Some(mut lab) = Laboratory::here() else { return };
    lab.walk.times = (0..151).map(|i| f64::from(i) / 60.0).collect();
    let found = lab.examine("times").unwrap();
    assert!(found.timing.rounding_s < 1e-9);
    assert!(!found.lines().iter().any(|l| l.contains("rounded")));
    assert_same(&found, "times");
}

#[test]
fn names_of_plug_in_gait_give_the_same_answer() {
    let Some(mut lab) = Laboratory::here() else { return };
    let names = [
        ("ASIS", "ASI"),
        ("V.Sacral", "SACR"),
        ("Heel", "HEE"),
        ("Acromium", "SHO"),
        ("Elbow", "ELB"),
        ("Bicep", "UPA"),
        ("Wrist.Lat", "WRA"),
        ("Wrist.Med", "WRB"),
        ("Sternum", "STRN"),
        ("Temple", "FHD"),
        ("Knee.Lat", "KNE"),
        ("Ankle.Lat", "ANK"),
    ];
    for trc in [&mut lab.walk, &mut lab.still] {
        for name in &mut trc.markers {
            if let Some((old, new)) = names.iter().find(|(old, _)| name.ends_with(old)) {
                *name = format!("Anna:{}", name.replace(old, new).replace('.', ""));
            }
        }
    }
    let found = lab.examine("names").unwrap();
    assert!(found.unknown_markers.is_empty(), "{:?}", found.unknown_markers);
    assert_same(&found, "names");
}

#[test]
fn forces_without_torques_under_other_labels_give_the_same_answer() {
    let Some(mut lab) = Laboratory::here() else { return };
    let width = lab.forces.labels.len();
    let kept: Vec<usize> = (0..13).collect();
    lab.forces.values = lab
        .forces
        .values
        .chunks_exact(width)
        .flat_map(|row| kept.iter().map(|i| row[*i]).collect::<Vec<_>>())
        .collect();
    lab.forces.labels = ["time".to_owned()]
        .into_iter()
        .chain(
            [0, 1]
                .iter()
                .flat_map(|k| ["vx", "vy", "vz", "px", "py", "pz"].map(|q| format!("ground_force_{k}_{q}"))),
        )
        .collect();
    assert_same(&lab.examine("labels").unwrap(), "labels");
}

#[test]
fn forces_on_the_plates_in_millimetres_give_the_same_answer() {
    let Some(mut lab) = Laboratory::here() else { return };
    let labels = lab.forces.labels.clone();
    for row in lab.forces.values.chunks_exact_mut(labels.len()) {
        for (value, label) in row.iter_mut().zip(&labels) {
            if label.contains("_p") {
                *value *= 1e3;
            } else if label.contains("torque") {
                *value *= -1e3;
            } else if label.contains("_v") {
                *value = -*value;
            }
        }
    }
    let found = lab.examine("reaction").unwrap();
    assert_eq!(found.remarks.len(), 4, "{:?}", found.remarks);
    assert_same(&found, "reaction");
}

#[test]
fn noise_of_half_a_millimetre_raises_no_false_alarm_and_costs_little() {
    for seed in 0..5 {
        let Some(mut lab) = Laboratory::here() else { return };
        let mut state = stream(seed, 3);
        for value in lab.walk.positions.iter_mut().flatten() {
            *value += 0.5 * 12f64.sqrt() * (unit(&mut state) - 0.5);
        }
        let found = lab.examine("noise").unwrap();
        let mut names: Vec<&str> = found.slips.iter().map(|s| s.marker.as_str()).collect();
        names.sort_unstable();
        assert_eq!(names, ["L.Midfoot.Lat", "L.Midfoot.Sup"]);
        let [x, y, z] = found.whole_body.against_plates.unwrap();
        assert!(y <= 2.5 && x <= 3.5 && z <= 2.5, "{x} {y} {z}");
        assert!((found.ground.forward + 1.16).abs() < 0.025, "{:?}", found.ground);
    }
}

#[test]
fn cameras_of_two_hundred_hertz_give_the_same_stances_slips_and_forces() {
    let Some(mut lab) = Laboratory::here() else { return };
    let plain = lab.examine("60 Hz").unwrap();
    let (count, old) = (lab.walk.markers.len(), lab.walk.positions.clone());
    let frames = 501;
    lab.walk.positions = vec![[0.0; 3]; frames * count];
    for marker in 0..count {
        for axis in 0..3 {
            let values: Vec<f64> = (0..151).map(|f| old[f * count + marker][axis]).collect();
            let spline = Spline::uniform(0.0, 60.0, &values, 5).unwrap();
            for frame in 0..frames {
                lab.walk.positions[frame * count + marker][axis] = spline.value(frame as f64 / 200.0);
            }
        }
    }
    lab.walk.times = (0..frames).map(|i| i as f64 / 200.0).collect();
    lab.walk.frames = (1..=frames).map(|i| i as f64).collect();
    lab.walk.data_rate = Some(200.0);
    let found = lab.examine("200 Hz").unwrap();
    assert_eq!((found.rate_hz, found.slips.len(), found.stances.len()), (200.0, 2, 6));
    for (a, b) in found.stances.iter().zip(&plain.stances) {
        let away = (a.stance.begin - b.stance.begin).abs().max((a.stance.end - b.stance.end).abs());
        assert!(away < 6e-3 && a.plate == b.plate, "{a:?} {b:?}");
    }
    let [x, y, z] = found.whole_body.against_plates.unwrap();
    assert!(y <= 2.0 && x <= 3.0 && z <= 2.0, "{x} {y} {z} at {:?}", found.filter.centre_of_mass_hz);
    assert!((found.ground.forward + 1.16).abs() < 0.02, "{:?}", found.ground);
}
