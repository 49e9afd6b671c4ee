//! Records of entries that don't fit.

use super::damage::{Damage, damage};

const NOT_ITS: &str = "on are not its entries'";

pub(super) const DAMAGES: &[Damage] = &[
    damage(
        &["entry_records"],
        NOT_ITS,
        "UPDATE entry_records SET last_id = first_id WHERE first_id < last_id",
        "UPDATE entry_records SET last_id = (SELECT i.last_entry_id FROM imports i
            WHERE i.id = entry_records.import_id)",
    ),
    damage(
        &["entry_records"],
        NOT_ITS,
        "INSERT INTO entry_records (family_id, import_id, first_id, last_id, hashes, entries)
            SELECT family_id, id, id, id, sha256, sha256 FROM files",
        "DELETE FROM entry_records WHERE entries IS NOT NULL",
    ),
];
