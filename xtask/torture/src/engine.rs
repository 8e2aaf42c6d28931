//! Bodies and poses as the engine takes them, and as `rattleback distance` reads them.
//!
//! A scene is measured in units of 2ᵏ m. Multiplying by a power of two is exact, so that bodies of 1e-170 m and of
//! 1e170 m are the same numbers to whoever checks the answer.

use crate::body::{Body, Part};
use crate::vector::{Quaternion, Vector};
use rattleback_contact::narrow::{Start, Touch, touch};
use rattleback_geom::nalgebra::{Quaternion as Coordinates, UnitQuaternion};
use rattleback_geom::potential::{Harmonics, Potential};
use rattleback_geom::surface::{
    Capsule, ConvexHull, Cuboid, Cylinder, Ellipsoid, Frustum, Plane, PotentialBody, Shape, Sphere,
    Superellipsoid, Superquadric,
};
use rattleback_geom::{GeomError, Mat3, Pose, Vec3};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// The shape of a body whose unit is `unit` metres.
pub fn shape(body: &Body, unit: f64) -> Result<Shape, GeomError> {
    let scaled = |v: &Vector| v.map(|x| x * unit);
    Ok(match body {
        Body::Plane { normal, offset } => Plane::new(*normal, offset * unit)?.into(),
        Body::Sphere { radius } => Sphere::new(radius * unit)?.into(),
        Body::Ellipsoid { axes } => Ellipsoid::new(scaled(axes))?.into(),
        Body::Superellipsoid { axes, exponents } => Superellipsoid::new(scaled(axes), *exponents)?.into(),
        Body::Superquadric { axes, exponents } => Superquadric::new(scaled(axes), *exponents)?.into(),
        Body::Cuboid { half, rounding } => Cuboid::new(half.map(|x| 2.0 * x * unit), rounding * unit)?.into(),
        Body::Hull { points, rounding } => {
            let points: Vec<Vec3> = points.iter().map(|p| Vec3::from(scaled(p))).collect();
            ConvexHull::new(&points, rounding * unit)?.into()
        }
        Body::Cylinder { radius, half_length } => Cylinder::new(radius * unit, half_length * unit)?.into(),
        Body::Frustum { radii, half_height } => {
            Frustum::new(radii.map(|r| r * unit), 2.0 * half_height * unit)?.into()
        }
        Body::Capsule { radius, half_length } => Capsule::new(radius * unit, half_length * unit)?.into(),
        Body::Sum { .. } | Body::Harmonics(_) => PotentialBody::new(potential(body, unit)?)?.into(),
    })
}

/// As scene files make them.
fn potential(body: &Body, unit: f64) -> Result<Potential, GeomError> {
    match (body, shape_of_leaf(body, unit)?) {
        (Body::Sum { parts, offset }, _) => {
            let mut sum: Option<Potential> = None;
            for part in parts {
                let next = summand(part, unit)?;
                sum = Some(sum.map_or(next.clone(), |sum| sum.sum(&next)));
            }
            match sum {
                Some(sum) => sum.offset(offset * unit),
                None => Potential::ball(offset * unit),
            }
        }
        (Body::Harmonics(series), _) => {
            let coefficients: Vec<f64> = series.coefficients().iter().map(|c| c * unit).collect();
            Ok(Potential::harmonics(Harmonics::new(series.degree(), &coefficients)?))
        }
        (_, Some(Shape::Sphere(s))) => Potential::ball(s.radius()),
        (_, Some(Shape::Ellipsoid(s))) => Potential::ellipsoid((*s.semi_axes()).into()),
        (_, Some(Shape::Superellipsoid(s))) => Potential::from_support(Arc::new(s), 0.0),
        (_, Some(Shape::Superquadric(s))) => Potential::from_support(Arc::new(s), 0.0),
        (_, Some(Shape::Capsule(s))) => Potential::from_support(Arc::new(s), s.radius()),
        (_, Some(Shape::Cuboid(s))) => {
            let rounding = s.rounding();
            Potential::from_support(Arc::new(s), rounding)
        }
        (_, Some(Shape::Cylinder(s))) => Potential::from_support(Arc::new(s), 0.0),
        (_, Some(Shape::Frustum(s))) => Potential::from_support(Arc::new(s), 0.0),
        _ => Err(GeomError::Inconsistent {
            field: "shape".to_owned(),
            found: format!("{body:?}"),
            allowed: "a bounded convex body".to_owned(),
        }),
    }
}

fn shape_of_leaf(body: &Body, unit: f64) -> Result<Option<Shape>, GeomError> {
    match body {
        Body::Sum { .. } | Body::Harmonics(_) => Ok(None),
        _ => shape(body, unit).map(Some),
    }
}

fn summand(part: &Part, unit: f64) -> Result<Potential, GeomError> {
    potential(&part.body, unit)?
        .transformed(&Mat3::from_diagonal(&Vec3::from(part.scale)))?
        .rotated(&rotation(&part.quaternion))?
        .translated(&Vec3::from(part.position.map(|x| x * unit)))
}

/// As files of pairs are read: a quaternion that is of length one to rounding keeps its bits.
fn rotation([w, x, y, z]: &Quaternion) -> UnitQuaternion<f64> {
    let q = Coordinates::new(*w, *x, *y, *z);
    let exact = (q.norm_squared() - 1.0).abs() <= 4.0 * f64::EPSILON;
    if exact { UnitQuaternion::new_unchecked(q) } else { UnitQuaternion::new_normalize(q) }
}

/// A pose whose unit is `unit` metres.
pub fn pose(position: &Vector, quaternion: &Quaternion, unit: f64) -> Pose {
    Pose::new(Vec3::from(position.map(|x| x * unit)), rotation(quaternion))
}

/// An answer of the engine in units of the scene.
#[derive(Debug, Clone, Copy)]
pub struct Answer {
    /// The signed gap.
    pub gap: f64,
    /// From A to B.
    pub normal: Vector,
    /// The point of A.
    pub point_a: Vector,
    /// The point of B.
    pub point_b: Vector,
    /// What the engine says of the points across the normal.
    pub residual: f64,
    /// All of it, in metres.
    pub touch: Touch,
}

/// Why there is no answer.
#[derive(Debug, Clone, Copy)]
pub enum Refusal {
    /// The engine returned an error.
    Error,
    /// The engine panicked.
    Panic,
}

/// Asks the engine.
pub fn ask([a, b]: [(&Shape, &Pose); 2], start: Option<&Vector>, unit: f64) -> Result<Answer, Refusal> {
    let start = start.map_or(Start::Cold, |n| Start::Warm(Vec3::from(*n)));
    let found = catch_unwind(AssertUnwindSafe(|| touch(a.0, a.1, b.0, b.1, start)));
    let touch = found.map_err(|_| Refusal::Panic)?.map_err(|_| Refusal::Error)?;
    let point = |p: &Vec3| [p.x / unit, p.y / unit, p.z / unit];
    Ok(Answer {
        gap: touch.gap / unit,
        normal: touch.normal.into(),
        point_a: point(&touch.point_a),
        point_b: point(&touch.point_b),
        residual: touch.residual / unit,
        touch,
    })
}

/// A list of numbers with all their digits.
fn list(numbers: impl IntoIterator<Item = f64>) -> String {
    let numbers: Vec<String> = numbers.into_iter().map(|x| format!("{x:e}")).collect();
    format!("[{}]", numbers.join(","))
}

/// A body as JSON.
pub fn json(body: &Body, unit: f64) -> String {
    let scaled = |v: &Vector| list(v.map(|x| x * unit));
    match body {
        Body::Plane { normal, offset } => {
            format!(r#"{{"type":"plane","normal":{},"offset":{:e}}}"#, list(*normal), offset * unit)
        }
        Body::Sphere { radius } => format!(r#"{{"type":"sphere","radius":{:e}}}"#, radius * unit),
        Body::Ellipsoid { axes } => format!(r#"{{"type":"ellipsoid","semi_axes":{}}}"#, scaled(axes)),
        Body::Superellipsoid { axes, exponents } => format!(
            r#"{{"type":"superellipsoid","semi_axes":{},"exponents":{}}}"#,
            scaled(axes),
            list(*exponents)
        ),
        Body::Superquadric { axes, exponents } => format!(
            r#"{{"type":"superquadric","semi_axes":{},"exponents":{}}}"#,
            scaled(axes),
            list(*exponents)
        ),
        Body::Cuboid { half, rounding } => {
            let size = list(half.map(|x| 2.0 * x * unit));
            format!(r#"{{"type":"box","size":{size},"rounding":{:e}}}"#, rounding * unit)
        }
        Body::Hull { points, rounding } => {
            let points: Vec<String> = points.iter().map(scaled).collect();
            format!(
                r#"{{"type":"convex_hull","points":[{}],"rounding":{:e}}}"#,
                points.join(","),
                rounding * unit
            )
        }
        Body::Cylinder { radius, half_length } => round("cylinder", radius * unit, half_length * unit),
        Body::Frustum { radii, half_height } => {
            let radii = list(radii.map(|r| r * unit));
            format!(r#"{{"type":"frustum","radii":{radii},"height":{:e}}}"#, 2.0 * half_height * unit)
        }
        Body::Capsule { radius, half_length } => round("capsule", radius * unit, half_length * unit),
        Body::Sum { parts, offset } => {
            let parts: Vec<String> = parts
                .iter()
                .map(|part| {
                    format!(
                        r#"{{"shape":{},"position":{},"orientation":{},"scale":{}}}"#,
                        json(&part.body, unit),
                        scaled(&part.position),
                        list(part.quaternion),
                        list(part.scale)
                    )
                })
                .collect();
            format!(r#"{{"type":"sum","parts":[{}],"offset":{:e}}}"#, parts.join(","), offset * unit)
        }
        Body::Harmonics(series) => {
            let coefficients = list(series.coefficients().iter().map(|c| c * unit));
            format!(r#"{{"type":"harmonics","coefficients":{coefficients}}}"#)
        }
    }
}

fn round(kind: &str, radius: f64, half_length: f64) -> String {
    format!(r#"{{"type":"{kind}","radius":{radius:e},"half_length":{half_length:e}}}"#)
}

/// A placed body as JSON.
pub fn placed_json(body: &Body, position: &Vector, quaternion: &Quaternion, unit: f64) -> String {
    format!(
        r#"{{"shape":{},"position":{},"orientation":{}}}"#,
        json(body, unit),
        list(position.map(|x| x * unit)),
        list(*quaternion)
    )
}
