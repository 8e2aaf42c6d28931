//! `cargo xtask torture PAIRS [SEED [KIND]]`.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;
use xtask_torture::{table, torture};

/// Lines that are printed; the file has them all.
const SHOWN: usize = 20;

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
    let number = |text: String, name: &str| {
        let plain = text.replace('_', "");
        plain
            .parse::<f64>()
            .ok()
            .filter(|x| *x >= 0.0 && x.fract() == 0.0 && *x < 1e18)
            .map(|x| x as u64)
            .ok_or(format!("{name}: found {text}; expected a whole number, such as 10000 or 1e7"))
    };
    let pairs = number(arguments.next().ok_or("usage: cargo xtask torture PAIRS [SEED [KIND]]")?, "PAIRS")?;
    let seed = arguments.next().map_or(Ok(1), |text| number(text, "SEED"))?;
    let kind = arguments.next();
    // A panic of the engine is counted, not printed.
    std::panic::set_hook(Box::new(|_| {}));
    let begun = Instant::now();
    let outcome = torture(pairs, seed, kind.as_deref())?;
    let seconds = begun.elapsed().as_secs_f64();
    let (text, all) = table(&outcome.rows);
    print!("{text}");
    let folder = PathBuf::from(std::env::var("CARGO_TARGET_DIR").unwrap_or_else(|_| "target".to_owned()));
    let folder = folder.join("torture");
    let file = folder.join(format!("{seed}.jsonl"));
    let lines: String = outcome.cases.iter().map(|case| format!("{}\n", case.line)).collect();
    fs::create_dir_all(&folder)
        .and_then(|()| fs::write(&file, lines))
        .map_err(|error| format!("{}: {error}", file.display()))?;
    for case in outcome.cases.iter().filter(|case| case.is_false).take(SHOWN) {
        println!("{}", case.line);
    }
    println!("{seconds:.1} s; all {} cases are in {}", outcome.cases.len(), file.display());
    Ok(all.false_certificates == 0 && all.said_to_overlap == 0)
}
