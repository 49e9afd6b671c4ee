//! The plan for one account: made of answers, shown or executed.

use jiff::civil::Date;
use purser_core::connection::outcome::{StepFailure, StepOutcome, SyncStep};
use purser_core::error::Result;
use purser_core::ids::{AccountId, EntryId};
use purser_core::money::Currency;
use purser_core::sync::{
    Counts, KnownAccount, Reason, ReportedRows, SourceRow, SyncChange, SyncPlan, drop_pending,
};
use purser_providers::snapshot::{Completeness, TransactionsSnapshot};
use purser_store::sync_plans::{self, Balance, Execution, Position};
use purser_store::{FamilyTx, families, sync_rows};

use super::evaluated_rules::EvaluatedRules;
use super::holdings::{self, PlannedHolding, PreparedHoldings};
use super::reported::{self, Home};
use super::{Answers, LinkedAccount, RunSettings, Warning, days};
use crate::transfers::{self, Scope};

/// Lines that a plan shows.
pub const LINES_MAX: usize = 500;

/// What a run changes in an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountPlan {
    /// The account of the family.
    pub account: AccountId,
    /// The currency of the account.
    pub currency: Currency,
    /// How many rows and entries come to what.
    pub counts: Counts,
    /// How many changes there are.
    pub changes: usize,
    /// The first changes, each with its reason.
    pub lines: Vec<PlannedLine>,
    /// The changes of positions.
    pub holdings: Vec<PlannedHolding>,
    /// What is worth knowing about the answers.
    pub warnings: Vec<Warning>,
    /// The day up to which the account is known from then on; `None` leaves the one before.
    pub watermark: Option<Date>,
}

/// A change of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedLine {
    /// The reason of the change.
    pub reason: Reason,
    /// The entry, if it is there already.
    pub entry: Option<EntryId>,
    /// The day of the row.
    pub date: Date,
    /// The amount in the scale of its currency; positive = money out.
    pub amount: i64,
    /// The currency of the amount.
    pub currency: Currency,
    /// The name of the row.
    pub name: String,
    /// Whether the bank has not booked it yet.
    pub pending: bool,
}

/// A plan with everything that it was made of, ready to be executed while it is current.
#[derive(Debug)]
pub struct PreparedPlan {
    linked: LinkedAccount,
    currency: Currency,
    run: RunSettings,
    known: KnownAccount,
    reported: ReportedRows,
    plan: SyncPlan,
    rules: EvaluatedRules,
    holdings: Option<PreparedHoldings>,
    balance: Option<Balance>,
    warnings: Vec<Warning>,
    watermark: Option<Date>,
    version: i64,
}

/// How far the execution of plans for one answer is.
#[derive(Debug, Clone, Default)]
pub struct Progress {
    position: Position,
    /// The family's version after the last part of the current plan.
    version: Option<i64>,
}

impl Progress {
    /// Whether everything is executed.
    pub fn is_done(&self) -> bool {
        self.position.is_done()
    }

    /// The beginning of another plan for the same answer, because the one before didn't hold any
    /// more. What was executed is known to it.
    #[must_use]
    pub fn of_new_plan(self) -> Self {
        Self { position: self.position.of_new_plan(), version: None }
    }
}

/// What a run would change; nothing is written.
pub fn preview(
    tx: &mut FamilyTx<'_>,
    linked: &LinkedAccount,
    answers: &Answers<'_>,
    run: &RunSettings,
) -> Result<AccountPlan> {
    Ok(prepare(tx, linked, answers, run)?.shown())
}

/// Changes the account in one commit, and keeps what was done for the page of the run and for its
/// undo.
pub fn apply(
    tx: &mut FamilyTx<'_>,
    linked: &LinkedAccount,
    answers: &Answers<'_>,
    run: &RunSettings,
) -> Result<AccountPlan> {
    let prepared = prepare(tx, linked, answers, run)?;
    prepared.execute_part(tx, &Progress::default(), usize::MAX)?;
    Ok(prepared.shown())
}

/// Makes the plan for an account. It may be executed in later transactions, as long as it is
/// current then ([`PreparedPlan::is_current`]).
pub fn prepare(
    tx: &mut FamilyTx<'_>,
    linked: &LinkedAccount,
    answers: &Answers<'_>,
    run: &RunSettings,
) -> Result<PreparedPlan> {
    let version = families::version(tx)?;
    let (account_type, currency) = sync_rows::account_of(tx, linked.account)?;
    let of_balance = answers.balance.and_then(|balance| balance.currency.known());
    let home = Home {
        currency,
        is_stated: of_balance.or(linked.stated).is_none_or(|stated| stated == currency),
        classification: account_type.classification(),
        holds_securities: account_type.holds_securities(),
    };
    let mut warnings = Vec::new();
    let (reported, watermark) = match answers.transactions {
        Some(answer) => {
            let reported = reported::rows(answer, home, run);
            let days = (linked.watermark, run.today);
            let ran_today = !reported.is_whole && has_run_today(tx, linked.account, run)?;
            let watermark = days::watermark(&reported, answer.1.completeness, days, ran_today);
            warnings.extend(about_rows(answer.1, &reported));
            (reported, watermark)
        }
        None => (nothing(run.today), None),
    };
    let known = sync_rows::known(tx, linked.of(run), &reported)?;
    let mut plan = match answers.transactions {
        Some(_) => (run.planner)(&known, &reported, run.today),
        None => SyncPlan::default(),
    };
    if !run.include_pending {
        drop_untouched(&known, &mut plan);
    }
    let balance = match answers.balance.map(|one| reported::balance(one, home, run)) {
        Some(Ok(balance)) => Some(balance),
        Some(Err(warning)) => {
            warnings.push(warning);
            None
        }
        None => None,
    };
    let of = linked.of(run);
    let days = (balance.map(|balance: Balance| balance.date), run.today);
    let holdings = holdings::prepare(tx, of, answers, days)?;
    if let Some(PreparedHoldings { plan: of_holdings, .. }) = &holdings {
        warnings.extend_from_slice(&of_holdings.warnings);
        plan.counts.holdings = of_holdings.counts;
    }
    let rules = EvaluatedRules::of(tx, linked.account, &reported, &plan)?;
    let (linked, run) = (*linked, run.clone());
    Ok(PreparedPlan {
        linked,
        currency,
        run,
        known,
        reported,
        plan,
        rules,
        holdings,
        balance,
        warnings,
        watermark,
        version,
    })
}

/// Pending entries that nobody touched go, but for those that the same plan books.
fn drop_untouched(known: &KnownAccount, plan: &mut SyncPlan) {
    let follows = |entry: EntryId| {
        plan.changes
            .iter()
            .any(|one| matches!(one, SyncChange::Follow { entry: of, .. } if *of == entry))
    };
    let mut dropped = drop_pending(&known.rows);
    dropped.retain(|one| matches!(one, SyncChange::Remove { entry, .. } if !follows(*entry)));
    // What goes is no question.
    let goes = |entry: EntryId| {
        dropped
            .iter()
            .any(|one| matches!(one, SyncChange::Remove { entry: of, .. } if *of == entry))
    };
    plan.suggestions.retain(|one| !goes(one.entry));
    plan.counts.suggested = plan.suggestions.len() as u64;
    plan.changes.retain(|one| !matches!(one, SyncChange::MarkAbsent { entry } if goes(*entry)));
    plan.counts.removed += dropped.len() as u64;
    dropped.append(&mut plan.changes);
    plan.changes = dropped;
}

/// Whether an earlier run of the day had the account. If a clock was ahead, none is counted as one
/// of another day.
fn has_run_today(tx: &mut FamilyTx<'_>, account: AccountId, run: &RunSettings) -> Result<bool> {
    let newest = sync_plans::newest_but(tx, account, run.sync)?;
    Ok(newest.is_some_and(|at| at.to_zoned(run.time_zone.clone()).date() >= run.today))
}

/// What an answer that isn't there reports.
fn nothing(today: Date) -> ReportedRows {
    ReportedRows {
        rows: Vec::new(),
        from: today,
        to: today,
        is_whole: false,
        is_doubtful: false,
        has_pending: false,
        unreadable: 0,
        unreadable_ids: Vec::new(),
    }
}

/// What is worth knowing about the rows of an answer.
fn about_rows(came: &TransactionsSnapshot, reported: &ReportedRows) -> Vec<Warning> {
    let of_number = match came.completeness {
        Completeness::Whole => None,
        Completeness::NumberDiffers => Some(Warning::NumberDiffers),
        Completeness::Partial => Some(Warning::AnswerIncomplete),
        Completeness::Doubtful => Some(Warning::ProviderProblem),
    };
    let of_rows = (reported.unreadable > 0).then_some(Warning::RowsUnreadable);
    of_rows.into_iter().chain(of_number).collect()
}

impl PreparedPlan {
    /// Prepares a plan that is going to be executed and not to be shown.
    #[must_use]
    pub fn to_execute(mut self) -> Self {
        self.plan.order_many_added(&self.reported);
        self
    }

    /// The day up to which the account is known once the plan is executed; `None` leaves the one
    /// before.
    pub fn watermark(&self) -> Option<Date> {
        self.watermark
    }

    /// Whether something of the answers is missing or was not used.
    pub fn has_gaps(&self) -> bool {
        self.warnings.iter().any(|one| one.is_gap())
    }

    /// What came of the steps, with the rows that the ledger can't read either. If it can read none
    /// of those that came, the step failed.
    pub fn outcomes_of(&self, asked: &[StepOutcome]) -> Vec<StepOutcome> {
        let mut outcomes = asked.to_vec();
        let is_one =
            |one: &&mut StepOutcome| one.step == SyncStep::Transactions && one.failure.is_none();
        if let Some(one) = outcomes.iter_mut().find(is_one) {
            let all = one.rows + one.unreadable;
            one.unreadable = self.reported.unreadable.min(all);
            one.rows = all - one.unreadable;
            let is_unreadable = one.rows == 0 && one.unreadable > 0;
            one.failure = is_unreadable.then_some(StepFailure::InvalidResponse);
        }
        outcomes
    }

    /// Whether nobody has changed what the plan was made of, but for its own parts.
    pub fn is_current(&self, tx: &mut FamilyTx<'_>, progress: &Progress) -> Result<bool> {
        let expected = progress.version.unwrap_or(self.version);
        Ok(families::version(tx)? == expected && self.rules.are_current(tx)?)
    }

    /// Executes the next changes, `changes_max` at most, and sets off what follows from them.
    pub fn execute_part(
        &self,
        tx: &mut FamilyTx<'_>,
        progress: &Progress,
        changes_max: usize,
    ) -> Result<Progress> {
        let warnings: Vec<&'static str> = self.warnings.iter().map(|one| one.as_str()).collect();
        let execution = Execution {
            sync: self.run.sync,
            of: self.linked.of(&self.run),
            today: self.run.today,
            known: &self.known,
            reported: &self.reported,
            plan: &self.plan,
            evaluations: &self.rules.evaluations,
            holdings: self.holdings.as_ref().map(PreparedHoldings::of_execution),
            balance: self.balance,
            warnings: &warnings,
            watermark_before: self.linked.watermark,
        };
        let position = sync_plans::execute_part(tx, execution, &progress.position, changes_max)?;
        // With each part: after a run that dies or fails later, none may change anything here.
        if self.plan.counts.has_changes() {
            let (first, last) = (self.reported.from, self.reported.to);
            transfers::queue(tx, Scope::Around { first, last })?;
        }
        Ok(Progress { position, version: Some(families::version(tx)?) })
    }

    /// What the plan changes, for people.
    pub fn shown(&self) -> AccountPlan {
        let lines = self.plan.changes.iter().take(LINES_MAX).filter_map(|one| self.line(one));
        AccountPlan {
            account: self.linked.account,
            currency: self.currency,
            counts: self.plan.counts,
            changes: self.plan.changes.len(),
            lines: lines.collect(),
            holdings: self.holdings.iter().flat_map(|one| one.lines.clone()).collect(),
            warnings: self.warnings.clone(),
            watermark: self.watermark,
        }
    }

    fn line(&self, change: &SyncChange) -> Option<PlannedLine> {
        let known = |entry: EntryId| {
            let found = self.known.rows.iter().find(|one| one.entry == entry);
            found.map(|one| (Some(entry), &one.row))
        };
        let row = |at: usize| self.reported.rows.get(at).map(|one| &one.row);
        let (entry, row): (Option<EntryId>, &SourceRow) = match *change {
            SyncChange::Add { row: at, .. } | SyncChange::LeaveDeleted { row: at, .. } => {
                (None, row(at)?)
            }
            SyncChange::Follow { entry, row: at, .. }
            | SyncChange::Claim { entry, row: at, .. } => (Some(entry), row(at)?),
            SyncChange::MarkAbsent { entry }
            | SyncChange::MarkPresent { entry }
            | SyncChange::Remove { entry, .. } => known(entry)?,
        };
        let SourceRow { date, amount, currency, name, pending, .. } = row.clone();
        Some(PlannedLine { reason: change.reason(), entry, date, amount, currency, name, pending })
    }
}
