//! The profile of a hull around the pipe's axis, and how finely it is sampled.
//!
//! Around the axis all angles are alike; the rings' distances from the mouth grow by a constant factor on plane
//! plating and by equal steps on curved plating. A chord of the length l on a circle of the radius R is l²/(8R) away
//! from it at most, and twisted quadrilaterals add up what both directions give: each gets half of the chord error
//! allowed.

use super::super::loft;
use super::super::range::Result;
use super::ball::Ball;
use super::counts::{Counts, pieces};
use super::plate::Plate;
use super::{Hull, MAX_OBLIQUE};
use rattleback_geom::{GeomError, TriMesh, Vec2, Vec3};
use std::f64::consts::{FRAC_PI_2, TAU};

/// The border of the plating is |w/W|ᵖ + |h/H|ᵖ = 1: a rectangle with round corners.
const BORDER_EXPONENT: f64 = 6.0;

/// The most columns around; a chord error that needs more is refused.
const MAX_COLUMNS: usize = 2048;

/// The most rings across the plating, for the same reason.
const MAX_RINGS: usize = 1024;

/// The most triangles: what a narrow phase and a picture of a scene can carry, forty times those of a usual hull.
const MAX_TRIANGLES: usize = 200_000;

/// How much longer than wide cells may be where the surface is straight.
const SLENDERNESS: f64 = 4.0;

/// The measures of a hull, with its axes.
pub(super) struct Form<'a> {
    hull: &'a Hull,
    plate: Plate,
    axis: Vec3,
    across: [Vec3; 2],
    bore: f64,
}

/// The balls of the outer and of the inner face.
pub(super) struct Station {
    pub(super) outer: Ball,
    inner: Ball,
}

impl<'a> Form<'a> {
    /// The form of a hull whose measures are sound.
    pub(super) fn new(hull: &'a Hull) -> Self {
        let (plate, axis) = (hull.plate(), hull.pipe_axis());
        // Neither is parallel to the other: the pipe is not as oblique as that.
        let first = (plate.up - axis * plate.up.dot(&axis)).normalize();
        Self { hull, plate, axis, across: [first, axis.cross(&first)], bore: 0.5 * hull.pipe_diameter }
    }

    pub(super) fn mesh(&self) -> Result<TriMesh> {
        let (stations, counts) = self.layout()?;
        let columns: Vec<Vec<Vec3>> = stations.iter().map(|s| self.profile(s, &counts)).collect();
        self.check_lip(&stations, &columns, &counts)?;
        loft::closed(&columns)
    }

    /// The balls around the axis, and into how many pieces the profile is cut.
    pub(super) fn layout(&self) -> Result<(Vec<Station>, Counts)> {
        let stations = self.stations()?;
        let counts = self.counts(&stations)?;
        if 2 * stations.len() * counts.points() > MAX_TRIANGLES {
            return self.too_fine();
        }
        Ok((stations, counts))
    }

    fn refuse<T>(&self, field: &str, found: impl Into<String>, allowed: impl Into<String>) -> Result<T> {
        let (field, found, allowed) = (field.to_owned(), found.into(), allowed.into());
        Err(GeomError::Inconsistent { field, found, allowed })
    }

    /// Radius of the fillet on the inner face and the ball that makes it.
    pub(super) fn fillet(&self) -> (f64, f64) {
        let (lip, thickness) = (self.hull.lip_radius, self.hull.thickness);
        // A fillet of a thousandth of the thickness would be nothing but needles.
        if lip > 1.001 * thickness { (lip - thickness, lip) } else { (0.0, thickness) }
    }

    pub(super) fn ball(&self, angle: f64, radius: f64) -> Result<Ball> {
        let (sin, cos) = angle.sin_cos();
        let out = self.across[0] * cos + self.across[1] * sin;
        let foot = out * (self.bore + radius);
        let Some([along, again]) = self.plate.crossings(&foot, &self.axis, radius) else {
            let found = format!("a pipe of {} m", self.hull.pipe_diameter);
            return self.refuse(
                "pipe_diameter",
                found,
                "narrower than the curved plating that it goes through",
            );
        };
        let far = foot + self.axis * again;
        if again < self.hull.pipe_length && self.plate.place(&far).x.abs() < self.hull.half_width {
            let allowed = format!("below {again:.4}, where it would leave the plating again");
            return self.refuse("pipe_length", self.hull.pipe_length.to_string(), allowed);
        }
        let centre = foot + self.axis * along;
        let place = self.plate.place(&centre);
        Ok(Ball { centre, out, along, normal: self.plate.normal(&place), place })
    }

    /// The balls around the axis, as many as the chord error asks for.
    fn stations(&self) -> Result<Vec<Station>> {
        let reach = self.bore + self.hull.lip_radius.max(self.hull.thickness);
        let sharpest = reach / self.hull.obliquity().min(MAX_OBLIQUE).cos();
        let mut count = pieces(TAU, sharpest, 0.5 * self.hull.chord).max(24);
        loop {
            if count > MAX_COLUMNS {
                return self.too_fine();
            }
            let angle = |i: usize| TAU * i as f64 / count as f64;
            let stations: Result<Vec<Station>> = (0..count)
                .map(|i| {
                    let outer = self.ball(angle(i), self.hull.lip_radius)?;
                    Ok(Station { outer, inner: self.ball(angle(i), self.fillet().1)? })
                })
                .collect();
            let stations = stations?;
            self.check_places(&stations)?;
            let turn = |s: &Station| self.border(&s.outer.place).x;
            let step = largest_step(stations.iter().map(turn));
            if step <= 0.5 * self.widest_cell() {
                return Ok(stations);
            }
            count += count / 4;
        }
    }

    fn too_fine<T>(&self) -> Result<T> {
        Err(GeomError::OutOfRange {
            field: "chord".to_owned(),
            value: self.hull.chord,
            allowed: format!(
                "such that {MAX_COLUMNS} columns, {MAX_RINGS} rings and {MAX_TRIANGLES} triangles are enough"
            ),
        })
    }

    /// The widest cell on curved plating.
    fn widest_cell(&self) -> f64 {
        self.plate.radius.map_or(f64::INFINITY, |radius| (8.0 * radius * self.hull.chord).sqrt())
    }

    /// The border of the plating in the direction of a place on it.
    fn border(&self, place: &Vec2) -> Vec2 {
        let scaled = Vec2::new(place.x / self.hull.half_width, place.y / self.hull.half_height);
        let largest = scaled.amax();
        let sum: f64 = scaled.iter().map(|x| (x / largest).abs().powf(BORDER_EXPONENT)).sum();
        place / (largest * sum.powf(1.0 / BORDER_EXPONENT))
    }

    /// Refuses a mouth that does not surround the origin once, reaches the border, or ends behind the pipe's end.
    fn check_places(&self, stations: &[Station]) -> Result<()> {
        let straight_end = self.hull.pipe_length - 0.5 * self.hull.thickness;
        for (i, station) in stations.iter().enumerate() {
            let next = &stations[(i + 1) % stations.len()];
            for (ball, after) in [(&station.outer, &next.outer), (&station.inner, &next.inner)] {
                // The mouth is seen from outside: angles around the axis that rise go around it clockwise.
                if !(ball.place.perp(&after.place) < 0.0) {
                    let found = format!("{} m", self.hull.lip_radius);
                    return self.refuse(
                        "lip_radius",
                        found,
                        "smaller: the mouth's edge would turn back on itself",
                    );
                }
                if !(self.border(&ball.place).norm() > 1.02 * ball.place.norm()) {
                    let field = if ball.place.x.abs() * self.hull.half_height
                        > ball.place.y.abs() * self.hull.half_width
                    {
                        "half_width"
                    } else {
                        "half_height"
                    };
                    let (w, h) = (self.hull.half_width, self.hull.half_height);
                    let allowed = format!("more: the lip reaches {:.4} m from the mouth", ball.place.norm());
                    return self.refuse(
                        field,
                        if field == "half_width" { w } else { h }.to_string(),
                        allowed,
                    );
                }
                if !(ball.along < straight_end) {
                    let allowed = format!("more: the lip reaches {:.4} m into the pipe", ball.along);
                    return self.refuse("pipe_length", self.hull.pipe_length.to_string(), allowed);
                }
            }
        }
        Ok(())
    }

    fn counts(&self, stations: &[Station]) -> Result<Counts> {
        let half = 0.5 * self.hull.chord;
        let widest = stations.iter().map(|s| s.outer.normal.angle(&-s.outer.out)).fold(FRAC_PI_2, f64::max);
        let (fillet, _) = self.fillet();
        let step = TAU / stations.len() as f64;
        let nearest = stations.iter().map(|s| s.outer.along).fold(f64::INFINITY, f64::min);
        // The bore is straight: pieces as long as its radius serve the trees over the triangles, not the chord error.
        let bore = ((self.hull.pipe_length - nearest) / self.bore).min(MAX_RINGS as f64);
        Ok(Counts {
            bore: (bore.ceil() as usize).max(1),
            arc: pieces(widest, self.hull.lip_radius, half).max(4),
            fillet: if fillet > 0.0 { pieces(widest, fillet, half).max(2) } else { 0 },
            rings: self.rings(stations, step)?,
            end: pieces(std::f64::consts::PI, 0.5 * self.hull.thickness, half).max(4),
        })
    }

    fn rings(&self, stations: &[Station], step: f64) -> Result<usize> {
        let balls = || stations.iter().flat_map(|s| [&s.outer, &s.inner]);
        let most = |f: &dyn Fn(&Ball) -> f64| balls().map(f).fold(0.0, f64::max);
        let count = match self.plate.radius {
            None => most(&|ball| self.growth(ball).ln()) / (SLENDERNESS * step).ln_1p(),
            Some(_) => {
                most(&|ball| (self.border(&ball.place) - ball.place).x.abs()) / (0.5 * self.widest_cell())
            }
        };
        if count <= MAX_RINGS as f64 { Ok((count.ceil() as usize).max(2)) } else { self.too_fine() }
    }

    /// The border's distance from the mouth over that of the ball.
    fn growth(&self, ball: &Ball) -> f64 {
        self.border(&ball.place).norm() / ball.place.norm()
    }

    /// From the pipe's inboard end through the bore, over the lip, out on the plating, back on its inner face and along
    /// the pipe's outer one.
    fn profile(&self, station: &Station, counts: &Counts) -> Vec<Vec3> {
        let (outer, inner, hull) = (&station.outer, &station.inner, self.hull);
        let end = hull.pipe_length - 0.5 * hull.thickness;
        let wall = |ball: &Ball, radius: f64, f: f64| {
            ball.out * radius + self.axis * (ball.along + f * (end - ball.along))
        };
        let share = |k: usize, count: usize| k as f64 / count as f64;
        let mut points = Vec::new();
        points.extend((0..counts.bore).map(|k| wall(outer, self.bore, 1.0 - share(k, counts.bore))));
        points.extend((0..counts.arc).map(|k| outer.arc(hull.lip_radius, share(k, counts.arc))));
        points.extend((0..=counts.rings).map(|k| self.ring(outer, share(k, counts.rings), 0.0)));
        points.extend(
            (0..=counts.rings).rev().map(|k| self.ring(inner, share(k, counts.rings), hull.thickness)),
        );
        points.extend((0..counts.fillet).rev().map(|k| inner.arc(self.fillet().0, share(k, counts.fillet))));
        let outside = self.bore + hull.thickness;
        points.extend((1..=counts.bore).map(|k| wall(inner, outside, share(k, counts.bore))));
        points.extend((1..counts.end).map(|k| {
            let (sin, cos) = (std::f64::consts::PI * share(k, counts.end)).sin_cos();
            let half = 0.5 * hull.thickness;
            outer.out * (self.bore + half + half * cos) + self.axis * (end + half * sin)
        }));
        points
    }

    /// The point of the plating at a share of the way from the ball to the border.
    fn ring(&self, ball: &Ball, share: f64, depth: f64) -> Vec3 {
        let growth = self.growth(ball);
        let factor = match self.plate.radius {
            None => growth.powf(share),
            Some(_) => 1.0 + share * (growth - 1.0),
        };
        self.plate.at(&(ball.place * factor), depth)
    }

    /// Refuses a lip that is rolled so tightly around the sharp side of the mouth that it cuts itself: its points
    /// must go the same way around as the ball's centre.
    fn check_lip(&self, stations: &[Station], columns: &[Vec<Vec3>], counts: &Counts) -> Result<()> {
        for i in 0..stations.len() {
            let next = (i + 1) % stations.len();
            let way = stations[next].outer.centre - stations[i].outer.centre;
            for j in counts.bore..=counts.bore + counts.arc {
                let step = columns[next][j] - columns[i][j];
                // Two hundredths of the way keep its triangles from becoming needles.
                if !(step.dot(&way) > 0.02 * way.norm_squared()) {
                    let found = format!("{} m", self.hull.lip_radius);
                    let degrees = self.hull.obliquity().to_degrees();
                    let allowed = format!("smaller around a mouth {degrees:.1}° off the plating's normal");
                    return self.refuse("lip_radius", found, allowed);
                }
            }
        }
        Ok(())
    }
}

fn largest_step(values: impl Iterator<Item = f64> + Clone) -> f64 {
    values.clone().zip(values.cycle().skip(1)).map(|(a, b)| (b - a).abs()).fold(0.0, f64::max)
}
