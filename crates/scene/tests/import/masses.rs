//! Masses, centres and inertias.

use super::{import, robot, tells};
use rattleback_geom::{Mat3, Vec3};
use rattleback_scene::{Format, ImportOptions};

/// The parallel-axis theorem by hand. The tool is turned by 90° about y at (0.4, 0, 0) of the forearm: its z is the
/// forearm's x, its x the forearm's −z. Its centre is at (0.5, 0, 0), its moments there are (0.001, 0.003, 0.002).
/// Together: mass 1.5, centre (1·0.2 + 0.5·0.5)/1.5 = 0.3; both are off by 0.1 and 0.2 along x, which adds
/// 1·0.01 + 0.5·0.04 = 0.03 to the moments about y and z.
#[test]
fn links_that_are_fixed_become_part_of_their_parent() {
    let (imported, scene) = import("arm.urdf", &ImportOptions::default());
    assert_eq!((imported.bodies, imported.joints), (3, 3));
    let forearm = scene.model.bodies().iter().find(|body| body.name == "forearm").unwrap();
    assert!((forearm.body.mass - 1.5).abs() < 1e-15);
    let expected = Mat3::from_diagonal(&Vec3::new(0.002, 0.053, 0.052));
    assert!((forearm.body.inertia - expected).amax() < 1e-15, "{}", forearm.body.inertia);
    assert!(imported.text.contains("mass_centre = [0.3, 0, 0]"), "{}", imported.text);
    assert!(imported.text.contains("# with what is fixed to it: tool, camera"), "{}", imported.text);
    // Capsule, ball and box.
    assert_eq!(forearm.parts.len(), 3);
}

/// diag(0.05, 0.04, 0.03) turned by 0.5 rad about z: ½(a + b) ± ½(a − b) cos 2φ, and ½(a − b) sin 2φ.
#[test]
fn inertias_are_turned_with_their_origin() {
    let (_, scene) = import("arm.urdf", &ImportOptions::default());
    let turret = scene.model.bodies().iter().find(|body| body.name == "turret").unwrap();
    let (c, s) = (0.005 * 1f64.cos(), 0.005 * 1f64.sin());
    let expected = Mat3::new(0.045 + c, s, 0.0, s, 0.045 - c, 0.0, 0.0, 0.0, 0.03);
    assert!((turret.body.inertia - expected).amax() < 1e-15, "{}", turret.body.inertia);
}

/// The wedge is half of a unit cube, of volume 1/2 and with its centroid at (0, -1/6, -1/6).
#[test]
fn meshes_that_are_scaled_unevenly_are_written_anew() {
    let (imported, scene) = import("arm.urdf", &ImportOptions::default());
    let part = |name: &str| {
        let body = scene.model.bodies().iter().find(|body| body.name == name).unwrap();
        body.parts[0].shape.surface().moments().unwrap()
    };
    let even = part("turret");
    assert!((even.volume - 0.5 * 0.2f64.powi(3)).abs() < 1e-15);
    let [(name, text)] = imported.files.as_slice() else { panic!("{:?}", imported.files) };
    assert_eq!(name.to_str(), Some("scene_meshes/wedge_1.obj"));
    assert!(text.starts_with("v "));
    // Mirrored at y = 0, and still with its inside inside.
    let uneven = part("upper_arm");
    assert!((uneven.volume - 0.5 * 0.5 * 0.06 * 0.06).abs() < 1e-15, "{}", uneven.volume);
    let centroid = uneven.first / uneven.volume;
    assert!((centroid - Vec3::new(0.0, 0.06 / 6.0, -0.06 / 6.0)).amax() < 1e-15, "{centroid}");
}

/// A capsule of radius r and half length h: π r² 2h + 4/3 π r³. The torso is one of 0.05 and 0.2 at 500 kg/m³; the leg
/// has a capsule of 2 kg, and a ball of 0.06 m and 500 kg/m³ at its end.
#[test]
fn geoms_weigh_what_mass_or_density_say() {
    let (_, scene) = import("hopper.xml", &ImportOptions::default());
    let body = |name: &str| scene.model.bodies().iter().find(|body| body.name == name).unwrap();
    let pi = std::f64::consts::PI;
    let torso = 500.0 * pi * 0.05f64.powi(2) * (0.4 + 4.0 / 3.0 * 0.05);
    assert!((body("torso").body.mass - torso).abs() < 1e-14);
    let ball = 500.0 * 4.0 / 3.0 * pi * 0.06f64.powi(3);
    let leg = body("leg");
    assert!((leg.body.mass - 2.0 - ball).abs() < 1e-14);
    // About y: both about their own centres, and the reduced mass times the square of the distance, 0.25 m.
    let (cylinder, balls) = (0.5 / (0.5 + 4.0 / 3.0 * 0.04), 4.0 / 3.0 * 0.04 / (0.5 + 4.0 / 3.0 * 0.04));
    let r: f64 = 0.04;
    let own = 2.0 * cylinder * (0.25 * r * r + 0.25 / 12.0)
        + 2.0 * balls * (0.4 * r * r + 0.25 * 0.25 + 0.375 * r * 0.5);
    let expected = own + 0.4 * ball * 0.06f64.powi(2) + 2.0 * ball / (2.0 + ball) * 0.0625;
    assert!((leg.body.inertia[(1, 1)] - expected).abs() < 1e-14, "{} {expected}", leg.body.inertia);
}

#[test]
fn a_moving_body_whose_mesh_cannot_be_weighed_is_refused() {
    let text = r#"<mujoco><asset><mesh name="m" file="none.stl"/></asset><worldbody>
      <geom type="mesh" mesh="m"/>
      <body name="b"><joint/><geom size="0.1"/><geom type="mesh" mesh="m"/></body></worldbody></mujoco>"#;
    let message = super::import_text("unweighed", text, &ImportOptions::default()).unwrap_err().to_string();
    assert!(
        message.contains("the mass of body \"b\" lacks that of a mesh") && message.contains(":3:"),
        "{message}"
    );
    let given =
        text.replace("<joint/>", "<joint/><inertial pos=\"0 0 0.1\" mass=\"1\" diaginertia=\"1 1 1\"/>");
    let imported = super::import_text("weighed", &given, &ImportOptions::default()).unwrap();
    assert!(tells(&imported, 3, "left out") && tells(&imported, 2, "left out"), "{:?}", imported.losses);
}

#[test]
fn inertias_that_no_body_has_are_set_right_and_told() {
    let text = r#"<robot name="r"><link name="base"/>
      <link name="arm"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="3"/></inertial></link>
      <link name="point"><inertial><mass value="1"/></inertial></link>
      <joint name="a" type="continuous"><parent link="base"/><child link="arm"/></joint>
      <joint name="b" type="continuous"><parent link="arm"/><child link="point"/></joint></robot>"#;
    let imported = super::import_text("odd", text, &ImportOptions::default()).unwrap();
    assert!(tells(&imported, 2, "taken as 1.5000e0, 1.5000e0, 3.0000e0"), "{:?}", imported.losses);
    assert!(tells(&imported, 3, "ball of water"), "{:?}", imported.losses);
}

#[test]
fn packages_are_found_above_the_file_or_where_they_are_said_to_be() {
    let text = std::fs::read_to_string(robot("arm.urdf")).unwrap();
    let lost = super::import_text("lost", &text, &ImportOptions::default()).unwrap();
    assert!(tells(&lost, 16, "--package arm_description=FOLDER"), "{:?}", lost.losses);
    let options = ImportOptions {
        packages: vec![("arm_description".to_owned(), robot(""))],
        ..ImportOptions::default()
    };
    let found = super::import_text("found", &text, &options).unwrap();
    assert!(!tells(&found, 16, "left out"), "{:?}", found.losses);
    assert!(Format::default().import_robot(&robot("none.urdf"), &robot("scene.toml"), &options).is_err());
}
