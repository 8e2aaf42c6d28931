//! Maps: a value over two parameters as coloured cells, in panels side by side that share one scale of colours.
//!
//! A cell (i, j) of a panel has the colour c(s) of s = (v − a)/(b − a), limited to [0, 1], where [a, b] is the range of
//! the scale; c runs through the colours of viridis, whose lightness grows with s for colour-blind readers and in print
//! too. A cell without a value is grey.

use super::{BETWEEN, FINE, FINE_PNG, LABEL, MARGIN, NAME, NUMBER, TITLE, WIDTH};
use crate::error::{RecordError, Result};
use crate::lettering::{FAMILY, drawable, fitted, prepare, shrink, width};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Nine colours of viridis at equal distances (van der Walt and Smith 2015), from low to high.
const COLOURS: [[u8; 3]; 9] = [
    [68, 1, 84],
    [71, 44, 122],
    [59, 81, 139],
    [44, 113, 142],
    [33, 144, 141],
    [39, 173, 129],
    [92, 200, 99],
    [170, 220, 50],
    [253, 231, 37],
];
/// A cell without a value.
const NOTHING: RGBColor = RGBColor(205, 205, 205);
/// Most panels beside each other; widest and highest cell, in pixels.
const ACROSS: usize = 4;
const WIDEST: u32 = 90;
const HIGHEST: u32 = 34;
const LOWEST: u32 = 14;
/// Width of the scale's column and of its bar; steps of the bar.
const SCALE: u32 = 130;
const BAR: u32 = 20;
const STEPS: u32 = 64;
/// Space above a panel for its title, and below for numbers and label.
const ABOVE: u32 = 26;
const BELOW: u32 = 50;

/// The values of a parameter, one per column or row of cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Steps {
    /// What it is and in which unit.
    pub label: String,
    /// The values as they are written, in order.
    pub values: Vec<String>,
}

/// A rectangle of cells.
#[derive(Debug, Clone, PartialEq)]
pub struct Panel {
    /// The line above it.
    pub title: String,
    /// The values: rows from the lowest on, in a row from the left. A cell that is no number has no value.
    pub cells: Vec<f64>,
}

/// Panels over the same two parameters with one scale of colours.
#[derive(Debug, Clone, PartialEq)]
pub struct HeatMap {
    /// The line above.
    pub title: String,
    /// The columns.
    pub x: Steps,
    /// The rows, the lowest first.
    pub y: Steps,
    /// The panels.
    pub panels: Vec<Panel>,
    /// The ends of the scale of colours, the lower one first; values beyond them have the colours of the ends.
    pub range: [f64; 2],
    /// What the colours show and in which unit.
    pub label: String,
}

/// What stands where, in pixels.
struct Layout {
    height: u32,
    /// Panels in a row.
    across: u32,
    /// A panel with its space: width and height.
    pitch: [u32; 2],
    /// A cell.
    cell: [u32; 2],
    /// From a panel's left border to its cells.
    left: u32,
}

impl HeatMap {
    /// The map as an SVG document.
    pub fn to_svg(&self) -> Result<String> {
        let layout = self.layout()?;
        let mut text = String::new();
        let size = (WIDTH, layout.height);
        let fine = (size.0 * FINE, size.1 * FINE);
        let area = SVGBackend::with_string(&mut text, fine).into_drawing_area();
        self.draw(&area, &layout, FINE).map_err(|reason| self.refused(reason))?;
        drop(area);
        let stated = |(width, height)| format!("width=\"{width}\" height=\"{height}\"");
        Ok(text.replacen(&stated(fine), &stated(size), 1))
    }

    /// The map as a PNG file.
    pub fn to_png(&self) -> Result<Vec<u8>> {
        let map = self.drawable();
        let layout = map.layout()?;
        let fine = (WIDTH * FINE_PNG, layout.height * FINE_PNG);
        let mut samples = vec![255; 3 * fine.0 as usize * fine.1 as usize];
        let area = BitMapBackend::with_buffer(&mut samples, fine).into_drawing_area();
        map.draw(&area, &layout, FINE_PNG).map_err(|reason| self.refused(reason))?;
        drop(area);
        crate::png::encode(WIDTH, layout.height, &shrink(&samples, fine, FINE_PNG))
    }

    /// The same with letters that our font has.
    fn drawable(&self) -> Self {
        let mut map = self.clone();
        let titles = map.panels.iter_mut().map(|panel| &mut panel.title);
        let values = map.x.values.iter_mut().chain(map.y.values.iter_mut());
        let labels = [&mut map.title, &mut map.label, &mut map.x.label, &mut map.y.label];
        for text in titles.chain(values).chain(labels) {
            *text = drawable(text);
        }
        map
    }

    fn refused(&self, reason: String) -> RecordError {
        RecordError::Figure { figure: self.title.clone(), reason }
    }

    fn layout(&self) -> Result<Layout> {
        prepare()?;
        let [low, high] = self.range;
        if !(low < high && (high - low).is_finite()) {
            return Err(self.refused(format!("the scale of colours cannot go from {low} to {high}")));
        }
        let (columns, rows) = (self.x.values.len(), self.y.values.len());
        if columns == 0 || rows == 0 || self.panels.is_empty() {
            return Err(self.refused("it has no cells".to_owned()));
        }
        if let Some(panel) = self.panels.iter().find(|panel| panel.cells.len() != columns * rows) {
            let (found, expected) = (panel.cells.len(), columns * rows);
            return Err(self.refused(format!("a panel has {found} cells; expected {expected}")));
        }
        let across = self.panels.len().min(ACROSS) as u32;
        let widest = self.y.values.iter().map(|value| width(value, NUMBER)).max().unwrap_or(0);
        let left = LABEL + MARGIN + widest + 6;
        let pitch = (WIDTH - SCALE - MARGIN) / across;
        let room = pitch.saturating_sub(left + BETWEEN) / columns as u32;
        if room == 0 {
            return Err(self.refused(format!("{columns} columns do not fit on a panel")));
        }
        let cell = [room.min(WIDEST), (300 / rows as u32).clamp(LOWEST, HIGHEST)];
        let tall = ABOVE + cell[1] * rows as u32 + BELOW;
        let lines = self.panels.len().div_ceil(across as usize) as u32;
        let height = (2 * MARGIN + TITLE + lines * tall).max(240);
        Ok(Layout { height, across, pitch: [pitch, tall], cell, left })
    }

    /// The colour of a value; none where there is none.
    fn colour(&self, value: f64) -> Option<RGBColor> {
        let [low, high] = self.range;
        let share = ((value - low) / (high - low)).clamp(0.0, 1.0);
        (!value.is_nan()).then(|| {
            let place = share * (COLOURS.len() - 1) as f64;
            let k = (place as usize).min(COLOURS.len() - 2);
            let part = place - k as f64;
            let mix = |c: usize| {
                let (a, b) = (f64::from(COLOURS[k][c]), f64::from(COLOURS[k + 1][c]));
                (a + part * (b - a)).round() as u8
            };
            RGBColor(mix(0), mix(1), mix(2))
        })
    }

    fn draw<B: DrawingBackend>(
        &self,
        root: &DrawingArea<B, Shift>,
        layout: &Layout,
        fine: u32,
    ) -> std::result::Result<(), String> {
        let pen = Pen { area: root, unit: fine as i32 };
        root.fill(&WHITE).map_err(|e| e.to_string())?;
        let title = fitted(&self.title, TITLE, WIDTH - 2 * MARGIN);
        pen.write(&title, [WIDTH / 2, MARGIN], TITLE, (HPos::Center, VPos::Top), &BLACK)?;
        for (k, panel) in self.panels.iter().enumerate() {
            let (column, line) = (k as u32 % layout.across, k as u32 / layout.across);
            let corner = [MARGIN + column * layout.pitch[0], 2 * MARGIN + TITLE + line * layout.pitch[1]];
            self.draw_panel(panel, corner, layout, &pen)?;
        }
        self.draw_scale(layout, &pen)?;
        root.present().map_err(|e| e.to_string())
    }

    fn draw_panel<B: DrawingBackend>(
        &self,
        panel: &Panel,
        corner: [u32; 2],
        layout: &Layout,
        pen: &Pen<'_, B>,
    ) -> std::result::Result<(), String> {
        let (columns, rows) = (self.x.values.len() as u32, self.y.values.len() as u32);
        let [w, h] = layout.cell;
        let [left, top] = [corner[0] + layout.left, corner[1] + ABOVE];
        let (wide, tall) = (w * columns, h * rows);
        let middle = left + wide / 2;
        let title = fitted(&panel.title, NAME, layout.pitch[0] - MARGIN);
        pen.write(&title, [middle, top - 6], NAME, (HPos::Center, VPos::Bottom), &BLACK)?;
        for (k, value) in panel.cells.iter().enumerate() {
            let [i, j] = [k as u32 % columns, k as u32 / columns];
            let [x, y] = [left + w * i, top + h * (rows - 1 - j)];
            let colour = self.colour(*value);
            pen.fill([x, y, x + w, y + h], colour.unwrap_or(NOTHING))?;
            let number = if value.is_nan() { String::new() } else { number(*value) };
            if width(&number, NUMBER) + 4 <= w && NUMBER + 2 <= h {
                let ink = colour.map_or(BLACK, ink);
                let place = [x + w / 2, y + h / 2];
                pen.write(&number, place, NUMBER, (HPos::Center, VPos::Center), &ink)?;
            }
        }
        pen.outline([left, top, left + wide, top + tall])?;
        let widest = self.x.values.iter().map(|value| width(value, NUMBER) + 6).max().unwrap_or(1);
        for i in (0..columns).step_by(widest.div_ceil(w) as usize) {
            let place = [left + w * i + w / 2, top + tall + 6];
            pen.write(&self.x.values[i as usize], place, NUMBER, (HPos::Center, VPos::Top), &BLACK)?;
        }
        for j in (0..rows).step_by((NUMBER + 1).div_ceil(h) as usize) {
            let place = [left - 6, top + h * (rows - 1 - j) + h / 2];
            pen.write(&self.y.values[j as usize], place, NUMBER, (HPos::Right, VPos::Center), &BLACK)?;
        }
        let label = fitted(&self.x.label, LABEL, layout.pitch[0] - MARGIN);
        pen.write(&label, [middle, top + tall + 24], LABEL, (HPos::Center, VPos::Top), &BLACK)?;
        let label = fitted(&self.y.label, LABEL, layout.pitch[1]);
        pen.write_upright(&label, [corner[0], top + tall / 2], LABEL)
    }

    fn draw_scale<B: DrawingBackend>(
        &self,
        layout: &Layout,
        pen: &Pen<'_, B>,
    ) -> std::result::Result<(), String> {
        let left = WIDTH - SCALE + MARGIN;
        let (top, tall) = (2 * MARGIN + TITLE + ABOVE, (layout.height - 150).min(220));
        let [low, high] = self.range;
        for k in 0..STEPS {
            let value = low + (high - low) * (f64::from(k) + 0.5) / f64::from(STEPS);
            let edge = |k: u32| top + tall - tall * k / STEPS;
            pen.fill([left, edge(k + 1), left + BAR, edge(k)], self.colour(value).unwrap_or(NOTHING))?;
        }
        pen.outline([left, top, left + BAR, top + tall])?;
        for k in 0..=4 {
            let value = low + (high - low) * f64::from(k) / 4.0;
            let place = [left + BAR + 6, top + tall - tall * k / 4];
            pen.write(&number(value), place, NUMBER, (HPos::Left, VPos::Center), &BLACK)?;
        }
        let label = fitted(&self.label, LABEL, layout.height - MARGIN - top);
        pen.write_upright(&label, [WIDTH - 2 * LABEL, top + tall / 2], LABEL)?;
        if self.panels.iter().any(|panel| panel.cells.iter().any(|value| value.is_nan())) {
            let y = top + tall + 20;
            pen.fill([left, y, left + BAR, y + 16], NOTHING)?;
            pen.write("no value", [left + BAR + 6, y + 8], NUMBER, (HPos::Left, VPos::Center), &BLACK)?;
        }
        Ok(())
    }
}

/// Draws in pixels on an area of finer units.
struct Pen<'a, B: DrawingBackend> {
    area: &'a DrawingArea<B, Shift>,
    unit: i32,
}

impl<B: DrawingBackend> Pen<'_, B> {
    fn at(&self, place: [u32; 2]) -> (i32, i32) {
        (place[0] as i32 * self.unit, place[1] as i32 * self.unit)
    }

    fn fill(&self, [x0, y0, x1, y1]: [u32; 4], colour: RGBColor) -> std::result::Result<(), String> {
        let corners = [self.at([x0, y0]), self.at([x1, y1])];
        self.area.draw(&Rectangle::new(corners, colour.filled())).map_err(|e| e.to_string())
    }

    fn outline(&self, [x0, y0, x1, y1]: [u32; 4]) -> std::result::Result<(), String> {
        let corners = [self.at([x0, y0]), self.at([x1, y1])];
        let style = BLACK.stroke_width(self.unit as u32);
        self.area.draw(&Rectangle::new(corners, style)).map_err(|e| e.to_string())
    }

    fn write(
        &self,
        text: &str,
        place: [u32; 2],
        size: u32,
        (h, v): (HPos, VPos),
        ink: &RGBColor,
    ) -> std::result::Result<(), String> {
        let style = (FAMILY, size * self.unit as u32).into_text_style(self.area).color(ink);
        let style = style.pos(Pos::new(h, v));
        self.area.draw(&Text::new(text.to_owned(), self.at(place), style)).map_err(|e| e.to_string())
    }

    /// From below upwards, its middle at a height.
    fn write_upright(&self, text: &str, place: [u32; 2], size: u32) -> std::result::Result<(), String> {
        let font = (FAMILY, size * self.unit as u32).into_font().transform(FontTransform::Rotate270);
        let style = font.into_text_style(self.area).pos(Pos::new(HPos::Center, VPos::Top));
        self.area.draw(&Text::new(text.to_owned(), self.at(place), style)).map_err(|e| e.to_string())
    }
}

/// Black on light colours, white on dark ones, by their luminance (Rec. 709).
fn ink(colour: RGBColor) -> RGBColor {
    let share = 0.2126 * f64::from(colour.0) + 0.7152 * f64::from(colour.1) + 0.0722 * f64::from(colour.2);
    if share > 120.0 { BLACK } else { WHITE }
}

/// A number with three digits or two decimals, whichever are fewer, and without trailing zeros: cells are narrow.
fn number(value: f64) -> String {
    if !value.is_finite() {
        return if value > 0.0 { "∞" } else { "-∞" }.to_owned();
    }
    let decimals = match value.abs() {
        large if large >= 99.95 => 0,
        middle if middle >= 9.995 => 1,
        _ => 2,
    };
    let text = format!("{value:.decimals$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests;
