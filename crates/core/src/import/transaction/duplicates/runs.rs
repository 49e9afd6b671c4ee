//! Runs of equal keys, side by side in two sorted lists.

use std::cmp::Ordering;
use std::ops::Range;

/// Calls `pair` with the positions of each run in `left` and of the run in `right` that has the
/// same key. Both lists are sorted by their keys.
pub(super) fn join<L, R, K: Ord>(
    left: &[L],
    right: &[R],
    left_key: impl Fn(&L) -> K,
    right_key: impl Fn(&R) -> K,
    mut pair: impl FnMut(Range<usize>, Range<usize>),
) {
    let (mut at_left, mut at_right) = (0, 0);
    while at_left < left.len() && at_right < right.len() {
        let key = left_key(&left[at_left]);
        match key.cmp(&right_key(&right[at_right])) {
            Ordering::Less => at_left += 1,
            Ordering::Greater => at_right += 1,
            Ordering::Equal => {
                let end_left = end(left, at_left, |one| left_key(one) == key);
                let end_right = end(right, at_right, |one| right_key(one) == key);
                pair(at_left..end_left, at_right..end_right);
                (at_left, at_right) = (end_left, end_right);
            }
        }
    }
}

fn end<T>(list: &[T], start: usize, is_same: impl Fn(&T) -> bool) -> usize {
    start + list[start..].iter().take_while(|one| is_same(one)).count()
}
