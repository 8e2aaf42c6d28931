//! Queries of many pairs: one shape against another at arrays of poses.
//!
//! A pose is a row of seven numbers: position in m, quaternion (w, x, y, z). Answers are written once, by all threads,
//! into memory that NumPy takes over: one block after the other, in the order of [`BLOCKS`]. Every pair is computed from its own inputs alone, as
//! `rattleback_contact::touches` does, so that the answers do not depend on the number of threads.

use crate::array;
use crate::errors;
use crate::shape::Shape;
use crate::watch::Watch;
use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use rattleback_contact::narrow::touch;
use rattleback_contact::{
    Branch, Certificate, Collider, Contact, ContactError, Derivatives, Regularity, Start, contact_at,
    derivatives as derive,
};
use rattleback_geom::nalgebra::{Quaternion, Unit, UnitQuaternion};
use rattleback_geom::surface::Shape as Solid;
use rattleback_geom::{Pose, Vec3};
use rayon::prelude::*;
use std::sync::Mutex;

/// Numbers that NumPy reads where they are.
type Bytes<'py> = Bound<'py, PyByteArray>;

/// What is wrong with pairs, by their numbers.
type Complaints = Vec<(usize, String)>;

/// Pairs handed to a thread at a time, as in Rust.
const CHUNK: usize = 256;
/// Pairs between two looks for Ctrl-C: some hundredths of a second.
const LOOK: usize = 1 << 16;

/// The poses of one side: one for all pairs, or one for each.
#[derive(Clone, Copy)]
struct Poses<'p> {
    rows: &'p [[u8; 56]],
    each: bool,
}

impl Poses<'_> {
    /// The pose of a pair.
    fn at(&self, pair: usize, field: &'static str) -> Result<Pose, ContactError> {
        let (numbers, _) = self.rows[if self.each { pair } else { 0 }].as_chunks();
        pose(&std::array::from_fn(|k| f64::from_ne_bytes(numbers[k])), field)
    }
}

/// A pose as files of pairs have it: a quaternion of length one to rounding is kept as it is, another one is normalised.
fn pose(row: &[f64; 7], field: &'static str) -> Result<Pose, ContactError> {
    let refuse =
        |value: f64, allowed| Err(ContactError::OutOfRange { field: field.to_owned(), value, allowed });
    if let Some(&wrong) = row.iter().find(|x| !x.is_finite()) {
        return refuse(wrong, "seven finite numbers: x, y, z in m, then a quaternion w, x, y, z");
    }
    let q = Quaternion::new(row[3], row[4], row[5], row[6]);
    let norm = q.norm();
    if (norm - 1.0).abs() > 1e-3 {
        return refuse(norm, "a pose whose quaternion (w, x, y, z) has length one");
    }
    let exact = (q.norm_squared() - 1.0).abs() <= 4.0 * f64::EPSILON;
    let orientation: UnitQuaternion<f64> =
        if exact { Unit::new_unchecked(q) } else { Unit::new_normalize(q) };
    Ok(Pose { position: Vec3::new(row[0], row[1], row[2]), orientation })
}

/// Errors of pairs: the first one, or all of them.
struct Errors {
    all: bool,
    found: Mutex<Vec<(usize, ContactError)>>,
}

impl Errors {
    fn keep(&self, pair: usize, error: ContactError) {
        if let Ok(mut found) = self.found.lock() {
            if self.all || found.is_empty() {
                found.push((pair, error));
            } else if found[0].0 > pair {
                found[0] = (pair, error);
            }
        }
    }

    /// An exception for the first one, or all of them in their order.
    fn told(self, py: Python<'_>) -> PyResult<Vec<(usize, String)>> {
        let mut found = self.found.into_inner().unwrap_or_default();
        found.sort_by_key(|(pair, _)| *pair);
        match found.first() {
            Some((pair, error)) if !self.all => Err(errors::query(py, error, Some(*pair))),
            _ => Ok(found.into_iter().map(|(pair, error)| (pair, error.to_string())).collect()),
        }
    }
}

/// The two sides with their poses, checked; and how many pairs there are.
struct Sides<'p> {
    a: &'p Solid,
    b: &'p Solid,
    poses: [Poses<'p>; 2],
    pairs: usize,
}

impl<'p> Sides<'p> {
    fn new(
        py: Python<'_>,
        (a, b): (&'p Shape, &'p Shape),
        pose_a: &'p [u8],
        pose_b: &'p [u8],
    ) -> PyResult<Self> {
        let (rows_a, rows_b) = (array::poses(py, pose_a, "pose_a")?, array::poses(py, pose_b, "pose_b")?);
        let (count_a, count_b) = (rows_a.len(), rows_b.len());
        let pairs = match (count_a, count_b) {
            (n, m) if n == m => n,
            (1, n) | (n, 1) => n,
            (n, m) => {
                return Err(errors::argument(
                    py,
                    "pose_b",
                    &format!("{m} poses beside {n} of A"),
                    "as many as of A, or one for all",
                ));
            }
        };
        let poses =
            [Poses { rows: rows_a, each: count_a == pairs }, Poses { rows: rows_b, each: count_b == pairs }];
        Ok(Self { a: &a.solid, b: &b.solid, poses, pairs })
    }

    fn touch(&self, pair: usize) -> Result<Contact, ContactError> {
        let (pose_a, pose_b) = (self.poses[0].at(pair, "pose_a")?, self.poses[1].at(pair, "pose_b")?);
        Ok(touch(self.a, &pose_a, self.b, &pose_b, Start::Cold)?.into())
    }

    /// Both bodies, for a thread to move about.
    fn colliders(&self) -> [Collider; 2] {
        [self.a, self.b].map(|solid| Collider::new(solid.clone(), Pose::identity()))
    }

    fn contact(&self, pair: usize, [a, b]: &mut [Collider; 2]) -> Result<Contact, ContactError> {
        (a.pose, b.pose) = (self.poses[0].at(pair, "pose_a")?, self.poses[1].at(pair, "pose_b")?);
        let found = touch(self.a, &a.pose, self.b, &b.pose, Start::Cold)?;
        contact_at(a, b, found)
    }

    fn derivatives(&self, pair: usize, bodies: &mut [Collider; 2]) -> Result<Derivatives, ContactError> {
        let found = self.contact(pair, bodies)?;
        derive(&bodies[0], &bodies[1], &found)
    }
}

/// The blocks of an answer: bytes per pair. Doubles first, so that all are aligned.
///
/// | block | |
/// |---|---|
/// | gap, normal, point_a, point_b, residual | doubles |
/// | curvatures of A, of B, of both | two doubles each, where they are asked for |
/// | iterations | 32 bits |
/// | certified, branch | a byte each; the branch is 0 none, 1 global, 2 compared, 3 followed |
const BLOCKS: [usize; 11] = [8, 24, 24, 24, 8, 16, 16, 16, 4, 1, 1];

/// The blocks of some pairs, out of the memory of all.
fn blocks(bytes: &mut [u8], pairs: usize, curved: bool) -> [&mut [u8]; 11] {
    let mut rest = bytes;
    std::array::from_fn(|k| {
        let width = if !curved && (5..8).contains(&k) { 0 } else { BLOCKS[k] };
        rest.split_off_mut(..pairs * width).unwrap_or_default()
    })
}

fn put(place: &mut [u8], values: &[f64]) {
    for (place, value) in place.chunks_exact_mut(8).zip(values) {
        place.copy_from_slice(&value.to_ne_bytes());
    }
}

/// The place of one pair in the answers.
struct Place<'p>([&'p mut [u8]; 8]);

impl Place<'_> {
    fn fill(self, contact: &Contact) {
        let (Self([gap, normal, point_a, point_b, residual, iterations, certified, of_branch]), touch) =
            (self, &contact.touch);
        put(gap, &[touch.gap]);
        put(normal, touch.normal.as_slice());
        put(point_a, touch.point_a.as_slice());
        put(point_b, touch.point_b.as_slice());
        put(residual, &[touch.residual]);
        iterations.copy_from_slice(&touch.iterations.to_ne_bytes());
        certified.fill(u8::from(touch.certified));
        of_branch.fill(match touch.certificate {
            Certificate::Overlap { branch: Branch::Global, .. } => 1,
            Certificate::Overlap { branch: Branch::Compared, .. } => 2,
            Certificate::Overlap { branch: Branch::Followed, .. } => 3,
            _ => 0,
        });
    }

    /// What a pair without answer has: no numbers.
    fn refuse(self) {
        let Self(places) = self;
        for (place, count) in places.into_iter().zip([1, 3, 3, 3, 1]) {
            put(place, &[f64::NAN; 3][..count]);
        }
    }
}

/// The touches of pairs, with curvatures where they are asked for: the blocks of [`BLOCKS`].
#[pyfunction]
pub fn contacts<'py>(
    py: Python<'py>,
    a: PyRef<'py, Shape>,
    b: PyRef<'py, Shape>,
    pose_a: &[u8],
    pose_b: &[u8],
    curved: bool,
    keep_errors: bool,
) -> PyResult<(Bytes<'py>, Complaints)> {
    let sides = Sides::new(py, (&a, &b), pose_a, pose_b)?;
    let errors = Errors { all: keep_errors, found: Mutex::new(Vec::new()) };
    let watch = Watch::new(None);
    let width: usize = BLOCKS.iter().sum::<usize>() - if curved { 0 } else { 48 };
    let answers = PyByteArray::new_with(py, sides.pairs * width, |bytes| {
        py.detach(|| {
            let mut all = blocks(bytes, sides.pairs, curved);
            let mut begin = 0;
            while begin < sides.pairs && !watch.is_stopped_at(begin as f64, sides.pairs as f64) {
                let count = LOOK.min(sides.pairs - begin);
                let mut k = 0;
                let part = all.each_mut().map(|block| {
                    let width = if !curved && (5..8).contains(&k) { 0 } else { BLOCKS[k] };
                    k += 1;
                    block.split_off_mut(..count * width).unwrap_or_default()
                });
                fill(&sides, begin, part, curved, &errors);
                begin += count;
            }
        });
        Ok(())
    })?;
    watch.end(0.0)?;
    let told = errors.told(py)?;
    Ok((answers, told))
}

fn fill(sides: &Sides<'_>, begin: usize, part: [&mut [u8]; 11], curved: bool, errors: &Errors) {
    let [gap, normal, point_a, point_b, residual, of_a, of_b, of_both, iterations, certified, branch] = part;
    let places = (
        gap.par_chunks_exact_mut(8),
        normal.par_chunks_exact_mut(24),
        point_a.par_chunks_exact_mut(24),
        point_b.par_chunks_exact_mut(24),
        residual.par_chunks_exact_mut(8),
        iterations.par_chunks_exact_mut(4),
        certified.par_chunks_exact_mut(1),
        branch.par_chunks_exact_mut(1),
    );
    let places = places.into_par_iter().map(|(a, b, c, d, e, f, g, h)| Place([a, b, c, d, e, f, g, h]));
    if !curved {
        places.with_min_len(CHUNK).enumerate().for_each(|(k, place)| match sides.touch(begin + k) {
            Ok(contact) => place.fill(&contact),
            Err(error) => {
                place.refuse();
                errors.keep(begin + k, error);
            }
        });
        return;
    }
    let curvatures =
        (of_a.par_chunks_exact_mut(16), of_b.par_chunks_exact_mut(16), of_both.par_chunks_exact_mut(16));
    let pairs = places.zip(curvatures.into_par_iter()).with_min_len(CHUNK).enumerate();
    pairs.for_each_init(
        || sides.colliders(),
        |bodies, (k, (place, curvatures))| {
            let (found, curvature) = match sides.contact(begin + k, bodies) {
                Ok(contact) => (Some(contact), contact.curvature),
                Err(error) => {
                    errors.keep(begin + k, error);
                    (None, None)
                }
            };
            match found {
                Some(contact) => place.fill(&contact),
                None => place.refuse(),
            }
            let kappas = curvature.map_or([[f64::NAN; 2]; 3], |c| [c.a.kappa, c.b.kappa, c.relative.kappa]);
            put(curvatures.0, &kappas[0]);
            put(curvatures.1, &kappas[1]);
            put(curvatures.2, &kappas[2]);
        },
    );
}

/// How contacts change with both poses: per pair the rows of gap (1), normal (3), point_a (3), point_b (3), curvature_a
/// (2), curvature_b (2), relative_curvature (2), each by twelve: translation and rotation of A, of B; and what of them is
/// differentiable.
#[pyfunction]
pub fn derivatives<'py>(
    py: Python<'py>,
    a: PyRef<'py, Shape>,
    b: PyRef<'py, Shape>,
    pose_a: &[u8],
    pose_b: &[u8],
    keep_errors: bool,
) -> PyResult<(Bytes<'py>, Bytes<'py>, Complaints)> {
    const ROW: usize = 16 * 12 * 8;
    let sides = Sides::new(py, (&a, &b), pose_a, pose_b)?;
    let mut regular = vec![u8::MAX; sides.pairs];
    let errors = Errors { all: keep_errors, found: Mutex::new(Vec::new()) };
    let watch = Watch::new(None);
    let all = PyByteArray::new_with(py, sides.pairs * ROW, |bytes| {
        py.detach(|| {
            let parts = bytes.chunks_mut(LOOK * ROW).zip(regular.chunks_mut(LOOK));
            for (number, (part, regular)) in parts.enumerate() {
                if watch.is_stopped_at(0.0, 1.0) {
                    break;
                }
                let places = part.par_chunks_exact_mut(ROW).zip(regular).with_min_len(CHUNK).enumerate();
                places.for_each_init(
                    || sides.colliders(),
                    |bodies, (k, (place, regular))| match sides.derivatives(number * LOOK + k, bodies) {
                        Ok(change) => {
                            write(&change, place);
                            *regular = regularity(change.regularity);
                        }
                        Err(error) => {
                            put(place, &[f64::NAN; ROW / 8]);
                            errors.keep(number * LOOK + k, error);
                        }
                    },
                );
            }
        });
        Ok(())
    })?;
    watch.end(0.0)?;
    let told = errors.told(py)?;
    Ok((all, PyByteArray::new(py, &regular), told))
}

/// The place of a word in the list that Python has.
fn regularity(found: Regularity) -> u8 {
    match found {
        Regularity::Smooth => 0,
        Regularity::Edge => 1,
        Regularity::Kink => 2,
        Regularity::Seam => 3,
        Regularity::Parallel => 4,
        Regularity::Focal => 5,
    }
}

/// Row after row.
fn write(change: &Derivatives, place: &mut [u8]) {
    let mut rows = place.chunks_exact_mut(12 * 8);
    let mut put = |value: &dyn Fn(usize) -> f64| {
        if let Some(row) = rows.next() {
            put(row, &std::array::from_fn::<f64, 12, _>(value));
        }
    };
    put(&|k| change.gap[k]);
    for matrix in [&change.normal, &change.point_a, &change.point_b] {
        for i in 0..3 {
            put(&|k| matrix[(i, k)]);
        }
    }
    for matrix in [&change.curvature_a, &change.curvature_b, &change.relative] {
        for i in 0..2 {
            put(&|k| matrix[(i, k)]);
        }
    }
}

/// How many threads queries, sensitivities and engines use, which can be said once, before the first of them.
#[pyfunction]
pub fn set_threads(py: Python<'_>, threads: usize) -> PyResult<()> {
    let built = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
    built.map_err(|error| errors::argument(py, "threads", &threads.to_string(), &error.to_string()))
}
