//! A pendulum against its quadrature: order of convergence.

use super::build::{brick, joint, run};
use rattleback_dynamics::joint::JointKind;
use rattleback_dynamics::mechanism::{Rule, Settings};
use rattleback_dynamics::{BodyModel, Model, Motion, State};
use rattleback_geom::{Pose, Vec3};

#[test]
fn a_rod_on_a_hinge_swings_as_its_quadrature_says() {
    let mut builder = Model::builder();
    builder.gravity(Vec3::new(0.0, -9.81, 0.0));
    let world = builder.body(BodyModel::fixed("world"));
    // A plate without thickness has a singular mass matrix in natural coordinates; its rigidity makes up for it.
    let rod = builder.body(BodyModel::free("rod", brick(2.0, [1.0, 0.05, 0.0])));
    let pose = Pose::from_position(0.5, 0.0, 0.0);
    let ends = ((world, &Pose::identity()), (rod, &pose));
    builder.joint(joint("hinge", JointKind::Revolute, ends.0, ends.1, Vec3::zeros(), Vec3::z()));
    let model = builder.build().unwrap();
    let start = State::new(vec![Motion::at_rest(Pose::identity()), Motion::at_rest(pose)]);
    // From rest at the side to the other side and back: T = 4 K(sin 45°) √(I/(m g s)), K(1/√2) = 1.8540746773013719.
    let about_hinge = 2.0 * (1.0 + 0.05_f64.powi(2)) / 12.0 + 2.0 * 0.25;
    let period = 4.0 * 1.854_074_677_301_371_9 * (about_hinge / (2.0 * 9.81 * 0.5_f64)).sqrt();
    for rule in [Rule::Trapezoidal, Rule::GeneralizedAlpha { rho: 0.9 }] {
        // After a quarter it hangs straight down.
        let error = |n: f64| {
            let settings = Settings { rule, ..Settings::default() }.with_step(period / n);
            let (state, worst) = run(&model, &start, settings, 0.25 * period);
            assert!(worst[1] < 1e-10 && worst[2] < 1e-10, "{worst:?}");
            (state.motions[1].pose.position - Vec3::new(0.0, -0.5, 0.0)).norm()
        };
        let (coarse, fine) = (error(200.0), error(400.0));
        assert!(fine < 2e-4 && ((coarse / fine).log2() - 2.0).abs() < 0.1, "{rule:?}: {coarse:e} {fine:e}");
    }
}
