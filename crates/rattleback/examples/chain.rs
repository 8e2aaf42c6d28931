//! A chain is held at one end, let go at the other, and swings.
//!
//!     cargo run --release -p rattleback --example chain

use rattleback::chain::{Chain, ChainEnd, ChainFriction, EndJoint, LinkKind, LinkRun};
use rattleback::mechanism::Settings;
use rattleback::prelude::*;

/// The program.
pub fn main() -> rattleback::Result<()> {
    let mut builder = Model::builder();
    builder.gravity([0.0, 0.0, -9.81]);
    // No law for this surface: links are joined, they do not touch anything.
    let steel = builder.surface("steel");
    let hook = builder.body(BodyModel::fixed("hook"));
    let chain = Chain {
        meshes: Vec::new(),
        name: "chain".to_owned(),
        diameter: 0.05,
        density: 7850.0,
        links: vec![LinkRun { kind: LinkKind::Common, stud: true, count: 12 }],
        path: vec![Vec3::zeros(), Vec3::new(2.4, 0.0, 0.0)],
        across: Some(Vec3::y()),
        friction: Some(ChainFriction { coefficient: 0.3, rate: 0.1 }),
        from: Some(ChainEnd { body: hook, point: None, joint: EndJoint::Spherical }),
        to: None,
    };
    let ids = chain.add_to(&mut builder, steel)?;
    let model = builder.build()?;

    let weight: f64 = model.bodies().iter().map(|body| body.body.mass * 9.81).sum();
    println!("{} links of {:.2} m in all, {weight:.0} N", ids.links.len(), chain.length()?);
    let mut run = model.run(&Scheme::Mechanism(Settings::default().with_step(2e-3)))?;
    for k in 0..=10 {
        let time = 0.2 * f64::from(k);
        let last = ids.links.last().map(|link| run.to(time).map(|state| state.motions[link.0].pose.position));
        let reactions = run.reactions()?;
        let tension = ids.from.map_or(0.0, |joint| reactions[joint.0].force.norm());
        if let Some(end) = last.transpose()? {
            println!(
                "{time:.1} s: last link at x {:6.3} m, z {:6.3} m; the hook bears {tension:6.0} N",
                end.x, end.z
            );
        }
    }
    Ok(())
}
