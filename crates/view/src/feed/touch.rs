//! What contacts are drawn with besides their columns: the velocity of slip, and along what their ellipses lie.
//!
//! With c the point of the force, x the mass centres, v their velocities, ω the angular velocities, n the normal from A
//! to B: u = v_B + ω_B × (c − x_B) − v_A − ω_A × (c − x_A), and the slip is u − n (n·u), as the engine has it
//! (`crates/contact/src/kinematics.rs`). The long axis of Hertz's ellipse is the direction of the least relative
//! curvature of both surfaces (`crates/contact/src/contact.rs`).

use super::frames::Contact;
use rattleback_contact::{Collider, curvature_between};
use rattleback_dynamics::{Model, Motion};
use rattleback_geom::Vec3;
use rattleback_geom::surface::Shape;

/// The velocity of B's material against A's across the normal, in m/s.
pub(super) fn slip(contact: &Contact, motions: &[Motion]) -> Vec3 {
    let [a, b] = contact.bodies.map(|body| {
        let motion = &motions[body];
        let turning = motion.pose.vector_to_world(&motion.angular_velocity_body);
        motion.velocity + turning.cross(&(contact.force_point - motion.pose.position))
    });
    let apart = b - a;
    apart - contact.normal * contact.normal.dot(&apart)
}

/// The unit vector across the normal along which the gap grows least; zero where all directions are alike or the
/// surfaces tell no curvature.
pub(super) fn direction(contact: &Contact, motions: &[Motion], model: &Model) -> Vec3 {
    let collider = |side: usize| {
        let (body, part) = (contact.bodies[side], contact.parts[side] as usize);
        let part = model.bodies().get(body)?.parts.get(part)?;
        // Meshes have no curvature; what they press is a region.
        if matches!(part.shape, Shape::Mesh(_)) {
            return None;
        }
        Some(Collider::new(part.shape.clone(), motions[body].pose.compose(&part.pose)))
    };
    let (Some(a), Some(b)) = (collider(0), collider(1)) else { return Vec3::zeros() };
    let [p, q] = &contact.points;
    let Ok(curvature) = curvature_between([&a, &b], &contact.normal, [p, q]) else { return Vec3::zeros() };
    let [most, least] = curvature.relative.kappa;
    // Directions of a ball are those of rounding.
    if most - least > 1e-9 * most.abs() { curvature.relative.direction[1] } else { Vec3::zeros() }
}
