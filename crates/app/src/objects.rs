//! Uploaded files in a bucket: what the store needs of one, by the client that makes the requests.
//!
//! A bucket that can't take or give a file is to everybody what a disk is that can't: unavailable,
//! and jobs go on by themselves afterwards.

use std::fs::File;
use std::ops::ControlFlow;
use std::sync::Arc;

use purser_core::error::{Error, Result};
use purser_objects::{Bucket, Failure};
use purser_store::files::{
    self, Content, DISK_FAILS, NO_SPACE, Object, Objects, Stated, TakePiece,
};
use purser_store::system::{Clock as _, SystemClock};

pub use purser_objects::settings::{BucketSettings, Given};

/// A bucket as the store knows it.
#[derive(Debug)]
struct InBucket(Bucket);

/// Which bucket, and how many bytes of copies are kept in the data directory.
#[derive(Debug, Clone)]
pub struct ObjectStore {
    /// The bucket and who may reach it.
    pub bucket: BucketSettings,
    /// How many bytes of copies are kept in the data directory.
    pub cache_bytes_max: u64,
}

/// The bucket with these settings. Nothing is asked yet.
pub(crate) fn open(settings: &ObjectStore) -> Result<files::Bucket> {
    let now = Arc::new(|| SystemClock.now());
    let bucket = Bucket::new(settings.bucket.clone(), now).map_err(Error::internal)?;
    let objects = Arc::new(InBucket(bucket));
    Ok(files::Bucket { objects, cache_bytes_max: settings.cache_bytes_max })
}

impl Objects for InBucket {
    fn put(&self, key: &str, file: &File, content: &Content) -> Result<()> {
        let file = file.try_clone().map_err(files::io_failed)?;
        self.0.put(key, file, content.bytes, content.sha256).map_err(unavailable)
    }

    fn find(&self, key: &str) -> Result<Option<Stated>> {
        Ok(self.0.find(key).map_err(unavailable)?.map(stated))
    }

    fn get(&self, key: &str, take: &mut TakePiece<'_>) -> Result<Option<Stated>> {
        let mut refused = None;
        let found = self.0.get(key, &mut |piece| match take(piece) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                refused = Some(error);
                ControlFlow::Break(())
            }
        });
        match refused {
            Some(error) => Err(error),
            None => Ok(found.map_err(unavailable)?.map(stated)),
        }
    }

    fn delete(&self, key: &str) -> Result<()> {
        self.0.delete(key).map_err(unavailable)
    }

    fn delete_later(&self, key: &str) {
        self.0.delete_later(key);
    }

    fn copy(&self, from: &str, to: &str) -> Result<bool> {
        self.0.copy(from, to).map_err(unavailable)
    }

    fn list(&self, prefix: &str, after: &str) -> Result<(Vec<Object>, bool)> {
        let (listed, is_more) = self.0.list(prefix, after).map_err(unavailable)?;
        let object = |one: purser_objects::Listed| Object { key: one.key, modified: one.modified };
        Ok((listed.into_iter().map(object).collect(), is_more))
    }

    fn folders(&self) -> Result<Vec<String>> {
        self.0.folders("").map_err(unavailable)
    }

    fn shown(&self) -> String {
        self.0.shown()
    }
}

fn stated(stated: purser_objects::Stated) -> Stated {
    Stated { bytes: stated.bytes, sha256: stated.sha256 }
}

fn unavailable(failure: Failure) -> Error {
    let message = if matches!(failure, Failure::NoSpace(_)) { NO_SPACE } else { DISK_FAILS };
    Error::Unavailable { message: message.to_owned(), cause: failure.into() }
}
