//! The one place for the clock, for randomness and for ids.
//!
//! A transaction has one time, taken when it begins; ids are UUIDv7 from one generator per
//! process. Tests hold a [`ManualClock`].

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use jiff::{SignedDuration, Timestamp};
use purser_core::error::{Error, Result};
use purser_core::ids::{IdBlock, IdGenerator};

/// A source of the present time.
pub trait Clock: Send + Sync {
    /// The present time in UTC.
    fn now(&self) -> Timestamp;
}

/// The clock of the machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the one place that reads the clock")]
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
}

/// A clock that stops until it is moved.
#[derive(Debug)]
pub struct ManualClock(AtomicI64);

impl ManualClock {
    /// Starts at `now`, cut to microseconds.
    pub fn new(now: Timestamp) -> Self {
        Self(AtomicI64::new(now.as_microsecond()))
    }

    /// Moves on, or back if negative.
    pub fn advance(&self, by: SignedDuration) {
        let micros = i64::try_from(by.as_micros()).unwrap_or(i64::MAX);
        self.0.fetch_add(micros, Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_microsecond(self.0.load(Ordering::SeqCst)).unwrap_or(Timestamp::MAX)
    }
}

/// Fills a buffer with random bytes fit for keys.
pub fn random_bytes<const N: usize>() -> Result<[u8; N]> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| Error::internal(error.to_string()))?;
    Ok(bytes)
}

/// The clock and the generator of ids, shared by every transaction of a store.
pub(crate) struct System {
    clock: Arc<dyn Clock>,
    ids: Mutex<IdGenerator>,
}

impl System {
    pub(crate) fn new(clock: Arc<dyn Clock>) -> Self {
        Self { clock, ids: Mutex::new(IdGenerator::default()) }
    }

    /// Now, cut to the microseconds that are stored.
    pub(crate) fn now(&self) -> Timestamp {
        let now = self.clock.now();
        Timestamp::from_microsecond(now.as_microsecond()).unwrap_or(now)
    }

    /// Consecutive ids that are younger than all before.
    pub(crate) fn reserve_ids(&self, now: Timestamp, count: u64) -> Result<IdBlock> {
        let millis = u64::try_from(now.as_millisecond()).unwrap_or(0);
        let random = u128::from_ne_bytes(random_bytes()?);
        let mut ids = self.ids.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(ids.reserve(millis, random, count))
    }
}
