//! An application that is none of ours: its key, its shape, its memory and its verdict go through the hooks.

use rattleback_dynamics::{
    Accuracy, Body, BodyModel, Instant, Method, Model, Motion, Result, Run, Scheme, State,
};
use rattleback_geom::surface::{Shape, Sphere};
use rattleback_geom::{Mat3, Pose, Vec3};
use rattleback_scene::read::{
    Definitions, Entry, Field, Json, Length, Range, Reader, SourceValue, Velocity, entry, number,
};
use rattleback_scene::{
    Application, ApplicationModel, ApplicationScene, Format, Monitor, SceneError, ShapeTable, ShapeType,
    Source, Verdict, parse_scene, scene_schema,
};
use serde_json::json;
use std::path::Path;
use std::sync::Arc;

entry! {
    /// A ball thrown up.
    pub struct ThrowSpec {
        /// Its speed.
        speed: Velocity,
        /// Its radius.
        radius: Length = Length(0.1),
    }
}
entry! {
    /// A ball by its diameter.
    pub struct BulletSpec {
        /// Its diameter.
        calibre: Length,
    }
}

impl ShapeTable for BulletSpec {
    fn lower(&self, remarks: &mut Vec<String>, reader: &mut Reader) -> Option<Shape> {
        remarks.push("a bullet".to_owned());
        let made = Sphere::new(0.5 * self.calibre.0).map(Shape::from);
        made.map_err(|error| rattleback_scene::refuse(&error, &self.place, "calibre", reader)).ok()
    }
}

/// How high it came, in m.
#[derive(Debug)]
struct Thrown;

#[derive(Debug)]
struct Height(f64);

impl ApplicationScene for Thrown {
    fn monitor(&self, memory: Option<&Json>) -> std::result::Result<Box<dyn Monitor>, String> {
        let height = memory.map_or(Some(0.0), Json::as_f64).ok_or("it is no number")?;
        Ok(Box::new(Height(height)))
    }
}

impl Monitor for Height {
    fn see(&mut self, instant: &Instant<'_>) {
        self.0 = self.0.max(instant.state.motions[0].pose.position.z);
    }

    fn memory(&self) -> Result<Json> {
        Ok(json!(self.0))
    }

    fn verdict(&self) -> Option<Verdict> {
        Some(Verdict {
            lines: vec![format!("It rose by {:.3} m.", self.0)],
            json: json!({"height_m": self.0}),
        })
    }
}

fn read(node: &SourceValue, _: &Path, reader: &mut Reader) -> Option<ApplicationModel> {
    let spec = ThrowSpec::read(node, reader)?;
    let speed = number(&spec.place, "speed", spec.speed.0, Range::Positive, reader)?;
    let mut builder = Model::builder();
    builder.gravity(Vec3::new(0.0, 0.0, -10.0));
    builder.body(BodyModel::free("ball", Body { mass: 1.0, inertia: Mat3::identity() }));
    let motion = Motion { velocity: Vec3::new(0.0, 0.0, speed), ..Motion::at_rest(Pose::identity()) };
    Some(ApplicationModel {
        model: builder.build().ok()?,
        state: State::new(vec![motion]),
        scheme: Scheme::Free { method: Method::Explicit, accuracy: Accuracy::default() },
        looks: vec![Default::default()],
        camera: None,
        files: Vec::new(),
        remarks: Vec::new(),
        scene: Arc::new(Thrown),
    })
}

const FORMAT: Format = Format::new(&[Application {
    key: "throw",
    meaning: "A ball thrown up.",
    bodies: "a ball",
    schema: |definitions: &mut Definitions| ThrowSpec::schema(definitions),
    read,
    shapes: &[ShapeType {
        word: "bullet",
        read: |node, tag, reader| {
            BulletSpec::read_tagged(node, tag, reader).map(|table| Arc::new(table) as Arc<dyn ShapeTable>)
        },
        schema: |definitions, tag, word| definitions.tagged::<BulletSpec>(tag, word),
    }],
    scenes: &[],
}]);

fn source(text: &str) -> Source {
    Source {
        path: "throw.toml".into(),
        text: format!("title = \"Up\"\n{text}\n[run]\nduration = 1\n"),
        beside: Vec::new(),
    }
}

fn refused(text: &str) -> Vec<String> {
    match FORMAT.parse_scene(source(text)).unwrap_err() {
        SceneError::Refused { complaints, .. } => {
            complaints.iter().map(|c| format!("{}: {}", c.key, c.message)).collect()
        }
        other => panic!("{other}"),
    }
}

#[test]
fn its_key_says_all_of_the_model_and_its_monitor_follows_the_run() {
    let scene = FORMAT.parse_scene(source("throw = { speed = 4 }")).unwrap();
    let application = scene.application.as_ref().unwrap();
    let mut monitor = application.monitor(None).unwrap();
    let mut run = Run::new(&scene.model, scene.state.clone(), &scene.scheme).unwrap();
    for end in [0.2, 0.4, scene.duration] {
        run.advance(end, &mut |instant| {
            monitor.see(instant);
            Ok(())
        })
        .unwrap();
        // Stored and taken up again.
        monitor = application.monitor(Some(&monitor.memory().unwrap())).unwrap();
    }
    assert_eq!(monitor.verdict().unwrap().lines, ["It rose by 0.800 m."]);
    assert_eq!(application.monitor(Some(&json!("high"))).unwrap_err(), "it is no number");
}

#[test]
fn what_is_wrong_at_its_key_and_beside_it_is_told_at_once() {
    let said = refused("gravity = [0, 0, -1]\nthrow = { speed = -1, radus = 1 }");
    assert_eq!(
        said,
        [
            "gravity: found `gravity` beside `throw`, which says all of the model",
            "throw.speed: found -1; expected a finite number above zero",
            "throw: unknown key `radus`; expected `speed` or `radius`",
        ]
    );
}

#[test]
fn a_program_without_it_does_not_know_its_key_and_one_with_it_lists_it() {
    let error = parse_scene(source("throw = { speed = 4 }")).unwrap_err().to_string();
    assert!(error.contains("unknown key `throw`") && error.contains("missing key `bodies`"), "{error}");
    let said = refused("thrw = { speed = 4 }");
    assert!(
        said.iter().any(|said| said.contains("unknown key `thrw`") && said.ends_with("or `throw`")),
        "{said:?}"
    );
}

#[test]
fn its_shape_is_one_of_the_shapes() {
    let body = |shape: &str| {
        format!(
            "gravity = [0, 0, 0]\n[[bodies]]\nname = \"b\"\nmass = 1\ninertia = [1, 1, 1]\nshape = {shape}"
        )
    };
    let scene = FORMAT.parse_scene(source(&body("{ type = \"bullet\", calibre = \"2 cm\" }"))).unwrap();
    let Shape::Sphere(ball) = &scene.model.bodies()[0].parts[0].shape else { panic!("no ball") };
    assert_eq!((ball.radius(), scene.remarks.as_slice()), (0.01, &["a bullet".to_owned()][..]));
    let said = refused(&body("{ type = \"bullet\", calibre = -1 }"));
    assert!(said[0].starts_with("bodies[0].shape.calibre: "), "{said:?}");
    let said = refused(&body("{ type = \"bulet\", calibre = 1 }"));
    assert!(said[0].contains("expected `plane`") && said[0].contains("or `bullet`"), "{said:?}");
}

#[test]
fn the_schema_has_its_key_and_its_shape() {
    let (core, schema) = (scene_schema(), FORMAT.scene_schema());
    let property = |schema: &Json| schema.pointer("/$defs/SceneSpec/properties/throw").cloned();
    assert!(property(&core).is_none());
    assert_eq!(
        property(&schema).unwrap(),
        json!({"$ref": "#/$defs/ThrowSpec", "description": "A ball thrown up."})
    );
    assert_eq!(schema["anyOf"][0], json!({"required": ["throw"]}));
    let shapes = schema["$defs"]["ShapeSpec"]["anyOf"].as_array().unwrap();
    assert_eq!(shapes.last().unwrap()["properties"]["type"]["const"], "bullet");
}
