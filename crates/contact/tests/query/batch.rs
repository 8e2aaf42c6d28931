use super::random::Random;
use rattleback_contact::{ColliderPair, contacts, touches};

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let mut random = Random(31);
    let mut colliders = Vec::new();
    for _ in 0..2000 {
        let (a, b) = random.pair(0.9, |r| r.ellipsoid(0.1));
        colliders.extend([a, b]);
    }
    let pairs: Vec<ColliderPair> = (0..2000).map(|k| ColliderPair::new(2 * k, 2 * k + 1)).collect();
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| (touches(&colliders, &pairs), contacts(&colliders, &pairs)))
    };
    let (one, many) = (with(1), with(7));
    assert_eq!(one.0, many.0);
    assert_eq!(one.1, many.1);
    assert!(one.0.iter().all(|t| t.as_ref().unwrap().certified));
}

#[test]
fn a_pair_that_names_no_collider_is_an_error_of_its_own() {
    let mut random = Random(32);
    let (a, b) = random.pair(1.0, |r| r.ellipsoid(0.1));
    let results = touches(&[a, b], &[ColliderPair::new(0, 1), ColliderPair::new(0, 2)]);
    assert!(results[0].as_ref().unwrap().certified);
    assert_eq!(
        results[1].as_ref().unwrap_err().to_string(),
        "pair.b = 2: must be an index into the colliders"
    );
}
