//! What happened to a case, counted.

use std::fmt::Write;

/// The counts of a case.
#[derive(Debug, Default)]
pub struct Tally {
    scene: &'static str,
    pub rounds: u64,
    /// Kill −9, SIGTERM and SIGINT that met a process on its way.
    pub killed: u64,
    pub terminated: u64,
    pub interrupted: u64,
    /// Disks that took no more, and files that were not to grow.
    pub full: u64,
    pub limited: u64,
    pub read_only: u64,
    /// Files damaged, those refused, and those after which all was the same.
    pub damaged: u64,
    pub refused: u64,
    pub harmless: u64,
    /// Times that two processes met, and of them those where one was turned away.
    pub twice: u64,
    pub turned_away: u64,
    /// Runs ended before their first checkpoint.
    pub anew: u64,
    said: Vec<String>,
}

impl Tally {
    pub fn new(scene: &'static str) -> Self {
        Self { scene, ..Self::default() }
    }

    /// Notes a difference.
    pub fn differ(&mut self, what: String) {
        self.said.push(format!("{}: {what}", self.scene));
    }

    pub fn differences(&self) -> usize {
        self.said.len()
    }

    pub fn said(&self) -> &[String] {
        &self.said
    }

    fn row(&self) -> [u64; 14] {
        [
            self.rounds,
            self.killed,
            self.terminated,
            self.interrupted,
            self.full,
            self.limited,
            self.read_only,
            self.damaged,
            self.refused,
            self.harmless,
            self.twice,
            self.turned_away,
            self.anew,
            self.said.len() as u64,
        ]
    }
}

/// What stands above the columns.
const TITLES: [&str; 14] = [
    "rounds",
    "kill -9",
    "TERM",
    "INT",
    "full",
    "limit",
    "read-only",
    "damaged",
    "refused",
    "harmless",
    "two",
    "turned away",
    "anew",
    "differ",
];

/// The table of all cases and their sums.
pub fn table(tallies: &[Tally]) -> String {
    let mut text = format!("{:<14}", "scene");
    for title in TITLES {
        // Writing to a string cannot fail.
        let _ = write!(text, " {title:>w$}", w = title.len().max(6));
    }
    text.push('\n');
    let mut sums = [0; 14];
    let mut line = |name: &str, row: [u64; 14]| {
        let _ = write!(text, "{name:<14}");
        for (title, number) in TITLES.iter().zip(row) {
            let _ = write!(text, " {number:>w$}", w = title.len().max(6));
        }
        text.push('\n');
    };
    for tally in tallies {
        let row = tally.row();
        line(tally.scene, row);
        sums.iter_mut().zip(row).for_each(|(sum, number)| *sum += number);
    }
    line("all", sums);
    text
}
