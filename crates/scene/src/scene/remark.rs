//! What looks like a slip though it is a scene: told with the key to change, before the run.
//!
//! | remark | when |
//! |---|---|
//! | soft | a body at rest sinks by more than [`SOFT`] of its half width |
//! | step | a fixed step is long against the fastest contact that is expected |
//! | divided | a fixed step is shorter than asked, so that steps end at the outputs |
//! | fast | a body moves farther in a fixed step than its half width |
//! | edges | bodies whose stiffness comes from their curvatures may touch where they have none |
//! | untouched | a body has a material that no entry of `contacts` is for |
//! | unused | an entry of `contacts` is for no pair |

use super::contact::ContactSpec;
use crate::read::At;
use rattleback_dynamics::mechanism::{Settings, Step};
use rattleback_dynamics::{Model, PartEstimate, Scheme, State};
use rattleback_geom::Brief;

/// A modulus in GPa that lacks its unit is 1e9 times too small, and indents a body wholly; what is meant to be soft
/// seldom yields by more than this share of its half width.
const SOFT: f64 = 0.01;
/// Bodies that are named in one remark.
const NAMED: usize = 3;

/// All remarks on a scene that is about to run.
pub(super) fn remarks(model: &Model, state: &State, scheme: &Scheme) -> Vec<String> {
    // Rigid contacts have neither depth nor time.
    let estimates = match scheme {
        Scheme::Rolling(_) => Vec::new(),
        _ => model.contact_estimates(state),
    };
    let mut found: Vec<String> = Vec::new();
    found.extend(soft(model, &estimates));
    found.extend(step(model, &estimates, scheme));
    found.extend(fast(model, state, scheme));
    // Rigid contacts have no stiffness.
    found.extend(edges(model).filter(|_| !matches!(scheme, Scheme::Rolling(_))));
    found
}

fn edges(model: &Model) -> Option<String> {
    let pairs = model.pairs_with_edges();
    let [a, b] = pairs.first()?;
    let more = if pairs.len() > 1 {
        format!(", as {} more kinds of pairs,", pairs.len() - 1)
    } else {
        String::new()
    };
    Some(format!(
        "Where {a} and {b}{more} touch with an edge, in a face or along a line, Hertz's theory has no stiffness, and the run \
         ends; a `stiffness` in [[contacts]] takes its place"
    ))
}

fn name(model: &Model, estimate: &PartEstimate) -> String {
    model.bodies()[estimate.part.body.0].name.clone()
}

fn soft(model: &Model, estimates: &[PartEstimate]) -> Option<String> {
    let share = |found: &PartEstimate| found.contact.depth_at_rest / found.half_width;
    let worst = estimates.iter().max_by(|a, b| share(a).total_cmp(&share(b)))?;
    (share(worst) > SOFT).then(|| {
        format!(
            "{} would sink {:.2e} m under its weight, {:.2} of its half width; if that is not meant, `young` of its \
             material or `stiffness` of its contact is too small: has it its unit, such as \"210 GPa\"?",
            name(model, worst),
            worst.contact.depth_at_rest,
            share(worst)
        )
    })
}

/// The fixed step of a scheme, and the longest that resolves a contact, in units of 1/ω.
fn fixed(scheme: &Scheme) -> Option<(f64, f64)> {
    match scheme {
        // An explicit step is stable up to 2/ω, and keeps the energy of an impact to a percent up to a quarter of that.
        Scheme::Many { step } => Some((*step, 0.5)),
        // Three steps for the half period that an impact takes.
        Scheme::Mechanism(Settings { step: Step::Fixed(step), .. }) => Some((*step, 1.0)),
        _ => None,
    }
}

fn step(model: &Model, estimates: &[PartEstimate], scheme: &Scheme) -> Option<String> {
    let (step, share) = fixed(scheme)?;
    let oscillation = |found: &PartEstimate| found.contact.oscillation;
    let worst = estimates.iter().min_by(|a, b| oscillation(a).total_cmp(&oscillation(b)))?;
    let (scale, speed) = (oscillation(worst), worst.speed);
    (step > share * scale).then(|| {
        format!(
            "The step of {step:e} s is long against a contact of {}, which takes {:.1e} s at {speed:.2} m/s; `step` of \
             [solver] resolves it with {:.1e} s",
            name(model, worst),
            std::f64::consts::PI * scale,
            share * scale / 5.0
        )
    })
}

/// Steps end at the outputs, n = ⌈interval/step⌉ equal ones between two of them: told where they are more than a tenth
/// shorter than asked.
pub(super) fn divided(scheme: &Scheme, every: f64) -> Option<String> {
    let (step, _) = fixed(scheme)?;
    let count = (every / step * (1.0 - 16.0 * f64::EPSILON)).ceil().max(1.0);
    let made = every / count;
    (made < 0.9 * step).then(|| {
        format!(
            "Steps are {made:.3e} s long instead of {step:e} s, since they end at outputs, which are {} s apart; an `every` \
             of [output] that is a multiple of `step` keeps it",
            Brief(every)
        )
    })
}

fn fast(model: &Model, state: &State, scheme: &Scheme) -> Option<String> {
    let (step, _) = fixed(scheme)?;
    let ratio = |body: usize| {
        let model = &model.bodies()[body];
        let touching = model.parts.iter().map(|part| part.shape.surface().bounds().extents().min() * 0.5);
        let width = touching.filter(|width| *width > 0.0).fold(f64::INFINITY, f64::min);
        if model.is_free() { state.motions[body].velocity.norm() * step / width } else { 0.0 }
    };
    let worst = (0..model.bodies().len()).max_by(|a, b| ratio(*a).total_cmp(&ratio(*b)))?;
    (ratio(worst) > 1.0).then(|| {
        format!(
            "{} moves {:.1} times its half width in a step of {step:e} s and may pass through others unseen; `step` of \
             [solver] should be {:.1e} s at most",
            model.bodies()[worst].name,
            ratio(worst),
            step / ratio(worst)
        )
    })
}

/// Names the free bodies whose shapes touch nothing though they have materials; `parts` says of each body which parts
/// have one.
pub(super) fn untouched(model: &Model, parts: &[Vec<bool>]) -> Option<String> {
    let is_lost = |body: usize| {
        let own = model.bodies()[body].parts.iter().zip(&parts[body]);
        let mut lost = own.filter(|(part, has)| **has && !model.has_law(part.surface));
        model.bodies()[body].is_free() && lost.next().is_some()
    };
    let lost = (0..model.bodies().len()).filter(|body| is_lost(*body));
    let names: Vec<&str> = lost.map(|body| model.bodies()[body].name.as_str()).collect();
    let (first, more) = names.split_at(names.len().min(NAMED));
    let and = if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
    (!names.is_empty()).then(|| {
        format!(
            "Nothing touches {}{and}: no entry of `contacts` is for what they are made of; `[[contacts]]` without \
             `materials` and `bodies` is for all",
            first.join(", ")
        )
    })
}

/// Says that an entry of `contacts` is for no pair.
pub(super) fn unused(number: usize, contact: &ContactSpec) -> String {
    let pair = |what: &str, names: &Option<[At<String>; 2]>| {
        names.as_ref().map(|[a, b]| format!(" of {what} {} and {}", a.value, b.value))
    };
    let named = pair("materials", &contact.materials).or_else(|| pair("bodies", &contact.bodies));
    let named = named.unwrap_or_default();
    format!("contacts[{number}]{named} is for no pair of the scene")
}
