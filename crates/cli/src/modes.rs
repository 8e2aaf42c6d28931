//! `rattleback modes`: the small motions of a scene about its rest.

use crate::applications::FORMAT;
use crate::console::Console;
use crate::equilibrium::{PageArguments, draw, failed, find, number, publish, stage};
use crate::failure::Failure;
use crate::run::choose;
use clap::Args;
use rattleback_dynamics::analysis::{self, Mode, Modes};
use rattleback_dynamics::{Model, Motion};
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::{Pose, Vec3};
use rattleback_record::picture::{Marks, contact_sheet};
use rattleback_record::{Document, Table, WholeFile};
use rattleback_scene::{Scene, Setting};
use std::path::PathBuf;
use std::process::ExitCode;

/// Modes of which pictures are made.
const PICTURED: usize = 6;
/// How far bodies go in the pictures, as a share of the whole scene's size.
const SWING: f64 = 0.12;
/// Forces that are balanced to less than this are no rest.
const BALANCED: f64 = 1e-6;

/// Find eigenvalues, frequencies, damping and shapes of the small motions about rest
#[derive(Args)]
#[command(after_help = "\
The scene is first led to its equilibrium, as rattleback equilibrium does; with --here the start itself must be one,
stable or not. A mode is x exp(λt): λ = 0 moves freely, a positive real part grows.

Examples:
  rattleback modes scene.toml
  rattleback modes scene.toml --plot -o results/modes
  rattleback modes inverted_pendulum.toml --here --json")]
pub struct Arguments {
    /// The scene file, or the name of a built-in scene
    scene: PathBuf,
    /// Give a parameter of the scene another value, as radius=15mm; may stand several times
    #[arg(long = "set", value_name = "NAME=VALUE")]
    settings: Vec<Setting>,
    /// About the start of the scene itself
    #[arg(long)]
    here: bool,
    #[command(flatten)]
    page: PageArguments,
}

/// Runs the verb.
pub fn run(arguments: &Arguments, console: &Console) -> Result<ExitCode, Failure> {
    let chosen = choose(Some(&arguments.scene))?;
    let scene = FORMAT.parse_scene_with(chosen.source, &arguments.settings)?;
    let state = if arguments.here { scene.state.clone() } else { find(&scene)?.state };
    let modes = analysis::modes(&scene.model, &state).map_err(failed)?;
    if modes.unbalanced > BALANCED {
        return Err(Failure::motion(format!(
            "the start is no rest: {:.1e} of what acts is not balanced; without --here the scene is led to its equilibrium first",
            modes.unbalanced
        )));
    }
    let mut document = Document::new(&format!("{}: modes", scene.title));
    document.text(told(&modes));
    document.table("Modes", table(&scene.model, &modes));
    let folder = arguments.page.folder(&chosen.name, "modes");
    if let Some(folder) = &folder {
        add_pictures(&mut document, &scene, &state.motions, &modes)?;
        std::fs::create_dir_all(folder).map_err(|e| Failure::output(format!("{}: {e}", folder.display())))?;
        WholeFile::write(&folder.join("modes.csv"), shapes(&scene.model, &modes).to_csv().as_bytes())?;
    }
    publish(&document, folder.as_deref(), console)
}

fn told(modes: &Modes) -> String {
    let count = |is: fn(&&Mode) -> bool| modes.modes.iter().filter(is).count();
    let free = count(|m| m.eigenvalue == [0.0, 0.0]);
    let swinging = count(|m| m.eigenvalue[1] > 0.0);
    let growing = count(|m| m.eigenvalue[0] > 0.0);
    let verdict = match growing {
        0 => "None grows: the rest is stable".to_owned(),
        1 => "One grows: the rest is not stable".to_owned(),
        n => format!("{n} grow: the rest is not stable"),
    };
    format!(
        "{} modes: {swinging} swing, {free} move freely. {verdict}. What acts is balanced to {:.1e} of it.",
        modes.modes.len(),
        modes.unbalanced
    )
}

fn table(model: &Model, modes: &Modes) -> Table {
    let columns = ["mode", "frequency in Hz", "damping ratio", "Re λ in 1/s", "Im λ in 1/s", "moves most"];
    let mut table = Table::new(columns);
    for (k, mode) in modes.modes.iter().enumerate() {
        let [re, im] = mode.eigenvalue;
        let ratio = mode.damping_ratio().map_or_else(|| "-".to_owned(), number);
        table.push([
            (k + 1).to_string(),
            number(mode.frequency()),
            ratio,
            number(re),
            number(im),
            most(model, mode),
        ]);
    }
    table
}

/// The body that moves most in a mode, and along which axis.
fn most(model: &Model, mode: &Mode) -> String {
    let size = |parts: &[Vec3; 2]| parts[0].norm().hypot(parts[1].norm());
    let axis = |parts: &[Vec3; 2]| {
        let part = if parts[0].norm() >= parts[1].norm() { parts[0] } else { parts[1] };
        ["x", "y", "z"][part.iamax()]
    };
    let by = |f: fn(&analysis::Shape) -> [Vec3; 2]| {
        mode.shapes.iter().max_by(|a, b| size(&f(a)).total_cmp(&size(&f(b))))
    };
    match by(|s| s.displacement) {
        Some(shape) if size(&shape.displacement) > 1e-6 * size(&shape.rotation) => {
            format!("{} along {}", model.bodies()[shape.body.0].name, axis(&shape.displacement))
        }
        _ => by(|s| s.rotation).map_or_else(String::new, |shape| {
            format!("{} about {}", model.bodies()[shape.body.0].name, axis(&shape.rotation))
        }),
    }
}

/// All shapes, a row per mode and body.
fn shapes(model: &Model, modes: &Modes) -> Table {
    let mut columns = vec!["mode".to_owned(), "re_1_s".to_owned(), "im_1_s".to_owned(), "body".to_owned()];
    for part in ["re", "im"] {
        for what in ["x_m", "y_m", "z_m", "turn_x_rad", "turn_y_rad", "turn_z_rad"] {
            columns.push(format!("{part}_{what}"));
        }
    }
    let mut table = Table::new(columns);
    for (k, mode) in modes.modes.iter().enumerate() {
        for shape in &mode.shapes {
            let [re, im] = mode.eigenvalue;
            let mut row = vec![(k + 1).to_string(), re.to_string(), im.to_string()];
            row.push(model.bodies()[shape.body.0].name.clone());
            for part in 0..2 {
                let both = shape.displacement[part].iter().chain(shape.rotation[part].iter());
                row.extend(both.map(f64::to_string));
            }
            table.push(row);
        }
    }
    table
}

/// Pictures of the modes that move by themselves, each at both ends of its swing.
fn add_pictures(
    document: &mut Document,
    scene: &Scene,
    rest: &[Motion],
    modes: &Modes,
) -> Result<(), Failure> {
    let moving = modes.modes.iter().enumerate().filter(|(_, m)| m.eigenvalue != [0.0, 0.0]);
    let ends: Vec<_> = moving
        .take(PICTURED)
        .map(|(k, mode)| {
            let swing = swing(scene, rest, mode);
            (k, mode, [swing, -swing].map(|s| displaced(rest, mode, s)))
        })
        .collect();
    let places: Vec<&Vec<Motion>> = ends.iter().flat_map(|(_, _, ends)| ends).collect();
    if places.is_empty() {
        return Ok(());
    }
    let (stage, camera) = stage(scene, &places)?;
    for (k, mode, [one, other]) in &ends {
        let label = format!("mode {}: {} Hz", k + 1, number(mode.frequency()));
        let both = [one, other].map(|motions| draw(&stage, camera, motions, &label, Marks::default()));
        let [one, other] = both;
        let (one, other) = (one?, other?);
        let sheet = contact_sheet(&[one.image, other.image], 2)?;
        document.picture(format!("mode-{}", k + 1), sheet.to_png()?, one.caption);
    }
    Ok(())
}

/// By how much a mode is drawn: so that no body goes farther than a share of the scene's size, nor turns by more than a
/// third of a right angle.
fn swing(scene: &Scene, rest: &[Motion], mode: &Mode) -> f64 {
    let bodies = scene.model.bodies();
    let mut size: f64 = 0.0;
    for (body, motion) in bodies.iter().zip(rest).filter(|(body, _)| body.is_free()) {
        for part in &body.parts {
            let bounds = part.shape.surface().bounds();
            if bounds.is_bounded() {
                size = size.max(bounds.diagonal());
            }
        }
        size = size.max((motion.pose.position - rest[0].pose.position).norm());
    }
    let size = if size > 0.0 { size } else { 1.0 };
    let farthest = mode.shapes.iter().map(|s| s.displacement[0].norm()).fold(0.0, f64::max);
    let widest = mode.shapes.iter().map(|s| s.rotation[0].norm()).fold(0.0, f64::max);
    (SWING * size / farthest.max(1e-300)).min(0.5 / widest.max(1e-300))
}

fn displaced(rest: &[Motion], mode: &Mode, by: f64) -> Vec<Motion> {
    let mut motions = rest.to_vec();
    for shape in &mode.shapes {
        let pose = &mut motions[shape.body.0].pose;
        let turn = UnitQuaternion::from_scaled_axis(shape.rotation[0] * by);
        *pose = Pose::new(pose.position + shape.displacement[0] * by, turn * pose.orientation);
    }
    motions
}
