#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::manoeuvre::{AnchorParts, Bow, Manoeuvre, Rig};
use crate::solid::{Anchor, Hull};
use crate::{APPLICATION, ManoeuvreScene};
use rattleback_dynamics::chain::LinkKind;
use rattleback_dynamics::model::Mobility;
use rattleback_dynamics::{Run, Scheme};
use rattleback_geom::mesh::obj;
use rattleback_geom::surface::{Shape, Surface};
use rattleback_geom::{TriMesh, Vec3};
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

/// The tube of a swivel of 56 mm as a mesh, set aside.
fn swivel(aside: [f64; 3]) -> String {
    let form = LinkKind::Swivel.form(0.056, false).unwrap();
    let tube = form.surface().unwrap().tessellate(5e-4).unwrap();
    let vertices = tube.vertices().iter().map(|v| v + Vec3::from(aside)).collect();
    let mut bytes = Vec::new();
    obj::write(&TriMesh::new(vertices, tube.triangles().to_vec()).unwrap(), &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn with_mesh(file: Option<String>) -> Scene {
    let key = "link_meshes = [{ kind = \"swivel\", mesh = { file = \"swivel.obj\" } }]\n";
    let beside: Vec<_> = file.into_iter().map(|text| ("swivel.obj".into(), text)).collect();
    let key = if beside.is_empty() { "" } else { key };
    scene(&format!("{HEAD}{SHORT}{key}anchor = {{ mass = \"2 t\" }}\n"), beside).unwrap()
}

#[test]
fn a_mesh_stands_for_a_swivel_where_its_tube_was() {
    let tubes = with_mesh(None);
    let rig = |made: &Scene| ManoeuvreScene::of(made).unwrap().rig.clone();
    let links = rig(&tubes).chain.links.clone();
    let swivel_body = links[links.len() - 2].0;
    for aside in [[0.0; 3], [0.004, -0.003, 0.002]] {
        let made = with_mesh(Some(swivel(aside)));
        assert_eq!(made.files.len(), 1);
        let [body, tube] = [&made, &tubes].map(|scene| &scene.model.bodies()[swivel_body]);
        assert!(matches!(body.parts[0].shape, Shape::Mesh(_)) && body.parts.len() == 1);
        assert!(
            (body.body.mass / tube.body.mass - 1.0).abs() < 0.02,
            "{} {}",
            body.body.mass,
            tube.body.mass
        );
        let inertia = (body.body.inertia - tube.body.inertia).amax() / tube.body.inertia.amax();
        assert!(inertia < 0.02, "{inertia}");
        // Only the mass centre of the swivel is elsewhere.
        for (k, (one, other)) in made.state.motions.iter().zip(&tubes.state.motions).enumerate() {
            let shift = other.pose.vector_to_local(&(one.pose.position - other.pose.position));
            let wanted = if k == swivel_body { Vec3::from(aside) } else { Vec3::zeros() };
            assert!((shift - wanted).norm() < 1e-6, "{k}: {shift}");
        }
        // The joints close, or there would be no run; it moves as with the tube, as far as the mesh is it.
        let shackles = [&made, &tubes].map(|scene| {
            let mut run = Run::new(&scene.model, scene.state.clone(), &scene.scheme).unwrap();
            run.advance(0.3, &mut |_| Ok(())).unwrap();
            run.state().motions[rig(scene).shank.0].pose.position
        });
        assert!((shackles[0] - shackles[1]).norm() < 1e-3, "{shackles:?}");
    }
}

#[test]
fn a_mesh_that_stands_for_no_link_is_told_at_its_key() {
    let told = |links: &str, key: &str, file: String| {
        let text =
            format!("{HEAD}{SHORT}links = {links}\nlink_meshes = {key}\nanchor = {{ mass = \"2 t\" }}\n");
        scene(&text, vec![("swivel.obj".into(), file)]).map(|scene| scene.title).unwrap_err().join(";")
    };
    let one = "{ kind = \"swivel\", mesh = { file = \"swivel.obj\" } }";
    let absent = told("[\"end\"]", &format!("[{one}]"), swivel([0.0; 3]));
    assert!(absent.contains("manoeuvre.link_meshes[0]: none of `links` is of its kind"), "{absent}");
    let twice = told("[\"swivel\", \"end\"]", &format!("[{one}, {one}]"), swivel([0.0; 3]));
    assert!(twice.contains("manoeuvre.link_meshes[1]: another mesh stands for its kind"), "{twice}");
    let far = told("[\"swivel\", \"end\"]", &format!("[{one}]"), swivel([0.0, 0.0, 0.5]));
    assert!(far.contains("manoeuvre.link_meshes[0]: it ends"), "{far}");
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
