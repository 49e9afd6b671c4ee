//! Where tests put what they throw away: in memory where there is room for it.
//!
//! Every test on PostgreSQL makes a database, fills it with tables and drops it again. On a disk
//! it mostly waits for writes to be flushed, which no test needs to survive: those that cut the
//! power or fill the disk do so by other means.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::output_of;

/// A file system in memory, as Linux has it.
pub(crate) const MEMORY: &str = "/dev/shm";

/// What the databases of a run may take at once, with PostgreSQL's log (at most 1 GiB).
const ROOM_KIB: u64 = 4 * 1024 * 1024;

/// The folder for temporary files: the one that `TMPDIR` names, else memory if 4 GiB of it are
/// free, else that of the system.
pub(crate) fn folder() -> PathBuf {
    let is_chosen = std::env::var_os("TMPDIR").is_some();
    if !is_chosen && free_kib(Path::new(MEMORY)).is_some_and(|free| free >= ROOM_KIB) {
        return PathBuf::from(MEMORY);
    }
    std::env::temp_dir()
}

/// The free space of a file system, and not more than the memory that is free.
fn free_kib(folder: &Path) -> Option<u64> {
    let shown = output_of(Command::new("df").args(["-k", "--output=avail"]).arg(folder))?;
    let room: u64 = shown.lines().last()?.trim().parse().ok()?;
    let memory = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = memory.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let free: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(room.min(free / 2))
}
