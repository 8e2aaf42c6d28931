//! A windlass's line in every regime, and windlasses that cannot be. What it does to a mechanism is tested with
//! mechanisms.

use super::bad_input::said;
use super::{check_power_of, check_tangents_of, ends, motions};
use rattleback_dynamics::force::{Force, Windlass, WindlassState, add_loads};
use rattleback_geom::Vec3;

fn windlass() -> Windlass {
    let [a, b] = ends();
    Windlass {
        a,
        b,
        length: 1.5,
        speed: 0.2,
        start: 1.0,
        ramp: 2.0,
        shortest: 0.4,
        rigidity: 100.0,
        damping: 3.0,
        limit: 20.0,
        shoulder: 0.25,
        brake: 40.0,
        brake_at: Some(9.0),
        brake_after_stall: Some(2.0),
    }
}

#[test]
fn a_line_taut_slack_and_following_freely() {
    let windlass = windlass();
    // (length over the unstretched one, its rate, the rate of the unstretched one)
    for (ahead, rate, winding) in
        [(0.1, 0.2, -0.2), (0.1, -0.1, 0.0), (0.3, 0.0, 0.3), (-0.2, 0.5, -0.2), (0.01, -3.0, 0.1)]
    {
        let motions = motions([&windlass.a, &windlass.b], 1.2 + ahead, rate);
        let remembered =
            |time: f64| WindlassState { length: 1.2 + winding * time, rate: winding, ..windlass.first() };
        let loading = |time: f64, motions: &[_], tangent| windlass.load(&remembered(time), motions, tangent);
        let name = format!("windlass {ahead} {rate} {winding}");
        check_tangents_of(&name, &loading, 0.0, &motions);
        check_power_of(&name, &loading, 0.0, &motions);
        let load = loading(0.0, &motions, false);
        let tension = load.on(0)[0].dot(&(Vec3::new(2.0, -1.0, 2.0) / 3.0));
        let expected = if ahead > 0.0 { 100.0 * ahead / 1.2 + 3.0 * (rate - winding) } else { 0.0 };
        assert!((tension - expected.max(0.0)).abs() < 1e-12, "{name}: {tension}");
        assert!((windlass.tension(&remembered(0.0), &motions) - tension).abs() < 1e-12);
    }
}

#[test]
fn windlasses_that_cannot_be_are_refused_by_name() {
    let good = windlass();
    assert_eq!(said(Force::Windlass(good)), "accepted");
    for (bad, expected) in [
        (Windlass { length: 0.3, ..good }, "length of a windlass = 0.3"),
        (Windlass { shortest: 0.0, ..good }, "shortest of a windlass = 0"),
        (Windlass { speed: -0.1, ..good }, "speed of a windlass = -0.1"),
        (Windlass { start: f64::NAN, ..good }, "start of a windlass = NaN"),
        (Windlass { ramp: -1.0, ..good }, "ramp of a windlass = -1"),
        (Windlass { rigidity: 0.0, ..good }, "rigidity of a windlass = 0"),
        (Windlass { damping: f64::INFINITY, ..good }, "damping of a windlass = inf"),
        (Windlass { limit: 0.0, ..good }, "limit of a windlass = 0"),
        (Windlass { shoulder: 1.5, ..good }, "shoulder of a windlass = 1.5"),
        (Windlass { brake: 19.0, ..good }, "brake of a windlass = 19"),
        (Windlass { brake_at: Some(f64::NAN), ..good }, "brake_at of a windlass = NaN"),
        (Windlass { brake_after_stall: Some(-1.0), ..good }, "brake_after_stall of a windlass = -1"),
        (Windlass { b: good.a, ..good }, "a windlass: both ends are on body ship"),
    ] {
        let message = said(Force::Windlass(bad));
        assert!(message.starts_with(expected), "{message}");
    }
}

#[test]
fn whoever_does_not_remember_the_length_refuses_a_windlass() {
    let good = windlass();
    let motions = motions([&good.a, &good.b], 1.6, 0.0);
    let refused = add_loads(&[Force::Windlass(good)], 0.0, &motions, &mut [[Vec3::zeros(); 2]; 2]);
    assert!(refused.unwrap_err().to_string().starts_with("a windlass: it remembers"));
}
