//! `purser check`: whether the data is what the rest of the program takes it for.
//!
//! Every rule that no constraint of the database can hold has a check here: derived data is
//! compared with what it is derived from, states with what they promise, files with their rows.
//! Checks only read, each in one snapshot of its own, so that they run beside a server; none
//! repairs anything. Beside a server a copy of a large SQLite database is read. A check that fails
//! to run counts as a problem.
//!
//! Statements work on whole tables and not family by family: the cost is a few passes over the
//! entries.

mod accounts;
mod balances;
pub(crate) mod columns;
mod conversions;
mod database;
mod directories;
mod entry_records;
mod files;
mod imports;
mod names;
mod origins;
mod plans;
mod positions;
mod queue;
mod rates;
mod report;
mod row_security;
mod rows;
mod templates;
mod transfers;

#[cfg(test)]
mod tests;

use purser_core::error::Result;

use crate::driver::{Sql, Tx};
use crate::files::FileStore;
use crate::store::Store;

use report::Findings;
pub use report::{Outcome, PROBLEMS_NAMED};

/// One rule and what finds the exceptions.
struct Check {
    /// The stable name of the check.
    name: &'static str,
    /// The rule that it checks.
    rule: &'static str,
    /// The noun for what is counted.
    unit: &'static str,
    run: fn(&mut Tx<'_>, &mut Findings) -> Result<()>,
}

impl Check {
    /// Where families are spread over machines, directories and the families' rows can't be read as
    /// they were at one moment: what changes meanwhile looks like damage. So what was found there
    /// is looked for once more.
    fn carry_out(&self, store: &Store) -> Outcome {
        let first = self.look(store);
        if first.holds() || self.name != DIRECTORIES || !store.is_distributed() {
            return first;
        }
        self.look(store).and_before(&first)
    }

    fn look(&self, store: &Store) -> Outcome {
        let mut findings = Findings::default();
        let result = store.read_directory_blocking(|tx| (self.run)(tx, &mut findings));
        findings.into_outcome((self.name, self.rule, self.unit), result)
    }
}

/// The name of the check of the directories.
const DIRECTORIES: &str = "directories";

/// Every check of the database, in the order in which they run.
const CHECKS: &[Check] = &[
    Check {
        name: "database_integrity",
        rule: "The database file is whole",
        unit: "file",
        run: database::integrity,
    },
    Check {
        name: "row_security",
        rule: "Rows of a family are out of reach of the others",
        unit: "tables, views",
        run: row_security::complete,
    },
    Check {
        name: "column_values",
        rule: "Every value of every column can be read",
        unit: "rows",
        run: columns::values_fit,
    },
    Check {
        name: "references",
        rule: "Ids point to rows that exist",
        unit: "columns",
        run: columns::references_hold,
    },
    Check {
        name: "rows_agree",
        rule: "Columns that depend on each other agree",
        unit: "rules",
        run: rows::agree,
    },
    Check {
        name: DIRECTORIES,
        rule: "Users and keys are found by their directories",
        unit: "users, keys",
        run: directories::complete,
    },
    Check {
        name: "account_counters",
        rule: "Accounts count their entries",
        unit: "accounts",
        run: accounts::counters,
    },
    Check {
        name: "entry_conversions",
        rule: "Amounts in other currencies are booked at their rate",
        unit: "conversions",
        run: conversions::booked,
    },
    Check {
        name: "best_rates",
        rule: "Amounts in other currencies are booked by the best rate that is known",
        unit: "conversions",
        run: rates::best,
    },
    Check {
        name: "split_parts",
        rule: "Parts add up to what was split",
        unit: "parts",
        run: conversions::parts,
    },
    Check {
        name: "valuations",
        rule: "One valuation a day, one opening anchor",
        unit: "valuations",
        run: accounts::valuations,
    },
    Check {
        name: "balances_rebuilt",
        rule: "Balances are what the entries make",
        unit: "days",
        run: balances::rebuilt,
    },
    Check {
        name: "balances_articulate",
        rule: "Each day starts where the one before ended",
        unit: "days",
        run: balances::articulate,
    },
    Check {
        name: "trades",
        rule: "Trades are whole and counted, moves have two sides",
        unit: "trades",
        run: positions::trades,
    },
    Check {
        name: "trade_amounts",
        rule: "What trades say of shares and prices is what they come to in money",
        unit: "trades",
        run: positions::trade_amounts,
    },
    Check {
        name: "positions_rebuilt",
        rule: "Positions are what the trades make",
        unit: "segments",
        run: positions::rebuilt,
    },
    Check {
        name: "categories",
        rule: "Categories have two levels and the key of their path",
        unit: "categories",
        run: names::categories,
    },
    Check {
        name: "name_keys",
        rule: "Accounts, tags and merchants have the key of their name",
        unit: "names",
        run: names::keys,
    },
    Check {
        name: "entry_origins",
        rule: "Of changed and deleted entries the origin is kept",
        unit: "origins",
        run: origins::kept,
    },
    Check {
        name: "entry_records",
        rule: "Records of files belong to one entry each",
        unit: "records",
        run: entry_records::fit,
    },
    Check {
        name: "transfers",
        rule: "Transfers have two sides that cancel",
        unit: "transfers",
        run: transfers::cancel,
    },
    Check {
        name: "import_counts",
        rule: "Imports count their rows and mappings",
        unit: "imports",
        run: imports::counts,
    },
    Check {
        name: "import_mappings",
        rule: "Mappings and templates point to what the family has",
        unit: "mappings",
        run: imports::mappings,
    },
    Check {
        name: "import_entries",
        rule: "Imports made what they say",
        unit: "imports",
        run: imports::entries,
    },
    Check {
        name: "import_plans",
        rule: "Plans have a verdict on every row",
        unit: "imports",
        run: plans::plans,
    },
    Check {
        name: "import_created",
        rule: "What imports created is there",
        unit: "accounts, records",
        run: plans::created,
    },
    Check {
        name: "import_fills",
        rule: "What imports filled is there",
        unit: "transactions",
        run: plans::fills,
    },
    Check {
        name: "import_changes",
        rule: "What imports changed is there",
        unit: "records",
        run: plans::changes,
    },
    Check {
        name: "import_jobs",
        rule: "Running imports have a job, and jobs an import",
        unit: "imports, jobs",
        run: imports::jobs,
    },
    Check {
        name: "jobs",
        rule: "Jobs fit their state and what waits for them",
        unit: "jobs",
        run: queue::jobs,
    },
    Check {
        name: "idempotency_keys",
        rule: "Kept answers are whole",
        unit: "answers",
        run: queue::idempotency_keys,
    },
];

/// The check of the files, which needs more than the database.
const FILES: (&str, &str, &str) = ("files", "Files are there and unchanged", "files");

/// Runs every check and reports each outcome to `each`, one after the other. Blocks.
pub fn run(store: &Store, files: &FileStore, each: impl FnMut(&Outcome)) -> Vec<Outcome> {
    run_on(store, None, files, each)
}

/// As [`run`], beside a server: of a large SQLite database a copy is read, so that its log doesn't
/// grow meanwhile.
pub fn run_beside_server(
    store: &Store,
    files: &FileStore,
    each: impl FnMut(&Outcome),
) -> Vec<Outcome> {
    run_on(store, store.copy_for_long_reads(u64::MAX), files, each)
}

/// Runs every check, on a copy if there is one. What is wrong with that counts only if it is wrong
/// with the database, too.
pub(crate) fn run_on(
    store: &Store,
    copy: Option<Store>,
    files: &FileStore,
    mut each: impl FnMut(&Outcome),
) -> Vec<Outcome> {
    let mut outcomes = Vec::with_capacity(CHECKS.len() + 1);
    let mut ended = |outcome: Outcome| {
        each(&outcome);
        outcomes.push(outcome);
    };
    for check in CHECKS {
        let of_copy = copy.as_ref().map(|copy| check.carry_out(copy));
        let outcome = of_copy.filter(Outcome::holds);
        ended(outcome.unwrap_or_else(|| check.carry_out(store)));
    }
    drop(copy);
    let mut findings = Findings::default();
    let result = files::unchanged(store, files, &mut findings);
    ended(findings.into_outcome(FILES, result));
    outcomes
}

/// Every statement of the checks, for the test that prepares them.
pub(crate) fn statements() -> Vec<(&'static str, &'static [(&'static str, Sql)])> {
    vec![
        ("check::accounts", accounts::STATEMENTS),
        ("check::balances", balances::STATEMENTS),
        ("check::conversions", conversions::STATEMENTS),
        ("check::directories", directories::STATEMENTS),
        ("check::entry_records", entry_records::STATEMENTS),
        ("check::imports", imports::STATEMENTS),
        ("check::names", names::STATEMENTS),
        ("check::origins", origins::STATEMENTS),
        ("check::plans", plans::STATEMENTS),
        ("check::positions", positions::STATEMENTS),
        ("check::queue", queue::STATEMENTS),
        ("check::rates", rates::STATEMENTS),
        ("check::rows", rows::STATEMENTS),
        ("check::templates", templates::STATEMENTS),
        ("check::transfers", transfers::STATEMENTS),
    ]
}
