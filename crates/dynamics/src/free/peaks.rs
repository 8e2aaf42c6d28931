//! The contacts of free bodies at times within a step, for the search of their peaks.

use super::equations::FreeEquations;
use super::layout::Layout;
use crate::contact_set::{ActiveContact, Parts};
use crate::error::Result;
use crate::flight::vector;
use crate::integrator::{Step, Stepper};
use crate::model::{BodyId, Mobility, Model, PairId};
use crate::peak::{ContactPeak, GreatestValues, PeakSearch, Quantities, WithinStep};
use crate::state::State;
use rattleback_contact::law::ContactState;
use rattleback_geom::Vec3;

/// The integrator of a segment at a time and a state, with the first step that it tries.
pub(crate) type StepperAt<'a> = dyn Fn(f64, &[f64], Option<f64>) -> Result<Box<dyn Stepper>> + 'a;

/// The peaks of a segment, step by step.
pub(crate) struct Peaks<'a> {
    model: &'a Model,
    layout: &'a Layout,
    stepper_at: &'a StepperAt<'a>,
    search: PeakSearch,
    parts: Parts,
    /// Per pair in contact: its state, and the normal of the last evaluation.
    contacts: Vec<(ContactState, Option<Vec3>)>,
    sample: Vec<f64>,
}

impl<'a> Peaks<'a> {
    /// The peaks of a segment that begins in a state; none where nothing is in contact.
    pub(crate) fn new(
        model: &'a Model,
        state: &State,
        layout: &'a Layout,
        stepper_at: &'a StepperAt<'a>,
    ) -> Option<Self> {
        let contacts = layout.active_contacts.iter().filter_map(|pair| {
            let memory = state.pairs.get(&pair.id())?;
            memory.contact.map(|contact| (contact, memory.normal))
        });
        let contacts: Vec<_> = contacts.collect();
        (!contacts.is_empty()).then(|| {
            let (parts, sample) = (Parts::new(model, &state.motions), vec![0.0; layout.dimension()]);
            Self { model, layout, stepper_at, search: PeakSearch::default(), parts, contacts, sample }
        })
    }

    /// The peaks inside a step at whose end the state and the contacts are the given ones.
    pub(crate) fn of_step(
        &mut self,
        step: &Step<'_>,
        state: &State,
        active_contacts: &[(PairId, ActiveContact)],
        greatest: &mut GreatestValues,
    ) -> Result<&[ContactPeak]> {
        let Self { model, layout, stepper_at, search, parts, contacts, sample } = self;
        let at_end = active_contacts.iter().map(|(pair, found)| (*pair, quantities(found)));
        let mut within = FreeStep { model, layout, stepper_at, step, state, parts, contacts, sample };
        search.step([step.begin(), step.end()], at_end, greatest, &mut within)
    }
}

/// A step of free bodies.
struct FreeStep<'s, 'a> {
    model: &'a Model,
    layout: &'a Layout,
    stepper_at: &'a StepperAt<'a>,
    step: &'s Step<'s>,
    state: &'s State,
    parts: &'s mut Parts,
    contacts: &'s mut [(ContactState, Option<Vec3>)],
    sample: &'s mut Vec<f64>,
}

impl WithinStep for FreeStep<'_, '_> {
    fn interpolate(&mut self, time: f64, only: Option<usize>, out: &mut [Quantities]) -> Result<()> {
        self.step.interpolate(time, self.sample);
        let mut range = only.map_or(0..self.contacts.len(), |k| k..k + 1);
        range.try_for_each(|k| {
            out[k] = self.evaluate(time, k)?;
            Ok(())
        })
    }

    /// The step is made again, no farther than to the time.
    fn exactly(&mut self, time: f64, contact: usize) -> Result<Quantities> {
        let begin = self.step.begin();
        let mut equations = FreeEquations::new(self.model, self.state, self.layout.clone());
        let mut stepper = self.step.stepper().boxed();
        if !stepper.step_again(&mut equations, time)? {
            self.step.interpolate(begin, self.sample);
            stepper = (self.stepper_at)(begin, self.sample, Some(self.step.end() - begin))?;
            while stepper.time() != time {
                stepper.step(&mut equations, time)?;
            }
        }
        self.sample.copy_from_slice(stepper.state());
        self.evaluate(time, contact)
    }
}

impl FreeStep<'_, '_> {
    /// A contact at the sampled motion.
    fn evaluate(&mut self, time: f64, k: usize) -> Result<Quantities> {
        let pair = &self.layout.active_contacts[k];
        for body in [pair.a.body, pair.b.body] {
            self.place(time, body);
        }
        let (state, normal) = &mut self.contacts[k];
        if let Some(at) = self.layout.bristles[k] {
            state.bristle = vector(self.sample, at);
        }
        let found = self.parts.apply_law_without_rates(pair, state, *normal)?;
        *normal = Some(found.touch.normal);
        Ok(quantities(&found))
    }

    fn place(&mut self, time: f64, body: BodyId) {
        let motion = match (&self.model.body(body).mobility, self.layout.place[body.0]) {
            (_, Some(k)) => self.layout.motion(self.sample, k),
            (Mobility::Prescribed(prescribed), _) => prescribed.at(time).motion,
            _ => return,
        };
        self.parts.place(self.model, body, &motion);
    }
}

fn quantities(found: &ActiveContact) -> Quantities {
    [found.force.normal, 0.0 - found.touch.gap]
}
