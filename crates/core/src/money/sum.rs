//! Sums of reports: 128 bits, so that no report fails because a family has much.
//!
//! Entries and balances have 64 bits, so no number of them comes near the end of a sum. Only what
//! was multiplied by a price or a rate can. Such an amount counts as missing, as one that no rate
//! is known for does.

/// No sum is further from zero. The difference of two holds, whatever their signs.
pub const SUM_MAX: i128 = i128::MAX / 4;

/// The sum with one amount more; none if it would be beyond [`SUM_MAX`].
pub fn add(sum: i128, more: i128) -> Option<i128> {
    sum.checked_add(more).filter(|sum| sum.unsigned_abs() <= SUM_MAX.unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_beyond_the_end_is_not_added() {
        assert_eq!(add(i64::MAX.into(), i64::MAX.into()), Some(i128::from(u64::MAX) - 1));
        assert_eq!(add(SUM_MAX - 1, 1), Some(SUM_MAX));
        assert_eq!(add(1 - SUM_MAX, -1), Some(-SUM_MAX));
        for (sum, more) in [(SUM_MAX, 1), (-SUM_MAX, -1), (1, i128::MAX), (-1, i128::MIN)] {
            assert_eq!(add(sum, more), None, "{sum} and {more}");
        }
    }
}
