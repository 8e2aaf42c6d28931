//! Kinds of links in terms of the chain's diameter d, and the tube that stands for one.
//!
//! | kind | outer length | outer width | bar | stud |
//! |---|---|---|---|---|
//! | common | 6 d | 3.6 d | d | may be |
//! | enlarged | 6.6 d | 4 d | 1.1 d | may be |
//! | end | 6.75 d | 4 d | 1.2 d | no |
//! | swivel | 9.7 d | 4.7 d | 1.2 d | no |
//! | joining shackle (Kenter) | 6 d | 4.2 d | d | may be |
//! | end shackle | 8.7 d | 5.2 d | 1.4 d | no |
//!
//! The first three are those of ISO 1704, Stud-link anchor chains. The others are of the usual outer dimensions, which
//! differ from maker to maker; they too are tubes here: a swivel's box, a shackle's pin and eyes are left out.
//!
//! A tube has two straight bars of radius r at y = ±R from z = −h to h, and two half tori about (0, 0, ±h), so that the
//! length is 2(h + R + r) and the width 2(R + r). With A = πr²:
//!
//!   V = 4hA + 2πR A
//!   ∫x² = 4hA r²/4 + 2πR A r²/4
//!   ∫y² = 4hA (R² + r²/4) + πR A (R² + ¾r²)
//!   ∫z² = 4hA h²/3 + πR A (R² + ¾r²) + 8hA (R² + r²/4) + 2πR A h²
//!
//! A stud is a bar along y between the straight bars, of 0.88 of their diameter: a chain of steel then weighs 0.0219 d²
//! kg/m with d in mm, as makers say; without studs the tubes alone weigh 0.0200 d².

use crate::body::Body;
use crate::error::{DynamicsError, Result, positive};
use rattleback_geom::surface::{Cylinder, Link};
use rattleback_geom::{Mat3, Pose, Vec3};
use std::f64::consts::{FRAC_PI_2, PI};

/// The diameter of a stud as a share of the bar's; see above.
const STUD: f64 = 0.88;

/// A kind of link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkKind {
    /// What most of a chain consists of.
    Common,
    /// Between common links and an end link.
    Enlarged,
    /// The last one, without stud.
    End,
    /// Lets the chain twist: the joint after it is a ball.
    Swivel,
    /// A Kenter shackle, which joins two lengths of chain.
    JoiningShackle,
    /// Joins the chain to an anchor.
    EndShackle,
}

/// The tube that stands for a link, in m. It lies in the yz plane, long along z, its centre at the origin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinkForm {
    /// r: of the bar.
    pub bar_radius: f64,
    /// R: of the middle line of the bends.
    pub bend_radius: f64,
    /// h: half the length of the straight bars.
    pub half_straight: f64,
    /// The radius of the stud, if there is one.
    pub stud_radius: Option<f64>,
}

impl LinkKind {
    /// Outer length, outer width and diameter of the bar, all in terms of d.
    pub fn proportions(self) -> [f64; 3] {
        match self {
            Self::Common => [6.0, 3.6, 1.0],
            Self::Enlarged => [6.6, 4.0, 1.1],
            Self::End => [6.75, 4.0, 1.2],
            Self::Swivel => [9.7, 4.7, 1.2],
            Self::JoiningShackle => [6.0, 4.2, 1.0],
            Self::EndShackle => [8.7, 5.2, 1.4],
        }
    }

    /// Whether it can have a stud.
    pub fn may_have_stud(self) -> bool {
        matches!(self, Self::Common | Self::Enlarged | Self::JoiningShackle)
    }

    /// The link of a chain of the given diameter.
    pub fn form(self, diameter: f64, stud: bool) -> Result<LinkForm> {
        positive("diameter", diameter)?;
        if stud && !self.may_have_stud() {
            let reason = "only common and enlarged links and joining shackles have studs".to_owned();
            return Err(DynamicsError::Invalid { what: format!("stud of a link ({self:?})"), reason });
        }
        let [length, width, bar] = self.proportions().map(|x| x * diameter);
        Ok(LinkForm {
            bar_radius: 0.5 * bar,
            bend_radius: 0.5 * (width - bar),
            half_straight: 0.5 * (length - width),
            stud_radius: stud.then_some(0.5 * STUD * bar),
        })
    }
}

impl LinkForm {
    /// The inner length: the distance of the points where it touches the links before and after it.
    pub fn pitch(&self) -> f64 {
        2.0 * (self.half_straight + self.bend_radius - self.bar_radius)
    }

    /// Mass and inertia at a density in kg/m³.
    pub fn body(&self, density: f64) -> Body {
        let Self { bar_radius: r, bend_radius: bend, half_straight: h, .. } = *self;
        let area = PI * r * r;
        let (straight, bent) = (4.0 * h * area, 2.0 * PI * bend * area);
        let (quarter, ring) = (0.25 * r * r, 0.5 * bent * (bend * bend + 0.75 * r * r));
        let arms = bend * bend + quarter;
        let mut volume = straight + bent;
        let mut second = Vec3::new(
            volume * quarter,
            straight * arms + ring,
            straight * h * h / 3.0 + ring + 8.0 * h * area * arms + bent * h * h,
        );
        if let Some(stud) = self.stud_radius {
            let half = bend - r;
            let own = PI * stud * stud * 2.0 * half;
            volume += own;
            second += own * Vec3::new(0.25 * stud * stud, half * half / 3.0, 0.25 * stud * stud);
        }
        let moments = Vec3::new(second.y + second.z, second.x + second.z, second.x + second.y);
        Body { mass: density * volume, inertia: Mat3::from_diagonal(&(density * moments)) }
    }

    /// The tube without its stud, in the link's frame.
    pub fn surface(&self) -> Result<Link> {
        Ok(Link::new(self.bar_radius, self.bend_radius, self.half_straight)?)
    }

    /// The stud and its pose in the link's frame.
    pub fn stud(&self) -> Result<Option<(Cylinder, Pose)>> {
        let Some(radius) = self.stud_radius else { return Ok(None) };
        let shape = Cylinder::new(radius, self.bend_radius - self.bar_radius)?;
        Ok(Some((shape, Pose::identity().rotated(Vec3::x(), FRAC_PI_2)?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rattleback_geom::surface::Surface;

    const KINDS: [LinkKind; 6] = [
        LinkKind::Common,
        LinkKind::Enlarged,
        LinkKind::End,
        LinkKind::Swivel,
        LinkKind::JoiningShackle,
        LinkKind::EndShackle,
    ];

    #[test]
    fn a_chain_of_steel_weighs_what_makers_say() {
        for (stud, expected) in [(true, 0.0219), (false, 0.0200)] {
            for millimetres in [19.0, 50.0, 102.0] {
                let form = LinkKind::Common.form(1e-3 * millimetres, stud).unwrap();
                let per_metre = form.body(7850.0).mass / form.pitch();
                let share = per_metre / (expected * millimetres * millimetres);
                assert!((share - 1.0).abs() < 0.01, "{stud}: {share}");
            }
        }
    }

    #[test]
    fn masses_and_inertias_are_those_of_the_surfaces() {
        for kind in KINDS {
            let form = kind.form(0.05, kind.may_have_stud()).unwrap();
            let [length, width, bar] = kind.proportions().map(|x| 0.05 * x);
            let link = form.surface().unwrap();
            let (low, high) = (link.bounds().min, link.bounds().max);
            assert!((high - low - Vec3::new(bar, width, length)).norm() < 1e-12, "{kind:?}");
            assert!((form.pitch() - (length - 2.0 * bar)).abs() < 1e-15);
            let tube = link.moments().unwrap().with_density(7850.0).unwrap();
            let bare = LinkForm { stud_radius: None, ..form }.body(7850.0);
            assert!((bare.mass / tube.mass - 1.0).abs() < 1e-9, "{kind:?}");
            assert!((bare.inertia - tube.inertia).amax() < 1e-9 * tube.inertia.amax(), "{kind:?}");
            let Some((stud, pose)) = form.stud().unwrap() else { continue };
            let own = stud.moments().unwrap().with_density(7850.0).unwrap();
            let turn = pose.rotation();
            let turned = turn * own.inertia * turn.transpose();
            let whole = form.body(7850.0);
            assert!((whole.mass - bare.mass - own.mass).abs() < 1e-12 * whole.mass);
            assert!((whole.inertia - bare.inertia - turned).amax() < 1e-12 * whole.inertia.amax());
        }
    }

    #[test]
    fn studs_where_there_are_none_and_diameters_that_are_none_are_refused() {
        let refused = LinkKind::End.form(0.05, true).unwrap_err().to_string();
        assert!(refused.contains("stud of a link (End)"), "{refused}");
        for diameter in [0.0, -1.0, f64::NAN] {
            assert!(LinkKind::Common.form(diameter, false).unwrap_err().to_string().starts_with("diameter"));
        }
    }
}
