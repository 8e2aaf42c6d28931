//! The dropped foot and the driven leg: forces over time and over depth, pictures, energies.

use super::{figure, percent, series};
use crate::forward::{Drive, JointName, SceneRun};
use crate::predict::{Walk, foot_of_plate, loaded_intervals};
use crate::{GaitError, Result};
use rattleback_geom::Vec3;
use rattleback_record::picture::{Arrow, Camera, Marks, Shot, Stage};
use rattleback_record::{Document, Figure, Table};

/// Metres of arrow for the weight of the body.
const ARROW: f64 = 0.3;
/// A body bears at all from this share of the greatest force on.
const BEARS: f64 = 0.01;

/// Adds a run of the dropped foot to a document: the forces of its bodies over time and over depth, and pictures.
pub fn add_drop(document: &mut Document, run: &SceneRun, length: f64) -> Result<()> {
    let order = order(run);
    document.text(format!(
        "Dropped on its heel, the foot rolls over: {} (forward dynamics, {:.0} ms; the ledger is off by {:.1e} J of {:.1e} J).",
        if order.is_empty() { "nothing touches".to_owned() } else { order.join(", then ") },
        1e3 * run.times.last().copied().unwrap_or(0.0),
        run.drift,
        run.kinetic
    ));
    document.table("Force over depth: what each body's loop encloses", loops(run));
    document.figure("drop-force", over_time(run, "Dropped foot: force of each body"));
    document.figure("drop-penetration", over_depth(run, "Dropped foot: force of each body over its depth"));
    let last = run.times.len().saturating_sub(1);
    let at: Vec<usize> = [0.13, 0.3, 0.55, 1.0].iter().map(|s| (s * last as f64) as usize).collect();
    let scale = 0.3 * length / run.force.iter().map(|f| f.y).fold(1e-9, f64::max);
    for (k, i) in at.into_iter().enumerate() {
        let centre = run.motions[i].last().map_or_else(Vec3::zeros, |m| m.pose.position);
        let target = Vec3::new(centre.x - 0.4 * length, 0.25 * length, 0.0);
        let camera = Camera {
            eye: target + Vec3::new(0.0, 0.4 * length, 4.0 * length),
            target,
            up: Vec3::y(),
            field_of_view: 0.5,
        };
        let (png, caption) = picture(run, i, camera, scale)?;
        document.picture(format!("drop-{}", k + 1), png, format!("Dropped, {caption}"));
    }
    Ok(())
}

/// The document of a driven leg.
pub fn leg_document(name: &str, walk: &Walk, drive: &Drive, run: &SceneRun) -> Result<Document> {
    let side = drive.side.word();
    let [strike, off] = drive.stance.map(|t| t + drive.start);
    let mut document =
        Document::new(&format!("{name}: the {side} leg driven by its joint angles, {strike:.3}–{off:.3} s"));
    document.text(format!(
        "Forward dynamics: the joints have the file's angles, the pelvis travels as its markers do and is free to rise and fall \
         under the body's weight of {:.1} N; the other foot carries what was predicted for it, the ground the rest.",
        drive.weight
    ));
    document.text(format!(
        "Angles and links miss the markers' ankle by {:.1} mm (root mean square). A hinged leg hands such errors on to the ground as \
         accelerations of the whole body, so that its force is no prediction: gait predict gives that.",
        1e3 * drive.leg.ankle_error
    ));
    let order = order(run);
    document.text(format!(
        "The foot bears on {}.",
        if order.is_empty() { "nothing".to_owned() } else { order.join(", then ") }
    ));
    if !drive.leg.angles.toes_move() {
        document.text("The file's metatarsal joint is locked: the toes are on a spring instead.");
    }
    let measured = measured(walk, drive);
    let mut table = Table::new(["what", "value"]);
    if let Some(errors) = errors(drive, run, measured.as_deref()) {
        for (axis, what) in ["fore-aft", "vertical", "lateral"].iter().enumerate() {
            table.push([format!("{what} force against the plate, % of body weight"), percent(errors[axis])]);
        }
    }
    let rms = |values: &[f64]| {
        (values.iter().map(|v| v * v).sum::<f64>() / values.len().max(1) as f64).sqrt() / drive.weight
    };
    table.push(["carried by the guide of the pelvis, % of body weight".to_owned(), percent(rms(&run.guide))]);
    table.push([
        "largest error of a driven joint angle, degrees".to_owned(),
        format!("{:.1e}", angle_error(drive, run).to_degrees()),
    ]);
    table.push([
        "energy that the ledger misses, J".to_owned(),
        format!("{:.1e} of {:.1}", run.drift, run.kinetic),
    ]);
    document.table("Root mean squares over the stance", table);
    document.table("Force over depth: what each body's loop encloses", loops(run));
    document.figure("force", ground_force(drive, run, measured.as_deref()));
    document.figure("bodies", over_time(run, "Normal force of each body under the foot"));
    document.figure("penetration", over_depth(run, "Force of each body over its depth in the ground"));
    document.figure("angles", angles(drive, run));
    document.figure("height", height(drive, run));
    let [strike, off] = drive.stance;
    for (k, share) in [0.03, 0.2, 0.5, 0.8, 0.97].iter().enumerate() {
        let time = strike + share * (off - strike);
        let i = run.times.partition_point(|t| *t < time).min(run.times.len().saturating_sub(1));
        let trunk = run.motions[i].get(2).map_or_else(Vec3::zeros, |m| m.pose.position);
        let target = Vec3::new(trunk.x, 0.5, 0.0);
        let camera =
            Camera { eye: target + Vec3::new(0.8, 0.6, 5.4), target, up: Vec3::y(), field_of_view: 0.5 };
        let (png, caption) = picture(run, i, camera, ARROW / drive.weight)?;
        document.picture(format!("leg-{}", k + 1), png, caption);
    }
    Ok(document)
}

/// The bodies in the order in which they first bear.
fn order(run: &SceneRun) -> Vec<String> {
    let greatest = run.bodies.iter().flat_map(|b| &b.force).copied().fold(0.0, f64::max);
    let mut all: Vec<(usize, String)> = run
        .bodies
        .iter()
        .filter_map(|b| Some((b.force.iter().position(|f| *f > BEARS * greatest)?, b.name.replace('_', " "))))
        .collect();
    all.sort();
    all.into_iter().map(|(_, name)| name).collect()
}

fn loops(run: &SceneRun) -> Table {
    let mut table = Table::new([
        "body",
        "greatest depth mm",
        "greatest force N",
        "loop ∮ N dδ, J",
        "damped and stored, J",
    ]);
    for body in &run.bodies {
        let most = |values: &[f64]| values.iter().copied().fold(0.0, f64::max);
        table.push([
            body.name.replace('_', " "),
            format!("{:.2}", 1e3 * most(&body.depth)),
            format!("{:.0}", most(&body.force)),
            format!("{:.4}", body.work),
            format!("{:.4}", body.damped + body.stored),
        ]);
    }
    table
}

fn over_time(run: &SceneRun, title: &str) -> Figure {
    let all = run.bodies.iter().map(|body| {
        let points = run.times.iter().zip(&body.force).map(|(t, f)| [*t, *f]).collect();
        series(body.name.replace('_', " "), points, false)
    });
    figure(title, "time in s", "normal force in N", all.collect())
}

fn over_depth(run: &SceneRun, title: &str) -> Figure {
    let all = run.bodies.iter().map(|body| {
        let points = body
            .depth
            .iter()
            .zip(&body.force)
            .map(|(d, f)| if *d > 0.0 { [1e3 * d, *f] } else { [f64::NAN; 2] })
            .collect();
        series(body.name.replace('_', " "), points, false)
    });
    figure(title, "depth in mm", "normal force in N", all.collect())
}

/// The plate's force at the outputs, mirrored for a left leg; none where no plate is under the foot.
fn measured(walk: &Walk, drive: &Drive) -> Option<Vec<[f64; 4]>> {
    let [strike, off] = drive.stance.map(|t| t + drive.start);
    let plate = walk.trial.plates.iter().find(|plate| {
        loaded_intervals(plate).iter().any(|interval| {
            let shared = interval[1].min(off) - interval[0].max(strike);
            shared > 0.5 * (off - strike) && foot_of_plate(&walk.tracks, plate, *interval) == Some(drive.side)
        })
    })?;
    let within = |t: &f64| (strike - 0.1..=off + 0.1).contains(t);
    let samples = plate.times.iter().enumerate().filter(|(_, t)| within(t));
    Some(
        samples
            .map(|(i, t)| {
                let f = crate::foot::mirror(drive.side, &plate.force[i]);
                [t - drive.start, f.x, f.y, f.z]
            })
            .collect(),
    )
}

/// Errors over the stance, as shares of the weight.
fn errors(drive: &Drive, run: &SceneRun, measured: Option<&[[f64; 4]]>) -> Option<[f64; 3]> {
    let measured = measured?;
    let (mut squares, mut count) = ([0.0; 3], 0.0);
    for (i, time) in run.times.iter().enumerate() {
        if !(drive.stance[0]..=drive.stance[1]).contains(time) {
            continue;
        }
        let k = measured.partition_point(|m| m[0] < *time).min(measured.len().checked_sub(1)?);
        for axis in 0..3 {
            squares[axis] += (run.force[i][axis] - measured[k][axis + 1]).powi(2);
        }
        count += 1.0;
    }
    (count > 0.0).then(|| squares.map(|s: f64| (s / count).sqrt() / drive.weight))
}

/// The largest difference of a driven joint from its table, at the times of the table, in rad.
pub(super) fn angle_error(drive: &Drive, run: &SceneRun) -> f64 {
    let mut worst: f64 = 0.0;
    for (k, joint) in JointName::ALL.into_iter().enumerate() {
        if joint == JointName::Metatarsal && !drive.leg.angles.toes_move() {
            continue;
        }
        let Some((_, turns)) = run.turns.iter().find(|(name, _)| name == joint.word()) else { continue };
        for (row, time) in drive.times.iter().enumerate() {
            // Outputs are denser than tables: between two of them by a straight line.
            let j = run.times.partition_point(|t| *t < *time).clamp(1, run.times.len() - 1);
            let w = (time - run.times[j - 1]) / (run.times[j] - run.times[j - 1]);
            let there = turns[j - 1] * (1.0 - w) + turns[j] * w;
            worst = worst.max((there - drive.angles[row][k]).abs());
        }
    }
    worst
}

fn ground_force(drive: &Drive, run: &SceneRun, measured: Option<&[[f64; 4]]>) -> Figure {
    let mut all = Vec::new();
    for (axis, what) in [(1, "vertical"), (0, "fore-aft")] {
        let points = run.times.iter().zip(&run.force).map(|(t, f)| [*t, f[axis]]).collect();
        all.push(series(format!("leg, {what}"), points, false));
        if let Some(measured) = measured {
            let points = measured.iter().map(|m| [m[0], m[axis + 1]]).collect();
            all.push(series(format!("plate, {what}"), points, true));
        }
    }
    all.push(series(
        "other foot, predicted",
        drive.times.iter().zip(&drive.other).map(|(t, f)| [*t, *f]).collect(),
        true,
    ));
    figure("Ground force of the driven leg", "time in s", "force in N", all)
}

fn angles(drive: &Drive, run: &SceneRun) -> Figure {
    let mut all = Vec::new();
    for joint in [JointName::HipFlexion, JointName::Knee, JointName::Ankle] {
        let Some(k) = JointName::ALL.iter().position(|j| *j == joint) else { continue };
        if let Some((_, turns)) = run.turns.iter().find(|(name, _)| name == joint.word()) {
            let points = run.times.iter().zip(turns).map(|(t, a)| [*t, a.to_degrees()]).collect();
            all.push(series(joint.word(), points, false));
        }
        let points = drive.times.iter().zip(&drive.angles).map(|(t, a)| [*t, a[k].to_degrees()]).collect();
        all.push(series(format!("{}, file", joint.word()), points, true));
    }
    figure("Joint angles", "time in s", "angle in degrees", all)
}

fn height(drive: &Drive, run: &SceneRun) -> Figure {
    let trunk = run.scene.model.find("trunk").map_or(0, |id| id.0);
    let own = run.times.iter().zip(&run.motions).map(|(t, m)| [*t, 1e3 * m[trunk].pose.position.y]).collect();
    let file = drive.times.iter().zip(&drive.pelvis).map(|(t, p)| [*t, 1e3 * p.y]).collect();
    figure(
        "Height of the pelvis",
        "time in s",
        "height in mm",
        vec![series("leg", own, false), series("markers, moved to touch at the strike", file, true)],
    )
}

/// A picture of an output with the ground's force.
fn picture(run: &SceneRun, i: usize, camera: Camera, scale: f64) -> Result<(Vec<u8>, String)> {
    let drawn =
        |error: &dyn std::fmt::Display| GaitError::unsupported("a picture of the foot", error.to_string());
    let stage = Stage::new(&run.scene.model).map_err(|e| drawn(&e))?;
    let forces = run.centre[i].map(|at| Arrow { at, force: run.force[i] }).into_iter().collect();
    let marks = Marks { forces, scale: Some(scale), ..Marks::default() };
    let shot = Shot { width: 800, height: 450, marks, ..Shot::new(camera) };
    let picture = stage.draw(&run.motions[i], &shot).map_err(|e| drawn(&e))?;
    let caption = format!("{:.3} s: {:.0} N", run.times[i], run.force[i].y);
    Ok((picture.image.to_png().map_err(|e| drawn(&e))?, caption))
}
