use super::measured;
use rattleback_gait::doctor::{Known, examine};
use rattleback_gait::trial::Side;

#[test]
fn both_left_midfoot_markers_are_named_and_no_other() {
    let Some(trial) = measured() else { return };
    let found = examine(&trial, &Known::default()).unwrap();
    let mut names: Vec<&str> = found.slips.iter().map(|s| s.marker.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["L.Midfoot.Lat", "L.Midfoot.Sup"]);
    for slip in &found.slips {
        let covers = |time: f64| slip.intervals.iter().any(|[a, b]| *a <= time && time <= *b);
        assert!(covers(1.70), "{slip:?}");
    }
}

#[test]
fn the_measured_trial_is_told_its_plates_mass_and_times() {
    let Some(trial) = measured() else { return };
    let found = examine(&trial, &Known::default()).unwrap();
    assert_eq!((found.plates_of(Side::Right), found.plates_of(Side::Left)), (vec!["0"], vec!["1"]));
    assert!(found.stances.iter().all(|s| !s.beside && !s.shared));
    for s in &found.stances {
        let away = |a: Option<f64>, b: f64| a.is_none_or(|a| (a - b).abs() < 0.01);
        assert!(away(s.plate_times[0], s.stance.begin) && away(s.plate_times[1], s.stance.end), "{s:?}");
    }
    // The mean of the plates over a stride is 714.7 N.
    let mass = found.mass.as_ref().unwrap();
    assert!((mass.kg - 72.88).abs() < 0.3 && mass.deviation_kg < 0.3, "{mass:?}");
    assert_eq!(found.unloaded_centres.len(), 2);
    let [x, y, z] = found.whole_body.against_plates.unwrap();
    assert!(y <= 2.0 && x <= 3.0 && z <= 2.0, "{x} {y} {z}");
    let lines = found.lines().join("\n");
    for part in ["rounded by up to 0.33 ms", "a treadmill, -1.15", "plate 0", "L.Midfoot.Sup slips", "72.9"] {
        assert!(lines.contains(part), "{part}\n{lines}");
    }
    // Heel markers of this trial were filtered, toe markers were not.
    let smooth = &found.filter.smoothed_markers;
    assert!(smooth.contains(&"R.Heel".to_owned()) && !smooth.contains(&"R.Toe.Lat".to_owned()), "{smooth:?}");
}

#[test]
fn a_mass_that_is_given_is_taken_and_an_impossible_one_refused() {
    let Some(trial) = measured() else { return };
    let known = |mass| Known { mass_kg: Some(mass), ..Known::default() };
    assert_eq!(examine(&trial, &known(70.0)).unwrap().mass.unwrap().kg, 70.0);
    for mass in [0.0, -3.0, f64::NAN, 7e4] {
        assert!(examine(&trial, &known(mass)).is_err(), "{mass}");
    }
}
