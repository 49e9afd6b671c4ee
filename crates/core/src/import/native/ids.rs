//! Which ids the records of a file have: 16 bytes for each.
//!
//! An id that is a UUID is kept as it is, any other one as a hash of 128 bits.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use uuid::Uuid;

use super::{RecordType, SourceId};

/// The ids of all records of a file.
#[derive(Debug, Default)]
pub struct RecordIds {
    sorted: HashMap<RecordType, Vec<u128>>,
    /// Ids that several records have.
    several: HashSet<(RecordType, u128)>,
}

/// Ids that several records have and that one of them had so far.
#[derive(Debug, Default)]
pub struct Repeated(HashSet<(RecordType, u128)>);

impl RecordIds {
    /// Adds the id of a record.
    pub(super) fn add(&mut self, of: RecordType, id: &SourceId) {
        self.sorted.entry(of).or_default().push(key(id));
    }

    /// Makes the ids ready to be looked up.
    pub(super) fn sort(&mut self) {
        for (of, ids) in &mut self.sorted {
            ids.sort_unstable();
            let equal = ids.windows(2).filter(|pair| pair[0] == pair[1]);
            self.several.extend(equal.map(|pair| (*of, pair[0])));
        }
    }

    /// Whether a record of the type has the id.
    pub(super) fn has(&self, of: RecordType, id: &SourceId) -> bool {
        self.sorted.get(&of).is_some_and(|ids| ids.binary_search(&key(id)).is_ok())
    }

    /// Whether no earlier record of the type has the id.
    pub(super) fn is_first(&self, of: RecordType, id: &SourceId, repeated: &mut Repeated) -> bool {
        let key = (of, key(id));
        !self.several.contains(&key) || repeated.0.insert(key)
    }
}

fn key(id: &SourceId) -> u128 {
    if let Ok(id) = crate::ids::read(&id.0) {
        return Uuid::as_u128(&id);
    }
    let half = |salt: u8| {
        let mut hasher = DefaultHasher::new();
        salt.hash(&mut hasher);
        id.0.hash(&mut hasher);
        u128::from(hasher.finish())
    };
    (half(1) << 64) | half(2)
}
