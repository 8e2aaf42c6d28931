//! The tables of the shapes that a few numbers describe.

use crate::read::{Length, entry, words};
use rattleback_geom::surface::Sheet;

entry! {
    /// The half-space normal·x ≤ offset.
    pub struct PlaneSpec {
        /// Outer normal, of any length but zero.
        normal: [f64; 3],
        /// Distance of the plane from the origin along the normal.
        offset: Length = Length(0.0),
    }
}
entry! {
    /// A ball about the origin.
    pub struct SphereSpec {
        /// Its radius.
        radius: Length,
        /// All but the ball is solid, and others are inside of it.
        inside: bool = false,
    }
}
entry! {
    /// An ellipsoid about the origin.
    pub struct EllipsoidSpec {
        /// Its semi-axes.
        semi_axes: [Length; 3],
    }
}
entry! {
    /// (|x/a|^δ + |y/b|^δ)^(ε/δ) + |z/c|^ε = 1.
    pub struct SuperellipsoidSpec {
        /// a, b, c.
        semi_axes: [Length; 3],
        /// δ and ε, each from 1.05 to 50.
        exponents: Option<[f64; 2]>,
        /// Barr's exponents 2/δ and 2/ε, in place of `exponents`.
        barr_exponents: Option<[f64; 2]>,
    }
}
entry! {
    /// |x/a|^γ₁ + |y/b|^γ₂ + |z/c|^γ₃ = 1.
    pub struct SuperquadricSpec {
        /// a, b, c.
        semi_axes: [Length; 3],
        /// γ₁, γ₂, γ₃, each from 1.05 to 50.
        exponents: [f64; 3],
    }
}
entry! {
    /// A box along the axes about the origin, with true or rounded edges.
    pub struct BoxSpec {
        /// Its lengths along x, y and z.
        size: [Length; 3],
        /// Radius of its edges and corners, at most half of the shortest length; zero, true edges, without it.
        rounding: Length = Length(0.0),
    }
}
entry! {
    /// A cylinder along z with flat caps.
    pub struct CylinderSpec {
        /// Its radius.
        radius: Length,
        /// Half its length; that of a hollow one may be left out, which is endless then.
        half_length: Option<Length>,
        /// All but the cylinder is solid, and others are inside of it.
        inside: bool = false,
    }
}
entry! {
    /// A cone about z that stands on its base, its origin in the middle of its height.
    pub struct ConeSpec {
        /// Radius of the base.
        radius: Length,
        /// From the base to the apex.
        height: Length,
    }
}
entry! {
    /// A cone about z without its tip, its ends flat, its origin in the middle of its height.
    pub struct FrustumSpec {
        /// Radii of the lower and the upper end; one of them may be zero.
        radii: [Length; 2],
        /// From end to end.
        height: Length,
    }
}
entry! {
    /// A cylinder along z with half balls for caps.
    pub struct CapsuleSpec {
        /// Radius of the cylinder and of the balls.
        radius: Length,
        /// Half the length between the balls' centres.
        half_length: Length,
    }
}
entry! {
    /// A ring about z.
    pub struct TorusSpec {
        /// From the axis to the middle of the tube.
        major_radius: Length,
        /// Radius of the tube.
        minor_radius: Length,
    }
}
entry! {
    /// The half y ≥ 0 of a torus.
    pub struct HalfTorusSpec {
        /// From the axis to the middle of the tube.
        major_radius: Length,
        /// Radius of the tube.
        minor_radius: Length,
    }
}
entry! {
    /// A link of a chain, its long axis along z, flat in the plane x = 0.
    pub struct LinkSpec {
        /// Diameter of the bar.
        bar_diameter: Length,
        /// Length over all; the width or more.
        length: Length,
        /// Width over all; more than twice the bar's diameter.
        width: Length,
    }
}
entry! {
    /// x²/a² + y²/b² − z²/c² = 1, cut at z = ±half_height.
    pub struct HyperboloidOneSheetSpec {
        /// a, b, c.
        axes: [Length; 3],
        /// Half the height.
        half_height: Length,
    }
}
entry! {
    /// z²/c² − x²/a² − y²/b² = 1, cut at the given height.
    pub struct HyperboloidTwoSheetsSpec {
        /// a, b, c.
        axes: [Length; 3],
        /// Which sheet.
        sheet: SheetSpec = SheetSpec::Upper,
        /// The height at which the sheets are cut.
        height: Length,
    }
}
entry! {
    /// A bowl about z, cut at the given height.
    pub struct EllipticParaboloidSpec {
        /// Dimension parameters.
        axes: [Length; 3],
        /// Where it is cut.
        height: Length,
    }
}
entry! {
    /// A saddle, cut by a box.
    pub struct HyperbolicParaboloidSpec {
        /// Dimension parameters.
        axes: [Length; 3],
        /// Half widths of the box in x and y.
        half_widths: [Length; 2],
        /// Upper end of the box in z.
        ceiling: Length,
    }
}
entry! {
    /// The superhyperboloid of one sheet, cut at z = ±half_height.
    pub struct SuperhyperboloidOneSheetSpec {
        /// Dimension parameters.
        axes: [Length; 3],
        /// Exponents, each from 1.05 to 50.
        exponents: [f64; 2],
        /// Half the height.
        half_height: Length,
    }
}
entry! {
    /// The superhyperboloid of two sheets, cut at the given height.
    pub struct SuperhyperboloidTwoSheetsSpec {
        /// Dimension parameters.
        axes: [Length; 3],
        /// Exponents, each from 1.05 to 50.
        exponents: [f64; 2],
        /// Which sheet.
        sheet: SheetSpec = SheetSpec::Upper,
        /// Where the sheets are cut.
        height: Length,
    }
}
entry! {
    /// A body whose support function is given by real spherical harmonics.
    pub struct HarmonicsSpec {
        /// Coefficients in the order l² + l + m, (L + 1)² of them.
        coefficients: Vec<Length>,
    }
}
words! {
    /// Which sheet of a hyperboloid of two.
    pub enum SheetSpec {
        /// z > 0.
        "upper" => Upper,
        /// z < 0.
        "lower" => Lower,
    }
}

impl From<SheetSpec> for Sheet {
    fn from(spec: SheetSpec) -> Self {
        match spec {
            SheetSpec::Upper => Self::Upper,
            SheetSpec::Lower => Self::Lower,
        }
    }
}
