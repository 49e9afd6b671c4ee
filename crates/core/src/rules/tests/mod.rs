//! Rules by tables, and by laws over random ones.

mod laws;
mod reading;
mod running;

use std::borrow::Cow;

use jiff::civil::date;
use uuid::Uuid;

use super::*;
use crate::error::Problems;
use crate::ledger::locks::Locks;
use crate::money::Currency;

/// A cheap way to ids.
fn id(number: u128) -> Uuid {
    Uuid::from_u128(number)
}

/// A purchase of 12.50 USD.
fn facts() -> Facts<'static> {
    Facts {
        account: id(1),
        date: date(2026, 3, 1),
        amount: 125_000,
        currency: Currency::USD,
        name: Cow::Borrowed("Café Zürich 100%"),
        source_name: Cow::Borrowed("CAFE ZUERICH 0815"),
        notes: None,
        category: Some(id(10)),
        merchant: None,
        tags: vec![id(20), id(21)],
        excluded: false,
        transfer: false,
        locked: Locks::NONE,
    }
}

fn conditions(json: &str) -> Vec<Condition> {
    let mut problems = Problems::new();
    let read = json::read_conditions(json, &mut problems);
    assert_eq!(problems.texts(), Vec::<String>::new(), "{json}");
    read
}

fn actions(json: &str) -> Vec<Action> {
    let mut problems = Problems::new();
    let read = json::read_actions(json, &mut problems);
    assert_eq!(problems.texts(), Vec::<String>::new(), "{json}");
    read
}

fn rule(if_these: &str, then: &str) -> Rule {
    Rule { effective_date: None, conditions: conditions(if_these), actions: actions(then) }
}
