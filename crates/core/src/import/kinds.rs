//! The table of record kinds: one line for each import type that this version can read.

use serde::{Deserialize, Serialize};

use super::category::CategoryKind;
use super::cells::Cells;
use super::import_type::ImportType;
use super::kind::{Context, Detect, Interpreted, RecordKind, RowSet, Spec, Survey};
use super::layout::{Layout, Preface};
use super::mapping::MappingKind;
use super::settings::Settings;
use super::transaction::{Scratch, TransactionKind};
use super::whole::WholePlanner;
use crate::money::Currency;

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident => $kind:ty,)+) => {
        /// A record kind of the table.
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Kind {
            $($(#[$doc])* $name,)+
        }

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

        impl Kind {
            /// Every kind of the table.
            pub const ALL: &'static [Self] = &[$(Self::$name,)+];

            /// The constants of the kind.
            pub fn spec(self) -> &'static Spec {
                match self { $(Self::$name => const { &<$kind as RecordKind>::SPEC },)+ }
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
            ) -> Result<Layout, Vec<String>> {
                match self { $(Self::$name => <$kind>::layout(preface, settings),)+ }
            }

            /// Calls [`RecordKind::detector`] of the kind.
            pub fn detector(
                self,
                layout: &Layout,
                settings: &Settings,
            ) -> Option<Box<dyn Detect>> {
                match self { $(Self::$name => <$kind>::detector(layout, settings),)+ }
            }

            /// Calls [`RecordKind::survey`] of the kind.
            pub fn survey(self) -> Option<Box<dyn Survey>> {
                match self { $(Self::$name => <$kind>::survey(),)+ }
            }

            /// Calls [`RecordKind::planner`] of the kind.
            pub fn planner(self) -> Option<Box<dyn WholePlanner>> {
                match self { $(Self::$name => <$kind>::planner(),)+ }
            }
        }

        impl<'l> Interpreter<'l> {
            /// Prepares a layout of any kind; fails with its problems if it isn't readable.
            pub fn new(layout: &'l Layout, context: Context<'l>) -> Result<Self, Vec<String>> {
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

kinds! {
    /// Transactions of a bank.
    #[default]
    Transaction => TransactionKind,
    /// Categories with their colors and icons.
    Category => CategoryKind,
}

impl Kind {
    /// The kind of an import type, if this version can read it.
    pub fn of(import_type: ImportType) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.spec().import_type == import_type)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::import::settings::SETTINGS;

    const DOCUMENTED: &str = include_str!("../../../../docs/imports.md");

    #[test]
    fn every_kind_is_whole_and_documented() {
        let mut types = HashSet::new();
        for kind in Kind::ALL.iter().copied() {
            let spec = kind.spec();
            assert!(types.insert(spec.import_type), "{kind:?}");
            assert_eq!(Kind::of(spec.import_type), Some(kind));
            assert!(spec.import_type.is_supported());
            let name = spec.import_type.as_str();
            assert!(DOCUMENTED.contains(&format!("| `{name}` |")), "{name}");
            let mut fields = HashSet::new();
            for column in spec.columns {
                assert!(fields.insert(column.field) && SETTINGS.contains(&column.setting));
            }
            assert!(spec.columns.iter().any(|column| column.is_required));
            assert!(spec.settings.iter().all(|name| SETTINGS.contains(name)), "{name}");
            assert_eq!(kind.survey().is_some(), spec.is_whole);
            assert_eq!(kind.planner().is_some(), spec.is_whole);
            let json = serde_json::to_string(&kind).unwrap();
            assert_eq!(serde_json::from_str::<Kind>(&json).unwrap(), kind, "stored in layouts");
        }
        let supported = ImportType::ALL.iter().filter(|one| one.is_supported()).count();
        assert_eq!(supported, Kind::ALL.len());
    }
}
