//! Uploads that are sent again because their answer was a 500.
//!
//! Known clients repeat a POST after any 500, so if the publish of an upload could not be queued,
//! an equal upload must continue it instead of becoming a second import. The part that is in the
//! database is in `purser_store::imports`; here is the part that only the process knows: which
//! uploads are under way, and which were answered with a 500 although their commit may have gone
//! through.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use purser_core::ids::ImportId;

/// How long an equal upload counts as a retry.
const WINDOW: Duration = Duration::from_secs(600);

/// The hash of everything that was asked for, the family and the content.
pub type UploadHash = [u8; 32];

/// What the process knows of uploads that may be sent again; cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Retries(Arc<Mutex<UploadStates>>);

/// The uploads that the process has under way, and those that failed.
#[derive(Debug, Default)]
struct UploadStates {
    under_way: HashMap<UploadHash, usize>,
    failed: HashMap<UploadHash, (ImportId, Instant)>,
}

/// An upload that is under way, until it is dropped.
#[derive(Debug)]
pub struct UnderWay {
    retries: Retries,
    hash: UploadHash,
    /// Whether no equal upload was under way when this one began.
    pub alone: bool,
    /// The import of an equal upload that was answered with a 500 not long ago.
    pub failed: Option<ImportId>,
}

impl Retries {
    /// Notes that an upload begins.
    pub fn enter(&self, hash: UploadHash) -> UnderWay {
        let mut states = self.states();
        states.failed.retain(|_, (_, at)| at.elapsed() < WINDOW);
        let failed = states.failed.get(&hash).map(|(id, _)| *id);
        let count = states.under_way.entry(hash).or_insert(0);
        *count += 1;
        let alone = *count == 1;
        UnderWay { retries: self.clone(), hash, alone, failed }
    }

    fn states(&self) -> std::sync::MutexGuard<'_, UploadStates> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl UnderWay {
    /// Notes that the upload was stored as this import, and answered with a 500.
    pub fn failed_as(&self, id: ImportId) {
        self.retries.states().failed.insert(self.hash, (id, Instant::now()));
    }

    /// Notes that the upload was answered well.
    pub fn succeeded(&self) {
        self.retries.states().failed.remove(&self.hash);
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        let mut states = self.retries.states();
        if let Some(count) = states.under_way.get_mut(&self.hash) {
            *count -= 1;
            if *count == 0 {
                states.under_way.remove(&self.hash);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_upload_knows_of_equal_ones_before_and_beside_it() {
        let retries = Retries::default();
        let id = ImportId(uuid::Uuid::from_u128(1));
        let first = retries.enter([1; 32]);
        let other = retries.enter([2; 32]);
        let twin = retries.enter([1; 32]);
        assert!(first.alone && other.alone && !twin.alone);
        first.failed_as(id);
        drop((first, twin));
        let retry = retries.enter([1; 32]);
        assert_eq!((retry.alone, retry.failed), (true, Some(id)));
        retry.succeeded();
        drop(retry);
        assert_eq!(retries.enter([1; 32]).failed, None);
    }
}
