//! Where a search without a guess begins: pairs of sample points of two surfaces.
//!
//! Two rankings, since neither serves both states: the distance ∣d∣ leads to the closest points of separate bodies,
//! the misfit ∣d × n_A∣ + L∣n_A + n_B∣ to the facing sides of overlapping ones. Each sample of A is paired with its
//! best partner on B and the other way round; of these pairs the best are taken, near repetitions left out.

use rattleback_geom::Vec3;

/// A point of a surface and the outer unit normal there, in world axes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sample {
    pub(crate) point: Vec3,
    pub(crate) normal: Vec3,
}

/// Index pairs, at most `most` by each ranking; `length` is L in m, and pairs both of whose points lie within a
/// quarter of it of a better pair's are left out.
pub(crate) fn pairs(a: &[Sample], b: &[Sample], length: f64, most: usize) -> Vec<[usize; 2]> {
    let distance = |i: usize, j: usize| (b[j].point - a[i].point).norm();
    let misfit = |i: usize, j: usize| {
        let (p, q) = (&a[i], &b[j]);
        (q.point - p.point).cross(&p.normal).norm() + length * (p.normal + q.normal).norm()
    };
    let mut chosen = Vec::new();
    rank(a, b, &distance, length, most, &mut chosen);
    rank(a, b, &misfit, length, most, &mut chosen);
    chosen
}

fn rank(
    a: &[Sample],
    b: &[Sample],
    score: &dyn Fn(usize, usize) -> f64,
    length: f64,
    most: usize,
    chosen: &mut Vec<[usize; 2]>,
) {
    let mut best_a = vec![(f64::INFINITY, [0, 0]); a.len()];
    let mut best_b = vec![(f64::INFINITY, [0, 0]); b.len()];
    for i in 0..a.len() {
        for j in 0..b.len() {
            let s = score(i, j);
            if s < best_a[i].0 {
                best_a[i] = (s, [i, j]);
            }
            if s < best_b[j].0 {
                best_b[j] = (s, [i, j]);
            }
        }
    }
    best_a.append(&mut best_b);
    best_a.retain(|(s, _)| s.is_finite());
    best_a.sort_by(|x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1)));
    let near = |x: &Vec3, y: &Vec3| (x - y).norm() < 0.25 * length;
    let room = chosen.len() + most;
    for (_, [i, j]) in best_a {
        if chosen.len() >= room {
            break;
        }
        let repeated =
            chosen.iter().any(|&[k, l]| near(&a[i].point, &a[k].point) && near(&b[j].point, &b[l].point));
        if !repeated {
            chosen.push([i, j]);
        }
    }
}
