//! What an undo would do, as the API and the command line show it.

use purser_app::imports::revert;
use purser_app::imports::{
    KeptEntry, KeptFill, KeptRecord, OtherImport, OtherImports, RecordSurvey, Removal, Survey,
};
use purser_core::ids::ImportId;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::money::Amount;

/// The kinds that the answer has; those of others get a sentence for people.
const KINDS: [&str; 5] = ["category", "tag", "merchant", "rule", "account"];
/// Members of records that imports change, in the order in which they are listed.
const CHANGED_FIELDS: [&str; 5] = ["name", "color", "icon", "website", "parent"];

/// The preview of an undo, below `data`.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RevertPreviewAnswer)]
pub(crate) struct Preview {
    /// What the undo would do.
    pub(crate) data: RevertPreview,
}

/// What the undo of an import would do.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RevertPreview {
    /// The id of the import.
    import_id: Uuid,
    /// The transactions that the import created.
    pub(crate) transactions: RevertTransactions,
    /// The fields of other transactions that the import filled.
    fills: RevertFills,
    /// The records that the import changed: categories, merchants and rules.
    changes: RevertChanges,
    /// The categories that the import created.
    categories: RevertCreated,
    /// The tags that the import created.
    tags: RevertCreated,
    /// The merchants that the import created.
    merchants: RevertCreated,
    /// The rules that the import created.
    rules: RevertCreated,
    /// The accounts that the import created.
    accounts: RevertCreated,
    /// The choices that people made for single rows.
    rows: RevertRows,
    /// The other published imports with rows that stand for transactions that are removed.
    other_imports: RevertOthers,
    /// The sentences for people who read the preview in a terminal.
    #[serde(skip)]
    pub(crate) notes: Vec<String>,
}

/// What becomes of the choices that people made for single rows.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RevertRows {
    /// The number of rows with the choice `create` that get the choice `plan`. It is all of them if
    /// any transaction was changed or deleted since, so that publishing again recognises what
    /// stayed and what was deleted; otherwise it is zero. Corrected cells stay.
    #[schema(minimum = 0)]
    choices_reset_count: u64,
}

/// Transactions that are removed although they also stand for rows of other published imports.
/// Those rows were matched with them and created nothing, so the other imports don't bring them
/// back. For a key that is restricted to accounts, only imports into these accounts are counted.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RevertOthers {
    /// The number of transactions. If `is_exact` is false, there may be more.
    #[schema(minimum = 0)]
    transactions_count_at_least: u64,
    /// The number of imports with such rows. If `is_exact` is false, there may be more.
    #[schema(minimum = 0)]
    imports_count_at_least: u64,
    /// Whether the counts are exact. At most 1,000 imports that were published later are looked at,
    /// in them at most 256 blocks of 4,096 rows, and at most 65,536 rows that stand for the
    /// transactions; beyond that the counts are lower bounds.
    is_exact: bool,
    /// The first of the imports, 5 at most.
    #[schema(max_items = 5)]
    imports: Vec<RevertOther>,
}

/// A published import with rows that stand for transactions that are removed.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RevertOther {
    /// The id of the import.
    id: Uuid,
    /// The name of its file; null if it has none.
    #[schema(required)]
    name: Option<String>,
    /// The number of the transactions. If `is_exact` is false, there may be more.
    #[schema(minimum = 0)]
    transactions_count_at_least: u64,
}

/// What becomes of the transactions that the import created.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RevertTransactions {
    /// The number of transactions that are removed.
    #[schema(minimum = 0)]
    pub(crate) removed_count: u64,
    /// The number of transactions that stay because they were changed since.
    #[schema(minimum = 0)]
    pub(crate) kept_count: u64,
    /// The number of transactions that were deleted since, and stay deleted.
    #[schema(minimum = 0)]
    deleted_count: u64,
    /// The first of the transactions that stay, 20 at most.
    #[schema(max_items = 20)]
    pub(crate) kept: Vec<KeptTransaction>,
}

/// A transaction that stays although the import is undone.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct KeptTransaction {
    /// The id of the transaction.
    id: Uuid,
    /// The id of its account.
    account_id: Uuid,
    /// The present day of the transaction.
    #[schema(format = Date, example = "2026-01-15")]
    pub(crate) date: String,
    /// The present name of the transaction.
    pub(crate) name: String,
    /// The present amount, formatted; positive for money out.
    #[schema(example = "$12.50")]
    pub(crate) amount: String,
    /// The exact present amount; positive for money out.
    #[schema(example = "12.50")]
    amount_decimal: String,
    /// The code of the amount's currency.
    #[schema(example = "USD")]
    currency: &'static str,
    /// The reason why it stays.
    #[schema(example = "Its name was changed since the import")]
    pub(crate) reason: String,
}

/// What becomes of the fields of other transactions that the import filled.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RevertFills {
    /// The number of transactions with fields that are emptied again.
    #[schema(minimum = 0)]
    pub(crate) taken_back_count: u64,
    /// The number of transactions with fields that stay because they have another value now.
    #[schema(minimum = 0)]
    pub(crate) kept_count: u64,
    /// The first of the transactions with fields that stay, 20 at most.
    #[schema(max_items = 20)]
    kept: Vec<KeptFields>,
}

/// A transaction with fields that stay.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct KeptFields {
    /// The id of the transaction.
    id: Uuid,
    /// The present name of the transaction.
    name: String,
    /// The fields that stay: `category`, `notes`, `tags` or `external_id`.
    fields: Vec<&'static str>,
}

/// What becomes of the records that the import changed.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RevertChanges {
    /// The number of records that get their earlier values back.
    #[schema(minimum = 0)]
    pub(crate) restored_count: u64,
    /// The records with fields that stay, because they were changed since, or because another
    /// record has the earlier name in that place.
    kept: Vec<KeptChange>,
}

/// A record with fields that stay.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct KeptChange {
    /// The kind of the record, such as `category`.
    #[schema(example = "category")]
    kind: &'static str,
    /// The id of the record.
    id: Uuid,
    /// The present name of the record.
    name: String,
    /// The fields that stay, such as `parent` or `color`.
    fields: Vec<String>,
}

impl RevertChanges {
    fn is_empty(&self) -> bool {
        self.restored_count == 0 && self.kept.is_empty()
    }

    fn of(records: RecordSurvey) -> Self {
        let is_shown = |kind: &str| KINDS.contains(&kind);
        let restored = records.restored.iter().filter(|one| is_shown(one.kind)).count();
        let kept = records.kept.into_iter().filter(|one| is_shown(one.kind));
        Self { restored_count: restored as u64, kept: kept.map(Into::into).collect() }
    }
}

impl From<KeptRecord> for KeptChange {
    fn from(kept: KeptRecord) -> Self {
        let KeptRecord { kind, id, name, fields, .. } = kept;
        // People know the parent by its name.
        let shown = |field: String| field.trim_end_matches("_id").to_owned();
        let mut fields: Vec<String> = fields.into_iter().map(shown).collect();
        fields.sort_by_key(|field| CHANGED_FIELDS.iter().position(|known| known == field));
        Self { kind, id, name, fields }
    }
}

/// What becomes of things of one kind that the import created.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RevertCreated {
    /// The things that are removed.
    pub(crate) removed: Vec<RemovedThing>,
    /// The things that stay, with the reasons.
    pub(crate) kept: Vec<KeptThing>,
}

/// A record that is removed, such as a category or an account.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RemovedThing {
    /// The id of the thing that is removed.
    id: Uuid,
    /// The name that people see.
    pub(crate) name: String,
}

/// A record that stays, such as a category or an account.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct KeptThing {
    /// The id of the thing that stays.
    id: Uuid,
    /// The name that people see.
    pub(crate) name: String,
    /// The reason why it stays.
    #[schema(example = "transactions have it")]
    pub(crate) reason: &'static str,
}

impl RevertPreview {
    /// The preview of the undo of this import.
    pub(crate) fn of(import: ImportId, preview: revert::Preview) -> Self {
        let mut notes = preview.notes();
        let revert::Preview { survey, others } = preview;
        let [categories, tags, merchants, rules, accounts] =
            KINDS.map(|kind| RevertCreated::of(&survey, kind));
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
            merchants,
            rules,
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
            lines.push(format!("{count} records get their earlier values back"));
        }
        lines.extend(changes.kept.iter().map(|kept| {
            format!("the {} {} keeps its {}", kept.kind, kept.name, kept.fields.join(", "))
        }));
        for (nouns, created) in [
            ("categories", &self.categories),
            ("tags", &self.tags),
            ("merchants", &self.merchants),
            ("rules", &self.rules),
            ("accounts", &self.accounts),
        ] {
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

impl From<OtherImports> for RevertOthers {
    fn from(others: OtherImports) -> Self {
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

impl From<KeptEntry> for KeptTransaction {
    fn from(kept: KeptEntry) -> Self {
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
