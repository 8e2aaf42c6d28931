//! What was seen of a manoeuvre, as JSON: the verdict on a run that was taken up again is that on one that was not.

use crate::manoeuvre::{Peak, Sample, Watch};
use rattleback_dynamics::{DynamicsError, Result};
use serde::{Deserialize, Serialize};

/// The mirror of [`Watch`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct StoredWatch {
    samples: Vec<StoredSample>,
    peaks: [Option<StoredPeak>; 3],
    last: Vec<StoredPeak>,
    deepest: f64,
    hits: usize,
    slip: f64,
    seen: Option<f64>,
    #[serde(default)]
    latest: Option<StoredSample>,
    #[serde(default)]
    greatest_pull: f64,
}

/// Time, pull, heaving, entered; the pin; speed, tilt, askew; the forces on head, shank and chain; those on the flukes.
type StoredSample = ([f64; 4], [f64; 3], [f64; 3], [f64; 3], [f64; 2]);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct StoredPeak {
    body: String,
    force: f64,
    time: f64,
    point: [f64; 3],
}

impl StoredWatch {
    pub(crate) fn new(watch: &Watch) -> Result<Self> {
        let samples: Vec<StoredSample> = watch.samples.iter().map(stored).collect();
        let latest = watch.latest.as_ref().map(stored);
        for (a, b, c, d, e) in samples.iter().chain(&latest) {
            let all = a.iter().chain(b).chain(c).chain(d).chain(e);
            finite(&|| "sample of the manoeuvre".to_owned(), all.copied())?;
        }
        for peak in watch.peaks.iter().flatten().chain(&watch.last) {
            let all = peak.point.iter().copied().chain([peak.force, peak.time]);
            finite(&|| format!("hardest contact of body {}", peak.body), all)?;
        }
        finite(&|| "greatest pull".to_owned(), [watch.greatest_pull])?;
        finite(&|| "deepest overlap".to_owned(), [watch.deepest])?;
        finite(&|| "slip of the anchor".to_owned(), [watch.slip, watch.seen.unwrap_or(0.0)])?;
        Ok(Self {
            samples,
            peaks: watch.peaks.each_ref().map(|peak| peak.as_ref().map(StoredPeak::new)),
            last: watch.last.iter().map(StoredPeak::new).collect(),
            deepest: watch.deepest,
            hits: watch.hits,
            slip: watch.slip,
            seen: watch.seen,
            latest,
            greatest_pull: watch.greatest_pull,
        })
    }

    pub(crate) fn watch(&self) -> Watch {
        Watch {
            samples: self.samples.iter().map(sample).collect(),
            peaks: self.peaks.each_ref().map(|peak| peak.as_ref().map(StoredPeak::peak)),
            last: self.last.iter().map(StoredPeak::peak).collect(),
            deepest: self.deepest,
            hits: self.hits,
            slip: self.slip,
            seen: self.seen,
            latest: self.latest.as_ref().map(sample),
            greatest_pull: self.greatest_pull,
        }
    }
}

fn stored(sample: &Sample) -> StoredSample {
    let Sample { time, tension, heaving, entered, pin, speed, tilt, askew, contact_force, flukes } = *sample;
    ([time, tension, heaving, entered], pin.into(), [speed, tilt, askew], contact_force, flukes)
}

fn sample(stored: &StoredSample) -> Sample {
    let ([time, tension, heaving, entered], pin, [speed, tilt, askew], contact_force, flukes) = *stored;
    Sample { time, tension, heaving, entered, pin: pin.into(), speed, tilt, askew, contact_force, flukes }
}

impl StoredPeak {
    fn new(peak: &Peak) -> Self {
        Self { body: peak.body.clone(), force: peak.force, time: peak.time, point: peak.point.into() }
    }

    fn peak(&self) -> Peak {
        Peak { body: self.body.clone(), force: self.force, time: self.time, point: self.point.into() }
    }
}

/// Refuses numbers that are not finite, which JSON cannot hold.
fn finite(what: &dyn Fn() -> String, values: impl IntoIterator<Item = f64>) -> Result<()> {
    match values.into_iter().find(|value| !value.is_finite()) {
        Some(value) => {
            Err(DynamicsError::OutOfRange { field: what(), value, allowed: "finite in a checkpoint" })
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use rattleback_geom::Vec3;

    fn watch() -> Watch {
        let x = |k: usize| (k as f64 + 0.1).sin() / 3.0;
        let peak =
            Peak { body: "head".to_owned(), force: x(0), time: x(1), point: Vec3::new(x(2), x(3), -0.0) };
        let sample = |k: usize| Sample {
            time: x(k),
            tension: x(k + 1),
            heaving: x(k + 2),
            entered: x(k + 3),
            pin: Vec3::new(x(k + 4), x(k + 5), x(k + 6)),
            speed: x(k + 7),
            tilt: x(k + 8),
            askew: x(k + 9),
            contact_force: [x(k + 10), x(k + 11), x(k + 12)],
            flukes: [x(k + 13), x(k + 14)],
        };
        Watch {
            samples: (0..40).map(sample).collect(),
            peaks: [Some(peak.clone()), None, Some(Peak { force: 1e300, ..peak.clone() })],
            last: vec![peak.clone(), peak],
            deepest: x(99),
            hits: 3,
            slip: x(98),
            seen: Some(x(97)),
            latest: Some(sample(41)),
            greatest_pull: x(96),
        }
    }

    #[test]
    fn what_was_seen_comes_back_to_the_bit() {
        let watch = watch();
        let text = serde_json::to_string(&StoredWatch::new(&watch).unwrap()).unwrap();
        let again: StoredWatch = serde_json::from_str(&text).unwrap();
        assert_eq!(format!("{:?}", again.watch()), format!("{watch:?}"));
    }

    #[test]
    fn numbers_that_are_not_finite_are_refused_by_name() {
        let mut wrong = watch();
        wrong.peaks[0].as_mut().unwrap().force = f64::NAN;
        let said = StoredWatch::new(&wrong).unwrap_err().to_string();
        assert!(said.starts_with("hardest contact of body head = NaN"), "{said}");
        let wrong = Watch { deepest: f64::INFINITY, ..watch() };
        assert!(StoredWatch::new(&wrong).unwrap_err().to_string().starts_with("deepest overlap = inf"));
    }
}
