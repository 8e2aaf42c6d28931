//! The contacts of many pairs, each number in an array of its own.

use super::{Complaints, Errors, Pairs, branch};
use crate::memory::Fresh;
use crate::shape::Shape;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rattleback_contact::Touch;
use rattleback_geom::Vec3;
use std::mem::MaybeUninit;

/// Places that are filled once.
type Places<'p, T> = &'p mut [MaybeUninit<T>];

/// The arrays of all pairs.
struct Answers<'py> {
    gap: Fresh<'py, f64>,
    normal: Fresh<'py, [f64; 3]>,
    point_a: Fresh<'py, [f64; 3]>,
    point_b: Fresh<'py, [f64; 3]>,
    residual: Fresh<'py, f64>,
    iterations: Fresh<'py, u32>,
    certified: Fresh<'py, bool>,
    branch: Fresh<'py, u8>,
    /// Of A, of B, of both; none where they are not asked for.
    curvature: Option<[Fresh<'py, [f64; 2]>; 3]>,
}

impl<'py> Answers<'py> {
    fn new(py: Python<'py>, pairs: usize, curved: bool) -> PyResult<Self> {
        let three =
            || Ok::<_, PyErr>([Fresh::new(py, pairs)?, Fresh::new(py, pairs)?, Fresh::new(py, pairs)?]);
        let [normal, point_a, point_b] =
            [Fresh::new(py, pairs)?, Fresh::new(py, pairs)?, Fresh::new(py, pairs)?];
        Ok(Self {
            gap: Fresh::new(py, pairs)?,
            normal,
            point_a,
            point_b,
            residual: Fresh::new(py, pairs)?,
            iterations: Fresh::new(py, pairs)?,
            certified: Fresh::new(py, pairs)?,
            branch: Fresh::new(py, pairs)?,
            curvature: if curved { Some(three()?) } else { None },
        })
    }

    /// All pairs, so many to a part.
    fn parts(&mut self, pairs: usize, chunk: usize) -> Vec<Part<'_>> {
        let mut rest = Part {
            first: 0,
            count: pairs,
            gap: self.gap.places(),
            normal: self.normal.places(),
            point_a: self.point_a.places(),
            point_b: self.point_b.places(),
            residual: self.residual.places(),
            iterations: self.iterations.places(),
            certified: self.certified.places(),
            branch: self.branch.places(),
            curvature: self.curvature.as_mut().map(|all| all.each_mut().map(Fresh::places)),
        };
        let mut parts = Vec::with_capacity(pairs.div_ceil(chunk));
        while rest.count > 0 {
            parts.push(rest.split_off(chunk.min(rest.count)));
        }
        parts
    }

    /// By their names in Python, where the words of branches are made of their numbers.
    fn into_dict(self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        dict.set_item("gap", self.gap.into_array())?;
        dict.set_item("normal", self.normal.into_array())?;
        dict.set_item("point_a", self.point_a.into_array())?;
        dict.set_item("point_b", self.point_b.into_array())?;
        dict.set_item("residual", self.residual.into_array())?;
        dict.set_item("iterations", self.iterations.into_array())?;
        dict.set_item("certified", self.certified.into_array())?;
        dict.set_item("_branches", self.branch.into_array())?;
        if let Some([a, b, both]) = self.curvature {
            dict.set_item("curvature_a", a.into_array())?;
            dict.set_item("curvature_b", b.into_array())?;
            dict.set_item("relative_curvature", both.into_array())?;
        }
        Ok(dict)
    }
}

/// The places of some pairs.
struct Part<'p> {
    first: usize,
    count: usize,
    gap: Places<'p, f64>,
    normal: Places<'p, [f64; 3]>,
    point_a: Places<'p, [f64; 3]>,
    point_b: Places<'p, [f64; 3]>,
    residual: Places<'p, f64>,
    iterations: Places<'p, u32>,
    certified: Places<'p, bool>,
    branch: Places<'p, u8>,
    curvature: Option<[Places<'p, [f64; 2]>; 3]>,
}

impl<'p> Part<'p> {
    /// The first so many pairs; the others are left.
    fn split_off(&mut self, count: usize) -> Self {
        fn first<'p, T>(places: &mut Places<'p, T>, count: usize) -> Places<'p, T> {
            places.split_off_mut(..count).unwrap_or_default()
        }
        let part = Self {
            first: self.first,
            count,
            gap: first(&mut self.gap, count),
            normal: first(&mut self.normal, count),
            point_a: first(&mut self.point_a, count),
            point_b: first(&mut self.point_b, count),
            residual: first(&mut self.residual, count),
            iterations: first(&mut self.iterations, count),
            certified: first(&mut self.certified, count),
            branch: first(&mut self.branch, count),
            curvature: self.curvature.as_mut().map(|all| all.each_mut().map(|places| first(places, count))),
        };
        self.first += count;
        self.count -= count;
        part
    }

    #[inline]
    fn fill(&mut self, k: usize, touch: &Touch) {
        self.gap[k].write(touch.gap);
        self.normal[k].write(touch.normal.into());
        self.point_a[k].write(touch.point_a.into());
        self.point_b[k].write(touch.point_b.into());
        self.residual[k].write(touch.residual);
        self.iterations[k].write(touch.iterations);
        self.certified[k].write(touch.certified);
        self.branch[k].write(branch(touch));
    }

    fn fill_curvatures(&mut self, k: usize, kappas: [[f64; 2]; 3]) {
        if let Some(all) = &mut self.curvature {
            for (places, kappa) in all.iter_mut().zip(kappas) {
                places[k].write(kappa);
            }
        }
    }

    /// What a pair without answer has: no numbers.
    fn refuse(&mut self, k: usize) {
        let nothing = Vec3::repeat(f64::NAN).into();
        self.gap[k].write(f64::NAN);
        self.normal[k].write(nothing);
        self.point_a[k].write(nothing);
        self.point_b[k].write(nothing);
        self.residual[k].write(f64::NAN);
        self.iterations[k].write(0);
        self.certified[k].write(false);
        self.branch[k].write(0);
        self.fill_curvatures(k, [[f64::NAN; 2]; 3]);
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
        pairs.share(
            py,
            parts,
            || pairs.colliders(),
            |bodies, mut part| {
                for k in 0..part.count {
                    match pairs.contact(part.first + k, bodies) {
                        Ok(contact) => {
                            part.fill(k, &contact.touch);
                            let kappas = contact.curvature.map(|c| [c.a.kappa, c.b.kappa, c.relative.kappa]);
                            part.fill_curvatures(k, kappas.unwrap_or([[f64::NAN; 2]; 3]));
                        }
                        Err(error) => {
                            part.refuse(k);
                            errors.keep(part.first + k, error);
                        }
                    }
                }
            },
        )?;
    } else {
        pairs.share(
            py,
            parts,
            || (),
            |(), mut part| {
                for k in 0..part.count {
                    match pairs.touch(part.first + k) {
                        Ok(touch) => part.fill(k, &touch),
                        Err(error) => {
                            part.refuse(k);
                            errors.keep(part.first + k, error);
                        }
                    }
                }
            },
        )?;
    }
    let told = errors.told(py)?;
    Ok((answers.into_dict(py)?, told))
}
