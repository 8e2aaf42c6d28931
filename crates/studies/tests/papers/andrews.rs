//! Andrews' squeezer against the published solution.

use rattleback_dynamics::Mechanism;
use rattleback_dynamics::mechanism::Settings;
use rattleback_scene::Scene;
use rattleback_studies::Case;
use rattleback_studies::mechanism::{SQUEEZER_END as END, SQUEEZER_START as START};

/// β and ε at the end with steps of `h`.
fn solve(h: f64) -> [f64; 2] {
    let Scene { model, mut state, .. } = Case::scene_of("squeezer").unwrap();
    let mut mechanism = Mechanism::new(&model, Settings::default().with_step(h)).unwrap();
    mechanism.advance(&mut state, 0.03, &mut |_, _| Ok(())).unwrap();
    let turned = mechanism.coordinates(&state).unwrap();
    [START[0] + turned[0][0], START[1] + turned[1][0]]
}

#[test]
fn the_squeezer_reaches_the_published_position() {
    let [coarse, middle, fine] = [2e-5, 1e-5, 5e-6].map(solve);
    for i in 0..2 {
        // The errors go with h² and h³.
        let [first, second] = [(coarse, middle), (middle, fine)].map(|(a, b)| b[i] + (b[i] - a[i]) / 3.0);
        let best = second + (second - first) / 7.0;
        let order = ((coarse[i] - END[i]) / (fine[i] - END[i])).log2() / 2.0;
        println!("order {order:.3}, fine error {:e}, extrapolated {:e}", fine[i] - END[i], best - END[i]);
        assert!((order - 2.0).abs() < 0.05, "order {order}");
        assert!((best - END[i]).abs() < 1e-7, "{best}");
    }
}
