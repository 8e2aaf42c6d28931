//! What is refused, and how it is said.

use super::run::{Folder, Runner, about, record, soft_ball};
use super::samples::free::ellipsoids_in_a_box;
use rattleback_dynamics::{
    Energy, Instant, RunEvent,
    mechanism::{JointReading, Reaction},
};
use rattleback_geom::{Fingerprint, Vec3};
use rattleback_record::{RecordError, Recorder, ResultFolder, RunOutcome};

/// A folder with a run that was abandoned after a checkpoint.
fn abandoned() -> Folder {
    let (case, folder) = (soft_ball(0.7), Folder::new());
    let mut recorder = Recorder::create(folder.path(), &case.model, about()).unwrap();
    let state = case.run(&mut recorder, case.first(), 15, &mut |_, _| ());
    recorder.checkpoint(&state).unwrap();
    folder
}

/// A checkpoint with the fingerprint of what it says.
fn sealed(text: &str) -> String {
    let (begin, end) = (text.find("\"checkpoint\": ").unwrap() + 14, text.rfind("\n}").unwrap());
    let said = text.find("\"fingerprint\": \"").unwrap() + 16;
    let fingerprint = Fingerprint::of(&text.as_bytes()[begin..end]).to_string();
    text.replacen(&text[said..said + 16], &fingerprint, 1)
}

fn refused(folder: &Folder) -> String {
    Recorder::resume(folder.path(), soft_ball(0.7).model()).unwrap_err().to_string()
}

#[test]
fn a_folder_that_holds_anything_is_refused_and_left_alone() {
    let folder = Folder::new();
    std::fs::write(folder.join("notes.txt"), "mine").unwrap();
    let error = Recorder::create(folder.path(), &soft_ball(0.7).model, about()).unwrap_err();
    assert!(matches!(&error, RecordError::Occupied { found, .. } if found == "notes.txt"), "{error}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    let error = Recorder::create(folder.join("notes.txt"), &soft_ball(0.7).model, about()).unwrap_err();
    assert!(matches!(&error, RecordError::Write { path, .. } if path.ends_with("notes.txt")), "{error}");
    assert_eq!(folder.read("notes.txt"), b"mine");
}

#[test]
fn a_checkpoint_of_another_model_is_refused_by_name() {
    let folder = abandoned();
    let before = folder.read("states.csv");
    let message =
        Recorder::resume(folder.path(), &ellipsoids_in_a_box().unwrap().model).unwrap_err().to_string();
    let said = "it has \"floor\" with 1 parts where the model has \"box\" with 5 parts as body 0";
    assert!(message.contains(said), "{message}");
    assert_eq!(folder.read("states.csv"), before);
}

#[test]
fn a_checkpoint_of_another_scene_or_format_is_refused() {
    let folder = abandoned();
    std::fs::write(folder.join("scene.toml"), "title = \"another\"\n").unwrap();
    assert!(refused(&folder).contains("it is of another scene"), "{}", refused(&folder));
    std::fs::write(folder.join("scene.toml"), about().scene).unwrap();
    let text = String::from_utf8(folder.read("checkpoint.json")).unwrap();
    std::fs::write(folder.join("checkpoint.json"), text.replace("\"format\": 5", "\"format\": 7")).unwrap();
    let message = refused(&folder);
    assert!(message.ends_with("checkpoint.json: has format 7, this program reads format 5"), "{message}");
    std::fs::remove_file(folder.join("checkpoint.json")).unwrap();
    let message = refused(&folder);
    assert!(message.contains("has no checkpoint to go on from: the run ended before"), "{message}");
    std::fs::remove_file(folder.join("run.json")).unwrap();
    let message = refused(&folder);
    assert!(message.ends_with("is no result folder: it has no run.json"), "{message}");
}

#[test]
fn a_checkpoint_that_was_cut_off_or_changed_is_refused_wherever() {
    let folder = abandoned();
    let text = String::from_utf8(folder.read("checkpoint.json")).unwrap();
    // The last character is a line break, without which it is still whole.
    for length in (0..text.len() - 1).step_by(97).chain([text.len() - 2]) {
        std::fs::write(folder.join("checkpoint.json"), &text[..length]).unwrap();
        assert!(refused(&folder).contains("cannot be understood"), "{length}: {}", refused(&folder));
    }
    // The first number of the first pair is the number of its first body.
    let (head, tail) = text.split_at(text.find("\"pairs\"").unwrap());
    let stray = format!("{head}{}", tail.replacen('0', "7", 1));
    std::fs::write(folder.join("checkpoint.json"), sealed(&stray)).unwrap();
    let message = refused(&folder);
    assert!(message.contains("a pair that the model does not have"), "{message}");
    for (from, to, said) in [
        ("\"time\": 0.15", "\"time\": 1e999", "number out of range"),
        ("\"time\": 0.15", "\"time\": null", "invalid type: null"),
        (
            "\"orientation\": [\n            0.0",
            "\"orientation\": [\n            2.0",
            "orientation of body floor",
        ),
    ] {
        assert!(text.contains(from), "{from} is not in {text}");
        let changed = text.replacen(from, to, 1);
        std::fs::write(folder.join("checkpoint.json"), &changed).unwrap();
        assert!(refused(&folder).contains("was changed or damaged"), "{}", refused(&folder));
        // Whoever changes it on purpose meets the next check.
        std::fs::write(folder.join("checkpoint.json"), sealed(&changed)).unwrap();
        assert!(refused(&folder).contains(said), "{}", refused(&folder));
    }
    std::fs::write(folder.join("checkpoint.json"), &text).unwrap();
    Recorder::resume(folder.path(), soft_ball(0.7).model()).unwrap();
}

#[test]
fn a_sheet_shorter_than_the_checkpoint_knows_it_is_refused_and_nothing_is_cut() {
    let folder = abandoned();
    let states = folder.read("states.csv");
    let energies = folder.read("energies.csv");
    std::fs::write(folder.join("energies.csv"), &energies[..energies.len() - 1]).unwrap();
    std::fs::write(folder.join("states.csv"), [&states[..], b"more"].concat()).unwrap();
    let message = refused(&folder);
    let said = format!("has {} bytes, the checkpoint counts on {}", energies.len() - 1, energies.len());
    assert!(message.contains("energies.csv") && message.ends_with(&said), "{message}");
    assert!(folder.read("states.csv").ends_with(b"more"));
}

#[test]
fn a_state_with_a_nan_is_refused_by_name_and_the_old_checkpoint_stays() {
    let (case, folder) = (soft_ball(0.7), Folder::new());
    let mut recorder = Recorder::create(folder.path(), &case.model, about()).unwrap();
    let mut state = case.run(&mut recorder, case.first(), 15, &mut |_, _| ());
    recorder.checkpoint(&state).unwrap();
    let before = folder.read("checkpoint.json");
    state.motions[1].velocity.x = f64::NAN;
    let message = recorder.checkpoint(&state).unwrap_err().to_string();
    assert_eq!(message, "motion of body ball = NaN: a checkpoint holds finite numbers only");
    assert_eq!(folder.read("checkpoint.json"), before);
}

#[test]
fn a_finished_run_is_not_taken_up_again() {
    let (case, folder) = (soft_ball(0.7), Folder::new());
    record(&case, &folder, 3);
    assert!(refused(&folder).ends_with("the run has finished"), "{}", refused(&folder));
}

#[test]
fn a_failed_run_says_why() {
    let (case, folder) = (soft_ball(0.7), Folder::new());
    let mut recorder = Recorder::create(folder.path(), &case.model, about()).unwrap();
    case.run(&mut recorder, case.first(), 3, &mut |_, _| ());
    recorder.finish(&RunOutcome::Failed("the ball was lost".to_owned())).unwrap();
    let manifest = ResultFolder::open(folder.path()).unwrap().manifest().clone();
    assert_eq!(manifest.error.as_deref(), Some("the ball was lost"));
    assert!(folder.join("states.parquet").exists());
}

#[test]
fn a_state_of_another_model_is_refused() {
    let (case, other, folder) = (soft_ball(0.7), ellipsoids_in_a_box().unwrap(), Folder::new());
    let mut recorder = Recorder::create(folder.path(), &case.model, about()).unwrap();
    let energy = Energy::of(&other.model, &other.state).unwrap();
    let said = "motions number 3, the model has 2";
    assert_eq!(recorder.output(&other.state, &energy, &[], &[]).unwrap_err().to_string(), said);
    let seen = Instant { state: &other.state, event: RunEvent::Step, active_contacts: &[], peaks: None };
    assert_eq!(recorder.step(&seen).unwrap_err().to_string(), said);
    assert_eq!(recorder.checkpoint(&other.state).unwrap_err().to_string(), said);
    let reaction = Reaction { force: Vec3::zeros(), torque: Vec3::zeros() };
    let joint = JointReading { reaction, turn: None, second_turn: None, slide: None };
    let message = recorder.output(&case.state, &energy, &[], &[joint]).unwrap_err().to_string();
    assert_eq!(message, "joints number 1, the model has 0");
}

#[test]
fn a_checkpoint_with_any_byte_changed_is_refused_or_says_the_same() {
    let folder = abandoned();
    let model = soft_ball(0.7).model;
    let whole = folder.read("checkpoint.json");
    let (_, state) = Recorder::resume(folder.path(), &model).unwrap();
    let mut harmless = 0;
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        std::fs::write(folder.join("checkpoint.json"), &bytes).unwrap();
        if let Ok((_, found)) = Recorder::resume(folder.path(), &model) {
            harmless += 1;
            assert_eq!(format!("{found:?}"), format!("{state:?}"), "byte {at}");
        }
    }
    // Blanks between the outermost keys.
    assert!(harmless < 20, "{harmless} of {}", whole.len());
}

#[test]
fn a_sheet_or_a_manifest_that_was_changed_is_refused_and_nothing_is_cut() {
    let folder = abandoned();
    let states = folder.read("states.csv");
    let mut changed = [&states[..], b"more"].concat();
    let digit = changed.iter().rposition(|byte| *byte == b'3').unwrap();
    changed[digit] = b'4';
    std::fs::write(folder.join("states.csv"), &changed).unwrap();
    let message = refused(&folder);
    let said = format!("states.csv: was changed or damaged: its first {} bytes", states.len());
    assert!(message.contains(&said), "{message}");
    assert_eq!(folder.read("states.csv"), changed);
    std::fs::write(folder.join("states.csv"), &states).unwrap();
    let manifest = String::from_utf8(folder.read("run.json")).unwrap();
    let title = format!("\"title\": \"{}", about().title);
    assert!(manifest.contains(&title), "{manifest}");
    std::fs::write(folder.join("run.json"), manifest.replacen(&title, "\"title\": \"Not ", 1)).unwrap();
    assert!(refused(&folder).contains("it is of another run"), "{}", refused(&folder));
}

#[test]
fn a_folder_that_is_written_to_is_refused_to_a_second_writer_until_the_first_has_gone() {
    let (case, folder) = (soft_ball(0.7), Folder::new());
    let mut recorder = Recorder::create(folder.path(), &case.model, about()).unwrap();
    let state = case.run(&mut recorder, case.first(), 15, &mut |_, _| ());
    recorder.checkpoint(&state).unwrap();
    let before = folder.read("run.json");
    let error = Recorder::resume(folder.path(), &case.model).unwrap_err();
    assert!(matches!(&error, RecordError::Busy { .. }), "{error}");
    assert!(error.to_string().ends_with("another process is writing to it"), "{error}");
    assert_eq!(folder.read("run.json"), before);
    drop(recorder);
    let (resumed, _) = Recorder::resume(folder.path(), &case.model).unwrap();
    let error = Recorder::resume(folder.path(), &case.model).unwrap_err();
    assert!(matches!(&error, RecordError::Busy { .. }), "{error}");
    drop(resumed);
    // An empty folder with a lock that somebody holds.
    let other = Folder::new();
    let lock = std::fs::File::create(other.join(".lock")).unwrap();
    lock.lock().unwrap();
    let error = Recorder::create(other.path(), &case.model, about()).unwrap_err();
    assert!(matches!(&error, RecordError::Busy { .. }), "{error}");
    drop(lock);
    Recorder::create(other.path(), &case.model, about()).unwrap();
}

#[test]
fn what_a_killed_process_left_half_written_is_swept_and_nothing_else() {
    let folder = abandoned();
    for name in [".checkpoint.json.4711.part", ".run.json.1.part", ".mine.part", "mine.2.part"] {
        std::fs::write(folder.join(name), "half").unwrap();
    }
    Recorder::resume(folder.path(), soft_ball(0.7).model()).unwrap();
    let there = [".checkpoint.json.4711.part", ".run.json.1.part", ".mine.part", "mine.2.part"]
        .map(|name| folder.join(name).exists());
    assert_eq!(there, [false, false, true, true]);
}

#[test]
fn what_an_application_remembers_comes_back_to_the_bit() {
    let (case, folder) = (soft_ball(0.7), Folder::new());
    let mut recorder = Recorder::create(folder.path(), &case.model, about()).unwrap();
    assert_eq!(recorder.memory(), None);
    let state = case.run(&mut recorder, case.first(), 15, &mut |_, _| ());
    let numbers: Vec<f64> =
        (0..40).map(|k| (f64::from(k) + 0.1).sin() / 3.0).chain([1e300, -0.0, 5e-324]).collect();
    let memory = serde_json::json!({"numbers": numbers, "name": "head", "none": null});
    recorder.set_memory(memory.clone());
    recorder.checkpoint(&state).unwrap();
    drop(recorder);
    let (resumed, _) = Recorder::resume(folder.path(), &case.model).unwrap();
    assert_eq!(format!("{:?}", resumed.memory().unwrap()), format!("{memory:?}"));
}
