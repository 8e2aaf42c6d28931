//! Trials with faults: each is told, or is one clear error.

use super::laboratory::Laboratory;
use super::{data, scratch};
use rattleback_gait::doctor::{Findings, Known, examine};
use rattleback_gait::file::write_trc;
use rattleback_gait::{Trial, TrialFiles};
use rattleback_random::{below, stream};

#[test]
fn a_marker_that_dips_and_one_that_slips_for_good_are_named_with_their_intervals() {
    for (name, frames, shift) in [
        ("R.Heel", 70..76, [0.0, -15.0, 0.0]),
        ("R.Toe.Lat", 100..151, [9.0, 0.0, 12.0]),
        ("L.Shank.Front", 40..60, [15.0, 10.0, 0.0]),
        ("R.Thigh.Rear", 10..20, [0.0, 14.0, 14.0]),
    ] {
        let Some(mut lab) = Laboratory::here() else { return };
        let (count, marker) =
            (lab.walk.markers.len(), lab.walk.markers.iter().position(|n| n == name).unwrap());
        for frame in frames.clone() {
            for (value, shift) in lab.walk.positions[frame * count + marker].iter_mut().zip(shift) {
                *value += shift;
            }
        }
        let found = lab.examine("slip").unwrap();
        let mut names: Vec<&str> = found.slips.iter().map(|s| s.marker.as_str()).collect();
        names.sort_unstable();
        let mut expected = vec!["L.Midfoot.Lat", "L.Midfoot.Sup", name];
        expected.sort_unstable();
        assert_eq!(names, expected);
        let slip = found.slips.iter().find(|s| s.marker == name).unwrap();
        let [begin, end] = [frames.start, frames.end - 1].map(|f| f as f64 / 60.0);
        let inside = slip.intervals.iter().all(|[a, b]| *a >= begin - 0.02 && *b <= end + 0.02);
        let covered: f64 = slip.intervals.iter().map(|[a, b]| b - a).sum();
        assert!(inside && covered > 0.5 * (end - begin), "{slip:?}");
    }
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
fn one_plate_under_both_feet_is_told_as_shared_and_weighs_the_body() {
    let Some(mut lab) = Laboratory::here() else { return };
    let width = lab.forces.labels.len();
    for row in lab.forces.values.chunks_exact_mut(width) {
        let (a, b) = (row[2], row[8]);
        let share = if a + b > 0.0 { b / (a + b) } else { 0.0 };
        for axis in 0..3 {
            row[4 + axis] += share * (row[10 + axis] - row[4 + axis]);
            row[1 + axis] += row[7 + axis];
            row[7 + axis] = 0.0;
        }
    }
    let found = lab.examine("shared").unwrap();
    // Stances 0 and 5 are cut off: their foot stands in double support only.
    for i in [1, 2, 3, 4] {
        let stance = &found.stances[i];
        assert!(stance.shared && stance.plate.as_deref() == Some("0"), "{stance:?}");
    }
    assert!(found.stances.iter().all(|s| !s.beside));
    assert!(found.lines().iter().any(|l| l.contains("bears the other foot too")));
    assert!((found.mass.unwrap().kg - 72.9).abs() < 0.5);
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
fn names_of_swapped_sides_are_remarked() {
    let Some(mut lab) = Laboratory::here() else { return };
    for trc in [&mut lab.walk, &mut lab.still] {
        for name in &mut trc.markers {
            *name = match name.split_at(2) {
                ("R.", rest) => format!("L.{rest}"),
                ("L.", rest) => format!("R.{rest}"),
                _ => name.clone(),
            };
        }
    }
    let found = lab.examine("swapped").unwrap();
    assert!(found.remarks.iter().any(|r| r.contains("left-handed")), "{:?}", found.remarks);
}

#[test]
fn damaged_trials_give_findings_or_an_error_and_never_a_panic() {
    let Some(_) = data() else { return };
    let mut state = stream(18, 0);
    let (mut whole, mut refused) = (0, 0);
    for _ in 0..40 {
        let mut lab = Laboratory::here().unwrap();
        for _ in 0..=below(&mut state, 4) {
            damage(&mut lab, &mut state);
        }
        match lab.examine("damaged") {
            Ok(found) => {
                whole += 1;
                let lines = found.lines().join("\n");
                assert!(!lines.contains("NaN") && !lines.contains("inf"), "{lines}");
            }
            Err(error) => {
                refused += 1;
                assert!(error.to_string().len() > 20, "{error}");
            }
        }
    }
    assert!(whole > 5 && refused > 5, "{whole} {refused}");
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

fn damage(lab: &mut Laboratory, state: &mut u64) {
    let frames = lab.walk.times.len();
    let count = lab.walk.markers.len();
    match below(state, 9) {
        0 => {
            let marker = below(state, count);
            let value = [f64::NAN, 0.0, 1e9, -1e300][below(state, 4)];
            (0..frames).for_each(|f| lab.walk.positions[f * count + marker] = [value; 3]);
        }
        1 => {
            let first = below(state, frames);
            (first..(first + 30).min(frames))
                .flat_map(|f| f * count..(f + 1) * count)
                .for_each(|i| lab.walk.positions[i] = [f64::NAN; 3]);
        }
        2 => {
            let kept = 1 + below(state, frames);
            lab.walk.times.truncate(kept);
            lab.walk.frames.truncate(kept);
            lab.walk.positions.truncate(kept * count);
        }
        3 => lab.walk.data_rate = Some([0.0, -60.0, 1e9, 59.0, 120.0][below(state, 5)]),
        4 => lab.map_forces(|_| [0.0; 3]),
        5 => {
            let marker = below(state, count);
            lab.walk.markers[marker] = "bottle".to_owned() + &lab.walk.markers[marker];
        }
        6 => lab.still.positions.iter_mut().step_by(3).for_each(|p| *p = [f64::NAN; 3]),
        7 => {
            let factor = [1e-30, 1e30, 0.0, -1.0][below(state, 4)];
            lab.map_markers(|p, _| p.map(|v| v * factor));
        }
        _ => {
            let kept = 1 + below(state, lab.forces.rows());
            lab.forces.values.truncate(kept * lab.forces.labels.len());
        }
    }
}
