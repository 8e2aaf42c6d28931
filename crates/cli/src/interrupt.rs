//! Ctrl-C and SIGTERM: the first asks a run to stop soon, the second at its next step; then the program's usual death.

use rattleback_sweep::StopRequest;
use std::sync::atomic::{AtomicU8, Ordering};

static ASKED: AtomicU8 = AtomicU8::new(0);
/// The exit code of what was asked last.
static CODE: AtomicU8 = AtomicU8::new(INTERRUPTED);

/// The exit codes that shells give to programs that Ctrl-C and SIGTERM end: 128 and the signal's number.
const INTERRUPTED: u8 = 130;
#[cfg(unix)]
const TERMINATED: u8 = 143;

/// Listens from now on. Where the system does not allow it, signals kill as ever.
#[cfg(unix)]
pub fn listen() {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use std::sync::Once;
    static LISTENING: Once = Once::new();
    LISTENING.call_once(|| {
        if let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) {
            let listen = move || {
                for signal in signals.forever() {
                    heard(if signal == SIGTERM { TERMINATED } else { INTERRUPTED });
                }
            };
            // A system without room for another thread is told nothing of signals.
            let _ = std::thread::Builder::new().name("signals".to_owned()).spawn(listen);
        }
    });
}

/// Listens from now on. Where the system does not allow it, Ctrl-C kills as ever.
#[cfg(not(unix))]
pub fn listen() {
    // A second call in the same program finds it listening already.
    let _ = ctrlc::set_handler(|| heard(INTERRUPTED));
}

/// Takes the end of standard input as Ctrl-C, from now on: whoever holds the other end stops the run by closing it, or
/// by dying.
pub fn attend() {
    when_input_ends(|| heard(INTERRUPTED));
}

/// Ends the program when standard input ends: for verbs that write nothing before they are done.
pub fn attend_or_exit() {
    when_input_ends(|| std::process::exit(INTERRUPTED.into()));
}

fn when_input_ends(act: fn()) {
    let wait = move || {
        let mut room = [0; 256];
        loop {
            match std::io::Read::read(&mut std::io::stdin().lock(), &mut room) {
                Ok(0) => break,
                Err(error) if error.kind() != std::io::ErrorKind::Interrupted => break,
                _ => {}
            }
        }
        act();
    };
    // A system without room for another thread is told nothing.
    let _ = std::thread::Builder::new().name("attend".to_owned()).spawn(wait);
}

fn heard(code: u8) {
    CODE.store(code, Ordering::Relaxed);
    if ASKED.fetch_add(1, Ordering::Relaxed) >= 2 {
        std::process::exit(code.into());
    }
}

/// What the user has asked for so far.
pub fn stop_request() -> StopRequest {
    match ASKED.load(Ordering::Relaxed) {
        0 => StopRequest::GoOn,
        1 => StopRequest::StopSoon,
        _ => StopRequest::StopNow,
    }
}

/// The exit code of a run that was stopped.
pub fn code() -> u8 {
    CODE.load(Ordering::Relaxed)
}
