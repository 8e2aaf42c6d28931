//! Arrays as NumPy reads them: bytes in the machine's own order, written once into memory that Python owns.
//!
//! NumPy takes a `bytearray` for an array without a copy, and it can be written to. This way needs no other part of
//! NumPy than its `frombuffer`, works with the stable ABI from 3.10 on, and has no unsafe code.

use crate::errors;
use pyo3::prelude::*;
use pyo3::types::PyByteArray;

/// Rows of doubles, by their bytes.
pub type Rows<'b, const BYTES: usize> = &'b [[u8; BYTES]];

/// Doubles.
pub fn floats<'py>(py: Python<'py>, values: &[f64]) -> PyResult<Bound<'py, PyByteArray>> {
    PyByteArray::new_with(py, 8 * values.len(), |bytes| {
        for (place, value) in bytes.chunks_exact_mut(8).zip(values) {
            place.copy_from_slice(&value.to_ne_bytes());
        }
        Ok(())
    })
}

/// Integers of 64 bits.
pub fn integers<'py>(py: Python<'py>, values: &[i64]) -> PyResult<Bound<'py, PyByteArray>> {
    PyByteArray::new_with(py, 8 * values.len(), |bytes| {
        for (place, value) in bytes.chunks_exact_mut(8).zip(values) {
            place.copy_from_slice(&value.to_ne_bytes());
        }
        Ok(())
    })
}

/// Bytes as rows.
pub fn rows<'b, const BYTES: usize>(
    py: Python<'_>,
    bytes: &'b [u8],
    field: &str,
) -> PyResult<Rows<'b, BYTES>> {
    match bytes.as_chunks() {
        (rows, []) => Ok(rows),
        _ => {
            let expected = format!("rows of {} doubles", BYTES / 8);
            Err(errors::argument(py, field, &format!("{} bytes", bytes.len()), &expected))
        }
    }
}

/// The numbers of a row, of which there is one for all or one for each.
pub fn row<const BYTES: usize, const N: usize>(rows: Rows<'_, BYTES>, k: usize) -> [f64; N] {
    let (numbers, _) = rows[if rows.len() == 1 { 0 } else { k }].as_chunks();
    std::array::from_fn(|k| f64::from_ne_bytes(numbers[k]))
}
