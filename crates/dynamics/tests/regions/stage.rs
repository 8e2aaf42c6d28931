//! Boxes, floors and laws for the tests.

use rattleback_contact::law::ContactLaw;
use rattleback_contact::law::friction::{Bristle, FrictionLaw};
use rattleback_contact::law::normal::{Hysteresis, Rule};
use rattleback_contact::material::Stiffness;
use rattleback_dynamics::mechanism::{Rule as Integration, Settings, Step};
use rattleback_dynamics::model::{ModelBuilder, SurfaceId};
use rattleback_dynamics::{Body, BodyId, BodyModel, Model, Motion};
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::surface::{Mesh, Shape};
use rattleback_geom::{Pose, TriMesh, Vec3};

/// A box of the given half edges about the origin, each face cut into `cuts`² squares of two triangles.
pub fn block(half: [f64; 3], cuts: usize) -> Mesh {
    let mut vertices: Vec<Vec3> = Vec::new();
    let mut triangles = Vec::new();
    let n = cuts;
    let mut known = std::collections::BTreeMap::new();
    let mut vertex = |grid: [usize; 3], vertices: &mut Vec<Vec3>| {
        *known.entry(grid).or_insert_with(|| {
            vertices.push(Vec3::from_fn(|i, _| half[i] * (2.0 * grid[i] as f64 / n as f64 - 1.0)));
            vertices.len() as u32 - 1
        })
    };
    for axis in 0..3 {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        for side in [0, n] {
            for i in 0..n {
                for j in 0..n {
                    let mut corner = |di: usize, dj: usize| {
                        let mut grid = [0; 3];
                        (grid[axis], grid[u], grid[v]) = (side, i + di, j + dj);
                        vertex(grid, &mut vertices)
                    };
                    let q = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
                    let q = if side == n { q } else { [q[0], q[3], q[2], q[1]] };
                    triangles.push([q[0], q[1], q[2]]);
                    triangles.push([q[0], q[2], q[3]]);
                }
            }
        }
    }
    Mesh::new(TriMesh::new(vertices, triangles).unwrap()).unwrap()
}

/// A law of the given stiffness and friction.
pub fn law(stiffness: f64, friction: Option<f64>) -> ContactLaw {
    let normal = Hysteresis::new(Rule::Flores, 0.2, 1.5).unwrap();
    let law = ContactLaw::new(Stiffness::given(stiffness).unwrap(), normal).unwrap();
    match friction {
        None => law,
        Some(mu) => law.with_friction(FrictionLaw::from(Bristle::new(mu, 1e-3, 1e6, 1e3).unwrap())),
    }
}

/// A free body of a solid of 1000 kg/m³ whose mass centre is its origin.
pub fn solid(name: &str, shape: impl Into<Shape>, surface: SurfaceId) -> BodyModel {
    let shape = shape.into();
    let mass = shape.surface().moments().unwrap().with_density(1000.0).unwrap();
    let body = Body { mass: mass.mass, inertia: mass.inertia };
    BodyModel::free(name, body).with_part(shape, Pose::identity(), surface)
}

/// A floor, fixed and turned, and a body on it.
pub fn on_floor(
    floor: impl Into<Shape>,
    pose: Pose,
    body: impl Into<Shape>,
    law: ContactLaw,
) -> (Model, [BodyId; 2], f64) {
    let mut builder: ModelBuilder = Model::builder();
    builder.gravity(Vec3::new(0.0, 0.0, -9.81));
    let (ground, own) = (builder.surface("ground"), builder.surface("body"));
    builder.law(ground, own, law);
    let floor = builder.body(BodyModel::fixed("floor").with_part(floor, pose, ground));
    let body = solid("body", body, own);
    let mass = body.body.mass;
    let body = builder.body(body);
    (builder.build().unwrap(), [floor, body], mass)
}

/// At rest, turned about y.
pub fn placed(position: [f64; 3], turn: f64) -> Motion {
    let turn = UnitQuaternion::from_scaled_axis(Vec3::y() * turn);
    Motion::at_rest(Pose::new(position.into(), turn))
}

/// Steps that damp what is fast.
pub fn settings(step: f64) -> Settings {
    Settings {
        rule: Integration::GeneralizedAlpha { rho: 0.6 },
        step: Step::Fixed(step),
        tolerance: 1e-10,
        ..Settings::default()
    }
}
