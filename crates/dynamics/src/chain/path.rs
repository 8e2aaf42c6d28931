//! Laying links along a path: a polyline on which joints are stepped off at exact distances.
//!
//! From a joint p the next one is where the path leaves the sphere of the link's pitch about p. On a segment q + t u
//! that begins inside the sphere or on which p lies itself, t = −b + √(b² − c) with w = q − p, b = w·u, c = w·w −
//! pitch². The last segment goes on beyond its end, so that every chain ends somewhere.
//!
//! A chain whose last joint must be at the path's end fits only by chance. Where it misses it by less than a link, the
//! path's inner points are drawn away from the straight line between its ends, or towards it, all by one factor, until
//! it fits.

use crate::error::{DynamicsError, Result, finite};
use rattleback_geom::Vec3;

/// By how much inner points may be drawn: the first link that is missed changes long paths by little, and a path that
/// needs more than this has no sag to take it from.
const WIDEST: f64 = 4.0;

/// The share of a link that counts as none where a path is as long as its chain: above rounding, below what is seen.
pub(super) const ROUNDING: f64 = 1e-9;

/// Halvings of a bracket of the order of one: to the last bit.
const HALVINGS: usize = 60;

/// Where the joints lie, and how far along the path the last one is beyond its end, in m.
pub(super) struct Stepped {
    pub(super) joints: Vec<Vec3>,
    pub(super) beyond: f64,
}

/// The share of a path's length that counts as none between two points in a row: a segment needs a direction.
const SAME: f64 = 1e-9;

/// Whether a path has two points at least, all of them numbers, no two in a row the same.
pub(super) fn check(what: &str, path: &[Vec3]) -> Result<()> {
    for (k, point) in path.iter().enumerate() {
        for (i, x) in point.iter().enumerate() {
            finite(&format!("path[{k}][{i}] of {what}"), *x)?;
        }
    }
    let reason = if path.len() < 2 {
        format!("its path has {} points; two at least are needed", path.len())
    } else if let Some(k) = path.windows(2).position(|pair| (pair[1] - pair[0]).norm() <= SAME * length(path))
    {
        format!("points {k} and {} of its path are the same", k + 1)
    } else {
        return Ok(());
    };
    Err(DynamicsError::Invalid { what: what.to_owned(), reason })
}

/// The length of a path.
pub(super) fn length(path: &[Vec3]) -> f64 {
    path.windows(2).map(|pair| (pair[1] - pair[0]).norm()).sum()
}

/// Steps off the given distances along a path of two points at least.
pub(super) fn step(path: &[Vec3], distances: &[f64]) -> Stepped {
    let mut joints = vec![path[0]];
    let (mut at, mut k, mut passed, mut along) = (path[0], 0, 0.0, 0.0);
    for &distance in distances {
        while k + 2 < path.len() && (path[k + 1] - at).norm() < distance {
            passed += (path[k + 1] - path[k]).norm();
            k += 1;
        }
        let u = (path[k + 1] - path[k]).normalize();
        let w = path[k] - at;
        let (b, c) = (w.dot(&u), w.norm_squared() - distance * distance);
        along = -b + (b * b - c).max(0.0).sqrt();
        at = path[k] + u * along;
        joints.push(at);
    }
    Stepped { joints, beyond: passed + along - length(path) }
}

/// How many links of one pitch fit on a path.
pub(super) fn count(path: &[Vec3], pitch: f64) -> usize {
    let fits = |n: usize| step(path, &vec![pitch; n]).beyond <= ROUNDING * pitch;
    // The last joint of a longer chain is farther along: bisection between a number that fits and one that does not.
    let (mut most, mut few) = (1, 0);
    while fits(most) {
        few = most;
        most *= 2;
    }
    while most - few > 1 {
        let middle = (most + few) / 2;
        if fits(middle) { few = middle } else { most = middle }
    }
    few
}

/// The joints with the last one at the path's end; none where no such path is near.
pub(super) fn fit(path: &[Vec3], distances: &[f64]) -> Option<Vec<Vec3>> {
    let beyond = |factor: f64| step(&drawn(path, factor), distances).beyond;
    let first = beyond(1.0);
    // Where the chain is too long for the path, the path has to become longer.
    let mut near = 1.0;
    let mut far = 1.0;
    while beyond(far) * first > 0.0 {
        near = far;
        far *= if first > 0.0 { 1.05 } else { 1.0 / 1.05 };
        if !(1.0 / WIDEST..=WIDEST).contains(&far) {
            return None;
        }
    }
    for _ in 0..HALVINGS {
        let middle = 0.5 * (near + far);
        if beyond(middle) * first > 0.0 { near = middle } else { far = middle }
    }
    Some(step(&drawn(path, far), distances).joints)
}

/// The path with the distances of its inner points from the line between its ends multiplied by `factor`.
fn drawn(path: &[Vec3], factor: f64) -> Vec<Vec3> {
    let (first, last) = (path[0], path[path.len() - 1]);
    let line = (last - first).try_normalize(0.0).unwrap_or_else(Vec3::zeros);
    let foot = |point: &Vec3| first + line * line.dot(&(point - first));
    path.iter().map(|point| foot(point) + (point - foot(point)) * factor).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bent() -> Vec<Vec3> {
        vec![Vec3::zeros(), Vec3::new(1.0, 0.0, 0.0), Vec3::new(1.0, 1.0, 0.0), Vec3::new(1.2, 1.0, 2.0)]
    }

    #[test]
    fn joints_lie_on_the_path_at_their_distances() {
        let path = bent();
        let distances: Vec<f64> = (0..14).map(|k| if k % 3 == 0 { 0.31 } else { 0.23 }).collect();
        let Stepped { joints, beyond } = step(&path, &distances);
        assert_eq!(joints.len(), 15);
        for (pair, distance) in joints.windows(2).zip(&distances) {
            assert!(((pair[1] - pair[0]).norm() - distance).abs() < 1e-14);
        }
        for joint in &joints {
            let off = path.windows(2).map(|ends| {
                let (u, w) = (ends[1] - ends[0], joint - ends[0]);
                (w - u * (w.dot(&u) / u.norm_squared()).clamp(0.0, 1.0)).norm()
            });
            assert!(off.fold(f64::INFINITY, f64::min) < 1e-14);
        }
        // What is left of the path is straight.
        let left = (path[3] - joints[14]).norm();
        assert!((beyond + left).abs() < 1e-14, "{beyond} {left}");
    }

    #[test]
    fn a_path_that_is_nearly_right_is_drawn_until_it_fits() {
        let path = bent();
        let n = count(&path, 0.23);
        let joints = fit(&path, &vec![0.23; n]).unwrap();
        assert!((joints[n] - path[3]).norm() < 1e-13);
        for pair in joints.windows(2) {
            assert!(((pair[1] - pair[0]).norm() - 0.23).abs() < 1e-13);
        }
        // Nothing to draw on a straight path.
        assert!(fit(&path[..2], &[0.3; 3]).is_none());
    }

    #[test]
    fn paths_that_are_none_are_refused() {
        for (path, said) in [
            (vec![Vec3::zeros()], "1 points"),
            (vec![Vec3::x(), Vec3::x()], "points 0 and 1"),
            (vec![Vec3::x(), Vec3::new(0.0, f64::NAN, 0.0)], "path[1][1] of chain c"),
        ] {
            let refused = check("chain c", &path).unwrap_err().to_string();
            assert!(refused.contains(said), "{refused}");
        }
    }
}
