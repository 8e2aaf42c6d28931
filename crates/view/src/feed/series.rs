//! Columns over time, at every frame of a range or at every so many of them.
//!
//! As bytes: 2 × u32 points and curves, then f64: the times, then the values of each curve.

use super::Feed;
use super::frames::place;
use crate::error::{Result, ViewError};
use rattleback_record::report::Curve;
use rattleback_record::{Sheet, TimedRows};

/// Points of a curve at most; a longer run is drawn through every so many frames.
pub(crate) const POINTS: u64 = 4000;
/// Curves of a request at most.
const CURVES: usize = 24;
/// Frames up to which it is cheaper to read on than to look the next one up.
const NEAR: u64 = 16;

impl Feed {
    /// Curves by name, as `rattleback plot` has them, at frames `first`, `first + stride` and so on, at most `count`.
    pub fn series_bytes(&self, names: &[&str], first: u64, count: u64, stride: u64) -> Result<Vec<u8>> {
        let (times, values) = self.series(names, first, count, stride)?;
        let mut bytes = (times.len() as u32).to_le_bytes().to_vec();
        bytes.extend_from_slice(&(values.len() as u32).to_le_bytes());
        for number in times.iter().chain(values.iter().flatten()) {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        Ok(bytes)
    }

    /// The same as numbers.
    pub(crate) fn series(
        &self,
        names: &[&str],
        first: u64,
        count: u64,
        stride: u64,
    ) -> Result<(Vec<f64>, Vec<Vec<f64>>)> {
        if names.len() > CURVES {
            let expected = format!("at most {CURVES}");
            return Err(ViewError::Request { what: "curves", found: names.len().to_string(), expected });
        }
        let curves = names.iter().map(|name| Curve::parse(name, &self.scene.model));
        let curves = curves.collect::<std::result::Result<Vec<_>, _>>()?;
        let (count, stride) = (count.min(POINTS), stride.max(1));
        let wanted = (0..count).map(|k| first.saturating_add(k.saturating_mul(stride)));
        let recorded = self.recorded();
        if recorded == 0 {
            return Ok((Vec::new(), vec![Vec::new(); curves.len()]));
        }
        let wanted: Vec<u64> = wanted.take_while(|frame| *frame < recorded).collect();
        let mut values = vec![Vec::with_capacity(wanted.len()); curves.len()];
        let times = self.times(&wanted)?;
        for (curve, values) in curves.iter().zip(&mut values) {
            self.sample(curve, &wanted[..times.len()], &times, values)?;
        }
        Ok((times, values))
    }

    /// The times of frames, from the energies, which have one row per frame.
    fn times(&self, frames: &[u64]) -> Result<Vec<f64>> {
        let indices = self.indices();
        let index = &indices[place(Sheet::Energies)];
        let mut times = Vec::with_capacity(frames.len());
        let mut rows: Option<(u64, TimedRows)> = None;
        for &frame in frames {
            let mut found = match rows.take() {
                Some((next, mut rows)) if frame - next <= NEAR => {
                    (next..frame).try_for_each(|_| rows.skip_instant())?;
                    rows
                }
                _ => match index.rows_from(frame)? {
                    Some(rows) => rows,
                    // Energies are written last.
                    None => break,
                },
            };
            let Some(time) = found.time() else { break };
            times.push(time);
            found.skip_instant()?;
            rows = Some((frame + 1, found));
        }
        Ok(times)
    }

    fn sample(&self, curve: &Curve, frames: &[u64], times: &[f64], values: &mut Vec<f64>) -> Result<()> {
        let indices = self.indices();
        let index = &indices[place(curve.sheet())];
        let mut rows: Option<TimedRows> = None;
        let mut last = 0;
        for (&frame, &time) in frames.iter().zip(times) {
            if rows.is_none() || frame - last > NEAR {
                rows = index.rows_from_time(time)?;
            }
            last = frame;
            values.push(match &mut rows {
                Some(rows) => curve.value_at(time, rows)?,
                None => f64::NAN,
            });
        }
        Ok(())
    }
}
