//! Waiting for a condition, with a bound. Tests never sleep and hope.

use std::thread;
use std::time::{Duration, Instant};

/// How long anything may take that a test waits for, on a busy machine.
const SECONDS_MAX: u64 = 60;
const PAUSE: Duration = Duration::from_millis(5);

/// Asks until there is an answer; panics with `what` when there is none in time.
#[track_caller]
pub(crate) fn until<T>(what: &str, ask: impl FnMut() -> Option<T>) -> T {
    until_within(Duration::from_secs(SECONDS_MAX), what, ask)
}

/// As [`until`], with a bound of its own.
#[track_caller]
pub(crate) fn until_within<T>(bound: Duration, what: &str, ask: impl FnMut() -> Option<T>) -> T {
    within(bound, ask).unwrap_or_else(|| panic!("waited {bound:?} in vain for {what}"))
}

/// Asks until there is an answer; none when there is none in time.
pub(crate) fn within<T>(bound: Duration, mut ask: impl FnMut() -> Option<T>) -> Option<T> {
    let deadline = Instant::now() + bound;
    loop {
        if let Some(answer) = ask() {
            return Some(answer);
        }
        if Instant::now() >= deadline {
            return None;
        }
        thread::sleep(PAUSE);
    }
}
