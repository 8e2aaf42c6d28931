//! What is told of result folders, beside what is in their files.

use super::sample::{BALLS, BOXES, Folder, Recording, feed, recorded, scene};
use rattleback_record::report::{Curve, Sheets};
use rattleback_record::{ResultFolder, Sheet};
use rattleback_view::{Feed, Subject};
use std::sync::mpsc;

const BODIES: usize = 3;
const CONTACT: usize = 33 * 4;

/// The frames of an answer: time, poses, contacts.
fn frames(bytes: &[u8]) -> Vec<(f64, Vec<f32>, Vec<f32>)> {
    let u32_at = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let floats = |from: usize, to: usize| {
        bytes[from..to].chunks(4).map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect::<Vec<_>>()
    };
    let mut at = 16;
    let mut all = Vec::new();
    for _ in 0..u32_at(4) {
        let time = f64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
        let contacts = u32_at(at + 8) as usize;
        let poses_end = at + 16 + 28 * BODIES;
        let end = poses_end + CONTACT * contacts;
        all.push((time, floats(at + 16, poses_end), floats(poses_end, end)));
        at = end;
    }
    assert_eq!(at, bytes.len());
    all
}

#[test]
fn frames_are_those_of_the_sheets() {
    let folder = Folder::new();
    let path = folder.join("run");
    recorded(BALLS, &path);
    let feed = feed(BALLS, &path);
    assert_eq!(feed.frames(), 101);
    let result = ResultFolder::open(&path).unwrap();
    let (states, contacts) = (result.sheet(Sheet::States).unwrap(), result.sheet(Sheet::Contacts).unwrap());
    let (x, z, qw) =
        (states.numbers("x_m").unwrap(), states.numbers("z_m").unwrap(), states.numbers("qw").unwrap());
    let (times, forces) = (contacts.numbers("time_s").unwrap(), contacts.numbers("normal_force_N").unwrap());
    for (first, count, stride) in [(0, 101, 1), (3, 7, 13), (100, 5, 1)] {
        let all = frames(&feed.frame_bytes(first, count, stride, true).unwrap());
        assert_eq!(all.len() as u64, count.min((100 - first) / stride + 1));
        for (k, (time, poses, touching)) in all.iter().enumerate() {
            let frame = (first + k as u64 * stride) as usize;
            assert!((time - frame as f64 * 0.005).abs() < 1e-12);
            for body in 0..BODIES {
                let row = frame * BODIES + body;
                let own = &poses[7 * body..];
                assert_eq!([own[0], own[2], own[3]], [x[row] as f32, z[row] as f32, qw[row] as f32]);
            }
            let expected: Vec<f32> =
                (0..times.len()).filter(|row| times[*row] == *time).map(|row| forces[row] as f32).collect();
            let found: Vec<f32> = touching.chunks(33).map(|contact| contact[21]).collect();
            assert_eq!(found, expected);
        }
    }
    assert!(frames(&feed.frame_bytes(101, 5, 1, true).unwrap()).is_empty());
}

#[test]
fn slip_and_long_axes_are_told_as_vectors() {
    let folder = Folder::new();
    let path = folder.join("run");
    // The egg slides along its long axis, then rolls.
    let text = BALLS
        .replace("position = [0.3, 0, \"5 cm\"]", "position = [0.3, 0, \"5 cm\"]\nvelocity = [0.4, 0, 0]");
    recorded(&text, &path);
    let feed = feed(&text, &path);
    let (mut slipping, mut eggs) = (0, 0);
    for (_, _, touching) in frames(&feed.frame_bytes(0, 101, 1, true).unwrap()) {
        for contact in touching.chunks(33) {
            let vector = |at: usize| [contact[at], contact[at + 1], contact[at + 2]].map(f64::from);
            let dot = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
            let (normal, slip, along) = (vector(12), vector(27), vector(30));
            let speed = f64::from(contact[23]);
            assert!((dot(slip, slip).sqrt() - speed).abs() < 1e-5 * speed + 1e-9, "{slip:?} {speed}");
            assert!(dot(slip, normal).abs() < 1e-6 && dot(along, normal).abs() < 1e-6);
            slipping += usize::from(speed > 1e-3);
            if contact[2] == 1.0 {
                // All directions on a ball are alike.
                assert_eq!(along, [0.0; 3]);
            } else {
                // The egg bends by 20/m along its long axis x, by 31.25/m across.
                assert!(along[0].abs() > 0.999, "{along:?}");
                eggs += 1;
            }
        }
    }
    assert!(slipping > 5 && eggs > 20, "{slipping} {eggs}");
}

/// The lines of an answer: bodies and points.
fn lines(bytes: &[u8]) -> Vec<(u32, Vec<[f32; 3]>)> {
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let count = word(0) as usize;
    let mut at = 4 + 8 * count;
    let mut number = || {
        at += 4;
        f32::from_bits(word(at - 4))
    };
    let line = |k: usize| {
        let points = (0..word(8 + 8 * k)).map(|_| [number(), number(), number()]).collect();
        (word(4 + 8 * k), points)
    };
    let all: Vec<_> = (0..count).map(line).collect();
    assert_eq!(at, bytes.len());
    all
}

#[test]
fn borders_of_charts_lie_on_the_surfaces() {
    let feed = Feed::open(Subject { scene: scene(BALLS), folder: None }).unwrap();
    let borders = lines(&feed.chart_bytes());
    let of = |body: u32| borders.iter().filter(move |(own, _)| *own == body).flat_map(|(_, points)| points);
    assert!(of(1).count() > 100 && of(2).count() > 100 && of(0).count() == 0);
    for (body, axes) in [(1, [0.05, 0.05, 0.05]), (2, [0.05, 0.04, 0.05])] {
        for p in of(body) {
            let value: f32 = (0..3).map(|k| (p[k] / axes[k]).powi(2)).sum();
            assert!((value - 1.0).abs() < 1e-5, "{p:?}: {value}");
        }
    }
}

#[test]
fn contours_are_where_a_box_cuts_the_floor_and_another_box() {
    let folder = Folder::new();
    let path = folder.join("run");
    recorded(BOXES, &path);
    let feed = feed(BOXES, &path);
    let number = feed.frames() - 1;
    let (_, poses, touching) = frames(&feed.frame_bytes(number, 1, 1, true).unwrap()).remove(0);
    assert!(touching.len() >= 2 * 33, "both boxes are borne");
    let contours = lines(&feed.contour_bytes(number).unwrap());
    assert!(contours.iter().all(|(body, points)| *body == u32::MAX && points.len() > 1));
    let heights = |low: f32, high: f32| {
        let points = contours.iter().flat_map(|(_, points)| points);
        points.filter(|p| p[2] > low && p[2] < high).copied().collect::<Vec<_>>()
    };
    let (below, above) = (heights(-1e-4, 1e-4), heights(0.04 - 1e-3, 0.04 + 1e-3));
    assert!(below.len() >= 8 && above.len() >= 4, "{} {}", below.len(), above.len());
    // The lower box is 0.1 m wide, the upper one 0.06 m; both lie where their poses say.
    for (points, half, x) in [(below, 0.05, poses[7]), (above, 0.03, poses[14])] {
        for p in points {
            assert!((p[0] - x).abs() < half + 1e-3 && p[1].abs() < half + 1e-3, "{p:?}");
        }
    }
    // A frame that is not there has none.
    assert_eq!(feed.contour_bytes(1 << 40).unwrap(), [0; 4]);
}

#[test]
fn curves_are_those_that_plot_draws() {
    let folder = Folder::new();
    let path = folder.join("run");
    recorded(BALLS, &path);
    let (feed, scene) = (feed(BALLS, &path), scene(BALLS));
    let sheets = Sheets::read(&ResultFolder::open(&path).unwrap()).unwrap();
    let names = [
        "ball.z_m",
        "energy.kinetic_J",
        "floor|ball.normal_force_N",
        "floor|egg.gap_m",
        "egg|floor.slip_m_per_s",
    ];
    for stride in [1usize, 7, 40] {
        let bytes = feed.series_bytes(&names, 0, 4000, stride as u64).unwrap();
        let points = u32::from_le_bytes(bytes[..4].try_into().unwrap()) as usize;
        assert_eq!(points, 101usize.div_ceil(stride));
        let numbers: Vec<f64> =
            bytes[8..].chunks(8).map(|b| f64::from_le_bytes(b.try_into().unwrap())).collect();
        for (c, name) in names.iter().enumerate() {
            let whole = Curve::parse(name, &scene.model).unwrap().points(&sheets).unwrap();
            for k in 0..points {
                let [time, value] = whole[k * stride];
                assert_eq!(numbers[k], time);
                let found = numbers[(c + 1) * points + k];
                assert!(
                    found == value || found.is_nan() && value.is_nan(),
                    "{name} at {time}: {found} {value}"
                );
            }
        }
    }
}

#[test]
fn a_run_is_followed_while_it_goes_on() {
    let folder = Folder::new();
    let path = folder.join("run");
    let (say, hear) = mpsc::channel::<()>();
    let (go, wait) = mpsc::channel::<()>();
    let mut recording = Recording::new(BALLS, &path);
    let feed = feed(BALLS, &path);
    // Nothing has been written: the start of the scene is shown.
    assert_eq!(feed.frames(), 1);
    let start = frames(&feed.frame_bytes(0, 1, 1, true).unwrap());
    assert_eq!((start.len(), start[0].1[7 + 2]), (1, 0.12));
    let run = std::thread::spawn(move || {
        recording.run(|outputs| {
            if outputs == 50 {
                say.send(()).unwrap();
                wait.recv().unwrap();
            }
        });
    });
    hear.recv().unwrap();
    while feed.follow().unwrap() {}
    let known = feed.frames();
    assert!((1..=50).contains(&known) && feed.is_running().unwrap(), "{known}");
    go.send(()).unwrap();
    run.join().unwrap();
    while feed.follow().unwrap() {}
    assert_eq!(feed.frames(), 101);
    std::thread::sleep(std::time::Duration::from_millis(200));
    assert!(!feed.is_running().unwrap());
    assert_eq!(feed.status().unwrap()["state"], "finished");
    let last = frames(&feed.frame_bytes(100, 1, 1, true).unwrap());
    assert!((last[0].0 - 0.5).abs() < 1e-12);
}

#[test]
fn a_scene_that_has_not_been_run_is_shown_where_it_begins() {
    let feed = Feed::open(Subject { scene: scene(BALLS), folder: None }).unwrap();
    let about = feed.about().unwrap();
    assert_eq!(
        (about["status"]["state"].as_str(), about["status"]["frames"].as_u64()),
        (Some("scene"), Some(1))
    );
    let names: Vec<&str> =
        about["bodies"].as_array().unwrap().iter().map(|b| b["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["floor", "ball", "egg"]);
    // There are no curves yet, of bodies that are there.
    assert_eq!(
        feed.series_bytes(&["ball.z_m", "floor|ball.gap_m"], 0, 10, 1).unwrap(),
        [0, 0, 0, 0, 2, 0, 0, 0]
    );
    assert!(feed.series_bytes(&["cube.z_m"], 0, 10, 1).is_err());
    let bytes = feed.geometry_bytes();
    let length = u32::from_le_bytes(bytes[..4].try_into().unwrap()) as usize;
    let told: serde_json::Value = serde_json::from_slice(&bytes[4..4 + length]).unwrap();
    let expected: u64 = told["meshes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|mesh| 24 * mesh[0].as_u64().unwrap() + 12 * mesh[1].as_u64().unwrap())
        // Balls tell no curvatures.
        .sum();
    assert_eq!(4 + length as u64 + expected, bytes.len() as u64);
    assert_eq!((told["parts"].as_array().unwrap().len(), told["planes"].as_array().unwrap().len()), (2, 1));
}

#[test]
fn a_folder_without_a_run_is_refused() {
    let folder = Folder::new();
    let error =
        Feed::open(Subject { scene: scene(BALLS), folder: Some(folder.path().to_owned()) }).unwrap_err();
    assert!(error.to_string().contains("run"), "{error}");
}
