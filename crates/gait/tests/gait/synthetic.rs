//! A walk made of known numbers: feet that stand flat on four plates, two of them lower, and swing between.

use rattleback_gait::body::GRAVITY;
use rattleback_gait::doctor::{Known, examine};
use rattleback_gait::trial::{Axes, Landmark, Marker, Plate, Role, Side, StandingMarker, Timing, Trial};
use rattleback_geom::{Mat3, Vec3};
use rattleback_random::{stream, unit};

const SPEED: f64 = 1.2;
const STRIDE: f64 = 1.1;
const STANCE: f64 = 0.66;
const MASS: f64 = 68.0;
const RATE: f64 = 100.0;
const DURATION: f64 = 5.0;

/// Markers of a foot, of a right one, in its own frame.
const FOOT: [(Landmark, [f64; 3]); 6] = [
    (Landmark::Heel, [0.0, 0.07, 0.0]),
    (Landmark::MidfootSuperior, [0.14, 0.08, -0.03]),
    (Landmark::MidfootLateral, [0.14, 0.05, 0.05]),
    (Landmark::MetatarsalFirst, [0.22, 0.05, -0.05]),
    (Landmark::MetatarsalFifth, [0.20, 0.04, 0.05]),
    (Landmark::ToeTip, [0.28, 0.04, 0.0]),
];

fn sign(side: Side) -> f64 {
    if side == Side::Right { 1.0 } else { -1.0 }
}

/// The heel strikes of a foot come at these times, and it stands there.
fn strike(side: Side, k: usize) -> (f64, f64) {
    let time = STRIDE * k as f64 + if side == Side::Right { 0.1 } else { 0.1 + STRIDE / 2.0 };
    (time, SPEED * time)
}

/// Where a foot is, and the number of its stance while it stands; `low` is the depth of the plates of odd stances.
fn foot(side: Side, time: f64, low: f64) -> (Vec3, Option<usize>) {
    let height = |k: usize| if k % 2 == 1 { -low } else { 0.0 };
    let z = 0.1 * sign(side);
    let begin = strike(side, 0);
    if time < begin.0 {
        let share = ((begin.0 - time) / (STRIDE - STANCE)).min(1.0);
        return (Vec3::new(begin.1 - SPEED * STRIDE * ease(share), 0.06 * share, z), None);
    }
    let k = ((time - begin.0) / STRIDE) as usize;
    let (strike_at, x) = strike(side, k);
    if time - strike_at <= STANCE {
        return (Vec3::new(x, height(k), z), Some(k));
    }
    let share = (time - strike_at - STANCE) / (STRIDE - STANCE);
    let lift = 0.06 * (std::f64::consts::PI * share).sin().powi(2);
    let level = height(k) + (height(k + 1) - height(k)) * ease(share);
    (Vec3::new(x + SPEED * STRIDE * ease(share), level + lift, z), None)
}

/// From zero to one without velocity and acceleration at the ends.
fn ease(s: f64) -> f64 {
    s * s * s * (10.0 - 15.0 * s + 6.0 * s * s)
}

/// A walk with plates 0 to 3 (right and left of even stances, right and left of odd ones, which are lower by `low`),
/// over the ground or on a belt, with noise of a standard deviation in m.
fn walk(low: f64, belt: f64, noise: f64) -> Trial {
    let times: Vec<f64> = (0..(DURATION * RATE) as usize).map(|i| i as f64 / RATE).collect();
    let mut state = stream(11, 0);
    let mut random = |p: Vec3| p + Vec3::from_fn(|_, _| noise * (unit(&mut state) - 0.5) * 12f64.sqrt());
    let (mut markers, mut standing) = (Vec::new(), Vec::new());
    let mut add = |landmark: Landmark, side: Side, still: Vec3, at: &dyn Fn(f64) -> Vec3| {
        let role = Some(Role { landmark, side });
        let name = Role { landmark, side }.word();
        let positions = times.iter().map(|t| Some(random(at(*t) + Vec3::x() * (belt * t)))).collect();
        markers.push(Marker { name: name.clone(), role, positions });
        standing.push(StandingMarker { name, role, position: still });
    };
    for side in Side::BOTH {
        for (landmark, [x, y, z]) in FOOT {
            let local = Vec3::new(x, y, z * sign(side));
            add(landmark, side, local, &|t| foot(side, t, low).0 + local);
        }
        let hip = Vec3::new(0.1, 1.0, 0.13 * sign(side));
        add(Landmark::Asis, side, hip, &|t| Vec3::x() * (SPEED * t) + hip);
    }
    add(Landmark::Sacrum, Side::Middle, Vec3::y(), &|t| Vec3::new(SPEED * t - 0.1, 1.0, 0.0));
    let plates = (0..4).map(|i| plate(i, low, belt)).collect();
    let timing = Timing { header_hz: Some(RATE), column_hz: RATE, rounding_s: 0.0, dropped: 0 };
    let axes = Axes { rotation: Mat3::identity(), scale: 1.0 };
    Trial {
        rate_hz: RATE,
        times,
        timing,
        markers,
        plates,
        standing: Some(standing),
        axes,
        remarks: Vec::new(),
    }
}

fn plate(number: usize, low: f64, belt: f64) -> Plate {
    let rate_hz = 10.0 * RATE;
    let times: Vec<f64> = (0..(DURATION * rate_hz) as usize).map(|i| i as f64 / rate_hz).collect();
    let side = Side::BOTH[number % 2];
    let on = |side: Side, time: f64| foot(side, time, low).1;
    let is_here = |time: f64| on(side, time).is_some_and(|k| k % 2 == number / 2);
    let feet = |time: f64| Side::BOTH.iter().filter(|side| on(**side, time).is_some()).count();
    let force = |time: &f64| if is_here(*time) { MASS * GRAVITY / feet(*time) as f64 } else { 0.0 };
    let centre = |time: &f64| Some(foot(side, *time, low).0 + Vec3::new(0.12 + belt * time, 0.0, 0.0));
    Plate {
        name: number.to_string(),
        rate_hz,
        force: times.iter().map(|t| Vec3::y() * force(t)).collect(),
        centre_of_pressure: times.iter().map(|t| is_here(*t).then(|| centre(t)).flatten()).collect(),
        moment: vec![Vec3::zeros(); times.len()],
        times,
    }
}

#[test]
fn a_synthetic_walk_is_told_its_plates_its_ground_and_its_mass() {
    for belt in [0.0, -SPEED] {
        let found = examine(&walk(0.0, belt, 3e-4), &Known::default()).unwrap();
        assert!((found.ground.forward - belt).abs() < 0.01, "{:?}", found.ground);
        assert!((found.walking_speed - SPEED).abs() < 0.01);
        assert!(found.slips.is_empty(), "{:?}", found.slips);
        let whole: Vec<_> =
            found.stances.iter().filter(|s| s.stance.has_strike && s.stance.has_off).collect();
        assert!(whole.len() >= 7, "{}", whole.len());
        for s in whole {
            let k = (0..5).find(|k| (strike(s.stance.side, *k).0 - s.stance.begin).abs() < 0.05).unwrap();
            assert!((s.stance.end - s.stance.begin - STANCE).abs() < 0.1, "{s:?}");
            let number = 2 * (k % 2) + usize::from(s.stance.side == Side::Left);
            assert_eq!(
                (s.plate.as_deref(), s.beside, s.shared),
                (Some(number.to_string().as_str()), false, false)
            );
        }
        let mass = found.mass.unwrap();
        assert!(
            (mass.kg - MASS).abs() < 3.0 * mass.deviation_kg && (mass.kg / MASS - 1.0).abs() < 0.05,
            "{mass:?}"
        );
        assert!(found.whole_body.absent.is_some());
        assert!(found.unloaded_centres.is_empty());
    }
}

#[test]
fn plates_that_are_three_millimetres_lower_are_told_to_a_third_of_one() {
    let found = examine(&walk(3e-3, 0.0, 3e-4), &Known::default()).unwrap();
    let heights: Vec<f64> = found.plate_heights.iter().map(|p| p.height_m).collect();
    assert_eq!(heights.len(), 4);
    for (height, expected) in heights.iter().zip([0.0, 0.0, -3e-3, -3e-3]) {
        assert!((height - expected).abs() < 3e-4, "{heights:?}");
    }
    let lines = found.lines();
    assert!(
        lines.iter().any(|l| l.starts_with("Heights: feet are 3.") || l.starts_with("Heights: feet are 2.9")),
        "{lines:?}"
    );
}

#[test]
fn a_marker_that_slips_on_a_synthetic_foot_is_the_only_one_named() {
    let mut trial = walk(0.0, 0.0, 3e-4);
    for point in trial.markers[2].positions.iter_mut().skip(300).flatten() {
        *point += Vec3::new(0.008, 0.0, 0.006);
    }
    let found = examine(&trial, &Known::default()).unwrap();
    let names: Vec<&str> = found.slips.iter().map(|s| s.marker.as_str()).collect();
    assert_eq!(names, [trial.markers[2].name.as_str()]);
    let [begin, end] = found.slips[0].intervals[0];
    assert!((begin - 3.0).abs() < 0.011 && (end - 4.99).abs() < 0.011, "{:?}", found.slips);
}
