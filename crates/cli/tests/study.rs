//! `rattleback study`, run as a user runs it.

use crate::command::rattleback;
use std::path::{Path, PathBuf};
use std::process::Output;

fn run(arguments: &[&str]) -> Output {
    rattleback(Path::new("."), &[&["study"], arguments].concat())
}

fn text(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// A folder of the test's own that does not exist yet.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("study").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

/// The cells of the rows that begin with a word.
fn rows<'a>(text: &'a str, first: &str) -> Vec<Vec<&'a str>> {
    let rows = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    rows.filter(|row| row.first() == Some(&first)).collect()
}

fn assert_figures(folder: &Path, count: usize, axis: &str) {
    let page = std::fs::read_to_string(folder.join("index.html")).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.contains("<table"));
    assert_eq!(page.matches("<svg").count(), count);
    let mut found = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "svg") {
            let svg = std::fs::read_to_string(&path).unwrap();
            assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{path:?}");
            assert!(svg.contains("<polyline") && svg.contains(axis), "{path:?}");
            found += 1;
        }
    }
    assert_eq!(found, count);
}

#[test]
fn lopes_prints_both_frames_of_all_seven_pairs_beside_the_paper() {
    let folder = folder("lopes");
    let text = text(&["lopes", "--plot", "-o", folder.to_str().unwrap()]);
    assert!(text.contains("Table 5: ellipsoids") && text.contains("Table 6: superellipsoids"), "{text}");
    for frame in ["Householder", "auxiliary"] {
        assert_eq!(
            text.lines().filter(|line| line.contains(frame) && line.contains('×')).count(),
            7,
            "{text}"
        );
    }
    for total in ["989", "983", "853", "802", "977", "1005", "956", "1007", "1085", "1632", "1074"] {
        assert!(text.contains(total), "the paper's {total} is missing: {text}");
    }
    assert!(text.contains(folder.join("index.html").to_str().unwrap()), "{text}");
    assert_figures(&folder, 9, "");
    // A sphere beside its mirror images, and two ellipsoids that have none.
    let count = |row: &str| {
        let line = text.lines().find(|line| line.starts_with(row)).unwrap();
        let cells: Vec<&str> = line.split("  ").filter(|cell| !cell.is_empty()).collect();
        [1, 2, 3].map(|k| cells[k].trim().parse::<u32>().unwrap())
    };
    let [aligned, turned, general] = ["A: sphere", "B: sphere", "C: two"].map(count);
    assert!(aligned[0] >= 4 && turned[0] >= 2 && general[0] > 4, "{text}");
    assert!(aligned[2] == 3 && turned[2] >= 1 && general[2] == 0, "{text}");
    for (words, state) in
        [("no contact", "apart"), ("at a single point", "touching"), ("with pseudo", "overlapping")]
    {
        assert!(text.lines().any(|line| line.starts_with(words) && line.contains(state)), "{text}");
    }
    for name in ["fig-1", "fig-4", "fig-6", "fig-7", "table-2", "table-3", "table-4"] {
        assert!(std::fs::read(folder.join(format!("{name}.png"))).unwrap().starts_with(b"\x89PNG"), "{name}");
    }
}

#[test]
fn a_sphere_of_triangles_in_a_box_has_the_contour_of_a_circle() {
    let folder = folder("dopico");
    let text = text(&["dopico", "-o", folder.to_str().unwrap()]);
    // Chord, triangles, pairs, points, area, indentation, centroid, tilt.
    for (chord, off) in [("3e-2", 0.15), ("1e-2", 0.06), ("1e-3", 6e-3), ("1e-4", 6e-4)] {
        let row = &rows(&text, chord)[0];
        let number = |k: usize| row[k].parse::<f64>().unwrap();
        assert!((number(4) - 1.0).abs() < off && (number(5) - 1.0).abs() < off, "{text}");
        assert!(number(6) < 0.1 * off && number(7) < 1e-6, "{text}");
        assert_eq!(row[2], row[3], "a contour has a segment per pair: {text}");
    }
    // Between equal spheres the paper's indentation is half of the overlap.
    let printed = rows(&text, "two");
    assert!(printed.len() == 2 && text.contains("the paper's equations"), "{text}");
    for name in ["fig-1.png", "fig-2.png", "fig-3.svg", "fig-4.png", "fig-5.png"] {
        assert!(folder.join(name).is_file(), "{name}");
    }
}

#[test]
fn errata_have_a_row_each_with_the_printed_one_off_and_the_right_one_not() {
    let folder = folder("errata");
    let text = text(&["errata", "-o", folder.to_str().unwrap()]);
    assert!(text.contains("45 errata; every check tells the printed formula from the right one."), "{text}");
    let (dot, sign) = (&rows(&text, "(39)")[0], &rows(&text, "(46)")[0]);
    for row in [dot, sign] {
        let [printed, right] = [2, 1].map(|k| row[row.len() - k].parse::<f64>().unwrap());
        assert!(printed > 0.1 && right < 1e-7, "{row:?}");
    }
    assert!(std::fs::read_to_string(folder.join("index.html")).unwrap().matches("<table").count() == 5);
}

#[test]
fn restitution_is_what_the_exact_relation_says_for_every_law() {
    let folder = folder("restitution");
    let text = text(&["restitution", "--plot", "-o", folder.to_str().unwrap()]);
    let half = &rows(&text, "0.50")[0];
    let names = &rows(&text, "asked")[0];
    for (name, expected) in [("hertz", 1.0), ("exact", 0.5), ("linear", 0.5)] {
        let column = names.iter().position(|n| *n == name).unwrap();
        assert!((half[column].parse::<f64>().unwrap() - expected).abs() < 1e-6, "{text}");
    }
    let laws =
        ["hertz", "hunt-crossley", "lankarani-nikravesh", "gonthier", "flores", "hu-guo", "exact", "linear"];
    for law in laws {
        assert!(rows(&text, law)[0][1].parse::<f64>().unwrap() < 1e-8, "{law}: {text}");
    }
    assert_figures(&folder, 1, "restitution obtained");
}

#[test]
fn the_box_closes_its_books_and_compares_tolerances() {
    let folder = folder("box");
    let text = text(&["box", "--duration", "0.5", "-o", folder.to_str().unwrap()]);
    // The ninth row is the end: what is mechanical, damped and lost to friction adds up to the start but for "change of
    // stiffness".
    let numbers = |row: &[&str]| row.iter().map(|x| x.parse::<f64>().unwrap()).collect::<Vec<_>>();
    let (first, last) = (numbers(&rows(&text, "0.00")[0]), numbers(&rows(&text, "0.50")[0]));
    assert!((first[4] - 2962.295).abs() < 2e-3, "{text}");
    assert!(last[5] > 100.0 && last[6] > 100.0, "{text}");
    assert!((last[4] + last[5] + last[6] - last[7] - first[4]).abs() < 5e-3, "{text}");
    assert_eq!(rows(&text, "1e-7")[0][1], "1e-9", "{text}");
    assert_figures(&folder, 2, "time in s");
    // The paper's circle in place of the ellipse bears no other contacts so soon.
    let contacts = &rows(&text, "contacts")[0];
    assert_eq!(contacts[1], contacts[2], "{text}");
    assert!(std::fs::read(folder.join("fig-9.png")).unwrap().starts_with(b"\x89PNG"));
    for wrong in ["0", "-1", "NaN"] {
        let output = run(&["box", &format!("--duration={wrong}")]);
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(1) && message.starts_with("error: duration = "), "{message}");
    }
}

#[test]
fn the_tests_of_marques_behave_as_the_paper_says() {
    let folder = folder("marques");
    let text = text(&["marques", "-o", folder.to_str().unwrap()]);
    let number = |row: &[&str], k: usize| row[k].parse::<f64>().unwrap();
    let exact = &rows(&text, "exact")[0];
    assert!((number(exact, 2) - 0.7).abs() < 5e-4, "{text}");
    // Balls, restitution, law, energy left, ledger, height of the last one; two balls under two laws.
    let (two, five) = (rows(&text, "2"), rows(&text, "5"));
    assert_eq!([two.len(), five.len()], [4, 2], "{text}");
    for elastic in &two[..2] {
        assert!(number(elastic, 3) > 0.999 && number(elastic, 5) > 0.999, "{text}");
    }
    assert!((number(&two[2], 3) - 0.5).abs() < 0.03 && (number(&five[1], 3) - 0.2).abs() < 0.05, "{text}");
    // The last ball rises by ((1 + e)/2)² at the first impact, with e as each law yields it: Flores' yields 0.470.
    for (row, e) in [(&two[2], 0.5f64), (&two[3], 0.470)] {
        assert!((number(row, 5) - (0.5 * (1.0 + e)).powi(2)).abs() < 2e-3, "{text}");
    }
    assert_eq!(rows(&text, "acceleration").len(), 3, "{text}");
    assert!(!text.contains("never"), "{text}");
    assert_figures(&folder, 8, " in ");
    assert_eq!(text.matches("lifts off at, s").count(), 2, "{text}");
}

#[test]
fn kry_and_pai_have_a_bowl_that_does_the_same_whatever_its_steps_and_a_stone_that_turns_back() {
    let folder = folder("kry-pai");
    let sound = folder.join("sound.wav");
    std::fs::create_dir_all(&folder).unwrap();
    let [to, heard] = [&folder, &sound].map(|path| path.to_str().unwrap());
    let text = text(&["kry-pai", "--steps", "16,64", "--evaluations", "50", "-o", to, "--sound", heard]);
    // 12 s of 44.1 kHz, two bytes each.
    let file = std::fs::read(&sound).unwrap();
    assert!(file.starts_with(b"RIFF") && (1_055_000..1_059_000).contains(&file.len()), "{}", file.len());
    for time in ["0.2413", "20.0248", "0.0801"] {
        assert!(text.contains(time), "the paper's {time} is missing: {text}");
    }
    // In the order of the tables: steps and times, what happened, energies.
    let limits = [rows(&text, "16"), rows(&text, "64")];
    let number = |row: &[&str], k: usize| row[k].parse::<f64>().unwrap();
    for (tables, (longest, paper)) in limits.iter().zip([(16e-3, "0.521"), (64e-3, "0.286")]) {
        assert_eq!(tables.len(), 3, "{text}");
        assert_eq!(tables[0][4], paper, "{text}");
        assert!(
            number(&tables[0], 1) >= number(&tables[0], 2) && number(&tables[0], 2) * longest > 2.0,
            "{text}"
        );
        let energy = &tables[2];
        assert!(
            (number(energy, 1) - number(energy, 2) - number(energy, 3) - number(energy, 4)).abs() < 1e-3,
            "{text}"
        );
    }
    assert_eq!(limits[0][1][1..7], limits[1][1][1..7], "{text}");
    // The name, the number of reversals, their times, the energy left.
    let (free, damped) = (&rows(&text, "without")[0], rows(&text, "damped"));
    assert!(free[2] == "3" && free[3].starts_with("8.6") && number(free, 6) == 100.0, "{text}");
    assert!(damped[0][6] == "2" && damped[1][6] == "1" && number(&damped[1], 8) < 0.01, "{text}");
    for printed in ["0.3485", "0.2350", "0.9000"] {
        assert!(text.contains(printed), "the paper's {printed} ms is missing: {text}");
    }
    // Way of stepping, steps in ms, bounces, rolls, end; of the stone when it turns back.
    let fixed = rows(&text, "fixed");
    assert_eq!(fixed.len(), 7, "{text}");
    assert!(fixed[4][3].parse::<f64>().is_ok_and(|time| (time - 8.6).abs() < 0.3), "{text}");
    assert_eq!(fixed[6][3], "never", "{text}");
    // Two trajectories and both in one, two histograms, the first second, the stone, fixed steps, taps, a corner.
    assert_figures(&folder, 10, " in ");
    for name in ["fig-2", "fig-3", "fig-4", "fig-6", "fig-10", "fig-11-frames"] {
        assert!(std::fs::read(folder.join(format!("{name}.png"))).unwrap().starts_with(b"\x89PNG"), "{name}");
    }
    let output = run(&["kry-pai", "--steps=-1", "--evaluations", "1"]);
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(1) && message.starts_with("error: longest step = "), "{message}");
}

#[test]
fn roemer_has_ours_at_a_hundred_percent_with_every_answer_certified_and_none_refuted() {
    let folder = folder("roemer");
    let text = text(&["roemer", "--samples", "600", "--plot", "-o", folder.to_str().unwrap()]);
    let ours = rows(&text, "ours");
    assert_eq!(ours[0][1..], ["100.00", "-", "100.00", "-", "100.00", "-", "100.00", "-"], "{text}");
    assert!(text.contains("Ours: 600 of 600 answers certified, 0 errors."), "{text}");
    assert!(text.contains("in 0 a normal of algorithms I to IV has a lesser depth"), "{text}");
    let three = &rows(&text, "III")[0];
    assert_eq!([three[2], three[4], three[6], three[8]], ["99.9", "99.7", "97.8", "96.4"], "{text}");
    assert!(three[1].parse::<f64>().unwrap() > 98.0, "{text}");
    // One row per accuracy and study, after those of Table 1.
    assert_eq!(rows(&text, "IV").len(), 3 + 2 * 6, "{text}");
    // 7a is not stable, 7b is slow, and (90, 91) accept no less than the nearest where the start is random.
    let [a, b, c] = ["7a", "7b", "7c,"].map(|scheme| rows(&text, scheme)[0].clone());
    let number = |row: &[&str], from_end: usize| row[row.len() - from_end].parse::<f64>().unwrap();
    assert!(number(&a, 2) < number(&b, 2) && number(&b, 2) < number(&c, 2), "{text}");
    assert!(number(&b, 1) > 2.0 * number(&c, 1), "{text}");
    let (solved, accepted) = (&rows(&text, "II")[0], &rows(&text, "II")[1]);
    assert!(number(accepted, 6) >= number(solved, 6), "{text}");
    assert_figures(&folder, 6, "");
}

#[test]
fn a_seed_draws_the_same_pairs_again_and_another_seed_others() {
    let without_time =
        |text: String| text.lines().filter(|line| !line.contains(" took ")).collect::<Vec<_>>().join("\n");
    let of = |seed: &str| without_time(text(&["thin", "--samples", "3000", "--seed", seed]));
    assert_eq!(of("5"), of("5"));
    assert_ne!(of("5").replace("seed 5", ""), of("6").replace("seed 6", ""));
}

#[test]
fn thin_ellipsoids_neither_fail_nor_stay_uncertified() {
    let folder = folder("thin");
    let text = text(&["thin", "--samples", "3000", "-o", folder.to_str().unwrap()]);
    assert_eq!(rows(&text, "failures"), [["failures", "0"]], "{text}");
    assert_eq!(rows(&text, "uncertified"), [["uncertified", "0"]], "{text}");
    assert_eq!(rows(&text, "answers")[0].last(), Some(&"0"), "{text}");
    assert_eq!(rows(&text, "iterations,").len(), 3, "{text}");
    assert_figures(&folder, 1, "iterations");
}

/// The texts between two marks.
fn between<'a>(text: &'a str, open: &str, close: &str) -> Vec<&'a str> {
    text.split(open).skip(1).filter_map(|rest| rest.split_once(close)).map(|(inner, _)| inner).collect()
}

#[test]
fn the_gallery_has_a_section_for_every_scene_and_study_and_its_links_lead_to_files() {
    let folder = folder("gallery");
    let output = run(&["all", "--short", "--json", "-o", folder.to_str().unwrap()]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{said}");
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let items = told["items"].as_array().unwrap();
    let named: Vec<&str> = items.iter().map(|item| item["name"].as_str().unwrap()).collect();
    for name in ["roemer_box", "marques_ball", "squeezer", "heap", "demonstration", "gait"] {
        assert!(named.contains(&name), "{named:?}");
    }
    for study in [
        "lopes",
        "roemer",
        "restitution",
        "marques",
        "box",
        "kry-pai",
        "dopico",
        "errata",
        "thin",
        "benchmark",
        "anchor",
        "atlas",
        "stowage",
    ] {
        assert!(named.contains(&format!("study-{study}").as_str()), "{named:?}");
    }
    assert_eq!(said.lines().count(), items.len(), "{said}");
    let page = std::fs::read_to_string(folder.join("index.html")).unwrap();
    assert!(!page.contains("src=\"http") && !page.contains("<script"), "it asks for more");
    let links = between(&page, "href=\"", "\"");
    // Each item stands in the contents and leads to its own page; what there is of the papers leads to its page, too.
    let count = told["papers"]["figures_and_tables"].as_u64().unwrap() as usize;
    let missing: Vec<&str> =
        told["papers"]["missing"].as_array().unwrap().iter().map(|item| item.as_str().unwrap()).collect();
    let nowhere = page.matches("<td>missing</td>").count();
    assert_eq!(links.len(), 2 * items.len() + count - nowhere, "{links:?}");
    assert!(nowhere <= missing.len(), "{missing:?}");
    for paper in ["Lopes", "Roemer", "Marques"] {
        assert!(!missing.iter().any(|item| item.starts_with(paper)), "{missing:?}");
    }
    for link in links {
        match link.strip_prefix('#') {
            Some(section) => assert!(page.contains(&format!("<h2 id=\"{section}\">")), "{link}"),
            None => {
                // To a page, or to a place on it.
                let (page, place) = link.split_once('#').map_or((link, None), |(page, id)| (page, Some(id)));
                let text = std::fs::read_to_string(folder.join(page)).expect(link);
                assert!(place.is_none_or(|id| text.contains(&format!("id=\"{id}\""))), "{link}");
            }
        }
    }
    let sections: Vec<&str> = page.split("<h2 id=\"").skip(1).collect();
    // The first is that of the papers.
    assert_eq!(sections.len(), items.len() + 1);
    for (section, item) in sections[1..].iter().zip(items) {
        assert!(item["error"].is_null(), "{item}");
        assert!(section.starts_with(item["name"].as_str().unwrap()), "{section:.40}");
        assert!(section.contains("<svg") && section.contains("<table"), "{item}");
        assert_eq!(section.contains("data:image/png"), item["kind"] == "scene", "{item}");
    }
    assert_rows(items);
    let before = std::fs::read(folder.join("index.html")).unwrap();
    let output = run(&["all", "--short", "-o", folder.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(5));
    assert!(String::from_utf8(output.stderr).unwrap().contains("never overwritten"));
    assert_eq!(std::fs::read(folder.join("index.html")).unwrap(), before);
}

/// Short runs say so where they cannot know; the squeezer is short anyway and stands where the test set says.
fn assert_rows(items: &[serde_json::Value]) {
    let rows = |name: &str| {
        let item = items.iter().find(|item| item["name"] == name).unwrap();
        let rows: Vec<[String; 4]> = serde_json::from_value(item["tables"][0]["rows"].clone()).unwrap();
        rows
    };
    for name in ["marques_ball", "pendulum", "heap", "roemer_box", "marques_ellipsoid"] {
        assert!(rows(name).iter().any(|row| row[2] == "not reached"), "{name}");
    }
    for [what, reference, ours, _] in rows("squeezer") {
        let [reference, ours] = [reference, ours].map(|text| text.parse::<f64>().unwrap());
        assert!((reference - ours).abs() < 1e-3, "{what}: {ours} instead of {reference}");
    }
}

#[test]
fn wrong_command_lines_and_folders_are_refused() {
    for arguments in [
        &["roemer", "--samples", "0"][..],
        &["roemer", "--samples", "many"],
        &["kry-pai", "--steps", "few"],
        &["nobody"],
        &[],
    ] {
        assert_eq!(run(arguments).status.code(), Some(2), "{arguments:?}");
    }
    let file = folder("file");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, "").unwrap();
    let output = run(&["lopes", "-o", file.to_str().unwrap()]);
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(5), "{message}");
    assert!(message.starts_with("error: ") && message.contains(file.to_str().unwrap()), "{message}");
    std::fs::remove_file(&file).unwrap();
}

#[test]
fn anchors_are_followed_and_judged() {
    let folder = folder("anchor");
    let text = text(&["anchor", "--cases", "2", "--duration", "40ms", "-o", folder.to_str().unwrap()]);
    assert_eq!(text.matches("steep pipe  across and leaning").count(), 2, "{text}");
    assert!(text.contains("How they ended") && text.contains("hanging"), "{text}");
    assert!(!text.contains("In a seaway"), "nothing is stowed so soon: {text}");
    assert_figures(&folder, 2, "time in s");
    for name in ["steep-pipe-quiet.png", "steep-pipe-across-and-leaning.png"] {
        assert!(std::fs::read(folder.join(name)).unwrap().starts_with(b"\x89PNG"), "{name}");
    }
    let output = run(&["anchor", "no_such_file.toml"]);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn the_benchmark_has_data_its_truth_and_ours_is_right_everywhere() {
    let folder = folder("benchmark");
    let missing = folder.join("nowhere");
    let told = text(&[
        "benchmark",
        "--samples",
        "20",
        "-o",
        folder.to_str().unwrap(),
        "--peers",
        missing.to_str().unwrap(),
    ]);
    assert!(told.contains("Other libraries: ") && told.contains("has no script `measure`"), "{told}");
    let own = rows(&told, "own");
    assert_eq!(own.len(), 5, "{told}");
    for row in &own {
        // Failed, wrong, within 1e-9, 1e-12 and 1e-14 m.
        assert_eq!(row[1..6], ["0.0", "0.0", "100.0", "100.0", "100.0"], "{told}");
    }
    // What has no depth says so, and is not counted as right.
    assert!(rows(&told, "gjk").iter().any(|row| row[1] == "100.0"), "{told}");
    for set in ["apart", "thin", "touching", "overlapping", "SE"] {
        let pairs = folder.join(format!("{set}.jsonl"));
        let answers = rattleback(Path::new("."), &["distance", pairs.to_str().unwrap()]);
        assert!(answers.status.success(), "{}", String::from_utf8_lossy(&answers.stderr));
        let answers = String::from_utf8(answers.stdout).unwrap();
        let truth = std::fs::read_to_string(folder.join(format!("{set}-truth.csv"))).unwrap();
        let numbers = if set == "SE" { 22 } else { 18 };
        let size = std::fs::metadata(folder.join(format!("in/{set}.bin"))).unwrap().len();
        assert_eq!(size, 20 * 8 * numbers);
        assert_eq!((answers.lines().count(), truth.lines().count()), (20, 21));
        for (answer, truth) in answers.lines().zip(truth.lines().skip(1)) {
            let gap = serde_json::from_str::<serde_json::Value>(answer).unwrap()["gap"].as_f64().unwrap();
            let truth: Vec<f64> = truth.split(',').map(|x| x.parse().unwrap()).collect();
            assert!((gap - truth[1]).abs() < 1e-14 && truth[3] < 1e-14, "{set}: {gap} {truth:?}");
        }
    }
    let page = std::fs::read_to_string(folder.join("index.html")).unwrap();
    assert!(page.contains("href=\"apart-truth.csv\""));
}

#[test]
fn a_rattleback_turns_back_where_its_inertia_is_turned_and_not_where_it_is_not() {
    let folder = folder("atlas");
    std::fs::create_dir_all(&folder).unwrap();
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/studies/stone.toml");
    std::fs::copy(scene, folder.join("stone.toml")).unwrap();
    let study = "scene = \"stone.toml\"\noutputs = [\"rattleback.wz_rad_per_s\"]\nduration = \"5 s\"\n[parameters]\n\
                 angle = { values = [\"0 deg\", \"3 deg\"] }\nfriction = { values = [0.8] }\ndamping = { values = [\"0 mm\"] }\n";
    std::fs::write(folder.join("own.toml"), study).unwrap();
    let [own, page] = ["own.toml", "page"].map(|name| folder.join(name).to_str().unwrap().to_owned());
    let output = run(&["atlas", &own, "-o", &page]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let csv = std::fs::read_to_string(folder.join("page/runs.csv")).unwrap();
    let rows: Vec<Vec<&str>> = csv.lines().skip(1).map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 2, "{csv}");
    assert_eq!([rows[0][4], rows[1][4]], ["0.0", "1.0"], "{csv}");
    assert!(rows[0][5] == "NaN" && rows[1][5].parse::<f64>().unwrap() < 2.0, "{csv}");
    for map in ["reversals.svg", "first.svg", "returned.svg"] {
        assert!(folder.join("page").join(map).is_file(), "{map}");
    }
    // Another parameter than those of the map, and a study that misses one.
    std::fs::write(folder.join("own.toml"), study.replace("friction = { values = [0.8] }\n", "")).unwrap();
    let output = run(&["atlas", &own]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("the study varies angle, damping; the map is over angle, friction, damping"),
        "{said}"
    );
}

#[test]
fn a_stowage_map_counts_verdicts_and_takes_up_its_runs() {
    let folder = folder("stowage");
    std::fs::create_dir_all(&folder).unwrap();
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/studies/bow.toml");
    std::fs::copy(scene, folder.join("bow.toml")).unwrap();
    let study = "scene = \"bow.toml\"\noutputs = [\"shank.z_m\"]\nduration = \"50 ms\"\n[parameters]\nhull = { values = [0, 2] }\n\
                 heading = { values = [0] }\nswing = { values = [0] }\nsea = { values = [\"1 m\"] }\nstretch = { values = [0] }\n";
    std::fs::write(folder.join("own.toml"), study).unwrap();
    let [own, page] = ["own.toml", "page"].map(|name| folder.join(name).to_str().unwrap().to_owned());
    for _ in 0..2 {
        let output = run(&["stowage", &own, "-o", &page, "--json"]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let tables: Vec<&serde_json::Value> =
            told["parts"].as_array().unwrap().iter().filter(|part| part["rows"].is_array()).collect();
        // Of one hanging anchor, whatever its hull, none jams: up to z²/(1 + z²) may still do.
        let row = serde_json::json!(["0", "1", "0", "0", "0", "1", "0", "0", "0 to 79 %"]);
        assert_eq!(tables[1]["rows"][0], row);
        assert_eq!(tables[1]["rows"][1][0], "2");
    }
    // The second time no run was made anew.
    let log = std::fs::read_to_string(folder.join("page/runs/rows.jsonl")).unwrap();
    assert_eq!(log.lines().count(), 3, "{log}");
    for file in ["jammed.svg", "stowed.svg", "runs.csv", "index.html"] {
        assert!(folder.join("page").join(file).is_file(), "{file}");
    }
}
