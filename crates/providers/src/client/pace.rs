//! How many requests of one key may follow each other, and how many run at a time.
//!
//! Each key has a bucket of requests that fills slowly. A provider that refuses more requests and
//! names a time has the key wait until then, whichever call it was. (A limit of one bank behind the
//! provider holds nothing up: other banks go on.)

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use purser_core::secret::Secret;
use sha2::{Digest as _, Sha256};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::ClientSettings;
use crate::registry::ProviderKind;

/// Requests of one key at the same time.
const TURNS: usize = 2;
/// Keys that are kept in mind whatever they did; beyond, those that are at rest are forgotten.
const LANES_MIN: usize = 1_000;
/// Keys that are kept in mind at most: of more, each is as good as new.
const LANES_MAX: usize = 100_000;

/// How many requests a key has at once, and how long it takes until there is one more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    /// The number of requests that may come at once.
    pub burst: u32,
    /// The time in which one more request becomes free.
    pub interval: Duration,
}

/// The requests that a key may still make. Times are those of a clock that never goes back.
#[derive(Debug, Clone)]
pub struct Bucket {
    pace: Pace,
    /// The moment at which the bucket will be full.
    full_at: Duration,
    /// The provider wants to be left alone until then.
    held_until: Duration,
}

impl Bucket {
    /// A bucket that is full.
    pub fn new(pace: Pace) -> Self {
        Self { pace, full_at: Duration::ZERO, held_until: Duration::ZERO }
    }

    /// Takes a request out, or returns how long to wait for one.
    pub fn take(&mut self, now: Duration) -> Result<(), Duration> {
        if let Some(wait) = self.held_until.checked_sub(now).filter(|wait| !wait.is_zero()) {
            return Err(wait);
        }
        let missing = self.full_at.max(now) + self.pace.interval;
        let latest = now + self.pace.interval * self.pace.burst;
        match missing.checked_sub(latest).filter(|wait| !wait.is_zero()) {
            Some(wait) => Err(wait),
            None => {
                self.full_at = missing;
                Ok(())
            }
        }
    }

    /// Lets nothing out for a time.
    pub fn hold(&mut self, now: Duration, time: Duration) {
        self.held_until = self.held_until.max(now + time);
    }

    /// Whether it is as good as a new one.
    pub fn is_at_rest(&self, now: Duration) -> bool {
        self.full_at <= now && self.held_until <= now
    }
}

/// The bucket and the turns of one key.
#[derive(Debug, Clone)]
pub(crate) struct Lane {
    bucket: Arc<Mutex<Bucket>>,
    turns: Arc<Semaphore>,
}

impl Lane {
    fn new(pace: Pace) -> Self {
        let bucket = Arc::new(Mutex::new(Bucket::new(pace)));
        Self { bucket, turns: Arc::new(Semaphore::new(TURNS)) }
    }

    /// Waits until few enough requests of the key run.
    pub(crate) async fn turn(&self) -> Option<OwnedSemaphorePermit> {
        // Nobody closes the semaphore.
        self.turns.clone().acquire_owned().await.ok()
    }

    pub(crate) fn take(&self, now: Duration) -> Result<(), Duration> {
        self.bucket.lock().unwrap_or_else(PoisonError::into_inner).take(now)
    }

    pub(crate) fn hold(&self, now: Duration, time: Option<Duration>) {
        let Some(time) = time else { return };
        self.bucket.lock().unwrap_or_else(PoisonError::into_inner).hold(now, time);
    }

    fn is_in_use(&self) -> bool {
        Arc::strong_count(&self.bucket) > 1
    }

    fn is_at_rest(&self, now: Duration) -> bool {
        self.bucket.lock().unwrap_or_else(PoisonError::into_inner).is_at_rest(now)
    }
}

/// The lanes of all keys, found by a hash of the key.
#[derive(Debug)]
pub(crate) struct Lanes {
    lunchflow_interval: Duration,
    lanes: Mutex<KeptLanes>,
}

/// The lanes, and at how many those at rest are looked for: twice as many as the last look left, so
/// that looking costs each key little.
#[derive(Debug)]
struct KeptLanes {
    lanes: HashMap<[u8; 32], Lane>,
    looked_at: usize,
}

impl Lanes {
    /// No lanes yet, for a client with these settings.
    pub(crate) fn new(settings: &ClientSettings) -> Self {
        let lunchflow_interval = Duration::from_secs(60) / settings.lunchflow_per_minute.get();
        let known = KeptLanes { lanes: HashMap::new(), looked_at: LANES_MIN };
        Self { lunchflow_interval, lanes: Mutex::new(known) }
    }

    /// The lane of a key; it is the same for all connections that have the key.
    pub(crate) fn of(&self, provider: ProviderKind, key: &Secret, now: Duration) -> Lane {
        let hash = Sha256::new_with_prefix(provider.as_str()).chain_update([0]);
        let hash = hash.chain_update(key.reveal()).finalize().into();
        let mut known = self.lanes.lock().unwrap_or_else(PoisonError::into_inner);
        let KeptLanes { lanes, looked_at } = &mut *known;
        if lanes.len() >= *looked_at && !lanes.contains_key(&hash) {
            lanes.retain(|_, lane| lane.is_in_use() || !lane.is_at_rest(now));
            if lanes.len() >= LANES_MAX {
                lanes.retain(|_, lane| lane.is_in_use());
            }
            *looked_at = (lanes.len() * 2).clamp(LANES_MIN, LANES_MAX);
        }
        lanes
            .entry(hash)
            .or_insert_with(|| Lane::new(provider.pace(self.lunchflow_interval)))
            .clone()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const PACE: Pace = Pace { burst: 3, interval: Duration::from_secs(10) };

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn a_burst_goes_through_and_then_one_at_a_time() {
        let mut bucket = Bucket::new(PACE);
        for _ in 0..3 {
            assert_eq!(bucket.take(seconds(5)), Ok(()));
        }
        assert_eq!(bucket.take(seconds(5)), Err(seconds(10)));
        assert_eq!(bucket.take(seconds(9)), Err(seconds(6)), "asking costs nothing");
        assert_eq!(bucket.take(seconds(15)), Ok(()));
        assert_eq!(bucket.take(seconds(15)), Err(seconds(10)));
        assert!(!bucket.is_at_rest(seconds(44)));
        assert!(bucket.is_at_rest(seconds(45)));
    }

    #[test]
    fn a_key_that_was_refused_waits() {
        let mut bucket = Bucket::new(PACE);
        bucket.hold(seconds(0), seconds(37));
        bucket.hold(seconds(0), seconds(5));
        assert_eq!(bucket.take(seconds(7)), Err(seconds(30)));
        assert_eq!(bucket.take(seconds(37)), Ok(()));
    }

    #[test]
    fn a_key_has_one_lane_and_keys_do_not_share() {
        let lanes = Lanes::new(&ClientSettings::default());
        let of = |key: &str| lanes.of(ProviderKind::Lunchflow, &Secret::new(key), Duration::ZERO);
        of("a").hold(Duration::ZERO, Some(seconds(9)));
        assert_eq!(of("a").take(Duration::ZERO), Err(seconds(9)));
        assert_eq!(of("b").take(Duration::ZERO), Ok(()));
        let other = lanes.of(ProviderKind::Simplefin, &Secret::new("a"), Duration::ZERO);
        assert_eq!(other.take(Duration::ZERO), Ok(()));
        assert!(!format!("{lanes:?}").contains("\"a\""));
    }

    /// Very many keys make no provider forget what one of them has to wait for.
    #[test]
    fn only_keys_at_rest_are_forgotten() {
        let lanes = Lanes::new(&ClientSettings::default());
        let of = |number: usize, now| {
            lanes.of(ProviderKind::Simplefin, &Secret::new(format!("key {number}")), now)
        };
        of(0, Duration::ZERO).hold(Duration::ZERO, Some(seconds(7_200)));
        for number in 1..=3 * LANES_MIN {
            assert_eq!(of(number, seconds(1)).take(seconds(1)), Ok(()));
        }
        assert_eq!(of(0, seconds(1)).take(seconds(1)), Err(seconds(7_199)));
        let later = seconds(8_000);
        for number in 0..6 * LANES_MIN {
            of(10 * LANES_MIN + number, later);
        }
        let known = lanes.lanes.lock().unwrap().lanes.len();
        assert!(known < 4 * LANES_MIN, "{known} are kept in mind");
    }

    proptest! {
        /// In no stretch of time more requests than the burst and what became free in it.
        #[test]
        fn the_pace_is_kept(steps in prop::collection::vec(0..20_u64, 1..100)) {
            let mut bucket = Bucket::new(PACE);
            let mut now = 0;
            let mut taken: Vec<u64> = Vec::new();
            for step in steps {
                now += step;
                if bucket.take(seconds(now)).is_ok() {
                    taken.push(now);
                }
            }
            for (first, from) in taken.iter().enumerate() {
                for (last, to) in taken.iter().enumerate().skip(first) {
                    let requests = (last - first + 1) as u64;
                    prop_assert!(requests <= 3 + (to - from) / 10 + 1);
                }
            }
        }
    }
}
