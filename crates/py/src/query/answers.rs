//! The contacts of many pairs, each number in an array of its own.

use super::{Complaints, Errors, Pairs, branch};
use crate::memory::Fresh;
use crate::shape::Shape;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rattleback_contact::{ContactCurvature, ContactError, Touch};
use std::mem::MaybeUninit;

/// Places that are filled once.
type Places<'p, T> = &'p mut [MaybeUninit<T>];

/// What every pair has: a column's name, its elements, its name in Python, what of a touch it is, and what a pair
/// without answer has instead.
macro_rules! columns {
    (|$touch:ident| $($name:ident: $element:ty, $python:literal, $value:expr, $nothing:expr;)*) => {
        /// The arrays of all pairs.
        struct Answers<'py> {
            $($name: Fresh<'py, $element>,)*
            /// Of A, of B, of both; none where they are not asked for.
            curvature: Option<[Fresh<'py, [f64; 2]>; 3]>,
        }

        impl<'py> Answers<'py> {
            fn new(py: Python<'py>, pairs: usize, curved: bool) -> PyResult<Self> {
                let three = || Ok::<_, PyErr>([Fresh::new(py, pairs)?, Fresh::new(py, pairs)?, Fresh::new(py, pairs)?]);
                let curvature = if curved { Some(three()?) } else { None };
                Ok(Self { $($name: Fresh::new(py, pairs)?,)* curvature })
            }

            /// The places of all pairs.
            fn places(&mut self, count: usize) -> Part<'_> {
                let curvature = self.curvature.as_mut().map(|all| all.each_mut().map(Fresh::places));
                Part { first: 0, count, $($name: self.$name.places(),)* curvature }
            }

            /// By their names in Python, where the words of branches are made of their numbers.
            fn into_dict(self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
                let dict = PyDict::new(py);
                $(dict.set_item($python, self.$name.into_array())?;)*
                for (name, column) in CURVATURES.into_iter().zip(self.curvature.into_iter().flatten()) {
                    dict.set_item(name, column.into_array())?;
                }
                Ok(dict)
            }
        }

        /// The places of some pairs.
        struct Part<'p> {
            first: usize,
            count: usize,
            $($name: Places<'p, $element>,)*
            curvature: Option<[Places<'p, [f64; 2]>; 3]>,
        }

        impl Part<'_> {
            /// The first so many pairs; the others are left.
            fn split_off(&mut self, count: usize) -> Self {
                fn first<'p, T>(places: &mut Places<'p, T>, count: usize) -> Places<'p, T> {
                    places.split_off_mut(..count).unwrap_or_default()
                }
                let curvature = self.curvature.as_mut().map(|all| all.each_mut().map(|places| first(places, count)));
                let part = Self { first: self.first, count, $($name: first(&mut self.$name, count),)* curvature };
                self.first += count;
                self.count -= count;
                part
            }

            #[inline]
            fn fill(&mut self, k: usize, $touch: &Touch) {
                $(self.$name[k].write($value);)*
            }

            /// What a pair without answer has: no numbers.
            fn refuse(&mut self, k: usize) {
                $(self.$name[k].write($nothing);)*
                self.fill_curvatures(k, None);
            }
        }
    };
}

columns! { |touch|
    gap: f64, "gap", touch.gap, f64::NAN;
    normal: [f64; 3], "normal", touch.normal.into(), [f64::NAN; 3];
    point_a: [f64; 3], "point_a", touch.point_a.into(), [f64::NAN; 3];
    point_b: [f64; 3], "point_b", touch.point_b.into(), [f64::NAN; 3];
    residual: f64, "residual", touch.residual, f64::NAN;
    iterations: u32, "iterations", touch.iterations, 0;
    certified: bool, "certified", touch.certified, false;
    branch: u8, "_branches", branch(touch), 0;
}

/// The names of the curvatures in Python.
const CURVATURES: [&str; 3] = ["curvature_a", "curvature_b", "relative_curvature"];

impl Answers<'_> {
    /// All pairs, so many to a part.
    fn parts(&mut self, pairs: usize, chunk: usize) -> Vec<Part<'_>> {
        let mut rest = self.places(pairs);
        let mut parts = Vec::with_capacity(pairs.div_ceil(chunk));
        while rest.count > 0 {
            parts.push(rest.split_off(chunk.min(rest.count)));
        }
        parts
    }
}

impl Part<'_> {
    /// Nothing where none are asked for, no numbers where a pair has none.
    fn fill_curvatures(&mut self, k: usize, found: Option<ContactCurvature>) {
        if let Some(all) = &mut self.curvature {
            let kappas = found.map_or([[f64::NAN; 2]; 3], |c| [c.a.kappa, c.b.kappa, c.relative.kappa]);
            for (places, kappa) in all.iter_mut().zip(kappas) {
                places[k].write(kappa);
            }
        }
    }

    /// Fills its pairs, each by a function of the part and the pair's number in it.
    #[inline]
    fn answer(&mut self, errors: &Errors, mut ask: impl FnMut(&mut Self, usize) -> Result<(), ContactError>) {
        for k in 0..self.count {
            if let Err(error) = ask(self, k) {
                self.refuse(k);
                errors.keep(self.first + k, error);
            }
        }
    }
}

/// The touches of pairs, with curvatures where they are asked for.
#[pyfunction]
pub fn contacts<'py>(
    py: Python<'py>,
    a: &Bound<'py, Shape>,
    b: &Bound<'py, Shape>,
    pose_a: &Bound<'py, PyAny>,
    pose_b: &Bound<'py, PyAny>,
    curved: bool,
    keep_errors: bool,
) -> PyResult<(Bound<'py, PyDict>, Complaints)> {
    let pairs = Pairs::new((a.get(), b.get()), (pose_a, pose_b))?;
    let mut answers = Answers::new(py, pairs.count, curved)?;
    let errors = Errors::new(keep_errors);
    let parts = answers.parts(pairs.count, pairs.chunk());
    if curved {
        let act = |bodies: &mut _, mut part: Part<'_>| {
            part.answer(&errors, |part, k| {
                let found = pairs.contact(part.first + k, bodies)?;
                part.fill(k, &found.touch);
                part.fill_curvatures(k, found.curvature);
                Ok(())
            });
        };
        pairs.share(py, parts, || pairs.colliders(), act)?;
    } else {
        let act = |(): &mut (), mut part: Part<'_>| {
            part.answer(&errors, |part, k| {
                part.fill(k, &pairs.touch(part.first + k)?);
                Ok(())
            });
        };
        pairs.share(py, parts, || (), act)?;
    }
    let told = errors.told(py)?;
    Ok((answers.into_dict(py)?, told))
}
