#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::read::Source;
use crate::{Scene, parse_scene};
use rattleback_dynamics::chain::{Chain, ChainEnd, ChainFriction, EndJoint, LinkKind, LinkRun};
use rattleback_dynamics::joint::{Action, JointKind};
use rattleback_dynamics::{BodyId, BodyModel, Mechanism, Model, Motion, Scheme, mechanism::Settings};
use rattleback_geom::{Pose, Vec3};

/// A hook whose mass centre is not its origin, a chain from it to a free end, a floor of the same material.
const TEXT: &str = r##"title = "chain"
gravity = [0, 0, -9.81]
[materials.steel]
density = "7850 kg/m^3"
[materials.air]
[[bodies]]
name = "hook"
mass = "5 kg"
inertia = [1, 1, 1]
mass_centre = [0, 0, 0.1]
position = [0, 0, 2]
[[bodies]]
name = "floor"
fixed = true
shape = { type = "plane", normal = [0, 0, 1], offset = -9 }
material = "steel"
[[chains]]
name = "cable"
diameter = "50 mm"
path = [[0, 0, 2], [0, 0, 0.6], [0.6, 0, 0.6]]
links = [{ kind = "end_shackle" }, { kind = "swivel" }, { kind = "common", stud = true, count = 6 }]
material = "steel"
friction = { coefficient = 0.3 }
from = { body = "hook", point = [0, 0, 0], joint = "spherical" }
across = [0, 1, 0]
colour = "#123456"
[[contacts]]
materials = ["steel", "steel"]
stiffness = 1e7
normal = { law = "flores", restitution = 0.5 }
[run]
duration = 1
"##;

fn read(text: &str) -> Result<Scene, String> {
    let source = Source { path: "scene.toml".into(), text: text.to_owned(), beside: Vec::new() };
    parse_scene(source).map_err(|error| error.to_string())
}

#[test]
fn a_chain_is_that_of_the_engine() {
    let scene = read(TEXT).unwrap();
    let mut builder = Model::builder();
    let surface = builder.surface("steel");
    let hook = builder.body(BodyModel::fixed("hook"));
    builder.body(BodyModel::fixed("floor"));
    let mut motions =
        vec![Motion::at_rest(Pose::from_position(0.0, 0.0, 2.1)), Motion::at_rest(Pose::identity())];
    let chain = Chain {
        meshes: Vec::new(),
        name: "cable".to_owned(),
        diameter: 0.05,
        density: 7850.0,
        links: vec![
            LinkRun { kind: LinkKind::EndShackle, stud: false, count: 1 },
            LinkRun { kind: LinkKind::Swivel, stud: false, count: 1 },
            LinkRun { kind: LinkKind::Common, stud: true, count: 6 },
        ],
        path: vec![Vec3::new(0.0, 0.0, 2.0), Vec3::new(0.0, 0.0, 0.6), Vec3::new(0.6, 0.0, 0.6)],
        across: Some(Vec3::y()),
        friction: Some(ChainFriction { coefficient: 0.3, rate: 0.1 }),
        from: Some(ChainEnd {
            body: hook,
            point: Some(Vec3::new(0.0, 0.0, -0.1)),
            joint: EndJoint::Spherical,
        }),
        to: None,
    };
    let ids = chain.build(&mut builder, surface, &mut motions).unwrap();
    let model = builder.build().unwrap();
    assert_eq!(scene.state.motions, motions);
    assert_eq!(scene.model.joints(), model.joints());
    assert_eq!(scene.model.actions(), model.actions());
    assert_eq!(ids.links[7], BodyId(9));
    assert_eq!(scene.model.joints()[0].kind, JointKind::Spherical);
    assert!(matches!(scene.model.actions()[0].action, Action::Bearing { .. }));
    for (found, expected) in scene.model.bodies().iter().zip(model.bodies()).skip(2) {
        assert_eq!((&found.name, found.body), (&expected.name, expected.body));
        assert_eq!(found.parts.len(), expected.parts.len());
    }
    // Links touch the floor, with their tubes alone, and not each other.
    let pairs = scene.model.all_pairs();
    assert_eq!(pairs.len(), 8);
    assert!(pairs.iter().all(|pair| pair.a.body == BodyId(1) && pair.b.index == 0));
    assert!(matches!(scene.scheme, Scheme::Mechanism(_)));
    assert_eq!(scene.looks[5].colour, Some([0x12, 0x34, 0x56]));
    let open = Mechanism::new(&scene.model, Settings::default()).unwrap().violation(&scene.state).unwrap();
    assert!(open.position < 1e-13, "{open:?}");
}

#[test]
fn as_many_common_links_as_fit_are_taken_unless_a_number_is_given() {
    let links = "links = [{ kind = \"end_shackle\" }, { kind = \"swivel\" }, { kind = \"common\", stud = true, count = 6 }]";
    let path = "[[0, 0, 2], [0, 0, 0.6], [0.6, 0, 0.6]]";
    let straight = TEXT.replace(path, "[[0, 0, 2], [0, 0, 0.95]]");
    for (instead, count) in [("", 5), ("count = 5\nstud = true", 5)] {
        let scene = read(&straight.replace(links, instead)).unwrap();
        assert_eq!(scene.model.bodies().len(), 2 + count, "{instead}");
    }
}

#[test]
fn mistakes_are_told_where_they_stand() {
    for (from, to, said) in [
        (
            "diameter = \"50 mm\"",
            "diameter = 0",
            "chains[0].diameter: found 0; expected a finite number above zero",
        ),
        ("[0.6, 0, 0.6]]", "[3, 0, 0.6]]", "chains[0].path: chain cable does not fit: its links are 1.86"),
        ("[0.6, 0, 0.6]]", "[0.1, 0, 0.6]]", "chains[0].path: chain cable does not fit: its links are 1.86"),
        (
            "[[0, 0, 2], [0, 0, 0.6], [0.6, 0, 0.6]]",
            "[[0, 0, 2]]",
            "chains[0].path: chain cable: its path has 1 points",
        ),
        ("[[0, 0, 2], ", "[[0, 0, inf], ", "chains[0].path[0][2]: found inf; expected a finite number"),
        (
            "material = \"steel\"\nfriction",
            "material = \"air\"\nfriction",
            "chains[0].material: the material \"air\" has no density",
        ),
        (
            "material = \"steel\"\nfriction",
            "material = \"steal\"\nfriction",
            "chains[0].material: no material is named \"steal\"",
        ),
        ("body = \"hook\"", "body = \"hok\"", "chains[0].from.body: no body is named \"hok\""),
        (
            "point = [0, 0, 0]",
            "point = [0, 0, 1]",
            "chains[0].path: chain cable: its path ends at (0, 0, 2), 1 m from",
        ),
        (
            "{ kind = \"swivel\" }",
            "{ kind = \"swivel\", stud = true }",
            "chains[0].links[1].stud: found a stud",
        ),
        ("\"swivel\"", "\"swivvel\"", "chains[0].links[1].kind: found the text \"swivvel\""),
        (
            "across = [0, 1, 0]",
            "across = [0, 0, 1]",
            "chains[0].across: chain cable: its first link lies along",
        ),
        ("across = [0, 1, 0]", "across = [0, 0, 0]", "chains[0].across: across of chain cable = 0"),
        ("across = [0, 1, 0]", "count = 3", "chains[0].count: found `count` beside `links`"),
        ("coefficient = 0.3", "coefficient = -1", "chains[0].friction.coefficient: found -1"),
        ("name = \"hook\"", "name = \"cable 3\"", "name \"cable 3\" is taken already"),
        (
            "[run]",
            "[solver]\ntype = \"explicit\"\n[run]",
            "solver: found a solver of free bodies; the scene has chains",
        ),
    ] {
        assert!(TEXT.contains(from), "{from}");
        let mut text = TEXT.replacen(from, to, 1);
        if to.contains("cable 3") {
            text = text.replace("body = \"hook\"", "body = \"cable 3\"");
        }
        let complaint = read(&text).unwrap_err();
        assert!(complaint.contains(said), "{said}: {complaint}");
    }
}
