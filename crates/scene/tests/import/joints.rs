//! From joints of one coordinate each to the joints of a scene.

use super::{import, import_text, tells};
use rattleback_dynamics::joint::JointKind;
use rattleback_scene::{ImportOptions, ImportedScene, SceneError};

/// A body with joints, in a world.
fn body(name: &str, joints: &str, options: &ImportOptions) -> Result<ImportedScene, SceneError> {
    let text = format!(
        "<mujoco><compiler angle=\"radian\"/><worldbody>\n<body name=\"b\" pos=\"0 0 1\">\n{joints}\n<geom size=\"0.1\"/>\n\
         </body></worldbody><actuator>\n<position name=\"p\" joint=\"j\" kp=\"20\" kv=\"2\" gear=\"3\" ctrlrange=\"0.6 2\" forcerange=\"-4 4\"/>\n\
         </actuator></mujoco>"
    );
    import_text(name, &text, options)
}

fn kind(imported: &ImportedScene) -> &str {
    let mut lines = imported.text.lines().skip_while(|line| *line != "[[joints]]");
    lines.find_map(|line| line.strip_prefix("type = ")).unwrap_or("none")
}

#[test]
fn joints_together_are_the_joint_of_a_scene_that_moves_alike() {
    let usual = ImportOptions::default();
    for (name, joints, expected) in [
        ("hinge", "<joint name=\"j\"/>", "\"revolute\""),
        ("slide", "<joint name=\"j\" type=\"slide\"/>", "\"prismatic\""),
        (
            "cross",
            "<joint name=\"j\" axis=\"1 0 0\"/><joint axis=\"0 1 0\" pos=\"0 0.3 0\"/>",
            "\"universal\"",
        ),
        ("drill", "<joint name=\"j\" type=\"slide\"/><joint pos=\"0.1 0 0\"/>", "\"cylindrical\""),
        (
            "plane",
            "<joint name=\"j\" type=\"slide\" axis=\"1 0 0\"/><joint type=\"slide\" axis=\"0 0 1\"/><joint axis=\"0 1 0\"/>",
            "\"planar\"",
        ),
        (
            "ball",
            "<joint name=\"j\" axis=\"1 0 0\"/><joint axis=\"0 1 0\"/><joint axis=\"0 0 1\"/>",
            "\"spherical\"",
        ),
    ] {
        let imported = body(name, joints, &usual).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(kind(&imported), expected, "{name}");
        let is_lost = tells(&imported, 3, "actuator \"p\" of joint \"j\": left out");
        assert_eq!(is_lost, ["plane", "ball"].contains(&name), "{name}: {:?}", imported.losses);
    }
}

/// kp (u − 3q) − kv 3q̇ with u = 0.6, times 3: stiffness 9·20, damping 9·2, about 0.6/3, at most 3·4.
#[test]
fn a_servo_is_a_control_with_its_gear() {
    let imported = body("servo", "<joint name=\"j\"/>", &ImportOptions::default()).unwrap();
    let expected = "motor = { rate = 0, start = 0.2, stiffness = 180, damping = 18, limit = 12 }";
    assert!(imported.text.contains(expected), "{}", imported.text);
    let cross = "<joint name=\"i\" axis=\"1 0 0\"/><joint name=\"j\" axis=\"0 1 0\"/>";
    let imported = body("cross servo", cross, &ImportOptions::default()).unwrap();
    assert!(imported.text.contains("limit = 12, on = \"second_turn\" }"), "{}", imported.text);
}

#[test]
fn joints_that_a_scene_does_not_have_are_refused_or_divided() {
    let skew = "<joint name=\"j\" axis=\"1 0 0\"/><joint name=\"k\" axis=\"0 1 0\" pos=\"0 0 0.3\"/>";
    let message = body("skew", skew, &ImportOptions::default()).unwrap_err().to_string();
    assert!(message.contains("a scene has no joint for \"j\", \"k\" of body \"b\" together"), "{message}");
    assert!(message.contains("--carriers") && message.contains("robot.xml:2:"), "{message}");
    let options = ImportOptions { carriers: true, ..ImportOptions::default() };
    let imported = body("carried", skew, &options).unwrap();
    assert_eq!((imported.bodies, imported.joints), (2, 2));
    assert!(tells(&imported, 2, "of 0.0001 of its mass, between its joints"), "{:?}", imported.losses);
    // Three hinges keep their actuator where a carrier divides them.
    let ball = "<joint name=\"j\" axis=\"1 0 0\"/><joint axis=\"0 1 0\"/><joint axis=\"0 0 1\"/>";
    let imported = body("divided", ball, &options).unwrap();
    assert!(imported.text.contains("limit = 12") && imported.joints == 2, "{}", imported.text);
}

/// A joint drawn at `ref` keeps its numbers: frames on both bodies make its coordinate read as in the source.
#[test]
fn references_of_joints_are_their_coordinates_at_the_start() {
    let imported =
        body("ref", "<joint name=\"j\" ref=\"0.5\" range=\"0 1\"/>", &ImportOptions::default()).unwrap();
    assert!(imported.text.contains("lower = 0, upper = 1"), "{}", imported.text);
    let source = rattleback_scene::Source { path: "x.toml".into(), text: imported.text, beside: Vec::new() };
    let scene = rattleback_scene::parse_scene(source).unwrap();
    let joint = &scene.model.joints()[0];
    assert_eq!(joint.kind, JointKind::Revolute);
    let [a, b] = [joint.a, joint.b].map(|frame| scene.state.motions[frame.body.0].pose.compose(&frame.pose));
    let turn = a.inverse().compose(&b).orientation.scaled_axis();
    assert!((turn - rattleback_geom::Vec3::new(0.0, 0.0, 0.5)).norm() < 1e-12, "{turn}");
}

#[test]
fn bodies_without_mass_hand_on_their_joints() {
    let link = |name: &str, mass: &str| format!("<link name=\"{name}\">{mass}</link>");
    let joint = |name: &str, parent: &str, child: &str, axis: &str| {
        format!(
            "<joint name=\"{name}\" type=\"continuous\"><parent link=\"{parent}\"/><child link=\"{child}\"/><axis xyz=\"{axis}\"/></joint>"
        )
    };
    let mass = "<inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial>";
    let parts = [
        link("base", ""),
        link("cross", ""),
        link("arm", mass),
        link("tip", ""),
        joint("x", "base", "cross", "1 0 0"),
        joint("y", "cross", "arm", "0 1 0"),
        joint("spin", "arm", "tip", "0 0 1"),
    ];
    let text = format!("<robot name=\"r\">\n{}</robot>", parts.join("\n"));
    let imported = import_text("massless", &text, &ImportOptions::default()).unwrap();
    assert_eq!(
        (kind(&imported), imported.bodies, imported.joints),
        ("\"universal\"", 1, 1),
        "{}",
        imported.text
    );
    assert!(tells(&imported, 5, "\"tip\" has no mass and carries nothing"), "{:?}", imported.losses);
}

#[test]
fn what_is_lost_is_told_with_its_line_and_stands_in_the_scene() {
    let (imported, _) = import("hopper.xml", &ImportOptions::default());
    for (line, what) in [(19, "joint \"hip\": the rotor's inertia 0.1 is left out"), (29, "sensor jointpos")]
    {
        assert!(tells(&imported, line, what), "{line} {what}: {:?}", imported.losses);
    }
    for loss in &imported.losses {
        assert!(imported.text.contains(&format!("#   {loss}\n")), "{loss}");
    }
    assert!(
        imported.text.contains("limits = { lower = \"-60 deg\", upper = \"60 deg\""),
        "{}",
        imported.text
    );
    assert!(imported.text.contains("[\"torso\", \"leg\"],  # joined"), "{}", imported.text);
    assert!(!imported.text.contains("\n  [\"world\", "), "the world is touched: {}", imported.text);
}

#[test]
fn links_touch_each_other_where_asked_save_those_that_overlap() {
    let options = ImportOptions { self_contacts: true, ground: true, free: true, ..ImportOptions::default() };
    let (imported, scene) = import("arm.urdf", &options);
    assert!(imported.text.contains("[\"base\", \"turret\"],  # joined"), "{}", imported.text);
    assert!(imported.text.contains("materials = [\"robot\", \"robot\"]"), "{}", imported.text);
    // The base reaches 0.1 m below its own origin.
    assert!(imported.text.contains("offset = -0.1 }"), "{}", imported.text);
    assert!(scene.model.bodies().iter().filter(|body| body.is_free()).count() == 4);
    let plain = import("arm.urdf", &ImportOptions::default()).0;
    assert!(
        !plain.text.contains("[[contacts]]") && !plain.text.contains("exclude_contacts"),
        "{}",
        plain.text
    );
}

/// Programs write 1e16 where a joint has no limits.
#[test]
fn limits_beyond_all_numbers_are_none() {
    let robot = |lower: &str, upper: &str| {
        format!(
            "<robot name=\"r\"><link name=\"a\"/>\n<link name=\"b\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" \
             ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial></link>\n<joint name=\"j\" type=\"revolute\"><parent link=\"a\"/>\
             <child link=\"b\"/>\n<limit effort=\"1e20\" lower=\"{lower}\" upper=\"{upper}\" velocity=\"0\"/></joint></robot>"
        )
    };
    let usual = ImportOptions::default();
    let endless = import_text("endless", &robot("-1e16", "1e16"), &usual).unwrap();
    assert!(!endless.text.contains("limits = "), "{}", endless.text);
    assert!(tells(&endless, 4, "limits of joint \"j\", beyond 1e12: it has none"), "{:?}", endless.losses);
    let half = import_text("half endless", &robot("-0.5", "1e16"), &usual).unwrap();
    assert!(half.text.contains("limits = "), "{}", half.text);
    assert!(import_text("backwards", &robot("1", "-1e16"), &usual).is_err());
}

/// A link that reaches to its hinge on a post is in the post there, and is not driven out of it; others touch the post.
#[test]
fn what_a_joint_holds_in_the_world_does_not_touch_it_where_they_overlap() {
    let text = "<mujoco><worldbody><body name=\"post\"><geom type=\"capsule\" size=\"0.01\" fromto=\"0 0 0 0 0 0.1\"/>\n\
                <body name=\"arm\" pos=\"0 0 0.1\"><geom type=\"capsule\" size=\"0.01\" fromto=\"0 0 0 0 0.1 0.1\"/>\
                <joint type=\"ball\"/></body></body>\n<body name=\"stone\" pos=\"0.015 0 0.05\"><freejoint/>\
                <geom size=\"0.01\"/></body></worldbody></mujoco>";
    let imported = import_text("post", text, &ImportOptions::default()).unwrap();
    let excluded: Vec<&str> = imported.text.lines().filter(|line| line.contains("# overlap at")).collect();
    assert!(excluded.len() == 1 && excluded[0].contains("[\"world\", \"arm\"]"), "{}", imported.text);
    assert!(tells(&imported, 2, "they never touch"), "{:?}", imported.losses);
    assert!(tells(&imported, 3, "they are driven apart"), "{:?}", imported.losses);
}

/// What PyBullet and its like write beside the words of the format.
#[test]
fn dialects_of_urdf_are_read_and_told() {
    let mass = "<inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial>";
    let joint = |kind: &str, rest: &str| {
        format!(
            "\n\n<?xml version=\"1.0\" ?>\n<robot name=\"r\"><link name=\"base\"/><link name=\"arm\">{mass}</link>\n\
             <joint name=\"j\" type=\"{kind}\"><parent link=\"base\"/><child link=\"arm\"/>{rest}</joint></robot>\r\n\0"
        )
    };
    let usual = ImportOptions::default();
    let imported = import_text("spherical", &joint("spherical", "<axis xyz=\"0 0 0\"/>"), &usual).unwrap();
    assert_eq!(kind(&imported), "\"spherical\"");
    assert!(tells(&imported, 3, "an XML declaration that is not at the start"), "{:?}", imported.losses);
    assert!(tells(&imported, 5, "zero bytes after the end"), "{:?}", imported.losses);
    let limits = "\n<limit lower=\"-1\" upper=\"1\" effort=\"0\" velocity=\"5\"/>";
    let imported = import_text("ball limits", &joint("spherical", limits), &usual).unwrap();
    assert!(tells(&imported, 6, "which has several coordinates: not taken over"), "{:?}", imported.losses);
    // Zero bytes and declarations anywhere else are no XML.
    let broken = joint("spherical", "\0");
    assert!(import_text("broken", &broken, &usual).is_err());
    let twice = joint("spherical", "")
        .replace("<link name=\"base\"/>", "<?xml version=\"1.0\"?><link name=\"base\"/>");
    assert!(import_text("twice", &twice, &usual).is_err());
}
