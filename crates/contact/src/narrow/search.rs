//! Surfaces that no support function covers.
//!
//! Tori, links and bounded quadrics are solids of slices and go to `solid`, against each other and against bodies with
//! support functions. For the rest, two implicit surfaces go through Lopes' system, globalised, within the planes that
//! bound them; where that finds nothing, or one of them has no implicit view, the parametric forms are tried. What is
//! found is a common normal of least gap among those that the starts led to: likely the nearest one, without a bound
//! that proves it.

use super::lopes::ImplicitBody;
use super::lopes::globalised::{self, SearchOutcome};
use super::parametric::{self, ParametricBody, SupportedBody, search_against_support};
use super::solid;
use super::touch::Touch;
use super::{Start, unsupported};
use crate::error::{ContactError, Result};
use rattleback_geom::Pose;
use rattleback_geom::surface::Shape;

/// The touch of two surfaces of which at least one has no support function.
pub(crate) fn solve(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, start: Start) -> Result<Touch> {
    if let Some(touch) = solid::solve(a, pose_a, b, pose_b, start) {
        return Ok(touch);
    }
    let (x, y) = (a.surface(), b.surface());
    if let (Some(f), Some(g)) = (x.as_implicit(), y.as_implicit()) {
        let (body_a, body_b) = (ImplicitBody::new(f, *pose_a), ImplicitBody::new(g, *pose_b));
        let boxes = [&x.bounds(), &y.bounds()];
        match globalised::search(&body_a, &body_b, boxes, &Default::default()) {
            Ok(SearchOutcome::Found(solution)) => return Ok(Touch::stationary(&solution)),
            Ok(SearchOutcome::NoneWithinBounds { .. }) => {
                return Err(ContactError::BeyondBounds { a: x.kind(), b: y.kind() });
            }
            // Another chart may succeed where this one failed; if none does, this is the error to report.
            Err(error) => return parametric_touch(a, pose_a, b, pose_b).map_err(|_| error),
        }
    }
    parametric_touch(a, pose_a, b, pose_b)
}

fn parametric_touch(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> Result<Touch> {
    let (x, y) = (a.surface(), b.surface());
    let settings = parametric::SearchSettings::default();
    let charts = (ParametricBody::of(x, *pose_a), ParametricBody::of(y, *pose_b));
    let bodies = (
        x.as_support().map(|s| SupportedBody { surface: s, inside: x.as_implicit(), pose: *pose_a }),
        y.as_support().map(|s| SupportedBody { surface: s, inside: y.as_implicit(), pose: *pose_b }),
    );
    match (charts, bodies) {
        ((Some(chart), _), (_, Some(body))) => {
            Ok(Touch::stationary(&search_against_support(&chart, &body, &settings)?.solution))
        }
        ((_, Some(chart)), (Some(body), _)) => {
            Ok(Touch::stationary(&search_against_support(&chart, &body, &settings)?.solution).swapped())
        }
        ((Some(chart_a), Some(chart_b)), _) => {
            Ok(Touch::stationary(&parametric::search(&chart_a, &chart_b, &settings)?.solution))
        }
        _ => Err(unsupported(a, b, "neither support functions, implicit nor parametric views cover them")),
    }
}
