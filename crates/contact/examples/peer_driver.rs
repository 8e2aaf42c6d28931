//! Times `touch` on the query sets that other libraries are timed on; `cargo xtask peers` and `cargo xtask
//! instructions` build and run it.
//!
//!     peer_driver time WORKDIR SET...         answers and times into WORKDIR/out
//!     peer_driver count WORKDIR COUNT SET STATE   one pass over the first COUNT pairs that are `separate` or
//!                                                 `overlapping`, or over the latter without a proof of the least
//!                                                 depth, `searched`, for an instruction counter
//!
//! Input, WORKDIR/in/SET.bin, f64 little-endian: semi-axes of A and of B, centre of B, rotation of B row by row (18
//! numbers a pair); the set SE has Barr's exponents [e_z, e_xy] of A and of B after them (22). A stands at the origin.
//!
//! Output: `rattleback:touch__SET.bin`, ten f64 a pair (gap, normal, point of A, point of B), NaN for an error;
//! `rattleback:touch__SET.certified`, a byte a pair; a line `name,set,N,mean,median,p99,max` in ns at the end of
//! `timings.csv`. The mean is that of the best of [`REPEATS`] over chunks of [`CHUNK`] consecutive queries, which other
//! work on the machine disturbs least. The rest are quantiles over single queries, each the best of [`REPEATS`], less
//! the time that reading the clock takes. Shapes and poses are built before the clock starts.

use rattleback_contact::geom::nalgebra::{Rotation3, UnitQuaternion};
use rattleback_contact::geom::surface::{Ellipsoid, Shape, Superellipsoid};
use rattleback_contact::geom::{Mat3, Pose, Vec3};
use rattleback_contact::narrow::touch;
use rattleback_contact::{Start, Touch};
use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

const NAME: &str = "rattleback:touch";
const REPEATS: usize = 7;
const CHUNK: usize = 200;

type DriverResult<T> = Result<T, Box<dyn Error>>;

struct InputPair {
    a: Shape,
    b: Shape,
    pose_a: Pose,
    pose_b: Pose,
}

/// The one function whose cost is asked for: kept whole so that a profiler can find it by its name.
#[inline(never)]
fn query(pair: &InputPair, start: Start) -> rattleback_contact::Result<Touch> {
    touch(&pair.a, &pair.pose_a, &pair.b, &pair.pose_b, start)
}

fn shape(semi_axes: &[f64], barr: Option<&[f64]>) -> DriverResult<Shape> {
    let axes = semi_axes.try_into()?;
    Ok(match barr {
        None => Ellipsoid::new(axes)?.into(),
        Some(e) => Superellipsoid::from_barr(axes, [e[1], e[0]])?.into(),
    })
}

fn load(folder: &Path, set: &str) -> DriverResult<Vec<InputPair>> {
    let file = folder.join("in").join(format!("{set}.bin"));
    let bytes = fs::read(&file).map_err(|e| format!("{}: {e}", file.display()))?;
    let (width, powers) = if set == "SE" { (22, true) } else { (18, false) };
    let mut numbers = Vec::with_capacity(bytes.len() / 8);
    for eight in bytes.chunks_exact(8) {
        numbers.push(f64::from_le_bytes(eight.try_into()?));
    }
    let pair = |x: &[f64]| {
        let rotation = Rotation3::from_matrix_unchecked(Mat3::from_row_slice(&x[9..18]));
        Ok(InputPair {
            a: shape(&x[0..3], powers.then(|| &x[18..20]))?,
            b: shape(&x[3..6], powers.then(|| &x[20..22]))?,
            pose_a: Pose::identity(),
            pose_b: Pose::new(
                Vec3::from_row_slice(&x[6..9]),
                UnitQuaternion::from_rotation_matrix(&rotation),
            ),
        })
    };
    numbers.chunks_exact(width).map(pair).collect()
}

fn row(touch: &rattleback_contact::Result<Touch>) -> [f64; 10] {
    let Ok(t) = touch else { return [f64::NAN; 10] };
    let (n, p, q) = (&t.normal, &t.point_a, &t.point_b);
    [t.gap, n.x, n.y, n.z, p.x, p.y, p.z, q.x, q.y, q.z]
}

/// The mean in ns, by chunks.
fn mean(pairs: &[InputPair], rows: &mut [[f64; 10]]) -> f64 {
    let mut best = vec![f64::INFINITY; pairs.len().div_ceil(CHUNK)];
    for _ in 0..REPEATS {
        for ((pairs, rows), best) in pairs.chunks(CHUNK).zip(rows.chunks_mut(CHUNK)).zip(&mut best) {
            let start = Instant::now();
            for (pair, out) in pairs.iter().zip(rows) {
                *out = row(&query(pair, Start::Cold));
            }
            *best = best.min(start.elapsed().as_nanos() as f64);
        }
    }
    best.iter().sum::<f64>() / pairs.len() as f64
}

/// The time of every query in ns, in rising order.
fn single(pairs: &[InputPair], rows: &mut [[f64; 10]]) -> Vec<f64> {
    let clock = (0..10_000).map(|_| Instant::now().elapsed().as_nanos()).min().unwrap_or(0);
    let mut best = vec![f64::INFINITY; pairs.len()];
    for _ in 0..REPEATS {
        for ((pair, out), best) in pairs.iter().zip(&mut *rows).zip(&mut best) {
            let start = Instant::now();
            *out = row(&query(pair, Start::Cold));
            *best = best.min(start.elapsed().as_nanos().saturating_sub(clock) as f64);
        }
    }
    best.sort_by(f64::total_cmp);
    best
}

fn time(folder: &Path, set: &str) -> DriverResult<()> {
    let pairs = load(folder, set)?;
    let count = pairs.len();
    let touches: Vec<_> = pairs.iter().map(|pair| query(pair, Start::Cold)).collect();
    let mut rows: Vec<_> = touches.iter().map(row).collect();
    let answers: Vec<u8> = rows.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
    let certified: Vec<u8> =
        touches.iter().map(|t| u8::from(t.as_ref().is_ok_and(|t| t.certified))).collect();
    let out = folder.join("out");
    fs::create_dir_all(&out)?;
    fs::write(out.join(format!("{NAME}__{set}.bin")), answers)?;
    fs::write(out.join(format!("{NAME}__{set}.certified")), certified)?;

    let mean = mean(&pairs, &mut rows);
    let each = single(&pairs, &mut rows);
    black_box(&rows);
    let (Some(median), Some(high), Some(most)) =
        (each.get(count / 2), each.get(count * 99 / 100), each.last())
    else {
        return Err(format!("the set {set} is empty").into());
    };
    println!("{NAME:<34} {set:<12} mean {mean:9.1}  median {median:9.1}  p99 {high:9.1}  max {most:9.1} ns");
    let mut file = fs::OpenOptions::new().create(true).append(true).open(out.join("timings.csv"))?;
    writeln!(file, "{NAME},{set},{count},{mean:.2},{median:.2},{high:.2},{most:.2}")?;
    Ok(())
}

fn main() -> DriverResult<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["time", folder, sets @ ..] => sets.iter().try_for_each(|set| time(Path::new(folder), set)),
        ["count", folder, count, set, state @ ("separate" | "overlapping" | "searched")] => {
            let (pairs, count) = (load(Path::new(folder), set)?, count.parse()?);
            if pairs.len() < count {
                return Err(format!("the set {set} has {} pairs, fewer than {count}", pairs.len()).into());
            }
            let is_asked = |pair: &&InputPair| {
                let found = touch(&pair.a, &pair.pose_a, &pair.b, &pair.pose_b, Start::Cold);
                found.is_ok_and(|t| (t.gap > 0.0) == (*state == "separate"))
            };
            let asked: Vec<_> = pairs[..count].iter().filter(is_asked).collect();
            let start = if *state == "searched" { Start::Search } else { Start::Cold };
            for pair in &asked {
                let _ = black_box(query(black_box(pair), start));
            }
            println!("{}", asked.len());
            Ok(())
        }
        _ => Err("usage: peer_driver time WORKDIR SET... | peer_driver count WORKDIR COUNT SET STATE".into()),
    }
}
