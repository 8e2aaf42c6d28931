//! Under overlap the least translation of all directions, against a brute-force multi-start.

use super::random::Random;
use rattleback_contact::geom::Vec3;
use rattleback_contact::geom::surface::Shape;
use rattleback_contact::{Branch, Certificate, Collider, Start, contact, contact_from};

/// Directions spread evenly by the golden angle.
fn directions(count: usize) -> Vec<Vec3> {
    (0..count)
        .map(|k| {
            let z = 1.0 - (2 * k + 1) as f64 / count as f64;
            let (angle, ring) = (2.399_963_229_728_653 * k as f64, (1.0 - z * z).sqrt());
            Vec3::new(ring * angle.cos(), ring * angle.sin(), z)
        })
        .collect()
}

/// f(n) from the support functions alone.
fn height(a: &Collider, b: &Collider, n: &Vec3) -> f64 {
    let h = |c: &Collider, n: &Vec3| {
        let support = c.shape.surface().as_support().unwrap();
        n.dot(&c.pose.position) + support.support(&c.pose.vector_to_local(n))
    };
    -h(b, &-n) - h(a, n)
}

/// The highest top that climbs from the best of many directions reach.
fn brute_force(a: &Collider, b: &Collider, directions: &[Vec3]) -> f64 {
    let mut ranked: Vec<(f64, Vec3)> = directions.iter().map(|n| (height(a, b, n), *n)).collect();
    ranked.sort_by(|x, y| y.0.total_cmp(&x.0));
    let mut chosen: Vec<Vec3> = Vec::new();
    for (_, n) in ranked {
        if chosen.len() < 12 && chosen.iter().all(|c| c.dot(&n) < 0.97) {
            chosen.push(n);
        }
    }
    let top = |n: &Vec3| contact_from(a, b, Start::Warm(*n)).unwrap().touch.gap;
    chosen.iter().map(top).fold(f64::NEG_INFINITY, f64::max)
}

/// Runs overlapping pairs and returns (pairs, misses, proved).
fn misses(count: usize, seed: u64, mut shape: impl FnMut(&mut Random) -> Shape) -> (usize, usize, usize) {
    let directions = directions(500);
    let mut random = Random(seed);
    let (mut overlaps, mut missed, mut proved) = (0, 0, 0);
    while overlaps < count {
        let closeness = random.within(0.1, 0.9);
        let (a, b) = random.pair(closeness, &mut shape);
        let touch = contact(&a, &b).unwrap().touch;
        if touch.gap >= 0.0 {
            continue;
        }
        overlaps += 1;
        let Certificate::Overlap { branch, .. } = touch.certificate else { panic!("{touch:?}") };
        let least = brute_force(&a, &b, &directions);
        let short = touch.gap < least - 1e-9;
        assert!(!(short && branch == Branch::Global), "a proof is wrong: {touch:?} against {least}");
        proved += usize::from(branch == Branch::Global);
        missed += usize::from(short);
    }
    (overlaps, missed, proved)
}

#[test]
fn overlapping_ellipsoids_part_along_the_least_translation() {
    let (count, missed, proved) = misses(4000, 61, |r| r.ellipsoid(0.05));
    assert!(missed == 0, "{missed} of {count} missed");
    assert!(proved > 1000, "only {proved} proved");
}

#[test]
fn overlapping_superellipsoids_part_along_the_least_translation() {
    let (count, missed, _) = misses(300, 62, |r| r.superellipsoid(1.3, 8.0));
    assert!(missed <= 3, "{missed} of {count} missed");
}

/// Overlapping and separate pairs asked for with and without the proof: how many overlaps, and of how many the search
/// missed the least depth.
fn searched(count: usize, seed: u64, mut shape: impl FnMut(&mut Random) -> Shape) -> (usize, usize) {
    let mut random = Random(seed);
    let (mut overlaps, mut missed) = (0, 0);
    for _ in 0..count {
        let closeness = random.within(0.1, 1.5);
        let (a, b) = random.pair(closeness, &mut shape);
        let ask = |start| contact_from(&a, &b, start).unwrap().touch;
        let (proved, found) = (ask(Start::Cold), ask(Start::Search));
        if proved.gap > 0.0 {
            assert_eq!(proved, found, "separate bodies need no proof");
            continue;
        }
        overlaps += 1;
        let Certificate::Overlap { branch, .. } = found.certificate else { panic!("{found:?}") };
        assert_eq!(found.certified, branch == Branch::Global, "what is only searched for has no certificate");
        assert!(!proved.certified || found.gap <= proved.gap + 1e-11, "{found:?} above the proof {proved:?}");
        let short = found.gap < proved.gap - 1e-9;
        assert!(!(short && found.certified), "a proof is wrong: {found:?} against {proved:?}");
        missed += usize::from(short);
    }
    (overlaps, missed)
}

#[test]
fn a_search_without_a_proof_has_no_certificate_and_seldom_misses() {
    let (overlaps, missed) = searched(4000, 63, |r| r.ellipsoid(0.05));
    assert!(overlaps > 500 && missed * 200 <= overlaps, "{missed} of {overlaps} ellipsoids");
    let (overlaps, missed) = searched(600, 64, |r| r.superellipsoid(1.3, 8.0));
    assert!(overlaps > 50 && missed * 50 <= overlaps, "{missed} of {overlaps} superellipsoids");
}
