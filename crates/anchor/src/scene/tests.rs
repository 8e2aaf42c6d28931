#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::manoeuvre::{AnchorParts, Bow, Manoeuvre, Rig};
use crate::solid::{Anchor, Hull};
use crate::{APPLICATION, ManoeuvreScene};
use rattleback_dynamics::Scheme;
use rattleback_dynamics::model::Mobility;
use rattleback_geom::TriMesh;
use rattleback_geom::mesh::obj;
use rattleback_scene::{Format, Scene, SceneError, Source};

const FORMAT: Format = Format::new(&[APPLICATION]);

const HEAD: &str = "title = \"Up\"\n[run]\nduration = 2\n";
const SHORT: &str = "[manoeuvre]\ndiameter = \"56 mm\"\nhull = { pipe_diameter = 0.6, chord = 0.02 }\n";

fn scene(text: &str, beside: Vec<(std::path::PathBuf, String)>) -> Result<Scene, Vec<String>> {
    let source = Source { path: "up.toml".into(), text: text.to_owned(), beside };
    FORMAT.parse_scene(source).map_err(|error| match error {
        SceneError::Refused { complaints, .. } => {
            complaints.iter().map(|c| format!("{}: {}", c.key, c.message)).collect()
        }
        other => vec![other.to_string()],
    })
}

fn complaints(manoeuvre: &str) -> Vec<String> {
    scene(&format!("{HEAD}{manoeuvre}"), Vec::new()).map(|scene| scene.title).unwrap_err()
}

fn measures() -> Hull {
    Hull { chord: 0.02, ..Hull::new(0.6) }
}

#[test]
fn measures_alone_make_the_usual_manoeuvre() {
    let made = scene(&format!("{HEAD}{SHORT}anchor = {{ mass = \"2 t\" }}\n"), Vec::new()).unwrap();
    let anchor = AnchorParts::from_anchor(&Anchor::new(2000.0).unwrap()).unwrap();
    let usual = Manoeuvre::new(Bow::from_hull(&measures()).unwrap(), anchor, 0.056);
    let rig = usual.build().unwrap();
    assert_eq!(made.state, rig.state);
    assert_eq!(made.model.bodies().len(), rig.model.bodies().len());
    assert_eq!(ManoeuvreScene::of(&made).unwrap().rig.windlass, rig.windlass);
    assert_eq!(made.scheme, Scheme::Mechanism(Rig::settings()));
    assert_eq!(made.looks.len(), rig.model.bodies().len());
    assert!(made.output.camera.is_some());
}

#[test]
fn every_key_reaches_its_field() {
    let text = format!(
        "{HEAD}{SHORT}depth = \"150 cm\"\nheading = \"90 deg\"\nlean = \"5 deg\"\nswing_speed = 0.4\n\
         tilt = \"20 deg\"\nspeed = \"15 m/min\"\nlimit = \"90 kN\"\nfriction = 0.2\nlink_friction = 0.05\n\
         stiffness = \"1e9 N/m^1.5\"\nrestitution = 0.2\n\
         anchor = {{ mass = 2000, tripping_angle = \"40 deg\", density = 7800 }}\n\
         motion = {{ type = \"harmonic\", terms = [{{ freedom = \"heave\", amplitude = 0.5, frequency = \"0.1 Hz\" }}] }}\n"
    );
    let made = scene(&text, Vec::new()).unwrap();
    let found = &ManoeuvreScene::of(&made).unwrap().manoeuvre;
    let degrees = |angle: f64| angle.to_radians();
    let wanted = [1.5, degrees(90.0), degrees(5.0), 0.4, degrees(20.0), 0.25, 9e4, 0.2, 0.05, 1e9, 0.2];
    let fields = [
        found.depth,
        found.heading,
        found.lean,
        found.swing_speed,
        found.tilt,
        found.speed,
        found.limit,
        found.friction,
        found.link_friction,
        found.stiffness,
        found.restitution,
    ];
    for (field, wanted) in fields.iter().zip(wanted) {
        assert!((field - wanted).abs() <= 1e-12 * wanted, "{fields:?}");
    }
    assert!((found.anchor.tripping_angle - degrees(40.0)).abs() < 1e-12);
    assert_eq!(found.anchor.density, 7800.0);
    assert!(matches!(
        made.model.bodies()[ManoeuvreScene::of(&made).unwrap().rig.hull.0].mobility,
        Mobility::Prescribed(_)
    ));
}

#[test]
fn meshes_of_hull_and_anchor_stand_for_their_measures() {
    let anchor = Anchor::new(2000.0).unwrap();
    let obj = |mesh: &TriMesh| {
        let mut bytes = Vec::new();
        obj::write(mesh, &mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    };
    let beside = [
        ("bow.obj", obj(&measures().mesh().unwrap())),
        ("head.obj", obj(&anchor.head().unwrap())),
        ("shank.obj", obj(&anchor.shank().unwrap())),
    ];
    let beside = beside.into_iter().map(|(name, text)| (name.into(), text)).collect();
    let text = format!(
        "{HEAD}{SHORT}hull_mesh = {{ file = \"bow.obj\" }}\n[manoeuvre.anchor]\nhead = {{ file = \"head.obj\" }}\n\
         shank = {{ file = \"shank.obj\" }}\nshank_length = {}\n",
        anchor.shank_length()
    );
    let made = scene(&text, beside).unwrap();
    assert_eq!(made.files.len(), 3);
    let found = &ManoeuvreScene::of(&made).unwrap().manoeuvre;
    assert!((found.anchor.mass() - 2000.0).abs() < 1e-6, "{}", found.anchor.mass());
    assert_eq!(found.bow.solid.mesh().triangles().len(), measures().mesh().unwrap().triangles().len());
}

#[test]
fn what_cannot_be_is_told_at_its_key() {
    for (text, said) in [
        (
            "depth = 0.3\nanchor = { mass = 2000 }\n",
            "manoeuvre.depth: found 0.3; expected a number at least 12",
        ),
        (
            "tilt = 1\nanchor = { mass = 2000 }\n",
            "manoeuvre.tilt: found 1; expected a number within the tripping",
        ),
        ("lean = 2\nanchor = { mass = 2000 }\n", "manoeuvre.lean: found 2; expected"),
        (
            "restitution = 2\nanchor = { mass = 2000 }\n",
            "manoeuvre.restitution: found 2; expected a number from 0",
        ),
        (
            "stiffness = \"hertz\"\nanchor = { mass = 2000 }\n",
            "manoeuvre.stiffness: found \"hertz\"; expected a stiffness",
        ),
        (
            "speed = 0\nanchor = { mass = 2000 }\n",
            "manoeuvre.speed: found 0; expected a finite number above zero",
        ),
        ("anchor = { mass = -1 }\n", "manoeuvre.anchor.mass: found -1; expected"),
        (
            "anchor = { mass = 2000, shank_length = 1 }\n",
            "manoeuvre.anchor.shank_length: found `shank_length` beside",
        ),
        (
            "anchor = { shank_length = 1 }\n",
            "manoeuvre.anchor: expected `mass`, or `head`, `shank` and `shank_length`",
        ),
    ] {
        let told = complaints(&format!("{SHORT}{text}"));
        assert!(told.len() == 1 && told[0].starts_with(said), "{told:?}");
    }
    let told =
        complaints("[manoeuvre]\ndiameter = 0.056\nhull = { pipe_diameter = -1 }\nanchor = { mass = 1 }\n");
    assert!(told.len() == 1 && told[0].starts_with("manoeuvre.hull.pipe_diameter: found -1"), "{told:?}");
}
