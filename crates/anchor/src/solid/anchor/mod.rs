//! A stockless anchor of Hall's type of a given mass: a head with two flukes that turns about a pin at the foot of a
//! shank.
//!
//! Both bodies have the origin of their frames on the pin, whose axis is x, and z along the shank towards the
//! shackle; the flukes of the head point along z too, one on either side of the shank. Turned by the tripping angle
//! to either side, about x, head and shank stay apart: the crown has a slot that is open but for a bridge below the
//! foot of the shank.
//!
//! The proportions, in lengths of the shank from pin to shackle, are ours, after the look of such anchors; what the
//! books ask for is kept: the head has three fifths of the mass or more, and turns by 45° to either side (Nicholls's
//! Seamanship and Nautical Knowledge; House, Anchor Work). All lengths follow the cube root of the mass. Corners are
//! chamfered.

use super::block;
use super::range::{Result, positive, within};
use rattleback_geom::{TriMesh, Vec3};
use std::f64::consts::FRAC_PI_2;

/// Density of steel in kg/m³.
const STEEL: f64 = 7850.0;

/// The section of a bar at a height z: from x = `inner` to `outer`, to y = ±`half`.
#[derive(Clone, Copy)]
struct Section {
    z: f64,
    inner: f64,
    outer: f64,
    half: f64,
}

const fn section(z: f64, inner: f64, outer: f64, half: f64) -> Section {
    Section { z, inner, outer, half }
}

/// The flukes from the top of the crown to their tips.
const FLUKE: [Section; 7] = [
    section(0.09, 0.085, 0.295, 0.105),
    section(0.125, 0.087, 0.31, 0.078),
    section(0.22, 0.092, 0.325, 0.064),
    section(0.36, 0.105, 0.32, 0.05),
    section(0.49, 0.135, 0.295, 0.038),
    section(0.59, 0.17, 0.26, 0.027),
    section(0.635, 0.19, 0.24, 0.016),
];

/// Heights of the crown: its bottom, the end of the bottom's chamfer, the bridge below the shank.
const CROWN: [f64; 3] = [-0.165, -0.135, -0.09];

/// From the middle to the ends of the crown.
const CROWN_END: f64 = 0.37;

/// The shank from below the pin to its eye, x being the greatest to either side.
const SHANK: [Section; 11] = [
    shank(-0.072, 0.05, 0.02),
    shank(-0.055, 0.066, 0.05),
    shank(0.0, 0.068, 0.075),
    shank(0.1, 0.066, 0.071),
    shank(0.35, 0.059, 0.064),
    shank(0.65, 0.053, 0.058),
    shank(0.86, 0.048, 0.053),
    shank(0.93, 0.055, 0.066),
    shank(1.0, 0.06, 0.08),
    shank(1.05, 0.056, 0.068),
    shank(1.085, 0.046, 0.04),
];

const fn shank(z: f64, wide: f64, half: f64) -> Section {
    section(z, -wide, wide, half)
}

/// A stockless anchor; lengths in metres, masses in kilograms, angles in radians.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Anchor {
    mass: f64,
    density: f64,
    tripping_angle: f64,
    length: f64,
    head_share: f64,
}

impl Anchor {
    /// An anchor of the given mass, of steel of 7850 kg/m³, whose head turns by 45° to either side.
    pub fn new(mass: f64) -> Result<Self> {
        Self::with_density(mass, STEEL)
    }

    /// The same of another density.
    pub fn with_density(mass: f64, density: f64) -> Result<Self> {
        let (mass, density) = (positive("mass", mass)?, positive("density", density)?);
        let volumes = [head(1.0)?, bar(1.0)?].map(|mesh| mesh.moments().volume);
        let volume = volumes[0] + volumes[1];
        let length = positive("mass", (mass / (density * volume)).cbrt())?;
        let tripping_angle = 0.5 * FRAC_PI_2;
        Ok(Self { mass, density, tripping_angle, length, head_share: volumes[0] / volume })
    }

    /// The same with another angle by which the head turns to either side, up to 60°.
    pub fn with_tripping_angle(self, angle: f64) -> Result<Self> {
        let allowed = "above zero and up to 60°";
        let tripping_angle =
            within("tripping_angle", angle, f64::MIN_POSITIVE, 60_f64.to_radians() * (1.0 + 1e-12), allowed)?;
        Ok(Self { tripping_angle, ..self })
    }

    /// Crown and flukes in one piece, the pin along x through the origin, the flukes along z.
    pub fn head(&self) -> Result<TriMesh> {
        head(self.length)
    }

    /// The shank, the pin along x through the origin, the shackle on z.
    pub fn shank(&self) -> Result<TriMesh> {
        bar(self.length)
    }

    /// The mass of both bodies.
    pub fn mass(&self) -> f64 {
        self.mass
    }

    /// The density of both.
    pub fn density(&self) -> f64 {
        self.density
    }

    /// The mass of the head.
    pub fn head_mass(&self) -> f64 {
        self.mass * self.head_share
    }

    /// The mass of the shank.
    pub fn shank_mass(&self) -> f64 {
        self.mass - self.head_mass()
    }

    /// From pin to shackle.
    pub fn shank_length(&self) -> f64 {
        self.length
    }

    /// A point of the pin's axis, in the frames of both bodies.
    pub fn hinge(&self) -> Vec3 {
        Vec3::zeros()
    }

    /// Unit vector along the pin's axis, in the frames of both bodies.
    pub fn hinge_axis(&self) -> Vec3 {
        Vec3::x()
    }

    /// How far the head turns about the pin to either side.
    pub fn tripping_angle(&self) -> f64 {
        self.tripping_angle
    }

    /// Where the chain is fastened, in the frame of the shank.
    pub fn shackle(&self) -> Vec3 {
        Vec3::z() * self.length
    }

    /// The middles of the tips of both flukes, in the frame of the head.
    pub fn fluke_tips(&self) -> [Vec3; 2] {
        let tip = FLUKE[FLUKE.len() - 1];
        [-1.0, 1.0].map(|side| Vec3::new(side * 0.5 * (tip.inner + tip.outer), 0.0, tip.z) * self.length)
    }
}

/// How far the lines of a section's grid are from its inner to its outer end, and from one side to the other.
const ACROSS: [f64; 4] = [0.0, 0.2, 0.8, 1.0];
const ASIDE: [f64; 4] = [-1.0, -0.6, 0.6, 1.0];

impl Section {
    /// The corner of the grid of lines; those at the ends of both are drawn in to the middle of a chamfer.
    fn at(&self, across: usize, aside: usize) -> Vec3 {
        let is_end = |index: usize| index == 0 || index == 3;
        let (mut u, mut v) = (ACROSS[across], ASIDE[aside]);
        if is_end(across) && is_end(aside) {
            u = 0.1 + 0.8 * u;
            v *= 0.8;
        }
        Vec3::new(self.inner + u * (self.outer - self.inner), v * self.half, self.z)
    }
}

/// The shank of the given length.
fn bar(length: f64) -> Result<TriMesh> {
    block::border([3, 3, SHANK.len() - 1], |_| true, |[i, j, k]| SHANK[k].at(i, j) * length)
}

/// The head of an anchor whose shank has the given length. Along x there are, to either side of the slot's cell,
/// three cells of the fluke and one beyond it; along z, the bottom, the bridge, the cheeks on both sides of the slot,
/// the flukes.
fn head(length: f64) -> Result<TriMesh> {
    let layers = CROWN.len() + FLUKE.len() - 1;
    let filled = |[i, _, k]: [usize; 3]| match k {
        0 | 1 => true,
        2 => i != 4,
        _ => (1..4).contains(&i) || (5..8).contains(&i),
    };
    let at = |[i, j, k]: [usize; 3]| {
        let (side, a) = if i < 5 { (-1.0, 4 - i) } else { (1.0, i - 5) };
        let p = if k < CROWN.len() { crown(a, j, k) } else { fluke(a, j, k - CROWN.len()) };
        Vec3::new(side * p.x, p.y, p.z) * length
    };
    block::border([9, 3, layers], filled, at)
}

/// Corners below the top of the crown: bottom and ends are drawn in.
fn crown(a: usize, j: usize, k: usize) -> Vec3 {
    let root = FLUKE[0];
    let x = if a < 4 { root.inner + ACROSS[a] * (root.outer - root.inner) } else { CROWN_END };
    let (bottom, end) = (k == 0, a == 4);
    let narrower = match (bottom, end) {
        (false, false) => 1.0,
        (true, false) => 0.75,
        (false, true) => 0.65,
        (true, true) => 0.5,
    };
    let x = if bottom && end { x - 0.03 } else { x };
    Vec3::new(x, ASIDE[j] * root.half * narrower, CROWN[k])
}

/// Corners of the flukes, and of the crown's top, whose ends slope down.
fn fluke(a: usize, j: usize, k: usize) -> Vec3 {
    let root = FLUKE[0];
    if a == 4 {
        return Vec3::new(CROWN_END - 0.02, ASIDE[j] * root.half * 0.6, root.z - 0.05);
    }
    if k == 0 {
        // The top of the crown has its corners; chamfers begin above it.
        let x = root.inner + ACROSS[a] * (root.outer - root.inner);
        return Vec3::new(x, ASIDE[j] * root.half, root.z);
    }
    FLUKE[k].at(a, j)
}

#[cfg(test)]
mod tests;
