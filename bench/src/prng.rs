//! A small deterministic generator of numbers (xorshift64* over a fixed seed), so that the same
//! command writes the same bytes on every machine and needs no dependency. Not for secrets.

/// The state; never zero.
#[derive(Debug)]
pub(crate) struct Prng(u64);

impl Prng {
    /// Starts from a seed.
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number from 0 to `count` − 1. The bias of the multiplication is below 2⁻³².
    pub(crate) fn below(&mut self, count: u32) -> u32 {
        let high = self.next() >> 32;
        ((high * u64::from(count)) >> 32) as u32
    }

    /// One of the items.
    pub(crate) fn pick<'a>(&mut self, items: &[&'a str]) -> &'a str {
        items[self.below(items.len() as u32) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::Prng;

    #[test]
    fn the_same_seed_gives_the_same_numbers_and_all_of_them_occur() {
        let (mut one, mut two) = (Prng::new(7), Prng::new(7));
        let mut seen = [0_u32; 12];
        for _ in 0..12_000 {
            let number = one.below(12);
            assert_eq!(number, two.below(12));
            seen[number as usize] += 1;
        }
        assert!(seen.iter().all(|count| (800..1_200).contains(count)), "{seen:?}");
    }
}
