//! Colours as amounts of light, and how they become bytes.
//!
//! Light adds up, bytes do not: they hold its gamma-compressed value (IEC 61966-2-1). Shading and averaging happen in
//! amounts of light, with one for white.

use rattleback_geom::Vec3;
use std::sync::LazyLock;

/// Red, green and blue light.
pub(super) type Light = Vec3;

/// Colours that colour-blind readers tell apart too (Tol, "Colour schemes", technical note SRON/EPS/TN/09-002, bright).
const PALETTE: [[u8; 3]; 6] =
    [[68, 119, 170], [238, 102, 119], [34, 136, 51], [204, 187, 68], [102, 204, 238], [170, 51, 119]];
/// What does not move by forces.
const NEUTRAL: [u8; 3] = [150, 154, 160];

/// The colour of the free body number `k` among the free ones.
pub(super) fn of_body(k: usize) -> [u8; 3] {
    PALETTE[k % PALETTE.len()]
}

/// The colour of what forces do not move.
pub(super) fn neutral() -> [u8; 3] {
    NEUTRAL
}

/// The light of a colour.
pub(super) fn to_light(colour: [u8; 3]) -> Light {
    Light::from(colour.map(|byte| amount(f64::from(byte) / 255.0)))
}

/// The amount of light of a compressed value.
fn amount(s: f64) -> f64 {
    if s <= 0.04045 { s / 12.92 } else { ((s + 0.055) / 1.055).powf(2.4) }
}

/// The amounts of light half-way between bytes: what is above so many of them has that byte.
static BETWEEN_BYTES: LazyLock<[f64; 255]> =
    LazyLock::new(|| std::array::from_fn(|k| amount((k as f64 + 0.5) / 255.0)));

/// The colour of light; what is brighter than white is white.
pub(super) fn to_bytes(light: &Light) -> [u8; 3] {
    let between = &*BETWEEN_BYTES;
    let one = |x: f64| between.partition_point(|least| *least <= x) as u8;
    [one(light.x), one(light.y), one(light.z)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_survives_as_light() {
        for byte in 0..=255u8 {
            let colour = [byte, 255 - byte, byte / 2];
            assert_eq!(to_bytes(&to_light(colour)), colour);
        }
    }
}
