//! `purser user`: families and who belongs to them.

use purser_app::audit::Actor;
use purser_app::data::Data;
use purser_app::families::{Family, NewFamily};
use purser_app::people;
use purser_app::people::families::Founder;
use purser_app::users::{self, NewUser, Role, User};
use purser_app::{FamilyTx, Secret, Store};
use purser_core::error::{Error, Result};
use purser_core::ids::UserId;
use purser_core::money::Currency;
use serde::Serialize;
use serde_json::json;
use uuid::Uuid;

use super::family::{self, FamilyBody, FamilyChoice};
use super::output::{self, Table, usage};
use super::removal::{self, Pause};
use super::{Globals, open_existing, password};
use crate::http::time::Time;

/// The arguments of `purser user`
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Add a user: to a family, or with --family as the first admin of a new one
    ///
    /// The password is asked for at the terminal, or read from standard input with
    /// --password-stdin.
    #[command(after_help = "Examples:\n  \
        purser user add --email ann@example.org --family Smith --currency EUR\n  \
        purser user add --email bob@example.org")]
    Add(AddArgs),
    /// List users of a family
    List(FamilyChoice),
    /// Give a user a new password
    Password(PasswordArgs),
    /// Close a user's access; the user's API keys stop working at once
    Deactivate(DeactivateArgs),
    /// Remove a user for good; what the user did in the family stays
    ///
    /// It happens after a pause in which the user can't sign in, and the user's API keys don't
    /// work. The last admin of a family can't be removed.
    Delete {
        /// The user's e-mail address
        email: String,
        #[command(flatten)]
        pause: Pause,
    },
    /// Take the removal of a user back, as long as its pause lasts
    Undelete {
        /// The user's e-mail address
        email: String,
    },
}

#[derive(Debug, clap::Args)]
struct AddArgs {
    /// The e-mail address to sign in with
    #[arg(long)]
    email: String,
    /// The name that others see; the first part of the e-mail address if missing
    #[arg(long)]
    name: Option<String>,
    /// Make a new family of this name
    #[arg(long, value_name = "NAME")]
    family: Option<String>,
    /// The currency that the new family counts in
    #[arg(long, value_parser = currency, default_value = "USD", value_name = "CODE")]
    currency: Currency,
    /// The new family's time zone, which determines which day is today, such as Europe/Berlin
    #[arg(long, value_parser = time_zone, default_value = "UTC", value_name = "ZONE")]
    time_zone: String,
    /// Add the user to the family of this one; not needed when there is only one family
    #[arg(long, value_name = "EMAIL", conflicts_with = "family")]
    family_of: Option<String>,
    /// What the user may do [default: member; admin of a new family]
    #[arg(long, value_enum)]
    role: Option<RoleArg>,
    /// Read the password from the first line of standard input
    #[arg(long)]
    password_stdin: bool,
}

#[derive(Debug, clap::Args)]
struct PasswordArgs {
    /// The user's e-mail address
    email: String,
    /// Read the password from the first line of standard input
    #[arg(long)]
    password_stdin: bool,
}

#[derive(Debug, clap::Args)]
struct DeactivateArgs {
    /// The user's e-mail address
    email: String,
    /// Even if nobody is left who can manage the family
    #[arg(long)]
    force: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum RoleArg {
    /// Everything, people and settings included
    Admin,
    /// Everything but managing people
    Member,
}

impl From<RoleArg> for Role {
    fn from(role: RoleArg) -> Self {
        match role {
            RoleArg::Admin => Self::Admin,
            RoleArg::Member => Self::Member,
        }
    }
}

/// A user in JSON.
#[derive(Debug, Serialize)]
struct UserBody {
    id: Uuid,
    email: String,
    name: String,
    role: &'static str,
    deactivated_at: Option<Time>,
    deletion_at: Option<Time>,
    created_at: Time,
    family: FamilyBody,
}

impl UserBody {
    fn new(user: &User, family: &Family) -> Self {
        Self {
            id: user.id.0,
            email: user.email.clone(),
            name: user.name.clone(),
            role: user.role.as_str(),
            deactivated_at: user.deactivated_at.map(Time),
            deletion_at: user.deletion_at.or(family.deletion_at).map(Time),
            created_at: Time(user.created_at),
            family: FamilyBody::from(family),
        }
    }
}

pub(super) fn run(globals: &Globals, args: Args) -> Result<()> {
    match args.command {
        Command::Add(args) => add(globals, &args),
        Command::List(choice) => list(globals, &choice),
        Command::Password(args) => change_password(globals, &args),
        Command::Deactivate(args) => deactivate(globals, &args),
        Command::Delete { email, pause } => removal::delete_user(globals, &email, &pause),
        Command::Undelete { email } => removal::keep_user(globals, &email),
    }
}

fn add(globals: &Globals, args: &AddArgs) -> Result<()> {
    if args.family.is_some() && args.role == Some(RoleArg::Member) {
        return Err(usage("The first user of a new family is its admin: leave out --role"));
    }
    let Data { store, .. } = Data::open(&globals.storage.location()?)?;
    // Problems are reported before anybody types a password.
    users::check_email(&args.email)?;
    let family = store.read_directory_blocking(|tx| {
        if users::is_taken(tx, &args.email)? {
            return Err(users::email_taken());
        }
        match (&args.family, &args.family_of) {
            (Some(_), _) => Ok(None),
            (None, Some(email)) => family::of_user(tx, email).map(Some),
            (None, None) => family::only(tx, "--family-of EMAIL").map(Some),
        }
    })?;
    let hash = password::ask_for_hash(args.password_stdin)?;
    let (user, family) = match family {
        Some(family) => (add_to(&store, args, &family, &hash)?, family),
        None => add_with_family(&store, args, &hash)?,
    };
    if globals.json {
        return output::json(&UserBody::new(&user, &family));
    }
    let made = if args.family.is_some() { "the new family" } else { "the family" };
    let (email, role) = (&user.email, user.role.as_str());
    output::line(format!("Added {email} ({role}) to {made} {}.", family.name))
}

fn new_user<'a>(args: &'a AddArgs, role: Role, password_hash: &'a Secret) -> NewUser<'a> {
    let name = args.name.as_deref().or_else(|| args.email.trim().split('@').next());
    NewUser { email: &args.email, name: name.unwrap_or_default(), role, password_hash }
}

fn add_to(store: &Store, args: &AddArgs, family: &Family, hash: &Secret) -> Result<User> {
    let new = new_user(args, args.role.map_or(Role::Member, Role::from), hash);
    store.write_blocking(family.access(Actor::CommandLine), |tx| {
        let id = people::users::add(tx, &new)?;
        get(tx, id)
    })
}

fn add_with_family(store: &Store, args: &AddArgs, hash: &Secret) -> Result<(User, Family)> {
    let name = args.family.as_deref().unwrap_or_default();
    let new = NewFamily { name, currency: args.currency, time_zone: &args.time_zone };
    let admin = new_user(args, Role::Admin, hash);
    store.found_blocking(|tx, id| {
        let founder = Founder::CommandLine;
        let (family, user) = people::families::found(tx, id, founder, &new, &admin)?;
        let access = family.access(Actor::CommandLine);
        let user = tx.with_access(access, |tx| get(tx, user))?;
        Ok((user, family))
    })
}

fn list(globals: &Globals, choice: &FamilyChoice) -> Result<()> {
    let Data { store, .. } = open_existing(globals)?;
    let found = store.read_directory_blocking(|tx| {
        let mut found = Vec::new();
        for family in choice.find_all(tx)? {
            let access = family.access(Actor::CommandLine);
            let users = tx.with_access(access, |tx| users::list(tx))?;
            found.extend(users.into_iter().map(|user| (user, family.clone())));
        }
        Ok(found)
    })?;
    if globals.json {
        let users: Vec<UserBody> =
            found.iter().map(|(user, family)| UserBody::new(user, family)).collect();
        return output::json(&json!({ "users": users }));
    }
    let mut table = Table::new(&["EMAIL", "NAME", "ROLE", "FAMILY", "ADDED", "STATE"], &[]);
    for (user, family) in found {
        let state = match user.deletion_at.or(family.deletion_at) {
            Some(at) => format!("removed at {}", output::time(at)),
            None if user.deactivated_at.is_some() => "deactivated".to_owned(),
            None => "active".to_owned(),
        };
        let added = output::time(user.created_at);
        let role = user.role.as_str().to_owned();
        table.row(vec![user.email, user.name, role, family.name, added, state]);
    }
    table.print("There is no user yet.")
}

fn change_password(globals: &Globals, args: &PasswordArgs) -> Result<()> {
    let Data { store, .. } = open_existing(globals)?;
    let (family, user) = store.read_directory_blocking(|tx| family::user(tx, &args.email))?;
    let hash = password::ask_for_hash(args.password_stdin)?;
    store.write_blocking(family.access(Actor::CommandLine), |tx| {
        people::users::set_password(tx, user.id, &hash)
    })?;
    if globals.json {
        return output::json(&json!({ "id": user.id, "email": user.email }));
    }
    output::line(format!("{} has a new password.", user.email))
}

fn deactivate(globals: &Globals, args: &DeactivateArgs) -> Result<()> {
    let Data { store, .. } = open_existing(globals)?;
    let (family, user) = store.read_directory_blocking(|tx| family::user(tx, &args.email))?;
    let deactivated = store.write_blocking(family.access(Actor::CommandLine), |tx| {
        people::users::deactivate(tx, user.id, args.force)
    });
    let user = deactivated.map_err(|error| match error {
        Error::Conflict { code, message } => Error::Conflict {
            code,
            message: format!("{message}: make another one first, or use --force"),
        },
        other => other,
    })?;
    if globals.json {
        let deactivated_at = user.deactivated_at.map(Time);
        return output::json(&json!({
            "id": user.id, "email": user.email, "deactivated_at": deactivated_at,
        }));
    }
    output::line(format!("{} is deactivated, and so are the keys of this user.", user.email))
}

fn get(tx: &mut FamilyTx<'_>, id: UserId) -> Result<User> {
    people::users::get(&users::list(tx)?, id).cloned()
}

fn currency(text: &str) -> std::result::Result<Currency, String> {
    Currency::parse(text).ok_or_else(|| "not a known currency code such as USD".to_owned())
}

/// The zone's own spelling of its name.
fn time_zone(text: &str) -> std::result::Result<String, String> {
    let unknown = || "not a known time zone such as Europe/Berlin".to_owned();
    people::families::time_zone(text).ok_or_else(unknown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_and_currencies_are_known_ones() {
        assert_eq!(time_zone("europe/berlin").as_deref(), Ok("Europe/Berlin"));
        assert!(time_zone("Europe/Nowhere").is_err());
        assert_eq!(currency("eur").map(Currency::code), Ok("EUR"));
        assert!(currency("XYZ").is_err());
    }
}
