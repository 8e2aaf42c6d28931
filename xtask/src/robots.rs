//! Robots of a folder, imported and run for a second each: a table of what became of them.

use crate::chaos_chore;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A command that takes longer is stopped: sixty times real time.
const PATIENCE: Duration = Duration::from_secs(60);
/// Files that are looked into; a folder with more is not one of robots.
const MAX_FILES: usize = 100_000;

/// What became of a robot.
struct Outcome {
    /// Bodies, joints and what is lost, as far as it was imported.
    counts: [String; 3],
    seconds: f64,
    verdict: String,
}

/// `FOLDER [OPTION...]`, the options those of `rattleback import`; an error where the folder has no robot.
pub fn run(mut arguments: impl Iterator<Item = String>) -> Result<(), String> {
    let folder = PathBuf::from(arguments.next().ok_or("FOLDER: expected a folder with robots")?);
    let options: Vec<String> = arguments.collect();
    let robots = find(&folder)?;
    if robots.is_empty() {
        return Err(format!("{}: found no robot, neither URDF nor MJCF", folder.display()));
    }
    let program = chaos_chore::build()?;
    let work = std::env::temp_dir().join(format!("rattleback-robots-{}", std::process::id()));
    let names = robots.iter().map(|robot| robot.strip_prefix(&folder).unwrap_or(robot).display().to_string());
    let names: Vec<String> = names.collect();
    let width = names.iter().map(String::len).max().unwrap_or_default();
    println!("{:width$} | bodies | joints | lost |     s | a second of it", "robot");
    let mut healthy = 0;
    for (k, robot) in robots.iter().enumerate() {
        let Outcome { counts: [bodies, joints, lost], seconds, verdict } =
            attempt(&program, robot, &work.join(k.to_string()), &options)?;
        println!("{:width$} | {bodies:>6} | {joints:>6} | {lost:>4} | {seconds:>5.1} | {verdict}", names[k]);
        healthy += usize::from(verdict.starts_with("Healthy"));
    }
    println!("{healthy} of {} healthy", robots.len());
    fs::remove_dir_all(&work).map_err(|e| format!("{}: {e}", work.display()))
}

/// The files under a folder that have a robot, in the order of their names.
fn find(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let (mut left, mut robots, mut seen) = (vec![folder.to_owned()], Vec::new(), 0);
    while let Some(folder) = left.pop() {
        let entries = fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        for entry in entries {
            let path = entry.map_err(|e| format!("{}: {e}", folder.display()))?.path();
            seen += 1;
            if seen > MAX_FILES {
                return Err(format!("{}: found more than {MAX_FILES} files", folder.display()));
            }
            // Links to folders may lead in circles.
            if path.is_dir() && !path.is_symlink() {
                left.push(path);
            } else if is_robot(&path) {
                robots.push(path);
            }
        }
    }
    robots.sort();
    Ok(robots)
}

/// Whether a file has links, or bodies in a world.
fn is_robot(path: &Path) -> bool {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
    if ending != "urdf" && ending != "xml" {
        return false;
    }
    let text = fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    text.contains("<robot") && text.contains("<link") || text.contains("<mujoco") && text.contains("<body")
}

/// Imports a robot and runs it.
fn attempt(program: &Path, robot: &Path, work: &Path, options: &[String]) -> Result<Outcome, String> {
    fs::create_dir_all(work).map_err(|e| format!("{}: {e}", work.display()))?;
    let (scene, results) = (work.join("scene.toml"), work.join("results"));
    let mut import = Command::new(program);
    import.arg("import").arg(robot).arg("-o").arg(&scene).args(options);
    let begun = Instant::now();
    let (is_imported, said) = finish(&mut import, &work.join("import.txt"))?;
    let counts = counts_of(said.lines().find(|line| line.starts_with("Written: ")).unwrap_or_default());
    let line_of = |said: &str, words: &[&str]| {
        let line = said.lines().find(|line| words.iter().any(|word| line.starts_with(word)));
        line.unwrap_or("nothing was said").to_owned()
    };
    let verdict = if is_imported {
        let mut run = Command::new(program);
        run.arg("run").arg(&scene).arg("-o").arg(&results);
        run.args(["--duration", "1s", "--no-report", "--checkpoint", "0s"]);
        let (_, said) = finish(&mut run, &work.join("run.txt"))?;
        line_of(&said, &["Healthy", "Broken", "error", "stopped"])
    } else {
        format!("not imported: {}", line_of(&said, &["error", "stopped"]))
    };
    let seconds = begun.elapsed().as_secs_f64();
    fs::remove_dir_all(work).map_err(|e| format!("{}: {e}", work.display()))?;
    Ok(Outcome { counts, seconds, verdict })
}

/// Runs a command for no longer than there is patience; whether it succeeded, and what it said.
fn finish(command: &mut Command, log: &Path) -> Result<(bool, String), String> {
    let failed = |e: std::io::Error| format!("{}: {e}", log.display());
    let file = fs::File::create(log).map_err(failed)?;
    command.stdin(Stdio::null()).stdout(file.try_clone().map_err(failed)?).stderr(file);
    let mut child = command.spawn().map_err(|e| format!("{command:?}: {e}"))?;
    let begun = Instant::now();
    let status = loop {
        match child.try_wait().map_err(failed)? {
            Some(status) => break Some(status),
            None if begun.elapsed() > PATIENCE => {
                child.kill().map_err(failed)?;
                child.wait().map_err(failed)?;
                break None;
            }
            None => std::thread::sleep(Duration::from_millis(20)),
        }
    };
    let mut said = Vec::new();
    fs::File::open(log).and_then(|mut file| file.read_to_end(&mut said)).map_err(failed)?;
    let said = String::from_utf8_lossy(&said).into_owned();
    match status {
        Some(status) => Ok((status.success(), said)),
        None => Ok((false, format!("stopped after {} s\n{said}", PATIENCE.as_secs()))),
    }
}

/// Bodies, joints and losses of the line that tells them.
fn counts_of(line: &str) -> [String; 3] {
    let (_, counts) = line.rsplit_once(", with ").unwrap_or_default();
    let is_number = |word: &&str| !word.is_empty() && word.chars().all(|c| c.is_ascii_digit());
    let mut numbers = counts.split([' ', ',']).filter(is_number);
    [0, 1, 2].map(|_| numbers.next().unwrap_or("-").to_owned())
}
