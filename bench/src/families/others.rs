//! Families that nobody uses, each with an admin, an account and a few transactions.

use jiff::civil::Date;
use purser_core::ledger::new_account::AccountInput;
use purser_core::money::Currency;
use purser_core::plan::{Change, Target, TransactionDraft};
use purser_store::audit::Actor;
use purser_store::families::{self, NewFamily};
use purser_store::ledger::{Event, Executor};
use purser_store::users::{NewUser, Role};
use purser_store::{FamilyTx, Secret, Store, accounts};
use serde_json::json;

use super::copies;
use crate::Result;
use crate::server::Data;

/// Transactions of each of these families.
const ENTRIES: i64 = 10;

/// Makes so many. On PostgreSQL, where each would take dozens of round trips, all but the first are
/// copies of it.
pub(super) fn make(data: &Data, count: u64) -> Result<()> {
    let store = data.store()?;
    match data.database_url() {
        None => fill(&store, count),
        Some(url) => {
            fill(&store, 1)?;
            drop(store);
            copies::of_the_first(&url, count)?;
            data.settle()
        }
    }
}

fn fill(store: &Store, count: u64) -> Result<()> {
    let hash = Secret::new("nobody signs in with this".to_owned());
    for number in 0..count {
        let family = NewFamily { name: "Others", currency: Currency::USD, time_zone: "UTC" };
        let email = format!("admin{number}@example.com");
        let (role, password_hash) = (Role::Admin, &hash);
        let admin = NewUser { email: &email, name: "Admin", role, password_hash };
        store.found_blocking(|tx, id| {
            let (family, _) = families::create(tx, id, &family, &admin)?;
            tx.with_access(family.access(Actor::CommandLine), furnish)
        })?;
    }
    Ok(())
}

fn furnish(tx: &mut FamilyTx<'_>) -> purser_core::error::Result<()> {
    let input = AccountInput {
        name: Some("Main".to_owned()),
        account_type: Some("depository".to_owned()),
        ..AccountInput::default()
    };
    let account = accounts::create(tx, &input)?.summary.id;
    let mut executor = Executor::begin(tx, ENTRIES.unsigned_abs())?;
    for number in 1..=ENTRIES {
        let date = Date::constant(2024, 1, 1).saturating_add(jiff::Span::new().days(number));
        executor.apply(
            tx,
            &Change::AddTransaction(TransactionDraft {
                account: Target::Existing(account.0),
                date,
                amount: 100 * number,
                currency: Currency::USD,
                rate: None,
                name: "Corner Market",
                source_name: None,
                notes: None,
                category: None,
                merchant: None,
                tags: &[],
                excluded: false,
                source: None,
                external_id: None,
            }),
        )?;
    }
    executor
        .finish(
            tx,
            Event {
                actor: Actor::CommandLine,
                action: "bench.families",
                subject_kind: "account",
                subject_id: account.0,
                details: json!({}),
            },
        )
        .map(drop)
}
