//! The curves of a page to send.

use crate::error::Result;
use crate::feed::Feed;
use rattleback_dynamics::Motion;
use rattleback_record::report::{Spring, motion_of};
use rattleback_record::{Kind, Sheet};
use std::collections::HashMap;

/// Numbers of curves at most.
const NUMBERS: usize = 3 << 20;

/// Whose curves they are, and where the first one stands.
struct Owners<'m> {
    /// Rows of sheets by their names.
    rows: HashMap<(Sheet, &'m str), usize>,
    springs: Vec<(Spring, usize)>,
    names: Vec<String>,
}

/// The curves of all energies, springs, joints, windlasses and bodies that there is room for, in one pass over the
/// sheets: their names, and the bytes of `feed/series.rs`.
pub(super) fn curves(feed: &Feed, frames: &[u64]) -> Result<(Vec<String>, Vec<u8>)> {
    let numbers: Vec<String> = (1..=feed.scene().model.windlasses().count()).map(|k| k.to_string()).collect();
    let owners = owners(feed, frames.len(), &numbers);
    let mut values = vec![vec![f64::NAN; frames.len()]; owners.names.len()];
    let mut times = Vec::with_capacity(frames.len());
    let indices = feed.indices();
    for &frame in frames {
        let place = times.len();
        let Some(time) =
            feed.index_of(&indices, Sheet::States).rows_from(frame)?.and_then(|rows| rows.time())
        else {
            break;
        };
        let mut motions: HashMap<String, Motion> = HashMap::new();
        for sheet in [Sheet::Energies, Sheet::Joints, Sheet::Windlasses, Sheet::States] {
            let Some(mut rows) = feed.index_of(&indices, sheet).rows_from_time(time)? else { continue };
            while rows.time() == Some(time) {
                let owner = if sheet == Sheet::Energies { "" } else { rows.cell(1) };
                if sheet == Sheet::States
                    && owners.springs.iter().any(|(own, _)| own.between.iter().any(|name| name == owner))
                {
                    motions.insert(owner.to_owned(), motion_of(&rows)?);
                }
                if let Some(&first) = owners.rows.get(&(sheet, owner)) {
                    for (curve, (column, _)) in floats(sheet).enumerate() {
                        values[first + curve][place] = rows.number(column)?;
                    }
                }
                rows.advance()?;
            }
        }
        for (spring, first) in &owners.springs {
            if let [Some(a), Some(b)] = spring.between.each_ref().map(|name| motions.get(name)) {
                for (curve, value) in spring.values(time, [*a, *b])?.into_iter().enumerate() {
                    values[first + curve][place] = value;
                }
            }
        }
        times.push(time);
    }
    let mut bytes = (times.len() as u32).to_le_bytes().to_vec();
    bytes.extend_from_slice(&(owners.names.len() as u32).to_le_bytes());
    for number in times.iter().chain(values.iter().flat_map(|curve| &curve[..times.len()])) {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
    Ok((owners.names, bytes))
}

/// The columns of a sheet that are curves, and their places.
fn floats(sheet: Sheet) -> impl Iterator<Item = (usize, &'static str)> {
    let columns = sheet.columns().iter().enumerate();
    columns.filter(|(k, column)| *k > 0 && column.kind == Kind::Float).map(|(k, column)| (k, column.name))
}

fn owners<'m>(feed: &'m Feed, frames: usize, windlasses: &'m [String]) -> Owners<'m> {
    let model = &feed.scene().model;
    let mut owners = Owners { rows: HashMap::new(), springs: Vec::new(), names: Vec::new() };
    let is_room = |owners: &Owners<'_>, count: usize| (owners.names.len() + count) * frames <= NUMBERS;
    let first = std::iter::once((Sheet::Energies, ""))
        .chain(windlasses.iter().map(|number| (Sheet::Windlasses, number.as_str())))
        .chain(model.joints().iter().map(|joint| (Sheet::Joints, joint.name.as_str())));
    let add = |owners: &mut Owners<'m>, sheet: Sheet, owner: &'m str| {
        if !is_room(owners, floats(sheet).count()) {
            return false;
        }
        owners.rows.insert((sheet, owner), owners.names.len());
        let prefix = match sheet {
            Sheet::Energies => "energy".to_owned(),
            Sheet::Joints => format!("joint {owner}"),
            Sheet::Windlasses => format!("windlass {owner}"),
            _ => owner.to_owned(),
        };
        owners.names.extend(floats(sheet).map(|(_, column)| format!("{prefix}.{column}")));
        true
    };
    for (sheet, owner) in first {
        if !add(&mut owners, sheet, owner) {
            return owners;
        }
    }
    for spring in Spring::all(model) {
        if !is_room(&owners, spring.columns().len()) {
            return owners;
        }
        let place = owners.names.len();
        owners.names.extend(spring.columns().iter().map(|column| format!("{}.{}", spring.name, column.name)));
        owners.springs.push((spring, place));
    }
    for body in model.bodies().iter().filter(|body| body.is_free()) {
        if !add(&mut owners, Sheet::States, &body.name) {
            break;
        }
    }
    owners
}
