//! Figures: curves over two axes, with a legend beside them, as SVG.

use crate::error::{RecordError, Result};
use plotters::coord::combinators::LogCoord;
use plotters::coord::ranged1d::{Ranged, ValueFormatter};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

/// Width of the whole and of the legend, height, in pixels.
const SIZE: (u32, u32) = (900, 420);
const LEGEND: u32 = 230;
/// Colours that differ for colour-blind readers too (Okabe and Ito 2008).
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
];
const FONT: &str = "sans-serif";
/// Units per pixel: the drawing library rounds to whole units, which would show as steps in smooth curves.
const FINE: u32 = 8;

/// An axis with its label, which names the unit.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// What it shows and in which unit.
    pub label: String,
    /// The ends, the lower one first.
    pub range: [f64; 2],
    /// Whether equal ratios, rather than equal differences, have equal lengths.
    pub logarithmic: bool,
}

/// A curve.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// The points that it joins.
    pub points: Vec<[f64; 2]>,
    /// Dashed and in the colour of the curve before it, for what that one is compared with.
    pub dashed: bool,
}

/// Curves over common axes; the vertical one is linear.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// The line above.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The curves.
    pub series: Vec<Series>,
}

impl Figure {
    /// The figure as an SVG document.
    pub fn to_svg(&self) -> Result<String> {
        self.check()?;
        let mut text = String::new();
        let [low, high] = self.x.range;
        let drawn = if self.x.logarithmic {
            self.draw(&mut text, LogCoord::from((low..high).log_scale()))
        } else {
            self.draw(&mut text, RangedCoordf64::from(low..high))
        };
        drawn.map_err(|reason| self.refused(reason))?;
        let size = |(width, height)| format!("width=\"{width}\" height=\"{height}\"");
        Ok(text.replacen(&size((SIZE.0 * FINE, SIZE.1 * FINE)), &size(SIZE), 1))
    }

    fn refused(&self, reason: String) -> RecordError {
        RecordError::Figure { figure: self.title.clone(), reason }
    }

    fn check(&self) -> Result<()> {
        for axis in [&self.x, &self.y] {
            let [low, high] = axis.range;
            if !(low < high && low.is_finite() && high.is_finite() && (!axis.logarithmic || low > 0.0)) {
                return Err(
                    self.refused(format!("the axis \"{}\" cannot go from {low} to {high}", axis.label))
                );
            }
        }
        if self.y.logarithmic {
            return Err(self.refused("the vertical axis must be linear".to_owned()));
        }
        Ok(())
    }

    fn coloured(&self) -> impl Iterator<Item = (&Series, RGBColor)> {
        let mut solid: usize = 0;
        self.series.iter().map(move |series| {
            solid += usize::from(!series.dashed);
            (series, COLOURS[solid.saturating_sub(1) % COLOURS.len()])
        })
    }

    fn draw<X>(&self, text: &mut String, x: X) -> std::result::Result<(), String>
    where
        X: Ranged<ValueType = f64> + ValueFormatter<f64>,
    {
        let said = |e: DrawingAreaErrorKind<_>| -> String { e.to_string() };
        let root = SVGBackend::with_string(text, (SIZE.0 * FINE, SIZE.1 * FINE)).into_drawing_area();
        root.fill(&WHITE).map_err(said)?;
        let (plot, legend) = root.split_horizontally((SIZE.0 - LEGEND) * FINE);
        let mut chart = ChartBuilder::on(&plot)
            .caption(&self.title, (FONT, 18 * FINE))
            .margin(12 * FINE)
            .margin_right(18 * FINE)
            .x_label_area_size(48 * FINE)
            .y_label_area_size(58 * FINE)
            .build_cartesian_2d(x, self.y.range[0]..self.y.range[1])
            .map_err(said)?;
        chart
            .configure_mesh()
            .x_desc(&self.x.label)
            .y_desc(&self.y.label)
            .axis_desc_style((FONT, 15 * FINE))
            .label_style((FONT, 13 * FINE))
            .x_label_formatter(&|v| short(*v))
            .y_label_formatter(&|v| short(*v))
            .light_line_style(WHITE)
            .bold_line_style(BLACK.mix(0.15).stroke_width(FINE))
            .axis_style(BLACK.stroke_width(FINE))
            .set_all_tick_mark_size(5 * FINE)
            .draw()
            .map_err(said)?;
        for (series, colour) in self.coloured() {
            let points = series.points.iter().map(|p| (p[0], p[1]));
            let style = colour.stroke_width(2 * FINE);
            if series.dashed {
                chart.draw_series(DashedLineSeries::new(points, 7 * FINE, 5 * FINE, style)).map_err(said)?;
            } else {
                chart.draw_series(LineSeries::new(points, style)).map_err(said)?;
            }
        }
        for (k, (series, colour)) in self.coloured().enumerate() {
            let fine = FINE as i32;
            let y = (52 + 24 * k as i32) * fine;
            let pieces = if series.dashed { vec![(0, 9), (15, 24)] } else { vec![(0, 24)] };
            for (from, to) in pieces {
                let line =
                    PathElement::new(vec![(from * fine, y), (to * fine, y)], colour.stroke_width(2 * FINE));
                legend.draw(&line).map_err(said)?;
            }
            let name = Text::new(series.name.clone(), (32 * fine, y - 7 * fine), (FONT, 14 * FINE));
            legend.draw(&name).map_err(said)?;
        }
        root.present().map_err(said)
    }
}

/// A tick's number without trailing zeros.
fn short(value: f64) -> String {
    let text = format!("{value:.3}");
    match text.trim_end_matches('0').trim_end_matches('.') {
        // Rounding of a tick at zero.
        "-0" | "" => "0".to_owned(),
        short => short.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn sample(logarithmic: bool, low: f64) -> Figure {
        let axis = |label: &str, range, logarithmic| Axis { label: label.to_owned(), range, logarithmic };
        Figure {
            title: "Gap <over> time".to_owned(),
            x: axis("time in s", [low, 100.0], logarithmic),
            y: axis("gap in m", [0.0, 2.0], false),
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
    fn ticks_have_no_trailing_zeros_and_no_negative_zero() {
        assert_eq!([-1e-17, 0.0, 0.25, -1.5, 100.0].map(short), ["0", "0", "0.25", "-1.5", "100"]);
    }

    #[test]
    fn axes_that_cannot_be_drawn_are_refused_by_name() {
        for figure in [sample(true, 0.0), sample(false, 100.0), sample(false, f64::NAN)] {
            let message = figure.to_svg().unwrap_err().to_string();
            assert!(message.contains("the axis \"time in s\" cannot go from"), "{message}");
        }
    }
}
