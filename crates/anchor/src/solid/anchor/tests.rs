use super::super::testing::{cut, sound};
use super::*;
use rattleback_geom::Mat3;
use rattleback_geom::nalgebra::Rotation3;

#[test]
fn head_and_shank_are_clean_solids_of_the_given_mass() {
    for (mass, density) in [(3000.0, STEEL), (75.0, 7200.0), (20_000.0, STEEL)] {
        let anchor = Anchor::with_density(mass, density).unwrap();
        let [head, shank] = [anchor.head(), anchor.shank()].map(|mesh| sound(&mesh.unwrap(), 0));
        let [head, shank] = [head, shank].map(|solid| solid.mesh().moments().with_density(density).unwrap());
        assert!((head.mass + shank.mass - mass).abs() < 1e-12 * mass);
        assert!((head.mass - anchor.head_mass()).abs() < 1e-12 * mass);
        assert!((shank.mass - anchor.shank_mass()).abs() < 1e-12 * mass);
        // What classification societies ask of stockless anchors.
        assert!(head.mass > 0.6 * mass && head.mass < 0.8 * mass, "{} of {mass}", head.mass);
        for body in [head, shank] {
            assert!(body.centroid.xy().norm() < 1e-12 * anchor.shank_length(), "{}", body.centroid);
        }
    }
}

#[test]
fn an_anchor_of_three_tonnes_is_about_two_metres_long() {
    let anchor = Anchor::new(3000.0).unwrap();
    assert!((1.6..2.2).contains(&anchor.shank_length()), "{}", anchor.shank_length());
    let head = anchor.head().unwrap().bounds();
    let tips = anchor.fluke_tips();
    assert!((tips[0].z - head.max.z).abs() < 1e-12 && tips[0].x < 0.0 && tips[1].x > 0.0);
    let reach = tips[1].z / anchor.shank_length();
    assert!((0.6..0.7).contains(&reach), "{reach}");
    assert!(anchor.shackle().z < anchor.shank().unwrap().bounds().max.z);
}

#[test]
fn head_and_shank_stay_apart_within_the_tripping_angle() {
    let anchor = Anchor::new(3000.0).unwrap().with_tripping_angle(60_f64.to_radians()).unwrap();
    let (head, shank) = (sound(&anchor.head().unwrap(), 0), anchor.shank().unwrap());
    for degrees in (-60..=60).step_by(5) {
        let turn: Mat3 = Rotation3::from_axis_angle(&Vec3::x_axis(), f64::from(degrees).to_radians()).into();
        let turned =
            TriMesh::new(shank.vertices().iter().map(|v| turn * v).collect(), shank.triangles().to_vec())
                .unwrap();
        assert_eq!(cut(head.mesh(), Some(&turned)), None, "{degrees}");
        let nearest =
            turned.vertices().iter().map(|v| head.signed_distance(v).unwrap()).fold(f64::INFINITY, f64::min);
        assert!(nearest > 0.01 * anchor.shank_length(), "{nearest} at {degrees}");
    }
}

#[test]
fn what_cannot_be_is_refused_by_name() {
    let said = |result: Result<Anchor>| result.unwrap_err().to_string();
    assert!(said(Anchor::new(0.0)).starts_with("mass = 0: must be a finite number above zero"));
    assert!(said(Anchor::with_density(1.0, f64::NAN)).starts_with("density = NaN"));
    let anchor = Anchor::new(10.0).unwrap();
    assert!(
        said(anchor.with_tripping_angle(1.5))
            .starts_with("tripping_angle = 1.5: must be above zero and up to 60°")
    );
    assert!(said(anchor.with_tripping_angle(0.0)).starts_with("tripping_angle = 0"));
}
