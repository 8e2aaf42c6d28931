//! Fig. 6: frames of the bowl under three limits on the steps; Fig. 10: the rattleback from above and in front; Fig.
//! 11: frames of it with its past in grey.

use super::bowl::{self, DURATION};
use super::stone::{self, Damping, SPIN};
use crate::Result;
use crate::still::{GREY, Stood, View, still};
use rattleback_dynamics::rolling::{Rolling, Settings};
use rattleback_dynamics::{Accuracy, Motion};
use rattleback_geom::Vec3;
use rattleback_record::Document;
use rattleback_record::picture::{Camera, Marks, Shot, Stage, contact_sheet};
use rattleback_scene::Scene;

/// Frames of a column of Fig. 6, half a second apart.
const FRAMES: u32 = 6;
/// When the rattleback is shown, in s: spinning, rocking, turning back, turning the other way.
const INSTANTS: [f64; 6] = [0.5, 4.0, 7.0, 8.5, 9.5, 12.0];
/// How many past positions are shown of it, and how far apart in s.
const PAST: u32 = 4;
const APART: f64 = 0.08;
/// How much lower each is drawn than the next, in m: the present must lie on top.
const LOWER: f64 = 0.12;
/// The colour of the rattleback.
const STONE: [u8; 3] = [214, 140, 70];

/// Where the bodies are at rising times, in s.
fn motions_at(scene: &Scene, settings: Settings, times: &[f64]) -> Result<Vec<Vec<Motion>>> {
    let mut run = Rolling::new(&scene.model, scene.state.clone(), settings)?;
    let mut all = Vec::new();
    for &time in times {
        if time > run.state().time {
            run.advance(time, &mut |_| Ok(()))?;
        }
        all.push(run.state().motions.clone());
    }
    Ok(all)
}

/// Adds Fig. 6: the limits, in s, are its columns.
pub(super) fn add_bowl(report: &mut Document, limits: &[f64]) -> Result<()> {
    let scene = bowl::scene()?;
    let stage = Stage::new(&scene.model)?;
    let times: Vec<f64> = (0..FRAMES).map(|k| DURATION * f64::from(k) / f64::from(FRAMES)).collect();
    let mut columns = Vec::new();
    for &longest in limits {
        columns.push(motions_at(&scene, bowl::settings(&scene, longest)?, &times)?);
    }
    let instants = columns.iter().flatten().map(Vec::as_slice);
    let camera = stage.camera(instants, 4.0 / 3.0)?;
    let mut images = Vec::new();
    for row in 0..FRAMES as usize {
        for (column, longest) in columns.iter().zip(limits) {
            let label = format!("{:.1} s, steps up to {:.0} ms", times[row], 1e3 * longest);
            let shot = Shot { width: 400, height: 300, label, ..Shot::new(camera) };
            images.push(stage.draw(&column[row], &shot)?.image);
        }
    }
    let sheet = contact_sheet(&images, limits.len())?;
    let caption = "Fig. 6: the bowl thrown on the table, one column per limit on the steps, half a second from row to row.";
    report.picture("fig-6", sheet.to_png()?, caption);
    Ok(())
}

/// Adds Figs 10 and 11.
pub(super) fn add_stone(report: &mut Document) -> Result<()> {
    let scene = stone::scene(Damping::default(), SPIN)?;
    let shape = &scene.model.bodies()[1].parts[0];
    let at = |motion: &Motion| motion.pose.compose(&shape.pose);
    let upright = rattleback_geom::Pose::identity();
    let mut views = Vec::new();
    for (label, from) in [("from above", [0.0, 0.0, 1.0]), ("from the front", [0.0, -1.0, 0.0])] {
        let view = View { width: 560, height: 320, from: Some(from) };
        let stood = vec![Stood::new(shape.shape.clone(), upright.compose(&shape.pose), STONE)];
        views.push(still(stood, Marks::default(), label, view)?);
    }
    let caption = "Fig. 10: the rattleback, one bicubic patch, from above and from the front.";
    report.picture("fig-10", contact_sheet(&views, 2)?.to_png()?, caption);
    let settings = Settings {
        accuracy: Accuracy { relative: 1e-9, absolute: 1e-11 },
        longest_step: 0.01,
        ..Settings::default()
    };
    let times: Vec<f64> =
        INSTANTS.iter().flat_map(|end| (0..=PAST).rev().map(move |k| end - APART * f64::from(k))).collect();
    let motions = motions_at(&scene, settings, &times)?;
    let camera =
        Camera { eye: Vec3::new(0.0, -0.1, 2.2), target: Vec3::zeros(), up: Vec3::y(), field_of_view: 0.56 };
    let mut images = Vec::new();
    for (frame, end) in motions.chunks(PAST as usize + 1).zip(INSTANTS) {
        let mut stood = Vec::new();
        for (k, motions) in frame.iter().enumerate() {
            let colour =
                if k == PAST as usize { STONE } else { GREY.map(|c| c + 20 * (PAST as u8 - k as u8)) };
            let mut pose = at(&motions[1]);
            pose.position.z -= LOWER * f64::from(PAST - k as u32);
            stood.push(Stood::new(shape.shape.clone(), pose, colour));
        }
        let view = View { width: 480, height: 300, from: None };
        images.push(crate::still::seen(stood, Marks::default(), &format!("{end:.1} s"), view, Some(camera))?);
    }
    let caption = "Fig. 11: the rattleback from above, its past at 80 ms from each other in grey, drawn lower: spun counter-clockwise, it rocks, \
                   turns back after 8.6 s and goes on clockwise.";
    report.picture("fig-11-frames", contact_sheet(&images, 3)?.to_png()?, caption);
    Ok(())
}
