use jiff::Span;
use jiff::civil::{Date, date};
use purser_core::ids::TagId;
use purser_core::ledger::entry::ValuationKind;
use purser_core::money::Currency;
use purser_core::plan::{TransactionDraft, ValuationDraft};

use super::*;
use crate::accounts::tests::{input, make};
use crate::testing::{Fixture, on_both};
use crate::transactions::{self, Listing};

/// More links than are sent to PostgreSQL at a time, and more than there are entries.
const ENTRIES: u64 = 4_000;

fn draft<'a>(account: AccountId, date: Date, amount: i64, tags: &'a [Target]) -> Change<'a> {
    Change::AddTransaction(TransactionDraft {
        account: Target::Existing(account.0),
        date,
        amount,
        currency: Currency::EUR,
        rate: None,
        name: "Bread",
        source_name: None,
        notes: None,
        category: None,
        merchant: None,
        tags,
        excluded: false,
        source: None,
        external_id: None,
    })
}

fn value(account: AccountId, date: Date, amount: i64) -> Change<'static> {
    Change::SetValuation(ValuationDraft {
        account: Target::Existing(account.0),
        date,
        amount,
        kind: ValuationKind::Reconciliation,
        notes: None,
    })
}

fn event(subject_id: Uuid) -> Event {
    Event {
        actor: Actor::CommandLine,
        action: "test",
        subject_kind: "test",
        subject_id,
        details: json!({}),
    }
}

#[test]
fn links_arrive_after_their_entries_however_many_there_are() {
    on_both(|fixture| {
        let (family, _) = fixture.family("one");
        let account = make(fixture, family, &input("Cash", "depository", "0")).summary.id;
        let written = fixture.store.write_blocking(family, |tx| {
            let mut executor = Executor::begin(tx, ENTRIES)?;
            let tags = ["a", "b", "c"].map(|name| {
                executor
                    .create(tx, &Creation::Tag { name: name.into(), color: None })
                    .map(Target::Created)
            });
            let tags = tags.into_iter().collect::<Result<Vec<_>>>()?;
            for number in 0..ENTRIES {
                let links = &tags[..=(number % 3) as usize];
                executor.apply(tx, &draft(account, date(2024, 1, 1), 10_000, links))?;
            }
            executor.finish(tx, event(account.0))
        });
        let outcome = written.unwrap();
        assert_eq!(outcome.entries, ENTRIES);
        let tagged = |tag: usize| {
            let listing = Listing { tags: vec![TagId(outcome.created[tag])], ..Listing::default() };
            let listed =
                fixture.store.read_blocking(family, |tx| transactions::list(tx, &listing, 1, 0));
            listed.unwrap().1
        };
        assert_eq!(tagged(0), ENTRIES);
        assert_eq!(tagged(1), ENTRIES - ENTRIES.div_ceil(3));
        assert_eq!(tagged(2), ENTRIES / 3);
    });
}

/// The changes of a small history, in one order or another, one plan each.
fn carry_out(fixture: &Fixture, family: FamilyId, name: &str, order: &[usize]) -> Vec<(Date, i64)> {
    let account = make(fixture, family, &input(name, "depository", "100")).summary.id;
    let day = |number: i64| date(2024, 2, 27).saturating_add(Span::new().days(number));
    let history = [
        draft(account, day(0), 25_000, &[]),
        draft(account, day(3), -80_000, &[]),
        value(account, day(2), 500_000),
        draft(account, day(2), 40_000, &[]),
        draft(account, day(5), 5_000, &[]),
    ];
    for change in order {
        let written = fixture.store.write_blocking(family, |tx| {
            let mut executor = Executor::begin(tx, 1)?;
            executor.apply(tx, &history[*change])?;
            executor.finish(tx, event(account.0))
        });
        written.unwrap();
    }
    let days = fixture.store.read_blocking(family, |tx| balances::stored(tx, account.0));
    days.unwrap().iter().map(|day| (day.date, day.end)).collect()
}

#[test]
fn any_order_of_arrival_gives_the_same_balances() {
    on_both(|fixture| {
        let (family, _) = fixture.family("one");
        let straight = carry_out(fixture, family, "Straight", &[0, 1, 2, 3, 4]);
        let ends: Vec<i64> = straight.iter().map(|(_, end)| *end).collect();
        assert_eq!(ends, [975_000, 500_000, 580_000, 575_000]);
        for (number, order) in
            [[4, 3, 2, 1, 0], [2, 0, 4, 1, 3], [3, 2, 1, 0, 4]].iter().enumerate()
        {
            let name = format!("Order {number}");
            assert_eq!(carry_out(fixture, family, &name, order), straight, "{order:?}");
        }
    });
}
