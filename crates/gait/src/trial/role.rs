//! What a marker is, by its name.
//!
//! `subject:R_Heel`, `RHeel`, `R.Heel`, `r_heel`, `RHEE`, `heel_r` are one: what stands before a colon is left out, the
//! name is split at separators and at capitals, a part `r`, `l`, `right` or `left` is the side; the rest, joined, is
//! looked up. A side that is only a first letter (`RHEE`) is taken where the rest is known.

use super::alias::TABLE;

/// A side of the body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The left one.
    Left,
    /// The right one.
    Right,
    /// Neither: on the middle of the body.
    Middle,
}

impl Side {
    /// The two sides of the body.
    pub const BOTH: [Self; 2] = [Self::Right, Self::Left];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
            Self::Middle => "middle",
        }
    }
}

/// A place on the body. Those that say "any place" may be had by several markers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the words of anatomy; `alias.rs` has the names of markers")]
pub enum Landmark {
    Asis,
    Psis,
    Sacrum,
    Trochanter,
    KneeLateral,
    KneeMedial,
    AnkleLateral,
    AnkleMedial,
    Heel,
    ToeTip,
    MetatarsalFirst,
    MetatarsalSecond,
    MetatarsalFifth,
    MidfootSuperior,
    MidfootLateral,
    /// Any place on the thigh.
    Thigh,
    /// Any place on the shank.
    Shank,
    Clavicle,
    Sternum,
    C7,
    T10,
    Shoulder,
    /// Any place on the upper arm.
    UpperArm,
    ElbowLateral,
    ElbowMedial,
    /// Any place on the forearm.
    Forearm,
    WristRadial,
    WristUlnar,
    /// Any place on the hand.
    Hand,
    /// Any place on the front of the head.
    HeadFront,
    /// Any place on the back of the head.
    HeadBack,
    HeadTop,
}

/// What a marker is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
pub struct Role {
    /// The place.
    pub landmark: Landmark,
    /// The side.
    pub side: Side,
}

impl Role {
    /// The word for it, as files of names have it: `right_heel`, `sacrum`.
    pub fn word(self) -> String {
        let word = TABLE.iter().find(|(l, ..)| *l == self.landmark).map_or("", |(_, word, ..)| word);
        match self.side {
            Side::Middle => word.to_owned(),
            side => format!("{}_{word}", side.word()),
        }
    }

    /// The role of a word, as files of names have it.
    pub fn from_word(text: &str) -> Option<Self> {
        TABLE.iter().find_map(|(landmark, word, has_sides, _)| {
            let sides: &[Side] = if *has_sides { &Side::BOTH } else { &[Side::Middle] };
            let each = sides.iter().map(|side| Self { landmark: *landmark, side: *side });
            each.into_iter().find(|role| role.word() == text || (text == *word && !has_sides))
        })
    }

    /// All words, in the order of the body.
    pub fn words() -> Vec<String> {
        TABLE
            .iter()
            .flat_map(|(landmark, _, has_sides, _)| {
                let sides: &[Side] = if *has_sides { &Side::BOTH } else { &[Side::Middle] };
                sides.iter().map(|side| Self { landmark: *landmark, side: *side }.word())
            })
            .collect()
    }
}

/// The role of a marker by its name, where it is known.
pub fn role_of(name: &str) -> Option<Role> {
    let name = name.rsplit(':').next().unwrap_or(name);
    let parts = parts(name);
    let joined = parts.concat();
    if let Some(landmark) = look_up(&joined, false) {
        return Some(Role { landmark, side: Side::Middle });
    }
    for at in [0, parts.len().saturating_sub(1)] {
        let side = match parts.get(at).map(String::as_str) {
            Some("r" | "right" | "rt") => Side::Right,
            Some("l" | "left" | "lt") => Side::Left,
            _ => continue,
        };
        let rest: String =
            parts.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, p)| p.as_str()).collect();
        if let Some(landmark) = look_up(&rest, true) {
            return Some(Role { landmark, side });
        }
    }
    let letter = |letter: Option<char>| match letter {
        Some('r') => Some(Side::Right),
        Some('l') => Some(Side::Left),
        _ => None,
    };
    let first = letter(joined.chars().next()).and_then(|side| Some((side, look_up(&joined[1..], true)?)));
    let last = || {
        let rest = joined.get(..joined.len().checked_sub(1)?)?;
        letter(joined.chars().last()).and_then(|side| Some((side, look_up(rest, true)?)))
    };
    first.or_else(last).map(|(side, landmark)| Role { landmark, side })
}

/// A marker's name without what says its side: the same for the two markers of a pair.
pub(crate) fn name_without_side(name: &str) -> String {
    let mut parts = parts(name.rsplit(':').next().unwrap_or(name));
    let count = parts.len();
    parts.retain(|p| !matches!(p.as_str(), "r" | "l" | "right" | "left" | "rt" | "lt"));
    let joined = parts.concat();
    let is_letter = parts.len() == count && role_of(name).is_some_and(|r| r.side != Side::Middle);
    match joined.strip_prefix(['r', 'l']) {
        Some(rest) if is_letter => rest.to_owned(),
        _ => joined,
    }
}

fn look_up(key: &str, has_sides: bool) -> Option<Landmark> {
    TABLE
        .iter()
        .find(|(_, _, sides, names)| *sides == has_sides && names.split_whitespace().any(|name| name == key))
        .map(|(l, ..)| *l)
}

/// The parts of a name in small letters: split where it is no letter or digit, and before a capital that follows a
/// small letter or begins a word (`RHeel` is `r`, `heel`).
fn parts(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().collect();
    let mut parts = vec![String::new()];
    for (i, c) in letters.iter().enumerate() {
        if !c.is_alphanumeric() {
            parts.push(String::new());
            continue;
        }
        let before = i.checked_sub(1).map(|k| letters[k]);
        let begins = c.is_uppercase()
            && before.is_some_and(|b| {
                b.is_lowercase() || (b.is_uppercase() && letters.get(i + 1).is_some_and(|n| n.is_lowercase()))
            });
        if begins {
            parts.push(String::new());
        }
        if let Some(part) = parts.last_mut() {
            part.extend(c.to_lowercase());
        }
    }
    parts.retain(|p| !p.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn role(name: &str) -> Option<String> {
        role_of(name).map(Role::word)
    }

    #[test]
    fn names_of_several_marker_sets_say_the_same() {
        for name in
            ["R.Heel", "R_Heel", "RHeel", "r_heel", "RHEE", "subject:RHEE", "heel_r", "RightHeel", "RFCC"]
        {
            assert_eq!(role(name).as_deref(), Some("right_heel"), "{name}");
        }
        for (name, word) in [
            ("V.Sacral", "sacrum"),
            ("LPSI", "left_psis"),
            ("L.Toe.Med", "left_metatarsal_first"),
            ("RTOE", "right_metatarsal_second"),
            ("R.Toe.Tip", "right_toe_tip"),
            ("C7", "c7"),
            ("CLAV", "clavicle"),
            ("LFHD", "left_head_front"),
            ("Top.Head", "head_top"),
            ("L.Wrist.Med", "left_wrist_ulnar"),
            ("RFLE", "right_knee_lateral"),
            ("LKNE", "left_knee_lateral"),
            ("L.Knee.Lat", "left_knee_lateral"),
            ("RANK", "right_ankle_lateral"),
            ("R.Acromium", "right_shoulder"),
            ("STRN", "sternum"),
            ("LTHI", "left_thigh"),
        ] {
            assert_eq!(role(name).as_deref(), Some(word), "{name}");
        }
        for name in ["*60", "", "Wand", "R", "bottle", "é"] {
            assert_eq!(role(name), None, "{name}");
        }
    }

    #[test]
    fn every_word_reads_back() {
        for word in Role::words() {
            assert_eq!(Role::from_word(&word).map(Role::word), Some(word));
        }
    }
}
