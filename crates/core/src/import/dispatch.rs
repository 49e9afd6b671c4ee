//! Files of any kind: what is the same for all kinds calls the kind of the file through here.

use super::account::AccountKind;
use super::category::CategoryKind;
use super::cells::{Cells, CellsBuf};
use super::columns::placed;
use super::import_type::ImportType;
use super::kind::{Context, Detect, Interpreted, RecordKind, RowSet, Spec, Survey, WholePlanner};
use super::kinds::{Kind, table};
use super::layout::{Layout, Preface};
use super::layout_problem::LayoutProblem;
use super::left_out::LeftOut;
use super::mapping::MappingKind;
use super::merchant::MerchantKind;
use super::native::NativeKind;
use super::pdf::PdfKind;
use super::register::{ActualKind, MintKind, Program, QifKind, YnabKind};
use super::row_edit::RowChoice;
use super::rule::RuleKind;
use super::scratch::Scratch;
use super::settings::Settings;
use super::trade::TradeKind;
use super::transaction::balance::follow::Link;
use super::transaction::stated::StatedBalance;
use super::transaction::{self, TransactionKind};
use super::whole::{FamilyRecords, NameTargets, WholePlan};
use crate::error::Problem;
use crate::money::Currency;
use crate::plan::Creation;

macro_rules! dispatch {
    ($($(#[$doc:meta])* $name:ident => $kind:ty,)+) => {
        /// A valid row of any kind, borrowed from the record.
        #[derive(Debug, Clone, Copy)]
        pub enum Row<'r> {
            $(#[allow(missing_docs, reason = "the name is that of the kind")]
            $name(<$kind as RecordKind>::Row<'r>),)+
        }

        /// A layout, ready to read records.
        #[derive(Debug)]
        pub enum Interpreter<'l> {
            $(#[allow(missing_docs, reason = "the name is that of the kind")]
            $name(<$kind as RecordKind>::Interpreter<'l>),)+
        }

        /// A survey of a file of any kind.
        pub enum AnySurvey {
            $(#[allow(missing_docs, reason = "the name is that of the kind")]
            $name(Box<dyn Survey<$kind>>),)+
        }

        /// A planner of a file of any kind.
        pub enum AnyPlanner {
            $(#[allow(missing_docs, reason = "the name is that of the kind")]
            $name(Box<dyn WholePlanner<$kind>>),)+
        }

        impl AnySurvey {
            /// Calls [`Survey::row`] of the kind; a row of another kind than the file is passed
            /// over.
            pub fn row(&mut self, number: u64, line: u64, row: &Row<'_>) {
                match self {
                    $(Self::$name(survey) => if let Row::$name(row) = row {
                        survey.row(number, line, row);
                    },)+
                }
            }

            /// Calls [`Survey::finish`] of the kind.
            ///
            /// # Errors
            /// A problem of the layout.
            pub fn finish(self) -> Result<RowSet, LayoutProblem> {
                match self { $(Self::$name(survey) => survey.finish(),)+ }
            }
        }

        impl AnyPlanner {
            /// Calls [`WholePlanner::row`] of the kind; a row of another kind than the file is
            /// invalid.
            pub fn row(
                &mut self,
                number: u64,
                line: u64,
                row: Option<&Row<'_>>,
                choice: RowChoice,
            ) {
                match self {
                    $(Self::$name(planner) => {
                        let row = row.and_then(|row| match row {
                            Row::$name(row) => Some(row),
                            _ => None,
                        });
                        planner.row(number, line, row, choice);
                    },)+
                }
            }

            /// Calls [`WholePlanner::finish`] of the kind.
            pub fn finish(
                self,
                view: &FamilyRecords,
                mapped: &dyn NameTargets,
                prepared: &[Creation],
            ) -> WholePlan {
                match self { $(Self::$name(planner) => planner.finish(view, mapped, prepared),)+ }
            }
        }

        impl Kind {
            /// The constants of the kind.
            pub fn spec(self) -> &'static Spec {
                match self { $(Self::$name => const { &<$kind as RecordKind>::SPEC },)+ }
            }

            /// The program with exports that are rewritten before they are read.
            pub fn program(self) -> Option<Program> {
                match self { $(Self::$name => <$kind as RecordKind>::PROGRAM,)+ }
            }

            /// Calls [`RecordKind::header_score`] of the kind.
            pub fn header_score(self, cells: &[String], settings: &Settings) -> usize {
                match self { $(Self::$name => <$kind>::header_score(cells, settings),)+ }
            }

            /// Calls [`RecordKind::layout`] of the kind.
            pub fn layout(
                self,
                preface: Preface,
                settings: &Settings,
            ) -> Result<Layout, Vec<Problem>> {
                match self { $(Self::$name => <$kind>::layout(preface, settings),)+ }
            }

            /// Calls [`RecordKind::wants_records`] of the kind.
            pub fn wants_records(self, layout: &Layout) -> bool {
                match self { $(Self::$name => <$kind>::wants_records(layout),)+ }
            }

            /// Calls [`RecordKind::complete`] of the kind.
            pub fn complete(self, layout: &mut Layout, settings: &Settings, records: &[CellsBuf]) {
                match self { $(Self::$name => <$kind>::complete(layout, settings, records),)+ }
            }

            /// Calls [`RecordKind::detector`] of the kind.
            pub fn detector(
                self,
                layout: &Layout,
                settings: &Settings,
                context: Context<'_>,
            ) -> Option<Box<dyn Detect>> {
                match self { $(Self::$name => <$kind>::detector(layout, settings, context),)+ }
            }

            /// Calls [`RecordKind::survey`] of the kind.
            pub fn survey(self) -> Option<AnySurvey> {
                match self { $(Self::$name => <$kind>::survey().map(AnySurvey::$name),)+ }
            }

            /// Calls [`RecordKind::planner`] of the kind.
            pub fn planner(self) -> Option<AnyPlanner> {
                match self { $(Self::$name => <$kind>::planner().map(AnyPlanner::$name),)+ }
            }
        }

        impl<'l> Interpreter<'l> {
            /// Prepares a layout of any kind; fails with its problems if it isn't readable.
            pub fn new(
                layout: &'l Layout,
                context: Context<'l>,
            ) -> Result<Self, Vec<LayoutProblem>> {
                match layout.kind {
                    $(Kind::$name => <$kind>::interpreter(layout, context).map(Self::$name),)+
                }
            }

            /// Calls [`RecordKind::omit_reasons`] of the kind.
            pub fn omit_reasons(&mut self) {
                match self { $(Self::$name(one) => <$kind>::omit_reasons(one),)+ }
            }

            /// Interprets a record. The row borrows from the record and from `scratch`.
            pub fn interpret<'r>(
                &self,
                cells: Cells<'r>,
                scratch: &'r mut Scratch,
            ) -> Interpreted<Row<'r>> {
                match self {
                    $(Self::$name(one) => match <$kind>::interpret(one, cells, scratch) {
                        Interpreted::Row(row) => Interpreted::Row(Row::$name(row)),
                        Interpreted::Invalid(reasons) => Interpreted::Invalid(reasons),
                        Interpreted::NotARow => Interpreted::NotARow,
                    },)+
                }
            }
        }

        impl Interpreter<'_> {
            /// Calls [`RecordKind::left_out`] of the kind.
            pub fn left_out<'r>(&self, cells: Cells<'r>) -> Option<LeftOut<'r>> {
                match self { $(Self::$name(one) => <$kind>::left_out(one, cells),)+ }
            }

            /// Calls [`RecordKind::stated`] of the kind.
            pub fn stated(
                &self,
                cells: Cells<'_>,
                scratch: &mut Scratch,
            ) -> Option<StatedBalance> {
                match self { $(Self::$name(one) => <$kind>::stated(one, cells, scratch),)+ }
            }

            /// Calls [`RecordKind::line`] of the kind.
            pub fn line(&self, cells: Cells<'_>) -> Option<u64> {
                match self { $(Self::$name(one) => <$kind>::line(one, cells),)+ }
            }

            /// Calls [`RecordKind::doubt`] of the kind.
            pub fn doubt(&self, cells: Cells<'_>) -> Option<String> {
                match self { $(Self::$name(one) => <$kind>::doubt(one, cells),)+ }
            }

            /// Calls [`RecordKind::is_alike`] of the kind.
            pub fn is_alike(&self, cells: Cells<'_>) -> bool {
                match self { $(Self::$name(one) => <$kind>::is_alike(one, cells),)+ }
            }

            /// Calls [`RecordKind::link`] of the kind.
            pub fn link<'r>(&self, cells: Cells<'r>, row: &Row<'_>) -> Option<Link<'r>> {
                match self {
                    $(Self::$name(one) => match row {
                        Row::$name(row) => <$kind>::link(one, cells, row),
                        _ => None,
                    },)+
                }
            }
        }

        impl<'r> Row<'r> {
            /// The row as a transaction, if it is one.
            pub fn transaction(&self) -> Option<&transaction::Row<'r>> {
                match self { $(Self::$name(row) => <$kind>::transaction(row),)+ }
            }
        }

        impl Row<'_> {
            /// Calls [`RecordKind::names`] of the kind.
            pub fn names(
                &self,
                row_set: Option<&RowSet>,
                name: &mut dyn FnMut(MappingKind, &str, Option<Currency>),
            ) {
                match self { $(Self::$name(row) => <$kind>::names(row, row_set, name),)+ }
            }

            /// Calls [`RecordKind::fields`] of the kind.
            pub fn fields(&self, field: &mut dyn FnMut(&'static str, &str)) {
                match self { $(Self::$name(row) => <$kind>::fields(row, field),)+ }
            }

            /// Calls [`RecordKind::currency`] of the row's kind.
            pub fn currency(&self) -> Option<Currency> {
                match self { $(Self::$name(row) => <$kind>::currency(row),)+ }
            }
        }
    };
}

table!(dispatch);

impl Kind {
    /// Whether its rows are transactions.
    pub fn has_transactions(self) -> bool {
        matches!(self, Self::Transaction | Self::Pdf) || self.program().is_some()
    }

    /// Whether its rows may stand in a sheet of a spreadsheet.
    pub fn reads_sheets(self) -> bool {
        self.program().is_none() && !matches!(self, Self::Pdf | Self::Native)
    }

    /// Whether a file without a header is taken: its cells show what the columns are, or labels
    /// such as `#3` name them.
    pub fn reads_without_header(self, settings: &Settings) -> bool {
        let is_placed = |text: &String| placed(text).is_some();
        self.spec().reads_without_header || settings.fields().values().any(is_placed)
    }

    /// The kind of an import type.
    pub fn of(import_type: ImportType) -> Self {
        match import_type {
            ImportType::Transaction => Self::Transaction,
            ImportType::Trade => Self::Trade,
            ImportType::Account => Self::Account,
            ImportType::Mint => Self::Mint,
            ImportType::Actual => Self::Actual,
            ImportType::Ynab => Self::Ynab,
            ImportType::Category => Self::Category,
            ImportType::Rule => Self::Rule,
            ImportType::Merchant => Self::Merchant,
            ImportType::Pdf => Self::Pdf,
            ImportType::Qif => Self::Qif,
            ImportType::Native => Self::Native,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::import::layout_problem::ColumnContent;
    use crate::import::settings::SETTINGS;

    const DOCUMENTED: &str = include_str!("../../../../docs/imports.md");

    #[test]
    fn every_kind_is_whole_and_documented() {
        let mut types = HashSet::new();
        for kind in Kind::ALL.iter().copied() {
            let spec = kind.spec();
            assert!(types.insert(spec.import_type), "{kind:?}");
            assert_eq!(Kind::of(spec.import_type), kind);
            let name = spec.import_type.as_str();
            let documented =
                DOCUMENTED.lines().find(|line| line.starts_with(&format!("| `{name}` |")));
            let cells: Vec<&str> = documented.expect(name).split('|').map(str::trim).collect();
            assert_eq!(cells.len(), 10, "{name}: {cells:?}");
            // What it can't represent may be nothing.
            assert!(cells[1..8].iter().all(|cell| !cell.is_empty()), "{name}: {cells:?}");
            let mut fields = HashSet::new();
            for column in spec.columns {
                assert!(fields.insert(column.field) && SETTINGS.contains(&column.setting));
            }
            let required: Vec<_> = spec.columns.iter().filter(|one| one.is_required).collect();
            let fields: Vec<&str> = required.iter().map(|one| one.field).collect();
            if kind.program().is_none() && kind != Kind::Native {
                assert_eq!(cells[4], fields.join(", "), "{name}");
            }
            if spec.is_whole {
                let contents = required.iter().filter_map(|one| ColumnContent::parse(one.field));
                assert_eq!(contents.count(), required.len(), "{name}: a problem without words");
            }
            assert!(spec.settings.iter().all(|name| SETTINGS.contains(name)), "{name}");
            assert_eq!(kind.survey().is_some(), spec.is_whole || kind == Kind::Native);
            assert_eq!(kind.planner().is_some(), spec.is_whole);
            let json = serde_json::to_string(&kind).unwrap();
            assert_eq!(serde_json::from_str::<Kind>(&json).unwrap(), kind, "stored in layouts");
        }
        assert_eq!(types.len(), ImportType::ALL.len());
    }
}
