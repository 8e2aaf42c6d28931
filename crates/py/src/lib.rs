//! The native half of the Python package `rattleback`: queries, laws, scenes, runs, results, studies, gait and
//! anchors. What Python does as well itself, arguments in many forms, tables, plots, clusters, is in
//! `python/rattleback`.
//!
//! No long call holds the interpreter's lock; Ctrl-C is looked for while it goes on. Errors are exceptions of
//! `rattleback._errors` that carry the field, the place and what was expected.
//!
//! Arrays are shared with NumPy by `memory.rs`, threads by `pool.rs`.
//!
//! A new function has its stub beside it in `python/rattleback`, and `tests/` holds it to the bits of Rust and to wrong
//! arguments.

mod anchor;
mod array;
mod errors;
mod gait;
mod json;
mod law;
mod memory;
mod page;
mod pool;
mod query;
mod result;
mod scene;
mod shape;
mod stepper;
mod study;
mod watch;

use pyo3::prelude::*;
use rattleback_scene::{Application, Format};

/// The applications, as the command has them.
const APPLICATIONS: &[Application] = &[rattleback_anchor::APPLICATION];
/// The files that are read.
pub(crate) const FORMAT: Format = Format::new(APPLICATIONS);

/// The native half of the package.
#[pymodule]
fn _rattleback(module: &Bound<'_, PyModule>) -> PyResult<()> {
    pool::remember();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<shape::Shape>()?;
    module.add_class::<law::Law>()?;
    module.add_class::<scene::Scene>()?;
    module.add_class::<stepper::Run>()?;
    module.add_class::<result::Record>()?;
    module.add_class::<study::Study>()?;
    module.add_class::<study::SweepFolder>()?;
    module.add_function(wrap_pyfunction!(query::contacts, module)?)?;
    module.add_function(wrap_pyfunction!(query::one, module)?)?;
    module.add_function(wrap_pyfunction!(query::one_change, module)?)?;
    module.add_function(wrap_pyfunction!(query::derivatives, module)?)?;
    module.add_function(wrap_pyfunction!(scene::sensitivity, module)?)?;
    module.add_function(wrap_pyfunction!(study::run_task, module)?)?;
    module.add_function(wrap_pyfunction!(query::set_threads, module)?)?;
    module.add_function(wrap_pyfunction!(gait::gait_check, module)?)?;
    module.add_function(wrap_pyfunction!(gait::gait_example, module)?)?;
    module.add_function(wrap_pyfunction!(gait::gait_fit, module)?)?;
    module.add_function(wrap_pyfunction!(gait::gait_leg, module)?)?;
    module.add_function(wrap_pyfunction!(gait::gait_predict, module)?)?;
    module.add_function(wrap_pyfunction!(anchor::anchor_scene, module)?)?;
    module.add_function(wrap_pyfunction!(anchor::anchor_study, module)?)?;
    Ok(())
}
