//! Predicted forces, beside plates where there are any.

use super::words::of_comparison;
use super::{figure, percent, series};
use crate::predict::{FootPrediction, Mode, Prediction, Score, Walk, foot_of_plate, loaded_intervals, score};
use crate::trial::Side;
use rattleback_record::{Document, Figure, Series, Table};

/// A stance that is shorter is not compared, in s.
const SHORTEST: f64 = 0.3;

/// A prediction against a plate over one stance.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// How it was predicted.
    pub mode: Mode,
    /// Which foot.
    pub side: Side,
    /// The stance, in s.
    pub interval: [f64; 2],
    /// Whether the foot was fitted to it.
    pub is_calibration: bool,
    /// The errors.
    pub score: Score,
}

/// Compares predictions with all stances on plates. `calibration` is the interval that the foot was fitted to, in this
/// trial; its weight divides the errors.
pub fn compare(walk: &Walk, predictions: &[&Prediction], calibration: Option<[f64; 2]>) -> Vec<Comparison> {
    let mut rows = Vec::new();
    for plate in &walk.trial.plates {
        for interval in loaded_intervals(plate) {
            let Some(side) = foot_of_plate(&walk.tracks, plate, interval) else { continue };
            if interval[1] - interval[0] < SHORTEST {
                continue;
            }
            for prediction in predictions {
                let foot = &prediction.feet[usize::from(side == Side::Left)];
                if let Some(score) = score(foot, plate, interval, prediction.weight) {
                    let is_calibration = calibration.is_some_and(|c| (c[0] - interval[0]).abs() < 0.02);
                    rows.push(Comparison { mode: prediction.mode, side, interval, is_calibration, score });
                }
            }
        }
    }
    rows.sort_by(|a, b| a.interval[0].total_cmp(&b.interval[0]));
    rows
}

/// The document of predictions.
pub fn prediction_document(
    name: &str,
    walk: &Walk,
    predictions: &[&Prediction],
    rows: &[Comparison],
    remarks: &[String],
) -> Document {
    let mut document = Document::new(&format!("{name}: ground forces from markers"));
    for remark in remarks.iter().cloned().chain(of_comparison(rows)) {
        document.text(remark);
    }
    if rows.is_empty() {
        document.text("No foot is on a force plate: nothing can be compared.");
    } else {
        document.table("Against the plates: root mean squares", table(rows));
        document.text(
            "Forces in % of body weight; centre of pressure fore-aft / lateral; free moment in N m; within: the share of samples \
             within one standard deviation, of the vertical, fore-aft and lateral force, of the centre of pressure fore-aft and \
             lateral, and of the free moment.",
        );
    }
    for (k, side) in [Side::Right, Side::Left].into_iter().enumerate() {
        for (axis, what) in [(1, "vertical"), (0, "fore-aft"), (2, "lateral")] {
            let file = format!("{}-{what}", side.word());
            document.figure(file, forces(walk, predictions, k, axis, what));
        }
        document.figure(format!("{}-centre", side.word()), centres(walk, predictions, k));
        for (file, figure) in over_time(walk, predictions, k) {
            document.figure(format!("{}-{file}", side.word()), figure);
        }
    }
    document
}

fn table(rows: &[Comparison]) -> Table {
    let mut table = Table::new([
        "stance",
        "mode",
        "vertical %",
        "fore-aft %",
        "lateral %",
        "centre mm",
        "moment N m",
        "force within %",
        "centre within %",
        "moment within %",
    ]);
    for row in rows {
        let [x, y, z] = row.score.force;
        let [forward, lateral] = row.score.centre;
        let copied = row.mode == Mode::Copied;
        let [a, b, c] = row.score.within.map(|w| 100.0 * w);
        let known = |text: String| if copied { "–".to_owned() } else { text };
        let [forward_within, lateral_within] = row.score.centre_within.map(|w| 100.0 * w);
        table.push([
            format!(
                "{} {:.2}–{:.2} s{}",
                row.side.word(),
                row.interval[0],
                row.interval[1],
                if row.is_calibration { ", calibration" } else { "" }
            ),
            row.mode.word().to_owned(),
            percent(y),
            percent(x),
            percent(z),
            format!("{:.0} / {:.0}", 1e3 * forward, 1e3 * lateral),
            known(format!("{:.1}", row.score.free_moment)),
            known(format!("{b:.0} / {a:.0} / {c:.0}")),
            known(format!("{forward_within:.0} / {lateral_within:.0}")),
            known(format!("{:.0}", 100.0 * row.score.free_moment_within)),
        ]);
    }
    table
}

fn curve(foot: &FootPrediction, get: impl Fn(usize) -> f64) -> Vec<[f64; 2]> {
    foot.times.iter().enumerate().map(|(i, t)| [*t, get(i)]).collect()
}

fn forces(walk: &Walk, predictions: &[&Prediction], k: usize, axis: usize, what: &str) -> Figure {
    let mut all = Vec::new();
    for prediction in predictions.iter().filter(|p| p.mode != Mode::Copied) {
        let foot = &prediction.feet[k];
        all.push(series(prediction.mode.word(), curve(foot, |i| foot.force[i][axis]), false));
        if prediction.mode == Mode::WholeBody {
            for (sign, name) in [(1.0, "plus one deviation"), (-1.0, "minus one deviation")] {
                let edge = curve(foot, |i| foot.force[i][axis] + sign * foot.deviation[i][axis]);
                all.push(series(name, edge, true));
            }
        }
    }
    all.extend(measured(walk, k, &|plate, i| [plate.times[i], plate.force[i][axis]]));
    let side = predictions.first().map_or("", |p| p.feet[k].side.word());
    figure(format!("{side} foot, {what} force"), "time in s", "force in N", all)
}

/// The centre of pressure from the heel's place on, and the free moment, with a deviation to either side.
fn over_time(walk: &Walk, predictions: &[&Prediction], k: usize) -> Vec<(&'static str, Figure)> {
    let Some(prediction) = predictions.iter().find(|p| p.mode == Mode::FeetOnly) else { return Vec::new() };
    let (foot, track) = (&prediction.feet[k], &walk.tracks[k]);
    let heel = |time: f64| {
        let i = track.times.partition_point(|t| *t < time - 0.5 / track.rate_hz).min(track.poses.len() - 1);
        crate::foot::mirror(track.side, &track.poses[i].position)
    };
    let mut out = Vec::new();
    for (file, axis, what, y) in [
        ("centre-forward", 0, "centre of pressure, fore-aft", "ahead of the heel in mm"),
        ("centre-lateral", 2, "centre of pressure, lateral", "right of the heel in mm"),
    ] {
        let at = |i: usize, sign: f64| {
            let deviation = foot.centre_deviation[i][axis / 2];
            foot.centre[i]
                .map_or(f64::NAN, |c| 1e3 * (c[axis] + sign * deviation - heel(foot.times[i])[axis]))
        };
        let mut all = band(foot, &at);
        all.extend(measured(walk, k, &|plate, i| {
            let time = plate.times[i];
            plate.centre(i).map_or([f64::NAN; 2], |c| [time, 1e3 * (c[axis] - heel(time)[axis])])
        }));
        out.push((file, figure(format!("{} foot, {what}", foot.side.word()), "time in s", y, all)));
    }
    let at = |i: usize, sign: f64| foot.free_moment[i] + sign * foot.free_moment_deviation[i];
    let mut all = band(foot, &at);
    all.extend(measured(walk, k, &|plate, i| [plate.times[i], plate.free_moment(i)]));
    let title = format!("{} foot, free moment", foot.side.word());
    out.push(("moment", figure(title, "time in s", "moment in N m", all)));
    out
}

/// A curve with its deviation to either side.
fn band(foot: &FootPrediction, at: &dyn Fn(usize, f64) -> f64) -> Vec<Series> {
    [(0.0, Mode::FeetOnly.word()), (1.0, "plus one deviation"), (-1.0, "minus one deviation")]
        .into_iter()
        .map(|(sign, name)| series(name, curve(foot, |i| at(i, sign)), sign != 0.0))
        .collect()
}

/// What the plates measured under a foot; gaps where it is not on one.
fn measured(walk: &Walk, k: usize, get: &dyn Fn(&crate::Plate, usize) -> [f64; 2]) -> Option<Series> {
    let mut points = Vec::new();
    let times = walk.tracks[0].times.last().copied().unwrap_or(0.0);
    for plate in &walk.trial.plates {
        for interval in loaded_intervals(plate) {
            let side = foot_of_plate(&walk.tracks, plate, interval);
            if side.map(|s| usize::from(s == Side::Left)) != Some(k) {
                continue;
            }
            let within = |i: &usize| (interval[0]..=interval[1].min(times)).contains(&plate.times[*i]);
            points.extend((0..plate.times.len()).filter(within).map(|i| get(plate, i)));
            points.push([f64::NAN; 2]);
        }
    }
    (!points.is_empty()).then(|| series("measured", points, false))
}

fn centres(walk: &Walk, predictions: &[&Prediction], k: usize) -> Figure {
    let mut all = Vec::new();
    for prediction in predictions {
        if prediction.mode == Mode::WholeBody {
            continue;
        }
        let foot = &prediction.feet[k];
        let points =
            foot.centre.iter().map(|c| c.map_or([f64::NAN; 2], |p| [1e3 * p.x, 1e3 * p.z])).collect();
        all.push(series(prediction.mode.word(), points, false));
    }
    all.extend(measured(walk, k, &|plate, i| {
        plate.centre(i).map_or([f64::NAN; 2], |c| [1e3 * c.x, 1e3 * c.z])
    }));
    let side = predictions.first().map_or("", |p| p.feet[k].side.word());
    figure(format!("{side} foot, centre of pressure"), "forwards in mm", "to the right in mm", all)
}
