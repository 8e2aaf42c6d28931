//! Numbers with their derivatives along N motions, x + Σ ẋ_j ε_j with ε_j ε_k = 0, and vectors of them. With N = 0 they
//! are plain numbers.

use crate::kinematics::Twist;
use rattleback_geom::{Pose, Vec3};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Dual<const N: usize> {
    pub value: f64,
    pub by: [f64; N],
}

impl<const N: usize> Dual<N> {
    pub fn constant(value: f64) -> Self {
        Self { value, by: [0.0; N] }
    }

    /// A function with this value and this slope.
    pub fn map(self, value: f64, slope: f64) -> Self {
        Self { value, by: self.by.map(|by| by * slope) }
    }

    pub fn sqrt(self) -> Self {
        let root = self.value.sqrt();
        self.map(root, if root > 0.0 { 0.5 / root } else { 0.0 })
    }

    pub fn min(self, other: Self) -> Self {
        if other.value < self.value { other } else { self }
    }

    pub fn max(self, other: Self) -> Self {
        if other.value > self.value { other } else { self }
    }
}

impl<const N: usize> Add for Dual<N> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { value: self.value + other.value, by: std::array::from_fn(|j| self.by[j] + other.by[j]) }
    }
}

impl<const N: usize> Sub for Dual<N> {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl<const N: usize> Neg for Dual<N> {
    type Output = Self;
    fn neg(self) -> Self {
        self.map(-self.value, -1.0)
    }
}

#[expect(clippy::suspicious_arithmetic_impl, reason = "the rule of products and quotients")]
impl<const N: usize> Mul for Dual<N> {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let by = std::array::from_fn(|j| self.by[j] * other.value + self.value * other.by[j]);
        Self { value: self.value * other.value, by }
    }
}

impl<const N: usize> Mul<f64> for Dual<N> {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        self.map(self.value * factor, factor)
    }
}

#[expect(clippy::suspicious_arithmetic_impl, reason = "the rule of products and quotients")]
impl<const N: usize> Div for Dual<N> {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        let value = self.value / other.value;
        Self { value, by: std::array::from_fn(|j| (self.by[j] - value * other.by[j]) / other.value) }
    }
}

/// A vector.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Vector<const N: usize>(pub [Dual<N>; 3]);

impl<const N: usize> Vector<N> {
    /// A vector and how it changes along each motion.
    pub fn new(value: &Vec3, by: impl Fn(usize) -> Vec3) -> Self {
        let by: [Vec3; N] = std::array::from_fn(by);
        Self([0, 1, 2].map(|i| Dual { value: value[i], by: by.map(|by| by[i]) }))
    }

    pub fn value(&self) -> Vec3 {
        Vec3::from_fn(|i, _| self.0[i].value)
    }

    pub fn dot(&self, other: &Self) -> Dual<N> {
        self.0[0] * other.0[0] + self.0[1] * other.0[1] + self.0[2] * other.0[2]
    }

    pub fn cross(&self, other: &Self) -> Self {
        let [a, b] = [&self.0, &other.0];
        Self([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])
    }

    pub fn scaled(&self, factor: Dual<N>) -> Self {
        Self(self.0.map(|x| x * factor))
    }

    pub fn normalized(&self) -> Self {
        let length = self.dot(self).sqrt();
        Self(self.0.map(|x| x / length))
    }
}

impl<const N: usize> Add for Vector<N> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self([0, 1, 2].map(|i| self.0[i] + other.0[i]))
    }
}

impl<const N: usize> Sub for Vector<N> {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self([0, 1, 2].map(|i| self.0[i] - other.0[i]))
    }
}

impl<const N: usize> Mul<f64> for Vector<N> {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        Self(self.0.map(|x| x * factor))
    }
}

/// A body's frame and its N motions, its position counted from a point that stays where it is.
pub(super) struct Frame<'a, const N: usize> {
    pub pose: &'a Pose,
    pub from: Vec3,
    pub motions: [Twist; N],
}

impl<const N: usize> Frame<'_, N> {
    /// A direction of the body.
    pub fn vector(&self, local: &Vec3) -> Vector<N> {
        let world = self.pose.vector_to_world(local);
        Vector::new(&world, |j| self.motions[j].angular_velocity.cross(&world))
    }

    /// A point of the body.
    pub fn point(&self, local: &Vec3) -> Vector<N> {
        let arm = self.pose.vector_to_world(local);
        Vector::new(&(self.pose.position - self.from + arm), |j| self.motions[j].at(&arm))
    }
}
