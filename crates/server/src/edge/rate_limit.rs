//! The rate limit: a bucket of requests for each key, on this node.
//!
//! A bucket holds so many requests and fills at so many a minute, on the monotonic clock. Checking
//! and counting are one step under a lock, so that the limit is exact however many requests come at
//! once. A refused request isn't counted. Buckets that are full again are forgotten.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use purser_core::ids::KeyId;
use serde_json::json;

use crate::http::caller::RateUsage;
use crate::http::error::ApiError;
use crate::limits::{RATE_BURST, RATE_LIMIT, RATE_WINDOW};

/// The header with the number of requests that a full bucket holds.
pub(crate) const LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit");
/// Requests left in the bucket.
pub(crate) const REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");
/// Seconds until the bucket holds one request more.
pub(crate) const RESET: HeaderName = HeaderName::from_static("x-ratelimit-reset");

/// Counts requests by key.
#[derive(Debug)]
pub(crate) struct RateLimiter {
    /// The requests that a full bucket holds.
    burst: u32,
    /// The time in which a bucket gets one request more; none without a limit.
    interval: Option<Duration>,
    buckets: Mutex<Buckets>,
}

#[derive(Debug, Default)]
struct Buckets {
    by_key: HashMap<KeyId, Bucket>,
    pruned: Option<Instant>,
}

/// A bucket that is full at a time; each request makes that an interval later.
#[derive(Debug, Clone, Copy)]
struct Bucket {
    full_at: Instant,
}

impl RateLimiter {
    /// With so many requests per minute, of which so many at once; 0 of either means no limit. A
    /// limit per minute that the operator sets alone is both.
    pub(crate) fn new(per_minute: Option<u32>, burst: Option<u32>) -> Self {
        let burst = burst.or(per_minute).unwrap_or(RATE_BURST);
        let per_minute = per_minute.unwrap_or(RATE_LIMIT);
        let is_limited = per_minute > 0 && burst > 0;
        let interval = is_limited.then(|| RATE_WINDOW / per_minute);
        Self { burst, interval, buckets: Mutex::default() }
    }

    /// Counts a request; `None` when there is no limit.
    pub(crate) fn count(&self, key: KeyId) -> Option<RateUsage> {
        self.count_at(key, Instant::now())
    }

    fn count_at(&self, key: KeyId, now: Instant) -> Option<RateUsage> {
        let interval = self.interval?;
        // A panic while the lock is held can't leave a half-made bucket behind.
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        buckets.prune(now);
        let bucket = buckets.by_key.entry(key).or_insert(Bucket { full_at: now });
        let missing = bucket.missing_at(now);
        let allowed = missing + interval <= interval * self.burst;
        let missing = if allowed { missing + interval } else { missing };
        bucket.full_at = now + missing;
        let (missing, interval) = (missing.as_nanos(), interval.as_nanos());
        let count = u32::try_from(missing.div_ceil(interval)).unwrap_or(u32::MAX);
        let to_the_next = missing - (missing - 1) / interval * interval;
        Some(RateUsage {
            limit: self.burst,
            count,
            reset_seconds: whole_seconds(to_the_next),
            allowed,
        })
    }
}

impl Buckets {
    /// Forgets buckets that are full, at most once a minute.
    fn prune(&mut self, now: Instant) {
        let last = *self.pruned.get_or_insert(now);
        if now.duration_since(last) >= RATE_WINDOW {
            self.by_key.retain(|_, bucket| !bucket.missing_at(now).is_zero());
            self.pruned = Some(now);
        }
    }
}

impl Bucket {
    /// The time until it is full.
    fn missing_at(self, now: Instant) -> Duration {
        self.full_at.saturating_duration_since(now)
    }
}

impl RateUsage {
    /// Adds the headers with the limit and what is left of it.
    pub(super) fn write(self, headers: &mut HeaderMap) {
        headers.insert(LIMIT, self.limit.into());
        headers.insert(REMAINING, self.remaining().into());
        headers.insert(RESET, self.reset_seconds.into());
    }

    /// The answer to a request over the limit.
    pub(super) fn error(self) -> ApiError {
        let message = format!("Too many requests; try again in {} seconds", self.reset_seconds);
        ApiError::new(StatusCode::TOO_MANY_REQUESTS, "rate_limit_exceeded", message)
            .with_details(json!({
                "limit": self.limit,
                "current": self.count,
                "reset_in_seconds": self.reset_seconds,
            }))
            .with_header(header::RETRY_AFTER, HeaderValue::from(self.reset_seconds))
    }
}

/// Rounded up: who waits that long is surely let through.
fn whole_seconds(nanos: u128) -> u64 {
    let seconds = nanos.div_ceil(Duration::from_secs(1).as_nanos());
    u64::try_from(seconds).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use uuid::Uuid;

    use super::*;

    fn key(number: u128) -> KeyId {
        KeyId(Uuid::from_u128(number))
    }

    #[test]
    fn a_bucket_lets_through_what_it_holds_and_fills_again() {
        // Two at once, and one every 20 seconds.
        let limiter = RateLimiter::new(Some(3), Some(2));
        let start = Instant::now();
        let at = |millis| start + Duration::from_millis(millis);
        let usage = |count, reset_seconds, allowed| {
            Some(RateUsage { limit: 2, count, reset_seconds, allowed })
        };
        assert_eq!(limiter.count_at(key(1), start), usage(1, 20, true));
        assert_eq!(limiter.count_at(key(1), at(1)), usage(2, 20, true));
        assert_eq!(limiter.count_at(key(1), at(2)), usage(2, 20, false));
        assert_eq!(limiter.count_at(key(1), at(19_001)), usage(2, 1, false));
        assert_eq!(limiter.count_at(key(2), at(19_001)), usage(1, 20, true));
        assert_eq!(limiter.count_at(key(1), at(20_000)), usage(2, 20, true));
        assert_eq!(limiter.count_at(key(1), at(20_001)), usage(2, 20, false));
        assert_eq!(limiter.count_at(key(1), at(60_000)), usage(1, 20, true));
    }

    #[test]
    fn a_first_import_goes_through_without_waiting() {
        let limiter = RateLimiter::new(None, None);
        let start = Instant::now();
        for number in 1..=10_000 {
            let usage = limiter.count_at(key(1), start).unwrap();
            assert_eq!((usage.count, usage.allowed), (number, true));
        }
        assert!(!limiter.count_at(key(1), start).unwrap().allowed);
        assert!(limiter.count_at(key(1), start + Duration::from_millis(100)).unwrap().allowed);
        let minute_later = start + RATE_WINDOW;
        let allowed = || limiter.count_at(key(1), minute_later).unwrap().allowed;
        assert_eq!((0..1000).filter(|_| allowed()).count(), 599);
    }

    #[test]
    fn no_limit_counts_nothing() {
        for (per_minute, burst) in [(Some(0), None), (Some(10), Some(0)), (None, Some(0))] {
            let limiter = RateLimiter::new(per_minute, burst);
            assert_eq!(limiter.count(key(1)), None);
            assert!(limiter.buckets.lock().unwrap().by_key.is_empty());
        }
    }

    #[test]
    fn full_buckets_are_forgotten() {
        let limiter = RateLimiter::new(Some(5), None);
        let start = Instant::now();
        for number in 0..1000 {
            limiter.count_at(key(number), start);
        }
        limiter.count_at(key(5000), start + RATE_WINDOW);
        assert_eq!(limiter.buckets.lock().unwrap().by_key.len(), 1);
    }

    #[test]
    fn the_limit_is_exact_when_threads_race() {
        let limiter = RateLimiter::new(Some(1000), None);
        let start = Instant::now();
        let allowed = AtomicU32::new(0);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..400 {
                        if limiter.count_at(key(1), start).unwrap().allowed {
                            allowed.fetch_add(1, Ordering::Relaxed);
                        }
                    }
                });
            }
        });
        assert_eq!(allowed.into_inner(), 1000);
    }

    #[test]
    fn the_refusal_has_the_time_to_come_back() {
        let usage = RateUsage { limit: 2, count: 2, reset_seconds: 7, allowed: false };
        let response = axum::response::IntoResponse::into_response(usage.error());
        assert_eq!(response.status(), 429);
        assert_eq!(response.headers()[header::RETRY_AFTER], "7");
        let mut headers = HeaderMap::new();
        usage.write(&mut headers);
        assert_eq!(headers[LIMIT], "2");
        assert_eq!(headers[REMAINING], "0");
        assert_eq!(headers[RESET], "7");
    }
}
