//! The joints of two frames: origin p, axes x, y, z of each; d = p_b − p_a.
//!
//! | joint | Φ | removes |
//! |---|---|---|
//! | fixed | d, x_a·y_b, y_a·z_b, z_a·x_b | 6 |
//! | spherical | d | 3 |
//! | revolute | d, x_a·z_b, y_a·z_b | 5 |
//! | universal | d, x_a·y_b | 4 |
//! | cylindrical | x_a·d, y_a·d, x_a·z_b, y_a·z_b | 4 |
//! | prismatic | those of the cylindrical joint, x_a·y_b | 5 |
//! | planar | z_a·d, x_a·z_b, y_a·z_b | 3 |
//! | distance | (d·d − l²)/(2l) | 1 |
//!
//! A dot product that vanishes allows an axis and its opposite: which one it is, the position at the start decides.

use super::form::{Form, Quadratic};
use super::row::Row;
use super::{JointFrame, JointKind};

/// The frames of a joint as linear forms.
struct Frames {
    d: Form,
    a: [Form; 3],
    b: [Form; 3],
}

/// The equations of a joint of two frames, none for the kinds that need other coordinates.
pub(super) fn rows(kind: &JointKind, a: &JointFrame, b: &JointFrame, at: [usize; 2]) -> Vec<Row> {
    let d = b.point(at[1]).minus(&a.point(at[0]));
    let f = Frames { d, a: a.axes(at[0]), b: b.axes(at[1]) };
    let rows = match *kind {
        JointKind::Fixed => join(f.together(), vec![f.across(0, 1), f.across(1, 2), f.across(2, 0)]),
        JointKind::Spherical => f.together(),
        JointKind::Revolute => join(f.together(), f.parallel()),
        JointKind::Universal => join(f.together(), vec![f.across(0, 1)]),
        JointKind::Cylindrical | JointKind::Screw { .. } => join(f.aligned(), f.parallel()),
        JointKind::Prismatic => join(join(f.aligned(), f.parallel()), vec![f.across(0, 1)]),
        JointKind::Planar => join(vec![f.on(2)], f.parallel()),
        JointKind::Distance { length } => {
            vec![Quadratic::dot(&f.d, &f.d, -length * length).scaled(0.5 / length)]
        }
        JointKind::Gear(_) | JointKind::PointOnSurface { .. } => Vec::new(),
    };
    rows.into_iter().map(Row::Quadratic).collect()
}

fn join(mut first: Vec<Quadratic>, second: Vec<Quadratic>) -> Vec<Quadratic> {
    first.extend(second);
    first
}

impl Frames {
    /// d = 0.
    fn together(&self) -> Vec<Quadratic> {
        (0..3).map(|k| Quadratic::component(&self.d, k)).collect()
    }

    /// Axis i of A is orthogonal to axis j of B.
    fn across(&self, i: usize, j: usize) -> Quadratic {
        Quadratic::dot(&self.a[i], &self.b[j], 0.0)
    }

    /// The z axes are parallel.
    fn parallel(&self) -> Vec<Quadratic> {
        vec![self.across(0, 2), self.across(1, 2)]
    }

    /// Axis i of A is orthogonal to d.
    fn on(&self, i: usize) -> Quadratic {
        Quadratic::dot(&self.a[i], &self.d, 0.0)
    }

    /// B's origin is on A's z axis.
    fn aligned(&self) -> Vec<Quadratic> {
        vec![self.on(0), self.on(1)]
    }
}
