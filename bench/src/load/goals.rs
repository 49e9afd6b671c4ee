//! What a load may do at most: to the memory of the server, and to another family.

use std::time::Duration;

use super::Row;
use crate::table::mebibytes;

/// The memory of the server and its helper processes, while hundreds of requests come at once.
pub(super) const MEMORY_KIB_MAX: u64 = 256 * 1024;
/// The same when they have been answered for a while: memory is given back.
pub(super) const MEMORY_AFTER_KIB_MAX: u64 = 160 * 1024;
/// Another family's slowest read.
pub(super) const READ_MAX: Duration = Duration::from_millis(500);
/// Another family's slowest write.
pub(super) const WRITE_MAX: Duration = Duration::from_secs(2);

/// The goals as text, for the line above the table.
pub(super) fn text() -> String {
    format!(
        "goals: {} MiB at most and {} MiB after; another family's slowest read {} ms, write {} ms",
        mebibytes(MEMORY_KIB_MAX),
        mebibytes(MEMORY_AFTER_KIB_MAX),
        READ_MAX.as_millis(),
        WRITE_MAX.as_millis()
    )
}

/// The goals that a row misses, by name; empty if it keeps all.
pub(super) fn missed(row: &Row) -> Vec<&'static str> {
    let kept = [
        ("memory", row.peak_kib <= MEMORY_KIB_MAX),
        ("memory after", row.after_kib <= MEMORY_AFTER_KIB_MAX),
        ("read", row.slowest_read <= READ_MAX),
        ("write", row.slowest_write <= WRITE_MAX),
        ("answers", row.unanswered == 0),
        ("good answers", row.never_good == 0),
    ];
    kept.into_iter().filter(|(_, is_kept)| !is_kept).map(|(name, _)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_goal_can_be_missed() {
        let kept = Row {
            peak_kib: MEMORY_KIB_MAX,
            after_kib: MEMORY_AFTER_KIB_MAX,
            slowest_read: READ_MAX,
            slowest_write: WRITE_MAX,
            unanswered: 0,
            never_good: 0,
        };
        assert_eq!(missed(&kept), [""; 0]);
        let moment = Duration::from_nanos(1);
        let all = Row {
            peak_kib: MEMORY_KIB_MAX + 1,
            after_kib: MEMORY_AFTER_KIB_MAX + 1,
            slowest_read: READ_MAX + moment,
            slowest_write: WRITE_MAX + moment,
            unanswered: 1,
            never_good: 1,
        };
        let names = ["memory", "memory after", "read", "write", "answers", "good answers"];
        assert_eq!(missed(&all), names);
    }
}
