//! Letters: the font that pictures are lettered in, and text as a mask.
//!
//! SVG files name a family and leave the letters to the reader's machine; in both cases widths are measured in this
//! font.

use crate::error::{RecordError, Result};
use plotters::prelude::*;
use plotters::style::register_font;
use std::sync::OnceLock;

/// The family that figures name.
pub(crate) const FAMILY: &str = "sans-serif";
/// Samples per pixel and side: letters are placed in whole ones.
const FINE: u32 = 4;

/// Makes the font known to the drawing library; once is enough.
pub(crate) fn prepare() -> Result<()> {
    static KNOWN: OnceLock<bool> = OnceLock::new();
    let register = || register_font(FAMILY, FontStyle::Normal, epaint_default_fonts::UBUNTU_LIGHT).is_ok();
    if *KNOWN.get_or_init(register) {
        return Ok(());
    }
    Err(RecordError::Picture { what: "font".to_owned(), reason: "it cannot be read".to_owned() })
}

/// The width of a text in pixels, with some room for the wider letters of other fonts; zero before the font is known.
pub(crate) fn width(text: &str, size: u32) -> u32 {
    let plain = (FAMILY, size * FINE).into_font().box_size(text).map_or(0, |(width, _)| width.div_ceil(FINE));
    plain + plain / 7
}

/// The text with letters that the font has: a raised minus is a macron, accents on letters that have none are left out.
pub(crate) fn drawable(text: &str) -> String {
    let accent = |c: &char| ('\u{300}'..='\u{36f}').contains(c);
    text.chars().filter(|c| !accent(c)).map(|c| if c == '⁻' { '¯' } else { c }).collect()
}

/// The text, or as much of its beginning as fits with an ellipsis.
pub(crate) fn fitted(text: &str, size: u32, room: u32) -> String {
    if width(text, size) <= room {
        return text.to_owned();
    }
    let mut short: Vec<char> = text.chars().collect();
    while short.pop().is_some() {
        let cut = short.iter().collect::<String>().trim_end().to_owned() + "…";
        if width(&cut, size) <= room {
            return cut;
        }
    }
    String::new()
}

/// A share of ink per pixel, rows from the top.
#[derive(Debug, Clone)]
pub(crate) struct Mask {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) ink: Vec<f64>,
}

/// A line of text, `size` pixels high.
pub(crate) fn mask(text: &str, size: u32) -> Result<Mask> {
    prepare()?;
    let text = &drawable(text);
    let refused = |reason: String| RecordError::Picture { what: format!("text \"{text}\""), reason };
    let style = (FAMILY, size * FINE).into_font();
    let (length, _) = style.box_size(text).map_err(|e| refused(e.to_string()))?;
    let (width, height) = (length / FINE + size, size * 7 / 4);
    let (w, h) = (width * FINE, height * FINE);
    let mut buffer = vec![255u8; 3 * (w * h) as usize];
    {
        let area = BitMapBackend::with_buffer(&mut buffer, (w, h)).into_drawing_area();
        let letters =
            Text::new(text.as_str(), ((size * FINE / 2) as i32, (size * FINE * 11 / 16) as i32), style);
        area.draw(&letters).map_err(|e| refused(e.to_string()))?;
        area.present().map_err(|e| refused(e.to_string()))?;
    }
    let small = shrink(&buffer, (w, h), FINE);
    Ok(Mask { width, height, ink: small.chunks(3).map(|p| 1.0 - f64::from(p[0]) / 255.0).collect() })
}

/// Means over squares of `fine` samples; the size is a multiple of it.
pub(crate) fn shrink(samples: &[u8], (width, height): (u32, u32), fine: u32) -> Vec<u8> {
    let (w, f) = (width as usize, fine as usize);
    let mut pixels = Vec::with_capacity(samples.len() / (f * f));
    for y in 0..height as usize / f {
        for x in 0..w / f {
            for k in 0..3 {
                let at = |j: usize, i: usize| u32::from(samples[3 * ((y * f + j) * w + x * f + i) + k]);
                let sum: u32 = (0..f * f).map(|s| at(s / f, s % f)).sum();
                pixels.push((f64::from(sum) / (f * f) as f64).round() as u8);
            }
        }
    }
    pixels
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn letters_stand_inside_their_mask() {
        for text in ["t = 0.25 s", "Römer: ωÅgjpy|", "−1.5·10⁻³ µm"] {
            let mask = mask(text, 16).unwrap();
            let at = |x: u32, y: u32| mask.ink[(y * mask.width + x) as usize];
            let border = (0..mask.width).flat_map(|x| [(x, 0), (x, mask.height - 1)]);
            let sides = (0..mask.height).flat_map(|y| [(0, y), (mask.width - 1, y)]);
            assert!(border.chain(sides).all(|(x, y)| at(x, y) == 0.0), "{text}");
            assert!(mask.ink.iter().sum::<f64>() > 5.0 * text.chars().count() as f64, "{text}");
        }
    }
}
