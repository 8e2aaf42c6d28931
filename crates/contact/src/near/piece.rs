//! A small triangle of a surface, and what surely contains it.
//!
//! With the corners w_i of the triangle measured from its centroid, any point of it is d = Σ λ_i w_i, λ_i ≥ 0, Σ λ_i =
//! 1, and x(d) = p + x′(d) + ½ x″(d, d) + R. The first three terms are a quadratic Bézier triangle with the control
//! points
//!
//! b_ij = p + ½ (x′(w_i) + x′(w_j)) + ½ x″(w_i, w_j),
//!
//! within whose hull they lie. |R| ≤ ⅙ max |x‴(w_i, w_j, w_k)| over the triangle (`slack`, m), since x‴(d, d, d) is a
//! mean of those values; the surface need only be twice continuously differentiable with third derivatives in pieces.
//!
//! Where the charts enclose a cell ([`Atlas::enclosure`]) the bound of x‴ and the cone of normals are proved, and so is
//! all that follows from them: hull, sphere, cone. Some charts know six points whose hull holds the cell, and no third
//! derivative, or of pieces at an extraordinary vertex a rectangle along the surface: those take the place of the b_ij.
//! Elsewhere the maximum is taken over ten points, times 2.5, and the cone times 1.3: an estimate, and
//! [`super::ChartTree::is_proved`] says so. How much the shape operator changes is an estimate everywhere; it orders
//! the work of `search` and excludes no distance.
//!
//! At a singular point without a proof third derivatives grow without bound. None of the ten points is a corner, and a
//! piece whose slack does not become small (`rough`) is held by a sphere about its centroid instead, half as large
//! again as what the ten points need: the nearest of them leaves a fiftieth of the triangle unseen.

use super::osculation::Osculation;
use crate::error::Result;
use rattleback_geom::chart::{Atlas, Cell, Hull, Place};
use rattleback_geom::curvature::eigen2;
use rattleback_geom::surface::ParametricJet;
use rattleback_geom::{Vec2, Vec3};

/// By how much the greatest third derivative seen is surpassed between the points.
const THIRD: f64 = 2.5;

/// The same for the angle of the cone.
const CONE: f64 = 1.3;

/// The same for the change of the shape operator and the least curvature.
const SHAPE: f64 = 1.5;

/// The same for the sphere about a rough piece.
const ROUGH: f64 = 1.5;

/// A piece is rough where its slack is more than this share of its extent.
const ROUGHNESS: f64 = 0.25;

/// It is rough too where the greatest third derivative seen is so many times the middle one, as at a corner without
/// derivatives, unless the slack is below the second share of the extent.
const SINGULAR: f64 = 4.0;
const SMOOTH: f64 = 1e-3;

/// Barycentric coordinates of the ten points: the centroid, close to the corners and to the middles of the sides,
/// between.
const SAMPLES: [[f64; 3]; 10] = [
    [1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0],
    [0.96, 0.02, 0.02],
    [0.02, 0.96, 0.02],
    [0.02, 0.02, 0.96],
    [0.49, 0.49, 0.02],
    [0.02, 0.49, 0.49],
    [0.49, 0.02, 0.49],
    [0.64, 0.18, 0.18],
    [0.18, 0.64, 0.18],
    [0.18, 0.18, 0.64],
];

/// A triangle of parameters and the quadratic Bézier triangle that it is, but for its slack.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece {
    pub cell: Cell,
    /// The point at the centroid.
    pub p: Vec3,
    /// b₀₀, b₁₁, b₂₂, b₀₁, b₁₂, b₂₀, or the points that the charts know.
    control: [Vec3; 6],
    /// How far the surface is from the Bézier triangle at most, in m.
    slack: f64,
    pub rough: bool,
    /// Whether the charts know the control points.
    enclosed: bool,
}

/// Which corners a control point belongs to.
const PAIRS: [[usize; 2]; 6] = [[0, 0], [1, 1], [2, 2], [0, 1], [1, 2], [2, 0]];

/// A piece with all that a tree keeps of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Leaf {
    pub piece: Piece,
    /// The surface at the centroid.
    pub picture: Osculation,
    /// How far the piece reaches from the centroid's point, in m.
    pub extent: f64,
    /// The axis of the cone of normals and its half-angle in rad.
    pub axis: Vec3,
    pub angle: f64,
    /// How far normals turn from the middle one, in rad: an estimate, where the cone is wider.
    pub turn: f64,
    /// A lower bound of both principal curvatures, in 1/m.
    pub least: f64,
    /// How much the shape operator differs from that at the centroid, in 1/m.
    pub variation: f64,
    /// Whether hull, sphere and cone are proved.
    pub proved: bool,
}

/// The middle of a triangle of parameters.
pub(super) fn centroid(cell: &Cell) -> Place {
    place(cell, &SAMPLES[0])
}

fn place(cell: &Cell, weights: &[f64; 3]) -> Place {
    let [a, b, c] = &cell.corners;
    let w = a * weights[0] + b * weights[1] + c * weights[2];
    Place { chart: cell.chart, u: w.x, v: w.y }
}

/// The corners from the centroid.
fn arms(cell: &Cell) -> [Vec2; 3] {
    let [a, b, c] = &cell.corners;
    let middle = (a + b + c) / 3.0;
    [a - middle, b - middle, c - middle]
}

fn first(jet: &ParametricJet, a: &Vec2) -> Vec3 {
    jet.du * a.x + jet.dv * a.y
}

fn second(jet: &ParametricJet, a: &Vec2, b: &Vec2) -> Vec3 {
    jet.duu * (a.x * b.x) + jet.duv * (a.x * b.y + a.y * b.x) + jet.dvv * (a.y * b.y)
}

fn third(jet: &ParametricJet, a: &Vec2, b: &Vec2, c: &Vec2) -> Vec3 {
    let uuv = a.x * b.x * c.y + a.x * b.y * c.x + a.y * b.x * c.x;
    let uvv = a.x * b.y * c.y + a.y * b.x * c.y + a.y * b.y * c.x;
    jet.duuu * (a.x * b.x * c.x) + jet.duuv * uuv + jet.duvv * uvv + jet.dvvv * (a.y * b.y * c.y)
}

/// ⅙ max |x‴(w_i, w_j, w_k)|.
fn remainder(jet: &ParametricJet, w: &[Vec2; 3]) -> f64 {
    let mut most: f64 = 0.0;
    for i in 0..3 {
        for j in i..3 {
            for k in j..3 {
                most = most.max(third(jet, &w[i], &w[j], &w[k]).norm());
            }
        }
    }
    most / 6.0
}

impl Piece {
    /// The piece over a cell with the jet at its centroid and a known slack.
    fn new(cell: Cell, jet: &ParametricJet, slack: f64) -> Self {
        let w = arms(&cell);
        let reach = w.map(|w| first(jet, &w));
        let control = PAIRS.map(|[i, j]| jet.p + (reach[i] + reach[j] + second(jet, &w[i], &w[j])) * 0.5);
        // A few roundings of the control points.
        let slack = slack + 16.0 * f64::EPSILON * control.iter().map(|b| b.norm()).fold(0.0, f64::max);
        Self { cell, p: jet.p, control, slack, rough: false, enclosed: false }
    }

    /// The piece over a cell within what is proved of it.
    fn within(cell: Cell, jet: &ParametricJet, hull: &Hull) -> Self {
        match *hull {
            Hull::Taylor(rest) => Self::new(cell, jet, rest),
            Hull::Points { control, slack } => {
                Self { cell, p: jet.p, control, slack, rough: false, enclosed: true }
            }
        }
    }

    /// max e·x over the piece, for a unit vector e.
    pub fn farthest(&self, e: &Vec3) -> f64 {
        self.control.iter().map(|b| e.dot(b)).fold(f64::NEG_INFINITY, f64::max) + self.slack
    }

    /// A sphere about the piece, the least of four.
    pub fn sphere(&self) -> (Vec3, f64) {
        let [a, b, c, ..] = &self.control;
        let radius = |m: &Vec3| self.control.iter().map(|b| (b - m).norm()).fold(0.0, f64::max);
        let centres = [(a + b + c) / 3.0, (a + b) * 0.5, (b + c) * 0.5, (c + a) * 0.5];
        let mut best = (centres[0], radius(&centres[0]));
        for m in &centres[1..] {
            let r = radius(m);
            if r < best.1 {
                best = (*m, r);
            }
        }
        (best.0, best.1 + self.slack)
    }

    /// A unit normal of the flat triangle; zero for rough pieces.
    pub fn flat_normal(&self) -> Vec3 {
        let [a, b, c, ..] = &self.control;
        (b - a).cross(&(c - a)).try_normalize(0.0).unwrap_or_else(Vec3::zeros)
    }

    /// The four halves-as-large pieces that make this one. Their corners are ±½ w_i from their centroids, so that the
    /// bound of the third derivatives gives an eighth of the slack.
    pub fn quarters(&self, atlas: &dyn Atlas) -> Result<[Self; 4]> {
        let [a, b, c] = self.cell.corners;
        let (ab, bc, ca) = ((a + b) * 0.5, (b + c) * 0.5, (c + a) * 0.5);
        let mut out = [*self; 4];
        for (slot, corners) in out.iter_mut().zip([[a, ab, ca], [ab, b, bc], [ca, bc, c], [bc, ca, ab]]) {
            let cell = Cell { corners, ..self.cell };
            let known = if self.enclosed { atlas.enclosure(&cell) } else { None };
            *slot = match known {
                Some(known) => Self::within(cell, &atlas.jet(&centroid(&cell))?, &known.hull),
                None if self.rough || self.enclosed => Leaf::survey(atlas, cell)?.piece,
                None => Self::new(cell, &atlas.jet(&centroid(&cell))?, self.slack / 8.0),
            };
        }
        Ok(out)
    }
}

impl Leaf {
    /// Looks at the surface over a cell.
    pub fn survey(atlas: &dyn Atlas, cell: Cell) -> Result<Self> {
        let w = arms(&cell);
        let mut jets = [atlas.jet(&centroid(&cell))?; SAMPLES.len()];
        for (slot, weights) in jets.iter_mut().zip(SAMPLES).skip(1) {
            *slot = atlas.jet(&place(&cell, &weights))?;
        }
        let mut pictures = [Osculation::of(&jets[0])?; SAMPLES.len()];
        for (slot, jet) in pictures.iter_mut().zip(&jets).skip(1) {
            *slot = Osculation::of(jet)?;
        }
        let mut thirds = jets.map(|jet| remainder(&jet, &w));
        thirds.sort_by(f64::total_cmp);
        let [.., most] = thirds;
        let enclosure = atlas.enclosure(&cell);
        let hull = enclosure.map_or(Hull::Taylor(THIRD * most), |known| known.hull);
        let mut piece = Piece::within(cell, &jets[0], &hull);
        let slack = piece.slack;
        let apart = |q: &Vec3| (q - piece.p).norm();
        let seen = jets.iter().map(|jet| apart(&jet.p)).fold(0.0, f64::max);
        let mut extent = piece.control.iter().map(apart).fold(0.0, f64::max) + slack;
        let singular = most > SINGULAR * thirds[SAMPLES.len() / 2] && slack > SMOOTH * seen;
        if enclosure.is_none() && (singular || !(slack <= ROUGHNESS * seen)) {
            extent = ROUGH * seen;
            piece = Piece { control: [piece.p; 6], slack: extent, rough: true, ..piece };
        }
        let mean = pictures.iter().map(|o| o.n).sum::<Vec3>().normalize();
        let turn = CONE * pictures.iter().map(|o| mean.angle(&o.n)).fold(0.0, f64::max);
        let (axis, angle) = enclosure.map_or((mean, turn), |known| (known.axis, known.angle));
        let least = pictures.iter().map(|o| eigen2(o.s, None)[1]).fold(f64::INFINITY, f64::min);
        let shape = pictures[0].shape();
        let variation = pictures.iter().map(|o| (o.shape() - shape).norm()).fold(0.0, f64::max);
        Ok(Self {
            piece,
            picture: pictures[0],
            extent,
            axis,
            angle,
            turn: turn.min(angle),
            least: if least > 0.0 { least / SHAPE } else { least * SHAPE },
            variation: SHAPE * variation,
            proved: enclosure.is_some(),
        })
    }

    pub fn place(&self) -> Place {
        centroid(&self.piece.cell)
    }

    /// The cell in two halves, cut through the side along which the surface is longest in units of `length` and turns
    /// most in units of `angle`, both together.
    pub fn halves(&self, atlas: &dyn Atlas, length: f64, angle: f64) -> Result<[Cell; 2]> {
        let corners = self.piece.cell.corners;
        let jet = atlas.jet(&self.place())?;
        let shape = self.picture.shape();
        let weight = |k: usize| {
            let way = first(&jet, &(corners[(k + 1) % 3] - corners[k]));
            (way.norm() / length).powi(2) + ((shape * way).norm() / angle).powi(2)
        };
        let weights = [weight(0), weight(1), weight(2)];
        let mut k = 0;
        for i in 1..3 {
            if weights[i] > weights[k] {
                k = i;
            }
        }
        let [a, b, c] = [corners[k], corners[(k + 1) % 3], corners[(k + 2) % 3]];
        let middle = (a + b) * 0.5;
        Ok([[a, middle, c], [middle, b, c]].map(|corners| Cell { corners, ..self.piece.cell }))
    }
}
