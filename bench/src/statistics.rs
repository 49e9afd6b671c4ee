//! Medians and percentiles of samples.

use std::time::Duration;

/// The value below which the share `percent` of the samples lies (nearest rank). Zero without any.
pub(crate) fn percentile(samples: &mut [Duration], percent: usize) -> Duration {
    samples.sort_unstable();
    let rank = (samples.len() * percent).div_ceil(100).max(1);
    samples.get(rank - 1).copied().unwrap_or_default()
}

/// The middle one; of an even number the upper of the two in the middle.
pub(crate) fn median<T: Copy + PartialOrd>(samples: &[T]) -> Option<T> {
    let mut sorted = samples.to_vec();
    sorted.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
    sorted.get(sorted.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_samples_by_rank() {
        let mut samples: Vec<Duration> = (1..=200).rev().map(Duration::from_millis).collect();
        assert_eq!(percentile(&mut samples, 50), Duration::from_millis(100));
        assert_eq!(percentile(&mut samples, 99), Duration::from_millis(198));
        assert_eq!(percentile(&mut [], 99), Duration::ZERO);
        assert_eq!(median(&[3, 1, 2]), Some(2));
        assert_eq!(median::<u8>(&[]), None);
    }
}
