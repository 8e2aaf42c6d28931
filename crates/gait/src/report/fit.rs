//! The fitted foot: errors, parameters with deviations, sensitivities, and the stance it came from.

use super::maps;
use super::picture::stance_pictures;
use super::words::{expectation, of_fit};
use super::{figure, percent, series};
use crate::Result;
use crate::fit::{Correction, Sensitivity, correct_pose, sensitivity};
use crate::foot::{Element, FootLoad, low_pass_loads};
use crate::predict::{Calibration, Walk};
use crate::report::fit::Unit::{Log, Millimetre, Plain};
use rattleback_geom::Vec3;
use rattleback_record::{Document, Figure, Table};

/// The bound of the correction of the pose that is tried, in m.
const CORRECTION: f64 = 2.5e-3;
/// Correlations above this are told, the strongest first, at most so many.
const CORRELATED: f64 = 0.8;
const MOST: usize = 8;

/// The document of a fit.
pub fn fit_document(name: &str, walk: &Walk, calibration: &Calibration) -> Result<Document> {
    let foot = &calibration.foot;
    let [begin, end] = foot.interval;
    let mut document = Document::new(&format!(
        "{name}: a foot fitted to the {} stance {begin:.3}–{end:.3} s",
        foot.side.word()
    ));
    let track = &calibration.stance.track;
    let sensitivity = sensitivity(&foot.model, track, &calibration.stance.counted, &foot.settings)?;
    let correction = correct_pose(&foot.model, &calibration.stance, &foot.settings, CORRECTION)?;
    document.text(expectation(&sensitivity, foot));
    for line in of_fit(calibration, &correction) {
        document.text(line);
    }
    for line in walk.plate_delay_words().into_iter().chain(walk.trial.remarks.iter().cloned()) {
        document.text(line);
    }
    document.table("Vertical force in this stance, root mean squares", errors(calibration, &correction));
    document.table("Sensitivity of the vertical force", sensitivities(&sensitivity));
    document.table("Parameters", parameters(calibration));
    let correlations = correlations(calibration);
    if !correlations.is_empty() {
        document.table("Parameters that the data do not tell apart", correlations);
    }
    let load = foot.model.load(track, &Vec3::from(foot.settings.ground_velocity))?;
    let load = low_pass_loads(&load, track.rate_hz, foot.settings.force_cutoff_hz)?;
    document.figure("force", force(calibration, &load));
    document.map("correlations", maps::correlations(calibration));
    document.map("about-fit", maps::error_about_fit(calibration)?);
    document.figure("correction", corrected(&correction));
    document.figure("centre", centre(calibration, &load));
    document.figure("penetration", penetration(calibration)?);
    for (k, (png, caption)) in stance_pictures(calibration, &load)?.into_iter().enumerate() {
        document.picture(format!("foot-{}", k + 1), png, caption);
    }
    Ok(document)
}

fn errors(calibration: &Calibration, correction: &Correction) -> Table {
    let mut table = Table::new(["foot", "error, % of body weight"]);
    table.push([
        "fitted to this stance alone: how well four bodies can follow its force; not used for predictions"
            .to_owned(),
        percent(calibration.error_alone),
    ]);
    table.push([
        "identified under perturbed poses: the foot that predicts, softer, as other stances need it"
            .to_owned(),
        percent(calibration.foot.fit_errors[1]),
    ]);
    table.push([
        format!(
            "the foot that predicts, its height corrected by {:.2} mm (root mean square; at most {:.1} mm)",
            1e3 * correction.rms,
            1e3 * CORRECTION
        ),
        percent(correction.error),
    ]);
    table
}

fn sensitivities(s: &Sensitivity) -> Table {
    let mut table = Table::new(["change of pose", "root mean square over the stance, % of body weight"]);
    table.push(["1 mm of height".to_owned(), percent(s.per_millimetre)]);
    table.push(["1° of pitch".to_owned(), percent(s.per_degree_pitch)]);
    table.push(["1° of roll".to_owned(), percent(s.per_degree_roll)]);
    table
}

/// How a parameter is written.
enum Unit {
    Millimetre,
    /// The exponential, with a factor and a unit.
    Log(f64, &'static str),
    Plain(&'static str),
}

fn parameters(calibration: &Calibration) -> Table {
    let units = [
        Millimetre,
        Millimetre,
        Millimetre,
        Log(1.0, "N"),
        Plain("s/m"),
        Log(1e3, "mm"),
        Log(1e3, "mm"),
        Log(1.0, ""),
    ];
    let names = [
        "centre x",
        "centre y",
        "centre z",
        "force at 5 mm",
        "damping",
        "semi-axis x",
        "semi-axis z",
        "exponent",
    ];
    let mut table = Table::new(["body", "parameter", "value", "± one deviation", ""]);
    let values = calibration.foot.model.values();
    for (k, value) in values.iter().enumerate() {
        let deviation = calibration.fitted.covariance[(k, k)].max(0.0).sqrt();
        let slot = k % Element::PARAMETERS;
        let (value, deviation) = match units[slot] {
            Millimetre => (format!("{:.1} mm", 1e3 * value), format!("{:.1}", 1e3 * deviation)),
            Plain(unit) => (format!("{value:.2} {unit}"), format!("{deviation:.2}")),
            Log(factor, unit) => {
                let size = factor * value.exp();
                let digits = if size >= 100.0 {
                    0
                } else if size >= 10.0 {
                    1
                } else {
                    2
                };
                let text = format!("{size:.digits$} {unit}").trim().to_owned();
                (text, format!("{:.digits$}", size * deviation))
            }
        };
        let held = calibration.fitted.held[k];
        table.push([
            calibration.foot.model.elements[k / Element::PARAMETERS].name.clone(),
            names[slot].to_owned(),
            value,
            if held { "–".to_owned() } else { deviation },
            if held { "at its bound".to_owned() } else { String::new() },
        ]);
    }
    table
}

fn correlations(calibration: &Calibration) -> Table {
    let c = &calibration.fitted.covariance;
    let mut pairs = Vec::new();
    for i in 0..c.nrows() {
        for j in 0..i {
            let scale = (c[(i, i)] * c[(j, j)]).sqrt();
            if scale > 0.0 && (c[(i, j)] / scale).abs() > CORRELATED {
                pairs.push((c[(i, j)] / scale, j, i));
            }
        }
    }
    pairs.sort_by(|a, b| b.0.abs().total_cmp(&a.0.abs()));
    let mut table = Table::new(["parameter", "and", "correlation"]);
    let name = |k: usize| calibration.fitted.parameters[k].name.clone();
    for (rho, a, b) in pairs.into_iter().take(MOST) {
        table.push([name(a), name(b), format!("{rho:.2}")]);
    }
    table
}

fn force(calibration: &Calibration, load: &FootLoad) -> Figure {
    let stance = &calibration.stance;
    let of = |get: &dyn Fn(usize) -> f64| -> Vec<[f64; 2]> {
        (0..stance.counted.len())
            .filter(|i| stance.counted[*i])
            .map(|i| [stance.track.times[i], get(i)])
            .collect()
    };
    figure(
        "Vertical force of the calibration stance",
        "time in s",
        "force in N",
        vec![
            series("fitted foot", of(&|i| load.force[i].y), false),
            series("measured", of(&|i| stance.measured[i].force.y), true),
        ],
    )
}

fn corrected(correction: &Correction) -> Figure {
    let points = correction.times.iter().zip(&correction.height).map(|(t, h)| [*t, 1e3 * h]).collect();
    figure(
        "By how much the foot must move to produce the measured force",
        "time in s",
        "upwards in mm",
        vec![series("height", points, false)],
    )
}

/// Centres of pressure under the outlines of the bodies, in the foot's frame.
fn centre(calibration: &Calibration, load: &FootLoad) -> Figure {
    let (stance, foot) = (&calibration.stance, &calibration.foot);
    let least = 0.05 * foot.weight;
    let local = |i: usize, x: f64, z: f64| {
        let p = stance.track.poses[i].point_to_local(&Vec3::new(x, foot.floor, z));
        [1e3 * p.x, 1e3 * p.z]
    };
    let (mut mine, mut measured) = (Vec::new(), Vec::new());
    for i in (0..stance.counted.len()).filter(|i| stance.counted[*i]) {
        if let Some(c) = load.centre(i, least, foot.floor) {
            mine.push(local(i, c.x, c.z));
        }
        let sample = &stance.measured[i];
        if sample.force.y > least {
            measured.push(local(i, sample.moments[0] / sample.force.y, sample.moments[1] / sample.force.y));
        }
    }
    let mut all = vec![series("fitted foot", mine, false), series("measured", measured, true)];
    for element in &foot.model.elements {
        let outline = (0..=48).map(|k| {
            let angle = std::f64::consts::TAU * f64::from(k) / 48.0;
            let x = element.centre[0] + element.semi_axes[0] * angle.cos();
            [1e3 * x, 1e3 * (element.centre[2] + element.semi_axes[2] * angle.sin())]
        });
        all.push(series(element.name.clone(), outline.collect(), false));
    }
    figure("Centre of pressure under the foot", "from the heel marker forwards in mm", "lateral in mm", all)
}

/// The force of each body over its depth: Marques' Fig. 7 for a foot.
fn penetration(calibration: &Calibration) -> Result<Figure> {
    let stance = &calibration.stance;
    let mut all = Vec::new();
    for element in &calibration.foot.model.elements {
        let load = element.load(&stance.track)?;
        let points = (0..stance.counted.len())
            .filter(|i| stance.counted[*i] && load.depth[*i] > 0.0)
            .map(|i| [1e3 * load.depth[i], load.force[i]])
            .collect();
        all.push(series(element.name.clone(), points, false));
    }
    Ok(figure("Force of each body over its depth in the ground", "depth in mm", "normal force in N", all))
}
