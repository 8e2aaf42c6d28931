//! `rattleback-fuzz`: what `cargo xtask fuzz` runs.

use rattleback_fuzz::minimise::minimise;
use rattleback_fuzz::supervisor::{Campaign, Tally};
use rattleback_fuzz::worker::{Task, try_one, work};
use rattleback_fuzz::{Input, Limits, Target, corpus};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

const USAGE: &str = "\
usage: rattleback-fuzz MINUTES [--seed N] [--first N] [--inputs N] [--jobs N] [--only TARGET,...] [-o FOLDER]
       rattleback-fuzz try TARGET FILE [NAME]        runs one file and says what is found
       rattleback-fuzz minimise TARGET FILE [NAME]   makes it smaller, in FILE.small, for as long as the fault stays

Targets: scene, shape, pair, mesh, robot, gait, folder. NAME is that under which the file is read, as ball/checkpoint.json.
Findings go to results/fuzz unless -o names another folder.
";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        ["worker", rest @ ..] => worker(rest).map(|()| true),
        ["try", target, file, rest @ ..] => examine(target, file, rest),
        ["minimise", target, file, rest @ ..] => make_smaller(target, file, rest).map(|()| true),
        [] | ["help" | "--help" | "-h", ..] => {
            print!("{USAGE}");
            Ok(true)
        }
        [minutes, rest @ ..] => campaign(minutes, rest),
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

fn number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("{text} is no number\n\n{USAGE}"))
}

fn target(word: &str) -> Result<Target, String> {
    Target::from_word(word).ok_or_else(|| format!("{word} is no target\n\n{USAGE}"))
}

fn targets(words: &str) -> Result<Vec<Target>, String> {
    words.split(',').filter(|word| !word.is_empty()).map(target).collect()
}

fn campaign(minutes: &str, rest: &[&str]) -> Result<bool, String> {
    let minutes = minutes.parse::<f64>().ok().filter(|m| *m > 0.0 && *m < 1e6);
    let minutes = minutes.ok_or_else(|| format!("MINUTES is a number above zero\n\n{USAGE}"))?;
    let mut asked = Campaign {
        time: Duration::from_secs_f64(60.0 * minutes),
        inputs: u64::MAX,
        first: 0,
        seed: 1,
        jobs: std::thread::available_parallelism().map_or(1, |n| n.get() as u64),
        targets: Vec::new(),
        output: corpus::root().join("results/fuzz"),
    };
    for option in rest.chunks(2) {
        match *option {
            ["--seed", n] => asked.seed = number(n)?,
            ["--first", n] => asked.first = number(n)?,
            ["--inputs", n] => asked.inputs = number(n)?,
            ["--jobs", n] => asked.jobs = number(n)?.max(1),
            ["--only", words] => asked.targets = targets(words)?,
            ["-o", folder] => asked.output = folder.into(),
            _ => return Err(format!("{} is not understood\n\n{USAGE}", option.join(" "))),
        }
    }
    let begun = Instant::now();
    let tally = asked.run()?;
    report(&tally, &asked, begun.elapsed());
    Ok(tally.found.is_empty())
}

fn report(tally: &Tally, asked: &Campaign, time: Duration) {
    println!("{:<8} {:>10} {:>10}", "target", "inputs", "accepted");
    for (target, [run, accepted]) in &tally.counts {
        println!("{:<8} {run:>10} {accepted:>10}", target.word());
    }
    let seconds = time.as_secs_f64();
    let all = tally.inputs();
    println!(
        "{:<8} {all:>10} in {seconds:.0} s, {:.0} per s; seed {}",
        "all",
        all as f64 / seconds,
        asked.seed
    );
    println!("{} causes of findings, {} processes replaced", tally.found.len(), tally.deaths);
    for (count, number, finding) in tally.found.values() {
        println!("{count:>8} × {finding}, first input {number}");
    }
    if !tally.found.is_empty() {
        println!("Their inputs are in {}", asked.output.display());
    }
}

fn worker(words: &[&str]) -> Result<(), String> {
    let [shared, folder, seed, first, stride, end, milliseconds, words] = *words else {
        return Err("a worker is started by a supervisor".to_owned());
    };
    work(Task {
        shared: shared.into(),
        folder: folder.into(),
        seed: number(seed)?,
        targets: targets(words)?,
        first: number(first)?,
        stride: number(stride)?,
        end: number(end)?,
        time: Duration::from_millis(number(milliseconds)?),
    })
}

/// The name under which a file is read: that given, or the usual one with the file's ending.
fn name_of(target: Target, file: &Path, rest: &[&str]) -> String {
    let ending = file.extension().unwrap_or_default().to_string_lossy();
    match (rest.first(), target) {
        (Some(name), _) => (*name).to_owned(),
        (None, Target::Folder) => {
            let parts: Vec<_> = file.iter().rev().take(2).map(|part| part.to_string_lossy()).collect();
            format!("{}/{}", parts.last().map_or("ball", |part| part), parts[0])
        }
        (None, target) => format!("{}.{ending}", target.word()),
    }
}

fn examine(word: &str, file: &str, rest: &[&str]) -> Result<bool, String> {
    let (target, file) = (target(word)?, Path::new(file));
    try_one(target, file, &name_of(target, file, rest), Limits::default())
}

fn make_smaller(word: &str, file: &str, rest: &[&str]) -> Result<(), String> {
    let (target, file) = (target(word)?, PathBuf::from(file));
    let name = name_of(target, &file, rest);
    let bytes = std::fs::read(&file).map_err(|e| format!("{}: {e}", file.display()))?;
    let trial_file = beside(&file, "trial");
    // Each trial is a process of its own: the fault may end it.
    let fault = |input: &Input| -> Option<String> {
        std::fs::write(&trial_file, &input.bytes).ok()?;
        let program = std::env::current_exe().ok()?;
        let arguments = ["try", word, &trial_file.to_string_lossy(), &name].map(str::to_owned);
        let done = Command::new("sh")
            .args(["-c", "ulimit -v 2097152 && exec \"$0\" \"$@\""])
            .arg(program)
            .args(arguments)
            .output()
            .ok()?;
        let said = String::from_utf8_lossy(&done.stdout).into_owned();
        let found = said.lines().find_map(|line| line.strip_prefix("finding 0 "));
        let place = |line: &str| line.split(": ").next().unwrap_or_default().to_owned();
        match (found, done.status.code()) {
            (Some(line), _) => Some(place(line)),
            (None, Some(0)) => None,
            (None, code) => Some(format!("ended with {code:?}")),
        }
    };
    let input = Input::new(target, name.clone(), bytes);
    let expected = fault(&input).ok_or("nothing is found in this file")?;
    let small = minimise(&input, 2000, |trial| fault(trial).as_ref() == Some(&expected));
    let path = beside(&file, "small");
    std::fs::write(&path, &small.bytes).map_err(|e| format!("{}: {e}", path.display()))?;
    let _ = std::fs::remove_file(&trial_file);
    println!("{}: {} bytes of {}, {expected}", path.display(), small.bytes.len(), input.bytes.len());
    Ok(())
}

/// The file's name with another ending after its own.
fn beside(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    name.into()
}
