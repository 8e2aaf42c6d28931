//! PNG files of red, green and blue bytes.

use crate::error::{RecordError, Result};
use crate::picture::Image;

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

/// An animated PNG file of `count` pictures of the same size, `rate` of them a second, which repeats; `fill` hands
/// them over in order. Viewers without animation show the first.
pub fn animated<T, E: From<RecordError>>(
    [width, height]: [u32; 2],
    count: u32,
    rate: f64,
    fill: impl FnOnce(&mut dyn FnMut(&Image) -> std::result::Result<(), E>) -> std::result::Result<T, E>,
) -> std::result::Result<(Vec<u8>, T), E> {
    let because = |reason: String| E::from(RecordError::Picture { what: "animated PNG".to_owned(), reason });
    let refused = |error: png::EncodingError| because(error.to_string());
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_animated(count, 0).map_err(refused)?;
    encoder.set_frame_delay(100, (100.0 * rate).round().max(1.0) as u16).map_err(refused)?;
    let mut writer = encoder.write_header().map_err(refused)?;
    let mut written = 0;
    let filled = fill(&mut |image| {
        written += 1;
        writer.write_image_data(&image.pixels).map_err(refused)
    })?;
    if written != count {
        return Err(because(format!("{written} pictures of {count}")));
    }
    writer.finish().map_err(refused)?;
    Ok((bytes, filled))
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

    #[test]
    fn an_animation_has_its_pictures_and_one_too_few_is_refused() {
        let image = |shade: u8| Image { width: 4, height: 3, pixels: vec![shade; 36] };
        let made = |count: u8| {
            animated::<_, RecordError>([4, 3], 2, 25.0, |push| {
                (0..count).try_for_each(|k| push(&image(k)))?;
                Ok(count)
            })
        };
        let (bytes, count) = made(2).unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(&bytes)).read_info().unwrap();
        let control = reader.info().animation_control().copied().unwrap();
        assert_eq!((control.num_frames, control.num_plays, count), (2, 0, 2));
        let mut read = vec![0; 36];
        for shade in 0..2 {
            reader.next_frame(&mut read).unwrap();
            assert_eq!(read, vec![shade; 36]);
        }
        assert!(made(1).unwrap_err().to_string().starts_with("animated PNG: "));
    }
}
