//! Random numbers that follow from what they are about.

/// A sequence of random numbers.
pub(crate) struct Dice(u64);

impl Dice {
    /// The sequence that belongs to some numbers.
    pub(crate) fn of(about: &[u64]) -> Self {
        let mut dice = Self(0x9e37_79b9_7f4a_7c15);
        for number in about {
            dice.0 ^= number.wrapping_mul(0xff51_afd7_ed55_8ccd);
            dice.0 = dice.roll();
        }
        dice
    }

    /// The next number (SplitMix64).
    pub(crate) fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 to before `end`.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.roll() % end
    }

    /// Yes in one of so many cases.
    pub(crate) fn one_in(&mut self, cases: u64) -> bool {
        self.below(cases) == 0
    }
}
