//! Which files nobody writes to any more.
//!
//! A file is whole when its size and its time haven't changed for a while, as this process has
//! seen it: no clock of another machine counts.

use std::collections::HashMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::folder::{Dropped, Stamp};

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

    /// Those of the listed files that are whole. What isn't listed is forgotten.
    pub(super) fn of(&mut self, listed: Vec<Dropped>, now: Instant) -> Vec<Dropped> {
        let mut before = std::mem::take(&mut self.seen);
        listed
            .into_iter()
            .filter(|file| {
                let known = before.remove(&file.path).filter(|(stamp, _)| *stamp == file.stamp);
                let (stamp, since) = known.unwrap_or((file.stamp, now));
                self.seen.insert(file.path.clone(), (stamp, since));
                now.duration_since(since) >= self.wanted && !file.stamp.is_empty()
            })
            .collect()
    }
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
        }
    }

    #[test]
    fn a_file_is_whole_when_it_has_not_changed_for_long_enough() {
        let mut quiet = Quiet::new(Duration::from_secs(10));
        let begin = Instant::now();
        let mut whole = |seconds, files: Vec<Dropped>| {
            let found = quiet.of(files, begin + Duration::from_secs(seconds));
            found.into_iter().map(|file| file.name).collect::<Vec<_>>()
        };
        assert!(whole(0, vec![file("a", 5), file("b", 1)]).is_empty());
        assert!(whole(9, vec![file("a", 5), file("b", 2)]).is_empty());
        assert_eq!(whole(10, vec![file("a", 5), file("b", 2)]), ["a"]);
        assert_eq!(whole(19, vec![file("b", 2)]), ["b"]);
        // Gone and there again: it begins anew.
        assert!(whole(20, vec![file("a", 5), file("b", 3)]).is_empty());
        assert_eq!(whole(30, vec![file("a", 5)]), ["a"]);
    }

    #[test]
    fn an_empty_file_waits_for_its_content() {
        let mut quiet = Quiet::new(Duration::ZERO);
        assert!(quiet.of(vec![file("a", 0)], Instant::now()).is_empty());
        assert_eq!(quiet.of(vec![file("a", 1)], Instant::now()).len(), 1);
    }
}
