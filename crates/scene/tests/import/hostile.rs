//! Files that are damaged, or made to do harm.

use super::{import_text, robot};
use rattleback_scene::{Format, ImportOptions};

fn refusal(name: &str, text: &str) -> String {
    import_text(name, text, &ImportOptions::default()).unwrap_err().to_string()
}

#[test]
fn mistakes_are_told_where_they_stand() {
    for (name, text, said, place) in [
        (
            "number",
            "<robot name=\"r\">\n<link name=\"a\">\n <inertial><mass value=\"1 kg\"/></inertial></link></robot>",
            "found \"kg\"",
            ":3:25",
        ),
        (
            "link",
            "<robot name=\"r\"><link name=\"a\"/>\n<joint name=\"j\" type=\"fixed\"><parent link=\"a\"/><child link=\"b\"/></joint></robot>",
            "no link is named \"b\"",
            ":2:",
        ),
        (
            "type",
            "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"/>\n<joint name=\"j\" type=\"hinge\"><parent link=\"a\"/><child link=\"b\"/></joint></robot>",
            "found the type \"hinge\"",
            ":2:23",
        ),
        (
            "circle",
            "<robot name=\"r\"><link name=\"r\"/><link name=\"a\"/><link name=\"b\"/><joint name=\"i\" type=\"fixed\"><parent link=\"a\"/><child link=\"b\"/></joint><joint name=\"j\" type=\"fixed\"><parent link=\"b\"/><child link=\"a\"/></joint></robot>",
            "hangs on itself",
            ":1:",
        ),
        (
            "roots",
            "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"/></robot>",
            "expected one root",
            ":1:",
        ),
        ("xml", "<robot name=\"r\">\n  <link", "never closed", ":1:1"),
        ("root", "<sdf version=\"1.7\"/>", "found the root <sdf>", ":1:1"),
        (
            "xacro",
            "<robot name=\"r\" xmlns:xacro=\"http://www.ros.org/wiki/xacro\">\n<xacro:macro/></robot>",
            "xacro",
            ":2:1",
        ),
        (
            "class",
            "<mujoco><worldbody><body><joint class=\"x\"/></body></worldbody></mujoco>",
            "no class is named \"x\"",
            ":1:",
        ),
        ("global", "<mujoco><compiler coordinate=\"global\"/></mujoco>", "expected local", ":1:"),
        (
            "names",
            "<mujoco><worldbody><body name=\"a\"/><body name=\"a\"/></worldbody></mujoco>",
            "taken already",
            ":1:",
        ),
        (
            "axis",
            "<mujoco><worldbody><body><joint axis=\"0 0 0\"/></body></worldbody></mujoco>",
            "axis of length zero",
            ":1:",
        ),
        (
            "infinite",
            "<mujoco><worldbody><body pos=\"inf 0 0\"/></worldbody></mujoco>",
            "found \"inf\"",
            ":1:",
        ),
    ] {
        let message = refusal(name, text);
        assert!(
            message.contains(said) && message.contains(&format!("robot.xml{place}")),
            "{name}: {message}"
        );
    }
}

#[test]
fn entities_and_depth_and_masses_of_elements_are_refused() {
    let bomb = "<!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]>\n<robot name=\"&b;\"/>";
    assert!(refusal("bomb", bomb).contains("document type"), "{}", refusal("bomb", bomb));
    let deep = format!(
        "<mujoco><worldbody>{}{}</worldbody></mujoco>",
        "<body>".repeat(5000),
        "</body>".repeat(5000)
    );
    assert!(refusal("deep", &deep).contains("deep"));
    let many = format!(
        "<mujoco><worldbody>{}</worldbody></mujoco>",
        "<body><freejoint/><geom size=\"1\"/></body>".repeat(10_001)
    );
    assert!(refusal("many", &many).contains("expected at most 10000"));
    let more = format!("<robot name=\"r\">{}</robot>", "<a/>".repeat(1_000_001));
    assert!(refusal("more", &more).contains("nodes"));
}

#[test]
fn files_that_include_each_other_are_refused() {
    let folder = std::env::temp_dir().join(format!("rattleback-include-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let [main, part] = ["main.xml", "part.xml"].map(|name| folder.join(name));
    let body = "<worldbody><body name=\"b\"><freejoint/><geom size=\"0.1\"/></body></worldbody>";
    std::fs::write(&main, format!("<mujoco><include file=\"part.xml\"/>{body}</mujoco>")).unwrap();
    let import =
        || Format::default().import_robot(&main, &folder.join("scene.toml"), &ImportOptions::default());
    std::fs::write(&part, "<mujocoinclude><default><geom density=\"2000\"/></default></mujocoinclude>")
        .unwrap();
    let mass = 2000.0 * 4.0 / 3.0 * std::f64::consts::PI * 1e-3;
    let text = import().unwrap().text;
    let found = text.lines().find_map(|line| line.strip_prefix("mass = ")).unwrap().parse::<f64>().unwrap();
    assert!((found - mass).abs() < 1e-13, "{found}");
    std::fs::write(&part, "<mujocoinclude>\n<include file=\"main.xml\"/></mujocoinclude>").unwrap();
    let message = import().unwrap_err().to_string();
    assert!(message.contains("a file is included once") && message.contains("part.xml:2:"), "{message}");
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Cut short, with bytes changed, with pieces repeated: told or imported, never a panic.
#[test]
fn damaged_files_are_told_or_imported() {
    let mut seed = 7u64;
    let mut next = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    for name in ["arm.urdf", "gripper.urdf", "hopper.xml", "double_pendulum.xml"] {
        let whole = std::fs::read(robot(name)).unwrap();
        for round in 0..60 {
            let mut bytes = whole.clone();
            match round % 3 {
                0 => bytes.truncate(next(whole.len())),
                1 => (0..1 + next(4)).for_each(|_| bytes[next(whole.len())] = b"0-<\"/e1 "[next(8)]),
                _ => {
                    let from = next(whole.len());
                    let piece: Vec<u8> = whole[from..(from + next(200)).min(whole.len())].to_vec();
                    let at = next(whole.len());
                    bytes.splice(at..at, piece);
                }
            }
            let text = String::from_utf8_lossy(&bytes).into_owned();
            if let Err(error) = import_text("damaged", &text, &ImportOptions::default()) {
                assert!(!error.to_string().is_empty());
            }
        }
    }
}
