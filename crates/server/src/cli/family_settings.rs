//! `purser family`: what a family has set, over the calls that the API makes.

use purser_app::Store;
use purser_app::audit::Actor;
use purser_app::data::Data;
use purser_app::families::Family;
use purser_app::people;
use purser_app::people::families::Changes;
use purser_core::error::Result;
use purser_core::transfers::Matching;

use super::family::FamilyChoice;
use super::output::{self, usage};
use super::removal::{self, Pause};
use super::{Globals, open_existing};
use crate::api::family_settings::FamilyBody;

/// The arguments of `purser family`
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Show what is set
    Show(FamilyChoice),
    /// Change what is set; what isn't named stays
    #[command(after_help = "Example:\n  purser family set --transfer-matching propose")]
    Set(SetArgs),
    /// Remove a family for good, with its data, its files and the records of changes
    ///
    /// It happens after a pause in which nobody of the family can sign in, and no API key works.
    #[command(after_help = "Examples:\n  \
        purser family delete Smith\n  purser family delete Smith --after 30d")]
    Delete {
        /// The family, by its name or its id
        #[arg(value_name = "NAME_OR_ID")]
        family: String,
        #[command(flatten)]
        pause: Pause,
    },
    /// Take the removal of a family back, as long as its pause lasts
    Undelete {
        /// The family, by its name or its id
        #[arg(value_name = "NAME_OR_ID")]
        family: String,
    },
}

#[derive(Debug, clap::Args)]
struct SetArgs {
    #[command(flatten)]
    choice: FamilyChoice,
    /// The name that is shown
    #[arg(long)]
    name: Option<String>,
    /// The time zone that determines which day is today, such as Europe/Berlin
    #[arg(long, value_name = "ZONE", value_parser = time_zone)]
    time_zone: Option<String>,
    /// What becomes of transfers that are found: automatic (certain ones are made, others
    /// proposed), propose (all are proposed) or off
    #[arg(long, value_name = "HOW", value_parser = matching)]
    transfer_matching: Option<Matching>,
}

fn time_zone(text: &str) -> std::result::Result<String, String> {
    people::families::time_zone(text).ok_or_else(|| "there is no such time zone".to_owned())
}

fn matching(text: &str) -> std::result::Result<Matching, String> {
    Matching::parse(text).ok_or_else(|| "must be automatic, propose or off".to_owned())
}

pub(super) fn run(globals: &Globals, args: &Args) -> Result<()> {
    match &args.command {
        Command::Show(choice) => {
            let Data { store, .. } = open_existing(globals)?;
            let family = store.read_directory_blocking(|tx| choice.find(tx))?;
            show(globals, &store, family)
        }
        Command::Set(args) => set(globals, args),
        Command::Delete { family, pause } => removal::delete_family(globals, family, pause),
        Command::Undelete { family } => removal::keep_family(globals, family),
    }
}

fn set(globals: &Globals, args: &SetArgs) -> Result<()> {
    if args.name.is_none() && args.time_zone.is_none() && args.transfer_matching.is_none() {
        return Err(usage("Nothing to set: see `purser family set --help`"));
    }
    let Data { store, .. } = open_existing(globals)?;
    let family = store.read_directory_blocking(|tx| args.choice.find(tx))?;
    let access = family.access(Actor::CommandLine);
    let family = store.write_blocking(access, |tx| {
        let changes = Changes {
            name: args.name.as_deref(),
            time_zone: args.time_zone.as_deref(),
            transfer_matching: args.transfer_matching,
            ..Changes::default()
        };
        people::families::configure(tx, changes)
    })?;
    show(globals, &store, family)
}

fn show(globals: &Globals, store: &Store, family: Family) -> Result<()> {
    if globals.json {
        let body = store.read_blocking(family.access(Actor::CommandLine), |tx| {
            FamilyBody::read(tx, family.clone())
        })?;
        return output::json(&body);
    }
    output::line(format!(
        "Family {}: counts in {}, time zone {}, transfers {}",
        family.name,
        family.currency.code(),
        family.time_zone,
        family.transfer_matching.as_str()
    ))?;
    match family.deletion_at {
        Some(at) => output::line(format!("It is removed for good at {}", output::time(at))),
        None => Ok(()),
    }
}
