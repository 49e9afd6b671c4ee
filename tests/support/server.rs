//! The program under test, as a process.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

use super::client::Client;
use super::database::{Backend, PostgresDatabase};
use super::{secrets, wait};

const PROGRAM: &str = env!("CARGO_BIN_EXE_purser");
/// The start of the line with which the server announces its address and that it takes requests.
const READY: &str = "purser listening on http://";
/// Building a schema on a busy machine takes a moment.
const READY_SECONDS_MAX: u64 = 60;

/// How the server is started.
#[derive(Debug, Clone, Default)]
pub(crate) struct Options {
    environment: Vec<(String, String)>,
    arguments: Vec<String>,
    outlives_limits: bool,
    log: Option<PathBuf>,
    file_bytes_max: Option<u64>,
}

impl Options {
    /// The program's own defaults.
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Adds a variable to the otherwise clean environment, of the server and the command line.
    pub(crate) fn env(mut self, name: &str, value: impl ToString) -> Self {
        self.environment.push((name.to_owned(), value.to_string()));
        self
    }

    /// Adds an argument of `serve`.
    pub(crate) fn arg(mut self, argument: impl ToString) -> Self {
        self.arguments.push(argument.to_string());
        self
    }

    /// Writes over a limit of [`Server::limit_files`] fail, as on a full disk, instead of ending
    /// the process.
    pub(crate) fn outlive_limits(mut self) -> Self {
        self.outlives_limits = true;
        self
    }

    /// As [`Server::limit_files`], from the start on.
    pub(crate) fn limit_files(self, bytes: u64) -> Self {
        Self { file_bytes_max: Some(bytes), ..self }.outlive_limits()
    }

    /// The log goes to a file instead of the test.
    pub(crate) fn log_to(mut self, file: impl Into<PathBuf>) -> Self {
        self.log = Some(file.into());
        self
    }

    /// The program, with what the shell must do before it runs; the process keeps its id.
    fn program(&self) -> Command {
        let ignored = if self.outlives_limits { "trap '' XFSZ; " } else { "" };
        let log = self.log.as_ref().map(|file| format!(" 2>'{}'", file.display()));
        let mut shell = Command::new("sh");
        let log = log.unwrap_or_default();
        let limit = self.file_bytes_max.map(|bytes| format!("prlimit --fsize={bytes}: "));
        let limit = limit.unwrap_or_default();
        shell.args(["-c", &format!("{ignored}exec {limit}\"$0\" \"$@\"{log}"), PROGRAM]);
        shell
    }
}

/// A running server, its folder and its database. Dropping it removes all three.
#[derive(Debug)]
pub(crate) struct Server {
    process: Option<Process>,
    address: String,
    options: Options,
    backend: Backend,
    // Declared after the process: what it uses goes after it.
    folder: Folder,
    database: Option<PostgresDatabase>,
}

/// What a server has on the disk.
#[derive(Debug)]
struct Folder(TempDir);

impl Drop for Folder {
    fn drop(&mut self) {
        secrets::require_none_in_files(self.0.path());
    }
}

impl Server {
    /// Starts with defaults and waits until requests are taken.
    pub(crate) fn start(backend: Backend) -> Self {
        Self::start_with(backend, Options::new())
    }

    /// Starts with settings of its own.
    pub(crate) fn start_with(backend: Backend, options: Options) -> Self {
        Self::start_on(backend, options, |_| {})
    }

    /// Starts on a data folder that `fill` has filled.
    pub(crate) fn start_on(backend: Backend, options: Options, fill: impl FnOnce(&Path)) -> Self {
        let mut server = Self::prepared(backend, options);
        fill(&server.data_folder());
        server.start_again();
        server
    }

    /// A folder and an empty database for a server that doesn't run yet.
    pub(crate) fn prepared(backend: Backend, options: Options) -> Self {
        Self {
            process: None,
            address: "127.0.0.1:0".to_owned(),
            options,
            backend,
            folder: Folder(TempDir::with_prefix("purser-test-").expect("a folder for the server")),
            database: (backend == Backend::Postgres).then(PostgresDatabase::create),
        }
    }

    /// Starts after [`Server::stop`] or [`Server::kill`]: same data, same address.
    pub(crate) fn start_again(&mut self) {
        assert!(self.process.is_none(), "the server runs");
        let mut command = self.on_its_data(self.options.program());
        command.arg("serve").args(["--listen", &self.address]).args(&self.options.arguments);
        let (process, address) = Process::spawn(command);
        self.process = Some(process);
        self.address = address;
    }

    /// Starts again with other settings.
    pub(crate) fn start_again_with(&mut self, options: Options) {
        self.options = options;
        self.start_again();
    }

    /// Ends the process at once, as a power cut would.
    pub(crate) fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            process.kill();
        }
    }

    /// Asks the server to end (`SIGTERM`) and waits until it has.
    pub(crate) fn stop(&mut self) -> ExitStatus {
        let mut process = self.process.take().expect("a running server");
        process.signal("TERM");
        process.wait()
    }

    /// Sends a signal by name, such as `STOP` or `CONT`.
    pub(crate) fn signal(&self, name: &str) {
        self.running().signal(name);
    }

    /// The program with the server's environment and data, for `serve` or any other command.
    pub(crate) fn command(&self) -> Command {
        self.on_its_data(Command::new(PROGRAM))
    }

    /// As [`Server::command`], with more settings.
    pub(crate) fn command_with(&self, options: &Options) -> Command {
        let mut command = self.command();
        command.envs(options.environment.iter().map(|(name, value)| (name, value)));
        command
    }

    fn on_its_data(&self, mut command: Command) -> Command {
        command.env_clear().env("HOME", self.folder.0.path());
        if let Some(path) = std::env::var_os("PATH") {
            command.env("PATH", path);
        }
        command.envs(self.options.environment.iter().map(|(name, value)| (name, value)));
        command.env("PURSER_DATA_DIR", self.data_folder());
        if let Some(database) = &self.database {
            // As fast as can be: encryption has tests of its own.
            command.env("PURSER_DATABASE_URL", format!("{}?sslmode=disable", database.url));
        }
        command
    }

    /// A client without a key.
    pub(crate) fn client(&self) -> Client {
        Client::new(self.address())
    }

    /// Host and port, as in a URL.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// The process id, for its files in `/proc`.
    pub(crate) fn process_id(&self) -> u32 {
        self.running().child.id()
    }

    /// Where the program keeps its files.
    pub(crate) fn data_folder(&self) -> std::path::PathBuf {
        self.folder.0.path().join("data")
    }

    /// What it stores in.
    pub(crate) fn backend(&self) -> Backend {
        self.backend
    }

    /// The address of the PostgreSQL database, if it stores there.
    pub(crate) fn database_url(&self) -> Option<&str> {
        self.database.as_ref().map(|database| database.url.as_str())
    }

    /// The same as a superuser of PostgreSQL.
    pub(crate) fn superuser_url(&self) -> String {
        self.database_url().expect("PostgreSQL").replacen("//purser@", "//postgres@", 1)
    }

    /// Everything the process has written to its error output so far.
    pub(crate) fn log(&self) -> String {
        self.running().log.text()
    }

    /// Waits until a line of the log contains the text.
    #[track_caller]
    pub(crate) fn wait_for_log(&self, text: &str) -> String {
        wait::until(&format!("a log line with {text:?}"), || {
            self.log().lines().find(|line| line.contains(text)).map(str::to_owned)
        })
    }

    fn running(&self) -> &Process {
        self.process.as_ref().expect("a running server")
    }
}

/// One more process on the data and the database of a [`Server`], at an address of its own.
#[derive(Debug)]
pub(crate) struct Node {
    process: Process,
    address: String,
}

impl Server {
    /// Starts one more node. It must go before the server does.
    pub(crate) fn start_beside(&self) -> Node {
        self.start_beside_in(&self.data_folder())
    }

    /// As [`Server::start_beside`], with a data folder of its own.
    pub(crate) fn start_beside_in(&self, data_folder: &Path) -> Node {
        let mut command = self.command();
        command.env("PURSER_DATA_DIR", data_folder);
        command.arg("serve").args(["--listen", "127.0.0.1:0"]).args(&self.options.arguments);
        let (process, address) = Process::spawn(command);
        Node { process, address }
    }
}

impl Node {
    /// A client of this node, without a key.
    pub(crate) fn client(&self) -> Client {
        Client::new(&self.address)
    }

    pub(crate) fn process_id(&self) -> u32 {
        self.process.child.id()
    }

    /// Sends a signal by name, such as `STOP` or `CONT`.
    pub(crate) fn signal(&self, name: &str) {
        self.process.signal(name);
    }

    /// Ends the process at once.
    pub(crate) fn kill(&mut self) {
        self.process.kill();
    }

    /// Asks the process to end (`SIGTERM`) and waits until it has.
    pub(crate) fn stop(&mut self) -> ExitStatus {
        self.process.signal("TERM");
        self.process.wait()
    }

    /// Everything the process has written to its error output so far.
    pub(crate) fn log(&self) -> String {
        self.process.log.text()
    }
}

/// The child and what it prints.
#[derive(Debug)]
struct Process {
    child: Child,
    log: Output,
}

impl Process {
    fn spawn(mut command: Command) -> (Self, String) {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let log = Output::default();
        log.collect(child.stderr.take().expect("its error output"));
        let stdout = child.stdout.take().expect("its output");
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || {
            // Reads on to the end, or the program would block on a full pipe.
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if let Some((_, address)) = line.split_once(READY) {
                    let _ = sender.send(address.trim().trim_end_matches('/').to_owned());
                }
            }
        });
        let mut process = Self { child, log };
        match receiver.recv_timeout(Duration::from_secs(READY_SECONDS_MAX)) {
            Ok(address) => (process, address),
            Err(reason) => {
                let ended = match reason {
                    RecvTimeoutError::Timeout => "did not say so in time".to_owned(),
                    RecvTimeoutError::Disconnected => format!("ended: {:?}", process.child.wait()),
                };
                panic!("no line {READY:?}…: the server {ended}\n{}", process.log.text());
            }
        }
    }

    fn signal(&self, name: &str) {
        let pid = self.child.id().to_string();
        let sent = Command::new("kill").args([&format!("-{name}"), &pid]).status();
        assert!(sent.expect("kill").success(), "signal {name} was not sent");
    }

    fn wait(&mut self) -> ExitStatus {
        wait::until("the server to end", || self.child.try_wait().expect("its status"))
    }

    fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
        if thread::panicking() {
            eprintln!("--- what the server logged\n{}---", self.log.text());
        }
        secrets::require_none("the log", self.log.text().as_bytes());
    }
}

/// Text that a thread collects.
#[derive(Debug, Clone, Default)]
struct Output(Arc<Mutex<Vec<u8>>>);

impl Output {
    fn collect(&self, mut source: impl Read + Send + 'static) {
        let target = Arc::clone(&self.0);
        thread::spawn(move || {
            let mut buffer = [0; 8192];
            while let Ok(length @ 1..) = source.read(&mut buffer) {
                let mut text = target.lock().unwrap_or_else(PoisonError::into_inner);
                text.extend_from_slice(&buffer[..length]);
            }
        });
    }

    fn text(&self) -> String {
        let bytes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&bytes).into_owned()
    }
}
