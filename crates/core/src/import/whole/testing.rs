//! A small file of any kind of which the rows are planned together, for tests.

use std::collections::HashMap;

use uuid::Uuid;

use super::{FamilyRecords, NameTargets, WholePlan};
use crate::import::cells::CellsBuf;
use crate::import::dispatch::{Interpreter, Row};
use crate::import::kind::{Context, Interpreted, RowSet};
use crate::import::kinds::Kind;
use crate::import::layout::{Layout, Preface};
use crate::import::layout_problem::LayoutProblem;
use crate::import::mapping::MappingKind;
use crate::import::row_edit::RowChoice;
use crate::import::scratch::Scratch;
use crate::import::settings::{Separator, Settings};
use crate::money::Currency;
use crate::plan::Target;

/// Nothing is mapped to anything.
pub(in crate::import) struct NoNames;

impl NameTargets for NoNames {
    fn target(&self, _kind: MappingKind, _name: &str) -> Option<Target> {
        None
    }

    fn problem(&self, _kind: MappingKind, _name: &str) -> Option<String> {
        None
    }
}

/// The id with a number.
pub(in crate::import) fn id(number: u128) -> Uuid {
    Uuid::from_u128(number)
}

/// The layout of a file with this header, separated by `|` as its rows are.
pub(in crate::import) fn layout(kind: Kind, header: &str) -> Layout {
    layout_with(kind, header, &Settings::default())
}

fn layout_with(kind: Kind, header: &str, settings: &Settings) -> Layout {
    let preface = Preface::below(header, Separator::Pipe);
    kind.layout(preface, settings).unwrap()
}

fn context<'c>(
    row_set: Option<&'c RowSet>,
    account_currencies: &'c HashMap<String, Currency>,
) -> Context<'c> {
    Context {
        as_of: jiff::civil::date(2024, 6, 1),
        family_currency: Currency::parse("EUR").unwrap(),
        account: None,
        account_currencies,
        row_set,
    }
}

/// The header and the rows of a file.
pub(in crate::import) struct File {
    kind: Kind,
    layout: Layout,
    lines: Vec<CellsBuf>,
}

impl File {
    /// A file with one record in each line, and `|` between cells.
    pub(in crate::import) fn new(kind: Kind, text: &str) -> Self {
        Self::with_settings(kind, text, &Settings::default())
    }

    /// The same, with a setting that somebody sent.
    pub(in crate::import) fn with_setting(kind: Kind, text: &str, sent: (&str, &str)) -> Self {
        let value = |name: &str| (name == sent.0).then(|| sent.1.to_owned());
        Self::with_settings(kind, text, &Settings::from_fields(value).unwrap())
    }

    /// Why a file can't be read.
    pub(in crate::import) fn unread(kind: Kind, text: &str) -> Vec<LayoutProblem> {
        Self::new(kind, text).layout.problems
    }

    fn with_settings(kind: Kind, text: &str, settings: &Settings) -> Self {
        let (header, rows) = text.split_once('\n').unwrap_or((text, ""));
        let lines: Vec<CellsBuf> = rows.lines().map(|line| line.split('|').collect()).collect();
        let mut layout = layout_with(kind, header, settings);
        let detector = kind.detector(&layout, settings, context(None, &HashMap::new()));
        if let Some(mut detector) = detector {
            lines.iter().for_each(|cells| detector.observe(cells.as_cells()));
            detector.finish(&mut layout);
        }
        Self { kind, layout, lines }
    }

    fn each(
        &self,
        row_set: Option<&RowSet>,
        mut each: impl FnMut(u64, Result<Row<'_>, Vec<String>>),
    ) {
        let accounts = HashMap::new();
        let context = context(row_set, &accounts);
        let interpreter = Interpreter::new(&self.layout, context).unwrap();
        for (number, cells) in (1..).zip(&self.lines) {
            let mut scratch = Scratch::default();
            let outcome = match interpreter.interpret(cells.as_cells(), &mut scratch) {
                Interpreted::Row(row) => Ok(row),
                Interpreted::Invalid(reasons) => Err(reasons),
                Interpreted::NotARow => panic!("a record is no row"),
            };
            each(number, outcome);
        }
    }

    /// What the rows mean for each other.
    pub(in crate::import) fn set(&self) -> RowSet {
        let mut survey = self.kind.survey().unwrap();
        self.each(None, |number, outcome| {
            if let Ok(row) = outcome {
                survey.row(number, number + 1, &row);
            }
        });
        survey.finish().unwrap()
    }

    /// The reasons of every invalid row by its line, joined.
    pub(in crate::import) fn reasons(&self) -> Vec<(u64, String)> {
        let set = self.set();
        let mut found = Vec::new();
        self.each(Some(&set), |number, outcome| {
            let reasons = outcome.err().or_else(|| set.reasons.get(&number).cloned());
            found.extend(reasons.map(|reasons| (number + 1, reasons.join("; "))));
        });
        found
    }

    /// What becomes of the rows; `choice` is what a person chose for each.
    pub(in crate::import) fn plan_with(
        &self,
        view: &FamilyRecords,
        names: &dyn NameTargets,
        choice: impl Fn(u64) -> RowChoice,
    ) -> WholePlan {
        let set = self.set();
        let mut planner = self.kind.planner().unwrap();
        self.each(Some(&set), |number, outcome| {
            let row = outcome.ok().filter(|_| !set.reasons.contains_key(&number));
            planner.row(number, number + 1, row.as_ref(), choice(number));
        });
        planner.finish(view, names, &[])
    }

    /// The same, where nobody chose anything.
    pub(in crate::import) fn plan(&self, view: &FamilyRecords) -> WholePlan {
        self.plan_with(view, &NoNames, |_| RowChoice::Plan)
    }
}

/// The verdicts of a plan.
pub(in crate::import) fn verdicts(plan: &WholePlan) -> Vec<&'static str> {
    plan.rows.iter().map(|row| row.verdict.as_str()).collect()
}

/// The reasons of a plan.
pub(in crate::import) fn reasons(plan: &WholePlan) -> Vec<&str> {
    plan.rows.iter().map(|row| row.reason.as_deref().unwrap_or_default()).collect()
}
