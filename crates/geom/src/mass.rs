//! Volume, centre and inertia of a solid of uniform density.
//!
//! A solid is summed up by its moments V = ∫dV, s = ∫x dV, S = ∫x xᵀ dV. Mass m = ρV, centre c = s/V, and the
//! inertia about the centre is I = ρ(tr C · 1 − C) with C = S − V c cᵀ.

use crate::error::{GeomError, Result, positive};
use crate::{Mat3, Pose, Vec3};

/// Moments of a solid of density one, about the origin of its frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moments {
    /// ∫ dV, in m³.
    pub volume: f64,
    /// ∫ x dV, in m⁴.
    pub first: Vec3,
    /// ∫ x xᵀ dV, in m⁵.
    pub second: Mat3,
}

impl Moments {
    /// Nothing at all.
    pub fn zero() -> Self {
        Self { volume: 0.0, first: Vec3::zeros(), second: Mat3::zeros() }
    }

    /// A solid symmetric about the three coordinate planes.
    pub fn symmetric(volume: f64, second_diagonal: Vec3) -> Self {
        Self { volume, first: Vec3::zeros(), second: Mat3::from_diagonal(&second_diagonal) }
    }

    /// The same solid at another place.
    pub fn moved(&self, pose: &Pose) -> Self {
        let (r, t) = (pose.rotation(), pose.position);
        let first = r * self.first;
        let cross = first * t.transpose();
        Self {
            volume: self.volume,
            first: first + self.volume * t,
            second: r * self.second * r.transpose()
                + cross
                + cross.transpose()
                + self.volume * t * t.transpose(),
        }
    }

    /// Both solids together (disjoint ones; a hole is added with its moments negated).
    pub fn plus(&self, other: &Self) -> Self {
        Self {
            volume: self.volume + other.volume,
            first: self.first + other.first,
            second: self.second + other.second,
        }
    }

    /// Mass, centre and inertia for a density in kg/m³.
    pub fn with_density(&self, density: f64) -> Result<MassProperties> {
        let density = positive("density", density)?;
        if !(self.volume > 0.0 && self.volume.is_finite()) {
            return Err(GeomError::OutOfRange {
                field: "volume".to_owned(),
                value: self.volume,
                allowed: "a finite number above zero; are the faces turned outwards?".to_owned(),
            });
        }
        let centroid = self.first / self.volume;
        let central = self.second - self.volume * centroid * centroid.transpose();
        let inertia = density * (Mat3::identity() * central.trace() - central);
        let mass = density * self.volume;
        // Squares of lengths overflow long before the lengths do.
        for (field, numbers) in [
            ("mass", std::slice::from_ref(&mass)),
            ("centroid", centroid.as_slice()),
            ("inertia", inertia.as_slice()),
        ] {
            if let Some(&value) = numbers.iter().find(|x| !x.is_finite()) {
                let allowed = "finite: the body is too large or too small".to_owned();
                return Err(GeomError::OutOfRange { field: field.to_owned(), value, allowed });
            }
        }
        Ok(MassProperties { mass, volume: self.volume, centroid, inertia })
    }
}

/// Mass properties of a rigid body in the frame of its shape.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MassProperties {
    /// Mass in kg.
    pub mass: f64,
    /// Volume in m³.
    pub volume: f64,
    /// Mass centre in m.
    pub centroid: Vec3,
    /// Inertia about the mass centre, along the shape's axes, in kg m².
    pub inertia: Mat3,
}

impl MassProperties {
    /// Principal moments of inertia in rising order, and their axes as the columns of a right-handed rotation.
    pub fn principal(&self) -> (Vec3, Mat3) {
        let eigen = self.inertia.symmetric_eigen();
        let mut order = [0, 1, 2];
        order.sort_by(|&i, &j| eigen.eigenvalues[i].total_cmp(&eigen.eigenvalues[j]));
        let column = |k: usize| eigen.eigenvectors.column(order[k]).into_owned();
        let (x, y) = (column(0), column(1));
        let moments = Vec3::from_fn(|i, _| eigen.eigenvalues[order[i]]);
        (moments, Mat3::from_columns(&[x, y, x.cross(&y)]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moving_a_solid_moves_its_centre_and_turns_its_inertia() {
        let solid = Moments::symmetric(2.0, Vec3::new(0.3, 0.5, 0.7));
        let pose = Pose::from_parts([1.0, -2.0, 3.0], [0.5, 0.5, 0.5, -0.5]).unwrap();
        let before = solid.with_density(3.0).unwrap();
        let after = solid.moved(&pose).with_density(3.0).unwrap();
        assert!((after.centroid - pose.position).norm() < 1e-15);
        let turned = pose.rotation() * before.inertia * pose.rotation().transpose();
        assert!((after.inertia - turned).norm() < 1e-13);
        assert!((after.principal().0 - before.principal().0).norm() < 1e-13);
    }

    #[test]
    fn a_solid_turned_inside_out_has_no_mass() {
        let error = Moments::symmetric(-1.0, Vec3::zeros()).with_density(1.0).unwrap_err();
        assert!(error.to_string().starts_with("volume = -1"), "{error}");
    }
}
