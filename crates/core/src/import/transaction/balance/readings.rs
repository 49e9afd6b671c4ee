//! By which reading the balances of a file's first rows follow from each other.
//!
//! A reading is a column of balances, the columns of the amount, whether the balance rises with
//! what these call money in, the order of the rows, and the number format. All of them are tried;
//! it is arithmetic only. What the winner means is the matter of [`super::meaning`].

mod changes;

use std::collections::HashMap;

use changes::{directed, number, of_marked, of_two, take_off};

use super::RowOrder;
use super::chain::{Chain, Finding, Stated};
use crate::import::cells::CellsBuf;
use crate::import::layout::{AmountSource, inflow_keys};
use crate::import::settings::AmountStrategy;
use crate::import::transaction::reversals::Reversals;
use crate::text::number::{NumberFormat, Written, written_sign};

/// A cell of a sample as a number in eight decimals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::import::transaction) enum Number {
    /// The cell has no text, or only dashes.
    Blank,
    /// Any text that is no amount in the format.
    Unreadable,
    /// The number; whether `CR` or `DR` gave its sign, positive = money in.
    Value { value: i128, is_marked: bool },
}

impl Number {
    /// Whether it is an amount below zero.
    pub(in crate::import::transaction) fn is_negative(&self) -> bool {
        matches!(self, Self::Value { value: ..0, .. })
    }

    /// Whether the cell has no amount: nothing, or a zero.
    pub(in crate::import::transaction) fn is_gap(&self) -> bool {
        matches!(self, Self::Blank | Self::Value { value: 0, .. })
    }
}

/// The first rows of a file.
#[derive(Debug, Default)]
pub(in crate::import::transaction) struct Sample {
    rows: Vec<CellsBuf>,
    /// What a person has decided about signs of amounts that have a direction.
    decided: Option<AmountStrategy>,
    /// What was usual in an earlier file of the account.
    earlier: Option<Reversals>,
    numbers: HashMap<(usize, NumberFormat), Vec<Number>>,
}

/// How well balances follow under a reading.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::import::transaction) struct Score {
    /// Balances that follow from a change that isn't zero.
    pub(in crate::import::transaction) proofs: u64,
    /// Balances that don't follow.
    pub(in crate::import::transaction) breaks: u64,
}

/// One way to read the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::import::transaction) struct Reading {
    /// The column of the balance.
    pub(in crate::import::transaction) balance: usize,
    /// The position of the amount's source among the candidates.
    pub(in crate::import::transaction) source: usize,
    /// The balance falls with what the source has as positive.
    pub(in crate::import::transaction) is_inverted: bool,
    /// Money in has a mark, and amounts without one are money out.
    pub(in crate::import::transaction) is_marked: bool,
    pub(in crate::import::transaction) order: RowOrder,
    pub(in crate::import::transaction) format: NumberFormat,
    pub(in crate::import::transaction) score: Score,
}

/// A balance that is found by its arithmetic alone needs so many proofs, and few breaks.
const PROOFS_WITHOUT_NAME: u64 = 3;

impl Score {
    /// Whether more balances follow than not.
    pub(in crate::import::transaction) fn is_proven(self) -> bool {
        self.proofs > self.breaks
    }

    /// Whether the column is a balance, whatever it is called.
    pub(in crate::import::transaction) fn is_proven_without_name(self) -> bool {
        self.proofs >= PROOFS_WITHOUT_NAME && self.breaks * 10 <= self.proofs
    }

    /// How much speaks for it: a wrong balance breaks the next row's, too.
    pub(in crate::import::transaction) fn weight(self) -> i128 {
        i128::from(self.proofs) - 2 * i128::from(self.breaks)
    }
}

/// What the readings have in common.
#[derive(Debug)]
pub(in crate::import::transaction) struct Trial<'t> {
    /// Columns that may be the balance.
    pub(in crate::import::transaction) balances: &'t [usize],
    /// Where the amount may come from; the first is what header and words give.
    pub(in crate::import::transaction) sources: &'t [AmountSource],
    pub(in crate::import::transaction) formats: &'t [NumberFormat],
    /// The columns by which accounts and currencies are distinguished.
    pub(in crate::import::transaction) groups: [Option<usize>; 2],
    /// The order of the rows if their days show it.
    pub(in crate::import::transaction) order: Option<RowOrder>,
    /// How the file would be read without a balance: the position of the source, and whether the
    /// balance then falls with it. It wins where nothing speaks for another reading.
    pub(in crate::import::transaction) default: Option<(usize, bool)>,
    /// The columns of fees that come off beside amounts of which money in is positive.
    pub(in crate::import::transaction) fees: &'t [usize],
}

impl Trial<'_> {
    /// Whether the rows may follow in an order with a source and its sense. Where days show the
    /// right one, rows follow in the other one only if columns or words give their directions: with
    /// balances before each row, or with equal amounts, those that go the other way do so, too.
    pub(super) fn may_follow(&self, order: RowOrder, source: usize, is_inverted: bool) -> bool {
        let is_signed = || matches!(self.sources.get(source), Some(AmountSource::Signed { .. }));
        let is_directed = || self.default == Some((source, is_inverted)) && !is_signed();
        self.order.is_none_or(|known| known == order) || is_directed()
    }
}

impl Sample {
    pub(in crate::import::transaction) fn push(&mut self, row: CellsBuf) {
        self.rows.push(row);
    }

    pub(in crate::import::transaction) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The cells of a column.
    pub(in crate::import::transaction) fn column(
        &self,
        column: usize,
    ) -> impl DoubleEndedIterator<Item = &str> {
        self.rows.iter().map(move |row| row.as_cells().get(column))
    }

    /// The cells of a column as numbers.
    pub(in crate::import::transaction) fn numbers(
        &mut self,
        column: usize,
        format: NumberFormat,
    ) -> &[Number] {
        let Self { rows, numbers, .. } = self;
        numbers.entry((column, format)).or_insert_with(|| {
            rows.iter().map(|row| number(row.as_cells().get(column), format)).collect()
        })
    }

    /// Whether nearly all cells that aren't blank are numbers, and there are some.
    pub(in crate::import::transaction) fn is_numeric(
        &mut self,
        column: usize,
        format: NumberFormat,
    ) -> bool {
        let numbers = self.numbers(column, format);
        let values = numbers.iter().filter(|n| matches!(n, Number::Value { .. })).count();
        let others = numbers.iter().filter(|n| **n == Number::Unreadable).count();
        values > 1 && others * 10 <= values
    }

    /// What a source states of each row: positive = money in. A row without an amount is blank.
    /// With marks, amounts of a single column without one are money out.
    pub(in crate::import::transaction) fn changes(
        &mut self,
        source: &AmountSource,
        format: NumberFormat,
        is_marked: bool,
    ) -> Vec<Number> {
        match source {
            AmountSource::Signed { column } | AmountSource::ByBalance { column } => {
                let numbers = self.numbers(*column, format).to_vec();
                if !is_marked {
                    return numbers;
                }
                let cells = self.column(*column);
                numbers.into_iter().zip(cells).map(|(one, cell)| of_marked(one, cell)).collect()
            }
            AmountSource::DebitCredit { debit, credit } => {
                let reversals = self.reversals(source);
                let debits = self.numbers(*debit, format).to_vec();
                let credits = self.numbers(*credit, format);
                let both = debits.iter().zip(credits);
                both.map(|(debit, credit)| of_two(*debit, *credit, reversals)).collect()
            }
            AmountSource::Directed { amount, direction, inflow_value } => {
                let keys = inflow_value.as_deref().map(inflow_keys);
                let reversals = self.reversals(source);
                let amounts = self.numbers(*amount, format).to_vec();
                let words = self.column(*direction);
                amounts
                    .into_iter()
                    .zip(words)
                    .map(|(amount, word)| directed(amount, word, keys.as_deref(), reversals))
                    .collect()
            }
        }
    }

    /// Whether a source can be read without and with marks: some of its amounts are marked as money
    /// in, and the others have no sign.
    pub(in crate::import::transaction) fn markings(
        &self,
        source: &AmountSource,
    ) -> &'static [bool] {
        match source {
            AmountSource::Signed { column } if self.is_partly_marked(*column) => &[false, true],
            _ => &[false],
        }
    }

    fn is_partly_marked(&self, column: usize) -> bool {
        let (mut plus, mut plain) = (false, false);
        for cell in self.column(column).filter(|cell| cell.bytes().any(|b| b.is_ascii_digit())) {
            match written_sign(cell) {
                Written::Minus => return false,
                Written::Plus => plus = true,
                Written::None => plain |= cell.bytes().any(|byte| matches!(byte, b'1'..=b'9')),
            }
        }
        plus && plain
    }

    /// Tries every reading; those in which no balance is compared are left out.
    pub(in crate::import::transaction) fn readings(&mut self, trial: &Trial<'_>) -> Vec<Reading> {
        let groups = self.groups(trial.groups);
        let mut readings = Vec::new();
        for format in trial.formats.iter().copied() {
            for (source, columns) in trial.sources.iter().enumerate() {
                for is_marked in self.markings(columns).iter().copied() {
                    let mut changes = self.changes(columns, format, is_marked);
                    for fee in trial.fees {
                        let fees = self.numbers(*fee, format);
                        let both = changes.iter_mut().zip(fees);
                        both.for_each(|(change, fee)| take_off(change, *fee));
                    }
                    let tried = (source, format, is_marked);
                    self.follow(trial, tried, &changes, &groups, &mut readings);
                }
            }
        }
        readings
    }

    /// Tries the balances, orders and senses of one source.
    fn follow(
        &mut self,
        trial: &Trial<'_>,
        (source, format, is_marked): (usize, NumberFormat, bool),
        changes: &[Number],
        groups: &[usize],
        readings: &mut Vec<Reading>,
    ) {
        let Some(columns) = trial.sources.get(source).map(columns_of) else { return };
        let senses: &[bool] = if trial.fees.is_empty() { &[false, true] } else { &[false] };
        for balance in trial.balances.iter().copied().filter(|one| !columns.contains(one)) {
            let balances = self.numbers(balance, format);
            for order in RowOrder::ALL.iter().copied() {
                let is_possible =
                    |is_inverted: &bool| trial.may_follow(order, source, *is_inverted);
                for is_inverted in senses.iter().copied().filter(is_possible) {
                    let score = score(changes, balances, groups, order, is_inverted);
                    if score != Score::default() {
                        readings.push(Reading {
                            balance,
                            source,
                            is_inverted,
                            is_marked,
                            order,
                            format,
                            score,
                        });
                    }
                }
            }
        }
    }

    /// A number for each row's account and currency.
    pub(in crate::import::transaction) fn groups(&self, columns: [Option<usize>; 2]) -> Vec<usize> {
        let mut known: Vec<[&str; 2]> = Vec::new();
        let mut groups = Vec::with_capacity(self.rows.len());
        for row in &self.rows {
            let cells = row.as_cells();
            let key = columns.map(|column| column.map_or("", |column| cells.get(column)));
            let position = known.iter().position(|known| *known == key);
            groups.push(position.unwrap_or_else(|| {
                known.push(key);
                known.len() - 1
            }));
        }
        groups
    }
}

/// The columns of a source that hold amounts.
pub(in crate::import::transaction) fn columns_of(source: &AmountSource) -> [usize; 2] {
    match source {
        AmountSource::Signed { column } | AmountSource::ByBalance { column } => [*column; 2],
        AmountSource::DebitCredit { debit, credit } => [*debit, *credit],
        AmountSource::Directed { amount, .. } => [*amount; 2],
    }
}

/// The reading that is proven, if no other one that means something else is proven as well.
/// `default` is that of the trial.
pub(in crate::import::transaction) fn best<'r>(
    readings: &'r [Reading],
    is_proven: impl Fn(Score) -> bool,
    default: Option<(usize, bool)>,
    changes: &dyn Fn(&Reading) -> Vec<Number>,
) -> Option<&'r Reading> {
    let is_default = |reading: &Reading| {
        default == Some((reading.source, reading.is_inverted)) && !reading.is_marked
    };
    let rank =
        |reading: &&Reading| (reading.score.weight(), is_default(reading), !reading.is_inverted);
    let proven: Vec<&Reading> = readings.iter().filter(|one| is_proven(one.score)).collect();
    // Of equal ones the first: `max_by_key` would take the last.
    let best = proven.iter().rev().copied().max_by_key(rank)?;
    // Where days don't show the order, more proofs in one of them don't either.
    let mut rivals = proven.iter().copied().filter(|rival| {
        rival.score.weight() >= best.score.weight()
            || (rival.order != best.order && rival.format == best.format)
    });
    let meaning = |reading: &Reading| signed(changes(reading), reading.is_inverted);
    let its = meaning(best);
    let is_contested = rivals
        .any(|rival| (rival.format != best.format || !is_default(best)) && meaning(rival) != its);
    (!is_contested).then_some(best)
}

/// Whether the balances follow better in the format of the best reading than in any other. As well
/// in both means that the rows that were tried don't distinguish them, and later ones may.
pub(in crate::import::transaction) fn is_format_proven(
    readings: &[Reading],
    best: &Reading,
) -> bool {
    let mut others = readings.iter().filter(|other| other.format != best.format);
    others.all(|other| other.score.weight() < best.score.weight())
}

/// The changes with the sign by which they change the balance.
fn signed(changes: Vec<Number>, is_inverted: bool) -> Vec<Option<i128>> {
    let sign = if is_inverted { -1 } else { 1 };
    let value = |number| match number {
        Number::Value { value, .. } => Some(sign * value),
        Number::Blank | Number::Unreadable => None,
    };
    changes.into_iter().map(value).collect()
}

fn score(
    changes: &[Number],
    balances: &[Number],
    groups: &[usize],
    order: RowOrder,
    is_inverted: bool,
) -> Score {
    let count = groups.iter().max().map_or(0, |last| last + 1);
    let mut chains: Vec<Chain<usize>> = (0..count).map(|_| Chain::new(order)).collect();
    let mut breaks = 0;
    let rows = changes.iter().zip(balances).zip(groups).enumerate();
    for (row, ((change, balance), group)) in rows {
        let Some(chain) = chains.get_mut(*group) else { continue };
        let stated = match balance {
            Number::Blank => Stated::Blank,
            Number::Unreadable => Stated::Unreadable,
            Number::Value { value, .. } => Stated::Value(*value),
        };
        match change {
            // A balance carried forward, or a remark.
            Number::Blank => {}
            Number::Unreadable => chain.break_off(),
            Number::Value { value, .. } => {
                let change = if is_inverted { -*value } else { *value };
                breaks +=
                    u64::from(matches!(chain.row(row, change, stated), Some(Finding::Breaks(_))));
            }
        }
    }
    Score { proofs: chains.iter().map(|chain| chain.proofs).sum(), breaks }
}
