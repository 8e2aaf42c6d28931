//! The process that runs inputs. It says on standard output what it finds and how far it is; that it may die is the
//! supervisor's concern, to whom a file tells which input was under way.

use crate::generator::Generator;
use crate::input::{Input, Target};
use crate::sandbox::Sandbox;
use crate::watchdog::{Limits, Watchdog, tell};
use std::fs::{self, File};
use std::io::{Seek, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Worker threads of the command have this stack; whoever needs more overflows there.
const STACK: usize = 2 << 20;
/// How often it says how far it is.
const INTERVAL: Duration = Duration::from_millis(500);

/// The name of the file with the number of the input under way.
pub const NOW: &str = "now";

/// What a worker is to do.
#[derive(Debug, Clone)]
pub struct Task {
    /// The folder that all workers share: the result folders of the corpus.
    pub shared: PathBuf,
    /// Its own folder.
    pub folder: PathBuf,
    /// The seed.
    pub seed: u64,
    /// The targets; all where it is empty.
    pub targets: Vec<Target>,
    /// The numbers of the inputs: from, in steps of, and below.
    pub first: u64,
    #[allow(missing_docs, reason = "see above")]
    pub stride: u64,
    #[allow(missing_docs, reason = "see above")]
    pub end: u64,
    /// How long.
    pub time: Duration,
}

/// Runs inputs until their numbers or the time run out.
pub fn work(task: Task) -> Result<(), String> {
    let generator = Generator::new(task.seed, &task.targets, &task.shared)?;
    let failed = |e: std::io::Error| format!("{}: {e}", task.folder.display());
    let sandbox = Sandbox::new(&task.folder, generator.corpus()).map_err(failed)?;
    let now = File::create(task.folder.join(NOW)).map_err(failed)?;
    let watchdog = Watchdog::watch(Limits::default());
    in_small_stack(move || run_all(&task, &generator, &sandbox, now, &watchdog))?
}

fn run_all(
    task: &Task,
    generator: &Generator,
    sandbox: &Sandbox,
    mut now: File,
    watchdog: &Watchdog,
) -> Result<(), String> {
    let (begun, mut said) = (Instant::now(), Instant::now());
    let mut counts = [[0u64; 2]; Target::ALL.len()];
    let mut number = task.first;
    while number < task.end && begun.elapsed() < task.time {
        now.rewind().and_then(|()| write!(now, "{number:020}")).map_err(|e| e.to_string())?;
        let input = generator.input(number);
        watchdog.begin(number, input.target);
        spoil(number);
        let outcome = sandbox.run(&input);
        outcome.findings.iter().for_each(|finding| tell(number, finding));
        let count = &mut counts[input.target as usize];
        *count = [count[0] + 1, count[1] + u64::from(outcome.accepted)];
        if said.elapsed() > INTERVAL {
            say(&mut counts);
            said = Instant::now();
        }
        number += task.stride;
    }
    say(&mut counts);
    Ok(())
}

/// Where `RATTLEBACK_FUZZ_SPOIL` holds "NUMBER FAULT", does at that input what must be noticed from outside: tests of
/// the supervision ask for it.
fn spoil(number: u64) {
    let Ok(words) = std::env::var("RATTLEBACK_FUZZ_SPOIL") else { return };
    match words.split_once(' ') {
        Some((at, fault)) if at.parse() == Ok(number) => match fault {
            "hang" => loop {
                std::hint::spin_loop();
            },
            "memory" => {
                let room: Vec<Vec<u8>> = (0..1500).map(|_| vec![1; 1 << 20]).collect();
                std::thread::sleep(Duration::from_secs(room.len() as u64));
            }
            _ => std::process::abort(),
        },
        _ => {}
    }
}

/// Says how many inputs of each target were run and accepted since it was last said.
fn say(counts: &mut [[u64; 2]; Target::ALL.len()]) {
    for (target, count) in Target::ALL.into_iter().zip(counts.iter_mut()) {
        println!("count {} {} {}", target.word(), count[0], count[1]);
        *count = [0, 0];
    }
}

/// Runs one file and tells what is found.
pub fn try_one(target: Target, file: &Path, name: &str, limits: Limits) -> Result<bool, String> {
    let bytes = fs::read(file).map_err(|e| format!("{}: {e}", file.display()))?;
    let sandbox = Sandbox::temporary()?;
    let watchdog = Watchdog::watch(limits);
    let input = Input::new(target, name, bytes);
    in_small_stack(move || {
        watchdog.begin(0, input.target);
        let outcome = sandbox.run(&input);
        outcome.findings.iter().for_each(|finding| tell(0, finding));
        println!("{}", if outcome.accepted { "accepted" } else { "refused" });
        outcome.findings.is_empty()
    })
}

fn in_small_stack<T: Send + 'static>(function: impl FnOnce() -> T + Send + 'static) -> Result<T, String> {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(function).map_err(|e| e.to_string())?;
    thread.join().map_err(|_| "the thread of a worker panicked outside of an input".to_owned())
}
