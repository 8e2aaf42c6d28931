//! Strokes on pixels: discs, arrows, lines, polygons, with soft edges.

use super::image::Image;

/// The rim of arrows and discs.
pub(super) const PAPER: [u8; 3] = [255; 3];

/// An arrow between two places, on a light rim.
pub(super) fn draw_arrow(image: &mut Image, [from, to]: [[f64; 2]; 2], unit: f64, colour: [u8; 3]) {
    let d = [to[0] - from[0], to[1] - from[1]];
    let length = d[0].hypot(d[1]);
    if !(length > 1e-9) {
        return;
    }
    let along = [d[0] / length, d[1] / length];
    let head = (13.0 * unit).min(0.6 * length);
    let neck = [to[0] - along[0] * head, to[1] - along[1] * head];
    let half = 0.42 * head;
    let side = |s: f64| [neck[0] - along[1] * half * s, neck[1] + along[0] * half * s];
    let tip = [to, side(1.0), side(-1.0)];
    for (grow, colour) in [(1.3 * unit, PAPER), (0.0, colour)] {
        cover(image, [from, to], half + 2.0 * unit + grow, colour, |p| {
            let shaft = to_segment(p, from, neck) - 2.0 * unit;
            shaft.min(to_triangle(p, &tip)) - grow
        });
    }
}

/// A disc of a radius in pixels.
pub(super) fn disc(image: &mut Image, at: [f64; 2], radius: f64, colour: [u8; 3]) {
    cover(image, [at, at], radius, colour, |p| (p[0] - at[0]).hypot(p[1] - at[1]) - radius);
}

/// A line through places, with round ends; none where a point is not seen.
pub(super) fn polyline(image: &mut Image, places: &[Option<[f64; 2]>], half_width: f64, colour: [u8; 3]) {
    for ends in places.windows(2) {
        let [Some(a), Some(b)] = [ends[0], ends[1]] else { continue };
        cover(image, [a, b], half_width, colour, |p| to_segment(p, a, b) - half_width);
    }
}

/// The inside of a convex polygon, `opacity` of its colour; at least a line of one pixel where it is seen from the
/// side.
pub(super) fn polygon(image: &mut Image, corners: &[[f64; 2]], colour: [u8; 3], opacity: f64) {
    if corners.len() < 3 {
        return;
    }
    let area: f64 = (0..corners.len())
        .map(|k| {
            let (a, b) = (corners[k], corners[(k + 1) % corners.len()]);
            a[0] * b[1] - a[1] * b[0]
        })
        .sum();
    let bound = |k: usize, least: bool| {
        corners.iter().map(|c| c[k]).fold(if least { f64::INFINITY } else { f64::NEG_INFINITY }, |m, x| {
            if least { m.min(x) } else { m.max(x) }
        })
    };
    let ends = [true, false].map(|least| [bound(0, least), bound(1, least)]);
    let inside = |p: [f64; 2]| {
        (0..corners.len()).fold(f64::NEG_INFINITY, |most, k| {
            let (a, b) = (corners[k], corners[(k + 1) % corners.len()]);
            let (x, y) = (b[0] - a[0], b[1] - a[1]);
            let length = x.hypot(y);
            if !(length > 1e-9) {
                return most;
            }
            // To the outer side of the edge, whichever way the corners go round.
            most.max(((p[0] - a[0]) * y - (p[1] - a[1]) * x) / length * area.signum())
        })
    };
    cover_share(image, ends, 1.0, colour, opacity, |p| inside(p) - 0.5);
}

fn cover(
    image: &mut Image,
    ends: [[f64; 2]; 2],
    margin: f64,
    colour: [u8; 3],
    distance: impl Fn([f64; 2]) -> f64,
) {
    cover_share(image, ends, margin, colour, 1.0, distance);
}

/// Lays `opacity` of a colour over all pixels nearer to a box around two points than `margin`, as far as the signed
/// distance in pixels says that they are inside.
fn cover_share(
    image: &mut Image,
    [a, b]: [[f64; 2]; 2],
    margin: f64,
    colour: [u8; 3],
    opacity: f64,
    distance: impl Fn([f64; 2]) -> f64,
) {
    let size = [image.width, image.height];
    let range = |k: usize| {
        let low = (a[k].min(b[k]) - margin - 1.0).max(0.0);
        let high = (a[k].max(b[k]) + margin + 1.0).min(f64::from(size[k]));
        low as u32..high.max(0.0) as u32
    };
    for y in range(1) {
        for x in range(0) {
            let share = (0.5 - distance([f64::from(x) + 0.5, f64::from(y) + 0.5])).clamp(0.0, 1.0);
            if share > 0.0 {
                image.blend(x, y, colour, share * opacity);
            }
        }
    }
}

fn to_segment(p: [f64; 2], a: [f64; 2], b: [f64; 2]) -> f64 {
    let (ab, ap) = ([b[0] - a[0], b[1] - a[1]], [p[0] - a[0], p[1] - a[1]]);
    let square = ab[0] * ab[0] + ab[1] * ab[1];
    let s = if square > 0.0 { ((ap[0] * ab[0] + ap[1] * ab[1]) / square).clamp(0.0, 1.0) } else { 0.0 };
    (ap[0] - s * ab[0]).hypot(ap[1] - s * ab[1])
}

/// The signed distance of a triangle, negative inside.
fn to_triangle(p: [f64; 2], corners: &[[f64; 2]; 3]) -> f64 {
    let mut nearest = f64::INFINITY;
    let mut signs = [false; 3];
    for k in 0..3 {
        let (a, b) = (corners[k], corners[(k + 1) % 3]);
        nearest = nearest.min(to_segment(p, a, b));
        signs[k] = (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0.0;
    }
    if signs[0] == signs[1] && signs[1] == signs[2] { -nearest } else { nearest }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    const INK: [u8; 3] = [32, 32, 36];
    const FORCE: [u8; 3] = [200, 30, 20];

    #[test]
    fn an_arrow_points_where_its_force_does_and_its_head_is_at_the_end() {
        let mut image = Image::filled(200, 100, [0; 3]).unwrap();
        draw_arrow(&mut image, [[20.0, 50.0], [180.0, 50.0]], 1.0, FORCE);
        let height = |x: u32| (0..100).filter(|y| image.pixel(x, *y) == FORCE).count();
        assert!(
            height(100) >= 3 && height(100) <= 5 && height(169) >= 2 * height(100),
            "{} {}",
            height(100),
            height(169)
        );
        assert_eq!((height(10), height(190)), (0, 0));
        assert_eq!(image.pixel(100, 50), FORCE);
        assert_eq!(image.pixel(100, 10), [0; 3]);
    }

    #[test]
    fn marks_far_outside_the_picture_do_no_harm() {
        let mut image = Image::filled(20, 10, [0; 3]).unwrap();
        disc(&mut image, [1e30, -1e30], 5.0, INK);
        draw_arrow(&mut image, [[-1e6, 5.0], [1e6, 5.0]], 1.0, FORCE);
        assert_eq!(image.pixel(10, 5), FORCE);
    }

    #[test]
    fn polygons_cover_their_area_whichever_way_round_and_lines_are_as_wide_as_asked() {
        let mut corners = [[10.0, 10.0], [50.0, 12.0], [45.0, 40.0], [8.0, 35.0]];
        let mut areas = Vec::new();
        for _ in 0..2 {
            let mut image = Image::filled(64, 48, [0; 3]).unwrap();
            polygon(&mut image, &corners, [255; 3], 1.0);
            let sum: u32 = image.pixels.iter().step_by(3).map(|byte| u32::from(*byte)).sum();
            areas.push(f64::from(sum) / 255.0);
            corners.reverse();
        }
        // The shoelace's 1032.5, and half a pixel all around, 131 long.
        assert_eq!(areas[0], areas[1]);
        assert!((areas[0] - 1032.5 - 65.5).abs() < 5.0, "{areas:?}");
        // Seen from the side it is a line; far outside or without a size it does no harm.
        let mut image = Image::filled(64, 48, [0; 3]).unwrap();
        polygon(&mut image, &[[10.0, 20.5], [40.0, 20.5], [20.0, 20.5]], [255; 3], 1.0);
        assert!(image.pixel(20, 20)[0] > 100 && image.pixel(20, 24)[0] == 0);
        polygon(&mut image, &[[1e30, 1e30], [-1e30, 1e30], [0.0, 1e30]], [255; 3], 0.5);
        polygon(&mut image, &[], [255; 3], 0.5);
        let mut image = Image::filled(64, 48, [0; 3]).unwrap();
        polyline(&mut image, &[Some([5.0, 24.0]), Some([60.0, 24.0]), None, Some([5.0, 5.0])], 2.0, [255; 3]);
        let column: u32 = (0..48).map(|y| u32::from(image.pixel(30, y)[0])).sum();
        assert_eq!(column, 4 * 255);
        assert_eq!(image.pixel(5, 5), [0; 3]);
    }
}
