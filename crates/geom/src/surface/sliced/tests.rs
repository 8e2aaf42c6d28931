use crate::Vec3;
use crate::surface::{HalfTorus, Implicit, Link, Quadric, Sheet, Superhyperboloid, Surface, Torus};

fn solids() -> Vec<Box<dyn Surface>> {
    let waist = Superhyperboloid::one_sheet([0.4, 0.6, 0.5], [1.4, 5.0], 0.9).unwrap();
    let bowl = Superhyperboloid::two_sheets([0.4, 0.6, 0.5], [3.0, 1.6], Sheet::Lower, 0.9).unwrap();
    vec![
        Box::new(Torus::new(1.0, 0.3).unwrap()),
        Box::new(HalfTorus::new(1.0, 0.6).unwrap()),
        Box::new(Link::new(0.1, 0.3, 0.5).unwrap()),
        Box::new(Link::new(0.1, 0.3, 0.0).unwrap()),
        Box::new(Quadric::hyperboloid_one_sheet([0.5, 0.6, 0.3], 1.0).unwrap()),
        Box::new(Quadric::hyperboloid_two_sheets([0.8, 0.7, 0.5], Sheet::Upper, 1.2).unwrap()),
        Box::new(Quadric::elliptic_paraboloid([0.8, 0.9, 1.0], 0.5).unwrap()),
        Box::new(Quadric::hyperbolic_paraboloid([1.0, 1.1, 1.0], [0.8, 0.7], 0.5).unwrap()),
        Box::new(waist),
        Box::new(bowl),
    ]
}

/// Numbers from 0 to 1 that fill a box evenly: fractions of multiples of irrational ones.
fn spread(k: usize) -> [f64; 6] {
    [0.754_877, 0.569_840, 0.430_160, 0.324_717, 0.245_122, 0.185_037].map(|step| (k as f64 * step).fract())
}

#[test]
fn no_point_of_a_part_reaches_farther_than_its_farthest_point() {
    for solid in solids() {
        let (slices, bounds) = (solid.as_sliced().unwrap(), solid.bounds());
        let [first, last] = slices.range();
        let points: Vec<(Vec3, f64)> = (0..4000)
            .map(|k| {
                let [x, y, z, ..] = spread(k);
                let at = bounds.min + bounds.extents().component_mul(&Vec3::new(x, y, z));
                let p = slices.retract(&at);
                (p, slices.slice_at(&p))
            })
            .collect();
        for k in 0..60 {
            let [a, b, x, y, z, _] = spread(k + 7);
            let ends = [first + (last - first) * a.min(b), first + (last - first) * a.max(b)];
            let part = slices.part(if k == 0 { [first, last] } else { ends });
            let d = if k % 5 == 1 { Vec3::ith(k % 3, 1.0) } else { Vec3::new(x - 0.5, y - 0.5, z - 0.5) };
            let farthest = slices.farthest(&part, &d);
            let inside = (slices.retract(&farthest) - farthest).norm();
            // At the flat vertex of a bowl the radius hangs on the last digit of the height.
            assert!(inside < 1e-12 || farthest.xy().norm() < 0.1, "{}: {inside}", solid.kind());
            let reach = d.dot(&farthest);
            for (p, s) in &points {
                if (part.range[0]..=part.range[1]).contains(s) {
                    assert!(d.dot(p) <= reach + 1e-12, "{}: {p} {d} {part:?}", solid.kind());
                }
            }
        }
    }
}

#[test]
fn what_is_drawn_back_lies_inside_and_what_lies_inside_stays() {
    for solid in solids() {
        let (slices, bounds) = (solid.as_sliced().unwrap(), solid.bounds());
        let f = solid.as_implicit().unwrap();
        let inside = |f: &dyn Implicit, p: &Vec3| f.value(p).max(f.beyond_bounds(p));
        for k in 0..4000 {
            let [x, y, z, ..] = spread(k);
            let at = bounds.min + bounds.extents().component_mul(&Vec3::new(x, y, z));
            let kept = slices.retract(&at);
            assert!(inside(f, &kept) < 1e-9, "{}: {at} to {kept}", solid.kind());
            if inside(f, &at) < -1e-9 {
                assert_eq!(at, kept, "{}", solid.kind());
            }
        }
    }
}
