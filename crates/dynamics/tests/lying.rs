//! Bodies that lie on the floor along a line or a circle: they come to rest there in every engine, as deep as their
//! weight presses them, and neither rock, sink nor spin for ever.

use rattleback_contact::law::ContactLaw;
use rattleback_contact::law::friction::Coulomb;
use rattleback_contact::law::normal::{Hysteresis, Rule};
use rattleback_contact::material::Stiffness;
use rattleback_dynamics::mechanism::{self, Step};
use rattleback_dynamics::{Accuracy, BodyModel, Method, Model, Motion, Run, Scheme, State};
use rattleback_geom::surface::{Capsule, ConvexHull, Cuboid, Cylinder, Frustum, Plane, Shape, Torus};
use rattleback_geom::{Pose, Vec3};
use std::f64::consts::FRAC_PI_2;

const GRAVITY: f64 = 9.81;
const STIFFNESS: f64 = 1e6;

pub fn engines() -> [(&'static str, Scheme); 4] {
    let accuracy = Accuracy { relative: 1e-7, absolute: 1e-9 };
    let step = 2e-4;
    // Damping is explicit there: half of v₀/(c g) at rest, with the least approach speed v₀ of 1 mm/s.
    let fine = 2e-5;
    [
        ("explicit", Scheme::Free { method: Method::Explicit, accuracy }),
        ("stiff", Scheme::Free { method: Method::Stiff, accuracy }),
        ("many", Scheme::Many { step: fine }),
        (
            "mechanism",
            Scheme::Mechanism(mechanism::Settings { step: Step::Fixed(step), ..Default::default() }),
        ),
    ]
}

/// A shape, how it lies, the height of its mass centre above the floor and the points that bear it there.
struct Lying {
    name: &'static str,
    shape: Shape,
    turn: f64,
    height: f64,
    points: usize,
    /// The share of the weight that the first half of the points bears, and how far the halves are apart.
    share: f64,
    span: f64,
}

fn all() -> [Lying; 9] {
    let lying = |name, shape, turn, height, points| Lying {
        name,
        shape,
        turn,
        height,
        points,
        share: 0.5,
        span: 1.0,
    };
    let capsule = || Capsule::new(0.05, 0.1).unwrap().into();
    let cylinder = || Cylinder::new(0.1, 0.03).unwrap().into();
    [
        lying("capsule on its side", capsule(), FRAC_PI_2, 0.05, 2),
        lying("cylinder on its side", cylinder(), FRAC_PI_2, 0.1, 2),
        lying("puck", cylinder(), 0.0, 0.03, 3),
        lying("torus", Torus::new(0.1, 0.02).unwrap().into(), 0.0, 0.02, 3),
        lying("box", Cuboid::new([0.12, 0.1, 0.08], 0.0).unwrap().into(), 0.0, 0.04, 4),
        lying("rounded box", Cuboid::new([0.12, 0.1, 0.08], 0.01).unwrap().into(), 0.0, 0.04, 4),
        lying("rounded tetrahedron", tetrahedron(0.06, 0.01), 0.0, 0.03, 3),
        frustum_on_its_base(),
        cone_on_its_side(),
    ]
}

/// Its mass centre at the origin, its corners r from it, its base below, rounded by a.
fn tetrahedron(r: f64, a: f64) -> Shape {
    let (x, y) = (r * 2f64.sqrt() / 3.0, r * 6f64.sqrt() / 3.0);
    let z = -r / 3.0;
    let corners = [[0.0, 0.0, r], [2.0 * x, 0.0, z], [-x, y, z], [-x, -y, z]];
    ConvexHull::new(&corners.map(Vec3::from), a).unwrap().into()
}

/// Its mass centre is h/4 (r₀² + 2r₀r₁ + 3r₁²)/(r₀² + r₀r₁ + r₁²) above the base.
fn frustum_on_its_base() -> Lying {
    let (r, s, h) = (0.1, 0.06, 0.08);
    let height = 0.25 * h * (r * r + 2.0 * r * s + 3.0 * s * s) / (r * r + r * s + s * s);
    let shape = Frustum::new([r, s], h).unwrap().into();
    Lying { name: "frustum on its base", shape, turn: 0.0, height, points: 3, share: 0.5, span: 1.0 }
}

/// On a generator of length √(r² + h²): the mass centre is ¾hr/√(r² + h²) above it and (r² + ¼h²)/(r² + h²) of the way
/// from the rim to the apex.
fn cone_on_its_side() -> Lying {
    let (r, h) = (0.1_f64, 0.2_f64);
    let turn = h.atan2(-r);
    let share = 1.0 - (r * r + 0.25 * h * h) / (r * r + h * h);
    let shape = Frustum::cone(r, h).unwrap().into();
    let span = r.hypot(h);
    Lying { name: "cone on its side", shape, turn, height: 0.75 * h * r / span, points: 2, share, span }
}

impl Lying {
    fn model(&self) -> Model {
        let normal = Hysteresis::new(Rule::Exact, 0.4, 1.5).unwrap();
        let law = ContactLaw::new(Stiffness::given(STIFFNESS).unwrap(), normal)
            .unwrap()
            .with_friction(Coulomb::new(0.4, 1e-2).unwrap());
        let mut builder = Model::builder();
        builder.gravity(Vec3::new(0.0, 0.0, -GRAVITY));
        let surface = builder.surface("any");
        builder.law(surface, surface, law);
        builder.body(BodyModel::fixed("floor").with_part(Plane::ground(), Pose::identity(), surface));
        builder.body(BodyModel::solid("body", self.shape.clone(), 1000.0, surface).unwrap());
        builder.build().unwrap()
    }

    /// Lying `gap` above the floor, tilted by so much more.
    fn start(&self, gap: f64, tilt: f64, velocity: Vec3, angular_velocity: Vec3) -> State {
        let pose =
            Pose::from_position(0.0, 0.0, self.height + gap).rotated(Vec3::y(), self.turn + tilt).unwrap();
        let angular_velocity = pose.vector_to_local(&angular_velocity);
        State::new(vec![
            Motion::at_rest(Pose::identity()),
            Motion { pose, velocity, angular_velocity_body: angular_velocity },
        ])
    }

    /// How deep the weight presses its mass centre in, which lies between the points as the shares say.
    fn depth(&self, model: &Model) -> f64 {
        let [first, second] = self.depths(model);
        self.share * first + (1.0 - self.share) * second
    }

    /// How deep each half of the points is pressed in.
    fn depths(&self, model: &Model) -> [f64; 2] {
        let weight = model.bodies()[1].body.mass * GRAVITY;
        [self.share, 1.0 - self.share]
            .map(|share| (share * 2.0 * weight / (self.points as f64 * STIFFNESS)).powf(2.0 / 3.0))
    }
}

/// The end of a run, the number of contacts there and how far the energies have strayed.
pub fn run(model: &Model, start: State, scheme: &Scheme, end: f64) -> (Motion, usize, f64) {
    let mut run = Run::new(model, start, scheme).unwrap();
    let before = run.energy().unwrap().total();
    run.advance(end, &mut |_| Ok(())).unwrap();
    let strayed = run.energy().unwrap().total() - before;
    let touching = run.state().pairs.values().filter(|pair| pair.contact.is_some()).count();
    (run.state().motions[1], touching, strayed)
}

#[test]
fn what_is_laid_down_exactly_touching_stays_there_as_deep_as_its_weight_presses_it() {
    for lying in all() {
        let model = lying.model();
        let depth = lying.depth(&model);
        for (engine, scheme) in engines() {
            let start = lying.start(0.0, 0.0, Vec3::zeros(), Vec3::zeros());
            let (end, touching, strayed) = run(&model, start, &scheme, 2.5);
            let name = format!("{}, {engine}: {end:?}", lying.name);
            assert_eq!(touching, lying.points, "{name}");
            let sunk = lying.height - end.pose.position.z;
            assert!((sunk / depth - 1.0).abs() < 0.02, "{name}: {sunk} for {depth}");
            assert!(end.velocity.norm() < 1e-4 && end.angular_velocity_body.norm() < 1e-3, "{name}");
            let in_play = model.bodies()[1].body.mass * GRAVITY * depth;
            assert!(strayed.abs() < 1e-3 * in_play, "{name}: {strayed:e} J");
        }
    }
}

#[test]
fn a_step_of_many_that_does_not_resolve_the_damping_at_rest_bears_as_a_short_one() {
    for lying in all() {
        let model = lying.model();
        let depth = lying.depth(&model);
        for step in [5e-5, 2e-4, 5e-4] {
            let start = lying.start(0.0, 0.0, Vec3::zeros(), Vec3::zeros());
            let mut run = Run::new(&model, start, &Scheme::Many { step }).unwrap();
            run.advance(2.5, &mut |_| Ok(())).unwrap();
            let contacts = rattleback_dynamics::active_contacts(&model, run.state()).unwrap();
            let weight = model.bodies()[1].body.mass * GRAVITY;
            let name = format!("{}, step {step}", lying.name);
            assert_eq!(contacts.len(), lying.points, "{name}");
            for (_, found) in &contacts {
                let share = found.force.normal * lying.points as f64 / weight;
                let is_right =
                    [lying.share, 1.0 - lying.share].iter().any(|own| (share - 2.0 * own).abs() < 0.02);
                assert!(is_right, "{name}: a point bears {share} of its share");
            }
            let sunk = lying.height - run.state().motions[1].pose.position.z;
            assert!((sunk / depth - 1.0).abs() < 0.02, "{name}: {sunk} for {depth}");
        }
    }
}

#[test]
fn what_falls_tilted_rocks_and_comes_to_lie() {
    for lying in all() {
        let model = lying.model();
        for (engine, scheme) in engines() {
            let start = lying.start(0.02, 0.1, Vec3::zeros(), Vec3::zeros());
            let (end, touching, _) = run(&model, start, &scheme, 2.0);
            let axis = end.pose.vector_to_world(&Vec3::z());
            // Where one end is pressed in deeper than the other it lies inclined by as much.
            let [first, second] = lying.depths(&model);
            let inclined = lying.turn - (first - second) / lying.span;
            let tilt = (axis.z.abs() - inclined.cos().abs()).abs();
            let name = format!("{}, {engine}: tilted by {tilt}, {end:?}", lying.name);
            assert_eq!(touching, lying.points, "{name}");
            assert!(tilt < 1e-4 && end.velocity.z.abs() < 1e-3, "{name}");
            assert!((end.pose.position.z - lying.height).abs() < 2e-3, "{name}");
        }
    }
}

#[test]
fn a_puck_that_spins_and_slides_comes_to_rest() {
    // Sliding at v and spinning at ω, it stops within v/μg, roughly, whatever ω: both end together.
    let puck = &all()[2];
    let model = puck.model();
    let mut ends = Vec::new();
    for (engine, scheme) in engines() {
        let depth = puck.depth(&model);
        let start = puck.start(-depth, 0.0, Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 0.0, 8.0));
        let (end, touching, strayed) = run(&model, start, &scheme, 1.0);
        let name = format!("{engine}: {end:?}");
        assert_eq!(touching, 3, "{name}");
        assert!(end.velocity.norm() < 2e-3 && end.angular_velocity_body.norm() < 0.05, "{name}");
        assert!(strayed.abs() < 2e-3, "{name}: {strayed:e} J");
        ends.push((engine, end.pose.position));
    }
    // A puck that does not spin goes v²/2μg = 12.7 cm; spinning takes friction away from the slide.
    for (engine, place) in &ends {
        assert!(place.x > 0.127 && place.x < 0.25, "{engine}: {place:?}");
        assert!((place - ends[0].1).norm() < 2e-3, "{engine}: {place:?} for {:?}", ends[0].1);
    }
}
