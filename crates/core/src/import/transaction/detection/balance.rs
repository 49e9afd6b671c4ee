//! The running balance as the judge of everything else that was found.
//!
//! The first rows are kept. At the end every reading of them is tried ([`super::super::balance`]);
//! the one by which the balances follow corrects the amount's columns, the number format, and the
//! sign convention, and later every row is compared with it.

mod doubts;

use super::super::balance::meaning::{Doubt, Evidence, meaning};
use super::super::balance::readings::{
    Number, Reading, Sample, Score, Trial, best, columns_of, is_format_proven,
};
use super::super::balance::{RunningBalance, unsigned};
use super::super::columns::{FEE_SETTING, take_amount};
use super::super::header_names::balances::{AVAILABLE, balance_rank};
use super::super::header_names::{Role, known};
use super::candidates::{
    changes_of, is_called, is_decided_by_balance, is_free, named_columns, note, order_by_days,
    proposed_pairs, words_of,
};
use super::columns::is_doubtful;
use super::fees;
use crate::import::cells::{Cells, CellsBuf};
use crate::import::kind::TargetAccount;
use crate::import::layout::{AmountSource, Layout};
use crate::import::layout_problem::LayoutProblem;
use crate::import::settings::{BalanceCheck, Settings, Signage};
use crate::text::number::NumberFormat;
use crate::text::quoted;

/// The first rows, by which the reading is found.
const SAMPLE_ROWS: usize = 300;
/// Columns that are tried as a balance because they hold numbers.
const COLUMNS_WITHOUT_NAME_MAX: usize = 4;
/// Columns that are tried as the amount.
const SOURCES_MAX: usize = 12;

/// The rows that show whether a column is a balance, and what is known about them.
#[derive(Debug)]
pub(super) struct BalanceCandidate {
    sample: Sample,
    /// Columns that a label or their names make a balance, the preferred first.
    pub(super) named: Vec<usize>,
    settings: Settings,
    account: Option<TargetAccount>,
}

impl BalanceCandidate {
    pub(super) fn of(
        layout: &Layout,
        settings: &Settings,
        account: Option<TargetAccount>,
    ) -> Option<Self> {
        if settings.balance_check.is_some_and(BalanceCheck::ignores_balances) {
            return None;
        }
        let named = match layout.columns.balance {
            Some(column) => vec![column],
            None => named_columns(layout),
        };
        let amounts = layout.amount.as_ref().map(columns_of);
        let is_candidate = |column| {
            is_free(layout, column) && !amounts.is_some_and(|amounts| amounts.contains(&column))
        };
        if layout.amount.is_some()
            && named.is_empty()
            && !(0..layout.headers.len()).any(is_candidate)
        {
            return None;
        }
        Some(Self { sample: Sample::of(settings), named, settings: settings.clone(), account })
    }

    pub(super) fn observe(&mut self, cells: Cells<'_>) {
        if !self.is_full() {
            self.sample.push(cells.iter().collect::<CellsBuf>());
        }
    }

    pub(super) fn is_full(&self) -> bool {
        self.sample.len() >= SAMPLE_ROWS
    }

    /// Completes or corrects the layout, or adds a problem. `formats` are those that fit all
    /// amounts.
    pub(super) fn finish(mut self, layout: &mut Layout, formats: &[NumberFormat]) {
        let sources = self.sources(layout, formats);
        // If the import has one account, all balances are that account's.
        let of_file = layout.columns.account.filter(|_| self.account.is_none());
        let groups = [of_file, layout.columns.currency];
        let order = order_by_days(&self.sample, layout, &self.sample.groups(groups));
        let is_in_doubt = layout.problems.iter().any(is_decided_by_balance);
        let default = layout.amount.as_ref().filter(|_| !is_in_doubt);
        let default = default.map(|_| (0, self.is_inverted_by_default(layout)));
        let named = self.named.clone();
        let balances = &named[..];
        let sources = &sources[..];
        let fees: Vec<usize> = layout.columns.fees().collect();
        let fees = &fees[..];
        let trial = Trial { balances, sources, formats, groups, order, default, fees };
        let mut readings = self.sample.readings(&trial);
        let is_fee_sent = self.settings.labels.more.contains_key(FEE_SETTING);
        if !is_fee_sent
            && let Some((fees, with)) = fees::proven(layout, &mut self.sample, &trial, &readings)
        {
            layout.columns.set_fees(fees);
            readings = with;
        }
        if self.decide(layout, &trial, &readings, Score::is_proven) {
            return;
        }
        if !readings.is_empty() {
            return self.contradict(layout, &readings, default);
        }
        let unnamed = self.columns_without_name(layout, sources, formats);
        // A column that isn't called a balance may be the total of any column: only with the one
        // that is called an amount is it a proof.
        let sources =
            if layout.amount.is_some() { &sources[..1.min(sources.len())] } else { sources };
        let trial = Trial { balances: &unnamed, sources, ..trial };
        let readings = self.sample.readings(&trial);
        self.decide(layout, &trial, &readings, Score::is_proven_without_name);
    }

    /// Takes over what a proven one of the readings shows; false if none is proven.
    fn decide(
        &mut self,
        layout: &mut Layout,
        trial: &Trial<'_>,
        readings: &[Reading],
        is_proven: fn(Score) -> bool,
    ) -> bool {
        let changes = changes_of(&mut self.sample, trial);
        // Amounts without signs of which some break the balance go both ways: it doesn't show the
        // direction of those that it can't prove.
        let is_unsigned = |reading: &Reading| {
            matches!(trial.sources.get(reading.source), Some(AmountSource::Signed { .. }))
                && !changes(reading).iter().any(Number::is_negative)
        };
        let is_clear = |reading: &&Reading| reading.score.breaks == 0 || !is_unsigned(reading);
        let clear: Vec<Reading> = readings.iter().filter(is_clear).cloned().collect();
        if let Some(reading) = best(&clear, is_proven, trial.default, &changes) {
            self.take(layout, reading, readings, trial.sources);
            return true;
        }
        if clear.iter().any(|reading| is_proven(reading.score)) {
            // Several readings are proven, and nothing decides: what is in doubt is asked anyway.
            return true;
        }
        let Some((reading, tried)) = unsigned::proven(&mut self.sample, trial, is_proven) else {
            return false;
        };
        let by_balance: Vec<AmountSource> =
            trial.sources.iter().map(AmountSource::by_balance).collect();
        self.take(layout, &reading, &tried, &by_balance);
        true
    }

    /// Whether the balance falls with what the amount's columns have as positive, if nothing but
    /// the settings and the words decide.
    fn is_inverted_by_default(&self, layout: &Layout) -> bool {
        let is_signed = matches!(layout.amount, Some(AmountSource::Signed { .. }));
        is_signed && layout.signage == Signage::InflowsNegative
    }

    /// Where the amount may come from: what header and words give, then other columns of amounts;
    /// without any, every column of numbers.
    fn sources(&mut self, layout: &Layout, formats: &[NumberFormat]) -> Vec<AmountSource> {
        let mut sources: Vec<AmountSource> = layout.amount.iter().cloned().collect();
        let labels = &self.settings.labels;
        if labels.amount.is_some() || self.settings.amount_strategy.is_some() {
            return sources;
        }
        let roles: Vec<Option<Role>> =
            layout.headers.iter().map(|header| known(header).map(|(role, _)| role)).collect();
        let of = |role: Role| {
            (0..roles.len()).filter(move |column| roles.get(*column) == Some(&Some(role)))
        };
        let of = |role: Role| of.clone()(role).collect::<Vec<usize>>();
        let mut add = |source: AmountSource| {
            if sources.len() < SOURCES_MAX && !sources.contains(&source) {
                sources.push(source);
            }
        };
        for debit in of(Role::Debit) {
            for credit in of(Role::Credit) {
                add(AmountSource::DebitCredit { debit, credit });
            }
        }
        let amounts = of(Role::Amount);
        for column in amounts.iter().copied() {
            add(AmountSource::Signed { column });
        }
        if let Some(direction) = layout.columns.direction {
            for amount in amounts {
                add(AmountSource::Directed { amount, direction, inflow_value: None });
                for word in words_of(&self.sample, direction) {
                    let inflow_value = Some(word);
                    add(AmountSource::Directed { amount, direction, inflow_value });
                }
            }
        }
        if layout.amount.is_none() && sources.is_empty() {
            // Nothing proves the oldest row, at one of the ends.
            let inner = self.sample.len().saturating_sub(2);
            let is_proven = |column: &usize| {
                let is_amount = |cell: &str| cell.bytes().any(|byte| matches!(byte, b'1'..=b'9'));
                self.sample.column(*column).skip(1).take(inner).any(is_amount)
            };
            let mut pairs = proposed_pairs(layout);
            pairs.retain(|pair| pair.iter().all(is_proven));
            for pair in pairs {
                for (debit, credit) in [(pair[0], pair[1]), (pair[1], pair[0])] {
                    sources.push(AmountSource::DebitCredit { debit, credit });
                }
            }
            let named = self.named.clone();
            let columns = 0..layout.headers.len();
            let columns = columns.filter(|column| !named.contains(column));
            for column in columns.filter(|column| is_free(layout, *column)) {
                // A column with gaps may be one of two, for money out or for money in.
                let is_whole = |format: &NumberFormat| {
                    self.sample.is_numeric(column, *format)
                        && !self.sample.numbers(column, *format).iter().any(Number::is_gap)
                };
                if formats.iter().any(is_whole) && sources.len() < SOURCES_MAX {
                    sources.push(AmountSource::Signed { column });
                }
            }
        }
        sources
    }

    /// Columns of numbers that have no other role.
    fn columns_without_name(
        &mut self,
        layout: &Layout,
        sources: &[AmountSource],
        formats: &[NumberFormat],
    ) -> Vec<usize> {
        let mut columns = Vec::new();
        if !self.named.is_empty() && self.settings.labels.balance.is_some() {
            return columns;
        }
        for column in (0..layout.headers.len()).rev() {
            let is_amount = layout.amount.is_some()
                && sources.first().is_some_and(|source| columns_of(source).contains(&column));
            if is_free(layout, column)
                && !is_amount
                && columns.len() < COLUMNS_WITHOUT_NAME_MAX
                && formats.iter().any(|format| self.sample.is_numeric(column, *format))
            {
                columns.push(column);
            }
        }
        columns
    }

    /// Takes over what the proven one of the readings shows.
    fn take(
        &mut self,
        layout: &mut Layout,
        reading: &Reading,
        readings: &[Reading],
        sources: &[AmountSource],
    ) {
        let Some(source) = sources.get(reading.source) else { return };
        layout.problems.retain(|problem| !is_decided_by_balance(problem));
        if layout.number_format.is_none() && is_format_proven(readings, reading) {
            let is_number =
                |problem: &LayoutProblem| matches!(problem, LayoutProblem::AmbiguousNumbers { .. });
            layout.problems.retain(|problem| !is_number(problem));
            layout.number_format = Some(reading.format);
            note(layout, "number_format");
        }
        let is_new = layout.amount.is_none();
        if layout.amount.as_ref() != Some(source) {
            self.take_source(layout, source);
        }
        let evidence = self.evidence(layout, reading, source);
        match meaning(&evidence) {
            Ok((sense, signage)) => {
                if layout.signage != signage {
                    layout.signage = signage;
                    note(layout, "signage_convention");
                }
                if self.settings.labels.balance.is_none() {
                    note(layout, "balance_col_label");
                }
                layout.reversals = self.sample.reversals(source);
                layout.unmarked_is_out = reading.is_marked.then_some(true);
                layout.balance = Some(RunningBalance {
                    column: reading.balance,
                    order: reading.order,
                    sense,
                    proofs: reading.score.proofs,
                    breaks: Vec::new(),
                    ends: Vec::new(),
                    directions: None,
                });
                if is_new {
                    self.ask_about_oldest(layout, source);
                }
            }
            Err(doubt) => {
                // As it will be once it is known what the balance counts.
                layout.unmarked_is_out = reading.is_marked.then_some(true);
                let header = quoted(&layout.header(reading.balance));
                layout.problems.push(match doubt {
                    Doubt::MoneyOrDebt if evidence.is_unsigned => {
                        let Reading { balance: column, order, .. } = *reading;
                        LayoutProblem::UnsignedMoneyOrDebt { header, column, order }
                    }
                    Doubt::MoneyOrDebt => LayoutProblem::MoneyOrDebt {
                        header,
                        is_directed: evidence.is_directed || evidence.signage.is_some(),
                        is_by_balance: evidence.is_word_unknown && !evidence.is_inverted,
                    },
                    Doubt::AgainstColumns => LayoutProblem::BalanceAgainstColumns { header },
                });
            }
        }
    }

    fn take_source(&self, layout: &mut Layout, source: &AmountSource) {
        let is_currency_sent = self.settings.labels.currency.is_some();
        let earlier = layout.columns.currency;
        let found = take_amount(&layout.headers, &mut layout.columns, source, is_currency_sent);
        if !is_currency_sent {
            layout.amount_currency = found;
        }
        let taken = layout.columns.currency.filter(|_| layout.columns.currency != earlier);
        if taken.is_some_and(|column| is_doubtful(layout, column)) {
            // Its cells were looked at before, and are something else.
            layout.columns.currency = None;
        }
        if matches!(source, AmountSource::Directed { .. } | AmountSource::ByBalance { .. }) {
            note(layout, "amount_type_strategy");
        }
        layout.amount = Some(source.clone());
        note(layout, "amount_col_label");
    }

    fn evidence(&mut self, layout: &Layout, reading: &Reading, source: &AmountSource) -> Evidence {
        let changes = self.sample.changes(source, reading.format, reading.is_marked);
        let settings = &self.settings;
        let values = |number: &Number| match number {
            Number::Value { value, is_marked } => Some((*value, *is_marked)),
            Number::Blank | Number::Unreadable => None,
        };
        let marked = changes.iter().filter_map(values).filter(|(_, is_marked)| *is_marked).count();
        let is_unsigned = matches!(source, AmountSource::ByBalance { .. });
        let is_directed = !(is_unsigned || matches!(source, AmountSource::Signed { .. }))
            || reading.is_marked
            || marked * 2 > changes.iter().filter_map(values).count();
        // Words beside the amounts have shown it.
        let by_words = layout.found.iter().any(|name| name == "signage_convention");
        let balances = self.sample.numbers(reading.balance, reading.format);
        Evidence {
            is_inverted: reading.is_inverted,
            is_directed,
            is_unsigned,
            has_signs: changes.iter().any(Number::is_negative),
            is_word_unknown: match source {
                AmountSource::Directed { inflow_value, .. } => {
                    self.settings.inflow_value.is_none() && inflow_value.is_some()
                }
                AmountSource::DebitCredit { debit, .. } => !is_called(layout, settings, *debit),
                AmountSource::Signed { .. } | AmountSource::ByBalance { .. } => false,
            },
            signage: self.settings.signage.or(by_words.then_some(layout.signage)),
            classification: self.account.map(|account| account.classification),
            is_confirmed: self.settings.balance_check.is_some_and(BalanceCheck::confirms_balance),
            is_called_balance: self.settings.labels.balance.is_some()
                || balance_rank(&layout.header(reading.balance))
                    .is_some_and(|rank| rank != AVAILABLE),
            is_never_positive: balances.iter().filter_map(values).all(|(value, _)| value <= 0),
            is_never_negative: balances.iter().filter_map(values).all(|(value, _)| value >= 0),
        }
    }
}
