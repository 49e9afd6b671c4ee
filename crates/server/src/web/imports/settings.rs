//! The settings of an import as choices: what was found, what a person set instead.
//!
//! The first choice of each is always "as found", and sends nothing. So a page that is sent back
//! unchanged changes nothing.

mod formats;

use std::collections::BTreeMap;

use formats::{balance_check, debt_sign, division, formats, sheet, strategy, total_meaning};
use purser_app::imports::Import;
use purser_core::error::{Error, Result};
use purser_core::import::kinds::Kind;
use purser_core::import::layout::{AmountSource, Layout};
use purser_core::import::layout_problem::LayoutProblem;
use purser_core::import::settings::{NO_COLUMN, Settings};

use super::questions::QuestionView;
use super::sentences::{column_name, of_layout};
use super::shortened;
use crate::web::form::Form;
use crate::web::view::Choice;

/// How much of a cell is shown.
const EXAMPLE_CHARS_MAX: usize = 24;
/// Cells of a column that are shown beside its name.
const EXAMPLES_MAX: usize = 2;

/// The text of a required setting without a value.
const NOT_KNOWN: &str = "choose…";

/// Columns without which a file can't be read.
const REQUIRED: [&str; 2] = ["date_col_label", "amount_col_label"];

/// What is at the top of the page.
pub(super) const COLUMNS: [(&str, &str); 7] = [
    ("date_col_label", "Date"),
    ("amount_col_label", "Amount"),
    ("name_col_label", "Name"),
    ("category_col_label", "Category"),
    ("tags_col_label", "Tags"),
    ("notes_col_label", "Notes"),
    ("account_col_label", "Account"),
];

/// What few files need.
pub(super) const MORE_COLUMNS: [(&str, &str); 6] = [
    ("debit_col_label", "Money out"),
    ("credit_col_label", "Money in"),
    ("currency_col_label", "Currency"),
    ("balance_col_label", "Balance"),
    ("fee_col_label", "Fees and taxes beside the amount"),
    ("entity_type_col_label", "In or out"),
];

/// A setting of the import, as a field of the form.
pub(super) struct Field {
    /// As the form sends it.
    pub(super) name: &'static str,
    /// As people call it.
    pub(super) label: &'static str,
    /// What it can be; the first is what was found.
    pub(super) choices: Vec<Choice>,
    /// What is set; nothing is what was found.
    pub(super) value: String,
    /// Nothing was detected and nothing is set, so a person must choose.
    pub(super) is_open: bool,
    /// Why the file can't be read before it is set.
    pub(super) problems: Vec<String>,
    /// A question above is about it.
    pub(super) is_asked: bool,
}

/// The settings of an import, by part of the page.
pub(super) struct Fields {
    /// Which column holds what.
    pub(super) columns: Vec<Field>,
    /// How dates and amounts are written.
    pub(super) formats: Vec<Field>,
    /// What few files need.
    pub(super) more: Vec<Field>,
    /// The value that marks money in.
    pub(super) inflow_value: String,
    /// Which rows are taken.
    pub(super) row_filter: String,
    /// Why the file can't be read before somebody decides which rows are taken.
    pub(super) row_filter_problems: Vec<String>,
    /// A program wrote the file: where everything stands in it is known.
    pub(super) is_fixed: bool,
    /// Lines before the header.
    pub(super) rows_to_skip: String,
    /// Why the file can't be read with so many lines before the header.
    pub(super) rows_to_skip_problems: Vec<String>,
}

impl Fields {
    /// The fields for an import; `sample` are its first records.
    pub(super) fn of(import: &Import, layout: &Layout, sample: &[Vec<String>]) -> Result<Self> {
        let settings: Settings = serde_json::from_str(&import.settings).map_err(Error::internal)?;
        let set = settings.fields();
        let found = found(layout);
        let headers = headers(layout, sample);
        let has_fixed_columns = layout.kind.program().is_some() || layout.kind == Kind::Pdf;
        if !layout.kind.has_transactions() || has_fixed_columns {
            return Ok(Self::plain(layout, &headers, &set, &found));
        }
        let column = |(name, label): (&'static str, &'static str)| {
            let otherwise = if REQUIRED.contains(&name) { NOT_KNOWN } else { "none" };
            let mut choices = vec![as_found(found.get(name).cloned(), otherwise)];
            choices.extend(headers.iter().cloned());
            if matches!(name, "currency_col_label" | "fee_col_label") {
                choices.push(Choice::new(NO_COLUMN, "no column"));
            }
            field(name, label, choices, &set)
        };
        Ok(Self {
            columns: sheet(layout, &set).into_iter().chain(COLUMNS.map(column)).collect(),
            formats: formats(layout, &set),
            is_fixed: false,
            more: MORE_COLUMNS
                .into_iter()
                .map(column)
                .chain(division(layout, &set))
                .chain([strategy(layout, &set), balance_check(&set)])
                .collect(),
            inflow_value: set.get("amount_type_inflow_value").cloned().unwrap_or_default(),
            row_filter: set.get("row_filter").cloned().unwrap_or_default(),
            row_filter_problems: Vec::new(),
            rows_to_skip: set.get("rows_to_skip").cloned().unwrap_or_default(),
            rows_to_skip_problems: Vec::new(),
        })
    }

    /// The fields for a kind with plain columns: these, and how the file is divided.
    fn plain(
        layout: &Layout,
        headers: &[Choice],
        set: &BTreeMap<&'static str, String>,
        found: &BTreeMap<&'static str, String>,
    ) -> Self {
        let columns = layout.kind.spec().columns.iter().map(|column| {
            let otherwise = if column.is_required { NOT_KNOWN } else { "none" };
            let mut choices = vec![as_found(found.get(column.setting).cloned(), otherwise)];
            choices.extend(headers.iter().cloned());
            field(column.setting, column.label, choices, set)
        });
        let spec = layout.kind.spec();
        let mut formats = formats(layout, set);
        formats.push(debt_sign(set));
        formats.push(total_meaning(layout, set));
        formats.push(balance_check(set));
        formats.retain(|field| spec.settings.contains(&field.name));
        let is_fixed = layout.kind.program().is_some();
        let more = match is_fixed {
            true => Vec::new(),
            false => division(layout, set),
        };
        Self {
            columns: sheet(layout, set).into_iter().chain(columns).collect(),
            formats,
            is_fixed,
            more,
            inflow_value: String::new(),
            row_filter: set.get("row_filter").cloned().unwrap_or_default(),
            row_filter_problems: Vec::new(),
            rows_to_skip: set.get("rows_to_skip").cloned().unwrap_or_default(),
            rows_to_skip_problems: Vec::new(),
        }
    }

    /// Sets what was typed instead of what is stored.
    pub(super) fn overlay(&mut self, typed: &Form) {
        let fields = self.columns.iter_mut().chain(&mut self.formats).chain(&mut self.more);
        for field in fields.filter(|field| typed.is_on(field.name)) {
            let value = typed.text(field.name);
            if field.choices.iter().any(|choice| choice.value == value) {
                value.clone_into(&mut field.value);
            }
        }
        for (name, text) in [
            ("amount_type_inflow_value", &mut self.inflow_value),
            ("row_filter", &mut self.row_filter),
            ("rows_to_skip", &mut self.rows_to_skip),
        ] {
            if typed.is_on(name) {
                typed.text(name).clone_into(text);
            }
        }
    }

    /// Puts each problem at the control that solves it, and returns those without one. The control
    /// of a setting that is asked for refers to the question, which has the problem.
    pub(super) fn place(
        &mut self,
        problems: &[LayoutProblem],
        questions: &[QuestionView],
    ) -> Vec<String> {
        let mut others = Vec::new();
        for problem in problems {
            let sentence = of_layout(problem);
            if questions.iter().any(|question| question.sentence == sentence) {
                self.refer_to_question(problem.setting());
                continue;
            }
            let at_control = problem.setting().and_then(|setting| self.problems_at(setting));
            at_control.unwrap_or(&mut others).push(sentence);
        }
        others
    }

    fn problems_at(&mut self, setting: &str) -> Option<&mut Vec<String>> {
        if setting == "row_filter" {
            return Some(&mut self.row_filter_problems);
        }
        if setting == "rows_to_skip" {
            return Some(&mut self.rows_to_skip_problems);
        }
        self.field_mut(setting).map(|field| &mut field.problems)
    }

    fn refer_to_question(&mut self, setting: Option<&str>) {
        if let Some(field) = setting.and_then(|setting| self.field_mut(setting)) {
            field.is_asked = true;
        }
    }

    fn field_mut(&mut self, setting: &str) -> Option<&mut Field> {
        let mut fields = self.columns.iter_mut().chain(&mut self.formats).chain(&mut self.more);
        fields.find(|field| field.name == setting)
    }

    /// Something is wrong with a setting that few files need.
    pub(super) fn has_problem_in_more(&self) -> bool {
        let mut problems = self.more.iter().map(|field| &field.problems);
        !self.rows_to_skip_problems.is_empty()
            || !self.row_filter_problems.is_empty()
            || problems.any(|list| !list.is_empty())
    }
}

/// The headers of columns that were found and not set.
fn found(layout: &Layout) -> BTreeMap<&'static str, String> {
    let spec = layout.kind.spec();
    if !layout.kind.has_transactions() {
        let found = spec.columns.iter().filter_map(|column| {
            let place = layout.fields.get(column.field)?;
            Some((column.setting, column_name(&layout.header(*place))))
        });
        return found.collect();
    }
    let columns = &layout.columns;
    let name = |column: usize| column_name(&layout.header(column));
    let label = |column: Option<usize>| column.map(name);
    let amount = match &layout.amount {
        Some(AmountSource::DebitCredit { debit, credit }) => {
            Some(format!("{} and {}", name(*debit), name(*credit)))
        }
        Some(AmountSource::Signed { column } | AmountSource::ByBalance { column }) => {
            label(Some(*column))
        }
        Some(AmountSource::Directed { amount, .. }) => label(Some(*amount)),
        None => None,
    };
    let names: Vec<String> = columns.names.iter().map(|column| name(*column)).collect();
    let fees: Vec<String> = columns.fees().map(name).collect();
    let pair = match &layout.amount {
        Some(AmountSource::DebitCredit { debit, credit }) => [Some(*debit), Some(*credit)],
        _ => [None, None],
    };
    let direction = match &layout.amount {
        Some(AmountSource::Directed { direction, .. }) => label(Some(*direction)),
        _ => None,
    };
    [
        ("date_col_label", label(columns.date)),
        ("amount_col_label", amount),
        ("debit_col_label", label(pair[0])),
        ("credit_col_label", label(pair[1])),
        ("name_col_label", (!names.is_empty()).then(|| names.join(", then "))),
        ("category_col_label", label(columns.category)),
        ("tags_col_label", label(columns.tags)),
        ("notes_col_label", label(columns.notes)),
        ("account_col_label", label(columns.account)),
        ("currency_col_label", label(columns.currency)),
        (
            "balance_col_label",
            label(layout.balance.as_ref().map(|balance| balance.column).or(columns.balance)),
        ),
        ("fee_col_label", (!fees.is_empty()).then(|| fees.join(" | "))),
        ("entity_type_col_label", direction),
    ]
    .into_iter()
    .filter_map(|(name, header)| Some((name, header?)))
    .collect()
}

/// Each column with the first different cells in it, so that nobody has to remember the file. One
/// without a header of its own is named by its place.
fn headers(layout: &Layout, sample: &[Vec<String>]) -> Vec<Choice> {
    let choice = |column: usize| {
        let label = layout.header(column);
        let mut examples: Vec<String> = Vec::new();
        for cell in sample.iter().filter_map(|record| record.get(column)) {
            let cell = shortened(cell.trim(), EXAMPLE_CHARS_MAX);
            if !cell.is_empty() && !examples.contains(&cell) && examples.len() < EXAMPLES_MAX {
                examples.push(cell);
            }
        }
        let parts = [vec![column_name(&label)], examples].concat();
        Choice::new(label, parts.join(" · "))
    };
    (0..layout.headers.len()).map(choice).collect()
}

fn as_found(what: Option<String>, otherwise: &str) -> Choice {
    Choice::new("", what.map_or_else(|| otherwise.to_owned(), |what| format!("Found: {what}")))
}

fn field(
    name: &'static str,
    label: &'static str,
    mut choices: Vec<Choice>,
    set: &BTreeMap<&'static str, String>,
) -> Field {
    let value = set.get(name).cloned().unwrap_or_default();
    match choices.iter_mut().find(|choice| choice.value == value) {
        Some(_) if value.is_empty() => {}
        // What is in effect because it was set isn't what would be found.
        Some(_) => {
            if let Some(first) = choices.first_mut() {
                "as found".clone_into(&mut first.label);
            }
        }
        None => choices.push(Choice::new(value.clone(), value.clone())),
    }
    let is_open = value.is_empty() && choices.first().is_some_and(|one| one.label == NOT_KNOWN);
    Field { name, label, choices, value, is_open, problems: Vec::new(), is_asked: false }
}
