//! `purser key`: API keys.

use jiff::Timestamp;
use jiff::civil::Date;
use purser_app::api_key::ApiKey;
use purser_app::audit::Actor;
use purser_app::data::Data;
use purser_app::families;
use purser_app::keys::{self, Key, Scope};
use purser_app::people;
use purser_app::people::keys::Wish;
use purser_app::users::{self, User};
use purser_app::{FamilyTx, Store, naming};
use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, KeyId};
use purser_core::ledger::input::calendar_date;
use purser_core::named::Named as _;
use serde::Serialize;
use serde_json::json;
use uuid::Uuid;

use super::family;
use super::output::{self, Table};
use super::{Globals, open_existing};
use crate::http::time::Time;

/// The arguments of `purser key`
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Make a new API key and print it; it can't be shown again
    ///
    /// The key alone goes to standard output: KEY=$(purser key add …) works.
    #[command(after_help = "Example:\n  \
        purser key add --user ann@example.org --name laptop --scope read_write")]
    Add(AddArgs),
    /// List keys, without the keys themselves
    List(ListArgs),
    /// End a key at once
    Revoke(RevokeArgs),
}

#[derive(Debug, clap::Args)]
struct AddArgs {
    /// The e-mail address of the user that the key belongs to
    #[arg(long, value_name = "EMAIL")]
    user: String,
    /// What you call it, such as the program or machine that uses it
    #[arg(long)]
    name: String,
    /// What it may do
    #[arg(long, value_enum, default_value_t = ScopeArg::Read)]
    scope: ScopeArg,
    /// The last day on which it works, in the family's time zone
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = day)]
    expires: Option<Date>,
    /// Only this account; can be given several times
    #[arg(long = "account", value_name = "NAME_OR_ID")]
    accounts: Vec<String>,
}

#[derive(Debug, clap::Args)]
struct ListArgs {
    /// Only keys of this user
    #[arg(long, value_name = "EMAIL")]
    user: Option<String>,
}

#[derive(Debug, clap::Args)]
struct RevokeArgs {
    /// The key's id, as `purser key list` shows it
    id: KeyId,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum ScopeArg {
    /// The key can only read
    Read,
    /// The key can read and write
    #[value(name = "read_write")]
    ReadWrite,
}

impl From<ScopeArg> for Scope {
    fn from(scope: ScopeArg) -> Self {
        match scope {
            ScopeArg::Read => Self::Read,
            ScopeArg::ReadWrite => Self::ReadWrite,
        }
    }
}

/// A key in JSON; the key itself only when it is new.
#[derive(Debug, Serialize)]
struct KeyBody {
    id: Uuid,
    name: String,
    scope: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
    user: String,
    all_accounts: bool,
    state: &'static str,
    expires_at: Option<Time>,
    revoked_at: Option<Time>,
    last_used_at: Option<Time>,
    created_at: Time,
}

/// A key and its user.
struct FoundKey {
    key: Key,
    user: User,
}

impl FoundKey {
    fn state(&self, now: Timestamp) -> &'static str {
        people::keys::state(&self.key, &self.user, now)
    }

    fn body(&self, secret: Option<&ApiKey>, now: Timestamp) -> KeyBody {
        let key = &self.key;
        KeyBody {
            id: key.id.0,
            name: key.name.clone(),
            scope: key.scope.name(),
            key: secret.map(|secret| secret.reveal().to_owned()),
            user: self.user.email.clone(),
            all_accounts: key.all_accounts,
            state: self.state(now),
            expires_at: key.expires_at.map(Time),
            revoked_at: key.revoked_at.map(Time),
            last_used_at: key.last_used_at.map(Time),
            created_at: Time(key.created_at),
        }
    }
}

pub(super) fn run(globals: &Globals, args: Args) -> Result<()> {
    match args.command {
        Command::Add(args) => add(globals, &args),
        Command::List(args) => list(globals, &args),
        Command::Revoke(args) => revoke(globals, &args),
    }
}

fn add(globals: &Globals, args: &AddArgs) -> Result<()> {
    let Data { store, .. } = open_existing(globals)?;
    let secret = ApiKey::generate()?;
    let (family, _) = store.read_directory_blocking(|tx| family::user(tx, &args.user))?;
    let id = store.write_blocking(family.access(Actor::CommandLine), |tx| {
        let (_, user) = family::user(tx, &args.user)?;
        let accounts = chosen(tx, &args.accounts)?;
        let wish = Wish {
            name: &args.name,
            scope: args.scope.into(),
            accounts: accounts.as_deref(),
            last_day: args.expires,
        };
        people::keys::issue(tx, &user, &wish, &secret)
    })?;
    let keys = store.read_blocking(family.access(Actor::CommandLine), of_family)?;
    let found = keys.into_iter().find(|found| found.key.id == id).ok_or_else(|| no_key(id))?;
    if globals.json {
        return output::json(&found.body(Some(&secret), store.now()));
    }
    output::line(secret.reveal())?;
    let may = match found.key.scope {
        Scope::Read => "read; one that imports needs --scope read_write",
        Scope::ReadWrite => "read and write, such as import files",
    };
    eprintln!(
        "This is the only time that the key is shown. It may {may}.\n\
         Send it with each request: curl -H \"X-Api-Key: KEY\" \
         http://127.0.0.1:8080/api/v1/accounts"
    );
    Ok(())
}

/// The accounts that a key is restricted to; none named means all.
fn chosen(tx: &mut FamilyTx<'_>, texts: &[String]) -> Result<Option<Vec<AccountId>>> {
    if texts.is_empty() {
        return Ok(None);
    }
    let ids = texts.iter().map(|text| Ok(naming::account(tx, text)?.summary.id));
    ids.collect::<Result<Vec<_>>>().map(Some)
}

fn list(globals: &Globals, args: &ListArgs) -> Result<()> {
    let Data { store, .. } = open_existing(globals)?;
    let Reached { found, lost } = match &args.user {
        Some(email) => {
            let (family, user) = store.read_directory_blocking(|tx| family::user(tx, email))?;
            let access = family.access(Actor::CommandLine);
            let mut found = store.read_blocking(access, of_family)?;
            found.retain(|found| found.user.id == user.id);
            Reached { found, lost: 0 }
        }
        None => all(&store)?,
    };
    let now = store.now();
    if globals.json {
        let keys: Vec<KeyBody> = found.iter().map(|found| found.body(None, now)).collect();
        output::json(&json!({ "keys": keys }))?;
        return family::require_all_reached(lost);
    }
    let headings =
        ["ID", "NAME", "SCOPE", "ACCOUNTS", "USER", "CREATED", "EXPIRES", "LAST USED", "STATE"];
    let mut table = Table::new(&headings, &[]);
    for found in &found {
        let key = &found.key;
        table.row(vec![
            key.id.to_string(),
            key.name.clone(),
            key.scope.name().to_owned(),
            if key.all_accounts { "all" } else { "chosen" }.to_owned(),
            found.user.email.clone(),
            output::time(key.created_at),
            key.expires_at.map_or_else(|| "never".to_owned(), output::time),
            key.last_used_at.map_or_else(|| "never".to_owned(), output::time),
            found.state(now).to_owned(),
        ]);
    }
    table.print("There is no key yet.")?;
    family::require_all_reached(lost)
}

fn revoke(globals: &Globals, args: &RevokeArgs) -> Result<()> {
    let Data { store, .. } = open_existing(globals)?;
    let family =
        store.read_directory_blocking(|tx| keys::family_of(tx, args.id, Actor::CommandLine))?;
    let found = match family {
        Some(access) => store.write_blocking(access, |tx| {
            let found = one(of_family(tx)?, args.id)?;
            people::keys::revoke(tx, &found.key)?;
            one(of_family(tx)?, args.id)
        })?,
        // It may have been revoked before: then no directory knows it.
        None => {
            let Reached { found, lost } = all(&store)?;
            one(found, args.id).or_else(|missing| {
                family::require_all_reached(lost)?;
                Err(missing)
            })?
        }
    };
    if globals.json {
        return output::json(&found.body(None, store.now()));
    }
    output::line(format!("The key {} of {} is revoked.", found.key.name, found.user.email))
}

/// The keys of the families that could be asked, and how many couldn't.
struct Reached {
    found: Vec<FoundKey>,
    lost: usize,
}

/// Every key of every family.
fn all(store: &Store) -> Result<Reached> {
    let mut reached = Reached { found: Vec::new(), lost: 0 };
    for family in store.read_directory_blocking(|tx| families::every(tx, Actor::CommandLine))? {
        match store.read_briefly_blocking(&family.access, of_family) {
            Ok(found) => reached.found.extend(found),
            Err(error) => {
                family::report_unreached(&family, &error);
                reached.lost += 1;
            }
        }
    }
    Ok(reached)
}

/// Every key of a family.
fn of_family(tx: &mut FamilyTx<'_>) -> Result<Vec<FoundKey>> {
    let people = users::list(tx)?;
    let found = keys::list(tx)?.into_iter().map(|key| {
        let user = people.iter().find(|user| user.id == key.user).cloned();
        let user = user.ok_or_else(|| Error::internal("a key without its user"))?;
        Ok(FoundKey { key, user })
    });
    found.collect()
}

fn one(keys: Vec<FoundKey>, id: KeyId) -> Result<FoundKey> {
    keys.into_iter().find(|found| found.key.id == id).ok_or_else(|| no_key(id))
}

fn no_key(id: KeyId) -> Error {
    family::not_found(format!("There is no key {id}"))
}

fn day(text: &str) -> std::result::Result<Date, String> {
    calendar_date(text).ok_or_else(|| "not a day written YYYY-MM-DD".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_strict() {
        assert!(day("2024-5-17").is_err());
        assert_eq!(day("2024-05-17").unwrap(), jiff::civil::date(2024, 5, 17));
    }
}
