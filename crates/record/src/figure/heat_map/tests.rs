//! Maps: every cell in its colour, and what cannot be drawn.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::*;

fn steps(label: &str, count: usize) -> Steps {
    Steps { label: label.to_owned(), values: (0..count).map(|k| k.to_string()).collect() }
}

fn map(panels: usize, columns: usize, rows: usize) -> HeatMap {
    let cells = |p: usize| (0..columns * rows).map(|k| (p + k) as f64).collect();
    HeatMap {
        title: "A map".to_owned(),
        x: steps("friction", columns),
        y: steps("angle", rows),
        panels: (0..panels).map(|p| Panel { title: format!("panel {p}"), cells: cells(p) }).collect(),
        range: [0.0, 10.0],
        label: "reversals".to_owned(),
    }
}

#[test]
fn every_cell_and_every_panel_is_drawn_with_the_colour_of_its_value() {
    let mut map = map(3, 4, 5);
    map.panels[1].cells[7] = f64::NAN;
    let svg = map.to_svg().unwrap();
    // Cells, the steps of the scale, the sample of no value, the background; outlines are not filled.
    let filled = svg.matches("<rect").count() - svg.matches("fill=\"none\"").count();
    assert_eq!(filled, 3 * 20 + STEPS as usize + 1 + 1, "{svg:.600}");
    assert!(svg.contains("panel 2") && svg.contains("no value") && svg.contains("reversals"));
    assert_eq!(svg.matches("#CDCDCD").count(), 2);
    assert_eq!(&map.to_png().unwrap()[1..4], b"PNG");
}

#[test]
fn colours_run_from_the_lower_to_the_upper_end_and_stay_there() {
    let map = map(1, 2, 2);
    let [first, last] = [COLOURS[0], COLOURS[8]].map(|[r, g, b]| Some(RGBColor(r, g, b)));
    assert_eq!([map.colour(0.0), map.colour(-5.0)], [first, first]);
    assert_eq!([map.colour(10.0), map.colour(f64::INFINITY)], [last, last]);
    let light = |v: f64| map.colour(v).map(|c| u32::from(c.0) + 3 * u32::from(c.1)).unwrap();
    assert!((0..10).all(|k| light(f64::from(k)) < light(f64::from(k + 1))));
    assert_eq!(map.colour(f64::NAN), None);
}

#[test]
fn maps_that_cannot_be_drawn_are_refused() {
    let mut none = map(1, 2, 2);
    none.range = [1.0, 1.0];
    let mut short = map(1, 2, 2);
    short.panels[0].cells.pop();
    for (wrong, reason) in
        [(none, "cannot go from"), (short, "3 cells; expected 4"), (map(1, 0, 2), "no cells")]
    {
        assert!(wrong.to_svg().unwrap_err().to_string().contains(reason));
    }
    assert!(map(1, 2000, 2).to_svg().is_err());
}

#[test]
fn numbers_in_cells_are_short() {
    let texts = [0.0, -0.0, 0.5, 12.345, 1234.5, -0.001].map(number);
    assert_eq!(texts, ["0", "0", "0.5", "12.3", "1234", "0"].map(str::to_owned));
}

#[test]
fn numbers_have_three_digits_and_no_zeros_at_their_ends() {
    let told = [
        (0.0, "0"),
        (-0.001, "0"),
        (0.5, "0.5"),
        (9.994, "9.99"),
        (9.996, "10"),
        (12.34, "12.3"),
        (-19.21, "-19.2"),
        (99.96, "100"),
        (100.4, "100"),
        (1234.5, "1234"),
        (f64::INFINITY, "∞"),
    ];
    for (value, text) in told {
        assert_eq!(number(value), text, "{value}");
    }
}
