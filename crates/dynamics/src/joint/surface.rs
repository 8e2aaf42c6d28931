//! A point of A stays on a surface of B.
//!
//!   Φ = F(x),   x_k = u_k·(p_a − o),   Φ_q = Σ F_k x_k,q,   Φ_qq = Σ F_kl x_k,qᵀ x_l,q + Σ F_k x_k,qq
//!
//! | symbol | here |
//! |---|---|
//! | F | the implicit view of the part's shape, in its own unit |
//! | u_k, o | axes and origin of the part's frame, fixed in B |
//! | x_k | `local`, quadratic in q |

use super::JointFrame;
use super::form::{Form, Quadratic};
use crate::model::Part;
use rattleback_geom::Vec3;
use rattleback_geom::surface::{Implicit, Shape};

/// F(x) = 0.
#[derive(Debug, Clone)]
pub(crate) struct OnSurface {
    shape: Shape,
    local: [Quadratic; 3],
}

/// Two bodies of twelve coordinates.
const COLUMNS: usize = 24;

impl OnSurface {
    /// The origin of `a` on the shape of a part of the other body; nothing if the shape has no implicit view.
    pub(super) fn new(a: &JointFrame, part: &Part, at: [usize; 2]) -> Option<Self> {
        part.shape.surface().as_implicit()?;
        let r = part.pose.rotation();
        let d = a.point(at[0]).minus(&Form::point(at[1], &part.pose.position));
        let local = [0, 1, 2].map(|k| {
            let axis = Form::direction(at[1], &r.column(k).into());
            Quadratic::dot(&axis, &d, 0.0)
        });
        Some(Self { shape: part.shape.clone(), local: Quadratic::aligned(local) })
    }

    /// The implicit view, which [`OnSurface::new`] has seen.
    fn view(&self) -> &dyn Implicit {
        match self.shape.surface().as_implicit() {
            Some(view) => view,
            None => unreachable!("a row is made of shapes with an implicit view alone"),
        }
    }

    fn at(&self, q: &[f64]) -> Vec3 {
        Vec3::from_fn(|k, _| self.local[k].value(q))
    }

    pub(super) fn columns(&self) -> &[usize] {
        self.local[0].columns()
    }

    pub(super) fn value(&self, q: &[f64]) -> f64 {
        self.view().value(&self.at(q))
    }

    pub(super) fn gradient(&self, q: &[f64], out: &mut [f64]) {
        let g = self.view().gradient(&self.at(q));
        for k in 0..3 {
            self.local[k].add_gradient(q, g[k], out);
        }
    }

    pub(super) fn hessian(&self, q: &[f64], add: &mut dyn FnMut(usize, usize, f64)) {
        let x = self.at(q);
        let (g, h) = (self.view().gradient(&x), self.view().hessian(&x));
        let n = self.columns().len();
        let mut rows = [[0.0; COLUMNS]; 3];
        for k in 0..3 {
            self.local[k].add_gradient(q, 1.0, &mut rows[k][..n]);
            self.local[k].second().iter().for_each(|&(i, j, s)| add(i, j, g[k] * s));
        }
        for i in 0..n {
            for j in 0..n {
                let mut sum = 0.0;
                for k in 0..3 {
                    for l in 0..3 {
                        sum += h[(k, l)] * rows[k][i] * rows[l][j];
                    }
                }
                add(i, j, sum);
            }
        }
    }
}
