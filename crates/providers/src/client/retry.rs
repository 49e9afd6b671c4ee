//! Which failures are tried again, and after what pause.

use std::time::Duration;

use crate::error::{ErrorClass, ProviderError};

/// Tries of one call, the first included.
pub const TRIES_MAX: u32 = 3;
/// The longest pause within a call; who wants more is asked again by the schedule.
pub const PAUSE_MAX: Duration = Duration::from_secs(60);

/// The pause before the next try; `None` if there is none. `tries` counts those that were made, and
/// `chance` spreads the pauses of many connections.
///
/// A provider that refuses more requests without naming a time is not asked again at once: each
/// further request would count against the same limit.
pub fn pause(tries: u32, error: &ProviderError, chance: u64) -> Option<Duration> {
    if tries >= TRIES_MAX || !error.class.may_pass() {
        return None;
    }
    match error.retry_after {
        Some(hint) => (hint <= PAUSE_MAX).then_some(hint),
        None if error.class == ErrorClass::RateLimited => None,
        None => {
            // 1, 2, 4 seconds, and up to a quarter of it more.
            let base = Duration::from_secs(1 << (tries - 1));
            Some(base + base / 4 * u32::try_from(chance % 1_000).unwrap_or(0) / 1_000)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Call;

    fn error(class: ErrorClass, hint: Option<u64>) -> ProviderError {
        let retry_after = hint.map(Duration::from_secs);
        ProviderError { retry_after, ..ProviderError::new(class, Call::Balance) }
    }

    #[test]
    fn what_may_pass_is_tried_three_times() {
        for class in [ErrorClass::Network, ErrorClass::UpstreamUnavailable] {
            let error = error(class, None);
            assert_eq!(pause(1, &error, 0), Some(Duration::from_secs(1)));
            assert_eq!(pause(2, &error, 0), Some(Duration::from_secs(2)));
            assert_eq!(pause(3, &error, 0), None);
            assert_eq!(pause(2, &error, 500), Some(Duration::from_millis(2_250)));
        }
    }

    #[test]
    fn what_lasts_is_tried_once() {
        for class in [
            ErrorClass::Auth,
            ErrorClass::PaymentRequired,
            ErrorClass::ConsentExpired,
            ErrorClass::NotFound,
            ErrorClass::Unsupported,
            ErrorClass::InvalidResponse,
            ErrorClass::TooLarge,
            ErrorClass::Config,
        ] {
            assert_eq!(pause(1, &error(class, Some(1)), 0), None, "{class:?}");
        }
    }

    #[test]
    fn hints_are_kept_to_and_long_ones_end_the_call() {
        let seconds = |hint| pause(1, &error(ErrorClass::RateLimited, hint), 999);
        assert_eq!(seconds(Some(37)), Some(Duration::from_secs(37)));
        assert_eq!(seconds(Some(60)), Some(Duration::from_secs(60)));
        assert_eq!(seconds(Some(61)), None);
        assert_eq!(seconds(None), None, "without a time it waits for the schedule");
    }
}
