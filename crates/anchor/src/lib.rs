//! Anchors of ships: an application of the engine.
//!
//! | what | module |
//! |---|---|
//! | bow plating with a hawse pipe and stockless anchors, as meshes made from measures | [`solid`] |
//! | the manoeuvre: bow, chain, anchor and windlass as a model, what is watched of it, how it ended | [`manoeuvre`] |
//! | the key `manoeuvre` of scenes, the shapes `hull`, `anchor-head` and `anchor-shank` | `scene/` |
//! | what a run remembers and what is said of it | `monitor.rs` |
//! | hulls and ways to begin, side by side | [`study`] |
//!
//! [`APPLICATION`] is what a program lists to have all of it.

pub mod manoeuvre;
mod monitor;
mod scene;
pub mod solid;
mod stored;
pub mod study;

pub use monitor::ManoeuvreScene;
pub use scene::scene_of;

use rattleback_scene::{Application, BuiltIn};

/// Anchors, as a program lists them.
pub const APPLICATION: Application = Application {
    key: "manoeuvre",
    meaning: "An anchor that is heaved up into a hawse pipe: in place of gravity and of all bodies.",
    bodies: "the bodies of a manoeuvre",
    schema: scene::schema,
    read: scene::read,
    shapes: scene::SHAPES,
    scenes: SCENES,
};

/// The scenes that are built into the program.
const SCENES: &[BuiltIn] = &[
    BuiltIn { name: "stow", text: include_str!("../../../scenes/anchor/stow.toml"), beside: &[] },
    BuiltIn { name: "jam", text: include_str!("../../../scenes/anchor/jam.toml"), beside: &[] },
];
