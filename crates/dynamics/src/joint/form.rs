//! What joints are made of: vectors that are linear in the coordinates, and functions that are quadratic in them.
//!
//! In natural coordinates q = (r, e₁, e₂, e₃ per body) a point p = r + Σ sᵢ eᵢ and a direction u = Σ uᵢ eᵢ of a body
//! are linear in q. Coincidence of points, dot products of directions, of a direction with the vector between two
//! points, and squared distances are then quadratic with a constant second derivative:
//!
//!   Φ = c + bᵀq + ½ qᵀHq,   Φ_q = b + Hq,   Φ̇_q q̇ = q̇ᵀH q̇.
//!
//! | symbol | here |
//! |---|---|
//! | c, b, H | `constant`, `linear`, `second` (both triangles), over the coordinates `columns` |
//!
//! Source: J. García de Jalón, E. Bayo, Kinematic and Dynamic Simulation of Multibody Systems, Springer 1994, chapters
//! 2 and 4 (natural coordinates and their mass matrix).

use rattleback_geom::Vec3;
use std::collections::BTreeMap;

/// A vector that is linear in the coordinates: Σ c q[at..at + 3].
#[derive(Debug, Clone)]
pub(crate) struct Form(Vec<(usize, f64)>);

impl Form {
    /// The point `s` of the body whose coordinates start at `at`.
    pub(crate) fn point(at: usize, s: &Vec3) -> Self {
        let mut form = Self::direction(at, s);
        form.0.push((at, 1.0));
        form
    }

    /// The direction `u` of the body whose coordinates start at `at`.
    pub(crate) fn direction(at: usize, u: &Vec3) -> Self {
        Self((0..3).filter(|&i| u[i] != 0.0).map(|i| (at + 3 * (i + 1), u[i])).collect())
    }

    /// The vector from another one's tip to this one's.
    pub(crate) fn minus(&self, other: &Self) -> Self {
        Self(self.0.iter().copied().chain(other.0.iter().map(|&(at, c)| (at, -c))).collect())
    }
}

/// A function that is quadratic in the coordinates.
#[derive(Debug, Clone)]
pub(crate) struct Quadratic {
    columns: Vec<usize>,
    constant: f64,
    linear: Vec<f64>,
    second: Vec<(usize, usize, f64)>,
}

impl Quadratic {
    fn new(constant: f64, linear: &BTreeMap<usize, f64>, second: &BTreeMap<(usize, usize), f64>) -> Self {
        let mut columns: Vec<usize> =
            linear.keys().copied().chain(second.keys().flat_map(|&(i, j)| [i, j])).collect();
        columns.sort_unstable();
        columns.dedup();
        let place = |c: usize| columns.partition_point(|&x| x < c);
        let second = second.iter().map(|(&(i, j), &h)| (place(i), place(j), h)).collect();
        let linear = columns.iter().map(|c| linear.get(c).copied().unwrap_or(0.0)).collect();
        Self { columns, constant, linear, second }
    }

    /// Component `k` of a vector.
    pub(crate) fn component(u: &Form, k: usize) -> Self {
        let mut linear = BTreeMap::new();
        for &(at, c) in &u.0 {
            *linear.entry(at + k).or_insert(0.0) += c;
        }
        Self::new(0.0, &linear, &BTreeMap::new())
    }

    /// u·v + `constant`.
    pub(crate) fn dot(u: &Form, v: &Form, constant: f64) -> Self {
        let mut second = BTreeMap::new();
        for k in 0..3 {
            for &(a, x) in &u.0 {
                for &(b, y) in &v.0 {
                    *second.entry((a + k, b + k)).or_insert(0.0) += x * y;
                    *second.entry((b + k, a + k)).or_insert(0.0) += x * y;
                }
            }
        }
        Self::new(constant, &BTreeMap::new(), &second)
    }

    /// Σ c q + `constant` over single coordinates.
    pub(crate) fn linear(terms: &[(usize, f64)], constant: f64) -> Self {
        Self::new(constant, &terms.iter().copied().collect(), &BTreeMap::new())
    }

    /// The same function times a factor.
    pub(crate) fn scaled(mut self, factor: f64) -> Self {
        self.constant *= factor;
        self.linear.iter_mut().for_each(|b| *b *= factor);
        self.second.iter_mut().for_each(|h| h.2 *= factor);
        self
    }

    /// The same function plus c q over one coordinate that it does not have yet.
    pub(crate) fn plus(mut self, column: usize, c: f64) -> Self {
        self.columns.push(column);
        self.linear.push(c);
        self
    }

    /// The same functions over the union of their columns.
    pub(crate) fn aligned<const N: usize>(functions: [Self; N]) -> [Self; N] {
        let mut columns: Vec<usize> = functions.iter().flat_map(|f| f.columns.iter().copied()).collect();
        columns.sort_unstable();
        columns.dedup();
        functions.map(|f| {
            let place = |local: usize| columns.partition_point(|&x| x < f.columns[local]);
            let mut linear = vec![0.0; columns.len()];
            for (local, b) in f.linear.iter().enumerate() {
                linear[place(local)] += b;
            }
            let second = f.second.iter().map(|&(i, j, h)| (place(i), place(j), h)).collect();
            Self { columns: columns.clone(), constant: f.constant, linear, second }
        })
    }

    /// The coordinates on which it depends.
    pub(crate) fn columns(&self) -> &[usize] {
        &self.columns
    }

    /// H over places in the list of columns.
    pub(crate) fn second(&self) -> &[(usize, usize, f64)] {
        &self.second
    }

    /// Φ.
    pub(crate) fn value(&self, q: &[f64]) -> f64 {
        let linear: f64 = self.columns.iter().zip(&self.linear).map(|(&c, b)| b * q[c]).sum();
        let second: f64 =
            self.second.iter().map(|&(i, j, h)| h * q[self.columns[i]] * q[self.columns[j]]).sum();
        self.constant + linear + 0.5 * second
    }

    /// Adds `factor` Φ_q.
    pub(crate) fn add_gradient(&self, q: &[f64], factor: f64, out: &mut [f64]) {
        for (o, b) in out.iter_mut().zip(&self.linear) {
            *o += factor * b;
        }
        for &(i, j, h) in &self.second {
            out[i] += factor * h * q[self.columns[j]];
        }
    }
}
