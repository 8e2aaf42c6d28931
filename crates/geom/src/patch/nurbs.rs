//! B-spline and NURBS surfaces: x(u, v) = Σ wᵢⱼ Pᵢⱼ Nᵢᵖ(u) Nⱼ^q(v) / Σ wᵢⱼ Nᵢᵖ(u) Nⱼ^q(v).
//!
//! Nᵢᵖ are the B-splines over the knots t₀ ≤ … ≤ t_(n+p), n control points in that direction; the domain is
//! [t_p, t_n]. Clamped knots repeat both ends p + 1 times; others are taken as well. Inside, a knot is repeated at most
//! p times: more would tear the surface.
//!
//! The surface is kept as its rational Bézier patches, so that one evaluator serves all. They come from knot insertion
//! (Boehm 1980; Piegl and Tiller, The NURBS Book, 2nd ed., section 5.2) in homogeneous coordinates (wP, w): a new
//! knot t in [t_k, t_k+1), present s times already, gives
//! Qᵢ = Pᵢ (i ≤ k − p), Qᵢ = (1 − αᵢ)Pᵢ₋₁ + αᵢPᵢ (k − p < i ≤ k − s), Qᵢ = Pᵢ₋₁ (i > k − s), αᵢ = (t − tᵢ)/(tᵢ₊ₚ − tᵢ).
//! Once every break is there p times, the p + 1 points that end at index k are those of the Bézier patch over
//! [t_k, t_k+1]. Neighbours share one row of points, bit by bit.
//!
//! On the span [a, b] the patch has the parameter (u − a)/(b − a), and a derivative of order k the factor (b − a)⁻ᵏ.

use super::bezier::{BezierPatch, check_degree, check_net};
use super::net::PatchNet;
use crate::error::{GeomError, Result, finite, places};
use crate::surface::{Domain, Parametric, ParametricJet};
use crate::{Aabb, Vec3};
use nalgebra::Vector4;

/// Points (wP, w): one row for each control point in the direction of refinement.
type Rows = Vec<Vec<Vector4<f64>>>;

/// Ends of the domain closer than this share of the greatest coordinate are one: what knot insertion leaves of equal
/// points.
const SEAM: f64 = 64.0 * f64::EPSILON;

/// A B-spline or NURBS surface.
#[derive(Debug, Clone, PartialEq)]
pub struct NurbsSurface {
    breaks: [Vec<f64>; 2],
    net: PatchNet,
}

impl NurbsSurface {
    /// A surface of the degrees [p, q] from its knots in u and v, its control points in metres, those along v together,
    /// and its weights in the same order; a polynomial B-spline surface where there are none.
    pub fn new(
        degree: [usize; 2],
        knots: [Vec<f64>; 2],
        control: &[Vec3],
        weights: Option<&[f64]>,
    ) -> Result<Self> {
        check_degree(degree)?;
        let [m, n] = [count(0, degree[0], &knots[0])?, count(1, degree[1], &knots[1])?];
        check_net([m, n], control, weights)?;
        places("control", control)?;
        let point = |k: usize| {
            let w = weights.map_or(1.0, |w| w[k]);
            (control[k] * w).push(w)
        };
        let [ku, kv] = knots;
        let rows = (0..m).map(|i| (0..n).map(|j| point(i * n + j)).collect()).collect();
        let (rows, u) = refine(rows, ku, degree[0]);
        let (columns, v) = refine(transpose(&rows), kv, degree[1]);
        let mut patches = Vec::new();
        for &i in &u.starts {
            for &j in &v.starts {
                let net: Vec<_> = (i..=i + degree[0])
                    .flat_map(|i| (j..=j + degree[1]).map(move |j| (i, j)))
                    .map(|(i, j)| columns[j][i])
                    .collect();
                patches.push(bezier(degree, &net, weights.is_some())?);
            }
        }
        let size = control.iter().fold(0.0, |size: f64, p| size.max(p.amax()));
        let net = PatchNet::grid(patches, [u.starts.len(), v.starts.len()], SEAM * size)?;
        Ok(Self { breaks: [u.breaks, v.breaks], net })
    }

    /// The distinct knots within the domain, in u and in v: patches lie between them.
    pub fn breaks(&self) -> &[Vec<f64>; 2] {
        &self.breaks
    }

    /// The Bézier patches, those along v together; neighbours share their control points bit by bit.
    pub fn patches(&self) -> &[BezierPatch] {
        self.net.patches()
    }

    /// The box around the surface.
    pub fn bounds(&self) -> Aabb {
        self.net.bounds()
    }

    /// The patches with their neighbours; the ends of the domain are neighbours where the surface closes on itself.
    pub fn net(&self) -> &PatchNet {
        &self.net
    }

    /// The index of the patch at (u, v) and the parameters on it. A break belongs to the patch above it, the end of the
    /// domain to the last patch; beyond the domain the outer patches continue.
    pub fn locate(&self, u: f64, v: f64) -> (usize, [f64; 2]) {
        let [bu, bv] = &self.breaks;
        let (i, j) = (span(bu, u), span(bv, v));
        let local = |b: &[f64], i: usize, t: f64| (t - b[i]) / (b[i + 1] - b[i]);
        (i * (bv.len() - 1) + j, [local(bu, i, u), local(bv, j, v)])
    }
}

impl Parametric for NurbsSurface {
    fn domain(&self) -> Domain {
        let ends = |b: &[f64]| [b[0], b[b.len() - 1]];
        Domain { u: ends(&self.breaks[0]), v: ends(&self.breaks[1]), periodic: [false, false] }
    }

    fn jet(&self, u: f64, v: f64) -> ParametricJet {
        let (k, [s, t]) = self.locate(u, v);
        let [bu, bv] = &self.breaks;
        let (i, j) = (k / (bv.len() - 1), k % (bv.len() - 1));
        let (a, b) = (bu[i + 1] - bu[i], bv[j + 1] - bv[j]);
        let x = self.patches()[k].jet(s, t);
        ParametricJet {
            p: x.p,
            du: x.du / a,
            dv: x.dv / b,
            duu: x.duu / a / a,
            duv: x.duv / a / b,
            dvv: x.dvv / b / b,
            duuu: x.duuu / a / a / a,
            duuv: x.duuv / a / a / b,
            duvv: x.duvv / a / b / b,
            dvvv: x.dvvv / b / b / b,
        }
    }
}

/// The span [b_i, b_i+1) that holds t, or the nearest one.
fn span(breaks: &[f64], t: f64) -> usize {
    breaks.partition_point(|&b| b <= t).saturating_sub(1).min(breaks.len() - 2)
}

/// Accepts the knots of one direction and says for how many control points they are.
fn count(direction: usize, p: usize, knots: &[f64]) -> Result<usize> {
    let field = format!("knots[{direction}]");
    if knots.len() < 2 * p + 2 {
        return Err(GeomError::Inconsistent {
            field,
            found: format!("{} knots", knots.len()),
            allowed: format!("at least {} knots for the degree {p}", 2 * p + 2),
        });
    }
    let n = knots.len() - p - 1;
    for (k, &t) in knots.iter().enumerate() {
        finite(&format!("{field}[{k}]"), t)?;
        let refused = |allowed: String| {
            Err(GeomError::OutOfRange { field: format!("{field}[{k}]"), value: t, allowed })
        };
        if k > 0 && t < knots[k - 1] {
            return refused(format!("at least {}: knots do not decrease", knots[k - 1]));
        }
        let inside = t > knots[p] && t < knots[n];
        let most = if inside { p } else { p + 1 };
        if k >= most && knots[k - most] == t {
            return refused(format!("repeated at most {most} times at the degree {p}"));
        }
    }
    if knots[p] < knots[n] {
        // The length of the domain must be a number too.
        finite(&format!("{field}: {} − {}", knots[n], knots[p]), knots[n] - knots[p])?;
        return Ok(n);
    }
    Err(GeomError::Inconsistent {
        field,
        found: format!("the domain from {} to {}", knots[p], knots[n]),
        allowed: "knots between which there is a domain".to_owned(),
    })
}

/// Where the patches of a refined direction lie.
struct Spans {
    /// Distinct knots of the domain.
    breaks: Vec<f64>,
    /// Index of the first control row of each patch.
    starts: Vec<usize>,
}

/// Inserts knots until each break of the domain is there p times.
fn refine(mut rows: Rows, mut knots: Vec<f64>, p: usize) -> (Rows, Spans) {
    let mut breaks = knots[p..=rows.len()].to_vec();
    breaks.dedup();
    for &t in &breaks {
        let mut s = knots.iter().filter(|&&x| x == t).count();
        while s < p {
            rows = insert(&rows, &mut knots, p, t, s);
            s += 1;
        }
    }
    let last = breaks.len() - 1;
    let starts = breaks[..last].iter().map(|&t| knots.partition_point(|&x| x <= t) - 1 - p).collect();
    (rows, Spans { breaks, starts })
}

/// Inserts the knot `t`, present `s` < p times, once.
fn insert(rows: &Rows, knots: &mut Vec<f64>, p: usize, t: f64, s: usize) -> Rows {
    let k = knots.partition_point(|&x| x <= t) - 1;
    let new = (0..=rows.len())
        .map(|i| {
            if i + p <= k {
                return rows[i].clone();
            }
            if i + s > k {
                return rows[i - 1].clone();
            }
            let alpha = (t - knots[i]) / (knots[i + p] - knots[i]);
            rows[i - 1].iter().zip(&rows[i]).map(|(a, b)| a * (1.0 - alpha) + b * alpha).collect()
        })
        .collect();
    knots.insert(k + 1, t);
    new
}

fn transpose(rows: &Rows) -> Rows {
    (0..rows[0].len()).map(|j| rows.iter().map(|row| row[j]).collect()).collect()
}

/// The patch of a net of homogeneous points.
fn bezier(degree: [usize; 2], net: &[Vector4<f64>], rational: bool) -> Result<BezierPatch> {
    let control = net.iter().map(|h| h.xyz() / h.w).collect();
    if rational {
        BezierPatch::rational(degree, control, net.iter().map(|h| h.w).collect())
    } else {
        // Insertion keeps weights of one to rounding; a polynomial patch has none.
        BezierPatch::new(degree, control)
    }
}
