//! Which files nobody writes to any more.
//!
//! A file is whole when its size and its time haven't changed for a while, as this process has
//! seen it: no clock of another machine counts.

use std::collections::HashMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::folder::{Dropped, Stamp};

/// How many times as long a file has to rest that ends within a line: programs write lines as a
/// whole, and half a number is a number.
const WITHIN_A_LINE: u32 = 6;

/// What was seen of each file, and since when it is so.
pub(super) struct Quiet {
    wanted: Duration,
    seen: HashMap<PathBuf, (Stamp, Instant)>,
}

impl Quiet {
    /// Files count as whole when nothing has changed for so long.
    pub(super) fn new(wanted: Duration) -> Self {
        Self { wanted, seen: HashMap::new() }
    }

    /// Those of the listed files that are whole, if each ends a line or has rested for longer. What
    /// isn't listed is forgotten.
    pub(super) fn of(&mut self, listed: Vec<Dropped>, now: Instant) -> Vec<Rested> {
        let mut before = std::mem::take(&mut self.seen);
        listed
            .into_iter()
            .filter_map(|file| {
                let known = before.remove(&file.path).filter(|(stamp, _)| *stamp == file.stamp);
                let (stamp, since) = known.unwrap_or((file.stamp, now));
                self.seen.insert(file.path.clone(), (stamp, since));
                let rested = now.duration_since(since);
                let is_long = rested >= self.wanted * WITHIN_A_LINE;
                let is_due = rested >= self.wanted && !file.stamp.is_empty();
                is_due.then_some(Rested { file, is_long })
            })
            .collect()
    }
}

/// A file that nobody has written to for a while.
pub(super) struct Rested {
    pub(super) file: Dropped,
    /// It has rested for so long that it may end within a line.
    pub(super) is_long: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, bytes: u64) -> Dropped {
        Dropped {
            path: PathBuf::from(name),
            name: name.to_owned(),
            account: None,
            stamp: Stamp { bytes, modified: None, inode: 1 },
            was_imported: false,
        }
    }

    #[test]
    fn a_file_is_whole_when_it_has_not_changed_for_long_enough() {
        let mut quiet = Quiet::new(Duration::from_secs(10));
        let begin = Instant::now();
        let mut whole = |seconds, files: Vec<Dropped>| {
            let found = quiet.of(files, begin + Duration::from_secs(seconds));
            let name =
                |one: Rested| format!("{}{}", one.file.name, if one.is_long { "!" } else { "" });
            found.into_iter().map(name).collect::<Vec<_>>()
        };
        assert!(whole(0, vec![file("a", 5), file("b", 1)]).is_empty());
        assert!(whole(9, vec![file("a", 5), file("b", 2)]).is_empty());
        assert_eq!(whole(10, vec![file("a", 5), file("b", 2)]), ["a"]);
        assert_eq!(whole(19, vec![file("b", 2)]), ["b"]);
        // Gone and there again: it begins anew.
        assert!(whole(20, vec![file("a", 5), file("b", 3)]).is_empty());
        assert_eq!(whole(30, vec![file("a", 5)]), ["a"]);
        assert_eq!(whole(79, vec![file("a", 5)]), ["a"]);
        assert_eq!(whole(80, vec![file("a", 5)]), ["a!"]);
    }

    #[test]
    fn an_empty_file_waits_for_its_content() {
        let mut quiet = Quiet::new(Duration::ZERO);
        assert!(quiet.of(vec![file("a", 0)], Instant::now()).is_empty());
        assert_eq!(quiet.of(vec![file("a", 1)], Instant::now()).len(), 1);
    }
}
