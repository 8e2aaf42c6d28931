//! Pixels.

use crate::error::{RecordError, Result};

/// The largest side of a picture, in pixels: a slip of the finger should not fill the memory.
pub(super) const LARGEST: u32 = 16_384;

/// A picture of red, green and blue bytes, rows from the top.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Three bytes per pixel.
    pub pixels: Vec<u8>,
}

impl Image {
    /// A picture of one colour.
    pub fn filled(width: u32, height: u32, colour: [u8; 3]) -> Result<Self> {
        if !(1..=LARGEST).contains(&width) || !(1..=LARGEST).contains(&height) {
            return Err(RecordError::Picture {
                what: "size".to_owned(),
                reason: format!("{width} × {height} pixels: both must lie between 1 and {LARGEST}"),
            });
        }
        Ok(Self { width, height, pixels: colour.repeat(width as usize * height as usize) })
    }

    /// The colour of a pixel inside the picture.
    pub fn pixel(&self, x: u32, y: u32) -> [u8; 3] {
        let at = self.place(x, y);
        [self.pixels[at], self.pixels[at + 1], self.pixels[at + 2]]
    }

    fn place(&self, x: u32, y: u32) -> usize {
        3 * (y as usize * self.width as usize + x as usize)
    }

    /// Lays `share` of a colour over a pixel.
    pub(crate) fn blend(&mut self, x: u32, y: u32, colour: [u8; 3], share: f64) {
        let at = self.place(x, y);
        for (old, new) in self.pixels[at..at + 3].iter_mut().zip(colour) {
            *old = (f64::from(*old) * (1.0 - share) + f64::from(new) * share).round() as u8;
        }
    }

    /// The picture as a PNG file.
    pub fn to_png(&self) -> Result<Vec<u8>> {
        crate::png::encode(self.width, self.height, &self.pixels)
    }
}

/// Several pictures in rows of `columns`, in reading order, with thin white lines between them. Smaller ones stand in
/// the top left of their cells.
pub fn contact_sheet(pictures: &[Image], columns: usize) -> Result<Image> {
    const GAP: u32 = 6;
    let cell = |side: fn(&Image) -> u32| pictures.iter().map(side).max().unwrap_or(0);
    let (width, height) = (cell(|p| p.width), cell(|p| p.height));
    let columns = columns.clamp(1, pictures.len().max(1)) as u32;
    let rows = (pictures.len() as u32).div_ceil(columns);
    let total = |count: u32, side: u32| (count * side.saturating_add(GAP)).saturating_sub(GAP);
    let mut sheet = Image::filled(total(columns, width), total(rows, height), [255; 3])?;
    for (k, picture) in pictures.iter().enumerate() {
        let (left, top) = (k as u32 % columns * (width + GAP), k as u32 / columns * (height + GAP));
        for y in 0..picture.height {
            let (from, to) = (picture.place(0, y), sheet.place(left, top + y));
            let length = 3 * picture.width as usize;
            sheet.pixels[to..to + length].copy_from_slice(&picture.pixels[from..from + length]);
        }
    }
    Ok(sheet)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn a_sheet_holds_its_pictures_in_reading_order() {
        let pictures: Vec<Image> = (0..5).map(|k| Image::filled(10, 7, [k, 0, 0]).unwrap()).collect();
        let sheet = contact_sheet(&pictures, 2).unwrap();
        assert_eq!((sheet.width, sheet.height), (26, 33));
        for k in 0..5u8 {
            let (x, y) = (u32::from(k % 2) * 16, u32::from(k / 2) * 13);
            assert_eq!([sheet.pixel(x, y), sheet.pixel(x + 9, y + 6)], [[k, 0, 0]; 2]);
        }
        assert_eq!(sheet.pixel(20, 30), [255; 3]);
        assert!(contact_sheet(&[], 3).is_err());
    }

    #[test]
    fn sizes_that_cannot_be_are_refused() {
        for (width, height) in [(0, 10), (10, 0), (LARGEST + 1, 1)] {
            assert!(Image::filled(width, height, [0; 3]).unwrap_err().to_string().starts_with("size: "));
        }
    }
}
