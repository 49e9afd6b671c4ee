//! Everything that a family can read, in lines that name nothing by its id.

use std::collections::HashMap;

use jiff::civil::date;
use purser_core::money::exact::to_text;
use purser_core::periods::Interval;
use uuid::Uuid;

use super::steps::Family;
use crate::access::FamilyTx;
use crate::accounts::Listing;
use crate::balances::daily::{self, BalanceListing};
use crate::cash_flow::{CashFlowFilter, cash_flow};

use crate::holdings::{self, Days};
use crate::reports::{gains, net_worth};
use crate::testing::{exported, unreadable};
use crate::{accounts, trades, transactions, valuations};

const ALL: i64 = 10_000;

/// Every answer, line by line.
pub(super) fn all(family: &Family<'_>) -> Vec<String> {
    let read = |tx: &mut FamilyTx<'_>| {
        let mut lines = Vec::new();
        lines.extend(accounts_and_balances(tx)?);
        lines.extend(entries(tx)?);
        lines.extend(securities(tx)?);
        lines.extend(reports(tx)?);
        Ok(lines)
    };
    family.fixture.store.read_blocking(family.id, read).unwrap()
}

/// The export, with ids replaced by the order in which they appear. It could be imported.
pub(super) fn export(family: &Family<'_>) -> Vec<String> {
    let exported = exported(family.fixture, family.id).unwrap();
    assert_eq!(unreadable(&exported), [""; 0]);
    let mut numbers: HashMap<Uuid, String> = HashMap::new();
    let mut numbered = |text: &str| match purser_core::ids::read(text) {
        Ok(id) => {
            let next = format!("id {}", numbers.len());
            numbers.entry(id).or_insert(next).clone()
        }
        Err(_) => text.to_owned(),
    };
    let line = |line: &str| -> String {
        line.split('"').map(&mut numbered).collect::<Vec<_>>().join("\"")
    };
    exported.lines().map(line).collect()
}

type Lines = purser_core::error::Result<Vec<String>>;

fn accounts_and_balances(tx: &mut FamilyTx<'_>) -> Lines {
    let mut lines = Vec::new();
    let listing = Listing { include_disabled: true };
    for account in accounts::list(tx, listing, ALL, 0)?.0 {
        lines.push(format!(
            "account {} {:?} {} cash {} complete {} {:?}",
            account.summary.name,
            account.summary.status,
            account.balance,
            account.cash,
            account.complete,
            account.cost_method,
        ));
    }
    let (rows, total) = daily::list(tx, BalanceListing::default(), ALL, 0)?;
    assert_eq!(u64::try_from(rows.len()).unwrap(), total);
    let mut before = HashMap::new();
    for row in rows.iter().rev() {
        let classification = row.account.account_type.classification();
        assert!(row.day.cash.articulates(classification), "{row:?}");
        assert!(row.day.non_cash.articulates(classification), "{row:?}");
        let ends = (row.day.cash.end, row.day.non_cash.end);
        if let Some(earlier) = before.insert(row.account.id, ends) {
            assert_eq!(earlier, (row.day.cash.start, row.day.non_cash.start), "{row:?}");
        }
        if let Some(whole) = row.valued {
            assert_eq!(ends.0 + ends.1, whole, "{row:?}");
        }
        lines.push(format!(
            "day {} {} {:?} {:?} valued {:?} complete {}",
            row.account.name,
            row.day.date,
            row.day.cash,
            row.day.non_cash,
            row.valued,
            row.complete
        ));
    }
    Ok(lines)
}

fn entries(tx: &mut FamilyTx<'_>) -> Lines {
    let mut lines = Vec::new();
    let (found, total) = transactions::list(tx, &transactions::Listing::default(), ALL, 0)?;
    assert_eq!(u64::try_from(found.len()).unwrap(), total);
    for one in found {
        let booked = one.booked.map(|booked| {
            let legs = booked.origin.map(|rate| rate.legs().to_vec());
            (booked.amount, booked.rate.map(|rate| rate.normalize()), booked.given, legs)
        });
        lines.push(format!(
            "transaction {} {} {} {} {:?} excluded {} part {} {booked:?}",
            one.account.name,
            one.date,
            one.name,
            one.amount,
            one.currency,
            one.excluded,
            one.parent.is_some(),
        ));
    }
    let listing = valuations::Listing::default();
    for one in valuations::list(tx, listing, ALL, 0)?.0 {
        lines.push(format!(
            "valuation {} {} {} {:?}",
            one.account.name, one.date, one.amount, one.kind
        ));
    }
    Ok(lines)
}

fn securities(tx: &mut FamilyTx<'_>) -> Lines {
    let mut lines = Vec::new();
    for days in [Days::Today, Days::Between(None, None)] {
        let listing = holdings::Listing { days, ..holdings::Listing::default() };
        for one in holdings::list(tx, listing, ALL, 0)?.0 {
            let cost = one
                .cost
                .as_ref()
                .map(|cost| (to_text(&cost.total), cost.quantity.normalize(), cost.source));
            lines.push(format!(
                "holding {} {} {} {} at {} = {} missing {:?} cost {cost:?}",
                one.account.name,
                one.security.ticker,
                one.date,
                one.quantity.normalize(),
                one.price.normalize(),
                one.amount,
                one.missing,
            ));
        }
    }
    let listing = trades::Listing::default();
    for one in trades::list(tx, listing, ALL, 0)?.0 {
        lines.push(format!("trade {} {} {}", one.account.name, one.date, one.name()));
    }
    Ok(lines)
}

fn reports(tx: &mut FamilyTx<'_>) -> Lines {
    let mut lines = Vec::new();
    let (first, last) = (date(2024, 3, 1), date(2024, 5, 17));
    let days: Vec<_> = Interval::Week.points(first, last).collect();
    let found = net_worth::net_worth(tx, &days)?;
    let incomplete: Vec<_> = found.incomplete.iter().map(|account| &account.name).collect();
    for point in &found.points {
        lines.push(format!(
            "net worth {} {} {} {:?} incomplete {incomplete:?}",
            point.date, point.assets, point.liabilities, point.by_type
        ));
    }
    let gains = gains::gains(tx, first, date(2024, 12, 31))?;
    for year in gains.years {
        for line in &year.lines {
            lines.push(format!(
                "gain {} {} {} {} {} {:?}",
                line.account.name,
                line.security.ticker,
                line.sales,
                line.proceeds,
                line.cost,
                line.gain
            ));
        }
        lines.push(format!("gains {} {} {}", year.year, year.total, year.complete));
    }
    let filter = CashFlowFilter {
        first,
        last: date(2024, 12, 31),
        currency: purser_core::money::Currency::EUR,
        month_start_day: 1,
        accounts: None,
    };
    let flow = cash_flow(tx, &filter)?;
    for line in &flow.lines {
        lines.push(format!("flow {} in {} out {}", line.month, line.income, line.expense));
    }
    lines.push(format!("missing {:?}", flow.missing));
    Ok(lines)
}
