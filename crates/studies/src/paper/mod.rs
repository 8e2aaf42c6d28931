//! The five papers that the studies follow, and where their figures and tables stand.

mod contents;
mod list;

pub use contents::{PaperItem, Place};
pub use list::ITEMS;

/// A paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paper {
    /// Lopes, Silva, Ambrósio, Flores 2010: the common normal of implicit surfaces.
    Lopes,
    /// Römer et al.: the normal parameterisation.
    Roemer,
    /// Kry and Pai 2002: contact evolution in reduced coordinates.
    KryPai,
    /// Dopico et al.: the anchor manoeuvre.
    Dopico,
    /// Marques et al.: ground contact for gait.
    Marques,
}

impl Paper {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Lopes, Self::Roemer, Self::KryPai, Self::Dopico, Self::Marques];

    /// Authors and title.
    pub fn title(self) -> &'static str {
        match self {
            Self::Lopes => {
                "Lopes et al. 2010, A mathematical framework for rigid contact detection between quadric and \
                 superquadric surfaces"
            }
            Self::Roemer => {
                "Römer et al., The normal parameterization and its application to collision detection"
            }
            Self::KryPai => "Kry and Pai 2002, Continuous contact simulation for smooth surfaces",
            Self::Dopico => {
                "Dopico et al., Simulation of the anchor lifting maneuver of a ship using contact detection \
                 techniques and continuous force models"
            }
            Self::Marques => {
                "Marques et al., Development of a general ground contact model for analysis and simulation of \
                 human gait"
            }
        }
    }
}
