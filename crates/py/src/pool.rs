//! The threads among which work is shared: rayon's, one per core or as many as `set_threads` says.
//!
//! A process that was forked has no threads of its parent's, and whoever gave them work would wait for ever. There,
//! each thread that comes here gets threads of its own, once: it counts as one of them, so that rayon asks them and
//! not its parent's. They are kept as long as the process lives.

use crate::errors;
use crate::watch::{LOOKS, Watch};
use pyo3::prelude::*;
use rayon::prelude::*;
use std::cell::Cell;
use std::process;
use std::sync::OnceLock;
use std::sync::mpsc::{RecvTimeoutError, channel};

/// The process that has imported the module.
static HOME: OnceLock<u32> = OnceLock::new();

thread_local! {
    /// The process in which this thread has threads of its own.
    static OWN: Cell<u32> = const { Cell::new(0) };
}

/// Remembers which process this is, when the module is imported.
pub fn remember() {
    HOME.get_or_init(process::id);
}

fn is_forked() -> bool {
    HOME.get() != Some(&process::id())
}

/// Sees to it that there are threads for what this thread is about to ask of them.
pub fn ready(py: Python<'_>) -> PyResult<()> {
    if !is_forked() || OWN.get() == process::id() {
        return Ok(());
    }
    // This thread waits while the others work.
    let threads = std::thread::available_parallelism().map_or(1, usize::from) + 1;
    match rayon::ThreadPoolBuilder::new().num_threads(threads).use_current_thread().build() {
        Ok(pool) => {
            std::mem::forget(pool);
            OWN.set(process::id());
            Ok(())
        }
        Err(error) => {
            let expected = "a process of the start method \"spawn\" or \"forkserver\"";
            Err(errors::argument(py, "process", &format!("a fork of a fork: {error}"), expected))
        }
    }
}

/// Does work on a thread that was made for it.
pub fn on_new_thread<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    match is_forked().then(|| rayon::ThreadPoolBuilder::new().build()) {
        Some(Ok(pool)) => pool.install(work),
        _ => work(),
    }
}

/// How many threads there are.
pub fn threads() -> usize {
    rayon::current_num_threads()
}

/// Does something with parts on all threads, each with a scratch of its own, without the interpreter's lock; what
/// comes after Ctrl-C is left out.
pub fn share<P: Send, S>(
    py: Python<'_>,
    watch: &Watch,
    parts: Vec<P>,
    scratch: impl Fn() -> S + Sync + Send,
    act: impl Fn(&mut S, P) + Sync + Send,
) -> PyResult<()> {
    let act = |scratch: &mut S, part: P| {
        if !watch.is_stopped() {
            act(scratch, part);
        }
    };
    if parts.len() <= 1 {
        py.detach(|| parts.into_iter().for_each(|part| act(&mut scratch(), part)));
    } else {
        ready(py)?;
        py.detach(|| {
            rayon::in_place_scope(|scope| {
                let (working, ended) = channel::<()>();
                let (scratch, act) = (&scratch, &act);
                scope.spawn(move |_| {
                    // Dropped when all is done, even by a panic.
                    let _working = working;
                    parts.into_par_iter().for_each_init(scratch, act);
                });
                while ended.recv_timeout(LOOKS) == Err(RecvTimeoutError::Timeout) {
                    watch.look_for_signals();
                }
            });
        });
    }
    watch.end(0.0)
}
