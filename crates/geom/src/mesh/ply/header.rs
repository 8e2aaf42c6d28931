//! The header of a PLY file: the encoding, the elements and their properties.

use crate::error::{GeomError, Result};

/// How the values after the header are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    Ascii,
    LittleEndian,
    BigEndian,
}

/// The type of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Scalar {
    fn named(word: &str) -> Option<Self> {
        Some(match word {
            "char" | "int8" => Self::I8,
            "uchar" | "uint8" => Self::U8,
            "short" | "int16" => Self::I16,
            "ushort" | "uint16" => Self::U16,
            "int" | "int32" => Self::I32,
            "uint" | "uint32" => Self::U32,
            "float" | "float32" => Self::F32,
            "double" | "float64" => Self::F64,
            _ => return None,
        })
    }

    pub(super) fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }
}

/// A value, or a list of values that begins with their number, of every instance of an element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Property {
    pub(super) name: String,
    pub(super) item: Scalar,
    /// The type of the number of values of a list.
    pub(super) count: Option<Scalar>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Element {
    pub(super) name: String,
    pub(super) count: usize,
    pub(super) properties: Vec<Property>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) encoding: Encoding,
    pub(super) elements: Vec<Element>,
    /// Where the values begin, and on which line.
    pub(super) end: usize,
    pub(super) line: usize,
}

impl Header {
    pub(super) fn read(bytes: &[u8]) -> Result<Self> {
        let mut lines = HeaderLines { bytes, at: 0, number: 0 };
        let first = lines.next()?;
        if first.trim() != "ply" {
            return Err(lines.error(&first, "the word ply"));
        }
        let mut encoding = None;
        let mut elements: Vec<Element> = Vec::new();
        loop {
            let line = lines.next()?;
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                [] | ["comment" | "obj_info", ..] => {}
                ["format", kind, "1.0"] => {
                    encoding = Some(match kind {
                        "ascii" => Encoding::Ascii,
                        "binary_little_endian" => Encoding::LittleEndian,
                        "binary_big_endian" => Encoding::BigEndian,
                        _ => {
                            return Err(
                                lines.error(kind, "ascii or binary_little_endian or binary_big_endian")
                            );
                        }
                    });
                }
                ["element", name, count] => {
                    let count = count.parse().map_err(|_| lines.error(count, "a number of elements"))?;
                    elements.push(Element { name: name.to_owned(), count, properties: Vec::new() });
                }
                ["property", ref rest @ ..] => {
                    let property = property(rest).ok_or_else(|| {
                        lines.error(&line, "property TYPE NAME or property list TYPE TYPE NAME")
                    })?;
                    let Some(element) = elements.last_mut() else {
                        return Err(lines.error(&line, "an element before its properties"));
                    };
                    element.properties.push(property);
                }
                ["end_header"] => break,
                _ => return Err(lines.error(&line, "format, element, property, comment or end_header")),
            }
        }
        let encoding =
            encoding.ok_or_else(|| lines.error("end_header", "a line with the format before it"))?;
        Ok(Self { encoding, elements, end: lines.at, line: lines.number + 1 })
    }
}

fn property(words: &[&str]) -> Option<Property> {
    let (name, item, count) = match words {
        ["list", count, item, name] => (name, item, Some(Scalar::named(count)?)),
        [item, name] => (name, item, None),
        _ => return None,
    };
    Some(Property { name: (*name).to_owned(), item: Scalar::named(item)?, count })
}

/// Lines of the header, which end with \n, \r\n or \r.
struct HeaderLines<'a> {
    bytes: &'a [u8],
    at: usize,
    number: usize,
}

impl HeaderLines<'_> {
    fn next(&mut self) -> Result<String> {
        self.number += 1;
        let rest = &self.bytes[self.at..];
        let Some(length) = rest.iter().position(|b| matches!(b, b'\n' | b'\r')) else {
            return Err(self.error(&String::from_utf8_lossy(rest), "a header that ends with end_header"));
        };
        // \r alone ends a line where it ends the first one: what follows then may be any byte of a value.
        let first_end = self.bytes.iter().position(|b| matches!(b, b'\n' | b'\r')).unwrap_or(0);
        let pairs = self.bytes[first_end..].starts_with(b"\r\n");
        let step = if pairs && rest[length..].starts_with(b"\r\n") { 2 } else { 1 };
        self.at += length + step;
        Ok(String::from_utf8_lossy(&rest[..length]).into_owned())
    }

    fn error(&self, found: &str, expected: &str) -> GeomError {
        let found = format!("{:?}", found.chars().take(40).collect::<String>());
        GeomError::Parse { line: self.number, found, expected: expected.to_owned() }
    }
}
