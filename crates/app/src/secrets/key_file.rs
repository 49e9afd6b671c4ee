//! The file with the keys of the server: one text of a key on each line, the current one first.
//!
//! Only its owner can read it (mode 600). It is replaced as a whole, by a rename, so that a process
//! that ends in between leaves the old file or the new one.

use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::path::Path;

use purser_core::error::{Error, Result};
use purser_store::system::random_bytes;

use super::keys::SecretKey;

/// The name of the file in the data directory.
pub(super) const NAME: &str = "secret.key";
/// What the file begins with, for people who look into it.
const HEAD: &str = "# Keys that encrypt the keys of bank-data providers; the first is the current \
                    one.\n# Without this file they have to be entered again. Keep it apart from \
                    backups of the database.\n";

/// The keys in the file, or in a new one.
pub(super) fn read_or_make(path: &Path) -> Result<Vec<SecretKey>> {
    if let Some(keys) = read(path)? {
        return Ok(keys);
    }
    let text = format!("{HEAD}{}\n", new_key()?);
    // Another process may make one at the same time: the first wins.
    match write_beside(path, &text).and_then(|beside| {
        let linked = fs::hard_link(&beside, path);
        fs::remove_file(&beside)?;
        linked
    }) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
        Err(error) => return Err(unusable(path, &error)),
        Ok(()) => {
            sync_directory(path).map_err(|error| unusable(path, &error))?;
            tracing::info!(file = %path.display(), "made a key that encrypts keys of providers");
        }
    }
    read(path)?.ok_or_else(|| Error::internal(format!("{} is gone", path.display())))
}

/// The keys in the file; `None` if there is no file.
pub(super) fn read(path: &Path) -> Result<Option<Vec<SecretKey>>> {
    let Some(lines) = lines(path)? else { return Ok(None) };
    let keys = lines.iter().map(|line| SecretKey::of_text(line)).collect();
    let keys: std::result::Result<Vec<SecretKey>, _> = keys;
    let keys = keys.map_err(|error| damaged(path, &error.to_string()))?;
    if keys.is_empty() {
        return Err(damaged(path, "there is no key in it"));
    }
    Ok(Some(keys))
}

/// Puts a new key in front of the others.
pub(super) fn add_key(path: &Path) -> Result<()> {
    let older = lines(path)?.unwrap_or_default();
    let new = new_key()?;
    replace(path, std::iter::once(&new).chain(&older))
}

/// Leaves only so many of the keys, the newest.
pub(super) fn keep(path: &Path, count: usize) -> Result<()> {
    let lines = lines(path)?.unwrap_or_default();
    if lines.len() <= count {
        return Ok(());
    }
    replace(path, lines.iter().take(count))
}

fn replace<'a>(path: &Path, keys: impl Iterator<Item = &'a String>) -> Result<()> {
    let mut text = HEAD.to_owned();
    for key in keys {
        let _ = writeln!(text, "{key}");
    }
    let replaced = write_beside(path, &text).and_then(|beside| fs::rename(beside, path));
    replaced.and_then(|()| sync_directory(path)).map_err(|error| unusable(path, &error))
}

/// The texts of the keys; `None` if there is no file.
fn lines(path: &Path) -> Result<Option<Vec<String>>> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unusable(path, &error)),
    };
    let lines = text.lines().map(str::trim);
    let keys = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    Ok(Some(keys.map(str::to_owned).collect()))
}

/// Writes a file that only the owner can read, beside the one that it is to become.
fn write_beside(path: &Path, text: &str) -> io::Result<std::path::PathBuf> {
    let random: [u8; 8] = random_bytes().map_err(|error| io::Error::other(error.to_string()))?;
    let beside = path.with_extension(format!("key.{}", hex(&random)));
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&beside)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    Ok(beside)
}

fn sync_directory(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), |directory| File::open(directory)?.sync_all())
}

fn new_key() -> Result<String> {
    Ok(hex(&random_bytes::<32>()?))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn unusable(path: &Path, error: &io::Error) -> Error {
    Error::Unavailable {
        message: "The file with the secret keys can't be used".to_owned(),
        cause: format!("{}: {error}", path.display()).into(),
    }
}

fn damaged(path: &Path, reason: &str) -> Error {
    Error::internal(format!("{}: {reason}", path.display()))
}
