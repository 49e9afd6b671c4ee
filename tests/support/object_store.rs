//! A real object store (s3s-fs), which checks signatures, as a process of its own, and faults in
//! front of it.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;

use tempfile::TempDir;

use super::faults::Faults;
use super::server::Options;

/// The credentials that the store knows.
const ACCESS_KEY: &str = "canary-access";
const SECRET_KEY: &str = "canary-secret";

/// A store with the buckets `purser` and `other`. Dropping it removes everything.
#[derive(Debug)]
pub(crate) struct ObjectStore {
    process: Child,
    folder: TempDir,
    /// What comes between the program and the store.
    pub(crate) faults: Faults,
}

impl ObjectStore {
    /// Starts a store that is empty.
    pub(crate) fn start() -> Self {
        let program = std::env::var_os("PURSER_TEST_OBJECT_STORE")
            .expect("PURSER_TEST_OBJECT_STORE must be the path of s3s-fs: run cargo xtask test");
        let folder = TempDir::with_prefix("purser-objects-").expect("a folder for the store");
        for bucket in ["purser", "other"] {
            fs::create_dir(folder.path().join(bucket)).expect("a bucket");
        }
        let mut process = Command::new(program)
            .args(["--host", "127.0.0.1", "--port", "0"])
            .args(["--access-key", ACCESS_KEY, "--secret-key", SECRET_KEY])
            .arg(folder.path())
            .env("RUST_LOG", "s3s_fs=info")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the object store starts");
        let mut lines = BufReader::new(process.stdout.take().expect("its output")).lines();
        let address = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| Some(line.split_once("running at http://")?.1.trim().to_owned()))
            .expect("the object store listens");
        let address = address.split([',', ' ']).next().expect("an address").to_owned();
        // Reads on to the end, or the store would block on a full pipe.
        thread::spawn(move || lines.count());
        Self { process, folder, faults: Faults::before(&address) }
    }

    /// Settings with which the program has its files in the bucket `purser`.
    pub(crate) fn options(&self) -> Options {
        self.options_for("purser")
    }

    /// Settings with which the program has its files in a bucket.
    pub(crate) fn options_for(&self, bucket: &str) -> Options {
        Options::new()
            .env("PURSER_S3_BUCKET", bucket)
            .env("PURSER_S3_ENDPOINT", format!("http://{}", self.faults.address()))
            .env("PURSER_S3_ALLOW_HTTP", "on")
            .env("PURSER_S3_ACCESS_KEY", ACCESS_KEY)
            .env("PURSER_S3_SECRET_KEY", SECRET_KEY)
            .env("PURSER_S3_PREFIX", "books")
    }

    /// The names of all objects without the prefix and the database's id, in order.
    pub(crate) fn keys(&self) -> Vec<String> {
        let root = self.folder.path().join("purser/books");
        let names = files(&root).into_iter().map(|file| {
            let name = file.strip_prefix(&root).expect("in the bucket").to_str().expect("a name");
            name.split_once('/').expect("a database's object").1.to_owned()
        });
        let mut keys: Vec<String> = names.collect();
        keys.sort();
        keys
    }

    /// The names of the objects that are uploaded files.
    pub(crate) fn files(&self) -> Vec<String> {
        let is_file = |key: &String| key.starts_with(|first: char| first.is_ascii_digit());
        self.keys().into_iter().filter(is_file).collect()
    }

    /// The path of an object's content.
    pub(crate) fn content(&self, key: &str) -> PathBuf {
        let found = files(self.folder.path()).into_iter().find(|path| path.ends_with(key));
        found.expect("the object is there")
    }
}

impl Drop for ObjectStore {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Every file below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let Ok(entries) = fs::read_dir(folder) else { return found };
    for entry in entries {
        let path = entry.expect("an entry").path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found
}
