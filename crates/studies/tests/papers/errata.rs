//! The sheet of errata: what is printed fails, what is right holds.

use rattleback_studies::errata::{CASES, Erratum};
use rattleback_studies::paper::Paper;

#[test]
fn every_printed_formula_fails_and_every_right_one_holds() {
    for erratum in Erratum::all() {
        let measured = erratum.measure().unwrap();
        let name = format!("{:?} {}: {measured:?}", erratum.paper, erratum.equation);
        assert!(measured.holds(), "{name}");
        // Table 1 has as many right rows as wrong ones; everything else is wrong in nearly all cases.
        assert!(measured.wrong > CASES / 3 && measured.printed > 1e-2, "{name}");
    }
}

#[test]
fn every_paper_is_on_the_sheet_and_no_place_stands_there_twice() {
    let places: Vec<_> = Erratum::all().map(|erratum| (erratum.paper, erratum.equation)).collect();
    for paper in Paper::ALL {
        assert!(places.iter().any(|(of, _)| *of == paper), "{paper:?}");
    }
    for (k, place) in places.iter().enumerate() {
        assert!(!places[..k].contains(place), "{place:?}");
    }
    for named in ["(39)", "(44)", "(46)"] {
        assert!(places.contains(&(Paper::Marques, named)), "{named}");
    }
}
