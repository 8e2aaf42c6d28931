//! The Python package: its tests with what the Rust tests have built, and the package as a user installs it.
//!
//! Both need an interpreter and packages from the registry, in a virtual environment of their own, `target/python`.
//! Where there is none of them, it is said that nothing was checked.

use crate::ci::check;
use crate::driver::root;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What the tests import, and what builds the package.
const PACKAGES: &[&str] = &[
    "maturin>=1.7,<2",
    "pytest>=8",
    "numpy>=1.23",
    "scipy>=1.10",
    "pandas>=2",
    "polars>=1",
    "pyarrow>=15",
    "xarray>=2023.1",
    "matplotlib>=3.7",
    "tqdm",
    "dask>=2024.1",
    "distributed>=2024.1",
    "mypy>=1.10",
    "pyright[nodejs]",
];

/// Builds the extension module and the command with the profile and the features of `cargo test --workspace`: examples
/// among the targets have the features of dependencies of tests counted in.
const BUILD: &[&str] = &[
    "build",
    "--workspace",
    "--locked",
    "--profile",
    "test",
    "--lib",
    "--bin",
    "rattleback",
    "--example",
    "touches",
    "--example",
    "sensitivities",
];

/// The tests of the package, after the Rust tests, of whose artefacts it is linked.
pub fn test() -> Result<(), String> {
    let Some(python) = environment() else { return Ok(()) };
    let mut cargo = Command::new(env!("CARGO"));
    check("python extension", cargo.current_dir(root()).args(BUILD))?;
    let built = target().join("debug");
    let package = target().join("python/package");
    lay_out(&built, &package).map_err(|error| format!("python package: {error}"))?;
    let mut pytest = Command::new(&python);
    pytest
        .args(["-m", "pytest", "-q", "--durations=5"])
        .current_dir(root().join("crates/py"))
        .env("PYTHONPATH", &package)
        .env("RATTLEBACK", built.join(format!("rattleback{}", std::env::consts::EXE_SUFFIX)));
    check("python tests", &mut pytest)
}

/// The package installed by `pip install ./crates/py`, and its tests, with the command that users build.
pub fn install() -> Result<(), String> {
    let Some(python) = environment() else { return Ok(()) };
    let mut pip = Command::new(&python);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    pip.args(["--no-deps", "--force-reinstall"]).arg(root().join("crates/py"));
    check("python package", &mut pip)?;
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(root()).args(["build", "--release", "--locked", "-p", "rattleback-cli"]);
    check("command", &mut cargo)?;
    let command = target().join("release").join(format!("rattleback{}", std::env::consts::EXE_SUFFIX));
    let mut pytest = Command::new(&python);
    pytest.args(["-m", "pytest", "-q"]).current_dir(root().join("crates/py")).env("RATTLEBACK", command);
    check("python tests", &mut pytest)
}

fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// The Python of the virtual environment, with all packages; none, which is said, where it cannot be had.
fn environment() -> Option<PathBuf> {
    let succeeds = |command: &mut Command| {
        let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
        status.is_ok_and(|status| status.success())
    };
    let folder = target().join("python");
    let own = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let recent = "import sys; sys.exit(sys.version_info < (3, 10))";
    let mut steps = [
        ("python3, 3.10 or newer", Command::new("python3")),
        ("python3 -m venv", Command::new("python3")),
        ("a registry of Python packages", Command::new(&own)),
    ];
    steps[0].1.args(["-c", recent]);
    steps[1].1.args(["-m", "venv"]).arg(&folder);
    steps[2].1.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]).args(PACKAGES);
    for (what, command) in &mut steps {
        if !succeeds(command) {
            println!("== python: NOT CHECKED, for want of {what}");
            return None;
        }
    }
    Some(own)
}

/// Puts the Python files and the extension module into a folder, from which they are imported.
fn lay_out(built: &Path, package: &Path) -> std::io::Result<()> {
    let (prefix, suffix) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let module = if cfg!(windows) { "_rattleback.pyd" } else { "_rattleback.abi3.so" };
    let folder = package.join("rattleback");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    for entry in fs::read_dir(root().join("crates/py/python/rattleback"))? {
        let path = entry?.path();
        if let (true, Some(name)) = (path.is_file(), path.file_name()) {
            // An extension module that maturin has put beside them is of another build.
            if !name.to_string_lossy().starts_with("_rattleback.abi3") {
                fs::copy(&path, folder.join(name))?;
            }
        }
    }
    fs::copy(built.join(format!("{prefix}_rattleback{suffix}")), folder.join(module)).map(drop)
}
