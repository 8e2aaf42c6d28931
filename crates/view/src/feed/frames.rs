//! Frames: where all bodies are at an instant, and how they touch.
//!
//! As bytes, little-endian, positions relative to the origin that `about.rs` tells:
//!
//! | bytes | what |
//! |---|---|
//! | 4 × u32 | first frame, frames, stride, bodies |
//! | per frame: f64, u32, u32 | time in s, contacts, 0 |
//! | per body 7 × f32 | mass centre, unit quaternion w, i, j, k |
//! | per contact 33 × f32 | A, part, B, part, region, gap; points of A and B, normal, point of the force, force on B; normal force, friction, slip, both semi-axes of Hertz's ellipse, pressure; velocity of slip, direction of the ellipse's long axis |

use super::touch::{direction, slip};
use super::{Feed, pose};
use crate::error::{Result, ViewError};
use rattleback_dynamics::Motion;
use rattleback_geom::{Pose, Vec3};
use rattleback_record::{Sheet, TimeIndex, TimedRows};

/// An answer ends with the frame in which it becomes this long.
const BYTES: usize = 4 << 20;
/// Frames in an answer at most.
const FRAMES: u64 = 1024;
/// Frames between two that are wanted, up to which it is cheaper to read on than to look the next one up.
const NEAR: u64 = 4;

/// A contact of a frame.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Contact {
    /// Bodies and parts of A and B.
    pub(crate) bodies: [usize; 2],
    pub(crate) parts: [f64; 2],
    pub(crate) region: f64,
    pub(crate) gap: f64,
    pub(crate) points: [Vec3; 2],
    pub(crate) normal: Vec3,
    pub(crate) force_point: Vec3,
    /// On B, in N.
    pub(crate) force: Vec3,
    pub(crate) normal_force: f64,
    pub(crate) friction_force: f64,
    pub(crate) slip: f64,
    /// Semi-axes of Hertz's ellipse and the greatest pressure; NaN where there is none.
    pub(crate) patch: [f64; 3],
    /// The velocity of B's material against A's across the normal, in m/s.
    pub(crate) slip_velocity: Vec3,
    /// The unit vector along which the gap grows least; zero where no direction is known.
    pub(crate) along: Vec3,
}

/// A frame.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Frame {
    pub(crate) time: f64,
    pub(crate) poses: Vec<Pose>,
    pub(crate) contacts: Vec<Contact>,
}

/// Reads frames one after the other, from wherever the last one ended if that is near.
pub(crate) struct FrameReader<'f> {
    feed: &'f Feed,
    states: Option<(u64, TimedRows)>,
    contacts: Option<TimedRows>,
    with_contacts: bool,
}

impl Feed {
    /// A frame; none where it has not been written.
    pub(crate) fn frame(&self, number: u64, contacts: bool) -> Result<Option<Frame>> {
        self.frame_reader(contacts).read(number)
    }

    pub(crate) fn frame_reader(&self, with_contacts: bool) -> FrameReader<'_> {
        FrameReader { feed: self, states: None, contacts: None, with_contacts }
    }

    /// Some frames as bytes: `count` of them from `first` on, every `stride`-th; fewer where they would be too many
    /// or are not there yet.
    pub fn frame_bytes(&self, first: u64, count: u64, stride: u64, contacts: bool) -> Result<Vec<u8>> {
        let bodies = self.scene.model.bodies().len();
        let stride = stride.clamp(1, u64::from(u32::MAX));
        let mut bytes = vec![0; 16];
        let mut reader = self.frame_reader(contacts);
        let mut written = 0u32;
        for k in 0..count.min(FRAMES) {
            let number = first.saturating_add(k.saturating_mul(stride));
            let Some(frame) = reader.read(number)? else { break };
            self.push_frame(&mut bytes, &frame);
            written += 1;
            if bytes.len() >= BYTES {
                break;
            }
        }
        let first = u32::try_from(first).unwrap_or(u32::MAX);
        for (k, number) in [first, written, stride as u32, bodies as u32].into_iter().enumerate() {
            bytes[4 * k..4 * k + 4].copy_from_slice(&number.to_le_bytes());
        }
        Ok(bytes)
    }

    /// The frames of a list as bytes, numbered from zero; all of them, however many.
    pub(crate) fn chosen_bytes(&self, frames: &[u64]) -> Result<Vec<u8>> {
        let mut bytes = vec![0; 16];
        let mut reader = self.frame_reader(true);
        let mut written = 0u32;
        for number in frames {
            let Some(frame) = reader.read(*number)? else { break };
            self.push_frame(&mut bytes, &frame);
            written += 1;
        }
        let bodies = self.scene.model.bodies().len() as u32;
        for (k, number) in [0, written, 1, bodies].into_iter().enumerate() {
            bytes[4 * k..4 * k + 4].copy_from_slice(&number.to_le_bytes());
        }
        Ok(bytes)
    }

    /// The index of a sheet that is read by time.
    pub(crate) fn index_of<'i>(&self, indices: &'i [TimeIndex], sheet: Sheet) -> &'i TimeIndex {
        &indices[place(sheet)]
    }

    fn push_frame(&self, bytes: &mut Vec<u8>, frame: &Frame) {
        bytes.extend_from_slice(&frame.time.to_le_bytes());
        bytes.extend_from_slice(&(frame.contacts.len() as u32).to_le_bytes());
        bytes.extend_from_slice(&0u32.to_le_bytes());
        let mut push = |x: f64| bytes.extend_from_slice(&(x as f32).to_le_bytes());
        for pose in &frame.poses {
            (pose.position - self.origin).iter().copied().chain(pose.wxyz()).for_each(&mut push);
        }
        for contact in &frame.contacts {
            for k in 0..2 {
                push(contact.bodies[k] as f64);
                push(contact.parts[k]);
            }
            push(contact.region);
            push(contact.gap);
            let place = |p: &Vec3| p - self.origin;
            let [a, b] = &contact.points;
            let vectors = [place(a), place(b), contact.normal, place(&contact.force_point), contact.force];
            vectors.iter().flat_map(|v| v.iter()).copied().for_each(&mut push);
            [contact.normal_force, contact.friction_force, contact.slip].into_iter().for_each(&mut push);
            contact.patch.into_iter().for_each(&mut push);
            [contact.slip_velocity, contact.along].iter().flat_map(|v| v.iter()).copied().for_each(&mut push);
        }
    }
}

impl FrameReader<'_> {
    /// The frame of that number; none where it has not been written as a whole.
    pub(crate) fn read(&mut self, number: u64) -> Result<Option<Frame>> {
        let feed = self.feed;
        if feed.recorded() == 0 {
            let state = &feed.scene.state;
            let poses = state.motions.iter().map(|motion| motion.pose).collect();
            return Ok((number == 0).then_some(Frame { time: state.time, poses, contacts: Vec::new() }));
        }
        let indices = feed.indices();
        let mut rows = match self.states.take() {
            Some((next, mut rows)) if next <= number && number - next <= NEAR => {
                for _ in next..number {
                    rows.skip_instant()?;
                }
                rows
            }
            _ => match indices[place(Sheet::States)].rows_from(number)? {
                Some(rows) => rows,
                None => return Ok(None),
            },
        };
        let Some(time) = rows.time() else { return Ok(None) };
        let bodies = feed.scene.model.bodies().len();
        let mut contacts = if self.with_contacts {
            self.contacts(&indices[place(Sheet::Contacts)], time)?
        } else {
            Vec::new()
        };
        let mut touches = vec![false; bodies];
        contacts.iter().flat_map(|contact| contact.bodies).for_each(|body| touches[body] = true);
        let mut motions = Vec::with_capacity(bodies);
        while rows.time() == Some(time) && motions.len() < bodies {
            let mut numbers = [0.0; 7];
            for (k, number) in numbers.iter_mut().enumerate() {
                *number = rows.number(2 + k)?;
            }
            let mut motion = Motion::at_rest(pose(numbers)?);
            if touches[motions.len()] {
                for k in 0..3 {
                    motion.velocity[k] = rows.number(9 + k)?;
                    motion.angular_velocity_body[k] = rows.number(12 + k)?;
                }
            }
            motions.push(motion);
            rows.advance()?;
        }
        if motions.len() < bodies {
            return Ok(None);
        }
        for contact in &mut contacts {
            contact.slip_velocity = slip(contact, &motions);
            contact.along = direction(contact, &motions, &feed.scene.model);
        }
        let poses = motions.iter().map(|motion| motion.pose).collect();
        self.states = Some((number + 1, rows));
        Ok(Some(Frame { time, poses, contacts }))
    }

    fn contacts(&mut self, index: &TimeIndex, time: f64) -> Result<Vec<Contact>> {
        let is_near = |rows: &TimedRows| rows.time().is_some_and(|own| own == time);
        let rows = match self.contacts.take().filter(is_near) {
            Some(rows) => Some(rows),
            None => index.rows_from_time(time)?,
        };
        let Some(mut rows) = rows else { return Ok(Vec::new()) };
        let mut contacts = Vec::new();
        while rows.time() == Some(time) {
            contacts.push(self.contact(&rows)?);
            rows.advance()?;
        }
        self.contacts = Some(rows);
        Ok(contacts)
    }

    fn contact(&self, rows: &TimedRows) -> Result<Contact> {
        let body = |column: usize| {
            let name = rows.cell(column);
            self.feed.bodies.get(name).copied().ok_or_else(|| ViewError::Request {
                what: "body of a contact",
                found: format!("\"{name}\""),
                expected: "a body of the scene".to_owned(),
            })
        };
        let number = |column: usize| rows.number(column);
        let vector = |first: usize| -> Result<Vec3> {
            Ok(Vec3::new(number(first)?, number(first + 1)?, number(first + 2)?))
        };
        Ok(Contact {
            bodies: [body(1)?, body(3)?],
            parts: [number(2)?, number(4)?],
            region: number(5)?,
            gap: number(6)?,
            points: [vector(7)?, vector(10)?],
            normal: vector(13)?,
            force_point: vector(16)?,
            force: vector(19)?,
            normal_force: number(22)?,
            friction_force: number(23)?,
            slip: number(31)?,
            patch: [number(27)?, number(28)?, number(29)?],
            slip_velocity: Vec3::zeros(),
            along: Vec3::zeros(),
        })
    }
}

/// The place of a sheet among the indices.
pub(super) fn place(sheet: Sheet) -> usize {
    super::TIMED.iter().position(|own| *own == sheet).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contacts_are_read_from_the_columns_that_they_name() {
        let names: Vec<&str> = Sheet::Contacts.columns().iter().map(|column| column.name).collect();
        for (column, name) in [
            (1, "body_a"),
            (2, "part_a"),
            (3, "body_b"),
            (5, "region"),
            (6, "gap_m"),
            (7, "point_a_x_m"),
            (10, "point_b_x_m"),
            (13, "normal_x"),
            (16, "force_point_x_m"),
            (19, "force_x_N"),
            (22, "normal_force_N"),
            (23, "friction_force_N"),
            (27, "patch_long_m"),
            (29, "pressure_Pa"),
            (31, "slip_m_per_s"),
        ] {
            assert_eq!(names[column], name);
        }
        let names: Vec<&str> = Sheet::States.columns().iter().map(|column| column.name).collect();
        assert_eq!((names[2], names[5], names[8]), ("x_m", "qw", "qz"));
        assert_eq!((names[9], names[12], names[14]), ("vx_m_per_s", "wx_rad_per_s", "wz_rad_per_s"));
    }
}
