//! Bounds of third derivatives over a rectangle of a patch, from the control points that the patch has over it.
//!
//! Over u₀ ≤ u ≤ u₁, v₀ ≤ v ≤ v₁ a patch is one with control points of its own (de Casteljau's steps, in the
//! coordinates (wp, w)). Derivatives of a polynomial of degrees p and q are patches of p!/(p−k)! q!/(q−l)! times the
//! differences ΔᵏΔˡ of its control points, within whose hull they lie: that bounds A_kl and w_kl for y = x − c = A/w, c
//! the mean of the control points. Then
//!
//!   w y_kl = A_kl − Σ C(k, i) C(l, j) w_ij y_(k−i)(l−j)   gives   ∣y_kl∣ ≤ (∣A_kl∣ + Σ C(k, i) C(l, j) ∣w_ij∣
//!   ∣y_(k−i)(l−j)∣)/min w,
//!
//! from ∣y₀₀∣ ≤ max∣Pᵢⱼ − c∣ on, since weights are positive. Of a polynomial patch all w_kl but the first are zero.

use super::BezierPatch;
use super::bezier::BINOMIAL;
use crate::Vec3;

/// (w(p − c), w) of a control point.
type Point = (Vec3, f64);

/// Roundings of de Casteljau's steps, in units of 2⁻⁵² of the greatest control point.
const ROUNDINGS: f64 = 256.0;

fn mix(a: &Point, b: &Point, t: f64) -> Point {
    (a.0 * (1.0 - t) + b.0 * t, a.1 * (1.0 - t) + b.1 * t)
}

/// The control points of a curve between two parameters.
fn cut(points: &mut [Point], [from, to]: [f64; 2]) {
    let n = points.len();
    // What is left of `to`: the first points of the steps.
    for step in 1..n {
        for i in (step..n).rev() {
            points[i] = mix(&points[i - 1], &points[i], to);
        }
    }
    // What is right of `from`: the last ones.
    let from = from / to;
    for step in 1..n {
        for i in 0..n - step {
            points[i] = mix(&points[i], &points[i + 1], from);
        }
    }
}

/// The homogeneous control points, from c, over a rectangle.
fn net(patch: &BezierPatch, u: [f64; 2], v: [f64; 2]) -> Vec<Point> {
    let [p, q] = patch.degree();
    let c = patch.control()[0];
    let weight = |k: usize| patch.weights().map_or(1.0, |w| w[k]);
    let mut net: Vec<Point> =
        patch.control().iter().enumerate().map(|(k, x)| ((x - c) * weight(k), weight(k))).collect();
    for row in net.chunks_mut(q + 1) {
        cut(row, v);
    }
    let mut column = vec![(Vec3::zeros(), 0.0); p + 1];
    for j in 0..=q {
        (0..=p).for_each(|i| column[i] = net[i * (q + 1) + j]);
        cut(&mut column, u);
        (0..=p).for_each(|i| net[i * (q + 1) + j] = column[i]);
    }
    net
}

/// The greatest lengths of ∂ᵏ⁺ˡA and ∂ᵏ⁺ˡw over the unit square.
fn differences(net: &[Point], [p, q]: [usize; 2], [k, l]: [usize; 2]) -> [f64; 2] {
    if k > p || l > q {
        return [0.0; 2];
    }
    let falling = |n: usize, k: usize| (0..k).map(|i| (n - i) as f64).product::<f64>();
    let mut most: [f64; 2] = [0.0; 2];
    for i in 0..=p - k {
        for j in 0..=q - l {
            let mut sum = (Vec3::zeros(), 0.0);
            for r in 0..=k {
                for s in 0..=l {
                    let sign = if (k - r + l - s).is_multiple_of(2) { 1.0 } else { -1.0 };
                    let (a, w) = net[(i + r) * (q + 1) + j + s];
                    let factor = sign * BINOMIAL[k][r] * BINOMIAL[l][s];
                    sum = (sum.0 + a * factor, sum.1 + w * factor);
                }
            }
            most = [most[0].max(sum.0.norm()), most[1].max(sum.1.abs())];
        }
    }
    most.map(|x| x * falling(p, k) * falling(q, l))
}

/// Bounds of the lengths of ∂³x/∂u³, ∂³x/∂u²∂v, ∂³x/∂u∂v² and ∂³x/∂v³ over a rectangle within the unit square, in m.
pub(super) fn third(patch: &BezierPatch, u: [f64; 2], v: [f64; 2]) -> Option<[f64; 4]> {
    let widths = [u[1] - u[0], v[1] - v[0]];
    if !(u[0] >= 0.0 && u[1] <= 1.0 && v[0] >= 0.0 && v[1] <= 1.0 && widths[0] > 0.0 && widths[1] > 0.0) {
        return None;
    }
    let mut net = net(patch, u, v);
    // The nearer c is, the less the weights matter.
    let c = net.iter().map(|x| x.0 / x.1).sum::<Vec3>() / net.len() as f64;
    net.iter_mut().for_each(|x| x.0 -= c * x.1);
    let least = net.iter().map(|x| x.1).fold(f64::INFINITY, f64::min);
    let far = net.iter().map(|x| x.0.norm() / x.1).fold(0.0, f64::max);
    let rounding = ROUNDINGS * f64::EPSILON * (far + c.norm() + patch.control()[0].norm());
    let mut y = [[0.0; 4]; 4];
    let mut w = [[0.0; 4]; 4];
    for order in 0..=3 {
        for k in 0..=order {
            let l = order - k;
            let [a, weight] = differences(&net, patch.degree(), [k, l]);
            w[k][l] = weight;
            let mut sum = a;
            for i in 0..=k {
                for j in 0..=l {
                    if i + j > 0 {
                        sum += BINOMIAL[k][i] * BINOMIAL[l][j] * w[i][j] * y[k - i][l - j];
                    }
                }
            }
            y[k][l] = if order == 0 { far } else { sum / least };
        }
    }
    let scaled = |k: i32| {
        let l = 3 - k;
        (y[k as usize][l as usize] + rounding) / (widths[0].powi(k) * widths[1].powi(l))
    };
    Some([scaled(3), scaled(2), scaled(1), scaled(0)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Vec2;
    use crate::chart::{Atlas, Cell, Hull};
    use crate::surface::Parametric;

    /// A wavy patch with uneven weights.
    fn patch(rational: bool) -> BezierPatch {
        let at = |i: usize, j: usize| {
            let (x, y) = (i as f64, j as f64);
            Vec3::new(x + 0.2 * y, y - 0.1 * x * x, (1.3 * x).sin() * (0.7 * y).cos())
        };
        let control = (0..4).flat_map(|i| (0..3).map(move |j| at(i, j))).collect();
        let weights = (0..12).map(|k| 1.0 + 0.5 * f64::from(k * 7 % 5)).collect();
        if rational {
            BezierPatch::rational([3, 2], control, weights).unwrap()
        } else {
            BezierPatch::new([3, 2], control).unwrap()
        }
    }

    #[test]
    fn third_derivatives_stay_below_their_bounds_which_close_as_the_part_shrinks() {
        for rational in [false, true] {
            let patch = patch(rational);
            for width in [1.0, 0.3, 0.05] {
                let (u, v) = ([0.4 - 0.4 * width, 0.4 + 0.6 * width], [0.7 - 0.7 * width, 0.7 + 0.3 * width]);
                let bound = third(&patch, u, v).unwrap();
                let mut seen: [f64; 4] = [0.0; 4];
                for (i, j) in (0..=20).flat_map(|i| (0..=20).map(move |j| (i, j))) {
                    let at = |[a, b]: [f64; 2], k: i32| a + (b - a) * f64::from(k) / 20.0;
                    let jet = Parametric::jet(&patch, at(u, i), at(v, j));
                    let now = [jet.duuu, jet.duuv, jet.duvv, jet.dvvv].map(|x| x.norm());
                    (0..4).for_each(|k| seen[k] = seen[k].max(now[k]));
                }
                for k in 0..4 {
                    assert!(seen[k] <= bound[k], "{rational} {width} {k}: {} above {}", seen[k], bound[k]);
                }
                let (most, least) = (bound.iter().sum::<f64>(), seen.iter().sum::<f64>());
                assert!(width > 0.1 || !rational || most < 1e3 * least, "{most} for {least}");
            }
        }
    }

    #[test]
    fn rational_patches_stay_within_what_is_proved_of_their_cells() {
        let patch = patch(true);
        let mut proved = 0;
        for (k, cell) in patch.cells().into_iter().enumerate() {
            let [a, b, c] = cell.corners;
            let shrink = 0.5f64.powi((k % 3) as i32 + 2);
            let cell = Cell { corners: [a, a + (b - a) * shrink, a + (c - a) * shrink], ..cell };
            let Some(known) = patch.enclosure(&cell) else { continue };
            let Hull::Taylor(rest) = known.hull else { panic!("{known:?}") };
            proved += 1;
            let middle = cell.corners.iter().sum::<Vec2>() / 3.0;
            let o = Parametric::jet(&patch, middle.x, middle.y);
            for (i, j) in (0..=10).flat_map(|i| (0..=10 - i).map(move |j| (i, j))) {
                let (s, t) = (f64::from(i) / 10.0, f64::from(j) / 10.0);
                let [a, b, c] = cell.corners;
                let w = a * (1.0 - s - t) + b * s + c * t;
                let (jet, d) = (Parametric::jet(&patch, w.x, w.y), w - middle);
                let second = o.duu * (d.x * d.x) + o.duv * (2.0 * d.x * d.y) + o.dvv * (d.y * d.y);
                let off = (jet.p - o.p - o.du * d.x - o.dv * d.y - second * 0.5).norm();
                assert!(off <= rest, "{cell:?}: {off} above {rest}");
                assert!(jet.normal().angle(&known.axis) <= known.angle, "{cell:?}");
            }
        }
        assert!(proved >= 8, "{proved}");
    }
}
