//! One line of the answers.

use crate::applications::FORMAT;
use rattleback_contact::first_contact::{FirstContact, MovingCollider, Search, first_contact};
use rattleback_contact::material::{Material, hertz};
use rattleback_contact::narrow::Solution;
use rattleback_contact::proximity::{Proximity, quartic_roots};
use rattleback_contact::{Certificate, Collider, Contact, Solver, Twist, contact, curvature_between};
use rattleback_geom::Curvature;
use rattleback_scene::{PairQuery, pair_id};
use rattleback_studies::lopes::state_name;
use serde::Serialize;
use serde_json::value::RawValue;
use std::path::Path;

/// How pairs are answered.
#[derive(Clone, Copy)]
pub(super) struct Method {
    /// The solver that was asked for by its name, if any was.
    pub solver: Option<Solver>,
    /// Gaps of this size count as zero in states, in m.
    pub touching: f64,
    /// First contact is asked for, within so many seconds and as exactly.
    pub motion: Option<(f64, Search)>,
    /// What is asked before the normal is sought.
    pub proximity: Option<Proximity>,
    /// What both bodies are made of, where Hertz's theory is asked for.
    pub material: Option<Material>,
}

/// What a proximity query says.
#[derive(Serialize)]
struct NearFields {
    proximity: &'static str,
    separation: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    positive_roots: Option<usize>,
}

/// What Hertz's theory says of an overlap.
#[derive(Serialize, Default)]
struct HertzFields {
    force: Option<f64>,
    patch: Option<[f64; 2]>,
    pressure: Option<f64>,
}

impl HertzFields {
    /// Of a gap in m and the relative curvatures there.
    fn new(material: &Material, gap: f64, curvature: Option<[f64; 2]>) -> Self {
        let depth = -gap;
        let modulus = material.effective_modulus(material);
        let found = curvature.filter(|_| depth > 0.0).and_then(|curvature| hertz(modulus, curvature).ok());
        found.map_or_else(Self::default, |found| {
            let force = found.stiffness * depth.powf(1.5);
            Self {
                force: Some(force),
                patch: Some(found.patch.map(|axis| axis * depth.sqrt())),
                pressure: Some(found.greatest_pressure(depth, force)),
            }
        })
    }
}

/// What is found of a pair.
enum Found {
    Contact(Option<NearFields>, Box<Contact>),
    Solution(Option<NearFields>, Solution, Option<HertzFields>),
    /// Parted before their normal was sought.
    Parted(NearFields),
    FirstContact(FirstContact),
}

/// A line of the output.
pub(super) struct Answer {
    pub text: String,
    pub failed: bool,
}

impl Answer {
    pub fn to(line: u64, text: &[u8], file: &Path, method: &Method) -> Self {
        let (id, found) = match std::str::from_utf8(text.trim_ascii()) {
            Ok(text) => answer(text, file, method),
            Err(error) => (None, Err(format!("not UTF-8: {error}"))),
        };
        let id = id.as_deref();
        let written = match &found {
            Ok(Found::Contact(near, contact)) => {
                serde_json::to_string(&AnswerFields::new(id, near.as_ref(), contact, method))
            }
            Ok(Found::Solution(near, solution, hertz)) => {
                let near = near.as_ref();
                serde_json::to_string(&SolutionFields::new(id, near, solution, hertz.as_ref(), method))
            }
            Ok(Found::Parted(near)) => serde_json::to_string(&PartedFields { id, near, state: "apart" }),
            Ok(Found::FirstContact(found)) => serde_json::to_string(&FirstContactFields::new(id, found)),
            Err(error) => serde_json::to_string(&Failed { id, line, error }),
        };
        // Writing numbers and text into memory cannot fail; were it to, the line would still say so.
        let text = written.unwrap_or_else(|e| format!("{{\"id\":null,\"line\":{line},\"error\":\"{e}\"}}"));
        Self { text: text + "\n", failed: found.is_err() }
    }
}

/// The `id` of a line and what is found there.
fn answer(text: &str, file: &Path, method: &Method) -> (Option<Box<RawValue>>, Result<Found, String>) {
    match FORMAT.parse_pair(text, file) {
        Ok(PairQuery { id, bodies, twists }) => (id, find(bodies, twists, method)),
        Err(error) => (pair_id(text), Err(error.to_string())),
    }
}

fn find([a, b]: [Collider; 2], twists: [Twist; 2], method: &Method) -> Result<Found, String> {
    if let Some((duration, search)) = &method.motion {
        let [of_a, of_b] = twists;
        let a = MovingCollider { collider: a, twist: of_a };
        let b = MovingCollider { collider: b, twist: of_b };
        let found = first_contact(&a, &b, *duration, search);
        return found.map(Found::FirstContact).map_err(|e| e.to_string());
    }
    if twists.iter().any(|twist| *twist != Twist::zero()) {
        return Err("velocity and angular_velocity are for --motion".to_owned());
    }
    let near = method.proximity.map(|query| ask(query, &a, &b)).transpose().map_err(|e| e.to_string())?;
    if let Some(near) = near.as_ref().filter(|near| near.separation.is_some_and(|gap| gap > 0.0)) {
        return Ok(Found::Parted(NearFields { ..*near }));
    }
    let found = match method.solver {
        None | Some(Solver::Own) => contact(&a, &b).map(|found| Found::Contact(near, Box::new(found))),
        Some(solver) => solver.solve(&a, &b).map(|found| {
            let hertz = method.material.map(|material| {
                let points = [&found.point_a, &found.point_b];
                // Where a surface has no curvature there, there is nothing to say.
                let curvature = curvature_between([&a, &b], &found.normal, points).ok();
                HertzFields::new(&material, found.gap, curvature.map(|c| c.relative.kappa))
            });
            Found::Solution(near, found, hertz)
        }),
    };
    found.map_err(|e| e.to_string())
}

fn ask(query: Proximity, a: &Collider, b: &Collider) -> rattleback_contact::Result<NearFields> {
    let positive_roots = if query == Proximity::Quartic { quartic_roots(a, b)? } else { None };
    Ok(NearFields { proximity: query.name(), separation: query.separation(a, b)?, positive_roots })
}

/// Bodies that a proximity query has parted.
#[derive(Serialize)]
struct PartedFields<'a> {
    id: Option<&'a RawValue>,
    #[serde(flatten)]
    near: &'a NearFields,
    state: &'static str,
}

#[derive(Serialize)]
struct Failed<'a> {
    id: Option<&'a RawValue>,
    line: u64,
    error: &'a str,
}

#[derive(Serialize)]
struct AnswerFields<'a> {
    id: Option<&'a RawValue>,
    #[serde(flatten)]
    near: Option<&'a NearFields>,
    #[serde(skip_serializing_if = "Option::is_none")]
    solver: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<&'static str>,
    gap: f64,
    point_a: [f64; 3],
    point_b: [f64; 3],
    normal: [f64; 3],
    curvature_a: [Option<f64>; 2],
    curvature_b: [Option<f64>; 2],
    relative_curvature: [Option<f64>; 2],
    iterations: u32,
    residual: f64,
    certified: bool,
    branch: Option<&'static str>,
    #[serde(flatten)]
    hertz: Option<HertzFields>,
}

impl<'a> AnswerFields<'a> {
    fn new(
        id: Option<&'a RawValue>,
        near: Option<&'a NearFields>,
        contact: &Contact,
        method: &Method,
    ) -> Self {
        // JSON has no infinity.
        let finite = |c: &Curvature| c.kappa.map(|k| k.is_finite().then_some(k));
        let touch = &contact.touch;
        Self {
            id,
            near,
            solver: method.solver.map(Solver::name),
            state: method.solver.and_then(|_| state_name(touch.gap, method.touching)),
            gap: touch.gap,
            point_a: touch.point_a.into(),
            point_b: touch.point_b.into(),
            normal: touch.normal.into(),
            curvature_a: contact.curvature.map_or([None; 2], |c| finite(&c.a)),
            curvature_b: contact.curvature.map_or([None; 2], |c| finite(&c.b)),
            relative_curvature: contact.curvature.map_or([None; 2], |c| finite(&c.relative)),
            iterations: touch.iterations,
            residual: touch.residual,
            certified: touch.certified,
            branch: match touch.certificate {
                Certificate::Overlap { branch, .. } => Some(branch.name()),
                _ => None,
            },
            hertz: method.material.map(|material| {
                HertzFields::new(&material, touch.gap, contact.curvature.map(|c| c.relative.kappa))
            }),
        }
    }
}

/// What a solver of the literature finds: a common normal, which need not be that of least distance.
#[derive(Serialize)]
struct SolutionFields<'a> {
    id: Option<&'a RawValue>,
    #[serde(flatten)]
    near: Option<&'a NearFields>,
    solver: Option<&'static str>,
    state: Option<&'static str>,
    gap: f64,
    point_a: [f64; 3],
    point_b: [f64; 3],
    normal: [f64; 3],
    iterations: u32,
    residual: f64,
    certified: bool,
    #[serde(flatten)]
    hertz: Option<&'a HertzFields>,
}

impl<'a> SolutionFields<'a> {
    fn new(
        id: Option<&'a RawValue>,
        near: Option<&'a NearFields>,
        found: &Solution,
        hertz: Option<&'a HertzFields>,
        method: &Method,
    ) -> Self {
        Self {
            id,
            near,
            solver: method.solver.map(Solver::name),
            state: state_name(found.gap, method.touching),
            gap: found.gap,
            point_a: found.point_a.into(),
            point_b: found.point_b.into(),
            normal: found.normal.into(),
            iterations: found.iterations,
            residual: found.residual,
            certified: false,
            hertz,
        }
    }
}

/// When moving bodies first touch.
#[derive(Serialize)]
struct FirstContactFields<'a> {
    id: Option<&'a RawValue>,
    first_contact: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    earliest: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    latest: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    normal: Option<[f64; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    apart_until: Option<f64>,
}

impl<'a> FirstContactFields<'a> {
    fn new(id: Option<&'a RawValue>, found: &FirstContact) -> Self {
        let word = |first_contact| Self {
            id,
            first_contact,
            earliest: None,
            latest: None,
            normal: None,
            apart_until: None,
        };
        match *found {
            FirstContact::AtStart => word("at_start"),
            FirstContact::Never => word("never"),
            FirstContact::Undecided { apart_until } => {
                Self { apart_until: Some(apart_until), ..word("undecided") }
            }
            FirstContact::Within { earliest, latest, normal } => Self {
                earliest: Some(earliest),
                latest: Some(latest),
                normal: Some(normal.into()),
                ..word("within")
            },
        }
    }
}
