//! What a step of a chain costs against the number of its links, and against the number of triangles that it lies on.
//!
//! A chain of studded links lies straight on a floor made of triangles and is drawn along by a windlass with friction,
//! so that every link touches all the time. `ms/step` is wall time over accepted steps, `iterations` are those per
//! step, `of linear` is the cost per link against that of the shortest chain, and `of the coarsest` that of a step
//! against the floor of the fewest triangles.
//!
//! `cargo bench -p rattleback-dynamics --bench chain`. Times are compared within one run on a quiet machine only.

use rattleback_contact::law::ContactLaw;
use rattleback_contact::law::friction::Bristle;
use rattleback_contact::law::normal::{Hysteresis, Rule as Restitution};
use rattleback_contact::material::Stiffness;
use rattleback_dynamics::chain::{Chain, ChainFriction, LinkKind, LinkRun};
use rattleback_dynamics::force::{End, Force, Windlass};
use rattleback_dynamics::mechanism::{Rule, Settings};
use rattleback_dynamics::{BodyModel, Mechanism, Model, Motion, State};
use rattleback_geom::surface::Mesh;
use rattleback_geom::{Pose, TriMesh, Vec3};
use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

/// The bar diameter in m.
const D: f64 = 0.05;
/// Steps before the clock starts, and while it runs.
const STEPS: [usize; 2] = [50, 100];
/// The length of a step in s.
const STEP: f64 = 2e-3;

/// A rule that damps what is faster than the steps.
fn settings() -> Settings {
    let rule = Rule::GeneralizedAlpha { rho: 0.6 };
    let usual = Settings::default();
    Settings { rule, tolerance: 1e-8, iterations: 40, halvings: 8, ..usual }.with_step(STEP)
}

/// A slab of the given length along x, 2 m wide, its top at z = 0, whose top is cut into about `triangles` triangles.
fn floor(length: f64, triangles: usize) -> Result<Arc<Mesh>, Box<dyn Error>> {
    let across = ((triangles as f64 / 2.0) / (length / 2.0)).sqrt().ceil().max(1.0) as usize;
    let along = (triangles / 2).div_ceil(across).max(1);
    let mut vertices = Vec::new();
    for i in 0..=along {
        for j in 0..=across {
            let (u, v) = (i as f64 / along as f64, j as f64 / across as f64);
            vertices.push(Vec3::new(u * length - 1.0, 2.0 * v - 1.0, 0.0));
        }
    }
    let at = |i: usize, j: usize| (i * (across + 1) + j) as u32;
    let mut faces = Vec::new();
    for i in 0..along {
        for j in 0..across {
            faces.push([at(i, j), at(i + 1, j), at(i + 1, j + 1)]);
            faces.push([at(i, j), at(i + 1, j + 1), at(i, j + 1)]);
        }
    }
    // The border, once around, fans out to a point below.
    let mut border: Vec<u32> = (0..along).map(|i| at(i, 0)).collect();
    border.extend((0..across).map(|j| at(along, j)));
    border.extend((1..=along).rev().map(|i| at(i, across)));
    border.extend((1..=across).rev().map(|j| at(0, j)));
    let tip = vertices.len() as u32;
    vertices.push(Vec3::new(0.5 * length - 1.0, 0.0, -2.0));
    for (k, &v) in border.iter().enumerate() {
        faces.push([border[(k + 1) % border.len()], v, tip]);
    }
    Ok(Arc::new(Mesh::new(TriMesh::new(vertices, faces)?)?))
}

/// A chain of `links` on a floor: ms per step, iterations per step, contacts.
fn drawn(links: usize, floor: &Arc<Mesh>) -> Result<[f64; 3], Box<dyn Error>> {
    let mut builder = Model::builder();
    builder.gravity(Vec3::new(0.0, 0.0, -9.81));
    let [ground, cable] = ["ground", "cable"].map(|name| builder.surface(name));
    let law = ContactLaw::new(Stiffness::given(1e9)?, Hysteresis::new(Restitution::Flores, 0.1, 1.5)?)?;
    builder.law(ground, cable, law.with_friction(Bristle::new(0.3, 0.01, 1e6, 1e3)?));
    let fixed =
        builder.body(BodyModel::fixed("floor").with_part(floor.as_ref().clone(), Pose::identity(), ground));
    let mut motions = vec![Motion::at_rest(Pose::identity())];
    // Turned by 45° all links touch with one bar.
    let height = (1.3 * std::f64::consts::FRAC_1_SQRT_2 + 0.5) * D;
    let length = 4.0 * D * links as f64;
    let chain = Chain {
        meshes: Vec::new(),
        name: "chain".to_owned(),
        diameter: D,
        density: 7850.0,
        links: vec![LinkRun { kind: LinkKind::Common, stud: true, count: links }],
        path: vec![Vec3::new(0.0, 0.0, height), Vec3::new(length, 0.0, height)],
        across: Some(Vec3::new(0.0, 1.0, 1.0)),
        friction: Some(ChainFriction { coefficient: 0.1, rate: 0.05 }),
        from: None,
        to: None,
    };
    let ids = chain.build(&mut builder, cable, &mut motions)?;
    builder.force(Force::Windlass(Windlass {
        a: End { body: fixed, point: Vec3::new(length + 2.0, 0.0, height) },
        b: End { body: ids.links[links - 1], point: Vec3::z() * (2.0 * D) },
        length: 2.0,
        speed: 0.1,
        start: 0.0,
        ramp: 0.05,
        shortest: 0.5,
        rigidity: 1e8,
        damping: 1e4,
        limit: 1e7,
        shoulder: 0.1,
        brake: 2e7,
        brake_at: None,
        brake_after_stall: None,
    }));
    let model = builder.build()?;
    let mut state = State::new(motions);
    let mut mechanism = Mechanism::new(&model, settings())?;
    for _ in 0..STEPS[0] {
        mechanism.step(&mut state, STEP)?;
    }
    let before = mechanism.statistics();
    let begun = Instant::now();
    for _ in 0..STEPS[1] {
        mechanism.step(&mut state, STEP)?;
    }
    let wall = begun.elapsed().as_secs_f64();
    let after = mechanism.statistics();
    let steps = (after.steps - before.steps) as f64;
    let iterations = (after.evaluations - before.evaluations) as f64;
    Ok([1e3 * wall / steps, iterations / steps, mechanism.active_contacts().len() as f64])
}

fn main() -> Result<(), Box<dyn Error>> {
    println!(
        "{:>9} {:>10} {:>9} {:>11} {:>9} {:>10}",
        "links", "triangles", "contacts", "iterations", "ms/step", "of linear"
    );
    let mut first = None;
    for links in [10, 25, 50, 100, 200, 400] {
        let floor = floor(4.0 * D * links as f64 + 4.0, 10_000)?;
        let [ms, iterations, contacts] = drawn(links, &floor)?;
        let per_link = ms / links as f64;
        let first = *first.get_or_insert(per_link);
        let triangles = floor.mesh().triangles().len();
        println!(
            "{links:>9} {triangles:>10} {contacts:>9} {iterations:>11.1} {ms:>9.3} {:>10.2}",
            per_link / first
        );
    }
    println!(
        "\n{:>9} {:>10} {:>9} {:>11} {:>9} {:>16}",
        "links", "triangles", "contacts", "iterations", "ms/step", "of the coarsest"
    );
    let mut first = None;
    for triangles in [1_000, 10_000, 100_000, 1_000_000] {
        let floor = floor(14.0, triangles)?;
        let [ms, iterations, contacts] = drawn(50, &floor)?;
        let first = *first.get_or_insert(ms);
        let triangles = floor.mesh().triangles().len();
        println!("{:>9} {triangles:>10} {contacts:>9} {iterations:>11.1} {ms:>9.3} {:>16.2}", 50, ms / first);
    }
    Ok(())
}
