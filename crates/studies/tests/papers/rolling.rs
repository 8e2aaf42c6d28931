//! Cases that roll: closed forms, and one stone under two solvers.

use rattleback_dynamics::rolling::Settings;
use rattleback_dynamics::{Motion, Run, Scheme};
use rattleback_geom::Vec3;
use rattleback_studies::Case;

#[test]
fn the_rolling_rattleback_is_the_stone_of_the_demonstration() {
    let [stone, rolling] = ["demonstration", "rattleback"].map(|name| Case::scene_of(name).unwrap());
    assert_eq!(rolling.state, stone.state);
    assert_eq!(rolling.scheme, Scheme::Rolling(Settings::default()));
    assert_eq!((rolling.duration, rolling.model.gravity()), (stone.duration, stone.model.gravity()));
    for (a, b) in rolling.model.bodies().iter().zip(stone.model.bodies()) {
        assert_eq!((&a.name, a.body, a.is_free()), (&b.name, b.body, b.is_free()));
        assert_eq!(format!("{:?}", a.parts), format!("{:?}", b.parts));
    }
    let laws = [&rolling, &stone].map(|scene| format!("{:?}", scene.model.all_pairs()));
    assert_eq!(laws[0], laws[1]);
}

#[test]
fn the_ring_comes_back_to_where_it_began() {
    let scene = Case::scene_of("ring").unwrap();
    let mut run = Run::new(&scene.model, scene.state.clone(), &scene.scheme).unwrap();
    // Twice around.
    run.advance(scene.duration, &mut |_| Ok(())).unwrap();
    let (first, last) = (&scene.state.motions[1], &run.state().motions[1]);
    assert!((first.pose.position - last.pose.position).norm() < 1e-7, "{:?}", last.pose.position);
    assert!((first.velocity - last.velocity).norm() < 1e-7, "{:?}", last.velocity);
    let axis = |motion: &Motion| motion.pose.vector_to_world(&Vec3::z());
    assert!((axis(first) - axis(last)).norm() < 1e-7);
}

#[test]
fn the_ball_rolls_down_as_the_closed_form_says() {
    let scene = Case::scene_of("incline").unwrap();
    let mut run = Run::new(&scene.model, scene.state.clone(), &scene.scheme).unwrap();
    run.advance(scene.duration, &mut |_| Ok(())).unwrap();
    let speed = 5.0 / 7.0 * 9.81 * 0.6 * scene.duration;
    assert!((run.state().motions[1].velocity - speed * Vec3::new(0.8, 0.0, -0.6)).norm() < 1e-6);
}
