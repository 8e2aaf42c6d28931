//! Zip archives, as far as 3MF uses them: parts by their names, stored or deflated.
//!
//! PKWARE's APPNOTE 6.3.3: the end of the central directory (signature PK\5\6) is looked for from the end of the file;
//! the directory's entries (PK\1\2) say where the local headers (PK\3\4) are, behind which the data lie. Sizes and
//! checksums are those of the directory. Encrypted parts, archives in several volumes and sizes beyond 32 bits are
//! refused.

use miniz_oxide::inflate::decompress_to_vec_with_limit;
use rattleback_geom::GeomError;

/// A part unpacks to at most so many bytes.
const MOST: usize = 256 << 20;

/// A part unpacks to at most so many times its size, and some bytes: meshes as text reach twenty.
const RATIO: usize = 200;

const END: [u8; 4] = *b"PK\x05\x06";
const ENTRY: [u8; 4] = *b"PK\x01\x02";
const LOCAL: [u8; 4] = *b"PK\x03\x04";

/// An archive and its directory.
pub(super) struct Archive<'a> {
    bytes: &'a [u8],
    entries: Vec<Entry>,
}

struct Entry {
    name: String,
    method: usize,
    checksum: u32,
    packed: usize,
    size: usize,
    header: usize,
}

impl<'a> Archive<'a> {
    pub(super) fn open(bytes: &'a [u8]) -> Result<Self, GeomError> {
        // 22 bytes, and a comment of at most 65535.
        let first = bytes.len().saturating_sub(22 + 0xffff);
        let last = bytes.len().saturating_sub(22);
        let end = (first..=last).rev().find(|at| bytes[*at..].starts_with(&END));
        let Some(end) = end else {
            return Err(wrong(bytes.len(), "no directory of the archive", "one at the end of the file"));
        };
        let count = number(bytes, end + 10, 2)?;
        let mut at = number(bytes, end + 16, 4)?;
        if count == 0xffff || at == 0xffff_ffff {
            return Err(wrong(end, "an archive with numbers of 64 bits", "one of less than 4 GB"));
        }
        let mut entries = Vec::new();
        for _ in 0..count {
            if !bytes.get(at..).is_some_and(|rest| rest.starts_with(&ENTRY)) {
                return Err(wrong(at, "something else", "an entry of the archive's directory"));
            }
            let [flags, method] = [number(bytes, at + 8, 2)?, number(bytes, at + 10, 2)?];
            let [name, extra, comment] =
                [number(bytes, at + 28, 2)?, number(bytes, at + 30, 2)?, number(bytes, at + 32, 2)?];
            if flags & 1 == 1 {
                return Err(wrong(at, "an encrypted part", "one that is not"));
            }
            let named = slice(bytes, at + 46, name)?;
            entries.push(Entry {
                name: String::from_utf8_lossy(named).trim_start_matches('/').to_owned(),
                method,
                checksum: number(bytes, at + 16, 4)? as u32,
                packed: number(bytes, at + 20, 4)?,
                size: number(bytes, at + 24, 4)?,
                header: number(bytes, at + 42, 4)?,
            });
            at += 46 + name + extra + comment;
        }
        Ok(Self { bytes, entries })
    }

    /// The names of the parts.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|entry| entry.name.as_str())
    }

    /// The content of a part; names of parts do not tell capitals from small letters.
    pub(super) fn part(&self, name: &str) -> Option<Result<Vec<u8>, GeomError>> {
        let name = name.trim_start_matches('/');
        let entry = self.entries.iter().find(|entry| entry.name.eq_ignore_ascii_case(name))?;
        Some(self.unpack(entry))
    }

    fn unpack(&self, entry: &Entry) -> Result<Vec<u8>, GeomError> {
        let at = entry.header;
        if !self.bytes.get(at..).is_some_and(|rest| rest.starts_with(&LOCAL)) {
            return Err(wrong(at, "something else", "the header of a part of the archive"));
        }
        let data = at + 30 + number(self.bytes, at + 26, 2)? + number(self.bytes, at + 28, 2)?;
        let packed = slice(self.bytes, data, entry.packed)?;
        if entry.size > MOST.min(RATIO * packed.len() + (1 << 16)) {
            let found = format!("a part of {} bytes that unpacks to {}", packed.len(), entry.size);
            return Err(wrong(at, &found, &format!("at most {RATIO} times as many and {MOST} bytes")));
        }
        let content = match entry.method {
            0 => packed.to_vec(),
            8 => decompress_to_vec_with_limit(packed, entry.size)
                .map_err(|_| wrong(data, "data that do not unpack", "deflated data"))?,
            other => {
                return Err(wrong(at, &format!("compression method {other}"), "stored or deflated data"));
            }
        };
        if content.len() != entry.size || checksum(&content) != entry.checksum {
            return Err(wrong(data, "data whose length or checksum is another", "those of the directory"));
        }
        Ok(content)
    }
}

fn wrong(byte: usize, found: &str, expected: &str) -> GeomError {
    GeomError::ParseBinary { byte, found: found.to_owned(), expected: expected.to_owned() }
}

fn slice(bytes: &[u8], at: usize, length: usize) -> Result<&[u8], GeomError> {
    let found = at.checked_add(length).and_then(|end| bytes.get(at..end));
    found.ok_or_else(|| wrong(bytes.len(), "the end of the file", "a whole archive"))
}

/// A number of one to four bytes, the lowest first.
fn number(bytes: &[u8], at: usize, length: usize) -> Result<usize, GeomError> {
    Ok(slice(bytes, at, length)?.iter().rev().fold(0, |n, byte| n << 8 | usize::from(*byte)))
}

/// CRC-32 of ISO 3309, polynomial 0xedb88320 with its bits reversed.
pub(super) fn checksum(bytes: &[u8]) -> u32 {
    let mut table = [0u32; 256];
    for (i, entry) in table.iter_mut().enumerate() {
        *entry = (0..8).fold(i as u32, |c, _| if c & 1 == 1 { 0xedb8_8320 ^ (c >> 1) } else { c >> 1 });
    }
    !bytes.iter().fold(u32::MAX, |c, byte| table[((c ^ u32::from(*byte)) & 0xff) as usize] ^ (c >> 8))
}
