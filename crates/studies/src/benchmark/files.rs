//! The data: pairs as `rattleback distance` reads them, their truth, and numbers for the drivers of other libraries;
//! and what these drivers answered.
//!
//! | file | content |
//! |---|---|
//! | `SET.jsonl` | one pair per line, for `rattleback distance` |
//! | `SET-truth.csv` | gap as a sum of two doubles, distance of its bounds, normal, points; in m |
//! | `in/SET.bin` | per pair semi-axes of A and B, centre of B, rotation of B row by row, and Barr's exponents of superellipsoids, as doubles |
//! | `out/LIBRARY__SET.bin` | answers of another library: distance, normal, points, ten doubles per pair |
//! | `out/timings.csv` | library, set, pairs, mean, median, 99th percentile and greatest time in ns |

use super::measure::Row;
use super::set::{Certified, Set};
use rattleback_geom::Pose;
use serde_json::json;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

/// Drivers that give up answer with no number, or with the greatest that there is.
const GIVEN_UP: f64 = 1e100;

/// The files of a set: name and content.
pub fn of(set: Set, pairs: &[Certified]) -> Vec<(String, Vec<u8>)> {
    let name = set.name();
    vec![
        (format!("{name}.jsonl"), queries(pairs).into_bytes()),
        (format!("{name}-truth.csv"), truths(pairs).into_bytes()),
        (format!("in/{name}.bin"), numbers(set, pairs)),
    ]
}

fn queries(pairs: &[Certified]) -> String {
    let mut text = String::new();
    for (id, Certified { pair, .. }) in pairs.iter().enumerate() {
        let shape = |k: usize| {
            let body = &pair.bodies[k];
            if body.is_ellipsoid() {
                json!({"type": "ellipsoid", "semi_axes": body.semi_axes})
            } else {
                json!({"type": "superellipsoid", "semi_axes": body.semi_axes, "exponents": body.exponents})
            }
        };
        let line = json!({
            "id": id,
            "a": {"shape": shape(0)},
            "b": {"shape": shape(1), "position": pair.position.as_slice(), "orientation": pair.quaternion},
        });
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{line}");
    }
    text
}

fn truths(pairs: &[Certified]) -> String {
    let mut text =
        "id,gap_m,gap_rest_m,width_m,normal_x,normal_y,normal_z,point_a_x_m,point_a_y_m,point_a_z_m,\
                    point_b_x_m,point_b_y_m,point_b_z_m\n"
            .to_owned();
    for (id, Certified { truth, .. }) in pairs.iter().enumerate() {
        let _ = write!(text, "{id},{:e},{:e},{:e}", truth.gap[0], truth.gap[1], truth.width.abs());
        let vectors = [&truth.normal, &truth.points[0], &truth.points[1]];
        for x in vectors.into_iter().flat_map(|v| v.iter()) {
            let _ = write!(text, ",{x:e}");
        }
        text.push('\n');
    }
    text
}

fn numbers(set: Set, pairs: &[Certified]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut push = |x: f64| bytes.extend(x.to_le_bytes());
    for Certified { pair, .. } in pairs {
        let [a, b] = &pair.bodies;
        a.semi_axes.iter().chain(&b.semi_axes).for_each(|x| push(*x));
        pair.position.iter().for_each(|x| push(*x));
        // A quaternion that was drawn has a rotation; were there none, zeros would show at once.
        let rotation = Pose::from_parts([0.0; 3], pair.quaternion).map(|pose| pose.rotation());
        rotation.unwrap_or_default().transpose().iter().for_each(|x| push(*x));
        if set == Set::Superellipsoids {
            for [delta, epsilon] in [a.exponents, b.exponents] {
                push(2.0 / f64::from(epsilon));
                push(2.0 / f64::from(delta));
            }
        }
    }
    bytes
}

/// What other libraries answered to a set, from the files of their drivers in a folder.
pub fn peers(folder: &Path, set: Set, pairs: &[Certified]) -> Vec<Row> {
    let timings = std::fs::read_to_string(folder.join("out/timings.csv")).unwrap_or_default();
    let fields: Vec<Vec<&str>> = timings.lines().map(|line| line.split(',').collect()).collect();
    let of_set = || fields.iter().filter(|row| row.len() == 7 && row[1] == set.name());
    let names: BTreeSet<&str> = of_set().map(|row| row[0]).collect();
    let mut rows = Vec::new();
    for name in names {
        let file = folder.join("out").join(format!("{name}__{}.bin", set.name()));
        let Ok(bytes) = std::fs::read(file) else { continue };
        let answers: Vec<Option<f64>> = bytes
            .chunks_exact(80)
            .map(|row| row.first_chunk().map(|x| f64::from_le_bytes(*x)).filter(|gap| gap.abs() < GIVEN_UP))
            .collect();
        // Answers to other pairs are no answers to these.
        if answers.len() != pairs.len() {
            continue;
        }
        let best = of_set().filter(|row| row[0] == name).filter_map(|row| row[3].parse::<f64>().ok());
        let best = best.fold(f64::INFINITY, f64::min);
        rows.push(Row::new(name, pairs, &answers, best.is_finite().then_some(best * 1e-3)));
    }
    rows
}
