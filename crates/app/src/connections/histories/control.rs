//! Defects that are planted: the histories must find each of them.

use jiff::civil::Date;
use purser_bank_simulator::histories::History;
use purser_bank_simulator::misbehaviour::Quirk;
use purser_core::sync::{
    KnownAccount, KnownState, OtherState, ReportedRows, SourceRow, SyncChange, SyncPlan,
};
use purser_store::connections::found;

use super::life::{Life, live};
use super::stage::{Backend, Stage};
use crate::sync::{Planner, reconcile};

/// Histories in which a defect must be found.
const HISTORIES: u64 = 400;

/// Requires that a history with banks of this nature shows the defect, and that the same history
/// passes without it.
fn require_found(planner: Planner, moves_watermark: bool, nature: &[Quirk]) {
    let history = |seed| {
        let mut history = History::of(seed);
        history.nature.extend(nature);
        history
    };
    let mut found = None;
    Stage::with(Backend::Sqlite, planner, async |stage| {
        stage.moves_watermark.set(moves_watermark);
        for seed in 1..HISTORIES {
            if live(stage, &history(seed)).await.is_err() {
                found = Some(seed);
                return;
            }
        }
    });
    let seed = found.expect("no history shows the defect");
    Stage::with(Backend::Sqlite, reconcile, async |stage| {
        let passed = live(stage, &history(seed)).await;
        passed.unwrap_or_else(|problem| panic!("without the defect, seed {seed}: {problem}"));
    });
}

impl Life<'_> {
    /// Moves every watermark to today, whatever came of the run.
    pub(super) async fn move_watermarks(&self) -> purser_core::error::Result<()> {
        let (links, today) = (self.links.clone(), self.stage.simulator.world().today);
        self.write(move |tx| {
            for link in &links {
                found::set_watermark(tx, link.account, Some(today))?;
            }
            Ok(())
        })
        .await
    }
}

#[test]
fn a_match_by_the_amount_alone_is_found() {
    fn nameless(row: &SourceRow) -> SourceRow {
        SourceRow { name: "any".to_owned(), ..row.clone() }
    }
    let by_amount: Planner = |known, reported, today| {
        let (mut known, mut reported) = (known.clone(), reported.clone());
        known.rows.iter_mut().for_each(|one| one.row = nameless(&one.row));
        known.others.iter_mut().for_each(|one| one.row = nameless(&one.row));
        reported.rows.iter_mut().for_each(|one| one.row = nameless(&one.row));
        reconcile(&known, &reported, today)
    };
    // Different purchases of one price.
    require_found(by_amount, false, &[Quirk::RoundPrices, Quirk::BlankIds]);
}

#[test]
fn a_hash_of_the_content_without_its_occurrence_is_found() {
    fn once(known: &KnownAccount, reported: &ReportedRows, today: Date) -> SyncPlan {
        let plan = reconcile(known, reported, today);
        let content = |row: usize| SourceRow { id: None, ..reported.rows[row].row.clone() };
        let is_repeated = |change: &SyncChange| match change {
            SyncChange::Add { row, .. } => (0..*row).any(|other| content(other) == content(*row)),
            _ => false,
        };
        let changes = plan.changes.iter().filter(|one| !is_repeated(one)).copied().collect();
        SyncPlan { changes, ..plan }
    }
    require_found(once, false, &[]);
}

#[test]
fn a_watermark_that_moves_after_a_failure_is_found() {
    require_found(reconcile, true, &[]);
}

#[test]
fn deleted_transactions_that_come_back_are_found() {
    let forgetful: Planner = |known, reported, today| {
        let mut known = known.clone();
        known.rows.retain(|one| one.state != KnownState::Deleted);
        reconcile(&known, reported, today)
    };
    require_found(forgetful, false, &[]);
}

#[test]
fn what_was_deleted_before_the_link_and_comes_again_is_found() {
    let forgetful: Planner = |known, reported, today| {
        let mut known = known.clone();
        known.others.retain(|one| one.state != OtherState::Deleted);
        reconcile(&known, reported, today)
    };
    require_found(forgetful, false, &[]);
}

#[test]
fn what_was_changed_before_the_link_and_comes_again_is_found() {
    let present: Planner = |known, reported, today| {
        let mut known = known.clone();
        known.others.iter_mut().for_each(|one| one.origin = None);
        reconcile(&known, reported, today)
    };
    require_found(present, false, &[]);
}

#[test]
fn what_was_moved_to_another_linked_account_and_comes_again_is_found() {
    let forgetful: Planner = |known, reported, today| {
        let mut known = known.clone();
        known.others.retain(|one| one.state != OtherState::MovedToLinked);
        reconcile(&known, reported, today)
    };
    require_found(forgetful, false, &[]);
}
