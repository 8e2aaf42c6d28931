//! The same small scenes through every engine that supports them: motions and energies agree, and what an engine
//! refuses it refuses before the run.

use rattleback_contact::ContactError;
use rattleback_contact::law::ContactLaw;
use rattleback_contact::law::friction::{Bristle, Coulomb};
use rattleback_contact::law::normal::{Hysteresis, KelvinVoigt, Rule};
use rattleback_contact::material::{Material, Stiffness};
use rattleback_dynamics::joint::{Joint, JointFrame, JointKind};
use rattleback_dynamics::mechanism::{self, Step};
use rattleback_dynamics::{
    Accuracy, Body, BodyId, BodyModel, DynamicsError, Energy, Method, Model, Motion, Result, Run, Scheme,
    State, rolling,
};
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::surface::{
    Capsule, Cavity, ConvexHull, Cuboid, Cylinder, Ellipsoid, Frustum, HalfTorus, Link, Mesh, Plane, Quadric,
    Shape, Sheet, Sphere, Superellipsoid, Superquadric, Torus,
};
use rattleback_geom::{Mat3, Pose, TriMesh, Vec3};

const GRAVITY: f64 = 9.81;

/// Every engine, with steps of fixed length that are a share of those that resolve the contacts of these scenes.
fn engines(step: f64) -> [(&'static str, Scheme); 5] {
    let accuracy = Accuracy::default();
    [
        ("explicit", Scheme::Free { method: Method::Explicit, accuracy }),
        ("stiff", Scheme::Free { method: Method::Stiff, accuracy }),
        ("many", Scheme::Many { step }),
        (
            "mechanism",
            Scheme::Mechanism(mechanism::Settings { step: Step::Fixed(step), ..Default::default() }),
        ),
        ("rolling", Scheme::Rolling(rolling::Settings::default())),
    ]
}

/// A law of given stiffness for bodies of about 1 kg, whose contacts last about 20 ms.
fn soft() -> ContactLaw {
    let normal = Hysteresis::new(Rule::Exact, 0.6, 1.5).unwrap();
    ContactLaw::new(Stiffness::given(2e6).unwrap(), normal)
        .unwrap()
        .with_friction(Coulomb::new(0.3, 1e-2).unwrap())
}

/// A body of 1 kg with a shape whose mass centre is its origin.
fn body(name: &str, shape: &Shape) -> BodyModel {
    let size = shape.surface().bounds().extents().max();
    let size = if size.is_finite() { size } else { 1.0 };
    BodyModel::free(name, Body { mass: 1.0, inertia: Mat3::identity() * (0.1 * size * size) })
}

/// A free body above a fixed one.
fn two(fixed: Shape, free: Shape, law: ContactLaw) -> Model {
    let mut builder = Model::builder();
    builder.gravity(Vec3::new(0.0, 0.0, -GRAVITY));
    let surface = builder.surface("any");
    builder.law(surface, surface, law);
    builder.body(BodyModel::fixed("carrier").with_part(fixed, Pose::identity(), surface));
    builder.body(body("body", &free).with_part(free, Pose::identity(), surface));
    builder.build().unwrap()
}

fn block(half: [f64; 3]) -> Shape {
    let vertex = |k: usize| Vec3::from_fn(|i, _| if k >> i & 1 == 1 { half[i] } else { -half[i] });
    let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = faces.iter().flat_map(|f| [[f[0], f[1], f[2]], [f[0], f[2], f[3]]]).collect();
    Mesh::new(TriMesh::new((0..8).map(vertex).collect(), triangles).unwrap()).unwrap().into()
}

/// A state with the first body at the origin and the others where they are said to be.
fn state(others: &[(Vec3, Vec3)]) -> State {
    let mut motions = vec![Motion::at_rest(Pose::identity())];
    motions.extend(others.iter().map(|&(position, velocity)| {
        let pose = Pose::new(position, UnitQuaternion::from_scaled_axis(Vec3::new(0.3, -0.2, 0.1)));
        Motion { velocity, ..Motion::at_rest(pose) }
    }));
    State::new(motions)
}

/// The end of a run, and how far the sum of all energies has strayed from its beginning.
fn run(model: &Model, start: &State, scheme: &Scheme, end: f64) -> Result<(State, f64)> {
    let mut run = Run::new(model, start.clone(), scheme)?;
    let before = run.energy()?.total();
    run.advance(end, &mut |_| Ok(()))?;
    let strayed = run.energy()?.total() - before;
    Ok((run.state().clone(), strayed))
}

/// The greatest distance between mass centres of two states.
fn apart(one: &State, other: &State) -> f64 {
    let pairs = one.motions.iter().zip(&other.motions);
    pairs.map(|(a, b)| (a.pose.position - b.pose.position).norm()).fold(0.0, f64::max)
}

/// Runs a scene through the engines that support it and compares them with the first: the names of those that ran.
fn compare(name: &str, model: &Model, start: &State, end: f64, step: f64, close: f64) -> Vec<&'static str> {
    let mut ran: Vec<(&'static str, State)> = Vec::new();
    let turned_over = GRAVITY * end * end * GRAVITY;
    for (engine, scheme) in engines(step).into_iter().filter(|(engine, _)| *engine != "rolling") {
        let unsupported = scheme.unsupported(model);
        match run(model, start, &scheme, end) {
            Ok((state, strayed)) => {
                assert!(unsupported.is_empty(), "{name}, {engine}: ran and said {unsupported:?}");
                let bound = if engine == "many" || engine == "mechanism" { 1e-3 } else { 1e-6 };
                assert!(
                    strayed.abs() < bound * turned_over.max(1.0),
                    "{name}, {engine}: {strayed:e} J strayed"
                );
                if let Some((first, other)) = ran.first() {
                    let apart = apart(&state, other);
                    assert!(apart < close, "{name}: {engine} is {apart:e} m from {first}");
                }
                ran.push((engine, state));
            }
            Err(DynamicsError::Unsupported { .. }) => assert!(!unsupported.is_empty(), "{name}, {engine}"),
            Err(error) => panic!("{name}, {engine}: {error}"),
        }
    }
    ran.into_iter().map(|(engine, _)| engine).collect()
}

const FREE: [&str; 4] = ["explicit", "stiff", "many", "mechanism"];

#[test]
fn a_ball_bounces_on_a_torus_alike_in_every_engine() {
    let model = two(Torus::new(0.4, 0.1).unwrap().into(), Sphere::new(0.1).unwrap().into(), soft());
    let start = state(&[(Vec3::new(0.41, 0.02, 0.23), Vec3::new(0.1, 0.0, -0.5))]);
    assert_eq!(compare("torus", &model, &start, 0.15, 2e-5, 2e-5), FREE);
}

#[test]
fn a_ball_bounces_in_a_paraboloid_alike_in_every_engine() {
    let bowl = Quadric::elliptic_paraboloid([0.6, 0.5, 0.4], 0.5).unwrap();
    let model = two(bowl.into(), Sphere::new(0.08).unwrap().into(), soft());
    let start = state(&[(Vec3::new(0.1, 0.05, 0.7), Vec3::new(0.0, 0.1, -0.3))]);
    let ran = compare("paraboloid", &model, &start, 0.15, 2e-5, 2e-5);
    assert_eq!(ran, FREE);
}

#[test]
fn two_links_meet_alike_in_every_engine() {
    let link = || Shape::from(Link::new(0.03, 0.06, 0.05).unwrap());
    let model = two(link(), link(), soft());
    let start = state(&[(Vec3::new(0.05, 0.04, 0.12), Vec3::new(0.0, 0.0, -0.6))]);
    assert_eq!(compare("links", &model, &start, 0.12, 2e-5, 3e-5), FREE);
}

#[test]
fn a_ball_bounces_on_a_mesh_where_regions_are_found() {
    let model = two(block([0.3, 0.3, 0.1]), Sphere::new(0.1).unwrap().into(), soft());
    let start = state(&[(Vec3::new(0.05, 0.02, 0.22), Vec3::new(0.1, 0.0, -0.5))]);
    assert_eq!(compare("mesh", &model, &start, 0.12, 2e-5, 1e-4), ["many", "mechanism"]);
    // A box is flat: a plane in the same place is the same scene for the others.
    let floor =
        two(Plane::new([0.0, 0.0, 1.0], 0.1).unwrap().into(), Sphere::new(0.1).unwrap().into(), soft());
    let [(_, explicit), ..] = engines(2e-5);
    let (exact, _) = run(&floor, &start, &explicit, 0.12).unwrap();
    for (engine, scheme) in engines(2e-5).into_iter().skip(2).take(2) {
        let (found, _) = run(&model, &start, &scheme, 0.12).unwrap();
        assert!(apart(&found, &exact) < 1e-4, "{engine}: {:e}", apart(&found, &exact));
    }
}

/// Thirty ellipsoids in five layers above a floor with walls.
fn heap() -> (Model, State) {
    let mut builder = Model::builder();
    builder.gravity(Vec3::new(0.0, 0.0, -GRAVITY));
    let surface = builder.surface("any");
    builder.law(surface, surface, soft());
    let mut walls = BodyModel::fixed("box");
    for (normal, offset) in [
        ([0.0, 0.0, 1.0], 0.0),
        ([1.0, 0.0, 0.0], -0.3),
        ([-1.0, 0.0, 0.0], -0.3),
        ([0.0, 1.0, 0.0], -0.2),
        ([0.0, -1.0, 0.0], -0.2),
    ] {
        walls = walls.with_part(Plane::new(normal, offset).unwrap(), Pose::identity(), surface);
    }
    builder.body(walls);
    let mut places = Vec::new();
    for k in 0..30_usize {
        let shape = Shape::from(Ellipsoid::new([0.08, 0.07, 0.06]).unwrap());
        builder.body(body(&format!("grain {k}"), &shape).with_part(shape, Pose::identity(), surface));
        let (i, j, layer) = (k % 3, k / 3 % 2, k / 6);
        let [x, y] = [(i as f64 - 1.0) * 0.19, (j as f64 - 0.5) * 0.18];
        let shift = 0.004 * ((k * 7 % 5) as f64 - 2.0);
        places.push((Vec3::new(x + shift, y - shift, 0.1 + 0.17 * layer as f64), Vec3::new(0.0, 0.0, -0.5)));
    }
    (builder.build().unwrap(), state(&places))
}

#[test]
fn a_heap_of_thirty_falls_alike_in_every_engine() {
    let (model, start) = heap();
    // Long enough for every layer to have met its neighbours once; later the motion is chaotic.
    assert_eq!(compare("heap", &model, &start, 0.08, 2e-5, 5e-5), FREE);
    let mut run = Run::new(&model, start, &engines(2e-5)[2].1).unwrap();
    let mut most = 0;
    run.advance(0.08, &mut |now| {
        most = most.max(now.state.pairs.len());
        Ok(())
    })
    .unwrap();
    assert!(run.energy().unwrap().contacts.damped > 0.1);
    // What is remembered are the pairs that are near, not all of the 585.
    assert!((6..150).contains(&most), "{most}");
}

/// A joint at a point of the world about an axis.
fn joint(name: &str, kind: JointKind, bodies: [BodyId; 2], poses: &[Pose], at: Vec3, axis: Vec3) -> Joint {
    let turn = UnitQuaternion::rotation_between(&Vec3::z(), &axis).unwrap();
    let frame = Pose::new(at, turn);
    let [a, b] = bodies.map(|body| JointFrame { body, pose: poses[body.0].inverse().compose(&frame) });
    Joint { name: name.to_owned(), kind, a, b }
}

/// A crank of 0.1 m at 6 rad/s drives a slider by a rod of 0.3 m against a sphere that stands in its way.
fn slider_crank() -> (Model, State) {
    let mut builder = Model::builder();
    let surface = builder.surface("any");
    builder.law(surface, surface, soft());
    let stop = Shape::from(Sphere::new(0.05).unwrap());
    let world = builder.body(BodyModel::fixed("world").with_part(
        stop,
        Pose::from_position(0.487, 0.0, 0.0),
        surface,
    ));
    let (crank_pose, rod_pose) =
        (Pose::from_position(0.0, 0.05, 0.0), Pose::from_position(0.1414213562373095, 0.05, 0.0));
    let turn = UnitQuaternion::from_scaled_axis(Vec3::new(0.0, 0.0, std::f64::consts::FRAC_PI_2));
    let lean = UnitQuaternion::from_scaled_axis(Vec3::new(0.0, 0.0, -(1.0_f64 / 3.0).asin()));
    let (crank_pose, rod_pose) = (Pose::new(crank_pose.position, turn), Pose::new(rod_pose.position, lean));
    let slider_pose = Pose::from_position(0.282842712474619, 0.0, 0.0);
    let light = |name: &str| BodyModel::free(name, Body { mass: 0.5, inertia: Mat3::identity() * 1e-3 });
    let crank = builder.body(light("crank"));
    let rod = builder.body(light("rod"));
    let ball = Shape::from(Sphere::new(0.05).unwrap());
    let slider = builder.body(body("slider", &ball).with_part(ball, Pose::identity(), surface));
    let motions = vec![
        Motion::at_rest(Pose::identity()),
        Motion::at_rest(crank_pose),
        Motion::at_rest(rod_pose),
        Motion::at_rest(slider_pose),
    ];
    let poses: Vec<Pose> = motions.iter().map(|motion| motion.pose).collect();
    for (name, a, b, at) in [
        ("crank", world, crank, Vec3::zeros()),
        ("pin", crank, rod, Vec3::new(0.0, 0.1, 0.0)),
        ("wrist", rod, slider, slider_pose.position),
    ] {
        builder.joint(joint(name, JointKind::Revolute, [a, b], &poses, at, Vec3::z()));
    }
    let bodies = [world, slider];
    builder.joint(joint("guide", JointKind::Prismatic, bodies, &poses, slider_pose.position, Vec3::x()));
    let mut state = State::new(motions);
    // The crank is upright: rod and slider move along x at its pin's speed.
    state.motions[1].angular_velocity_body = Vec3::new(0.0, 0.0, -6.0);
    for (motion, speed) in state.motions[1..].iter_mut().zip([0.3, 0.6, 0.6]) {
        motion.velocity.x = speed;
    }
    (builder.build().unwrap(), state)
}

#[test]
fn a_slider_crank_meets_a_stop_and_only_mechanisms_have_joints() {
    let (model, start) = slider_crank();
    assert_eq!(compare("slider-crank", &model, &start, 0.4, 1e-4, 1e-4), ["mechanism"]);
    let at = |step: f64| run(&model, &start, &engines(step)[3].1, 0.4).unwrap();
    let ((coarse, _), (fine, _), (finest, strayed)) = (at(4e-4), at(2e-4), at(1e-4));
    let ledger: f64 =
        finest.pairs.values().map(|pair| pair.ledger.damped).sum::<f64>() + finest.ended_pairs.damped;
    assert!(ledger > 1e-3, "the slider never met its stop: {ledger}");
    assert!(strayed.abs() < 1e-4, "{strayed:e}");
    let (first, second) = (apart(&coarse, &fine), apart(&fine, &finest));
    assert!(second < 1e-4 && first / second > 2.5, "{first:e} {second:e}");
}

fn tetrahedron(rounding: f64) -> ConvexHull {
    let corners = [[0.1, 0.1, 0.1], [0.1, -0.1, -0.1], [-0.1, 0.1, -0.1], [-0.1, -0.1, 0.1]];
    ConvexHull::new(&corners.map(Vec3::from), rounding).unwrap()
}

/// One shape of every kind, small enough to fall on a floor from 0.6 m.
fn shapes() -> Vec<Shape> {
    vec![
        Plane::new([0.0, 0.0, 1.0], 0.0).unwrap().into(),
        Sphere::new(0.1).unwrap().into(),
        Ellipsoid::new([0.15, 0.12, 0.1]).unwrap().into(),
        Superellipsoid::new([0.15, 0.12, 0.1], [4.0, 4.0]).unwrap().into(),
        Superellipsoid::new([0.15, 0.12, 0.1], [20.0, 20.0]).unwrap().into(),
        Superquadric::new([0.15, 0.12, 0.1], [3.0, 2.5, 4.0]).unwrap().into(),
        Cuboid::new([0.2, 0.24, 0.16], 0.0).unwrap().into(),
        Cuboid::new([0.2, 0.24, 0.16], 0.02).unwrap().into(),
        tetrahedron(0.0).into(),
        tetrahedron(0.02).into(),
        Cylinder::new(0.1, 0.12).unwrap().into(),
        Frustum::cone(0.12, 0.2).unwrap().into(),
        Capsule::new(0.08, 0.1).unwrap().into(),
        Cavity::sphere(0.45).unwrap().into(),
        Torus::new(0.15, 0.05).unwrap().into(),
        HalfTorus::new(0.15, 0.05).unwrap().into(),
        Link::new(0.03, 0.06, 0.05).unwrap().into(),
        Quadric::elliptic_paraboloid([0.3, 0.3, 0.2], 0.15).unwrap().into(),
        Quadric::hyperboloid_one_sheet([0.1, 0.1, 0.1], 0.1).unwrap().into(),
        Quadric::hyperboloid_two_sheets([0.1, 0.1, 0.1], Sheet::Upper, 0.2).unwrap().into(),
        block([0.1, 0.12, 0.08]),
    ]
}

fn laws() -> Vec<(&'static str, ContactLaw)> {
    let steel = Material::new(2e6, 0.3).unwrap();
    let given = Stiffness::given(1e5).unwrap();
    let viscous = ContactLaw::new(given, KelvinVoigt::new(30.0).unwrap()).unwrap();
    let bristle = Bristle::new(0.3, 1e-2, 1e4, 10.0).unwrap();
    vec![
        ("given", soft()),
        (
            "Hertz",
            ContactLaw::new(
                Stiffness::hertz(&steel, &steel),
                Hysteresis::new(Rule::Flores, 0.7, 1.5).unwrap(),
            )
            .unwrap(),
        ),
        ("Kelvin-Voigt with a bristle", viscous.with_friction(bristle)),
    ]
}

#[test]
fn what_an_engine_says_it_supports_runs_and_what_it_refuses_is_refused_before_the_run() {
    let mut counts = [0; 2];
    for carrier in shapes() {
        for shape in shapes() {
            for (law_name, law) in laws() {
                let model = two(carrier.clone(), shape.clone(), law);
                let high = if matches!(carrier, Shape::Plane(_)) { 0.21 } else { 0.33 };
                let start = state(&[(Vec3::new(0.013, 0.007, high), Vec3::new(0.0, 0.0, -1.0))]);
                for (engine, scheme) in engines(2e-4) {
                    let unsupported = scheme.unsupported(&model);
                    let what = format!(
                        "{} on {}, {law_name}, {engine}",
                        shape.surface().kind(),
                        carrier.surface().kind()
                    );
                    let ran = Run::new(&model, start.clone(), &scheme)
                        .and_then(|mut run| run.advance(0.02, &mut |_| Ok(())));
                    match ran {
                        Err(DynamicsError::Unsupported { .. }) => {
                            assert!(!unsupported.is_empty(), "{what}");
                            counts[1] += 1;
                            continue;
                        }
                        // Line and face contacts have no Hertz stiffness, which only the pose of the touch can tell.
                        Err(DynamicsError::Contact(ContactError::NoStiffness { .. })) => {}
                        Err(error) => panic!("{what}: {error}"),
                        Ok(()) => {}
                    }
                    assert!(unsupported.is_empty(), "{what}: {unsupported:?}");
                    counts[0] += 1;
                }
            }
        }
    }
    assert!(counts[0] > 800 && counts[1] > 300, "{counts:?}");
}

#[test]
fn a_refusal_names_who_can() {
    let (model, start) = slider_crank();
    let [(_, explicit), ..] = engines(1e-4);
    let message = Run::new(&model, start, &explicit).unwrap_err().to_string();
    assert!(message.contains("joint \"crank\"") && message.contains("\"mechanism\" can"), "{message}");
    let model = two(block([0.1; 3]), Sphere::new(0.1).unwrap().into(), soft());
    let message = explicit.supports(&model).unwrap_err().to_string();
    assert!(message.contains("\"many\", \"mechanism\" can"), "{message}");
    let energy = Energy::of(&model, &state(&[(Vec3::zeros(), Vec3::zeros())]));
    assert!(energy.is_ok_and(|energy| energy.kinetic == 0.0));
}

#[test]
fn pairs_without_a_curvature_anywhere_are_refused_hertz_before_the_run() {
    let rubber = Material::new(5e6, 0.45).unwrap();
    let hertz =
        ContactLaw::new(Stiffness::hertz(&rubber, &rubber), Hysteresis::new(Rule::Exact, 0.6, 1.5).unwrap())
            .unwrap();
    let plane = || Shape::from(Plane::new([0.0, 0.0, 1.0], 0.0).unwrap());
    let ball = || Shape::from(Sphere::new(0.1).unwrap());
    let cylinder = || Shape::from(Cylinder::new(0.1, 0.12).unwrap());
    let refused = [
        (plane(), cylinder()),
        (plane(), Frustum::cone(0.12, 0.2).unwrap().into()),
        (plane(), block([0.1; 3])),
        (block([0.1; 3]), ball()),
        (plane(), Link::new(0.03, 0.06, 0.05).unwrap().into()),
        (plane(), tetrahedron(0.0).into()),
    ];
    for (carrier, body) in refused {
        let model = two(carrier, body, hertz);
        for (engine, scheme) in engines(1e-4).into_iter().take(4) {
            let said = scheme.supports(&model).map_err(|error| error.to_string());
            let name = format!("{engine}: {said:?}");
            assert!(said.is_err_and(|said| said.contains("give the contact a `stiffness`")), "{name}");
        }
        assert!(
            model.pairs_with_edges().is_empty()
                || matches!(model.bodies()[1].parts[0].shape, Shape::Cylinder(_) | Shape::Frustum(_))
        );
    }
    // A ball meets a cylinder's side, where it has a curvature, or its edge, where it has none.
    let model = two(cylinder(), ball(), hertz);
    assert!(engines(1e-4)[0].1.supports(&model).is_ok());
    let expected = [["cylinder", "carrier"], ["sphere", "body"]];
    let said = model.pairs_with_edges();
    assert!(
        said[0].iter().zip(expected).all(|(said, [shape, body])| said.contains(shape) && said.contains(body)),
        "{said:?}"
    );
    assert!(two(plane(), ball(), hertz).pairs_with_edges().is_empty());
}
