//! From where a picture is taken, and how points of the world land on it.
//!
//! With the unit vectors right, up, back of the camera, d = p − eye and the focal length f in pixels,
//!
//!   depth = −d·back,   x = w/2 + f d·right/depth,   y = h/2 − f d·up/depth
//!
//! f = ½ max(w, h)/tan(½ field of view).

use crate::error::{RecordError, Result};
use rattleback_geom::{Aabb, Vec3};

/// The angle across the longer side that automatic cameras have: that of a moderate telephoto lens, which distorts
/// little.
const FIELD_OF_VIEW: f64 = 0.56;
/// From how high above the horizon and how far from the side automatic cameras look, in rad.
const ELEVATION: f64 = 0.44;
const AZIMUTH: f64 = 0.5;
/// From how high they look at what lies flat.
const FLAT_ELEVATION: f64 = 0.95;
/// What is less high than this share of its width lies flat.
const FLAT: f64 = 0.04;
/// The share of the picture that is left free around what has to be seen.
const MARGIN: f64 = 0.08;

/// A pinhole camera.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    /// Where it stands, in m.
    pub eye: Vec3,
    /// What it looks at: the middle of the picture.
    pub target: Vec3,
    /// What is up; it need be neither of length one nor across the line of sight.
    pub up: Vec3,
    /// The angle across the longer side of the picture, in rad.
    pub field_of_view: f64,
}

impl Camera {
    /// A camera that has the whole box in its picture, which is `aspect` times as wide as high.
    pub fn around(bounds: &Aabb, up: &Vec3, aspect: f64) -> Result<Self> {
        let corner =
            |k: usize| Vec3::from_fn(|i, _| if k >> i & 1 == 0 { bounds.min[i] } else { bounds.max[i] });
        Self::seeing(&(0..8).map(corner).collect::<Vec<_>>(), up, aspect)
    }

    /// A camera that has all points in its picture, which is `aspect` times as wide as high: from above and a little
    /// from the side, as near as that allows.
    pub fn seeing(points: &[Vec3], up: &Vec3, aspect: f64) -> Result<Self> {
        let bounds = Aabb::of_points(points);
        if !(bounds.is_bounded() && points.iter().all(|p| p.iter().all(|x| x.is_finite()))) {
            return Err(refused("there is nothing bounded to look at"));
        }
        if !(aspect > 0.0 && aspect.is_finite()) {
            return Err(refused(&format!("the aspect ratio {aspect} is not a number above zero")));
        }
        let up = up.try_normalize(0.0).unwrap_or_else(Vec3::z);
        let [right, up, back] = axes_from_above(points, &up);
        // The tangents of half the angles, less the margin.
        let longer = (0.5 * FIELD_OF_VIEW).tan() * (1.0 - MARGIN);
        let tangents = [longer * aspect.min(1.0), longer / aspect.max(1.0)];
        // For the two planes n·(p − eye) ≤ 0 that bound the picture across an axis a, n = ±a cos + back sin of the half
        // angle: all points are inside when n·eye ≥ max n·p, which gives the place along a and the least distance.
        let mut place = [0.0; 2];
        let mut distance = f64::NEG_INFINITY;
        for (k, (axis, tangent)) in [right, up].iter().zip(tangents).enumerate() {
            let (sin, cos) = tangent.atan().sin_cos();
            let most = |sign: f64| {
                let n = axis * (sign * cos) + back * sin;
                points.iter().map(|p| n.dot(p)).fold(f64::NEG_INFINITY, f64::max)
            };
            let (positive, negative) = (most(1.0), most(-1.0));
            place[k] = (positive - negative) / (2.0 * cos);
            distance = distance.max((positive + negative) / (2.0 * sin));
        }
        let nearest = points.iter().map(|p| p.dot(&back)).fold(f64::NEG_INFINITY, f64::max);
        let middle = bounds.centre().dot(&back);
        // A single point has no size of its own.
        let least = nearest + 1e-3 * bounds.diagonal().max(1e-3 * (1.0 + bounds.centre().norm()));
        let across = right * place[0] + up * place[1];
        let eye = across + back * distance.max(least);
        Ok(Self { eye, target: across + back * middle, up, field_of_view: FIELD_OF_VIEW })
    }
}

/// The axes right, up, back of a camera that looks down a little.
fn axes_from_above(points: &[Vec3], up: &Vec3) -> [Vec3; 3] {
    let aside = if up.x.abs() < 0.9 { Vec3::x() } else { Vec3::y() };
    let right = (aside - up * up.dot(&aside)).normalize();
    let front = right.cross(up);
    let extent = |axis: &Vec3| {
        let along = points.iter().map(|p| p.dot(axis));
        let [low, high] = along.fold([f64::INFINITY, f64::NEG_INFINITY], |[l, h], x| [l.min(x), h.max(x)]);
        high - low
    };
    let flat = extent(up) < FLAT * extent(&right).min(extent(&front));
    let elevation = if flat { FLAT_ELEVATION } else { ELEVATION };
    let level = front * AZIMUTH.cos() + right * AZIMUTH.sin();
    let back = level * elevation.cos() + up * elevation.sin();
    let right = up.cross(&back).normalize();
    [right, back.cross(&right), back]
}

fn refused(reason: &str) -> RecordError {
    RecordError::Picture { what: "camera".to_owned(), reason: reason.to_owned() }
}

/// A camera with a picture of a given size.
#[derive(Debug, Clone)]
pub(super) struct Projector {
    pub(super) eye: Vec3,
    pub(super) right: Vec3,
    pub(super) up: Vec3,
    pub(super) back: Vec3,
    /// Pixels per unit of tangent.
    pub(super) focal: f64,
    pub(super) middle: [f64; 2],
    /// What is nearer than this depth is not seen.
    pub(super) near: f64,
    /// The distance of the target.
    pub(super) distance: f64,
}

impl Projector {
    pub(super) fn new(camera: &Camera, width: u32, height: u32) -> Result<Self> {
        let Camera { eye, target, up, field_of_view } = camera;
        if !eye.iter().chain(target).chain(up).all(|x| x.is_finite()) {
            return Err(refused("its position and its axes must be finite"));
        }
        if !(*field_of_view > 1e-6 && *field_of_view < 3.1) {
            return Err(refused(&format!(
                "the field of view of {field_of_view} rad must lie between 0 and π"
            )));
        }
        let away = eye - target;
        let distance = away.norm();
        let back = away.try_normalize(0.0).ok_or_else(|| refused("it stands at what it looks at"))?;
        let right = up.cross(&back);
        let right =
            if right.norm() > 1e-9 * up.norm() { right } else { back.cross(&Vec3::new(0.3, 0.5, 0.7)) };
        let right = right.try_normalize(0.0).ok_or_else(|| refused("it has no direction that is up"))?;
        let focal = 0.5 * f64::from(width.max(height)) / (0.5 * field_of_view).tan();
        Ok(Self {
            eye: *eye,
            right,
            up: back.cross(&right),
            back,
            focal,
            middle: [0.5 * f64::from(width), 0.5 * f64::from(height)],
            near: 1e-3 * distance,
            distance,
        })
    }

    /// Right, up and depth of a point, in m.
    pub(super) fn view(&self, p: &Vec3) -> Vec3 {
        let d = p - self.eye;
        Vec3::new(d.dot(&self.right), d.dot(&self.up), -d.dot(&self.back))
    }

    /// The pixel of a point in view coordinates.
    pub(super) fn pixel_of_view(&self, v: &Vec3) -> [f64; 2] {
        let s = self.focal / v.z;
        [self.middle[0] + s * v.x, self.middle[1] - s * v.y]
    }

    /// The pixel of a point; none if it is not in front of the camera.
    pub(super) fn pixel(&self, p: &Vec3) -> Option<[f64; 2]> {
        let v = self.view(p);
        (v.z > self.near).then(|| self.pixel_of_view(&v))
    }

    /// The direction of the ray through a pixel, of depth one.
    pub(super) fn ray(&self, [x, y]: [f64; 2]) -> Vec3 {
        let [u, v] = [(x - self.middle[0]) / self.focal, (self.middle[1] - y) / self.focal];
        self.right * u + self.up * v - self.back
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn an_automatic_camera_sees_all_points_and_comes_as_near_as_that_allows() {
        let clouds = [
            vec![Vec3::new(-1.0, 0.0, 0.0), Vec3::new(3.0, 1.0, 0.5), Vec3::new(0.0, -2.0, 7.0)],
            vec![Vec3::new(1e3, 0.0, -1e4), Vec3::new(1e3, 1.0, 5.0), Vec3::new(1e3, 0.0, 4.0)],
            vec![Vec3::new(0.0, 0.0, 1e-6), Vec3::new(1e-3, 1e-3, 0.0), Vec3::new(2e-3, -1e-3, 0.0)],
        ];
        for points in clouds {
            for (width, height) in [(1280, 720), (1, 1000), (1000, 1), (300, 300)] {
                for up in [Vec3::z(), Vec3::y(), -Vec3::x(), Vec3::new(1.0, 2.0, -3.0)] {
                    let (w, h) = (f64::from(width), f64::from(height));
                    let camera = Camera::seeing(&points, &up, w / h).unwrap();
                    let projector = Projector::new(&camera, width, height).unwrap();
                    let mut most: f64 = 0.0;
                    for p in &points {
                        let [x, y] = projector.pixel(p).unwrap();
                        most = most.max((2.0 * x / w - 1.0).abs()).max((2.0 * y / h - 1.0).abs());
                    }
                    assert!((most - (1.0 - MARGIN)).abs() < 1e-6, "{most} at {width}×{height}");
                    assert!(projector.up.dot(&up) > 0.0 && projector.back.dot(&up) > 0.0);
                }
            }
        }
    }

    #[test]
    fn a_ray_goes_through_the_point_of_its_pixel() {
        let camera = Camera {
            eye: Vec3::new(3.0, -2.0, 1.0),
            target: Vec3::zeros(),
            up: Vec3::z(),
            field_of_view: 1.0,
        };
        let projector = Projector::new(&camera, 640, 480).unwrap();
        let p = Vec3::new(0.3, 0.2, -0.1);
        let ray = projector.ray(projector.pixel(&p).unwrap());
        assert!((projector.eye + ray * projector.view(&p).z - p).norm() < 1e-12);
        assert!((projector.pixel(&Vec3::zeros()).unwrap()[0] - 320.0).abs() < 1e-9);
    }

    #[test]
    fn cameras_that_see_nothing_are_refused() {
        assert!(Camera::seeing(&[], &Vec3::z(), 1.0).is_err());
        assert!(Camera::seeing(&[Vec3::new(0.0, f64::NAN, 0.0)], &Vec3::z(), 1.0).is_err());
        let camera = Camera { eye: Vec3::x(), target: Vec3::x(), up: Vec3::z(), field_of_view: 1.0 };
        let message = Projector::new(&camera, 10, 10).unwrap_err().to_string();
        assert_eq!(message, "camera: it stands at what it looks at");
    }
}
