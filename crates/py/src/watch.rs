//! Whoever watches from Python: a progress callback and Ctrl-C.

use pyo3::prelude::*;
use rattleback_sweep::{Row, Standing, StopRequest, SweepWatcher, Watcher};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Between two looks at the interpreter: often for a person, seldom against a step.
pub const LOOKS: Duration = Duration::from_millis(50);

/// Between two looks at work that may be done.
const NAP: Duration = Duration::from_millis(2);

/// What Python asks for: its callback, and whether it raised or Ctrl-C was pressed.
pub struct Watch {
    progress: Option<Py<PyAny>>,
    looked: Mutex<Instant>,
    stopped: AtomicBool,
    raised: Mutex<Option<PyErr>>,
}

impl Watch {
    /// With a callable, or none.
    pub fn new(progress: Option<Py<PyAny>>) -> Self {
        Self {
            progress,
            looked: Mutex::new(Instant::now()),
            stopped: AtomicBool::new(false),
            raised: Mutex::new(None),
        }
    }

    /// Calls back and looks for signals, if it is time to.
    fn look(&self, told: (f64, f64)) {
        // Who finds it held leaves it to the other.
        let Ok(mut looked) = self.looked.try_lock() else { return };
        if looked.elapsed() < LOOKS {
            return;
        }
        *looked = Instant::now();
        self.call(told);
    }

    fn call(&self, (done, whole): (f64, f64)) {
        let outcome = Python::attach(|py| -> PyResult<()> {
            if let Some(progress) = &self.progress {
                progress.call1(py, (done, whole))?;
            }
            py.check_signals()
        });
        if let Err(error) = outcome {
            self.keep(error);
        }
    }

    /// Says that all is done, and gives what was raised on the way. Not to be called without the interpreter's lock.
    pub fn end(&self, whole: f64) -> PyResult<()> {
        if let Some(error) = self.raised.lock().ok().and_then(|mut raised| raised.take()) {
            return Err(error);
        }
        if self.progress.is_some() {
            self.call((whole, whole));
        }
        match self.raised.lock().ok().and_then(|mut raised| raised.take()) {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    /// Whether Ctrl-C was pressed or the callback raised.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Tells a callable a line. Not to be called with the interpreter's lock.
    pub fn tell(&self, callable: Option<&Py<PyAny>>, line: &str) {
        let Some(callable) = callable else { return };
        if let Err(error) = Python::attach(|py| callable.call1(py, (line,)).map(drop)) {
            self.keep(error);
        }
    }

    /// The first that was raised counts.
    fn keep(&self, error: PyErr) {
        self.stopped.store(true, Ordering::Relaxed);
        if let Ok(mut raised) = self.raised.lock() {
            raised.get_or_insert(error);
        }
    }

    fn request(&self) -> StopRequest {
        if self.is_stopped() { StopRequest::StopNow } else { StopRequest::GoOn }
    }

    /// Looks for signals, with so much done of the whole; says whether to stop.
    pub fn is_stopped_at(&self, done: f64, whole: f64) -> bool {
        self.look((done, whole));
        self.is_stopped()
    }
}

/// Does work on another thread and looks for signals meanwhile, which Python handles on its main thread alone. Not to
/// be called with the interpreter's lock.
pub fn attended<T: Send>(watch: &Watch, work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let worker = scope.spawn(|| crate::pool::on_new_thread(work));
        // Threads at work look at the clock of `watch` far more often: this one keeps its own.
        let mut looked = Instant::now();
        while !worker.is_finished() {
            std::thread::sleep(NAP);
            if looked.elapsed() >= LOOKS {
                watch.look_for_signals();
                looked = Instant::now();
            }
        }
        worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// A run that is watched.
pub struct WatchedRun<'w> {
    /// Who watches.
    pub watch: &'w Watch,
    /// Where it ends, in s.
    pub end: f64,
}

impl Watcher for WatchedRun<'_> {
    fn steps(&mut self, standing: &Standing) {
        self.watch.look((standing.time, self.end));
    }

    fn stop_request(&self) -> StopRequest {
        self.watch.request()
    }
}

impl SweepWatcher for Watch {
    fn row(&self, _: &Row, done: usize, runs: usize) {
        self.look((done as f64, runs as f64));
    }

    fn stop_request(&self) -> StopRequest {
        self.request()
    }
}

impl Watch {
    /// Looks for signals, which are for Python's main thread alone.
    pub fn look_for_signals(&self) {
        if let Err(error) = Python::attach(|py| py.check_signals()) {
            self.keep(error);
        }
    }
}
