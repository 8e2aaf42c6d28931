//! Forward dynamics: a leg that measured joint angles drive over the ground, and a foot that is dropped.
//!
//! | what | file |
//! |---|---|
//! | angles of joints from a file of inverse kinematics | `angles.rs` |
//! | the leg: segments by these angles, links by the markers | `chain.rs` |
//! | what drives it over the ground | `drive.rs` |
//! | its scene | `leg_scene.rs` |
//! | the scene of the dropped foot, and what both scenes share | `foot_scene.rs` |
//! | a scene through its run: forces, depths, joint angles, energies | `run.rs` |
//!
//! The pelvis travels along the ground as its markers do and turns as the file says; its height is free. The joints
//! have the file's angles, whatever that takes. The weight of the body is on the pelvis, the other foot carries what
//! the prediction gives it, and the ground carries the rest through the fitted foot: m ÿ = F + F_other − m g.

mod angles;
mod chain;
mod drive;
mod foot_scene;
mod leg_scene;
mod run;

pub use angles::{JointAngles, JointName};
pub use chain::{Leg, Links};
pub use drive::{ANGLE_CUTOFF_HZ, Drive, drive};
pub use foot_scene::foot_scene;
pub use leg_scene::leg_scene;
pub use run::{BodyTrace, SceneRun, run_scene};
