//! A slider-crank: a motor turns the crank, a rod moves the slider to and fro.
//!
//!     cargo run --release -p rattleback --example mechanism

use rattleback::joint::{Action, Freedom, Joint, JointAction, JointFrame, JointKind, MotionLaw};
use rattleback::mechanism::Settings;
use rattleback::prelude::*;
use std::f64::consts::FRAC_PI_2;

const CRANK: f64 = 0.1;
const ROD: f64 = 0.3;
const RATE: f64 = 10.0;

/// The program.
pub fn main() -> rattleback::Result<()> {
    let mut builder = Model::builder();
    builder.gravity([0.0, -9.81, 0.0]);
    // No law for this surface: the parts are drawn and weighed, and do not touch each other.
    let steel = builder.surface("steel");
    let world = builder.body(BodyModel::fixed("world"));
    let bar = |length: f64| Ellipsoid::new([0.5 * length, 0.01, 0.01]);
    let at = |x: f64| Pose::from_position(x, 0.0, 0.0);
    let crank = builder.body(BodyModel::solid("crank", bar(CRANK)?, 7800.0, steel)?.at(at(0.5 * CRANK)));
    let rod = builder.body(BodyModel::solid("rod", bar(ROD)?, 7800.0, steel)?.at(at(CRANK + 0.5 * ROD)));
    let slider =
        builder.body(BodyModel::solid("slider", Sphere::new(0.02)?, 7800.0, steel)?.at(at(CRANK + ROD)));

    // Hinges turn about z of their frames, which lie in the bodies' own.
    let mut hinge = |name: &str, a, x_a, b, x_b| {
        let (a, b) = (JointFrame { body: a, pose: at(x_a) }, JointFrame { body: b, pose: at(x_b) });
        builder.joint(Joint { name: name.to_owned(), kind: JointKind::Revolute, a, b })
    };
    let bearing = hinge("bearing", world, 0.0, crank, -0.5 * CRANK);
    hinge("crank pin", crank, 0.5 * CRANK, rod, -0.5 * ROD);
    hinge("slider pin", rod, 0.5 * ROD, slider, 0.0);
    // It slides along z of its frames, which is turned to the world's x.
    let along_x = Pose::identity().rotated(Vec3::y(), FRAC_PI_2)?;
    let (a, b) = (JointFrame { body: world, pose: along_x }, JointFrame { body: slider, pose: along_x });
    builder.joint(Joint { name: "guide".to_owned(), kind: JointKind::Prismatic, a, b });
    let action = Action::Motor(MotionLaw::Rate { start: 0.0, rate: RATE });
    builder.action(JointAction { joint: bearing, freedom: Freedom::Turn, action });
    let model = builder.build()?;

    let mut run = model.run(&Scheme::Mechanism(Settings::default().with_step(1e-3)))?;
    println!("time  crank angle  slider      closed form  force in the bearing");
    for k in 1..=12 {
        let time = 0.05 * f64::from(k);
        let position = run.to(time)?.motions[slider.0].pose.position.x;
        let [angle, _] = run.coordinates()?[0];
        let expected = CRANK * angle.cos() + (ROD.powi(2) - (CRANK * angle.sin()).powi(2)).sqrt();
        let force = run.reactions()?[bearing.0].force.norm();
        println!("{time:.2}  {angle:8.4} rad  {position:.6} m  {expected:.6} m   {force:7.3} N");
    }
    Ok(())
}
