//! `purser account`: accounts, over the calls that the API makes.

use purser_app::FamilyTx;
use purser_app::accounts::{self, Account, Listing};
use purser_app::audit::Actor;
use purser_app::data::Data;
use purser_app::families::Family;
use purser_core::error::Result;
use purser_core::ledger::input::AmountText;
use purser_core::ledger::new_account::AccountInput;
use purser_core::money::Money;
use purser_core::money::format::money_text;
use serde::Serialize;
use serde_json::json;

use super::family::{FamilyBody, FamilyChoice};
use super::output::{self, Table};
use super::{Globals, open_existing};
use crate::api::accounts::view::AccountBody;

/// The arguments of `purser account`
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Create an account of a family
    #[command(after_help = "Example:\n  \
        purser account add --name Checking --type depository --opening-balance 1000.00")]
    Add(Box<AddArgs>),
    /// List accounts with their balances of today
    List(ListArgs),
}

#[derive(Debug, clap::Args)]
struct AddArgs {
    #[command(flatten)]
    choice: FamilyChoice,
    /// The name that is shown
    #[arg(long)]
    name: String,
    /// depository, credit_card, investment, crypto, loan, property, vehicle, other_asset or
    /// other_liability
    #[arg(long = "type", value_name = "TYPE")]
    account_type: String,
    /// Free text such as checking
    #[arg(long)]
    subtype: Option<String>,
    /// The account's currency; the family's if missing
    #[arg(long, value_name = "CODE")]
    currency: Option<String>,
    /// What the account held before everything that is ever entered; for a debt what was owed
    #[arg(long, value_name = "AMOUNT", allow_hyphen_values = true)]
    opening_balance: Option<String>,
    /// The balance that the bank reports now: balances of earlier days are computed from it
    #[arg(long, value_name = "AMOUNT", allow_hyphen_values = true)]
    current_balance: Option<String>,
    /// The opening balance is that at the end of this day
    #[arg(long, value_name = "YYYY-MM-DD", requires = "opening_balance")]
    opening_date: Option<String>,
    /// The name of the bank
    #[arg(long, value_name = "NAME")]
    institution: Option<String>,
    /// The bank's web domain
    #[arg(long, value_name = "DOMAIN")]
    institution_domain: Option<String>,
}

#[derive(Debug, clap::Args)]
struct ListArgs {
    #[command(flatten)]
    choice: FamilyChoice,
    /// Also accounts that are hidden
    #[arg(long)]
    include_disabled: bool,
}

/// An account in JSON: as the API shows it, and what the command line adds.
#[derive(Serialize)]
struct Listed {
    #[serde(flatten)]
    account: AccountBody,
    transactions_count: u64,
    family: FamilyBody,
}

struct FoundAccount {
    account: Account,
    transactions: u64,
    family: Family,
}

impl From<FoundAccount> for Listed {
    fn from(found: FoundAccount) -> Self {
        Self {
            account: found.account.into(),
            transactions_count: found.transactions,
            family: FamilyBody::from(&found.family),
        }
    }
}

pub(super) fn run(globals: &Globals, args: Args) -> Result<()> {
    match args.command {
        Command::Add(args) => add(globals, *args),
        Command::List(args) => list(globals, &args),
    }
}

fn add(globals: &Globals, args: AddArgs) -> Result<()> {
    let Data { store, .. } = open_existing(globals)?;
    let family = store.read_directory_blocking(|tx| args.choice.find(tx))?;
    let input = AccountInput {
        name: Some(args.name),
        account_type: Some(args.account_type),
        subtype: args.subtype,
        currency: args.currency,
        opening_balance: args.opening_balance.map(AmountText::Text),
        opening_date: args.opening_date,
        institution_name: args.institution,
        current_balance: args.current_balance.map(AmountText::Text),
        institution_domain: args.institution_domain,
        ..AccountInput::default()
    };
    let account = store
        .write_blocking(family.access(Actor::CommandLine), |tx| accounts::create(tx, &input))?;
    let found = FoundAccount { account, transactions: 0, family };
    if globals.json {
        return output::json(&Listed::from(found));
    }
    let summary = &found.account.summary;
    output::line(format!(
        "Created the account {} of the family {} with a balance of {}: {}",
        summary.name,
        found.family.name,
        balance(&found.account),
        summary.id
    ))
}

fn list(globals: &Globals, args: &ListArgs) -> Result<()> {
    let Data { store, .. } = open_existing(globals)?;
    let found = store.read_directory_blocking(|tx| {
        let mut found = Vec::new();
        for family in args.choice.find_all(tx)? {
            let (counts, accounts) = tx.with_access(family.access(Actor::CommandLine), |tx| {
                let accounts = all(tx, args.include_disabled)?;
                Ok((accounts::transaction_counts(tx)?, accounts))
            })?;
            for account in accounts {
                let transactions = counts.get(&account.summary.id).copied().unwrap_or_default();
                found.push(FoundAccount { account, transactions, family: family.clone() });
            }
        }
        Ok(found)
    })?;
    if globals.json {
        let accounts: Vec<Listed> = found.into_iter().map(Listed::from).collect();
        return output::json(&json!({ "accounts": accounts }));
    }
    let headings = ["ID", "NAME", "TYPE", "CURRENCY", "BALANCE", "TRANSACTIONS", "FAMILY"];
    let mut table = Table::new(&headings, &[4, 5]);
    for FoundAccount { account, transactions, family } in found {
        table.row(vec![
            account.summary.id.to_string(),
            account.summary.name.clone(),
            account.summary.account_type.as_str().to_owned(),
            account.currency.code().to_owned(),
            balance(&account),
            transactions.to_string(),
            family.name,
        ]);
    }
    table.print("There is no account yet.")
}

fn all(tx: &mut FamilyTx<'_>, include_disabled: bool) -> Result<Vec<Account>> {
    let listing = Listing { include_disabled };
    Ok(accounts::list(tx, listing, i64::MAX, 0)?.0)
}

fn balance(account: &Account) -> String {
    money_text(Money::new(account.balance, account.currency))
}
