//! Thin and flat ellipsoids, drawn at random: where curvatures differ by a factor of up to 10⁹.
//!
//! Every semi-axis is 10^u m with u uniform within (−3, 0). A stands at the origin; B, in any orientation, has its
//! centre in a direction uniform on the sphere, at a distance uniform within (0, 1) of the sum of the longest
//! semi-axes. There is no published counterpart.

use crate::draw::Stream;
use crate::roemer::Realisation;
use rattleback_geom::Pose;

mod report;

pub use report::report;

/// The realisation of an index under a seed; any machine, thread or order gives the same.
pub fn realisation(seed: u64, index: u64) -> Realisation {
    let mut stream = Stream::new(seed, index);
    let mut axes = || [(); 3].map(|()| 10f64.powf(-3.0 * stream.unit()));
    let (semi_axes_a, semi_axes_b) = (axes(), axes());
    let longest = |[a, b, c]: [f64; 3]| a.max(b).max(c);
    let reach = longest(semi_axes_a) + longest(semi_axes_b);
    let orientation = stream.rotation();
    let centre = stream.direction() * (reach * stream.unit());
    Realisation {
        semi_axes_a,
        semi_axes_b,
        pose_b: Pose::new(centre, orientation),
        random_normal: stream.direction(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::roemer::query::evidence;

    #[test]
    fn every_answer_is_finite_and_certified() {
        let found = evidence(2000, |index| realisation(1, index));
        assert_eq!((found.count, found.failed, found.not_finite, found.uncertified()), (2000, 0, 0, 0));
        assert_eq!(found.separate + found.global + found.compared, 2000);
        assert!(found.separate > 500 && found.global + found.compared > 100, "{found:?}");
        let [median, most] = [0.5, 1.0].map(|share| found.iterations_within(share));
        assert!(0 < median && median <= most && most + 1 == found.iterations.len(), "{found:?}");
    }
}
