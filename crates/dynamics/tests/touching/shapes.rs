//! One free body of every shape, about 0.2 to 1 m large.

use rattleback_dynamics::geom::Vec3;
use rattleback_dynamics::geom::potential::{Harmonics, Potential};
use rattleback_dynamics::geom::surface::{
    Capsule, ConvexHull, Cuboid, Cylinder, Ellipsoid, Frustum, HalfTorus, Link, Mesh, PotentialBody, Quadric,
    Shape, Sheet, Sphere, Superellipsoid, Superhyperboloid, Superquadric, Surface, Torus,
};

const PEBBLE: [f64; 9] = [2.0, 0.05, 0.1, -0.1, 0.03, -0.02, 0.12, 0.02, 0.05];

fn wedge(rounding: f64) -> ConvexHull {
    let corners = [
        [0.3, 0.3, -0.2],
        [-0.3, 0.3, -0.2],
        [-0.3, -0.3, -0.2],
        [0.3, -0.3, -0.2],
        [0.3, 0.0, 0.2],
        [-0.3, 0.0, 0.2],
    ];
    ConvexHull::new(&corners.map(Vec3::from), rounding).unwrap()
}

pub fn all() -> Vec<(&'static str, Shape)> {
    let pebble = Potential::harmonics(Harmonics::new(2, &PEBBLE).unwrap());
    let sum = Potential::ellipsoid([0.5, 0.3, 0.2]).unwrap().sum(&Potential::ball(0.2).unwrap());
    let facets =
        Ellipsoid::new([0.5, 0.3, 0.4]).and_then(|e| e.tessellate(0.02)).and_then(Mesh::new).unwrap();
    vec![
        ("sphere", Sphere::new(0.25).unwrap().into()),
        ("ellipsoid", Ellipsoid::new([0.5, 0.3, 0.2]).unwrap().into()),
        ("superellipsoid", Superellipsoid::new([0.5, 0.3, 0.4], [3.0, 4.0]).unwrap().into()),
        ("rounded box", Superellipsoid::new([0.5, 0.3, 0.4], [10.0, 10.0]).unwrap().into()),
        ("superquadric", Superquadric::new([0.4, 0.6, 0.5], [2.0, 3.0, 4.0]).unwrap().into()),
        ("box", Cuboid::new([0.5, 0.7, 0.6], 0.0).unwrap().into()),
        ("box with rounded edges", Cuboid::new([0.5, 0.7, 0.6], 0.1).unwrap().into()),
        ("hull", wedge(0.0).into()),
        ("rounded hull", wedge(0.1).into()),
        ("cylinder", Cylinder::new(0.3, 0.5).unwrap().into()),
        ("frustum", Frustum::new([0.4, 0.25], 0.9).unwrap().into()),
        ("capsule", Capsule::new(0.3, 0.5).unwrap().into()),
        ("torus", Torus::new(0.8, 0.3).unwrap().into()),
        ("half torus", HalfTorus::new(0.8, 0.3).unwrap().into()),
        ("hyperboloid", Quadric::hyperboloid_one_sheet([0.5, 0.7, 0.6], 0.9).unwrap().into()),
        ("lower sheet", Quadric::hyperboloid_two_sheets([0.5, 0.7, 0.6], Sheet::Lower, 1.4).unwrap().into()),
        ("elliptic paraboloid", Quadric::elliptic_paraboloid([0.5, 0.7, 0.6], 0.8).unwrap().into()),
        ("saddle", Quadric::hyperbolic_paraboloid([0.5, 0.7, 0.6], [0.4, 0.3], 2.0).unwrap().into()),
        (
            "superhyperboloid",
            Superhyperboloid::two_sheets([0.5, 0.7, 0.6], [2.5, 4.0], Sheet::Upper, 1.4).unwrap().into(),
        ),
        ("harmonics", PotentialBody::new(pebble).unwrap().into()),
        ("sum", PotentialBody::new(sum).unwrap().into()),
        ("link", Link::new(0.1, 0.3, 0.45).unwrap().into()),
        ("mesh", facets.into()),
    ]
}
