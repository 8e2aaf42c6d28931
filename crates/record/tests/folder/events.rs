//! What the sheet of events says about contacts.

use super::run::{Folder, Jointed, Rigid, Runner, hauled, record, soft_ball};
use super::samples::free::GRAVITY;
use super::samples::pendulums::pendulums;
use rattleback_record::{ResultFolder, Sheet};

#[test]
fn an_elastic_bounce_has_the_peaks_of_the_closed_form() {
    let (case, folder) = (soft_ball(1.0), Folder::new());
    record(&case, &folder, 20);
    let events = ResultFolder::open(folder.path()).unwrap().sheet(Sheet::Events).unwrap();
    let number = |column: &str| events.numbers(column).unwrap()[0];
    // Energy: m v²/2 + m g δ = 2/5 K δ^{5/2}, by bisection.
    let (mass, stiffness, fall) = (case.model.bodies()[1].body.mass, 8e4, 0.1);
    let left = |d: f64| mass * GRAVITY * (fall + d) - 0.4 * stiffness * d.powf(2.5);
    let (mut low, mut high) = (0.0, 0.01);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if left(middle) > 0.0 { low = middle } else { high = middle }
    }
    // Some twenty steps make the impact; the greatest of them falls short by more than 1e-3, a parabola by 1e-4.
    let close = |found: f64, expected: f64| (found - expected).abs() < 1e-7 * expected;
    assert!(close(number("deepest_overlap_m"), low), "{} {low}", number("deepest_overlap_m"));
    let force = stiffness * low.powf(1.5);
    assert!(close(number("peak_force_N"), force), "{} {force}", number("peak_force_N"));
    assert!(close(number("approach_speed_m_per_s"), (2.0 * GRAVITY * fall).sqrt()));
    assert!(close(number("start_s"), (2.0 * fall / GRAVITY).sqrt()));
    // An elastic bounce is even in time.
    let middle = 0.5 * (number("start_s") + number("end_s"));
    assert!(close(number("peak_time_s"), middle), "{} {middle}", number("peak_time_s"));
    assert_eq!(events.text("body_a").unwrap()[0], "floor");
    assert_eq!((number("part_b"), number("ongoing")), (0.0, 0.0));
}

#[test]
fn what_contacts_damped_is_what_the_energies_say_and_ends_are_in_order() {
    let (model, state) = pendulums(3, 0.8).unwrap();
    for ball in [true, false] {
        let folder = Folder::new();
        if ball {
            record(&soft_ball(0.6), &folder, 50);
        } else {
            record(&Jointed { model: model.clone(), state: state.clone() }, &folder, 50);
        }
        let folder = ResultFolder::open(folder.path()).unwrap();
        let (events, energies) =
            (folder.sheet(Sheet::Events).unwrap(), folder.sheet(Sheet::Energies).unwrap());
        let damped: f64 = events.numbers("damped_J").unwrap().iter().sum();
        let expected = *energies.numbers("damped_J").unwrap().last().unwrap();
        // Fixed steps book half a step before they tell that a contact has begun.
        let tolerance = if ball { 1e-12 } else { 1e-3 };
        assert!(expected > 0.0 && (damped - expected).abs() <= tolerance * expected, "{damped} {expected}");
        let ends = events.numbers("end_s").unwrap();
        assert!(
            events.rows() > 1 && ends.windows(2).all(|two| two[0] <= two[1] || two[1].is_nan()),
            "{ends:?}"
        );
        assert_eq!(folder.manifest().events as usize, events.rows());
        let starts = events.numbers("start_s").unwrap();
        assert!(starts.iter().zip(ends).all(|(start, end)| start < end || end.is_nan()));
    }
}

#[test]
fn joints_carry_their_weight_in_the_sheet_of_joints() {
    let (model, mut state) = pendulums(2, 0.9).unwrap();
    // Both balls at rest: each hinge holds 0.1 kg.
    state.motions[1] = state.motions[2];
    state.motions[1].pose.position.x = 0.0;
    let folder = Folder::new();
    record(&Jointed { model, state }, &folder, 3);
    let joints = ResultFolder::open(folder.path()).unwrap().sheet(Sheet::Joints).unwrap();
    assert_eq!(joints.rows(), 8);
    for [_, force] in joints.series("joint", "hinge 2", "force_z_N").unwrap() {
        assert!((force - 0.981).abs() < 1e-9, "{force}");
    }
    // They hang still, without motors, and do not slide.
    for [_, rate] in joints.series("joint", "hinge 2", "turn_rate_rad_per_s").unwrap() {
        assert!(rate.abs() < 1e-9, "{rate}");
    }
    for column in ["turn_motor_N_m", "second_turn_rad", "slide_m", "slide_motor_N"] {
        assert!(joints.numbers(column).unwrap().iter().all(|x| x.is_nan()), "{column}");
    }
}

#[test]
fn windlasses_tell_how_hard_they_pull_and_what_they_do() {
    let (case, folder) = (hauled(), Folder::new());
    let last = record(&case, &folder, 30);
    let folder = ResultFolder::open(folder.path()).unwrap();
    assert!(folder.has(Sheet::Windlasses) && !folder.has(Sheet::Rolling));
    let sheet = folder.sheet(Sheet::Windlasses).unwrap();
    assert_eq!(sheet.rows(), 31);
    assert_eq!([sheet.text("body_a").unwrap()[0], sheet.text("body_b").unwrap()[0]], ["hull", "chain 1"]);
    let windlass = case.model.windlasses().next().unwrap();
    let pull = sheet.series("windlass", "1", "pull_N").unwrap();
    assert_eq!(pull[30][1], windlass.tension(&last.windlasses[0], &last.motions));
    // It is thrown at 1 m/s against a brake of 70 N: drawn out at once, wound in later on.
    let (modes, rates) = (sheet.text("mode").unwrap(), sheet.numbers("rate_m_per_s").unwrap());
    assert_eq!(modes[0], "winding");
    assert!(modes.contains(&"slipping") && modes[30] == "winding", "{modes:?}");
    for (mode, rate) in modes.iter().zip(rates).skip(1) {
        assert_eq!(*mode == "slipping", *rate > 0.0, "{mode} at {rate}");
    }
}

#[test]
fn rigid_contacts_tell_their_mode_and_their_coordinates() {
    let (case, folder) = (Rigid::new(), Folder::new());
    let last = record(&case, &folder, 20);
    let folder = ResultFolder::open(folder.path()).unwrap();
    assert!(folder.has(Sheet::Rolling) && !folder.has(Sheet::Windlasses));
    let sheet = folder.sheet(Sheet::Rolling).unwrap();
    assert_eq!(sheet.distinct("body").unwrap(), ["egg", "large", "small"]);
    let (bodies, modes) = (sheet.text("body").unwrap(), sheet.text("mode").unwrap());
    let contact = last.rigid_contacts.unwrap()[3].unwrap();
    let row = (0..sheet.rows()).rev().find(|row| bodies[*row] == "small").unwrap();
    assert_eq!(sheet.text("carrier").unwrap()[row], "large");
    let cells = ["u", "v", "carrier_u", "carrier_v", "angle_rad", "wx_rad_per_s", "wz_rad_per_s"]
        .map(|column| sheet.numbers(column).unwrap()[row]);
    let [own, other] = contact.places;
    let w = &contact.velocities;
    assert_eq!(cells, [own.u, own.v, other.u, other.v, contact.angle, w[0], w[2]]);
    // What rolls has no slip; the egg begins with some and comes to roll.
    let (x, y) = (sheet.numbers("slip_x_m_per_s").unwrap(), sheet.numbers("slip_y_m_per_s").unwrap());
    for row in 0..sheet.rows() {
        assert_eq!(modes[row] == "sliding", x[row].hypot(y[row]) > 0.0, "row {row}");
    }
    assert_eq!(case.model().bodies()[3].name, "small");
}
