//! Limits on computing time and memory of an input, watched from a thread beside the one that works.
//!
//! Computing time is that of the process, not that of the clock on the wall: a machine that is busy with other things
//! makes no findings. Where the system does not say it, the clock must do.

use crate::finding::{Fault, Finding};
use crate::input::Target;
use std::fs;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How often it looks.
const INTERVAL: Duration = Duration::from_millis(10);
/// Ticks per second of the times in `/proc`, on every Linux.
const TICKS: f64 = 100.0;
/// A process that waits for something takes no computing time; the clock on the wall bounds that.
const WALL: f64 = 30.0;

/// The exit code of a process that its watchdog ended.
pub const ENDED: i32 = 91;

/// What an input may take.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Computing time in s.
    pub seconds: f64,
    /// Computing time of a scene in s: to close the longest chain, of ten thousand links, takes ten.
    pub scene_seconds: f64,
    /// Resident memory in MiB.
    pub mebibytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { seconds: 2.0, scene_seconds: 15.0, mebibytes: 1024 }
    }
}

/// Counts the inputs that have begun, by two, odd while the present one is a scene; the watchdog sees by it when the
/// next one has.
#[derive(Debug, Clone, Default)]
pub struct Watchdog {
    begun: Arc<AtomicU64>,
    number: Arc<AtomicU64>,
}

impl Watchdog {
    /// Begins to watch. An input that goes beyond the limits is told on standard output, and the process ends.
    pub fn watch(limits: Limits) -> Self {
        let watchdog = Self::default();
        let watched = watchdog.clone();
        std::thread::spawn(move || {
            let mut present = (0, computing_time(), Instant::now());
            loop {
                std::thread::sleep(INTERVAL);
                let begun = watched.begun.load(Ordering::Acquire);
                if begun != present.0 {
                    present = (begun, computing_time(), Instant::now());
                }
                let waited = present.2.elapsed().as_secs_f64();
                let spent = match (computing_time(), present.1) {
                    (Some(now), Some(then)) => now - then,
                    _ => waited,
                };
                let seconds = if begun % 2 == 1 { limits.scene_seconds } else { limits.seconds };
                let used = memory();
                if used > limits.mebibytes {
                    watched.end(&Finding::new(Fault::Memory, format!("more than {} MiB", limits.mebibytes)));
                }
                if begun > 0 && (spent > seconds || waited > WALL * seconds) {
                    watched.end(&Finding::new(Fault::Hang, format!("more than {seconds} s")));
                }
            }
        });
        watchdog
    }

    /// Says that an input begins.
    pub fn begin(&self, number: u64, target: Target) {
        self.number.store(number, Ordering::Release);
        let begun = self.begun.load(Ordering::Relaxed) / 2 + 1;
        self.begun.store(2 * begun + u64::from(target == Target::Scene), Ordering::Release);
    }

    fn end(&self, finding: &Finding) -> ! {
        tell(self.number.load(Ordering::Acquire), finding);
        std::process::exit(ENDED);
    }
}

/// Tells of a finding on standard output, for whoever watches from outside.
pub fn tell(number: u64, finding: &Finding) {
    let mut out = std::io::stdout().lock();
    // Whoever does not listen any more has ended.
    let _ = writeln!(out, "finding {number} {} {}", finding.fault.word(), finding.message);
    let _ = out.flush();
}

/// Computing time of this process in s.
fn computing_time() -> Option<f64> {
    let text = fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program, in brackets, may hold anything; user and system time are the 12th and 13th after it.
    let mut fields = text.rsplit_once(')')?.1.split_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<f64>().ok();
    Some((ticks()? + ticks()?) / TICKS)
}

/// Resident memory of this process in MiB; zero where the system does not say.
fn memory() -> u64 {
    let text = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) / 1024
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn computing_time_and_memory_grow_with_what_is_done() {
        let before = computing_time().expect("a time");
        let begun = Instant::now();
        let mut room = vec![1u64; 32 << 20];
        while begun.elapsed().as_secs_f64() < 5.0 && computing_time().expect("a time") < before + 0.05 {
            room.iter_mut().for_each(|x| *x = x.wrapping_mul(3));
        }
        assert!(computing_time().expect("a time") >= before + 0.05);
        assert!(memory() >= 256 && room[7] != 0, "{} MiB", memory());
    }
}
