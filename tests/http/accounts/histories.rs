//! Random histories, written over HTTP in any order, against a direct reading of the rule: the
//! balance at the end of a day is the last value that was set up to then and the flows after it.

use std::collections::BTreeMap;

use jiff::Span;
use jiff::civil::Date;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestError, TestRunner};
use serde_json::json;

use crate::both;
use crate::ledger::{balance, text, today, unlimited, value};
use crate::support::{Family, Server, Sql};

const CASES: u32 = 15;

/// Something that happens some days from today. Tomorrow and yesterday are left out, because a
/// test may run over midnight.
#[derive(Debug, Clone, Copy)]
enum Event {
    /// Money in, in cents.
    Flow(i64, i64),
    /// The value at the end of the day, in cents.
    Set(i64, i64),
    /// As [`Event::Set`], but taken away at the end.
    Removed(i64, i64),
}

#[derive(Debug, Clone)]
struct History {
    is_debt: bool,
    opening: i64,
    opened: Option<i64>,
    events: Vec<Event>,
}

fn days() -> impl Strategy<Value = i64> {
    // Few days, so that several events share one.
    prop_oneof![-8i64..=-2, 2i64..=5]
}

fn histories() -> impl Strategy<Value = History> {
    let amount = -20_000i64..20_000;
    let event = (days(), amount.clone(), 0u8..6).prop_map(|(day, cents, kind)| match kind {
        0..=3 => Event::Flow(day, cents),
        4 => Event::Set(day, cents),
        _ => Event::Removed(day, cents),
    });
    let opened = prop::option::of(days());
    (any::<bool>(), amount, opened, prop::collection::vec(event, 1..7))
        .prop_map(|(is_debt, opening, opened, events)| History { is_debt, opening, opened, events })
}

impl History {
    /// What is set, by day; later events of one day replace, removed ones leave nothing.
    fn values(&self) -> BTreeMap<i64, Option<i64>> {
        let mut values: BTreeMap<i64, Option<i64>> =
            self.opened.map(|day| (day, Some(self.opening))).into_iter().collect();
        for event in &self.events {
            if let Event::Set(day, cents) | Event::Removed(day, cents) = *event {
                values.insert(day, Some(cents));
            }
        }
        for event in &self.events {
            if let Event::Removed(day, _) = *event {
                values.insert(day, None);
            }
        }
        values
    }

    /// The balance at the end of a day, in cents.
    fn balance_on(&self, day: i64) -> i64 {
        let set = self
            .values()
            .into_iter()
            .rev()
            .find_map(|(on, cents)| cents.filter(|_| on <= day).map(|cents| (on, cents)));
        let floating = if self.opened.is_none() { self.opening } else { 0 };
        let (since, start) = set.unwrap_or((i64::MIN, floating));
        let sign = if self.is_debt { -1 } else { 1 };
        let flows = self.events.iter().map(|event| match *event {
            Event::Flow(on, cents) if since < on && on <= day => cents * sign,
            _ => 0,
        });
        start + flows.sum::<i64>()
    }

    /// The days that have an entry in the end.
    fn active_days(&self) -> Vec<i64> {
        let flows = self.events.iter().filter_map(|event| match *event {
            Event::Flow(day, _) => Some(day),
            _ => None,
        });
        let values = self.values().into_iter().filter(|(_, cents)| cents.is_some());
        let mut days: Vec<i64> = flows.chain(values.map(|(day, _)| day)).collect();
        days.sort_unstable();
        days.dedup();
        days
    }
}

both! {
    fn random_histories_lead_to_their_balances(server = unlimited()) {
        let family = server.family();
        let sql = Sql::open(&server);
        let config = Config {
            cases: CASES,
            failure_persistence: None,
            max_shrink_iters: 64,
            ..Config::default()
        };
        let mut runner = TestRunner::new(config);
        let outcome = runner.run(&histories(), |history| {
            let account = write(&family, &history);
            let now = cents(history.balance_on(0));
            prop_assert_eq!(balance(&family.api, &account), now);
            let series: Vec<i64> =
                history.active_days().iter().map(|day| history.balance_on(*day) * 100).collect();
            prop_assert_eq!(ends(&sql, &account), series);
            Ok(())
        });
        match outcome {
            Ok(()) => {}
            Err(TestError::Fail(reason, history)) => panic!("{reason}\n{history:#?}"),
            Err(TestError::Abort(reason)) => panic!("{reason}"),
        }
        check(&server);
    }
}

/// Writes the history over HTTP; the account.
fn write(family: &Family, history: &History) -> String {
    let today = today(family);
    let date = |day: i64| -> Date { today.saturating_add(Span::new().days(day)) };
    let account = family.account_with(json!({
        "name": "Account",
        "account_type": if history.is_debt { "loan" } else { "depository" },
        "opening_balance": cents(history.opening),
        "opening_date": history.opened.map(|day| date(day).to_string()),
    }));
    let mut removed = BTreeMap::new();
    for event in &history.events {
        match *event {
            Event::Flow(day, amount) => {
                let line = format!("{},Flow,{}", date(day), cents(amount));
                family.import(&account, &format!("Date,Description,Amount\n{line}\n"));
            }
            Event::Set(day, amount) | Event::Removed(day, amount) => {
                let made = value(&family.api, &account, &date(day).to_string(), &cents(amount));
                if matches!(event, Event::Removed(..)) {
                    removed.insert(day, text(&made, "id"));
                }
            }
        }
    }
    for id in removed.values() {
        family.api.delete(&format!("/api/v1/valuations/{id}")).expect_status(200);
    }
    account
}

fn cents(amount: i64) -> String {
    let sign = if amount < 0 { "-" } else { "" };
    format!("{sign}{}.{:02}", amount.abs() / 100, amount.abs() % 100)
}

fn ends(sql: &Sql, account: &str) -> Vec<i64> {
    let rows = sql.integers(&format!(
        "SELECT end_amount FROM balances WHERE account_id = {} ORDER BY date",
        sql.uuid(account)
    ));
    rows.into_iter().map(|row| row[0].unwrap()).collect()
}

fn check(server: &Server) {
    let outcome = server.run(&["check"], "");
    assert!(outcome.status.success(), "{outcome:?}");
}
