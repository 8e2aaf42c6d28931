//! Result folders read back.

use super::run::{Folder, INTERVAL, Runner, about, record, soft_ball};
use rattleback_dynamics::{BodyModel, Energy, Model, Motion, State};
use rattleback_geom::Pose;
use rattleback_record::{Recorder, ResultFolder, RunOutcome, Sheet, Status};

#[test]
fn a_series_has_the_bits_of_the_states() {
    let (case, folder) = (soft_ball(0.7), Folder::new());
    let mut expected = Vec::new();
    let mut recorder = Recorder::create(folder.path(), &case.model, about()).unwrap();
    case.run(&mut recorder, case.first(), 20, &mut |_, state| {
        expected.push([state.time, state.motions[1].pose.position.z]);
    });
    // A run that goes on can be read as far as it has come; a checkpoint hands all rows over.
    recorder.checkpoint(&case.state).unwrap();
    let folder = ResultFolder::open(folder.path()).unwrap();
    assert_eq!(folder.series("ball", "z_m").unwrap(), expected);
    assert_eq!(folder.manifest().status, Status::Running);
    assert_eq!(expected.len(), 21);
    assert_eq!(expected[20][0], 20.0 * INTERVAL);
    let said = |column: &str, body: &str| folder.series(body, column).unwrap_err().to_string();
    assert_eq!(said("z_m", "bell"), "states has no body \"bell\"");
    assert_eq!(said("z", "ball"), "states has no column \"z\" of numbers");
    assert_eq!(said("body", "ball"), "states has no column \"body\" of numbers");
}

#[test]
fn the_manifest_knows_the_files_the_energy_and_the_options() {
    let (case, folder) = (soft_ball(0.7), Folder::new());
    record(&case, &folder, 50);
    let folder = ResultFolder::open(folder.path()).unwrap();
    let manifest = folder.manifest();
    assert_eq!((manifest.status, manifest.outputs, manifest.reached_s), (Status::Finished, 51, 0.5));
    assert!(manifest.steps > 50 && manifest.wall_s > 0.0 && manifest.speed > 0.0 && manifest.events > 1);
    assert_eq!(manifest.options["threads"], "2");
    assert!(manifest.started.len() == 20 && manifest.started.ends_with('Z'), "{}", manifest.started);
    assert_eq!(folder.scene().unwrap(), about().scene);
    let totals = folder.sheet(Sheet::Energies).unwrap().numbers("total_J").unwrap().to_vec();
    let energy = manifest.energy.unwrap();
    let drift = totals.iter().map(|total| (total - totals[0]).abs()).fold(0.0, f64::max);
    assert_eq!((energy.start_J, energy.end_J, energy.drift_J), (totals[0], totals[50], drift));
    assert!(folder.has(Sheet::States) && !folder.has(Sheet::Joints));
    for sheet in &manifest.sheets {
        let read = folder.sheet(Sheet::find(&sheet.name).unwrap()).unwrap();
        assert_eq!(read.rows() as u64, sheet.rows, "{}", sheet.name);
        assert!(read.names().eq(sheet.columns.iter().map(|column| column.name.as_str())));
        assert_eq!(sheet.files.len(), 2);
        for file in &sheet.files {
            assert_eq!(std::fs::metadata(folder.path().join(&file.name)).unwrap().len(), file.bytes);
        }
    }
}

#[test]
fn names_with_commas_quotes_and_line_breaks_and_every_number_come_back() {
    let name = "ball, \"big\"\r\nß";
    let mut builder = Model::builder();
    builder.body(BodyModel::fixed(name));
    builder.body(BodyModel::fixed(""));
    let model = builder.build().unwrap();
    let folder = Folder::new();
    let mut recorder = Recorder::create(folder.path(), &model, about()).unwrap();
    let mut state = State::new(vec![Motion::at_rest(Pose::identity()); 2]);
    let numbers = [-0.0, f64::MIN_POSITIVE, 5e-324, 0.1 + 0.2, f64::MAX, 1.0 / 3.0, f64::INFINITY, f64::NAN];
    for (k, &x) in numbers.iter().enumerate() {
        state.time = k as f64;
        state.motions[0].pose.position.x = x;
        let energy =
            Energy { kinetic: x, potential: -x, applied: 0.0, dissipated: 0.0, contacts: Default::default() };
        recorder.output(&state, &energy, &[], &[]).unwrap();
    }
    recorder.finish(&RunOutcome::Finished).unwrap();
    let folder = ResultFolder::open(folder.path()).unwrap();
    // The first total is −0 − (−0) + 0; one of the later ones is none.
    let energy = folder.manifest().energy.unwrap();
    assert!(energy.start_J == 0.0 && energy.end_J.is_nan() && energy.drift_J.is_nan(), "{energy:?}");
    let bits = |values: Vec<f64>| values.into_iter().map(f64::to_bits).collect::<Vec<_>>();
    let found = folder.series(name, "x_m").unwrap().into_iter().map(|[_, x]| x).collect();
    assert_eq!(bits(found), bits(numbers.to_vec()));
    assert_eq!(folder.series("", "x_m").unwrap().len(), numbers.len());
    assert_eq!(folder.sheet(Sheet::States).unwrap().distinct("body").unwrap(), [name, ""]);
    let kinetic = folder.sheet(Sheet::Energies).unwrap().numbers("kinetic_J").unwrap().to_vec();
    assert_eq!(bits(kinetic), bits(numbers.to_vec()));
}

#[test]
fn a_bad_cell_is_told_by_file_line_and_column() {
    let folder = Folder::new();
    record(&soft_ball(0.7), &folder, 3);
    let text = String::from_utf8(folder.read("energies.csv")).unwrap();
    std::fs::write(folder.join("energies.csv"), text.replacen("\n0.01,", "\nsoon,", 1)).unwrap();
    let opened = ResultFolder::open(folder.path()).unwrap();
    let message = opened.sheet(Sheet::Energies).unwrap_err().to_string();
    let said = "energies.csv, line 3, column time_s: found \"soon\", expected a number";
    assert!(message.ends_with(said), "{message}");
}
