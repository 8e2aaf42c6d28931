use super::scene::{Scene, all};
use super::slope;
use rattleback_contact::{Start, derivatives, rates};

/// gap rate, slip, generalised force in one vector.
fn pack(scene: &Scene, start: Start) -> [f64; 16] {
    let (_, kinematics, force) = scene.evaluate(start);
    let mut out = [0.0; 16];
    out[0] = kinematics.gap_rate;
    out[1..4].copy_from_slice(kinematics.slip.as_slice());
    for (k, vector) in force.wrenches(&kinematics).as_flattened().iter().enumerate() {
        out[4 + 3 * k..7 + 3 * k].copy_from_slice(vector.as_slice());
    }
    out
}

#[test]
fn kinematics_and_tangents_agree_with_differences_of_whole_queries() {
    for scene in all() {
        let (contact, kinematics, force) = scene.evaluate(Start::Cold);
        let start = Start::Warm(contact.touch.normal);
        let [a, b] = &scene.bodies;
        let d = derivatives(a, b, &contact).unwrap();
        let twist = [&scene.twist[0], &scene.twist[1]];
        let k = kinematics.derivatives(&d, twist, scene.law.share());
        let partials = scene.law.partials(&contact, &kinematics, &scene.state).unwrap();
        assert_eq!((partials.force, partials.torque), (force.force, force.torque));
        let tangent = partials.tangent(&d, &kinematics, &k, &scene.state);
        for column in 0..12 {
            let mut unit = [0.0; 12];
            unit[column] = 1.0;
            let by_pose = slope(2e-4, |s| pack(&scene.moved(&unit, s), start));
            let by_twist = slope(1e-3, |s| pack(&scene.driven(&unit, s), start));
            let check = |what: &str, row: usize, found: f64, exact: f64, scale: f64| {
                let error = (found - exact).abs() / scale;
                assert!(
                    error < 1e-7,
                    "{} {:?}: {what}[{row}] by {column}: {found} against {exact}",
                    scene.name,
                    scene.law
                );
            };
            check("gap rate by pose", 0, by_pose[0], k.gap_rate_by_pose[column], 10.0);
            check("gap rate by twist", 0, by_twist[0], k.gap_rate_by_twist[column], 1.0);
            for row in 0..3 {
                check("slip by pose", row, by_pose[1 + row], k.slip_by_pose[(row, column)], 10.0);
                check("slip by twist", row, by_twist[1 + row], k.slip_by_twist[(row, column)], 1.0);
            }
            for row in 0..12 {
                let scale = tangent.by_pose.amax();
                check("force by pose", row, by_pose[4 + row], tangent.by_pose[(row, column)], scale);
                let scale = tangent.by_twist.amax();
                check("force by twist", row, by_twist[4 + row], tangent.by_twist[(row, column)], scale);
            }
        }
        for column in 0..3 {
            let found = slope(1e-6, |s| {
                let mut scene = scene.clone();
                scene.state.bristle[column] += s;
                pack(&scene, start)
            });
            for row in 0..12 {
                let error = (found[4 + row] - tangent.by_bristle[(row, column)]).abs();
                assert!(error < 1e-7 * (1.0 + tangent.by_bristle.amax()), "{}: bristle", scene.name);
            }
        }
    }
}

#[test]
fn the_work_of_the_forces_is_what_the_ledger_books() {
    for scene in all() {
        let (contact, kinematics, force) = scene.evaluate(Start::Cold);
        let start = Start::Warm(contact.touch.normal);
        let [a, b] = &scene.bodies;
        let rates = rates(a, b, &contact, [&scene.twist[0], &scene.twist[1]]).unwrap();
        assert!((rates.gap - kinematics.gap_rate).abs() < 1e-13);
        let powers = force.powers(&rates);
        let work: f64 = force
            .wrenches(&kinematics)
            .iter()
            .zip(&scene.twist)
            .map(|([f, torque], twist)| f.dot(&twist.velocity) + torque.dot(&twist.angular_velocity))
            .sum();
        // d(stored)/dt by differences along the motion, the bristle carried along by the law's own rate.
        let mut along = [0.0; 12];
        for (k, twist) in scene.twist.iter().enumerate() {
            along[6 * k..6 * k + 3].copy_from_slice(twist.velocity.as_slice());
            along[6 * k + 3..6 * k + 6].copy_from_slice(twist.angular_velocity.as_slice());
        }
        let bristle_rate = force.bristle_rate(&kinematics, &rates, &scene.state);
        let [storing] = slope(1e-4, |s| {
            let mut scene = scene.moved(&along, s);
            scene.state.bristle += bristle_rate * s;
            let (_, _, force) = scene.evaluate(start);
            [force.elastic + force.bristle]
        });
        let sum = storing + powers.damped + powers.friction_loss - powers.stiffness_change;
        let scale = powers.damped + powers.friction_loss + storing.abs() + powers.stiffness_change.abs();
        assert!((work + sum).abs() < 1e-8 * scale, "{} {:?}: {work} {sum} {powers:?}", scene.name, scene.law);
    }
}

#[test]
fn bodies_apart_exert_no_force() {
    for mut scene in all() {
        let (contact, ..) = scene.evaluate(Start::Cold);
        scene.bodies[1].pose.position += contact.touch.normal * 0.1;
        scene.state.bristle.fill(0.0);
        let (_, kinematics, force) = scene.evaluate(Start::Cold);
        assert!(force.wrenches(&kinematics).as_flattened().iter().all(|v| v.norm() == 0.0));
    }
}

#[test]
fn the_force_acts_nearer_to_the_stiffer_body() {
    use rattleback_contact::law::Application;
    assert_eq!(Application::HalfDepth.share(), 0.5);
    // Marques (46): A much stiffer puts the point on A's surface.
    assert!((Application::ByStiffness([1e12, 1e6]).share() - 1e-6).abs() < 1e-11);
    assert!((Application::ByStiffness([1e6, 1e12]).share() - 1.0).abs() < 2e-6);
    assert_eq!(Application::ByStiffness([3.0, 3.0]).share(), 0.5);
}
