//! The memory of a server and of the processes that it starts: the readers of documents.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::Result;
use crate::server::Server;

/// The time between two looks.
const LOOK: Duration = Duration::from_millis(20);

/// The most memory in KiB that the server and its helpers had at a time, and that of the helpers
/// alone, looked at until `stop`. What the program itself takes on the disk is counted once.
pub(super) fn watch(server: &Server, stop: &AtomicBool) -> (u64, u64) {
    let (mut most, mut of_helpers) = (0, 0);
    while !stop.load(Ordering::Relaxed) {
        let helpers = helpers(server.process()).into_iter().filter_map(own_kib).sum();
        let all = server.memory_kib("VmRSS").unwrap_or(0) + helpers;
        most = most.max(all);
        of_helpers = of_helpers.max(helpers);
        std::thread::sleep(LOOK);
    }
    (most, of_helpers)
}

/// The most that the server had by itself since `forget_peak`, or with its helpers.
pub(super) fn peak_kib(server: &Server, watched: u64) -> Result<u64> {
    Ok(server.memory_kib("VmHWM")?.max(watched))
}

/// The processes that a process has started, and those that they have.
fn helpers(process: u32) -> Vec<u32> {
    let Ok(tasks) = fs::read_dir(format!("/proc/{process}/task")) else { return Vec::new() };
    let mut found = Vec::new();
    for task in tasks.flatten() {
        let children = fs::read_to_string(task.path().join("children")).unwrap_or_default();
        for child in children.split_whitespace().filter_map(|id| id.parse().ok()) {
            found.push(child);
            found.extend(helpers(child));
        }
    }
    found
}

/// Memory that no file stands behind.
fn own_kib(process: u32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("RssAnon:"))?;
    line.split_whitespace().next()?.parse().ok()
}
