//! Queries: one shape against another, at one pose or at arrays of them.
//!
//! A pose is a row of seven numbers: position in m, quaternion (w, x, y, z). Arrays of them are read where they are,
//! whatever their strides, and answers are written once, by all threads, into arrays that NumPy keeps: `memory.rs`.
//! Every pair is computed from its own inputs alone, as `rattleback_contact::touches` does, so that the answers do not
//! depend on the number of threads.
//!
//! | | |
//! |---|---|
//! | `answers.rs` | contacts of many pairs |
//! | `change.rs` | their derivatives |
//! | `single.rs` | one pair, for loops that ask again and again |

mod answers;
mod change;
mod single;

pub use answers::contacts;
pub use change::derivatives;
pub use single::{one, one_change};

use crate::memory::Numbers;
use crate::pool;
use crate::shape::Shape;
use crate::{errors, watch::Watch};
use pyo3::prelude::*;
use rattleback_contact::narrow::touch;
use rattleback_contact::{
    Branch, Certificate, Collider, Contact, ContactError, Derivatives, Start, Touch, contact_at,
    derivatives as derive,
};
use rattleback_geom::nalgebra::{Quaternion, Unit, UnitQuaternion};
use rattleback_geom::surface::Shape as Solid;
use rattleback_geom::{Pose, Vec3};
use std::sync::Mutex;

/// What is wrong with pairs, by their numbers.
type Complaints = Vec<(usize, String)>;

/// Pairs handed to a thread at a time, as in Rust; fewer where there are few, so that all threads have some.
const CHUNK: usize = 256;
/// As few as this only where one pair may take milliseconds.
const LEAST_CHUNK: usize = 32;

/// A pose as files of pairs have it: a quaternion of length one to rounding is kept as it is, another one is
/// normalised.
#[inline]
pub fn pose(row: &[f64; 7], field: &'static str) -> Result<Pose, ContactError> {
    // Out of the way of those that are right.
    #[cold]
    fn refuse(field: &str, value: f64, allowed: &'static str) -> Result<Pose, ContactError> {
        Err(ContactError::OutOfRange { field: field.to_owned(), value, allowed })
    }
    if let Some(&wrong) = row.iter().find(|x| !x.is_finite()) {
        return refuse(field, wrong, "seven finite numbers: x, y, z in m, then a quaternion w, x, y, z");
    }
    let q = Quaternion::new(row[3], row[4], row[5], row[6]);
    let orientation: UnitQuaternion<f64> = if (q.norm_squared() - 1.0).abs() <= 4.0 * f64::EPSILON {
        Unit::new_unchecked(q)
    } else {
        let norm = q.norm();
        if (norm - 1.0).abs() > 1e-3 {
            return refuse(field, norm, "a pose whose quaternion (w, x, y, z) has length one");
        }
        Unit::new_normalize(q)
    };
    Ok(Pose { position: Vec3::new(row[0], row[1], row[2]), orientation })
}

/// Errors of pairs: the first one, or all of them.
pub struct Errors {
    all: bool,
    found: Mutex<Vec<(usize, ContactError)>>,
}

impl Errors {
    pub fn new(all: bool) -> Self {
        Self { all, found: Mutex::new(Vec::new()) }
    }

    pub fn keep(&self, pair: usize, error: ContactError) {
        if let Ok(mut found) = self.found.lock() {
            if self.all || found.is_empty() {
                found.push((pair, error));
            } else if found[0].0 > pair {
                found[0] = (pair, error);
            }
        }
    }

    /// An exception for the first one whichever thread has found it, or all of them in their order.
    pub fn told(self, py: Python<'_>) -> PyResult<Complaints> {
        let mut found = self.found.into_inner().unwrap_or_default();
        found.sort_by_key(|(pair, _)| *pair);
        match found.first() {
            Some((pair, error)) if !self.all => Err(errors::query(py, error, Some(*pair))),
            _ => Ok(found.into_iter().map(|(pair, error)| (pair, error.to_string())).collect()),
        }
    }
}

/// The poses of one side: one for all that is read once, or rows.
enum Side<'p> {
    One(Pose),
    Each(Numbers<'p, 7>),
}

impl Side<'_> {
    /// That of a pair, which is read into a place where it has its own.
    #[inline]
    fn pose<'a>(
        &'a self,
        k: usize,
        field: &'static str,
        place: &'a mut Pose,
    ) -> Result<&'a Pose, ContactError> {
        match self {
            Self::One(pose) => Ok(pose),
            Self::Each(rows) => {
                *place = pose(&rows.row(k), field)?;
                Ok(place)
            }
        }
    }
}

/// Both shapes and their poses; and how many pairs there are.
struct Pairs<'p> {
    shapes: [&'p Shape; 2],
    sides: [Side<'p>; 2],
    count: usize,
}

impl<'p> Pairs<'p> {
    fn new(
        (a, b): (&'p Shape, &'p Shape),
        (pose_a, pose_b): (&'p Bound<'_, PyAny>, &'p Bound<'_, PyAny>),
    ) -> PyResult<Self> {
        let (rows_a, rows_b) = (Numbers::of(pose_a, "pose_a")?, Numbers::of(pose_b, "pose_b")?);
        let count = match (rows_a.len(), rows_b.len()) {
            (n, m) if n == m => n,
            (1, n) | (n, 1) => n,
            (n, m) => {
                let found = format!("{m} poses beside {n} of A");
                let expected = "as many as of A, or one for all";
                return Err(errors::argument(pose_b.py(), "pose_b", &found, expected));
            }
        };
        // One that is refused is refused for each pair.
        let side = |rows: Numbers<'p, 7>| match rows.len() {
            1 => pose(&rows.row(0), "").map_or(Side::Each(rows), Side::One),
            _ => Side::Each(rows),
        };
        Ok(Self { shapes: [a, b], sides: [side(rows_a), side(rows_b)], count })
    }

    /// Pairs handed to a thread at a time.
    fn chunk(&self) -> usize {
        let quick = self.shapes.iter().all(|shape| shape.is_quick());
        let least = if quick { LEAST_CHUNK } else { 1 };
        (self.count / (8 * pool::threads())).clamp(least, CHUNK)
    }

    #[inline]
    fn touch(&self, k: usize) -> Result<Touch, ContactError> {
        let (mut place_a, mut place_b) = (Pose::identity(), Pose::identity());
        let pose_a = self.sides[0].pose(k, "pose_a", &mut place_a)?;
        let pose_b = self.sides[1].pose(k, "pose_b", &mut place_b)?;
        touch(&self.shapes[0].solid, pose_a, &self.shapes[1].solid, pose_b, Start::Cold)
    }

    /// Both bodies, for a thread to move about.
    fn colliders(&self) -> [Collider; 2] {
        colliders(self.shapes.map(|shape| &shape.solid))
    }

    fn contact(&self, k: usize, bodies: &mut [Collider; 2]) -> Result<Contact, ContactError> {
        let (mut place_a, mut place_b) = (Pose::identity(), Pose::identity());
        let pose_a = self.sides[0].pose(k, "pose_a", &mut place_a)?;
        let pose_b = self.sides[1].pose(k, "pose_b", &mut place_b)?;
        contact_of(bodies, [*pose_a, *pose_b])
    }

    fn derivatives(&self, k: usize, bodies: &mut [Collider; 2]) -> Result<Derivatives, ContactError> {
        let found = self.contact(k, bodies)?;
        derive(&bodies[0], &bodies[1], &found)
    }

    /// Does something with all parts on all threads.
    fn share<P: Send, S>(
        &self,
        py: Python<'_>,
        parts: Vec<P>,
        scratch: impl Fn() -> S + Sync + Send,
        act: impl Fn(&mut S, P) + Sync + Send,
    ) -> PyResult<()> {
        pool::share(py, &Watch::new(None), parts, scratch, act)
    }
}

fn colliders(solids: [&Solid; 2]) -> [Collider; 2] {
    solids.map(|solid| Collider::new(solid.clone(), Pose::identity()))
}

fn contact_of([a, b]: &mut [Collider; 2], poses: [Pose; 2]) -> Result<Contact, ContactError> {
    [a.pose, b.pose] = poses;
    let found = touch(&a.shape, &a.pose, &b.shape, &b.pose, Start::Cold)?;
    contact_at(a, b, found)
}

/// The place of a touch's branch in the list that Python has: none, global, compared, followed.
fn branch(touch: &Touch) -> u8 {
    match touch.certificate {
        Certificate::Overlap { branch: Branch::Global, .. } => 1,
        Certificate::Overlap { branch: Branch::Compared, .. } => 2,
        Certificate::Overlap { branch: Branch::Followed, .. } => 3,
        _ => 0,
    }
}

/// Each has a stack, and a machine that is asked for many thousands may come to a halt.
const MOST_THREADS: usize = 1024;

/// How many threads queries, sensitivities and engines use, which can be said once, before the first of them.
#[pyfunction]
pub fn set_threads(py: Python<'_>, threads: usize) -> PyResult<()> {
    if threads > MOST_THREADS {
        let expected = format!("at most {MOST_THREADS}, or 0 for one per core");
        return Err(errors::argument(py, "threads", &threads.to_string(), &expected));
    }
    let built = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
    built.map_err(|error| errors::argument(py, "threads", &threads.to_string(), &error.to_string()))
}
