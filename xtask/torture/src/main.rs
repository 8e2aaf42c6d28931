//! `cargo xtask torture PAIRS [SEED [KIND]]`: tables on standard output, cases in a file of pairs for `rattleback
//! distance`. `cargo xtask torture repeat SEED PAIR...` asks pairs of a run over all kinds once more, by the numbers
//! that its cases have.
//!
//! Exit codes: 0 nothing false; 1 false certificates, or separate bodies said to overlap; 2 the command line is wrong
//! or the file cannot be written.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;
use xtask_torture::{repeat, torture};

/// Lines of false certificates that are printed; the file has them all.
const SHOWN: usize = 20;
/// Lines of each other kind in the file.
const KEPT: usize = 5000;

const USAGE: &str =
    "usage: cargo xtask torture PAIRS [SEED [KIND]] | cargo xtask torture repeat SEED PAIR...";

fn main() -> ExitCode {
    match run(std::env::args().skip(1)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

/// Whether nothing false was found.
fn run(mut arguments: impl Iterator<Item = String>) -> Result<bool, String> {
    let count = arguments.next().ok_or(USAGE)?;
    if count == "repeat" {
        let seed = whole("SEED", &arguments.next().ok_or(USAGE)?)?;
        let pairs: Vec<u64> = arguments.map(|text| whole("PAIR", &text)).collect::<Result<_, _>>()?;
        let (tally, cases) = repeat(seed, &pairs)?;
        cases.iter().for_each(|case| println!("{}", case.line));
        print!("{}", tally.table());
        return Ok(tally.is_true());
    }
    let count = whole("PAIRS", &count)?;
    let seed = arguments.next().map_or(Ok(1), |text| whole("SEED", &text))?;
    let kind = arguments.next();
    if let Some(more) = arguments.next() {
        return Err(format!("found {more} after KIND; {USAGE}"));
    }
    let folder = PathBuf::from(std::env::var("CARGO_TARGET_DIR").unwrap_or_else(|_| "target".to_owned()));
    let path = folder.join("torture").join(format!("{seed}.jsonl"));
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    fs::create_dir_all(folder.join("torture")).map_err(failed)?;
    let mut file = BufWriter::new(File::create(&path).map_err(failed)?);
    // A panic of the engine is counted, not printed.
    std::panic::set_hook(Box::new(|_| {}));
    let begun = Instant::now();
    let (mut shown, mut kept) = (0, BTreeMap::<&str, usize>::new());
    let tally = torture(count, seed, kind.as_deref(), |cases, tally| {
        for case in cases {
            let before = kept.entry(case.rule).or_default();
            *before += 1;
            if case.is_false || *before <= KEPT {
                writeln!(file, "{}", case.line).map_err(failed)?;
            }
            if case.is_false && shown < SHOWN {
                shown += 1;
                println!("{}", case.line);
            }
        }
        let (all, seconds) = (&tally.all, begun.elapsed().as_secs_f64());
        eprintln!("{} pairs, {} false, {seconds:.0} s", all.pairs, all.false_certificates);
        Ok(())
    })?;
    file.flush().map_err(failed)?;
    print!("{}", tally.table());
    println!("{:.1} s; cases are in {}", begun.elapsed().as_secs_f64(), path.display());
    Ok(tally.is_true())
}

/// A whole number, such as 10000 or 1e7.
fn whole(name: &str, text: &str) -> Result<u64, String> {
    let number = text.replace('_', "").parse::<f64>().ok();
    match number.filter(|x| *x >= 0.0 && x.fract() == 0.0 && *x < 9e15) {
        Some(number) => Ok(number as u64),
        None => Err(format!("{name}: found {text}; expected a whole number, such as 10000 or 1e7")),
    }
}
