//! `purser statements`: bank statements of published files, those that end last first.

use purser_app::audit::Actor;
use purser_app::bank_statements::{self, BankStatement, Listing};
use purser_app::data::Data;
use purser_app::naming;
use purser_core::error::Result;
use purser_core::money::decimal::amount_text;
use serde_json::json;

use super::family::FamilyChoice;
use super::output::{self, Table};
use super::{Globals, open_existing};
use crate::api::statements::StatementBody;

/// Statements that are shown unless more are asked for.
const LIMIT_DEFAULT: u32 = 25;

/// Which statements to show.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only those of this account, by name or id
    #[arg(long)]
    account: Option<String>,
    /// How many at most
    #[arg(long, default_value_t = LIMIT_DEFAULT)]
    limit: u32,
    #[command(flatten)]
    family: FamilyChoice,
}

pub(super) fn run(globals: &Globals, args: &Args) -> Result<()> {
    let Data { store, .. } = open_existing(globals)?;
    let (found, total) = store.read_directory_blocking(|tx| {
        let family = args.family.find(tx)?;
        tx.with_access(family.access(Actor::CommandLine), |tx| {
            let account = args.account.as_deref().map(|text| naming::account(tx, text));
            let account = account.transpose()?.map(|account| account.summary.id);
            let listing = Listing { account, ..Listing::default() };
            bank_statements::list(tx, &listing, args.limit.into(), 0)
        })
    })?;
    let shown = found.len() as u64;
    if globals.json {
        let shown: Vec<StatementBody> = found.into_iter().map(Into::into).collect();
        return output::json(&json!({ "statements": shown, "total_count": total }));
    }
    let headings =
        ["ACCOUNT", "FROM", "TO", "CURRENCY", "OPENING", "CLOSING", "STATE", "BEFORE IT", "FILE"];
    let mut table = Table::new(&headings, &[4, 5]);
    for one in found {
        table.row(cells(one));
    }
    table.print("There are no statements")?;
    let left = total.saturating_sub(shown);
    if left > 0 { output::line(format!("{left} more: see --limit")) } else { Ok(()) }
}

fn cells(one: BankStatement) -> Vec<String> {
    let currency = one.currency;
    let amount = |amount: Option<i64>| {
        amount.map(|amount| amount_text(amount, currency)).unwrap_or_default()
    };
    vec![
        one.account_name,
        one.ends.first_day.to_string(),
        one.ends.last_day.to_string(),
        currency.code().to_owned(),
        amount(one.ends.opening),
        amount(one.ends.closing),
        one.comparison.text(currency),
        one.gap.map(|gap| gap.text(currency, |day| day.to_string())).unwrap_or_default(),
        one.file_name.unwrap_or_default(),
    ]
}
