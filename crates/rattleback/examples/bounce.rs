//! An egg of rubber falls on a floor and bounces.
//!
//!     cargo run --release -p rattleback --example bounce

use rattleback::prelude::*;

/// The program.
pub fn main() -> rattleback::Result<()> {
    let rubber = Material::new(5e6, 0.45)?;
    let mut builder = Model::builder();
    builder.gravity([0.0, 0.0, -9.81]);
    let bouncing = law::hertz(&rubber, &rubber).restitution(0.7)?.friction(0.4)?;
    let surface = builder.surface_with("rubber", bouncing);
    builder.floor(surface);
    let egg = BodyModel::solid("egg", Ellipsoid::new([0.03, 0.02, 0.02])?, 1100.0, surface)?;
    let egg = builder.body(egg.at(Pose::from_position(0.0, 0.0, 0.1)).with_velocity([0.3, 0.0, 0.0]));
    let model = builder.build()?;

    let mut run = model.run(&Scheme::default())?;
    for frame in run.frames(0.5, 0.02) {
        let frame = frame?;
        let force = frame.contacts.first().map_or(0.0, |(_, contact)| contact.force.force.norm());
        println!(
            "{:.2} s: {:.4} m high, force {force:.2} N",
            frame.time, frame.motions[egg.0].pose.position.z
        );
        for event in &frame.events {
            println!("        {} at {:.5} s", if event.begins { "touched" } else { "left" }, event.time);
        }
    }

    let energy = run.energy()?;
    println!(
        "left in motion {:.5} J, damped {:.5} J, lost to friction {:.5} J, together {:.8} J",
        energy.mechanical(),
        energy.contacts.damped,
        energy.contacts.friction_loss,
        energy.total()
    );
    Ok(())
}
