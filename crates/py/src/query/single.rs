//! One pair, for loops that ask again and again: what most calls have is read straight away, and whatever else they
//! have, or whatever has no answer, is left to the way of many pairs, which says what is wrong.
//!
//! Numbers are given at once, vectors as the bytes of all of them, of which Python makes arrays when they are asked
//! for.

use super::change::{regularity, row_of};
use super::{branch, colliders, contact_of, pose};
use crate::memory::{is_array, is_of_doubles};
use crate::shape::Shape;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyFloat, PyInt, PyList, PyTuple};
use rattleback_contact::narrow::touch;
use rattleback_contact::{ContactCurvature, Start, Touch, derivatives as derive};
use rattleback_geom::Pose;

/// The pose of an argument: none, a row of doubles, or a list of numbers. No answer where it is something else.
fn pose_of(value: &Bound<'_, PyAny>) -> PyResult<Option<Pose>> {
    if value.is_none() {
        return Ok(Some(Pose::identity()));
    }
    let row = if is_array(value)? { row_of_array(value)? } else { row_of_list(value) };
    Ok(row.and_then(|row| pose(&row, "").ok()))
}

fn row_of_array(array: &Bound<'_, PyAny>) -> PyResult<Option<[f64; 7]>> {
    let py = array.py();
    if !is_of_doubles(array)? || array.getattr(intern!(py, "ndim"))?.extract::<usize>()? != 1 {
        return Ok(None);
    }
    let told = array.call_method0(intern!(py, "tobytes"))?;
    let Ok(bytes) = told.cast::<PyBytes>() else { return Ok(None) };
    let numbers: Option<&[[u8; 8]; 7]> = bytes.as_bytes().as_chunks().0.try_into().ok();
    Ok(numbers.map(|numbers| numbers.map(f64::from_ne_bytes)))
}

fn row_of_list(value: &Bound<'_, PyAny>) -> Option<[f64; 7]> {
    let mut row = [0.0; 7];
    let mut fill = |items: &mut dyn Iterator<Item = Bound<'_, PyAny>>| {
        row.iter_mut().zip(items).all(|(place, item)| {
            let number = if item.is_exact_instance_of::<PyFloat>() || item.is_exact_instance_of::<PyInt>() {
                item.extract::<f64>().ok()
            } else {
                None
            };
            *place = number.unwrap_or(f64::NAN);
            number.is_some()
        })
    };
    let whole = if let Ok(list) = value.cast_exact::<PyList>() {
        list.len() == 7 && fill(&mut list.iter())
    } else if let Ok(tuple) = value.cast_exact::<PyTuple>() {
        tuple.len() == 7 && fill(&mut tuple.iter())
    } else {
        false
    };
    whole.then_some(row)
}

/// Does what takes long without the interpreter's lock; to give it away and take it back costs more than a quick query.
fn answered<T: Send>(py: Python<'_>, [a, b]: [&Shape; 2], ask: impl FnOnce() -> T + Send) -> T {
    if a.is_quick() && b.is_quick() { ask() } else { py.detach(ask) }
}

/// The touch of one pair, with curvatures where they are asked for; None where it must be asked as many pairs are.
#[pyfunction]
pub fn one<'py>(
    py: Python<'py>,
    a: &Bound<'py, Shape>,
    b: &Bound<'py, Shape>,
    pose_a: &Bound<'py, PyAny>,
    pose_b: &Bound<'py, PyAny>,
    curved: bool,
) -> PyResult<Option<Bound<'py, PyDict>>> {
    let (Some(pose_a), Some(pose_b)) = (pose_of(pose_a)?, pose_of(pose_b)?) else { return Ok(None) };
    let shapes = [a.get(), b.get()];
    let solids = shapes.map(|shape| &shape.solid);
    let found = answered(py, shapes, || match curved {
        false => touch(solids[0], &pose_a, solids[1], &pose_b, Start::Cold).map(|touch| (touch, None)),
        true => {
            contact_of(&mut colliders(solids), [pose_a, pose_b]).map(|found| (found.touch, found.curvature))
        }
    });
    match found {
        Ok((touch, curvature)) if curvature.is_some() == curved => dict_of(py, &touch, curvature).map(Some),
        _ => Ok(None),
    }
}

fn dict_of<'py>(
    py: Python<'py>,
    touch: &Touch,
    curvature: Option<ContactCurvature>,
) -> PyResult<Bound<'py, PyDict>> {
    let mut vectors = [0.0; 15];
    let kappas = curvature.map_or([[0.0; 2]; 3], |c| [c.a.kappa, c.b.kappa, c.relative.kappa]);
    let points = [&touch.normal, &touch.point_a, &touch.point_b].into_iter().flatten();
    for (place, value) in vectors.iter_mut().zip(points.chain(kappas.iter().flatten())) {
        *place = *value;
    }
    let vectors = &vectors[..if curvature.is_some() { 15 } else { 9 }];
    let dict = PyDict::new(py);
    dict.set_item(intern!(py, "gap"), touch.gap)?;
    dict.set_item(intern!(py, "residual"), touch.residual)?;
    dict.set_item(intern!(py, "iterations"), touch.iterations)?;
    dict.set_item(intern!(py, "certified"), touch.certified)?;
    dict.set_item(intern!(py, "_branches"), branch(touch))?;
    dict.set_item(intern!(py, "_vectors"), bytes_of(py, vectors))?;
    dict.set_item(intern!(py, "errors"), py.None())?;
    Ok(dict)
}

fn bytes_of<'py>(py: Python<'py>, numbers: &[f64]) -> Bound<'py, PyByteArray> {
    let mut bytes = [0; 8 * super::change::CHANGE];
    for (place, number) in bytes.as_chunks_mut().0.iter_mut().zip(numbers) {
        *place = number.to_ne_bytes();
    }
    PyByteArray::new(py, &bytes[..8 * numbers.len()])
}

/// The derivatives of one pair and what of them is differentiable; None where they must be asked as those of many
/// pairs.
#[pyfunction]
pub fn one_change<'py>(
    py: Python<'py>,
    a: &Bound<'py, Shape>,
    b: &Bound<'py, Shape>,
    pose_a: &Bound<'py, PyAny>,
    pose_b: &Bound<'py, PyAny>,
) -> PyResult<Option<(Bound<'py, PyByteArray>, u8)>> {
    let (Some(pose_a), Some(pose_b)) = (pose_of(pose_a)?, pose_of(pose_b)?) else { return Ok(None) };
    let shapes = [a.get(), b.get()];
    let found = answered(py, shapes, || {
        let mut bodies = colliders(shapes.map(|shape| &shape.solid));
        let found = contact_of(&mut bodies, [pose_a, pose_b])?;
        derive(&bodies[0], &bodies[1], &found)
    });
    Ok(found.ok().map(|change| (bytes_of(py, &row_of(&change)), regularity(change.regularity))))
}
