//! The papers and their errata as the book has them, against the lists of the studies.

use super::{compare, root};
use rattleback_studies::errata::Erratum;
use rattleback_studies::paper::{ITEMS, Paper, Place};

/// A cell of a table of Markdown.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

#[test]
fn the_book_lists_every_figure_and_table_of_the_papers_with_its_place() {
    let mut made = String::new();
    for paper in Paper::ALL {
        made += &format!("## {}\n\n| in the paper | what it shows | ours |\n|---|---|---|\n", paper.title());
        for item in ITEMS.iter().filter(|item| item.paper == paper) {
            let place = |place: &Place| match place {
                Place::Study(study, part) => format!("`study {study}`, {part}"),
                Place::Section(name) => format!("section `{name}`"),
            };
            let places: Vec<String> = item.places.iter().map(place).collect();
            let ours = if places.is_empty() { "missing".to_owned() } else { places.join("; ") };
            made += &format!("| {} | {} | {} |\n", item.name, cell(item.shows), cell(&ours));
        }
        made += "\n";
    }
    compare("papers.md", "papers", made.trim_end());
}

/// The file and the function that check an erratum, from the source itself.
fn check_of(erratum: &Erratum) -> (String, String) {
    let folder = root().join("crates/studies/src/errata");
    for file in ["lopes", "roemer", "roemer_case", "roemer_angles", "kry_pai", "dopico", "marques"] {
        let source = std::fs::read_to_string(folder.join(format!("{file}.rs"))).unwrap();
        let mut entries = source.split("    Erratum {").skip(1);
        let of = |entry: &&str| {
            entry.contains(&format!("paper: Paper::{:?},", erratum.paper))
                && entry.contains(&format!("equation: \"{}\",", erratum.equation))
        };
        if let Some(entry) = entries.find(of) {
            let check = entry.split("check: ").nth(1).unwrap().split(',').next().unwrap();
            assert!(source.contains(&format!("fn {check}(")), "{file}.rs has no {check}");
            return (format!("{file}.rs"), check.to_owned());
        }
    }
    panic!("no source has {:?} {}", erratum.paper, erratum.equation);
}

#[test]
fn the_book_has_every_erratum_with_the_check_that_shows_it() {
    let mut made = String::new();
    for paper in Paper::ALL {
        made += &format!(
            "## {}\n\n| where | printed | right | compared | check |\n|---|---|---|---|---|\n",
            paper.title()
        );
        for erratum in Erratum::all().filter(|erratum| erratum.paper == paper) {
            let [place, printed, right, measured] =
                [erratum.equation, erratum.printed, erratum.right, erratum.measured].map(cell);
            let (file, check) = check_of(erratum);
            made += &format!("| {place} | {printed} | {right} | {measured} | `{check}` in `{file}` |\n");
        }
        made += "\n";
    }
    compare("errata.md", "errata", made.trim_end());
}
