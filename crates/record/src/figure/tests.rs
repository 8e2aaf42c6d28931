#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::*;

fn sample(logarithmic: bool, low: f64) -> Figure {
    let axis = |label: &str, range, logarithmic| Axis { label: label.to_owned(), range, logarithmic };
    Figure {
        title: "Gap <over> time".to_owned(),
        x: axis("time in s", [low, 100.0], logarithmic),
        y: axis("gap in m", [0.1, 2.0], logarithmic),
        series: vec![Series {
            name: "ours & theirs".to_owned(),
            points: vec![[1.0, 0.5], [100.0, 1.5]],
            dashed: logarithmic,
        }],
    }
}

#[test]
fn a_figure_has_its_labels_its_legend_and_its_curves() {
    for logarithmic in [false, true] {
        let svg = sample(logarithmic, 1.0).to_svg().unwrap();
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{svg}");
        for text in ["Gap &lt;over&gt; time", "time in s", "gap in m", "ours &amp; theirs", "<polyline"] {
            assert!(svg.contains(text), "{text} is missing: {svg}");
        }
    }
}

#[test]
fn axes_that_cannot_be_drawn_are_refused_by_name() {
    for figure in
        [sample(true, 0.0), sample(false, 100.0), sample(false, f64::NAN), sample(false, -f64::MAX * 2.0)]
    {
        let message = figure.to_svg().unwrap_err().to_string();
        assert!(message.contains("the axis \"time in s\" cannot go from"), "{message}");
        assert!(figure.to_png().is_err());
    }
}

/// Width, height and pixels of a PNG file.
fn decoded(bytes: &[u8]) -> (u32, u32, Vec<u8>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    (info.width, info.height, pixels)
}

#[test]
fn a_png_shows_the_curve_in_its_colour_where_it_is() {
    let mut figure = sample(false, 0.0);
    figure.series[0].points = vec![[0.0, 1.05], [100.0, 1.05]];
    let (width, height, pixels) = decoded(&figure.to_png().unwrap());
    assert_eq!((width, height), (WIDTH, HEIGHT));
    let blue: Vec<usize> =
        (0..pixels.len() / 3).filter(|k| pixels[3 * k..3 * k + 3] == [0, 114, 178]).collect();
    let layout = figure.layout().unwrap();
    let (left, right) = ((layout.left + MARGIN) as usize, (WIDTH - layout.legend - BETWEEN) as usize);
    let row: Vec<usize> = blue.iter().copied().filter(|k| k % WIDTH as usize <= right).collect();
    let columns = row.iter().map(|k| k % WIDTH as usize);
    assert!(
        columns.clone().min().unwrap().abs_diff(left) <= 2 && columns.max().unwrap().abs_diff(right) <= 2
    );
    let rows: Vec<usize> = row.iter().map(|k| k / WIDTH as usize).collect();
    assert!(rows.iter().max().unwrap() - rows.iter().min().unwrap() <= 2, "the line is not level");
}

#[test]
fn long_texts_and_many_curves_stay_inside_the_picture() {
    let mut figure = sample(false, 0.0);
    figure.title = "A title that goes on and on ".repeat(8);
    figure.y =
        Axis { label: "a label without end ".repeat(9), range: [1e9 + 1.0, 1e9 + 2.0], logarithmic: false };
    figure.series = (0..30)
        .map(|k| Series {
            name: format!("curve {k} {}", "long ".repeat(k)),
            points: vec![[0.0, 1e9 + 1.5]],
            dashed: false,
        })
        .collect();
    let (width, height, pixels) = decoded(&figure.to_png().unwrap());
    let white = |x: u32, y: u32| pixels[3 * (y * width + x) as usize..][..3] == [255; 3];
    let border = (0..width).flat_map(|x| [(x, 0), (x, height - 1)]);
    let sides = (0..height).flat_map(|y| [(0, y), (width - 1, y)]);
    assert!(border.chain(sides).all(|(x, y)| white(x, y)));
    assert!(height > HEIGHT);
}

#[test]
fn colours_that_come_again_are_dashed() {
    let mut figure = sample(false, 0.0);
    let series = |name: &str| Series { name: name.to_owned(), points: Vec::new(), dashed: false };
    figure.series = (0..30).map(|k| series(&k.to_string())).collect();
    let styles: Vec<_> = figure.styled().map(|s| (s.colour.rgb(), s.dashes)).collect();
    for (k, style) in styles.iter().enumerate().take(28) {
        assert!(!styles[..k].contains(style), "curve {k} looks like one before it");
    }
}

#[test]
fn curves_have_gaps_where_numbers_are_missing_and_end_at_the_border() {
    let axis = |range| Axis { label: String::new(), range, logarithmic: false };
    let [x, y] = [[0.0, 10.0], [0.0, 1.0]].map(|range| Scale::new(&axis(range), 500, 13, false));
    let nan = f64::NAN;
    let points = [[0.0, 0.5], [1.0, 0.5], [2.0, nan], [3.0, 0.5], [4.0, 0.5], [5.0, nan], [6.0, 0.2]];
    let found = pieces(&points, &x, &y);
    assert_eq!(found.len(), 2);
    assert_eq!(found[0], vec![(0.0, 0.5), (1.0, 0.5)]);
    assert_eq!(lone(&points, &x, &y), [(6.0, 0.2)]);
    assert!(!is_scattered(&points) && is_scattered(&points[5..]) && !is_scattered(&[]));
    assert!(lone(&[[11.0, 0.5], [nan, nan], [3.0, -0.1]], &x, &y).is_empty());
    let found = pieces(&[[0.0, 0.0], [2.0, 2.0], [4.0, 0.0]], &x, &y);
    assert_eq!(found.iter().map(Vec::len).collect::<Vec<_>>(), [2, 2]);
    assert!((found[0][1].0 - 1.0).abs() < 1e-12 && (found[1][0].0 - 3.0).abs() < 1e-12, "{found:?}");
}

#[test]
fn marks_are_drawn_where_they_are_and_in_the_legend() {
    let mut figure = sample(false, 0.0);
    figure.series = vec![Series::marks("marks", [[20.0, 0.5], [80.0, 1.5], [200.0, 1.0]])];
    let svg = figure.to_svg().unwrap();
    // Two of the three are inside, and one stands beside the name.
    assert_eq!(svg.matches("<polygon").count(), 3, "{svg}");
    let (width, height, pixels) = decoded(&figure.to_png().unwrap());
    let layout = figure.layout().unwrap();
    let inner = f64::from(width - layout.legend - layout.left - MARGIN - BETWEEN);
    let tall = f64::from(height - BELOW - 2 * MARGIN - HEAD);
    for [x, y] in [[20.0, 0.5], [80.0, 1.5]] {
        let column = f64::from(layout.left + MARGIN) + inner * layout.x.place(x);
        let row = f64::from(MARGIN + HEAD) + tall * (1.0 - layout.y.place(y));
        let at = 3 * (row.round() as usize * width as usize + column.round() as usize);
        assert_eq!(pixels[at..at + 3], [0, 114, 178], "{x} {y}");
    }
}
