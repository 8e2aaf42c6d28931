//! Ctrl-C: the first asks a run to stop at its next output, the second at its next step; then the program's usual death.

use std::sync::atomic::{AtomicU8, Ordering};

static ASKED: AtomicU8 = AtomicU8::new(0);

/// What the user has asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    /// Nothing.
    GoOn,
    /// To stop where it is convenient.
    StopSoon,
    /// To stop at once.
    StopNow,
}

/// Listens from now on. Where the system does not allow it, Ctrl-C kills as ever.
pub fn listen() {
    let heard = || {
        if ASKED.fetch_add(1, Ordering::Relaxed) >= 2 {
            std::process::exit(130);
        }
    };
    // A second call in the same program finds it listening already.
    let _ = ctrlc::set_handler(heard);
}

/// What the user has asked for so far.
pub fn wish() -> Wish {
    match ASKED.load(Ordering::Relaxed) {
        0 => Wish::GoOn,
        1 => Wish::StopSoon,
        _ => Wish::StopNow,
    }
}
