//! Formats that nobody named, detected from the cells.
//!
//! The reader shows every record of the file to a [`Detector`], which then completes the layout:
//! the date format, the number format, whether a direction column or the signs decide anything,
//! whether what looks like a column of currencies or of the family's accounts is one, and whether a
//! column of balances proves all that or contradicts it. If two formats fit equally well and differ
//! in meaning, or if words and signs contradict each other, that is a problem of the layout which
//! reports the doubt; never a guess.

mod balance;
mod candidates;
mod columns;
mod direction;
mod fees;
mod formats;
mod own_account;
mod party;
mod purchase;
mod reversals;
mod signs;
mod status;
mod unnamed;

use balance::BalanceCandidate;
use columns::{AccountCandidate, CurrencyCandidate};
use direction::DirectionCandidate;
pub(in crate::import) use fees::choices;
use fees::{FeeCandidate, FeeSigns};
use formats::formats_in_question;
pub(in crate::import) use formats::{complete_date, complete_number};
use jiff::civil::Date;
use own_account::OwnAccount;
use party::PartyCandidate;
use purchase::PurchaseCurrency;
use reversals::ReversalCandidate;
use signs::SignCandidate;
use status::StatusCandidate;
use unnamed::UnnamedColumns;

use super::balance::readings::columns_of;
use super::footer;
use super::interpret::is_placeholder;
use super::row_gate::RowGate;
use crate::import::cells::Cells;
use crate::import::kind::{Context, Detect};
use crate::import::layout::{AmountSource, Layout};
use crate::import::layout_problem::LayoutProblem;
use crate::import::left_out::Cause;
use crate::import::settings::{Formats, Settings};
use crate::money::Currency;
use crate::text::date::DateFormatDetector;
use crate::text::number::NumberFormatDetector;

/// Cells that are kept to see whether the best format reads any.
const SAMPLES: usize = 20;

/// Looks at every record of a file.
#[derive(Debug)]
pub struct Detector {
    date: Option<Column<DateFormatDetector>>,
    number: Option<Column<NumberFormatDetector>>,
    amount_columns: Vec<usize>,
    direction: Option<DirectionCandidate>,
    currency: Option<CurrencyCandidate>,
    purchase: Option<PurchaseCurrency>,
    account: Option<AccountCandidate>,
    own_account: Option<OwnAccount>,
    balance: Option<BalanceCandidate>,
    signs: Option<SignCandidate>,
    reversals: Option<ReversalCandidate>,
    unnamed: Option<UnnamedColumns>,
    parties: Option<PartyCandidate>,
    statuses: Vec<StatusCandidate>,
    fees: Option<FeeCandidate>,
    fee_signs: Option<FeeSigns>,
    gate: RowGate,
    /// The first reason why a row is left out, until one is taken.
    none_taken: Option<String>,
    has_taken: bool,
    headers: Vec<String>,
    is_currency_sent: bool,
    date_column: usize,
    /// What decides between formats that fit equally well.
    preferred: Formats,
    /// The day of the upload.
    as_of: Date,
    /// The currency of amounts if the file names none.
    default_currency: Currency,
}

/// The cells of a column, and what finds their format.
#[derive(Debug)]
pub(in crate::import) struct Column<D> {
    pub(in crate::import) detector: D,
    samples: Vec<String>,
}

impl<D> Column<D> {
    /// Nothing was seen yet.
    pub(in crate::import) fn new(detector: D) -> Self {
        Self { detector, samples: Vec::new() }
    }

    /// Whether no cell had a text.
    pub(in crate::import) fn is_blank(&self) -> bool {
        self.samples.is_empty()
    }

    /// Keeps a cell, to see whether the best format reads any.
    pub(in crate::import) fn sample(&mut self, cell: &str) {
        if self.samples.len() < SAMPLES && !cell.is_empty() {
            self.samples.push(cell.to_owned());
        }
    }
}

impl Detector {
    /// What the cells have to decide for this layout; nothing if header and settings decide all.
    pub fn new(layout: &Layout, settings: &Settings, context: Context<'_>) -> Option<Self> {
        let account = context.account;
        let amount_columns = match &layout.amount {
            Some(AmountSource::DebitCredit { debit, credit }) => vec![*debit, *credit],
            Some(source) => vec![columns_of(source)[0]],
            None => proposed_amounts(layout),
        };
        let is_open = matches!(layout.amount, Some(AmountSource::Signed { .. }))
            && settings.amount_strategy.is_none()
            && settings.signage.is_none();
        let gate = RowGate::of(layout);
        let detector = Self {
            date_column: layout.columns.date?,
            date: layout.date_format.is_none().then(|| Column::new(DateFormatDetector::new())),
            number: layout
                .number_format
                .is_none()
                .then(|| Column::new(NumberFormatDetector::new())),
            direction: DirectionCandidate::of(layout, settings).filter(|_| is_open),
            currency: CurrencyCandidate::of(layout).filter(|_| settings.labels.currency.is_none()),
            purchase: PurchaseCurrency::of(layout, settings, context),
            account: AccountCandidate::of(layout).filter(|_| settings.labels.account.is_none()),
            own_account: OwnAccount::of(layout, settings, context),
            balance: BalanceCandidate::of(layout, settings, account),
            signs: SignCandidate::of(layout, settings, account),
            reversals: ReversalCandidate::of(layout, settings),
            unnamed: UnnamedColumns::of(layout, settings, context),
            parties: PartyCandidate::of(layout),
            statuses: gate.statuses().map(|column| StatusCandidate::new(layout, column)).collect(),
            fees: FeeCandidate::of(layout, settings),
            fee_signs: FeeSigns::of(layout),
            gate,
            none_taken: None,
            has_taken: false,
            headers: layout.headers.clone(),
            is_currency_sent: settings.labels.currency.is_some(),
            amount_columns,
            preferred: settings.preferred.clone(),
            as_of: context.as_of,
            default_currency: context.default_currency(),
        };
        detector.is_needed().then_some(detector)
    }

    /// Balances that lines state are longer than amounts, so that they show more of the format; and
    /// they prove nothing if they can't be read in it.
    fn observe_stated(&mut self, cells: Cells<'_>) {
        let Some(number) = &mut self.number else { return };
        if self.gate.balance_of(cells).is_none() {
            return;
        }
        for column in &self.amount_columns {
            let cell = cells.get(*column);
            if cell.bytes().any(|byte| byte.is_ascii_digit()) {
                number.detector.observe(cell);
            }
        }
    }

    fn is_needed(&self) -> bool {
        self.wants_all() || self.balance.is_some()
    }

    /// Whether something is decided by all records.
    fn wants_all(&self) -> bool {
        self.date.is_some()
            || self.number.is_some()
            || self.direction.is_some()
            || self.currency.is_some()
            || self.purchase.is_some()
            || self.account.is_some()
            || self.own_account.is_some()
            || self.signs.as_ref().is_some_and(|signs| !signs.is_done())
            || self.reversals.is_some()
            || self.unnamed.is_some()
            || self.parties.is_some()
            || !self.statuses.is_empty()
            || self.fees.is_some()
            || self.fee_signs.is_some()
    }
}

fn has_digit(cell: &str) -> bool {
    cell.bytes().any(|byte| byte.is_ascii_digit())
}

impl Detect for Detector {
    fn observe(&mut self, cells: Cells<'_>) {
        let day = cells.get(self.date_column);
        if !has_digit(day)
            && (footer::is_footer(cells, self.date_column, &self.amount_columns)
                || footer::repeats_header(cells, &self.headers))
        {
            self.observe_stated(cells);
            return;
        }
        let left_out = self.gate.left_out(cells);
        if left_out.is_none_or(|it| matches!(it.cause, Cause::Refused | Cause::Pending)) {
            for status in &mut self.statuses {
                status.observe(cells, &self.amount_columns, left_out.is_none());
            }
        }
        if let Some(left_out) = left_out {
            self.signs.iter_mut().for_each(|signs| signs.note_left_out(left_out.cause));
            if !self.has_taken && self.none_taken.is_none() {
                self.none_taken = Some(left_out.text(&self.headers));
            }
            self.observe_stated(cells);
            return;
        }
        self.has_taken = true;
        if let Some(balance) = self.balance.as_mut().filter(|balance| !balance.is_full()) {
            balance.observe(cells);
            // Balances are longer than amounts, so that they show more of the format.
            if let (Some(number), Some(column)) = (&mut self.number, balance.named.first()) {
                let cell = cells.get(*column);
                if !is_placeholder(cell) {
                    number.detector.observe(cell);
                    number.sample(cell);
                }
            }
        }
        if let Some(date) = &mut self.date {
            date.detector.observe(day);
            date.sample(day);
        }
        let has_day = has_digit(day);
        if let Some(unnamed) = self.unnamed.as_mut().filter(|_| has_day) {
            unnamed.observe(cells, &self.amount_columns);
        }
        if let Some(own) = self.own_account.as_mut().filter(|_| has_day) {
            own.observe(cells);
        }
        for column in &self.amount_columns {
            let cell = cells.get(*column);
            if let Some(number) = &mut self.number
                && !is_placeholder(cell)
            {
                number.detector.observe(cell);
                number.sample(cell);
            }
            if let Some(candidate) = &mut self.direction {
                candidate.observe(cell, cells.get(candidate.column));
            }
            self.signs.iter_mut().for_each(|signs| signs.observe(cell));
        }
        self.reversals.iter_mut().for_each(|candidate| candidate.observe(cells));
        self.parties.iter_mut().for_each(|candidate| candidate.observe(cells));
        self.fees.iter_mut().filter(|_| has_day).for_each(|fees| fees.observe(cells));
        self.fee_signs.iter_mut().filter(|_| has_day).for_each(|signs| signs.observe(cells));
        if let Some(candidate) = &mut self.currency {
            candidate.observe(cells.get(candidate.column));
        }
        self.purchase.iter_mut().for_each(|candidate| candidate.observe(cells));
        self.account.iter_mut().for_each(|it| it.observe(cells.get(it.column)));
    }

    fn is_done(&self) -> bool {
        !self.wants_all() && self.balance.as_ref().is_none_or(BalanceCandidate::is_full)
    }

    fn finish(self: Box<Self>, layout: &mut Layout) {
        let has_taken = self.has_taken;
        if let Some(reason) = self.none_taken.filter(|_| !has_taken) {
            layout.problems.push(LayoutProblem::AllLeftOut { reason });
            return;
        }
        if let Some(date) = self.date {
            complete_date(date, self.preferred.date_format.as_deref(), self.as_of, layout);
        }
        let has_amount = layout.amount.is_some();
        if let Some(number) = self.number.filter(|number| has_amount || !number.samples.is_empty())
        {
            let currency = layout.amount_currency.unwrap_or(self.default_currency);
            let currency = layout.columns.currency.is_none().then_some(currency);
            complete_number(number, self.preferred.number_format, currency, layout);
        }
        let proves_signs = self.direction.as_ref().is_some_and(DirectionCandidate::proves_signs);
        if let Some(candidate) = self.direction {
            candidate.finish(layout);
        }
        if let Some(candidate) = self.parties {
            candidate.finish(layout);
        }
        if let Some(candidate) = self.currency {
            candidate.finish(layout);
        }
        self.purchase.iter().for_each(|candidate| candidate.finish(layout));
        self.account.into_iter().for_each(|candidate| candidate.finish(layout));
        self.own_account.into_iter().for_each(|own| own.finish(layout));
        if let Some(candidate) = self.balance {
            let formats = formats_in_question(layout);
            candidate.finish(layout, &formats);
        }
        self.purchase.iter().for_each(|candidate| candidate.finish_after_balance(layout));
        self.reversals.into_iter().for_each(|candidate| candidate.finish(layout));
        if let Some(fees) = self.fees {
            fees.finish(layout, self.is_currency_sent);
        }
        // The net amount may be another one than was compared.
        self.purchase.iter().for_each(|candidate| candidate.finish_after_balance(layout));
        self.fee_signs.into_iter().for_each(|signs| signs.finish(layout));
        if let Some(candidate) = self.signs {
            candidate.finish(layout, proves_signs);
        }
        if let Some(candidate) = self.unnamed {
            candidate.finish(layout);
        }
        let mut is_decided = false;
        for status in self.statuses {
            let decides = status.decides_all();
            status.finish(layout, is_decided);
            is_decided |= decides;
        }
        if !self.is_currency_sent {
            layout.ask_for_code();
        }
    }
}

/// Columns of which one may be the amount: their numbers show how numbers are written.
fn proposed_amounts(layout: &Layout) -> Vec<usize> {
    let columns = layout.problems.iter().filter_map(|problem| match problem {
        LayoutProblem::WhichColumn { columns, .. } if problem.is_open_to_cells() => Some(columns),
        _ => None,
    });
    columns.flatten().map(|one| one.column).collect()
}

#[cfg(test)]
#[path = "detection_tests.rs"]
mod tests;
