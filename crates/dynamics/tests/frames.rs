//! Frames of runs: when they are, what is in them, and what ends them.

use rattleback_contact::law;
use rattleback_dynamics::{BodyModel, DynamicsError, Frame, Model, Run, Scheme, mechanism, rolling};
use rattleback_geom::Pose;
use rattleback_geom::surface::Sphere;

/// A ball of 5 cm, `height` m above a floor, falling at `speed` m/s.
fn ball(height: f64, speed: f64) -> Model {
    let mut builder = Model::builder();
    builder.gravity([0.0, 0.0, -9.81]);
    let law = law::stiffness(1e6).unwrap().restitution(0.8).unwrap();
    let surface = builder.surface_with("rubber", law);
    builder.floor(surface);
    let ball = BodyModel::solid("ball", Sphere::new(0.05).unwrap(), 1000.0, surface).unwrap();
    let place = Pose::from_position(0.0, 0.0, 0.05 + height);
    builder.body(ball.at(place).with_velocity([0.2, 0.0, -speed]));
    builder.build().unwrap()
}

fn every_scheme() -> [Scheme; 4] {
    [
        Scheme::default(),
        Scheme::Many { step: 2e-5 },
        Scheme::Rolling(rolling::Settings::default()),
        Scheme::Mechanism(mechanism::Settings::default().with_step(1e-4)),
    ]
}

#[test]
fn frames_of_every_engine_tell_of_a_bounce_once_and_keep_the_energy() {
    let model = ball(0.1, 0.0);
    let floor = (2.0f64 * 0.1 / 9.81).sqrt();
    for scheme in every_scheme() {
        let mut run = model.run(&scheme).unwrap();
        let frames: Vec<Frame> = run.frames(0.3, 0.01).collect::<Result<_, _>>().unwrap();
        assert_eq!(frames.len(), 31);
        assert!(frames[0].time == 0.0 && frames[0].events.is_empty() && frames[30].time == 0.3);
        let events: Vec<_> = frames.iter().flat_map(|frame| &frame.events).collect();
        assert_eq!(events.iter().map(|event| event.begins).collect::<Vec<_>>(), [true, false], "{scheme:?}");
        assert!((events[0].time - floor).abs() < 2e-4 && events[1].time < floor + 0.01, "{scheme:?}");
        for (before, frame) in frames.iter().zip(&frames[1..]) {
            assert!(frame.events.iter().all(|e| before.time < e.time && e.time <= frame.time));
            let touching = frame.events.last().map(|event| event.begins);
            assert!(touching.is_none_or(|begins| begins != frame.contacts.is_empty()));
        }
        let (first, last) = (frames[0].energy.total(), frames[30].energy.total());
        assert!((last / first - 1.0).abs() < 1e-3, "{scheme:?}: {first} and {last}");
        let ball = model.find("ball").unwrap();
        assert_eq!(frames[30].motion(ball), Some(&run.state().motions[ball.0]));
    }
}

#[test]
fn frames_stand_on_their_times_and_the_last_one_on_the_end() {
    let model = ball(10.0, 0.0);
    let times = |end: f64, interval: f64| {
        let mut run = model.run(&Scheme::default()).unwrap();
        run.to(0.5).unwrap();
        run.frames(end, interval).map(|frame| frame.unwrap().time).collect::<Vec<f64>>()
    };
    assert_eq!(times(0.75, 0.1), [0.5, 0.5 + 0.1, 0.5 + 2.0 * 0.1, 0.75]);
    // 0.5 + 3 · 0.1 is not 0.8, and there is no frame of no length before the end.
    assert_eq!(times(0.8, 0.1), [0.5, 0.5 + 0.1, 0.5 + 2.0 * 0.1, 0.8]);
    assert_eq!(times(0.8, 7.0), [0.5, 0.8]);
    assert_eq!(times(0.5, 0.1), [0.5]);
}

#[test]
fn wrong_times_are_the_only_item_and_leave_the_run_as_it_was() {
    let model = ball(0.1, 0.0);
    let mut run: Run = model.run(&Scheme::default()).unwrap();
    run.to(0.1).unwrap();
    let before = run.state().clone();
    for (end, interval, said) in [
        (0.05, 0.01, "end = 0.05"),
        (f64::NAN, 0.01, "end = NaN"),
        (f64::INFINITY, 0.01, "end = inf"),
        (1.0, 0.0, "interval = 0"),
        (1.0, -1.0, "interval = -1"),
        (1.0, f64::NAN, "interval = NaN"),
        (1.0, f64::INFINITY, "interval = inf"),
        (1.0, 1e-300, "interval = 1e-300"),
    ] {
        let mut frames = run.frames(end, interval);
        let message = frames.next().unwrap().unwrap_err().to_string();
        assert!(message.starts_with(said), "{message}");
        assert!(frames.next().is_none());
    }
    assert!(run.to(0.05).is_err());
    assert_eq!(run.state(), &before);
}

#[test]
fn an_error_on_the_way_is_the_last_item() {
    let mut builder = Model::builder();
    // The velocity leaves the doubles on the way.
    builder.gravity([0.0, 0.0, -1e308]);
    let surface = builder.surface("any");
    builder.body(BodyModel::solid("stone", Sphere::new(0.1).unwrap(), 1e3, surface).unwrap());
    let model = builder.build().unwrap();
    let mut run = model.run(&Scheme::Many { step: 0.1 }).unwrap();
    let found: Vec<Result<Frame, DynamicsError>> = run.frames(1e3, 1.0).collect();
    assert!(found.len() < 1000 && found.last().unwrap().is_err());
    assert!(found[..found.len() - 1].iter().all(Result::is_ok));
}

#[test]
fn a_ball_that_begins_inside_the_floor_is_in_contact_in_the_first_frame() {
    let model = ball(-1e-3, 0.0);
    for scheme in [Scheme::default(), Scheme::Many { step: 1e-5 }] {
        let mut run = model.run(&scheme).unwrap();
        let first = run.frames(0.1, 0.01).next().unwrap().unwrap();
        assert_eq!(first.contacts.len(), 1, "{scheme:?}");
        assert!(first.contacts[0].1.force.force.norm() > 0.0 && first.events.is_empty(), "{scheme:?}");
    }
}
