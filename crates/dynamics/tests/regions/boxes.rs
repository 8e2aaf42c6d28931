//! Boxes with true edges on each other.

use rattleback_contact::law::ContactLaw;
use rattleback_contact::law::friction::Coulomb;
use rattleback_contact::law::normal::{Hysteresis, Rule};
use rattleback_contact::material::Stiffness;
use rattleback_dynamics::mechanism::{Settings, Step};
use rattleback_dynamics::{Body, BodyModel, Model, Motion, Run, Scheme, State, active_contacts};
use rattleback_geom::surface::{Cuboid, Plane};
use rattleback_geom::{Mat3, Pose, Vec3};

const SIZE: [f64; 3] = [0.1, 0.08, 0.06];

/// Boxes on a floor, each a little aside of the one below.
fn stack(count: usize, friction: f64) -> (Model, State) {
    let normal = Hysteresis::new(Rule::HuntCrossley, 0.3, 1.5).unwrap();
    let law = ContactLaw::new(Stiffness::given(1e7).unwrap(), normal)
        .unwrap()
        .with_friction(Coulomb::new(friction, 5e-3).unwrap());
    let mut builder = Model::builder();
    builder.gravity(Vec3::new(0.0, 0.0, -9.81));
    let surface = builder.surface("any");
    builder.law(surface, surface, law);
    builder.body(BodyModel::fixed("floor").with_part(Plane::ground(), Pose::identity(), surface));
    let cuboid = Cuboid::new(SIZE, 0.0).unwrap();
    let mass = rattleback_geom::surface::Surface::moments(&cuboid).unwrap().with_density(700.0).unwrap();
    let mut motions = vec![Motion::at_rest(Pose::identity())];
    for k in 0..count {
        let body = BodyModel::free(format!("box {k}"), Body::try_from(&mass).unwrap());
        builder.body(body.with_part(cuboid.clone(), Pose::identity(), surface));
        let aside = 0.004 * (((k * 7) % 5) as f64 - 2.0);
        let pose = Pose::from_position(aside, -0.5 * aside, SIZE[2] * (k as f64 + 0.5));
        motions.push(Motion::at_rest(pose));
    }
    (builder.build().unwrap(), State::new(motions))
}

#[test]
fn a_stack_of_ten_boxes_stands() {
    let (model, start) = stack(10, 0.4);
    let scheme = Scheme::Mechanism(Settings { step: Step::Fixed(5e-4), ..Default::default() });
    let mut run = Run::new(&model, start.clone(), &scheme).unwrap();
    run.advance(0.6, &mut |_| Ok(())).unwrap();
    for (k, (now, then)) in run.state().motions.iter().zip(&start.motions).enumerate().skip(1) {
        let moved = now.pose.position - then.pose.position;
        assert!(moved.xy().norm() < 1e-3 && moved.z < 0.0 && moved.z > -2e-3, "box {k}: {moved:?}");
        let up = now.pose.vector_to_world(&Vec3::z()).z;
        assert!(up > 1.0 - 1e-5 && now.velocity.norm() < 5e-3, "box {k}: {up} {now:?}");
    }
}

/// A box on another one that is a wide table, tilted gravity: it slides at g (sin φ − μ cos φ), or stays.
#[test]
fn a_box_slides_on_a_box_as_friction_says() {
    let normal = Hysteresis::new(Rule::HuntCrossley, 0.3, 1.5).unwrap();
    for (friction, slides) in [(0.2, true), (0.6, false)] {
        let law = ContactLaw::new(Stiffness::given(1e6).unwrap(), normal)
            .unwrap()
            .with_friction(Coulomb::new(friction, 1e-3).unwrap());
        let angle = 0.4_f64;
        let mut builder = Model::builder();
        builder.gravity(Vec3::new(9.81 * angle.sin(), 0.0, -9.81 * angle.cos()));
        let surface = builder.surface("any");
        builder.law(surface, surface, law);
        let table = Cuboid::new([2.0, 1.0, 0.2], 0.0).unwrap();
        let lowered = Pose::from_position(0.0, 0.0, -0.1);
        builder.body(BodyModel::fixed("table").with_part(table, lowered, surface));
        let cuboid = Cuboid::new(SIZE, 0.0).unwrap();
        let mass = rattleback_geom::surface::Surface::moments(&cuboid).unwrap().with_density(700.0).unwrap();
        let body = BodyModel::free("box", Body::try_from(&mass).unwrap());
        let id = builder.body(body.with_part(cuboid, Pose::identity(), surface));
        let model = builder.build().unwrap();
        let start = State::new(vec![
            Motion::at_rest(Pose::identity()),
            Motion::at_rest(Pose::from_position(-0.5, 0.0, 0.03)),
        ]);
        let scheme = Scheme::Mechanism(Settings { step: Step::Fixed(5e-4), ..Default::default() });
        let mut run = Run::new(&model, start, &scheme).unwrap();
        run.advance(0.5, &mut |_| Ok(())).unwrap();
        let speed = run.state().motions[id.0].velocity.x;
        let expected = 9.81 * (angle.sin() - friction * angle.cos()) * 0.5;
        match slides {
            true => assert!((speed / expected - 1.0).abs() < 0.02, "{speed} for {expected}"),
            // Below the transition the law creeps.
            false => assert!(speed.abs() < 2e-3, "{speed}"),
        }
    }
}

#[test]
fn bodies_of_several_meshes_press_with_all_of_them() {
    let mut builder = Model::builder();
    builder.gravity(Vec3::new(0.0, 0.0, -9.81));
    let surface = builder.surface("any");
    builder.law(surface, surface, super::stage::law(1e7, None));
    let block = super::stage::block([0.4, 0.4, 0.4], 1);
    let row = |mut body: BodyModel| {
        for k in 0..3 {
            body = body.with_part(block.clone(), Pose::from_position(k as f64 - 1.0, 0.0, 0.0), surface);
        }
        body
    };
    builder.body(row(BodyModel::fixed("lowest")));
    let body = Body { mass: 3.0, inertia: Mat3::from_diagonal(&Vec3::new(0.4, 2.0, 2.0)) };
    let mut motions = vec![Motion::at_rest(Pose::identity())];
    for k in 1..4 {
        builder.body(row(BodyModel::free(format!("row {k}"), body)));
        motions.push(Motion::at_rest(Pose::from_position(0.0, 0.0, 0.8 * k as f64)));
    }
    let model = builder.build().unwrap();
    let scheme = Scheme::Mechanism(Settings { step: Step::Fixed(1e-3), ..Default::default() });
    let mut run = Run::new(&model, State::new(motions), &scheme).unwrap();
    run.advance(0.05, &mut |_| Ok(())).unwrap();
    // A face on a face is borne at its corners, each a contact of its own.
    let contacts = active_contacts(&model, run.state()).unwrap();
    let pairs: std::collections::BTreeSet<_> = contacts.iter().map(|(id, _)| (id.a, id.b)).collect();
    assert_eq!((pairs.len(), contacts.len()), (9, 36));
}
