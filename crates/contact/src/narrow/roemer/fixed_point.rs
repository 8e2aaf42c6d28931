//! Algorithm III: the next normal runs between estimates of the two centres of curvature.
//!
//! P̄_i is the point of the line P_i + a n_i that is closest to the line of the previous iterate, Q̄_i alike:
//!
//!   P̄_i − P_i = −[(n_i − (n_i·n_{i−1}) n_{i−1})·(P_i − P_{i−1})]/∣n_i × n_{i−1}∣² n_i   (87)
//!   n_{i+1} = (Q̄_i − P̄_i)/∣Q̄_i − P̄_i∣   (88, 89)
//!
//! The first step is half way between n₀ and d/∣d∣ (86). In (87b) the paper's second dot before n_{M,i−1} is a
//! misprint.

use super::{Reading, Reason};
use rattleback_geom::Vec3;

/// The iterate before the present one.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct FixedPoint {
    previous: Option<Reading>,
}

impl FixedPoint {
    /// The normal before the present one.
    pub(super) fn previous(&self) -> Option<Vec3> {
        self.previous.map(|r| r.n)
    }

    pub(super) fn step(&mut self, at: &Reading) -> Result<Vec3, Reason> {
        let towards = match self.previous {
            None => at.n + unit(&at.d())?,
            Some(before) => {
                let cross = at.n.cross(&before.n).norm_squared();
                if cross == 0.0 {
                    return Err(Reason::Stalled);
                }
                let lever = at.n - before.n * at.n.dot(&before.n);
                let along = |x: &Vec3, y: &Vec3| at.n * (-lever.dot(&(x - y)) / cross);
                at.d() - along(&at.p, &before.p) + along(&at.q, &before.q)
            }
        };
        self.previous = Some(*at);
        unit(&towards)
    }
}

fn unit(v: &Vec3) -> Result<Vec3, Reason> {
    let length = v.norm();
    if length > 0.0 && length.is_finite() { Ok(v / length) } else { Err(Reason::NotFinite) }
}
