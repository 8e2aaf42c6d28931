//! Planes, cylinders, capsules, tori and half tori against differences, quadrature, samples and one another.

#[cfg(test)]
mod derivatives;
#[cfg(test)]
mod inputs;
#[cfg(test)]
mod meshes;
#[cfg(test)]
mod moments;
#[cfg(test)]
mod samples;
#[cfg(test)]
mod views;
