//! Chores of the repository. `cargo xtask` lists them.

mod chaos;
mod chaos_chore;
mod ci;
mod driver;
mod fuzz;
mod inputs;
mod instructions;
mod peers;
mod python;
mod robots;
mod table;
mod torture;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask <chore>

  ci    everything that must hold before a change lands: tests, those of the Python package, format, clippy, rustdoc
  python [test]
        the Python package installed into target/python by pip, and its tests; with `test`, its tests as `ci` runs them
  chaos ROUNDS [SEED [PROGRAM]]
        runs that are killed, stopped, starved and damaged go on to the same bytes; PROGRAM in place of a release build
  peers WORKDIR [ROUNDS [SET...]]
        time and accuracy beside other libraries on the same queries, where ../shared/peers has their drivers
  robots FOLDER [OPTION...]
        every robot under FOLDER, URDF and MJCF, imported with these options and run for a second
  instructions [WORKDIR]
        instructions per query, counted by valgrind
  torture PAIRS [SEED [KIND]]
        random pairs of bodies with support functions, every answer held to mathematics written apart from the engine;
        KIND is a shape or two, such as cylinder or cylinder-superquadric
  fuzz MINUTES [OPTION...]
        mutated scenes, shapes, pairs, meshes, robots and result folders: no panic, no hang, no memory without bound
";

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let outcome = match arguments.next().as_deref() {
        Some("chaos") => chaos_chore::run(arguments),
        Some("ci") => ci::run(),
        Some("python") => match arguments.next().as_deref() {
            None => python::install(),
            Some("test") => python::test(),
            Some(other) => Err(format!("python: found {other}; expected nothing or `test`")),
        },
        Some("robots") => robots::run(arguments),
        Some("peers") => peers::run(arguments),
        Some("instructions") => instructions::run(arguments.next().as_deref()),
        Some("torture") => torture::run(arguments),
        Some("fuzz") => fuzz::run(arguments),
        Some("help" | "--help" | "-h") | None => {
            print!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        Some(other) => Err(format!("no such chore: {other}\n\n{USAGE}")),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
