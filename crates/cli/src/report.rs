//! `rattleback report`: the page of a result folder, made again.

use crate::console::Console;
use crate::failure::Failure;
use crate::run::scene_of;
use clap::Args;
use rattleback_record::ResultFolder;
use rattleback_record::picture::{Camera, Look};
use rattleback_record::report::{Curve, Plot, Report};
use rattleback_scene::{Scene, SceneError};
use rattleback_sweep::VERDICT;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Write the report of a result folder: pictures, figures and tables on one page
#[derive(Args)]
#[command(after_help = "Example:\n  rattleback report results/demonstration")]
pub struct Arguments {
    /// The result folder, of a run that has ended, goes on or was killed
    folder: PathBuf,
}

/// Runs the verb.
pub fn run(arguments: &Arguments, console: &Console) -> Result<ExitCode, Failure> {
    let folder = ResultFolder::open(&arguments.folder)?;
    let scene = scene_of(folder.scene()?, folder.manifest())?;
    let page = write(&scene, &arguments.folder)?;
    console.tell(&json!({"report": page}))?;
    console.say(&format!("Report: {}\n", page.display()))?;
    Ok(ExitCode::SUCCESS)
}

/// Writes the report of a scene's run into its folder; returns the page's path.
pub fn write(scene: &Scene, folder: &Path) -> Result<PathBuf, Failure> {
    let mut report = of(scene)?;
    if let Ok(verdict) = std::fs::read_to_string(folder.join(VERDICT)) {
        report.description = format!("{}\n\n{verdict}", report.description).trim().to_owned();
    }
    Ok(report.write(&ResultFolder::open(folder)?)?)
}

/// What the report of a scene's run is about.
pub fn of(scene: &Scene) -> Result<Report<'_>, Failure> {
    let mut plots = Vec::new();
    for plot in &scene.output.plots {
        let curves = plot.curves.iter().map(|name| Curve::parse(&name.value, &scene.model));
        plots.push(Plot {
            title: plot.title.clone(),
            label: plot.label.clone(),
            curves: curves.collect::<Result<_, _>>()?,
        });
    }
    let gravity = scene.model.gravity();
    let camera = |camera: rattleback_scene::Camera| Camera {
        eye: camera.eye,
        target: camera.target,
        up: camera.up.unwrap_or(if gravity.norm() > 0.0 { -gravity } else { rattleback_geom::Vec3::z() }),
        field_of_view: camera.field_of_view,
    };
    Ok(Report {
        model: &scene.model,
        description: scene.description.clone(),
        origin: scene.origin.clone(),
        looks: scene.looks.iter().map(|look| Look { colour: look.colour, hidden: look.hidden }).collect(),
        instants: scene.output.instants.clone(),
        camera: scene.output.camera.map(camera),
        plots,
    })
}

/// Whether the curves that a scene asks for will be there.
pub fn check_curves(scene: &Scene) -> Result<(), SceneError> {
    let names = scene.output.plots.iter().flat_map(|plot| &plot.curves);
    let wrong = |name: &rattleback_scene::At<String>| {
        Curve::parse(&name.value, &scene.model).err().map(|error| name.complaint(error.to_string()))
    };
    let complaints: Vec<_> = names.filter_map(wrong).collect();
    if complaints.is_empty() {
        Ok(())
    } else {
        Err(SceneError::Refused { file: scene.source.clone(), complaints })
    }
}
