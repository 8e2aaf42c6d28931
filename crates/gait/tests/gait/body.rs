use super::measured;
use rattleback_gait::body::{GRAVITY, MassTable, WholeBody, centre_of_mass};
use rattleback_gait::feet::{FootMotion, ground_speed};
use rattleback_gait::rigid::{Template, fit_pose};
use rattleback_gait::stance;
use rattleback_gait::trial::{Landmark, Marker, Role, Side, Trial};
use rattleback_geom::Vec3;

/// Root mean squares of the whole body's force less that of the plates, 0.19 to 2.42 s, in % of body weight:
/// fore-aft, vertical, lateral.
pub fn errors(trial: &Trial, table: MassTable, cutoff: Option<f64>) -> Vec3 {
    let body = WholeBody::of(trial, table).unwrap();
    let centre = centre_of_mass(&body, cutoff).unwrap();
    let mut plates = vec![Vec3::zeros(); trial.times.len()];
    for plate in &trial.plates {
        for (sum, force) in plates.iter_mut().zip(plate.force_at(&trial.times, trial.rate_hz).unwrap()) {
            *sum += force;
        }
    }
    let mass = 715.0 / GRAVITY;
    let (mut sum, mut count) = (Vec3::zeros(), 0.0);
    for (i, force) in centre.ground_force(mass).iter().enumerate() {
        if (0.19..=2.42).contains(&trial.times[centre.first + i]) {
            let away = (force - plates[centre.first + i]) * (100.0 / (mass * GRAVITY));
            sum += away.component_mul(&away);
            count += 1.0;
        }
    }
    (sum / count).map(f64::sqrt)
}

#[test]
fn the_whole_body_gives_the_sum_of_the_plates_by_every_table() {
    let Some(trial) = measured() else { return };
    for table in [MassTable::Winter, MassTable::DeLevaMen, MassTable::DeLevaWomen] {
        let found = errors(&trial, table, None);
        assert!(found.y <= 2.0 && found.x <= 3.0 && found.z <= 2.0, "{table:?}: {found}");
    }
    let found = errors(&trial, MassTable::Winter, Some(6.0));
    assert!(found.y <= 2.0 && found.x <= 3.0 && found.z <= 2.0, "{found}");
}

#[test]
fn a_body_without_markers_on_its_head_and_hands_says_so() {
    let Some(mut trial) = measured() else { return };
    let is_gone = |name: &str| ["Temple", "Head", "Wrist"].iter().any(|part| name.contains(part));
    trial.markers.retain(|m| !is_gone(&m.name));
    let body = WholeBody::of(&trial, MassTable::Winter).unwrap();
    assert_eq!(body.missing.len(), 5, "{:?}", body.missing);
    assert!(body.missing[0].starts_with("head"));
    let found = errors(&trial, MassTable::Winter, None);
    assert!(found.y <= 2.5 && found.x <= 3.5 && found.z <= 2.5, "{found}");
    trial.markers.retain(|m| !m.name.contains("ASIS"));
    let error = WholeBody::of(&trial, MassTable::Winter).unwrap_err().to_string();
    assert!(error.contains("iliac"), "{error}");
}

#[test]
fn lateral_markers_of_knees_and_ankles_without_a_static_trial_do_nearly_as_well() {
    let Some(mut trial) = measured() else { return };
    let mut added = Vec::new();
    for (side, letter) in [(Side::Right, "R"), (Side::Left, "L")] {
        let names: Vec<String> =
            ["Upper", "Front", "Rear"].iter().map(|n| format!("{letter}.Shank.{n}")).collect();
        let points = names.iter().map(|n| trial.standing_named(n).unwrap()).collect();
        let template = Template::new(names.clone(), points, 6e-3).unwrap();
        let cluster: Vec<usize> =
            names.iter().map(|n| trial.markers.iter().position(|m| m.name == *n).unwrap()).collect();
        for (landmark, name) in [(Landmark::KneeLateral, "KNE"), (Landmark::AnkleLateral, "ANK")] {
            let point = trial.standing(landmark, side).unwrap();
            let positions = (0..trial.times.len())
                .map(|i| {
                    let seen: Vec<_> = cluster.iter().map(|m| trial.markers[*m].positions[i]).collect();
                    Some(fit_pose(&template, &seen)?.pose.point_to_world(&point))
                })
                .collect();
            let role = Some(Role { landmark, side });
            added.push(Marker { name: format!("{letter}{name}"), role, positions });
        }
    }
    trial.standing = None;
    assert!(WholeBody::of(&trial, MassTable::Winter).unwrap_err().to_string().contains("static trial"));
    trial.markers.extend(added);
    let body = WholeBody::of(&trial, MassTable::Winter).unwrap();
    assert_eq!(body.notes.len(), 4, "{:?}", body.notes);
    let found = errors(&trial, MassTable::Winter, None);
    assert!(found.y <= 2.0 && found.x <= 3.0 && found.z <= 2.0, "{found}");
}

#[test]
fn stances_from_kinematics_agree_with_the_plates_to_ten_milliseconds() {
    let Some(trial) = measured() else { return };
    let found = stance::find(&trial).unwrap();
    let expected = [
        (Side::Right, 0.0, 0.1633),
        (Side::Left, 0.0, 0.7867),
        (Side::Right, 0.6167, 1.4083),
        (Side::Left, 1.245, 2.0167),
        (Side::Right, 1.8517, 2.5),
        (Side::Left, 2.4583, 2.5),
    ];
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for (stance, (side, begin, end)) in found.iter().zip(expected) {
        assert_eq!(stance.side, side);
        assert!((stance.begin - begin).abs() < 0.01 && (stance.end - end).abs() < 0.01, "{stance:?}");
    }
    assert!(!found[0].has_strike && found[2].has_strike && found[2].has_off && !found[4].has_off);
}

#[test]
fn the_belt_runs_at_1160_millimetres_a_second_backwards() {
    let Some(trial) = measured() else { return };
    let feet = Side::BOTH.map(|side| FootMotion::of(&trial, side).unwrap());
    let ground = ground_speed(&trial, &feet).unwrap();
    assert!((ground.forward + 1.16).abs() <= 0.02 && ground.is_treadmill(), "{ground:?}");
}
