//! `rattleback study anchor`: manoeuvres of a built-in set or of files.

use super::Output;
use crate::applications::FORMAT;
use crate::console::Console;
use crate::failure::Failure;
use crate::run::positive_time;
use clap::Args;
use rattleback_anchor::study::{self, Case, Durations};
use rattleback_record::Document;
use rattleback_scene::parse_time;
use std::path::PathBuf;

#[derive(Args)]
pub struct Arguments {
    /// Scenes with a manoeuvre, in place of the built-in set of three hulls and three ways to begin
    files: Vec<PathBuf>,
    /// Only so many of the built-in set
    #[arg(long, value_name = "NUMBER", conflicts_with = "files", value_parser = clap::value_parser!(u64).range(1..))]
    cases: Option<u64>,
    /// Follow each no longer than this, whether it is over or not
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = positive_time)]
    duration: f64,
    /// How long the seaway lasts; 0s for none
    #[arg(long, value_name = "TIME", default_value = "20s", value_parser = sea_time)]
    seaway: f64,
    /// Raise the sea until the anchor does not hold
    #[arg(long)]
    raise: bool,
    #[command(flatten)]
    pub output: Output,
}

fn sea_time(text: &str) -> Result<f64, String> {
    match parse_time(text) {
        Ok(time) if time >= 0.0 && time.is_finite() => Ok(time),
        Ok(time) => Err(format!("{time} s is below zero")),
        Err(reason) => Err(reason),
    }
}

pub fn report(arguments: &Arguments, console: &Console) -> Result<Document, Failure> {
    let cases = if arguments.files.is_empty() {
        let built_in = study::built_in(arguments.duration);
        let mut cases = built_in.map_err(|error| Failure::input(error.to_string()))?;
        cases.truncate(arguments.cases.map_or(usize::MAX, |count| count as usize));
        cases
    } else {
        of_files(&arguments.files)?
    };
    let durations =
        Durations { longest: arguments.duration, seaway: arguments.seaway, raise: arguments.raise };
    let pictures = arguments.output.folder("anchor").is_some();
    Ok(study::report(&cases, &durations, pictures, &|line| console.remark(line))?)
}

fn of_files(files: &[PathBuf]) -> Result<Vec<Case>, Failure> {
    let mut cases = Vec::new();
    for file in files {
        let scene = FORMAT.read_scene(file)?;
        let variant = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let start = scene.title.clone();
        let case = Case::new(&variant, &start, scene);
        cases.push(case.ok_or_else(|| Failure::input(format!("{}: it has no `manoeuvre`", file.display())))?);
    }
    Ok(cases)
}
