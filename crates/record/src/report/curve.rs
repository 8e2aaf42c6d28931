//! Curves of a result folder by name, for reports, scenes and the command line alike.
//!
//! | name | curve over time |
//! |---|---|
//! | `BODY.COLUMN` | a number of a body, such as `egg.z_m` |
//! | `energy.COLUMN` | an energy, such as `energy.kinetic_J` |
//! | `A\|B.COLUMN` | a number of the contact of two bodies, such as `floor\|egg.normal_force_N` |
//! | `joint NAME.COLUMN` | a number of a joint, such as `joint hinge.force_z_N` |
//! | `windlass NUMBER.COLUMN` | a number of a windlass, such as `windlass 1.pull_N` |
//! | `rolling BODY.COLUMN` | a number of a body's rigid contact, such as `rolling stone.wz_rad_per_s` |
//! | `spring NUMBER.COLUMN` | a number of a spring, such as `spring 1.tension_N`; ropes, winches, torsion springs likewise (`spring.rs`) |
//!
//! Forces and torques of two bodies that touch in several parts are summed up, and zero where they do not touch; other
//! numbers are those of the first parts in contact, and the curve is broken where there are none. Names of bodies may
//! have points; a column's name has none.

use super::spring::Spring;
use crate::error::{RecordError, Result};
use crate::folder::{Column, Columns, Kind, ResultFolder, Sheet, TimedRows};
use rattleback_dynamics::Model;

/// A curve.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// Its name.
    pub name: String,
    origin: Origin,
    column: &'static Column,
}

#[derive(Debug, Clone, PartialEq)]
enum Origin {
    Body(String),
    Energy,
    Pair(String, String),
    Joint(String),
    Windlass(String),
    Rolling(String),
    Spring(Box<Spring>),
}

/// The sheets of a folder that have curves, read.
#[derive(Debug)]
pub struct Sheets {
    /// States.
    pub states: Columns,
    /// Contacts.
    pub contacts: Columns,
    /// Energies.
    pub energies: Columns,
    /// Joints, where there are any.
    pub joints: Option<Columns>,
    /// Windlasses, where there are any.
    pub windlasses: Option<Columns>,
    /// Rigid contacts, where bodies are moved in contact coordinates.
    pub rolling: Option<Columns>,
}

impl Sheets {
    /// Those of a record in memory; an error where one of them is not there.
    pub fn of(sheets: Vec<Columns>) -> Result<Self> {
        let mut sheets: Vec<Option<Columns>> = sheets.into_iter().map(Some).collect();
        let mut take = |sheet: Sheet| {
            let found = sheets.iter_mut().find(|found| found.as_ref().is_some_and(|c| c.sheet() == sheet));
            found.and_then(Option::take)
        };
        let missing = |sheet: Sheet| RecordError::Column {
            sheet: sheet.name(),
            column: "time_s".to_owned(),
            expected: "numbers",
        };
        Ok(Self {
            states: take(Sheet::States).ok_or_else(|| missing(Sheet::States))?,
            contacts: take(Sheet::Contacts).ok_or_else(|| missing(Sheet::Contacts))?,
            energies: take(Sheet::Energies).ok_or_else(|| missing(Sheet::Energies))?,
            joints: take(Sheet::Joints),
            windlasses: take(Sheet::Windlasses),
            rolling: take(Sheet::Rolling),
        })
    }

    /// Reads them as far as they have been written.
    pub fn read(folder: &ResultFolder) -> Result<Self> {
        let read = |sheet: Sheet| folder.has(sheet).then(|| folder.sheet(sheet)).transpose();
        Ok(Self {
            states: folder.sheet(Sheet::States)?,
            contacts: folder.sheet(Sheet::Contacts)?,
            energies: folder.sheet(Sheet::Energies)?,
            joints: read(Sheet::Joints)?,
            windlasses: read(Sheet::Windlasses)?,
            rolling: read(Sheet::Rolling)?,
        })
    }
}

impl Origin {
    fn sheet(&self) -> Sheet {
        match self {
            Self::Body(_) | Self::Spring(_) => Sheet::States,
            Self::Energy => Sheet::Energies,
            Self::Pair(..) => Sheet::Contacts,
            Self::Joint(_) => Sheet::Joints,
            Self::Windlass(_) => Sheet::Windlasses,
            Self::Rolling(_) => Sheet::Rolling,
        }
    }

    fn columns(&self) -> &'static [Column] {
        match self {
            Self::Spring(spring) => spring.columns(),
            other => other.sheet().columns(),
        }
    }
}

/// Whether a name is one of springs and their like: a kind and a number.
fn is_spring(owner: &str) -> bool {
    let kinds = ["spring ", "rope ", "winch ", "torsion_spring "];
    let number = kinds.iter().find_map(|kind| owner.strip_prefix(kind));
    number.is_some_and(|text| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()))
}

/// A column of the rows of one owner; nothing where there is no such sheet.
fn series(sheet: &Option<Columns>, key: &'static str, owner: &str, column: &str) -> Result<Vec<[f64; 2]>> {
    sheet.as_ref().map_or_else(|| Ok(Vec::new()), |sheet| sheet.series(key, owner, column))
}

impl Curve {
    /// The curve of that name in records of a model.
    pub fn parse(name: &str, model: &Model) -> Result<Self> {
        let refuse = |reason: String| Err(RecordError::Curve { name: name.to_owned(), reason });
        let Some((owner, column)) = name.rsplit_once('.') else {
            let forms = "BODY.COLUMN, energy.COLUMN, BODY|BODY.COLUMN, joint NAME.COLUMN, windlass NUMBER.COLUMN, \
                         rolling BODY.COLUMN, or spring, rope, winch or torsion_spring NUMBER.COLUMN";
            return refuse(format!("expected {forms}"));
        };
        let body = |name: &str| model.find(name).is_some();
        let origin = if owner == "energy" {
            Origin::Energy
        } else if let Some(joint) = owner.strip_prefix("joint ")
            && !body(owner)
        {
            if !model.joints().iter().any(|other| other.name == joint) {
                return refuse(format!("there is no joint \"{joint}\""));
            }
            Origin::Joint(joint.to_owned())
        } else if let Some(number) = owner.strip_prefix("windlass ")
            && !body(owner)
        {
            let count = model.windlasses().count();
            if !(1..=count).any(|k| k.to_string() == number) {
                return refuse(format!("there is no windlass \"{number}\" among {count}"));
            }
            Origin::Windlass(number.to_owned())
        } else if let Some(name) = owner.strip_prefix("rolling ")
            && !body(owner)
        {
            if !body(name) {
                return refuse(format!("there is no body \"{name}\""));
            }
            Origin::Rolling(name.to_owned())
        } else if body(owner) {
            Origin::Body(owner.to_owned())
        } else if is_spring(owner) {
            match Spring::all(model).into_iter().find(|spring| spring.name == owner) {
                Some(spring) => Origin::Spring(Box::new(spring)),
                None => return refuse(format!("there is no \"{owner}\"; they count from 1")),
            }
        } else if let Some((a, b)) = owner.split_once('|') {
            if let Some(missing) = [a, b].into_iter().find(|name| !body(name)) {
                return refuse(format!("there is no body \"{missing}\""));
            }
            // Records have the body declared first at first.
            let (a, b) = if model.find(a) <= model.find(b) { (a, b) } else { (b, a) };
            Origin::Pair(a.to_owned(), b.to_owned())
        } else {
            return refuse(format!("there is no body \"{owner}\""));
        };
        let columns = origin.columns();
        let drawn = |other: &&Column| other.kind == Kind::Float && other.name != "time_s";
        match columns.iter().filter(drawn).find(|other| other.name == column) {
            Some(column) => Ok(Self { name: name.to_owned(), origin, column }),
            None => {
                let known: Vec<&str> = columns.iter().filter(drawn).map(|other| other.name).collect();
                refuse(format!("there is no column \"{column}\"; expected one of {}", known.join(", ")))
            }
        }
    }

    /// The sheet that it is read from.
    pub fn sheet(&self) -> Sheet {
        self.origin.sheet()
    }

    /// Its value at an instant, from rows of its sheet that have come no further than that; they go on to the next
    /// instant. NaN, or zero for a sum, where the instant has no such row.
    pub fn value_at(&self, time: f64, rows: &mut TimedRows) -> Result<f64> {
        let columns = self.origin.columns();
        let place = |name: &str| columns.iter().position(|column| column.name == name).unwrap_or(0);
        let column = place(self.column.name);
        if let Origin::Spring(spring) = &self.origin {
            return spring.value_at(column, time, rows);
        }
        let summed = self.is_summed();
        let mut value = if summed { 0.0 } else { f64::NAN };
        while rows.time().is_some_and(|own| own < time) {
            rows.skip_instant()?;
        }
        while rows.time() == Some(time) {
            let is_own = match &self.origin {
                Origin::Energy => true,
                Origin::Spring(_) => false,
                Origin::Body(name) | Origin::Joint(name) | Origin::Windlass(name) | Origin::Rolling(name) => {
                    rows.cell(1) == name
                }
                Origin::Pair(a, b) => rows.cell(place("body_a")) == a && rows.cell(place("body_b")) == b,
            };
            if is_own && summed {
                value += rows.number(column)?;
            } else if is_own && value.is_nan() {
                value = rows.number(column)?;
            }
            rows.advance()?;
        }
        Ok(value)
    }

    /// Whether the values of several parts of two bodies add up.
    fn is_summed(&self) -> bool {
        matches!(self.origin, Origin::Pair(..)) && matches!(self.column.unit, "N" | "N m")
    }

    /// The unit of its values; empty where they have none.
    pub fn unit(&self) -> &'static str {
        self.column.unit
    }

    /// What it shows, without the unit.
    pub fn quantity(&self) -> &'static str {
        let unit = self.column.unit.replace('/', "_per_").replace(' ', "_");
        self.column.name.strip_suffix(&format!("_{unit}")).unwrap_or(self.column.name)
    }

    /// Its points: time and value.
    pub fn points(&self, sheets: &Sheets) -> Result<Vec<[f64; 2]>> {
        let column = self.column.name;
        match &self.origin {
            Origin::Body(body) => sheets.states.series("body", body, column),
            Origin::Joint(joint) => series(&sheets.joints, "joint", joint, column),
            Origin::Windlass(number) => series(&sheets.windlasses, "windlass", number, column),
            Origin::Rolling(body) => series(&sheets.rolling, "body", body, column),
            Origin::Energy => {
                let (times, values) = (sheets.energies.numbers("time_s")?, sheets.energies.numbers(column)?);
                Ok(times.iter().zip(values).map(|(t, v)| [*t, *v]).collect())
            }
            Origin::Pair(a, b) => self.of_pair(a, b, sheets),
            Origin::Spring(spring) => {
                let place = spring.columns().iter().position(|other| other.name == column).unwrap_or(0);
                spring.series(place, &sheets.states)
            }
        }
    }

    fn of_pair(&self, a: &str, b: &str, sheets: &Sheets) -> Result<Vec<[f64; 2]>> {
        let contacts = &sheets.contacts;
        let (times, values) = (contacts.numbers("time_s")?, contacts.numbers(self.column.name)?);
        let (first, second) = (contacts.text("body_a")?, contacts.text("body_b")?);
        let summed = self.is_summed();
        let mut row = 0;
        let mut points = Vec::new();
        // Both sheets follow the outputs.
        for &time in sheets.energies.numbers("time_s")? {
            let mut value = if summed { 0.0 } else { f64::NAN };
            while row < times.len() && times[row] <= time {
                if times[row] == time && first[row] == a && second[row] == b {
                    if summed {
                        value += values[row];
                    } else if value.is_nan() {
                        value = values[row];
                    }
                }
                row += 1;
            }
            points.push([time, value]);
        }
        Ok(points)
    }
}
