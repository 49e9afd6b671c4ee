//! A command with its time and the most memory that it had.

use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::Result;

/// Runs a command, which must succeed: its time, and the most memory that it had in KiB, as far as
/// that could be read while it ran.
pub(crate) fn timed(command: &mut Command) -> Result<(Duration, u64)> {
    let started = Instant::now();
    let mut child = command.stdout(Stdio::null()).spawn()?;
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    loop {
        if let Some(ended) = child.try_wait()? {
            let took = started.elapsed();
            return if ended.success() {
                Ok((took, peak))
            } else {
                Err(format!("{command:?}: {ended}").into())
            };
        }
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let number = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
        peak = peak.max(number.unwrap_or(0));
        std::thread::sleep(Duration::from_millis(5));
    }
}
