//! Ellipsoids fall into a box and come to rest in a heap.
//!
//!     cargo run --release -p rattleback --example heap

use rattleback::law::friction::Coulomb;
use rattleback::prelude::*;

/// Grains along each edge of the block that falls, and the room that each of them has, in m.
const COUNT: usize = 3;
const ROOM: f64 = 0.25;

/// The program.
pub fn main() -> rattleback::Result<()> {
    let mut builder = Model::builder();
    builder.gravity([0.0, 0.0, -9.81]);
    // Soft enough for steps of 0.1 ms, friction too: it is fully grown at 2 cm/s instead of 1 mm/s.
    let soft = law::stiffness(1e5)?.restitution(0.5)?.with_friction(Coulomb::new(0.4, 0.02)?);
    let stone = builder.surface_with("stone", soft);
    let width = ROOM * COUNT as f64;
    let mut walls = BodyModel::fixed("walls").with_part(Plane::ground(), Pose::identity(), stone);
    for (normal, offset) in [
        ([1.0, 0.0, 0.0], 0.0),
        ([-1.0, 0.0, 0.0], -width),
        ([0.0, 1.0, 0.0], 0.0),
        ([0.0, -1.0, 0.0], -width),
    ] {
        walls = walls.with_part(Plane::new(normal, offset)?, Pose::identity(), stone);
    }
    builder.body(walls);
    let shape = Ellipsoid::new([0.1, 0.08, 0.06])?;
    for k in 0..COUNT.pow(3) {
        let cell = [k % COUNT, k / COUNT % COUNT, k / COUNT / COUNT].map(|i| ROOM * (i as f64 + 0.5));
        let angle = 0.7 * k as f64;
        let pose = Pose::from_position(cell[0], cell[1], cell[2])
            .rotated(Vec3::new(1.0, angle.sin(), 0.5), angle)?;
        builder.body(BodyModel::solid(format!("grain {k}"), shape, 1000.0, stone)?.at(pose));
    }
    let model = builder.build()?;

    println!("{} bodies, {} pairs that may touch", model.bodies().len(), model.count_pairs());
    let mut run = model.run(&Scheme::Many { step: 1e-4 })?;
    for frame in run.frames(0.8, 0.1) {
        let frame = frame?;
        let grains = &frame.motions[1..];
        let height = grains.iter().map(|motion| motion.pose.position.z).sum::<f64>() / grains.len() as f64;
        println!(
            "{:.1} s: mean height {height:.3} m, kinetic energy {:8.4} J, {} contacts",
            frame.time,
            frame.energy.kinetic,
            frame.contacts.len()
        );
    }
    Ok(())
}
