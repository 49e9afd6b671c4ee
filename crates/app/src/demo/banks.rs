//! The demo's connection to banks that are simulated in the process of the server.
//!
//! Their address is another one at each start, so each start gives the connection another key, as a
//! person would: a setup token is tried, and what it gives is stored. Without the simulator the
//! address is nowhere, and is not asked: its host is permitted with `--demo` only.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use purser_core::error::{Error, Result};
use purser_core::ids::ConnectionId;
use purser_providers::ProviderKind;
use purser_store::audit::Actor;
use purser_store::connections::{self, Connection};
use purser_store::{Access, FamilyTx, Secret, Store, families, users};

use super::EMAIL;
use crate::App;
use crate::connections::links::{self, LinkTarget, NewLinkedAccount};
use crate::connections::setup;

/// The name of the connection.
const NAME: &str = "Simulated banks";
/// The account at the provider that is linked; the others are left for whoever tries the demo.
const LINKED: &str = "Checking";
/// The account of the family that it is linked to.
const ACCOUNT: &str = "Prairie checking";

/// The day on which the demo was made: the banks' histories begin before it.
pub fn first_day(store: &Store) -> Result<Date> {
    let made = store.read_blocking(access(store)?, families::get)?.created_at;
    Ok(made.to_zoned(TimeZone::UTC).date())
}

/// Connects the demo's family with a setup token, or gives its connection another key.
pub async fn connect(app: &App, token: Secret) -> Result<()> {
    let store = app.store.clone();
    let access = crate::blocking::blocking(move || access(&store)).await?;
    let kind = ProviderKind::Simplefin;
    let tried = setup::try_key(app, access.clone(), kind, &token).await?;
    let keys = app.providers.keys.clone();
    let work = move |tx: &mut FamilyTx<'_>| match its_connection(tx)? {
        Some(connection) => setup::change_key(tx, &keys, connection.id, &tried),
        None => {
            let id = setup::create(tx, &keys, &tried, Some(NAME))?;
            link(tx, id)
        }
    };
    app.store.write(access, work).await
}

fn access(store: &Store) -> Result<Access> {
    let found = store.read_directory_blocking(|tx| users::find_by_email(tx, EMAIL))?;
    let sign_in = found.ok_or_else(|| Error::internal("there is no demo"))?;
    Ok(sign_in.access().acting_as(Actor::System))
}

fn its_connection(tx: &mut FamilyTx<'_>) -> Result<Option<Connection>> {
    let is_it = |one: &Connection| {
        one.provider == ProviderKind::Simplefin.as_str() && !one.scheduled_for_deletion
    };
    // A person may have given it another name, but there is one of this provider.
    Ok(connections::list(tx)?.into_iter().rfind(is_it))
}

fn link(tx: &mut FamilyTx<'_>, connection: ConnectionId) -> Result<()> {
    let found = links::list(tx, connection)?;
    let Some(one) = found.iter().find(|one| one.found.name == LINKED) else { return Ok(()) };
    let new = NewLinkedAccount { name: Some(ACCOUNT.to_owned()), ..NewLinkedAccount::default() };
    links::link(tx, connection, one.found.id, &LinkTarget::New(new)).map(drop)
}
