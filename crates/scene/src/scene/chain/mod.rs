//! Chains: links of several kinds along a path, joined to each other and to bodies at their ends.

mod placed;
#[cfg(test)]
mod tests;

pub(super) use placed::Placed;

use super::body::Colour;
use super::frames::Frames;
use super::spec::SceneSpec;
use crate::read::{AngularVelocity, At, Density, Length, Range, Reader, entry, number, triple, words};
use rattleback_dynamics::DynamicsError;
use rattleback_dynamics::chain::{Chain, ChainEnd, ChainFriction, EndJoint, LinkKind, LinkRun};
use rattleback_geom::{Pose, Vec3};

entry! {
    /// A chain. Its links are bodies that are called after it: NAME 1, NAME 2 and so on. They do not touch each other.
    pub struct ChainSpec {
        /// Its name.
        name: At<String>,
        /// The diameter d of the bar of its common links, which says all their dimensions.
        diameter: Length,
        /// The points of a polyline in the world along which it lies at the start.
        path: Vec<[Length; 3]>,
        /// Its links from the beginning of the path on; common links by default.
        links: Option<Vec<LinkRunSpec>>,
        /// How many common links, where `links` are not given; as many as fit on the path by default.
        count: Option<usize>,
        /// Whether the common links have studs, where `links` are not given.
        stud: bool = false,
        /// The material of its links.
        material: At<String>,
        /// The density of its links, in place of that of their material.
        density: Option<Density>,
        /// Friction of its links on each other.
        friction: Option<ChainFrictionSpec>,
        /// What holds the first link; nothing by default.
        from: Option<ChainEndSpec>,
        /// What holds the last link; nothing by default.
        to: Option<ChainEndSpec>,
        /// The direction across the first link in which its sides are apart; any by default.
        across: Option<[f64; 3]>,
        /// Its colour in pictures, as "#4477aa".
        colour: Option<Colour>,
        /// Whether pictures leave it out.
        hidden: bool = false,
    }
}

entry! {
    /// Links of one kind in a row.
    pub struct LinkRunSpec {
        /// Their kind.
        kind: LinkKindSpec = LinkKindSpec::Common,
        /// Whether they have studs.
        stud: bool = false,
        /// How many.
        count: usize = 1,
    }
}

entry! {
    /// Friction between links: coefficient times half the bar's diameter times the force in the joint, about each bar.
    pub struct ChainFrictionSpec {
        /// The coefficient of friction.
        coefficient: f64,
        /// The rate at which 76 % of it act.
        transition: AngularVelocity = AngularVelocity(0.1),
    }
}

entry! {
    /// What holds an end of a chain.
    pub struct ChainEndSpec {
        /// The name of the body.
        body: At<String>,
        /// The point in the body's own frame at which the chain ends; wherever its path leads it by default. A last
        /// point bends the path a little, so that the chain ends there.
        point: Option<[Length; 3]>,
        /// How it is held.
        joint: EndJointSpec = EndJointSpec::Universal,
    }
}

words! {
    /// A kind of link, with its length, width and bar in terms of the chain's diameter.
    pub enum LinkKindSpec {
        /// 6 by 3.6 of 1.
        "common" => Common,
        /// 6.6 by 4 of 1.1.
        "enlarged" => Enlarged,
        /// 6.75 by 4 of 1.2, without stud.
        "end" => End,
        /// 9.7 by 4.7 of 1.2; the chain is free to twist after it.
        "swivel" => Swivel,
        /// A Kenter shackle, 6 by 4.2 of 1.
        "joining_shackle" => JoiningShackle,
        /// 8.7 by 5.2 of 1.4.
        "end_shackle" => EndShackle,
    }
}

words! {
    /// How an end of a chain is held.
    pub enum EndJointSpec {
        /// As by another link.
        "universal" => Universal,
        /// By a ball.
        "spherical" => Spherical,
    }
}

impl ChainSpec {
    /// The chain in the engine's words, and the number of its material.
    fn lower(&self, scene: &SceneSpec, frames: &Frames, reader: &mut Reader) -> Option<(Chain, usize)> {
        let place = &self.place;
        let known: Vec<&str> = scene.materials.0.iter().map(|(name, _)| name.as_str()).collect();
        let material = reader.find(&self.material, "material", &known);
        let density = self.density.or_else(|| scene.materials.0[material?].1.density);
        if material.is_some() && density.is_none() {
            let message = format!(
                "the material \"{}\" has no density; expected one, or a `density` here",
                self.material.value
            );
            reader.wrong(place, "material", message);
        }
        let diameter = number(place, "diameter", self.diameter.0, Range::Positive, reader);
        let path: Vec<Option<[f64; 3]>> = self
            .path
            .iter()
            .enumerate()
            .map(|(k, point)| triple(place, &format!("path[{k}]"), point.map(|x| x.0), reader))
            .collect();
        let path: Option<Vec<Vec3>> = path.into_iter().map(|point| point.map(Vec3::from)).collect();
        let across = self.across.map(|across| triple(place, "across", across, reader).map(Vec3::from));
        let friction = self.friction.as_ref().map(|friction| friction.lower(reader));
        let [from, to] = [&self.from, &self.to].map(|end| end.as_ref().map(|end| end.lower(frames, reader)));
        let links = self.runs(diameter?, path.as_ref()?, reader);
        let chain = Chain {
            meshes: Vec::new(),
            name: self.name.value.clone(),
            diameter: diameter?,
            density: density?.0,
            links: links?,
            path: path?,
            across: optional(across)?,
            friction: optional(friction)?,
            from: optional(from)?,
            to: optional(to)?,
        };
        Some((chain, material?))
    }

    /// Its links.
    fn runs(&self, diameter: f64, path: &[Vec3], reader: &mut Reader) -> Option<Vec<LinkRun>> {
        let Some(runs) = &self.links else {
            let count = match self.count {
                Some(count) => count,
                None => match Chain::count_along(LinkKind::Common, diameter, path) {
                    Ok(count) => count,
                    Err(error) => {
                        reader.wrong(&self.place, "path", error.to_string());
                        return None;
                    }
                },
            };
            return Some(vec![LinkRun { kind: LinkKind::Common, stud: self.stud, count }]);
        };
        for key in ["count", "stud"].into_iter().filter(|key| self.place.has(key)) {
            let message = format!("found `{key}` beside `links`, of which each has its own");
            reader.wrong(&self.place, key, message);
        }
        let mut fine = true;
        for run in runs {
            if run.stud && !run.kind.kind().may_have_stud() {
                let message = "found a stud; only common and enlarged links and joining shackles have studs";
                reader.wrong(&run.place, "stud", message);
                fine = false;
            }
        }
        fine.then(|| {
            runs.iter()
                .map(|run| LinkRun { kind: run.kind.kind(), stud: run.stud, count: run.count })
                .collect()
        })
    }

    /// Tells an error of the engine where it belongs.
    fn refuse(&self, error: &DynamicsError, reader: &mut Reader) {
        let field =
            match error {
                DynamicsError::ChainLength { .. } => "path",
                DynamicsError::Invalid { reason, .. } if reason.contains("path") => "path",
                DynamicsError::Invalid { reason, .. } if reason.contains("across") => "across",
                DynamicsError::OutOfRange { field, .. } if field.starts_with("across") => "across",
                DynamicsError::Invalid { reason, .. } if reason.contains(" links") => {
                    if self.links.is_some() { "links" } else { "count" }
                }
                _ => "",
            };
        reader.wrong(&self.place, field, error.to_string());
    }
}

/// What is there or not, unless it is there and wrong.
fn optional<T>(found: Option<Option<T>>) -> Option<Option<T>> {
    match found {
        Some(None) => None,
        Some(found) => Some(found),
        None => Some(None),
    }
}

impl LinkKindSpec {
    /// The kind of link.
    pub fn kind(self) -> LinkKind {
        match self {
            Self::Common => LinkKind::Common,
            Self::Enlarged => LinkKind::Enlarged,
            Self::End => LinkKind::End,
            Self::Swivel => LinkKind::Swivel,
            Self::JoiningShackle => LinkKind::JoiningShackle,
            Self::EndShackle => LinkKind::EndShackle,
        }
    }
}

impl ChainFrictionSpec {
    fn lower(&self, reader: &mut Reader) -> Option<ChainFriction> {
        let coefficient = number(&self.place, "coefficient", self.coefficient, Range::NotNegative, reader);
        let rate = number(&self.place, "transition", self.transition.0, Range::Positive, reader);
        Some(ChainFriction { coefficient: coefficient?, rate: rate? })
    }
}

impl ChainEndSpec {
    fn lower(&self, frames: &Frames, reader: &mut Reader) -> Option<ChainEnd> {
        let body = frames.find(&self.body, reader);
        let point = self.point.map(|point| triple(&self.place, "point", point.map(|x| x.0), reader));
        let (body, point) = (body?, optional(point)?);
        let in_model = |[x, y, z]: [f64; 3]| frames.in_model(body, &Pose::from_position(x, y, z)).position;
        let joint = match self.joint {
            EndJointSpec::Universal => EndJoint::Universal,
            EndJointSpec::Spherical => EndJoint::Spherical,
        };
        Some(ChainEnd { body, point: point.map(in_model), joint })
    }
}
