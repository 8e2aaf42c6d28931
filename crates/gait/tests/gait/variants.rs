//! Other laboratories' trials: the measured one in other axes, units, names, over the ground, with steps beside the plates.

use super::{data, raw, scratch};
use rattleback_gait::doctor::{Findings, Known, examine};
use rattleback_gait::file::{Storage, Trc, read_storage, write_storage, write_trc};
use rattleback_gait::{GaitError, Trial, TrialFiles};

/// The files of a laboratory.
struct Laboratory {
    walk: Trc,
    still: Trc,
    forces: Storage,
}

impl Laboratory {
    fn here() -> Option<Self> {
        let (walk, still) = raw()?;
        let forces = read_storage(&data()?.join("subject01_walk1_grf.mot")).unwrap();
        Some(Self { walk, still, forces })
    }

    /// Writes the files under names of another laboratory and examines them.
    fn examine(&self, name: &str) -> Result<Findings, GaitError> {
        let folder = scratch(name);
        write_trc(&self.walk, &folder.join("Gang 03.trc")).unwrap();
        write_trc(&self.still, &folder.join("Static_cal.trc")).unwrap();
        write_storage(&self.forces, &folder.join("gang 03_forces.mot")).unwrap();
        let files = TrialFiles::find(&folder.join("Gang 03.trc")).unwrap();
        assert!(files.still.is_some() && files.forces.is_some(), "{files:?}");
        let found = Trial::read(&files).and_then(|trial| examine(&trial, &Known::default()));
        std::fs::remove_dir_all(folder).unwrap();
        found
    }

    fn map_markers(&mut self, map: impl Fn([f64; 3], f64) -> [f64; 3]) {
        for trc in [&mut self.walk, &mut self.still] {
            let count = trc.markers.len();
            for (i, p) in trc.positions.iter_mut().enumerate() {
                *p = map(*p, trc.times[i / count]);
            }
        }
    }

    /// Maps every group of three columns of the forces.
    fn map_forces(&mut self, map: impl Fn([f64; 3]) -> [f64; 3]) {
        let width = self.forces.labels.len();
        for row in self.forces.values.chunks_exact_mut(width) {
            for three in row[1..].chunks_exact_mut(3) {
                three.copy_from_slice(&map([three[0], three[1], three[2]]));
            }
        }
    }

    fn turn(&mut self, map: impl Fn([f64; 3]) -> [f64; 3]) {
        self.map_markers(|p, _| map(p));
        self.map_forces(map);
    }
}

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
fn a_plate_that_is_three_millimetres_lower_is_told() {
    let Some(mut lab) = Laboratory::here() else { return };
    let plain = lab.examine("level").unwrap();
    let count = lab.walk.markers.len();
    let is_left_foot =
        |name: &str| name.starts_with("L.") && ["Heel", "Midfoot", "Toe"].iter().any(|p| name.contains(p));
    let left: Vec<bool> = lab.walk.markers.iter().map(|n| is_left_foot(n)).collect();
    for (i, p) in lab.walk.positions.iter_mut().enumerate() {
        if left[i % count] && i / count > 66 {
            p[1] -= 3.0;
        }
    }
    let found = lab.examine("lower").unwrap();
    let height = |f: &Findings, i: usize| f.stances[i].height_m.unwrap();
    // Stances 1 and 3 are those of the left foot.
    let step = height(&found, 3) - height(&found, 1) - (height(&plain, 3) - height(&plain, 1));
    assert!((step + 3e-3).abs() < 3e-4, "{step}");
    let plate = |f: &Findings, i: usize| f.plate_heights[i].height_m;
    assert!((plate(&found, 1) - plate(&plain, 1) + 1.5e-3).abs() < 3e-4);
}

#[test]
fn a_step_beside_the_plates_is_told_and_not_weighed() {
    let Some(mut lab) = Laboratory::here() else { return };
    let width = lab.forces.labels.len();
    for row in lab.forces.values.chunks_exact_mut(width).filter(|row| row[0] > 1.1) {
        row[7..10].fill(0.0);
    }
    let found = lab.examine("beside").unwrap();
    let beside: Vec<usize> = (0..found.stances.len()).filter(|i| found.stances[*i].beside).collect();
    assert!(
        beside.contains(&3) && !beside.contains(&1) && !beside.contains(&2) && !beside.contains(&4),
        "{beside:?}"
    );
    assert!((found.mass.as_ref().unwrap().kg - 72.9).abs() < 1.0, "{:?}", found.mass);
    assert!(found.lines().iter().any(|l| l.contains("beside the plates")));
}

#[test]
fn gaps_are_told_and_short_ones_change_little() {
    let Some(mut lab) = Laboratory::here() else { return };
    let count = lab.walk.markers.len();
    let at = |lab: &Laboratory, name: &str| lab.walk.markers.iter().position(|n| n == name).unwrap();
    for (name, frames) in [("R.Heel", 60..65), ("L.Toe.Tip", 90..96), ("R.ASIS", 30..36), ("Sternum", 20..60)]
    {
        let marker = at(&lab, name);
        for frame in frames {
            lab.walk.positions[frame * count + marker] =
                if frame % 2 == 0 { [f64::NAN; 3] } else { [0.0; 3] };
        }
    }
    let found = lab.examine("gaps").unwrap();
    assert_eq!(found.gaps.len(), 4, "{:?}", found.gaps);
    assert_eq!(found.gaps.iter().filter(|g| g.filled).count(), 3);
    let [x, y, z] = found.whole_body.against_plates.unwrap();
    assert!(y <= 2.0 && x <= 3.0 && z <= 2.0, "{x} {y} {z}");
    assert_eq!(found.stances.len(), 6);
}

#[test]
fn a_trial_of_unknown_names_is_one_clear_error_until_they_are_assigned() {
    let Some(mut lab) = Laboratory::here() else { return };
    for trc in [&mut lab.walk, &mut lab.still] {
        for name in trc.markers.iter_mut().filter(|n| n.contains("Heel")) {
            *name = format!("M{}", u8::from(name.starts_with('R')));
        }
    }
    let error = lab.examine("unknown").unwrap_err().to_string();
    assert!(error.contains("heel"), "{error}");
    let folder = scratch("assigned");
    write_trc(&lab.walk, &folder.join("walk.trc")).unwrap();
    let names = folder.join("names.toml");
    std::fs::write(&names, "right_heel = \"M1\"\nleft_heel = [\"M0\"]\n").unwrap();
    let mut files =
        TrialFiles { markers: folder.join("walk.trc"), names: Some(names.clone()), ..TrialFiles::default() };
    let found = examine(&Trial::read(&files).unwrap(), &Known::default()).unwrap();
    assert_eq!(found.stances.len(), 6);
    assert!(found.mass.is_none());
    std::fs::write(&names, "right_heal = \"M1\"\nleft_heel = 3\n").unwrap();
    let error = Trial::read(&files).unwrap_err().to_string();
    assert!(
        error.contains("names.toml:1:1: right_heal") && error.contains("names.toml:2:1: left_heel"),
        "{error}"
    );
    files.names = None;
    assert!(Trial::read(&files).and_then(|t| examine(&t, &Known::default())).is_err());
    std::fs::remove_dir_all(folder).unwrap();
}
