//! Which measures can be.

use rattleback_geom::GeomError;

/// The result of making a solid.
pub(super) type Result<T> = std::result::Result<T, GeomError>;

/// Accepts a finite number above zero.
pub(super) fn positive(field: &str, value: f64) -> Result<f64> {
    within(field, value, f64::MIN_POSITIVE, f64::MAX, "a finite number above zero")
}

/// Accepts a number within bounds, which are themselves allowed.
pub(super) fn within(field: &str, value: f64, low: f64, high: f64, allowed: &str) -> Result<f64> {
    if value >= low && value <= high {
        Ok(value)
    } else {
        Err(GeomError::OutOfRange { field: field.to_owned(), value, allowed: allowed.to_owned() })
    }
}
