//! The random numbers of studies, seaways, tests and tools: the same on every machine and in every version.
//!
//! SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): x ← x + γ, then two rounds of xor-shift and multiplication. The state
//! is one number, which whoever draws keeps; any number is a good one to begin with. What is drawn by it, points,
//! rotations, bodies, is the caller's.

/// γ, the odd integer next to 2⁶⁴ over the golden ratio.
const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The state with which the stream of `index` under `seed` begins; those of neighbouring indices are unrelated.
pub fn stream(seed: u64, index: u64) -> u64 {
    mix(mix(seed.wrapping_add(GAMMA)) ^ index.wrapping_mul(GAMMA))
}

/// Any 64 bits.
#[inline]
pub fn bits(state: &mut u64) -> u64 {
    *state = state.wrapping_add(GAMMA);
    mix(*state)
}

/// Uniform within (0, 1).
#[inline]
pub fn unit(state: &mut u64) -> f64 {
    ((bits(state) >> 11) as f64 + 0.5) / (1u64 << 53) as f64
}

/// Below `count`; zero where that is zero. The bias of the remainder is at most count / 2⁶⁴.
#[inline]
pub fn below(state: &mut u64, count: usize) -> usize {
    if count == 0 { 0 } else { (bits(state) % count as u64) as usize }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_numbers_of_state_zero_are_the_published_ones() {
        let mut state = 0;
        assert_eq!([bits(&mut state), bits(&mut state)], [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4]);
    }

    #[test]
    fn the_first_numbers_of_neighbouring_streams_fill_the_unit_interval_evenly() {
        let (mut counts, mut tenths) = ([0; 10], [0; 10]);
        for index in 0..10_000 {
            counts[(unit(&mut stream(7, index)) * 10.0) as usize] += 1;
            tenths[below(&mut stream(index, 7), 10)] += 1;
        }
        assert!(counts.iter().chain(&tenths).all(|&c| (880..1120).contains(&c)), "{counts:?} {tenths:?}");
    }
}
