use super::measured;
use rattleback_gait::trial::{Landmark, Side};

#[test]
fn the_measured_trial_is_read_with_its_static_trial_and_its_forces() {
    let Some(trial) = measured() else { return };
    assert_eq!((trial.rate_hz, trial.times.len(), trial.markers.len()), (60.0, 151, 41));
    assert!((trial.times[100] - 100.0 / 60.0).abs() < 1e-12);
    assert!(trial.timing.rounding_s > 3e-4);
    assert_eq!(trial.axes.words(), "y up, x forward");
    assert_eq!(trial.plates.len(), 2);
    assert_eq!((trial.plates[0].rate_hz, trial.plates[0].times.len()), (600.0, 1501));
    assert!((trial.plates[0].force[0].y - 745.466_114_2).abs() < 1e-9);
    let heel = trial.standing(Landmark::Heel, Side::Right).unwrap();
    assert!((heel.y - 0.0706).abs() < 1e-4, "{heel}");
    assert!(trial.markers.iter().all(|m| m.role.is_some()));
    assert!(trial.remarks.is_empty(), "{:?}", trial.remarks);
}
