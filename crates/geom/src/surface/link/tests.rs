use super::*;
use crate::surface::{Cylinder, HalfTorus, Torus};
use crate::{Pose, nalgebra::UnitQuaternion};
use std::f64::consts::FRAC_PI_2;

#[test]
fn without_straight_parts_it_is_a_torus() {
    let (link, torus) = (Link::new(0.2, 0.7, 0.0).unwrap(), Torus::new(0.7, 0.2).unwrap());
    let turn = UnitQuaternion::from_axis_angle(&Vec3::y_axis(), FRAC_PI_2);
    let turned = torus.moments().unwrap().moved(&Pose::new(Vec3::zeros(), turn));
    let own = link.moments().unwrap();
    assert!((own.volume - turned.volume).abs() < 1e-15 && (own.second - turned.second).norm() < 1e-15);
    assert!((link.area().unwrap() - torus.area().unwrap()).abs() < 1e-14);
    for p in [Vec3::new(0.1, 0.5, 0.6), Vec3::new(0.0, 0.9, 0.0), Vec3::new(-0.1, -0.3, 0.5)] {
        let q = turn.inverse() * p;
        assert!((link.value(&p) - torus.value(&q)).abs() < 1e-13);
        assert!((link.gradient(&p) - turn * torus.gradient(&q)).norm() < 1e-13);
        assert_eq!(link.tessellate(0.01).unwrap().triangles().len() % 8, 0);
    }
}

#[test]
fn moments_are_those_of_two_cylinders_and_two_half_tori() {
    let (r, radius, h) = (0.3, 0.8, 1.1);
    let own = Link::new(r, radius, h).unwrap().moments().unwrap();
    let bar = Cylinder::new(r, h).unwrap().moments().unwrap();
    let bend = HalfTorus::new(radius, r).unwrap().moments().unwrap();
    let at = |y: f64| Pose::from_position(0.0, y, 0.0);
    // The half torus lies about z with y ≥ 0: z to x, y to z.
    let up =
        UnitQuaternion::from_axis_angle(&nalgebra::Unit::new_normalize(Vec3::new(1.0, 1.0, 1.0)), TAU / 3.0);
    let down = UnitQuaternion::from_axis_angle(&Vec3::x_axis(), PI) * up;
    let sum = [bar.moved(&at(radius)), bar.moved(&at(-radius))]
        .into_iter()
        .chain([(h, up), (-h, down)].map(|(z, turn)| bend.moved(&Pose::new(Vec3::z() * z, turn))))
        .fold(Moments::zero(), |sum, part| sum.plus(&part));
    assert!((own.volume - sum.volume).abs() < 1e-13);
    assert!(
        sum.first.norm() < 1e-13 && (own.second - sum.second).norm() < 1e-12,
        "{} {}",
        own.second,
        sum.second
    );
}

#[test]
fn curvature_is_known_on_bars_and_bends() {
    let link = Link::new(1.0, 3.0, 2.0).unwrap();
    let at = |x: f64, y: f64, z: f64| link.curvature_at(&Vec3::new(x, y, z)).unwrap().kappa;
    assert_eq!(at(0.0, 4.0, 1.0), [1.0, 0.0]);
    assert_eq!(at(0.0, -2.0, 2.0), [1.0, 0.0]);
    assert_eq!(at(0.0, 0.0, 6.0), [1.0, 0.25]);
    assert_eq!(at(0.0, 0.0, -4.0), [1.0, -0.5]);
    let along = |n: Vec3| link.curvature_at_normal(&n).unwrap().kappa;
    assert_eq!(along(Vec3::y()), [1.0, 0.0]);
    assert_eq!(along(-Vec3::z()), [1.0, 0.25]);
    assert_eq!(along(Vec3::x()), [1.0, 0.0]);
    assert!(link.curvature_at(&Vec3::new(1.0, 0.0, 1.0)).is_err());
    assert!(link.curvature_at(&Vec3::new(0.0, 3.0, 0.0)).is_err());
    assert!(link.hessian(&Vec3::zeros()).iter().all(|x| x.is_finite()));
}

#[test]
fn outer_dimensions_make_the_same_link_and_bad_ones_are_refused_by_name() {
    let link = Link::from_outer(0.06, 0.36, 0.216).unwrap();
    assert!((link.bar_radius() - 0.03).abs() < 1e-16 && (link.length() - 0.36).abs() < 1e-15);
    assert!((link.bounds().max - Vec3::new(0.03, 0.108, 0.18)).norm() < 1e-15);
    let says = |made: Result<Link>, text: &str| assert_eq!(made.unwrap_err().to_string(), text);
    says(Link::from_outer(0.1, 0.5, 0.2), "width = 0.2: must be above twice bar_diameter = 0.1");
    says(Link::from_outer(0.1, 0.3, 0.4), "length = 0.3: must be width = 0.4 or above");
    says(Link::new(0.5, 0.5, 1.0), "bar_radius = 0.5: must be below bend_radius = 0.5");
    says(Link::new(0.1, 0.5, -1.0), "half_straight = -1: must be a finite number, zero or above");
    assert!(Link::new(f64::NAN, 0.5, 1.0).is_err() && Link::new(0.1, 0.5, f64::NAN).is_err());
}

#[test]
fn no_point_is_farther_than_the_farthest() {
    let link = Link::new(0.2, 0.5, 0.7).unwrap();
    let mesh = link.tessellate(1e-3).unwrap();
    for d in [Vec3::new(0.3, -0.5, 0.4), Vec3::x(), -Vec3::y(), Vec3::new(0.2, 0.1, -2.0)] {
        let p = link.farthest(&d);
        assert!(link.value(&p).abs() < 1e-14);
        let most = mesh.vertices().iter().map(|q| d.dot(q)).fold(f64::NEG_INFINITY, f64::max);
        assert!(d.dot(&p) >= most - 1e-14 && d.dot(&p) < most + 2e-3 * d.norm(), "{d}");
    }
}
