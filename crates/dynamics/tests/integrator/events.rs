//! Event times against closed forms.

use std::cell::Cell;
use std::f64::consts::PI;

use super::problems::{oscillator, problem};
use rattleback_dynamics::DynamicsError;
use rattleback_dynamics::integrator::{
    AdvanceOutcome, Direction, Dop853, Equations, Event, Settings, Step, Stepper, Tolerance, advance,
};

const GRAVITY: f64 = 9.81;

fn adaptive(t: f64, y: &[f64], tolerance: f64) -> Dop853 {
    let tolerance = Tolerance::new(tolerance, tolerance).unwrap();
    Dop853::new(t, y, tolerance, Settings::default()).unwrap()
}

fn unseen(_: &Step<'_>) -> rattleback_dynamics::Result<()> {
    Ok(())
}

fn fall() -> impl Equations {
    problem(2, |_, y, dy| (dy[0], dy[1]) = (y[1], -GRAVITY))
}

/// All events of an oscillator from (1, 0) up to `t_end`.
fn oscillator_events(events: &mut [Event<'_>], t_end: f64) -> Vec<(usize, f64)> {
    let mut stepper = adaptive(0.0, &[1.0, 0.0], 1e-13);
    let mut found = Vec::new();
    while let AdvanceOutcome::Event { index, time } =
        advance(&mut stepper, &mut oscillator(), events, t_end, &mut unseen).unwrap()
    {
        assert_eq!(stepper.time(), time);
        found.push((index, time));
    }
    assert_eq!(stepper.time(), t_end);
    found
}

#[test]
fn a_bouncing_ball_touches_down_at_the_times_of_the_closed_form() {
    let (height, restitution) = (1.0_f64, 0.8);
    let mut stepper = adaptive(0.0, &[height, 0.0], 1e-12);
    let mut events = [Event::new(Direction::Falling, |_, y: &[f64]| Ok(y[0]))];
    let mut expected = (2.0 * height / GRAVITY).sqrt();
    let mut flight = 2.0 * expected * restitution;
    for bounce in 0..40 {
        let outcome = advance(&mut stepper, &mut fall(), &mut events, 100.0, &mut unseen).unwrap();
        let AdvanceOutcome::Event { index: 0, time } = outcome else { panic!("bounce {bounce} was missed") };
        assert!((time - expected).abs() < 1e-12 * expected, "bounce {bounce}: {time} {expected}");
        assert!(stepper.state()[0].abs() < 1e-13);
        let bounced = [stepper.state()[0], -restitution * stepper.state()[1]];
        stepper.restart(time, &bounced).unwrap();
        expected += flight;
        flight *= restitution;
    }
}

#[test]
fn directions_are_told_apart() {
    let position = |_: f64, y: &[f64]| Ok(y[0]);
    for (direction, times) in [
        (Direction::Falling, vec![0.5 * PI, 2.5 * PI]),
        (Direction::Rising, vec![1.5 * PI, 3.5 * PI]),
        (Direction::Both, vec![0.5 * PI, 1.5 * PI, 2.5 * PI, 3.5 * PI]),
    ] {
        let found = oscillator_events(&mut [Event::new(direction, position)], 4.0 * PI);
        assert_eq!(found.len(), times.len(), "{direction:?} {found:?}");
        for ((_, time), exact) in found.iter().zip(times) {
            assert!((time - exact).abs() < 1e-12 * exact, "{time} {exact}");
        }
    }
}

#[test]
fn directions_follow_the_way_of_integration() {
    // Back from π, x = cos t goes from −1 up: rising.
    let mut stepper = adaptive(PI, &[-1.0, 0.0], 1e-13);
    let mut events = [
        Event::new(Direction::Falling, |_, y: &[f64]| Ok(y[0])),
        Event::new(Direction::Rising, |_, y: &[f64]| Ok(y[0])),
    ];
    let outcome = advance(&mut stepper, &mut oscillator(), &mut events, 0.0, &mut unseen).unwrap();
    let AdvanceOutcome::Event { index: 1, time } = outcome else { panic!("{outcome:?}") };
    assert!((time - 0.5 * PI).abs() < 1e-12);
}

#[test]
fn simultaneous_events_are_reported_together_in_the_order_of_declaration() {
    let mut events = [
        Event::new(Direction::Falling, |t, _: &[f64]| Ok(10.0 - t)),
        Event::new(Direction::Rising, |_, y: &[f64]| Ok(-3.0 * y[0])),
        Event::new(Direction::Both, |_, y: &[f64]| Ok(y[0].powi(3))),
        Event::new(Direction::Falling, |_, y: &[f64]| Ok(y[0])),
    ];
    let mut stepper = adaptive(0.0, &[1.0, 0.0], 1e-12);
    let outcome = advance(&mut stepper, &mut oscillator(), &mut events, 3.0, &mut unseen).unwrap();
    assert!(matches!(outcome, AdvanceOutcome::Event { index: 1, .. }), "{outcome:?}");
    assert_eq!(events.each_ref().map(Event::fired), [false, true, true, true]);
    let outcome = advance(&mut stepper, &mut oscillator(), &mut events, 3.0, &mut unseen).unwrap();
    assert_eq!(outcome, AdvanceOutcome::Reached);
    assert_eq!(events.each_ref().map(Event::fired), [false; 4]);
}

#[test]
fn an_event_at_zero_at_the_start_waits_until_it_comes_back() {
    // g = ẋ = −sin t is zero at the start, negative just after.
    let speed = |_: f64, y: &[f64]| Ok(y[1]);
    let found = oscillator_events(&mut [Event::new(Direction::Both, speed)], 7.0);
    assert_eq!(found.len(), 2, "{found:?}");
    let found = oscillator_events(&mut [Event::new(Direction::Falling, speed)], 7.0);
    assert_eq!(found.len(), 1, "{found:?}");
    // Resting on zero is no event; leaving is none either.
    let late = |t: f64, _: &[f64]| Ok((t - 1.0).max(0.0));
    assert_eq!(oscillator_events(&mut [Event::new(Direction::Both, late)], 7.0), []);
}

#[test]
fn an_event_that_rounding_leaves_on_the_near_side_is_not_reported_twice() {
    // After the event the state is put back by a rounding error, and the motion goes on through zero.
    let mut stepper = adaptive(0.0, &[1.0, 0.0], 1e-10);
    let mut events = [Event::new(Direction::Falling, |_, y: &[f64]| Ok(y[0]))];
    let outcome = advance(&mut stepper, &mut oscillator(), &mut events, 3.0, &mut unseen).unwrap();
    let AdvanceOutcome::Event { time, .. } = outcome else { panic!("{outcome:?}") };
    stepper.restart(time, &[1e-16, -1.0]).unwrap();
    let outcome = advance(&mut stepper, &mut oscillator(), &mut events, 3.0, &mut unseen).unwrap();
    assert_eq!(outcome, AdvanceOutcome::Reached);
}

#[test]
fn pairs_of_zeros_within_one_step_are_found() {
    // A parabola in t is integrated in very few, long steps; it is below zero for 0.02 of 10.
    for centre in [0.3, 1.1, 2.6, 3.3, 5.0, 6.7, 8.4, 9.9] {
        let parabola = |t: f64, _: &[f64]| Ok((t - centre).powi(2) - 1e-4);
        for (direction, exact) in [(Direction::Falling, centre - 0.01), (Direction::Rising, centre + 0.01)] {
            let settings = Settings { first_step: Some(10.0), ..Settings::default() };
            let mut stepper =
                Dop853::new(0.0, &[1.0], Tolerance::new(1e-6, 1e-6).unwrap(), settings).unwrap();
            let mut steady = problem(1, |_, _, dy| dy[0] = 0.0);
            let mut events = [Event::new(direction, parabola)];
            let outcome = advance(&mut stepper, &mut steady, &mut events, 10.0, &mut unseen).unwrap();
            let AdvanceOutcome::Event { time, .. } = outcome else { panic!("missed {centre} {direction:?}") };
            assert!((time - exact).abs() < 1e-13, "{time} {exact}");
            // The long step, and the same again up to the event.
            assert_eq!(stepper.statistics().steps, 2);
        }
    }
}

#[test]
fn no_zero_of_a_sinusoid_is_missed_in_a_step_of_up_to_four_radians() {
    // Pseudo-random frequency, phase and level, from multiples of irrational numbers; all pairs of zeros, wide and
    // narrow.
    let settings = Settings { first_step: Some(1.0), ..Settings::default() };
    for k in 1..3000 {
        let part = |number: f64| (f64::from(k) * number).fract();
        let (frequency, phase, level) =
            (4.0 * part(2.0_f64.sqrt()), 2.0 * PI * part(3.0_f64.sqrt()), 2.0 * part(5.0_f64.sqrt()) - 1.0);
        let exact = (-2..4)
            .flat_map(|turn| [-1.0, 1.0].map(|side| side * level.acos() + 2.0 * PI * f64::from(turn) - phase))
            .filter(|angle| (0.0..frequency).contains(angle))
            .count();
        let tolerance = Tolerance::new(1e-6, 1e-6).unwrap();
        let mut stepper = Dop853::new(0.0, &[1.0], tolerance, settings.clone()).unwrap();
        let mut steady = problem(1, |_, _, dy| dy[0] = 0.0);
        let mut events =
            [Event::new(Direction::Both, |t: f64, _: &[f64]| Ok((frequency * t + phase).cos() - level))];
        let mut found = 0;
        while advance(&mut stepper, &mut steady, &mut events, 1.0, &mut unseen).unwrap()
            != AdvanceOutcome::Reached
        {
            found += 1;
        }
        assert_eq!(found, exact, "cos({frequency} t + {phase}) = {level}");
    }
}

#[test]
fn loose_steps_do_not_lose_the_zeros_of_an_oscillation() {
    let mut stepper = adaptive(0.0, &[1.0, 0.0], 1e-3);
    let mut events = [Event::new(Direction::Both, |_, y: &[f64]| Ok(y[0] - 0.999))];
    let mut count = 0;
    while advance(&mut stepper, &mut oscillator(), &mut events, 20.0 * PI + 1.0, &mut unseen).unwrap()
        != AdvanceOutcome::Reached
    {
        // Keep the amplitude, which the loose tolerance lets go.
        let phase = stepper.state()[1].atan2(stepper.state()[0]);
        stepper.restart(stepper.time(), &[phase.cos(), phase.sin()]).unwrap();
        count += 1;
    }
    assert_eq!(count, 21);
}

#[test]
fn observers_see_every_step_without_gaps_and_the_last_one_up_to_the_event() {
    let (reached, output) = (Cell::new(0.0), Cell::new(0));
    let mut stepper = adaptive(0.0, &[1.0, 0.0], 1e-10);
    let mut events = [Event::new(Direction::Falling, |_, y: &[f64]| Ok(y[0]))];
    let mut observer = |step: &Step<'_>| {
        assert_eq!(step.begin(), reached.get());
        let mut y = [0.0; 2];
        while f64::from(output.get()) * 0.1 <= step.end() {
            let t = f64::from(output.get()) * 0.1;
            step.interpolate(t, &mut y);
            assert!((y[0] - t.cos()).abs() < 1e-9);
            output.set(output.get() + 1);
        }
        reached.set(step.end());
        Ok(())
    };
    let outcome = advance(&mut stepper, &mut oscillator(), &mut events, 3.0, &mut observer).unwrap();
    assert_eq!(outcome, AdvanceOutcome::Event { index: 0, time: reached.get() });
    assert_eq!(output.get(), 16);
    advance(&mut stepper, &mut oscillator(), &mut events, 3.0, &mut observer).unwrap();
    assert_eq!((reached.get(), output.get()), (3.0, 31));
}

#[test]
fn an_event_on_the_end_is_an_event_and_an_event_function_of_nan_an_error() {
    let mut stepper = adaptive(0.0, &[1.0, 0.0], 1e-10);
    let mut events = [Event::new(Direction::Rising, |t, _: &[f64]| Ok(t - 2.0))];
    let outcome = advance(&mut stepper, &mut oscillator(), &mut events, 2.0, &mut unseen).unwrap();
    assert_eq!(outcome, AdvanceOutcome::Event { index: 0, time: 2.0 });
    let outcome = advance(&mut stepper, &mut oscillator(), &mut events, 2.0, &mut unseen).unwrap();
    assert_eq!(outcome, AdvanceOutcome::Reached);
    let mut events = [Event::new(Direction::Rising, |t: f64, _: &[f64]| Ok((2.5 - t).sqrt()))];
    let error = advance(&mut stepper, &mut oscillator(), &mut events, 9.0, &mut unseen).unwrap_err();
    assert!(matches!(error, DynamicsError::NotFinite { what: "an event function", .. }), "{error}");
}
