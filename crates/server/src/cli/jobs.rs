//! `purser jobs`: work in the background that waits, runs or was given up.

use purser_app::data::Data;
use purser_app::jobs::{self, JobRecord, Retried, State};
use purser_core::error::{Error, Result};
use serde_json::{Value, json};

use super::output::{self, Table};
use super::{Globals, open_existing};

/// The arguments of `purser jobs`
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// List jobs of all families: what waits and for what, what runs, what was given up and why
    List,
    /// Try a job again at once: one that was given up, or one that waits for its next try
    Retry {
        /// The job, by the id that `purser jobs list` shows
        job: String,
    },
}

pub(super) fn run(globals: &Globals, args: &Args) -> Result<()> {
    match &args.command {
        Command::List => list(globals),
        Command::Retry { job } => retry(globals, job),
    }
}

fn list(globals: &Globals) -> Result<()> {
    let Data { store, .. } = open_existing(globals)?;
    let found = store.read_directory_blocking(jobs::list)?;
    if globals.json {
        let shown: Vec<Value> = found.iter().map(shape).collect();
        return output::json(&json!({ "jobs": shown }));
    }
    let headings = ["ID", "FAMILY", "KIND", "STATE", "FAILED TRIES", "NEXT TRY", "REASON"];
    let mut table = Table::new(&headings, &[4]);
    for job in found {
        let next = (job.state == State::Queued).then(|| output::time(job.run_at));
        table.row(vec![
            job.id.to_string(),
            job.family_name,
            job.kind,
            job.state.as_str().to_owned(),
            format!("{} of {}", job.attempts, job.attempts_max),
            next.unwrap_or_default(),
            job.last_error.unwrap_or_default(),
        ]);
    }
    table.print("There are no jobs")
}

fn shape(job: &JobRecord) -> Value {
    json!({
        "id": job.id,
        "family": job.family_name,
        "kind": job.kind,
        "state": job.state.as_str(),
        "failed_tries": job.attempts,
        "tries": job.attempts_max,
        "next_try_at": job.run_at.to_string(),
        "reason": job.last_error,
        "created_at": job.created_at.to_string(),
    })
}

fn retry(globals: &Globals, job: &str) -> Result<()> {
    let Data { store, .. } = open_existing(globals)?;
    // What is no id names no job.
    let id = job.parse().map_err(|_| Error::NotFound { what: "Job" })?;
    let retried = jobs::retry(&store, id)?;
    if globals.json {
        return output::json(&json!({ "id": id, "queued": retried == Retried::Queued }));
    }
    output::line(match retried {
        Retried::Queued => "The job is queued: the server runs it next",
        Retried::Obsolete => "Nobody waits for the job any more: it is removed",
    })
}
