//! A family's tables, and what of them an undo must leave.

use std::collections::{BTreeMap, BTreeSet};

use crate::support::{Family, Sql};

/// Rows of one table by their key, each as its cells.
type Rows = BTreeMap<Vec<String>, Vec<String>>;

/// Tables with rows that an import may change, with the columns of the key and the others.
const TABLES: [(&str, &str, &str); 12] = [
    (
        "accounts",
        "id",
        "name, name_key, account_type, subtype, currency, status, opening_amount,
            institution_name, institution_domain, transactions_count, valuations_count",
    ),
    (
        "balances",
        "account_id, date",
        "inflow, outflow, valued, adjustment, end_amount,
        transactions_count",
    ),
    ("categories", "id", "parent_id, name, name_key"),
    (
        "entries",
        "id",
        "account_id, kind, date, amount, currency, name, notes, category_id, merchant_id,
            valuation_kind, pending, source, external_id, excluded, has_origin, locked,
            changed_at IS NULL",
    ),
    (
        "entry_origins",
        "entry_id",
        "account_id, date, amount, currency, name, external_id,
        deleted_at IS NULL",
    ),
    ("entry_tags", "entry_id, tag_id", ""),
    ("import_created", "import_id, kind, target_id", ""),
    ("import_fills", "import_id, entry_id", "filled"),
    ("tags", "id", "name, name_key"),
    ("transfers", "id", "outflow_id, inflow_id, status"),
    ("rejected_transfers", "outflow_id, inflow_id", ""),
    ("hidden_entries", "family_id", ""),
];

/// Columns of the entries, as they are asked for above.
const NOTES: usize = 6;
const CATEGORY: usize = 7;
const EXTERNAL: usize = 12;

/// The rows of a family's tables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct State(BTreeMap<&'static str, Rows>);

impl State {
    pub(in super::super) fn read(sql: &Sql, family: &Family) -> Self {
        let of = family_id(family);
        let read = |(table, key, rest): (&'static str, &str, &str)| {
            let columns = if rest.is_empty() { key.to_owned() } else { format!("{key}, {rest}") };
            let keys = key.split(',').count();
            let rows = sql.query(&format!("SELECT {columns} FROM {table} WHERE family_id = {of}"));
            let rows = rows.into_iter().map(|mut row| {
                let rest = row.split_off(keys);
                (row, rest)
            });
            (table, rows.collect::<Rows>())
        };
        Self(TABLES.into_iter().map(read).collect())
    }

    pub(super) fn table(&self, name: &str) -> &Rows {
        &self.0[name]
    }

    /// The ids of the entries.
    pub(super) fn entries(&self) -> BTreeSet<String> {
        self.table("entries").keys().map(|key| id(&key[0])).collect()
    }

    /// Those that count as changed by a person.
    pub(super) fn changed(&self) -> BTreeSet<String> {
        let changed = self.table("entries").iter().filter(|(_, row)| is_changed(row));
        changed.map(|(key, _)| id(&key[0])).collect()
    }

    /// The tags of an entry.
    fn tags(&self, entry: &[String]) -> BTreeSet<&str> {
        let links = self.table("entry_tags").keys();
        links.filter(|link| link[0] == entry[0]).map(|link| link[1].as_str()).collect()
    }
}

/// The family's number, as a statement asks for it.
pub(super) fn family_id(family: &Family) -> String {
    format!("(SELECT family_id FROM sign_in_names WHERE email = '{}')", family.email)
}

/// An id in the same words, whichever database or answer it is from.
pub(super) fn id(text: &str) -> String {
    text.replace('-', "").to_lowercase()
}

/// Whether an entry counts as changed by a person: its last cell shows whether that is null.
fn is_changed(entry: &[String]) -> bool {
    !["1", "t"].contains(&entry.last().unwrap().as_str())
}

/// Whether the origin of an entry is kept after its deletion: the last cell shows whether not.
fn is_tombstone(origin: &[String]) -> bool {
    !["1", "t"].contains(&origin.last().unwrap().as_str())
}

/// What is left is what was there before and what a person changed; fills are taken back where
/// nobody changed them.
pub(super) fn assert_survived(before: &State, published: &State, changed: &State, after: &State) {
    let mut expected = Rows::new();
    for (id, row) in changed.table("entries") {
        let is_changed = is_changed(row);
        match before.table("entries").get(id) {
            None if is_changed => drop(expected.insert(id.clone(), row.clone())),
            None => {}
            Some(old) if !is_changed => drop(expected.insert(id.clone(), old.clone())),
            Some(old) => {
                let mut row = row.clone();
                let filled = &published.table("entries")[id];
                for field in [NOTES, CATEGORY, EXTERNAL] {
                    if old[field].is_empty() && filled[field] == row[field] {
                        row[field].clear();
                    }
                }
                expected.insert(id.clone(), row);
            }
        }
    }
    assert_eq!(after.table("entries"), &expected);
    for id in expected.keys() {
        let (was, filled, is) = (before.tags(id), published.tags(id), changed.tags(id));
        let is_old = before.table("entries").contains_key(id);
        let tags = if is_old && was.is_empty() && filled == is { was } else { is };
        assert_eq!(after.tags(id), tags, "the tags of {id:?}");
    }
    assert_eq!(
        after
            .table("entry_tags")
            .keys()
            .filter(|link| { !expected.contains_key(&link[..1]) })
            .count(),
        0
    );
    let origins = |state: &State| -> Rows {
        let rows = state.table("entry_origins").iter();
        // What an undo takes back of a bank's id is taken back there too.
        rows.map(|(id, row)| (id.clone(), row[..5].iter().chain(&row[6..]).cloned().collect()))
            .collect()
    };
    // The origin of an entry that a rule renamed is removed with it; tombstones stay.
    let mut kept = origins(changed);
    kept.retain(|id, row| is_tombstone(row) || expected.contains_key(id));
    assert_eq!(origins(after), kept);
    let stays = |transfer: &Vec<String>| {
        transfer[..2].iter().all(|side| expected.contains_key(std::slice::from_ref(side)))
    };
    let mut transfers = changed.table("transfers").clone();
    transfers.retain(|_, transfer| stays(transfer));
    assert_eq!(after.table("transfers"), &transfers, "those of which both sides stay");
    let rejected = "rejected_transfers";
    assert_eq!(after.table(rejected), changed.table(rejected), "they outlive their sides");
    for noun in ["accounts", "categories", "tags"] {
        assert_created(noun, before, after);
    }
}

/// What was there is there; what was created is there only if something points to it.
fn assert_created(noun: &str, before: &State, after: &State) {
    let (old, now) = (before.table(noun), after.table(noun));
    assert!(old.keys().all(|id| now.contains_key(id)), "{noun} are lost");
    for id in now.keys().filter(|id| !old.contains_key(*id)) {
        let id = &id[0];
        let is_used = match noun {
            "accounts" => ["entries", "entry_origins"]
                .iter()
                .any(|table| after.table(table).values().any(|row| row[0] == *id)),
            "categories" => {
                after.table("entries").values().any(|row| row[CATEGORY] == *id)
                    || after.table("categories").values().any(|row| row[0] == *id)
            }
            _ => after.table("entry_tags").keys().any(|link| link[1] == *id),
        };
        assert!(is_used, "of {noun}, {id} stays although nothing uses it");
    }
}
