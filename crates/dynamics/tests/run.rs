//! Any model run the same way: determinism, what observers see, where a run stands after it was stopped.

use crate::samples::build::pendulum;
use crate::samples::free::{Free, bouncing_ball, tumbling_ellipsoid};
use crate::samples::heap::{heap, soft};
use crate::samples::pendulums::pendulums;
use rattleback_contact::law::normal::{Hysteresis, Rule};
use rattleback_contact::material::Stiffness;
use rattleback_dynamics::mechanism::{Settings, Step};
use rattleback_dynamics::model::PairId;
use rattleback_dynamics::{
    DynamicsError, Instant, Mechanism, Model, Result, Run, RunEvent, Scheme, State, active_contacts,
};
use std::collections::BTreeSet;

/// A model with contacts, how it is run, and the times at which it stops.
struct Scene {
    name: &'static str,
    model: Model,
    state: State,
    scheme: Scheme,
    stops: [f64; 3],
}

impl Scene {
    fn run(&self) -> Run<'_> {
        Run::new(&self.model, self.state.clone(), &self.scheme).unwrap()
    }
}

/// A bouncing ball, a tumbling ellipsoid, a heap, and balls on rods with both kinds of steps. At the stops in the
/// middle something touches, as a test says.
fn scenes() -> Vec<Scene> {
    let law = Hysteresis::new(Rule::Exact, 0.7, 1.5).unwrap();
    let ball = bouncing_ball(law, Some(Stiffness::given(1e6).unwrap())).unwrap();
    let free = Scheme::Free { method: ball.method, accuracy: ball.accuracy };
    let sphere = tumbling_ellipsoid().unwrap();
    let stiff = Scheme::Free { method: sphere.method, accuracy: sphere.accuracy };
    let (grains, dropped) = heap(2, soft().unwrap()).unwrap();
    let (balls, raised) = pendulums(3, 0.8).unwrap();
    let step = Step::Adaptive { tolerance: 1e-8, first: 1e-4, longest: 2e-3 };
    let adaptive = Scheme::Mechanism(Settings { step, ..Settings::default() });
    let fixed = Scheme::Mechanism(Settings::default().with_step(1e-4));
    let scene = |name, model: &Model, state: &State, scheme, stops| Scene {
        name,
        model: model.clone(),
        state: state.clone(),
        scheme,
        stops,
    };
    vec![
        scene("ball", &ball.model, &ball.state, free, [0.1, 0.1431, 0.5]),
        scene("ellipsoid", &sphere.model, &sphere.state, stiff, [0.1, 0.4, 1.0]),
        scene("heap", &grains, &dropped, Scheme::Many { step: 2e-4 }, [0.1, 0.3, 0.5]),
        scene("pendulums", &balls, &raised, adaptive, [0.1, 0.3655, 0.6]),
        scene("pendulums with fixed steps", &balls, &raised, fixed, [0.3, 0.3655, 0.4]),
    ]
}

fn ignore(_: &Instant<'_>) -> Result<()> {
    Ok(())
}

#[test]
fn a_run_that_is_taken_up_from_its_stored_state_has_the_same_bits() {
    for scene in scenes() {
        let mut whole = scene.run();
        let (mut stored, mut reactions) = (Vec::new(), Vec::new());
        for stop in scene.stops {
            whole.advance(stop, &mut ignore).unwrap();
            assert_eq!(whole.state().time.to_bits(), stop.to_bits(), "{}", scene.name);
            stored.push(whole.state().clone());
            reactions.push(whole.reactions().unwrap());
        }
        assert!(
            !active_contacts(&scene.model, &stored[1]).unwrap().is_empty(),
            "{}: nothing touches",
            scene.name
        );
        let mut again = Run::new(&scene.model, stored[1].clone(), &scene.scheme).unwrap();
        assert_eq!(again.reactions().unwrap(), reactions[1], "{}", scene.name);
        again.advance(scene.stops[2], &mut ignore).unwrap();
        assert_eq!(again.state(), whole.state(), "{}", scene.name);
        assert_eq!(again.energy().unwrap(), whole.energy().unwrap(), "{}", scene.name);
        assert_eq!(again.reactions().unwrap(), reactions[2], "{}", scene.name);
        assert_eq!(again.coordinates().unwrap(), whole.coordinates().unwrap(), "{}", scene.name);
    }
}

#[test]
fn looking_at_a_run_between_two_outputs_changes_nothing() {
    for scene in scenes() {
        let (mut seen, mut unseen) = (scene.run(), scene.run());
        for stop in scene.stops {
            unseen.advance(stop, &mut ignore).unwrap();
            seen.advance(stop, &mut ignore).unwrap();
            seen.energy().unwrap();
            seen.reactions().unwrap();
            seen.coordinates().unwrap();
        }
        assert_eq!(seen.state(), unseen.state(), "{}", scene.name);
    }
}

#[test]
fn the_forces_that_an_observer_sees_are_those_of_the_state() {
    for scene in scenes() {
        let (mut contacts, mut apart, mut all) = (0, 0.0, 0.0);
        let mut run = scene.run();
        let mut look = |now: &Instant<'_>| {
            let expected = active_contacts(&scene.model, now.state)?;
            contacts += expected.len();
            if !matches!(scene.scheme, Scheme::Many { .. }) {
                assert_eq!(now.active_contacts, expected, "{} at {}", scene.name, now.state.time);
                return Ok(());
            }
            // Those of the last kick belong to the same poses, but to predicted velocities: friction turns with the
            // slip.
            assert_eq!(now.active_contacts.len(), expected.len());
            for ((id, kick), (expected_id, after)) in now.active_contacts.iter().zip(&expected) {
                assert_eq!((id, kick.touch), (expected_id, after.touch));
                let [one, other] = [kick, after].map(|found| found.force.force.dot(&found.touch.normal));
                apart += (one - other).abs();
                all += other.abs();
            }
            Ok(())
        };
        run.advance(scene.stops[2], &mut look).unwrap();
        assert!(contacts > 10, "{}: {contacts} contacts seen", scene.name);
        assert!(apart <= 0.01 * all, "{}: {apart} of {all}", scene.name);
    }
}

#[test]
fn contacts_begin_and_end_in_pairs_and_are_what_the_state_says() {
    for scene in scenes() {
        let mut touching: BTreeSet<PairId> = BTreeSet::new();
        let (mut begun, mut ended, mut last) = (0, 0, None);
        let mut look = |now: &Instant<'_>| {
            match now.event {
                RunEvent::Begin(pair) => {
                    assert!(touching.insert(pair), "{}: {pair:?} begins twice", scene.name);
                    begun += 1;
                }
                RunEvent::End(pair) => {
                    assert!(touching.remove(&pair), "{}: {pair:?} ends twice", scene.name);
                    ended += 1;
                }
                RunEvent::Step => {
                    assert!(last < Some(now.state.time), "{}: no step goes back", scene.name);
                    last = Some(now.state.time);
                    assert!(
                        touching.iter().eq(now.active_contacts.iter().map(|(id, _)| id)),
                        "{}",
                        scene.name
                    );
                }
            }
            Ok(())
        };
        let mut run = scene.run();
        for stop in scene.stops {
            run.advance(stop, &mut look).unwrap();
        }
        assert!(begun > 0 && ended > 0, "{}: {begun} begun, {ended} ended", scene.name);
        assert_eq!(
            begun - ended,
            active_contacts(&scene.model, run.state()).unwrap().len(),
            "{}",
            scene.name
        );
        let start_time =
            run.state().pairs.values().filter(|pair| pair.contact.is_some()).map(|pair| pair.start_time);
        assert!(
            start_time.into_iter().all(|start_time| start_time > 0.0),
            "{}: contacts know when they began",
            scene.name
        );
    }
}

#[test]
fn a_stopped_run_stands_at_a_whole_state_and_goes_on_from_it() {
    for scene in scenes() {
        let [first, _, end] = scene.stops;
        let mut run = scene.run();
        run.advance(first, &mut ignore).unwrap();
        let stopped = run
            .advance(end, &mut |now| {
                let over = now.state.time > 0.5 * (first + end);
                if over { Err(DynamicsError::Stopped { time: now.state.time }) } else { Ok(()) }
            })
            .unwrap_err();
        assert!(matches!(stopped, DynamicsError::Stopped { .. }), "{}: {stopped}", scene.name);
        assert!(stopped.to_string().starts_with("stopped at t = 0."), "{stopped}");
        let stored = run.state().clone();
        assert!((first..end).contains(&stored.time), "{}: it stands at {}", scene.name, stored.time);
        run.advance(end, &mut ignore).unwrap();
        let mut again = Run::new(&scene.model, stored, &scene.scheme).unwrap();
        again.advance(end, &mut ignore).unwrap();
        assert_eq!(run.state(), again.state(), "{}", scene.name);
    }
}

#[test]
fn an_observer_that_stops_at_one_of_two_beginnings_loses_no_contact() {
    // Two balls side by side meet the floor at the same instant.
    let ball = bouncing_ball(Hysteresis::new(Rule::Exact, 0.7, 1.5).unwrap(), None).unwrap();
    let (model, state) = twins(&ball);
    let scheme = Scheme::Free { method: ball.method, accuracy: ball.accuracy };
    let mut run = Run::new(&model, state, &scheme).unwrap();
    let stopped = run.advance(0.2, &mut |now| match now.event {
        RunEvent::Begin(_) => Err(DynamicsError::Stopped { time: now.state.time }),
        _ => Ok(()),
    });
    assert_eq!(stopped, Err(DynamicsError::Stopped { time: run.state().time }));
    assert_eq!(active_contacts(&model, run.state()).unwrap().len(), 2);
    run.advance(0.2, &mut ignore).unwrap();
    assert!(run.state().motions[1..].iter().all(|motion| motion.pose.position.z > 0.01));
}

/// The ball of a case twice, a metre apart.
fn twins(ball: &Free) -> (Model, State) {
    let mut builder = Model::builder();
    builder.gravity(ball.model.gravity());
    let surface = builder.surface("all");
    let law = ball.model.all_pairs()[0].law;
    builder.law(surface, surface, law);
    let mut motions = ball.state.motions.clone();
    for (body, name) in [(0, "floor"), (1, "one"), (1, "other")] {
        let mut body = ball.model.bodies()[body].clone();
        body.name = name.to_owned();
        builder.body(body);
    }
    motions.push(motions[1]);
    motions[2].pose.position.x = 1.0;
    (builder.build().unwrap(), State::new(motions))
}

#[test]
fn a_mechanism_is_assembled_with_the_run_and_tells_what_it_spent() {
    let (model, state) = pendulum().unwrap();
    let settings = Settings::default().with_step(0.01);
    let mut run = Run::new(&model, state.clone(), &Scheme::Mechanism(settings)).unwrap();
    assert!(run.state().joints.is_some());
    run.advance(1.0, &mut ignore).unwrap();
    let mut mechanism = Mechanism::new(&model, settings).unwrap();
    let mut same = state;
    mechanism.advance(&mut same, 1.0, &mut |_, _| Ok(())).unwrap();
    assert_eq!(run.state(), &same);
    assert_eq!(run.reactions().unwrap(), mechanism.reactions(&same).unwrap());
    assert_eq!(run.reactions().unwrap().len(), model.joints().len());
    let spent = run.statistics();
    assert_eq!((spent.steps, spent.rejected), (100, 0));
    assert!(spent.evaluations >= 300 && spent.evaluations < 1000, "{spent:?}");
}

#[test]
fn many_bodies_stand_where_they_stood_after_a_step_that_fails() {
    let (model, state) = heap(2, soft().unwrap()).unwrap();
    let mut run = Run::new(&model, state, &Scheme::Many { step: 2e-4 }).unwrap();
    run.advance(0.3, &mut ignore).unwrap();
    assert_eq!((run.statistics().steps, run.statistics().evaluations), (1500, 3000));
    let mut thrown = run.state().clone();
    // Farther than numbers reach, in one step: the loads at its beginning are booked, those at its end fail.
    thrown.motions[1].velocity.x = f64::MAX;
    let mut run = Run::new(&model, thrown.clone(), &Scheme::Many { step: 10.0 }).unwrap();
    run.advance(10.0, &mut ignore).unwrap_err();
    assert_eq!(run.state(), &thrown);
}

#[test]
fn what_makes_no_sense_is_refused() {
    let (model, state) = heap(1, soft().unwrap()).unwrap();
    let refused =
        |step: f64| Run::new(&model, state.clone(), &Scheme::Many { step }).unwrap_err().to_string();
    assert!(refused(0.0).starts_with("step = 0") && refused(f64::NAN).starts_with("step = NaN"));
    for scene in scenes() {
        let mut run = scene.run();
        for end in [-1.0, f64::NAN, f64::INFINITY] {
            let message = run.advance(end, &mut ignore).unwrap_err().to_string();
            assert!(
                message.ends_with("must be finite and not before the state"),
                "{}: {message}",
                scene.name
            );
        }
        assert_eq!(run.state().time, 0.0);
    }
    let mut foreign = state.clone();
    foreign.pairs = heap_of_two().pairs;
    let message = active_contacts(&model, &foreign).unwrap_err().to_string();
    assert!(message.contains("the state remembers a pair that the model does not have"), "{message}");
}

/// A state that remembers pairs of eight grains.
fn heap_of_two() -> State {
    let (model, state) = heap(2, soft().unwrap()).unwrap();
    let mut run = Run::new(&model, state, &Scheme::Many { step: 2e-4 }).unwrap();
    run.advance(0.2, &mut ignore).unwrap();
    run.state().clone()
}
