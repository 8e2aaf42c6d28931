//! Films and pictures by the project's own renderer, the one of the reports: the same on every machine, without a
//! window and without a graphics card.

use super::film_marks::{FilmMarks, Marking};
use super::{Export, write_file};
use crate::error::{Result, ViewError};
use crate::feed::Feed;
use rattleback_record::picture::{Image, Shot, animated_png};
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::process::{Command, Stdio};

/// Pictures of a film at most.
const PICTURES: u64 = 10_000;
/// The longest side of a film, in pixels.
const LARGEST: u32 = 8192;
/// GIF counts in hundredths of a second, and readers slow down what is faster than fifty pictures a second.
const GIF_RATE: f64 = 50.0;

/// How a film is made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FilmOptions {
    /// Pictures per second of the film.
    pub rate: f64,
    /// Simulated seconds per second of the film.
    pub speed: f64,
    /// Pixels in a row and rows.
    pub size: [u32; 2],
    /// What is shown over the bodies.
    pub marks: FilmMarks,
}

impl Default for FilmOptions {
    fn default() -> Self {
        Self { rate: 25.0, speed: 1.0, size: [960, 540], marks: FilmMarks::USUAL }
    }
}

/// The frames of a film, one after the other.
struct Film<'f> {
    feed: &'f Feed,
    shot: Shot,
    numbers: Vec<u64>,
    marking: Marking,
}

impl<'f> Film<'f> {
    fn new(feed: &'f Feed, path: &Path, options: &FilmOptions) -> Result<Self> {
        let refused = |reason: String| ViewError::Export { path: path.to_owned(), reason };
        let is_positive = |x: f64| x > 0.0 && x.is_finite();
        if !is_positive(options.rate) || options.rate > 240.0 {
            return Err(refused(format!("{} pictures per second: expected 0 to 240", options.rate)));
        }
        if !is_positive(options.speed) {
            return Err(refused(format!("a speed of {}: expected a number above zero", options.speed)));
        }
        let [width, height] = options.size;
        if ![width, height].iter().all(|side| (1..=LARGEST).contains(side)) {
            return Err(refused(format!("{width} × {height} pixels: expected sides from 1 to {LARGEST}")));
        }
        let indices = feed.indices();
        let index = &indices[0];
        let (begin, end) = (feed.scene().state.time, index.last_time().unwrap_or(0.0));
        let step = options.speed / options.rate;
        let count = ((end - begin) / step).floor() + 1.0;
        if count > PICTURES as f64 {
            return Err(refused(format!(
                "{count} pictures; expected {PICTURES} at most: a greater speed has fewer"
            )));
        }
        let mut numbers = Vec::new();
        for k in 0..count as u64 {
            // A record is shown from its own instant on.
            let time = begin + k as f64 * step + 1e-9 * step;
            numbers.push(index.instant_at(time)?.unwrap_or(0));
        }
        drop(indices);
        let shot = Shot { width, height, ..Shot::new(feed.camera()) };
        let distance = (shot.camera.eye - shot.camera.target).norm();
        let marking = Marking::new(feed, options.marks, &numbers, distance)?;
        Ok(Self { feed, shot, numbers, marking })
    }

    /// Draws all pictures; `each` takes them in order.
    fn draw(&self, mut each: impl FnMut(usize, &Image) -> Result<()>) -> Result<u64> {
        let mut reader = self.feed.frame_reader(self.marking.needs_contacts());
        let mut last: Option<(u64, Image)> = None;
        for (k, number) in self.numbers.iter().enumerate() {
            if last.as_ref().is_none_or(|(own, _)| own != number) {
                let Some(frame) = reader.read(*number)? else { return Ok(k as u64) };
                let time = format!("t = {} s", (frame.time * 1e6).round() / 1e6);
                let label = [vec![time], self.marking.legend()].concat().join("; ");
                let shot = Shot { label, marks: self.marking.marks(self.feed, &frame), ..self.shot.clone() };
                last = Some((*number, self.feed.stage().draw(&frame.motions(), &shot)?.image));
            }
            if let Some((_, image)) = &last {
                each(k, image)?;
            }
        }
        Ok(self.numbers.len() as u64)
    }
}

fn failed(path: &Path) -> impl Fn(std::io::Error) -> ViewError {
    move |source| ViewError::Write { path: path.to_owned(), source }
}

/// An animated GIF, which repeats.
pub(super) fn gif(feed: &Feed, path: &Path, options: &FilmOptions) -> Result<Export> {
    if options.rate > GIF_RATE {
        let reason = format!("{} pictures per second: GIF has {GIF_RATE} at most", options.rate);
        return Err(ViewError::Export { path: path.to_owned(), reason });
    }
    let film = Film::new(feed, path, options)?;
    let refused =
        |error: gif::EncodingError| ViewError::Export { path: path.to_owned(), reason: error.to_string() };
    let mut bytes = Vec::new();
    let [width, height] = options.size.map(|side| side as u16);
    let mut encoder = gif::Encoder::new(&mut bytes, width, height, &[]).map_err(refused)?;
    encoder.set_repeat(gif::Repeat::Infinite).map_err(refused)?;
    // Whole hundredths whose sum stays with the clock.
    let hundredths = |k: usize| (100.0 * k as f64 / options.rate).round() as u64;
    let instants = film.draw(|k, image| {
        let mut frame = gif::Frame::from_rgb_speed(width, height, &image.pixels, 10);
        frame.delay = (hundredths(k + 1) - hundredths(k)).min(u16::MAX.into()) as u16;
        encoder.write_frame(&frame).map_err(refused)
    })?;
    drop(encoder);
    write_file(path, &bytes)?;
    Ok(Export { path: path.to_owned(), instants, remark: None })
}

/// An animated PNG, which repeats.
pub(super) fn apng(feed: &Feed, path: &Path, options: &FilmOptions) -> Result<Export> {
    let film = Film::new(feed, path, options)?;
    let (bytes, instants) = animated_png(options.size, film.numbers.len() as u32, options.rate, |push| {
        film.draw(|_, image| push(image))
    })?;
    write_file(path, &bytes)?;
    Ok(Export { path: path.to_owned(), instants, remark: None })
}

/// The pictures of a film as files `NAME-0001.png` and so on.
pub(super) fn pictures(feed: &Feed, path: &Path, options: &FilmOptions) -> Result<Export> {
    let film = Film::new(feed, path, options)?;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let name = |k: usize| path.with_file_name(format!("{stem}-{:04}.png", k + 1));
    if let Some(taken) = (0..film.numbers.len()).map(name).find(|path| path.exists()) {
        let reason = "exists already and is not overwritten".to_owned();
        return Err(ViewError::Export { path: taken, reason });
    }
    let instants = film.draw(|k, image| write_file(&name(k), &image.to_png()?))?;
    let remark =
        Some(format!("{instants} pictures, the last of them {}", name(film.numbers.len() - 1).display()));
    Ok(Export { path: name(0), instants, remark })
}

/// A film by ffmpeg, which must be in the path.
pub(super) fn video(feed: &Feed, path: &Path, options: &FilmOptions) -> Result<Export> {
    let [width, height] = options.size;
    let refused = |reason: String| ViewError::Export { path: path.to_owned(), reason };
    if !width.is_multiple_of(2) || !height.is_multiple_of(2) {
        return Err(refused(format!("{width} × {height} pixels: films have even sides")));
    }
    let film = Film::new(feed, path, options)?;
    let codec: &[&str] = if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("webm")) {
        &["-c:v", "libvpx-vp9", "-crf", "30", "-b:v", "0"]
    } else {
        &["-c:v", "libx264", "-crf", "20", "-movflags", "+faststart"]
    };
    let mut child = Command::new("ffmpeg")
        .args([
            "-hide_banner",
            "-loglevel",
            "error",
            "-nostdin",
            "-n",
            "-f",
            "rawvideo",
            "-pixel_format",
            "rgb24",
        ])
        .args([
            "-video_size",
            &format!("{width}x{height}"),
            "-framerate",
            &options.rate.to_string(),
            "-i",
            "pipe:0",
        ])
        .args(codec)
        .args(["-pix_fmt", "yuv420p"])
        .arg(path)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| match error.kind() {
            ErrorKind::NotFound => refused("ffmpeg is not in the path; .gif and .apng need none".to_owned()),
            _ => refused(format!("ffmpeg: {error}")),
        })?;
    let drawn = match child.stdin.take() {
        Some(mut pipe) => film.draw(|_, image| pipe.write_all(&image.pixels).map_err(failed(path))),
        None => Err(refused("ffmpeg takes no pictures".to_owned())),
    };
    let ended = child.wait_with_output().map_err(failed(path))?;
    if !ended.status.success() {
        return Err(refused(format!("ffmpeg: {}", String::from_utf8_lossy(&ended.stderr).trim())));
    }
    Ok(Export { path: path.to_owned(), instants: drawn?, remark: None })
}
