//! PNG files of red, green and blue bytes.

use crate::error::{RecordError, Result};

/// The pixels as a PNG file.
pub(crate) fn encode(width: u32, height: u32, pixels: &[u8]) -> Result<Vec<u8>> {
    let refused = |error: png::EncodingError| RecordError::Picture {
        what: "PNG".to_owned(),
        reason: error.to_string(),
    };
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Balanced);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    let mut writer = encoder.write_header().map_err(refused)?;
    writer.write_image_data(pixels).map_err(refused)?;
    writer.finish().map_err(refused)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn what_is_encoded_is_read_back() {
        let pixels: Vec<u8> = (0..7 * 5 * 3).map(|k| (k * 37 % 256) as u8).collect();
        let bytes = encode(7, 5, &pixels).unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(&bytes)).read_info().unwrap();
        let mut read = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut read).unwrap();
        assert_eq!((info.width, info.height, info.color_type), (7, 5, png::ColorType::Rgb));
        assert_eq!(read, pixels);
        assert!(encode(7, 6, &pixels).unwrap_err().to_string().starts_with("PNG: "));
    }
}
