//! Errata of Kry and Pai 2002. Its text is a scan, so that signs may be lost that were printed.

use super::{Defects, Erratum};
use crate::Result;
use crate::draw::Stream;
use crate::paper::Paper;
use rattleback_geom::{Mat3, Vec3};
use std::f64::consts::TAU;

pub(super) const ALL: &[Erratum] = &[
    Erratum {
        paper: Paper::KryPai,
        equation: "below (7)",
        printed: "the matrix is idempotent, R² = R",
        right: "it is its own inverse, R² = 1",
        measured: "R² − R and R² − 1",
        check: idempotent,
    },
    Erratum {
        paper: Paper::KryPai,
        equation: "(7), as scanned",
        printed: "[cψ sψ 0; sψ cψ 0; 0 0 1]",
        right: "[cψ −sψ 0; −sψ −cψ 0; 0 0 −1]",
        measured: "a rotation that turns the normal round: RᵀR − 1, det R − 1, Rz + z",
        check: alignment,
    },
];

/// The rotation that aligns two contact frames with opposite normals.
fn aligning(psi: f64) -> Mat3 {
    let (s, c) = psi.sin_cos();
    Mat3::new(c, -s, 0.0, -s, -c, 0.0, 0.0, 0.0, -1.0)
}

fn idempotent(draw: &mut Stream) -> Result<Defects> {
    let r = aligning(draw.between(0.0, TAU));
    Ok([(r * r - r).norm(), (r * r - Mat3::identity()).norm()])
}

fn alignment(draw: &mut Stream) -> Result<Defects> {
    let psi = draw.between(0.0, TAU);
    let (s, c) = psi.sin_cos();
    let scanned = Mat3::new(c, s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0);
    Ok([scanned, aligning(psi)].map(|r| {
        let turned = (r * Vec3::z() + Vec3::z()).norm();
        (r.transpose() * r - Mat3::identity()).norm().max((r.determinant() - 1.0).abs()).max(turned)
    }))
}
