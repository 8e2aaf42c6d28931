//! The memory of NumPy's arrays: poses are read and answers are written where they lie, without copies. Here alone the
//! package has unsafe code of its own.
//!
//! The stable ABI has buffers from Python 3.11 on. Before it, and for one way in all, an array is asked for
//! `__array_interface__`: address, shape, strides and kind. Only what is `numpy.ndarray` itself is asked, whose answer
//! is that of NumPy's own C; a subclass could say anything. The array is held as long as its memory is in use.
//!
//! - **In.** Other threads of Python may write to an array while it is read, as with every function of NumPy that
//!   releases the interpreter's lock. Numbers are read by relaxed atomic loads, of eight bytes at an address that
//!   eight divides, so that such a race gives an old or a new number and nothing worse; on memory that cannot be
//!   written to they are allowed too (`std::sync::atomic`, "Atomic accesses to read-only memory").
//! - **Out.** Answers go into arrays that `numpy.empty` has just made and that nobody else knows.

use crate::errors;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple, PyType};
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicU64, Ordering};

/// What of NumPy is asked for again and again.
struct Numpy {
    ndarray: Py<PyType>,
    empty: Py<PyAny>,
    float64: Py<PyAny>,
}

fn numpy(py: Python<'_>) -> PyResult<&Numpy> {
    static NUMPY: PyOnceLock<Numpy> = PyOnceLock::new();
    NUMPY.get_or_try_init(py, || {
        let module = py.import("numpy")?;
        Ok(Numpy {
            ndarray: module.getattr("ndarray")?.cast_into::<PyType>()?.unbind(),
            empty: module.getattr("empty")?.unbind(),
            float64: module.call_method1("dtype", ("f8",))?.unbind(),
        })
    })
}

/// Whether something is an array of NumPy's, and not of a subclass.
pub fn is_array(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(value.get_type().is(numpy(value.py())?.ndarray.bind(value.py())))
}

/// Whether an array is of doubles in the machine's own order.
pub fn is_of_doubles(array: &Bound<'_, PyAny>) -> PyResult<bool> {
    let (kind, wanted) = (array.getattr(pyo3::intern!(array.py(), "dtype"))?, &numpy(array.py())?.float64);
    // One object in nearly all cases; arrays that were stored bring their own.
    if kind.is(wanted) { Ok(true) } else { kind.eq(wanted) }
}

/// Where an array lies.
struct Place {
    address: usize,
    shape: Vec<usize>,
    /// In bytes.
    strides: Vec<isize>,
    kind: String,
    read_only: bool,
}

impl Place {
    fn of(array: &Bound<'_, PyAny>, field: &str) -> PyResult<Self> {
        let py = array.py();
        let refuse = || errors::argument(py, field, "something else", "an array of NumPy");
        if !is_array(array)? {
            return Err(refuse());
        }
        let told = array.getattr("__array_interface__")?.cast_into::<PyDict>().map_err(PyErr::from)?;
        let item = |key: &str| told.get_item(key)?.ok_or_else(refuse);
        let (address, read_only) = item("data")?.extract()?;
        let (shape, kind): (Vec<usize>, String) = (item("shape")?.extract()?, item("typestr")?.extract()?);
        let width = kind.get(2..).and_then(|width| width.parse().ok()).ok_or_else(refuse)?;
        let strides = match item("strides")? {
            strides if strides.is_none() => contiguous(&shape, width),
            strides => strides.extract()?,
        };
        Ok(Self { address, shape, strides, kind, read_only })
    }
}

/// The strides of rows after one another.
fn contiguous(shape: &[usize], width: isize) -> Vec<isize> {
    let mut strides = vec![width; shape.len()];
    for k in (1..shape.len()).rev() {
        strides[k - 1] = strides[k] * shape[k].max(1) as isize;
    }
    strides
}

/// How NumPy writes a kind of numbers in the machine's own order, such as `<f8`.
fn native(kind: &str) -> String {
    let order = match kind {
        "b1" | "u1" => '|',
        _ if cfg!(target_endian = "little") => '<',
        _ => '>',
    };
    format!("{order}{kind}")
}

/// Rows of `N` doubles in an array of NumPy, whatever its strides: one for all, or one for each.
#[derive(Debug, Clone, Copy)]
pub struct Numbers<'a, const N: usize> {
    address: usize,
    rows: usize,
    strides: [isize; 2],
    array: PhantomData<&'a ()>,
}

impl<'a, const N: usize> Numbers<'a, N> {
    /// Those of an array of doubles with `N` columns, which is held meanwhile.
    pub fn of(array: &'a Bound<'_, PyAny>, field: &str) -> PyResult<Self> {
        let place = Place::of(array, field)?;
        let refuse = |found: String| {
            let expected = format!("rows of {N} aligned doubles");
            Err(errors::argument(array.py(), field, &found, &expected))
        };
        let (&[rows, columns], &[down, along]) = (&place.shape[..], &place.strides[..]) else {
            return refuse(format!("shape {:?}", place.shape));
        };
        if columns != N || place.kind != native("f8") {
            return refuse(format!("{columns} columns of {}", place.kind));
        }
        if rows > 0 && (place.address % 8 != 0 || down % 8 != 0 || along % 8 != 0) {
            return refuse(format!("strides of {down} and {along} bytes"));
        }
        Ok(Self { address: place.address, rows, strides: [down, along], array: PhantomData })
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// The numbers of a row; where there is one for all, of that.
    #[inline]
    pub fn row(&self, k: usize) -> [f64; N] {
        let k = if self.rows == 1 { 0 } else { k };
        assert!(k < self.rows, "row {k} of {}", self.rows);
        let begin = self.address.wrapping_add_signed(k as isize * self.strides[0]);
        std::array::from_fn(|j| {
            let address = begin.wrapping_add_signed(j as isize * self.strides[1]);
            let number = std::ptr::with_exposed_provenance::<AtomicU64>(address);
            // SAFETY: (k, j) is an element of an array that is held, whose address eight divides because the first one's and the
            // strides are multiples of it. It is not written to here, and by others as said above.
            f64::from_bits(unsafe { &*number }.load(Ordering::Relaxed))
        })
    }
}

/// What the elements of answers are: no padding, no references, one of NumPy's kinds of numbers as often as they are
/// wide.
pub trait Element: Copy + Send {
    /// NumPy's name of the kind.
    const KIND: &'static str;
    /// Numbers of each; none where it is one alone.
    const WIDTH: Option<usize> = None;
}

impl Element for f64 {
    const KIND: &'static str = "f8";
}

impl<const N: usize> Element for [f64; N] {
    const KIND: &'static str = "f8";
    const WIDTH: Option<usize> = Some(N);
}

impl Element for u32 {
    const KIND: &'static str = "u4";
}

impl Element for u8 {
    const KIND: &'static str = "u1";
}

impl Element for bool {
    const KIND: &'static str = "b1";
}

/// A new array of NumPy that is written before anybody else knows it.
pub struct Fresh<'py, T> {
    array: Bound<'py, PyAny>,
    address: usize,
    len: usize,
    elements: PhantomData<T>,
}

impl<'py, T: Element> Fresh<'py, T> {
    /// With so many elements.
    pub fn new(py: Python<'py>, len: usize) -> PyResult<Self> {
        let shape: Vec<usize> = [len].into_iter().chain(T::WIDTH).collect();
        let array = numpy(py)?.empty.bind(py).call1((PyTuple::new(py, &shape)?, T::KIND))?;
        let place = Place::of(&array, "answers")?;
        let bytes = (size_of::<T>() / T::WIDTH.unwrap_or(1)) as isize;
        let is_whole = place.shape == shape && place.strides == contiguous(&shape, bytes) && !place.read_only;
        if !is_whole || place.kind != native(T::KIND) || (len > 0 && place.address % align_of::<T>() != 0) {
            return Err(errors::argument(py, "answers", &place.kind, "an array as numpy.empty makes it"));
        }
        Ok(Self { array, address: place.address, len, elements: PhantomData })
    }

    /// The places of its elements.
    pub fn places(&mut self) -> &mut [MaybeUninit<T>] {
        if self.len == 0 {
            return &mut [];
        }
        let first = std::ptr::with_exposed_provenance_mut(self.address);
        // SAFETY: the array is new, as long as it is said and aligned, and only `self` has it.
        unsafe { std::slice::from_raw_parts_mut(first, self.len) }
    }

    /// The array, for Python.
    pub fn into_array(self) -> Bound<'py, PyAny> {
        self.array
    }
}
