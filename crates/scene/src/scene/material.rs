//! What bodies are made of.

use crate::read::{Density, Pressure, Range, Reader, entry, number};
use rattleback_contact::material::Material;

entry! {
    /// A material: what its contacts are stiff by, and what its bodies weigh.
    pub struct MaterialSpec {
        /// Young's modulus; needed where a contact's stiffness is Hertz's.
        young: Option<Pressure>,
        /// Poisson's ratio, above -1 and at most 0.5; needed where a contact's stiffness is Hertz's.
        poisson: Option<f64>,
        /// The density; needed by bodies that do not give their mass.
        density: Option<Density>,
    }
}

impl MaterialSpec {
    /// Checks what is given, whether it is used or not.
    pub(crate) fn check(&self, reader: &mut Reader) {
        if let Err(error) =
            Material::new(self.young.map_or(1.0, |young| young.0), self.poisson.unwrap_or(0.0))
        {
            super::lower::refuse(reader, &self.place, &error);
        }
        if let Some(Density(density)) = self.density {
            number(&self.place, "density", density, Range::Positive, reader);
        }
    }

    /// The elastic material, if it is one.
    pub(crate) fn elastic(&self) -> Option<Material> {
        Material::new(self.young?.0, self.poisson?).ok()
    }
}
