//! Two hulls of balls that lie on each other along lines and faces: their contact is taken at several points.
//!
//! A capsule, a box and a hull are convex cores P swept by balls of radius a; true edges have a = 0.
//! With Q and b those of the other body and R = a + b > 0, their nearest points are not unique where faces or edges are
//! parallel, and jump from end to end under the smallest tilt. What bears them instead, each by the law of the pair:
//!
//! | contact | gap | file |
//! |---|---|---|
//! | each corner of P and the other body | distance of the corner from Q, less R | `ball.rs` |
//! | each corner of Q and the first body | distance of the corner from P, less R | `ball.rs` |
//! | each edge of P and each edge of Q | distance of the two edges, less R, with a weight | `edges.rs` |
//!
//! Every gap is the distance of two sets that move with the bodies. Its gradient is therefore the normal at its nearest
//! points, so that a force along the normal there is that of a potential, and it changes no faster than the points of
//! the bodies move. Outside of a convex set the distance of a point has a continuous gradient: a corner that slides
//! over the end of a face goes on along the rounding, and its force fades within √(2Rδ). The least gap of all is that
//! of the bodies, because the nearest points of two convex polytopes are those of a corner or of two edges.
//!
//! Two edges are another matter: their nearest points jump where they are parallel, and where one of them ends above
//! the other one its corner bears already. The weight w of their contact, between zero and one, counts them only where
//! they cross (`edges.rs`); it multiplies the normal force, and what its change brings or takes is booked as a change
//! of stiffness. Where the weight is zero and no corner bears, bodies sink by at most [`SINK`] R before a corner does.
//!
//! Two equal boxes that lie exactly on each other are borne at their eight corners, twice the points that bear one that
//! is smaller: each corner of either body counts.
//!
//! Curvatures, for Hertz's theory: a corner is a ball on a half-space, two edges are cylinders that cross at a right
//! angle, whatever is below and whatever the angle: the stiffness of such a contact does not jump from face to edge.

mod ball;
mod core;
mod edges;

pub(crate) use self::core::{counts as core_counts, edge as core_edge, nearest, rounding as core_rounding};

use crate::contact::{Collider, ContactCurvature};
use crate::derivative::{Derivatives, Rates};
use crate::error::{ContactError, Result};
use crate::kinematics::Twist;
use crate::narrow::{Touch, check, finite};
use ball::BallContact;
use edges::EdgeContact;
use rattleback_geom::surface::Shape;

/// The depth, as a share of R, to which the weight of crossing edges refers: corners within √(2 SINK) R of the other
/// edge take their place.
const SINK: f64 = 1e-3;

/// Pairs of edges up to which a pair of bodies has all of these contacts; hulls of more are nearly smooth, and touch at
/// their nearest points.
const MOST_EDGES: usize = 2000;

/// How many corners and edges two cores have.
#[derive(Debug, Clone, Copy)]
struct Counts {
    corners: [usize; 2],
    edges: [usize; 2],
}

/// The counts of two bodies whose contact is taken in this way, none for others. Where `with_curvature` both need
/// rounded edges.
fn counts(a: &Shape, b: &Shape, with_curvature: bool) -> Option<Counts> {
    let sizes = [core::counts(a)?, core::counts(b)?];
    let radii = [core::rounding(a), core::rounding(b)];
    let is_round = if with_curvature { radii[0].min(radii[1]) > 0.0 } else { radii[0].max(radii[1]) > 0.0 };
    let counts = Counts { corners: sizes.map(|size| size[0]), edges: sizes.map(|size| size[1]) };
    (is_round && counts.edges[0] * counts.edges[1] <= MOST_EDGES).then_some(counts)
}

/// Whether the contact of two bodies is taken in this way.
pub(crate) fn takes_part(a: &Shape, b: &Shape) -> bool {
    counts(a, b, false).is_some()
}

/// How many contacts there are; one where the pair is none of these.
pub(crate) fn count(a: &Shape, b: &Shape, with_curvature: bool) -> usize {
    counts(a, b, with_curvature)
        .map_or(1, |Counts { corners, edges }| corners[0] + corners[1] + edges[0] * edges[1])
}

/// One of the contacts.
#[allow(
    clippy::large_enum_variant,
    reason = "made and asked at once, never stored; a box would be an allocation per contact"
)]
enum Place<'a> {
    Ball(BallContact<'a>),
    Edges(EdgeContact<'a>),
}

fn at<'a>(a: &'a Collider, b: &'a Collider, place: usize) -> Result<Place<'a>> {
    let none = || {
        let (a, b) = (a.shape.surface().kind(), b.shape.surface().kind());
        ContactError::Unsupported { a, b, reason: "they have no such feature" }
    };
    let Counts { corners, edges } = counts(&a.shape, &b.shape, false).ok_or_else(none)?;
    if place < corners[0] {
        return Ok(Place::Ball(BallContact::new(a, b, true, place)?));
    }
    let place = place - corners[0];
    if place < corners[1] {
        return Ok(Place::Ball(BallContact::new(b, a, false, place)?));
    }
    let place = place - corners[1];
    let found = EdgeContact::new(a, b, [place / edges[1], place % edges[1]]);
    found.map(Place::Edges).ok_or_else(none)
}

/// The touch at one of the places.
pub(crate) fn touch(a: &Collider, b: &Collider, place: usize) -> Result<Touch> {
    check(&a.pose, "pose_a")?;
    check(&b.pose, "pose_b")?;
    finite(match at(a, b, place)? {
        Place::Ball(found) => found.touch(),
        Place::Edges(found) => found.touch(),
    })
}

/// The weight of the contact there.
pub(crate) fn weight(a: &Collider, b: &Collider, place: usize) -> Result<f64> {
    Ok(match at(a, b, place)? {
        Place::Ball(_) => 1.0,
        Place::Edges(found) => found.weight(),
    })
}

/// The curvatures there.
pub(crate) fn curvature(a: &Collider, b: &Collider, place: usize) -> Result<ContactCurvature> {
    Ok(match at(a, b, place)? {
        Place::Ball(found) => found.curvature(),
        Place::Edges(found) => found.curvature(),
    })
}

/// How a touch there changes while the bodies move.
pub(crate) fn rates(a: &Collider, b: &Collider, place: usize, motion: [&Twist; 2]) -> Result<Rates> {
    Ok(match at(a, b, place)? {
        Place::Ball(found) => found.rates(motion),
        Place::Edges(found) => found.rates(motion),
    })
}

/// Its derivatives.
pub(crate) fn derivatives(a: &Collider, b: &Collider, place: usize) -> Result<Derivatives> {
    Ok(match at(a, b, place)? {
        Place::Ball(found) => Derivatives::of_rates(|motion| found.rates(motion)),
        Place::Edges(found) => Derivatives::of_rates(|motion| found.rates(motion)),
    })
}

/// Adds the places whose gaps are at most `reach` metres, in their order.
pub(crate) fn near_places(a: &Collider, b: &Collider, reach: f64, out: &mut Vec<usize>) -> Result<()> {
    let Some(Counts { corners, edges }) = counts(&a.shape, &b.shape, false) else { return Ok(()) };
    for place in 0..corners[0] + corners[1] {
        if touch(a, b, place)?.gap <= reach {
            out.push(place);
        }
    }
    // No point of an edge is nearer to a body than its middle, less half of its length.
    let reaches = |own: &Collider, other: &Collider, place: usize| -> Result<bool> {
        let Some(edge) = core::edge(&own.shape, place) else { return Ok(false) };
        let middle = own.pose.vector_to_world(&(edge.start + edge.along * (0.5 * edge.length)));
        let seen = other.pose.vector_to_local(&(own.pose.position - other.pose.position + middle));
        let radii = core::rounding(&own.shape) + core::rounding(&other.shape);
        Ok(nearest(&other.shape, &seen)?
            .is_some_and(|found| found.height - 0.5 * edge.length - radii <= reach))
    };
    let mut others = Vec::new();
    for place in 0..edges[1] {
        if reaches(b, a, place)? {
            others.push(place);
        }
    }
    for one in 0..edges[0] {
        if others.is_empty() || !reaches(a, b, one)? {
            continue;
        }
        for &other in &others {
            let is_near =
                EdgeContact::new(a, b, [one, other]).is_some_and(|found| found.touch().gap <= reach);
            if is_near {
                out.push(corners[0] + corners[1] + one * edges[1] + other);
            }
        }
    }
    Ok(())
}
