//! How a scene is moved, and for how long.

use super::solver_choice::LONGEST;
use super::spec::SceneSpec;
use crate::read::{
    AngularVelocity, Length, Place, Range, Reader, Time, Velocity, choice, entry, number, words,
};
use rattleback_dynamics::mechanism::{Rule, Settings, Step};
use rattleback_dynamics::model::PartId;
use rattleback_dynamics::{Accuracy, Method, Model, Scheme, rolling};
use rattleback_geom::surface::Shape;
use std::collections::BTreeSet;

entry! {
    /// Free bodies with adaptive steps; contacts begin and end at located instants.
    pub struct AdaptiveSpec {
        /// Local error against the size of each number.
        relative: f64 = Accuracy::default().relative,
        /// Local error in SI units.
        absolute: f64 = Accuracy::default().absolute,
    }
}

entry! {
    /// Many free bodies with fixed symplectic steps, on all threads.
    pub struct ManySpec {
        /// The step; one that resolves the fastest contact that is expected unless it is given.
        step: Option<Time>,
    }
}

entry! {
    /// Bodies that roll and slide on each other without yielding, in contact coordinates.
    pub struct RollingSpec {
        /// Local error against the size of each number.
        relative: f64 = Accuracy::default().relative,
        /// Local error in SI units.
        absolute: f64 = Accuracy::default().absolute,
        /// No step is longer.
        longest_step: Option<Time>,
        /// Classical Runge-Kutta steps of this length, whatever their error, as Kry and Pai took them; `relative`,
        /// `absolute` and `longest_step` do not count then.
        fixed_step: Option<Time>,
        /// Slip slower than this is held.
        stick: Velocity = Velocity(rolling::Settings::default().stick),
        /// Spin about the normal slower than this is held where the contact resists spinning.
        still: AngularVelocity = AngularVelocity(rolling::Settings::default().still),
        /// Bodies that part slower than this after an impact stay together.
        settle: Velocity = Velocity(rolling::Settings::default().settle),
        /// The share of the slip that an impact reverses, if friction can: from -1 to 1.
        tangential_restitution: f64 = rolling::Settings::default().tangential_restitution,
        /// Bodies this close at the beginning are moved together and touch.
        touching: Length = Length(rolling::Settings::default().touching),
    }
}

entry! {
    /// Bodies held together by joints, implicitly, in natural coordinates.
    pub struct MechanismSpec {
        /// The step, where steps are all alike; or `tolerance` in its place. Without both, one that resolves the
        /// fastest contact that is expected, 1 ms at most.
        step: Option<Time>,
        /// The local error allowed per step in any coordinate, in m and rad, where steps adapt.
        tolerance: Option<f64>,
        /// The first step that is tried where steps adapt.
        first_step: Option<Time>,
        /// The longest step where steps adapt.
        longest_step: Option<Time>,
        /// The rule of integration.
        rule: RuleSpec = RuleSpec::Trapezoidal,
        /// What the generalized-alpha rule leaves of infinitely fast oscillations, from 0 to 1.
        rho: Option<f64>,
        /// By how much the penalty outweighs the inertia.
        penalty: f64 = Settings::default().penalty,
        /// The last correction that counts as converged, as a share of the step's displacement.
        convergence: f64 = Settings::default().tolerance,
        /// Iterations before a step is cut in half.
        iterations: usize = Settings::default().iterations,
        /// Whether bodies are moved where joints do not close at the start, and velocities changed that contradict
        /// them.
        snap: bool = false,
    }
}

words! {
    /// The rule of integration.
    pub enum RuleSpec {
        /// The implicit trapezoidal rule.
        "trapezoidal" => Trapezoidal,
        /// The generalized-alpha rule, which damps fast oscillations.
        "generalized_alpha" => GeneralizedAlpha,
    }
}

choice! {
    /// How the scene is moved.
    pub enum SolverSpec by "type" {
        "explicit" => Explicit(AdaptiveSpec),
        "stiff" => Stiff(AdaptiveSpec),
        "many" => Many(ManySpec),
        "rolling" => Rolling(RollingSpec),
        "mechanism" => Mechanism(MechanismSpec),
    }
}

entry! {
    /// How long it runs.
    pub struct RunSpec {
        /// The simulated time.
        duration: Time,
    }
}

/// Newton's method has converged after some tens of iterations or never does.
const MAX_ITERATIONS: usize = 10_000;

/// The most pairs of parts that a solver keeps a record of each; with half a kilobyte each they take half a gigabyte.
const MAX_PAIRS: u128 = 1_000_000;

/// Complains of all that a solver cannot move.
pub(crate) fn refuse_unsupported(
    model: &Model,
    scheme: &Scheme,
    scene: &SceneSpec,
    reader: &mut Reader,
) -> Option<()> {
    let unsupported = scheme.unsupported(model);
    for what in &unsupported {
        let message = format!("the solver \"{}\" cannot move this scene: {what}", scheme.name());
        match &scene.solver {
            // Where no solver can, another one is no help.
            _ if what.engines.is_empty() && scene.place.has("contacts") => {
                let message = format!("no solver can move this scene: {}: {}", what.what, what.reason);
                reader.wrong(&scene.place, "contacts", message);
            }
            Some(solver) => reader.wrong(solver.place(), "type", message),
            None => reader.wrong(&scene.place, "bodies", message),
        }
    }
    unsupported.is_empty().then_some(())
}

/// The most free bodies of the solver "stiff": its matrices are full, with 13 numbers per body and 32 bytes per entry
/// half a gigabyte.
const MAX_STIFF: usize = 300;

/// Complains of more free bodies than a solver with full matrices can hold.
pub(crate) fn refuse_bodies(
    model: &Model,
    scheme: &Scheme,
    scene: &SceneSpec,
    reader: &mut Reader,
) -> Option<()> {
    let found = model.bodies().iter().filter(|body| body.is_free()).count();
    if !matches!(scheme, Scheme::Free { method: Method::Stiff, .. }) || found <= MAX_STIFF {
        return Some(());
    }
    let message = format!(
        "found {found} free bodies; the solver \"stiff\" solves full systems of equations, for at most {MAX_STIFF} of them; \
         \"explicit\", \"many\" and \"mechanism\" take more"
    );
    let place = scene.solver.as_ref().map_or(&scene.place, SolverSpec::place);
    reader.wrong(place, "type", message);
    None
}

/// Complains of more pairs than a solver can list: "rolling", and "mechanism" where meshes or links take part, list all
/// of them, the others those that are near.
pub(crate) fn refuse_pairs(
    model: &Model,
    scheme: &Scheme,
    scene: &SceneSpec,
    reader: &mut Reader,
) -> Option<()> {
    let parts = || model.bodies().iter().flat_map(|body| &body.parts);
    let lists_all = match scheme {
        Scheme::Rolling(_) => true,
        Scheme::Mechanism(_) => parts().any(|part| matches!(part.shape, Shape::Mesh(_) | Shape::Link(_))),
        Scheme::Many { .. } | Scheme::Free { .. } => false,
    };
    if !lists_all {
        return Some(());
    }
    let name = scheme.name();
    let found = model.count_pairs();
    if found <= MAX_PAIRS {
        return Some(());
    }
    let message = format!(
        "found {found} pairs of parts that may touch; the solver \"{name}\" keeps a record of each, at most {MAX_PAIRS}, \
         and \"many\" of those only that are near"
    );
    match &scene.solver {
        Some(solver) => reader.wrong(solver.place(), "type", message),
        None => reader.wrong(&scene.place, "bodies", message),
    }
    None
}

/// Complains of parts that may touch and on which nothing can roll; `places` has those of each body's parts.
pub(crate) fn refuse_edges(model: &Model, places: &[&[Place]], reader: &mut Reader) -> Option<()> {
    let parts: BTreeSet<PartId> = model.all_pairs().iter().flat_map(|pair| [pair.a, pair.b]).collect();
    // Copies of a body stand at one place.
    let mut told: Vec<&Place> = Vec::new();
    for PartId { body, index: part } in parts {
        let (surface, place) = (model.bodies()[body.0].parts[part].shape.surface(), &places[body.0][part]);
        if surface.as_atlas().is_none() && !told.contains(&place) {
            let message = format!(
                "found a {} of the body \"{}\"; expected a surface without edges and jumps of curvature, as the solver \
                 \"rolling\" needs where bodies touch",
                surface.kind(),
                model.bodies()[body.0].name
            );
            reader.wrong(place, "shape", message);
            told.push(place);
        }
    }
    told.is_empty().then_some(())
}

impl SolverSpec {
    pub(crate) fn place(&self) -> &Place {
        match self {
            Self::Explicit(spec) | Self::Stiff(spec) => &spec.place,
            Self::Many(spec) => &spec.place,
            Self::Rolling(spec) => &spec.place,
            Self::Mechanism(spec) => &spec.place,
        }
    }

    /// Whether it is of fixed steps whose length it leaves open.
    pub(crate) fn leaves_step_open(&self) -> bool {
        match self {
            Self::Many(spec) => spec.step.is_none(),
            Self::Mechanism(spec) => spec.step.is_none() && spec.tolerance.is_none(),
            Self::Explicit(_) | Self::Stiff(_) | Self::Rolling(_) => false,
        }
    }

    /// The scheme; `jointed` says what the scene has, if anything, that only a mechanism moves.
    pub(crate) fn lower(&self, jointed: Option<&str>, reader: &mut Reader) -> Option<Scheme> {
        if let Some(what) = jointed
            && !matches!(self, Self::Mechanism(_))
        {
            let message =
                format!("found a solver of free bodies; the scene has {what}, which take \"mechanism\"");
            reader.wrong(self.place(), "type", message);
            return None;
        }
        match self {
            Self::Explicit(spec) => spec.lower(Method::Explicit, reader),
            Self::Stiff(spec) => spec.lower(Method::Stiff, reader),
            Self::Many(spec) => {
                // Where there is none, it is chosen once the model is known.
                let step = spec.step.map_or(LONGEST, |step| step.0);
                number(&spec.place, "step", step, Range::Positive, reader).map(|step| Scheme::Many { step })
            }
            Self::Rolling(spec) => spec.lower(reader).map(Scheme::Rolling),
            Self::Mechanism(spec) => spec.lower(reader).map(Scheme::Mechanism),
        }
    }
}

impl AdaptiveSpec {
    fn lower(&self, method: Method, reader: &mut Reader) -> Option<Scheme> {
        let relative = number(&self.place, "relative", self.relative, Range::Positive, reader);
        let absolute = number(&self.place, "absolute", self.absolute, Range::Positive, reader);
        Some(Scheme::Free { method, accuracy: Accuracy { relative: relative?, absolute: absolute? } })
    }
}

impl RollingSpec {
    fn lower(&self, reader: &mut Reader) -> Option<rolling::Settings> {
        let mut positive = |field, value| number(&self.place, field, value, Range::Positive, reader);
        let relative = positive("relative", self.relative);
        let absolute = positive("absolute", self.absolute);
        let longest_step = match self.longest_step {
            Some(step) => positive("longest_step", step.0),
            None => Some(f64::INFINITY),
        };
        let fixed_step = match self.fixed_step {
            Some(step) => Some(positive("fixed_step", step.0)?),
            None => None,
        };
        let (stick, still) = (positive("stick", self.stick.0), positive("still", self.still.0));
        let settle = positive("settle", self.settle.0);
        let touching = number(&self.place, "touching", self.touching.0, Range::NotNegative, reader);
        let tangential_restitution = self.tangential_restitution;
        if !(-1.0..=1.0).contains(&tangential_restitution) {
            let found = format!("found {tangential_restitution}; expected a number from -1 to 1");
            reader.wrong(&self.place, "tangential_restitution", found);
            return None;
        }
        Some(rolling::Settings {
            accuracy: Accuracy { relative: relative?, absolute: absolute? },
            longest_step: longest_step?,
            fixed_step,
            stick: stick?,
            still: still?,
            settle: settle?,
            tangential_restitution,
            touching: touching?,
        })
    }
}

impl MechanismSpec {
    fn lower(&self, reader: &mut Reader) -> Option<Settings> {
        let place = &self.place;
        let adaptive = [("first_step", self.first_step), ("longest_step", self.longest_step)];
        for (field, _) in adaptive.iter().filter(|(_, value)| value.is_some() && self.tolerance.is_none()) {
            reader.wrong(
                place,
                field,
                format!("`{field}` belongs to adaptive steps, which have a `tolerance`"),
            );
        }
        if self.step.is_some() && self.tolerance.is_some() {
            reader.wrong(place, "tolerance", "found `step` and `tolerance`; expected one of them: steps that are all alike, or steps that adapt");
            return None;
        }
        let step = match self.tolerance {
            // Where there is none, it is chosen once the model is known.
            None => Step::Fixed(self.step.map_or(LONGEST, |step| step.0)),
            Some(tolerance) => Step::Adaptive {
                tolerance,
                first: self.first_step.map_or(1e-4, |step| step.0),
                longest: self.longest_step.map_or(f64::MAX, |step| step.0),
            },
        };
        let rule = match (self.rule, self.rho) {
            (RuleSpec::Trapezoidal, None) => Rule::Trapezoidal,
            (RuleSpec::Trapezoidal, Some(_)) => {
                reader.wrong(place, "rho", "`rho` belongs to the rule \"generalized_alpha\"");
                return None;
            }
            (RuleSpec::GeneralizedAlpha, rho) => Rule::GeneralizedAlpha { rho: rho.unwrap_or(0.8) },
        };
        let settings = Settings {
            rule,
            step,
            penalty: self.penalty,
            tolerance: self.convergence,
            iterations: self.iterations,
            snap: self.snap,
            ..Settings::default()
        };
        self.check(&settings, reader).then_some(settings)
    }

    fn check(&self, settings: &Settings, reader: &mut Reader) -> bool {
        let mut numbers = vec![("penalty", settings.penalty), ("convergence", settings.tolerance)];
        match settings.step {
            Step::Fixed(h) => numbers.push(("step", h)),
            Step::Adaptive { tolerance, first, longest } => {
                numbers.extend([("tolerance", tolerance), ("first_step", first), ("longest_step", longest)]);
            }
        }
        let mut fine = true;
        if !(1..=MAX_ITERATIONS).contains(&settings.iterations) {
            let found = settings.iterations;
            let message = format!("found {found}; expected a whole number from 1 to {MAX_ITERATIONS}");
            reader.wrong(&self.place, "iterations", message);
            fine = false;
        }
        for (field, value) in numbers {
            fine &= number(&self.place, field, value, Range::Positive, reader).is_some();
        }
        if let Rule::GeneralizedAlpha { rho } = settings.rule
            && !(0.0..=1.0).contains(&rho)
        {
            reader.wrong(&self.place, "rho", format!("found {rho}; expected a number from 0 to 1"));
            fine = false;
        }
        fine
    }
}
