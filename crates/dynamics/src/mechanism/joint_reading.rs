//! What a joint shows: its force and torque, its coordinates with their rates, and what motors exert on them.
//!
//! With R = R_Aᵀ R_B between the joint's frames, p from the origin of A's to that of B's, and ω = ω_B − ω_A:
//!
//! | coordinate | value | rate |
//! |---|---|---|
//! | turn | atan2(R₁₀, R₀₀) about z | ω·z_A |
//! | turn of a universal joint | atan2(R₂₁, R₁₁) about x of A | ω·x_A |
//! | second turn | atan2(R₀₂, R₀₀) about y of B | ω·y_B |
//! | slide | p·z_A | ṗ·z_A + p·(ω_A × z_A) |
//!
//! Coordinates on which something acts are those of the mechanism, whose angles count whole turns.

use super::{Mechanism, Reaction};
use crate::body::Motion;
use crate::error::Result;
use crate::joint::{Action, Freedom, Joint, JointKind};
use crate::state::State;
use rattleback_geom::Vec3;

/// A joint at an instant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointReading {
    /// Force and torque on its second body.
    pub reaction: Reaction,
    /// The turn; none where the joint has no such coordinate.
    pub turn: Option<CoordinateReading>,
    /// The second turn of a universal joint.
    pub second_turn: Option<CoordinateReading>,
    /// The slide.
    pub slide: Option<CoordinateReading>,
}

/// A coordinate of a joint at an instant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CoordinateReading {
    /// In rad or m.
    pub value: f64,
    /// In rad/s or m/s.
    pub rate: f64,
    /// What motors, controls and efforts exert on it, in N m or N; none where there are none.
    pub motor: Option<f64>,
}

impl Mechanism {
    /// All joints at a state, in the order of declaration.
    pub fn joint_readings(&mut self, state: &State) -> Result<Vec<JointReading>> {
        let reactions = self.reactions(state)?;
        let joints = self.model.joints().iter().zip(reactions);
        let mut readings: Vec<JointReading> = joints
            .map(|(joint, reaction)| {
                let of = |freedom| measure(joint, freedom, &state.motions);
                let [turn, second_turn, slide] = [Freedom::Turn, Freedom::SecondTurn, Freedom::Slide].map(of);
                JointReading { reaction, turn, second_turn, slide }
            })
            .collect();
        for (k, acting) in self.model.actions().iter().enumerate() {
            let reading = &mut readings[acting.joint.0];
            let place = match acting.freedom {
                Freedom::Turn => &mut reading.turn,
                Freedom::SecondTurn => &mut reading.second_turn,
                Freedom::Slide => &mut reading.slide,
            };
            let Some(coordinate) = place else { continue };
            let column = self.equations.system.acted[k];
            (coordinate.value, coordinate.rate) = (self.equations.q[column], self.equations.v[column]);
            let drives = matches!(
                acting.action,
                Action::Motor(_)
                    | Action::Control(_)
                    | Action::Effort(_)
                    | Action::EffortTable(_)
                    | Action::EffortFormula(_)
            );
            if drives {
                coordinate.motor = Some(coordinate.motor.unwrap_or(0.0) + self.settled_effort(k));
            }
        }
        Ok(readings)
    }
}

/// A coordinate of a joint from the motions of its bodies, if the joint has it.
fn measure(joint: &Joint, freedom: Freedom, motions: &[Motion]) -> Option<CoordinateReading> {
    use JointKind::{Cylindrical, Planar, Prismatic, Revolute, Screw, Universal};
    let has = match freedom {
        Freedom::Turn => matches!(joint.kind, Revolute | Cylindrical | Screw { .. } | Planar | Universal),
        Freedom::SecondTurn => matches!(joint.kind, Universal),
        Freedom::Slide => matches!(joint.kind, Prismatic | Cylindrical | Screw { .. }),
    };
    if !has {
        return None;
    }
    let frames = [&joint.a, &joint.b].map(|frame| motions[frame.body.0].of_frame(&frame.pose));
    let [(a, twist_a), (b, twist_b)] = frames;
    let (axes_a, axes_b) = (a.rotation(), b.rotation());
    let r = axes_a.tr_mul(&axes_b);
    let turning = twist_b.angular_velocity - twist_a.angular_velocity;
    let along = |axis: Vec3| turning.dot(&axis);
    let [value, rate] = match freedom {
        Freedom::Turn if joint.kind == Universal => {
            [r[(2, 1)].atan2(r[(1, 1)]), along(axes_a.column(0).into())]
        }
        Freedom::Turn => [r[(1, 0)].atan2(r[(0, 0)]), along(axes_a.column(2).into())],
        Freedom::SecondTurn => [r[(0, 2)].atan2(r[(0, 0)]), along(axes_b.column(1).into())],
        Freedom::Slide => {
            let (p, z): (Vec3, Vec3) = (b.position - a.position, axes_a.column(2).into());
            let parting = twist_b.velocity - twist_a.velocity;
            [p.dot(&z), parting.dot(&z) + p.dot(&twist_a.angular_velocity.cross(&z))]
        }
    };
    Some(CoordinateReading { value, rate, motor: None })
}
