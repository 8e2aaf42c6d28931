//! The bodies of a scene by their names, and what joints and forces have to know of them.
//!
//! A file places things in a body's own frame, wherever the mass centre is; the model's frames begin at the mass centre
//! and have the same axes.

use crate::read::{At, Reader};
use rattleback_dynamics::BodyId;
use rattleback_geom::{Pose, Vec3};
use std::collections::HashMap;

/// Names, mass centres and first poses of the bodies, in the order of declaration.
#[derive(Debug, Default)]
pub(crate) struct Frames {
    names: Vec<String>,
    /// The place of each name among them.
    places: HashMap<String, usize>,
    /// The mass centre in the body's own frame.
    centres: Vec<Vec3>,
    /// The own frame in the world, at the start.
    poses: Vec<Pose>,
}

impl Frames {
    /// Adds a body, even a wrong one, so that its name is known.
    pub(crate) fn push(&mut self, name: &str, centre: Vec3, pose: Pose) {
        self.places.entry(name.to_owned()).or_insert(self.names.len());
        self.names.push(name.to_owned());
        self.centres.push(centre);
        self.poses.push(pose);
    }

    /// The names in the order of declaration.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// Whether a body has that name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.places.contains_key(name)
    }

    /// The body of that name.
    pub(crate) fn find(&self, name: &At<String>, reader: &mut Reader) -> Option<BodyId> {
        if let Some(&place) = self.places.get(&name.value) {
            return Some(BodyId(place));
        }
        let known: Vec<&str> = self.names.iter().map(String::as_str).collect();
        reader.find(name, "body", &known).map(BodyId)
    }

    /// A frame given in the body's own frame, in the model's.
    pub(crate) fn in_model(&self, body: BodyId, pose: &Pose) -> Pose {
        Pose { position: pose.position - self.centres[body.0], ..*pose }
    }

    /// A frame given in the world at the start, in the model's frame of the body.
    pub(crate) fn of_world(&self, body: BodyId, pose: &Pose) -> Pose {
        self.in_model(body, &self.poses[body.0].inverse().compose(pose))
    }

    /// The model's frame of the body in the world, at the start.
    pub(crate) fn stands(&self, body: BodyId) -> Pose {
        let own = &self.poses[body.0];
        Pose::new(own.point_to_world(&self.centres[body.0]), own.orientation)
    }

    /// A frame given in the body's own frame, in the world at the start.
    pub(crate) fn in_world(&self, body: BodyId, pose: &Pose) -> Pose {
        self.poses[body.0].compose(pose)
    }
}
