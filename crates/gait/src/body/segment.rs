//! Segments of whatever markers there are.
//!
//! | segment | from | to |
//! |---|---|---|
//! | trunk | middle of the shoulders (or of C7 and clavicle or sternum) | middle of the hips |
//! | head | its markers' middle | |
//! | upper arm, forearm | shoulder, elbow | elbow, wrist |
//! | hand | wrist | on along the forearm, by 0.32 of its length |
//! | thigh, shank | hip, knee | knee, ankle |
//! | foot | heel (or ankle) | toes |
//!
//! A head's centre of mass is at the height of the ears (Winter), where its markers are; with a marker on its top
//! alone it is taken halfway to the shoulders. What has no markers goes along with what it hangs on, and is named: a
//! head at 1.64 of the way from hips to shoulders (by Winter's shares of trunk, and of trunk and head), arms at the
//! trunk's centre, forearm and hand where the part before them is.

use super::joint::{Places, joint_centres, place};
use super::{MassTable, SegmentKind};
use crate::feet::LONGEST_GAP_S;
use crate::signal::fill_gaps;
use crate::trial::{Landmark as L, Side, Trial};
use crate::{GaitError, Result};
use rattleback_geom::Vec3;

/// A segment with fewer of its frames than this share counts as missing.
const ENOUGH: f64 = 0.8;
/// Where the head is on the line from hips to shoulders: (0.578 · 0.66 − 0.497 · 0.5)/0.081, Winter's Table 4.1.
const HEAD: f64 = 1.64;
/// From wrist to third knuckle, as a share of the forearm: 86.2 mm of 268.9 mm, de Leva's men.
const HAND: f64 = 0.32;

/// A segment along a trial.
#[derive(Debug, Clone, PartialEq)]
pub struct Segment {
    /// What it is.
    pub kind: SegmentKind,
    /// Its side.
    pub side: Side,
    /// Its share of the body's mass; the shares of a body sum up to one.
    pub share: f64,
    /// Its centre of mass in each frame, in m.
    pub centres: Places,
}

/// The segments of a body.
#[derive(Debug, Clone, PartialEq)]
pub struct WholeBody {
    /// The table of mass shares.
    pub table: MassTable,
    /// The segments.
    pub segments: Vec<Segment>,
    /// Segments without markers of their own, in words.
    pub missing: Vec<String>,
    /// How joint centres were found where it was not the usual way.
    pub notes: Vec<String>,
    /// Frames per second.
    pub rate_hz: f64,
}

impl WholeBody {
    /// The segments of a trial.
    pub fn of(trial: &Trial, table: MassTable) -> Result<Self> {
        let trial = &filled(trial)?;
        let mut body = Self {
            table,
            segments: Vec::new(),
            missing: Vec::new(),
            notes: Vec::new(),
            rate_hz: trial.rate_hz,
        };
        let legs = Side::BOTH.map(|side| (side, joint_centres(trial, side)));
        let count = trial.times.len();
        let hips = middle(&legs[0].1.hip, &legs[1].1.hip);
        if is_absent(&hips) {
            return Err(GaitError::unsupported(
                "the whole body",
                "the hips cannot be told: it needs markers on both anterior iliac spines and on the sacrum or both \
                 posterior ones",
            ));
        }
        let shoulders = shoulders(trial);
        if is_absent(&shoulders) {
            return Err(GaitError::unsupported(
                "the whole body",
                "the trunk cannot be told: it needs markers on both shoulders, or on C7 and clavicle or sternum",
            ));
        }
        let trunk = along(&shoulders, &hips, table.of(SegmentKind::Trunk).1);
        body.add_head(&head(trial, &shoulders), &along(&hips, &shoulders, HEAD));
        body.add(SegmentKind::Trunk, Side::Middle, trunk.clone());
        for (side, leg) in legs {
            body.notes.extend(leg.notes.clone());
            body.add_arm(trial, side, &trunk);
            let foot = foot(trial, side, &leg.ankle, table);
            let thigh = along(&leg.hip, &leg.knee, table.of(SegmentKind::Thigh).1);
            let shank = along(&leg.knee, &leg.ankle, table.of(SegmentKind::Shank).1);
            for (kind, centres) in
                [(SegmentKind::Thigh, thigh), (SegmentKind::Shank, shank), (SegmentKind::Foot, foot)]
            {
                if is_absent(&centres) {
                    let reason = format!(
                        "the {} {} cannot be told: a leg needs markers on knee, ankle, heel and toes, or a static trial that has \
                         them and three markers on thigh and shank",
                        side.word(),
                        kind.word()
                    );
                    return Err(GaitError::unsupported("the whole body", reason));
                }
                body.add(kind, side, centres);
            }
        }
        debug_assert!(body.segments.iter().all(|s| s.centres.len() == count));
        let total: f64 = body.segments.iter().map(|s| s.share).sum();
        body.segments.iter_mut().for_each(|s| s.share /= total);
        Ok(body)
    }

    fn add(&mut self, kind: SegmentKind, side: Side, centres: Places) {
        self.segments.push(Segment { kind, side, share: self.table.of(kind).0, centres });
    }

    fn add_head(&mut self, own: &Places, carried: &Places) {
        if is_absent(own) {
            self.missing.push("head: it goes along with the trunk".to_owned());
        }
        self.add(SegmentKind::Head, Side::Middle, if is_absent(own) { carried } else { own }.clone());
    }

    fn add_arm(&mut self, trial: &Trial, side: Side, trunk: &Places) {
        let at = |l: L| -> Places { (0..trial.times.len()).map(|i| place(trial, l, side, i)).collect() };
        let either = |a: Places, b: Places| if is_absent(&b) { a } else { middle(&a, &b) };
        let shoulder = at(L::Shoulder);
        let elbow = either(at(L::ElbowLateral), at(L::ElbowMedial));
        let wrist = either(at(L::WristRadial), at(L::WristUlnar));
        let share = |kind| self.table.of(kind).1;
        let upper = along(&shoulder, &elbow, share(SegmentKind::UpperArm));
        let fore = along(&elbow, &wrist, share(SegmentKind::Forearm));
        let hand = along(&elbow, &wrist, 1.0 + HAND * share(SegmentKind::Hand));
        // A part without markers is where the part before it is.
        let mut before = trunk.clone();
        let parts = [(SegmentKind::UpperArm, upper), (SegmentKind::Forearm, fore), (SegmentKind::Hand, hand)];
        for (kind, own) in parts {
            if is_absent(&own) {
                self.missing.push(format!(
                    "{} {}: it goes along with what it hangs on",
                    side.word(),
                    kind.word()
                ));
            } else {
                before = own;
            }
            self.add(kind, side, before.clone());
        }
    }
}

/// The trial with its short gaps filled.
fn filled(trial: &Trial) -> Result<Trial> {
    let mut trial = trial.clone();
    let longest = (LONGEST_GAP_S * trial.rate_hz).ceil() as usize;
    for marker in &mut trial.markers {
        marker.positions = fill_gaps(&marker.positions, longest)?.0;
    }
    Ok(trial)
}

fn is_absent(places: &Places) -> bool {
    let present = places.iter().flatten().count();
    (present as f64) < ENOUGH * places.len() as f64
}

/// The point at a share of the way from one place to another.
fn along(from: &Places, to: &Places, share: f64) -> Places {
    from.iter().zip(to).map(|(a, b)| Some((*a)? + ((*b)? - (*a)?) * share)).collect()
}

fn middle(a: &Places, b: &Places) -> Places {
    along(a, b, 0.5)
}

fn shoulders(trial: &Trial) -> Places {
    let at = |l: L, side: Side, i: usize| place(trial, l, side, i);
    let pair = |i: usize| Some((at(L::Shoulder, Side::Right, i)? + at(L::Shoulder, Side::Left, i)?) / 2.0);
    let spine = |i: usize| {
        let front = at(L::Clavicle, Side::Middle, i).or_else(|| at(L::Sternum, Side::Middle, i))?;
        Some((at(L::C7, Side::Middle, i)? + front) / 2.0)
    };
    // One definition for the whole trial: a change between them would be a jump.
    let pairs: Places = (0..trial.times.len()).map(pair).collect();
    if is_absent(&pairs) { (0..trial.times.len()).map(spine).collect() } else { pairs }
}

fn head(trial: &Trial, shoulders: &Places) -> Places {
    let at = |l: L, side: Side, i: usize| place(trial, l, side, i);
    let pair = |l: L, i: usize| Some((at(l, Side::Right, i)? + at(l, Side::Left, i)?) / 2.0);
    let count = trial.times.len();
    let front: Places = (0..count).map(|i| pair(L::HeadFront, i)).collect();
    let back: Places = (0..count).map(|i| pair(L::HeadBack, i)).collect();
    match (is_absent(&front), is_absent(&back)) {
        (false, false) => middle(&front, &back),
        (false, true) => front,
        (true, false) => back,
        (true, true) => {
            let top: Places = (0..count).map(|i| at(L::HeadTop, Side::Middle, i)).collect();
            middle(&top, shoulders)
        }
    }
}

fn foot(trial: &Trial, side: Side, ankle: &Places, table: MassTable) -> Places {
    let at = |l: L| -> Places { (0..trial.times.len()).map(|i| place(trial, l, side, i)).collect() };
    let share = table.of(SegmentKind::Foot).1;
    let heads = middle(&at(L::MetatarsalFirst), &at(L::MetatarsalFifth));
    let heads = if is_absent(&heads) { at(L::MetatarsalSecond) } else { heads };
    let (heel, tip) = (at(L::Heel), at(L::ToeTip));
    let by_length = along(&heel, if is_absent(&tip) { &heads } else { &tip }, share);
    let by_ankle = along(ankle, &heads, share);
    let is_first = table == MassTable::Winter && !is_absent(&by_ankle);
    if is_first || is_absent(&by_length) { by_ankle } else { by_length }
}

/// The mean of segments by their mass, where all are there.
pub(super) fn weighted(segments: &[Segment], frame: usize) -> Option<Vec3> {
    segments.iter().map(|s| s.centres[frame].map(|c| c * s.share)).sum()
}
