//! Files that are cut, have bytes changed, or lose a block, as disks and people do it.

use super::random::Random;
use super::results::names;
use std::path::Path;

/// Damages one file of a folder; says what was done, or nothing where no file could be damaged.
pub fn damage(folder: &Path, random: &mut Random) -> Result<Option<String>, String> {
    let files: Vec<String> = names(folder)?.into_iter().collect();
    // Half of the damage goes to the checkpoint, without which nothing goes on.
    let name = match files.iter().find(|name| *name == "checkpoint.json") {
        Some(name) if random.below(2) == 0 => name.clone(),
        _ => files[random.below(files.len() as u64) as usize].clone(),
    };
    let path = folder.join(&name);
    let mut bytes = std::fs::read(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    if bytes.is_empty() {
        return Ok(None);
    }
    let at = random.below(bytes.len() as u64) as usize;
    let done = match random.below(4) {
        0 => {
            bytes.truncate(at);
            format!("{name} cut at byte {at}")
        }
        1 => {
            let bit = random.below(8);
            bytes[at] ^= 1 << bit;
            format!("{name}: bit {bit} of byte {at} turned")
        }
        2 => {
            // Another digit keeps a number a number.
            let digit = bytes[at..].iter().position(u8::is_ascii_digit).map_or(at, |k| at + k);
            bytes[digit] =
                b'0' + (bytes[digit].wrapping_sub(b'0').wrapping_add(1 + random.below(9) as u8)) % 10;
            format!("{name}: another digit at byte {digit}")
        }
        _ => {
            let end = bytes.len().min(at + 512);
            bytes[at..end].fill(0);
            format!("{name}: zeros from byte {at} to {end}")
        }
    };
    std::fs::write(&path, bytes).map_err(|e| format!("{}: {e}", path.display()))?;
    Ok(Some(done))
}
