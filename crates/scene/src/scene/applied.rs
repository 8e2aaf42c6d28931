//! Scenes of applications: one key says all of the model.

use super::lower::Scene;
use super::output::{Output, OutputSpec};
use super::spec::SceneSpec;
use crate::application::{Application, ApplicationModel};
use crate::read::{Range, Reader, Source, SourceValue, Step, Value, nearest, number};
use std::collections::BTreeMap;
use std::path::Path;

/// What an application says itself.
const SAID: [&str; 9] = [
    "gravity",
    "materials",
    "shapes",
    "bodies",
    "chains",
    "joints",
    "forces",
    "contacts",
    "exclude_contacts",
];
/// What there must be without one.
pub(super) const NEEDED: [&str; 2] = ["gravity", "bodies"];

/// The application whose key a scene has, and what stands there.
pub(super) fn find<'n>(scene: &'n SourceValue, reader: &Reader) -> Option<(Application, &'n SourceValue)> {
    reader.applications().iter().find_map(|application| Some((*application, scene.get(application.key)?)))
}

/// Complains of keys that stand beside that of an application, or that are missing without one.
pub(super) fn check_keys(scene: &SourceValue, reader: &mut Reader) {
    let Some((application, _)) = find(scene, reader) else {
        // A key that was meant to be it is told with its right name.
        let is_meant = |key: &str| {
            let Value::Table(entries) = &scene.value else { return false };
            entries.iter().any(|(other, _)| other.name != key && nearest(&other.name, &NEEDED) == Some(key))
        };
        for key in NEEDED.into_iter().filter(|key| scene.get(key).is_none() && !is_meant(key)) {
            reader.refuse(&scene.span, format!("missing key `{key}`"));
        }
        return;
    };
    let others = reader.applications().iter().map(|other| other.key).filter(|key| *key != application.key);
    for key in SAID.into_iter().chain(others) {
        if let Some(found) = scene.get(key) {
            let message = format!("found `{key}` beside `{}`, which says all of the model", application.key);
            reader.within(Step::Key(key.into()), |reader| reader.refuse(&found.span, message));
        }
    }
}

/// The scene of an application; what stands at its key is read whatever is wrong with the rest.
pub(super) fn scene(
    spec: Option<&SceneSpec>,
    (application, value): (&Application, &SourceValue),
    folder: &Path,
    reader: &mut Reader,
) -> Option<Scene> {
    let key = Step::Key(application.key.into());
    let made = reader.within(key, |reader| (application.read)(value, folder, reader));
    let spec = spec?;
    let scheme = spec.solver.as_ref().map(|solver| solver.lower(Some(application.bodies), reader));
    let run = &spec.run;
    let duration = number(&run.place, "duration", run.duration.0, Range::Positive, reader);
    let output = duration.and_then(|d| OutputSpec::lower(spec.output.as_ref(), d, reader));
    let (mut made, mut output) = (made?, output?);
    if let Some(scheme) = scheme {
        made.scheme = scheme?;
    }
    output.camera = output.camera.or(made.camera);
    Some(Scene {
        description: spec.description.trim().to_owned(),
        origin: spec.source.clone(),
        output,
        ..Scene::of_application(&spec.title, made, duration?)
    })
}

impl Scene {
    /// The scene of what an application has made, for a duration in s.
    pub fn of_application(title: &str, made: ApplicationModel, duration: f64) -> Self {
        Self {
            title: title.to_owned(),
            description: String::new(),
            origin: String::new(),
            model: made.model,
            state: made.state,
            scheme: made.scheme,
            choice: String::new(),
            duration,
            output: Output::usual(duration, made.camera),
            looks: made.looks,
            files: made.files,
            inputs: BTreeMap::new(),
            source: Source::default(),
            text: String::new(),
            parameters: BTreeMap::new(),
            joint_names: Vec::new(),
            remarks: made.remarks,
            application: Some(made.scene),
        }
    }
}
