//! The bytes of a glTF file, and numbers in them.

use super::document::{Accessor, Document};
use super::{Result, wrong};
use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use rattleback_geom::Vec3;
use std::borrow::Cow;

/// Types of components, as the format numbers them.
const U8: u32 = 5121;
const U16: u32 = 5123;
const U32: u32 = 5125;
const F32: u32 = 5126;

pub(super) struct Buffers<'a> {
    document: &'a Document,
    buffers: Vec<Cow<'a, [u8]>>,
}

impl<'a> Buffers<'a> {
    /// The buffers of a file: in its binary chunk, in the text, or in files beside it.
    pub(super) fn load(
        document: &'a Document,
        binary: Option<&'a [u8]>,
        mut beside: impl FnMut(&str) -> std::io::Result<Vec<u8>>,
    ) -> Result<Self> {
        let mut buffers = Vec::new();
        for (i, buffer) in document.buffers.iter().enumerate() {
            let field = format!("buffers[{i}]");
            let bytes: Cow<[u8]> = match (&buffer.uri, binary) {
                (None, Some(chunk)) if i == 0 => chunk.into(),
                (None, _) => return Err(wrong(&field, "a buffer without data", "one with a uri")),
                (Some(uri), _) if uri.starts_with("data:") => {
                    let text = uri.split_once(";base64,").map(|(_, text)| text);
                    let text = text.ok_or_else(|| wrong(&field, "data that are not base64", "base64"))?;
                    let padding =
                        GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
                    let decoded = GeneralPurpose::new(&STANDARD, padding).decode(text.trim());
                    decoded.map_err(|error| wrong(&field, &error.to_string(), "base64"))?.into()
                }
                (Some(uri), _) => {
                    let name = file_name(uri).ok_or_else(|| wrong(&field, uri, "a file beside this one"))?;
                    let bytes = beside(&name);
                    bytes
                        .map_err(|error| {
                            wrong(&field, &format!("{name}: {error}"), "a file beside this one")
                        })?
                        .into()
                }
            };
            buffers.push(bytes);
        }
        Ok(Self { document, buffers })
    }

    pub(super) fn positions(&self, number: usize) -> Result<Vec<Vec3>> {
        let (accessor, field) = self.accessor(number)?;
        if accessor.kind != "VEC3" {
            return Err(wrong(&field, &format!("positions of type {}", accessor.kind), "VEC3"));
        }
        if accessor.component_type != F32 {
            let found = format!("quantised positions (component type {})", accessor.component_type);
            return Err(wrong(&field, &found, "of type 5126, f32"));
        }
        let mut points = Vec::new();
        for raw in self.elements(accessor, &field, 12)? {
            let value =
                |k: usize| f64::from(f32::from_le_bytes([raw[k], raw[k + 1], raw[k + 2], raw[k + 3]]));
            let point = Vec3::new(value(0), value(4), value(8));
            if !point.iter().all(|x| x.is_finite()) {
                let found = format!("position {} = ({}, {}, {})", points.len(), point.x, point.y, point.z);
                return Err(wrong(&field, &found, "finite"));
            }
            points.push(point);
        }
        Ok(points)
    }

    pub(super) fn indices(&self, number: usize) -> Result<Vec<u32>> {
        let (accessor, field) = self.accessor(number)?;
        let size = match (accessor.kind.as_str(), accessor.component_type) {
            ("SCALAR", U8) => 1,
            ("SCALAR", U16) => 2,
            ("SCALAR", U32) => 4,
            (kind, component) => {
                let found = format!("indices of type {kind} and component type {component}");
                return Err(wrong(&field, &found, "SCALAR of 5121, 5123 or 5125"));
            }
        };
        let number = |raw: &[u8]| raw.iter().rev().fold(0u32, |n, byte| n << 8 | u32::from(*byte));
        Ok(self.elements(accessor, &field, size)?.map(number).collect())
    }

    fn accessor(&self, number: usize) -> Result<(&'a Accessor, String)> {
        let field = format!("accessors[{number}]");
        match self.document.accessors.get(number) {
            None => Err(wrong(&field, "missing", "in the file")),
            Some(accessor) if accessor.sparse.is_some() => {
                Err(wrong(&field, "a sparse accessor", "one whose values are all in a buffer"))
            }
            Some(accessor) => Ok((accessor, field)),
        }
    }

    /// The bytes of each element.
    fn elements(&self, accessor: &Accessor, field: &str, size: usize) -> Result<impl Iterator<Item = &[u8]>> {
        let Some(number) = accessor.buffer_view else {
            return Err(wrong(
                field,
                "without a buffer view (compressed, or all zero)",
                "plain values in a buffer",
            ));
        };
        let view_field = format!("bufferViews[{number}]");
        let view = self.document.buffer_views.get(number);
        let view = view.ok_or_else(|| wrong(&view_field, "missing", "in the file"))?;
        let buffer = self.buffers.get(view.buffer);
        let buffer =
            buffer.ok_or_else(|| wrong(&format!("buffers[{}]", view.buffer), "missing", "in the file"))?;
        let end = view.byte_offset.checked_add(view.byte_length);
        let bytes = end.and_then(|end| buffer.get(view.byte_offset..end));
        let allowed = format!("within the {} bytes of its buffer", buffer.len());
        let bytes = bytes.ok_or_else(|| wrong(&view_field, "beyond the end of its buffer", &allowed))?;
        let stride = view.byte_stride.unwrap_or(size);
        if stride < size {
            return Err(wrong(
                &format!("{view_field}.byteStride"),
                &stride.to_string(),
                &format!("{size} or more"),
            ));
        }
        let last = accessor
            .count
            .checked_sub(1)
            .map(|steps| steps.checked_mul(stride)?.checked_add(size)?.checked_add(accessor.byte_offset));
        if last.is_some_and(|end| end.is_none_or(|end| end > bytes.len())) {
            let found = format!("{} elements beyond the end of their buffer view", accessor.count);
            return Err(wrong(field, &found, &format!("within its {} bytes", bytes.len())));
        }
        let first = accessor.byte_offset;
        Ok((0..accessor.count).map(move |k| &bytes[first + k * stride..first + k * stride + size]))
    }
}

/// The name of a file in or below the folder of this one, percent signs resolved; none where it leads elsewhere.
fn file_name(uri: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let [first, tail @ ..] = rest {
        let code = (*first == b'%').then(|| tail.get(..2)).flatten();
        let code = code.and_then(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok());
        bytes.push(code.unwrap_or(*first));
        rest = if code.is_some() { &tail[2..] } else { tail };
    }
    let name = String::from_utf8(bytes).ok()?;
    let leads_away = name.contains(':')
        || name.starts_with(['/', '\\'])
        || name.split(['/', '\\']).any(|part| part == "..");
    (!leads_away && !name.is_empty()).then_some(name)
}
