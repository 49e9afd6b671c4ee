//! What an upload would do, before anything of it is in the database.
//!
//! The answer of a preflight and the dry run of the command line are both made of this, with the
//! plan that the upload itself would store.

mod open;

use std::collections::BTreeSet;

use purser_core::error::{Error, Result};
use purser_core::ids::AccountId;
use purser_core::import::kinds::Kind;
use purser_core::import::layout::Configuration;
use purser_core::import::mapping::MappingKind;
use purser_core::import::source_file::SourceFile;
use purser_core::import::status::Condition;
use purser_core::import::transaction::balance::own::OwnBalances;
use purser_core::import::transaction::balance::{BalanceEnds, RunningBalance};
use purser_core::import::transaction::totals::AccountTotals;
use purser_core::import::verdict::{Counts, Verdict};
use purser_core::money::decimal::amount_text;
use purser_store::FamilyTx;
use purser_store::imports::{self, Mapping};
use serde::Serialize;
use serde_json::{Value, json};

use super::built_plan::BuiltPlan;
use super::names::{Resolved, resolve};
use super::own_balances::{self, Planned};
use super::reading::{Finding, Source};
use super::rejection::Rejection;
use super::row_content::{Content, ShownRow};
use super::rows::{Show, runs_of};
use super::same_file::{self, SameFile};
use super::whole;
pub(super) use open::open_questions;
pub use open::{AnswerRow, OpenAnswer, OpenQuestion};

/// How many of the first rows are shown.
pub const ROWS_SHOWN: u64 = 20;
/// How many rows of each verdict that is worth a look are shown.
const EXAMPLES_SHOWN: u64 = 5;

/// Verdicts that are worth a look. Invalid rows are listed anyway.
const SPECIAL: [Verdict; 8] = [
    Verdict::Change,
    Verdict::Repeats,
    Verdict::PossibleDuplicate,
    Verdict::MatchedById,
    Verdict::MatchedByContent,
    Verdict::MatchedByRecord,
    Verdict::DeletedBefore,
    Verdict::NeedsChoice,
];

/// The sign of all amounts of a preview, as in the whole interface.
pub const AMOUNT_SIGN: &str = "money_out_positive";

/// What an upload would do.
#[derive(Debug, Serialize)]
pub struct Preview {
    /// What is in effect.
    pub configuration: Configuration,
    /// What else was found in the file.
    pub source: Value,
    /// The running balance of the file, if it has one.
    #[serde(skip)]
    pub balance: Option<RunningBalance>,
    /// The balances that lines of the file state before and after its rows.
    #[serde(skip)]
    pub stated: Option<BalanceEnds>,
    /// What accounts that exist hold before and after the file, beside what it states.
    #[serde(rename = "accounts", serialize_with = "accounts_shown")]
    pub own_balances: Vec<OwnBalances>,
    /// Other imports of a file with the same bytes, and what became of them.
    #[serde(serialize_with = "same_file_shown")]
    pub same_file: Vec<SameFile>,
    /// What the rows that can be taken come to, for each account and currency.
    #[serde(skip)]
    pub totals: Vec<AccountTotals>,
    /// What must be decided before it can be imported, with the fields that decide it.
    pub questions: Vec<OpenQuestion>,
    /// What the sign of each amount means.
    pub amount_sign: &'static str,
    /// What the file is.
    #[serde(skip)]
    pub file: SourceFile,
    /// What the rows are.
    #[serde(skip)]
    pub kind: Kind,
    /// What its booleans follow from.
    #[serde(skip)]
    pub condition: Condition,
    /// Rows that can be taken.
    pub valid_rows_count: u64,
    /// Rows of which only the direction is missing, by their numbers.
    #[serde(skip)]
    pub asked_rows: BTreeSet<u64>,
    /// The number of invalid rows.
    pub invalid_rows_count: u64,
    /// The first of them, and why.
    pub invalid_rows: Vec<Finding>,
    /// Distinct names and what they stand for.
    pub mappings: Vec<NamePreview>,
    /// How many rows have each verdict; null if the rows can't be read.
    pub plan: Option<Counts>,
    /// The first rows of the file.
    #[serde(serialize_with = "rows_shown")]
    pub rows: Vec<ShownRow>,
    /// The first rows of each verdict that is worth a look.
    #[serde(serialize_with = "rows_shown")]
    pub examples: Vec<ShownRow>,
    /// Why it could not be published.
    pub obstacle: Option<Rejection>,
}

/// A name and what it stands for.
#[derive(Debug, Serialize)]
pub struct NamePreview {
    /// The kind of thing that is named.
    pub kind: MappingKind,
    /// The name as the file has it.
    pub name: String,
    /// What it stands for, if that exists.
    pub id: Option<uuid::Uuid>,
    /// It would be created, if a row that is published needs it.
    pub create: bool,
    /// Why a person must choose.
    pub problem: Option<String>,
    /// Rows that name it.
    pub rows_count: u64,
}

impl From<&Mapping> for NamePreview {
    fn from(mapping: &Mapping) -> Self {
        Self {
            kind: mapping.kind,
            name: mapping.value.clone(),
            id: mapping.target,
            create: mapping.creates && mapping.target.is_none(),
            problem: mapping.problem.clone(),
            rows_count: mapping.rows,
        }
    }
}

/// An upload as far as the preview of its rows needs it.
pub(super) struct PreviewSource<'a> {
    /// The source of the rows.
    pub(super) source: Option<&'a Source>,
    /// What is to become of them.
    pub(super) built: Option<&'a BuiltPlan>,
    /// The account that every row goes to.
    pub(super) account: Option<AccountId>,
    /// What the names stand for.
    pub(super) mappings: &'a [Mapping],
}

impl PreviewSource<'_> {
    /// What accounts that exist hold before and after the file.
    pub(super) fn own_balances(&self, tx: &mut FamilyTx<'_>) -> Result<Vec<OwnBalances>> {
        let (Some(source), Some(BuiltPlan { plan, .. })) = (self.source, self.built) else {
            return Ok(Vec::new());
        };
        let (layout, account, mappings) = (source.layout(), self.account, self.mappings);
        own_balances::of_plan(tx, &Planned { layout, account, mappings, flows: plan.flows() })
    }

    /// The first rows, and the first of each verdict that is worth a look.
    pub(super) fn rows(&self, tx: &mut FamilyTx<'_>) -> Result<(Vec<ShownRow>, Vec<ShownRow>)> {
        let (Some(source), Some(BuiltPlan { plan, .. })) = (self.source, self.built) else {
            return Ok((Vec::new(), Vec::new()));
        };
        let mut show = |runs: &[(u64, u64)]| {
            let mut show = Show::new(source, self.account, self.mappings);
            for (first, count) in runs {
                show.rows(*first, *count, Some(plan.blocks()))?;
            }
            let mut shown = show.finish(tx)?;
            if source.kind().spec().is_whole {
                let existing = imports::existing(tx)?;
                let Resolved { preparation, .. } = resolve(self.mappings, &existing);
                whole::explain_ahead(tx, source, self.mappings, preparation, &mut shown)?;
            }
            Ok::<_, Error>(shown)
        };
        let first = show(&[(1, ROWS_SHOWN)])?;
        let mut examples = Vec::new();
        for verdict in SPECIAL {
            examples.extend(show(&runs_of(&plan.rows_with(&[verdict], 0, EXAMPLES_SHOWN)))?);
        }
        Ok((first, examples))
    }
}

/// A row as the command line shows it.
#[derive(Serialize)]
struct RowPreview {
    row_number: u64,
    line: u64,
    verdict: Option<&'static str>,
    reason: Option<String>,
    entry_id: Option<uuid::Uuid>,
    record_id: Option<uuid::Uuid>,
    date: Option<String>,
    amount: Option<String>,
    currency: Option<&'static str>,
    name: Option<String>,
}

fn accounts_shown<S: serde::Serializer>(
    own: &[OwnBalances],
    serializer: S,
) -> std::result::Result<S::Ok, S::Error> {
    serializer.collect_seq(own.iter().map(OwnBalances::shown))
}

fn same_file_shown<S: serde::Serializer>(
    same: &[SameFile],
    serializer: S,
) -> std::result::Result<S::Ok, S::Error> {
    serializer.collect_seq(same.iter().map(|same| {
        let text = same_file::sentence(same, |day| day.to_string());
        json!({ "id": same.id, "status": same.status, "created_count": same.created,
            "text": text })
    }))
}

fn rows_shown<S: serde::Serializer>(
    rows: &[ShownRow],
    serializer: S,
) -> std::result::Result<S::Ok, S::Error> {
    serializer.collect_seq(rows.iter().map(|shown| {
        let row = shown.outcome.as_ref().ok();
        let content = row.and_then(Content::transaction);
        RowPreview {
            row_number: shown.row,
            line: shown.line,
            verdict: shown.verdict.map(Verdict::as_str),
            reason: shown.reason(|date| date.to_string()),
            entry_id: shown.entry().map(|entry| entry.0),
            record_id: shown.record,
            date: content.map(|content| content.date.to_string()),
            amount: content
                .map(|content| amount_text(content.amount.amount, content.amount.currency)),
            currency: content.map(|content| content.amount.currency.code()),
            name: row.map(Content::name),
        }
    }))
}
