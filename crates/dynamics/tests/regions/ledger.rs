//! Where the energy of meshes goes that meet others at corners, edges and curved places: the books have all of it, and
//! what they say was damped is what the restitution takes.

use super::stage::{block, on_floor, solid};
use rattleback_contact::law::ContactLaw;
use rattleback_contact::law::normal::{Hysteresis, Rule};
use rattleback_contact::material::Stiffness;
use rattleback_dynamics::mechanism::{Settings, Step};
use rattleback_dynamics::{Energy, Model, Motion, Run, Scheme, State};
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::surface::{Mesh, Plane, Shape, Sphere};
use rattleback_geom::{Pose, TriMesh, Vec3};

fn law(stiffness: f64, restitution: f64) -> ContactLaw {
    let normal = Hysteresis::new(Rule::Exact, restitution, 1.5).unwrap();
    ContactLaw::new(Stiffness::given(stiffness).unwrap(), normal).unwrap()
}

fn mechanism(h: f64) -> Scheme {
    Scheme::Mechanism(Settings { step: Step::Fixed(h), ..Settings::default() })
}

/// A regular tetrahedron with a corner below its middle, 6 cm away.
fn tetrahedron() -> Mesh {
    let (r, s) = (0.06, 0.06 / 3.0);
    let base = |k: f64| {
        let angle = std::f64::consts::TAU * k / 3.0;
        let wide = (8.0_f64 / 9.0).sqrt() * r;
        Vec3::new(wide * angle.cos(), wide * angle.sin(), s)
    };
    let vertices = vec![Vec3::new(0.0, 0.0, -r), base(0.0), base(1.0), base(2.0)];
    let triangles = vec![[0, 2, 1], [0, 3, 2], [0, 1, 3], [1, 2, 3]];
    Mesh::new(TriMesh::new(vertices, triangles).unwrap()).unwrap()
}

fn lowest(shape: &Mesh, turn: &UnitQuaternion<f64>) -> f64 {
    shape.mesh().vertices().iter().map(|v| (turn * v).z).fold(f64::INFINITY, f64::min)
}

/// The energies before and after a fall of 5 cm and the rebound, and the energy of the fall.
fn fall(floor: Shape, top: f64, body: Mesh, turn: Vec3, law: ContactLaw, h: f64) -> ([Energy; 2], f64) {
    let turn = UnitQuaternion::from_scaled_axis(turn);
    let height = top - lowest(&body, &turn) + 0.05;
    let (model, _, mass) = on_floor(floor, Pose::identity(), body, law);
    let start = Motion::at_rest(Pose::new(Vec3::new(0.013, 0.007, height), turn));
    let state = State::new(vec![Motion::at_rest(Pose::identity()), start]);
    let mut run = Run::new(&model, state, &mechanism(h)).unwrap();
    let before = run.energy().unwrap();
    run.advance((0.1_f64 / 9.81).sqrt() + 0.04, &mut |_| Ok(())).unwrap();
    ([before, run.energy().unwrap()], mass * 9.81 * 0.05)
}

#[test]
fn the_ledger_of_meshes_that_fall_on_corners_and_edges_closes() {
    let plane: Shape = Plane::new([0.0, 0.0, 1.0], 0.0).unwrap().into();
    let floors = [("half-space", plane, 0.0), ("mesh", block([0.5, 0.5, 0.1], 2).into(), 0.1)];
    let corner = Vec3::new(1.0, -1.0, 0.0).normalize() * (1.0 / 3.0_f64.sqrt()).acos();
    let bodies = [
        ("cube on a corner", block([0.05; 3], 1), corner),
        ("cube on an edge", block([0.05; 3], 1), Vec3::x() * std::f64::consts::FRAC_PI_4),
        ("tetrahedron on a corner", tetrahedron(), Vec3::zeros()),
        ("cube that tips over", block([0.05; 3], 2), Vec3::new(0.35, 0.1, 0.0)),
    ];
    for (on, floor, top) in &floors {
        for (name, body, turn) in &bodies {
            for e in [0.59, 0.9] {
                let ([before, after], energy) =
                    fall(floor.clone(), *top, body.clone(), *turn, law(1e7, e), 1e-4);
                let strays = (after.total() - before.total()) / energy;
                assert!(strays.abs() < 0.01, "{name} on a {on}, {e}: {strays}");
                // What is damped is what the law takes, and nothing comes from regions that change.
                let damped = after.contacts.damped / energy;
                let brought = after.contacts.stiffness_change / energy;
                assert!(
                    brought.abs() < 0.03,
                    "{name} on a {on}, {e}: {brought} from regions, {damped} damped"
                );
                let mechanical = (after.mechanical() - before.mechanical()) / energy;
                assert!(mechanical < -0.5 * (1.0 - e * e) + 0.03, "{name} on a {on}, {e}: {mechanical}");
            }
        }
    }
}

/// A marble that rolls over a mesh: the material that touches comes from above and goes there again, at steps in which
/// it rises by more than half of the depth.
#[test]
fn a_ball_that_rolls_on_a_mesh_does_no_work_along_its_normal() {
    let (model, state) = rolling_ball();
    let mut run = Run::new(&model, state, &mechanism(5e-4)).unwrap();
    let before = run.energy().unwrap();
    run.advance(0.3, &mut |_| Ok(())).unwrap();
    let after = run.energy().unwrap();
    let strays = (after.total() - before.total()) / before.kinetic;
    assert!(strays.abs() < 1e-3, "{strays}");
    assert!((after.kinetic / before.kinetic - 1.0).abs() < 1e-3, "{} {}", after.kinetic, before.kinetic);
}

fn rolling_ball() -> (Model, State) {
    use rattleback_contact::law::friction::{Coulomb, FrictionLaw};
    use rattleback_dynamics::BodyModel;
    let mut builder = Model::builder();
    builder.gravity(Vec3::new(0.0, 0.0, -9.81));
    let (ground, own) = (builder.surface("ground"), builder.surface("ball"));
    let friction = FrictionLaw::from(Coulomb::new(0.3, 1e-3).unwrap());
    builder.law(ground, own, law(1e7, 0.5).with_friction(friction));
    let floor = block([0.3, 0.3, 0.02], 4);
    builder.body(BodyModel::fixed("floor").with_part(floor, Pose::identity(), ground));
    let ball = solid("ball", Sphere::new(0.01).unwrap(), own);
    let depth = (ball.body.mass * 9.81 / 1e7).powf(2.0 / 3.0);
    builder.body(ball);
    let mut motion = Motion::at_rest(Pose::from_position(-0.08, -0.05, 0.03 - depth));
    motion.velocity = Vec3::new(0.4, 0.23, 0.0);
    motion.angular_velocity_body = Vec3::new(-23.0, 40.0, 0.0);
    (builder.build().unwrap(), State::new(vec![Motion::at_rest(Pose::identity()), motion]))
}

/// A sheet of 0.07 mm that goes many times its thickness in a step.
#[test]
fn a_sheet_does_not_fall_through_another_one_whatever_the_step() {
    let sheet = || block([0.05, 0.05, 3.5e-5], 1);
    for (h, fall, tilt) in [(1e-3, 0.05, 0.0), (1e-3, 0.3, 0.0), (2e-4, 0.05, 0.03), (1e-4, 0.3, 0.0)] {
        let (model, ..) = on_floor(block([0.06, 0.06, 3.5e-5], 1), Pose::identity(), sheet(), law(1e8, 0.5));
        let turn = UnitQuaternion::from_scaled_axis(Vec3::new(1.0, 0.2, 0.0) * tilt);
        let height = fall + 7e-5 + 0.06 * tilt;
        let start = Motion::at_rest(Pose::new(Vec3::new(3e-3, 1e-3, height), turn));
        let state = State::new(vec![Motion::at_rest(Pose::identity()), start]);
        let mut run = Run::new(&model, state, &mechanism(h)).unwrap();
        run.advance((2.0 * fall / 9.81).sqrt() + 0.02, &mut |_| Ok(())).unwrap();
        let end = run.state().motions[1].pose.position.z;
        assert!(end > 0.0, "step {h}, fall {fall}, tilt {tilt}: {end}");
    }
}
