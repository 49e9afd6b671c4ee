//! What an upload would do, before anything of it is in the database.
//!
//! The answer of a preflight and the dry run of the command line are both made of this, with the
//! plan that the upload itself would store.

use std::fmt;

use purser_core::error::{Error, Result};
use purser_core::ids::AccountId;
use purser_core::import::kinds::Kind;
use purser_core::import::layout::Configuration;
use purser_core::import::mapping::MappingKind;
use purser_core::import::settings::Signage;
use purser_core::import::status::Condition;
use purser_core::import::transaction::balance::own::OwnBalances;
use purser_core::import::transaction::balance::{BalanceEnds, RunningBalance};
use purser_core::import::verdict::{Counts, Verdict};
use purser_core::money::decimal::amount_text;
use purser_core::text::number::NumberFormat;
use purser_store::FamilyTx;
use purser_store::imports::{self, Mapping};
use serde::Serialize;
use serde_json::Value;

use super::built_plan::BuiltPlan;
use super::names::{Resolved, resolve};
use super::own_balances::{self, Planned};
use super::reading::{Finding, Source};
use super::rejection::Rejection;
use super::row_content::{Content, ShownRow};
use super::rows::{Show, runs_of};
use super::whole;

/// How many of the first rows are shown.
pub const ROWS_SHOWN: u64 = 20;
/// How many rows of each verdict that is worth a look are shown.
const EXAMPLES_SHOWN: u64 = 5;

/// Verdicts that are worth a look. Invalid rows are listed anyway.
const SPECIAL: [Verdict; 7] = [
    Verdict::Change,
    Verdict::Repeats,
    Verdict::PossibleDuplicate,
    Verdict::MatchedById,
    Verdict::MatchedByContent,
    Verdict::DeletedBefore,
    Verdict::NeedsChoice,
];

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
    #[serde(skip)]
    pub own_balances: Vec<OwnBalances>,
    /// What the rows are.
    #[serde(skip)]
    pub kind: Kind,
    /// What its booleans follow from.
    #[serde(skip)]
    pub condition: Condition,
    /// Rows that can be taken.
    pub valid_rows_count: u64,
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
        let (account, mappings) = (self.account, self.mappings);
        let (counts, blocks) = (plan.counts()?, Some(plan.blocks()));
        own_balances::of_plan(tx, &Planned { source, account, mappings, counts, blocks })
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
struct RowPreview<'a> {
    row_number: u64,
    line: u64,
    verdict: Option<&'static str>,
    reason: Option<String>,
    entry_id: Option<uuid::Uuid>,
    record_id: Option<uuid::Uuid>,
    date: Option<String>,
    amount: Option<String>,
    currency: Option<&'static str>,
    name: Option<&'a str>,
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

impl fmt::Display for Preview {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let label = |value: &Option<String>| value.clone().unwrap_or_else(|| "-".to_owned());
        let configuration = &self.configuration;
        if self.kind.spec().is_whole {
            return self.write_plain(f);
        }
        writeln!(
            f,
            "date      {} as {}",
            label(&configuration.date_col_label),
            label(&configuration.date_format)
        )?;
        writeln!(
            f,
            "amount    {} as {}, {}",
            label(&configuration.amount_col_label),
            configuration.number_format.map_or("-", NumberFormat::as_str),
            configuration.signage_convention.map_or("-", Signage::as_str)
        )?;
        writeln!(f, "name      {}", label(&configuration.name_col_label))?;
        writeln!(f, "category  {}", label(&configuration.category_col_label))?;
        writeln!(f, "tags      {}", label(&configuration.tags_col_label))?;
        self.write_balance(f)?;
        self.write_rows(f)
    }
}

impl Preview {
    /// The columns of a kind without amounts.
    fn write_plain(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for column in self.kind.spec().columns {
            let header = self.source["columns"][column.field].as_str().unwrap_or("-");
            writeln!(f, "{:<9} {header}", column.field)?;
        }
        self.write_rows(f)
    }

    /// The column of balances and how many of them follow, if there is one.
    fn write_balance(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let balance = &self.source["balance"];
        let stated = self.stated.iter().filter_map(|ends| ends.text(|day| day.to_string()));
        stated.into_iter().try_for_each(|text| writeln!(f, "balance   {text}"))?;
        let Some(header) = balance["balance_col_label"].as_str() else { return Ok(()) };
        writeln!(f, "balance   {header}, follows from the amounts in {} rows", balance["proofs"])?;
        let texts = self.balance.iter().flat_map(|balance| balance.texts(|day| day.to_string()));
        let own = self.own_balances.iter().filter_map(|own| own.text(|day| day.to_string()));
        texts.chain(own).try_for_each(|text| writeln!(f, "  {text}"))
    }

    fn write_rows(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "rows      {} valid, {} invalid",
            self.valid_rows_count, self.invalid_rows_count
        )?;
        for finding in &self.invalid_rows {
            writeln!(f, "  line {}: {}", finding.line, finding.reasons.join("; "))?;
        }
        for one in self.source["left_out_rows"].as_array().into_iter().flatten() {
            let reason = one["reason"].as_str().unwrap_or_default();
            writeln!(f, "  {} left out: {reason}", one["rows"])?;
        }
        for name in self.mappings.iter().filter(|name| name.create || name.problem.is_some()) {
            match &name.problem {
                Some(problem) => writeln!(f, "{:<9} {problem}", name.kind.as_str())?,
                None => writeln!(f, "{:<9} {} would be created", name.kind.as_str(), name.name)?,
            }
        }
        if let Some(counts) = &self.plan {
            write_plan(f, counts)?;
        }
        for shown in &self.examples {
            let reason = shown.reason(|date| date.to_string()).unwrap_or_default();
            writeln!(f, "  line {}: {reason}", shown.line)?;
        }
        Ok(())
    }
}

/// How many rows have each verdict, without those that none has.
fn write_plan(f: &mut fmt::Formatter<'_>, counts: &Counts) -> fmt::Result {
    let parts = [
        (counts.created(), "would be created"),
        (counts.possible_duplicate, "of them perhaps there already"),
        (counts.change, "would be changed"),
        (counts.matched(), "already there"),
        (counts.deleted_before, "deleted before"),
        (counts.left_out, "left out"),
        (counts.invalid, "invalid"),
        (counts.needs_choice, "need a choice"),
    ];
    let mut texts = Vec::new();
    for (position, (count, what)) in parts.into_iter().enumerate() {
        if count > 0 || position == 0 {
            texts.push(format!("{count} {what}"));
        }
    }
    writeln!(f, "plan      {}", texts.join(", "))
}
