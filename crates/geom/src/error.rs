//! What can be wrong with a shape, a mesh or a question put to one.

use crate::brief::Brief;

/// The result of everything in this crate that can fail.
pub type Result<T> = std::result::Result<T, GeomError>;

/// Every error names the field or the element at fault, what was found there and what would have been accepted.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GeomError {
    /// A number outside the range in which its field makes sense; NaN and infinities arrive here too.
    #[error("{field} = {}: must be {allowed}", Brief(*value))]
    OutOfRange {
        /// The field, as it is spelled in scene files, with an index where it is a list.
        field: String,
        /// What was found.
        value: f64,
        /// What is accepted, in words.
        allowed: String,
    },
    /// A set of numbers that are fine one by one and wrong together.
    #[error("{field} = {found}: must be {allowed}")]
    Inconsistent {
        /// The field or fields.
        field: String,
        /// What was found.
        found: String,
        /// What is accepted, in words.
        allowed: String,
    },
    /// The surface has no such quantity: the volume of a half-space, a normal that no point has.
    #[error("a {surface} has no {quantity}: {reason}")]
    Undefined {
        /// The kind of surface.
        surface: &'static str,
        /// What was asked for.
        quantity: &'static str,
        /// Why there is none, or what to ask instead.
        reason: String,
    },
    /// A generating potential that bounds no strictly convex body.
    #[error(
        "potential is not convex: the smallest radius of curvature is {radius} at the normal \
         ({:.6}, {:.6}, {:.6}); it must be above {required}", normal[0], normal[1], normal[2]
    )]
    NotConvex {
        /// The smallest radius of curvature that was met, in metres.
        radius: f64,
        /// The normal at which it was met.
        normal: [f64; 3],
        /// The bound that was asked for.
        required: f64,
    },
    /// A mesh without faces.
    #[error("mesh is empty: {found}; at least one face is needed")]
    EmptyMesh {
        /// What the mesh did hold.
        found: String,
    },
    /// A triangle without area.
    #[error(
        "triangle {triangle} is degenerate: vertices {vertices:?} span the area {area}; it must be above zero"
    )]
    DegenerateTriangle {
        /// Index of the triangle, from zero.
        triangle: usize,
        /// Its three vertex indices.
        vertices: [u32; 3],
        /// Its area in square metres.
        area: f64,
    },
    /// A vertex index that points nowhere.
    #[error("triangle {triangle} uses vertex {vertex}: the mesh has {count} vertices")]
    VertexOutOfRange {
        /// Index of the triangle, from zero.
        triangle: usize,
        /// The vertex it asks for.
        vertex: u32,
        /// How many vertices there are.
        count: usize,
    },
    /// An edge that is not shared by exactly two faces of consistent orientation.
    #[error(
        "edge {edge:?} is {found}: a closed mesh has two faces at every edge, running along it in opposite directions"
    )]
    NonManifoldEdge {
        /// The two vertex indices.
        edge: [u32; 2],
        /// What is wrong with it.
        found: String,
    },
    /// A mesh that bounds no solid, with the places where it shows.
    #[error("{}", mesh_faults(faults, *holes, *edges))]
    NotClosed {
        /// How many rims there are that do not touch each other.
        holes: usize,
        /// How many edges have more than two triangles.
        edges: usize,
        /// Where: the largest holes first, then edges, so many as a reader wants to see.
        faults: Vec<MeshFault>,
    },
    /// A mesh of one side, as a Möbius strip is: no turning of faces makes its sides agree.
    #[error(
        "mesh cannot be oriented: triangle {triangle} about ({:.4e}, {:.4e}, {:.4e}) is met again with its other side out",
        place[0], place[1], place[2]
    )]
    NotOrientable {
        /// Where it shows.
        triangle: usize,
        /// The middle of that triangle, in metres.
        place: [f64; 3],
    },
    /// A file that could not be read as what it claims to be.
    #[error("line {line}: found {found}, expected {expected}")]
    Parse {
        /// Line in a text file, record in a binary one, from one.
        line: usize,
        /// What was there.
        found: String,
        /// What should have been.
        expected: String,
    },
    /// A binary file that could not be read as what it claims to be.
    #[error("byte {byte}: found {found}, expected {expected}")]
    ParseBinary {
        /// Where in the file, from zero.
        byte: usize,
        /// What was there.
        found: String,
        /// What should have been.
        expected: String,
    },
    /// A numeric procedure that did not reach its tolerance within its bound.
    #[error("{procedure} stopped at {reached:e} after {iterations} iterations; {wanted:e} was asked for")]
    NotConverged {
        /// What was being computed.
        procedure: &'static str,
        /// The error or residual reached.
        reached: f64,
        /// The one asked for.
        wanted: f64,
        /// Iterations, refinements or evaluations spent.
        iterations: usize,
    },
}

/// A place where a mesh bounds no solid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MeshFault {
    /// A rim: the mesh ends here.
    Hole {
        /// Its edges.
        edges: usize,
        /// The diagonal of its box in metres.
        size: f64,
        /// The middle of its box.
        place: [f64; 3],
    },
    /// An edge of more than two triangles.
    Edge {
        /// How many.
        triangles: usize,
        /// Where it begins and ends, in metres.
        ends: [[f64; 3]; 2],
    },
}

impl std::fmt::Display for MeshFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let point = |[x, y, z]: [f64; 3]| format!("({x:.4e}, {y:.4e}, {z:.4e})");
        match *self {
            Self::Hole { edges, size, place } => {
                write!(f, "a hole of {edges} edges, {size:.4e} m across, about {}", point(place))
            }
            Self::Edge { triangles, ends: [a, b] } => {
                write!(f, "an edge of {triangles} triangles from {} to {}", point(a), point(b))
            }
        }
    }
}

/// All faults, each on a line of its own, and how many are not shown.
fn mesh_faults(faults: &[MeshFault], holes: usize, edges: usize) -> String {
    let mut said =
        format!("the mesh bounds no solid; holes: {holes}, edges of more than two triangles: {edges}");
    for fault in faults {
        said += &format!("\n    {fault}");
    }
    let hidden = (holes + edges).saturating_sub(faults.len());
    if hidden > 0 {
        said += &format!("\n    and {hidden} more");
    }
    said
}

/// Accepts a finite number above zero.
pub(crate) fn positive(field: &str, value: f64) -> Result<f64> {
    within(field, value, f64::MIN_POSITIVE, f64::MAX, "a finite number above zero")
}

/// The least and the greatest length of a body, in metres. Algorithms take products of up to twelve lengths; within
/// these bounds none of them leaves the range of a double.
pub const LENGTHS: [f64; 2] = [1e-20, 1e20];

/// Accepts a length of a body.
pub(crate) fn length(field: &str, value: f64) -> Result<f64> {
    within(field, value, LENGTHS[0], LENGTHS[1], "a length between 1e-20 and 1e20 m")
}

/// Accepts three lengths of a body.
pub(crate) fn length3(field: &str, values: [f64; 3]) -> Result<[f64; 3]> {
    for (i, value) in values.into_iter().enumerate() {
        length(&format!("{field}[{i}]"), value)?;
    }
    Ok(values)
}

/// Accepts a coordinate in a body's axes, no farther from its origin than a body may be long.
pub(crate) fn coordinate(field: &str, value: f64) -> Result<f64> {
    within(field, value, -LENGTHS[1], LENGTHS[1], "a coordinate between −1e20 and 1e20 m")
}

/// Accepts points of a body, no farther from its origin than a body may be long.
pub(crate) fn places(field: &str, points: &[crate::Vec3]) -> Result<()> {
    for (k, p) in points.iter().enumerate() {
        if let Some(i) = p.iter().position(|x| !(x.abs() <= LENGTHS[1])) {
            coordinate(&format!("{field}[{k}][{i}]"), p[i])?;
        }
    }
    Ok(())
}

/// Accepts any finite number.
pub(crate) fn finite(field: &str, value: f64) -> Result<f64> {
    within(field, value, f64::MIN, f64::MAX, "a finite number")
}

/// Accepts `low <= value <= high`; NaN is refused because no comparison with it holds.
pub(crate) fn within(field: &str, value: f64, low: f64, high: f64, allowed: &str) -> Result<f64> {
    if value >= low && value <= high {
        Ok(value)
    } else {
        Err(GeomError::OutOfRange { field: field.to_owned(), value, allowed: allowed.to_owned() })
    }
}

/// Accepts three finite numbers above zero.
pub(crate) fn positive3(field: &str, values: [f64; 3]) -> Result<[f64; 3]> {
    for (i, value) in values.into_iter().enumerate() {
        positive(&format!("{field}[{i}]"), value)?;
    }
    Ok(values)
}

/// Accepts a vector of finite components.
#[inline]
pub(crate) fn finite3(field: &str, v: &crate::Vec3) -> Result<crate::Vec3> {
    match v.iter().position(|x| !x.is_finite()) {
        // The name is put together only where it is needed.
        Some(i) => finite(&format!("{field}[{i}]"), v[i]).map(|_| *v),
        None => Ok(*v),
    }
}

/// Accepts a vector with a direction and returns it with length one.
#[inline]
pub(crate) fn direction(field: &str, v: &crate::Vec3) -> Result<crate::Vec3> {
    finite3(field, v)?;
    // Scaled first, so that neither tiny nor huge vectors lose their direction.
    let scale = v.amax();
    if scale == 0.0 {
        return Err(GeomError::OutOfRange {
            field: field.to_owned(),
            value: 0.0,
            allowed: "a vector of non-zero length".to_owned(),
        });
    }
    Ok((v / scale).normalize())
}
