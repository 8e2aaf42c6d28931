//! The potential of an overlap: a depth s whose power is the energy, so that the force is its gradient.
//!
//! The force of a region is F = −∂U/∂pose with U = K sⁿ⁺¹/(n + 1): whatever the bodies do, what it takes on the way in
//! it gives back on the way out. s has to be a function of the poses alone, hence of the overlap Ω = A ∩ B alone. With
//! its volume V, centroid μ and covariance C = ∫(x − μ)(x − μ)ᵀ dV/V, the area vector S = ∫ n dA over the part of A's
//! surface inside B and n̂ = S/∣S∣,
//!
//!   s² = 12/(n̂ᵀ C⁻¹ n̂)
//!
//! is the squared thickness of the slab that is as spread along the contact's normal as Ω: twelve times the variance of
//! the height that is left when the best plane across Ω is taken off. A slab of thickness δ has s = δ, whatever its
//! outline; a wedge that is δ deep at its edge between δ/√2, where one of its faces is steep, and √(2/3) δ, where both
//! are alike; a cone, a pyramid or any corner of depth δ 3δ/√20; the cap of a ball √(2/3) δ. s is in proportion to δ
//! in all of them, so that a law of restitution keeps its meaning.
//!
//! With ŷ = C⁻¹n̂/(n̂ᵀC⁻¹n̂), the height z = ŷ·(x − μ), b = ŷ − n̂ and A's material moving by δu(x) against B, Ω grows
//! by n·δu on the part of A's surface inside B, and S changes on the contour, where faces of A and B with the normals
//! n_A and n_B meet at the angle φ (B's part inside A has the area vector −S):
//!
//!   ds = 6/(s V) ∫ (z² − s²/12) n·δu dA + s/∣S∣ Σ (b·n_B)/sin φ ∫ n_A·δu dl
//!
//! The second sum is small where Ω is flat: b vanishes for a slab. Surfaces are triangles on which z and δu are
//! linear, so that all integrals are closed forms. Where S is all but lost against the areas that it is the sum of, as
//! that of a rod through a plate, the contact has no normal and the overlap no potential.

use rattleback_geom::{Mat3, Vec3};

/// A part of the surface of one body inside the other: a triangle in one of its faces, of signed area, since parts of
/// faces are put together from triangles with one corner in common.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece {
    /// 0 for A, 1 for B.
    pub body: u8,
    /// The outward normal of the face.
    pub normal: Vec3,
    pub corners: [Vec3; 3],
}

/// A straight part of the contour, in a face of A and one of B.
#[derive(Debug, Clone, Copy)]
pub(super) struct Border {
    pub ends: [Vec3; 2],
    /// The outward normals of both faces.
    pub normals: [Vec3; 2],
}

/// The depth of an overlap that is a function of the poses alone, and its derivative.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RegionPotential {
    /// s in m.
    pub depth: f64,
    /// By how much it grows as A is moved against B.
    pub force: Vec3,
    /// By how much it grows as A is turned against B about the region's point, in m.
    pub moment: Vec3,
}

/// The least ∣S∣ as a share of the areas that it is the sum of: that of a cone of 6° half angle.
const FACING: f64 = 0.1;
/// The least cosine of the gradient and the contact's normal, and the greatest stretch: an overlap beyond them does not
/// grow as the bodies are pressed together.
const ALONG: f64 = 0.1;
const STRETCH: f64 = 10.0;
/// sin²φ below which faces count as one plane: there is no rounding in what is left of the contour's motion above it.
const COPLANAR: f64 = 1e-14;

impl RegionPotential {
    /// That of an overlap with the area vector S, from the surfaces and the contour that bound it; the moment is about
    /// `origin`, which is near the overlap. None where it has no normal or no volume.
    pub(super) fn new(
        origin: &Vec3,
        area: &Vec3,
        pieces: impl Iterator<Item = Piece> + Clone,
        borders: impl Iterator<Item = Border>,
    ) -> Option<Self> {
        let strength = area.norm();
        let normal = area.try_normalize(f64::MIN_POSITIVE)?;
        let (t, u) = rattleback_geom::curvature::tangents(&normal);
        let axes = Mat3::from_columns(&[t, u, normal]);
        let frame = Frame { origin: *origin, axes };
        let slab = Slab::new(pieces.clone().map(|piece| frame.piece(&piece)))?;
        if !(strength >= FACING * slab.areas[0].max(slab.areas[1])) {
            return None;
        }
        let (mut force, mut moment) = (Vec3::zeros(), Vec3::zeros());
        for piece in pieces.filter(|piece| piece.body == 0) {
            let (Piece { normal, corners, .. }, area) = frame.piece(&piece);
            let (once, first) = slab.flux(&corners, area);
            force += normal * once;
            moment += first.cross(&normal);
        }
        for Border { ends, normals } in borders {
            let [n_a, n_b] = normals.map(|n| axes.tr_mul(&n));
            let [p, q] = ends.map(|x| frame.point(&x));
            let sine = n_a.cross(&n_b).norm();
            let share = (slab.tilt.dot(&n_b) - n_b.z) * sine / (sine * sine + COPLANAR);
            let grown = n_a * (slab.s / strength * share * (q - p).norm());
            force += grown;
            moment += ((p + q) * 0.5).cross(&grown);
        }
        let stretch = force.norm();
        let sound =
            stretch <= STRETCH && force.z >= ALONG * stretch && stretch > 0.0 && moment.sum().is_finite();
        sound.then(|| Self { depth: slab.s, force: axes * force, moment: axes * moment })
    }

    /// ∣∂s/∂x∣: how much faster s grows than the bodies approach.
    pub fn stretch(&self) -> f64 {
        self.force.norm()
    }

    /// The same with the moment about another point, which is `way` from the one that it was about.
    #[must_use]
    pub(super) fn moved(self, way: &Vec3) -> Self {
        Self { moment: self.moment - way.cross(&self.force), ..self }
    }

    /// The same in turned axes.
    #[must_use]
    pub(super) fn turned(self, turn: impl Fn(&Vec3) -> Vec3) -> Self {
        Self { force: turn(&self.force), moment: turn(&self.moment), ..self }
    }

    /// The same with A and B exchanged.
    #[must_use]
    pub(super) fn swapped(self) -> Self {
        Self { force: -self.force, moment: -self.moment, ..self }
    }
}

/// Axes about a point near the overlap whose third is the contact's normal: heights are small numbers there, and none
/// is the difference of large ones.
struct Frame {
    origin: Vec3,
    axes: Mat3,
}

impl Frame {
    fn point(&self, x: &Vec3) -> Vec3 {
        self.axes.tr_mul(&(x - self.origin))
    }

    /// A piece, and its signed area.
    fn piece(&self, piece: &Piece) -> (Piece, f64) {
        let corners = piece.corners.map(|x| self.point(&x));
        let piece = Piece { normal: self.axes.tr_mul(&piece.normal), corners, ..*piece };
        let [o, p, q] = piece.corners;
        (piece, 0.5 * piece.normal.dot(&(p - o).cross(&(q - o))))
    }
}

/// The slab that an overlap is as spread as.
struct Slab {
    s: f64,
    /// ŷ.
    tilt: Vec3,
    centre: Vec3,
    volume: f64,
    /// The areas of the parts of both surfaces.
    areas: [f64; 2],
}

impl Slab {
    /// From ∫x·n dA = 3V, ∫xᵢ x·n dA = 4∫xᵢ dV, ∫xᵢxⱼ x·n dA = 5∫xᵢxⱼ dV.
    fn new(pieces: impl Iterator<Item = (Piece, f64)>) -> Option<Self> {
        let (mut volume, mut first, mut second) = (0.0, Vec3::zeros(), Mat3::zeros());
        let mut areas = [0.0; 2];
        for (Piece { body, normal, corners }, area) in pieces {
            areas[usize::from(body)] += area.abs();
            let weight = normal.dot(&corners[0]) * area;
            let sum = corners[0] + corners[1] + corners[2];
            volume += weight / 3.0;
            first += sum * (weight / 12.0);
            let squares = corners.iter().map(|x| x * x.transpose()).sum::<Mat3>() + sum * sum.transpose();
            second += squares * (weight / 60.0);
        }
        let centre = first / volume;
        let c = second / volume - centre * centre.transpose();
        // C⁻¹n̂ is the last column of the adjoint; what is left of C₃₃ is det C over the minor.
        let minor = c[(0, 0)] * c[(1, 1)] - c[(0, 1)] * c[(0, 1)];
        let x = c[(0, 1)] * c[(1, 2)] - c[(0, 2)] * c[(1, 1)];
        let y = c[(0, 1)] * c[(0, 2)] - c[(0, 0)] * c[(1, 2)];
        let tilt = Vec3::new(x / minor, y / minor, 1.0);
        let square = 12.0 * (c[(2, 2)] + c[(2, 0)] * tilt.x + c[(2, 1)] * tilt.y);
        let sound = volume > 0.0 && minor > 0.0 && square > 0.0 && square.is_finite();
        sound.then(|| Self { s: square.sqrt(), tilt, centre, volume, areas })
    }

    /// 6/(s V) ∫ (z² − s²/12) dA and 6/(s V) ∫ (z² − s²/12) x dA over a triangle.
    fn flux(&self, corners: &[Vec3; 3], area: f64) -> (f64, Vec3) {
        let z = corners.map(|x| self.tilt.dot(&(x - self.centre)));
        let level = self.s * self.s / 12.0;
        let squares: f64 = (0..3).map(|i| z[i] * (z[i] + z[(i + 1) % 3])).sum();
        let mut first = Vec3::zeros();
        for i in 0..3 {
            let [own, next, last] = [z[i], z[(i + 1) % 3], z[(i + 2) % 3]];
            let others = next * next + last * last + next * last;
            let of_corner = (3.0 * own * own + 2.0 * own * (next + last) + others) / 30.0 - level / 3.0;
            first += corners[i] * of_corner;
        }
        let factor = 6.0 * area / (self.s * self.volume);
        (factor * (squares / 6.0 - level), first * factor)
    }
}
