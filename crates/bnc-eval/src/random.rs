//! Random numbers that are the same for ever, on every platform.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// The random numbers of one stream of a seed. The key is laid out here, because how a library stretches a short seed may change between its versions.
pub(crate) fn generator(seed: u64, stream: u64) -> ChaCha8Rng {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let mut random = ChaCha8Rng::from_seed(key);
    random.set_stream(stream);
    random
}

/// The stream of one part of a repeat. Those below 2³² are left to whole repeats.
pub(crate) fn part_stream(repeat: usize, part: usize) -> u64 {
    (repeat as u64 + 1) << 32 | part as u64
}

/// Fisher–Yates, from the end.
pub(crate) fn shuffle<T>(items: &mut [T], random: &mut ChaCha8Rng) {
    for last in (1..items.len()).rev() {
        items.swap(last, below(last as u64 + 1, random) as usize);
    }
}

/// A uniform number below `bound`, which is above 0: draws from the incomplete last stretch are thrown away, so that no
/// remainder is favoured.
fn below(bound: u64, random: &mut ChaCha8Rng) -> u64 {
    let accepted = u64::MAX - u64::MAX % bound;
    loop {
        let drawn = random.next_u64();
        if drawn < accepted {
            return drawn % bound;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_order_of_three_rows_is_as_likely() {
        let mut seen = std::collections::BTreeMap::new();
        for stream in 0..6000 {
            let mut rows = [0, 1, 2];
            shuffle(&mut rows, &mut generator(3, stream));
            *seen.entry(rows).or_insert(0_u32) += 1;
        }
        assert_eq!(seen.len(), 6);
        // Five standard deviations of a binomial count around its mean of 1000.
        assert!(seen.values().all(|&count| count.abs_diff(1000) < 145), "{seen:?}");
    }
}
