//! How the chain lies at the start: along the bottom of the pipe, over the lip, straight down.
//!
//! In the plane of the pipe's axis a and the vertical, with e the direction across a that points down, r the bore's
//! radius and ρ the lip's: the ball that rounds the lip at its lowest point has its centre at
//!
//!   c = (r + ρ) e + s a,   c·N = −ρ   hence   s = −(ρ + (r + ρ) e·N)/(a·N)
//!
//! with N the plating's outer normal. The chain's line keeps the distance w from the steel: it runs along the pipe at
//! (r − w) e, then around c with the radius ρ + w from the direction −e towards the horizontal u, then straight down,
//! or outboard by an angle from that, which leaves the lip so much sooner.

use super::Bow;
use rattleback_geom::Vec3;

/// The distance of the chain's line from the steel in bar diameters: the half breadth of a link, 1.8, and what a
/// straight link that is laid around the lip comes nearer than its ends, 4²/(8 R/d) for a lip of 4 to 5 diameters.
const BREADTH: f64 = 2.3;
/// Corners of the polygon around the lip.
const CORNERS: usize = 12;

/// The line of a chain.
#[derive(Debug, Clone)]
pub(super) struct Lead {
    /// From the pipe's inboard end to where the chain leaves the lip.
    pub(super) points: Vec<Vec3>,
    /// Straight outboard, horizontal.
    pub(super) outboard: Vec3,
    /// The direction in which the chain leaves the lip.
    pub(super) down: Vec3,
}

impl Lead {
    /// The lead of a chain of the given bar diameter that hangs outboard by the angle `out` from the vertical.
    pub(super) fn new(bow: &Bow, diameter: f64, out: f64) -> Self {
        let (a, n) = (bow.axis, bow.outward);
        let level = a - Vec3::z() * a.z;
        // A vertical pipe leads outboard the way the plating looks.
        let outboard = (-level).try_normalize(1e-9).unwrap_or_else(|| (n - Vec3::z() * n.z).normalize());
        let e = (a * a.z - Vec3::z()).try_normalize(1e-9).unwrap_or(outboard);
        let (r, lip) = (0.5 * bow.pipe_diameter, bow.lip_radius);
        let w = (BREADTH * diameter).min(r);
        let s = -(lip + (r + lip) * e.dot(&n)) / a.dot(&n);
        let centre = bow.mouth + e * (r + lip) + a * s;
        let mut points = vec![bow.mouth + a * bow.pipe_length + e * (r - w)];
        let turn = ((-e).dot(&outboard).clamp(-1.0, 1.0).acos() - out).max(0.0);
        let across = (outboard - e * e.dot(&outboard)).try_normalize(1e-9);
        for k in 0..=CORNERS {
            let angle = turn * k as f64 / CORNERS as f64;
            let along = across.map_or(-e, |across| -e * angle.cos() + across * angle.sin());
            points.push(centre + along * (lip + w));
        }
        // The first corner stands for the end of the straight part; it may lie beyond a very short pipe.
        if (points[1] - points[0]).dot(&a) >= 0.0 {
            points.remove(0);
        }
        let down = outboard * out.sin() - Vec3::z() * out.cos();
        Self { points, outboard, down }
    }

    /// Where the chain leaves the lip.
    pub(super) fn leaves(&self) -> Vec3 {
        self.points[self.points.len() - 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solid::Hull;

    #[test]
    fn the_line_keeps_its_distance_from_the_steel_and_ends_level_with_the_lip() {
        for (flare, angle) in [(10.0, 35.0), (25.0, 50.0), (40.0, 60.0_f64)] {
            let hull =
                Hull { flare: f64::to_radians(flare), pipe_angle: angle.to_radians(), ..Hull::new(0.6) };
            let bow = Bow::from_hull(&hull).unwrap();
            let d = 0.05;
            let lead = Lead::new(&bow, d, 0.0);
            for pair in lead.points.windows(2) {
                for k in 1..10 {
                    let p = pair[0].lerp(&pair[1], 0.1 * f64::from(k));
                    // Before the inboard end nothing is near.
                    if (p - bow.mouth).dot(&bow.axis) < bow.pipe_length - 0.2 {
                        let distance = bow.solid.signed_distance(&p).unwrap();
                        assert!((distance - BREADTH * d).abs() < 0.01, "{flare} {angle}: {distance}");
                    }
                }
            }
            let last = lead.leaves() - lead.points[lead.points.len() - 2];
            assert!(last.normalize().z < -0.98, "{last}");
        }
    }
}
