//! Pairs: read and asked for their contact as by `rattleback distance`.

use super::{FORMAT, demand_place};
use crate::finding::Fault;
use crate::sandbox::Outcome;
use rattleback_contact::contact;
use rattleback_scene::{PairQuery, pair_id};
use std::path::Path;

/// A file holds one line as a rule; of a longer one so many are looked at.
const LINES: usize = 4;

/// Examines a file.
pub fn pairs(path: &Path, outcome: &mut Outcome) {
    let Ok(bytes) = std::fs::read(path) else { return };
    for line in bytes.split(|&b| b == b'\n').filter(|line| !line.trim_ascii().is_empty()).take(LINES) {
        // The command says of other lines that they are not UTF-8.
        if let Ok(text) = std::str::from_utf8(line.trim_ascii()) {
            pair(text, path, outcome);
        }
    }
}

fn pair(text: &str, path: &Path, outcome: &mut Outcome) {
    let PairQuery { bodies: [a, b], .. } = match FORMAT.parse_pair(text, path) {
        Ok(pair) => pair,
        Err(error) => {
            let _ = pair_id(text);
            return demand_place(&error, path, outcome);
        }
    };
    outcome.accepted = true;
    let Ok(found) = contact(&a, &b) else { return };
    let touch = &found.touch;
    let kinds = format!("{} and {}", a.shape.surface().kind(), b.shape.surface().kind());
    let numbers = touch.point_a.iter().chain(touch.point_b.iter()).chain(touch.normal.iter());
    outcome.demand_finite(&format!("the answer for {kinds}"), numbers.chain([&touch.gap, &touch.residual]));
    if !((touch.normal.norm() - 1.0).abs() < 1e-6) {
        outcome.find(
            Fault::NotFinite,
            format!("the normal between {kinds} has the length {}", touch.normal.norm()),
        );
    }
    if found.curvature.is_some_and(|curvature| curvature.relative.kappa.iter().any(|kappa| kappa.is_nan())) {
        outcome.find(Fault::NotFinite, format!("the relative curvature of {kinds} is no number"));
    }
}
