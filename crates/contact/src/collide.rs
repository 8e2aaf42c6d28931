//! All places where two bodies touch, whichever way they are found.
//!
//! | bodies | contacts | found by |
//! |---|---|---|
//! | smooth, convex or not | one: the nearest points, or the deepest ones | `narrow/mod.rs` |
//! | a half-space and what touches it along a line or a circle | one for each point of its features | `feature.rs` |
//! | capsules, boxes and hulls, not both with true edges | one for each corner, and for edges that cross | `manifold/mod.rs` |
//! | other bodies with flat, or all but flat, faces or straight sides | nearest points, or those of a shared area or line | `flat/mod.rs` |
//! | a hollow carrier and a hull of balls in it | one for each ball and wall | `cavity.rs` |
//! | meshes, links on planes and meshes | one for each region, or for each point that bears it | `region/mod.rs` |
//!
//! A contact is known again by its place in the list where the bodies have features; regions have no order of their
//! own, and are known again by where they are.

use crate::contact::{Collider, Contact, contact_at, relative_curvatures_at};
use crate::derivative::{self, Derivatives, Rates};
use crate::error::Result;
use crate::feature;
use crate::flat::SharedFaces;
use crate::kinematics::Twist;
use crate::narrow::{self, Start, Touch};
use crate::region::{FrozenRegion, Region, RegionFinder, has_regions, region_points};
use rattleback_geom::surface::Shape;

/// All contacts of two bodies: those that overlap, and, where they are told, those with a gap of up to `reach` metres.
pub fn collide(a: &Collider, b: &Collider, reach: f64) -> Result<Vec<Contact>> {
    if has_regions(&a.shape, &b.shape) {
        return regions(a, b, reach);
    }
    let count = feature_count(&a.shape, &b.shape, false);
    let mut found = Vec::with_capacity(count);
    let faces = if count > 1 { SharedFaces::new(a, b) } else { None };
    for place in 0..count {
        let query = ContactQuery { a, b, feature: (count > 1).then_some(place), faces: faces.as_ref() };
        let touch = query.touch(Start::Cold)?;
        if touch.gap <= reach {
            let contact = query.contact(touch)?;
            // What counts for nothing has its place taken by others.
            found.extend((contact.weight > 0.0).then_some(contact));
        }
    }
    Ok(found)
}

/// How many points the contact of two bodies is taken at: one, unless they touch along a line or a circle. Where
/// curvatures are asked for (`with_curvature`), circles count as one, because one that lies flat has none.
pub fn feature_count(a: &Shape, b: &Shape, with_curvature: bool) -> usize {
    feature::count(a, b, with_curvature)
}

/// Whether the points of two bodies have weights that change as the bodies move, so that their forces are those of a
/// potential only as far as the weights stay as they are.
pub fn has_weights(a: &Shape, b: &Shape) -> bool {
    feature::has_weights(a, b)
}

/// Adds those of `count` features of two bodies whose gaps are at most `reach` metres, in their order; all of them
/// where they are few. Whether some may be left out.
pub fn near_features(
    a: &Collider,
    b: &Collider,
    count: usize,
    reach: f64,
    out: &mut Vec<usize>,
) -> Result<bool> {
    feature::near(a, b, count, reach, out)
}

fn regions(a: &Collider, b: &Collider, reach: f64) -> Result<Vec<Contact>> {
    let (mut regions, mut found) = (Vec::new(), Vec::new());
    RegionFinder::new().find(&a.shape, &a.pose, &b.shape, &b.pose, reach, &mut regions)?;
    for region in &regions {
        let (points, count) = region_points(region, (&a.shape, &a.pose), (&b.shape, &b.pose))?;
        let mut push = |region: &Region, area: f64| {
            let touch = FrozenRegion::new(region, [&a.pose, &b.pose]).touch([&a.pose, &b.pose]);
            found.push(Contact { area: (area > 0.0).then_some(area), ..touch.into() });
        };
        if count == 0 {
            push(region, region.area);
        }
        for point in points.iter().flatten() {
            push(&Region { point: point.point, depth: point.depth, ..*region }, region.area / count as f64);
        }
    }
    Ok(found)
}

/// A query of one contact of two bodies, again and again as they move.
#[derive(Debug, Clone, Copy)]
pub struct ContactQuery<'a> {
    /// A.
    pub a: &'a Collider,
    /// B.
    pub b: &'a Collider,
    /// Which of their features it is, below [`feature_count`]; none for the nearest points.
    pub feature: Option<usize>,
    /// What the features of the pair share at these poses, where it is known already.
    pub faces: Option<&'a SharedFaces>,
}

impl ContactQuery<'_> {
    /// Where they touch or come nearest.
    #[inline]
    pub fn touch(&self, start: Start) -> Result<Touch> {
        let Self { a, b, feature, faces } = self;
        match feature {
            None => narrow::touch(&a.shape, &a.pose, &b.shape, &b.pose, start),
            Some(place) => feature::touch(a, b, *faces, *place, start),
        }
    }

    /// How far the points of both bodies have to move at least, together, before the gap of a touch passes zero: as
    /// far as the gap is, unless its point is one that moves on the bodies.
    pub fn least_way(&self, touch: &Touch) -> f64 {
        match (self.feature, self.faces) {
            (Some(place), Some(faces)) if touch.gap > 0.0 => {
                faces.least_way(self.a, self.b, place, touch.gap)
            }
            (Some(place), None) if touch.gap > 0.0 => SharedFaces::new(self.a, self.b)
                .map_or(touch.gap, |faces| faces.least_way(self.a, self.b, place, touch.gap)),
            _ => touch.gap.abs(),
        }
    }

    /// The contact that belongs to a touch, with the curvatures there.
    pub fn contact(&self, touch: Touch) -> Result<Contact> {
        let Self { a, b, feature, .. } = self;
        match feature {
            None => contact_at(a, b, touch),
            Some(place) => Ok(Contact {
                curvature: feature::curvature(a, b, &touch, *place)?,
                ..self.contact_without_curvature(touch)?
            }),
        }
    }

    /// The same without curvatures.
    pub fn contact_without_curvature(&self, touch: Touch) -> Result<Contact> {
        Ok(Contact { weight: self.weight()?, ..touch.into() })
    }

    /// The weight with which it counts.
    pub fn weight(&self) -> Result<f64> {
        match self.feature {
            None => Ok(1.0),
            Some(place) => feature::weight(self.a, self.b, self.faces, place),
        }
    }

    /// The relative principal curvatures at a touch, those of [`ContactQuery::contact`] but for rounding, for less.
    #[inline]
    pub fn relative_curvatures(&self, touch: &Touch) -> Result<Option<[f64; 2]>> {
        let Self { a, b, feature, .. } = self;
        match feature {
            None => relative_curvatures_at(a, b, touch).map(Some),
            Some(place) => {
                Ok(feature::curvature(a, b, touch, *place)?.map(|curvature| curvature.relative.kappa))
            }
        }
    }

    /// How it changes while the bodies move.
    pub fn rates(&self, contact: &Contact, motion: [&Twist; 2]) -> Result<Rates> {
        let Self { a, b, feature, faces } = self;
        match feature {
            None => derivative::rates(a, b, contact, motion),
            Some(place) => feature::rates(a, b, *faces, contact, *place, motion),
        }
    }

    /// Its derivatives.
    pub fn derivatives(&self, contact: &Contact) -> Result<Derivatives> {
        self.derivatives_by(contact, [true; 2])
    }

    /// The same by the poses of those of both bodies that are asked for; columns of the other one may be zero.
    pub fn derivatives_by(&self, contact: &Contact, asked: [bool; 2]) -> Result<Derivatives> {
        let Self { a, b, feature, faces } = self;
        match feature {
            None => derivative::derivatives_by(a, b, contact, asked),
            Some(place) => feature::derivatives(a, b, *faces, contact, *place),
        }
    }
}
