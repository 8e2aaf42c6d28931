//! The solver of a scene that does not name one, and why it is that one.
//!
//! 1. Joints, chains and windlasses: "mechanism", the only one that moves them.
//! 2. Contacts in regions, which adaptive steps do not resolve: "mechanism".
//! 3. More than [`MANY`] free bodies: "many".
//! 4. Contacts so much faster than the run that explicit steps would be [`TOO_MANY`]: "stiff".
//! 5. Otherwise "explicit".
//!
//! Each must support the scene. A fixed step resolves the fastest contact that is expected
//! ([`Model::contact_estimates`]): of "many" a tenth of 1/ω and half of the time within which damping acts, as its
//! steps are explicit (`crates/dynamics/src/many.rs`); of "mechanism" a third of 1/ω, which is ten steps for the half
//! period that an impact takes. It is rounded down to one of 1, 2 or 5 times a power of ten.

use rattleback_dynamics::mechanism::{Settings, Step};
use rattleback_dynamics::{Accuracy, Method, Model, PartEstimate, Scheme, State};

/// More free bodies than these are many: full accuracy from event to event no longer pays.
const MANY: usize = 50;
/// Explicit steps are as short as the fastest time scale; these are minutes of computing for a few bodies.
const TOO_MANY: f64 = 1e7;
/// The most bodies for which full matrices are cheap.
const FEW: usize = 20;
/// No chosen step is longer, in s.
pub(super) const LONGEST: f64 = 1e-3;

/// A solver and the line that says why.
pub(super) type Choice = (Scheme, String);

/// Chooses the solver of a model for a run of that many seconds; `jointed` says what the scene has, if anything, that
/// only a mechanism moves.
pub(super) fn choose(model: &Model, state: &State, duration: f64, jointed: Option<&str>) -> Choice {
    let estimates = model.contact_estimates(state);
    let free = model.bodies().iter().filter(|body| body.is_free()).count();
    let supports = |scheme: &Scheme| scheme.unsupported(model).is_empty();
    let explicit = Scheme::Free { method: Method::Explicit, accuracy: Accuracy::default() };
    let mechanism = || {
        let step = Step::Fixed(mechanism_step(&estimates));
        Scheme::Mechanism(Settings { snap: false, step, ..Settings::default() })
    };
    if let Some(what) = jointed {
        return told(mechanism(), &estimates, model, &format!("the scene has {what}"));
    }
    if free > MANY {
        let many = Scheme::Many { step: many_step(&estimates) };
        if supports(&many) {
            return told(many, &estimates, model, &format!("{free} bodies move freely"));
        }
    }
    if !supports(&explicit) {
        let first = explicit.unsupported(model).into_iter().next();
        let what = first.map_or_else(String::new, |first| first.what);
        for scheme in [mechanism(), Scheme::Many { step: many_step(&estimates) }] {
            if supports(&scheme) {
                return told(scheme, &estimates, model, &format!("\"explicit\" cannot move {what}"));
            }
        }
    }
    let stiff = Scheme::Free { method: Method::Stiff, accuracy: Accuracy::default() };
    let fastest = estimates.iter().map(shortest).min_by(f64::total_cmp).unwrap_or(f64::INFINITY);
    if free <= FEW && duration / fastest > TOO_MANY && supports(&stiff) {
        let times = duration / fastest;
        let why = format!("the run is {times:.0e} times as long as the fastest scale of its contacts");
        return told(stiff, &[], model, &why);
    }
    let why = match free {
        0 => "no body moves freely".to_owned(),
        1 => "one body moves freely".to_owned(),
        free => format!("{free} bodies move freely and touch at points"),
    };
    told(explicit, &[], model, &why)
}

/// A solver of fixed steps whose length the scene leaves open, with one that resolves its contacts.
pub(super) fn choose_step(scheme: Scheme, model: &Model, state: &State) -> Choice {
    let estimates = model.contact_estimates(state);
    let scheme = match scheme {
        Scheme::Many { .. } => Scheme::Many { step: many_step(&estimates) },
        Scheme::Mechanism(settings) => Scheme::Mechanism(settings.with_step(mechanism_step(&estimates))),
        other => other,
    };
    let text = format!("{}; `step` of [solver] chooses another", solver_text(&scheme, &estimates, model));
    (scheme, text)
}

/// The shortest time scale of a contact.
fn shortest(estimate: &PartEstimate) -> f64 {
    let contact = &estimate.contact;
    contact.oscillation.min(contact.damping).min(contact.holding)
}

/// The step of "many".
fn many_step(estimates: &[PartEstimate]) -> f64 {
    let each =
        estimates.iter().map(|found| (0.1 * found.contact.oscillation).min(0.5 * found.contact.damping));
    round_down(each.fold(LONGEST, f64::min))
}

/// The step of "mechanism".
fn mechanism_step(estimates: &[PartEstimate]) -> f64 {
    round_down(estimates.iter().map(|found| found.contact.oscillation / 3.0).fold(LONGEST, f64::min))
}

/// 1, 2 or 5 times a power of ten, not above a number above zero; the number where that is too small for it.
fn round_down(x: f64) -> f64 {
    let power = x.log10().floor();
    let candidates = [10.0, 5.0, 2.0, 1.0].map(|digit| format!("{digit}e{power}").parse().unwrap_or(0.0));
    // Rounding of the number itself is no reason for a step of half its length.
    candidates.into_iter().find(|step| *step > 0.0 && *step <= x * (1.0 + 1e-9)).unwrap_or(x)
}

/// The line that says which solver it is and why, with the step where it is fixed.
fn told(scheme: Scheme, estimates: &[PartEstimate], model: &Model, why: &str) -> Choice {
    let text = solver_text(&scheme, estimates, model);
    (scheme, format!("{text}, since {why}; [solver] chooses another"))
}

/// The name of a solver, with the step where it is fixed.
fn solver_text(scheme: &Scheme, estimates: &[PartEstimate], model: &Model) -> String {
    let name = scheme.name();
    let step = match scheme {
        Scheme::Many { step } => Some(*step),
        Scheme::Mechanism(Settings { step: Step::Fixed(step), .. }) => Some(*step),
        _ => None,
    };
    let fastest = estimates.iter().min_by(|a, b| shortest(a).total_cmp(&shortest(b)));
    let step = match (step, fastest) {
        (Some(step), Some(fastest)) if step < LONGEST => {
            let body = &model.bodies()[fastest.part.body.0].name;
            format!(" with a step of {step:e} s, which resolves the contacts of {body}")
        }
        (Some(step), _) => format!(" with a step of {step:e} s"),
        (None, _) => String::new(),
    };
    format!("Solver \"{name}\"{step}")
}

#[cfg(test)]
mod tests {
    use super::round_down;

    #[test]
    fn steps_are_round_and_never_longer_than_asked() {
        for (x, expected) in
            [(1e-3, 1e-3), (9.99e-4, 5e-4), (2.1e-5, 2e-5), (1.9e-5, 1e-5), (5e-7, 5e-7), (0.3, 0.2)]
        {
            assert_eq!(round_down(x), expected, "{x}");
        }
        assert_eq!(round_down(5e-324), 5e-324);
    }
}
