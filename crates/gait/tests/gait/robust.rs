//! Other bodies, speeds, rates and noises than those of the measured trial, on walks of the engine's own, whose forces
//! are known.

use super::recovery::{noise_of, trial_with};
use rattleback_gait::body::MassTable;
use rattleback_gait::predict::{CalibrationSettings, Walk, calibrate, feet_only, score};
use rattleback_gait::synthetic::SyntheticWalk;

#[test]
fn walks_of_other_bodies_and_speeds_are_predicted() {
    for (weight, belt, rate_hz, noise, most) in [
        (350.0, -1.2, 100.0, 0.0, 0.03),
        (1200.0, -1.2, 100.0, 0.0, 0.03),
        (700.0, -0.6, 100.0, 0.2e-3, 0.04),
        (700.0, -1.8, 100.0, 0.2e-3, 0.05),
        (700.0, -1.2, 50.0, 0.3e-3, 0.05),
        (700.0, -1.2, 250.0, 0.3e-3, 0.05),
        (900.0, -1.5, 120.0, 0.8e-3, 0.10),
    ] {
        let mut walk = SyntheticWalk { weight, belt, rate_hz, ..Default::default() };
        // A heavier body has a stiffer foot.
        for element in &mut walk.foot.elements {
            element.force_at_5mm *= weight / 700.0;
        }
        let markers = walk.markers(&mut noise_of(noise, 5)).unwrap();
        let trial = trial_with(&walk, &markers);
        let settings = CalibrationSettings { mass: Some(weight / 9.806_65), ..Default::default() };
        let seen = Walk::of(&trial, settings.pose_cutoff_hz, None, MassTable::default()).unwrap();
        assert!((seen.ground.forward - belt).abs() < 0.02, "{} {belt}", seen.ground.forward);
        assert!(seen.plate_delay_words().is_none(), "{:?}", seen.plate_delay_words());
        // Strikes are half a stride of 1.2 s apart.
        let strikes: Vec<f64> = seen.stances.iter().filter(|s| s.has_strike).map(|s| s.begin).collect();
        for pair in strikes.windows(3) {
            assert!((pair[2] - pair[0] - 1.2).abs() < 0.03, "{belt}: {strikes:?}");
        }
        let foot = calibrate(&seen, &settings).unwrap().foot;
        let prediction = feet_only(&seen, &foot).unwrap();
        for (k, interval) in [(0, [1.32, 2.06]), (1, [0.6, 1.34])] {
            let s = score(&prediction.feet[k], &trial.plates[k], interval, weight).unwrap();
            println!("{weight} N {belt} m/s {rate_hz} Hz {noise:.1e} m: {:.2} %", 100.0 * s.force[1]);
            assert!(s.force[1] < most, "{weight} {belt} {rate_hz} {noise}: {s:?}");
        }
    }
}
