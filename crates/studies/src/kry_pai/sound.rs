//! The sound of the rattleback from its smooth contact force (the end of the introduction, and van den Doel, Kry and
//! Pai, FoleyAutomatic, 2001): the force at audio rate drives damped modes.
//!
//!   f(t) = N(t) (1 + ε ζ(s(t))),   ÿₖ + 2 dₖ ẏₖ + ωₖ² yₖ = f − f(0),   sound = Σ aₖ ωₖ² yₖ
//!
//! N is the normal force and s the way of the contact point over the table, both at the ends of steps of 1 ms at most
//! and between them cubics with the slopes of differences; ζ is the roughness of the table along that way, random and
//! smooth, of unit variance; ε = 0 is polished. The modes are those of a free bar, in the ratios 1 : 2.757 : 5.404 :
//! 8.933, and exact for a force that is constant over a sample:
//!
//!   yₖ(n+1) = 2 r cos θ yₖ(n) − r² yₖ(n−1) + (1 − 2 r cos θ + r²) f(n)/ωₖ²,   r = e^(−d T), θ = √(ω² − d²) T
//!
//! which has the right static answer and the right poles; its zeros differ from those of the exact one by O(ωT).
//!
//! The paper's claim is that smooth and contiguous forces do not produce audible artifacts. It is measured: the sound
//! of the polished stone, and that of the same force held from frame to frame, at 60 frames per second.

use super::stone::{self, Damping, SPIN};
use crate::Result;
use rattleback_dynamics::Accuracy;
use rattleback_dynamics::rolling::{Rolling, Settings};
use rattleback_record::{Document, Table};
use std::f64::consts::TAU;

/// Samples per second.
pub const RATE: u32 = 44_100;
/// How long the sound is, in s.
pub const DURATION: f64 = 12.0;
/// The longest step of the motion, in s.
const STEP: f64 = 1e-3;
/// ε.
const ROUGHNESS: f64 = 0.02;
/// The distance of the grains of the table, in m.
const GRAIN: f64 = 2e-4;
/// Frames per second of a force that is held.
const FRAMES: f64 = 60.0;
/// Frequency in Hz, decay rate in 1/s and share of each mode.
const MODES: [[f64; 3]; 4] =
    [[310.0, 9.0, 1.0], [854.7, 14.0, 0.7], [1675.2, 22.0, 0.5], [2769.2, 36.0, 0.3]];

/// The contact at the end of a step: time in s, normal force in N, way of the contact point in m.
pub type Knot = [f64; 3];

/// What a stone sounds like.
#[derive(Debug, Clone, PartialEq)]
pub struct Sound {
    /// Samples at [`RATE`], in the units of the force.
    pub samples: Vec<f64>,
}

/// Follows the stone and notes its contact at every step.
pub fn knots(duration: f64) -> Result<Vec<Knot>> {
    let scene = stone::scene(Damping::default(), SPIN)?;
    let settings = Settings {
        accuracy: Accuracy { relative: 1e-9, absolute: 1e-11 },
        longest_step: STEP,
        ..Settings::default()
    };
    let mut run = Rolling::new(&scene.model, scene.state.clone(), settings)?;
    let (mut knots, mut way, mut last) = (Vec::new(), 0.0, None);
    run.advance(duration, &mut |now| {
        if let Some((_, contact)) = now.active_contacts.first() {
            let point = contact.force.point;
            way += last.map_or(0.0, |last: rattleback_geom::Vec3| (point - last).norm());
            last = Some(point);
            if knots.last().is_none_or(|knot: &Knot| now.state.time > knot[0]) {
                knots.push([now.state.time, contact.force.normal, way]);
            }
        }
        Ok(())
    })?;
    Ok(knots)
}

/// Force and way at audio rate: cubics between the knots, with the slopes of the knots beside them.
pub fn at_audio_rate(knots: &[Knot]) -> Vec<[f64; 2]> {
    let [Some(first), Some(last)] = [knots.first(), knots.last()] else { return Vec::new() };
    let count = ((last[0] - first[0]) * f64::from(RATE)) as usize;
    let slope = |k: usize, of: usize| {
        let (a, b) = (k.saturating_sub(1), (k + 1).min(knots.len() - 1));
        let time = knots[b][0] - knots[a][0];
        if time > 0.0 { (knots[b][of] - knots[a][of]) / time } else { 0.0 }
    };
    let (mut out, mut k) = (Vec::with_capacity(count), 0);
    for n in 0..count {
        let t = first[0] + n as f64 / f64::from(RATE);
        while k + 2 < knots.len() && knots[k + 1][0] < t {
            k += 1;
        }
        let h = knots[k + 1][0] - knots[k][0];
        let s = ((t - knots[k][0]) / h).clamp(0.0, 1.0);
        out.push([1, 2].map(|of| {
            let (a, b) = (knots[k][of], knots[k + 1][of]);
            let (from, to) = (h * slope(k, of) - (b - a), h * slope(k + 1, of) - (b - a));
            a + s * (b - a) + s * (1.0 - s) * ((1.0 - s) * from - s * to)
        }));
    }
    out
}

/// ζ: a random number of unit variance at every grain, and a smooth way between them.
fn roughness(way: f64) -> f64 {
    let at = way / GRAIN;
    let grain = |k: f64| {
        let mut state = rattleback_random::stream(7, k as u64);
        // Of unit variance: uniform over ±√3.
        (2.0 * rattleback_random::unit(&mut state) - 1.0) * 3f64.sqrt()
    };
    let (k, s) = (at.floor(), at - at.floor());
    let blend = s * s * (3.0 - 2.0 * s);
    grain(k) * (1.0 - blend) + grain(k + 1.0) * blend
}

/// The modes under a force at audio rate; they begin at rest under its first value.
pub fn through_modes(force: &[f64]) -> Sound {
    let first = force.first().copied().unwrap_or(0.0);
    let mut samples = vec![0.0; force.len()];
    for [frequency, decay, share] in MODES {
        let (step, omega) = (1.0 / f64::from(RATE), TAU * frequency);
        let (r, theta) = ((-decay * step).exp(), (omega * omega - decay * decay).sqrt() * step);
        let (a, b) = (2.0 * r * theta.cos(), r * r);
        let (mut before, mut here) = (0.0, 0.0);
        for (sample, force) in samples.iter_mut().zip(force) {
            let next = a * here - b * before + (1.0 - a + b) * (force - first);
            (before, here) = (here, next);
            *sample += share * next;
        }
    }
    Sound { samples }
}

/// The sound of the contact force, on a table with grains or a polished one.
pub fn of(force: &[[f64; 2]], rough: bool) -> Sound {
    let share = if rough { ROUGHNESS } else { 0.0 };
    let driven: Vec<f64> = force.iter().map(|[n, way]| n * (1.0 + share * roughness(*way))).collect();
    through_modes(&driven)
}

/// The sound of the same force held from frame to frame.
pub fn of_frames(force: &[[f64; 2]]) -> Sound {
    let span = (f64::from(RATE) / FRAMES) as usize;
    let held: Vec<f64> = (0..force.len()).map(|n| force[n / span * span][0]).collect();
    through_modes(&held)
}

impl Sound {
    /// What is left of it where a quarter of a period of the first mode is far longer than its changes: the mean power
    /// of its second differences in dB, against that of another.
    pub fn level_against(&self, other: &Self) -> f64 {
        10.0 * (self.roughness() / other.roughness()).log10()
    }

    fn roughness(&self) -> f64 {
        let n = self.samples.len().max(3) - 2;
        self.samples.windows(3).map(|w| (w[2] - 2.0 * w[1] + w[0]).powi(2)).sum::<f64>() / n as f64
    }

    /// The sound as a WAV file: one channel, 16 bits, as loud as that allows.
    pub fn to_wav(&self) -> Vec<u8> {
        let n = self.samples.len().max(1) as f64;
        let mean = self.samples.iter().sum::<f64>() / n;
        let most = self.samples.iter().map(|x| (x - mean).abs()).fold(f64::MIN_POSITIVE, f64::max);
        let data: Vec<u8> = self
            .samples
            .iter()
            .flat_map(|x| ((0.9 * 32767.0 * (x - mean) / most).round() as i16).to_le_bytes())
            .collect();
        wav(&data)
    }
}

/// RIFF, WAVE, one channel of 16-bit samples.
fn wav(data: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(44 + data.len());
    let size = data.len() as u32;
    out.extend(b"RIFF");
    out.extend((36 + size).to_le_bytes());
    out.extend(b"WAVEfmt ");
    out.extend(16u32.to_le_bytes());
    // PCM, one channel.
    out.extend(1u16.to_le_bytes());
    out.extend(1u16.to_le_bytes());
    out.extend(RATE.to_le_bytes());
    out.extend((2 * RATE).to_le_bytes());
    out.extend(2u16.to_le_bytes());
    out.extend(16u16.to_le_bytes());
    out.extend(b"data");
    out.extend(size.to_le_bytes());
    out.extend(data);
    out
}

/// Adds what the sounds are like, over some seconds.
pub(super) fn add(report: &mut Document, duration: f64) -> Result<()> {
    let force = at_audio_rate(&knots(duration)?);
    let (rough, smooth, frames) = (of(&force, true), of(&force, false), of_frames(&force));
    let mut table = Table::new(["force", "audible part against the rough table, dB"]);
    for (name, sound) in [
        ("smooth, on a table with grains", &rough),
        ("smooth, on a polished table", &smooth),
        ("the same, held for 1/60 s at a time", &frames),
    ] {
        table.push([name.to_owned(), format!("{:.1}", sound.level_against(&rough))]);
    }
    report.table("The sound of the rattleback: its contact force at 44.1 kHz through four modes", table);
    report.text(
        "The audible part is the mean power of second differences of the sound; `study kry-pai --sound FILE.wav` writes the first \
         of them.",
    );
    let quieter = frames.level_against(&smooth);
    if quieter > 20.0 {
        report.text(format!(
            "Smooth and contiguous forces bring in no clicks: the same force held from frame to frame is {quieter:.0} dB louder on a \
             polished table."
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn modes_ring_at_their_frequencies_and_yield_as_a_spring_to_a_lasting_force() {
        // A force that sets in at once: in the end every mode has yielded by its share of it.
        let mut force = vec![0.0; 2 * RATE as usize];
        force[1..].fill(3.0);
        let sound = through_modes(&force);
        let shares: f64 = MODES.iter().map(|mode| mode[2]).sum();
        assert!((sound.samples[force.len() - 1] - 3.0 * shares).abs() < 1e-6);
        // Meanwhile the first mode is left last, and passes its middle twice in a period.
        let late = &sound.samples[RATE as usize / 2..];
        let passes = late.windows(2).filter(|w| (w[0] - 3.0 * shares) * (w[1] - 3.0 * shares) < 0.0).count();
        let frequency = 0.5 * passes as f64 / (late.len() as f64 / f64::from(RATE));
        assert!((frequency / MODES[0][0] - 1.0).abs() < 0.01, "{frequency} Hz");
    }

    #[test]
    fn cubics_at_audio_rate_follow_a_smooth_force() {
        let f = |t: f64| 10.0 + (TAU * 3.0 * t).sin();
        let knots: Vec<Knot> = (0..=500).map(|k| f64::from(k) * 1e-3).map(|t| [t, f(t), t]).collect();
        for (n, [force, way]) in at_audio_rate(&knots).into_iter().enumerate() {
            let t = n as f64 / f64::from(RATE);
            // Within the ends, where slopes are taken from both sides.
            if (1e-3..0.499).contains(&t) {
                assert!((force - f(t)).abs() < 1e-6 && (way - t).abs() < 1e-12, "{t}");
            }
        }
    }

    #[test]
    fn a_smooth_force_is_far_quieter_than_one_held_from_frame_to_frame() {
        let force = at_audio_rate(&knots(1.0).unwrap());
        assert!((force.len() as f64 / f64::from(RATE) - 1.0).abs() < 0.01);
        let smooth = of(&force, false);
        assert!(
            smooth.level_against(&of_frames(&force)) < -20.0,
            "{}",
            smooth.level_against(&of_frames(&force))
        );
        let file = smooth.to_wav();
        assert_eq!(
            (&file[..4], &file[8..16], file.len()),
            (&b"RIFF"[..], &b"WAVEfmt "[..], 44 + 2 * force.len())
        );
        let loudest = file[44..].chunks(2).map(|b| i32::from(i16::from_le_bytes([b[0], b[1]])).abs()).max();
        assert_eq!(loudest, Some(29490));
    }
}
