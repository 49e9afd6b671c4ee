//! Whether the signs of amounts show which way money went.
//!
//! Amounts without any sign could all be money out as well as money in, and the statement of a card
//! may have purchases positive or negative. Unless a person, an earlier file, words, columns or a
//! balance decide, that is a question: a list of expenses must never become income.

use crate::import::kind::TargetAccount;
use crate::import::layout::{AmountSource, Layout};
use crate::import::layout_problem::LayoutProblem;
use crate::import::left_out::{AnchorKind, Cause};
use crate::import::settings::{Settings, Signage};
use crate::import::transaction::interpret::is_placeholder;
use crate::ledger::account::Classification;
use crate::text::number::{Written, written_sign};
use crate::text::quoted;

/// Counts the signs of the amounts.
#[derive(Debug)]
pub(super) struct SignCandidate {
    is_debt: bool,
    /// Nothing is known of the account, which may be a card's.
    is_unknown: bool,
    /// A column of words stands beside the amounts.
    has_words: bool,
    /// What an earlier file of the kind was imported with.
    earlier: Option<Signage>,
    /// Amounts with a minus, with a plus, and without a sign; zeros are left out.
    minus: u64,
    plus: u64,
    plain: u64,
    /// A line of the file states what there was before the oldest row.
    has_opening: bool,
}

impl SignCandidate {
    /// The counter; none if somebody has decided by the sign convention, column or strategy.
    pub(super) fn of(
        layout: &Layout,
        settings: &Settings,
        account: Option<TargetAccount>,
    ) -> Option<Self> {
        let is_decided = !matches!(layout.amount, Some(AmountSource::Signed { .. }))
            || settings.signage.is_some()
            || settings.amount_strategy.is_some()
            || settings.labels.amount.is_some();
        let is_debt = account.is_some_and(|one| one.classification == Classification::Liability);
        let one = Self {
            is_debt,
            is_unknown: account.is_none(),
            has_words: layout.columns.direction.is_some(),
            earlier: settings.preferred.signage,
            minus: 0,
            plus: 0,
            plain: 0,
            has_opening: false,
        };
        (!is_decided).then_some(one)
    }

    pub(super) fn observe(&mut self, amount: &str) {
        if is_placeholder(amount) || !amount.bytes().any(|byte| matches!(byte, b'1'..=b'9')) {
            return;
        }
        match written_sign(amount) {
            Written::Minus => self.minus += 1,
            Written::Plus => self.plus += 1,
            Written::None => self.plain += 1,
        }
    }

    /// Takes note of a line with the balance before the oldest row, which checks its amount.
    pub(super) fn note_left_out(&mut self, cause: Cause) {
        self.has_opening |= cause == Cause::Anchor(AnchorKind::Opening);
    }

    /// Takes over what decided an earlier file, or adds the question, if nothing in this one does.
    pub(super) fn finish(self, layout: &mut Layout) {
        let Some(AmountSource::Signed { column }) = layout.amount else { return };
        let is_asked = |problem: &LayoutProblem| {
            use LayoutProblem::{
                BalanceAgainstColumns, MoneyOrDebt, UncertainDirection, UnknownNumbers,
            };
            matches!(
                problem,
                UncertainDirection { .. }
                    | MoneyOrDebt { .. }
                    | BalanceAgainstColumns { .. }
                    | UnknownNumbers { .. }
            )
        };
        if layout.balance.is_some() {
            return self.finish_with_balance(column, layout);
        }
        if layout.found.iter().any(|name| name == "signage_convention")
            || layout.problems.iter().any(is_asked)
        {
            return;
        }
        // The same sign before every amount distinguishes nothing that words beside it distinguish.
        let has_signs = self.minus > 0 || (self.plus > 0 && !self.has_words);
        let is_open = if has_signs {
            // Purchases are more than payments, and an expense is never positive by default.
            // On a card's statement of which nobody knows that it is one, they may have no sign.
            (self.is_debt && self.plus + self.plain > self.minus)
                || (self.is_unknown && self.plain > self.minus + self.plus)
        } else {
            self.plain + self.plus > 0
        };
        if let Some(earlier) = self.earlier.filter(|_| is_open) {
            layout.signage = earlier;
        } else if is_open {
            let header = quoted(&layout.header(column));
            let is_debt = self.is_debt;
            layout.problems.push(LayoutProblem::UnknownDirection { header, has_signs, is_debt });
        }
    }
    /// Balances show which way the amounts went, but for that of the oldest row: what there was
    /// before it isn't known. Without a sign it could have gone the other way.
    fn finish_with_balance(self, column: usize, layout: &mut Layout) {
        let has_signs = self.minus + self.plus > 0;
        let is_known = self.has_opening || self.earlier == Some(layout.signage);
        if !has_signs && self.plain > 0 && !is_known {
            layout.problems.push(LayoutProblem::OldestDirection {
                header: quoted(&layout.header(column)),
                others: layout.signage,
            });
        }
    }
}
