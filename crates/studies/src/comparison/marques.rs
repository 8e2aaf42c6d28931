//! Marques et al., section 3. The paper prints no numbers but "around eight" impacts; its words and closed forms
//! stand in.
//!
//! Balls of equal mass that meet one after the other with restitution e hand on (1 + e)/2 of their speed; once they
//! all move together n of them have 1/n of the energy.

use super::records::{Records, peak};
use super::{BOOKS, Comparison, LEDGER};
use rattleback_record::Result;

/// The radius of the ball in m, as the scene has it.
const BALL: f64 = 0.01;
/// The radius of the sphere in m, as the scene has it.
const SPHERE: f64 = 0.1;
/// Bounces that fit into the scene's duration with the flight after them.
const BOUNCES: usize = 2;
/// Balls that meet at less than this share of the first speed move together.
const TOGETHER: f64 = 0.01;
const PAPER: &str = "the paper, section 3.2";
const CLOSED: &str = "closed form";

/// A bouncing ball, section 3.1.
pub fn ball(records: &Records<'_>) -> Result<Comparison> {
    let mut comparison = Comparison::new(
        "Fig. 2 of the paper draws the restitution obtained over the restitution asked for, without printed numbers; the \
         study of restitution draws ours, to be compared by eye. What is asked for is without weight; here the ball's weight acts \
         during the impact too.",
    );
    let events = &records.events;
    let speeds = events.numbers("approach_speed_m_per_s")?;
    let (starts, ends) = (events.numbers("start_s")?, events.numbers("end_s")?);
    let height = records.body("ball", "z_m")?;
    let mut before = height.first().map_or(f64::NAN, |point| point[1]) - BALL;
    for k in 0..BOUNCES {
        let flown = k + 1 < speeds.len();
        let obtained = flown.then(|| format!("{:.5}", speeds[k + 1] / speeds[k]));
        comparison.row(
            format!("restitution of bounce {}: speed of the next impact over this one's", k + 1),
            "0.7",
            obtained,
            "asked for",
        );
        let ratio = flown.then(|| {
            let flight: Vec<_> =
                height.iter().copied().filter(|[t, _]| (ends[k]..starts[k + 1]).contains(t)).collect();
            let top = peak(&flight) - BALL;
            let ratio = top / before;
            before = top;
            format!("{ratio:.4}")
        });
        comparison.row(
            format!("height after bounce {} over the height before", k + 1),
            "0.49",
            ratio,
            "closed form, 0.7²",
        );
    }
    Ok(comparison)
}

/// The two numbers that every cradle is about.
fn swing(
    records: &Records<'_>,
    remark: &'static str,
    balls: usize,
    [height, left]: [(&str, &str); 2],
) -> Result<Comparison> {
    let mut comparison = Comparison::new(remark);
    let first = records.body("ball 1", "z_m")?.first().map_or(f64::NAN, |point| point[1]);
    let top = peak(&records.body(&format!("ball {balls}"), "z_m")?) / first;
    let what = "greatest height of the last ball, of the first one's";
    comparison.row(what, height.0, records.at_end(format!("{top:.4}")), height.1);
    // The resting balls have none: all of it is the raised ball's.
    let [start, end] = records.energy("mechanical_J")?;
    let share = records.at_end(format!("{:.4}", end / start));
    comparison.row("energy left at 8 s, share of the raised ball's", left.0, share, left.1);
    let drift = records.at_end(format!("{:.1e}", records.drift() / start));
    comparison.row(LEDGER, "0", drift, BOOKS);
    Ok(comparison)
}

const FIVE: &str = "The paper has two pendulums; five show the same further.";
const TWO: &str = "Figs 3 to 6 of the paper draw the places of both pendulums over time, without printed numbers; the figure \
                   is to be compared with them by eye.";

/// Five balls without losses.
pub fn cradle(records: &Records<'_>) -> Result<Comparison> {
    swing(records, FIVE, 5, [("1", PAPER), ("1", PAPER)])
}

/// Five balls with restitution 0.5.
pub fn cradle_damped(records: &Records<'_>) -> Result<Comparison> {
    swing(records, FIVE, 5, [("0.1001", "closed form, 0.75⁸"), ("0.2", "closed form, 1/5")])
}

/// The paper's two balls without losses.
pub fn cradle_two(records: &Records<'_>) -> Result<Comparison> {
    swing(records, TWO, 2, [("1", PAPER), ("1", PAPER)])
}

/// The paper's two balls with restitution 0.5.
pub fn cradle_two_damped(records: &Records<'_>) -> Result<Comparison> {
    let expected = [("0.5625, below 1", "closed form, 0.75²; the paper"), ("0.5", "closed form, 1/2")];
    let mut comparison = swing(records, TWO, 2, expected)?;
    let speeds = records.events.numbers("approach_speed_m_per_s")?;
    let together = speeds.iter().position(|speed| *speed < TOGETHER * speeds[0]);
    let impacts = together.map(|k| (k + 1).to_string());
    comparison.row("impacts until they meet at less than 1 % of the first speed", "around 8", impacts, PAPER);
    Ok(comparison)
}

/// A sphere on an incline of 0.3 rad.
pub fn rolling_sphere(records: &Records<'_>) -> Result<Comparison> {
    let mut comparison = Comparison::new(
        "The incline carries the sphere at a depth of 0.2 mm, and it rolls on a radius that is shorter by half of that: both \
         numbers differ by 0.1 % or less from those of a rigid sphere.",
    );
    let speed = records.magnitude("sphere", ["vx_m_per_s", "vy_m_per_s", "vz_m_per_s"])?;
    let spin = records.magnitude("sphere", ["wx_rad_per_s", "wy_rad_per_s", "wz_rad_per_s"])?;
    let (middle, end) = (speed[speed.len() / 2], speed[speed.len() - 1]);
    let gained = (end[1] - middle[1]) / (end[0] - middle[0]);
    let expected = 5.0 / 7.0 * 9.81 * 0.3f64.sin();
    comparison.row(
        "acceleration in the second half, m/s²",
        format!("{expected:.4}"),
        records.at_end(format!("{gained:.4}")),
        "closed form, 5/7 g sin 0.3",
    );
    let rolling = SPHERE * spin[spin.len() - 1][1] / end[1];
    let rolling = records.at_end(format!("{rolling:.5}"));
    comparison.row("angular velocity times radius over velocity at 1 s", "1", rolling, CLOSED);
    Ok(comparison)
}

/// An ellipsoid on an incline, section 3.3.
pub fn ellipsoid(records: &Records<'_>) -> Result<Comparison> {
    let mut comparison = Comparison::new(
        "Fig. 8 of the paper shows the ellipsoid at several instants, without printed numbers; the pictures of the run's own \
         report are to be compared with them by eye.",
    );
    let ends = records.events.numbers("end_s")?;
    let lifted = ends.first().filter(|end| end.is_finite()).map(|end| format!("{end:.3}"));
    comparison.row("it first loses contact at, s", "it does", lifted, "the paper, section 3.3");
    Ok(comparison)
}
