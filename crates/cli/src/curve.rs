//! `rattleback curve`: what a plane curve is, in numbers, its points by their normals, and where it touches a line.

use crate::applications::FORMAT;
use crate::console::Console;
use crate::failure::Failure;
use clap::Args;
use rattleback_geom::Vec2;
use rattleback_geom::curve::{Curve, Line, LineContact, Pose2, line_contact};
use rattleback_record::{Axis, Figure, Series, WholeFile};
use rattleback_scene::{parse_angle, parse_length};
use serde_json::{Value, json};
use std::f64::consts::TAU;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Width over height of a figure between its axes, so that circles are round.
const SHAPE: f64 = 1.75;
/// Points of the figure.
const DRAWN: usize = 721;

/// Print length, area and curvature of a plane curve given by its generating potential, its points, its contact with a
/// line
#[derive(Args)]
#[command(after_help = "\
A curve file says its type and that type's fields, in TOML or JSON:

  type = \"ellipse\"                       # semi_axes
  type = \"superellipse\"                  # semi_axes, exponent
  type = \"spline\"                        # angles and values of the potential, centre
  type = \"fit\"                           # points of a convex curve, knots
  type = \"offset\"                        # curve, distance
  type = \"placed\"                        # curve, angle, position
  type = \"sum\"                           # curves

The potential g(phi) is the distance of the tangent with the outer normal (cos phi, sin phi) from the origin; the curve is
g n + g' t. What is not convex all around is refused, with the normal.

Examples:
  rattleback curve scenes/curves/ellipse.toml
  rattleback curve scenes/curves/spline.toml --points 360 -o points.csv
  rattleback curve scenes/curves/ellipse.toml --line 0,1,0 --angle 30deg --position 0,0.4 --plot contact.svg")]
pub struct Arguments {
    /// Curve file (.toml, .json)
    file: PathBuf,
    /// The half-plane n·x <= d, as its normal and its offset in m: nx,ny,d
    #[arg(long, value_name = "NX,NY,D", value_delimiter = ',', allow_hyphen_values = true)]
    line: Vec<f64>,
    /// By how much the curve is turned against the line
    #[arg(long, value_name = "ANGLE", default_value = "0", value_parser = parse_angle, allow_hyphen_values = true)]
    angle: f64,
    /// Where it is against the line: x,y
    #[arg(long, value_name = "X,Y", value_delimiter = ',', value_parser = parse_length, allow_hyphen_values = true)]
    position: Vec<f64>,
    /// How many points of the curve are written, at equal angles of the normal
    #[arg(long, value_name = "N", default_value_t = 360, value_parser = clap::value_parser!(u64).range(3..=1_000_000))]
    points: u64,
    /// Write the points to this file: angle, normal, potential, point, radius of curvature
    #[arg(short, long, value_name = "FILE.csv")]
    output: Option<PathBuf>,
    /// Draw the curve, and the line where there is one
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
}

/// Runs the verb.
pub fn run(arguments: &Arguments, console: &Console) -> Result<ExitCode, Failure> {
    let read = FORMAT.read_curve(&arguments.file)?;
    let curve = read.curve.as_ref();
    let wrong = |error: rattleback_geom::GeomError| Failure::input(error.to_string());
    let (length, area) = (curve.length().map_err(wrong)?, curve.area().map_err(wrong)?);
    let [least, most] = curve.radius_range().map_err(wrong)?;
    let position = match arguments.position[..] {
        [] => Vec2::zeros(),
        [x, y] => Vec2::new(x, y),
        _ => return Err(Failure::usage("--position: expected two lengths, x,y".to_owned())),
    };
    let pose = Pose2::new(arguments.angle, position).map_err(wrong)?;
    let line = match arguments.line[..] {
        [] => None,
        [x, y, d] => Some(Line::new(Vec2::new(x, y), d).map_err(wrong)?),
        _ => return Err(Failure::usage("--line: expected three numbers, nx,ny,d".to_owned())),
    };
    let contact = line.map(|line| line_contact(curve, &pose, &line)).transpose().map_err(wrong)?;
    if let Some(path) = &arguments.output {
        write(path, table(curve, arguments.points).map_err(wrong)?.as_bytes())?;
    }
    if let Some(path) = &arguments.plot {
        let figure = figure(curve, &pose, contact.as_ref()).map_err(wrong)?;
        write(path, figure.to_svg()?.as_bytes())?;
    }
    // JSON has no infinity: a flat point has none.
    let finite = |x: f64| if x.is_finite() { json!(x) } else { Value::Null };
    console.tell(&json!({
        "type": curve.kind(),
        "length": length,
        "area": area,
        "radius_range": [finite(least), finite(most)],
        "remarks": read.remarks,
        "contact": contact.as_ref().map(|c| json!({
            "gap": c.gap,
            "point": c.on_curve.as_slice(),
            "point_on_line": c.on_line.as_slice(),
            "curvature": finite(c.curvature),
        })),
    }))?;
    let mut text =
        format!("curve        {}\nlength       {length} m\narea         {area} m²\n", curve.kind());
    text += &format!("radius       {least}  to  {most}  m\n");
    text += if least > 0.0 {
        "convexity    strict: the radius of curvature is above zero at every normal\n"
    } else {
        "convexity    with a kink: the radius of curvature is zero at a normal\n"
    };
    if let Some(c) = &contact {
        text += &format!("gap          {} m\n", c.gap);
        text +=
            &format!("point        {}  {}  m, curvature {} 1/m\n", c.on_curve.x, c.on_curve.y, c.curvature);
    }
    for remark in &read.remarks {
        text += &format!("remark       {remark}\n");
    }
    for path in arguments.output.iter().chain(&arguments.plot) {
        text += &format!("written      {}\n", path.display());
    }
    console.say(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let failed = |e| Failure::output(format!("{}: {e}", path.display()));
    let mut file = WholeFile::create(path).map_err(failed)?;
    std::io::Write::write_all(&mut file, bytes).map_err(failed)?;
    file.finish().map_err(failed)
}

/// Points at equal angles of the normal.
fn table(curve: &dyn Curve, count: u64) -> rattleback_geom::Result<String> {
    let mut text = "phi_rad,normal_x,normal_y,potential_m,x_m,y_m,radius_m\n".to_owned();
    for k in 0..count {
        let phi = TAU * k as f64 / count as f64;
        let jet = curve.at_angle(phi)?;
        let (sin, cos) = phi.sin_cos();
        // Writing to a string cannot fail.
        let _ =
            writeln!(text, "{phi},{cos},{sin},{},{},{},{}", jet.value, jet.point.x, jet.point.y, jet.radius);
    }
    Ok(text)
}

fn figure(curve: &dyn Curve, pose: &Pose2, contact: Option<&LineContact>) -> rattleback_geom::Result<Figure> {
    let mut points: Vec<[f64; 2]> = Vec::new();
    for k in 0..DRAWN {
        let jet = curve.at_angle(TAU * k as f64 / (DRAWN - 1) as f64)?;
        points.push(pose.transform(&jet.point).into());
    }
    let bounds = |k: usize| {
        let more = contact.map(|c| c.on_line[k]).into_iter();
        let all = points.iter().map(|p| p[k]).chain(more);
        all.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(x), high.max(x)])
    };
    let ([x0, x1], [y0, y1]) = (bounds(0), bounds(1));
    let half = 0.55 * (y1 - y0).max((x1 - x0) / SHAPE);
    let axis = |label: &str, middle: f64, half: f64| Axis {
        label: label.to_owned(),
        range: [middle - half, middle + half],
        logarithmic: false,
    };
    let mut series = vec![Series { name: curve.kind().to_owned(), points, dashed: false }];
    if let Some(c) = contact {
        let along = Vec2::new(-c.normal.y, c.normal.x) * (SHAPE * half);
        let line = vec![(c.on_line - along).into(), (c.on_line + along).into()];
        series.push(Series { name: "line".to_owned(), points: line, dashed: false });
        series.push(Series::marks("nearest or deepest", [c.on_curve.into(), c.on_line.into()]));
    }
    Ok(Figure {
        title: format!("A curve: {}", curve.kind()),
        x: axis("x in m", 0.5 * (x0 + x1), SHAPE * half),
        y: axis("y in m", 0.5 * (y0 + y1), half),
        series,
    })
}
