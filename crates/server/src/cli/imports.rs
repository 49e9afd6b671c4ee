//! `purser imports`: the imports of a family, the newest first.

use purser_app::audit::Actor;
use purser_app::data::Data;
use purser_app::imports::{self, Listed, Listing};
use purser_core::error::Result;
use purser_core::import::status::ImportStatus;
use serde_json::{Value, json};

use super::family::FamilyChoice;
use super::output::{self, Table};
use super::{Globals, open_existing};

/// Imports that are shown unless more are asked for.
const LIMIT_DEFAULT: u64 = 25;

/// Which imports to show.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only those that are pending, importing, complete, failed, reverting or revert_failed
    #[arg(long, value_parser = status)]
    status: Option<ImportStatus>,
    /// How many at most
    #[arg(long, default_value_t = LIMIT_DEFAULT)]
    limit: u64,
    #[command(flatten)]
    family: FamilyChoice,
}

fn status(text: &str) -> std::result::Result<ImportStatus, String> {
    ImportStatus::parse(text).ok_or_else(|| {
        let known: Vec<&str> = ImportStatus::ALL.iter().map(|one| one.as_str()).collect();
        format!("one of {}", known.join(", "))
    })
}

pub(super) fn run(globals: &Globals, args: &Args) -> Result<()> {
    let Data { store, .. } = open_existing(globals)?;
    let (found, total) = store.read_directory_blocking(|tx| {
        let family = args.family.find(tx)?;
        let listing = Listing { status: args.status, ..Listing::default() };
        tx.with_access(family.access(Actor::CommandLine), |tx| {
            imports::list(tx, listing, args.limit, 0)
        })
    })?;
    if globals.json {
        let shown: Vec<Value> = found.iter().map(shape).collect();
        return output::json(&json!({ "imports": shown, "total_count": total }));
    }
    let mut table = Table::new(&["ID", "UPLOADED", "STATUS", "ROWS"], &[3]);
    for import in &found {
        table.row(vec![
            import.id.to_string(),
            output::time(import.created_at),
            import.condition.status.as_str().to_owned(),
            import.condition.rows.to_string(),
        ]);
    }
    table.print("There are no imports")?;
    let left = total.saturating_sub(found.len() as u64);
    if left > 0 { output::line(format!("{left} more: see --limit")) } else { Ok(()) }
}

fn shape(import: &Listed) -> Value {
    json!({
        "id": import.id,
        "type": import.import_type.as_str(),
        "status": import.condition.status.as_str(),
        "rows_count": import.condition.rows,
        "account_id": import.account,
        "error": import.error,
        "created_at": import.created_at.to_string(),
    })
}
