//! The lines of cases are pairs that `rattleback distance` reads, and reads as the same bodies.

use crate::engine::{ask, placed_json, pose, shape};
use crate::kind::KINDS;
use crate::placement::place;
use crate::vector::Random;
use rattleback_contact::narrow::{Start, touch};
use rattleback_scene::parse_pair;
use std::path::Path;

#[test]
fn a_line_of_any_kind_of_body_gives_the_same_answer_to_the_last_bit() {
    let mut compared = 0;
    for (index, kind) in KINDS.into_iter().cycle().take(90).enumerate() {
        let mut random = Random::new(3, index as u64);
        let unit = 2_f64.powi(random.of(&[0, 0, -60, 60]));
        let other = KINDS[1 + random.below(KINDS.len() - 1)];
        let bodies = [kind, other].map(|kind| kind.body(&mut random, 1.0));
        let (_, _, placed) = place(&mut random, &bodies[0], &bodies[1]);
        let made = [0, 1].map(|i| shape(&bodies[i], unit));
        let [Ok(a), Ok(b)] = made else { continue };
        let poses = [0, 1].map(|i| pose(&placed[i].position, &placed[i].quaternion, unit));
        // Positions beyond what the engine accepts are refused.
        let Ok(own) = ask([(&a, &poses[0]), (&b, &poses[1])], None, unit) else { continue };
        let own = own.touch;
        let [a, b] = placed.each_ref().map(|p| placed_json(p.body, &p.position, &p.quaternion, unit));
        let line = format!(r#"{{"id":{{"rule":"gap is not f(normal)"}},"a":{a},"b":{b}}}"#);
        let [a, b] =
            parse_pair(&line, Path::new("")).unwrap_or_else(|error| panic!("{error}: {line}")).bodies;
        let read = touch(&a.shape, &a.pose, &b.shape, &b.pose, Start::Cold).unwrap();
        assert_eq!((own.gap, own.normal), (read.gap, read.normal), "{line}");
        compared += 1;
    }
    assert!(compared > 60, "{compared}");
}
