//! Bodies that overlap at the start: their names, the depth, and the energy that their contacts store.

use rattleback_dynamics::{DynamicsError, Model, Overlap, Run};
use rattleback_scene::Scene;
use serde_json::{Value, json};

/// Pairs that are told one by one.
const TOLD: usize = 5;

/// The overlaps of a scene's first state.
pub fn at_start(scene: &Scene) -> Result<Vec<Overlap>, DynamicsError> {
    Run::new(&scene.model, scene.state.clone(), &scene.scheme)?.overlaps()
}

/// The overlaps, deepest first, in lines.
pub fn lines(model: &Model, overlaps: &[Overlap]) -> Vec<String> {
    let line = |overlap: &Overlap| {
        let [a, b] = names(model, overlap);
        let Overlap { depth, stored, .. } = overlap;
        format!("{a} and {b} overlap at the start by {depth:.4e} m; their contact stores {stored:.4e} J")
    };
    let mut lines: Vec<String> = overlaps.iter().take(TOLD).map(line).collect();
    if overlaps.len() > TOLD {
        let all: f64 = overlaps.iter().map(|overlap| overlap.stored).sum();
        lines.push(format!(
            "{} more overlap at the start; all contacts together store {all:.4e} J",
            overlaps.len() - TOLD
        ));
    }
    lines
}

/// The overlaps for programs.
pub fn told(model: &Model, overlaps: &[Overlap]) -> Value {
    let each = |overlap: &Overlap| {
        let [a, b] = names(model, overlap);
        json!({"a": a, "b": b, "depth_m": overlap.depth, "stored_J": overlap.stored})
    };
    overlaps.iter().map(each).collect()
}

fn names<'m>(model: &'m Model, overlap: &Overlap) -> [&'m str; 2] {
    [overlap.pair.a, overlap.pair.b].map(|part| model.bodies()[part.body.0].name.as_str())
}
