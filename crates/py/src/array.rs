//! Arrays as NumPy reads them: bytes in the machine's own order, written once into memory that Python owns.
//!
//! NumPy takes a `bytearray` for an array without a copy, and it can be written to. This way needs no other part of
//! NumPy than its `frombuffer`, works with the stable ABI from 3.10 on, and has no unsafe code.

use pyo3::prelude::*;
use pyo3::types::PyByteArray;

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

/// The doubles of bytes in the machine's own order.
pub fn floats_of(bytes: &[u8]) -> Vec<f64> {
    bytes.as_chunks().0.iter().map(|eight| f64::from_ne_bytes(*eight)).collect()
}

/// The integers of 64 bits of bytes.
pub fn integers_of(bytes: &[u8]) -> Vec<i64> {
    bytes.as_chunks().0.iter().map(|eight| i64::from_ne_bytes(*eight)).collect()
}
