//! A run of a program with a limit, its time and its memory.

use std::fs;
use std::io::Read as _;
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::Result;

/// Between two looks at the memory.
const LOOK: Duration = Duration::from_millis(10);

/// How a run ended.
pub(super) enum Run {
    /// The program ended by itself and succeeded.
    Ended(Ran),
    /// It was ended at its limit.
    TooLong,
}

/// What a run took.
pub(super) struct Ran {
    pub(super) wall: Duration,
    pub(super) peak_kib: u64,
    /// The number in the line `count N` that it printed last.
    pub(super) count: Option<u64>,
}

/// Runs a program in a process group of its own, so that it ends with all that it started.
pub(super) fn run_bounded(mut command: Command, limit: Duration) -> Result<Run> {
    let started = Instant::now();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()?;
    let group = child.id();
    let mut output = child.stdout.take().ok_or("the program has no output")?;
    let mut errors = child.stderr.take().ok_or("the program has no error output")?;
    let text = std::thread::spawn(move || {
        let mut text = String::new();
        output.read_to_string(&mut text).map(|_| text)
    });
    let problems = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        errors.read_to_end(&mut bytes).map(|_| String::from_utf8_lossy(&bytes).into_owned())
    });
    let mut peak_kib = 0;
    let status = loop {
        peak_kib = peak_kib.max(peak_of_tree(group));
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if started.elapsed() > limit {
            // Kills by process group, so this needs the program and not only the child.
            Command::new("kill").args(["-KILL", "--", &format!("-{group}")]).status()?;
            child.wait()?;
            return Ok(Run::TooLong);
        }
        sleep(LOOK);
    };
    let wall = started.elapsed();
    let text = text.join().map_err(|_| "the output could not be read")??;
    let problems = problems.join().map_err(|_| "the errors could not be read")??;
    if !status.success() {
        let last = problems.lines().rev().find(|line| !line.trim().is_empty());
        return Err(format!("{status}: {}", last.unwrap_or("it said nothing")).into());
    }
    let count = text.lines().last().and_then(|line| line.strip_prefix("count "));
    let count = count.and_then(|number| number.trim().parse().ok());
    Ok(Run::Ended(Ran { wall, peak_kib, count }))
}

/// The most memory that a process or one below it ever had; 0 once it is gone.
fn peak_of_tree(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
    let children = fs::read_to_string(format!("/proc/{process}/task/{process}/children"));
    let below = children.unwrap_or_default();
    let below = below.split_whitespace().filter_map(|child| child.parse().ok()).map(peak_of_tree);
    below.chain(number).max().unwrap_or(0)
}
