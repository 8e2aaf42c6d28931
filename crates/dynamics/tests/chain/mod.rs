//! Chains: hanging ones against the catenary, swinging ones and their energy, tensions, twist, and what is refused.

mod catenary;
mod hanging;
mod refused;
mod swinging;

use rattleback_dynamics::chain::{Chain, ChainEnd, ChainIds, EndJoint, LinkKind, LinkRun};
use rattleback_dynamics::{BodyId, BodyModel, Model, Motion, State, model::ModelBuilder};
use rattleback_geom::{Pose, Vec3};

/// A chain of 50 mm without studs, each link 0.2 m from joint to joint, along a path.
fn chain(count: usize, path: Vec<Vec3>) -> Chain {
    Chain {
        meshes: Vec::new(),
        name: "chain".to_owned(),
        diameter: 0.05,
        density: 7850.0,
        links: vec![LinkRun { kind: LinkKind::Common, stud: false, count }],
        path,
        across: Some(Vec3::y()),
        friction: None,
        from: None,
        to: None,
    }
}

/// An end that the world holds, wherever it is.
fn held(joint: EndJoint) -> Option<ChainEnd> {
    Some(ChainEnd { body: BodyId(0), point: None, joint })
}

/// The model of a chain in a world with gravity, with what is added to it, and its first state.
fn built(chain: &Chain, add: impl Fn(&mut ModelBuilder, &ChainIds)) -> (Model, State, ChainIds) {
    let mut builder = Model::builder();
    builder.gravity(Vec3::new(0.0, 0.0, -9.81));
    let surface = builder.surface("steel");
    builder.body(BodyModel::fixed("world"));
    let mut motions = vec![Motion::at_rest(Pose::identity())];
    let ids = chain.build(&mut builder, surface, &mut motions).unwrap();
    add(&mut builder, &ids);
    (builder.build().unwrap(), State::new(motions), ids)
}

/// The points between links, and those at both ends, of links 0.2 m long.
fn joints(ids: &ChainIds, state: &State) -> Vec<Vec3> {
    let end = |body: BodyId, z: f64| state.motions[body.0].pose.point_to_world(&Vec3::new(0.0, 0.0, z));
    let mut joints = vec![end(ids.links[0], -0.1)];
    joints.extend(ids.links.iter().map(|&link| end(link, 0.1)));
    joints
}
