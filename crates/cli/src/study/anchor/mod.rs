//! Anchor manoeuvres: hulls and ways to begin, each heaved until it is over, then taken through a seaway if it is stowed.
//!
//! | what | file |
//! |---|---|
//! | which manoeuvres | `cases.rs` |
//! | how one is followed | `follow.rs` |
//! | the seaway that comes after | `sea.rs` |
//! | tables and figures | `show.rs` |
//! | pictures of the ends | `view.rs` |

mod cases;
mod follow;
mod sea;
mod show;
mod view;

use super::{Output, Report};
use crate::failure::Failure;
use crate::run::positive_time;
use crate::voice::Voice;
use clap::Args;
use follow::{Course, Followed};
use rattleback_scene::{Scene, parse_time};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

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

/// One manoeuvre of the study.
pub struct Case {
    /// The hull, or the file.
    pub variant: String,
    /// How it begins.
    pub start: String,
    pub scene: Scene,
}

impl Case {
    fn name(&self) -> String {
        format!("{}, {}", self.variant, self.start)
    }
}

pub fn report(arguments: &Arguments, voice: &Voice) -> Result<Report, Failure> {
    let cases = if arguments.files.is_empty() {
        let mut cases = cases::built_in(arguments.duration)?;
        cases.truncate(arguments.cases.map_or(usize::MAX, |count| count as usize));
        cases
    } else {
        cases::of_files(&arguments.files)?
    };
    let course = Course { longest: arguments.duration, seaway: arguments.seaway };
    let followed = follow_all(&cases, &course, voice);
    let mut report = Report::new("Anchor manoeuvres");
    show::add(&followed, &course, &mut report);
    if arguments.output.folder("anchor").is_some() {
        for one in &followed {
            view::add(one, &mut report)?;
        }
    }
    Ok(report)
}

/// Follows all cases, as many at a time as there are cores; results in the order of the cases.
fn follow_all<'c>(cases: &'c [Case], course: &Course, voice: &Voice) -> Vec<Followed<'c>> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    let work = || {
        loop {
            let k = next.fetch_add(1, Ordering::Relaxed);
            let Some(case) = cases.get(k) else { return };
            let Some(followed) = Followed::of(case, course) else { continue };
            let (word, wall) = (followed.word(), followed.wall);
            voice.remark(&format!("{}: {word}, {wall:.0} s of computing", case.name()));
            // Nobody panics while holding it.
            if let Ok(mut done) = done.lock() {
                done.push((k, followed));
            }
        }
    };
    // Threads of their own: in a pool, a motion that waits for its own parallel work would take up another motion meanwhile.
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(cases.len());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    let mut done = done.into_inner().unwrap_or_default();
    done.sort_by_key(|(k, _)| *k);
    done.into_iter().map(|(_, followed)| followed).collect()
}
