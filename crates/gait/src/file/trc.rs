//! Marker files, `.trc`.
//!
//! Five lines of header (file type; keys; their values; `Frame#`, `Time` and the markers' names; X1, Y1, Z1, …), then a
//! row per frame: number, time, three coordinates per marker. Names are what is not blank in the fourth line, so the
//! tabs between them do not matter; the counts in the header are only compared. The row of X1, Y1, Z1 may be absent,
//! and may count from any number.

use super::table::{
    Cell, cells, column, complain_if_cut, number, numbered, numbers, read_text, row, written,
};
use crate::error::{Complaints, GaitError, Result};
use std::fmt::Write as _;
use std::path::Path;

/// A marker file as it is: in its own units and axes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Trc {
    /// Frames per second, by the key `DataRate`.
    pub data_rate: Option<f64>,
    /// The key `CameraRate`.
    pub camera_rate: Option<f64>,
    /// The key `Units`, as it is written.
    pub units: Option<String>,
    /// The keys `OrigDataRate`, `OrigDataStartFrame`, `OrigNumFrames`.
    pub original: [Option<f64>; 3],
    /// The markers' names.
    pub markers: Vec<String>,
    /// The first column.
    pub frames: Vec<f64>,
    /// The second column, in seconds.
    pub times: Vec<f64>,
    /// Coordinates, frame after frame, marker after marker; NaN where they are missing.
    pub positions: Vec<[f64; 3]>,
    /// What was set right.
    pub remarks: Vec<String>,
}

impl Trc {
    /// The coordinates of a marker in a frame.
    pub fn position(&self, frame: usize, marker: usize) -> [f64; 3] {
        self.positions[frame * self.markers.len() + marker]
    }
}

/// Reads a marker file.
pub fn read_trc(path: &Path) -> Result<Trc> {
    parse_trc(&read_text(path)?, path)
}

/// Reads a marker file from its text; `path` is what complaints name.
pub fn parse_trc(text: &str, path: &Path) -> Result<Trc> {
    let mut complaints = Complaints::default();
    let mut trc = Trc::default();
    let mut lines = numbered(text).filter(|(_, line)| !line.trim().is_empty()).peekable();
    let mut counts = [None; 2];
    if let Some((at, line)) = lines.next_if(|(_, line)| !names_row(line)) {
        if !line.trim_start().to_ascii_lowercase().starts_with("pathfiletype") {
            complaints.add(at, 1, "PathFileType was expected: this is no marker file (.trc)");
            complaints.finish(path)?;
            return Ok(trc);
        }
        if let Some(keys) = lines.next_if(|(_, line)| !names_row(line)) {
            let values = lines.next_if(|(_, line)| !names_row(line));
            counts = header(&mut trc, keys, values, &mut complaints);
        }
    }
    match lines.next_if(|(_, line)| names_row(line)) {
        Some(found) => names(&mut trc, found, &mut complaints),
        None => {
            let at = lines.peek().map_or(0, |(at, _)| *at);
            complaints.add(at, 1, "the row with Frame#, Time and the markers' names was expected here");
            complaints.finish(path)?;
            return Ok(trc);
        }
    }
    let labels =
        lines.next_if(|(_, line)| cells(line).iter().find(|c| !c.text.is_empty()).is_some_and(is_axis));
    let below = labels.map_or_else(Vec::new, |(_, line)| axes(line, trc.markers.len()));
    for (at, line) in lines {
        frame(&mut trc, (at, line), &below, &mut complaints);
    }
    compare(&mut trc, counts);
    complain_if_cut(text, 2 + 3 * trc.markers.len(), &mut complaints);
    if trc.times.is_empty() && complaints.is_empty() {
        complaints.add(0, 0, "there is no frame");
    }
    complaints.finish(path)?;
    Ok(trc)
}

fn names_row(line: &str) -> bool {
    line.trim_start().to_ascii_lowercase().starts_with("frame")
}

/// A label such as X1, Y12, Z*3.
fn is_axis(cell: &Cell<'_>) -> bool {
    cell.text.starts_with(['X', 'Y', 'Z', 'x', 'y', 'z'])
}

/// Reads keys and values; gives the counts of frames and of markers.
fn header(
    trc: &mut Trc,
    (_, keys): (usize, &str),
    values: Option<(usize, &str)>,
    complaints: &mut Complaints,
) -> [Option<f64>; 2] {
    let mut counts = [None; 2];
    let Some((at, line)) = values else {
        complaints.add(0, 0, "the values of the header's keys are missing");
        return counts;
    };
    // Neither keys nor values have blanks within: words fit keys whatever separates them.
    let words: Vec<Cell<'_>> = cells(line)
        .iter()
        .flat_map(|cell| cell.text.split_whitespace())
        .map(|text| Cell { text, at: text.as_ptr() as usize - line.as_ptr() as usize })
        .collect();
    for (key, cell) in keys.split_whitespace().zip(words) {
        let key = key.to_ascii_lowercase();
        if key == "units" {
            trc.units = Some(cell.text.to_owned());
            continue;
        }
        let slot = match key.as_str() {
            "datarate" => &mut trc.data_rate,
            "camerarate" => &mut trc.camera_rate,
            "numframes" => &mut counts[0],
            "nummarkers" => &mut counts[1],
            "origdatarate" => &mut trc.original[0],
            "origdatastartframe" => &mut trc.original[1],
            "orignumframes" => &mut trc.original[2],
            _ => continue,
        };
        match number(cell.text) {
            Some(value) if value.is_finite() => *slot = Some(value),
            _ => {
                let text = format!("{key}: \"{}\" is no number", cell.text);
                complaints.add(at, column(line, cell.at), text);
            }
        }
    }
    counts
}

/// Reads the markers' names.
fn names(trc: &mut Trc, (at, line): (usize, &str), complaints: &mut Complaints) {
    let all = cells(line);
    let mut filled = all.iter().enumerate().filter(|(_, c)| !c.text.is_empty());
    filled.next();
    let time = filled.next();
    if !time.is_some_and(|(_, c)| c.text.to_ascii_lowercase().starts_with("time")) {
        let place = time.map_or(line.len(), |(_, c)| c.at);
        complaints.add(at, column(line, place), "Time was expected as the second column");
    }
    for (_, cell) in filled {
        if trc.markers.iter().any(|name| name == cell.text) {
            let mut copy = 2;
            while trc.markers.contains(&format!("{}_{copy}", cell.text)) {
                copy += 1;
            }
            trc.remarks.push(format!("The marker {} stands twice: the second is {0}_{copy}.", cell.text));
            trc.markers.push(format!("{}_{copy}", cell.text));
        } else {
            trc.markers.push(cell.text.to_owned());
        }
    }
    if trc.markers.is_empty() {
        complaints.add(at, column(line, line.len()), "there is no marker");
    }
}

/// The cells of the columns, from the row of X1, Y1, Z1: frame and time are the two before the first, where they are.
fn axes(line: &str, markers: usize) -> Vec<usize> {
    let all = cells(line);
    let mut below: Vec<usize> = (0..all.len()).filter(|i| is_axis(&all[*i])).collect();
    let first = below.first().copied().unwrap_or(0);
    if below.len() != 3 * markers || first < 2 {
        return Vec::new();
    }
    below.splice(0..0, [0, 1]);
    below
}

fn frame(trc: &mut Trc, (at, line): (usize, &str), below: &[usize], complaints: &mut Complaints) {
    let count = 2 + 3 * trc.markers.len();
    let cells = match row(line, count, below) {
        Ok(cells) => cells,
        Err((column, message)) => return complaints.add(at, column, message),
    };
    let mut values = Vec::with_capacity(count);
    let markers = &trc.markers;
    let name = |i: usize| match i {
        0 => "Frame#".to_owned(),
        1 => "Time".to_owned(),
        _ => format!("{} {}", markers[(i - 2) / 3], ["x", "y", "z"][(i - 2) % 3]),
    };
    numbers((at, line), &cells, &name, complaints, &mut values);
    if values[1].is_nan() && number(cells[1].text).is_some() {
        complaints.add(at, column(line, cells[1].at), "the time is missing");
    }
    if let Some(before) = trc.times.last().filter(|before| values[1] <= **before) {
        let text = format!("the time {} does not come after {before}", values[1]);
        complaints.add(at, column(line, cells[1].at), text);
    }
    trc.frames.push(values[0]);
    trc.times.push(values[1]);
    trc.positions.extend(values[2..].chunks_exact(3).map(|p| [p[0], p[1], p[2]]));
}

fn compare(trc: &mut Trc, [frames, markers]: [Option<f64>; 2]) {
    let found = [trc.times.len(), trc.markers.len()];
    for ((key, told), found) in [("NumFrames", frames), ("NumMarkers", markers)].into_iter().zip(found) {
        if let Some(told) = told.filter(|told| *told != found as f64) {
            trc.remarks.push(format!("{key} is {told} in the header, the file has {found}."));
        }
    }
}

/// Writes a marker file. Numbers read back to the same bits; missing ones are blank.
pub fn write_trc(trc: &Trc, path: &Path) -> Result<()> {
    let failed = |reason: String| GaitError::Write { path: path.to_owned(), reason };
    if let Some(name) = trc.markers.iter().find(|n| n.trim().is_empty() || n.contains(['\t', '\n', '\r'])) {
        return Err(failed(format!("{name:?} cannot stand as a marker's name")));
    }
    let title = path.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
    let (frames, markers) = (trc.times.len(), trc.markers.len());
    if trc.frames.len() != frames || trc.positions.len() != frames * markers || frames < 2 {
        return Err(failed(
            "it needs two frames or more, each with its number, its time and a place per marker".to_owned(),
        ));
    }
    let by_times = (frames - 1) as f64 / (trc.times[frames - 1] - trc.times[0]);
    let rate = trc.data_rate.or(trc.camera_rate).unwrap_or(by_times);
    let mut text = format!(
        "PathFileType\t4\t(X/Y/Z)\t{title}\nDataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\t\
         OrigDataStartFrame\tOrigNumFrames\n{}\t{}\t{frames}\t{markers}\t{}\t{}\t{}\t{}\nFrame#\tTime",
        written(rate),
        written(trc.camera_rate.unwrap_or(rate)),
        trc.units.as_deref().unwrap_or("mm"),
        written(trc.original[0].unwrap_or(rate)),
        written(trc.original[1].unwrap_or(1.0)),
        written(trc.original[2].unwrap_or(frames as f64)),
    );
    for name in &trc.markers {
        let _ = write!(text, "\t{name}\t\t");
    }
    text.push_str("\n\t");
    for i in 1..=markers {
        let _ = write!(text, "\tX{i}\tY{i}\tZ{i}");
    }
    text.push_str("\n\n");
    for (i, time) in trc.times.iter().enumerate() {
        let _ = write!(text, "{}\t{}", written(trc.frames[i]), written(*time));
        for value in trc.positions[i * markers..(i + 1) * markers].iter().flatten() {
            text.push('\t');
            if !value.is_nan() {
                text.push_str(&written(*value));
            }
        }
        text.push('\n');
    }
    std::fs::write(path, text).map_err(|e| failed(e.to_string()))
}
