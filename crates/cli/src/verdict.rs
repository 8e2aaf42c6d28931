//! What became of an anchor manoeuvre, in a few lines and for programs.

use crate::report::VERDICT;
use rattleback_dynamics::manoeuvre::{Outcome, Peak, Rig, Verdict, Watch};
use rattleback_geom::Vec3;
use rattleback_record::{RecordError, WholeFile};
use serde_json::{Value, json};
use std::path::Path;

/// What a peak is of, in the order of the watch.
const PARTS: [&str; 3] = ["head", "shank", "chain"];

/// Writes the lines into a result folder.
pub fn write(watch: &Watch, rig: &Rig, folder: &Path) -> Result<(), RecordError> {
    let lines = lines(watch, rig);
    if lines.is_empty() {
        Ok(())
    } else {
        WholeFile::write(&folder.join(VERDICT), lines.join("\n").as_bytes())
    }
}

/// The lines.
pub fn lines(watch: &Watch, rig: &Rig) -> Vec<String> {
    let Some(verdict) = watch.verdict(rig) else { return Vec::new() };
    let mut lines = vec![outcome(&verdict), pose(&verdict, rig), pull(&verdict)];
    if matches!(verdict.outcome, Outcome::Jammed | Outcome::Askew)
        && let Some(place) = verdict.bears.first()
    {
        lines.push(format!(
            "It is held hardest at {}: {} with {}.",
            point(&place.point),
            place.body,
            kilonewtons(place.force)
        ));
    }
    lines.extend(PARTS.iter().zip(&verdict.peaks).filter_map(|(part, peak)| hardest(part, peak.as_ref())));
    lines.push(format!("Deepest overlap: {:.2} mm.", 1e3 * watch.deepest));
    lines
}

fn outcome(verdict: &Verdict) -> String {
    let last = verdict.last.time;
    match verdict.outcome {
        Outcome::Stowed => format!("Stowed: at rest since t = {:.1} s, bearing on both sides.", verdict.time),
        Outcome::Askew => format!("Askew: at rest since t = {:.1} s, bearing on one side.", verdict.time),
        Outcome::Jammed => format!("Jammed: at rest since t = {:.1} s, not far enough in.", verdict.time),
        Outcome::Hanging => format!("Hanging: on its way at t = {last:.1} s."),
        Outcome::Swinging => format!("Swinging: on the move at t = {last:.1} s."),
    }
}

fn pose(verdict: &Verdict, rig: &Rig) -> String {
    let last = &verdict.last;
    let depth = if last.entered < 0.0 { "outside the pipe by" } else { "in the pipe by" };
    format!(
        "The shackle is {depth} {:.2} m, the shank is {:.2} m long; it stands at {:.1}° to the pipe, the head at {:.1}° to it.",
        last.entered.abs(),
        rig.shank_length,
        last.askew.to_degrees(),
        last.tilt.to_degrees()
    )
}

fn pull(verdict: &Verdict) -> String {
    let (end, most) = (kilonewtons(verdict.last.tension), kilonewtons(verdict.tension));
    format!("Pull of the windlass: {end} in the end, {most} at most.")
}

fn hardest(part: &str, peak: Option<&Peak>) -> Option<String> {
    let peak = peak?;
    let force = kilonewtons(peak.force);
    Some(format!("Hardest contact of the {part}: {force} at t = {:.2} s, {}.", peak.time, point(&peak.point)))
}

pub fn kilonewtons(force: f64) -> String {
    format!("{:.1} kN", 1e-3 * force)
}

pub fn point(p: &Vec3) -> String {
    format!("({:.2}, {:.2}, {:.2}) m", p.x, p.y, p.z)
}

/// The verdict for programs.
pub fn told(watch: &Watch, rig: &Rig) -> Value {
    let Some(verdict) = watch.verdict(rig) else { return Value::Null };
    let last = &verdict.last;
    let at = |p: &Vec3| [p.x, p.y, p.z];
    let peak = |peak: &Option<Peak>| {
        peak.as_ref()
            .map(|p| json!({"body": p.body, "force_N": p.force, "time_s": p.time, "point_m": at(&p.point)}))
    };
    let bears = verdict.bears.iter();
    json!({
        "outcome": verdict.outcome.word(),
        "time_s": verdict.time,
        "entered_m": last.entered,
        "shank_length_m": rig.shank_length,
        "angle_to_pipe_rad": last.askew,
        "head_angle_rad": last.tilt,
        "pull_end_N": last.tension,
        "pull_most_N": verdict.tension,
        "deepest_m": watch.deepest,
        "hardest": {
            "head": peak(&verdict.peaks[0]),
            "shank": peak(&verdict.peaks[1]),
            "chain": peak(&verdict.peaks[2]),
        },
        "bears": bears
            .map(|place| json!({"body": place.body, "force_N": place.force, "point_m": at(&place.point)}))
            .collect::<Vec<_>>(),
    })
}
