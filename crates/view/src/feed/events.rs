//! Contacts from beginning to end, as far as they have ended: marks on the line of time.

use super::Feed;
use crate::error::Result;
use rattleback_record::{Columns, ResultFolder, Sheet};
use serde_json::{Value, json};

/// The most events that are told: those with the greatest forces.
const MOST: usize = 2000;
/// Files longer than this are not read: a line of time has no room for what is in them.
const BYTES: u64 = 64 << 20;

impl Feed {
    /// The events so far.
    pub fn events(&self) -> Result<Value> {
        let none = |reason: &str| Ok(json!({"events": [], "total": 0, "remark": reason}));
        let Some(folder) = self.folder() else { return none("") };
        let length = std::fs::metadata(folder.join("events.csv")).map_or(0, |file| file.len());
        if length > BYTES {
            return none("there are too many events to show");
        }
        if length == 0 {
            return none("");
        }
        let sheet = ResultFolder::open(folder)?.sheet(Sheet::Events)?;
        let mut events = rows(&sheet)?;
        let total = events.len();
        events.sort_by(|a, b| b.force.total_cmp(&a.force));
        events.truncate(MOST);
        events.sort_by(|a, b| a.start.total_cmp(&b.start));
        let told: Vec<Value> = events
            .iter()
            .map(|event| {
                json!({
                    "a": event.bodies[0], "b": event.bodies[1], "start": event.start, "end": finite(event.end),
                    "force": finite(event.force), "peak": finite(event.peak), "approach": finite(event.approach),
                    "overlap": finite(event.overlap),
                })
            })
            .collect();
        Ok(json!({"events": told, "total": total, "remark": ""}))
    }
}

struct Event<'s> {
    bodies: [&'s str; 2],
    start: f64,
    end: f64,
    force: f64,
    peak: f64,
    approach: f64,
    overlap: f64,
}

fn rows(sheet: &Columns) -> Result<Vec<Event<'_>>> {
    let (a, b) = (sheet.text("body_a")?, sheet.text("body_b")?);
    let column = |name: &str| sheet.numbers(name);
    let (start, end, force) = (column("start_s")?, column("end_s")?, column("peak_force_N")?);
    let (peak, approach) = (column("peak_time_s")?, column("approach_speed_m_per_s")?);
    let overlap = column("deepest_overlap_m")?;
    let event = |k: usize| Event {
        bodies: [a[k], b[k]],
        start: start[k],
        end: end[k],
        // An event without a force is shown after all others.
        force: if force[k].is_nan() { 0.0 } else { force[k] },
        peak: peak[k],
        approach: approach[k],
        overlap: overlap[k],
    };
    Ok((0..sheet.rows()).map(event).collect())
}

/// JSON has no NaN.
fn finite(x: f64) -> Option<f64> {
    x.is_finite().then_some(x)
}
