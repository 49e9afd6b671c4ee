//! When a connection is synced next: a function of the present, its id and what came of the last
//! run.
//!
//! Providers ask the banks about once a day, so asking more often is of no use. Each connection has
//! its own time of the day, which follows from its id, so that those of many families don't come
//! together.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use super::outcome::RunResult;

const DAY_SECONDS: i64 = 24 * 60 * 60;
/// The shortest time between two runs of the schedule.
const SPACING: SignedDuration = SignedDuration::from_hours(6);
/// The wait after the first of several failures in a row; each later one is twice as long.
const FIRST_WAIT_SECONDS: i64 = 60 * 60;
/// The longest wait after a failure, before the connection's own time counts.
const WAIT_SECONDS_MAX: i64 = 8 * 60 * 60;
/// The longest rest that a provider can ask for.
const REST_MAX: Duration = Duration::from_secs(24 * 60 * 60);
/// The clocks of nodes are no further apart.
const CLOCKS_APART_SECONDS: i64 = 60 * 60;
/// No time of the schedule is further off: what is was set by a clock that was ahead.
pub const AHEAD_MAX: SignedDuration = SignedDuration::from_hours(72);

/// When to try next. `failures` counts the failed runs in a row, this one included; `rest` is how
/// long the provider wants to be left alone.
pub fn next_attempt(
    now: Timestamp,
    connection: Uuid,
    result: &RunResult,
    failures: u32,
    rest: Option<Duration>,
) -> Timestamp {
    let regular = regular(now, connection);
    // Whoever waits for a person asks once a day: renewing the consent sets nothing off here.
    let next = if result.error.is_none() || result.requires_update {
        regular
    } else {
        let doubled = FIRST_WAIT_SECONDS << failures.saturating_sub(1).min(8);
        let wait = doubled.min(WAIT_SECONDS_MAX);
        let jitter = offset(connection) % (wait / 4);
        later(now, wait + jitter).min(regular)
    };
    rest.map_or(next, |rest| next.max(not_before(now, rest)))
}

/// Until when a provider is left alone that asks for a rest.
pub fn not_before(now: Timestamp, rest: Duration) -> Timestamp {
    let seconds = i64::try_from(rest.min(REST_MAX).as_secs()).unwrap_or(DAY_SECONDS);
    later(now, seconds + 1)
}

/// The end of a rest that was noted before; none if that is over, or so far off that a clock was
/// ahead when it was noted.
pub fn rest_left(now: Timestamp, until: Option<Timestamp>) -> Option<Timestamp> {
    until.filter(|until| *until > now && *until <= last_rest(now))
}

/// When a rest ends at the latest, whichever node has noted it.
pub fn last_rest(now: Timestamp) -> Timestamp {
    later(now, DAY_SECONDS + CLOCKS_APART_SECONDS)
}

/// The connection's own time of the day, the first that is far enough off.
fn regular(now: Timestamp, connection: Uuid) -> Timestamp {
    let earliest = now.checked_add(SPACING).unwrap_or(now).as_second();
    let own = earliest.div_euclid(DAY_SECONDS) * DAY_SECONDS + offset(connection);
    let own = if own < earliest { own + DAY_SECONDS } else { own };
    Timestamp::from_second(own).unwrap_or(now)
}

/// A number of seconds below that of a day, from the random end of the id.
fn offset(connection: Uuid) -> i64 {
    let [.., a, b, c, d] = connection.into_bytes();
    i64::from(u32::from_be_bytes([a, b, c, d])) % DAY_SECONDS
}

fn later(now: Timestamp, seconds: i64) -> Timestamp {
    now.checked_add(SignedDuration::from_secs(seconds)).unwrap_or(now)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::connection::SyncErrorCode;

    fn result(error: Option<SyncErrorCode>, requires_update: bool) -> RunResult {
        RunResult {
            error,
            accounts_synced: 0,
            accounts_failed: 0,
            accounts_incomplete: 0,
            requires_update,
        }
    }

    const UNAVAILABLE: Option<SyncErrorCode> = Some(SyncErrorCode::ProviderUnavailable);

    proptest! {
        #[test]
        fn a_success_is_followed_at_the_same_time_of_another_day(
            id: u128, second in 0_i64..4_000_000_000,
        ) {
            let (id, now) = (Uuid::from_u128(id), Timestamp::from_second(second).unwrap());
            let next = next_attempt(now, id, &result(None, false), 0, None);
            let wait = next.as_second() - second;
            prop_assert!((6 * 3600..=30 * 3600).contains(&wait), "{wait}");
            let again = next_attempt(next, id, &result(None, false), 0, None);
            prop_assert_eq!(again.as_second() - next.as_second(), DAY_SECONDS);
            // Whoever must wait for a person does no worse.
            let waiting = result(Some(SyncErrorCode::CredentialsRejected), true);
            prop_assert_eq!(next_attempt(now, id, &waiting, 3, None), next);
        }

        #[test]
        fn r805_failures_wait_longer_each_time_and_never_beyond_the_own_time(
            id: u128, second in 0_i64..4_000_000_000, failures in 1_u32..100,
        ) {
            let (id, now) = (Uuid::from_u128(id), Timestamp::from_second(second).unwrap());
            let regular = next_attempt(now, id, &result(None, false), 0, None);
            let failed = result(UNAVAILABLE, false);
            let next = |failures| next_attempt(now, id, &failed, failures, None);
            prop_assert!(next(failures) <= regular);
            prop_assert!(next(failures) <= next(failures + 1));
            prop_assert!(next(failures) >= now + SignedDuration::from_hours(1));
            prop_assert!(next(1) <= now + SignedDuration::from_mins(75));
        }

        #[test]
        fn a_provider_that_wants_a_rest_gets_it(id: u128, rest in 0_u64..1_000_000) {
            let (id, now) = (Uuid::from_u128(id), Timestamp::UNIX_EPOCH);
            let rest = Duration::from_secs(rest);
            for result in [result(None, false), result(UNAVAILABLE, false)] {
                let next = next_attempt(now, id, &result, 1, Some(rest));
                prop_assert!(next >= not_before(now, rest));
                prop_assert!(next < now + AHEAD_MAX);
            }
        }
    }
}
