//! How a contact changes when its bodies move, and how its force does.
//!
//!     cargo run --release -p rattleback --example derivatives

use rattleback::prelude::*;

/// The program.
pub fn main() -> rattleback::Result<()> {
    let floor = Collider::new(Plane::ground(), Pose::identity());
    let leaning = Pose::from_position(0.0, 0.0, 0.0464).rotated(Vec3::y(), 0.3)?;
    let egg = Collider::new(Ellipsoid::new([0.06, 0.05, 0.045])?, leaning);
    let found = contact(&floor, &egg)?;

    // Columns: translation of A, small rotation of A, translation of B, small rotation of B, all in world axes.
    let exact = derivatives(&floor, &egg, &found)?;
    println!(
        "the gap is {:.3e} m; how it and the touching point change with the egg's pose:",
        found.touch.gap
    );
    for (column, name) in
        [(6, "shift along x"), (8, "shift along z"), (9, "turn about x"), (10, "turn about y")]
    {
        let point = exact.point_b.column(column);
        println!(
            "{name:14} gap {:8.5}  point {:8.5} {:8.5} {:8.5}",
            exact.gap[column], point[0], point[1], point[2]
        );
    }

    let step = 1e-6;
    let gap = |angle: f64| -> rattleback::Result<f64> {
        let turn = Pose::identity().rotated(Vec3::y(), angle)?.orientation;
        let pose = Pose::new(leaning.position, turn * leaning.orientation);
        Ok(contact(&floor, &Collider::new(egg.shape.clone(), pose))?.touch.gap)
    };
    let difference = (gap(step)? - gap(-step)?) / (2.0 * step);
    println!("turn about y by differences: {difference:8.5}\n");

    let (twist_a, twist_b) =
        (Twist::zero(), Twist { velocity: Vec3::new(0.2, 0.0, -1.0), angular_velocity: Vec3::zeros() });
    let steel = Material::new(210e9, 0.3)?;
    let law = law::hertz(&steel, &steel).restitution(0.8)?.friction(0.3)?;
    let motion = Kinematics::new(&floor, &egg, &found.touch, [&twist_a, &twist_b], law.share());
    let state = law.begin(motion.gap_rate)?; // when the contact begins: the approach speed is remembered
    let force = law.force(&found, &motion, &state)?; // on B; A gets the opposite
    println!("force on the egg {:.1?} N", force.force.as_slice());

    let rates = motion.derivatives(&exact, [&twist_a, &twist_b], law.share());
    let tangent = law.partials(&found, &motion, &state)?.tangent(&exact, &motion, &rates, &state);
    println!("normal force per metre of lift {:.3e} N/m", tangent.by_pose[(8, 8)]);
    println!("friction per metre of lift     {:.3e} N/m", tangent.by_pose[(6, 8)]);
    Ok(())
}
