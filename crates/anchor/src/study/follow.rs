//! How a manoeuvre is followed: to its end or as long as is allowed, and through the seaway that comes after.

use super::{Case, Stopped, sea};
use crate::manoeuvre::{Holding, ManoeuvreOutcome, Rig, Verdict, Watch};
use rattleback_dynamics::{DynamicsError, Result, Run, State};
use std::time::Instant;

/// How often it is asked whether a manoeuvre is over, in s.
const ASK: f64 = 0.25;

/// How long things last, in s.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Durations {
    /// A manoeuvre at most.
    pub longest: f64,
    /// The seaway.
    pub seaway: f64,
    /// Whether the sea is raised until the anchor does not hold, or to the highest sea of the study.
    pub raise: bool,
}

/// Where energy went, in J.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct EnergyBalance {
    /// What the windlass did, from the samples of the watch.
    pub work: f64,
    /// By how much the total strayed.
    pub missing: f64,
}

/// A manoeuvre that has been followed.
#[derive(Debug)]
pub(super) struct Followed<'c> {
    pub case: &'c Case,
    pub rig: &'c Rig,
    pub watch: Watch,
    pub verdict: Option<Verdict>,
    /// The state at the end of the manoeuvre, before the seaway.
    pub state: State,
    pub energy: EnergyBalance,
    /// How it stood the seaways, by their significant height in m, if it came to that.
    pub holding: Vec<(f64, Holding)>,
    /// Why it could not be followed farther.
    pub trouble: Option<String>,
    /// Seconds of computing, the seaway included.
    pub wall: f64,
}

impl<'c> Followed<'c> {
    /// Follows a case to its end.
    pub fn of(case: &'c Case, durations: &Durations, stopped: Stopped<'_>) -> Self {
        let rig = case.known.rig.as_ref();
        let begun = Instant::now();
        let mut followed = Self {
            case,
            rig,
            watch: Watch::default(),
            verdict: None,
            state: case.scene.state.clone(),
            energy: EnergyBalance::default(),
            holding: Vec::new(),
            trouble: None,
            wall: 0.0,
        };
        if let Err(error) = followed.heave(durations, stopped) {
            followed.trouble = Some(error.to_string());
        }
        followed.verdict = followed.watch.verdict(rig);
        if followed.is_stowed()
            && durations.seaway > 0.0
            && let Err(error) = followed.go_to_sea(durations, stopped)
        {
            followed.trouble = Some(format!("in the seaway: {error}"));
        }
        followed.wall = begun.elapsed().as_secs_f64();
        followed
    }

    /// In a word.
    pub fn word(&self) -> &'static str {
        self.verdict.as_ref().map_or("not begun", |verdict| verdict.outcome.word())
    }

    fn is_stowed(&self) -> bool {
        self.trouble.is_none() && self.verdict.as_ref().is_some_and(|v| v.outcome == ManoeuvreOutcome::Stowed)
    }

    fn heave(&mut self, durations: &Durations, stopped: Stopped<'_>) -> Result<()> {
        let scene = &self.case.scene;
        let mut run = Run::new(&self.rig.model, self.state.clone(), &scene.scheme)?;
        let before = run.energy()?.total();
        let mut advanced = Ok(());
        while advanced.is_ok() && run.state().time < durations.longest && !self.watch.is_over(self.rig) {
            let end = (run.state().time + ASK).min(durations.longest);
            advanced = see(&mut run, end, (self.rig, &mut self.watch), stopped);
        }
        self.state = run.state().clone();
        self.energy = EnergyBalance { work: work(&self.watch), missing: run.energy()?.total() - before };
        advanced
    }

    fn go_to_sea(&mut self, durations: &Durations, stopped: Stopped<'_>) -> Result<()> {
        let begin = self.state.time;
        let mut height = sea::HEIGHT;
        loop {
            let rig = sea::rig(&self.case.known.manoeuvre, height, begin, durations.seaway)?;
            let mut watch = Watch::default();
            let mut run = Run::new(&rig.model, self.state.clone(), &self.case.scene.scheme)?;
            let advanced = see(&mut run, begin + durations.seaway, (&rig, &mut watch), stopped);
            let holding = watch.holding(&rig, begin);
            let holds = holding.is_some_and(|holding| holding.holds);
            self.holding.extend(holding.map(|holding| (height, holding)));
            advanced?;
            height += sea::RAISE;
            if !(durations.raise && holds && height <= sea::HIGHEST) {
                return Ok(());
            }
        }
    }
}

fn see(run: &mut Run<'_>, end: f64, (rig, watch): (&Rig, &mut Watch), stopped: Stopped<'_>) -> Result<()> {
    run.advance(end, &mut |instant| {
        watch.see(rig, instant);
        if stopped() { Err(DynamicsError::Stopped { time: instant.state.time }) } else { Ok(()) }
    })
}

/// ∫ T (−ℓ̇) dt by trapezia over the samples.
fn work(watch: &Watch) -> f64 {
    let power = |k: usize| watch.samples[k].tension * watch.samples[k].heaving;
    (1..watch.samples.len())
        .map(|k| 0.5 * (power(k - 1) + power(k)) * (watch.samples[k].time - watch.samples[k - 1].time))
        .sum()
}
