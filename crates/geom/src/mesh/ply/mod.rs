//! PLY files: a header of text, then vertices, faces and whatever else it announces, as text or as bytes in either
//! order.
//!
//! Used are x, y and z of the element `vertex` and the list `vertex_indices` (or `vertex_index`) of the element `face`
//! or, as strips whose parts −1 divides, of `tristrips`. All other properties and elements are read over, whatever
//! their types.

mod header;
#[cfg(test)]
mod tests;

use super::Polygons;
use super::words::Words;
use crate::Vec3;
use crate::error::{GeomError, Result};
use header::{Element, Encoding, Header, Scalar};

/// Reads the bytes of a file.
pub fn read(bytes: &[u8]) -> Result<Polygons> {
    let header = Header::read(bytes)?;
    let body = &bytes[header.end..];
    let text = match header.encoding {
        Encoding::Ascii => String::from_utf8_lossy(body),
        _ => "".into(),
    };
    let mut values = match header.encoding {
        Encoding::Ascii => Values::Text(Words::new(&text, header.line)),
        encoding => Values::Binary { bytes, at: header.end, big: encoding == Encoding::BigEndian },
    };
    let mut polygons = Polygons::default();
    for element in &header.elements {
        match element.name.as_str() {
            "vertex" => vertices(element, &mut values, &mut polygons)?,
            "face" | "tristrips" => faces(element, &mut values, &mut polygons)?,
            _ => read_over(element, &mut values)?,
        }
    }
    Ok(polygons)
}

fn vertices(element: &Element, values: &mut Values, polygons: &mut Polygons) -> Result<()> {
    let place = |name: &str| {
        let found =
            element.properties.iter().position(|p| p.count.is_none() && p.name.eq_ignore_ascii_case(name));
        found.ok_or_else(|| missing(element, name))
    };
    let places = [place("x")?, place("y")?, place("z")?];
    for _ in 0..element.count {
        let mut vertex = Vec3::zeros();
        for (i, property) in element.properties.iter().enumerate() {
            match (property.count, places.iter().position(|p| *p == i)) {
                (None, Some(axis)) => vertex[axis] = values.number(property.item, true)?,
                (None, None) => _ = values.number(property.item, false)?,
                (Some(count), _) => values.list(count, property.item, |_| {})?,
            }
        }
        polygons.vertices.push(vertex);
    }
    Ok(())
}

fn faces(element: &Element, values: &mut Values, polygons: &mut Polygons) -> Result<()> {
    let is_list =
        |name: &str| ["vertex_indices", "vertex_index"].iter().any(|n| name.eq_ignore_ascii_case(n));
    let Some(used) = element.properties.iter().position(|p| p.count.is_some() && is_list(&p.name)) else {
        return if element.count == 0 { Ok(()) } else { Err(missing(element, "vertex_indices")) };
    };
    let mut corners = Vec::new();
    for face in 0..element.count {
        for (i, property) in element.properties.iter().enumerate() {
            match property.count {
                None => _ = values.number(property.item, false)?,
                Some(count) if i == used => {
                    corners.clear();
                    values.list(count, property.item, |index| corners.push(index))?;
                }
                Some(count) => values.list(count, property.item, |_| {})?,
            }
        }
        if element.name == "face" {
            let indices: Option<Vec<u32>> = corners.iter().map(|i| index(*i)).collect();
            polygons.push(&indices.ok_or_else(|| not_an_index(element, face, &corners))?);
        } else {
            for strip in corners.split(|i| *i == -1.0) {
                let indices: Option<Vec<u32>> = strip.iter().map(|i| index(*i)).collect();
                let indices = indices.ok_or_else(|| not_an_index(element, face, &corners))?;
                for (k, t) in indices.windows(3).enumerate() {
                    polygons.push(&if k % 2 == 0 { [t[0], t[1], t[2]] } else { [t[1], t[0], t[2]] });
                }
            }
        }
    }
    Ok(())
}

fn read_over(element: &Element, values: &mut Values) -> Result<()> {
    if element.properties.is_empty() {
        return Ok(());
    }
    for _ in 0..element.count {
        for property in &element.properties {
            match property.count {
                None => _ = values.number(property.item, false)?,
                Some(count) => values.list(count, property.item, |_| {})?,
            }
        }
    }
    Ok(())
}

/// A value as the number of a vertex.
fn index(value: f64) -> Option<u32> {
    (value >= 0.0 && value < f64::from(u32::MAX) && value.fract() == 0.0).then_some(value as u32)
}

fn not_an_index(element: &Element, face: usize, corners: &[f64]) -> GeomError {
    let wrong = corners.iter().find(|i| index(**i).is_none()).copied().unwrap_or(f64::NAN);
    GeomError::Inconsistent {
        field: format!("{}[{face}]", element.name),
        found: format!("a face with vertex {wrong}"),
        allowed: "one with numbers of vertices, from zero".to_owned(),
    }
}

fn missing(element: &Element, property: &str) -> GeomError {
    let names: Vec<&str> = element.properties.iter().map(|p| p.name.as_str()).collect();
    GeomError::Inconsistent {
        field: format!("element {}", element.name),
        found: format!("one with the properties [{}]", names.join(", ")),
        allowed: format!("one with {property}"),
    }
}

/// What follows the header.
enum Values<'a> {
    Text(Words<'a>),
    Binary { bytes: &'a [u8], at: usize, big: bool },
}

impl Values<'_> {
    /// The next value; every type fits an f64. One that is not used may be NaN.
    fn number(&mut self, kind: Scalar, finite: bool) -> Result<f64> {
        let (bytes, at, big) = match self {
            Self::Text(words) => return words.number(finite),
            Self::Binary { bytes, at, big } => (*bytes, at, *big),
        };
        let start = *at;
        let Some(raw) = bytes.get(start..start + kind.size()) else {
            return Err(GeomError::ParseBinary {
                byte: bytes.len(),
                found: "the end of the file".to_owned(),
                expected: "as many values as the header announces".to_owned(),
            });
        };
        *at += raw.len();
        let mut word = [0u8; 8];
        word[..raw.len()].copy_from_slice(raw);
        if big {
            word[..raw.len()].reverse();
        }
        let bits = u64::from_le_bytes(word);
        let value = match kind {
            Scalar::I8 => f64::from(bits as u8 as i8),
            Scalar::U8 => f64::from(bits as u8),
            Scalar::I16 => f64::from(bits as u16 as i16),
            Scalar::U16 => f64::from(bits as u16),
            Scalar::I32 => f64::from(bits as u32 as i32),
            Scalar::U32 => f64::from(bits as u32),
            Scalar::F32 => f64::from(f32::from_bits(bits as u32)),
            Scalar::F64 => f64::from_bits(bits),
        };
        if finite && !value.is_finite() {
            let (found, expected) = (value.to_string(), "a finite coordinate".to_owned());
            return Err(GeomError::ParseBinary { byte: start, found, expected });
        }
        Ok(value)
    }

    /// A list, its values one after the other.
    fn list(&mut self, count: Scalar, item: Scalar, mut take: impl FnMut(f64)) -> Result<()> {
        let length = self.number(count, true)?;
        if !(length >= 0.0 && length.fract() == 0.0) {
            return Err(match self {
                Self::Text(words) => words.error(Some(&length.to_string()), "the length of a list"),
                Self::Binary { at, .. } => GeomError::ParseBinary {
                    byte: *at - count.size(),
                    found: length.to_string(),
                    expected: "the length of a list".to_owned(),
                },
            });
        }
        for _ in 0..length as u64 {
            take(self.number(item, false)?);
        }
        Ok(())
    }
}
