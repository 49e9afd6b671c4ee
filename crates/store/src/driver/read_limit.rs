//! The end of a read before it is done: it takes too long, or nobody waits for it any more.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long the read of a request may take on SQLite.
const TIME_MAX: Duration = Duration::from_secs(30);
/// Begins a read without such a limit on PostgreSQL.
pub(super) const POSTGRES_BEGIN: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
/// As [`POSTGRES_BEGIN`], with the limit that a read has on SQLite, for each statement; the read
/// can't be ended before.
const POSTGRES_BEGIN_LIMITED: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; \
    SET LOCAL statement_timeout = '30s'";
/// As [`POSTGRES_BEGIN_LIMITED`], with less time.
const POSTGRES_BEGIN_BRIEFLY: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; \
    SET LOCAL statement_timeout = '10s'";
/// Steps of SQLite's machine between two looks at the limit: less than a millisecond.
pub(super) const SQLITE_STEPS: i32 = 10_000;

/// The limit of one read.
#[derive(Debug, Clone, Default)]
pub(crate) struct ReadLimit {
    is_abandoned: Arc<AtomicBool>,
    is_at_length: bool,
}

/// Whoever waits for the read; without it, the read ends.
#[derive(Debug)]
pub(crate) struct Audience(Arc<AtomicBool>);

impl ReadLimit {
    /// The limit of a read that works through much, such as a report.
    pub(crate) fn at_length() -> Self {
        Self { is_at_length: true, ..Self::default() }
    }

    /// What begins the read on PostgreSQL. Where families are spread over machines, the one that
    /// has the family may hang, so statements have less time there.
    pub(super) fn postgres_begin(&self, is_distributed: bool) -> &'static str {
        match is_distributed && !self.is_at_length {
            true => POSTGRES_BEGIN_BRIEFLY,
            false => POSTGRES_BEGIN_LIMITED,
        }
    }

    /// For somebody who waits from now on.
    pub(crate) fn audience(&self) -> Audience {
        Audience(self.is_abandoned.clone())
    }

    /// For a read that begins now: returns whether it is to end.
    pub(super) fn begin(&self) -> impl FnMut() -> bool + Send + use<> {
        let (is_abandoned, end) = (self.is_abandoned.clone(), Instant::now() + TIME_MAX);
        move || is_abandoned.load(Ordering::Relaxed) || Instant::now() >= end
    }
}

impl Drop for Audience {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
