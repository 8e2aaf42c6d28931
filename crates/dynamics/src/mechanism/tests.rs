//! Every joint: Φq, Φqq and Φ̇q q̇ + Φ̇t against differences, and the degrees of freedom that it takes away.

use super::system::System;
use crate::body::{Body, Motion};
use crate::joint::{Action, Freedom, Gear, Joint, JointAction, JointFrame, JointId, JointKind, MotionLaw};
use crate::mechanism::natural;
use crate::model::{BodyId, BodyModel, Model};
use rattleback_geom::nalgebra::DMatrix;
use rattleback_geom::surface::{Ellipsoid, Plane};
use rattleback_geom::{Mat3, Pose, Vec3};

fn pose(p: [f64; 3], q: [f64; 4]) -> Pose {
    let norm = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    Pose::from_parts(p, q.map(|x| x / norm)).unwrap()
}

/// Kinds with the degrees of freedom that each takes away.
fn kinds() -> Vec<(JointKind, usize)> {
    let frames = [pose([0.3, 0.1, 0.0], [1.0, 0.2, 0.1, 0.3]), pose([0.0, 0.4, 0.2], [1.0, -0.3, 0.2, 0.1])];
    vec![
        (JointKind::Fixed, 6),
        (JointKind::Spherical, 3),
        (JointKind::Revolute, 5),
        (JointKind::Universal, 4),
        (JointKind::Cylindrical, 4),
        (JointKind::Prismatic, 5),
        (JointKind::Planar, 3),
        (JointKind::Distance { length: 0.8 }, 1),
        (JointKind::Screw { pitch: 0.02 }, 5),
        (JointKind::Gear(Gear { carrier: BodyId(2), frames, ratio: 1.7, phase: 0.3 }), 1),
        (JointKind::PointOnSurface { part: 0 }, 1),
        (JointKind::PointOnSurface { part: 1 }, 1),
    ]
}

/// Three free bodies, a joint between the first two, an action on it where it has a coordinate.
fn model(kind: JointKind, action: Option<Freedom>) -> Model {
    let mut builder = Model::builder();
    let surface = builder.surface("any");
    let inertia = Mat3::from_diagonal(&Vec3::new(1.0, 1.2, 1.5));
    for name in ["A", "B", "C"] {
        builder.body(
            BodyModel::free(name, Body { mass: 1.0, inertia })
                .with_part(
                    Ellipsoid::new([0.5, 0.3, 0.4]).unwrap(),
                    pose([0.1, 0.2, 0.0], [1.0, 0.1, 0.0, 0.2]),
                    surface,
                )
                .with_part(
                    Plane::new([0.2, 0.3, 0.9], 0.1).unwrap(),
                    pose([0.0, 0.1, 0.3], [1.0, 0.0, 0.4, 0.1]),
                    surface,
                ),
        );
    }
    let a = JointFrame { body: BodyId(0), pose: pose([0.2, -0.1, 0.4], [0.8, 0.1, -0.5, 0.2]) };
    let b = JointFrame { body: BodyId(1), pose: pose([-0.3, 0.2, 0.1], [0.6, -0.4, 0.1, 0.5]) };
    builder.joint(Joint { name: "J".to_owned(), kind, a, b });
    if let Some(freedom) = action {
        let law = MotionLaw::Harmonic { mean: 0.1, amplitude: 0.7, frequency: 2.0, phase: 0.4 };
        builder.action(JointAction { joint: JointId(0), freedom, action: Action::Motor(law) });
    }
    builder.build().unwrap()
}

/// Coordinates and rates of bodies that no joint has aligned.
fn anywhere(system: &System) -> (Vec<f64>, Vec<f64>) {
    let (mut q, mut v) = (vec![0.0; system.total], vec![0.0; system.total]);
    let poses = [
        pose([0.1, 0.2, -0.3], [0.5, 0.5, -0.5, 0.5]),
        pose([0.9, -0.4, 0.5], [0.1, -0.7, 0.5, 0.5]),
        pose([-0.6, 0.3, 0.2], [0.7, 0.2, 0.4, -0.5]),
    ];
    for (b, pose) in poses.into_iter().enumerate() {
        let motion = Motion {
            pose,
            velocity: Vec3::new(0.3, -0.5, 0.2 + b as f64),
            angular_velocity_body: Vec3::new(0.7 - b as f64, 0.4, -0.9),
        };
        let range = system.at[b]..system.at[b] + natural::BODY;
        natural::write(&motion, &mut q[range.clone()], &mut v[range]);
    }
    for k in 36..system.active {
        (q[k], v[k]) = (0.3 + 0.5 * k as f64, 0.7 - 0.1 * k as f64);
    }
    (q, v)
}

fn check(model: &Model) {
    let system = System::new(model).unwrap();
    let (q, v) = anywhere(&system);
    let (time, h) = (0.3, 1e-6);
    for (k, row) in system.rows.iter().enumerate() {
        let columns = row.columns();
        let n = columns.len();
        let gradient = |q: &[f64]| {
            let mut g = vec![0.0; n];
            row.gradient(q, &mut g);
            g
        };
        let g = gradient(&q);
        let mut second = DMatrix::<f64>::zeros(n, n);
        row.hessian(&q, &mut |i, j, x| second[(i, j)] += x);
        for (j, &c) in columns.iter().enumerate() {
            let (mut plus, mut minus) = (q.clone(), q.clone());
            plus[c] += h;
            minus[c] -= h;
            let slope = (row.value(time, &plus) - row.value(time, &minus)) / (2.0 * h);
            assert!((slope - g[j]).abs() < 1e-8, "row {k}: {slope} {}", g[j]);
            let (up, down) = (gradient(&plus), gradient(&minus));
            for i in 0..n {
                let slope = (up[i] - down[i]) / (2.0 * h);
                assert!((slope - second[(i, j)]).abs() < 1e-7, "row {k}: {slope} {}", second[(i, j)]);
            }
        }
        // Along q + s q̇ at t + s: Φ̇ and d(Φq q̇ + Φt)/ds.
        let at = |s: f64| -> (f64, f64) {
            let moved: Vec<f64> = q.iter().zip(&v).map(|(q, v)| q + s * v).collect();
            let rate: f64 = gradient(&moved).iter().zip(columns).map(|(g, &c)| g * v[c]).sum();
            (row.value(time + s, &moved), rate + row.rate(time + s))
        };
        let ((before, slow), (after, fast)) = (at(-h), at(h));
        assert!(((after - before) / (2.0 * h) - at(0.0).1).abs() < 1e-7, "row {k}");
        assert!(((fast - slow) / (2.0 * h) - row.convective(time, &q, &v)).abs() < 1e-7, "row {k}");
    }
}

#[test]
fn derivatives_of_every_joint_agree_with_differences() {
    for (kind, _) in kinds() {
        check(&model(kind, None));
    }
    for (kind, freedom) in [
        (JointKind::Revolute, Freedom::Turn),
        (JointKind::Cylindrical, Freedom::Slide),
        (JointKind::Prismatic, Freedom::Slide),
        (JointKind::Universal, Freedom::Turn),
        (JointKind::Universal, Freedom::SecondTurn),
    ] {
        check(&model(kind, Some(freedom)));
    }
}

/// The rank of Φq, the rows that keep bodies rigid included.
fn rank(model: &Model) -> usize {
    let mut mechanism = super::Mechanism::new(model, super::Settings::default()).unwrap();
    let (q, v) = anywhere(&mechanism.equations.system);
    let motions = (0..3).map(|b| {
        let range = mechanism.equations.system.at[b]..mechanism.equations.system.at[b] + natural::BODY;
        natural::read(&q[range.clone()], &v[range], &Pose::identity().orientation)
    });
    let mut state = crate::State::new(motions.collect());
    mechanism.assemble(&mut state).unwrap();
    let e = &mut mechanism.equations;
    e.evaluate_rows(0.0);
    let mut jacobian = DMatrix::<f64>::zeros(e.phi.len(), e.system.active);
    for k in 0..e.phi.len() {
        let (g, columns) = e.gradient(k);
        for (g, &c) in g.iter().zip(columns) {
            jacobian[(k, c)] += g;
        }
    }
    jacobian.rank(1e-8)
}

#[test]
fn every_joint_takes_away_its_degrees_of_freedom() {
    for (kind, removed) in kinds() {
        let model = model(kind, None);
        let relatives = System::new(&model).unwrap().relatives.len();
        assert_eq!(rank(&model), 18 + relatives + removed, "{kind:?}");
    }
    // A motor takes one more, with the coordinate that it moves.
    assert_eq!(rank(&model(JointKind::Revolute, Some(Freedom::Turn))), 18 + 1 + 6);
}
