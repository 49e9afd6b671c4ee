use std::collections::BTreeMap;

use jiff::civil::date;
use purser_core::ids::HoldingId;
use purser_core::ledger::input::AmountText;
use purser_core::ledger::new_trade::{TradeInput, TradeValues};
use purser_core::ledger::positions::Segment;
use purser_core::money::exact::{to_text, whole};

use super::*;
use crate::access::FamilyTx;
use crate::accounts::tests::{input as account_input, make};
use crate::holdings;
use crate::jobs;
use crate::ledger::{positions, refold_next};
use crate::migrations::{MIGRATIONS, run_steps};
use crate::testing::{Fixture, on_both};

fn text(text: &str) -> Option<AmountText> {
    Some(AmountText::Text(text.to_owned()))
}

fn broker(fixture: &Fixture, family: FamilyId, name: &str) -> AccountId {
    make(fixture, family, &account_input(name, "investment", "1000")).summary.id
}

/// A trade in VTI: `buy 2024-01-02 10 187.5`; of a split `split 2024-01-02 2 1`.
fn trade(account: AccountId, line: &str) -> TradeInput {
    let mut words = line.split(' ');
    let trade_type = words.next().unwrap();
    let mut values = TradeValues {
        trade_type: TradeType::parse(trade_type),
        date: words.next().map(str::to_owned),
        ..TradeValues::default()
    };
    let (first, second) = (words.next().unwrap(), words.next());
    match TradeType::parse(trade_type).unwrap() {
        TradeType::Split => {
            (values.split_to, values.split_from) =
                (Some(first.to_owned()), second.map(str::to_owned));
        }
        kind if kind.is_money() => values.amount = text(first),
        TradeType::TransferIn => {
            (values.quantity, values.cost) = (text(first), second.map(text));
        }
        _ => (values.quantity, values.price) = (text(first), second.and_then(text)),
    }
    let (account, ticker) = (Some(account.to_string()), Some("vti".to_owned()));
    TradeInput { account, ticker, values, ..TradeInput::default() }
}

fn add(fixture: &Fixture, family: FamilyId, input: &TradeInput) -> Trade {
    let added = fixture.store.write_blocking(family, |tx| create(tx, input)).unwrap();
    assert!(!added.1);
    added.0
}

fn put(fixture: &Fixture, family: FamilyId, account: AccountId, line: &str) -> Trade {
    add(fixture, family, &trade(account, line))
}

fn errors(result: Result<(Trade, bool)>) -> Vec<String> {
    match result {
        Err(Error::Invalid { problems, .. }) => purser_core::error::texts(&problems),
        other => panic!("{other:?}"),
    }
}

/// The segments of an account's only security, as `day quantity cost`.
fn segments(fixture: &Fixture, family: FamilyId, account: AccountId) -> Vec<String> {
    let read = |tx: &mut FamilyTx<'_>| positions::segments(tx, &[account]);
    let found = fixture.store.read_blocking(family, read).unwrap();
    let shown = |segment: &Segment| {
        let cost = segment.cost.as_ref().map_or("?".to_owned(), to_text);
        format!("{} {} {cost}", segment.date, segment.quantity)
    };
    found.values().flat_map(BTreeMap::values).flatten().map(shown).collect()
}

fn balance(fixture: &Fixture, family: FamilyId, account: AccountId) -> i64 {
    let read = |tx: &mut FamilyTx<'_>| accounts::get(tx, account);
    fixture.store.read_blocking(family, read).unwrap().balance
}

/// What is paid is rounded to the scale; what the shares cost isn't, in another currency neither.
#[test]
fn costs_keep_all_digits() {
    on_both(|fixture| {
        let (family, _) = fixture.family("one");
        let account = broker(fixture, family, "Broker");
        let bought = put(fixture, family, account, "buy 2024-01-02 0.00000001 42000");
        assert_eq!(bought.amount, 4, "of 4.2 units");
        put(fixture, family, account, "buy 2024-01-03 0.00000002 42000");
        put(fixture, family, account, "sell 2024-01-04 0.00000001 42000");
        let costs = ["2024-01-02 0.00000001 21/5", "2024-01-03 0.00000003 63/5"];
        assert_eq!(
            segments(fixture, family, account),
            [&costs[..], &["2024-01-04 0.00000002 42/5"]].concat()
        );
        let mut foreign = trade(account, "reinvestment 2024-01-05 0.001 0.0123");
        foreign.values.currency = Some("USD".to_owned());
        foreign.values.rate = Some(text("1.1"));
        add(fixture, family, &foreign);
        // 8.4 units, and 0.0000123 × 10⁴ × 1.1 of them.
        let last = segments(fixture, family, account).pop().unwrap();
        assert_eq!(last, "2024-01-05 0.00100002 85353/10000");
    });
}

/// An upgrade queues a job that folds what older versions stored.
#[test]
fn positions_of_older_versions_are_folded_again() {
    on_both(|fixture| {
        let (family, _) = fixture.family("one");
        let account = broker(fixture, family, "Broker");
        put(fixture, family, account, "buy 2024-01-02 0.00000001 42000");
        fixture.family("two");
        let mut raw = fixture.raw();
        raw.script("UPDATE position_segments SET cost = '4'");
        raw.script("DELETE FROM schema_version WHERE version >= 12");
        run_steps(&fixture.store, &MIGRATIONS[11..12]).unwrap();
        let queued = fixture.store.read_directory_blocking(jobs::list).unwrap();
        let [job] = &queued[..] else { panic!("{queued:?}") };
        assert_eq!((job.kind.as_str(), job.family_name.as_str()), ("positions.refold", "one"));
        let refold = |tx: &mut FamilyTx<'_>| {
            let last = refold_next(tx, job.id.0, None)?;
            refold_next(tx, job.id.0, last)
        };
        assert_eq!(fixture.store.write_blocking(family, refold).unwrap(), None);
        assert_eq!(segments(fixture, family, account), ["2024-01-02 0.00000001 21/5"]);
    });
}

#[test]
fn a_trade_moves_shares_and_money_and_back() {
    on_both(|fixture| {
        let (family, _) = fixture.family("one");
        let account = broker(fixture, family, "Broker");
        let bought = put(fixture, family, account, "buy 2024-01-02 10 50.5");
        assert_eq!((bought.amount, bought.value), (5_050_000, 5_050_000));
        assert_eq!(bought.name(), "Buy 10 VTI");
        put(fixture, family, account, "dividend 2024-01-03 4");
        put(fixture, family, account, "split 2024-01-04 2 1");
        let sold = put(fixture, family, account, "sell 2024-01-05 5 30");
        assert_eq!((sold.quantity, sold.amount), (Decimal::from(-5), -1_500_000));
        assert_eq!(
            segments(fixture, family, account),
            ["2024-01-02 10 5050000", "2024-01-04 20 5050000", "2024-01-05 15 3787500"]
        );
        let days = [date(2024, 1, 1), date(2024, 1, 2), date(2024, 1, 4), date(2024, 1, 9)];
        let values = |tx: &mut FamilyTx<'_>| holdings::values_on(tx, account, &days);
        let values = fixture.store.read_blocking(family, values).unwrap().days;
        let amounts: Vec<i128> = values.iter().map(|value| value.amount).collect();
        assert_eq!(amounts, [0, 5_050_000, 5_050_000, 4_500_000]);
        assert!(values.iter().all(|value| value.complete));
        // 1000 − 505 + 4 + 150 in cash, and 15 shares at 30.
        assert_eq!(balance(fixture, family, account), 6_490_000 + 4_500_000);

        let gone = |id| {
            let gone = |tx: &mut FamilyTx<'_>| remove(tx, id);
            fixture.store.write_blocking(family, gone).unwrap();
        };
        gone(sold.id);
        assert_eq!(segments(fixture, family, account).len(), 2);
        gone(bought.id);
        assert_eq!(segments(fixture, family, account), Vec::<String>::new());
        assert_eq!(balance(fixture, family, account), 10_040_000);
        let listing = Listing::default();
        let left = |tx: &mut FamilyTx<'_>| list(tx, listing, 10, 0);
        let (left, total) = fixture.store.read_blocking(family, left).unwrap();
        assert_eq!((left.len(), total), (2, 2));
    });
}

/// Whatever order trades are entered, changed and removed in, the positions are those of a fold of
/// what is there in the end.
#[test]
fn every_order_comes_to_the_same() {
    let lines = [
        "buy 2024-01-02 10 50",
        "buy 2024-01-04 10 70",
        "sell 2024-01-06 15 80",
        "split 2024-01-08 3 2",
        "sell 2024-01-10 2 40",
        "transfer_in 2024-01-12 3 100",
        "sell 2024-01-14 20 10",
    ];
    on_both(|fixture| {
        let (family, _) = fixture.family("one");
        let mut seen = Vec::new();
        for (name, order) in [
            ("a", [0, 1, 2, 3, 4, 5, 6]),
            ("b", [6, 5, 4, 3, 2, 1, 0]),
            ("c", [3, 6, 0, 5, 1, 4, 2]),
        ] {
            let account = broker(fixture, family, name);
            let extra = put(fixture, family, account, "buy 2024-01-03 1 1");
            for at in order {
                put(fixture, family, account, lines[at]);
            }
            let gone = |tx: &mut FamilyTx<'_>| remove(tx, extra.id);
            fixture.store.write_blocking(family, gone).unwrap();
            seen.push((segments(fixture, family, account), balance(fixture, family, account)));
        }
        assert_eq!(seen[0].0.len(), 7, "{:?}", seen[0]);
        assert!(seen.iter().all(|one| *one == seen[0]), "{seen:?}");
        let stored = |tx: &mut FamilyTx<'_>| {
            let securities = positions::securities(tx)?;
            let folded = positions::folded(tx, &securities)?;
            Ok((positions::stored(tx, &securities)?, folded))
        };
        let (stored, folded) = fixture.store.read_blocking(family, stored).unwrap();
        for (security, folded) in folded {
            assert_eq!(stored[&security], folded.segments);
        }
    });
}

#[test]
fn shares_move_between_accounts_with_their_cost() {
    on_both(|fixture| {
        let (family, _) = fixture.family("one");
        let (one, other) = (broker(fixture, family, "One"), broker(fixture, family, "Other"));
        put(fixture, family, one, "buy 2024-01-02 10 50");
        let to = Some(other.to_string());
        let out = trade(one, "transfer_out 2024-01-03 4");
        let out = add(fixture, family, &TradeInput { to_account: to, ..out });
        let into = out.counterpart.as_ref().unwrap().trade.unwrap();
        assert_eq!(segments(fixture, family, other), ["2024-01-03 4 2000000"]);
        put(fixture, family, other, "sell 2024-01-05 4 60");
        let day = date(2024, 1, 5);
        let read = |tx: &mut FamilyTx<'_>| gains(tx, day, day);
        let found = fixture.store.read_blocking(family, read).unwrap();
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].gain.total(), Some(whole(400_000)));
        assert_eq!(found[0].gain.lots[0].opened, None, "average cost has no single day");
        let hidden = [one];
        let read = |tx: &mut FamilyTx<'_>| tx.seeing(Some(&hidden), |tx| gains(tx, day, day));
        assert!(fixture.store.read_blocking(family, read).unwrap().is_empty());

        // A change of one side is a change of both.
        let values = TradeValues { quantity: text("5"), ..TradeValues::default() };
        let change = TradeInput { values, ..TradeInput::default() };
        let revise_it = |only: Option<&[AccountId]>, id| {
            let change = |tx: &mut FamilyTx<'_>| tx.seeing(only, |tx| revise(tx, id, &change));
            fixture.store.write_blocking(family, change)
        };
        assert_eq!(revise_it(None, into).unwrap().quantity, Decimal::from(5));
        assert_eq!(segments(fixture, family, one)[1], "2024-01-03 5 2500000");
        assert_eq!(
            segments(fixture, family, other),
            ["2024-01-03 5 2500000", "2024-01-05 1 500000"]
        );
        let refused = revise_it(Some(&[other]), into).unwrap_err();
        assert_eq!(refused.code(), "restricted_key");
        let gone = |tx: &mut FamilyTx<'_>| remove(tx, into);
        fixture.store.write_blocking(family, gone).unwrap();
        assert_eq!(segments(fixture, family, one), ["2024-01-02 10 5000000"]);
        assert_eq!(segments(fixture, family, other), ["2024-01-05 -4 -2400000"]);
    });
}

#[test]
fn the_same_external_id_is_the_same_trade() {
    on_both(|fixture| {
        let (family, _) = fixture.family("one");
        let account = broker(fixture, family, "Broker");
        let named = TradeInput {
            external_id: Some("t-1".into()),
            ..trade(account, "buy 2024-01-02 10 50")
        };
        let first = add(fixture, family, &named);
        assert_eq!(first.source.as_deref(), Some("api"));
        let again = |tx: &mut FamilyTx<'_>| create(tx, &named);
        let again = fixture.store.write_blocking(family, again).unwrap();
        assert_eq!((again.0, again.1), (first.clone(), true));
        let other = TradeInput { source: Some("broker".into()), ..named.clone() };
        assert_ne!(add(fixture, family, &other).id, first.id);
    });
}

#[test]
fn all_problems_are_reported_at_once() {
    on_both(|fixture| {
        let (family, _) = fixture.family("one");
        let (other, _) = fixture.family("two");
        let cash = make(fixture, family, &account_input("Cash", "depository", "0")).summary.id;
        let broker = broker(fixture, family, "Broker");
        let theirs = make(fixture, other, &account_input("B", "investment", "0")).summary.id;
        let refused = |input: &TradeInput, only: Option<&[AccountId]>| {
            let create = |tx: &mut FamilyTx<'_>| tx.seeing(only, |tx| create(tx, input));
            errors(fixture.store.write_blocking(family, create))
        };
        let missing = refused(&TradeInput::default(), None);
        assert_eq!(
            missing,
            [
                "Account ID is required",
                "Date is required",
                "The type is required",
                "The security_id or the ticker is required"
            ]
        );
        let wrong_type = trade(cash, "buy 2024-01-02 10 50");
        let names = "The account_id must name an account of type investment or crypto";
        assert_eq!(refused(&wrong_type, None), [names]);
        let unknown = "The account_id is not an account of this family";
        assert_eq!(refused(&trade(theirs, "buy 2024-01-02 10 50"), None), [unknown]);
        assert_eq!(refused(&trade(broker, "buy 2024-01-02 10 50"), Some(&[cash])), [unknown]);
        let own = TradeInput {
            to_account: Some(broker.to_string()),
            ..trade(broker, "transfer_out 2024-01-02 10")
        };
        assert_eq!(refused(&own, None), ["The to_account_id must name another account"]);
        // Nothing was written, securities included.
        let count = |tx: &mut FamilyTx<'_>| positions::securities(tx);
        assert!(fixture.store.read_blocking(family, count).unwrap().is_empty());
    });
}

#[test]
fn another_account_keeps_its_own_position() {
    on_both(|fixture| {
        let (family, _) = fixture.family("one");
        let (one, other) = (broker(fixture, family, "One"), broker(fixture, family, "Other"));
        put(fixture, family, one, "buy 2024-01-02 10 50");
        put(fixture, family, other, "sell 2024-01-03 5 60");
        let read = |tx: &mut FamilyTx<'_>| holdings::list(tx, holdings::Listing::default(), 10, 0);
        let (open, total) = fixture.store.read_blocking(family, read).unwrap();
        let quantities: Vec<Decimal> = open.iter().map(|holding| holding.quantity).collect();
        assert_eq!((quantities, total), (vec![Decimal::from(10), Decimal::from(-5)], 2));
        let id = HoldingId(open[1].id);
        let restricted = [one];
        let get = |only: Option<&[AccountId]>| {
            let get = |tx: &mut FamilyTx<'_>| tx.seeing(only, |tx| holdings::get(tx, id));
            fixture.store.read_blocking(family, get)
        };
        assert_eq!(get(None).unwrap().account.id, other);
        assert_eq!(get(Some(&restricted)).unwrap_err().code(), "not_found");
    });
}
