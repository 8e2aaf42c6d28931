//! Smaller inputs with the same fault: pieces are taken away for as long as it stays (Zeller and Hildebrandt,
//! Simplifying and isolating failure-inducing input, IEEE Trans. Software Eng. 28 (2002), algorithm ddmin without its
//! complements).

use crate::input::Input;

/// A smaller input that is still at fault. `faulty` says whether one is; it is asked at most `most` times.
pub fn minimise(input: &Input, most: usize, mut faulty: impl FnMut(&Input) -> bool) -> Input {
    let mut best = input.clone();
    let mut asked = 0;
    // Whole lines first, they are most of a text; then any bytes.
    for lines in [true, false] {
        let mut pieces = 2;
        loop {
            let count = split(&best.bytes, lines).len();
            pieces = pieces.min(count);
            let size = count.div_ceil(pieces.max(1)).max(1);
            let mut begin = 0;
            let mut shrunk = false;
            while begin < split(&best.bytes, lines).len() && asked < most {
                let parts = split(&best.bytes, lines);
                let end = (begin + size).min(parts.len());
                let bytes = [&parts[..begin], &parts[end..]].concat().concat();
                let trial = Input { bytes, ..best.clone() };
                asked += 1;
                if trial.bytes.len() < best.bytes.len() && faulty(&trial) {
                    best = trial;
                    shrunk = true;
                } else {
                    begin = end;
                }
            }
            if asked >= most || (size == 1 && !shrunk) || count < 2 {
                break;
            }
            if !shrunk {
                pieces *= 2;
            }
        }
    }
    best
}

fn split(bytes: &[u8], lines: bool) -> Vec<&[u8]> {
    if lines { bytes.split_inclusive(|&b| b == b'\n').collect() } else { bytes.chunks(1).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Target;

    #[test]
    fn what_is_left_is_what_the_fault_needs() {
        let text: String = (0..100).map(|k| format!("line {k} of many\n")).collect();
        let input = Input::new(Target::Scene, "scene.toml", text);
        let has = |bytes: &[u8], word: &[u8]| bytes.windows(word.len()).any(|window| window == word);
        let small = minimise(&input, 10_000, |trial| has(&trial.bytes, b"17") && has(&trial.bytes, b"83"));
        assert_eq!(String::from_utf8_lossy(&small.bytes), "1783");
    }

    #[test]
    fn it_ends_when_it_has_asked_often_enough() {
        let input = Input::new(Target::Scene, "scene.toml", "x".repeat(5000));
        let mut asked = 0;
        minimise(&input, 70, |_| {
            asked += 1;
            false
        });
        assert_eq!(asked, 70);
    }
}
