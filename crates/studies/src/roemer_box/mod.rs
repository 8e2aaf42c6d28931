//! The case study of Römer et al.: two ellipsoids in a box of five planes, Fig. 9.

pub mod follow;

use crate::case::Case;
use crate::error::{Result, StudyError};
use crate::variation::Variation;
use follow::{Followed, Sample, difference, follow};
use rattleback_dynamics::{Accuracy, Scheme};
use rattleback_record::picture::{Shot, Stage, animated_png, contact_sheet};
use rattleback_record::{Axis, Document, Figure, Series, Table};
use rattleback_scene::Scene;
use std::time::Instant;

/// The case.
pub const CASE: &str = "roemer_box";

/// Samples over the duration: over the paper's four seconds one every 10 ms.
const SAMPLES: u32 = 400;
/// The animation has every fifth of them, in so many pixels.
const EVERY: usize = 5;
const FILM: [u32; 2] = [400, 300];
/// The table has every fiftieth of them: two per second then.
const TABLE: usize = 50;
/// By how much the tolerances of other runs are looser.
const LOOSENED: [f64; 2] = [1e2, 1e4];
/// Bodies this far apart, in m, are on different ways.
const APART: f64 = 1e-3;

/// Follows the case, for another duration in s if one is given, with its own tolerance and with looser ones.
pub fn report(duration: Option<f64>) -> Result<Document> {
    let mut case = Case::scene_of(CASE)?;
    if let Some(duration) = duration {
        case.duration = duration;
    }
    let Scheme::Free { method, accuracy: own } = case.scheme else {
        return Err(StudyError::Unexpected { case: CASE, expected: "free bodies" });
    };
    let begun = Instant::now();
    let followed = follow(&case, method, own, SAMPLES)?;
    let wall = begun.elapsed().as_secs_f64();
    let Accuracy { relative, absolute } = own;
    let loosened = |factor: f64| {
        let accuracy = Accuracy { relative: factor * relative, absolute: factor * absolute };
        follow(&case, method, accuracy, SAMPLES).map(|followed| (accuracy.relative, followed))
    };
    let others = LOOSENED.map(loosened).into_iter().collect::<Result<Vec<_>>>()?;
    let mut report = Document::new("Römer et al.: two ellipsoids in a box");
    report.text(
        "Parameters of Table C.3; object II begins at (-1/4, -1/2, 2) m, which the paper's text has lost. Flores force with \
         Hertz stiffness from the local curvatures, elliptical contact included, tanh friction, the force at half depth.",
    );
    report.table("Energy in J", table(&followed));
    let total = followed.samples[0].energy.total();
    report.text(format!(
        "{} contacts. From step to step the mechanical energy never rises by more than {:.1e} of its start, and the ledger \
         misses at most {:.1e} of it. \"change of stiffness\" is what a contact that wanders to a place of other curvature brings along.",
        followed.contacts,
        followed.rise / total,
        followed.lost / total
    ));
    report.table("Runs with looser tolerances against this one", tolerances(&followed, &others, relative));
    report.text(format!(
        "{} s were simulated in {wall:.2} s on one thread, {:.1} times as fast as they pass; {} steps.",
        case.duration,
        case.duration / wall,
        followed.statistics.steps
    ));
    let mut printed = Variation::of(CASE)?.add("contacts.0", "stiffness", "hertz-circular")?.scene()?;
    printed.duration = case.duration;
    let circular = follow(&printed, method, own, SAMPLES)?;
    report.table(
        "Hertz's stiffness as printed, (96): a circle in place of the ellipse",
        forms(&followed, &circular),
    );
    report.figure("energy", energy(&case, [&followed, &circular], total));
    report.picture("fig-9", snapshots(&case, &followed)?, "Fig. 9: the objects at t = 0, 1, 2, 3 and 4 s.");
    report.picture(
        "animation",
        animation(&case, &followed)?,
        "The motion as an animation, at its own speed: the paper's supplementary material.",
    );
    report.figure("height", height(&case, &followed, &others[LOOSENED.len() - 1].1));
    Ok(report)
}

fn table(followed: &Followed) -> Table {
    let mut table = Table::new(
        [
            "t in s",
            "kinetic",
            "potential",
            "stored",
            "mechanical",
            "damped",
            "lost to friction",
            "change of stiffness",
        ]
        .map(str::to_owned),
    );
    for sample in followed.samples.iter().step_by(TABLE) {
        let e = &sample.energy;
        let c = &e.contacts;
        let numbers =
            [e.kinetic, e.potential, c.stored, e.mechanical(), c.damped, c.friction_loss, c.stiffness_change]
                .map(|x| format!("{x:.3}"));
        table.push([format!("{:.2}", sample.time)].into_iter().chain(numbers));
    }
    table
}

fn tolerances(followed: &Followed, others: &[(f64, Followed)], relative: f64) -> Table {
    let columns =
        ["relative tolerance", "against", "greatest distance in m", "farther than 1 mm from t in s"];
    let mut table = Table::new(columns.map(str::to_owned));
    for (loose, other) in others {
        let found = difference(&followed.samples, &other.samples, APART);
        let parting = found.parting.map_or("never".to_owned(), |time| format!("{time:.2}"));
        table.push([
            format!("{loose:.0e}"),
            format!("{relative:.0e}"),
            format!("{:.1e}", found.greatest),
            parting,
        ]);
    }
    table
}

/// The elliptical and the circular form side by side.
fn forms(ellipse: &Followed, circle: &Followed) -> Table {
    let mut table = Table::new(["quantity", "ellipse", "circle, as printed"]);
    let mut row = |name: &str, value: &dyn Fn(&Followed) -> String| {
        table.push([name.to_owned(), value(ellipse), value(circle)]);
    };
    let last = |followed: &Followed| followed.samples[followed.samples.len() - 1].energy;
    row("contacts", &|followed| followed.contacts.to_string());
    row("mechanical energy at the end, J", &|followed| format!("{:.3}", last(followed).mechanical()));
    row("damped, J", &|followed| format!("{:.3}", last(followed).contacts.damped));
    row("lost to friction, J", &|followed| format!("{:.3}", last(followed).contacts.friction_loss));
    let parting = difference(&ellipse.samples, &circle.samples, APART).parting;
    let parting = parting.map_or("never".to_owned(), |time| format!("{time:.2}"));
    table.push(["farther than 1 mm apart from t in s".to_owned(), "-".to_owned(), parting]);
    table
}

/// The instants of Fig. 9 that were reached, as a PNG file.
fn snapshots(case: &Scene, followed: &Followed) -> Result<Vec<u8>> {
    let stage = Stage::new(&case.model)?;
    let per_second = f64::from(SAMPLES) / case.duration;
    let places = (0..=4u32).map(|second| (f64::from(second) * per_second).round() as usize);
    let shown: Vec<&Sample> = places.filter_map(|place| followed.samples.get(place)).collect();
    let camera = stage.camera(shown.iter().map(|sample| sample.motions.as_slice()), 4.0 / 3.0)?;
    let mut images = Vec::new();
    for sample in shown {
        let label = format!("t = {:.0} s", sample.time);
        let shot = Shot { width: 480, height: 360, label, ..Shot::new(camera) };
        images.push(stage.draw(&sample.motions, &shot)?.image);
    }
    Ok(contact_sheet(&images, 3)?.to_png()?)
}

/// The motion in real time, as an animated PNG file: every fifth sample, twenty of them a second over the paper's four
/// seconds.
fn animation(case: &Scene, followed: &Followed) -> Result<Vec<u8>> {
    let stage = Stage::new(&case.model)?;
    let shown: Vec<&Sample> = followed.samples.iter().step_by(EVERY).collect();
    let [width, height] = FILM;
    let aspect = f64::from(width) / f64::from(height);
    let camera = stage.camera(shown.iter().map(|sample| sample.motions.as_slice()), aspect)?;
    let rate = f64::from(SAMPLES) / (case.duration * EVERY as f64);
    let made = animated_png(FILM, shown.len() as u32, rate.min(50.0), |push| {
        for sample in &shown {
            let label = format!("t = {:.2} s", sample.time);
            let shot = Shot { width, height, label, ..Shot::new(camera) };
            push(&stage.draw(&sample.motions, &shot)?.image)?;
        }
        Ok::<(), StudyError>(())
    })?;
    Ok(made.0)
}

fn time_axis(case: &Scene) -> Axis {
    Axis { label: "time in s".to_owned(), range: [0.0, case.duration], logarithmic: false }
}

fn energy(case: &Scene, [followed, circular]: [&Followed; 2], total: f64) -> Figure {
    let curve = |name: &str, value: &dyn Fn(&Sample) -> f64| Series {
        name: name.to_owned(),
        points: followed.samples.iter().map(|s| [s.time, value(s)]).collect(),
        dashed: false,
    };
    Figure {
        title: "Where the energy goes".to_owned(),
        x: time_axis(case),
        y: Axis { label: "energy in J".to_owned(), range: [0.0, 1.05 * total], logarithmic: false },
        series: vec![
            curve("mechanical", &|s| s.energy.mechanical()),
            Series {
                name: "mechanical, circular form".to_owned(),
                points: circular.samples.iter().map(|s| [s.time, s.energy.mechanical()]).collect(),
                dashed: true,
            },
            curve("damped", &|s| s.energy.contacts.damped),
            curve("lost to friction", &|s| s.energy.contacts.friction_loss),
        ],
    }
}

fn height(case: &Scene, followed: &Followed, other: &Followed) -> Figure {
    let mut series = Vec::new();
    for (i, body) in case.model.bodies().iter().enumerate().filter(|(_, body)| body.is_free()) {
        for (run, suffix) in [(followed, ""), (other, ", looser tolerance")] {
            series.push(Series {
                name: format!("object {}{suffix}", body.name),
                points: run.samples.iter().map(|s| [s.time, s.positions[i].z]).collect(),
                dashed: !suffix.is_empty(),
            });
        }
    }
    Figure {
        title: "Height of the mass centres".to_owned(),
        x: time_axis(case),
        y: Axis { label: "height in m".to_owned(), range: [0.0, 2.1], logarithmic: false },
        series,
    }
}
