//! The touches of many pairs in one call, timed: poses come from standard input as rows of seven doubles.
//!
//! `crates/py/examples/speed.py` sets it beside the same from Python. Prints the least time of some rounds in s and the
//! sum of all gaps in m. With the argument `derivatives` it writes how every contact changes with both poses instead,
//! for the tests of the Python package: per pair sixteen rows of twelve doubles, gap, normal, points, curvatures. With
//! `tangents` it writes the forces that a law exerts in them: per pair the force and the torque on B, then the tangent
//! by poses and by twists, row after row.

use rattleback_contact::geom::surface::Ellipsoid;
use rattleback_contact::geom::{Pose, Vec3};
use rattleback_contact::law::ContactLaw;
use rattleback_contact::law::friction::Coulomb;
use rattleback_contact::law::normal::{Hysteresis, Rule};
use rattleback_contact::material::Stiffness;
use rattleback_contact::{Collider, ColliderPair, Kinematics, Twist, contact, derivatives, touches};
use std::io::{Read, Write};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let argument = std::env::args().nth(1);
    let egg = Ellipsoid::new([0.3, 0.2, 0.1])?;
    let mut colliders = vec![Collider::new(egg, Pose::identity())];
    for row in numbers()?.chunks_exact(7) {
        let pose = Pose::from_parts([row[0], row[1], row[2]], [row[3], row[4], row[5], row[6]])?;
        colliders.push(Collider::new(egg, pose));
    }
    if argument.as_deref() == Some("derivatives") {
        return write_derivatives(&colliders);
    }
    if argument.as_deref() == Some("tangents") {
        return write_tangents(&colliders);
    }
    let rounds: usize = argument.map_or(Ok(3), |text| text.parse())?;
    let pairs: Vec<ColliderPair> = (1..colliders.len()).map(|k| ColliderPair::new(0, k)).collect();
    let (mut least, mut sum) = (f64::INFINITY, 0.0);
    for _ in 0..rounds {
        let begun = Instant::now();
        let found = touches(&colliders, &pairs);
        least = least.min(begun.elapsed().as_secs_f64());
        sum = 0.0;
        for touch in found {
            sum += touch?.gap;
        }
    }
    println!("{least} {sum:?}");
    Ok(())
}

fn numbers() -> std::io::Result<Vec<f64>> {
    let mut bytes = Vec::new();
    std::io::stdin().read_to_end(&mut bytes)?;
    Ok(bytes.as_chunks().0.iter().map(|eight| f64::from_le_bytes(*eight)).collect())
}

fn write_derivatives(colliders: &[Collider]) -> Result<(), Box<dyn std::error::Error>> {
    let mut all = Vec::new();
    for other in &colliders[1..] {
        let change = derivatives(&colliders[0], other, &contact(&colliders[0], other)?)?;
        all.extend(change.gap.iter().copied());
        for matrix in [&change.normal, &change.point_a, &change.point_b] {
            // Row after row; nalgebra's order is by columns.
            all.extend(matrix.transpose().iter().copied());
        }
        for matrix in [&change.curvature_a, &change.curvature_b, &change.relative] {
            all.extend(matrix.transpose().iter().copied());
        }
    }
    write(&all)
}

/// The first body rests, the others come with one twist; contacts begin.
fn write_tangents(colliders: &[Collider]) -> Result<(), Box<dyn std::error::Error>> {
    let law = ContactLaw::new(Stiffness::given(1e7)?, Hysteresis::new(Rule::Exact, 0.5, 1.5)?)?
        .with_friction(Coulomb::new(0.3, 1e-3)?);
    let came = Twist { velocity: Vec3::new(0.3, -0.2, -0.5), angular_velocity: Vec3::new(0.4, 0.3, -0.6) };
    let (a, rest) = (&colliders[0], Twist { velocity: Vec3::zeros(), angular_velocity: Vec3::zeros() });
    let twists = [&rest, &came];
    let mut all = Vec::new();
    for b in &colliders[1..] {
        let found = contact(a, b)?;
        let kinematics = Kinematics::new(a, b, &found.touch, twists, law.share());
        let state = law.begin(kinematics.gap_rate)?;
        let force = law.force(&found, &kinematics, &state)?;
        let [_, of_b] = force.wrenches(&kinematics);
        all.extend(of_b.iter().flatten().copied());
        let change = derivatives(a, b, &found)?;
        let moved = kinematics.derivatives(&change, twists, law.share());
        let tangent =
            law.partials(&found, &kinematics, &state)?.tangent(&change, &kinematics, &moved, &state);
        for matrix in [&tangent.by_pose, &tangent.by_twist] {
            all.extend(matrix.transpose().iter().copied());
        }
    }
    write(&all)
}

fn write(numbers: &[f64]) -> Result<(), Box<dyn std::error::Error>> {
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    Ok(std::io::stdout().write_all(&bytes)?)
}
