use super::{raw, scratch};
use rattleback_gait::file::{
    Storage, Trc, parse_storage, parse_trc, read_storage, read_trc, write_storage, write_trc,
};
use rattleback_gait::{Complaint, GaitError, MAX_COMPLAINTS};
use rattleback_random::{below, stream};
use std::path::Path;

fn trc(text: &str) -> Result<Trc, GaitError> {
    parse_trc(text, Path::new("a.trc"))
}

fn table(text: &str) -> Result<Storage, GaitError> {
    parse_storage(text, Path::new("a.mot"))
}

fn complaints<T: std::fmt::Debug>(result: Result<T, GaitError>) -> Vec<Complaint> {
    match result {
        Err(GaitError::Damaged { complaints, .. }) => complaints,
        other => panic!("{other:?}"),
    }
}

const HEAD: &str = "PathFileType\t4\t(X/Y/Z)\ta.trc\nDataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\t\
                    OrigDataStartFrame\tOrigNumFrames\n100\t100\t2\t2\tmm\t100\t1\t2\n";

#[test]
fn a_plain_marker_file_is_read() {
    let text = format!(
        "{HEAD}Frame#\tTime\tA\t\t\tB\n\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n\n1\t0\t1\t2\t3\t4\t5\t6\n2\t0.01\t1\t2\t3\t4\t5\t7\n"
    );
    let read = trc(&text).unwrap();
    assert_eq!(read.markers, ["A", "B"]);
    assert_eq!((read.data_rate, read.units.as_deref()), (Some(100.0), Some("mm")));
    assert_eq!(read.position(1, 1), [4.0, 5.0, 7.0]);
    assert!(read.remarks.is_empty());
}

#[test]
fn dialects_of_marker_files_say_the_same() {
    let rows = "1\t0\t1\t2\t3\t4\t5\t6\n2\t0.01\t1\t2\t3\t4\t5\t7\n";
    let plain = trc(&format!("{HEAD}Frame#\tTime\tA\t\t\tB\n\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n\n{rows}")).unwrap();
    let seven = HEAD.replace("\tOrigNumFrames", "").replace("100\t1\t2\n", "100\t1\n");
    let spaced = rows.replace('\t', "    ");
    let variants = [
        (
            "line ends of Windows",
            format!("{HEAD}Frame#\tTime\tA\t\t\tB\n\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n\n{rows}")
                .replace('\n', "\r\n"),
        ),
        (
            "a byte order mark",
            format!("\u{feff}{HEAD}Frame#\tTime\tA\t\t\tB\n\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n{rows}"),
        ),
        (
            "seven keys",
            format!("{seven}Frame#\tTime\tA\t\t\tB\t\t\t\n\t\tX1\tY1\tZ1\tX2\tY2\tZ2\t\n\n{rows}"),
        ),
        (
            "labels that begin elsewhere",
            format!("{HEAD}Frame#\tTime\tA\t\t\tB\n\t\tX12\tY12\tZ12\tX13\tY13\tZ13\n\n{rows}"),
        ),
        ("no labels", format!("{HEAD}Frame#\tTime\tA\t\t\tB\n{rows}")),
        (
            "padded labels",
            format!(
                "{HEAD}  Frame#\t  Time\t     A\t\t\t   B  \n\t\t  X1\t  Y1\t Z1\t X2\t Y2\t Z2\n\n{}",
                rows.replace('\t', "\t   ")
            ),
        ),
        ("doubled tabs", format!("{HEAD}Frame#\t\tTime\t\tA\t\t\tB\n\n{}", rows.replace('\t', "\t\t"))),
        ("blanks", format!("{}Frame# Time A B\n X1 Y1 Z1 X2 Y2 Z2\n{spaced}", HEAD.replace('\t', " "))),
        (
            "tabs at the ends",
            format!(
                "{HEAD}Frame#\tTime\tA\t\t\tB\t\t\t\n\t\tX1\tY1\tZ1\tX2\tY2\tZ2\t\n\n{}",
                rows.replace('\n', "\t\n")
            ),
        ),
        ("decimal commas", format!("{HEAD}Frame#\tTime\tA\t\t\tB\n{}", rows.replace("0.01", "0,01"))),
    ];
    for (what, text) in variants {
        let read = trc(&text).unwrap_or_else(|e| panic!("{what}: {e}"));
        assert_eq!(read.markers, plain.markers, "{what}");
        assert_eq!((&read.times, &read.positions), (&plain.times, &plain.positions), "{what}");
        assert_eq!((read.data_rate, &read.units), (plain.data_rate, &plain.units), "{what}");
    }
}

#[test]
fn missing_values_are_blank_or_a_word_wherever_they_stand() {
    for gap in ["\t\t\t", "\tNaN\tnan\t-nan", "\t1.#QNAN\t-1.#IND\t", "\t \t  \t"] {
        let rows =
            format!("1\t0{gap}\t4\t5\t6\n2\t0.01\t1\t2\t3{}\n", if gap == "\t\t\t" { "" } else { gap });
        let read =
            trc(&format!("{HEAD}Frame#\tTime\t*60\t\t\tB\n\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n\n{rows}")).unwrap();
        assert_eq!(read.markers[0], "*60");
        assert!(read.position(0, 0).iter().all(|v| v.is_nan()), "{gap:?}");
        assert_eq!(read.position(0, 1), [4.0, 5.0, 6.0], "{gap:?}");
        assert!(read.position(1, 1).iter().all(|v| v.is_nan()), "{gap:?}");
    }
    let doubled = "1\t\t0\t\t\t\t\t\t\t\t4\t\t5\t\t6\n";
    let read = trc(&format!("{HEAD}Frame#\tTime\tA\t\t\tB\n{doubled}")).unwrap();
    assert_eq!(read.position(0, 1), [4.0, 5.0, 6.0]);
}

#[test]
fn wrong_counts_and_doubled_names_are_remarked() {
    let rows = "1\t0\t1\t2\t3\t4\t5\t6\n";
    let read = trc(&format!("{HEAD}Frame#\tTime\tA\t\t\tA\n{rows}")).unwrap();
    assert_eq!(read.markers, ["A", "A_2"]);
    assert_eq!(read.remarks.len(), 2, "{:?}", read.remarks);
    let head = HEAD.replace("\t2\tmm", "\t17\tmm");
    let read = trc(&format!("{head}Frame#\tTime\tA\t\t\tB\n{rows}")).unwrap();
    assert!(read.remarks.iter().any(|r| r.contains("NumMarkers is 17")), "{:?}", read.remarks);
}

#[test]
fn a_damaged_marker_file_is_told_all_its_places() {
    let rows = "1\t0\t1\tx2\t3\t4\t5\t6\n2\t0.01\t1\t2\t3\t4\t5\t6\t7\n3\t0.005\t1\t2\t3\t4\t5\t6\n4\t\t1\t2\t3\t4\t5\t1e999\n";
    let found = complaints(trc(&format!("{HEAD}Frame#\tTime\tA\t\t\tB\n\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n{rows}")));
    let places: Vec<(usize, usize)> = found.iter().map(|c| (c.line, c.column)).collect();
    assert_eq!(places, [(6, 7), (7, 20), (9, 14), (9, 3)], "{found:?}");
    assert!(found[0].message.contains("A y: \"x2\""), "{found:?}");
    assert!(found[1].message.contains("9 values where 8"), "{found:?}");
    let cut = format!("{HEAD}Frame#\tTime\tA\t\t\tB\n1\t0\t1\t2\t3\t4\t5\t6\n2\t0.01\t1\t2");
    assert_eq!(complaints(trc(&cut))[0].line, 6);
    let many = "1\tx\t1\t2\t3\t4\t5\t6\n".repeat(50);
    match trc(&format!("{HEAD}Frame#\tTime\tA\t\t\tB\n{many}")) {
        Err(GaitError::Damaged { complaints, more, .. }) => {
            assert_eq!((complaints.len(), more), (MAX_COMPLAINTS, 30))
        }
        other => panic!("{other:?}"),
    }
    for text in ["", "hello", "PathFileType\t4\n", HEAD, "PathFileType\nFrame#\tTime\n1\t0\n", "\0\0\0"] {
        assert!(!complaints(trc(text)).is_empty(), "{text:?}");
    }
}

#[test]
fn tables_with_headers_of_opensim_and_simm_say_the_same() {
    let body = "time\ta\tb\n0\t1\t2\n0.5\t3\t4\n";
    let variants = [
        format!("name\nversion=1\nnRows=2\nnColumns=3\ninDegrees=yes\nendheader\n{body}"),
        format!("name x.mot\ndatacolumns 3\ndatarows 2\nrange 0 0.5\nendheader\n{body}"),
        format!(
            "name\t\t\nversion=1\t\t\nnRows=2\t\t\ndatacolumns 3\t\t\n\nUnits are S.I.\nendheader\t\t\n{body}"
        ),
        format!("DataType=double\nversion=3\nOpenSimVersion=4.1\nendheader\n{body}"),
        format!("name\r\nendheader\r\n{}", body.replace('\n', "\r\n")),
        format!("name\nendheader\n{}", body.replace('\t', "   ")),
        format!("name\nendheader\n{}", body.replace('\t', "\t     ")),
        format!("name\nendheader\n{}", body.replace('\t', "\t\t")),
        body.to_owned(),
    ];
    for text in variants {
        let read = table(&text).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(read.labels, ["time", "a", "b"], "{text}");
        assert_eq!(read.values, [0.0, 1.0, 2.0, 0.5, 3.0, 4.0], "{text}");
    }
}

#[test]
fn columns_of_several_numbers_become_columns_of_one() {
    let text = "DataType=Vec3\nversion=3\nendheader\ntime\tf1\tp1\n0\t1,2,3\t4,5,6\n1\tnan,nan,nan\t7,8,9\n";
    let read = table(text).unwrap();
    assert_eq!(read.labels, ["time", "f1_1", "f1_2", "f1_3", "p1_1", "p1_2", "p1_3"]);
    assert_eq!(read.row(0), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    assert!(read.row(1)[2].is_nan());
    let found = complaints(table("DataType=Vec3\nendheader\ntime\tf1\n0\t1,2\n"));
    assert_eq!((found[0].line, found[0].column), (4, 3));
}

#[test]
fn a_damaged_table_is_told_its_places() {
    let found = complaints(table("a\nendheader\ntime\tb\n0\tone\n1\t2\t3\n1\t4\n0.5\t5\n"));
    let places: Vec<(usize, usize)> = found.iter().map(|c| (c.line, c.column)).collect();
    assert_eq!(places, [(4, 3), (5, 5), (7, 1)], "{found:?}");
    for text in ["", "a\nb\n", "a\nendheader\n", "a\nendheader\ntime\tb\n", "a\nendheader\nb\ttime\n0\t1\n"] {
        assert!(!complaints(table(text)).is_empty(), "{text:?}");
    }
}

#[test]
fn what_is_written_reads_back_to_the_same_bits() {
    let folder = scratch("written");
    let values = [0.0, 0.1, -1.0 / 3.0, 1e-300, f64::MAX, 5e-324, -0.0, 123_456_789.123_456_78, f64::NAN];
    let mut table = Storage::new("forces", ["time", "a", "b"].map(str::to_owned).to_vec());
    for (i, value) in values.iter().enumerate() {
        table.values.extend([i as f64 / 3.0, *value, -value]);
    }
    let path = folder.join("a.mot");
    write_storage(&table, &path).unwrap();
    let read = read_storage(&path).unwrap();
    let bits =
        |t: &Storage| t.values.iter().map(|v| if v.is_nan() { 0 } else { v.to_bits() }).collect::<Vec<_>>();
    assert_eq!((bits(&read), &read.labels, read.remarks.len()), (bits(&table), &table.labels, 0));
    table.labels[1] = "a b".to_owned();
    assert!(matches!(write_storage(&table, &path), Err(GaitError::Write { .. })));
    let mut short = trc(&format!("{HEAD}Frame#\tTime\tA\n1\t0\t1\t2\t3\n2\t0.02\t1\t\t3\n")).unwrap();
    short.data_rate = None;
    short.camera_rate = None;
    write_trc(&short, &folder.join("b.trc")).unwrap();
    let read = read_trc(&folder.join("b.trc")).unwrap();
    assert_eq!((read.data_rate, read.position(1, 0)[2]), (Some(50.0), 3.0));
    assert!(read.position(1, 0)[1].is_nan());
    short.positions.pop();
    assert!(matches!(write_trc(&short, &path), Err(GaitError::Write { .. })));
    let Some((walk, _)) = raw() else { return };
    let path = folder.join("a.trc");
    write_trc(&walk, &path).unwrap();
    let read = read_trc(&path).unwrap();
    assert_eq!((&read.positions, &read.times, &read.markers), (&walk.positions, &walk.times, &walk.markers));
    assert_eq!((read.data_rate, &read.units, &read.frames), (walk.data_rate, &walk.units, &walk.frames));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn mutated_files_give_numbers_or_complaints_and_never_a_panic() {
    let plain = format!(
        "{HEAD}Frame#\tTime\tA\t\t\tB\n\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n\n1\t0\t1\t2\t3\t4\t5\t6\n2\t0.01\t1\t2\t3\t4\t5\t7\n"
    );
    let forces =
        "a\nversion=1\nnRows=2\nDataType=Vec3\nendheader\ntime\tf1\tp1\n0\t1,2,3\t4,5,6\n1\t1,2,3\t7,8,9\n";
    let pieces = [
        "\t",
        "\n",
        "\r",
        " ",
        "é",
        "NaN",
        "-",
        ",",
        "endheader",
        "Frame#",
        "Time",
        "time",
        "X1",
        "=",
        "1e400",
        "\0",
        "7",
    ];
    let mut state = stream(5, 0);
    for _ in 0..4000 {
        for text in [plain.as_str(), forces] {
            let mut letters: Vec<char> = text.chars().collect();
            for _ in 0..=below(&mut state, 5) {
                let at = below(&mut state, letters.len());
                let end = (at + below(&mut state, 6)).min(letters.len());
                let piece = pieces[below(&mut state, pieces.len())];
                letters.splice(at..end, piece.chars());
            }
            let text: String = letters.into_iter().collect();
            if let Ok(read) = trc(&text) {
                assert_eq!(read.positions.len(), read.times.len() * read.markers.len());
                assert!(read.times.iter().all(|t| t.is_finite()));
            }
            if let Ok(read) = table(&text) {
                assert_eq!(read.values.len(), read.rows() * read.labels.len());
                assert!(read.times().iter().all(|t| t.is_finite()));
            }
        }
    }
}
