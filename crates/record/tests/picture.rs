//! Pictures against closed forms, and what must not break them.
use rattleback_dynamics::{Body, BodyId, BodyModel, Model, Motion};
use rattleback_geom::surface::{Plane, Sphere};
use rattleback_geom::{Mat3, Pose, Vec3};
use rattleback_record::picture::{Arrow, Camera, Image, Look, Marks, Shot, Stage};

const RED: [u8; 3] = [255, 0, 0];
const BLUE: [u8; 3] = [0, 0, 255];

/// Spheres of the radii given, and perhaps a floor below them, declared last.
fn model(radii: &[f64], floor: Option<f64>) -> Model {
    let mut builder = Model::builder();
    builder.gravity(Vec3::new(0.0, 0.0, -9.81));
    let surface = builder.surface("all");
    let body = Body { mass: 1.0, inertia: Mat3::identity() };
    for (k, radius) in radii.iter().enumerate() {
        let sphere = Sphere::new(*radius).unwrap();
        builder.body(BodyModel::free(format!("ball {k}"), body).with_part(sphere, Pose::identity(), surface));
    }
    if let Some(height) = floor {
        let plane = Plane::new([0.0, 0.0, 1.0], height).unwrap();
        builder.body(BodyModel::fixed("floor").with_part(plane, Pose::identity(), surface));
    }
    builder.build().unwrap()
}

fn at(places: &[[f64; 3]]) -> Vec<Motion> {
    places.iter().map(|[x, y, z]| Motion::at_rest(Pose::from_position(*x, *y, *z))).collect()
}

/// A stage on which the bodies have clear colours, red first, then blue.
fn stage(model: &Model) -> Stage {
    let mut stage = Stage::new(model).unwrap();
    for (k, colour) in [RED, BLUE].into_iter().enumerate().take(model.bodies().len()) {
        stage.set_look(BodyId(k), Look { colour: Some(colour), hidden: false }).unwrap();
    }
    stage
}

/// From −y, with x to the right and z up.
fn front(distance: f64) -> Camera {
    Camera { eye: Vec3::new(0.0, -distance, 0.0), target: Vec3::zeros(), up: Vec3::z(), field_of_view: 0.8 }
}

fn shot(camera: Camera, width: u32, height: u32) -> Shot {
    Shot { width, height, ..Shot::new(camera) }
}

/// Amount and middle of pixels in which one colour prevails: 0 for red, 2 for blue.
fn seen(image: &Image, channel: usize) -> (f64, [f64; 2]) {
    let (mut count, mut sum) = (0.0, [0.0; 2]);
    for y in 0..image.height {
        for x in 0..image.width {
            let p = image.pixel(x, y).map(f64::from);
            let others = p[(channel + 1) % 3].max(p[(channel + 2) % 3]);
            // What is left of the background says how much of the pixel is covered, nearly.
            if p[channel] > others + 40.0 {
                count += 1.0;
                sum = [sum[0] + f64::from(x) + 0.5, sum[1] + f64::from(y) + 0.5];
            }
        }
    }
    (count, sum.map(|s| s / count))
}

#[test]
fn the_silhouette_of_a_sphere_is_the_ellipse_that_projection_makes_of_it() {
    let (radius, distance, size) = (0.5f64, 4.0f64, 500u32);
    let focal = 0.5 * f64::from(size) / 0.4f64.tan();
    let model = model(&[radius], None);
    for x in [0.0, 0.9] {
        let picture = stage(&model).draw(&at(&[[x, 0.0, 0.0]]), &shot(front(distance), size, size)).unwrap();
        let (area, middle) = seen(&picture.image, 0);
        // The cone about the direction θ off the axis with the half angle α cuts the picture plane in an ellipse from
        // tan(θ − α) to tan(θ + α); its other semi-axis is sin α / √(cos²θ − sin²α).
        let theta = (x / distance).atan();
        let alpha = (radius / x.hypot(distance)).asin();
        let [low, high] = [(theta - alpha).tan(), (theta + alpha).tan()].map(|t| focal * t);
        let other = focal * alpha.sin() / (theta.cos().powi(2) - alpha.sin().powi(2)).sqrt();
        let expected = std::f64::consts::PI * 0.5 * (high - low) * other;
        assert!((area / expected - 1.0).abs() < 0.01, "area {area}, not {expected}");
        let centre = 0.5 * f64::from(size) + 0.5 * (low + high);
        assert!(
            (middle[0] - centre).abs() < 0.5 && (middle[1] - 250.0).abs() < 0.5,
            "{middle:?}, not {centre}"
        );
    }
}

#[test]
fn what_is_in_front_hides_what_is_behind() {
    let model = model(&[0.3, 0.3], None);
    let stage = stage(&model);
    for (y, front_channel) in [(-1.0, 0), (1.0, 2)] {
        let motions = at(&[[0.0, y, 0.0], [0.0, -y, 0.0]]);
        let image = stage.draw(&motions, &shot(front(6.0), 200, 200)).unwrap().image;
        let middle = image.pixel(105, 95);
        assert!(middle[front_channel] > 60 && middle[2 - front_channel] < 60, "{middle:?}");
    }
    // Seen together, the nearer one is larger.
    let motions = at(&[[-0.5, -1.0, 0.0], [0.5, 1.0, 0.0]]);
    let image = stage.draw(&motions, &shot(front(6.0), 200, 200)).unwrap().image;
    assert!(seen(&image, 0).0 > 1.5 * seen(&image, 2).0);
}

#[test]
fn a_floor_is_below_the_horizon_and_not_seen_from_below() {
    let model = model(&[0.01], Some(-1.0));
    let stage = Stage::new(&model).unwrap();
    let motions = at(&[[0.0; 3], [0.0; 3]]);
    let empty = {
        let mut stage = stage.clone();
        stage.set_look(BodyId(1), Look { colour: None, hidden: true }).unwrap();
        stage.draw(&motions, &shot(front(3.0), 160, 120)).unwrap().image
    };
    let floor = stage.draw(&motions, &shot(front(3.0), 160, 120)).unwrap();
    assert!(floor.caption.starts_with("squares of 0.1 m") || floor.caption.starts_with("squares of 0.2 m"));
    // The camera looks along the horizon: it is the middle row.
    for y in 0..120 {
        let differs =
            (0..160).any(|x| floor.image.pixel(x, y) != empty.pixel(x, y) && !(75..85).contains(&x));
        assert!(y >= 60 || !differs, "floor in row {y}");
        assert!(y <= 100 || differs, "no floor in row {y}");
    }
    let mut below = front(3.0);
    below.eye.z = -2.0;
    let [with, without] = [&stage, &{
        let mut stage = stage.clone();
        stage.set_look(BodyId(1), Look { colour: None, hidden: true }).unwrap();
        stage
    }]
    .map(|stage| stage.draw(&motions, &shot(below, 160, 120)).unwrap().image);
    assert_eq!(with, without);
}

#[test]
fn a_body_casts_a_shadow_on_the_floor() {
    let model = model(&[0.3], Some(-0.5));
    let stage = Stage::new(&model).unwrap();
    let motions = at(&[[0.0; 3], [0.0; 3]]);
    let camera = Camera { eye: Vec3::new(0.0, -3.0, 3.0), ..front(1.0) };
    let brightness = |stage: &Stage| {
        let image = stage.draw(&motions, &shot(camera, 200, 200)).unwrap().image;
        image.pixels.iter().map(|x| u64::from(*x)).sum::<u64>()
    };
    // A small ball in the same place covers and shades less.
    let with = brightness(&stage);
    let mut hidden = stage.clone();
    hidden.set_look(BodyId(0), Look { colour: Some([255; 3]), hidden: true }).unwrap();
    let white = {
        let mut stage = stage.clone();
        stage.set_look(BodyId(0), Look { colour: Some([255; 3]), hidden: false }).unwrap();
        brightness(&stage)
    };
    assert!(with < white && white < brightness(&hidden));
}

#[test]
fn the_same_bytes_come_from_one_thread_and_from_four() {
    let model = model(&[0.4, 0.3], Some(-0.5));
    let stage = stage(&model);
    let motions = at(&[[0.3, 0.0, 0.0], [-0.5, 0.4, -0.1], [0.0; 3]]);
    let camera = stage.camera([motions.as_slice()], 1.5).unwrap();
    let marks = Marks { points: vec![Vec3::zeros()], joints: true, ..Marks::default() };
    let shot = Shot { label: "t = 1 s".to_owned(), marks, ..shot(camera, 300, 200) };
    let images = [1, 4].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| stage.draw(&motions, &shot).unwrap())
    });
    assert_eq!(images[0], images[1]);
}

#[test]
fn an_arrow_goes_from_its_point_along_its_force() {
    let model = model(&[0.2], None);
    let stage = stage(&model);
    let motions = at(&[[0.0; 3]]);
    let bare = stage.draw(&motions, &shot(front(3.0), 300, 300)).unwrap().image;
    for (force, right, up) in
        [([5.0, 0.0, 0.0], 1.0, 0.0), ([0.0, 0.0, -7.0], 0.0, -1.0), ([-3.0, 0.0, 3.0], -1.0, 1.0)]
    {
        let forces = vec![Arrow { at: Vec3::zeros(), force: force.into() }];
        let marks = Marks { forces, scale: Some(0.1), ..Marks::default() };
        let picture = stage.draw(&motions, &Shot { marks, ..shot(front(3.0), 300, 300) }).unwrap();
        assert!(picture.caption.starts_with("arrows: "), "{}", picture.caption);
        let (mut count, mut sum) = (0.0, [0.0; 2]);
        for (x, y) in (0..300).flat_map(|y| (0..300).map(move |x| (x, y))) {
            if picture.image.pixel(x, y) != bare.pixel(x, y) {
                count += 1.0;
                sum = [sum[0] + f64::from(x) - 149.5, sum[1] + 149.5 - f64::from(y)];
            }
        }
        let mean = sum.map(|s| s / count);
        let along = (mean[0] * right + mean[1] * up) / f64::hypot(right, up);
        let across = (mean[0] * up - mean[1] * right) / f64::hypot(right, up);
        assert!(along > 10.0 && across.abs() < 1.0, "{force:?}: {mean:?}");
    }
}

#[test]
fn motions_that_are_not_of_numbers_or_too_few_are_refused() {
    let model = model(&[0.2, 0.2], None);
    let stage = stage(&model);
    let camera = front(3.0);
    let message = |motions: &[Motion]| stage.draw(motions, &Shot::new(camera)).unwrap_err().to_string();
    assert_eq!(
        message(&at(&[[0.0; 3], [0.0, f64::NAN, 0.0]])),
        "body ball 1: its pose is not of finite numbers"
    );
    assert_eq!(message(&at(&[[0.0; 3]])), "motions: 1 of them for 2 bodies");
    assert!(stage.camera([at(&[[f64::INFINITY; 3], [0.0; 3]]).as_slice()], 1.0).is_err());
}

#[test]
fn extreme_sizes_and_cameras_inside_bodies_are_drawn() {
    let model = model(&[0.2, 0.7], Some(-0.7));
    let stage = stage(&model);
    let motions = at(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0; 3]]);
    for (width, height) in [(1, 1000), (1000, 1), (1, 1), (7, 3)] {
        let aspect = f64::from(width) / f64::from(height);
        let camera = stage.camera([motions.as_slice()], aspect).unwrap();
        let shot = Shot { label: "t".to_owned(), ..shot(camera, width, height) };
        let image = stage.draw(&motions, &shot).unwrap().image;
        assert_eq!(image.pixels.len(), 3 * (width * height) as usize);
    }
    for eye in [[1.0, 0.0, 0.1], [1.0, -0.71, 0.0], [0.0, 0.0, 1e5]] {
        let camera = Camera { eye: eye.into(), ..front(1.0) };
        stage.draw(&motions, &shot(camera, 64, 48)).unwrap();
    }
    assert!(stage.draw(&motions, &shot(front(3.0), 0, 10)).is_err());
}

#[test]
fn a_camera_to_floors_sees_what_is_below_unless_it_is_far_away() {
    let far = |height: f64| {
        let model = model(&[0.2], Some(-height));
        let stage = stage(&model);
        let motions = at(&[[0.0; 3], [0.0; 3]]);
        let bodies = stage.camera([motions.as_slice()], 1.5).unwrap();
        let all = stage.camera_to_floors(&motions, 1.5).unwrap();
        let [near, wide] = [bodies, all].map(|camera| (camera.eye - camera.target).norm());
        // The middle of what is seen is half way down.
        (wide / near, all.target.z)
    };
    let (ratio, middle) = far(1.2);
    assert!(ratio > 2.0 && ratio < 6.0 && middle < -0.3 && middle > -0.9, "{ratio} {middle}");
    assert_eq!(far(100.0).0, 1.0);
}

#[test]
fn an_automatic_camera_has_all_bodies_in_the_picture_at_all_instants() {
    let model = model(&[0.2, 0.2], Some(0.0));
    let stage = stage(&model);
    let fall: Vec<Vec<Motion>> =
        (0..=10).map(|k| at(&[[0.0, 0.0, 30.0 - 2.9 * f64::from(k)], [1.0, 0.0, 0.2], [0.0; 3]])).collect();
    let camera = stage.camera(fall.iter().map(Vec::as_slice), 16.0 / 9.0).unwrap();
    let shot = shot(camera, 480, 270);
    let first = seen(&stage.draw(&fall[0], &shot).unwrap().image, 0);
    let last = seen(&stage.draw(&fall[10], &shot).unwrap().image, 0);
    assert!(first.0 > 3.0 && last.0 > 3.0, "{first:?} {last:?}");
    assert!(first.1[1] < 40.0 && last.1[1] > 230.0, "{first:?} {last:?}");
}
