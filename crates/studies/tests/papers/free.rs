//! Free bodies of the papers: closed forms, energy.

use rattleback_dynamics::{Energy, Run, RunEvent};
use rattleback_geom::Vec3;
use rattleback_scene::Scene;
use rattleback_studies::marques::{GRAVITY, rolling_sphere, tumbling_ellipsoid};
use rattleback_studies::{Case, roemer_box};

fn run(scene: &Scene) -> Run<'_> {
    Run::new(&scene.model, scene.state.clone(), &scene.scheme).unwrap()
}

#[test]
fn a_sphere_rolls_down_an_incline_at_five_sevenths_of_g_sin_alpha() {
    for angle in [0.1, 0.3, 0.6] {
        let case = rolling_sphere(angle).unwrap();
        let mut run = run(&case);
        let along = Vec3::new(angle.cos(), 0.0, -angle.sin());
        let mut speeds = Vec::new();
        for time in [0.5, 1.0] {
            run.advance(time, &mut |_| Ok(())).unwrap();
            speeds.push(run.state().motions[1].velocity.dot(&along));
        }
        let (found, exact) = ((speeds[1] - speeds[0]) / 0.5, 5.0 / 7.0 * GRAVITY * angle.sin());
        // The contact's depth shortens the rolling radius by about 1e-3 of it.
        assert!((found / exact - 1.0).abs() < 1e-3, "{angle}: {found} against {exact}");
        // It rolls: the slip is a small part of its speed.
        let motion = &run.state().motions[1];
        let angular_velocity = motion.pose.vector_to_world(&motion.angular_velocity_body);
        assert!((angular_velocity.y * 0.1 / speeds[1] - 1.0).abs() < 2e-3, "{angle}: {angular_velocity:?}");
    }
}

#[test]
fn an_ellipsoid_rolls_down_a_plane_until_it_lifts_off() {
    let case = tumbling_ellipsoid().unwrap();
    let mut run = run(&case);
    let total = Energy::of(&case.model, run.state()).unwrap().total();
    let (mut lifted, mut first_contact, mut worst) = (None, None, 0.0f64);
    run.advance(case.duration, &mut |now| {
        match now.event {
            RunEvent::Begin(_) => first_contact = first_contact.or(Some(now.state.time)),
            RunEvent::End(_) => lifted = lifted.or(Some(now.state.time)),
            RunEvent::Step => {}
        }
        worst = worst.max((Energy::of(&case.model, now.state)?.total() - total).abs());
        Ok(())
    })
    .unwrap();
    let (begun, lifted) = (first_contact.unwrap(), lifted.unwrap());
    assert!(lifted - begun > 0.3, "it rolls from {begun} to {lifted} only");
    // It has turned off the line of greatest slope.
    assert!(run.state().motions[1].pose.position.y.abs() > 0.01);
    assert!(worst < 1e-6 * 10.0, "the ledger misses {worst} J");
}

#[test]
fn roemers_ellipsoids_come_to_rest_in_their_box_with_the_ledger_closed() {
    let case = Case::scene_of(roemer_box::CASE).unwrap();
    let mut run = run(&case);
    let total = Energy::of(&case.model, run.state()).unwrap().total();
    let (mut last, mut rise, mut worst, mut touched) =
        (f64::INFINITY, 0.0f64, 0.0f64, std::collections::BTreeSet::new());
    run.advance(case.duration, &mut |now| {
        let energy = Energy::of(&case.model, now.state)?;
        rise = rise.max(energy.mechanical() - last);
        last = energy.mechanical();
        worst = worst.max((energy.total() - total).abs());
        if let RunEvent::Begin(pair) = now.event {
            touched.insert(pair);
        }
        Ok(())
    })
    .unwrap();
    assert!(touched.len() >= 8, "few pairs ever touched: {touched:?}");
    // Against the 2962 J at the start: 1e-7, as the tolerance allows.
    assert!(worst < 1e-6 * total, "the ledger misses {worst} J");
    assert!(rise < 1e-8 * total, "the energy rises by {rise} J");
    let energy = Energy::of(&case.model, run.state()).unwrap();
    assert!(energy.kinetic < 1e-3 * total, "{energy:?}");
    assert!(energy.contacts.damped > 0.2 * total && energy.contacts.friction_loss > 0.2 * total);
}

#[test]
fn the_box_is_that_of_table_c_3() {
    let Scene { model, state, duration, .. } = Case::scene_of(roemer_box::CASE).unwrap();
    let [walls, first, second] = model.bodies() else { panic!("{}", model.bodies().len()) };
    assert_eq!((walls.parts.len(), first.parts.len(), second.parts.len(), duration), (5, 1, 1, 4.0));
    for (body, mass, moments) in [(first, 200.0, [2.0, 4.0, 5.2]), (second, 50.0, [0.1, 1.0, 0.9])] {
        assert_eq!(body.body.mass, mass);
        assert!((body.body.inertia.diagonal() - Vec3::from(moments)).norm() < 1e-15, "{}", body.name);
    }
    for (motion, height) in state.motions[1..].iter().zip([1.0, 2.0]) {
        assert_eq!(motion.pose.position, Vec3::new(-0.25, -0.5, height));
        // π about the vertical.
        let angular_velocity = motion.pose.vector_to_world(&motion.angular_velocity_body);
        assert!(
            (angular_velocity - Vec3::new(0.0, 0.0, std::f64::consts::PI)).norm() < 1e-14,
            "{angular_velocity}"
        );
    }
    let energy = Energy::of(&model, &state).unwrap().total();
    assert!((energy - 2962.295).abs() < 1e-3, "{energy}");
}
