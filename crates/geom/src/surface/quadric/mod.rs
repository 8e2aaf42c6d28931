//! Quadrics in canonical form, Lopes (25, 26) and Table 3:
//!
//! ```text
//! F = σ(a₁₁x² + a₂₂y² + a₃₃z² + a₁x + a₂y + a₃z − 1),   a₁₁a₁ = a₂₂a₂ = a₃₃a₃ = 0.
//! ```
//!
//! | kind | F with a = ∣a₁₁∣^−½, b = ∣a₂₂∣^−½ (27) | c | solid F ≤ 0 |
//! |---|---|---|---|
//! | ellipsoid | x²/a² + y²/b² + z²/c² − 1 | ∣a₃₃∣^−½ | its inside |
//! | hyperboloid of one sheet | x²/a² + y²/b² − z²/c² − 1 | ∣a₃₃∣^−½ | the core about the z axis |
//! | hyperboloid of two sheets | x²/a² + y²/b² − z²/c² + 1 | ∣a₃₃∣^−½ | the inside of one bowl |
//! | elliptic paraboloid | x²/a² + y²/b² − z/c − 1 | 1/∣a₃∣ | above: vertex at z = −c |
//! | hyperbolic paraboloid | x²/a² − y²/b² − z/c − 1 | 1/∣a₃∣ | above: centre at z = −c |
//!
//! Lengths a, b, c in metres. The solid is {F ≤ 0} within the bounding planes; `area` is that of its whole boundary,
//! caps and walls included, `curved_area` that of the quadric alone. Planes run across z, except for the hyperbolic
//! paraboloid, which takes two across x, two across y and a ceiling across z above all of the saddle: then volumes and
//! moments are exact.
//!
//! Departures. σ = −1 for two sheets, since (25) is positive inside the bowls, and 1 elsewhere. One bowl is one body:
//! the planes leave the upper or the lower one, never both. a₃ need not be −1, which would fix a unit of length. The
//! parametric view is the chart of `open/profile.rs`, regular where (30) is infinite; (29, 30) with the third component
//! cos θ and the linear coefficients in r₁ is [`Quadric::angle_centre`].

use super::open::profile::Profile;
use super::open::{Layers, Saddle, plane};
use super::{BoundingPlane, Cap, Ellipsoid, Sheet, Surface};
use crate::Vec3;
use crate::error::{GeomError, Result, coordinate, finite, finite3, length, length3};

#[cfg(test)]
mod tests;
mod views;

/// The members of Table 3.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuadricKind {
    /// a₁₁, a₂₂, a₃₃ > 0.
    Ellipsoid,
    /// a₁₁, a₂₂ > 0 > a₃₃.
    HyperboloidOneSheet,
    /// a₁₁, a₂₂ < 0 < a₃₃.
    HyperboloidTwoSheets,
    /// a₁₁, a₂₂ > 0 = a₃₃, a₃ < 0.
    EllipticParaboloid,
    /// a₁₁ > 0 > a₂₂, a₃₃ = 0, a₃ < 0.
    HyperbolicParaboloid,
}

/// A quadric about the coordinate axes, an open one with the planes that bound it.
#[derive(Debug, Clone, PartialEq)]
pub struct Quadric {
    kind: QuadricKind,
    /// a₁₁, a₂₂, a₃₃ and a₃ as in (25); a₁ and a₂ vanish for all of Table 3.
    square: Vec3,
    linear: f64,
    form: Form,
    planes: Vec<BoundingPlane>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Form {
    Ellipsoid(Ellipsoid),
    Layers(Layers),
    Saddle(Saddle),
}

const OPEN: f64 = f64::INFINITY;

impl Quadric {
    /// An ellipsoid from its semi-axes.
    pub fn ellipsoid(axes: [f64; 3]) -> Result<Self> {
        Self::build(QuadricKind::Ellipsoid, axes, &[[-OPEN, OPEN]; 3])
    }

    /// The core of x²/a² + y²/b² − z²/c² = 1 between the planes z = ±`half_height`.
    pub fn hyperboloid_one_sheet(axes: [f64; 3], half_height: f64) -> Result<Self> {
        let h = length("half_height", half_height)?;
        Self::build(QuadricKind::HyperboloidOneSheet, axes, &[[-OPEN, OPEN], [-OPEN, OPEN], [-h, h]])
    }

    /// One bowl of z²/c² − x²/a² − y²/b² = 1, from its vertex at ∣z∣ = c to the plane ∣z∣ = `height`.
    pub fn hyperboloid_two_sheets(axes: [f64; 3], sheet: Sheet, height: f64) -> Result<Self> {
        let h = length("height", height)?;
        let z = match sheet {
            Sheet::Upper => [0.0, h],
            Sheet::Lower => [-h, 0.0],
        };
        Self::build(QuadricKind::HyperboloidTwoSheets, axes, &[[-OPEN, OPEN], [-OPEN, OPEN], z])
    }

    /// The bowl z/c ≥ x²/a² + y²/b² − 1, from its vertex at z = −c to the plane z = `height`.
    pub fn elliptic_paraboloid(axes: [f64; 3], height: f64) -> Result<Self> {
        let z = [-OPEN, coordinate("height", height)?];
        Self::build(QuadricKind::EllipticParaboloid, axes, &[[-OPEN, OPEN], [-OPEN, OPEN], z])
    }

    /// The solid above the saddle z/c = x²/a² − y²/b² − 1, within ∣x∣ ≤ `half_widths[0]`, ∣y∣ ≤ `half_widths[1]`,
    /// below z = `ceiling`.
    pub fn hyperbolic_paraboloid(axes: [f64; 3], half_widths: [f64; 2], ceiling: f64) -> Result<Self> {
        let [x, y] = half_widths;
        let (x, y) = (length("half_widths[0]", x)?, length("half_widths[1]", y)?);
        let z = [-OPEN, coordinate("ceiling", ceiling)?];
        Self::build(QuadricKind::HyperbolicParaboloid, axes, &[[-x, x], [-y, y], z])
    }

    /// A quadric from a₁₁, a₂₂, a₃₃ (in m⁻²), a₁, a₂, a₃ (in m⁻¹) of (25) and its bounding planes.
    ///
    /// What is not in Table 3 is refused: cylinders, cones, planes, and members turned to another axis, which a
    /// pose turns better.
    pub fn canonical(square: [f64; 3], linear: [f64; 3], planes: &[BoundingPlane]) -> Result<Self> {
        let square = finite3("square", &square.into())?;
        let linear = finite3("linear", &linear.into())?;
        let kind = classify(&square, &linear)?;
        let mut axes = [0, 1, 2].map(|i| square[i].abs().sqrt().recip());
        if square.z == 0.0 {
            axes[2] = linear.z.abs().recip();
        }
        let mut quadric = Self::build(kind, axes, &plane::ranges(planes)?)?;
        // The caller's coefficients to the last digit, not their roots squared again.
        (quadric.square, quadric.linear) = (square, linear.z);
        Ok(quadric)
    }

    fn build(kind: QuadricKind, axes: [f64; 3], range: &[[f64; 2]; 3]) -> Result<Self> {
        let axes = length3("axes", axes)?;
        let [a, b, c] = axes;
        let [p, q, r] = [a, b, c].map(|x| (x * x).recip());
        let layers = |profile| {
            if range[0] != [-OPEN, OPEN] || range[1] != [-OPEN, OPEN] {
                let found = format!("x in {:?}, y in {:?}", range[0], range[1]);
                return Err(plane::unfit(found, "planes across z only"));
            }
            Layers::new(axes, 2.0, profile, range[2]).map(Form::Layers)
        };
        let (square, linear, form) = match kind {
            QuadricKind::Ellipsoid => {
                if *range != [[-OPEN, OPEN]; 3] {
                    return Err(plane::unfit(
                        format!("{range:?}"),
                        "none: an ellipsoid is bounded by itself",
                    ));
                }
                ([p, q, r], 0.0, Form::Ellipsoid(Ellipsoid::new(axes)?))
            }
            QuadricKind::HyperboloidOneSheet => ([p, q, -r], 0.0, layers(Profile::Waist { exponent: 2.0 })?),
            QuadricKind::HyperboloidTwoSheets => {
                let sheet = Sheet::within(range[2], c)?;
                ([-p, -q, r], 0.0, layers(Profile::Bowl { exponent: 2.0, sheet })?)
            }
            QuadricKind::EllipticParaboloid => ([p, q, 0.0], -c.recip(), layers(Profile::Parabola)?),
            QuadricKind::HyperbolicParaboloid => {
                ([p, -q, 0.0], -c.recip(), Form::Saddle(Saddle::new(axes, range)?))
            }
        };
        finite3("coefficients", &square.into())?;
        finite("coefficients", linear)?;
        Ok(Self { kind, square: square.into(), linear, form, planes: plane::planes(range) })
    }

    /// Which member of Table 3 this is.
    pub fn member(&self) -> QuadricKind {
        self.kind
    }

    /// How many flat faces its planes leave.
    pub fn cap_count(&self) -> usize {
        match &self.form {
            Form::Ellipsoid(_) => 0,
            Form::Layers(layers) => layers.cap_count(),
            Form::Saddle(_) => Saddle::CAPS,
        }
    }

    /// One of them.
    pub fn cap(&self, place: usize) -> Option<Cap> {
        match &self.form {
            Form::Ellipsoid(_) => None,
            Form::Layers(layers) => layers.cap(place),
            Form::Saddle(saddle) => saddle.cap(place),
        }
    }

    /// The bounding planes; none for an ellipsoid.
    pub fn planes(&self) -> &[BoundingPlane] {
        &self.planes
    }

    /// Area of the curved part, without caps and walls, in m².
    pub fn curved_area(&self) -> Result<f64> {
        match &self.form {
            Form::Ellipsoid(e) => e.area(),
            Form::Layers(l) => l.curved_area(),
            Form::Saddle(s) => s.curved_area(),
        }
    }

    /// The point of the quadric in the direction of azimuth φ and zenith angle θ from the origin, (29, 30).
    ///
    /// None where the ray misses the quadric. The bounding planes are not asked.
    pub fn angle_centre(&self, phi: f64, theta: f64) -> Option<Vec3> {
        let ((sf, cf), (st, ct)) = (phi.sin_cos(), theta.sin_cos());
        let ray = Vec3::new(st * cf, st * sf, ct);
        let r1 = self.linear * ray.z;
        let r2 = ray.component_mul(&ray).dot(&self.square);
        // (30a) and the same root with its conjugate, whichever does not cancel.
        let root = (r1 * r1 + 4.0 * r2).sqrt();
        let r = if r1 >= 0.0 { 2.0 / (r1 + root) } else { (root - r1) / (2.0 * r2) };
        (r > 0.0 && r.is_finite()).then(|| ray * r)
    }

    fn sign(&self) -> f64 {
        if self.kind == QuadricKind::HyperboloidTwoSheets { -1.0 } else { 1.0 }
    }

    fn undefined(&self, reason: &str) -> GeomError {
        GeomError::Undefined {
            surface: self.kind(),
            quantity: "curvature at this normal",
            reason: reason.to_owned(),
        }
    }
}

/// The member of Table 3 that the coefficients belong to.
fn classify(square: &Vec3, linear: &Vec3) -> Result<QuadricKind> {
    let signs = [0, 1, 2].map(|i| if square[i] == 0.0 { 0 } else { square[i].signum() as i32 });
    let central = *linear == Vec3::zeros();
    let parabolic = linear.x == 0.0 && linear.y == 0.0 && linear.z < 0.0;
    match signs {
        [1, 1, 1] if central => Ok(QuadricKind::Ellipsoid),
        [1, 1, -1] if central => Ok(QuadricKind::HyperboloidOneSheet),
        [-1, -1, 1] if central => Ok(QuadricKind::HyperboloidTwoSheets),
        [1, 1, 0] if parabolic => Ok(QuadricKind::EllipticParaboloid),
        [1, -1, 0] if parabolic => Ok(QuadricKind::HyperbolicParaboloid),
        _ => Err(GeomError::Inconsistent {
            field: "square, linear".to_owned(),
            found: format!(
                "[{}, {}, {}], [{}, {}, {}]",
                square.x, square.y, square.z, linear.x, linear.y, linear.z
            ),
            allowed: "signs + + + (ellipsoid), + + - (one sheet), - - + (two sheets) with linear = 0, or \
                      + + 0 (elliptic), + - 0 (hyperbolic paraboloid) with linear = 0 0 -"
                .to_owned(),
        }),
    }
}
