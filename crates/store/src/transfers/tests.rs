use jiff::civil::date;
use purser_core::ids::RejectedTransferId;
use purser_core::ledger::input::AmountText;
use purser_core::ledger::transaction_values::TransactionValues;
use purser_core::money::Currency;
use purser_core::plan::{Change, Target, TransactionDraft};
use purser_core::transfers::Decision;
use serde_json::json;

use super::matching::{Applied, Days};
use super::*;
use crate::access::FamilyTx;
use crate::accounts::tests::{input, make};
use crate::audit::{Actor, Selection};
use crate::ledger::{Event, Executor};
use crate::testing::{Fixture, on_both};

const ACTOR: Actor = Actor::CommandLine;

/// A family with two accounts.
struct Ledger<'f> {
    fixture: &'f Fixture,
    family: FamilyId,
    giro: AccountId,
    savings: AccountId,
}

impl<'f> Ledger<'f> {
    fn new(fixture: &'f Fixture, name: &str) -> Self {
        let (family, _) = fixture.family(name);
        let account = |name| make(fixture, family, &input(name, "depository", "0")).summary.id;
        Self { fixture, family, giro: account("Giro"), savings: account("Savings") }
    }

    /// Adds transactions: account, day of January 2024 (may be larger), amount.
    fn add(&self, rows: &[(AccountId, i32, i64)]) -> Vec<EntryId> {
        self.write(|tx| {
            let mut executor = Executor::begin(tx, rows.len() as u64)?;
            let mut ids = Vec::new();
            for (account, day, amount) in rows {
                let draft = TransactionDraft {
                    account: Target::Existing(account.0),
                    date: date(2024, 1, 1).saturating_add(jiff::Span::new().days(day - 1)),
                    amount: *amount,
                    currency: Currency::EUR,
                    rate: None,
                    name: "x",
                    source_name: None,
                    notes: None,
                    category: None,
                    merchant: None,
                    tags: &[],
                    excluded: false,
                    source: None,
                    external_id: None,
                };
                ids.push(executor.apply(tx, &Change::AddTransaction(draft))?.entry);
            }
            let event = Event {
                actor: ACTOR,
                action: "test",
                subject_kind: "test",
                subject_id: uuid::Uuid::nil(),
                details: json!({}),
            };
            executor.finish(tx, event)?;
            Ok(ids)
        })
    }

    fn write<T>(&self, work: impl FnMut(&mut FamilyTx<'_>) -> Result<T>) -> T {
        self.fixture.store.write_blocking(self.family, work).unwrap()
    }

    fn refused<T>(&self, work: impl FnMut(&mut FamilyTx<'_>) -> Result<T>) -> String {
        let result = self.fixture.store.write_blocking(self.family, work);
        let Err(error) = result else { panic!("accepted") };
        error.to_string()
    }

    fn list(&self) -> Vec<(EntryId, EntryId, TransferStatus)> {
        let (found, total) = self
            .fixture
            .store
            .read_blocking(self.family, |tx| list(tx, Listing::default(), 100, 0))
            .unwrap();
        assert_eq!(found.len() as u64, total);
        let mut found: Vec<_> =
            found.into_iter().map(|one| (one.outflow.id, one.inflow.id, one.status)).collect();
        found.sort();
        found
    }

    /// Looks at some days, or at all.
    fn run(&self, days: Option<Vec<Days>>) -> Applied {
        let (days, found) = self
            .fixture
            .store
            .read_blocking(self.family, |tx| {
                let days = match &days {
                    Some(days) => days.clone(),
                    None => matching::all_days(tx)?,
                };
                let found = matching::find(tx, &days)?;
                Ok((days, found))
            })
            .unwrap();
        self.write(|tx| {
            let applied = matching::apply(tx, &found)?;
            matching::finish(tx, &days, &found, applied)
        })
    }
}

const CONFIRMED: TransferStatus = TransferStatus::Confirmed;
const PENDING: TransferStatus = TransferStatus::Pending;

#[test]
fn a_matching_confirms_proposes_withdraws_and_changes_nothing_the_second_time() {
    on_both(|fixture| {
        let ledger = Ledger::new(fixture, "one");
        let (giro, savings) = (ledger.giro, ledger.savings);
        let other = Ledger::new(fixture, "two");
        other.add(&[(other.giro, 3, 7), (other.savings, 3, -7)]);
        let ids = ledger.add(&[
            (giro, 3, 500),
            (savings, 4, -500),
            // Four days apart: only a proposal.
            (giro, 10, 900),
            (savings, 14, -900),
            // In one account: nothing.
            (giro, 20, 1),
            (giro, 20, -1),
        ]);
        let applied = ledger.run(None);
        assert_eq!(applied, Applied { confirmed: 1, proposed: 1, withdrawn: 0 });
        let expected = [(ids[0], ids[1], CONFIRMED), (ids[2], ids[3], PENDING)];
        assert_eq!(ledger.list(), expected);
        assert_eq!(ledger.run(None), Applied::default());
        assert_eq!(ledger.list(), expected);
        assert_eq!(other.list(), []);

        // Three more of the same size around: the proposal isn't worth mentioning any more.
        ledger.add(&[(giro, 10, 900), (giro, 11, 900), (giro, 11, 900), (giro, 10, 900)]);
        let applied = ledger.run(None);
        assert_eq!((applied.confirmed, applied.withdrawn), (0, 1), "{applied:?}");
        assert_eq!(ledger.list()[0], (ids[0], ids[1], CONFIRMED), "what is confirmed stays");
    });
}

#[test]
fn the_days_of_new_entries_give_what_all_days_give() {
    on_both(|fixture| {
        let ledger = Ledger::new(fixture, "one");
        let (giro, savings) = (ledger.giro, ledger.savings);
        let mut rows = Vec::new();
        for day in (1..120).step_by(2) {
            rows.push((giro, day, 10 * i64::from(day % 7 + 1)));
            rows.push((savings, day + day % 5, -10 * i64::from(day % 6 + 1)));
        }
        ledger.add(&rows);
        ledger.run(None);
        let added = ledger.add(&[
            (savings, 2, -20),
            (giro, 40, 40),
            (giro, 41, 50),
            (savings, 100, -30),
            (giro, 5_000, 30),
        ]);
        let days = fixture
            .store
            .read_blocking(ledger.family, |tx| {
                matching::days_of_range(tx, added[0], *added.last().unwrap())
            })
            .unwrap();
        assert_eq!(days.len(), 3, "{days:?}");
        ledger.run(Some(days));
        let after = ledger.list();
        assert_eq!(ledger.run(None), Applied::default(), "nothing is left for all days");
        assert_eq!(ledger.list(), after);
    });
}

#[test]
fn what_persons_do_between_reading_and_writing_counts() {
    on_both(|fixture| {
        let ledger = Ledger::new(fixture, "one");
        let (giro, savings) = (ledger.giro, ledger.savings);
        let ids = ledger.add(&[
            (giro, 3, 500),
            (savings, 3, -500),
            (giro, 30, 700),
            (savings, 30, -700),
            (savings, 39, -700),
        ]);
        let all = [date_days(1)..=date_days(60)];
        let found = fixture.store.read_blocking(ledger.family, |tx| matching::find(tx, &all));
        let found = found.unwrap();
        assert_eq!(found.len(), 2);
        assert!(found.iter().all(|one| one.decision == Decision::Confirm));
        ledger.write(|tx| {
            rejected::add(tx, ids[0], ids[1])?;
            changes::create(tx, (ids[2], ids[4]))
        });
        let applied = ledger.write(|tx| {
            let applied = matching::apply(tx, &found)?;
            matching::finish(tx, &all, &found, applied)
        });
        assert_eq!(applied, Applied::default());
        assert_eq!(ledger.list(), [(ids[2], ids[4], CONFIRMED)]);
    });
}

fn date_days(day: i32) -> i64 {
    let date = date(2024, 1, 1).saturating_add(jiff::Span::new().days(day - 1));
    crate::driver::date_to_days(date)
}

#[test]
fn persons_make_confirm_reject_and_take_away() {
    on_both(|fixture| {
        let ledger = Ledger::new(fixture, "one");
        let (giro, savings) = (ledger.giro, ledger.savings);
        // Two pairs that can't be distinguished.
        let ids =
            ledger.add(&[(giro, 3, 500), (giro, 3, 500), (savings, 3, -500), (savings, 3, -500)]);
        ledger.run(None);
        assert_eq!(ledger.list().len(), 4);
        let family = ledger.family;
        let of = |outflow, inflow| {
            let (found, _) = fixture
                .store
                .read_blocking(family, |tx| list(tx, Listing::default(), 10, 0))
                .unwrap();
            let mut found = found.into_iter();
            found.find(|one| (one.outflow.id, one.inflow.id) == (outflow, inflow)).unwrap().id
        };
        let first = of(ids[0], ids[2]);
        let confirmed = ledger.write(|tx| changes::confirm(tx, first));
        assert_eq!((confirmed.status, confirmed.made_by), (CONFIRMED, Maker::Person));
        let expected = [(ids[0], ids[2], CONFIRMED), (ids[1], ids[3], PENDING)];
        assert_eq!(ledger.list(), expected, "the others that it excludes are gone");
        let taken = ledger.refused(|tx| changes::create(tx, (ids[0], ids[3])));
        assert!(taken.contains("confirmed transfer"), "{taken}");

        // Now that only one way is left, the rest is certain.
        assert_eq!(ledger.run(None).confirmed, 1);
        let second = of(ids[1], ids[3]);
        ledger.write(|tx| changes::reject(tx, second));
        assert_eq!(ledger.run(None), Applied::default(), "what was rejected stays away");
        let (pairs, total) = fixture
            .store
            .read_blocking(family, |tx| rejected::list(tx, rejected::Listing::default(), 10, 0))
            .unwrap();
        assert_eq!((pairs[0].outflow.id, pairs[0].inflow.id, total), (ids[1], ids[3], 1));
        let rejection: RejectedTransferId = pairs[0].id;
        ledger.write(|tx| rejected::remove(tx, rejection));
        assert_eq!(ledger.run(None).confirmed, 1);
        ledger.write(|tx| changes::remove(tx, first));
        assert_eq!(ledger.list(), [(ids[1], ids[3], CONFIRMED)]);

        // A person makes what was rejected before: that is forgotten.
        ledger.write(|tx| {
            rejected::add(tx, ids[0], ids[2])?;
            changes::create(tx, (ids[0], ids[2]))
        });
        let gone = fixture
            .store
            .read_blocking(family, |tx| rejected::list(tx, rejected::Listing::default(), 10, 0));
        assert_eq!(gone.unwrap().1, 0);
    });
}

#[test]
fn the_trail_has_transfers_as_they_were() {
    on_both(|fixture| {
        let ledger = Ledger::new(fixture, "one");
        let (giro, savings) = (ledger.giro, ledger.savings);
        let ids = ledger.add(&[(giro, 3, 500), (savings, 7, -500)]);
        let (outflow, inflow) = (ids[0], ids[1]);
        ledger.run(None);
        let made = |id: TransferId| fixture.store.read_blocking(ledger.family, |tx| get(tx, id));
        let (found, _) = fixture
            .store
            .read_blocking(ledger.family, |tx| list(tx, Listing::default(), 10, 0))
            .unwrap();
        let proposal = found[0].clone();
        ledger.write(|tx| changes::confirm(tx, proposal.id));
        let confirmed = made(proposal.id).unwrap();
        let values = TransactionValues {
            amount: Some(AmountText::Text("6".to_owned())),
            ..Default::default()
        };
        ledger.write(|tx| crate::transactions::revise(tx, outflow, &values));
        assert!(ledger.list().is_empty(), "an edit broke it");

        let selection = Selection { subject_id: Some(proposal.id.0), before: None };
        let trail = fixture
            .store
            .read_blocking(ledger.family, |tx| crate::audit::list(tx, selection, 10))
            .unwrap();
        let seen: Vec<_> = trail.iter().map(|one| (one.action.as_str(), &one.details)).collect();
        let details = |before: &Transfer| {
            json!({ "outflow": outflow, "inflow": inflow, "before": {
                "status": before.status.as_str(),
                "made_by": before.made_by.as_str(),
                "score": before.score,
                "reasons": before.reasons,
            }})
        };
        let expected =
            [("transfer.remove", &details(&confirmed)), ("transfer.confirm", &details(&proposal))];
        assert_eq!(seen, expected);
        assert_eq!(proposal.made_by, Maker::Matching);
    });
}

#[test]
fn who_may_not_see_a_side_does_not_see_the_transfer() {
    on_both(|fixture| {
        let ledger = Ledger::new(fixture, "one");
        let ids = ledger.add(&[(ledger.giro, 3, 500), (ledger.savings, 3, -500)]);
        ledger.run(None);
        let shown = |only: Option<&[AccountId]>| {
            fixture
                .store
                .read_blocking(ledger.family, |tx| {
                    tx.seeing(only, |tx| {
                        let (found, total) = list(tx, Listing::default(), 10, 0)?;
                        let of_entry = crate::transactions::get(tx, ids[0])?.transfer;
                        assert_eq!((found.len(), total > 0), (total as usize, of_entry.is_some()));
                        Ok(found.len())
                    })
                })
                .unwrap()
        };
        assert_eq!(shown(None), 1);
        assert_eq!(shown(Some(&[ledger.giro, ledger.savings])), 1);
        assert_eq!(shown(Some(&[ledger.giro])), 0);
        fixture.raw().script("UPDATE accounts SET status = 'disabled' WHERE name = 'Savings'");
        assert_eq!(shown(None), 0);
    });
}
