//! Planes, cylinders, capsules, tori and half tori against differences, quadrature, samples and one another.

mod derivatives;
mod inputs;
mod meshes;
mod moments;
mod samples;
mod views;
