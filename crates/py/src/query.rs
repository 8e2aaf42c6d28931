//! Queries of many pairs: one shape against another at arrays of poses.
//!
//! A pose is a row of seven numbers: position in m, quaternion (w, x, y, z). Poses are read in blocks of [`LOOK`] rows,
//! the next one while the pairs of this one are answered, so that there is never a second copy of all of them, whatever
//! their strides and their kind of numbers: safe Rust has no way to share memory among threads that Python's other
//! threads may write to meanwhile. Answers are written once, by all threads, into memory that NumPy takes over: one block
//! after the other, in the order of [`BLOCKS`]. Every pair is computed from its own inputs alone, as
//! `rattleback_contact::touches` does, so that the answers do not depend on the number of threads.

use crate::array::{self, Rows};
use crate::errors;
use crate::shape::Shape;
use crate::watch::Watch;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes};
use rattleback_contact::narrow::touch;
use rattleback_contact::{
    Branch, Certificate, Collider, Contact, ContactError, Derivatives, Regularity, Start, Touch, contact_at,
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
/// Pairs of a block, between two looks for Ctrl-C: some hundredths of a second.
const LOOK: usize = 1 << 16;

/// The poses of one side: how many there are, and a function that gives the bytes of those from one number up to another.
type Poses<'py> = (usize, Bound<'py, PyAny>);

/// The poses of a block of pairs: one for all, or one for each.
type Block<'p> = [Rows<'p, 56>; 2];

/// The poses of a pair of a block.
fn poses(block: Block<'_>, k: usize) -> Result<[Pose; 2], ContactError> {
    Ok([pose(&array::row(block[0], k), "pose_a")?, pose(&array::row(block[1], k), "pose_b")?])
}

/// A pose as files of pairs have it: a quaternion of length one to rounding is kept as it is, another one is normalised.
pub fn pose(row: &[f64; 7], field: &'static str) -> Result<Pose, ContactError> {
    let refuse =
        |value: f64, allowed| Err(ContactError::OutOfRange { field: field.to_owned(), value, allowed });
    if let Some(&wrong) = row.iter().find(|x| !x.is_finite()) {
        return refuse(wrong, "seven finite numbers: x, y, z in m, then a quaternion w, x, y, z");
    }
    let q = Quaternion::new(row[3], row[4], row[5], row[6]);
    let orientation: UnitQuaternion<f64> = if (q.norm_squared() - 1.0).abs() <= 4.0 * f64::EPSILON {
        Unit::new_unchecked(q)
    } else {
        let norm = q.norm();
        if (norm - 1.0).abs() > 1e-3 {
            return refuse(norm, "a pose whose quaternion (w, x, y, z) has length one");
        }
        Unit::new_normalize(q)
    };
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

/// The two sides; and how many pairs there are.
struct Sides<'p> {
    a: &'p Solid,
    b: &'p Solid,
    /// How many poses each side has, and where they are read.
    counts: [usize; 2],
    read: [Py<PyAny>; 2],
    pairs: usize,
}

impl<'p> Sides<'p> {
    fn new(
        py: Python<'_>,
        (a, b): (&'p Shape, &'p Shape),
        (count_a, read_a): Poses<'_>,
        (count_b, read_b): Poses<'_>,
    ) -> PyResult<Self> {
        let pairs = match (count_a, count_b) {
            (n, m) if n == m => n,
            (1, n) | (n, 1) => n,
            (n, m) => {
                let found = format!("{m} poses beside {n} of A");
                return Err(errors::argument(py, "pose_b", &found, "as many as of A, or one for all"));
            }
        };
        let read = [read_a.unbind(), read_b.unbind()];
        Ok(Self { a: &a.solid, b: &b.solid, counts: [count_a, count_b], read, pairs })
    }

    /// The poses of the block that begins at a pair, as bytes of Python's.
    fn block(&self, py: Python<'_>, begin: usize) -> PyResult<[Py<PyBytes>; 2]> {
        let end = self.pairs.min(begin + LOOK);
        let side = |k: usize, field: &str| -> PyResult<Py<PyBytes>> {
            let (from, to) = if self.counts[k] == 1 { (0, 1) } else { (begin, end) };
            let given = self.read[k].bind(py).call1((from, to))?;
            let bytes = given.cast_into::<PyBytes>().map_err(PyErr::from)?;
            let (found, rows) = (bytes.as_bytes().len(), to - from);
            if found != 56 * rows {
                let expected = format!("{rows} rows of seven doubles");
                return Err(errors::argument(py, field, &format!("{found} bytes"), &expected));
            }
            Ok(bytes.unbind())
        };
        Ok([side(0, "pose_a")?, side(1, "pose_b")?])
    }

    /// Does something with all blocks of pairs one after the other, on the threads of the pool: `act` gets the number of
    /// its first pair, how many it has, and their poses. The next block is read meanwhile.
    fn in_blocks(
        &self,
        py: Python<'_>,
        watch: &Watch,
        mut act: impl FnMut(usize, usize, Block<'_>) + Send,
    ) -> PyResult<()> {
        let (mut begin, mut read) = (0, self.block(py, 0)?);
        while begin < self.pairs && !watch.is_stopped_at(begin as f64, self.pairs as f64) {
            let count = LOOK.min(self.pairs - begin);
            let bytes = read.each_ref().map(|bytes| bytes.bind(py).as_bytes());
            let block = [array::rows(py, bytes[0], "pose_a")?, array::rows(py, bytes[1], "pose_b")?];
            let act = &mut act;
            let next = py.detach(|| {
                let mut next = None;
                rayon::in_place_scope(|scope| {
                    scope.spawn(move |_| act(begin, count, block));
                    if begin + count < self.pairs {
                        next = Some(Python::attach(|py| self.block(py, begin + count)));
                    }
                });
                next
            });
            if let Some(next) = next {
                read = next?;
            }
            begin += count;
        }
        Ok(())
    }

    fn touch(&self, [pose_a, pose_b]: &[Pose; 2]) -> Result<Touch, ContactError> {
        touch(self.a, pose_a, self.b, pose_b, Start::Cold)
    }

    /// Both bodies, for a thread to move about.
    fn colliders(&self) -> [Collider; 2] {
        [self.a, self.b].map(|solid| Collider::new(solid.clone(), Pose::identity()))
    }

    fn contact(&self, at: &[Pose; 2], [a, b]: &mut [Collider; 2]) -> Result<Contact, ContactError> {
        [a.pose, b.pose] = *at;
        let found = touch(self.a, &a.pose, self.b, &b.pose, Start::Cold)?;
        contact_at(a, b, found)
    }

    fn derivatives(&self, at: &[Pose; 2], bodies: &mut [Collider; 2]) -> Result<Derivatives, ContactError> {
        let found = self.contact(at, bodies)?;
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
    fn fill(self, touch: &Touch) {
        let Self([gap, normal, point_a, point_b, residual, iterations, certified, of_branch]) = self;
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

/// The touches of pairs, with curvatures where they are asked for: the blocks of [`BLOCKS`]. Errors count pairs from
/// `first` on.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "they are those of the Python function")]
pub fn contacts<'py>(
    py: Python<'py>,
    a: PyRef<'py, Shape>,
    b: PyRef<'py, Shape>,
    pose_a: Poses<'py>,
    pose_b: Poses<'py>,
    curved: bool,
    keep_errors: bool,
    first: usize,
) -> PyResult<(Bytes<'py>, Complaints)> {
    let sides = Sides::new(py, (&a, &b), pose_a, pose_b)?;
    let errors = Errors { all: keep_errors, found: Mutex::new(Vec::new()) };
    let watch = Watch::new(None);
    let width: usize = BLOCKS.iter().sum::<usize>() - if curved { 0 } else { 48 };
    let answers = PyByteArray::new_with(py, sides.pairs * width, |bytes| {
        let mut all = blocks(bytes, sides.pairs, curved);
        sides.in_blocks(py, &watch, |begin, count, poses| {
            let mut k = 0;
            let part = all.each_mut().map(|block| {
                let width = if !curved && (5..8).contains(&k) { 0 } else { BLOCKS[k] };
                k += 1;
                block.split_off_mut(..count * width).unwrap_or_default()
            });
            fill(&sides, (first + begin, poses), part, curved, &errors);
        })
    })?;
    watch.end(0.0)?;
    let told = errors.told(py)?;
    Ok((answers, told))
}

fn fill(
    sides: &Sides<'_>,
    (begin, at): (usize, Block<'_>),
    part: [&mut [u8]; 11],
    curved: bool,
    errors: &Errors,
) {
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
        places.with_min_len(CHUNK).enumerate().for_each(|(k, place)| {
            match poses(at, k).and_then(|at| sides.touch(&at)) {
                Ok(touch) => place.fill(&touch),
                Err(error) => {
                    place.refuse();
                    errors.keep(begin + k, error);
                }
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
            let (found, curvature) = match poses(at, k).and_then(|at| sides.contact(&at, bodies)) {
                Ok(contact) => (Some(contact), contact.curvature),
                Err(error) => {
                    errors.keep(begin + k, error);
                    (None, None)
                }
            };
            match found {
                Some(contact) => place.fill(&contact.touch),
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
    pose_a: Poses<'py>,
    pose_b: Poses<'py>,
    keep_errors: bool,
) -> PyResult<(Bytes<'py>, Bytes<'py>, Complaints)> {
    const ROW: usize = 16 * 12 * 8;
    let sides = Sides::new(py, (&a, &b), pose_a, pose_b)?;
    let mut regular = vec![u8::MAX; sides.pairs];
    let errors = Errors { all: keep_errors, found: Mutex::new(Vec::new()) };
    let watch = Watch::new(None);
    let all = PyByteArray::new_with(py, sides.pairs * ROW, |bytes| {
        let (mut bytes, mut regular) = (bytes, &mut regular[..]);
        sides.in_blocks(py, &watch, |begin, count, block| {
            let part = bytes.split_off_mut(..count * ROW).unwrap_or_default();
            let regular = regular.split_off_mut(..count).unwrap_or_default();
            let places = part.par_chunks_exact_mut(ROW).zip(regular).with_min_len(CHUNK).enumerate();
            places.for_each_init(
                || sides.colliders(),
                |bodies, (k, (place, regular))| match poses(block, k)
                    .and_then(|at| sides.derivatives(&at, bodies))
                {
                    Ok(change) => {
                        write(&change, place);
                        *regular = regularity(change.regularity);
                    }
                    Err(error) => {
                        put(place, &[f64::NAN; ROW / 8]);
                        errors.keep(begin + k, error);
                    }
                },
            );
        })
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
