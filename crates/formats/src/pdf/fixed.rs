//! Positions on a page: exact to a millionth of a point, and never beyond their range.

/// A number with six decimals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct Fixed(pub(super) i64);

const ONE: i64 = 1_000_000;
/// Larger numbers are no positions; products of two of them stay exact.
const MAX: i64 = 1 << 53;

impl Fixed {
    pub(super) const ZERO: Self = Self(0);
    pub(super) const ONE: Self = Self(ONE);

    pub(super) const fn whole(value: i64) -> Self {
        Self(value.saturating_mul(ONE))
    }

    /// A part of it: `part(3, 10)` is 0.3 of it.
    pub(super) fn part(self, of: i64, whole: i64) -> Self {
        Self(self.0.saturating_mul(of) / whole)
    }

    pub(super) fn times(self, other: Self) -> Self {
        let product = i128::from(self.0) * i128::from(other.0) / i128::from(ONE);
        Self(i64::try_from(product).unwrap_or(MAX).clamp(-MAX, MAX))
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0).clamp(-MAX, MAX))
    }

    pub(super) fn minus(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0).clamp(-MAX, MAX))
    }

    pub(super) fn abs(self) -> Self {
        Self(self.0.saturating_abs())
    }

    /// As a number of hundredths, cut off.
    pub(super) fn hundredths(self) -> i64 {
        self.0 / (ONE / 100)
    }

    /// The number without its decimals, if it has none.
    pub(super) fn to_whole(self) -> Option<i64> {
        (self.0 % ONE == 0).then_some(self.0 / ONE)
    }

    /// Reads digits with a sign and a point, as documents write numbers. Digits that don't matter
    /// are dropped.
    pub(super) fn parse(text: &[u8]) -> Option<Self> {
        let (negative, digits) = match text {
            [b'-', rest @ ..] => (true, rest),
            [b'+', rest @ ..] => (false, rest),
            rest => (false, rest),
        };
        let (mut value, mut decimals, mut seen): (i64, Option<u32>, bool) = (0, None, false);
        for byte in digits {
            match (byte, decimals) {
                (b'.', None) => decimals = Some(0),
                (b'0'..=b'9', _) if decimals.is_none_or(|count| count < 6) => {
                    seen = true;
                    value = value.saturating_mul(10).saturating_add(i64::from(byte - b'0'));
                    decimals = decimals.map(|count| count + 1);
                }
                (b'0'..=b'9', Some(_)) => seen = true,
                // Some programs write `12.-3`; what follows the sign doesn't count.
                (b'-', _) if seen => break,
                _ => return None,
            }
        }
        let missing = 6 - decimals.unwrap_or(0);
        let value = value.saturating_mul(10_i64.pow(missing)).min(MAX);
        seen.then_some(Self(if negative { -value } else { value }))
    }
}

/// Moves and scales positions: `[a b c d e f]` of the format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Matrix(pub(super) [Fixed; 6]);

impl Matrix {
    pub(super) const IDENTITY: Self =
        Self([Fixed::ONE, Fixed::ZERO, Fixed::ZERO, Fixed::ONE, Fixed::ZERO, Fixed::ZERO]);

    pub(super) fn moved(x: Fixed, y: Fixed) -> Self {
        Self([Fixed::ONE, Fixed::ZERO, Fixed::ZERO, Fixed::ONE, x, y])
    }

    /// First this one, then the other one.
    pub(super) fn then(self, other: Self) -> Self {
        let ([a, b, c, d, e, f], [g, h, i, j, k, l]) = (self.0, other.0);
        Self([
            a.times(g).plus(b.times(i)),
            a.times(h).plus(b.times(j)),
            c.times(g).plus(d.times(i)),
            c.times(h).plus(d.times(j)),
            e.times(g).plus(f.times(i)).plus(k),
            e.times(h).plus(f.times(j)).plus(l),
        ])
    }

    pub(super) fn point(self, x: Fixed, y: Fixed) -> (Fixed, Fixed) {
        let [a, b, c, d, e, f] = self.0;
        (x.times(a).plus(y.times(c)).plus(e), x.times(b).plus(y.times(d)).plus(f))
    }
}
