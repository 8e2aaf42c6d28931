//! Runs that are interrupted and taken up again leave the files of one that was not.

use super::run::{Folder, Jointed, Many, Rigid, Runner, about, hauled, record, soft_ball};
use super::samples::free::ellipsoids_in_a_box;
use super::samples::heap::{heap, soft};
use super::samples::pendulums::pendulums;
use rattleback_dynamics::State;
use rattleback_record::{Recorder, ResultFolder, RunOutcome, Sheet, Status};
use std::io::Write;

/// Runs to output `last` with a checkpoint at `middle`, loses what came after it, and goes on; compares everything with
/// a run that was left alone. Says what the state was at the checkpoint.
fn interrupt(runner: &impl Runner, middle: u64, last: u64) -> State {
    let (whole, broken) = (Folder::new(), Folder::new());
    let expected = record(runner, &whole, last);
    let mut recorder = Recorder::create(broken.path(), runner.model(), about()).unwrap();
    let mut kept = None;
    runner.run(&mut recorder, runner.first(), middle + 5, &mut |recorder, state| {
        if recorder.outputs() == middle + 1 {
            kept = Some(state.clone());
            recorder.checkpoint(state).unwrap();
        }
    });
    drop(recorder);
    for name in ["states.csv", "contacts.csv", "events.csv"] {
        let mut file = std::fs::File::options().append(true).open(broken.join(name)).unwrap();
        file.write_all(b"0.3,torn").unwrap();
    }
    let (mut recorder, state) = Recorder::resume(broken.path(), runner.model()).unwrap();
    assert_eq!(recorder.outputs(), middle + 1);
    let reached = runner.run(&mut recorder, state, last, &mut |_, _| ());
    recorder.finish(&RunOutcome::Finished).unwrap();
    // The debug format tells negative zeros, and has all digits.
    assert_eq!(format!("{reached:?}"), format!("{expected:?}"));
    let sheets = Sheet::ALL.map(Sheet::name).map(|name| format!("{name}.csv"));
    for name in sheets.iter().filter(|name| whole.join(name).exists()) {
        assert_eq!(broken.read(name), whole.read(name), "{name}");
    }
    let [a, b] = [&whole, &broken].map(|folder| ResultFolder::open(folder.path()).unwrap());
    let (a, b) = (a.manifest(), b.manifest());
    assert_eq!((a.steps, a.events, a.outputs, a.energy), (b.steps, b.events, b.outputs, b.energy));
    assert_eq!((a.status, b.status), (Status::Finished, Status::Finished));
    assert!(a.health.is_some() && a.health == b.health, "{:?} against {:?}", a.health, b.health);
    kept.unwrap()
}

#[test]
fn a_ball_taken_up_in_the_middle_of_a_bounce_leaves_the_same_bytes() {
    let state = interrupt(&soft_ball(0.7), 15, 40);
    assert_eq!(state.pairs.values().filter(|pair| pair.contact.is_some()).count(), 1);
}

#[test]
fn two_ellipsoids_in_a_box_leave_the_same_bytes() {
    interrupt(&ellipsoids_in_a_box().unwrap(), 45, 60);
}

#[test]
fn pendulums_taken_up_again_leave_the_same_bytes() {
    let (model, state) = pendulums(3, 0.9).unwrap();
    interrupt(&Jointed { model, state }, 36, 50);
}

#[test]
fn a_windlass_that_has_slipped_and_a_chain_that_rubs_go_on_to_the_same_bits() {
    let state = interrupt(&hauled(), 30, 50);
    let [windlass] = state.windlasses[..] else { panic!("{:?}", state.windlasses) };
    // It has moved, and is on its way.
    assert!(windlass.length != 2.0 && windlass.rate != 0.0, "{windlass:?}");
}

#[test]
fn a_heap_goes_on_to_the_same_bits() {
    let (model, state) = heap(3, soft().unwrap()).unwrap();
    interrupt(&Many { model, state }, 12, 20);
}

#[test]
fn bodies_that_roll_fly_and_bounce_go_on_to_the_same_bits() {
    let bodies = Rigid::new();
    for (middle, last) in [(8, 20), (30, 45), (58, 80)] {
        let state = interrupt(&bodies, middle, last);
        let sits: Vec<bool> = state.rigid_contacts.unwrap().iter().map(Option::is_some).collect();
        // The floor; the egg rolls, and so does the ball upon the other; what was thrown flies.
        assert_eq!(sits, [false, true, true, true, false, false], "at output {middle}");
    }
}

#[test]
fn a_stopped_run_can_be_taken_up_from_its_checkpoint_and_has_no_stale_parquet() {
    let (case, folder, whole) = (soft_ball(0.7), Folder::new(), Folder::new());
    record(&case, &whole, 30);
    let mut recorder = Recorder::create(folder.path(), &case.model, about()).unwrap();
    let state = case.run(&mut recorder, case.first(), 15, &mut |_, _| ());
    recorder.checkpoint(&state).unwrap();
    let manifest = recorder.finish(&RunOutcome::Stopped).unwrap();
    assert_eq!(manifest.status, Status::Stopped);
    // The contact that lasts has its row now, and loses it when the run goes on.
    let events = String::from_utf8(folder.read("events.csv")).unwrap();
    assert!(events.lines().nth(1).unwrap().contains(",,1,"), "{events}");
    assert!(folder.join("states.parquet").exists());
    let (mut recorder, state) = Recorder::resume(folder.path(), &case.model).unwrap();
    assert!(!folder.join("states.parquet").exists());
    assert_eq!(ResultFolder::open(folder.path()).unwrap().manifest().status, Status::Running);
    case.run(&mut recorder, state, 30, &mut |_, _| ());
    recorder.finish(&RunOutcome::Finished).unwrap();
    assert_eq!(folder.read("events.csv"), whole.read("events.csv"));
}
