//! Scenes of robots move as mechanics says.

use super::import;
use rattleback_dynamics::mechanism::Step;
use rattleback_dynamics::{Run, Scheme};
use rattleback_scene::{ImportOptions, Scene};

/// The scene after `duration` seconds in steps of `step`.
fn run<'m>(scene: &'m Scene, step: f64, duration: f64) -> Run<'m> {
    let Scheme::Mechanism(settings) = scene.scheme else { panic!("{:?}", scene.scheme) };
    let scheme =
        Scheme::Mechanism(rattleback_dynamics::mechanism::Settings { step: Step::Fixed(step), ..settings });
    let mut run = Run::new(&scene.model, scene.state.clone(), &scheme).unwrap();
    run.advance(duration, &mut |_| Ok(())).unwrap();
    run
}

/// Lagrange's equations of two rods, angles from the vertical: m₁ = 1 with its centre c₁ = 0.25 from the pivot and
/// I₁ = 0.02, length L = 0.5; m₂ = 0.5, c₂ = 0.2, I₂ = 0.01.
fn accelerations([a, b, da, db]: [f64; 4]) -> [f64; 4] {
    let (m1, c1, i1, l, m2, c2, i2, g) = (1.0, 0.25, 0.02, 0.5, 0.5, 0.2, 0.01, 9.81);
    let (aa, bb) = (i1 + m1 * c1 * c1 + m2 * l * l, i2 + m2 * c2 * c2);
    let (ab, s) = (m2 * l * c2 * (a - b).cos(), m2 * l * c2 * (a - b).sin());
    let (p, q) = (-s * db * db - (m1 * c1 + m2 * l) * g * a.sin(), s * da * da - m2 * c2 * g * b.sin());
    let det = aa * bb - ab * ab;
    [da, db, (p * bb - q * ab) / det, (q * aa - p * ab) / det]
}

/// The angles after a second from rest with both rods level, by the classical Runge–Kutta method.
fn angles_after_a_second() -> [f64; 2] {
    let (steps, mut y) = (4000, [std::f64::consts::FRAC_PI_2, std::f64::consts::FRAC_PI_2, 0.0, 0.0]);
    let h = 1.0 / f64::from(steps);
    let plus = |y: [f64; 4], k: [f64; 4], h: f64| [0, 1, 2, 3].map(|i| y[i] + h * k[i]);
    for _ in 0..steps {
        let k1 = accelerations(y);
        let k2 = accelerations(plus(y, k1, h / 2.0));
        let k3 = accelerations(plus(y, k2, h / 2.0));
        let k4 = accelerations(plus(y, k3, h));
        y = [0, 1, 2, 3].map(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
    }
    [y[0], y[1]]
}

#[test]
fn a_double_pendulum_of_either_format_swings_as_lagrange_says() {
    let [a, b] = angles_after_a_second();
    for name in ["double_pendulum.xml", "double_pendulum.urdf"] {
        let (imported, scene) = import(name, &ImportOptions::default());
        assert_eq!((imported.bodies, imported.joints), (2, 2), "{name}");
        let run = run(&scene, 2.5e-4, 1.0);
        let heights: Vec<f64> =
            run.state().motions[1..].iter().map(|motion| motion.pose.position.z).collect();
        let expected = [2.0 - 0.25 * a.cos(), 2.0 - 0.5 * a.cos() - 0.2 * b.cos()];
        for (height, expected) in heights.iter().zip(expected) {
            assert!((height - expected).abs() < 2e-6, "{name}: {height} {expected}");
        }
    }
}

#[test]
fn both_formats_give_the_same_model() {
    let (_, one) = import("double_pendulum.xml", &ImportOptions::default());
    let (_, other) = import("double_pendulum.urdf", &ImportOptions::default());
    for (a, b) in one.model.bodies().iter().zip(other.model.bodies()) {
        assert_eq!((&a.name, a.body.mass, a.parts.len()), (&b.name, b.body.mass, b.parts.len()));
        assert!((a.body.inertia - b.body.inertia).amax() < 1e-17);
        assert!((a.motion.pose.position - b.motion.pose.position).amax() < 1e-15);
    }
    assert_eq!(one.model.joints().len(), other.model.joints().len());
}

/// The right finger turns against the left one, the tip by half of it on top of it.
#[test]
fn fingers_that_mimic_turn_together() {
    let (imported, scene) = import("gripper.urdf", &ImportOptions::default());
    // Three hinges, a slide, two gears; the slide follows nothing.
    assert_eq!(imported.joints, 6);
    let slide =
        imported.losses.iter().find(|loss| loss.what.contains("slider_joint follows left_joint")).unwrap();
    assert!(slide.what.contains("both must be hinges"), "{slide}");
    let run = run(&scene, 1e-3, 0.3);
    let turn = |name: &str| {
        let k = scene.model.bodies().iter().position(|body| body.name == name).unwrap();
        let r = run.state().motions[k].pose.rotation();
        r[(0, 2)].atan2(r[(2, 2)])
    };
    let (left, right, tip) = (turn("left"), turn("right"), turn("tip"));
    assert!(left.abs() > 0.1, "it moves: {left}");
    assert!((right + left).abs() < 1e-8, "{left} {right}");
    // Absolute: that of the finger, and 0.5 of it and 0.25 from the joint.
    assert!((tip - left - (0.5 * left + 0.25)).abs() < 1e-8, "{left} {tip}");
}

/// The shoulder begins at its lower stop, 0.3 rad below the level, and falls to the upper one, 1.5 rad, which yields.
#[test]
fn an_arm_falls_onto_its_stop() {
    let (imported, scene) = import("arm.urdf", &ImportOptions::default());
    assert!(super::tells(&imported, 64, "begins at 0.3"), "{:?}", imported.losses);
    let run = run(&scene, 1e-3, 1.0);
    let k = scene.model.bodies().iter().position(|body| body.name == "upper_arm").unwrap();
    let along = run.state().motions[k].pose.vector_to_world(&rattleback_geom::Vec3::x());
    let shoulder = (-along.z).atan2(along.x.hypot(along.y));
    assert!((1.0..1.57).contains(&shoulder), "{shoulder}");
}

#[test]
fn a_hopper_lands_on_its_sole() {
    let (imported, scene) = import("hopper.xml", &ImportOptions::default());
    assert_eq!((imported.bodies, imported.joints), (2, 2));
    let run = run(&scene, 1e-3, 0.5);
    let torso = scene.model.bodies().iter().position(|body| body.name == "torso").unwrap();
    let pose = run.state().motions[torso].pose;
    // The sole's lowest point is 0.24 m above the floor at the start: it has fallen that far and stands, or topples.
    assert!(pose.position.z < 0.8 && pose.position.z > 0.1, "{}", pose.position);
    assert!(pose.position.y.abs() < 1e-9 && pose.rotation()[(1, 1)] > 1.0 - 1e-9, "it stays in its plane");
}

#[test]
fn joints_that_are_held_stay() {
    let options = ImportOptions { hold: true, ..ImportOptions::default() };
    let (_, scene) = import("arm.urdf", &options);
    let run = run(&scene, 1e-3, 0.5);
    for (body, (now, then)) in
        scene.model.bodies().iter().zip(run.state().motions.iter().zip(&scene.state.motions))
    {
        let moved = (now.pose.position - then.pose.position).norm();
        assert!(moved < 0.03, "{}: {moved}", body.name);
    }
    let limp = import("arm.urdf", &ImportOptions::default()).1;
    assert!(limp.model.actions().len() < scene.model.actions().len());
}
