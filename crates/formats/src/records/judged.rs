//! What is only known once all rows were read: balances and totals that they contradict.

use purser_core::import::kind::Context;
use purser_core::import::layout::AmountSource;
use purser_core::import::layout_problem::LayoutProblem;
use purser_core::import::settings::{BalanceCheck, Settings, Signage};
use purser_core::import::source_file::{FileFormat, SourceFile};
use purser_core::import::transaction::balance::BalanceEnds;
use purser_core::import::transaction::balance::follow::FollowedBalance;
use purser_core::import::transaction::look_alikes::LookAlike;
use purser_core::import::transaction::stated::{
    LinesFacts, RowsSum, money_or_debt, proven_openings,
};
use purser_core::ledger::account::Classification;
use purser_core::limits::IMPORT_FINDINGS_MAX;

use super::analyse::{Analysis, RowFinding};
use super::visit::Passed;

/// Whether the ends of a document aren't asked about as long as this is open.
fn comes_before_ends(problem: &LayoutProblem) -> bool {
    use LayoutProblem::{
        BalanceAgainstColumns, MoneyOrDebt, NotProven, SenseOfEnds, UnsignedMoneyOrDebt,
    };
    matches!(
        problem,
        NotProven
            | SenseOfEnds { .. }
            | MoneyOrDebt { .. }
            | UnsignedMoneyOrDebt { .. }
            | BalanceAgainstColumns { .. }
    )
}

impl Analysis {
    /// The rows are those of a file: what its statements contradict or lack is a question, beside
    /// what a comparison with its balances has found, because one answer is given to all of it.
    pub fn of_file(&mut self, file: SourceFile) {
        if self.compares_ends && self.rows_count > 0 && !file.unproven.is_empty() {
            let reasons = file.unproven.clone();
            let problem = match file.format {
                Some(FileFormat::Pdf) => LayoutProblem::NotProven,
                _ => LayoutProblem::StatementsNotProven { reasons },
            };
            if !self.layout.problems.contains(&problem) {
                self.layout.problems.push(problem);
            }
        }
        // Where nothing is proven, that is asked about the whole document; and what the balance
        // counts comes first, for the answer about the ends confirms that, too.
        if self.compares_ends
            && !self.takes_ends
            && self.rows_count > 0
            && !file.unstated_ends.is_empty()
            && !self.layout.problems.iter().any(comes_before_ends)
        {
            let reasons = file.unstated_ends.clone();
            self.layout.problems.push(LayoutProblem::EndsNotStated { reasons });
        }
        self.layout.file = file;
    }

    /// Takes note of what was sent or is known of the account.
    pub(super) fn take_settings(&mut self, settings: &Settings, context: Context<'_>) {
        self.compares_ends = !settings.balance_check.is_some_and(BalanceCheck::ignores_balances);
        self.takes_ends = settings.balance_check == Some(BalanceCheck::IgnoreEnds);
        self.classification = context.account.map(|account| account.classification);
        let earlier = &settings.preferred;
        let is_known = self.classification == Some(Classification::Liability)
            && earlier.signage.is_some()
            && earlier.is_signage_of_signs();
        self.is_sign_open = settings.signage.is_none() && !is_known;
        self.balance_check = settings.balance_check;
        self.has_convention = settings.signage.is_some();
        self.stated_was_debt = earlier.stated_is_debt;
    }

    /// Why so many rows break the balance that it can't be one.
    pub(super) fn balance_problem(&self, follow: &FollowedBalance) -> Option<LayoutProblem> {
        let column = self.layout.balance.as_ref()?.column;
        let broken = follow.mismatches();
        (follow.more_breaks > 0 || broken > follow.proofs).then(|| LayoutProblem::BalanceDiffers {
            header: self.layout.header(column),
            follow: follow.proofs,
            compared: follow.proofs + broken,
        })
    }

    /// Rows that break the balance are known only now: newest first the row below decides.
    pub(super) fn keep_balance(&mut self, follow: FollowedBalance) {
        let has_ends = self.layout.account_balance().is_some();
        let Some(balance) = &mut self.layout.balance else { return };
        let broken = follow.breaks.len() as u64;
        balance.proofs = follow.proofs;
        balance.breaks = follow.breaks;
        balance.ends = if has_ends { follow.ends } else { Vec::new() };
        for its in &balance.breaks.clone() {
            self.find(its.row, its.line);
        }
        self.count_found(broken);
    }

    /// Rows that may be totals are known only now, too.
    pub(super) fn keep_look_alikes(&mut self, mut found: Vec<LookAlike>) {
        found.retain(|one| self.layout.reason_beside_others(one.row).is_none());
        self.layout.look_alikes = found;
        for its in &self.layout.look_alikes.clone() {
            self.find(its.row, its.line);
        }
        self.count_found(self.layout.look_alikes.len() as u64);
    }

    /// Adds a row that other rows make invalid.
    fn find(&mut self, row: u64, line: u64) {
        let reasons = self.layout.reason_beside_others(row).into_iter().collect();
        self.findings.push(RowFinding { row, line, reasons });
    }

    fn count_found(&mut self, rows: u64) {
        self.findings.sort_by_key(|finding| finding.row);
        self.findings.truncate(IMPORT_FINDINGS_MAX);
        self.valid -= rows;
        self.invalid += rows;
    }

    /// Compares the rows with the balances that lines of the file state.
    pub(super) fn compare(&mut self, sum: RowsSum, passed: &Passed) {
        self.compare_ends(sum, passed);
        let has_problem = !self.layout.problems.is_empty();
        if self.compares_ends && !has_problem {
            self.layout.problems.extend(self.layout.unproven());
        }
    }

    fn compare_ends(&mut self, sum: RowsSum, passed: &Passed) {
        self.layout.stated_is_debt = self.stated_was_debt;
        if self.invalid > 0 {
            return;
        }
        let lines = LinesFacts::of(&self.layout, self.classification, self.stated_was_debt);
        // Lines beside amounts without signs may have what can be spent, as the column has.
        let is_open = self.layout.unsigned_column().is_some();
        let balance = self.layout.balance.as_ref();
        let balance = balance.filter(|_| is_open || self.layout.account_balance().is_some());
        let is_balance_of_lines = balance.is_none();
        let comparison = sum.compare(passed.rows, &passed.stated, balance, lines);
        self.layout.stated = comparison.ends;
        let layout = &mut self.layout;
        let is_derived = layout.is_of_statements();
        let has_opening =
            layout.stated.as_ref().is_some_and(|ends| ends.opening.is_some() || !is_derived);
        if !has_opening && is_balance_of_lines && layout.columns.register.is_none() {
            let (stated, rows) = (&passed.stated, passed.rows);
            layout.openings = proven_openings(stated, rows, &layout.totals, is_derived);
        }
        let is_debt = self.classification == Some(Classification::Liability);
        let may_be_opposite = is_debt && lines.may_be_opposite;
        if !self.compares_ends {
            // Whoever doesn't let them be compared has not confirmed what they count.
            if may_be_opposite && self.open_sense(comparison.is_opposite).is_some() {
                self.layout.stated = None;
                self.layout.has_open_sense = true;
            }
            return;
        }
        self.layout.problems.extend(comparison.problem);
        // Above zero, the balances of a card are what is owed as well as money that was paid in.
        let is_owed = |ends: &BalanceEnds| {
            ends.is_proven() && ends.closing.or(ends.opening).is_some_and(|amount| amount > 0)
        };
        let may_be_owed = is_debt && self.layout.stated.as_ref().is_some_and(is_owed);
        if self.is_sign_open && (may_be_owed || (comparison.is_opposite && !is_debt)) {
            self.layout.problems.extend(money_or_debt(&self.layout));
        }
        if may_be_opposite {
            self.judge_sense(comparison.is_opposite);
        }
    }

    /// Keeps in which sense proven balances of a debt agree, or asks about it.
    fn judge_sense(&mut self, is_opposite: bool) {
        if !self.layout.stated.as_ref().is_some_and(BalanceEnds::is_proven) {
            return;
        }
        self.layout.stated_is_debt = Some(is_opposite);
        let is_asked =
            |problem: &LayoutProblem| matches!(problem, LayoutProblem::MoneyOrDebt { .. });
        if !self.layout.problems.iter().any(is_asked) {
            self.layout.problems.extend(self.open_sense(is_opposite));
        }
    }

    /// The question whether proven balances of a debt are written as what is owed or as money, if
    /// it is open: what is known of earlier files decides, or a person, and never the rows alone,
    /// because with a wrong digit they may agree in the other sense.
    fn open_sense(&self, is_opposite: bool) -> Option<LayoutProblem> {
        let ends = self.layout.stated.as_ref().filter(|ends| ends.is_proven())?;
        let is_positive = |amount: i64| if is_opposite { amount < 0 } else { amount > 0 };
        let is_below_zero = ![ends.opening, ends.closing].into_iter().flatten().any(is_positive);
        // Below zero it is money that the account lacks.
        let known = self.stated_was_debt.or(is_below_zero.then_some(false));
        // A convention of signs answers both what they mean and what balances count.
        let is_signed = matches!(self.layout.amount, Some(AmountSource::Signed { .. }));
        let is_answered = is_signed && self.has_convention && known.is_none();
        let is_inverted = is_signed && self.layout.signage == Signage::InflowsNegative;
        let is_debt = is_shown_as_debt(ends, is_opposite != is_inverted);
        let is_decided = known == Some(is_opposite)
            || is_answered
            || self.balance_check == Some(BalanceCheck::of_lines(is_debt));
        if is_decided {
            return None;
        }
        let ends = if is_debt { ends.as_owed() } else { ends.clone() };
        let ends = ends.text(|day| day.to_string())?;
        Some(LayoutProblem::SenseOfEnds { ends, is_debt })
    }
}

/// Whether the paper shows balances of a debt as what is owed. Below zero they are; of those with
/// both signs one is below zero either way, and the sense decides in which they agree as written.
fn is_shown_as_debt(ends: &BalanceEnds, agrees_turned: bool) -> bool {
    let amounts = [ends.opening, ends.closing].map(Option::unwrap_or_default);
    match (amounts.iter().any(|one| *one < 0), amounts.iter().any(|one| *one > 0)) {
        (true, true) => agrees_turned,
        (is_below_zero, _) => is_below_zero,
    }
}
