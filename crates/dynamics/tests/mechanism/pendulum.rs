//! Pendulums: order of convergence, drift of energy, the IFToMM reference A01.

use crate::build::{brick, joint, run};
use rattleback_dynamics::joint::{Anchor, Joint, JointKind};
use rattleback_dynamics::mechanism::{Rule, Settings, Step};
use rattleback_dynamics::{BodyModel, Model, Motion, State};
use rattleback_geom::{Pose, Vec3};

/// A point mass on a rod of 1 m without mass, from (−1, 0) at rest.
fn point_mass() -> (Model, State) {
    let mut builder = Model::builder();
    builder.gravity(Vec3::new(0.0, -9.81, 0.0));
    let world = builder.body(BodyModel::fixed("world"));
    let mass = builder.body(BodyModel::free("mass", brick(1.0, [0.1; 3])));
    let at = |body| Anchor { body, pose: Pose::identity() };
    builder.joint(Joint {
        name: "rod".to_owned(),
        kind: JointKind::Distance { length: 1.0 },
        a: at(world),
        b: at(mass),
    });
    let model = builder.build().unwrap();
    let place = |x| Motion::at_rest(Pose::from_position(x, 0.0, 0.0));
    let state = State::new(&model, vec![place(0.0), place(-1.0)]);
    (model, state)
}

#[test]
fn explore() {
    let (model, start) = point_mass();
    for rule in [Rule::Trapezoidal, Rule::GeneralizedAlpha { rho: 0.8 }] {
        let mut previous = Vec3::zeros();
        let mut error0 = 0.0;
        for k in 0..5 {
            let h = 0.01 / f64::from(1 << k);
            let t0 = std::time::Instant::now();
            let settings = Settings { rule, tolerance: 1e-12, penalty: 1e4, ..Settings::default() }.with_step(h);
            let (state, worst) = run(&model, &start, settings, 10.0);
            let p = state.motions[1].pose.position;
            let exact = Vec3::new(-0.275087462576, -0.961419205099, 0.0);
            let rich = p + (p - previous) / 3.0;
            println!("{rule:?} {h} err {:e} ratio {} rich {:e} worst {worst:?} {:?}", (p - exact).norm(), error0 / (p - exact).norm(), (rich - exact).norm(), t0.elapsed());
            error0 = (p - exact).norm();
            previous = p;
        }
    }
}
