//! A manoeuvre as a scene of its own, and what follows its runs.

use crate::manoeuvre::{Manoeuvre, ManoeuvreOutcome, Peak, Rig, Verdict, Watch};
use crate::stored::StoredWatch;
use rattleback_dynamics::{Instant, Result};
use rattleback_geom::Vec3;
use rattleback_scene::read::Json;
use rattleback_scene::{ApplicationScene, Monitor, Scene};
use serde::Deserialize;
use serde_json::json;
use std::any::Any;
use std::sync::Arc;

/// A manoeuvre, and the ids of its parts in the model.
#[derive(Debug, Clone)]
pub struct ManoeuvreScene {
    /// The manoeuvre.
    pub manoeuvre: Manoeuvre,
    /// Its model.
    pub rig: Arc<Rig>,
}

impl ManoeuvreScene {
    /// The manoeuvre that a scene is, if it is one.
    pub fn of(scene: &Scene) -> Option<&Self> {
        let scene: &dyn Any = scene.application.as_deref()?;
        scene.downcast_ref()
    }
}

impl ApplicationScene for ManoeuvreScene {
    fn monitor(&self, memory: Option<&Json>) -> std::result::Result<Box<dyn Monitor>, String> {
        let watch = match memory {
            Some(memory) => StoredWatch::deserialize(memory).map_err(|error| error.to_string())?.watch(),
            None => Watch::default(),
        };
        Ok(Box::new(ManoeuvreMonitor { rig: Arc::clone(&self.rig), watch }))
    }
}

/// A run of a manoeuvre under watch.
#[derive(Debug)]
struct ManoeuvreMonitor {
    rig: Arc<Rig>,
    watch: Watch,
}

impl Monitor for ManoeuvreMonitor {
    fn see(&mut self, instant: &Instant<'_>) {
        self.watch.see(&self.rig, instant);
    }

    fn memory(&self) -> Result<Json> {
        Ok(json!(StoredWatch::new(&self.watch)?))
    }

    fn verdict(&self) -> Option<rattleback_scene::Verdict> {
        let verdict = self.watch.verdict(&self.rig)?;
        let deepest = self.watch.deepest;
        Some(rattleback_scene::Verdict {
            lines: lines(&verdict, deepest, &self.rig),
            json: told(&verdict, deepest, &self.rig),
        })
    }
}

/// What a peak is of, in the order of the watch.
const PARTS: [&str; 3] = ["head", "shank", "chain"];

/// The verdict for a person; the deepest overlap is in m.
fn lines(verdict: &Verdict, deepest: f64, rig: &Rig) -> Vec<String> {
    let mut lines = vec![outcome(verdict), pose(verdict, rig), pull(verdict, rig)];
    if matches!(verdict.outcome, ManoeuvreOutcome::Jammed | ManoeuvreOutcome::Askew)
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
    lines.push(format!("Deepest overlap: {:.2} mm.", 1e3 * deepest));
    lines
}

fn outcome(verdict: &Verdict) -> String {
    let last = verdict.last.time;
    match verdict.outcome {
        ManoeuvreOutcome::Stowed => {
            format!("Stowed: at rest since t = {:.1} s, bearing on both sides.", verdict.time)
        }
        ManoeuvreOutcome::Askew => {
            format!("Askew: at rest since t = {:.1} s, bearing on one side.", verdict.time)
        }
        ManoeuvreOutcome::Jammed => {
            format!("Jammed: at rest since t = {:.1} s, not far enough in.", verdict.time)
        }
        ManoeuvreOutcome::Hanging => format!("Hanging: on its way at t = {last:.1} s."),
        ManoeuvreOutcome::Swinging => format!("Swinging: on the move at t = {last:.1} s."),
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

fn pull(verdict: &Verdict, rig: &Rig) -> String {
    let (end, most) = (kilonewtons(verdict.last.tension), kilonewtons(verdict.tension));
    let told = format!("Pull of the windlass: {end} in the end, {most} at most.");
    let (limit, brake) = (rig.windlass.limit, rig.windlass.brake);
    if verdict.tension <= limit {
        return told;
    }
    // Above the limit ℓ̇ ≥ 0: the law of the windlass winds nothing in.
    format!(
        "{told} Above {} its drive stands still and the line is held, by the brake up to {}.",
        kilonewtons(limit),
        kilonewtons(brake)
    )
}

fn hardest(part: &str, peak: Option<&Peak>) -> Option<String> {
    let peak = peak?;
    let force = kilonewtons(peak.force);
    Some(format!("Hardest contact of the {part}: {force} at t = {:.2} s, {}.", peak.time, point(&peak.point)))
}

pub(crate) fn kilonewtons(force: f64) -> String {
    format!("{:.1} kN", 1e-3 * force)
}

pub(crate) fn point(p: &Vec3) -> String {
    format!("({:.2}, {:.2}, {:.2}) m", p.x, p.y, p.z)
}

/// The verdict for programs.
fn told(verdict: &Verdict, deepest: f64, rig: &Rig) -> Json {
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
        "deepest_m": deepest,
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
