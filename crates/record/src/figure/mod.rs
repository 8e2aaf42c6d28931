//! Figures: curves and marks over two axes, with a legend beside them, as SVG or PNG; maps of coloured cells
//! (`heat_map/mod.rs`).

mod heat_map;
mod pieces;
mod scale;
mod symbol;

pub use heat_map::{HeatMap, Panel, Steps};
pub use scale::Axis;

use crate::error::{RecordError, Result};
use crate::lettering::{FAMILY, drawable, fitted, prepare, shrink, width};
use pieces::{is_scattered, lone, pieces};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use scale::Scale;
use symbol::Symbol;

/// Width of the whole, least height, in pixels.
const WIDTH: u32 = 900;
const HEIGHT: u32 = 420;
/// The space at the left, between the plot and the legend, and around the plot; of the horizontal axis' numbers and
/// label.
const MARGIN: u32 = 12;
const BETWEEN: u32 = 18;
const BELOW: u32 = 48;
/// The space of the title.
const HEAD: u32 = 28;
/// Widest legend, the length of a line in it, and the distance of its lines.
const LEGEND: u32 = 330;
const SAMPLE: u32 = 32;
const PITCH: u32 = 24;
/// Sizes of letters in pixels.
const TITLE: u32 = 18;
const LABEL: u32 = 15;
const NUMBER: u32 = 13;
const NAME: u32 = 14;
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
/// Dashes and gaps in pixels: of what is compared, and of curves whose colour has been there before.
const COMPARED: [u32; 2] = [7, 5];
const REPEATED: [[u32; 2]; 3] = [[14, 4], [2, 4], [10, 10]];
/// Units per pixel: the drawing library rounds to whole units, which would show as steps in smooth curves.
const FINE: u32 = 8;
/// Samples per pixel in PNG files.
const FINE_PNG: u32 = 4;

/// A curve, or marks where all points stand alone between gaps.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// The points that it joins; a point that is not of numbers leaves a gap, and one that is alone is a mark.
    pub points: Vec<[f64; 2]>,
    /// Dashed and in the colour of the curve before it, for what that one is compared with.
    pub dashed: bool,
}

/// Curves over common axes; what lies outside of them is not drawn.
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

/// What stands where, in pixels.
struct Layout {
    height: u32,
    legend: u32,
    left: u32,
    x: Scale,
    y: Scale,
}

/// How a series is drawn.
struct Styled<'a> {
    series: &'a Series,
    colour: RGBColor,
    dashes: Option<[u32; 2]>,
    symbol: Option<Symbol>,
}

impl Series {
    /// Marks that nothing joins.
    pub fn marks(name: impl Into<String>, points: impl IntoIterator<Item = [f64; 2]>) -> Self {
        let points = points.into_iter().flat_map(|p| [p, [f64::NAN; 2]]).collect();
        Self { name: name.into(), points, dashed: false }
    }
}

impl Figure {
    /// The figure as an SVG document.
    pub fn to_svg(&self) -> Result<String> {
        let layout = self.layout()?;
        let mut text = String::new();
        let size = (WIDTH, layout.height);
        let fine = (size.0 * FINE, size.1 * FINE);
        let area = SVGBackend::with_string(&mut text, fine).into_drawing_area();
        self.draw(area, &layout, FINE).map_err(|reason| self.refused(reason))?;
        let stated = |(width, height)| format!("width=\"{width}\" height=\"{height}\"");
        Ok(text.replacen(&stated(fine), &stated(size), 1))
    }

    /// The figure as a PNG file.
    pub fn to_png(&self) -> Result<Vec<u8>> {
        let figure = self.drawable();
        let layout = figure.layout()?;
        let fine = (WIDTH * FINE_PNG, layout.height * FINE_PNG);
        let mut samples = vec![255; 3 * fine.0 as usize * fine.1 as usize];
        let area = BitMapBackend::with_buffer(&mut samples, fine).into_drawing_area();
        figure.draw(area, &layout, FINE_PNG).map_err(|reason| self.refused(reason))?;
        crate::png::encode(WIDTH, layout.height, &shrink(&samples, fine, FINE_PNG))
    }

    /// The same with letters that our font has.
    fn drawable(&self) -> Self {
        let mut figure = self.clone();
        let names = figure.series.iter_mut().map(|series| &mut series.name);
        for text in names.chain([&mut figure.title, &mut figure.x.label, &mut figure.y.label]) {
            *text = drawable(text);
        }
        figure
    }

    fn refused(&self, reason: String) -> RecordError {
        RecordError::Figure { figure: self.title.clone(), reason }
    }

    fn layout(&self) -> Result<Layout> {
        prepare()?;
        for axis in [&self.x, &self.y] {
            if !axis.is_sound() {
                let [low, high] = axis.range;
                return Err(
                    self.refused(format!("the axis \"{}\" cannot go from {low} to {high}", axis.label))
                );
            }
        }
        let rows = self.series.len() as u32;
        let height = HEIGHT.max((rows + 3) * PITCH);
        let names = self.series.iter().map(|series| width(&series.name, NAME)).max();
        let legend = names.map_or(0, |names| (SAMPLE + names + MARGIN).min(LEGEND));
        let y = Scale::new(&self.y, height - BELOW - 2 * MARGIN - HEAD, NUMBER, true);
        let left = 2 * LABEL + MARGIN + y.widest(NUMBER);
        let x = Scale::new(&self.x, WIDTH - legend - left - MARGIN - BETWEEN, NUMBER, false);
        Ok(Layout { height, legend, left, x, y })
    }

    /// The curves with their colours and, unless they are solid, dashes or symbols.
    fn styled(&self) -> impl Iterator<Item = Styled<'_>> {
        let (mut solid, mut scattered) = (0usize, 0);
        self.series.iter().map(move |series| {
            solid += usize::from(!series.dashed);
            let k = solid.saturating_sub(1);
            let repeated = (k >= COLOURS.len()).then(|| REPEATED[(k / COLOURS.len() - 1) % REPEATED.len()]);
            let dashes = if series.dashed { Some(COMPARED) } else { repeated };
            let symbol = is_scattered(&series.points).then(|| {
                scattered += 1;
                Symbol::nth(scattered - 1)
            });
            Styled { series, colour: COLOURS[k % COLOURS.len()], dashes, symbol }
        })
    }

    fn draw<B: DrawingBackend>(
        &self,
        root: DrawingArea<B, Shift>,
        layout: &Layout,
        fine: u32,
    ) -> std::result::Result<(), String> {
        let said = |e: DrawingAreaErrorKind<_>| -> String { e.to_string() };
        root.fill(&WHITE).map_err(said)?;
        let (plot, legend) = root.split_horizontally((WIDTH - layout.legend) * fine);
        let inner = WIDTH - layout.legend - layout.left - MARGIN - BETWEEN;
        let label = |axis: &Axis, scale: &Scale, room: u32| {
            let suffix = scale.suffix();
            fitted(&axis.label, LABEL, room.saturating_sub(width(&suffix, LABEL))) + &suffix
        };
        let title = fitted(&self.title, TITLE, WIDTH - layout.legend - 2 * MARGIN);
        let middle = (MARGIN + layout.left + inner / 2).max(width(&title, TITLE) / 2 + MARGIN);
        let centred = (FAMILY, TITLE * fine).into_text_style(&plot).pos(Pos::new(HPos::Center, VPos::Top));
        plot.draw(&Text::new(title, ((middle * fine) as i32, (MARGIN * fine) as i32), centred))
            .map_err(said)?;
        let tall = layout.height - BELOW - 2 * MARGIN - HEAD;
        let mut chart = ChartBuilder::on(&plot)
            .margin(MARGIN * fine)
            .margin_top((MARGIN + HEAD) * fine)
            .margin_right(BETWEEN * fine)
            .x_label_area_size(BELOW * fine)
            .y_label_area_size(layout.left * fine)
            .build_cartesian_2d(layout.x.clone(), layout.y.clone())
            .map_err(said)?;
        chart
            .configure_mesh()
            .x_desc(label(&self.x, &layout.x, inner))
            .y_desc(label(&self.y, &layout.y, tall))
            .axis_desc_style((FAMILY, LABEL * fine))
            .label_style((FAMILY, NUMBER * fine))
            .light_line_style(TRANSPARENT)
            .bold_line_style(BLACK.mix(0.15).stroke_width(fine))
            .axis_style(BLACK.stroke_width(fine))
            .set_all_tick_mark_size(5 * fine)
            .draw()
            .map_err(said)?;
        for Styled { series, colour, dashes, symbol } in self.styled() {
            let style = colour.stroke_width(2 * fine);
            for piece in pieces(&series.points, &layout.x, &layout.y) {
                if let Some([dash, gap]) = dashes {
                    let line = DashedLineSeries::new(piece, dash * fine, gap * fine, style);
                    chart.draw_series(line).map_err(said)?;
                } else {
                    chart.draw_series(LineSeries::new(piece, style)).map_err(said)?;
                }
            }
            let outline = symbol.unwrap_or(Symbol::Dot).outline(fine);
            let marks = lone(&series.points, &layout.x, &layout.y).into_iter();
            let mark = |at| EmptyElement::at(at) + Polygon::new(outline.clone(), colour.filled());
            chart.draw_series(marks.map(mark)).map_err(said)?;
        }
        self.draw_legend(&legend, layout.legend, fine).map_err(said)?;
        root.present().map_err(said)
    }

    fn draw_legend<B: DrawingBackend>(
        &self,
        area: &DrawingArea<B, Shift>,
        room: u32,
        fine: u32,
    ) -> std::result::Result<(), DrawingAreaErrorKind<B::ErrorType>> {
        let unit = fine as i32;
        for (k, Styled { series, colour, dashes, symbol }) in self.styled().enumerate() {
            let y = (52 + (PITCH as i32) * k as i32) * unit;
            let [dash, gap] = dashes.unwrap_or([24, 0]);
            let (mut from, end) = (0, 24);
            if let Some(symbol) = symbol {
                let outline = symbol.outline(fine).into_iter().map(|(dx, dy)| (12 * unit + dx, y + dy));
                area.draw(&Polygon::new(outline.collect::<Vec<_>>(), colour.filled()))?;
                from = end;
            }
            while from < end {
                let to = (from + dash).min(end);
                let ends = vec![(from as i32 * unit, y), (to as i32 * unit, y)];
                area.draw(&PathElement::new(ends, colour.stroke_width(2 * fine)))?;
                from = to + gap;
            }
            let name = fitted(&series.name, NAME, room - SAMPLE);
            let place = (SAMPLE as i32 * unit, y - 7 * unit);
            area.draw(&Text::new(name, place, (FAMILY, NAME * fine)))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
