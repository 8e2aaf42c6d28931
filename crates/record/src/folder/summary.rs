//! A manifest as tables for people: how the run went, and what is in the folder.

use super::manifest::{Manifest, Status};
use crate::table::Table;

impl Manifest {
    /// How the run went.
    pub fn summary(&self) -> Table {
        let mut table = Table::new(["", ""]);
        let mut row = |key: &str, value: String| table.push([key.to_owned(), value]);
        row("status", self.standing());
        if let Some(health) = &self.health {
            row("health", health.verdict.clone());
        }
        row(
            "simulated",
            format!("{} of {} s, a record every {} s", self.reached_s, self.end_s, self.interval_s),
        );
        row("took", format!("{:.2} s, {:.3} times real time", self.wall_s, self.speed));
        row("steps", self.steps.to_string());
        row("contacts", self.events.to_string());
        if let Some(energy) = &self.energy {
            row(
                "total energy",
                format!("{:.9} J, strays by at most {:.1e} J", energy.start_J, energy.drift_J),
            );
        }
        row("started", self.started.clone());
        row("program", format!("rattleback {}", self.rattleback));
        table
    }

    fn standing(&self) -> String {
        match (self.status, &self.error) {
            (Status::Running, _) => "under way, or killed".to_owned(),
            (Status::Finished, _) => "finished".to_owned(),
            (Status::Broken, _) => "broken".to_owned(),
            (Status::Stopped, _) => "stopped by its user".to_owned(),
            (Status::Failed, Some(error)) => format!("failed: {error}"),
            (Status::Failed, None) => "failed".to_owned(),
        }
    }

    /// What is in the folder.
    pub fn contents(&self) -> Table {
        let mut table = Table::new(["records", "rows", "columns", "files"]);
        for sheet in &self.sheets {
            let files: Vec<&str> = sheet.files.iter().map(|file| file.name.as_str()).collect();
            let counts = [sheet.rows.to_string(), sheet.columns.len().to_string()];
            table.push([sheet.name.clone()].into_iter().chain(counts).chain([files.join(", ")]));
        }
        table
    }
}
