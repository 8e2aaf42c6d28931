//! Where the entries of the mechanism's matrix lie among its values. The pattern holds the mass matrix, the product
//! ΦqᵀΦq (which contains that of every Φ_qq), the relative coordinates' diagonal, and a full block for each pair of
//! bodies that a load couples. It depends on the present loads alone, not on earlier ones, so that a run that goes on
//! from a stored state repeats every bit.

use super::matrix::Matrix;
use super::natural::BODY;
use super::system::System;
use crate::error::Result;

/// An entry of a row that belongs to a fixed body.
const NOWHERE: usize = usize::MAX;

/// Two bodies, by where their coordinates start, that a load couples.
pub(super) type Couple = (usize, usize);

/// The places of all contributions.
#[derive(Debug, Clone)]
pub(super) struct Scatter {
    mass: Vec<(usize, f64)>,
    /// For row k with c columns the c² places of ΦqᵀΦq start at `starts[k]`.
    rows: Vec<usize>,
    starts: Vec<usize>,
    relatives: Vec<usize>,
    couples: Vec<Couple>,
    blocks: Vec<[usize; BODY]>,
}

impl Scatter {
    /// Pattern and places for the couples given, which are sorted.
    pub(super) fn new(system: &System, couples: &[Couple]) -> Result<(Self, Matrix)> {
        let active = system.active;
        let mut places: Vec<(usize, usize)> = system.mass.iter().map(|&(r, c, _)| (c, r)).collect();
        for row in &system.rows {
            let columns = row.columns();
            for &i in columns.iter().filter(|&&c| c < active) {
                places.extend(columns.iter().filter(|&&c| c < active).map(|&j| (i, j)));
            }
        }
        let bodies = BODY * system.free.len();
        places.extend((bodies..active).map(|c| (c, c)));
        for &(a, b) in couples {
            places.extend((0..BODY * BODY).map(|k| (b + k / BODY, a + k % BODY)));
        }
        let matrix = Matrix::new(active, &mut places)?;
        let mut scatter = Self {
            mass: system.mass.iter().map(|&(r, c, m)| (matrix.position(r, c), m)).collect(),
            rows: Vec::new(),
            starts: Vec::new(),
            relatives: (bodies..active).map(|c| matrix.position(c, c)).collect(),
            couples: couples.to_vec(),
            blocks: Vec::new(),
        };
        for row in &system.rows {
            scatter.starts.push(scatter.rows.len());
            for &i in row.columns() {
                let place = |&j: &usize| {
                    if i < active && j < active { matrix.position(i, j) } else { NOWHERE }
                };
                scatter.rows.extend(row.columns().iter().map(place));
            }
        }
        for &(a, b) in couples {
            scatter.blocks.push(std::array::from_fn(|k| matrix.position(a, b + k)));
        }
        Ok((scatter, matrix))
    }

    /// The couples of the pattern.
    pub(super) fn couples(&self) -> &[Couple] {
        &self.couples
    }

    /// Adds the mass matrix.
    pub(super) fn add_mass(&self, values: &mut [f64]) {
        for &(place, m) in &self.mass {
            values[place] += m;
        }
    }

    /// Adds `factor` g gᵀ for the row `k` with gradient g.
    pub(super) fn add_product(&self, k: usize, factor: f64, g: &[f64], values: &mut [f64]) {
        let places = &self.rows[self.starts[k]..][..g.len() * g.len()];
        for (i, chunk) in places.chunks_exact(g.len()).enumerate() {
            for (j, &place) in chunk.iter().enumerate() {
                if place != NOWHERE {
                    values[place] += factor * g[i] * g[j];
                }
            }
        }
    }

    /// Adds to the entry of the row `k` at places i, j of its columns, of which it has `columns`.
    pub(super) fn add_entry(&self, k: usize, [i, j]: [usize; 2], columns: usize, x: f64, values: &mut [f64]) {
        let place = self.rows[self.starts[k] + i * columns + j];
        if place != NOWHERE {
            values[place] += x;
        }
    }

    /// Adds to the diagonal of a relative coordinate.
    pub(super) fn add_relative(&self, relative: usize, x: f64, values: &mut [f64]) {
        values[self.relatives[relative]] += x;
    }

    /// Adds a block of a couple of the pattern, entry (r, c) being `entry(r, c)`.
    pub(super) fn add_block(&self, couple: Couple, entry: impl Fn(usize, usize) -> f64, values: &mut [f64]) {
        let Ok(number) = self.couples.binary_search(&couple) else { return };
        for (c, &start) in self.blocks[number].iter().enumerate() {
            for r in 0..BODY {
                values[start + r] += entry(r, c);
            }
        }
    }
}
