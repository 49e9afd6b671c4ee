//! A PostgreSQL server with a data folder of its own, on a free port of this machine only.
//!
//! It holds nothing of value, so it asks for no password. The folder and the server outlive
//! nobody: `Drop` stops it after a run, and a *watcher* does so when this program is killed. The
//! watcher is a shell that waits for the end of a pipe which only this program holds, in a process
//! group of its own, so that Ctrl-C does not reach it.

use std::fs::{self, File};
use std::io::Write as _;
use std::net::TcpListener;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::account::Account;
use super::binaries::Binaries;
use super::certificate;
use super::leftover;
use crate::Result;
use crate::process::cannot_run;

/// The name that the server's first user has.
const SUPERUSER: &str = "postgres";
/// The name of a role like the one that an operator gives the program: row-level security applies
/// to it.
const PLAIN_ROLE: &str = "purser";
/// Makes that role. It may also make databases, end checkpoints of measurements, and plant damage
/// that foreign keys would refuse.
const CREATE_ROLE: &str = "CREATE ROLE purser LOGIN CREATEDB;
GRANT pg_checkpoint TO purser;
GRANT SET ON PARAMETER session_replication_role TO purser;
";
/// How long a server may take to accept connections.
const START_SECONDS_MAX: u64 = 60;
/// Another program may take the port between choosing and using it.
const START_TRIES: usize = 3;

/// Durable, as everywhere: the program refuses a server that may forget commits.
const SETTINGS: &[&str] =
    &["listen_addresses=127.0.0.1", "unix_socket_directories=", "max_connections=300"];

/// Waits for the end of its input, then stops the server ($1) and removes its folder ($2). The wait
/// for the server is bounded: where nothing reaps the dead, its process never goes away.
const WATCHER: &str = r#"
read -r _
kill -QUIT "$1" 2>/dev/null
for _ in 1 2 3 4 5 6 7 8 9 10; do kill -0 "$1" 2>/dev/null && sleep 0.1; done
rm -rf "$2" 2>/dev/null
"#;

/// A server that runs until this is dropped.
#[derive(Debug)]
pub(crate) struct Cluster {
    folder: PathBuf,
    server: Child,
    watcher: Child,
    port: u16,
    /// Held as long as the folder is in use, see [`leftover`].
    _lock: File,
}

impl Cluster {
    /// Starts a server in a new folder of `parent`, with TLS if that is wanted, and waits until it
    /// accepts connections.
    pub(crate) fn start(binaries: &Binaries, parent: &Path, has_tls: bool) -> Result<Self> {
        let account = Account::choose()?;
        leftover::remove_all();
        let folder = leftover::new_folder(parent)?;
        let lock = leftover::lock(&folder)?;
        let started = account
            .own(&folder)
            .and_then(|()| initialise(binaries, account, &folder))
            .and_then(|()| create_role(binaries, account, &folder))
            .and_then(|()| if has_tls { certificate::create(account, &folder) } else { Ok(()) })
            .and_then(|()| start_on_free_port(binaries, account, &folder, has_tls))
            .and_then(|(mut server, port)| match watch(account, &server, &folder) {
                Ok(watcher) => Ok((server, watcher, port)),
                Err(message) => {
                    let _ = server.kill();
                    Err(message)
                }
            });
        match started {
            Ok((server, watcher, port)) => Ok(Self { folder, server, watcher, port, _lock: lock }),
            Err(message) => {
                let _ = fs::remove_dir_all(&folder);
                Err(message)
            }
        }
    }

    /// The certificate of the authority that vouches for the server.
    pub(crate) fn authority(&self) -> PathBuf {
        certificate::authority(&self.folder)
    }

    /// What clients connect to, as a role like the program's own.
    pub(crate) fn url(&self) -> String {
        self.url_of(PLAIN_ROLE)
    }

    /// The same as a superuser.
    pub(crate) fn superuser_url(&self) -> String {
        self.url_of(SUPERUSER)
    }

    fn url_of(&self, role: &str) -> String {
        format!("postgres://{role}@127.0.0.1:{}/postgres", self.port)
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        // The end of the watcher's input is the one way to stop, so that it is always exercised.
        drop(self.watcher.stdin.take());
        let _ = self.server.wait();
        let _ = self.watcher.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn initialise(binaries: &Binaries, account: Account, folder: &Path) -> Result<()> {
    let mut command = Command::new(binaries.path("initdb"));
    command
        .args(["--username", SUPERUSER, "--auth=trust", "--encoding=UTF8", "--locale=C"])
        .args(["--data-checksums", "--no-sync", "--pgdata"])
        .arg(folder.join("data"))
        .current_dir(folder)
        .stdin(Stdio::null());
    let output = account.run_as(&mut command).output();
    let output = output.map_err(|error| cannot_run(&command, &error))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("initdb failed: {}", String::from_utf8_lossy(&output.stderr).trim()))
}

/// Runs statements before anybody can connect, which needs no client.
fn create_role(binaries: &Binaries, account: Account, folder: &Path) -> Result<()> {
    let mut command = Command::new(binaries.path("postgres"));
    command
        .args(["--single", "-j", "-D"])
        .arg(folder.join("data"))
        .arg("postgres")
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    let spawned = account.run_as(&mut command).spawn();
    let mut server = spawned.map_err(|error| cannot_run(&command, &error))?;
    let mut input = server.stdin.take().ok_or("the server has no input")?;
    // With -j a statement ends with an empty line.
    let written = input.write_all(CREATE_ROLE.replace(";\n", ";\n\n").as_bytes());
    drop(input);
    let output = written.and_then(|()| server.wait_with_output());
    let output = output.map_err(|error| cannot_run(&command, &error))?;
    let log = String::from_utf8_lossy(&output.stderr);
    if output.status.success() && !log.contains("ERROR") {
        return Ok(());
    }
    Err(format!("the role of the tests can't be made: {}", log.trim()))
}

fn start_on_free_port(
    binaries: &Binaries,
    account: Account,
    folder: &Path,
    has_tls: bool,
) -> Result<(Child, u16)> {
    let mut last_log = String::new();
    for _ in 0..START_TRIES {
        let port = free_port()?;
        let mut command = server_command(binaries, folder, port)?;
        if has_tls {
            command.args(certificate::settings(folder));
        }
        let spawned = account.run_as(&mut command).spawn();
        let mut server = spawned.map_err(|error| cannot_run(&command, &error))?;
        if wait_until_ready(&mut server, folder)? {
            return Ok((server, port));
        }
        last_log = fs::read_to_string(folder.join("log")).unwrap_or_default();
    }
    Err(format!("the PostgreSQL server does not start:\n{}", last_log.trim()))
}

fn free_port() -> Result<u16> {
    TcpListener::bind("127.0.0.1:0")
        .and_then(|listener| listener.local_addr())
        .map(|address| address.port())
        .map_err(|error| format!("no free port: {error}"))
}

fn server_command(binaries: &Binaries, folder: &Path, port: u16) -> Result<Command> {
    let log = File::create(folder.join("log")).map_err(|error| format!("no log: {error}"))?;
    let errors = log.try_clone().map_err(|error| format!("no log: {error}"))?;
    let mut command = Command::new(binaries.path("postgres"));
    command.arg("-D").arg(folder.join("data")).arg("-p").arg(port.to_string());
    for setting in SETTINGS {
        command.args(["-c", setting]);
    }
    command
        .env("LC_ALL", "C")
        .current_dir(folder)
        .process_group(0)
        .stdin(Stdio::null())
        .stdout(log)
        .stderr(errors);
    Ok(command)
}

/// True when the server accepts connections, false when it ended. The eighth line of its pid file
/// has this state, and its own control program waits for it in the same way.
fn wait_until_ready(server: &mut Child, folder: &Path) -> Result<bool> {
    let pid_file = folder.join("data/postmaster.pid");
    let deadline = Instant::now() + Duration::from_secs(START_SECONDS_MAX);
    loop {
        if let Ok(text) = fs::read_to_string(&pid_file)
            && text.lines().nth(7).is_some_and(|state| state.trim() == "ready")
        {
            return Ok(true);
        }
        match server.try_wait() {
            Ok(None) => {}
            Ok(Some(_)) => return Ok(false),
            Err(error) => return Err(format!("cannot wait for PostgreSQL: {error}")),
        }
        if Instant::now() > deadline {
            let _ = server.kill();
            let _ = server.wait();
            return Ok(false);
        }
        sleep(Duration::from_millis(20));
    }
}

fn watch(account: Account, server: &Child, folder: &Path) -> Result<Child> {
    let mut command = Command::new("sh");
    command
        .args(["-c", WATCHER, "watcher"])
        .arg(server.id().to_string())
        .arg(folder)
        .current_dir("/")
        .process_group(0)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    account.run_as(&mut command).spawn().map_err(|error| cannot_run(&Command::new("sh"), &error))
}
