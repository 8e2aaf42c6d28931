//! Arguments that every solver refuses.

use crate::{ContactError, Result};
use rattleback_geom::{Pose, Vec3};

/// Accepts a finite number above zero.
pub(crate) fn positive(field: &str, value: f64) -> Result<f64> {
    if value > 0.0 && value.is_finite() {
        return Ok(value);
    }
    Err(ContactError::OutOfRange { field: field.to_owned(), value, allowed: "a finite number above zero" })
}

/// Accepts finite components.
pub(crate) fn finite<'a>(field: &str, values: impl IntoIterator<Item = &'a f64>) -> Result<()> {
    for (i, &value) in values.into_iter().enumerate() {
        if !value.is_finite() {
            let field = format!("{field}[{i}]");
            return Err(ContactError::OutOfRange { field, value, allowed: "a finite number" });
        }
    }
    Ok(())
}

/// Accepts a pose of finite numbers.
pub(crate) fn pose(field: &str, pose: &Pose) -> Result<()> {
    finite(&format!("{field}.position"), &pose.position)?;
    finite(&format!("{field}.orientation"), &pose.wxyz())
}

/// Accepts a vector with a direction and returns it with length one.
pub(crate) fn direction(field: &str, v: &Vec3) -> Result<Vec3> {
    finite(field, v)?;
    let scale = v.amax();
    if scale == 0.0 {
        let allowed = "a vector of non-zero length";
        return Err(ContactError::OutOfRange { field: field.to_owned(), value: 0.0, allowed });
    }
    Ok((v / scale).normalize())
}
