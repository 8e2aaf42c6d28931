//! The recorder: turns what a run tells into the files of its folder.
//!
//! A step costs little: it looks at the contacts that last. Rows are made at outputs and where a contact ends, and go
//! to the files at the first occasion after [`SPAN`], or when there are many.

use super::checkpoint::{Checkpoint, Identity, Kept, Names, Restored, Totals};
use super::columns::Sheet;
use super::manifest::{
    About, Balance, FORMAT, FileSummary, Manifest, RunOutcome, SheetSummary, Status, summaries,
};
use super::ongoing::OngoingContacts;
use super::result_folder::Columns;
use super::sheet_writer::SheetWriter;
use super::stored_health::{HealthSummary, StoredFigures};
use super::{date, parquet_file, place, rows};
use crate::error::{RecordError, Result};
use rattleback_dynamics::force::Windlass;
use rattleback_dynamics::health::Health;
use rattleback_dynamics::mechanism::JointReading;
use rattleback_dynamics::model::PairId;
use rattleback_dynamics::{ActiveContact, Energy, Instant, Model, RunEvent, Scheme, State};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Rows wait at most about this long: short for a person who watches, long against the cost of a call to the system.
const SPAN: Duration = Duration::from_millis(250);
/// Bytes of a sheet that wait at most.
const ROOM: usize = 1 << 18;

/// A result folder under way, or the same in memory.
#[derive(Debug)]
pub struct Recorder {
    /// None in memory.
    folder: Option<PathBuf>,
    about: About,
    started: String,
    names: Names,
    /// In the order of [`Sheet::ALL`], the first four of which every run has.
    sheets: Vec<SheetWriter>,
    windlasses: Vec<Windlass>,
    ongoing_contacts: OngoingContacts,
    memory: Option<Value>,
    totals: Totals,
    health: Health,
    /// The run where [`Recorder::keep`] was last called; none in memory.
    kept: Option<Kept>,
    /// Keeps other processes away from the folder.
    _lock: Option<File>,
    /// When this recorder was made; what was spent before is in the totals.
    clock: std::time::Instant,
    flushed: std::time::Instant,
}

impl Recorder {
    /// Begins a folder, which must not hold anything yet; it is made if it does not exist.
    pub fn create(folder: impl Into<PathBuf>, model: &Model, about: About) -> Result<Self> {
        let folder = folder.into();
        place::claim_folder(&folder)?;
        let lock = place::lock(&folder)?;
        // Another process may have written and gone before the lock was taken.
        place::claim_folder(&folder)?;
        place::write_scene(&folder, &about.scene)?;
        let names = Names::of(model);
        let sheets = Self::sheets(&names).map(|sheet| SheetWriter::create(&folder, sheet));
        let sheets = sheets.collect::<Result<_>>()?;
        let recorder = Self { _lock: Some(lock), ..Self::new(Some(folder), model, about, names, sheets) };
        recorder.write_manifest()?;
        Ok(recorder)
    }

    /// Begins a record in memory: no file is made, there are no checkpoints, and [`Recorder::finish_in_memory`] gives
    /// the sheets.
    pub fn in_memory(model: &Model, about: About) -> Result<Self> {
        let names = Names::of(model);
        let sheets = Self::sheets(&names).map(SheetWriter::in_memory).collect::<Result<_>>()?;
        Ok(Self::new(None, model, about, names, sheets))
    }

    fn new(
        folder: Option<PathBuf>,
        model: &Model,
        about: About,
        names: Names,
        sheets: Vec<SheetWriter>,
    ) -> Self {
        Self {
            sheets,
            windlasses: model.windlasses().copied().collect(),
            names,
            folder,
            started: date::text(SystemTime::now()),
            ongoing_contacts: OngoingContacts::default(),
            memory: None,
            totals: Totals { reached_s: about.begin, ..Totals::default() },
            health: Health::new(model, about.begin, about.end),
            kept: None,
            about,
            _lock: None,
            clock: std::time::Instant::now(),
            flushed: std::time::Instant::now(),
        }
    }

    /// Takes up a run from its last checkpoint: the files are cut back to where they were then, and the state is that
    /// of then, to the bit. A run that has finished is refused.
    pub fn resume(folder: impl Into<PathBuf>, model: &Model) -> Result<(Self, State)> {
        Self::take_up(folder.into(), model, None)
    }

    /// The same for a run that goes on to another end in s, though it may have finished; `options` are those that it
    /// has then.
    pub fn prolong(
        folder: impl Into<PathBuf>,
        model: &Model,
        end: f64,
        options: BTreeMap<String, String>,
    ) -> Result<(Self, State)> {
        Self::take_up(folder.into(), model, Some((end, options)))
    }

    fn take_up(
        folder: PathBuf,
        model: &Model,
        prolonged: Option<(f64, BTreeMap<String, String>)>,
    ) -> Result<(Self, State)> {
        Manifest::read(&folder)?;
        let lock = place::lock(&folder)?;
        let manifest = Manifest::read(&folder)?;
        if prolonged.is_none() && matches!(manifest.status, Status::Finished | Status::Broken) {
            return Err(RecordError::Finished { path: folder });
        }
        let mut about = About {
            title: manifest.title,
            scene: place::read_scene(&folder)?,
            options: manifest.options,
            parameters: manifest.parameters,
            solver: manifest.solver,
            begin: manifest.begin_s,
            end: manifest.end_s,
            interval: manifest.interval_s,
            inputs: manifest.inputs,
        };
        let identity = Identity::of(&about, &manifest.started);
        let Restored { mut checkpoint, state, ongoing_contacts, memory } =
            Checkpoint::read(&folder, model, identity)?;
        let names = Names::of(model);
        let reopen =
            |sheet: Sheet| SheetWriter::reopen(&folder, sheet, checkpoint.length(&folder, sheet.name())?);
        // Nothing is cut before all is known to be there.
        let begun = Sheet::ALL.into_iter().filter(|sheet| !sheet.is_there_from_the_start());
        let begun = begun.filter(|sheet| checkpoint.has(sheet.name()));
        let mut sheets = Self::sheets(&names).chain(begun).map(reopen).collect::<Result<Vec<_>>>()?;
        sheets.iter_mut().try_for_each(SheetWriter::cut)?;
        place::sweep(&folder)?;
        if let Some((end, options)) = prolonged {
            (about.end, about.options) = (end, options);
            checkpoint.prolong(Identity::of(&about, &manifest.started));
            checkpoint.write(&folder)?;
        }
        let figures = checkpoint.totals.health.figures();
        let mut health = Health::new(model, about.begin, about.end).resumed(figures);
        health.begin(&state);
        let recorder = Self {
            sheets,
            windlasses: model.windlasses().copied().collect(),
            names,
            about,
            started: manifest.started,
            ongoing_contacts,
            memory,
            totals: checkpoint.totals,
            _lock: Some(lock),
            health,
            kept: None,
            clock: std::time::Instant::now(),
            flushed: std::time::Instant::now(),
            folder: Some(folder.clone()),
        };
        for sheet in &recorder.sheets {
            place::remove(&folder.join(sheet.sheet.parquet()))?;
        }
        recorder.write_manifest()?;
        Ok((recorder, state))
    }

    fn sheets(names: &Names) -> impl Iterator<Item = Sheet> {
        let joints = !names.joints.is_empty();
        let from_the_start = Sheet::ALL.into_iter().filter(|sheet| sheet.is_there_from_the_start());
        from_the_start.filter(move |&sheet| joints || sheet != Sheet::Joints)
    }

    /// Makes a sheet that has no rows yet, unless it is there.
    fn begin_sheet(&mut self, sheet: Sheet) -> Result<()> {
        if self.sheets.iter().all(|writer| writer.sheet != sheet) {
            self.sheets.push(match &self.folder {
                Some(folder) => SheetWriter::create(folder, sheet)?,
                None => SheetWriter::in_memory(sheet)?,
            });
            self.sheets.sort_by_key(|writer| writer.sheet);
        }
        Ok(())
    }

    /// The folder; none in memory.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// What is run.
    pub fn about(&self) -> &About {
        &self.about
    }

    /// What an application remembers of the run, as it was stored in the last checkpoint.
    pub fn memory(&self) -> Option<&Value> {
        self.memory.as_ref()
    }

    /// Has checkpoints from now on store what an application remembers of the run.
    pub fn set_memory(&mut self, memory: Value) {
        self.memory = Some(memory);
    }

    /// Says how the bodies are moved: the verdict on the run's health depends on it, and its advice.
    pub fn set_scheme(&mut self, scheme: &Scheme) {
        self.health.set_scheme(scheme);
    }

    /// The watch over the run's health.
    pub fn health(&self) -> &Health {
        &self.health
    }

    /// How many outputs there have been.
    pub fn outputs(&self) -> u64 {
        self.totals.outputs
    }

    /// Tells of a step, or of a contact that begins or ends. Contacts with their forces and peaks are looked at after
    /// steps only.
    pub fn step(&mut self, instant: &Instant<'_>) -> Result<()> {
        let Instant { state, event, active_contacts, peaks } = *instant;
        match &event {
            RunEvent::Begin(pair) | RunEvent::End(pair) => self.check(state, [pair])?,
            RunEvent::Step => self.check(state, active_contacts.iter().map(|(pair, _)| pair))?,
        }
        let Self { ongoing_contacts, sheets, names, totals, .. } = self;
        let events = &mut sheets[Sheet::Events as usize];
        let mut on_end = |ended: &_, time| {
            rows::event(events, names, ended, Some(time));
            totals.events += 1;
        };
        match event {
            RunEvent::Begin(pair) => ongoing_contacts.begin(state, pair),
            RunEvent::End(pair) => ongoing_contacts.end(state, pair, &mut on_end),
            RunEvent::Step => {
                ongoing_contacts.look(state, active_contacts, peaks, &mut on_end);
                totals.steps += 1;
                self.health.step(state, active_contacts);
            }
        }
        totals.reached_s = state.time;
        self.flush_if_due()
    }

    /// Writes the rows of an output instant. `joints` are all of them, in the order of the model.
    pub fn output(
        &mut self,
        state: &State,
        energy: &Energy,
        active_contacts: &[(PairId, ActiveContact)],
        joints: &[JointReading],
    ) -> Result<()> {
        self.check(state, active_contacts.iter().map(|(pair, _)| pair))?;
        demand("joints", joints.len(), self.names.joints.len())?;
        if !self.windlasses.is_empty() {
            self.begin_sheet(Sheet::Windlasses)?;
        }
        if state.rigid_contacts.is_some() {
            self.begin_sheet(Sheet::Rolling)?;
        }
        let Self { ongoing_contacts, sheets, names, totals, windlasses, .. } = self;
        let mut on_end = |ended: &_, time| {
            rows::event(&mut sheets[Sheet::Events as usize], names, ended, Some(time));
            totals.events += 1;
        };
        ongoing_contacts.look(state, active_contacts, None, &mut on_end);
        for (name, motion) in names.bodies.iter().zip(&state.motions) {
            rows::motion(&mut sheets[Sheet::States as usize], state.time, name, motion);
        }
        for (pair, found) in active_contacts {
            rows::contact(&mut sheets[Sheet::Contacts as usize], names, state, *pair, found);
        }
        rows::energy(&mut sheets[Sheet::Energies as usize], state.time, energy);
        for (name, joint) in names.joints.iter().zip(joints) {
            rows::joint(&mut sheets[Sheet::Joints as usize], state.time, name, joint);
        }
        if let Some(sheet) = sheets.iter_mut().find(|writer| writer.sheet == Sheet::Windlasses) {
            for (k, windlass) in windlasses.iter().enumerate() {
                let remembered = state.windlasses.get(k).copied().unwrap_or_else(|| windlass.first());
                let reading = windlass.reading(&remembered, state.time, &state.motions);
                let bodies = [windlass.a.body, windlass.b.body];
                rows::windlass(sheet, names, state.time, k + 1, bodies, &reading);
            }
        }
        if let Some(sheet) = sheets.iter_mut().find(|writer| writer.sheet == Sheet::Rolling) {
            let contacts = state.rigid_contacts.iter().flatten().enumerate();
            for (body, contact) in contacts.filter_map(|(k, contact)| Some((k, contact.as_ref()?))) {
                rows::rigid_contact(sheet, names, state.time, body, contact);
            }
        }
        self.health.output(state, energy, active_contacts);
        totals.outputs += 1;
        totals.reached_s = state.time;
        let total = energy.total();
        totals.energy.get_or_insert(Balance { start_J: total, end_J: total, drift_J: 0.0 }).see(total);
        self.flush_if_due()
    }

    /// Stores all that it takes to go on from this state, which must be the one last told of. An earlier checkpoint
    /// stays until this one is whole. In memory there is none, and nothing is done.
    pub fn checkpoint(&mut self, state: &State) -> Result<()> {
        self.keep(state)?;
        self.store_kept()
    }

    /// Keeps in mind all that it takes to go on from this state, which must be the one last told of: however far the
    /// run goes, [`Recorder::store_kept`] stores the checkpoint of here. In memory there is none, and nothing is done.
    pub fn keep(&mut self, state: &State) -> Result<()> {
        self.check(state, state.pairs.keys())?;
        if self.folder.is_none() {
            return Ok(());
        }
        let health = StoredFigures::new(self.health.figures());
        self.kept = Some(Kept {
            state: state.clone(),
            ongoing_contacts: self.ongoing_contacts.clone(),
            memory: self.memory.clone(),
            totals: Totals { wall_s: self.wall(), health, ..self.totals },
            sheets: self.sheets.iter_mut().map(SheetWriter::length).collect(),
        });
        Ok(())
    }

    /// Stores the checkpoint of where the run was last kept in mind, if it was; what was recorded since is computed
    /// again by whoever goes on from it.
    pub fn store_kept(&mut self) -> Result<()> {
        let (Some(folder), Some(kept)) = (&self.folder, &self.kept) else { return Ok(()) };
        for sheet in &mut self.sheets {
            sheet.sync()?;
        }
        self.flushed = std::time::Instant::now();
        Checkpoint::new(&self.names, Identity::of(&self.about, &self.started), kept)?.write(folder)?;
        self.write_manifest()
    }

    /// Says that the run goes on.
    fn write_manifest(&self) -> Result<()> {
        match &self.folder {
            Some(folder) => self.manifest(Status::Running, None).write(folder),
            None => Ok(()),
        }
    }

    /// Ends the record: contacts that last get their rows, the sheets are written as Parquet too, and the manifest says
    /// how it ended. What cannot be written does not keep the rest from being written; the first error is returned.
    pub fn finish(mut self, outcome: &RunOutcome) -> Result<Manifest> {
        self.end(outcome)
    }

    /// Ends a record in memory: how it ended, and its sheets. Of a folder there are no sheets, which it has itself.
    pub fn finish_in_memory(mut self, outcome: &RunOutcome) -> Result<(Manifest, Vec<Columns>)> {
        let manifest = self.end(outcome)?;
        let texts = self.sheets.iter().filter_map(|sheet| Some((sheet.sheet, sheet.text_in_memory()?)));
        let sheets = texts.map(|(sheet, text)| Columns::parse(text, sheet)).collect::<Result<_>>()?;
        Ok((manifest, sheets))
    }

    fn end(&mut self, outcome: &RunOutcome) -> Result<Manifest> {
        for ongoing in &self.ongoing_contacts.ongoing {
            rows::event(&mut self.sheets[Sheet::Events as usize], &self.names, ongoing, None);
            self.totals.events += 1;
        }
        let mut failure = self.flush().err();
        let mut lengths = Vec::new();
        for (folder, writer) in
            self.folder.iter().flat_map(|folder| self.sheets.iter().map(move |w| (folder, w)))
        {
            match parquet_file::convert(folder, writer.sheet) {
                Ok(bytes) => lengths.push((writer.sheet, bytes)),
                Err(error) => failure = failure.or(Some(error)),
            }
        }
        let (status, error) = match (outcome, &failure) {
            (RunOutcome::Failed(error), _) => (Status::Failed, Some(error.clone())),
            (_, Some(error)) => (Status::Failed, Some(error.to_string())),
            (RunOutcome::Finished, None) if !self.health.verdict().is_healthy() => (Status::Broken, None),
            (RunOutcome::Finished, None) => (Status::Finished, None),
            (RunOutcome::Stopped, None) => (Status::Stopped, None),
        };
        let mut manifest = self.manifest(status, error);
        for (sheet, bytes) in lengths {
            let summary = manifest.sheets.iter_mut().find(|summary| summary.name == sheet.name());
            if let Some(summary) = summary {
                summary.files.push(FileSummary { name: sheet.parquet(), bytes });
            }
        }
        let written = self.folder.as_ref().map_or(Ok(()), |folder| manifest.write(folder));
        match failure {
            Some(error) => Err(error),
            None => written.map(|()| manifest),
        }
    }

    /// Whether a state and pairs can be those of the model.
    fn check<'p>(&self, state: &State, pairs: impl IntoIterator<Item = &'p PairId>) -> Result<()> {
        let bodies = self.names.bodies.len();
        demand("motions", state.motions.len(), bodies)?;
        match pairs.into_iter().map(|PairId { a, b, .. }| a.body.0.max(b.body.0)).find(|&body| body >= bodies)
        {
            Some(body) => {
                Err(RecordError::Count { what: "bodies of pairs", found: body + 1, expected: bodies })
            }
            None => Ok(()),
        }
    }

    fn wall(&self) -> f64 {
        self.totals.wall_s + self.clock.elapsed().as_secs_f64()
    }

    fn flush_if_due(&mut self) -> Result<()> {
        let most = self.sheets.iter().map(SheetWriter::waiting).max().unwrap_or(0);
        if most > ROOM || (most > 0 && self.flushed.elapsed() >= SPAN) { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<()> {
        self.flushed = std::time::Instant::now();
        let mut outcome = Ok(());
        for sheet in &mut self.sheets {
            outcome = outcome.and(sheet.flush());
        }
        outcome
    }

    fn manifest(&self, status: Status, error: Option<String>) -> Manifest {
        let (about, totals, wall) = (&self.about, &self.totals, self.wall());
        let summary = |writer: &SheetWriter| SheetSummary {
            name: writer.sheet.name().to_owned(),
            rows: writer.rows(),
            files: vec![FileSummary { name: writer.sheet.csv(), bytes: writer.bytes() }],
            columns: summaries(writer.sheet),
        };
        Manifest {
            format: FORMAT,
            rattleback: env!("CARGO_PKG_VERSION").to_owned(),
            title: about.title.clone(),
            options: about.options.clone(),
            parameters: about.parameters.clone(),
            solver: about.solver.clone(),
            inputs: about.inputs.clone(),
            started: self.started.clone(),
            status,
            error,
            begin_s: about.begin,
            end_s: about.end,
            reached_s: totals.reached_s,
            interval_s: about.interval,
            outputs: totals.outputs,
            steps: totals.steps,
            wall_s: wall,
            speed: if wall > 0.0 { (totals.reached_s - about.begin) / wall } else { 0.0 },
            events: totals.events,
            energy: totals.energy,
            health: Some(HealthSummary::new(&self.health)),
            sheets: self.sheets.iter().map(summary).collect(),
        }
    }
}

fn demand(what: &'static str, found: usize, expected: usize) -> Result<()> {
    if found == expected { Ok(()) } else { Err(RecordError::Count { what, found, expected }) }
}
