//! Bodies that press on each other in several regions, moved by a mechanism.
mod boxes;
mod capstan;
mod contact_plane;
mod drops;
mod impacts;
mod ledger;
mod resting;
mod sliding;
mod stage;
