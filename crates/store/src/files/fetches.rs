//! Copies that are on their way: each is fetched once, however many wait for it, and only so many
//! at a time, of a family half of them.
//!
//! Whoever waits may have a connection to the database in the hand. So only a few wait for long,
//! one of a family, and the others for a moment. A fetch goes on when nobody waits any more: a slow
//! one is there at the next try.

use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use purser_core::error::{Error, Result};
use purser_core::ids::FileId;

use crate::families::FamilyId;

/// Fetches at a time, and those of one family.
const FETCHES_MAX: usize = 8;
const FETCHES_OF_FAMILY_MAX: usize = FETCHES_MAX / 2;
/// Those who wait for long at a time: fewer than there are connections.
const LONG_WAITS_MAX: usize = 2;
/// How long they wait, and how long the others do. PostgreSQL ends a transaction after 15 s
/// without a statement.
const LONG_WAIT: Duration = Duration::from_secs(8);
const SHORT_WAIT: Duration = Duration::from_millis(500);

/// What came of a fetch.
#[derive(Debug, Clone)]
pub(super) enum Fetched {
    /// There is a copy.
    Copied,
    /// The object isn't there.
    Missing,
    /// The object has another content than it states.
    Altered,
    /// What people read, and the private half.
    Failed(String, String),
}

/// The place of a result, empty while the fetch is on its way.
type Pending = Arc<Mutex<Option<Fetched>>>;

/// Fetches on their way.
#[derive(Debug, Default)]
pub(super) struct Fetches {
    running: Mutex<HashMap<(FamilyId, FileId), Pending>>,
    changed: Condvar,
    /// The families for which somebody waits for long.
    waiting: Mutex<Vec<FamilyId>>,
}

impl Fetches {
    /// Waits for a fetch of the file, which is begun unless there is one; `None` if it takes long.
    pub(super) fn wait(
        self: &Arc<Self>,
        family: FamilyId,
        id: FileId,
        fetch: impl FnOnce() -> Result<Fetched> + Send + 'static,
    ) -> Result<Option<Fetched>> {
        let long = LongWait::begin(&self.waiting, family);
        let wait = if long.is_some() { LONG_WAIT } else { SHORT_WAIT };
        self.wait_for(family, id, wait, fetch)
    }

    fn wait_for(
        self: &Arc<Self>,
        family: FamilyId,
        id: FileId,
        wait: Duration,
        fetch: impl FnOnce() -> Result<Fetched> + Send + 'static,
    ) -> Result<Option<Fetched>> {
        let deadline = Instant::now() + wait;
        let mut fetch = Some(fetch);
        let mut running = self.running();
        let mut place: Option<Pending> = None;
        loop {
            if place.is_none() {
                place = running.get(&(family, id)).cloned();
            }
            if place.is_none()
                && may_begin(&running, family)
                && let Some(fetch) = fetch.take()
            {
                place = Some(self.begin(&mut running, (family, id), fetch)?);
            }
            if let Some(place) = &place
                && let Some(fetched) = lock(place).clone()
            {
                return Ok(Some(fetched));
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(None);
            }
            let waited = self.changed.wait_timeout(running, left);
            running = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn begin(
        self: &Arc<Self>,
        running: &mut HashMap<(FamilyId, FileId), Pending>,
        file: (FamilyId, FileId),
        fetch: impl FnOnce() -> Result<Fetched> + Send + 'static,
    ) -> Result<Pending> {
        let place = Pending::default();
        let (fetches, result) = (self.clone(), place.clone());
        let thread = std::thread::Builder::new().name("fetch".to_owned());
        running.insert(file, place.clone());
        let spawned = thread.spawn(move || {
            // Made here: where no thread can be had, it would be dropped under the lock.
            let mut end = End { fetches, file, place: result, fetched: None };
            let fetched = fetch().unwrap_or_else(|error| match error {
                Error::Unavailable { message, cause } => {
                    Fetched::Failed(message, cause.to_string())
                }
                error => Fetched::Failed(super::DISK_FAILS.to_owned(), error.to_string()),
            });
            end.fetched = Some(fetched);
        });
        match spawned {
            Ok(_) => Ok(place),
            Err(error) => {
                running.remove(&file);
                Err(super::io_failed(error))
            }
        }
    }

    fn running(&self) -> MutexGuard<'_, HashMap<(FamilyId, FileId), Pending>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Somebody who may wait for long.
struct LongWait<'a> {
    waiting: &'a Mutex<Vec<FamilyId>>,
    family: FamilyId,
}

impl<'a> LongWait<'a> {
    /// Begins one, unless there are enough of them, or one of the family.
    fn begin(waiting: &'a Mutex<Vec<FamilyId>>, family: FamilyId) -> Option<Self> {
        let mut families = waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if families.len() >= LONG_WAITS_MAX || families.contains(&family) {
            return None;
        }
        families.push(family);
        Some(Self { waiting, family })
    }
}

impl Drop for LongWait<'_> {
    fn drop(&mut self) {
        let mut families = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        families.retain(|family| *family != self.family);
    }
}

/// Ends a fetch, also one that panics.
struct End {
    fetches: Arc<Fetches>,
    file: (FamilyId, FileId),
    place: Pending,
    /// The result, unless it panicked.
    fetched: Option<Fetched>,
}

impl Drop for End {
    fn drop(&mut self) {
        let broken = || Fetched::Failed(super::DISK_FAILS.to_owned(), "the fetch broke".to_owned());
        // Both at once: whoever comes after the result begins anew.
        let mut running = self.fetches.running();
        *lock(&self.place) = Some(self.fetched.take().unwrap_or_else(broken));
        running.remove(&self.file);
        drop(running);
        self.fetches.changed.notify_all();
    }
}

fn may_begin(running: &HashMap<(FamilyId, FileId), Pending>, family: FamilyId) -> bool {
    let of_family = running.keys().filter(|(of, _)| *of == family).count();
    running.len() < FETCHES_MAX && of_family < FETCHES_OF_FAMILY_MAX
}

fn lock(place: &Pending) -> MutexGuard<'_, Option<Fetched>> {
    place.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc;

    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    fn file(family: i64, number: u128) -> (FamilyId, FileId) {
        (FamilyId::from_number(family), FileId(uuid::Uuid::from_u128(number)))
    }

    #[test]
    fn a_file_is_fetched_once_for_all_who_wait() {
        let (fetches, count) = (Arc::new(Fetches::default()), Arc::new(AtomicUsize::new(0)));
        let (family, id) = file(1, 1);
        let (go, gone) = mpsc::channel::<()>();
        let counted = count.clone();
        let slow = move || {
            counted.fetch_add(1, Ordering::Relaxed);
            let _ = gone.recv();
            Ok(Fetched::Copied)
        };
        let early = fetches.wait_for(family, id, Duration::ZERO, slow).unwrap();
        assert!(early.is_none(), "it takes longer than anybody waits");
        std::thread::scope(|scope| {
            let waiting: Vec<_> = (0..4)
                .map(|_| {
                    scope.spawn(|| {
                        let never = || Ok(Fetched::Missing);
                        fetches.wait_for(family, id, LONG, never).unwrap()
                    })
                })
                .collect();
            // The list of fetches and the fetch itself hold the place too.
            while Arc::strong_count(fetches.running().values().next().unwrap()) < 2 + 4 {
                std::thread::yield_now();
            }
            drop(go);
            for thread in waiting {
                assert!(matches!(thread.join().unwrap(), Some(Fetched::Copied)));
            }
        });
        assert_eq!(count.load(Ordering::Relaxed), 1);
        assert!(fetches.running().is_empty());
    }

    #[test]
    fn one_family_leaves_room_for_others() {
        let fetches = Arc::new(Fetches::default());
        let (go, gone) = mpsc::channel::<()>();
        let gone = Arc::new(Mutex::new(gone));
        for number in 0..10 {
            let gone = gone.clone();
            let (family, id) = file(1, number);
            let slow = move || {
                let _ = gone.lock().unwrap().recv();
                Ok(Fetched::Copied)
            };
            assert!(fetches.wait_for(family, id, Duration::ZERO, slow).unwrap().is_none());
        }
        assert_eq!(fetches.running().len(), FETCHES_OF_FAMILY_MAX);
        let (family, id) = file(2, 1);
        let fetched = fetches.wait_for(family, id, LONG, || Ok(Fetched::Missing)).unwrap();
        assert!(matches!(fetched, Some(Fetched::Missing)));
        drop(go);
    }

    #[test]
    fn only_a_few_wait_for_long() {
        let waiting = Mutex::default();
        let begin = |number| LongWait::begin(&waiting, FamilyId::from_number(number));
        let first = begin(1);
        assert!(first.is_some() && begin(1).is_none(), "one of a family");
        let second = begin(2);
        assert!(second.is_some() && begin(3).is_none(), "two in all");
        drop(first);
        assert!(begin(3).is_some());
    }

    #[test]
    fn a_fetch_that_panics_is_over() {
        let fetches = Arc::new(Fetches::default());
        let (family, id) = file(1, 1);
        let fetched = fetches.wait_for(family, id, LONG, || panic!("planned")).unwrap();
        assert!(matches!(fetched, Some(Fetched::Failed(..))));
        let fetched = fetches.wait_for(family, id, LONG, || Ok(Fetched::Copied)).unwrap();
        assert!(matches!(fetched, Some(Fetched::Copied)), "the next one is tried");
    }
}
