//! Relative coordinates: the angle and the distance of a joint as unknowns beside the natural ones.
//!
//!   angle:     Φ = sin φ (x_a·x_b) − cos φ (y_a·x_b) = sin(φ − θ),   θ the angle from x_a to x_b about z
//!   distance:  Φ = s − z_a·(p_b − p_a)
//!
//! The two equations cos φ = x_a·x_b and sin φ = y_a·x_b are each singular somewhere; combined as above ∂Φ/∂φ = cos(φ −
//! θ) = 1 at every solution. φ is continuous and so counts full turns; the other root φ = θ + π is never near.
//!
//! | symbol | here |
//! |---|---|
//! | x_a·x_b, y_a·x_b | `cosine`, `sine` |
//! | φ | coordinate number `turn` |

use super::JointFrame;
use super::form::{Form, Quadratic};
use super::row::Row;

/// sin(φ − θ) = 0.
#[derive(Debug, Clone)]
pub(crate) struct Angle {
    columns: Vec<usize>,
    cosine: Quadratic,
    sine: Quadratic,
    turn: usize,
}

impl Angle {
    /// The angle from x of `a` to x of `b` about z as coordinate `turn`; bodies' coordinates start at `at`.
    pub(crate) fn about_z(a: &JointFrame, b: &JointFrame, at: [usize; 2], turn: usize) -> Self {
        let [x, y, _] = a.axes(at[0]);
        let [x_b, ..] = b.axes(at[1]);
        Self::between(&x, &y, &x_b, turn)
    }

    /// The first angle of a universal joint: from y of `a` to y of `b` about x of `a`.
    pub(crate) fn about_x(a: &JointFrame, b: &JointFrame, at: [usize; 2], turn: usize) -> Self {
        let [_, y, z] = a.axes(at[0]);
        let [_, y_b, _] = b.axes(at[1]);
        Self::between(&y, &z, &y_b, turn)
    }

    /// The second angle of a universal joint: from x of `a` to x of `b` about y of `b`.
    pub(crate) fn about_y(a: &JointFrame, b: &JointFrame, at: [usize; 2], turn: usize) -> Self {
        let [x_a, ..] = a.axes(at[0]);
        let [x, _, z] = b.axes(at[1]);
        Self::between(&x, &z, &x_a, turn)
    }

    /// cos θ = u·w, sin θ = v·w.
    fn between(u: &Form, v: &Form, w: &Form, turn: usize) -> Self {
        let [cosine, sine] = Quadratic::aligned([Quadratic::dot(u, w, 0.0), Quadratic::dot(v, w, 0.0)]);
        let mut columns = cosine.columns().to_vec();
        columns.push(turn);
        Self { columns, cosine, sine, turn }
    }

    /// θ in (−π, π].
    pub(crate) fn measure(&self, q: &[f64]) -> f64 {
        libm::atan2(self.sine.value(q), self.cosine.value(q))
    }

    pub(super) fn columns(&self) -> &[usize] {
        &self.columns
    }

    pub(super) fn value(&self, q: &[f64]) -> f64 {
        let (s, c) = libm::sincos(q[self.turn]);
        s * self.cosine.value(q) - c * self.sine.value(q)
    }

    pub(super) fn gradient(&self, q: &[f64], out: &mut [f64]) {
        let (s, c) = libm::sincos(q[self.turn]);
        let last = out.len() - 1;
        self.cosine.add_gradient(q, s, &mut out[..last]);
        self.sine.add_gradient(q, -c, &mut out[..last]);
        out[last] = c * self.cosine.value(q) + s * self.sine.value(q);
    }

    pub(super) fn hessian(&self, q: &[f64], add: &mut dyn FnMut(usize, usize, f64)) {
        let (s, c) = libm::sincos(q[self.turn]);
        let last = self.columns.len() - 1;
        self.cosine.second().iter().for_each(|&(i, j, h)| add(i, j, s * h));
        self.sine.second().iter().for_each(|&(i, j, h)| add(i, j, -c * h));
        // A joint has at most two bodies' vectors here: 18 columns.
        let mut mixed = [0.0; 24];
        self.cosine.add_gradient(q, c, &mut mixed[..last]);
        self.sine.add_gradient(q, s, &mut mixed[..last]);
        for (i, &h) in mixed[..last].iter().enumerate() {
            add(i, last, h);
            add(last, i, h);
        }
        add(last, last, c * self.sine.value(q) - s * self.cosine.value(q));
    }
}

/// s − z_a·(p_b − p_a) with s the coordinate `slide`.
pub(crate) fn distance(a: &JointFrame, b: &JointFrame, at: [usize; 2], slide: usize) -> Row {
    Row::Quadratic(along(a, b, at).scaled(-1.0).plus(slide, 1.0))
}

/// z_a·(p_b − p_a).
pub(crate) fn along(a: &JointFrame, b: &JointFrame, at: [usize; 2]) -> Quadratic {
    let [_, _, z] = a.axes(at[0]);
    let d = b.point(at[1]).minus(&a.point(at[0]));
    Quadratic::dot(&z, &d, 0.0)
}

impl JointFrame {
    /// The frame's origin.
    pub(super) fn point(&self, at: usize) -> Form {
        Form::point(at, &self.pose.position)
    }

    /// The frame's axes.
    pub(super) fn axes(&self, at: usize) -> [Form; 3] {
        let r = self.pose.rotation();
        [0, 1, 2].map(|k| Form::direction(at, &r.column(k).into()))
    }
}
