//! When keys were last used.
//!
//! Writing it with every request would make every read a write. So it is kept in memory, and a
//! task writes what changed, at most once a minute per key and once more when the server stops.
//! What a crash loses is the last minute of a piece of information that nothing depends on.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use jiff::Timestamp;
use purser_app::{FamilyId, Store, keys};
use purser_core::ids::KeyId;

use crate::limits::{LAST_USED_INTERVAL, LAST_USED_STOP_TIME};

/// Keys that were used since the last time this was written.
#[derive(Debug, Default)]
pub(crate) struct LastUsed(Mutex<HashMap<(FamilyId, KeyId), Timestamp>>);

impl LastUsed {
    /// A key was used.
    pub(super) fn note(&self, family: FamilyId, key: KeyId, at: Timestamp) {
        let mut used = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        used.insert((family, key), at);
    }

    fn take(&self) -> Vec<(FamilyId, KeyId, Timestamp)> {
        let used = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        used.into_iter().map(|((family, key), at)| (family, key, at)).collect()
    }

    /// Writes what changed, before the server stops: within a few seconds, or not.
    pub(crate) async fn flush_at_stop(&self, store: &Store) {
        if tokio::time::timeout(LAST_USED_STOP_TIME, self.flush(store)).await.is_err() {
            tracing::warn!("the last use of keys isn't written: the database takes too long");
        }
    }

    /// Writes what changed. What is of families that can't be reached waits for the next time; what
    /// can't be written for another reason is dropped: the next use has a later time.
    pub(crate) async fn flush(&self, store: &Store) {
        let used = self.take();
        if used.is_empty() {
            return;
        }
        match keys::touch_last_used(store, used).await {
            Ok(left) => {
                let mut used = self.0.lock().unwrap_or_else(PoisonError::into_inner);
                for (family, key, at) in left {
                    used.entry((family, key)).or_insert(at);
                }
            }
            Err(error) => tracing::warn!(cause = ?error, "the last use of keys isn't written"),
        }
    }

    /// Writes every minute, for as long as the server runs.
    pub(crate) async fn run(self: Arc<Self>, store: Store) {
        let mut interval = tokio::time::interval(LAST_USED_INTERVAL);
        interval.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            interval.tick().await;
            self.flush(&store).await;
        }
    }
}
