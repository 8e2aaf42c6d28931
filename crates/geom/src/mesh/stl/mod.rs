//! STL files, binary and ASCII.
//!
//! Binary: 80 bytes of header, the number of triangles n as u32, then 50 bytes each (normal and three corners as
//! f32, two bytes of attributes), all little-endian: 84 + 50 n bytes. A file of exactly that length is binary even if
//! its header begins with "solid"; no text collides with it, since four bytes of text as n ask for gigabytes.
//! ASCII: `solid`, facets, `endsolid`, any number of times; keywords in any case.
//!
//! Corners are welded where their coordinates are equal, 0 and −0 being the same. Normals in the file are not used:
//! the order of the corners says which side is out.

use super::words::Words;
use super::{Facets, TriMesh};
use crate::Vec3;
use crate::error::{GeomError, Result};
use std::collections::HashMap;
use std::io::{Error, ErrorKind, Write};

const HEADER: usize = 84;
const RECORD: usize = 50;

/// Reads a mesh from the bytes of a file of either sort.
pub fn read(bytes: &[u8]) -> Result<TriMesh> {
    read_facets(bytes)?.into_mesh()
}

/// Reads what a file of either sort holds, whether a mesh can be made of it or not.
pub fn read_facets(bytes: &[u8]) -> Result<Facets> {
    let size = bytes.get(80..HEADER).map(|b| HEADER as u64 + RECORD as u64 * u64::from(number(b)));
    if size == Some(bytes.len() as u64) {
        return read_binary(bytes);
    }
    if is_text(bytes) { read_ascii(&String::from_utf8_lossy(bytes)) } else { read_binary(bytes) }
}

/// Whether a file begins with the word "solid" and holds no byte that text does not.
fn is_text(bytes: &[u8]) -> bool {
    let start = bytes.iter().position(|b| !b.is_ascii_whitespace()).unwrap_or(0);
    let word = bytes[start..].get(..5).is_some_and(|w| w.eq_ignore_ascii_case(b"solid"));
    word && !bytes.contains(&0)
}

fn number(b: &[u8]) -> u32 {
    b.iter().rev().fold(0, |n, byte| n << 8 | u32::from(*byte))
}

fn read_binary(bytes: &[u8]) -> Result<Facets> {
    let parse = |line, found, expected| Err(GeomError::Parse { line, found, expected });
    if bytes.len() < HEADER {
        let expected = "a binary STL header of 84 bytes, or the word solid".to_owned();
        return parse(1, format!("the end of the file after {} bytes", bytes.len()), expected);
    }
    let (count, body) = (number(&bytes[80..HEADER]) as usize, &bytes[HEADER..]);
    let whole = body.len() / RECORD;
    if whole < count {
        let found = format!("the end of the file at byte {}", bytes.len());
        return parse(whole + 1, found, format!("{count} triangles of 50 bytes, as the header announces"));
    }
    if body.len() != count * RECORD {
        let found = format!("{} more bytes after triangle {count}", body.len() - count * RECORD);
        return parse(count + 1, found, "the end of the file".to_owned());
    }
    let mut weld = Weld::with_capacity(count);
    for (i, record) in body.chunks_exact(RECORD).enumerate() {
        for corner in record[12..48].chunks_exact(12) {
            let value = |k: usize| f64::from(f32::from_bits(number(&corner[4 * k..4 * k + 4])));
            let p = Vec3::new(value(0), value(1), value(2));
            if !p.iter().all(|x| x.is_finite()) {
                let found = format!("the corner ({}, {}, {})", p.x, p.y, p.z);
                return parse(i + 1, found, "finite coordinates".to_owned());
            }
            weld.push(p);
        }
    }
    Ok(weld.finish())
}

fn read_ascii(text: &str) -> Result<Facets> {
    let mut words = Words::new(text, 1);
    let mut weld = Weld::with_capacity(0);
    while words.peek().is_some() {
        words.expect("solid")?;
        words.skip_line();
        loop {
            if words.peek().is_some_and(|w| w.eq_ignore_ascii_case("endsolid")) {
                words.expect("endsolid")?;
                words.skip_line();
                break;
            }
            words.expect("facet")?;
            words.expect("normal")?;
            for _ in 0..3 {
                words.number(false)?;
            }
            words.expect("outer")?;
            words.expect("loop")?;
            for _ in 0..3 {
                words.expect("vertex")?;
                weld.push(Vec3::new(words.number(true)?, words.number(true)?, words.number(true)?));
            }
            words.expect("endloop")?;
            words.expect("endfacet")?;
        }
    }
    Ok(weld.finish())
}

/// Corners to shared vertices, numbered in the order of their first use.
struct Weld {
    numbers: HashMap<[u64; 3], u32>,
    vertices: Vec<Vec3>,
    corners: Vec<u32>,
}

impl Weld {
    /// Room for a number of triangles; a closed mesh has half as many vertices.
    fn with_capacity(triangles: usize) -> Self {
        Self {
            numbers: HashMap::with_capacity(triangles / 2),
            vertices: Vec::with_capacity(triangles / 2),
            corners: Vec::with_capacity(3 * triangles),
        }
    }

    fn push(&mut self, p: Vec3) {
        // Adding zero turns −0 into 0 and changes nothing else.
        let p = p.add_scalar(0.0);
        let next = self.vertices.len() as u32;
        let number = *self.numbers.entry([p.x, p.y, p.z].map(f64::to_bits)).or_insert(next);
        if number == next {
            self.vertices.push(p);
        }
        self.corners.push(number);
    }

    fn finish(self) -> Facets {
        let triangles = self.corners.chunks_exact(3).map(|c| [c[0], c[1], c[2]]).collect();
        Facets { vertices: self.vertices, triangles }
    }
}

/// Writes a binary file, with coordinates rounded to f32.
///
/// A mesh that f32 cannot hold (overflow, a triangle that loses its area) is an error that carries a [`GeomError`];
/// nothing is written then.
pub fn write_binary(mesh: &TriMesh, out: &mut impl Write) -> std::io::Result<()> {
    let count = u32::try_from(mesh.triangles().len()).map_err(|e| Error::new(ErrorKind::InvalidInput, e))?;
    let single = mesh.vertices().iter().map(|v| v.map(|x| f64::from(x as f32))).collect();
    let rounded = TriMesh::new(single, mesh.triangles().to_vec())
        .map_err(|e| Error::new(ErrorKind::InvalidInput, e))?;
    let mut header = [0u8; HEADER];
    header[..10].copy_from_slice(b"rattleback");
    header[80..].copy_from_slice(&count.to_le_bytes());
    out.write_all(&header)?;
    for t in 0..rounded.triangles().len() {
        let mut record = [0u8; RECORD];
        let vectors = std::iter::once(normal(&rounded, t)).chain(rounded.corners(t));
        let values = vectors.flat_map(<[f64; 3]>::from);
        for (bytes, value) in record.chunks_exact_mut(4).zip(values) {
            bytes.copy_from_slice(&(value as f32).to_le_bytes());
        }
        out.write_all(&record)?;
    }
    Ok(())
}

/// Writes an ASCII file, with all digits of every coordinate.
pub fn write_ascii(mesh: &TriMesh, out: &mut impl Write) -> std::io::Result<()> {
    writeln!(out, "solid rattleback")?;
    for t in 0..mesh.triangles().len() {
        let n = normal(mesh, t);
        writeln!(out, "facet normal {:e} {:e} {:e}\nouter loop", n.x, n.y, n.z)?;
        for p in mesh.corners(t) {
            writeln!(out, "vertex {:e} {:e} {:e}", p.x, p.y, p.z)?;
        }
        writeln!(out, "endloop\nendfacet")?;
    }
    writeln!(out, "endsolid rattleback")
}

/// The unit normal; zero, which the format allows, where the area vector overflows.
fn normal(mesh: &TriMesh, triangle: usize) -> Vec3 {
    mesh.area_vector(triangle)
        .try_normalize(0.0)
        .filter(|n| n.iter().all(|x| x.is_finite()))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests;
