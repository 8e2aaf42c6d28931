//! What a tree of bodies that has been solved (`tree.rs`) does in addition when wrenches act on its bodies: the same
//! equations with the folded inertias that are there, without loads, drift and given accelerations.
//!
//! With p = −(wrench on the body) and what hangs on it folded in, from the leaves to the roots and back,
//!
//!   p_B += Xᵀ (p − I S D⁻¹ T p),   ẇ = −D⁻¹ T (I X α_B + p),   α = X α_B + S ẇ,   f = I α + p

use super::tree::{ArticulatedBody, Attachment, Vec6, shift, split, times};
use rattleback_geom::Vec3;
use rattleback_geom::nalgebra::SVector;

/// What is added to the motion of a body.
#[derive(Debug, Clone, Copy)]
pub struct Response {
    /// To α.
    pub acceleration: Vec6,
    /// To ẇ.
    pub rates: SVector<f64, 5>,
    /// To the wrench of the contact with its parent.
    pub wrench: Vec6,
}

/// The response of all bodies to `wrenches` on them, about their mass centres; `order` lists parents before children.
/// None where a root has no inertia.
pub fn respond(nodes: &[ArticulatedBody], order: &[usize], wrenches: &[Vec6]) -> Option<Vec<Response>> {
    let mut bias: Vec<Vec6> = wrenches.iter().map(|wrench| -wrench).collect();
    for &i in order.iter().rev() {
        let Attachment::Contact(joint) = &nodes[i].hold else { continue };
        if matches!(nodes[joint.parent].hold, Attachment::Given(_)) || bias[i] == Vec6::zeros() {
            continue;
        }
        let rest = velocities(&nodes[i], &bias[i]);
        let mut moved = Vec6::zeros();
        let (free, count) = joint.free();
        for &k in &free[..count] {
            moved += joint.directions.column(k) * rest[k];
        }
        let carried = bias[i] + times(&nodes[i].inertia, &moved);
        bias[joint.parent] += carried_over(&joint.arm, &carried);
    }
    let nothing = Response { acceleration: Vec6::zeros(), rates: SVector::zeros(), wrench: Vec6::zeros() };
    let mut found = vec![nothing; nodes.len()];
    for &i in order {
        let (node, p) = (&nodes[i], &bias[i]);
        match &node.hold {
            Attachment::Given(_) => {}
            Attachment::Free => {
                if *p != Vec6::zeros() {
                    found[i].acceleration = node.inertia.lu().solve(&-p)?;
                }
            }
            Attachment::Contact(joint) => {
                let carried = shift(&joint.arm, &found[joint.parent].acceleration);
                let rates = velocities(node, &(times(&node.inertia, &carried) + p));
                let mut acceleration = carried;
                let (free, count) = joint.free();
                for &k in &free[..count] {
                    acceleration += joint.directions.column(k) * rates[k];
                }
                let wrench = times(&node.inertia, &acceleration) + p;
                found[i] = Response { acceleration, rates, wrench };
            }
        }
    }
    Some(found)
}

/// −D⁻¹ T x.
fn velocities(node: &ArticulatedBody, x: &Vec6) -> SVector<f64, 5> {
    let mut rates = SVector::<f64, 5>::zeros();
    let Attachment::Contact(joint) = &node.hold else { return rates };
    let rest = joint.tests.tr_mul(x);
    let (free, count) = joint.free();
    for (row, &k) in node.inverse.iter().zip(&free[..count]) {
        rates[k] = -row.iter().zip(&free[..count]).map(|(inverse, &l)| inverse * rest[l]).sum::<f64>();
    }
    rates
}

/// Xᵀ f.
fn carried_over(arm: &Vec3, f: &Vec6) -> Vec6 {
    let (torque, force) = split(f);
    super::tree::join(&(torque + arm.cross(&force)), &force)
}
