//! Rust's errors as Python's exceptions: the classes are those of `rattleback._errors`, the fields their attributes.

use crate::json;
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError};
use pyo3::prelude::*;
use rattleback_contact::ContactError;
use rattleback_dynamics::DynamicsError;
use rattleback_gait::GaitError;
use rattleback_record::RecordError;
use rattleback_scene::SceneError;
use rattleback_sweep::SweepError;
use serde_json::{Map, Value, json};

/// An exception of a class of the package, with attributes.
pub fn raise(py: Python<'_>, class: &str, message: &str, fields: Value) -> PyErr {
    let fields = match fields {
        Value::Object(fields) => fields,
        _ => Map::new(),
    };
    let made = || -> PyResult<Bound<'_, PyAny>> {
        let class = py.import("rattleback._errors")?.getattr(class)?;
        class.call((message,), Some(&json::dict(py, &fields)?))
    };
    match made() {
        Ok(exception) => PyErr::from_value(exception),
        // The package is broken: the message must not be lost.
        Err(error) => PyRuntimeError::new_err(format!("{message} ({error})")),
    }
}

/// A file or description that is refused.
pub fn scene(py: Python<'_>, error: &SceneError) -> PyErr {
    let message = error.to_string();
    let fields = match error {
        SceneError::Refused { file, complaints } => {
            let told = complaints.iter().map(|complaint| {
                let known = complaint.span != (0..0);
                let (line, column) = file.place(complaint.span.start);
                let expected = complaint.message.split_once("expected ").map(|(_, expected)| expected);
                json!({
                    "field": complaint.key,
                    "message": complaint.message,
                    "expected": expected,
                    "help": complaint.help,
                    "file": file.path_at(complaint.span.start).display().to_string(),
                    "line": known.then_some(line),
                    "column": known.then_some(column),
                })
            });
            json!({"complaints": told.collect::<Vec<_>>()})
        }
        _ => json!({}),
    };
    raise(py, "SceneError", message.trim_end(), fields)
}

/// A query without an answer.
pub fn query(py: Python<'_>, error: &ContactError, index: Option<usize>) -> PyErr {
    let place = index.map_or_else(String::new, |index| format!("pair {index}: "));
    let mut fields = json!({"index": index});
    if let ContactError::OutOfRange { field, value, allowed } = error {
        fields["field"] = json!(field);
        fields["value"] = json!(value);
        fields["expected"] = json!(allowed);
    }
    raise(py, "QueryError", &format!("{place}{error}"), fields)
}

/// A motion that could not be computed.
pub fn motion(py: Python<'_>, error: &DynamicsError, reached: Option<f64>) -> PyErr {
    let mut fields = json!({"reached": reached});
    if let DynamicsError::OutOfRange { field, value, allowed } = error {
        fields["field"] = json!(field.to_string());
        fields["value"] = json!(value);
        fields["expected"] = json!(allowed.to_string());
    }
    raise(py, "MotionError", &error.to_string(), fields)
}

/// A trial that cannot be read, or that does not hold what was asked of it.
pub fn gait(py: Python<'_>, error: &GaitError) -> PyErr {
    let message = error.to_string();
    match error {
        GaitError::Stopped => PyKeyboardInterrupt::new_err(()),
        GaitError::Motion { .. } => raise(py, "MotionError", &message, json!({})),
        GaitError::Write { .. } => raise(py, "RecordError", &message, json!({})),
        GaitError::OutOfRange { field, value, allowed } => {
            raise(py, "TrialError", &message, json!({"field": field, "value": value, "expected": allowed}))
        }
        GaitError::Damaged { path, complaints, .. } => {
            let path = path.display().to_string();
            let told = complaints.iter().map(|complaint| {
                let known = complaint.line > 0;
                json!({
                    "field": "",
                    "message": complaint.message,
                    "expected": null,
                    "help": null,
                    "file": path,
                    "line": known.then_some(complaint.line),
                    "column": known.then_some(complaint.column),
                })
            });
            raise(py, "TrialError", &message, json!({"complaints": told.collect::<Vec<_>>()}))
        }
        _ => raise(py, "TrialError", &message, json!({})),
    }
}

/// Results that could not be kept or read.
pub fn record(py: Python<'_>, error: &RecordError) -> PyErr {
    raise(py, "RecordError", &error.to_string(), json!({}))
}

/// Whatever a run or a sweep says.
pub fn sweep(py: Python<'_>, error: &SweepError) -> PyErr {
    let message = error.to_string();
    match error {
        SweepError::Scene(error) => scene(py, error),
        SweepError::Record(error) | SweepError::Unwritten { source: error, .. } => record(py, error),
        SweepError::Motion { reached, .. } | SweepError::Stalled { reached, .. } => {
            raise(py, "MotionError", &message, json!({"reached": reached}))
        }
        SweepError::Broken { .. } | SweepError::NoValue { .. } => {
            raise(py, "MotionError", &message, json!({}))
        }
        SweepError::Stopped => PyKeyboardInterrupt::new_err(()),
        SweepError::Option { option, reason } => {
            raise(py, "ArgumentError", &message, json!({"field": option, "expected": reason}))
        }
        SweepError::Parameter { name, known } => {
            raise(py, "ArgumentError", &message, json!({"field": name, "expected": known}))
        }
        SweepError::OutOfRange { what, found, allowed } => {
            raise(py, "ArgumentError", &message, json!({"field": what, "value": found, "expected": allowed}))
        }
        _ => raise(py, "SweepError", &message, json!({})),
    }
}

/// An argument that is not what it must be.
pub fn argument(py: Python<'_>, field: &str, found: &str, expected: &str) -> PyErr {
    let message = format!("{field}: found {found}; expected {expected}");
    raise(py, "ArgumentError", &message, json!({"field": field, "value": found, "expected": expected}))
}
