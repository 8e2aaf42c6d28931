//! A scene of `scenes/acceptance`, moved by every engine that supports it and held to an expectation.
//!
//! The scene's own solver is taken as it stands there; the other engines have their defaults, with the steps that the
//! topic gives. Whatever a topic expects, the verdict on the health of every run must be good: energies that do not add
//! up, overlaps that are too deep and steps that are not stable fail it.

use rattleback_dynamics::health::Health;
use rattleback_dynamics::model::BodyId;
use rattleback_dynamics::{
    Accuracy, Body, Method, Motion, Result, Run, RunEvent, Scheme, State, mechanism, rolling,
};
use rattleback_geom::Vec3;
use rattleback_scene::{Scene, read_scene};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Instant;

pub(crate) const G: f64 = 9.81;

/// The engines of surfaces without edges, of free bodies that have them, and of joints.
pub(crate) const ALL: &str = "explicit stiff many mechanism rolling";
pub(crate) const WITH_EDGES: &str = "explicit stiff many mechanism";
pub(crate) const JOINTED: &str = "mechanism";

/// A scene and the engines that it is for.
pub(crate) struct Topic {
    name: &'static str,
    engines: &'static str,
    /// The steps of `many` and `mechanism`, in s.
    steps: [f64; 2],
    /// Engines that move the scene and cannot do what it asks, with the reason.
    left_out: Vec<(&'static str, &'static str)>,
}

/// A topic in one engine.
pub(crate) struct Trial<'m> {
    scene: &'m Scene,
    pub(crate) run: Run<'m>,
    health: Health,
    /// What was compared, and whether it was as expected.
    lines: Vec<(bool, String)>,
}

impl Topic {
    /// The scene of this name, which exactly these engines support.
    pub(crate) fn new(name: &'static str, engines: &'static str) -> Self {
        Self { name, engines, steps: [2e-5, 5e-4], left_out: Vec::new() }
    }

    /// The steps of `many` and `mechanism`, in s.
    pub(crate) fn steps(self, many: f64, mechanism: f64) -> Self {
        Self { steps: [many, mechanism], ..self }
    }

    /// Leaves out an engine that supports the scene, for a reason.
    pub(crate) fn leave_out(mut self, engine: &'static str, reason: &'static str) -> Self {
        self.left_out.push((engine, reason));
        self
    }

    /// Runs the scene in every engine and fails with all that was not as expected.
    pub(crate) fn check(self, expect: impl Fn(&mut Trial<'_>) -> Result<()>) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/acceptance");
        let scene = read_scene(&path.join(self.name).with_extension("toml")).unwrap();
        let supporting = self.schemes(&scene);
        let names: Vec<&str> = supporting.iter().map(Scheme::name).collect();
        assert_eq!(names.join(" "), self.engines, "{}: the engines that support it", self.name);
        let mut wrong = Vec::new();
        for scheme in &supporting {
            let engine = scheme.name();
            if self.left_out.iter().any(|(name, _)| *name == engine) {
                continue;
            }
            let begin = Instant::now();
            let lines = catch_unwind(AssertUnwindSafe(|| Trial::lines(&scene, scheme, &expect)))
                .unwrap_or_else(|_| vec![(false, "panicked".to_owned())]);
            let seconds = begin.elapsed().as_secs_f64();
            for (fine, line) in lines {
                let line = format!("{}, {engine}: {line}", self.name);
                println!("{} {line}", if fine { "  " } else { "✗ " });
                wrong.extend((!fine).then_some(line));
            }
            println!("   {}, {engine}: {seconds:.2} s of computing", self.name);
        }
        assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    }

    fn schemes(&self, scene: &Scene) -> Vec<Scheme> {
        let accuracy = Accuracy::default();
        let settings = mechanism::Settings { snap: false, ..mechanism::Settings::default() };
        let schemes = [
            Scheme::Free { method: Method::Explicit, accuracy },
            Scheme::Free { method: Method::Stiff, accuracy },
            Scheme::Many { step: self.steps[0] },
            Scheme::Mechanism(settings.with_step(self.steps[1])),
            Scheme::Rolling(rolling::Settings::default()),
        ];
        let own = |scheme: Scheme| if scheme.name() == scene.scheme.name() { scene.scheme } else { scheme };
        schemes.into_iter().map(own).filter(|scheme| scheme.supports(&scene.model).is_ok()).collect()
    }
}

impl<'m> Trial<'m> {
    fn lines(
        scene: &'m Scene,
        scheme: &Scheme,
        expect: &impl Fn(&mut Trial<'_>) -> Result<()>,
    ) -> Vec<(bool, String)> {
        let run = match Run::new(&scene.model, scene.state.clone(), scheme) {
            Ok(run) => run,
            Err(error) => return vec![(false, format!("does not start: {error}"))],
        };
        let mut health = Health::new(&scene.model, 0.0, scene.duration);
        health.set_scheme(scheme);
        let mut trial = Self { scene, run, health, lines: Vec::new() };
        if let Err(error) = trial.look().and_then(|()| expect(&mut trial)).and_then(|()| trial.look()) {
            trial.lines.push((false, format!("failed at {} s: {error}", trial.run.state().time)));
        }
        let verdict = trial.health.verdict();
        trial.lines.push((verdict.is_healthy(), verdict.line));
        trial.lines
    }

    fn look(&mut self) -> Result<()> {
        let energy = self.run.energy()?;
        self.health.output(self.run.state(), &energy, &[]);
        Ok(())
    }

    /// Moves on to a time.
    pub(crate) fn to(&mut self, time: f64) -> Result<()> {
        self.watch(time, |_, _| ())
    }

    /// Moves on to the end of the scene.
    pub(crate) fn end(&mut self) -> Result<()> {
        self.to(self.scene.duration)
    }

    /// Moves on to a time and looks at the state after every step and at every event.
    pub(crate) fn watch(&mut self, time: f64, mut see: impl FnMut(&State, RunEvent)) -> Result<()> {
        let health = &mut self.health;
        self.run.advance(time, &mut |seen| {
            if seen.event == RunEvent::Step {
                health.step(seen.state, seen.active_contacts);
            }
            see(seen.state, seen.event);
            Ok(())
        })?;
        self.look()
    }

    /// The number of a body.
    pub(crate) fn index(&self, name: &str) -> usize {
        let found = self.scene.model.bodies().iter().position(|body| body.name == name);
        found.unwrap_or_else(|| panic!("no body \"{name}\""))
    }

    /// How a body moves.
    pub(crate) fn motion(&self, name: &str) -> Motion {
        self.run.state().motions[self.index(name)]
    }

    /// Where the mass centre of a body is.
    pub(crate) fn position(&self, name: &str) -> Vec3 {
        self.motion(name).pose.position
    }

    /// The velocity of the mass centre of a body.
    pub(crate) fn velocity(&self, name: &str) -> Vec3 {
        self.motion(name).velocity
    }

    /// The angular velocity of a body in world axes.
    pub(crate) fn spin(&self, name: &str) -> Vec3 {
        self.motion(name).twist().angular_velocity
    }

    /// Mass and inertia of a body.
    pub(crate) fn body(&self, name: &str) -> Body {
        self.scene.model.bodies()[self.index(name)].body
    }

    /// The force of one body on another by contact, in N.
    pub(crate) fn push(&mut self, from: &str, on: &str) -> Result<Vec3> {
        let [from, on] = [from, on].map(|name| BodyId(self.index(name)));
        let mut sum = Vec3::zeros();
        for (pair, found) in rattleback_dynamics::active_contacts(&self.scene.model, self.run.state())? {
            match (pair.a.body, pair.b.body) {
                (a, b) if (a, b) == (from, on) => sum += found.force.force,
                (a, b) if (a, b) == (on, from) => sum -= found.force.force,
                _ => {}
            }
        }
        Ok(sum)
    }

    /// Kinetic, potential and stored energy, in J.
    pub(crate) fn mechanical(&mut self) -> Result<f64> {
        Ok(self.run.energy()?.mechanical())
    }

    /// Compares a figure with the one expected, which it may differ from by the tolerance.
    pub(crate) fn near(&mut self, what: &str, found: f64, expected: f64, tolerance: f64) {
        let fine = (found - expected).abs() <= tolerance;
        let line = format!("{what}: expected {expected:.6} ± {tolerance:.1e}, found {}", digits(found));
        self.lines.push((fine, line));
    }

    /// The same with a tolerance that is a share of what is expected.
    pub(crate) fn within(&mut self, what: &str, found: f64, expected: f64, share: f64) {
        self.near(what, found, expected, share * expected.abs());
    }

    /// Compares vectors, component by component in one figure: the norm of their difference.
    pub(crate) fn same(&mut self, what: &str, found: Vec3, expected: Vec3, tolerance: f64) {
        let fine = (found - expected).norm() <= tolerance;
        let text = |v: Vec3| format!("({:.5}, {:.5}, {:.5})", v.x, v.y, v.z);
        let line = format!("{what}: expected {} ± {tolerance:.1e}, found {}", text(expected), text(found));
        self.lines.push((fine, line));
    }

    /// Says whether something is as it should be.
    pub(crate) fn holds(&mut self, what: &str, fine: bool, found: f64) {
        self.lines.push((fine, format!("{what}: found {}", digits(found))));
    }
}

/// A number with the digits that matter.
fn digits(x: f64) -> String {
    if x != 0.0 && x.abs() < 1e-2 { format!("{x:.3e}") } else { format!("{x:.6}") }
}
