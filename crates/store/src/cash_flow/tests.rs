//! The sums against the same rules written down naively, over rows that are made here.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use jiff::civil::date;
use purser_core::months::month_of;

use super::*;
use crate::accounts::tests::{input, make};
use crate::driver::date_to_days;
use crate::families::FamilyId;
use crate::testing::{Fixture, Raw, on_both};

/// Rows as they are written into the tables.
struct Rows<'f> {
    fixture: &'f Fixture,
    family: FamilyId,
    script: String,
    is_sqlite: bool,
}

/// A row of entries.
#[derive(Clone, Copy)]
struct Entry {
    id: u128,
    account: AccountId,
    kind: i64,
    date: Date,
    amount: i64,
    currency: &'static str,
    booked: Option<i64>,
    category: Option<u128>,
    parent: Option<u128>,
    excluded: bool,
    split: bool,
}

impl<'f> Rows<'f> {
    fn new(fixture: &'f Fixture, family: FamilyId) -> Self {
        let is_sqlite = matches!(fixture.raw(), Raw::Sqlite(_));
        Self { fixture, family, script: String::new(), is_sqlite }
    }

    fn uuid(&self, id: Uuid) -> String {
        match self.is_sqlite {
            true => format!("x'{}'", id.simple()),
            false => format!("'{id}'"),
        }
    }

    fn number(&self, id: u128) -> String {
        self.uuid(Uuid::from_u128(id))
    }

    fn category(&mut self, id: u128) {
        let (uuid, family) = (self.number(id), self.family.number());
        let _ = writeln!(
            self.script,
            "INSERT INTO categories (family_id, id, name, name_key, created_at, updated_at)
             VALUES ({family}, {uuid}, 'c{id}', 'c{id}', 0, 0);"
        );
    }

    fn entry(&mut self, entry: Entry) {
        let family = self.family.number();
        let optional = |id: Option<u128>| id.map_or("NULL".into(), |id| self.number(id));
        let (category, parent) = (optional(entry.category), optional(entry.parent));
        let booked = entry.booked.map_or("NULL".into(), |booked| booked.to_string());
        let (id, account) = (self.number(entry.id), self.uuid(entry.account.0));
        let Entry { kind, amount, currency, excluded, split, .. } = entry;
        let day = date_to_days(entry.date);
        let _ = writeln!(
            self.script,
            "INSERT INTO entries (family_id, id, account_id, kind, date, amount, currency, name,
                 category_id, pending, created_at, updated_at, booked, excluded, is_split,
                 parent_id)
             VALUES ({family}, {id}, {account}, {kind}, {day}, {amount}, '{currency}', 'x',
                 {category}, FALSE, 0, 0, {booked}, {excluded}, {split}, {parent});"
        );
    }

    fn transfer(&mut self, id: u128, (out, into): (u128, u128), status: &str) {
        let family = self.family.number();
        let [id, out, into] = [id, out, into].map(|id| self.number(id));
        let _ = writeln!(
            self.script,
            "INSERT INTO transfers VALUES ({family}, {id}, {out}, {into}, '{status}', 'person',
                 100, '[]', 0, 0, NULL);"
        );
    }

    fn rate(&mut self, id: u128, pair: (&str, &str), day: Date, rate: &str) {
        let (family, id, day) = (self.family.number(), self.number(id), date_to_days(day));
        let _ = writeln!(
            self.script,
            "INSERT INTO family_rates VALUES ({family}, {id}, '{}', '{}', {day}, '{rate}',
                 'manual', 0, 0);",
            pair.0, pair.1
        );
    }

    /// Marks an entry as one without a known rate.
    fn unbooked(&mut self, entry: Entry, to: &str) {
        let family = self.family.number();
        let (id, account) = (self.number(entry.id), self.uuid(entry.account.0));
        let (day, from) = (date_to_days(entry.date), entry.currency);
        let _ = writeln!(
            self.script,
            "INSERT INTO entry_conversions VALUES ({family}, {id}, {account}, {day}, '{from}',
                 '{to}', NULL, FALSE, '[]');"
        );
    }

    fn trade(&mut self, entry: u128, security: u128, trade_type: &str, value: i64) {
        let family = self.family.number();
        let [entry, security] = [entry, security].map(|id| self.number(id));
        let _ = writeln!(
            self.script,
            "INSERT INTO securities (family_id, id, ticker, exchange_operating_mic, created_at,
                 updated_at)
             VALUES ({family}, {security}, 'T', '', 0, 0) ON CONFLICT DO NOTHING;
             INSERT INTO trades (family_id, entry_id, security_id, trade_type, qty, price, fee,
                 value)
             VALUES ({family}, {entry}, {security}, '{trade_type}', '0', '0', 0, {value});"
        );
    }

    fn write(&mut self) {
        self.fixture.raw().script(&std::mem::take(&mut self.script));
    }
}

fn entry(id: u128, account: AccountId, date: Date, amount: i64) -> Entry {
    Entry {
        id,
        account,
        kind: 0,
        date,
        amount,
        currency: "EUR",
        booked: None,
        category: None,
        parent: None,
        excluded: false,
        split: false,
    }
}

fn account(fixture: &Fixture, family: FamilyId, name: &str, currency: &str) -> AccountId {
    let mut filter = input(name, "depository", "0");
    filter.currency = Some(currency.to_owned());
    make(fixture, family, &filter).summary.id
}

fn year<'a>() -> CashFlowFilter<'a> {
    CashFlowFilter {
        first: date(2023, 1, 1),
        last: date(2023, 12, 31),
        currency: Currency::EUR,
        month_start_day: 1,
        accounts: None,
    }
}

fn read(fixture: &Fixture, family: FamilyId, filter: &CashFlowFilter<'_>) -> CashFlow {
    fixture.store.read_blocking(family, |tx| cash_flow(tx, filter)).unwrap()
}

fn shown(flow: &CashFlow) -> Vec<(String, Option<u128>, i128, i128)> {
    let lines = flow.lines.iter();
    lines
        .map(|line| {
            let category = line.category.map(|id| id.0.as_u128());
            (line.month.to_string(), category, line.income, line.expense)
        })
        .collect()
}

#[test]
fn transfers_valuations_excluded_and_split_ones_are_left_out() {
    on_both(|fixture| {
        let (family, _) = fixture.family("one");
        let (cash, pot) =
            (account(fixture, family, "a", "EUR"), account(fixture, family, "b", "EUR"));
        let day = date(2023, 3, 31);
        let mut rows = Rows::new(fixture, family);
        rows.category(1);
        rows.entry(Entry { category: Some(1), ..entry(11, cash, day, 500) });
        rows.entry(Entry { category: Some(1), ..entry(12, cash, day, -20) });
        rows.entry(Entry { excluded: true, ..entry(13, cash, day, 1_000) });
        rows.entry(Entry { kind: 1, ..entry(14, cash, day, 9_999) });
        // A confirmed transfer, and one that is only proposed.
        rows.entry(entry(15, cash, day, 70));
        rows.entry(entry(16, pot, day, -70));
        rows.transfer(91, (15, 16), "confirmed");
        rows.entry(entry(17, cash, day, 7));
        rows.entry(entry(18, pot, day, -7));
        rows.transfer(92, (17, 18), "pending");
        // One that is split, and one that is split and a side of a transfer.
        rows.entry(Entry { split: true, ..entry(21, cash, date(2023, 4, 1), 30) });
        rows.entry(Entry { kind: 3, parent: Some(21), ..entry(22, cash, date(2023, 4, 1), 10) });
        let part = entry(23, cash, date(2023, 4, 1), 20);
        rows.entry(Entry { kind: 3, parent: Some(21), category: Some(1), ..part });
        rows.entry(Entry { split: true, ..entry(24, cash, day, 80) });
        rows.entry(Entry { kind: 3, parent: Some(24), ..entry(25, cash, day, 80) });
        rows.entry(entry(26, pot, day, -80));
        rows.transfer(93, (24, 26), "confirmed");
        // Days around the span.
        rows.entry(entry(31, cash, date(2022, 12, 31), 1));
        rows.entry(entry(32, cash, date(2024, 1, 1), 1));
        rows.write();
        let flow = read(fixture, family, &year());
        let march = "2023-03-01".to_owned();
        let april = "2023-04-01".to_owned();
        let expected = vec![
            (march.clone(), None, 7, 7),
            (march, Some(1), 20, 500),
            (april.clone(), None, 0, 10),
            (april, Some(1), 0, 20),
        ];
        assert_eq!(shown(&flow), expected);
        assert!(flow.missing.is_empty());
        assert_eq!(flow.lines[1].net(), 480);
        let late = CashFlowFilter { month_start_day: 25, ..year() };
        let months: Vec<String> =
            shown(&read(fixture, family, &late)).into_iter().map(|line| line.0).collect();
        assert_eq!(months, ["2023-03-25", "2023-03-25"]);
        for (accounts, only, income) in
            [(Some([pot]), None, 7), (None, Some([pot]), 157), (Some([cash]), Some([pot]), 0)]
        {
            let only = only.as_ref().map(|id| &id[..]);
            let filter = CashFlowFilter { accounts: accounts.as_ref().map(|id| &id[..]), ..year() };
            let read = |tx: &mut FamilyTx<'_>| tx.seeing(only, |tx| cash_flow(tx, &filter));
            let flow = fixture.store.read_blocking(family, read).unwrap();
            let sum: i128 = flow.lines.iter().map(|line| line.income).sum();
            assert_eq!(sum, income);
        }
    });
}

#[test]
fn of_trades_only_income_and_fees_count() {
    on_both(|fixture| {
        let (family, _) = fixture.family("one");
        let depot = account(fixture, family, "a", "EUR");
        let day = date(2023, 3, 31);
        let mut rows = Rows::new(fixture, family);
        for (id, trade_type, amount, value) in [
            (1, "buy", 1_000, 990),
            (2, "sell", -2_000, 2_010),
            (3, "dividend", -30, 0),
            (4, "interest", -5, 0),
            (5, "fee", 8, 0),
            (6, "split", 0, 0),
            (7, "reinvestment", 0, 40),
            (8, "transfer_in", 0, 500),
        ] {
            rows.entry(Entry { kind: 2, ..entry(id, depot, day, amount) });
            rows.trade(id, 99, trade_type, value);
        }
        rows.entry(Entry { kind: 2, excluded: true, ..entry(9, depot, day, -100) });
        rows.trade(9, 99, "dividend", 0);
        rows.write();
        let flow = read(fixture, family, &year());
        assert_eq!(shown(&flow), [("2023-03-01".to_owned(), None, 75, 8)]);
    });
}

#[test]
fn other_currencies_are_converted_at_their_day_or_missing() {
    on_both(|fixture| {
        let (family, _) = fixture.family("one");
        let cash = account(fixture, family, "a", "EUR");
        let dollars = account(fixture, family, "b", "USD");
        let yen = account(fixture, family, "c", "JPY");
        let (first, second) = (date(2023, 3, 1), date(2023, 3, 2));
        let mut rows = Rows::new(fixture, family);
        rows.rate(81, ("USD", "EUR"), first, "0.5");
        rows.rate(82, ("USD", "EUR"), second, "0.25");
        let usd = |id, account, date, amount| Entry {
            currency: "USD",
            ..entry(id, account, date, amount)
        };
        rows.entry(usd(1, dollars, first, 1_001));
        rows.entry(usd(2, dollars, second, -1_000));
        // Booked in its account's currency, at a rate that the bank gave.
        rows.entry(Entry { booked: Some(700), ..usd(3, cash, first, 1_000) });
        // No rate is known: neither of the account nor of the family.
        let lost = Entry { currency: "JPY", ..entry(4, yen, second, 9) };
        rows.entry(lost);
        let unbooked = Entry { booked: Some(0), currency: "JPY", ..entry(5, cash, first, 9) };
        rows.entry(unbooked);
        rows.unbooked(unbooked, "EUR");
        // Unknown for the account, but what the sums are in.
        let own = Entry { booked: Some(0), ..entry(6, yen, first, 11) };
        rows.entry(own);
        rows.unbooked(own, "JPY");
        rows.write();
        let flow = read(fixture, family, &year());
        // 1001 / 2 = 500.5, away from zero.
        assert_eq!(shown(&flow), [("2023-03-01".to_owned(), None, 250, 501 + 700 + 11)]);
        let missing = Missing {
            from: Currency::parse("JPY").unwrap(),
            to: Currency::EUR,
            first,
            last: second,
            entries: 2,
        };
        assert_eq!(flow.missing, [missing]);
    });
}

#[test]
fn sums_are_larger_than_amounts_and_what_no_sum_holds_is_missing() {
    on_both(|fixture| {
        let (family, _) = fixture.family("one");
        let cash = account(fixture, family, "a", "EUR");
        let pot = account(fixture, family, "b", "EUR");
        let [dollars, francs, pounds] =
            ["USD", "CHF", "GBP"].map(|code| account(fixture, family, code, code));
        let (day, most) = (date(2023, 3, 1), 9_000_000_000_000_000_000);
        let mut rows = Rows::new(fixture, family);
        rows.category(1);
        rows.rate(81, ("USD", "EUR"), day, "3");
        rows.rate(82, ("CHF", "EUR"), day, "4000000000000000000");
        rows.rate(83, ("GBP", "EUR"), day, "1000000000000000000000000000");
        for (id, account, amount) in
            [(1, cash, most), (2, pot, most), (3, cash, -most), (4, pot, 1 - most), (5, pot, -3)]
        {
            rows.entry(entry(id, account, day, amount));
        }
        for (id, currency, account, category) in [
            (6, "USD", dollars, None),
            // Together they are more than a sum holds, each alone is not.
            (7, "CHF", francs, None),
            (8, "CHF", francs, Some(1)),
            (9, "GBP", pounds, None),
        ] {
            rows.entry(Entry { currency, category, ..entry(id, account, day, most) });
        }
        rows.write();
        let flow = read(fixture, family, &year());
        let most = i128::from(most);
        let expense = most * 2 + most * 3 + most * 4_000_000_000_000_000_000;
        assert_eq!(shown(&flow), [("2023-03-01".to_owned(), None, most * 2 + 2, expense)]);
        assert_eq!(flow.lines[0].net(), expense - most * 2 - 2);
        let mut missing: Vec<_> =
            flow.missing.iter().map(|one| (one.from.code(), one.entries)).collect();
        missing.sort_unstable();
        assert_eq!(missing, [("CHF", 1), ("GBP", 1)]);
        let mut used: Vec<&str> = flow.rates.iter().map(|rate| rate.from.code()).collect();
        used.sort_unstable();
        assert_eq!(used, ["CHF", "USD"], "only what was counted was converted");
    });
}

#[test]
fn the_sums_are_those_of_a_naive_reading() {
    on_both(|fixture| {
        let (family, _) = fixture.family("one");
        let cash = account(fixture, family, "a", "EUR");
        let pot = account(fixture, family, "b", "EUR");
        let mut rows = Rows::new(fixture, family);
        (1..=5).for_each(|category| rows.category(category));
        let mut state = 7_u64;
        let mut random = move |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695);
            (state >> 33) % below
        };
        let mut naive: BTreeMap<(Date, Option<u128>), (i128, i128)> = BTreeMap::new();
        for id in 100..900 {
            let day = date(2022, 12, 1).saturating_add(jiff::Span::new().days(random(430) as i64));
            let amount = random(20_000) as i64 - 10_000;
            let category = Some(u128::from(random(6))).filter(|category| *category > 0);
            let made = Entry {
                category,
                excluded: random(10) == 0,
                split: random(10) == 0,
                ..entry(id, if random(2) == 0 { cash } else { pot }, day, amount)
            };
            rows.entry(made);
            if !made.excluded && !made.split && day.year() == 2023 {
                let sums = naive.entry((month_of(day, 17), category)).or_default();
                sums.0 += i128::from((-amount).max(0));
                sums.1 += i128::from(amount.max(0));
            }
        }
        rows.write();
        let flow = read(fixture, family, &CashFlowFilter { month_start_day: 17, ..year() });
        let expected: Vec<_> = naive
            .into_iter()
            .map(|((month, category), (income, expense))| {
                (month.to_string(), category, income, expense)
            })
            .collect();
        assert_eq!(shown(&flow), expected);
        assert!(flow.lines.len() > 60);
    });
}
