//! Boxes that push each other over.

use rattleback_dynamics::Run;
use rattleback_geom::Vec3;
use rattleback_studies::Case;

#[test]
fn dominoes_fall_one_after_another_and_rest_on_each_other() {
    let scene = Case::scene_of("dominoes").unwrap();
    let mut run = Run::new(&scene.model, scene.state.clone(), &scene.scheme).unwrap();
    let before = run.energy().unwrap().total();
    // When each leans by 10°: beyond the 9.5° at which its mass centre stands above its edge.
    let mut fallen = [None; 8];
    run.advance(scene.duration, &mut |seen| {
        for (k, when) in fallen.iter_mut().enumerate() {
            let up = seen.state.motions[k + 1].pose.vector_to_world(&Vec3::z()).z;
            if when.is_none() && up < 10f64.to_radians().cos() {
                *when = Some(seen.state.time);
            }
        }
        Ok(())
    })
    .unwrap();
    let times = fallen.map(|when| when.expect("it falls"));
    assert!(times.windows(2).all(|pair| pair[0] < pair[1]), "{times:?}");
    // The wave settles to one pace: what a domino gains from its fall it gives to the next.
    let paces: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(paces[3..6].iter().all(|pace| (pace / paces[4] - 1.0).abs() < 0.3), "{paces:?}");
    // Each leans on the next one, the last lies flat.
    let motions = &run.state().motions[1..];
    for (k, motion) in motions.iter().enumerate() {
        let lean = motion.pose.vector_to_world(&Vec3::z()).x.asin().to_degrees();
        assert!(if k < 7 { (60.0..80.0).contains(&lean) } else { lean > 85.0 }, "{k}: {lean}");
        assert!(motion.velocity.norm() < 0.05 && motion.pose.position.y.abs() < 2e-3, "{k}: {motion:?}");
    }
    let strayed = run.energy().unwrap().total() - before;
    let in_play: f64 = scene.model.bodies()[1..].iter().map(|body| body.body.mass * 9.81 * 0.02).sum();
    assert!(strayed.abs() < 0.1 * in_play, "{strayed:e} of {in_play:e}");
}
