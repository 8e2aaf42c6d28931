//! Pictures of a run at instants, from its records: bodies, contact points and forces.

use super::Report;
use super::curve::Sheets;
use crate::error::{RecordError, Result};
use crate::picture::{Arrow, Camera, Marks, Picture, Shot, Stage};
use rattleback_dynamics::{BodyId, Motion};
use rattleback_geom::{Pose, Vec3};

/// Instants at which an automatic camera must see everything.
const LOOKS: usize = 60;
/// Width over height.
const ASPECT: f64 = 16.0 / 9.0;
/// Pixels of the pictures on the page.
const SIZE: [u32; 2] = [1280, 720];

/// A run before the camera.
struct View<'r> {
    report: &'r Report<'r>,
    sheets: &'r Sheets,
    stage: Stage,
    camera: Camera,
    times: &'r [f64],
}

impl View<'_> {
    /// The record nearest to an instant.
    fn row(&self, instant: f64) -> usize {
        let times = self.times;
        let after = times.partition_point(|time| *time < instant).min(times.len() - 1);
        if after > 0 && instant - times[after - 1] < times[after] - instant { after - 1 } else { after }
    }

    /// The picture of a record.
    fn picture(&self, row: usize, [width, height]: [u32; 2]) -> Result<Picture> {
        let time = self.times[row];
        let marks = self.report.marks(self.sheets, time)?;
        let label = format!("t = {} s", (time * 1e6).round() / 1e6);
        let shot = Shot { camera: self.camera, width, height, label, marks };
        self.stage.draw(&self.report.motions(self.sheets, row)?, &shot)
    }
}

impl Report<'_> {
    /// The picture at an instant, so many pixels wide; none where nothing has been recorded.
    pub fn picture(&self, sheets: &Sheets, instant: f64, width: u32) -> Result<Option<Picture>> {
        let height = (f64::from(width) / ASPECT).round() as u32;
        let Some(view) = self.view(sheets)? else { return Ok(None) };
        view.picture(view.row(instant), [width, height]).map(Some)
    }

    /// The pictures.
    pub(super) fn pictures(&self, sheets: &Sheets) -> Result<Vec<Picture>> {
        let Some(view) = self.view(sheets)? else { return Ok(Vec::new()) };
        let mut rows: Vec<usize> = self.instants.iter().map(|instant| view.row(*instant)).collect();
        // A run that was stopped early has fewer instants.
        rows.dedup();
        rows.into_iter().map(|row| view.picture(row, SIZE)).collect()
    }

    /// All that the pictures have in common; none where nothing has been recorded.
    fn view<'r>(&'r self, sheets: &'r Sheets) -> Result<Option<View<'r>>> {
        let bodies = self.model.bodies().len();
        let times = sheets.energies.numbers("time_s")?;
        let whole = times.len().min(sheets.states.rows() / bodies.max(1));
        if whole == 0 {
            return Ok(None);
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
        Ok(Some(View { report: self, sheets, stage, camera, times: &times[..whole] }))
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
            let free = self.model.find(bodies[row]).is_some_and(|body| self.model.bodies()[body.0].is_free());
            marks.points.push(at);
            marks.forces.push(Arrow { at, force: if free { force } else { -force } });
        }
        Ok(marks)
    }
}
