//! Whether the signs of amounts show which way money went.
//!
//! Amounts without any sign could all be money out as well as money in, and the statement of a card
//! may have purchases positive or negative. Unless a person, an earlier file, words, columns or a
//! balance decide, that is a question: a list of expenses must never become income.

use crate::import::kind::TargetAccount;
use crate::import::layout::{AmountSource, Layout};
use crate::import::layout_problem::LayoutProblem::{self, UncertainDirection};
use crate::import::left_out::{AnchorKind, Cause};
use crate::import::settings::{AmountStrategy, Formats, Settings, Signage};
use crate::import::transaction::balance::readings::columns_of;
use crate::import::transaction::header_names::{Role, known};
use crate::import::transaction::interpret::is_placeholder;
use crate::ledger::account::Classification;
use crate::text::number::{Written, written_sign};
use crate::text::quoted;

/// A minus of a debt is a purchase if it stands before more than so many times as many amounts as
/// have none: a card that is rarely used has as many payments and refunds as purchases.
const MANY: u64 = 2;

/// Counts the signs of the amounts.
#[derive(Debug)]
pub(super) struct SignCandidate {
    /// Somebody has decided by the sign convention.
    is_decided: bool,
    /// A caller has named the only column with a known name of amounts, because its convention is
    /// known.
    is_named_surely: bool,
    /// A caller has named any column: that decides what signs mean, but nothing if there are none.
    is_named: bool,
    /// Somebody has decided that the signs count, if there are any.
    is_by_sign: bool,
    is_debt: bool,
    /// Nothing is known of the account, which may be a card's.
    is_unknown: bool,
    /// A column of words stands beside the amounts.
    has_words: bool,
    /// What an earlier file of the account with signs was imported with.
    earlier: Option<Signage>,
    /// The same of a file of which it isn't known whether it had signs.
    perhaps: Option<Signage>,
    /// Whether amounts without a mark were money out in an earlier file of the account.
    unmarked: Option<bool>,
    /// All amounts of the last file of the account were money out, without any sign.
    was_all_out: bool,
    /// In an earlier file, perhaps of another account, positive amounts were money out.
    is_negative_elsewhere: bool,
    /// Amounts with a minus, with a plus, and without a sign; zeros are left out.
    minus: u64,
    plus: u64,
    plain: u64,
    /// A line of the file states what there was before the oldest row.
    has_opening: bool,
}

impl SignCandidate {
    /// The counter; none if the sign doesn't count.
    pub(super) fn of(
        layout: &Layout,
        settings: &Settings,
        account: Option<TargetAccount>,
    ) -> Option<Self> {
        let is_amount = |header: &String| matches!(known(header), Some((Role::Amount, _)));
        let amount = layout.amount.as_ref().map(|source| layout.header(columns_of(source)[0]));
        let is_only = amount.is_some_and(|header| is_amount(&header))
            && layout.headers.iter().filter(|header| is_amount(header)).count() == 1;
        let is_debt = account.is_some_and(|one| one.classification == Classification::Liability);
        let Formats { signage, has_signs, unmarked_is_out, is_negative_elsewhere, .. } =
            settings.preferred;
        let of_signs = signage.filter(|_| unmarked_is_out != Some(true));
        let one = Self {
            is_decided: settings.signage.is_some(),
            is_named_surely: settings.names_amount && is_only,
            is_named: settings.names_amount,
            is_by_sign: settings.amount_strategy == Some(AmountStrategy::SignedAmount),
            is_debt,
            is_unknown: account.is_none(),
            has_words: layout.columns.direction.is_some(),
            earlier: of_signs.filter(|_| has_signs == Some(true)),
            perhaps: of_signs.filter(|_| has_signs.is_none()),
            unmarked: unmarked_is_out,
            was_all_out: has_signs == Some(false) && of_signs == Some(Signage::InflowsNegative),
            is_negative_elsewhere,
            minus: 0,
            plus: 0,
            plain: 0,
            has_opening: false,
        };
        matches!(layout.amount, Some(AmountSource::Signed { .. })).then_some(one)
    }

    /// Whether nothing depends on further rows.
    pub(super) fn is_done(&self) -> bool {
        let is_new = self.earlier.or(self.perhaps).is_none() && !self.is_negative_elsewhere;
        let is_clear = self.is_decided || (is_new && (self.is_by_sign || self.is_named));
        is_clear && self.minus > 0 && self.unmarked.is_none()
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
    /// `proves_signs`: words beside the signs show that money out has the minus.
    pub(super) fn finish(&self, layout: &mut Layout, proves_signs: bool) {
        let Some(AmountSource::Signed { column }) = layout.amount else { return };
        layout.has_no_signs =
            self.minus == 0 && !(self.is_decided && self.plus > 0 && self.plain == 0);
        let has_marks = self.is_partial() || self.was_unmarked_out();
        if !self.is_decided {
            self.finish_undecided(column, layout, proves_signs);
        }
        // While something is open, the rows beside its answers are read with that.
        let is_out = layout.signage == Signage::InflowsNegative;
        if has_marks && self.is_decided {
            layout.unmarked_is_out = Some(is_out);
        } else if has_marks && !layout.problems.is_empty() {
            layout.unmarked_is_out.get_or_insert(is_out);
        }
    }

    fn finish_undecided(&self, column: usize, layout: &mut Layout, proves_signs: bool) {
        let has_any = self.minus + self.plus > 0;
        let is_named = self.is_named_surely || ((self.is_by_sign || self.is_named) && has_any);
        if is_named && (layout.balance.is_some() || !self.is_unusual()) {
            return;
        }
        if layout.balance.is_some() {
            return self.finish_with_balance(column, layout);
        }
        let is_found = layout.found.iter().any(|name| name == "signage_convention");
        if is_found || layout.problems.iter().any(is_about_signs) {
            let is_of_words = |it: &LayoutProblem| matches!(it, UncertainDirection { .. });
            if !is_found && self.is_unusual() && layout.problems.iter().any(is_of_words) {
                // That the signs decide is read as it will be once that is the answer.
                layout.signage = self.earlier_by_sign().unwrap_or(layout.signage);
            }
            return;
        }
        match self.unmarked {
            Some(true) if self.minus == 0 => {
                (layout.signage, layout.unmarked_is_out) = (Signage::InflowsNegative, Some(true));
            }
            Some(false) if self.is_partial() => layout.unmarked_is_out = Some(false),
            _ => self.finish_by_signs(column, layout, proves_signs),
        }
    }

    fn finish_by_signs(&self, column: usize, layout: &mut Layout, proves_signs: bool) {
        let is_partial = self.is_partial();
        // The same sign before every amount distinguishes nothing that words beside it distinguish.
        let has_signs = self.minus > 0 || (self.plus > 0 && !self.has_words);
        let is_open = if has_signs {
            // Purchases are far more than payments and refunds, and an expense is never positive by
            // default. On a card's statement that nobody knows to be one, they may have no sign.
            !proves_signs
                && (self.is_debt_in_doubt()
                    || (self.is_unknown && self.plain > self.minus + self.plus))
        } else {
            self.plain + self.plus > 0
        };
        let is_open = is_open || (self.is_unusual() && self.minus + self.plus + self.plain > 0);
        let header = quoted(&layout.header(column));
        if let Some(earlier) = self.of_signs_here().filter(|_| is_partial || is_open) {
            layout.signage = earlier;
        } else if is_partial {
            let (marked, others) = (self.plus, self.plain);
            layout.problems.push(LayoutProblem::UnmarkedAmounts { header, marked, others });
        } else if is_open {
            let is_debt = self.is_debt;
            layout.problems.push(LayoutProblem::UnknownDirection { header, has_signs, is_debt });
        }
    }

    /// Whether a minus of a debt may be a payment. Where money in has a plus, it seldom is.
    fn is_debt_in_doubt(&self) -> bool {
        let is_rare = self.plain > 0 && self.plain.saturating_mul(MANY) >= self.minus;
        self.is_debt && (is_rare || self.plus + self.plain > self.minus)
    }

    /// Whether amounts with a mark for money in stand beside others, of which that shows nothing.
    fn is_partial(&self) -> bool {
        let is_marked = self.plus > 0 && self.plain > 0;
        is_marked && (self.minus == 0 || self.was_unmarked_out())
    }

    fn was_unmarked_out(&self) -> bool {
        self.unmarked == Some(true)
    }

    /// The convention of an earlier file of the account.
    fn of_signs(&self) -> Option<Signage> {
        self.earlier.or_else(|| self.perhaps.filter(|_| self.is_both_ways()))
    }

    /// The same, unless marks leave open what amounts without one are: where expenses have a minus,
    /// these are money in, as those with a mark are.
    fn of_signs_here(&self) -> Option<Signage> {
        self.of_signs().filter(|it| !self.is_partial() || *it == Signage::InflowsPositive)
    }

    /// What an unusual earlier file shows of amounts of which the signs decide.
    fn earlier_by_sign(&self) -> Option<Signage> {
        let is_unmarked_out = self.was_unmarked_out() && self.minus == 0;
        if is_unmarked_out { Some(Signage::InflowsNegative) } else { self.of_signs_here() }
    }

    /// Whether earlier files were read in another way than is usual: that is never left out
    /// quietly, but taken over or asked.
    fn is_unusual(&self) -> bool {
        self.of_signs() == Some(Signage::InflowsNegative)
            || self.was_unmarked_out()
            || (self.was_all_out && self.minus + self.plus == 0)
            || (self.of_signs().is_none() && self.is_negative_elsewhere)
    }

    /// Whether some amounts have a minus, and others none.
    fn is_both_ways(&self) -> bool {
        self.minus > 0 && self.plus + self.plain > 0
    }

    /// Balances show which way the amounts went, but for that of the oldest row: what there was
    /// before it isn't known. Without a sign it could have gone the other way.
    fn finish_with_balance(&self, column: usize, layout: &mut Layout) {
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

/// Whether a problem is one about signs, so that its answer decides what they mean.
fn is_about_signs(problem: &LayoutProblem) -> bool {
    use LayoutProblem::{BalanceAgainstColumns, MoneyOrDebt, UnknownNumbers};
    matches!(
        problem,
        UncertainDirection { .. }
            | MoneyOrDebt { .. }
            | BalanceAgainstColumns { .. }
            | UnknownNumbers { .. }
    )
}
