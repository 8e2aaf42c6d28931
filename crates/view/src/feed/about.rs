//! What a page has to know once: bodies, joints, camera, columns; and, again and again, how far the run is.

use super::Feed;
use crate::error::Result;
use rattleback_dynamics::BodyId;
use rattleback_geom::Vec3;
use rattleback_record::report::Spring;
use rattleback_record::{Column, Kind, Sheet};
use serde_json::{Map, Value, json};

impl Feed {
    /// All that does not change.
    pub fn about(&self) -> Result<Value> {
        let model = &self.scene.model;
        let camera = self.camera();
        let bodies: Vec<Value> = model
            .bodies()
            .iter()
            .enumerate()
            .map(|(k, body)| {
                json!({
                    "name": body.name,
                    "free": body.is_free(),
                    "hidden": self.scene.looks.get(k).is_some_and(|look| look.hidden),
                    "colour": self.stage().colour_of(BodyId(k)),
                    "parts": body.parts.len(),
                })
            })
            .collect();
        let joints: Vec<&str> = model.joints().iter().map(|joint| joint.name.as_str()).collect();
        let places: Vec<Value> = model
            .joints()
            .iter()
            .map(|joint| {
                let ends = [&joint.a, &joint.b]
                    .map(|end| json!({"body": end.body.0, "point": array(&end.pose.position)}));
                json!(ends)
            })
            .collect();
        let plots: Vec<Value> = self
            .scene
            .output
            .plots
            .iter()
            .map(|plot| {
                let curves: Vec<&str> = plot.curves.iter().map(|curve| curve.value.as_str()).collect();
                json!({"title": plot.title, "curves": curves})
            })
            .collect();
        let mut sheets: Map<String, Value> =
            Sheet::ALL.map(|sheet| (sheet.name().to_owned(), columns(sheet.columns()))).into_iter().collect();
        let springs = Spring::all(model);
        // What no sheet has, by the name of each.
        for spring in &springs {
            sheets.insert(spring.name.clone(), columns(spring.columns()));
        }
        let springs: Vec<Value> =
            springs.iter().map(|spring| json!({"name": spring.name, "between": spring.between})).collect();
        Ok(json!({
            "title": self.scene.title,
            "description": self.scene.description,
            "folder": self.folder().map(|folder| folder.display().to_string()),
            "verdict": self.verdict(),
            "bodies": bodies,
            "joints": joints,
            "jointPlaces": places,
            "windlasses": model.windlasses().count(),
            "springs": springs,
            "plots": plots,
            "sheets": sheets,
            "up": array(&self.stage().up()),
            "origin": array(&self.origin),
            "camera": {
                "eye": array(&(camera.eye - self.origin)),
                "target": array(&(camera.target - self.origin)),
                "up": array(&camera.up),
                "fov": camera.field_of_view,
            },
            "status": self.status()?,
        }))
    }

    /// How far the run is.
    pub fn status(&self) -> Result<Value> {
        let manifest = self.manifest()?;
        let last = self.indices().first().and_then(|index| index.last_time());
        let begin = self.scene.state.time;
        let end = manifest.as_ref().map_or(self.scene.duration, |manifest| manifest.end_s);
        let interval = manifest.as_ref().map_or(self.scene.output.every, |manifest| manifest.interval_s);
        Ok(json!({
            "frames": self.frames(),
            "recorded": self.recorded(),
            "begin": begin,
            "last": last.unwrap_or(begin),
            "end": end,
            "interval": interval,
            "state": manifest.as_ref().map_or_else(|| json!("scene"), |manifest| json!(manifest.status)),
            "error": manifest.as_ref().and_then(|manifest| manifest.error.clone()),
            "health": manifest.as_ref().and_then(|manifest| manifest.health.as_ref()).map(|health| &health.verdict),
            "wall": manifest.as_ref().map(|manifest| manifest.wall_s),
            "speed": manifest.as_ref().map(|manifest| manifest.speed),
            "steps": manifest.as_ref().map(|manifest| manifest.steps),
            "events": manifest.as_ref().map(|manifest| manifest.events),
        }))
    }

    /// What an application says became of the run.
    fn verdict(&self) -> Option<String> {
        std::fs::read_to_string(self.folder()?.join("verdict.txt")).ok()
    }
}

/// The columns of a sheet that can be drawn.
fn columns(all: &[Column]) -> Value {
    let drawn = all.iter().filter(|column| column.kind == Kind::Float && column.name != "time_s");
    drawn.map(|column| json!({"name": column.name, "unit": column.unit, "meaning": column.meaning})).collect()
}

fn array(v: &Vec3) -> [f64; 3] {
    [v.x, v.y, v.z]
}
