//! The links of chains among the bodies of a scene.

use super::super::lower::{Look, Lowering, Made};
use super::ChainSpec;
use crate::read::At;
use rattleback_dynamics::chain::{Chain, LaidLink};
use rattleback_dynamics::model::{Mobility, ModelBuilder};
use rattleback_dynamics::{BodyId, DynamicsError, Motion};
use rattleback_geom::surface::Shape;
use rattleback_geom::{Pose, Vec3};

/// A chain whose links have their places among the bodies.
pub(in crate::scene) struct Placed {
    chain: Chain,
    laid: Vec<LaidLink>,
    links: Vec<BodyId>,
}

impl Lowering<'_, '_> {
    /// Takes in the links of a chain.
    pub(in crate::scene) fn chain(&mut self, spec: &ChainSpec) -> Option<()> {
        let (chain, material) = spec.lower(self.scene, &self.frames, self.reader)?;
        let laid = match chain.lay(&|body| self.frames.stands(body)) {
            Ok(laid) => laid,
            Err(error) => {
                spec.refuse(&error, self.reader);
                return None;
            }
        };
        let mut links = Vec::new();
        for link in &laid {
            let name = At { value: link.name.clone(), ..spec.name.clone() };
            links.push(BodyId(self.frames.names().len()));
            let made = match shapes(link) {
                Ok(shapes) => shapes,
                Err(error) => {
                    spec.refuse(&error, self.reader);
                    return None;
                }
            };
            let parts: Vec<_> = made
                .into_iter()
                .enumerate()
                .map(|(k, (shape, pose))| (shape, pose, (k == 0).then_some(material)))
                .collect();
            let made = Made {
                name: link.name.clone(),
                places: vec![spec.place.clone(); parts.len()].into(),
                parts,
                body: link.body,
                mobility: Mobility::Free,
                motion: Motion::at_rest(link.pose),
                look: Look { colour: spec.colour.map(|colour| colour.0), hidden: spec.hidden },
            };
            self.take(&name, Vec3::zeros(), link.pose, Some(made));
        }
        self.chains.push(Placed { chain, laid, links });
        Some(())
    }

    /// Joins the links of all chains.
    pub(in crate::scene) fn join_chains(&mut self, builder: &mut ModelBuilder) {
        for Placed { chain, laid, links } in &self.chains {
            if let Err(error) = chain.join(laid, links, &|body| self.frames.stands(body), builder) {
                self.reader.wrong(&self.scene.place, "chains", error.to_string());
            }
        }
    }
}

/// The shapes of a link: the tube, and the stud, which is only drawn.
fn shapes(link: &LaidLink) -> Result<Vec<(Shape, Pose)>, DynamicsError> {
    let mut shapes = vec![link.shape()?];
    if let Some((stud, pose)) = link.form.stud()? {
        shapes.push((Shape::from(stud), pose));
    }
    Ok(shapes)
}
