//! Where two bodies are nearest, and what proves it.
//!
//!     cargo run --release -p rattleback --example query

use rattleback::prelude::*;

/// The program.
pub fn main() -> rattleback::Result<()> {
    let a = Collider::new(Ellipsoid::new([0.3, 0.2, 0.1])?, Pose::identity());
    let place = Pose::from_position(0.6, 0.3, 0.2).rotated(Vec3::x(), 0.9)?;
    let b = Collider::new(Torus::new(0.3, 0.05)?, place);
    let found = contact(&a, &b)?;
    let touch = &found.touch;
    println!("gap {:.6} m along {:.4?}, certified: {}", touch.gap, touch.normal.as_slice(), touch.certified);
    println!("from {:.4?} to {:.4?}", touch.point_a.as_slice(), touch.point_b.as_slice());
    if let Some(curvature) = found.curvature {
        println!("curvatures of the ellipsoid there {:.3?} 1/m", curvature.a.kappa);
    }

    println!("\nThe same ellipsoid and a ball that comes nearer:");
    for distance in [0.5, 0.4, 0.36, 0.34] {
        let ball = Collider::new(Sphere::new(0.05)?, Pose::from_position(distance, 0.0, 0.0));
        let gap = contact(&a, &ball)?.touch.gap;
        let words = if gap > 0.0 { "apart" } else { "overlapping" };
        println!("ball at {distance:.2} m: gap {gap:8.5} m, {words}");
    }

    println!("\nA can that stands 1 mm deep in the floor, and leans more and more:");
    let floor = Collider::new(Plane::ground(), Pose::identity());
    for angle in [0.0, 0.01, 0.1] {
        let pose = Pose::from_position(0.0, 0.0, 0.059).rotated(Vec3::y(), angle)?;
        let can = Collider::new(Cylinder::new(0.03, 0.06)?, pose);
        let depths: Vec<f64> = collide(&floor, &can, 0.0)?.iter().map(|found| -found.touch.gap).collect();
        println!("by {angle:.2} rad: it touches at depths of {depths:.5?} m");
    }
    Ok(())
}
