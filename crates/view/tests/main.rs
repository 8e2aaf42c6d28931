//! Tests of the viewer: its server under hostile clients, what it tells of result folders, and the page in a browser.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod browser;
mod chosen;
mod export;
mod feed;
mod film;
mod hostile;
mod looks;
mod page;
mod sample;
mod silhouettes;
