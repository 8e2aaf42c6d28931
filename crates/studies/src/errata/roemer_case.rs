//! Errata of Römer et al., sections 5 and 6: slave angles, depths, slip and curvatures of the case study.

use super::{Defects, Erratum, apart, slope, vectors_apart};
use crate::Result;
use crate::draw::Stream;
use crate::paper::Paper;
use rattleback_contact::material::hertz;
use rattleback_contact::{Collider, ContactError, contact};
use rattleback_geom::spherical::Angles;
use rattleback_geom::surface::Sphere;
use rattleback_geom::{Pose, Vec3};

pub(super) const ALL: &[Erratum] = &[
    Erratum {
        paper: Paper::Roemer,
        equation: "(79b)",
        printed: "arctan2(−n·s_y, −n·s_x), arctan2(x, y) by Appendix A",
        right: "the angle of the point (−n·s_x, −n·s_y)",
        measured: "e_n of the slave angles against −n_M",
        check: slave_angles,
    },
    Erratum {
        paper: Paper::Roemer,
        equation: "(94), depth",
        printed: "δ = n_j·r_P + d_j",
        right: "δ = d_j − n_j·r_P, the planes being n_j·r = d_j",
        measured: "depth of a sphere in a plane",
        check: depth,
    },
    Erratum {
        paper: Paper::Roemer,
        equation: "(94), rate",
        printed: "δ̇ = n_j·v_P",
        right: "δ̇ = −n_j·v_P",
        measured: "rate of that depth, against differences",
        check: depth_rate,
    },
    Erratum {
        paper: Paper::Roemer,
        equation: "(98), two objects",
        printed: "slip from v_P of object I",
        right: "slip from v_P of I less that of II",
        measured: "slip of two bodies with a common motion, against that seen by an observer who moves along",
        check: slip,
    },
    Erratum {
        paper: Paper::Roemer,
        equation: "(C.6)",
        printed: "half the relative curvatures in (96b), whole ones in (96a)",
        right: "whole ones in both",
        measured: "stiffness of two spheres against (4/3)E*√R, 1/R = 1/R₁ + 1/R₂",
        check: relative_curvature,
    },
];

fn slave_angles(draw: &mut Stream) -> Result<Defects> {
    // −n_M in the frame of the slave.
    let n = draw.direction();
    // arctan2 of Appendix A has its x first.
    let printed = Angles::new(n.z.acos(), n.x.atan2(n.y))?;
    Ok(vectors_apart(&n, [printed, Angles::from_normal(&n)?].map(|angles| angles.frame()[2])))
}

/// A sphere that dips into the free space's border n·r = d.
struct Dipping {
    n: Vec3,
    d: f64,
    radius: f64,
    centre: Vec3,
    velocity: Vec3,
}

impl Dipping {
    fn new(draw: &mut Stream) -> Self {
        let (n, d, radius) = (draw.direction(), draw.sign() * draw.between(0.2, 1.0), draw.between(0.2, 1.0));
        let centre = n * (d + 0.9 * radius) + n.cross(&draw.vector());
        Self { n, d, radius, centre, velocity: draw.vector() }
    }

    fn depth(&self, time: f64) -> f64 {
        self.radius - (self.n.dot(&(self.centre + self.velocity * time)) - self.d)
    }
}

fn depth(draw: &mut Stream) -> Result<Defects> {
    let sphere = Dipping::new(draw);
    let lowest = sphere.n.dot(&(sphere.centre - sphere.n * sphere.radius));
    Ok(apart(sphere.depth(0.0), [lowest + sphere.d, sphere.d - lowest]))
}

fn depth_rate(draw: &mut Stream) -> Result<Defects> {
    let sphere = Dipping::new(draw);
    let rate = sphere.n.dot(&sphere.velocity);
    Ok(apart(slope(|time| sphere.depth(time)), [rate, -rate]))
}

fn slip(draw: &mut Stream) -> Result<Defects> {
    let (n, common, relative) = (draw.direction(), draw.vector(), draw.vector());
    let across = |v: &Vec3| v - n * n.dot(v);
    let (own, other) = (common + relative, common);
    // Seen by an observer who moves along, II stands still and I has the relative velocity.
    Ok(vectors_apart(&across(&relative), [across(&own), across(&(own - other))]))
}

fn relative_curvature(draw: &mut Stream) -> Result<Defects> {
    let (modulus, radii) = (1e11, [draw.between(0.1, 1.0), draw.between(0.1, 1.0)]);
    let truth = 4.0 / 3.0 * modulus * (radii[0] * radii[1] / (radii[0] + radii[1])).sqrt();
    let a = Collider::new(Sphere::new(radii[0])?, Pose::identity());
    let b = Collider::new(Sphere::new(radii[1])?, Pose::from_position(0.0, 0.0, radii[0] + radii[1]));
    let at = contact(&a, &b)?;
    let relative = at.curvature.ok_or(ContactError::Unsupported {
        a: "sphere",
        b: "sphere",
        reason: "spheres have curvatures",
    })?;
    let relative = relative.relative.kappa;
    // The sum and the difference of (C.6) are half of those of the relative curvatures.
    let halved = relative.map(|kappa| 0.5 * kappa);
    let printed = 4.0 / 3.0 * modulus * (halved[0] * halved[1]).powf(-0.25);
    Ok(apart(truth, [printed, hertz(modulus, relative)?.stiffness]))
}
