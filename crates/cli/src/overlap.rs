//! What the first instant of a scene shows: bodies that overlap, with their names, the depth, and the energy that their
//! contacts store; and by how much the joints moved the bodies.

use rattleback_dynamics::mechanism::Assembly;
use rattleback_dynamics::{DynamicsError, Model, Overlap, Run};
use rattleback_scene::Scene;
use serde_json::{Value, json};

/// Pairs that are told one by one.
const TOLD: usize = 5;

/// The overlaps of a scene's first state, and what is to be said of its joints.
pub fn at_start(scene: &Scene) -> Result<(Vec<Overlap>, Option<String>), DynamicsError> {
    let run = Run::new(&scene.model, scene.state.clone(), &scene.scheme)?;
    Ok((run.overlaps()?, assembly_line(&scene.model, run.assembly())))
}

/// By how much bodies were moved to close the joints, where it is more than rounding.
pub fn assembly_line(model: &Model, assembly: Option<&Assembly>) -> Option<String> {
    let assembly = assembly.filter(|assembly| assembly.is_noticeable())?;
    let mut said = Vec::new();
    if let Some(moved) = assembly.moved.filter(|moved| moved.share > 0.0) {
        let body = &model.bodies()[moved.body.0].name;
        said.push(format!("{body} was moved by {:.4e} m and {:.4e} rad", moved.distance, moved.angle));
    }
    if let Some(sped) = assembly.sped.filter(|sped| sped.share > 0.0) {
        let body = &model.bodies()[sped.body.0].name;
        let change = format!("{:.4e} m/s and {:.4e} rad/s", sped.distance, sped.angle);
        said.push(format!("the velocity of {body} was changed by {change}"));
    }
    Some(format!("To fit the joints at the start, {}; the others less", said.join(" and ")))
}

/// The overlaps, deepest first, in lines.
pub fn lines(model: &Model, overlaps: &[Overlap]) -> Vec<String> {
    let line = |overlap: &Overlap| {
        let [a, b] = names(model, overlap);
        let Overlap { depth, stored, .. } = overlap;
        let advice = driven_apart(model, overlap).map(|speed| {
            format!(
                ", enough to drive them apart at {speed:.2e} m/s: change `position` of one of them, or try `run --settle`"
            )
        });
        let advice = advice.unwrap_or_default();
        format!(
            "{a} and {b} overlap at the start by {depth:.4e} m; their contact stores {stored:.4e} J{advice}"
        )
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

/// The speed at which the mass centres of two bodies part where all that their contact stores, less what it takes to
/// lift them by the depth, goes there, in m/s: with 1/m = Σ 1/m_i over those that move freely, √(2 (E − m g δ)/m). None
/// where they are no deeper than that.
fn driven_apart(model: &Model, overlap: &Overlap) -> Option<f64> {
    let per_mass = [overlap.pair.a, overlap.pair.b].map(|part| {
        let body = &model.bodies()[part.body.0];
        if body.is_free() { 1.0 / body.body.mass } else { 0.0 }
    });
    let mass = 1.0 / (per_mass[0] + per_mass[1]);
    let excess = overlap.stored - mass * model.gravity().norm() * overlap.depth;
    (mass.is_finite() && excess > 0.0).then(|| (2.0 * excess / mass).sqrt())
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
