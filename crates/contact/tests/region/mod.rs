//! Regions of meshes against closed forms, against brute force and in the hard positions.

mod boxes;
mod contact_plane;
mod continuous;
mod contours;
mod convex;
mod degenerate;
mod gap;
mod plane;
mod potential;
mod random;
mod samples;
mod several;
mod spheres;
