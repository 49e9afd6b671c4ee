//! The parts of a split transaction, as a register has them in one cell.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::columns::{BUDGET, PRICE, RegisterColumns, TradeColumns};
use super::lists::is_of_list;
use crate::import::cells::{Cells, CellsBuf};
use crate::import::kind::Detect;
use crate::import::layout::{AmountSource, Layout};
use crate::import::layout_problem::{ColumnContent, LayoutProblem};
use crate::text::label::name_key;
use crate::text::number::NumberFormat;

/// A part as the program wrote it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartCell<'a> {
    /// The cells of the columns with amounts, in their order.
    #[serde(borrow)]
    pub amounts: Vec<Cow<'a, str>>,
    /// The category, or its path; blank for none.
    #[serde(borrow, default)]
    pub category: Cow<'a, str>,
    /// The notes; blank for none.
    #[serde(borrow, default)]
    pub notes: Cow<'a, str>,
    /// The tag that it has beside those of the whole; blank for none.
    #[serde(borrow, default, skip_serializing_if = "str::is_empty")]
    pub tag: Cow<'a, str>,
    /// It is a record of its own and counts here only for the sum: the side of a transfer.
    #[serde(default, skip_serializing_if = "is_false")]
    pub apart: bool,
}

fn is_false(flag: &bool) -> bool {
    !flag
}

/// The texts of a part: category, notes and tag.
const TEXTS: usize = 3;

/// The parts of the row that was read last; the memory is used again.
#[derive(Debug, Default)]
pub(in crate::import) struct PartsBuf {
    amounts: Vec<i64>,
    /// Category, notes and tag of each part.
    texts: CellsBuf,
}

impl PartsBuf {
    pub(in crate::import) fn clear(&mut self) {
        self.amounts.clear();
        self.texts.clear();
    }

    pub(in crate::import) fn push(&mut self, amount: i64, texts: [&str; TEXTS]) {
        self.amounts.push(amount);
        texts.into_iter().for_each(|text| self.texts.push(text));
    }

    pub(in crate::import) fn as_parts(&self) -> Parts<'_> {
        Parts { amounts: &self.amounts, texts: self.texts.as_cells() }
    }
}

/// The parts of a row: none, or two at least, which add up to its amount.
#[derive(Debug, Clone, Copy)]
pub struct Parts<'r> {
    amounts: &'r [i64],
    texts: Cells<'r>,
}

/// A part of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowPart<'r> {
    /// Positive = money out, in the scale of the row's currency.
    pub amount: i64,
    /// The category's name or its path.
    pub category: Option<&'r str>,
    /// The notes, which are never blank.
    pub notes: Option<&'r str>,
    /// The tag that it has beside those of the row.
    pub tag: Option<&'r str>,
}

impl Default for Parts<'_> {
    fn default() -> Self {
        Self { amounts: &[], texts: Cells::new("", &[]) }
    }
}

impl<'r> Parts<'r> {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.amounts.len()
    }

    /// Whether the row isn't split.
    pub fn is_empty(&self) -> bool {
        self.amounts.is_empty()
    }

    /// All parts in their order.
    pub fn iter(self) -> impl Iterator<Item = RowPart<'r>> {
        let text = move |at: usize| Some(self.texts.get(at)).filter(|text| !text.is_empty());
        self.amounts.iter().enumerate().map(move |(at, amount)| RowPart {
            amount: *amount,
            category: text(TEXTS * at),
            notes: text(TEXTS * at + 1),
            tag: text(TEXTS * at + 2),
        })
    }
}

/// The columns with amounts, in the order of [`PartCell::amounts`].
pub(in crate::import) fn amount_columns(source: &AmountSource) -> Vec<usize> {
    match source {
        AmountSource::Signed { column } | AmountSource::ByBalance { column } => vec![*column],
        AmountSource::DebitCredit { debit, credit } => vec![*debit, *credit],
        AmountSource::Directed { amount, direction, .. } => vec![*amount, *direction],
    }
}

/// The record as it would be if the part were all of it.
pub(in crate::import) fn record_of_part(
    cells: Cells<'_>,
    columns: &[usize],
    part: &PartCell<'_>,
) -> CellsBuf {
    let cell = |(column, cell)| match columns.iter().position(|one| *one == column) {
        Some(at) => part.amounts.get(at).map_or("", Cow::as_ref),
        None => cell,
    };
    cells.iter().enumerate().map(cell).collect()
}

/// Shows the amounts of parts, and the numbers of trades, to a detector, each as a record of its
/// own, and looks whether a file of several accounts is to go into one.
pub(in crate::import) struct RegisterDetector {
    inner: Option<Box<dyn Detect>>,
    /// Looks at budgets, of which the months are written another way than days are. It decides only
    /// in a file that has nothing else.
    budgets: Option<Box<dyn Detect>>,
    has_budgets: bool,
    /// Some record has a day.
    has_days: bool,
    parts: usize,
    role: usize,
    columns: Vec<usize>,
    trades: Option<TradeColumns>,
    account: Option<usize>,
    into_one: bool,
    /// Accounts of the file, if all rows are to go into one: two show enough.
    accounts: Vec<String>,
}

impl RegisterDetector {
    /// What looks at a register; `into_one` if one account was named for all rows.
    pub(in crate::import) fn new(
        [inner, budgets]: [Option<Box<dyn Detect>>; 2],
        layout: &Layout,
        into_one: bool,
    ) -> Option<Self> {
        let RegisterColumns { parts, role, trades, .. } = layout.columns.register?;
        let one = Self {
            inner,
            budgets,
            has_budgets: false,
            has_days: false,
            parts,
            role,
            columns: amount_columns(layout.amount.as_ref()?),
            trades,
            account: layout.columns.account,
            into_one: into_one && layout.columns.account.is_some(),
            accounts: Vec::new(),
        };
        (one.inner.is_some() || one.into_one).then_some(one)
    }

    fn is_enough(&self) -> bool {
        !self.into_one || self.accounts.len() > 1
    }

    /// The numbers of a trade beside its amount, as amounts of records of their own.
    fn observe_trade(&mut self, cells: Cells<'_>, trades: TradeColumns) {
        let Some(inner) = &mut self.inner else { return };
        for column in [trades.quantity, trades.price, trades.fee] {
            let number = cells.get(column);
            if number.is_empty() {
                continue;
            }
            let amounts = vec![Cow::Borrowed(number)];
            let part = PartCell { amounts, ..PartCell::default() };
            inner.observe(record_of_part(cells, &self.columns, &part).as_cells());
        }
    }
}

impl Detect for RegisterDetector {
    fn observe(&mut self, cells: Cells<'_>) {
        let is_open = self.into_one && self.accounts.len() < 2;
        if let Some(column) = self.account.filter(|_| is_open) {
            let key = name_key(cells.get(column));
            if !key.is_empty() && !self.accounts.contains(&key) {
                self.accounts.push(key);
            }
        }
        match (cells.get(self.role), self.trades) {
            (BUDGET, _) => {
                self.has_budgets = true;
                self.budgets.iter_mut().for_each(|budgets| budgets.observe(cells));
                return;
            }
            (role, _) if is_of_list(role) => return,
            (PRICE, Some(trades)) => {
                let amounts = vec![Cow::Borrowed(cells.get(trades.price))];
                let part = PartCell { amounts, ..PartCell::default() };
                let record = record_of_part(cells, &self.columns, &part);
                self.has_days = true;
                self.inner.iter_mut().for_each(|inner| inner.observe(record.as_cells()));
                return;
            }
            _ => self.has_days = true,
        }
        if let Some(trades) = self.trades.filter(|trades| !cells.get(trades.word).is_empty()) {
            self.observe_trade(cells, trades);
        }
        let Some(inner) = &mut self.inner else { return };
        let parts: Vec<PartCell<'_>> = match cells.get(self.parts) {
            "" => Vec::new(),
            // What can't be read makes the row invalid when it is interpreted.
            text => serde_json::from_str(text).unwrap_or_default(),
        };
        if parts.is_empty() {
            inner.observe(cells);
        }
        for part in &parts {
            inner.observe(record_of_part(cells, &self.columns, part).as_cells());
        }
    }

    fn finish(self: Box<Self>, layout: &mut Layout) {
        if self.accounts.len() > 1 {
            layout.problems.push(LayoutProblem::SeveralAccounts);
        }
        let decides = if self.has_days || !self.has_budgets { self.inner } else { self.budgets };
        match decides {
            Some(inner) if self.has_days || self.has_budgets => {
                inner.finish(layout);
                // Shares may move, and be split, without any money.
                let blank = LayoutProblem::BlankColumn { content: ColumnContent::Amount };
                if self.trades.is_some() && layout.problems.contains(&blank) {
                    layout.problems.retain(|problem| *problem != blank);
                    layout.number_format = Some(NumberFormat::CommaDot);
                }
            }
            // A file of lists has neither days nor amounts that could be written in some way.
            _ => {
                layout.date_format.get_or_insert_with(|| "%Y-%m-%d".to_owned());
                layout.number_format.get_or_insert(NumberFormat::CommaDot);
            }
        }
    }

    fn is_done(&self) -> bool {
        self.is_enough() && self.inner.as_ref().is_none_or(|inner| inner.is_done())
    }
}
