//! Series on both databases: found once, followed at every reading.

use jiff::civil::{Date, date};
use purser_core::ledger::input::AmountText;
use purser_core::limits::SERIES_FOUND_MAX;
use purser_core::recurring::input::RecurringInput;

use super::detection::Findings;
use super::keeping::Detected;
use super::*;
use crate::access::FamilyTx;
use crate::accounts::tests::{input, make};
use crate::driver::date_to_days;
use crate::families::FamilyId;
use crate::testing::{Fixture, Raw, on_both};

/// Adds a transaction without anybody noticing.
fn arrive(
    fixture: &Fixture,
    family: FamilyId,
    account: AccountId,
    (id, day): (u128, Date),
    (name, amount): (&str, i64),
) {
    let mut raw = fixture.raw();
    let uuid = |id: Uuid| match raw {
        Raw::Sqlite(_) => format!("x'{}'", id.simple()),
        Raw::Postgres(_) => format!("'{id}'"),
    };
    let (id, account) = (uuid(Uuid::from_u128(id)), uuid(account.0));
    let (family, day) = (family.number(), date_to_days(day));
    raw.script(&format!(
        "INSERT INTO entries (family_id, id, account_id, kind, date, amount, currency, name,
             pending, created_at, updated_at)
         VALUES ({family}, {id}, {account}, 0, {day}, {amount}, 'EUR', '{name}', FALSE, 0, 0);"
    ));
}

/// Adds transactions at once, as if they had been there: each with its id, day, name and amount.
fn arrive_many(
    fixture: &Fixture,
    family: FamilyId,
    account: AccountId,
    rows: impl Iterator<Item = (u128, Date, String, i64)>,
) {
    let mut raw = fixture.raw();
    let uuid = |id: Uuid| match raw {
        Raw::Sqlite(_) => format!("x'{}'", id.simple()),
        Raw::Postgres(_) => format!("'{id}'"),
    };
    let (family, account) = (family.number(), uuid(account.0));
    let rows: Vec<String> = rows
        .map(|(id, day, name, amount)| {
            let (id, day) = (uuid(Uuid::from_u128(id)), date_to_days(day));
            format!("({family}, {id}, {account}, 0, {day}, {amount}, 'EUR', '{name}', FALSE, 0, 0)")
        })
        .collect();
    raw.script(&format!(
        "INSERT INTO entries (family_id, id, account_id, kind, date, amount, currency, name,
             pending, created_at, updated_at)
         VALUES {};",
        rows.join(", ")
    ));
}

fn find(fixture: &Fixture, family: FamilyId, only: Option<&[AccountId]>) -> Findings {
    fixture.store.read_blocking(family, |tx| tx.seeing(only, |tx| detection::find(tx))).unwrap()
}

fn keep(fixture: &Fixture, family: FamilyId, findings: &Findings) -> Detected {
    let keep = |tx: &mut FamilyTx<'_>| keeping::keep(tx, findings);
    fixture.store.write_blocking(family, keep).unwrap()
}

fn detect(fixture: &Fixture, family: FamilyId, only: Option<&[AccountId]>) -> Detected {
    let findings = find(fixture, family, only);
    let keep = |tx: &mut FamilyTx<'_>| tx.seeing(only, |tx| keeping::keep(tx, &findings));
    fixture.store.write_blocking(family, keep).unwrap()
}

/// A name of letters only: numbers in names don't count.
fn lettered(number: usize) -> String {
    let digits = number.to_string().into_bytes().into_iter();
    digits.map(|digit| char::from(digit - b'0' + b'a')).collect()
}

fn rent() -> RecurringInput {
    RecurringInput {
        name: Some(Some("Rent".into())),
        amount: Some(AmountText::Text("900".into())),
        last: Some("2024-03-01".into()),
        ..RecurringInput::default()
    }
}

#[test]
fn a_series_moves_on_when_something_arrives_and_when_nothing_does() {
    on_both(|fixture| {
        // It is 17 May 2024.
        let (family, _) = fixture.family("one");
        let account = make(fixture, family, &input("Main", "depository", "0")).summary.id;
        let write = |input: &RecurringInput| {
            fixture.store.write_blocking(family, |tx| changes::create(tx, input))
        };
        let wanted = RecurringInput { account: Some(Some(account.to_string())), ..rent() };
        let made = write(&wanted).unwrap();
        // April and May went by without any.
        assert_eq!(made.values.next, date(2024, 6, 1));
        assert_eq!((made.values.last, made.count), (date(2024, 3, 1), 0));
        assert_eq!(write(&wanted).unwrap_err().code(), "conflict");
        let get = || fixture.store.read_blocking(family, |tx| get(tx, made.id)).unwrap();
        arrive(fixture, family, account, (1, date(2024, 4, 3)), ("RENT 04/24", 9_100_000));
        arrive(fixture, family, account, (2, date(2024, 5, 1)), ("Rent", 20_000_000));
        let now = get();
        assert_eq!((now.values.last, now.count), (date(2024, 4, 3), 1));
        assert_eq!(now.values.next, date(2024, 6, 1), "the one in May was another amount");
        arrive(fixture, family, account, (3, date(2024, 5, 4)), ("rent", 9_000_000));
        assert_eq!((get().values.last, get().count), (date(2024, 5, 4), 2));
        let paused =
            RecurringInput { status: Some("inactive".into()), ..RecurringInput::default() };
        let revise = |tx: &mut FamilyTx<'_>| changes::revise(tx, made.id, &paused);
        let paused = fixture.store.write_blocking(family, revise).unwrap();
        assert_eq!((paused.values.last, paused.count), (date(2024, 5, 4), 2), "kept from then on");
    });
}

#[test]
fn a_detection_finds_what_is_new_and_stores_what_came() {
    on_both(|fixture| {
        let (family, _) = fixture.family("one");
        let (other, _) = fixture.family("other");
        let main = make(fixture, family, &input("Main", "depository", "0")).summary.id;
        let pot = make(fixture, family, &input("Pot", "depository", "0")).summary.id;
        for (number, month) in (1..=5).enumerate() {
            let id = number as u128 * 10;
            arrive(fixture, family, main, (id + 1, date(2024, month, 3)), ("Media", 120_000));
            arrive(fixture, family, pot, (id + 2, date(2024, month, 5)), ("Saving", 50_000));
            arrive(
                fixture,
                family,
                main,
                (id + 3, date(2024, month, 7)),
                ("Shop", 1_000 << number),
            );
        }
        let detect = |family, only: Option<&[AccountId]>| detect(fixture, family, only);
        assert!(detect(other, None).created.is_empty());
        let found = detect(family, Some(&[pot]));
        assert_eq!(found.created.len(), 1);
        assert_eq!(found.created[0].values.name, "Saving");
        let found = detect(family, None);
        let names: Vec<&str> = found.created.iter().map(|one| one.values.name.as_str()).collect();
        assert_eq!((names, found.moved), (vec!["Media"], 0));
        let media = &found.created[0];
        assert_eq!((media.count, media.values.next), (5, date(2024, 6, 3)));
        assert_eq!(media.made_by, RecurringMaker::Detection);
        let nothing = Detected { created: Vec::new(), remaining: 0, moved: 0 };
        assert_eq!(detect(family, None), nothing);
        fixture.clock.advance(jiff::SignedDuration::from_hours(20 * 24));
        arrive(fixture, family, main, (91, date(2024, 6, 2)), ("Media", 121_000));
        let again = detect(family, None);
        assert_eq!((again.created.len(), again.moved), (0, 1));
        let seen = |only: Option<&[AccountId]>| {
            let list = |tx: &mut FamilyTx<'_>| list(tx, Listing::default(), 10, 0);
            let read = |tx: &mut FamilyTx<'_>| tx.seeing(only, list);
            let (found, total) = fixture.store.read_blocking(family, read).unwrap();
            assert_eq!(found.len() as u64, total);
            found.into_iter().map(|one| one.values.name).collect::<Vec<_>>()
        };
        assert_eq!(seen(None), ["Media", "Saving"]);
        assert_eq!(seen(Some(&[pot])), ["Saving"]);
    });
}

#[test]
fn one_detection_creates_only_so_many_and_the_next_goes_on() {
    on_both(|fixture| {
        let (family, _) = fixture.family("one");
        let main = make(fixture, family, &input("Main", "depository", "0")).summary.id;
        let wanted = SERIES_FOUND_MAX + 7;
        // The last seven came once more than the others.
        let rows = (0..wanted).flat_map(|number| {
            let first = if number < SERIES_FOUND_MAX { 2 } else { 1 };
            (first..=5).map(move |month| {
                let id = number as u128 * 10 + u128::from(i8::unsigned_abs(month));
                (id, date(2024, month, 3), lettered(number), 120_000)
            })
        });
        arrive_many(fixture, family, main, rows);
        let first = detect(fixture, family, None);
        assert_eq!((first.created.len(), first.remaining), (SERIES_FOUND_MAX, 7));
        let counts = first.created.iter().filter(|one| one.count == 5).count();
        assert_eq!(counts, 7, "what is most certain comes first");
        let names: Vec<&str> = first.created.iter().map(|one| one.values.name.as_str()).collect();
        assert!(names.is_sorted(), "{names:?}");
        for one in [&first.created[0], &first.created[SERIES_FOUND_MAX - 1]] {
            let id = one.id;
            let stored = fixture.store.read_blocking(family, |tx| get(tx, id)).unwrap();
            assert_eq!(*one, stored);
        }
        let second = detect(fixture, family, None);
        assert_eq!((second.created.len(), second.remaining, second.moved), (7, 0, 0));
        assert!(detect(fixture, family, None).created.is_empty());
    });
}

#[test]
fn what_others_did_while_a_detection_looked_stays() {
    on_both(|fixture| {
        let (family, _) = fixture.family("one");
        let account = |name: &str| make(fixture, family, &input(name, "depository", "0")).summary;
        let (main, gone) = (account("Main").id, account("Gone").id);
        let months = |from: u128, name: &'static str| {
            (1..=5).map(move |month| {
                let id = from + u128::from(i8::unsigned_abs(month));
                (id, date(2024, month, 3), name.to_owned(), 9_000_000)
            })
        };
        arrive_many(fixture, family, main, months(10, "Rent").chain(months(20, "Media")));
        arrive_many(fixture, family, gone, months(30, "Gym"));
        let write = |input: &RecurringInput, id: Option<RecurringId>| {
            let work = |tx: &mut FamilyTx<'_>| match id {
                None => changes::create(tx, input),
                Some(id) => changes::revise(tx, id, input),
            };
            fixture.store.write_blocking(family, work).unwrap()
        };
        // It moves on by what came in April and May.
        let known = RecurringInput {
            account: Some(Some(main.to_string())),
            name: Some(Some("Media".into())),
            ..rent()
        };
        let media = write(&known, None).id;
        let findings = find(fixture, family, None);
        let rent = write(&RecurringInput { account: known.account.clone(), ..rent() }, None);
        let paused =
            RecurringInput { status: Some("inactive".into()), ..RecurringInput::default() };
        write(&paused, Some(media));
        fixture.raw().script("UPDATE accounts SET status = 'disabled' WHERE name = 'Gone'");
        let kept = keep(fixture, family, &findings);
        assert_eq!(kept, Detected { created: Vec::new(), remaining: 0, moved: 0 });
        let listing = Listing::default();
        let read = |tx: &mut FamilyTx<'_>| list(tx, listing, 10, 0);
        let (all, _) = fixture.store.read_blocking(family, read).unwrap();
        let ids: Vec<RecurringId> = all.iter().map(|one| one.id).collect();
        assert_eq!(ids, [media, rent.id]);
        assert_eq!(all[0].values.status, RecurringStatus::Inactive);
    });
}
