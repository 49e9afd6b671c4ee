//! Columns of fees and withheld taxes that the amounts may not contain.
//!
//! Some banks state an amount, a fee beside it, and a balance that both of them changed. The fee
//! comes off only if the balances prove it: with it all of them follow, and without it some don't.
//! So it is with several columns, of fees and of taxes, of which the fewest that prove it come off.
//! Others state the net amount in a column of its own, which arithmetic shows. If nothing proves
//! what was booked, a person is asked, unless no fee was ever charged.

use std::collections::HashSet;

use crate::import::cells::{Cells, CellsBuf};
use crate::import::layout::{AmountSource, Layout};
use crate::import::layout_problem::LayoutProblem;
use crate::import::settings::Settings;
use crate::import::transaction::balance::RowOrder;
use crate::import::transaction::balance::readings::{Number, Reading, Sample, Trial, columns_of};
use crate::import::transaction::columns::{FEE_SETTING, take_amount};
use crate::import::transaction::header_names::balances::balance_rank;
use crate::import::transaction::header_names::taxes::is_tax;
use crate::import::transaction::header_names::units::is_in_another_unit;
use crate::import::transaction::header_names::{is_fee, known_key};
use crate::text::number::{NumberFormat, Written, written_sign};
use crate::text::quoted;

/// Rows in which a net amount is looked for.
const ROWS_MAX: usize = 300;
/// Fewer rows show no arithmetic.
const NET_ROWS_MIN: usize = 2;
/// Columns of which each choice is tried.
const CHOICES_OF_MAX: usize = 3;
/// Words in the name of an amount from which fees came off already.
const NET: [&str; 5] = ["net", "netto", "nett", "neto", "netta"];

/// The columns of fees, and the readings with them.
pub(super) fn proven(
    layout: &Layout,
    sample: &mut Sample,
    trial: &Trial<'_>,
    readings: &[Reading],
) -> Option<(Vec<usize>, Vec<Reading>)> {
    let source = trial.sources.first().filter(|it| matches!(it, AmountSource::Signed { .. }))?;
    let mut least = readings.iter().map(|reading| reading.score.weight()).max()?;
    let is_candidate = |column: &usize| {
        is_called_so(layout, *column)
            && !columns_of(source).contains(column)
            && !trial.balances.contains(column)
            && sample.column(*column).any(is_charge)
    };
    let columns: Vec<usize> = (0..layout.headers.len()).filter(is_candidate).collect();
    let mut best = None;
    for fees in choices(&columns) {
        let sources = std::slice::from_ref(source);
        let with = sample.readings(&Trial { sources, fees: &fees, ..*trial });
        let is_better = |reading: &Reading| {
            reading.score.is_proven() && reading.score.breaks == 0 && reading.score.weight() > least
        };
        let with: Vec<Reading> = with.into_iter().filter(is_better).collect();
        if let Some(weight) = with.iter().map(|reading| reading.score.weight()).max() {
            (best, least) = (Some((fees, with)), weight);
        }
    }
    best
}

/// Which of some columns may come off, the fewest first; of many each alone, and all.
pub(in crate::import) fn choices(columns: &[usize]) -> Vec<Vec<usize>> {
    let count = columns.len();
    let all = (1_u32 << count.min(CHOICES_OF_MAX)) - 1;
    let mut choices: Vec<u32> = (1..=all).collect();
    choices.sort_by_key(|choice| choice.count_ones());
    if count > CHOICES_OF_MAX {
        let alone = columns.iter().map(|column| vec![*column]);
        return alone.chain([columns.to_vec()]).collect();
    }
    let of = |choice: u32| {
        let chosen = columns.iter().enumerate().filter(|(at, _)| (choice >> at) & 1 == 1);
        chosen.map(|(_, column)| *column).collect()
    };
    choices.into_iter().map(of).collect()
}

/// Whether a column is called one of fees or taxes, and nothing else takes it.
fn is_called_so(layout: &Layout, column: usize) -> bool {
    let header = layout.header(column);
    (is_fee(&header) || is_tax(&header))
        && !is_in_another_unit(&header)
        && !layout.columns.uses(column)
}

/// Whether a cell has an amount that isn't zero.
fn is_charge(cell: &str) -> bool {
    cell.bytes().any(|byte| matches!(byte, b'1'..=b'9'))
}

/// Columns that are called fees or taxes, beside amounts with a direction.
#[derive(Debug)]
pub(super) struct FeeCandidate {
    amounts: [usize; 2],
    columns: Vec<FeeColumn>,
    sample: Sample,
}

#[derive(Debug)]
struct FeeColumn {
    column: usize,
    /// Taxes are withheld from money that comes in; beside what goes out the price contains them.
    is_of_income: bool,
    is_charged: bool,
}

impl FeeColumn {
    fn new(column: usize, header: &str) -> Self {
        Self { column, is_of_income: is_tax(header) && !is_fee(header), is_charged: false }
    }
}

impl FeeCandidate {
    /// The columns, unless a label decides.
    pub(super) fn of(layout: &Layout, settings: &Settings) -> Option<Self> {
        let source = layout.amount.as_ref().filter(|source| is_directed(source))?;
        if layout.columns.register.is_some() || settings.labels.more.contains_key(FEE_SETTING) {
            return None;
        }
        let is_it = |column: &usize| {
            let header = layout.header(*column);
            is_called_so(layout, *column)
                && !known_key(&header).starts_with("cashback")
                && layout.columns.rates.undirected != Some(*column)
                && balance_rank(&header).is_none()
        };
        let columns = (0..layout.headers.len()).filter(is_it);
        let columns: Vec<FeeColumn> =
            columns.map(|column| FeeColumn::new(column, &layout.header(column))).collect();
        let amounts = columns_of(source);
        (!columns.is_empty()).then(|| Self { amounts, columns, sample: Sample::default() })
    }

    pub(super) fn observe(&mut self, cells: Cells<'_>) {
        let [first, second] = self.amounts.map(|column| cells.get(column));
        let may_come_in = written_sign(first) != Written::Minus
            && (self.amounts[0] == self.amounts[1] || is_charge(second));
        for one in self.columns.iter_mut().filter(|one| !one.is_charged) {
            let counts = may_come_in || !one.is_of_income;
            one.is_charged = counts && is_charge(cells.get(one.column));
        }
        if self.sample.len() < ROWS_MAX {
            self.sample.push(cells.iter().collect::<CellsBuf>());
        }
    }

    /// Takes the net amount if the rows show it, or asks.
    pub(super) fn finish(mut self, layout: &mut Layout, is_currency_sent: bool) {
        let source = layout.amount.clone().filter(is_directed);
        let (Some(source), Some(format)) = (source, layout.number_format) else { return };
        let amounts = columns_of(&source);
        let Self { columns, sample, .. } = &mut self;
        let mut is_it = |one: &FeeColumn| {
            let numbers = sample.numbers(one.column, format);
            let count =
                |is_it: fn(&Number) -> bool| numbers.iter().filter(|one| is_it(one)).count();
            // Some cells may be words, such as `free`.
            let amounts_count = count(|one| matches!(one, Number::Value { .. }));
            one.is_charged
                && !amounts.contains(&one.column)
                && amounts_count > count(|one| *one == Number::Unreadable)
        };
        let fees = columns.iter().filter(|one| is_it(one)).map(|one| one.column);
        let is_open = |fee: &usize| layout.columns.fees().all(|proven| proven != *fee);
        let mut fees: Vec<usize> = fees.filter(is_open).collect();
        let header = layout.header(amounts[0]);
        let is_net = known_key(&header).split(' ').any(|word| NET.contains(&word));
        fees.retain(|fee| !is_net && !self.is_proven_to_be_in_it(layout, *fee, format));
        let Some((first, others)) = fees.split_first() else { return };
        let is_signed = matches!(source, AmountSource::Signed { .. });
        let amount = amounts[0];
        let candidates = (0..layout.headers.len()).filter(|column| {
            is_signed
                && layout.columns.fee.is_none()
                && *column != amount
                && !fees.contains(column)
                && !layout.columns.uses(*column)
        });
        for other in candidates.collect::<Vec<usize>>() {
            if self.is_net_of(amount, other, &fees, format) {
                return;
            }
            if self.is_net_of(other, amount, &fees, format) {
                let source = AmountSource::Signed { column: other };
                layout.amount_currency =
                    take_amount(&layout.headers, &mut layout.columns, &source, is_currency_sent);
                layout.amount = Some(source);
                return;
            }
        }
        let shown = |column: &usize| quoted(&layout.header(*column));
        let (fee, others) = (shown(first), others.iter().map(shown).collect());
        let amount = quoted(&header);
        layout.problems.push(LayoutProblem::UnknownFee { fee, others, amount });
    }

    /// Whether balances follow without a fee: in a row that isn't the oldest of its account and
    /// currency, of which no balance shows the amount.
    fn is_proven_to_be_in_it(&mut self, layout: &Layout, fee: usize, format: NumberFormat) -> bool {
        let Some(balance) = &layout.balance else { return false };
        let is_oldest = oldest_rows(&self.sample, layout, balance.order);
        let mut rows = self.sample.numbers(fee, format).iter().zip(&is_oldest);
        rows.any(|(number, is_oldest)| !is_oldest && value(number).is_some_and(|fee| fee != 0))
    }

    /// Whether each amount of a column is that of another one without the fees, or without some of
    /// them: the others are contained in it.
    fn is_net_of(
        &mut self,
        net: usize,
        gross: usize,
        fees: &[usize],
        format: NumberFormat,
    ) -> bool {
        let mut all = |column: usize| self.sample.numbers(column, format).to_vec();
        let (net, gross) = (all(net), all(gross));
        let mut numbers = |fees: &[usize]| fees.iter().map(|fee| all(*fee)).collect::<Vec<_>>();
        let fees: Vec<Vec<Vec<Number>>> = choices(fees).iter().map(|some| numbers(some)).collect();
        // A fee that came back has a minus, unless all of them have one.
        let rules: [fn(i128, i128) -> i128; 3] =
            [|gross, fee| gross - fee.abs(), |gross, fee| gross - fee, |gross, fee| gross + fee];
        fees.iter().any(|fees| rules.iter().any(|rule| follows(rule, (&net, &gross), fees)))
    }
}

/// The signs of fees: one that came back has another one than the others.
#[derive(Debug)]
pub(super) struct FeeSigns {
    columns: Vec<FeeSign>,
}

#[derive(Debug)]
struct FeeSign {
    column: usize,
    minus: u64,
    others: u64,
}

impl FeeSigns {
    /// Those of the columns that a label names, or that are called so.
    pub(super) fn of(layout: &Layout) -> Option<Self> {
        let is_it = |column: &usize| {
            layout.columns.fees().any(|fee| fee == *column) || is_called_so(layout, *column)
        };
        let columns = (0..layout.headers.len()).filter(is_it);
        let columns: Vec<FeeSign> =
            columns.map(|column| FeeSign { column, minus: 0, others: 0 }).collect();
        (!columns.is_empty() && layout.columns.register.is_none()).then_some(Self { columns })
    }

    pub(super) fn observe(&mut self, cells: Cells<'_>) {
        for one in &mut self.columns {
            let cell = cells.get(one.column);
            if is_charge(cell) {
                let is_minus = written_sign(cell) == Written::Minus;
                *if is_minus { &mut one.minus } else { &mut one.others } += 1;
            }
        }
    }

    /// Keeps which sign is usual where both are there. Balances prove each row, whatever its sign.
    pub(super) fn finish(self, layout: &mut Layout) {
        if layout.balance.is_none() {
            let mixed = self.columns.into_iter().filter(|one| one.minus > 0 && one.others > 0);
            let usual = mixed.map(|one| (one.column, one.minus > one.others));
            layout.columns.fee_signs = usual.collect();
        }
    }
}

/// Which rows are the oldest of their account and currency.
fn oldest_rows(sample: &Sample, layout: &Layout, order: RowOrder) -> Vec<bool> {
    let columns = [layout.columns.account, layout.columns.currency];
    let cells = columns.into_iter().flatten().map(|column| sample.column(column).collect());
    let cells: Vec<Vec<&str>> = cells.collect();
    let mut seen = HashSet::new();
    let mut is_first = |row: usize| {
        let group: Vec<&str> = cells.iter().map(|column| column[row]).collect();
        seen.insert(group)
    };
    let rows = 0..sample.len();
    match order {
        RowOrder::OldestFirst => rows.map(is_first).collect(),
        RowOrder::NewestFirst => {
            let mut from_below: Vec<bool> = rows.rev().map(&mut is_first).collect();
            from_below.reverse();
            from_below
        }
    }
}

/// Whether each net amount is what a rule makes of the gross one and each fee; all together, fees
/// cost something.
fn follows(
    rule: &fn(i128, i128) -> i128,
    (net, gross): (&[Number], &[Number]),
    fees: &[Vec<Number>],
) -> bool {
    let mut rows = 0;
    let mut charged = 0;
    for (row, (net, gross)) in net.iter().zip(gross).enumerate() {
        let (Number::Value { value: net, .. }, Number::Value { value: gross, .. }) = (net, gross)
        else {
            return false;
        };
        let of_row = fees.iter().filter_map(|fee| value(fee.get(row)?));
        if *net != of_row.fold(*gross, rule) {
            return false;
        }
        rows += 1;
        charged += gross - net;
    }
    rows >= NET_ROWS_MIN && charged > 0
}

/// Whether fees may come off beside the amounts: what balances prove contains them.
fn is_directed(source: &AmountSource) -> bool {
    !matches!(source, AmountSource::ByBalance { .. })
}

/// The value of a number; nothing is zero.
fn value(number: &Number) -> Option<i128> {
    match number {
        Number::Value { value, .. } => Some(*value),
        Number::Blank => Some(0),
        Number::Unreadable => None,
    }
}
