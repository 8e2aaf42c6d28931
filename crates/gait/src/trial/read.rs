//! Reads a trial from its files.

use super::axes::{self, Seen, heel_and_toe};
use super::consistency::{refuse_other_size, refuse_swapped, refuse_walking};
use super::{Marker, Role, Side, StandingMarker, Trial, TrialFiles, grid, plate, role_of};
use crate::error::{Complaints, GaitError, Result};
use crate::file::{Trc, read_storage, read_trc};
use rattleback_geom::Vec3;
use std::collections::BTreeMap;
use std::path::Path;

/// Lengths of feet from heel to toe marker that people have, in m: a file outside of them has other units than it says.
const FOOT: std::ops::Range<f64> = 0.08..0.45;
/// Heights of the markers of people, in m, where there are no feet to tell.
const STATURE: std::ops::Range<f64> = 0.35..2.6;

pub(super) fn read(files: &TrialFiles) -> Result<Trial> {
    let named = files.names.as_deref().map_or_else(|| Ok(BTreeMap::new()), read_names)?;
    let trc = read_trc(&files.markers)?;
    let mut remarks = trc.remarks.clone();
    let table = files.forces.as_deref().map(read_storage).transpose()?;
    remarks.extend(table.iter().flat_map(|t| t.remarks.clone()));
    let grid = grid::find("the times of the markers", &trc.times, trc.data_rate.or(trc.camera_rate))?;
    let what = files.markers.display().to_string();
    let mut seen = seen(&trc, &named, &mut remarks);
    let still = files.still.as_deref().map(read_trc).transpose()?;
    if let Some(path) = &files.names {
        refuse_absent(path, &named, &trc, still.as_ref())?;
    }
    let scale = scale(&what, &trc, &seen, &mut remarks)?;
    let axes = axes::find(&what, &seen, scale, table.as_ref().and_then(plate::mean_force))?;
    let mut markers = Vec::with_capacity(seen.len());
    for (name, marker) in trc.markers.iter().zip(seen.drain(..)) {
        let mut positions = vec![None; grid.times.len()];
        for (place, point) in grid.places.iter().zip(marker.places) {
            positions[*place] = point.map(|p| axes.from_file(&p));
        }
        markers.push(Marker { name: name.clone(), role: marker.role, positions });
    }
    if let Some(remark) = swapped(&markers) {
        remarks.push(remark);
    }
    let plates = table.map_or_else(|| Ok(Vec::new()), |t| plate::read(&t, &axes.rotation, &mut remarks))?;
    refuse_swapped(&markers)?;
    let standing = match (files.still.as_deref(), still) {
        (Some(path), Some(trc)) => {
            let standing = standing(path, &trc, &named, &mut remarks)?;
            refuse_other_size(&path.display().to_string(), &markers, &standing)?;
            Some(standing)
        }
        _ => None,
    };
    remarks.sort();
    remarks.dedup();
    let (rate_hz, times, timing) = (grid.rate_hz, grid.times, grid.timing);
    Ok(Trial { rate_hz, times, timing, markers, plates, standing, axes, remarks })
}

/// A remark where the right side of the body is on the left: z points to the right.
fn swapped(markers: &[Marker]) -> Option<String> {
    let mut sides = [Vec::new(), Vec::new()];
    for marker in markers {
        let side = Side::BOTH.iter().position(|side| marker.role.is_some_and(|r| r.side == *side));
        if let Some(side) = side {
            sides[side].extend(marker.positions.iter().flatten().map(|p| p.z));
        }
    }
    let [right, left] = sides.map(|mut places| median(&mut places));
    (right? < left?).then(|| {
        "Right markers are to the left of left ones: names are swapped, or the file's axes are left-handed.".to_owned()
    })
}

/// Roles of a file of names: marker → role.
fn read_names(path: &Path) -> Result<BTreeMap<String, Role>> {
    let failed = |reason: String| GaitError::Read { path: path.to_owned(), reason };
    let text = std::fs::read_to_string(path).map_err(|e| failed(e.to_string()))?;
    let table: toml::Table = toml::from_str(&text).map_err(|e| failed(e.to_string()))?;
    let mut names = BTreeMap::new();
    let mut complaints = Complaints::default();
    for (key, value) in &table {
        let at = text.lines().position(|l| l.trim_start().trim_start_matches('"').starts_with(key.as_str()));
        let line = at.map_or(0, |i| i + 1);
        let Some(role) = Role::from_word(key) else {
            complaints.add(line, 1, format!("{key}: is no role; roles are {}", Role::words().join(", ")));
            continue;
        };
        let one = value.as_str().map(|v| vec![v.to_owned()]);
        let many = || value.as_array()?.iter().map(|v| v.as_str().map(str::to_owned)).collect();
        match one.or_else(many) {
            Some(markers) => names.extend(markers.into_iter().map(|m| (m, role))),
            None => complaints.add(
                line,
                1,
                format!("{key}: the name of a marker or a list of names was expected"),
            ),
        }
    }
    complaints.finish(path)?;
    Ok(names)
}

/// An error where roles are given to markers that neither the walk nor the static trial has.
fn refuse_absent(path: &Path, named: &BTreeMap<String, Role>, walk: &Trc, still: Option<&Trc>) -> Result<()> {
    let text = std::fs::read_to_string(path)
        .map_err(|e| GaitError::Read { path: path.to_owned(), reason: e.to_string() })?;
    let mut complaints = Complaints::default();
    for name in named.keys() {
        if walk.markers.contains(name) || still.is_some_and(|s| s.markers.contains(name)) {
            continue;
        }
        let quoted = format!("\"{name}\"");
        let line = text.lines().position(|l| l.contains(&quoted)).map_or(0, |i| i + 1);
        let column =
            text.lines().nth(line.saturating_sub(1)).and_then(|l| l.find(&quoted)).map_or(1, |i| i + 1);
        let has = walk.markers.join(", ");
        complaints.add(line, column, format!("no marker is named {name}; the walk has: {has}"));
    }
    complaints.finish(path)
}

/// What all names begin with, up to a separator: the subject's initials, as `JD_`, or its name.
fn common_prefix(names: &[String]) -> &str {
    let Some(first) = names.first() else { return "" };
    let ends = first.char_indices().filter(|(_, c)| matches!(c, '_' | '-' | ' ' | '.' | '/'));
    // The longest that all names have.
    let is_common = |prefix: &&str| names.len() > 2 && names.iter().all(|n| n.starts_with(prefix));
    ends.map(|(i, c)| &first[..i + c.len_utf8()]).rfind(is_common).unwrap_or("")
}

/// The markers' roles and places, in the file's axes and units; (0, 0, 0) to the last digit is how some programs
/// write a missing one.
fn seen(trc: &Trc, named: &BTreeMap<String, Role>, remarks: &mut Vec<String>) -> Vec<Seen> {
    let taken: Vec<Role> = named.values().copied().collect();
    let prefix = common_prefix(&trc.markers);
    let mut zeros = 0;
    let mut all = Vec::with_capacity(trc.markers.len());
    for (i, name) in trc.markers.iter().enumerate() {
        // A role given in the file of names is not also guessed for another marker.
        let bare = &name[prefix.len()..];
        let role = named.get(name).copied().or_else(|| role_of(bare).filter(|r| !taken.contains(r)));
        let places = (0..trc.times.len())
            .map(|frame| {
                let p = trc.position(frame, i);
                zeros += usize::from(p == [0.0; 3]);
                (p != [0.0; 3] && p.iter().all(|v| v.is_finite())).then(|| Vec3::from(p))
            })
            .collect();
        all.push(Seen { role, places });
    }
    if zeros > 0 {
        remarks.push(format!("{zeros} places of markers are exactly (0, 0, 0) and count as missing."));
    }
    all
}

/// Metres per unit: by the header, unless feet or body have no human size by it.
fn scale(what: &str, trc: &Trc, seen: &[Seen], remarks: &mut Vec<String>) -> Result<f64> {
    let units = trc.units.as_deref().map(str::to_ascii_lowercase);
    let told = match units.as_deref() {
        Some("mm" | "millimeter" | "millimeters" | "millimetres") => Some(1e-3),
        Some("cm" | "centimeter" | "centimeters" | "centimetres") => Some(1e-2),
        Some("m" | "meter" | "meters" | "metre" | "metres") => Some(1.0),
        _ => None,
    };
    let (size, range, of) = match (foot_length(seen), extent(seen)) {
        (Some(foot), _) => (foot, FOOT, "feet"),
        (None, Some(extent)) => (extent, STATURE, "a body"),
        (None, None) => return Err(GaitError::unsupported(what, "no marker is seen in any frame")),
    };
    if let Some(told) = told.filter(|told| range.contains(&(told * size))) {
        return Ok(told);
    }
    let Some(found) = [1.0, 1e-2, 1e-3].into_iter().find(|scale| range.contains(&(scale * size))) else {
        let unit = trc.units.as_deref().unwrap_or("units");
        return Err(GaitError::unsupported(
            what,
            format!("{of} of {size:.3} {unit} fit no unit: not mm, cm or m"),
        ));
    };
    let name = if found == 1.0 {
        "m"
    } else if found == 1e-2 {
        "cm"
    } else {
        "mm"
    };
    remarks.push(match (told, &trc.units) {
        (Some(told), Some(unit)) => {
            format!(
                "The header says {unit}, by which {of} are {:.3} m long: the numbers are {name}.",
                told * size
            )
        }
        (_, Some(unit)) => {
            format!("The unit {unit} is not known; by the size of {of} the numbers are {name}.")
        }
        (_, None) => format!("The header has no unit; by the size of {of} the numbers are {name}."),
    });
    Ok(found)
}

/// The median distance from heel to toe, in the file's units.
fn foot_length(seen: &[Seen]) -> Option<f64> {
    let mut lengths: Vec<f64> = Side::BOTH
        .into_iter()
        .filter_map(|side| heel_and_toe(seen, side))
        .flat_map(|(heel, toe)| heel.places.iter().zip(&toe.places))
        .filter_map(|(heel, toe)| Some(((*toe)? - (*heel)?).norm()))
        .collect();
    median(&mut lengths)
}

/// The median over frames of the largest extent of all markers along an axis, in the file's units.
fn extent(seen: &[Seen]) -> Option<f64> {
    let frames = seen.first()?.places.len();
    let mut extents: Vec<f64> = (0..frames)
        .filter_map(|frame| {
            let mut places = seen.iter().filter_map(|s| s.places[frame]);
            let first = places.next()?;
            let (low, high) = places.fold((first, first), |(low, high), p| (low.inf(&p), high.sup(&p)));
            Some((high - low).amax())
        })
        .collect();
    median(&mut extents)
}

fn median(values: &mut [f64]) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

/// The static trial: the median place of every marker, in its own axes found the same way.
fn standing(
    path: &Path,
    trc: &Trc,
    named: &BTreeMap<String, Role>,
    remarks: &mut Vec<String>,
) -> Result<Vec<StandingMarker>> {
    let what = path.display().to_string();
    let mut own = trc.remarks.clone();
    let seen = seen(trc, named, &mut own);
    let scale = scale(&what, trc, &seen, &mut own)?;
    let axes = axes::find(&what, &seen, scale, None)?;
    remarks.extend(own.into_iter().map(|remark| format!("{what}: {remark}")));
    let places = |marker: &Seen| marker.places.iter().flatten().map(|p| axes.from_file(p)).collect();
    let tracks: Vec<_> =
        trc.markers.iter().zip(&seen).map(|(name, m)| (m.role, name.as_str(), places(m))).collect();
    refuse_walking(&what, &tracks)?;
    let mut markers = Vec::new();
    for (name, marker) in trc.markers.iter().zip(&seen) {
        let axis = |k: usize| {
            let mut values: Vec<f64> = marker.places.iter().flatten().map(|p| axes.from_file(p)[k]).collect();
            median(&mut values)
        };
        if let (Some(x), Some(y), Some(z)) = (axis(0), axis(1), axis(2)) {
            markers.push(StandingMarker {
                name: name.clone(),
                role: marker.role,
                position: Vec3::new(x, y, z),
            });
        }
    }
    Ok(markers)
}
