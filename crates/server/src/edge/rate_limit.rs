//! The rate limit: so many requests per key and window of one minute, on this node.
//!
//! A window starts with the first request after the one before it ended, on the monotonic clock.
//! Checking and counting are one step under a lock, so that the limit is exact however many
//! requests come at once. A refused request isn't counted. Windows that ended are forgotten.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use purser_core::ids::KeyId;
use serde_json::json;

use crate::http::caller::RateUsage;
use crate::http::error::ApiError;
use crate::limits::RATE_WINDOW;

/// The header with the number of requests per window.
pub(crate) const LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit");
/// Requests left in the window.
pub(crate) const REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");
/// Seconds to the end of the window.
pub(crate) const RESET: HeaderName = HeaderName::from_static("x-ratelimit-reset");

/// Counts requests by key.
#[derive(Debug)]
pub(crate) struct RateLimiter {
    limit: u32,
    windows: Mutex<Windows>,
}

#[derive(Debug, Default)]
struct Windows {
    by_key: HashMap<KeyId, Window>,
    pruned: Option<Instant>,
}

#[derive(Debug, Clone, Copy)]
struct Window {
    start: Instant,
    count: u32,
}

impl RateLimiter {
    /// With so many requests per window; 0 means no limit.
    pub(crate) fn new(limit: u32) -> Self {
        Self { limit, windows: Mutex::default() }
    }

    /// Counts a request; `None` when there is no limit.
    pub(crate) fn count(&self, key: KeyId) -> Option<RateUsage> {
        self.count_at(key, Instant::now())
    }

    fn count_at(&self, key: KeyId, now: Instant) -> Option<RateUsage> {
        if self.limit == 0 {
            return None;
        }
        // A panic while the lock is held can't leave a half-made window behind.
        let mut windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        windows.prune(now);
        let window = windows.by_key.entry(key).or_insert(Window { start: now, count: 0 });
        if window.remaining_time(now).is_zero() {
            *window = Window { start: now, count: 0 };
        }
        let allowed = window.count < self.limit;
        if allowed {
            window.count += 1;
        }
        Some(RateUsage {
            limit: self.limit,
            count: window.count,
            reset_seconds: whole_seconds(window.remaining_time(now)),
            allowed,
        })
    }
}

impl Windows {
    /// Forgets windows that ended, at most once per window.
    fn prune(&mut self, now: Instant) {
        let last = *self.pruned.get_or_insert(now);
        if now.duration_since(last) >= RATE_WINDOW {
            self.by_key.retain(|_, window| !window.remaining_time(now).is_zero());
            self.pruned = Some(now);
        }
    }
}

impl Window {
    fn remaining_time(self, now: Instant) -> Duration {
        RATE_WINDOW.saturating_sub(now.duration_since(self.start))
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
fn whole_seconds(duration: Duration) -> u64 {
    duration.as_secs() + u64::from(duration.subsec_nanos() > 0)
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
    fn a_window_lets_its_limit_through_and_then_starts_anew() {
        let limiter = RateLimiter::new(2);
        let start = Instant::now();
        let at = |millis| start + Duration::from_millis(millis);
        let usage = |count, reset_seconds, allowed| {
            Some(RateUsage { limit: 2, count, reset_seconds, allowed })
        };
        assert_eq!(limiter.count_at(key(1), start), usage(1, 60, true));
        assert_eq!(limiter.count_at(key(1), at(1)), usage(2, 60, true));
        assert_eq!(limiter.count_at(key(1), at(59_001)), usage(2, 1, false));
        assert_eq!(limiter.count_at(key(1), at(59_999)), usage(2, 1, false));
        assert_eq!(limiter.count_at(key(2), at(59_999)), usage(1, 60, true));
        assert_eq!(limiter.count_at(key(1), at(60_000)), usage(1, 60, true));
    }

    #[test]
    fn no_limit_counts_nothing() {
        let limiter = RateLimiter::new(0);
        assert_eq!(limiter.count(key(1)), None);
        assert!(limiter.windows.lock().unwrap().by_key.is_empty());
    }

    #[test]
    fn windows_that_ended_are_forgotten() {
        let limiter = RateLimiter::new(5);
        let start = Instant::now();
        for number in 0..1000 {
            limiter.count_at(key(number), start);
        }
        limiter.count_at(key(5000), start + RATE_WINDOW);
        assert_eq!(limiter.windows.lock().unwrap().by_key.len(), 1);
    }

    #[test]
    fn the_limit_is_exact_when_threads_race() {
        let limiter = RateLimiter::new(1000);
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
