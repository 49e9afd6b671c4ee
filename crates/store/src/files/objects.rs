//! What uploaded files need of an object store. The requests are made elsewhere: this crate knows
//! no HTTP.

use std::fmt::Debug;
use std::fs::File;

use jiff::Timestamp;
use purser_core::error::Result;

use super::Content;

/// What a store states about an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stated {
    /// The size in bytes.
    pub bytes: u64,
    /// The checksum that it was stored with; none if another program has written it.
    pub sha256: Option<[u8; 32]>,
}

/// An object in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Object {
    /// The name of the object.
    pub key: String,
    /// When it was written.
    pub modified: Timestamp,
}

/// Takes a piece of an object; after an error no more come.
pub type TakePiece<'a> = dyn FnMut(&[u8]) -> Result<()> + 'a;

/// A bucket of an object store. Everything blocks; what can't be done just now is unavailable.
pub trait Objects: Debug + Send + Sync {
    /// Stores a file from its beginning. When it returns, the object is whole and durable.
    fn put(&self, key: &str, file: &File, content: &Content) -> Result<()>;

    /// What is stated about an object; `None` if it isn't there.
    fn find(&self, key: &str) -> Result<Option<Stated>>;

    /// Reads an object piece by piece; `None` if it isn't there. One that is cut off is an error.
    fn get(&self, key: &str, take: &mut TakePiece<'_>) -> Result<Option<Stated>>;

    /// Removes an object; it may be gone already.
    fn delete(&self, key: &str) -> Result<()>;

    /// As [`Objects::delete`], without waiting; a failure is only logged.
    fn delete_later(&self, key: &str);

    /// Copies an object within the bucket; false if it isn't there. When it returns, the copy is
    /// whole and durable.
    fn copy(&self, from: &str, to: &str) -> Result<bool>;

    /// Some objects with names that begin with a prefix and come after another name, in the order
    /// of their names, and whether there are more.
    fn list(&self, prefix: &str, after: &str) -> Result<(Vec<Object>, bool)>;

    /// What names begin with up to the first slash, the slash included.
    fn folders(&self) -> Result<Vec<String>>;

    /// The bucket for people: its name and where it is.
    fn shown(&self) -> String;
}
