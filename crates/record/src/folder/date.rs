//! Dates as text: RFC 3339 in UTC, from the clock of the system.

use std::time::{SystemTime, UNIX_EPOCH};

const DAY: u64 = 86_400;

/// A time as `2026-01-31T12:34:56Z`; times before 1970 are taken as its beginning.
pub(super) fn text(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let [year, month, day] = civil(seconds / DAY);
    let s = seconds % DAY;
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", s / 3600, s / 60 % 60, s % 60)
}

/// Year, month and day of a day counted from 1970 (H. Hinnant, chrono-compatible low-level date algorithms,
/// `civil_from_days`): years begin in March, so that the leap day comes last; an era has 400 years.
fn civil(days: u64) -> [u64; 3] {
    let shifted = days + 719_468;
    let (era, of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    [era * 400 + year_of_era + u64::from(month <= 2), month, day]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn known_instants_have_their_dates() {
        for (seconds, expected) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_234_567_890, "2009-02-13T23:31:30Z"),
            (4_107_542_399, "2100-02-28T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(text(UNIX_EPOCH + Duration::from_secs(seconds)), expected);
        }
    }
}
