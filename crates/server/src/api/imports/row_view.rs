//! Rows of an import as the interface shows them.

use std::collections::BTreeMap;

use purser_app::imports::row_content::{Content, Named, ShownRow};
use purser_core::import::row_edit::RowChoice;
use purser_core::money::decimal::amount_text;
use purser_core::money::format::money_text;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::named::{RowChoiceName, VerdictName};

/// A row of an import.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ImportRow {
    /// 1-based over the rows; blank lines and totals have no number.
    row_number: u64,
    /// 1-based over the lines of the file.
    line: u64,
    /// Whether it can be imported as it is.
    valid: bool,
    /// Every reason why not.
    errors: Vec<String>,
    /// What the row says; null if it is not valid.
    fields: Option<ImportRowFields>,
    /// What its names stand for; null if it is not valid.
    mappings: Option<ImportRowMappings>,
    /// What is to become of it, or became of it. Null while there is no plan.
    #[schema(example = "matched_by_id")]
    verdict: Option<VerdictName>,
    /// Why, as a sentence; null for an ordinary new transaction.
    #[schema(example = "It matches the transaction \"Rent\" of 2024-03-01 by the bank's id")]
    reason: Option<String>,
    /// The transaction that the verdict refers to, which may be deleted by now.
    entry_id: Option<Uuid>,
    /// What the verdict refers to, whatever the rows are: a transaction, or a category.
    record_id: Option<Uuid>,
    /// The texts as they stand in the file, by header; by the number of the column, counted from 1,
    /// where the header says nothing or the same twice.
    #[schema(example = json!({ "Date": "2024-03-01", "Amount": "-12,50" }))]
    cells: BTreeMap<String, String>,
    /// Texts that a person put in their place.
    corrected_cells: BTreeMap<String, String>,
    /// What a person chose to become of it; `plan` if nobody did.
    choice: RowChoiceName,
    /// Whether a person corrected it or chose for it.
    edited: bool,
}

/// The fields of a row.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
enum ImportRowFields {
    Transaction(ImportedTransaction),
    Category(ImportedCategory),
}

/// The fields of a row of categories.
#[derive(Debug, Serialize, ToSchema)]
struct ImportedCategory {
    /// Of its own level.
    name: Option<String>,
    /// The name of the category above.
    parent: Option<String>,
    color: Option<String>,
    icon: Option<String>,
}

/// The fields of a row of transactions.
#[derive(Debug, Serialize, ToSchema)]
struct ImportedTransaction {
    #[schema(format = Date)]
    date: String,
    /// Positive = money out, as of transactions.
    #[schema(example = "$12.50")]
    amount: String,
    /// The same, exact.
    #[schema(example = "12.50")]
    amount_decimal: String,
    currency: &'static str,
    name: String,
    notes: Option<String>,
    /// The bank's own id.
    external_id: Option<String>,
    account: Option<String>,
    category: Option<String>,
    tags: Vec<String>,
}

/// What the names of a row stand for.
#[derive(Debug, Serialize, ToSchema)]
struct ImportRowMappings {
    account: Option<ImportRowMapping>,
    category: Option<ImportRowMapping>,
    tags: Vec<ImportRowMapping>,
    /// Of a category: the one above, if it is not in the file.
    parent: Option<ImportRowMapping>,
}

/// What a name stands for.
#[derive(Debug, Serialize, ToSchema)]
struct ImportRowMapping {
    /// As the file says it.
    key: String,
    /// What exists, or was created.
    id: Option<Uuid>,
    /// Will be created by the publish.
    create: bool,
    /// Why a person must choose.
    problem: Option<String>,
}

impl From<ShownRow> for ImportRow {
    fn from(shown: ShownRow) -> Self {
        let reason = shown.reason(|date| date.to_string());
        let entry_id = shown.entry().map(|entry| entry.0);
        let (content, errors) = match shown.outcome {
            Ok(content) => (Some(content), Vec::new()),
            Err(errors) => (None, errors),
        };
        Self {
            row_number: shown.row,
            line: shown.line,
            valid: content.is_some(),
            errors,
            verdict: shown.verdict.map(Into::into),
            reason,
            entry_id,
            record_id: shown.record,
            edited: !shown.corrected.is_empty() || shown.choice != RowChoice::Plan,
            cells: shown.cells.into_iter().collect(),
            corrected_cells: shown.corrected.into_iter().collect(),
            choice: shown.choice.into(),
            mappings: content.as_ref().map(ImportRowMappings::of),
            fields: content.map(ImportRowFields::from),
        }
    }
}

impl From<Content> for ImportRowFields {
    fn from(content: Content) -> Self {
        let content = match content {
            Content::Transaction(content) => *content,
            Content::Plain(content) => {
                let field = |name: &str| content.field(name).map(str::to_owned);
                return Self::Category(ImportedCategory {
                    name: field("name"),
                    parent: field("parent"),
                    color: field("color"),
                    icon: field("icon"),
                });
            }
        };
        Self::Transaction(ImportedTransaction {
            date: content.date.to_string(),
            amount: money_text(content.amount),
            amount_decimal: amount_text(content.amount.amount, content.amount.currency),
            currency: content.amount.currency.code(),
            name: content.name,
            notes: content.notes,
            external_id: content.external_id,
            account: content.account.map(|named| named.name),
            category: content.category.map(|named| named.name),
            tags: content.tags.into_iter().map(|named| named.name).collect(),
        })
    }
}

impl ImportRowMappings {
    fn of(content: &Content) -> Self {
        let content = match content {
            Content::Transaction(content) => content,
            Content::Plain(content) => {
                let parent = content.parent.as_ref().map(ImportRowMapping::of);
                return Self { account: None, category: None, tags: Vec::new(), parent };
            }
        };
        Self {
            account: content.account.as_ref().map(ImportRowMapping::of),
            category: content.category.as_ref().map(ImportRowMapping::of),
            tags: content.tags.iter().map(ImportRowMapping::of).collect(),
            parent: None,
        }
    }
}

impl ImportRowMapping {
    fn of(named: &Named) -> Self {
        let mapping = named.mapping.as_ref();
        Self {
            key: named.name.clone(),
            id: mapping.and_then(|mapping| mapping.target),
            create: mapping.is_some_and(|mapping| mapping.creates && mapping.target.is_none()),
            problem: mapping.and_then(|mapping| mapping.problem.clone()),
        }
    }
}
