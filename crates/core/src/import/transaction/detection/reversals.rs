//! Whether amounts of a direction have different signs, so that some are money that came back.
//!
//! A balance that follows shows what they are; else it is a question, because a sign that is left
//! out turns money that came back into a second payment.

use crate::import::cells::Cells;
use crate::import::layout::{AmountSource, Layout};
use crate::import::layout_problem::LayoutProblem::{self, UncertainDirection};
use crate::import::settings::{AmountStrategy, Settings};
use crate::import::transaction::header_names::known_key;
use crate::import::transaction::reversals::Reversals;
use crate::text::quoted;

/// Counts the signs of amounts that have a direction.
#[derive(Debug)]
pub(super) struct ReversalCandidate {
    source: AmountSource,
    found: Reversals,
    /// What a person has sent.
    strategy: Option<AmountStrategy>,
    /// Not for this file, but for an earlier one.
    is_strategy_taken: bool,
    /// What was usual in an earlier file of the account.
    earlier: Option<Reversals>,
    /// The column that was chosen as money out in a file of another account, and here isn't.
    turned: Option<String>,
}

impl ReversalCandidate {
    /// The counter, if columns or words give the direction, or may do so. With a value that was
    /// sent for money in, amounts have no sign by definition, and in a program's own file none.
    pub(super) fn of(layout: &Layout, settings: &Settings) -> Option<Self> {
        if layout.columns.register.is_some() {
            return None;
        }
        let source = match (layout.amount.as_ref()?, layout.columns.direction) {
            (AmountSource::Signed { column }, Some(direction)) => {
                AmountSource::Directed { amount: *column, direction, inflow_value: None }
            }
            (AmountSource::Directed { inflow_value: Some(_), .. }, _)
            | (AmountSource::Signed { .. } | AmountSource::ByBalance { .. }, _) => return None,
            (source, _) => source.clone(),
        };
        let strategy = settings.amount_strategy;
        let is_strategy_taken = settings.preferred.is_strategy_taken;
        let earlier = settings.preferred.reversals;
        let sent = settings.labels.more.contains_key("debit_col_label");
        let turned = settings.preferred.debit_elsewhere.clone().filter(|_| !sent);
        let found = Reversals::default();
        Some(Self { source, found, strategy, is_strategy_taken, earlier, turned })
    }

    pub(super) fn observe(&mut self, cells: Cells<'_>) {
        self.found.observe(&self.source, cells);
    }

    /// Takes over what the signs mean, or adds the question. The balance has taken another source
    /// with the signs of its own.
    pub(super) fn finish(self, layout: &mut Layout) {
        let is_sent = self.strategy.is_some_and(AmountStrategy::is_of_words);
        if is_sent && is_column_of(layout, &self.source) {
            // Without a header the column of words is known only by now.
            layout.amount = Some(self.source.clone());
        }
        let has_balance = layout.balance.is_some();
        if layout.amount.as_ref() != Some(&self.source) {
            let is_of_words = |it: &LayoutProblem| matches!(it, UncertainDirection { .. });
            if !has_balance && layout.problems.iter().any(is_of_words) {
                // As below: an answer may be that the words decide.
                layout.reversals = self.earlier;
            }
            return;
        }
        if let AmountSource::DebitCredit { credit, .. } = self.source
            && self.turned.is_some_and(|turned| known_key(&turned) == header_key(layout, credit))
            && !has_balance
        {
            let credit = quoted(&layout.header(credit));
            layout.problems.push(LayoutProblem::TurnedElsewhere { credit });
        }
        let found = match self.strategy {
            Some(by) if has_balance => Some(self.found.decided(by, self.earlier)),
            Some(by) if self.is_strategy_taken && by.is_of_reversals() => {
                self.found.as_earlier(by, self.earlier)
            }
            Some(by) => Some(self.found.meant(by, self.earlier)),
            None => Some(self.found),
        };
        let is_known = found.is_some();
        let found = found.unwrap_or(self.found);
        if !found.are_there() {
            return;
        }
        if self.strategy == Some(AmountStrategy::DirectionOnly) {
            layout.reversals = layout.reversals.filter(|_| has_balance);
            return;
        }
        if is_known && (is_sent || has_balance) {
            layout.reversals = Some(found);
            return;
        }
        let is_asked = |problem: &LayoutProblem| {
            use LayoutProblem::{BalanceAgainstColumns, MoneyOrDebt};
            matches!(problem, MoneyOrDebt { .. } | BalanceAgainstColumns { .. })
        };
        if layout.problems.iter().any(is_asked) {
            // The balance shows it, too, once it is known what it counts.
            return;
        }
        let headers = match self.source {
            AmountSource::DebitCredit { debit, credit } => vec![debit, credit],
            AmountSource::Directed { amount, direction, .. } => vec![amount, direction],
            AmountSource::Signed { column } | AmountSource::ByBalance { column } => vec![column],
        };
        let shown = |column: usize| quoted(&layout.header(column));
        let headers = headers.into_iter().map(shown).collect();
        layout.problems.push(LayoutProblem::MixedSigns { headers });
        // Each answer is read with it, as it will be once it is given.
        layout.reversals = self.earlier;
    }
}

fn header_key(layout: &Layout, column: usize) -> String {
    known_key(&layout.header(column))
}

/// Whether the amounts are those of the only column of a source, read by their signs so far.
fn is_column_of(layout: &Layout, source: &AmountSource) -> bool {
    match (&layout.amount, source) {
        (Some(AmountSource::Signed { column }), AmountSource::Directed { amount, .. }) => {
            column == amount
        }
        _ => false,
    }
}
