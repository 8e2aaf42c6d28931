//! Pictures of a run at instants, from its records: bodies, contact points and forces.

use super::Report;
use super::curve::Sheets;
use crate::error::{RecordError, Result};
use crate::picture::{Arrow, Marks, Picture, Shot, Stage};
use rattleback_dynamics::{BodyId, Motion};
use rattleback_geom::{Pose, Vec3};

/// Instants at which an automatic camera must see everything.
const LOOKS: usize = 60;
/// Width over height.
const ASPECT: f64 = 16.0 / 9.0;

impl Report<'_> {
    /// The pictures.
    pub(super) fn pictures(&self, sheets: &Sheets) -> Result<Vec<Picture>> {
        let bodies = self.model.bodies().len();
        let times = sheets.energies.numbers("time_s")?;
        let whole = times.len().min(sheets.states.rows() / bodies.max(1));
        if whole == 0 {
            return Ok(Vec::new());
        }
        let mut stage = Stage::new(self.model)?;
        for (i, look) in self.looks.iter().enumerate().take(bodies) {
            stage.set_look(BodyId(i), *look)?;
        }
        let camera = match self.camera {
            Some(camera) => camera,
            None => {
                let step = whole.div_ceil(LOOKS);
                let rows = (0..whole).step_by(step).chain([whole - 1]);
                let instants = rows.map(|row| self.motions(sheets, row)).collect::<Result<Vec<_>>>()?;
                stage.camera(instants.iter().map(Vec::as_slice), ASPECT)?
            }
        };
        let mut pictures = Vec::new();
        let mut last = None;
        for instant in &self.instants {
            let after = times[..whole].partition_point(|time| time < instant).min(whole - 1);
            let row = if after > 0 && instant - times[after - 1] < times[after] - instant {
                after - 1
            } else {
                after
            };
            // A run that was stopped early has fewer instants.
            if last.replace(row) == Some(row) {
                continue;
            }
            let marks = self.marks(sheets, times[row])?;
            let label = format!("t = {} s", (times[row] * 1e6).round() / 1e6);
            pictures
                .push(stage.draw(&self.motions(sheets, row)?, &Shot { label, marks, ..Shot::new(camera) })?);
        }
        Ok(pictures)
    }

    /// The motions of a record, as far as pictures need them.
    fn motions(&self, sheets: &Sheets, row: usize) -> Result<Vec<Motion>> {
        let bodies = self.model.bodies().len();
        let column = |name: &str| sheets.states.numbers(name);
        let [x, y, z] = [column("x_m")?, column("y_m")?, column("z_m")?];
        let [w, i, j, k] = [column("qw")?, column("qx")?, column("qy")?, column("qz")?];
        (row * bodies..(row + 1) * bodies)
            .map(|n| {
                let pose = Pose::from_parts([x[n], y[n], z[n]], [w[n], i[n], j[n], k[n]]);
                let pose = pose.map_err(|error| RecordError::Picture {
                    what: format!("row {} of the states", n + 1),
                    reason: error.to_string(),
                })?;
                Ok(Motion::at_rest(pose))
            })
            .collect()
    }

    /// The contacts of a record.
    fn marks(&self, sheets: &Sheets, time: f64) -> Result<Marks> {
        let contacts = &sheets.contacts;
        let times = contacts.numbers("time_s")?;
        let vector = |names: [&str; 3], row: usize| -> Result<Vec3> {
            let [x, y, z] = names.map(|name| contacts.numbers(name));
            Ok(Vec3::new(x?[row], y?[row], z?[row]))
        };
        let bodies = contacts.text("body_b")?;
        let mut marks = Marks::default();
        let begin = times.partition_point(|other| *other < time);
        for row in (begin..times.len()).take_while(|row| times[*row] == time) {
            let at = vector(["force_point_x_m", "force_point_y_m", "force_point_z_m"], row)?;
            let force = vector(["force_x_N", "force_y_N", "force_z_N"], row)?;
            let free = self.model.find(bodies[row]).is_some_and(|body| self.model.body(body).is_free());
            marks.points.push(at);
            marks.forces.push(Arrow { at, force: if free { force } else { -force } });
        }
        Ok(marks)
    }
}
