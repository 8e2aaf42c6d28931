//! The tests of this crate in one program; a file or folder beside this one is a line here.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod book;
mod broken;
mod chaos;
mod command;
mod curve;
mod distance;
mod flat_face;
mod gait;
mod golden;
mod health;
mod import;
mod joints;
mod language;
mod rest;
mod resume;
mod run;
mod shape;
mod studio;
mod study;
mod sweep;
mod verbs;
