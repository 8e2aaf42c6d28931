//! The Parquet files say what the CSV files say.

use super::run::{Folder, Jointed, about, record, soft_ball};
use super::samples::pendulums::pendulums;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use rattleback_dynamics::{BodyModel, Energy, Model, Motion, State};
use rattleback_geom::Pose;
use rattleback_record::{Kind, Recorder, ResultFolder, RunOutcome, Sheet};

fn open(folder: &Folder, sheet: Sheet) -> SerializedFileReader<std::fs::File> {
    let path = folder.join(&format!("{}.parquet", sheet.name()));
    SerializedFileReader::new(std::fs::File::open(path).unwrap()).unwrap()
}

/// Compares every cell; says how many rows there were.
fn compare(folder: &Folder, sheet: Sheet) -> usize {
    let csv = ResultFolder::open(folder.path()).unwrap().sheet(sheet).unwrap();
    let mut count = 0;
    for (row, found) in open(folder, sheet).get_row_iter(None).unwrap().enumerate() {
        let found = found.unwrap();
        for (column, (name, field)) in sheet.columns().iter().zip(found.get_column_iter()) {
            assert_eq!(column.name, name);
            match field {
                Field::Double(x) => {
                    assert_eq!(x.to_bits(), csv.numbers(name).unwrap()[row].to_bits(), "{name}, row {row}");
                }
                Field::Null => assert!(column.optional && csv.numbers(name).unwrap()[row].is_nan(), "{name}"),
                Field::Long(x) => assert_eq!(*x as f64, csv.numbers(name).unwrap()[row], "{name}, row {row}"),
                Field::Str(text) => assert_eq!(text, csv.text(name).unwrap()[row], "{name}, row {row}"),
                other => panic!("{name} is {other:?}"),
            }
        }
        count += 1;
    }
    assert_eq!(count, csv.rows());
    count
}

#[test]
fn every_cell_of_a_run_is_the_same_to_the_bit() {
    let folder = Folder::new();
    // It ends in the middle of a bounce: one event has no end.
    record(&soft_ball(0.7), &folder, 15);
    assert_eq!(
        [Sheet::States, Sheet::Events, Sheet::Energies].map(|sheet| compare(&folder, sheet)),
        [32, 1, 16]
    );
    assert_eq!(compare(&folder, Sheet::Contacts), 1);
    let folder = Folder::new();
    let (model, state) = pendulums(2, 0.9).unwrap();
    record(&Jointed { model, state }, &folder, 5);
    // No ball has met another one yet: a sheet without rows is a file too.
    assert_eq!([Sheet::Joints, Sheet::Contacts].map(|sheet| compare(&folder, sheet)), [12, 0]);
}

#[test]
fn long_sheets_and_numbers_at_the_edge_go_through_groups() {
    let mut builder = Model::builder();
    builder.body(BodyModel::fixed("a, b"));
    builder.body(BodyModel::fixed("c"));
    let model = builder.build().unwrap();
    let folder = Folder::new();
    let mut recorder = Recorder::create(folder.path(), &model, about()).unwrap();
    let mut state = State::new(vec![Motion::at_rest(Pose::identity()); 2]);
    let edge = [-0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 5e-324, f64::MAX];
    let energy =
        Energy { kinetic: -0.0, potential: 0.0, applied: 0.0, dissipated: 0.0, contacts: Default::default() };
    for k in 0..20_000 {
        state.time = f64::from(k) / 3.0;
        state.motions[1].velocity.y = edge[k as usize % edge.len()];
        recorder.output(&state, &energy, &[], &[]).unwrap();
    }
    recorder.finish(&RunOutcome::Finished).unwrap();
    let file = open(&folder, Sheet::States);
    assert_eq!(file.metadata().num_row_groups(), 2);
    let mut row = 0;
    let csv = ResultFolder::open(folder.path()).unwrap().sheet(Sheet::States).unwrap();
    let (times, vy, bodies) =
        (csv.numbers("time_s").unwrap(), csv.numbers("vy_m_per_s").unwrap(), csv.text("body").unwrap());
    for found in file.get_row_iter(None).unwrap() {
        let found = found.unwrap();
        let fields: Vec<&Field> = found.get_column_iter().map(|(_, field)| field).collect();
        let (Field::Double(time), Field::Str(body), Field::Double(y)) = (fields[0], fields[1], fields[10])
        else {
            panic!("{fields:?}")
        };
        assert_eq!(
            (time.to_bits(), y.to_bits(), body.as_str()),
            (times[row].to_bits(), vy[row].to_bits(), bodies[row])
        );
        row += 1;
    }
    assert_eq!(row, 40_000);
}

#[test]
fn metadata_has_units_and_meanings_and_text_has_a_dictionary() {
    let folder = Folder::new();
    record(&soft_ball(0.7), &folder, 3);
    let file = open(&folder, Sheet::States);
    let metadata = file.metadata().file_metadata().key_value_metadata().unwrap();
    let columns =
        metadata.iter().find(|pair| pair.key == "rattleback.columns").unwrap().value.clone().unwrap();
    let columns: serde_json::Value = serde_json::from_str(&columns).unwrap();
    assert_eq!((&columns[2]["name"], &columns[2]["unit"]), (&"x_m".into(), &"m".into()));
    for (k, column) in Sheet::States.columns().iter().enumerate() {
        let dictionary = file.metadata().row_group(0).column(k).dictionary_page_offset().is_some();
        assert_eq!(dictionary, column.kind == Kind::Text, "{}", column.name);
    }
}
