//! Candidates of the ledger: entries, origins and tombstones, by day, amount and id.

use uuid::Uuid;

use super::*;
use crate::access::FamilyTx;
use crate::driver::vals;
use crate::families::FamilyId;
use crate::testing::{Fixture, Raw, on_both};

statements! {
    ADD_ACCOUNT = "INSERT INTO accounts (family_id, id, name, name_key, account_type, currency,
            status, opening_amount, transactions_count, valuations_count, created_at, updated_at)
        VALUES ($1, $2, 'A', 'a', 'depository', 'EUR', 'active', 0, 0, 0, 0, 0)";
    ADD_ENTRY = "INSERT INTO entries (family_id, id, account_id, kind, date, amount, currency, name,
            pending, external_id, changed_at, has_origin, created_at, updated_at)
        VALUES ($1, $2, $3, $4, $5, $6, 'EUR', $7, $8, $9, $10,
            CAST($10 AS BIGINT) IS NOT NULL, 0, 0)";
    ADD_ORIGIN = "INSERT INTO entry_origins (family_id, entry_id, account_id, date, amount,
            currency, name, external_id, deleted_at)
        VALUES ($1, $2, $3, $4, $5, 'EUR', $6, $7, $8)";
    HIDE = "INSERT INTO hidden_entries (family_id, import_id, action, first_id, last_id)
        VALUES ($1, $2, 'publish', $3, $4)";
}

const PLAIN: Comparable = Comparable::Transactions;
/// Days, counted from here.
const FIRST: Date = Date::constant(2024, 6, 1);

fn day(number: i64) -> Date {
    crate::driver::days_to_date(crate::driver::date_to_days(FIRST) + number - 1).unwrap()
}

fn account(number: u128) -> AccountId {
    AccountId(Uuid::from_u128(0xacc0 + number))
}

fn entry(number: u128) -> EntryId {
    EntryId(Uuid::from_u128(number))
}

/// An entry or an origin: id, account, day, amount, name, id of the bank.
type Reported = (u128, u128, i64, i64, &'static str, Option<&'static str>);

/// A family with accounts 1 and 2, and the means to fill them.
struct Ledger<'f> {
    fixture: &'f Fixture,
    family: FamilyId,
}

impl<'f> Ledger<'f> {
    fn new(fixture: &'f Fixture, name: &str) -> Self {
        let (family, _) = fixture.family(name);
        let ledger = Self { fixture, family };
        for number in [1, 2] {
            ledger.write(|tx| tx.execute(&ADD_ACCOUNT, vals![family, account(number)]));
        }
        ledger
    }

    fn write(&self, write: impl Fn(&mut FamilyTx<'_>) -> Result<u64>) {
        self.fixture.store.write_blocking(self.family, |tx| write(tx)).unwrap();
    }

    fn add(&self, kind: i64, reported: Reported, changed: bool) {
        let (id, of, date, amount, name, external) = reported;
        let changed = changed.then_some(1i64);
        self.write(|tx| {
            let (id, of, date) = (entry(id), account(of), day(date));
            let values =
                vals![self.family, id, of, kind, date, amount, name, false, external, changed];
            tx.execute(&ADD_ENTRY, values)
        });
    }

    fn origin(&self, reported: Reported, deleted: bool) {
        let (id, of, date, amount, name, external) = reported;
        let deleted = deleted.then_some(1i64);
        self.write(|tx| {
            let (id, of, date) = (entry(id), account(of), day(date));
            let values = vals![self.family, id, of, date, amount, name, external, deleted];
            tx.execute(&ADD_ORIGIN, values)
        });
    }

    /// As ids and names: a tombstone's is in brackets, what an entry is now begins with "now".
    fn by_day(&self, of: u128, from: i64, to: i64, wants: fn(i64) -> bool) -> Vec<(u128, String)> {
        self.read(|tx, take| {
            let mut wants = |_: Date, amount: i64| wants(amount);
            candidates(tx, account(of), PLAIN, day(from), day(to), &mut wants, take)
        })
    }

    fn by_id(&self, of: u128, ids: &[&str]) -> Vec<(u128, String)> {
        self.read(|tx, take| candidates_by_id(tx, account(of), PLAIN, ids, take))
    }

    fn read(
        &self,
        read: impl Fn(&mut FamilyTx<'_>, &mut dyn FnMut(Candidate) -> Result<()>) -> Result<()>,
    ) -> Vec<(u128, String)> {
        let found = self.fixture.store.read_blocking(self.family, |tx| {
            let mut found = Vec::new();
            read(tx, &mut |one| {
                let name = match one.aspect {
                    Aspect::Unchanged | Aspect::Source => one.name,
                    Aspect::Current => format!("now {}", one.name),
                    Aspect::Tombstone => format!("[{}]", one.name),
                };
                found.push((one.entry.0.as_u128(), name));
                Ok(())
            })?;
            found.sort();
            Ok(found)
        });
        found.unwrap()
    }
}

fn found(expected: &[(u128, &str)]) -> Vec<(u128, String)> {
    expected.iter().map(|(id, name)| (*id, (*name).to_owned())).collect()
}

#[test]
fn entries_have_what_their_source_reported_and_what_they_are() {
    assert_eq!(STATEMENTS.len(), 4);
    on_both(|fixture| {
        let ledger = Ledger::new(fixture, "one");
        ledger.add(0, (1, 1, 5, 500, "as it came", None), false);
        ledger.add(0, (2, 1, 5, 500, "renamed", None), true);
        ledger.origin((2, 1, 5, 500, "before", None), false);
        ledger.origin((3, 1, 5, 500, "gone", None), true);
        ledger.add(0, (4, 1, 5, 500, "no origin", None), true);
        ledger.add(1, (5, 1, 6, 500, "valuation", None), false);
        ledger.add(2, (6, 1, 5, 500, "trade", None), false);
        ledger.add(0, (7, 2, 5, 500, "elsewhere", None), false);
        // Moved to another day and amount, and to another account.
        ledger.add(0, (8, 1, 5, 500, "moved here", None), true);
        ledger.origin((8, 1, 50, 1, "was there", None), false);
        ledger.add(0, (9, 1, 5, 500, "brought here", None), true);
        ledger.origin((9, 2, 5, 500, "was in two", None), false);
        // Changed, and then gone without a tombstone: nothing is known of it.
        ledger.origin((10, 1, 5, 500, "vanished", None), false);
        let all = ledger.by_day(1, 1, 10, |_| true);
        assert_eq!(
            all,
            found(&[
                (1, "as it came"),
                (2, "before"),
                (2, "now renamed"),
                (3, "[gone]"),
                (4, "no origin"),
                (8, "now moved here"),
                (9, "now brought here"),
            ])
        );
        assert_eq!(ledger.by_day(1, 50, 50, |_| true), found(&[(8, "was there")]));
        let other = ledger.by_day(2, 1, 10, |_| true);
        assert_eq!(other, found(&[(7, "elsewhere"), (9, "was in two")]));
        let stranger = Ledger { fixture, family: fixture.family("two").0 };
        assert_eq!(stranger.by_day(1, 1, 10, |_| true), []);
    });
}

#[test]
fn days_are_inclusive_and_amounts_asked_for() {
    on_both(|fixture| {
        let ledger = Ledger::new(fixture, "one");
        for number in 1..=9 {
            ledger.add(0, (number, 1, number as i64, 100 * number as i64, "e", None), false);
            let reported = (100 + number, 1, number as i64, -100 * number as i64, "o", None);
            ledger.origin(reported, true);
        }
        let days = |from, to, wants| {
            let found = ledger.by_day(1, from, to, wants);
            found.into_iter().map(|(id, _)| id).collect::<Vec<_>>()
        };
        assert_eq!(days(3, 5, |_| true), [3, 4, 5, 103, 104, 105]);
        assert_eq!(days(3, 5, |amount| amount == 400 || amount == -300), [4, 103]);
        assert_eq!(days(9, 9, |_| true), [9, 109]);
        assert_eq!(days(10, 12, |_| true), [0; 0]);
    });
}

#[test]
fn a_candidate_is_whole() {
    on_both(|fixture| {
        let ledger = Ledger::new(fixture, "one");
        ledger.add(0, (1, 1, 5, -70_000, "It's € 7", Some("x1")), false);
        let mut seen = Vec::new();
        fixture
            .store
            .read_blocking(ledger.family, |tx| {
                seen.clear();
                candidates_by_id(tx, account(1), PLAIN, &["x1"], &mut |one| {
                    seen.push(one);
                    Ok(())
                })
            })
            .unwrap();
        let expected = Candidate {
            entry: entry(1),
            aspect: Aspect::Unchanged,
            account: account(1),
            date: day(5),
            amount: -70_000,
            currency: Currency::EUR,
            is_trade: false,
            name: "It's € 7".into(),
            external_id: Some("x1".into()),
        };
        assert_eq!(seen, [expected]);
    });
}

/// The entry and its origin are each found by their own account, day and amount.
#[test]
fn what_a_changed_entry_was_and_is_are_found_apart() {
    on_both(|fixture| {
        let ledger = Ledger::new(fixture, "one");
        ledger.add(0, (1, 2, 8, 1200, "Shop", Some("x1")), true);
        ledger.origin((1, 1, 5, 1000, "SHOP 1", Some("x1")), false);
        let whole = |of, wanted: i64| {
            let mut seen = Vec::new();
            let read = |tx: &mut FamilyTx<'_>| {
                seen.clear();
                let mut wants = |_: Date, amount: i64| amount == wanted;
                let mut take = |one| {
                    seen.push(one);
                    Ok(())
                };
                candidates(tx, account(of), PLAIN, day(1), day(9), &mut wants, &mut take)
            };
            fixture.store.read_blocking(ledger.family, read).unwrap();
            seen
        };
        let source = Candidate {
            entry: entry(1),
            aspect: Aspect::Source,
            account: account(1),
            date: day(5),
            amount: 1000,
            currency: Currency::EUR,
            is_trade: false,
            name: "SHOP 1".into(),
            external_id: Some("x1".into()),
        };
        let current = Candidate {
            aspect: Aspect::Current,
            account: account(2),
            date: day(8),
            amount: 1200,
            name: "Shop".into(),
            ..source.clone()
        };
        assert_eq!(whole(1, 1000), [source]);
        assert_eq!(whole(2, 1200), [current]);
        assert_eq!((whole(1, 1200), whole(2, 1000)), (vec![], vec![]));
        // The id of the bank is looked for where the source put it, and returns the origin.
        assert_eq!(ledger.by_id(1, &["x1"]), found(&[(1, "SHOP 1")]));
        assert_eq!(ledger.by_id(2, &["x1"]), []);
    });
}

#[test]
fn ids_are_found_whatever_the_day() {
    on_both(|fixture| {
        let ledger = Ledger::new(fixture, "one");
        ledger.add(0, (1, 1, 5, 500, "a", Some("x1")), false);
        ledger.add(0, (2, 1, 500, 600, "b", Some("x1")), false);
        ledger.add(0, (3, 1, 5, 500, "c", Some("x2")), false);
        ledger.add(0, (4, 1, 5, 500, "d", None), false);
        ledger.add(0, (5, 2, 5, 500, "e", Some("x1")), false);
        ledger.add(1, (6, 2, 6, 500, "f", Some("x1")), false);
        ledger.origin((7, 1, 5, 500, "g", Some("x3")), true);
        ledger.add(0, (8, 1, 5, 500, "h, now", Some("x9")), true);
        ledger.origin((8, 1, 5, 500, "h", Some("x4")), false);
        ledger.add(0, (9, 1, 5, 500, "i", Some("x5")), true);
        ledger.origin((10, 1, 5, 500, "j", Some("x5")), false);
        assert_eq!(ledger.by_id(1, &["x1"]), found(&[(1, "a"), (2, "b")]));
        assert_eq!(ledger.by_id(1, &["x2", "x3"]), found(&[(3, "c"), (7, "[g]")]));
        assert_eq!(ledger.by_id(1, &["x4", "x9"]), found(&[(8, "h")]), "only as its source said");
        assert_eq!(ledger.by_id(1, &["x5"]), found(&[(9, "i")]));
        assert_eq!(ledger.by_id(2, &["x1"]), found(&[(5, "e")]));
        assert_eq!(ledger.by_id(1, &["", "X1", "x"]), []);
        assert_eq!(ledger.by_id(1, &[]), []);
    });
}

#[test]
fn what_is_named_is_found_wherever_it_is() {
    on_both(|fixture| {
        let ledger = Ledger::new(fixture, "one");
        ledger.add(0, (1, 1, 5, 500, "a", None), false);
        ledger.add(0, (2, 2, 800, -1, "now b", None), true);
        ledger.origin((2, 1, 5, 500, "b", None), false);
        ledger.origin((3, 2, 5, 500, "c", None), true);
        let of = |ids: &[u128]| {
            let ids: Vec<EntryId> = ids.iter().map(|id| entry(*id)).collect();
            ledger.read(|tx, take| candidates_of(tx, &ids, take))
        };
        assert_eq!(of(&[3, 2, 1, 5]), found(&[(1, "a"), (2, "b"), (3, "[c]")]));
        let stranger = Ledger { fixture, family: fixture.family("two").0 };
        assert_eq!(stranger.read(|tx, take| candidates_of(tx, &[entry(1)], take)), []);
    });
}

#[test]
fn the_takers_error_ends_the_reading() {
    on_both(|fixture| {
        let ledger = Ledger::new(fixture, "one");
        ledger.add(0, (1, 1, 5, 500, "a", None), false);
        let refused = fixture.store.read_blocking(ledger.family, |tx| {
            let mut refuse = |_: Candidate| Err(purser_core::error::Error::invalid("no more"));
            candidates(tx, account(1), PLAIN, day(1), day(9), &mut |_, _| true, &mut refuse)
        });
        assert_eq!(refused.unwrap_err().to_string(), "no more");
    });
}

/// More of one amount than one statement looks up on PostgreSQL.
#[test]
fn many_are_all_found() {
    on_both(|fixture| {
        let ledger = Ledger::new(fixture, "one");
        let count: u32 = 12_345;
        ledger.write(|tx| {
            for number in 0..count {
                let (id, name) = (entry(number.into()), format!("n{number}"));
                let of = account(1);
                let external = format!("x{number}");
                let values = vals![
                    ledger.family,
                    id,
                    of,
                    0i64,
                    FIRST,
                    500i64,
                    &name,
                    false,
                    &external,
                    None::<i64>
                ];
                tx.execute(&ADD_ENTRY, values)?;
            }
            Ok(0)
        });
        let all = ledger.by_day(1, 1, 1, |_| true);
        assert_eq!(all.len(), count as usize);
        assert!(all.iter().all(|(id, name)| *name == format!("n{id}")));
        let ids: Vec<String> = (0..count).map(|number| format!("x{number}")).collect();
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        assert_eq!(ledger.by_id(1, &ids), all);
    });
}

#[test]
fn hidden_entries_are_not_known() {
    let fixture = Fixture::sqlite();
    let ledger = Ledger::new(&fixture, "one");
    for number in 1..=4 {
        ledger.add(0, (number, 1, 5, 500, "e", Some("x")), number == 3);
    }
    ledger.write(|tx| tx.execute(&HIDE, vals![ledger.family, entry(9), entry(2), entry(3)]));
    ledger.origin((3, 1, 5, 500, "source", Some("x")), false);
    let expected = found(&[(1, "e"), (3, "now e"), (3, "source"), (4, "e")]);
    assert_eq!(ledger.by_day(1, 5, 5, |_| true), expected);
    assert_eq!(ledger.by_id(1, &["x"]), found(&[(1, "e"), (3, "source"), (4, "e")]));
}

/// Scanning keys must not read rows, and looking up must not scan.
#[test]
fn sqlite_answers_from_the_right_indexes() {
    let fixture = Fixture::sqlite();
    let Raw::Sqlite(connection) = fixture.raw() else { panic!("not SQLite") };
    let covering = |table: &str, index: &str, then: &str| {
        format!("{table} USING COVERING INDEX {index} (family_id=? AND account_id=? AND {then}")
    };
    let by_key =
        |table: &str, id: &str| format!("{table} USING PRIMARY KEY (family_id=? AND {id}=?)");
    for (sql, step) in [
        (&ENTRY_KEYS, covering("entries", "entries_by_account", "date>")),
        (&ORIGIN_KEYS, covering("entry_origins", "entry_origins_by_account", "date>")),
        (&ENTRIES_BY_EXTERNAL, covering("entries", "entries_by_external", "external_id=?")),
        (
            &ORIGINS_BY_EXTERNAL,
            covering("entry_origins", "entry_origins_external", "external_id=?"),
        ),
        (&ENTRIES_WHOLE, by_key("entries", "id")),
        (&ENTRIES_WHOLE, by_key("o", "entry_id")),
        (&ORIGINS_WHOLE, by_key("o", "entry_id")),
    ] {
        let text = format!("EXPLAIN QUERY PLAN {}", sql.sqlite_text());
        let mut statement = connection.prepare(&text).unwrap();
        let steps = statement.raw_query().mapped(|row| row.get(3));
        let steps: Vec<String> = steps.map(|step| step.unwrap()).collect();
        assert!(steps.iter().any(|one| one.starts_with(&format!("SEARCH {step}"))), "{steps:?}");
        assert!(!steps.iter().any(|one| one.starts_with("SCAN")), "{steps:?}");
    }
}
