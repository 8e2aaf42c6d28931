//! The contact frame of a surface at a point, and how it moves with the point (Kry and Pai, Continuous contact
//! simulation for smooth surfaces, 2002, (5), (45) to (51)).
//!
//! With c(u, v) the surface, indices for derivatives:
//!
//!   x = c_u/|c_u|,   z = c_u × c_v/|c_u × c_v| (outwards),   y = z × x
//!
//! As the point moves with (u̇, v̇), its velocity is a = N (u̇, v̇) in the axes x, y, and the frame turns with Ω = W
//! (u̇, v̇) in its own axes:
//!
//!   N = [x·c_u  x·c_v; 0  y·c_v],   W = [−y·z_u  −y·z_v; x·z_u  x·z_v; y·x_u  y·x_v]
//!
//! z_u and z_v follow from the second fundamental form: z_u·c_u = −z·c_uu and so on; y·x_u = y·c_uu/|c_u|. The normal
//! turns by ż = K a with the curvature tensor K, positive for a convex body. Rates of N and W take third derivatives:
//! every product e·b of an axis and a derivative changes as (Ω × e)·b + e·ḃ.

use rattleback_geom::nalgebra::{Matrix2, Matrix3x2, Vector2};
use rattleback_geom::surface::ParametricJet;
use rattleback_geom::{Mat3, Vec3};

/// The contact frame of a surface at a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frame {
    /// The point.
    pub point: Vec3,
    /// Columns x, y, z in the axes in which the surface is given.
    pub axes: Mat3,
    /// N: from the rates of the parameters to the velocity of the point along x and y.
    pub stretch: Matrix2<f64>,
    /// W: from the rates of the parameters to the angular velocity of the frame in its own axes.
    pub turn: Matrix3x2<f64>,
}

impl Frame {
    /// The frame of a jet; not finite where the parametrisation is singular.
    pub fn new(jet: &ParametricJet) -> Self {
        let length = jet.du.norm();
        let x = jet.du / length;
        let z = jet.normal().normalize();
        let y = z.cross(&x);
        let stretch = Matrix2::new(length, x.dot(&jet.dv), 0.0, y.dot(&jet.dv));
        let second = Matrix2::new(z.dot(&jet.duu), z.dot(&jet.duv), z.dot(&jet.duv), z.dot(&jet.dvv));
        let normal = normal_rates(&stretch, &second);
        let turn = Matrix3x2::new(
            -normal[(1, 0)],
            -normal[(1, 1)],
            normal[(0, 0)],
            normal[(0, 1)],
            y.dot(&jet.duu) / length,
            y.dot(&jet.duv) / length,
        );
        Self { point: jet.p, axes: Mat3::from_columns(&[x, y, z]), stretch, turn }
    }

    /// The outer normal.
    pub fn normal(&self) -> Vec3 {
        self.axes.column(2).into()
    }

    /// K in the axes x and y.
    pub fn curvature(&self) -> Matrix2<f64> {
        // Rows of W are −y·ż, x·ż; N is upper triangular.
        let [[a, b], [_, d]] =
            [[self.stretch[(0, 0)], self.stretch[(0, 1)]], [self.stretch[(1, 0)], self.stretch[(1, 1)]]];
        let column = |u: f64, v: f64| [u / a, (v - u * b / a) / d];
        let [xx, xy] = column(self.turn[(1, 0)], self.turn[(1, 1)]);
        let [yx, yy] = column(-self.turn[(0, 0)], -self.turn[(0, 1)]);
        let mixed = 0.5 * (xy + yx);
        Matrix2::new(xx, mixed, mixed, yy)
    }

    /// The rates of the parameters at which the point moves with the velocity `a` along x and y.
    pub fn rates(&self, a: &Vector2<f64>) -> Vector2<f64> {
        let v = a.y / self.stretch[(1, 1)];
        Vector2::new((a.x - self.stretch[(0, 1)] * v) / self.stretch[(0, 0)], v)
    }

    /// The rates of `stretch` and `turn` as the parameters change.
    pub fn rate(&self, jet: &ParametricJet, rates: &Vector2<f64>) -> (Matrix2<f64>, Matrix3x2<f64>) {
        let along = |u: &Vec3, v: &Vec3| u * rates.x + v * rates.y;
        let (du, dv) = (along(&jet.duu, &jet.duv), along(&jet.duv, &jet.dvv));
        let duu = along(&jet.duuu, &jet.duuv);
        let duv = along(&jet.duuv, &jet.duvv);
        let dvv = along(&jet.duvv, &jet.dvvv);
        let angular_velocity = self.axes * (self.turn * rates);
        let axis = |k: usize| -> Vec3 { self.axes.column(k).into() };
        // d(e·b)/dt for the axis e and a derivative b with the rate ḃ.
        let product =
            |k: usize, b: &Vec3, rate: &Vec3| angular_velocity.cross(&axis(k)).dot(b) + axis(k).dot(rate);
        let (x, y, z) = (0, 1, 2);
        let length_rate = product(x, &jet.du, &du);
        let stretch = Matrix2::new(length_rate, product(x, &jet.dv, &dv), 0.0, product(y, &jet.dv, &dv));
        let mixed = product(z, &jet.duv, &duv);
        let second = Matrix2::new(product(z, &jet.duu, &duu), mixed, mixed, product(z, &jet.dvv, &dvv));
        let normal = self.normal_rates_rate(&stretch, &second);
        let length = self.stretch[(0, 0)];
        let twist = |b: &Vec3, rate: &Vec3, value: f64| (product(y, b, rate) - value * length_rate) / length;
        let turn = Matrix3x2::new(
            -normal[(1, 0)],
            -normal[(1, 1)],
            normal[(0, 0)],
            normal[(0, 1)],
            twist(&jet.duu, &duu, self.turn[(2, 0)]),
            twist(&jet.duv, &duv, self.turn[(2, 1)]),
        );
        (stretch, turn)
    }

    /// The rate of the matrix of [`normal_rates`], Z: from Nᵀ Z = −S follows Nᵀ Ż = −Ṡ − Ṅᵀ Z.
    fn normal_rates_rate(&self, stretch: &Matrix2<f64>, second: &Matrix2<f64>) -> Matrix2<f64> {
        let z = Matrix2::new(self.turn[(1, 0)], self.turn[(1, 1)], -self.turn[(0, 0)], -self.turn[(0, 1)]);
        normal_rates(&self.stretch, &(second + stretch.tr_mul(&z)))
    }
}

/// The components x·z_u, x·z_v; y·z_u, y·z_v, Z, from Nᵀ Z = −S with S the second fundamental form.
fn normal_rates(stretch: &Matrix2<f64>, second: &Matrix2<f64>) -> Matrix2<f64> {
    let (a, b, d) = (stretch[(0, 0)], stretch[(0, 1)], stretch[(1, 1)]);
    let column = |k: usize| {
        let x = -second[(0, k)] / a;
        [x, (-second[(1, k)] - b * x) / d]
    };
    let ([xu, yu], [xv, yv]) = (column(0), column(1));
    Matrix2::new(xu, xv, yu, yv)
}
