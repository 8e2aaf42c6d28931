//! Films, read back by others' readers.

use super::export::{shown, written};
use super::sample::{BALLS, Folder, PENDULUM, feed, recorded};
use rattleback_view::{Feed, FilmMark, FilmMarks, FilmOptions, export};

#[test]
fn films_have_a_picture_per_instant_and_show_the_motion() {
    let folder = Folder::new();
    let feed = shown(&folder);
    // 0.5 s at half speed are one second.
    let gif = written(&feed, &folder.join("motion.gif"));
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut reader = options.read_info(std::fs::File::open(&gif.path).unwrap()).unwrap();
    let (mut pictures, mut hundredths) = (Vec::new(), 0);
    while let Some(frame) = reader.read_next_frame().unwrap() {
        hundredths += frame.delay;
        pictures.push(frame.buffer.to_vec());
    }
    assert_eq!((pictures.len(), hundredths, gif.instants), (21, 105, 21));
    assert!(pictures.windows(2).filter(|pair| pair[0] != pair[1]).count() > 15);
    let apng = written(&feed, &folder.join("motion.apng"));
    let reader = png::Decoder::new(std::io::BufReader::new(std::fs::File::open(&apng.path).unwrap()))
        .read_info()
        .unwrap();
    assert_eq!(reader.info().animation_control().unwrap().num_frames, 21);
    let pictures = written(&feed, &folder.join("still.png"));
    assert_eq!((pictures.path, pictures.instants), (folder.join("still-0001.png"), 21));
    assert!(folder.join("still-0021.png").is_file() && !folder.join("still-0022.png").exists());
}

/// A ball of rubber that rolls on a level face of a mesh.
const ON_MESH: &str = r#"
title = "A ball on a mesh"
gravity = [0, 0, -9.81]
[materials.rubber]
density = "1100 kg/m^3"
[[bodies]]
name = "ground"
fixed = true
shape = { type = "mesh", file = "ground.stl" }
material = "rubber"
[[bodies]]
name = "ball"
position = [0, 0, "4.5 cm"]
velocity = [0.3, 0, 0]
shape = { type = "sphere", radius = "5 cm" }
material = "rubber"
[[contacts]]
stiffness = "1e4 N/m^1.5"
normal = { law = "hunt-crossley", restitution = 0.5 }
friction = { law = "coulomb", coefficient = 0.3, transition = "1 mm/s" }
[solver]
type = "mechanism"
step = "1 ms"
[run]
duration = "0.1 s"
[output]
every = "10 ms"
"#;

/// The last picture of a film of a scene's run, as PNG.
fn last_picture(folder: &Folder, feed: &Feed, marks: FilmMarks, name: &str) -> Vec<u8> {
    let options = FilmOptions { rate: 4.0, speed: 0.4, size: [240, 150], marks };
    let written = export(feed, &folder.join(&format!("{name}.png")), &options).unwrap();
    let last = folder.join(&format!("{name}-{:04}.png", written.instants));
    // To be looked at.
    if let Some(shots) = std::env::var_os("RATTLEBACK_SCREENSHOTS") {
        std::fs::copy(&last, std::path::Path::new(&shots).join(format!("film-{name}.png"))).unwrap();
    }
    std::fs::read(last).unwrap()
}

#[test]
fn films_show_every_mark_that_is_asked_for_and_no_other() {
    let folder = Folder::new();
    let elastic = BALLS
        .replace("stiffness = \"1e5 N/m^1.5\"", "")
        .replace("density = \"1100 kg/m^3\"", "density = \"1100 kg/m^3\"\nyoung = \"5 MPa\"\npoisson = 0.49")
        .replace("position = [0.3, 0, \"5 cm\"]", "position = [0.3, 0, \"5 cm\"]\nvelocity = [0, 0.2, 0]");
    let ground = "facet normal 0 0 1 outer loop vertex A A 0 vertex B A 0 vertex 0 1 0 endloop endfacet
        facet normal 0 0 -1 outer loop vertex A A 0 vertex 0 1 0 vertex 0 0 -1 endloop endfacet
        facet normal 0 0 -1 outer loop vertex 0 1 0 vertex B A 0 vertex 0 0 -1 endloop endfacet
        facet normal 0 0 -1 outer loop vertex B A 0 vertex A A 0 vertex 0 0 -1 endloop endfacet";
    let ground = ground.replace('A', "-1").replace('B', "1");
    std::fs::write(folder.join("ground.stl"), format!("solid g\n{ground}\nendsolid g\n")).unwrap();
    let on_mesh = ON_MESH.replace("ground.stl", &folder.join("ground.stl").display().to_string());
    for (scene, text, shown) in [
        ("balls", elastic.as_str(), "points forces friction normals frames slip ellipses paths"),
        ("mesh", on_mesh.as_str(), "points forces contours paths"),
        ("pendulum", PENDULUM, "joints paths"),
    ] {
        let path = folder.join(scene);
        recorded(text, &path);
        let feed = feed(text, &path);
        let bare = last_picture(&folder, &feed, FilmMarks::NONE, scene);
        for (name, mark) in FilmMark::ALL {
            let is_shown = shown.split(' ').any(|own| own == name);
            // What one scene has the others need not show again.
            if scene != "balls" && !is_shown && !["ellipses", "joints", "contours"].contains(&name) {
                continue;
            }
            let marked = last_picture(&folder, &feed, FilmMarks::NONE.with(mark), &format!("{scene}-{name}"));
            assert_eq!(marked != bare, is_shown, "{scene}: {name}");
        }
    }
    assert_eq!("ellipses".parse(), Ok(FilmMark::Ellipses));
    assert!("ellipse".parse::<FilmMark>().unwrap_err().contains("points, forces"));
}
