//! The stone that the engine is named after: spun the wrong way it rattles, stops and turns back.
//!
//!     cargo run --release -p rattleback --example rolling

use rattleback::prelude::*;
use rattleback::rolling::Settings;

/// The program.
pub fn main() -> rattleback::Result<()> {
    let mut builder = Model::builder();
    builder.gravity([0.0, 0.0, -9.81]);
    // Bodies in contact coordinates do not yield: of the law they take restitution and friction.
    let stone = builder.surface_with("stone", law::stiffness(1e8)?.restitution(0.5)?.friction(0.8)?);
    builder.floor(stone);
    // The principal axes of inertia are not those of the ellipsoid, and the mass centre lies 10 mm below its middle.
    let inertia = Mat3::new(2e-4, -2e-5, 0.0, -2e-5, 16e-4, 0.0, 0.0, 0.0, 17e-4);
    let shape = Ellipsoid::new([0.2, 0.03, 0.02])?;
    let pose = Pose::from_position(0.0, 0.0, 0.02008).rotated(Vec3::y(), 0.5_f64.to_radians())?;
    let spin = pose.vector_to_local(&Vec3::new(0.0, 0.0, -5.0));
    let rattleback = BodyModel::free("rattleback", Body { mass: 1.0, inertia })
        .with_part(shape, Pose::from_position(0.0, 0.0, 0.01), stone)
        .at(pose)
        .with_angular_velocity_body(spin);
    let rattleback = builder.body(rattleback);
    let model = builder.build()?;

    let mut run = model.run(&Scheme::Rolling(Settings::default()))?;
    for frame in run.frames(5.0, 0.25) {
        let frame = frame?;
        let spin = frame.motions[rattleback.0].twist().angular_velocity.z;
        let way = if spin < 0.0 { "as it was spun" } else { "the other way" };
        println!("{:.2} s: {spin:6.2} rad/s, {way}, {} contacts", frame.time, frame.contacts.len());
    }
    Ok(())
}
