//! A heap: ellipsoids in a cubic lattice, each turned another way, fall into a box of a floor and four walls.
//!
//! | parameter | value |
//! |---|---|
//! | grains | count³ ellipsoids with semi-axes 0.10, 0.08, 0.06 m of 1000 kg/m³: 2.01 kg |
//! | lattice | 0.25 m apart, the first 0.125 m from the walls and the floor |
//! | box | as wide as the lattice, open above |
//! | gravity | 9.81 m/s², along −z |
//! | start of grain i | turned by the vector t = (sin i, cos 2i, sin 3i) rad, at 0.2 t m/s, spinning at 3 t rad/s |
//!
//! Every grain meets every kind of neighbour, and nothing is random.

use rattleback_contact::law::ContactLaw;
use rattleback_contact::law::friction::Coulomb;
use rattleback_contact::law::normal::{Hysteresis, Rule};
use rattleback_contact::material::Stiffness;
use rattleback_dynamics::{BodyModel, Model, Motion, Result, State};
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::surface::{Ellipsoid, Plane};
use rattleback_geom::{Pose, Vec3};

/// The distance of grains in the lattice, in m.
const SPACING: f64 = 0.25;

/// Grains as soft as steps of 1e-4 s resolve: 1e5 N/m^1.5, restitution 0.5, friction 0.4 fully grown at 0.02 m/s.
pub fn soft() -> Result<ContactLaw> {
    let normal = Hysteresis::new(Rule::Exact, 0.5, Stiffness::HERTZ_EXPONENT)?;
    Ok(ContactLaw::new(Stiffness::given(1e5)?, normal)?.with_friction(Coulomb::new(0.4, 0.02)?))
}

/// `count`³ grains above the floor. Body 0 is the box, the grains follow.
pub fn heap(count: usize, law: ContactLaw) -> Result<(Model, State)> {
    let mut builder = Model::builder();
    builder.gravity(Vec3::new(0.0, 0.0, -9.81));
    let surface = builder.surface("all");
    builder.law(surface, surface, law);
    let width = SPACING * count as f64;
    let mut walls = BodyModel::fixed("walls");
    for (normal, offset) in [
        ([0.0, 0.0, 1.0], 0.0),
        ([1.0, 0.0, 0.0], 0.0),
        ([-1.0, 0.0, 0.0], -width),
        ([0.0, 1.0, 0.0], 0.0),
        ([0.0, -1.0, 0.0], -width),
    ] {
        walls = walls.with_part(Plane::new(normal, offset)?, Pose::identity(), surface);
    }
    builder.body(walls);
    let shape = Ellipsoid::new([0.1, 0.08, 0.06])?;
    let mut motions = vec![Motion::at_rest(Pose::identity())];
    for i in 0..count.pow(3) {
        builder.body(BodyModel::solid(format!("grain {i}"), shape, 1000.0, surface)?);
        let cell =
            [i % count, i / count % count, i / count / count].map(|k| 0.5 * SPACING + SPACING * k as f64);
        let turn = Vec3::new((i as f64).sin(), (2.0 * i as f64).cos(), (3.0 * i as f64).sin());
        motions.push(Motion {
            pose: Pose::new(cell.into(), UnitQuaternion::from_scaled_axis(turn)),
            velocity: turn * 0.2,
            angular_velocity_body: turn * 3.0,
        });
    }
    Ok((builder.build()?, State::new(motions)))
}
