//! Numerical integration: Gauss–Legendre rules, and adaptive product rules over rectangles and triangles.

use crate::Vec2;
use crate::error::{GeomError, Result};

/// Nodes and weights of the n-point Gauss–Legendre rule on [−1, 1], by Newton iterations on P_n from
/// cos(π(i − ¼)/(n + ½)); exact for polynomials of degree 2n − 1.
pub fn gauss_legendre(n: usize) -> Vec<(f64, f64)> {
    let nf = n as f64;
    let mut rule = vec![(0.0, 0.0); n];
    for i in 0..n.div_ceil(2) {
        let mut x = (std::f64::consts::PI * (i as f64 + 0.75) / (nf + 0.5)).cos();
        let mut slope = 1.0;
        // Quadratic from a start that is good to four digits: five steps reach rounding, ten are a bound.
        for _ in 0..10 {
            let (mut p, mut before) = (1.0, 0.0);
            for k in 0..n {
                let kf = k as f64;
                (p, before) = (((2.0 * kf + 1.0) * x * p - kf * before) / (kf + 1.0), p);
            }
            slope = nf * (x * p - before) / (x * x - 1.0);
            let step = p / slope;
            x -= step;
            if step.abs() < 1e-16 {
                break;
            }
        }
        if 2 * i + 1 == n {
            x = 0.0;
        }
        let weight = 2.0 / ((1.0 - x * x) * slope * slope);
        rule[i] = (-x, weight);
        rule[n - 1 - i] = (x, weight);
    }
    rule
}

/// ∫∫ f du dv over a rectangle for a vector of `N` integrands, to the relative tolerance `tolerance` of the
/// largest one, by splitting the cell that errs most; an error if `cells` cells do not suffice.
///
/// A cell's error is the difference of the 5×5 and the 8×8 Gauss rule, which overestimates that of the latter.
pub fn adaptive<const N: usize>(
    [u0, u1]: [f64; 2],
    [v0, v1]: [f64; 2],
    tolerance: f64,
    cells: usize,
    f: impl Fn(f64, f64) -> [f64; N],
) -> Result<[f64; N]> {
    let (coarse, fine) = (gauss_legendre(5), gauss_legendre(8));
    let apply = |rule: &[(f64, f64)], c: &[f64; 4]| {
        let (hu, hv) = (0.5 * (c[1] - c[0]), 0.5 * (c[3] - c[2]));
        let mut sum = [0.0; N];
        for &(x, wx) in rule {
            for &(y, wy) in rule {
                let values = f(c[0] + hu * (1.0 + x), c[2] + hv * (1.0 + y));
                for k in 0..N {
                    sum[k] += wx * wy * hu * hv * values[k];
                }
            }
        }
        sum
    };
    let evaluate = |c: [f64; 4]| {
        let (a, b) = (apply(&coarse, &c), apply(&fine, &c));
        (apart(&a, &b), c, b)
    };
    let mut list = vec![evaluate([u0, u1, v0, v1])];
    loop {
        let mut total = [0.0; N];
        let mut error = 0.0;
        let mut worst = 0;
        for (i, (e, _, value)) in list.iter().enumerate() {
            error += e;
            if *e > list[worst].0 {
                worst = i;
            }
            for k in 0..N {
                total[k] += value[k];
            }
        }
        let scale = total.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        if error <= tolerance * scale {
            return Ok(total);
        }
        if list.len() >= cells || !error.is_finite() {
            return Err(GeomError::NotConverged {
                procedure: "adaptive quadrature",
                reached: error / scale,
                wanted: tolerance,
                iterations: list.len(),
            });
        }
        // Split every cell that errs more than its fair share, so that few sweeps suffice.
        let share = (tolerance * scale / list.len() as f64).max(0.1 * list[worst].0);
        for (e, c, value) in std::mem::take(&mut list) {
            if e <= share {
                list.push((e, c, value));
                continue;
            }
            let (um, vm) = (0.5 * (c[0] + c[1]), 0.5 * (c[2] + c[3]));
            for quarter in
                [[c[0], um, c[2], vm], [um, c[1], c[2], vm], [c[0], um, vm, c[3]], [um, c[1], vm, c[3]]]
            {
                list.push(evaluate(quarter));
            }
        }
    }
}

/// The greatest difference of two vectors of integrals.
fn apart<const N: usize>(a: &[f64; N], b: &[f64; N]) -> f64 {
    (0..N).map(|k| (a[k] - b[k]).abs()).fold(0.0, f64::max)
}

/// A part of a chart's parameters.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Piece {
    /// By its corners.
    Triangle([Vec2; 3]),
    /// By its least corner and its sides, which run along the parameters.
    Rectangle([Vec2; 2]),
}

impl Piece {
    /// The place of a node (x, y) ∈ [−1, 1]² and the parameters' area per dx dy.
    ///
    /// A triangle (a, b, c) is a + s((1 − t)(b − a) + t(c − a)) of the square, whose determinant is s times twice the
    /// area; no node lies at a corner.
    fn node(&self, x: f64, y: f64) -> (Vec2, f64) {
        let (s, t) = (0.5 * (1.0 + x), 0.5 * (1.0 + y));
        match self {
            Self::Triangle([a, b, c]) => {
                let (ab, ac) = (b - a, c - a);
                (a + (ab * (1.0 - t) + ac * t) * s, 0.25 * ab.perp(&ac) * s)
            }
            Self::Rectangle([a, sides]) => (a + Vec2::new(s * sides.x, t * sides.y), 0.25 * sides.product()),
        }
    }

    /// Its parts: four of a triangle, cut at the middles of its sides, two of a rectangle, cut across the parameter
    /// `across`.
    fn parts(&self, across: usize) -> Vec<Self> {
        match *self {
            Self::Triangle(t) => {
                let [ab, bc, ca] = [0, 1, 2].map(|k| 0.5 * (t[k] + t[(k + 1) % 3]));
                [[t[0], ab, ca], [t[1], bc, ab], [t[2], ca, bc], [ab, bc, ca]].map(Self::Triangle).to_vec()
            }
            Self::Rectangle([a, sides]) => {
                let (mut half, mut middle) = (sides, a);
                half[across] *= 0.5;
                middle[across] += half[across];
                vec![Self::Rectangle([a, half]), Self::Rectangle([middle, half])]
            }
        }
    }
}

/// ∫∫ f du dv over pieces, each of a chart of its own, for a vector of `N` integrands, to the relative tolerance
/// `tolerance` of the largest one, by cutting pieces that err; an error if `cells` of them do not suffice.
///
/// The product rules are those of [`adaptive`]. A rectangle is cut across the parameter along which the coarse rule
/// errs more: charts change much faster along the one than along the other where weights or axes are uneven.
pub(crate) fn adaptive_pieces<const N: usize>(
    roots: &[(usize, Piece)],
    tolerance: f64,
    cells: usize,
    f: impl Fn(usize, &Vec2) -> Result<[f64; N]>,
) -> Result<[f64; N]> {
    let (coarse, fine) = (gauss_legendre(5), gauss_legendre(8));
    let apply = |[along, beside]: [&[(f64, f64)]; 2], chart: usize, piece: &Piece| -> Result<[f64; N]> {
        let mut sum = [0.0; N];
        for &(x, wx) in along {
            for &(y, wy) in beside {
                let (at, scale) = piece.node(x, y);
                let values = f(chart, &at)?;
                for k in 0..N {
                    sum[k] += wx * wy * scale * values[k];
                }
            }
        }
        Ok(sum)
    };
    let evaluate = |chart: usize, piece: Piece| -> Result<(f64, usize, Piece, [f64; N])> {
        let (a, b) = (apply([&coarse; 2], chart, &piece)?, apply([&fine; 2], chart, &piece)?);
        Ok((apart(&a, &b), chart, piece, b))
    };
    let across = |chart: usize, piece: &Piece, value: &[f64; N]| -> Result<usize> {
        if let Piece::Triangle(_) = piece {
            return Ok(0);
        }
        let (a, b) = (apply([&coarse, &fine], chart, piece)?, apply([&fine, &coarse], chart, piece)?);
        Ok(usize::from(apart(&b, value) > apart(&a, value)))
    };
    let mut list = roots.iter().map(|&(chart, piece)| evaluate(chart, piece)).collect::<Result<Vec<_>>>()?;
    loop {
        let mut total = [0.0; N];
        for (_, _, _, value) in &list {
            (0..N).for_each(|k| total[k] += value[k]);
        }
        let error: f64 = list.iter().map(|cell| cell.0).sum();
        let scale = total.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        if error <= tolerance * scale {
            return Ok(total);
        }
        if list.len() >= cells || !error.is_finite() {
            return Err(GeomError::NotConverged {
                procedure: "adaptive quadrature",
                reached: error / scale,
                wanted: tolerance,
                iterations: list.len(),
            });
        }
        // All that err more than their fair share, and not far less than the worst: few sweeps suffice.
        let worst = list.iter().fold(0.0f64, |m, cell| m.max(cell.0));
        let share = (tolerance * scale / list.len() as f64).max(0.01 * worst);
        for (e, chart, piece, value) in std::mem::take(&mut list) {
            if e <= share {
                list.push((e, chart, piece, value));
                continue;
            }
            for part in piece.parts(across(chart, &piece, &value)?) {
                list.push(evaluate(chart, part)?);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triangles_of_two_charts_add_up_and_a_root_at_a_corner_is_resolved() {
        let roots = [
            (0, Piece::Triangle([Vec2::new(0.0, 0.0), Vec2::new(1.0, 0.0), Vec2::new(0.0, 1.0)])),
            (1, Piece::Triangle([Vec2::new(1.0, 0.0), Vec2::new(1.0, 1.0), Vec2::new(0.0, 1.0)])),
        ];
        let f = |chart: usize, p: &Vec2| Ok([(p.x + p.y).sqrt(), chart as f64 * p.x * p.y, 1.0]);
        let [root, product, area] = adaptive_pieces(&roots, 1e-11, 10_000, f).unwrap();
        // ∫ √r r dr over the one, ∫ √r (2 − r) dr over the other; ∫ xy is 1/4 of the square less 1/24.
        let exact = 0.4 + 4.0 / 3.0 * (2f64.powf(1.5) - 1.0) - 0.4 * (2f64.powf(2.5) - 1.0);
        assert!((root - exact).abs() < 1e-10 && (product - 5.0 / 24.0).abs() < 1e-11, "{root} {product}");
        assert!((area - 1.0).abs() < 1e-13);
        let square = [(1, Piece::Rectangle([Vec2::zeros(), Vec2::new(1.0, 1.0)]))];
        let [_, product, area] = adaptive_pieces(&square, 1e-11, 10_000, f).unwrap();
        assert!((product - 0.25).abs() < 1e-13 && (area - 1.0).abs() < 1e-13, "{product} {area}");
        // A layer of a thousandth along one side, in few cells: they are cut across it alone.
        let layer = |_: usize, p: &Vec2| Ok([1e-3 / (1e-6 + p.x * p.x) * (1.0 + p.y)]);
        let [steep] = adaptive_pieces(&square, 1e-9, 40, layer).unwrap();
        assert!((steep - 1.5 * 1e3f64.atan()).abs() < 1e-8, "{steep}");
        let pole = |_: usize, p: &Vec2| Ok([1.0 / p.x / p.x]);
        let error = adaptive_pieces(&roots, 1e-9, 100, pole).unwrap_err().to_string();
        assert!(error.starts_with("adaptive quadrature stopped at"), "{error}");
    }

    #[test]
    fn gauss_rules_are_exact_for_polynomials_of_their_degree() {
        for n in [2, 5, 8, 33, 64] {
            let rule = gauss_legendre(n);
            for degree in [0, 2, 2 * n - 2] {
                let sum: f64 = rule.iter().map(|(x, w)| w * x.powi(degree as i32)).sum();
                assert!((sum - 2.0 / (degree as f64 + 1.0)).abs() < 1e-13, "n = {n}, degree {degree}");
            }
        }
    }

    #[test]
    fn adaptive_rule_resolves_a_peak_and_a_root() {
        let peak = |u: f64, v: f64| [1.0 / (1e-4 + u * u + v * v), u.sqrt() * v];
        let [a, b] = adaptive([0.0, 1.0], [0.0, 1.0], 1e-8, 20_000, peak).unwrap();
        assert!((b - 1.0 / 3.0).abs() < 1e-7);
        // ∫∫ over the quarter disc of radius one in polar form, the rest by a rule of high order.
        let disc = std::f64::consts::FRAC_PI_4 * (10_001f64).ln();
        let [rest] = adaptive([1e-9, std::f64::consts::FRAC_PI_4], [0.0, 1.0], 1e-12, 20_000, |angle, s| {
            let far = 1.0 / angle.cos();
            let r = 1.0 + s * (far - 1.0);
            [2.0 * (far - 1.0) * r / (1e-4 + r * r)]
        })
        .unwrap();
        assert!((a / (disc + rest) - 1.0).abs() < 1e-7, "{a} {}", disc + rest);
    }

    #[test]
    fn a_divergent_integral_is_reported() {
        let error = adaptive([0.0, 1.0], [0.0, 1.0], 1e-12, 50, |u, _| [1.0 / u]).unwrap_err();
        assert!(error.to_string().starts_with("adaptive quadrature stopped at"), "{error}");
    }
}
