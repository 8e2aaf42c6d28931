//! Changes of bytes, whatever they mean.

use super::token;
use crate::random::Random;

/// What breaks readers of text: no UTF-8, NUL, line ends, marks of order, quotes, what opens and never closes.
const PIECES: &[&[u8]] = &[
    b"\0",
    b"\xff",
    b"\xc3",
    b"\xe2\x82",
    b"\xed\xa0\x80",
    b"\xf5\x80\x80\x80",
    b"\xef\xbb\xbf",
    b"\r",
    b"\n",
    b"\r\n",
    b"\t",
    b"\"",
    b"\"\"\"",
    b"'",
    b"\\",
    b"\\u0000",
    b"#",
    b"=",
    b",",
    b",,",
    b"[",
    b"]",
    b"{",
    b"}",
    b"[[",
    b"]]",
    b"-",
    b"e",
    b".",
    b"/",
    b"//",
    b"nan",
    b"null",
    b"\xe2\x80\xae",
    b"solid",
    b"endsolid",
    b"facet",
    b"v 0 0 0\n",
    b"f 1 2 3\n",
    b"f -1 -2 -3\n",
    b"1e999",
];

/// Bits of four bytes that are hard on readers of binary files: NaN, infinities, the smallest and largest floats,
/// counts.
const WORDS: &[u32] = &[
    0x7fc0_0000,
    0x7f80_0000,
    0xff80_0000,
    0x0000_0001,
    0x7f7f_ffff,
    0x8000_0000,
    0,
    1,
    2,
    0xffff_ffff,
    0x7fff_ffff,
    0x1000_0000,
    0x3f80_0000,
    0xbf80_0000,
    0x0080_0000,
    0x501502f9,
];

/// A file that is longer is cut: what is looked for is trouble with small ones.
const LONGEST: usize = 1 << 16;

/// Changes bytes in a few places. `others` are files from which pieces are taken.
pub fn mutate_bytes(bytes: &mut Vec<u8>, others: &[&[u8]], random: &mut Random) {
    let changes = [1, 1, 1, 2, 2, 4, 8][random.below(7)];
    for _ in 0..changes {
        change(bytes, others, random);
    }
    bytes.truncate(LONGEST);
}

/// Changes a few of the numbers of a text.
pub fn mutate_numbers(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..1 + random.below(4) {
        let at = random.below(bytes.len() + 1);
        replace_number(bytes, at, random);
    }
    bytes.truncate(LONGEST);
}

fn change(bytes: &mut Vec<u8>, others: &[&[u8]], random: &mut Random) {
    let at = random.below(bytes.len() + 1);
    match random.below(13) {
        0 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
        1 if at < bytes.len() => bytes[at] = random.bits() as u8,
        2 => insert(bytes, at, PIECES[random.below(PIECES.len())]),
        3 => drop(bytes.drain(random.range(bytes.len(), 64))),
        4 => bytes.truncate(at),
        5 => {
            let piece = bytes[random.range(bytes.len(), 200)].to_vec();
            insert(bytes, at, &piece);
        }
        6 => {
            let piece = random.pick(PIECES).repeat(1 + random.below(300));
            insert(bytes, at, &piece);
        }
        7 => {
            let other = *random.pick(others);
            let piece = other[random.range(other.len(), 400)].to_vec();
            insert(bytes, at, &piece);
        }
        8 if at + 4 <= bytes.len() => bytes[at..at + 4].copy_from_slice(&random.pick(WORDS).to_le_bytes()),
        9 => drop(bytes.drain(random.range(bytes.len(), bytes.len()))),
        10 => repeat_line(bytes, at, random),
        _ => replace_number(bytes, at, random),
    }
}

fn insert(bytes: &mut Vec<u8>, at: usize, piece: &[u8]) {
    let at = at.min(bytes.len());
    bytes.splice(at..at, piece.iter().copied());
}

/// Repeats the line around a place, or takes it away.
fn repeat_line(bytes: &mut Vec<u8>, at: usize, random: &mut Random) {
    let begin = bytes[..at].iter().rposition(|&b| b == b'\n').map_or(0, |k| k + 1);
    let end = bytes[at..].iter().position(|&b| b == b'\n').map_or(bytes.len(), |k| at + k + 1);
    let line = bytes[begin..end].to_vec();
    // A line of a binary file may be all of it, and be repeated again and again.
    let times = [0, 2, 2, 3, 100][random.below(5)].min(1 + LONGEST / line.len().max(1));
    bytes.splice(begin..end, line.repeat(times));
}

/// Puts another number in the place of the first one after a place.
fn replace_number(bytes: &mut Vec<u8>, at: usize, random: &mut Random) {
    let digit = |b: &u8| b.is_ascii_digit() || matches!(b, b'-' | b'.');
    let Some(begin) = bytes[at..].iter().position(digit).map(|k| at + k) else { return };
    let inside = |b: &u8| digit(b) || matches!(b, b'e' | b'E' | b'+');
    let end = bytes[begin..].iter().position(|b| !inside(b)).map_or(bytes.len(), |k| begin + k);
    let text = String::from_utf8_lossy(&bytes[begin..end]).into_owned();
    bytes.splice(begin..end, token::near(&text, random).into_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_change_and_stay_bounded_whatever_they_were() {
        for number in 0..3000 {
            let mut random = Random::new(5, number);
            let mut bytes = [&b""[..], b"x", b"a = 1.5\nb = 2\n", b"\xff\xff"][number as usize % 4].to_vec();
            mutate_bytes(&mut bytes, &[b"", b"solid"], &mut random);
            assert!(bytes.len() <= LONGEST);
        }
    }
}
