//! Which manoeuvres are followed: a built-in set, or those of files.

use super::Case;
use crate::failure::Failure;
use rattleback_dynamics::manoeuvre::{AnchorParts, Bow, Manoeuvre};
use rattleback_geom::solid::{Anchor, Hull};
use rattleback_scene::{Scene, read_scene};
use std::path::PathBuf;

/// Mass of the anchor in kg, diameter of chain and pipe in m.
const MASS: f64 = 3000.0;
const CHAIN: f64 = 0.056;
const PIPE: f64 = 0.6;
/// The largest distance of the hull's mesh from its surface, in m.
const CHORD: f64 = 0.005;
/// How far below the lip the shackle hangs, in m, and how fast it is heaved, in m/s.
const DEPTH: f64 = 1.0;
const SPEED: f64 = 0.3;

/// The hulls by name.
fn hulls() -> [(&'static str, Hull); 3] {
    let degrees = f64::to_radians;
    let steep = Hull { chord: CHORD, pipe_angle: degrees(60.0), flare: degrees(10.0), ..Hull::new(PIPE) };
    [
        ("steep pipe", steep),
        ("flare and small lip", Hull { lip_radius: 0.07, flare: degrees(30.0), ..steep }),
        ("shallow pipe", Hull { pipe_angle: degrees(40.0), ..steep }),
    ]
}

/// The ways to begin by name.
fn starts(quiet: &Manoeuvre) -> [(&'static str, Manoeuvre); 3] {
    let across = Manoeuvre { heading: 90_f64.to_radians(), lean: 10_f64.to_radians(), ..quiet.clone() };
    let swinging = Manoeuvre { swing_speed: 0.8, tilt: 30_f64.to_radians(), ..quiet.clone() };
    [("quiet", quiet.clone()), ("across and leaning", across), ("swinging", swinging)]
}

pub fn built_in(duration: f64) -> Result<Vec<Case>, Failure> {
    let failed = |error: rattleback_dynamics::DynamicsError| Failure::input(error.to_string());
    let anchor = Anchor::new(MASS).map_err(|error| Failure::input(error.to_string()))?;
    let anchor = AnchorParts::from_anchor(&anchor).map_err(failed)?;
    let mut cases = Vec::new();
    for (variant, hull) in hulls() {
        let bow = Bow::from_hull(&hull).map_err(failed)?;
        let usual = Manoeuvre::new(bow, anchor.clone(), CHAIN);
        let quiet = Manoeuvre { depth: DEPTH, speed: SPEED, ..usual };
        for (start, manoeuvre) in starts(&quiet) {
            let title = format!("{variant}, {start}");
            let scene = Scene::of_manoeuvre(&title, manoeuvre, duration).map_err(failed)?;
            cases.push(Case { variant: variant.to_owned(), start: start.to_owned(), scene });
        }
    }
    Ok(cases)
}

pub fn of_files(files: &[PathBuf]) -> Result<Vec<Case>, Failure> {
    let mut cases = Vec::new();
    for file in files {
        let scene = read_scene(file)?;
        if scene.rig.is_none() {
            return Err(Failure::input(format!("{}: it has no `manoeuvre`", file.display())));
        }
        let variant = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        cases.push(Case { variant, start: scene.title.clone(), scene });
    }
    Ok(cases)
}
