//! Starts workers, replaces those that die, and keeps what they find.

use crate::finding::{Fault, Finding};
use crate::generator::Generator;
use crate::input::{Input, Target};
use crate::sandbox::quick_folder;
use crate::watchdog::{ENDED, Limits};
use crate::worker::NOW;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What is asked for.
#[derive(Debug, Clone)]
pub struct Campaign {
    /// How long.
    pub time: Duration,
    /// How many inputs at most.
    pub inputs: u64,
    /// The number of the first.
    pub first: u64,
    /// The seed.
    pub seed: u64,
    /// Workers at a time.
    pub jobs: u64,
    /// The targets; all where it is empty.
    pub targets: Vec<Target>,
    /// Where findings go.
    pub output: PathBuf,
}

/// What came of it.
#[derive(Debug, Default)]
pub struct Tally {
    /// Inputs run and accepted, per target.
    pub counts: BTreeMap<Target, [u64; 2]>,
    /// Signature, how often, and an example.
    pub found: BTreeMap<String, (u64, u64, Finding)>,
    /// Processes that were replaced.
    pub deaths: u64,
}

impl Tally {
    /// Inputs run.
    pub fn inputs(&self) -> u64 {
        self.counts.values().map(|[run, _]| run).sum()
    }
}

impl Campaign {
    /// Runs it.
    pub fn run(&self) -> Result<Tally, String> {
        let shared = quick_folder().join(format!("rattleback-fuzz-{}", std::process::id()));
        let done = self.run_in(&shared);
        // What is left behind is in a folder for what may be lost.
        let _ = fs::remove_dir_all(&shared);
        done
    }

    fn run_in(&self, shared: &Path) -> Result<Tally, String> {
        let generator = Generator::new(self.seed, &self.targets, &shared.join("templates"))?;
        let tally = Mutex::new(Tally::default());
        let begun = Instant::now();
        let outcomes: Vec<Result<(), String>> = std::thread::scope(|scope| {
            let start = |job| {
                let (generator, tally) = (&generator, &tally);
                scope.spawn(move || self.keep_working(job, shared, begun, generator, tally))
            };
            let threads: Vec<_> = (0..self.jobs).map(start).collect();
            threads
                .into_iter()
                .map(|thread| thread.join().unwrap_or(Err("a supervisor panicked".into())))
                .collect()
        });
        outcomes.into_iter().collect::<Result<Vec<()>, String>>()?;
        Ok(tally.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    /// One worker after the other, each going on behind the input at which the last one died.
    fn keep_working(
        &self,
        job: u64,
        shared: &Path,
        begun: Instant,
        generator: &Generator,
        tally: &Mutex<Tally>,
    ) -> Result<(), String> {
        let folder = shared.join(format!("worker-{job}"));
        fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        let mut first = self.first + job;
        let end = self.first.saturating_add(self.inputs);
        loop {
            let left = self.time.saturating_sub(begun.elapsed());
            if left.is_zero() || first >= end {
                return Ok(());
            }
            let errors = folder.join("errors");
            let mut child = self
                .command(shared, &folder, first, end, left)
                .stdout(Stdio::piped())
                .stderr(File::create(&errors).map_err(|e| format!("{}: {e}", errors.display()))?)
                .spawn()
                .map_err(|e| format!("a worker could not be started: {e}"))?;
            if let Some(out) = child.stdout.take() {
                for line in BufReader::new(out).lines().map_while(Result::ok) {
                    self.hear(&line, generator, tally)?;
                }
            }
            let status = child.wait().map_err(|e| format!("a worker is lost: {e}"))?;
            if status.success() {
                return Ok(());
            }
            let number = fs::read_to_string(folder.join(NOW)).ok().and_then(|text| text.parse().ok());
            let Some(number) = number else {
                return Err(format!("a worker did not start: {status}: {}", last_words(&errors)));
            };
            if status.code() != Some(ENDED) {
                let finding =
                    Finding::new(Fault::Death, format!("{}: {}", death(status), last_words(&errors)));
                self.keep(number, finding, generator, tally)?;
            }
            tally.lock().unwrap_or_else(PoisonError::into_inner).deaths += 1;
            first = number + self.jobs;
        }
    }

    /// The command of a worker. Address space is bounded to twice the memory that an input may take: whoever asks for
    /// more at once gets none.
    fn command(&self, shared: &Path, folder: &Path, first: u64, end: u64, left: Duration) -> Command {
        let limit = 2 * 1024 * Limits::default().mebibytes;
        let mut command = Command::new("sh");
        let program = std::env::current_exe().unwrap_or_else(|_| "rattleback-fuzz".into());
        command.args(["-c", &format!("ulimit -v {limit} && exec \"$0\" \"$@\"")]).arg(program).arg("worker");
        command.arg(shared.join("templates")).arg(folder);
        let words: Vec<&str> = self.targets.iter().map(|target| target.word()).collect();
        command.args([self.seed, first, self.jobs, end, left.as_millis() as u64].map(|n| n.to_string()));
        command.arg(words.join(","));
        // All that an input takes is counted; one thread each is enough.
        command.env("RAYON_NUM_THREADS", "1");
        command
    }

    /// A line that a worker says.
    fn hear(&self, line: &str, generator: &Generator, tally: &Mutex<Tally>) -> Result<(), String> {
        let mut words = line.splitn(4, ' ');
        let mut word = || words.next().unwrap_or_default();
        match (word(), word(), word(), word()) {
            ("count", target, run, accepted) => {
                let Some(target) = Target::from_word(target) else { return Ok(()) };
                let number = |text: &str| text.parse::<u64>().unwrap_or(0);
                let mut tally = tally.lock().unwrap_or_else(PoisonError::into_inner);
                let count = tally.counts.entry(target).or_default();
                *count = [count[0] + number(run), count[1] + number(accepted)];
                Ok(())
            }
            ("finding", number, fault, message) => match (number.parse(), Fault::from_word(fault)) {
                (Ok(number), Some(fault)) => {
                    self.keep(number, Finding::new(fault, message), generator, tally)
                }
                _ => Ok(()),
            },
            _ => Ok(()),
        }
    }

    /// Counts a finding and keeps its input if it is the first of its cause.
    fn keep(
        &self,
        number: u64,
        finding: Finding,
        generator: &Generator,
        tally: &Mutex<Tally>,
    ) -> Result<(), String> {
        let input = generator.input(number);
        let signature = format!("{} {}", input.target.word(), finding.signature());
        let mut tally = tally.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((count, ..)) = tally.found.get_mut(&signature) {
            *count += 1;
            return Ok(());
        }
        println!("{} {number}: {finding}", input.target.word());
        let folder = self.output.join(input.target.word()).join(format!("{}-{number}", finding.fault.word()));
        store(&input, &finding, &folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        tally.found.insert(signature, (1, number, finding));
        Ok(())
    }
}

fn store(input: &Input, finding: &Finding, folder: &Path) -> std::io::Result<()> {
    let path = folder.join(&input.name);
    fs::create_dir_all(path.parent().unwrap_or(folder))?;
    fs::write(path, &input.bytes)?;
    fs::write(folder.join("finding.txt"), format!("{finding}\n"))
}

/// How a process ended, in words.
#[cfg(unix)]
fn death(status: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt;
    match status.signal() {
        Some(signal) => format!("ended by signal {signal}"),
        None => status.to_string(),
    }
}

#[cfg(not(unix))]
fn death(status: ExitStatus) -> String {
    status.to_string()
}

/// The last line that a worker wrote to standard error.
fn last_words(path: &Path) -> String {
    let read = || -> std::io::Result<String> {
        let mut file = File::open(path)?;
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(2000)))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).trim().lines().last().unwrap_or_default().to_owned())
    };
    read().unwrap_or_default()
}
