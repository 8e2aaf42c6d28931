//! `rattleback equilibrium`: where a scene comes to rest, without moving it through time.

use crate::applications::FORMAT;
use crate::console::Console;
use crate::failure::Failure;
use crate::report;
use crate::run::choose;
use clap::Args;
use rattleback_dynamics::analysis::{self, Equilibrium};
use rattleback_dynamics::mechanism::{Mechanism, Settings};
use rattleback_dynamics::{DynamicsError, Model, Motion, Run, Scheme, State, active_contacts};
use rattleback_record::picture::{Arrow, Camera, Marks, Picture, Shot, Stage};
use rattleback_record::{Document, Table};
use rattleback_scene::{Scene, Setting};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Find where a scene is at rest, and what its contacts and joints bear there
#[derive(Args)]
#[command(after_help = "\
From the start of the scene bodies fall, slide and swing to the nearest place where all forces balance; time
does not pass, and velocities do not count. Friction holds nothing at rest. Motors and prescribed bodies must stand
still at the start. rattleback run --settle begins a run there.

Examples:
  rattleback equilibrium scene.toml
  rattleback equilibrium scene.toml --plot --json")]
pub struct Arguments {
    /// The scene file, or the name of a built-in scene
    scene: PathBuf,
    /// Give a parameter of the scene another value, as radius=15mm; may stand several times
    #[arg(long = "set", value_name = "NAME=VALUE")]
    settings: Vec<Setting>,
    #[command(flatten)]
    page: PageArguments,
}

/// Where a page goes.
#[derive(Args)]
pub struct PageArguments {
    /// Write a page with tables and pictures
    #[arg(long)]
    plot: bool,
    /// The folder for it; implies --plot [default: results/NAME-VERB]
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

impl PageArguments {
    /// The folder, where a page is wanted.
    pub fn folder(&self, name: &str, verb: &str) -> Option<PathBuf> {
        let default = || self.plot.then(|| Path::new("results").join(format!("{name}-{verb}")));
        self.output.clone().or_else(default)
    }
}

/// Runs the verb.
pub fn run(arguments: &Arguments, console: &Console) -> Result<ExitCode, Failure> {
    let chosen = choose(Some(&arguments.scene))?;
    let scene = FORMAT.parse_scene_with(chosen.source, &arguments.settings)?;
    let rest = find(&scene)?;
    let mut document = Document::new(&format!("{}: at rest", scene.title));
    document.text(format!(
        "At rest after {} steps from the start; what acts is balanced to {:.1e} of it. {}",
        rest.steps,
        rest.unbalanced,
        if rest.is_stable {
            "It is stable: no small displacement lowers the energy."
        } else {
            "It is not stable: a small displacement lowers the energy."
        }
    ));
    document.table("Bodies", bodies(&scene.model, &scene.state, &rest.state));
    let contacts = contacts(&scene.model, &rest.state)?;
    if !contacts.is_empty() {
        document.table("Contacts", contacts);
    }
    let joints = joints(&scene.model, &rest.state)?;
    if !joints.is_empty() {
        document.table("Joints", joints);
    }
    let folder = arguments.page.folder(&chosen.name, "equilibrium");
    if folder.is_some() {
        let (stage, camera) = stage(&scene, &[&rest.state.motions])?;
        let marks = marks(&scene.model, &rest.state)?;
        let picture = draw(&stage, camera, &rest.state.motions, "at rest", marks)?;
        document.picture("at-rest", picture.image.to_png()?, picture.caption);
    }
    publish(&document, folder.as_deref(), console)
}

/// Prints a document, and writes its page where one is wanted.
pub fn publish(document: &Document, folder: Option<&Path>, console: &Console) -> Result<ExitCode, Failure> {
    let mut text = document.as_text();
    if let Some(folder) = folder {
        text += &format!("\nPage: {}\n", document.write(folder)?.display());
    }
    console.tell(&document.as_json())?;
    console.say(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// The equilibrium of a scene; an error where its derivatives are not known.
pub fn find(scene: &Scene) -> Result<Equilibrium, Failure> {
    // What the solver `mechanism` cannot move has no equations here.
    let settings = Settings { snap: true, ..Settings::default() };
    Run::new(&scene.model, scene.state.clone(), &Scheme::Mechanism(settings)).map_err(failed)?;
    analysis::equilibrium(&scene.model, &scene.state).map_err(failed)
}

/// An error of the analysis.
pub fn failed(error: DynamicsError) -> Failure {
    Failure::motion(error.to_string())
}

/// The state in which a run begins at the equilibrium of a scene, with the scene's velocities, and what has moved most.
pub fn settled(scene: &Scene) -> Result<(State, String), Failure> {
    let rest = find(scene)?;
    let mut state = scene.state.clone();
    let mut worst = (0.0, String::new());
    for (b, motion) in state.motions.iter_mut().enumerate() {
        let [distance, angle] = moved(motion, &rest.state.motions[b]);
        motion.pose = rest.state.motions[b].pose;
        let name = &scene.model.bodies()[b].name;
        if distance + angle > worst.0 {
            worst = (distance + angle, format!("{name} by {distance:.4e} m and {angle:.4e} rad"));
        }
    }
    let line = match worst.1.as_str() {
        "" => "Settled: nothing had to be moved".to_owned(),
        most => format!("Settled before the start: moved most was {most}"),
    };
    Ok((state, line))
}

fn moved(from: &Motion, to: &Motion) -> [f64; 2] {
    [(to.pose.position - from.pose.position).norm(), from.pose.orientation.angle_to(&to.pose.orientation)]
}

/// Six significant digits.
pub fn number(x: f64) -> String {
    match x.abs() {
        0.0 => "0".to_owned(),
        1e-3..1e6 => format!("{x:.6}"),
        _ => format!("{x:.5e}"),
    }
}

/// The components of a vector; what is rounding beside `scale` is shown as zero.
fn components<const N: usize>(values: [f64; N], scale: f64) -> [String; N] {
    values.map(|x| number(if x.abs() < 1e-11 * scale { 0.0 } else { x }))
}

fn bodies(model: &Model, start: &State, rest: &State) -> Table {
    let columns =
        ["body", "x in m", "y in m", "z in m", "qw", "qx", "qy", "qz", "moved by m", "turned by deg"];
    let mut table = Table::new(columns);
    for (b, body) in model.bodies().iter().enumerate().filter(|(_, body)| body.is_free()) {
        let (pose, [distance, angle]) = (&rest.motions[b].pose, moved(&start.motions[b], &rest.motions[b]));
        let [x, y, z] = [pose.position.x, pose.position.y, pose.position.z];
        let q = pose.orientation;
        let mut row = vec![body.name.clone()];
        row.extend(components([x, y, z], pose.position.norm().max(1.0)));
        row.extend(components([q.w, q.i, q.j, q.k], 1.0));
        row.extend(components([distance, angle.to_degrees()], 1.0));
        table.push(row);
    }
    table
}

fn contacts(model: &Model, rest: &State) -> Result<Table, Failure> {
    let mut table = Table::new(["a", "b", "x in m", "y in m", "z in m", "depth in m", "force in N"]);
    for (pair, found) in active_contacts(model, rest).map_err(failed)? {
        let [a, b] = [pair.a, pair.b].map(|part| model.bodies()[part.body.0].name.clone());
        let at = found.force.point;
        let mut row = vec![a, b];
        row.extend(components([at.x, at.y, at.z], at.norm().max(1.0)));
        row.extend([-found.touch.gap, found.force.force.norm()].map(number));
        table.push(row);
    }
    Ok(table)
}

fn joints(model: &Model, rest: &State) -> Result<Table, Failure> {
    let mut table = Table::new(["joint", "force in N", "Fx", "Fy", "Fz", "torque in N m", "Tx", "Ty", "Tz"]);
    if model.joints().is_empty() {
        return Ok(table);
    }
    let mut mechanism = Mechanism::new(model, Settings::default()).map_err(failed)?;
    for (joint, found) in model.joints().iter().zip(mechanism.reactions(rest).map_err(failed)?) {
        let [f, t] = [found.force, found.torque];
        let mut row = vec![joint.name.clone()];
        row.extend(components([f.norm(), f.x, f.y, f.z], f.norm()));
        row.extend(components([t.norm(), t.x, t.y, t.z], t.norm().max(f.norm())));
        table.push(row);
    }
    Ok(table)
}

/// The stage of a scene, and a camera that sees all of it in all the places given.
pub fn stage(scene: &Scene, places: &[&Vec<Motion>]) -> Result<(Stage, Camera), Failure> {
    let report = report::of(scene)?;
    let mut stage = Stage::new(&scene.model)?;
    for (b, look) in report.looks.iter().enumerate() {
        stage.set_look(rattleback_dynamics::BodyId(b), *look)?;
    }
    let camera = match report.camera {
        Some(camera) => camera,
        None => stage.camera(places.iter().map(|motions| motions.as_slice()), 16.0 / 9.0)?,
    };
    Ok((stage, camera))
}

/// A picture of bodies where they are.
pub fn draw(
    stage: &Stage,
    camera: Camera,
    motions: &[Motion],
    label: &str,
    marks: Marks,
) -> Result<Picture, Failure> {
    Ok(stage.draw(motions, &Shot { label: label.to_owned(), marks, ..Shot::new(camera) })?)
}

fn marks(model: &Model, rest: &State) -> Result<Marks, Failure> {
    let mut marks = Marks::default();
    for (pair, found) in active_contacts(model, rest).map_err(failed)? {
        let (at, force) = (found.force.point, found.force.force);
        let free = model.bodies()[pair.b.body.0].is_free();
        marks.points.push(at);
        marks.forces.push(Arrow { at, force: if free { force } else { -force } });
    }
    Ok(marks)
}
