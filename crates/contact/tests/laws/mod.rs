//! Contact laws: derivatives against differences in every regime, dissipation never negative, bounds kept, energy
//! accounted for, and the tangents of a whole contact against differences of whole queries.

mod friction;
mod newton;
mod normal;
mod scene;
mod tangent;

/// A derivative by differences of sixth order.
fn slope<const N: usize>(h: f64, f: impl Fn(f64) -> [f64; N]) -> [f64; N] {
    let delta = |k: f64| {
        let (above, below) = (f(k * h), f(-k * h));
        std::array::from_fn::<f64, N, _>(|i| above[i] - below[i])
    };
    let (one, two, three) = (delta(1.0), delta(2.0), delta(3.0));
    std::array::from_fn(|i| (45.0 * one[i] - 9.0 * two[i] + three[i]) / (60.0 * h))
}
