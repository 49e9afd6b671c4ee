//! What an import type has to provide: a record kind.
//!
//! A record kind knows which columns its files have, how a record becomes a row or findings, which
//! names of a row have to be mapped, and whether rows can only be judged together. Everything else
//! (decoding, the offset index, row edits, mappings, templates, plans, status) is the same for all
//! kinds and never looks into a row. [`super::kinds`] is the table of them.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Debug;
use std::sync::Arc;

use jiff::civil::Date;

use super::cells::{Cells, CellsBuf};
use super::import_type::ImportType;
use super::layout::{Layout, Preface};
use super::layout_problem::LayoutProblem;
use super::left_out::LeftOut;
use super::mapping::MappingKind;
use super::native;
use super::register::Program;
use super::row_edit::RowChoice;
use super::scratch::Scratch;
use super::settings::Settings;
use super::transaction;
use super::transaction::balance::follow::Link;
use super::transaction::stated::StatedBalance;
use super::whole::{FamilyRecords, NameTargets, WholePlan};
use crate::error::Problem;
use crate::ledger::account::Classification;
use crate::money::Currency;
use crate::plan::Creation;

/// A column that files of a kind may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// The field that the column fills; the layout has its position under this name.
    pub field: &'static str,
    /// The setting that names the column's header.
    pub setting: &'static str,
    /// The name of the column for people.
    pub label: &'static str,
    /// Whether the file can't be read without it.
    pub is_required: bool,
}

/// The constants of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spec {
    /// The type of import that has such rows.
    pub import_type: ImportType,
    /// The noun for one of what a row becomes: `transaction`.
    pub one: &'static str,
    /// The same noun in the plural.
    pub many: &'static str,
    /// Columns that a person can choose.
    pub columns: &'static [Column],
    /// The other settings that are used, by their names.
    pub settings: &'static [&'static str],
    /// Rows belong to accounts: to that of the import, else to those that they name.
    pub has_account: bool,
    /// Rows are judged and published together, because they refer to each other; there are few.
    pub is_whole: bool,
    /// The cells show what the columns of a file without a header are.
    pub reads_without_header: bool,
}

/// What matters of an account for the rows that go into it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TargetAccount {
    /// The currency of the account and of all its rows.
    pub currency: Currency,
    /// Whether its balance is money or a debt.
    pub classification: Classification,
}

/// What a row is interpreted with, besides the file.
#[derive(Debug, Clone, Copy)]
pub struct Context<'c> {
    /// The day of the upload, to which the limit of future dates refers.
    pub as_of: Date,
    /// The currency of a row if nothing nearer names one.
    pub family_currency: Currency,
    /// The account that the import goes into, if it has one. Then the account column, if there is
    /// one, isn't looked at.
    pub account: Option<TargetAccount>,
    /// Currencies of accounts that the account column may name, by
    /// [`crate::text::label::name_key`].
    pub account_currencies: &'c HashMap<String, Currency>,
    /// The rows of a kind that is judged as a whole in relation to each other; `None` for other
    /// kinds, and while they are surveyed.
    pub row_set: Option<&'c RowSet>,
}

impl Context<'_> {
    /// The currency of a row that names neither a currency nor an account.
    pub fn default_currency(&self) -> Currency {
        self.account.map_or(self.family_currency, |account| account.currency)
    }
}

/// The result of interpreting a record.
#[derive(Debug, Clone)]
pub enum Interpreted<R> {
    /// A valid row of the kind.
    Row(R),
    /// A row that can't be taken, and the first [`crate::limits::ROW_REASONS_MAX`] reasons; none if
    /// nobody needs them.
    Invalid(Vec<String>),
    /// A total or a remark: no row.
    NotARow,
}

/// The rows of a file in relation to each other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RowSet {
    /// Rows that can't be taken because of other rows, by number, with the reasons.
    pub reasons: BTreeMap<u64, Vec<String>>,
    /// Keys of names that the rows themselves define: they need no mapping.
    pub defined: HashSet<String>,
    /// What a file in the server's own format has, for its single lines.
    pub native: Option<Arc<native::Survey>>,
    /// The types of records of such a file that are read; of others only the type is known.
    pub wanted: native::RecordTypes,
}

/// Looks at all rows of a file to find out what they mean for each other.
pub trait Survey<K: RecordKind> {
    /// Takes the next row that is valid in itself and that nobody left out.
    fn row(&mut self, number: u64, line: u64, row: &K::Row<'_>);
    /// What was found, or why the file as a whole can't be read.
    ///
    /// # Errors
    /// A problem of the layout.
    fn finish(self: Box<Self>) -> Result<RowSet, LayoutProblem>;
}

/// Plans the rows of a file of a kind that is judged as a whole.
pub trait WholePlanner<K: RecordKind> {
    /// Takes the next row; `None` if it is invalid.
    fn row(&mut self, number: u64, line: u64, row: Option<&K::Row<'_>>, choice: RowChoice);
    /// The plan; what it creates is numbered after what is `prepared` for names.
    fn finish(
        self: Box<Self>,
        view: &FamilyRecords,
        mapped: &dyn NameTargets,
        prepared: &[Creation],
    ) -> WholePlan;
}

/// Looks at every record of a file to complete the layout.
pub trait Detect {
    /// Looks at the next record.
    fn observe(&mut self, cells: Cells<'_>);
    /// Writes what was found into the layout.
    fn finish(self: Box<Self>, layout: &mut Layout);
    /// Whether further records make no difference.
    fn is_done(&self) -> bool {
        false
    }
}

/// The part of an import type in reading a file.
pub trait RecordKind: Sized + 'static {
    /// A valid row, borrowed from the record.
    type Row<'r>: Debug + Copy;
    /// The state that reads records with a layout.
    type Interpreter<'l>: Debug;

    /// The constants of the kind.
    const SPEC: Spec;

    /// The program with exports that are rewritten as a register before they are read.
    const PROGRAM: Option<Program> = None;

    /// How much a record looks like the header of such a file.
    fn header_score(cells: &[String], settings: &Settings) -> usize;

    /// The layout as far as header and settings give it.
    ///
    /// # Errors
    /// Labels that were sent and that the header lacks.
    fn layout(preface: Preface, settings: &Settings) -> Result<Layout, Vec<Problem>>;

    /// Whether the first records can show what the header leaves open.
    fn wants_records(_layout: &Layout) -> bool {
        false
    }

    /// Completes the layout by what the columns of the first records hold.
    fn complete(_layout: &mut Layout, _settings: &Settings, _records: &[CellsBuf]) {}

    /// What the cells have to decide; nothing if header and settings decide everything.
    fn detector(
        _layout: &Layout,
        _settings: &Settings,
        _context: Context<'_>,
    ) -> Option<Box<dyn Detect>> {
        None
    }

    /// Prepares a layout.
    ///
    /// # Errors
    /// The problems of a layout that isn't readable.
    fn interpreter<'l>(
        layout: &'l Layout,
        context: Context<'l>,
    ) -> Result<Self::Interpreter<'l>, Vec<LayoutProblem>>;

    /// From now on it only matters whether a row is valid, not why it isn't.
    fn omit_reasons(interpreter: &mut Self::Interpreter<'_>);

    /// Interprets a record. It depends on the layout and the context only, so the same record is
    /// the same row whenever it is read.
    fn interpret<'r>(
        interpreter: &Self::Interpreter<'_>,
        cells: Cells<'r>,
        scratch: &'r mut Scratch,
    ) -> Interpreted<Self::Row<'r>>;

    /// The names of a row that have to be mapped, with the currency of rows that name an account.
    fn names(
        row: &Self::Row<'_>,
        row_set: Option<&RowSet>,
        name: &mut dyn FnMut(MappingKind, &str, Option<Currency>),
    );

    /// The fields of a row that are not blank, for kinds without amounts: by the names of the
    /// columns, in their order.
    fn fields(_row: &Self::Row<'_>, _field: &mut dyn FnMut(&'static str, &str)) {}

    /// How a row follows from the one before it, if a column of balances shows that. The cells are
    /// those that the row was made of.
    fn link<'r>(
        _interpreter: &Self::Interpreter<'_>,
        _cells: Cells<'r>,
        _row: &Self::Row<'_>,
    ) -> Option<Link<'r>> {
        None
    }

    /// Why a row isn't taken unless a person wants it.
    fn left_out<'r>(
        _interpreter: &Self::Interpreter<'_>,
        _cells: Cells<'r>,
    ) -> Option<LeftOut<'r>> {
        None
    }

    /// The balance that a record states, if it is no movement of money.
    fn stated(
        _interpreter: &Self::Interpreter<'_>,
        _cells: Cells<'_>,
        _scratch: &mut Scratch,
    ) -> Option<StatedBalance> {
        None
    }

    /// Why a person has to decide whether a row that is valid in itself is taken.
    fn doubt(_interpreter: &Self::Interpreter<'_>, _cells: Cells<'_>) -> Option<String> {
        None
    }

    /// Whether a row begins like a balance or a total, so that other rows may show it to be one.
    fn is_alike(_interpreter: &Self::Interpreter<'_>, _cells: Cells<'_>) -> bool {
        false
    }

    /// The currency of a row, if it has one.
    fn currency(_row: &Self::Row<'_>) -> Option<Currency> {
        None
    }

    /// The line of a record in the file that it comes from, if it was rewritten.
    fn line(_interpreter: &Self::Interpreter<'_>, _cells: Cells<'_>) -> Option<u64> {
        None
    }

    /// The row as a transaction, for kinds of which the rows are transactions.
    fn transaction<'a, 'r>(_row: &'a Self::Row<'r>) -> Option<&'a transaction::Row<'r>> {
        None
    }

    /// Surveys all rows, for kinds that are judged as a whole.
    fn survey() -> Option<Box<dyn Survey<Self>>> {
        None
    }

    /// Plans all rows, for kinds that are judged as a whole.
    fn planner() -> Option<Box<dyn WholePlanner<Self>>> {
        None
    }
}
