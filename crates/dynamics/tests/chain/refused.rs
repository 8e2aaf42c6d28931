//! Chains that cannot be are refused by name.

use super::{chain, held};
use rattleback_dynamics::chain::{Chain, ChainEnd, ChainFriction, EndJoint, LinkKind, LinkRun};
use rattleback_dynamics::{BodyId, DynamicsError, Model, Motion};
use rattleback_geom::{Pose, Vec3};

fn refused(chain: &Chain) -> DynamicsError {
    let mut builder = Model::builder();
    let surface = builder.surface("steel");
    let mut motions = vec![Motion::at_rest(Pose::identity())];
    chain.build(&mut builder, surface, &mut motions).unwrap_err()
}

fn straight(length: f64) -> Vec<Vec3> {
    vec![Vec3::zeros(), Vec3::new(length, 0.0, 0.0)]
}

#[test]
fn a_path_that_is_too_short_or_too_long_is_told_with_both_lengths() {
    let at = |point: Vec3| Some(ChainEnd { body: BodyId(0), point: Some(point), joint: EndJoint::Universal });
    for (count, length, to) in [
        (10, 1.9, None),
        (10, 2.21, None),
        (10, 1.5, held(EndJoint::Universal)),
        // A straight path cannot be drawn to fit.
        (10, 1.9, at(Vec3::new(1.9, 0.0, 0.0))),
        (10, 2.1, at(Vec3::new(2.1, 0.0, 0.0))),
    ] {
        let error = refused(&Chain { to, ..chain(count, straight(length)) });
        let DynamicsError::ChainLength { chain, length: links, path } = &error else {
            panic!("{error}");
        };
        assert_eq!(chain, "chain");
        assert!((links - 2.0).abs() < 1e-12 && *path == length, "{error}");
    }
}

#[test]
fn mistakes_are_told_by_name() {
    let good = || chain(10, straight(2.0));
    let far = ChainEnd { body: BodyId(0), point: Some(Vec3::new(0.0, 0.0, 0.3)), joint: EndJoint::Universal };
    let stud = vec![LinkRun { kind: LinkKind::Swivel, stud: true, count: 1 }];
    let rough = ChainFriction { coefficient: -0.1, rate: 0.1 };
    for (bad, expected) in [
        (Chain { diameter: 0.0, ..good() }, "diameter of chain chain = 0"),
        (Chain { density: f64::NAN, ..good() }, "density of chain chain = NaN"),
        (Chain { links: Vec::new(), ..good() }, "chain chain: it has no links"),
        (Chain { links: stud, ..good() }, "stud of a link (Swivel)"),
        (Chain { path: straight(0.0), ..good() }, "chain chain: points 0 and 1 of its path are the same"),
        (Chain { across: Some(Vec3::x()), ..good() }, "chain chain: its first link lies along"),
        (Chain { friction: Some(rough), ..good() }, "coefficient of chain chain = -0.1"),
        (Chain { friction: Some(ChainFriction { coefficient: 0.1, rate: 0.0 }), ..good() }, "rate of chain"),
        (Chain { from: Some(far), ..good() }, "chain chain: its path ends at (0, 0, 0), 0.3 m from"),
        (
            Chain { from: Some(ChainEnd { body: BodyId(4), ..far }), ..good() },
            "chain chain: body number 4 does not exist",
        ),
    ] {
        let message = refused(&bad).to_string();
        assert!(message.starts_with(expected), "{message}");
    }
}

#[test]
fn as_many_links_are_counted_as_fit_on_the_path() {
    for (length, expected) in [(2.0, 10), (2.19, 10), (2.2, 11), (0.05, 0)] {
        let count = Chain::count_along(LinkKind::Common, 0.05, &straight(length)).unwrap();
        assert_eq!(count, expected, "{length}");
    }
}
