//! Slip and spin that stop: the jump of all velocities when one of a rigid contact's is held from now on.
//!
//! The contact exerts an impulse that takes the velocity away; all other contacts hold what they hold. By the tree's
//! equations with impulses in the place of forces (`tree.rs`).

use super::assembly::Assembly;
use super::tree::{Attachment, Vec6, solve, split};
use crate::body::Motion;
use crate::error::{DynamicsError, Result};
use crate::state::State;
use rattleback_geom::nalgebra::SVector;

/// Stops what the rigid contact of `body` now holds, in a state that `assembly` has been evaluated at.
pub fn stop(assembly: &Assembly<'_>, state: &mut State, body: usize) -> Result<()> {
    let mut nodes = assembly.resting_nodes();
    let Some(rigid_contacts) = &mut state.rigid_contacts else { return Ok(()) };
    for (i, node) in nodes.iter_mut().enumerate() {
        let (Attachment::Contact(joint), Some(rigid_contact)) = (&mut node.hold, &rigid_contacts[i]) else {
            continue;
        };
        joint.drift = Vec6::zeros();
        joint.given = SVector::zeros();
        if i == body {
            joint.held = rigid_contact.mode.held();
            for (k, _) in joint.held.iter().enumerate().filter(|(_, held)| **held) {
                joint.drift -= joint.directions.column(k) * rigid_contact.velocities[k];
                joint.directions.column_mut(k).fill(0.0);
            }
        }
        joint.tests = joint.directions;
    }
    if !solve(&mut nodes, &assembly.layout.order) {
        let (what, reason) = ("slip".to_owned(), "it cannot be stopped".to_owned());
        return Err(DynamicsError::Invalid { what, reason });
    }
    for (i, node) in nodes.iter().enumerate() {
        let (angular, linear) = split(&node.acceleration);
        if let Some(rigid_contact) = &mut rigid_contacts[i] {
            rigid_contact.velocities += node.rates;
            for (k, held) in rigid_contact.mode.held().into_iter().enumerate() {
                if held {
                    rigid_contact.velocities[k] = 0.0;
                }
            }
        }
        let motion: &mut Motion = &mut state.motions[i];
        motion.velocity += linear;
        motion.angular_velocity_body += motion.pose.vector_to_local(&angular);
    }
    Ok(())
}
