//! What is refused, and how it is said.

use crate::run::{Folder, Runner, about, record, soft_ball};
use rattleback_dynamics::study::case::roemer_box;
use rattleback_dynamics::{Energy, Happening, mechanism::Reaction};
use rattleback_geom::Vec3;
use rattleback_record::{Outcome, RecordError, Recorder, ResultFolder};

/// A folder with a run that was abandoned after a checkpoint.
fn abandoned() -> Folder {
    let (case, folder) = (soft_ball(0.7), Folder::new());
    let mut recorder = Recorder::create(folder.path(), &case.model, about()).unwrap();
    let state = case.run(&mut recorder, case.first(), 15, &mut |_, _| ());
    recorder.checkpoint(&state).unwrap();
    folder
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
    let message = Recorder::resume(folder.path(), &roemer_box().unwrap().model).unwrap_err().to_string();
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
    std::fs::write(folder.join("checkpoint.json"), text.replace("\"format\": 2", "\"format\": 7")).unwrap();
    let message = refused(&folder);
    assert!(message.ends_with("checkpoint.json: has format 7, this program reads format 2"), "{message}");
    std::fs::remove_file(folder.join("checkpoint.json")).unwrap();
    assert!(refused(&folder).contains("checkpoint.json: No such file"), "{}", refused(&folder));
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
    for (from, to, said) in [
        ("\"time\": 0.15", "\"time\": 1e999", "number out of range"),
        ("\"time\": 0.15", "\"time\": null", "invalid type: null"),
        (
            "\"orientation\": [\n          1.0",
            "\"orientation\": [\n          2.0",
            "orientation of body floor",
        ),
        ("\"pair\": [\n          0,", "\"pair\": [\n          7,", "a pair that the model does not have"),
    ] {
        assert!(text.contains(from), "{from} is not in {text}");
        std::fs::write(folder.join("checkpoint.json"), text.replacen(from, to, 1)).unwrap();
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
    recorder.finish(&Outcome::Failed("the ball was lost".to_owned())).unwrap();
    let manifest = ResultFolder::open(folder.path()).unwrap().manifest().clone();
    assert_eq!(manifest.error.as_deref(), Some("the ball was lost"));
    assert!(folder.join("states.parquet").exists());
}

#[test]
fn a_state_of_another_model_is_refused() {
    let (case, other, folder) = (soft_ball(0.7), roemer_box().unwrap(), Folder::new());
    let mut recorder = Recorder::create(folder.path(), &case.model, about()).unwrap();
    let energy = Energy::of(&other.model, &other.state).unwrap();
    let said = "motions number 3, the model has 2";
    assert_eq!(recorder.output(&other.state, &energy, &[], &[]).unwrap_err().to_string(), said);
    assert_eq!(recorder.step(&other.state, Happening::Step, &[]).unwrap_err().to_string(), said);
    assert_eq!(recorder.checkpoint(&other.state).unwrap_err().to_string(), said);
    let reaction = Reaction { force: Vec3::zeros(), torque: Vec3::zeros() };
    let message = recorder.output(&case.state, &energy, &[], &[reaction]).unwrap_err().to_string();
    assert_eq!(message, "reactions number 1, the model has 0");
}
