//! How the contacts of many pairs change with both poses.

use super::{Complaints, Errors, Pairs};
use crate::memory::Fresh;
use crate::shape::Shape;
use pyo3::prelude::*;
use rattleback_contact::{Derivatives, Regularity};

/// Numbers per pair: the rows of gap (1), normal (3), point_a (3), point_b (3), curvature_a (2), curvature_b (2),
/// relative_curvature (2), each by twelve: translation and rotation of A, of B.
pub const CHANGE: usize = 16 * 12;

/// How contacts change with both poses, [`CHANGE`] numbers each; and what of them is differentiable.
#[pyfunction]
pub fn derivatives<'py>(
    py: Python<'py>,
    a: &Bound<'py, Shape>,
    b: &Bound<'py, Shape>,
    pose_a: &Bound<'py, PyAny>,
    pose_b: &Bound<'py, PyAny>,
    keep_errors: bool,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>, Complaints)> {
    let pairs = Pairs::new((a.get(), b.get()), (pose_a, pose_b))?;
    let mut rows = Fresh::<[f64; CHANGE]>::new(py, pairs.count)?;
    let mut regular = Fresh::<u8>::new(py, pairs.count)?;
    let errors = Errors::new(keep_errors);
    let chunk = pairs.chunk();
    let parts = rows.places().chunks_mut(chunk).zip(regular.places().chunks_mut(chunk)).enumerate();
    pairs.share(
        py,
        parts.collect(),
        || pairs.colliders(),
        |bodies, (part, (rows, regular))| {
            for (k, (row, regular)) in rows.iter_mut().zip(regular).enumerate() {
                let k = part * chunk + k;
                match pairs.derivatives(k, bodies) {
                    Ok(change) => {
                        row.write(row_of(&change));
                        regular.write(regularity(change.regularity));
                    }
                    Err(error) => {
                        row.write([f64::NAN; CHANGE]);
                        regular.write(u8::MAX);
                        errors.keep(k, error);
                    }
                }
            }
        },
    )?;
    let told = errors.told(py)?;
    Ok((rows.into_array(), regular.into_array(), told))
}

/// The place of a word in the list that Python has.
pub fn regularity(found: Regularity) -> u8 {
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
pub fn row_of(change: &Derivatives) -> [f64; CHANGE] {
    let mut all = [0.0; CHANGE];
    let mut rows = all.chunks_exact_mut(12);
    let mut put = |value: &dyn Fn(usize) -> f64| {
        for (k, place) in rows.next().into_iter().flatten().enumerate() {
            *place = value(k);
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
    all
}
