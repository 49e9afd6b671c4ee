//! The time that processors work for a process, from `/proc`: unlike the time by the clock, it
//! hardly depends on what else the machine does.

use std::fs;
use std::time::Duration;

use crate::Result;

/// How long all threads of a process have run, those that ended too, to a hundredth of a second.
pub(crate) fn of(process: u32) -> Result<Duration> {
    sum(&fields(process)?, OWN)
}

/// The same of a process and all of its children, those that ended too.
pub(crate) fn with_children(process: u32) -> Result<Duration> {
    let mut total = sum(&fields(process)?, OWN_AND_ENDED)?;
    for entry in fs::read_dir("/proc")? {
        let name = entry?.file_name();
        let Some(other) = name.to_str().and_then(|name| name.parse().ok()) else { continue };
        // One that ends just now is counted with its parent next time.
        let Ok(fields) = fields(other) else { continue };
        if fields.get(PARENT) == Some(&process.to_string()) {
            total += sum(&fields, OWN)?;
        }
    }
    Ok(total)
}

/// The process that started this one.
pub(crate) fn parent(process: u32) -> Result<u32> {
    Ok(fields(process)?.get(PARENT).ok_or("/proc has no parent of the process")?.parse()?)
}

/// Places in what follows the name of the program: the parent, the times of the process in its own
/// code and in the system's, and with those of its children that ended.
const PARENT: usize = 1;
const OWN: std::ops::Range<usize> = 11..13;
const OWN_AND_ENDED: std::ops::Range<usize> = 11..15;

fn fields(process: u32) -> Result<Vec<String>> {
    let text = fs::read_to_string(format!("/proc/{process}/stat"))?;
    // The name of the program stands in brackets, and may have anything in it.
    let (_, rest) = text.rsplit_once(')').ok_or("/proc has no times of the process")?;
    Ok(rest.split_whitespace().map(str::to_owned).collect())
}

fn sum(fields: &[String], places: std::ops::Range<usize>) -> Result<Duration> {
    let times = fields.get(places).ok_or("/proc has no times of the process")?;
    let ticks = times.iter().map(|time| time.parse::<u64>());
    Ok(Duration::from_millis(10 * ticks.sum::<std::result::Result<u64, _>>()?))
}
