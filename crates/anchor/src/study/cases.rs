//! Which manoeuvres are followed: a built-in set, or those of files.

use super::Case;
use crate::ManoeuvreScene;
use crate::manoeuvre::{AnchorParts, Bow, Manoeuvre};
use crate::scene_of;
use crate::solid::{Anchor, Hull};
use rattleback_dynamics::Result;
use rattleback_scene::Scene;

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

/// Three hulls, three ways to begin each, followed for so many seconds at most.
pub fn built_in(duration: f64) -> Result<Vec<Case>> {
    let anchor = AnchorParts::from_anchor(&Anchor::new(MASS)?)?;
    let mut cases = Vec::new();
    for (variant, hull) in hulls() {
        let usual = Manoeuvre::new(Bow::from_hull(&hull)?, anchor.clone(), CHAIN);
        let quiet = Manoeuvre { depth: DEPTH, speed: SPEED, ..usual };
        for (start, manoeuvre) in starts(&quiet) {
            let scene = scene_of(&format!("{variant}, {start}"), manoeuvre, duration)?;
            cases.extend(Case::new(variant, start, scene));
        }
    }
    Ok(cases)
}

impl Case {
    /// A case of a scene; none where it has no `manoeuvre`.
    pub fn new(variant: &str, start: &str, scene: Scene) -> Option<Self> {
        let known = ManoeuvreScene::of(&scene)?.clone();
        Some(Self { variant: variant.to_owned(), start: start.to_owned(), scene, known })
    }
}
