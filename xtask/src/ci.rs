//! The checks, cheapest to explain first. Each one is an ordinary command that can be run alone.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

/// Name, arguments to cargo, environment.
type Check = (&'static str, &'static [&'static str], &'static [(&'static str, &'static str)]);

const CHECKS: &[Check] = &[
    // The README's test command.
    ("tests", &["test", "--workspace", "--locked"], &[]),
    ("format", &["fmt", "--all", "--check"], &[]),
    (
        "clippy",
        &["clippy", "--workspace", "--all-targets", "--all-features", "--locked", "--", "-D", "warnings"],
        &[],
    ),
    (
        "rustdoc",
        &["doc", "--workspace", "--no-deps", "--all-features", "--locked"],
        &[("RUSTDOCFLAGS", "-D warnings")],
    ),
];

/// The oldest toolchain that the manifests claim.
const OLDEST: &str = env!("CARGO_PKG_RUST_VERSION");

/// Runs every check and stops at the first that fails.
pub fn run() -> Result<(), String> {
    for (name, arguments, environment) in CHECKS {
        let mut cargo = Command::new(env!("CARGO"));
        check(name, cargo.args(*arguments).envs(environment.iter().copied()))?;
    }
    oldest()
}

/// The Python package in a virtual environment of its own, and its tests: a chore of its own, since it builds the libraries
/// once more, with the features that the package alone asks for.
/// Where there is no Python to do it with, or no registry to install from, it is said that nothing was checked.
pub fn python() -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let environment = root.join("target/python");
    let skip = |reason: &str| {
        println!("== python: NOT CHECKED, for want of {reason}");
        Ok(())
    };
    let succeeds = |command: &mut Command| {
        let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
        status.is_ok_and(|status| status.success())
    };
    let recent = "import sys; sys.exit(sys.version_info < (3, 10))";
    if !succeeds(Command::new("python3").args(["-c", recent])) {
        return skip("python3, 3.10 or newer");
    }
    if !succeeds(Command::new("python3").args(["-m", "venv"]).arg(&environment)) {
        return skip("python3 -m venv");
    }
    let own = environment.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let pip = |arguments: &[&str]| {
        let mut command = Command::new(&own);
        command.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]).args(arguments);
        command
    };
    let needed =
        ["maturin>=1.7,<2", "pytest", "numpy", "scipy", "pandas", "polars", "pyarrow", "matplotlib", "mypy"];
    if !succeeds(&mut pip(&[&needed[..], &["tqdm", "dask", "distributed"]].concat())) {
        return skip("a registry of Python packages");
    }
    let package = root.join("crates/py");
    let mut install = pip(&["--no-build-isolation", "--no-deps", "--force-reinstall"]);
    // The build backend is in the environment's own folder of programs.
    let programs = own.parent().unwrap_or(Path::new("")).to_owned();
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let paths = std::env::join_paths(std::iter::once(programs).chain(std::env::split_paths(&paths)));
    install.arg(&package);
    if let Ok(paths) = paths {
        install.env("PATH", paths);
    }
    check("python package", &mut install)?;
    let mut cargo = Command::new(env!("CARGO"));
    check("command", cargo.args(["build", "--release", "--locked", "-p", "rattleback-cli"]))?;
    check("python tests", Command::new(&own).args(["-m", "pytest", "-q"]).current_dir(package))
}

fn check(name: &str, command: &mut Command) -> Result<(), String> {
    let start = Instant::now();
    let program = Path::new(command.get_program()).file_name().unwrap_or_default().to_owned();
    let words: Vec<_> = command.get_args().map(OsStr::to_string_lossy).collect();
    println!("== {name}: {} {}", program.display(), words.join(" "));
    let status = command.status();
    let status = status.map_err(|e| format!("{name}: {} could not be started: {e}", program.display()))?;
    if !status.success() {
        return Err(format!("{name} failed"));
    }
    println!("== {name}: passed in {:.0} s", start.elapsed().as_secs_f64());
    Ok(())
}

/// The libraries and the command with the oldest toolchain, where it is installed. Where it is not, clippy's lint
/// `incompatible_msrv` has still seen what the standard library did not have then, but not what the language lacked.
fn oldest() -> Result<(), String> {
    let rustup = |arguments: &[&str]| {
        let mut command = Command::new("rustup");
        // Those of the toolchain that runs this chore.
        command.env_remove("CARGO").env_remove("RUSTC").env_remove("RUSTDOC").args(["run", OLDEST, "cargo"]);
        command.args(arguments);
        command
    };
    let there = rustup(&["--version"]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !there.is_ok_and(|status| status.success()) {
        println!("== oldest: NOT CHECKED, for want of `rustup toolchain install {OLDEST}`");
        return Ok(());
    }
    check("oldest", &mut rustup(&["check", "--workspace", "--all-features", "--locked"]))
}
