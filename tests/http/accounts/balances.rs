//! Histories and the balance of today that follows from them, step by step.
//!
//! Flows come as a bank's file, money in positive; a debt is positive, so money in lowers it.

use jiff::Span;
use serde_json::json;

use crate::both;
use crate::ledger::{balance, today, value};
use crate::support::{Family, Server, Sql};

/// What happens; the day is a date or a distance from today such as `+30`.
enum Step {
    /// A file with one line.
    Flow(&'static str, &'static str),
    /// Records a valuation on a day.
    Value(&'static str, &'static str),
}
use Step::{Flow, Value};

struct History {
    account_type: &'static str,
    currency: &'static str,
    opening: (&'static str, Option<&'static str>),
    /// Each step and the balance after it.
    steps: &'static [(Step, &'static str)],
}

const fn history(
    account_type: &'static str,
    opening: (&'static str, Option<&'static str>),
    steps: &'static [(Step, &'static str)],
) -> History {
    History { account_type, currency: "USD", opening, steps }
}

const HISTORIES: &[History] = &[
    // Flows on an asset, with a floating and with a dated opening.
    history(
        "depository",
        ("20000", None),
        &[(Flow("2026-01-02", "500"), "20500.00"), (Flow("2026-01-03", "-100"), "20400.00")],
    ),
    history(
        "depository",
        ("20000", Some("2026-01-01")),
        &[(Flow("2026-01-02", "500"), "20500.00"), (Flow("2026-01-03", "-100"), "20400.00")],
    ),
    // On a debt: a payment lowers it, a purchase raises it.
    history(
        "credit_card",
        ("1000", None),
        &[(Flow("2026-01-02", "500"), "500.00"), (Flow("2026-01-03", "-100"), "600.00")],
    ),
    history("loan", ("20000", Some("2026-01-01")), &[(Flow("2026-01-02", "2000"), "18000.00")]),
    history("other_liability", ("0", None), &[(Flow("2026-01-02", "2000"), "-2000.00")]),
    // A valuation explains what the flows don't.
    history(
        "depository",
        ("20000", Some("2026-01-01")),
        &[
            (Flow("2026-01-02", "5000"), "25000.00"),
            (Value("2026-01-03", "17000"), "17000.00"),
            (Flow("2026-01-04", "500"), "17500.00"),
        ],
    ),
    history(
        "credit_card",
        ("1000", Some("2026-01-01")),
        &[
            (Flow("2026-01-02", "-5000"), "6000.00"),
            (Value("2026-01-03", "700"), "700.00"),
            (Flow("2026-01-04", "500"), "200.00"),
        ],
    ),
    // An opening balance without a day stands before all entries, however late they arrive.
    history(
        "depository",
        ("100", None),
        &[
            (Flow("2026-01-10", "10"), "110.00"),
            (Flow("2020-01-10", "-50"), "60.00"),
            (Flow("1900-01-01", "5"), "65.00"),
        ],
    ),
    // Entries that arrive late and are before a valuation don't move it.
    history(
        "depository",
        ("100", None),
        &[
            (Value("2026-01-10", "1000"), "1000.00"),
            (Flow("2026-01-09", "-50"), "1000.00"),
            (Flow("2026-01-10", "-50"), "1000.00"),
            (Flow("2026-01-11", "-50"), "950.00"),
            (Value("2026-01-05", "3"), "950.00"),
            (Value("2026-01-11", "7"), "7.00"),
        ],
    ),
    // A valuation before the opening: the series starts there, from nothing.
    history(
        "depository",
        ("500", Some("2026-01-10")),
        &[
            (Value("2026-01-05", "80"), "500.00"),
            (Flow("2026-01-07", "20"), "500.00"),
            (Flow("2026-01-12", "20"), "520.00"),
        ],
    ),
    // The end of the opening's day has its amount, flows of the day included.
    history(
        "depository",
        ("500", Some("2026-01-10")),
        &[
            (Flow("2026-01-10", "20"), "500.00"),
            (Flow("2026-01-09", "20"), "500.00"),
            (Flow("2026-01-11", "20"), "520.00"),
        ],
    ),
    // Entries of the future count from their day.
    history(
        "depository",
        ("100", None),
        &[
            (Flow("+30", "10"), "100.00"),
            (Value("+60", "9000"), "100.00"),
            (Flow("-30", "-1"), "99.00"),
            (Value("-10", "50"), "50.00"),
            (Flow("-0", "0.5"), "50.50"),
        ],
    ),
    history(
        "depository",
        ("100", Some("+30")),
        &[(Flow("-30", "7"), "7.00"), (Flow("+40", "7"), "7.00")],
    ),
    // A valuation of today is the balance.
    history(
        "vehicle",
        ("100", None),
        &[
            (Value("-0", "50"), "50.00"),
            (Value("-0", "-0.01"), "-0.01"),
            (Flow("-0", "3"), "-0.01"),
        ],
    ),
    // Several files on one day.
    history(
        "depository",
        ("0", None),
        &[
            (Flow("2026-01-05", "0.1"), "0.10"),
            (Flow("2026-01-05", "0.2"), "0.30"),
            (Flow("2026-01-05", "-0.3"), "0.00"),
        ],
    ),
    History {
        account_type: "crypto",
        currency: "BTC",
        opening: ("0.00000001", None),
        steps: &[
            (Flow("2026-01-05", "1.5"), "1.50000001"),
            (Flow("2026-01-06", "-0.00000002"), "1.49999999"),
            (Value("2026-01-07", "21"), "21.00000000"),
        ],
    },
    History {
        account_type: "depository",
        currency: "JPY",
        opening: ("1000", None),
        steps: &[(Flow("2026-01-05", "-250"), "750"), (Flow("2026-01-06", "0.5"), "750.5")],
    },
    History {
        account_type: "depository",
        currency: "KWD",
        opening: ("1", None),
        steps: &[(Flow("2026-01-05", "0.001"), "1.001")],
    },
];

both! {
    fn a_history_leads_to_its_balance(server) {
        let family = server.family();
        for (number, history) in HISTORIES.iter().enumerate() {
            let account = open(&family, history);
            for (step, expected) in history.steps {
                take(&family, &account, step);
                assert_eq!(balance(&family.api, &account), *expected, "history {number}");
            }
        }
        consistent(&server);
    }

    fn the_order_of_arrival_changes_nothing(server) {
        let family = server.family();
        for (number, history) in HISTORIES.iter().enumerate() {
            // Of one day, the last valuation counts; so those histories have one order only.
            let (_, expected) = history.steps.last().unwrap();
            let days: Vec<_> = history
                .steps
                .iter()
                .filter_map(|(step, _)| match step {
                    Value(day, _) => Some(*day),
                    Flow(..) => None,
                })
                .collect();
            if days.iter().any(|day| days.iter().filter(|other| other == &day).count() > 1) {
                continue;
            }
            let account = open(&family, history);
            for (step, _) in history.steps.iter().rev() {
                take(&family, &account, step);
            }
            assert_eq!(balance(&family.api, &account), *expected, "history {number}");
        }
    }

    fn the_adjustment_is_what_the_flows_do_not_explain(server) {
        let family = server.family();
        let account = family.account_with(json!({ "name": "A", "account_type": "depository",
            "opening_balance": "20000", "opening_date": "2026-01-01" }));
        family.import(&account, "Date,Description,Amount\n2026-01-02,a,5000\n2026-01-04,b,500\n");
        value(&family.api, &account, "2026-01-03", "17000");
        let sql = Sql::open(&server);
        let query = format!(
            "SELECT inflow, outflow, valued, adjustment, end_amount FROM balances
                WHERE account_id = {} ORDER BY date",
            sql.uuid(&account)
        );
        let rows = sql.integers(&query);
        let whole = |amount: i64| Some(amount * 10_000);
        assert_eq!(
            rows,
            [
                [whole(0), whole(0), whole(20_000), whole(20_000), whole(20_000)],
                [whole(5_000), whole(0), None, whole(0), whole(25_000)],
                [whole(0), whole(0), whole(17_000), whole(-8_000), whole(17_000)],
                [whole(500), whole(0), None, whole(0), whole(17_500)],
            ]
        );
    }
}

fn open(family: &Family, history: &History) -> String {
    let (amount, date) = history.opening;
    family.account_with(json!({
        "name": "A", "account_type": history.account_type, "currency": history.currency,
        "opening_balance": amount, "opening_date": date.map(|date| day(family, date)),
    }))
}

fn take(family: &Family, account: &str, step: &Step) {
    match step {
        Flow(date, amount) => {
            let line = format!("{},Flow,{amount}", day(family, date));
            family.import(account, &format!("Date,Description,Amount\n{line}\n"));
        }
        Value(date, amount) => {
            value(&family.api, account, &day(family, date), amount);
        }
    }
}

fn day(family: &Family, text: &str) -> String {
    match text.strip_prefix('+').or(text.strip_prefix('-')) {
        None => text.to_owned(),
        Some(_) => {
            let distance: i64 = text.parse().unwrap();
            today(family).saturating_add(Span::new().days(distance)).to_string()
        }
    }
}

/// The program's own comparison of balances and counters with the entries finds nothing.
pub(crate) fn consistent(server: &Server) {
    let outcome = server.run(&["check"], "");
    assert!(outcome.status.success(), "{outcome:?}");
}
