//! What a run records and shows.

use crate::read::{Angle, At, Length, Range, Reader, Time, entry, number};
use rattleback_geom::Vec3;

entry! {
    /// What is recorded and shown.
    pub struct OutputSpec {
        /// The time between two records; a five-hundredth of the duration unless it is given.
        every: Option<Time>,
        /// Figures of the report, beyond energy, forces and gaps.
        plots: Vec<PlotSpec> = Vec::new(),
        /// Pictures of the report.
        pictures: Option<PicturesSpec>,
    }
}

entry! {
    /// A figure over time.
    pub struct PlotSpec {
        /// The line above it.
        title: String,
        /// What its vertical axis shows, with the unit.
        label: Option<String>,
        /// Its curves, as "BODY.COLUMN", "energy.COLUMN", "BODY|BODY.COLUMN" for a contact or "joint NAME.COLUMN".
        curves: Vec<At<String>>,
    }
}

entry! {
    /// Pictures of the scene.
    pub struct PicturesSpec {
        /// When; unless it is given, the start, the middle and the end.
        instants: Vec<Time> = Vec::new(),
        /// From where; chosen so that all is seen unless it is given.
        camera: Option<CameraSpec>,
    }
}

entry! {
    /// A camera.
    pub struct CameraSpec {
        /// Where it is.
        eye: [Length; 3],
        /// What it looks at.
        target: [Length; 3],
        /// What is above in the picture; against gravity unless it is given.
        up: Option<[f64; 3]>,
        /// The angle of view across the longer side of the picture.
        field_of_view: Angle = Angle(0.6),
    }
}

/// A figure that the scene asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct Plot {
    /// The line above it.
    pub title: String,
    /// What its vertical axis shows.
    pub label: Option<String>,
    /// Its curves.
    pub curves: Vec<At<String>>,
}

/// A camera.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    /// Where it is.
    pub eye: Vec3,
    /// What it looks at.
    pub target: Vec3,
    /// What is above in the picture.
    pub up: Option<Vec3>,
    /// The angle of view across the longer side of the picture in rad.
    pub field_of_view: f64,
}

/// What is recorded and shown.
#[derive(Debug, Clone, PartialEq)]
pub struct Output {
    /// The time between two records in s.
    pub every: f64,
    /// Figures.
    pub plots: Vec<Plot>,
    /// When pictures are made, in s.
    pub instants: Vec<f64>,
    /// From where.
    pub camera: Option<Camera>,
}

/// Records of a run that does not say how many.
const RECORDS: f64 = 500.0;
/// The most records of a run: each of them has a row per body, so that they are some gigabytes at least.
const MAX_RECORDS: f64 = 1e7;
/// Pictures of a run that does not say how many.
const PICTURES: u32 = 3;

impl Output {
    /// What is recorded and shown where nothing is said about it.
    pub(crate) fn usual(duration: f64, camera: Option<Camera>) -> Self {
        Self {
            every: Self::usual_interval(duration),
            plots: Vec::new(),
            instants: Self::evenly(duration),
            camera,
        }
    }

    /// The time between two records where nothing is said about it.
    fn usual_interval(duration: f64) -> f64 {
        // A five-hundredth of the shortest times is zero.
        let interval = duration / RECORDS;
        if interval > 0.0 { interval } else { duration }
    }

    /// Whether a run of that many seconds can be recorded at that interval in s; what was found and what is expected if
    /// not.
    pub fn check_interval(every: f64, duration: f64) -> Result<(), String> {
        let records = duration / every;
        if every > 0.0 && records <= MAX_RECORDS {
            return Ok(());
        }
        let least = duration / MAX_RECORDS;
        Err(format!(
            "found {every:?} s, which makes {records:.3e} records of {duration:?} s; expected at most {MAX_RECORDS}, one every {least:?} s"
        ))
    }

    /// Instants from the start to the end.
    pub(crate) fn evenly(duration: f64) -> Vec<f64> {
        (0..PICTURES).map(|k| duration * f64::from(k) / f64::from(PICTURES - 1)).collect()
    }
}

impl OutputSpec {
    pub(crate) fn lower(spec: Option<&Self>, duration: f64, reader: &mut Reader) -> Option<Output> {
        let every = match spec.and_then(|spec| Some((spec, spec.every?))) {
            Some((spec, every)) => {
                let every = number(&spec.place, "every", every.0, Range::Positive, reader)?;
                if let Err(message) = Output::check_interval(every, duration) {
                    reader.wrong(&spec.place, "every", message);
                    return None;
                }
                every
            }
            None => Output::usual_interval(duration),
        };
        let mut output = Output { every, ..Output::usual(duration, None) };
        let Some(spec) = spec else { return Some(output) };
        let plot = |plot: &PlotSpec| Plot {
            title: plot.title.clone(),
            label: plot.label.clone(),
            curves: plot.curves.clone(),
        };
        output.plots = spec.plots.iter().map(plot).collect();
        if let Some(pictures) = &spec.pictures {
            if !pictures.instants.is_empty() {
                output.instants = pictures.instants.iter().map(|time| time.0).collect();
            }
            if let Some(wrong) = output.instants.iter().find(|t| !(0.0..=duration).contains(*t)) {
                let message = format!("found {wrong} s; expected times from 0 to the duration, {duration} s");
                reader.wrong(&pictures.place, "instants", message);
            }
            if let Some(camera) = &pictures.camera {
                output.camera = Some(camera.lower(reader)?);
            }
        }
        Some(output)
    }
}

impl CameraSpec {
    fn lower(&self, reader: &mut Reader) -> Option<Camera> {
        let vector = |lengths: [Length; 3]| Vec3::from(lengths.map(|length| length.0));
        let camera = Camera {
            eye: vector(self.eye),
            target: vector(self.target),
            up: self.up.map(Vec3::from),
            field_of_view: self.field_of_view.0,
        };
        let sight = camera.target - camera.eye;
        let length = sight.norm();
        if !(length > 0.0 && length.is_finite()) {
            reader.wrong(&self.place, "eye", "the camera must stand at some distance from what it looks at");
            return None;
        }
        if !(camera.field_of_view > 0.0 && camera.field_of_view < 3.0) {
            let message =
                format!("found {} rad; expected an angle above 0 and below 3 rad", camera.field_of_view);
            reader.wrong(&self.place, "field_of_view", message);
            return None;
        }
        if let Some(up) = camera.up
            && !(up.cross(&sight).norm() > 1e-9 * up.norm() * length)
        {
            reader.wrong(&self.place, "up", "the camera's up must not be zero nor along its line of sight");
            return None;
        }
        Some(camera)
    }
}
