//! Folders of servers, and what a killed run left behind.
//!
//! Each run holds a lock on a file in its folder. The kernel releases it when the run ends in any
//! way. So a folder with a free lock belongs to no run: its server, if it still runs, is stopped,
//! and the folder is removed.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Result, scratch};

const PREFIX: &str = "purser-test-postgres-";

/// A new folder, readable by everybody, since the server may run as another user.
pub(crate) fn new_folder(parent: &Path) -> Result<PathBuf> {
    let mut folder = parent.join(format!("{PREFIX}{}", std::process::id()));
    // Process ids come round again: a folder of that name may be there.
    for attempt in 1.. {
        match fs::create_dir(&folder) {
            Ok(()) => break,
            Err(error) if error.kind() == ErrorKind::AlreadyExists && attempt < 100 => {
                folder.set_file_name(format!("{PREFIX}{}-{attempt}", std::process::id()));
            }
            Err(error) => return Err(format!("cannot create {folder:?}: {error}")),
        }
    }
    Ok(folder)
}

/// Marks the folder as in use for as long as the file stays open.
pub(crate) fn lock(folder: &Path) -> Result<File> {
    let path = folder.join("lock");
    let file = File::create(&path).map_err(|error| format!("cannot create {path:?}: {error}"))?;
    file.try_lock().map_err(|error| format!("cannot lock {path:?}: {error}"))?;
    Ok(file)
}

/// Removes what runs that are over left behind. A failure here stops nothing.
pub(crate) fn remove_all() {
    let folders = [std::env::temp_dir(), PathBuf::from(scratch::MEMORY)];
    for entry in folders.iter().flat_map(fs::read_dir).flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(PREFIX) {
            remove_if_unused(&entry.path());
        }
    }
}

fn remove_if_unused(folder: &Path) {
    let Ok(file) = File::open(folder.join("lock")) else { return };
    if file.try_lock().is_err() {
        return;
    }
    let data = folder.join("data");
    if let Some(pid) = server_pid(&data)
        && runs_on(&pid, &data)
    {
        let _ = Command::new("kill").args(["-QUIT", &pid]).status();
    }
    let _ = fs::remove_dir_all(folder);
}

fn server_pid(data: &Path) -> Option<String> {
    let text = fs::read_to_string(data.join("postmaster.pid")).ok()?;
    text.lines().next().map(|line| line.trim().to_owned())
}

/// A process id is used again sooner or later, so the command line must name the folder.
fn runs_on(pid: &str, data: &Path) -> bool {
    let shown = crate::process::output_of(Command::new("ps").args(["-o", "args=", "-p", pid]));
    let command_line = match fs::read(format!("/proc/{pid}/cmdline")) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(_) => shown.unwrap_or_default(),
    };
    command_line.contains(&*data.to_string_lossy())
}
