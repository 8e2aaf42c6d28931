//! What was seen of a manoeuvre, as JSON: the verdict on a run that was taken up again is that on one that was not.

use super::stored::finite;
use crate::error::Result;
use rattleback_dynamics::manoeuvre::{Peak, Sample, Watch};
use serde::{Deserialize, Serialize};

/// The mirror of [`Watch`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct StoredWatch {
    samples: Vec<StoredSample>,
    peaks: [Option<StoredPeak>; 3],
    last: Vec<StoredPeak>,
    deepest: f64,
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
    pub(super) fn new(watch: &Watch) -> Result<Self> {
        let samples: Vec<StoredSample> = watch.samples.iter().map(stored).collect();
        for (a, b, c, d, e) in &samples {
            let all = a.iter().chain(b).chain(c).chain(d).chain(e);
            finite(&|| "sample of the manoeuvre".to_owned(), all.copied())?;
        }
        for peak in watch.peaks.iter().flatten().chain(&watch.last) {
            let all = peak.point.iter().copied().chain([peak.force, peak.time]);
            finite(&|| format!("hardest contact of body {}", peak.body), all)?;
        }
        finite(&|| "deepest overlap".to_owned(), [watch.deepest])?;
        Ok(Self {
            samples,
            peaks: watch.peaks.each_ref().map(|peak| peak.as_ref().map(StoredPeak::new)),
            last: watch.last.iter().map(StoredPeak::new).collect(),
            deepest: watch.deepest,
        })
    }

    pub(super) fn watch(&self) -> Watch {
        Watch {
            samples: self.samples.iter().map(sample).collect(),
            peaks: self.peaks.each_ref().map(|peak| peak.as_ref().map(StoredPeak::peak)),
            last: self.last.iter().map(StoredPeak::peak).collect(),
            deepest: self.deepest,
        }
    }
}

fn stored(sample: &Sample) -> StoredSample {
    let Sample { time, tension, heaving, entered, pin, speed, tilt, askew, pressed, flukes } = *sample;
    ([time, tension, heaving, entered], pin.into(), [speed, tilt, askew], pressed, flukes)
}

fn sample(stored: &StoredSample) -> Sample {
    let ([time, tension, heaving, entered], pin, [speed, tilt, askew], pressed, flukes) = *stored;
    Sample { time, tension, heaving, entered, pin: pin.into(), speed, tilt, askew, pressed, flukes }
}

impl StoredPeak {
    fn new(peak: &Peak) -> Self {
        Self { body: peak.body.clone(), force: peak.force, time: peak.time, point: peak.point.into() }
    }

    fn peak(&self) -> Peak {
        Peak { body: self.body.clone(), force: self.force, time: self.time, point: self.point.into() }
    }
}
