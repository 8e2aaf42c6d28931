//! Bodies that pass through each other within a step: felt, or told.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::Health;
use super::tests::{EXPLICIT, watched};
use crate::body::{Body, Motion};
use crate::mechanism::{Settings, Step};
use crate::model::{BodyModel, Model};
use crate::run::{Run, Scheme};
use crate::simulation::{Accuracy, Method};
use crate::state::State;
use rattleback_contact::law::ContactLaw;
use rattleback_contact::law::normal::Hysteresis;
use rattleback_contact::material::Stiffness;
use rattleback_geom::surface::{Cuboid, Mesh, Shape, Sphere, Surface};
use rattleback_geom::{Mat3, Pose, Vec3};

/// A bullet of 2 mm at 800 m/s and a plate of 1 mm in its way, `distance` from its middle.
fn bullet(bullet: Shape, plate: Shape, distance: f64, aside: f64) -> (Model, State) {
    let normal = Hysteresis::with_factor(0.0, 1.0).unwrap();
    let law = ContactLaw::new(Stiffness::given(1e9).unwrap(), normal).unwrap();
    let mut builder = Model::builder();
    let surface = builder.surface("any");
    builder.law(surface, surface, law);
    builder.body(BodyModel::fixed("plate").with_part(plate, Pose::identity(), surface));
    let body = Body { mass: 3e-5, inertia: Mat3::identity() * 1e-11 };
    builder.body(BodyModel::free("bullet", body).with_part(bullet, Pose::identity(), surface));
    let bullet = Motion {
        velocity: Vec3::x() * 800.0,
        ..Motion::at_rest(Pose::from_position(-distance, aside, 0.003))
    };
    (builder.build().unwrap(), State::new(vec![Motion::at_rest(Pose::identity()), bullet]))
}

#[test]
fn a_bullet_through_a_plate_is_felt_or_told_in_every_engine() {
    let mesh = |size: [f64; 3]| Mesh::new(Cuboid::new(size, 0.0).unwrap().tessellate(1.0).unwrap()).unwrap();
    let bullets = [
        Shape::from(Sphere::new(1e-3).unwrap()),
        Shape::from(Cuboid::new([2e-3; 3], 3e-4).unwrap()),
        Shape::from(mesh([2e-3; 3])),
    ];
    let plate = [1e-3, 0.1, 0.1];
    let plates = [
        Shape::from(Cuboid::new(plate, 0.0).unwrap()),
        Shape::from(Cuboid::new(plate, 2e-4).unwrap()),
        Shape::from(mesh(plate)),
    ];
    let stiff =
        Scheme::Free { method: Method::Stiff, accuracy: Accuracy { relative: 1e-9, absolute: 1e-11 } };
    let fixed = |step| Scheme::Mechanism(Settings { step: Step::Fixed(step), ..Settings::default() });
    let schemes = [EXPLICIT, stiff, Scheme::Many { step: 1e-5 }, fixed(1e-5), Scheme::Many { step: 1e-4 }];
    let mut told = 0;
    let pairs = bullets[..2].iter().flat_map(|shot| plates.iter().map(move |target| (shot, target)));
    let pairs = pairs.chain([(&bullets[2], &plates[0])]);
    for (shot, target) in pairs {
        for scheme in &schemes {
            for distance in [0.0291, 0.0312, 0.0337, 0.0355] {
                let (model, state) = bullet(shot.clone(), target.clone(), distance, 0.004);
                if !scheme.unsupported(&model).is_empty() {
                    continue;
                }
                let mut health = Health::new(&model, 0.0, 1e-3);
                health.set_scheme(scheme);
                health.begin(&state);
                let mut run = Run::new(&model, state, scheme).unwrap();
                let mut is_felt = false;
                run.advance(1e-4, &mut |seen| {
                    is_felt |= !seen.active_contacts.is_empty();
                    health.step(seen.state, seen.active_contacts);
                    Ok(())
                })
                .unwrap();
                let line = health.verdict().line;
                let is_told = line.contains("plate and bullet pass through each other");
                assert!(is_felt != is_told, "{scheme:?} {shot:?} {target:?} {distance}: {is_felt} {line}");
                told += u32::from(is_told);
            }
        }
    }
    assert!(told > 20, "{told}");
}

#[test]
fn what_flies_past_or_turns_beside_is_no_passage() {
    // Past the plate's rim, parallel to it, and a step that ends before it.
    let plate = Shape::from(Cuboid::new([1e-3, 0.1, 0.1], 0.0).unwrap());
    for (distance, aside, along) in
        [(0.029, 0.0512, Vec3::x()), (0.002, 0.0, Vec3::y()), (0.5, 0.0, Vec3::x())]
    {
        let (model, mut state) =
            bullet(Shape::from(Sphere::new(1e-3).unwrap()), plate.clone(), distance, aside);
        state.motions[1].velocity = along * 800.0;
        let health = watched(&model, state, &Scheme::Many { step: 1e-5 }, 1e-4);
        assert_eq!(health.figures().passed, None, "{distance}");
    }
}

#[test]
fn a_ball_that_bounces_in_long_steps_does_not_pass() {
    // Through a fixed ball by 40 % of its own width per step, felt each time.
    let (model, mut state) =
        bullet(Shape::from(Sphere::new(0.05).unwrap()), Shape::from(Sphere::new(0.05).unwrap()), 0.3, 0.01);
    state.motions[1].velocity = Vec3::x() * 4.0;
    let health = watched(&model, state, &Scheme::Many { step: 1e-2 }, 0.5);
    assert_eq!(health.figures().passed, None);
}
