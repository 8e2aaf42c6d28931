//! `rattleback shape`: what a shape is, in numbers, and its mesh.

use crate::applications::FORMAT;
use crate::console::Console;
use crate::failure::Failure;
use crate::shape_rays;
use clap::Args;
use rattleback_geom::mesh::{obj, stl};
use rattleback_geom::surface::{Shape, Surface};
use rattleback_geom::{GeomError, MassProperties, TriMesh};
use rattleback_record::WholeFile;
use serde_json::{Value, json};
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Print area, volume, inertia, curvature range and bounds of a shape, and write its mesh
#[derive(Args)]
#[command(after_help = "\
A shape file says its type and that type's fields, in TOML or JSON:

  type = \"superellipsoid\"
  semi_axes = [\"30 mm\", \"2 cm\", 0.01]   # a number without unit is in metres
  exponents = [3.0, 4.0]                # delta joins x and y, epsilon joins z

Examples:
  rattleback shape body.toml
  rattleback shape part.stl --density 7800
  rattleback shape body.toml --mesh body.stl --chord 1e-4
  rattleback shape hyperboloid.toml --angle-centre 72x36 --points rays.csv")]
pub struct Arguments {
    /// Shape file (.toml, .json) or closed mesh (.stl, .obj, .ply, .off, .3mf, .gltf, .glb)
    file: PathBuf,
    /// Density in kg/m³
    #[arg(long, default_value_t = 1000.0)]
    density: f64,
    /// Write the surface as triangles to this file (.stl or .obj)
    #[arg(long, value_name = "FILE")]
    mesh: Option<PathBuf>,
    /// Points of a quadric or superquadric along rays from its centre, at so many azimuths and zenith angles (Lopes
    /// 29, 30 and 35, 36); the bounds of open surfaces are not asked
    #[arg(long, value_name = "MxN", value_parser = shape_rays::grid, requires = "points")]
    angle_centre: Option<[usize; 2]>,
    /// The file for them: azimuth, zenith angle, radius, x, y, z
    #[arg(long, value_name = "FILE.csv", requires = "angle_centre")]
    points: Option<PathBuf>,
    /// Greatest distance between mesh and surface in metres [default: a thousandth of the size]
    #[arg(long)]
    chord: Option<f64>,
}

/// Runs the verb.
pub fn run(arguments: &Arguments, console: &Console) -> Result<ExitCode, Failure> {
    let (shape, remarks) = FORMAT.read_shape(&arguments.file)?;
    let surface = shape.surface();
    let mass = surface.moments().and_then(|m| m.with_density(arguments.density));
    let beyond = |what: &str| {
        Failure::input(format!(
            "{}: the {what} of the {} is beyond what a number can hold; it is too large or too small",
            arguments.file.display(),
            surface.kind()
        ))
    };
    match &mass {
        Err(GeomError::OutOfRange { field, value, .. })
            if field == "volume" && (*value == 0.0 || !value.is_finite()) =>
        {
            return Err(beyond("volume"));
        }
        // A wrong density is the user's mistake; a volume that does not exist is a property of the shape.
        Err(error @ GeomError::OutOfRange { .. }) => return Err(Failure::input(error.to_string())),
        _ => check_size(&shape, mass.as_ref().ok()).map_err(beyond)?,
    }
    let mesh =
        arguments.mesh.as_deref().map(|path| write_mesh(surface, arguments.chord, path)).transpose()?;
    let rays = arguments.angle_centre.map(|grid| shape_rays::table(&shape, grid)).transpose()?;
    if let (Some((table, _)), Some(path)) = (&rays, &arguments.points) {
        WholeFile::write(path, table.as_bytes())?;
    }
    console.tell(&as_json(surface, mass.as_ref().ok(), mesh.as_ref(), &remarks))?;
    let mut text = as_text(surface, &mass, arguments.density);
    for remark in &remarks {
        text += &format!("remark       {remark}\n");
    }
    if let (Some(mesh), Some(path)) = (&mesh, &arguments.mesh) {
        text +=
            &format!("mesh         {} triangles, written to {}\n", mesh.triangles().len(), path.display());
    }
    if let (Some((_, count)), Some(path)) = (&rays, &arguments.points) {
        text += &format!("rays         {count} meet the surface, written to {}\n", path.display());
    }
    console.say(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// Refuses numbers that have overflowed, by name. Half-spaces and hollow carriers have no bounds, edges no finite
/// curvature.
fn check_size(shape: &Shape, mass: Option<&MassProperties>) -> Result<(), &'static str> {
    let surface = shape.surface();
    let (bounds, is_endless) = (surface.bounds(), matches!(shape, Shape::Cavity(_)));
    let (area, curvature) = (surface.area(), surface.curvature_range());
    let fine = |numbers: &[f64]| numbers.iter().all(|x| x.is_finite());
    let corners = fine(bounds.min.as_slice()) && fine(bounds.max.as_slice());
    for (what, right) in [
        ("size", area.is_err() || is_endless || corners),
        ("area", area.as_ref().ok().is_none_or(|area| area.is_finite() && *area > 0.0)),
        ("mass", mass.is_none_or(|mass| fine(&[mass.volume, mass.mass]) && mass.mass > 0.0)),
        ("centroid", mass.is_none_or(|mass| fine(mass.centroid.as_slice()))),
        ("inertia", mass.is_none_or(|mass| fine(mass.inertia.as_slice()))),
        ("curvature", curvature.ok().is_none_or(|range| range.iter().all(|k| !k.is_nan()))),
    ] {
        if !right {
            return Err(what);
        }
    }
    Ok(())
}

/// Seven significant digits: enough to recognise, few enough to read.
fn number(x: f64) -> String {
    let size = x.abs();
    if x == 0.0 || (1e-3..1e6).contains(&size) {
        let digits = if x == 0.0 { 0 } else { (6 - size.log10().floor() as i32).max(0) as usize };
        let text = format!("{x:.digits$}");
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
    } else {
        format!("{x:.6e}")
    }
}

/// Numbers that belong together; what is rounding beside the largest of them is shown as zero.
fn numbers(values: &[f64], scale: f64) -> String {
    let shown = |x: f64| if x.abs() < 1e-12 * scale { 0.0 } else { x };
    values.iter().map(|&x| number(shown(x))).collect::<Vec<_>>().join("  ")
}

fn as_text(surface: &dyn Surface, mass: &Result<MassProperties, GeomError>, density: f64) -> String {
    let bounds = surface.bounds();
    let mut text = format!("shape        {}\n", surface.kind());
    let size = if bounds.is_bounded() { bounds.diagonal() } else { 0.0 };
    let corners = [bounds.min, bounds.max].map(|c| numbers(c.as_slice(), size));
    text += &format!("bounds       {}  to  {}  m\n", corners[0], corners[1]);
    text += &match surface.area() {
        Ok(area) => format!("area         {} m²\n", number(area)),
        Err(error) => format!("area         none: {error}\n"),
    };
    text += &match mass {
        Err(error) => format!("volume       none: {error}\n"),
        Ok(mass) => {
            let (moments, axes) = mass.principal();
            let mut lines = format!("volume       {} m³\n", number(mass.volume));
            lines += &format!("mass         {} kg  at {} kg/m³\n", number(mass.mass), number(density));
            lines += &format!("centroid     {}  m\n", numbers(mass.centroid.as_slice(), size));
            for (k, title) in ["inertia      ", "             ", "             "].into_iter().enumerate() {
                let row: Vec<f64> = (0..3).map(|j| mass.inertia[(k, j)]).collect();
                lines += &format!(
                    "{title}{}{}\n",
                    numbers(&row, moments[2]),
                    if k == 0 { "  kg m²  (about the centroid)" } else { "" }
                );
            }
            lines += &format!("principal    {}  kg m²\n", numbers(moments.as_slice(), 0.0));
            for (k, title) in ["along        ", "             ", "             "].into_iter().enumerate() {
                lines += &format!("{title}{}\n", numbers(axes.column(k).as_slice(), 1.0));
            }
            lines
        }
    };
    text += &match surface.curvature_range() {
        Ok([low, high]) => format!("curvature    {}  to  {}  1/m\n", number(low), number(high)),
        Err(error) => format!("curvature    none: {error}\n"),
    };
    text
}

fn as_json(
    surface: &dyn Surface,
    mass: Option<&MassProperties>,
    mesh: Option<&TriMesh>,
    remarks: &[String],
) -> Value {
    let bounds = surface.bounds();
    // JSON has no infinity: what is unbounded or undefined is null.
    let finite = |x: f64| if x.is_finite() { json!(x) } else { Value::Null };
    let list = |v: &[f64]| Value::from(v.iter().map(|&x| finite(x)).collect::<Vec<_>>());
    let rows = |m: &rattleback_geom::Mat3| {
        Value::from((0..3).map(|i| list(m.row(i).transpose().as_slice())).collect::<Vec<_>>())
    };
    let mut value = json!({
        "type": surface.kind(),
        "bounds": { "min": list(bounds.min.as_slice()), "max": list(bounds.max.as_slice()) },
        "area": surface.area().ok(),
        "remarks": remarks,
        "curvature_range": surface.curvature_range().ok().map(|r| list(&r)),
    });
    if let Some(mass) = mass {
        let (moments, axes) = mass.principal();
        value["volume"] = json!(mass.volume);
        value["mass"] = json!(mass.mass);
        value["centroid"] = list(mass.centroid.as_slice());
        value["inertia"] = rows(&mass.inertia);
        value["principal_moments"] = list(moments.as_slice());
        value["principal_axes"] = rows(&axes.transpose());
    }
    if let Some(mesh) = mesh {
        value["mesh"] = json!({ "triangles": mesh.triangles().len(), "vertices": mesh.vertices().len() });
    }
    value
}

fn write_mesh(surface: &dyn Surface, chord: Option<f64>, path: &Path) -> Result<TriMesh, Failure> {
    let chord = chord.unwrap_or(1e-3 * surface.bounds().diagonal());
    let mesh = surface.tessellate(chord).map_err(|e| e.to_string())?;
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    if ending != "stl" && ending != "obj" {
        return Err(Failure::input(format!("{}: a mesh is written as .stl or .obj", path.display())));
    }
    let failed = |e: std::io::Error| Failure::output(format!("{}: {e}", path.display()));
    let mut file = WholeFile::create(path).map_err(failed)?;
    let mut out = BufWriter::new(&mut file);
    let written =
        if ending == "stl" { stl::write_binary(&mesh, &mut out) } else { obj::write(&mesh, &mut out) };
    written.and_then(|()| std::io::Write::flush(&mut out)).map_err(failed)?;
    drop(out);
    file.finish().map_err(failed)?;
    Ok(mesh)
}
