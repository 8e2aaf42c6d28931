use crate::atlases::{all, place};
use crate::sample::Random;

#[test]
fn random_places_are_found_again_from_their_points() {
    for entry in all() {
        let atlas = entry.atlas.as_ref();
        let mut random = Random(41);
        for _ in 0..100 {
            let at = place(atlas, &mut random);
            let jet = atlas.jet(&at).unwrap();
            let found = atlas.locate(&jet.p).unwrap_or_else(|e| panic!("{} {at:?}: {e}", entry.name));
            let error = (atlas.jet(&found).unwrap().p - jet.p).norm();
            assert!(error < 1e-12, "{}: {at:?} {found:?} {error:e}", entry.name);
        }
    }
}

#[test]
fn the_place_nearest_to_a_point_off_the_surface_lies_along_the_normal() {
    for entry in all() {
        let atlas = entry.atlas.as_ref();
        let mut random = Random(42);
        for _ in 0..50 {
            let at = place(atlas, &mut random);
            let jet = atlas.jet(&at).unwrap();
            let n = jet.normal().normalize();
            let kappa = jet.curvature().kappa.map(f64::abs);
            let height = random.within(-1.0, 1.0) * (0.02 / (1.0 + kappa[0].max(kappa[1]))).min(0.005);
            let found = atlas.locate(&(jet.p + n * height)).unwrap();
            let error = (atlas.jet(&found).unwrap().p - jet.p).norm();
            // The point along the normal is nearest unless another part of the surface is.
            let distance = (atlas.jet(&found).unwrap().p - jet.p - n * height).norm();
            assert!(error < 1e-9 || distance < height.abs(), "{}: {at:?} {found:?} {error:e}", entry.name);
        }
    }
}
