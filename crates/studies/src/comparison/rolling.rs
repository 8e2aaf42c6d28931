//! Bodies that roll: Kry and Pai's stone and bowl, a ball, a ring and a stack.

use super::records::{Records, passages};
use super::{BOOKS, Comparison, LEDGER};
use rattleback_record::Result;

const PAPER: &str = "the paper, section 4.2.1";
const CLOSED: &str = "closed form";
const PLACE: [&str; 3] = ["x_m", "y_m", "z_m"];
const VELOCITY: [&str; 3] = ["vx_m_per_s", "vy_m_per_s", "vz_m_per_s"];

/// The error of the energy balance as a share of the energy at the start.
fn books(comparison: &mut Comparison, records: &Records<'_>) -> Result<()> {
    let [start, _] = records.energy("total_J")?;
    let drift = records.at_end(format!("{:.1e}", records.drift() / start.abs()));
    comparison.row(LEDGER, "0", drift, BOOKS);
    Ok(())
}

/// The rattleback of one patch.
pub fn patch(records: &Records<'_>) -> Result<Comparison> {
    let mut comparison = Comparison::new(
        "The paper prints no numbers of its stone; size, inertia and start are chosen so that it does what the paper tells.",
    );
    let back = passages(&records.body("rattleback", "wz_rad_per_s")?).first().copied();
    let told = back.map(|time| format!("{time:.2}"));
    comparison.row("it turns back after, s", "about 8", told, PAPER);
    // Rocking stops twice in a period.
    let stops = passages(&records.body("rattleback", "wy_rad_per_s")?);
    let before: Vec<f64> = stops.into_iter().filter(|time| back.is_some_and(|back| *time < back)).collect();
    let period = match before.as_slice() {
        [.., first, _, _, _, last] => Some(format!("{:.2}", 0.5 * (last - first))),
        _ => None,
    };
    comparison.row("period of rocking just before, s", "about 0.5", period, PAPER);
    books(&mut comparison, records)?;
    Ok(comparison)
}

/// The bowl.
pub fn bowl(records: &Records<'_>) -> Result<Comparison> {
    let mut comparison = Comparison::new("The paper does not say how the bowl is thrown.");
    comparison.row(
        "restitution from bounce to bounce",
        "about 0.4",
        restitution(records, "table", "bowl")?,
        "the scene",
    );
    let speeds = records.magnitude("bowl", VELOCITY)?;
    let greatest = speeds.iter().fold(0.0_f64, |most, point| most.max(point[1]));
    let last = speeds.last().map_or(f64::NAN, |point| point[1] / greatest);
    let last = records.at_end(format!("{last:.3}"));
    comparison.row("speed at 3 s, share of the greatest", "small", last, "rest");
    books(&mut comparison, records)?;
    Ok(comparison)
}

/// The bowl of 14 patches.
pub fn bowl_at_rest(records: &Records<'_>) -> Result<Comparison> {
    let mut comparison = Comparison::new(
        "The paper's bowl has 14 patches and gradually comes to rest; its shape, its throw and its resistance to rolling are chosen.",
    );
    let speeds = records.magnitude("bowl", VELOCITY)?;
    let last = speeds.last().map_or(f64::NAN, |point| 1e3 * point[1]);
    comparison.row(
        "speed in the end, mm/s",
        "0",
        records.at_end(format!("{last:.3}")),
        "the paper, section 4.2",
    );
    books(&mut comparison, records)?;
    Ok(comparison)
}

/// The ball on an incline.
pub fn incline(records: &Records<'_>) -> Result<Comparison> {
    let mut comparison = Comparison::new("");
    let speed = records.magnitude("ball", VELOCITY)?.last().map(|point| point[1]);
    let speed = speed.and_then(|speed| records.at_end(format!("{speed:.6}")));
    let expected = 5.0 / 7.0 * 9.81 * 0.6;
    comparison.row("speed after 1 s, m/s", format!("{expected:.6}"), speed, CLOSED);
    books(&mut comparison, records)?;
    Ok(comparison)
}

/// The ring in a circle.
pub fn ring(records: &Records<'_>) -> Result<Comparison> {
    let mut comparison = Comparison::new("");
    let mut apart = 0.0_f64;
    for column in PLACE {
        let places = records.body("ring", column)?;
        if let (Some(first), Some(last)) = (places.first(), places.last()) {
            apart = apart.hypot(last[1] - first[1]);
        }
    }
    let apart = records.at_end(format!("{apart:.1e}"));
    comparison.row("distance from the start after two rounds, m", "0", apart, CLOSED);
    let speeds = records.magnitude("ring", VELOCITY)?;
    let [least, most] = speeds.iter().fold([f64::INFINITY, 0.0], |[least, most], point| {
        [f64::min(least, point[1]), f64::max(most, point[1])]
    });
    comparison.row("speed, m/s", "0.645965 throughout", Some(format!("{least:.6} to {most:.6}")), CLOSED);
    books(&mut comparison, records)?;
    Ok(comparison)
}

/// The ball on a ball.
pub fn stack(records: &Records<'_>) -> Result<Comparison> {
    let mut comparison = Comparison::new("");
    let found = restitution(records, "table", "small")?;
    comparison.row("restitution from bounce to bounce on the table", "0.4", found, "the scene");
    books(&mut comparison, records)?;
    Ok(comparison)
}

/// The speed of a bounce against that of the one before, where a body falls back as fast as it rose: the least and
/// the greatest.
fn restitution(records: &Records<'_>, a: &str, b: &str) -> Result<Option<String>> {
    let events = &records.events;
    let (first, second) = (events.text("body_a")?, events.text("body_b")?);
    let speeds = events.numbers("approach_speed_m_per_s")?;
    let bounces: Vec<f64> = (0..events.rows())
        .filter(|&k| first[k] == a && second[k] == b && speeds[k] > 0.0)
        .map(|k| speeds[k])
        .collect();
    let shares = bounces.windows(2).map(|pair| pair[1] / pair[0]);
    let [least, most] =
        shares.fold([f64::INFINITY, 0.0], |[least, most], share| [least.min(share), most.max(share)]);
    Ok((bounces.len() > 1).then(|| format!("{least:.3} to {most:.3}")))
}
