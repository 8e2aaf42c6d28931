//! The verdict on a run: which figures are beyond their limits, and what to change in the scene.

use super::bodies::Bodies;
use super::figures::{Extreme, Figures};
use crate::mechanism::Step;
use crate::run::Scheme;
use crate::simulation::Method;

/// The total energy may drift by this share of the energy in play. Adaptive steps keep them to 1e-8 and fixed ones to
/// some percent; what strays farther was moved by errors, not by forces.
pub const DRIFT: f64 = 0.1;
/// A healthy run whose energy strays by more than this share of the energy in play is told how it would stray less:
/// ten times what steps leave that resolve their contacts.
pub const NOTED: f64 = 0.02;
/// A step may be as long as the longest stable one, beyond which an oscillation of the contact grows.
pub const STEP: f64 = 1.0;
/// A depth may be this share of the half width of the smaller part: from there on the nearest way out begins to lead
/// through the body.
pub const OVERLAP: f64 = 0.5;
/// The middle of a part may be as far inside a half-space as it is half wide: beyond, all of it is inside.
pub const SUNK: f64 = 1.0;
/// The rounding of a position may be this share of the body's size: beyond, gaps have not even six digits.
pub const FAR: f64 = 1e-6;
/// Steps after which progress is looked at.
pub const WINDOW: u64 = 100_000;
/// The share of the whole run that so many steps must cover: slower, the run takes 10¹⁴ steps and more.
pub const PROGRESS: f64 = 1e-9;

/// What changes of stiffness bring is told from this share of the energy in play on.
const BROUGHT: f64 = 0.01;
/// A drift below this share of the greatest number that was added up is rounding.
const ROUNDING: f64 = 1e-12;
/// A drift below this share of the energy that lifts the bodies by their size is nothing, however little moves.
const NOTHING: f64 = 1e-6;
/// The step that resolves a contact, as a share of the longest stable one: a tenth of 1/ω (`many.rs`).
const RESOLVING: f64 = 0.05;

/// What is wrong with a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Finding {
    /// A number is not finite after this time.
    NotFinite(f64),
    /// The steps do not resolve a contact.
    Step(Extreme),
    /// Bodies pass through each other within a step.
    Passed(Extreme),
    /// Bodies overlap too deep.
    Overlap(Extreme),
    /// A body is wholly inside a half-space.
    Sunk(Extreme),
    /// The energy strays.
    Drift {
        /// How far, in J.
        drift: f64,
        /// The energy in play, in J.
        in_play: f64,
        /// When it was that far away, in s.
        time: f64,
    },
    /// A body is so far away that its position is not resolved.
    Far(Extreme),
    /// The run leads no further than this time.
    Stalled(f64),
}

/// A verdict.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// What is wrong, causes first; empty for a healthy run.
    pub findings: Vec<Finding>,
    /// All of it in one line, with advice.
    pub line: String,
}

impl Verdict {
    pub(super) fn new(figures: &Figures, bodies: &Bodies, scheme: Option<&Scheme>) -> Self {
        let beyond = |worst: Option<Extreme>, limit: f64| worst.filter(|worst| worst.value > limit);
        let mut findings: Vec<Finding> = Vec::new();
        findings.extend(figures.stalled.map(Finding::Stalled));
        findings.extend(beyond(figures.step, STEP).map(Finding::Step));
        findings.extend(figures.passed.map(Finding::Passed));
        findings.extend(beyond(figures.overlap, OVERLAP).map(Finding::Overlap));
        findings.extend(beyond(figures.sunk, SUNK).map(Finding::Sunk));
        findings.extend(drift(figures, bodies));
        findings.extend(beyond(figures.far, FAR).map(Finding::Far));
        findings.extend(figures.not_finite.map(Finding::NotFinite));
        let line = match findings.first() {
            None => healthy(figures, bodies, scheme),
            Some(first) => {
                let told: Vec<String> = findings.iter().map(|finding| finding.told(bodies)).collect();
                format!("Broken: {}. {}.", told.join("; "), first.advice(figures, scheme))
            }
        };
        Self { findings, line }
    }

    /// Whether nothing is wrong.
    pub fn is_healthy(&self) -> bool {
        self.findings.is_empty()
    }
}

/// A drift of more than a share of the energy in play, where it is not nothing.
fn strays(figures: &Figures, bodies: &Bodies, share: f64) -> bool {
    let Some(energy_figures) = figures.energy_figures else { return false };
    let nothing = (ROUNDING * energy_figures.greatest()).max(NOTHING * bodies.lift()).max(bodies.stillness());
    energy_figures.drift > share * energy_figures.in_play() && energy_figures.drift > nothing
}

fn drift(figures: &Figures, bodies: &Bodies) -> Option<Finding> {
    let energy_figures = figures.energy_figures.filter(|_| strays(figures, bodies, DRIFT))?;
    let (drift, in_play, time) = (energy_figures.drift, energy_figures.in_play(), energy_figures.drift_time);
    Some(Finding::Drift { drift, in_play, time })
}

fn healthy(figures: &Figures, bodies: &Bodies, scheme: Option<&Scheme>) -> String {
    let Some(energy_figures) = figures.energy_figures else {
        return "Healthy: nothing has moved yet.".to_owned();
    };
    let in_play = energy_figures.in_play();
    let mut line = if in_play > 0.0 {
        format!(
            "Healthy: energy kept to {:.1e} of the {} J in play",
            energy_figures.drift / in_play,
            number(in_play)
        )
    } else {
        "Healthy: no energy is in play".to_owned()
    };
    if let Some(worst) = figures.overlap.filter(|worst| worst.value > 0.0) {
        line += &format!(", overlaps up to {:.1e} of the bodies' half widths", worst.value);
    }
    if energy_figures.brought > BROUGHT * in_play {
        let brought = number(energy_figures.brought);
        line += &format!("; contacts brought or took up to {brought} J by changes of stiffness");
    }
    if strays(figures, bodies, NOTED) {
        line += &format!(
            ". The energy strays by more than {:.0} %: {}",
            100.0 * NOTED,
            lower(&finer_steps(figures, scheme))
        );
    }
    line + "."
}

/// A sentence that goes on after a colon.
fn lower(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

/// Four digits.
fn number(x: f64) -> String {
    if (0.01..1e6).contains(&x) { format!("{x:.4}") } else { format!("{x:.3e}") }
}

impl Finding {
    /// What is wrong, without a full stop.
    fn told(&self, bodies: &Bodies) -> String {
        let between = |worst: &Extreme| {
            let [a, b] = worst.bodies.map(|body| bodies.name(body));
            format!("{a} and {b} at t = {:.6} s", worst.time)
        };
        match self {
            Self::NotFinite(time) => format!("a motion is not finite after t = {time:.6} s"),
            Self::Stalled(time) => format!("{WINDOW} steps lead hardly further than t = {time:.6} s"),
            Self::Step(worst) => format!(
                "the step is {:.3} times the longest one that is stable in the contact of {}",
                worst.value,
                between(worst)
            ),
            Self::Passed(worst) => {
                let [a, b] = worst.bodies.map(|body| bodies.name(body));
                format!(
                    "{a} and {b} pass through each other within a step at t = {:.6} s, in which they go {:.1} times their widths",
                    worst.time, worst.value
                )
            }
            Self::Overlap(worst) => {
                format!("an overlap is {:.0} % of a half width, of {}", 100.0 * worst.value, between(worst))
            }
            Self::Sunk(worst) => {
                let [body, space] = worst.bodies.map(|body| bodies.name(body));
                format!("{body} is wholly inside {space} at t = {:.6} s", worst.time)
            }
            Self::Drift { drift, in_play, time } => format!(
                "the energy strays by {drift:.2e} J at t = {time:.6} s, {:.0} % of the {in_play:.2e} J in play",
                100.0 * drift / in_play
            ),
            Self::Far(worst) => {
                format!("{} has left the scene at t = {:.6} s", bodies.name(worst.bodies[0]), worst.time)
            }
        }
    }

    /// What to change in the scene, without a full stop.
    fn advice(&self, figures: &Figures, scheme: Option<&Scheme>) -> String {
        let finer = finer_steps(figures, scheme);
        match self {
            Self::Step(_) | Self::Drift { .. } | Self::NotFinite(_) => finer,
            Self::Passed(worst) => shorter_step(worst.value, figures, scheme),
            Self::Overlap(worst) if worst.time == 0.0 => {
                "Move the bodies apart: their `position` makes them overlap from the start".to_owned()
            }
            Self::Overlap(_) => {
                let stiffer = "Raise the `stiffness` of the contact or the `young` of its materials";
                let fixed = matches!(scheme, Some(Scheme::Many { .. } | Scheme::Mechanism(_)));
                if fixed { format!("{stiffer}. {finer}") } else { stiffer.to_owned() }
            }
            Self::Sunk(worst) if worst.time == 0.0 => {
                "Change the body's `position`: it begins on the inner side of the half-space".to_owned()
            }
            Self::Sunk(_) => {
                format!("Look when it went through, in states.csv. {finer}, or take another `type` of solver")
            }
            Self::Far(_) => "Shorten `duration`, or hold what leaves: it has nothing left to touch".to_owned(),
            Self::Stalled(_) => match scheme {
                Some(Scheme::Free { method: Method::Explicit, .. }) => {
                    "In [solver], take `type` = \"stiff\": the contacts are too stiff or too damped for explicit steps"
                        .to_owned()
                }
                Some(Scheme::Free { .. } | Scheme::Rolling(_)) => {
                    "In [solver], raise `relative` and `absolute`, or raise `least_speed` in [[contacts]]".to_owned()
                }
                _ => "In [solver], raise `tolerance`, or take steps of one length, `step`".to_owned(),
            },
        }
    }
}

/// The step in which bodies that go `ratio` times their widths in one go a quarter of them.
fn shorter_step(ratio: f64, figures: &Figures, scheme: Option<&Scheme>) -> String {
    let step = match scheme {
        Some(Scheme::Many { step }) => Some(*step),
        Some(Scheme::Mechanism(settings)) => match settings.step {
            Step::Fixed(h) => Some(h),
            Step::Adaptive { .. } => None,
        },
        _ => None,
    };
    match step {
        Some(h) => {
            format!("In [solver], shorten `step` from {h:.1e} to {:.1e} s", 0.25 * h / ratio)
        }
        None => finer_steps(figures, scheme),
    }
}

/// How steps are made finer, in words of the scene.
fn finer_steps(figures: &Figures, scheme: Option<&Scheme>) -> String {
    // Steps that end at outputs are shorter than the scheme's: what is advised has to be shorter than they were.
    let taken = |step: f64| if figures.longest_step > 0.0 { step.min(figures.longest_step) } else { step };
    match scheme {
        Some(Scheme::Many { step }) => {
            let step = taken(*step);
            let ratio = figures.step.map_or(0.0, |worst| worst.value);
            let shorter = if ratio > RESOLVING { step * RESOLVING / ratio } else { 0.1 * step };
            format!(
                "In [solver], shorten `step` from {step:.1e} to {shorter:.1e} s, or lower the contacts' `stiffness`"
            )
        }
        Some(Scheme::Mechanism(settings)) => match settings.step {
            Step::Fixed(h) => {
                let h = taken(h);
                format!("In [solver], shorten `step` from {h:.1e} to {:.1e} s", 0.1 * h)
            }
            Step::Adaptive { tolerance, .. } => {
                format!("In [solver], lower `tolerance` from {tolerance:.1e} to {:.1e}", 0.01 * tolerance)
            }
        },
        Some(Scheme::Free { accuracy, .. }) => {
            let [relative, absolute] = [accuracy.relative, accuracy.absolute].map(|x| 0.01 * x);
            format!("In [solver], lower `relative` to {relative:.1e} and `absolute` to {absolute:.1e}")
        }
        Some(Scheme::Rolling(settings)) => {
            let relative = 0.01 * settings.accuracy.relative;
            format!("In [solver], lower `relative` to {relative:.1e}, or give a `longest_step`")
        }
        None => "Make the steps finer".to_owned(),
    }
}
