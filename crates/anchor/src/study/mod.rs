//! Anchor manoeuvres: hulls and ways to begin, each heaved until it is over, then taken through a seaway if it is
//! stowed.
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

pub use cases::built_in;
pub use follow::Durations;

use crate::ManoeuvreScene;
use follow::Followed;
use rattleback_record::{Document, Result};
use rattleback_scene::Scene;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Whether somebody asks a study to stop; asked at every step, by all threads.
pub type Stopped<'s> = &'s (dyn Fn() -> bool + Sync);

/// One manoeuvre of the study.
#[derive(Debug, Clone)]
pub struct Case {
    /// The hull, or the file.
    pub variant: String,
    /// How it begins.
    pub start: String,
    /// The scene.
    pub scene: Scene,
    /// What is known of it.
    known: ManoeuvreScene,
}

impl Case {
    fn name(&self) -> String {
        format!("{}, {}", self.variant, self.start)
    }
}

/// Follows the cases and sets them side by side, with pictures of their ends if they are wanted. A line is told of
/// each as it ends.
pub fn report(
    cases: &[Case],
    durations: &Durations,
    pictures: bool,
    tell: &(dyn Fn(&str) + Sync),
) -> Result<Document> {
    report_until(cases, durations, pictures, tell, &|| false)
}

/// The same, until somebody asks it to stop: motions end at their next step then, and what is told of them is of no
/// use.
pub fn report_until(
    cases: &[Case],
    durations: &Durations,
    pictures: bool,
    tell: &(dyn Fn(&str) + Sync),
    stopped: Stopped<'_>,
) -> Result<Document> {
    let followed = follow_all(cases, durations, tell, stopped);
    let mut report = Document::new("Anchor manoeuvres");
    show::add(&followed, durations, &mut report);
    for one in followed.iter().filter(|_| pictures) {
        view::add(one, &mut report)?;
    }
    Ok(report)
}

/// Follows all cases, as many at a time as there are cores; results in the order of the cases.
fn follow_all<'c>(
    cases: &'c [Case],
    durations: &Durations,
    tell: &(dyn Fn(&str) + Sync),
    stopped: Stopped<'_>,
) -> Vec<Followed<'c>> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    let work = || {
        loop {
            let k = next.fetch_add(1, Ordering::Relaxed);
            let Some(case) = cases.get(k) else { return };
            if stopped() {
                return;
            }
            let followed = Followed::of(case, durations, stopped);
            let (word, wall) = (followed.word(), followed.wall);
            tell(&format!("{}: {word}, {wall:.0} s of computing", case.name()));
            // No thread panics while it holds the lock.
            if let Ok(mut done) = done.lock() {
                done.push((k, followed));
            }
        }
    };
    // Threads of their own: in a pool, a motion that waits for its own parallel work would take up another motion
    // meanwhile.
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
