//! `checkpoint.json`: everything that a run needs to go on as if it had never stopped, and proof that it is the same
//! run: of the checkpoint itself, of the scene, of what the manifest says of the run, and of every sheet as far as it
//! was written, there is a fingerprint.

use super::manifest::{About, Balance, read_json, write_json};
use super::ongoing::OngoingContacts;
use super::stored::{check_ongoing, check_state};
use super::stored_health::StoredFigures;
use crate::error::{RecordError, Result};
use rattleback_dynamics::model::PairId;
use rattleback_dynamics::{Model, State};
use rattleback_geom::Fingerprint;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use std::io;
use std::path::Path;

/// The version of the file.
const FORMAT: u32 = 5;
/// The name of the file.
pub(super) const NAME: &str = "checkpoint.json";
/// How far from one the length of a stored quaternion may be: those of a run are normalised to rounding, or nearly.
const LENGTH: f64 = 1e-3;

/// What has been counted so far.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct Totals {
    pub(super) outputs: u64,
    pub(super) steps: u64,
    pub(super) events: u64,
    pub(super) wall_s: f64,
    pub(super) reached_s: f64,
    pub(super) energy: Option<Balance>,
    /// What the watch over the run's health has seen.
    #[serde(default)]
    pub(super) health: StoredFigures,
}

/// How long a sheet's CSV was, and what was in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Length {
    pub(super) sheet: String,
    pub(super) bytes: u64,
    pub(super) rows: u64,
    pub(super) fingerprint: String,
}

/// The file.
#[derive(Debug, Serialize, Deserialize)]
struct Sealed {
    format: u32,
    /// That of the text of `checkpoint`.
    fingerprint: String,
    checkpoint: Box<RawValue>,
}

/// What a run is, whatever becomes of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Identity<'r> {
    /// The text of the scene.
    pub(super) scene: &'r str,
    /// What the manifest says of the run that does not change while it goes on.
    pub(super) run: Fingerprint,
}

impl<'r> Identity<'r> {
    pub(super) fn of(about: &'r About, started: &str) -> Self {
        // Parameters and solver are what the scene makes of its text.
        let About { title, scene, options, begin, end, interval, inputs, parameters: _, solver: _ } = about;
        let mut run = Fingerprint::default();
        // Lengths keep apart what stands side by side.
        let mut add = |text: &str| {
            run.add(&(text.len() as u64).to_le_bytes());
            run.add(text.as_bytes());
        };
        add(title);
        add(started);
        for (key, value) in options.iter().chain(inputs) {
            add(key);
            add(value);
        }
        for number in [begin, end, interval] {
            run.add(&number.to_bits().to_le_bytes());
        }
        Self { scene, run }
    }
}

/// The file's content.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Checkpoint {
    scene: String,
    run: String,
    /// The run's identity once its manifest has another end; both are its own until then.
    #[serde(default)]
    prolonged: Option<String>,
    bodies: Vec<StoredBody>,
    joints: Vec<String>,
    state: State,
    ongoing_contacts: OngoingContacts,
    /// What an application remembers; null where there is none.
    watch: Value,
    pub(super) totals: Totals,
    sheets: Vec<Length>,
}

/// A run at an output, as a checkpoint of it is to say.
#[derive(Debug, Clone)]
pub(super) struct Kept {
    pub(super) state: State,
    pub(super) ongoing_contacts: OngoingContacts,
    /// What an application remembers.
    pub(super) memory: Option<Value>,
    pub(super) totals: Totals,
    pub(super) sheets: Vec<Length>,
}

/// What a checkpoint brings back.
pub(super) struct Restored {
    pub(super) checkpoint: Checkpoint,
    pub(super) state: State,
    pub(super) ongoing_contacts: OngoingContacts,
    pub(super) memory: Option<Value>,
}

/// What is known of a body.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct StoredBody {
    name: String,
    parts: usize,
}

/// The names of a model's bodies and joints, by which it is known again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Names {
    pub(super) bodies: Vec<String>,
    pub(super) joints: Vec<String>,
    parts: Vec<usize>,
}

impl Names {
    pub(super) fn of(model: &Model) -> Self {
        Self {
            bodies: model.bodies().iter().map(|body| body.name.clone()).collect(),
            joints: model.joints().iter().map(|joint| joint.name.clone()).collect(),
            parts: model.bodies().iter().map(|body| body.parts.len()).collect(),
        }
    }

    fn stored(&self) -> Vec<StoredBody> {
        let body = |(name, &parts): (&String, &usize)| StoredBody { name: name.clone(), parts };
        self.bodies.iter().zip(&self.parts).map(body).collect()
    }
}

impl Checkpoint {
    pub(super) fn new(names: &Names, identity: Identity<'_>, kept: &Kept) -> Result<Self> {
        let Kept { state, ongoing_contacts, memory, totals, sheets } = kept.clone();
        check_state(&state, &names.bodies)?;
        check_ongoing(&ongoing_contacts, &names.bodies)?;
        Ok(Self {
            scene: Fingerprint::of(identity.scene.as_bytes()).to_string(),
            run: identity.run.to_string(),
            prolonged: None,
            bodies: names.stored(),
            joints: names.joints.clone(),
            state,
            ongoing_contacts,
            watch: memory.unwrap_or_default(),
            totals,
            sheets,
        })
    }

    /// The same for a run that goes on to another end, which may be stopped before or after its manifest says so.
    pub(super) fn prolong(&mut self, identity: Identity<'_>) {
        self.prolonged = Some(identity.run.to_string());
    }

    pub(super) fn write(&self, folder: &Path) -> Result<()> {
        let path = folder.join(NAME);
        let sealed = || -> serde_json::Result<Sealed> {
            let text = serde_json::to_string_pretty(self)?;
            let fingerprint = Fingerprint::of(text.as_bytes()).to_string();
            Ok(Sealed { format: FORMAT, fingerprint, checkpoint: RawValue::from_string(text)? })
        };
        let sealed = sealed()
            .map_err(|error| RecordError::Write { path: path.clone(), source: io::Error::from(error) })?;
        write_json(&path, &sealed)
    }

    /// Reads the checkpoint of a folder, which must be one of this model and this run.
    pub(super) fn read(folder: &Path, model: &Model, identity: Identity<'_>) -> Result<Restored> {
        let path = folder.join(NAME);
        let sealed: Sealed = match read_json(&path, FORMAT) {
            Err(RecordError::Read { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
                return Err(RecordError::NoCheckpoint { path: folder.to_owned() });
            }
            read => read?,
        };
        let found = Fingerprint::of(sealed.checkpoint.get().as_bytes()).to_string();
        if found != sealed.fingerprint {
            let said = &sealed.fingerprint;
            let reason = format!("was changed or damaged: its fingerprint is {found}, it should be {said}");
            return Err(RecordError::Mismatch { path, reason });
        }
        let checkpoint: Self = serde_json::from_str(sealed.checkpoint.get())
            .map_err(|error| RecordError::Unreadable { path: path.clone(), reason: error.to_string() })?;
        let (state, ongoing_contacts) = (checkpoint.state.clone(), checkpoint.ongoing_contacts.clone());
        let fits = checkpoint
            .compare(&Names::of(model), identity)
            .and_then(|()| fits(&state, &ongoing_contacts, model));
        fits.map_err(|reason| RecordError::Mismatch { path, reason })?;
        let memory = Some(checkpoint.watch.clone()).filter(|memory| !memory.is_null());
        Ok(Restored { checkpoint, state, ongoing_contacts, memory })
    }

    /// Whether it says how long the CSV of a sheet was.
    pub(super) fn has(&self, sheet: &str) -> bool {
        self.sheets.iter().any(|length| length.sheet == sheet)
    }

    /// How long the CSV of a sheet was.
    pub(super) fn length(&self, folder: &Path, sheet: &str) -> Result<&Length> {
        self.sheets.iter().find(|length| length.sheet == sheet).ok_or_else(|| RecordError::Mismatch {
            path: folder.join(NAME),
            reason: format!("it does not say how long {sheet}.csv was"),
        })
    }

    fn compare(&self, names: &Names, identity: Identity<'_>) -> std::result::Result<(), String> {
        let said = |what: &str, found: Option<String>, expected: Option<String>| {
            let word = |name: Option<String>| name.unwrap_or_else(|| "nothing".to_owned());
            Err(format!(
                "it is of another model: it has {} where the model has {} as {what}",
                word(found),
                word(expected)
            ))
        };
        let bodies = names.stored();
        for k in 0..self.bodies.len().max(bodies.len()) {
            let (found, expected) = (self.bodies.get(k), bodies.get(k));
            if found != expected {
                let word = |body: &StoredBody| format!("\"{}\" with {} parts", body.name, body.parts);
                return said(&format!("body {k}"), found.map(word), expected.map(word));
            }
        }
        for k in 0..self.joints.len().max(names.joints.len()) {
            let (found, expected) = (self.joints.get(k), names.joints.get(k));
            if found != expected {
                let word = |name: &String| format!("\"{name}\"");
                return said(&format!("joint {k}"), found.map(word), expected.map(word));
            }
        }
        let expected = Fingerprint::of(identity.scene.as_bytes()).to_string();
        if self.scene != expected {
            let found = &self.scene;
            return Err(format!(
                "it is of another scene: its text has the fingerprint {found}, the folder's {expected}"
            ));
        }
        let run = identity.run.to_string();
        if self.run != run && self.prolonged.as_ref() != Some(&run) {
            return Err(
                "it is of another run: title, options, times or files of run.json are not those of the checkpoint"
                    .to_owned(),
            );
        }
        Ok(())
    }
}

/// Whether a state that was read can be one of the model.
fn fits(state: &State, ongoing_contacts: &OngoingContacts, model: &Model) -> std::result::Result<(), String> {
    state.check(model).map_err(|error| error.to_string())?;
    for (motion, body) in state.motions.iter().zip(model.bodies()) {
        let length = motion.pose.orientation.coords.norm();
        if !((length - 1.0).abs() <= LENGTH) {
            return Err(format!("the orientation of body {} has the length {length}", body.name));
        }
    }
    // The state knows its own pairs to be of the model; a contact that lasts is one of them.
    let stray = ongoing_contacts.ongoing.iter().find(|ongoing| !state.pairs.contains(&ongoing.pair));
    match stray.map(|ongoing| ongoing.pair) {
        Some(PairId { a, b, .. }) => Err(format!(
            "it follows a contact that the state does not know: body {} part {}, body {} part {}",
            a.body.0, a.index, b.body.0, b.index
        )),
        None if !ongoing_contacts.ongoing.is_sorted_by_key(|ongoing| ongoing.pair) => {
            Err("its contacts are out of order".to_owned())
        }
        None => Ok(()),
    }
}
