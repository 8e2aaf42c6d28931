//! The symbols of marks: small filled shapes about a point.

use std::f64::consts::TAU;

/// A symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Symbol {
    /// A point of a curve that stands alone, as wide as a line is, and a little more.
    Dot,
    /// A disc.
    Disc,
    /// A square that stands on a corner.
    Diamond,
    /// A triangle that points up.
    Up,
    /// A square.
    Square,
    /// A triangle that points down.
    Down,
}

impl Symbol {
    /// The symbol of the marks that have so many others before them in a figure.
    pub(super) fn nth(k: usize) -> Self {
        let all = [Self::Disc, Self::Diamond, Self::Up, Self::Square, Self::Down];
        all[k % all.len()]
    }

    /// Its corners about the point, x to the right and y down, in units of which a pixel has `fine`. All symbols have
    /// about the same area.
    pub(super) fn outline(self, fine: u32) -> Vec<(i32, i32)> {
        let (corners, radius, first) = match self {
            Self::Dot => (16, 1.8, 0.0),
            Self::Disc => (24, 3.6, 0.0),
            Self::Diamond => (4, 4.8, 0.0),
            Self::Up => (3, 5.4, -0.25),
            Self::Square => (4, 4.8, 0.125),
            Self::Down => (3, 5.4, 0.25),
        };
        let corner = |k: u32| {
            let (sin, cos) = (TAU * (f64::from(k) / f64::from(corners) + first)).sin_cos();
            let size = radius * f64::from(fine);
            ((size * cos).round() as i32, (size * sin).round() as i32)
        };
        (0..corners).map(corner).collect()
    }
}

#[test]
fn symbols_differ_and_are_about_as_large_as_each_other() {
    let area = |symbol: Symbol| {
        let corners = symbol.outline(8);
        let next = corners.iter().cycle().skip(1);
        let twice: i32 = corners.iter().zip(next).map(|(a, b)| a.0 * b.1 - a.1 * b.0).sum();
        0.5 * f64::from(twice) / 64.0
    };
    let disc = area(Symbol::Disc);
    for k in 0..5 {
        let share = area(Symbol::nth(k)) / disc;
        assert!((0.85..1.25).contains(&share), "{k}: {share}");
        assert!((0..k).all(|j| Symbol::nth(j) != Symbol::nth(k)));
    }
}
