//! The point nearest to the origin in the hull of a few points, as weights of its corners.
//!
//! Of a face with the corners o, o + u, o + v, o + w the nearest point of its plane is o + s u + t v + r w with
//!
//! - of an edge s = −o·u/u²;
//! - of a triangle, n = u × v: s = −(o × v)·n/n², t = (o × u)·n/n²;
//! - of a tetrahedron, which holds the origin or does not count, Cramer's rule.
//!
//! It counts where no weight is negative. Every face is tried, 30 at most, and the shortest is taken: each is a point
//! of the hull whatever rounding does to its weights, a face without extent has none, and its edges and corners have.

use rattleback_geom::Vec3;

/// Corners at most.
const MAX_CORNERS: usize = 5;

/// A mixture of corners.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Mixture {
    weights: [f64; MAX_CORNERS],
}

/// The nearest point so far, by the weights of the corners before the last one.
struct Nearest {
    square: f64,
    weights: [f64; 3],
}

impl Nearest {
    /// Takes the point of a face where it lies in the face, `sum` is that of its weights, and is nearer.
    #[inline]
    fn take(&mut self, weights: [f64; 3], sum: f64, point: impl FnOnce() -> Vec3) {
        if weights.iter().all(|w| *w >= 0.0) && sum <= 1.0 {
            let square = point().norm_squared();
            if square < self.square {
                *self = Self { square, weights };
            }
        }
    }
}

impl Mixture {
    /// The mixture of at most five corners whose point is nearest to the origin, of no more than `most` of them: three
    /// where the points lie in a plane with the origin, four in space.
    pub fn nearest<C>(corners: &[C], point: impl Fn(&C) -> Vec3, most: u32) -> Self {
        Self::nearest_of(corners, point, |subset| subset.count_ones() <= most)
    }

    /// That of at most four corners which is made of the last one: of all the nearest one where the last corner lies
    /// beyond the point nearest of the others, since then no face without it is as near.
    pub fn nearest_with_last<C>(corners: &[C], point: impl Fn(&C) -> Vec3) -> Self {
        let last = corners.len() - 1;
        let o = point(&corners[last]);
        let mut nearest = Nearest { square: o.norm_squared(), weights: [0.0; 3] };
        // Ways u from the last corner to the others, and o × u.
        let mut ways = [(o, o); 3];
        for k in 0..last {
            let u = point(&corners[k]) - o;
            ways[k] = (u, o.cross(&u));
            let s = -o.dot(&u) / u.norm_squared();
            let mut weights = [0.0; 3];
            weights[k] = s;
            nearest.take(weights, s, || o + u * s);
        }
        for (j, k) in [(0, 1), (0, 2), (1, 2)].into_iter().take_while(|_| last > 1).filter(|(_, k)| *k < last)
        {
            let ((u, ou), (v, ov)) = (ways[j], ways[k]);
            let n = u.cross(&v);
            let share = 1.0 / n.norm_squared();
            let (s, t) = (-ov.dot(&n) * share, ou.dot(&n) * share);
            let mut weights = [0.0; 3];
            (weights[j], weights[k]) = (s, t);
            nearest.take(weights, s + t, || o + u * s + v * t);
        }
        if last == 3 {
            let [(u, ou), (v, ov), (w, _)] = ways;
            let uv = u.cross(&v);
            let share = 1.0 / uv.dot(&w);
            let weights = [-ov.dot(&w) * share, ou.dot(&w) * share, -uv.dot(&o) * share];
            let point = || o + u * weights[0] + v * weights[1] + w * weights[2];
            nearest.take(weights, weights[0] + weights[1] + weights[2], point);
        }
        let [x, y, z] = nearest.weights;
        let mut weights = [x, y, z, 0.0, 0.0];
        weights[last] = 1.0 - (x + y + z);
        Self { weights }
    }

    fn nearest_of<C>(corners: &[C], point: impl Fn(&C) -> Vec3, counts: impl Fn(u32) -> bool) -> Self {
        let mut points = [Vec3::zeros(); MAX_CORNERS];
        points.iter_mut().zip(corners).for_each(|(slot, corner)| *slot = point(corner));
        let points = &points[..corners.len()];
        let mut best = (f64::INFINITY, Self { weights: [1.0, 0.0, 0.0, 0.0, 0.0] });
        for subset in (1u32..1 << points.len()).filter(|subset| counts(*subset)) {
            let Some(mixture) = of_face(points, subset) else { continue };
            let length = mixture.of(points, |p| *p).norm_squared();
            if length < best.0 {
                best = (length, mixture);
            }
        }
        best.1
    }

    /// The mixture of what corners have.
    pub fn of<C>(&self, corners: &[C], part: impl Fn(&C) -> Vec3) -> Vec3 {
        corners.iter().zip(&self.weights).map(|(corner, weight)| part(corner) * *weight).sum()
    }

    /// Drops the corners of which it is not made; it is the mixture of those that are left.
    pub fn reduce<C>(&mut self, corners: &mut Vec<C>) {
        let kept = self.gather(corners);
        corners.truncate(kept);
    }

    /// Puts the corners of which it is made in front, in their order, and says how many they are; it is their mixture.
    pub fn gather<C>(&mut self, corners: &mut [C]) -> usize {
        let old = std::mem::replace(&mut self.weights, [0.0; MAX_CORNERS]);
        let mut kept = 0;
        for (k, weight) in old.into_iter().enumerate().take(corners.len()) {
            if weight > 0.0 {
                self.weights[kept] = weight;
                corners.swap(kept, k);
                kept += 1;
            }
        }
        kept
    }
}

/// The mixture of a face's corners that is nearest to the origin; none where it lies outside the face.
fn of_face(points: &[Vec3], subset: u32) -> Option<Mixture> {
    let (mut index, mut count) = ([0; 4], 0);
    for k in (0..points.len()).filter(|k| subset >> k & 1 == 1) {
        index[count] = k;
        count += 1;
    }
    let [i, j, k, l] = index;
    let o = points[i];
    let mut weights = [0.0; MAX_CORNERS];
    match count {
        1 => weights[i] = 1.0,
        2 => {
            let u = points[j] - o;
            let s = -o.dot(&u) / u.norm_squared();
            (weights[i], weights[j]) = (1.0 - s, s);
        }
        3 => {
            let (u, v) = (points[j] - o, points[k] - o);
            let n = u.cross(&v);
            let nn = n.norm_squared();
            let (s, t) = (-o.cross(&v).dot(&n) / nn, o.cross(&u).dot(&n) / nn);
            (weights[i], weights[j], weights[k]) = (1.0 - s - t, s, t);
        }
        _ => {
            let (u, v, w) = (points[j] - o, points[k] - o, points[l] - o);
            let det = u.cross(&v).dot(&w);
            let (s, t) = (-o.cross(&v).dot(&w) / det, -u.cross(&o).dot(&w) / det);
            let r = -u.cross(&v).dot(&o) / det;
            (weights[i], weights[j], weights[k], weights[l]) = (1.0 - s - t - r, s, t, r);
        }
    }
    weights.iter().all(|weight| *weight >= 0.0 && weight.is_finite()).then_some(Mixture { weights })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rattleback_random::unit;

    fn count(mixture: &Mixture) -> usize {
        mixture.weights.iter().filter(|weight| **weight > 0.0).count()
    }

    /// y is nearest to the origin where no corner is nearer along it: y·x ≥ y² for all x.
    fn check(points: &[Vec3], most: u32) {
        let mixture = Mixture::nearest(points, |p| *p, most);
        let y = mixture.of(points, |p| *p);
        let size = points.iter().map(|p| p.norm()).fold(0.0, f64::max);
        assert!((mixture.weights.iter().sum::<f64>() - 1.0).abs() < 1e-14, "{mixture:?}");
        let short = points.iter().map(|x| y.dot(&y) - y.dot(x)).fold(0.0, f64::max);
        // The root of rounding: a face as thin as that may be taken for its edge.
        assert!(short <= 1e-7 * size * size, "{points:?} {mixture:?}: {short:e}");
        let (mut left, mut reduced) = (points.to_vec(), mixture);
        reduced.reduce(&mut left);
        assert_eq!(left.len(), count(&mixture));
        assert!((reduced.of(&left, |p| *p) - y).norm() <= 1e-15 * size);
    }

    #[test]
    fn no_corner_is_nearer_along_the_nearest_point_however_thin_the_simplex() {
        let mut state = 3;
        let mut number = || 2.0 * unit(&mut state) - 1.0;
        for round in 0..20_000 {
            let shift = Vec3::new(number(), number(), number()) * f64::from(round % 3);
            let mut points: Vec<Vec3> =
                (0..2 + round % 4).map(|_| Vec3::new(number(), number(), number()) + shift).collect();
            let (first, second) = (points[0], points[1]);
            for (k, p) in points.iter_mut().enumerate().skip(2) {
                match round / 4 % 6 {
                    // The same corner twice, all on a line, nearly so, nearly in a plane, and of all sizes.
                    0 => *p = first,
                    1 => *p = first + (second - first) * (k as f64 - 2.5),
                    2 => *p = first + (second - first) * (k as f64 - 2.5) + *p * 1e-12,
                    3 => p.z = first.z + 1e-14 * p.z,
                    4 => *p *= 10f64.powi(3 * k as i32 - 9),
                    _ => {}
                }
            }
            check(&points, 4);
            points.iter_mut().for_each(|p| p.z = 0.0);
            check(&points, 3);
        }
    }

    #[test]
    fn the_nearest_point_with_the_last_corner_is_the_nearest_of_all_faces_with_it() {
        let mut state = 11;
        let mut number = || 2.0 * unit(&mut state) - 1.0;
        for round in 0..20_000 {
            let shift = Vec3::new(number(), number(), number()) * f64::from(round % 3);
            let points: Vec<Vec3> =
                (0..2 + round % 3).map(|_| Vec3::new(number(), number(), number()) + shift).collect();
            let last = 1 << (points.len() - 1);
            let found = Mixture::nearest_with_last(&points, |p| *p);
            let expected = Mixture::nearest_of(&points, |p| *p, |subset| subset & last != 0);
            let (x, y) = (found.of(&points, |p| *p), expected.of(&points, |p| *p));
            assert!((x.norm() - y.norm()).abs() < 1e-9, "{points:?}: {found:?}, {expected:?}");
            assert!(found.weights.iter().all(|weight| (0.0..=1.0).contains(weight)), "{found:?}");
            assert!((found.weights.iter().sum::<f64>() - 1.0).abs() < 1e-14, "{found:?}");
        }
    }

    #[test]
    fn the_origin_in_a_corner_an_edge_or_a_tetrahedron_is_found_there() {
        let (x, y, z) = (Vec3::x(), Vec3::y(), Vec3::z());
        for (points, expected) in [
            (vec![Vec3::zeros(), x, y], 1),
            (vec![y, x, -x], 2),
            (vec![x + y, x - y, -x, z + x], 3),
            (vec![x + y - z, x - y - z, -x - z, z], 4),
        ] {
            let mixture = Mixture::nearest(&points, |p| *p, 4);
            assert_eq!(count(&mixture), expected, "{points:?}");
            assert!(mixture.of(&points, |p| *p).norm() < 1e-15);
        }
    }
}
