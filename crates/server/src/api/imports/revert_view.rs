//! What an undo would do, as the interface and the command line show it.

use purser_app::imports::revert;
use purser_app::imports::{
    Kept, KeptFill, KeptRecord, OtherImport, Others, RecordSurvey, Removal, Survey,
};
use purser_core::ids::ImportId;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::money::Amount;

const CATEGORY: &str = "category";
/// The kinds that the answer has; those of others get a sentence for people.
const KINDS: [&str; 3] = [CATEGORY, "tag", "account"];
/// Members of a category that imports change, in the order in which they are listed.
const CHANGED_FIELDS: [&str; 4] = ["name", "color", "icon", "parent"];

/// The preview of an undo as an answer.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RevertPreviewAnswer)]
pub(crate) struct Preview {
    /// What it would do.
    pub(crate) data: RevertPreview,
}

/// What an undo would do.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RevertPreview {
    /// Which import.
    import_id: Uuid,
    pub(crate) transactions: RevertTransactions,
    fills: RevertFills,
    changes: RevertChanges,
    /// Categories that the import created.
    categories: RevertCreated,
    /// Tags that the import created.
    tags: RevertCreated,
    /// Accounts that the import created.
    accounts: RevertCreated,
    rows: RevertRows,
    other_imports: RevertOthers,
    /// For people who read it in a terminal.
    #[serde(skip)]
    pub(crate) notes: Vec<String>,
}

/// What becomes of what a person said to single rows.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RevertRows {
    /// Rows with the choice `create` that have the choice `plan` afterwards. All of them, if any
    /// transaction was changed or deleted since, so that publishing again recognises what stayed
    /// and what was deleted; otherwise none. Corrected cells stay.
    #[schema(minimum = 0)]
    choices_reset_count: u64,
}

/// Transactions that go although they also stand for rows of other published imports. Those rows
/// were matched with them and created nothing, so the other imports don't bring them back. With a
/// key that is restricted to accounts, only imports into them are looked at.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RevertOthers {
    /// How many transactions; if `is_exact` is false, there may be more.
    #[schema(minimum = 0)]
    transactions_count_at_least: u64,
    /// How many imports have such rows; if `is_exact` is false, there may be more.
    #[schema(minimum = 0)]
    imports_count_at_least: u64,
    /// Whether the counts are exact. At most 1,000 imports that were published later are looked at,
    /// in them at most 256 blocks of 4,096 rows, and at most 65,536 rows that stand for the
    /// transactions; beyond that the counts are lower bounds.
    is_exact: bool,
    /// The first of the imports.
    #[schema(max_items = 5)]
    imports: Vec<RevertOther>,
}

/// A published import with rows that stand for transactions that go.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RevertOther {
    id: Uuid,
    /// The name of its file.
    name: Option<String>,
    /// How many of the transactions; if `is_exact` is false, there may be more.
    #[schema(minimum = 0)]
    transactions_count_at_least: u64,
}

/// What becomes of the transactions that the import created.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RevertTransactions {
    /// How many go.
    #[schema(minimum = 0)]
    pub(crate) removed_count: u64,
    /// How many stay, because they were changed since.
    #[schema(minimum = 0)]
    pub(crate) kept_count: u64,
    /// How many were deleted since; they stay deleted.
    #[schema(minimum = 0)]
    deleted_count: u64,
    /// The first of those that stay.
    #[schema(max_items = 20)]
    pub(crate) kept: Vec<KeptTransaction>,
}

/// A transaction that stays.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct KeptTransaction {
    id: Uuid,
    /// In which account.
    account_id: Uuid,
    /// Which day, by now.
    #[schema(format = Date, example = "2026-01-15")]
    pub(crate) date: String,
    /// As it is called by now.
    pub(crate) name: String,
    /// The amount by now, formatted; positive for money out.
    #[schema(example = "$12.50")]
    pub(crate) amount: String,
    /// The amount by now, exact; positive for money out.
    #[schema(example = "12.50")]
    amount_decimal: String,
    /// Of the amount.
    #[schema(example = "USD")]
    currency: &'static str,
    /// Why it stays.
    #[schema(example = "Its name was changed since the import")]
    pub(crate) reason: String,
}

/// What becomes of fields of other transactions that the import filled.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RevertFills {
    /// Transactions of which fields are empty again.
    #[schema(minimum = 0)]
    pub(crate) taken_back_count: u64,
    /// Transactions of which fields stay, because they have another value by now.
    #[schema(minimum = 0)]
    pub(crate) kept_count: u64,
    /// The first of those.
    #[schema(max_items = 20)]
    kept: Vec<KeptFields>,
}

/// A transaction of which fields stay.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct KeptFields {
    id: Uuid,
    /// As it is called now.
    name: String,
    /// `category`, `notes`, `tags`, `external_id`.
    fields: Vec<&'static str>,
}

/// What becomes of categories that the import changed.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RevertChanges {
    /// Categories that get their earlier values back.
    #[schema(minimum = 0)]
    pub(crate) restored_count: u64,
    /// Categories of which fields stay: they were changed since, or the earlier place is taken.
    kept: Vec<KeptChange>,
}

/// A category of which fields stay.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct KeptChange {
    id: Uuid,
    /// As it is called now.
    name: String,
    /// `parent`, `color`, `icon`.
    fields: Vec<String>,
}

impl RevertChanges {
    fn is_empty(&self) -> bool {
        self.restored_count == 0 && self.kept.is_empty()
    }

    fn of(records: RecordSurvey) -> Self {
        let is_category = |kind: &str| kind == CATEGORY;
        let restored = records.restored.iter().filter(|one| is_category(one.kind)).count();
        let kept = records.kept.into_iter().filter(|one| is_category(one.kind));
        Self { restored_count: restored as u64, kept: kept.map(Into::into).collect() }
    }
}

impl From<KeptRecord> for KeptChange {
    fn from(kept: KeptRecord) -> Self {
        let KeptRecord { id, name, fields, .. } = kept;
        // People know the parent by its name.
        let shown = |field: String| field.trim_end_matches("_id").to_owned();
        let mut fields: Vec<String> = fields.into_iter().map(shown).collect();
        fields.sort_by_key(|field| CHANGED_FIELDS.iter().position(|known| known == field));
        Self { id, name, fields }
    }
}

/// What becomes of things of one kind that the import created.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RevertCreated {
    /// They go.
    pub(crate) removed: Vec<RemovedThing>,
    /// They stay.
    pub(crate) kept: Vec<KeptThing>,
}

/// Something that goes.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RemovedThing {
    id: Uuid,
    pub(crate) name: String,
}

/// Something that stays.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct KeptThing {
    id: Uuid,
    pub(crate) name: String,
    /// Why.
    #[schema(example = "transactions have it")]
    pub(crate) reason: &'static str,
}

impl RevertPreview {
    /// Of the preview.
    pub(crate) fn of(import: ImportId, preview: revert::Preview) -> Self {
        let mut notes = preview.notes();
        let revert::Preview { survey, others } = preview;
        let [categories, tags, accounts] = KINDS.map(|kind| RevertCreated::of(&survey, kind));
        let is_other = |kind: &str| !KINDS.contains(&kind);
        notes.extend(revert::record_sentences(&survey, is_other, |_, name| name.to_owned()));
        let Survey { removed, kept, kept_first, deleted, fills, choices_reset, records, .. } =
            survey;
        Self {
            import_id: import.0,
            transactions: RevertTransactions {
                removed_count: removed,
                kept_count: kept,
                deleted_count: deleted,
                kept: kept_first.into_iter().map(Into::into).collect(),
            },
            fills: RevertFills {
                taken_back_count: fills.taken_back,
                kept_count: fills.kept,
                kept: fills.kept_first.into_iter().map(Into::into).collect(),
            },
            changes: RevertChanges::of(records),
            categories,
            tags,
            accounts,
            rows: RevertRows { choices_reset_count: choices_reset },
            other_imports: others.into(),
            notes,
        }
    }

    /// The sentences for people who read it in a terminal.
    pub(crate) fn lines(&self) -> Vec<String> {
        let Self { transactions, fills, changes, .. } = self;
        let mut lines = Vec::new();
        if transactions.removed_count > 0 || changes.is_empty() {
            lines.push(format!("{} transactions go", transactions.removed_count));
        }
        if transactions.deleted_count > 0 {
            lines.push(format!("{} were deleted before and stay so", transactions.deleted_count));
        }
        if transactions.kept_count > 0 {
            lines.push(format!("{} transactions stay:", transactions.kept_count));
        }
        lines.extend(
            transactions.kept.iter().map(|kept| {
                format!("  {} {} {}: {}", kept.date, kept.amount, kept.name, kept.reason)
            }),
        );
        if fills.taken_back_count > 0 {
            let count = fills.taken_back_count;
            lines.push(format!("{count} transactions lose what the import filled in"));
        }
        if fills.kept_count > 0 {
            let count = fills.kept_count;
            lines.push(format!("{count} keep it, because it was changed since"));
        }
        if changes.restored_count > 0 {
            let count = changes.restored_count;
            lines.push(format!("{count} categories get their earlier values back"));
        }
        lines.extend(changes.kept.iter().map(|kept| {
            format!("the category {} keeps its {}", kept.name, kept.fields.join(", "))
        }));
        for (nouns, created) in
            [("categories", &self.categories), ("tags", &self.tags), ("accounts", &self.accounts)]
        {
            if !created.removed.is_empty() {
                let names: Vec<&str> =
                    created.removed.iter().map(|thing| thing.name.as_str()).collect();
                lines.push(format!("{nouns} that go: {}", names.join(", ")));
            }
            lines.extend(
                created
                    .kept
                    .iter()
                    .map(|kept| format!("{nouns}: {} stays: {}", kept.name, kept.reason)),
            );
        }
        lines.extend(self.notes.iter().cloned());
        lines
    }
}

impl From<Others> for RevertOthers {
    fn from(others: Others) -> Self {
        Self {
            transactions_count_at_least: others.entries,
            imports_count_at_least: others.imports,
            is_exact: others.is_exact,
            imports: others.named.into_iter().map(Into::into).collect(),
        }
    }
}

impl From<OtherImport> for RevertOther {
    fn from(other: OtherImport) -> Self {
        let OtherImport { id, name, entries } = other;
        Self { id: id.0, name, transactions_count_at_least: entries }
    }
}

impl RevertCreated {
    fn of(survey: &Survey, kind: &str) -> Self {
        let (mut removed, mut kept) = (Vec::new(), Vec::new());
        for one in survey.created().filter(|one| one.kind == kind) {
            let (id, name) = (one.id, one.name.clone());
            match one.removal {
                Removal::Goes => removed.push(RemovedThing { id, name }),
                Removal::Stays(reason) => kept.push(KeptThing { id, name, reason }),
            }
        }
        Self { removed, kept }
    }
}

impl From<Kept> for KeptTransaction {
    fn from(kept: Kept) -> Self {
        let amount = Amount::new(kept.amount, kept.currency);
        Self {
            id: kept.entry.0,
            account_id: kept.account.0,
            date: kept.date.to_string(),
            name: kept.name,
            amount: amount.text,
            amount_decimal: amount.decimal,
            currency: kept.currency.code(),
            reason: revert::why_kept(&kept.changed),
        }
    }
}

impl From<KeptFill> for KeptFields {
    fn from(kept: KeptFill) -> Self {
        Self { id: kept.entry.0, name: kept.name, fields: kept.fields }
    }
}
