//! Findings in words.

use super::Findings;
use crate::body::contradiction;
use crate::stance::delay_words;
use crate::trial::Side;

/// Heights of plates that differ by less are alike, in m: soles and soft tissue differ by as much.
const ALIKE: f64 = 2e-3;
/// A body that is slower over the ground does not walk, in m/s.
const STANDING: f64 = 0.1;
/// So many names are told; of more, only how many.
const NAMES: usize = 15;

impl Findings {
    /// What was found, a sentence or a row each.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = vec![format!(
            "Markers: {} at {} Hz, {} frames, {:.3} s; file axes: {}, unit {} m",
            self.markers,
            self.rate_hz,
            self.frames,
            (self.frames - 1) as f64 / self.rate_hz,
            self.axes,
            self.metres_per_unit
        )];
        if !self.unknown_markers.is_empty() {
            lines.push(format!("Markers without a known role: {}", self.unknown_markers.join(", ")));
        }
        self.say_timing(&mut lines);
        self.say_ground(&mut lines);
        self.say_stances(&mut lines);
        self.say_plates(&mut lines);
        self.say_markers(&mut lines);
        self.say_body(&mut lines);
        lines.extend(self.remarks.iter().cloned());
        lines
    }

    fn say_timing(&self, lines: &mut Vec<String>) {
        let t = &self.timing;
        // An acceleration by differences of rounded times is off by about v ρ f².
        if t.rounding_s > 1e-5 {
            lines.push(format!(
                "Times: rounded by up to {:.2} ms; differentiating with them would cost {:.1} m/s² at 1 m/s; the rate of \
                 {} Hz is used",
                1e3 * t.rounding_s,
                t.rounding_s * self.rate_hz * self.rate_hz,
                self.rate_hz
            ));
        }
        if let Some(header) = t.header_hz.filter(|h| (h - self.rate_hz).abs() > 1e-3 * h) {
            lines.push(format!(
                "Times: the header says {header} Hz, the column {:.4} Hz, which is used",
                t.column_hz
            ));
        }
        if t.dropped > 0 {
            lines
                .push(format!("Times: {} frames are left out of the file; they count as missing", t.dropped));
        }
    }

    fn say_ground(&self, lines: &mut Vec<String>) {
        let g = &self.ground;
        if self.walking_speed.abs() < STANDING {
            lines.push("Ground: the body does not move over it; this is no walk".to_owned());
        } else if g.is_treadmill() {
            lines.push(format!(
                "Ground: a treadmill, {:.2} ± {:.2} m/s ({} frames of flat feet)",
                g.forward, g.deviation, g.frames
            ));
        } else {
            lines.push(format!(
                "Ground: at rest ({:.2} ± {:.2} m/s); walking at {:.2} m/s",
                g.forward, g.deviation, self.walking_speed
            ));
        }
    }

    fn say_stances(&self, lines: &mut Vec<String>) {
        for s in &self.stances {
            let plate = match (&s.plate, s.beside) {
                (Some(plate), _) if s.shared => format!("plate {plate}, which bears the other foot too"),
                (Some(plate), _) => format!("plate {plate}"),
                (None, true) => "beside the plates: no force is under this foot".to_owned(),
                (None, false) => "no plate".to_owned(),
            };
            let height = match (s.height_m, s.height_error_m) {
                (Some(h), Some(e)) => format!(", sole at {:+.1} ± {:.1} mm", 1e3 * h, 1e3 * e),
                _ => String::new(),
            };
            let open = |is_known: bool| if is_known { "" } else { " (cut)" };
            lines.push(format!(
                "Stance: {} {:.3}{} to {:.3}{} s, {plate}{height}",
                s.stance.side.word(),
                s.stance.begin,
                open(s.stance.has_strike),
                s.stance.end,
                open(s.stance.has_off)
            ));
        }
    }

    fn say_plates(&self, lines: &mut Vec<String>) {
        for pair in self.plate_heights.windows(2) {
            let step = pair[1].height_m - pair[0].height_m;
            if step.abs() > ALIKE {
                let caution = if pair.iter().all(|p| p.both_feet) {
                    ""
                } else {
                    " (each bears one foot only: its shoe and its static trial may be the cause)"
                };
                lines.push(format!(
                    "Heights: feet are {:.1} mm {} on {} than on {}{caution}",
                    1e3 * step.abs(),
                    if step > 0.0 { "higher" } else { "lower" },
                    pair[1].plate,
                    pair[0].plate
                ));
            }
        }
        lines.extend(self.plate_delay_s.map(delay_words));
        for u in &self.unloaded_centres {
            lines.push(format!(
                "Plate {}: {} samples ({:.0} %) have a centre of pressure without load: not to be used",
                u.plate,
                u.samples,
                100.0 * u.share
            ));
        }
    }

    fn say_markers(&self, lines: &mut Vec<String>) {
        for slip in &self.slips {
            let when: Vec<String> =
                slip.intervals.iter().map(|[a, b]| format!("{a:.2} to {b:.2} s")).collect();
            lines.push(format!(
                "Marker {} slips or dips by up to {:.0} mm: {}",
                slip.marker,
                1e3 * slip.largest_m,
                when.join(", ")
            ));
        }
        for gap in &self.gaps {
            let fate = if gap.filled { "filled" } else { "too long to fill, or at an end" };
            lines.push(format!(
                "Marker {} is missing from {:.2} to {:.2} s: {fate}",
                gap.marker, gap.interval[0], gap.interval[1]
            ));
        }
    }

    fn say_body(&self, lines: &mut Vec<String>) {
        match &self.mass {
            Some(m) => {
                lines.push(format!("Mass: {:.1} ± {:.1} kg ({})", m.kg, m.deviation_kg, m.source));
                lines.extend(m.by_plates_kg.and_then(|plates| contradiction(m.kg, plates)));
            }
            None => lines.push("Mass: not known, no plates bear the body for half a second".to_owned()),
        }
        let body = &self.whole_body;
        if let Some(reason) = &body.absent {
            lines.push(format!("Whole body: none; {reason}"));
        }
        for missing in &body.missing {
            lines.push(format!("Whole body: no markers on the {missing}"));
        }
        lines.extend(body.notes.iter().map(|note| format!("Whole body: {note}")));
        if let Some([x, y, z]) = body.against_plates {
            lines.push(format!(
                "Whole body: m (a − g) is {y:.1}, {x:.1}, {z:.1} % of body weight from the plates (vertical, fore-aft, \
                 lateral); {}",
                body.table
            ));
        }
        self.say_filter(lines);
    }

    fn say_filter(&self, lines: &mut Vec<String>) {
        let f = &self.filter;
        let mut advice = Vec::new();
        if let (Some(hz), Some(noise)) = (f.feet_hz, f.noise_m) {
            advice.push(format!("markers of the feet at {hz:.1} Hz (noise {:.2} mm)", 1e3 * noise));
        }
        if let Some(hz) = f.centre_of_mass_hz {
            advice.push(format!("the centre of mass at {hz:.1} Hz"));
        }
        if !advice.is_empty() {
            lines.push(format!("Filters: low-pass {}, by residual analysis", advice.join(", ")));
        }
        if !f.smoothed_markers.is_empty() {
            let count = f.smoothed_markers.len();
            let names = if count > NAMES {
                format!("{count} of {} markers", self.markers)
            } else {
                f.smoothed_markers.join(", ")
            };
            lines.push(format!("Filters: filtered already, before they were written: {names}"));
        }
        if self.rate_hz < 100.0 {
            lines.push(format!(
                "Sampling: {} Hz resolve a heel strike to {:.0} ms; 100 Hz or more are usual",
                self.rate_hz,
                1e3 / self.rate_hz
            ));
        }
    }

    /// The names of the plates under a foot.
    pub fn plates_of(&self, side: Side) -> Vec<&str> {
        let mut names: Vec<&str> = self
            .stances
            .iter()
            .filter(|s| s.stance.side == side)
            .filter_map(|s| s.plate.as_deref())
            .collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}
