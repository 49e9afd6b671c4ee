//! A server that runs on a disk which is recorded and may fail, and with a clock that may be wrong.
//!
//! The library of `shim/shim.c` stands between the program and the C library. The test writes what
//! is to go wrong into a file that both share.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use tempfile::TempDir;

use crate::support::{Backend, Options, Server};

/// The shared numbers, in the order of `struct control`.
#[derive(Debug, Clone, Copy)]
enum Number {
    Countdown,
    Manner,
    Error,
    Repeats,
    Fired,
    Calls,
    Clock,
    Rate,
    Random,
    Messages,
}

const NUMBERS: usize = 10;

/// How a call goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// It fails with this error number, as do so many after it.
    Fails { error: i64, repeats: i64 },
    /// It reports success and has done nothing.
    Pretends,
    /// The process is killed before it.
    Dies,
}

/// A server with the library in front of it.
pub(crate) struct Shimmed {
    pub(crate) server: Server,
    record: Option<PathBuf>,
    control: File,
    // What the server uses goes after it.
    folder: TempDir,
}

impl Shimmed {
    /// Starts a server that was killed again, with other settings.
    pub(crate) fn start_again_with(&mut self, options: Options) {
        let control = self.folder.path().join("control");
        let options = in_front(options, self.record.as_deref(), &control);
        self.server.start_again_with(options);
    }

    /// Starts a server; every change of its data folder is recorded.
    pub(crate) fn start(backend: Backend, options: Options) -> Self {
        Self::start_in(backend, options, true)
    }

    /// Starts a server without a record, for those that live long.
    pub(crate) fn start_unrecorded(backend: Backend, options: Options) -> Self {
        Self::start_in(backend, options, false)
    }

    /// A folder and a database, without a record, for a server that doesn't run yet. What it sends
    /// to PostgreSQL counts as calls, too.
    pub(crate) fn prepared(backend: Backend, options: Options) -> Self {
        let shimmed = Self::prepared_in(backend, options, false);
        shimmed.set(Number::Messages, 1);
        shimmed
    }

    fn start_in(backend: Backend, options: Options, is_recorded: bool) -> Self {
        let mut shimmed = Self::prepared_in(backend, options, is_recorded);
        shimmed.server.start_again();
        shimmed
    }

    fn prepared_in(backend: Backend, options: Options, is_recorded: bool) -> Self {
        let folder = TempDir::with_prefix("purser-proof-").expect("a folder");
        let record = is_recorded.then(|| folder.path().join("record"));
        let control = folder.path().join("control");
        if let Some(record) = &record {
            std::fs::write(record, "").expect("a record");
        }
        std::fs::write(&control, [0; NUMBERS * 8]).expect("numbers");
        let options = in_front(options, record.as_deref(), &control);
        let control = OpenOptions::new().read(true).write(true).open(control).expect("numbers");
        let server = Server::prepared(backend, options);
        Self { server, record, control, folder }
    }

    /// How much was recorded so far, in bytes: a moment.
    pub(crate) fn now(&self) -> u64 {
        self.recorded().metadata().expect("the record").len()
    }

    /// Everything that was recorded.
    pub(crate) fn record(&self) -> Vec<u8> {
        std::fs::read(self.recorded()).expect("the record")
    }

    fn recorded(&self) -> &Path {
        self.record.as_ref().expect("a record")
    }

    /// The call of this number from now on goes wrong, if it is a change of the data folder.
    pub(crate) fn plan(&self, call: u64, fault: Fault) {
        let (manner, error, repeats) = match fault {
            Fault::Fails { error, repeats } => (0, error, repeats),
            Fault::Pretends => (1, 0, 0),
            Fault::Dies => (2, 0, 0),
        };
        self.set(Number::Manner, manner);
        self.set(Number::Error, error);
        self.set(Number::Repeats, repeats);
        self.set(Number::Fired, 0);
        self.set(Number::Countdown, i64::try_from(call).expect("a small number"));
    }

    /// From now on so many of a thousand calls fail with this error number, as chance has it.
    pub(crate) fn fail_at_random(&self, rate: u64, error: i64, seed: u64) {
        self.set(Number::Error, error);
        self.set(Number::Fired, 0);
        self.set(Number::Random, i64::try_from(seed).expect("a small number"));
        self.set(Number::Rate, i64::try_from(rate).expect("a small number"));
    }

    /// From now on nothing goes wrong. Returns how many calls did.
    pub(crate) fn heal(&self) -> u64 {
        self.set(Number::Countdown, 0);
        self.set(Number::Rate, 0);
        self.number(Number::Fired)
    }

    /// How many calls there were since the start of the test.
    pub(crate) fn calls(&self) -> u64 {
        self.number(Number::Calls)
    }

    /// Sets the server's clock ahead, or back.
    pub(crate) fn move_clock(&self, seconds: i64) {
        self.set(Number::Clock, seconds);
    }

    fn number(&self, number: Number) -> u64 {
        let mut bytes = [0; 8];
        self.control.read_exact_at(&mut bytes, number as u64 * 8).expect("a number");
        u64::from_ne_bytes(bytes)
    }

    fn set(&self, number: Number, value: i64) {
        let place = number as u64 * 8;
        self.control.write_all_at(&value.to_ne_bytes(), place).expect("a number");
    }
}

/// With the library in front of the program.
fn in_front(options: Options, record: Option<&Path>, control: &Path) -> Options {
    let options = options
        .env("LD_PRELOAD", library().display())
        .env("PURSER_PROOF_CONTROL", control.display());
    match record {
        Some(record) => options.env("PURSER_PROOF_RECORD", record.display()),
        None => options,
    }
}

/// Compiles the library, once in a process.
fn library() -> &'static Path {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/proofs/shim/shim.c");
        // Other processes compile it at the same time.
        let own = folder.join(format!("shim-{}.so", std::process::id()));
        let mut compiler = Command::new("cc");
        compiler.args(["-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-o"]);
        let compiled = compiler.arg(&own).arg(source).status().expect("a C compiler");
        assert!(compiled.success(), "the library was not compiled");
        let shared = folder.join("shim.so");
        std::fs::rename(own, &shared).expect("the library");
        shared
    })
}
