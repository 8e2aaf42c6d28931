//! What is drawn of a list of points: the parts of a curve inside the axes, and the points that nothing joins.

use super::scale::Scale;

/// The parts of a curve inside the axes: cut at the border, broken where a point is not of numbers.
pub(super) fn pieces(points: &[[f64; 2]], x: &Scale, y: &Scale) -> Vec<Vec<(f64, f64)>> {
    let places: Vec<[f64; 2]> = points.iter().map(|p| [x.place(p[0]), y.place(p[1])]).collect();
    let value = |p: [f64; 2]| (x.value(p[0]), y.value(p[1]));
    let mut pieces: Vec<Vec<(f64, f64)>> = Vec::new();
    let mut open = false;
    for pair in places.windows(2) {
        let Some([from, to]) = clipped(pair[0], pair[1]) else {
            open = false;
            continue;
        };
        match pieces.last_mut() {
            Some(piece) if open => piece.push(value(to)),
            _ => pieces.push(vec![value(from), value(to)]),
        }
        open = to == pair[1];
    }
    pieces
}

/// The part of a segment inside the unit square (Liang and Barsky 1984).
fn clipped(a: [f64; 2], b: [f64; 2]) -> Option<[[f64; 2]; 2]> {
    if !a.iter().chain(&b).all(|s| s.is_finite()) {
        return None;
    }
    let (mut start, mut end) = (0.0f64, 1.0f64);
    for k in 0..2 {
        let d = b[k] - a[k];
        for (p, q) in [(-d, a[k]), (d, 1.0 - a[k])] {
            if p == 0.0 && q < 0.0 {
                return None;
            }
            if p < 0.0 {
                start = start.max(q / p);
            } else if p > 0.0 {
                end = end.min(q / p);
            }
        }
    }
    let at = |s: f64| [a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1])];
    (start <= end).then(|| [if start == 0.0 { a } else { at(start) }, if end == 1.0 { b } else { at(end) }])
}

/// The points inside the axes that are joined to no other: those before and after them are not of numbers.
pub(super) fn lone(points: &[[f64; 2]], x: &Scale, y: &Scale) -> Vec<(f64, f64)> {
    let inside = |p: &[f64; 2]| [x.place(p[0]), y.place(p[1])].iter().all(|s| (0.0..=1.0).contains(s));
    (0..points.len())
        .filter(|&k| is_lone(points, k) && inside(&points[k]))
        .map(|k| points[k].into())
        .collect()
}

/// Whether a list has points, all of which stand alone.
pub(super) fn is_scattered(points: &[[f64; 2]]) -> bool {
    let mut numbers = (0..points.len()).filter(|&k| is_number(points, k)).peekable();
    numbers.peek().is_some() && numbers.all(|k| is_lone(points, k))
}

fn is_lone(points: &[[f64; 2]], k: usize) -> bool {
    is_number(points, k) && !is_number(points, k + 1) && (k == 0 || !is_number(points, k - 1))
}

fn is_number(points: &[[f64; 2]], k: usize) -> bool {
    points.get(k).is_some_and(|p| p.iter().all(|s| s.is_finite()))
}
