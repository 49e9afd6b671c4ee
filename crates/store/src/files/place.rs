//! Where a database's files are, and that they are nowhere else: the database notes it, so that a
//! server with other settings is refused and doesn't take all of them for missing.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use purser_core::error::{Error, Result};
use purser_core::named::Named;

use super::objects::Objects;
use super::{FileStore, any};
use crate::driver::Tx;
use crate::installation;
use crate::store::Store;

/// Where files are to be.
#[derive(Debug, Clone)]
pub struct FilesLocation {
    /// The data directory: for the files themselves, or for copies and what arrives.
    pub data_dir: PathBuf,
    /// The bucket that the files are in instead.
    pub bucket: Option<Bucket>,
}

/// A bucket of an object store.
#[derive(Debug, Clone)]
pub struct Bucket {
    /// Whoever makes the requests.
    pub objects: Arc<dyn Objects>,
    /// How many bytes of copies are kept in the data directory.
    pub cache_bytes_max: u64,
}

/// Where a database's files are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FilesPlace {
    /// In the data directory.
    Folder,
    /// In a bucket of an object store.
    Bucket,
}

impl Named for FilesPlace {
    const ALL: &'static [Self] = &[Self::Folder, Self::Bucket];

    fn name(self) -> &'static str {
        match self {
            Self::Folder => "folder",
            Self::Bucket => "bucket",
        }
    }
}

impl From<&Path> for FilesLocation {
    fn from(data_dir: &Path) -> Self {
        Self { data_dir: data_dir.to_owned(), bucket: None }
    }
}

impl From<&PathBuf> for FilesLocation {
    fn from(data_dir: &PathBuf) -> Self {
        data_dir.as_path().into()
    }
}

impl From<&FilesLocation> for FilesLocation {
    fn from(place: &FilesLocation) -> Self {
        place.clone()
    }
}

impl FilesLocation {
    /// Which of the two it is.
    pub fn kind(&self) -> FilesPlace {
        if self.bucket.is_some() { FilesPlace::Bucket } else { FilesPlace::Folder }
    }
}

impl FileStore {
    /// Makes the place that of a database that was restored.
    pub(crate) fn take_over(&self, tx: &mut Tx<'_>) -> Result<()> {
        if let Some(remote) = &self.remote {
            remote.mark()?;
        }
        set(tx, self.kind())
    }

    fn kind(&self) -> FilesPlace {
        if self.remote.is_some() { FilesPlace::Bucket } else { FilesPlace::Folder }
    }
}

/// Refuses a place in which the database's files aren't. A database without files takes the place
/// from now on. The bucket must answer, if that is wanted.
pub(super) fn agree(files: &FileStore, store: &Store, must_answer: bool) -> Result<()> {
    let (noted, has_files) =
        store.read_directory_blocking(|tx| Ok((installation::files_place(tx)?, any(tx)?)))?;
    let Some(remote) = &files.remote else {
        return match noted {
            FilesPlace::Folder => Ok(()),
            FilesPlace::Bucket if !has_files => note(store, FilesPlace::Folder),
            FilesPlace::Bucket => Err(elsewhere(
                "The uploaded files of this database are in a bucket: set PURSER_S3_BUCKET and what \
                 belongs to it, or move them with `purser files move --to folder`."
                    .to_owned(),
            )),
        };
    };
    let shown = remote.shown();
    if noted == FilesPlace::Folder && has_files {
        return Err(elsewhere(format!(
            "The uploaded files of this database are in the data directory and not in the bucket \
             {shown}: move them with `purser files move --to bucket`."
        )));
    }
    let marked = match remote.is_marked() {
        Err(Error::Unavailable { .. }) if noted == FilesPlace::Bucket && !must_answer => {
            return Ok(());
        }
        marked => marked.map_err(|error| unusable(&shown, error))?,
    };
    if marked {
        return if noted == files.kind() { Ok(()) } else { note(store, FilesPlace::Bucket) };
    }
    if has_files {
        return Err(elsewhere(format!(
            "The bucket {shown} has no files of this database: it is another bucket or prefix than \
             before."
        )));
    }
    remote.mark()?;
    note(store, FilesPlace::Bucket)
}

fn note(store: &Store, place: FilesPlace) -> Result<()> {
    store.write_directory_blocking(|tx| {
        // Others may have stored a file meanwhile, who were started with other settings.
        if any(tx)? && installation::files_place(tx)? != place {
            return Err(elsewhere(
                "Another server stores uploaded files elsewhere: give all the same settings."
                    .to_owned(),
            ));
        }
        set(tx, place)
    })
}

/// Notes where the files are.
pub(super) fn set(tx: &mut Tx<'_>, place: FilesPlace) -> Result<()> {
    installation::set_files_place(tx, place)
}

/// A bucket that doesn't answer, with the reason: whoever starts the program can do something.
fn unusable(shown: &str, error: Error) -> Error {
    let Error::Unavailable { cause, .. } = error else { return error };
    let message = format!("The bucket {shown} can't be used: {cause}.");
    Error::Conflict { code: "bucket_unusable", message }
}

fn elsewhere(message: String) -> Error {
    Error::Conflict { code: "files_elsewhere", message }
}
