//! How far a run is: a bar on a terminal, a line now and then elsewhere.

use crate::console::{Console, remark};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rattleback_sweep::Standing;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Between two lines where there is no terminal.
const LINES: Duration = Duration::from_secs(10);
/// Between two looks of the bar.
const LOOKS: Duration = Duration::from_millis(100);
/// The bar counts in thousandths of the duration.
const PARTS: u64 = 1000;

/// A run's progress, shown.
pub struct Progress {
    shown: Shown,
    begun: Instant,
    /// The simulated time at which this program took the run up.
    first: f64,
    end: f64,
    looked: Instant,
}

enum Shown {
    Bar(ProgressBar),
    Lines,
    Nothing,
}

impl Progress {
    /// Begins at a simulated time.
    pub fn new(first: f64, end: f64, console: &Console) -> Self {
        let shown = shown(PARTS, console);
        let now = Instant::now();
        Self { shown, begun: now, first, end, looked: now }
    }

    /// Shows where the run stands, if it is time to.
    pub fn show(&mut self, standing: &Standing) {
        let due = match self.shown {
            Shown::Bar(_) => LOOKS,
            Shown::Lines => LINES,
            Shown::Nothing => return,
        };
        if self.looked.elapsed() < due {
            return;
        }
        self.looked = Instant::now();
        let text = self.text(standing);
        match &self.shown {
            Shown::Bar(bar) => {
                bar.set_position((standing.time / self.end * PARTS as f64) as u64);
                bar.set_message(text);
            }
            Shown::Lines => remark(&text),
            Shown::Nothing => {}
        }
    }

    /// Takes the bar away.
    pub fn end(&self) {
        if let Shown::Bar(bar) = &self.shown {
            bar.finish_and_clear();
        }
    }

    fn text(&self, standing: &Standing) -> String {
        let wall = self.begun.elapsed().as_secs_f64().max(1e-9);
        let speed = (standing.time - self.first) / wall;
        let left = if speed > 0.0 { (self.end - standing.time) / speed } else { f64::INFINITY };
        format!(
            "{:.4} of {} s, {} x real time, {} steps, {} contacts, energy drift {:.1e}, {} to go",
            standing.time,
            self.end,
            rounded(speed),
            standing.steps,
            standing.contacts,
            standing.drift,
            clock(left)
        )
    }
}

/// Work in stages, shown: a bar on a terminal that goes on with every stage, elsewhere a line for each.
pub struct Stages {
    shown: Shown,
    looked: Instant,
    last: String,
}

impl Stages {
    /// Work of so many stages.
    pub fn new(count: u64, console: &Console) -> Self {
        let shown = shown(count, console);
        Self { shown, looked: Instant::now(), last: String::new() }
    }

    /// The next stage begins.
    pub fn begin(&mut self, text: &str) {
        self.looked = Instant::now();
        text.clone_into(&mut self.last);
        match &self.shown {
            Shown::Bar(bar) => {
                bar.inc(1);
                bar.set_message(text.to_owned());
                bar.tick();
            }
            Shown::Lines => remark(text),
            Shown::Nothing => {}
        }
    }

    /// How far the stage is, if it is time to say so.
    pub fn show(&mut self, detail: &str) {
        let due = match self.shown {
            Shown::Bar(_) => LOOKS,
            Shown::Lines => LINES,
            Shown::Nothing => return,
        };
        if self.looked.elapsed() < due {
            return;
        }
        self.looked = Instant::now();
        let text = format!("{}, {detail}", self.last);
        match &self.shown {
            Shown::Bar(bar) => bar.set_message(text),
            Shown::Lines => remark(&text),
            Shown::Nothing => {}
        }
    }

    /// Takes the bar away.
    pub fn end(&self) {
        if let Shown::Bar(bar) = &self.shown {
            bar.finish_and_clear();
        }
    }
}

/// How progress is shown, in so many parts.
fn shown(parts: u64, console: &Console) -> Shown {
    if !console.speaks() {
        Shown::Nothing
    } else if std::io::stderr().is_terminal() {
        let bar = ProgressBar::with_draw_target(Some(parts), ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {msg}") {
            bar.set_style(style.progress_chars("━╸─"));
        }
        Shown::Bar(bar)
    } else {
        Shown::Lines
    }
}

/// Two digits, as many as such a number deserves.
pub fn rounded(x: f64) -> String {
    if x >= 10.0 || x == 0.0 {
        format!("{x:.0}")
    } else if x >= 1.0 {
        format!("{x:.1}")
    } else {
        format!("{x:.2}")
    }
}

/// A wall time as people say it.
pub fn clock(seconds: f64) -> String {
    if !seconds.is_finite() {
        return "unknown time".to_owned();
    }
    let whole = seconds.round() as u64;
    match (whole / 3600, whole / 60 % 60, whole % 60) {
        (0, 0, _) => format!("{seconds:.1} s"),
        (0, m, s) => format!("{m} min {s:02} s"),
        (h, m, _) => format!("{h} h {m:02} min"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_read_as_people_say_them() {
        assert_eq!(
            [3.06, 75.0, 7300.0, f64::INFINITY].map(clock),
            ["3.1 s", "1 min 15 s", "2 h 01 min", "unknown time"]
        );
    }
}
