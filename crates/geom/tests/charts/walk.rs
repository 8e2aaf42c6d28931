//! A point that moves straight on over a surface.

use super::atlases::rates;
use rattleback_geom::chart::{Atlas, Place};
use rattleback_geom::surface::ParametricJet;
use rattleback_geom::{Vec2, Vec3};

pub struct Walker<'a> {
    atlas: &'a dyn Atlas,
    pub place: Place,
    /// The unit tangent of the motion.
    pub heading: Vec3,
    pub crossings: usize,
    /// The longest move of the point at a crossing.
    pub longest_jump: f64,
    pub length: f64,
}

fn tangential(jet: &ParametricJet, w: &Vec3) -> Vec3 {
    let n = jet.normal().normalize();
    (w - n * n.dot(w)).normalize()
}

impl<'a> Walker<'a> {
    pub fn new(atlas: &'a dyn Atlas, place: Place, heading: &Vec3) -> Self {
        let heading = tangential(&atlas.jet(&place).unwrap(), heading);
        Self { atlas, place, heading, crossings: 0, longest_jump: 0.0, length: 0.0 }
    }

    pub fn turn(&mut self, heading: &Vec3) {
        self.heading = tangential(&self.atlas.jet(&self.place).unwrap(), heading);
    }

    /// Moves on by a length; says why where it cannot, or `Ok(false)` where the surface ends.
    pub fn step(&mut self, length: f64) -> Result<bool, String> {
        let (mut left, mut tries, mut still) = (length, 0, 0);
        while left > 1e-12 * length {
            tries += 1;
            if tries > 1000 || still > 12 {
                return Err(format!("stuck at {:?} towards {:?}: {still}", self.place, self.heading));
            }
            let jet = self.atlas.jet(&self.place).map_err(|e| e.to_string())?;
            let rate = rates(&jet, &self.heading);
            let mut share = left.min(0.1 / rate.norm());
            let (mut next, mut border) = self.ahead(&rate, share);
            let mut after = self.atlas.jet(&next).map_err(|e| e.to_string())?;
            // Shorter where the parametrisation bends.
            while (after.p
                - jet.p
                - self.heading * (next.u - self.place.u).hypot(next.v - self.place.v) / rate.norm())
            .norm()
                > 0.3 * share + 1e-15
            {
                share *= 0.5;
                (next, border) = self.ahead(&rate, share);
                after = self.atlas.jet(&next).map_err(|e| e.to_string())?;
            }
            let gone = (after.p - jet.p).norm();
            if gone > 2.0 * share {
                return Err(format!("leapt by {gone} instead of {share} at {:?}", self.place));
            }
            still = if gone > 1e-13 { 0 } else { still + 1 };
            left -= gone.max(1e-3 * share);
            self.length += gone;
            self.place = next;
            self.heading = tangential(&after, &self.heading);
            if border && !self.cross(&after)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The place some way ahead, or on the border before, and whether it is the border.
    fn ahead(&self, rate: &Vec2, share: f64) -> (Place, bool) {
        let at = |s: f64| Place { u: self.place.u + s * rate.x, v: self.place.v + s * rate.y, ..self.place };
        if self.atlas.inside(&at(share)) >= 0.0 {
            return (at(share), false);
        }
        let (mut low, mut high) = (0.0, share);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if self.atlas.inside(&at(middle)) >= 0.0 { low = middle } else { high = middle }
        }
        (at(low), true)
    }

    fn cross(&mut self, jet: &ParametricJet) -> Result<bool, String> {
        let rate = rates(jet, &self.heading);
        let Some(next) = self.atlas.onward(&self.place, &rate).map_err(|e| e.to_string())? else {
            return Ok(false);
        };
        let after = self.atlas.jet(&next).map_err(|e| e.to_string())?;
        self.longest_jump = self.longest_jump.max((after.p - jet.p).norm());
        self.crossings += 1;
        self.place = next;
        self.heading = tangential(&after, &self.heading);
        Ok(true)
    }
}
