//! What one query costs, cold and warm, on one thread; sphere against sphere is the limit against which it is read.
//!
//! The pairs are those of `tests/ellipsoids`: semi-axes uniform within (0, 1) m, B anywhere in the first octant beyond
//! A's axes, in any orientation. `ellipsoids_thin` has axes 10^U(−2, 0), in `ellipsoids_overlapping` the points of
//! support along a random n are past each other by 5 to 30 % of the least axis. Exponents are uniform in the range that
//! a name gives. Planes are z = 0, below the bodies or through them.
//!
//! A warm query starts from the normal of the same pair before B moved by 1 mm along a diagonal and turned by 1 mrad.

#[path = "../tests/ellipsoids/mod.rs"]
mod ellipsoids;

use divan::{Bencher, black_box};
use ellipsoids::Ellipsoids;
use rattleback_contact::geom::surface::{
    Capsule, Cylinder, Ellipsoid, Plane, Shape, Sphere, Superellipsoid, Superquadric,
};
use rattleback_contact::geom::{GeomError, Pose, Vec3};
use rattleback_contact::narrow::touch;
use rattleback_contact::{Start, Touch};

const COUNT: u64 = 4096;
const SEED: u64 = 1;
/// The seed of more numbers.
const MORE: u64 = 2;

const SETS: [&str; 12] = [
    "ellipsoids",
    "ellipsoids_thin",
    "ellipsoids_overlapping",
    "superellipsoids_to_4",
    "superellipsoids_to_8",
    "superquadrics_to_4",
    "cylinders",
    "cylinders_overlapping",
    "capsules",
    "plane_ellipsoid",
    "plane_superellipsoid",
    "spheres",
];

struct Query {
    a: Shape,
    b: Shape,
    pose_b: Pose,
    start: Start,
}

impl Query {
    fn touch(&self) -> rattleback_contact::Result<Touch> {
        touch(&self.a, &Pose::identity(), &self.b, &self.pose_b, self.start)
    }
}

fn thin(mut r: Ellipsoids) -> Ellipsoids {
    let power = |u: f64| 10f64.powf(2.0 * u - 2.0);
    r.pose_b.position -= Vec3::from(r.semi_axes_a);
    (r.semi_axes_a, r.semi_axes_b) = (r.semi_axes_a.map(power), r.semi_axes_b.map(power));
    r.pose_b.position += Vec3::from(r.semi_axes_a);
    r
}

/// B is put so that n is stationary and f(n) the wanted depth.
fn overlapping(mut r: Ellipsoids, u: f64) -> Ellipsoids {
    let (n, a, b) = (r.random_normal, Vec3::from(r.semi_axes_a), Vec3::from(r.semi_axes_b));
    let farthest = |a: &Vec3, n: &Vec3| a.component_mul(a).component_mul(n) / a.component_mul(n).norm();
    let q = r.pose_b.vector_to_world(&farthest(&b, &r.pose_b.vector_to_local(&n)));
    r.pose_b.position = farthest(&a, &n) + q - n * ((0.05 + 0.25 * u) * a.min().min(b.min()));
    r
}

fn query(set: &str, index: u64) -> Result<Query, GeomError> {
    let (mut r, more) = (Ellipsoids::drawn(SEED, index), Ellipsoids::drawn(MORE, index));
    let (u, v) = (more.semi_axes_a, more.semi_axes_b);
    match set {
        "ellipsoids_thin" => r = thin(r),
        "ellipsoids_overlapping" => r = overlapping(r, u[0]),
        // Closer by half: most of them overlap.
        "cylinders_overlapping" => r.pose_b.position *= 0.5,
        _ => {}
    }
    let (axes_a, axes_b) = (r.semi_axes_a, r.semi_axes_b);
    let power = |u: f64, most: f64| 1.3 + (most - 1.3) * u;
    let nested = |axes, u: [f64; 3], most| Superellipsoid::new(axes, [power(u[0], most), power(u[1], most)]);
    let cylinder = |axes: [f64; 3]| Cylinder::new(axes[0], axes[2]);
    let three = |axes, u: [f64; 3]| Superquadric::new(axes, u.map(|u| power(u, 4.0)));
    let (a, b): (Shape, Shape) = match set {
        "superellipsoids_to_4" => (nested(axes_a, u, 4.0)?.into(), nested(axes_b, v, 4.0)?.into()),
        "superellipsoids_to_8" => (nested(axes_a, u, 8.0)?.into(), nested(axes_b, v, 8.0)?.into()),
        "superquadrics_to_4" => (three(axes_a, u)?.into(), three(axes_b, v)?.into()),
        "plane_ellipsoid" => (Plane::new([0.0, 0.0, 1.0], 0.0)?.into(), Ellipsoid::new(axes_b)?.into()),
        "plane_superellipsoid" => (Plane::new([0.0, 0.0, 1.0], 0.0)?.into(), nested(axes_b, v, 8.0)?.into()),
        "cylinders" | "cylinders_overlapping" => (cylinder(axes_a)?.into(), cylinder(axes_b)?.into()),
        "capsules" => {
            (Capsule::new(axes_a[0], axes_a[2])?.into(), Capsule::new(axes_b[0], axes_b[2])?.into())
        }
        "spheres" => (Sphere::new(axes_a[0])?.into(), Sphere::new(axes_b[0])?.into()),
        _ => (Ellipsoid::new(axes_a)?.into(), Ellipsoid::new(axes_b)?.into()),
    };
    Ok(Query { a, b, pose_b: r.pose_b, start: Start::Cold })
}

fn cold_queries(set: &str) -> Vec<Query> {
    let all: Result<_, _> = (0..COUNT).map(|index| query(set, index)).collect();
    all.expect("semi-axes and exponents are within what the surfaces accept")
}

fn warm_queries(set: &str) -> Vec<Query> {
    let mut queries = cold_queries(set);
    for query in &mut queries {
        let before = query.touch().expect("every pair of the sets has a solver");
        query.start = Start::Warm(before.normal);
        query.pose_b.position += Vec3::new(1.0, -1.0, 1.0).normalize() * 1e-3;
        query.pose_b =
            query.pose_b.rotated(Vec3::new(1.0, 2.0, 3.0), 1e-3).expect("an axis with a direction");
    }
    queries
}

fn cycle(bencher: Bencher, queries: Vec<Query>) {
    let mut k = 0;
    bencher.bench_local(move || {
        let _ = black_box(black_box(&queries[k]).touch());
        k = (k + 1) % queries.len();
    });
}

// 64 samples of 1024 queries are 16 passes over a set.
#[divan::bench(args = SETS, sample_count = 64, sample_size = 1024)]
fn cold(bencher: Bencher, set: &str) {
    cycle(bencher, cold_queries(set));
}

#[divan::bench(args = SETS, sample_count = 64, sample_size = 1024)]
fn warm(bencher: Bencher, set: &str) {
    cycle(bencher, warm_queries(set));
}

/// Median and greatest number of evaluations, and the share of certified answers in percent.
fn tally(queries: &[Query]) -> (u32, u32, f64) {
    let touches: Vec<Touch> = queries.iter().filter_map(|q| q.touch().ok()).collect();
    let mut iterations: Vec<u32> = touches.iter().map(|t| t.iterations).collect();
    iterations.sort_unstable();
    let certified = touches.iter().filter(|t| t.certified).count();
    let most = iterations.last().copied().unwrap_or(0);
    (iterations[iterations.len() / 2], most, 100.0 * certified as f64 / queries.len() as f64)
}

fn main() {
    println!("{:<24} {:>26}   {:>26}", "", "cold", "warm");
    println!(
        "{:<24} {:>6} {:>6} {:>12}   {:>6} {:>6} {:>12}",
        "evaluations", "median", "most", "certified", "median", "most", "certified"
    );
    for set in SETS {
        let [cold, warm] = [tally(&cold_queries(set)), tally(&warm_queries(set))];
        println!(
            "{set:<24} {:>6} {:>6} {:>10.2} %   {:>6} {:>6} {:>10.2} %",
            cold.0, cold.1, cold.2, warm.0, warm.1, warm.2
        );
    }
    println!();
    divan::main();
}
