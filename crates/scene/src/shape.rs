//! Shapes as they are written down.
//!
//! In TOML `type = "ellipsoid"` with `semi_axes = [0.3, 0.2, 0.1]`, in JSON the same keys. Lengths are in metres.

use crate::error::{Result, SceneError};
use rattleback_geom::potential::{Fit, FitSettings, Harmonics, Potential};
use rattleback_geom::surface::{
    Capsule, Cylinder, Ellipsoid, HalfTorus, Mesh, Plane, PotentialBody, Quadric, Shape, Sheet, Sphere,
    Superellipsoid, Superhyperboloid, Superquadric, Torus,
};
use rattleback_geom::{GeomError, Mat3, Pose, TriMesh, Vec3, mesh};
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A shape by its type and that type's own fields.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum ShapeSpec {
    /// The half-space normal·x ≤ offset.
    Plane {
        /// Outer normal, of any length but zero.
        normal: [f64; 3],
        /// Distance of the plane from the origin along the normal.
        #[serde(default)]
        offset: f64,
    },
    /// A ball about the origin.
    Sphere {
        /// Its radius.
        radius: f64,
    },
    /// An ellipsoid about the origin.
    Ellipsoid {
        /// Its semi-axes.
        semi_axes: [f64; 3],
    },
    /// ((|x/a|^δ + |y/b|^δ)^(ε/δ) + |z/c|^ε = 1.
    Superellipsoid {
        /// a, b, c.
        semi_axes: [f64; 3],
        /// [δ, ε], each from 1.05 to 50.
        exponents: Option<[f64; 2]>,
        /// Barr's exponents [2/δ, 2/ε], in place of `exponents`.
        barr_exponents: Option<[f64; 2]>,
    },
    /// |x/a|^γ₁ + |y/b|^γ₂ + |z/c|^γ₃ = 1.
    Superquadric {
        /// a, b, c.
        semi_axes: [f64; 3],
        /// γ₁, γ₂, γ₃, each from 1.05 to 50.
        exponents: [f64; 3],
    },
    /// A cylinder along z with flat caps.
    Cylinder {
        /// Its radius.
        radius: f64,
        /// Half its length.
        half_length: f64,
    },
    /// A cylinder along z with half balls for caps.
    Capsule {
        /// Radius of the cylinder and of the balls.
        radius: f64,
        /// Half the length between the balls' centres.
        half_length: f64,
    },
    /// A ring about z.
    Torus {
        /// From the axis to the middle of the tube.
        major_radius: f64,
        /// Radius of the tube.
        minor_radius: f64,
    },
    /// The half y ≥ 0 of a torus.
    HalfTorus {
        /// From the axis to the middle of the tube.
        major_radius: f64,
        /// Radius of the tube.
        minor_radius: f64,
    },
    /// x²/a² + y²/b² − z²/c² = 1, cut at z = ±half_height.
    HyperboloidOneSheet {
        /// a, b, c.
        axes: [f64; 3],
        /// Half the height.
        half_height: f64,
    },
    /// z²/c² − x²/a² − y²/b² = 1, cut at the given height.
    HyperboloidTwoSheets {
        /// a, b, c.
        axes: [f64; 3],
        /// Which sheet: `upper` or `lower`.
        #[serde(default)]
        sheet: SheetSpec,
        /// The height at which the sheets are cut.
        height: f64,
    },
    /// A bowl about z, cut at the given height above its vertex.
    EllipticParaboloid {
        /// Dimension parameters.
        axes: [f64; 3],
        /// Where it is cut.
        height: f64,
    },
    /// A saddle, cut by a box.
    HyperbolicParaboloid {
        /// Dimension parameters.
        axes: [f64; 3],
        /// Half widths of the box in x and y.
        half_widths: [f64; 2],
        /// Upper end of the box in z.
        ceiling: f64,
    },
    /// The superhyperboloid of one sheet, cut at z = ±half_height.
    SuperhyperboloidOneSheet {
        /// Dimension parameters.
        axes: [f64; 3],
        /// Exponents.
        exponents: [f64; 2],
        /// Half the height.
        half_height: f64,
    },
    /// The superhyperboloid of two sheets, cut at the given height.
    SuperhyperboloidTwoSheets {
        /// Dimension parameters.
        axes: [f64; 3],
        /// Exponents.
        exponents: [f64; 2],
        /// Which sheet.
        #[serde(default)]
        sheet: SheetSpec,
        /// Where the sheets are cut.
        height: f64,
    },
    /// A body whose support function is given by real spherical harmonics.
    Harmonics {
        /// Coefficients in the order l² + l + m, (L + 1)² of them.
        coefficients: Vec<f64>,
    },
    /// The Minkowski sum of convex bodies, each placed and scaled, grown by an offset.
    Sum {
        /// The bodies.
        parts: Vec<PartSpec>,
        /// Added all around; negative to shrink.
        #[serde(default)]
        offset: f64,
    },
    /// A smooth convex body fitted to the vertices of a mesh file.
    Fit {
        /// STL or OBJ, relative to this file.
        file: PathBuf,
        /// Degree of the spherical harmonics.
        degree: usize,
    },
    /// A closed triangle mesh.
    Mesh {
        /// STL or OBJ, relative to this file.
        file: PathBuf,
        /// Multiplies all coordinates, for files in other units than metres.
        #[serde(default = "one")]
        scale: f64,
    },
}

/// A convex body inside a sum.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartSpec {
    /// The body.
    pub shape: ShapeSpec,
    /// Where it is.
    #[serde(default)]
    pub position: [f64; 3],
    /// How it is turned, as a quaternion w, x, y, z.
    #[serde(default = "upright")]
    pub orientation: [f64; 4],
    /// Stretches along its own axes.
    #[serde(default = "unscaled")]
    pub scale: [f64; 3],
}

/// Which sheet of a hyperboloid of two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SheetSpec {
    /// z > 0.
    #[default]
    Upper,
    /// z < 0.
    Lower,
}

fn one() -> f64 {
    1.0
}

pub(crate) fn upright() -> [f64; 4] {
    [1.0, 0.0, 0.0, 0.0]
}

fn unscaled() -> [f64; 3] {
    [1.0; 3]
}

impl From<SheetSpec> for Sheet {
    fn from(spec: SheetSpec) -> Self {
        match spec {
            SheetSpec::Upper => Self::Upper,
            SheetSpec::Lower => Self::Lower,
        }
    }
}

impl ShapeSpec {
    /// Builds the shape; `file` is where the description stands, for messages and for the files it names. What its
    /// author should know of the result is added to `remarks`.
    pub fn lower(&self, file: &Path, remarks: &mut Vec<String>) -> Result<Shape> {
        let wrong = |source| SceneError::Shape { path: file.to_owned(), source };
        let folder = file.parent().unwrap_or(Path::new(""));
        match self {
            Self::Mesh { file: name, scale } => {
                let mesh = read_mesh(&folder.join(name))?.scaled(*scale).map_err(wrong)?;
                Ok(Mesh::new(mesh).map_err(wrong)?.into())
            }
            Self::Fit { file: name, degree } => {
                let mesh = read_mesh(&folder.join(name))?;
                let settings = FitSettings { degree: *degree, ..FitSettings::default() };
                let fit = Fit::to_mesh(&mesh, &settings).map_err(wrong)?;
                remarks.push(format!(
                    "fitted to the hull of {} vertices: largest error {:.3e} m, root mean square {:.3e} m",
                    mesh.vertices().len(),
                    fit.max_error,
                    fit.rms_error
                ));
                Ok(PotentialBody::new(Potential::harmonics(fit.harmonics)).map_err(wrong)?.into())
            }
            Self::Sum { parts, offset } => {
                let mut sum: Option<Potential> = None;
                for part in parts {
                    let potential = part.lower(file, remarks)?;
                    sum = Some(sum.map_or(potential.clone(), |s| s.sum(&potential)));
                }
                let sum = sum.ok_or_else(|| {
                    wrong(GeomError::Inconsistent {
                        field: "parts".to_owned(),
                        found: "an empty list".to_owned(),
                        allowed: "at least one convex body".to_owned(),
                    })
                })?;
                Ok(PotentialBody::new(sum.offset(*offset).map_err(wrong)?).map_err(wrong)?.into())
            }
            _ => self.closed_form().map_err(wrong),
        }
    }

    /// The shapes that need no other file and no other shape.
    fn closed_form(&self) -> std::result::Result<Shape, GeomError> {
        Ok(match self.clone() {
            Self::Plane { normal, offset } => Plane::new(normal, offset)?.into(),
            Self::Sphere { radius } => Sphere::new(radius)?.into(),
            Self::Ellipsoid { semi_axes } => Ellipsoid::new(semi_axes)?.into(),
            Self::Superellipsoid { semi_axes, exponents, barr_exponents } => {
                match (exponents, barr_exponents) {
                    (Some(exponents), None) => Superellipsoid::new(semi_axes, exponents)?.into(),
                    (None, Some(barr)) => Superellipsoid::from_barr(semi_axes, barr)?.into(),
                    (both, _) => {
                        return Err(GeomError::Inconsistent {
                            field: "exponents".to_owned(),
                            found: if both.is_some() { "given twice" } else { "missing" }.to_owned(),
                            allowed: "given once, as exponents = [delta, epsilon] or as barr_exponents"
                                .to_owned(),
                        });
                    }
                }
            }
            Self::Superquadric { semi_axes, exponents } => Superquadric::new(semi_axes, exponents)?.into(),
            Self::Cylinder { radius, half_length } => Cylinder::new(radius, half_length)?.into(),
            Self::Capsule { radius, half_length } => Capsule::new(radius, half_length)?.into(),
            Self::Torus { major_radius, minor_radius } => Torus::new(major_radius, minor_radius)?.into(),
            Self::HalfTorus { major_radius, minor_radius } => {
                HalfTorus::new(major_radius, minor_radius)?.into()
            }
            Self::HyperboloidOneSheet { axes, half_height } => {
                Quadric::hyperboloid_one_sheet(axes, half_height)?.into()
            }
            Self::HyperboloidTwoSheets { axes, sheet, height } => {
                Quadric::hyperboloid_two_sheets(axes, sheet.into(), height)?.into()
            }
            Self::EllipticParaboloid { axes, height } => Quadric::elliptic_paraboloid(axes, height)?.into(),
            Self::HyperbolicParaboloid { axes, half_widths, ceiling } => {
                Quadric::hyperbolic_paraboloid(axes, half_widths, ceiling)?.into()
            }
            Self::SuperhyperboloidOneSheet { axes, exponents, half_height } => {
                Superhyperboloid::one_sheet(axes, exponents, half_height)?.into()
            }
            Self::SuperhyperboloidTwoSheets { axes, exponents, sheet, height } => {
                Superhyperboloid::two_sheets(axes, exponents, sheet.into(), height)?.into()
            }
            Self::Harmonics { coefficients } => {
                let degree = (coefficients.len() as f64).sqrt() as usize;
                let harmonics = Harmonics::new(degree.saturating_sub(1), &coefficients)?;
                PotentialBody::new(Potential::harmonics(harmonics))?.into()
            }
            Self::Sum { .. } | Self::Fit { .. } | Self::Mesh { .. } => {
                return Err(GeomError::Undefined {
                    surface: "shape that names others",
                    quantity: "closed form",
                    reason: "it is lowered together with what it names".to_owned(),
                });
            }
        })
    }
}

impl PartSpec {
    fn lower(&self, file: &Path, remarks: &mut Vec<String>) -> Result<Potential> {
        let wrong = |source| SceneError::Shape { path: file.to_owned(), source };
        let shape = self.shape.lower(file, remarks)?;
        let pose = Pose::from_parts(self.position, self.orientation).map_err(wrong)?;
        let potential = potential_of(&shape).map_err(wrong)?;
        let stretched =
            potential.transformed(&Mat3::from_diagonal(&Vec3::from(self.scale))).map_err(wrong)?;
        let turned = stretched.rotated(&pose.orientation).map_err(wrong)?;
        turned.translated(&pose.position).map_err(wrong)
    }
}

/// The generating potential of a convex shape.
fn potential_of(shape: &Shape) -> std::result::Result<Potential, GeomError> {
    match shape {
        Shape::Sphere(s) => Potential::ball(s.radius()),
        Shape::Ellipsoid(s) => Potential::ellipsoid((*s.semi_axes()).into()),
        Shape::Potential(s) => Ok(s.potential().clone()),
        Shape::Superellipsoid(s) => Potential::from_support(Arc::new(*s), 0.0),
        Shape::Superquadric(s) => Potential::from_support(Arc::new(*s), 0.0),
        Shape::Capsule(s) => Potential::from_support(Arc::new(*s), s.radius()),
        Shape::Cylinder(s) => Potential::from_support(Arc::new(*s), 0.0),
        other => Err(GeomError::Inconsistent {
            field: "parts.shape".to_owned(),
            found: format!("a {}", other.surface().kind()),
            allowed: "a convex body with a support function".to_owned(),
        }),
    }
}

/// Reads a shape from a `.toml` or `.json` description, or a mesh from `.stl` or `.obj`; with it come remarks on what
/// was made of the description.
pub fn read_shape(path: &Path) -> Result<(Shape, Vec<String>)> {
    let syntax = |message: String| SceneError::Syntax { path: path.to_owned(), message };
    let spec: ShapeSpec = match ending(path).as_str() {
        "toml" => toml::from_str(&read_text(path)?).map_err(|e| syntax(e.to_string()))?,
        "json" => serde_json::from_str(&read_text(path)?).map_err(|e| syntax(e.to_string()))?,
        "stl" | "obj" => {
            let mesh = Mesh::new(read_mesh(path)?);
            let mesh = mesh.map_err(|source| SceneError::Shape { path: path.to_owned(), source })?;
            return Ok((mesh.into(), Vec::new()));
        }
        _ => return Err(SceneError::Format { path: path.to_owned() }),
    };
    let mut remarks = Vec::new();
    Ok((spec.lower(path, &mut remarks)?, remarks))
}

fn read_mesh(path: &Path) -> Result<TriMesh> {
    let read = |source| SceneError::Read { path: path.to_owned(), source };
    let parsed = match ending(path).as_str() {
        "stl" => mesh::stl::read(&std::fs::read(path).map_err(read)?),
        "obj" => mesh::obj::read(&read_text(path)?),
        _ => return Err(SceneError::Format { path: path.to_owned() }),
    };
    parsed.map_err(|source| SceneError::Shape { path: path.to_owned(), source })
}

fn read_text(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).map_err(|source| SceneError::Read { path: path.to_owned(), source })
}

fn ending(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_lowercase()
}
